/* shape_draws.c: see shape_parts.h: draws of a path and the words that a CTA makes for them: how
 * many rows, blocks and columns at a time. Must not know: payoffs. */
#include "kernels/cuda/compile/shape_parts.h"

#include "engine/run/backend.h"
#include "models/jumps.h"
#include "models/kinds.h"

#include <stdio.h>

enum {
    SHAPE_WHOLE = 8 << 10,   /* bytes of base words, up to which all rows' are ready at once */
    SHAPE_ALONE = 20,        /* assets, above which shared memory is left to products */
    SHAPE_NARROW = 96 << 10, /* bytes of base words, above which they are of one row alone */
    SHAPE_SLOTS = 8,         /* warps of a CTA: columns that are merged at the same time */
    SHAPE_FEW_SLOTS = 2,     /* the same beside what warps show themselves under PCA */
    SHAPE_ROUND = 2 * SHAPE_SLOTS, /* most columns of a round, blocks times outputs */
    SHAPE_AHEAD_SINGLE = 32,       /* least nodes for an event that is found ahead */
    SHAPE_AHEAD_DOUBLE = 8,
    SHAPE_TOGETHER = 384, /* arrivals that the threads of a warp find together */
    SHAPE_LOW = 16 << 10  /* most bytes of more than 8 low words a draw, in double */
};

/* Are a single count's events so few that a thread finds them ahead of the nodes? Finding one takes
 * as long as some nodes gain. H200, 64 dates, one and three events, G path-steps/s: ahead 434 and
 * 217 in single, 143 and 108 in double; at the nodes 349 and 237, 128 and 102. The arrivals'
 * first word says the chance of none, in 2^-32. On the way to a single node there is nothing to
 * find. */
bool levy_shape_looks_ahead(const levy_image *image)
{
    const levy_image_part *const arrivals = &image->parts[LEVY_PART_ARRIVALS];
    const bool varies = image->model == (LEVY_MODEL_ARRIVALS | LEVY_MODEL_HESTON);
    if ((image->model != LEVY_MODEL_ARRIVALS && !varies) || image->n_counts != 1 ||
        arrivals->constants[2] != 1 || arrivals->constants[3] >> LEVY_ARRIVALS_MOVES)
        return false;
    if (image->n_nodes == 1) return !varies;
    const uint32_t none = *LEVY_IMAGE_AT(uint32_t, image, parts[LEVY_PART_ARRIVALS].words),
                   each = image->precision ? SHAPE_AHEAD_SINGLE : SHAPE_AHEAD_DOUBLE;
    double least = 0x1p32; /* for an event in so many nodes */
    for (uint32_t node = each; node <= image->n_nodes && least >= 1.0; node += each)
        least *= 0.36787944117144233;
    return none > 0 && none >= least;
}

/* In single a mark does not depend on the interval (jump_together.h), so others may find that. */
uint32_t levy_shape_finds_together(const levy_image *image)
{
    const bool can = image->precision && image->n_nodes > 1 && image->n_nodes <= LEVY_LOOK_FAR &&
                     image->generator == 0 && image->n_padded == 0;
    return can && levy_shape_looks_ahead(image) ? SHAPE_TOGETHER : 0;
}

/* A single step in single with a single count, whose normals are most of the work. */
bool levy_shape_jumps_once(const levy_image *image)
{
    return image->n_nodes == 1 && image->precision && levy_shape_looks_ahead(image);
}

/* Its draw for the sum of normal marks. */
uint32_t levy_shape_normal_mark(const levy_image *image)
{
    const bool normal = image->parts[LEVY_PART_ARRIVALS].constants[1] == 1u << JUMPS_NORMAL;
    return levy_shape_jumps_once(image) && normal ? image->n_factors + 1 : 0;
}

size_t levy_shape_real(const levy_image *image)
{
    return image->precision ? sizeof(float) : sizeof(double);
}

bool levy_shape_is_components(const levy_image *image)
{
    return image->construction == SHAPE_COMPONENTS && image->n_nodes > 1;
}

/* Draws of a path that local memory holds, rounded up to a power of two so that grids share
 * kernels: those of mrg32k3a, whose words come in the order of time alone, where another is wanted;
 * 0: none. */
uint32_t levy_shape_room(const levy_image *image)
{
    uint32_t room = 8;
    if (image->generator != SHAPE_MRG ||
        (image->construction == SHAPE_INCREMENTAL && !image->auxiliary))
        return 0;
    while (room < image->n_draws) room *= 2;
    return room;
}

levy_status levy_shape_accepts(const levy_image *image, char *why)
{
    uint32_t depth = 0; /* 2 ceil(log2 n) */
    while ((uint64_t)1 << (depth / 2) < image->n_nodes) depth += 2;
    if (depth > LEVY_MAX_STACK - 1) depth = LEVY_MAX_STACK - 1;
    if (depth == 0) depth = 1;
    if (image->n_draws > LEVY_SHAPE_ROOM && levy_shape_room(image) > 0)
        snprintf(why, LEVY_REASON_SIZE,
                 "on a GPU mrg32k3a other than incremental takes up to %d draws a path, but these "
                 "paths have %u; the CPU prices them",
                 LEVY_SHAPE_ROOM, (unsigned)image->n_draws);
    else if (image->n_functionals * image->n_factors > LEVY_SHAPE_FUNCTIONALS)
        snprintf(why, LEVY_REASON_SIZE,
                 "on a GPU the functionals of a bridge take up to %d draws, but these take %u; the "
                 "CPU prices them",
                 LEVY_SHAPE_FUNCTIONALS, (unsigned)(image->n_functionals * image->n_factors));
    else if (image->construction == SHAPE_ORDERED && image->stack - 1 > depth)
        snprintf(
            why, LEVY_REASON_SIZE,
            "this build order keeps %u dates at a time, but a GPU can keep %u; the CPU prices it",
            (unsigned)image->stack - 1, (unsigned)depth);
    else
        return LEVY_OK;
    return LEVY_UNSUPPORTED;
}

