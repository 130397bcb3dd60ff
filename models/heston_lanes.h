/* heston_lanes.h: one step of Heston's model for one asset: dS/S = (rates - yields) dt + sqrt(v)
 * dW, dv = kappa (theta - v) dt + xi sqrt(v) dB, dW dB = rho dt. S. L. Heston, A closed-form
 * solution for options with stochastic volatility, Review of Financial Studies 6, 1993. By QE-M,
 * whose laws are in heston_ends.h; here is which of them a path has.
 *
 * Where psi crosses the switch, v' jumps. A bumped market therefore keeps the law that today's has
 * on the path, as long as that is near its own: else differences are the noise of these jumps.
 *
 * With full truncation (R. Lord, R. Koekkoek, D. van Dijk, Quantitative Finance 10, 2010) Euler's
 * step reads the larger of v and 0. Lanes only. Must not know: grids, drivers. */
#ifndef LEVY_MODELS_HESTON_LANES_H
#define LEVY_MODELS_HESTON_LANES_H

#include "models/heston_ends.h"

/* Least variance: no root is of 0, and what rounding loses of so small a move is lost anyway. */
#define HESTON_LEAST_VARIANCE R(0x1p-123)
/* Shares of 16 m^2 of what s^2 leaves of them, 1 - psi / 2, below which the law is exponential, and
 * bounds beyond which the other law is not to be kept: a bump moves psi by a twentieth at most. */
#define HESTON_SWITCH R(0.25)
#define HESTON_MOST_QUADRATIC R(0.015625)
#define HESTON_LEAST_EXPONENTIAL R(0.40625)

/* ---- Which law has v' ---- */

/* A set of a lane's paths. */
#if LANE_GPU
typedef uint32_t heston_paths; /* bits */
#else
typedef lane_mask heston_paths;
#endif

LANE_FN heston_paths heston_none(void)
{
#if LANE_GPU
    return 0;
#else
    return lane_of(R(0.0)) > R(0.0);
#endif
}

/* Those of which less than a share is left. */
LANE_FN heston_paths heston_below(const heston_law *law, real share)
{
    const lane over = lane_fma(law->square, lane_of(-share), law->left);
#if LANE_GPU
    heston_paths paths = 0;
    LANE_UNROLL
    for (int i = LANES - 1; i >= 0; --i)
        paths = paths << 1 | (uint32_t)LANE_PICK(lane_one_upper, lane_one_as_bits)(over.v[i]) >> 31;
#if LANE_GPU_CODE && (LEVY_LANES > 2 || defined(LANE_SINGLE))
    asm("" : "+r"(paths)); /* or the compiler makes each bit anew from its sign */
#endif
    return paths;
#else
    return over < R(0.0);
#endif
}

/* Those of the exponential law. Dynamics that follow others keep `*kept` if they can; for others it
 * is set. */
LANE_FN heston_paths heston_exponential(const heston_law *law, int follows, heston_paths *kept)
{
    if (!follows) return *kept = heston_below(law, HESTON_SWITCH);
    return (*kept | heston_below(law, HESTON_MOST_QUADRATIC)) &
           heston_below(law, HESTON_LEAST_EXPONENTIAL);
}

LANE_FN lane_mask heston_others(heston_paths paths)
{
#if LANE_GPU
    LANE_EACH(lane_mask, !(paths >> i & 1));
#else
    return lane_not(paths);
#endif
}

/* ---- A step ---- */

LANE_FN heston_end heston_by_law(const real *n, const heston_law *law, lane y,
                                 heston_paths exponential, int small)
{
    const lane_mask quadratic = heston_others(exponential);
    return lane_any(lane_not(quadratic))
               ? heston_end_of(n, law, y, HESTON_EACH, quadratic, small)
               : heston_end_of(n, law, y, HESTON_QUADRATIC, quadratic, small);
}

#if LANE_GPU
#if LEVY_LANES > 2 || !defined(LANE_SINGLE)
/* Few paths have the exponential law, but most warps have some. The end of one path, in all places
 * of a lane, of which one is read: */
LANE_FN heston_end heston_one(const real *n, real from, real y)
{
    const heston_law law = heston_law_of(n, lane_of(from));
    return heston_end_of(n, &law, lane_of(y), HESTON_EXPONENTIAL, heston_others(0), 1);
}

LANE_FN void heston_put(heston_end *end, uint32_t path, real moved, real still)
{
    end->moved.v[path] = moved;
    end->still.v[path] = still;
}
#endif

#if LEVY_LANES > 2
/* Each thread of a warp takes one of them, whichever thread's it is, from shared memory. */
enum { HESTON_QUEUE = 32, HESTON_MOST = 3 /* of a thread */ };
typedef struct LANE_ALIGNED(8) heston_queued {
    real from, y; /* and then moved, still */
} heston_queued;

