/* bridge_isa.c: the stand-alone bridge on the CPU, compiled once per instruction set and precision.
 * A worker takes a tile of neighbouring paths and does one step of the program for all of them,
 * then the next: a tile's stack stays in the near caches, the row of normals that comes next is
 * asked for ahead, and the output goes past the caches. Must not know: threads, orders. */
#include "kernels/cpu/bridge_isa.h"

#include "kernels/bridge/point.h"
#include "kernels/lane/lane.h"

#include <string.h>

enum { BRIDGE_TILE_BYTES = 4096, BRIDGE_STACK_BYTES = 64 << 10, BRIDGE_TILE_LEAST = 128 };

/* One tile under way. Buffers hold `width` numbers, a multiple of LANES. */
typedef struct bridge_tile {
    const levy_bridge_tables *tables;
    const real *normals;
    real *output;
    size_t stride, first, count, width;
    real *stack;  /* [slot][dimension][width] */
    real *own;    /* [dimension][width]: a point that no slot keeps */
    real *normal; /* [dimension][width] */
    real *out[2]; /* [width]: rows of output that cannot be written straight to their places */
    /* the next row of normals, prefetched while this one is worked on */
    const real *ahead;
    bool stream;
} bridge_tile;

static size_t bridge_scratch(const levy_bridge_tables *t, size_t width)
{
    return (((size_t)t->slots + 2) * t->n_dimensions + 2) * width * sizeof(real);
}

static size_t bridge_width(const levy_bridge_tables *t, size_t *scratch)
{
    size_t width = BRIDGE_TILE_BYTES / sizeof(real);
    while (width * sizeof(real) > BRIDGE_TILE_LEAST &&
           bridge_scratch(t, width) > BRIDGE_STACK_BYTES)
        width /= 2;
    *scratch = bridge_scratch(t, width);
    return width;
}

LANE_FN lane bridge_load(const real *at)
{
    lane a;
    memcpy(&a, at, sizeof a);
    return a;
}

LANE_FN void bridge_store(real *at, lane a) { memcpy(at, &a, sizeof a); }

/* Prefetches a row. Rows lie pages apart, and a processor's own prefetchers start anew at each
 * page. */
LANE_FN void bridge_ask(const real *at) { __builtin_prefetch(at, 0, 2); }

/* A row of output. It is written straight to its place if the tile is whole and the place is
 * aligned, else through a buffer. */
typedef struct bridge_row {
    real *at, *target;
    bool stream;
} bridge_row;

static bridge_row bridge_row_of(const bridge_tile *tile, size_t row, real *buffer)
{
    real *const target = tile->output + row * tile->stride + tile->first;
    const bool aligned = ((uintptr_t)target & (LANE_BYTES - 1)) == 0,
               whole = tile->count == tile->width;
    if (whole && (aligned || !tile->stream)) return (bridge_row){target, target, tile->stream};
    return (bridge_row){buffer, target, false};
}

LANE_FN void bridge_put(const bridge_row *row, size_t i, lane x)
{
    if (row->stream)
        lane_stream(row->at + i, x);
    else
        bridge_store(row->at + i, x);
}

/* Writes out what went to the buffer: the ends of the row by plain stores, whole lines past the
 * caches. */
static void bridge_row_end(const bridge_tile *tile, const bridge_row *row)
{
    size_t i = 0;
    const size_t count = tile->count;
    if (row->at == row->target) return;
    if (tile->stream) {
        while (i < count && ((uintptr_t)(row->target + i) & (LANE_BYTES - 1)) != 0) {
            row->target[i] = row->at[i];
            ++i;
        }
        for (; i + LANES <= count; i += LANES)
            lane_stream(row->target + i, bridge_load(row->at + i));
    }
    memcpy(row->target + i, row->at + i, (count - i) * sizeof(real));
}

/* The normals of a row, padded with zeros to whole lanes. */
static const real *bridge_normals(const bridge_tile *tile, size_t row, real *buffer)
{
    const real *const at = tile->normals + row * tile->stride + tile->first;
    if (tile->count == tile->width) return at;
    memcpy(buffer, at, tile->count * sizeof(real));
    memset(buffer + tile->count, 0, (tile->width - tile->count) * sizeof(real));
    return buffer;
}

