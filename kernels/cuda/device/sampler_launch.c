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

typedef struct cuda_sampler {
    levy_cuda_object object;
    uint64_t items; /* of the tables, whose parts need not stay */
    uint32_t cells;
    double share;
    void *functions[3]; /* by levy_sampler_work */
} cuda_sampler;

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
static levy_status sampler_upload(cuda_sampler *s, char *why)
{
    levy_device *const device = s->object.device;
    levy_sampler_part parts[LEVY_SAMPLER_PARTS];
    levy_cuda_pointer data = 0;
    size_t size = 0;
    levy_sampler_parts(s->object.tables, parts);
    for (int i = 0; i < LEVY_SAMPLER_PARTS; ++i) size += parts[i].size;
    int code = LEVY_DEVICE_CALL(device, memory_allocate, &data, size);
    if (code) return levy_device_fail(device, code, "taking memory for a sampler's table", why);
    s->object.data = data;
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

static levy_status sampler_write(void *object, levy_kernel *kernel, char *why)
{
    const levy_cuda_object *const o = object;
    (void)why;
    levy_sampler_shape_write(kernel->text, sizeof kernel->text);
    snprintf(kernel->id.label, sizeof kernel->id.label, "%s weighted sampler",
             o->device->source.target.architecture);
    return LEVY_OK;
}

static levy_status sampler_load(void *object, const levy_kernel *kernel, char *why)
{
    static const char *const names[] = {"levy_sampler_draw", "levy_sampler_invert",
                                        "levy_sampler_counts"};
    cuda_sampler *const s = object;
    LEVY_TRY(levy_standalone_load(&s->object, kernel, names, 3, s->functions, why));
    s->object.made = (levy_kernel_made){.kernel = "16 bytes of items a thread",
                                        .paths_per_thread = LEVY_SAMPLER_LANES};
    levy_standalone_measure(&s->object, s->functions[LEVY_SAMPLER_DRAW], LEVY_SAMPLER_THREADS, 0,
                            kernel);
    return sampler_upload(s, why);
}

static levy_status sampler_prepare(void *object, char *why)
{
    cuda_sampler *const s = object;
    const levy_sampler_tables *const t = s->object.tables;
    (void)why;
    s->items = t->count;
    s->cells = t->guide->cells;
    s->share = t->share;
    return LEVY_OK;
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

static levy_status sampler_call(void *object, const void *given, char *why)
{
    cuda_sampler *const s = object;
    const levy_sampler_call *const call = given;
    levy_sampler_arguments arguments;
    const uint32_t blocks = levy_sampler_launch_write(
        s->items, s->cells, s->share, call, s->object.data, s->object.device->sm_count, &arguments);
    return levy_standalone_launch(&s->object, s->functions[call->work],
                                  (levy_standalone_grid){blocks, 1, LEVY_SAMPLER_THREADS, 0},
                                  call->stream, (void *[]){&arguments}, why);
}

const levy_cuda_kind levy_cuda_sampler = {
    .name = "a sampler",
    .doing = "making a sampler",
    .kernels = "the sampler's kernels",
    .size = sizeof(cuda_sampler),
    .prepare = sampler_prepare,
    .write = sampler_write,
    .load = sampler_load,
    .run = sampler_call,
};
