/* paths.cu: paths from a generator in one kernel: normals are made where bridge.cu would read them,
 * and only paths reach memory. A thread makes LEVY_LANES neighbouring paths. A warp makes the words
 * that its threads share in shared memory, so that blocks need no barrier; what a thread adds to
 * them is the same for all warps and stands there too. Where they do not fit, a thread adds them up
 * from the columns (PATHS_SHARED). Specialised by NVRTC:
 * paths_launch.c writes the generator, the shape of the bridge and the PATHS_ constants before this
 * file. The numbers are those of normals.cu and then bridge.cu. Must not know: seeds, orders,
 * streams. */
#define NORMALS_OUTPUT 0
#define NORMALS_BLOCK PATHS_THREADS
#include "kernels/cuda/kernels/normals.cu"

/* What a thread makes its words from. */
struct paths_source {
    const normals_arguments *a;
    const real *drift;    /* PATHS_DRIFT: [row], added to a path */
    const uint32_t *base; /* Sobol: [row][LANES], of the warp's paths */
    const uint32_t *low;  /* Sobol: [row][32]: what the thread of a place in its warp adds */
    lane_word *words;     /* mrg32k3a: [row], all of them */
    int64_t at;           /* the first path, from a->first on */
    bool whole;           /* all of its paths are asked for, and are stored together */
};

enum { PATHS_WARP = 32 };

/* The words of a row, read together. */
struct __align__(4 * LANES) paths_shared { uint32_t word[LANES]; };

#if NORMALS_GENERATOR == 0
/* The thread's part of the words of a row. */
LANE_FN uint32_t paths_own(const paths_source &s, uint32_t row)
{
    if (PATHS_SHARED == 2) return s.low[row * PATHS_WARP + threadIdx.x % PATHS_WARP];
    return normals_sum(s.a->numbers + (uint64_t)row * NORMALS_COLUMN,
                       threadIdx.x % PATHS_WARP * LANES);
}
#endif

/* The word of a row, folded where normals are looked up and points are Sobol's. */
LANE_FN lane_word paths_word(const paths_source &s, uint32_t row)
{
    lane_word word;
#if NORMALS_GENERATOR == 0
    const uint32_t own = paths_own(s, row);
    if (PATHS_SHARED >= 1) {
        const paths_shared base = ((const paths_shared *)s.base)[row];
        LANE_UNROLL for (int i = 0; i < LANES; ++i) word.v[i] = own ^ base.word[i];
        return word;
    }
    const uint32_t *const column = s.a->numbers + (uint64_t)row * NORMALS_COLUMN;
    word = normals_first(column, own ^ column[32] ^
                                     normals_sum(column, s.a->first + (uint64_t)s.at -
                                                             threadIdx.x % PATHS_WARP * LANES));
#elif NORMALS_GENERATOR == 1
    lane_word low, high;
    LANE_UNROLL for (int i = 0; i < LANES; ++i)
    {
        low.v[i] = (uint32_t)(s.a->first + s.at + i);
        high.v[i] = (uint32_t)((s.a->first + s.at + i) >> 32);
    }
    const philox_words four =
        philox_draw(s.a->key, lane_word_of(row >> 2), lane_word_of(0), low, high);
    word = four.w[3];
    for (uint32_t k = 0; k < 3; ++k)
        if ((row & 3) == k) word = four.w[k];
#else
    word = s.words[row];
#endif
    return word;
}

LANE_FN void paths_draw(const paths_source &s, uint32_t row, real normal[LANES])
{
    const normals_pack pack = normals_of(paths_word(s, row));
    LANE_UNROLL for (int i = 0; i < LANES; ++i) normal[i] = pack.number[i];
}

/* The same but for a sign that all of them share: it is that of *scale then. */
LANE_FN void paths_draw_scaled(const paths_source &s, uint32_t row, real normal[LANES], real *scale)
{
#if NORMALS_TABLE && NORMALS_GENERATOR == 0
    if (PATHS_SHARED >= 1) {
        const paths_shared base = ((const paths_shared *)s.base)[row];
        const uint32_t own = paths_own(s, row);
        lane_word word;
        LANE_UNROLL for (int i = 0; i < LANES; ++i) word.v[i] = base.word[i];
        const lane value = normal_from_folded(word, own);
        LANE_UNROLL for (int i = 0; i < LANES; ++i) normal[i] = value.v[i];
        *scale =
            lane_one_from_bits(lane_one_as_bits(*scale) ^
                               LANE_PICK((real_bits)((uint64_t)own << 63), (real_bits)(own << 31)));
        return;
    }
#endif
    paths_draw(s, row, normal);
}

/* `to`: the place of the thread's first path. */
LANE_FN void paths_put(const paths_source &s, uint32_t row, real *to, const real path[LANES])
{
    lane value;
    normals_pack pack;
    LANE_UNROLL for (int i = 0; i < LANES; ++i) value.v[i] =
        PATHS_DRIFT ? path[i] + s.drift[row] : path[i];
    if (PATHS_EXPONENTIAL) value = path_exp(LANE_PICK(value, value * R(0x1.715476p+0)));
    LANE_UNROLL for (int i = 0; i < LANES; ++i) pack.number[i] = value.v[i];
    if (s.whole)
        normals_together(to, pack);
    else
        normals_store(s.a, to - s.at, s.at, pack);
}

#define BRIDGE_DRAWN 1
#include "kernels/cuda/kernels/bridge.cu"
#if PATHS_RUNS
#include "kernels/cuda/kernels/bridge_runs.cuh"
#endif

