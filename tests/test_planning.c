/* test_planning.c: how the work of reading and planning grows: that a market which moves one
 * underlying of many looks at the rare events of that one alone, that events ask for no memory of
 * their own, that their chances under random variances are those of the characteristic function,
 * and that books of many models, scenarios or scripts take time in proportion. */
#include "tests/cmocka_all.h"
#include "tests/fixture.h"
#include "tests/planned.h"
#include "tests/problem_load.h"

#include "engine/fourier/exponent.h"
#include "engine/plan/law.h"
#include "engine/plan/rare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Rare events ---- */

enum { NAMES = 3 };

#define JUMPS ", jumps: [{intensity: 0.5, mark: {kind: normal, mean: -0.1, volatility: 0.15}}]"

/* Its model's jumps, its dates. */
static const char worst_of[] =
    "schema_version: 1\n"
    "market:\n"
    "  curves: {USD: {kind: zero, nodes: [[0.5, 0.03], [1, 0.03], [2, 0.03]]}}\n"
    "  assets:\n"
    "    A: {currency: USD, spot: 100, volatility: 0.2}\n"
    "    B: {currency: USD, spot: 100, volatility: 0.22}\n"
    "    C: {currency: USD, spot: 100, volatility: 0.24}\n"
    "  correlations: {pairs: [[A.spot, B.spot, 0.5], [A.spot, C.spot, 0.5], [B.spot, C.spot, "
    "0.5]]}\n"
    "models: {m: {kind: black_scholes, assets: [A, B, C]%s}}\n"
    "trades:\n"
    "  - {id: t, underlyings: [A, B, C], exercise: {expiry: 2}, payoff: {kind: barrier, "
    "option_type: put, strike: 100, aggregate: worst_of, barrier: {direction: down, knock: in, "
    "level: 25, observations: {count: %d}}}}\n";

typedef struct rare_case {
    loaded_book book;
    levy_arena arena;
    levy_group *groups;
    const levy_trade *trade;
    levy_dynamics_plan dynamics;
    levy_rare_events events;
} rare_case;

static void start_text(rare_case *c, const char *text)
{
    size_t n;
    c->book = load_text(text);
    assert_int_equal(c->book.status, LEVY_OK);
    levy_arena_init(&c->arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(c->book.problem, &c->arena, &c->groups, &n), LEVY_OK);
    assert_int_equal(
        levy_dynamics_create(c->book.problem, c->groups, true, &c->arena, &c->dynamics), LEVY_OK);
    c->trade = &c->book.problem->trades[c->groups->trades[0]];
    assert_int_equal(levy_rare_find(&c->dynamics, c->trade, &c->arena, &c->events), LEVY_OK);
}

static void start_rare(rare_case *c, const char *jumps, int dates)
{
    char text[2048];
    snprintf(text, sizeof text, worst_of, jumps, dates);
    start_text(c, text);
}

static void end_rare(rare_case *c)
{
    levy_arena_release(&c->arena);
    loaded_book_release(&c->book);
}

/* What is missed in today's market moved by a shift, in all. */
static double missed_under(rare_case *c, levy_shift shift)
{
    levy_moved set = {.n_shifts = 1, .shifts = &shift};
    uint32_t number;
    levy_rare rare;
    double sum = 0.0;
    assert_int_equal(levy_dynamics_add_set(&c->dynamics, &c->arena, set, &number), LEVY_OK);
    assert_int_equal(
        levy_rare_of(&c->dynamics, number, c->trade, NULL, &c->events, 0.9, &c->arena, &rare),
        LEVY_OK);
    for (size_t bin = 0; bin < LEVY_RARE_BINS; ++bin) sum += rare.missed[bin];
    return sum;
}

static levy_shift shift_of(const rare_case *c, int32_t factor, size_t u)
{
    return (levy_shift){.factor = factor,
                        .asset = c->trade->model->assets[c->trade->underlyings[u]],

                        .size = 0.001,
                        .node = SIZE_MAX};
}

