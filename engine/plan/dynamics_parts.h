/* dynamics_parts.h: what the files that make a group's dynamics share. dynamics.c has the sets;
 * dynamics_covariance.c their covariances; dynamics_create.c the clock and the rotation that all
 * sets have; dynamics_fill.c the numbers of a set. Must not know: items, images. */
#ifndef LEVY_PLAN_DYNAMICS_PARTS_H
#define LEVY_PLAN_DYNAMICS_PARTS_H

#include "engine/plan/dynamics.h"

/* ---- dynamics.c ---- */

/* Whether the model makes its levels from drivers, not from covariances. */
bool levy_dynamics_is_driven(const levy_dynamics_plan *plan);
/* The model's own volatility that stands for that of underlying u under a set; 0 if there is none.
 */
double levy_dynamics_own_volatility(const levy_dynamics_plan *plan, uint32_t set, size_t u);

/* ---- dynamics_covariance.c ---- */

/* Rows of the covariance. */
size_t levy_dynamics_rows(const levy_dynamics_plan *plan);
/* The underlying that a row is or belongs to. */
size_t levy_dynamics_row_asset(const levy_dynamics_plan *plan, size_t row);

/* Integrated covariances of a set, made for one interval of the grid at a time because all of them
 * would not fit in memory. */
typedef struct levy_covariances {
    const levy_dynamics_plan *plan;
    uint32_t set;
    levy_asset *assets;
    double *root, *covariance; /* of the interval: [rows][rows] */
    size_t piece;              /* that `correlation` was made from, and until when it holds */
    double until;
    double *correlation; /* [rows][rows] */
    double from;         /* the end of the last interval */
    const levy_memory *memory;
} levy_covariances;

levy_status levy_covariances_begin(const levy_dynamics_plan *plan, uint32_t set, levy_arena *arena,
                                   levy_covariances *covariances);
/* Makes the covariance of interval k. Calls must take the intervals in order. */
levy_status levy_covariances_next(levy_covariances *covariances, size_t k);
/* Covariance per year where nothing changes over time. */
levy_status levy_covariance_rate(const levy_dynamics_plan *plan, uint32_t set, levy_arena *arena,
                                 double **covariance);

#endif
