/* bench_alias.cu: alias tables on a GPU: checks every variant, then times it. Prints a JSON array
 * of rows {name, value, unit, peer, peer_value, ratio}; a ratio above 1 is better than the peer.
 * Usage: bench_alias [check | all [FIGURES]]. check: small checks alone, for compute-sanitizer.
 * FIGURES: lines of a row's name and the figure of a peer on the same GPU (bench/peers/alias/kit).
 * Exit 1: a check failed. */
#include "bench/alias/peer_draws.cuh"

#include <fstream>
#include <map>

struct variant {
    const char *name;
    levy_alias_cuda_options options;
};
static const variant variants[] = {
    {"tile_merge",
     {LEVY_ALIAS_FRONT_TILE, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_MERGE, 0, 0, 0, 0}},
    {"tile2_merge",
     {LEVY_ALIAS_FRONT_TILE, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_MERGE, 0, 0, 0, 2}},
    {"tile3_merge",
     {LEVY_ALIAS_FRONT_TILE, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_MERGE, 0, 0, 0, 3}},
    {"tile_merge_binary",
     {LEVY_ALIAS_FRONT_TILE, LEVY_ALIAS_SPLIT_BINARY, LEVY_ALIAS_PACK_MERGE, 0, 0, 0, 0}},
    {"tile_chunked",
     {LEVY_ALIAS_FRONT_TILE, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_CHUNKED, 0, 0, 0, 0}},
    {"tile_shared",
     {LEVY_ALIAS_FRONT_TILE, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_SHARED, 0, 0, 0, 0}},
    {"greedy1_merge",
     {LEVY_ALIAS_FRONT_GREEDY, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_MERGE, 0, 1, 0, 0}},
    {"greedy2_merge",
     {LEVY_ALIAS_FRONT_GREEDY, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_MERGE, 0, 2, 0, 0}},
    {"greedy2_shared",
     {LEVY_ALIAS_FRONT_GREEDY, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_SHARED, 0, 2, 0, 0}},
    {"greedy2_chunked",
     {LEVY_ALIAS_FRONT_GREEDY, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_CHUNKED, 0, 2, 0, 0}},
    {"partition_merge",
     {LEVY_ALIAS_FRONT_PARTITION, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_MERGE, 0, 0, 0, 0}},
    {"partition_shared",
     {LEVY_ALIAS_FRONT_PARTITION, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_SHARED, 0, 0, 0, 0}},
    {"partition_chunked",
     {LEVY_ALIAS_FRONT_PARTITION, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_CHUNKED, 0, 0, 0, 0}},
    {"cub_baseline",
     {LEVY_ALIAS_FRONT_CUB, LEVY_ALIAS_SPLIT_BINARY, LEVY_ALIAS_PACK_BASELINE, 1, 0, 0, 0}},
    {"cub_shared",
     {LEVY_ALIAS_FRONT_CUB, LEVY_ALIAS_SPLIT_BINARY, LEVY_ALIAS_PACK_SHARED, 1, 0, 0, 0}},
    {"cub_weights_shared_binary",
     {LEVY_ALIAS_FRONT_CUB, LEVY_ALIAS_SPLIT_BINARY, LEVY_ALIAS_PACK_SHARED, 0, 0, 0, 0}},
    {"cub_weights_shared",
     {LEVY_ALIAS_FRONT_CUB, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_SHARED, 0, 0, 0, 0}},
    {"cub_weights_chunked",
     {LEVY_ALIAS_FRONT_CUB, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_CHUNKED, 0, 0, 0, 0}},
    {"cub_weights_merge",
     {LEVY_ALIAS_FRONT_CUB, LEVY_ALIAS_SPLIT_PARTIAL, LEVY_ALIAS_PACK_MERGE, 0, 0, 0, 0}}};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* ---- KIT's code, where it ran ---- */

static std::map<std::string, double> kit_figures;

static void kit_read(const char *path)
{
    std::ifstream file(path);
    std::string name;
    double figure;
    while (file >> name >> figure) kit_figures[name] = figure;
}

