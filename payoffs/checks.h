/* checks.h: rules across keys that several kinds share, for their `check`. A rule adds its fault
 * and returns false. Must not know: how anything is priced. */
#ifndef LEVY_PAYOFFS_CHECKS_H
#define LEVY_PAYOFFS_CHECKS_H

#include "engine/base/check.h"
#include "payoffs/payoff.h"

/* Refuses the value of `key` in the payoff. A key in a block is written "barrier.level". */
#define LEVY_REFUSE_KEY(frame, reason, key, hint, ...)                                             \
    LEVY_REFUSE((frame)->check, reason, levy_payoff_at((frame), (key)),                            \
                levy_payoff_path((frame), (key)), (hint), __VA_ARGS__)
const levy_node *levy_payoff_at(const levy_payoff_frame *frame, const char *key);
const char *levy_payoff_path(const levy_payoff_frame *frame, const char *key);

/* Checks the range of a number that may be a fraction of the initial level. */
bool levy_payoff_check_fraction(const levy_payoff_frame *frame, const char *key, double value);
/* Checks the strike's sign and range. A kind without a strike passes. */
bool levy_payoff_check_strike(const levy_payoff_frame *frame);
/* Checks that the strike is either a number under `strike` or takes another form (`other`).
 * `refusal` is the message if both are given, `hint` the hint if neither is. */
bool levy_payoff_check_form(const levy_payoff_frame *frame, bool other, const char *refusal,
                            const char *hint);
/* Checks that `cash` is given only with payout cash. */
bool levy_payoff_check_cash(const levy_payoff_frame *frame, const levy_payout_terms *payout);
/* Checks that the level cannot reach 0, for payoffs on returns. */
bool levy_payoff_check_return(const levy_payoff_frame *frame);

/* Rules of the kinds with barriers: levels and direction; all rules of a barrier option. */
bool levy_barrier_check_levels(const levy_payoff_frame *frame);
bool levy_barrier_check(const levy_payoff_frame *frame);

/* Answers that kinds share. */
bool levy_payoff_never(const levy_payoff_terms *terms);
bool levy_payoff_always(const levy_payoff_terms *terms);

/* Ends of a kind's documentation. */
#define LEVY_INTEGRATED                                                                            \
    " It is integrated over one normal of each path (simulation.smoothing: auto)."
#define LEVY_INTEGRATED_ON_DATES                                                                   \
    " Watched on dates, it is integrated over one normal of each path (simulation.smoothing: "     \
    "auto)."
bool levy_barrier_pays_cash(const levy_payoff_terms *terms);
bool levy_barrier_pays_at_hit(const levy_payoff_terms *terms);

#endif
