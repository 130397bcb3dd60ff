/* test_words.c: words that people write for keys, kinds and values. Each is refused, and the hint
 * has the line to write, with the values as written; and no two hints of a file contradict. */
#include "tests/problem_case.h"

#define WORDS_A "A: {currency: USD, spot: 100, volatility: 0.2"
#define WORDS_HEAD(asset, more)                                                                    \
    "schema_version: 1\n"                                                                          \
    "market:\n"                                                                                    \
    "  curves: {USD: 0.05}\n"                                                                      \
    "  assets: {" WORDS_A asset "}, B: {currency: USD, spot: 50, volatility: 0.3}}\n"              \
    "  correlations: {pairs: [[A.spot, B.spot, 0.5]]}\n" more                                      \
    "models: {m: {kind: black_scholes, assets: [A, B]}}\n"
#define WORDS_TRADE(rest) WORDS_HEAD("", "") "trades: [{id: t, " rest "}]\n"
#define WORDS_PAYOFF(rest) WORDS_TRADE("underlying: A, exercise: 1, payoff: {" rest "}")
#define WORDS_CALL "payoff: {kind: european, option_type: call, strike: 100}"
#define WORDS_PLAIN "underlying: A, exercise: 1, " WORDS_CALL
typedef struct words_case {
    const char *text, *hint;
} words_case;

static void words_check(const words_case *cases, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        assert_refused(cases[i].text, cases[i].hint);
        release_book(NULL);
    }
}
#define WORDS_CHECK(cases) words_check(cases, sizeof(cases) / sizeof *(cases))

static void test_words_of_a_trade(void **state)
{
    static const words_case cases[] = {
        {WORDS_TRADE("underlying: A, exercise: 1, option: put"),
         "Write payoff: {kind: european, option_type: put, strike: 100}."},
        {WORDS_TRADE("underlying: A, exercise: 1, barrier_type: down_and_in, strike: 90"),
         "strike: 90, barrier: {direction: down, knock: in, "},
        {WORDS_TRADE("asset_name: A, exercise: 1, " WORDS_CALL), "Write underlying: A."},
        {WORDS_TRADE(WORDS_PLAIN ", portfolio: exotics"), "Write book: exotics."},
        {WORDS_TRADE(WORDS_PLAIN ", book_id: exotics"), "Write book: exotics."},
        {WORDS_TRADE(WORDS_PLAIN ", quanto: EUR"), "name it under currency, without"},
        {WORDS_TRADE(WORDS_PLAIN ", vega_notional: 1000"), "Write notional: 1000 for a vol"},
        {WORDS_TRADE(WORDS_PLAIN ", weights: [0.5, 0.5]"), "write underlyings: [{name: "},
    };
    (void)state;
    WORDS_CHECK(cases);
}

static void test_words_of_a_payoff(void **state)
{
    static const words_case cases[] = {
        {WORDS_PAYOFF("kind: european, cp: P, strike: 90"), "Write option_type: put."},
        {WORDS_PAYOFF("kind: european, is_call: false, strike: 90"), "Write option_type: put."},
        {WORDS_PAYOFF("kind: european, option_type: C, strike: 90"), "Write option_type: call."},
        {WORDS_PAYOFF("kind: european, option_type: P, strike: 90"), "Write option_type: put."},
        {WORDS_PAYOFF("kind: basket, option_type: call, strike: 90, weights: [0.5, 0.5]"),
         "write underlyings: [{name: "},
        {WORDS_PAYOFF("kind: variance_swap, strike: 0.2, observations: {count: 252}, "
                      "vega_notional: 1000"),
         "write notional: 1000 there for a volatility swap."},
        {WORDS_PAYOFF("kind: lookback, option_type: call, monitoring: continuous"),
         "It belongs under lookback: write monitoring: continuous."},
    };
    (void)state;
    WORDS_CHECK(cases);
}

/* A kind in other letters, or under another word. What the map has is not asked for again. */
static void test_words_for_kinds(void **state)
{
    static const words_case cases[] = {
        {WORDS_PAYOFF("kind: fx_option, option_type: put, strike: 90"), "Write kind: european."},
        {WORDS_PAYOFF("kind: varswap, strike: 0.3"), "Write observations: {count: 252}, for ex"},
        {WORDS_PAYOFF("kind: Variance swap, strike: 0.3"), "Write kind: variance_swap."},
        {WORDS_PAYOFF("kind: Phoenix autocall, coupon: 0.3"), "Write {kind: phoenix, "},
        {WORDS_PAYOFF("kind: Phoenix autocall, coupon: 0.3"), "coupon: 0.3, "},
        {WORDS_PAYOFF("type: Put, strike: 90"), "Write {kind: european, option_type: "},
        {"schema_version: 1\nmodels: {m: {kind: gbm, assets: [A]}}\n",
         "Write kind: black_scholes."},
    };
    (void)state;
    WORDS_CHECK(cases);
}

