/* bench_bridge.cu: the stand-alone bridge on the GPU at hand, one program, run once, well below a
 * minute: every shape of shapes.inc is run over poisoned output and compared, all of it, with the
 * first; that one with the CPU's bits and with the recursion in long double on sampled paths; each
 * is timed, next to copy kernels that move the same bytes in the same pattern (several; the best
 * counts) and cudaMemcpy: J. du Toit's Table 1 and the search for a faster one, on his problem
 * (1,439,744 paths of 64 steps); his Table 2: the CPU's threads against the GPU; the way it is
 * used: cuRAND's Sobol normals, bridge, payoff; the library's own levy_bridge_generate, where its
 * module is found (LEVY_MODULE_DIR). Times are device events, medians. Rows go to the file named:
 * bench_bridge ROWS.json [PATHS]. bench/bridge/build.sh builds it. */
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime.h>
#include <dlfcn.h>

#include "bench/bridge/copies.cuh"
#include "bench/bridge/sample.cuh"
#include "kernels/cuda/kernels/bridge.cu"

#include <shapes.inc> /* made by make_shapes.c */

enum { REPEATS = 21, COPY_REPEATS = 15 };

/* ---- Kernels ---- */

extern __shared__ uint4 bench_shared[];

template <class S>
__global__ void __launch_bounds__(S::threads)
    bench_kernel(const typename S::real *normals, typename S::real *output, uint64_t paths,
                 uint64_t stride, const bridge_record<typename S::real> *program,
                 const __grid_constant__ bridge_constants<S> constants)
{
    const bridge_arguments<S> a = {normals, output, paths, stride, program};
    bridge_run<S>(a, constants, (unsigned char *)bench_shared);
}

/* ---- Time ---- */

template <class F>
static double median_ms(F run, int repeats)
{
    static cudaEvent_t start, stop;
    if (!start) {
        CHECK(cudaEventCreate(&start));
        CHECK(cudaEventCreate(&stop));
    }
    std::vector<float> times;
    run();
    run();
    for (int i = 0; i < repeats; ++i) {
        float ms;
        CHECK(cudaEventRecord(start));
        run();
        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&ms, start, stop));
        times.push_back(ms);
    }
    CHECK(cudaGetLastError());
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/* ---- What is measured ---- */

static levy_bridge_shape shape_of(unsigned paths, unsigned threads, unsigned ahead, unsigned ring,
                                  unsigned stack, int unrolled, int registers, int streams)
{
    levy_bridge_shape s;
    memset(&s, 0, sizeof s);
    s.paths = paths;
    s.threads = threads;
    s.ahead = ahead;
    s.ring = ring;
    s.stack = stack;
    s.unrolled = unrolled != 0;
    s.registers = registers != 0;
    s.streams = streams != 0;
    return s;
}

