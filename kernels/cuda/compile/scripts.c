/* scripts.c: see scripts.h, and scripts_parts.h. What a kernel's programs need, and how it runs
 * them. Must not know: shapes, compilers, texts. */
#include "kernels/cuda/compile/scripts_parts.h"

#include "engine/script/postpone.h"

enum {
    SCRIPTS_NUMBER = 0xffff, /* bits of a variant */
    /* So few segments of one item alone stay in the first cache while the path goes on. H200, ms of
     * 2^20 paths in single, on the path and after it: autocallable 0.28, 0.74, range accrual 1.24,
     * 2.88; a note with up to 128 segments on three assets (2^18 paths) 6.5, 5.1. */
    SCRIPTS_FEW = 16,
    /* Bytes of the items' numbers at all nodes that stay in the first cache. H200, ms without and
     * with a copy: 774 KB 113, 98.6; 320 KB 43.8, 41.0; 160 KB 24.6, 27.6; few 7.6, 8.6. */
    SCRIPTS_FIRST_CACHE = 256 << 10,
    SCRIPTS_ALONE =
        64 << 10,         /* the same of one item alone, whose kernels grids of few dates share */
    SCRIPTS_FACTORS = 16, /* most factors of a table of thresholds */
    /* Most bytes of a path's segments in shared memory, which leave cache, and room for a CTA on
     * GPUs of 99 KiB. H200, 29 items of 756 dates: 96 43.1, 128 42.9, 192 42.6 ms. */
    SCRIPTS_NEAR = 128
};

const levy_image_item *levy_scripts_item(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    return LEVY_IMAGE_AT(levy_image_item, image, items) + tile->first_item + i;
}

bool levy_scripts_has(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    return levy_scripts_item(image, tile, i)->traits & LEVY_ITEM_SCRIPT;
}

static uint32_t scripts_number(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    return levy_scripts_item(image, tile, i)->variant & SCRIPTS_NUMBER;
}

uint32_t levy_scripts_states_of(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    if (!levy_scripts_has(image, tile, i)) return 0;
    return levy_image_program(image, levy_scripts_item(image, tile, i))->n_states;
}

uint32_t levy_scripts_states(const levy_image *image, const levy_tile *tile)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        const uint32_t states = levy_scripts_states_of(image, tile, i);
        if (states > most) most = states;
    }
    return most;
}

uint32_t levy_scripts_deferred(const levy_image *image, const levy_tile *tile)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        if (!levy_scripts_has(image, tile, i)) return 0;
        const levy_script_program *const p =
            levy_image_program(image, levy_scripts_item(image, tile, i));
        if (p->n_left == 0 || (tile->n_items == 1 && p->n_segments <= SCRIPTS_FEW)) return 0;
        if (p->n_left > most) most = p->n_left;
    }
    return most;
}

bool levy_scripts_redistributes(const levy_image *image, const levy_tile *tile)
{
    return tile->n_items > 1 && levy_scripts_deferred(image, tile) > 0;
}

/* Nodes that are dates of one of the schedule's. */
static uint32_t scripts_dates(const levy_image *image, const levy_image_item *item,
                              uint32_t schedule)
{
    const uint32_t *const flags = LEVY_IMAGE_AT(uint32_t, image, flags);
    uint32_t dates = 0;
    for (uint32_t node = 0; node < image->n_nodes; ++node)
        dates += flags[node] >> item->flag >> schedule & 1;
    return dates;
}

uint32_t levy_scripts_deferred_lanes(const levy_image *image, const levy_tile *tile)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        const levy_image_item *const item = levy_scripts_item(image, tile, i);
        const levy_script_program *const p = levy_image_program(image, item);
        uint32_t lanes = 1; /* for the end */
        for (uint32_t b = 0; b < p->n_blocks; ++b) {
            const levy_script_block *const block = LEVY_SCRIPT_PROGRAM_BLOCKS(p) + b;
            if (block->n > block->n_before)
                lanes +=
                    levy_script_lanes_left(p, block) * scripts_dates(image, item, block->schedule);
        }
        if (lanes > most) most = lanes;
    }
    return most;
}

levy_scripts_count levy_scripts_numbers(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    const levy_image_item *const item = levy_scripts_item(image, tile, i);
    if (levy_scripts_deferred(image, tile) == 0) return (levy_scripts_count){0, 0};
    return (levy_scripts_count){item->n_node_terms, item->n_constants};
}

