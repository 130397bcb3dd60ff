/* distribution.cu: arrays of deviates of one law: pseudo-random draws, and quantiles of given
 * words. Draws of one word each share a block of four words: a thread makes four neighbouring
 * blocks, and so four neighbouring draws four times. Draws by rejection get one cheap try; what is
 * left of a tile is collected in shared memory and done by neighbouring threads, so that a warp
 * does not wait for its unluckiest thread. A parameter is a number, or an array with one for each
 * deviate; an element outside its range is replaced before it is used, because a draw with it might
 * never end, and its deviate is NaN or the largest count. Compiled by NVRTC: distribution_launch.c
 * writes DISTRIBUTION_LAW, DISTRIBUTION_EACH (1: the first parameter is an array, 2: the second, 3:
 * both), DISTRIBUTION_FEW (1: Poisson counts of one small mean) and the precision before this file.
 * Must not know: who asks, streams. */
#include "kernels/samplers/discrete/one_draw.cuh"

enum {
    DISTRIBUTION_THREADS = 256,
    DISTRIBUTION_TILE = 4096, /* draws that a block's threads make together */
    DISTRIBUTION_GROUP = 64   /* draws whose words come from 16 neighbouring blocks */
};

/* as in levy.h: 0 exponential, 1 normal, 2 gamma, 3 Poisson, 4 non-central chi-square, from 5 on
 * the laws by table */
#define DISTRIBUTION_BY_WORD (DISTRIBUTION_LAW <= 1 || DISTRIBUTION_LAW >= 5 || DISTRIBUTION_FEW)
#if DISTRIBUTION_LAW == 3
typedef uint32_t distribution_number;
#else
typedef real distribution_number;
#endif

#if defined(DISTRIBUTION_KERNELS)
static __shared__ uint32_t distribution_left[DISTRIBUTION_TILE], distribution_n_left;
#endif

struct distribution_arguments {
    distribution_number *output;
    const uint32_t *words; /* quantiles of these; else the draws first to first + n - 1 */
    const real *each[2];   /* by DISTRIBUTION_EACH: parameters of every deviate */
    uint64_t seed, first, n;
    const real *table; /* of a law by table, whose deviates' unit is `scale` */
    double parameters[2], least[2], most[2]; /* numbers for all deviates; ranges of arrays */
    double scale;
    uint32_t open[2]; /* least itself is outside */
    uint32_t substream;
    uint32_t lead;    /* draws from a group's first to `first` */
    uint32_t aligned; /* four numbers from a multiple of four draws can be stored together */
};

/* ---- Parameters ------------------------------------------------------------------------------ */

struct distribution_given {
    lane parameter[2];
    bool good;
};

/* Parameter `which` of deviate k. A number outside the range becomes 1, which every range has. */
template <int which>
LANE_FN void distribution_read(const distribution_arguments *a, uint64_t k, distribution_given *g)
{
    if (!(DISTRIBUTION_EACH >> which & 1)) {
        g->parameter[which] = lane_of((real)a->parameters[which]);
        return;
    }
    const real x = __ldg(a->each[which] + k), least = (real)a->least[which];
    const bool inside = x <= (real)a->most[which] && (a->open[which] ? x > least : x >= least);
    g->parameter[which] = lane_of(inside ? x : R(1.0));
    g->good = g->good && inside;
}

LANE_FN distribution_given distribution_at(const distribution_arguments *a, uint64_t k)
{
    distribution_given g;
    g.good = true;
    distribution_read<0>(a, k, &g);
    distribution_read<1>(a, k, &g);
    return g;
}

LANE_FN distribution_number distribution_result(const distribution_given &g, real value)
{
#if DISTRIBUTION_LAW == 3
    return g.good ? (uint32_t)value : 0xffffffffu;
#else
    return g.good ? value : lane_one_from_bits(LANE_PICK(0x7ff8000000000000LL, 0x7fc00000));
#endif
}

