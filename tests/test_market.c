/* test_market.c: what the market of a book means: curves, assets, correlations, models. Expected
 * numbers come from the formula beside them, worked with libm or by hand, never from the engine. */
#include "tests/problem_case.h"
#include "tests/files.h"

/* ---- Curves ---- */

#define CURVE(text)                                                                                \
    "schema_version: 1\nmarket:\n  curves: {USD: " text "}\n"                                      \
    "  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}\nmodels: {m: {kind: "              \
    "black_scholes, assets: [A]}}\n"                                                               \
    "trades: [{id: t, exercise: {expiry: 1.0}, " CALL_ON_A "}]\n"

static const levy_curve *load_curve(const char *text)
{
    return load_good(text)->trades[0].discount_curve;
}

static void test_curve_bare_number_is_flat_continuous(void **state)
{
    (void)state;
    const levy_curve *curve = load_curve(CURVE("0.05"));
    assert_close(levy_curve_log_discount(curve, 2), -0.1, 1e-15);
    assert_close(levy_curve_log_discount(curve, 0.25), -0.0125, 1e-15);
    assert_true(levy_curve_log_discount(curve, 0) == 0);
    assert_true(levy_curve_log_discount(curve, -1) == 0);
}

static void test_curve_flat_compounding(void **state)
{
    static const struct {
        const char *text;
        double periods;
    } cases[] = {{CURVE("{kind: flat, rate: 0.06, compounding: annual}"), 1},
                 {CURVE("{kind: flat, rate: 0.06, compounding: semi_annual}"), 2},
                 {CURVE("{kind: flat, rate: 0.06, compounding: Quarterly}"), 4}};
    (void)state;
    for (size_t i = 0; i < 3; ++i) {
        const levy_curve *curve = load_curve(cases[i].text);
        assert_close(levy_curve_log_discount(curve, 3),
                     -3 * cases[i].periods * log1p(0.06 / cases[i].periods), 1e-14);
        release_book(NULL);
    }
}

static void test_curve_zero_nodes_keep_their_quotes(void **state)
{
    (void)state;
    const levy_curve *curve = load_curve(CURVE("{kind: zero, nodes: [[0.5, 0.03], [2, 0.04]]}"));
    assert_close(levy_curve_log_discount(curve, 0.5), -0.015, 1e-15);
    assert_close(levy_curve_log_discount(curve, 2), -0.08, 1e-15);
}

static double forward_of(const levy_curve *curve, double t)
{
    const double h = 1e-5;
    return (levy_curve_log_discount(curve, t - h) - levy_curve_log_discount(curve, t + h)) /
           (2 * h);
}

/* Forwards within intervals: the first, second and fifth by QuantLib 1.44 (ConvexMonotone), those
 * between by the paper's formula in another program. All forwards between nodes are positive. */
static void test_curve_monotone_convex(void **state)
{
    (void)state;
    static const double at[][2] = {{0.05, 0.081152778},
                                   {0.5, 0.06902754},
                                   {2, 0.026241154},
                                   {6, 0.105069443},
                                   {25, 0.009675325}};
    static const double nodes[][2] = {{0.1, 0.081}, {1, 0.07},  {4, 0.044},
                                      {9, 0.07},    {20, 0.04}, {30, 0.03}};
    const levy_curve *curve = load_curve(
        CURVE("{kind: zero, interpolation: monotone_convex, nodes: [[0.1, 0.081], [1, 0.07], "
              "[4, 0.044], [9, 0.07], [20, 0.04], [30, 0.03]]}"));
    for (size_t i = 0; i < sizeof at / sizeof *at; ++i)
        assert_close(forward_of(curve, at[i][0]), at[i][1], 1e-7);
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; ++i) {
        const double t = nodes[i][0];
        assert_close(levy_curve_log_discount(curve, t), -nodes[i][1] * t, 1e-15);
        assert_close(forward_of(curve, t - 2e-5), forward_of(curve, t + 2e-5), 1e-4);
    }
    for (double t = 0.01; t < 31; t += 0.01) assert_true(forward_of(curve, t) > -1e-9);
    assert_close(forward_of(curve, 40), forward_of(curve, 30.1), 1e-8);
}

/* By the paper the forwards at both ends follow from those beside them before any is bounded: here
 * 0.01 + (0.01 - 0.025) / 2 and 0.04 + (0.04 - 0.025) / 2. The one between is bounded to 0.02. */
