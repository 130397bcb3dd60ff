/* test_jump_bridge.c: counts of jumps built like a bridge: the binomial law of a split word by
 * word, which plans have such counts, and prices: those by interval within their errors, with
 * smaller errors, Merton's series, and the same bits on every instruction set. */
#include "tests/greeks_case.h"
#include "tests/instruction_sets.h"

#include "engine/plan/plan.h"
#include "kernels/bridge/strategy.h"
#include "kernels/lane/scalar.h"
#include "models/jump_plan.h"
#include "models/jumps.h"
#include "tests/fewer_paths.h"
#include "tests/problem_load.h"

/* ---- Splits ---------------------------------------------------------------------------------- */

/* P(X <= k) of n trials, by an independent way: logarithms of factorials. */
static double binomial_below(uint32_t n, double p, uint32_t k)
{
    double sum = 0.0;
    for (uint32_t i = 0; i <= k; ++i)
        sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) + i * log(p) +
                   (n - i) * log1p(-p));
    return sum;
}

typedef struct splits {
    levy_arena arena;
    double times[4];
    levy_strategy strategy;
    levy_strategy_entry entries[4];
    uint32_t descents[4 + 1]; /* and what nobody may read */
    levy_strategy_run runs[4];
    uint32_t *words;
    size_t n_words;
} splits;

/* Four dates. The first entry is the last date, the second its midpoint. */
static void splits_lay(splits *s, double first)
{
    const double times[4] = {0.5 * first, first, 0.75, 1.0};
    memcpy(s->times, times, sizeof times);
    s->strategy = (levy_strategy){
        .entries = s->entries, .descents = s->descents, .runs = s->runs, .n_nodes = 4};
    levy_strategy_bridge(4, s->times, levy_sqrt, &s->strategy);
    s->descents[4] = UINT32_MAX;
}

static levy_status splits_build(splits *s, double mean)
{
    const levy_model_grid grid = {.n_nodes = 4, .times = s->times, .strategy = &s->strategy};
    return levy_jump_splits(&grid, mean, &s->arena, &s->words, &s->n_words);
}

static const jumps_split *splits_make(splits *s, double first, double mean)
{
    splits_lay(s, first);
    levy_arena_init(&s->arena, &levy_memory_default);
    assert_int_equal(splits_build(s, mean), LEVY_OK);
    return (const jumps_split *)s->words;
}

/* Words move from k to k + 1 arrivals on the left where the law says, to a rounding of words; the
 * table and the recursion agree; and no larger word gives fewer. */
static void splits_check(const uint32_t *table, double share, uint32_t n)
{
    const uint32_t slack = 2 + n / 8;
    uint32_t before = 0;
    for (uint32_t k = 0; k < n; ++k) {
        const double want = binomial_below(n, share, k) * 0x1p32;
        if (want < 64.0 || want > 0x1p32 - 64.0) continue;
        const uint32_t low = (uint32_t)want - slack, high = (uint32_t)want + slack;
        assert_true(jumps_left_of(low, n, table) <= k && jumps_left_of(high, n, table) > k);
        assert_true(jumps_binomial(low, n, table[JUMPS_SPLIT_SHARE]) <= k);
        assert_true(jumps_binomial(high, n, table[JUMPS_SPLIT_SHARE]) > k);
    }
    for (uint64_t word = 0; word < (uint64_t)1 << 32; word += 0x01234567) {
        const uint32_t left = jumps_left_of((uint32_t)word, n, table);
        assert_true(left >= before && left <= n);
        before = left;
    }
    assert_true(jumps_left_of(UINT32_MAX, n, table) >= before);
    assert_true(jumps_left_of(UINT32_MAX, n, table) <= n);
}

static void test_splits_are_the_inverse_of_the_law(void **state)
{
    (void)state;
    static const double firsts[] = {0.5, 0.3, 0.01, 0.74};
    static const uint32_t counts[] = {1, 2, 3, 7, 31, 32, 33, 64, 150, 255};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; ++i)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
            splits s;
            const jumps_split *const split = splits_make(&s, firsts[i], 40.0) + 1;
            const uint32_t *const table = s.words + split->table;
            assert_true(split->node == 1 && split->one == table[JUMPS_SPLIT_TABLE]);
            splits_check(table, firsts[i], counts[c]);
            levy_arena_release(&s.arena);
        }
}

