/* cpu_isa.c: the path loop on the CPU, compiled once per instruction set and precision.
 * LEVY_ISA_NAME names the build (baseline, avx2, avx512, neon), LANE_SINGLE its precision. Lanes
 * are neighbouring columns; blocks go row by row, so every column sees its paths in order. Must not
 * know: threads, plans. */
#include "kernels/cpu/cpu_isa.h"

#include "kernels/cpu/cpu_links.h"
#include "kernels/lane/tree.h"

#include <stdbool.h>
#include <string.h>

/* The constants of each specialised loop, listed once: the loop is compiled with them, and its
 * `fits` compares them with a plan. */
#define CPU_ONE_DRIVER(of)                                                                         \
    PATH_IS(of, assets, 1)                                                                         \
    PATH_IS(of, factors, 1) PATH_IS(of, item_aggregate, BASKET_NONE) PATH_IS(of, record, 0)
#define CPU_STEADY(of) PATH_IS(of, covariance, 0) PATH_IS(of, cash, 0)
#define CPU_NO_MODEL(of)                                                                           \
    PATH_IS(of, auxiliary, 0)                                                                      \
    PATH_IS(of, model, 0)                                                                          \
    PATH_IS(of, model_draws, 0) PATH_IS(of, counts, 0) PATH_IS(of, model_features, 0)
#define CPU_NORMAL_JUMPS(of) /* from one source */                                                 \
    PATH_IS(of, auxiliary, 2)                                                                      \
    PATH_IS(of, model, LEVY_MODEL_ARRIVALS)                                                        \
    PATH_IS(of, model_draws, 2)                                                                    \
    PATH_IS(of, counts, 1)                                                                         \
    PATH_IS(of, model_features, LEVY_MODEL_JUMPS)                                                  \
    PATH_IS(of, arrivals_constant0, 1)                                                             \
    PATH_IS(of, arrivals_constant1, 1u << JUMPS_NORMAL)                                            \
    PATH_IS(of, arrivals_constant2, 1) PATH_IS(of, arrivals_constant3, JUMPS_BRIDGED)
#define CPU_VARIANCES(of) /* of one asset: its driver and the variance's */                        \
    PATH_IS(of, assets, 1)                                                                         \
    PATH_IS(of, factors, 2)                                                                        \
    PATH_IS(of, item_aggregate, BASKET_NONE)                                                       \
    PATH_IS(of, record, 0)                                                                         \
    PATH_IS(of, covariance, 1)                                                                     \
    PATH_IS(of, cash, 0)                                                                           \
    PATH_IS(of, own, 1)                                                                            \
    PATH_IS(of, integrated, 0)                                                                     \
    PATH_IS(of, apart, 0)                                                                          \
    PATH_IS(of, auxiliary, 0)                                                                      \
    PATH_IS(of, model, LEVY_MODEL_HESTON)                                                          \
    PATH_IS(of, model_draws, 0)                                                                    \
    PATH_IS(of, counts, 0)
#define CPU_UNSEEN(of) /* by QE-M, and no item sees a variance */ PATH_IS(of, model_constant0, 0)
#define CPU_SOBOL_BRIDGE(of) /* with all points in the table */                                    \
    CPU_NO_FUNCTIONALS(of) CPU_SOBOL_BISECTION(of)
#define CPU_SOBOL_BISECTION(of)                                                                    \
    PATH_IS(of, generator, POINTS_SOBOL) PATH_IS(of, construction, 0) PATH_IS(of, padded, 0)
#define CPU_NO_FUNCTIONALS(of) PATH_IS(of, functionals, 0)
/* Averages are the fastest to observe; other kinds in the same loop would cost them registers. */
#define CPU_AVERAGES(of)                                                                           \
    PATH_IS(of, elapsed, 0)                                                                        \
    PATH_IS(of, grown, 0)                                                                          \
    PATH_IS(of, integrated, 0)                                                                     \
    PATH_IS(of, kept, 0)                                                                           \
    PATH_IS(of, dynamics, 1)                                                                       \
    PATH_IS(of, item_kind, PAYOFF_ASIAN) PATH_IS(of, item_dynamics, 0) PATH_IS(of, plain, 1)
