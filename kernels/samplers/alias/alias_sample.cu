/* alias_sample.cu: which sampler, its sections and its grid, see alias_cuda.h. */
#if !defined(LEVY_ALIAS_HOST)
#include <cuda_runtime.h>
#endif

#include "kernels/samplers/alias/alias_cuda_table.cuh"
#include "kernels/samplers/alias/alias_draw.cuh"

enum {
    SAMPLE_SHARED_BYTES = 224 << 10, /* of a multiprocessor's 227 KiB for one block */
    SAMPLE_CACHED_BYTES = 96 << 10,  /* of its L1 cache */
    /* unused shared memory that keeps a second block away, and leaves L1 the rest */
    SAMPLE_LIMIT_BYTES = 116 << 10,
    SAMPLE_SECTIONS = 1 << 20
};

/* Draws per second from a table of so many bytes, roughly those of one H200. */
static double sample_direct_rate(double bytes)
{
    if (bytes <= 128e3) return 600e9;
    if (bytes <= 40e6) return 160e9;
    return bytes <= 400e6 ? 67e9 : 41e9;
}

levy_alias_sampler levy_alias_cuda_choose(uint64_t rows, uint64_t draws, int wide)
{
    const double bytes = (double)rows * (wide ? 16.0 : 8.0);
    const double copies = bytes < 30e6 ? 30e6 : bytes;
    const double direct = (double)draws / sample_direct_rate(bytes);
    const double shared = 10e-6 + copies / 3.5e12 + (double)draws / (wide ? 600e9 : 900e9);
    return shared < direct ? LEVY_ALIAS_SAMPLE_SHARED : LEVY_ALIAS_SAMPLE_DIRECT;
}

/* How many blocks share a section. The sections' blocks together should fill whole rounds of the
 * multiprocessors. */
static uint32_t sample_replicas(uint64_t sections, uint64_t slots, uint64_t draws_each)
{
    uint32_t best = 1;
    double best_use = 0.0;
    for (uint32_t r = 1; r <= 2 * slots; ++r) {
        const uint64_t units = sections * r, rounds = (units + slots - 1) / slots;
        /* each round costs a copy of a section */
        const double use = (double)units / (double)(rounds * slots) - 0.01 * (double)rounds;
        if (r > 1 && (rounds > 8 || draws_each / r < 65536)) break;
        if (use > best_use + 1e-9) {
            best_use = use;
            best = r;
        }
    }
    return best;
}

template <class Draw, class Generator, bool COUNT>
static levy_status sample_sections(levy_alias_cuda *t, alias_draw_job<typename Draw::row> job,
                                   const levy_alias_sample_options &o)
{
    const bool shared = o.sampler == LEVY_ALIAS_SAMPLE_SHARED;
    const uint64_t size = sizeof(typename Draw::row),
                   fit = (shared ? (uint64_t)SAMPLE_SHARED_BYTES : (uint64_t)SAMPLE_CACHED_BYTES) /
                         size;
    uint64_t rows = o.section_rows ? o.section_rows : fit;
    if (shared && rows > fit) rows = fit;
    job.sections = (uint32_t)((job.n + rows - 1) / rows);
    if (job.sections > SAMPLE_SECTIONS) return LEVY_ARGUMENT;
    rows = (job.n + job.sections - 1) / job.sections; /* sections of equal size */
    job.section_rows = (uint32_t)rows;
    const uint64_t bytes = shared                                   ? rows * size
                           : o.sampler == LEVY_ALIAS_SAMPLE_LIMITED ? (uint64_t)SAMPLE_LIMIT_BYTES
                                                                    : 0;
    const uint32_t fitting =
        /* two blocks of 1,024 threads fit */
        bytes ? (uint32_t)((uint64_t)SAMPLE_SHARED_BYTES / bytes) : 2;
    const uint32_t together = o.blocks_per_processor ? o.blocks_per_processor
                              : fitting > 2          ? 2
                                                     : fitting;
    const uint64_t slots = (uint64_t)t->processors * together;
    job.replicas = sample_replicas(job.sections, slots, job.draws / job.sections);
    if (!t->section_draws)
        ALIAS_CUDA(
            t, cudaMalloc((void **)&t->section_draws, SAMPLE_SECTIONS * sizeof *t->section_draws));
    LEVY_TRY(alias_launch(t, alias_section_draws, (job.sections + 127) / 128, 128, 0, job.n,
                          job.sections, rows, job.seed, job.draws, t->section_draws));
    job.section_draws = t->section_draws;
    const uint64_t units = (uint64_t)job.sections * job.replicas,
                   blocks = units < slots ? units : slots;
    const unsigned threads = o.threads ? o.threads : 1024;
    if (shared)
        return alias_launch(t, alias_draw_sections<Draw, Generator, true, COUNT>, blocks, threads,
                            bytes, job);
    return alias_launch(t, alias_draw_sections<Draw, Generator, false, COUNT>, units, threads,
                        bytes, job);
}