static std::vector<variant> all_variants()
{
    std::vector<variant> list;
#define VARIANT(i, problem, single, paths, threads, ahead, ring, stack, unrolled, registers,       \
                streams, shared, what)                                                             \
    list.push_back(                                                                                \
        variant{problem, single,                                                                   \
                shape_of(paths, threads, ahead, ring, stack, unrolled, registers, streams),        \
                shared, what, (const void *)bench_kernel<shape_##i>,                               \
                sizeof(bridge_constants<shape_##i>), 0.0, 0, 0, false});
    VARIANTS
    return list;
}

struct row {
    std::string name, unit, peer;
    double value, peer_value;
};
static std::vector<row> rows;

struct launch_parts {
    levy_bridge_tables tables;
    std::vector<char> constants;
};

static launch_parts prepare(const variant &v, const buffers &b)
{
    launch_parts parts;
    problem_tables(v.problem, v.single, v.shape.registers, &parts.tables);
    parts.constants.assign(v.constants, 0);
    if (levy_bridge_constants_size(&parts.tables, &v.shape) != v.constants ||
        v.shared != levy_bridge_shape_shared(&parts.tables, &v.shape, v.shape.paths)) {
        fprintf(stderr, "the library and the kernel differ on a layout\n");
        exit(1);
    }
    levy_bridge_constants_write(&parts.tables, &v.shape, parts.constants.data());
    std::vector<char> records(PROBLEM_STEPS * levy_bridge_record_size(&parts.tables));
    levy_bridge_records_write(&parts.tables, nullptr, records.data());
    CHECK(cudaMemcpy(b.program, records.data(), records.size(), cudaMemcpyHostToDevice));
    CHECK(cudaFuncSetAttribute(v.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)v.shared));
    return parts;
}

static void launch(const variant &v, launch_parts &parts, const buffers &b, cudaStream_t stream)
{
    const void *normals = b.normals;
    void *output = b.output;
    const void *program = b.program;
    uint64_t paths = b.paths, stride = b.paths;
    void *arguments[] = {&normals, &output, &paths, &stride, &program, parts.constants.data()};
    const uint64_t each = (uint64_t)v.shape.threads * v.shape.paths;
    CHECK(cudaLaunchKernel(v.function, dim3((unsigned)((paths + each - 1) / each)),
                           dim3(v.shape.threads), arguments, v.shared, stream));
}

static unsigned long long differences(const buffers &b, size_t bytes)
{
    unsigned long long count = 0;
    CHECK(cudaMemset(b.count, 0, sizeof count));
    differ<<<132 * 8, 256>>>((const uint4 *)b.output, (const uint4 *)b.wanted, bytes / 16, b.count);
    CHECK(cudaMemcpy(&count, b.count, sizeof count, cudaMemcpyDeviceToHost));
    return count;
}

/* ---- Copies ---- */

/* The best copies in the bridge's own pattern (rows) and in any pattern, and the driver's copy. */
struct copies {
    double rows_ms, best_ms, memcpy_ms;
    const char *rows, *best;
};

static copies measure_copies(const buffers &b, int problem, int single)
{
    const size_t bytes = problem_bytes(problem, single, b.paths), n = bytes / 16,
                 row = b.paths * (single ? 4 : 8);
    const int n_rows = PROBLEM_STEPS * (int)problem_dimensions(problem);
    copies c = {1e30, 1e30, 0.0, "", ""};
    const uint4 *const from = (const uint4 *)b.normals;
    uint4 *const to = (uint4 *)b.output;
    auto take = [&](const char *name, double ms) {
        if (ms < c.best_ms) c.best_ms = ms, c.best = name;
        if (!strncmp(name, "rows", 4) && ms < c.rows_ms) c.rows_ms = ms, c.rows = name;
    };
    auto blocks = [](size_t count, size_t each) { return (unsigned)((count + each - 1) / each); };
    take("line, 16 blocks a processor",
         median_ms([&] { copy_line<<<132 * 16, 512>>>(from, to, n); }, COPY_REPEATS));
    take("line, 8 blocks of 256",
         median_ms([&] { copy_line<<<132 * 8, 256>>>(from, to, n); }, COPY_REPEATS));
    take("pieces of 1",
         median_ms([&] { copy_piece<1, true><<<blocks(n, 256), 256>>>(from, to, n); },
                   COPY_REPEATS));
    take("pieces of 1, no hints",
         median_ms([&] { copy_piece<1, false><<<blocks(n, 256), 256>>>(from, to, n); },
                   COPY_REPEATS));
    take("pieces of 2",
         median_ms([&] { copy_piece<2, true><<<blocks(n, 512), 256>>>(from, to, n); },
                   COPY_REPEATS));
    take("pieces of 4",
         median_ms([&] { copy_piece<4, true><<<blocks(n, 1024), 256>>>(from, to, n); },
                   COPY_REPEATS));
    take("pieces of 4, no hints",
         median_ms([&] { copy_piece<4, false><<<blocks(n, 1024), 256>>>(from, to, n); },
                   COPY_REPEATS));
    take("pieces of 8",
         median_ms([&] { copy_piece<8, true><<<blocks(n, 1024), 128>>>(from, to, n); },
                   COPY_REPEATS));
#define TAKE_ROWS(name, Word, K, streams)                                                          \
    take("rows of " name,                                                                          \
         median_ms(                                                                                \
             [&] {                                                                                 \
                 copy_rows<Word, K, streams><<<blocks(row / sizeof(Word), 128), 128>>>(            \
                     (const Word *)from, (Word *)to, row / sizeof(Word), n_rows);                  \
             },                                                                                    \
             COPY_REPEATS))
    TAKE_ROWS("16 bytes, 4 ahead", uint4, 4, true);
    TAKE_ROWS("16 bytes, 8 ahead", uint4, 8, true);
    TAKE_ROWS("16 bytes, 16 ahead", uint4, 16, true);
    TAKE_ROWS("16 bytes, 8 ahead, no hints", uint4, 8, false);
    TAKE_ROWS("8 bytes, 16 ahead", uint2, 16, true);
    TAKE_ROWS("8 bytes, 8 ahead, no hints", uint2, 8, false);
    TAKE_ROWS("8 bytes, 16 ahead, no hints", uint2, 16, false);
    TAKE_ROWS("4 bytes, 32 ahead", unsigned, 32, true);
    TAKE_ROWS("4 bytes, 32 ahead, no hints", unsigned, 32, false);
#undef TAKE_ROWS
    c.memcpy_ms = median_ms(
        [&] { CHECK(cudaMemcpyAsync(b.output, b.normals, bytes, cudaMemcpyDeviceToDevice, 0)); },
        COPY_REPEATS);
    return c;
}

/* ---- Tables ---- */

static void measure(variant &v, const buffers &b)
{
    cudaFuncAttributes attributes;
    launch_parts parts = prepare(v, b);
    const size_t bytes = problem_bytes(v.problem, v.single, b.paths);
    CHECK(cudaFuncGetAttributes(&attributes, v.function));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v.blocks, v.function, (int)v.shape.threads,
                                                        v.shared));
    v.registers = attributes.numRegs;
    CHECK(cudaMemset(b.output, 0xff, bytes));
    launch(v, parts, b, 0);
    CHECK(cudaDeviceSynchronize());
    if (!strcmp(v.what, "chosen")) {
        v.good = check_sample(v, b);
        CHECK(cudaMemcpy(b.wanted, b.output, bytes, cudaMemcpyDeviceToDevice));
    } else {
        v.good = differences(b, bytes) == 0;
    }
    v.ms = median_ms([&] { launch(v, parts, b, 0); }, REPEATS);
    levy_memory_release(&levy_memory_default, (void *)parts.tables.instructions);
}

