/* stage_law.c: see stage_law.h. The logarithm of a geometric basket is the sum of its assets', each
 * times its weight. */
#include "engine/run/stage_law.h"

#include "engine/market/moved.h"
#include "engine/plan/recording.h"
#include "kernels/lane/scalar.h"

static const double law_least = 1e-9; /* a deviation that can be divided by */

/* Logarithm of the mean, and variance of the logarithm, until a date. */
typedef struct law_moments {
    double mean, variance;
} law_moments;

/* means: [asset]; covariances: [asset][asset], NULL: nothing has moved yet. weights: NULL: there is
 * one asset. */
static law_moments law_of_level(size_t n, const double *weights, const double *means,
                                const double *covariances)
{
    law_moments m = {0.0, 0.0};
    for (size_t u = 0; u < n; ++u) {
        const double w = weights ? weights[u] : 1.0;
        m.mean += w * (levy_log(means[u]) - (covariances ? 0.5 * covariances[u * n + u] : 0.0));
        for (size_t v = 0; v < n && covariances; ++v)
            m.variance += w * (weights ? weights[v] : 1.0) * covariances[u * n + v];
    }
    m.mean += 0.5 * m.variance;
    return m;
}

static levy_stage_law law_between(law_moments now, law_moments end, double due)
{
    const double left = end.variance - now.variance;
    return (levy_stage_law){.growth = levy_exp(end.mean - now.mean),
                            .deviation = left > law_least * law_least ? levy_sqrt(left) : law_least,
                            .due = levy_exp(due)};
}

static levy_status law_fill(const levy_plan *plan, const levy_trade *t, const levy_moved *market,
                            size_t n_dates, const uint32_t *nodes, const double *times,
                            levy_arena *arena, levy_stage_law *law)
{
    const size_t n = t->n_underlyings;
    const double *means, *covariances, *const weights = n > 1 ? t->claim.weights : NULL;
    double spots[LEVY_MAX_ASSETS];
    const levy_curve *curve;
    LEVY_TRY(levy_moved_curve(market, t->discount_curve, arena, &curve));
    LEVY_TRY(levy_recording_law(plan, market, n_dates, nodes, arena, &means, &covariances));
    const size_t last = n_dates - 1;
    const double paid = levy_curve_log_discount(curve, times[last]);
    const law_moments end = law_of_level(n, weights, means + last * n, covariances + last * n * n);
    for (size_t d = 0; d < n_dates; ++d)
        law[d] = law_between(law_of_level(n, weights, means + d * n, covariances + d * n * n), end,
                             paid - levy_curve_log_discount(curve, times[d]));
    for (size_t u = 0; u < n; ++u) spots[u] = levy_moved_spot(market, levy_trade_asset(t, u));
    law[n_dates] = law_between(law_of_level(n, weights, spots, NULL), end,
                               paid - levy_curve_log_discount(curve, market->elapsed));
    return LEVY_OK;
}

levy_status levy_stage_law_of(const levy_plan *plan, size_t trade, const levy_moved *market,
                              size_t n_dates, const uint32_t *nodes, const double *times,
                              const levy_memory *memory, levy_stage_law *law)
{
    levy_arena arena;
    levy_arena_init(&arena, memory);
    const levy_status status = law_fill(plan, &plan->problem->trades[plan->group->trades[trade]],
                                        market, n_dates, nodes, times, &arena, law);
    levy_arena_release(&arena);
    return status;
}
