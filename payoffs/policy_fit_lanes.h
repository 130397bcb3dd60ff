/* policy_fit_lanes.h: what a fit of a rule of exercise (policy.h) does with a path at a date, for
 * lanes. A backend includes it behind its own levy_policy, rule_sums, levy_rule_pass and
 *   lane rule_level(w, date, u, path), rule_variance(w, date, path)   as recorded, in money; the
 *   variance is the regime's number where there are regimes
 *   lane rule_discount(w, date, path)                                 of the path, as recorded
 *   lane_mask rule_alive(w, path)                                     which paths there are
 *   lane rule_paid(w, path), rule_last(w, u, path)                    as levy_rule_pass has them
 *   lane rule_quotient(a, b)    a / b of numbers between 1e-200 and 1e200, or of 0
 *   void rule_pay(w, path, x), rule_end(w, u, path, x)                store these
 *   void rule_add(sums, k, part, x), rule_hold(sums, k, part, pays, x)
 * which add to sum k, and take x into the least, number k, and the most behind it. Lanes only.
 * Must not know: order and layout of sums, who works. */
#ifndef LEVY_PAYOFFS_POLICY_FIT_LANES_H
#define LEVY_PAYOFFS_POLICY_FIT_LANES_H

#include "payoffs/policy_lanes.h"

LANE_FN lane rule_if(lane_mask m, lane x) { return lane_select(m, x, lane_of(R(0.0))); }

/* What a path is at a date. */
typedef struct rule_seen {
    lane_mask pays;
    lane gain, v[LEVY_POLICY_VARIABLES];
} rule_seen;

LANE_FN rule_seen rule_see(const levy_rule_pass *w, size_t date, size_t path)
{
    const levy_policy *const p = w->policy;
    lane x[POLICY_ASSETS + 1];
    rule_seen seen;
    x[0] = lane_of(R(0.0)); /* for a compiler that does not know that there is an asset */
    POLICY_EACH
    for (size_t u = 0; u < p->n_assets; ++u)
        x[u] = rule_level(w, date, u, path) * p->coefficients[u];
    const lane level = policy_level(p, x);
    seen.gain = (level - p->strike) * p->sign;
    seen.pays = (seen.gain > R(0.0)) & rule_alive(w, path);
    if (p->varies) x[1] = rule_variance(w, date, path);
    policy_variables(p, level, x, seen.v);
    if (p->n_regimes > 1) policy_regimes(p, rule_variance(w, date, path), seen.v);
    return seen;
}

/* An asset's level as a martingale has it but for a line, and a payment on the date: both by the
 * path's own discount factor, if it has one. */
LANE_FN lane rule_discounted(const levy_rule_pass *w, size_t date, size_t path, lane x)
{
    return w->policy->discounts ? x * rule_discount(w, date, path) : x;
}
LANE_FN lane rule_asset(const levy_rule_pass *w, size_t date, size_t u, size_t path)
{
    return rule_discounted(w, date, path, rule_level(w, date, u, path));
}

/* Standardises the variables of a path. */
LANE_FN void rule_standardise(const levy_rule_pass *w, size_t date, lane *v)
{
    const double *const number = w->fitted + date * w->policy->stage.n_fitted;
    POLICY_EACH
    for (size_t j = 0; j < w->policy->n_variables; ++j)
        v[j] = (v[j] - number[j * LEVY_POLICY_NUMBERS + LEVY_POLICY_MEAN]) *
               number[j * LEVY_POLICY_NUMBERS + LEVY_POLICY_SHARE];
}

/* `apart`: from monomial to monomial. */
LANE_FN void rule_monomials(const levy_rule_monomials *m, const lane *v, lane product, lane *x,
                            size_t apart)
{
    x[0] = product;
    POLICY_EACH
    for (size_t k = 1; k < m->n; ++k) { /* the last one is not read again while it is stored */
        const size_t parent = m->parent[k];
        product = (parent + 1 == k ? product : x[parent * apart]) * v[m->variable[k]];
        x[k * apart] = product;
    }
}

/* What paths have gained since the date where they are paid, by powers of the first variable.
 * Returns the next column. */
