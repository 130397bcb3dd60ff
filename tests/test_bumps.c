/* test_bumps.c: what holds for the sensitivities of every payoff: they are differences of prices
 * that a user would get by moving the market or the date; they leave the price's bits alone; and
 * where a bump cannot say what it is asked, the result says so. */
#include "tests/greeks_case.h"
#include "tests/files.h"

#include <stdbool.h>

/* Times in @..@ are those of a trade: `day` is taken off them, down to `least`. The caller frees.
 */
static char *dated(const char *text, double day)
{
    const size_t size = 2 * strlen(text) + 4096;
    char *const out = malloc(size), *to = out;
    assert_non_null(out);
    while (*text) {
        if (*text != '@') {
            *to++ = *text++;
            continue;
        }
        char *end;
        to += snprintf(to, size - (size_t)(to - out), "%.17g", strtod(text + 1, &end) - day);
        text = end + 1;
    }
    *to = '\0';
    return out;
}

#define BOOK(asset, payoff, rest)                                                                  \
    MARKET("    S: {currency: USD, spot: 100, dividend_yield: 0.02, " asset "}\n")                 \
    "models: {equity: {kind: black_scholes, assets: [S]}}\ntrades:\n  - {id: t, underlying: "      \
    "S, " payoff ", exercise: {expiry: @1@}}\n" rest
#define FLAT "volatility: 0.2"
#define AVERAGE(method)                                                                            \
    "payoff: {kind: asian, option_type: call, strike: 100, averaging: {method: " method            \
    ", observations: [@0.25@, @0.5@, @1@]}}"

static const struct {
    const char *name, *asset, *payoff;
} payoffs[] = {
    {"european", FLAT, "payoff: {kind: european, option_type: put, strike: 105}"},
    {"short", FLAT,
     "quantity: 7, position: short, payment_date: @1.25@, payoff: {kind: european, option_type: "
     "call, strike: 95}"},
    {"asian", FLAT, AVERAGE("arithmetic")},
    {"asian with fixings", FLAT ", fixings: [[-0.1, 99]]",
     "payoff: {kind: asian, option_type: call, strike: 100, averaging: {method: geometric, "
     "observations: [-0.1, @0.5@, @1@]}}"},
    {"average strike", FLAT,
     "payoff: {kind: asian, option_type: put, averaging: {method: arithmetic, on: strike, "
     "observations: [@0.25@, @0.5@, @1@]}}"},
    {"digital", FLAT, "payoff: {kind: digital, option_type: call, strike: 100, cash: 10}"},
    {"asset digital", FLAT,
     "payoff: {kind: digital, option_type: put, payout: asset, strike: 100}"},
    {"discrete barrier", FLAT,
     "payoff: {kind: barrier, option_type: call, strike: 100, rebate: {amount: 3, pay: at_hit}, "
     "barrier: {direction: up, knock: out, level: 130, "
     "monitoring: discrete, observations: [@0.25@, @0.5@, @1@]}}"},
    {"barrier", FLAT,
     "payoff: {kind: barrier, option_type: put, strike: 105, barrier: {direction: down, knock: in, "
     "level: 85, monitoring: continuous}}"},
    {"rebate at hit", FLAT,
     "payoff: {kind: barrier, option_type: call, strike: 100, rebate: {amount: 4, pay: at_hit}, "
     "barrier: {direction: up, knock: out, level: 130, "
     "monitoring: continuous}}"},
    {"window barrier", FLAT,
     "payoff: {kind: barrier, option_type: call, strike: 100, barrier: {direction: down, knock: "
     "out, level: 85, monitoring: continuous, window: "
     "{start: @0.25@, end: @0.75@}}}"},
    {"double barrier", FLAT,
     "payoff: {kind: double_barrier, option_type: call, strike: 95, rebate: {lower: 2, upper: 5, "
     "pay: at_hit}, barrier: {lower: 80, upper: 125, "
     "knock: out, monitoring: continuous}}"},
    {"touch", FLAT,
     "payoff: {kind: touch, cash: 10, pay: at_hit, barrier: {direction: down, level: 85, "
     "monitoring: continuous}}"},
    {"lookback", FLAT,
     "payoff: {kind: lookback, option_type: call, lookback: {strike: floating, monitoring: "
     "continuous}}"},
    {"running lookback", FLAT,
     "payoff: {kind: lookback, option_type: call, strike: 105, lookback: {strike: fixed, "
     "running_extremum: 104, monitoring: discrete, observations: "
     "[@0.25@, @0.5@, @1@]}}"},
    {"forward start", FLAT,
     "payoff: {kind: forward_start, option_type: call, form: absolute, strike_fraction: 1.05, "
     "reset: @0.25@}"},
    {"cliquet", FLAT,
     "notional: 100, payoff: {kind: cliquet, observations: [@0.25@, @0.5@, @1@], local_floor: "
     "-0.05, local_cap: 0.08, global_floor: 0}"},
    {"cash dividends", FLAT ", dividends: {cash: [[@0.3@, 2.5], [@0.6@, 2.5]]}",
     AVERAGE("arithmetic")},
    {"proportional dividends", FLAT ", dividends: {proportional: [[@0.3@, 0.03]]}",
     "payoff: {kind: barrier, option_type: call, strike: 95, barrier: {direction: down, knock: "
     "out, level: 85, monitoring: continuous}}"},
    {"volatility term", "volatility: {kind: term, nodes: [[@0.4@, 0.2], [@2@, 0.2]]}",
     AVERAGE("arithmetic")},
};
enum { PAYOFFS = sizeof payoffs / sizeof payoffs[0] };

