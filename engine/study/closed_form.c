/* closed_form.c: see closed_form.h. Every form is made of two numbers of a lognormal X on one side
 * of a level k: the probability P(s (X - k) > 0) and the part E[X; s (X - k) > 0] of its mean.
 * Sources: F. Black, M. Scholes, J. Political Economy 81 (1973); W. Margrabe, J. Finance 33 (1978)
 * for the exchange; A. Kemna, A. Vorst, J. Banking and Finance 14 (1990) for the geometric average;
 * E. Reiner, M. Rubinstein, Risk 4 (1991) for payments on one side of a level. Forwards, variances
 * and discount factors are the market's own functions of time, so term structures of all inputs are
 * exact too; cash dividends have no form. Normal jumps are summed over counts. */
#include "engine/study/closed_form.h"

#include "kernels/lane/scalar.h"
#include "models/jump_plan.h"

#include <math.h>

typedef struct form_law {
    double mean, variance;
} form_law; /* of log X */

/* ---- The lognormal law ---- */

static double form_forward(form_law law) { return levy_exp(law.mean + 0.5 * law.variance); }

/* P(s (X - k) > 0), with the mean of log X moved by `shift` variances: 0 for the law itself, 1 for
 * the measure weighted by X. */
static double form_side(form_law law, double s, double k, double shift)
{
    if (k <= 0.0) return s > 0.0 ? 1.0 : 0.0;
    const double distance = law.mean + shift * law.variance - levy_log(k);
    if (law.variance <= 0.0) return s * distance > 0.0 ? 1.0 : 0.0;
    return levy_normal_cdf(s * distance / levy_sqrt(law.variance));
}

/* E[s (X - paid); s (X - trigger) > 0] */
static double form_gap(form_law law, double s, double trigger, double paid)
{
    return s * (form_forward(law) * form_side(law, s, trigger, 1.0) -
                paid * form_side(law, s, trigger, 0.0));
}

static double form_vanilla(form_law law, double s, double strike)
{
    return form_gap(law, s, strike, strike);
}

/* ---- The law of the level ---- */

static const levy_asset *form_asset(const levy_trade *trade, size_t i)
{
    return trade->model->assets[trade->underlyings[i]];
}

/* The next time after `t` at which a volatility or a correlation may change, or `until`. */
static double form_next_break(const levy_trade *trade, double t, double until)
{
    const levy_correlation *correlation = &trade->model->correlation;
    for (size_t i = 0; i < trade->n_underlyings; ++i) {
        const levy_asset *asset = form_asset(trade, i);
        for (size_t k = 0; k < asset->n_volatility; ++k)
            if (asset->volatility_times[k] > t && asset->volatility_times[k] < until)
                until = asset->volatility_times[k];
    }
    for (size_t k = 0; k + 1 < correlation->n; ++k)
        if (correlation->times[k] > t && correlation->times[k] < until)
            until = correlation->times[k];
    return until;
}

static double form_correlation(const levy_trade *trade, size_t i, size_t j, double until)
{
    const levy_correlation *correlation = &trade->model->correlation;
    const size_t n = trade->model->n_assets;
    size_t piece = 0;
    while (piece + 1 < correlation->n && until > correlation->times[piece]) ++piece;
    return i == j ? 1.0
                  : correlation
                        ->matrices[(piece * n + trade->underlyings[i]) * n + trade->underlyings[j]];
}

/* Covariance of the logarithms of assets i and j over (from, to]. */
static double form_covariance(const levy_trade *trade, size_t i, size_t j, double from, double to)
{
    double sum = 0.0;
    for (double t = from; t < to;) {
        const double next = form_next_break(trade, t, to);
        const levy_asset *const a = form_asset(trade, i), *const b = form_asset(trade, j);
        const double va = levy_asset_total_variance(a, next) - levy_asset_total_variance(a, t);
        const double vb = levy_asset_total_variance(b, next) - levy_asset_total_variance(b, t);
        if (va > 0.0 && vb > 0.0)
            sum += form_correlation(trade, i, j, next) * levy_sqrt(va) * levy_sqrt(vb);
        t = next;
    }
    return sum;
}

