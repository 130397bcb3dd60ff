/* recording.h: a plan whose paths are recorded by date, for fits: one trade's price in one market,
 * in double, without smoothing, on points of a purpose of their own. Its levels follow from the
 * group's grid and model, the seed, the purpose and the count of paths: not from the trade, nor
 * from the book's paths, precision or supply of numbers, nor from the backend. Quasi-random points
 * are scrambled, so that they are not the price's. Must not know: backends, what levels are for. */
#ifndef LEVY_PLAN_RECORDING_H
#define LEVY_PLAN_RECORDING_H

#include "engine/plan/plan.h"

typedef struct levy_recording {
    levy_arena arena;
    levy_problem *problem; /* of the trade alone */
    levy_group *group;
    levy_plan *plan; /* NULL: it could not be made */
} levy_recording;

typedef struct levy_recorded {
    size_t trade;             /* its number in the group */
    const levy_moved *market; /* it outlives the recording; NULL: today's */
    uint32_t purpose;         /* LEVY_PURPOSE_ */
    uint64_t paths, seed;
} levy_recorded;

/* Of a trade in the group of `of`. `why` as of levy_plan_create. Destroyed in any case. */
levy_status levy_recording_create(const levy_plan *of, const levy_recorded *what,
                                  levy_recording *recording, char *why);
/* Means, [date][asset], and covariances of logarithms, [date][asset][asset], that the market leads
 * to at nodes; NULL of a model whose logarithms are not normal. */
levy_status levy_recording_law(const levy_plan *of, const levy_moved *market, size_t n_dates,
                               const uint32_t *nodes, levy_arena *arena, const double **means,
                               const double **covariances);
void levy_recording_destroy(levy_recording *recording);

#endif