LANE_FN distribution_number distribution_of_word(const distribution_arguments *a, uint64_t k,
                                                 lane_word u)
{
#if DISTRIBUTION_LAW >= 5
    (void)k;
    return one_of_table<DISTRIBUTION_LAW>(a->table, (real)a->scale, u);
#else
    const distribution_given g = distribution_at(a, k);
    return distribution_result(g, one_of_word<DISTRIBUTION_LAW>(g.parameter[0], g.parameter[1], u));
#endif
}

/* ---- One word a draw ------------------------------------------------------------------------- */

#if DISTRIBUTION_BY_WORD
struct __align__(16) distribution_four { distribution_number v[4]; };

/* Numbers at to at + 3 of the output. Those before its first and past its last are left out. */
LANE_FN void distribution_store(const distribution_arguments *a, int64_t at,
                                const distribution_four &four)
{
    if (a->aligned && at >= 0 && at + 4 <= (int64_t)a->n) {
        *(distribution_four *)(a->output + at) = four;
        return;
    }
    LANE_UNROLL for (int k = 0; k < 4; ++k) if (at + k >= 0 && at + k < (int64_t)a->n)
        a->output[at + k] = four.v[k];
}

#if DISTRIBUTION_FEW
/* Counts of one small mean, whose sums are the same for all sixteen words. */
LANE_FN void distribution_counts(const distribution_arguments *a, const philox_words block[4],
                                 distribution_four four[4])
{
    const lane mean = lane_of((real)a->parameters[0]);
    lane_word words[POISSON_TOGETHER];
    poisson_tally tally[POISSON_TOGETHER];
    LANE_UNROLL for (int i = 0; i < 16; ++i) words[i] = block[i % 4].w[i / 4];
    poisson_search_together(mean, poisson_partial_of(mean), words, tally);
    LANE_UNROLL for (int i = 0; i < 16; ++i) four[i / 4].v[i % 4] = tally[i].v[0];
}
#endif

/* The sixteen draws of a thread: at + 16 j to at + 16 j + 3 for j below 4. */
LANE_FN void distribution_sixteen(const distribution_arguments *a, int64_t at,
                                  const philox_words block[4], distribution_four four[4])
{
#if DISTRIBUTION_FEW
    distribution_counts(a, block, four);
#else
    LANE_UNROLL for (int i = 0; i < 16; ++i)
    {
        int64_t k = at + 16 * (i / 4) + i % 4;
        if (DISTRIBUTION_EACH && k >= (int64_t)a->n) k = (int64_t)a->n - 1;
        if (DISTRIBUTION_EACH && k < 0) k = 0;
        four[i / 4].v[i % 4] = distribution_of_word(a, (uint64_t)k, block[i % 4].w[i / 4]);
    }
#endif
}

LANE_FN void distribution_words(const distribution_arguments *a, uint64_t tile)
{
    const uint64_t quad = tile * DISTRIBUTION_THREADS + threadIdx.x;
    const int64_t at = (int64_t)(quad / 4 * DISTRIBUTION_GROUP + quad % 4 * 4) - (int64_t)a->lead;
    philox_words block[4];
    distribution_four four[4];
    LANE_UNROLL for (int k = 0; k < 4; ++k) block[k] =
        one_block(a->seed, DISTRIBUTION_FEW ? DISCRETE_SHARED : 0, a->substream,
                  (a->first - a->lead) / 4 + quad * 4 + (uint64_t)k);
    distribution_sixteen(a, at, block, four);
    LANE_UNROLL for (int j = 0; j < 4; ++j) distribution_store(a, at + 16 * j, four[j]);
}
#endif

/* ---- Rejection: three steps, between which the threads of a block meet ----------------------- */

#if !DISTRIBUTION_BY_WORD
LANE_FN discrete_source distribution_source(const distribution_arguments *a, uint64_t k)
{
    return one_source(a->seed, a->substream, a->first + k);
}

LANE_FN void distribution_whole(const distribution_arguments *a, uint64_t k)
{
    const distribution_given g = distribution_at(a, k);
    a->output[k] = distribution_result(
        g, one_whole<DISTRIBUTION_LAW>(g.parameter[0], g.parameter[1], distribution_source(a, k)));
}
#endif

