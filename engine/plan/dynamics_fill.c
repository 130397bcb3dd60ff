/* dynamics_fill.c: fills the numbers of a set's dynamics, the drifts and factors of every interval,
 * and checks that the set is a market. See dynamics.h. */
#include "engine/plan/dynamics_parts.h"

#include "kernels/lane/scalar.h"

#include <string.h>

/* Whether the factors give back the covariance. They cannot if it is indefinite or of a higher rank
 * than today's. What the rank left out because it was tiny (factors.c) may be missing. */
static bool dynamics_gives_back(const levy_dynamics_plan *p, const double *covariance,
                                const double *factor)
{
    const size_t n = levy_dynamics_rows(p), f = p->n_factors;
    double largest = 0.0;
    bool good = true;
    for (size_t i = 0; i < n; ++i)
        largest = covariance[i * n + i] > largest ? covariance[i * n + i] : largest;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            double residual = -covariance[i * n + j];
            for (size_t l = 0; l < f; ++l) residual += factor[i * f + l] * factor[j * f + l];
            good = good &&
                   (residual * residual <= 1e-18 * covariance[i * n + i] * covariance[j * n + j] ||
                    residual * residual <= 1e-24 * largest * largest);
        }
    return good;
}

/* Fills one interval of the own drivers: its years, and the factors by which they move. */
static void dynamics_put_own(const levy_dynamics_plan *p, double years, const double *rows,
                             double *own)
{
    own[0] = years;
    for (size_t i = 0; i < p->n_own * p->n_factors; ++i)
        own[LEVY_OWN_FIRST + i] =
            rows[p->n_assets * p->n_factors + i] / p->own_unit[i / p->n_factors];
}

/* Fills the factors of every interval. `good`, if not NULL, becomes false if a factor does not give
 * back its covariance. `own` NULL: the caller does not want those of own drivers. */
static levy_status dynamics_fill_intervals(const levy_dynamics_plan *p, uint32_t set,
                                           levy_arena *arena, double *factor, double *own,
                                           bool *good)
{
    const size_t n = levy_dynamics_rows(p), square = n * n, f = p->n_factors;
    double *const work = levy_arena_allocate(arena, n * f, sizeof *work);
    double *const rows = levy_arena_allocate(arena, n * f, sizeof *rows);
    levy_covariances s;
    if (!work || !rows) return LEVY_MEMORY;
    LEVY_TRY(levy_covariances_begin(p, set, arena, &s));
    for (size_t k = 0; k < p->group->n_nodes; ++k) {
        const double step = p->clock[k] - (k ? p->clock[k - 1] : 0.0), before = s.from;
        LEVY_TRY(levy_covariances_next(&s, k));
        for (size_t i = 0; i < square; ++i) s.covariance[i] /= step;
        levy_rotation_factor(&p->rotation, s.covariance, work, rows);
        memcpy(factor + k * p->n_assets * f, rows, p->n_assets * f * sizeof *factor);
        if (own && p->n_own)
            dynamics_put_own(p, s.from - before, rows, own + k * levy_dynamics_own_row(p));
        if (good) *good = *good && dynamics_gives_back(p, s.covariance, rows);
    }
    return LEVY_OK;
}

static levy_status dynamics_fill_factors(const levy_dynamics_plan *p, uint32_t set,
                                         levy_arena *arena, double *factor, double *own, bool *good)
{
    const size_t n = p->n_assets;
    double *covariance;
    if (levy_dynamics_is_driven(p) ||
        p->group->known) { /* the model fills them, if it has any (group_model.c) */
        for (size_t i = 0; i < n * p->n_factors; ++i) factor[i] = 0.0;
        return LEVY_OK;
    }
    if (p->per_interval) return dynamics_fill_intervals(p, set, arena, factor, own, good);
    double *const work = levy_arena_allocate(arena, n * n, sizeof *work);
    if (!work) return LEVY_MEMORY;
    LEVY_TRY(levy_covariance_rate(p, set, arena, &covariance));
    double *base =
        covariance; /* the factors of today's market, from which those of other sets are scaled */
    if (n > 1 && set > 0) LEVY_TRY(levy_covariance_rate(p, 0, arena, &base));
    levy_rotation_factor(&p->rotation, base, work, factor);
    if (base != covariance && !levy_rotation_scale(&p->rotation, base, covariance, work, factor))
        levy_rotation_factor(&p->rotation, covariance, work, factor);
    if (good) *good = *good && dynamics_gives_back(p, covariance, factor);
    return LEVY_OK;
}

