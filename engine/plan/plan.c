/* plan.c: the numeric half of a plan, written as one flat image. Everything here is a function of
 * the problem alone. */
#include "engine/plan/dimensions.h"
#include "payoffs/scripted.h"
#include "engine/plan/known.h"
#include "engine/plan/loadings.h"
#include "engine/plan/group_model.h"
#include "engine/plan/outputs.h"
#include "engine/plan/plan.h"

#include "engine/plan/tiles.h"
#include "engine/plan/item_terms.h"
#include "engine/plan/point_columns.h"
#include "kernels/lane/scalar.h"
#include "kernels/points/mrg_streams.h"
#include "kernels/points/point_set.h"
#include "kernels/points/points.h"
#include "kernels/points/sobol_tables.h"

#define XXH_INLINE_ALL
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const uint64_t plan_image_bytes = (uint64_t)4 << 30;

typedef struct plan_builder {
    levy_plan *plan;
    const levy_problem *problem;
    const levy_group *group;
    levy_arena *arena;         /* scratch; what the plan keeps lives in its own */
    levy_point_tables *tables; /* shared columns, or NULL */
    levy_dynamics_plan dynamics;
    levy_item_plan items;
    levy_build_order build_order;
    double *driver; /* [n_nodes]: what the first draw moves, where it is integrated; else NULL */
    uint32_t model_draws; /* words a node draws for the model */
    levy_model_plan model;
    char *why;
} plan_builder;

/* Logarithms of single-precision plans are to base 2. */
static double plan_log_scale(const levy_problem *p)
{
    return p->simulation.precision == LEVY_PRECISION_SINGLE ? LEVY_LOG2_E : 1.0;
}

static uint32_t plan_purpose(const plan_builder *b)
{
    const uint32_t purpose = b->problem->simulation.purpose;
    return purpose ? purpose : (uint32_t)LEVY_PURPOSE_PRICE;
}

static uint32_t plan_generator(const levy_problem *p)
{
    static const uint32_t generators[] = {POINTS_SOBOL, POINTS_SOBOL, POINTS_PHILOX, POINTS_MRG};
    if (p->simulation.supply == LEVY_SUPPLY_CALLER) return POINTS_GIVEN_NORMALS;
    return p->simulation.supply ? POINTS_GIVEN_WORDS : generators[p->simulation.generator];
}

/* ---- The draws ---- */

/* How many draws a node has outside the bridge: the model's, and one if trades want it. */
static uint32_t plan_auxiliary(const plan_builder *b)
{
    return b->model_draws + (b->group->auxiliary_draw ? 1 : 0);
}

/* How many draws a path has. Those outside the bridge are stored after all others, in time
 * order. */
static uint64_t plan_n_draws(const plan_builder *b)
{
    return (uint64_t)b->group->n_nodes * (b->dynamics.n_factors + plan_auxiliary(b));
}

static levy_status plan_dimensions(plan_builder *b)
{
    b->plan->dimensions =
        levy_arena_allocate(&b->plan->arena, plan_n_draws(b), sizeof *b->plan->dimensions);
    if (!b->plan->dimensions) return LEVY_MEMORY;
    return levy_dimensions_create(&b->build_order, (uint32_t)b->dynamics.n_factors,
                                  b->dynamics.rotation.variance, plan_auxiliary(b),
                                  b->group->integrated, b->arena, b->plan->dimensions);
}

/* ---- The image ---- */

/* Of the numbers, and of what names the paths that some of them were fitted to. */
static void plan_hash(levy_plan *plan)
{
    levy_image *const h = plan->image;
    h->numeric_hash = 0;
    h->numeric_hash = XXH3_64bits(h, h->bytes);
    const uint64_t parts[] = {h->numeric_hash, plan->fit};
    if (plan->fit) h->numeric_hash = XXH3_64bits(parts, sizeof parts);
}

/* False if no machine has so much memory. The actual limit is left to plan_fits, which can say how
 * much memory the plan would need. */
static bool plan_reserve(levy_image *h, uint64_t *offset, uint64_t count, uint64_t size)
{
    uint64_t bytes;
    *offset = h->bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > UINT64_MAX >> 8) return false;
    h->bytes = (h->bytes + bytes + 63) & ~(uint64_t)63;
    return true;
}

/* With drift residuals, a GPU whose normals are in single can run the bridge on the levels, and
 * need not build the driver first. */
static bool plan_has_drift_residual(const levy_image *h)
{
    return (h->precision == LEVY_PRECISION_SINGLE || h->mixed) && h->n_factors * h->n_assets == 1 &&
           !h->covariance && h->construction == LEVY_BUILD_BISECTION && h->n_functionals == 0;
}

static bool plan_layout(const plan_builder *b, levy_image *h)
{
    const uint64_t real_size = h->precision == LEVY_PRECISION_SINGLE ? 4 : 8, n = h->n_nodes,
                   a = h->n_assets, m = h->n_dynamics;
    const uint64_t tables = h->generator == POINTS_SOBOL ? h->n_replicates : 0,
                   streams = h->generator == POINTS_MRG;
    const uint64_t components = h->construction == LEVY_BUILD_COMPONENTS ? (n + 7) / 8 * 8 : 0;
    h->bytes = (sizeof *h + 63) & ~(uint64_t)63;
    return plan_reserve(h, &h->segments, h->n_segments, sizeof(levy_image_segment)) &&
           plan_reserve(h, &h->bridge, n * 4, real_size) &&
           plan_reserve(h, &h->bridge_time, n, 4) && plan_reserve(h, &h->descents, n, 4) &&
           plan_reserve(h, &h->flags, n, 4) && plan_reserve(h, &h->drift, m * n * a, real_size) &&
           plan_reserve(h, &h->factor, m * (h->covariance ? n : 1) * a * h->n_factors, real_size) &&
           plan_reserve(h, &h->drift_residual, plan_has_drift_residual(h) ? m * n : 0, real_size) &&
           plan_reserve(h, &h->elapsed_share, h->has_elapsed ? m * n : 0, real_size) &&
           plan_reserve(h, &h->cash, h->has_cash ? m * n * a : 0, real_size) &&
           plan_reserve(h, &h->moved, m, 4) && plan_reserve(h, &h->returns, m, 4) &&
           plan_reserve(h, &h->growth, levy_image_grows(h) ? m * n : 0, real_size) &&
           plan_reserve(h, &h->items, h->n_items, sizeof(levy_image_item)) &&
           plan_reserve(h, &h->item_reals, (uint64_t)h->n_items * LEVY_ITEM_REALS, real_size) &&
           plan_reserve(h, &h->coefficients, h->n_items * a, real_size) &&
           plan_reserve(h, &h->node_terms, b->items.all_node_terms, real_size) &&
           plan_reserve(h, &h->outputs, h->n_outputs, sizeof(levy_image_output)) &&
           plan_reserve(h, &h->keys, h->n_replicates, 8) &&
           plan_reserve(h, &h->directions,
                        levy_given_size(h) ? h->n_draws : tables * 33 * h->n_draws, 4) &&
           plan_reserve(h, &h->low, tables * h->n_draws * 8, 4) &&
           plan_reserve(h, &h->padded, h->n_padded ? (h->n_draws + 31) / 32 : 0, 4) &&
           plan_reserve(h, &h->padding, h->n_padded || h->model_draws ? h->n_replicates : 0, 8) &&
           plan_reserve(h, &h->streams, streams * h->n_replicates * LEVY_MRG_STATE, 4) &&
           plan_reserve(h, &h->jumps,
                        streams * (LEVY_MRG_POWERS + LEVY_MRG_STRIDES) * LEVY_MRG_JUMP, 4) &&
           plan_reserve(h, &h->model_reals, b->model.n_reals, real_size) &&
           plan_reserve(h, &h->model_words, b->model.n_words, 4) &&
           plan_reserve(h, &h->variance, h->model_features & LEVY_MODEL_SCALES ? m * n * a : 0,
                        real_size) &&
           plan_reserve(h, &h->added, h->model_features & LEVY_MODEL_SCALES ? m * a : 0,
                        real_size) &&
           plan_reserve(h, &h->scripts, 8 * h->n_scripts + b->items.script_bytes, 1) &&
           plan_reserve(h, &h->matrix, components * n + 2 * n * h->n_functionals, real_size);
}

