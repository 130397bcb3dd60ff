/* script.h: lanes of what has a program (engine/script/program.h): the steps as functions of lanes,
 * and what runs them. A CPU interprets a program, one lane of paths at a time, from a copy that the
 * backend has prepared (kernels/cpu/cpu_scripts.h): operands are places in a frame of lanes, the
 * states first. A GPU's kernel has the steps as text behind this header
 * (kernels/cuda/compile/scripts_text.c), with the same functions in the same order. Terms: the
 * item's constants. Variant: the program's number, and 16 bits higher the state that it settles on.
 * Lanes only. Must not know: the script's text. */
#ifndef LEVY_PAYOFFS_SCRIPT_H
#define LEVY_PAYOFFS_SCRIPT_H

#include "engine/script/program.h"
#include "kernels/lane/maths.h"
#include "payoffs/dividends.h"
#include "payoffs/european.h"
#include "payoffs/seen.h"
#include "payoffs/segments.h"
#include "payoffs/segments_later.h"
#include "payoffs/segments_stack.h"
#include "payoffs/sums.h"

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
    STEP(BELOW, integral_below(a))                                                                 \
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
    STEP(OR, lane_max(b, a))                                                                       \
    STEP(MASS, script_mass(a, b))
#define SCRIPT_OF_THREE(STEP) STEP(SELECT, lane_select(a != R(0.0), b, c))

LANE_FN lane script_mass(lane a, lane b)
{
    const integral_range range = {a, b};
    return integral_mass(range);
}

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

/* What path_log's unit is in natural logarithms. */
#define SCRIPT_LOG_UNIT LANE_PICK(R(1.0), R(0.69314718055994531))

/* The natural logarithm of asset a's gross return. */
LANE_FN lane script_LOG_RETURN(const payoff_seen *seen, uint32_t a)
{
    return seen->logs[a] * SCRIPT_LOG_UNIT;
}

/* What the integrated normal moves of it. */
LANE_FN lane script_SLOPE(const payoff_seen *seen, uint32_t a)
{
    return seen->slopes[a] * SCRIPT_LOG_UNIT;
}

/* Asset a's variance in a year, and its integral since today. */
LANE_FN lane script_VARIANCE(const payoff_seen *seen, uint32_t a)
{
    return lane_max(seen->variances[a], lane_of(R(0.0)));
}
LANE_FN lane script_INTEGRAL(const payoff_seen *seen, uint32_t a) { return seen->integrals[a]; }

LANE_FN lane script_settle(uint32_t variant, const real *terms, const lane *state, const lane *kept,
                           lane x)
{
    (void)kept;
    (void)terms, (void)x;
    return state[variant >> SCRIPT_STATE];
}

#if !LANE_GPU

enum { SCRIPT_END = LEVY_SCRIPT_OPS }; /* a step: the block is over */

/* A step as it is interpreted: byte offsets in the frame. Of a WHERE `b` is the program's. */
typedef struct script_step {
    uint32_t op, to, a, b, c;
} script_step;

/* A program as it is interpreted. Places in the frame are in lanes. */
typedef struct script_code {
    uint32_t n_blocks, n_states, n_terms, n_assets;
    segments_of of; /* but for the state that the item settles on; most 0: no segments */
    uint32_t constants, terms, levels; /* the places of the first ones */
    uint32_t sees_variances;
    uint32_t events[LEVY_SCRIPT_BLOCKS]; /* the bit of the block's schedule */
    /* each ends with a step; of an integrated program what runs before the segments, and on each */
    const script_step *before[LEVY_SCRIPT_BLOCKS], *first[LEVY_SCRIPT_BLOCKS];
} script_code;

/* The steps of a sum of levels, and of dividends. */
#define SCRIPT_OF_SUMS(STEP)                                                                       \
    STEP(SUM_AT,                                                                                   \
         sums_at(&segments->sum, SCRIPT_AT(step->a), SCRIPT_AT(step->b), SCRIPT_AT(step->c)))      \
    STEP(SUM_ADD,                                                                                  \
         sums_add(&segments->sum, SCRIPT_AT(step->a), SCRIPT_AT(step->b), SCRIPT_AT(step->c)))     \
    STEP(SUM_ROOT, sums_root(&segments->sum, SCRIPT_AT(step->a), SCRIPT_AT(step->b)))              \
    STEP(SUM_SIGN, sums_sign(&segments->sum))                                                      \
    STEP(SUM_WORTH, sums_worth(&segments->sum, SCRIPT_AT(step->a), SCRIPT_AT(step->b)))            \
    STEP(CASH_PAY, dividends_pay(&segments->sum, SCRIPT_AT(step->a), SCRIPT_AT(step->b)))          \
    STEP(CASH_ROOT, dividends_root(&segments->sum, SCRIPT_AT(step->a), SCRIPT_AT(step->b)))        \
    STEP(CASH_WORTH, dividends_worth(&segments->sum, SCRIPT_AT(step->a), SCRIPT_AT(step->b),       \
                                     SCRIPT_AT(step->c)))