/* The power of an asset in a level that is a product; 1 if there is only one asset. */
static double form_power(const levy_trade *trade, size_t i)
{
    return trade->aggregate == LEVY_AGGREGATE_GEOMETRIC ? trade->weights[i] : 1.0;
}

/* Is the level a product of powers of lognormals? */
static bool form_is_product(const levy_trade *trade)
{
    if (trade->aggregate == LEVY_AGGREGATE_GEOMETRIC) return true;
    return trade->n_underlyings == 1 && trade->coefficients[0] > 0.0;
}

static double form_mean(const levy_trade *trade, double t)
{
    double mean = 0.0;
    for (size_t i = 0; i < trade->n_underlyings; ++i) {
        const levy_asset *asset = form_asset(trade, i);
        const double drift =
            t > 0.0 ? levy_asset_log_forward(asset, t) - 0.5 * levy_asset_total_variance(asset, t)
                    : 0.0;
        mean += form_power(trade, i) * (levy_log(trade->coefficients[i] * asset->spot) + drift);
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

static form_law form_level(const levy_trade *trade, double t)
{
    return (form_law){form_mean(trade, t), form_variance(trade, 0.0, t)};
}

/* The law of the geometric mean of past fixings, today's spot and the future observations. */
static form_law form_geometric_mean(const levy_trade *trade)
{
    const size_t m = trade->n_observations;
    const double n = (double)(trade->n_past + (trade->observes_now ? 1 : 0) + m);
    form_law law = {trade->past_log_sum + (trade->observes_now ? form_mean(trade, 0.0) : 0.0), 0.0};
    for (size_t k = 0; k < m; ++k) {
        /* the share of the observations that the driver's increment over this interval moves */
        const double share = (double)(m - k) / n;
        law.mean += form_mean(trade, trade->observations[k]);
        law.variance +=
            share * share *
            form_variance(trade, k ? trade->observations[k - 1] : 0.0, trade->observations[k]);
    }
    law.mean /= n;
    return law;
}

/* ---- The forms: unit values before discounting, NaN where none is known ---- */

static double form_sign(const levy_trade *trade)
{
    return trade->terms->option_type == LEVY_CALL ? 1.0 : -1.0;
}

static double form_european(const levy_trade *trade)
{
    return form_vanilla(form_level(trade, trade->expiry), form_sign(trade), trade->terms->strike);
}

static double form_binary(form_law law, double s, double k, bool asset, double cash)
{
    return asset ? form_forward(law) * form_side(law, s, k, 1.0) : cash * form_side(law, s, k, 0.0);
}

static double form_digital(const levy_trade *trade)
{
    const levy_payoff_terms *terms = trade->terms;
    return form_binary(form_level(trade, trade->expiry), form_sign(trade), terms->strike,
                       terms->payout == LEVY_DIGITAL_ASSET, terms->cash);
}

/* What is paid on a lognormal average: an option, cash, or the average itself. */
static double form_pays(const levy_trade *trade, form_law law, double k)
{
    const int32_t payout = trade->terms->barrier_payout;
    if (payout == LEVY_PAYOUT_OPTION) return form_vanilla(law, form_sign(trade), k);
    return form_binary(law, form_sign(trade), k, payout == LEVY_PAYOUT_ASSET, trade->terms->cash);
}

static double form_asian(const levy_trade *trade)
{
    const double s = form_sign(trade), k = trade->terms->strike;
    if (trade->terms->averaging_on == LEVY_AVERAGE_STRIKE) return NAN;
    if (trade->terms->averaging_method == LEVY_MEAN_GEOMETRIC)
        return form_pays(trade, form_geometric_mean(trade), k);
    if (trade->n_observations != 1 || trade->terms->barrier_payout != LEVY_PAYOUT_OPTION)
        return NAN;
    const double n = (double)(trade->n_past + (trade->observes_now ? 2 : 1));
    const double known =
        trade->past_sum + (trade->observes_now ? levy_exp(form_mean(trade, 0.0)) : 0.0);
    return form_vanilla(form_level(trade, trade->observations[0]), s, n * k - known) / n;
}

/* An option without rebate and with one barrier, observed at expiry only. */
static double form_barrier(const levy_trade *trade)
{
    const levy_payoff_terms *terms = trade->terms;
    const bool plain = trade->payoff == LEVY_PAYOFF_BARRIER &&
                       terms->barrier_payout == LEVY_PAYOUT_OPTION && !terms->rebate.node;
    const bool one = terms->barrier_direction == LEVY_BARRIER_UP ||
                     terms->barrier_direction == LEVY_BARRIER_DOWN;
    if (!plain || !one || trade->two_barriers || trade->continuous) return NAN;
    if (trade->n_observations != 1 || trade->observations[0] != trade->expiry ||
        trade->observes_now || trade->knocked)
        return NAN;
    const form_law law = form_level(trade, trade->expiry);
    const double s = form_sign(trade), k = terms->strike, h = terms->barrier_level,
                 side = terms->barrier_direction == 0 ? 1.0 : -1.0;
    const double all = form_vanilla(law, s, k);
    double out;    /* what is paid if the barrier is not hit */
    if (s == side) /* the barrier caps the payment */
        out = s * (h - k) > 0.0 ? all - form_gap(law, s, h, k) : 0.0;
    else /* it limits the other side, and matters only if it lies beyond the strike */
        out = s * (h - k) > 0.0 ? form_gap(law, s, h, k) : all;
    return terms->barrier_knock == LEVY_KNOCK_OUT ? out : all - out;
}

/* The level at the reset and its growth from there are independent. */
static double form_forward_start(const levy_trade *trade)
{
    const double reset = trade->n_observations == 1 ? trade->observations[0] : 0.0,
                 expiry = trade->expiry;
    form_law start =
        trade->n_past ? (form_law){levy_log(trade->past_last), 0.0} : form_level(trade, reset);
    form_law log_return = {form_mean(trade, expiry) - form_mean(trade, reset),
                           form_variance(trade, reset, expiry)};
    if (trade->n_past + trade->n_observations + (trade->observes_now ? 1 : 0) != 1) return NAN;
    /* the reset is a past fixing: the growth is from its level, not from today's spot */
    if (trade->n_past) log_return.mean = form_mean(trade, expiry) - start.mean;
    const double ratio = form_vanilla(log_return, form_sign(trade), trade->terms->strike_fraction);
    return trade->terms->forward_form == LEVY_FORWARD_PERFORMANCE ? ratio
                                                                  : form_forward(start) * ratio;
}

/* The coefficient of an asset times its forward. */
static double form_leg(const levy_trade *trade, size_t i)
{
    const levy_asset *asset = form_asset(trade, i);
    return trade->coefficients[i] * asset->spot *
           levy_exp(levy_asset_log_forward(asset, trade->expiry));
}

/* E[max(a - b, 0)], where a and b are the levels of assets i and j without their signs. */
static double form_exchange(const levy_trade *trade, size_t i, size_t j)
{
    const double a = fabs(form_leg(trade, i)), b = fabs(form_leg(trade, j)), t = trade->expiry;
    const double variance = form_covariance(trade, i, i, 0.0, t) +
                            form_covariance(trade, j, j, 0.0, t) -
                            2.0 * form_covariance(trade, i, j, 0.0, t);
    const form_law ratio = {levy_log(a / b) - 0.5 * variance, variance};
    return b * form_vanilla(ratio, 1.0, 1.0);
}

/* An option on the difference of two assets, with strike 0. */
static double form_two_assets(const levy_trade *trade)
{
    const double *c = trade->coefficients;
    if (trade->n_underlyings != 2 || trade->terms->strike != 0.0) return NAN;
    const size_t up = c[0] > 0.0 ? 0u : 1u, down = 1 - up;
    const bool call = trade->terms->option_type == LEVY_CALL;
    if (trade->aggregate == LEVY_AGGREGATE_BASKET && c[up] > 0.0 && c[down] < 0.0)
        return call ? form_exchange(trade, up, down) : form_exchange(trade, down, up);
    if (!call || c[0] <= 0.0 || c[1] <= 0.0) return NAN;
    if (trade->aggregate == LEVY_AGGREGATE_BEST_OF)
        return form_leg(trade, 1) + form_exchange(trade, 0, 1);
    if (trade->aggregate == LEVY_AGGREGATE_WORST_OF)
        return form_leg(trade, 0) - form_exchange(trade, 0, 1);
    return NAN;
}

/* ---- Lognormal jumps: R. Merton, J. Financial Economics 3 (1976) ---- */

enum { FORM_JUMPS = 3 }; /* at most so many sources of jumps: the series sums over all counts */

static double form_of_law(const levy_trade *trade, form_law law)
{
    const levy_payoff_terms *terms = trade->terms;
    if (levy_payoffs[trade->payoff]->lanes == LEVY_PAYOFF_EUROPEAN)
        return form_vanilla(law, form_sign(trade), terms->strike);
    return form_binary(law, form_sign(trade), terms->strike, terms->payout == LEVY_DIGITAL_ASSET,
                       terms->cash);
}

/* The mean over the jump counts of `n` sources, weighted by their Poisson laws. */
static double form_over_counts(const levy_trade *trade, form_law law,
                               const levy_normal_jumps *jumps, size_t n)
{
    if (n == 0) return form_of_law(trade, law);
    const double expected = jumps->intensity * trade->expiry,
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

/* An option or a digital at expiry on one asset that jumps. */
static double form_jumps(const levy_trade *trade)
{
    const int32_t lanes = levy_payoffs[trade->payoff]->lanes;
    levy_normal_jumps jumps[FORM_JUMPS];
    if (trade->n_underlyings != 1 || trade->coefficients[0] <= 0.0 ||
        trade->aggregate == LEVY_AGGREGATE_GEOMETRIC)
        return NAN;
    if (lanes != LEVY_PAYOFF_EUROPEAN && lanes != LEVY_PAYOFF_DIGITAL) return NAN;
    const size_t n = levy_jump_normals(trade->model->kind, trade->model->terms,
                                       trade->underlyings[0], jumps, FORM_JUMPS);
    for (size_t i = 0; i < n && n != SIZE_MAX; ++i) /* exp(-600) is a normal number */
        if (jumps[i].intensity * trade->expiry > 600.0) return NAN;
    return n == SIZE_MAX ? NAN
                         : form_over_counts(trade, form_level(trade, trade->expiry), jumps, n);
}

static const char *form_of(const levy_trade *trade, double *value)
{
    if (levy_model_features(trade->model->kind, trade->model->terms)) {
        *value = form_jumps(trade);
        return "Merton's series";
    }
    const int32_t lanes = levy_payoffs[trade->payoff]->lanes;
    if (!form_is_product(trade)) {
        *value = lanes == LEVY_PAYOFF_EUROPEAN ? form_two_assets(trade) : NAN;
        return "exchange of two assets";
    }
    const bool many = trade->n_underlyings > 1;
    switch (lanes) {
    case LEVY_PAYOFF_EUROPEAN:
        *value = form_european(trade);
        return many ? "geometric basket" : "Black-Scholes";
    case LEVY_PAYOFF_DIGITAL:
        *value = form_digital(trade);
        return "Black-Scholes digital";
    case LEVY_PAYOFF_ASIAN:
        *value = form_asian(trade);
        return trade->terms->averaging_method == LEVY_MEAN_GEOMETRIC ? "geometric Asian"
                                                                     : "one fixing";
    case LEVY_PAYOFF_FORWARD_START:
        *value = form_forward_start(trade);
        return "forward start";
    case LEVY_PAYOFF_BARRIER:
        *value = form_barrier(trade);
        return "barrier at expiry";
    default:
        return NULL;
    }
}

const char *levy_closed_form(const levy_trade *trade, double *price)
{
    double value = NAN;
    *price = NAN;
    if (trade->failed ||
        levy_model_lanes(trade->model->kind, trade->model->terms) > LEVY_MODEL_MERTON)
        return NULL;
    for (size_t i = 0; i < trade->n_underlyings; ++i) {
        const levy_asset *asset = form_asset(trade, i);
        if (asset->n_cash > 0 && asset->cash_times[0] <= trade->expiry) return NULL;
    }
    const char *name = form_of(trade, &value);
    if (!name || !isfinite(value)) return NULL;
    *price = trade->discount_factor * value;
    return name;
}
