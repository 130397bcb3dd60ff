/* book_pairs.c: see book_pairs.h. */
#include "tests/generated/book_pairs.h"
#include "tests/generated/books.h"
#include "tests/generated/lattice.h"
#include "tests/problem_load.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* On the same plain paths. */
static void compare_plain(const generated_book *book, comparison *c, const char *other,
                          double share)
{
    const char *const *const plain = SETTINGS("simulation.smoothing=none");
    c->skipped = !other[0];
    if (c->skipped) return;
    c->against = other;
    levy_results *const a = comparison_price(c, book->text, plain, 0, NULL), *const b =
                                                                                 comparison_price(
                                                                                     c, other,
                                                                                     plain, 0,
                                                                                     NULL);
    compare_values_within(c, a, b, share);
    comparison_release(a);
    comparison_release(b);
}

void pair_script(const generated_book *book, comparison *c)
{
    compare_plain(book, c, book->twin, book->twin_on_same_paths ? 1e-8 : 0.0);
}

void pair_units(const generated_book *book, comparison *c)
{
    compare_plain(book, c, book->units, 1e-8);
}

/* ---- Sums whose value is known ---- */

/* Of a trade that has it not: 0. */
static const levy_measure *measure_like(const levy_trade_result *trade, const levy_measure *like)
{
    static const levy_measure nothing = {.value = 0.0};
    for (size_t m = 0; m < trade->n_measures; ++m) {
        const levy_measure *const each = levy_trade_measure(trade, m);
        if (strcmp(each->measure, like->measure) == 0 && strcmp(each->factor, like->factor) == 0)
            return each;
    }
    return &nothing;
}

/* What the legs of a sum are worth together, without signs. */
static double size_of_legs(const levy_results *r, const char *id, const levy_measure *like)
{
    double size = 0.0;
    for (size_t t = 0; t < levy_results_size(r); ++t) {
        const levy_trade_result *const leg = levy_results_trade(r, t);
        if (leg->leg_of && strcmp(leg->leg_of, id) == 0)
            size += fabs(measure_like(leg, like)->value);
    }
    return size;
}

/* prices: of the legs, without signs */
static void check_sum(comparison *c, const levy_trade_result *sum, const levy_measure *m,
                      double size, double prices)
{
    const bool zero = sum->id[0] == SUM_IS_ZERO, doubtful = m->flagged || isnan(m->std_error) ||
                                                            isnan(m->value) ||
                                                            strcmp(m->interval, "unreliable") == 0;
    ++c->compared;
    c->doubtful += doubtful;
    if (isnan(m->value)) {
        ++c->excused[NO_VALUE];
        return;
    }
    const double error = isnan(m->std_error) ? 0.0 : m->std_error,
                 room = 1e-9 * size + 1e-10 * prices, off = zero ? fabs(m->value) : -m->value;
    if (off <= room + 6.0 * error) return;
    if (m->flagged || (doubtful && off <= comparison_unseen(c, m->measure, size))) {
        ++c->excused[m->flagged ? BIASED : UNRELIABLE];
        return;
    }
    ++c->differences;
    comparison_say(c, "  %s %s %s: %.10g +- %.3g, legs of %.6g, is to be %s", sum->id, m->measure,
                   m->factor, m->value, m->std_error, size, zero ? "0" : "0 or more");
}

static void check_sums(comparison *c, const levy_results *r)
{
    for (size_t t = 0; t < levy_results_size(r); ++t) {
        const levy_trade_result *const sum = levy_results_trade(r, t);
        if (sum->leg_of) continue;
        const double prices = size_of_legs(r, sum->id, levy_trade_measure(sum, 0));
        for (size_t m = 0; m < sum->n_measures; ++m) {
            const levy_measure *const x = levy_trade_measure(sum, m);
            if (sum->id[0] == SUM_IS_ZERO || strstr(x->measure, "price"))
                check_sum(c, sum, x, size_of_legs(r, sum->id, x), prices);
        }
    }
}

void pair_sums(const generated_book *book, comparison *c)
{
    c->skipped = !book->sums[0];
    if (c->skipped) return;
    c->against = book->sums;
    levy_results *const r = comparison_price(c, book->sums, NULL, 0, NULL);
    if (r && !c->refused) check_sums(c, r);
    comparison_release(r);
}

/* ---- Constructions ---- */

void pair_construction(const generated_book *book, comparison *c)
{
    static const char *const others[] = {"simulation.construction=pca",
                                         "simulation.construction=incremental"};
    const bool pca = !strstr(book->text, "variance_gamma");
    levy_results *const a = comparison_price(c, book->text,
                                             SETTINGS("simulation.construction="
                                                      "bridge"),
                                             0, NULL),
                        *const b = comparison_price(
                            c, book->text, SETTINGS(others[!pca || c->quote % 2]), 1, NULL);
    compare_by_error(c, a, b);
    comparison_release(a);
    comparison_release(b);
}