static void test_words_of_a_market_and_a_simulation(void **state)
{
    static const words_case cases[] = {
        {WORDS_HEAD(", div: 0.01", ""), "Write dividend_yield: 0.01."},
        {WORDS_HEAD(", r: 0.03", ""), "write curves: {USD: 0.03} under market."},
        {WORDS_HEAD(", forward: 103", ""), "write spot in place of it."},
        {WORDS_HEAD(", drift: 0.03", ""), "remove this key."},
        {WORDS_HEAD("", "  discount: 0.04\n"), "Write curves: {USD: 0.04}."},
        {WORDS_TRADE(WORDS_PLAIN) "simulation: {num_paths: 4096}\n", "Write paths: 4096."},
        {WORDS_TRADE(WORDS_PLAIN) "simulation: {steps: 100}\n", "Remove it: paths have the dates"},
        {WORDS_TRADE(WORDS_PLAIN) "simulation: {antithetic: true}\n", "Remove it: there are no"},
    };
    (void)state;
    WORDS_CHECK(cases);
}

static void test_dates_and_names_in_other_forms(void **state)
{
    static const words_case cases[] = {
        {WORDS_TRADE("underlying: A, exercise: 19/11/2027, " WORDS_CALL), "Write 2027-11-19: "},
        {WORDS_TRADE("underlying: A, exercise: 19-11-2027, " WORDS_CALL), "Write 2027-11-19: "},
        {WORDS_TRADE("underlying: A, exercise: 11/19/2027, " WORDS_CALL), "Write 2027-11-19: "},
        {WORDS_TRADE("underlying: A, exercise: 19.11.2027, " WORDS_CALL), "Write 2027-11-19: "},
        {WORDS_TRADE("underlying: A, exercise: 2027/11/19, " WORDS_CALL), "Write 2027-11-19: "},
        {WORDS_TRADE("underlying: A, exercise: 20271119, " WORDS_CALL), "Write 2027-11-19: "},
        {WORDS_TRADE("underlying: A, exercise: 5/11/2027, " WORDS_CALL),
         "Write 2027-11-05 or 2027-05-11: "},
        {WORDS_TRADE("underlying: A, exercise: 31/31/2027, " WORDS_CALL), "Write dates as "},
        {"schema_version: 1\nvaluation_date: 20/11/2026\n", "Write 2026-11-20: "},
        {MARKET "trades: [{id: SPX call 5000/Dec, " CALL_ON_A ", exercise: 1}]\n",
         "Write SPX_call_5000_Dec. "},
        {MARKET "trades: [{id: '-K\xc3\xb6ln', " CALL_ON_A ", exercise: 1}]\n", "Write _K_ln. "},
    };
    (void)state;
    WORDS_CHECK(cases);
}

/* What a file says is kept in the line to write. */
static void test_values_are_kept(void **state)
{
    static const words_case cases[] = {
        {WORDS_TRADE("underlyings: {A: 0.4, B: 0.6}, exercise: 1, payoff: {kind: basket, "
                     "option_type: call, strike: 70}"),
         "Write underlyings: [{name: A, weight: 0.4}, {name: B, weight: 0.6}]."},
        {WORDS_PAYOFF("kind: european, option_type: call, strike: 1,000"), "Write strike: 1000, "},
        {WORDS_TRADE(WORDS_PLAIN ", quantity: 1,000,000"), "Write quantity: 1000000, "},
        {WORDS_HEAD(", dividend_yield: 0,05", ""), "Write dividend_yield: 0.05, "},
    };
    (void)state;
    WORDS_CHECK(cases);
}

/* Of a payoff whose keys stand in the trade, all hints are of the kind that it names. */
static void test_hints_of_a_flat_trade_agree(void **state)
{
    static const char text[] =
        WORDS_TRADE("underlying: A, exercise: 1, type: barrier, barrier: 130, strike: 90");
    (void)state;
    assert_refused(text, "Write payoff: {kind: barrier, option_type: call, strike: 90, barrier: "
                         "{direction: up, knock: out, level: 130}}. ");
    assert_true(loaded_book_says(&loaded, "It belongs under payoff: write kind: barrier."));
    assert_true(loaded_book_says(&loaded, "It belongs under payoff: write barrier: {direction: "));
    assert_true(loaded_book_says(&loaded, "It belongs under payoff: write strike: 90."));
    assert_false(loaded_book_says(&loaded, "reverse_convertible"));
    assert_false(loaded_book_says(&loaded, "european"));
    release_book(NULL);
    assert_refused(WORDS_TRADE("underlying: A, exercise: {date: 1.5}, " WORDS_CALL),
                   "Write expiry: 1.5.");
    assert_int_equal(loaded.faults.errors, 1);
}

#define WORDS_TEST(name) cmocka_unit_test_teardown(name, release_book)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORDS_TEST(test_words_of_a_trade),
        WORDS_TEST(test_words_of_a_payoff),
        WORDS_TEST(test_words_for_kinds),
        WORDS_TEST(test_words_of_a_market_and_a_simulation),
        WORDS_TEST(test_dates_and_names_in_other_forms),
        WORDS_TEST(test_values_are_kept),
        WORDS_TEST(test_hints_of_a_flat_trade_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
