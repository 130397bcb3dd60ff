/* alias_host.cpp: the GPU's alias kernels on a machine without a GPU: kernels/samplers/alias/*.cu compiled as C++
 * (alias_host.h). Builds tables by every front, split and pack and holds their masses against the weights, and draws by
 * every sampler. test_alias_emulated.sh compiles and runs it. Usage: alias_host [all] */
#include <vector>

#include "tests/alias_host.h"

#include "kernels/samplers/alias/alias_cuda.cu"
#include "kernels/samplers/alias/alias_sample.cu"
#include "tests/alias_case.h"

/* ---- The cases --------------------------------------------------------------------------------------------------- */

static int failures;
static double worst_error;

static void check(bool good, const char *what, const char *name, uint64_t n, int variant, double value)
{
    if (good) return;
    printf("FAILED %s: %s, n = %llu, variant %d: %g\n", what, name, (unsigned long long)n, variant, value);
    ++failures;
}

static const levy_alias_cuda_options variants[] = {
    {LEVY_ALIAS_FRONT_TILE, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_MERGE, 0, 0, 0},
    {LEVY_ALIAS_FRONT_TILE, LEVY_ALIAS_SPLIT_BINARY, LEVY_ALIAS_PACK_CHUNKED, 0, 0, 0},
    {LEVY_ALIAS_FRONT_GREEDY, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_SHARED, 0, 1, 0},
    {LEVY_ALIAS_FRONT_GREEDY, LEVY_ALIAS_SPLIT_BINARY, LEVY_ALIAS_PACK_BASELINE, 0, 3, 0},
    {LEVY_ALIAS_FRONT_PARTITION, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_MERGE, 0, 0, 0},
    {LEVY_ALIAS_FRONT_PARTITION, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_CHUNKED, 0, 0, 100},
    {LEVY_ALIAS_FRONT_CUB, LEVY_ALIAS_SPLIT_BINARY, LEVY_ALIAS_PACK_BASELINE, 1, 0, 0},
    {LEVY_ALIAS_FRONT_CUB, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_SHARED, 1, 0, 0},
    {LEVY_ALIAS_FRONT_CUB, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_SHARED, 0, 0, 0},
    {LEVY_ALIAS_FRONT_CUB, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_CHUNKED, 0, 0, 0},
    {LEVY_ALIAS_FRONT_CUB, LEVY_ALIAS_SPLIT_BINARY, LEVY_ALIAS_PACK_MERGE, 0, 0, 0}};
enum { VARIANTS = sizeof variants / sizeof *variants };

template <class W>
static void check_builds(const char *name, const W *w, uint64_t n, const double *doubles, const float *singles)
{
    levy_alias_cuda *t;
    levy_alias_fault fault;
    std::vector<double> masses(2 * n);
    const levy_alias_weights weights = {doubles, singles, n};
    (void)w;
    check(levy_alias_cuda_create(n, &t) == LEVY_OK, "create", name, n, 0, 0);
    for (int v = 0; v < VARIANTS; ++v) {
        memset(t->rows, 0xA5, n * sizeof *t->rows);
        const levy_status status = levy_alias_cuda_build(t, &weights, &variants[v], &fault);
        check(status == LEVY_OK, "build", name, n, v, status);
        const levy_alias alias = levy_alias_cuda_describe(t);
        const double error = levy_alias_error(&alias, t->rows, &weights, masses.data());
        check(error <= 1e-12, "mass", name, n, v, error);
        worst_error = error > worst_error ? error : worst_error;
    }
    levy_alias_cuda_destroy(t);
}

static void check_refusals()
{
    levy_alias_cuda *t;
    levy_alias_fault fault;
    std::vector<double> w(5000, 0.0);
    const levy_alias_weights weights = {w.data(), nullptr, w.size()};
    levy_alias_cuda_create(w.size(), &t);
    check(levy_alias_cuda_build(t, &weights, nullptr, &fault) == LEVY_INPUT && fault.reason == LEVY_ALIAS_ALL_ZERO,
          "refusal", "zeros", 5000, 0, 0);
    w[4000] = -1.0;
    w[4001] = NAN;
    check(levy_alias_cuda_build(t, &weights, nullptr, &fault) == LEVY_INPUT && fault.index == 4000 &&
              fault.value == -1.0,
          "refusal", "negative", 5000, 0, 0);
    w[4000] = HUGE_VAL;
    check(levy_alias_cuda_build(t, &weights, nullptr, &fault) == LEVY_INPUT && fault.reason == LEVY_ALIAS_INFINITE,
          "refusal", "infinite", 5000, 0, 0);
    levy_alias_cuda_destroy(t);
}

