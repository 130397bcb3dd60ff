/* gamma.h: gamma deviates of unit scale. For alpha > 1 by rejection from a cubed normal (G.
 * Marsaglia and W. W. Tsang, A simple method for generating gamma variables, ACM TOMS 26, 2000);
 * below, from alpha + 1 and the factor U^(1/alpha) of the same paper. Lanes may mix both: the
 * factor is computed if any lane needs it. An attempt uses three words of four: for the normal, for
 * the acceptance, for the factor. The factor is never below exp(-708) = 3.3e-308 (exp(-87)
 * = 1.6e-38 in single): a deviate that should be smaller is the one from alpha + 1 times that, and
 * may be subnormal. Must not know: who draws, scales. */
#ifndef LEVY_DISCRETE_GAMMA_H
#define LEVY_DISCRETE_GAMMA_H

#include "kernels/samplers/discrete/draw.h"

typedef struct gamma_law {
    lane d, c, inverse; /* alpha' - 1/3 for alpha' = alpha or alpha + 1, 1 / sqrt(9 d), 1 / alpha */
    lane_mask small;    /* alpha <= 1 */
} gamma_law;

LANE_FN gamma_law gamma_law_of(lane alpha)
{
    gamma_law law;
    law.small = alpha <= R(1.0);
    law.d = lane_select(law.small, alpha + R(1.0), alpha) - R(1.0 / 3.0);
    law.c = R(1.0) / lane_sqrt(law.d * R(9.0));
    law.inverse = R(1.0) / alpha;
    return law;
}

typedef struct gamma_attempt {
    /* the normal, (1 + c x)^3, the uniform of the acceptance and that of the factor */
    lane x, v, u, boost;
} gamma_attempt;

LANE_FN gamma_attempt gamma_try_normal(const gamma_law *law, lane x, lane_word accept,
                                       lane_word factor)
{
    gamma_attempt t;
    t.x = x;
    t.u = discrete_above(accept);
    t.boost = discrete_above(factor);
    const lane root = lane_fma(law->c, t.x, lane_of(R(1.0)));
    t.v = root * root * root;
    return t;
}

LANE_FN gamma_attempt gamma_try(const gamma_law *law, const philox_words *words)
{
    return gamma_try_normal(law, normal_from_word(words->w[0]), words->w[1], words->w[2]);
}

/* The inner bound. It needs no logarithm and accepts at least 92 draws of 100. */
LANE_FN lane_mask gamma_inside(const gamma_attempt *t)
{
    const lane square = t->x * t->x;
    return (t->v > R(0.0)) &
           (t->u < lane_fma(square * square, lane_of(R(-0.0331)), lane_of(R(1.0))));
}

LANE_FN lane_mask gamma_accepted(const gamma_law *law, const gamma_attempt *t)
{
    const lane_mask positive = t->v > R(0.0);
    const lane v = lane_select(positive, t->v, lane_of(R(1.0)));
    const lane bound = lane_fma(t->x * t->x, lane_of(R(0.5)), law->d * (R(1.0) - v + lane_log(v)));
    return gamma_inside(t) | (positive & (lane_log(t->u) < bound));
}

LANE_FN lane gamma_value(const gamma_law *law, lane v, lane boost)
{
    lane value = law->d * v;
    if (lane_any(law->small))
        value = lane_select(law->small, value * lane_exp(lane_log(boost) * law->inverse), value);
    return value;
}

/* The masked loop. Lanes that are done keep their values. */
LANE_FN lane gamma_draw(const gamma_law *law, const discrete_source *source)
{
    lane v = lane_of(R(0.0)), boost = v;
    lane_mask open = v == R(0.0);
    for (uint32_t attempt = 0; lane_any(open); ++attempt) {
        const philox_words words = discrete_words(source, attempt);
        const gamma_attempt t = gamma_try(law, &words);
        lane_mask taken = open & gamma_inside(&t);
        if (lane_any(open & lane_not(taken))) taken = open & gamma_accepted(law, &t);
        v = lane_select(taken, t.v, v);
        boost = lane_select(taken, t.boost, boost);
        open = open & lane_not(taken);
    }
    return gamma_value(law, v, boost);
}

/* One attempt with both tests, from its normal and its other words. */
LANE_FN lane gamma_whole(const gamma_law *law, lane x, lane_word accept, lane_word factor,
                         lane_mask *taken)
{
    const gamma_attempt t = gamma_try_normal(law, x, accept, factor);
    *taken = gamma_accepted(law, &t);
    return gamma_value(law, t.v, t.boost);
}

/* The first attempt without the second test, which most draws do not need. */
LANE_FN lane gamma_inner(const gamma_law *law, lane x, lane_word accept, lane_word factor,
                         lane_mask *taken)
{
    const gamma_attempt t = gamma_try_normal(law, x, accept, factor);
    *taken = gamma_inside(&t);
    return gamma_value(law, t.v, t.boost);
}

LANE_FN lane gamma_first(const gamma_law *law, const philox_words *words, lane_mask *taken)
{
    return gamma_inner(law, normal_from_word(words->w[0]), words->w[1], words->w[2], taken);
}

#endif
