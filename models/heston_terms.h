/* heston_terms.h: the terms of the models heston and bates, whose keys are in heston_fields.c and
 * whose meaning is in heston.c, and what the parts of their host half know of each other. */
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

/* The terms as numbers, of one asset at a time. */
typedef struct heston_numbers {
    double v0, theta, kappa, xi, rho;
} heston_numbers;

static inline const heston_terms *levy_heston_terms(const levy_model_terms *terms)
{
    return (const heston_terms *)terms;
}

/* heston.c: those of the term that a time is in */
heston_numbers levy_heston_of(const levy_model_terms *terms, size_t asset, double time);
/* the end of the term that begins at a time, at most `until` */
double levy_heston_end(const levy_model_terms *terms, size_t asset, double from, double until);
/* (1 - exp(-kappa t)) / kappa */
double levy_heston_time(double kappa, double t);
/* of the expected variance over a year */
double levy_heston_volatility(const levy_model_terms *terms, size_t asset);

/* heston_steps.c: see levy_model_kind */
size_t levy_heston_dates(const levy_model_terms *terms, double longest, const double *times,
                         size_t n, double *dates);
void levy_heston_interval(const levy_model_terms *terms, size_t asset,
                          const levy_model_interval *of, double *numbers);
levy_status levy_heston_plan(const levy_model_terms *terms, const levy_model_grid *grid,
                             levy_arena *arena, levy_model_plan *plan);

#endif
