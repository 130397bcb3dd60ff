/* bench_american.c: American options as YAML, with five Greeks each: on 51 assets of volatility 0.1
 * to 0.6, under flat rates and a yield, or under rates by term and four dividends a year; and
 * options on paths. Must not know: how a row is measured. */
#include "bench/harness/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AMERICAN_ASSETS = 51, AMERICAN_HEAD = 16384, AMERICAN_LINE = 160 };

static size_t american_head(char *text, bool dividends)
{
    const char *const pays = dividends ? "dividends: {cash: [[0.11, 0.5], [0.36, 0.5], [0.61, "
                                         "0.55], [0.86, 0.55]]}"
                                       : "dividend_yield: 0.02";
    size_t length = (size_t)sprintf(
        text, "schema_version: 1\nmarket:\n  curves: {USD: %s}\n  assets:\n",
        dividends ? "{kind: zero, nodes: [[0.5, 0.03], [1, 0.035], [2, 0.04], [4, 0.042]]}"
                  : "0.05");
    for (unsigned a = 0; a < AMERICAN_ASSETS; ++a)
        length += (size_t)sprintf(text + length,
                                  "    A%u: {currency: USD, spot: 100, volatility: %.2f, %s}\n", a,
                                  0.1 + 0.01 * a, pays);
    length += (size_t)sprintf(text + length, "models:\n");
    for (unsigned a = 0; a < AMERICAN_ASSETS; ++a)
        length +=
            (size_t)sprintf(text + length, "  m%u: {kind: black_scholes, assets: [A%u]}\n", a, a);
    return length + (size_t)sprintf(text + length, "measures: [price, delta, gamma, vega, theta, "
                                                   "rho]\ntrades:\n");
}

/* Expiries are spread by steps without a common divisor with their number. */
static char *american_book(unsigned trades, bool dividends)
{
    const double first = dividends ? 1.0 : 7.0 / 365.0;
    char *const text = malloc(AMERICAN_HEAD + (size_t)trades * AMERICAN_LINE);
    if (!text) return NULL;
    size_t length = american_head(text, dividends);
    for (unsigned i = 0; i < trades; ++i)
        length += (size_t)sprintf(
            text + length,
            "  - {id: t%u, model: m%u, underlying: A%u, payoff: {kind: european, option_type: %s, "
            "strike: %u}, exercise: {style: american, expiry: %.4f}}\n",
            i, i % AMERICAN_ASSETS, i % AMERICAN_ASSETS, i % 2 ? "call" : "put", 80 + i % 41,
            first + (3.0 - first) * (i * 7919u % trades) / trades);
    return text;
}

char *bench_american(unsigned trades) { return american_book(trades, false); }
char *bench_american_dividends(unsigned trades) { return american_book(trades, true); }

/* F. Longstaff and E. Schwartz, Review of Financial Studies 14, 2001, Table 1: 50 dates in a year.
 */
char *bench_lsm_put50(unsigned trades)
{
    (void)trades;
    return strdup(
        "schema_version: 1\n"
        "market: {curves: {USD: 0.06}, assets: {A: {currency: USD, spot: 40, volatility: 0.2}}}\n"
        "models: {m: {kind: black_scholes, assets: [A]}}\n"
        "trades:\n"
        "  - id: put\n"
        "    underlying: A\n"
        "    payoff: {kind: european, option_type: put, strike: 40}\n"
        "    exercise: {style: bermudan, expiry: 1, dates: {count: 50}, method: simulation, fit: "
        "{paths: 2^18}}\n");
}

/* Five assets, what the models say of them, and a call on the best of them. */
static char *american_best(const char *asset, double correlation, const char *model,
                           const char *trade)
{
    char *const text = malloc(AMERICAN_HEAD);
    size_t length = 0;
    if (!text) return NULL;
    length +=
        (size_t)sprintf(text, "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n");
    for (char a = 'A'; a <= 'E'; ++a)
        length +=
            (size_t)sprintf(text + length, "    %c: {currency: USD, spot: 100%s}\n", a, asset);
    length += (size_t)sprintf(text + length, "  correlations:\n    names: [A.spot, B.spot, C.spot, "
                                             "D.spot, E.spot]\n    matrix: [");
    static const char *const separators[] = {"[", "], [", ", "};
    for (int i = 0; i < 25; ++i) {
        const char *const before = separators[i % 5 == 0 ? i > 0 : 2];
        const double rho = i % 6 ? correlation : 1.0;
        length += (size_t)sprintf(text + length, "%s%g", before, rho);
    }
    sprintf(text + length,
            "]]\nmodels: {m: {%s, assets: [A, B, C, D, E]}}\ntrades:\n  - id: call\n    "
            "underlyings: [A, B, C, D, E]\n    payoff: {kind: best_of, option_type: call, strike: "
            "100}\n    exercise: {style: bermudan, %s}\n",
            model, trade);
    return text;
}

/* L. Andersen and M. Broadie, Management Science 50, 2004, Table 2. */
char *bench_lsm_maxcall5(unsigned trades)
{
    (void)trades;
    return american_best(", dividend_yield: 0.1, volatility: 0.2", 0.0, "kind: black_scholes",
                         "expiry: 3, dates: {count: 9}, fit: {paths: 2^17}");
}

/* The shape of STAC-A2: five assets with variances, daily steps. */
#define AMERICAN_HESTON "kind: heston, v0: 0.04, theta: 0.04, kappa: 2, xi: 0.5, rho: -0.7"
char *bench_lsm_heston5(unsigned trades)
{
    (void)trades;
    return american_best(
        ", dividend_yield: 0.1", 0.5, AMERICAN_HESTON,
        "expiry: 1, dates: {count: 12}, fit: {paths: 2^15}}\nsimulation: {max_step: "
        "0.003968254");
}

char *bench_lsm_heston5_daily(unsigned trades)
{
    (void)trades;
    return american_best(
        ", dividend_yield: 0.1", 0.5, AMERICAN_HESTON,
        "expiry: 1, dates: {count: 252}, fit: {paths: 2^15}}\nsimulation: {max_step: "
        "0.003968254");
}
