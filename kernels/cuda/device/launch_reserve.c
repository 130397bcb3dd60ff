/* launch_reserve.c: see launch_run.h: in how many parts a batch's blocks are cut, and the buffers
 * of its pieces, as far as the device has memory. Must not know: kernels' arguments, streams'
 * order. */
#include "kernels/cuda/device/launch_run.h"

#include "kernels/cuda/compile/shape.h"

/* From so many waves on, CTAs share no blocks. */
enum { LAUNCH_SPLIT_WAVES = 4 };

/* The sums of one piece take at most one part in launch_memory_share of the free memory, and at
 * most launch_memory_limit bytes. */
static const size_t launch_memory_share = 8, launch_memory_limit = (size_t)64 << 20;

size_t levy_launch_block_bytes(const launch_run *run)
{
    return run->batch->tile.n_outputs * sizeof(levy_block_sum);
}

/* Of the values of a block's paths. */
static size_t launch_value_bytes(const launch_run *run)
{
    return run->batch->tile.n_outputs * LEVY_BLOCK_PATHS * sizeof(double);
}

/* Most branches that `blocks` consecutive blocks lie in, wherever they start. */
static uint64_t launch_branches(const launch_run *run, uint64_t blocks)
{
    const uint64_t replicates = blocks / run->cuda->image->blocks + 2,
                   branches = (blocks >> run->batch->height) + replicates;
    return branches < blocks ? branches : blocks;
}

uint32_t levy_launch_split(const launch_run *run, uint64_t n)
{
    const levy_launchable *const kernel = run->kernel;
    const uint64_t paths = run->cuda->image->paths;
    const uint64_t rows =
        paths < LEVY_BLOCK_PATHS ? (paths + LEVY_COLUMNS - 1) / LEVY_COLUMNS : LEVY_BLOCK_ROWS;
    uint64_t least = UINT64_MAX;
    uint32_t best = 1;
    if (run->batch->height > 0 || run->batch->record || n >= LAUNCH_SPLIT_WAVES * kernel->wave ||
        n * launch_value_bytes(run) > launch_memory_limit)
        return 1;
    for (uint32_t split = 1; split <= kernel->split; split *= 2) {
        const uint64_t waves = (n * split + kernel->wave - 1) / kernel->wave,
                       each = LEVY_BLOCK_ROWS / split, time = waves * (rows < each ? rows : each);
        if (time < least) best = split;
        if (time < least) least = time;
    }
    return best;
}

/* Of a slot's buffer: the sums of blocks, then those of branches or the values of paths. */
static size_t launch_slot_bytes(const launch_run *run, uint64_t blocks, size_t branches)
{
    return blocks * levy_launch_block_bytes(run) + (run->batch->height ? branches : 0) +
           (run->split > 1 ? blocks * launch_value_bytes(run) : 0);
}

/* Frees the slots' buffers and allocates others, for *blocks blocks or as many as the memory
 * allows. Returns a code. */
static int launch_allocate_slots(launch_run *run, uint64_t *blocks)
{
    levy_cuda *const cuda = run->cuda;
    levy_device *const device = cuda->device;
    const size_t block_bytes = levy_launch_block_bytes(run);
    const uint64_t least = (uint64_t)1 << run->batch->height;
    size_t available = 0, total = 0;
    levy_launch_free_buffers(cuda);
    int code = LEVY_DEVICE_CALL(device, memory_info, &available, &total);
    if (code) return code;
    size_t most = available / launch_memory_share;
    if (most > launch_memory_limit) most = launch_memory_limit;
    if (*blocks > most / block_bytes)
        *blocks = most / block_bytes > least ? most / block_bytes : least;
    const size_t spare = most > LAUNCH_LEAST ? LAUNCH_LEAST : 0,
                 rows = launch_branches(run, *blocks) * block_bytes,
                 host_bytes = rows > spare ? rows : spare,
                 sums = launch_slot_bytes(run, *blocks, rows);
    const size_t bytes = sums > spare ? sums : spare;
    for (int i = 0; i < LAUNCH_SLOTS; ++i) {
        void *host = NULL;
        code = LEVY_DEVICE_CALL(device, memory_allocate, &cuda->slots[i].sums, bytes);
        if (!code) code = LEVY_DEVICE_CALL(device, host_allocate, &host, host_bytes);
        cuda->slots[i].host = host;
        if (code) return code;
    }
    cuda->slot_bytes = bytes;
    cuda->host_bytes = host_bytes;
    return 0;
}

/* The blocks that a slot should hold: those of the batch, or of all batches to come where they are
 * merged, since these grow. */
static uint64_t launch_wanted(const launch_run *run)
{
    const levy_image *const image = run->cuda->image;
    const uint64_t least = (uint64_t)1 << run->batch->height,
                   most = launch_memory_limit / levy_launch_block_bytes(run);
    uint64_t wanted = run->batch->n_blocks;
    if (run->batch->height > 0) {
        wanted = image->blocks * image->n_replicates;
        if (wanted > most) wanted = most > least ? most : least;
    }
    return wanted < run->piece_limit ? wanted : run->piece_limit;
}

uint32_t levy_launch_places(const launch_run *run)
{
    const uint64_t most = LEVY_SCRATCH_FRONT / sizeof(uint32_t), wanted = run->kernel->wave;
    return (uint32_t)(wanted < most ? wanted : most);
}

/* Makes sure of the kernel's own memory, whose places nobody has. Returns a code. */
static int launch_reserve_scratch(launch_run *run)
{
    static const char nobody[LEVY_SCRATCH_FRONT];
    levy_cuda *const cuda = run->cuda;
    levy_device *const device = cuda->device;
    const size_t each = levy_shape_scratch(cuda->image, &run->batch->tile, run->deferred),
                 bytes = each ? LEVY_SCRATCH_FRONT + levy_launch_places(run) * each : 0;
    if (cuda->scratch_bytes >= bytes) return 0;
    if (cuda->scratch) (void)LEVY_DEVICE_CALL(device, memory_free, cuda->scratch);
    cuda->scratch = 0;
    cuda->scratch_bytes = 0;
    int code = LEVY_DEVICE_CALL(device, memory_allocate, &cuda->scratch, bytes);
    if (!code)
        code = LEVY_DEVICE_CALL(device, copy_to_device, cuda->scratch, nobody, sizeof nobody,
                                cuda->compute);
    if (!code) cuda->scratch_bytes = bytes;
    return code;
}

int levy_launch_reserve(launch_run *run)
{
    const levy_cuda *const cuda = run->cuda;
    const size_t block_bytes = levy_launch_block_bytes(run);
    uint64_t blocks = launch_wanted(run);
    const uint64_t rows = launch_branches(run, blocks);
    const size_t host_bytes = rows * block_bytes;
    if (cuda->host_bytes < host_bytes ||
        cuda->slot_bytes < launch_slot_bytes(run, blocks, host_bytes)) {
        const int code = launch_allocate_slots(run, &blocks);
        if (code) return code;
    }
    run->piece_limit = blocks;
    const int code = launch_reserve_scratch(run);
    run->reserved = !code;
    return code;
}
