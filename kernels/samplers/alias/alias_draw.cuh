/* alias_draw.cuh: drawing from a table: generators, a draw from either kind of row, and the
 * kernels. 64 random bits make a draw: the row from their product with the number of rows, the
 * place in the row from what the product leaves, 32 bits against short rows, 52 against wide ones.
 * Sectioned sampling after Lehmann et al. 2021: a block draws from one section only, as often as a
 * binomial tree over the sections says (alias_binomial.h). Must not know: which sampler is best. */
#ifndef LEVY_ALIAS_DRAW_CUH
#define LEVY_ALIAS_DRAW_CUH

#include "kernels/lane/target.h"
#include "kernels/samplers/alias/alias_block.cuh"
#include "kernels/samplers/alias/alias_cuda_table.cuh"

extern "C" {
#include "kernels/samplers/alias/alias_binomial.h"
}

/* ---- Generators: two words at a time ------------------------------------------------------------
 */

/* Multiply with carry, x and carry combined (D. B. Thomas' MWC64X): two instructions a word, period
 * about 2^63. */
struct generator_mwc {
    uint64_t state;
    __device__ void seed(uint64_t seed, uint64_t stream)
    {
        alias_stream s = alias_stream_of(seed, stream);
        const uint64_t word = alias_stream_word(&s);
        state = word % 4294883354u << 32 | ((uint32_t)(word >> 32) | 1u);
    }
    __device__ uint32_t word()
    {
        const uint32_t x = (uint32_t)state, carry = (uint32_t)(state >> 32);
        state = (uint64_t)x * 4294883355u + carry;
        return x ^ carry;
    }
    __device__ void two(uint32_t *a, uint32_t *b)
    {
        *a = word();
        *b = word();
    }
};

/* G. Marsaglia, Xorshift RNGs, 2003: the generator of KIT's samplers. */
struct generator_xorwow {
    uint32_t x, y, z, w, v, d;
    __device__ void seed(uint64_t seed, uint64_t stream)
    {
        alias_stream s = alias_stream_of(seed, stream);
        const uint64_t one = alias_stream_word(&s), two = alias_stream_word(&s),
                       three = alias_stream_word(&s);
        x = (uint32_t)one | 1u, y = (uint32_t)(one >> 32), z = (uint32_t)two,
        w = (uint32_t)(two >> 32);
        v = (uint32_t)three, d = (uint32_t)(three >> 32);
    }
    __device__ uint32_t word()
    {
        const uint32_t t = x ^ (x >> 2);
        x = y, y = z, z = w, w = v;
        v = (v ^ (v << 4)) ^ (t ^ (t << 1));
        d += 362437u;
        return d + v;
    }
    __device__ void two(uint32_t *a, uint32_t *b)
    {
        *a = word();
        *b = word();
    }
};

/* Philox4x32-10: words are a function of (seed, stream, index). */
struct generator_philox {
    uint64_t key, stream, index;
    uint32_t kept0, kept1;
    __device__ void seed(uint64_t seed, uint64_t which)
    {
        key = seed, stream = which, index = 0, kept0 = kept1 = 0;
    }
    __device__ void two(uint32_t *a, uint32_t *b)
    {
        if (index & 1) {
            *a = kept0, *b = kept1;
            ++index;
            return;
        }
        uint32_t c0 = (uint32_t)(index >> 1), c1 = (uint32_t)(index >> 33), c2 = (uint32_t)stream,
                 c3 = (uint32_t)(stream >> 32);
        uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
#pragma unroll
        for (int round = 0; round < 10; ++round) {
            const uint64_t p0 = (uint64_t)c0 * 0xD2511F53u, p1 = (uint64_t)c2 * 0xCD9E8D57u;
            c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0, c1 = (uint32_t)p1;
            c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1, c3 = (uint32_t)p0;
            k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
        }
        *a = c0, *b = c1, kept0 = c2, kept1 = c3;
        ++index;
    }
};

/* ---- A draw ---------------------------------------------------------------------------------- */

struct draw_place {
    uint32_t row, high, low;
}; /* the row, and 64 bits of the place in it */

ALIAS_DEV draw_place draw_split(uint32_t high, uint32_t low, uint32_t rows)
{
    const uint64_t below = (uint64_t)low * rows, product = (uint64_t)high * rows + (below >> 32);
    return {(uint32_t)(product >> 32), (uint32_t)product, (uint32_t)below};
}

struct draw_short {
    typedef levy_alias_short_row row;
    typedef uint2 loaded;
    __device__ static loaded load(const row *rows, uint32_t i)
    {
        return reinterpret_cast<const uint2 *>(rows)[i];
    }
    __device__ static uint32_t item(loaded r, const draw_place &p, uint32_t own, double)
    {
        return p.high < r.x ? own : r.y;
    }
};

struct draw_wide {
    typedef levy_alias_row row;
    typedef uint4 loaded;
    __device__ static loaded load(const row *rows, uint32_t i)
    {
        return reinterpret_cast<const uint4 *>(rows)[i];
    }
    __device__ static uint32_t item(loaded r, const draw_place &p, uint32_t, double share)
    {
        const uint64_t one =
            /* 1 + place */
            (uint64_t)(0x3FF00000u | p.high >> 12) << 32 | (uint32_t)(p.high << 20 | p.low >> 12);
        const double threshold = draw_double((uint64_t)r.y << 32 | r.x);
        return (draw_double(one) - 1.0) * share < threshold ? r.z : r.w;
    }
    __device__ static double draw_double(uint64_t bits)
    {
#if LANE_GPU_CODE
        return __longlong_as_double((long long)bits);
#else
        double x;
        memcpy(&x, &bits, sizeof x);
        return x;
#endif
    }
};

