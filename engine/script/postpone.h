/* postpone.h: a postponed program: an integrated program whose segments run after the path instead
 * of along it. Along the path a block runs only its first n_before steps and saves their results.
 * After the path each program in turn runs its blocks on the saved results, in the same order on
 * the same numbers. So only one program's segments are live at a time, and they fit into a GPU's
 * first-level cache. Must not know: what runs programs. */
#ifndef LEVY_SCRIPT_POSTPONE_H
#define LEVY_SCRIPT_POSTPONE_H

#include "engine/script/program.h"

#include <stdbool.h>

/* Whether a step reads only constants and terms. Its result need not be saved: the step runs again.
 */
static inline bool levy_script_runs_again(const levy_script_step *step)
{
    const uint16_t operands[] = {step->a, step->b, step->c};
    for (uint32_t i = 0; i < levy_script_operands(step->op); ++i)
        if (!levy_script_is_number(operands[i])) return false;
    return step->op > LEVY_SCRIPT_LEVEL && step->op < LEVY_SCRIPT_SPLIT;
}

/* The first steps whose results the per-segment steps or the normal `lower_tail` read. step:
 * [LEVY_SCRIPT_REGISTERS]. Returns their number. */
static inline uint32_t levy_script_leaves(const levy_script_program *p,
                                          const levy_script_block *block,
                                          const levy_script_step **step)
{
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first;
    const levy_script_step *made[LEVY_SCRIPT_REGISTERS] = {0};
    uint32_t n = 0;
    for (uint32_t k = 0; k < block->n_before; ++k) made[steps[k].to] = &steps[k];
    for (uint32_t k = block->n_before; k < block->n + block->n_lower_tail; ++k) {
        const uint16_t operands[] = {steps[k].a, steps[k].b, steps[k].c};
        for (uint32_t i = 0; i < levy_script_operands(steps[k].op); ++i) {
            if (operands[i] & LEVY_SCRIPT_AT || !made[operands[i]]) continue;
            step[n++] = made[operands[i]];
            made[operands[i]] = 0;
        }
        if (steps[k].op != LEVY_SCRIPT_WHERE) made[steps[k].to] = 0;
    }
    if (!(block->lower_tail & LEVY_SCRIPT_AT) && made[block->lower_tail])
        step[n++] = made[block->lower_tail];
    return n;
}

/* Lanes that a date of the block saves: its number, and results. */
static inline uint32_t levy_script_lanes_left(const levy_script_program *p,
                                              const levy_script_block *block)
{
    const levy_script_step *step[LEVY_SCRIPT_REGISTERS];
    uint32_t lanes = 1;
    for (uint32_t n = levy_script_leaves(p, block, step); n > 0; --n)
        lanes += !levy_script_runs_again(step[n - 1]);
    return lanes;
}

/* Whether per-segment steps read no per-path value except results of the first steps. */
static inline bool levy_script_may_postpone(const levy_script_program *p)
{
    bool first[LEVY_SCRIPT_STATES] = {false}; /* states that the first steps write */
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p);
    const levy_script_block *const blocks = LEVY_SCRIPT_PROGRAM_BLOCKS(p);
    if (!p->n_segments || p->n_summed) return false;
    for (uint32_t b = 0; b < p->n_blocks; ++b)
        for (uint32_t k = 0; k < blocks[b].n_before; ++k)
            if (steps[blocks[b].first + k].to < p->n_states)
                first[steps[blocks[b].first + k].to] = true;
    for (uint32_t b = 0; b < p->n_blocks; ++b)
        for (uint32_t k = blocks[b].n_before; k < blocks[b].n + blocks[b].n_lower_tail; ++k) {
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
