/* shape.c: see shape.h. Must not know: who compiles the text. */
#include "kernels/cuda/shape.h"

#include "engine/run/backend.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Paths per thread, and CTAs per multiprocessor that the compiler is held to. More paths share a draw's low word, weights
 * and drift, and hide latency; they cost registers, and too few threads leave the multiprocessor idle. The first row that
 * holds decides. Measured on an NVIDIA H200, 2026-11-21, CUDA 13.0, sobol_scrambled and bridge, in G path-steps/s:
 *   1 asset x 64, single   4 paths 619, 4 paths 4 CTAs 694, 8 paths 3 CTAs 741, 8 paths 4 CTAs 704
 *   1 asset x 64, double   1 path 4 CTAs 136, 2 paths 2 CTAs 158, 2 paths 3 CTAs 165, 4 paths 2 CTAs 185, 4 paths 3 CTAs 181
 *   8 assets x 64, single  1 path 4 CTAs 339, 2 paths 320, 2 paths 4 CTAs 480, 4 paths 2 CTAs 456
 *   8 assets x 64, double  1 path 107, 1 path 3 CTAs 139, 2 paths 2 CTAs 125 */
typedef struct shape_launch { uint32_t lanes, ctas; } shape_launch;
typedef struct shape_tuning {
    uint32_t max_drivers; /* factors * assets */
    uint32_t max_items;
    shape_launch in_single, in_double;
} shape_tuning;

static const shape_tuning shape_tunings[] = {
    {1, 2, {8, 3}, {4, 2}},
    {1, UINT32_MAX, {4, 3}, {2, 3}},
    {144, UINT32_MAX, {2, 4}, {1, 3}},
    {UINT32_MAX, UINT32_MAX, {1, 3}, {1, 2}},
};

enum { SHAPE_MRG = 2, SHAPE_INCREMENTAL = 1, SHAPE_COMPONENTS = 2, SHAPE_ORDERED = 3 }; /* as in the image */

/* Draws of a path that stand in local memory, to a power of two so that grids share kernels; 0: none do. */
static uint32_t shape_room(const levy_image *image)
{
    const bool in_order = image->construction == SHAPE_INCREMENTAL || image->construction == SHAPE_COMPONENTS;
    uint32_t room = 8;
    if (image->construction != SHAPE_COMPONENTS && !(image->generator == SHAPE_MRG && (!in_order || image->extra))) return 0;
    while (room < image->n_draws) room *= 2;
    return room;
}

levy_status levy_shape_accepts(const levy_image *image, char *why)
{
    uint32_t depth = 0; /* 2 ceil(log2 n) */
    while ((uint64_t)1 << (depth / 2) < image->n_nodes) depth += 2;
    if (depth > LEVY_MAX_STACK - 1) depth = LEVY_MAX_STACK - 1;
    if (depth == 0) depth = 1;
    if (image->construction == SHAPE_COMPONENTS && image->n_nodes > LEVY_SHAPE_COMPONENTS)
        snprintf(why, LEVY_REASON_SIZE, "construction pca runs on a GPU for up to %d dates, this grid has %u; the CPU takes it",
                 LEVY_SHAPE_COMPONENTS, (unsigned)image->n_nodes);
    else if (image->n_draws > LEVY_SHAPE_ROOM && shape_room(image) > 0)
        snprintf(why, LEVY_REASON_SIZE, "%s runs on a GPU for up to %d draws a path, these have %u; the CPU takes them",
                 image->construction == SHAPE_COMPONENTS ? "construction pca" : "mrg32k3a other than incremental", LEVY_SHAPE_ROOM,
                 (unsigned)image->n_draws);
    else if (image->construction == SHAPE_ORDERED && image->stack - 1 > depth)
        snprintf(why, LEVY_REASON_SIZE, "this order of dates keeps %u of them waiting, a GPU holds %u at most; the CPU takes it",
                 (unsigned)image->stack - 1, (unsigned)depth);
    else
        return LEVY_OK;
    return LEVY_UNSUPPORTED;
}

