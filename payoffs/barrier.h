/* barrier.h: a payoff that a touch of a barrier, or of either of two, knocks out (or in), with a
 * rebate. Lanes only.
 *
 * Discrete monitoring: state 0 is 1 while alive. Continuous monitoring, on one asset: between nodes
 * the logarithm is a Brownian motion of constant variance v per interval. State 0 is therefore
 * multiplied by the probability that the bridge between the interval's two ends stays inside: 1 -
 * exp(-2 a b / v) for one barrier at distances a and b (state 1: the left end), and the series of
 * images for two. The price is exact in expectation, smooth, and uses no draw. L. Andersen and R.
 * Brotherton-Ratcliffe, Exact exotics, Risk 9 (1996). With BARRIER_IMAGES images the error is 4e-17
 * if an interval's deviation is within 1.26 times the distance of the two barriers; the nodes are
 * placed accordingly. A scenario's larger volatility takes more of them.
 *
 * A rebate at hit (state 2: paid so far) is replaced by its expectation given the interval's left
 * end, by the density of the hitting time: E[exp(-rho tau); tau <= 1] = exp(mu a) g(a), g(c) =
 * exp(-c k) Phi(k - c) + exp(c k) Phi(-k - c), k^2 = mu^2 + 2 rho, with distance and drift in
 * deviations of the interval; again by images for two barriers.
 *
 * Where the variance differs from path to path, that of an interval is the growth of the path's
 * integral (lane 0 of those kept), as if it were constant on the interval and no part of the
 * return: an error in proportion to the interval's length. A rebate at the hit is discounted from
 * the interval's middle; of two barriers, each is hit first as the chances to cross it alone say.
 *
 * Terms: [START] 1, or 0 if already touched. The weight of the path is [C] alive + [D]: out (1, 0),
 * in (-1, 1). Discrete, one barrier: [A] barrier times [B], [B] +1 up, -1 down. Otherwise [A] the
 * barrier or the lower one, [B] the side, [E] the upper one; logarithms, in the units of path_log,
 * if continuous. [F] rebate at expiry; at hit: [F] of the barrier or the lower one, [G] of the
 * upper one. Digital: [H] cash, [H + 1] 1 if it pays the asset. The rest as in european.h. */
#ifndef LEVY_PAYOFFS_BARRIER_H
#define LEVY_PAYOFFS_BARRIER_H

#include "payoffs/barrier_integrated.h"
#include "payoffs/digital.h"
#include "payoffs/seen.h"

enum { BARRIER_IMAGES = 5, BARRIER_MOST_IMAGES = 33 };
enum {                 /* an item's numbers at a node, of the interval that ends there */
       BARRIER_SCALE,  /* 1 / deviation, in the units of 1 / path_log */
       BARRIER_JUMP,   /* fall of the logarithm at the node by proportional dividends */
       BARRIER_OPENS,  /* 1 where the window opens */
       BARRIER_HERE,   /* what 1 paid at the node is worth in money of the payment date */
       BARRIER_BEFORE, /* the same for the interval's start */
       BARRIER_EXCESS, /* mu - k, with mu the drift towards the (upper) barrier */
       BARRIER_KAPPA,  /* k */
       BARRIER_DRIFT,  /* mu */
       BARRIER_NODE_TERMS,
       /* where variances differ: SCALE is that of variance 1, and */
       BARRIER_MIDDLE = BARRIER_EXCESS /* what 1 paid in the interval's middle is worth */
};

/* Mask of the paths at or beyond a barrier. */
LANE_FN lane_mask barrier_beyond(uint32_t variant, const real *terms, lane x)
{
    if (variant & BARRIER_DOUBLE) return (x <= terms[ITEM_A]) | (x >= terms[ITEM_E]);
    if (variant & BARRIER_CONTINUOUS) return (x - terms[ITEM_A]) * terms[ITEM_B] >= R(0.0);
    return x * terms[ITEM_B] >= terms[ITEM_A];
}

/* Ends the paths that are beyond a barrier, and credits those alive with the rebate at the hit. */
LANE_FN void barrier_hit(uint32_t variant, const real *terms, const real *node_terms,
                         lane_mask beyond, lane x, lane *state)
{
    const lane zero = lane_of(R(0.0));
    if (variant & BARRIER_AT_HIT) {
        lane amount = lane_of(terms[ITEM_F]);
        if (variant & BARRIER_DOUBLE)
            amount = lane_select(x >= terms[ITEM_E], lane_of(terms[ITEM_G]), amount);
        state[2] =
            state[2] + lane_select(beyond, amount * node_terms[BARRIER_HERE] * state[0], zero);
    }
    state[0] = lane_select(beyond, zero, state[0]);
}