/* A jump at the end of each step, which a processor foretells by the step: a third faster than a
 * loop around a switch. */
#define SCRIPT_AT(offset) (*(lane *)(void *)((char *)frame + (offset)))
/* The assembly is empty, but another one for each step, so that a compiler does not make one jump
 * of several. */
#define SCRIPT_NEXT(NAME)                                                                          \
    ++step;                                                                                        \
    __asm__ volatile("" : : "i"(LEVY_SCRIPT_##NAME));                                              \
    goto *labels[step->op]

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" /* labels as values */
PAYOFF_NOINLINE void script_run(const script_step *step, lane *frame, script_segments *segments)
{
    static const void *const labels[LEVY_SCRIPT_OPS + 1] = {
#define SCRIPT_STEP(NAME, value) [LEVY_SCRIPT_##NAME] = &&do_##NAME,
        SCRIPT_OF_ONE(SCRIPT_STEP) SCRIPT_OF_TWO(SCRIPT_STEP) SCRIPT_OF_THREE(SCRIPT_STEP)
#undef SCRIPT_STEP
            [LEVY_SCRIPT_WHERE] = &&do_WHERE,
        [LEVY_SCRIPT_SPLIT] = &&do_SPLIT, [SCRIPT_END] = &&do_END,
#define SCRIPT_STEP(NAME, call) [LEVY_SCRIPT_##NAME] = &&do_##NAME,
        SCRIPT_OF_SUMS(SCRIPT_STEP)
#undef SCRIPT_STEP
    };
    goto *labels[step->op];
#define SCRIPT_STEP(NAME, value)                                                                   \
    do_##NAME : SCRIPT_AT(step->to) = script_##NAME(SCRIPT_AT(step->a));                           \
    SCRIPT_NEXT(NAME);
    SCRIPT_OF_ONE(SCRIPT_STEP)
#undef SCRIPT_STEP
#define SCRIPT_STEP(NAME, value)                                                                   \
    do_##NAME : SCRIPT_AT(step->to) = script_##NAME(SCRIPT_AT(step->a), SCRIPT_AT(step->b));       \
    SCRIPT_NEXT(NAME);
    SCRIPT_OF_TWO(SCRIPT_STEP)
#undef SCRIPT_STEP
#define SCRIPT_STEP(NAME, value)                                                                   \
    do_##NAME : SCRIPT_AT(step->to) =                                                              \
                    script_##NAME(SCRIPT_AT(step->a), SCRIPT_AT(step->b), SCRIPT_AT(step->c));     \
    SCRIPT_NEXT(NAME);
    SCRIPT_OF_THREE(SCRIPT_STEP)
#undef SCRIPT_STEP
do_WHERE:
    if (!script_WHERE(SCRIPT_AT(step->a))) step += step->b;
    SCRIPT_NEXT(WHERE);
do_SPLIT:
    SCRIPT_AT(step->to) =
        segments_split(segments, segments->of, frame, SCRIPT_AT(step->a), SCRIPT_AT(step->b));
    SCRIPT_NEXT(SPLIT);
#define SCRIPT_STEP(NAME, call)                                                                    \
    do_##NAME : SCRIPT_AT(step->to) = call;                                                        \
    SCRIPT_NEXT(NAME);
    SCRIPT_OF_SUMS(SCRIPT_STEP)
#undef SCRIPT_STEP
do_END:
    return;
}
#pragma GCC diagnostic pop
#undef SCRIPT_NEXT
#undef SCRIPT_AT

/* The states of a path at its start. settles: the state that the item settles on. */
LANE_FN void script_start(const script_code *code, uint32_t settles, lane *frame,
                          script_segments *segments)
{
    for (uint32_t k = 0; k < code->n_states; ++k) frame[k] = frame[code->constants + k];
    if (code->of.most == 0) return;
    segments_of of = code->of;
    of.settles = settles;
    lane *const last = frame + code->levels + LEVY_SCRIPT_LEVELS * code->n_assets;
    segments_start(segments, of, last + of.m, last, frame);
}

/* A block on all segments. */
LANE_FN void script_run_segments(const script_code *code, uint32_t k, lane *frame,
                                 script_segments *segments)
{
    const script_step *const before = code->before[k], *const block = code->first[k];
    const segments_of of = segments->of;
    segments->sum.n_before = segments->sum.n;
    script_run(before, frame, segments);
    if (block->op == SCRIPT_END) return;
    segments_begin(segments);
    while (segments_next(segments, of, frame + code->constants, frame)) {
        script_run(block, frame, segments);
        segments_done(segments, of, frame);
    }
    segments_end(segments, of, frame);
}

PAYOFF_NOINLINE void script_see_variances(const payoff_seen *seen, uint32_t n, lane *levels)
{
    for (uint32_t a = 0; a < n; ++a) {
        levels[n + a] = script_VARIANCE(seen, a);
        levels[2 * n + a] = script_INTEGRAL(seen, a);
    }
}

LANE_FN void script_interpret(const script_code *code, const real *node_terms,
                              const payoff_seen *seen, lane *frame, script_segments *segments)
{
    lane *const levels = frame + code->levels;
    if (code->of.most && segments->n_from == 0) return;
    for (uint32_t k = 0; k < code->n_terms; ++k) frame[code->terms + k] = lane_of(node_terms[k]);
    for (uint32_t a = 0; a < code->n_assets; ++a) levels[a] = script_LEVEL(seen, a);
    for (uint32_t a = 0; code->of.most && a < code->n_assets; ++a)
        levels[code->n_assets + a] = script_LOG_RETURN(seen, a);
    for (uint32_t a = 0; code->of.most && seen->slopes && a < code->n_assets; ++a)
        levels[2 * code->n_assets + a] = script_SLOPE(seen, a);
    if (code->sees_variances) script_see_variances(seen, code->n_assets, levels);
    for (uint32_t k = 0; k < code->n_blocks; ++k) {
        if (!(seen->events & code->events[k])) continue;
        if (code->of.most)
            script_run_segments(code, k, frame, segments);
        else
            script_run(code->first[k], frame, segments);
    }
}

/* A program of an item that counts at some nodes alone settles on payments, which are state 0, or
 * on whether it ended; before that state is the one that says whether it runs. An end elsewhere
 * does not count. */
LANE_FN lane script_ends_here(uint32_t settles, const lane *all, const lane *own)
{
    const lane_mask elsewhere =
        (all[settles - 1] == lane_of(R(0.0))) & (own[settles - 1] != lane_of(R(0.0)));
    return lane_select(elsewhere, lane_of(R(0.0)), own[settles]);
}

/* Takes the states that paths have before a node, but for what the item counts. */
LANE_FN void script_catch_up(const script_code *code, uint32_t settles, const lane *all, lane *own)
{
    const lane counted = settles ? script_ends_here(settles, all, own) : own[0];
    for (uint32_t k = 0; k < code->n_states; ++k) own[k] = all[k];
    own[settles] = counted;
}

LANE_FN lane script_result(const script_code *code, uint32_t settles, const lane *frame,
                           const script_segments *segments)
{
    return code->of.most ? segments_settle(segments, segments->of, frame + code->constants, frame)
                         : frame[settles];
}

#define script_observe payoff_no_observe /* the path loop interprets by itself */

#else

/* What a date of a postponed program leaves (engine/script/postpone.h): its node and block as bits
 * of a number, then lanes. */
enum { SCRIPT_BLOCK = 4 }; /* bits of a block's number */
#define SCRIPT_NEVER 0xffffffffu

LANE_FN lane script_date(uint32_t node, uint32_t block)
{
    return lane_of(lane_one_from_bits(node << SCRIPT_BLOCK | block));
}
LANE_FN lane script_never(void) { return lane_of(lane_one_from_bits(SCRIPT_NEVER)); }
LANE_FN uint32_t script_date_left(lane date)
{
    return (uint32_t)lane_one_as_bits(lane_get(date, 0));
}
LANE_FN void script_leave(script_segments *g, lane what)
{
    *g->left = what;
    g->left += g->left_stride;
}
/* Asks for n lanes of the next date, most likely. Those of one path alone lie near each other. */
LANE_FN void script_ask(const lane *left, uint32_t stride, uint32_t n)
{
    SEGMENTS_UNROLL
    for (uint32_t i = 0; i < n && stride > 1; ++i) lane_prefetch(left + i * stride);
}
/* The next lane that they have left. */
LANE_FN lane script_left(const lane **left, uint32_t stride)
{
    const lane what = **left;
    *left += stride;
    return what;
}

/* How the text of a program names its constants, its numbers at a node, and a SPLIT; that of
 * segments that wait has others. */
#define script_constant(i) lane_of(k[i])
#define script_term(i) lane_of(t[i])
#define script_split segments_split

/* A table of thresholds (kernels/cuda/compile/thresholds.h). */
LANE_FN real script_table_number(lane level, lane weight, real drift, lane inverse)
{
    return lane_get((level - (lane_of(drift * SCRIPT_LOG_UNIT) + weight)) * inverse, 0);
}
LANE_FN void script_table_row(const real *factor, lane inverse, uint32_t n, real *row)
{
    for (uint32_t f = 0; f < n; ++f) row[f] = factor[f] * SCRIPT_LOG_UNIT * lane_get(inverse, 0);
}
LANE_FN lane script_table_sum(const real *row, const lane *driver, uint32_t n)
{
    lane sum = driver[0] * row[0];
    SEGMENTS_UNROLL
    for (uint32_t f = 1; f < n; ++f) sum = lane_fma(lane_of(row[f]), driver[f], sum);
    return sum;
}

#endif
#endif
