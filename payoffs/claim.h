/* claim.h: the description of one trade for its payoff's kind, and the kind's answer: the numbers
 * that its lanes read, once for an item and once for each node. Plain data. Must not know: trades,
 * markets, grids, images. */
#ifndef LEVY_PAYOFFS_CLAIM_H
#define LEVY_PAYOFFS_CLAIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct levy_payoff_terms;

/* One trade: its terms, how its level is watched, and what was seen of it, in the units of the
 * strike. */
typedef struct levy_claim {
    const struct levy_payoff_terms *terms;
    bool two_barriers, rebate_at_hit;
    bool continuous;     /* watched at all times from window_start on */
    double window_start; /* 0: goes on today */
    bool sold;           /* the level can be as low as one likes: a spread's */
    bool observes_now;   /* today's level is an observation */
    size_t n_past, n_future;
    double past_sum, past_log_sum, past_last;
    bool knocked;                     /* a barrier was touched */
    bool takes_minimum, has_extremum; /* of a lookback: the smallest level counts; one was seen */
    double extremum;
} levy_claim;

/* The units of an item's numbers: a level of `scale` is 1, logarithms are in units of 1 / log_unit.
 */
typedef struct levy_claim_unit {
    double scale, log_unit;
    double today; /* the level now, in units of the scale */
} levy_claim_unit;

/* What the lanes read of an item. */
typedef struct levy_claim_numbers {
    uint32_t variant;
    double *terms; /* by the ITEM_ of european.h; sign and strike stand */
} levy_claim_numbers;

/* The interval that ends at a node, and the node, of one asset. */
typedef struct levy_claim_step {
    double log_unit;
    double drift, variance; /* of the logarithm, over the interval */
    double drop;            /* fall of the logarithm at the node by proportional dividends */
    bool opens;             /* the window opens at the node */
    double from, to, paid;  /* logarithms of discount factors: the interval's ends, the payment */
} levy_claim_step;

#endif
