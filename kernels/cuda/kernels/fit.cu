/* fit.cu: the fit of a rule of exercise (payoffs/policy.h) on levels that a GPU has recorded, with
 * the bits of the host's (payoffs/policy_fit.c): what is done with a path is the same text, and
 * sums have the same order (payoffs/policy_numbers.h). A CTA has a block of paths and some of a
 * regression's sums, a warp of it a group, a thread a column. The CTA that is the last adds the
 * blocks in order and solves. A launch is a date: it pays paths by the rule of a later date, which
 * is fitted by then, and sums. Compiled by NVRTC: fit_launch.c writes FIT_... before this file.
 * Must not know: how levels are made, streams. */
#include "kernels/cuda/kernels/fit_rule.h"
#include "kernels/cuda/kernels/fit_sums.h"

/* ---- Moments --------------------------------------------------------------------------------- */

/* The next of sums, of which the ranges' are least and most in turn. */
LANE_FN double fit_next(size_t k, double a, double b)
{
    if (k < FIT_ADDED) return a + b;
    const bool better = (k - FIT_ADDED) % 2 ? b > a : b < a;
    return better ? b : a;
}

/* Where a range begins. */
LANE_FN double fit_farthest(size_t k) { return (k - FIT_ADDED) % 2 ? -1e300 : 1e300; }

/* A warp has a block of a date. */
extern "C" __global__ void __launch_bounds__(128)
    levy_fit_moments(const __grid_constant__ fit_arguments a)
{
    const unsigned unit = blockIdx.x * 4 + threadIdx.x / 32, column = threadIdx.x % 32;
    if (unit >= a.n_dates * a.n_blocks) return;
    const unsigned date = unit / a.n_blocks, block = unit % a.n_blocks,
                   next = date + 1 < a.n_dates ? date + 1 : date;
    const levy_policy policy = fit_policy(a);
    const levy_stage_levels levels = fit_levels(a, false, a.worth + date);
    const double *const at = fit_row(a, a.nodes[date], block);
    const double *const behind = fit_row(a, a.nodes[next], block);
    levy_rule_pass now, after;
    rule_sums sums;
    now.policy = after.policy = &policy;
    now.levels = after.levels = &levels;
    POLICY_EACH
    for (size_t k = 0; k < FIT_MOMENTS; ++k)
        sums.v[k] = lane_of(k < FIT_ADDED ? 0.0 : fit_farthest(k));
#pragma unroll 8
    for (unsigned row = 0; row < FIT_BLOCK_ROWS; ++row) {
        const unsigned path = row * LEVY_RULE_COLUMNS + column;
        fit_take_levels(&now, fit_read_levels(at + path));
        if (FIT_cash && FIT_controls) fit_take_levels(&after, fit_read_levels(behind + path));
        rule_moments(&now, &after, 0, 0, path, 0, &sums);
    }
    POLICY_EACH
    for (size_t k = 0; k < FIT_MOMENTS; ++k) {
        double x = lane_get(sums.v[k], 0);
        POLICY_EACH
        for (unsigned half = 16; half; half /= 2)
            x = fit_next(k, x, __shfl_down_sync(0xffffffffu, x, half));
        if (column == 0) a.sums[unit * FIT_MOMENTS + k] = x;
    }
}

/* Whether there are paths enough for the rule of a date. */
LANE_FN bool fit_has(const fit_arguments &a, unsigned date)
{
    return a.moments[date * FIT_MOMENTS] >= (double)(LEVY_POLICY_PATHS * FIT_terms);
}

