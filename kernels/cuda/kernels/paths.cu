/* paths.cu: paths from a generator in one kernel: normals are made where bridge.cu would read them,
 * and only paths reach memory. A thread makes LEVY_LANES neighbouring paths. A block makes the
 * words that its threads share, and sums of those that a thread adds, in shared memory; where they
 * do not fit, a thread adds them up from the columns (PATHS_SHARED). Specialised by NVRTC:
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
    const uint32_t *base; /* Sobol: [row][LANES], of the block's paths */
    const uint32_t *low;  /* Sobol: [row][PATHS_LOW]: what a thread adds */
    lane_word *words;     /* mrg32k3a: [row], all of them */
    int64_t at;           /* the first path, from a->first on */
    uint32_t own;         /* Sobol: the thread's Gray code */
    bool whole;           /* all of its paths are asked for, and are stored together */
};

enum { PATHS_LOW_FIRST = 16, PATHS_LOW = 48, PATHS_BELOW = LANES == 4 ? 1 : 0 };

/* The words of a row, read together. */
struct __align__(4 * LANES) paths_shared { uint32_t word[LANES]; };

/* The word of a row, folded where normals are looked up and points are Sobol's. */
LANE_FN lane_word paths_word(const paths_source &s, uint32_t row)
{
    lane_word word;
#if NORMALS_GENERATOR == 0
    const uint32_t *const column = s.a->numbers + (uint64_t)row * NORMALS_COLUMN;
    uint32_t own;
    if (PATHS_SHARED == 2)
        own = s.low[row * PATHS_LOW + s.own % PATHS_LOW_FIRST] ^
              s.low[row * PATHS_LOW + PATHS_LOW_FIRST + s.own / PATHS_LOW_FIRST];
    else
        own = normals_sum(column, threadIdx.x * LANES);
    if (PATHS_SHARED >= 1) {
        const paths_shared base = ((const paths_shared *)s.base)[row];
        LANE_UNROLL for (int i = 0; i < LANES; ++i) word.v[i] = own ^ base.word[i];
        return word;
    }
    word = normals_first(
        column,
        own ^ column[32] ^ normals_sum(column, s.a->first + (uint64_t)s.at - threadIdx.x * LANES));
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

LANE_FN void paths_put(const paths_source &s, uint32_t row, real *to, const real path[LANES])
{
    lane value;
    normals_pack pack;
    LANE_UNROLL for (int i = 0; i < LANES; ++i) value.v[i] =
        PATHS_DRIFT ? path[i] + s.drift[row] : path[i];
    if (PATHS_EXPONENTIAL) value = path_exp(LANE_PICK(value, value * R(0x1.715476p+0)));
    LANE_UNROLL for (int i = 0; i < LANES; ++i) pack.number[i] = value.v[i];
    if (s.whole)
        *(normals_bytes *)(to + s.at) = pack.bytes;
    else
        normals_store(s.a, to, s.at, pack);
}

#define BRIDGE_DRAWN 1
#include "kernels/cuda/kernels/bridge.cu"

/* Sums of what a thread's bits add: four of the Gray code's, then five. */
LANE_FN void paths_low(const normals_arguments *a, uint32_t rows, uint32_t *low)
{
    for (uint32_t i = threadIdx.x; i < rows * PATHS_LOW; i += PATHS_THREADS) {
        const uint32_t *const column = a->numbers + (uint64_t)(i / PATHS_LOW) * NORMALS_COLUMN;
        const uint32_t at = i % PATHS_LOW, first = at < PATHS_LOW_FIRST ? 0 : 4,
                       bits = at < PATHS_LOW_FIRST ? at : at - PATHS_LOW_FIRST;
        uint32_t word = 0;
        for (uint32_t b = 0; b < 5; ++b)
            if (bits >> b & 1) word ^= column[PATHS_BELOW + first + b];
        low[i] = word;
    }
}

LANE_FN void paths_base(const normals_arguments *a, uint32_t rows, uint64_t block, uint32_t *base)
{
#if NORMALS_GENERATOR == 0
    for (uint32_t row = threadIdx.x; row < rows; row += PATHS_THREADS) {
        const uint32_t *const column = a->numbers + (uint64_t)row * NORMALS_COLUMN;
        const lane_word words = normals_first(column, column[32] ^ normals_sum(column, block));
        LANE_UNROLL for (int i = 0; i < LANES; ++i) base[row * LANES + i] = words.v[i];
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

template <class B>
LANE_FN void paths_run(const paths_arguments *p, const bridge_constants<B> &constants,
                       unsigned char *shared)
{
    enum { rows = B::steps * B::dimensions, kept = NORMALS_GENERATOR == 2 ? rows : 1 };
    const normals_arguments *const a = &p->normals;
    const uint64_t chunk = (uint64_t)PATHS_THREADS * LANES, end = a->first + a->n;
    uint32_t *const base = (uint32_t *)(shared + bridge_layout<B>::bytes), *const low =
                                                                               base + rows * LANES;
    lane_word words[kept];
    paths_source source = {a, p->drift, base, low, words, 0, 0, false};
    source.own = (uint32_t)(sobol_gray(threadIdx.x * LANES) >> PATHS_BELOW);
    normals_stage(a);
    if (PATHS_SHARED == 2) paths_low(a, rows, low);
    for (uint64_t block = (a->first / chunk + blockIdx.x) * chunk; block < end;
         block += gridDim.x * chunk) {
        __syncthreads(); /* the block before is done with what is made anew */
        if (PATHS_SHARED >= 1) paths_base(a, rows, block, base);
        __syncthreads();
        source.at = (int64_t)(block - a->first) + threadIdx.x * LANES;
        source.whole = a->aligned && source.at >= 0 && source.at + LANES <= (int64_t)a->n;
        paths_words(a, rows, &source);
        const bridge_arguments<B> arguments = {0, a->output, a->n, a->stride, p->program, &source};
        bridge_run<B>(arguments, constants, shared);
    }
}

#if defined(PATHS_KERNELS)
extern __shared__ uint4 paths_memory[];
extern "C" __global__ void __launch_bounds__(PATHS_THREADS)
    levy_paths(const __grid_constant__ paths_arguments arguments,
               const __grid_constant__ bridge_constants<bridge_shape> constants)
{
    paths_run<bridge_shape>(&arguments, constants, (unsigned char *)paths_memory);
}
#endif
