/* builder.h: a plan while its image is written. plan.c makes the parts in order; image_layout.c
 * places them; image_parts.c, image_numbers.c and image_points.c write them. Must not know:
 * batches, backends. */
#ifndef LEVY_PLAN_BUILDER_H
#define LEVY_PLAN_BUILDER_H

#include "engine/plan/group_model.h"
#include "engine/plan/outputs.h"
#include "engine/plan/plan.h"

typedef struct levy_plan_builder {
    levy_plan *plan;
    const levy_problem *problem;
    const levy_group *group;
    levy_arena *arena;         /* scratch; the plan keeps its own arena */
    levy_point_tables *tables; /* shared columns, or NULL */
    levy_dynamics_plan dynamics;
    levy_item_plan items;
    levy_build_order build_order;
    double *driver;             /* [n_nodes]: what the integrated first draw moves; NULL: none is */
    uint32_t draws[LEVY_PARTS]; /* words a node draws for the parts of the model */
    levy_model_plan parts[LEVY_PARTS];
    char *why;
} levy_plan_builder;

/* ---- image_layout.c ---- */

/* Draws of a node outside the bridge: the model's, and one if trades want it. */
uint32_t levy_builder_auxiliary(const levy_plan_builder *b);
/* Draws of a path. */
uint64_t levy_builder_draws(const levy_plan_builder *b);
uint32_t
levy_builder_features(const levy_plan_builder *b); /* the features of the model as it is drawn */
/* Whether a GPU may run the bridge on levels instead of drivers. */
bool levy_builder_has_residual(const levy_image *h);

/* The header, without offsets. */
void levy_builder_header(const levy_plan_builder *b, levy_image *h);
/* Sets the offsets. LEVY_UNSUPPORTED or LEVY_MEMORY, with b->why, means that the image would be too
 * large. */
levy_status levy_builder_measure(const levy_plan_builder *b, levy_image *h);
/* Does the same with the least that the plan can need, before anything as long as the grid is
 * made. */
levy_status levy_builder_estimate(const levy_plan_builder *b);

/* ---- image_parts.c ---- */

/* What a natural logarithm is multiplied by: single-precision plans take logarithms to base 2. */
double levy_builder_log_scale(const levy_problem *p);
void *levy_builder_at(const levy_plan *plan, uint64_t offset);
/* Writes doubles as the image's reals, from number `first` of a table on. */
void levy_builder_put(const levy_plan *plan, uint64_t offset, uint64_t first, const double *values,
                      size_t n);
/* Writes the build order, items, outputs, scripts, components and functionals. */
levy_status levy_builder_put_parts(const levy_plan_builder *b);

/* ---- image_numbers.c ---- */

levy_status levy_builder_put_dynamics(const levy_plan_builder *b);

/* ---- image_points.c ---- */

levy_status levy_builder_put_points(const levy_plan_builder *b);
/* LEVY_UNSUPPORTED, with b->why, means that the supply has too few dimensions, or none of the
 * kind. */
levy_status levy_builder_check_supply(const levy_plan_builder *b);

#endif
