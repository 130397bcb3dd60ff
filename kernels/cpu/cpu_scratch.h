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
} cpu_scratch;

static size_t cpu_align(size_t size) { return (size + 63) & ~(size_t)63; }

#include "kernels/cpu/cpu_scripts.h"

/* all but PCA */
static bool cpu_is_linked(const levy_image *image) { return image->construction != 2; }
static size_t cpu_links_size(const levy_image *image)
{
    return cpu_is_linked(image) ? cpu_align(image->n_nodes * sizeof(path_link) +
                                            ((size_t)image->stack + 1) * sizeof(uint32_t))
                                : 0;
}
static size_t cpu_drivers_size(const levy_image *image)
{
    return cpu_align(((size_t)image->n_nodes + 1) * image->n_factors * sizeof(lane));
}
static size_t cpu_normals_size(const levy_image *image)
{
    return image->n_functionals
               ? cpu_align((size_t)image->n_nodes * image->n_factors * sizeof(lane))
               : 0;
}
static size_t cpu_sums_size(const levy_image *image)
{
    return cpu_align((size_t)image->n_functionals * image->n_factors * sizeof(lane));
}
static size_t cpu_kept_size(const levy_image *image)
{
    const size_t most = image->n_items < LEVY_MAX_TILE ? image->n_items : (size_t)LEVY_MAX_TILE;
    return cpu_align(most * image->kept * sizeof(lane));
}
static size_t cpu_first_size(const levy_image *image)
{
    return levy_image_grows(image) ? cpu_align(((size_t)image->n_nodes + 3) * sizeof(lane)) : 0;
}
static size_t cpu_counts_size(const levy_image *image)
{
    return cpu_align(((size_t)image->n_nodes + 1) * image->n_counts * sizeof(lane));
}
static size_t cpu_ahead_size(const levy_image *image)
{
    return image->generator == POINTS_MRG ? cpu_align((size_t)image->n_draws * sizeof(lane_word))
                                          : 0;
}

static size_t cpu_scratch_size(const levy_image *image, uint32_t n_outputs)
{
    const size_t draws = image->generator == POINTS_SOBOL ? image->n_draws : 0;
    size_t frames, steps;
    cpu_scripts_size(image, &frames, &steps);
    return frames + steps + cpu_align(sizeof(cpu_scratch)) + cpu_align(4 * draws + 64) +
           cpu_align(sizeof(lane_word) * draws) + cpu_links_size(image) + cpu_drivers_size(image) +
           cpu_normals_size(image) + cpu_sums_size(image) + cpu_kept_size(image) +
           cpu_first_size(image) + cpu_counts_size(image) + cpu_ahead_size(image) +
           2 * cpu_align((size_t)n_outputs * LEVY_COLUMNS * sizeof(double));
}

static cpu_scratch cpu_scratch_at(const levy_image *image, uint32_t n_outputs, void *memory)
{
    const size_t draws = image->generator == POINTS_SOBOL ? image->n_draws : 0;
    char *at = (char *)memory;
    cpu_scratch s;
    size_t frames, steps;
    cpu_scripts_size(image, &frames, &steps);
    s.frames = (lane *)(void *)at;
    at += frames;
    s.steps = (script_step *)(void *)at;
    at += steps;
    s.base = (uint32_t *)(void *)at;
    at += cpu_align(4 * draws + 64);
    s.low = (lane_word *)(void *)at;
    at += cpu_align(sizeof(lane_word) * draws);
    s.links = (path_link *)(void *)at;
    at += cpu_links_size(image);
    s.drivers = (lane *)(void *)at;
    at += cpu_drivers_size(image);
    s.normals = (lane *)(void *)at;
    at += cpu_normals_size(image);
    s.sums = (lane *)(void *)at;
    at += cpu_sums_size(image);
    s.kept = (lane *)(void *)at;
    at += cpu_kept_size(image);
    s.first = (lane *)(void *)at;
    at += cpu_first_size(image);
    s.counts = (lane *)(void *)at;
    at += cpu_counts_size(image);
    s.ahead = (lane_word *)(void *)at;
    at += cpu_ahead_size(image);
    s.mean = (cpu_wide *)(void *)at;
    at += cpu_align((size_t)n_outputs * LEVY_COLUMNS * sizeof(double));
    s.m2 = (cpu_wide *)(void *)at;
    return s;
}
