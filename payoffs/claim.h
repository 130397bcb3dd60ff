/* claim.h: the description of one trade for its payoff's kind, and the kind's answer: the numbers
 * that its lanes read, once for an item and once for each node. Plain data. Must not know: trades,
 * markets, grids, images. */
#ifndef LEVY_PAYOFFS_CLAIM_H
#define LEVY_PAYOFFS_CLAIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct levy_payoff_terms;

enum { LEVY_PAYOFF_SCHEDULES = 4 }; /* of dates, that a payoff can observe */

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

/* The interval that ends at a node, of the trade's first asset, and the node. */
typedef struct levy_claim_step {
    double time; /* of the node */
    /* bit k: the node is one of schedule k: 0 the observations, then those of `further`; */
    uint32_t events;
    size_t
        number[LEVY_PAYOFF_SCHEDULES]; /* this one of its future dates, from 0; none: their count */
    double log_unit;
    /* of the logarithm, over the interval; NaN where the trade has several assets */
    double drift, variance;
    double drop; /* fall of the logarithm at the node by proportional dividends */
    bool opens;  /* the window opens at the node */
    /* logarithms of discount factors: the interval's ends, the payment: what 1 paid at the node is
     * worth in money of the payment date is exp(to - paid) */
    double from, to, paid;
} levy_claim_step;

#endif
