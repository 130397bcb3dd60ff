/* cut.h: how a book is cut into n parts: a function of the book and n alone, so that processes that
 * never speak to each other agree on it. Groups lie on a line in their order, each as long as its
 * work is estimated to be, and part k has what lies between (k-1)/n and k/n of the line. A group
 * goes whole to the part in which its middle lies, unless it is much of a part's work. Then it is
 * cut into units, which are replicates, or ranges of 2^k blocks of a replicate, whose sums are
 * nodes of the summation tree (docs/contract.md, section 7), so that no bit depends on the cut.
 * Must not know: plans, devices, journals. */
#ifndef LEVY_BOOK_CUT_H
#define LEVY_BOOK_CUT_H

#include "engine/plan/plan.h"

enum { LEVY_CUT_MOST = 65536 }; /* parts */

typedef struct levy_cut {
    uint32_t parts;
    size_t n_groups, n_units;
    size_t *first;               /* [n_groups + 1]: the number of a group's first unit */
    uint32_t *height;            /* [n_groups]: units of a group that is cut have 2^height blocks */
    uint32_t *owner;             /* [n_units]: the part, from 1; it never falls */
    uint64_t replicates, blocks; /* of a group; of a replicate */
} levy_cut;

/* One unit: of a whole group, all of it. */
typedef struct levy_cut_unit {
    size_t group;
    bool whole;
    uint32_t replicate, height;
    uint64_t first_block, end_block; /* of the replicate */
} levy_cut_unit;

/* Tenths of a nanosecond of a path of the group, as one thread takes, roughly. */
uint64_t levy_cut_weight(const levy_problem *problem, const levy_group *group);

/* Arrays live in the arena. */
levy_status levy_cut_create(const levy_problem *problem, const levy_group *groups, size_t n_groups,
                            uint32_t parts, levy_arena *arena, levy_cut *cut);
static inline size_t levy_cut_units(const levy_cut *cut, size_t group)
{
    return cut->first[group + 1] - cut->first[group];
}
/* The first unit of a part; one of another part, or n_units: the part has none. */
size_t levy_cut_start(const levy_cut *cut, uint32_t part);
/* Unit number `unit` of a group, counted from 0. */
levy_cut_unit levy_cut_unit_of(const levy_cut *cut, size_t group, size_t unit);

#endif
