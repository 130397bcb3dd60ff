/* sum.h: the one variable of an integrated program that may add up levels over dates: the gains of
 * a target redemption forward, the sum of an average. It is a function of the normal z, the same on
 * all segments, which the program keeps (payoffs/sums.h). A value of the block is made of the sum
 * as the block has found it, and of what was added since. Must not know: the language, blocks. */
#ifndef LEVY_SCRIPT_SUM_H
#define LEVY_SCRIPT_SUM_H

#include "engine/script/form.h"

/* The sum as the block has found it. */
script_form levy_sum_read(integrator *s);
/* The greater of a level's multiple and a number, which a turn divides, as what may be added. */
form_part levy_sum_greater(integrator *s, const form_turn *turn, const script_form *a,
                           const script_form *b);
/* Notes on a + b, as `sum`, whether it is the sum as it is now and what may be added to it. */
void levy_sum_grows(integrator *s, const script_form *a, const script_form *b, script_form *sum);
/* Adds to the sum what made a value of it. False: that is no such value. */
bool levy_sum_add(integrator *s, const script_form *value);
/* If a or b is made of the sum of levels: makes `f` the condition a >= b, or refuses it. strict:
 * a > b. False: neither is. */
bool levy_sum_compares(integrator *s, const script_form *a, const script_form *b, script_form *f,
                       bool strict);

#endif
