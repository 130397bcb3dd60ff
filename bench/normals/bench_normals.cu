/* bench_normals.cu: levy_normals_generate on the GPU at hand, against cuRAND's host API and against
 * a kernel that only fills the same bytes. First the bits: words, uniforms and, in double, normals
 * of every generator equal the CPU's, whole and in odd pieces, and so do paths. Then the rows, 64
 * dimensions: normals_sobol_f32, _f64 beside cuRAND's Sobol32, normals_mrg32k3a_f32, _f64 beside
 * its MRG32k3a, normals_philox_f32, _f64 beside its Philox4_32_10, normals_paths64_*
 * (levy_paths_generate) beside the fill. Times are device events: the median of levy's, the best of
 * the others'. Prints a JSON object a row: bench_normals [POINTS]. bench/normals/build.sh builds
 * it. */
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <curand.h>

#include "bench/must.cuh"
#include "bench/times.cuh"
#include "engine/levy.h"

enum { DIMENSIONS = 64 };

static levy_context *context;

static levy_normals *make(int generator, int output, int single, unsigned dimensions,
                          const char *device)
{
    levy_normals *normals = NULL;
    levy_normals_spec spec;
    memset(&spec, 0, sizeof spec);
    spec.struct_size = sizeof spec;
    spec.generator = generator;
    spec.output = output;
    spec.precision = single ? LEVY_NORMALS_SINGLE : LEVY_NORMALS_DOUBLE;
    spec.n_dimensions = dimensions;
    spec.seed = 7;
    spec.replicate = 2;
    spec.device = device;
    if (levy_normals_create(context, &spec, &normals) != LEVY_STATUS_OK) {
        for (size_t i = 0; i < levy_diagnostic_count(context); ++i)
            fprintf(stderr, "%s\n", levy_diagnostic_get(context, i)->message);
        exit(1);
    }
    return normals;
}

/* ---- Bits ------------------------------------------------------------------------------------ */

static void check_piece(int generator, int output, int single, uint64_t first, size_t n,
                        size_t stride, size_t offset)
{
    enum { D = 7 };
    levy_normals *const gpu = make(generator, output, single, D, "cuda"), *const cpu = make(
                                                                              generator, output,
                                                                              single, D, "cpu");
    const size_t size = levy_normals_info(gpu)->number_bytes, bytes = (D * stride + offset) * size;
    std::vector<char> want(bytes + 8, (char)0x5a), got(bytes + 8, (char)0x5a);
    char *device;
    MUST(cudaMalloc(&device, bytes));
    MUST(cudaMemcpy(device, got.data(), bytes, cudaMemcpyHostToDevice));
    if (levy_normals_generate(gpu, first, n, device + offset * size, stride, NULL) ||
        levy_normals_generate(cpu, first, n, want.data() + offset * size, stride, NULL))
        exit(1);
    MUST(cudaMemcpy(got.data(), device, bytes, cudaMemcpyDeviceToHost));
    MUST(cudaFree(device));
    bool same = memcmp(want.data(), got.data(), bytes) == 0;
    if (single && output == LEVY_NORMALS_NORMAL) { /* within a few units in the last place */
        const float *const a = (const float *)want.data(), *const b = (const float *)got.data();
        same = true;
        for (size_t i = 0; i < bytes / 4; ++i)
            if (!(a[i] - b[i] < 2e-6f && b[i] - a[i] < 2e-6f)) same = false;
    }
    levy_normals_destroy(gpu);
    levy_normals_destroy(cpu);
    if (same) return;
    fprintf(stderr, "generator %d output %d single %d from %llu: other bits than the CPU's\n",
            generator, output, single, (unsigned long long)first);
    exit(1);
}

static void check_paths(int generator, int single, int increments);

static void check_bits(void)
{
    for (int generator = 0; generator < 4; ++generator)
        for (int output = 0; output < 3; ++output)
            for (int single = 0; single < 2; ++single) {
                check_piece(generator, output, single, 0, 100000, 100000, 0);
                check_piece(generator, output, single, 4294960001, 5003, 5005, 1);
            }
    for (int generator = 0; generator < 4; ++generator)
        for (int i = 0; i < 4; ++i) check_paths(generator, i & 1, i >> 1);
}

