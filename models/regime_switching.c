/* regime_switching.c: host half of a lognormal model driven by a Markov chain: in regime r asset a
 * follows dS/S = (rates - yields + rate_r + drift_ra) dt + sigma_ra dW, and what is paid is
 * discounted at rates + rate_r on the way, so with drifts of zero discounted assets are martingales
 * in every regime. One chain moves all assets; it is independent of W. Sources: J. D. Hamilton, A
 * new approach to the economic analysis of nonstationary time series, Econometrica 57, 1989; M. R.
 * Hardy, A regime-switching model of long-term stock returns, North American Actuarial J. 5, 2001;
 * P. Boyle and T. Draviam, Pricing exotic options under regime switching, Insurance: Mathematics
 * and Economics 40, 2007. Its keys are in regime_fields.c, what the lanes see is made in
 * regime_plan.c. Must not know: curves, random numbers. */
#include "models/regime_terms.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

static double regime_volatility(const levy_model_terms *terms, size_t asset)
{
    double sum = 0.0;
    if (!levy_regime_at(terms, 0)->volatilities.node) return 0.0;
    for (size_t r = 0; r < levy_regime_terms_of(terms)->regimes.count; ++r) {
        const double sigma = levy_model_number(&levy_regime_at(terms, r)->volatilities, asset);
        sum += sigma * sigma;
    }
    return levy_sqrt(sum / (double)levy_regime_terms_of(terms)->regimes.count);
}

/* A regime's volatility of an asset, divided by the asset's own. */
static double regime_ratio(const levy_model_terms *terms, size_t r, size_t asset, double own)
{
    const levy_regime *const regime = levy_regime_at(terms, r);
    if (regime->factors.count) return levy_model_number(&regime->factors, asset);
    if (regime->volatilities.count && own > 0.0)
        return levy_model_number(&regime->volatilities, asset) / own;
    return 1.0;
}

/* The largest of the regimes' volatilities, divided by the asset's own; at least 1. */
static double regime_rise(const levy_model_terms *terms, size_t asset, double own)
{
    double most = 1.0;
    for (size_t r = 0; r < levy_regime_terms_of(terms)->regimes.count; ++r) {
        const double ratio = regime_ratio(terms, r, asset, own);
        if (ratio > most) most = ratio;
    }
    return most;
}

double levy_regime_scale(const levy_model_terms *terms, size_t r, size_t asset)
{
    const levy_regime *const regime = levy_regime_at(terms, r);
    return regime->volatilities.node
               ? levy_model_number(&regime->volatilities, asset) / regime_volatility(terms, asset)
               : levy_model_number(&regime->factors, asset);
}

double levy_regime_intensity(const levy_model_terms *terms, size_t r)
{
    const levy_regime *const regime = levy_regime_at(terms, r);
    return regime->jumps.count ? ((const levy_jump_terms *)regime->jumps.items)->intensity : 0.0;
}

bool levy_regimes_are_stepped(const levy_model_terms *terms)
{
    return levy_regime_terms_of(terms)->transition.node ||
           levy_regime_terms_of(terms)->switching == LEVY_SWITCHING_STEPPED;
}

static bool regimes_are_exact(const levy_model_terms *terms)
{
    return levy_regime_terms_of(terms)->regimes.count == 1 ||
           levy_regime_terms_of(terms)->transition.node || !levy_regimes_are_stepped(terms);
}

size_t levy_regimes_watched(const levy_model_terms *terms)
{
    const char *const *const names = terms->assets.items;
    for (size_t a = 0; levy_regime_terms_of(terms)->level_switching.node && a < terms->assets.count;
         ++a)
        if (strcmp(names[a], levy_regime_terms_of(terms)->level_switching.asset) == 0) return a;
    return SIZE_MAX;
}

bool levy_regimes_have_rates(const levy_model_terms *terms)
{
    bool have = false;
    for (size_t r = 0; r < levy_regime_terms_of(terms)->regimes.count; ++r)
        have = have || levy_regime_at(terms, r)->rate != 0.0;
    return have;
}

static size_t regimes_count(const levy_model_terms *terms)
{
    return levy_regime_terms_of(terms)->regimes.count;
}

static bool regimes_have_drifts(const levy_model_terms *terms)
{
    bool have = false;
    for (size_t r = 0; r < levy_regime_terms_of(terms)->regimes.count; ++r)
        for (size_t u = 0; u < levy_regime_at(terms, r)->drifts.count; ++u)
            have = have || levy_model_number(&levy_regime_at(terms, r)->drifts, u) != 0.0;
    return have;
}

double levy_regime_start(const levy_model_terms *terms, size_t r)
{
    if (levy_regime_terms_of(terms)->initial_probabilities.node)
        return ((const double *)levy_regime_terms_of(terms)->initial_probabilities.items)[r];
    return !levy_regime_terms_of(terms)->initial_regime ||
                   strcmp(levy_regime_terms_of(terms)->initial_regime,
                          levy_regime_at(terms, r)->name) == 0
               ? 1.0
               : 0.0;
}

