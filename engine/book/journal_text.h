/* journal_text.h: the words of a journal's lines, written and read back: texts in quotes, counts,
 * numbers, and doubles as the digits of their bits, so that nothing is lost. Only lines whose hash
 * has been checked are read, so a reader takes exactly the form that was written. Must not know:
 * what a line says. */
#ifndef LEVY_BOOK_JOURNAL_TEXT_H
#define LEVY_BOOK_JOURNAL_TEXT_H

#include "engine/base/memory.h"

/* In bytes: the hash that closes a line; the digits of a double. */
enum { LEVY_JOURNAL_SEAL = 29, LEVY_LINE_HEX = 16 };

typedef struct levy_line_out {
    const levy_memory *memory; /* of `text`, which then grows; NULL: it has its room */
    char *text;
    size_t used, room;
    bool full; /* it did not fit, or there was no memory: all further text is dropped */
} levy_line_out;

void levy_line_put(levy_line_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Quotes, backslashes and control characters as \u00XX. NULL: null. */
void levy_line_put_text(levy_line_out *out, const char *text);
/* In quotes; +0 is the empty text. */
void levy_line_put_double(levy_line_out *out, double value);
void levy_line_put_bits(char *to, double value); /* LEVY_LINE_HEX digits */
/* Room for so many bytes more. NULL: none. The caller writes them and adds to `used`. */
char *levy_line_reserve(levy_line_out *out, size_t bytes);
/* Closes the line with the hash of its text. Returns its length; 0: no room. */
size_t levy_line_seal(levy_line_out *out);

typedef struct levy_line_in {
    const char *at, *end;
} levy_line_in;

/* All return false where the line says something else. */
bool levy_line_take(levy_line_in *in, const char *text);
bool levy_line_take_hex(levy_line_in *in, size_t digits, uint64_t *value);
bool levy_line_take_count(levy_line_in *in, size_t *value);
bool levy_line_take_number(levy_line_in *in, double *value); /* up to a comma */
bool levy_line_take_text(levy_line_in *in, char *text, size_t room);
bool levy_line_take_bits(levy_line_in *in, double *value);
bool levy_line_take_double(levy_line_in *in, double *value);
/* A text or null, kept in the arena. */
bool levy_line_take_kept(levy_line_in *in, levy_arena *arena, const char **text);
bool levy_line_sealed(const char *line, size_t length); /* is the hash right? */

#endif