/* ---- Alone ---- */

void pair_alone(const generated_book *book, comparison *c)
{
    json_t *const whole = json_loads(book->text, 0, NULL), *const trades = json_incref(
                                                               json_object_get(whole, "trades"));
    c->skipped = json_array_size(trades) < 2;
    levy_results *const all = c->skipped ? NULL : comparison_price(c, book->text, NULL, 0, NULL);
    for (size_t k = 0; all && k < json_array_size(trades); ++k) {
        json_object_set_new(whole, "trades", json_pack("[O]", json_array_get(trades, k)));
        char *const text = json_dumps(whole, JSON_COMPACT);
        levy_results *const one = comparison_price(c, text, NULL, 0, NULL);
        compare_found_by_bits(c, one, all);
        comparison_release(one);
        free(text);
    }
    comparison_release(all);
    json_decref(trades);
    json_decref(whole);
}

void pair_price_alone(const generated_book *book, comparison *c)
{
    levy_results *const all = comparison_price(c, book->text, NULL, 0, NULL),
                        *const prices =
                            comparison_price(c, book->text, SETTINGS("measures=price"), 0, NULL);
    compare_prices_by_bits(c, all, prices);
    comparison_release(all);
    comparison_release(prices);
}

/* ---- A journal that is cut off, and resumed ---- */

static int cut_off(void *user, const levy_progress *progress)
{
    return progress->done >= *(const uint64_t *)user;
}

static levy_results *price_resumed(comparison *c, const char *text, uint64_t blocks)
{
    char path[] = "/tmp/levy-generated-XXXXXX";
    const int file = mkstemp(path);
    levy_price_options options = {.struct_size = sizeof options,
                                  .device = "cpu",
                                  .threads = 1,
                                  .no_times = 1,
                                  .batch_blocks = 1,
                                  .journal = path,
                                  .progress = cut_off,
                                  .user = &blocks};
    levy_book *const book = comparison_load(c, text, NULL, 0);
    levy_results *first = NULL, *r = NULL;
    if (file >= 0) close(file);
    unlink(path);
    if (book && levy_price(book, &options, &first) != LEVY_STATUS_CANCELLED && !first)
        comparison_refuse(c);
    levy_results_destroy(first);
    options.progress = NULL;
    options.resume = 1;
    if (book && !c->refused && levy_price(book, &options, &r) != LEVY_STATUS_OK)
        comparison_refuse(c);
    levy_book_destroy(book);
    unlink(path);
    return r;
}

void pair_journal(const generated_book *book, comparison *c)
{
    levy_results *const a = comparison_price(c, book->text, NULL, 0, NULL),
                        *const b = price_resumed(c, book->text, 1 + c->quote % 64);
    compare_by_bits(c, a, b);
    comparison_release(a);
    comparison_release(b);
}

/* ---- The sum of all trades ---- */

static void check_netted(comparison *c, const levy_results *r, const levy_measure *sum)
{
    double value = 0.0, size = 0.0, errors = 0.0;
    for (size_t t = 0; t < levy_results_size(r); ++t) {
        const levy_trade_result *const trade = levy_results_trade(r, t);
        const levy_measure *const m = measure_like(trade, sum);
        if (trade->leg_of) continue;
        value += m->value;
        size += fabs(m->value);
        errors += m->std_error;
    }
    const double room = 1e-12 * size;
    ++c->compared;
    if (isnan(sum->value) && isnan(value)) return;
    if (fabs(sum->value - value) <= room && !(sum->std_error > 1.000001 * errors + room)) return;
    ++c->differences;
    comparison_say(c, "  sum of %s %s: %.17g +- %.4g, trades %.17g +- at most %.4g", sum->measure,
                   sum->factor, sum->value, sum->std_error, value, errors);
}

static bool adds_up(const levy_measure *m)
{
    static const char *const never[] = {"probability", "expected_life", "report", "boundary"};
    for (size_t i = 0; i < sizeof never / sizeof *never; ++i)
        if (strcmp(m->measure, never[i]) == 0) return false;
    return true;
}

void pair_netted(const generated_book *book, comparison *c)
{
    levy_results *const r = comparison_price(c, book->text, NULL, 0, NULL);
    for (size_t s = 0; r && !c->refused && s < levy_results_netted_count(r); ++s) {
        const levy_netted *const sum = levy_results_netted(r, s);
        for (size_t m = 0; m < sum->n_measures; ++m)
            if (adds_up(levy_netted_measure(sum, m)))
                check_netted(c, r, levy_netted_measure(sum, m));
    }
    comparison_release(r);
}

/* ---- Early exercise ---- */

