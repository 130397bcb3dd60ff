/* test_payoffs.c: payoffs whose price is known, priced through the public interface, beyond the
 * one-interval cases of tests/reference/: continuous monitoring across nodes, dividends and term
 * structures against closed forms and quadrature; identities that hold path by path; what the past
 * has fixed. An estimate agrees within 4 standard errors; where the estimator has no variance, or
 * its error is below the rounding of sums, within 1e-9 of the value. */
#include "tests/normal_law.h"
#include "tests/priced.h"

#include "payoffs/payoff.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANE_SCALAR
#include "payoffs/barrier.h"

typedef struct quote {
    double value, error;
} quote;

/* Price of the trade `payoff` (the lines of a trade but its id) on the market `market`, in 16
 * scrambles of 2^12. */
static quote price(const char *market, const char *trade)
{
    char text[4096];
    quote it = {NAN, NAN};
    snprintf(text, sizeof text,
             "schema_version: 1\nmarket:\n%s\nmodels:\n  m: {kind: black_scholes, assets: "
             "[S]}\ntrades:\n  - {id: t, %s}\n"
             "simulation: {paths: 2^16, seed: 7}\n",
             market, trade);
    priced p = price_alone(text, NULL, 0, NULL);
    const levy_trade_result *const t =
        p.status == LEVY_STATUS_OK ? levy_results_trade(p.results, 0) : NULL;
    if (t && strcmp(t->status, "ok") == 0) it = (quote){t->price, t->std_error};
    for (size_t i = 0; i < levy_diagnostic_count(p.context); ++i)
        print_error("%s\n", levy_diagnostic_get(p.context, i)->text);
    release(&p);
    return it;
}

static void assert_quote(quote it, double exact)
{
    const double allowed = 4.0 * it.error + 1e-9 * (1.0 + fabs(exact));
    if (!(fabs(it.value - exact) <= allowed))
        print_error("%.12g +- %.2g, exact %.12g\n", it.value, it.error, exact);
    assert_true(fabs(it.value - exact) <= allowed);
}

/* ---- Between two barriers -------------------------------------------------------------------- */

/* The chance that a bridge from a to b over a unit of time stays within (0, width), by the sines
 * that solve the heat equation there, where the lanes sum images. */
static double stays_inside(double a, double b, double width)
{
    double sum = 0.0;
    for (int k = 1; k < 60; ++k)
        sum += sin(k * M_PI * a / width) * sin(k * M_PI * b / width) *
               exp(-0.5 * k * k * M_PI * M_PI / (width * width));
    return 2.0 / width * sum * sqrt(2.0 * M_PI) * exp(0.5 * (b - a) * (b - a));
}

static void test_bridges_between_barriers_stay_inside(void **state)
{
    (void)state;
    static const double widths[] = {0.13, 0.3, 0.5, 0.78, 0.8, 1.5, 3.0};
    real terms[ITEM_SECOND + 1] = {0}, node_terms[BARRIER_NODE_TERMS] = {0};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; ++w)
        for (int i = 1; i < 8; ++i)
            for (int j = 1; j < 8; ++j) {
                const double a = widths[w] * i / 8.0, b = widths[w] * j / 8.0;
                terms[ITEM_A] = 2.0;
                terms[ITEM_E] = 2.0 + widths[w] / 4.0;
                node_terms[BARRIER_SCALE] = 4.0;
                const lane survives =
                    barrier_survival(BARRIER_DOUBLE, terms, node_terms, lane_of(2.0 + a / 4.0),
                                     lane_of(2.0 + b / 4.0));
                assert_true(fabs(lane_get(survives, 0) - stays_inside(a, b, widths[w])) < 1e-14);
            }
    terms[ITEM_E] = 2.25;
    for (int i = 0; i < 4; ++i) { /* an end on a barrier or beyond */
        static const double froms[] = {2.0, 2.25, 2.1, 2.1}, tos[] = {2.1, 2.1, 1.9, 2.3};
        const double from = froms[i], to = tos[i];
        assert_true(lane_get(barrier_survival(BARRIER_DOUBLE, terms, node_terms, lane_of(from),
                                              lane_of(to)),
                             0) == 0.0);
    }
}

