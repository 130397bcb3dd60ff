/* check.h: shared by all code that checks a book: the steps that resolve it, models and payoffs. It
 * says where faults go, how times become years, and how a name or number is shown. A check reports
 * its faults and goes on. A check that depends on something already reported stays silent. Must not
 * know: what is checked. */
#ifndef LEVY_BASE_CHECK_H
#define LEVY_BASE_CHECK_H

#include "engine/base/field.h"
#include "engine/base/node.h"

typedef struct levy_check {
    levy_arena *arena; /* the problem's */
    levy_fault_list *faults;
    size_t first_fault; /* faults before it are not this problem's */
    int64_t trade;      /* stamped on every fault, -1 outside trades */
    bool has_date;      /* the book has a valuation date: all times are dates */
    levy_date valuation;
    levy_place valuation_place; /* where it was given */
    bool out_of_memory;
    bool broken; /* a map or list of definitions could not be read: unknown names prove nothing */
} levy_check;

/* Adds a fault at `node` (NULL: no place) and evaluates to false. The reason is given without its
 * prefix; path, hint and arguments are evaluated only here, so formatting them costs nothing while
 * all is well. */
#define LEVY_REFUSE(build, reason, node, path, hint, ...)                                          \
    levy_check_stamp((build), levy_fault_add((build)->faults, LEVY_REASON_##reason,                \
                                             levy_check_place(node), (path), (hint), __VA_ARGS__))
#define LEVY_WARN(build, reason, node, path, hint, ...)                                            \
    levy_check_stamp((build),                                                                      \
                     levy_fault_warn((build)->faults, LEVY_REASON_##reason,                        \
                                     levy_check_place(node), (path), (hint), __VA_ARGS__))

bool levy_check_stamp(const levy_check *build, levy_fault *fault); /* false */
const levy_place *levy_check_place(const levy_node *node);         /* NULL for NULL */

/* Zeroed memory of the problem; NULL sets out_of_memory. */
void *levy_check_allocate(levy_check *build, size_t count, size_t size);
/* levy_arena_extend in memory of the problem; NULL sets out_of_memory. */
void *levy_check_extend(levy_check *build, void *items, size_t count, size_t *room, size_t least,
                        size_t size);

/* Texts for paths, hints and messages, never NULL. */
const char *levy_check_text(levy_check *build, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *levy_check_number(levy_check *build, double value); /* exactly, as the user wrote it */
/* to six digits: what the engine computed */
const char *levy_check_rounded(levy_check *build, double value);
/* a scalar's text as written; "a list", "a map" */
const char *levy_check_shown(const levy_node *node);

/* The value under `key` of `object`, or `object` itself where it has none (a default, or a
 * shorthand). */
const levy_node *levy_check_at(const levy_node *object, const char *key);

/* The name of a map's item, from its key. */
const char *levy_check_key(const levy_node *item);

/* True when the reader refused something at `path` or below it. */
bool levy_check_refused(const levy_check *build, const char *path);

/* Model time of a time as written. A fault: a date in a book of years or the other way round;
 * beyond 200 years. */
bool levy_check_time(levy_check *build, const levy_time *time, const char *path, double *years);
double levy_check_years(const levy_check *build, levy_date date);

/* A list of [time, value] pairs as written, to ascending arrays. False, with a fault, at a bad or
 * unsorted time. */
bool levy_check_pairs(levy_check *build, const levy_list *list, const char *path, double **times,
                      double **values);

#endif
