/* cpu_scratch.h: the memory of a thread that runs blocks, and where it has each array. Part of
 * cpu_isa.c, which alone includes it. */

typedef struct cpu_scratch { /* arrays follow, each aligned to 64 bytes */
    uint32_t *base;          /* [draw], room to a multiple of 16 */
    lane_word *low;          /* [draw] */
    path_link *links;        /* [entry] */
    lane *counts;            /* [node][count], from the start on */
    lane *drivers;        /* [node][factor], from the start on; PCA: normals, [component][factor] */
    lane *normals, *sums; /* [entry][factor], [functional][factor]: where functionals come first */
    lane *kept;           /* [item of a tile][kept]: what items carry beside their states */
    lane *first;          /* [node]: gross returns of the first dynamics */
    lane_word *ahead;     /* [draw]: mrg32k3a */
    lane *frames;         /* of programs (cpu_scripts.h) */
    script_step *steps;
    cpu_wide *mean, *m2; /* [column / LANES][output] */
    /* from one lane's to the next, where a loop takes several at a time */
    size_t base_pitch, drivers_pitch, kept_pitch;
} cpu_scratch;

static size_t cpu_align(size_t size) { return (size + 63) & ~(size_t)63; }

#include "kernels/cpu/cpu_scripts.h"

/* An array of so many bytes from the address *at on, which moves behind it. */
static void *cpu_lay(uintptr_t *at, size_t bytes)
{
    void *const array = (void *)*at;
    *at += cpu_align(bytes);
    return array;
}

/* All but PCA. */
static bool cpu_is_linked(const levy_image *image) { return image->construction != 2; }

static size_t cpu_links_size(const levy_image *image)
{
    return cpu_is_linked(image)
               ? image->n_nodes * sizeof(path_link) + ((size_t)image->stack + 1) * sizeof(uint32_t)
               : 0;
}

/* The lanes that a loop of the image's may take at a time. */
static size_t cpu_most_abreast(const levy_image *image)
{
    return image->model == LEVY_MODEL_HESTON && image->n_assets == 1 ? CPU_ABREAST : 1;
}

/* Lays the arrays out from the address *at on, which moves behind them. */
static cpu_scratch cpu_scratch_lay(const levy_image *image, uint32_t n_outputs, uintptr_t *at)
{
    const size_t nodes = image->n_nodes, factors = image->n_factors,
                 sobol = image->generator == POINTS_SOBOL ? image->n_draws : 0,
                 mrg = image->generator == POINTS_MRG ? image->n_draws : 0,
                 items = image->n_items < LEVY_MAX_TILE ? image->n_items : (size_t)LEVY_MAX_TILE,
                 abreast = cpu_most_abreast(image),
                 columns = (size_t)n_outputs * LEVY_COLUMNS * sizeof(double);
    cpu_scratch s;
    size_t frames, steps;
    cpu_scripts_size(image, &frames, &steps);
    s.frames = cpu_lay(at, frames);
    s.steps = cpu_lay(at, steps);
    s.base_pitch = cpu_align(4 * sobol + 64) / 4;
    s.base = cpu_lay(at, abreast * 4 * s.base_pitch);
    s.low = cpu_lay(at, sobol * sizeof(lane_word));
    s.links = cpu_lay(at, cpu_links_size(image));
    s.drivers_pitch = (nodes + 1) * factors;
    s.drivers = cpu_lay(at, abreast * s.drivers_pitch * sizeof(lane));
    s.normals = cpu_lay(at, image->n_functionals ? nodes * factors * sizeof(lane) : 0);
    s.sums = cpu_lay(at, image->n_functionals * factors * sizeof(lane));
    s.kept_pitch = items * image->kept;
    s.kept = cpu_lay(at, abreast * s.kept_pitch * sizeof(lane));
    s.first = cpu_lay(at, levy_image_grows(image) ? (nodes + 3) * sizeof(lane) : 0);
    s.counts = cpu_lay(at, (nodes + 1) * image->n_counts * sizeof(lane));
    s.ahead = cpu_lay(at, mrg * sizeof(lane_word));
    s.mean = cpu_lay(at, columns);
    s.m2 = cpu_lay(at, columns);
    return s;
}

static size_t cpu_scratch_size(const levy_image *image, uint32_t n_outputs)
{
    uintptr_t end = 0;
    (void)cpu_scratch_lay(image, n_outputs, &end);
    return end;
}
