/* test_counted.c: what a script pays, and whether it ends, by date: items that count one date run
 * the program there alone (LEVY_ITEM_COUNTS). Their numbers are those of variables that count the
 * same beside the price, to the bit, and their work grows as the dates do. */
#include "tests/cmocka_all.h"

#include "engine/run/effort.h"
#include "tests/grown_text.h"
#include "tests/priced.h"
#include "tests/problem_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "schema_version: 1\n"
    "market: {curves: {USD: 0}, assets: {A: {currency: USD, spot: 100, volatility: 0.25}}}\n"
    "models: {m: {kind: black_scholes, assets: [A]}}\n"
    "simulation: {paths: 2^13, smoothing: none, precision: %s}\n"
    "measures: [price, cash_flows, probability]\n"
    "trades:\n"
    "  - id: t\n"
    "    underlying: A\n"
    "    exercise: {expiry: 1}\n"
    "    payoff:\n"
    "      kind: script\n"
    "      schedules: {days: {count: %d}, halves: [0.25, 0.5]}\n"
    "      script: |\n";

/* A note that pays on two schedules, and may end on one, and a date's own variables. */
static void write_note(grown_text *text, const char *precision, int dates, bool counts)
{
    char line[512];
    (void)snprintf(line, sizeof line, head, precision, dates);
    (void)text_grow(text, line, strlen(line));
    for (int k = 1; k <= dates && counts; ++k) {
        (void)snprintf(line, sizeof line, "        var p%d = 0\n        var e%d = 0\n", k, k);
        (void)text_grow(text, line, strlen(line));
    }
    static const char own[] = "        var k = 0\n"
                              "        at days {\n"
                              "          k += 1\n"
                              "          let pays = 2 * k if level > 95 else 0.5\n"
                              "          pay pays\n";
    (void)text_grow(text, own, strlen(own));
    for (int k = 1; k <= dates && counts; ++k) {
        (void)snprintf(line, sizeof line,
                       "          p%d = pays if number == %d else p%d\n"
                       "          e%d = 1 if level > 120 and number == %d else e%d\n",
                       k, k, k, k, k, k);
        (void)text_grow(text, line, strlen(line));
    }
    static const char rest[] = "          if level > 120 { stop }\n"
                               "        }\n"
                               "        at halves { pay k }\n"
                               "        at expiry { pay level }\n";
    (void)text_grow(text, rest, strlen(rest));
    for (int k = 1; k <= dates && counts; ++k) {
        (void)snprintf(line, sizeof line, "        report p%d\n        report e%d\n", k, k);
        (void)text_grow(text, line, strlen(line));
    }
}

/* Of date k, and the report of what it counts. */
static void assert_counted(const levy_trade_result *t, const char *measure, const char *name,
                           int dates, int k)
{
    char time[32], report[16];
    (void)snprintf(time, sizeof time, "%.10g", (double)k / dates);
    (void)snprintf(report, sizeof report, "%s%d", name, k);
    const levy_measure *const a = find_measure(t, measure, time), *const b = find_measure(
                                                                      t, "report", report);
    assert_non_null(a);
    assert_non_null(b);
    if (a->value != b->value) fail_msg("%s %s: %.17g, %.17g", measure, time, a->value, b->value);
}

/* Dates of both schedules pay more than their own variables say, and at expiry all is paid. */
static void test_what_is_counted_is_what_variables_count(void **state)
{
    static const levy_price_options on_cpu = {
        .struct_size = sizeof on_cpu, .device = "cpu", .threads = 1};
    static const char *const precisions[] = {"double", "single"};
    enum { DATES = 5 };
    (void)state;
    for (int i = 0; i < 2; ++i) {
        grown_text text = {0};
        write_note(&text, precisions[i], DATES, true);
        priced p = price_alone(text.bytes, NULL, 0, &on_cpu);
        assert_priced(&p);
        const levy_trade_result *const t = find_trade(p.results, "t");
        for (int k = 1; k < DATES; ++k) {
            assert_counted(t, "cash_flows", "p", DATES, k);
            assert_counted(t, "probability", "e", DATES, k);
        }
        release(&p);
        free(text.bytes);
    }
}

static double seconds_of(int dates)
{
    const levy_backend_info cpu = {.threads = 1, .isa = "avx512"};
    char why[LEVY_PLAN_WHY];
    grown_text text = {0};
    levy_group *groups = NULL;
    levy_plan *plan = NULL;
    size_t n_groups = 0;
    levy_arena arena;
    levy_effort effort;
    write_note(&text, "double", dates, false);
    loaded_book book = load_text(text.bytes);
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(book.problem, &arena, &groups, &n_groups), LEVY_OK);
    assert_int_equal(levy_plan_create(&levy_memory_default, book.problem, groups, &plan, why),
                     LEVY_OK);
    assert_int_equal(levy_effort_of(plan, 1 << 20, &cpu, &effort), LEVY_OK);
    levy_plan_destroy(plan);
    levy_arena_release(&arena);
    loaded_book_release(&book);
    free(text.bytes);
    return effort.cpu;
}

/* Four times as many dates took sixteen times as long. A tile has 128 items. */
static void test_work_grows_as_the_dates_do(void **state)
{
    (void)state;
    const double few = seconds_of(15), many = seconds_of(60);
    print_message("15 dates %g s, 60 dates %g s\n", few, many);
    assert_true(many < 6.0 * few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_counted_is_what_variables_count),
        cmocka_unit_test(test_work_grows_as_the_dates_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
