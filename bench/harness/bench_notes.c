/* bench_notes.c: the structured notes that `levy bench` prices, as YAML: the payoffs of single
 * rows, and a book of many notes of few forms, as a desk holds them: a form is a script, a number
 * of assets and a class of dates; the terms differ from trade to trade. Must not know: how a row is
 * measured. */
#include "bench/harness/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char bench_phoenix[] = "      kind: phoenix\n"
                             "      observations: {count: 36}\n"
                             "      coupon: 0.01\n"
                             "      coupon_barrier: 0.7\n"
                             "      memory: true\n"
                             "      call_barrier: 1.0\n"
                             "      knock_in: {count: 756}\n"
                             "      knock_in_barrier: 0.6\n";

/* The two cases are of the shape of HIPERFIT FinPar's contracts on three indices, "medium" and
 * "large", which are called, or knocked in, by the worst of them. */
const char bench_finpar_autocall[] = "      kind: autocallable\n"
                                     "      calls: {count: 5}\n"
                                     "      barrier: 1.0\n"
                                     "      coupon: 0.15\n"
                                     "      protection: 0.75\n";
const char bench_finpar_barrier[] = "      kind: reverse_convertible\n"
                                    "      coupons: {count: 1}\n"
                                    "      coupon: 0.1\n"
                                    "      knock_in: {count: 367}\n"
                                    "      barrier: 0.7\n";

/* bench/peers/autocall writes this note by hand. */
const char bench_autocall_script[] =
    "      kind: script\n"
    "      levels: percent_of_initial\n"
    "      schedules: {calls: {count: 12}}\n"
    "      parameters: {coupon: 0.02, barrier: 1.0, protection: 0.6}\n"
    "      script: |\n"
    "        at calls {\n"
    "          if worst(levels) >= barrier {\n"
    "            pay 1 + coupon * number\n"
    "            stop\n"
    "          }\n"
    "        }\n"
    "        at expiry {\n"
    "          pay worst(levels) if worst(levels) < protection else 1\n"
    "        }\n";

/* Options whose payoffs are less smooth from one to the next, of the rows time_to_error_*. */
const char bench_asian[] = "      kind: asian\n"
                           "      option_type: call\n"
                           "      strike: 100\n"
                           "      averaging: {method: arithmetic, observations: {count: 64}}\n";
const char bench_digital_asian[] =
    "      kind: asian\n"
    "      option_type: call\n"
    "      strike: 100\n"
    "      payout: cash\n"
    "      cash: 10\n"
    "      averaging: {method: arithmetic, observations: {count: 64}}\n";
const char bench_knock_out[] =
    "      kind: barrier\n"
    "      option_type: call\n"
    "      strike: 100\n"
    "      barrier: {direction: up, knock: out, level: 120, observations: {count: 63}}\n";

/* ---- The book ---- */

/* NOTES_CYCLE: trades of one form, after which the expiry is the first one's again. */
enum { NOTES_SCRIPTS = 5, NOTES_FORMS = 20, NOTES_ASSETS = 12, NOTES_CYCLE = 25, NOTES_LINE = 640 };

/* Each takes the number of dates, a level, a coupon and twice the dates. */
static const char *const notes_payoffs[NOTES_SCRIPTS] = {
    "kind: autocallable, calls: {count: %1$u}, barrier: %2$.2f, coupon: %3$.3f, protection: 0.6",
    "kind: snowball, calls: {count: %1$u}, barrier: %2$.2f, coupon: %3$.3f, knock_in: {count: "
    "%4$u}, knock_in_barrier: 0.7",
    "kind: phoenix, observations: {count: %1$u}, coupon: %3$.3f, coupon_barrier: 0.7, "
    "call_barrier: %2$.2f, knock_in_barrier: 0.6",
    "kind: phoenix, observations: {count: %1$u}, coupon: %3$.3f, coupon_barrier: 0.75, memory: "
    "false, call_barrier: %2$.2f, knock_in: {count: %4$u}, knock_in_barrier: 0.6",
    "kind: script, levels: percent_of_initial, schedules: {calls: {count: %1$u}}, parameters: "
    "{high: %2$.2f, coupon: %3$.3f, low: 0.6, gearing: 1.5}, script: \"at calls { if "
    "worst(levels) >= high { pay 1 + coupon * number; stop } }; at expiry { pay 1 - gearing * (low "
    "- worst(levels)) if worst(levels) < low else 1 }\"",
};

static size_t notes_head(char *text)
{
    size_t length =
        (size_t)sprintf(text, "schema_version: 1\nmarket:\n  curves: {USD: 0.04}\n  assets:\n");
    for (unsigned i = 0; i < NOTES_ASSETS; ++i)
        length += (size_t)sprintf(text + length,
                                  "    A%u: {currency: USD, spot: 100, volatility: %.2f}\n", i,
                                  0.2 + 0.01 * i);
    length += (size_t)sprintf(text + length, "  correlations:\n    pairs:\n");
    for (unsigned i = 1; i < NOTES_ASSETS; ++i)
        for (unsigned j = 0; j < i; ++j)
            length += (size_t)sprintf(text + length, "      - [A%u.spot, A%u.spot, 0.5]\n", j, i);
    length += (size_t)sprintf(text + length, "models:\n  equity: {kind: black_scholes, assets: [");
    for (unsigned i = 0; i < NOTES_ASSETS; ++i)
        length += (size_t)sprintf(text + length, "%sA%u", i ? ", " : "", i);
    return length + (size_t)sprintf(text + length, "]}\ntrades:\n");
}

/* Trades of a form come one after the other in turns of all forms: on one asset or three, on up to
 * 12 dates or up to 32. */
static size_t notes_trade(char *line, unsigned trade)
{
    static const unsigned dates[2][4] = {{9, 10, 11, 12}, {18, 24, 28, 32}};
    const unsigned form = trade % NOTES_FORMS, turn = trade / NOTES_FORMS,
                   assets = form / NOTES_SCRIPTS % 2 ? 3 : 1, late = form / (2 * NOTES_SCRIPTS),
                   count = dates[late][turn % 4];
    size_t length = (size_t)sprintf(line, "  - {id: n%u, underlyings: [", trade);
    for (unsigned i = 0; i < assets; ++i)
        length += (size_t)sprintf(line + length, "%sA%u", i ? ", " : "",
                                  (turn % (NOTES_ASSETS - 2) + i) % NOTES_ASSETS);
    length += (size_t)sprintf(line + length, "], notional: 100, payoff: {");
    length += (size_t)sprintf(line + length, notes_payoffs[form % NOTES_SCRIPTS], count,
                              1.0 + 0.01 * (turn % 5), 0.01 + 0.001 * (turn % 7), 2 * count);
    return length + (size_t)sprintf(line + length, "}, exercise: {expiry: %.2f}}\n",
                                    2.0 + late + 0.01 * (turn % NOTES_CYCLE));
}

char *bench_notes(unsigned trades)
{
    static const char tail[] = "simulation: {paths: 2^14, seed: 42, precision: single}\n";
    enum { HEAD = 8192 };
    char *const text = malloc(HEAD + sizeof tail + (size_t)trades * NOTES_LINE);
    if (!text) return NULL;
    size_t length = notes_head(text);
    for (unsigned i = 0; i < trades; ++i) length += notes_trade(text + length, i);
    memcpy(text + length, tail, sizeof tail);
    return text;
}