/* A row beside KIT's figure of that name, if there is one. less: of milliseconds. */
static void kit_row(const std::string &name, double value, const char *unit, bool less,
                    const std::string &figure)
{
    const auto found = kit_figures.find(figure);
    const double kit = found == kit_figures.end() ? 0.0 : found->second;
    if (kit == 0.0)
        row(name, value, unit, "", 0.0, 0.0);
    else
        row(name, value, unit, "KIT's alias-table-gpu, best variant", kit,
            less ? kit / value : value / kit);
}

/* ---- Building -------------------------------------------------------------------------------- */

template <class W>
static void check_builds(uint64_t n, int first_shape, int last_shape, int n_variants)
{
    levy_alias_cuda *table;
    W *const w = device_new<W>(n);
    MUST(levy_alias_cuda_create(n, &table));
    for (int shape = first_shape; shape <= last_shape; ++shape) {
        double worst = 0.0;
        fill(w, n, shape);
        for (int v = 0; v < n_variants; ++v) {
            build(table, w, n, &variants[v].options);
            const double error = table_error(table, w, n);
            expect(error <= 1e-12,
                   std::string("mass, ") + shape_names[shape] + ", n " + std::to_string(n) + ", " +
                       variants[v].name,
                   error);
            worst = std::max(worst, error);
        }
        row(std::string("alias_error_") + std::to_string(n) + "_" + shape_names[shape] +
                (sizeof(W) == 4 ? "_f32" : ""),
            worst, "largest relative error of a mass, all variants", "bar", 1e-12, 0.0);
    }
    levy_alias_cuda_destroy(table);
    MUST(cudaFree(w));
}

static void time_builds(uint64_t n, const char *size, int n_variants)
{
    levy_alias_cuda *table;
    double *const w = device_new<double>(n);
    MUST(levy_alias_cuda_create(n, &table));
    for (int shape = UNIFORM; shape <= POWERLAW; ++shape) {
        const std::string name = std::string("alias_build_") + size + "_" + shape_names[shape];
        fill(w, n, shape);
        for (int v = 0; v < n_variants; ++v) {
            const double ms =
                median_ms(v ? 5 : 15, [&] { build(table, w, n, &variants[v].options); });
            kit_row(v ? name + "_" + variants[v].name : name, ms, "ms", true, name);
            uint32_t listed[2];
            MUST(levy_alias_cuda_listed(table, listed));
            if (v == 0)
                row(name + "_listed", 100.0 * ((double)listed[0] + (double)listed[1]) / (double)n,
                    "% of the items", "", 0.0, 0.0);
        }
        build(table, w, n, nullptr);
        const levy_alias_short_row *short_rows;
        const double both = median_ms(5, [&] {
            build(table, w, n, nullptr);
            MUST(levy_alias_cuda_shorten(table, &short_rows));
        });
        kit_row(name + "_with_short_rows", both, "ms", true, name);
    }
    float *const f = device_new<float>(n);
    fill(f, n, POWERLAW);
    const double ms = median_ms(5, [&] { build(table, f, n, nullptr); });
    const std::string powerlaw = std::string("alias_build_") + size + "_powerlaw";
    kit_row(powerlaw + "_f32", ms, "ms", true, powerlaw); /* KIT's weights are doubles */
    MUST(cudaFree(f));
    levy_alias_row *host;
    MUST(cudaMallocHost((void **)&host, n * sizeof *host));
    memset(host, 0, n * sizeof *host);
    levy_alias_row *const copy = device_new<levy_alias_row>(n);
    const double copied = median_ms(
        3, [&] { MUST(cudaMemcpy(copy, host, n * sizeof *host, cudaMemcpyHostToDevice)); });
    fill(w, n, POWERLAW);
    const double built = median_ms(5, [&] { build(table, w, n, nullptr); });
    row(std::string("alias_build_") + size, built, "ms",
        "copying a finished table to the device, pinned", copied, copied / built);
    MUST(cudaFreeHost(host));
    MUST(cudaFree(copy));
    levy_alias_cuda_destroy(table);
    MUST(cudaFree(w));
}

/* ---- Drawing --------------------------------------------------------------------------------- */

static const char *const sampler_names[] = {"auto", "direct", "cached", "limited", "shared"};
static const char *const generator_names[] = {"mwc", "xorwow", "philox"};

