/* error.c: the list of faults (kept in an arena, sorted by place), their one-line text, and near
 * misses by edit distance. Source: optimal string alignment, R. Lowrance and R. Wagner, J. ACM
 * 22(2), 1975, for adjacent transpositions. Must not know: what a fault is about. */
#include "engine/base/error.h"

#include "engine/base/text.h"

#include <stdio.h>
#include <string.h>

void levy_fault_list_init(levy_fault_list *list, const levy_memory *memory)
{
    *list = (levy_fault_list){0};
    levy_arena_init(&list->arena, memory);
}

void levy_fault_list_release(levy_fault_list *list)
{
    levy_arena_release(&list->arena);
    *list = (levy_fault_list){.arena = list->arena};
}

static bool fault_before(const levy_fault *a, const levy_fault *b)
{
    if (a->place.file_order != b->place.file_order)
        return a->place.file_order < b->place.file_order;
    if (a->place.line != b->place.line) return a->place.line < b->place.line;
    if (a->place.column != b->place.column) return a->place.column < b->place.column;
    return a->order < b->order;
}

static bool fault_covers(const levy_fault *first, const levy_fault *next)
{
    return first->covers && next->severity == LEVY_SEVERITY_ERROR &&
           first->place.file_order == next->place.file_order &&
           first->place.line == next->place.line && first->place.column == next->place.column;
}

