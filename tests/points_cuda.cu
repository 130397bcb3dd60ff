/* points_cuda.cu: the generators read as CUDA against tests/known_answers/points.txt. Usage:
 * points_cuda FILE [device]. Without "device" the same functions run on the host, as nvcc or
 * (LEVY_HOST_ONLY) a plain C++ compiler reads them; with it, one thread of a kernel per answer.
 * Every place among the LEVY_LANES paths of a thread, every kind of low table, folded words too. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cmath>

#if defined(LEVY_HOST_ONLY)
#define __CUDACC__ 1
#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __constant__ static
#define __align__(n) __attribute__((aligned(n)))
struct uint4 {
    unsigned x, y, z, w;
};
#endif

#include "kernels/lane/normal.h"
#include "kernels/points/points.h"
extern "C" {
#include "kernels/points/mrg_streams.h"
#include "kernels/points/sobol_tables.h"
}

enum { MOST = 1024, POWERS = 64 };

struct answer {
    int generator;
    uint32_t draw, word;
    uint64_t key, path;
    uint32_t numbers[32], start[LEVY_MRG_STATE];
};

LANE_FN uint32_t points_bits(const uint32_t *numbers, uint64_t index)
{
    uint32_t word = 0;
    for (uint32_t gray = (uint32_t)sobol_gray(index), b = 0; b < 32; ++b)
        if (gray >> b & 1) word ^= numbers[b];
    return word;
}

/* Wrong words, of the point in place `slot` of a thread: rows of 256 points are the thread's paths,
 * columns its low bits. */
LANE_FN int points_wrong_sobol(const answer *a, uint32_t slot)
{
    const uint32_t kinds[] = {SOBOL_SINGLE, SOBOL_TRIPLE, SOBOL_DOUBLE},
                   column = (uint32_t)a->path & 255;
    LANE_ALIGNED(16) uint32_t base[LANES], low[SOBOL_DOUBLE];
    int wrong = 0;
    for (uint32_t i = 0; i < LANES; ++i)
        base[i] = points_bits(a->numbers, a->path - column + 256 * ((uint64_t)i - slot));
    for (int kind = 0; kind < 3; ++kind) {
        for (uint32_t i = 0; i < kinds[kind]; ++i) low[i] = sobol_sum(a->numbers, kinds[kind], i);
        sobol_state s;
        s.base = base;
        s.low = low;
        s.gray = (uint32_t)sobol_gray(column);
        const lane_word word =
            sobol_base(&s, 0, LANES) ^ sobol_low(&s, 0, (int32_t)kinds[kind], a->path & 1);
        wrong += word.v[slot] != a->word;
#if defined(LANE_SINGLE)
        lane_word folded = sobol_base(&s, 0, LANES);
        for (int i = 0; i < LANES; ++i) folded.v[i] = ~normal_fold(folded.v[i]);
        const uint32_t fold = normal_fold(sobol_low(&s, 0, (int32_t)kinds[kind], a->path & 1));
        const lane z = normal_from_word(word), same = normal_from_folded(folded, fold);
        const real sign = fold & 1 ? R(-1.0) : R(1.0), off = z.v[slot] - same.v[slot] * sign;
        wrong += !(off <= R(1e-6) && off >= R(-1e-6)) ||
                 (a->word >> 31) != (same.v[slot] * sign > R(0.0));
#endif
    }
    return wrong;
}

LANE_FN int points_wrong(const answer *a, const uint32_t *powers, uint32_t slot)
{
    if (a->generator == POINTS_SOBOL) return points_wrong_sobol(a, slot);
    lane_word word;
    if (a->generator == POINTS_PHILOX) {
        points_state p;
        p.key = a->key;
        p.cached = 0xffffffffu;
        for (uint32_t i = 0; i < LANES; ++i) {
            p.path_low.v[i] = (uint32_t)(a->path - slot + i);
            p.path_high.v[i] = (uint32_t)((a->path - slot + i) >> 32);
        }
        word = points_philox(&p, a->draw);
    } else { /* a path is one draw of the stream */
        mrg_state s;
        mrg_start(&s, a->start, powers, a->path - slot);
        mrg_fan(&s, powers);
        word = mrg_word(&s);
    }
    return word.v[slot] != a->word;
}