static void price_payoff(priced *p, size_t i, double day, const char *rest)
{
    char text[4096];
    snprintf(text, sizeof text, BOOK("%s", "%s", "%s"), payoffs[i].asset, payoffs[i].payoff, rest);
    char *const moved = dated(text, day);
    price_text(p, moved);
    free(moved);
}

/* ---- Differences of prices ------------------------------------------------------------------- */

static double moved_quote(const priced *p, const char *name, double value)
{
    return with_quotes(p, 0, &name, &value, 1);
}

static void assert_by_prices(const char *name, const levy_measure *m, double expected,
                             double rounding)
{
    const double off = fabs(m->value - expected);
    if (!(off <= rounding))
        print_error("%s, %s: %.12g, by prices %.12g\n", name, m->measure, m->value, expected);
    assert_true(off <= rounding);
}

static void test_every_payoff_is_repriced(void **state)
{
    (void)state;
    for (size_t i = 0; i < PAYOFFS; ++i) {
        priced p;
        price_payoff(&p, i, 0.0,
                     "measures: [price, delta, gamma, vega, rho]\nsimulation: {paths: 2^14, bumps: "
                     "{spot: 0.001, gamma: 0.01, "
                     "volatility: 0.001, rate: 0.001}}\n");
        const double base = levy_results_trade(p.results, 0)->price,
                     scale = 1e-13 * (10.0 + fabs(base));
        assert_by_prices(payoffs[i].name, measure_of(&p, 0, "delta", "S.spot"),
                         (moved_quote(&p, "S.spot", 100.1) - moved_quote(&p, "S.spot", 99.9)) / 0.2,
                         scale / 0.1);
        assert_by_prices(payoffs[i].name, measure_of(&p, 0, "gamma", "S.spot"),
                         moved_quote(&p, "S.spot", 101) - 2 * base + moved_quote(&p, "S.spot", 99),
                         10 * scale);
        if (!strstr(payoffs[i].asset, "term")) /* whose clock would be another one */
            assert_by_prices(
                payoffs[i].name, measure_of(&p, 0, "vega", "S.volatility"),
                (moved_quote(&p, "S.volatility", 0.201) - moved_quote(&p, "S.volatility", 0.199)) /
                    0.002,
                scale / 1e-4);
        assert_by_prices(payoffs[i].name, measure_of(&p, 0, "rho", "USD.rate"),
                         (moved_quote(&p, "USD.rate", 0.051) - moved_quote(&p, "USD.rate", 0.049)) /
                             0.002,
                         scale / 1e-4);
        release(&p);
    }
}

/* The same volatilities from `day` on: 0.25 until 0.4, then total variance on to that of 0.2
 * until 2. Rates: 0.01 until 0.4, then on to 0.1 until 2. */
static void write_terms(char *text, size_t size, double day, const char *payoff, const char *rest)
{
    const double variance = 0.0625 * day, rate = 0.01 * day;
    char format[4096];
    snprintf(format, sizeof format,
             "schema_version: 1\nmarket:\n  curves: {USD: {kind: zero, nodes: [[%.17g, %.17g], "
             "[%.17g, %.17g]]}}\n  assets:\n"
             "    S: {currency: USD, spot: 100, volatility: {kind: term, nodes: [[%.17g, %.17g], "
             "[%.17g, %.17g]]}}\n"
             "models: {equity: {kind: black_scholes, assets: [S]}}\ntrades:\n  - {id: t, "
             "underlying: S, %s, exercise: {expiry: @1@}}\n%s",
             0.4 - day, (0.4 * 0.01 - rate) / (0.4 - day), 2.0 - day,
             (2.0 * 0.1 - rate) / (2.0 - day), 0.4 - day,
             sqrt((0.4 * 0.0625 - variance) / (0.4 - day)), 2.0 - day,
             sqrt((2.0 * 0.04 - variance) / (2.0 - day)), payoff, rest);
    char *const moved = dated(format, day);
    snprintf(text, size, "%s", moved);
    free(moved);
}

