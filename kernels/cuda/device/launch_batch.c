/* launch_batch.c: see launch.h: a batch runs in pieces. One stream computes, another copies sums
 * back; two pieces are under way, so that the host's share of one hides behind the kernel of the
 * other. Must not know: files, the environment. */
#include "kernels/cuda/device/launch_run.h"
#include "kernels/cuda/device/standalone.h"

#include "kernels/cuda/compile/shape.h"

#include <stdio.h>
#include <string.h>

enum {
    LAUNCH_MAX_PIECE = 1 << 20, /* blocks */
    LAUNCH_FIRST_WAVES = 8      /* waves of a piece before its tile's pace is known */
};

/* A piece should take this long: long against a launch (10 us), short against a person's patience.
 */
static const double launch_piece_seconds = 0.02;
/* Sums of a batch up to this size are written to the host's memory by the kernel itself: a copy
 * would take longer to start. */
static const size_t launch_direct_bytes = 16 << 10;

/* Cuts a piece of the blocks from `first` on behind a whole branch, of which it has one at least.
 */
static uint64_t launch_cut(const launch_run *run, uint64_t first, uint64_t piece)
{
    const uint64_t blocks = run->cuda->image->blocks, whole = (uint64_t)1 << run->batch->height,
                   replicate = blocks - first % blocks;
    piece -= (first + piece) % blocks % whole;
    if (piece > 0) return piece;
    return whole < replicate ? whole : replicate;
}

/* Blocks of the next piece: about launch_piece_seconds of work, in whole waves or whole branches,
 * within the limit of memory. */
static uint64_t launch_piece(const launch_run *run)
{
    const uint64_t wave = run->kernel->wave, left = run->batch->n_blocks - run->submitted;
    uint64_t piece = LAUNCH_FIRST_WAVES * wave;
    if (*run->block_seconds > 0.0) {
        const double wanted = launch_piece_seconds / *run->block_seconds;
        piece = wanted < LAUNCH_MAX_PIECE ? (uint64_t)wanted : LAUNCH_MAX_PIECE;
        piece = piece < wave ? wave : piece / wave * wave;
    }
    if (piece > run->piece_limit) piece = run->piece_limit;
    if (piece < left) piece = launch_cut(run, run->batch->first_block + run->submitted, piece);
    return piece < left ? piece : left;
}

/* CTAs for `count` blocks. Each takes one block, or several of short paths as long as there are
 * CTAs enough to keep the GPU full for a while. */
static unsigned launch_grid(const launch_run *run, uint64_t count)
{
    uint64_t chunk = levy_shape_chunk(run->cuda->image);
    const uint64_t most = count / (LAUNCH_FIRST_WAVES * run->kernel->wave);
    if (chunk > most) chunk = most > 0 ? most : 1;
    return (unsigned)((count + chunk - 1) / chunk);
}

/* Device address of the values of the slot's paths. */
static levy_cuda_pointer launch_values(const launch_run *run, const launch_slot *slot)
{
    return slot->sums + run->piece_limit * levy_launch_block_bytes(run);
}

/* Where the sums of the slot's blocks go. */
static levy_cuda_pointer launch_sums(const launch_run *run, const launch_slot *slot)
{
    return run->direct ? (levy_cuda_pointer)(uintptr_t)slot->host : slot->sums;
}

