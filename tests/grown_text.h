/* grown_text.h: what a write function is given, kept in memory that grows, and freed by the test.
 */
#ifndef LEVY_TESTS_GROWN_TEXT_H
#define LEVY_TESTS_GROWN_TEXT_H

#include "tests/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

typedef struct grown_text {
    char *bytes; /* with a NUL at its end; NULL: nothing was written */
    size_t length, room;
    size_t stop_at; /* what would be longer is refused; 0: nothing */
} grown_text;

static inline int text_grow(void *user, const char *bytes, size_t length)
{
    grown_text *const t = user;
    if (t->stop_at && t->length + length > t->stop_at) return 1;
    if (t->length + length + 1 > t->room) {
        t->room = 2 * (t->room + length + 1);
        t->bytes = realloc(t->bytes, t->room);
        assert_non_null(t->bytes);
    }
    memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
    t->bytes[t->length] = '\0';
    return 0;
}

#endif