/* E[exp(-rho tau); tau <= 1 and the barrier at distance a is touched before the other], as what it
 * is without an end less the sines of what is touched later. */
static double touches_first(double a, double width, double mu, double rho)
{
    const double kappa = sqrt(mu * mu + 2.0 * rho), from = width - a;
    double later = 0.0;
    for (int k = 1; k < 60; ++k) {
        const double pole = rho + 0.5 * mu * mu + 0.5 * k * k * M_PI * M_PI / (width * width);
        later += (k % 2 ? k : -k) * sin(k * M_PI * from / width) * exp(-pole) / pole;
    }
    return exp(mu * a) *
           (sinh(kappa * from) / sinh(kappa * width) - M_PI / (width * width) * later);
}

static void test_the_first_touch_of_two_barriers(void **state)
{
    (void)state;
    static const double widths[] = {0.13, 0.3, 0.5, 0.78, 0.8, 1.5, 3.0};
    static const double drifts[][2] = {{0.3, 0.02}, {-0.4, 0.1}, {0.05, 0.5}};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; ++w)
        for (size_t d = 0; d < sizeof drifts / sizeof *drifts; ++d)
            for (int i = 1; i < 8; ++i) {
                const double a = widths[w] * i / 8.0, mu = drifts[d][0], rho = drifts[d][1],
                             kappa = sqrt(mu * mu + 2.0 * rho);
                const lane touches =
                    barrier_touch_first(lane_of(a), widths[w], mu, mu - kappa, kappa);
                assert_true(fabs(lane_get(touches, 0) - touches_first(a, widths[w], mu, rho)) <
                            1e-13);
            }
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

typedef struct law { /* of one asset from now to a time */
    double spot, rate, yield, volatility, time;
} law;

static double vanilla(law m, double sign, double strike)
{
    const double deviation = m.volatility * sqrt(m.time),
                 forward = m.spot * exp((m.rate - m.yield) * m.time);
    const double d = log(forward / strike) / deviation + 0.5 * deviation;
    return sign * exp(-m.rate * m.time) *
           (forward * normal_cdf(sign * d) - strike * normal_cdf(sign * (d - deviation)));
}

/* E[exp(-r tau); tau <= t], tau the time of the first touch. E. Reiner, M. Rubinstein, Unscrambling
 * the binary code (1991). */
static double one_touch(law m, double barrier, double rate)
{
    const double a = fabs(log(barrier / m.spot)), side = barrier > m.spot ? 1.0 : -1.0,
                 s = m.volatility;
    const double mu = side * (m.rate - m.yield - 0.5 * s * s),
                 k = sqrt(mu * mu + 2.0 * rate * s * s), w = s * sqrt(m.time);
    if (a <= 0.0) return 1.0;
    return exp(a * (mu - k) / (s * s)) * normal_cdf((k * m.time - a) / w) +
           exp(a * (mu + k) / (s * s)) * normal_cdf((-k * m.time - a) / w);
}

/* Call above a barrier below the strike: R. Merton, Bell J. Economics 4 (1973). */
static double down_and_out_call(law m, double strike, double barrier)
{
    const double power = 2.0 * (m.rate - m.yield) / (m.volatility * m.volatility) - 1.0;
    law image = m;
    image.spot = barrier * barrier / m.spot;
    if (m.spot <= barrier) return 0.0;
    if (m.time <= 0.0) return fmax(m.spot - strike, 0.0);
    return vanilla(m, 1.0, strike) - pow(barrier / m.spot, power) * vanilla(image, 1.0, strike);
}

/* M. B. Goldman, H. Sosin, M. A. Gatto, J. Finance 34 (1979), with the minimum so far at `low`;
 * rate above yield. */
static double floating_lookback_call(law m, double low)
{
    const double b = m.rate - m.yield, s = m.volatility, w = s * sqrt(m.time),
                 x = 2.0 * b / (s * s);
    const double a = (log(m.spot / low) + (b + 0.5 * s * s) * m.time) / w;
    const double grown = m.spot * exp(-m.yield * m.time), discount = exp(-m.rate * m.time);
    return grown * normal_cdf(a) - discount * low * normal_cdf(a - w) +
           discount * m.spot / x *
               (pow(m.spot / low, -x) * normal_cdf(-a + 2.0 * b * sqrt(m.time) / s) -
                exp(b * m.time) * normal_cdf(-a));
}