bool levy_scripts_same_dates(const levy_image *image, const levy_tile *tile)
{
    const levy_image_item *const first = levy_scripts_item(image, tile, 0);
    if (levy_scripts_deferred(image, tile) == 0) return false;
    for (uint32_t i = 1; i < tile->n_items; ++i) {
        const levy_image_item *const item = levy_scripts_item(image, tile, i);
        if (item->flag != first->flag || item->n_flags != first->n_flags ||
            scripts_number(image, tile, i) != scripts_number(image, tile, 0))
            return false;
    }
    return true;
}

/* Bytes of the items' numbers at all nodes. */
static uint64_t scripts_numbers_bytes(const levy_image *image, const levy_tile *tile)
{
    return (uint64_t)image->n_nodes * tile->n_items *
           levy_scripts_numbers(image, tile, 0).node_terms *
           (image->precision ? sizeof(float) : sizeof(double));
}

/* The thresholds that a table has; none where returns are not drifts and factors times drivers. */
levy_thresholds levy_scripts_thresholds(const levy_image *image, const levy_tile *tile)
{
    const bool can = image->precision && image->n_assets > 1 &&
                     image->n_assets <= SCRIPTS_FACTORS && image->n_factors <= SCRIPTS_FACTORS &&
                     !image->covariance && !image->model && !image->has_cash && !image->has_elapsed;
    if (!can || !levy_scripts_same_dates(image, tile) ||
        (tile->n_items == 1 && scripts_numbers_bytes(image, tile) <= SCRIPTS_ALONE))
        return (levy_thresholds){.n = 0};
    const levy_thresholds all = levy_thresholds_of(
        levy_image_program(image, levy_scripts_item(image, tile, 0)), image->n_factors);
    const uint64_t reals =
        (uint64_t)tile->n_items * all.numbers + (uint64_t)tile->n_dynamics * all.rows;
    return reals * sizeof(float) <= LEVY_NODE_NUMBERS ? all : (levy_thresholds){.n = 0};
}

bool levy_scripts_tables(const levy_image *image, const levy_tile *tile)
{
    return levy_scripts_thresholds(image, tile).n > 0;
}

bool levy_scripts_copies(const levy_image *image, const levy_tile *tile)
{
    return levy_scripts_same_dates(image, tile) && !levy_scripts_tables(image, tile) &&
           scripts_numbers_bytes(image, tile) > SCRIPTS_FIRST_CACHE;
}

/* Does a lower-tail step read nothing but constants, their own states, and what those before
 * it have made? */
static bool scripts_reads_own(const levy_script_program *p, const levy_script_step *steps,
                              uint32_t k)
{
    const uint16_t operands[] = {steps[k].a, steps[k].b, steps[k].c};
    for (uint32_t i = 0; i < levy_script_operands(steps[k].op); ++i) {
        const uint32_t at = operands[i] & LEVY_SCRIPT_AT;
        bool made = operands[i] > 0 && operands[i] < 64 && p->own >> (operands[i] - 1) & 1;
        for (uint32_t j = 0; j < k; ++j) made |= steps[j].to == operands[i];
        if (at != LEVY_SCRIPT_AT_CONSTANT && (at != 0 || !made)) return false;
    }
    return steps[k].op > LEVY_SCRIPT_LEVEL && steps[k].op < LEVY_SCRIPT_SPLIT;
}

/* Do the block's conditions change at normals that its first steps have made? */
static bool scripts_splits_early(const levy_script_program *p, const levy_script_block *block)
{
    const levy_script_step *step[LEVY_SCRIPT_REGISTERS];
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first;
    const uint32_t n = levy_script_leaves(p, block, step);
    for (uint32_t k = block->n_before; k < block->n; ++k) {
        bool early = false;
        if (steps[k].op != LEVY_SCRIPT_SPLIT) continue;
        for (uint32_t i = 0; i < n; ++i) early |= step[i]->to == steps[k].a;
        for (uint32_t i = block->n_before; i < block->n; ++i)
            early &= steps[i].op == LEVY_SCRIPT_WHERE || steps[i].to != steps[k].a;
        if (!early) return false;
    }
    return true;
}