/* Few arrivals have a short table, whose end the recursion continues; equal shares have one table;
 * and events are numbered by levels. */
static void test_tables_are_shared_and_short(void **state)
{
    (void)state;
    splits s;
    const jumps_split *const split = splits_make(&s, 0.5, 0.1);
    assert_true(split[1].table == split[2].table);
    assert_true(s.words[split[1].table + JUMPS_SPLIT_MOST] < 8);
    splits_check(s.words + split[1].table, 0.5, 12);
    assert_true(split[0].event == 3 && split[1].event == 1);
    assert_true(split[2].event == 0 && split[3].event == 2);
    levy_arena_release(&s.arena);
}

/* A memory that gives one chunk alone. */
static void *one_chunk(void *user, size_t size)
{
    return (*(int *)user)-- > 0 ? malloc(size) : NULL;
}
static void *no_more(void *user, void *pointer, size_t size)
{
    (void)user, (void)pointer, (void)size;
    return NULL;
}
static void give_back(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

/* Wherever the memory ends, the tables are said to be without it. */
static void test_memory_may_end_anywhere(void **state)
{
    (void)state;
    for (size_t taken = 0; taken <= 4032; taken += 16) {
        int chunks = 1;
        const levy_memory memory = {one_chunk, no_more, give_back, &chunks, NULL};
        splits s;
        splits_lay(&s, 0.5);
        levy_arena_init(&s.arena, &memory);
        for (size_t i = 0; i < taken; i += 16)
            assert_non_null(levy_arena_allocate(&s.arena, 1, 16));
        const levy_status status = splits_build(&s, 40.0);
        assert_true(status == LEVY_MEMORY || (status == LEVY_OK && taken < 2048));
        levy_arena_release(&s.arena);
    }
}

/* Marks but normal ones have a word each of all but one path in a thousand, spread over the nodes.
 */
static void test_words_are_for_all_but_few_marks(void **state)
{
    (void)state;
    static const double means[] = {1e-4, 0.05, 0.7, 3.0, 11.0, 40.0, 64.0};
    for (size_t m = 0; m < sizeof means / sizeof *means; ++m) {
        uint32_t n = 0;
        for (double below = exp(-means[m]); 1.0 - below > 1e-3;
             below += exp(n * log(means[m]) - means[m] - lgamma(n + 1.0)))
            ++n;
        for (uint32_t nodes = 1; nodes < 20; nodes += 6) {
            const uint32_t words = n > 0 ? (n + nodes - 1) / nodes : 1;
            assert_int_equal(levy_jump_bridge_words(LEVY_MARK_DOUBLE_EXPONENTIAL, means[m], nodes),
                             words);
        }
        assert_int_equal(levy_jump_bridge_words(LEVY_MARK_NORMAL, means[m], 1), 1);
    }
}

/* ---- Plans ----------------------------------------------------------------------------------- */

#define TWO_ASSETS                                                                                 \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n"                               \
    "    S: {currency: USD, spot: 100, volatility: 0.2}\n"                                         \
    "    T: {currency: USD, spot: 50, volatility: 0.3}\n"                                          \
    "  correlations: {pairs: [[S.spot, T.spot, 0.4]]}\n"
#define MERTON(intensity)                                                                          \
    "models: {m: {kind: merton, assets: [S, T], intensity: " intensity                             \
    ", jump_mean: -0.1, jump_volatility: 0.15}}\n"
#define KOU                                                                                        \
    "models: {m: {kind: kou, assets: [S, T], intensity: 3, probability_up: 0.3, rate_up: 25, "     \
    "rate_down: 15}}\n"
#define SHOCKS                                                                                     \
    "models: {m: {kind: black_scholes, assets: [S, T], jumps: [{intensity: 3, mark: {kind: "       \
    "empirical, shocks: [[-0.25, 1], [-0.1, 4], [0.05, 3], [0.12, 2]]}}]}}\n"
#define COMMON                                                                                     \
    "models: {m: {kind: merton, assets: [S, T], intensity: 2, jump_mean: 0.02, jump_volatility: "  \
    "0.1, jumps: [{arrivals: common, intensity: 30, marks: [{kind: normal, mean: -0.02, "          \
    "volatility: 0.03}, {kind: double_exponential, probability_up: 0.4, rate_up: 40, rate_down: "  \
    "50}]}]}}\n"
#define AVERAGE(observations)                                                                      \
    "trades:\n  - {id: a, underlying: S, payoff: {kind: asian, option_type: call, strike: 100, "   \
    "averaging: {method: arithmetic, observations: " observations "}}, exercise: {expiry: 1.0}}\n"
#define AVERAGE_64 AVERAGE("{start: 0, end: 1.0, count: 64}")

static uint32_t counts_of(const char *text)
{
    char why[LEVY_PLAN_WHY];
    loaded_book book = load_text(text);
    levy_arena arena;
    levy_group *groups;
    levy_plan *plan;
    size_t n;
    assert_non_null(book.problem);
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(book.problem, &arena, &groups, &n), LEVY_OK);
    assert_int_equal(levy_plan_create(&levy_memory_default, book.problem, groups, &plan, why),
                     LEVY_OK);
    const uint32_t counts = plan->image->n_counts;
    levy_plan_destroy(plan);
    levy_arena_release(&arena);
    loaded_book_release(&book);
    return counts;
}