static void test_curve_monotone_convex_ends(void **state)
{
    (void)state;
    const levy_curve *curve = load_curve(
        CURVE("{kind: zero, interpolation: monotone_convex, nodes: [[1, 0.01], [2, 0.025]]}"));
    assert_close(forward_of(curve, 2e-5), 0.0025, 1e-3);
    assert_close(forward_of(curve, 1.0), 0.02, 1e-5);
    assert_close(forward_of(curve, 3.0), 0.0475, 1e-9);
}

/* A rate from node to node that passes 0 moves no forward by a jump, and a curve of rates below 0
 * is that of their opposites. */
static void test_curve_monotone_convex_passes_zero(void **state)
{
    const levy_curve *above = load_curve(CURVE(
        "{kind: zero, interpolation: monotone_convex, nodes: [[1, 0.02], [2, 0.0100000001]]}"));
    const double before = levy_curve_log_discount(above, 1.5),
                 far = levy_curve_log_discount(above, 3.0);
    release_book(state);
    const levy_curve *below = load_curve(CURVE(
        "{kind: zero, interpolation: monotone_convex, nodes: [[1, 0.02], [2, 0.0099999999]]}"));
    assert_close(levy_curve_log_discount(below, 1.5), before, 1e-7);
    assert_close(levy_curve_log_discount(below, 3.0), far, 1e-7);
    release_book(state);
    const levy_curve *up = load_curve(CURVE("{kind: zero, interpolation: monotone_convex, nodes: "
                                            "[[1, 0.01], [2, 0.025], [5, 0.012]]}"));
    const double value = levy_curve_log_discount(up, 1.3);
    release_book(state);
    const levy_curve *down = load_curve(CURVE("{kind: zero, interpolation: monotone_convex, nodes: "
                                              "[[1, -0.01], [2, -0.025], [5, -0.012]]}"));
    assert_close(levy_curve_log_discount(down, 1.3), -value, 1e-15);
}

static void test_curve_log_linear_has_flat_forwards(void **state)
{
    (void)state;
    const levy_curve *curve = load_curve(CURVE("{kind: zero, nodes: [[1, 0.03], [2, 0.04]]}"));
    assert_close(levy_curve_log_discount(curve, 0.5), -0.015, 1e-15);
    /* halfway from -0.03 to -0.08 */
    assert_close(levy_curve_log_discount(curve, 1.5), -0.055, 1e-15);
    /* the last forward, 0.05, goes on */
    assert_close(levy_curve_log_discount(curve, 3), -0.13, 1e-15);
}

static void test_curve_linear_zero(void **state)
{
    (void)state;
    const levy_curve *curve = load_curve(
        CURVE("{kind: zero, interpolation: linear_zero, nodes: [[1, 0.03], [2, 0.04]]}"));
    assert_close(levy_curve_log_discount(curve, 0.5), -0.015, 1e-15);
    assert_close(levy_curve_log_discount(curve, 1.5), -1.5 * 0.035, 1e-14);
    assert_close(levy_curve_log_discount(curve, 3), -0.12, 1e-15);
}

static void test_curve_simple_compounding(void **state)
{
    (void)state;
    const levy_curve *curve =
        load_curve(CURVE("{kind: zero, compounding: simple, nodes: [[0.5, 0.03]]}"));
    assert_close(levy_curve_log_discount(curve, 0.5), -log1p(0.015), 1e-14);
}

static void test_curve_discount_nodes(void **state)
{
    (void)state;
    const levy_curve *curve = load_curve(CURVE("{kind: discount, nodes: [[1, 0.97], [2, 0.93]]}"));
    assert_close(levy_curve_log_discount(curve, 1), log(0.97), 1e-14);
    assert_close(levy_curve_log_discount(curve, 1.25), 0.75 * log(0.97) + 0.25 * log(0.93), 1e-14);
}

static void test_curve_day_count_of_quotes(void **state)
{
    (void)state;
    const levy_problem *problem = load_good(text_of_book("texts/market-curve-day-count-of-quotes"));
    assert_close(problem->trades[0].claim.expiry, 1, 1e-15); /* model time stays ACT/365.FIXED */
    assert_close(levy_trade_discount(&problem->trades[0]), exp(-0.05 * 365 / 360), 1e-15);
}

static void test_curve_negative_rates_pass(void **state)
{
    (void)state;
    const levy_curve *curve = load_curve(CURVE("-0.01"));
    assert_close(levy_curve_log_discount(curve, 1), 0.01, 1e-15);
}

