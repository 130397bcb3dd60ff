/* sampler_launch.c: see sampler_launch.h. A sampler is a loaded module with three kernels, and its
 * tables in one piece of the GPU's memory. */
#include "kernels/cuda/device/sampler_launch.h"
#include "kernels/cuda/device/standalone.h"

#include <stdio.h>

enum {
    SAMPLER_BYTES = 16,            /* that a thread stores together */
    SAMPLER_MOST_BLOCKS = 1 << 20, /* threads of more go round */
    SAMPLER_COUNT_BLOCKS = 8,      /* of a processor: each clears and adds its own counts */
    SAMPLER_OWN = 4096             /* counts that fit a block's memory, as in sampler.cu */
};

static const char sampler_kernels[] = "the sampler's kernels";

struct levy_cuda_sampler {
    levy_device *device;
    uint64_t items;
    uint32_t cells;
    double share;
    void *module, *functions[3]; /* by levy_sampler_work */
    levy_cuda_pointer data;
    levy_kernel_made made;
};

/* ---- Tables ---------------------------------------------------------------------------------- */

void levy_sampler_parts(const levy_sampler_tables *t, levy_sampler_part parts[LEVY_SAMPLER_PARTS])
{
    const size_t n = (size_t)t->count;
    parts[0] = (levy_sampler_part){t->rows, n * sizeof *t->rows};
    parts[1] = (levy_sampler_part){t->thresholds, n * sizeof *t->thresholds};
    parts[2] = (levy_sampler_part){t->guide->cumulative, n * sizeof *t->guide->cumulative};
    parts[3] = (levy_sampler_part){t->guide->start,
                                   ((size_t)t->guide->cells + 1) * sizeof *t->guide->start};
}

/* Part after part, because all of them together would be a second copy on the host. */
static levy_status sampler_upload(levy_cuda_sampler *s, const levy_sampler_tables *tables,
                                  char *why)
{
    levy_device *const device = s->device;
    levy_sampler_part parts[LEVY_SAMPLER_PARTS];
    levy_cuda_pointer data = 0;
    size_t size = 0;
    levy_sampler_parts(tables, parts);
    for (int i = 0; i < LEVY_SAMPLER_PARTS; ++i) size += parts[i].size;
    int code = LEVY_DEVICE_CALL(device, memory_allocate, &data, size);
    if (code) return levy_device_fail(device, code, "taking memory for a sampler's table", why);
    s->data = data;
    for (int i = 0; i < LEVY_SAMPLER_PARTS && !code; data += parts[i++].size)
        code = LEVY_DEVICE_CALL(device, copy_to_device, data, parts[i].bytes, parts[i].size, NULL);
    const int waited = LEVY_DEVICE_CALL(device, stream_synchronize, NULL);
    if (!code) code = waited;
    return code ? levy_device_fail(device, code, "copying a sampler's table", why) : LEVY_OK;
}

/* ---- The kernels ----------------------------------------------------------------------------- */

void levy_sampler_shape_write(char *text, size_t size)
{
    snprintf(text, size, "#define SAMPLER_KERNELS\n#define LEVY_LANES %d\n",
             (int)LEVY_SAMPLER_LANES);
}

typedef struct sampler_making {
    levy_cuda_sampler *sampler;
    const levy_sampler_tables *tables;
} sampler_making;

static levy_status sampler_write(void *object, levy_kernel *kernel, char *why)
{
    const levy_cuda_sampler *const s = ((const sampler_making *)object)->sampler;
    (void)why;
    levy_sampler_shape_write(kernel->text, sizeof kernel->text);
    snprintf(kernel->id.label, sizeof kernel->id.label, "%s weighted sampler",
             s->device->source.target.architecture);
    return LEVY_OK;
}

