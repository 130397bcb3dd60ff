/* bench_distributions.cu: deviates on the GPU at hand, in one run well below a minute: first the
 * draws of every law are compared with the CPU's, in double bit by bit; then each is timed, stored
 * to device memory, beside plain per-thread loops: the same source without regrouping, and cuRAND's
 * device generators with an ordinary loop that a thread leaves when its draw is done (XORWOW and
 * Philox; the faster counts). Poisson(6) by its table stands beside cuRAND's host function (opened
 * at run time). Prints JSON rows {name, value, unit, peer, peer_value, ratio}; a ratio above 1 is
 * better than the peer. Usage: bench_distributions [check] */
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <curand_kernel.h>
#include <dlfcn.h>

#include "bench/must.cuh"
#include "bench/distributions/loops.cuh"
extern "C" {
#include "kernels/cpu/draw_isa.h"
extern const levy_draw_isa levy_draw_avx2_double, levy_draw_avx2_single;
}

static const uint64_t DRAWS = 1ull << 28;
static void *device_output;
static int failures, rows_printed;

static double rate(const std::function<void()> &work, uint64_t draws)
{
    cudaEvent_t start, stop;
    std::vector<float> times;
    MUST(cudaEventCreate(&start));
    MUST(cudaEventCreate(&stop));
    for (int k = -1; k < 7; ++k) {
        float ms;
        MUST(cudaEventRecord(start));
        work();
        MUST(cudaEventRecord(stop));
        MUST(cudaEventSynchronize(stop));
        MUST(cudaEventElapsedTime(&ms, start, stop));
        if (k >= 0) times.push_back(ms);
    }
    MUST(cudaGetLastError());
    std::sort(times.begin(), times.end());
    return (double)draws / times[times.size() / 2] * 1e-6;
}

static void row(const std::string &name, double value, const std::string &peer, double peer_value)
{
    printf("%s{\"name\": \"%s\", \"value\": %.5g, \"unit\": \"G draws/s, stored\", \"peer\": "
           "\"%s\", \"peer_value\": %.5g, \"ratio\": %.4g}",
           rows_printed++ ? ",\n" : "[", name.c_str(), value, peer.c_str(), peer_value,
           peer_value > 0 ? value / peer_value : 0.0);
    fflush(stdout);
}

