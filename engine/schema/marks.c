/* marks.c: see marks.h. */
#include "engine/schema/marks.h"

#include "engine/schema/book.h"

#include <string.h>

/* "before a, b" and one more. */
static const char *marks_join(const levy_reader *reader, const char *list, const char *name,
                              size_t length)
{
    if (!list) return NULL;
    return levy_arena_format(reader->arena, "%s%s%.*s", list, *list ? ", " : "", (int)length, name);
}

/* The keys with a mark of examples. */
static const char *marks_examples(const levy_reader *reader, const char *hint)
{
    const char *names = "";
    for (const char *at = hint; (at = strchr(at, LEVY_MARK_EXAMPLE)) != NULL; ++at)
        names = marks_join(reader, names, at + 1, strcspn(at + 1, ":"));
    return names;
}

static const char *marks_left(const levy_reader *reader, const char *hint)
{
    const char *const from = strchr(hint, LEVY_MARK_LEFT), *const end = from
                                                                            ? strchr(from + 1,
                                                                                     LEVY_MARK_LEFT)
                                                                            : NULL;
    return end ? marks_join(reader, "", from + 1, (size_t)(end - from - 1)) : "";
}

/* Where the sentence ends that has the last mark. */
static size_t marks_end(const char *hint)
{
    size_t last = 0;
    for (size_t i = 0; hint[i]; ++i)
        if (levy_mark_is(hint[i]) || hint[i] == LEVY_MARK_LEFT) last = i;
    for (size_t i = last; hint[i]; ++i)
        if (hint[i] == '.' && (hint[i + 1] == ' ' || hint[i + 1] == '\0')) return i + 1;
    return strlen(hint);
}

/* Copies n characters without marks and what is left out. */
static char *marks_copy(char *to, const char *from, size_t n)
{
    bool left = false;
    for (size_t i = 0; i < n; ++i) {
        if (from[i] == LEVY_MARK_LEFT)
            left = !left;
        else if (!left && !levy_mark_is(from[i]))
            *to++ = from[i];
    }
    *to = '\0';
    return to;
}

/* The hint with examples of times as the file has times. */
static const char *marks_timed(const levy_reader *reader, const char *hint)
{
    for (size_t i = 0; hint && levy_catalog_times[i][0]; ++i) {
        const char *const from = levy_catalog_times[i][!reader->is_dated],
                          *const to = levy_catalog_times[i][reader->is_dated];
        for (const char *at; *from && hint && (at = strstr(hint, from)) != NULL;)
            hint = levy_arena_format(reader->arena, "%.*s%s%s", (int)(at - hint), hint, to,
                                     at + strlen(from));
    }
    return hint;
}

const char *levy_marks_say(const levy_reader *reader, const char *hint)
{
    static const char marks[] = {LEVY_MARK_EXAMPLE, LEVY_MARK_OWN, LEVY_MARK_LEFT, '\0'};
    if (!hint || !strpbrk(hint, marks)) return marks_timed(reader, hint);
    const size_t length = strlen(hint), end = marks_end(hint);
    const char *const examples = marks_examples(reader, hint), *const left =
                                                                   marks_left(reader, hint);
    char *const first = levy_arena_allocate(reader->arena, length + 1, 1), *const rest =
                                                                               levy_arena_allocate(
                                                                                   reader->arena,
                                                                                   length + 1, 1);
    if (!examples || !left || !first || !rest) return NULL;
    marks_copy(first, hint, end);
    marks_copy(rest, hint + end, length - end);
    const char *const many = strchr(examples, ',') ? "s" : "";
    const char *const said =
        *examples ? levy_arena_format(reader->arena, " Example%s: %s.", many, examples) : "";
    const char *const all =
        levy_arena_format(reader->arena, *left ? "%s%s Left out: %s.%s" : "%s%s%s%s", first,
                          said ? said : "", left, rest);
    return marks_timed(reader, all);
}
