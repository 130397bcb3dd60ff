/* run.c: see run.h. Batches grow until they take about 20 ms, so that progress and cancellation
 * stay prompt, or 0.1 s on several GPUs, which also stop within a batch, and shrink where they take
 * longer, to one wave of the backend: less of a GPU or of the threads would be at work, for as
 * long. Where a batch ends never changes a sum. */
#include "engine/run/run.h"

#include "engine/base/clock.h"
#include "engine/run/run_tree.h"

#include <stdio.h>
#include <string.h>

/* A batch is merged by its backend if it has blocks for so many branches of such a height: fewer
 * blocks are merged here while a GPU would get ready. */
enum { RUN_BRANCHES = 16, RUN_LEAST_HEIGHT = 5 };
/* Several GPUs wait for each other at the end of a batch, so that theirs take longer. */
static const double run_batch_seconds = 0.02, run_batch_together = 0.1;

typedef struct run_job {
    const levy_backend *backend;
    void *state;
    const levy_image *image;
    const levy_run_options *options;
    levy_block_sum *sums; /* [batch][output of the tile] */
    void *levels;         /* of a batch, that are recorded; NULL: none */
    uint64_t batch, batch_room;
    uint64_t wave;        /* blocks that the backend does side by side */
    double batch_seconds; /* that a batch should take */
    uint32_t most_height;
    run_tree *trees; /* [output of the tile] */
    levy_cancel cancel;
    levy_run_times *times;
    levy_supply *supply; /* NULL: the paths make their own numbers */
    char *why;
} run_job;

/* Paths of n consecutive blocks of a replicate. */
static double run_paths(const levy_image *image, uint64_t block, uint64_t n)
{
    const uint64_t start = (block % image->blocks) * LEVY_BLOCK_PATHS, left = image->paths - start;
    return left < n * LEVY_BLOCK_PATHS ? (double)left : (double)(n * LEVY_BLOCK_PATHS);
}

/* After 2^k blocks, one level of the counter holds what a run of that size would give. */
static void run_keep_power(const run_job *job, uint64_t replicate, uint32_t output,
                           const run_tree *tree)
{
    const levy_run_options *const options = job->options;
    const size_t power = (size_t)__builtin_ctzll(tree->count);
    if (!options->powers || (tree->count & (tree->count - 1)) || power >= options->n_powers) return;
    const size_t row =
        options->slice ? output : (size_t)output * job->image->n_replicates + replicate;
    options->powers[row * options->n_powers + power] = tree->level[power];
}

/* The number of blocks that a tile simulates, over all replicates. Probes see only a few. */
static uint64_t run_total(const levy_image *image, const levy_tile *tile)
{
    const levy_image_output *const outputs = LEVY_IMAGE_AT(levy_image_output, image, outputs);
    return outputs[tile->first_output].probe ? levy_probe_blocks(image)
                                             : image->blocks * image->n_replicates;
}

/* The first block that a tile simulates, and the one behind its last. */
static uint64_t run_begin(const run_job *job)
{
    const levy_run_slice *const slice = job->options->slice;
    return slice ? slice->replicate * job->image->blocks + slice->first_block : 0;
}

static uint64_t run_end(const run_job *job, const levy_tile *tile)
{
    const levy_run_slice *const slice = job->options->slice;
    const levy_image_output *const outputs = LEVY_IMAGE_AT(levy_image_output, job->image, outputs);
    const bool none = job->options->no_probes && outputs[tile->first_output].probe;
    const uint64_t total = none ? 0 : run_total(job->image, tile);
    if (!slice) return total;
    const uint64_t end = slice->replicate * job->image->blocks + slice->end_block;
    return end < total ? end : total;
}

/* Where the sum of an output of a replicate goes. */
static tree_sum *run_place(const run_job *job, uint32_t output, uint64_t replicate, tree_sum *sums)
{
    return job->options->slice ? &sums[output]
                               : &sums[(uint64_t)output * job->image->n_replicates + replicate];
}

/* The blocks of a batch's branch that starts with `block`. */
static uint64_t run_branch(const levy_image *image, const levy_batch *batch, uint64_t block)
{
    const uint64_t whole = (uint64_t)1 << batch->height,
                   replicate = image->blocks - block % image->blocks,
                   left = batch->first_block + batch->n_blocks - block,
                   most = replicate < left ? replicate : left;
    return whole < most ? whole : most;
}

/* Adds a branch's sums to their trees; after the last one of a replicate, stores the totals. An
 * output's constant is added to every block, here or by who merged the blocks, so that all sums
 * hold it, also known ones and those of a journal. */
