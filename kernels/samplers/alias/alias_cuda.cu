/* alias_cuda.cu: building on the GPU, see alias_cuda.h. The sum comes back to the host, which makes
 * the scale by the CPU's own function; everything after it runs without the host but for FRONT_CUB.
 */
#if !defined(LEVY_ALIAS_HOST)
#include <cuda_runtime.h>
#endif

#include "kernels/samplers/alias/alias_cuda_table.cuh"
#if !defined(LEVY_ALIAS_HOST)
#include "kernels/samplers/alias/alias_cub.cuh"
#endif
#include "kernels/samplers/alias/alias_chain.cuh"
#include "kernels/samplers/alias/alias_greedy.cuh"
#include "kernels/samplers/alias/alias_merge.cuh"
#include "kernels/samplers/alias/alias_sums.cuh"
#include "kernels/samplers/alias/alias_tile.cuh"

#include <cstdio>
#include <cstdlib>
#include <cstring>

/* blocks per multiprocessor of kernels whose threads stride over the items */
enum { CUDA_BLOCKS = 8 };
/* the most items with which a share has at least 65 bits of fraction */
static const uint64_t CUDA_LIMIT = ((uint64_t)1 << 30) - 1;

levy_status levy_alias_cuda_check(levy_alias_cuda *table, cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return LEVY_OK;
    snprintf(table->message, sizeof table->message, "%.100s: %s", what, cudaGetErrorString(error));
    return error == cudaErrorMemoryAllocation ? LEVY_MEMORY : LEVY_DEVICE;
}

const char *levy_alias_cuda_message(const levy_alias_cuda *table) { return table->message; }
const levy_alias_row *levy_alias_cuda_rows(const levy_alias_cuda *table) { return table->rows; }

levy_alias levy_alias_cuda_describe(const levy_alias_cuda *table)
{
    levy_alias a;
    memset(&a, 0, sizeof a);
    a.count = a.capacity = table->count;
    a.scale = table->scale;
    a.total = table->total;
    a.total_shift = table->total_shift;
    return a;
}

static uint64_t blocks_of(uint64_t n, uint64_t each) { return (n + each - 1) / each; }

static levy_status cuda_allocate(levy_alias_cuda *t, uint64_t n)
{
    int device;
    ALIAS_CUDA(t, cudaGetDevice(&device));
    ALIAS_CUDA(t, cudaDeviceGetAttribute(&t->processors, cudaDevAttrMultiProcessorCount, device));
    ALIAS_CUDA(t, cudaMalloc((void **)&t->rows, n * sizeof *t->rows));
    ALIAS_CUDA(t, cudaMalloc((void **)&t->short_rows, n * sizeof *t->short_rows));
    ALIAS_CUDA(t, cudaMalloc((void **)&t->entries, n * sizeof *t->entries));
    ALIAS_CUDA(t, cudaMalloc((void **)&t->splits,
                             (blocks_of(n, PACK_SHARED_STEPS) + 2) * sizeof *t->splits));
    ALIAS_CUDA(t, cudaMalloc((void **)&t->counts, 2 * sizeof *t->counts));
    ALIAS_CUDA(t,
               cudaMalloc((void **)&t->partials, blocks_of(n, ALIAS_CHUNK) * sizeof *t->partials));
    ALIAS_CUDA(t, cudaMalloc((void **)&t->result, sizeof *t->result));
    ALIAS_CUDA(t, cudaMalloc(&t->chain, alias_chain_size((uint32_t)blocks_of(n, ALIAS_TILE))));
    ALIAS_CUDA(t, cudaMallocHost((void **)&t->host_result, sizeof *t->host_result));
    return LEVY_OK;
}

levy_status levy_alias_cuda_create(uint64_t capacity, levy_alias_cuda **table)
{
    *table = nullptr;
    if (capacity == 0 || capacity > CUDA_LIMIT) return LEVY_ARGUMENT;
    levy_alias_cuda *const t = (levy_alias_cuda *)calloc(1, sizeof *t);
    if (!t) return LEVY_MEMORY;
    t->capacity = capacity;
    *table = t; /* also after a failure: it holds the message */
    return cuda_allocate(t, capacity);
}

