/* text.h: protects readers from untrusted text: UTF-8 one character at a time, and the characters
 * that must not reach a terminal or a report unescaped. Source: RFC 3629; Unicode 15, chapter 23
 * (bidirectional controls). Must not know: YAML, diagnostics. */
#ifndef LEVY_BASE_TEXT_H
#define LEVY_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of bytes (1 to 4) and the code of the character at the start of `text`. 0: it is not
 * well-formed UTF-8, or length is 0. */
size_t levy_text_character(const char *text, size_t length, uint32_t *code);

/* Characters that reorder the text around them: U+061C, U+200E, U+200F, U+202A..202E, U+2066..2069.
 */
bool levy_text_is_bidi(uint32_t code);

/* C0 (tab and newline too), DEL, C1, line and paragraph separators, bidi controls and U+FEFF. */
bool levy_text_is_hidden(uint32_t code);

/* Copies `text` with every hidden or ill-formed byte written as \xNN. All else, backslashes
 * included, stays as it is, so escaping again changes nothing. Ends with a NUL if size > 0. Returns
 * the full length, as snprintf does. */
size_t levy_text_escape(const char *text, size_t length, char *buffer, size_t size);

#endif