static uint64_t shape_base_bytes(const levy_image *image, uint32_t lanes)
{
    return (4 * (uint64_t)lanes * image->n_draws + 15) / 16 * 16;
}

static bool shape_is_rich(const levy_image *image, const levy_tile *tile)
{
    const levy_image_item *const items = LEVY_IMAGE_AT(levy_image_item, image, items) + tile->first_item;
    for (uint32_t i = 0; i < tile->n_items; ++i)
        if (items[i].rich) return true;
    return false;
}

/* Streams of mrg32k3a take six registers a path; local memory is short. */
static shape_launch shape_tuned(const levy_image *image, const levy_tile *tile)
{
    const shape_tuning *row = shape_tunings;
    const uint64_t drivers = (uint64_t)image->n_factors * image->n_assets;
    while (drivers > row->max_drivers || tile->n_items > row->max_items) ++row;
    shape_launch launch = image->precision ? row->in_single : row->in_double;
    if (shape_is_rich(image, tile)) launch = image->precision ? (shape_launch){2, 3} : (shape_launch){1, 3};
    const uint32_t most = shape_room(image) ? 1 : image->generator == SHAPE_MRG ? (image->precision ? 4 : 2) : launch.lanes;
    if (launch.lanes > most) launch.lanes = most;
    return launch;
}

uint32_t levy_shape_lanes(const levy_image *image, const levy_tile *tile)
{
    uint32_t lanes = shape_tuned(image, tile).lanes;
    while (image->generator == 0 && lanes > 1 && shape_base_bytes(image, lanes) > LEVY_SHAPE_SHARED_PORTABLE) lanes /= 2;
    return lanes;
}

bool levy_shape_shared_low(const levy_image *image, uint32_t lanes)
{
    return image->generator == 0 &&
           shape_base_bytes(image, lanes) + 32 * (uint64_t)image->n_draws <= LEVY_SHAPE_SHARED_STATIC;
}