void levy_alias_cuda_destroy(levy_alias_cuda *t)
{
    if (!t) return;
    void *const owned[] = {t->rows,   t->short_rows, t->entries,      t->items,
                           t->splits, t->counts,     t->partials,     t->result,
                           t->chain,  t->temporary,  t->section_draws};
    for (void *p : owned) cudaFree(p);
    cudaFreeHost(t->host_result);
    free(t);
}

/* ---- The sum --------------------------------------------------------------------------------- */

template <class W>
static levy_status cuda_sum_once(levy_alias_cuda *t, const W *weights, uint64_t n, double factor)
{
    const uint64_t chunks = blocks_of(n, ALIAS_CHUNK);
    ALIAS_CUDA(t, cudaMemsetAsync(t->result, 0xFF, sizeof *t->result, 0));
    LEVY_TRY(alias_launch(t, alias_sum_chunks<W>, chunks, ALIAS_COLUMNS, 0, weights, n, factor,
                          t->partials, t->result));
    LEVY_TRY(alias_launch(t, alias_sum_merge, 1, ALIAS_MERGE, 0, (const alias_pair *)t->partials,
                          chunks, t->result));
    ALIAS_CUDA(t, cudaMemcpyAsync(t->host_result, t->result, sizeof *t->result,
                                  cudaMemcpyDeviceToHost, 0));
    ALIAS_CUDA(t, cudaStreamSynchronize(0));
    return LEVY_OK;
}

static levy_status cuda_fault(levy_alias_cuda *t, uint64_t index, double value,
                              levy_alias_fault *fault)
{
    (void)t;
    fault->reason = value != value ? LEVY_ALIAS_NAN
                    : value < 0.0  ? LEVY_ALIAS_NEGATIVE
                                   : LEVY_ALIAS_INFINITE;
    fault->index = index;
    fault->value = value;
    return LEVY_INPUT;
}

