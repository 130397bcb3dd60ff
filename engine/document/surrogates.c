/* surrogates.c: see surrogates.h. Which backslashes are escapes, libyaml's scanner says: it goes
 * over the text once more, and only if there is something that looks like a pair. */
#include "engine/document/surrogates.h"

#include "engine/base/text.h"

#include <string.h>

enum {
    SURROGATE_ESCAPE = 6,       /* bytes of "\ud842" */
    SURROGATE_PRIVATE = 0xE000, /* U+D800 to U+DFFF go to U+E000 to U+E7FF */
    SURROGATE_FIRST = 0xD800,
    SURROGATE_LOW = 0xDC00
};

static int surrogate_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The code of "\uXXXX"; 0: it is none. */
static uint32_t surrogate_code(const char *text, size_t left)
{
    uint32_t code = 0;
    if (left < SURROGATE_ESCAPE || text[0] != '\\' || text[1] != 'u') return 0;
    for (int i = 2; i < SURROGATE_ESCAPE; ++i) {
        const int digit = surrogate_digit(text[i]);
        if (digit < 0) return 0;
        code = 16 * code + (uint32_t)digit;
    }
    return code;
}

static bool surrogate_is_pair(const char *text, size_t left)
{
    const uint32_t high = surrogate_code(text, left),
                   low = left < SURROGATE_ESCAPE
                             ? 0
                             : surrogate_code(text + SURROGATE_ESCAPE, left - SURROGATE_ESCAPE);
    return high >= SURROGATE_FIRST && high < SURROGATE_LOW && low >= SURROGATE_LOW && low <= 0xDFFF;
}

/* Notes what looks like pairs; found->pairs NULL: counts them. A backslash after an odd number of
 * others is no escape. */
static size_t surrogates_look(levy_surrogates *found, const levy_syntax_source *source)
{
    size_t n = 0, index = 0, run = 0; /* run: of backslashes before */
    for (size_t i = 0; i < source->length; ++i) {
        const char c = source->text[i];
        if (c == '\\' && run % 2 == 0 && surrogate_is_pair(source->text + i, source->length - i)) {
            if (found->pairs) found->pairs[n] = (struct levy_surrogate_pair){i, index};
            ++n;
        }
        run = c == '\\' ? run + 1 : 0;
        index += ((unsigned char)c & 0xC0) != 0x80;
    }
    return n;
}

/* U+D842 to U+E042, in its second and first digit, which are 'd' and one of 8 to f. */
static void surrogate_hide(char *escape)
{
    escape[2] = 'e';
    escape[3] = (char)('0' + surrogate_digit(escape[3]) - 8);
}

/* Keeps the pairs that lie in the token, if it is a double-quoted text, and drops those before. */
static void surrogates_take(levy_surrogates *found, size_t n, const yaml_token_t *token)
{
    const bool quoted = token->type == YAML_SCALAR_TOKEN &&
                        token->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    for (; found->next < n && found->pairs[found->next].index < token->end_mark.index;
         ++found->next)
        if (quoted && found->pairs[found->next].index >= token->start_mark.index)
            found->pairs[found->n++] = found->pairs[found->next];
}

static int surrogates_depth(const yaml_token_t *token)
{
    const yaml_token_type_t type = token->type;
    if (type == YAML_BLOCK_SEQUENCE_START_TOKEN || type == YAML_BLOCK_MAPPING_START_TOKEN ||
        type == YAML_FLOW_SEQUENCE_START_TOKEN || type == YAML_FLOW_MAPPING_START_TOKEN)
        return 1;
    return type == YAML_BLOCK_END_TOKEN || type == YAML_FLOW_SEQUENCE_END_TOKEN ||
                   type == YAML_FLOW_MAPPING_END_TOKEN
               ? -1
               : 0;
}

