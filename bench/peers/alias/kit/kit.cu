/* kit.cu: alias tables by the code of H.-P. Lehmann, L. Huebschle-Schneider and P. Sanders,
 * Weighted Random Sampling on GPUs, arXiv:2106.12270 (alias-table-gpu), timed by its own timers on
 * the GPU of the run. That code is in a folder of the user's: build.sh compiles it with this file
 * in place of its main. Prints lines of a row's name and a figure, the best of all variants:
 *     alias_build_1e7_uniform MILLISECONDS        alias_sample_1e6 GIGADRAWS_A_SECOND
 * Usage: kit_alias > FIGURES */
#include <construction/aliasTable/buildMethod/AliasTableSplitGpu.cuh>
#include <sampling/aliasTable/SamplerGpuBasic.cuh>
#include <sampling/aliasTable/SamplerGpuSectioned.cuh>
#include <sampling/aliasTable/SamplerGpuSectionedShared.cuh>

#include <algorithm>
#include <cstdio>
#include <vector>

using kit_table = AliasTableSplitGpu<ArrayOfStructs>;

static std::vector<Variant> kit_variants()
{
    std::vector<Variant> all;
    for (int plus = 0; plus < 2; ++plus) {
        all.emplace_back(splitVariantParySearch, packVariantBasic, true);
        all.back().setPsaPlusIfSupported(plus);
        all.emplace_back(splitVariantParySearch, packVariantChunkedShared, false);
        all.back().setPsaPlusIfSupported(plus);
    }
    return all;
}

static double kit_build(kit_table &table, int builds)
{
    Timer timer;
    table.preBuild();
    table.build();
    timer.start();
    for (int i = 0; i < builds; ++i) table.build();
    timer.stop();
    table.postBuild();
    return timer.elapsedMillis() / builds;
}

static void kit_builds(int n, const char *size, WeightDistribution weights, const char *shape)
{
    double best = 0.0;
    for (const Variant &variant : kit_variants()) {
        kit_table table(n, variant, NUMBER_THREADS_AUTO, weights);
        const double ms = kit_build(table, 20);
        if (best == 0.0 || ms < best) best = ms;
    }
    std::printf("alias_build_%s_%s %.6g\n", size, shape, best);
}

static double kit_best(Sampler &sampler, int draws)
{
    double best = 0.0;
    for (int i = 0; i < 3; ++i) best = std::max(best, sampler.benchmarkSampling(draws));
    return best;
}

static void kit_draws(int n, const char *size)
{
    const int draws = 1000000000;
    kit_table table(n, Variant(splitVariantParySearch, packVariantBasic, true), NUMBER_THREADS_AUTO,
                    weightDistributionPowerLaw1Shuffled);
    table.fullBuild();
    SamplerGpuBasic<ArrayOfStructs> basic(table);
    double best = kit_best(basic, draws);
    for (int limited = 0; limited < 2; ++limited) {
        for (int rows : {SECTION_SIZE_AUTO, 2000, 6000}) {
            if (rows > n) continue;
            SamplerGpuSectioned<ArrayOfStructs> cached(table, rows, limited);
            best = std::max(best, kit_best(cached, draws));
            if (rows == 6000) continue; /* more than a block's shared memory at 16 bytes a row */
            SamplerGpuSectionedShared shared(table, rows, limited);
            best = std::max(best, kit_best(shared, draws));
        }
    }
    std::printf("alias_sample_%s %.6g\n", size, best);
}

int main()
{
    static const char *const sizes[] = {"1e3", "1e4", "1e5", "1e6", "1e7", "1e8"};
    int n = 1000;
    for (const char *size : sizes) {
        if (n >= 10000000) {
            kit_builds(n, size, weightDistributionUniform, "uniform");
            kit_builds(n, size, weightDistributionPowerLaw1Shuffled, "powerlaw");
        }
        kit_draws(n, size);
        if (n < 100000000) n *= 10;
    }
    return 0;
}
