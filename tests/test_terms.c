/* test_terms.c: numbers of Heston's model that are others at other times. Prices and derivatives
 * against the characteristic function, whose differential equations SciPy solves in each term
 * (DOP853, 1e-13) and whose integral is A. Lewis' (2001, SciPy's quad); second moments against the
 * steps of Runge and Kutta; scenarios and quotes against books with those numbers, and books of
 * equal terms against those of one number, bit by bit. */
#include "tests/price_fewer.h"

#include "engine/fourier/exponent.h"
#include "engine/problem/problem.h"
#include "engine/study/closed_form.h"
#include "models/model.h"
#include "tests/near.h"
#include "tests/problem_load.h"
#include "tests/text_says.h"
#include "tests/words.h"

#include <stdio.h>

#define TERM(a, b, c) "{kind: term, nodes: [[0.25, " a "], [0.75, " b "], [9, " c "]]}"
#define THETA TERM("0.03", "0.06", "0.05")
#define KAPPA TERM("3", "1.5", "0.8")
#define XI TERM("0.6", "0.4", "0.9")
#define RHO TERM("-0.8", "-0.5", "-0.9")
#define NUMBERS "v0: 0.04, theta: " THETA ", kappa: " KAPPA ", xi: " XI ", rho: " RHO
#define MARKET                                                                                     \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.03}\n  assets: {A: {currency: USD, spot: 100, " \
    "dividend_yield: 0.01}, B: {currency: USD, spot: 100}}\n"                                      \
    "  correlations: {pairs: [[A.spot, B.spot, 0.5]]}\n"
#define CALL(id, asset, strike, expiry)                                                            \
    "  - {id: " id ", underlying: " asset ", payoff: {kind: european, option_type: call, "         \
    "strike: " strike "}, exercise: {expiry: " expiry "}}\n"
#define BOOK(numbers) MARKET "models: {m: {kind: heston, assets: [A], " numbers "}}\ntrades:\n"

static const double call_of_a_year = 8.390388813866;

static void closed_forms(const char *text, size_t n, const double *expected)
{
    loaded_book book = load_text(text);
    levy_arena arena;
    double price = 0.0;
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(book.status, LEVY_OK);
    for (size_t i = 0; i < n; ++i) {
        assert_non_null(levy_closed_law(&arena, &book.problem->trades[i], &price));
        assert_near(price, expected[i], 1e-10);
    }
    levy_arena_release(&arena);
    loaded_book_release(&book);
}

static void test_closed_forms_are_those_of_the_equations(void **state)
{
    (void)state;
    static const double heston[] = {20.415951127567837, 3.464406632735043, 23.084662991921277,
                                    8.390388813866164,  11.41358054475318, 2.6216840526162803};
    closed_forms(BOOK(NUMBERS) CALL("a", "A", "80", "0.2") CALL("b", "A", "100", "0.2")
                     CALL("c", "A", "80", "1") CALL("d", "A", "100", "1") CALL("e", "A", "100", "2")
                         CALL("f", "A", "120", "2"),
                 6, heston);
    static const double bates = 9.822043655558373;
    closed_forms(MARKET
                 "models: {m: {kind: bates, assets: [A], " NUMBERS
                 ", intensity: 0.5, jump_mean: -0.1, jump_volatility: 0.15}}\ntrades:\n" CALL(
                     "a", "A", "100", "1"),
                 1, &bates);
}