static void test_curve_large_rate_warns(void **state)
{
    (void)state;
    loaded = load_text(CURVE("1.5"));
    assert_int_equal(loaded.status, LEVY_OK);
    assert_int_equal(loaded.faults.warnings, 1);
    assert_true(
        loaded_book_says(&loaded, "warning: market.curves.USD: a rate of 1.5 is unusually large"));
}

/* ---- Assets ---- */

static const levy_asset *load_asset(const char *text)
{
    return load_good(text)->models[0].assets[0];
}

#define ASSET(text)                                                                                \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets: {A: {currency: USD, spot: "      \
    "100, " text "}}\n"                                                                            \
    "models: {m: {kind: black_scholes, assets: [A]}}\ntrades: [{id: t, exercise: {expiry: "        \
    "1.0}, " CALL_ON_A "}]\n"

static void test_asset_flat_volatility(void **state)
{
    (void)state;
    const levy_asset *asset = load_asset(ASSET("volatility: 0.2"));
    assert_close(levy_asset_variance(asset, 0.25), 0.01, 1e-15);
    assert_close(levy_asset_variance(asset, 9), 0.36, 1e-15);
    assert_true(levy_asset_variance(asset, 0) == 0);
}

static void test_asset_term_volatility_is_linear_in_variance(void **state)
{
    (void)state;
    const levy_asset *asset =
        load_asset(ASSET("volatility: {kind: term, nodes: [[1, 0.2], [4, 0.3]]}"));
    assert_close(levy_asset_variance(asset, 1), 0.04, 1e-15);
    assert_close(levy_asset_variance(asset, 2.5), 0.5 * (0.04 + 0.36), 1e-14);
    assert_close(levy_asset_variance(asset, 7), 0.36 + 0.32, 1e-14);
    assert_close(levy_asset_variance(asset, 0.5), 0.02, 1e-15);
}

static void test_asset_growth(void **state)
{
    (void)state;
    const levy_asset *asset = load_asset(ASSET("volatility: 0.2, dividend_yield: 0.02, borrow: "
                                               "0.005, dividends: {proportional: [[0.5, 0.1]]}"));
    assert_close(levy_asset_log_forward(asset, 0.25), 0.025 * 0.25, 1e-14);
    assert_close(levy_asset_log_forward(asset, 1), 0.025 + log(0.9), 1e-14);
    /* the ex time sees the lower spot */
    assert_close(levy_asset_log_forward(asset, 0.5), 0.0125 + log(0.9), 1e-14);
}

static void test_asset_curve_of_its_own(void **state)
{
    (void)state;
    const levy_problem *problem =
        load_good("schema_version: 1\nmarket:\n  curves: {USD: 0.05, REPO: 0.01}\n"
                  "  assets: {A: {currency: USD, curve: REPO, spot: 100, volatility: 0.2}}\n"
                  "models: {m: {kind: black_scholes, assets: [A]}}\ntrades: [{id: t, exercise: "
                  "{expiry: 1.0}, " CALL_ON_A "}]\n");
    assert_close(levy_asset_log_forward(problem->models[0].assets[0], 2), 0.02, 1e-15);
    assert_close(levy_trade_discount(&problem->trades[0]), exp(-0.05), 1e-15);
}

static void test_asset_past_dividends_are_told_of(void **state)
{
    (void)state;
    loaded = load_text(ASSET("volatility: 0.2, dividends: {cash: [[-0.1, 2], [0.4, 3]]}"));
    assert_int_equal(loaded.status, LEVY_OK);
    assert_true(loaded_book_says(&loaded, "warning: market.assets.A.dividends.cash[0][0]"));
    const levy_asset *asset = loaded.problem->models[0].assets[0];
    assert_int_equal(asset->carry.cash.n, 1);
    assert_true(asset->carry.cash.times[0] == 0.4 && asset->carry.cash.values[0] == 3);
}

static void test_asset_dividends_above_spot_are_refused(void **state)
{
    (void)state;
    assert_refused(ASSET("volatility: 0.2, dividends: {cash: [[0.1, 60], [0.2, 60]]}"),
                   "is not below the spot, 100");
}

static void test_asset_falling_variance_names_nodes(void **state)
{
    (void)state;
    assert_refused(ASSET("volatility: {kind: term, nodes: [[1, 0.4], [2, 0.1]]}"),
                   "(node 1) to 0.02 (node 2)");
    assert_true(loaded_book_says(&loaded, "hint: The volatility to 2 must be at least 0.282844."));
}

