/* test_greeks.c: sensitivities and scenarios through the public interface, against closed forms,
 * against re-pricing on moved quotes, and against what their own standard errors promise. */
#include "tests/greeks_case.h"
#include "tests/files.h"

/* ---- Closed forms ---------------------------------------------------------------------------- */

static void test_european_agrees_with_black_and_scholes(void **state)
{
    (void)state;
    const double s = 100.0, k = 105.0, r = 0.05, q = 0.02, v = 0.2, t = 1.0;
    const double d1 = (log(s / k) + (r - q + 0.5 * v * v) * t) / (v * sqrt(t)),
                 d2 = d1 - v * sqrt(t);
    priced p;
    price_text(&p, ONE "trades:\n" CALL("c") FIVE);
    assert_estimate(measure_of(&p, 0, "price", ""), call_price(s, k, r, q, v, t), 0.0);
    assert_estimate(measure_of(&p, 0, "delta", "S.spot"), exp(-q * t) * normal_cdf(d1), 1e-6);
    assert_estimate(measure_of(&p, 0, "gamma", "S.spot"),
                    exp(-q * t) * normal_density(d1) / (s * v * sqrt(t)), 2e-5);
    assert_estimate(measure_of(&p, 0, "vega", "S.volatility"),
                    s * exp(-q * t) * normal_density(d1) * sqrt(t), 1e-4);
    assert_estimate(measure_of(&p, 0, "rho", "USD.rate"), k * t * exp(-r * t) * normal_cdf(d2),
                    1e-4);
    assert_estimate(measure_of(&p, 0, "theta", "time"),
                    call_price(s, k, r, q, v, t - 1.0 / 365.0) - call_price(s, k, r, q, v, t),
                    1e-12);
    assert_string_equal(levy_results_trade(p.results, 0)->measures[0].measure, "price");
    release(&p);
}

/* The geometric mean of n levels at i t / n is lognormal. */
static double geometric_price(double s, double k, double r, double q, double v, double t, int n,
                              double elapsed)
{
    double mean = 0.0, variance = 0.0;
    for (int i = 1; i <= n; ++i) {
        const double ti = t * i / n - elapsed > 0.0 ? t * i / n - elapsed : 0.0;
        mean += (log(s) + (r - q - 0.5 * v * v) * ti) / n;
        for (int j = 1; j <= n; ++j) {
            const double tj = t * j / n - elapsed > 0.0 ? t * j / n - elapsed : 0.0;
            variance += v * v * (ti < tj ? ti : tj) / n / n;
        }
    }
    const double d2 = (mean - log(k)) / sqrt(variance);
    return exp(-r * (t - elapsed)) *
           (exp(mean + 0.5 * variance) * normal_cdf(d2 + sqrt(variance)) - k * normal_cdf(d2));
}

static void check_geometric(int n, double days)
{
    char text[1024];
    priced p;
    const double e = 1e-3, g = 1e-2;
    snprintf(text, sizeof text,
             ONE "trades:\n  - {id: g, underlying: S, payoff: {kind: asian, option_type: call, "
                 "strike: 100, averaging: {method: geometric, "
                 "observations: {count: %d}}}, exercise: {expiry: 1.0}}\n" FIVE
                 "simulation: {bumps: {days: %g}}\n",
             n, days);
    price_text(&p, text);
#define G(s, r, v, elapsed) geometric_price(s, 100.0, r, 0.02, v, 1.0, n, elapsed)
    const double base = G(100.0, 0.05, 0.2, 0.0);
    assert_estimate(measure_of(&p, 0, "price", ""), base, 0.0);
    assert_estimate(measure_of(&p, 0, "delta", "S.spot"),
                    (G(100.0 + e, 0.05, 0.2, 0.0) - G(100.0 - e, 0.05, 0.2, 0.0)) / (2 * e), 2e-6);
    assert_estimate(
        measure_of(&p, 0, "gamma", "S.spot"),
        (G(100.0 + g, 0.05, 0.2, 0.0) - 2 * base + G(100.0 - g, 0.05, 0.2, 0.0)) / (g * g), 3e-4);
    assert_estimate(measure_of(&p, 0, "vega", "S.volatility"),
                    (G(100.0, 0.05, 0.201, 0.0) - G(100.0, 0.05, 0.199, 0.0)) / 0.002, 1e-9);
    assert_estimate(measure_of(&p, 0, "rho", "USD.rate"),
                    (G(100.0, 0.051, 0.2, 0.0) - G(100.0, 0.049, 0.2, 0.0)) / 0.002, 1e-9);
    assert_estimate(measure_of(&p, 0, "theta", "time"),
                    (G(100.0, 0.05, 0.2, days / 365.0) - base) / days, 1e-12);
    release(&p);
}

