/* journal_text.c: see journal_text.h. */
#include "engine/book/journal_text.h"

#include "engine/base/hash.h"
#include "engine/base/number.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Writing ---- */

char *levy_line_reserve(levy_line_out *out, size_t bytes)
{
    if (out->full) return NULL;
    if (out->room - out->used > bytes) return out->text + out->used;
    const size_t room = 2 * (out->used + bytes) + 256;
    char *const grown = out->memory ? levy_memory_grow(out->memory, out->text, room, 1) : NULL;
    out->full = !grown;
    if (!grown) return NULL;
    out->text = grown;
    out->room = room;
    return out->text + out->used;
}

void levy_line_put(levy_line_out *out, const char *format, ...)
{
    va_list arguments, again;
    if (!levy_line_reserve(out, 0)) return;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(out->text + out->used, out->room - out->used, format, arguments);
    const bool fits = length >= 0 && (size_t)length < out->room - out->used;
    if (length < 0 || (!fits && !levy_line_reserve(out, (size_t)length))) {
        out->full = true;
    } else {
        if (!fits) vsnprintf(out->text + out->used, out->room - out->used, format, again);
        out->used += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void levy_line_put_text(levy_line_out *out, const char *text)
{
    if (!text) {
        levy_line_put(out, "null");
        return;
    }
    levy_line_put(out, "\"");
    for (; *text; ++text) {
        const unsigned char c = (unsigned char)*text;
        char *const to = levy_line_reserve(out, 6);
        if (!to) return;
        if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f)
            levy_line_put(out, "\\u%04x", c);
        else
            out->text[out->used++] = (char)c;
    }
    levy_line_put(out, "\"");
}

void levy_line_put_bits(char *to, double value)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < LEVY_LINE_HEX; ++i) to[i] = digits[bits >> (60 - 4 * i) & 15];
}

void levy_line_put_double(levy_line_out *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    char *const to = levy_line_reserve(out, LEVY_LINE_HEX + 2);
    if (!to) return;
    size_t n = 0;
    to[n++] = '"';
    if (bits) levy_line_put_bits(to + n, value);
    n += bits ? LEVY_LINE_HEX : 0;
    to[n++] = '"';
    out->used += n;
}

size_t levy_line_seal(levy_line_out *out)
{
    if (!levy_line_reserve(out, LEVY_JOURNAL_SEAL)) return 0;
    levy_line_put(out, ", \"xxh3\": \"%016" PRIx64 "\"}", XXH3_64bits(out->text, out->used));
    return out->full ? 0 : out->used;
}

/* ---- Reading ---- */

bool levy_line_take(levy_line_in *in, const char *text)
{
    const size_t length = strlen(text);
    if ((size_t)(in->end - in->at) < length || memcmp(in->at, text, length) != 0) return false;
    in->at += length;
    return true;
}

bool levy_line_take_hex(levy_line_in *in, size_t digits, uint64_t *value)
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

bool levy_line_take_count(levy_line_in *in, size_t *value)
{
    const char *const start = in->at;
    *value = 0;
    for (; in->at < in->end && *in->at >= '0' && *in->at <= '9' && in->at - start < 18; ++in->at)
        *value = 10 * *value + (size_t)(*in->at - '0');
    return in->at > start;
}

bool levy_line_take_number(levy_line_in *in, double *value)
{
    const char *const start = in->at;
    while (in->at < in->end && *in->at != ',') in->at++;
    return levy_number_read(start, (size_t)(in->at - start), value) == LEVY_NUMBER_OK;
}

/* The next character of a text. */
static bool line_take_character(levy_line_in *in, char *character)
{
    uint64_t code = (unsigned char)*in->at;
    if (*in->at != '\\')
        in->at++;
    else if (!levy_line_take(in, "\\u") || !levy_line_take_hex(in, 4, &code))
        return false;
    *character = (char)code;
    return code <= 255;
}

bool levy_line_take_text(levy_line_in *in, char *text, size_t room)
{
    size_t used = 0;
    if (!levy_line_take(in, "\"")) return false;
    while (in->at < in->end && *in->at != '"')
        if (used + 1 >= room || !line_take_character(in, &text[used++])) return false;
    text[used] = '\0';
    return levy_line_take(in, "\"");
}

bool levy_line_take_kept(levy_line_in *in, levy_arena *arena, const char **text)
{
    *text = NULL;
    if (levy_line_take(in, "null")) return true;
    if (in->at == in->end) return false;
    const char *const close = memchr(in->at + 1, '"', (size_t)(in->end - in->at) - 1);
    if (!close) return false;
    const size_t room = (size_t)(close - in->at);
    char *const kept = levy_arena_allocate(arena, room, 1);
    *text = kept;
    return kept && levy_line_take_text(in, kept, room);
}

bool levy_line_take_bits(levy_line_in *in, double *value)
{
    uint64_t bits;
    if (!levy_line_take_hex(in, LEVY_LINE_HEX, &bits)) return false;
    memcpy(value, &bits, sizeof bits);
    return true;
}

bool levy_line_take_double(levy_line_in *in, double *value)
{
    *value = 0.0;
    if (!levy_line_take(in, "\"")) return false;
    if (levy_line_take(in, "\"")) return true;
    return levy_line_take_bits(in, value) && levy_line_take(in, "\"");
}

bool levy_line_sealed(const char *line, size_t length)
{
    uint64_t hash;
    if (length <= LEVY_JOURNAL_SEAL) return false;
    levy_line_in in = {line + length - LEVY_JOURNAL_SEAL, line + length};
    return levy_line_take(&in, ", \"xxh3\": \"") && levy_line_take_hex(&in, LEVY_LINE_HEX, &hash) &&
           levy_line_take(&in, "\"}") && in.at == in.end &&
           hash == XXH3_64bits(line, length - LEVY_JOURNAL_SEAL);
}
