/* netting.h: sums of trades by currency, of all currencies translated to one, and by texts that
 * trades carry: of their prices and of each measure that adds up, with a standard error that
 * includes the correlation of the trades. Trades of one run share their draws replicate by
 * replicate, so the sum of all trades over one replicate is one observation of the book. No
 * combination of the trades' own errors would be right. Sums are compensated (A. Neumaier, ZAMM 54,
 * 1974), so the order of trades hardly matters, and they are added in the order of groups, so that
 * it does not matter at all. If trades that vary add up to the same number on every replicate, they
 * cancel, and the error is 0. Must not know: plans, what the keys are. */
#ifndef LEVY_STATISTICS_NETTING_H
#define LEVY_STATISTICS_NETTING_H

#include "engine/levy.h"
#include "engine/base/names.h"
#include "engine/statistics/stats.h"
#include "kernels/lane/tree.h"

enum { LEVY_NETTING_KEYS = 8, LEVY_NETTING_MEASURES = 28 };

/* What is said of a value of which the steps leave more than its error. A sum is judged by its own
 * error, not by its trades'. */
extern const char levy_netting_steps[];

/* A measure and its factor: one line of every group that has it. */
typedef struct levy_netting_line {
    const char *measure, *factor; /* outlive the netting */
    uint32_t bit;                 /* number of the measure's bit */
    uint32_t place;               /* of the measure among others */
    double at;                    /* of the line among those of the measure; then as it was met */
    bool second;                  /* a second difference: where no path bends, rounding is left */
} levy_netting_line;

struct levy_netting_entry;

typedef struct levy_netting {
    levy_arena work; /* of the sums; empty after finish */
    size_t n_keys;
    const char *keys[LEVY_NETTING_KEYS]; /* in addition to the currency, which comes first */
    const char *noun;                    /* the noun that notes count: "trades", "legs" */
    size_t n_replicates;                 /* 0: no trade yet */
    bool mixed;     /* trades differ in their number of replicates: nothing can be netted */
    uint64_t paths; /* of a replicate */
    levy_names line_names, entry_names, currencies;
    levy_netting_line *lines;
    struct levy_netting_entry *entries;
    size_t line_room, n_entries, entry_room;
    levy_netted *netted; /* [n_netted], after finish */
    size_t n_netted;
} levy_netting;

/* A measure of a priced trade: sums[replicate] of its unit value, its signed size, and the errors
 * of the unit value that the replicates do not show. */
typedef struct levy_netting_part {
    const tree_sum *sums; /* NULL: the measure does not add up */
    double scale, bias;   /* bias: of a bump, of the whole position */
    double rate;          /* of exchange: what the position has is multiplied by it, once */
    levy_output_errors errors;
    uint32_t line;
    bool heavy;                     /* very rare paths determine its mean */
    bool none;                      /* there is no value */
    const char *note;               /* why it is flagged; NULL: it is not */
    double step_bias, step_bias_se; /* as of a measure */
} levy_netting_part;

typedef struct levy_netting_trade {
    size_t index;    /* in the book */
    const char *id;  /* for notes */
    bool counts;     /* false: it is a part of another trade */
    bool translated; /* its parts have been, to the currency of a sum of all currencies */
    const char *currency;
    const char *labels[LEVY_NETTING_KEYS]; /* NULL: it has none */
    uint32_t covers;                       /* bits of the measures to which it would contribute */
    const levy_netting_part *parts;
    size_t n_parts;
} levy_netting_trade;

void levy_netting_init(levy_netting *netting, const levy_memory *memory);
void levy_netting_release(levy_netting *netting); /* of `work`; the netted values stay */

/* The number of that line, which is new or not. False: no memory. */
bool levy_netting_find(levy_netting *netting, const levy_netting_line *line, uint32_t *number);

/* All parts have n_replicates sums. Both return false if there is no memory; the trades that were
 * added then are not netted at all. */
bool levy_netting_add(levy_netting *netting, const levy_netting_trade *trade, size_t n_replicates);
/* A trade without a price, after all others: its sums count and name it. Without a currency it may
 * belong to any. `torn`: a part of it was added, so that there is no sum. */
bool levy_netting_miss(levy_netting *netting, const levy_netting_trade *trade, bool torn);
/* `arena` holds the sums. */
bool levy_netting_finish(levy_netting *netting, levy_arena *arena, double confidence);

#endif
