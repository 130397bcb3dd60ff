/* compare.c: see compare.h. */
#include "tests/generated/compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double most_z = 6.0; /* a greater one is a difference */

void comparison_say(comparison *c, const char *format, ...)
{
    const size_t used = strlen(c->text);
    va_list values;
    va_start(values, format);
    vsnprintf(c->text + used, sizeof c->text - used, format, values);
    va_end(values);
    const size_t now = strlen(c->text);
    if (now + 1 < sizeof c->text) memcpy(c->text + now, "\n", 2);
}

/* ---- Prices ---- */

void comparison_refuse(comparison *c)
{
    c->refused = true;
    for (size_t i = 0; i < levy_diagnostic_count(c->context); ++i)
        comparison_say(c, "%s", levy_diagnostic_get(c->context, i)->text);
}

/* settings: "key=value". Returns how many. */
static size_t split_settings(const char *const *settings, char texts[][256], levy_setting *out)
{
    size_t n = 0;
    for (; settings && settings[n] && n < COMPARISON_SETTINGS; ++n) {
        snprintf(texts[n], 256, "%s", settings[n]);
        char *const value = strchr(texts[n], '=');
        *value = '\0';
        out[n] = (levy_setting){texts[n], value + 1};
    }
    return n;
}

levy_book *comparison_load(comparison *c, const char *text, const char *const *settings,
                           uint64_t seed)
{
    char texts[COMPARISON_SETTINGS][256], paths[32], seed_text[32];
    levy_setting all[COMPARISON_SETTINGS + 2];
    levy_book *book = NULL;
    size_t n = split_settings(settings, texts, all);
    snprintf(paths, sizeof paths, "2^%u", c->paths_log2);
    snprintf(seed_text, sizeof seed_text, "%llu", (unsigned long long)(16 * c->seed + seed));
    all[n++] = (levy_setting){"simulation.paths", paths};
    all[n++] = (levy_setting){"simulation.seed", seed_text};
    const char *const name = text[0] == '{' ? "book.json" : "book.yaml";
    if (levy_book_load_text(c->context, name, text, strlen(text), all, n, &book) == LEVY_STATUS_OK)
        return book;
    comparison_refuse(c);
    levy_book_destroy(book);
    return NULL;
}

static levy_price_options one_thread(void)
{
    return (levy_price_options){
        .struct_size = sizeof(levy_price_options), .device = "cpu", .threads = 1, .no_times = 1};
}

/* A trade without a price is a fault of its generator. */
static levy_results *price_book(comparison *c, levy_book *book, const levy_price_options *options)
{
    const levy_price_options usual = one_thread();
    levy_results *r = NULL;
    if (!book) return NULL;
    if (levy_price(book, options ? options : &usual, &r) != LEVY_STATUS_OK) comparison_refuse(c);
    for (size_t t = 0; r && t < levy_results_size(r); ++t) {
        const levy_trade_result *const trade = levy_results_trade(r, t);
        if (strcmp(trade->status, "ok") == 0) continue;
        c->refused = true;
        comparison_say(c, "%s: %s", trade->id, trade->message ? trade->message : trade->status);
    }
    return r;
}

levy_results *comparison_price(comparison *c, const char *text, const char *const *settings,
                               uint64_t seed, const levy_price_options *options)
{
    levy_book *const book = comparison_load(c, text, settings, seed);
    levy_results *const r = price_book(c, book, options);
    levy_book_destroy(book);
    return r;
}

/* ---- Two results ---- */

typedef struct number {
    const char *trade, *measure, *factor;
    double value, error;
    const char *note; /* NULL: none */
    bool flagged;
    double price; /* of the trade, without its sign */
} number;

static number number_of(const levy_trade_result *t, const levy_measure *m)
{
    return (number){t->id,        m->measure, m->factor,  m->value,
                    m->std_error, m->note,    m->flagged, fabs(t->price)};
}

static number number_of_price(const levy_trade_result *t, const char *name)
{
    return (number){t->id, name, "", t->price, t->std_error, NULL, false, fabs(t->price)};
}

typedef void (*compare_numbers)(comparison *c, const number *a, const number *b, double share);

static const char *words(const char *text) { return text ? text : ""; }