#define CPU_MANY_AVERAGES(of) /* under many dynamics */                                            \
    CPU_ONE_DRIVER(of)                                                                             \
    CPU_STEADY(of)                                                                                 \
    CPU_NO_MODEL(of)                                                                               \
    CPU_NO_FUNCTIONALS(of)                                                                         \
    PATH_IS(of, integrated, 0)                                                                     \
    PATH_IS(of, kept, 0) PATH_IS(of, item_kind, PAYOFF_ASIAN) PATH_IS(of, plain, 1)
#define CPU_ONE_AVERAGE(of) CPU_AVERAGES(of) PATH_IS(of, items, 1)

#define CPU_ABREAST 4

/* The general loop. */
#define PATH_NAME(x) path_any_##x
#include "kernels/path/loop.h"

#if !LEVY_GENERAL_LOOP
/* One average, the commonest case; then the same in mixed precision. */
#define PATH_NAME(x) path_one_##x
#define PATH_KNOWN(of)                                                                             \
    CPU_ONE_DRIVER(of)                                                                             \
    CPU_STEADY(of) CPU_NO_MODEL(of) CPU_SOBOL_BRIDGE(of) CPU_ONE_AVERAGE(of) PATH_IS(of, mixed, 0)
#define PATH_MOST_ITEMS 1
#include "kernels/path/loop.h"

#if !defined(LANE_SINGLE)
#define PATH_NAME(x) path_mixed_##x
#define PATH_KNOWN(of)                                                                             \
    CPU_ONE_DRIVER(of)                                                                             \
    CPU_STEADY(of) CPU_NO_MODEL(of) CPU_SOBOL_BRIDGE(of) CPU_ONE_AVERAGE(of) PATH_IS(of, mixed, 1)
#define PATH_MOST_ITEMS 1
#include "kernels/path/loop.h"
#endif

/* Averages under many dynamics: Greeks and scenarios of one. */
#define PATH_NAME(x) path_averages_##x
#define PATH_KNOWN(of) CPU_MANY_AVERAGES(of) CPU_SOBOL_BISECTION(of)
#define PATH_by_dynamics 1
#include "kernels/path/loop.h"

/* The same from any generator, in any order. */
#define PATH_NAME(x) path_drawn_##x
#define PATH_KNOWN(of) CPU_MANY_AVERAGES(of)
#define PATH_by_dynamics 1
#include "kernels/path/loop.h"

/* Many items under many dynamics. */
#define PATH_NAME(x) path_many_##x
#define PATH_KNOWN(of) CPU_ONE_DRIVER(of) CPU_STEADY(of) CPU_NO_MODEL(of) CPU_SOBOL_BRIDGE(of)
#define PATH_by_dynamics 1
#include "kernels/path/loop.h"

/* One average and lognormal jumps. */
#define PATH_NAME(x) path_jumping_##x
#define PATH_KNOWN(of)                                                                             \
    CPU_ONE_DRIVER(of)                                                                             \
    CPU_STEADY(of) CPU_NORMAL_JUMPS(of) CPU_SOBOL_BRIDGE(of) CPU_ONE_AVERAGE(of)
#define PATH_MOST_ITEMS 1
#include "kernels/path/loop.h"

/* Many items under one dynamics of Heston's model, whose variance is a chain of steps. */
#define PATH_NAME(x) path_smile_##x
#define PATH_KNOWN(of)                                                                             \
    CPU_VARIANCES(of) CPU_SOBOL_BRIDGE(of) PATH_IS(of, dynamics, 1) CPU_UNSEEN(of)
#define PATH_by_dynamics 1
#define PATH_abreast CPU_ABREAST
#include "kernels/path/loop.h"

/* The same under many dynamics. */
#define PATH_NAME(x) path_variance_##x
#define PATH_KNOWN(of) CPU_VARIANCES(of) CPU_SOBOL_BRIDGE(of)
#define PATH_by_dynamics 1
#include "kernels/path/loop.h"

