/* barrier_terms.h: the terms of the kinds that a touch of a barrier decides, for the files of
 * payoffs/ that share them. */
#ifndef LEVY_PAYOFFS_BARRIER_TERMS_H
#define LEVY_PAYOFFS_BARRIER_TERMS_H

#include "payoffs/terms.h"

/* What a touch pays. For a knock-in: what is paid if no touch occurs. */
typedef struct levy_rebate_terms {
    const struct levy_node *node; /* NULL: none */
    /* NaN: not given; lower and upper: one for each of two barriers */
    double amount, lower, upper;
    int32_t pay; /* LEVY_PAY_ */
} levy_rebate_terms;

/* What dates before today have done, in place of their fixings. */
typedef struct levy_touched_state {
    const struct levy_node *node; /* NULL: not given */
    bool touched;
} levy_touched_state;

/* The terms of barrier, double_barrier and touch begin with these. */
typedef struct levy_touched_terms {
    levy_payoff_terms payoff;
    levy_touched_state state;
    levy_barrier_terms barrier;
} levy_touched_terms;

/* barrier and double_barrier */
typedef struct levy_knock_terms {
    levy_touched_terms touched;
    levy_payout_terms payout;
    levy_rebate_terms rebate;
} levy_knock_terms;

static inline const levy_barrier_terms *levy_barrier_of(const levy_payoff_terms *terms)
{
    return &((const levy_touched_terms *)terms)->barrier;
}

static inline const levy_knock_terms *levy_knock_of(const levy_payoff_terms *terms)
{
    return (const levy_knock_terms *)terms;
}

#endif