static void test_geometric_asian_agrees_with_its_closed_form(void **state)
{
    (void)state;
    check_geometric(12, 1.0);
}

/* Fixings that fall within the days that pass see today's spot. */
static void test_theta_passes_fixings(void **state)
{
    (void)state;
    check_geometric(12, 31.0);
    check_geometric(12, 100.0);
    check_geometric(365, 1.0);
}

/* Rates and volatilities stay at their dates: what is left of them is theirs from the new date on.
 */
static void test_theta_moves_along_term_structures(void **state)
{
    (void)state;
    priced p;
    price_text(&p, text_of_book("texts/greeks-theta-moves-along-term-structures"));
    double value[2];
    for (int i = 0; i < 2; ++i) {
        const double day = i ? 1.0 / 365.0 : 0.0, t = 1.0 - day;
        const double w = 0.09 * 0.25 + (0.04 * 2 - 0.09 * 0.25) * (0.75 / 1.75) - 0.09 * day,
                     z = 0.01 + (0.12 - 0.01) * (0.5 / 1.5) - 0.02 * day;
        value[i] = call_price(100.0, 105.0, z / t, 0.0, sqrt(w / t), t);
    }
    assert_estimate(measure_of(&p, 0, "theta", "time"), value[1] - value[0], 1e-12);
    assert_true(measure_of(&p, 1, "theta", "time")->value < 0.0);
    release(&p);
}

/* The right to exchange one asset for another (W. Margrabe, 1978). */
static double exchange_price(double s, double x, double rho)
{
    const double v = sqrt(0.04 + 0.09 - 2 * rho * 0.06);
    return call_price(s, x, 0.0, 0.0, v, 1.0);
}

static void test_exchange_agrees_with_margrabe(void **state)
{
    (void)state;
    priced p;
    const double e = 1e-2, c = 1e-4;
    price_text(&p, text_of_book("texts/greeks-exchange-agrees-with-margrabe"));
#define X exchange_price
    assert_estimate(measure_of(&p, 0, "price", ""), X(100, 95, 0.4), 0.0);
    assert_estimate(measure_of(&p, 0, "delta", "B.spot"),
                    (X(100, 95 + e, 0.4) - X(100, 95 - e, 0.4)) / (2 * e), 1e-5);
    assert_estimate(measure_of(&p, 0, "gamma", "A.spot"),
                    (X(100 + e, 95, 0.4) - 2 * X(100, 95, 0.4) + X(100 - e, 95, 0.4)) / (e * e),
                    5e-5);
    assert_estimate(measure_of(&p, 0, "cross_gamma", "A.spot,B.spot"),
                    (X(100 + e, 95 + e, 0.4) - X(100 + e, 95 - e, 0.4) - X(100 - e, 95 + e, 0.4) +
                     X(100 - e, 95 - e, 0.4)) /
                        (4 * e * e),
                    2e-4);
    assert_estimate(measure_of(&p, 0, "correlation", "A.spot,B.spot"),
                    (X(100, 95, 0.4 + c) - X(100, 95, 0.4 - c)) / (2 * c), 2e-3);
    assert_estimate(measure_of(&p, 0, "rho", "USD.rate"), 0.0, 1e-9);
    release(&p);
}

/* ---- By node --------------------------------------------------------------------------------- */

static void test_nodes_add_up_to_the_parallel_shift(void **state)
{
    (void)state;
    priced p;
    price_text(&p, text_of_book("texts/greeks-nodes-add-up-to-the-parallel-shift"));
    const levy_trade_result *const t = levy_results_trade(p.results, 0);
    double vega = 0.0, rho = 0.0;
    size_t vegas = 0, rhos = 0;
    for (size_t i = 0; i < t->n_measures; ++i) {
        if (!strcmp(t->measures[i].measure, "vega_by_node")) vega += t->measures[i].value, ++vegas;
        if (!strcmp(t->measures[i].measure, "rho_by_node")) rho += t->measures[i].value, ++rhos;
    }
    assert_int_equal(vegas, 2); /* the third node lies where nothing depends on it */
    assert_int_equal(rhos, 2);
    assert_true(fabs(vega - measure_of(&p, 0, "vega", "S.volatility")->value) < 2e-4 * fabs(vega));
    assert_true(fabs(rho - measure_of(&p, 0, "rho", "USD.rate")->value) < 2e-4 * fabs(rho));
    assert_true(measure_of(&p, 0, "vega_by_node", "S.volatility[2027-11-20]")->value > 0.0);
    assert_true(measure_of(&p, 0, "rho_by_node", "USD.rate[2028-11-20]")->value > 0.0);
    release(&p);
}