static void run_add(run_job *job, const levy_batch *batch, uint64_t block, uint64_t n,
                    const levy_block_sum *branch, tree_sum *sums)
{
    const levy_image *const image = job->image;
    const levy_tile *const tile = &batch->tile;
    const levy_image_output *const outputs =
        LEVY_IMAGE_AT(levy_image_output, image, outputs) + tile->first_output;
    const double paths = run_paths(image, block, n);
    const uint64_t replicate = block / image->blocks, end = block + n;
    const bool whole = n == (uint64_t)1 << batch->height,
               last = end % image->blocks == 0 || end == run_end(job, tile);
    for (uint32_t o = 0; o < tile->n_outputs; ++o) {
        tree_sum sum = {paths, branch[o].mean, branch[o].m2};
        if (batch->height == 0) sum.mean = sum.mean + outputs[o].constant;
        if (whole) run_tree_add(&job->trees[o], sum, batch->height);
        if (whole) run_keep_power(job, replicate, tile->first_output + o, &job->trees[o]);
        if (!last) continue;
        *run_place(job, tile->first_output + o, replicate, sums) =
            run_tree_total(&job->trees[o], whole ? (tree_sum){0.0, 0.0, 0.0} : sum);
        job->trees[o].count = 0;
    }
}

static void run_merge(run_job *job, const levy_batch *batch, tree_sum *sums)
{
    const levy_block_sum *branch = job->sums;
    const uint64_t end = batch->first_block + batch->n_blocks;
    for (uint64_t block = batch->first_block; block < end; branch += batch->tile.n_outputs) {
        const uint64_t n = run_branch(job->image, batch, block);
        run_add(job, batch, block, n, branch, sums);
        block += n;
    }
}

/* Starts a replicate with the sums of its known blocks. */
static void run_recall(run_job *job, const levy_tile *tile, uint64_t replicate)
{
    const levy_run_options *const options = job->options;
    for (uint32_t o = 0; o < tile->n_outputs; ++o) {
        job->trees[o].count = options->known_blocks;
        job->trees[o].level[__builtin_ctzll(options->known_blocks)] =
            options
                ->known[(uint64_t)(tile->first_output + o) * job->image->n_replicates + replicate];
    }
}

/* The number of blocks from `at` on that one batch may take. If some blocks are known, each
 * replicate starts after its known ones, and a batch ends with the replicate. */
static uint64_t run_ahead(run_job *job, const levy_tile *tile, uint64_t *at)
{
    const uint64_t total = run_end(job, tile), known = job->options->known_blocks;
    const bool whole = total >= job->image->blocks; /* probes may have less than a replicate */
    if (known > 0 && whole && *at % job->image->blocks == 0) {
        run_recall(job, tile, *at / job->image->blocks);
        *at += known;
    }
    const uint64_t replicate = job->image->blocks - *at % job->image->blocks;
    if ((known > 0 || job->supply) && whole) return replicate;
    return total - *at;
}

/* The blocks of the next batch, of those ahead. */
static uint64_t run_next(const run_job *job, uint64_t ahead)
{
    uint64_t n = job->batch;
    if (job->supply && levy_supply_blocks(job->supply) < n) n = levy_supply_blocks(job->supply);
    return ahead < n ? ahead : n;
}

/* Chooses the height of the branches that the backend merges, and cuts the batch to whole ones. If
 * powers are wanted, every block is seen here. */
static void run_set_height(const run_job *job, levy_batch *batch)
{
    const levy_image *const image = job->image;
    const uint64_t position = batch->first_block % image->blocks,
                   end = batch->first_block + batch->n_blocks,
                   cut = end == run_end(job, &batch->tile) ? 0 : end % image->blocks;
    uint32_t height = 0;
    while (height < job->most_height && batch->n_blocks >> (height + 1) >= RUN_BRANCHES &&
           !(position >> height & 1))
        ++height;
    if (job->options->powers || job->options->record || job->options->keeps ||
        height < RUN_LEAST_HEIGHT)
        return;
    batch->height = height;
    batch->n_blocks -= cut & (((uint64_t)1 << height) - 1);
}

tree_sum levy_run_join(const levy_image *image, uint32_t output, const levy_run_slice *slices,
                       size_t n_slices, const tree_sum *sums, size_t step)
{
    const bool probe = LEVY_IMAGE_AT(levy_image_output, image, outputs)[output].probe != 0;
    const uint64_t seen = probe ? levy_probe_blocks(image) : image->blocks;
    run_tree tree = {.count = 0};
    tree_sum rest = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < n_slices; ++i) {
        const uint64_t end = slices[i].end_block < seen ? slices[i].end_block : seen;
        if (sums[i * step].n == 0.0) continue;
        if (end - slices[i].first_block == (uint64_t)1 << slices[i].height)
            run_tree_add(&tree, sums[i * step], slices[i].height);
        else
            rest = sums[i * step];
    }
    return run_tree_total(&tree, rest);
}

