/* noncentral.h: non-central chi-square deviates with d > 0 degrees of freedom (any real number) and
 * non-centrality c >= 0. For d > 1: the square of a normal about sqrt(c) plus a chi-square of d -
 * 1; else a chi-square of d + 2 N, N Poisson of mean c / 2 (N. L. Johnson, S. Kotz, N.
 * Balakrishnan, Continuous Univariate Distributions 2, chapter 29). Lanes may mix both: a part that
 * no lane needs is not computed. The parts draw from neighbouring streams. Must not know: who
 * draws. */
#ifndef LEVY_DISCRETE_NONCENTRAL_H
#define LEVY_DISCRETE_NONCENTRAL_H

#include "kernels/samplers/discrete/gamma.h"
#include "kernels/samplers/discrete/poisson.h"

typedef struct noncentral_law {
    lane degrees, centre; /* sqrt(c) */
    lane_mask high;       /* d > 1 */
    poisson_law counts;
} noncentral_law;

LANE_FN noncentral_law noncentral_law_of(lane degrees, lane noncentrality)
{
    noncentral_law law;
    law.degrees = degrees;
    law.centre = lane_sqrt(noncentrality);
    law.high = degrees > R(1.0);
    law.counts = poisson_law_of(noncentrality * R(0.5));
    return law;
}

/* Takes the streams 3 s, 3 s + 1 and 3 s + 2, where s is the source's stream. */
LANE_FN lane noncentral_draw(const noncentral_law *law, const discrete_source *source)
{
    discrete_source s = *source;
    s.stream = s.stream * 3u;
    const lane normal = normal_from_word(discrete_words(&s, 0).w[0]) + law->centre;
    lane square = normal * normal, shape = (law->degrees - R(1.0)) * R(0.5);
    s.stream = s.stream + 1u;
    if (lane_any(lane_not(law->high))) {
        const lane count = poisson_draw(&law->counts, &s);
        shape = lane_select(law->high, shape, lane_fma(law->degrees, lane_of(R(0.5)), count));
        square = lane_select(law->high, square, lane_of(R(0.0)));
    }
    s.stream = s.stream + 1u;
    const gamma_law rest = gamma_law_of(shape);
    return lane_fma(gamma_draw(&rest, &s), lane_of(R(2.0)), square);
}

#endif