LANE_FN heston_end heston_by_few(const real *n, const heston_law *law, lane from, lane y,
                                 heston_paths few)
{
    static __shared__ heston_queued queues[LEVY_COLUMNS / 32][HESTON_QUEUE];
    const uint32_t count = (uint32_t)__popc(few), before = (1u << threadIdx.x % 32) - 1,
                   ones = __ballot_sync(0xffffffffu, count & 1),
                   twos = __ballot_sync(0xffffffffu, count & 2);
    if (__any_sync(0xffffffffu, count > HESTON_MOST) ||
        __popc(ones) + 2 * __popc(twos) > HESTON_QUEUE)
        return heston_by_law(n, law, y, few, 1);
    heston_queued *const queue = queues[threadIdx.x / 32], *const mine = queue + threadIdx.x % 32,
                         *found = queue + __popc(ones & before) + 2 * __popc(twos & before);
    volatile real *to = &found->from; /* in one store the two would have to be neighbours */
    LANE_UNROLL
    for (uint32_t i = 0; i < LANES; ++i)
        if (few >> i & 1) {
            *to++ = from.v[i];
            *to++ = y.v[i];
        }
    __syncwarp();
    const heston_queued given = *mine; /* of some threads nothing, which nobody reads */
    const heston_end one = heston_one(n, given.from, given.y);
    heston_end end = heston_end_of(n, law, y, HESTON_QUADRATIC, heston_others(0), 1);
    *mine = {one.moved.v[0], one.still.v[0]};
    __syncwarp();
    LANE_UNROLL
    for (uint32_t i = 0; i < LANES; ++i)
        if (few >> i & 1) {
            heston_put(&end, i, found->from, found->y);
            ++found;
        }
    __syncwarp();
    return end;
}
#elif LEVY_LANES == 2 && !defined(LANE_SINGLE)
/* A thread's only one is found in the shadow of the other law's, which all paths take. */
LANE_FN heston_end heston_by_few(const real *n, const heston_law *law, lane from, lane y,
                                 heston_paths few)
{
    if (__any_sync(0xffffffffu, few > 2)) return heston_by_law(n, law, y, few, 1);
    heston_end end = heston_end_of(n, law, y, HESTON_QUADRATIC, heston_others(0), 1);
    real one_from = from.v[0], one_y = y.v[0];
    if (few > 1) {
        one_from = from.v[1];
        one_y = y.v[1];
    }
    const heston_end one = heston_one(n, one_from, one_y);
    LANE_UNROLL
    for (uint32_t i = 0; i < LANES; ++i)
        if (few >> i & 1) heston_put(&end, i, one.moved.v[0], one.still.v[0]);
    return end;
}
#else
/* Of so few paths all take the other law, too, where one of them has it. */
LANE_FN heston_end heston_by_few(const real *n, const heston_law *law, lane from, lane y,
                                 heston_paths few)
{
    heston_end end = heston_end_of(n, law, y, HESTON_QUADRATIC, heston_others(0), 1);
    (void)from;
    if (!few) return end;
    const heston_end other = heston_end_of(n, law, y, HESTON_EXPONENTIAL, heston_others(0), 1);
    end.moved = lane_select(heston_others(few), end.moved, other.moved);
    end.still = lane_select(heston_others(few), end.still, other.still);
    return end;
}
#endif

LANE_FN heston_end heston_step_of(const real *n, const heston_law *law, lane from, lane y,
                                  heston_paths exponential)
{
    return n[HESTON_SMALL] > R(0.0) ? heston_by_few(n, law, from, y, exponential)
                                    : heston_by_law(n, law, y, exponential, 0);
}
#else
LANE_FN heston_end heston_step_of(const real *n, const heston_law *law, lane from, lane y,
                                  heston_paths exponential)
{
    (void)from;
    return heston_by_law(n, law, y, exponential, n[HESTON_SMALL] > R(0.0));
}
#endif

/* Moves v over a step by y; returns the log return without its normal part, in path_log's units. */
LANE_FN lane heston_quadratic_exponential(const real *n, lane *v, lane y, int follows,
                                          heston_paths *kept)
{
    const lane from = *v;
    const heston_law law = heston_law_of(n, from);
    const heston_end end =
        heston_step_of(n, &law, from, y, heston_exponential(&law, follows, kept));
    *v = lane_raised(lane_fma(law.four, lane_of(R(0.25)), end.moved), HESTON_LEAST_VARIANCE);
    const lane still = lane_fma(lane_of(-n[HESTON_LOST]), from, end.still);
    return lane_fma(end.moved, lane_of(n[HESTON_PULL]), still);
}

#endif
