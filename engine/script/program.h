/* program.h: a payoff's script as the lanes run it: straight-line steps over numbered registers,
 * one list of steps for each schedule of dates. Plain data, the same on every backend. Must not
 * know: the script's text, paths, trades. */
#ifndef LEVY_SCRIPT_PROGRAM_H
#define LEVY_SCRIPT_PROGRAM_H

#include "kernels/lane/target.h"

#if LANE_GPU_ALONE /* NVRTC has no <stdint.h> of its own */
#include "kernels/lane/lane.h"
#else
#include <stdint.h>
#endif

enum {
    LEVY_SCRIPT_REGISTERS = 256, /* the most; the first ones are states */
    LEVY_SCRIPT_STATES = 64,     /* the most */
    LEVY_SCRIPT_STEPS = 4096,    /* the most */
    LEVY_SCRIPT_TERMS = 2048,    /* the most */
    LEVY_SCRIPT_BLOCKS = 16,     /* the most; of schedules, too */
    LEVY_SCRIPT_SEGMENTS = 512,  /* the most */
    LEVY_SCRIPT_ASSETS = 100,    /* the most: LEVY_MAX_ASSETS */
    LEVY_SCRIPT_SUMMED = 128,    /* the most dates of a sum of levels */
    LEVY_SCRIPT_CUTS = 4 /* the most SPLITs of a block whose segments wait (segments_stack.h) */
};

/* An operand is the number of a register, a constant, a term of the node or a level; its upper bits
 * say which. In an integrated program level n_assets + a is the logarithm of asset a's gross
 * return, and level 2 n_assets + a is that logarithm's loading on the integrated normal, where
 * loadings differ from path to path. In any other program they are asset a's variance in a year,
 * and its integral since today. */
enum {
    LEVY_SCRIPT_AT_CONSTANT = 0x4000,
    LEVY_SCRIPT_AT_TERM = 0x8000,
    LEVY_SCRIPT_AT_LEVEL = 0xc000,
    LEVY_SCRIPT_AT = 0xc000,            /* the bits that say which; none: a register */
    LEVY_SCRIPT_NO_LOWER_TAIL = 0xffff, /* of a block's `lower_tail`: it has none */
    LEVY_SCRIPT_LEVELS = 3              /* kinds of levels that an asset has */
};

/* What a step writes into register `to`, for each path. A condition is 1 or 0. Registers that are
 * not states are undefined at a block's start. `a`, `b` and `c` are operands, except in the first
 * three steps, whose `a` is a plain number, and in WHERE, whose `b` is. */
typedef enum levy_script_op {
    LEVY_SCRIPT_CONSTANT,  /* the item's constant number a: MOVE of it does the same */
    LEVY_SCRIPT_TERM,      /* the item's own number a at the node */
    LEVY_SCRIPT_LEVEL,     /* asset a: its gross return times the item's weight of it */
    LEVY_SCRIPT_MOVE,      /* a */
    LEVY_SCRIPT_ADD,       /* a + b */
    LEVY_SCRIPT_SUBTRACT,  /* a - b */
    LEVY_SCRIPT_MULTIPLY,  /* a * b */
    LEVY_SCRIPT_DIVIDE,    /* a / b */
    LEVY_SCRIPT_LEAST,     /* b if b < a, else a */
    LEVY_SCRIPT_GREATEST,  /* b if b > a, else a */
    LEVY_SCRIPT_MAGNITUDE, /* |a| */
    LEVY_SCRIPT_ROOT,      /* sqrt(a); 0 where a < 0 */
    LEVY_SCRIPT_EXP,       /* e^a */
    LEVY_SCRIPT_LOG,       /* the natural logarithm of max(a, 1e-30) */
    LEVY_SCRIPT_BELOW,     /* the chance of a normal below a */
    LEVY_SCRIPT_LESS,      /* a < b */
    LEVY_SCRIPT_NOT_ABOVE, /* a <= b */
    LEVY_SCRIPT_EQUAL,     /* a == b */
    LEVY_SCRIPT_AND,       /* a and b: a * b */
    LEVY_SCRIPT_OR,        /* a or b: the greater */
    LEVY_SCRIPT_NOT,       /* 1 - a */
    LEVY_SCRIPT_SELECT,    /* a != 0 ? b : c */
    LEVY_SCRIPT_MASS,      /* the chance of a normal in [a, b]; 0 where that is empty */
    /* Whether the segment lies above a. If a is inside the segment and b is not 0, the step splits
     * the segment at a: the block continues on the lower part, with 0, and the upper part is queued
     * and runs the block by itself. */
    LEVY_SCRIPT_SPLIT,
    /* The program's sum of levels is a function of z (payoffs/sums.h). SUM_AT sets up the next
     * SUM_ADD: its term changes at z = a, with loading b and c = e^(b^2/2). SUM_ADD adds a
     * e^(loading z) + b on one side of that z, and c on the other. */
    LEVY_SCRIPT_SUM_AT,
    LEVY_SCRIPT_SUM_ADD,
    LEVY_SCRIPT_SUM_ROOT,  /* the z that parts sums below a from others; b: from greater ones */
    LEVY_SCRIPT_SUM_SIGN,  /* of the sum's slope: 1 or -1; of no operand */
    LEVY_SCRIPT_SUM_WORTH, /* the sum as before the block, times z's density, over [a, b] */
    /* The level pays cash dividends (payoffs/dividends.h); its loading without them is b, in WORTH
     * c. PAY: one takes the share a of it at z = 0. */
    LEVY_SCRIPT_CASH_PAY,
    LEVY_SCRIPT_CASH_ROOT,  /* the z at which it is e^a times its value at 0 without dividends */
    LEVY_SCRIPT_CASH_WORTH, /* it over that value, times z's density, over [a, b] */
    /* Writes no register: if a is 0 on all paths of the lane, the next b steps may be skipped.
     * These steps change no state of a path on which a is 0, and only they read the other registers
     * that they write. They lie in the same block, and within an enclosing WHERE. */
    LEVY_SCRIPT_WHERE,
    LEVY_SCRIPT_OPS
} levy_script_op;

