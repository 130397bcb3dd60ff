/* compare.c: see compare.h. */
#include "tests/generated/compare.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* The book that was priced as it is, until it is forgotten: most pairs begin with it. */
static struct {
    char text[2 * BOOK_SIZE];
    const levy_context *context;
    unsigned paths_log2;
    uint64_t seed;
    levy_results *results; /* NULL: none */
} kept;

void comparison_forget(void)
{
    levy_results_destroy(kept.results);
    kept.results = NULL;
}

void comparison_release(levy_results *results)
{
    if (results != kept.results) levy_results_destroy(results);
}

static bool is_kept(const comparison *c, const char *text)
{
    return kept.results && kept.context == c->context && kept.paths_log2 == c->paths_log2 &&
           kept.seed == c->seed && strcmp(kept.text, text) == 0;
}

static void keep(const comparison *c, const char *text, levy_results *results)
{
    if (kept.results || !results || c->refused || strlen(text) >= sizeof kept.text) return;
    strcpy(kept.text, text);
    kept.context = c->context;
    kept.paths_log2 = c->paths_log2;
    kept.seed = c->seed;
    kept.results = results;
}

levy_results *comparison_price_book(comparison *c, levy_book *book)
{
    return price_book(c, book, NULL);
}

levy_results *comparison_price(comparison *c, const char *text, const char *const *settings,
                               uint64_t seed, const levy_price_options *options)
{
    const bool as_it_is = !settings && !options && seed == 0;
    if (as_it_is && is_kept(c, text)) return kept.results;
    levy_book *const book = comparison_load(c, text, settings, seed);
    levy_results *const r = price_book(c, book, options);
    levy_book_destroy(book);
    if (as_it_is) keep(c, text, r);
    return r;
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
    comparison_release(a);
    comparison_release(b);
}

void pair_integrated(const generated_book *book, comparison *c)
{
    compare_settings(book, c, SETTINGS("simulation.smoothing=all"),
                     SETTINGS("simulation.smoothing=none"));
}

/* A model with steps of its own may draw more numbers than these points have dimensions. */
static bool draws_too_many(const generated_book *book, const comparison *c)
{
    return c->refused && strstr(c->text, "dimensions, but a path draws") &&
           (strstr(book->text, "\"heston\"") || strstr(book->text, "\"bates\""));
}

void pair_points(const generated_book *book, comparison *c)
{
    levy_results *const a =
        comparison_price(c, book->text, SETTINGS("simulation.generator=lattice"), 0, NULL);
    c->skipped = draws_too_many(book, c);
    if (c->skipped) {
        c->refused = false;
    } else {
        levy_results *const b =
            comparison_price(c, book->text, SETTINGS("simulation.generator=halton"), 1, NULL);
        compare_by_error(c, a, b);
        comparison_release(b);
    }
    comparison_release(a);
}

void pair_single(const generated_book *book, comparison *c)
{
    c->arithmetic = 1e-6; /* an amount, or a sum of some, that paths agree on */
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
    comparison_release(a);
    comparison_release(b);
}

void pair_staged(const generated_book *book, comparison *c)
{
    levy_results *const a = comparison_price(c, book->text, NULL, 0, NULL),
                        *const b = comparison_price(
                            c, book->text, SETTINGS("simulation.pipeline=staged"), 0, NULL);
    compare_by_bits(c, a, b);
    comparison_release(a);
    comparison_release(b);
}

void pair_steps(const generated_book *book, comparison *c)
{
    levy_results *const a = comparison_price(c, book->text, NULL, 0, NULL),
                        *const b = comparison_price(
                            c, book->text, SETTINGS("simulation.step_bias=false"), 0, NULL);
    compare_but_steps(c, a, b);
    comparison_release(a);
    comparison_release(b);
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
        comparison_release(b);
        levy_book_destroy(loaded);
    }
    comparison_release(a);
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
    comparison_release(a);
    comparison_release(b);
}

/* Whether paths pay something else where the level of A, which is quoted at 100, moves by less than
 * what is one number where it is known (engine/base/tie.h): rounding decides there, as of
 * `(1.8 - level) + level >= 1.8`, and no spelling of the contract is right. */
static bool is_left_to_rounding(const generated_book *book, const comparison *c,
                                const levy_results *a)
{
    comparison moved = {.context = c->context, .paths_log2 = c->paths_log2, .seed = c->seed};
    levy_book *const loaded =
        comparison_load(&moved, book->text, SETTINGS("simulation.smoothing=none"), 0);
    levy_results *b = NULL;
    if (loaded && levy_book_set(loaded, "A.spot", 100.00000000001) == LEVY_STATUS_OK)
        b = comparison_price_book(&moved, loaded);
    if (b) compare_within(&moved, a, b, 1e-8);
    comparison_release(b);
    levy_book_destroy(loaded);
    return moved.differences > 0;
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
    if (same && c->differences > 0 && is_left_to_rounding(book, c, a)) {
        *c = (comparison){.context = c->context, .paths_log2 = c->paths_log2, .seed = c->seed};
        c->skipped = true;
        comparison_say(c, "rounding decides what its paths pay");
    }
    comparison_release(a);
    comparison_release(b);
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
    comparison_release(a);
    comparison_release(b);
}
