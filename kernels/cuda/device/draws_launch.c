/* draws_launch.c: see draws_launch.h: which kernel, with how many warps to a block, and over how
 * many rows of the launch the draws of a path are spread. */
#include "kernels/cuda/device/draws_launch.h"
#include "kernels/cuda/device/standalone.h"

#include <stdio.h>

enum {
    DRAWS_WARP = 32,
    DRAWS_EACH_BELOW_SINGLE = 12, /* items below which a thread per path is faster (on an H200) */
    DRAWS_EACH_BELOW_DOUBLE = 8,
    DRAWS_NARROW = 64, /* items up to which loads of four would leave half the lanes idle */
    DRAWS_WARPS = 16,  /* of a processor, below which more rows are launched */
    DRAWS_WORTH = 4,   /* draws of a row for each block of items that it sums anew */
    DRAWS_MOST_ROWS = 65535
};
static const uint64_t DRAWS_MOST_PATHS = (uint64_t)1 << 36, DRAWS_MOST_STRIDE = (1u << 29) - 1;

typedef struct cuda_draws {
    levy_cuda_object object;
    bool single;
    void *functions[LEVY_DRAWS_KERNELS];
} cuda_draws;

/* ---- A launch -------------------------------------------------------------------------------- */

static size_t draws_number(const levy_butterfly_draws *d)
{
    return d->single ? sizeof(float) : sizeof(double);
}

/* The most weights per load for which all rows begin and end at multiples of a load. */
static uint32_t draws_vector(const levy_butterfly_draws *d, const levy_draws_arguments *a)
{
    const size_t number = draws_number(d);
    const uint64_t odd = a->theta | a->phi | a->theta_bytes | a->phi_bytes | d->n_items * number;
    uint32_t n = d->n_items <= DRAWS_NARROW ? 2 : (uint32_t)(16 / number);
    while (n > 1 && odd % (n * number) != 0) n /= 2;
    return n;
}

static levy_draws_kernel draws_kernel(const levy_butterfly_draws *d, uint32_t vector)
{
    const uint32_t few = d->single ? DRAWS_EACH_BELOW_SINGLE : DRAWS_EACH_BELOW_DOUBLE;
    if (d->n_paths < DRAWS_WARP || d->n_items < few) return LEVY_DRAWS_EACH;
    if (d->n_items <= LEVY_BUTTERFLY_BLOCK) return LEVY_DRAWS_BLOCK;
    if (vector == 4) return LEVY_DRAWS_FOUR;
    return vector == 2 ? LEVY_DRAWS_TWO : LEVY_DRAWS_ONE;
}

/* Bytes of shared memory that a warp needs for the sums to the end of each block of items. */
static uint32_t draws_warp_bytes(const levy_butterfly_draws *d, levy_draws_kernel kernel)
{
    const uint32_t number = (uint32_t)draws_number(d),
                   blocks = (d->n_items + LEVY_BUTTERFLY_BLOCK - 1) / LEVY_BUTTERFLY_BLOCK;
    if (kernel == LEVY_DRAWS_BLOCK) return 0;
    if (kernel == LEVY_DRAWS_EACH || kernel == LEVY_DRAWS_ONE) return blocks * DRAWS_WARP * number;
    const uint32_t vector = kernel == LEVY_DRAWS_FOUR ? 4 : 2;
    return (blocks + vector - 1) / vector * vector * number *
           (d->single ? DRAWS_WARP + DRAWS_WARP / vector : DRAWS_WARP);
}

/* Draws of a path per row of the launch: all of them if the paths fill the GPU by themselves. */
static uint32_t draws_together(const levy_butterfly_draws *d, int processors)
{
    const uint64_t blocks = (d->n_items + LEVY_BUTTERFLY_BLOCK - 1) / LEVY_BUTTERFLY_BLOCK,
                   warps = (d->n_paths + DRAWS_WARP - 1) / DRAWS_WARP,
                   wanted = (uint64_t)processors * DRAWS_WARPS / warps,
                   worth = d->n_draws / (DRAWS_WORTH * blocks);
    uint64_t rows = wanted < worth ? wanted : worth;
    if (rows < 1) rows = 1;
    if (rows > DRAWS_MOST_ROWS) rows = DRAWS_MOST_ROWS;
    return (uint32_t)((d->n_draws + rows - 1) / rows);
}

