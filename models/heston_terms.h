/* heston_terms.h: the terms of the models heston and bates, whose keys are in heston_fields.c and
 * whose meaning is in heston.c. Host only. */
#ifndef LEVY_MODELS_HESTON_TERMS_H
#define LEVY_MODELS_HESTON_TERMS_H

#include "models/jump_plan.h"

enum { HESTON_QE, HESTON_BY_EULER };

/* one number or term for each asset, or one for all */
typedef struct heston_terms {
    levy_jump_model_terms jumps;     /* heston leaves `own` out */
    levy_list v0;                    /* of double */
    levy_list theta, kappa, xi, rho; /* of levy_term */
    int32_t scheme;
} heston_terms;

#endif
