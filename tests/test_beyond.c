/* test_beyond.c: a price that lies outside of what its contract can pay, by more than its error, is
 * none: levy is at fault. The sums are made up, because no book should give such. */
#include "tests/cmocka_all.h"

#include "engine/statistics/estimate.h"
#include "tests/problem_load.h"

#include <math.h>
#include <stdio.h>

#define BOOK(payoff)                                                                               \
    "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {S: {currency: USD, spot: 100, "     \
    "volatility: 0.2}}}\nmodels: {m: {kind: black_scholes, assets: [S]}}\n"                        \
    "scenarios: [{id: low, shifts: [{factor: USD.rate, type: absolute, size: -0.15}]}]\n"          \
    "trades: [{id: t, underlying: S, payoff: {" payoff "}, exercise: {expiry: 1}}]\n"

typedef struct planned_book {
    loaded_book book;
    levy_arena arena;
    levy_group *groups;
    levy_plan *plan;
} planned_book;

static void plan_book(planned_book *p, const char *text)
{
    size_t n_groups;
    char why[LEVY_PLAN_WHY];
    p->book = load_text(text);
    if (!p->book.problem) fail_msg("%s", loaded_book_text(&p->book));
    levy_arena_init(&p->arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(p->book.problem, &p->arena, &p->groups, &n_groups),
                     LEVY_OK);
    assert_int_equal(
        levy_plan_create(&levy_memory_default, p->book.problem, p->groups, &p->plan, why), LEVY_OK);
}

static void release_book(planned_book *p)
{
    levy_plan_destroy(p->plan);
    levy_arena_release(&p->arena);
    loaded_book_release(&p->book);
}

/* Whether a value with that error is refused, of the plan's output of a measure. */
static bool is_beyond(const planned_book *p, uint32_t measure, double value, double error)
{
    const levy_image_output *const outputs =
        LEVY_IMAGE_AT(levy_image_output, p->plan->image, outputs);
    uint32_t o = 0;
    while (outputs[o].measure != measure) ++o;
    const levy_estimate e = {.n = 1 << 18,
                             .value = value,
                             .std_error = error,
                             .ci_low = value - 2.0 * error,
                             .ci_high = value + 2.0 * error,
                             .interval = LEVY_INTERVAL_STUDENT_T};
    double least, most;
    return levy_output_is_beyond(p->plan, o, &e, (levy_spread){1.0, 1.0}, &least, &most);
}

/* The most that each can pay, undiscounted; 0: there is no such amount. */
static void test_limits_are_those_of_the_contract(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double most;
        bool owes;
    } cases[] = {
#define WATCHED "monitoring: continuous"
        {BOOK("kind: european, option_type: put, strike: 90"), 90.0, false},
        {BOOK("kind: european, option_type: call, strike: 90"), 0.0, false},
        {BOOK("kind: digital, option_type: call, strike: 90, cash: 3"), 3.0, false},
        {BOOK("kind: touch, cash: 4, barrier: {direction: up, level: 120, " WATCHED "}"), 4.0,
         false},
        {BOOK("kind: touch, cash: 4, barrier: {direction: up, level: 120, observations: {count: "
              "4}}"),
         4.0, false},
        {BOOK("kind: barrier, option_type: put, strike: 5, barrier: {direction: up, knock: out, "
              "level: 120, " WATCHED "}, rebate: 8"),
         8.0, false},
        {BOOK("kind: asian, option_type: put, strike: 70, averaging: {observations: {count: 4}}"),
         70.0, false},
        {BOOK("kind: lookback, option_type: put, strike: 80, lookback: {strike: fixed, "
              "observations: {count: 4}}"),
         80.0, false},
        {BOOK("kind: cliquet, local_cap: 0.1, local_floor: 0, observations: {count: 4}"), 0.3,
         true},
        {BOOK("kind: cliquet, local_cap: 0.1, global_cap: 0.2, global_floor: 0, observations: "
              "{count: 4}"),
         0.2, false},
        {BOOK("kind: forward_start, form: performance, option_type: put, strike_fraction: 1.1, "
              "reset: 0.5"),
         1.1, false},
        {BOOK("kind: forward, strike: 100"), 0.0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        planned_book p;
        plan_book(&p, cases[i].text);
        const double top = cases[i].most * exp(-0.05), error = 1e-3 * (1.0 + top);
        print_message("%zu\n", i);
        if (cases[i].most > 0.0) {
            assert_false(is_beyond(&p, LEVY_MEASURE_PRICE, top, error));
            assert_false(is_beyond(&p, LEVY_MEASURE_PRICE, top + 4.0 * error, error));
            assert_true(is_beyond(&p, LEVY_MEASURE_PRICE, top + 9.0 * error, error));
        }
        assert_int_equal(is_beyond(&p, LEVY_MEASURE_PRICE, 1e9, error), cases[i].most > 0.0);
        assert_int_equal(is_beyond(&p, LEVY_MEASURE_PRICE, -9.0 * error, error), !cases[i].owes);
        assert_false(is_beyond(&p, LEVY_MEASURE_PRICE, -4.0 * error, error));
        release_book(&p);
    }
}

/* A scenario discounts at its own rates; at a hit the dearest date counts. */
static void test_scenarios_have_limits_of_their_own(void **state)
{
    (void)state;
    planned_book p;
    plan_book(&p, BOOK("kind: digital, option_type: call, strike: 90, cash: 3"));
    const double top = 3.0 * exp(0.10);
    assert_false(is_beyond(&p, LEVY_MEASURE_SCENARIO_PRICE, top, 1e-6));
    assert_true(is_beyond(&p, LEVY_MEASURE_SCENARIO_PRICE, 1.001 * top, 1e-6));
    release_book(&p);
    plan_book(&p, BOOK("kind: touch, pay: at_hit, cash: 4, barrier: {direction: up, level: 120, "
                       "monitoring: continuous}"));
    assert_false(is_beyond(&p, LEVY_MEASURE_PRICE, 4.0, 1e-6));
    assert_true(is_beyond(&p, LEVY_MEASURE_PRICE, 4.001, 1e-6));
    release_book(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limits_are_those_of_the_contract),
                                       cmocka_unit_test(test_scenarios_have_limits_of_their_own)};
    return cmocka_run_group_tests_name("beyond", tests, NULL, NULL);
}