static uint32_t plan_features(const plan_builder *b)
{
    const levy_model *const model = b->dynamics.trade->model;
    return b->group->known ? 0
                           : levy_model_drawn_features(
                                 levy_model_drawn(model->kind, b->group->integrated), model->terms);
}

static void plan_header(const plan_builder *b, levy_image *h)
{
    const levy_simulation *const s = &b->problem->simulation;
    memset(h, 0, sizeof *h);
    h->magic = LEVY_IMAGE_MAGIC;
    h->version = LEVY_IMAGE_VERSION;
    h->precision = s->precision == LEVY_PRECISION_SINGLE;
    h->mixed = s->precision == LEVY_PRECISION_MIXED;
    h->model = b->group->known
                   ? LEVY_MODEL_NO_LANES
                   : levy_model_lanes(b->dynamics.trade->model->kind,
                                      b->dynamics.trade->model->terms, b->group->integrated);
    h->generator = plan_generator(b->problem);
    h->construction = b->build_order.construction;
    h->covariance = b->dynamics.per_interval;
    h->has_cash = b->dynamics.has_cash;
    for (size_t m = 0; m < b->dynamics.n_dynamics; ++m)
        if (!b->dynamics.per_interval && b->dynamics.sets[b->dynamics.set_of[m]].elapsed > 0.0)
            h->has_elapsed = 1;
    h->full = b->build_order.strategy.full;
    h->n_assets = (uint32_t)b->dynamics.n_assets;
    h->n_factors = (uint32_t)b->dynamics.n_factors;
    h->n_nodes = (uint32_t)b->group->n_nodes;
    h->n_segments = b->build_order.strategy.n_runs;
    h->stack = b->build_order.strategy.stack + 1; /* and the start */
    h->auxiliary = plan_auxiliary(b);
    h->model_draws = b->model_draws;
    h->n_counts = b->model.n_counts;
    h->n_functionals = levy_build_order_functionals(s, b->group);
    memcpy(h->model_constants, b->model.constants, sizeof h->model_constants);
    for (size_t m = 0; m < b->dynamics.n_dynamics; ++m)
        for (size_t u = 0; u < b->dynamics.n_assets; ++u)
            if (levy_dynamics_added(&b->dynamics, b->dynamics.set_of[m], u) != 0.0)
                h->model_constants[0] |= LEVY_MODEL_ADDED;
    h->n_model_reals = (uint32_t)b->model.n_reals;
    h->n_model_words = (uint32_t)b->model.n_words;
    h->model_features = plan_features(b);
    h->records = s->records;
    h->integrated = b->group->integrated;
    for (size_t i = 0; i < b->items.n_items; ++i) {
        const levy_image_item *const item = &b->items.items[i];
        const levy_payoff *const lanes = levy_item_lanes(item);
        const uint32_t kept = lanes && lanes->n_kept ? lanes->n_kept(item->variant) : 0;
        if (kept > h->kept) h->kept = kept;
    }
    h->n_draws = (uint32_t)plan_n_draws(b);
    const uint32_t dimensions = levy_net_dimensions(s->net);
    h->n_padded =
        h->generator == POINTS_SOBOL && h->n_draws > dimensions ? h->n_draws - dimensions : 0;
    h->n_dynamics = (uint32_t)b->dynamics.n_dynamics;
    h->n_items = (uint32_t)b->items.n_items;
    h->n_scripts = (uint32_t)b->items.n_scripts;
    h->n_outputs = (uint32_t)b->items.n_outputs;
    h->n_trades = (uint32_t)b->group->n_trades;
    h->n_replicates = (uint32_t)s->replicates;
    h->paths = s->paths / s->replicates;
    h->blocks = (h->paths + LEVY_BLOCK_PATHS - 1) / LEVY_BLOCK_PATHS;
}

static void *plan_at(const levy_plan *plan, uint64_t offset)
{
    return (char *)plan->image + offset;
}

/* Writes doubles as the image's reals. */
static void plan_put(const levy_plan *plan, uint64_t offset, uint64_t first, const double *values,
                     size_t n)
{
    if (plan->image->precision == LEVY_PRECISION_SINGLE) {
        float *const to = (float *)plan_at(plan, offset) + first;
        for (size_t i = 0; i < n; ++i) to[i] = (float)values[i];
    } else if (n) {
        memcpy((double *)plan_at(plan, offset) + first, values, n * sizeof *values);
    }
}