static void expect(bool good, const std::string &what)
{
    if (good) return;
    fprintf(stderr, "FAILED %s\n", what.c_str());
    ++failures;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

struct law_case {
    levy_draws_law law;
    double a, b;
};
static const law_case law_cases[] = {
    {LEVY_DRAWS_EXPONENTIAL, 2.5, 0},  {LEVY_DRAWS_NORMAL, -1, 3},
    {LEVY_DRAWS_GAMMA, 0.05, 1},       {LEVY_DRAWS_GAMMA, 0.7, 2},
    {LEVY_DRAWS_GAMMA, 2, 1},          {LEVY_DRAWS_GAMMA, 300, 1},
    {LEVY_DRAWS_POISSON, 0.3, 0},      {LEVY_DRAWS_POISSON, 6, 0},
    {LEVY_DRAWS_POISSON, 63.5, 0},     {LEVY_DRAWS_POISSON, 2000, 0},
    {LEVY_DRAWS_NONCENTRAL, 4, 10},    {LEVY_DRAWS_NONCENTRAL, 0.5, 3},
    {LEVY_DRAWS_NONCENTRAL, 0.8, 160},
};

/* How many results of GPU and CPU differ. In single, results count that are apart by more than
 * 1e-4, or by more than 1 for counts (at a step). */
template <class T>
static uint64_t differences(const law_case &c, bool single, uint64_t count, const uint32_t *words,
                            const uint32_t *device_words)
{
    std::vector<T> ours(count), cpu(count);
    levy_draws_cuda_job job = {c.law, 7,          42,           1ull << 33,
                               count, {c.a, c.b}, device_words, device_output};
    levy_draw_job host = {};
    host.law = (levy_draw_law)c.law, host.stream = 7, host.seed = 42, host.first = 1ull << 33;
    host.parameters[0] = c.a, host.parameters[1] = c.b, host.words = words,
    host.output = cpu.data();
    MUST(single ? levy_draws_cuda_single(&job, nullptr) : levy_draws_cuda_double(&job, nullptr));
    MUST(cudaMemcpy(ours.data(), device_output, count * sizeof(T), cudaMemcpyDeviceToHost));
    (single ? levy_draw_avx2_single : levy_draw_avx2_double).fill(&host, 0, count);
    const double least = c.law == LEVY_DRAWS_POISSON ? 1.0 : 1e-5;
    uint64_t n = 0;
    for (uint64_t i = 0; i < count; ++i) {
        const double x = (double)ours[i], y = (double)cpu[i];
        n += single ? !(fabs(x - y) <= 1e-4 * fabs(y) + least)
                    : memcmp(&ours[i], &cpu[i], sizeof(T)) != 0;
    }
    return n;
}

static void check_law(const law_case &c, const uint32_t *words, const uint32_t *device_words)
{
    char what[96];
    for (int by_word = 0; by_word < 2; ++by_word)
        for (int single = 0; single < 2; ++single) {
            const uint64_t count = by_word ? 20000 : 1000001;
            const uint32_t *const w = by_word ? words : nullptr;
            const uint32_t *const d = by_word ? device_words : nullptr;
            const uint64_t n = c.law == LEVY_DRAWS_POISSON
                                   ? differences<uint32_t>(c, single, count, w, d)
                               : single ? differences<float>(c, true, count, w, d)
                                        : differences<double>(c, false, count, w, d);
            const char *const inverted = by_word ? " inverted" : "";
            snprintf(what, sizeof what,
                     "law %d(%g, %g)%s, %s: %llu of %llu draws are not the CPU's", (int)c.law, c.a,
                     c.b, inverted, single ? "single" : "double", (unsigned long long)n,
                     (unsigned long long)count);
            /* In single a last bit may reverse an acceptance. The draw is then another one, but its
             * law is the same. */
            expect(single ? n <= count / 2000 : n == 0, what);
            if (n) fprintf(stderr, "note: %s\n", what);
        }
}

/* Checks that the table's counts are the inversion's of the same words. */
static void check_table(void *table)
{
    enum { N = 100000 };
    const uint64_t blocks = (N / 4 + 64) / 16 * 16; /* whole groups of sixteen: 64 words each */
    std::vector<uint32_t> words(4 * blocks), expected(N), got(N);
    std::vector<uint8_t> bytes(N);
    for (uint64_t b = 0; b < blocks; ++b) {
        const philox_words w = one_block(42, DISCRETE_SHARED, 7, b);
        for (uint64_t j = 0; j < 4; ++j) words[b / 16 * 64 + b % 16 + 16 * j] = w.w[j].v[0];
    }
    levy_draw_job host = {};
    host.law = LEVY_DRAW_POISSON, host.parameters[0] = 6, host.words = words.data(),
    host.output = expected.data();
    levy_draw_avx2_double.fill(&host, 0, N);
    MUST(levy_poisson_cuda_fill(table, 42, 7, N, 4, device_output, nullptr));
    MUST(cudaMemcpy(got.data(), device_output, N * 4, cudaMemcpyDeviceToHost));
    expect(got == expected, "Poisson(6) by table: counts are not the inversion's");
    const levy_draws_cuda_job job = {LEVY_DRAWS_POISSON, 7, 42, 0, N, {6, 0}, nullptr,
                                     device_output};
    MUST(levy_draws_cuda_double(&job, nullptr));
    MUST(cudaMemcpy(got.data(), device_output, N * 4, cudaMemcpyDeviceToHost));
    expect(got == expected, "Poisson(6) by search: counts are not the table's");
    MUST(levy_poisson_cuda_fill(table, 42, 7, N, 1, device_output, nullptr));
    MUST(cudaMemcpy(bytes.data(), device_output, N, cudaMemcpyDeviceToHost));
    expect(std::equal(bytes.begin(), bytes.end(), expected.begin()),
           "Poisson(6) by table, in bytes");
}

static void check_all(void *table)
{
    enum { N = 20000 };
    std::vector<uint32_t> words(N);
    uint32_t *device_words;
    for (uint32_t i = 0; i < N; ++i) words[i] = i * 2654435769u;
    for (uint32_t i = 0; i < 10; ++i) words[i] = i;
    for (uint32_t i = 0; i < 10; ++i) words[10 + i] = ~i;
    MUST(cudaMalloc((void **)&device_words, N * 4));
    MUST(cudaMemcpy(device_words, words.data(), N * 4, cudaMemcpyHostToDevice));
    for (const law_case &c : law_cases) check_law(c, words.data(), device_words);
    check_table(table);
    MUST(cudaFree(device_words));
}

/* ---- Times ----------------------------------------------------------------------------------- */

static double own_rate(levy_draws_law law, double a, double b, bool single)
{
    const levy_draws_cuda_job job = {law, 7, 42, 0, DRAWS, {a, b}, nullptr, device_output};
    return rate(
        [&] {
            MUST(single ? levy_draws_cuda_single(&job, nullptr)
                        : levy_draws_cuda_double(&job, nullptr));
        },
        DRAWS);
}

static void time_law(const char *name, levy_draws_law law, double a, double b)
{
    for (int single = 1; single >= 0; --single) {
        const std::string label = std::string(name) + (single ? "_f32" : "_f64");
        const double own = own_rate(law, a, b, single);
        const double plain = rate(
            [&] {
                single ? loops_same_single(law, a, b, DRAWS, device_output)
                       : loops_same_double(law, a, b, DRAWS, device_output);
            },
            DRAWS);
        row(label, own, "the same source, a thread a draw, without regrouping or shared words",
            plain);
        if (law == LEVY_DRAWS_POISSON)
            row(label, own, "Knuth's products of the same generator's words, a thread a draw",
                rate(
                    [&] {
                        single ? loops_products_single(a, DRAWS, device_output)
                               : loops_products_double(a, DRAWS, device_output);
                    },
                    DRAWS));
        double best = 0;
        for (int philox = 0; philox < 2; ++philox)
            best = std::max(
                best, rate([&] { loops_curand(law, a, b, single, philox, DRAWS, device_output); },
                           DRAWS));
        row(label, own, "per-thread loop over cuRAND's device generator", best);
    }
}

typedef int curand_create(void **generator, int type);
typedef int curand_poisson_fill(void *generator, unsigned *output, size_t n, double lambda);

static void time_table(void *table)
{
    static const char *const names[] = {"libcurand.so.10", "libcurand.so",
                                        "/usr/local/cuda/lib64/libcurand.so.10",
                                        "/usr/local/cuda/lib64/libcurand.so"};
    void *library = nullptr;
    double best = 0;
    for (const char *name : names)
        if (!library) library = dlopen(name, RTLD_NOW);
    if (!library) fprintf(stderr, "no libcurand here: poisson6 without its peer\n");
    for (int type : {101, 161}) { /* XORWOW, Philox */
        void *generator;
        if (!library) break;
        if (((curand_create *)dlsym(library, "curandCreateGenerator"))(&generator, type) != 0)
            continue;
        curand_poisson_fill *const fill =
            (curand_poisson_fill *)dlsym(library, "curandGeneratePoisson");
        best = std::max(
            best,
            rate([&] { MUST(fill(generator, (unsigned *)device_output, DRAWS, 6.0)); }, DRAWS));
    }
    for (int bytes : {4, 2, 1})
        row("poisson6_u" + std::to_string(8 * bytes),
            rate(
                [&] {
                    MUST(
                        levy_poisson_cuda_fill(table, 42, 7, DRAWS, bytes, device_output, nullptr));
                },
                DRAWS),
            "cuRAND's host Poisson(6), its fastest generator, uint32", best);
    row("fill_u32", rate([&] { MUST(cudaMemsetAsync(device_output, 1, 4 * DRAWS)); }, DRAWS),
        "cudaMemset of the same bytes: a limit", 0);
}

int main(int count, char **arguments)
{
    void *table;
    MUST(cudaMalloc(&device_output, DRAWS * 8));
    MUST(cudaMalloc(&table, levy_poisson_cuda_size()));
    MUST(levy_poisson_cuda_table(table, 6.0));
    check_all(table);
    if (count < 2 || strcmp(arguments[1], "check") != 0) {
        time_table(table);
        time_law("poisson6_masked", LEVY_DRAWS_POISSON, 6, 0);
        time_law("poisson50_masked", LEVY_DRAWS_POISSON, 50, 0);
        time_law("gamma2_masked", LEVY_DRAWS_GAMMA, 2, 1);
        time_law("gamma0.5_masked", LEVY_DRAWS_GAMMA, 0.5, 1);
        time_law("exponential_masked", LEVY_DRAWS_EXPONENTIAL, 1, 0);
        time_law("normal_masked", LEVY_DRAWS_NORMAL, 0, 1);
    }
    printf("%s]\n", rows_printed ? "" : "[");
    fprintf(stderr, "%d checks failed\n", failures);
    return failures != 0;
}
