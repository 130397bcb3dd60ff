/* form.h: the values of an integrated program. Each is alpha + sum of beta_j x level_j. Alphas and
 * betas are operands that are constant in the normal z on a segment; a level is one asset's, the
 * worst or the best of several, or the running sum of levels. Must not know: statements, blocks. */
#ifndef LEVY_SCRIPT_FORM_H
#define LEVY_SCRIPT_FORM_H

#include "engine/script/emit.h"

enum {
    FORM_COLUMNS = 8, /* the most levels that the values of a script are multiples of */
    FORM_LEVELS = 64, /* the most levels */
    FORM_ASSETS = LEVY_SCRIPT_PAIR /* the most assets */
};

/* The worst or the best of the assets whose bits are set; no bit: the running sum of levels. */
typedef struct form_level {
    bool best;
    uint32_t assets;
} form_level;

/* A condition that is a half-line of z, the same on all segments: multiplier x level >= number, or
 * its contrary. The numbers are operands. */
typedef struct form_turn {
    bool is;           /* false: the other members are not set */
    bool inverted;     /* the contrary of the condition */
    uint32_t beta, at; /* the multiplier; the z at which the condition changes */
    uint32_t flat;     /* the condition's value if the multiplier is 0 (unused if beta == one) */
} form_turn;

/* A value `times` x level + `plus`, or the greater of that and the number `other`; the same on all
 * segments. The numbers are operands. */
typedef struct form_part {
    bool is;    /* false: the other members are not set */
    bool steep; /* `times` depends on the date */
    bool cut;   /* the greater of the two: it switches at the normal `at` */
    uint32_t asset, times, plus, other, at;
} form_part;

typedef struct script_form {
    bool rough; /* not of this form: no step may read it */
    bool paid;  /* payments enter it */
    bool split; /* it differs from segment to segment */
    bool moves; /* it depends on a comparison with a per-segment value, which may cut any segment */
    uint32_t level; /* not 0: it is this level, which has no column yet */
    uint32_t alpha, beta[FORM_COLUMNS];
    uint64_t reads; /* bits of the states that it reads */
    form_turn turn;
    /* It, or its multipliers of levels, depends on the date. */
    bool dated, steep;
    /* sum: 1 + the number of terms that the block had added to the running sum when the sum was
     * this value; 0: it never was. grown: the same of the sum before `part` was added to it. */
    uint32_t sum, grown;
    form_part part;
} script_form;

typedef struct integrator {
    emitter e;
    form_level levels[FORM_LEVELS]; /* [0] is not used */
    uint32_t n_levels;
    uint32_t columns[FORM_COLUMNS], n_columns; /* levels */
    uint32_t zero, one, far, minus_far;        /* constants */
    uint32_t somewhere;        /* a constant 1 that marks conditions which only latches read */
    uint32_t low, high, below; /* states: a segment's ends, and Phi of its lower end */
    /* bits of the states that the previous walk found to differ from segment to segment */
    uint64_t decided;
    uint32_t schedule, where; /* of the current step */
    uint32_t alive;           /* the state that is 1 on every live segment; 0: there is none */
    bool always;              /* the step runs on all segments */
    bool latched;             /* the current comparison only sets latches: it cuts no segment */
    uint32_t summed;          /* the state that sums levels (payoffs/sums.h); 0: there is none */
    uint32_t added;           /* terms that the block has added so far */
    uint32_t adders;          /* terms of all blocks; */
    bool scaled;              /* with a multiplier of unknown sign */
    bool pays;                /* the level pays cash dividends (payoffs/dividends.h) */
    /* Loadings b differ from path to path. Then the block's operands 1 / b and exp(b^2 / 2) of each
     * asset; 0: not computed yet. */
    bool by_path;
    uint32_t inverse[FORM_ASSETS], growth[FORM_ASSETS];
    const char *why; /* why the script cannot be integrated; NULL: so far it can */
} integrator;

script_form levy_form_number(const integrator *s, uint32_t operand);
script_form levy_form_asset(integrator *s, uint32_t asset);
/* Whether steps under the condition `where` run on all live segments. */
bool levy_form_is_always(const integrator *s, uint32_t where);
bool levy_form_is_number(const integrator *s, const script_form *f);
/* The value of a step. */
script_form levy_form_apply(integrator *s, levy_script_op op, const script_form *a,
                            const script_form *b, const script_form *c);
/* The integral of a column's level times the normal density over the segment: an operand. */
uint32_t levy_form_worth(integrator *s, uint32_t column);
/* The value 1 x that level. */
script_form levy_form_level(integrator *s, form_level level);
/* 0 >= at, or 0 > at if strict: an operand. */
uint32_t levy_form_is_below(integrator *s, bool strict, uint32_t at);
/* a x b; the integrator's own constants 0 and 1 take no step. */
uint32_t levy_form_multiply(integrator *s, uint32_t a, uint32_t b);
/* The logarithm of an asset's level is a + b z. Operands: b, 1 / b and exp(b^2 / 2). */
uint32_t levy_form_loading(integrator *s, uint32_t asset);
uint32_t levy_form_inverse(integrator *s, uint32_t asset);
uint32_t levy_form_growth(integrator *s, uint32_t asset);
/* A term of the current step's schedule. */
uint32_t levy_form_term(integrator *s, levy_script_term_kind kind, size_t parameter);
uint32_t levy_form_emit(integrator *s, levy_script_op op, uint32_t a, uint32_t b, uint32_t c);
uint32_t levy_form_not(integrator *s, uint32_t condition);

#endif
