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
    LEVY_SCRIPT_SUMMED = 128,    /* the most dates of a sum of levels */
    LEVY_SCRIPT_CUTS = 4 /* the most SPLITs of a block whose segments wait (segments_stack.h) */
};

/* What an operand names: a register, or without a step of its own a constant, a term of the node or
 * a level, each by its number. In an integrated program, level n_assets + a is the logarithm of
 * the gross return of asset a, and level 2 n_assets + a what the integrated normal moves of it,
 * where that differs from path to path. */
enum {
    LEVY_SCRIPT_AT_CONSTANT = 0x4000,
    LEVY_SCRIPT_AT_TERM = 0x8000,
    LEVY_SCRIPT_AT_LEVEL = 0xc000,
    LEVY_SCRIPT_AT = 0xc000,     /* the bits that say which; none: a register */
    LEVY_SCRIPT_NO_LOW = 0xffff, /* of a block's `low` */
    LEVY_SCRIPT_LEVELS = 3       /* kinds of levels that an asset has in an integrated program */
};

/* What a step does to register `to`, for each path. A condition is 1 or 0. Registers beside the
 * states hold nothing when a block begins. `a`, `b` and `c` are operands, but for the first three
 * steps, whose `a` is a number, and the last. */
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
    /* Is the segment above a? Where a lies inside and b is not 0, the segment ends at a, so that it
     * is below, and what lies above runs the block by itself. */
    LEVY_SCRIPT_SPLIT,
    /* Of the program's sum of levels, a function of z (payoffs/sums.h). SUM_AT: what the next
     * SUM_ADD adds changes at z = a; loading b, and c = e^(b^2/2). SUM_ADD: on one side it adds
     * a e^(loading z) + b, and c on the other. */
    LEVY_SCRIPT_SUM_AT,
    LEVY_SCRIPT_SUM_ADD,
    LEVY_SCRIPT_SUM_ROOT,  /* the z that parts sums below a from others; b: from greater ones */
    LEVY_SCRIPT_SUM_SIGN,  /* of the sum's slope: 1 or -1; of no operand */
    LEVY_SCRIPT_SUM_WORTH, /* the sum as before the block, times z's density, over [a, b] */
    /* Not a value: where a is 0 on all paths of the lane, the next b steps may be left out. They
     * change no state of a path on which a is 0, and what they leave in other registers is read by
     * none but them. They lie in the same block, and in the steps of an enclosing WHERE. */
    LEVY_SCRIPT_WHERE,
    LEVY_SCRIPT_OPS
} levy_script_op;

/* How many of a step's a, b, c are operands, the first ones. */
static inline uint32_t levy_script_operands(uint32_t op)
{
    if (op <= LEVY_SCRIPT_LEVEL || op == LEVY_SCRIPT_SUM_SIGN || op >= LEVY_SCRIPT_OPS) return 0;
    if (op == LEVY_SCRIPT_SELECT || op == LEVY_SCRIPT_SUM_AT || op == LEVY_SCRIPT_SUM_ADD) return 3;
    if (op == LEVY_SCRIPT_MOVE || op == LEVY_SCRIPT_NOT || op == LEVY_SCRIPT_WHERE ||
        (op >= LEVY_SCRIPT_MAGNITUDE && op <= LEVY_SCRIPT_BELOW))
        return 1;
    return 2;
}

/* Is the operand a constant or a term, which no path changes? */
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
 * the blocks run in their order. The first n_before steps of an integrated block are the same for
 * all segments: they run once, before these. Segments that end at the normal `low`, an operand, or
 * below run the n_low steps behind the n in place of the others, and set states of their own alone
 * (LEVY_SCRIPT_NO_LOW: none do). */
typedef struct levy_script_block {
    uint32_t schedule, first, n, n_before; /* the schedule's number; steps */
    uint32_t low, n_low;
} levy_script_block;

/* A program, followed by its blocks and its steps. The states of a path start at the item's first
 * n_states constants. State 0 holds what has been paid, in money of the trade's payment date. An
 * item settles on one state: the upper 16 bits of its `variant`; the lower ones are the program's
 * number in the image. */
typedef struct levy_script_program {
    uint32_t bytes; /* with blocks and steps, a multiple of 8 */
    uint32_t n_states, n_registers, n_constants, n_terms, n_blocks, n_steps;
    uint32_t n_assets; /* 1 + the largest number of an asset that a step reads */
    /* Of an integrated program (integrate.h), else 0: the most segments of a path, the most SPLITs
     * of a block, the state that holds a segment's lower end, and the one that is 0 where it is
     * over (0: none is). States 1 to `low` + 1 are each segment's own: the last two are its ends,
     * and the two before them the chances of a normal below these; the others are the path's: state
     * `low` + 2 holds what segments that are over leave to the state that the item settles on. A
     * block that ends with its first n_before steps runs on no segment. */
    uint32_t n_segments, n_splits, low, alive;
    uint32_t n_summed; /* the most dates that add to its sum of levels */
    uint32_t n_left;   /* lanes that its dates leave (postpone.h); 0: it is not postponed */
    /* bit k is of state 1 + k, up to the ends of a segment: it differs from segment to segment; and
     * blocks set it, but it is as at the start wherever the script goes on */
    uint64_t own, reset;
} levy_script_program;

/* Lanes that a segment takes: what is its own, and its ends. */
static inline uint32_t levy_script_segment_lanes(const levy_script_program *p)
{
    uint32_t n = 4;
    for (uint64_t own = p->own; own; own &= own - 1) ++n;
    return n;
}

/* Lanes that a date's part of a sum takes. */
enum { LEVY_SCRIPT_SUM_LANES = 6 };

/* Lanes that the segments of a path take (payoffs/segments.h), after those of its sum; 0: the
 * program is not integrated. */
static inline uint32_t levy_script_segments_room(const levy_script_program *p)
{
    if (!p->n_segments) return 0;
    return LEVY_SCRIPT_SUM_LANES * p->n_summed +
           (2 * p->n_segments + p->n_splits) * levy_script_segment_lanes(p);
}

#define LEVY_SCRIPT_PROGRAM_BLOCKS(p) ((const levy_script_block *)((p) + 1))
#define LEVY_SCRIPT_PROGRAM_STEPS(p)                                                               \
    ((const levy_script_step *)(LEVY_SCRIPT_PROGRAM_BLOCKS(p) + (p)->n_blocks))

#endif