/* One dimension of one step. */
typedef struct bridge_step {
    /* factor NULL: there is one dimension, and w2 contains the factor */
    const real *left, *right, *normal, *factor;
    real *own;
    real w0, w1, w2, before, after;
    uint32_t n_factors;
    bool keep;
} bridge_step;

LANE_FN lane bridge_point(const bridge_step *s, size_t width, size_t i)
{
    lane x = BRIDGE_MEAN(lane_fma, lane_of(s->w0), bridge_load(s->left + i), lane_of(s->w1),
                         bridge_load(s->right + i));
    if (!s->factor) return BRIDGE_ADD(lane_fma, lane_of(s->w2), bridge_load(s->normal + i), x);
    for (uint32_t e = 0; e < s->n_factors; ++e)
        x = BRIDGE_ADD(lane_fma, lane_of(s->factor[e]), bridge_load(s->normal + e * width + i), x);
    return x;
}

LANE_FN void bridge_paths_row(const bridge_tile *tile, const bridge_step *s, size_t row, bool keep)
{
    const bridge_row out = bridge_row_of(tile, row, tile->out[0]);
    const bridge_step step = *s;
    const real *const ahead = tile->ahead;
    if (out.stream)
        for (size_t i = 0; i < tile->width; i += LANES) {
            bridge_ask(ahead + i);
            const lane x = bridge_point(&step, tile->width, i);
            lane_stream(out.at + i, x);
            if (keep) bridge_store(step.own + i, x);
        }
    else
        for (size_t i = 0; i < tile->width; i += LANES) {
            const lane x = bridge_point(&step, tile->width, i);
            bridge_store(out.at + i, x);
            if (keep) bridge_store(step.own + i, x);
        }
    bridge_row_end(tile, &out);
}

/* Writes the increments to those neighbours that are adjacent points; rows are D apart. The
 * neighbours are read before `own` is written, which may take the place of one. */
LANE_FN void bridge_increment_rows(const bridge_tile *tile, const bridge_step *s, size_t row,
                                   bool before, bool after)
{
    const bridge_step step = *s;
    bridge_row out[2] = {{0}, {0}};
    const real *const ahead = tile->ahead;
    if (before) out[0] = bridge_row_of(tile, row, tile->out[0]);
    if (after) out[1] = bridge_row_of(tile, row + tile->tables->n_dimensions, tile->out[1]);
    for (size_t i = 0; i < tile->width; i += LANES) {
        bridge_ask(ahead + i);
        const lane x = bridge_point(&step, tile->width, i);
        if (before)
            bridge_put(&out[0], i,
                       BRIDGE_INCREMENT(x, bridge_load(step.left + i), lane_of(step.before)));
        if (after)
            bridge_put(&out[1], i,
                       BRIDGE_INCREMENT(bridge_load(step.right + i), x, lane_of(step.after)));
        if (step.keep) bridge_store(step.own + i, x);
    }
    if (before) bridge_row_end(tile, &out[0]);
    if (after) bridge_row_end(tile, &out[1]);
}

static void bridge_emit(const bridge_tile *tile, const bridge_step *s, size_t row, bool before,
                        bool after)
{
    if (!tile->tables->increments) {
        if (s->keep)
            bridge_paths_row(tile, s, row, true);
        else
            bridge_paths_row(tile, s, row, false);
    } else if (before && after) {
        bridge_increment_rows(tile, s, row, true, true);
    } else if (before) {
        bridge_increment_rows(tile, s, row, true, false);
    } else if (after) {
        bridge_increment_rows(tile, s, row, false, true);
    } else {
        bridge_increment_rows(tile, s, row, false, false);
    }
}