static void print_variant(const variant &v, const copies &c, size_t paths, int processors_threads)
{
    static const char *const rings[] = {"registers", "cp.async", "bulk"};
    const double gbs = 2.0 * (double)problem_bytes(v.problem, v.single, paths) / v.ms / 1e6;
    printf("%-32s %-6s %u path%s %3u threads %2u ahead in %-9s  %3d regs  occupancy %3.0f%%  %8.4f "
           "ms  %7.1f GB/s  %5.1f%% of copy  %s\n",
           v.what, v.shape.unrolled ? "code" : "data", v.shape.paths,
           v.shape.paths == 1 ? " " : "s", v.shape.threads, v.shape.ahead, rings[v.shape.ring],
           v.registers, 100.0 * v.blocks * (int)v.shape.threads / processors_threads, v.ms, gbs,
           100.0 * c.rows_ms / v.ms, v.good ? "right" : "WRONG");
}

static std::string type_name(int single) { return single ? "f32" : "f64"; }

static void add_rows(const char *name, int problem, int single, double ms, const copies &c,
                     size_t paths)
{
    const double bytes = 2.0 * (double)problem_bytes(problem, single, paths);
    const std::string full = std::string(name) + "_" + type_name(single);
    rows.push_back({full, "GB/s", std::string("copy in the same pattern (") + c.rows + ")",
                    bytes / ms / 1e6, bytes / c.rows_ms / 1e6});
    rows.push_back({full, "GB/s", std::string("copy in any pattern (") + c.best + ")",
                    bytes / ms / 1e6, bytes / c.best_ms / 1e6});
    rows.push_back({full, "GB/s", "cudaMemcpy", bytes / ms / 1e6, bytes / c.memcpy_ms / 1e6});
}

/* ---- The library's own call ---- */

static levy_bridge *make_bridge(levy_context *context, int problem, int single, const char *device,
                                unsigned threads)
{
    double times[PROBLEM_STEPS + 1], factor[16];
    uint32_t order[PROBLEM_STEPS];
    levy_bridge *bridge = NULL;
    levy_bridge_spec spec;
    problem_times(times);
    problem_order(problem, order);
    problem_factor(problem, factor);
    memset(&spec, 0, sizeof spec);
    spec.struct_size = sizeof spec;
    spec.times = times;
    spec.order = order;
    spec.factor = factor;
    spec.n_steps = PROBLEM_STEPS;
    spec.n_dimensions = problem_dimensions(problem);
    spec.output = problem == PROBLEM_INCREMENTS ? LEVY_BRIDGE_INCREMENTS : LEVY_BRIDGE_PATHS;
    spec.precision = single ? LEVY_BRIDGE_SINGLE : LEVY_BRIDGE_DOUBLE;
    spec.device = device;
    spec.threads = threads;
    if (levy_bridge_create(context, &spec, &bridge) != LEVY_STATUS_OK)
        printf("%s\n", levy_diagnostic_get(context, 0)->text);
    return bridge;
}

