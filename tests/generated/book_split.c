/* book_split.c: a generated book of one currency against the same in two (book_pairs.h), to the
 * bit. Its curve is there twice, as that of dollars and that of yen. Paid in yen, where the rate of
 * exchange moves alone, a trade is worth its number of dollars; and at 2 yen a dollar the sum in
 * yen is twice that in dollars. A rate moves all curves on both sides, and none has rho, which is
 * by curve. A rate of exchange has a volatility, so that composite trades are not those of one
 * currency.
 */
#include "tests/generated/book_pairs.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The books ---- */

/* Without what is by curve: maps and lists in all that the book has. */
static void leave_rho(json_t *of)
{
    const char *key;
    json_t *each;
    void *next;
    json_object_foreach_safe(of, next, key, each)
    {
        const char *const text = json_string_value(each);
        if (text && strcmp(text, "USD.rate") == 0)
            json_object_set_new(of, key, json_string("ALL.rate"));
        leave_rho(each);
    }
    for (size_t i = json_array_size(of); i-- > 0;) {
        const char *const text = json_string_value(json_array_get(of, i));
        if (text && strncmp(text, "rho", 3) == 0) json_array_remove(of, i);
        leave_rho(json_array_get(of, i));
    }
}

/* A rate that no asset moves with, in whichever form the correlations are. */
static void add_correlations(json_t *market)
{
    json_t *given = json_object_get(market, "correlations"), *each;
    json_t *const nodes = json_object_get(given, "nodes");
    json_t *const names = json_object_get(given, "names");
    const char *name;
    size_t i, k;
    if (!given) json_object_set_new(market, "correlations", given = json_pack("{s:[]}", "pairs"));
    if (!names) {
        json_object_foreach(json_object_get(market, "assets"), name, each)
        {
            json_t *const pair = json_pack("[s+, s, i]", name, ".spot", "FX.spot", 0);
            if (strcmp(name, "FX") != 0) json_array_append(json_object_get(given, "pairs"), pair);
            json_decref(pair);
        }
        return;
    }
    for (k = 0; k < (nodes ? json_array_size(nodes) : 1); ++k) {
        json_t *const matrix =
            nodes ? json_array_get(json_array_get(nodes, k), 1) : json_object_get(given, "matrix");
        json_t *const last = json_array();
        json_array_foreach(matrix, i, each) json_array_append_new(each, json_integer(0));
        for (i = 0; i < json_array_size(names); ++i) json_array_append_new(last, json_integer(0));
        json_array_append_new(last, json_integer(1));
        json_array_append_new(matrix, last);
    }
    json_array_append_new(names, json_string("FX.spot"));
}

/* A market of two currencies. */
static void split(json_t *book)
{
    json_t *const market = json_object_get(book, "market");
    json_t *const curves = json_object_get(market, "curves");
    json_t *const rate = json_pack("{s:s, s:s, s:i, s:f}", "currency", "JPY", "base_currency",
                                   "USD", "spot", 2, "volatility", 0.1);
    json_object_set(curves, "JPY", json_object_get(curves, "USD"));
    json_object_set_new(json_object_get(market, "assets"), "FX", rate);
    add_correlations(market);
}

static void pay_in_yen(json_t *book)
{
    json_t *trade;
    size_t i;
    json_array_foreach(json_object_get(book, "trades"), i, trade)
        json_object_set_new(trade, "currency", json_string("JPY"));
}

/* ---- What must agree ---- */

/* What is next to nothing has not all bits. */
static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (fabs(a) < 1e-290 && fabs(b) < 1e-290);
}

static void check(comparison *c, const char *id, const levy_measure *a, const levy_measure *b,
                  double worth)
{
    ++c->compared;
    if (b && same(worth * a->value, b->value) && same(worth * a->std_error, b->std_error) &&
        same(worth * a->ci_low, b->ci_low) && a->flagged == b->flagged)
        return;
    ++c->differences;
    comparison_say(c, "  %s %s %s: %.17g +- %.4g, of two currencies %.17g +- %.4g", id, a->measure,
                   a->factor, worth * a->value, worth * a->std_error, b ? b->value : NAN,
                   b ? b->std_error : NAN);
}

