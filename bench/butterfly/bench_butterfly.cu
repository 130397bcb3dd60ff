/* bench_butterfly.cu: one draw from each of many distributions on a GPU: first the items of every
 * version against the CPU's, then the whole draw step (theta, phi, states and words in device
 * memory to items in device memory) for K = 1 to 1,024. Usage: bench_butterfly ROWS.json [check]
 * check: small checks alone, for compute-sanitizer. Exit 1: a check failed.
 *
 * Peers, in the same run: the register-transposed program as the paper prints it (its algorithm 4:
 * all K partial sums are kept); the transposed version made as lean as the butterfly (only sums to
 * the end of each block are kept), so that nothing differs but the shuffles; a thread per path; and
 * the limit: theta read and nothing else. Best of several runs, versions in turn. */
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "bench/must.cuh"
#include "kernels/samplers/butterfly/butterfly_cuda.h"

/* The kernels built with other settings (build.sh): X(suffix, what) */
#define TUNINGS(X)                                                                                 \
    X(a, "64 registers, 3 and 2 blocks of 128")                                                    \
    X(b, "16 registers, 5 and 4 blocks of 128")                                                    \
    X(c, "16 registers, 6 and 4 blocks of 128")                                                    \
    X(d, "32 registers, 4 and 4 blocks of 128")                                                    \
    X(e, "32 registers, 3 and 2 blocks of 128")                                                    \
    X(f, "32 registers, 2 and 2 blocks of 256")                                                    \
    X(g, "32 registers, 4 and 3 blocks of 128, in step")                                           \
    X(h, "32 registers, 2 and 2 blocks of 256, in step")                                           \
    X(i, "16 registers, 3 and 2 blocks of 256, in step")                                           \
    X(j, "32 registers, 4 and 3 blocks of 128, __ldg")                                             \
    X(k, "32 registers, 4 and 3 blocks of 128, __ldlu")
#define TUNING(suffix, what)                                                                       \
    extern "C" levy_status levy_butterfly_cuda_draw_##suffix(                                      \
        const levy_butterfly_draws *, const levy_butterfly_options *, void *, int *);
TUNINGS(TUNING)
#undef TUNING
typedef levy_status draw_function(const levy_butterfly_draws *, const levy_butterfly_options *,
                                  void *, int *);

static int failures;

/* ---- Data ------------------------------------------------------------------------------------ */

/* SAMPLE: how many numbers of theta the CPU draws from, as a check */
enum { STATES = 32, REPEATS = 7, SAMPLE = 1 << 20 };
static const uint64_t MOST_PATHS = (uint64_t)1 << 23;
static uint64_t numbers_of_theta = (uint64_t)1 << 28;

static __device__ __host__ uint64_t mixed(uint64_t z)
{
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Weights in (0, 1]. With `zeros` one in 16 is 0, except that every seventh number never is. */
template <class Real>
static __global__ void fill_weights(Real *w, uint64_t n, uint64_t seed, int zeros)
{
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * blockDim.x) {
        const uint64_t z = mixed(seed ^ i);
        w[i] = zeros && z % 16 == 0 && i % 7 ? (Real)0 : (Real)((z >> 40) + 1) * (Real)0x1p-24;
    }
}
static __global__ void fill_words(uint32_t *w, uint64_t n, uint64_t seed, uint32_t below)
{
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * blockDim.x) {
        const uint32_t z = (uint32_t)(mixed(seed ^ i) >> 32);
        w[i] = below ? z % below : z;
    }
}

static void *theta, *phi;
static uint32_t *states, *words, *items, *wanted;
static unsigned long long *counter;

template <class Real>
static void fill(void)
{
    fill_weights<<<132 * 16, 256>>>((Real *)theta, numbers_of_theta, 1, 1);
    fill_weights<<<132, 256>>>((Real *)phi, STATES * 1024 + 64, 2, 0);
    MUST(cudaDeviceSynchronize());
}