void levy_draws_launch_write(const levy_draws_call *call, int processors, levy_draws_launch *l)
{
    const levy_butterfly_draws *const d = &call->draws;
    levy_draws_arguments *const a = &l->arguments;
    *a = (levy_draws_arguments){.theta = (uintptr_t)d->theta,
                                .phi = (uintptr_t)d->phi,
                                .states = (uintptr_t)d->states,
                                .words = (uintptr_t)d->words,
                                .items = (uintptr_t)d->items,
                                .fault = (uintptr_t)call->fault,
                                .n_paths = d->n_paths,
                                .seed = call->seed,
                                .first_path = call->first_path,
                                .first_draw = call->first_draw,
                                .theta_bytes = (uint32_t)(d->theta_stride * draws_number(d)),
                                .phi_bytes = (uint32_t)(d->phi_stride * draws_number(d)),
                                .n_items = d->n_items,
                                .n_states = d->n_states,
                                .n_draws = d->n_draws,
                                .together = draws_together(d, processors)};
    l->kernel = draws_kernel(d, draws_vector(d, a));
    const uint32_t warp_bytes = draws_warp_bytes(d, l->kernel);
    uint32_t warps = LEVY_DRAWS_THREADS / DRAWS_WARP;
    while (warps > 1 && (warps * warp_bytes > LEVY_DRAWS_SHARED || d->n_paths < DRAWS_WARP))
        warps /= 2;
    l->threads = warps * DRAWS_WARP;
    l->shared_bytes = warps * warp_bytes;
    l->blocks = (uint32_t)((d->n_paths + l->threads - 1) / l->threads);
    l->rows = (d->n_draws - 1) / a->together + 1;
}

/* ---- The kernels ----------------------------------------------------------------------------- */

void levy_draws_shape_write(bool single, char *text, size_t size)
{
    snprintf(text, size, "#define DRAWS_KERNELS\n#define LEVY_LANES 1\n%s",
             single ? "#define DRAWS_SINGLE\n" : "");
}

static levy_status draws_write(void *object, levy_kernel *kernel, char *why)
{
    const cuda_draws *const s = object;
    (void)why;
    levy_draws_shape_write(s->single, kernel->text, sizeof kernel->text);
    snprintf(kernel->id.label, sizeof kernel->id.label, "%s %s, draws",
             s->object.device->source.target.architecture, s->single ? "single" : "double");
    return LEVY_OK;
}

static levy_status draws_load(void *object, const levy_kernel *kernel, char *why)
{
    static const char *const names[LEVY_DRAWS_KERNELS] = {
        "levy_draws_each", "levy_draws_block", "levy_draws_one",
        "levy_draws_two",  "levy_draws_four",
    };
    cuda_draws *const s = object;
    const int count = LEVY_DRAWS_KERNELS - !s->single;
    LEVY_TRY(levy_standalone_load(&s->object, kernel, names, (size_t)count, s->functions, why));
    for (int i = 0; i < count; ++i)
        if (i != LEVY_DRAWS_BLOCK)
            LEVY_TRY(levy_standalone_share(&s->object, s->functions[i], LEVY_DRAWS_SHARED, why));
    return LEVY_OK;
}

static levy_status draws_prepare(void *object, char *why)
{
    cuda_draws *const s = object;
    (void)why;
    s->single = *(const int *)s->object.tables != 0;
    return LEVY_OK;
}

static levy_status draws_call(void *object, const void *given, char *why)
{
    cuda_draws *const s = object;
    const levy_draws_call *const call = given;
    const levy_butterfly_draws *const d = &call->draws;
    levy_draws_launch l;
    if (d->n_paths > DRAWS_MOST_PATHS || d->theta_stride > DRAWS_MOST_STRIDE ||
        d->phi_stride > DRAWS_MOST_STRIDE)
        return snprintf(why, LEVY_REASON_SIZE,
                        "a GPU takes up to 2^36 paths, and rows less than 2^29 numbers apart"),
               LEVY_UNSUPPORTED;
    levy_draws_launch_write(call, s->object.device->sm_count, &l);
    return levy_standalone_launch(
        &s->object, s->functions[l.kernel],
        (levy_standalone_grid){l.blocks, l.rows, l.threads, l.shared_bytes}, call->stream,
        (void *[]){&l.arguments}, why);
}

const levy_cuda_kind levy_cuda_draws = {
    .name = "draws",
    .doing = "loading draws",
    .kernels = "the draws' kernels",
    .size = sizeof(cuda_draws),
    .prepare = draws_prepare,
    .write = draws_write,
    .load = draws_load,
    .run = draws_call,
};
