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
    size_t first_fault; /* earlier faults in the list belong to other problems */
    int64_t trade;      /* written into every fault; -1: outside trades */
    bool has_date;      /* the book has a valuation date: all times are dates */
    levy_date valuation;
    levy_place valuation_place; /* where it was given */
    const char *dated_file;     /* the file that valuation_date belongs to; NULL: the one at hand */
    const levy_more_kinds *kinds; /* that the book's files define; NULL: none */
    bool out_of_memory;
    bool broken; /* some definitions could not be read, so an unknown name may be no fault */
} levy_check;

/* Adds a fault at `node` (NULL: no place) and evaluates to false. The reason is given without its
 * prefix. Path, hint and arguments are evaluated only here, so a check that passes never formats
 * them. */
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
/* levy_arena_grow in memory of the problem; false sets out_of_memory. */
bool levy_check_grow(levy_check *build, void *items, size_t count, size_t *room, size_t least,
                     size_t size);
#define LEVY_CHECK_GROW(build, items, count, room, least)                                          \
    levy_check_grow((build), &(items), (count), &(room), (least), sizeof *(items))

/* Texts for paths, hints and messages; never NULL. */
const char *levy_check_text(levy_check *build, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *levy_check_number(levy_check *build, double value); /* exact: a number of the user */
/* to six digits, for a number that the engine has computed */
const char *levy_check_rounded(levy_check *build, double value);
/* a scalar's text as written; "a list", "a map" */
const char *levy_check_shown(const levy_node *node);

/* The value under `key` of `object`, or `object` itself if it has no such key: the value is a
 * default, or comes from a shorthand. */
const levy_node *levy_check_at(const levy_node *object, const char *key);

/* The name of a map's item, from its key. */
const char *levy_check_key(const levy_node *item);

/* True when the reader refused something at `path` or below it. */
bool levy_check_refused(const levy_check *build, const char *path);

/* The model time of a time as written. It refuses a date in a book of years, years in a book of
 * dates, and more than 200 years. */
bool levy_check_time(levy_check *build, const levy_time *time, const char *path, double *years);
double levy_check_years(const levy_check *build, levy_date date);

/* Turns a list of [time, value] pairs into two arrays with ascending times. False, with a fault, if
 * a time is bad or not after the one before it. */
bool levy_check_pairs(levy_check *build, const levy_list *list, const char *path, double **times,
                      double **values);

#endif
