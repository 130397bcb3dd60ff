/* build.h: what the steps that resolve a book share: where faults go, how times become years, and
 * how a name or number is shown. A step reports what it finds and goes on; what depends on
 * something already reported stays silent. Must not know: what any step resolves. */
#ifndef LEVY_PROBLEM_BUILD_H
#define LEVY_PROBLEM_BUILD_H

#include "engine/problem/problem.h"
#include "engine/schema/book.h"
#include "engine/schema/schema.h"

typedef struct levy_build {
    levy_arena *arena; /* the problem's */
    levy_fault_list *faults;
    size_t first_fault; /* faults before it are not this problem's */
    int64_t trade;      /* stamped on every fault, -1 outside trades */
    bool has_date;      /* the book has a valuation date: all times are dates */
    levy_date valuation;
    levy_place valuation_place; /* where it was given */
    bool out_of_memory;
    bool broken; /* a map or list of definitions could not be read: unknown names prove nothing */
} levy_build;

/* Adds a fault at `node` (NULL: no place) and evaluates to false. The reason is given without its
 * prefix; path, hint and arguments are evaluated only here, so formatting them costs nothing while
 * all is well. */
#define LEVY_REFUSE(build, reason, node, path, hint, ...)                                          \
    levy_build_stamp((build), levy_fault_add((build)->faults, LEVY_REASON_##reason,                \
                                             levy_build_place(node), (path), (hint), __VA_ARGS__))
#define LEVY_WARN(build, reason, node, path, hint, ...)                                            \
    levy_build_stamp((build),                                                                      \
                     levy_fault_warn((build)->faults, LEVY_REASON_##reason,                        \
                                     levy_build_place(node), (path), (hint), __VA_ARGS__))

bool levy_build_stamp(const levy_build *build, levy_fault *fault); /* false */
const levy_place *levy_build_place(const levy_node *node);         /* NULL for NULL */

/* Zeroed memory of the problem; NULL sets out_of_memory. */
void *levy_build_allocate(levy_build *build, size_t count, size_t size);

/* Texts for paths, hints and messages, never NULL. */
const char *levy_build_text(levy_build *build, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *levy_build_number(levy_build *build, double value); /* exactly, as the user wrote it */
/* to six digits: what the engine computed */
const char *levy_build_rounded(levy_build *build, double value);
/* a scalar's text as written; "a list", "a map" */
const char *levy_build_shown(const levy_node *node);

/* The value under `key` of `object`, or `object` itself where it has none (a default, or a
 * shorthand). */
const levy_node *levy_build_at(const levy_node *object, const char *key);

/* The name of a map's item, from its key. */
const char *levy_build_key(const levy_node *item);

/* True when the reader refused something at `path` or below it. */
bool levy_build_refused(const levy_build *build, const char *path);

levy_reader levy_build_reader(const levy_build *build);

/* Model time of a time as written. A fault: a date in a book of years or the other way round;
 * beyond 200 years. */
bool levy_build_time(levy_build *build, const levy_time *time, const char *path, double *years);
double levy_build_years(const levy_build *build, levy_date date);

/* A list of [time, value] pairs as written, to ascending arrays. False, with a fault, at a bad or
 * unsorted time. */
bool levy_build_pairs(levy_build *build, const levy_list *list, const char *path, double **times,
                      double **values);

#endif
