/* stage_case.h: a toy stage: a call at the money, half of it paid as it is, and half as a straight
 * line of the level half-way there, which is fitted by least squares before it is priced. What the
 * fit saw and gave is kept for the test. Included once per test program. */
#ifndef LEVY_TESTS_STAGE_CASE_H
#define LEVY_TESTS_STAGE_CASE_H

#include "tests/cmocka_all.h"

#include "engine/base/least_squares.h"
#include "engine/book/handles.h"
#include "engine/levy.h"
#include "engine/run/stage.h"
#include "payoffs/scripted.h"
#include "tests/priced.h"
#include "tests/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sanitizer makes a path dear; two blocks are as many. */
enum { TOY_PATHS = LEVY_SANITIZED ? 1 << 13 : 1 << 15, TOY_BASE = 0, TOY_SLOPE, TOY_FITTED };

typedef struct toy_seen {
    size_t fits;
    double *levels; /* [2][TOY_PATHS] of the last fit */
    double worth[2];
    double fitted[TOY_FITTED];
    bool fails; /* the next fit says that it cannot */
} toy_seen;

static toy_seen toy;

/* What a path pays at the end, in money of the first date. */
static inline double toy_pays(double level, const double *worth)
{
    return level > 100.0 ? (level - 100.0) * worth[1] / worth[0] : 0.0;
}

static bool toy_fit(const levy_claim *claim, const levy_stage_levels *levels, levy_arena *scratch,
                    double *fitted, char *why)
{
    levy_least_squares *const fit = levy_arena_allocate(scratch, 1, sizeof *fit);
    const size_t n = levels->n_paths;
    (void)claim;
    if (!fit) return false;
    assert_int_equal(levels->n_dates, 2);
    assert_true(levels->events[0] && levels->times[0] == 0.5 && levels->times[1] == 1.0);
    ++toy.fits;
    if (toy.fails) return snprintf(why, LEVY_STAGE_WHY, "the toy is told to fail"), false;
    free(toy.levels);
    toy.levels = calloc(2 * n, sizeof *toy.levels);
    memcpy(toy.levels, levels->levels, 2 * n * sizeof *toy.levels);
    memcpy(toy.worth, levels->worth, sizeof toy.worth);
    fit->n = TOY_FITTED;
    for (size_t k = 0; k < n; ++k) {
        const double x[] = {1.0, 0.01 * levels->levels[k]};
        levy_least_squares_add(fit, x, toy_pays(levels->levels[n + k], levels->worth));
    }
    assert_int_equal(levy_least_squares_solve(fit, fitted), TOY_FITTED);
    memcpy(toy.fitted, fitted, sizeof toy.fitted);
    return true;
}

/* The script's parameters by date are node terms; levels of a script are in money. */
static void toy_write(const levy_claim *claim, const levy_claim_unit *unit, const double *fitted,
                      double *node_terms)
{
    const levy_script *const script = &claim->scripted->script;
    assert_true(unit->scale == 1.0);
    for (uint32_t k = 0; k < script->program->n_terms; ++k) {
        const levy_script_term *const term = &script->terms[k];
        if (term->kind != LEVY_SCRIPT_ITEM) continue;
        const char *const name = claim->scripted->parameters[term->parameter].name;
        node_terms[k] = strcmp(name, "base") == 0 ? fitted[TOY_BASE] : 0.01 * fitted[TOY_SLOPE];
    }
}

static const levy_stage toy_stage = {
    .paths = TOY_PATHS, .n_fitted = TOY_FITTED, .fit = toy_fit, .write = toy_write};

/* Two trades on one grid, one of which is fitted, and one on a grid of its own. */
static const char toy_text[] =
    "schema_version: 1\n"
    "market:\n"
    "  curves: {USD: 0.05}\n"
    "  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n"
    "models: {bs: {kind: black_scholes, assets: [A]}}\n"
    "trades:\n"
    "  - {id: toy, underlying: A, exercise: {expiry: 1}, payoff: {kind: script,\n"
    "     schedules: {fit: [0.5]}, parameters: {base: [1], slope: [2]}, script:\n"
    "     'at fit { pay 0.5 * (base[number] + slope[number] * level) }\n\n"
    "      at expiry { pay 0.5 * max(level - 100, 0) }'}}\n"
    "  - {id: plain, underlying: A, exercise: {expiry: 1}, payoff: {kind: asian,\n"
    "     option_type: call, strike: 100, averaging: {observations: [0.5, 1]}}}\n"
    "  - {id: other, underlying: A, exercise: {expiry: 1.5}, payoff: {kind: european,\n"
    "     option_type: call, strike: 100}}\n"
    "measures: [price, delta]\n"
    "simulation: {paths: 2^14, smoothing: none}\n";

/* The problem of now: its toys are fitted. */
static inline void toy_attach(levy_book *book)
{
    assert_int_equal(levy_book_refresh(book), LEVY_OK);
    for (size_t t = 0; t < book->problem->n_trades; ++t)
        if (strncmp(book->problem->trades[t].from->raw->id, "toy", 3) == 0)
            book->problem->trades[t].stage = &toy_stage;
}

/* `settings`: one of key and value, or NULL. */
static inline levy_book *toy_load(levy_context *of, const char *text, const char *key,
                                  const char *value)
{
    const levy_setting setting = {key, value};
    levy_book *const book = read_book(of, text, &setting, key != NULL);
    toy_attach(book);
    return book;
}

typedef struct toy_priced {
    int64_t status; /* it is compared byte by byte: no padding */
    double price, std_error, delta, plain, other;
    uint64_t hash;
} toy_priced;

/* What is seen of results, which it destroys. */
static inline toy_priced toy_take(int status, levy_results *results)
{
    toy_priced p = {.status = status};
    for (size_t t = 0; results && t < levy_results_size(results); ++t) {
        const levy_trade_result *const trade = levy_results_trade(results, t);
        if (strcmp(trade->id, "plain") == 0) p.plain = trade->price;
        if (strcmp(trade->id, "other") == 0) p.other = trade->price;
        if (strcmp(trade->id, "toy") != 0) continue;
        p.price = trade->price;
        p.std_error = trade->std_error;
        const levy_measure *const delta = find_measure(trade, "delta", NULL);
        if (delta) p.delta = delta->value;
        p.hash = trade->plan_hash;
    }
    levy_results_destroy(results);
    return p;
}

static inline toy_priced toy_price_by(levy_book *book, const levy_price_options *how)
{
    levy_results *results = NULL;
    const int status = levy_price(book, how, &results);
    return toy_take(status, results);
}

static inline toy_priced toy_price(levy_context *of, const char *key, const char *value,
                                   const levy_price_options *how)
{
    levy_book *const book = toy_load(of, toy_text, key, value);
    const toy_priced p = toy_price_by(book, how);
    levy_book_destroy(book);
    return p;
}

#endif
