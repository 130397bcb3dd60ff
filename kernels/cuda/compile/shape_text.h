/* shape_text.h: writes the text of a kernel's shape: words and numbers, one after the other. A book
 * writes one for each tile of each of its groups, and printf would take most of the host's time.
 * Must not know: what the text says. */
#ifndef LEVY_CUDA_COMPILE_SHAPE_TEXT_H
#define LEVY_CUDA_COMPILE_SHAPE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct levy_shape_text {
    char *text;          /* with a NUL at its end, if it fits */
    size_t size, length; /* length from `size` on: it does not fit */
} levy_shape_text;

static inline void levy_shape_put(levy_shape_text *out, const char *text, size_t length)
{
    const size_t end = out->length + length;
    if (end < out->size) {
        memcpy(out->text + out->length, text, length);
        out->text[end] = '\0';
    }
    out->length = end;
}

static inline void levy_shape_word(levy_shape_text *out, const char *word)
{
    levy_shape_put(out, word, strlen(word));
}

/* `base` is 10 or 16. */
static inline void levy_shape_number(levy_shape_text *out, uint64_t number, unsigned base)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0);
    levy_shape_put(out, digits + at, sizeof digits - at);
}

/* A line "#define PATH_name number". */
static inline void levy_shape_define(levy_shape_text *out, const char *name, uint32_t number)
{
    levy_shape_word(out, "#define PATH_");
    levy_shape_word(out, name);
    levy_shape_put(out, " ", 1);
    levy_shape_number(out, number, 10);
    levy_shape_put(out, "\n", 1);
}

#endif
