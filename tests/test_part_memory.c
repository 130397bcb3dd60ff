/* test_part_memory.c: parts of a book and of a study whose journals stay in memory
 * (levy_price_options.part_write, levy_merge_options.texts): the results are those of one run, and
 * what cannot be is refused. Files are in tests/test_parts.sh. */
#include "tests/cmocka_all.h"

#include "engine/levy.h"
#include "tests/grown_text.h"
#include "tests/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { PARTS = 3 };

typedef struct fixture {
    levy_context *context;
    levy_book *book;
} fixture;

static int open_book(void **state)
{
    static fixture f;
    static const char *const files[] = {LEVY_SOURCE_DIR "/configs/geometric_asian.yaml"};
    const levy_setting settings[] = {{"simulation.paths", "2^13"}};
    assert_int_equal(levy_context_create(NULL, &f.context), LEVY_STATUS_OK);
    assert_int_equal(levy_book_load_files(f.context, files, 1, settings, 1, &f.book),
                     LEVY_STATUS_OK);
    *state = &f;
    return 0;
}

static int close_book(void **state)
{
    fixture *const f = *state;
    levy_book_destroy(f->book);
    levy_context_destroy(f->context);
    return 0;
}

static levy_price_options how(void)
{
    return (levy_price_options){
        .struct_size = sizeof(levy_price_options), .device = "cpu", .threads = 1, .no_times = 1};
}

static levy_price_options how_part(uint32_t part, grown_text *to)
{
    levy_price_options options = how();
    options.part = part;
    options.parts = PARTS;
    options.part_write = text_grow;
    options.part_user = to;
    return options;
}

static levy_merge_options how_merge(levy_source *sources, const grown_text *texts)
{
    static const char *const names[PARTS] = {"one", "two", "three"};
    for (size_t i = 0; i < PARTS; ++i)
        sources[i] =
            (levy_source){.name = names[i], .text = texts[i].bytes, .length = texts[i].length};
    return (levy_merge_options){
        .struct_size = sizeof(levy_merge_options), .texts = sources, .n_texts = PARTS};
}

static void free_texts(grown_text *texts)
{
    for (size_t i = 0; i < PARTS; ++i) free(texts[i].bytes);
}

static void assert_told(const fixture *f, const char *words)
{
    if (!context_says(f->context, words)) fail_msg("no diagnostic says '%s'", words);
}

static void price_parts(const fixture *f, grown_text *texts)
{
    for (uint32_t k = 1; k <= PARTS; ++k) {
        levy_results *results = NULL;
        const levy_price_options options = how_part(k, &texts[k - 1]);
        assert_int_equal(levy_price(f->book, &options, &results), LEVY_STATUS_OK);
        levy_results_destroy(results);
    }
}

/* The results of the parts, whose report is that of one run. */
static levy_results *price_as_parts(const fixture *f)
{
    grown_text texts[PARTS] = {{0}}, one = {0}, merged = {0};
    levy_source sources[PARTS];
    levy_results *results = NULL;
    const levy_price_options options = how();
    assert_int_equal(levy_price(f->book, &options, &results), LEVY_STATUS_OK);
    levy_results_write(results, LEVY_FORMAT_JSON, text_grow, &one);
    levy_results_destroy(results);
    price_parts(f, texts);
    const levy_merge_options merge = how_merge(sources, texts);
    assert_int_equal(levy_merge(f->book, &merge, &results), LEVY_STATUS_OK);
    levy_results_write(results, LEVY_FORMAT_JSON, text_grow, &merged);
    assert_string_equal(one.bytes, merged.bytes);
    free(one.bytes);
    free(merged.bytes);
    free_texts(texts);
    return results;
}

static void test_prices(void **state) { levy_results_destroy(price_as_parts(*state)); }