static void test_asset_high_volatility_warns(void **state)
{
    (void)state;
    loaded = load_text(ASSET("volatility: 2.5"));
    assert_int_equal(loaded.status, LEVY_OK);
    assert_true(
        loaded_book_says(&loaded, "warning: market.assets.A.volatility: a volatility of 2.5"));
}

static void test_asset_high_yield_warns(void **state)
{
    (void)state;
    loaded = load_text(ASSET("volatility: 0.2, dividend_yield: 1.3"));
    assert_int_equal(loaded.status, LEVY_OK);
    assert_true(loaded_book_says(
        &loaded, "warning: market.assets.A.dividend_yield: a rate of 1.3 is unusually large"));
}

/* ---- Correlations and models ---- */

#define THREE(correlations)                                                                        \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n"                               \
    "    A: {currency: USD, spot: 1, volatility: 0.2}\n    B: {currency: USD, spot: 2, "           \
    "volatility: 0.2}\n"                                                                           \
    "    C: {currency: USD, spot: 3, volatility: 0.2}\n  correlations: " correlations "\n"         \
    "models: {m: {kind: black_scholes, assets: [C, A, B]}}\n"                                      \
    "trades: [{id: t, exercise: {expiry: 1.0}, underlying: A, " CALL "}]\n"

static void test_correlation_follows_the_model_order(void **state)
{
    (void)state;
    const levy_problem *problem = load_good(THREE("{names: [A.spot, B.spot, C.spot], matrix: [[1, "
                                                  "0.1, 0.2], [0.1, 1, 0.3], [0.2, 0.3, 1]]}"));
    const levy_model *model = &problem->models[0];
    static const double want[9] = {1, 0.2, 0.3, 0.2, 1, 0.1, 0.3, 0.1, 1}; /* C, A, B */
    assert_int_equal(model->correlation.n, 1);
    for (size_t i = 0; i < 9; ++i) assert_true(model->correlation.matrices[i] == want[i]);
    assert_true(problem->trades[0].underlyings[0] == 1);
}

static void test_correlation_pairs(void **state)
{
    (void)state;
    const levy_problem *problem = load_good(
        THREE("{pairs: [[B.spot, A.spot, 0.1], [C.spot, A.spot, 0.2], [B.spot, C.spot, 0.3]]}"));
    static const double want[9] = {1, 0.2, 0.3, 0.2, 1, 0.1, 0.3, 0.1, 1};
    for (size_t i = 0; i < 9; ++i)
        assert_true(problem->models[0].correlation.matrices[i] == want[i]);
}

static void test_correlation_term(void **state)
{
    (void)state;
    const levy_problem *problem = load_good(text_of_book("texts/market-correlation-term"));
    const levy_correlation *correlation = &problem->models[0].correlation;
    assert_int_equal(correlation->n, 2);
    assert_true(correlation->times[0] == 0.5 && correlation->matrices[1] == 0.1 &&
                correlation->matrices[5] == 0.9);
}

static void test_correlation_missing_pair_is_named(void **state)
{
    (void)state;
    assert_refused(THREE("{pairs: [[B.spot, A.spot, 0.1], [C.spot, A.spot, 0.2]]}"),
                   "the correlation of C and B is missing");
    assert_int_equal(loaded.faults.items[0].reason, LEVY_REASON_MISSING_DATA);
}

/* 1, -0.9, -0.9 over three assets: the eigenvalue 1 - 2 * 0.9 belongs to (1, 1, 1). */
static void test_correlation_indefinite_names_the_eigenvalue(void **state)
{
    (void)state;
    assert_refused(THREE("{names: [A.spot, B.spot, C.spot], matrix: [[1, -0.9, -0.9], [-0.9, 1, "
                         "-0.9], [-0.9, -0.9, 1]]}"),
                   "the smallest eigenvalue is -0.8, through C, A and B");
    assert_int_equal(loaded.faults.count, 1);
}

