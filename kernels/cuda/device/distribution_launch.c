/* distribution_launch.c: see distribution_launch.h. A distribution is a loaded module with two
 * kernels and, of a law by table, the table in the GPU's memory. */
#include "kernels/cuda/device/distribution_launch.h"
#include "kernels/cuda/device/standalone.h"

#include <stdio.h>

enum {
    DISTRIBUTION_GROUP = 64,           /* draws that share 16 blocks of words */
    DISTRIBUTION_BYTES = 16,           /* that a thread stores together */
    DISTRIBUTION_MOST_BLOCKS = 1 << 20 /* threads of more go round */
};
/* As POISSON_FEW of poisson.h, which is of lanes. The kernel of larger means makes the same counts
 * of a smaller one, more slowly. */
static const double distribution_few = 64.0;

struct levy_cuda_distribution {
    levy_device *device;
    levy_distribution_law law;
    void *module, *draw, *invert;
    levy_cuda_pointer table; /* 0: the law has none */
    levy_kernel_made made;
};

/* ---- The kernels ----------------------------------------------------------------------------- */

static bool distribution_is_few(const levy_distribution_law *l)
{
    return l->law == LEVY_DRAW_POISSON && !l->each[0] && l->parameters[0] <= distribution_few;
}

void levy_distribution_shape_write(const levy_distribution_law *l, char *text, size_t size)
{
    snprintf(text, size,
             "#define DISTRIBUTION_KERNELS\n#define DISTRIBUTION_LAW %d\n"
             "#define DISTRIBUTION_EACH %d\n#define DISTRIBUTION_FEW %d\n%s",
             (int)l->law, l->each[0] + 2 * l->each[1], distribution_is_few(l),
             l->single ? "#define LANE_SINGLE\n" : "");
}

static levy_status distribution_load(levy_cuda_distribution *d, const levy_kernel *source,
                                     char *why)
{
    int code = LEVY_DEVICE_CALL(d->device, module_load, &d->module, source->code.data);
    if (code) d->module = NULL;
    if (!code)
        code = LEVY_DEVICE_CALL(d->device, module_function, &d->draw, d->module,
                                "levy_distribution_draw");
    if (!code)
        code = LEVY_DEVICE_CALL(d->device, module_function, &d->invert, d->module,
                                "levy_distribution_invert");
    if (code) return levy_device_fail(d->device, code, "loading a distribution's kernels", why);
    d->made = (levy_kernel_made){.kernel = "tiles of 4,096 draws a block", .paths_per_thread = 1};
    levy_standalone_measure(d->device, d->draw, LEVY_DISTRIBUTION_THREADS, 0, source, &d->made);
    const levy_draw_table *const t = &d->law.table;
    return t->rows ? levy_standalone_upload(d->device, t->rows, t->bytes, "a distribution's table",
                                            &d->table, why)
                   : LEVY_OK;
}

static levy_status distribution_make(levy_cuda_distribution *d, char *why)
{
    static const char *const names[] = {
        "exponential",    "normal", "gamma",           "Poisson", "non-central chi-square",
        "gamma by table", "beta",   "inverse Gaussian"};
    const levy_memory *const memory = d->device->memory;
    levy_kernel *const kernel = levy_memory_allocate(memory, 1, sizeof *kernel);
    if (!kernel)
        return snprintf(why, LEVY_REASON_SIZE, "no memory for a distribution's kernels"),
               LEVY_MEMORY;
    levy_distribution_shape_write(&d->law, kernel->text, sizeof kernel->text);
    kernel->single = d->law.single;
    snprintf(kernel->id.label, sizeof kernel->id.label, "%s %s, %s deviates",
             d->device->source.target.architecture, kernel->single ? "single" : "double",
             names[d->law.law]);
    levy_status status = levy_standalone_compile(d->device, kernel, why);
    if (status == LEVY_OK) status = levy_device_enter(d->device, why);
    if (status == LEVY_OK) {
        status = distribution_load(d, kernel, why);
        levy_device_leave(d->device);
    }
    levy_jit_release(memory, &kernel->code);
    levy_memory_release(memory, kernel);
    return status;
}

