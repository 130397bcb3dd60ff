/* heston_numbers.h: the numbers of an interval and asset that Heston's host half writes into the
 * own rows of the image, and its lanes read. The asset's factors are by how much the root of the
 * variance, or of the sum of two by QE-M, moves the level beside what the variance's own normal
 * does, but where LEVY_MODEL_LED holds the asset's own. Plain C11 and CUDA. */
#ifndef LEVY_MODELS_HESTON_NUMBERS_H
#define LEVY_MODELS_HESTON_NUMBERS_H

#define HESTON_EULER 1u            /* a bit of the model's first constant */
#define HESTON_SERIES (1.0 / 50.0) /* as far as heston_lanes.h's series go */

enum {
    HESTON_DECAY, /* 4 times v's mean at the end is decay v + lift; Euler: what v loses of itself */
    HESTON_LIFT,
    HESTON_SLOPE, /* 8 times its variance is slope v + spread; Euler: xi */
    HESTON_SPREAD,
    HESTON_TILT,    /* A / 2 */
    HESTON_PULL,    /* K, in the units of logarithms */
    HESTON_LOST,    /* HALF (1 + DECAY / 4): what the level loses of v */
    HESTON_FORWARD, /* what the forward adds to the level, less HALF LIFT / 4; Euler: all */
    /* LEVY_MODEL_LED: by how much all that the shared factors move of the asset moves v and the
     * level, and by how much the factor alone does */
    HESTON_SHARE,
    HESTON_LEVEL,
    HESTON_OWN,
    HESTON_ASIDE,
    HESTON_SMALL,   /* 1: series give what the mean return is corrected by */
    HESTON_HALF,    /* dt (1 - rho^2) / 4, as PULL; Euler: dt / 2 */
    HESTON_FOLLOWS, /* 1: the law is of the same kind as that of the first dynamics, if it can be */
    HESTON_START,   /* v today */
    HESTON_NUMBERS,
    /* LEVY_MODEL_PAID: what the payment adds to the level by the sum of v's roots at both ends, or,
     * by Euler, as the factors do; and to what these move of v */
    HESTON_PAID_LEVEL = HESTON_NUMBERS,
    HESTON_PAID_OWN,
    HESTON_PAID_RATE, /* by the root of that asset's variance, where rates are simulated */
    HESTON_PAID_NUMBERS = HESTON_NUMBERS + 4, /* in rows of whole fours */
    HESTON_PAID = HESTON_PAID_NUMBERS - HESTON_NUMBERS
};

#endif