LANE_FN lane *rule_controls(const levy_rule_pass *w, size_t date, size_t path,
                            const rule_seen *seen, lane *x, size_t apart)
{
    const levy_policy *const p = w->policy;
    POLICY_EACH
    for (size_t u = 0; u < p->n_controls; ++u) {
        const double slope = w->slope[date * p->n_assets + u],
                     shift = w->shift[date * p->n_assets + u];
        const lane now = rule_asset(w, date, u, path) * slope,
                   gained = rule_last(w, u, path) - now - shift;
        lane gain = rule_if(seen->pays & (now > R(1e-200)), rule_quotient(gained, now));
        POLICY_EACH
        for (size_t i = 0; i < p->n_powers; ++i, gain = gain * seen->v[0], x += apart) *x = gain;
    }
    return x;
}

/* Columns of the regression: controls, monomials, what paths get later beyond exercise. share:
 * what 1 in money of the payment date is on that date. */
LANE_FN void rule_columns(const levy_rule_pass *w, size_t date, size_t path, double share, lane *x,
                          size_t apart)
{
    rule_seen seen = rule_see(w, date, path);
    rule_standardise(w, date, seen.v);
    /* the columns that a later one resembles lose nothing: the polynomial's are last */
    lane *const more = rule_controls(w, date, path, &seen, x, apart);
    rule_monomials(&w->monomials, seen.v, rule_if(seen.pays, lane_of(R(1.0))), more, apart);
    lane later = rule_paid(w, path) * share;
    if (w->policy->discounts) later = rule_quotient(later, rule_discount(w, date, path));
    more[w->monomials.n * apart] = rule_if(seen.pays, later - seen.gain);
}

/* By the fitted rule, or at the last date, paths are paid; returns which. x: room for monomials. */
LANE_FN lane_mask rule_decide(const levy_rule_pass *w, size_t date, size_t path, lane *x,
                              size_t apart)
{
    const levy_policy *const p = w->policy;
    const double *const c =
        w->fitted + date * p->stage.n_fitted + LEVY_POLICY_NUMBERS * p->n_variables;
    const int end = date + 1 == w->levels->n_dates;
    rule_seen seen = rule_see(w, date, path);
    lane_mask stops = seen.pays;
    if (!end) {
        lane more = lane_of(R(0.0));
        rule_standardise(w, date, seen.v);
        rule_monomials(&w->monomials, seen.v, lane_of(R(1.0)), x, apart);
        POLICY_EACH
        for (size_t k = 0; k < w->monomials.n; ++k) more = more + x[k * apart] * c[k];
        stops = stops & (more <= R(0.0));
    }
    const lane paid = end ? lane_of(R(0.0)) : rule_paid(w, path);
    const lane gain = rule_discounted(w, date, path, seen.gain * w->levels->worth[date]);
    rule_pay(w, path, lane_select(stops, gain, paid));
    POLICY_EACH
    for (size_t u = 0; u < p->n_controls; ++u) {
        const lane now = rule_asset(w, date, u, path) * w->slope[date * p->n_assets + u] +
                         w->shift[date * p->n_assets + u];
        rule_end(w, u, path, end ? now : lane_select(stops, now, rule_last(w, u, path)));
    }
    return stops;
}

/* Adds the path to the sums of a date; `next`: the one behind, or the last itself. */
LANE_FN void rule_moments(const levy_rule_pass *w, const levy_rule_pass *after, size_t date,
                          size_t next, size_t path, size_t part, rule_sums *sums)
{
    const levy_policy *const p = w->policy;
    const rule_seen seen = rule_see(w, date, path);
    const lane_mask alive = rule_alive(w, path);
    rule_add(sums, 0, part, rule_if(seen.pays, lane_of(R(1.0))));
    POLICY_EACH
    for (size_t j = 0; j < p->n_variables; ++j) {
        const lane x = rule_if(seen.pays, seen.v[j] - policy_near(p, j));
        rule_add(sums, LEVY_RULE_MOMENT(j), part, x);
        rule_add(sums, LEVY_RULE_MOMENT(j) + 1, part, x * x);
        rule_hold(sums, LEVY_RULE_RANGE(p, j), part, seen.pays, seen.v[j]);
    }
    POLICY_EACH
    for (size_t u = 0; u < p->n_controls; ++u) {
        const lane spot = lane_of(w->levels->spot[u]),
                   x = rule_if(alive, rule_asset(w, date, u, path) - spot);
        rule_add(sums, LEVY_RULE_LINE(p, u), part, x);
        if (!p->cash) continue;
        rule_add(sums, LEVY_RULE_LINE(p, u) + 1, part, x * x);
        rule_add(sums, LEVY_RULE_LINE(p, u) + 2, part,
                 x * (rule_asset(after, next, u, path) - spot));
    }
}

#endif