static void assert_theta(const char *name, const priced *today, const priced *later, double days)
{
    const levy_trade_result *const a = levy_results_trade(today->results, 0),
                                   *const b = levy_results_trade(later->results, 0);
    const levy_measure *const theta = measure_of(today, 0, "theta", "time");
    const double passed = (b->price - a->price) / days,
                 error = hypot(a->std_error, b->std_error) / days + theta->std_error;
    print_message("%-22s theta %12.7f by prices %12.7f +- %.1e\n", name, theta->value, passed,
                  error);
    assert_true(fabs(theta->value - passed) <= 4.0 * error + 1e-12);
    assert_true(error < 0.25 * fabs(theta->value));
}

/* 18 days pass: no observation on the way. */
static void test_every_theta_is_the_price_of_days_to_come(void **state)
{
    (void)state;
    for (size_t i = 0; i < PAYOFFS; ++i) {
        priced p, later;
        price_payoff(
            &p, i, 0.0,
            "measures: [theta]\nsimulation: {paths: 2^18, replicates: 32, bumps: {days: 18}}\n");
        price_payoff(&later, i, 18.0 / 365.0, "simulation: {paths: 2^18, replicates: 32}\n");
        assert_theta(payoffs[i].name, &p, &later, 18.0);
        release(&later);
        release(&p);
    }
}

/* What is constant between two nodes of a payoff's closed forms stays so. */
static void test_thetas_on_term_structures(void **state)
{
    (void)state;
    static const char measured[] =
        "measures: [theta]\nsimulation: {paths: 2^18, replicates: 32, bumps: {days: 18}}\n";
    for (size_t i = 0; i < PAYOFFS; ++i) {
        char text[4096];
        priced p, later;
        const bool still = strstr(payoffs[i].name, "average") || strstr(payoffs[i].name, "start") ||
                           strstr(payoffs[i].name, "cliquet");
        if (strcmp(payoffs[i].asset, FLAT) || still) continue; /* a theta near 0 says little */
        write_terms(text, sizeof text, 0.0, payoffs[i].payoff, measured);
        price_text(&p, text);
        write_terms(text, sizeof text, 18.0 / 365.0, payoffs[i].payoff,
                    "simulation: {paths: 2^18, replicates: 32}\n");
        price_text(&later, text);
        assert_theta(payoffs[i].name, &p, &later, 18.0);
        release(&later);
        release(&p);
    }
}

/* Three dates of a grid pass at once: what they observe is today's spot. */
static void test_theta_to_expiry_is_what_is_paid_today(void **state)
{
    (void)state;
    priced p;
    price_text(&p, text_of_book("texts/bumps-theta-to-expiry-is-what-is-paid-today"));
    const double paid[3] = {5.0, 3.0 * exp(-0.05 * (0.5 - 1.0 / 365.0)), 7.0};
    for (size_t t = 0; t < 3; ++t)
        assert_true(fabs(levy_results_trade(p.results, t)->price +
                         measure_of(&p, t, "theta", "time")->value - paid[t]) < 1e-12);
    release(&p);
}

/* A dividend that goes ex within the days is paid: the spot is lower by it. */
static void test_theta_crosses_dividends(void **state)
{
    (void)state;
    static const char *const kinds[] = {"cash: [[0.001, 4.0]]", "proportional: [[0.001, 0.04]]"};
    for (size_t i = 0; i < 2; ++i) {
        char text[1024];
        priced p;
        /* A macro between strings is no call. */
        /* clang-format off */
        snprintf(text, sizeof text,
                 MARKET("    S: {currency: USD, spot: 100, volatility: 0.2, dividends: {%s}}\n")
                 "models: {equity: {kind: black_scholes, assets: [S]}}\ntrades:\n"
                 CALL("c") "measures: [theta]\n", kinds[i]);
        /* clang-format on */
        price_text(&p, text);
        const levy_trade_result *const t = levy_results_trade(p.results, 0);
        const double tomorrow = call_price(96.0, 105.0, 0.05, 0.0, 0.2, 1.0 - 1.0 / 365.0),
                     theta = measure_of(&p, 0, "theta", "time")->value;
        assert_true(fabs(t->price + theta - tomorrow) < 4.0 * t->std_error);
        assert_true(fabs(t->price - call_price(96.0, 105.0, 0.05, 0.0, 0.2, 1.0)) <
                    4.0 * t->std_error + 0.003);
        release(&p);
    }
}

/* ---- By node, against Black and Scholes ------------------------------------------------------ */