static void test_correlation_culprits_are_those_that_clash(void **state)
{
    (void)state;
    assert_refused("schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n"
                   "    A: {currency: USD, spot: 1, volatility: 0.2}\n    B: {currency: USD, spot: "
                   "2, volatility: 0.2}\n"
                   "    C: {currency: USD, spot: 3, volatility: 0.2}\n    D: {currency: USD, spot: "
                   "3, volatility: 0.2}\n"
                   "  correlations: {names: [A.spot, B.spot, C.spot, D.spot],\n"
                   "    matrix: [[1, 0, 0.99, -0.99], [0, 1, 0, 0], [0.99, 0, 1, 0.99], [-0.99, 0, "
                   "0.99, 1]]}\n"
                   "models: {m: {kind: black_scholes, assets: [A, B, C, D]}}\ntrades: [{id: t, "
                   "exercise: {expiry: 1.0}, " CALL_ON_A "}]\n",
                   ", through A, C and D");
}

/* A perfect correlation is semidefinite: the eigenvalue is 0 but for rounding. */
static void test_correlation_of_one_is_accepted(void **state)
{
    (void)state;
    load_good(
        THREE("{names: [A.spot, B.spot, C.spot], matrix: [[1, 1, 1], [1, 1, 1], [1, 1, 1]]}"));
}

/* Only what a model needs is checked. */
static void test_correlation_unused_part_may_be_anything(void **state)
{
    (void)state;
    loaded = load_text(text_of_book("texts/market-correlation-unused-part-may-be-anything"));
    assert_int_equal(loaded.status, LEVY_OK);
    assert_true(loaded_book_says(&loaded, "warning: market.assets.C: no trade uses this asset"));
}

static char *many_assets(size_t n)
{
    char *text = malloc(200 + 200 * n), *at = text;
    at += sprintf(at, "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n");
    for (size_t i = 0; i < n; ++i)
        at += sprintf(at, "    X%zu: {currency: USD, spot: 1, volatility: 0.2}\n", i);
    at += sprintf(at, "models: {m: {kind: black_scholes, assets: [");
    for (size_t i = 0; i < n; ++i) at += sprintf(at, "%sX%zu", i ? ", " : "", i);
    sprintf(at, "]}}\ntrades: [{id: t, underlying: X0, exercise: {expiry: 1.0}, " CALL "}]\n");
    return text;
}

static void test_model_takes_at_most_100_assets(void **state)
{
    (void)state;
    char *text = many_assets(101);
    loaded = load_text(text);
    free(text);
    assert_int_equal(loaded.status, LEVY_INPUT);
    assert_true(loaded_book_says(&loaded, "a model has at most 100 assets; got 101"));
    assert_int_equal(loaded.faults.items[0].reason, LEVY_REASON_LIMIT);
}

#define BOOK_TEST(name) cmocka_unit_test_teardown(name, release_book)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOOK_TEST(test_curve_bare_number_is_flat_continuous),
        BOOK_TEST(test_curve_flat_compounding),
        BOOK_TEST(test_curve_zero_nodes_keep_their_quotes),
        BOOK_TEST(test_curve_log_linear_has_flat_forwards),
        BOOK_TEST(test_curve_monotone_convex),
        BOOK_TEST(test_curve_monotone_convex_ends),
        BOOK_TEST(test_curve_monotone_convex_passes_zero),
        BOOK_TEST(test_curve_linear_zero),
        BOOK_TEST(test_curve_simple_compounding),
        BOOK_TEST(test_curve_discount_nodes),
        BOOK_TEST(test_curve_day_count_of_quotes),
        BOOK_TEST(test_curve_negative_rates_pass),
        BOOK_TEST(test_curve_large_rate_warns),
        BOOK_TEST(test_asset_flat_volatility),
        BOOK_TEST(test_asset_term_volatility_is_linear_in_variance),
        BOOK_TEST(test_asset_growth),
        BOOK_TEST(test_asset_curve_of_its_own),
        BOOK_TEST(test_asset_past_dividends_are_told_of),
        BOOK_TEST(test_asset_dividends_above_spot_are_refused),
        BOOK_TEST(test_asset_falling_variance_names_nodes),
        BOOK_TEST(test_asset_high_volatility_warns),
        BOOK_TEST(test_asset_high_yield_warns),
        BOOK_TEST(test_correlation_follows_the_model_order),
        BOOK_TEST(test_correlation_pairs),
        BOOK_TEST(test_correlation_term),
        BOOK_TEST(test_correlation_missing_pair_is_named),
        BOOK_TEST(test_correlation_indefinite_names_the_eigenvalue),
        BOOK_TEST(test_correlation_culprits_are_those_that_clash),
        BOOK_TEST(test_correlation_of_one_is_accepted),
        BOOK_TEST(test_correlation_unused_part_may_be_anything),
        BOOK_TEST(test_model_takes_at_most_100_assets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