/* Scans the text with all n pairs hidden. Where it ends early no scalar behind is ever read. */
static bool surrogates_scan(levy_surrogates *found, size_t n, size_t length, size_t most)
{
    yaml_parser_t parser;
    int depth = 0;
    bool more = true;
    if (!yaml_parser_initialize(&parser)) return false;
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)found->text, length);
    while (more) {
        yaml_token_t token;
        if (!yaml_parser_scan(&parser, &token)) { /* where it fails the reader fails, too */
            while (found->next < n) found->pairs[found->n++] = found->pairs[found->next++];
            break;
        }
        depth += surrogates_depth(&token);
        surrogates_take(found, n, &token);
        more = token.type != YAML_STREAM_END_TOKEN && depth <= (int)most;
        yaml_token_delete(&token);
    }
    const bool ok = parser.error != YAML_MEMORY_ERROR;
    yaml_parser_delete(&parser);
    return ok;
}

bool levy_surrogates_find(levy_surrogates *found, const levy_memory *memory,
                          const levy_syntax_source *source, size_t depth)
{
    *found = (levy_surrogates){.text = NULL};
    const size_t n = surrogates_look(found, source);
    if (n == 0) return true;
    found->text = levy_memory_allocate(memory, source->length + 1, 1);
    found->pairs = levy_memory_allocate(memory, n, sizeof *found->pairs);
    if (!found->text || !found->pairs) return false;
    memcpy(found->text, source->text, source->length);
    surrogates_look(found, source);
    for (size_t i = 0; i < n; ++i)
        for (int half = 0; half < 2; ++half)
            surrogate_hide(found->text + found->pairs[i].byte + half * SURROGATE_ESCAPE);
    const bool ok = surrogates_scan(found, n, source->length, depth);
    /* what is no escape is text, and stays as it was written */
    memcpy(found->text, source->text, source->length);
    for (size_t i = 0; i < found->n; ++i)
        for (int half = 0; half < 2; ++half)
            surrogate_hide(found->text + found->pairs[i].byte + half * SURROGATE_ESCAPE);
    found->next = 0;
    return ok;
}

void levy_surrogates_release(levy_surrogates *found, const levy_memory *memory)
{
    levy_memory_release(memory, found->text);
    levy_memory_release(memory, found->pairs);
}

/* The half that a private character hides; 0: it hides none. */
static uint32_t surrogate_half(const char *text, size_t left, size_t *bytes)
{
    uint32_t code = 0;
    *bytes = levy_text_character(text, left, &code);
    if (*bytes == 0) *bytes = 1;
    const bool hidden = code >= SURROGATE_PRIVATE && code < SURROGATE_PRIVATE + 0x800;
    return hidden ? code - SURROGATE_PRIVATE + SURROGATE_FIRST : 0;
}

static void surrogate_write(uint32_t code, char *to)
{
    to[0] = (char)(0xF0 | code >> 18);
    to[1] = (char)(0x80 | (code >> 12 & 0x3F));
    to[2] = (char)(0x80 | (code >> 6 & 0x3F));
    to[3] = (char)(0x80 | (code & 0x3F));
}

bool levy_surrogates_join(levy_surrogates *found, yaml_event_t *scalar)
{
    char *const text = (char *)scalar->data.scalar.value;
    size_t *const length = &scalar->data.scalar.length;
    size_t pairs = 0, halves = 0, bytes, to = 0;
    while (found->next < found->n && found->pairs[found->next].index < scalar->end_mark.index) {
        pairs += found->pairs[found->next].index >= scalar->start_mark.index;
        ++found->next;
    }
    if (pairs == 0) return true;
    for (size_t i = 0; i < *length; i += bytes)
        halves += surrogate_half(text + i, *length - i, &bytes) > 0;
    if (halves != 2 * pairs) return false;
    for (size_t i = 0; i < *length; i += bytes) {
        const uint32_t high = surrogate_half(text + i, *length - i, &bytes);
        if (high == 0) {
            memmove(text + to, text + i, bytes);
            to += bytes;
            continue;
        }
        const uint32_t low = surrogate_half(text + i + bytes, *length - i - bytes, &bytes);
        bytes *= 2; /* both have three */
        surrogate_write(0x10000 + ((high - SURROGATE_FIRST) << 10) + (low - SURROGATE_LOW),
                        text + to);
        to += 4;
    }
    text[ *length = to] = '\0';
    return true;
}