/* A call to 1.2 years; moved: node 0, 1 or 2 of the rates by dz, of the volatilities by dv. */
static double node_price(size_t node, double dz, double dv)
{
    double z[3] = {0.02, 0.05, 0.04}, v[3] = {0.3, 0.22, 0.25};
    if (node < 3) z[node] += dz, v[node] += dv;
    const double share = (1.2 - 1.0) / (2.0 - 1.0), t = 1.2;
    const double log_discount = -((1 - share) * z[1] * 1.0 + share * z[2] * 2.0);
    const double variance = (1 - share) * v[1] * v[1] * 1.0 + share * v[2] * v[2] * 2.0;
    return call_price(100.0, 105.0, -log_discount / t, 0.01, sqrt(variance / t), t);
}

static void test_nodes_agree_with_black_and_scholes(void **state)
{
    (void)state;
    static const char *const times[] = {"0.5", "1", "2"};
    const double h = 0.001;
    priced p;
    price_text(&p, text_of_book("texts/bumps-nodes-agree-with-black-and-scholes"));
    double vega = 0.0, rho = 0.0;
    for (size_t k = 0; k < 3; ++k) {
        char name[32];
        snprintf(name, sizeof name, "S.volatility[%s]", times[k]);
        const levy_measure *const v = measure_of(&p, 0, "vega_by_node", name);
        assert_estimate(v, (node_price(k, 0, h) - node_price(k, 0, -h)) / (2 * h), 1e-10);
        vega += v->value;
        snprintf(name, sizeof name, "USD.rate[%s]", times[k]);
        const levy_measure *const r = measure_of(&p, 0, "rho_by_node", name);
        assert_estimate(r, (node_price(k, h, 0) - node_price(k, -h, 0)) / (2 * h), 1e-10);
        rho += r->value;
    }
    assert_true(fabs(measure_of(&p, 0, "vega_by_node", "S.volatility[0.5]")->value) < 1e-10);
    assert_true(fabs(vega - measure_of(&p, 0, "vega", "S.volatility")->value) < 1e-3);
    assert_true(fabs(rho - measure_of(&p, 0, "rho", "USD.rate")->value) < 1e-3);
    release(&p);
}

/* Funding and discounting on two curves: rho moves both, by node each by itself. */
static void test_rates_of_two_curves(void **state)
{
    (void)state;
    priced p;
    price_text(&p, "schema_version: 1\nmarket:\n  curves: {USD: 0.03, REPO: 0}\n  assets:\n    S: "
                   "{currency: USD, spot: 100, curve: REPO, volatility: 0.2}\n"
                   "models: {equity: {kind: black_scholes, assets: [S]}}\ntrades:\n" CALL(
                       "c") "measures: [rho, rho_by_node, delta]\n");
    const double rho = measure_of(&p, 0, "rho", "USD.rate")->value,
                 discount = measure_of(&p, 0, "rho_by_node", "USD.rate")->value;
    const double repo = measure_of(&p, 0, "rho_by_node", "REPO.rate")->value,
                 price = levy_results_trade(p.results, 0)->price;
    assert_true(fabs(discount + price) < 1e-5 * price);
    assert_true(fabs(repo - 100.0 * measure_of(&p, 0, "delta", "S.spot")->value) < 1e-3);
    assert_true(fabs(rho - discount - repo) < 1e-3);
    release(&p);
}

/* A bump that the book gives moves both spots of a pair, as scenarios do. */
static void test_a_given_bump_moves_both_spots(void **state)
{
    (void)state;
    static const char *const corners[] = {"uu", "ud", "du", "dd"};
    double value[4];
    priced p;
    price_text(
        &p,
        MARKET("    A: {currency: USD, spot: 100, volatility: 0.2}\n    B: {currency: USD, spot: "
               "95, volatility: 0.3}\n") "  correlations: {pairs: [[A.spot, B.spot, 0.4]]}\n"
                                         "models: {equity: {kind: black_scholes, assets: [A, "
                                         "B]}}\ntrades:\n"
                                         "  - {id: w, underlyings: [A, B], payoff: {kind: "
                                         "worst_of, option_type: call, strike: 90}, "
                                         "exercise: {expiry: 1.0}}\nmeasures: [price, "
                                         "cross_gamma]\nscenarios:\n"
#define CORNER(id, a, b)                                                                           \
    "  - {id: '" id "', shifts: [{factor: A.spot, size: " a "}, {factor: B.spot, size: " b "}]}\n"
        CORNER("uu", "0.1", "0.1") CORNER("ud", "0.1", "-0.1") CORNER("du", "-0.1", "0.1")
            CORNER("dd", "-0.1", "-0.1") "simulation: {paths: 2^12, bumps: {gamma: 0.1}}\n");
#undef CORNER
    for (size_t k = 0; k < 4; ++k)
        value[k] = measure_of(&p, 0, "scenario_price", corners[k])->value;
    const double mixed =
        (value[0] - value[1] - value[2] + value[3]) / (4.0 * 0.1 * 100.0 * 0.1 * 95.0);
    assert_true(fabs(measure_of(&p, 0, "cross_gamma", "A.spot,B.spot")->value - mixed) <
                1e-9 * fabs(mixed));
    release(&p);
}