/* ---- Scenarios ------------------------------------------------------------------------------- */

#define SCENARIOS                                                                                  \
    "scenarios:\n  - {id: crash, shifts: [{factor: S.spot, type: relative, size: -0.25}]}\n"       \
    "  - {id: calm, shifts: [{factor: S.volatility, type: absolute, size: -0.05}]}\n"              \
    "  - {id: hike, shifts: [{factor: USD.rate, type: absolute, size: 0.01}]}\n"                   \
    "  - {id: cut, shifts: [{factor: ALL.dividend_yield, type: relative, size: -0.5}]}\n"          \
    "  - {id: all, shifts: [{factor: S.spot, size: 0.125}, {factor: S.volatility, type: "          \
    "relative, size: 0.5}, {factor: USD.rate, type: absolute, "                                    \
    "size: 0.01}]}\n"

static void test_scenarios_are_repricings_bit_for_bit(void **state)
{
    (void)state;
    static const char *const names[] = {"S.spot", "S.volatility", "USD.rate", "S.dividend_yield"};
    const double all[] = {100.0 * (1.0 + 0.125), 0.2 * (1.0 + 0.5), 0.05 + 0.01};
    const double one[] = {100.0 * (1.0 - 0.25), 0.2 - 0.05, 0.05 + 0.01, 0.02 * 0.5};
    static const char *const ids[] = {"crash", "calm", "hike", "cut"};
    priced p;
    price_text(&p, ONE "trades:\n" CALL("c") ASIAN("a") SCENARIOS "simulation: {paths: 2^16}\n");
    for (size_t t = 0; t < 2; ++t) {
        const double base = levy_results_trade(p.results, t)->price;
        for (size_t i = 0; i < 4; ++i) {
            const double price = measure_of(&p, t, "scenario_price", ids[i])->value;
            assert_true(price == with_quotes(&p, t, &names[i], &one[i], 1));
            assert_true(fabs(measure_of(&p, t, "scenario_pnl", ids[i])->value - (price - base)) <
                        1e-12 * base);
        }
        assert_true(measure_of(&p, t, "scenario_price", "all")->value ==
                    with_quotes(&p, t, names, all, 3));
        /* on the same draws a difference is known better than its two prices */
        assert_true(measure_of(&p, t, "scenario_pnl", "hike")->std_error <
                    0.5 * measure_of(&p, t, "scenario_price", "hike")->std_error);
    }
    release(&p);
}

static void test_grids_are_every_combination(void **state)
{
    (void)state;
    priced p;
    price_text(
        &p, ONE "trades:\n" CALL(
                "c") "scenarios:\n  - id: g\n    grid: [{factor: S.spot, sizes: [-0.1, 0, 0.1]}, "
                     "{factor: S.volatility, type: absolute, sizes: [0, 0.05]}]\nsimulation: "
                     "{paths: 2^14}\n");
    assert_int_equal(levy_results_trade(p.results, 0)->n_measures, 1 + 2 * 6);
    assert_true(measure_of(&p, 0, "scenario_pnl", "g[0,0]")->value == 0.0);
    assert_true(measure_of(&p, 0, "scenario_pnl", "g[-0.1,0.05]")->value >
                measure_of(&p, 0, "scenario_pnl", "g[-0.1,0]")->value);
    assert_string_equal(levy_results_trade(p.results, 0)->measures[1].factor, "g[-0.1,0]");
    assert_string_equal(levy_results_trade(p.results, 0)->measures[3].factor, "g[-0.1,0.05]");
    release(&p);
}

static void test_scenarios_with_cash_dividends(void **state)
{
    (void)state;
    static const char *const names[] = {"S.spot"};
    const double down[] = {100.0 * (1.0 - 0.25)};
    priced p;
    price_text(&p, text_of_book("texts/greeks-scenarios-with-cash-dividends"));
    assert_true(measure_of(&p, 0, "scenario_price", "crash")->value ==
                with_quotes(&p, 0, names, down, 1));
    release(&p);
}

