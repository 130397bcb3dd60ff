/* sum.h: the running sum: the one variable of an integrated program that may sum levels over dates,
 * such as the gains of a target redemption forward or the sum of an average. It is a function of
 * the normal z, the same on all segments, and the program keeps it (payoffs/sums.h). Within a block
 * a value is the sum at the block's start plus the terms added since. Must not know: the language,
 * blocks. */
#ifndef LEVY_SCRIPT_SUM_H
#define LEVY_SCRIPT_SUM_H

#include "engine/script/form.h"

/* The sum at the block's start. */
script_form levy_sum_read(integrator *s);
/* The greater of a level's multiple and a number, which switches at `turn`: a term that may be
 * added. */
form_part levy_sum_greater(integrator *s, const form_turn *turn, const script_form *a,
                           const script_form *b);
/* Records in `sum`, which is a + b, whether it is the current running sum plus a term. */
void levy_sum_grows(integrator *s, const script_form *a, const script_form *b, script_form *sum);
/* Adds the term of `value` to the running sum. False: `value` is no sum plus a term. */
bool levy_sum_add(integrator *s, const script_form *value);
/* If a or b contains the running sum, makes `f` the condition a >= b (strict: a > b), or refuses
 * the script. False: neither contains it. */
bool levy_sum_compares(integrator *s, const script_form *a, const script_form *b, script_form *f,
                       bool strict);

#endif