/* What rare events add to the error of a sum's second differences is in its parts. */
static void test_errors_of_rare_events(void **state)
{
    static const char text[] =
        "schema_version: 1\nmarket: {curves: {USD: 0.04}, assets: {A: {currency: USD, spot: 100, "
        "volatility: 0.2}}}\nmodels: {m: {kind: black_scholes, assets: [A]}}\n"
        "measures: [price, volga]\nsimulation: {paths: 2^13, generator: sobol_scrambled, "
        "replicates: 16}\ntrades:\n  - id: t\n    underlying: A\n    exercise: {expiry: 1}\n"
        "    legs:\n"
        "      - {payoff: {kind: touch, pays: if_touched, pay: at_expiry, cash: 10, barrier: "
        "{direction: down, level: 70, observations: {count: 2}}}}\n"
        "      - {position: short, quantity: 0.5, payoff: {kind: touch, pays: if_touched, pay: "
        "at_expiry, cash: 10, barrier: {direction: down, level: 50, observations: {count: "
        "25}}}}\n";
    fixture f = *(const fixture *)*state;
    f.book = read_book(f.context, text, NULL, 0);
    levy_results *const merged = price_as_parts(&f);
    assert_true(levy_results_trade(merged, 0)->measures[1].std_error > 0.0);
    levy_results_destroy(merged);
    levy_book_destroy(f.book);
}

static void test_texts_that_are_wrong(void **state)
{
    const fixture *const f = *state;
    grown_text texts[PARTS] = {{0}};
    levy_source sources[PARTS];
    levy_results *results = NULL;
    price_parts(f, texts);
    levy_merge_options merge = how_merge(sources, texts);
    merge.n_texts = 2;
    assert_int_equal(levy_merge(f->book, &merge, &results), LEVY_STATUS_RESUME);
    assert_told(f, "part 3/3 is missing");
    merge.n_texts = PARTS;
    sources[2] = sources[1];
    assert_int_equal(levy_merge(f->book, &merge, &results), LEVY_STATUS_RESUME);
    assert_told(f, "part 2/3 is there twice: two and two");
    sources[2] = (levy_source){.name = "three", .text = "nothing", .length = 7};
    assert_int_equal(levy_merge(f->book, &merge, &results), LEVY_STATUS_RESUME);
    assert_told(f, "three:1:1: error: this is no part's journal");
    sources[2].text = NULL;
    assert_int_equal(levy_merge(f->book, &merge, &results), LEVY_STATUS_ARGUMENT);
    merge.texts = NULL;
    assert_int_equal(levy_merge(f->book, &merge, &results), LEVY_STATUS_ARGUMENT);
    merge.n_texts = 0;
    assert_int_equal(levy_merge(f->book, &merge, &results), LEVY_STATUS_ARGUMENT);
    assert_null(results);
    free_texts(texts);
}

/* Puts another count into the first sum of every line of a part, under right hashes. */
static void forge_counts(grown_text *part, double count)
{
    static const char mark[] = "\"sums\": \"";
    uint64_t bits;
    char hex[17];
    size_t forged = 0;
    memcpy(&bits, &count, sizeof bits);
    snprintf(hex, sizeof hex, "%016llx", (unsigned long long)bits);
    for (char *line = part->bytes, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        char *const sums = strstr(line, mark);
        if (!sums || sums > end) continue;
        const size_t sealed = (size_t)(end - line) - 29; /* , "xxh3": "0123456789abcdef"} */
        char seal[17];
        memcpy(sums + sizeof mark - 1, hex, 16);
        snprintf(seal, sizeof seal, "%016llx", (unsigned long long)XXH3_64bits(line, sealed));
        memcpy(line + sealed + 11, seal, 16);
        ++forged;
    }
    assert_true(forged > 0);
}

static void test_counts_that_no_run_gives_are_refused(void **state)
{
    static const double counts[] = {-1.0, 0x1p60, INFINITY, NAN};
    const fixture *const f = *state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        grown_text texts[PARTS] = {{0}};
        levy_source sources[PARTS];
        levy_results *results = NULL;
        price_parts(f, texts);
        forge_counts(&texts[0], counts[i]);
        const levy_merge_options merge = how_merge(sources, texts);
        assert_int_equal(levy_merge(f->book, &merge, &results), LEVY_STATUS_RESUME);
        assert_told(f, "a line of the part's journal does not match the book");
        assert_null(results);
        free_texts(texts);
    }
}

static void test_writers(void **state)
{
    const fixture *const f = *state;
    grown_text to = {.stop_at = 300}; /* takes the first line */
    levy_results *results = NULL;
    levy_price_options options = how_part(2, &to);
    assert_int_equal(levy_price(f->book, &options, &results), LEVY_STATUS_IO);
    assert_told(f, "the caller did not take a line");
    options.journal = "journal";
    assert_int_equal(levy_price(f->book, &options, &results), LEVY_STATUS_ARGUMENT);
    assert_told(f, "part_write in place of a journal");
    options.journal = NULL;
    options.part = options.parts = 0;
    assert_int_equal(levy_price(f->book, &options, &results), LEVY_STATUS_ARGUMENT);
    assert_null(results);
    free(to.bytes);
}

