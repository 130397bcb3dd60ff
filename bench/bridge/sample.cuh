/* sample.cuh: what the bridge's benchmark measures, and whether what the GPU made is right: on runs
 * of paths from all over, against the recursion that defines a bridge, in long double, and bit for
 * bit against the library on the CPU. */
#ifndef LEVY_BENCH_SAMPLE_CUH
#define LEVY_BENCH_SAMPLE_CUH

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

extern "C" {
#include "bench/bridge/problems.h"
#include "engine/levy.h"
}

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t code_ = (call);                                                          \
        if (code_ != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(code_));         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

struct variant {
    int problem, single;
    levy_bridge_shape shape;
    unsigned shared;
    const char *what;
    const void *function;
    size_t constants;
    double ms;
    int registers, blocks;
    bool good;
};

struct buffers {
    char *normals, *output, *wanted;
    void *program;
    unsigned long long *count;
    size_t paths, bytes; /* room of each of the first three */
};

static size_t problem_bytes(int problem, int single, size_t paths)
{
    return paths * PROBLEM_STEPS * problem_dimensions(problem) * (single ? 4 : 8);
}

/* The recursion in long double, and the CPU's own bits, for runs of neighbouring paths. Returns
 * whether the GPU's are both. */
static bool check_sample(const variant &v, const buffers &b)
{
    enum { RUN = 32, RUNS = 24 };
    const uint32_t d = problem_dimensions(v.problem);
    const size_t size = v.single ? 4 : 8, n = (size_t)PROBLEM_STEPS * d;
    double times[PROBLEM_STEPS + 1], factor[16];
    uint32_t order[PROBLEM_STEPS];
    levy_context *context;
    levy_bridge *bridge;
    levy_bridge_spec spec;
    std::vector<char> z(n * RUN * size), x(n * RUN * size), own(n * RUN * size);
    bool good = true;
    problem_times(times);
    problem_order(v.problem, order);
    problem_factor(v.problem, factor);
    memset(&spec, 0, sizeof spec);
    spec.struct_size = sizeof spec;
    spec.times = times;
    spec.order = order;
    spec.factor = factor;
    spec.n_steps = PROBLEM_STEPS;
    spec.n_dimensions = d;
    spec.output = v.problem == PROBLEM_INCREMENTS ? LEVY_BRIDGE_INCREMENTS : LEVY_BRIDGE_PATHS;
    spec.precision = v.single ? LEVY_BRIDGE_SINGLE : LEVY_BRIDGE_DOUBLE;
    spec.threads = 1;
    if (levy_context_create(NULL, &context) || levy_bridge_create(context, &spec, &bridge)) exit(1);
    for (int r = 0; r < RUNS; ++r) {
        size_t first = (b.paths - RUN) * (size_t)r / (RUNS - 1);
        CHECK(cudaMemcpy2D(z.data(), RUN * size, b.normals + first * size, b.paths * size,
                           RUN * size, n, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy2D(x.data(), RUN * size, b.output + first * size, b.paths * size,
                           RUN * size, n, cudaMemcpyDeviceToHost));
        if (levy_bridge_generate(bridge, z.data(), own.data(), RUN, 0, NULL)) exit(1);
        good = good && memcmp(own.data(), x.data(), x.size()) == 0;
        auto number = [&](const std::vector<char> &from, size_t i) {
            return v.single ? (long double)((const float *)from.data())[i]
                            : (long double)((const double *)from.data())[i];
        };
        for (int p = 0; p < RUN; ++p) {
            std::vector<long double> w((PROBLEM_STEPS + 1) * d, 0.0L);
            bool built[PROBLEM_STEPS + 2] = {true};
            for (int i = 0; i < PROBLEM_STEPS; ++i) {
                const int m = (int)order[i];
                int l = m, q = m;
                while (!built[--l]) {}
                while (++q <= PROBLEM_STEPS && !built[q]) {}
                for (uint32_t e = 0; e < d; ++e) {
                    long double c = 0.0L;
                    for (uint32_t f = 0; f < d; ++f)
                        c += factor[e * d + f] * number(z, ((size_t)i * d + f) * RUN + p);
                    const long double tl = times[l], tm = times[m],
                                      tr = q <= PROBLEM_STEPS ? times[q] : 0.0L;
                    w[m * d + e] =
                        q <= PROBLEM_STEPS
                            ? (w[l * d + e] * (tr - tm) + w[q * d + e] * (tm - tl)) / (tr - tl) +
                                  c * sqrtl((tr - tm) * (tm - tl) / (tr - tl))
                            : w[l * d + e] + c * sqrtl(tm - tl);
                }
                built[m] = true;
            }
            for (int i = 1; i <= PROBLEM_STEPS; ++i)
                for (uint32_t e = 0; e < d; ++e) {
                    const long double want =
                        v.problem == PROBLEM_INCREMENTS
                            ? (w[i * d + e] - w[(i - 1) * d + e]) / (times[i] - times[i - 1])
                            : w[i * d + e];
                    const long double off =
                        fabsl(want - number(x, ((size_t)(i - 1) * d + e) * RUN + p));
                    good = good && off < (v.single ? 2e-5L : 1e-13L) *
                                             (v.problem == PROBLEM_INCREMENTS ? 64.0L : 1.0L);
                }
        }
    }
    levy_bridge_destroy(bridge);
    levy_context_destroy(context);
    return good;
}

#endif
