/* integral.h: one normal of each path integrated in closed form. On a path the logarithm of the
 * level at a date is a + b z, with z the first normal of the construction (the end point of a
 * bridge, the largest principal component), which the path loop draws as 0, so that it shows a. The
 * loading b is a positive number of date and market. A level beyond a barrier is then a half-line
 * of z, and money on an interval of z a difference of normal distribution functions. A. Griewank,
 * F. Y. Kuo, H. Leoevey, I. H. Sloan, High dimensional integration of kinks and jumps, J. Comput.
 * Appl. Math. 344 (2018); Y. Xiao, X. Wang, Conditional quasi-Monte Carlo methods and dimension
 * reduction, same journal 342 (2018). Lanes only, and the numbers that a plan gives them. */
#ifndef LEVY_PAYOFFS_INTEGRAL_H
#define LEVY_PAYOFFS_INTEGRAL_H

#include "kernels/lane/maths.h"
#include "payoffs/item.h"

/* Terms of an integrated item, which the plan fills with its dynamics. */
enum {
    INTEGRAL_LOADING = 12, /* b at expiry, of the natural logarithm */
    INTEGRAL_INVERSE = 13, /* 1 / b, of the logarithm in the units of path_log */
    INTEGRAL_GROWTH = 14   /* exp(b^2 / 2) */
};
#define INTEGRAL_FAR R(1e30) /* beyond every z; its product with any logarithm is finite */

/* On a GPU once in a kernel, however many items there are: a call costs little once a path. */
#if LANE_GPU_CODE
#define INTEGRAL_ONCE static __device__ __noinline__
#else
#define INTEGRAL_ONCE LANE_FN
#endif

/* The normals in [low, high]. */
typedef struct integral_range {
    lane low, high;
} integral_range;

LANE_FN integral_range integral_all(void)
{
    const integral_range all = {lane_of(-INTEGRAL_FAR), lane_of(INTEGRAL_FAR)};
    return all;
}

/* Where a logarithm a + b z is at `level`. */
LANE_FN lane integral_at(real level, lane a, real inverse) { return (level - a) * inverse; }

/* Phi(high) - Phi(low), 0 of what is empty. On the upper half from the other side, where the small
 * numbers are. */
INTEGRAL_ONCE lane integral_mass(integral_range r)
{
    const lane_mask upper = r.low > R(0.0);
    const lane from = lane_select(upper, -r.high, r.low), to = lane_select(upper, -r.low, r.high);
    return lane_max(lane_normal_cdf(to) - lane_normal_cdf(from), lane_of(R(0.0)));
}

/* Phi(z). */
INTEGRAL_ONCE lane integral_below(lane z) { return lane_normal_cdf(z); }

/* What `asset` levels at expiry, whose value at z = 0 is x, and `cash` are worth on a range. */
LANE_FN lane integral_worth(const real *terms, integral_range r, lane x, real asset, real cash)
{
    const integral_range moved = {r.low - terms[INTEGRAL_LOADING],
                                  r.high - terms[INTEGRAL_LOADING]};
    return lane_fma(x * (asset * terms[INTEGRAL_GROWTH]), integral_mass(moved),
                    integral_mass(r) * cash);
}

/* The part of a range on which the option is in the money. */
LANE_FN integral_range integral_pays(const real *terms, real log_strike, integral_range r, lane x)
{
    const lane strike = integral_at(log_strike, path_log(x), terms[INTEGRAL_INVERSE]);
    if (terms[ITEM_SIGN] > R(0.0))
        r.low = lane_max(r.low, strike);
    else
        r.high = lane_min(r.high, strike);
    return r;
}

/* A European option on a range. */
LANE_FN lane integral_option(const real *terms, real log_strike, integral_range r, lane x)
{
    return integral_worth(terms, integral_pays(terms, log_strike, r, x), x, terms[ITEM_SIGN],
                          -terms[ITEM_SIGN] * terms[ITEM_STRIKE]);
}

#endif