/* Once today's market is known, spoilt events of an underlying show in the markets that move it,
 * and in no other. */
static void test_a_market_looks_at_events_of_what_it_moves(void **state)
{
    static const int32_t factors[] = {LEVY_SHIFT_SPOT, LEVY_SHIFT_VOLATILITY, LEVY_SHIFT_YIELD};
    rare_case c;
    (void)state;
    start_rare(&c, JUMPS, 8);
    assert_true(c.events.n == (size_t)NAMES * 8 && c.events.n_runs == NAMES);
    const levy_shift still = {.factor = LEVY_SHIFT_CORRELATION, .size = 0.01, .node = SIZE_MAX},
                     rates = {.factor = LEVY_SHIFT_RATE, .size = 1e-4, .node = SIZE_MAX};
    const double today = missed_under(&c, still);
    double moved[3][NAMES];
    assert_true(today > 0.0);
    for (size_t f = 0; f < 3; ++f)
        for (size_t u = 0; u < NAMES; ++u) {
            moved[f][u] = missed_under(&c, shift_of(&c, factors[f], u));
            assert_true(moved[f][u] > 0.0 && moved[f][u] != today);
        }
    for (size_t i = 0; i < c.events.n; ++i)
        if (c.events.events[i].underlying == 0) c.events.events[i].stays = 0.0;
    assert_true(missed_under(&c, still) == today);
    for (size_t f = 0; f < 3; ++f) {
        assert_true(missed_under(&c, shift_of(&c, factors[f], 0)) < 0.9 * moved[f][0]);
        for (size_t u = 1; u < NAMES; ++u)
            assert_true(missed_under(&c, shift_of(&c, factors[f], u)) == moved[f][u]);
    }
    assert_true(missed_under(&c, rates) < 0.9 * today);
    end_rare(&c);
}

static size_t bytes_under_rates(int dates)
{
    const levy_shift rates = {.factor = LEVY_SHIFT_RATE, .size = 1e-4, .node = 1};
    rare_case c;
    start_rare(&c, JUMPS, dates);
    const size_t before = c.arena.used;
    missed_under(&c, rates);
    const size_t took = c.arena.used - before;
    end_rare(&c);
    return took;
}

/* A market's curve and volatilities are made once for each underlying, not for each of its dates.
 */
static void test_events_of_more_dates_take_no_more_memory(void **state)
{
    (void)state;
    const size_t few = bytes_under_rates(4);
    assert_true(few > 0);
    assert_int_equal(bytes_under_rates(64), few);
}

/* What a path that is integrated tells of a touch is found once for all markets. */
static void test_markets_take_what_paths_tell_from_the_event(void **state)
{
    enum { BIN = 7 };
    const levy_shift rates = {.factor = LEVY_SHIFT_RATE, .size = 1e-4, .node = SIZE_MAX};
    const levy_moved set = {.n_shifts = 1, .shifts = &rates};
    uint32_t number;
    levy_rare rare;
    rare_case c;
    (void)state;
    start_rare(&c, "", 8);
    const double all = missed_under(&c, rates);
    assert_true(c.events.n > 0 && c.events.events[0].all > 0.0);
    for (size_t i = 0; i < c.events.n; ++i)
        memset(c.events.events[i].bins, BIN, sizeof c.events.events[i].bins);
    assert_int_equal(levy_dynamics_add_set(&c.dynamics, &c.arena, set, &number), LEVY_OK);
    assert_int_equal(
        levy_rare_of(&c.dynamics, number, c.trade, NULL, &c.events, 0.9, &c.arena, &rare), LEVY_OK);
    assert_true(fabs(rare.missed[BIN] - all) < 1e-12 * all);
    end_rare(&c);
}