/* Chi-square of the draws in standard deviations, over items whose weights vary by a factor of 40. */
static void check_samplers(uint64_t n, uint64_t draws)
{
    levy_alias_cuda *t;
    levy_alias_fault fault;
    std::vector<double> w(n);
    for (uint64_t i = 0; i < n; ++i) w[i] = 0.1 + 4.0 * alias_case_uniform(3, i);
    const levy_alias_weights weights = {w.data(), nullptr, n};
    levy_alias_cuda_create(n, &t);
    levy_alias_cuda_build(t, &weights, nullptr, &fault);
    double total = 0.0;
    for (double x : w) total += x;
    for (int variant = 0; variant < 24; ++variant) {
        const levy_alias_sample_options o = {(levy_alias_sampler)(1 + variant % 4),
                                             (levy_alias_generator)(variant / 4 % 3),
                                             variant / 12,
                                             variant % 4 ? 300u : 0u,
                                             64,
                                             0};
        std::vector<uint32_t> counts(n, 0u);
        uint64_t sum = 0, drawn = 0, expected_sum = 0;
        check(levy_alias_cuda_sum(t, 5, draws, &o, &sum, counts.data()) == LEVY_OK, "sample", "draws", n, variant, 0);
        double chi = 0.0;
        for (uint64_t i = 0; i < n; ++i) {
            const double expected = (double)draws * w[i] / total;
            chi += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
            drawn += counts[i];
            expected_sum += i * counts[i];
        }
        const double z = (chi - (double)(n - 1)) / sqrt(2.0 * (double)(n - 1));
        check(drawn == draws && (uint32_t)sum == (uint32_t)expected_sum, "sum", "draws", n, variant, (double)drawn);
        check(fabs(z) < 4.0, "chi-square", "draws", n, variant, z);
    }
    levy_alias_cuda_destroy(t);
}

/* Mean and variance of the binomial deviates, in standard errors. */
static void check_binomial()
{
    static const struct {
        uint64_t n;
        double p;
    } cases[] = {{2, 0.5}, {40, 0.1}, {40, 0.9}, {1000, 0.5}, {1000000, 0.3}, {1000000000, 0.5}, {1000000000, 1e-9}};
    for (const auto &c : cases) {
        enum { TRIES = 200000 };
        double sum = 0.0, squares = 0.0;
        alias_stream s = alias_stream_of(1, c.n);
        const double mean = (double)c.n * c.p, variance = mean * (1.0 - c.p);
        for (int k = 0; k < TRIES; ++k) {
            const double x = (double)alias_binomial(c.n, c.p, &s) - mean;
            sum += x;
            squares += x * x;
        }
        check(fabs(sum / sqrt(variance * TRIES)) < 4.0, "binomial mean", "draws", c.n, 0, sum / sqrt(variance * TRIES));
        const double kurtosis = 2.0 + (1.0 - 6.0 * c.p * (1.0 - c.p)) / variance;
        const double z = (squares / TRIES - variance) / (variance * sqrt(kurtosis / TRIES));
        check(fabs(z) < 4.0, "binomial variance", "draws", c.n, 0, z);
    }
}

/* Sums over tiles that have said their own word or already their sum, in any mixture. */
static void check_chain()
{
    enum { TILES = 200, TRIES = 300 };
    static chain_record records[2 * TILES];
    alias_chain chain = {records};
    for (unsigned k = 0; k < TRIES; ++k) {
        const uint32_t tile = k < 70 ? k : (uint32_t)(alias_case_uniform(8, k) * TILES);
        const double often = k % 3 == 0 ? 0.0 : k % 3 == 1 ? 0.02 : 0.5;
        alias_tally sum = tally_make(0, 0, 0, 0), got[32];
        const alias_tally own = tally_make(3, 5, 7, (alias_wide)11 << 60);
        memset(records, 0xA5, sizeof records);
        for (uint32_t t = 0; t < tile; ++t) {
            const alias_wide lack = (alias_wide)(alias_case_uniform(k, 4 * t) * 0x1p63) << (t % 25);
            const alias_wide excess = (alias_wide)(alias_case_uniform(k, 4 * t + 1) * 0x1p63) << (t % 19);
            const alias_tally word = tally_make(t % 2 ? 2048 : 0, t % 2 ? lack : 0, t % 3, excess);
            const bool told = t == 0 || alias_case_uniform(k, 4 * t + 2) < often;
            sum = tally_add(sum, word);
            chain_say(chain, t, told ? sum : word, told ? CHAIN_SUM : CHAIN_OWN);
        }
        host_launch(1, 32, [&] { got[threadIdx.x] = chain_before(chain, tile, own); });
        bool good = true;
        for (const alias_tally &g : got) good &= memcmp(&g, &sum, sizeof sum) == 0;
        if (tile > 0) { /* it says its sum */
            const alias_tally all = tally_add(sum, own);
            good &= chain_flag(records[2 * tile]) == CHAIN_SUM && chain_flag(records[2 * tile + 1]) == CHAIN_SUM;
            good &= records[2 * tile].low == all.lack_low && (uint32_t)records[2 * tile + 1].upper == all.excess_high;
        }
        check(good, "sums over tiles", "chain", tile, (int)k, 0);
    }
}

int main(int count, char **arguments)
{
    const bool all = count > 1 && strcmp(arguments[1], "all") == 0;
    static const uint64_t sizes[] = {1, 2, 5, 300, 2048, 2049, 9000, 50001};
    for (int which = 0; which < ALIAS_CASES; ++which)
        for (uint64_t n : sizes) {
            if (!all && n > 2049 && which % 3) continue;
            std::vector<double> w(n);
            std::vector<float> f(n);
            alias_case_fill(which, w.data(), n);
            for (uint64_t i = 0; i < n; ++i) f[i] = w[i] < 1e38 ? (float)w[i] : 1e38f;
            check_builds(alias_case_name(which), w.data(), n, w.data(), nullptr);
            float most = 0.0f;
            for (float x : f) most = x > most ? x : most;
            if (n == 9000 && most > 0.0f) check_builds(alias_case_name(which), f.data(), n, nullptr, f.data());
        }
    printf("largest relative error of a mass: %.2g\n", worst_error);
    check_chain();
    check_refusals();
    check_binomial();
    check_samplers(1000, 400000);
    printf("%d failures\n", failures);
    return failures != 0;
}