/* Sum over the level at a time of density times value, where the path stayed above the barrier
 * until then. */
typedef double (*later)(const void *what, double spot);
static double over_survivors(law m, double barrier, later value, const void *what)
{
    enum { STEPS = 20000 };
    const double w = m.volatility * sqrt(m.time),
                 mu = (m.rate - m.yield - 0.5 * m.volatility * m.volatility) * m.time;
    const double a = log(barrier / m.spot), top = mu + 9.0 * w, h = (top - a) / STEPS;
    double sum = 0.0;
    for (int i = 1; i < STEPS; ++i) { /* Simpson; the density is 0 at both ends */
        const double x = a + i * h, image = 1.0 - exp(-2.0 * a * (a - x) / (w * w)),
                     z = (x - mu) / w;
        sum += (i % 2 ? 4.0 : 2.0) * exp(-0.5 * z * z) * image * value(what, m.spot * exp(x));
    }
    return sum * h / (3.0 * w * sqrt(2.0 * acos(-1.0)));
}

/* ---- Continuous barriers --------------------------------------------------------------------- */

static const char flat[] = "  curves: {USD: 0.06}\n  assets: {S: {currency: USD, spot: 100, "
                           "dividend_yield: 0.02, volatility: 0.3}}";
/* The same, with nodes that change nothing. */
static const char nodes[] = "  curves: {USD: {kind: zero, nodes: [[0.15, 0.06], [0.3, 0.06], [2, "
                            "0.06]]}}\n  assets: {S: {currency: USD, "
                            "spot: 100, dividend_yield: 0.02, volatility: {kind: term, nodes: "
                            "[[0.2, 0.3], [0.45, 0.3], [0.7, 0.3], [1, 0.3]]}}}";
static const law flat_law = {100.0, 0.06, 0.02, 0.3, 1.0};

#define EXPIRY "exercise: {expiry: 1}, underlying: S"

static void test_nodes_do_not_move_a_barrier_price(void **state)
{
    (void)state;
    static const char trade[] = EXPIRY ", payoff: {kind: barrier, option_type: call, strike: 100, "
                                       "barrier: {direction: down, knock: out, "
                                       "level: 90, monitoring: continuous}}";
    const double exact = down_and_out_call(flat_law, 100.0, 90.0);
    const quote one = price(flat, trade), many = price(nodes, trade);
    assert_quote(one, exact);
    assert_quote(many, exact);
    assert_true(one.error > 0.0 && many.error > one.error); /* nodes cost variance, not bias */
}

static void test_nodes_do_not_move_a_payment_at_hit(void **state)
{
    (void)state;
    const levy_barrier_terms one = {.level = 120.0}; /* drift^2 + 2 rate variance from 0 on */
    assert_true(levy_barrier_has_hit(&one, 0.1, 0.04, -0.12));
    assert_false(levy_barrier_has_hit(&one, 0.1, 0.04, -0.13));
    static const char down[] = EXPIRY ", payoff: {kind: touch, pay: at_hit, cash: 10, barrier: "
                                      "{direction: down, level: 90, monitoring: continuous}}";
    static const char up[] = EXPIRY ", payoff: {kind: touch, pay: at_hit, cash: 10, barrier: "
                                    "{direction: up, level: 112, monitoring: continuous}}";
    static const char late[] = EXPIRY ", payoff: {kind: touch, cash: 10, barrier: {direction: up, "
                                      "level: 112, monitoring: continuous}}";
    assert_quote(price(flat, down), 10.0 * one_touch(flat_law, 90.0, 0.06));
    assert_quote(price(nodes, down), 10.0 * one_touch(flat_law, 90.0, 0.06));
    assert_quote(price(flat, up), 10.0 * one_touch(flat_law, 112.0, 0.06));
    assert_quote(price(nodes, up), 10.0 * one_touch(flat_law, 112.0, 0.06));
    assert_quote(price(nodes, late), 10.0 * exp(-0.06) * one_touch(flat_law, 112.0, 0.0));
}