/* Milliseconds. 0: the bridge could not be made or its bits differ, which is printed. */
static double measure_library(const buffers &b, int problem, int single)
{
    levy_context *context;
    double ms = 0.0;
    if (levy_context_create(NULL, &context)) exit(1);
    levy_bridge *const bridge = make_bridge(context, problem, single, "cuda", 0);
    if (bridge) {
        const size_t bytes = problem_bytes(problem, single, b.paths);
        CHECK(cudaMemset(b.output, 0xff, bytes));
        auto run = [&] {
            if (levy_bridge_generate(bridge, b.normals, b.output, b.paths, 0, NULL) !=
                LEVY_STATUS_OK)
                exit(1);
        };
        run();
        CHECK(cudaDeviceSynchronize());
        const bool good = differences(b, bytes) == 0;
        ms = median_ms(run, REPEATS);
        const levy_bridge_facts *const f = levy_bridge_info(bridge);
        printf("levy_bridge_generate: %s, %u paths per thread, %d registers, %d blocks a "
               "processor: %.4f ms  %s\n",
               f->kernel, f->paths_per_thread, f->registers, f->blocks_per_processor, ms,
               good ? "right" : "WRONG");
        if (!good) ms = 0.0;
        levy_bridge_destroy(bridge);
    }
    levy_context_destroy(context);
    return ms;
}

/* ---- Table 2 ---- */

static double cpu_ms(levy_bridge *bridge, const void *normals, void *output, size_t paths)
{
    double times[3];
    for (int i = -1; i < 3; ++i) {
        const auto start = std::chrono::steady_clock::now();
        if (levy_bridge_generate(bridge, normals, output, paths, 0, NULL)) exit(1);
        if (i >= 0)
            times[i] =
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                    .count();
    }
    std::sort(times, times + 3);
    return times[1];
}

static void table2(const buffers &b, const double gpu_ms[2][2])
{
    const unsigned most = std::max(1u, std::thread::hardware_concurrency());
    levy_context *context;
    char *const normals = (char *)aligned_alloc(4096, problem_bytes(0, 0, b.paths)),
                *const output = (char *)aligned_alloc(4096, problem_bytes(0, 0, b.paths));
    if (!normals || !output || levy_context_create(NULL, &context)) exit(1);
    memset(output, 1, problem_bytes(0, 0, b.paths));
    printf("\nTable 2: milliseconds on the CPU's threads, and the GPU's gain over the best\n");
    for (int problem = 0; problem < 2; ++problem)
        for (int single = 1; single >= 0; --single) {
            double best = 1e30;
            const size_t n = b.paths * PROBLEM_STEPS;
            if (single)
                fill<float><<<132 * 8, 256>>>((float *)b.normals, n);
            else
                fill<double><<<132 * 8, 256>>>((double *)b.normals, n);
            CHECK(cudaMemcpy(normals, b.normals, problem_bytes(problem, single, b.paths),
                             cudaMemcpyDeviceToHost));
            printf("%-18s %s", problem_names[problem], type_name(single).c_str());
            for (unsigned threads = 1; threads <= most;
                 threads = threads < most && 2 * threads > most ? most : 2 * threads) {
                levy_bridge *const bridge = make_bridge(context, problem, single, "cpu", threads);
                const double ms = cpu_ms(bridge, normals, output, b.paths);
                printf("  %2u: %7.1f", threads, ms);
                best = std::min(best, ms);
                levy_bridge_destroy(bridge);
            }
            printf("  GPU: %7.4f  gain %.1f\n", gpu_ms[problem][single],
                   best / gpu_ms[problem][single]);
            rows.push_back({std::string(problem_names[problem]) + "_" + type_name(single) + "_cpu",
                            "ms", "the same on all processors of the host", gpu_ms[problem][single],
                            best});
        }
    levy_context_destroy(context);
    free(normals);
    free(output);
}

/* ---- As it is used: Sobol normals from cuRAND, bridge, payoff ---- */

static double normal_cdf(double x) { return 0.5 * erfc(-x / sqrt(2.0)); }

