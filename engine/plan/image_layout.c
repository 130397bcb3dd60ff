/* image_layout.c: finds where everything lies in a plan's image and how much memory the plan needs,
 * and writes the image's header. See builder.h. Must not know: what is written there. */
#include "engine/plan/builder.h"

#include "engine/plan/item_terms.h"
#include "kernels/points/mrg_streams.h"
#include "kernels/points/net.h"
#include "kernels/points/points.h"

#include <stdio.h>
#include <string.h>

static const uint64_t layout_most_bytes = (uint64_t)4 << 30;

static uint32_t layout_generator(const levy_problem *p)
{
    static const uint32_t generators[] = {POINTS_SOBOL, POINTS_SOBOL, POINTS_PHILOX, POINTS_MRG};
    if (p->simulation.supply == LEVY_SUPPLY_CALLER) return POINTS_GIVEN_NORMALS;
    return p->simulation.supply ? POINTS_GIVEN_WORDS : generators[p->simulation.generator];
}

/* How many draws a node has outside the bridge: the model's, and one more if trades want it. */
uint32_t levy_builder_auxiliary(const levy_plan_builder *b)
{
    return b->draws[LEVY_PART_DIFFUSION] + b->draws[LEVY_PART_ARRIVALS] +
           (b->group->auxiliary_draw ? 1 : 0);
}

/* How many draws a path has. Those outside the bridge are stored after all others, in time
 * order. */
uint64_t levy_builder_draws(const levy_plan_builder *b)
{
    return (uint64_t)b->group->n_nodes * (b->dynamics.n_factors + levy_builder_auxiliary(b));
}

/* False: no machine has so much memory. layout_fits has the actual limit, since it can say how much
 * memory the plan would need. */
static bool layout_add(levy_image *h, uint64_t *offset, uint64_t count, uint64_t size)
{
    uint64_t bytes;
    *offset = h->bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > UINT64_MAX >> 8) return false;
    h->bytes = (h->bytes + bytes + 63) & ~(uint64_t)63;
    return true;
}

/* With drift residuals, a GPU whose normals are in single can run the bridge on the levels, and
 * need not build the driver first. */
bool levy_builder_has_residual(const levy_image *h)
{
    return (h->precision == LEVY_PRECISION_SINGLE || h->mixed) && h->n_factors * h->n_assets == 1 &&
           !h->covariance && h->construction == LEVY_BUILD_BISECTION && h->n_functionals == 0;
}

static bool layout_part(levy_image *h, levy_image_part *part, uint64_t real_size)
{
    return layout_add(h, &part->reals, part->n_reals, real_size) &&
           layout_add(h, &part->words, part->n_words, 4);
}