/* Do lower-tail segments take the same steps, which know no date, whenever they take any? Then they
 * need not take them before they are read. That may keep two segments apart which others join, so
 * that the last bits differ. */
bool levy_scripts_waits(const levy_image *image, const levy_script_program *p)
{
    uint32_t n = 0;
    if (!image->precision || p->n_splits > LEVY_SCRIPT_CUTS) return false;
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        const levy_script_block *const block = LEVY_SCRIPT_PROGRAM_BLOCKS(p) + b;
        const levy_script_step *const steps =
            LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first + block->n;
        if (!scripts_splits_early(p, block)) return false;
        if (block->lower_tail == LEVY_SCRIPT_NO_LOWER_TAIL || block->n_lower_tail == 0) continue;
        for (uint32_t k = 0; k < block->n_lower_tail; ++k)
            if (!scripts_reads_own(p, steps, k)) return false;
        ++n;
    }
    return n == 1;
}

/* Lanes of a segment that waits, in its stack (segments_stack.h). */
uint32_t levy_scripts_waiting_lanes(const levy_script_program *p)
{
    return levy_script_segment_lanes(p) - 1;
}

/* Lanes that the segments of a postponed program take at most. */
static uint32_t scripts_room(const levy_image *image, const levy_script_program *p)
{
    return levy_scripts_waits(image, p) ? p->n_segments * levy_scripts_waiting_lanes(p)
                                        : levy_script_segments_room(p);
}

uint32_t levy_scripts_shared_segments(const levy_image *image, const levy_tile *tile)
{
    uint32_t most = 0;
    if (!levy_scripts_redistributes(image, tile))
        return 0; /* a price's segments stay in the first cache */
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        const levy_script_program *const p =
            levy_image_program(image, levy_scripts_item(image, tile, i));
        const uint32_t bytes = scripts_room(image, p) * (uint32_t)sizeof(float);
        if (levy_scripts_waits(image, p) && bytes > most) most = bytes;
    }
    return most < SCRIPTS_NEAR ? most : (uint32_t)SCRIPTS_NEAR;
}

uint32_t levy_scripts_shared(const levy_image *image, const levy_tile *tile)
{
    const bool numbers = levy_scripts_tables(image, tile) || levy_scripts_copies(image, tile);
    const size_t each = image->precision ? sizeof(float) : sizeof(double),
                 worth = levy_scripts_redistributes(image, tile)
                             ? tile->n_items * LEVY_COLUMNS * each
                             : 0;
    return (uint32_t)(worth + (numbers ? LEVY_NODE_NUMBERS : 0));
}

uint32_t levy_scripts_segments(const levy_image *image, const levy_tile *tile)
{
    const bool postponed = levy_scripts_deferred(image, tile) > 0;
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        if (!levy_scripts_has(image, tile, i)) continue;
        const levy_script_program *const p =
            levy_image_program(image, levy_scripts_item(image, tile, i));
        const uint32_t room = postponed ? scripts_room(image, p) : levy_script_segments_room(p);
        if (!postponed)
            lanes += room;
        else if (room > lanes)
            lanes = room;
    }
    return lanes;
}

bool levy_scripts_sum(const levy_image *image, const levy_tile *tile)
{
    for (uint32_t i = 0; i < tile->n_items; ++i)
        if (levy_scripts_has(image, tile, i) &&
            levy_image_program(image, levy_scripts_item(image, tile, i))->n_summed > 0)
            return true;
    return false;
}

/* The first item of the tile with item i's program. */
uint32_t levy_scripts_first(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    const uint32_t number = scripts_number(image, tile, i);
    uint32_t k = 0;
    while (!levy_scripts_has(image, tile, k) || scripts_number(image, tile, k) != number) ++k;
    return k;
}

uint32_t levy_scripts_variant(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    const uint32_t variant = levy_scripts_item(image, tile, i)->variant;
    if (!levy_scripts_has(image, tile, i)) return variant;
    const uint32_t first = levy_scripts_first(image, tile, i);
    uint32_t number = 0;
    for (uint32_t k = 0; k < first; ++k)
        number += levy_scripts_has(image, tile, k) && levy_scripts_first(image, tile, k) == k;
    return (variant & ~(uint32_t)SCRIPTS_NUMBER) | number;
}