template <class Draw, class Generator, bool COUNT>
static levy_status sample_by(levy_alias_cuda *t, alias_draw_job<typename Draw::row> job,
                             const levy_alias_sample_options &o)
{
    if (o.sampler != LEVY_ALIAS_SAMPLE_DIRECT)
        return sample_sections<Draw, Generator, COUNT>(t, job, o);
    const unsigned threads = o.threads ? o.threads : 512;
    const uint64_t most = (uint64_t)t->processors *
                          (o.blocks_per_processor ? o.blocks_per_processor : 4),
                   each = (job.draws + threads - 1) / threads;
    return alias_launch(t, alias_draw_direct<Draw, Generator, COUNT>, each < most ? each : most,
                        threads, 0, job);
}

template <class Draw, bool COUNT>
static levy_status sample_with(levy_alias_cuda *t, const alias_draw_job<typename Draw::row> &job,
                               const levy_alias_sample_options &o)
{
    switch (o.generator) {
    case LEVY_ALIAS_XORWOW:
        return sample_by<Draw, generator_xorwow, COUNT>(t, job, o);
    case LEVY_ALIAS_PHILOX:
        return sample_by<Draw, generator_philox, COUNT>(t, job, o);
    case LEVY_ALIAS_MWC:
        break;
    }
    return sample_by<Draw, generator_mwc, COUNT>(t, job, o);
}

template <class Draw>
static levy_status sample_from(levy_alias_cuda *t, const typename Draw::row *rows, uint64_t seed,
                               uint64_t draws, const levy_alias_sample_options &o, uint64_t *sum,
                               uint32_t *counts)
{
    alias_draw_job<typename Draw::row> job;
    memset(&job, 0, sizeof job);
    job.rows = rows;
    job.n = t->count;
    job.share = t->scale.share;
    job.seed = seed;
    job.draws = draws;
    job.sum = (unsigned long long *)sum;
    job.counts = counts;
    return counts ? sample_with<Draw, true>(t, job, o) : sample_with<Draw, false>(t, job, o);
}

levy_status levy_alias_cuda_sum(levy_alias_cuda *t, uint64_t seed, uint64_t draws,
                                const levy_alias_sample_options *options, uint64_t *sum,
                                uint32_t *counts)
{
    levy_alias_sample_options o = options ? *options : levy_alias_sample_options();
    if (t->count == 0 || draws == 0) return LEVY_ARGUMENT;
    if (o.sampler == LEVY_ALIAS_SAMPLE_AUTO)
        o.sampler = levy_alias_cuda_choose(t->count, draws, o.wide);
    if (o.wide) return sample_from<draw_wide>(t, t->rows, seed, draws, o, sum, counts);
    const levy_alias_short_row *rows;
    LEVY_TRY(levy_alias_cuda_shorten(t, &rows));
    return sample_from<draw_short>(t, rows, seed, draws, o, sum, counts);
}