/* The chain of normals and bridge on the CPU against paths on the GPU. */
static void check_paths(int generator, int single, int increments)
{
    enum { N = 37, D = 2, P = 5003, STRIDE = 5004, FIRST = 1021 };
    double times[N + 1];
    const double factor[] = {0.25, 0.0, 0.125, 0.5};
    for (int i = 0; i <= N; ++i) times[i] = 0.25 * i;
    std::vector<double> drift(N * D, 0.125);
    levy_bridge_spec bridge;
    levy_paths_spec spec;
    levy_paths *paths = NULL;
    memset(&bridge, 0, sizeof bridge);
    memset(&spec, 0, sizeof spec);
    bridge.struct_size = sizeof bridge;
    bridge.times = times;
    bridge.factor = factor;
    bridge.n_steps = N;
    bridge.n_dimensions = D;
    bridge.output = increments ? LEVY_BRIDGE_INCREMENTS : LEVY_BRIDGE_PATHS;
    bridge.precision = single ? LEVY_BRIDGE_SINGLE : LEVY_BRIDGE_DOUBLE;
    spec.struct_size = sizeof spec;
    spec.bridge = &bridge;
    spec.generator = generator;
    spec.seed = 3;
    spec.drift = increments ? NULL : drift.data();
    spec.exponential = !increments;
    const size_t bytes = (size_t)N * D * STRIDE * (single ? 4 : 8);
    std::vector<char> want(bytes, (char)0x5a), got(bytes, (char)0x5a);
    char *device;
    MUST(cudaMalloc(&device, bytes));
    MUST(cudaMemcpy(device, got.data(), bytes, cudaMemcpyHostToDevice));
    for (int on_gpu = 0; on_gpu < 2; ++on_gpu) {
        bridge.device = on_gpu ? "cuda" : "cpu";
        if (levy_paths_create(context, &spec, &paths) != LEVY_STATUS_OK ||
            levy_paths_generate(paths, FIRST, P, on_gpu ? device : want.data(), STRIDE, NULL))
            exit(1);
        levy_paths_destroy(paths);
    }
    MUST(cudaMemcpy(got.data(), device, bytes, cudaMemcpyDeviceToHost));
    MUST(cudaFree(device));
    bool same = memcmp(want.data(), got.data(), bytes) == 0;
    for (size_t i = 0; single && i < bytes / 4; ++i) {
        const float a = ((const float *)want.data())[i], b = ((const float *)got.data())[i];
        same =
            (i == 0 || same) && (memcmp(&a, &b, 4) == 0 || fabsf(a - b) < 3e-5f * (1 + fabsf(a)));
    }
    if (same) return;
    fprintf(stderr, "paths of generator %d, single %d, increments %d: other bits than the CPU's\n",
            generator, single, increments);
    exit(1);
}

/* ---- Time ------------------------------------------------------------------------------------ */

static __global__ void fill(uint4 *to, size_t n)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        to[i] = make_uint4(1, 2, 3, (unsigned)i);
}

static double best_fill(void *output, size_t bytes)
{
    double best = 1e30;
    for (int blocks = 132 * 4; blocks <= 132 * 64; blocks *= 4)
        best = std::min(
            best, (double)times([&] { fill<<<blocks, 512>>>((uint4 *)output, bytes / 16); })[0]);
    return best;
}

static double best_curand(curandRngType_t type, int single, void *output, size_t n)
{
    curandGenerator_t generator;
    MUST(curandCreateGenerator(&generator, type));
    if (type == CURAND_RNG_QUASI_SOBOL32)
        MUST(curandSetQuasiRandomGeneratorDimensions(generator, DIMENSIONS));
    else
        MUST(curandSetPseudoRandomGeneratorSeed(generator, 7));
    const std::vector<float> all = times([&] {
        if (single)
            MUST(curandGenerateNormal(generator, (float *)output, n, 0.0f, 1.0f));
        else
            MUST(curandGenerateNormalDouble(generator, (double *)output, n, 0.0, 1.0));
    });
    MUST(curandDestroyGenerator(generator));
    return all[0];
}