/* Half a batch, in whole waves. */
static uint64_t run_half(const run_job *job)
{
    const uint64_t half = job->batch / 2 / job->wave * job->wave;
    return half > 0 ? half : job->wave;
}

static void run_grow(run_job *job, double seconds)
{
    if (job->options->batch_blocks) return;
    if (seconds < 0.5 * job->batch_seconds) job->batch *= 2;
    if (seconds > 2.0 * job->batch_seconds && job->batch > job->wave) job->batch = run_half(job);
    if (job->batch > job->batch_room) job->batch = job->batch_room;
}

/* Reports no new blocks, but lets the caller say that the run shall stop. */
static int run_tick(void *user)
{
    const levy_run_options *const options = user;
    return options->progress ? options->progress(options->user, 0) : 0;
}

static levy_status run_tile(run_job *job, const levy_tile *tile, tree_sum *sums)
{
    const uint64_t total = run_end(job, tile);
    const uint32_t replicates = job->options->slice ? 1 : job->image->n_replicates;
    memset(job->trees, 0, tile->n_outputs * sizeof *job->trees);
    memset(sums + (size_t)tile->first_output * replicates, 0,
           (size_t)tile->n_outputs * replicates * sizeof *sums);
    for (uint64_t at = run_begin(job); at < total;) {
        const uint64_t ahead = run_ahead(job, tile, &at);
        levy_batch batch = {.tile = *tile,
                            .first_block = at,
                            .n_blocks = run_next(job, ahead),
                            .record = job->levels,
                            .keeps = job->options->keeps};
        double device = 0.0;
        const double start = levy_clock_now();
        run_set_height(job, &batch);
        if (job->supply) LEVY_TRY(levy_supply_batch(job->supply, &batch, job->why));
        LEVY_TRY(
            job->backend->simulate(job->state, &batch, &job->cancel, job->sums, &device, job->why));
        run_merge(job, &batch, sums);
        if (job->levels)
            job->options->record(job->options->record_user, at, batch.n_blocks, job->levels);
        at += batch.n_blocks;
        job->times->device_seconds += device;
        if (job->options->progress && job->options->progress(job->options->user, batch.n_blocks))
            return LEVY_CANCELLED;
        run_grow(job, levy_clock_now() - start);
    }
    return LEVY_OK;
}

/* Room for a batch of so many blocks. */
static bool run_take(const levy_memory *memory, run_job *job, size_t row, size_t levels)
{
    job->sums = levy_memory_allocate(memory, job->batch_room, row);
    if (job->sums && levels) job->levels = levy_memory_allocate(memory, job->batch_room, levels);
    if (job->sums && (job->levels || !levels)) return true;
    levy_memory_release(memory, job->sums);
    job->sums = NULL;
    return false;
}

/* Allocates the sums of the largest batch, and levels that are recorded, 64 MiB at most: of levels
 * a wave, or what a cache holds until they are taken. If there is no memory, it tries half as much,
 * down to one block. */
static levy_status run_reserve(const levy_memory *memory, run_job *job, uint32_t outputs)
{
    const size_t row = outputs * sizeof *job->sums,
                 levels = job->options->record ? levy_record_bytes(job->image) : 0;
    const uint64_t total = job->image->blocks * job->image->n_replicates,
                   cached = ((uint64_t)4 << 20) / (row + levels),
                   wave = cached > job->wave ? cached : job->wave;
    uint64_t most = ((uint64_t)64 << 20) / (row + levels);
    if (levels > 0 && wave < most) most = wave;
    job->batch_room = most < total ? most : total;
    if (most < 1) job->batch_room = 1;
    job->trees = levy_memory_allocate(memory, outputs, sizeof *job->trees);
    if (!job->trees) return LEVY_MEMORY;
    while (!run_take(memory, job, row, levels) && job->batch_room > 1) job->batch_room /= 2;
    if (job->batch > job->batch_room) job->batch = job->batch_room;
    return job->sums ? LEVY_OK : LEVY_MEMORY;
}

static levy_status run_tiles(const levy_memory *memory, run_job *job, const levy_tile *tiles,
                             size_t n_tiles, tree_sum *sums)
{
    uint32_t outputs = 0;
    for (size_t i = 0; i < n_tiles; ++i)
        outputs = tiles[i].n_outputs > outputs ? tiles[i].n_outputs : outputs;
    levy_status status = run_reserve(memory, job, outputs);
    for (size_t i = 0; i < n_tiles && status == LEVY_OK; ++i)
        status = run_tile(job, &tiles[i], sums);
    levy_memory_release(memory, job->sums);
    levy_memory_release(memory, job->levels);
    levy_memory_release(memory, job->trees);
    return status;
}

