/* latch.h: latches: states that keep their initial value until a level crosses a number, and from
 * then on are one constant, such as a barrier that was hit. A latch is set on a half-line of the
 * integrated normal z (integrate.h), and that half-line only grows from date to date. So the path
 * carries its end, one number for all segments, and a segment is cut only when a step reads the
 * latch. Must not know: the language, blocks. */
#ifndef LEVY_SCRIPT_LATCH_H
#define LEVY_SCRIPT_LATCH_H

#include "engine/script/form.h"

typedef struct script_latches {
    uint64_t found;        /* bits of the states that the previous walk found to be latches */
    uint64_t rises, falls; /* bits of states: set above a normal, set below one */
    uint64_t set, other;   /* bits of states: set at all, and set as no latch is */
    uint32_t value[LEVY_SCRIPT_STATES]; /* [state]: the constant, as an operand */
} script_latches;

/* One latch: a state among those found. Each latch has two thresholds, which are states: `first` is
 * the first one's number, and the latches follow in the order of their states. */
typedef struct script_latch {
    const script_latches *all;
    uint32_t state, first;
} script_latch;

/* The number of thresholds of the latches found: two states each. */
uint32_t levy_latch_states(const script_latches *latches);
/* The initial value of threshold k < levy_latch_states, an operand. */
uint32_t levy_latch_start(const integrator *s, uint32_t k);
/* Records that the block sets a state to `value` if `when` holds. */
void levy_latch_note(script_latches *latches, const integrator *s, uint32_t state,
                     const script_form *when, const script_form *value);
/* The latches that this walk has found, without those of `never`. */
uint64_t levy_latch_found(const script_latches *latches, uint64_t never);
/* Sets the latch where `when` holds. */
void levy_latch_set(integrator *s, const script_latch *latch, const script_form *when);
/* The state's value on the current segment: an operand. */
uint32_t levy_latch_read(integrator *s, const script_latch *latch);

#endif
