/* script_terms.h: what a payoff with a program has beside all payoffs' terms. Must not know: the
 * script's text, plans. */
#ifndef LEVY_PAYOFFS_SCRIPT_TERMS_H
#define LEVY_PAYOFFS_SCRIPT_TERMS_H

#include "engine/script/program.h"
#include "payoffs/terms.h"

/* A term of the nodes: on date i of the schedule values[i], or 1, and if it is paid then, in money
 * of the payment date. */
typedef struct levy_script_term {
    const double *values; /* NULL: 1 */
    uint32_t schedule;
    bool paid;
} levy_script_term;

typedef struct levy_script_terms {
    levy_payoff_terms payoff;
    const levy_script_program *program;
    const double *constants;       /* [program->n_constants] */
    const levy_script_term *terms; /* [program->n_terms] */
    uint32_t settles;              /* the state */
} levy_script_terms;

#endif
