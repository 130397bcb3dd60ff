/* heston_terms.h: the terms of the models heston and bates, whose keys are in heston_fields.c and
 * whose meaning is in heston.c. Host only. */
#ifndef LEVY_MODELS_HESTON_TERMS_H
#define LEVY_MODELS_HESTON_TERMS_H

#include "models/jump_plan.h"

enum { HESTON_QE, HESTON_BY_EULER };

/* one number for each asset, or one for all */
typedef struct heston_terms {
    levy_jump_model_terms jumps;         /* heston leaves `own` out */
    levy_list v0, theta, kappa, xi, rho; /* of double */
    int32_t scheme;
} heston_terms;

#endif