static void plan_put_build_order(const plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    for (uint32_t i = 0; i < h->n_nodes; ++i) {
        const levy_strategy_entry *const e = &b->build_order.strategy.entries[i];
        const double weights[4] = {e->left, e->right, e->deviation, 0.0};
        plan_put(b->plan, h->bridge, 4 * (uint64_t)i, weights, 4);
        ((uint32_t *)plan_at(b->plan, h->bridge_time))[i] = e->node;
    }
    memcpy(plan_at(b->plan, h->descents), b->build_order.strategy.descents,
           h->n_nodes * sizeof(uint32_t));
    memcpy(plan_at(b->plan, h->flags), b->items.flags, h->n_nodes * sizeof(uint32_t));
    levy_image_segment *const segments = plan_at(b->plan, h->segments);
    for (uint32_t g = 0; g < h->n_segments; ++g) {
        const levy_strategy_run *const r = &b->build_order.strategy.runs[g];
        segments[g] = (levy_image_segment){r->pushes, r->present, r->first_node, r->first_entry};
    }
}

static void plan_put_items(const plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    memcpy(plan_at(b->plan, h->items), b->items.items, h->n_items * sizeof *b->items.items);
    memcpy(plan_at(b->plan, h->outputs), b->items.outputs, h->n_outputs * sizeof *b->items.outputs);
    plan_put(b->plan, h->item_reals, 0, b->items.reals, (size_t)h->n_items * LEVY_ITEM_REALS);
    plan_put(b->plan, h->coefficients, 0, b->items.coefficients, (size_t)h->n_items * h->n_assets);
}

static void plan_put_scripts(const plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    uint64_t *const starts = plan_at(b->plan, h->scripts);
    uint64_t at = 8 * (uint64_t)h->n_scripts;
    for (uint32_t i = 0; i < h->n_scripts; at += b->items.scripts[i]->bytes, ++i) {
        starts[i] = at;
        memcpy((char *)starts + at, b->items.scripts[i], b->items.scripts[i]->bytes);
    }
}

/* Stores the components of 8 nodes side by side. Nodes past the last have zeros. */
static levy_status plan_put_components(const plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    const size_t n = h->n_nodes;
    double *const eights =
        b->build_order.matrix ? levy_arena_allocate(b->arena, 8 * n, sizeof *eights) : NULL;
    if (!b->build_order.matrix) return LEVY_OK;
    if (!eights) return LEVY_MEMORY;
    for (size_t block = 0; 8 * block < n; ++block) {
        for (size_t j = 0; j < n; ++j)
            for (size_t k = 0; k < 8; ++k)
                eights[8 * j + k] =
                    8 * block + k < n ? b->build_order.matrix[(8 * block + k) * n + j] : 0.0;
        plan_put(b->plan, h->matrix, 8 * n * block, eights, 8 * n);
    }
    return LEVY_OK;
}

static void plan_put_functionals(const plan_builder *b)
{
    const levy_functionals *const f = &b->build_order.functionals;
    const size_t n = (size_t)b->plan->image->n_nodes * f->n;
    if (n == 0) return;
    plan_put(b->plan, b->plan->image->matrix, 0, f->gather, n);
    plan_put(b->plan, b->plan->image->matrix, n, f->spread, n);
}

/* The loadings of the assets' logarithms under the dynamics just filled, and the terms that items
 * on one asset make of the last. loading: [asset][n_nodes]. */
static void plan_put_loadings(const plan_builder *b, uint32_t dynamics, const double *factor,
                              const double *elapsed_share, double *loading)
{
    const levy_image *const h = b->plan->image;
    for (size_t u = 0; u < h->n_assets; ++u)
        levy_loadings_asset(&b->dynamics, b->driver, factor, elapsed_share, u,
                            loading + u * h->n_nodes);
    for (uint32_t i = 0; i < h->n_items; ++i) {
        double *const terms = b->items.reals + (size_t)i * LEVY_ITEM_REALS;
        if (b->items.items[i].dynamics != dynamics) continue;
        levy_item_integral(loading[h->n_nodes - 1], plan_log_scale(b->problem), terms);
        plan_put(b->plan, h->item_reals, (uint64_t)i * LEVY_ITEM_REALS, terms, LEVY_ITEM_REALS);
    }
}

/* variances: [asset][node] of the logarithms, by interval. */
static void plan_put_variances(const plan_builder *b, const double *factor,
                               const double *elapsed_share, double *variances)
{
    const levy_image *const h = b->plan->image;
    const size_t n = h->n_nodes, row = h->n_assets * h->n_factors;
    for (size_t i = 0; i < n * h->n_assets; ++i) {
        const size_t k = i % n, u = i / n;
        const double *const of_asset = factor + (h->covariance ? k * row : 0) + u * h->n_factors;
        const double clock = b->dynamics.clock[k] - (k ? b->dynamics.clock[k - 1] : 0.0);
        for (size_t f = 0; f < h->n_factors; ++f) {
            const double own = of_asset[f] * (1.0 - elapsed_share[k]);
            variances[i] += own * own * clock;
        }
    }
}

/* Whether some item's script asks for volatilities. */
static bool plan_asks_volatility(const plan_builder *b)
{
    for (size_t t = 0; t < b->group->n_trades; ++t) {
        const levy_scripted *const s = b->problem->trades[b->group->trades[t]].scripted;
        if (s && s->script.n_spans > 0) return true;
    }
    return false;
}

/* The underlyings as a set sees them, with their volatilities, if a script asks for these. */
static levy_status plan_put_assets(const plan_builder *b, uint32_t set, levy_arena *scratch,
                                   const levy_asset **assets)
{
    const size_t n = b->plan->image->n_assets;
    *assets = NULL;
    if (!plan_asks_volatility(b)) return LEVY_OK;
    levy_asset *const own = levy_arena_allocate(scratch, n, sizeof *own);
    if (!own) return LEVY_MEMORY;
    for (size_t u = 0; u < n; ++u)
        LEVY_TRY(levy_dynamics_black(&b->dynamics, set, u, scratch, &own[u]));
    *assets = own;
    return LEVY_OK;
}

