/* fit_bound.h: the work of a fit for an upper bound (payoffs/policy_bound.h). Part of fit_isa.c,
 * which alone includes it, behind the rule's. */
#ifndef LEVY_CPU_FIT_BOUND_H
#define LEVY_CPU_FIT_BOUND_H

/* The levels at a date, today's behind the last. */
static void fit_bound_levels(const levy_rule_pass *w, size_t date, size_t path, lane *x)
{
    const levy_policy *const p = w->policy;
    const bool today = date == w->levels->n_dates;
    for (size_t u = 0; u < p->n_assets; ++u)
        x[u] = (today ? lane_of(w->levels->spot[u]) : fit_load(fit_row(w, date, u) + path)) *
               p->coefficients[u];
    if (p->bound->n_levels < p->n_assets) x[0] = policy_level(p, x);
}

static void fit_bound_see(const levy_rule_pass *w, size_t date, size_t path, lane *x, lane *place,
                          lane *v)
{
    const bool today = date == w->levels->n_dates;
    fit_bound_levels(w, date, path, x);
    bound_places(w->policy->bound, x, place);
    bound_variables(w->policy->bound, x, place, today ? lane_of(0.0) : fit_variance(w, date, path),
                    v);
}

static void fit_bound_near(const levy_rule_pass *w, size_t date, size_t group, double *room,
                           double *sums)
{
    lane x[LEVY_SCRIPT_ASSETS], place[LEVY_BOUND_PLACES], v[LEVY_POLICY_VARIABLES];
    (void)room;
    fit_bound_see(w, date, fit_path(group, 0), x, place, v);
    for (size_t j = 0; j < w->policy->bound->n_variables; ++j) sums[2 * j] = v[j][0];
}

static void fit_bound_moments(const levy_rule_pass *w, size_t date, size_t group, double *room,
                              double *sums)
{
    const levy_policy_bound *const b = w->policy->bound;
    const double *const near = levy_rule_bound_row(w, date) + b->variables;
    lane x[LEVY_SCRIPT_ASSETS], place[LEVY_BOUND_PLACES], v[LEVY_POLICY_VARIABLES];
    (void)room;
    for (size_t at = 0; at < FIT_GROUP; ++at) {
        const size_t path = fit_path(group, at), part = at % FIT_PARTS;
        fit_bound_see(w, date, path, x, place, v);
        for (size_t j = 0; j < b->n_variables; ++j) {
            const lane far = rule_if(fit_alive(w, path), v[j] - near[2 * j]);
            fit_add(sums + 2 * j * LEVY_RULE_COLUMNS, part, far);
            fit_add(sums + (2 * j + 1) * LEVY_RULE_COLUMNS, part, far * far);
        }
    }
}

static void fit_bound_values(const levy_rule_pass *w, size_t date, size_t path, const lane *levels,
                             const lane *place, lane *values)
{
    const levy_policy_bound *const b = w->policy->bound;
    const double *const numbers = levy_rule_bound_row(w, date);
    lane mean[LEVY_SCRIPT_ASSETS];
    for (size_t u = 0; u < b->n_levels; ++u) {
        mean[u] = levels[u] * numbers[b->slopes + u];
        if (date < w->levels->n_dates) mean[u] = rule_discounted(w, date, path, mean[u]);
    }
    bound_values(b, numbers, mean, place, values);
}

/* Keeps the gains of paths until the date, and the standardised variables before, which no path has
 * farther away than a polynomial sees. */
static void fit_bound_gain(const levy_rule_pass *w, size_t date, size_t path, lane *v, lane *gains)
{
    const levy_policy_bound *const b = w->policy->bound;
    const size_t before = date ? date - 1 : w->levels->n_dates;
    const double *const moments = levy_rule_bound_row(w, before) + b->variables;
    lane x[LEVY_SCRIPT_ASSETS], place[LEVY_BOUND_PLACES], held[LEVY_BOUND_CLAIMS];
    fit_bound_see(w, before, path, x, place, v);
    fit_bound_values(w, before, path, x, place, held);
    fit_bound_levels(w, date, path, x);
    fit_bound_values(w, date, path, x, place, gains);
    for (size_t k = 0; k < b->n_claims; ++k) {
        gains[k] = rule_if(fit_alive(w, path), gains[k] - held[k]);
        fit_store(w->gains + k * w->stride + path, gains[k]);
    }
    for (size_t j = 0; j < b->n_variables; ++j) {
        const lane far = (v[j] - moments[2 * j]) * moments[2 * j + 1];
        v[j] = lane_min(lane_max(far, lane_of(-LEVY_BOUND_FARTHEST)), lane_of(LEVY_BOUND_FARTHEST));
        fit_store(w->seen + j * w->stride + path, v[j]);
    }
}

/* Gains times the polynomial's monomials. */
static void fit_bound_products(const levy_rule_pass *w, const lane *v, const lane *gains, lane *x)
{
    for (size_t k = 0; k < w->policy->bound->n_claims; ++k, x += w->products.n * FIT_STEP)
        rule_monomials(&w->products, v, gains[k], x, FIT_STEP);
}

static void fit_bound(const levy_rule_pass *w, size_t date, size_t group, double *room,
                      double *sums)
{
    const size_t known = w->known.n, n = known + w->policy->bound->n_claims * w->products.n;
    lane v[LEVY_POLICY_VARIABLES], gains[LEVY_BOUND_CLAIMS], *const x = (lane *)room;
    for (size_t at = 0; at < FIT_GROUP; ++at) {
        const size_t path = fit_path(group, at);
        const lane_mask alive = fit_alive(w, path);
        fit_bound_gain(w, date, path, v, gains);
        rule_monomials(&w->known, v, rule_if(alive, lane_of(1.0)), x + at, FIT_STEP);
        fit_bound_products(w, v, gains, x + known * FIT_STEP + at);
        x[n * FIT_STEP + at] = rule_if(alive, fit_load(w->paid + path) - fit_load(w->later + path));
    }
    fit_products(x, n, sums);
}

static void fit_bound_later(const levy_rule_pass *w, size_t date, size_t group, double *room,
                            double *sums)
{
    const levy_policy_bound *const b = w->policy->bound;
    const double *const c = levy_rule_bound_row(w, date) + b->coefficients;
    lane v[LEVY_POLICY_VARIABLES], gains[LEVY_BOUND_CLAIMS], *const x = (lane *)room;
    (void)sums;
    for (size_t at = 0; at < FIT_GROUP; ++at) {
        const size_t path = fit_path(group, at);
        lane later = fit_load(w->later + path);
        for (size_t j = 0; j < b->n_variables; ++j) v[j] = fit_load(w->seen + j * w->stride + path);
        for (size_t k = 0; k < b->n_claims; ++k)
            gains[k] = fit_load(w->gains + k * w->stride + path);
        fit_bound_products(w, v, gains, x + at);
        for (size_t k = 0; k < b->n_claims * w->products.n; ++k)
            later = later + x[k * FIT_STEP + at] * c[k];
        fit_store(w->later + path, later);
    }
}

#endif
