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
    double rounding;              /* summed over its trades: many share a rounded constant */
    double exact_rounding;        /* of the exact trades only */
    /* summed over its trades: if a replicate misses a step, all trades miss it */
    double resolution;
    double unseen; /* likewise */
    /* every trade is exact; every trade is exact or varies from replicate to replicate */
    bool exact, settled;
    bool resolved, heavy; /* every trade has a resolution; some trade has a heavy tail */
} levy_netting_entry;

typedef struct levy_netting {
    size_t n_replicates; /* 0: no trade yet */
    bool mixed;          /* trades differ in their number of replicates: nothing can be netted */
    uint64_t paths;      /* of a replicate */
    levy_netting_entry *entries;
    size_t n_entries, room;
    levy_netted *netted; /* [n_entries], after finish */
} levy_netting;

/* A priced trade: sums[replicate] of its unit price, its signed size, and the rounding and
 * resolution of its unit price (estimate.h), and what it owes to events that too few paths meet.
 * exact: the price has no error but rounding; heavy: very rare paths determine its mean. */
typedef struct levy_netting_part {
    const tree_sum *sums;
    size_t n_replicates;
    double scale, rounding, resolution, unseen;
    bool exact, heavy;
} levy_netting_part;

/* `currency` outlives the netting. */
bool levy_netting_add(levy_netting *netting, levy_arena *arena, const char *currency,
                      const levy_netting_part *part);
/* Both return false if there is no memory. */
bool levy_netting_finish(levy_netting *netting, levy_arena *arena, double confidence);

#endif