static const levy_measure *among(const levy_measure *of, size_t n, const levy_measure *like)
{
    for (size_t m = 0; m < n; ++m)
        if (!strcmp(of[m].measure, like->measure) && !strcmp(of[m].factor, like->factor))
            return &of[m];
    return NULL;
}

static void check_trades(comparison *c, const levy_results *one, const levy_results *two)
{
    for (size_t t = 0; t < levy_results_size(one); ++t) {
        const levy_trade_result *const a = levy_results_trade(one, t), *const b =
                                                                           levy_results_trade(two,
                                                                                              t);
        for (size_t m = 0; m < a->n_measures; ++m)
            check(c, a->id, &a->measures[m], among(b->measures, b->n_measures, &a->measures[m]),
                  1.0);
    }
}

static const levy_netted *sum_of(const levy_results *r, bool translated)
{
    const levy_netted *sum = NULL;
    for (size_t i = 0; (sum = levy_results_netted(r, i)) != NULL; ++i)
        if (!sum->key && (sum->translated != 0) == translated) return sum;
    return NULL;
}

/* A scenario may move the rate. */
static void check_sums(comparison *c, const levy_results *r)
{
    const levy_netted *const a = sum_of(r, false), *const b = sum_of(r, true);
    for (size_t m = 0; a && b && m < a->n_measures; ++m)
        if (strncmp(a->measures[m].measure, "scenario", 8) != 0)
            check(c, "sum", &a->measures[m], among(b->measures, b->n_measures, &a->measures[m]),
                  2.0);
}

/* ---- The pair ---- */

/* No other model has payments abroad. Where correlations are by term, all of them have those dates,
 * and what is watched or exercised at all times has a date where the rate's could change. */
static bool is_paid_abroad(const char *text)
{
    static const char *const models[] = {"black_scholes", "merton", "kou", "heston", "bates"};
    bool is = false;
    if (strstr(text, "FX\": {")) return false;
    if (strstr(text, "\"correlations\": {\"kind\": \"term\"") &&
        (strstr(text, "continuous") || strstr(text, "american") || strstr(text, "bermudan")))
        return false;
    for (size_t i = 0; i < sizeof models / sizeof *models; ++i) is = is || strstr(text, models[i]);
    return is;
}

void pair_split(const generated_book *book, comparison *c)
{
    static char two[2 * BOOK_SIZE];
    static const char *const plainly[] = {"simulation.step_bias=false", NULL},
                             *const in_yen[] = {"report_currency=JPY", NULL};
    c->skipped = !is_paid_abroad(book->text);
    if (c->skipped) return;
    json_t *const whole = json_loads(book->text, 0, NULL);
    leave_rho(whole);
    char *const plain = json_dumps(whole, JSON_PRESERVE_ORDER);
    split(whole);
    char *const summed = json_dumps(whole, JSON_PRESERVE_ORDER);
    pay_in_yen(whole);
    char *const paid = json_dumps(whole, JSON_PRESERVE_ORDER);
    strncpy(two, paid, sizeof two - 1);
    c->against = two;
    levy_results *const a = comparison_price(c, plain, plainly, 0, NULL);
    levy_results *const b = c->refused ? NULL : comparison_price(c, paid, plainly, 0, NULL);
    if (a && b && !c->refused) check_trades(c, a, b);
    levy_results *const sums = c->refused ? NULL : comparison_price(c, summed, in_yen, 0, NULL);
    if (c->refused && strstr(c->text, "the sum's ")) c->refused = false; /* as in pair_reported */
    if (sums && !c->refused) check_sums(c, sums);
    comparison_release(a);
    comparison_release(b);
    comparison_release(sums);
    free(plain);
    free(summed);
    free(paid);
    json_decref(whole);
}
