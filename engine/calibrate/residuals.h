/* residuals.h: the residuals of a fit and their slopes, as its search sees them: parameters in the
 * units of the search, a logarithm where the law says so. Private to this room. */
#ifndef LEVY_CALIBRATE_RESIDUALS_H
#define LEVY_CALIBRATE_RESIDUALS_H

#include "engine/calibrate/fit.h"

/* What they are made of. */
typedef struct levy_residuals {
    const levy_fit *fit;
    const levy_memory *memory; /* says when to stop */
    levy_cos cos;
    double error;     /* of a put by its strike */
    double *left_out; /* [fit->n]: the bound on what the series leaves out of each put */
    size_t n_rows;    /* quotes and pulls */
} levy_residuals;

/* What they are at a point. */
typedef struct levy_residual_rows {
    double *values;                       /* [n_rows] */
    double (*slopes)[LEVY_EXPONENT_MOST]; /* [n_rows][law->n], in the units of the search */
} levy_residual_rows;

/* LEVY_MEMORY or LEVY_OK. The series has all of its room, and no error yet. */
levy_status levy_residuals_create(const levy_fit *fit, levy_arena *arena, levy_residuals *r);
levy_status levy_residual_rows_create(const levy_residuals *r, levy_arena *arena,
                                      levy_residual_rows *rows);

/* Fills values and slopes at a point of the search. Returns the sum of squares; HUGE_VAL where the
 * law has no such parameters, a price is not finite or the caller has stopped. */
double levy_residuals_at(levy_residuals *r, const double *point, const levy_residual_rows *rows);

double levy_search_of(const levy_exponent_parameter *parameter, double value);
double levy_search_value(const levy_exponent_parameter *parameter, double searched);
/* What a value moves by, by the unit of the search. */
double levy_search_unit(const levy_exponent_parameter *parameter, double value);

#endif
