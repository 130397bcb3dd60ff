/* fit_rule.h: what a fit of a rule sees of it and of paths (payoffs/policy_fit_lanes.h), where
 * their numbers lie, and how a GPU divides. Part of fit.cu. */
#ifndef LEVY_CUDA_FIT_RULE_H
#define LEVY_CUDA_FIT_RULE_H

#include "kernels/lane/lane.h"
#include "payoffs/policy_numbers.h"

enum {
    FIT_BLOCK = LEVY_RULE_GROUPS * LEVY_RULE_GROUP,
    FIT_THREADS = LEVY_RULE_GROUPS * LEVY_RULE_COLUMNS,
    FIT_BLOCK_ROWS = LEVY_RULE_GROUPS * LEVY_RULE_ROWS,
    FIT_COLUMNS = FIT_terms + FIT_controls * FIT_powers, /* of a regression */
    FIT_PRODUCTS = LEVY_RULE_PRODUCTS(FIT_COLUMNS),
    FIT_EACH = (FIT_PRODUCTS + FIT_chunks - 1) / FIT_chunks, /* sums of a CTA */
    FIT_ADDED = 1 + 2 * FIT_variables + 3 * FIT_controls,    /* moments that are no ranges */
    FIT_MOMENTS = FIT_ADDED + 2 * FIT_variables,
    FIT_ROUND = 23,   /* sums that a CTA folds at a time: what 48 KiB hold */
    FIT_MERGED = 1024 /* threads of the CTA that merges moments */
};

/* ---- What the host's structs say of a policy, as constants ----------------------------------- */

struct fit_stage {
    static constexpr size_t n_fitted = FIT_fitted;
};
struct levy_policy {
    static constexpr int aggregate = FIT_aggregate;
    static constexpr size_t n_assets = FIT_assets, n_variables = FIT_variables,
                            n_controls = FIT_controls, n_powers = FIT_powers, n_levels = FIT_levels,
                            n_regimes = FIT_regimes;
    static constexpr bool cash = FIT_cash, varies = FIT_varies, discounts = FIT_discounts;
    fit_stage stage;
    double sign, strike;
    const double *coefficients, *weights;
};

struct fit_parents {
    constexpr size_t operator[](size_t k) const
    {
        constexpr unsigned char at[] = {FIT_parents};
        return at[k];
    }
};
struct fit_factors {
    constexpr size_t operator[](size_t k) const
    {
        constexpr unsigned char at[] = {FIT_factors};
        return at[k];
    }
};
struct levy_rule_monomials {
    static constexpr size_t n = FIT_terms;
    fit_parents parent;
    fit_factors variable;
};

/* Of one date, which is number 0. n_dates 1: it is the last. */
struct levy_stage_levels {
    size_t n_dates;
    const double *worth, *spot;
};

/* A path at a date. */
struct levy_rule_pass {
    const levy_policy *policy;
    const levy_stage_levels *levels;
    levy_rule_monomials monomials;
    const double *slope, *shift, *fitted;
    lane level[FIT_assets], variance, discount; /* relative to today's; in a year, or a regime */
    mutable lane paid, last[FIT_controls + 1];
};

struct rule_sums {
    lane v[FIT_MOMENTS];
};

#define POLICY_ASSETS FIT_assets
#include "payoffs/policy_sums.h"

LANE_FN lane rule_level(const levy_rule_pass *w, size_t, size_t u, size_t)
{
    return w->level[u] * w->levels->spot[u];
}
LANE_FN lane rule_variance(const levy_rule_pass *w, size_t, size_t) { return w->variance; }
LANE_FN lane rule_discount(const levy_rule_pass *w, size_t, size_t) { return w->discount; }
LANE_FN lane_mask rule_alive(const levy_rule_pass *, size_t) { return lane_not(lane_mask()); }
LANE_FN lane rule_paid(const levy_rule_pass *w, size_t) { return w->paid; }
LANE_FN lane rule_last(const levy_rule_pass *w, size_t u, size_t) { return w->last[u]; }
/* The compiler's own quotient in two parts, less its way for numbers near the ends of the range,
 * whose branch would keep rows apart: of a divisor, and by it. */
LANE_FN double fit_divisor(double y)
{
#if LANE_GPU_CODE
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(y));
    r = __hiloint2double(__double2hiint(r), 1);
    const double left = fma(-y, r, 1.0);
    r = fma(r, fma(left, left, left), r);
    return fma(r, fma(-y, r, 1.0), r);
