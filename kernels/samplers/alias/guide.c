/* guide.c: see guide.h. Probabilities are summed as integers, so each cumulative one is its
 * weights' sum to rounding.
 */
#include "kernels/samplers/alias/guide.h"

#include "kernels/samplers/alias/alias_build.h"

#include <math.h>

/* Cumulative probabilities; everything from the last item of positive weight on is 1. */
static void guide_accumulate(levy_guide *g, const levy_alias_weights *weights,
                             const alias_scale *scale)
{
    const double unit = ldexp(1.0 / (double)weights->count, -scale->fraction);
    alias_wide sum = 0;
    uint64_t last = 0;
    for (uint64_t i = 0; i < weights->count; ++i) {
        const double w = levy_alias_weight_at(weights, i);
        sum += alias_quantise(scale, w);
        const double u = alias_wide_double(sum) * unit;
        g->cumulative[i] = u < 1.0 ? u : 1.0;
        if (w > 0.0) last = i;
    }
    for (uint64_t i = last; i < weights->count; ++i) g->cumulative[i] = 1.0;
}

static void guide_cut(levy_guide *g)
{
    uint64_t i = 0;
    for (uint32_t cell = 0; cell < g->cells; ++cell) {
        const double u = (double)cell / (double)g->cells;
        while (u >= g->cumulative[i]) ++i;
        g->start[cell] = (uint32_t)i;
    }
    while (g->cumulative[i] < 1.0) ++i;
    g->start[g->cells] = (uint32_t)i;
}

static levy_status guide_fill(levy_guide *g, const levy_alias_weights *weights, uint32_t cells,
                              levy_alias_fault *fault)
{
    levy_alias sums = {.memory = g->memory};
    const levy_status status = levy_alias_sum(&sums, weights, NULL, fault);
    levy_memory_release(g->memory, sums.scratch);
    if (status != LEVY_OK) return status;
    alias_scale scale;
    levy_alias_scale_set(&scale, sums.total, sums.total_shift, weights->count);
    g->count = weights->count;
    for (g->cells = 1; g->cells < (cells ? cells : weights->count) && g->cells < 1u << 31;
         g->cells *= 2)
        continue;
    g->cumulative = levy_memory_allocate(g->memory, (size_t)g->count, sizeof *g->cumulative);
    g->start = levy_memory_allocate(g->memory, (size_t)g->cells + 1, sizeof *g->start);
    if (!g->cumulative || !g->start) return LEVY_MEMORY;
    guide_accumulate(g, weights, &scale);
    guide_cut(g);
    return LEVY_OK;
}

levy_status levy_guide_create(const levy_memory *memory, const levy_alias_weights *weights,
                              uint32_t cells, levy_guide **guide, levy_alias_fault *fault)
{
    *guide = NULL;
    *fault = (levy_alias_fault){LEVY_ALIAS_FINE, 0, 0.0};
    if (weights->count == 0 || weights->count > LEVY_ALIAS_LIMIT) {
        *fault = (levy_alias_fault){LEVY_ALIAS_COUNT, weights->count, 0.0};
        return LEVY_INPUT;
    }
    levy_guide *const g = levy_memory_allocate(memory, 1, sizeof *g);
    if (!g) return LEVY_MEMORY;
    g->memory = memory;
    const levy_status status = guide_fill(g, weights, cells, fault);
    if (status == LEVY_OK)
        *guide = g;
    else
        levy_guide_destroy(g);
    return status;
}

void levy_guide_destroy(levy_guide *guide)
{
    if (!guide) return;
    levy_memory_release(guide->memory, guide->cumulative);
    levy_memory_release(guide->memory, guide->start);
    levy_memory_release(guide->memory, guide);
}