template <class W>
static levy_status cuda_sum(levy_alias_cuda *t, const W *weights, uint64_t n,
                            levy_alias_fault *fault)
{
    t->total_shift = 0;
    LEVY_TRY(cuda_sum_once(t, weights, n, 1.0));
    if (t->host_result->first_bad < n) {
        W bad;
        ALIAS_CUDA(t, cudaMemcpy(&bad, weights + t->host_result->first_bad, sizeof bad,
                                 cudaMemcpyDeviceToHost));
        return cuda_fault(t, t->host_result->first_bad, (double)bad, fault);
    }
    /* finite weights have an infinite sum: it is taken again with weights times 2^-64 */
    if (!(t->host_result->sum.hi <= 1.7976931348623157e308)) {
        t->total_shift = -64;
        LEVY_TRY(cuda_sum_once(t, weights, n, 5.421010862427522e-20));
    }
    t->total = t->host_result->sum;
    if (t->total.hi > 0.0) return LEVY_OK;
    fault->reason = LEVY_ALIAS_ALL_ZERO;
    return LEVY_INPUT;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

template <class W>
static levy_status cuda_front(levy_alias_cuda *t, const W *weights, uint64_t n,
                              const levy_alias_cuda_options &o)
{
    alias_front_job job;
    job.scale = t->scale;
    job.fix = fix_scale_make(&t->scale, t->total, t->total_shift, n);
    job.n = n;
    job.tiles = (uint32_t)blocks_of(n, ALIAS_TILE);
    job.threshold = o.threshold ? o.threshold : 2;
    if (o.front == LEVY_ALIAS_FRONT_PARTITION) job.threshold = ~0u;
    job.rows = t->rows;
    job.entries = t->entries;
    job.counts = t->counts;
    const alias_chain chain = alias_chain_at(t->chain);
    if (o.front != LEVY_ALIAS_FRONT_TILE)
        return alias_launch(t, alias_front_greedy<W>, job.tiles, ALIAS_THREADS,
                            sizeof(greedy_memory), weights, job, chain);
    const auto tile = o.tile_blocks == 2   ? alias_front_tile<W, 2>
                      : o.tile_blocks == 3 ? alias_front_tile<W, 3>
                                           : alias_front_tile<W, 4>;
    return alias_launch(t, tile, job.tiles, ALIAS_THREADS, sizeof(tile_memory), weights, job,
                        chain);
}

/* CUB's scratch, at least `bytes`. */
static levy_status cuda_temporary(levy_alias_cuda *t, size_t bytes)
{
    if (bytes <= t->temporary_size) return LEVY_OK;
    cudaFree(t->temporary);
    t->temporary = nullptr;
    t->temporary_size = 0;
    ALIAS_CUDA(t, cudaMalloc(&t->temporary, bytes));
    t->temporary_size = bytes;
    return LEVY_OK;
}

template <class W>
static levy_status cuda_front_cub(levy_alias_cuda *t, const W *weights, uint64_t n,
                                  uint32_t *lights)
{
    size_t partition = 0, sums = 0;
    if (!t->items) ALIAS_CUDA(t, cudaMalloc((void **)&t->items, t->capacity * sizeof *t->items));
    ALIAS_CUDA(
        t, alias_cub_partition(nullptr, &partition, weights, n, t->scale, t->items, t->counts, 0));
    ALIAS_CUDA(
        t, alias_cub_sums(nullptr, &sums, weights, t->scale, false, t->items, n, t->entries, 0));
    LEVY_TRY(cuda_temporary(t, partition > sums ? partition : sums));
    ALIAS_CUDA(t, alias_cub_partition(t->temporary, &partition, weights, n, t->scale, t->items,
                                      t->counts, 0));
    ALIAS_CUDA(t, cudaMemcpy(lights, t->counts, sizeof *lights, cudaMemcpyDeviceToHost));
    const uint32_t heavies = (uint32_t)(n - *lights);
    ALIAS_CUDA(t, cudaMemcpy(t->counts + 1, &heavies, sizeof heavies, cudaMemcpyHostToDevice));
    size_t size = t->temporary_size;
    if (*lights > 0)
        ALIAS_CUDA(t, alias_cub_sums(t->temporary, &size, weights, t->scale, false, t->items,
                                     *lights, t->entries, 0));
    size = t->temporary_size;
    if (heavies > 0)
        ALIAS_CUDA(t, alias_cub_sums(t->temporary, &size, weights, t->scale, true,
                                     t->items + *lights, heavies, t->entries + *lights, 0));
    return LEVY_OK;
}

/* ---- Packing --------------------------------------------------------------------------------- */

template <int ROWS, class W>
static levy_status cuda_pack(levy_alias_cuda *t, alias_pack_job<W> job, uint64_t n,
                             const levy_alias_cuda_options &o)
{
    const uint64_t most = (uint64_t)t->processors * CUDA_BLOCKS;
    const bool shared = o.pack == LEVY_ALIAS_PACK_SHARED,
               chunked = o.pack == LEVY_ALIAS_PACK_CHUNKED;
    job.steps = o.pack == LEVY_ALIAS_PACK_MERGE ? (uint64_t)ALIAS_TILE
                : shared                        ? (uint64_t)PACK_SHARED_STEPS
                : o.steps                       ? o.steps
                : chunked                       ? 512
                                                : 64;
    /* there is no room for more splits */
    if (job.steps < PACK_SHARED_STEPS) job.steps = PACK_SHARED_STEPS;
    const uint64_t sections = blocks_of(n, job.steps),
                   splitters = blocks_of(sections + 1, ALIAS_THREADS);
    LEVY_TRY(alias_launch(
        t, o.split == LEVY_ALIAS_SPLIT_BINARY ? alias_split_binary : alias_split_partial,
        splitters < most ? splitters : most, ALIAS_THREADS, 0, job.lists, job.steps, t->splits));
    const uint64_t each = o.pack == LEVY_ALIAS_PACK_MERGE      ? 1
                          : o.pack == LEVY_ALIAS_PACK_BASELINE ? (uint64_t)ALIAS_THREADS
                                                               : (uint64_t)PACK_WORKERS;
    const uint64_t wanted = blocks_of(sections, each), blocks = wanted < most ? wanted : most;
    const bool numbers = o.numbers && o.front == LEVY_ALIAS_FRONT_CUB;
    if (o.pack == LEVY_ALIAS_PACK_MERGE)
        return alias_launch(t, alias_pack_merge<ROWS, W>, blocks, ALIAS_THREADS,
                            sizeof(merge_memory), job);
    if (chunked)
        return alias_launch(t, alias_pack_chunked<ROWS, W>, blocks, ALIAS_THREADS,
                            sizeof(pack_chunks), job);
    if (shared && numbers)
        return alias_launch(t, alias_pack_shared<ROWS, pack_numbers<W>, uint32_t, W>, blocks,
                            ALIAS_THREADS, sizeof(pack_copied<uint32_t>), job);
    if (shared)
        return alias_launch(t, alias_pack_shared<ROWS, pack_entries, alias_entry, W>, blocks,
                            ALIAS_THREADS, sizeof(pack_copied<alias_entry>), job);
    if (numbers)
        return alias_launch(t, alias_pack_baseline<ROWS, pack_numbers<W>, W>, blocks, ALIAS_THREADS,
                            0, job);
    return alias_launch(t, alias_pack_baseline<ROWS, pack_entries, W>, blocks, ALIAS_THREADS, 0,
                        job);
}

template <class W>
static levy_status cuda_build(levy_alias_cuda *t, const W *weights, uint64_t n,
                              const levy_alias_cuda_options &o, levy_alias_fault *fault)
{
    const uint32_t tiles = (uint32_t)blocks_of(n, ALIAS_TILE);
    LEVY_TRY(alias_launch(t, alias_chain_reset, blocks_of(tiles, 256), 256, 0,
                          alias_chain_at(t->chain), tiles));
    LEVY_TRY(cuda_sum(t, weights, n, fault));
    levy_alias_scale_set(&t->scale, t->total, t->total_shift, n);
    alias_pack_job<W> job;
    job.scale = t->scale;
    job.weights = weights;
    job.rows = t->rows;
    job.splits = t->splits;
    job.light_items = job.heavy_items = nullptr;
    job.lists = {t->entries, t->entries + (n - 1), -1, t->counts};
    t->count = n;
    if (o.front != LEVY_ALIAS_FRONT_CUB) {
        LEVY_TRY(cuda_front(t, weights, n, o));
        return cuda_pack<ROWS_LINK>(t, job, n, o);
    }
    uint32_t lights = 0;
    LEVY_TRY(cuda_front_cub(t, weights, n, &lights));
    job.lists = {t->entries, t->entries + lights, 1, t->counts};
    job.light_items = t->items;
    job.heavy_items = t->items + lights;
    return cuda_pack<ROWS_WRITE>(t, job, n, o);
}

levy_status levy_alias_cuda_build(levy_alias_cuda *t, const levy_alias_weights *weights,
                                  const levy_alias_cuda_options *options, levy_alias_fault *fault)
{
    const levy_alias_cuda_options o = options ? *options : levy_alias_cuda_options();
    const uint64_t n = weights->count;
    *fault = levy_alias_fault();
    t->count = 0;
    t->short_made = false;
    if (n == 0 || n > LEVY_ALIAS_LIMIT) {
        fault->reason = LEVY_ALIAS_COUNT;
        fault->index = n;
        return LEVY_INPUT;
    }
    if (n > t->capacity) return LEVY_ARGUMENT;
    return weights->doubles ? cuda_build(t, weights->doubles, n, o, fault)
                            : cuda_build(t, weights->singles, n, o, fault);
}

levy_status levy_alias_cuda_listed(levy_alias_cuda *t, uint32_t counts[2])
{
    ALIAS_CUDA(t, cudaMemcpy(counts, t->counts, 2 * sizeof *counts, cudaMemcpyDeviceToHost));
    return LEVY_OK;
}

/* ---- Short rows ------------------------------------------------------------------------------ */

ALIAS_KERNEL(ALIAS_THREADS)
alias_short_rows(const levy_alias_row *rows, uint64_t n, double scale, levy_alias_short_row *out)
{
    const uint64_t i = (uint64_t)blockIdx.x * ALIAS_THREADS + threadIdx.x;
    if (i < n) out[i] = alias_short_row(rows[i], (uint32_t)i, scale);
}

levy_status levy_alias_cuda_shorten(levy_alias_cuda *t, const levy_alias_short_row **rows)
{
    *rows = t->short_rows;
    if (t->short_made) return LEVY_OK;
    LEVY_TRY(alias_launch(t, alias_short_rows, blocks_of(t->count, ALIAS_THREADS), ALIAS_THREADS, 0,
                          (const levy_alias_row *)t->rows, t->count, 4294967296.0 / t->scale.share,
                          t->short_rows));
    t->short_made = true;
    return LEVY_OK;
}