/* Two barriers, one of them out of reach, are one; cut into intervals they stay the same. */
static void test_double_barriers_have_the_prices_of_single_ones(void **state)
{
    (void)state;
    static const char out[] = EXPIRY ", payoff: {kind: double_barrier, option_type: call, strike: "
                                     "100, barrier: {lower: 90, upper: 5000, knock: "
                                     "out, monitoring: continuous}}";
    static const char hit[] = EXPIRY ", payoff: {kind: double_barrier, option_type: put, strike: "
                                     "0, barrier: {lower: 2, upper: 112, knock: out, "
                                     "monitoring: continuous}, rebate: {amount: 10, pay: at_hit}}";
    assert_quote(price(flat, out), down_and_out_call(flat_law, 100.0, 90.0));
    assert_quote(price(nodes, out), down_and_out_call(flat_law, 100.0, 90.0));
    assert_quote(price(flat, hit), 10.0 * one_touch(flat_law, 112.0, 0.06));
    assert_quote(price(nodes, hit), 10.0 * one_touch(flat_law, 112.0, 0.06));
}

/* Narrow barriers and a long time: the survival probability is the slowest mode of the sine series,
 * and nodes are put so that the images converge. */
static void test_narrow_double_barriers_survive_as_the_sine_series_says(void **state)
{
    (void)state;
    static const char market[] =
        "  curves: {USD: 0}\n  assets: {S: {currency: USD, spot: 100, volatility: 0.3}}";
    static const char trade[] = EXPIRY ", payoff: {kind: touch, pays: if_untouched, cash: 1e4, "
                                       "barrier: {lower: 80, upper: 124, monitoring: continuous}}";
    const double width = log(124.0 / 80.0), a = log(100.0 / 80.0), mu = -0.5 * 0.09,
                 pi = acos(-1.0), drift = mu / 0.09;
    double sum = 0.0;
    /* of exp(drift (y - x)) times the driftless density, integrated over y */
    for (int n = 1; n < 60; ++n) {
        const double k = n * pi / width, decay = exp(-0.5 * 0.09 * (k * k + drift * drift));
        const double integral =
            k * (1.0 - (n % 2 ? -1.0 : 1.0) * exp(drift * width)) / (drift * drift + k * k);
        sum += 2.0 / width * sin(k * a) * decay * exp(-drift * a) * integral;
    }
    assert_quote(price(market, trade), 1e4 * sum);
}

typedef struct dividend_case {
    double cash, share, strike, barrier;
    law rest;
} dividend_case;
static double after_dividend(const void *what, double spot)
{
    const dividend_case *const c = what;
    law m = c->rest;
    m.spot = (spot - c->cash) * (1.0 - c->share);
    return m.spot > c->barrier ? down_and_out_call(m, c->strike, c->barrier) : 0.0;
}
static double touch_after_dividend(const void *what, double spot)
{
    const dividend_case *const c = what;
    law m = c->rest;
    m.spot = (spot - c->cash) * (1.0 - c->share);
    return m.spot > c->barrier ? one_touch(m, c->barrier, m.rate) : 1.0;
}

static void check_dividend(const char *dividends, double cash, double share)
{
    char market[512], out[512], hit[512];
    const law before = {100.0, 0.06, 0.0, 0.3, 0.4};
    const dividend_case c = {cash, share, 100.0, 90.0, {0.0, 0.06, 0.0, 0.3, 0.6}};
    snprintf(market, sizeof market,
             "  curves: {USD: 0.06}\n  assets: {S: {currency: USD, spot: 100, dividends: {%s}, "
             "volatility: 0.3}}",
             dividends);
    snprintf(out, sizeof out,
             EXPIRY ", payoff: {kind: barrier, option_type: call, strike: 100, barrier: "
                    "{direction: down, knock: out, level: 90, "
                    "monitoring: continuous}}");
    snprintf(hit, sizeof hit,
             EXPIRY ", payoff: {kind: touch, cash: 1, pay: at_hit, barrier: {direction: down, "
                    "level: 90, monitoring: continuous}}");
    const double discount = exp(-0.06 * 0.4);
    assert_quote(price(market, out), discount * over_survivors(before, 90.0, after_dividend, &c));
    assert_quote(price(market, hit),
                 one_touch(before, 90.0, 0.06) +
                     discount * over_survivors(before, 90.0, touch_after_dividend, &c));
}

