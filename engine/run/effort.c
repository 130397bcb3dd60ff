/* effort.c: see effort.h. The constants are a fit to measured times of one thread, over the
 * examples of configs/ and the problems of `levy bench` (docs/performance.md). */
#include "engine/run/effort.h"

#include "engine/base/number.h"
#include "models/kinds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Nanoseconds of one thread with AVX-512 in double precision, for one path. */
static const struct {
    double path;                /* as such */
    double sobol, philox, mrg;  /* a draw, its normal included */
    double bridge;              /* an entry of a bridge, a factor */
    double matrix, functional;  /* a term of a sum over components, or functionals */
    double level, product;      /* a level of an asset at a date; a factor's share in it */
    double cash;                /* a level that pays cash dividends */
    double date, asset, slow;   /* an item at a date that it observes; an asset there; long code */
    double step;                /* of an item's program, at a date of its block's schedule */
    double output;              /* an output */
    double jump, driven, scale; /* a level's step under a model that has a part in it */
} effort_ns = {.path = 4.0,
               .sobol = 1.7,
               .philox = 1.9,
               .mrg = 3.8,
               .bridge = 0.7,
               .matrix = 0.045,
               .functional = 0.06,
               .level = 0.3,
               .product = 0.025,
               .cash = 1.4,
               .date = 0.25,
               .asset = 0.13,
               .slow = 4.0,
               .step = 0.25,
               .output = 2.3,
               .jump = 2.5,
               .driven = 0.6,
               .scale = 7.5};

/* How much slower an instruction set is than AVX-512. */
static const struct {
    const char *isa;
    double slower;
} effort_sets[] = {{"avx512", 1.0}, {"avx2", 1.4}, {"neon", 3.0}, {"baseline", 45.0}};

/* Of the time in double precision. */
static const double effort_single = 0.5, effort_mixed = 0.95;
/* The speed that each further thread adds: cores share memory, and two threads may share a core. */
static const double effort_share = 0.7;

static double effort_slower(const char *isa)
{
    for (size_t i = 0; i < sizeof effort_sets / sizeof *effort_sets; ++i)
        if (strcmp(isa, effort_sets[i].isa) == 0) return effort_sets[i].slower;
    return NAN;
}

bool levy_effort_knows(const char *isa) { return !isnan(effort_slower(isa)); }

bool levy_effort_cpu(const char *isa, uint32_t threads, levy_backend_info *cpu)
{
    levy_backend_cpu.describe(NULL, cpu);
    if (threads) cpu->threads = threads;
    if (strcmp(isa, "auto") != 0) snprintf(cpu->isa, sizeof cpu->isa, "%s", isa);
    return levy_effort_knows(cpu->isa);
}

static double effort_draws(const levy_image *image)
{
    const double drivers = (double)image->n_nodes * image->n_factors,
                 padded = image->generator == 0 ? image->n_padded : 0.0,
                 own = drivers + (double)image->n_nodes * image->auxiliary - padded;
    double draw = effort_ns.sobol;
    if (image->generator == 1) draw = effort_ns.philox;
    if (image->generator == 2) draw = effort_ns.mrg;
    double ns = own * draw + padded * effort_ns.philox;
    if (image->construction == 0) ns += drivers * effort_ns.bridge;
    if (image->construction == 2) ns += drivers * image->n_nodes * effort_ns.matrix;
    return ns + drivers * 2.0 * image->n_functionals * effort_ns.functional;
}

static double effort_levels(const levy_image *image, const levy_tile *tile)
{
    const double levels = (double)tile->n_dynamics * image->n_nodes * image->n_assets;
    double ns = effort_ns.level;
    if (image->n_factors > 1) ns += effort_ns.product * image->n_factors;
    if (image->has_cash) ns += effort_ns.cash;
    if (image->model_features & LEVY_MODEL_JUMPS) ns += effort_ns.jump;
    if (image->model_features & LEVY_MODEL_DRIVEN) ns += effort_ns.driven;
    if (image->model_features & LEVY_MODEL_SCALES) ns += effort_ns.scale;
    return levels * ns;
}

static uint32_t effort_dates(const levy_image *image, uint32_t mask)
{
    const uint32_t *const flags = LEVY_IMAGE_AT(uint32_t, image, flags);
    uint32_t dates = 0;
    for (uint32_t k = 0; k < image->n_nodes; ++k) dates += (flags[k] & mask) != 0;
    return dates;
}

/* A program's steps, at the dates of their blocks. Those of an integrated one run on several
 * segments, and these are looked after: 4 ns a step of a Phoenix note, one path on one thread of an
 * AMD EPYC with AVX-512. Few are alive at a time where no coupons are counted, which takes room. */
