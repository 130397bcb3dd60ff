/* problem_case.h: what the tests of engine/problem share: a small market, and books that must load
 * or be refused. For inclusion by one test program each. */
#ifndef LEVY_TESTS_PROBLEM_CASE_H
#define LEVY_TESTS_PROBLEM_CASE_H

#include "tests/cmocka_all.h"

#include "tests/problem_load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARKET                                                                                     \
    "schema_version: 1\n"                                                                          \
    "market:\n"                                                                                    \
    "  curves: {USD: 0.05}\n"                                                                      \
    "  assets:\n"                                                                                  \
    "    A: {currency: USD, spot: 100, volatility: 0.2, fixings: [[-0.5, 90], [-0.25, 110]]}\n"    \
    "    B: {currency: USD, spot: 50, volatility: 0.3, fixings: [[-0.5, 40], [-0.25, 60]]}\n"      \
    "  correlations: {pairs: [[A.spot, B.spot, 0.5]]}\n"                                           \
    "models: {m: {kind: black_scholes, assets: [A, B]}}\n"
#define CALL "payoff: {kind: european, option_type: call, strike: 100}"
#define TRADE(rest) MARKET "trades:\n  - {id: t, exercise: {expiry: 1.0}, " rest "}\n"
#define CALL_ON_A "underlying: A, " CALL
#define DATED                                                                                      \
    "schema_version: 1\n"                                                                          \
    "valuation_date: 2026-11-20\n" /* a Friday */                                                  \
    "market:\n"                                                                                    \
    "  curves: {USD: 0.05}\n"                                                                      \
    "  calendars: {XX: {holidays: [2027-11-23]}}\n"                                                \
    "  assets: {A: {currency: USD, spot: 100, volatility: 0.2, fixings: [[2026-10-20, 90], "       \
    "[2026-11-20, 101]]}}\n"                                                                       \
    "models: {m: {kind: black_scholes, assets: [A]}}\n"
#define DATED_TRADE(rest)                                                                          \
    DATED "trades:\n  - {id: t, underlying: A, exercise: {expiry: 2027-11-20}, " rest "}\n"

#define ASIAN(observations)                                                                        \
    "underlying: A, payoff: {kind: asian, option_type: call, strike: 100, averaging: "             \
    "{observations: " observations "}"                                                             \
    "}"

#define assert_close(a, b, relative) assert_relative_at((a), (b), (relative), __LINE__)

static inline void assert_relative_at(double got, double want, double relative, int line)
{
    if (fabs(got - want) <= relative * fmax(1e-300, fabs(want)) || got == want) return;
    print_error("line %d: got %.17g, want %.17g\n", line, got, want);
    fail();
}

static loaded_book loaded; /* released after each test */

static inline int release_book(void **state)
{
    (void)state;
    loaded_book_release(&loaded);
    loaded = (loaded_book){.problem = NULL};
    return 0;
}

/* Loads a book that must have no fault at all. */
static inline levy_problem *load_good(const char *text)
{
    loaded = load_text(text);
    if (loaded.faults.count > 0) print_error("%s", loaded_book_text(&loaded));
    assert_int_equal(loaded.faults.count, 0);
    assert_int_equal(loaded.status, LEVY_OK);
    return loaded.problem;
}

static inline void assert_refused(const char *text, const char *part)
{
    loaded = load_text(text);
    if (!loaded_book_says(&loaded, part))
        print_error("wanted: %s\ngot:\n%s", part, loaded_book_text(&loaded));
    assert_true(loaded_book_says(&loaded, part));
    assert_int_equal(loaded.status, LEVY_INPUT);
    assert_null(loaded.problem);
}

static inline loaded_book load_with(const char *text, const levy_override *overrides, size_t n)
{
    const levy_input input = {
        .name = "book.yaml", .text = text, .length = strlen(text), .base = NULL};
    return load_inputs(&input, 1, overrides, n);
}

#endif