static bool layout_offsets(const levy_plan_builder *b, levy_image *h)
{
    const uint64_t real_size = h->precision == LEVY_PRECISION_SINGLE ? 4 : 8, n = h->n_nodes,
                   a = h->n_assets, m = h->n_dynamics;
    const uint64_t tables = h->generator == POINTS_SOBOL ? h->n_replicates : 0,
                   streams = h->generator == POINTS_MRG;
    const uint64_t components = h->construction == LEVY_BUILD_COMPONENTS ? (n + 7) / 8 * 8 : 0;
    h->bytes = (sizeof *h + 63) & ~(uint64_t)63;
    return layout_add(h, &h->segments, h->n_segments, sizeof(levy_image_segment)) &&
           layout_add(h, &h->bridge, n * 4, real_size) && layout_add(h, &h->bridge_time, n, 4) &&
           layout_add(h, &h->descents, n, 4) && layout_add(h, &h->flags, n, 4) &&
           layout_add(h, &h->drift, m * n * a, real_size) &&
           layout_add(h, &h->factor, m * (h->covariance ? n : 1) * a * h->n_factors, real_size) &&
           layout_add(h, &h->drift_residual, levy_builder_has_residual(h) ? m * n : 0, real_size) &&
           layout_add(h, &h->elapsed_share, h->has_elapsed ? m * n : 0, real_size) &&
           layout_add(h, &h->cash, h->has_cash ? m * n * a : 0, real_size) &&
           layout_add(h, &h->moved, m, 4) && layout_add(h, &h->returns, m, 4) &&
           layout_add(h, &h->growth, levy_image_grows(h) ? m * n : 0, real_size) &&
           layout_add(h, &h->items, h->n_items, sizeof(levy_image_item)) &&
           layout_add(h, &h->item_reals, (uint64_t)h->n_items * LEVY_ITEM_REALS, real_size) &&
           layout_add(h, &h->coefficients, h->n_items * a, real_size) &&
           layout_add(h, &h->node_terms, b->items.all_node_terms, real_size) &&
           layout_add(h, &h->outputs, h->n_outputs, sizeof(levy_image_output)) &&
           layout_add(h, &h->keys, h->n_replicates, 8) &&
           layout_add(h, &h->directions, levy_given_size(h) ? h->n_draws : tables * 33 * h->n_draws,
                      4) &&
           layout_add(h, &h->low, tables * h->n_draws * 8, 4) &&
           layout_add(h, &h->padded, h->n_padded ? (h->n_draws + 31) / 32 : 0, 4) &&
           layout_add(h, &h->padding,
                      h->n_padded || levy_image_model_draws(h) ? h->n_replicates : 0, 8) &&
           layout_add(h, &h->streams, streams * h->n_replicates * LEVY_MRG_STATE, 4) &&
           layout_add(h, &h->jumps, streams * (LEVY_MRG_POWERS + LEVY_MRG_STRIDES) * LEVY_MRG_JUMP,
                      4) &&
           layout_part(h, &h->parts[LEVY_PART_DIFFUSION], real_size) &&
           layout_part(h, &h->parts[LEVY_PART_ARRIVALS], real_size) &&
           layout_add(h, &h->variance, h->model_features & LEVY_MODEL_SCALES ? m * n * a : 0,
                      real_size) &&
           layout_add(h, &h->added, h->model_features & LEVY_MODEL_SCALES ? m * a : 0, real_size) &&
           layout_add(h, &h->own, m * n * h->own_row, real_size) &&
           layout_add(h, &h->scripts, 8 * h->n_scripts + b->items.script_bytes, 1) &&
           layout_add(h, &h->matrix, components * n + 2 * n * h->n_functionals, real_size);
}

uint32_t levy_builder_features(const levy_plan_builder *b)
{
    const levy_model *const model = b->dynamics.trade->model;
    return b->group->known ? 0
                           : levy_model_drawn_features(
                                 levy_model_drawn(model->kind, b->group->integrated), model->terms);
}

static void layout_model(const levy_plan_builder *b, levy_image *h)
{
    const levy_model *const model = b->dynamics.trade->model;
    h->model = b->group->known ? LEVY_MODEL_NO_LANES
                               : levy_model_lanes(model->kind, model->terms, b->group->integrated);
    h->n_counts = b->parts[LEVY_PART_ARRIVALS].n_counts;
    for (int part = 0; part < LEVY_PARTS; ++part) {
        const levy_model_plan *const from = &b->parts[part];
        h->parts[part] = (levy_image_part){.n_reals = (uint32_t)from->n_reals,
                                           .n_words = (uint32_t)from->n_words,
                                           .draws = b->draws[part],
                                           .carried = from->carried};
        memcpy(h->parts[part].constants, from->constants, sizeof from->constants);
        h->model_loops |= from->loops;
    }
    for (size_t m = 0; m < b->dynamics.n_dynamics; ++m)
        for (size_t u = 0; u < b->dynamics.n_assets; ++u)
            if (levy_dynamics_added(&b->dynamics, b->dynamics.set_of[m], u) != 0.0)
                h->parts[LEVY_PART_DIFFUSION].constants[0] |= LEVY_MODEL_ADDED;
    if (b->group->varies && !b->group->known) {
        h->parts[LEVY_PART_DIFFUSION].constants[0] |=
            LEVY_MODEL_VARIES |
            (levy_model_discounts(model->kind, model->terms) ? LEVY_MODEL_DISCOUNTS : 0);
        ++h->parts[LEVY_PART_DIFFUSION].carried;
    }
    h->model_features = levy_builder_features(b);
}

