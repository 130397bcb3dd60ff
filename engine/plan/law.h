/* law.h: the chance that the logarithm of an underlying is beyond a level at a time, by the law of
 * its model; where that jumps, by J. Robinson's saddlepoint (J. Royal Statistical Society B 44,
 * 1982). Must not know: trades, items. */
#ifndef LEVY_PLAN_LAW_H
#define LEVY_PLAN_LAW_H

#include "engine/plan/dynamics.h"

/* The law of an underlying's logarithm at a time, less that of its forward. */
typedef struct levy_law {
    const levy_model *model;
    const levy_model_terms *terms;
    size_t asset;
    double variance, time; /* of the diffusion */
    bool jumps;            /* it is no normal law */
    bool random;           /* the variance is random, too */
} levy_law;

/* An underlying as a set sees it. */
typedef struct levy_law_view {
    uint32_t set;
    size_t underlying;
    levy_asset asset;
    double spot;
} levy_law_view;

/* Whether a law is no normal one: it jumps, or on plain paths its variance is random. What is told
 * of an integrated normal is of that part alone, whose variance is known on a path. */
bool levy_law_has_tails(const levy_dynamics_plan *plan);

levy_status levy_law_see(const levy_dynamics_plan *plan, uint32_t set, size_t underlying,
                         levy_arena *arena, levy_law_view *seen);

/* Of what is to come after the set's own date. *forward: the forward's logarithm less the spot's.
 */
levy_law levy_law_of(const levy_dynamics_plan *plan, const levy_law_view *seen, double time,
                     double *forward);

/* Its mean and its variance. */
void levy_law_moments(const levy_law *law, double *mean, double *variance);

/* The chance that it is beyond x, upward for a side of 1. */
double levy_law_beyond(const levy_law *law, double x, double side);

/* The same of the underlying's level at a time. */
double levy_law_chance(const levy_dynamics_plan *plan, const levy_law_view *seen, double time,
                       double level, double side);

#endif
