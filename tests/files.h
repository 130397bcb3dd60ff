/* files.h: whole files, for tests. */
#ifndef LEVY_TESTS_FILES_H
#define LEVY_TESTS_FILES_H

#include "tests/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void write_bytes(const char *path, const char *bytes, size_t length)
{
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static inline void write_file(const char *path, const char *text)
{
    write_bytes(path, text, strlen(text));
}

/* At most `room` bytes; how many they are. */
static inline size_t read_bytes(const char *path, char *bytes, size_t room)
{
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    const size_t length = fread(bytes, 1, room, file);
    fclose(file);
    return length;
}

/* A text in memory of its own, with room for `more` bytes and a NUL. */
static inline char *read_whole(const char *path, size_t more)
{
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const size_t size = (size_t)ftell(file);
    rewind(file);
    char *const text = calloc(1, size + more + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, size, file), size);
    fclose(file);
    return text;
}

/* The text of tests/books/<name>.yaml, kept to the end of the program. Not for several threads. */
static inline const char *text_of_book(const char *name)
{
    static struct {
        const char *name;
        char *text;
    } kept[32];
    char path[512];
    size_t i = 0;
    while (i < 32 && kept[i].name && strcmp(kept[i].name, name) != 0) ++i;
    assert_true(i < 32);
    if (kept[i].name) return kept[i].text;
    snprintf(path, sizeof path, LEVY_SOURCE_DIR "/tests/books/%s.yaml", name);
    kept[i].text = read_whole(path, 0);
    kept[i].name = name;
    return kept[i].text;
}

#endif