static double geometric_asian(double spot, double strike, double rate, double volatility,
                              double expiry, int n)
{
    const double mean =
        log(spot) + (rate - 0.5 * volatility * volatility) * expiry * (n + 1) / (2.0 * n);
    const double variance =
                     volatility * volatility * expiry * (n + 1.0) * (2.0 * n + 1.0) / (6.0 * n * n),
                 d = (mean - log(strike) + variance) / sqrt(variance);
    return exp(-rate * expiry) *
           (exp(mean + 0.5 * variance) * normal_cdf(d) - strike * normal_cdf(d - sqrt(variance)));
}

static void example(const std::vector<variant> &variants, const buffers &b)
{
    const char *const names[] = {"libcurand.so.10", "libcurand.so",
                                 "/usr/local/cuda/lib64/libcurand.so.10"};
    void *library = NULL, *generator = NULL;
    for (const char *name : names)
        if (!library) library = dlopen(name, RTLD_NOW);
    printf("\nSobol normals (cuRAND), bridge, Asian payoff; single precision\n");
    if (!library) {
        printf("skipped: no libcurand\n");
        return;
    }
    const auto create = (int (*)(void **, int))dlsym(library, "curandCreateGenerator");
    const auto dimensions =
        (int (*)(void *, unsigned))dlsym(library, "curandSetQuasiRandomGeneratorDimensions");
    const auto normal =
        (int (*)(void *, float *, size_t, float, float))dlsym(library, "curandGenerateNormal");
    const variant *best = NULL;
    for (const variant &v : variants)
        if (v.problem == PROBLEM_PATHS && v.single && v.good && (!best || v.ms < best->ms))
            best = &v;
    if (!create || !dimensions || !normal || !best || create(&generator, 201) ||
        dimensions(generator, PROBLEM_STEPS)) {
        printf("skipped: cuRAND does not answer\n");
        return;
    }
    const size_t paths = b.paths, n = paths * PROBLEM_STEPS;
    const double spot = 100.0, strike = 100.0, rate = 0.05, volatility = 0.2,
                 h = 1.0 / PROBLEM_STEPS;
    double *const sums = (double *)b.count, host[2];
    launch_parts parts = prepare(*best, b);
    auto points = [&] {
        if (normal(generator, (float *)b.normals, n, 0.0f, 1.0f)) exit(1);
    };
    auto payoff = [&] {
        asian<<<(unsigned)((paths + 127) / 128), 128>>>(
            (const float *)b.output, paths, PROBLEM_STEPS, (float)spot,
            (float)((rate - 0.5 * volatility * volatility) * h), (float)volatility, (float)strike,
            sums);
    };
    const double ms_points = median_ms(points, 9),
                 ms_bridge = median_ms([&] { launch(*best, parts, b, 0); }, 9),
                 ms_payoff = median_ms(payoff, 9);
    const double ms_all = median_ms([&] { points(), launch(*best, parts, b, 0), payoff(); }, 9);
    CHECK(cudaMemset(sums, 0, 16));
    payoff();
    CHECK(cudaMemcpy(host, sums, 16, cudaMemcpyDeviceToHost));
    const double discount = exp(-rate) / (double)paths,
                 exact = geometric_asian(spot, strike, rate, volatility, 1.0, PROBLEM_STEPS);
    printf(
        "normals %.4f ms, bridge %.4f ms, payoff %.4f ms, together %.4f ms: %.1f G path-steps/s\n",
        ms_points, ms_bridge, ms_payoff, ms_all, (double)n / ms_all / 1e6);
    printf("arithmetic %.6f, geometric %.6f against %.6f exactly: %s\n", host[0] * discount,
           host[1] * discount, exact, fabs(host[1] * discount - exact) < 2e-3 ? "right" : "WRONG");
    rows.push_back({"staged_asian64_f32", "G path-steps/s", "the bridge alone",
                    (double)n / ms_all / 1e6, (double)n / ms_bridge / 1e6});
    levy_memory_release(&levy_memory_default, (void *)parts.tables.instructions);
}

