/* text.h: what a write function of levy.h is given, kept, up to TEXT_ROOM bytes. Included once per
 * test program. */
#ifndef LEVY_TESTS_TEXT_H
#define LEVY_TESTS_TEXT_H

#include "tests/cmocka_all.h"

#include <string.h>

#ifndef TEXT_ROOM
#define TEXT_ROOM 16384
#endif

typedef struct text {
    char bytes[TEXT_ROOM]; /* with a NUL at its end */
    size_t length;
} text;

static inline int text_write(void *user, const char *bytes, size_t length)
{
    text *const t = user;
    assert_true(t->length + length < sizeof t->bytes);
    memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
    t->bytes[t->length] = '\0';
    return 0;
}

#endif