/* ---- Bits ------------------------------------------------------------------------------------ */

#define EVERY                                                                                      \
    "measures: [price, delta, gamma, vega, rho, theta, vega_by_node, rho_by_node, cross_gamma, "   \
    "correlation]\n"                                                                               \
    "scenarios: [{id: g, grid: [{factor: ALL.spot, sizes: [-0.2, 0.1]}, {factor: ALL.volatility, " \
    "sizes: [-0.1, 0.2]}]}]\n"

static void assert_price_bits(const priced *a, const priced *b)
{
    const levy_trade_result *const x = levy_results_trade(a->results, 0);
    const levy_trade_result *const y = levy_results_trade(b->results, 0);
    assert_memory_equal(&x->price, &y->price, sizeof(double));
    assert_memory_equal(&x->std_error, &y->std_error, sizeof(double));
}

static void test_measures_leave_the_price_alone(void **state)
{
    (void)state;
    static const char *const simulations[] = {
        "simulation: {paths: 2^13}\n",
        "simulation: {paths: 2^13, precision: single, bumps: {gamma: 0.01}}\n",
        "simulation: {paths: 5000, generator: mrg32k3a, construction: incremental}\n",
        "simulation: {paths: 5000, generator: philox, construction: pca}\n",
    };
    for (size_t i = 0; i < PAYOFFS; ++i)
        for (size_t s = 0; s < sizeof simulations / sizeof *simulations; ++s) {
            char rest[1024];
            priced plain, measured;
            price_payoff(&plain, i, 0.0, simulations[s]);
            snprintf(rest, sizeof rest, "%s%s", EVERY, simulations[s]);
            price_payoff(&measured, i, 0.0, rest);
            assert_price_bits(&plain, &measured);
            release(&plain);
            release(&measured);
        }
}

static void test_measures_leave_a_basket_alone(void **state)
{
    (void)state;
    static const char book[] =
        MARKET("    A: {currency: USD, spot: 100, volatility: {kind: term, nodes: [[0.5, 0.2], [2, "
               "0.3]]}, dividends: {cash: [[0.4, 2]]}}\n"
               "    B: {currency: USD, spot: 95, volatility: 0.3}\n    C: {currency: USD, spot: "
               "90, volatility: 0.25}\n")
        /* singular */
        "  correlations: {names: [A.spot, B.spot, C.spot], matrix: [[1, 0.5, -0.5], [0.5, 1, 0.5], "
        "[-0.5, 0.5, 1]]}\n"
        "models: {equity: {kind: black_scholes, assets: [A, B, C]}}\ntrades:\n"
        "  - {id: b, underlyings: [A, B, C], payoff: {kind: asian, aggregate: worst_of, "
        "option_type: put, strike: 95, averaging: {method: arithmetic, "
        "observations: {count: 6}}}, exercise: {expiry: 1.0}}\nsimulation: {paths: 2^13}\n";
    char text[4096];
    priced plain, measured;
    price_text(&plain, book);
    snprintf(text, sizeof text, "%s%s", book, EVERY);
    price_text(&measured, text);
    assert_price_bits(&plain, &measured);
    release(&plain);
    release(&measured);
}

/* ---- What a bump cannot say ------------------------------------------------------------------ */

#define BESIDE                                                                                     \
    MARKET("    O: {currency: USD, spot: 20, volatility: 0.3}\n"                                   \
           "    S: {currency: USD, spot: 100, dividend_yield: 0.02, volatility: 0.2}\n")           \
    "  correlations: {pairs: [[O.spot, S.spot, 0.5]]}\n"                                           \
    "models: {equity: {kind: black_scholes, assets: [O, S]}}\n"

/* Continuously watched, a value is smooth: until the bumped spot is beyond the barrier. The model
 * has another asset before the trade's. */