/* One average in the order of time, from any generator. */
#define PATH_NAME(x) path_timed_##x
#define PATH_KNOWN(of)                                                                             \
    CPU_ONE_DRIVER(of)                                                                             \
    CPU_STEADY(of)                                                                                 \
    CPU_NO_MODEL(of) CPU_ONE_AVERAGE(of) CPU_NO_FUNCTIONALS(of) PATH_IS(of, construction, 1)
#define PATH_MOST_ITEMS 1
#include "kernels/path/loop.h"

/* One arithmetic average, which needs no logarithms, from any generator in any order, also if
 * volatilities change or the asset pays cash. A second item may say whether cash met the floor. */
#define PATH_NAME(x) path_moved_##x
#define PATH_KNOWN(of)                                                                             \
    CPU_ONE_DRIVER(of)                                                                             \
    CPU_NO_MODEL(of)                                                                               \
    CPU_NO_FUNCTIONALS(of)                                                                         \
    CPU_AVERAGES(of) PATH_IS(of, floors, 1) PATH_IS(of, variant_without, ASIAN_GEOMETRIC)
#define PATH_MOST_ITEMS 2
#include "kernels/path/loop.h"

/* One average after functionals of the path. */
#define PATH_NAME(x) path_led_##x
#define PATH_KNOWN(of)                                                                             \
    CPU_ONE_DRIVER(of) CPU_STEADY(of) CPU_NO_MODEL(of) CPU_SOBOL_BISECTION(of) CPU_ONE_AVERAGE(of)
#define PATH_MOST_ITEMS 1
#include "kernels/path/loop.h"
#endif

#include "kernels/cpu/cpu_order.h"

/* A tile runs through the first loop that fits it; the general one, the last, fits all. */
typedef struct cpu_shape {
    int (*fits)(const path_view *view);
    void (*values)(const path_view *view, points_state *points, lane *values);
    uint32_t abreast; /* lanes of paths at a time */
} cpu_shape;

static const cpu_shape cpu_shapes[] = {
#if !LEVY_GENERAL_LOOP
#if !defined(LANE_SINGLE)
    {path_mixed_fits, path_mixed_values, 1},
#endif
    {path_one_fits, path_one_values, 1},
    {path_jumping_fits, path_jumping_values, 1},
    {path_smile_fits, path_smile_values, CPU_ABREAST},
    {path_variance_fits, path_variance_values, 1},
    {path_timed_fits, path_timed_values, 1},
    {path_moved_fits, path_moved_values, 1},
    {path_averages_fits, path_averages_values, 1},
    {path_many_fits, path_many_values, 1},
    {path_drawn_fits, path_drawn_values, 1},
    {path_led_fits, path_led_values, 1},
#endif
    {NULL, path_any_values, 1},
};

#define CPU_JOIN_(a, b, c) a##b##c
#define CPU_JOIN(a, b, c) CPU_JOIN_(a, b, c)
#define CPU_TEXT_(x) #x
#define CPU_TEXT(x) CPU_TEXT_(x)

typedef double cpu_wide __attribute__((vector_size(LANES * 8)));
typedef uint32_t cpu_words __attribute__((vector_size(16), aligned(4), may_alias));

#include "kernels/cpu/cpu_scratch.h"

/* base ^= row, over all draws */
static void cpu_flip(uint32_t *base, const uint32_t *row, uint32_t n)
{
    uint32_t d = 0;
    for (; d + 4 <= n; d += 4) *(cpu_words *)(base + d) ^= *(const cpu_words *)(row + d);
    for (; d < n; ++d) base[d] ^= row[d];
}

static const uint32_t *cpu_rows(const levy_image *image, uint64_t replicate)
{
    return LEVY_IMAGE_AT(uint32_t, image, directions) + replicate * 33 * image->n_draws;
}