/* Node terms of the items on one asset, under the dynamics just filled. */
static levy_status plan_put_node_terms(const plan_builder *b, uint32_t dynamics,
                                       const double *drift, const double *factor,
                                       const double *elapsed_share, levy_arena *scratch)
{
    const levy_image *const h = b->plan->image;
    const size_t n = h->n_nodes;
    const uint32_t set = b->dynamics.set_of[dynamics];
    double *const steps = levy_arena_allocate(scratch, 2 * n, sizeof *steps);
    double *const loading = levy_arena_allocate(scratch, n * h->n_assets, sizeof *loading),
                  *const variances =
                      levy_arena_allocate(scratch, n * h->n_assets, sizeof *variances);
    const levy_asset *assets;
    if (!steps || !loading || !variances) return LEVY_MEMORY;
    LEVY_TRY(plan_put_assets(b, set, scratch, &assets));
    plan_put_variances(b, factor, elapsed_share, variances);
    if (b->driver) plan_put_loadings(b, dynamics, factor, elapsed_share, loading);
    for (size_t k = 0; b->driver && k < n * h->n_assets; ++k) {
        if (loading[k] > -1e-12) loading[k] = loading[k] > 0.0 ? loading[k] : 0.0; /* rounding */
        if (loading[k] >= 0.0) continue;
        snprintf(b->why, LEVY_PLAN_WHY,
                 "a shift makes an underlying fall where the normal that is integrated rises: set "
                 "simulation.smoothing to none");
        return LEVY_UNSUPPORTED;
    }
    for (size_t k = 0; k < n; ++k) {
        const double f = factor[h->covariance ? k * h->n_factors : 0] * (1.0 - elapsed_share[k]);
        const double clock = b->dynamics.clock[k] - (k ? b->dynamics.clock[k - 1] : 0.0);
        steps[k] = h->covariance || k == 0 ? drift[k * h->n_assets]
                                           : drift[k * h->n_assets] - drift[(k - 1) * h->n_assets];
        steps[n + k] = f * f * clock;
        if (h->n_assets > 1) steps[k] = steps[n + k] = NAN;
    }
    for (uint32_t i = 0; i < h->n_items; ++i) {
        const levy_image_item *const item = &b->items.items[i];
        if (item->dynamics != dynamics || item->n_node_terms + item->n_constants == 0) continue;
        const levy_trade *const trade = &b->problem->trades[b->group->trades[item->trade]];
        const levy_curve *curve;
        LEVY_TRY(levy_dynamics_curve(&b->dynamics, set, trade->discount_curve, scratch, &curve));
        const levy_asset_dynamics of_asset = {n,
                                              b->group->times,
                                              steps,
                                              steps + n,
                                              variances,
                                              b->driver ? loading : NULL,
                                              trade->model->assets[trade->underlyings[0]],
                                              assets,
                                              curve,
                                              b->dynamics.sets[set].elapsed};
        const size_t reals = item->n_constants + n * item->n_node_terms;
        double *const numbers = levy_arena_allocate(scratch, reals, sizeof *numbers);
        if (!numbers) return LEVY_MEMORY;
        levy_item_numbers(trade, item, &b->items.views[i],
                          b->items.coefficients + (size_t)i * h->n_assets, &of_asset,
                          plan_log_scale(b->problem), numbers);
        plan_put(b->plan, h->node_terms, item->node_terms - item->n_constants, numbers, reals);
    }
    return LEVY_OK;
}

/* `stack`: room for the image's stack. The traversal is path.h's: left is the last node emitted,
 * right the top of the stack. */
static void plan_put_drift_residual(const plan_builder *b, uint32_t dynamics, const double *drift,
                                    double *stack, double *drift_residual)
{
    const levy_image *const h = b->plan->image;
    const levy_strategy *const s = &b->build_order.strategy;
    uint32_t top = 0, entry = 0;
    double left = 0.0;
    stack[0] = 0.0;
    for (uint32_t node = 0; node < h->n_nodes; ++node) {
        for (uint32_t n = s->descents[node]; n > 0; --n, ++entry, ++top) {
            const levy_strategy_entry *const e = &s->entries[entry];
            stack[top + 1] = drift[e->node - 1];
            drift_residual[entry] = stack[top + 1] - e->left * left - e->right * stack[top];
        }
        left = stack[top--];
    }
    plan_put(b->plan, h->drift_residual, (uint64_t)dynamics * h->n_nodes, drift_residual,
             h->n_nodes);
}

/* Writes the variances of the intervals for models that scale the driver's increments: squared
 * factors times the steps of the clock. */
static levy_status plan_put_variance(const plan_builder *b, uint32_t dynamics, const double *factor,
                                     levy_arena *scratch)
{
    const levy_image *const h = b->plan->image;
    const size_t n = h->n_assets, row = (size_t)h->n_nodes * n;
    double *const variance = levy_arena_allocate(scratch, row, sizeof *variance);
    if (!variance) return LEVY_MEMORY;
    for (size_t i = 0; i < row; ++i) {
        const size_t node = i / n;
        const double clock = b->dynamics.clock[node] - (node ? b->dynamics.clock[node - 1] : 0.0);
        for (size_t f = 0; f < h->n_factors; ++f)
            variance[i] += factor[i * h->n_factors + f] * factor[i * h->n_factors + f];
        variance[i] *= clock * plan_log_scale(b->problem);
    }
    plan_put(b->plan, h->variance, dynamics * row, variance, row);
    for (size_t u = 0; u < n; ++u) {
        const double added = levy_dynamics_added(&b->dynamics, b->dynamics.set_of[dynamics], u);
        plan_put(b->plan, h->added, dynamics * n + u, &added, 1);
    }
    return LEVY_OK;
}

/* The numbers of one dynamics, made anew for each. */
typedef struct plan_numbers {
    double *drift, *factor, *cash, *elapsed_share, *stack, *drift_residual;
    double *first, *growth; /* the first dynamics' drift, and growth from there */
    size_t row, factors;    /* lengths of drift and cash, and of factor */
} plan_numbers;

/* `scratch` is released after each dynamics, because there may be hundreds. */
static levy_status plan_put_numbers(const plan_builder *b, uint32_t m, const plan_numbers *x,
                                    levy_arena *scratch)
{
    const levy_image *const h = b->plan->image;
    const double scale = plan_log_scale(b->problem);
    LEVY_TRY(levy_dynamics_fill(&b->dynamics, m, scratch, x->drift, x->factor,
                                h->has_cash ? x->cash : NULL, x->elapsed_share));
    if (b->items.all_node_terms || b->driver)
        LEVY_TRY(plan_put_node_terms(b, m, x->drift, x->factor, x->elapsed_share, scratch));
    levy_model_add_drift(&b->dynamics, &b->model, x->drift);
    levy_model_put_factor(&b->dynamics, &b->model, x->factor);
    if (h->model_features & LEVY_MODEL_SCALES)
        LEVY_TRY(plan_put_variance(b, m, x->factor, scratch));
    if (levy_image_grows(h)) {
        if (m == 0) memcpy(x->first, x->drift, x->row * sizeof *x->first);
        for (size_t i = 0; i < x->row; ++i)
            x->growth[i] = levy_exp(x->drift[i] - x->first[i]) - 1.0;
        plan_put(b->plan, h->growth, m * x->row, x->growth, x->row);
    }
    for (size_t i = 0; i < x->row; ++i) x->drift[i] *= scale;
    for (size_t i = 0; i < x->factors; ++i) x->factor[i] *= scale;
    plan_put(b->plan, h->drift, m * x->row, x->drift, x->row);
    plan_put(b->plan, h->factor, m * x->factors, x->factor, x->factors);
    if (plan_has_drift_residual(h))
        plan_put_drift_residual(b, m, x->drift, x->stack, x->drift_residual);
    if (h->has_cash) plan_put(b->plan, h->cash, m * x->row, x->cash, x->row);
    if (h->has_elapsed)
        plan_put(b->plan, h->elapsed_share, (uint64_t)m * h->n_nodes, x->elapsed_share, h->n_nodes);
    return levy_memory_stopped(scratch->memory) ? LEVY_CANCELLED : LEVY_OK;
}