static void test_a_bump_across_a_barrier_is_flagged(void **state)
{
    (void)state;
    static const char format[] = BESIDE
        "trades:\n  - {id: near, underlying: S, payoff: {kind: barrier, option_type: call, "
        "strike: 95, barrier: {direction: down, knock: out, level: %g, "
        "monitoring: continuous}}, exercise: {expiry: 1.0}}\n"
        "  - {id: between, underlying: S, payoff: {kind: touch, cash: 1, barrier: {lower: %g, "
        "upper: 140, monitoring: continuous}}, exercise: {expiry: 1.0}}\n" FIVE
        "scenarios: [{id: down, shifts: [{factor: S.spot, size: -0.1}]}]\n"
        "simulation: {paths: 2^12, bumps: {spot: 0.001, gamma: 0.01}}\n";
    /* within both of a user's bumps, within gamma's, within none */
    static const double levels[] = {99.95, 99.5, 80.0};
    for (size_t i = 0; i < 3; ++i) {
        char text[2048];
        priced p;
        snprintf(text, sizeof text, format, levels[i], levels[i]);
        price_text(&p, text);
        for (size_t t = 0; t < 2; ++t) {
            assert_int_equal(measure_of(&p, t, "delta", "S.spot")->flagged, i == 0);
            assert_int_equal(measure_of(&p, t, "gamma", "S.spot")->flagged, i <= 1);
            assert_int_equal(measure_of(&p, t, "vega", "S.volatility")->flagged, 0);
            assert_int_equal(measure_of(&p, t, "theta", "time")->flagged, 0);
            assert_int_equal(measure_of(&p, t, "scenario_price", "down")->flagged, 0);
        }
        if (i < 2)
            assert_string_equal(measure_of(&p, 0, "gamma", "S.spot")->note,
                                "biased: a bumped spot is beyond the barrier");
        if (i < 2) assert_true(measure_of(&p, 0, "scenario_price", "down")->value == 0.0);
        release(&p);
    }
}

