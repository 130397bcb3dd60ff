/* image_parts.c: writes what an image has once: build order, items, outputs and scripts. See
 * builder.h. */
#include "engine/plan/builder.h"

#include "kernels/lane/scalar.h"

#include <string.h>

void *levy_builder_at(const levy_plan *plan, uint64_t offset)
{
    return (char *)plan->image + offset;
}

/* Logarithms of single-precision plans are to base 2. */
double levy_builder_log_scale(const levy_problem *p)
{
    return p->simulation.precision == LEVY_PRECISION_SINGLE ? LEVY_LOG2_E : 1.0;
}

/* Writes doubles as the image's reals. */
void levy_builder_put(const levy_plan *plan, uint64_t offset, uint64_t first, const double *values,
                      size_t n)
{
    if (plan->image->precision == LEVY_PRECISION_SINGLE) {
        float *const to = (float *)levy_builder_at(plan, offset) + first;
        for (size_t i = 0; i < n; ++i) to[i] = (float)values[i];
    } else if (n) {
        memcpy((double *)levy_builder_at(plan, offset) + first, values, n * sizeof *values);
    }
}

static void parts_build_order(const levy_plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    for (uint32_t i = 0; i < h->n_nodes; ++i) {
        const levy_strategy_entry *const e = &b->build_order.strategy.entries[i];
        const double weights[4] = {e->left, e->right, e->deviation, 0.0};
        levy_builder_put(b->plan, h->bridge, 4 * (uint64_t)i, weights, 4);
        ((uint32_t *)levy_builder_at(b->plan, h->bridge_time))[i] = e->node;
    }
    memcpy(levy_builder_at(b->plan, h->descents), b->build_order.strategy.descents,
           h->n_nodes * sizeof(uint32_t));
    memcpy(levy_builder_at(b->plan, h->flags), b->items.flags, h->n_nodes * sizeof(uint32_t));
    levy_image_segment *const segments = levy_builder_at(b->plan, h->segments);
    for (uint32_t g = 0; g < h->n_segments; ++g) {
        const levy_strategy_run *const r = &b->build_order.strategy.runs[g];
        segments[g] = (levy_image_segment){r->pushes, r->present, r->first_node, r->first_entry};
    }
}

static void parts_items(const levy_plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    memcpy(levy_builder_at(b->plan, h->items), b->items.items, h->n_items * sizeof *b->items.items);
    memcpy(levy_builder_at(b->plan, h->outputs), b->items.outputs,
           h->n_outputs * sizeof *b->items.outputs);
    levy_builder_put(b->plan, h->item_reals, 0, b->items.reals,
                     (size_t)h->n_items * LEVY_ITEM_REALS);
    levy_builder_put(b->plan, h->coefficients, 0, b->items.coefficients,
                     (size_t)h->n_items * h->n_assets);
}

static void parts_scripts(const levy_plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    uint64_t *const starts = levy_builder_at(b->plan, h->scripts);
    uint64_t at = 8 * (uint64_t)h->n_scripts;
    for (uint32_t i = 0; i < h->n_scripts; at += b->items.scripts[i]->bytes, ++i) {
        starts[i] = at;
        memcpy((char *)starts + at, b->items.scripts[i], b->items.scripts[i]->bytes);
    }
}

/* Stores the components of 8 nodes side by side. Nodes past the last have zeros. */
static levy_status parts_components(const levy_plan_builder *b)
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
        levy_builder_put(b->plan, h->matrix, 8 * n * block, eights, 8 * n);
    }
    return LEVY_OK;
}

static void parts_functionals(const levy_plan_builder *b)
{
    const levy_functionals *const f = &b->build_order.functionals;
    const size_t n = (size_t)b->plan->image->n_nodes * f->n;
    if (n == 0) return;
    levy_builder_put(b->plan, b->plan->image->matrix, 0, f->gather, n);
    levy_builder_put(b->plan, b->plan->image->matrix, n, f->spread, n);
}

levy_status levy_builder_put_parts(const levy_plan_builder *b)
{
    parts_build_order(b);
    parts_items(b);
    parts_scripts(b);
    LEVY_TRY(parts_components(b));
    parts_functionals(b);
    return LEVY_OK;
}