/* A scenario has the bits of a book with its quotes, so its exponentials are its own. */
static void plan_put_returns(const plan_builder *b)
{
    const levy_dynamics_plan *const m = &b->dynamics;
    uint32_t *const returns = plan_at(b->plan, b->plan->image->returns);
    levy_plan_put_returns(b->plan->image, returns);
    for (size_t k = 0; k < m->n_dynamics; ++k)
        if (m->sets[m->set_of[k]].scenario) returns[k] = LEVY_RETURNS_OWN;
}

static levy_status plan_put_dynamics(const plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    const size_t row = (size_t)h->n_nodes * h->n_assets;
    const size_t factors = (size_t)(h->covariance ? h->n_nodes : 1) * h->n_assets * h->n_factors;
    const plan_numbers x = {
        .drift = levy_arena_allocate(b->arena, row, sizeof *x.drift),
        .factor = levy_arena_allocate(b->arena, factors, sizeof *x.factor),
        .cash = levy_arena_allocate(b->arena, row, sizeof *x.cash),
        .elapsed_share = levy_arena_allocate(b->arena, h->n_nodes, sizeof *x.elapsed_share),
        .stack = levy_arena_allocate(b->arena, h->stack + 1, sizeof *x.stack),
        .drift_residual = levy_arena_allocate(b->arena, h->n_nodes, sizeof *x.drift_residual),
        .first = levy_arena_allocate(b->arena, row, sizeof *x.first),
        .growth = levy_arena_allocate(b->arena, row, sizeof *x.growth),
        .row = row,
        .factors = factors};
    levy_status status = x.drift && x.factor && x.cash && x.elapsed_share && x.stack &&
                                 x.drift_residual && x.first && x.growth
                             ? LEVY_OK
                             : LEVY_MEMORY;
    for (uint32_t m = 0; m < h->n_dynamics && status == LEVY_OK; ++m) {
        levy_arena scratch;
        levy_arena_init(&scratch, b->arena->memory);
        status = plan_put_numbers(b, m, &x, &scratch);
        levy_arena_release(&scratch);
    }
    if (status == LEVY_OK) levy_plan_put_moved(h, plan_at(b->plan, h->moved));
    if (status == LEVY_OK) plan_put_returns(b);
    return status;
}

/* Writes one draw's column to its two places. */
static void plan_put_column(const plan_builder *b, uint32_t replicate, uint32_t draw,
                            const uint32_t *column)
{
    const levy_image *const h = b->plan->image;
    uint32_t *const rows =
        (uint32_t *)plan_at(b->plan, h->directions) + (size_t)replicate * 33 * h->n_draws;
    uint32_t *const low = (uint32_t *)plan_at(b->plan, h->low) + (size_t)replicate * 8 * h->n_draws;
    for (uint32_t row = 0; row < LEVY_COLUMN_WORDS; ++row)
        rows[(size_t)row * h->n_draws + draw] = column[row];
    memcpy(low + 8 * (size_t)draw, column, 8 * sizeof *column);
}

/* Writes the direction numbers of every replicate, in build order. `columns`: NULL, or those of
 * dimensions 0 .. n - 1. */
static levy_status plan_put_columns(const plan_builder *b, const levy_table_key *key, uint32_t n,
                                    const uint32_t *columns)
{
    const levy_image *const h = b->plan->image;
    uint32_t *const numbers =
        columns ? NULL : levy_memory_allocate(b->arena->memory, (size_t)n * 32, sizeof *numbers);
    const bool good = columns || (numbers && levy_net_directions(key->net, n, numbers));
    for (uint32_t r = 0; good && r < h->n_replicates; ++r)
        for (uint32_t c = 0; c < h->n_draws; ++c) {
            const uint32_t d = b->plan->dimensions[c];
            uint32_t own[LEVY_COLUMN_WORDS];
            if (c % 1024 == 0 && levy_memory_stopped(b->arena->memory)) {
                levy_memory_release(b->arena->memory, numbers);
                return LEVY_CANCELLED;
            }
            if (d >= n) continue;
            if (!columns) levy_point_column(key, r, d, numbers + 32 * (size_t)d, own);
            plan_put_column(
                b, r, c,
                columns ? columns + ((size_t)d * h->n_replicates + r) * LEVY_COLUMN_WORDS : own);
        }
    levy_memory_release(b->arena->memory, numbers);
    if (good) return LEVY_OK;
    return columns || numbers ? LEVY_INTERNAL : LEVY_MEMORY;
}

static levy_status plan_put_tables(const plan_builder *b)
{
    const levy_simulation *const s = &b->problem->simulation;
    const levy_image *const h = b->plan->image;
    const levy_table_key key = {s->seed, h->n_replicates, levy_simulation_scrambling(s), s->net,
                                plan_purpose(b)};
    const uint32_t n = h->n_draws - h->n_padded;
    const levy_status status =
        plan_put_columns(b, &key, n, levy_point_tables_get(b->tables, b->arena->memory, &key, n));
    levy_point_tables_let_go(b->tables);
    return status;
}

/* Marks the least important draws, which lie past the table. The keys also serve the words that a
 * model may draw past its own. */
static void plan_put_padding(const plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    uint32_t *const padded = plan_at(b->plan, h->padded);
    uint64_t *const keys = plan_at(b->plan, h->padding);
    for (uint32_t c = 0; h->n_padded && c < h->n_draws; ++c)
        if (b->plan->dimensions[c] >= h->n_draws - h->n_padded) padded[c / 32] |= 1u << c % 32;
    for (uint32_t r = 0; r < h->n_replicates && (h->n_padded || h->model_draws); ++r)
        keys[r] = levy_points_key(b->problem->simulation.seed, r,
                                  LEVY_PURPOSE_PADDING + plan_purpose(b) - LEVY_PURPOSE_PRICE);
}