static void row(const char *name, int generator, curandRngType_t type, int single, size_t points,
                void *output)
{
    const size_t n = points * DIMENSIONS, bytes = n * (single ? 4 : 8);
    levy_normals *const normals = make(generator, LEVY_NORMALS_NORMAL, single, DIMENSIONS, "cuda");
    const double peer = best_curand(type, single, output, n), limit = best_fill(output, bytes);
    const std::vector<float> all = times([&] {
        if (levy_normals_generate(normals, 0, points, output, 0, NULL)) exit(1);
    });
    const double ms = all[all.size() / 2];
    const levy_normals_facts *const f = levy_normals_info(normals);
    fprintf(stderr,
            "%s: %.3f ms (%.3f to %.3f), cuRAND %.3f, fill %.3f ms: %.2f of it; %d registers, "
            "%d blocks a processor\n",
            name, ms, all[0], all.back(), peer, limit, limit / ms, f->registers,
            f->blocks_per_processor);
    printf("{\"name\": \"%s_%s\", \"value\": %.6g, \"unit\": \"normals/s\", \"peer\": \"curand\", "
           "\"peer_value\": %.6g, \"ratio\": %.4g}\n",
           name, single ? "f32" : "f64", (double)n / ms * 1e3, (double)n / peer * 1e3, peer / ms);
    levy_normals_destroy(normals);
}

/* 64 equal steps of one driver, against a fill of the same bytes. */
static void paths_row(int generator, const char *name, int single, size_t points, void *output)
{
    double times_[DIMENSIONS + 1];
    const size_t n = points * DIMENSIONS, bytes = n * (single ? 4 : 8);
    levy_bridge_spec bridge;
    levy_paths_spec spec;
    levy_paths *paths = NULL;
    for (int i = 0; i <= DIMENSIONS; ++i) times_[i] = i;
    memset(&bridge, 0, sizeof bridge);
    memset(&spec, 0, sizeof spec);
    bridge.struct_size = sizeof bridge;
    bridge.times = times_;
    bridge.n_steps = DIMENSIONS;
    bridge.precision = single ? LEVY_BRIDGE_SINGLE : LEVY_BRIDGE_DOUBLE;
    bridge.device = "cuda";
    spec.struct_size = sizeof spec;
    spec.bridge = &bridge;
    spec.generator = generator;
    if (levy_paths_create(context, &spec, &paths) != LEVY_STATUS_OK) exit(1);
    const double limit = best_fill(output, bytes);
    const std::vector<float> all = times([&] {
        if (levy_paths_generate(paths, 0, points, output, 0, NULL)) exit(1);
    });
    const double ms = all[all.size() / 2];
    const levy_normals_facts *const f = levy_paths_info(paths);
    fprintf(stderr,
            "%s: %.3f ms (%.3f to %.3f), fill %.3f ms; %d registers, %d blocks a processor\n", name,
            ms, all[0], all.back(), limit, f->registers, f->blocks_per_processor);
    printf("{\"name\": \"%s_%s\", \"value\": %.6g, \"unit\": \"path-steps/s\", \"peer\": \"fill\", "
           "\"peer_value\": %.6g, \"ratio\": %.4g}\n",
           name, single ? "f32" : "f64", (double)n / ms * 1e3, (double)n / limit * 1e3, limit / ms);
    levy_paths_destroy(paths);
}

int main(int count, char **arguments)
{
    const size_t points = count > 1 ? strtoull(arguments[1], NULL, 10) : (size_t)1 << 24;
    void *output;
    if (levy_context_create(NULL, &context) != LEVY_STATUS_OK) return 1;
    check_bits();
    fprintf(stderr, "bits: the CPU's\n");
    MUST(cudaMalloc(&output, points * DIMENSIONS * sizeof(double)));
    for (int single = 1; single >= 0; --single) {
        row("normals_sobol", LEVY_NORMALS_SOBOL_SCRAMBLED, CURAND_RNG_QUASI_SOBOL32, single, points,
            output);
        row("normals_mrg32k3a", LEVY_NORMALS_MRG32K3A, CURAND_RNG_PSEUDO_MRG32K3A, single, points,
            output);
        row("normals_philox", LEVY_NORMALS_PHILOX, CURAND_RNG_PSEUDO_PHILOX4_32_10, single, points,
            output);
        paths_row(LEVY_NORMALS_SOBOL_SCRAMBLED, "normals_paths64", single, points, output);
        paths_row(LEVY_NORMALS_PHILOX, "normals_paths64_philox", single, points, output);
        paths_row(LEVY_NORMALS_MRG32K3A, "normals_paths64_mrg32k3a", single, points, output);
    }
    levy_context_destroy(context);
    return 0;
}