static void fault_list_drop_covered(levy_fault_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; ++i) {
        if (kept > 0 && fault_covers(&list->items[kept - 1], &list->items[i]))
            --list->errors;
        else
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

/* Shell's sort: unlike qsort it never allocates. It need not be stable, since no two items are
 * equal (`order` is unique), and there are at most LEVY_FAULT_LIMIT. */
void levy_fault_list_sort(levy_fault_list *list)
{
    static const size_t gaps[] = {301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; ++g) {
        for (size_t i = gaps[g]; i < list->count; ++i) {
            const levy_fault moved = list->items[i];
            size_t j = i;
            for (; j >= gaps[g] && fault_before(&moved, &list->items[j - gaps[g]]); j -= gaps[g])
                list->items[j] = list->items[j - gaps[g]];
            list->items[j] = moved;
        }
    }
    fault_list_drop_covered(list);
}

static bool fault_list_reserve(levy_fault_list *list)
{
    return LEVY_ARENA_GROW(&list->arena, list->items, list->count, list->capacity, 16);
}

static char *fault_copy_escaped(levy_arena *arena, const char *text)
{
    const size_t length = strlen(text);
    const size_t size = levy_text_escape(text, length, NULL, 0) + 1;
    char *copy = levy_arena_allocate(arena, size, 1);
    if (copy) levy_text_escape(text, length, copy, size);
    return copy;
}

static char *fault_format_escaped(levy_arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : levy_arena_allocate(arena, (size_t)length + 1, 1);
    if (!text) return NULL;
    vsnprintf(text, (size_t)length + 1, format, arguments);
    return levy_text_escape(text, (size_t)length, NULL, 0) == (size_t)length
               ? text
               : fault_copy_escaped(arena, text);
}

/* NULL: no memory. */
static levy_fault *fault_keep(levy_fault_list *list, const levy_fault *head, const char *path,
                              const char *hint, const char *format, va_list arguments)
{
    levy_fault fault = *head;
    if (!fault_list_reserve(list)) return NULL;
    fault.path = fault_copy_escaped(&list->arena, path ? path : "");
    fault.message = fault_format_escaped(&list->arena, format, arguments);
    fault.hint = hint ? fault_copy_escaped(&list->arena, hint) : NULL;
    if (!fault.path || !fault.message || (hint && !fault.hint)) return NULL;
    list->items[list->count] = fault;
    return &list->items[list->count++];
}

static levy_fault *fault_list_take(levy_fault_list *list, levy_severity severity,
                                   levy_reason reason, const levy_place *place, const char *path,
                                   const char *hint, const char *format, va_list arguments)
{
    const uint64_t order = (uint64_t)list->errors + (uint64_t)list->warnings;
    if (severity == LEVY_SEVERITY_ERROR)
        list->errors++;
    else
        list->warnings++;
    if (list->count >= LEVY_FAULT_LIMIT) return NULL;
    levy_fault head = {.severity = severity, .reason = reason, .trade = -1, .order = order};
    if (place) head.place = *place;
    levy_fault *fault = fault_keep(list, &head, path, hint, format, arguments);
    if (!fault) list->out_of_memory = true;
    return fault;
}

levy_fault *levy_fault_add(levy_fault_list *list, levy_reason reason, const levy_place *place,
                           const char *path, const char *hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    levy_fault *fault =
        fault_list_take(list, LEVY_SEVERITY_ERROR, reason, place, path, hint, format, arguments);
    va_end(arguments);
    return fault;
}

levy_fault *levy_fault_warn(levy_fault_list *list, levy_reason reason, const levy_place *place,
                            const char *path, const char *hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    levy_fault *fault =
        fault_list_take(list, LEVY_SEVERITY_WARNING, reason, place, path, hint, format, arguments);
    va_end(arguments);
    return fault;
}

bool levy_fault_list_add_all(levy_fault_list *list, const levy_fault_list *from)
{
    size_t errors = 0;
    for (size_t i = 0; i < from->count; ++i) {
        const levy_fault *fault = &from->items[i];
        const bool is_error = fault->severity == LEVY_SEVERITY_ERROR;
        levy_fault *const copy = (is_error ? levy_fault_add : levy_fault_warn)(
            list, fault->reason, &fault->place, fault->path, fault->hint, "%s", fault->message);
        errors += is_error;
        if (!copy) continue;
        copy->severity = fault->severity;
        copy->trade = fault->trade;
        copy->covers = fault->covers;
    }
    list->errors += from->errors - errors; /* those past the limit are counted, not kept */
    list->warnings += from->warnings - (from->count - errors);
    if (from->out_of_memory) list->out_of_memory = true;
    return !list->out_of_memory;
}

void levy_fault_list_keep_places(levy_fault_list *list, size_t first)
{
    const char *from = NULL, *kept = NULL;
    for (size_t i = first; i < list->count; ++i) {
        levy_place *const place = &list->items[i].place;
        if (!place->file) continue;
        if (place->file != from) {
            from = place->file;
            kept = levy_arena_copy_text(&list->arena, from, strlen(from));
            if (!kept) list->out_of_memory = true;
        }
        place->file = kept;
    }
}

typedef struct fault_text {
    char *buffer;
    size_t size, length;
} fault_text;

static void fault_text_append(fault_text *out, const char *text)
{
    const size_t left = out->length < out->size ? out->size - out->length : 0;
    out->length +=
        levy_text_escape(text, strlen(text), left ? out->buffer + out->length : NULL, left);
}

size_t levy_fault_line(const levy_fault *fault, char *buffer, size_t size)
{
    static const char *const severities[] = {"error: ", "warning: ", "note: "};
    fault_text out = {buffer, size, 0};
    if (fault->place.file) {
        fault_text_append(&out, fault->place.file);
        if (fault->place.line > 0) {
            char place[32];
            snprintf(place, sizeof place, ":%u:%u", (unsigned)fault->place.line,
                     (unsigned)fault->place.column);
            fault_text_append(&out, place);
        }
        fault_text_append(&out, ": ");
    }
    fault_text_append(&out, severities[fault->severity]);
    if (fault->path && fault->path[0]) {
        fault_text_append(&out, fault->path);
        fault_text_append(&out, ": ");
    }
    fault_text_append(&out, fault->message);
    return out.length;
}

/* ---- Near misses ---- */

enum { NEAREST_LENGTH = 64 }; /* longer words have no near miss worth naming */

static char nearest_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static size_t nearest_min(size_t a, size_t b) { return a < b ? a : b; }

/* Counts insertions, deletions, substitutions and swaps of neighbours; case costs nothing. */
static size_t nearest_distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t rows[3][NEAREST_LENGTH + 1] = {{0}};
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; ++j) above[j] = j;
    memcpy(before, above, sizeof rows[0]);
    for (size_t i = 1; i <= n; ++i) {
        row[0] = i;
        for (size_t j = 1; j <= m; ++j) {
            const char x = nearest_lower(a[i - 1]), y = nearest_lower(b[j - 1]);
            row[j] = nearest_min(above[j - 1] + (x != y), nearest_min(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && x == nearest_lower(b[j - 2]) && nearest_lower(a[i - 2]) == y)
                row[j] = nearest_min(row[j], before[j - 2] + 1);
        }
        size_t *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[m];
}

/* How many characters two words have in common at their ends, each counted once. */
static size_t nearest_ends(const char *a, size_t n, const char *b, size_t m)
{
    const size_t least = nearest_min(n, m);
    size_t front = 0, back = 0;
    while (front < least && nearest_lower(a[front]) == nearest_lower(b[front])) ++front;
    while (front + back < least && nearest_lower(a[n - 1 - back]) == nearest_lower(b[m - 1 - back]))
        ++back;
    return front + back;
}

/* A word with one mistake is near. With more it has most of its letters at the ends, or else it is
 * another word: heston is no merton. */
const char *levy_nearest(const char *word, const char *const *candidates)
{
    const size_t n = strlen(word);
    if (n == 0 || n > NEAREST_LENGTH) return NULL;
    const size_t allowed = n / 3 > 1 ? n / 3 : 1;
    size_t best = allowed + 1;
    const char *nearest = NULL;
    for (; *candidates; ++candidates) {
        const size_t m = strlen(*candidates);
        if (m > NEAREST_LENGTH) continue;
        const size_t distance = nearest_distance(word, n, *candidates, m);
        if (distance > 1 && 2 * nearest_ends(word, n, *candidates, m) <= n) continue;
        if (distance < best && distance < n) {
            best = distance;
            nearest = *candidates;
        }
    }
    return nearest;
}

const char *levy_meant(const char *nearest, char phrase[LEVY_MEANT_SIZE])
{
    if (!nearest) return "";
    snprintf(phrase, LEVY_MEANT_SIZE, "; did you mean '%s'?", nearest);
    return phrase;
}