#else
    return y;
#endif
}
LANE_FN double fit_quotient(double x, double y, double divisor)
{
#if LANE_GPU_CODE
    const double q = x * divisor;
    return fma(divisor, fma(-y, q, x), q);
#else
    return x / divisor;
#endif
}
LANE_FN lane rule_quotient(lane a, lane b)
{
    const double x = lane_get(a, 0), y = lane_get(b, 0);
    return lane_of(fit_quotient(x, y, fit_divisor(y)));
}
LANE_FN void rule_pay(const levy_rule_pass *w, size_t, lane x) { w->paid = x; }
LANE_FN void rule_end(const levy_rule_pass *w, size_t u, size_t, lane x) { w->last[u] = x; }
LANE_FN void rule_add(rule_sums *sums, size_t k, size_t, lane x) { sums->v[k] = sums->v[k] + x; }
LANE_FN void rule_hold(rule_sums *sums, size_t k, size_t, lane_mask pays, lane x)
{
    sums->v[k] = lane_select(pays, lane_min(x, sums->v[k]), sums->v[k]);
    sums->v[k + 1] = lane_select(pays, lane_max(x, sums->v[k + 1]), sums->v[k + 1]);
}

#include "payoffs/policy_fit_lanes.h"

/* ---- Memory ---------------------------------------------------------------------------------- */

/* fit_launch.h has the same for the host. */
struct fit_arguments {
    const double *record;          /* [block][node][row][path of the block] */
    const uint32_t *nodes;         /* [date] */
    const uint32_t *fits;          /* [date]: it is one of exercise before the last */
    const double *worth;           /* [date] */
    double *moments;               /* [date][FIT_MOMENTS] */
    double *fitted;                /* [date][FIT_fitted], then the sum of what paths are paid */
    double *slope, *shift;         /* [date][asset] */
    double *paid, *last;           /* [2][path], [2][control][path] */
    double *sums;                  /* [block][sum], of moments [date][block][FIT_MOMENTS] */
    unsigned int *arrived;         /* CTAs of a launch that have written their sums */
    unsigned long long block_size; /* numbers of a block of the record */
    unsigned long long n_paths;
    unsigned int n_dates, n_blocks;
    double sign, strike;
    double coefficients[FIT_MOST_ASSETS], weights[FIT_MOST_ASSETS], spot[FIT_MOST_ASSETS];
};

/* Numbers of a path that are read before they are needed. */
struct fit_read {
    double level[FIT_assets], variance, discount;
};

LANE_FN const double *fit_row(const fit_arguments &a, unsigned node, unsigned block)
{
    return a.record + block * a.block_size + node * (size_t)FIT_rows * FIT_BLOCK;
}

/* A number that no thread of the launch writes, so that it may be read before others are written.
 */
LANE_FN double fit_load(const double *from)
{
#if LANE_GPU_CODE
    return __ldg(from);
#else
    return *from;
#endif
}

LANE_FN fit_read fit_read_levels(const double *from)
{
    fit_read r;
    POLICY_EACH
    for (int u = 0; u < FIT_assets; ++u) r.level[u] = fit_load(from + u * FIT_BLOCK);
    r.variance = FIT_varies || FIT_regimes > 1 ? fit_load(from + FIT_assets * FIT_BLOCK) : 0.0;
    r.discount = FIT_discounts ? fit_load(from + 2 * FIT_assets * FIT_BLOCK) : 1.0;
    return r;
}

LANE_FN void fit_take_levels(levy_rule_pass *w, const fit_read &r)
{
    POLICY_EACH
    for (int u = 0; u < FIT_assets; ++u) w->level[u] = lane_of(r.level[u]);
    w->variance = lane_of(r.variance);
    w->discount = lane_of(r.discount);
}

LANE_FN levy_policy fit_policy(const fit_arguments &a)
{
    levy_policy p;
    p.sign = a.sign;
    p.strike = a.strike;
    p.coefficients = a.coefficients;
    p.weights = a.weights;
    return p;
}

/* `end`: the date is the last. */
LANE_FN levy_stage_levels fit_levels(const fit_arguments &a, bool end, const double *worth)
{
    levy_stage_levels l;
    l.n_dates = end ? 1 : 2;
    l.worth = worth;
    l.spot = a.spot;
    return l;
}

#endif
