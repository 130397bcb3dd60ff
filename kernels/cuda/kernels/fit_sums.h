/* fit_sums.h: the sums of a block of paths and of all blocks, and the coefficients that follow.
 * Part of fit.cu. */
#ifndef LEVY_CUDA_FIT_SUMS_H
#define LEVY_CUDA_FIT_SUMS_H

#include "kernels/cuda/kernels/fit_rule.h"

/* ---- Sums of a block ------------------------------------------------------------------------- */

typedef double fit_room[LEVY_RULE_GROUPS][FIT_ROUND][LEVY_RULE_COLUMNS];

/* Adds the columns' sums of the CTA's groups in order, then columns; `first`: their number among
 * the block's. */
template <int COUNT>
LANE_FN void fit_fold(const double *sum, fit_room room, double *to)
{
    enum { EACH = (FIT_ROUND + LEVY_RULE_GROUPS - 1) / LEVY_RULE_GROUPS }; /* of a warp */
    const unsigned group = threadIdx.x / 32, column = threadIdx.x % 32;
    POLICY_EACH
    for (int from = 0; from < COUNT; from += FIT_ROUND) {
        POLICY_EACH
        for (int s = 0; s < FIT_ROUND; ++s)
            if (from + s < COUNT) room[group][s][column] = sum[from + s];
        __syncthreads();
        double x[EACH];
        POLICY_EACH
        for (int g = 0; g < LEVY_RULE_GROUPS; ++g) POLICY_EACH
        for (unsigned t = 0; t < EACH; ++t) {
            const unsigned s = group + t * LEVY_RULE_GROUPS;
            const double one = room[g][s < FIT_ROUND ? s : 0][column];
            x[t] = g ? x[t] + one : one;
        }
        POLICY_EACH
        for (unsigned half = 16; half; half /= 2) POLICY_EACH
        for (unsigned t = 0; t < EACH; ++t) x[t] += __shfl_down_sync(0xffffffffu, x[t], half);
        POLICY_EACH
        for (unsigned t = 0; t < EACH; ++t) {
            const unsigned s = group + t * LEVY_RULE_GROUPS;
            if (column == 0 && s < FIT_ROUND && from + s < COUNT) to[from + s] = x[t];
        }
        __syncthreads();
    }
}

/* Whether this CTA is the launch's last, which then sees what all have written. */
LANE_FN bool fit_is_last(unsigned int *arrived)
{
    static __shared__ unsigned before;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) before = atomicAdd(arrived, 1u);
    __syncthreads();
    if (before + 1 < gridDim.x * gridDim.y) return false;
    if (threadIdx.x == 0) *arrived = 0; /* for the next launch */
    __threadfence();
    return true;
}

enum { FIT_SIDE = 64 }; /* blocks whose sums are read at a time */

/* Blocks are added in order. */
LANE_FN double fit_total(const double *sums, unsigned n_blocks, size_t apart)
{
    double total = sums[0];
    for (unsigned from = 1; from < n_blocks;
         from += FIT_SIDE) { /* all of them at once on their way */
        double some[FIT_SIDE];
        POLICY_EACH
        for (unsigned b = 0; b < FIT_SIDE; ++b)
            some[b] = from + b < n_blocks ? sums[(from + b) * apart] : 0.0;
        POLICY_EACH
        for (unsigned b = 0; b < FIT_SIDE; ++b)
            if (from + b < n_blocks) total += some[b];
    }
    return total;
}

/* ---- Coefficients ---------------------------------------------------------------------------- */

/* Whether fit_quotient serves: NaN does not. */
LANE_FN bool fit_is_plain(double x) { return fabs(x) > 1e-200 && fabs(x) < 1e200; }

/* x / y. PLAIN: if it is not said that numbers are beyond the plain ones, which nobody waits for.
 */
template <bool PLAIN>
LANE_FN double fit_share(double x, double y, double divisor, bool *beyond)
{
    if (!PLAIN) return x / y;
    *beyond = *beyond || !fit_is_plain(y) || (x != 0.0 && !fit_is_plain(x));
    return fit_quotient(x, y, divisor);
}

LANE_FN double fit_show(double x, int lane) { return __shfl_sync(0xffffffffu, x, lane); }

/* As levy_rule_solve: thread j of a warp has column j of the triangle. What a pivot waits for is
 * short: it is changed apart from its row, and known to divide by before it is wanted. */
template <bool PLAIN>
LANE_FN bool fit_solve_by(const double *products, double *more)
{
    const unsigned j = threadIdx.x;
    double row[FIT_COLUMNS], pivots[FIT_COLUMNS], divisors[FIT_COLUMNS], c[FIT_COLUMNS], own = 0.0;
    bool beyond = false;
    POLICY_EACH
    for (int i = 0; i < FIT_COLUMNS; ++i) {
        const int at = i * (FIT_COLUMNS + 1) - i * (i - 1) / 2 - i;
        row[i] = j >= i && j <= FIT_COLUMNS ? products[at + j] : 0.0;
        if (j == i) own = row[i];
    }
    const double least = LEVY_RULE_RANK * own;
    POLICY_EACH
    for (int k = 0; k < FIT_COLUMNS; ++k) {
        const double pivot = fit_show(own > least ? own : 0.0, k), divisor = fit_divisor(pivot);
        const double share = pivot > 0.0 ? fit_share<PLAIN>(row[k], pivot, divisor, &beyond) : 0.0;
        pivots[k] = pivot;
        divisors[k] = divisor;
        own -= share * row[k];
        POLICY_EACH
        for (int i = k + 1; i < FIT_COLUMNS; ++i) row[i] -= fit_show(share, i) * row[k];
    }
    POLICY_EACH
    for (int k = FIT_COLUMNS; k-- > 0;) {
        double left = fit_show(row[k], FIT_COLUMNS);
        POLICY_EACH
        for (int i = k + 1; i < FIT_COLUMNS; ++i) left -= fit_show(row[k], i) * c[i];
        c[k] = pivots[k] > 0.0 ? fit_share<PLAIN>(left, pivots[k], divisors[k], &beyond) : 0.0;
    }
    POLICY_EACH
    for (int k = FIT_COLUMNS - FIT_terms; k < FIT_COLUMNS; ++k)
        if (j == k) more[k - (FIT_COLUMNS - FIT_terms)] = c[k];
    return !__any_sync(0xffffffffu, beyond);
}

LANE_FN void fit_solve(const double *products, double *more)
{
    if (!fit_solve_by<true>(products, more)) fit_solve_by<false>(products, more);
}

#endif