static void cpu_low_words(const levy_image *image, uint64_t replicate, lane_word *low)
{
    const uint32_t *const rows = cpu_rows(image, replicate);
    for (uint32_t d = 0; d < image->n_draws; ++d)
        for (uint32_t i = 0; i < (uint32_t)LANES; ++i) {
            uint32_t word = 0;
            for (uint64_t gray = sobol_gray(i), b = 0; gray >> b; ++b)
                if (gray >> b & 1) word ^= rows[b * image->n_draws + d];
            low[d][i] = word;
        }
}

/* The base words of point `index`, a multiple of LANES. */
static void cpu_base_words(const levy_image *image, uint64_t replicate, uint64_t index,
                           uint32_t *base)
{
    const uint32_t *const rows = cpu_rows(image, replicate);
    memcpy(base, rows + 32 * (size_t)image->n_draws, 4 * (size_t)image->n_draws);
    const uint64_t gray = sobol_gray(index);
    for (uint64_t b = 0; b < 32; ++b)
        if (gray >> b & 1) cpu_flip(base, rows + b * image->n_draws, image->n_draws);
}

/* Moves the base words to the next LANES points: two bits of the Gray code flip. */
static void cpu_base_step(const levy_image *image, uint64_t replicate, uint64_t index,
                          uint32_t *base)
{
    const uint32_t *const rows = cpu_rows(image, replicate);
    const uint64_t changed = sobol_gray(index) ^ sobol_gray(index + LANES);
    for (uint64_t bits = changed & 0xffffffffu; bits; bits &= bits - 1)
        cpu_flip(base, rows + (uint64_t)__builtin_ctzll(bits) * image->n_draws, image->n_draws);
}

/* The streams of the LANES paths from `path` on. */
static void cpu_streams(const levy_image *image, uint64_t replicate, uint64_t path,
                        mrg_state *state)
{
    const uint32_t *const jumps = LEVY_IMAGE_AT(uint32_t, image, jumps);
    mrg_start(state, LEVY_IMAGE_AT(uint32_t, image, streams) + 6 * replicate, jumps, path);
    mrg_fan(state, jumps);
}

/* Moves the streams to the next LANES paths. The traversal has left each path's stream where the
 * next path's starts. */
static void cpu_streams_step(const levy_image *image, mrg_state *state)
{
    mrg_jump(state, LEVY_IMAGE_AT(uint32_t, image, jumps) +
                        18 * (LEVY_MRG_POWERS + __builtin_ctz((unsigned)LANES)));
}

/* Tells the LANES paths from `path` on their numbers. */
static void cpu_name_paths(const levy_image *image, points_state *points, uint64_t path)
{
    if (image->generator == POINTS_PHILOX || image->n_padded || levy_image_model_draws(image))
        for (int i = 0; i < LANES; ++i) {
            points->path_low[i] = (uint32_t)(path + (uint64_t)i);
            points->path_high[i] = (uint32_t)((path + (uint64_t)i) >> 32);
        }
}

static path_view cpu_view(const levy_image *image, const levy_tile *tile)
{
    path_view view = path_view_of(image, tile->first_item, tile->first_dynamics);
    view.n_dynamics = tile->n_dynamics;
    view.n_items = tile->n_items;
    view.construction = image->construction == 3 ? 0 : image->construction;
    for (uint32_t m = 0; m < tile->n_dynamics; ++m)
        if (levy_image_is_late(image, tile->first_dynamics + m)) view.elapsed = 1;
    view.grown = levy_tile_grown(image, tile);
    return view;
}

/* An output is a fixed linear combination of items, in double. */
static cpu_wide cpu_output(const levy_image_output *output, uint32_t first_item, const lane *values)
{
    cpu_wide total = {0};
    for (uint32_t i = 0; i < output->n_terms; ++i) {
        const uint32_t item = output->first_item + output->term[i];
        const cpu_wide value =
            __builtin_convertvector(values[item - first_item], cpu_wide) * output->coefficient[i];
        total = i == 0 ? value : total + value;
    }
    return total;
}