static answer answers[MOST];
static uint32_t powers[POWERS][LEVY_MRG_JUMP];

static size_t points_read(const char *path)
{
    static uint32_t table[32 * 1024];
    char line[256];
    unsigned long long a, b, c, z;
    unsigned dimension, index, draw, word;
    size_t n = 0;
    FILE *const f = fopen(path, "r");
    if (!f || !levy_sobol_directions(1024, table)) return 0;
    while (n < MOST && fgets(line, sizeof line, f)) {
        answer *const to = &answers[n];
        if (sscanf(line, "sobol %u %u %x", &dimension, &index, &word) == 3 && dimension < 1024) {
            to->generator = POINTS_SOBOL;
            to->path = index;
            memcpy(to->numbers, table + 32 * dimension, sizeof to->numbers);
        } else if (sscanf(line, "philox %llx %llx %u %x", &a, &b, &draw, &word) == 4) {
            to->generator = POINTS_PHILOX;
            to->key = a;
            to->path = b;
            to->draw = draw;
        } else if (sscanf(line, "mrg %llx %llx %llx %llu", &a, &b, &c, &z) == 4) {
            z %= 4294967087u;
            word = (unsigned)(z + z * 209 / 4294967087u);
            to->generator = POINTS_MRG;
            to->path = c;
            levy_mrg_start(a, b, LEVY_PURPOSE_PRICE, to->start);
        } else {
            continue;
        }
        to->word = word;
        ++n;
    }
    fclose(f);
    levy_mrg_one_draw(powers[0]);
    for (int i = 1; i < POWERS; ++i) {
        memcpy(powers[i], powers[i - 1], sizeof powers[i]);
        levy_mrg_double(powers[i], 1);
    }
    return n;
}

/* Place `slot`, or the last one that the points before this one allow. */
LANE_FN uint32_t points_slot(const answer *a, uint32_t slot)
{
    const uint64_t before = a->generator == POINTS_SOBOL ? a->path >> 8 : a->path;
    return slot < before ? slot : (uint32_t)before;
}

#if !defined(LEVY_HOST_ONLY)
__global__ void points_kernel(const answer *all, const uint32_t *jumps, uint32_t n, int *wrong)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (uint32_t slot = 0; slot < LANES; ++slot)
        atomicAdd(wrong, points_wrong(&all[i], jumps, points_slot(&all[i], slot)));
}

static int points_on_device(size_t n)
{
    answer *all;
    uint32_t *jumps;
    int *wrong, count = -1;
    if (cudaMalloc(&all, n * sizeof *all) || cudaMalloc(&jumps, sizeof powers) ||
        cudaMalloc(&wrong, sizeof *wrong))
        return -1;
    cudaMemcpy(all, answers, n * sizeof *all, cudaMemcpyHostToDevice);
    cudaMemcpy(jumps, powers, sizeof powers, cudaMemcpyHostToDevice);
    cudaMemset(wrong, 0, sizeof *wrong);
    points_kernel<<<(unsigned)(n + 63) / 64, 64>>>(all, jumps, (uint32_t)n, wrong);
    return cudaMemcpy(&count, wrong, sizeof count, cudaMemcpyDeviceToHost) == cudaSuccess ? count
                                                                                          : -1;
}
#else
static int points_on_device(size_t) { return -1; }
#endif

int main(int argc, char **argv)
{
    const size_t n = argc > 1 ? points_read(argv[1]) : 0;
    const bool device = argc > 2 && strcmp(argv[2], "device") == 0;
    int wrong = 0;
    if (n < 300) return 2;
    for (size_t i = 0; !device && i < n; ++i)
        for (uint32_t slot = 0; slot < LANES; ++slot)
            wrong += points_wrong(&answers[i], powers[0], points_slot(&answers[i], slot));
    if (device) wrong = points_on_device(n);
    printf("%zu answers, %d paths a thread, %s, %s: %d wrong\n", n, (int)LANES,
           LANE_PICK("double", "single"), device ? "device" : "host", wrong);
    return wrong != 0;
}
