/* one_draw.cuh: one deviate of a law, known when a kernel is compiled, as plain functions that a
 * host pass can run too: from one word, by a first cheap try, and whole. Lanes carry one path. Must
 * not know: arrays, launches. */
#ifndef LEVY_DISCRETE_ONE_DRAW_CUH
#define LEVY_DISCRETE_ONE_DRAW_CUH

#include "kernels/lane/lane.h"

/* Normals in double look their rows up in shared memory (normal.h), once a kernel has called
 * one_stage. */
#if LANE_GPU_CODE && !defined(LANE_SINGLE)
#define NORMAL_COPIED 32
#define NORMAL_ALONE 192
#define NORMAL_JOINED 0
#define NORMAL_SHARED one_rows
static __shared__ __align__(128) unsigned char one_rows[512 * NORMAL_COPIED + 64 * NORMAL_ALONE];
#endif
#include "kernels/samplers/discrete/distributions.h"
#include "kernels/samplers/discrete/quantile.h"

enum { /* as in levy.h */
       ONE_EXPONENTIAL,
       ONE_NORMAL,
       ONE_GAMMA,
       ONE_POISSON,
       ONE_NONCENTRAL,
       ONE_GAMMA_TABLE,
       ONE_BETA,
       ONE_INVERSE_GAUSSIAN
};

LANE_FN discrete_source one_source(uint64_t seed, uint32_t stream, uint64_t index)
{
    discrete_source s;
    s.key = seed;
    s.stream = lane_word_of(stream);
    s.low = lane_word_of((uint32_t)index);
    s.high = lane_word_of((uint32_t)(index >> 32));
    return s;
}

/* Philox's block number `block` of a stream, whose words belong to four draws. */
LANE_FN philox_words one_block(uint64_t seed, uint32_t attempt, uint32_t stream, uint64_t block)
{
    return philox_draw(seed, lane_word_of(attempt), lane_word_of(stream),
                       lane_word_of((uint32_t)block), lane_word_of((uint32_t)(block >> 32)));
}

/* At the start of a kernel of this law, whose blocks have so many threads, by all of them. */
template <int LAW>
LANE_FN void one_stage(uint32_t threads)
{
#if defined(NORMAL_COPIED)
    if (LAW < ONE_NORMAL || LAW > ONE_NONCENTRAL) return;
    normal_stage(NORMAL_ALL_ROWS, threads);
    __syncthreads();
#endif
    (void)threads;
}

/* a, b: the law's parameters. */
template <int LAW>
LANE_FN real one_of_word(lane a, lane b, lane_word u)
{
    switch (LAW) {
    case ONE_EXPONENTIAL:
        return lane_get(a * exponential_inverse(u), 0);
    case ONE_NORMAL:
        return lane_get(lane_fma(b, normal_from_word(u), a), 0);
    case ONE_GAMMA:
        return lane_get(b * gamma_inverse(a, u), 0);
    case ONE_POISSON:
        return lane_get(poisson_inverse(a, u), 0);
    default:
        return lane_get(noncentral_inverse(a, b, u), 0);
    }
}

/* A deviate that is looked up, from one word. */
template <int LAW>
LANE_FN real one_of_table(const real *table, real scale, lane_word u)
{
    if (LAW == ONE_BETA) return lane_get(quantile_of_unit(table, u, scale), 0);
    return lane_get(lane_of(scale) * quantile_from_word(table, u), 0);
}

/* The first try of a gamma or Poisson draw; false: not taken. A Poisson count of a small mean is
 * always taken. */
template <int LAW>
LANE_FN bool one_first(lane a, lane b, const discrete_source &s, real *value)
{
    lane_mask taken;
    if (LAW == ONE_GAMMA) {
        const gamma_law law = gamma_law_of(a);
        const philox_words words = discrete_words(&s, 0);
        *value = lane_get(b * gamma_first(&law, &words, &taken), 0);
        return lane_any(taken);
    }
    const poisson_law law = poisson_law_of(a);
    if (lane_any(law.few)) {
        *value = lane_get(poisson_few(&law, discrete_shared_word(&s)), 0);
        return true;
    }
    *value = lane_get(poisson_try(&law, &s, 0, &taken), 0);
    return lane_any(taken);
}

/* A gamma, Poisson or non-central draw from its first try on. */
template <int LAW>
LANE_FN real one_whole(lane a, lane b, const discrete_source &s)
{
    if (LAW == ONE_GAMMA) {
        const gamma_law law = gamma_law_of(a);
        return lane_get(b * gamma_draw(&law, &s), 0);
    }
    if (LAW == ONE_POISSON) {
        const poisson_law law = poisson_law_of(a);
        return lane_get(poisson_draw(&law, &s), 0);
    }
    const noncentral_law law = noncentral_law_of(a, b);
    return lane_get(noncentral_draw(&law, &s), 0);
}

#endif
