/* normals.cu: stand-alone normals: words of a generator, and the uniforms or normals made from
 * them, in rows of one dimension each. A thread makes LEVY_LANES neighbouring points, up to 16
 * bytes of a row, and stores them together where the row is aligned. Normals are looked up in a
 * table in shared memory; otherwise threads do not meet. Specialised by NVRTC: normals_launch.c
 * writes NORMALS_GENERATOR, NORMALS_OUTPUT, LEVY_LANES, the precision, NORMALS_BLOCK and what the
 * table needs before this file. Must not know: seeds, streams. */
#include "kernels/lane/lane.h"

/* as in levy.h */
enum { NORMALS_NORMAL, NORMALS_UNIFORM, NORMALS_WORD };
enum { NORMALS_THREADS = NORMALS_BLOCK, NORMALS_COLUMN = 33, NORMALS_JUMP = 18 };

#define NORMALS_TABLE (NORMALS_OUTPUT == 0)
/* The table in double lets a processor hold one large block, or two. A compiler that is not told so
 * leaves registers for more. Streams of mrg32k3a have small tables and four blocks. */
#if NORMALS_TABLE && !defined(LANE_SINGLE) && NORMALS_BLOCK == 512
#define NORMALS_LAUNCH NORMALS_THREADS, 1
#elif NORMALS_TABLE && !defined(LANE_SINGLE) && NORMALS_GENERATOR != 2
#define NORMALS_LAUNCH NORMALS_THREADS, 2
#else
#define NORMALS_LAUNCH NORMALS_THREADS
#endif
#if NORMALS_TABLE && defined(LANE_SINGLE)
/* Rows of cubics (normal.h). Those of the rarest words stay in global memory. */
#define NORMAL_ROWS (32 * 16 + 1)
#define NORMAL_FIRST (20 * 16)
#define NORMAL_TABLE (normals_shared + 128)
#define NORMAL_DEEP_FN LANE_FN
enum { NORMALS_STAGED = NORMAL_ROWS - NORMAL_FIRST, NORMALS_FRONT = 0 };
#if !defined(NORMALS_HOST)
static __shared__ __align__(128) unsigned char normals_shared[128 + 128 * NORMALS_STAGED];
#endif
#elif NORMALS_TABLE
/* Rows of polynomials, in front of a block's dynamic shared memory. */
#define NORMAL_COPIED NORMALS_COPIED
#define NORMAL_ALONE NORMALS_ALONE
#define NORMAL_JOINED 0
#define NORMAL_SHARED (normals_shared + 128)
#define NORMAL_ALL_ROWS (*(const double *const *)normals_shared)
enum { NORMALS_FRONT = 128 + 512 * NORMALS_COPIED + 64 * NORMALS_ALONE };
#if !defined(NORMALS_HOST)
extern __shared__ __align__(128) unsigned char normals_shared[];
#endif
#endif
#include "kernels/lane/normal.h"
#include "kernels/points/points.h"

#if NORMALS_OUTPUT == 2
typedef uint32_t normals_number;
#else
typedef real normals_number;
#endif

/* Points [first, first + n) of the generator: point i of them goes to output[d * stride + i]. */
struct normals_arguments {
    normals_number *output;
    uint64_t first, n, stride;
    uint64_t key;            /* of Philox */
    const void *table;       /* NORMALS_TABLE: all rows */
    const uint32_t *numbers; /* Sobol: columns, beside a table folded; mrg32k3a: 2^b points' jumps;
                                given words: shifts */
    uint32_t dimension;      /* the first one */
    uint32_t count;          /* of dimensions */
    uint32_t rounds;         /* Sobol: registers of points of a thread, a power of two */
    uint32_t aligned;        /* rows can be stored 16 bytes at a time */
    uint32_t start[6], jump[NORMALS_JUMP]; /* mrg32k3a */
    /* given words: [chunk][dimension][point of the chunk], chunks `across` words apart */
    const uint32_t *words;
    uint64_t chunk, across, skip; /* skip: points before the first one */
};

template <int bytes>
struct normals_access {
    typedef uint4 type;
};
template <>
struct normals_access<8> {
    typedef uint2 type;
};
template <>
struct normals_access<4> {
    typedef uint32_t type;
};
typedef normals_access<LANES *(int)sizeof(normals_number)>::type normals_bytes;

union normals_pack {
    normals_number number[LANES];
    normals_bytes bytes; /* stored together */
};