/* Each within its error and what the steps leave. */
static void test_prices_and_derivatives_are_those_of_the_equations(void **state)
{
    (void)state;
    static const struct {
        const char *factor;
        double value, by_step;
    } expected[] = {{"A.v0", 35.32812, 0.1},
                    {"A.theta[0.25]", 29.62866, 0.1},
                    {"A.theta[0.75]", 26.6733, 0.1},
                    {"A.theta[9]", 2.54598, 0.1},
                    {"A.kappa[0.25]", -0.0211159, 0.002},
                    {"A.kappa[0.75]", 0.5017688, 0.01},
                    {"A.kappa[9]", 0.0601491, 0.01},
                    {"A.xi[0.25]", -0.8200597, 0.02},
                    {"A.xi[0.75]", -0.9347047, 0.03},
                    {"A.xi[9]", -0.2859906, 0.03},
                    {"A.rho[0.25]", 0.0745563, 0.02},
                    {"A.rho[0.75]", 0.1114222, 0.02},
                    {"A.rho[9]", 0.1470929, 0.04}};
    priced p = price_fewer(BOOK(NUMBERS) CALL(
        "call", "A", "100", "1") "measures: [price, parameters]\nsimulation: {paths: 2^15}\n");
    const levy_trade_result *const call = find_trade(p.results, "call");
    assert_near(call->price, call_of_a_year, 4e-3 + 4.0 * call->std_error);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
        const levy_measure *const m = measured(&p, "call", "parameters", expected[i].factor);
        assert_near(m->value, expected[i].value, expected[i].by_step + 4.0 * m->std_error);
    }
    assert_null(find_measure(call, "parameters", "A.theta"));
    release(&p);
}

/* Two assets with terms of their own, which all end on the grid. */
static void test_each_asset_has_its_terms(void **state)
{
    (void)state;
    priced p = price_fewer(MARKET "models: {m: {kind: heston, assets: [B, A], v0: [0.05, 0.04],\n"
                                  "  theta: [0.05, " THETA "], kappa: [2, " KAPPA "],\n"
                                  "  xi: [{kind: term, nodes: [[0.1, 0.9], [0.5, 0.3]]}, " XI "],\n"
                                  "  rho: [-0.6, " RHO "]}}\ntrades:\n" /**/
                           CALL("a", "A", "100", "1")
                               CALL("b", "B", "100", "1") "simulation: {paths: 2^15}\n");
    const levy_trade_result *const a = find_trade(p.results, "a"), *const b =
                                                                       find_trade(p.results, "b");
    assert_near(a->price, call_of_a_year, 6e-3 + 4.0 * a->std_error);
    assert_near(b->price, 9.940238921915556, 6e-3 + 4.0 * b->std_error);
    release(&p);
}

/* With rho = -1 and a correlation of 1 two assets are one, whatever their terms are: the worst of
 * them is the best. One asset alone has other draws, for it has fewer drivers. */
static void test_one_driver_moves_two_assets_alike(void **state)
{
    (void)state;
    priced p = price_fewer(
        "schema_version: 1\nmarket:\n  curves: {USD: 0.03}\n  assets: {A: {currency: USD, spot: "
        "100}, B: {currency: USD, spot: 100}}\n  correlations: {pairs: [[A.spot, B.spot, 1]]}\n"
        "models: {m: {kind: heston, assets: [A, B], v0: 0.04, theta: 0.04, kappa: 2, xi: {kind: "
        "term, nodes: [[0.3, 0.2], [0.6, 0.7]]}, rho: {kind: term, nodes: [[0.5, -1], [1, 1]]}}}\n"
        "trades:\n" CALL(
            "one", "A", "100",
            "1") "  - {id: worst, underlyings: [A, B], payoff: "
                 "{kind: worst_of, option_type: call, strike: 100}, exercise: {expiry: 1}}\n"
                 "  - {id: best, underlyings: [A, B], payoff: "
                 "{kind: best_of, option_type: call, strike: 100}, exercise: {expiry: 1}}\n"
                 "simulation: {paths: 2^12}\n");
    const levy_trade_result *const worst = find_trade(p.results, "worst"), *const one = find_trade(
                                                                               p.results, "one");
    assert_near(worst->price, find_trade(p.results, "best")->price, 1e-9);
    assert_near(worst->price, one->price, 4.0 * hypot(worst->std_error, one->std_error));
    release(&p);
}

static void assert_says(const priced *p, const char *text)
{
    if (!context_says(p->context, text)) fail_msg("it says %s", first_words(p->context));
}

