/* alias_binomial.h: binomial deviates, for the number of a table's draws in each of its sections.
 * By inversion if few successes are expected, else by transformed rejection (BTRS, W. Hoermann, The
 * generation of binomial random variates, JSCS 46, 1993). BTRS needs no table and is exact to the
 * rounding of log-gamma; a normal approximation is not. C11 and CUDA C++. */
#ifndef LEVY_ALIAS_BINOMIAL_H
#define LEVY_ALIAS_BINOMIAL_H

#include "kernels/samplers/alias/alias_fixed.h"

#include <math.h>

/* A stream of 64-bit words (splitmix64, G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014). */
typedef struct alias_stream {
    uint64_t state;
} alias_stream;

ALIAS_FN uint64_t alias_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
ALIAS_FN alias_stream alias_stream_of(uint64_t seed, uint64_t which)
{
    alias_stream s;
    s.state = alias_mix(seed + 0x9E3779B97F4A7C15u) ^
              alias_mix(which * 0xD1342543DE82EF95u + 0x2545F4914F6CDD1Du);
    return s;
}
ALIAS_FN uint64_t alias_stream_word(alias_stream *s)
{
    return alias_mix(s->state += 0x9E3779B97F4A7C15u);
}
ALIAS_FN double alias_stream_uniform(alias_stream *s)
{
    return ((double)(alias_stream_word(s) >> 11) + 0.5) * 0x1p-53;
}

/* For few expected successes: adds probabilities from 0 on. */
ALIAS_FN uint64_t binomial_invert(uint64_t n, double p, alias_stream *s)
{
    const double odds = p / (1.0 - p);
    double probability = exp((double)n * log1p(-p)), u = alias_stream_uniform(s);
    uint64_t k = 0;
    while (u > probability && k < n) {
        u -= probability;
        ++k;
        probability *= odds * ((double)(n - k + 1) / (double)k);
    }
    return k;
}

/* BTRS, for n p >= 10 and p <= 1/2. */
ALIAS_FN uint64_t binomial_reject(uint64_t n, double p, alias_stream *s)
{
    const double count = (double)n, deviation = sqrt(count * p * (1.0 - p));
    const double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * p,
                 c = count * p + 0.5;
    const double alpha = (2.83 + 5.1 / b) * deviation, sure = 0.92 - 4.2 / b,
                 mode = floor((count + 1.0) * p);
    const double log_odds = log(p / (1.0 - p)),
                 peak = lgamma(mode + 1.0) + lgamma(count - mode + 1.0);
    for (;;) {
        const double u = alias_stream_uniform(s) - 0.5, v = alias_stream_uniform(s),
                     edge = 0.5 - fabs(u);
        const double k = floor((2.0 * a / edge + b) * u + c);
        if (!(k >= 0.0 && k <= count)) continue;
        if (edge >= 0.07 && v <= sure) return (uint64_t)k;
        const double bound =
            peak - lgamma(k + 1.0) - lgamma(count - k + 1.0) + (k - mode) * log_odds;
        if (log(v * alpha / (a / (edge * edge) + b)) <= bound) return (uint64_t)k;
    }
}

ALIAS_FN uint64_t alias_binomial(uint64_t n, double p, alias_stream *s)
{
    const double small = p <= 0.5 ? p : 1.0 - p;
    if (n == 0 || small <= 0.0) return p <= 0.5 ? 0 : n;
    const uint64_t k =
        (double)n * small < 10.0 ? binomial_invert(n, small, s) : binomial_reject(n, small, s);
    return p <= 0.5 ? k : n - k;
}

#endif