/* Chi-square of the counts against the weights, in standard deviations. Power: at 1e8 draws of 1e5
 * items of weights that are each off by 1 %, the statistic moves by 1e4, or 22 of its standard
 * deviations. */
static void check_draws(uint64_t n, uint64_t draws)
{
    levy_alias_cuda *table;
    double *const w = device_new<double>(n);
    uint32_t *const counts = device_new<uint32_t>(n);
    uint64_t *const sum = device_new<uint64_t>(1);
    std::vector<double> weights(n);
    std::vector<uint32_t> seen(n);
    MUST(levy_alias_cuda_create(n, &table));
    fill(w, n, UNIFORM);
    build(table, w, n, nullptr);
    MUST(cudaMemcpy(weights.data(), w, n * sizeof *w, cudaMemcpyDeviceToHost));
    double total = 0.0, worst = 0.0;
    for (double &x : weights) total += x = x;
    for (int variant = 0; variant < 24; ++variant) {
        const levy_alias_sample_options o = {(levy_alias_sampler)(1 + variant % 4),
                                             (levy_alias_generator)(variant / 4 % 3),
                                             variant / 12,
                                             0,
                                             0,
                                             0};
        const std::string name = std::string("draws ") + std::to_string(n) + " " +
                                 sampler_names[o.sampler] + " " + generator_names[o.generator] +
                                 (o.wide ? " wide" : " short");
        MUST(cudaMemset(counts, 0, n * sizeof *counts));
        MUST(cudaMemset(sum, 0, sizeof *sum));
        MUST(levy_alias_cuda_sum(table, 7 + (uint64_t)variant, draws, &o, sum, counts));
        MUST(cudaMemcpy(seen.data(), counts, n * sizeof *counts, cudaMemcpyDeviceToHost));
        double chi = 0.0;
        uint64_t drawn = 0, cells = 0, expected_sum = 0, got = 0;
        for (uint64_t i = 0; i < n; ++i) {
            const double expected = (double)draws * weights[i] / total;
            drawn += seen[i];
            expected_sum += i * seen[i];
            if (expected < 5.0) continue;
            chi += ((double)seen[i] - expected) * ((double)seen[i] - expected) / expected;
            ++cells;
        }
        MUST(cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost));
        const double z = (chi - (double)cells) / sqrt(2.0 * (double)cells);
        expect(drawn == draws, name + ": count", (double)drawn);
        expect((uint32_t)got == (uint32_t)expected_sum, name + ": sum", (double)got);
        expect(fabs(z) < 4.5, name + ": chi-square", z);
        worst = std::max(worst, fabs(z));
    }
    row("alias_draws_" + std::to_string(n) + "_chi_square", worst,
        "largest standardised statistic, all samplers", "bar", 4.5, 0.0);
    MUST(cudaFree(w));
    MUST(cudaFree(counts));
    MUST(cudaFree(sum));
    levy_alias_cuda_destroy(table);
}

static double draw_rate(levy_alias_cuda *table, uint64_t draws, const levy_alias_sample_options &o,
                        uint64_t *sum, int runs)
{
    uint64_t seed = 0;
    return (double)draws /
           median_ms(runs,
                     [&] { MUST(levy_alias_cuda_sum(table, ++seed, draws, &o, sum, nullptr)); }) *
           1e-6;
}

/* Times every sampler with its settings. Rows are the best of each, and what AUTO takes beside
 * KIT's best. */