/* exp(-2 a b) for the product of two distances in deviations; 1 where a b < 0. */
LANE_FN lane barrier_image(lane product)
{
    return path_exp(
        lane_min(product * LANE_PICK(R(-2.0), R(-2.8853900817779268)), lane_of(R(0.0))));
}

/* The number of images on each side for two barriers whose distance is `width` deviations. */
LANE_FN int barrier_images(real width)
{
    if (width >= R(0.79)) return BARRIER_IMAGES;
    return width > R(0.125) ? (int)(R(4.0) / width) + 1 : BARRIER_MOST_IMAGES;
}

/* What the images at `shift` on both sides add to a bridge's survival. */
LANE_FN lane barrier_pair(lane sum, lane a, lane b, real shift)
{
    const lane across = (b - a) * shift;
    sum = sum + (barrier_image(shift * shift + across) - barrier_image((a + shift) * (b + shift)));
    return sum + (barrier_image(shift * shift - across) - barrier_image((a - shift) * (b - shift)));
}

/* Probability that the bridge between two points stays inside. */
LANE_FN lane barrier_survival(uint32_t variant, const real *terms, const real *node_terms,
                              lane from, lane to)
{
    const lane a = (from - terms[ITEM_A]) * node_terms[BARRIER_SCALE],
               b = (to - terms[ITEM_A]) * node_terms[BARRIER_SCALE];
    if (!(variant & BARRIER_DOUBLE)) return R(1.0) - barrier_image(a * b);
    const real width = (terms[ITEM_E] - terms[ITEM_A]) * node_terms[BARRIER_SCALE];
    lane sum = lane_of(R(0.0));
    if (width < R(0.125)) return sum; /* the probability is below 1e-130 */
    for (int n = barrier_images(width); n > BARRIER_IMAGES; --n)
        sum = barrier_pair(sum, a, b, (real)n * width);
    for (int n = BARRIER_IMAGES; n > 0; --n) sum = barrier_pair(sum, a, b, (real)n * width);
    sum = sum + (R(1.0) - barrier_image(a * b));
    const lane_mask inside = (a > R(0.0)) & (a < width) & (b > R(0.0)) & (b < width);
    return lane_select(inside, lane_max(sum, lane_of(R(0.0))), lane_of(R(0.0)));
}

/* exp(mu a) g(c), where c is the distance to an image of a barrier at distance a. Where a factor
 * counts, its exponent is at most about minus rho. The bound keeps a far product of a huge and a
 * tiny factor at 0. */
LANE_FN lane barrier_touch(lane a, lane c, real mu, real excess, real kappa)
{
    const lane most = lane_of(LANE_PICK(R(300.0), R(40.0))),
               sum = lane_min(c + kappa, lane_of(R(1e6)));
    const lane first =
        lane_exp(lane_min(a * excess - (c - a) * kappa, most)) * lane_normal_cdf(kappa - c);
    const lane power = a * mu - (c * c + kappa * kappa) * R(0.5);
    return first + lane_exp(lane_min(power, most)) * lane_normal_mills(sum);
}

LANE_FN lane barrier_touch_pair(lane sum, lane a, real shift, real mu, real excess, real kappa)
{
    return sum + (barrier_touch(a, a + shift, mu, excess, kappa) -
                  barrier_touch(a, shift - a, mu, excess, kappa));
}

/* The discounted probability that the barrier at distance a is touched before the other. */
LANE_FN lane barrier_touch_first(lane a, real width, real mu, real excess, real kappa)
{
    lane sum = lane_of(R(0.0));
    for (int n = barrier_images(width); n > BARRIER_IMAGES; --n)
        sum = barrier_touch_pair(sum, a, R(2.0) * (real)n * width, mu, excess, kappa);
    for (int n = BARRIER_IMAGES; n > 0; --n)
        sum = barrier_touch_pair(sum, a, R(2.0) * (real)n * width, mu, excess, kappa);
    return sum + barrier_touch(a, a, mu, excess, kappa);
}