template <class Row>
struct alias_draw_job {
    const Row *rows;
    uint64_t n;
    double share;
    uint64_t seed, draws;
    uint32_t sections, section_rows, replicas; /* every section is drawn from by so many blocks */
    const uint64_t *section_draws;
    unsigned long long *sum;
    uint32_t *counts;
};

/* `draws` draws from `rows` rows at `table`, the first of which is item `base`; together: how many
 * loads are under way.
 */
template <class Draw, bool COUNT, class Generator>
ALIAS_DEV uint32_t draw_run(const typename Draw::row *table, uint32_t rows, uint32_t base,
                            double share, uint64_t draws, Generator *g, uint32_t *counts)
{
    enum { TOGETHER = 4 };
    uint32_t sum = 0;
    uint64_t left = draws;
    for (; left >= TOGETHER; left -= TOGETHER) {
        draw_place p[TOGETHER];
        typename Draw::loaded r[TOGETHER];
#pragma unroll
        for (int k = 0; k < TOGETHER; ++k) {
            uint32_t high, low;
            g->two(&high, &low);
            p[k] = draw_split(high, low, rows);
            r[k] = Draw::load(table, p[k].row);
        }
#pragma unroll
        for (int k = 0; k < TOGETHER; ++k) {
            const uint32_t item = Draw::item(r[k], p[k], base + p[k].row, share);
            sum += item;
            if (COUNT) atomicAdd(&counts[item], 1u);
        }
    }
    for (; left > 0; --left) {
        uint32_t high, low;
        g->two(&high, &low);
        const draw_place p = draw_split(high, low, rows);
        const uint32_t item = Draw::item(Draw::load(table, p.row), p, base + p.row, share);
        sum += item;
        if (COUNT) atomicAdd(&counts[item], 1u);
    }
    return sum;
}

ALIAS_DEV uint64_t draw_share(uint64_t draws, uint64_t which, uint64_t parts)
{
    return draws / parts + (which < draws % parts);
}

/* A warp's sums, 32 bits each, to the total. In step. */
ALIAS_DEV void draw_total(unsigned long long *total, uint32_t sum)
{
#if LANE_GPU_OLD
    uint32_t warp = sum;
    for (int half = 16; half > 0; half /= 2) warp += __shfl_xor_sync(0xFFFFFFFFu, warp, half);
#else
    const uint32_t warp = __reduce_add_sync(0xFFFFFFFFu, sum);
#endif
    if ((threadIdx.x & 31) == 0) atomicAdd(total, (unsigned long long)warp);
}

template <class Draw, class Generator, bool COUNT>
static __global__ void __launch_bounds__(1024)
    alias_draw_direct(alias_draw_job<typename Draw::row> job)
{
    const uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x,
                   threads = (uint64_t)gridDim.x * blockDim.x;
    Generator g;
    g.seed(job.seed, thread);
    draw_total(job.sum,
               draw_run<Draw, COUNT>(job.rows, (uint32_t)job.n, 0, job.share,
                                     draw_share(job.draws, thread, threads), &g, job.counts));
}

/* ---- Sections -------------------------------------------------------------------------------- */

ALIAS_DEV uint64_t section_begin(uint64_t section, uint64_t section_rows, uint64_t n)
{
    return section * section_rows < n ? section * section_rows : n;
}

/* A thread a section: walks down the tree of halves, whose nodes draw alike in every thread that
 * passes. */
ALIAS_KERNEL(128)
alias_section_draws(uint64_t n, uint32_t sections, uint64_t section_rows, uint64_t seed,
                    uint64_t draws, uint64_t *out)
{
    const uint32_t section = blockIdx.x * 128 + threadIdx.x;
    if (section >= sections) return;
    uint64_t low = 0, high = sections, node = 1, left = draws;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2, from = section_begin(low, section_rows, n);
        const double part = (double)(section_begin(middle, section_rows, n) - from) /
                            (double)(section_begin(high, section_rows, n) - from);
        alias_stream s = alias_stream_of(seed ^ 0x5EC7104EDu, node);
        const uint64_t first = alias_binomial(left, part, &s);
        const bool right = section >= middle;
        left = right ? left - first : first;
        low = right ? middle : low;
        high = right ? high : middle;
        node = 2 * node + right;
    }
    out[section] = left;
}

template <class Draw, class Generator, bool SHARED, bool COUNT>
static __global__ void __launch_bounds__(1024)
    alias_draw_sections(alias_draw_job<typename Draw::row> job)
{
    typedef typename Draw::row row;
    ALIAS_SHARED(row, copy);
    uint32_t sum = 0;
    const uint32_t units = job.sections * job.replicas;
    for (uint32_t unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const uint32_t section = unit / job.replicas, replica = unit % job.replicas;
        const uint64_t begin = section_begin(section, job.section_rows, job.n),
                       end = section_begin(section + 1, job.section_rows, job.n);
        const row *table = job.rows + begin;
        if (SHARED) {
            __syncthreads();
            for (uint64_t i = threadIdx.x; i < end - begin; i += blockDim.x) copy[i] = table[i];
            __syncthreads();
            table = copy;
        }
        const uint64_t draws = draw_share(job.section_draws[section], replica, job.replicas);
        Generator g;
        g.seed(job.seed, (uint64_t)unit * blockDim.x + threadIdx.x);
        sum += draw_run<Draw, COUNT>(table, (uint32_t)(end - begin), (uint32_t)begin, job.share,
                                     draw_share(draws, threadIdx.x, blockDim.x), &g, job.counts);
    }
    draw_total(job.sum, sum);
}

#endif
