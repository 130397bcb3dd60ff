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
       BARRIER_NODE_TERMS
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

PAYOFF_NOINLINE void barrier_watch(uint32_t variant, const real *terms, const real *node_terms,
                                   const payoff_seen *seen, lane *state)
{
    const lane after = seen->level.log_x;
    if (node_terms[BARRIER_OPENS] == R(0.0)) {
        const lane end = seen->before - node_terms[BARRIER_JUMP];
        if (variant & BARRIER_AT_HIT)
            state[2] =
                lane_fma(state[0], barrier_rebate(variant, terms, node_terms, state[1]), state[2]);
        state[0] = state[0] * barrier_survival(variant, terms, node_terms, state[1], end);
        if (variant & BARRIER_CROSS) /* a dividend may move the level across the barrier */
            state[0] = lane_select((end - terms[ITEM_A]) * (after - terms[ITEM_A]) > R(0.0),
                                   state[0], lane_of(R(0.0)));
    }
    if (!(variant & BARRIER_CROSS))
        barrier_hit(variant, terms, node_terms, barrier_beyond(variant, terms, after), after,
                    state);
    state[1] = after;
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
    if (variant & BARRIER_CONTINUOUS)
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