/* Each date's chance that none of the later ones is beyond the barrier is made from the date's
 * before, backwards through the product of Sparre Andersen, and keeps its digits. */
static void test_chances_of_many_dates_are_made_from_each_other(void **state)
{
    enum { DATES = 3000 };
    const double volatility = 0.2, moves = volatility * sqrt(2.0 / DATES);
    double never = 1.0;
    rare_case c;
    (void)state;
    start_rare(&c, JUMPS, DATES);
    const size_t n = c.events.runs[0].n;
    assert_true(n > DATES - 100 && n <= DATES); /* of the first dates it is never met */
    assert_true(c.events.events[n - 1].stays == 1.0);
    for (size_t later = 1; later < n; ++later) {
        const levy_rare_event *const e = &c.events.events[n - 1 - later];
        const double beyond = volatility * volatility * e->time / log(4.0);
        never *= 1.0 - 0.5 / (double)later;
        const double expected = never * moves / (moves + beyond);
        assert_true(fabs(e->stays - expected) < 1e-10 * expected);
    }
    end_rare(&c);
}

/* A kink that paths reach, and is as large, does not stand for one on the same date, four
 * deviations out. */
static void test_a_rare_kink_is_told_from_a_near_one(void **state)
{
    rare_case c;
    (void)state;
    start_text(&c, "schema_version: 1\n"
                   "market: {curves: {USD: 0.03}, assets: {S: {currency: USD, spot: 100, "
                   "volatility: 0.2}}}\n"
                   "models: {m: {kind: black_scholes, assets: [S]}}\n"
                   "simulation: {smoothing: none}\n"
                   "trades: [{id: t, underlying: S, exercise: {expiry: 1}, payoff: {kind: script, "
                   "script: \"at expiry { pay max(155 - level, 0) + max(222 - level, 0) }\"}}]\n");
    assert_int_equal(c.events.n_bends, 1);
    assert_true(fabs(c.events.bends[0].at - log(222.0)) < 1e-5);
    end_rare(&c);
}

/* ---- Chances under random variances ---- */

static const char random_variance[] =
    "schema_version: 1\n"
    "market: {curves: {USD: 0.03}, assets: {A: {currency: USD, spot: 100}}}\n"
    "models: {m: {kind: %s, assets: [A], v0: 0.04, theta: %s, kappa: 2, xi: 0.5, rho: -0.7%s}}\n"
    "simulation: {smoothing: none}\n"
    "trades:\n"
    "  - {id: t, underlying: A, exercise: {expiry: 1}, payoff: {kind: european, option_type: put, "
    "strike: 100}}\n";

/* The chance that X is beyond x, upward for c > 0, by the inverse Laplace transform along Re z = c.
 */
static double chance_by_contour(const levy_exponent *law, const double *p, double x, double c)
{
    const double step = 0.05;
    double sum = 0.0;
    for (int k = 0; k < 40000; ++k) {
        const double y = ((double)k + 0.5) * step;
        const levy_complex psi = law->at(p, 1.0, complex_of(y, -c), NULL),
                           tilted = complex_exp(complex_of(psi.re - c * x, psi.im - y * x));
        sum += complex_divide(tilted, complex_of(c, y)).re * step;
    }
    return (c > 0.0 ? sum : -sum) / acos(-1.0);
}

