/* closed_form.c: see closed_form.h. A kind gives the form of a claim on a level that is lognormal
 * at every date (payoffs/lognormal.h); here stand the laws of levels, and the forms that need more
 * than one of them. Sources: W. Margrabe, J. Finance 33 (1978) for the exchange; R. Merton, J.
 * Financial Economics 3 (1976) for jumps, summed over their counts. Forwards, variances and
 * discount factors are the market's own functions of time, so term structures of all inputs are
 * exact too; cash dividends have no form. */
#include "engine/study/closed_form.h"

#include "payoffs/lognormal.h"

#include "engine/problem/trade_claim.h"
#include "kernels/lane/scalar.h"
#include "models/jump_plan.h"

#include <math.h>

/* ---- The law of the level ---- */

/* Covariance of the logarithms of assets i and j over (from, to]. */
static double form_covariance(const levy_trade *trade, size_t i, size_t j, double from, double to)
{
    const levy_correlation *const c = &trade->model->correlation;
    const uint32_t *const at = trade->underlyings;
    double sum = 0.0;
    for (double t = from; t < to;) {
        const double next =
            levy_correlation_break(c, trade->model->assets, at, trade->n_underlyings, t, to);
        const levy_asset *const a = levy_trade_asset(trade, i);
        const levy_asset *const b = levy_trade_asset(trade, j);
        const levy_moved today = {.n_shifts = 0};
        sum += levy_moved_covariance(&today, c, (levy_modelled){a, a, at[i]},
                                     (levy_modelled){b, b, at[j]}, t, next);
        t = next;
    }
    return sum;
}

/* The power of an asset in a level that is a product; 1 if there is only one asset. */
static double form_power(const levy_trade *trade, size_t i)
{
    return trade->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC ? trade->claim.weights[i] : 1.0;
}

/* Is the level a product of powers of lognormals? */
static bool form_is_product(const levy_trade *trade)
{
    if (trade->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC) return true;
    return trade->n_underlyings == 1 && trade->claim.coefficients[0] > 0.0;
}

static double form_mean(const levy_trade *trade, double t)
{
    double mean = 0.0;
    for (size_t i = 0; i < trade->n_underlyings; ++i) {
        const levy_asset *asset = levy_trade_asset(trade, i);
        const double drift =
            t > 0.0 ? levy_asset_log_forward(asset, t) - 0.5 * levy_asset_variance(asset, t) : 0.0;
        mean +=
            form_power(trade, i) * (levy_log(trade->claim.coefficients[i] * asset->spot) + drift);
    }
    return mean;
}

static double form_variance(const levy_trade *trade, double from, double to)
{
    double sum = 0.0;
    for (size_t i = 0; i < trade->n_underlyings; ++i)
        for (size_t j = 0; j < trade->n_underlyings; ++j)
            sum += form_power(trade, i) * form_power(trade, j) *
                   form_covariance(trade, i, j, from, to);
    return sum;
}

static levy_lognormal form_level(const levy_trade *trade, double t)
{
    return (levy_lognormal){form_mean(trade, t), form_variance(trade, 0.0, t)};
}

/* ---- The forms: unit values before discounting, NaN where none is known ---- */

static double form_level_mean(const void *level, double t) { return form_mean(level, t); }

static double form_level_variance(const void *level, double from, double to)
{
    return form_variance(level, from, to);
}

/* The kind's own form, of a level that is a product. */
static double form_own(const levy_trade *trade, const char **name)
{
    const levy_payoff *const kind = levy_payoffs[trade->kind.payoff];
    const levy_claim claim = levy_claim_of(trade);
    const levy_lognormal_claim c = {.claim = &claim,
                                    .observations = trade->claim.observations.times,
                                    .expiry = trade->claim.expiry,
                                    .n_assets = trade->n_underlyings,
                                    .level = trade,
                                    .mean = form_level_mean,
                                    .variance = form_level_variance};
    return kind->closed_form ? kind->closed_form(&c, name) : NAN;
}

/* The coefficient of an asset times its forward. */
static double form_leg(const levy_trade *trade, size_t i)
{
    const levy_asset *asset = levy_trade_asset(trade, i);
    return trade->claim.coefficients[i] * asset->spot *
           levy_exp(levy_asset_log_forward(asset, trade->claim.expiry));
}