static void test_counts_need_a_bridge_that_starts_at_the_end(void **state)
{
    (void)state;
#define PLAN(model, simulation) TWO_ASSETS model AVERAGE("[0.25, 0.5, 0.75, 1.0]") simulation
    assert_int_equal(counts_of(PLAN(MERTON("3"), "")), 1);
    assert_int_equal(counts_of(PLAN(COMMON, "")), 2);
    assert_int_equal(counts_of(PLAN(MERTON("3"), "simulation: {generator: philox}\n")), 1);
    assert_int_equal(counts_of(PLAN(MERTON("3"), "simulation: {jumps: by_interval}\n")), 0);
    assert_int_equal(counts_of(PLAN(MERTON("3"), "simulation: {construction: incremental}\n")), 0);
    assert_int_equal(counts_of(PLAN(MERTON("3"), "simulation: {construction: pca}\n")), 0);
    assert_int_equal(counts_of(PLAN(MERTON("3"), "simulation: {construction: {first: average}}\n")),
                     1);
    assert_int_equal(counts_of(PLAN(MERTON("65"), "")), 0);
    assert_int_equal(
        counts_of(
            PLAN(MERTON("3"), "simulation: {construction: {kind: bridge, order: [4, 1, 2, 3]}}\n")),
        1);
    assert_int_equal(
        counts_of(
            PLAN(MERTON("3"), "simulation: {construction: {kind: bridge, order: [2, 4, 1, 3]}}\n")),
        0);
    assert_int_equal(
        counts_of(
            PLAN(MERTON("3"), "simulation: {construction: {kind: bridge, first: [1.0, 0.25]}}\n")),
        1);
    assert_int_equal(
        counts_of(PLAN(MERTON("3"), "simulation: {construction: {kind: bridge, first: [0.25]}}\n")),
        0);
#undef PLAN
}

/* ---- Prices ---------------------------------------------------------------------------------- */

static double price_of(const char *text, const char *jumps, const char *generator, double *error)
{
    const levy_setting settings[] = {{"simulation.generator", generator},
                                     {"simulation.jumps", jumps},
                                     {"simulation.paths", LEVY_SANITIZED ? "2^12" : "2^15"}};
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    priced p;
    price_with(&p, text, settings, 3, &options);
    const levy_measure *const m = measure_of(&p, 0, "price", "");
    const double value = m->value;
    *error = m->std_error;
    release(&p);
    return value;
}