static void write_rows(const char *path)
{
    FILE *const f = fopen(path, "w");
    if (!f) exit(1);
    fprintf(f, "[\n");
    printf("\n");
    for (size_t i = 0; i < rows.size(); ++i) {
        const row &r = rows[i];
        printf("%-40s %10.5g %-14s against %10.5g (%s): %.3f\n", r.name.c_str(), r.value,
               r.unit.c_str(), r.peer_value, r.peer.c_str(),
               r.unit == "ms" ? r.peer_value / r.value : r.value / r.peer_value);
        fprintf(f,
                "  {\"name\": \"%s\", \"value\": %.5g, \"unit\": \"%s\", \"peer\": \"%s\", "
                "\"peer_value\": %.5g, \"ratio\": %.4f}%s\n",
                r.name.c_str(), r.value, r.unit.c_str(), r.peer.c_str(), r.peer_value,
                r.unit == "ms" ? r.peer_value / r.value : r.value / r.peer_value,
                i + 1 < rows.size() ? "," : "");
    }
    fprintf(f, "]\n");
    fclose(f);
}

int main(int count, char **arguments)
{
    cudaDeviceProp device;
    buffers b;
    double gpu_ms[2][2];
    bool good = true;
    if (count < 2) return fprintf(stderr, "usage: bench_bridge ROWS.json [PATHS]\n"), 2;
    b.paths = count > 2 ? strtoul(arguments[2], NULL, 10) : 1439744;
    if (b.paths < 1024 || b.paths % 8 != 0)
        return fprintf(stderr, "PATHS is a multiple of 8, at least 1,024\n"), 2;
    b.bytes = problem_bytes(PROBLEM_DIM4, 0, b.paths);
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaMalloc(&b.normals, b.bytes));
    CHECK(cudaMalloc(&b.output, b.bytes));
    CHECK(cudaMalloc(&b.wanted, b.bytes));
    CHECK(cudaMalloc(&b.program, 1 << 20));
    CHECK(cudaMalloc(&b.count, 64));
    printf("%s, %d processors; %zu paths of %d steps\n", device.name, device.multiProcessorCount,
           b.paths, PROBLEM_STEPS);
    std::vector<variant> variants = all_variants();
    for (int single = 1; single >= 0; --single) {
        if (single)
            fill<float><<<132 * 8, 256>>>((float *)b.normals, b.bytes / 4);
        else
            fill<double><<<132 * 8, 256>>>((double *)b.normals, b.bytes / 8);
        CHECK(cudaDeviceSynchronize());
        for (int problem = 0; problem < PROBLEM_COUNT; ++problem) {
            copies c = measure_copies(b, problem, single);
            for (variant &v : variants)
                if (v.problem == problem && v.single == single) measure(v, b);
            /* The clocks may have changed meanwhile: the better of both counts. */
            const copies again = measure_copies(b, problem, single);
            if (again.best_ms < c.best_ms) c.best_ms = again.best_ms, c.best = again.best;
            if (again.rows_ms < c.rows_ms) c.rows_ms = again.rows_ms, c.rows = again.rows;
            c.memcpy_ms = std::min(c.memcpy_ms, again.memcpy_ms);
            const double bytes = 2.0 * (double)problem_bytes(problem, single, b.paths);
            printf("\n%s_%s: copy in the same pattern (%s) %.4f ms, %.1f GB/s; in any (%s) %.4f "
                   "ms, %.1f GB/s; cudaMemcpy %.4f ms, %.1f GB/s\n",
                   problem_names[problem], type_name(single).c_str(), c.rows, c.rows_ms,
                   bytes / c.rows_ms / 1e6, c.best, c.best_ms, bytes / c.best_ms / 1e6, c.memcpy_ms,
                   bytes / c.memcpy_ms / 1e6);
            double best = 1e30;
            for (const variant &v : variants)
                if (v.problem == problem && v.single == single) {
                    print_variant(v, c, b.paths, device.maxThreadsPerMultiProcessor);
                    good = good && v.good;
                    if (v.good) best = std::min(best, v.ms);
                }
            for (variant &v : variants) /* differences are counted against the chosen one */
                if (v.problem == problem && v.single == single && !strcmp(v.what, "chosen"))
                    measure(v, b);
            const double own = measure_library(b, problem, single);
            add_rows(problem_names[problem], problem, single, own > 0.0 ? own : best, c, b.paths);
            rows.push_back(
                {std::string(problem_names[problem]) + "_" + type_name(single) + "_best_candidate",
                 "GB/s", c.best, bytes / best / 1e6, bytes / c.best_ms / 1e6});
            if (problem < 2) gpu_ms[problem][single] = own > 0.0 ? own : best;
            fflush(stdout);
        }
    }
    example(variants, b);
    table2(b, gpu_ms);
    write_rows(arguments[1]);
    printf("%s\n", good ? "all right" : "SOME ARE WRONG");
    return good ? 0 : 1;
}