/* ---- Terms that are alike -------------------------------------------------------------------- */

static void assert_same_bits(const priced *p, const priced *q)
{
    for (size_t t = 0; t < levy_results_size(p->results); ++t) {
        const levy_trade_result *const a = levy_results_trade(p->results, t),
                                       *const b = levy_results_trade(q->results, t);
        assert_int_equal(bits_of(a->price), bits_of(b->price));
        assert_int_equal(bits_of(a->std_error), bits_of(b->std_error));
    }
}

#define ONE(theta, kappa, xi, rho)                                                                 \
    BOOK("v0: 0.04, theta: " theta ", kappa: " kappa ", xi: " xi ", rho: " rho)                    \
    CALL("a", "A", "100", "1")                                                                     \
    CALL("b", "A", "110", "0.75") "simulation: {paths: 2^10, max_step: 0.125}\n"

/* An only node, and equal ones at dates that the grid has anyway. */
static void test_equal_terms_are_one_number(void **state)
{
    (void)state;
    priced one = price_fewer(ONE("0.05", "2", "0.5", "-0.7")),
           node = price_fewer(ONE("{kind: term, nodes: [[0.5, 0.05]]}", "2",
                                  "{kind: term, nodes: [[7, 0.5]]}", "-0.7")),
           equal = price_fewer(ONE("{kind: term, nodes: [[0.25, 0.05], [0.5, 0.05]]}",
                                   "{kind: term, nodes: [[0.75, 2], [3, 2]]}", "0.5",
                                   "[{kind: term, nodes: [[0.125, -0.7], [0.5, -0.7]]}]"));
    assert_same_bits(&one, &node);
    assert_same_bits(&one, &equal);
    release(&one);
    release(&node);
    release(&equal);
}

/* ---- Scenarios and quotes -------------------------------------------------------------------- */

#define TWO(theta, second, more)                                                                   \
    MARKET "models:\n  m: {kind: heston, assets: [A, B], v0: 0.04, theta: " theta                  \
           ", kappa: 1.5, xi: 0.5, rho: -0.7}\n  n: {kind: bates, assets: [A], v0: 0.04, "         \
           "theta: " second                                                                        \
           ", kappa: 2, xi: 0.3, rho: 0, intensity: 1, jump_mean: 0, jump_volatility: "            \
           "0.1}\ntrades:\n"                                                                       \
           "  - {id: a, model: m, underlying: A, payoff: {kind: european, option_type: call, "     \
           "strike: 100}, exercise: {expiry: 1}}\n"                                                \
           "  - {id: b, model: m, underlying: B, payoff: {kind: european, option_type: call, "     \
           "strike: 100}, exercise: {expiry: 1}}\n"                                                \
           "  - {id: c, model: n, underlying: A, payoff: {kind: european, option_type: call, "     \
           "strike: 100}, exercise: {expiry: 1}}\nsimulation: {paths: 2^10}\n" more
#define FIRST(a, b) "{kind: term, nodes: [[0.5, " a "], [1, " b "]]}"

static void assert_scenario(const priced *p, const char *name, const char *text)
{
    priced q = price_fewer(text);
    for (size_t i = 0; i < 3; ++i) {
        static const char *const ids[] = {"a", "b", "c"};
        assert_relative(measured(p, ids[i], "scenario_price", name)->value,
                        find_trade(q.results, ids[i])->price, 1e-9);
    }
    release(&q);
}