static void say_difference(comparison *c, const number *a, const number *b, double z)
{
    ++c->differences;
    comparison_say(c, "  %s %s %s: %.17g +- %.3g, %.17g +- %.3g, z %.3g; %s; %s", a->trade,
                   a->measure, a->factor, a->value, a->error, b->value, b->error, z, words(a->note),
                   words(b->note));
}

static bool says_unreliable(const number *n)
{
    return strstr(words(n->note), "unreliable") != NULL;
}

/* Half of a number that is marked; all of a theta, of which a day moves hardly any path, and of a
 * bump that stays on one side of what decides today. */
static double marked_room(const number *n)
{
    const bool all = strcmp(n->measure, "theta") == 0 || strstr(words(n->note), "biased");
    if (!n->flagged) return 0.0;
    return all ? INFINITY : 0.5 * fabs(n->value);
}

/* An error is unknown where all paths give the same, and miss what is rare, which may be said to
 * make another unreliable. Then a small difference says nothing, nor any where it is said that
 * there is no error. */
static double z_of(const number *a, const number *b, double gap, double rounding)
{
    const double rare = 0.05 + 1e-3 * fmax(fabs(a->value), fabs(b->value)),
                 error = hypot(hypot(a->error, b->error), rounding);
    const bool said_unknown = (isnan(a->error) && a->flagged) || (isnan(b->error) && b->flagged),
               unreliable = says_unreliable(a) || says_unreliable(b);
    if (gap <= rounding) return 0.0;
    if (gap > most_z * error && gap <= fmax(marked_room(a), marked_room(b))) return NAN;
    if (isfinite(error) && (!unreliable || gap <= most_z * error || gap > rare)) return gap / error;
    return gap > rare && !said_unknown ? INFINITY : NAN;
}

