/* marks.c: see marks.h. */
#include "engine/schema/marks.h"

#include "engine/schema/book.h"

#include <math.h>
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
    const char *const from = strchr(hint, LEVY_MARK_LEFT);
    const char *const end = from ? strchr(from + 1, LEVY_MARK_LEFT) : NULL;
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

/* The text with `to` wherever it has `from`, which `to` does not contain. */
static const char *marks_replace(const levy_reader *reader, const char *text, const char *from,
                                 const char *to)
{
    for (const char *at; text && (at = strstr(text, from)) != NULL;)
        text = levy_arena_format(reader->arena, "%.*s%s%s", (int)(at - text), text, to,
                                 at + strlen(from));
    return text;
}

const char *levy_marks_timed(const levy_reader *reader, const char *text)
{
    const bool dated = reader->is_dated;
    for (size_t i = 0; levy_catalog_times[i][0]; ++i)
        text = marks_replace(reader, text, levy_catalog_times[i][!dated],
                             levy_catalog_times[i][dated]);
    return text;
}

/* The same of a text whose examples have marks, and where times are dates. */
static const char *marks_dated(const levy_reader *reader, const char *text)
{
    for (size_t i = 0; reader->is_dated && levy_catalog_times[i][0]; ++i) {
        const char *marked[2];
        for (size_t k = 0; k < 2; ++k) {
            const char *const piece = levy_catalog_times[i][k];
            const int open = *piece == '{';
            marked[k] = levy_arena_format(reader->arena, "%.*s%c%s", open, piece, LEVY_MARK_EXAMPLE,
                                          piece + open);
        }
        if (!marked[0] || !marked[1]) return NULL;
        text = marks_replace(reader, text, marked[0], marked[1]);
    }
    return text;
}

/* The years that the trade of a node lives; 0: its file does not say so. */
static double marks_years(const levy_trail *trail)
{
    double years = 0.0;
    for (; trail && years <= 0.0; trail = trail->parent)
        if (trail->map) years = levy_catalog_years(trail->map);
    return years;
}

/* How many dates of a tenor the years have; *whole: without a rest. */
static unsigned long marks_count(const levy_tenor *tenor, double years, bool *whole)
{
    const double every = tenor->count > 0 ? tenor->count : 1.0;
    double n = 252.0 / every; /* in a year */
    if (tenor->unit == 'Y') n = 1.0 / every;
    if (tenor->unit == 'M') n = 12.0 / every;
    if (tenor->unit == 'W') n = 52.0 / every;
    n *= years > 0.0 ? years : 1.0;
    const double rounded = n < 1.0 ? 1.0 : (double)(unsigned long)(n + 0.5);
    *whole = years > 0.0 && fabs(rounded - n) <= 1e-9 * n;
    return (unsigned long)rounded;
}

/* Where times are years, a schedule has a count in place of a frequency. */
static const char *marks_counted(const levy_reader *reader, const levy_trail *trail,
                                 const char *hint)
{
    static const char due[] = {LEVY_MARK_OWN, 'f', 'r', 'e', 'q', 'u', 'e',
                               'n',           'c', 'y', ':', ' ', '\0'};
    for (const char *at; hint && !reader->is_dated && (at = strstr(hint, due)) != NULL;) {
        const char *const text = at + sizeof due - 1;
        const size_t n = strcspn(text, ",]} .");
        levy_tenor tenor;
        bool whole;
        if (!levy_tenor_read(text, n, &tenor)) return hint;
        const unsigned long count = marks_count(&tenor, marks_years(trail), &whole);
        hint = levy_arena_format(reader->arena, "%.*s%ccount: %lu%s", (int)(at - hint), hint,
                                 whole ? LEVY_MARK_OWN : LEVY_MARK_EXAMPLE, count, text + n);
    }
    return hint;
}

const char *levy_marks_say(const levy_reader *reader, const levy_trail *trail, const char *hint)
{
    static const char marks[] = {LEVY_MARK_EXAMPLE, LEVY_MARK_OWN, LEVY_MARK_LEFT, '\0'};
    if (!hint || !strpbrk(hint, marks)) return hint;
    hint = marks_counted(reader, trail, marks_dated(reader, hint));
    if (!hint) return NULL;
    const size_t length = strlen(hint), end = marks_end(hint);
    const char *const examples = marks_examples(reader, hint);
    const char *const left = marks_left(reader, hint);
    char *const first = levy_arena_allocate(reader->arena, length + 1, 1);
    char *const rest = levy_arena_allocate(reader->arena, length + 1, 1);
    if (!examples || !left || !first || !rest) return NULL;
    marks_copy(first, hint, end);
    marks_copy(rest, hint + end, length - end);
    const char *const many = strchr(examples, ',') ? "s" : "";
    const char *const said =
        *examples ? levy_arena_format(reader->arena, " Example%s: %s.", many, examples) : "";
    return levy_arena_format(reader->arena, *left ? "%s%s Left out: %s.%s" : "%s%s%s%s", first,
                             said ? said : "", left, rest);
}