/* The node of a time is another one's number in another model. */
static void test_a_scenario_is_a_book_with_the_numbers(void **state)
{
    (void)state;
    priced p = price_fewer(
        TWO(FIRST("0.04", "0.05"), "{kind: term, nodes: [[0.25, 0.02], [0.5, 0.03], [2, 0.04]]}",
            "scenarios:\n"
            "  - {id: node, shifts: [{factor: 'A.theta[0.5]', type: absolute, size: 0.01}]}\n"
            "  - {id: other, shifts: [{factor: 'A.theta[2]', type: absolute, size: 0.01}]}\n"
            "  - {id: all, shifts: [{factor: ALL.theta, type: relative, size: 0.25}]}\n"
            "  - {id: low, shifts: [{factor: A.theta, type: absolute, size: -0.045}]}\n"));
    assert_scenario(&p, "node",
                    TWO("[" FIRST("0.05", "0.05") ", " FIRST("0.04", "0.05") "]",
                        "{kind: term, nodes: [[0.25, 0.02], [0.5, 0.04], [2, 0.04]]}", ""));
    assert_scenario(&p, "other",
                    TWO(FIRST("0.04", "0.05"),
                        "{kind: term, nodes: [[0.25, 0.02], [0.5, 0.03], [2, 0.05]]}", ""));
    assert_scenario(&p, "all",
                    TWO(FIRST("0.05", "0.0625"),
                        "{kind: term, nodes: [[0.25, 0.025], [0.5, 0.0375], [2, 0.05]]}", ""));
    assert_true(isnan(measured(&p, "a", "scenario_price", "low")->value));
    release(&p);
}

static void set_and_price(priced *p, const char *quote, double value)
{
    assert_int_equal(levy_book_set(p->book, quote, value), LEVY_STATUS_OK);
    levy_results_destroy(p->results);
    assert_int_equal(levy_price(p->book, NULL, &p->results), LEVY_STATUS_OK);
}

/* One number of both models on A; B has its own of what is written once. */
static void test_a_quote_is_a_book_with_the_numbers(void **state)
{
    (void)state;
    priced p = price_fewer(TWO(FIRST("0.04", "0.05"), FIRST("0.04", "0.05"), "")),
           node = price_fewer(TWO("[" FIRST("0.0625", "0.05") ", " FIRST("0.04", "0.05") "]",
                                  FIRST("0.0625", "0.05"), "")),
           all = price_fewer(TWO("[" FIRST("0.09375", "0.08125") ", " FIRST("0.04", "0.05") "]",
                                 FIRST("0.09375", "0.08125"), ""));
    set_and_price(&p, "A.theta[0.50]", 0.0625);
    assert_same_bits(&p, &node);
    set_and_price(&p, "A.theta", 0.03125);
    assert_same_bits(&p, &all);
    assert_int_equal(levy_book_set(p.book, "A.theta[0.5]", -0.1), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_book_set(p.book, "A.theta", -0.09), LEVY_STATUS_OK);
    assert_int_equal(levy_price(p.book, NULL, &(levy_results *){NULL}), LEVY_STATUS_INPUT);
    assert_says(&p, "a number of the model is beyond its bounds");
    release(&p);
    release(&node);
    release(&all);
}

/* The terms keep their dates while time passes. */
static void test_time_passes_into_the_terms(void **state)
{
    (void)state;
    priced p = price_fewer(BOOK(NUMBERS) CALL("call", "A", "100", "1") "simulation: {paths: 2^15}\n"
                                                                       "scenarios: [{id: later, "
                                                                       "shifts: [{factor: days, "
                                                                       "size: 73}]}]\n");
    const levy_measure *const later = measured(&p, "call", "scenario_price", "later");
    assert_near(later->value, 7.765057210400907, 6e-3 + 4.0 * later->std_error);
    release(&p);
}

/* ---- Moments --------------------------------------------------------------------------------- */

/* The time in which B of E S^2, from a term's end back, is infinite, by Runge and Kutta's steps of
 * an angle whose tangent it is: B = tan(x). `until` if it is not before. */