/* Launches the kernel of the paths for the slot's blocks. */
static int launch_paths(launch_run *run, const launch_slot *slot)
{
    levy_cuda *const cuda = run->cuda;
    levy_device *const device = cuda->device;
    const levy_tile *const tile = &run->batch->tile;
    unsigned long long first = run->batch->first_block + slot->first, n = slot->count;
    unsigned first_output = tile->first_output, first_item = tile->first_item,
             first_dynamics = tile->first_dynamics;
    levy_cuda_pointer sums = launch_sums(run, slot);
    levy_cuda_pointer record =
        run->record ? run->record + slot->first * levy_record_bytes(cuda->image) : 0;
    levy_cuda_pointer given =
        run->given ? run->given + slot->first * LEVY_BLOCK_PATHS * levy_given_size(cuda->image) : 0;
    unsigned long long given_stride = run->batch->given_stride;
    unsigned split = run->split;
    levy_cuda_pointer values = split > 1 ? launch_values(run, slot) : 0;
    unsigned places = levy_launch_places(run), deferred = run->deferred;
    const unsigned ctas = split > 1 ? (unsigned)slot->count * split : launch_grid(run, slot->count);
    double room[LEVY_SHAPE_FACTORS / sizeof(double)];
    /* The driver copies as many factors as the kernel says, if any, and writes none. */
    const void *const factors = levy_shape_factors(cuda->image, tile, room);
    void *arguments[] = {&cuda->device_image,
                         &first,
                         &n,
                         &first_output,
                         &first_item,
                         &first_dynamics,
                         &sums,
                         &cuda->normals,
                         &record,
                         &given,
                         &given_stride,
                         &split,
                         &values,
                         &cuda->scratch,
                         &places,
                         &deferred,
                         (void *)(uintptr_t)factors};
    return LEVY_DEVICE_CALL(device, launch, run->kernel->function, ctas, 1, 1, LEVY_SHAPE_THREADS,
                            1, 1, run->kernel->shared_bytes, cuda->compute, arguments, NULL);
}

/* Launches the kernel that makes the sums of blocks whose paths several CTAs have shared. */
static int launch_columns(launch_run *run, const launch_slot *slot)
{
    levy_cuda *const cuda = run->cuda;
    levy_device *const device = cuda->device;
    const levy_tile *const tile = &run->batch->tile;
    unsigned long long first = run->batch->first_block + slot->first;
    unsigned first_output = tile->first_output, first_item = tile->first_item;
    levy_cuda_pointer values = launch_values(run, slot), sums = launch_sums(run, slot);
    void *arguments[] = {&cuda->device_image, &first, &first_output, &first_item, &values, &sums};
    return LEVY_DEVICE_CALL(device, launch, run->kernel->columns,
                            (unsigned)(slot->count * tile->n_outputs), 1, 1, LEVY_SHAPE_THREADS, 1,
                            1, LEVY_SHAPE_THREADS * sizeof(levy_block_sum), cuda->compute,
                            arguments, NULL);
}

static uint64_t launch_slot_branches(const launch_run *run, const launch_slot *slot)
{
    return levy_branches(run->cuda->image, run->batch->first_block + slot->first, slot->count,
                         run->batch->height);
}

/* Device address of the sums that the host reads back. */
static levy_cuda_pointer launch_taken(const launch_run *run, const launch_slot *slot)
{
    return slot->sums + (run->batch->height ? run->piece_limit * levy_launch_block_bytes(run) : 0);
}

/* Launches the kernel that merges the slot's blocks to branches. */
static int launch_merge(launch_run *run, const launch_slot *slot)
{
    levy_cuda *const cuda = run->cuda;
    levy_device *const device = cuda->device;
    const levy_tile *const tile = &run->batch->tile;
    unsigned long long first = run->batch->first_block + slot->first, n = slot->count;
    unsigned first_output = tile->first_output, height = run->batch->height;
    levy_cuda_pointer blocks = slot->sums, branches = launch_taken(run, slot);
    void *arguments[] = {
        &cuda->device_image, &first, &n, &first_output, &height, &blocks, &branches};
    return LEVY_DEVICE_CALL(device, launch, run->kernel->merge,
                            (unsigned)(launch_slot_branches(run, slot) * tile->n_outputs), 1, 1,
                            LEVY_SHAPE_THREADS, 1, 1, 0, cuda->compute, arguments, NULL);
}

/* Copies the slot's sums to the host, on the other stream. */
static int launch_copy(launch_run *run, const launch_slot *slot)
{
    levy_cuda *const cuda = run->cuda;
    levy_device *const device = cuda->device;
    int code = LEVY_DEVICE_CALL(device, stream_wait, cuda->copy, slot->computed, 0);
    if (!code)
        code = LEVY_DEVICE_CALL(device, copy_to_host, slot->host, launch_taken(run, slot),
                                launch_slot_branches(run, slot) * levy_launch_block_bytes(run),
                                cuda->copy);
    if (!code) code = LEVY_DEVICE_CALL(device, event_record, slot->copied, cuda->copy);
    return code;
}