/* ---- Studies ---- */

typedef int study_call(levy_book *, const levy_study_options *, const levy_price_options *,
                       levy_study **);

static void study_agrees(const fixture *f, study_call *call, levy_study_options options)
{
    grown_text texts[PARTS] = {{0}}, one = {0}, merged = {0};
    levy_source sources[PARTS];
    levy_study *study = NULL;
    levy_price_options whole = how();
    options.struct_size = sizeof options;
    assert_int_equal(call(f->book, &options, &whole, &study), LEVY_STATUS_OK);
    levy_study_write(study, LEVY_FORMAT_JSON, text_grow, &one);
    levy_study_destroy(study);
    for (uint32_t k = 1; k <= PARTS; ++k) {
        const levy_price_options part = how_part(k, &texts[k - 1]);
        assert_int_equal(call(f->book, &options, &part, &study), LEVY_STATUS_OK);
        assert_null(study);
    }
    const levy_merge_options merge = how_merge(sources, texts);
    options.merge = &merge;
    if (call(f->book, &options, NULL, &study) != LEVY_STATUS_OK)
        fail_msg("%s", levy_diagnostic_get(f->context, 0)->text);
    levy_study_write(study, LEVY_FORMAT_JSON, text_grow, &merged);
    levy_study_destroy(study);
    assert_string_equal(one.bytes, merged.bytes);
    free(one.bytes);
    free(merged.bytes);
    free_texts(texts);
}

static void test_studies(void **state)
{
    study_agrees(*state, levy_converge,
                 (levy_study_options){.points = "2^12..2^16", /* cells of one replicate */
                                      .replicates = 2,
                                      .methods = "philox+incremental"});
    study_agrees(*state, levy_coverage,
                 (levy_study_options){.points = "2^4", .seeds = 5, .replicates = 2});
}

static void test_studies_that_are_wrong(void **state)
{
    const fixture *const f = *state;
    grown_text texts[PARTS] = {{0}};
    levy_source sources[PARTS];
    levy_study *study = NULL;
    levy_results *results = NULL;
    levy_study_options options = {
        .struct_size = sizeof options, .points = "2^8..2^10", .replicates = 2};
    for (uint32_t k = 1; k <= PARTS; ++k) {
        const levy_price_options part = how_part(k, &texts[k - 1]);
        assert_int_equal(levy_converge(f->book, &options, &part, &study), LEVY_STATUS_OK);
    }
    levy_merge_options merge = how_merge(sources, texts);
    assert_int_equal(levy_merge(f->book, &merge, &results), LEVY_STATUS_RESUME);
    assert_told(f, "it holds a study (levy converge), not prices");
    options.merge = &merge;
    options.points = "2^8..2^11";
    assert_int_equal(levy_converge(f->book, &options, NULL, &study), LEVY_STATUS_RESUME);
    assert_told(f, "the options of the study have changed");
    options.points = "2^8..2^10";
    merge.n_texts = 1;
    assert_int_equal(levy_converge(f->book, &options, NULL, &study), LEVY_STATUS_RESUME);
    assert_told(f, "part 2/3 is missing");
    merge.n_texts = 0;
    assert_int_equal(levy_converge(f->book, &options, NULL, &study), LEVY_STATUS_ARGUMENT);
    options.merge = NULL;
    levy_price_options none = how();
    none.part = 1;
    none.parts = 2;
    assert_int_equal(levy_converge(f->book, &options, &none, &study), LEVY_STATUS_ARGUMENT);
    assert_told(f, "needs a journal, or part_write");
    assert_null(study);
    free_texts(texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_prices),
                                       cmocka_unit_test(test_errors_of_rare_events),
                                       cmocka_unit_test(test_texts_that_are_wrong),
                                       cmocka_unit_test(test_counts_that_no_run_gives_are_refused),
                                       cmocka_unit_test(test_writers),
                                       cmocka_unit_test(test_studies),
                                       cmocka_unit_test(test_studies_that_are_wrong)};
    return cmocka_run_group_tests_name("parts in memory", tests, open_book, close_book);
}