/* One CTA: the moments of all dates, and what follows from them. */
extern "C" __global__ void __launch_bounds__(FIT_MERGED)
    levy_fit_begin(const __grid_constant__ fit_arguments a)
{
    const levy_policy policy = fit_policy(a);
    for (unsigned i = threadIdx.x; i < a.n_dates * FIT_MOMENTS; i += FIT_MERGED) {
        const unsigned date = i / FIT_MOMENTS, k = i % FIT_MOMENTS;
        const double *const sums = a.sums + (size_t)date * a.n_blocks * FIT_MOMENTS + k;
        double total = sums[0];
#pragma unroll 16
        for (unsigned b = 1; b < a.n_blocks; ++b) total = fit_next(k, total, sums[b * FIT_MOMENTS]);
        a.moments[i] = total;
    }
    for (unsigned i = threadIdx.x; i < a.n_dates * FIT_fitted; i += FIT_MERGED) a.fitted[i] = 0.0;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < a.n_dates * FIT_variables; i += FIT_MERGED) {
        const unsigned date = i / FIT_variables, j = i % FIT_variables;
        double *const row = a.fitted + date * FIT_fitted;
        if (!a.fits[date]) continue;
        if (fit_has(a, date))
            rule_standard(&policy, j, a.moments + date * FIT_MOMENTS,
                          row + j * LEVY_POLICY_NUMBERS);
        else
            row[FIT_variables * LEVY_POLICY_NUMBERS] = LEVY_POLICY_NEVER;
    }
    /* where cash is paid, a date's is made from the next one's */
    for (unsigned i = threadIdx.x; i < (FIT_cash ? 1 : a.n_dates) * FIT_controls; i += FIT_MERGED) {
        const unsigned u = i % FIT_controls, first = FIT_cash ? 0 : i / FIT_controls;
        for (unsigned date = FIT_cash ? a.n_dates : first + 1; date-- > first;) {
            const double *const sums = a.moments + date * FIT_MOMENTS;
            rule_martingale(&policy, u, (double)a.n_paths, a.spot[u], sums,
                            date + 1 < a.n_dates ? sums + FIT_MOMENTS : 0,
                            a.slope + date * FIT_assets + u, a.shift + date * FIT_assets + u);
        }
    }
}

/* ---- A date ---------------------------------------------------------------------------------- */

/* What a CTA knows of a date. */
struct fit_date {
    double numbers[FIT_fitted], slope[FIT_assets], shift[FIT_assets], worth;
};

/* Reads it, by threads side by side. At the last date nothing is exercised by a rule. */
LANE_FN void fit_know(const fit_arguments &a, unsigned date, fit_date *d)
{
    const unsigned i = threadIdx.x, u = i % 32;
    static_assert(FIT_fitted < 64 && FIT_assets <= 32, "as many threads");
    if (i < FIT_fitted) d->numbers[i] = a.fitted[date * FIT_fitted + i];
    if (i / 32 == 2 && u < FIT_assets) d->slope[u] = a.slope[date * FIT_assets + u];
    if (i / 32 == 3 && u < FIT_assets) d->shift[u] = a.shift[date * FIT_assets + u];
    if (i == 128) d->worth = a.worth[date];
    if (date + 1 == a.n_dates && i == FIT_variables * LEVY_POLICY_NUMBERS)
        d->numbers[i] = LEVY_POLICY_NEVER;
}

/* Where a block's levels lie at two dates, and what its paths are paid before a launch and after
 * it: two places in turn. */
struct fit_place {
    const double *now, *then, *paid, *last;
    double *to_paid, *to_last;
};

LANE_FN fit_place fit_place_of(const fit_arguments &a, unsigned node, unsigned later, unsigned turn)
{
    const size_t at = (size_t)blockIdx.x * FIT_BLOCK;
    fit_place p;
    p.now = fit_row(a, node, blockIdx.x);
    p.then = fit_row(a, later, blockIdx.x);
    p.paid = a.paid + turn * a.n_paths + at;
    p.last = a.last + turn * FIT_controls * a.n_paths + at;
    p.to_paid = a.paid + (1 - turn) * a.n_paths + at;
    p.to_last = a.last + (1 - turn) * FIT_controls * a.n_paths + at;
    return p;
}

LANE_FN void fit_pass(levy_rule_pass *w, const levy_policy *policy, const levy_stage_levels *levels,
                      const fit_date *date)
{
    w->policy = policy;
    w->levels = levels;
    w->slope = date->slope;
    w->shift = date->shift;
    w->fitted = date->numbers;
}