static void dynamics_fill_elapsed_share(const levy_dynamics_plan *p, uint32_t set,
                                        double *elapsed_share)
{
    double before = 0.0;
    for (size_t k = 0; k < p->group->n_nodes; ++k) {
        const double t = p->group->times[k], elapsed = p->sets[set].elapsed;
        elapsed_share[k] = p->per_interval || p->group->known || before >= elapsed ? 0.0
                           : t <= elapsed                                          ? 1.0
                                          : 1.0 - levy_sqrt((t - elapsed) / (t - before));
        before = t;
    }
}

levy_status levy_dynamics_fill(const levy_dynamics_plan *p, size_t dynamics, levy_arena *arena,
                               double *drift, double *factor, double *cash, double *elapsed_share,
                               double *own)
{
    const size_t n = p->n_assets;
    const uint32_t set = p->set_of[dynamics];
    for (size_t u = 0; u < n; ++u) {
        levy_asset asset;
        double before = 0.0;
        LEVY_TRY(levy_dynamics_asset(p, set, u, arena, &asset));
        const double passed = levy_asset_variance(&asset, p->sets[set].elapsed);
        for (size_t k = 0; k < p->group->n_nodes; ++k) {
            const double t = p->group->times[k];
            const double variance =
                levy_asset_variance(&asset, levy_dynamics_time(p, set, t)) - passed;
            const double level =
                p->group->known ? 0.0
                                : levy_moved_log_forward(&p->sets[set], &asset, t) - 0.5 * variance;
            drift[k * n + u] = p->per_interval ? level - before : level;
            before = level;
            if (cash)
                cash[k * n + u] =
                    p->has_cash == LEVY_CASH_ADDED
                        ? levy_moved_to_come(&p->sets[set], &asset, t)
                        : levy_moved_cash(&p->sets[set], levy_trade_asset(p->trade, u), t);
        }
    }
    if (elapsed_share) dynamics_fill_elapsed_share(p, set, elapsed_share);
    return dynamics_fill_factors(p, set, arena, factor, own, NULL);
}

/* ---- Whether a set is a market ---- */

static levy_status dynamics_check_volatility(const levy_dynamics_plan *p, uint32_t set, size_t u,
                                             levy_arena *arena, bool *good)
{
    levy_asset asset;
    LEVY_TRY(levy_dynamics_asset(p, set, u, arena, &asset));
    *good = *good && levy_volatility_is_sound(&asset.volatility) && levy_asset_has_rest(&asset) &&
            (!asset.quanto.fx || levy_volatility_is_sound(&asset.quanto.fx->volatility));
    return LEVY_OK;
}

/* Uses memory of its own, because there may be thousands of sets to check. */
static levy_status dynamics_check_correlation(const levy_dynamics_plan *p, uint32_t set,
                                              const levy_memory *memory, bool *good)
{
    const size_t pieces = p->per_interval ? p->group->n_nodes : 1;
    levy_arena scratch;
    levy_arena_init(&scratch, memory);
    double *const factor =
        levy_arena_allocate(&scratch, pieces * p->n_assets * p->n_factors, sizeof *factor);
    const levy_status status =
        factor ? dynamics_fill_factors(p, set, &scratch, factor, NULL, good) : LEVY_MEMORY;
    levy_arena_release(&scratch);
    return status;
}

levy_status levy_dynamics_check(const levy_dynamics_plan *p, uint32_t set, levy_arena *arena,
                                bool *good)
{
    bool correlated = false;
    *good = true;
    if (p->group->known) return LEVY_OK;
    for (size_t i = 0; i < p->sets[set].n_shifts; ++i)
        correlated = correlated || p->sets[set].shifts[i].factor == LEVY_SHIFT_CORRELATION;
    if (p->terms[set] != p->trade->model->terms) {
        const levy_model_kind *const kind = levy_model_kinds[p->trade->model->kind];
        const size_t n = p->trade->model->n_assets;
        *good = !levy_parameters_objection(kind, p->terms[set], n) &&
                !(kind->dates && kind->dates(p->terms[set], p->max_step, p->group->times,
                                             p->group->n_nodes, NULL) > 0);
        if (!*good) return LEVY_OK;
        /* beside other shares */
        correlated = correlated || levy_correlation_has_variances(&p->trade->model->correlation);
    }
    for (size_t u = 0; u < p->n_assets; ++u)
        LEVY_TRY(dynamics_check_volatility(p, set, u, arena, good));
    if (levy_memory_stopped(arena->memory)) return LEVY_CANCELLED;
    correlated =
        correlated || (p->n_factors < levy_dynamics_rows(p) && levy_dynamics_moves_returns(p, set));
    return correlated && !levy_dynamics_is_driven(p)
               ? dynamics_check_correlation(p, set, arena->memory, good)
               : LEVY_OK;
}