static void cpu_add(cpu_wide *mean, cpu_wide *m2, cpu_wide value, double inverse, uint32_t n)
{
    if (n >= (uint32_t)LANES) {
        TREE_ADD(cpu_wide, *mean, *m2, value, inverse);
        return;
    }
    for (uint32_t i = 0; i < n; ++i) {
        double lane_mean = (*mean)[i], lane_m2 = (*m2)[i];
        TREE_ADD(double, lane_mean, lane_m2, value[i], inverse);
        (*mean)[i] = lane_mean;
        (*m2)[i] = lane_m2;
    }
}

/* Of one output, of n: that of its first columns is at `mean` and `m2`. */
static levy_block_sum cpu_merge_columns(const cpu_wide *mean, const cpu_wide *m2, uint32_t n,
                                        uint32_t count)
{
    tree_sum column[LEVY_COLUMNS];
    const uint32_t filled = count < LEVY_COLUMNS ? count : LEVY_COLUMNS;
    uint32_t width = LEVY_COLUMNS; /* of the tree: columns behind it are empty and add nothing */
    while (width / 2 >= filled) width /= 2;
    for (uint32_t c = 0; c < width; ++c) {
        column[c].n = tree_column_count(count, c);
        column[c].mean = mean[(size_t)(c / (uint32_t)LANES) * n][c % (uint32_t)LANES];
        column[c].m2 = m2[(size_t)(c / (uint32_t)LANES) * n][c % (uint32_t)LANES];
    }
    for (uint32_t half = width / 2; half > 0; half /= 2)
        for (uint32_t c = 0; c < half; ++c) column[c] = tree_merge(column[c], column[c + half]);
    return (levy_block_sum){column[0].mean, column[0].m2};
}

/* Tells the view where its arrays are. */
static void cpu_lend(const levy_image *image, const cpu_scratch *s, path_view *view)
{
    view->links = s->links;
    view->drivers = s->drivers;
    view->normals = image->n_functionals ? s->normals : s->drivers;
    view->sums = s->sums;
    view->kept = s->kept;
    view->first = s->first;
    view->counts = s->counts;
    if (cpu_is_linked(image))
        levy_cpu_links(image, s->links, (uint32_t *)(void *)(s->links + image->n_nodes));
}

/* What the points of a block share; the words that a replicate's blocks share are made once. */
static void cpu_start_points(const levy_image *image, const cpu_scratch *s, uint64_t replicate,
                             uint64_t start, uint64_t *held, points_state *points)
{
    memset(points, 0, sizeof *points);
    points->sobol.base = s->base;
    points->sobol.low = s->low;
    points->ahead = s->ahead;
    points->key = image->n_padded ? LEVY_IMAGE_AT(uint64_t, image, padding)[replicate]
                                  : LEVY_IMAGE_AT(uint64_t, image, keys)[replicate];
    if (levy_image_model_draws(image))
        points->beyond = LEVY_IMAGE_AT(uint64_t, image, padding)[replicate];
    if (image->generator == POINTS_MRG) cpu_streams(image, replicate, start, &points->mrg);
    if (image->generator != POINTS_SOBOL) return;
    if (*held != replicate) cpu_low_words(image, replicate, s->low);
    *held = replicate;
    cpu_base_words(image, replicate, start, s->base);
}

/* What a loop reads of the lanes that it takes at a time, and their items' values. */
typedef struct cpu_lanes {
    path_view view[CPU_ABREAST];
    points_state points[CPU_ABREAST];
    uint32_t *base[CPU_ABREAST]; /* the points' */
    lane values[CPU_ABREAST][LEVY_MAX_TILE];
} cpu_lanes;

/* Gives each lane a view with arrays of its own, and points. */
static void cpu_spread(const cpu_scratch *s, const path_view *view, uint32_t abreast,
                       cpu_lanes *lanes)
{
    for (uint32_t k = 0; k < abreast; ++k) {
        lanes->view[k] = *view;
        lanes->points[k] = lanes->points[0];
        lanes->view[k].drivers += k * s->drivers_pitch;
        lanes->view[k].kept += k * s->kept_pitch;
        lanes->points[k].sobol.base = lanes->base[k] = s->base + k * s->base_pitch;
    }
}