static double explosion(const double (*terms)[5], size_t n, double until)
{
    enum { STEPS = 40000 };
    double x = 0.0;
    for (size_t k = n; k-- > 0;) {
        const double from = k ? terms[k - 1][0] : 0.0, to = fmin(terms[k][0], until);
        const double kappa = terms[k][2], xi = terms[k][3], push = 2.0 * terms[k][4] * xi - kappa,
                     h = (to - from) / STEPS;
        for (size_t i = 0; h > 0.0 && i < STEPS; ++i) {
            double slope[4], at = x;
            for (size_t j = 0; j < 4; ++j) {
                const double s = sin(at), c = cos(at);
                slope[j] = c * c + push * s * c + 0.5 * xi * xi * s * s;
                at = x + (j < 2 ? 0.5 * h : h) * slope[j];
            }
            x += h / 6.0 * (slope[0] + 2.0 * slope[1] + 2.0 * slope[2] + slope[3]);
            if (x >= 1.5707963267948966) return 0.0;
        }
    }
    return until;
}

static void test_squares_explode_when_their_equation_does(void **state)
{
    (void)state;
    static const double terms[][3][5] = {
        {{0.5, 0.04, 1, 0.3, -0.5}, {1.5, 0.04, 1, 0.6, 0.9}, {INFINITY, 0.04, 1, 1, 0.9}},
        {{0.25, 0.04, 1, 1, 0.9}, {0.5, 0.04, 1, 0.3, 0}, {INFINITY, 0.04, 1, 0.9, 0.8}},
        {{0.25, 0.04, 1, 2, 0.9}, {0.5, 0.04, 1, 1, 0}, {INFINITY, 0.04, 2, 0.3, -0.8}},
        {{1, 0.04, 1, 2, 0.9}, {2, 0.04, 1, 1, 0}, {INFINITY, 0.04, 2, 0.3, -0.8}}};
    for (size_t i = 0; i < sizeof terms / sizeof *terms; ++i) {
        double p[17] = {0.04, 3.0};
        memcpy(p + 2, terms[i], sizeof terms[i]);
        const double years = levy_exponent_heston_terms_explode(p, 2.0);
        if (years < INFINITY) {
            assert_true(explosion(terms[i], 3, years * 0.999) > 0.0);
            assert_true(explosion(terms[i], 3, years * 1.001) == 0.0);
        } else
            assert_true(explosion(terms[i], 3, 50.0) == 50.0);
        assert_int_equal(years < INFINITY, i != 2);
    }
}

/* The mean of the integrated variance, of which a variance swap has the fair strike. */
static void test_the_mean_of_the_variance(void **state)
{
    (void)state;
    priced p = price_fewer(
        BOOK(NUMBERS) "  - {id: swap, underlying: A, payoff: {kind: script, script: \"at expiry { "
                      "pay 1000 * A.integrated_variance }\\n\"}, exercise: {expiry: 2}}\n"
                      "simulation: {paths: 2^14}\n");
    const levy_trade_result *const swap = find_trade(p.results, "swap");
    assert_near(swap->price, 1000.0 * exp(-0.06) * 0.09133503381899238,
                0.02 + 4.0 * swap->std_error);
    release(&p);
}

/* ---- Grids and refusals ---------------------------------------------------------------------- */