static void test_monitoring_decides_what_is_noisy(void **state)
{
    (void)state;
    static const struct {
        const char *payoff;
        int noisy;
    } cases[] = {
        {"{kind: barrier, option_type: call, strike: 100, barrier: {direction: up, knock: out, "
         "level: 130, monitoring: discrete, observations: {count: 4}}}",
         1},
        {"{kind: barrier, option_type: call, strike: 100, barrier: {direction: up, knock: out, "
         "level: 130, monitoring: continuous}}",
         0},
        {"{kind: barrier, option_type: call, strike: 100, barrier: {direction: up, knock: out, "
         "level: 130, monitoring: continuous, window: {start: 0.5, end: 1}}}",
         1},
        {"{kind: barrier, option_type: call, payout: cash, cash: 1, strike: 100, barrier: "
         "{direction: up, knock: out, level: 130, monitoring: continuous}}",
         1},
        {"{kind: touch, cash: 1, barrier: {direction: up, level: 130, monitoring: continuous}}", 0},
        {"{kind: touch, cash: 1, barrier: {direction: up, level: 130, monitoring: discrete, "
         "observations: {count: 4}}}",
         1},
        {"{kind: asian, option_type: call, payout: cash, cash: 1, strike: 100, averaging: {method: "
         "arithmetic, observations: {count: 4}}}",
         1},
        {"{kind: cliquet, observations: [0.5, 1], local_cap: 0.05}", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[2048];
        priced p;
        snprintf(text, sizeof text,
                 ONE
                 "trades:\n  - {id: t, underlying: S, payoff: %s, exercise: {expiry: 1.0}}\n" FIVE
                 "simulation: {paths: 2^12, smoothing: none}\n",
                 cases[i].payoff);
        price_text(&p, text);
        const levy_trade_result *const t = levy_results_trade(p.results, 0);
        for (size_t m = 0; m < t->n_measures; ++m) {
            const char *const note = t->measures[m].note; /* a cliquet's gamma is rounding alone */
            const bool unreliable = note && strncmp(note, "unreliable", 10) == 0,
                       noisy = note && strncmp(note, "noisy", 5) == 0;
            assert_int_equal(t->measures[m].flagged, m > 0 && unreliable);
            assert_int_equal(noisy, m > 0 && cases[i].noisy);
        }
        release(&p);
    }
}

/* In single a second difference may spread less than it is rounded: its error is the rounding. */
static void test_second_differences_in_single_keep_their_error(void **state)
{
    (void)state;
    static const double gamma = 0.018950578755008718; /* of Black and Scholes */
    priced p;
    price_text(&p, ONE "trades:\n  - {id: t, underlying: S, payoff: {kind: european, option_type: "
                       "call, strike: 100}, exercise: {expiry: 1.0}}\n"
                       "measures: [price, gamma]\n"
                       "simulation: {paths: 2^18, precision: single}\n");
    const levy_measure *const m = measure_of(&p, 0, "gamma", "S.spot");
    assert_false(m->flagged);
    assert_true(m->std_error > 0.0 && m->std_error < 1e-5);
    assert_true(fabs(m->value - gamma) < 4.0 * m->std_error);
    release(&p);
}

/* Perfectly correlated assets have one driver; a lower correlation would need two. */
static void test_correlations_at_their_edge(void **state)
{
    (void)state;
    static const struct {
        const char *rho;
        int flagged, has_value;
    } cases[] = {{"1", 1, 0}, {"-1", 1, 0}, {"0.992", 1, 1}, {"-0.992", 1, 1}, {"0.98", 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[1024];
        priced p;
        snprintf(
            text, sizeof text,
            MARKET("    A: {currency: USD, spot: 100, volatility: 0.2}\n    B: {currency: USD, "
                   "spot: 98, volatility: 0.3}\n") "  correlations: {pairs: [[A.spot, B.spot, "
                                                   "%s]]}\nmodels: {equity: {kind: black_scholes, "
                                                   "assets: [A, B]}}\ntrades:\n"
                                                   "  - {id: x, underlyings: [A, B], payoff: "
                                                   "{kind: exchange}, exercise: {expiry: "
                                                   "1.0}}\nmeasures: [correlation]\n",
            cases[i].rho);
        price_text(&p, text);
        const levy_measure *const m = measure_of(&p, 0, "correlation", "A.spot,B.spot");
        assert_int_equal(m->flagged, cases[i].flagged);
        assert_int_equal(isfinite(m->value) != 0, cases[i].has_value);
        assert_int_equal(isfinite(m->std_error) != 0, cases[i].has_value);
        release(&p);
    }
}

/* One-sided at the edge is still the slope there, over one bump. */
static void test_a_one_sided_slope_is_a_slope(void **state)
{
    (void)state;
    priced p;
    price_text(&p, text_of_book("texts/bumps-a-one-sided-slope-is-a-slope"));
    double price[2];
    for (int i = 0; i < 2; ++i)
        price[i] = call_price(100.0, 98.0, 0.0, 0.0,
                              sqrt(0.04 + 0.09 - 2 * (i ? 0.985 : 0.995) * 0.06), 1.0);
    assert_estimate(measure_of(&p, 0, "correlation", "A.spot,B.spot"), (price[0] - price[1]) / 0.01,
                    1e-9);
    release(&p);
}

/* At a rate below zero a payment at hit may have no closed form (here mu^2 + 2 rho = r^2 + 0.08 r):
 * no value then, rather than a wrong one. */
static void test_a_market_without_closed_form_has_no_value(void **state)
{
    (void)state;
    priced p;
    price_text(&p, text_of_book("texts/bumps-a-market-without-closed-form-has-no-value"));
    assert_true(isnan(measure_of(&p, 0, "scenario_price", "negative")->value));
    assert_true(isnan(measure_of(&p, 0, "scenario_pnl", "negative")->std_error));
    assert_string_equal(measure_of(&p, 0, "scenario_pnl", "negative")->note,
                        "no value: the bumped market cannot be simulated");
    assert_true(isfinite(measure_of(&p, 0, "scenario_price", "low")->value));
    assert_true(isfinite(measure_of(&p, 1, "scenario_price", "negative")->value));
    release(&p);
}

#define BETWEEN(volatility, payoff)                                                                \
    MARKET("    S: {currency: USD, spot: 100, dividend_yield: 0.02, volatility: " volatility       \
           "}\n")                                                                                  \
    "models: {equity: {kind: black_scholes, assets: [S]}}\ntrades:\n  - {id: d, underlying: S, "   \
    "payoff: {kind: double_barrier, " payoff                                                       \
    ", monitoring: continuous}}, exercise: {expiry: 0.1}}\n"

/* Nodes between two barriers stand for today's volatility; a scenario's larger one takes more
 * images instead. */
static void test_double_barriers_under_larger_volatilities(void **state)
{
    (void)state;
    static const char *const kinds[] = {
        "option_type: call, strike: 95, barrier: {lower: 90, upper: 110, knock: out",
        "option_type: call, strike: 95, barrier: {lower: 90, upper: 110, knock: in",
        ("option_type: put, strike: 105, rebate: {lower: 2, upper: 5, pay: at_hit}, barrier: "
         "{lower: 90, upper: 110, knock: out")};
    static const char *const ids[] = {"g[0.3]", "g[0.8]", "g[2.8]"}, *const volatilities[] = {
                                                                         "0.5", "1", "3"};
    for (size_t i = 0; i < 3; ++i) {
        char text[2048];
        priced p, planned;
        snprintf(text, sizeof text,
                 BETWEEN("0.2", "%s") "scenarios: [{id: g, grid: [{factor: S.volatility, type: "
                                      "absolute, sizes: [0.3, 0.8, 2.8]}]}]\n",
                 kinds[i]);
        price_text(&p, text);
        for (size_t k = 0; k < 3; ++k) {
            snprintf(text, sizeof text, BETWEEN("%s", "%s"), volatilities[k], kinds[i]);
            price_text(&planned, text);
            const levy_measure *const m = measure_of(&p, 0, "scenario_price", ids[k]);
            const levy_trade_result *const t = levy_results_trade(planned.results, 0);
            print_message("%zu %s: %.12g +- %.1e, planned for it %.12g +- %.1e\n", i, ids[k],
                          m->value, m->std_error, t->price, t->std_error);
            /* NaN: no path stays between the barriers, so none differs. */
            const double one = isnan(m->std_error) ? 0.0 : m->std_error,
                         other = isnan(t->std_error) ? 0.0 : t->std_error;
            assert_true(fabs(m->value - t->price) <= 4.0 * hypot(one, other) + 1e-13);
            release(&planned);
        }
        release(&p);
    }
}

/* ---- Trades of which little is left ---------------------------------------------------------- */

static void test_what_is_fixed_does_not_move(void **state)
{
    (void)state;
    priced p;
    price_text(&p, text_of_book("texts/bumps-what-is-fixed-does-not-move"));
    const double discount = exp(-0.05);
    assert_true(fabs(levy_results_trade(p.results, 0)->price + 30.0 * discount) < 1e-12);
    assert_true(fabs(measure_of(&p, 0, "delta", "S.spot")->value) < 1e-10);
    assert_true(fabs(measure_of(&p, 0, "gamma", "S.spot")->value) < 1e-10);
    assert_true(fabs(measure_of(&p, 0, "vega", "S.volatility")->value) < 1e-10);
    assert_true(fabs(measure_of(&p, 0, "rho", "USD.rate")->value - 30.0 * discount) < 1e-4);
    assert_true(fabs(measure_of(&p, 0, "theta", "time")->value +
                     30.0 * discount * (exp(0.05 / 365.0) - 1.0)) < 1e-12);
    /* an observation of today sees the spot */
    assert_true(fabs(measure_of(&p, 1, "delta", "S.spot")->value - discount / 3.0) < 1e-12);
    release(&p);
}

static void test_zero_rates(void **state)
{
    (void)state;
    priced p;
    price_text(&p, "schema_version: 1\nmarket:\n  curves: {USD: 0}\n  assets:\n    S: {currency: "
                   "USD, spot: 100, volatility: 0.2}\n"
                   "models: {equity: {kind: black_scholes, assets: [S]}}\ntrades:\n" CALL("c") FIVE
               "scenarios: [{id: none, shifts: [{factor: ALL.rate, size: 0.5}]}]\n");
    assert_estimate(
        measure_of(&p, 0, "rho", "USD.rate"),
        (call_price(100, 105, 0.001, 0, 0.2, 1) - call_price(100, 105, -0.001, 0, 0.2, 1)) / 0.002,
        1e-9);
    assert_estimate(measure_of(&p, 0, "theta", "time"),
                    call_price(100, 105, 0, 0, 0.2, 1.0 - 1.0 / 365.0) -
                        call_price(100, 105, 0, 0, 0.2, 1),
                    1e-12);
    assert_true(measure_of(&p, 0, "scenario_pnl", "none")->value ==
                0.0); /* a fraction of nothing */
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_payoff_is_repriced),
        cmocka_unit_test(test_every_theta_is_the_price_of_days_to_come),
        cmocka_unit_test(test_thetas_on_term_structures),
        cmocka_unit_test(test_theta_to_expiry_is_what_is_paid_today),
        cmocka_unit_test(test_theta_crosses_dividends),
        cmocka_unit_test(test_nodes_agree_with_black_and_scholes),
        cmocka_unit_test(test_rates_of_two_curves),
        cmocka_unit_test(test_a_given_bump_moves_both_spots),
        cmocka_unit_test(test_measures_leave_the_price_alone),
        cmocka_unit_test(test_measures_leave_a_basket_alone),
        cmocka_unit_test(test_a_bump_across_a_barrier_is_flagged),
        cmocka_unit_test(test_monitoring_decides_what_is_noisy),
        cmocka_unit_test(test_correlations_at_their_edge),
        cmocka_unit_test(test_a_one_sided_slope_is_a_slope),
        cmocka_unit_test(test_a_market_without_closed_form_has_no_value),
        cmocka_unit_test(test_double_barriers_under_larger_volatilities),
        cmocka_unit_test(test_what_is_fixed_does_not_move),
        cmocka_unit_test(test_second_differences_in_single_keep_their_error),
        cmocka_unit_test(test_zero_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
