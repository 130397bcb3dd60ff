/* form.h: the values of an integrated program: each is alpha + sum of beta_j x level_j, where
 * alphas and betas are operands that do not depend on the normal z within a segment, and a level is
 * that of one asset, or the worst or the best of some, or the sum of levels so far. Must not know:
 * statements, blocks. */
#ifndef LEVY_SCRIPT_FORM_H
#define LEVY_SCRIPT_FORM_H

#include "engine/script/emit.h"

enum {
    FORM_COLUMNS = 8, /* the most levels that the values of a script are multiples of */
    FORM_LEVELS = 64, /* the most levels */
    FORM_ASSETS = LEVY_SCRIPT_PAIR /* the most assets */
};

/* The worst or the best of the assets whose bits are set; without a bit, the sum of levels. */
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

/* Of a value that is times x level + plus, or the greater of that and another number; the same on
 * all segments. Operands. */
typedef struct form_part {
    bool is;    /* else nothing here holds */
    bool steep; /* `times` is made of numbers by date */
    bool cut;   /* it is the greater one, which changes at a normal */
    uint32_t asset, times, plus, other, at;
} form_part;

typedef struct script_form {
    bool rough;     /* it is something else, which nothing may use */
    bool paid;      /* what has been paid comes to it */
    bool split;     /* segments decide it */
    bool moves;     /* a comparison with what segments decide does: each segment may be cut */
    uint32_t level; /* not 0: it is this level alone, and has no column yet */
    uint32_t alpha, beta[FORM_COLUMNS];
    uint64_t reads; /* bits of states that it is made of */
    form_turn turn;
    /* Numbers by date have part in it, or in the multipliers of levels. */
    bool dated, steep;
    /* Of the sum of levels: 1 + how often the block had added to it when it was this value, 0: it
     * was not; the same where `part` was added to make this value. */
    uint32_t sum, grown;
    form_part part;
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
    uint32_t summed; /* the state that adds up levels (payoffs/sums.h); 0: none does */
    uint32_t added;  /* how often the block has added to it so far */
    uint32_t adders; /* the same of all blocks; */
    bool scaled;     /* with a multiplier, whose sign is not known */
    /* the loadings differ from path to path; then operands of the block: 1 / b and exp(b^2 / 2) of
     * each asset, 0: none so far */
    bool by_path;
    uint32_t inverse[FORM_ASSETS], growth[FORM_ASSETS];
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
/* The level's column, alone. */
script_form levy_form_level(integrator *s, form_level level);
/* Whether 0 >= at, as an operand; strict: 0 > at. */
uint32_t levy_form_is_below(integrator *s, bool strict, uint32_t at);
/* a x b, where constants 0 and 1 of the integrator's own need no step. */
uint32_t levy_form_multiply(integrator *s, uint32_t a, uint32_t b);
/* The logarithm of an asset's level is a + b z: b, 1 / b and exp(b^2 / 2), as operands. */
uint32_t levy_form_loading(integrator *s, uint32_t asset);
uint32_t levy_form_inverse(integrator *s, uint32_t asset);
uint32_t levy_form_growth(integrator *s, uint32_t asset);
/* A number of the step's schedule. */
uint32_t levy_form_term(integrator *s, levy_script_term_kind kind, size_t parameter);
uint32_t levy_form_emit(integrator *s, levy_script_op op, uint32_t a, uint32_t b, uint32_t c);
uint32_t levy_form_not(integrator *s, uint32_t condition);

#endif