/* Robinson's formula is above by up to two fifths, where a normal law lacks powers of ten. */
static void test_chances_are_those_of_the_characteristic_function(void **state)
{
    static const struct {
        const char *kind, *theta, *jumps;
        const levy_exponent *law;
        double p[16];
    } cases[] = {
        {"heston", "0.04", "", &levy_exponent_heston, {0.04, 0.04, 2, 0.5, -0.7}},
        {"heston",
         "{kind: term, nodes: [[0.5, 0.09], [1, 0.04]]}",
         "",
         &levy_exponent_heston_terms,
         {0.04, 2, 0.5, 0.09, 2, 0.5, -0.7, INFINITY, 0.04, 2, 0.5, -0.7}},
        {"bates",
         "0.04",
         ", intensity: 0.5, jump_mean: -0.1, jump_volatility: 0.1",
         &levy_exponent_bates,
         {0.04, 0.04, 2, 0.5, -0.7, 0.5, -0.1, 0.1}},
    };
    static const double levels[][2] = {{60, -2}, {30, -4}, {15, -4}, {150, 9}, {180, 9}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[2048];
        rare_case c;
        levy_law_view seen;
        snprintf(text, sizeof text, random_variance, cases[i].kind, cases[i].theta, cases[i].jumps);
        start_text(&c, text);
        assert_int_equal(levy_law_see(&c.dynamics, 0, 0, &c.arena, &seen), LEVY_OK);
        for (size_t k = 0; k < sizeof levels / sizeof *levels; ++k) {
            const double level = levels[k][0], along = levels[k][1], x = log(level / 100.0) - 0.03,
                         exact = chance_by_contour(cases[i].law, cases[i].p, x, along),
                         chance = levy_law_chance(&c.dynamics, &seen, 1.0, level,
                                                  along > 0.0 ? 1.0 : -1.0);
            assert_true(chance >= exact && chance <= 1.4 * exact);
        }
        end_rare(&c);
    }
}

/* ---- Time in proportion ---- */

/* The least of three, as other work on the machine can only add. */
static double least(double (*took)(int n), int n)
{
    double best = INFINITY;
    for (int k = 0; k < 3; ++k) best = fmin(best, took(n));
    return best;
}

static double seconds_since(clock_t start)
{
    return (double)(clock() - start) / (double)CLOCKS_PER_SEC;
}

enum { ITEM = 256, FEW = LEVY_SANITIZED ? 1 << 9 : 1 << 11 };

static char *room_for(int n, size_t *size)
{
    char *const text = malloc(*size = 4096 + (size_t)n * ITEM);
    assert_non_null(text);
    return text;
}

/* The seconds that reading takes. Releases the text. */
static double reading(char *text)
{
    const clock_t start = clock();
    loaded_book book = load_text(text);
    const double took = seconds_since(start);
    assert_int_equal(book.status, LEVY_OK);
    loaded_book_release(&book);
    free(text);
    return took;
}

static double reading_models(int n)
{
    size_t size, at;
    char *const text = room_for(n, &size);
    at = (size_t)snprintf(text, size,
                          "schema_version: 1\nmarket:\n  curves: {USD: 0.03}\n  assets:\n");
    for (int k = 0; k < n; ++k)
        at += (size_t)snprintf(text + at, size - at, "    A%d: {currency: USD, spot: 100}\n", k);
    at += (size_t)snprintf(text + at, size - at, "models:\n");
    for (int k = 0; k < n; ++k)
        at += (size_t)snprintf(text + at, size - at,
                               "  m%d: {kind: variance_gamma, assets: [A%d], sigma: 0.2, nu: 0.2, "
                               "theta: -0.1}\n",
                               k, k);
    snprintf(text + at, size - at,
             "trades: [{id: t, model: m0, underlying: A0, exercise: {expiry: 1}, payoff: {kind: "
             "european, option_type: call, strike: 100}}]\n");
    return reading(text);
}

