/* distributions.h: deviates of five laws on lanes, each by rejection in the masked style and by inversion of one word, monotone,
 * for quasi-random points; after O. R. Chaparro Amaro, J. Martinez-Castro, S. Y. Jun, Vectorization techniques for probability
 * distribution functions using VecCore (2019), with a counter-based generator in place of a sequential one: an attempt is a
 * number in the counter, so a lane's deviate is a function of (key, stream, index) alone. In double the same bits at every width.
 *
 *   law                    parameters                                  pseudo-random                       one word, monotone
 *   exponential            mean > 0                                    inversion                           -log(1 - U)
 *   normal                 mean, deviation                             inversion                           normal.h
 *   gamma                  alpha > 0, scale                            Marsaglia-Tsang                     gamma_inverse.h
 *   Poisson                lambda >= 0                                 search by one word, Atkinson        poisson_inverse.h
 *   non-central chi-square degrees > 0, non-centrality >= 0            normal and gamma, or mixture        noncentral_inverse.h
 *
 * Must not know: who draws, files of numbers. */
#ifndef LEVY_DISCRETE_DISTRIBUTIONS_H
#define LEVY_DISCRETE_DISTRIBUTIONS_H

#include "kernels/discrete/gamma.h"
#include "kernels/discrete/gamma_inverse.h"
#include "kernels/discrete/noncentral.h"
#include "kernels/discrete/noncentral_inverse.h"
#include "kernels/discrete/poisson.h"
#include "kernels/discrete/poisson_inverse.h"

/* Of unit mean; monotone. In double 1 - U is exact; in single what U loses against 1 is won back where U is small. */
LANE_FN lane exponential_inverse(lane_word u)
{
#if !defined(LANE_SINGLE)
    return -lane_log(discrete_above(u));
#else
    const lane tail = discrete_tail(u);
    return lane_select(lane_uniform_from_word(u) < R(0.5), -discrete_log_plus(-tail), -lane_log(tail));
#endif
}

#endif