/* The rebate at hit that the interval is expected to pay, in money of the payment date, to a path
 * alive at its start. */
LANE_FN lane barrier_rebate(uint32_t variant, const real *terms, const real *node_terms, lane from)
{
    const lane zero = lane_of(R(0.0));
    const real mu = node_terms[BARRIER_DRIFT], kappa = node_terms[BARRIER_KAPPA];
    const lane a = (from - terms[ITEM_A]) * node_terms[BARRIER_SCALE];
    if (!(variant & BARRIER_DOUBLE)) {
        const lane distance = lane_max(a * (-terms[ITEM_B]), zero);
        return barrier_touch(distance, distance, mu, node_terms[BARRIER_EXCESS], kappa) *
               (terms[ITEM_F] * node_terms[BARRIER_BEFORE]);
    }
    const real width = (terms[ITEM_E] - terms[ITEM_A]) * node_terms[BARRIER_SCALE];
    const lane lower = lane_max(lane_min(a, lane_of(width)), zero), upper = width - lower;
    const lane low = barrier_touch_first(lower, width, -mu, -mu - kappa, kappa);
    const lane high = barrier_touch_first(upper, width, mu, mu - kappa, kappa);
    return (low * terms[ITEM_F] + high * terms[ITEM_G]) * node_terms[BARRIER_BEFORE];
}

/* Takes the chance of a touch off those alive, where the interval ends at `end`, and credits them
 * with the rebate that is expected. */
LANE_FN void barrier_cross(uint32_t variant, const real *terms, const real *node_terms, lane end,
                           lane *state)
{
    if (variant & BARRIER_AT_HIT)
        state[2] =
            lane_fma(state[0], barrier_rebate(variant, terms, node_terms, state[1]), state[2]);
    state[0] = state[0] * barrier_survival(variant, terms, node_terms, state[1], end);
}

/* ---- Where variances differ from path to path ---- */

/* An interval: distances, in its deviations, of its two ends from the (lower) barrier, and of the
 * upper barrier from the lower one. */
typedef struct barrier_interval {
    lane from, to, width;
} barrier_interval;

/* barrier_pair, at another distance on each path. */
LANE_FN lane barrier_pair_at(lane sum, barrier_interval i, lane shift)
{
    const lane a = i.from, b = i.to, across = (b - a) * shift, square = shift * shift;
    sum = sum + (barrier_image(square + across) - barrier_image((a + shift) * (b + shift)));
    return sum + (barrier_image(square - across) - barrier_image((a - shift) * (b - shift)));
}

/* The images of two barriers, as many as any path needs, which others do not count. */
LANE_FN lane barrier_survival_between(barrier_interval i)
{
    const lane zero = lane_of(R(0.0));
    const lane_mask close = i.width < R(0.79), wide = i.width >= R(0.125);
    const lane_mask from = (i.from > R(0.0)) & (i.from < i.width);
    const lane_mask inside = from & (i.to > R(0.0)) & (i.to < i.width) & wide;
    lane sum = zero;
    for (int n = BARRIER_MOST_IMAGES; n > BARRIER_IMAGES && lane_any(close & inside); --n)
        sum = lane_select(close, barrier_pair_at(sum, i, i.width * (real)n), zero);
    for (int n = BARRIER_IMAGES; n > 0; --n) sum = barrier_pair_at(sum, i, i.width * (real)n);
    sum = sum + (R(1.0) - barrier_image(i.from * i.to));
    return lane_select(inside, lane_max(sum, zero), zero);
}

/* The rebate of those whom the interval ends. */
LANE_FN lane barrier_varied_rebate(uint32_t variant, const real *terms, const real *node_terms,
                                   barrier_interval i)
{
    const real middle = node_terms[BARRIER_MIDDLE];
    if (!(variant & BARRIER_DOUBLE)) return lane_of(terms[ITEM_F] * middle);
    const lane least = lane_of(R(1e-30)), low = barrier_image(i.from * i.to),
               high = barrier_image((i.width - i.from) * (i.width - i.to)),
               share = high / lane_max(low + high, least);
    return lane_fma(share, lane_of((terms[ITEM_G] - terms[ITEM_F]) * middle),
                    lane_of(terms[ITEM_F] * middle));
}

