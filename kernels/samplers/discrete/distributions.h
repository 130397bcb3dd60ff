/* distributions.h: deviates of five distributions on lanes. Each has a rejection method in the
 * masked style, and an inversion of one word, which is monotone, for quasi-random points. After O.
 * R. Chaparro Amaro, J. Martinez-Castro, S. Y. Jun, Vectorization techniques for probability
 * distribution functions using VecCore (2019), with a counter-based generator in place of a
 * sequential one: the attempt is a number in the counter, so a lane's deviate is a function of
 * (key, stream, index) alone. In double precision the bits are the same at every width.
 *
 *   distribution     parameters             pseudo-random                     one word, monotone
 *   exponential      mean > 0               inversion                         -log(1 - U)
 *   normal           mean, deviation        inversion                         normal.h
 *   gamma            alpha > 0, scale       Marsaglia-Tsang                   gamma_inverse.h
 *   Poisson          lambda >= 0            search by one word, Atkinson      poisson_inverse.h
 *   non-central      degrees > 0,           normal and gamma, or mixture      noncentral_inverse.h
 *   chi-square       non-centrality >= 0
 *
 * Must not know: who draws, files of numbers. */
#ifndef LEVY_DISCRETE_DISTRIBUTIONS_H
#define LEVY_DISCRETE_DISTRIBUTIONS_H

#include "kernels/samplers/discrete/gamma.h"
#include "kernels/samplers/discrete/gamma_inverse.h"
#include "kernels/samplers/discrete/noncentral.h"
#include "kernels/samplers/discrete/noncentral_inverse.h"
#include "kernels/samplers/discrete/poisson.h"
#include "kernels/samplers/discrete/poisson_inverse.h"

/* A deviate of unit mean, monotone in the word. In double 1 - U is exact. In single it is not, so
 * near 1 its logarithm is taken as that of 1 + f with f = -U. */
LANE_FN lane exponential_inverse(lane_word u)
{
#if !defined(LANE_SINGLE)
    return -lane_log(discrete_above(u));
#else
    const lane_bits ix = lane_as_bits(discrete_above(u));
    const lane_bits e = (ix - 0x3f3504f3) >> 23;
    const lane k = lane_from_bits(e + 0x4b400000) - R(0x1.8p23),
               f = lane_from_bits(ix - (e << 23)) - R(1.0);
    return -lane_log_parts(k, lane_select(k == R(0.0), -lane_uniform_from_word(u), f));
#endif
}

#endif