uint32_t levy_shape_shared_bytes(const levy_image *image, const levy_tile *tile, uint32_t lanes)
{
    (void)tile;
    const uint64_t reduction = 2 * sizeof(double) * LEVY_SHAPE_THREADS;
    uint64_t bytes = image->generator == 0 ? shape_base_bytes(image, lanes) : 0;
    if (levy_shape_shared_low(image, lanes)) bytes += 32 * (uint64_t)image->n_draws;
    if (bytes < reduction) bytes = reduction;
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

typedef struct shape_text {
    char *text;
    size_t size, length; /* length beyond size: it did not fit */
} shape_text;

static void __attribute__((format(printf, 2, 3))) shape_add(shape_text *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t left = out->length < out->size ? out->size - out->length : 0;
    const int length = vsnprintf(left ? out->text + out->length : NULL, left, format, arguments);
    va_end(arguments);
    out->length += length > 0 ? (size_t)length : 0;
}

typedef uint32_t (*shape_member)(const levy_image *image, const levy_tile *tile, uint32_t index);

static const levy_image_item *shape_item(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    return LEVY_IMAGE_AT(levy_image_item, image, items) + tile->first_item + i;
}

static const levy_image_output *shape_output(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    return LEVY_IMAGE_AT(levy_image_output, image, outputs) + tile->first_output + i;
}

static uint32_t shape_kind(const levy_image *m, const levy_tile *t, uint32_t i) { return shape_item(m, t, i)->kind; }
static uint32_t shape_variant(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return shape_item(m, t, i)->variant;
}
static uint32_t shape_aggregate(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return shape_item(m, t, i)->aggregate;
}
static uint32_t shape_market(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return shape_item(m, t, i)->market - t->first_market;
}
static uint32_t shape_first(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return shape_output(m, t, i)->first_item - t->first_item;
}
static uint32_t shape_terms(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return shape_output(m, t, i)->n_terms;
}
static uint32_t shape_term(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return shape_output(m, t, i / LEVY_OUTPUT_TERMS)->term[i % LEVY_OUTPUT_TERMS];
}
static uint32_t shape_lag(const levy_image *m, const levy_tile *t, uint32_t i)
{
    if (!m->has_lag) return 0;
    const uint64_t at = (uint64_t)(t->first_market + i) * m->n_nodes;
    return m->precision ? LEVY_IMAGE_AT(float, m, lag)[at] > 0.0f : LEVY_IMAGE_AT(double, m, lag)[at] > 0.0;
}

static void shape_list(shape_text *out, const char *name, const levy_image *image, const levy_tile *tile,
                       uint32_t count, shape_member member)
{
    shape_add(out, "#define PATH_%s_list {", name);
    for (uint32_t i = 0; i < count; ++i) shape_add(out, "%s%u", i ? ", " : "", (unsigned)member(image, tile, i));
    shape_add(out, "}\n");
}

static bool shape_tile_fits(const levy_image *image, const levy_tile *tile)
{
    if (tile->n_outputs == 0 || tile->n_items == 0 || tile->n_markets == 0) return false;
    if ((uint64_t)tile->first_output + tile->n_outputs > image->n_outputs
        || (uint64_t)tile->first_item + tile->n_items > image->n_items
        || (uint64_t)tile->first_market + tile->n_markets > image->n_markets) return false;
    for (uint32_t i = 0; i < tile->n_items; ++i)
        if (shape_market(image, tile, i) >= tile->n_markets) return false;
    for (uint32_t i = 0; i < tile->n_outputs; ++i) {
        const uint64_t first = shape_first(image, tile, i), count = shape_terms(image, tile, i);
        if (first >= tile->n_items || count > LEVY_OUTPUT_TERMS) return false;
        for (uint32_t k = 0; k < count; ++k)
            if (first + shape_term(image, tile, LEVY_OUTPUT_TERMS * i + k) >= tile->n_items) return false;
    }
    return true;
}

levy_status levy_shape_write(const levy_image *image, const levy_tile *tile, uint32_t lanes, char *text, size_t size)
{
    shape_text out = {.text = text, .size = size};
    if (size == 0 || !shape_tile_fits(image, tile)) return LEVY_ARGUMENT;
    if (image->precision) shape_add(&out, "#define LANE_SINGLE\n");
    shape_add(&out, "#define LEVY_LANES %u\n#define PATH_ctas %u\n#define PATH_SPECIAL 1\n", (unsigned)lanes,
              (unsigned)shape_tuned(image, tile).ctas);
    uint32_t lag = 0;
    for (uint32_t i = 0; i < tile->n_markets; ++i) lag |= shape_lag(image, tile, i);
    const struct { const char *name; uint32_t value; } numbers[] = {
        {"assets", image->n_assets}, {"factors", image->n_factors}, {"generator", image->generator},
        {"construction", image->construction}, {"covariance", image->covariance}, {"cash", image->has_cash}, {"lag", lag}, {"extra", image->extra},
        {"full", image->full}, {"stack", image->stack}, {"model", image->model}, {"markets", tile->n_markets},
        {"items", tile->n_items}, {"outputs", tile->n_outputs},
        {"shared_low", levy_shape_shared_low(image, lanes)}, {"padded", image->n_padded > 0}, {"room", shape_room(image)},
        {"rich", shape_is_rich(image, tile)}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        shape_add(&out, "#define PATH_%s %u\n", numbers[i].name, (unsigned)numbers[i].value);
    shape_list(&out, "item_kind", image, tile, tile->n_items, shape_kind);
    shape_list(&out, "item_variant", image, tile, tile->n_items, shape_variant);
    shape_list(&out, "item_aggregate", image, tile, tile->n_items, shape_aggregate);
    shape_list(&out, "item_market", image, tile, tile->n_items, shape_market);
    shape_list(&out, "output_first", image, tile, tile->n_outputs, shape_first);
    shape_list(&out, "output_terms", image, tile, tile->n_outputs, shape_terms);
    shape_list(&out, "output_term", image, tile, tile->n_outputs * LEVY_OUTPUT_TERMS, shape_term);
    shape_list(&out, "market_lag", image, tile, tile->n_markets, shape_lag);
    return out.length < out.size ? LEVY_OK : LEVY_ARGUMENT;
}
