/* distributions_host.cpp: the GPU's kernels of bench/distributions/draws.cuh as C++, a block being one thread: prints the hash of
 * tests/test_distributions.c (its cases, 4,096 draws and 256 words each), after draws that do not fill a tile were compared with
 * those that do, and Poisson's table with the inversion. test_distributions_gpu.sh compiles and runs it. */
#define __CUDACC__ 1
#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define DRAWS_THREADS 1u

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

struct host_index { unsigned x; };
static host_index threadIdx = {0}, blockIdx = {0}, blockDim = {1}, gridDim = {2};
static void __syncthreads() {}
static uint32_t atomicAdd(uint32_t *place, uint32_t value)
{
    const uint32_t before = *place;
    *place += value;
    return before;
}

#include "bench/distributions/draws.cuh"

template <int LAW, class T> static void run_law(const levy_draws_cuda_job &job)
{
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x) {
        if (job.words) draws_inverted<LAW, T>(job);
        else if (LAW == LEVY_DRAWS_EXPONENTIAL || LAW == LEVY_DRAWS_NORMAL) draws_by_word<LAW>(job);
        else if (LAW == LEVY_DRAWS_NONCENTRAL) draws_each<LAW>(job);
        else if (LAW == LEVY_DRAWS_POISSON && (real)job.parameters[0] <= R(POISSON_FEW)) draws_by_search(job);
        else draws_by_tile<LAW, T>(job);
    }
}

static void run(const levy_draws_cuda_job &job)
{
    switch (job.law) {
    case LEVY_DRAWS_EXPONENTIAL: run_law<LEVY_DRAWS_EXPONENTIAL, real>(job); break;
    case LEVY_DRAWS_NORMAL: run_law<LEVY_DRAWS_NORMAL, real>(job); break;
    case LEVY_DRAWS_GAMMA: run_law<LEVY_DRAWS_GAMMA, real>(job); break;
    case LEVY_DRAWS_POISSON: run_law<LEVY_DRAWS_POISSON, uint32_t>(job); break;
    default: run_law<LEVY_DRAWS_NONCENTRAL, real>(job); break;
    }
}

alignas(16) static double memory[8192], others[8192];
static uint64_t hash_output(uint64_t hash, bool counts, int n)
{
    for (int i = 0; i < n; ++i) {
        const double x = counts ? (double)((const uint32_t *)memory)[i] : (double)((const real *)memory)[i];
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        hash = (hash ^ bits ^ bits >> 31) * 1099511628211u; /* upper bits alone would not reach lower ones */
    }
    return hash;
}

static int check_table(double mean)
{
    static levy_poisson_table table;
    if (!levy_poisson_table_fill(&table, mean)) return 1;
    for (uint32_t i = 0; i < 300000; ++i) {
        const uint32_t word = i < 1000 ? i : i < 2000 ? ~(i - 1000) : i < 4096 ? (i - 2000) << 21 : i < 6000 ? ((i - 4096) << 21) - 1 : i * 2654435769u;
        const uint32_t count = poisson_table_count(table.cells, table.first, table.last, word);
        if (sizeof(real) == 8 && count != (uint32_t)lane_get(poisson_inverse(lane_of((real)mean), lane_word_of(word)), 0)) return 1;
    }
    return 0;
}

int main()
{
    static const struct { levy_draws_law law; double a, b; } cases[] = {
        {LEVY_DRAWS_EXPONENTIAL, 2.5, 0}, {LEVY_DRAWS_NORMAL, -1, 3},    {LEVY_DRAWS_GAMMA, 0.05, 1},    {LEVY_DRAWS_GAMMA, 0.7, 2},
        {LEVY_DRAWS_GAMMA, 1, 1},         {LEVY_DRAWS_GAMMA, 1.2, 1},    {LEVY_DRAWS_GAMMA, 4.98, 1.001}, {LEVY_DRAWS_GAMMA, 300, 1},
        {LEVY_DRAWS_POISSON, 0.3, 0},     {LEVY_DRAWS_POISSON, 6, 0},    {LEVY_DRAWS_POISSON, 19.5, 0},  {LEVY_DRAWS_POISSON, 63.5, 0},
        {LEVY_DRAWS_POISSON, 64.5, 0},      {LEVY_DRAWS_POISSON, 2000, 0}, {LEVY_DRAWS_NONCENTRAL, 4, 10}, {LEVY_DRAWS_NONCENTRAL, 0.5, 3},
        {LEVY_DRAWS_NONCENTRAL, 1, 0},    {LEVY_DRAWS_NONCENTRAL, 0.8, 160}, {LEVY_DRAWS_NONCENTRAL, 50, 100},
    };
    uint64_t hash = 14695981039346656037u;
    static uint32_t words[256];
    for (uint32_t i = 0; i < 256; ++i) words[i] = i * 0x01010101u ^ i << 13;
    for (const auto &c : cases) {
        levy_draws_cuda_job job = {c.law, 7, 42, 0, 4096, {c.a, c.b}, nullptr, memory};
        const bool counts = c.law == LEVY_DRAWS_POISSON;
        const size_t size = counts ? 4 : sizeof(real);
        run(job);
        hash = hash_output(hash, counts, 4096);
        job.first = 1024, job.count = 2001, job.output = others;
        memset(others, 0xA5, sizeof others);
        run(job);
        if (memcmp(others, (const char *)memory + 1024 * size, 2001 * size) != 0 || ((const unsigned char *)others)[2001 * size] != 0xA5)
            return printf("law %d: a part is not the whole's\n", (int)c.law), 1;
        job = {c.law, 7, 42, 0, 256, {c.a, c.b}, words, memory};
        run(job);
        hash = hash_output(hash, counts, 256);
    }
    for (double mean : {0.0, 0.01, 1.0, 6.0, 99.0, 101.0, 300.0})
        if (check_table(mean)) return printf("Poisson(%g): the table's counts are not the inversion's\n", mean), 1;
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
