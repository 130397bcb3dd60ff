/* test_generated_sums.c: every number of books and scripts that a seed gives (tests/generated/), of
 * the examples and of the books beside the generators, as hashes of all bits, against those in
 * tests/generated/sums.txt. They are the same for any compiler, instruction set and schedule, so
 * half of the books take another schedule.
 *
 *     test_generated_sums update   writes the file anew
 *
 * What changes a hash is a change of the numeric contract, and docs/contract.md says it, or one of
 * the generators or examples. Must not know: what is right; other tests do. */
#include "tests/cmocka_all.h"

#include "tests/generated/books.h"
#include "tests/generated/script_books.h"

#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUMS LEVY_SOURCE_DIR "/tests/generated/sums.txt"
enum {
    BOOKS = 1000,
    SCRIPTS = 1000,
    IN_A_ROW = 10,
    ROW = 256,
    SHOWN = 5,
    EVERY = LEVY_SANITIZED ? 20 : 1
};

/* In place of the settings that the book has. */
static const char *const ways[] = {NULL,
                                   "simulation.smoothing=all",
                                   "simulation.smoothing=none",
                                   "simulation.construction=incremental",
                                   "simulation.smoothing={kind: none, width: 0.05}",
                                   "simulation.precision=single",
                                   "simulation.construction=pca"};
enum { WAYS = sizeof ways / sizeof *ways };

/* ---- A hash of results ---- */

/* FNV-1a (Fowler, Noll, Vo) */
static void add_bytes(uint64_t *hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
}

static void add_word(uint64_t *hash, const char *word)
{
    if (word) add_bytes(hash, word, strlen(word) + 1);
}

static void add_number(uint64_t *hash, double x)
{
    const double number = isnan(x) ? (double)NAN : x; /* of one sign */
    add_bytes(hash, &number, sizeof number);
}

static void add_measure(uint64_t *hash, const levy_measure *m)
{
    add_word(hash, m->measure);
    add_word(hash, m->factor);
    add_number(hash, m->flagged);
    add_number(hash, m->note != NULL);
    add_word(hash, m->interval);
    const double numbers[] = {m->value, m->std_error, m->ci_low, m->ci_high};
    for (size_t i = 0; i < 4; ++i) add_number(hash, numbers[i]);
}

static void add_trade(uint64_t *hash, const levy_trade_result *t)
{
    const char *const words[] = {t->id,       t->status,       t->reason,
                                 t->interval, t->construction, t->first};
    const double numbers[] = {t->price,        t->std_error,         t->ci_low,
                              t->ci_high,      t->floor_probability, (double)t->dimensions,
                              (double)t->paths};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) add_word(hash, words[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) add_number(hash, numbers[i]);
    for (size_t m = 0; m < t->n_measures; ++m) add_measure(hash, levy_trade_measure(t, m));
}

/* ---- Prices ---- */

/* Not to change a number. */
static levy_price_options schedule(uint64_t seed)
{
    return (levy_price_options){.struct_size = sizeof(levy_price_options),
                                .device = "cpu",
                                .threads = seed % 8 == 1 ? 2 : 1,
                                .batch_blocks = seed % 8 == 2,
                                .no_times = 1};
}

/* What a way says: "key=value" in `key`, which is cut. */
static size_t settings_of(uint64_t seed, const char *way, char *key, levy_setting *out)
{
    static const char *const paths[] = {"2^8", "2^9", "2^10"};
    size_t n = 0;
    out[n++] = (levy_setting){"simulation.paths", paths[seed % 3]};
    if (seed % 4 == 3) out[n++] = (levy_setting){"simulation.pipeline", "staged"};
    if (!way) return n;
    char *const value = strcpy(key, way) + strcspn(way, "=");
    *value = '\0';
    out[n++] = (levy_setting){key, value + 1};
    return n;
}

/* Of a text, or of the file of that name. What is refused has the hash of that. */
static uint32_t hash_of(levy_context *context, const char *text, bool named, uint64_t seed,
                        const char *way)
{
    char key[64];
    levy_setting settings[3];
    const size_t n = settings_of(seed, way, key, settings);
    const levy_source source = {.name = named ? text : "book.json",
                                .text = named ? NULL : text,
                                .length = named ? 0 : strlen(text)};
    const levy_price_options options = schedule(seed);
    levy_book *book = NULL;
    levy_results *results = NULL;
    uint64_t hash = 0xcbf29ce484222325u;
    int status = levy_book_load(context, &source, 1, settings, n, &book);
    if (status == LEVY_STATUS_OK) status = levy_price(book, &options, &results);
    add_number(&hash, status);
    for (size_t t = 0; results && t < levy_results_size(results); ++t)
        add_trade(&hash, levy_results_trade(results, t));
    levy_results_destroy(results);
    levy_book_destroy(book);
    return (uint32_t)(hash ^ hash >> 32);
}