/* Two assets, cash and proportional dividends, correlations by date: `day` less on every time, and
 * on what was the variance until then. */
static void write_dated(char *text, size_t size, double day)
{
    snprintf(
        text, size,
        MARKET(
            "    A: {currency: USD, spot: 100, volatility: {kind: term, nodes: [[%.17g, 0.2], "
            "[%.17g, %.17g]]}, dividends: {cash: [[%.17g, 3.0]]}}\n"
            "    B: {currency: USD, spot: 95, volatility: 0.3, dividends: {proportional: [[%.17g, "
            "0.02]]}}\n") "  correlations: {kind: term, names: [A.spot, B.spot], nodes: [[%.17g, "
                          "[[1, 0.2], [0.2, 1]]], [%.17g, [[1, 0.7], [0.7, 1]]]]}\n"
                          "models: {equity: {kind: black_scholes, assets: [A, B]}}\ntrades:\n"
                          "  - {id: b, underlyings: [A, B], payment_date: %.17g, payoff: {kind: "
                          "asian, aggregate: basket, option_type: call, strike: 95, "
                          "averaging: {method: arithmetic, observations: [%.17g, %.17g]}}, "
                          "exercise: {expiry: %.17g}}\nmeasures: [theta]\n"
                          "simulation: {replicates: 32, paths: 2^19, bumps: {days: 20}}\n",
        0.4 - day, 2.0 - day, sqrt((0.18 - 0.04 * day) / (2.0 - day)), 0.5 - day, 0.25 - day,
        0.3 - day, 2.0 - day, 1.25 - day, 0.45 - day, 1.0 - day, 1.0 - day);
}

static void test_theta_is_the_price_of_the_days_to_come(void **state)
{
    (void)state;
    char text[2048];
    priced today, later;
    write_dated(text, sizeof text, 0.0);
    price_text(&today, text);
    write_dated(text, sizeof text, 20.0 / 365.0);
    price_text(&later, text);
    const levy_measure *const theta = measure_of(&today, 0, "theta", "time");
    const levy_trade_result *const a = levy_results_trade(today.results, 0);
    const levy_trade_result *const b = levy_results_trade(later.results, 0);
    const double error =
        sqrt(a->std_error * a->std_error + b->std_error * b->std_error) / 20.0 + theta->std_error;
    print_message("theta %.8g, by two prices %.8g +- %.2g\n", theta->value,
                  (b->price - a->price) / 20.0, error);
    assert_true(error < 0.05 * fabs(theta->value));
    assert_true(fabs((b->price - a->price) / 20.0 - theta->value) < 4.0 * error);
    release(&today);
    release(&later);
}

/* ---- Errors and bits ------------------------------------------------------------------------- */

/* The spread over seeds is what the standard errors say: with 150 of them and 16 replicates each,
 * root mean squares agree within 20 %. */
static void test_standard_errors_are_honest(void **state)
{
    (void)state;
    enum { SEEDS = 150, MOST = 16 };
    static double value[SEEDS][MOST], error[SEEDS][MOST];
    size_t n = 0;
    for (int s = 0; s < SEEDS; ++s) {
        char seed[16];
        priced p;
        snprintf(seed, sizeof seed, "%d", s + 1);
        const levy_setting settings[] = {{"simulation.seed", seed}, {"simulation.paths", "2^11"}};
        price_with(&p,
                   ONE "trades:\n" ASIAN("a") FIVE
                   "scenarios: [{id: crash, shifts: [{factor: S.spot, size: -0.05}]}]\n",
                   settings, 2, NULL);
        const levy_trade_result *const t = levy_results_trade(p.results, 0);
        n = t->n_measures;
        assert_true(n <= MOST);
        for (size_t i = 0; i < n; ++i)
            value[s][i] = t->measures[i].value, error[s][i] = t->measures[i].std_error;
        release(&p);
    }
    assert_int_equal(n, 8);
    for (size_t i = 0; i < n; ++i) {
        double mean = 0.0, spread = 0.0, said = 0.0;
        for (int s = 0; s < SEEDS; ++s) mean += value[s][i] / SEEDS;
        for (int s = 0; s < SEEDS; ++s)
            spread += (value[s][i] - mean) * (value[s][i] - mean) / (SEEDS - 1),
                said += error[s][i] * error[s][i] / SEEDS;
        print_message("measure %zu: spread %.3g, standard error %.3g\n", i, sqrt(spread),
                      sqrt(said));
        assert_true(sqrt(spread / said) > 0.8 && sqrt(spread / said) < 1.2);
    }
}