static int launch_submit(launch_run *run, launch_slot *slot)
{
    levy_cuda *const cuda = run->cuda;
    levy_device *const device = cuda->device;
    launch_slot next = *slot;
    next.first = run->submitted;
    next.count = launch_piece(run);
    int code = LEVY_DEVICE_CALL(device, event_record, slot->started, cuda->compute);
    if (!code) code = launch_paths(run, &next);
    if (!code && run->split > 1) code = launch_columns(run, &next);
    if (!code && run->batch->height > 0) code = launch_merge(run, &next);
    if (!code) code = LEVY_DEVICE_CALL(device, event_record, slot->computed, cuda->compute);
    if (!code && !run->direct) code = launch_copy(run, &next);
    if (code) return code;
    *slot = next;
    run->submitted += next.count;
    return 0;
}

/* Waits for a piece, takes its sums, learns its pace. */
static int launch_collect(launch_run *run, launch_slot *slot)
{
    levy_device *const device = run->cuda->device;
    const levy_batch *const batch = run->batch;
    const uint64_t before =
        levy_branches(run->cuda->image, batch->first_block, slot->first, batch->height);
    float milliseconds = 0.0f;
    int code =
        LEVY_DEVICE_CALL(device, event_synchronize, run->direct ? slot->computed : slot->copied);
    if (!code)
        code =
            LEVY_DEVICE_CALL(device, event_elapsed, &milliseconds, slot->started, slot->computed);
    if (code) return code;
    run->cuda->image_copying = false;
    memcpy(run->sums + before * batch->tile.n_outputs, slot->host,
           launch_slot_branches(run, slot) * levy_launch_block_bytes(run));
    run->seconds += 1e-3 * (double)milliseconds;
    if (slot->count >= run->kernel->wave)
        *run->block_seconds = 1e-3 * (double)milliseconds / (double)slot->count;
    run->done = slot->first + slot->count;
    slot->count = 0;
    return 0;
}

/* Waits until no launch is pending. Pieces that were not collected will be submitted again. */
static void launch_drain(launch_run *run)
{
    (void)LEVY_DEVICE_CALL(run->cuda->device, stream_synchronize, run->cuda->compute);
    (void)LEVY_DEVICE_CALL(run->cuda->device, stream_synchronize, run->cuda->copy);
    run->cuda->image_copying = false;
    for (int i = 0; i < LAUNCH_SLOTS; ++i) run->cuda->slots[i].count = 0;
    run->submitted = run->done;
}

/* If memory ran out, keeps no values of paths, or halves the piece, down to a branch. False:
 * another code, or a piece that cannot be halved. */
static bool launch_halve(launch_run *run, int code)
{
    const uint64_t least = (uint64_t)1 << run->batch->height;
    const uint64_t tried =
        run->piece_limit < run->batch->n_blocks ? run->piece_limit : run->batch->n_blocks;
    if (code != 2 || (run->split == 1 && tried <= least)) return false;
    launch_drain(run);
    levy_launch_free_buffers(run->cuda);
    run->reserved = false;
    if (run->split == 1) run->piece_limit = tried / 2 > least ? tried / 2 : least;
    run->split = 1;
    return !run->cuda->device->dead;
}

static bool launch_is_cancelled(const levy_cancel *cancel)
{
    if (cancel && cancel->poll && cancel->poll(cancel->user) != 0) return true;
    return cancel && cancel->tick && cancel->tick(cancel->tick_user) != 0;
}

static levy_status launch_pieces(launch_run *run, const levy_cancel *cancel, char *why)
{
    for (unsigned turn = 0; run->done < run->batch->n_blocks; ++turn) {
        launch_slot *const slot = &run->cuda->slots[turn % LAUNCH_SLOTS];
        if (launch_is_cancelled(cancel)) {
            launch_drain(run);
            return snprintf(why, LEVY_REASON_SIZE, "cancelled"), LEVY_CANCELLED;
        }
        int code = run->reserved ? 0 : levy_launch_reserve(run);
        if (!code && slot->count) code = launch_collect(run, slot);
        if (!code && run->submitted < run->batch->n_blocks) code = launch_submit(run, slot);
        if (!code || launch_halve(run, code)) continue;
        launch_drain(run);
        return levy_device_fail(run->cuda->device, code, "the simulation", why);
    }
    return LEVY_OK;
}