void levy_builder_header(const levy_plan_builder *b, levy_image *h)
{
    const levy_simulation *const s = &b->problem->simulation;
    memset(h, 0, sizeof *h);
    h->magic = LEVY_IMAGE_MAGIC;
    h->version = LEVY_IMAGE_VERSION;
    h->precision = s->precision == LEVY_PRECISION_SINGLE;
    h->mixed = s->precision == LEVY_PRECISION_MIXED;
    h->generator = layout_generator(b->problem);
    h->construction = b->build_order.construction;
    h->covariance = b->dynamics.per_interval;
    /* integrated programs read cash as numbers of their own */
    h->has_cash = b->group->integrated ? LEVY_CASH_NONE : b->dynamics.has_cash;
    for (size_t m = 0; m < b->dynamics.n_dynamics; ++m)
        if (!b->dynamics.per_interval && b->dynamics.sets[b->dynamics.set_of[m]].elapsed > 0.0)
            h->has_elapsed = 1;
    h->full = b->build_order.strategy.full;
    h->n_assets = (uint32_t)b->dynamics.n_assets;
    h->n_factors = (uint32_t)b->dynamics.n_factors;
    h->n_own = (uint32_t)b->dynamics.n_own;
    h->own_row = (uint32_t)levy_dynamics_own_row(&b->dynamics);
    h->n_nodes = (uint32_t)b->group->n_nodes;
    h->n_segments = b->build_order.strategy.n_runs;
    h->stack = b->build_order.strategy.stack + 1; /* and one for the start */
    h->auxiliary = levy_builder_auxiliary(b);
    h->n_functionals = levy_build_order_functionals(s, b->group);
    layout_model(b, h);
    h->records = s->records ? levy_image_shown(h) : 0u;
    h->integrated = b->group->integrated;
    for (size_t i = 0; i < b->items.n_items; ++i) {
        const levy_image_item *const item = &b->items.items[i];
        const levy_payoff *const lanes = levy_item_lanes(item);
        const uint32_t kept = lanes && lanes->n_kept ? lanes->n_kept(item->variant) : 0;
        if (kept > h->kept) h->kept = kept;
    }
    h->n_draws = (uint32_t)levy_builder_draws(b);
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

/* Counts the memory beside the image: draws and their dimensions, the numbers of one dynamics, the
 * build order. */
static uint64_t layout_scratch_bytes(const levy_image *h)
{
    const uint64_t n = h->n_nodes, row = n * h->n_assets,
                   factors = (h->covariance ? n : 1) * h->n_assets * h->n_factors;
    return 8 * (2 * row + factors + n * h->own_row + 8 * n + 4 * n * h->n_functionals) +
           4 * (uint64_t)h->n_draws;
}

/* Whether an image of that layout may be made. */
static levy_status layout_fits(const levy_plan_builder *b, const levy_image *h)
{
    char wanted[LEVY_MEMORY_TEXT];
    const levy_memory *const memory = b->arena->memory;
    const uint64_t all = h->bytes + layout_scratch_bytes(h);
    if (h->bytes > layout_most_bytes) {
        snprintf(b->why, LEVY_PLAN_WHY, "the plan would need more than %llu GiB: about %s",
                 (unsigned long long)(layout_most_bytes >> 30), levy_memory_text(h->bytes, wanted));
        return LEVY_UNSUPPORTED;
    }
    if (levy_memory_fits(memory, all)) return LEVY_OK;
    levy_memory_says(memory, "the plan", all, b->why, LEVY_PLAN_WHY);
    return LEVY_MEMORY;
}

levy_status levy_builder_measure(const levy_plan_builder *b, levy_image *h)
{
    if (layout_offsets(b, h)) return layout_fits(b, h);
    snprintf(b->why, LEVY_PLAN_WHY, "the plan would need more than %llu GiB",
             (unsigned long long)(layout_most_bytes >> 30));
    return LEVY_UNSUPPORTED;
}

/* Checks the least size of the plan, with one dynamics and no items. So far, only the clock is as
 * long as the grid. */
levy_status levy_builder_estimate(const levy_plan_builder *b)
{
    levy_image h;
    levy_builder_header(b, &h);
    h.construction = LEVY_BUILD_INCREMENTAL;
    return levy_builder_measure(b, &h);
}