LANE_FN void paths_low(const normals_arguments *a, uint32_t rows, uint32_t *low)
{
#if NORMALS_GENERATOR == 0
    for (uint32_t i = threadIdx.x; i < rows * PATHS_WARP; i += PATHS_THREADS)
        low[i] = normals_sum(a->numbers + (uint64_t)(i / PATHS_WARP) * NORMALS_COLUMN,
                             i % PATHS_WARP * LANES);
#endif
}

/* `first`: the warp's first path. */
LANE_FN void paths_base(const normals_arguments *a, uint32_t rows, uint64_t first, uint32_t *base)
{
#if NORMALS_GENERATOR == 0
    for (uint32_t row = threadIdx.x % PATHS_WARP; row < rows; row += PATHS_WARP) {
        const uint32_t *const column = a->numbers + (uint64_t)row * NORMALS_COLUMN;
        const lane_word words = normals_first(column, column[32] ^ normals_sum(column, first));
        paths_shared pack;
        LANE_UNROLL for (int i = 0; i < LANES; ++i) pack.word[i] = words.v[i];
        ((paths_shared *)base)[row] = pack;
    }
#endif
}

/* From the words of a block to those of the next, number `block` of them: the Gray code changes in
 * one bit above all paths of a block, and in the highest below. */
LANE_FN void paths_base_next(const normals_arguments *a, uint32_t rows, uint64_t block,
                             uint32_t *base)
{
#if NORMALS_GENERATOR == 0
    uint32_t below = 0;
    LANE_UNROLL for (uint32_t b = 0; 2u << b < PATHS_THREADS * LANES; ++b) below = b + 1;
    const uint32_t bit = below + (uint32_t)__ffsll((long long)block);
    for (uint32_t row = threadIdx.x % PATHS_WARP; row < rows; row += PATHS_WARP) {
        const uint32_t *const column = a->numbers + (uint64_t)row * NORMALS_COLUMN;
        const uint32_t change = column[bit] ^ column[below];
        paths_shared pack = ((paths_shared *)base)[row];
        LANE_UNROLL for (int i = 0; i < LANES; ++i) pack.word[i] ^= change;
        ((paths_shared *)base)[row] = pack;
    }
#endif
}

/* All words of a thread's paths, in the generator's order. */
LANE_FN void paths_words(const normals_arguments *a, uint32_t rows, paths_source *s)
{
#if NORMALS_GENERATOR == 2
    mrg_state state;
    mrg_start(&state, a->start, a->numbers, a->first + (uint64_t)s->at);
    mrg_fan(&state, a->numbers);
    for (uint32_t row = 0; row < rows; ++row) s->words[row] = mrg_word(&state);
#endif
}

/* The arguments of a launch. */
struct paths_arguments {
    normals_arguments normals;
    const bridge_record<real> *program;
    const real *drift;
};

/* `whole`: all paths of the block are asked for. */
template <class B>
LANE_FN void paths_block(const paths_arguments *p, const paths_source &source, bool whole,
                         const bridge_constants<B> &constants, unsigned char *shared)
{
    const normals_arguments *const a = &p->normals;
#if PATHS_RUNS
    if (whole && a->aligned) {
        paths_source all = source;
        all.whole = true;
        const bridge_arguments<B> arguments = {0, a->output, a->n, a->stride, p->program, &all};
        bridge_runs<B>(arguments, constants, shared).run_all();
        return;
    }
#endif
    const bridge_arguments<B> arguments = {0, a->output, a->n, a->stride, p->program, &source};
    __syncthreads(); /* the program comes again, and the block before may read it still */
    bridge_run<B>(arguments, constants, shared);
    (void)whole;
}

template <class B>
LANE_FN void paths_run(const paths_arguments *p, const bridge_constants<B> &constants,
                       unsigned char *shared)
{
    enum { rows = B::steps * B::dimensions, kept = NORMALS_GENERATOR == 2 ? rows : 1 };
    const normals_arguments *const a = &p->normals;
    const uint64_t chunk = (uint64_t)PATHS_THREADS * LANES, end = a->first + a->n;
    const uint32_t warp = threadIdx.x / PATHS_WARP;
    uint32_t *const all = (uint32_t *)(shared + bridge_layout<B>::bytes),
                    *const base = all + warp * rows * LANES,
                    *const low = all + PATHS_THREADS / PATHS_WARP * rows * LANES;
    lane_word words[kept];
    paths_source source = {a, p->drift, base, low, words, 0, false};
    normals_stage(a);
    if (PATHS_SHARED == 2) paths_low(a, rows, low);
#if PATHS_RUNS
    bridge_runs_stage<B>(p->program, shared);
#endif
    __syncthreads();
    uint64_t number = a->first / chunk + (uint64_t)blockIdx.x * a->rounds;
    for (uint32_t round = 0; round < a->rounds && number * chunk < end; ++round, ++number) {
        const uint64_t block = number * chunk;
        if (PATHS_SHARED >= 1) {
            __syncwarp(); /* it is done with the words that are made anew */
            if (round == 0)
                paths_base(a, rows, block + warp * (PATHS_WARP * LANES), base);
            else
                paths_base_next(a, rows, number, base);
            __syncwarp();
        }
        source.at = (int64_t)(block - a->first) + threadIdx.x * LANES;
        source.whole = a->aligned && source.at >= 0 && source.at + LANES <= (int64_t)a->n;
        paths_words(a, rows, &source);
        paths_block<B>(p, source, block >= a->first && block + chunk <= end, constants, shared);
    }
}

#if defined(PATHS_KERNELS)
extern __shared__ uint4 paths_memory[];
extern "C" __global__ void __launch_bounds__(NORMALS_LAUNCH)
    levy_paths(const __grid_constant__ paths_arguments arguments,
               const __grid_constant__ bridge_constants<bridge_shape> constants)
{
    paths_run<bridge_shape>(&arguments, constants, (unsigned char *)paths_memory + NORMALS_FRONT);
}
#endif
