/* poisson.h: Poisson counts, pseudo-random: by a masked search from 0 on with one word up to a mean
 * of POISSON_FEW, by the logistic envelope of A. C. Atkinson (The computer generation of Poisson
 * random variables, JRSS C 28, 1979) above, with log-gamma by Lanczos (gamma_power.h); lanes may
 * mix both. Products of uniforms (D. E. Knuth, TAOCP 2, 3.4.1) take mean + 1 words a count and are
 * slower than the search at every mean, on CPUs and GPUs: they are the benchmark's
 * (bench/distributions). By inversion of a given word, monotone, for any mean: poisson_inverse.h.
 *
 * A count of a small mean has one word, of a block that it shares with three other draws
 * (discrete_shared_word): its probabilities are a distribution function's rounded to whole words.
 * Atkinson's constant 0.767 - 3.36/lambda is for lambda >= 30; 0.8 - 0.69 / sqrt(lambda) holds from
 * 4 on (checked numerically: it stays 0.0015 or more below the least ratio of envelope and
 * probability) and accepts more often above 1000. His test becomes V beta U (1 - U) <= c p(n), for
 * U (1 - U) is the logistic density itself. Counts are whole numbers held in reals; the mean is at
 * most 2^31 in double, 2^21 in single, and at least 0. Must not know: who draws. */
#ifndef LEVY_DISCRETE_POISSON_H
#define LEVY_DISCRETE_POISSON_H

#include "kernels/samplers/discrete/gamma_power.h"
#include "kernels/samplers/discrete/poisson_search.h"

#if !defined(POISSON_FEW)
#define POISSON_FEW 64.0 /* measured: bench/distributions/poisson_switch.sh */
#endif

typedef struct poisson_law {
    lane lambda;
    lane log_lambda, beta, constant; /* for the envelope */
    lane_mask few;                   /* by search */
} poisson_law;

LANE_FN poisson_law poisson_law_of(lane lambda)
{
    poisson_law law;
    law.lambda = lambda;
    law.few = lambda <= R(POISSON_FEW);
    const lane many = lane_max(lambda, lane_of(R(4.0))), root = lane_sqrt(many);
    law.log_lambda = lane_log(many);
    law.beta = lane_of(R(1.8137993642342178)) / root; /* pi / sqrt(3) */
    law.constant = R(0.8) - R(0.69) / root;
    return law;
}

/* ---- Envelope -------------------------------------------------------------------------------- */

/* The count nearest to a logistic deviate, and whether it is accepted. */
LANE_FN lane poisson_try(const poisson_law *law, const discrete_source *source, uint32_t attempt,
                         lane_mask *taken)
{
    const philox_words w = discrete_words(source, attempt);
    const lane tail = discrete_tail(w.w[0]), rest = R(1.0) - tail;
    const lane x = law->lambda + discrete_signed(lane_log(rest / tail), w.w[0]) / law->beta;
    const lane n = discrete_nearest(x);
    const lane_mask some = n >= R(0.0);
    const lane p = gamma_power(lane_select(some, n, lane_of(R(0.0))), law->lambda, law->log_lambda);
    *taken = some & (discrete_above(w.w[1]) * law->beta * (tail * rest) <= law->constant * p);
    return n;
}

LANE_FN lane poisson_by_envelope(const poisson_law *law, const discrete_source *source,
                                 lane_mask open)
{
    lane count = lane_of(R(0.0));
    for (uint32_t attempt = 0; lane_any(open); ++attempt) {
        lane_mask taken;
        const lane n = poisson_try(law, source, attempt, &taken);
        taken = taken & open;
        count = lane_select(taken, n, count);
        open = open & lane_not(taken);
    }
    return count;
}

/* ---- Both ------------------------------------------------------------------------------------ */

/* `word`: the source's shared word. */
LANE_FN lane poisson_few(const poisson_law *law, lane_word word)
{
    return poisson_tally_real(poisson_search(law->lambda, word, law->few));
}

LANE_FN lane poisson_draw(const poisson_law *law, const discrete_source *source)
{
    const lane_mask many = lane_not(law->few);
    if (!lane_any(many)) return poisson_few(law, discrete_shared_word(source));
    const lane envelope = poisson_by_envelope(law, source, many);
    if (!lane_any(law->few)) return envelope;
    return lane_select(law->few, poisson_few(law, discrete_shared_word(source)), envelope);
}

/* One attempt, which is enough for most draws. */
LANE_FN lane poisson_first(const poisson_law *law, const discrete_source *source, lane_word word,
                           lane_mask *taken)
{
    const lane n = poisson_try(law, source, 0, taken);
    if (!lane_any(law->few)) return n;
    *taken = *taken | law->few;
    return lane_select(law->few, poisson_few(law, word), n);
}

#endif
