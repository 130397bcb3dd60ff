/* shared.h: the answers that several kinds give a plan alike: barrier.c's, of all that a barrier
 * ends or begins. Must not know: plans. */
#ifndef LEVY_PAYOFFS_SHARED_H
#define LEVY_PAYOFFS_SHARED_H

#include "payoffs/payoff.h"

bool levy_barrier_has_row(uint32_t variant);
void levy_barrier_row(const levy_claim *claim, uint32_t variant, const levy_claim_step *step,
                      double *row);
/* Of the kinds with a knock: not of touches. */
void levy_barrier_numbers(const levy_claim *claim, const levy_claim_unit *unit,
                          levy_claim_numbers *numbers);
double levy_barrier_jump(const levy_claim *claim);

#define LEVY_WATCHES_BARRIER .has_row = levy_barrier_has_row, .row = levy_barrier_row
#define LEVY_KNOCKS_AT_BARRIER .numbers = levy_barrier_numbers, .jump = levy_barrier_jump

#endif