/* Writes the starts of the replicates, and the jumps by whole paths: first by 2^b paths, then by
 * 2^k - 1. */
static void plan_put_streams(const plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    uint32_t *const starts = plan_at(b->plan, h->streams);
    uint32_t *const jumps = plan_at(b->plan, h->jumps);
    uint32_t one[LEVY_MRG_JUMP];
    for (uint32_t r = 0; r < h->n_replicates; ++r)
        levy_mrg_start(b->problem->simulation.seed, r, plan_purpose(b),
                       starts + LEVY_MRG_STATE * (size_t)r);
    levy_mrg_one_draw(one);
    levy_mrg_repeat(one, h->n_draws, jumps);
    for (uint32_t i = 1; i < LEVY_MRG_POWERS; ++i)
        levy_mrg_repeat(jumps + LEVY_MRG_JUMP * (size_t)(i - 1), 2,
                        jumps + LEVY_MRG_JUMP * (size_t)i);
    for (uint32_t k = 0; k < LEVY_MRG_STRIDES; ++k)
        levy_mrg_repeat(jumps, ((uint64_t)1 << k) - 1,
                        jumps + LEVY_MRG_JUMP * (size_t)(LEVY_MRG_POWERS + k));
}

/* What tells the numbers of this supply from others' in the hash of the plan. The caller's have no
 * name. */
static uint64_t plan_supply_key(const levy_simulation *s)
{
    const uint64_t net = s->net ? s->net->hash : 0;
    const uint64_t parts[] = {
        (uint64_t)s->supply,
        (uint64_t)s->generator,
        (uint64_t)levy_simulation_scrambling(s),
        s->supply == LEVY_SUPPLY_SET ? s->points->hash : net,
    };
    return s->supply ? XXH3_64bits(parts, sizeof parts) : 0;
}

/* Sobol points and given normals have their best dimensions first. The row of a word of Philox is
 * its place in the build order, that of another pseudo-random word its place in time, as in a loop
 * that makes it. */
static void plan_put_rows(const plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    const uint32_t *const nodes = LEVY_IMAGE_AT(uint32_t, h, bridge_time);
    const uint32_t drivers = h->n_nodes * h->n_factors;
    const int32_t generator = b->problem->simulation.generator;
    uint32_t *const rows = plan_at(b->plan, h->directions);
    for (uint32_t c = 0; levy_given_size(h) && c < h->n_draws; ++c)
        rows[c] = levy_simulation_is_quasi(&b->problem->simulation) ||
                          h->generator == POINTS_GIVEN_NORMALS
                      ? b->plan->dimensions[c]
                  : c < drivers && generator != LEVY_GENERATOR_PHILOX
                      ? (nodes[c / h->n_factors] - 1) * h->n_factors + c % h->n_factors
                      : c;
}

static levy_status plan_put_points(const plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    const levy_simulation *const s = &b->problem->simulation;
    uint64_t *const keys = plan_at(b->plan, h->keys);
    for (uint32_t r = 0; r < h->n_replicates; ++r)
        keys[r] = levy_points_key(s->seed, r, plan_purpose(b)) ^ plan_supply_key(s);
    plan_put_rows(b);
    if (h->generator == POINTS_MRG) plan_put_streams(b);
    plan_put_padding(b);
    return h->generator == POINTS_SOBOL ? plan_put_tables(b) : LEVY_OK;
}

/* Given numbers come for every draw, and given normals for draws that are normals. */
static levy_status plan_check_supply(const plan_builder *b)
{
    const levy_simulation *const s = &b->problem->simulation;
    uint64_t most = LEVY_CURAND_DIMENSIONS;
    if (s->supply == LEVY_SUPPLY_SET)
        most = s->points->n_dimensions;
    else if (s->supply != LEVY_SUPPLY_CURAND)
        most = levy_net_dimensions(s->net);
    if (s->supply && levy_simulation_is_quasi(&b->problem->simulation) && plan_n_draws(b) > most) {
        snprintf(b->why, LEVY_PLAN_WHY,
                 "%s: the generator has %llu dimensions, but a path draws %llu",
                 s->supply == LEVY_SUPPLY_SET ? levy_generator_text(s) : "pipeline staged",
                 (unsigned long long)most, (unsigned long long)plan_n_draws(b));
        return LEVY_UNSUPPORTED;
    }
    if (s->supply != LEVY_SUPPLY_CALLER ||
        (plan_auxiliary(b) == 0 && !(plan_features(b) & LEVY_MODEL_GAMMA)))
        return LEVY_OK;
    snprintf(b->why, LEVY_PLAN_WHY,
             "generator given: a path of this model or payoff draws more than normals");
    return LEVY_UNSUPPORTED;
}

/* There must be a factor, because the path loop divides by their number. */
static levy_status plan_check(plan_builder *b)
{
    if (b->dynamics.n_factors == 0) {
        snprintf(b->why, LEVY_PLAN_WHY,
                 "the underlyings have no random factor: their volatilities are too "
                 "small");
        return LEVY_UNSUPPORTED;
    }
    if (b->group->integrated && b->problem->simulation.records) {
        snprintf(b->why, LEVY_PLAN_WHY,
                 "a path whose first normal is integrated has no levels to record: set "
                 "simulation.smoothing to none");
        return LEVY_UNSUPPORTED;
    }
    LEVY_TRY(plan_check_supply(b));
    if (plan_n_draws(b) <= UINT32_MAX / 64) return LEVY_OK;
    snprintf(b->why, LEVY_PLAN_WHY, "%zu dates x %zu factors are too many", b->group->n_nodes,
             b->dynamics.n_factors + b->model_draws);
    return LEVY_UNSUPPORTED;
}

/* An image with the same header and dimensions differs in quotes alone. Its build order, items and
 * dynamics are written anew, and its points stay. */
static bool plan_takes_over(const plan_builder *b, const levy_plan *old, const levy_image *h)
{
    levy_image before = *old->image;
    before.numeric_hash = 0;
    return memcmp(&before, h, sizeof before) == 0 &&
           memcmp(old->dimensions, b->plan->dimensions, h->n_draws * sizeof *old->dimensions) == 0;
}

/* ---- Memory ---- */