static void test_dividends_fall_through_a_barrier(void **state)
{
    (void)state;
    check_dividend("proportional: [[0.4, 0.04]]", 0.0, 0.04);
    check_dividend("cash: [[0.4, 5.0]]", 5.0, 0.0);
}

/* Without carry, drift goes with variance: a term structure is a change of time. */
static void test_volatility_over_time_is_a_change_of_clock(void **state)
{
    (void)state;
    static const char market[] =
        "  curves: {USD: 0}\n  assets: {S: {currency: USD, spot: 100, volatility: {kind: term, "
        "nodes: [[0.25, 0.5], [0.6, 0.4], [1, 0.35]]}}}";
    static const char barrier[] = EXPIRY ", payoff: {kind: barrier, option_type: call, strike: "
                                         "100, barrier: {direction: down, knock: out, level: 85, "
                                         "monitoring: continuous}}";
    static const char touch[] = EXPIRY ", payoff: {kind: touch, cash: 10, pay: at_hit, barrier: "
                                       "{direction: up, level: 120, monitoring: continuous}}";
    const law m = {100.0, 0.0, 0.0, 0.35, 1.0};
    assert_quote(price(market, barrier), down_and_out_call(m, 100.0, 85.0));
    assert_quote(price(market, touch), 10.0 * one_touch(m, 120.0, 0.0));
}

/* ---- Lookbacks ------------------------------------------------------------------------------- */

static void test_nodes_do_not_move_a_lookback_price(void **state)
{
    (void)state;
    static const char fresh[] = EXPIRY ", payoff: {kind: lookback, option_type: call, lookback: "
                                       "{strike: floating, monitoring: continuous}}";
    static const char running[] = EXPIRY ", payoff: {kind: lookback, option_type: call, lookback: "
                                         "{strike: floating, monitoring: continuous, "
                                         "running_extremum: 92}}";
    assert_quote(price(flat, fresh), floating_lookback_call(flat_law, 100.0));
    assert_quote(price(nodes, fresh), floating_lookback_call(flat_law, 100.0));
    assert_quote(price(flat, running), floating_lookback_call(flat_law, 92.0));
    assert_quote(price(nodes, running), floating_lookback_call(flat_law, 92.0));
}

/* With the extremum beyond the strike the fixed lookback is linear in it: call(K) - call(K') =
 * discounted (K' - K). */
static void test_fixed_lookbacks_differ_by_their_strikes(void **state)
{
    (void)state;
    static const char low[] = EXPIRY ", payoff: {kind: lookback, option_type: call, strike: 80, "
                                     "lookback: {strike: fixed, monitoring: continuous}}";
    static const char high[] = EXPIRY ", payoff: {kind: lookback, option_type: call, strike: 95, "
                                      "lookback: {strike: fixed, monitoring: continuous}}";
    const quote a = price(nodes, low), b = price(nodes, high);
    assert_true(fabs(a.value - b.value - 15.0 * exp(-0.06)) <= 1e-9);
}

/* A dense discrete extremum approaches the continuous one from inside. */
static void test_discrete_lookbacks_stay_below_the_continuous_one(void **state)
{
    (void)state;
    static const char daily[] = EXPIRY ", payoff: {kind: lookback, option_type: call, lookback: "
                                       "{strike: floating, observations: {count: 250, "
                                       "include_start: true}}}";
    const double continuous = floating_lookback_call(flat_law, 100.0);
    /* Broadie, Glasserman and Kou (1999): the minimum moves by exp(0.5826 sigma sqrt(dt)) */
    const double shift = exp(0.5826 * 0.3 / sqrt(250.0));
    const double corrected = shift * floating_lookback_call(flat_law, 100.0 / shift) -
                             (shift - 1.0) * 100.0 * exp(-0.02);
    const quote it = price(flat, daily);
    assert_true(it.value < continuous);
    assert_true(fabs(it.value - corrected) <= 4.0 * it.error + 0.02);
}

