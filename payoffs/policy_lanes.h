/* policy_lanes.h: what a rule of exercise sees of a path (policy.h), for lanes: the level, its
 * variables and what exercise pays. The fit runs it on every path, the host one path wide. Included
 * behind policy.h, or behind the levy_policy of a GPU's kernel, whose members are constants where
 * they say how much there is. Lanes only. Must not know: sums, dates' numbers. */
#ifndef LEVY_PAYOFFS_POLICY_LANES_H
#define LEVY_PAYOFFS_POLICY_LANES_H

#include "kernels/lane/maths.h"
#include "payoffs/policy_numbers.h"

/* Before loops that a GPU unrolls; and the room for assets' levels. */
#if LANE_GPU
#define POLICY_EACH _Pragma("unroll")
#else
#define POLICY_EACH
#define POLICY_ASSETS LEVY_SCRIPT_ASSETS
#endif

/* A number near a variable's. */
LANE_FN double policy_near(const levy_policy *p, size_t variable)
{
    return variable >= p->n_levels || (p->varies && variable == 1) ? 0.0 : p->strike;
}

/* The level of the assets' levels, each times its coefficient. */
LANE_FN lane policy_level(const levy_policy *p, const lane *levels)
{
    lane level = levels[0];
    if (p->aggregate == LEVY_AGGREGATE_GEOMETRIC) level = lane_log(level) * p->weights[0];
    POLICY_EACH
    for (size_t u = 1; u < p->n_assets; ++u) {
        const lane x = levels[u];
        if (p->aggregate == LEVY_AGGREGATE_GEOMETRIC)
            level = level + lane_log(x) * p->weights[u];
        else if (p->aggregate == LEVY_AGGREGATE_BASKET)
            level = level + x;
        else
            level =
                p->aggregate == LEVY_AGGREGATE_BEST_OF ? lane_max(x, level) : lane_min(x, level);
    }
    return p->aggregate == LEVY_AGGREGATE_GEOMETRIC ? lane_exp(level) : level;
}

/* Brings the levels next to the best or the worst to the front. */
LANE_FN void policy_sort(const levy_policy *p, lane *levels)
{
    const int worst = p->aggregate == LEVY_AGGREGATE_WORST_OF;
    POLICY_EACH
    for (size_t k = 0; k < p->n_levels && k < p->n_assets; ++k) POLICY_EACH
    for (size_t u = k + 1; u < p->n_assets; ++u) {
        const lane least = lane_min(levels[u], levels[k]), most = lane_max(levels[u], levels[k]);
        levels[k] = worst ? least : most;
        levels[u] = worst ? most : least;
    }
}

/* The variables: of the best or the worst the levels next to it, and of two the first asset's, by
 * which unlike assets are told apart; of a sum of two both; else the level and, if it is recorded,
 * the variance. levels: [asset], which it may sort, and room for one more, or the variance. */
LANE_FN void policy_variables(const levy_policy *p, lane level, lane *levels, lane *v)
{
    if (p->n_levels == 1 || p->varies) {
        levels[0] = level;
    } else if (p->aggregate != LEVY_AGGREGATE_BASKET) {
        if (p->n_levels > p->n_assets) levels[p->n_assets] = levels[0];
        policy_sort(p, levels);
    }
    POLICY_EACH
    for (size_t j = 0; j < p->n_levels; ++j) v[j] = levels[j];
}

/* The others: whether the path is beyond each of the regimes. */
LANE_FN void policy_regimes(const levy_policy *p, lane regime, lane *v)
{
    POLICY_EACH
    for (size_t r = 1; r < p->n_regimes; ++r)
        v[p->n_levels + r - 1] = lane_select(regime >= (real)r, lane_of(R(1.0)), lane_of(R(0.0)));
}

#endif
