/* greeks_case.h: what the tests of sensitivities and scenarios share: pricing a text, finding a
 * measure, pricing again on quotes that were set. For inclusion by one test program each. */
#ifndef LEVY_TESTS_GREEKS_CASE_H
#define LEVY_TESTS_GREEKS_CASE_H

#include "tests/normal_law.h"
#include "tests/priced.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void price_with(priced *p, const char *text, const levy_setting *settings, size_t n,
                              const levy_price_options *options)
{
    assert_int_equal(levy_context_create(NULL, &p->context), LEVY_STATUS_OK);
    const int status =
        levy_book_load_text(p->context, "book", text, strlen(text), settings, n, &p->book);
    for (size_t i = 0; i < levy_diagnostic_count(p->context); ++i)
        print_message("%s\n", levy_diagnostic_get(p->context, i)->text);
    assert_int_equal(status, LEVY_STATUS_OK);
    assert_int_equal(levy_price(p->book, options, &p->results), LEVY_STATUS_OK);
}

/* A book of tests/books, by its name without the ending. */
static inline void price_book(priced *p, const char *name, const levy_setting *settings, size_t n)
{
    char path[512];
    const char *const at = path;
    snprintf(path, sizeof path, LEVY_SOURCE_DIR "/tests/books/%s.yaml", name);
    assert_int_equal(levy_context_create(NULL, &p->context), LEVY_STATUS_OK);
    assert_int_equal(levy_book_load_files(p->context, &at, 1, settings, n, &p->book),
                     LEVY_STATUS_OK);
    assert_int_equal(levy_price(p->book, NULL, &p->results), LEVY_STATUS_OK);
}

static inline void price_text(priced *p, const char *text) { price_with(p, text, NULL, 0, NULL); }

static inline const levy_measure *measure_of(const priced *p, size_t trade, const char *measure,
                                             const char *factor)
{
    const levy_trade_result *const t = levy_results_trade(p->results, trade);
    assert_non_null(t);
    assert_string_equal(t->status, "ok");
    for (size_t i = 0; i < t->n_measures; ++i)
        if (!strcmp(t->measures[i].measure, measure) && !strcmp(t->measures[i].factor, factor))
            return &t->measures[i];
    print_error("no %s %s\n", measure, factor);
    fail();
    return NULL;
}

/* Within 4 standard errors and a bias. */
static inline void assert_estimate(const levy_measure *m, double exact, double bias)
{
    const double off = fabs(m->value - exact);
    if (!(off <= 4.0 * m->std_error + bias))
        print_error("%s %s: %.10g, exact %.10g, off %.3g, std. error %.3g, bias %.3g\n", m->measure,
                    m->factor, m->value, exact, off, m->std_error, bias);
    assert_true(off <= 4.0 * m->std_error + bias);
}

#define MARKET(assets) "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n" assets
#define ONE                                                                                        \
    MARKET("    S: {currency: USD, spot: 100, dividend_yield: 0.02, volatility: 0.2}\n")           \
    "models: {equity: {kind: black_scholes, assets: [S]}}\n"
#define CALL(id)                                                                                   \
    "  - {id: " id ", underlying: S, payoff: {kind: european, option_type: call, strike: 105}, "   \
    "exercise: {expiry: 1.0}}\n"
#define ASIAN(id)                                                                                  \
    "  - {id: " id ", underlying: S, payoff: {kind: asian, option_type: call, strike: 100, "       \
    "averaging: {method: arithmetic, "                                                             \
    "observations: {count: 12}}}, exercise: {expiry: 1.0}}\n"
#define FIVE "measures: [price, delta, gamma, vega, rho, theta]\n"

/* The price on quotes that are set, and put back. */
static inline double with_quotes(const priced *p, size_t trade, const char *const *names,
                                 const double *values, size_t n)
{
    double before[4];
    levy_results *results;
    for (size_t i = 0; i < n; ++i) {
        assert_int_equal(levy_book_get(p->book, names[i], &before[i]), LEVY_STATUS_OK);
        assert_int_equal(levy_book_set(p->book, names[i], values[i]), LEVY_STATUS_OK);
    }
    assert_int_equal(levy_price(p->book, NULL, &results), LEVY_STATUS_OK);
    const double price = levy_results_trade(results, trade)->price;
    levy_results_destroy(results);
    for (size_t i = 0; i < n; ++i)
        assert_int_equal(levy_book_set(p->book, names[i], before[i]), LEVY_STATUS_OK);
    return price;
}

#endif
