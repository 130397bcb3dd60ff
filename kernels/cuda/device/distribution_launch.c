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

typedef struct cuda_distribution {
    levy_cuda_object object; /* data: the law's table */
    void *functions[2];      /* draw, invert */
} cuda_distribution;

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
    const levy_cuda_object *const o = object;
    const levy_distribution_law *const l = o->tables;
    (void)why;
    levy_distribution_shape_write(l, kernel->text, sizeof kernel->text);
    kernel->single = l->single;
    snprintf(kernel->id.label, sizeof kernel->id.label, "%s %s, %s deviates",
             o->device->source.target.architecture, kernel->single ? "single" : "double",
             names[l->law]);
    return LEVY_OK;
}

static levy_status distribution_load(void *object, const levy_kernel *kernel, char *why)
{
    static const char *const names[] = {"levy_distribution_draw", "levy_distribution_invert"};
    cuda_distribution *const d = object;
    levy_cuda_object *const o = &d->object;
    const levy_draw_table *const t = &((const levy_distribution_law *)o->tables)->table;
    LEVY_TRY(levy_standalone_load(o, kernel, names, 2, d->functions, why));
    o->made = (levy_kernel_made){.kernel = "tiles of 4,096 draws a block", .paths_per_thread = 1};
    levy_standalone_measure(o, d->functions[0], LEVY_DISTRIBUTION_THREADS, 0, kernel);
    return t->rows ? levy_standalone_upload(o->device, t->rows, t->bytes, "a distribution's table",
                                            &o->data, why)
                   : LEVY_OK;
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
static uint32_t distribution_most(const levy_distribution_law *l, const levy_device *device)
{
    const bool looks_up = !l->single && l->law >= LEVY_DRAW_NORMAL && !distribution_is_few(l) &&
                          !levy_draw_is_tabulated(l->law);
    return looks_up ? (uint32_t)device->sm_count * DISTRIBUTION_RESIDENT
                    : (uint32_t)DISTRIBUTION_MOST_BLOCKS;
}

static levy_status distribution_call(void *object, const void *given, char *why)
{
    cuda_distribution *const d = object;
    levy_cuda_object *const o = &d->object;
    const levy_distribution_call *const call = given;
    levy_distribution_arguments arguments;
    const uint32_t most = distribution_most(o->tables, o->device),
                   all = levy_distribution_launch_write(o->tables, call, o->data, &arguments),
                   blocks = all < most ? all : most;
    return levy_standalone_launch(o, d->functions[call->words != NULL],
                                  (levy_standalone_grid){blocks, 1, LEVY_DISTRIBUTION_THREADS, 0},
                                  call->stream, (void *[]){&arguments}, why);
}

const levy_cuda_kind levy_cuda_distribution = {
    .name = "a distribution",
    .doing = "making a distribution",
    .kernels = "a distribution's kernels",
    .size = sizeof(cuda_distribution),
    .write = distribution_write,
    .load = distribution_load,
    .run = distribution_call,
};