/* Memory beside the image: draws and their dimensions, the numbers of one dynamics, the build
 * order. */
static uint64_t plan_scratch_bytes(const levy_image *h)
{
    const uint64_t n = h->n_nodes, row = n * h->n_assets,
                   factors = (h->covariance ? n : 1) * h->n_assets * h->n_factors;
    return 8 * (2 * row + factors + 8 * n + 4 * n * h->n_functionals) + 4 * (uint64_t)h->n_draws;
}

/* Whether an image of that layout may be made. */
static levy_status plan_fits(const plan_builder *b, const levy_image *h)
{
    char wanted[LEVY_MEMORY_TEXT], limit[LEVY_MEMORY_TEXT];
    const levy_memory *const memory = b->arena->memory;
    const uint64_t all = h->bytes + plan_scratch_bytes(h);
    if (h->bytes > plan_image_bytes) {
        snprintf(b->why, LEVY_PLAN_WHY, "the plan would need more than %llu GiB: about %s",
                 (unsigned long long)(plan_image_bytes >> 30), levy_memory_text(h->bytes, wanted));
        return LEVY_UNSUPPORTED;
    }
    if (levy_memory_fits(memory, all)) return LEVY_OK;
    snprintf(b->why, LEVY_PLAN_WHY,
             "the plan would need about %s, which exceeds the memory limit, %s "
             "(max_memory)",
             levy_memory_text(all, wanted), levy_memory_text(memory->meter->limit, limit));
    return LEVY_MEMORY;
}

static levy_status plan_measure(const plan_builder *b, levy_image *h)
{
    if (plan_layout(b, h)) return plan_fits(b, h);
    snprintf(b->why, LEVY_PLAN_WHY, "the plan would need more than %llu GiB",
             (unsigned long long)(plan_image_bytes >> 30));
    return LEVY_UNSUPPORTED;
}

/* Checks the least size of the plan, with one dynamics and no items. So far, only the clock is as
 * long as the grid. */
static levy_status plan_estimate(const plan_builder *b)
{
    levy_image h;
    plan_header(b, &h);
    h.construction = LEVY_BUILD_INCREMENTAL;
    return plan_measure(b, &h);
}

static levy_status plan_image(plan_builder *b, const levy_plan *old)
{
    levy_image h;
    plan_header(b, &h);
    LEVY_TRY(plan_measure(b, &h));
    const bool taken = old && plan_takes_over(b, old, &h);
    b->plan->image = taken ? old->image : levy_arena_allocate(&b->plan->arena, h.bytes, 1);
    if (!b->plan->image) return LEVY_MEMORY;
    memcpy(b->plan->image, &h, sizeof h);
    plan_put_build_order(b);
    plan_put_items(b);
    plan_put_scripts(b);
    LEVY_TRY(plan_put_components(b));
    plan_put_functionals(b);
    LEVY_TRY(plan_put_dynamics(b));
    plan_put(b->plan, b->plan->image->model_reals, 0, b->model.reals, b->model.n_reals);
    if (b->model.n_words)
        memcpy(plan_at(b->plan, b->plan->image->model_words), b->model.words,
               b->model.n_words * sizeof *b->model.words);
    if (!taken) LEVY_TRY(plan_put_points(b));
    plan_hash(b->plan);
    return LEVY_OK;
}

void levy_plan_set_paths(levy_plan *plan, uint64_t paths)
{
    levy_image *const h = plan->image;
    if (h->paths == paths) return;
    h->paths = paths;
    h->blocks = (paths + LEVY_BLOCK_PATHS - 1) / LEVY_BLOCK_PATHS;
    plan_hash(plan);
}

static uint64_t plan_node_terms(const levy_plan *plan, uint32_t item, size_t node,
                                const levy_image_item **of)
{
    *of = LEVY_IMAGE_AT(levy_image_item, plan->image, items) + item;
    return (*of)->node_terms + node * (*of)->n_node_terms;
}

void levy_plan_get_node_terms(const levy_plan *plan, uint32_t item, size_t node, double *terms)
{
    const levy_image_item *of;
    const uint64_t first = plan_node_terms(plan, item, node, &of);
    for (uint32_t k = 0; k < of->n_node_terms; ++k)
        terms[k] = levy_image_real(plan->image, plan->image->node_terms, first + k);
}

void levy_plan_put_node_terms(levy_plan *plan, uint32_t item, size_t node, const double *terms)
{
    const levy_image_item *of;
    const uint64_t first = plan_node_terms(plan, item, node, &of);
    plan_put(plan, plan->image->node_terms, first, terms, of->n_node_terms);
}

void levy_plan_set_fit(levy_plan *plan, uint64_t fit)
{
    plan->fit = fit;
    plan_hash(plan);
}

static double *plan_keep(plan_builder *b, const double *values, size_t n)
{
    double *const kept = levy_arena_allocate(&b->plan->arena, n, sizeof *kept);
    if (kept) memcpy(kept, values, n * sizeof *kept);
    return kept;
}

static levy_status plan_keep_units(plan_builder *b)
{
    if (!b->group->fits) return LEVY_OK;
    b->plan->units = levy_arena_allocate(&b->plan->arena, b->items.n_items, sizeof *b->plan->units);
    if (!b->plan->units) return LEVY_MEMORY;
    memcpy(b->plan->units, b->items.units, b->items.n_items * sizeof *b->plan->units);
    return LEVY_OK;
}

static levy_status plan_keep_turned(plan_builder *b)
{
    const levy_functionals *const f = &b->build_order.functionals;
    const size_t n = b->group->n_nodes;
    if (f->n == 0) return LEVY_OK;
    b->plan->turned = levy_arena_allocate(&b->plan->arena, n, 2 * sizeof *b->plan->turned);
    if (!b->plan->turned) return LEVY_MEMORY;
    memcpy(b->plan->turned, f->added, n * sizeof *f->added);
    memcpy(b->plan->turned + n, f->moved, n * sizeof *f->moved);
    return LEVY_OK;
}