static levy_status sampler_load(void *object, const levy_kernel *kernel, char *why)
{
    static const char *const names[] = {"levy_sampler_draw", "levy_sampler_invert",
                                        "levy_sampler_counts"};
    const sampler_making *const making = object;
    levy_cuda_sampler *const s = making->sampler;
    LEVY_TRY(levy_standalone_load(s->device, kernel, sampler_kernels, names, 3, &s->module,
                                  s->functions, why));
    s->made = (levy_kernel_made){.kernel = "16 bytes of items a thread",
                                 .paths_per_thread = LEVY_SAMPLER_LANES};
    levy_standalone_measure(s->device, s->functions[LEVY_SAMPLER_DRAW], LEVY_SAMPLER_THREADS, 0,
                            kernel, &s->made);
    return sampler_upload(s, making->tables, why);
}

levy_status levy_cuda_sampler_create(levy_device *device, const levy_sampler_tables *tables,
                                     levy_cuda_sampler **sampler, char *why)
{
    *sampler = NULL;
    if (device->dead) return levy_device_fail(device, LEVY_CUDA_DEAD, "making a sampler", why);
    levy_cuda_sampler *const s = levy_memory_allocate(device->memory, 1, sizeof *s);
    if (!s) return snprintf(why, LEVY_REASON_SIZE, "no memory for a sampler"), LEVY_MEMORY;
    s->device = device;
    s->items = tables->count;
    s->cells = tables->guide->cells;
    s->share = tables->share;
    sampler_making making = {s, tables};
    const levy_status status = levy_standalone_make(
        device, &(levy_standalone_maker){sampler_kernels, &making, sampler_write, sampler_load},
        why);
    if (status == LEVY_OK)
        *sampler = s;
    else
        levy_cuda_sampler_destroy(s);
    return status;
}

void levy_cuda_sampler_describe(const levy_cuda_sampler *sampler, levy_kernel_made *made)
{
    *made = sampler->made;
}

void levy_cuda_sampler_destroy(levy_cuda_sampler *sampler)
{
    if (!sampler) return;
    levy_device *const device = sampler->device;
    levy_standalone_drop(device, sampler->data, sampler->module);
    levy_memory_release(device->memory, sampler);
}

/* ---- Work ------------------------------------------------------------------------------------ */

uint32_t levy_sampler_launch_write(uint64_t items, uint32_t cells, double share,
                                   const levy_sampler_call *call, uint64_t data, int processors,
                                   levy_sampler_arguments *a)
{
    const uint64_t each = call->work == LEVY_SAMPLER_INVERT
                              ? LEVY_SAMPLER_THREADS
                              : LEVY_SAMPLER_THREADS * LEVY_SAMPLER_LANES;
    *a = (levy_sampler_arguments){.rows = data,
                                  .thresholds = data + 8 * items,
                                  .cumulative = data + 16 * items,
                                  .start = data + 24 * items,
                                  .u = (uintptr_t)call->u,
                                  .output = (uintptr_t)call->output,
                                  .seed = call->seed,
                                  .first = call->first,
                                  .n = call->count,
                                  .share = share,
                                  .items = (uint32_t)items,
                                  .cells = cells,
                                  .own = items <= SAMPLER_OWN};
    if (call->work == LEVY_SAMPLER_DRAW)
        a->lead = (uint32_t)(a->output % SAMPLER_BYTES / sizeof(uint32_t));
    const uint64_t blocks = (a->n + a->lead + each - 1) / each,
                   most = call->work == LEVY_SAMPLER_COUNTS
                              ? (uint64_t)processors * SAMPLER_COUNT_BLOCKS
                              : SAMPLER_MOST_BLOCKS;
    return (uint32_t)(blocks < most ? blocks : most);
}

levy_status levy_cuda_sampler_run(levy_cuda_sampler *s, const levy_sampler_call *call, char *why)
{
    levy_sampler_arguments arguments;
    const uint32_t blocks = levy_sampler_launch_write(s->items, s->cells, s->share, call, s->data,
                                                      s->device->sm_count, &arguments);
    return levy_standalone_launch(s->device, s->functions[call->work],
                                  (levy_standalone_grid){blocks, 1, LEVY_SAMPLER_THREADS, 0},
                                  call->stream, (void *[]){&arguments}, "a sampler", why);
}