/* How many of a step's a, b, c are operands: the first so many. */
static inline uint32_t levy_script_operands(uint32_t op)
{
    if (op <= LEVY_SCRIPT_LEVEL || op == LEVY_SCRIPT_SUM_SIGN || op >= LEVY_SCRIPT_OPS) return 0;
    if (op == LEVY_SCRIPT_SELECT || op == LEVY_SCRIPT_SUM_AT || op == LEVY_SCRIPT_SUM_ADD ||
        op == LEVY_SCRIPT_CASH_WORTH)
        return 3;
    if (op == LEVY_SCRIPT_MOVE || op == LEVY_SCRIPT_NOT || op == LEVY_SCRIPT_WHERE ||
        (op >= LEVY_SCRIPT_MAGNITUDE && op <= LEVY_SCRIPT_BELOW))
        return 1;
    return 2;
}

/* Whether the operand is a constant or a term, and so the same on all paths. */
static inline int levy_script_is_number(uint32_t operand)
{
    const uint32_t at = operand & LEVY_SCRIPT_AT;
    return at == LEVY_SCRIPT_AT_CONSTANT || at == LEVY_SCRIPT_AT_TERM;
}

typedef struct levy_script_step {
    uint8_t op, to;
    uint16_t a, b, c;
} levy_script_step;

/* The steps that run at the dates of one of the trade's schedules. At a date of several schedules
 * the blocks run in their order. In an integrated program the first n_before steps give the same on
 * all segments: they run once a date, before the others. A segment that ends at or below the normal
 * `lower_tail` (an operand; LEVY_SCRIPT_NO_LOWER_TAIL: there is none) runs the n_lower_tail steps
 * that follow the block's n, in place of steps n_before to n. These write per-segment states only.
 */
typedef struct levy_script_block {
    uint32_t schedule, first, n, n_before; /* the schedule's number; steps */
    uint32_t lower_tail, n_lower_tail;
} levy_script_block;

/* A program; its blocks and its steps follow it in memory. The states of a path start at the item's
 * first n_states constants. State 0 accumulates payments, in money of the trade's payment date. The
 * upper 16 bits of an item's `variant` are the state that it settles on, the lower ones the
 * program's number in the image. */
typedef struct levy_script_program {
    uint32_t bytes; /* with blocks and steps, a multiple of 8 */
    uint32_t n_states, n_registers, n_constants, n_terms, n_blocks, n_steps;
    uint32_t n_assets; /* 1 + the largest number of an asset that a step reads */
    /* Of an integrated program (integrate.h), else 0: the most segments of a path, the most SPLITs
     * of a block, the state that holds a segment's lower end, and the state that is 0 on a segment
     * whose trade has ended (0: there is none). Per-segment states: [1, low + 1]. The last four of
     * them are Phi(lower end), Phi(upper end), lower end and upper end. States from low + 2 on are
     * per path; state low + 2 accumulates what closed segments contribute to the state that the
     * item settles on. A block of n_before steps runs on no segment. */
    uint32_t n_segments, n_splits, low, alive;
    uint32_t n_summed; /* the most dates that add to its sum of levels, or that pay cash */
    uint32_t n_left; /* lanes that its dates save for later (postpone.h); 0: it is not postponed */
    /* Bit k is of per-segment state 1 + k, below the last four. own: it differs between live
     * segments. reset: blocks write it, and on a live segment it has its initial value at
     * every block's start. */
    uint64_t own, reset;
} levy_script_program;

#define LEVY_SCRIPT_PROGRAM_BLOCKS(p) ((const levy_script_block *)((p) + 1))
#define LEVY_SCRIPT_PROGRAM_STEPS(p)                                                               \
    ((const levy_script_step *)(LEVY_SCRIPT_PROGRAM_BLOCKS(p) + (p)->n_blocks))

/* Whether a program that is not integrated reads variances or their integrals. */
static inline int levy_script_sees_variances(const levy_script_program *p)
{
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p);
    for (uint32_t k = 0; !p->n_segments && k < p->n_steps; ++k) {
        const uint32_t operands[] = {steps[k].a, steps[k].b, steps[k].c};
        for (uint32_t i = 0; i < levy_script_operands(steps[k].op); ++i)
            if (operands[i] >= LEVY_SCRIPT_AT_LEVEL + p->n_assets) return 1;
    }
    return 0;
}

/* Lanes that a segment takes: its own states, its ends, and Phi of both. */
static inline uint32_t levy_script_segment_lanes(const levy_script_program *p)
{
    uint32_t n = 4;
    for (uint64_t own = p->own; own; own &= own - 1) ++n;
    return n;
}

/* Lanes that one date's term of a sum takes. */
enum { LEVY_SCRIPT_SUM_LANES = 6 };

/* Lanes that a path's sum and, after it, its segments take (payoffs/segments.h); 0: the program is
 * not integrated. */
static inline uint32_t levy_script_segments_room(const levy_script_program *p)
{
    if (!p->n_segments) return 0;
    return LEVY_SCRIPT_SUM_LANES * p->n_summed +
           (2 * p->n_segments + p->n_splits) * levy_script_segment_lanes(p);
}

#endif
