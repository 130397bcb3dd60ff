/* form.h: the values of an integrated program: each is alpha + sum of beta_j x level_j, where
 * alphas and betas are operands that do not depend on the normal z within a segment, and a level is
 * that of one asset, or the worst or the best of some. Must not know: statements, blocks. */
#ifndef LEVY_SCRIPT_FORM_H
#define LEVY_SCRIPT_FORM_H

#include "engine/script/emit.h"

enum {
    FORM_COLUMNS = 8, /* the most levels that the values of a script are multiples of */
    FORM_LEVELS = 64, /* the most levels */
    FORM_ASSETS = LEVY_SCRIPT_PAIR /* the most assets */
};

/* The worst or the best of the assets whose bits are set. */
typedef struct form_level {
    bool best;
    uint32_t assets;
} form_level;

/* Of a condition that is a half-line of z, the same on all segments: multiplier x level >= number,
 * or not. Operands. */
typedef struct form_turn {
    bool is;           /* else nothing here holds */
    bool inverted;     /* it is the contrary */
    uint32_t beta, at; /* the multiplier; the normal at which the condition changes */
    uint32_t flat;     /* whether it holds where the multiplier is 0; none where beta is `one` */
} form_turn;

typedef struct script_form {
    bool rough;     /* it is something else, which nothing may use */
    bool paid;      /* what has been paid comes to it */
    bool split;     /* segments decide it */
    bool moves;     /* a comparison with what segments decide does: each segment may be cut */
    uint32_t level; /* not 0: it is this level alone, and has no column yet */
    uint32_t alpha, beta[FORM_COLUMNS];
    uint64_t reads; /* bits of states that it is made of */
    form_turn turn;
} script_form;

typedef struct integrator {
    emitter e;
    form_level levels[FORM_LEVELS]; /* [0] is not used */
    uint32_t n_levels;
    uint32_t columns[FORM_COLUMNS], n_columns; /* levels */
    uint32_t zero, one, far, minus_far;        /* constants */
    uint32_t somewhere;                        /* a constant 1: what only latches know */
    uint32_t low, high, below; /* states: a segment's ends, and the chance below the first */
    uint64_t decided;          /* bits of states that segments decide, as the last walk has found */
    uint32_t schedule, where;  /* of the step */
    uint32_t alive;  /* the state that is 1 on all segments on which a block runs; 0: none is */
    bool always;     /* the step runs on all segments */
    bool latched;    /* what the step compares sets latches alone: it cuts no segment */
    const char *why; /* it cannot be integrated; NULL: so far it can */
} integrator;

script_form levy_form_number(const integrator *s, uint32_t operand);
script_form levy_form_asset(integrator *s, uint32_t asset);
/* Whether steps where `where` holds run on all segments. One that has ended needs none. */
bool levy_form_is_always(const integrator *s, uint32_t where);
bool levy_form_is_number(const integrator *s, const script_form *f);
/* A step's value. */
script_form levy_form_apply(integrator *s, levy_script_op op, const script_form *a,
                            const script_form *b, const script_form *c);
/* The level of a column times a density, over the segment: an operand. */
uint32_t levy_form_worth(integrator *s, uint32_t column);
uint32_t levy_form_emit(integrator *s, levy_script_op op, uint32_t a, uint32_t b, uint32_t c);

#endif