static void assert_same_measures(const levy_trade_result *a, const levy_trade_result *b)
{
    assert_int_equal(a->n_measures, b->n_measures);
    for (size_t i = 0; i < a->n_measures; ++i) {
        assert_string_equal(a->measures[i].measure, b->measures[i].measure);
        assert_string_equal(a->measures[i].factor, b->measures[i].factor);
        assert_memory_equal(&a->measures[i].value, &b->measures[i].value, sizeof(double));
        assert_memory_equal(&a->measures[i].std_error, &b->measures[i].std_error, sizeof(double));
    }
}

#define MIXED_A ASIAN("a")
#define MIXED_B                                                                                    \
    "  - {id: b, underlying: S, measures: [price], payoff: {kind: asian, option_type: put, "       \
    "strike: 90, averaging: {method: arithmetic, "                                                 \
    "observations: {count: 12}}}, exercise: {expiry: 1.0}}\n"
#define MIXED_C                                                                                    \
    "  - {id: c, underlying: S, measures: [theta, gamma], payoff: {kind: asian, option_type: "     \
    "call, strike: 110, averaging: {method: "                                                      \
    "geometric, observations: {count: 12}}}, exercise: {expiry: 1.0}}\n"

static void test_trades_alone_are_trades_in_a_book(void **state)
{
    (void)state;
    static const char tail[] = FIVE "simulation: {paths: 2^14}\n";
    static const char *const trades[] = {MIXED_A, MIXED_B, MIXED_C};
    priced all;
    price_text(&all, ONE "trades:\n" MIXED_A MIXED_B MIXED_C FIVE "simulation: {paths: 2^14}\n");
    assert_int_equal(levy_results_run(all.results)->groups, 1);
    assert_int_equal(levy_results_trade(all.results, 0)->n_measures, 6);
    assert_int_equal(levy_results_trade(all.results, 1)->n_measures, 1);
    assert_int_equal(levy_results_trade(all.results, 2)->n_measures, 3);
    for (size_t t = 0; t < 3; ++t) {
        char text[2048];
        priced one;
        snprintf(text, sizeof text, "%strades:\n%s%s", ONE, trades[t], tail);
        price_text(&one, text);
        assert_same_measures(levy_results_trade(all.results, t),
                             levy_results_trade(one.results, 0));
        release(&one);
    }
    release(&all);
}

static const char everything[] =
    MARKET("    A: {currency: USD, spot: 100, volatility: 0.2}\n    B: {currency: USD, spot: 95, "
           "volatility: 0.3}\n") "  correlations: {pairs: [[A.spot, B.spot, 0.4]]}\nmodels: "
                                 "{equity: {kind: black_scholes, assets: [A, B]}}\ntrades:\n"
                                 "  - {id: w, underlyings: [A, B], payoff: {kind: worst_of, "
                                 "option_type: put, strike: 100}, exercise: {expiry: 1.0}}\n"
                                 "  - {id: s, underlying: A, payoff: {kind: asian, option_type: "
                                 "call, strike: 100, averaging: {method: arithmetic, observations: "
                                 "{count: 12}}}, exercise: {expiry: 1.0}}\n"
                                 "measures: [price, delta, gamma, vega, rho, theta, vega_by_node, "
                                 "rho_by_node, cross_gamma, correlation]\n"
                                 "scenarios: [{id: g, grid: [{factor: ALL.spot, sizes: [-0.2, "
                                 "-0.1, 0.1]}, {factor: ALL.volatility, type: absolute, sizes: "
                                 "[-0.05, 0, 0.05]}]}]\n"
                                 "simulation: {paths: 2^14}\n";

static void test_bits_do_not_depend_on_processor_or_threads(void **state)
{
    (void)state;
    static const char *const sets[] = {"baseline", "avx2", "avx512", "neon"};
    priced first;
    price_text(&first, everything);
    for (size_t i = 0; i < 4; ++i) {
        const levy_price_options options = {.struct_size = sizeof options,
                                            .device = "cpu",
                                            .isa = sets[i],
                                            .threads = 1 + (uint32_t)i % 2,
                                            .batch_blocks = 1 + i};
        levy_results *results = NULL;
        /* this processor has no such */
        if (levy_price(first.book, &options, &results) != LEVY_STATUS_OK) continue;
        for (size_t t = 0; t < 2; ++t)
            assert_same_measures(levy_results_trade(first.results, t),
                                 levy_results_trade(results, t));
        levy_results_destroy(results);
    }
    release(&first);
}

