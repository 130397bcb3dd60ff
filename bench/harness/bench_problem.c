/* bench_problem.c: the problems of `levy bench` as the YAML that `levy price` reads, so that anyone
 * can take one and go on with it (`levy bench --show ROW`). The start-up row prices
 * configs/quickstart.yaml, kept in the program. */
#include "bench/harness/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__asm__(".section .rodata\n"
        ".global cli_bench_quickstart\n"
        ".hidden cli_bench_quickstart\n"
        "cli_bench_quickstart:\n"
        ".incbin \"" LEVY_QUICKSTART_PATH "\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char cli_bench_quickstart[];

enum { PROBLEM_SIZE = 1 << 17 }; /* 100 assets with their correlations fit */

typedef struct problem_text {
    char *text;
    size_t length; /* PROBLEM_SIZE or more: it did not fit */
} problem_text;

static void __attribute__((format(printf, 2, 3)))
problem_add(problem_text *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t left = out->length < PROBLEM_SIZE ? PROBLEM_SIZE - out->length : 0;
    const int length = vsnprintf(left ? out->text + out->length : NULL, left, format, arguments);
    va_end(arguments);
    out->length += length > 0 ? (size_t)length : 0;
}

static void problem_assets(problem_text *out, const bench_entry *entry)
{
    const char *const currency = entry->conversion ? "EUR" : "USD";
    problem_add(out, "schema_version: 1\nmarket:\n  curves: {USD: 0.05%s}\n  assets:\n",
                entry->conversion ? ", EUR: 0.03" : "");
    if (entry->conversion)
        problem_add(out, "    FX: {currency: USD, base_currency: EUR, spot: 1, volatility: 0.1}\n");
    for (unsigned i = 0; i < entry->assets; ++i) {
        problem_add(out, "    A%u: {currency: %s, spot: 100", i, currency);
        if (entry->irregular && entry->cash)
            problem_add(
                out, ", dividends: {cash: [[0.12, 0.5], [0.37, 0.5], [0.62, 0.55], [0.87, 0.55]]}");
        else if (entry->irregular)
            problem_add(out, ", dividend_yield: 0.01, dividends: {proportional: [[0.12, 0.005], "
                             "[0.37, 0.005], [0.62, 0.005], [0.87, 0.005]]}");
        if (entry->irregular)
            problem_add(out, ",\n         volatility: {kind: term, nodes: [[0.25, 0.18], [0.5, "
                             "0.2], [0.75, 0.21], [1.0, 0.22]]}}\n");
        else if (entry->driven)
            problem_add(out, "}\n");
        else
            problem_add(out, ", volatility: %.4f}\n", 0.2 + 0.005 * i);
    }
}

/* The matrix is positive definite: a constant, plus a completely monotone function of the distance,
 * plus the rest on the diagonal. */
static void problem_correlations(problem_text *out, const bench_entry *entry)
{
    const unsigned n = entry->assets + (entry->conversion ? 1 : 0);
    problem_add(out, "  correlations:\n    names: [");
    for (unsigned i = 0; i < entry->assets; ++i) problem_add(out, "%sA%u.spot", i ? ", " : "", i);
    problem_add(out, "%s]\n    matrix:\n", entry->conversion ? ", FX.spot" : "");
    for (unsigned i = 0; i < n; ++i) {
        for (unsigned j = 0; j < n; ++j) {
            const double distance = i > j ? i - j : j - i;
            problem_add(out, "%s%.9g", j ? ", " : "      - [",
                        i == j ? 1.0 : 0.3 + 0.4 / (1.0 + 0.25 * distance));
        }
        problem_add(out, "]\n");
    }
}

static void problem_underlyings(problem_text *out, const bench_entry *entry)
{
    if (entry->assets == 1) problem_add(out, "    underlying: A0\n");
    if (entry->assets == 1) return;
    problem_add(out, "    underlyings:\n");
    for (unsigned i = 0; i < entry->assets && entry->payoff; ++i)
        problem_add(out, "      - A%u\n", i);
    if (entry->payoff) return; /* levels, without weights */
    for (unsigned i = 0; i < entry->assets; ++i)
        problem_add(out, "      - {name: A%u, weight: %.9g}\n", i, 1.0 / entry->assets);
}

/* Irregular times differ from equal ones by up to a third of a step. */
static void problem_observations(problem_text *out, const bench_entry *entry)
{
    if (!entry->irregular) problem_add(out, "{count: %u}", entry->dates);
    for (unsigned i = 1; entry->irregular && i <= entry->dates; ++i) {
        const double shift = i == entry->dates ? 0.0 : ((int)(7 * i % 5) - 2) / 6.0;
        problem_add(out, "%s%.9g", i > 1 ? ", " : "[", (i + shift) / entry->dates);
    }
    if (entry->irregular) problem_add(out, "]");
}