static levy_butterfly_draws draws_of(uint32_t k, int single, uint64_t numbers)
{
    levy_butterfly_draws d;
    memset(&d, 0, sizeof d);
    d.theta = theta;
    d.phi = phi;
    d.states = states;
    d.words = words;
    d.items = items;
    /* the last warp is not full */
    d.n_paths = std::min<uint64_t>(numbers / k, MOST_PATHS) / 32 * 32 + 17;
    if (d.n_paths * k > numbers_of_theta) d.n_paths -= 32;
    d.theta_stride = d.phi_stride = d.n_items = k;
    d.n_states = STATES;
    d.single = single;
    return d;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static __global__ void count_differences(const uint32_t *a, const uint32_t *b, uint64_t n,
                                         unsigned long long *counted)
{
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * blockDim.x)
        if (a[i] != b[i]) atomicAdd(counted, 1ull);
}

static void draw(draw_function *function, const levy_butterfly_draws &d,
                 levy_butterfly_version version, uint32_t vector)
{
    const levy_butterfly_options options = {version, vector};
    int code;
    const levy_status status = function(&d, &options, nullptr, &code);
    if (status != LEVY_OK) {
        fprintf(stderr, "version %d: status %d, CUDA error %d (%s)\n", (int)version, (int)status,
                code, cudaGetErrorString((cudaError_t)code));
        exit(2);
    }
}

static uint64_t differences(const levy_butterfly_draws &d)
{
    unsigned long long counted = 0;
    MUST(cudaMemset(counter, 0, sizeof *counter));
    count_differences<<<132 * 8, 256>>>(items, wanted, d.n_paths, counter);
    MUST(cudaMemcpy(&counted, counter, sizeof counted, cudaMemcpyDeviceToHost));
    return counted;
}

/* The items that all versions must give: those of a thread per path. The last of them are compared
 * with the CPU's. */