static double effort_block(const levy_script_program *program, const levy_script_block *block)
{
    const double many = program->n_segments > 32 ? 16.0 : 4.0,
                 segments = program->n_segments ? many : 1.0;
    return block->n_before + segments * (block->n - block->n_before);
}

static double effort_script(const levy_image *image, const levy_image_item *item)
{
    const levy_script_program *const program = levy_image_program(image, item);
    const levy_script_block *const blocks = LEVY_SCRIPT_PROGRAM_BLOCKS(program);
    double steps = 0.0;
    for (uint32_t k = 0; k < program->n_blocks; ++k)
        steps += effort_block(program, &blocks[k]) *
                 effort_dates(image, 1u << (item->flag + blocks[k].schedule));
    return steps * effort_ns.step;
}

/* The share of the nodes at which an item runs its program: a neighbour that counts elsewhere has
 * its states at others. */
static double effort_counted(const levy_image *image, const levy_image_item *item, bool has_next)
{
    const levy_image_item *const next = item + 1;
    if (!has_next || !(item->traits & LEVY_ITEM_COUNTS) || !(next->traits & LEVY_ITEM_COUNTS) ||
        next->trade != item->trade || next->variant != item->variant)
        return 1.0;
    if (item->counts_from > item->counts_to) return 0.0;
    return (double)(item->counts_to - item->counts_from + 1) / image->n_nodes;
}

static double effort_items(const levy_image *image, const levy_tile *tile)
{
    const levy_image_item *const items =
        LEVY_IMAGE_AT(levy_image_item, image, items) + tile->first_item;
    uint32_t mask = 0, dates = 0; /* neighbours mostly observe the same dates */
    double ns = 0.0;
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        if (items[i].kind == LEVY_FLOOR_KIND) continue;
        if (LEVY_ITEM_MASK(&items[i]) != mask) {
            mask = LEVY_ITEM_MASK(&items[i]);
            dates = effort_dates(image, mask);
        }
        if (items[i].traits & LEVY_ITEM_SCRIPT) {
            ns += effort_counted(image, &items[i], i + 1 < tile->n_items) *
                  (effort_script(image, &items[i]) + effort_ns.date * dates);
            continue;
        }
        double date = effort_ns.date;
        if (image->n_assets > 1) date += effort_ns.asset * image->n_assets;
        if (items[i].traits & LEVY_ITEM_LONG) date += effort_ns.slow;
        ns += date * dates;
    }
    return ns;
}

/* Seconds of one path of a tile, on one thread with AVX-512. */
static double effort_path(const levy_image *image, const levy_tile *tile)
{
    const double ns = effort_ns.path + effort_draws(image) + effort_levels(image, tile) +
                      effort_items(image, tile) + effort_ns.output * tile->n_outputs;
    if (image->precision) return 1e-9 * ns * effort_single;
    return 1e-9 * ns * (image->mixed ? effort_mixed : 1.0);
}

levy_status levy_effort_of(const levy_plan *plan, uint64_t paths, const levy_backend_info *cpu,
                           levy_effort *effort)
{
    const levy_image *const image = plan->image;
    const levy_memory *const memory = plan->arena.memory;
    const double blocks = (double)((paths + LEVY_BLOCK_PATHS - 1) / LEVY_BLOCK_PATHS) *
                          image->n_replicates,
                 threads = cpu->threads > 0 ? (double)cpu->threads : 1.0,
                 /* blocks that are under way at once: a block is one thread's work */
        wide = fmin(threads, blocks), speed = 1.0 + effort_share * (wide - 1.0);
    const levy_tile_limits limits = {LEVY_MAX_TILE, LEVY_MAX_TILE_DYNAMICS, 0, 0, 0, 0};
    levy_tile *const tiles = levy_memory_allocate(memory, image->n_outputs, sizeof *tiles);
    if (!tiles) return LEVY_MEMORY;
    const size_t n = levy_plan_tiles(image, &limits, tiles);
    double path = 0.0;
    for (size_t i = 0; i < n; ++i) path += effort_path(image, &tiles[i]);
    levy_memory_release(memory, tiles);
    effort->thread = path * (double)paths * image->n_replicates;
    effort->cpu = effort->thread * effort_slower(cpu->isa) / speed;
    return LEVY_OK;
}

levy_effort_text levy_effort_say(double seconds)
{
    levy_effort_text said;
    char number[400];
    if (seconds < 1e-3) {
        snprintf(said.text, sizeof said.text, "less than 1 ms");
    } else if (seconds < 0.9995) {
        levy_number_write_fixed(1e3 * seconds, 0, number, sizeof number);
        snprintf(said.text, sizeof said.text, "about %.20s ms", number);
    } else {
        levy_number_write_fixed(seconds, seconds < 9.95 ? 1 : 0, number, sizeof number);
        snprintf(said.text, sizeof said.text, "about %.20s s", number);
    }
    return said;
}
