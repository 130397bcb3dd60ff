/* net_lines.c: see net_lines.h. */
#include "kernels/points/net_lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char levy_net_forms[] =
    "Use Joe and Kuo's format, LatNet Builder's net or soboljk, or LDData's dnet (docs/guide.md).";

levy_net_reader levy_net_begin(const char *text, size_t length, levy_net_fault *fault)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t skipped = length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    return (levy_net_reader){.at = text + skipped, .end = text + length, .fault = fault};
}

bool levy_net_refuse(const levy_net_reader *r, levy_reason reason, size_t column, const char *hint,
                     const char *format, ...)
{
    va_list arguments;
    const size_t line = r->line ? r->line : 1; /* a text without lines ends in its first */
    *r->fault = (levy_net_fault){.reason = reason, .line = line, .column = column, .hint = hint};
    va_start(arguments, format);
    vsnprintf(r->fault->message, sizeof r->fault->message, format, arguments);
    va_end(arguments);
    return false;
}

static bool net_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Refuses the word from `from` to `stop`: a byte that no text in ASCII has, or no number. */
static bool net_refuse_word(levy_net_reader *r, size_t column, const char *from, const char *stop)
{
    const int shown = (int)(stop - from < 40 ? stop - from : 40);
    for (int i = 0; i < shown; ++i)
        if (from[i] < ' ' || from[i] > '~')
            return levy_net_refuse(r, LEVY_REASON_TYPE, column + (size_t)i,
                                   "Save the matrices as plain text, in ASCII or UTF-8.",
                                   "not text: the byte 0x%02X", (unsigned)(unsigned char)from[i]);
    return levy_net_refuse(r, LEVY_REASON_TYPE, column,
                           "Write decimal whole numbers, parted by blanks; '#' begins a comment.",
                           "not a whole number: '%.*s'", shown, from);
}

/* Reads the number at `at`, which ends before `stop`. */
static bool net_number(levy_net_reader *r, const char *start, const char **at, const char *stop)
{
    const char *const from = *at, *p = from;
    const size_t column = (size_t)(from - start) + 1;
    uint64_t value = 0;
    bool large = false;
    for (; p < stop && *p >= '0' && *p <= '9'; ++p)
        large |= __builtin_mul_overflow(value, 10u, &value) ||
                 __builtin_add_overflow(value, (uint64_t)(*p - '0'), &value);
    if (p == from || (p < stop && !net_is_blank(*p))) {
        while (p < stop && !net_is_blank(*p)) ++p;
        return net_refuse_word(r, column, from, p);
    }
    if (large)
        return levy_net_refuse(r, LEVY_REASON_RANGE, column, "A column has at most 64 digits.",
                               "the number is larger than 2^64 - 1");
    if (r->n == NET_LINE)
        return levy_net_refuse(r, LEVY_REASON_LIMIT, column, levy_net_forms,
                               "more than %d numbers in a line", NET_LINE);
    r->numbers[r->n] = value;
    r->columns[r->n++] = column;
    *at = p;
    return true;
}

/* Whether the line is "d s a m_i", in whatever spacing. */
static bool net_is_title(const char *at, const char *stop)
{
    static const char *const words[] = {"d", "s", "a", "m_i"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        const size_t length = strlen(words[i]);
        while (at < stop && net_is_blank(*at)) ++at;
        if ((size_t)(stop - at) < length || memcmp(at, words[i], length) != 0) return false;
        at += length;
        if (at < stop && !net_is_blank(*at)) return false;
    }
    while (at < stop && net_is_blank(*at)) ++at;
    return at == stop;
}

/* Reads the numbers of the next line that has any; `over` at the end of the text. */
bool levy_net_line(levy_net_reader *r)
{
    r->n = 0;
    r->titled = false;
    while (r->at < r->end) {
        const char *const start = r->at,
                          *const newline = memchr(start, '\n', (size_t)(r->end - start)),
                          *const line_end = newline ? newline : r->end,
                          *const comment = memchr(start, '#', (size_t)(line_end - start)),
                          *const stop = comment ? comment : line_end;
        r->at = newline ? newline + 1 : r->end;
        r->line++;
        r->titled = net_is_title(start, stop);
        if (r->titled) {
            const char *at = start;
            while (net_is_blank(*at)) ++at;
            r->columns[0] = (size_t)(at - start) + 1;
            return true;
        }
        for (const char *at = start; at < stop;) {
            if (net_is_blank(*at))
                ++at;
            else if (!net_number(r, start, &at, stop))
                return false;
        }
        if (r->n > 0) return true;
    }
    r->over = true;
    return true;
}