/* Copies the base words of a lane, unless they are moved where they are. */
static void cpu_follow(const levy_image *image, uint64_t replicate, uint64_t index,
                       const uint32_t *from, uint32_t *to)
{
    if (to != from) memcpy(to, from, 4 * (size_t)image->n_draws);
    cpu_base_step(image, replicate, index, to);
}

/* Points the lanes at the paths from p of a block on, which begins at path `start`. */
static void cpu_aim(const levy_image *image, const levy_cpu_beside *beside, uint64_t replicate,
                    uint64_t start, uint32_t p, uint32_t abreast, cpu_lanes *lanes)
{
    if (beside->record) lanes->view->record = (real *)beside->record + p;
    if (beside->given)
        lanes->points->given = (const char *)beside->given + p * levy_given_size(image);
    cpu_name_paths(image, lanes->points, start + p);
    for (uint32_t k = 1; k < abreast; ++k)
        cpu_follow(image, replicate, start + p + (k - 1) * (uint32_t)LANES, lanes->base[k - 1],
                   lanes->base[k]);
}

/* Adds the lanes' values to the outputs' sums; a block has no paths from `count` on. */
static void cpu_take(const levy_tile *tile, const levy_image_output *outputs, const cpu_scratch *s,
                     uint32_t p, uint32_t count, uint32_t abreast, const cpu_lanes *lanes)
{
    for (uint32_t k = 0; k < abreast && p < count; ++k, p += (uint32_t)LANES) {
        const double inverse = 1.0 / (double)(p / LEVY_COLUMNS + 1);
        const uint32_t at = (p % LEVY_COLUMNS) / (uint32_t)LANES;
        for (uint32_t o = 0; o < tile->n_outputs; ++o) {
            const size_t slot = (size_t)at * tile->n_outputs + o;
            cpu_add(&s->mean[slot], &s->m2[slot],
                    cpu_output(&outputs[o], tile->first_item, lanes->values[k]), inverse,
                    count - p);
        }
    }
}

/* Moves the first lane past the lanes that have run, of which it was path `index`. */
static void cpu_pass(const levy_image *image, uint64_t replicate, uint64_t index, uint32_t abreast,
                     cpu_lanes *lanes)
{
    if (image->generator == POINTS_SOBOL)
        cpu_follow(image, replicate, index + (abreast - 1) * (uint32_t)LANES,
                   lanes->base[abreast - 1], lanes->base[0]);
    if (image->generator == POINTS_MRG) cpu_streams_step(image, &lanes->points->mrg);
}

static void cpu_tile_block(const levy_image *image, const levy_tile *tile, uint64_t block,
                           void *memory, uint64_t *held, levy_block_sum *sums,
                           const levy_cpu_beside *beside)
{
    const uint64_t replicate = block / image->blocks,
                   start = (block % image->blocks) * LEVY_BLOCK_PATHS;
    const uint64_t left = image->paths - start;
    const uint32_t count = left < LEVY_BLOCK_PATHS ? (uint32_t)left : (uint32_t)LEVY_BLOCK_PATHS;
    uintptr_t place = (uintptr_t)memory;
    const cpu_scratch s = cpu_scratch_lay(image, tile->n_outputs, &place);
    path_view view = cpu_view(image, tile);
    view.record = beside->record;
    const levy_image_output *const outputs =
        LEVY_IMAGE_AT(levy_image_output, image, outputs) + tile->first_output;
    cpu_lanes lanes;
    cpu_order by_dynamics;
    cpu_scripts scripts;
    cpu_start_points(image, &s, replicate, start, held, lanes.points);
    lanes.points->given_stride = beside->given_stride;
    cpu_lend(image, &s, &view);
    cpu_sort_items(image, tile, &view, &by_dynamics);
    view.order = by_dynamics.order;
    view.starts = by_dynamics.starts;
    view.state_of = by_dynamics.state_of;
    view.drift_reach = by_dynamics.drift_reach;
    if (cpu_prepare_scripts(&view, s.frames, s.steps, &scripts)) view.scripts = scripts.item;
    const cpu_shape *shape = cpu_shapes;
    while (shape->fits && !shape->fits(&view)) ++shape;
    cpu_spread(&s, &view, shape->abreast, &lanes);
    memset(s.mean, 0, (size_t)tile->n_outputs * LEVY_COLUMNS * sizeof(double));
    memset(s.m2, 0, (size_t)tile->n_outputs * LEVY_COLUMNS * sizeof(double));
    for (uint32_t p = 0; p < count; p += shape->abreast * (uint32_t)LANES) {
        cpu_aim(image, beside, replicate, start, p, shape->abreast, &lanes);
        shape->values(lanes.view, lanes.points, lanes.values[0]);
        cpu_take(tile, outputs, &s, p, count, shape->abreast, &lanes);
        cpu_pass(image, replicate, start + p, shape->abreast, &lanes);
    }
    for (uint32_t o = 0; o < tile->n_outputs; ++o)
        sums[o] = cpu_merge_columns(s.mean + o, s.m2 + o, tile->n_outputs, count);
}