#if !DISTRIBUTION_BY_WORD && DISTRIBUTION_LAW != 4
LANE_FN void distribution_begin(void)
{
    if (threadIdx.x == 0) distribution_n_left = 0;
}

LANE_FN void distribution_try(const distribution_arguments *a, uint64_t tile)
{
    const uint64_t base = tile * DISTRIBUTION_TILE;
    const uint32_t size =
        a->n - base < DISTRIBUTION_TILE ? (uint32_t)(a->n - base) : (uint32_t)DISTRIBUTION_TILE;
    for (uint32_t i = threadIdx.x; i < size; i += DISTRIBUTION_THREADS) {
        const distribution_given g = distribution_at(a, base + i);
        real value;
        if (one_first<DISTRIBUTION_LAW>(g.parameter[0], g.parameter[1],
                                        distribution_source(a, base + i), &value))
            a->output[base + i] = distribution_result(g, value);
        else
            distribution_left[atomicAdd(&distribution_n_left, 1u)] = i;
    }
}

LANE_FN void distribution_finish(const distribution_arguments *a, uint64_t tile)
{
    for (uint32_t k = threadIdx.x; k < distribution_n_left; k += DISTRIBUTION_THREADS)
        distribution_whole(a, tile * DISTRIBUTION_TILE + distribution_left[k]);
}
#endif

/* ---- All deviates ---------------------------------------------------------------------------- */

LANE_FN uint64_t distribution_thread(void)
{
    return (uint64_t)blockIdx.x * DISTRIBUTION_THREADS + threadIdx.x;
}
LANE_FN uint64_t distribution_stride(void) { return (uint64_t)gridDim.x * DISTRIBUTION_THREADS; }

LANE_FN uint64_t distribution_tiles(const distribution_arguments *a)
{
    const uint64_t lead = DISTRIBUTION_BY_WORD ? a->lead : 0;
    return (a->n + lead + DISTRIBUTION_TILE - 1) / DISTRIBUTION_TILE;
}

LANE_FN void distribution_invert_all(const distribution_arguments *a)
{
    for (uint64_t k = distribution_thread(); k < a->n; k += distribution_stride())
        a->output[k] = distribution_of_word(a, k, lane_word_of(__ldg(a->words + k)));
}

#if DISTRIBUTION_LAW == 4
LANE_FN void distribution_whole_all(const distribution_arguments *a)
{
    for (uint64_t k = distribution_thread(); k < a->n; k += distribution_stride())
        distribution_whole(a, k);
}
#endif

#if defined(DISTRIBUTION_KERNELS)
/* Further arguments: threads and, where long series would not fit the registers of what the
 * compiler chooses, blocks of a processor. */
#define DISTRIBUTION_KERNEL(name, ...)                                                             \
    extern "C" __global__ void __launch_bounds__(__VA_ARGS__)                                      \
        name(const __grid_constant__ distribution_arguments arguments)
DISTRIBUTION_KERNEL(levy_distribution_invert, DISTRIBUTION_THREADS, 1)
{
    if (!DISTRIBUTION_FEW) one_stage<DISTRIBUTION_LAW>(DISTRIBUTION_THREADS);
    distribution_invert_all(&arguments);
}
#if DISTRIBUTION_LAW == 4
DISTRIBUTION_KERNEL(levy_distribution_draw, DISTRIBUTION_THREADS, 1)
{
    one_stage<DISTRIBUTION_LAW>(DISTRIBUTION_THREADS);
    distribution_whole_all(&arguments);
}
#else
DISTRIBUTION_KERNEL(levy_distribution_draw, DISTRIBUTION_THREADS)
{
    if (!DISTRIBUTION_FEW) one_stage<DISTRIBUTION_LAW>(DISTRIBUTION_THREADS);
    for (uint64_t tile = blockIdx.x; tile < distribution_tiles(&arguments); tile += gridDim.x) {
#if DISTRIBUTION_BY_WORD
        distribution_words(&arguments, tile);
#else
        distribution_begin();
        __syncthreads();
        distribution_try(&arguments, tile);
        __syncthreads();
        distribution_finish(&arguments, tile);
        __syncthreads();
#endif
    }
}
#endif
#endif
