/* group_model.h: plans a group's model: the words that it draws beside the driver, its drift, and
 * the data of its step. Must not know: the image. */
#ifndef LEVY_PLAN_GROUP_MODEL_H
#define LEVY_PLAN_GROUP_MODEL_H

#include "engine/plan/dynamics.h"
#include "engine/plan/build_order.h"
#include "models/jump_plan.h"

/* The numbers of the model's parts on the group's grid, [LEVY_PARTS], zeroed before; `scale` is
 * that of logarithms. moved: as in levy_model_grid. */
levy_status levy_model_prepare(const levy_problem *problem, const levy_dynamics_plan *dynamics,
                               const levy_build_order *build_order, const double *moved,
                               double scale, levy_arena *arena, levy_model_plan *parts);

/* The numbers of the group's jumps that a dynamics can move; none of known amounts. */
levy_status levy_model_jump_parameters(const levy_problem *problem,
                                       const levy_dynamics_plan *dynamics, levy_arena *arena,
                                       levy_jump_parameter **parameters, size_t *n);

/* Words that each node of the group draws for them, [LEVY_PARTS], zeroed before. */
levy_status levy_model_draws(const levy_problem *problem, const levy_dynamics_plan *dynamics,
                             levy_arena *arena, uint32_t *draws);

/* Adds a part's drift to that of dynamics `number`, [n_nodes][n_assets]: levels, or increments per
 * interval. */
void levy_model_add_drift(const levy_dynamics_plan *dynamics, size_t number,
                          const levy_model_plan *plan, double *drift);

/* The model's numbers of each interval and asset in the own rows of a dynamics, which have the
 * intervals' years, and what it makes of `factor`, [n_nodes][n_assets][n_factors]; `scale` is that
 * of logarithms. drift: [n_nodes][n_assets], by interval. */
levy_status levy_model_put_numbers(const levy_dynamics_plan *dynamics, size_t number, double scale,
                                   levy_arena *scratch, const double *drift, double *factor,
                                   double *own);

/* The factors of models with drivers of their own: [n_assets][n_factors]. */
void levy_model_put_factor(const levy_dynamics_plan *dynamics, const levy_model_plan *plan,
                           double *factor);

#endif
