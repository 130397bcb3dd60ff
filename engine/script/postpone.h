/* postpone.h: an integrated program whose segments run after the path in place of on it. On the
 * path a block runs its first steps alone, and leaves what they have made. After the path one
 * program after the other runs its blocks on that, in the same order with the same numbers. So the
 * segments of one program alone are in use at a time, which is what a GPU's first cache has room
 * for. Must not know: what runs programs. */
#ifndef LEVY_SCRIPT_POSTPONE_H
#define LEVY_SCRIPT_POSTPONE_H

#include "engine/script/program.h"

#include <stdbool.h>

/* Is a step of a block's first ones made of constants and terms alone? Then it need not leave what
 * it makes, for it may run again. */
static inline bool levy_script_runs_again(const levy_script_step *step)
{
    const uint16_t operands[] = {step->a, step->b, step->c};
    for (uint32_t i = 0; i < levy_script_operands(step->op); ++i)
        if (!levy_script_is_number(operands[i])) return false;
    return step->op > LEVY_SCRIPT_LEVEL && step->op < LEVY_SCRIPT_SPLIT;
}

/* What a block's first steps leave to those that run on each segment, and the normal `low`: for
 * each register the step that made it. step: [LEVY_SCRIPT_REGISTERS]. Returns their number. */
static inline uint32_t levy_script_leaves(const levy_script_program *p,
                                          const levy_script_block *block,
                                          const levy_script_step **step)
{
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first;
    const levy_script_step *made[LEVY_SCRIPT_REGISTERS] = {0};
    uint32_t n = 0;
    for (uint32_t k = 0; k < block->n_before; ++k) made[steps[k].to] = &steps[k];
    for (uint32_t k = block->n_before; k < block->n + block->n_low; ++k) {
        const uint16_t operands[] = {steps[k].a, steps[k].b, steps[k].c};
        for (uint32_t i = 0; i < levy_script_operands(steps[k].op); ++i) {
            if (operands[i] & LEVY_SCRIPT_AT || !made[operands[i]]) continue;
            step[n++] = made[operands[i]];
            made[operands[i]] = 0;
        }
        if (steps[k].op != LEVY_SCRIPT_WHERE) made[steps[k].to] = 0;
    }
    if (!(block->low & LEVY_SCRIPT_AT) && made[block->low]) step[n++] = made[block->low];
    return n;
}

/* Lanes that a date of the block leaves: its number, and registers. */
static inline uint32_t levy_script_lanes_left(const levy_script_program *p,
                                              const levy_script_block *block)
{
    const levy_script_step *step[LEVY_SCRIPT_REGISTERS];
    uint32_t lanes = 1;
    for (uint32_t n = levy_script_leaves(p, block, step); n > 0; --n)
        lanes += !levy_script_runs_again(step[n - 1]);
    return lanes;
}

/* Whether the segments' steps read nothing of the path but what the first steps have made. */
static inline bool levy_script_may_postpone(const levy_script_program *p)
{
    bool first[LEVY_SCRIPT_STATES] = {false}; /* states that first steps set */
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p);
    const levy_script_block *const blocks = LEVY_SCRIPT_PROGRAM_BLOCKS(p);
    if (!p->n_segments || p->n_summed) return false;
    for (uint32_t b = 0; b < p->n_blocks; ++b)
        for (uint32_t k = 0; k < blocks[b].n_before; ++k)
            if (steps[blocks[b].first + k].to < p->n_states)
                first[steps[blocks[b].first + k].to] = true;
    for (uint32_t b = 0; b < p->n_blocks; ++b)
        for (uint32_t k = blocks[b].n_before; k < blocks[b].n + blocks[b].n_low; ++k) {
            const levy_script_step *const s = &steps[blocks[b].first + k];
            const uint16_t operands[] = {s->a, s->b, s->c};
            if (s->op != LEVY_SCRIPT_WHERE && s->to < p->n_states && first[s->to]) return false;
            for (uint32_t i = 0; i < levy_script_operands(s->op); ++i) {
                const uint32_t at = operands[i] & LEVY_SCRIPT_AT;
                if (at == LEVY_SCRIPT_AT_LEVEL) return false;
                if (at == 0 && operands[i] < p->n_states && first[operands[i]]) return false;
            }
        }
    return true;
}

#endif