/* ---- Identities that hold on every path ------------------------------------------------------ */

static void test_out_and_in_add_up(void **state)
{
    (void)state;
    static const char *const barriers[] = {
        "kind: barrier, barrier: {direction: up, level: 125, monitoring: continuous, knock: ",
        "kind: barrier, barrier: {direction: down, level: 85, observations: {count: 8}, knock: ",
        "kind: double_barrier, barrier: {lower: 80, upper: 125, monitoring: continuous, knock: ",
        "kind: double_barrier, barrier: {lower: 80, upper: 125, observations: {count: 8}, knock: ",
        ("kind: barrier, barrier: {direction: cross, level: 104, monitoring: continuous, window: "
         "{start: 0.3, end: 0.8}, knock: ")};
    for (size_t i = 0; i < sizeof barriers / sizeof *barriers; ++i) {
        double sum = 0.0;
        for (int in = 0; in < 2; ++in) {
            char trade[512];
            snprintf(trade, sizeof trade,
                     EXPIRY ", payoff: {option_type: put, strike: 100, rebate: 2, %s%s}}",
                     barriers[i], in ? "in" : "out");
            sum += price(nodes, trade).value;
        }
        const quote plain =
            price(nodes, EXPIRY ", payoff: {kind: european, option_type: put, strike: 100}");
        /* other nodes, other draws */
        assert_true(fabs(sum - 2.0 * exp(-0.06) - plain.value) <= 4.0 * plain.error + 5e-3);
    }
}

static void test_cash_among_the_best_is_an_option(void **state)
{
    (void)state;
    const quote best = price(
        flat, "exercise: {expiry: 1}, underlyings: [S], payoff: {kind: best_of_cash, cash: 95}");
    const quote worst = price(
        flat, "exercise: {expiry: 1}, underlyings: [S], payoff: {kind: worst_of_cash, cash: 95}");
    assert_quote(best, 95.0 * exp(-0.06) + vanilla(flat_law, 1.0, 95.0));
    assert_quote(worst, 95.0 * exp(-0.06) - vanilla(flat_law, -1.0, 95.0));
}

/* ---- What the past has fixed ----------------------------------------------------------------- */

static const char fixed[] = "  curves: {USD: 0.06}\n  assets: {S: {currency: USD, spot: 100, "
                            "dividend_yield: 0.02, volatility: 0.3, fixings: [[-0.5, 110], "
                            "[-0.25, 88]]}}";

static void test_a_strike_fixed_in_the_past_is_a_strike(void **state)
{
    (void)state;
    const quote it = price(
        fixed, EXPIRY
        ", payoff: {kind: forward_start, option_type: call, strike_fraction: 0.9, reset: -0.5}");
    assert_quote(it, vanilla(flat_law, 1.0, 99.0));
    const quote now =
        price(flat, EXPIRY
              ", payoff: {kind: forward_start, option_type: put, strike_fraction: 1.05, reset: 0}");
    assert_quote(now, vanilla(flat_law, -1.0, 105.0));
    const quote share =
        price(fixed, EXPIRY ", payoff: {kind: forward_start, form: performance, option_type: call, "
                            "strike_fraction: 0.9, reset: -0.5}");
    assert_quote(share, vanilla(flat_law, 1.0, 99.0) / 110.0);
}

static void test_a_past_extremum_and_past_returns_count(void **state)
{
    (void)state;
    /* minimum 88 is known; one more observation at expiry: S - min(88, S) is a call struck at 88 */
    const quote low = price(fixed, EXPIRY ", payoff: {kind: lookback, option_type: call, lookback: "
                                          "{strike: floating, observations: [-0.5, -0.25, 1]}}");
    assert_quote(low, vanilla(flat_law, 1.0, 88.0));
    /* returns: 88/110 - 1 cut to -0.1, then S/88 - 1 floored at 0: calls on S/88 */
    const quote sum =
        price(fixed, EXPIRY
              ", payoff: {kind: cliquet, observations: [-0.5, -0.25, 1], local_floor: -0.1}");
    const law m = flat_law;
    const double forward =
        exp(-0.06) * -0.1 + vanilla(m, 1.0, 0.9 * 88.0) / 88.0 - 0.1 * exp(-0.06);
    assert_quote(sum, forward);
}