/* As barrier_cross, over an interval of this variance. */
LANE_FN void barrier_cross_varied(uint32_t variant, const real *terms, const real *node_terms,
                                  lane variance, lane end, lane *state)
{
    const lane deviation = lane_sqrt(lane_max(variance, lane_of(R(1e-18)))),
               scale = lane_of(node_terms[BARRIER_SCALE]) / deviation;
    const barrier_interval i = {(state[1] - terms[ITEM_A]) * scale, (end - terms[ITEM_A]) * scale,
                                scale * (terms[ITEM_E] - terms[ITEM_A])};
    lane survival = R(1.0) - barrier_image(i.from * i.to);
    if (variant & BARRIER_DOUBLE) survival = barrier_survival_between(i);
    if (variant & BARRIER_AT_HIT)
        state[2] = lane_fma(state[0] * (R(1.0) - survival),
                            barrier_varied_rebate(variant, terms, node_terms, i), state[2]);
    state[0] = state[0] * survival;
}

/* varies: a constant, BARRIER_VARIES of the variant. */
LANE_FN void barrier_watch_by(int varies, uint32_t variant, const real *terms,
                              const real *node_terms, const payoff_seen *seen, lane *state)
{
    const lane after = seen->level.log_x;
    if (node_terms[BARRIER_OPENS] == R(0.0)) {
        const lane end = seen->before - node_terms[BARRIER_JUMP];
        if (varies)
            barrier_cross_varied(variant, terms, node_terms, seen->integrals[0] - seen->kept[0],
                                 end, state);
        else
            barrier_cross(variant, terms, node_terms, end, state);
        if (variant & BARRIER_CROSS) /* a dividend may move the level across the barrier */
            state[0] = lane_select((end - terms[ITEM_A]) * (after - terms[ITEM_A]) > R(0.0),
                                   state[0], lane_of(R(0.0)));
    }
    if (!(variant & BARRIER_CROSS))
        barrier_hit(variant, terms, node_terms, barrier_beyond(variant, terms, after), after,
                    state);
    state[1] = after;
    if (varies) seen->kept[0] = seen->integrals[0];
}

PAYOFF_NOINLINE void barrier_watch(uint32_t variant, const real *terms, const real *node_terms,
                                   const payoff_seen *seen, lane *state)
{
    barrier_watch_by(0, variant, terms, node_terms, seen, state);
}

PAYOFF_NOINLINE void barrier_watch_varied(uint32_t variant, const real *terms,
                                          const real *node_terms, const payoff_seen *seen,
                                          lane *state)
{
    barrier_watch_by(1, variant, terms, node_terms, seen, state);
}

LANE_FN int barrier_is_plain(uint32_t variant)
{
    return !(variant & (BARRIER_CONTINUOUS | BARRIER_AT_HIT | BARRIER_INTEGRATED));
}

LANE_FN lane barrier_observe_plain(uint32_t variant, const real *terms, lane state,
                                   basket_level level)
{
    return lane_select(barrier_beyond(variant, terms, level.x), lane_of(R(0.0)), state);
}

LANE_FN void barrier_observe(uint32_t variant, const real *terms, const real *node_terms,
                             const payoff_seen *seen, lane *state)
{
    if (variant & BARRIER_VARIES)
        barrier_watch_varied(variant, terms, node_terms, seen, state);
    else if (variant & BARRIER_CONTINUOUS)
        barrier_watch(variant, terms, node_terms, seen, state);
    else if (variant & BARRIER_INTEGRATED)
        barrier_narrow(variant, terms, node_terms, seen, state);
    else
        barrier_hit(variant, terms, node_terms, barrier_beyond(variant, terms, seen->level.x),
                    seen->level.x, state);
}

LANE_FN lane barrier_settle(uint32_t variant, const real *terms, const lane *state,
                            const lane *kept, lane x)
{
    (void)kept;
    if (variant & BARRIER_INTEGRATED) return barrier_settle_range(variant, terms, state, x);
    const lane weight = lane_fma(lane_of(terms[ITEM_C]), state[0], lane_of(terms[ITEM_D]));
    const lane gain = variant & BARRIER_DIGITAL
                          ? digital_pays(terms, x, terms[ITEM_H], terms[ITEM_H + 1])
                          : european_pays(terms, x);
    lane value = gain * weight;
    if (variant & BARRIER_REBATE) value = lane_fma(lane_of(terms[ITEM_F]), R(1.0) - weight, value);
    if (variant & BARRIER_AT_HIT) value = value + state[2];
    return value;
}

#endif