/* One access. Written as an assignment beside the loop of normals_store, a compiler makes four of
 * it. */
LANE_FN void normals_together(normals_number *to, normals_pack pack)
{
    __stwb((normals_bytes *)to, pack.bytes);
}

LANE_FN normals_pack normals_of(lane_word word)
{
    normals_pack pack;
#if NORMALS_OUTPUT == 2
    LANE_UNROLL for (int i = 0; i < LANES; ++i) pack.number[i] = word.v[i];
#else
#if NORMALS_TABLE && NORMALS_GENERATOR == 0
    const lane value = normal_from_folded(word, 0);
#elif NORMALS_OUTPUT == 1
    const lane value = lane_uniform_from_word(word);
#else
    const lane value = normal_from_word(word);
#endif
    LANE_UNROLL for (int i = 0; i < LANES; ++i) pack.number[i] = value.v[i];
#endif
    return pack;
}

/* Before any normal: the table goes to shared memory (normal.h). */
LANE_FN void normals_stage(const normals_arguments *a)
{
#if NORMALS_TABLE && defined(LANE_SINGLE)
    const float4 *const rows = (const float4 *)a->table;
    if (threadIdx.x == 0) *(const float4 **)(NORMAL_TABLE - 16) = rows;
    for (uint32_t i = threadIdx.x; i < 8 * NORMALS_STAGED; i += NORMALS_THREADS)
        ((float4 *)NORMAL_TABLE)[i] = rows[NORMAL_FIRST + i / 8];
#elif NORMALS_TABLE
    if (threadIdx.x == 0) *(const void **)normals_shared = a->table;
    normal_stage(a->table, NORMALS_THREADS);
#endif
    (void)a;
}

/* Numbers at, at + 1, ... of a row. Those before its first and past its last are left out. */
LANE_FN void normals_store(const normals_arguments *a, normals_number *row, int64_t at,
                           normals_pack pack)
{
    if (a->aligned && at >= 0 && at + LANES <= (int64_t)a->n) {
        normals_together(row + at, pack);
        return;
    }
    LANE_UNROLL for (int i = 0; i < LANES; ++i) if (at + i >= 0 && at + i < (int64_t)a->n)
        row[at + i] = pack.number[i];
}

LANE_FN void normals_put(const normals_arguments *a, normals_number *row, int64_t at,
                         lane_word word)
{
    normals_store(a, row, at, normals_of(word));
}

#if NORMALS_GENERATOR == 0
/* Indices are split: the block's, the round's, the thread's and the point's bits. The Gray code is
 * linear, so the words of the parts are added. */
LANE_FN uint32_t normals_sum(const uint32_t *column, uint64_t index)
{
    uint32_t word = 0;
    for (uint64_t gray = sobol_gray(index); gray; gray &= gray - 1)
        word ^= column[__ffsll((long long)gray) - 1];
    return word;
}

LANE_FN lane_word normals_first(const uint32_t *column, uint32_t word)
{
    lane_word words;
    LANE_UNROLL for (int i = 0; i < LANES; ++i)
    {
        words.v[i] = word;
        LANE_UNROLL for (int b = 0; 1 << b < LANES; ++b) if (sobol_gray((uint64_t)i) >> b & 1)
            words.v[i] ^= column[b];
    }
    return words;
}

/* `block`: the index of the first point, a multiple of all points of the block. `own`: the thread's
 * part of the words, with the shift. */
LANE_FN void normals_chunk(const normals_arguments *a, normals_number *row, const uint32_t *column,
                           uint64_t block, uint32_t own)
{
    const uint32_t unit = NORMALS_THREADS * LANES;
    uint32_t below = 0; /* the bit under a unit's own */
    LANE_UNROLL for (uint32_t b = 0; 2u << b < unit; ++b) below = b + 1;
    int64_t at = (int64_t)(block - a->first) + threadIdx.x * LANES;
    const uint32_t common = column[below];
    lane_word words = normals_first(column, own ^ normals_sum(column, block));
    for (uint32_t g = 0; g < a->rounds && at < (int64_t)a->n; ++g) {
        normals_put(a, row, at, words);
        at += unit;
        if (g + 1 < a->rounds) words = words ^ (column[below + __ffs((int)(g + 1))] ^ common);
    }
}