static void time_draws(const char *size, uint64_t n)
{
    const uint64_t draws = 1000000000;
    levy_alias_cuda *table;
    double *const w = device_new<double>(n);
    uint64_t *const sum = device_new<uint64_t>(1);
    MUST(levy_alias_cuda_create(n, &table));
    fill(w, n, POWERLAW);
    build(table, w, n, nullptr);
    const std::string name = std::string("alias_sample_") + size;
    const double own = draw_rate(table, draws, {}, sum, 5);
    kit_row(name, own, "G draws/s", false, name);
    for (int wide = 0; wide < 2; ++wide)
        for (int sampler = LEVY_ALIAS_SAMPLE_DIRECT; sampler <= LEVY_ALIAS_SAMPLE_SHARED;
             ++sampler) {
            double best = 0.0;
            std::string how;
            for (uint32_t threads = 256; threads <= 1024; threads *= 2)
                /* the setting: blocks, or rows of a section */
                for (uint32_t setting = 0; setting < 4; ++setting) {
                    if (sampler == LEVY_ALIAS_SAMPLE_SHARED && setting > 1) continue;
                    levy_alias_sample_options o = {
                        (levy_alias_sampler)sampler, LEVY_ALIAS_MWC, wide, 0, threads, 0};
                    if (sampler == LEVY_ALIAS_SAMPLE_DIRECT)
                        o.blocks_per_processor = 2048 / threads >> (setting % 2);
                    if (sampler == LEVY_ALIAS_SAMPLE_CACHED || sampler == LEVY_ALIAS_SAMPLE_LIMITED)
                        o.section_rows = 2048u << setting;
                    if (sampler == LEVY_ALIAS_SAMPLE_SHARED)
                        o.section_rows = setting ? 14000u >> wide : 0;
                    if (sampler == LEVY_ALIAS_SAMPLE_DIRECT && setting > 1) continue;
                    if (n / 2048 > 40000 && sampler != LEVY_ALIAS_SAMPLE_SHARED &&
                        (setting == 0 || threads < 1024))
                        continue;
                    const double rate = draw_rate(table, draws, o, sum, 1);
                    if (rate <= best) continue;
                    best = rate;
                    how = std::to_string(threads) + "x" + std::to_string(o.blocks_per_processor) +
                          "_rows" + std::to_string(o.section_rows);
                }
            kit_row(name + "_" + sampler_names[sampler] + (wide ? "_wide_" : "_short_") + how, best,
                    "G draws/s", false, name);
        }
    for (int generator = LEVY_ALIAS_XORWOW; generator <= LEVY_ALIAS_PHILOX; ++generator) {
        const double rate = draw_rate(
            table, draws, {LEVY_ALIAS_SAMPLE_AUTO, (levy_alias_generator)generator, 0, 0, 0, 0},
            sum, 3);
        kit_row(name + "_" + generator_names[generator], rate, "G draws/s", false, name);
    }
    for (uint64_t few = 100000; few <= 100000000; few *= 10) /* shows where AUTO's choice changes */
        for (int sampler = LEVY_ALIAS_SAMPLE_DIRECT; sampler <= LEVY_ALIAS_SAMPLE_SHARED;
             sampler += 3) {
            const double rate = draw_rate(
                table, few, {(levy_alias_sampler)sampler, LEVY_ALIAS_MWC, 0, 0, 0, 0}, sum, 3);
            const bool chosen = levy_alias_cuda_choose(n, few, 0) == sampler;
            row(name + "_" + std::to_string(few) + "_" + sampler_names[sampler], rate, "G draws/s",
                chosen ? "AUTO takes it" : "", 0.0, 0.0);
        }
    if (n == 1000000) time_peers(size, n, own);
    MUST(cudaFree(w));
    MUST(cudaFree(sum));
    levy_alias_cuda_destroy(table);
}

int main(int count, char **arguments)
{
    const std::string what = count > 1 ? arguments[1] : "all";
    check_builds<double>(1, UNIFORM, SHAPES - 1, VARIANTS);
    check_builds<double>(5000, UNIFORM, SHAPES - 1, VARIANTS);
    check_builds<float>(70001, UNIFORM, what == "check" ? POWERLAW : SHAPES - 1, VARIANTS);
    check_draws(1000, what == "check" ? 200000 : 10000000);
    if (what != "check") {
        if (count > 2) kit_read(arguments[2]);
        check_draws(100000, 100000000);
        check_builds<double>(10000000, UNIFORM, POWERLAW, VARIANTS);
        check_builds<double>(100000000, UNIFORM, TWO_VALUES, 1);
        time_builds(10000000, "1e7", VARIANTS);
        time_builds(100000000, "1e8", VARIANTS);
        static const char *const sizes[] = {"1e3", "1e4", "1e5", "1e6", "1e7", "1e8"};
        uint64_t n = 1000;
        for (int k = 0; k < 6; ++k, n *= 10) time_draws(sizes[k], n);
    }
    printf("]\n");
    fprintf(stderr, "%d checks failed\n", failures);
    return failures != 0;
}