static void test_a_barrier_touched_in_the_past(void **state)
{
    (void)state;
    static const char block[] =
        "barrier: {direction: down, level: 90, observations: [-0.5, -0.25, 1], knock: ";
    char trade[512];
    snprintf(trade, sizeof trade,
             EXPIRY ", payoff: {kind: barrier, option_type: call, strike: 100, rebate: 4, %sout}}",
             block);
    assert_quote(price(fixed, trade), 4.0 * exp(-0.06));
    snprintf(trade, sizeof trade,
             EXPIRY ", payoff: {kind: barrier, option_type: call, strike: 100, rebate: {amount: 4, "
                    "pay: at_hit}, %sout}}",
             block);
    assert_quote(price(fixed, trade), 0.0); /* paid when it was touched */
    snprintf(trade, sizeof trade,
             EXPIRY ", payoff: {kind: barrier, option_type: call, strike: 100, rebate: 4, %sin}}",
             block);
    assert_quote(price(fixed, trade), vanilla(flat_law, 1.0, 100.0));
}

/* A rebate at a hit on the only date is a digital paid at that date. */
static void test_a_discrete_hit_is_paid_at_its_date(void **state)
{
    (void)state;
    const quote it = price(flat, EXPIRY ", payoff: {kind: touch, pay: at_hit, cash: 10, barrier: "
                                        "{direction: up, level: 110, observations: [0.5]}}");
    const double w = 0.3 * sqrt(0.5), d = (log(100.0 / 110.0) + (0.04 - 0.045) * 0.5) / w;
    assert_quote(it, 10.0 * exp(-0.03) * normal_cdf(d));
}

/* A message about a strike names the key that the kind has, wherever the kind stands in
 * payoffs.def. */
static void test_each_kind_names_its_own_strike(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < LEVY_PAYOFF_COUNT; ++kind) {
        const char *const name = levy_payoffs[kind]->kind, *const key = levy_payoff_strike_key(
                                                               levy_payoffs[kind]);
        const bool none = strcmp(name, "cliquet") == 0 || strcmp(name, "touch") == 0 ||
                          strcmp(name, "exchange") == 0 || strcmp(name, "forward_start") == 0 ||
                          levy_payoffs[kind]->source != NULL;
        const bool cash = strcmp(name, "best_of_cash") == 0 || strcmp(name, "worst_of_cash") == 0;
        assert_int_equal(key == NULL, none);
        if (key) assert_string_equal(key, cash ? "cash" : "strike");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bridges_between_barriers_stay_inside),
        cmocka_unit_test(test_the_first_touch_of_two_barriers),
        cmocka_unit_test(test_nodes_do_not_move_a_barrier_price),
        cmocka_unit_test(test_nodes_do_not_move_a_payment_at_hit),
        cmocka_unit_test(test_double_barriers_have_the_prices_of_single_ones),
        cmocka_unit_test(test_narrow_double_barriers_survive_as_the_sine_series_says),
        cmocka_unit_test(test_dividends_fall_through_a_barrier),
        cmocka_unit_test(test_volatility_over_time_is_a_change_of_clock),
        cmocka_unit_test(test_nodes_do_not_move_a_lookback_price),
        cmocka_unit_test(test_fixed_lookbacks_differ_by_their_strikes),
        cmocka_unit_test(test_discrete_lookbacks_stay_below_the_continuous_one),
        cmocka_unit_test(test_out_and_in_add_up),
        cmocka_unit_test(test_cash_among_the_best_is_an_option),
        cmocka_unit_test(test_a_strike_fixed_in_the_past_is_a_strike),
        cmocka_unit_test(test_a_past_extremum_and_past_returns_count),
        cmocka_unit_test(test_a_barrier_touched_in_the_past),
        cmocka_unit_test(test_a_discrete_hit_is_paid_at_its_date),
        cmocka_unit_test(test_each_kind_names_its_own_strike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