levy_status levy_cuda_distribution_create(levy_device *device, const levy_distribution_law *law,
                                          levy_cuda_distribution **distribution, char *why)
{
    *distribution = NULL;
    if (device->dead) return levy_device_fail(device, LEVY_CUDA_DEAD, "making a distribution", why);
    levy_cuda_distribution *const d = levy_memory_allocate(device->memory, 1, sizeof *d);
    if (!d) return snprintf(why, LEVY_REASON_SIZE, "no memory for a distribution"), LEVY_MEMORY;
    d->device = device;
    d->law = *law;
    const levy_status status = distribution_make(d, why);
    if (status == LEVY_OK)
        *distribution = d;
    else
        levy_cuda_distribution_destroy(d);
    return status;
}

void levy_cuda_distribution_describe(const levy_cuda_distribution *distribution,
                                     levy_kernel_made *made)
{
    *made = distribution->made;
}

void levy_cuda_distribution_destroy(levy_cuda_distribution *distribution)
{
    if (!distribution) return;
    levy_device *const device = distribution->device;
    levy_standalone_drop(device, distribution->table, distribution->module);
    levy_memory_release(device->memory, distribution);
}

/* ---- Work ------------------------------------------------------------------------------------ */

/* Bounds as numbers of the precision, which the kernel compares with. */
static void distribution_bounds(const levy_distribution_law *l, levy_distribution_arguments *a)
{
    for (int which = 0; which < 2; ++which) {
        const levy_draw_range range = levy_draw_range_of(l->law, l->single, which);
        a->least[which] = range.least;
        a->most[which] = range.most;
        a->open[which] = range.open;
        a->parameters[which] = l->parameters[which];
    }
}

/* Draws of one word each begin at a group's first draw, and store four numbers together if the
 * group's first one would lie on a multiple of 16 bytes. */
static void distribution_groups(const levy_distribution_law *l, levy_distribution_arguments *a)
{
    const uint64_t bytes = l->law == LEVY_DRAW_POISSON || l->single ? 4 : 8;
    a->lead = (uint32_t)(a->first % DISTRIBUTION_GROUP);
    a->aligned = (a->output - a->lead * bytes) % DISTRIBUTION_BYTES == 0;
}

uint32_t levy_distribution_launch_write(const levy_distribution_law *l,
                                        const levy_distribution_call *call, uint64_t table,
                                        levy_distribution_arguments *a)
{
    const bool by_word =
        l->law <= LEVY_DRAW_NORMAL || levy_draw_is_tabulated(l->law) || distribution_is_few(l);
    const uint64_t each = call->words || l->law == LEVY_DRAW_NONCENTRAL ? LEVY_DISTRIBUTION_THREADS
                                                                        : LEVY_DISTRIBUTION_TILE;
    *a = (levy_distribution_arguments){
        .output = (uintptr_t)call->output,
        .words = (uintptr_t)call->words,
        .each = {(uintptr_t)call->parameters[0], (uintptr_t)call->parameters[1]},
        .seed = call->seed,
        .first = call->first,
        .n = call->count,
        .table = table,
        .scale = l->table.scale,
        .substream = call->substream,
    };
    distribution_bounds(l, a);
    if (by_word && !call->words) distribution_groups(l, a);
    const uint64_t blocks = (a->n + a->lead + each - 1) / each;
    return (uint32_t)(blocks < DISTRIBUTION_MOST_BLOCKS ? blocks : DISTRIBUTION_MOST_BLOCKS);
}

levy_status levy_cuda_distribution_run(levy_cuda_distribution *d,
                                       const levy_distribution_call *call, char *why)
{
    levy_distribution_arguments arguments;
    const uint32_t blocks = levy_distribution_launch_write(&d->law, call, d->table, &arguments);
    LEVY_TRY(levy_device_enter(d->device, why));
    const int code = LEVY_DEVICE_CALL(d->device, launch, call->words ? d->invert : d->draw, blocks,
                                      1, 1, LEVY_DISTRIBUTION_THREADS, 1, 1, 0, call->stream,
                                      (void *[]){&arguments}, NULL);
    levy_device_leave(d->device);
    return code ? levy_device_fail(d->device, code, "starting a distribution", why) : LEVY_OK;
}