/* The chance that paths start in a regime and have not left it at a time. */
static double regime_stays(const levy_model_terms *terms, size_t r, double time)
{
    const levy_regime_terms *const own = levy_regime_terms_of(terms);
    const size_t at = r * own->regimes.count + r;
    if (own->transition.node)
        return levy_regime_start(terms, r) *
               levy_exp(time / own->period * levy_log(fmax(own->transition.values[at], 1e-300)));
    return levy_regime_start(terms, r) *
           (own->generator.node ? levy_exp(time * own->generator.values[at]) : 1.0);
}

/* The least volatility that more paths than a few keep until a time, divided by the asset's own. */
static double regime_calm(const levy_model_terms *terms, size_t asset, double own, double time)
{
    static const double few = 0.05;
    double least = 1.0;
    for (size_t r = 0; r < levy_regime_terms_of(terms)->regimes.count; ++r) {
        const double ratio = regime_ratio(terms, r, asset, own);
        if (ratio > 0.0 && ratio < least && regime_stays(terms, r, time) > few) least = ratio;
    }
    return least;
}

/* ---- Dates ---- */

/* as a share of a period: a grid date so close to a date of the chain is the same date */
static const double regime_near = 1e-6;

bool levy_regime_is_change(const levy_model_terms *terms, double time)
{
    const double periods = time / levy_regime_terms_of(terms)->period,
                 whole = (double)(uint64_t)(periods + 0.5);
    return periods - whole < regime_near && whole - periods < regime_near;
}

static size_t regime_periods(const levy_model_terms *terms, const double *times, size_t n,
                             double *dates)
{
    const double near = regime_near * levy_regime_terms_of(terms)->period;
    size_t count = 0, at = 0;
    for (size_t k = 1; k < LEVY_MODEL_MOST_DATES; ++k) {
        const double date = (double)k * levy_regime_terms_of(terms)->period;
        if (date >= times[n - 1]) break;
        while (times[at] < date - near) ++at; /* the last one stops it */
        if (times[at] <= date + near) continue;
        if (dates) dates[count] = date;
        ++count;
    }
    return count;
}

static size_t regime_dates(const levy_model_terms *terms, double longest, const double *times,
                           size_t n, double *dates)
{
    if (levy_regime_terms_of(terms)->transition.node) return regime_periods(terms, times, n, dates);
    if (!levy_regimes_are_stepped(terms)) return 0;
    const double step = levy_regime_terms_of(terms)->step, usual = longest > 0.0 ? longest : 0.02;
    return levy_model_steps(step > 0.0 ? step : usual, times, n, dates);
}

/* ---- What the engine asks ---- */

/* Theta would need the chain's law at the new date. Volatilities of the model's own do not vary by
 * node, so they have no vega by node. */
static const char *const *regime_refuses(const levy_model_terms *terms)
{
    static const char *const theta[] = {"theta", NULL};
    static const char *const both[] = {"theta", "vega_by_node", NULL};
    return levy_regime_at(terms, 0)->volatilities.node ? both : theta;
}

static uint32_t regime_own_features(const levy_model_terms *terms)
{
    uint32_t features = regimes_are_exact(terms) ? 0 : LEVY_MODEL_STEPPED;
    if (levy_regimes_watched(terms) == SIZE_MAX) features |= LEVY_MODEL_SLOPES;
    for (size_t r = 0; r < levy_regime_terms_of(terms)->regimes.count; ++r)
        if (levy_regime_intensity(terms, r) > 0.0) features |= LEVY_MODEL_JUMPS;
    return features;
}

/* One word for the regime. A second one gives the first jump of an interval through which the
 * regime holds, if it can jump. */
static uint32_t regime_draws(const levy_model_terms *terms, const levy_model_grid *grid)
{
    (void)grid;
    return levy_regimes_are_stepped(terms) && levy_regime_terms_of(terms)->regimes.count > 1 &&
                   regime_own_features(terms) & LEVY_MODEL_JUMPS
               ? 2
               : 1;
}

const levy_model_kind levy_model_regime_switching = {
    .kind = "regime_switching",
    .table = &levy_model_regime_switching_table,
    .features = LEVY_MODEL_RANDOM | LEVY_MODEL_SCALES,
    .own_features = regime_own_features,
    .refuses = regime_refuses,
    .draws = regime_draws,
    .fits = levy_regimes_fit,
    .watches = levy_regimes_watched,
    .discounts = levy_regimes_have_rates,
    .drifts = regimes_have_drifts,
    .regimes = regimes_count,
    .plan = levy_regime_plan,
    .dates = regime_dates,
    .volatility = regime_volatility,
    .rise = regime_rise,
    .calm = regime_calm,
};
