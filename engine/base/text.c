/* text.c: UTF-8 decoding and the escaping of characters that a terminal would obey instead of show.
 * Source: RFC 3629, section 4 (well-formed sequences). Must not know: where the text comes from. */
#include "engine/base/text.h"

/* The number of bytes of a character that has several, by its first byte. */
static size_t text_bytes(unsigned char first)
{
    if (first >= 0xF0) return 4;
    return first >= 0xE0 ? 3 : 2;
}

size_t levy_text_character(const char *text, size_t length, uint32_t *code)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (length == 0) return 0;
    const unsigned char first = (unsigned char)text[0];
    if (first < 0x80) {
        *code = first;
        return 1;
    }
    const size_t n = text_bytes(first);
    if (first < 0xC2 || first > 0xF4 || n > length) return 0;
    uint32_t value = first & (0x7Fu >> n);
    for (size_t i = 1; i < n; ++i) {
        const unsigned char byte = (unsigned char)text[i];
        if ((byte & 0xC0) != 0x80) return 0;
        value = value << 6 | (byte & 0x3Fu);
    }
    if (value < smallest[n] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return 0;
    *code = value;
    return n;
}

bool levy_text_is_bidi(uint32_t code)
{
    return code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool levy_text_is_hidden(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029 ||
           code == 0xFEFF || levy_text_is_bidi(code);
}

size_t levy_text_escape(const char *text, size_t length, char *buffer, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    size_t written = 0;
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        const size_t n = levy_text_character(text + i, length - i, &code);
        const bool plain = n != 0 && !levy_text_is_hidden(code);
        const size_t bytes = n != 0 ? n : 1;
        for (size_t k = 0; k < bytes; ++k, ++i) {
            const unsigned char byte = (unsigned char)text[i];
            const char escape[4] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
            const char *unit = plain ? text + i : escape;
            for (size_t j = 0; j < (plain ? 1u : 4u); ++j, ++written)
                if (written + 1 < size) buffer[written] = unit[j];
        }
    }
    if (size > 0) buffer[written < size ? written : size - 1] = '\0';
    return written;
}