/* Does a loop take the tile's many dynamics? */
static bool cpu_shares_draws(const levy_image *image, const levy_tile *tile,
                             const levy_cpu_beside *beside)
{
#if LEVY_GENERAL_LOOP
    (void)image, (void)tile, (void)beside;
    return false;
#else
    path_view view = cpu_view(image, tile);
    view.record = beside->record;
    return path_averages_fits(&view) || path_many_fits(&view) || path_drawn_fits(&view) ||
           path_variance_fits(&view);
#endif
}

/* The clusters of the tile from output `first` on whose dynamics the general loop has room for. */
static levy_tile cpu_part(const levy_image *image, const levy_tile *tile, uint32_t first)
{
    const levy_image_output *const outputs =
        LEVY_IMAGE_AT(levy_image_output, image, outputs) + tile->first_output;
    const levy_image_output *output = &outputs[first];
    levy_tile part = {tile->first_output + first, 0, output->first_item, 0,
                      output->first_dynamics,     0};
    for (uint32_t o = first; o < tile->n_outputs; ++o) {
        output = &outputs[o];
        const uint32_t end = output->first_dynamics + output->n_dynamics;
        if (output->first_dynamics < part.first_dynamics ||
            end - part.first_dynamics > LEVY_MAX_LOOP_DYNAMICS)
            break;
        part.n_items = output->first_item + output->n_items - part.first_item;
        const uint32_t reach = end - part.first_dynamics;
        part.n_dynamics = reach > part.n_dynamics ? reach : part.n_dynamics;
        ++part.n_outputs;
    }
    return part;
}

static void cpu_block(const levy_image *image, const levy_tile *tile, uint64_t block, void *memory,
                      uint64_t *held, levy_block_sum *sums, const levy_cpu_beside *beside)
{
    if (tile->n_dynamics <= LEVY_MAX_LOOP_DYNAMICS || cpu_shares_draws(image, tile, beside)) {
        cpu_tile_block(image, tile, block, memory, held, sums, beside);
        return;
    }
    levy_cpu_beside rest = *beside;
    for (uint32_t done = 0; done < tile->n_outputs;) {
        const levy_tile part = cpu_part(image, tile, done);
        cpu_tile_block(image, &part, block, memory, held, sums + done, &rest);
        rest.record = NULL; /* only the levels of the first dynamics */
        done += part.n_outputs;
    }
}

extern const levy_cpu_isa CPU_JOIN(levy_cpu_, LEVY_ISA_NAME, LANE_PICK(_double, _single));
const levy_cpu_isa CPU_JOIN(levy_cpu_, LEVY_ISA_NAME, LANE_PICK(_double, _single)) = {
    CPU_TEXT(LEVY_ISA_NAME), (uint32_t)LANES, cpu_scratch_size, cpu_block};