static levy_status plan_build(plan_builder *b, const levy_plan *old)
{
    LEVY_TRY(levy_dynamics_create(b->problem, b->group,
                                  levy_simulation_is_quasi(&b->problem->simulation), b->arena,
                                  &b->dynamics));
    LEVY_TRY(levy_model_draws(b->problem, &b->dynamics, b->arena, &b->model_draws));
    LEVY_TRY(plan_check(b));
    LEVY_TRY(plan_estimate(b));
    LEVY_TRY(levy_build_order_create(b->problem, b->group, b->dynamics.clock, b->arena,
                                     &b->build_order, b->why));
    if (b->group->integrated) {
        b->driver = levy_arena_allocate(b->arena, b->group->n_nodes, sizeof *b->driver);
        if (!b->driver) return LEVY_MEMORY;
        LEVY_TRY(levy_loadings_driver(&b->build_order, b->arena, b->driver));
    }
    LEVY_TRY(levy_model_prepare(b->problem, &b->dynamics, &b->build_order, b->driver,
                                plan_log_scale(b->problem), b->arena, &b->model));
    LEVY_TRY(plan_dimensions(b));
    LEVY_TRY(
        levy_outputs_plan(b->problem, &b->dynamics, b->arena, &b->plan->arena, &b->items, b->why));
    b->plan->labels = b->items.labels;
    b->plan->still = b->model.still || (b->group->integrated && plan_n_draws(b) == 1);
    b->plan->clock = plan_keep(b, b->dynamics.clock, b->group->n_nodes);
    b->plan->factor_variance = plan_keep(b, b->dynamics.rotation.variance, b->dynamics.n_factors);
    b->plan->limits = plan_keep(b, b->items.limits, b->items.n_outputs);
    b->plan->rare = levy_arena_allocate(&b->plan->arena, b->items.n_items, sizeof *b->plan->rare);
    if (!b->plan->clock || !b->plan->factor_variance || !b->plan->limits || !b->plan->rare)
        return LEVY_MEMORY;
    memcpy(b->plan->rare, b->items.rare, b->items.n_items * sizeof *b->plan->rare);
    LEVY_TRY(plan_keep_units(b));
    LEVY_TRY(plan_keep_turned(b));
    b->plan->variance_clock = b->dynamics.per_interval;
    b->plan->covariance_text = b->dynamics.per_interval ? "per interval" : "constant";
    return plan_image(b, old);
}

static void plan_says_limit(const levy_meter *meter, char *why)
{
    char limit[LEVY_MEMORY_TEXT];
    snprintf(why, LEVY_PLAN_WHY, "planning would need more than the memory limit, %s (max_memory)",
             levy_memory_text(meter->limit, limit));
}

/* A copy of the problem, with the simulation for groups of known amounts. NULL: no memory. */
static const levy_problem *plan_known(levy_plan *plan, const levy_problem *problem)
{
    levy_problem *const copy = levy_arena_allocate(&plan->arena, 1, sizeof *copy);
    if (!copy) return NULL;
    *copy = *problem;
    levy_known_simulation(&copy->simulation);
    return copy;
}

/* Fills `plan`, whose arena is fresh. `old`: the plan whose image it may take over, or NULL. */
static levy_status plan_fill(levy_plan *plan, const levy_plan *old, levy_point_tables *tables,
                             const levy_problem *problem, const levy_group *group, char *why)
{
    levy_arena scratch;
    levy_arena_init(&scratch, plan->arena.memory);
    why[0] = '\0';
    plan->problem = levy_group_is_still(group) ? plan_known(plan, problem) : problem;
    plan->group = group;
    if (!plan->problem) return LEVY_MEMORY;
    problem = plan->problem;
    plan_builder b = {.plan = plan,
                      .problem = problem,
                      .group = group,
                      .arena = &scratch,
                      .tables = tables,
                      .why = why};
    levy_meter *const meter = scratch.memory->meter;
    if (meter) meter->over = false;
    const levy_status status = plan_build(&b, old);
    levy_arena_release(&scratch);
    if (status == LEVY_OK || !meter) return status;
    if (meter->stopped) return LEVY_CANCELLED;
    if (status == LEVY_MEMORY && meter->over && !why[0]) plan_says_limit(meter, why);
    return status;
}

levy_status levy_plan_create_with(const levy_memory *memory, levy_point_tables *tables,
                                  const levy_problem *problem, const levy_group *group,
                                  levy_plan **plan, char *why)
{
    levy_plan *const p = levy_memory_allocate(memory, 1, sizeof *p);
    if (!p) return LEVY_MEMORY;
    levy_arena_init(&p->arena, memory);
    const levy_status status = plan_fill(p, NULL, tables, problem, group, why);
    if (status != LEVY_OK)
        levy_plan_destroy(p);
    else
        *plan = p;
    return status;
}

levy_status levy_plan_create(const levy_memory *memory, const levy_problem *problem,
                             const levy_group *group, levy_plan **plan, char *why)
{
    return levy_plan_create_with(memory, NULL, problem, group, plan, why);
}

/* The image, clock and dimensions stay where they are. */
static void plan_take_numbers(levy_plan *plan, const levy_plan *fresh)
{
    const size_t n = fresh->group->n_nodes;
    memcpy(plan->clock, fresh->clock, n * sizeof *plan->clock);
    memcpy(plan->factor_variance, fresh->factor_variance,
           plan->image->n_factors * sizeof *plan->factor_variance);
    memcpy(plan->limits, fresh->limits, plan->image->n_outputs * sizeof *plan->limits);
    memcpy(plan->rare, fresh->rare, plan->image->n_items * sizeof *plan->rare);
    if (plan->turned) memcpy(plan->turned, fresh->turned, 2 * n * sizeof *plan->turned);
    if (plan->units) memcpy(plan->units, fresh->units, plan->image->n_items * sizeof *plan->units);
    plan->fit = 0;
    plan->problem = fresh->problem;
    plan->group = fresh->group;
}

levy_status levy_plan_renew(levy_plan *plan, const levy_memory *memory, levy_point_tables *tables,
                            const levy_problem *problem, const levy_group *group,
                            levy_plan **renewed, char *why)
{
    levy_plan *const fresh = levy_memory_allocate(memory, 1, sizeof *fresh);
    why[0] = '\0';
    *renewed = NULL;
    if (!fresh) return LEVY_MEMORY;
    levy_arena_init(&fresh->arena, memory);
    const levy_status status =
        plan_fill(fresh, levy_group_is_still(group) ? NULL : plan, tables, problem, group, why);
    const bool same = fresh->image == plan->image;
    if (status == LEVY_OK) *renewed = same ? plan : fresh;
    if (status == LEVY_OK && same) plan_take_numbers(plan, fresh);
    if (status != LEVY_OK || same) levy_plan_destroy(fresh);
    return status;
}

void levy_plan_destroy(levy_plan *plan)
{
    if (!plan) return;
    const levy_memory *const memory = plan->arena.memory;
    levy_arena_release(&plan->arena);
    levy_memory_release(memory, plan);
}
