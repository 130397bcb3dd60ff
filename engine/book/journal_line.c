/* journal_line.c: the lines of a journal, written and read back. Only lines that this file
 * wrote are read, their hash having been checked, so the reader takes exactly that form. See
 * journal.h. */
#include "engine/book/journal.h"

#include "engine/base/number.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { LINE_HEX = 16, LINE_SUM = 3 * LINE_HEX };

/* ---- Writing ---- */

typedef struct line_out {
    char *text;
    size_t used, room; /* used == room: it did not fit */
} line_out;

static void line_put(line_out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void line_put(line_out *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(out->text + out->used, out->room - out->used, format, arguments);
    va_end(arguments);
    out->used = length < 0 || (size_t)length >= out->room - out->used ? out->room
                                                                      : out->used + (size_t)length;
}

/* Writes quotes, backslashes and control characters as \u00XX. */
static void line_put_text(line_out *out, const char *text)
{
    line_put(out, "\"");
    for (; *text; ++text) {
        const unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f)
            line_put(out, "\\u%04x", c);
        else
            line_put(out, "%c", c);
    }
    line_put(out, "\"");
}

static size_t line_seal(line_out *out)
{
    if (out->used == out->room) return 0;
    const uint64_t hash = XXH3_64bits(out->text, out->used);
    line_put(out, ", \"xxh3\": \"%016" PRIx64 "\"}", hash);
    return out->used == out->room ? 0 : out->used;
}

size_t levy_journal_write_head(const levy_journal_head *head, char *line, size_t room)
{
    line_out out = {line, 0, room};
    line_put(&out, "{\"levy_journal\": 1, \"version\": ");
    line_put_text(&out, levy_version());
    line_put(&out,
             ", \"texts\": \"%016" PRIx64 "\", \"settings\": \"%016" PRIx64
             "\", \"quotes\": \"%016" PRIx64 "\"",
             head->text_hash, head->setting_hash, head->quote_hash);
    line_put(&out, ", \"precision\": \"%s\", \"backend\": \"%s\", \"trades\": %zu, \"groups\": %zu",
             head->precision, head->backend, head->trades, head->groups);
    return line_seal(&out);
}

/* 8192: every character of the texts may need an escape */
size_t levy_journal_group_room(size_t n_sums) { return 8192 + n_sums * LINE_SUM; }

static void line_put_bits(char *to, double value)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < LINE_HEX; ++i) to[i] = digits[bits >> (60 - 4 * i) & 15];
}

size_t levy_journal_write_group(const levy_journal_group *group, const tree_sum *sums, char *line,
                                size_t room)
{
    line_out out = {line, 0, room};
    char seconds[LEVY_NUMBER_SIZE];
    levy_number_write(group->seconds, seconds);
    line_put(&out, "{\"group\": %zu, \"plan\": \"%016" PRIx64 "\", \"seconds\": %s, \"backend\": ",
             group->group, group->plan_hash, seconds);
    line_put_text(&out, group->backend);
    line_put(&out, ", \"device\": ");
    line_put_text(&out, group->device);
    if (group->moved[0]) {
        line_put(&out, ", \"moved\": ");
        line_put_text(&out, group->moved);
    }
    line_put(&out, ", \"sums\": \"");
    if (out.room - out.used <= group->n_sums * LINE_SUM) return 0;
    for (size_t i = 0; i < group->n_sums; ++i, out.used += LINE_SUM) {
        line_put_bits(out.text + out.used, sums[i].n);
        line_put_bits(out.text + out.used + LINE_HEX, sums[i].mean);
        line_put_bits(out.text + out.used + 2 * LINE_HEX, sums[i].m2);
    }
    line_put(&out, "\"");
    return line_seal(&out);
}

/* ---- Reading ---- */

typedef struct line_in {
    const char *at, *end;
} line_in;

static bool line_take(line_in *in, const char *text)
{
    const size_t length = strlen(text);
    if ((size_t)(in->end - in->at) < length || memcmp(in->at, text, length) != 0) return false;
    in->at += length;
    return true;
}

