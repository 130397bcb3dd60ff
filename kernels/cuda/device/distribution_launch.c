/* distribution_launch.c: see distribution_launch.h. A distribution is a loaded module with two
 * kernels and, of a law by table, the table in the GPU's memory. */
#include "kernels/cuda/device/distribution_launch.h"
#include "kernels/cuda/device/standalone.h"

#include <stdio.h>

enum {
    DISTRIBUTION_GROUP = 64,           /* draws that share 16 blocks of words */
    DISTRIBUTION_BYTES = 16,           /* that a thread stores together */
    DISTRIBUTION_RESIDENT = 5,         /* blocks of a processor with rows of normals */
    DISTRIBUTION_MOST_BLOCKS = 1 << 20 /* threads of more go round */
};
/* As POISSON_FEW of poisson.h, which is of lanes. The kernel of larger means makes the same counts
 * of a smaller one, more slowly. */
static const double distribution_few = 64.0;

static const char distribution_kernels[] = "a distribution's kernels";

struct levy_cuda_distribution {
    levy_device *device;
    levy_distribution_law law;
    void *module, *functions[2]; /* draw, invert */
    levy_cuda_pointer table;     /* 0: the law has none */
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

static levy_status distribution_write(void *object, levy_kernel *kernel, char *why)
{
    static const char *const names[] = {
        "exponential",    "normal", "gamma",           "Poisson", "non-central chi-square",
        "gamma by table", "beta",   "inverse Gaussian"};
    const levy_cuda_distribution *const d = object;
    (void)why;
    levy_distribution_shape_write(&d->law, kernel->text, sizeof kernel->text);
    kernel->single = d->law.single;
    snprintf(kernel->id.label, sizeof kernel->id.label, "%s %s, %s deviates",
             d->device->source.target.architecture, kernel->single ? "single" : "double",
             names[d->law.law]);
    return LEVY_OK;
}

static levy_status distribution_load(void *object, const levy_kernel *kernel, char *why)
{
    static const char *const names[] = {"levy_distribution_draw", "levy_distribution_invert"};
    levy_cuda_distribution *const d = object;
    const levy_draw_table *const t = &d->law.table;
    LEVY_TRY(levy_standalone_load(d->device, kernel, distribution_kernels, names, 2, &d->module,
                                  d->functions, why));
    d->made = (levy_kernel_made){.kernel = "tiles of 4,096 draws a block", .paths_per_thread = 1};
    levy_standalone_measure(d->device, d->functions[0], LEVY_DISTRIBUTION_THREADS, 0, kernel,
                            &d->made);
    return t->rows ? levy_standalone_upload(d->device, t->rows, t->bytes, "a distribution's table",
                                            &d->table, why)
                   : LEVY_OK;
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
    const levy_status status = levy_standalone_make(
        device,
        &(levy_standalone_maker){distribution_kernels, d, distribution_write, distribution_load},
        why);
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
    const bool one_each = call->words || l->law == LEVY_DRAW_NONCENTRAL;
    const uint64_t each = one_each ? LEVY_DISTRIBUTION_THREADS : LEVY_DISTRIBUTION_TILE;
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

/* Blocks that look normals up fill shared memory first, so they are few and stay. */
static uint32_t distribution_most(const levy_cuda_distribution *d)
{
    const levy_distribution_law *const l = &d->law;
    const bool looks_up = !l->single && l->law >= LEVY_DRAW_NORMAL && !distribution_is_few(l) &&
                          !levy_draw_is_tabulated(l->law);
    return looks_up ? (uint32_t)d->device->sm_count * DISTRIBUTION_RESIDENT
                    : (uint32_t)DISTRIBUTION_MOST_BLOCKS;
}

levy_status levy_cuda_distribution_run(levy_cuda_distribution *d,
                                       const levy_distribution_call *call, char *why)
{
    levy_distribution_arguments arguments;
    const uint32_t most = distribution_most(d),
                   all = levy_distribution_launch_write(&d->law, call, d->table, &arguments),
                   blocks = all < most ? all : most;
    return levy_standalone_launch(d->device, d->functions[call->words != NULL],
                                  (levy_standalone_grid){blocks, 1, LEVY_DISTRIBUTION_THREADS, 0},
                                  call->stream, (void *[]){&arguments}, "a distribution", why);
}