template <class Real>
static void expect(const levy_butterfly_draws &d)
{
    const size_t n = std::min<size_t>(d.n_paths, std::max(1u, SAMPLE / d.n_items)),
                 last = d.n_paths - n;
    std::vector<Real> t(n * d.n_items), f((size_t)STATES * d.n_items);
    std::vector<uint32_t> s(n), w(n), cpu(n), gpu(n);
    draw(levy_butterfly_cuda_draw, d, LEVY_BUTTERFLY_EACH, 0);
    MUST(cudaMemcpy(wanted, items, d.n_paths * sizeof *items, cudaMemcpyDeviceToDevice));
    MUST(cudaMemcpy(t.data(), (const Real *)theta + last * d.n_items, t.size() * sizeof(Real),
                    cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(f.data(), phi, f.size() * sizeof(Real), cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(s.data(), states + last, n * 4, cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(w.data(), words + last, n * 4, cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(gpu.data(), items + last, n * 4, cudaMemcpyDeviceToHost));
    levy_butterfly_draws host = d;
    host.theta = t.data();
    host.phi = f.data();
    host.states = s.data();
    host.words = w.data();
    host.items = cpu.data();
    host.n_paths = n;
    levy_butterfly_draw(&host, 0, n);
    size_t bad = 0;
    for (size_t i = 0; i < n; ++i) bad += cpu[i] != gpu[i];
    if (bad) {
        printf("FAILED: K = %u, %zu bytes: %zu of %zu items are not the CPU's\n", d.n_items,
               sizeof(Real), bad, n);
        ++failures;
    }
}

static void check(draw_function *function, const levy_butterfly_draws &d,
                  levy_butterfly_version version, uint32_t vector, const char *what)
{
    MUST(cudaMemset(items, 0xff, d.n_paths * sizeof *items));
    draw(function, d, version, vector);
    const uint64_t bad = differences(d);
    /* The paper's programs add in other orders, so an item may differ where the target is a
     * rounding error from a sum. With 1,024 numbers the error is a few 1e-6 of the total in single,
     * where an item has 1e-3 of it, and 1e-14 in double. */
    const bool paper = version >= LEVY_BUTTERFLY_PAPER_TRANSPOSED;
    const double allowed = !paper     ? 0.0
                           : d.single ? 1e-2 * (double)d.n_paths
                                      : 1e-9 * (double)d.n_paths;
    if ((double)bad <= allowed) return;
    printf("FAILED: %s, K = %u, %s: %llu of %zu items differ\n", what, d.n_items,
           d.single ? "single" : "double", (unsigned long long)bad, d.n_paths);
    ++failures;
}

/* ---- Timing ---------------------------------------------------------------------------------- */

struct row {
    std::string name, unit, peer;
    double value, peer_value, ratio;
};
static std::vector<row> rows;

static double once_ms(const std::function<void()> &work)
{
    static cudaEvent_t start, stop;
    float ms = 0.0f;
    if (!start) {
        MUST(cudaEventCreate(&start));
        MUST(cudaEventCreate(&stop));
    }
    MUST(cudaEventRecord(start));
    work();
    MUST(cudaEventRecord(stop));
    MUST(cudaEventSynchronize(stop));
    MUST(cudaEventElapsedTime(&ms, start, stop));
    return ms;
}

struct contestant {
    const char *name;
    levy_butterfly_version version;
    uint32_t vector;
    double ms;
};

/* Versions take turns, so that a change of the clock affects all of them. */
static void time_all(std::vector<contestant> &all, const levy_butterfly_draws &d,
                     draw_function *function)
{
    for (contestant &c : all) c.ms = 1e30;
    for (int i = 0; i <= REPEATS; ++i)
        for (contestant &c : all) {
            const double ms = once_ms([&] { draw(function, d, c.version, c.vector); });
            if (i > 0) c.ms = std::min(c.ms, ms);
        }
}

/* Reads theta and does nothing else. */
template <int AHEAD>
static __global__ void __launch_bounds__(256) read_only(const float4 *at, uint64_t n, float *out)
{
    float sum = 0.0f;
    const uint64_t step = (uint64_t)gridDim.x * 256;
    for (uint64_t i = (uint64_t)blockIdx.x * 256 + threadIdx.x; i < n; i += AHEAD * step) {
        float4 v[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; ++k)
            v[k] = i + k * step < n ? __ldcs(at + i + k * step) : make_float4(0, 0, 0, 0);
#pragma unroll
        for (int k = 0; k < AHEAD; ++k) sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }
    if (sum == -1.0f) *out = sum;
}

static double read_ms(uint64_t bytes)
{
    double best = 1e30;
    for (int i = 0; i <= REPEATS; ++i)
        for (unsigned blocks : {132u * 8, 132u * 16, 132u * 64}) {
            best = std::min(best, once_ms([&] {
                                read_only<4><<<blocks, 256>>>((const float4 *)theta, bytes / 16,
                                                              (float *)counter);
                            }));
            best = std::min(best, once_ms([&] {
                                read_only<8><<<blocks, 256>>>((const float4 *)theta, bytes / 16,
                                                              (float *)counter);
                            }));
        }
    return best;
}

static std::string name_of(const char *what, uint32_t k, int single)
{
    return std::string(what) + "_k" + std::to_string(k) + (single ? "_f32" : "_f64");
}

static const uint32_t sizes[] = {
    1,   2,   3,   4,   5,   6,   7,   8,   10,   12,   16,   20,   24,   28,  31,
    32,  33,  40,  48,  56,  63,  64,  65,  68,   80,   96,   112,  127,  128, 129,
    144, 160, 192, 224, 255, 256, 257, 320, 384,  448,  480,  484,  488,  492, 496,
    500, 504, 508, 511, 512, 513, 514, 516, 520,  524,  528,  532,  536,  540, 544,
    576, 640, 704, 768, 832, 896, 960, 992, 1000, 1016, 1020, 1022, 1023, 1024};

typedef struct crossing {
    /* The least K from which on the butterfly is faster than a thread per path; 0: it was not at
     * the last K. */
    uint32_t k;
    double ratio;
} crossing;

template <class Real>
static void measure(uint32_t k, crossing *crossover)
{
    const int single = sizeof(Real) == 4;
    const levy_butterfly_draws d = draws_of(k, single, numbers_of_theta);
    std::vector<contestant> all = {
        {"butterfly", LEVY_BUTTERFLY_BUTTERFLY, 0, 0.0},
        {"auto", LEVY_BUTTERFLY_AUTO, 0, 0.0},
        {"a thread per path", LEVY_BUTTERFLY_EACH, 0, 0.0},
        {"register-transposed, block sums kept", LEVY_BUTTERFLY_TRANSPOSED, 0, 0.0},
        {"register-transposed, the paper's algorithm 4", LEVY_BUTTERFLY_PAPER_TRANSPOSED, 0, 0.0},
        {"the paper's butterfly, algorithm 7", LEVY_BUTTERFLY_PAPER_BUTTERFLY, 0, 0.0}};
    expect<Real>(d);
    for (const contestant &c : all) check(levy_butterfly_cuda_draw, d, c.version, c.vector, c.name);
    time_all(all, d, levy_butterfly_cuda_draw);
    const double own = all[0].ms, bytes = (double)d.n_paths * k * sizeof(Real),
                 draws = (double)d.n_paths / 1e6;
    for (size_t i = 2; i < all.size(); ++i)
        rows.push_back({name_of("butterfly", k, single), "G draws/s", all[i].name, draws / own,
                        draws / all[i].ms, all[i].ms / own});
    rows.push_back({name_of("butterfly_paper", k, single), "G draws/s", all[4].name,
                    draws / all[5].ms, draws / all[4].ms, all[4].ms / all[5].ms});
    if (all[2].ms <= own)
        *crossover = {0, 0.0};
    else if (crossover->k == 0)
        *crossover = {k, all[2].ms / own};
    printf("%s %5u: butterfly %8.4f ms %7.1f GB/s of theta, auto %8.4f, each %8.4f (%5.2f), "
           "transposed %8.4f (%5.2f), paper's "
           "%8.4f (%5.2f), paper's butterfly %8.4f\n",
           single ? "f32" : "f64", k, own, bytes / own / 1e6, all[1].ms, all[2].ms, all[2].ms / own,
           all[3].ms, all[3].ms / own, all[4].ms, all[4].ms / own, all[5].ms);
    fflush(stdout);
}

template <class Real>
static void measure_limit(uint32_t k)
{
    const int single = sizeof(Real) == 4;
    levy_butterfly_draws d = draws_of(k, single, numbers_of_theta);
    std::vector<contestant> all = {{"butterfly", LEVY_BUTTERFLY_BUTTERFLY, 0, 0.0}};
    printf("%s %5u:", single ? "f32" : "f64", k);
    /* Fewer states are more often in the L1 cache. The last count is the row's. */
    for (uint32_t n : {1u, 8u, (uint32_t)STATES}) {
        d.n_states = n;
        time_all(all, d, levy_butterfly_cuda_draw);
        printf("  %u states %.4f ms", n, all[0].ms);
    }
    const double bytes = (double)(d.n_paths * k * sizeof(Real)),
                 limit = read_ms(d.n_paths * k * sizeof(Real));
    rows.push_back({name_of("butterfly_bandwidth", k, single), "GB/s of theta",
                    "theta read and nothing else", bytes / all[0].ms / 1e6, bytes / limit / 1e6,
                    limit / all[0].ms});
    printf("; %.1f of %.1f GB/s: %.1f %%\n", bytes / all[0].ms / 1e6, bytes / limit / 1e6,
           100.0 * limit / all[0].ms);
}

/* Compares ways to build the kernels, for the choices at the top of butterfly_warp.cuh. */
template <class Real>
static void measure_tunings(uint32_t k)
{
    const int single = sizeof(Real) == 4;
    const levy_butterfly_draws d = draws_of(k, single, numbers_of_theta);
    expect<Real>(d);
    auto one = [&](draw_function *function, const char *what) {
        std::vector<contestant> all = {{"transposed", LEVY_BUTTERFLY_TRANSPOSED, 0, 0.0},
                                       {"paper's", LEVY_BUTTERFLY_PAPER_TRANSPOSED, 0, 0.0}};
        for (uint32_t v = 1; v <= 16 / sizeof(Real); v *= 2)
            all.push_back({"butterfly", LEVY_BUTTERFLY_BUTTERFLY, v, 0.0});
        for (const contestant &c : all) check(function, d, c.version, c.vector, what);
        time_all(all, d, function);
        printf("%s %5u, %s:", single ? "f32" : "f64", k, what);
        for (const contestant &c : all)
            printf("  %s%s%s %.4f", c.name, c.vector ? " by " : "",
                   c.vector ? std::to_string(c.vector).c_str() : "", c.ms);
        printf("\n");
    };
    one(levy_butterfly_cuda_draw, "as built");
#define TUNING(suffix, what) one(levy_butterfly_cuda_draw_##suffix, what);
    TUNINGS(TUNING)
#undef TUNING
    fflush(stdout);
}

template <class Real>
static void measure_all(void)
{
    const int single = sizeof(Real) == 4;
    crossing crossover = {0, 0.0};
    fill<Real>();
    for (uint32_t k : {1024u, 256u, 64u, 32u}) measure_limit<Real>(k);
    for (uint32_t k : sizes) measure<Real>(k, &crossover);
    rows.push_back({std::string("butterfly_crossover_") + (single ? "f32" : "f64"),
                    "items from which it is faster", "a thread per path", (double)crossover.k, 0.0,
                    crossover.ratio});
    for (uint32_t k : {1024u, 256u, 64u}) measure_tunings<Real>(k);
}

/* ---- All ------------------------------------------------------------------------------------- */

template <class Real>
static void check_small(void)
{
    fill<Real>();
    for (uint32_t k : {1u, 7u, 31u, 32u, 33u, 64u, 66u, 100u, 132u, 513u, 1024u}) {
        const levy_butterfly_draws d =
            draws_of(k, sizeof(Real) == 4, std::min<uint64_t>(300 * k, numbers_of_theta));
        expect<Real>(d);
        for (int v = LEVY_BUTTERFLY_AUTO; v <= LEVY_BUTTERFLY_PAPER_BUTTERFLY; ++v)
            check(levy_butterfly_cuda_draw, d, (levy_butterfly_version)v, 0, "small");
        for (uint32_t vector = 1; vector <= 4; vector *= 2)
            check(levy_butterfly_cuda_draw, d, LEVY_BUTTERFLY_BUTTERFLY, vector, "small");
    }
}

static int write_rows(const char *path)
{
    FILE *const f = fopen(path, "w");
    if (!f) return fprintf(stderr, "%s: cannot be written\n", path), 1;
    fprintf(f, "[\n");
    for (size_t i = 0; i < rows.size(); ++i) {
        const row &r = rows[i];
        fprintf(f,
                "  {\"name\": \"%s\", \"value\": %.5g, \"unit\": \"%s\", \"peer\": \"%s\", "
                "\"peer_value\": %.5g, \"ratio\": "
                "%.4f}%s\n",
                r.name.c_str(), r.value, r.unit.c_str(), r.peer.c_str(), r.peer_value, r.ratio,
                i + 1 < rows.size() ? "," : "");
    }
    fprintf(f, "]\n");
    return fclose(f) != 0;
}

int main(int count, char **arguments)
{
    cudaDeviceProp device;
    if (count < 2) return fprintf(stderr, "usage: bench_butterfly ROWS.json [check]\n"), 2;
    const bool small = count > 2 && !strcmp(arguments[2], "check");
    if (small) numbers_of_theta = 300 << 10;
    MUST(cudaGetDeviceProperties(&device, 0));
    MUST(cudaMalloc(&theta, numbers_of_theta * sizeof(double)));
    MUST(cudaMalloc(&phi, (STATES * 1024 + 64) * sizeof(double)));
    MUST(cudaMalloc((void **)&states, (MOST_PATHS + 64) * 4));
    MUST(cudaMalloc((void **)&words, (MOST_PATHS + 64) * 4));
    MUST(cudaMalloc((void **)&items, (MOST_PATHS + 64) * 4));
    MUST(cudaMalloc((void **)&wanted, (MOST_PATHS + 64) * 4));
    MUST(cudaMalloc((void **)&counter, 64));
    fill_words<<<132 * 8, 256>>>(states, MOST_PATHS + 64, 3, STATES);
    fill_words<<<132 * 8, 256>>>(words, MOST_PATHS + 64, 4, 0);
    MUST(cudaDeviceSynchronize());
    printf("%s, %d processors; %d states\n", device.name, device.multiProcessorCount, STATES);
    if (small) {
        check_small<double>();
        check_small<float>();
    } else {
        measure_all<float>();
        measure_all<double>();
    }
    MUST(cudaDeviceSynchronize());
    for (const row &r : rows)
        if (r.name.find("_k1024_") != std::string::npos ||
            r.name.find("crossover") != std::string::npos)
            printf("%-32s %10.5g %-30s against %10.5g (%s): %.3f\n", r.name.c_str(), r.value,
                   r.unit.c_str(), r.peer_value, r.peer.c_str(), r.ratio);
    if (!small) failures += write_rows(arguments[1]);
    printf("%s\n", failures ? "SOME ARE WRONG" : "all right");
    return failures != 0;
}
