/* bench_alias.cuh: weights made on the device, timing, JSON rows, and the check of a table on the
 * host; for bench_alias.cu. */
#ifndef LEVY_BENCH_ALIAS_CUH
#define LEVY_BENCH_ALIAS_CUH

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "bench/must.cuh"
#include "kernels/samplers/alias/alias_cuda.h"
extern "C" {
#include "bench/alias/peers.h"
#include "kernels/samplers/alias/alias_binomial.h"
}

template <class T>
static T *device_new(uint64_t n)
{
    T *p = nullptr;
    MUST(cudaMalloc((void **)&p, n * sizeof *p));
    return p;
}

/* ---- Weights --------------------------------------------------------------------------------- */

/* A place of 0 .. n - 1 in shuffled order: four Feistel rounds on the next even number of bits,
 * walked until inside. */
static __device__ uint64_t shuffled(uint64_t i, uint64_t n, unsigned half)
{
    const uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t a = i >> half, b = i & mask;
        for (uint64_t round = 0; round < 4; ++round) {
            const uint64_t next = a ^ (alias_mix(b * 0x9E3779B97F4A7C15u + round) & mask);
            a = b;
            b = next;
        }
        i = a << half | b;
    } while (i >= n);
    return i;
}

enum shape { UNIFORM, POWERLAW, EQUAL, TWO_VALUES, HUGE_ONE, MANY_ZEROS, SHAPES };
static const char *const shape_names[] = {"uniform",    "powerlaw", "equal",
                                          "two_values", "one_huge", "zeros"};

template <class W>
static __global__ void make_weights(W *w, uint64_t n, int shape, unsigned half)
{
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * blockDim.x) {
        const double u = ((double)(alias_mix((i + 1) * 0x9E3779B97F4A7C15u) >> 11) + 0.5) * 0x1p-53;
        switch (shape) {
        case UNIFORM:
            w[i] = (W)u;
            break;
        case POWERLAW:
            w[i] = (W)(1.0 / (double)(shuffled(i, n, half) + 1));
            break;
        case EQUAL:
            w[i] = (W)0.1;
            break;
        case TWO_VALUES:
            w[i] = (W)(i % 3 ? 1.0 / 3.0 : 7.0);
            break;
        case HUGE_ONE:
            w[i] = (W)(i == n / 3 ? 1e18 : u);
            break;
        default:
            w[i] = (W)(i % 7 == 3 || n < 4 ? u : 0.0); /* never all of them */
            break;
        }
    }
}

template <class W>
static void fill(W *w, uint64_t n, int shape)
{
    unsigned half = 1;
    while ((uint64_t)1 << (2 * half) < n) ++half;
    make_weights<<<2048, 256>>>(w, n, shape, half);
    MUST(cudaDeviceSynchronize());
}

/* ---- Timing and rows ------------------------------------------------------------------------- */

/* Median milliseconds, from the call to the end of its work on the device. */
static double median_ms(int runs, const std::function<void()> &work)
{
    std::vector<double> times;
    for (int k = -2; k < runs; ++k) {
        MUST(cudaDeviceSynchronize());
        timespec a, b;
        clock_gettime(CLOCK_MONOTONIC, &a);
        work();
        MUST(cudaDeviceSynchronize());
        clock_gettime(CLOCK_MONOTONIC, &b);
        if (k >= 0)
            times.push_back((double)(b.tv_sec - a.tv_sec) * 1e3 +
                            (double)(b.tv_nsec - a.tv_nsec) * 1e-6);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

static int rows_printed;
static void row(const std::string &name, double value, const char *unit, const char *peer,
                double peer_value, double ratio)
{
    printf("%s{\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", \"peer\": \"%s\", "
           "\"peer_value\": %.6g, \"ratio\": "
           "%.4g}",
           rows_printed++ ? ",\n" : "[", name.c_str(), value, unit, peer, peer_value, ratio);
    fflush(stdout);
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static int failures;
static void expect(bool good, const std::string &what, double value)
{
    if (good) return;
    fprintf(stderr, "FAILED %s: %g\n", what.c_str(), value);
    ++failures;
}

/* The largest relative error of a mass, in pairs of doubles on the host, each thread a range of
 * items. */
template <class W>
static double table_error(levy_alias_cuda *table, const W *device_weights, uint64_t n)
{
    std::vector<W> w(n);
    std::vector<levy_alias_row> rows(n);
    MUST(cudaMemcpy(w.data(), device_weights, n * sizeof(W), cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(rows.data(), levy_alias_cuda_rows(table), n * sizeof rows[0],
                    cudaMemcpyDeviceToHost));
    levy_alias_weights weights = {nullptr, nullptr, n};
    if (sizeof(W) == 8)
        weights.doubles = (const double *)w.data();
    else
        weights.singles = (const float *)w.data();
    const levy_alias alias = levy_alias_cuda_describe(table);
    const unsigned parts = std::max(1u, std::min(16u, std::thread::hardware_concurrency()));
    std::vector<double> masses(2 * n), errors(parts);
    std::vector<std::thread> threads;
    for (unsigned p = 0; p < parts; ++p)
        threads.emplace_back([&, p] {
            errors[p] = levy_alias_error_of(&alias, rows.data(), &weights, n * p / parts,
                                            n * (p + 1) / parts, masses.data());
        });
    for (auto &t : threads) t.join();
    return *std::max_element(errors.begin(), errors.end());
}

template <class W>
static levy_alias_weights weights_of(const W *w, uint64_t n)
{
    return {sizeof(W) == 8 ? (const double *)(const void *)w : nullptr,
            sizeof(W) == 4 ? (const float *)(const void *)w : nullptr, n};
}

template <class W>
static void build(levy_alias_cuda *table, const W *w, uint64_t n,
                  const levy_alias_cuda_options *options)
{
    levy_alias_fault fault;
    const levy_alias_weights weights = weights_of(w, n);
    if (levy_alias_cuda_build(table, &weights, options, &fault) == LEVY_OK) return;
    fprintf(stderr, "build: %s\n", levy_alias_cuda_message(table));
    exit(2);
}

#endif