LANE_FN void normals_all(const normals_arguments *a)
{
    const uint64_t chunk = (uint64_t)NORMALS_THREADS * LANES * a->rounds, end = a->first + a->n;
    for (uint32_t d = blockIdx.y; d < a->count; d += gridDim.y) {
        const uint32_t *const column = a->numbers + (uint64_t)d * NORMALS_COLUMN;
        const uint32_t own = column[32] ^ normals_sum(column, threadIdx.x * LANES);
        for (uint64_t block = (a->first / chunk + blockIdx.x) * chunk; block < end;
             block += gridDim.x * chunk)
            normals_chunk(a, a->output + (uint64_t)d * a->stride, column, block, own);
    }
}
#elif NORMALS_GENERATOR == 1
LANE_FN void normals_points(const normals_arguments *a, int64_t at)
{
    const uint32_t end = a->dimension + a->count;
    lane_word low, high;
    LANE_UNROLL for (int i = 0; i < LANES; ++i)
    {
        low.v[i] = (uint32_t)(a->first + at + i);
        high.v[i] = (uint32_t)((a->first + at + i) >> 32);
    }
    for (uint32_t q = (a->dimension >> 2) + blockIdx.y; 4 * q < end; q += gridDim.y) {
        const philox_words words = philox_draw(a->key, lane_word_of(q), lane_word_of(0), low, high);
        LANE_UNROLL for (uint32_t k = 0; k < 4; ++k)
        {
            const uint32_t d = 4 * q + k;
            if (d >= a->dimension && d < end)
                normals_put(a, a->output + (uint64_t)(d - a->dimension) * a->stride, at,
                            words.w[k]);
        }
    }
}

LANE_FN void normals_all(const normals_arguments *a)
{
    const int64_t unit = (int64_t)gridDim.x * NORMALS_THREADS * LANES;
    int64_t at = ((int64_t)blockIdx.x * NORMALS_THREADS + threadIdx.x) * LANES;
    for (; at < (int64_t)a->n; at += unit) normals_points(a, at);
}
#elif NORMALS_GENERATOR == 3
/* Words that another library has made. */
LANE_FN void normals_points(const normals_arguments *a, int64_t at)
{
    uint64_t place[LANES]; /* of the points' words, in the first dimension */
    LANE_UNROLL for (int i = 0; i < LANES; ++i)
    {
        const uint64_t left = a->n - (uint64_t)at,
                       j = a->skip + (uint64_t)at + ((uint64_t)i < left ? (uint64_t)i : 0);
        place[i] = j / a->chunk * a->across + j % a->chunk;
    }
    for (uint32_t d = blockIdx.y; d < a->count; d += gridDim.y) {
        lane_word words;
        LANE_UNROLL for (int i = 0; i < LANES; ++i) words.v[i] =
            a->words[d * a->chunk + place[i]] ^ a->numbers[d];
        normals_put(a, a->output + (uint64_t)d * a->stride, at, words);
    }
}

LANE_FN void normals_all(const normals_arguments *a)
{
    const int64_t unit = (int64_t)gridDim.x * NORMALS_THREADS * LANES;
    int64_t at = ((int64_t)blockIdx.x * NORMALS_THREADS + threadIdx.x) * LANES;
    for (; at < (int64_t)a->n; at += unit) normals_points(a, at);
}
#else
/* A thread goes through all dimensions of its points, then jumps to its next ones. */
LANE_FN void normals_all(const normals_arguments *a)
{
    const int64_t unit = (int64_t)gridDim.x * NORMALS_THREADS * LANES;
    int64_t at = ((int64_t)blockIdx.x * NORMALS_THREADS + threadIdx.x) * LANES;
    mrg_state state;
    if (at >= (int64_t)a->n) return;
    mrg_start(&state, a->start, a->numbers, a->first + (uint64_t)at);
    mrg_fan(&state, a->numbers);
    for (;;) {
        normals_number *row = a->output;
        for (uint32_t d = 0; d < a->count; ++d, row += a->stride)
            normals_put(a, row, at, mrg_word(&state));
        at += unit;
        if (at >= (int64_t)a->n) return;
        mrg_jump(&state, a->jump);
    }
}
#endif

#if defined(NORMALS_KERNELS)
extern "C" __global__ void __launch_bounds__(NORMALS_LAUNCH)
    levy_normals(const __grid_constant__ normals_arguments arguments)
{
    normals_stage(&arguments);
    if (NORMALS_TABLE) __syncthreads();
    normals_all(&arguments);
}
#endif