/* As many scenarios as assets, each of SHIFTS spots. */
static double reading_scenarios(int n)
{
    enum { SHIFTS = 10 };
    size_t size, at;
    char *const text = room_for(n * SHIFTS, &size);
    at = (size_t)snprintf(text, size,
                          "schema_version: 1\nmarket:\n  curves: {USD: 0.03}\n  assets:\n");
    for (int k = 0; k < n; ++k)
        at += (size_t)snprintf(text + at, size - at,
                               "    A%d: {currency: USD, spot: 100, volatility: 0.2}\n", k);
    at += (size_t)snprintf(text + at, size - at,
                           "models: {m: {kind: black_scholes, assets: [A0]}}\n"
                           "trades: [{id: t, underlying: A0, exercise: {expiry: 1}, payoff: {kind: "
                           "european, option_type: call, strike: 100}}]\nscenarios:\n");
    for (int k = 0; k < n; ++k) {
        at += (size_t)snprintf(text + at, size - at, "  - {id: s%d, shifts: [", k);
        for (int i = 0; i < SHIFTS; ++i)
            at += (size_t)snprintf(text + at, size - at,
                                   "{factor: A%d.spot, type: relative, size: 0.01}, ", (k + i) % n);
        at += (size_t)snprintf(text + at, size - at, "]}\n");
    }
    return reading(text);
}

/* Its k-th text is of 7 operations, which are the digits of k. */
static double planning_scripts(int n)
{
    static const char *const signs[] = {"+", "-", "*", "/"};
    size_t size, at;
    char *const text = room_for(n, &size);
    at = (size_t)snprintf(text, size,
                          "schema_version: 1\nmarket:\n  curves: {USD: 0.03}\n  assets:\n"
                          "    S: {currency: USD, spot: 100, volatility: 0.2}\n"
                          "models: {m: {kind: black_scholes, assets: [S]}}\n"
                          "simulation: {smoothing: none}\ntrades:\n");
    for (int k = 0; k < n; ++k) {
        at += (size_t)snprintf(text + at, size - at,
                               "  - {id: t%d, underlying: S, exercise: {expiry: 1}, payoff: {kind: "
                               "script, schedules: {early: [0.5]}, script: \"at expiry { pay level",
                               k);
        for (int digit = 0, rest = k; digit < 7; ++digit, rest /= 4)
            at += (size_t)snprintf(text + at, size - at, " %s level", signs[rest % 4]);
        at += (size_t)snprintf(text + at, size - at, " }\\nat early { }\"}}\n");
    }
    planned p;
    loaded_book book = load_text(text);
    assert_int_equal(book.status, LEVY_OK);
    const clock_t start = clock();
    plan_problem(&p, book.problem);
    const double took = seconds_since(start);
    assert_int_equal(p.status, LEVY_OK);
    unplan(&p);
    loaded_book_release(&book);
    free(text);
    return took;
}

static void test_books_of_many_models_are_read_in_proportion(void **state)
{
    (void)state;
    const double few = least(reading_models, FEW), many = least(reading_models, 8 * FEW);
    if (many > 16.0 * few) fail_msg("eight times the models took %g times as long", many / few);
}

static void test_scenarios_of_many_assets_are_read_in_proportion(void **state)
{
    (void)state;
    const double few = least(reading_scenarios, FEW / 2), many = least(reading_scenarios, 4 * FEW);
    if (many > 16.0 * few) fail_msg("eight times the scenarios took %g times as long", many / few);
}

static void test_books_of_many_scripts_are_planned_in_proportion(void **state)
{
    (void)state;
    const double few = least(planning_scripts, FEW / 2), many = least(planning_scripts, 4 * FEW);
    if (many > 16.0 * few) fail_msg("eight times the scripts took %g times as long", many / few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_market_looks_at_events_of_what_it_moves),
        cmocka_unit_test(test_events_of_more_dates_take_no_more_memory),
        cmocka_unit_test(test_markets_take_what_paths_tell_from_the_event),
        cmocka_unit_test(test_chances_of_many_dates_are_made_from_each_other),
        cmocka_unit_test(test_a_rare_kink_is_told_from_a_near_one),
        cmocka_unit_test(test_chances_are_those_of_the_characteristic_function),
        cmocka_unit_test(test_books_of_many_models_are_read_in_proportion),
        cmocka_unit_test(test_scenarios_of_many_assets_are_read_in_proportion),
        cmocka_unit_test(test_books_of_many_scripts_are_planned_in_proportion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
