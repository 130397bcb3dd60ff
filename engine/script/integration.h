/* integration.h: shared by the parts of integrate.h: one walk through a script's steps. Private to
 * integrate.h. Must not know: trades, markets. */
#ifndef LEVY_SCRIPT_INTEGRATION_H
#define LEVY_SCRIPT_INTEGRATION_H

#include "engine/script/latch.h"
#include "engine/script/payoff_script.h"

enum { INTEGRATE_PAID = 0 }; /* the state of the script that holds what has been paid */

typedef struct integration {
    integrator s;
    const levy_script *script;
    script_form registers[LEVY_SCRIPT_REGISTERS];
    uint32_t *constants;                  /* [n_constants]: of the integrated program */
    uint32_t cash, first_share, n_shares; /* states: what the block pays, and multiples of levels */
    uint32_t shares_paid;                 /* bits of columns, of the block */
    bool cash_paid;
    uint64_t self, set; /* bits of the states that differ from segment to segment: by one constant,
                           or by several numbers */
    script_latches latches;
    script_form sum;  /* the current sum, if the block has added to it */
    uint32_t adds_up; /* the state that this walk found to sum levels; 0: there is none */
    size_t summed;    /* most dates that add to it */
    size_t most_counted;
    bool added;         /* to each level a number of the date */
    bool flags, counts; /* the block writes such states: one constant, or several numbers */
    uint32_t only[LEVY_SCRIPT_STATES]; /* [state]: the one constant; 0: none so far */
    size_t ends[LEVY_SCRIPT_NESTED], begun[LEVY_SCRIPT_NESTED];
    uint32_t wheres[LEVY_SCRIPT_NESTED];
    size_t open;
    size_t step; /* the step of the script's program that cannot be integrated; SIZE_MAX: no single
                    one */
} integration;

static inline const levy_script_program *levy_integrate_program(const integration *g)
{
    return g->script->program;
}

static inline void levy_integrate_refuse(integration *g, const char *why)
{
    if (!g->s.why) g->s.why = why;
}

/* Bits of the states that a stop writes when a segment ends its trade. */
static inline uint64_t levy_integrate_stopped(const levy_script *script)
{
    if (!script->alive) return 0;
    return (uint64_t)1 << script->alive | (uint64_t)1 << script->ended |
           (uint64_t)1 << script->life;
}

/* integrate_step.c: emits what step `at` of a block becomes. end: of the block's steps. */
void levy_integrate_step(integration *g, size_t at, const levy_script_step *step,
                         const levy_script_step *end);

#endif