static bool line_take_hex(line_in *in, size_t digits, uint64_t *value)
{
    if ((size_t)(in->end - in->at) < digits) return false;
    *value = 0;
    for (size_t i = 0; i < digits; ++i, ++in->at) {
        const char c = *in->at;
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
        *value = *value << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return true;
}

static bool line_take_count(line_in *in, size_t *value)
{
    const char *const start = in->at;
    *value = 0;
    for (; in->at < in->end && *in->at >= '0' && *in->at <= '9' && in->at - start < 18; ++in->at)
        *value = 10 * *value + (size_t)(*in->at - '0');
    return in->at > start;
}

static bool line_take_number(line_in *in, double *value)
{
    const char *const start = in->at;
    while (in->at < in->end && *in->at != ',') in->at++;
    return levy_number_read(start, (size_t)(in->at - start), value) == LEVY_NUMBER_OK;
}

static bool line_take_text(line_in *in, char *text, size_t room)
{
    size_t used = 0;
    if (!line_take(in, "\"")) return false;
    while (in->at < in->end && *in->at != '"') {
        uint64_t code = (unsigned char)*in->at;
        if (*in->at != '\\')
            in->at++;
        else if (!line_take(in, "\\u") || !line_take_hex(in, 4, &code))
            return false;
        if (used + 1 >= room || code > 255) return false;
        text[used++] = (char)code;
    }
    text[used] = '\0';
    return line_take(in, "\"");
}

bool levy_journal_sealed(const char *line, size_t length)
{
    uint64_t hash;
    if (length <= LEVY_JOURNAL_SEAL) return false;
    line_in in = {line + length - LEVY_JOURNAL_SEAL, line + length};
    return line_take(&in, ", \"xxh3\": \"") && line_take_hex(&in, LINE_HEX, &hash) &&
           line_take(&in, "\"}") && in.at == in.end &&
           hash == XXH3_64bits(line, length - LEVY_JOURNAL_SEAL);
}

static bool line_take_double(line_in *in, double *value)
{
    uint64_t bits;
    if (!line_take_hex(in, LINE_HEX, &bits)) return false;
    memcpy(value, &bits, sizeof bits);
    return true;
}

bool levy_journal_read_group(const char *line, size_t length, levy_journal_group *group,
                             tree_sum *sums, size_t n_sums)
{
    line_in in = {line, line + length - LEVY_JOURNAL_SEAL};
    *group = (levy_journal_group){.group = 0};
    if (!line_take(&in, "{\"group\": ") || !line_take_count(&in, &group->group) ||
        !line_take(&in, ", \"plan\": \"") || !line_take_hex(&in, LINE_HEX, &group->plan_hash) ||
        !line_take(&in, "\", \"seconds\": ") || !line_take_number(&in, &group->seconds) ||
        !line_take(&in, ", \"backend\": ") ||
        !line_take_text(&in, group->backend, sizeof group->backend) ||
        !line_take(&in, ", \"device\": ") ||
        !line_take_text(&in, group->device, sizeof group->device))
        return false;
    if (line_take(&in, ", \"moved\": ") && !line_take_text(&in, group->moved, sizeof group->moved))
        return false;
    if (!line_take(&in, ", \"sums\": \"")) return false;
    const size_t digits = (size_t)(in.end - in.at) - 1;
    if (in.at == in.end || digits % LINE_SUM != 0) return false;
    group->n_sums = digits / LINE_SUM;
    if (group->n_sums != n_sums) return true;
    for (size_t i = 0; i < n_sums; ++i)
        if (!line_take_double(&in, &sums[i].n) || !line_take_double(&in, &sums[i].mean) ||
            !line_take_double(&in, &sums[i].m2))
            return false;
    return true;
}

bool levy_journal_plausible(const tree_sum *sums, size_t n_sums, uint64_t least, uint64_t most)
{
    for (size_t i = 0; i < n_sums; ++i) {
        uint64_t paths = least;
        while (paths <= most / 2 && (double)paths < sums[i].n) paths *= 2;
        if (sums[i].n != (double)paths || sums[i].m2 < 0.0) return false;
    }
    return true;
}

/* What the first line holds; texts stay as they are in the line. */
typedef struct line_head {
    char version[128], precision[32], backend[16];
    uint64_t texts, settings, quotes;
    size_t trades, groups;
} line_head;

/* 0: not a first line; 1: written by another version, so the rest is not read, as it may look
 * different; 2: read in full. */
static int line_take_head(const char *line, size_t length, line_head *head)
{
    line_in in = {line, line + length};
    if (!levy_journal_sealed(line, length) ||
        !line_take(&in, "{\"levy_journal\": 1, \"version\": ") ||
        !line_take_text(&in, head->version, sizeof head->version))
        return 0;
    if (strcmp(head->version, levy_version()) != 0) return 1;
    return line_take(&in, ", \"texts\": \"") && line_take_hex(&in, LINE_HEX, &head->texts) &&
                   line_take(&in, "\", \"settings\": \"") &&
                   line_take_hex(&in, LINE_HEX, &head->settings) &&
                   line_take(&in, "\", \"quotes\": \"") &&
                   line_take_hex(&in, LINE_HEX, &head->quotes) &&
                   line_take(&in, "\", \"precision\": ") &&
                   line_take_text(&in, head->precision, sizeof head->precision) &&
                   line_take(&in, ", \"backend\": ") &&
                   line_take_text(&in, head->backend, sizeof head->backend) &&
                   line_take(&in, ", \"trades\": ") && line_take_count(&in, &head->trades) &&
                   line_take(&in, ", \"groups\": ") && line_take_count(&in, &head->groups)
               ? 2
               : 0;
}

bool levy_journal_read_backend(const char *line, size_t length, char backend[16])
{
    line_head head;
    if (line_take_head(line, length, &head) != 2) return false;
    memcpy(backend, head.backend, sizeof head.backend);
    return true;
}

bool levy_journal_difference(const char *line, size_t length, const levy_journal_head *head,
                             char *words, size_t room)
{
    line_head old;
    const int taken = line_take_head(line, length, &old);
    if (taken == 0) return false;
    if (taken == 1)
        snprintf(words, room, "it was written by levy %s, but this is levy %s", old.version,
                 levy_version());
    else if (old.texts != head->text_hash)
        snprintf(words, room, "the input files have changed since, in name or content");
    else if (old.settings != head->setting_hash)
        snprintf(words, room, "the settings (--set, --measures) have changed");
    else if (old.quotes != head->quote_hash)
        snprintf(words, room, "the quotes have changed");
    else if (strcmp(old.backend, head->backend) != 0)
        snprintf(words, room, "it was priced in %s precision on '%s', but this run would use '%s'",
                 old.precision, old.backend, head->backend);
    else
        snprintf(words, room, "it has %zu trades in %zu groups, but the book has %zu in %zu",
                 old.trades, old.groups, head->trades, head->groups);
    return true;
}