static void by_error(comparison *c, const number *a, const number *b, double share)
{
    const bool known = a->error == 0.0 && b->error == 0.0 && !strstr(a->measure, "price");
    const double size = fmax(fabs(a->value), fabs(b->value)),
                 bumped = known ? 1e-3 * size + 1e-9 * fmax(a->price, b->price) : 0.0,
                 rounding = share * size + 1e-12 + bumped,
                 z = z_of(a, b, fabs(a->value - b->value), rounding);
    ++c->compared;
    if (isnan(a->value) && isnan(b->value)) return;
    if (isnan(z)) ++c->unknown;
    if (isfinite(z) && z <= most_z) {
        c->squares += z * z;
        ++c->n_z;
    }
    if (z > most_z || isnan(a->value) != isnan(b->value)) say_difference(c, a, b, z);
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static bool same_words(const char *a, const char *b) { return strcmp(words(a), words(b)) == 0; }

static void by_bits(comparison *c, const number *a, const number *b, double share)
{
    (void)share;
    ++c->compared;
    if (!same_bits(a->value, b->value) || !same_bits(a->error, b->error) ||
        !same_words(a->note, b->note))
        say_difference(c, a, b, NAN);
}

static void within(comparison *c, const number *a, const number *b, double share)
{
    const double room =
        share * (fmax(fabs(a->value), fabs(b->value)) + (isnan(a->error) ? 0.0 : a->error) + 1e-3);
    ++c->compared;
    if (isnan(a->value) && isnan(b->value)) return;
    if (!(fabs(a->value - b->value) <= room))
        say_difference(c, a, b, fabs(a->value - b->value) / room);
}

/* Of a built-in payoff and its script on the same paths: prices are alike but for rounding, unless
 * one of them takes another way that its error tells of. Their bumps may differ, and a built-in
 * payoff's payments have one date. */
static void values_within(comparison *c, const number *a, const number *b, double share)
{
    const char *const m = a->measure;
    const bool price = strcmp(m, "price") == 0 || strncmp(m, "scenario", 8) == 0;
    if (strcmp(m, "cash_flows") == 0) return;
    if (price && share > 0.0 && a->error < 1.5 * b->error && b->error < 1.5 * a->error)
        within(c, a, b, share);
    else
        by_error(c, a, b, 1e-10);
}

static const levy_measure *same_measure(const levy_trade_result *trade, const levy_measure *like)
{
    for (size_t m = 0; m < trade->n_measures; ++m) {
        const levy_measure *const each = levy_trade_measure(trade, m);
        if (strcmp(each->measure, like->measure) == 0 && strcmp(each->factor, like->factor) == 0)
            return each;
    }
    return NULL;
}

/* A measure of `a` alone. */
static void say_alone(comparison *c, const levy_trade_result *a, const levy_trade_result *b)
{
    for (size_t m = 0; m < a->n_measures; ++m) {
        const levy_measure *const each = levy_trade_measure(a, m);
        if (same_measure(b, each) || strcmp(each->factor, "smoothing_bias") == 0 ||
            strcmp(each->measure, "smoothing_bias") == 0)
            continue;
        ++c->differences;
        comparison_say(c, "  %s: %s %s on one side alone", a->id, each->measure, each->factor);
    }
}

static void compare_values(comparison *c, const levy_trade_result *a, const levy_trade_result *b,
                           compare_numbers how, double share)
{
    const number first = number_of_price(a, "(trade)"), second = number_of_price(b, "(trade)");
    how(c, &first, &second, share);
    for (size_t m = 0; m < a->n_measures; ++m) {
        const levy_measure *const x = levy_trade_measure(a, m), *const y = same_measure(b, x);
        if (!y) continue;
        const number p = number_of(a, x), q = number_of(b, y);
        how(c, &p, &q, share);
    }
}

static void compare_trades(comparison *c, const levy_trade_result *a, const levy_trade_result *b,
                           compare_numbers how, double share)
{
    compare_values(c, a, b, how, share);
    say_alone(c, a, b);
    say_alone(c, b, a);
}

static void compare_all(comparison *c, const levy_results *a, const levy_results *b,
                        compare_numbers how, double share)
{
    if (!a || !b || c->refused) return;
    if (levy_results_size(a) != levy_results_size(b)) {
        ++c->differences;
        comparison_say(c, "  %zu and %zu trades", levy_results_size(a), levy_results_size(b));
        return;
    }
    for (size_t t = 0; t < levy_results_size(a); ++t)
        compare_trades(c, levy_results_trade(a, t), levy_results_trade(b, t), how, share);
}

void compare_by_error(comparison *c, const levy_results *a, const levy_results *b)
{
    const double path = ldexp(1.0, -(int)c->paths_log2); /* a rarer event is not met */
    compare_all(c, a, b, by_error, path);
}

void compare_by_bits(comparison *c, const levy_results *a, const levy_results *b)
{
    compare_all(c, a, b, by_bits, 0.0);
    for (size_t t = 0; a && b && t < levy_results_size(a) && t < levy_results_size(b); ++t) {
        const levy_trade_result *const x = levy_results_trade(a, t), *const y =
                                                                         levy_results_trade(b, t);
        if (same_bits(x->ci_low, y->ci_low) && same_bits(x->ci_high, y->ci_high) &&
            same_words(x->interval, y->interval))
            continue;
        ++c->differences;
        comparison_say(c, "  %s: [%.17g, %.17g] %s, [%.17g, %.17g] %s", x->id, x->ci_low,
                       x->ci_high, x->interval, y->ci_low, y->ci_high, y->interval);
    }
}

void compare_within(comparison *c, const levy_results *a, const levy_results *b, double share)
{
    compare_all(c, a, b, within, share);
}

void compare_values_within(comparison *c, const levy_results *a, const levy_results *b,
                           double share)
{
    for (size_t t = 0; a && b && !c->refused && t < levy_results_size(a); ++t)
        compare_values(c, levy_results_trade(a, t), levy_results_trade(b, t), values_within, share);
}

void compare_found_by_bits(comparison *c, const levy_results *a, const levy_results *b)
{
    for (size_t t = 0; a && b && !c->refused && t < levy_results_size(a); ++t)
        for (size_t u = 0; u < levy_results_size(b); ++u) {
            const levy_trade_result *const x = levy_results_trade(a, t), *const y =
                                                                             levy_results_trade(b,
                                                                                                u);
            if (same_words(x->id, y->id)) compare_trades(c, x, y, by_bits, 0.0);
        }
}

void compare_prices_by_bits(comparison *c, const levy_results *a, const levy_results *b)
{
    for (size_t t = 0; a && b && !c->refused && t < levy_results_size(a); ++t) {
        const levy_trade_result *const x = levy_results_trade(a, t), *const y =
                                                                         levy_results_trade(b, t);
        const number p = number_of_price(x, "price"), q = number_of_price(y, "price");
        by_bits(c, &p, &q, 0.0);
    }
}

/* ---- Pairs of any book ---- */

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Two sides of the text with draws of their own. */
static void compare_settings(const generated_book *book, comparison *c, const char *const *first,
                             const char *const *second)
{
    levy_results *const a = comparison_price(c, book->text, first, 0, NULL), *const b =
                                                                                 comparison_price(
                                                                                     c, book->text,
                                                                                     second, 1,
                                                                                     NULL);
    compare_by_error(c, a, b);
    levy_results_destroy(a);
    levy_results_destroy(b);
}

void pair_integrated(const generated_book *book, comparison *c)
{
    compare_settings(book, c, SETTINGS("simulation.smoothing=all"),
                     SETTINGS("simulation.smoothing=none"));
}

void pair_single(const generated_book *book, comparison *c)
{
    compare_settings(book, c, SETTINGS("simulation.smoothing=all", "simulation.precision=single"),
                     SETTINGS("simulation.smoothing=none"));
}

void pair_width(const generated_book *book, comparison *c)
{
    compare_settings(book, c, SETTINGS("simulation.smoothing={kind: none, width: 1e-4}"),
                     SETTINGS("simulation.smoothing=none"));
}

void pair_threads(const generated_book *book, comparison *c)
{
    levy_price_options three = one_thread();
    three.threads = 3;
    three.batch_blocks = 1;
    levy_results *const a = comparison_price(c, book->text, NULL, 0, NULL), *const b =
                                                                                comparison_price(
                                                                                    c, book->text,
                                                                                    NULL, 0,
                                                                                    &three);
    compare_by_bits(c, a, b);
    levy_results_destroy(a);
    levy_results_destroy(b);
}

void pair_staged(const generated_book *book, comparison *c)
{
    levy_results *const a = comparison_price(c, book->text, NULL, 0, NULL),
                        *const b = comparison_price(
                            c, book->text, SETTINGS("simulation.pipeline=staged"), 0, NULL);
    compare_by_bits(c, a, b);
    levy_results_destroy(a);
    levy_results_destroy(b);
}

void pair_sets(const generated_book *book, comparison *c)
{
    static const char *const sets[] = {"baseline", "avx2", "neon"};
    levy_results *const a = comparison_price(c, book->text, NULL, 0, NULL);
    c->skipped = true;
    for (size_t i = 0; a && i < sizeof sets / sizeof *sets; ++i) {
        levy_price_options options = one_thread();
        options.isa = sets[i];
        levy_book *const loaded = comparison_load(c, book->text, NULL, 0);
        levy_results *b = NULL;
        if (loaded && levy_price(loaded, &options, &b) == LEVY_STATUS_OK &&
            strcmp(levy_results_run(b)->isa, levy_results_run(a)->isa) != 0) {
            compare_by_bits(c, a, b);
            c->skipped = false;
        }
        levy_results_destroy(b);
        levy_book_destroy(loaded);
    }
    levy_results_destroy(a);
}

void pair_yaml(const generated_book *book, comparison *c)
{
    static char yaml[2 * BOOK_SIZE];
    if (!book_as_yaml(book->text, yaml, sizeof yaml)) {
        c->refused = true;
        comparison_say(c, "the book is no JSON");
        return;
    }
    levy_results *const a = comparison_price(c, book->text, NULL, 0, NULL), *const b =
                                                                                comparison_price(
                                                                                    c, yaml, NULL,
                                                                                    0, NULL);
    compare_by_bits(c, a, b);
    levy_results_destroy(a);
    levy_results_destroy(b);
}

void pair_twin(const generated_book *book, comparison *c)
{
    c->skipped = !book->twin[0];
    if (c->skipped) return;
    c->against = book->twin;
    const bool same = book->twin_on_same_paths;
    levy_results *const a = comparison_price(c, book->text, SETTINGS("simulation.smoothing=none"),
                                             0, NULL),
                        *const b =
                            comparison_price(c, book->twin, SETTINGS("simulation.smoothing=none"),
                                             same ? 0 : 1, NULL);
    same ? compare_within(c, a, b, 1e-8) : compare_by_error(c, a, b);
    levy_results_destroy(a);
    levy_results_destroy(b);
}

/* ---- Parts ---- */

typedef struct journal {
    char text[1 << 18];
    size_t length;
} journal;

static int journal_add(void *user, const char *text, size_t length)
{
    journal *const j = user;
    if (j->length + length > sizeof j->text) return 1;
    memcpy(j->text + j->length, text, length);
    j->length += length;
    return 0;
}

enum { PARTS = 3 };

static levy_results *price_parts(comparison *c, const char *text)
{
    static journal journals[PARTS];
    levy_source sources[PARTS];
    levy_results *merged = NULL;
    levy_book *const book = comparison_load(c, text, NULL, 0);
    for (uint32_t k = 0; book && k < PARTS; ++k) {
        levy_price_options options = one_thread();
        levy_results *part = NULL;
        journals[k].length = 0;
        options.part = k + 1;
        options.parts = PARTS;
        options.part_write = journal_add;
        options.part_user = &journals[k];
        if (levy_price(book, &options, &part) != LEVY_STATUS_OK) comparison_refuse(c);
        levy_results_destroy(part);
        sources[k] =
            (levy_source){.name = "part", .text = journals[k].text, .length = journals[k].length};
    }
    const levy_merge_options merge = {
        .struct_size = sizeof merge, .texts = sources, .n_texts = PARTS};
    if (book && !c->refused && levy_merge(book, &merge, &merged) != LEVY_STATUS_OK)
        comparison_refuse(c);
    levy_book_destroy(book);
    return merged;
}

void pair_parts(const generated_book *book, comparison *c)
{
    levy_results *const a = comparison_price(c, book->text, NULL, 0, NULL), *const b = price_parts(
                                                                                c, book->text);
    compare_by_bits(c, a, b);
    levy_results_destroy(a);
    levy_results_destroy(b);
}

/* ---- A quote, and the same move as a scenario ---- */

/* The book with one scenario more: an absolute shift. */
static bool add_scenario(const char *text, const char *factor, double size, char *out)
{
    const size_t length = strlen(text);
    const int n = snprintf(out, BOOK_SIZE,
                           "%.*s, \"scenarios\": [{\"id\": \"moved\", \"shifts\": [{\"factor\": "
                           "\"%s\", \"type\": \"absolute\", \"size\": %.17g}]}]}",
                           (int)(length - 1), text, factor, size);
    return n > 0 && n < BOOK_SIZE && !strstr(text, "\"scenarios\"");
}

static const levy_measure *moved_price(const levy_results *r, size_t trade)
{
    const levy_measure like = {.measure = "scenario_price", .factor = "moved"};
    return same_measure(levy_results_trade(r, trade), &like);
}

static void compare_move(comparison *c, const levy_results *moved, const levy_results *set)
{
    for (size_t t = 0; t < levy_results_size(set); ++t) {
        const levy_measure *const m = moved_price(moved, t);
        const levy_trade_result *const b = levy_results_trade(set, t);
        if (!m) continue;
        const number p = number_of(b, m), q = number_of_price(b, "price");
        by_error(c, &p, &q, 1e-10);
    }
}

/* The quote is one of the book's, by the seed: two deviations of a month up or down. */
static void compare_quote(const generated_book *book, comparison *c, levy_book *loaded)
{
    static char moved[BOOK_SIZE];
    const size_t n = levy_book_quote_count(loaded);
    double value;
    const char *const factor = levy_book_quote_name(loaded, c->quote % n);
    if (levy_book_get(loaded, factor, &value) != LEVY_STATUS_OK) return;
    const double up = c->quote / n % 2 ? 1.0 : -1.0,
                 size = up * (strstr(factor, ".spot") ? 0.12 * value : 0.01);
    if (!add_scenario(book->text, factor, size, moved)) return;
    if (levy_book_set(loaded, factor, value + size) != LEVY_STATUS_OK) return;
    c->skipped = false;
    levy_results *const a = comparison_price(c, moved, NULL, 0, NULL), *const b = price_book(
                                                                           c, loaded, NULL);
    if (a && b && !c->refused) compare_move(c, a, b);
    if (c->differences > 0) comparison_say(c, "  %s moved by %g", factor, size);
    levy_results_destroy(a);
    levy_results_destroy(b);
}

void pair_quote(const generated_book *book, comparison *c)
{
    levy_book *const loaded = comparison_load(c, book->text, NULL, 0);
    c->skipped = true;
    if (loaded) compare_quote(book, c, loaded);
    levy_book_destroy(loaded);
}
