/* netting.h: the netted value of a book by currency, with a standard error that includes the
 * correlation of the trades. Trades of one run share their draws replicate by replicate, so the sum
 * of all trades over one replicate is one observation of the book. No combination of the trades'
 * own errors would be right. Sums are compensated (A. Neumaier, ZAMM 54, 1974), so the order of
 * trades hardly matters, and they are added in the order of groups, so that it does not matter at
 * all. If trades that vary add up to the same number on every replicate, they cancel, and the error
 * is 0. */
#ifndef LEVY_STATISTICS_NETTING_H
#define LEVY_STATISTICS_NETTING_H

#include "engine/base/memory.h"
#include "engine/levy.h"
#include "kernels/lane/tree.h"

typedef struct levy_netting_sum {
    double sum, rest;
} levy_netting_sum;

typedef struct levy_netting_entry {
    const char *currency;
    size_t trades;
    levy_netting_sum *replicates; /* [n_replicates] */
    double rounding;              /* sum of its trades': the same constants round in many of them */
    double exact_rounding;        /* of those that are exact */
    /* sum of its trades': replicates that miss a step miss it together */
    double resolution;
    /* all of them are; all of them are, or vary from replicate to replicate */
    bool exact, settled;
    bool resolved, heavy; /* all of them have a resolution; one of them has a heavy tail */
} levy_netting_entry;

typedef struct levy_netting {
    size_t n_replicates; /* 0: no trade yet */
    bool mixed;          /* trades of different counts of replicates: nothing can be netted */
    uint64_t paths;      /* of a replicate */
    levy_netting_entry *entries;
    size_t n_entries, room;
    levy_netted *netted; /* [n_entries], after finish */
} levy_netting;

/* A priced trade: sums[replicate] of its unit price, its signed size, the rounding and the
 * resolution of its unit price (estimate.h), whether that is exact but for rounding, and
 * whether its mean lies in paths that hardly ever come. */
typedef struct levy_netting_part {
    const tree_sum *sums;
    size_t n_replicates;
    double scale, rounding, resolution;
    bool exact, heavy;
} levy_netting_part;

/* `currency` outlives the netting. */
bool levy_netting_add(levy_netting *netting, levy_arena *arena, const char *currency,
                      const levy_netting_part *part);
/* both false: no memory */
bool levy_netting_finish(levy_netting *netting, levy_arena *arena, double confidence);

#endif
