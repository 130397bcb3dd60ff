/* kept_text.h: what a write function of levy.h is given, kept, up to TEXT_ROOM bytes. Included once
 * per test program. */
#ifndef LEVY_TESTS_KEPT_TEXT_H
#define LEVY_TESTS_KEPT_TEXT_H

#include "tests/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#ifndef TEXT_ROOM
#define TEXT_ROOM 16384
#endif

typedef struct kept_text {
    char bytes[TEXT_ROOM]; /* with a NUL at its end */
    size_t length;
    int calls, fail_at; /* the call that fails, from 1; 0: none */
} kept_text;

static inline int text_write(void *user, const char *bytes, size_t length)
{
    kept_text *const t = user;
    if (++t->calls == t->fail_at) return 1;
    assert_true(t->length + length < sizeof t->bytes);
    memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
    t->bytes[t->length] = '\0';
    return 0;
}

/* Keeps nothing. */
static inline int text_drop(void *user, const char *bytes, size_t length)
{
    (void)user, (void)bytes, (void)length;
    return 0;
}

/* The whole file, in place of what is kept. */
static inline void text_read(kept_text *t, const char *path)
{
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    t->length = fread(t->bytes, 1, sizeof t->bytes - 1, file);
    t->bytes[t->length] = '\0';
    fclose(file);
}

#endif