/* What is read of a path for a date, before it is needed. */
struct fit_ahead {
    fit_read now, then;
    double paid, last[FIT_controls + 1];
};

LANE_FN fit_ahead fit_read_path(const fit_arguments &a, const fit_place &place, unsigned path)
{
    fit_ahead r;
    r.now = fit_read_levels(place.now + path);
    r.then = fit_read_levels(place.then + path);
    r.paid = fit_load(place.paid + path);
    POLICY_EACH
    for (int u = 0; u < FIT_controls; ++u) r.last[u] = fit_load(place.last + u * a.n_paths + path);
    return r;
}

LANE_FN void fit_take_paid(const double *paid, const double *last, size_t apart, levy_rule_pass *w)
{
    w->paid = lane_of(*paid);
    POLICY_EACH
    for (int u = 0; u < FIT_controls; ++u) w->last[u] = lane_of(last[u * apart]);
}

LANE_FN void fit_keep_paid(const fit_arguments &a, const fit_place &place, unsigned path,
                           const levy_rule_pass *w)
{
    place.to_paid[path] = lane_get(w->paid, 0);
    POLICY_EACH
    for (int u = 0; u < FIT_controls; ++u)
        place.to_last[u * a.n_paths + path] = lane_get(w->last[u], 0);
}

/* The first path of the thread's column. */
LANE_FN unsigned fit_first(void) { return threadIdx.x / 32 * LEVY_RULE_GROUP + threadIdx.x % 32; }

/* Pays the paths of the thread's column by the rule of a date, or at the last date, and keeps that;
 * returns the sum of what they are paid. */
template <bool END>
LANE_FN double fit_pay(const fit_arguments &a, const fit_place &place, const fit_date *known)
{
    const levy_policy policy = fit_policy(a);
    const levy_stage_levels then = fit_levels(a, END, &known->worth);
    double sum = 0.0;
    levy_rule_pass v;
    fit_pass(&v, &policy, &then, known);
#pragma unroll 4
    for (unsigned row = 0; row < LEVY_RULE_ROWS; ++row) {
        const unsigned path = fit_first() + row * LEVY_RULE_COLUMNS;
        lane x[FIT_COLUMNS + 1];
        fit_take_levels(&v, fit_read_levels(place.then + path));
        if (!END) fit_take_paid(place.paid + path, place.last + path, a.n_paths, &v);
        rule_decide(&v, 0, path, x, 1);
        fit_keep_paid(a, place, path, &v);
        sum += lane_get(v.paid, 0);
    }
    return sum;
}

/* Pays the paths of the thread's column by the rule of the later date, and adds to `sum` their
 * products at `date` from number FIRST on. The first chunk's CTA keeps what
 * they are paid. */
template <int FIRST>
LANE_FN void fit_sum(const fit_arguments &a, const fit_place &place, const fit_date *known,
                     double *sum)
{
    const levy_policy policy = fit_policy(a);
    const levy_stage_levels then = fit_levels(a, false, &known[1].worth),
                            now = fit_levels(a, false, &known[0].worth);
    levy_rule_pass w, v;
    fit_pass(&w, &policy, &now, known);
    fit_pass(&v, &policy, &then, known + 1);
    const double share = 1.0 / known[0].worth;
    fit_ahead ahead = fit_read_path(a, place, fit_first());
#pragma unroll FIT_unroll
    for (unsigned row = 0; row < LEVY_RULE_ROWS; ++row) {
        const unsigned path = fit_first() + row * LEVY_RULE_COLUMNS;
        lane x[FIT_COLUMNS + 1];
        fit_take_levels(&w, ahead.now);
        fit_take_levels(&v, ahead.then);
        fit_take_paid(&ahead.paid, ahead.last, 1, &v);
        ahead = fit_read_path(a, place, path + (row + 1 < LEVY_RULE_ROWS ? LEVY_RULE_COLUMNS : 0));
        rule_decide(&v, 0, path, x, 1);
        if (FIRST == 0) fit_keep_paid(a, place, path, &v);
        w.paid = v.paid;
        POLICY_EACH
        for (int u = 0; u < FIT_controls; ++u) w.last[u] = v.last[u];
        rule_columns(&w, 0, path, share, x, 1);
        POLICY_EACH
        for (int i = 0; i < FIT_COLUMNS; ++i) POLICY_EACH
        for (int j = i; j <= FIT_COLUMNS; ++j) {
            const int s = i * (FIT_COLUMNS + 1) - i * (i - 1) / 2 + j - i;
            if (s >= FIRST && s < FIRST + FIT_EACH)
                sum[s - FIRST] += lane_get(x[i], 0) * lane_get(x[j], 0);
        }
    }
}