/* A year's switches from one regime to another, in 64ths, so that rows of the chain add up to 0
 * without rounding. */
static unsigned problem_switches(unsigned from, unsigned to)
{
    const unsigned distance = from > to ? from - to : to - from;
    return 1 + 128 / ((1 + distance) * (1 + distance));
}

/* Regimes from calm to wild, of which the middle one holds today. */
static void problem_regimes(problem_text *out, unsigned n)
{
    problem_add(out, ",\n           regimes: {");
    for (unsigned i = 0; i < n; ++i)
        problem_add(out, "%sr%u: {volatilities: [%.4f]}", i ? ", " : "", i,
                    0.1 + 0.25 * i / (n - 1.0));
    problem_add(out, "},\n           generator:\n            [");
    for (unsigned i = 0; i < n; ++i) {
        unsigned leaving = 0;
        for (unsigned j = 0; j < n; ++j) leaving += i == j ? 0 : problem_switches(i, j);
        for (unsigned j = 0; j < n; ++j)
            problem_add(out, "%s%.6f", j ? ", " : "[",
                        i == j ? leaving / -64.0 : problem_switches(i, j) / 64.0);
        problem_add(out, i + 1 < n ? "],\n             " : "]],\n");
    }
    problem_add(out, "           initial_regime: r%u, switching: stepped", n / 2);
}

static void problem_trade(problem_text *out, const bench_entry *entry)
{
    problem_add(out, "models:\n  equity: {kind: %s, assets: [",
                entry->model ? entry->model : "black_scholes");
    const bool simulated = entry->conversion && strcmp(entry->conversion, "simulated") == 0;
    for (unsigned i = 0; i < entry->assets; ++i) problem_add(out, "%sA%u", i ? ", " : "", i);
    problem_add(out, simulated ? ", FX]" : "]");
    if (entry->terms) problem_add(out, ", %s", entry->terms);
    if (entry->regimes) problem_regimes(out, entry->regimes);
    problem_add(out, "}\ntrades:\n  - id: %s\n    model: equity\n", entry->name);
    problem_underlyings(out, entry);
    if (entry->conversion)
        problem_add(out, "    %s: %s\n", simulated ? "quanto" : "conversion", entry->conversion);
    problem_add(out, "    currency: USD\n    discount_curve: USD\n    position: long\n    "
                     "quantity: 1\n    payoff:\n");
    if (entry->payoff) {
        problem_add(out, "%s", entry->payoff);
    } else if (entry->dates == 0) {
        problem_add(out, "      kind: european\n      option_type: call\n      strike: 105\n");
    } else {
        problem_add(out,
                    "      kind: asian\n      option_type: call\n      strike: 100\n%s      "
                    "averaging: {method: arithmetic, observations: ",
                    entry->assets > 1 ? "      aggregate: basket\n" : "");
        problem_observations(out, entry);
        problem_add(out, "}\n");
    }
    problem_add(out, "    exercise: {style: european, expiry: %.2f}\n",
                entry->payoff ? entry->years : 1.0);
}

/* A hundred of them, evenly from -25 to 25 % of the spot or -0.125 to 0.125 of the volatility. */
static void problem_scenarios(problem_text *out, const char *factor)
{
    const bool spot = strcmp(factor, "spot") == 0;
    const double each = spot ? 0.005 : 0.0025;
    problem_add(out, "scenarios: [{id: ladder, grid: [{factor: A0.%s, type: %s, sizes: [%.5f",
                factor, spot ? "relative" : "absolute", -49.5 * each);
    for (int i = 1; i < 100; ++i) problem_add(out, ", %.5f", (i - 49.5) * each);
    problem_add(out, "]}]}]\n");
}

char *bench_problem(const bench_entry *entry)
{
    if (entry->trades) return entry->book(entry->trades);
    if (entry->measure == bench_measure_process) return strdup(cli_bench_quickstart);
    problem_text out = {malloc(PROBLEM_SIZE), 0};
    if (!out.text) return NULL;
    problem_assets(&out, entry);
    if (entry->assets > 1)
        problem_correlations(&out, entry);
    else if (entry->conversion)
        problem_add(&out, "  correlations: {pairs: [[A0.spot, FX.spot, 0.3]]}\n");
    problem_trade(&out, entry);
    if (entry->measures) problem_add(&out, "measures: [%s]\n", entry->measures);
    if (entry->scenarios) problem_scenarios(&out, entry->scenarios);
    problem_add(&out,
                "simulation: {paths: 2^%u, generator: %s, construction: %s, seed: 42, "
                "precision: %s",
                entry->paths ? entry->paths : 18, entry->generator, entry->construction,
                entry->precision);
    if (entry->smoothing) problem_add(&out, ", smoothing: %s", entry->smoothing);
    problem_add(&out, "}\n");
    if (out.length < PROBLEM_SIZE) return out.text;
    free(out.text);
    return NULL;
}
