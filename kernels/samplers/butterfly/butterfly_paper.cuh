/* butterfly_paper.cuh: the two programs that Steele and Tristan compare, as they print them, for
 * one draw per path: algorithm 4 with figure 2's transposition in registers, and algorithms 7 to
 * 10, with the add-subtract form of the table (figure 5). The remnant, n_items mod 32, comes first;
 * every partial sum is kept in the thread's local memory. They are here to be measured against.
 * Their sums are in orders of their own, and rounding may let the butterfly's search end on a
 * weight of zero. */
#ifndef LEVY_BUTTERFLY_PAPER_CUH
#define LEVY_BUTTERFLY_PAPER_CUH

#include "kernels/samplers/butterfly/butterfly_kernels.cuh"

enum { PAPER_MOST = 1024, PAPER_W = BUTTERFLY_WARP };

/* Sums of the remnant, which each lane reads for itself, into p. */
template <class Real>
BUTTERFLY_DEV Real paper_remnant(const butterfly_warp<Real> &w, Real *p)
{
    const Real *const theta = w.theta_row(w.lane);
    const Real *const phi = row_at(w.v.phi, w.state, w.v.phi_bytes);
    Real sum = 0;
    for (uint32_t j = 0; j < w.v.n_items % PAPER_W; ++j) p[j] = sum += theta[j] * phi[j];
    return sum;
}

/* a[i]: the weight j + lane of path i. */
template <class Real>
BUTTERFLY_DEV void paper_read(const butterfly_warp<Real> &w, uint32_t j, Real *a)
{
#pragma unroll
    for (unsigned i = 0; i < PAPER_W; ++i)
        a[i] = load_once(w.theta_row(i) + j + w.lane) * load_often(w.phi_row(i) + j + w.lane);
}

/* ---- Algorithm 4 ----------------------------------------------------------------------------- */

template <class Real>
static __global__ void __launch_bounds__(BUTTERFLY_THREADS, 3)
    draw_paper_transposed(butterfly_view<Real> v)
{
    Real p[PAPER_MOST], a[PAPER_W];
    const butterfly_warp<Real> w(v);
    Real sum = paper_remnant(w, p);
    for (uint32_t j = v.n_items % PAPER_W; j < v.n_items; j += PAPER_W) {
        paper_read(w, j, a);
        warp_transpose<1>(a, w.lane);
#pragma unroll
        for (int k = 0; k < PAPER_W; ++k) p[j + k] = sum += a[k];
    }
    const bool good = drawable(sum);
    const Real target = target_of(sum, v.words[w.path]);
    v.items[w.path] = good ? block_of(p, 1, v.n_items, target) : 0; /* algorithm 3 */
}

/* ---- Algorithms 7 to 10 ---------------------------------------------------------------------- */

template <int BIT, class Real>
BUTTERFLY_DEV void paper_table(Real *a, Real *p, unsigned lane)
{
    if constexpr (BIT < PAPER_W) {
        const bool upper = (lane & BIT) != 0;
#pragma unroll
        for (int i = 0; i < PAPER_W / (2 * BIT); ++i) {
            const int d = 2 * BIT * i + (BIT - 1);
            const Real got = warp_across(upper ? a[d] : a[d + BIT], BIT);
            if (upper) a[d] = a[d + BIT];
            a[d + BIT] = a[d] + got;
            p[d] = a[d];
        }
        paper_table<2 * BIT>(a, p, lane);
    }
}

struct paper_place {
    uint32_t base, flip;
};

template <int BIT, class Real>
BUTTERFLY_DEV uint32_t paper_search(const Real *p, unsigned lane, paper_place at, Real low,
                                    Real high, Real target)
{
    if constexpr (BIT == 0)
        return at.base + (at.flip ^ lane);
    else {
        constexpr unsigned mask = (PAPER_W - 1) * (2 * BIT) & (PAPER_W - 1);
        Real y = 0;
#pragma unroll
        for (int i = 0; i < PAPER_W / (2 * BIT); ++i) {
            const unsigned d = (BIT - 1) + 2 * BIT * i;
            const uint32_t base = warp_from(at.base, (d & mask) + (lane & ~mask));
            const Real t = warp_from(p[base + d], lane ^ at.flip);
            if (((lane ^ d) & mask) == 0) y = t;
        }
        const Real middle = (lane & BIT) ? high - y : low + y;
        const bool below = target < middle;
        at.flip ^= BIT & (below ? lane : ~lane);
        if (below)
            high = middle;
        else
            low = middle;
        return paper_search<BIT / 2>(p, lane, at, low, high, target);
    }
}

template <class Real>
static __global__ void __launch_bounds__(BUTTERFLY_THREADS, 3)
    draw_paper_butterfly(butterfly_view<Real> v)
{
    Real p[PAPER_MOST], a[PAPER_W];
    const butterfly_warp<Real> w(v);
    const uint32_t remnant = v.n_items % PAPER_W;
    Real sum = paper_remnant(w, p);
    for (uint32_t j = remnant; j < v.n_items; j += PAPER_W) {
        paper_read(w, j, a);
        paper_table<1>(a, p + j, w.lane);
        p[j + PAPER_W - 1] = sum += a[PAPER_W - 1];
    }
    const bool good = drawable(sum);
    const Real target = good ? target_of(sum, v.words[w.path]) : (Real)0;
    uint32_t item = 0;
    paper_place at = {remnant, 0};
    if (v.n_items >= PAPER_W) {
        at.base +=
            PAPER_W * block_of(p + remnant + PAPER_W - 1, PAPER_W, v.n_items / PAPER_W, target);
        const Real low = at.base > 0 ? p[at.base - 1] : (Real)0;
        item = paper_search<PAPER_W / 2>(p, w.lane, at, low, p[at.base + PAPER_W - 1], target);
    }
    if (remnant > 0 && target < p[remnant - 1])
        for (item = 0; item + 1 < remnant && !(target < p[item]);) ++item;
    v.items[w.path] = good ? item : 0;
}

#endif
