/* poisson_inverse.h: a generator's word to a Poisson count: the least k with P(N <= k) >= (u + 1/2)
 * 2^-32, monotone in the word. Up to a mean of POISSON_SEARCH by adding probabilities from 0 on
 * (poisson_search.h). Above, P(N <= k) = Q(k + 1, lambda) is continued to real k + 1 = s, and s =
 * lambda exp(M), M a series in z / sqrt(lambda) and 1 / lambda: that of gamma_series.h solved for
 * the shape. (M. B. Giles, Algorithm 955, ACM TOMS 42, 2016, does the same with two orders and a
 * correction.) The count is the whole part of s. With five orders the error of s is below 1e-9 at
 * the ends of the words and 1e-12 within three deviations. That is less than 1e-12 of probability,
 * and a word has 2e-10, so one word in some hundred steps of the count may fall on the wrong side
 * of a step. In single the error is 0.001 of probability. Must not know: who draws. */
#ifndef LEVY_DISCRETE_POISSON_INVERSE_H
#define LEVY_DISCRETE_POISSON_INVERSE_H

#include "kernels/samplers/discrete/gamma_series.h"
#include "kernels/samplers/discrete/poisson_search.h"

LANE_TABLE(poisson_series_table) = {
    /* lambda^-0, from s^32 down */
    R(-0x1.2c91e9415bbf4p-21),
    R(0x1.b7283f405772bp-21),
    R(-0x1.412b187766ec2p-20),
    R(0x1.d64cfc4a15f14p-20),
    R(-0x1.58c408785b4b9p-19),
    R(0x1.fa25d612cf897p-19),
    R(-0x1.7410af940ae5ap-18),
    R(0x1.11ec34ad4cc39p-17),
    R(-0x1.9401d7ade9552p-17),
    R(0x1.2a78f41328c77p-16),
    R(-0x1.b9e1207154a3cp-16),
    R(0x1.47cc8ab17efb8p-15),
    R(-0x1.e77e059770444p-15),
    R(0x1.6b701d0eab7e4p-14),
    R(-0x1.0fbca7a215b09p-13),
    R(0x1.97a8dfca09940p-13),
    R(-0x1.32e4f1bc682e6p-12),
    R(0x1.cff7754715cf2p-12),
    R(-0x1.605a95d04e643p-11),
    R(0x1.0d075d983b845p-10),
    R(-0x1.9d620108b4284p-10),
    R(0x1.3fee464a7d9c5p-9),
    R(-0x1.f38df0d491306p-9),
    R(0x1.8a2b4a92630e7p-8),
    R(-0x1.3b20565de449cp-7),
    R(0x1.002c98983bc43p-6),
    R(-0x1.a9bbcb24fe29fp-6),
    R(0x1.6c901e573ac90p-5),
    R(-0x1.4629b7f0d462ap-4),
    R(0x1.38e38e38e38e4p-3),
    R(-0x1.5555555555555p-2),
    R(0x1.0000000000000p+0),
    /* lambda^-1, from s^27 down */
    R(-0x1.da41be414704ap-14),
    R(0x1.4c90732e15971p-13),
    R(-0x1.d2395594c0802p-13),
    R(0x1.46a8c06b9c9abp-12),
    R(-0x1.c987629bf2e67p-12),
    R(0x1.403f33b8b8abep-11),
    R(-0x1.c00de0d19b35ep-11),
    R(0x1.393bc40c5cbe7p-10),
    R(-0x1.b5a61e31c3a6fp-10),
    R(0x1.317f1d16fcb37p-9),
    R(-0x1.aa1d0d31b9de2p-9),
    R(0x1.28df5bdf43e42p-8),
    R(-0x1.9d2d6b1d110ffp-8),
    R(0x1.1f22c05b15a6fp-7),
    R(-0x1.8e75ff7097fb9p-7),
    R(0x1.13f695872a11ep-6),
    R(-0x1.7d685f91b2ccfp-6),
    R(0x1.06de8eab4cb0ap-5),
    R(-0x1.6928252e0dd02p-5),
    R(0x1.ee2761462c9f1p-5),
    R(-0x1.50464815902acp-4),
    R(0x1.c6758c142317fp-4),
    R(-0x1.301d5ff749d52p-3),
    R(0x1.914adbca2e6a0p-3),
    R(-0x1.02f9e3c4294c1p-2),
    R(0x1.41bcff5e2ec68p-2),
    R(-0x1.71c71c71c71c7p-2),
    R(0x1.5555555555555p-2),
    /* lambda^-2, from s^23 down */
    R(0x1.1e8121d0c39b2p-8),
    R(-0x1.7b7c777f867cdp-8),
    R(0x1.f514b4fb940b7p-8),
    R(-0x1.49b0d62f38bb5p-7),
    R(0x1.b037ef4708d1bp-7),
    R(-0x1.1a23d73458431p-6),
    R(0x1.6ea5e7d9a9e95p-6),
    R(-0x1.da039841669c4p-6),
    R(0x1.30a2a1364ab28p-5),
    R(-0x1.84fe2b4540278p-5),
    R(0x1.ecfe3a66160b4p-5),
    R(-0x1.35b540d20396fp-4),
    R(0x1.813b33d6278f0p-4),
    R(-0x1.d98627e3ecf2ep-4),
    R(0x1.1eefcd5221155p-3),
    R(-0x1.55d2c5b2a231fp-3),
    R(0x1.8ea535c4c04fdp-3),
    R(-0x1.c48d65d67a98ap-3),
    R(0x1.eff84e5deb233p-3),
    R(-0x1.03119b150ea7fp-2),
    R(0x1.f95c26559acc4p-3),
    R(-0x1.bb1c7c0d48bb4p-3),
    R(0x1.4251547d93b35p-3),
    R(-0x1.3476d5a63df22p-4),
    /* lambda^-3, from s^19 down */
    R(-0x1.d5a3577409d35p-5),
    R(0x1.1ef95f27353acp-4),
    R(-0x1.5be64d4ce01f0p-4),
    R(0x1.a1ff7e03e89b3p-4),
    R(-0x1.f1365b189ad11p-4),
    R(0x1.2466c471a3348p-3),
    R(-0x1.538a4f65a0f42p-3),
    R(0x1.848e2b614f08ep-3),
    R(-0x1.b5359f3953322p-3),
    R(0x1.e260c4c4ee54dp-3),
    R(-0x1.0400e80c355ffp-2),
    R(0x1.109b86c53e976p-2),
    R(-0x1.14505e9247be3p-2),
    R(0x1.0c86f9be207ddp-2),
    R(-0x1.ee9987a517271p-3),
    R(0x1.a83fc4faa18f7p-3),
    R(-0x1.49c99b33daae4p-3),
    R(0x1.bb1d54cc31650p-4),
    R(-0x1.d3bb8d9d2dd29p-5),
    R(0x1.2be02ca0d05f3p-6),
    /* lambda^-4, from s^15 down */
    R(0x1.0c677166b8d1dp-2),
    R(-0x1.2354d0df67a9fp-2),
    R(0x1.36aa18791e774p-2),
    R(-0x1.44ab7e0ae3e87p-2),
    R(0x1.4b8c58d1caaefp-2),
    R(-0x1.499df74210a24p-2),
    R(0x1.3d8fb873fc1aep-2),
    R(-0x1.26bd7aa863f1fp-2),
    R(0x1.0583a70c7e810p-2),
    R(-0x1.b7104cdc94859p-3),
    R(0x1.57bc958d40a24p-3),
    R(-0x1.eb9019b54d9f3p-4),
    R(0x1.36d9eba39e828p-4),
    R(-0x1.4965a8744f17bp-5),
    R(0x1.075a47c6be84dp-6),
    R(-0x1.e49aeda7749acp-9),
};