typedef void (*check_early)(comparison *, const levy_trade *, const levy_trade_result *,
                            lattice_value);

static void check_lattice(comparison *c, const levy_trade *trade, const levy_trade_result *result,
                          lattice_value expected)
{
    const double off = fabs(result->price - expected.price);
    (void)trade;
    ++c->compared;
    if (off <= 6.0 * result->std_error + 3.0 * expected.error) return;
    ++c->differences;
    comparison_say(c, "  %s: %.10g +- %.3g, on a lattice %.10g +- %.3g, strike %g", result->id,
                   result->price, result->std_error, expected.price, expected.error,
                   expected.strike);
}

/* By simulation: prices are lower bounds of the lattice's, and not far below; upper bounds are
 * those of the same dates.
 */
static void check_bounds(comparison *c, const levy_trade *trade, const levy_trade_result *result,
                         lattice_value expected)
{
    const double side = levy_trade_scale(trade) < 0.0 ? -1.0 : 1.0;
    const levy_measure *upper = NULL;
    for (size_t m = 0; m < result->n_measures && !trade->early->american; ++m)
        if (strcmp(result->measures[m].measure, "upper_bound") == 0) upper = &result->measures[m];
    if (strcmp(result->status, "ok") != 0 || isnan(result->std_error)) return;
    ++c->compared;
    const double room = 6.0 * result->std_error + 3.0 * expected.error;
    const double left = trade->early->american ? 0.15 : 0.05; /* it is exercised on few dates */
    const double gain = side * (result->price - expected.price);
    const double least =
        5e-4 * fabs(levy_trade_scale(trade)) * levy_trade_asset(trade, 0)->spot; /* few paths */
    const bool low = gain <= room && gain >= -room - least - left * fabs(expected.price);
    /* a bound whose replicates agree has no error */
    const double above = upper && upper->std_error > 0.0 ? 6.0 * upper->std_error : 0.0;
    const bool high = !upper || side * (expected.price - upper->value) <= above + room;
    if (low && high) return;
    ++c->differences;
    comparison_say(c, "  %s: from %.10g +- %.3g to %.10g +- %.3g, on a lattice %.10g +- %.3g",
                   result->id, result->price, result->std_error, upper ? upper->value : NAN,
                   upper ? upper->std_error : NAN, expected.price, expected.error);
}

/* Lets what may be exercised early be so by a rule that is fitted to paths. */
static void fit_rules(json_t *of)
{
    json_t *const exercise = json_object_get(of, "exercise");
    const char *const style = json_string_value(json_object_get(exercise, "style"));
    json_object_del(of, "measures");
    if (!style || strcmp(style, "european") == 0) return;
    json_object_set_new(exercise, "method", json_string("simulation"));
    json_object_set_new(exercise, "fit", json_pack("{s:i}", "paths", 4096));
    if (strcmp(style, "bermudan") == 0)
        json_object_set_new(json_object_get(exercise, "fit"), "control", json_string("auto"));
    else
        json_object_set_new(exercise, "steps", json_integer(6));
}

/* Of what may be exercised early; a lattice knows no notice, which makes it a rule. */
static bool is_on_lattice(const levy_trade *trade)
{
    return trade->early && !trade->stage && trade->state != LEVY_TRADE_KNOWN;
}

static void check_trades(comparison *c, const levy_problem *problem, const levy_results *r,
                         const lattice_value *expected, check_early check)
{
    for (size_t t = 0; r && !c->refused && t < problem->n_trades; ++t) {
        const levy_trade *const trade = &problem->trades[t];
        if (!is_on_lattice(trade)) continue;
        for (size_t k = 0; k < levy_results_size(r); ++k)
            if (strcmp(levy_results_trade(r, k)->id, trade->header.name) == 0)
                check(c, trade, levy_results_trade(r, k), expected[t]);
    }
}

/* What a rule gives lies on one side of the other bound, whatever both are fitted to. */
static void check_sides(comparison *c, const levy_trade_result *result)
{
    const levy_measure *bound = NULL;
    for (size_t m = 0; m < result->n_measures; ++m)
        if (strcmp(result->measures[m].measure, "upper_bound") == 0) bound = &result->measures[m];
    if (!bound || isnan(bound->std_error) || isnan(result->std_error)) return;
    const double side = strstr(bound->note, "upper") ? 1.0 : -1.0, size = fabs(result->price);
    double room = 6.0 * hypot(bound->std_error, result->std_error) + 1e-12 * size;
    if (bound->std_error <= 1e-12 * size) /* all paths may agree on it */
        room += comparison_unseen(c, "price", size);
    ++c->compared;
    if (side * (bound->value - result->price) >= -room) return;
    ++c->differences;
    comparison_say(c, "  %s: %.10g +- %.3g, %s %.10g +- %.3g", result->id, result->price,
                   result->std_error, bound->note, bound->value, bound->std_error);
}

