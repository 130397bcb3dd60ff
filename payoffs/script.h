/* script.h: lanes of what has a program (engine/script/program.h): the steps as functions of lanes,
 * and what runs them. A CPU interprets a program, one lane of paths at a time, from a copy that the
 * backend has prepared (kernels/cpu/cpu_scripts.h): operands are places in a frame of lanes, the
 * states first. A GPU's kernel has the steps as text behind this header
 * (kernels/cuda/compile/scripts.c), with the same functions in the same order. Terms: the item's
 * constants. Variant: the program's number, and 16 bits higher the state that it settles on. Lanes
 * only. Must not know: the script's text. */
#ifndef LEVY_PAYOFFS_SCRIPT_H
#define LEVY_PAYOFFS_SCRIPT_H

#include "engine/script/program.h"
#include "kernels/lane/maths.h"
#include "payoffs/european.h"
#include "payoffs/seen.h"

enum {
    SCRIPT_STATE = 16,
    SCRIPT_NUMBER = 0xffff
}; /* where the variant has the one and the other */

/* The steps that make a value of one, two and three operands. */
#define SCRIPT_OF_ONE(STEP)                                                                        \
    STEP(MOVE, a)                                                                                  \
    STEP(MAGNITUDE, lane_abs(a))                                                                   \
    STEP(ROOT, lane_sqrt(lane_max(a, lane_of(R(0.0)))))                                            \
    STEP(EXP, lane_exp(a))                                                                         \
    STEP(LOG, lane_log(lane_max(a, lane_of(R(1e-30)))))                                            \
    STEP(NOT, R(1.0) - a)
#define SCRIPT_OF_TWO(STEP)                                                                        \
    STEP(ADD, a + b)                                                                               \
    STEP(SUBTRACT, a - b)                                                                          \
    STEP(MULTIPLY, a *b)                                                                           \
    STEP(DIVIDE, a / b)                                                                            \
    STEP(LEAST, lane_min(b, a))                                                                    \
    STEP(GREATEST, lane_max(b, a))                                                                 \
    STEP(LESS, script_condition(a < b))                                                            \
    STEP(NOT_ABOVE, script_condition(a <= b))                                                      \
    STEP(EQUAL, script_condition(a == b))                                                          \
    STEP(AND, a *b)                                                                                \
    STEP(OR, lane_max(b, a))
#define SCRIPT_OF_THREE(STEP) STEP(SELECT, lane_select(a != R(0.0), b, c))

LANE_FN lane script_condition(lane_mask is)
{
    return lane_select(is, lane_of(R(1.0)), lane_of(R(0.0)));
}

#define SCRIPT_STEP(NAME, value)                                                                   \
    LANE_FN lane script_##NAME(lane a) { return value; }
SCRIPT_OF_ONE(SCRIPT_STEP)
#undef SCRIPT_STEP
#define SCRIPT_STEP(NAME, value)                                                                   \
    LANE_FN lane script_##NAME(lane a, lane b) { return value; }
SCRIPT_OF_TWO(SCRIPT_STEP)
#undef SCRIPT_STEP
#define SCRIPT_STEP(NAME, value)                                                                   \
    LANE_FN lane script_##NAME(lane a, lane b, lane c) { return value; }
SCRIPT_OF_THREE(SCRIPT_STEP)
#undef SCRIPT_STEP

/* Is the condition true of a path of the lane? */
LANE_FN int script_WHERE(lane a) { return lane_any(a != R(0.0)); }
LANE_FN lane script_LEVEL(const payoff_seen *seen, uint32_t a)
{
    return seen->gross[a] * seen->weights[a];
}

#define script_is_plain payoff_never_plain
#define script_observe_plain payoff_keeps_state

LANE_FN lane script_settle(uint32_t variant, const real *terms, const lane *state, lane x)
{
    (void)terms, (void)x;
    return state[variant >> SCRIPT_STATE];
}

#if !LANE_GPU

enum { SCRIPT_END = LEVY_SCRIPT_OPS }; /* a step: the block is over */

/* A step as it is interpreted. `to` and operands are byte offsets in the frame; where the program
 * has a number, it is that. */
typedef struct script_step {
    uint32_t op, to, a, b, c;
} script_step;

/* A program as it is interpreted. A block loads the terms and levels that it names, runs, and ends.
 */
typedef struct script_code {
    uint32_t n_blocks, n_states, constants; /* the first constant's place in the frame, in lanes */
    uint32_t events[LEVY_SCRIPT_BLOCKS];    /* the bit of the block's schedule */
    const script_step *first[LEVY_SCRIPT_BLOCKS];
} script_code;

#define SCRIPT_AT(offset) (*(lane *)(void *)((char *)frame + (offset)))

PAYOFF_NOINLINE void script_run(const script_step *step, const real *node_terms,
                                const payoff_seen *seen, lane *frame)
{
    for (;; ++step) switch (step->op) {
        case LEVY_SCRIPT_TERM:
            SCRIPT_AT(step->to) = lane_of(node_terms[step->a]);
            break;
        case LEVY_SCRIPT_LEVEL:
            SCRIPT_AT(step->to) = script_LEVEL(seen, step->a);
            break;
#define SCRIPT_STEP(NAME, value)                                                                   \
    case LEVY_SCRIPT_##NAME:                                                                       \
        SCRIPT_AT(step->to) = script_##NAME(SCRIPT_AT(step->a));                                   \
        break;
            SCRIPT_OF_ONE(SCRIPT_STEP)
#undef SCRIPT_STEP
#define SCRIPT_STEP(NAME, value)                                                                   \
    case LEVY_SCRIPT_##NAME:                                                                       \
        SCRIPT_AT(step->to) = script_##NAME(SCRIPT_AT(step->a), SCRIPT_AT(step->b));               \
        break;
            SCRIPT_OF_TWO(SCRIPT_STEP)
#undef SCRIPT_STEP
#define SCRIPT_STEP(NAME, value)                                                                   \
    case LEVY_SCRIPT_##NAME:                                                                       \
        SCRIPT_AT(step->to) =                                                                      \
            script_##NAME(SCRIPT_AT(step->a), SCRIPT_AT(step->b), SCRIPT_AT(step->c));             \
        break;
            SCRIPT_OF_THREE(SCRIPT_STEP)
#undef SCRIPT_STEP
        case LEVY_SCRIPT_WHERE:
            if (!script_WHERE(SCRIPT_AT(step->a))) step += step->b;
            break;
        default:
            return;
        }
}

/* The states of a path at its start. */
LANE_FN void script_start(const script_code *code, lane *frame)
{
    for (uint32_t k = 0; k < code->n_states; ++k) frame[k] = frame[code->constants + k];
}

LANE_FN void script_interpret(const script_code *code, const real *node_terms,
                              const payoff_seen *seen, lane *frame)
{
    for (uint32_t k = 0; k < code->n_blocks; ++k)
        if (seen->events & code->events[k]) script_run(code->first[k], node_terms, seen, frame);
}

#define script_observe payoff_no_observe /* the path loop interprets by itself */

#endif
#endif
