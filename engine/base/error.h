/* error.h: diagnostics. A fault of the input becomes one levy_diagnostic with a place, a path, a
 * sentence and a hint. All faults are collected, sorted by place and reported together. Nothing
 * here prints. */
#ifndef LEVY_BASE_ERROR_H
#define LEVY_BASE_ERROR_H

#include "engine/base/memory.h"
#include "engine/base/status.h"

#include <stdarg.h>
#include <stdint.h>

/* Where something stands. line and column count from 1; 0 means unknown. `file` outlives the
 * diagnostics. */
typedef struct levy_place {
    const char *file;
    uint32_t file_order; /* files are reported in the order they were given */
    uint32_t line, column;
} levy_place;

typedef enum levy_severity {
    LEVY_SEVERITY_ERROR,
    LEVY_SEVERITY_WARNING,
    LEVY_SEVERITY_NOTE
} levy_severity;

typedef struct levy_fault {
    levy_severity severity;
    levy_reason reason;
    levy_place place;
    char *path;    /* "trades[0].payoff.strike", or "" */
    char *message; /* one line: subject, rule, value seen; without place and path */
    char *hint;    /* a sentence saying what to do, or NULL */
    /* the trade's index in the book; -1: of no trade, and then nothing is priced */
    int64_t trade;
    /* the text at `place` was left out: what else is wrong there follows from this */
    bool covers;
    uint64_t order; /* order of arrival, the last sort key */
} levy_fault;

enum { LEVY_FAULT_LIMIT = 1000 }; /* further ones are counted, not kept */

typedef struct levy_fault_list {
    levy_arena arena;
    levy_fault *items;
    size_t count, capacity;
    size_t errors, warnings; /* counted whether kept or not */
    bool out_of_memory;      /* a fault could not be kept; errors still counts it */
} levy_fault_list;

void levy_fault_list_init(levy_fault_list *list, const levy_memory *memory);
void levy_fault_list_release(levy_fault_list *list);
/* By file order, line, column, arrival. Drops the errors that another covers. */
void levy_fault_list_sort(levy_fault_list *list);
/* Adds copies of all faults of another list; only the files' names are not copied. False: no
 * memory. */
bool levy_fault_list_add_all(levy_fault_list *list, const levy_fault_list *from);
/* Copies the names of files, from fault `first` on, into the list's own memory: faults outlive what
 * was read. */
void levy_fault_list_keep_places(levy_fault_list *list, size_t first);

/* place and hint may be NULL. `format` must hold no floating conversion, which would read the
 * locale: use levy_number_write and %s. Control characters in path, message and hint are escaped
 * (engine/base/text.h). Returns the fault, so that the caller may set .severity or .trade, or NULL
 * past the limit. */
levy_fault *levy_fault_add(levy_fault_list *list, levy_reason reason, const levy_place *place,
                           const char *path, const char *hint, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
levy_fault *levy_fault_warn(levy_fault_list *list, levy_reason reason, const levy_place *place,
                            const char *path, const char *hint, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* "file:12:5: error: trades[0].payoff.strik: unknown key; did you mean 'strike'?" (one line, no
 * hint, no newline). Control characters of the input are escaped. Returns the length written as
 * snprintf does. */
size_t levy_fault_line(const levy_fault *fault, char *buffer, size_t size);

/* The candidate nearest to `word` by edit distance, or NULL. The distance may be up to a third of
 * the word's length, or 1 if that is more; it ignores case and counts a swap of neighbours once.
 * `candidates` ends with NULL. */
const char *levy_nearest(const char *word, const char *const *candidates);

/* What a message adds for `nearest`: "; did you mean 'strike'?", or "" for NULL. */
enum { LEVY_MEANT_SIZE = 128 };
const char *levy_meant(const char *nearest, char phrase[LEVY_MEANT_SIZE])
    __attribute__((warn_unused_result));

#endif