/* The plan's tiles on a backend; the caller releases them. NULL: no memory. */
static levy_tile *run_cut(const levy_memory *memory, const levy_plan *plan,
                          const levy_backend_info *info, size_t *n)
{
    levy_tile *const tiles = levy_memory_allocate(memory, plan->image->n_outputs, sizeof *tiles);
    if (tiles) *n = levy_plan_tiles(plan->image, &info->tiles, tiles);
    return tiles;
}

uint64_t levy_run_blocks(const levy_plan *plan, const levy_backend_info *info)
{
    const levy_memory *const memory = plan->arena.memory;
    size_t n = 0;
    levy_tile *const tiles = run_cut(memory, plan, info, &n);
    uint64_t total = 0;
    for (size_t i = 0; i < n; ++i) total += run_total(plan->image, &tiles[i]);
    levy_memory_release(memory, tiles);
    return total;
}

levy_status levy_run_foresee(const levy_plan *plan, const levy_backend *backend, void *state,
                             const levy_backend_info *info)
{
    const levy_memory *const memory = plan->arena.memory;
    size_t n = 0;
    levy_tile *const tiles = run_cut(memory, plan, info, &n);
    const levy_status status = tiles ? backend->foresee(state, plan->image, tiles, n) : LEVY_MEMORY;
    levy_memory_release(memory, tiles);
    return status;
}

/* Blocks of the first batch: with few paths in each, more of them are as much work. */
static uint64_t run_first_batch(const levy_image *image, const levy_run_options *options,
                                const levy_backend_info *info)
{
    if (options->batch_blocks) return options->batch_blocks;
    return image->paths < LEVY_BLOCK_PATHS ? info->batch_blocks * LEVY_BLOCK_PATHS / image->paths
                                           : info->batch_blocks;
}

static levy_status run_once(const levy_memory *memory, const levy_backend *backend, void *state,
                            const levy_plan *plan, const levy_run_options *options, tree_sum *sums,
                            levy_run_times *times, char *why)
{
    levy_backend_info info;
    const double start = levy_clock_now();
    why[0] = '\0';
    backend->describe(state, &info);
    size_t n_tiles = 0;
    levy_tile *const tiles = run_cut(memory, plan, &info, &n_tiles);
    if (!tiles) return LEVY_MEMORY;
    if (options->record || options->keeps) n_tiles = 1;
    *times = (levy_run_times){0.0, 0.0};
    run_job job = {.backend = backend,
                   .state = state,
                   .image = plan->image,
                   .options = options,
                   .times = times,
                   .why = why,
                   .batch = run_first_batch(plan->image, options, &info),
                   .cancel = {options->stop, options->user, run_tick, (void *)(uintptr_t)options}};
    if (backend->watch) backend->watch(state, &job.cancel);
    levy_status status = backend->load(state, plan->image, tiles, n_tiles, why);
    if (backend->watch) backend->watch(state, NULL);
    if (status == LEVY_OK) {
        backend->describe(state, &info);
        job.wave = info.wave_blocks > 0 ? info.wave_blocks : 1;
        job.most_height = info.most_height;
        job.batch_seconds = info.together > 1 ? run_batch_together : run_batch_seconds;
        if (levy_given_size(plan->image))
            status = levy_supply_open(memory, plan, &options->normals, backend, state, &info,
                                      &job.supply, why);
        if (status == LEVY_OK) status = run_tiles(memory, &job, tiles, n_tiles, sums);
        levy_supply_close(job.supply);
        backend->unload(state);
    }
    levy_memory_release(memory, tiles);
    times->seconds = levy_clock_now() - start;
    return status;
}

static int run_within_progress(void *user, uint64_t done)
{
    const levy_run_options *const outer = user;
    (void)done;
    return outer->progress ? outer->progress(outer->user, 0) : 0;
}

static int run_within_stop(void *user)
{
    const levy_run_options *const outer = user;
    return outer->stop(outer->user);
}

levy_run_options levy_run_within(const levy_run_options *outer)
{
    return (levy_run_options){.batch_blocks = outer->batch_blocks,
                              .progress = run_within_progress,
                              .stop = outer->stop ? run_within_stop : NULL,
                              .user = (void *)(uintptr_t)outer};
}

levy_status levy_run_plan(const levy_memory *memory, const levy_backend *backend, void *state,
                          const levy_plan *plan, const levy_run_options *options, tree_sum *sums,
                          levy_run_times *times, char *why)
{
    levy_status status;
    if (plan->group->fits && !plan->fit) {
        snprintf(why, LEVY_REASON_SIZE, "a plan is run before its trades are fitted");
        return LEVY_INTERNAL;
    }
    do status = run_once(memory, backend, state, plan, options, sums, times, why);
    while (status != LEVY_OK && backend->again && backend->again(state, status, why));
    return status;
}
