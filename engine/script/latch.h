/* latch.h: states that stay as they start until a level crosses a number, and then are one
 * constant: a barrier that was hit. Such a state is a half-line of the normal z that is integrated
 * (integrate.h), which only grows from date to date. So the path carries where it ends, one number
 * for all segments, and no segment is cut before something reads the state. Must not know: the
 * language, blocks. */
#ifndef LEVY_SCRIPT_LATCH_H
#define LEVY_SCRIPT_LATCH_H

#include "engine/script/form.h"

typedef struct script_latches {
    uint64_t found;        /* bits of states that are latches, as the last walk has found */
    uint64_t rises, falls; /* bits of states: set above some normal, and below some */
    uint64_t set, other;   /* bits of states: set at all, and set in a way that no latch is */
    uint32_t value[LEVY_SCRIPT_STATES]; /* [state]: the constant, as an operand */
} script_latches;

/* A latch: the state number `state` of those found, whose thresholds are two states from `first`
 * on, for each latch in the order of the states. */
typedef struct script_latch {
    const script_latches *all;
    uint32_t state, first;
} script_latch;

/* Thresholds that the latches found take: two states each. */
uint32_t levy_latch_states(const script_latches *latches);
/* What a threshold starts at, as an operand; k: of levy_latch_states. */
uint32_t levy_latch_start(const integrator *s, uint32_t k);
/* Notes that the block sets a state to `value` where `when` holds. */
void levy_latch_note(script_latches *latches, const integrator *s, uint32_t state,
                     const script_form *when, const script_form *value);
/* Those that this walk has found, none of `never`. */
uint64_t levy_latch_found(const script_latches *latches, uint64_t never);
/* The latch is set where `when` holds. */
void levy_latch_set(integrator *s, const script_latch *latch, const script_form *when);
/* The state's value on the segment, as an operand. */
uint32_t levy_latch_read(integrator *s, const script_latch *latch);

#endif