/* The sums of a block that are the CTA's. */
template <int CHUNK>
LANE_FN void fit_chunk(const fit_arguments &a, const fit_place &place, const fit_date *known,
                       fit_room room)
{
    if constexpr (CHUNK < FIT_chunks) {
        if (blockIdx.y != CHUNK) return fit_chunk<CHUNK + 1>(a, place, known, room);
        constexpr int first = CHUNK * FIT_EACH,
                      count = FIT_PRODUCTS - first < FIT_EACH ? FIT_PRODUCTS - first : FIT_EACH;
        double sum[FIT_EACH];
        POLICY_EACH
        for (int s = 0; s < FIT_EACH; ++s) sum[s] = 0.0;
        fit_sum<first>(a, place, known, sum);
        fit_fold<count>(sum, room, a.sums + (size_t)blockIdx.x * FIT_PRODUCTS + first);
    }
}

/* node, later_node: where the dates' levels lie; turn: where paths' numbers do. Grid: blocks,
 * chunks of sums. */
extern "C" __global__ void __launch_bounds__(FIT_THREADS, 1)
    levy_fit_date(const __grid_constant__ fit_arguments a, unsigned date, unsigned node,
                  unsigned later, unsigned later_node, unsigned turn)
{
    static __shared__ fit_date known[2];
    static __shared__ fit_room room;
    static_assert(sizeof room >= FIT_PRODUCTS * sizeof(double), "room for the products");
    const fit_place place = fit_place_of(a, node, later_node, turn);
    fit_know(a, date, known);
    fit_know(a, later, known + 1);
    const bool has = fit_has(a, date);
    __syncthreads();
    if (!has) {
        if (blockIdx.y == 0) fit_pay<false>(a, place, known + 1);
        return;
    }
    fit_chunk<0>(a, place, known, room);
    if (!fit_is_last(a.arrived)) return;
    double *const products = room[0][0];
    for (unsigned s = threadIdx.x; s < FIT_PRODUCTS; s += FIT_THREADS)
        products[s] = fit_total(a.sums + s, a.n_blocks, FIT_PRODUCTS);
    __syncthreads();
    if (threadIdx.x < 32)
        fit_solve(products,
                  a.fitted + (size_t)date * FIT_fitted + FIT_variables * LEVY_POLICY_NUMBERS);
}

/* What paths are paid at the last date. */
extern "C" __global__ void __launch_bounds__(FIT_THREADS)
    levy_fit_end(const __grid_constant__ fit_arguments a, unsigned last, unsigned node)
{
    static __shared__ fit_date known;
    fit_know(a, last, &known);
    __syncthreads();
    fit_pay<true>(a, fit_place_of(a, node, node, 1), &known);
}

/* Pays paths by the first rule, and sums what they are paid. */
extern "C" __global__ void __launch_bounds__(FIT_THREADS)
    levy_fit_paid(const __grid_constant__ fit_arguments a, unsigned later, unsigned node,
                  unsigned turn)
{
    static __shared__ fit_date known;
    static __shared__ fit_room room;
    fit_know(a, later, &known);
    __syncthreads();
    const double sum = fit_pay<false>(a, fit_place_of(a, node, node, turn), &known);
    fit_fold<1>(&sum, room, a.sums + blockIdx.x);
    if (fit_is_last(a.arrived) && threadIdx.x == 0)
        a.fitted[(size_t)a.n_dates * FIT_fitted] = fit_total(a.sums, a.n_blocks, 1);
}