LANE_FN lane poisson_row(uint32_t at, uint32_t count, lane s)
{
    lane sum = lane_of(poisson_series_table[at]);
    for (uint32_t k = 1; k < count; ++k)
        sum = lane_fma(sum, s, lane_of(poisson_series_table[at + k]));
    return sum;
}

/* The count whose real continuation has the normal quantile z. */
LANE_FN lane poisson_continued(lane lambda, lane z)
{
    const lane s = z / lane_sqrt(lambda), inverse = R(1.0) / lambda;
#if !defined(LANE_SINGLE)
    lane sum = poisson_row(104, 16, s);
    sum = lane_fma(sum, inverse, poisson_row(84, 20, s));
    sum = lane_fma(sum, inverse, poisson_row(60, 24, s));
#else
    lane sum = poisson_row(74, 10, s);
#endif
    sum = lane_fma(sum, inverse, poisson_row(32, 28, s));
    sum = lane_fma(sum, inverse, poisson_row(0, 32, s) * s);
    return discrete_floor(lambda * lane_exp(sum));
}

LANE_FN lane poisson_inverse(lane lambda, lane_word word)
{
    const lane_mask small = lambda <= POISSON_SEARCH;
    if (!lane_any(small)) return poisson_continued(lambda, normal_from_word(word));
    const lane count = poisson_tally_real(poisson_search(lambda, word, small));
    if (!lane_any(lane_not(small))) return count;
    return lane_select(
        small, count,
        poisson_continued(lane_max(lambda, lane_of(POISSON_SEARCH)), normal_from_word(word)));
}

#endif