/* ---- The rows of the file ---- */

typedef struct rows {
    levy_context *context;
    FILE *file, *out; /* one of them is NULL */
    size_t n, differ;
} rows;

/* A sanitizer sees a sample; enough rows are shown. */
static bool is_left_out(const rows *r) { return r->n % EVERY != 0 || r->differ == SHOWN; }

static void add_hash(char *row, uint32_t hash)
{
    const size_t used = strlen(row);
    snprintf(row + used, ROW - used, " %08" PRIx32, hash);
}

/* Writes the row, or compares it with the file's next. */
static void end_row(rows *r, const char *row)
{
    char was[ROW] = "#";
    if (r->out) {
        fprintf(r->out, "%s\n", row);
        return;
    }
    while (was[0] == '#' && fgets(was, sizeof was, r->file)) {}
    was[strcspn(was, "\n")] = '\0';
    const bool same = is_left_out(r) ? strncmp(row, was, strlen(row)) == 0 : strcmp(row, was) == 0;
    ++r->n;
    if (same) return;
    ++r->differ;
    print_error("is  %s\nwas %s\n", row, was);
}

static void make_generated(rows *r, const char *name, size_t n,
                           void (*write)(choices *c, generated_book *book))
{
    static choices made;
    static generated_book book;
    for (uint64_t first = 1; first <= n; first += IN_A_ROW) {
        char row[ROW];
        snprintf(row, sizeof row, "%s %" PRIu64 ":", name, first);
        for (uint64_t seed = first; !is_left_out(r) && seed < first + IN_A_ROW; ++seed) {
            choices_from_seed(&made, seed);
            write(&made, &book);
            add_hash(row, hash_of(r->context, book.text, false, seed, ways[seed % WAYS]));
        }
        end_row(r, row);
    }
}

/* Each in every way, but tolerance.yaml, which takes as many paths as it needs. */
static void make_examples(rows *r)
{
    static const char *const patterns[] = {LEVY_SOURCE_DIR "/configs/[!t]*.yaml",
                                           LEVY_SOURCE_DIR "/configs/payoffs/*.yaml",
                                           LEVY_SOURCE_DIR "/tests/generated/*.yaml"};
    glob_t found;
    for (size_t i = 0; i < 3; ++i) glob(patterns[i], i ? GLOB_APPEND : 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; ++i) {
        const char *const path = found.gl_pathv[i];
        char row[ROW];
        snprintf(row, sizeof row, "%s:", path + strlen(LEVY_SOURCE_DIR "/"));
        for (size_t way = 0; !is_left_out(r) && way < WAYS; ++way)
            add_hash(row, hash_of(r->context, path, true, way, ways[way]));
        end_row(r, row);
    }
    globfree(&found);
}

static void make_rows(rows *r)
{
    assert_int_equal(levy_context_create(NULL, &r->context), LEVY_STATUS_OK);
    make_generated(r, "books", BOOKS, books_write);
    make_generated(r, "scripts", SCRIPTS, scripts_write);
    make_examples(r);
    levy_context_destroy(r->context);
}

static void test_all_bits_are_those_of_the_file(void **state)
{
    rows r = {.file = fopen(SUMS, "r")};
    (void)state;
    assert_non_null(r.file);
    make_rows(&r);
    fclose(r.file);
    if (r.differ > 0)
        print_error("%zu rows%s: see the top of " SUMS "\n", r.differ,
                    r.differ == SHOWN ? " or more" : "");
    assert_int_equal(r.differ, 0);
}

static void test_the_file_is_written(void **state)
{
    rows r = {.out = fopen(SUMS, "w")};
    (void)state;
    assert_non_null(r.out);
    fputs("# Hashes of all bits of what tests/test_generated_sums.c prices: ten seeds a row, or an "
          "example in\n"
          "# every way. A change here is a change of the numeric contract, and docs/contract.md "
          "says it; or\n"
          "# one of an example or a generator. `test_generated_sums update` writes this file.\n",
          r.out);
    make_rows(&r);
    assert_int_equal(fclose(r.out), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest compare[] = {cmocka_unit_test(test_all_bits_are_those_of_the_file)},
                            update[] = {cmocka_unit_test(test_the_file_is_written)};
    if (argc == 2 && strcmp(argv[1], "update") == 0)
        return cmocka_run_group_tests(update, NULL, NULL);
    return cmocka_run_group_tests(compare, NULL, NULL);
}
