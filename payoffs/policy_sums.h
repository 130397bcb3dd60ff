/* policy_sums.h: what a fit of a rule (policy.h) needs of its dates beside the regression, from
 * their sums: how variables are standardised, and which lines of levels are martingales. Included
 * as policy_lanes.h. Must not know: paths. */
#ifndef LEVY_PAYOFFS_POLICY_SUMS_H
#define LEVY_PAYOFFS_POLICY_SUMS_H

#include "payoffs/policy_lanes.h"

/* How a variable is standardised, from the sums of the paths in the money. */
LANE_FN void rule_standard(const levy_policy *p, size_t j, const double *sums, double *number)
{
    const double n = sums[0], *const moment = sums + LEVY_RULE_MOMENT(j),
                 *const range = sums + LEVY_RULE_RANGE(p, j);
    const double far = moment[0] / n, square = moment[1] - moment[0] * far,
                 mean = policy_near(p, j) + far,
                 share = square > LEVY_RULE_RANK * moment[1]
                             ? lane_get(lane_sqrt(lane_of(n / square)), 0)
                             : 0.0;
    number[LEVY_POLICY_MEAN] = mean;
    number[LEVY_POLICY_SHARE] = share;
    number[LEVY_POLICY_LEAST] = (range[0] - mean) * share;
    number[LEVY_POLICY_MOST] = (range[1] - mean) * share;
}

/* By which an asset's level becomes the martingale on a date, from the next date's. Where cash is
 * paid, the mean of what an asset is on the next date is a line of what it is now. */
LANE_FN void rule_martingale(const levy_policy *p, size_t u, double n, double spot,
                             const double *sums, const double *next, double *slope, double *shift)
{
    const double *const now = sums + LEVY_RULE_LINE(p, u);
    const double from = now[0] / n;
    if (!p->cash || !next) {
        *slope = 1.0 / (spot + from);
        *shift = 0.0;
        return;
    }
    const double to = next[LEVY_RULE_LINE(p, u)] / n, square = now[1] - now[0] * from,
                 line = square > LEVY_RULE_RANK * now[1] ? (now[2] - now[0] * to) / square : 0.0;
    *shift = shift[p->n_assets] + slope[p->n_assets] * (spot + to - line * (spot + from));
    *slope = slope[p->n_assets] * line;
}

#endif