/* The terms' ends are dates, and only the terms that need it have shorter steps. */
static void test_terms_end_on_the_grid(void **state)
{
    (void)state;
    static const struct {
        const char *numbers;
        double max_step;
        size_t dates;
    } cases[] = {
        {"v0: 0.04, theta: " TERM("0.04", "0.04", "0.04") ", kappa: 1, xi: 1, rho: 0", 5.0, 2},
        {"v0: 0.04, theta: 0.04, kappa: 1, xi: {kind: term, nodes: [[0.5, 1], [1, 4]]}, "
         "rho: {kind: term, nodes: [[0.5, 0], [1, 0.9]]}",
         5.0, 4},
        {"v0: 0.04, theta: " TERM("0.04", "0.04", "0.04") ", kappa: 1, xi: 1, rho: 0", 0.1, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[2048];
        snprintf(text, sizeof text,
                 BOOK("%s") CALL("a", "A", "100", "1") "simulation: {max_step: %g}\n",
                 cases[i].numbers, cases[i].max_step);
        loaded_book book = load_text(text);
        assert_int_equal(book.status, LEVY_OK);
        const levy_model *const m = book.problem->trades[0].model;
        double dates[16], grid[17];
        const double expiry = 1.0;
        const levy_model_kind *const kind = levy_model_kinds[m->kind];
        const size_t n = kind->dates(m->terms, cases[i].max_step, &expiry, 1, dates);
        assert_int_equal(n, cases[i].dates);
        memcpy(grid, dates, n * sizeof *grid);
        grid[n] = expiry;
        for (size_t k = 0; k < n; ++k) assert_true(grid[k] < grid[k + 1]);
        assert_int_equal(kind->dates(m->terms, cases[i].max_step, grid, n + 1, NULL), 0);
        loaded_book_release(&book);
    }
}

/* Once, whatever the number of assets that share the term. */
static void test_a_node_of_today_is_said_once(void **state)
{
    (void)state;
    static const char text[] =
        MARKET "models: {m: {kind: heston, assets: [A, B], v0: 0.04, kappa: 2, xi: 0.5, rho: 0,\n"
               "  theta: [{kind: term, nodes: [[0, 0.02], [0.5, 0.04], [1, 0.05]]}]}}\n"
               "trades:\n" CALL("a", "A", "100", "1");
    levy_context *context;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_book *const book = read_book(context, text, NULL, 0);
    assert_int_equal(levy_diagnostic_count(context), 1);
    assert_true(context_says(context, "models.m.theta[0].nodes[0][0]: the node 0 is on the"));
    levy_book_destroy(book);
    levy_context_destroy(context);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{kind: term, nodes: [[0.5, 0.04], [0.25, 0.05]]}",
         "models.m.theta.nodes[1][0]: 0.25 is not after 0.5"},
        {"[{kind: term, nodes: [[-1, 0.04], [1, 0.04]]}]",
         "models.m.theta[0].nodes[0][0]: -1 is not after the valuation"},
        {"{kind: term, nodes: [[0, 0.04], [1, 0.04]]}", "the node 0 is on the valuation"},
        {"{kind: term, nodes: [[1, 50]]}", "models.m.theta.nodes[0][1]: must be <= 25; got 50"},
        {"{kind: terms, nodes: [[1, 0.04]]}", "unknown kind 'terms'; did you mean 'term'?"},
        {"{kind: term, node: [[1, 0.04]]}", "unknown key; did you mean 'nodes'?"},
        {"{kind: term, nodes: []}", "must not be empty"},
        {"{nodes: [[1, 0.04]]}", "missing key 'kind'"},
        {"{kind: term, nodes: [[2027-01-01, 0.04]]}", "is the date 2027-01-01"},
        {"[0.04, {kind: term, nodes: [[1, 0.04]]}]", "has 2 numbers for 1 asset"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[2048];
        snprintf(text, sizeof text,
                 BOOK("v0: 0.04, theta: %s, kappa: 1, xi: 0.5, rho: 0") CALL("a", "A", "100", "1"),
                 cases[i][0]);
        assert_text_says(text, cases[i][0], cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms_are_those_of_the_equations),
        cmocka_unit_test(test_prices_and_derivatives_are_those_of_the_equations),
        cmocka_unit_test(test_each_asset_has_its_terms),
        cmocka_unit_test(test_one_driver_moves_two_assets_alike),
        cmocka_unit_test(test_equal_terms_are_one_number),
        cmocka_unit_test(test_a_scenario_is_a_book_with_the_numbers),
        cmocka_unit_test(test_a_quote_is_a_book_with_the_numbers),
        cmocka_unit_test(test_time_passes_into_the_terms),
        cmocka_unit_test(test_squares_explode_when_their_equation_does),
        cmocka_unit_test(test_the_mean_of_the_variance),
        cmocka_unit_test(test_terms_end_on_the_grid),
        cmocka_unit_test(test_a_node_of_today_is_said_once),
        cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