static void check_rules(const generated_book *book, comparison *c, const levy_problem *problem,
                        const lattice_value *expected)
{
    json_t *const whole = json_loads(book->text, 0, NULL), *const trades =
                                                               json_object_get(whole, "trades");
    for (size_t k = 0; k < json_array_size(trades); ++k) {
        json_t *const trade = json_array_get(trades, k), *const legs =
                                                             json_object_get(trade, "legs");
        fit_rules(trade);
        for (size_t l = 0; l < json_array_size(legs); ++l) fit_rules(json_array_get(legs, l));
    }
    char *const text = json_dumps(whole, JSON_PRESERVE_ORDER);
    levy_results *r = comparison_price(c, text, SETTINGS("measures=price,upper_bound"), 0, NULL);
    if (!r || c->refused) { /* cash dividends have no upper bound */
        comparison_release(r);
        c->refused = false;
        r = comparison_price(c, text, SETTINGS("measures=price"), 0, NULL);
    }
    check_trades(c, problem, r, expected, check_bounds);
    for (size_t k = 0; r && !c->refused && k < levy_results_size(r); ++k)
        check_sides(c, levy_results_trade(r, k));
    c->refused = false;
    comparison_release(r);
    free(text);
    json_decref(whole);
}

/* ---- Where regimes switch ---- */

static const lattice_chain chains[] = {{{1.0, 2.0}, {1.0, 1.0}, {0.03, 0.03}},
                                       {{0.5, 2.0}, {1.0, 2.0}, {0.02, -0.03}},
                                       {{3.0, 1.0}, {1.5, 0.6}, {-0.02, 0.05}}};

static json_t *regime_of(const lattice_chain *chain, int r)
{
    return json_pack("{s:f, s:f}", "volatility_factors", chain->factor[r], "rate", chain->rate[r]);
}

/* The first trade alone, by a rule, under the chain. */
static char *switch_regimes(const char *book, const lattice_chain *chain)
{
    json_t *const whole = json_loads(book, 0, NULL),
                  *const trades = json_object_get(whole, "trades"),
                  *const model =
                      json_object_iter_value(json_object_iter(json_object_get(whole, "models")));
    const double *const left = chain->left;
    while (json_array_size(trades) > 1) json_array_remove(trades, 1);
    fit_rules(json_array_get(trades, 0));
    json_object_del(whole, "scenarios");
    json_object_set_new(model, "kind", json_string("regime_switching"));
    json_object_set_new(model, "initial_regime", json_string("x"));
    json_object_set_new(model, "generator",
                        json_pack("[[f,f],[f,f]]", -left[0], left[0], left[1], -left[1]));
    json_object_set_new(
        model, "regimes",
        json_pack("{s:o, s:o}", "x", regime_of(chain, 0), "y", regime_of(chain, 1)));
    char *const text = json_dumps(whole, JSON_PRESERVE_ORDER);
    json_decref(whole);
    return text;
}

static void check_regimes(const generated_book *book, comparison *c, const levy_problem *problem)
{
    const size_t kinds = sizeof chains / sizeof *chains;
    const lattice_chain *const chain = &chains[strlen(book->text) % kinds];
    if (!is_on_lattice(&problem->trades[0])) return;
    const lattice_value expected = lattice_price(&problem->trades[0], chain);
    char *const text = switch_regimes(book->text, chain);
    levy_results *r = comparison_price(c, text, SETTINGS("measures=price,upper_bound"), 0, NULL);
    if (!r || c->refused) {
        comparison_release(r);
        c->refused = false;
        r = comparison_price(c, text, SETTINGS("measures=price"), 0, NULL);
    }
    if (r && !c->refused) check_bounds(c, &problem->trades[0], levy_results_trade(r, 0), expected);
    c->refused = false;
    comparison_release(r);
    free(text);
}

void pair_lattice(const generated_book *book, comparison *c)
{
    loaded_book loaded = load_text(book->text);
    const levy_problem *const problem = loaded.problem;
    levy_results *const r = comparison_price(c, book->text, SETTINGS("measures=price"), 0, NULL);
    lattice_value *const expected = calloc(problem->n_trades + 1, sizeof *expected);
    for (size_t t = 0; r && !c->refused && t < problem->n_trades; ++t)
        if (is_on_lattice(&problem->trades[t]))
            expected[t] = lattice_price(&problem->trades[t], NULL);
    check_trades(c, problem, r, expected, check_lattice);
    if (r && !c->refused) {
        check_rules(book, c, problem, expected);
        check_regimes(book, c, problem);
    }
    free(expected);
    comparison_release(r);
    loaded_book_release(&loaded);
}