/* Multiplies the normals of a step by its deviation. */
static void bridge_scale(const bridge_tile *tile, size_t row, real deviation)
{
    const uint32_t n = tile->tables->n_dimensions;
    for (uint32_t e = 0; e < n; ++e) {
        real *const to = tile->normal + e * tile->width;
        const real *const from = bridge_normals(tile, row * n + e, to);
        for (size_t i = 0; i < tile->width; i += LANES)
            bridge_store(to + i, bridge_load(from + i) * lane_of(deviation));
    }
}

static void bridge_do(bridge_tile *tile, size_t i)
{
    const levy_bridge_tables *const t = tile->tables;
    const uint64_t instruction = t->instructions[i];
    const uint32_t n = t->n_dimensions, row = BRIDGE_ROW(instruction),
                   own = BRIDGE_OWN_SLOT(instruction);
    const real *const w = (const real *)t->weights + 3 * i, *const inverse = t->inverse;
    const bool before = BRIDGE_BEFORE(instruction), after = BRIDGE_AFTER(instruction);
    bridge_step step = {.w0 = w[0],
                        .w1 = w[1],
                        .w2 = w[2],
                        .before = inverse[row],
                        .after = after ? inverse[row + 1] : R(0.0),
                        .keep = own != BRIDGE_NOWHERE};
    const size_t next = BRIDGE_NORMAL(t->instructions[i + 1 < t->n_steps ? i + 1 : i]);
    tile->ahead = tile->normals + next * n * tile->stride + tile->first;
    if (n > 1) bridge_scale(tile, BRIDGE_NORMAL(instruction), w[2]);
    for (uint32_t d = 0; d < n; ++d) {
        step.left = tile->stack + (BRIDGE_LEFT_SLOT(instruction) * n + d) * tile->width;
        step.right = tile->stack + (BRIDGE_RIGHT_SLOT(instruction) * n + d) * tile->width;
        step.own =
            step.keep ? tile->stack + (own * n + d) * tile->width : tile->own + d * tile->width;
        step.factor = n > 1 ? (const real *)t->factor + d * n : NULL;
        step.n_factors = t->lower ? d + 1 : n;
        step.normal =
            n > 1 ? tile->normal : bridge_normals(tile, BRIDGE_NORMAL(instruction), tile->normal);
        bridge_emit(tile, &step, (size_t)row * n + d, before, after);
        tile->ahead += tile->stride;
    }
}

static void bridge_run(const levy_bridge_tables *t, const void *normals, void *output,
                       size_t stride, size_t first, size_t count, void *scratch, bool stream)
{
    const size_t width = (count + LANES - 1) / LANES * LANES, plane = width * t->n_dimensions;
    real *const memory = scratch;
    bridge_tile tile = {
        .tables = t,
        .normals = normals,
        .output = output,
        .stride = stride,
        .first = first,
        .count = count,
        .width = width,
        .stack = memory,
        .own = memory + t->slots * plane,
        .normal = memory + (t->slots + 1) * plane,
        .out = {memory + (t->slots + 2) * plane, memory + (t->slots + 2) * plane + width},
        .stream = stream};
    for (uint32_t d = 0; t->start_slot != BRIDGE_NOWHERE && d < t->n_dimensions; ++d)
        for (size_t i = 0; i < width; i += LANES)
            bridge_store(tile.stack + (t->start_slot * t->n_dimensions + d) * width + i,
                         lane_of(((const real *)t->start)[d]));
    for (size_t i = 0; i < t->n_steps; ++i) bridge_do(&tile, i);
}

static void bridge_finish(void) { lane_stream_end(); }

#define BRIDGE_JOIN_(a, b, c) a##b##c
#define BRIDGE_JOIN(a, b, c) BRIDGE_JOIN_(a, b, c)
#define BRIDGE_TEXT_(x) #x
#define BRIDGE_TEXT(x) BRIDGE_TEXT_(x)

extern const levy_bridge_isa BRIDGE_JOIN(levy_bridge_, LEVY_ISA_NAME, LANE_PICK(_double, _single));
const levy_bridge_isa BRIDGE_JOIN(levy_bridge_, LEVY_ISA_NAME, LANE_PICK(_double, _single)) = {
    BRIDGE_TEXT(LEVY_ISA_NAME), bridge_width, bridge_run, bridge_finish};
