/* fuzz_journal.c: libFuzzer entry over the journals of parts, in memory. The harness prices a book
 * in two parts itself; each four bytes of the input change a byte of a line, take one away or add
 * one, and the line's hash, which would refuse all of them, is made anew. What it checks beside the
 * sanitizers: a merge gives results, or a status with diagnostics, never an internal error; and
 * without a change it gives results. Must not know: what a line says. */
#include "engine/book/journal_text.h"
#include "engine/levy.h"
#include "tests/fuzz.h"

#include <stdio.h>
#include <string.h>

enum { FUZZ_ROOM = 1 << 16, FUZZ_PARTS = 2 };

typedef struct fuzz_text {
    char text[FUZZ_ROOM];
    size_t length;
} fuzz_text;

static const char fuzz_book[] =
    "{schema_version: 1, market: {curves: {USD: 0.05}, assets: {S: {currency: USD, spot: 100, "
    "volatility: 0.2}}}, models: {m: {kind: black_scholes, assets: [S]}}, simulation: {paths: 64, "
    "replicates: 2}, measures: [price, delta], trades: [{id: a, underlying: S, payoff: {kind: "
    "asian, option_type: call, strike: 100, averaging: {observations: {count: 4}}}, exercise: 1}, "
    "{id: b, underlying: S, payoff: {kind: asian, option_type: put, strike: 90, averaging: "
    "{observations: {count: 3}}}, exercise: 2}]}";

static int fuzz_keep(void *user, const char *text, size_t length)
{
    fuzz_text *const to = user;
    fuzz_require(to->length + length < FUZZ_ROOM / 2);
    memcpy(to->text + to->length, text, length);
    to->length += length;
    return 0;
}

static void fuzz_write_parts(levy_book *book, fuzz_text parts[FUZZ_PARTS])
{
    for (uint32_t k = 0; k < FUZZ_PARTS; ++k) {
        levy_results *results = NULL;
        const levy_price_options options = {.struct_size = sizeof options,
                                            .device = "cpu",
                                            .threads = 1,
                                            .part = k + 1,
                                            .parts = FUZZ_PARTS,
                                            .part_write = fuzz_keep,
                                            .part_user = &parts[k]};
        fuzz_require(levy_price(book, &options, &results) == LEVY_STATUS_OK);
        levy_results_destroy(results);
    }
}

/* Which of four bytes: the place, what to do, and with what. */
static void fuzz_change(fuzz_text *text, const uint8_t change[4])
{
    const size_t at = (change[0] | (size_t)change[1] << 8) % (text->length + 1);
    char *const place = text->text + at;
    if (change[2] % 3 == 0 && at < text->length)
        *place = (char)change[3];
    else if (change[2] % 3 == 1 && at < text->length)
        memmove(place, place + 1, --text->length - at);
    else if (text->length + 1 < FUZZ_ROOM / 2) {
        memmove(place + 1, place, text->length++ - at);
        *place = (char)change[3];
    }
}

/* Closes each line with the hash of what it says now, in place of the one that it had. */
static void fuzz_seal(const fuzz_text *from, fuzz_text *to)
{
    static const char mark[] = ", \"xxh3\": \"";
    to->length = 0;
    for (size_t at = 0; at < from->length;) {
        const char *const line = from->text + at, *const end =
                                                      memchr(line, '\n', from->length - at);
        size_t length = end ? (size_t)(end - line) : from->length - at;
        at += length + 1;
        if (length > LEVY_JOURNAL_SEAL &&
            memcmp(line + length - LEVY_JOURNAL_SEAL, mark, sizeof mark - 1) == 0)
            length -= LEVY_JOURNAL_SEAL;
        levy_line_out out = {.text = to->text + to->length, .room = FUZZ_ROOM - to->length - 1};
        if (out.room < length + LEVY_JOURNAL_SEAL + 1) return;
        memcpy(out.text, line, length);
        out.used = length;
        to->length += levy_line_seal(&out);
        to->text[to->length++] = '\n';
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_text parts[FUZZ_PARTS], changed, sealed[FUZZ_PARTS];
    static levy_context *context;
    static levy_book *book;
    levy_source texts[FUZZ_PARTS];
    levy_results *results = NULL;
    if (!context) {
        fuzz_require(levy_context_create(NULL, &context) == LEVY_STATUS_OK);
        fuzz_require(levy_book_load_text(context, "fuzz.yaml", fuzz_book, sizeof fuzz_book - 1,
                                         NULL, 0, &book) == LEVY_STATUS_OK);
        fuzz_write_parts(book, parts);
    }
    for (size_t k = 0; k < FUZZ_PARTS; ++k) {
        changed = parts[k];
        for (size_t at = 4 * k; at + 4 <= size; at += 4 * FUZZ_PARTS)
            fuzz_change(&changed, data + at);
        fuzz_seal(&changed, &sealed[k]);
        texts[k] = (levy_source){
            .name = k ? "second" : "first", .text = sealed[k].text, .length = sealed[k].length};
    }
    const levy_merge_options options = {
        .struct_size = sizeof options, .texts = texts, .n_texts = FUZZ_PARTS};
    const int status = levy_merge(book, &options, &results);
    fuzz_require(status != LEVY_STATUS_INTERNAL && (results || size >= 4));
    fuzz_require(results || levy_diagnostic_count(context) > 0);
    levy_results_destroy(results);
    return 0;
}
