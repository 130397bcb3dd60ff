/* markets.h: the parameter sets of a group: today's market and its bumps, each as drifts and factors on the group's grid.
 * All sets share the draws, the clock and the turn of the factors. Must not know: items, images. */
#ifndef LEVY_PLAN_MARKETS_H
#define LEVY_PLAN_MARKETS_H

#include "engine/plan/factors.h"
#include "engine/plan/plan.h"

/* One parameter set: the market with one underlying's spot scaled or volatility shifted. */
typedef struct levy_market_set {
    uint32_t underlying;     /* index into the trade's underlyings */
    double spot_factor;      /* 1: as quoted */
    double volatility_shift; /* 0: as quoted */
} levy_market_set;

typedef struct levy_market_plan {
    const levy_trade *trade; /* any of the group: model and underlyings */
    const levy_group *group;
    size_t n_assets, n_factors, n_sets;
    bool per_interval;       /* factors change over time */
    bool has_cash;
    levy_market_set *sets;   /* sets[0] is the market as quoted */
    levy_rotation rotation;
    double *clock;           /* [n_nodes] */
} levy_market_plan;

/* Which sets the measures need, the clock, the factors' turn. `eigen`: order factors by variance. */
levy_status levy_markets_plan(const levy_problem *problem, const levy_group *group, bool eigen, levy_arena *arena,
                              levy_market_plan *plan);

/* One set's numbers: drift [n_nodes][n_assets] (levels, or increments per interval), factor
 * [per_interval ? n_nodes : 1][n_assets][n_factors], cash [n_nodes][n_assets] (amounts over the set's spot; NULL without). */
levy_status levy_markets_fill(const levy_market_plan *plan, size_t set, levy_arena *arena, double *drift, double *factor, double *cash);

#endif