static void test_single_precision_agrees_with_double(void **state)
{
    (void)state;
    static const levy_setting single[] = {{"simulation.precision", "single"}};
    static const double within[] = {1e-4, 1e-4, 2e-2, 1e-3, 1e-3, 5e-3};
    priced a, b;
    price_text(&a, ONE "trades:\n" ASIAN("a") FIVE);
    price_with(&b, ONE "trades:\n" ASIAN("a") FIVE, single, 1, NULL);
    for (size_t i = 0; i < 6; ++i) {
        const levy_measure *const x = &levy_results_trade(a.results, 0)->measures[i],
                                  *const y = &levy_results_trade(b.results, 0)->measures[i];
        if (!(fabs(x->value - y->value) <= within[i] * fabs(x->value)))
            print_error("%s: %.8g, %.8g\n", x->measure, x->value, y->value);
        assert_true(fabs(x->value - y->value) <= within[i] * fabs(x->value));
    }
    release(&a);
    release(&b);
}

/* ---- What is flagged ------------------------------------------------------------------------- */

static void test_a_jump_is_noted(void **state)
{
    (void)state;
    priced p;
    price_text(&p, text_of_book("texts/greeks-a-jump-is-noted"));
    for (size_t i = 0; i < 6; ++i) {
        const levy_measure *const noisy = &levy_results_trade(p.results, 0)->measures[i];
        assert_int_equal(noisy->flagged, 0); /* its interval is wide, and holds */
        assert_true((noisy->note != NULL) == (i > 0));
        assert_int_equal(levy_results_trade(p.results, 1)->measures[i].flagged, 0);
    }
    assert_int_equal(measure_of(&p, 0, "scenario_pnl", "up")->flagged, 0);
    release(&p);
}

/* Volatility below the bump, and a correlation of 1 less than the bump: one side only, said so. */
static void test_impossible_markets_leave_one_side(void **state)
{
    (void)state;
    priced p;
    price_text(&p, text_of_book("texts/greeks-impossible-markets-leave-one-side"));
    assert_int_equal(measure_of(&p, 0, "vega", "A.volatility")->flagged, 1);
    assert_int_equal(measure_of(&p, 0, "vega", "B.volatility")->flagged, 0);
    assert_int_equal(measure_of(&p, 0, "correlation", "A.spot,B.spot")->flagged, 1);
    assert_true(isfinite(measure_of(&p, 0, "correlation", "A.spot,B.spot")->value));
    assert_non_null(measure_of(&p, 0, "correlation", "A.spot,B.spot")->note);
    release(&p);
}

/* A correlation of Heston's less than the bump above -1. */
static void test_a_parameter_at_its_end_leaves_one_side(void **state)
{
    (void)state;
    priced p;
    price_text(&p, text_of_book("texts/greeks-a-parameter-at-its-end-leaves-one-side"));
    const levy_measure *const rho = measure_of(&p, 0, "parameters", "A.rho");
    assert_string_equal(rho->note, "one-sided: the other bumped market cannot be simulated");
    assert_true(rho->flagged && isfinite(rho->value) && isfinite(rho->std_error));
    assert_int_equal(measure_of(&p, 0, "parameters", "A.xi")->flagged, 0);
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_european_agrees_with_black_and_scholes),
        cmocka_unit_test(test_geometric_asian_agrees_with_its_closed_form),
        cmocka_unit_test(test_theta_passes_fixings),
        cmocka_unit_test(test_theta_moves_along_term_structures),
        cmocka_unit_test(test_exchange_agrees_with_margrabe),
        cmocka_unit_test(test_nodes_add_up_to_the_parallel_shift),
        cmocka_unit_test(test_scenarios_are_repricings_bit_for_bit),
        cmocka_unit_test(test_grids_are_every_combination),
        cmocka_unit_test(test_scenarios_with_cash_dividends),
        cmocka_unit_test(test_theta_is_the_price_of_the_days_to_come),
        cmocka_unit_test(test_standard_errors_are_honest),
        cmocka_unit_test(test_trades_alone_are_trades_in_a_book),
        cmocka_unit_test(test_bits_do_not_depend_on_processor_or_threads),
        cmocka_unit_test(test_single_precision_agrees_with_double),
        cmocka_unit_test(test_a_jump_is_noted),
        cmocka_unit_test(test_impossible_markets_leave_one_side),
        cmocka_unit_test(test_a_parameter_at_its_end_leaves_one_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