/* Black-Scholes in one step, on Sobol points' first dimension. */
bool levy_shape_holds_cells(const levy_image *image)
{
    return image->generator == 0 && image->n_padded == 0 && image->precision &&
           image->n_draws == 1 && !image->model && !image->integrated;
}

/* Long paths have base words of the first of a thread's rows alone. Models read words of a path by
 * themselves. */
bool levy_shape_is_narrow(const levy_image *image, uint32_t lanes)
{
    return image->generator == 0 && !image->model && lanes > 1 &&
           4 * (uint64_t)lanes * image->n_draws > SHAPE_NARROW;
}

uint64_t levy_shape_base_bytes(const levy_image *image, uint32_t lanes)
{
    const uint64_t ends = levy_shape_holds_cells(image) ? 2 * LEVY_BLOCK_ROWS : 0,
                   rows = levy_shape_is_narrow(image, lanes) ? 1 : lanes;
    return (4 * rows * image->n_draws + 4 * ends + 15) / 16 * 16;
}

/* Are the base words of all rows of a block made at once? Those of short paths are, which saves
 * barriers. */
bool levy_shape_is_whole(const levy_image *image)
{
    return image->generator == 0 && !levy_shape_is_narrow(image, LEVY_BLOCK_ROWS) &&
           levy_shape_base_bytes(image, LEVY_BLOCK_ROWS) <= SHAPE_WHOLE;
}

uint32_t levy_shape_shared_low(const levy_image *image, uint32_t lanes)
{
    static const uint32_t words[] = {32, 20, 8}; /* SOBOL_DOUBLE, SOBOL_TRIPLE, SOBOL_SINGLE */
    const uint64_t base = levy_shape_base_bytes(image, lanes);
    const bool can = image->generator == 0 && image->n_assets <= SHAPE_ALONE;
    /* Paths' lists of jumps lie in local memory, whose cache is what shared memory leaves over.
     * merton64_f32 on an NVIDIA H100: 32 words 627, 20 words 632 G path-steps/s. */
    const bool lists = image->precision && image->n_counts > 0 && image->n_draws >= SHAPE_SHORT;
    for (size_t i = lists ? 1 : 0; can && i < sizeof words / sizeof *words; ++i) {
        const uint64_t bytes = 4 * (uint64_t)words[i] * image->n_draws;
        /* in double the table of normals gains more from shared memory */
        if (levy_shape_is_exact(image) && words[i] > 8 && bytes > SHAPE_LOW) continue;
        if (base + bytes <= LEVY_SHAPE_SHARED_STATIC) return words[i];
    }
    return 0;
}

/* Short paths run in rounds of several blocks, which CTAs do not share. Segments of the integrated
 * normal make a path long, however few its draws are; so do roots of averages. */
static bool shape_is_short(const levy_image *image)
{
    const bool is_long = (image->integrated && image->n_scripts > 0) || image->kept > 0;
    return image->n_draws < SHAPE_SHORT && !is_long;
}

/* Blocks of a round: for short paths, as many as there are warps that can merge their sums, in two
 * turns at most; else 1. */
uint32_t levy_shape_round(const levy_image *image, const levy_tile *tile)
{
    const bool ready = image->generator != 0 || levy_shape_is_whole(image);
    const uint32_t most = tile->n_outputs ? SHAPE_ROUND / tile->n_outputs : 0;
    if (!ready || !shape_is_short(image) || most == 0) return 1;
    return most < SHAPE_SLOTS ? most : SHAPE_SLOTS;
}

/* Sets of columns that stand in shared memory at the same time: those of all outputs of all blocks
 * of a round, or of a group of outputs. */
uint32_t levy_shape_slots(const levy_image *image, const levy_tile *tile)
{
    const uint32_t round = levy_shape_round(image, tile);
    const uint32_t wanted = round * tile->n_outputs;
    const uint32_t most =
        levy_shape_is_components(image) && !shape_is_short(image) ? SHAPE_FEW_SLOTS : SHAPE_SLOTS;
    return wanted < most || round > 1 ? wanted : most;
}

uint32_t levy_shape_split(const levy_image *image, uint32_t lanes)
{
    return shape_is_short(image) ? 1 : LEVY_BLOCK_ROWS / lanes;
}

uint32_t levy_shape_chunk(const levy_image *image)
{
    /* 128 blocks: 970 G paths/s; 64 blocks: 953 (H200) */
    if (levy_shape_holds_cells(image)) return 16 * SHAPE_SLOTS;
    return shape_is_short(image) ? 8 * SHAPE_SLOTS : SHAPE_SLOTS;
}