static const char *const books[] = {TWO_ASSETS MERTON("3") AVERAGE_64,
                                    TWO_ASSETS MERTON("50") AVERAGE_64, TWO_ASSETS KOU AVERAGE_64,
                                    TWO_ASSETS SHOCKS AVERAGE_64,
                                    TWO_ASSETS COMMON AVERAGE("[0.1, 0.15, 0.4, 0.9, 1.0]")};
enum { BOOKS = sizeof books / sizeof *books };

static void test_prices_are_those_by_interval(void **state)
{
    (void)state;
    static const char *const generators[] = {"sobol_scrambled", "philox", "mrg32k3a"};
    for (size_t b = 0; b < BOOKS; ++b)
        for (size_t g = 0; g < 3; ++g) {
            double by_interval, bridged;
            const double want = price_of(books[b], "by_interval", generators[g], &by_interval),
                         got = price_of(books[b], "bridge", generators[g], &bridged);
            assert_true(fabs(got - want) <=
                        4.5 * sqrt(by_interval * by_interval + bridged * bridged));
        }
}

/* Of 64 dates and Sobol points. Measured with three arrivals: a fourth of the error and less; with
 * fifty of large jumps: three fifths. */
static void test_errors_are_smaller_than_by_interval(void **state)
{
    (void)state;
    for (size_t b = 0; b < 4; ++b) {
        double by_interval, bridged;
        price_of(books[b], "by_interval", "sobol_scrambled", &by_interval);
        price_of(books[b], "bridge", "sobol_scrambled", &bridged);
        assert_true((b == 1 ? 1.0 : 2.0) * bridged <= by_interval);
    }
}

/* A barrier out of reach leaves a call whose price is a series (configs/merton.yaml), and whose
 * error on 64 dates is that of a call alone: a tenth of the error by interval, and less. */
static void test_a_call_on_64_dates_is_the_series(void **state)
{
    (void)state;
    static const char text[] = TWO_ASSETS MERTON(
        "3") "trades:\n  - {id: k, underlying: S, payoff: {kind: barrier, option_type: call, "
             "strike: 100, barrier: {direction: up, knock: out, level: 1e6, monitoring: discrete, "
             "observations: {start: 0, end: 1.0, count: 64}}}, exercise: {expiry: 1.0}}\n";
    double by_interval, bridged;
    price_of(text, "by_interval", "sobol_scrambled", &by_interval);
    const double got = price_of(text, "bridge", "sobol_scrambled", &bridged);
    assert_true(fabs(got - 16.351032) <= 4.5 * bridged);
    assert_true(10.0 * bridged <= by_interval || LEVY_SANITIZED);
}

static void test_every_instruction_set_has_the_same_bits(void **state)
{
    (void)state;
    static const char *const generators[] = {"sobol_scrambled", "philox", "mrg32k3a"};
    for (size_t b = 0; b < BOOKS; ++b)
        for (size_t g = 0; g < 3; ++g)
            for (int by = 0; by < 2; ++by) {
                /* several rows of a block in each replicate */
                const levy_setting settings[] = {
                    {"simulation.generator", generators[g]},
                    {"simulation.jumps", by ? "by_interval" : "bridge"},
                    {"simulation.paths", LEVY_SANITIZED ? "2^12" : "2^13"}};
                assert_sets_agree(books[b], 0, settings, 3);
            }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_splits_are_the_inverse_of_the_law),
        cmocka_unit_test(test_tables_are_shared_and_short),
        cmocka_unit_test(test_memory_may_end_anywhere),
        cmocka_unit_test(test_words_are_for_all_but_few_marks),
        cmocka_unit_test(test_counts_need_a_bridge_that_starts_at_the_end),
        cmocka_unit_test(test_prices_are_those_by_interval),
        cmocka_unit_test(test_errors_are_smaller_than_by_interval),
        cmocka_unit_test(test_a_call_on_64_dates_is_the_series),
        cmocka_unit_test(test_every_instruction_set_has_the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