/* E[max(a - b, 0)], where a and b are the levels of assets i and j without their signs. */
static double form_exchange(const levy_trade *trade, size_t i, size_t j)
{
    const double a = fabs(form_leg(trade, i)), b = fabs(form_leg(trade, j)),
                 t = trade->claim.expiry;
    const double variance = form_covariance(trade, i, i, 0.0, t) +
                            form_covariance(trade, j, j, 0.0, t) -
                            2.0 * form_covariance(trade, i, j, 0.0, t);
    const levy_lognormal ratio = {levy_log(a / b) - 0.5 * variance, variance};
    return b * levy_lognormal_vanilla(ratio, 1.0, 1.0);
}

/* An option on the difference of two assets, with strike 0, or on the better or worse of the two.
 * What bends once is a call or a put. */
static double form_two_assets(const levy_trade *trade)
{
    const double *c = trade->claim.coefficients;
    if (levy_trade_bend(trade).of != LEVY_EDGE_END) return NAN;
    if (trade->n_underlyings != 2 || trade->claim.terms->strike != 0.0) return NAN;
    const size_t up = c[0] > 0.0 ? 0u : 1u, down = 1 - up;
    const bool call = trade->claim.terms->option_type == LEVY_CALL;
    if (trade->kind.aggregate == LEVY_AGGREGATE_BASKET && c[up] > 0.0 && c[down] < 0.0)
        return call ? form_exchange(trade, up, down) : form_exchange(trade, down, up);
    if (!call || c[0] <= 0.0 || c[1] <= 0.0) return NAN;
    if (trade->kind.aggregate == LEVY_AGGREGATE_BEST_OF)
        return form_leg(trade, 1) + form_exchange(trade, 0, 1);
    if (trade->kind.aggregate == LEVY_AGGREGATE_WORST_OF)
        return form_leg(trade, 0) - form_exchange(trade, 0, 1);
    return NAN;
}

/* ---- Lognormal jumps ---- */

enum { FORM_JUMPS = 3 }; /* at most so many sources of jumps: the series sums over all counts */

/* The mean over the jump counts of `n` sources, weighted by their Poisson laws. */
static double form_over_counts(const levy_trade *trade, levy_lognormal law,
                               const levy_normal_jumps *jumps, size_t n)
{
    if (n == 0) return levy_payoffs[trade->kind.payoff]->at_expiry(trade->claim.terms, law);
    const double expected = jumps->intensity * trade->claim.expiry,
                 square = jumps->volatility * jumps->volatility;
    double weight = levy_exp(-expected), sum = 0.0;
    law.mean -= expected * (levy_exp(jumps->mean + 0.5 * square) - 1.0);
    for (double k = 1.0; k <= expected || weight > 1e-18; ++k) {
        sum += weight * form_over_counts(trade, law, jumps + 1, n - 1);
        weight *= expected / k;
        law.mean += jumps->mean;
        law.variance += square;
    }
    return sum;
}

/* A payment on the level at expiry of one asset that jumps. */
static double form_jumps(const levy_trade *trade)
{
    levy_normal_jumps jumps[FORM_JUMPS];
    if (trade->n_underlyings != 1 || trade->claim.coefficients[0] <= 0.0 ||
        trade->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC ||
        !levy_payoffs[trade->kind.payoff]->at_expiry)
        return NAN;
    const size_t n = levy_jump_normals(trade->model->kind, trade->model->terms,
                                       trade->underlyings[0], jumps, FORM_JUMPS);
    for (size_t i = 0; i < n && n != SIZE_MAX; ++i) /* exp(-600) is a normal number */
        if (jumps[i].intensity * trade->claim.expiry > 600.0) return NAN;
    return n == SIZE_MAX
               ? NAN
               : form_over_counts(trade, form_level(trade, trade->claim.expiry), jumps, n);
}

static double form_of(const levy_trade *trade, const char **name)
{
    *name = "Merton's series";
    if (levy_model_features(trade->model->kind, trade->model->terms)) return form_jumps(trade);
    if (form_is_product(trade)) return form_own(trade, name);
    *name = "exchange of two assets";
    return form_two_assets(trade);
}

const char *levy_closed_form(const levy_trade *priced, double *price)
{
    levy_trade room;
    const levy_trade *const trade = levy_trade_written(priced, &room);
    const char *name;
    *price = NAN;
    const uint32_t lanes = levy_model_lanes(trade->model->kind, trade->model->terms, false);
    /* forms are known of lognormal assets, alone or with jumps */
    if (!levy_trade_is_planned(trade) || trade->early || lanes & LEVY_MODEL_LANES_MASK) return NULL;
    if (levy_trade_pays_cash(trade)) return NULL;
    const double value = form_of(trade, &name);
    if (!isfinite(value)) return NULL;
    *price = levy_trade_discount(trade) * value;
    return name;
}