/* Runs a batch with a record, which the device holds as long as the batch runs. */
static levy_status launch_recorded(launch_run *run, const levy_cancel *cancel, char *why)
{
    levy_device *const device = run->cuda->device;
    const size_t bytes = run->batch->n_blocks * levy_record_bytes(run->cuda->image);
    const int code = LEVY_DEVICE_CALL(device, memory_allocate, &run->record, bytes);
    if (code) return levy_device_fail(device, code, "the recorded levels", why);
    levy_status status = launch_pieces(run, cancel, why);
    if (status == LEVY_OK)
        status = levy_standalone_download(device, run->batch->record, run->record, bytes,
                                          run->cuda->copy, why);
    (void)LEVY_DEVICE_CALL(device, memory_free, run->record);
    return status;
}

/* Runs a batch whose levels stay, among those of all blocks. */
static levy_status launch_kept(launch_run *run, const levy_cancel *cancel, char *why)
{
    levy_cuda *const cuda = run->cuda;
    const uint64_t blocks = cuda->image->blocks * cuda->image->n_replicates,
                   bytes = levy_record_bytes(cuda->image);
    const int code = levy_fits_keep(cuda->device, &cuda->fits, blocks * bytes);
    if (code) return levy_device_fail(cuda->device, code, "the levels of a fit", why);
    run->record = cuda->fits.levels + run->batch->first_block * bytes;
    return launch_pieces(run, cancel, why);
}

static levy_status launch_whole(launch_run *run, const levy_cancel *cancel, char *why)
{
    const bool records = run->batch->record && run->cuda->image->records;
    if (run->batch->keeps) return launch_kept(run, cancel, why);
    return records ? launch_recorded(run, cancel, why) : launch_pieces(run, cancel, why);
}

/* Runs a batch whose numbers are given. Those of the host are copied: the device holds them as long
 * as the batch runs. */
static levy_status launch_given(launch_run *run, const levy_cancel *cancel, char *why)
{
    levy_device *const device = run->cuda->device;
    if (run->batch->given_here) {
        run->given = (uintptr_t)run->batch->given;
        return launch_whole(run, cancel, why);
    }
    const size_t bytes =
        run->cuda->image->n_draws * run->batch->given_stride * levy_given_size(run->cuda->image);
    levy_status status = LEVY_OK;
    int code = LEVY_DEVICE_CALL(device, memory_allocate, &run->given, bytes);
    if (!code)
        code = LEVY_DEVICE_CALL(device, copy_to_device, run->given, run->batch->given, bytes,
                                run->cuda->compute);
    if (!code) status = launch_whole(run, cancel, why);
    /* the copy reads the caller's memory until the stream has done it */
    const int waited = LEVY_DEVICE_CALL(device, stream_synchronize, run->cuda->compute);
    if (!code) code = waited;
    if (run->given) (void)LEVY_DEVICE_CALL(device, memory_free, run->given);
    return code ? levy_device_fail(device, code, "the given numbers", why) : status;
}

levy_status levy_cuda_simulate(levy_cuda *cuda, const levy_batch *batch, const levy_cancel *cancel,
                               levy_block_sum *sums, double *seconds, char *why)
{
    size_t t = 0;
    *seconds = 0.0;
    if (cuda->device->dead)
        return levy_device_fail(cuda->device, LEVY_CUDA_DEAD, "the simulation", why);
    while (t < cuda->n_tiles && memcmp(&cuda->tiles[t], &batch->tile, sizeof batch->tile) != 0) ++t;
    if (t == cuda->n_tiles)
        return snprintf(why, LEVY_REASON_SIZE, "the tile was not loaded"), LEVY_ARGUMENT;
    launch_run run = {.cuda = cuda,
                      .batch = batch,
                      .kernel = &cuda->kernels[t],
                      .block_seconds = &cuda->block_seconds[t],
                      .sums = sums,
                      .piece_limit = LAUNCH_MAX_PIECE,
                      .deferred = levy_shape_deferred(cuda->image, &batch->tile)};
    run.split = levy_launch_split(&run, batch->n_blocks);
    run.direct = batch->height == 0 &&
                 batch->n_blocks <= launch_direct_bytes / levy_launch_block_bytes(&run);
    LEVY_TRY(levy_device_enter(cuda->device, why));
    const bool given = levy_given_size(cuda->image) > 0;
    const levy_status status =
        given ? launch_given(&run, cancel, why) : launch_whole(&run, cancel, why);
    levy_device_leave(cuda->device);
    *seconds = run.seconds;
    return status;
}
