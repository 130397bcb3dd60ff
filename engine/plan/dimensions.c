/* dimensions.c: see dimensions.h. */
#include "engine/plan/dimensions.h"

#include <stdlib.h>

typedef struct dimension_draw {
    double weight;
    uint32_t level, factor, node, draw;
} dimension_draw;

static int dimension_compare(const void *a, const void *b)
{
    const dimension_draw *const x = a, *const y = b;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    if (x->level != y->level) return x->level < y->level ? -1 : 1;
    if (x->factor != y->factor) return x->factor < y->factor ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

levy_status levy_dimensions_create(const levy_build_order *build_order, uint32_t n_factors,
                                   const double *factor_variance, uint32_t auxiliary,
                                   bool integrated, levy_arena *arena, uint32_t *dimensions)
{
    const size_t driver = (size_t)build_order->strategy.n_nodes * n_factors,
                 n = driver + (size_t)build_order->strategy.n_nodes * auxiliary;
    dimension_draw *const draws = levy_arena_allocate(arena, n, sizeof *draws);
    if (!draws) return LEVY_MEMORY;
    for (size_t i = 0; i < driver; ++i) {
        const levy_strategy_entry *const e = &build_order->strategy.entries[i / n_factors];
        const uint32_t f = (uint32_t)(i % n_factors);
        const double weight =
            build_order->variance ? build_order->variance[i / n_factors] * factor_variance[f] : 0.0;
        draws[i] = (dimension_draw){weight, e->level, f, e->node, (uint32_t)i};
        for (uint32_t k = 0; f == 0 && k < auxiliary; ++k) {
            const size_t outside = driver + (size_t)(e->node - 1) * auxiliary + k;
            draws[outside] = (dimension_draw){build_order->matrix ? -1.0 : 0.0, e->level,
                                              n_factors + k, e->node, (uint32_t)outside};
        }
    }
    if (integrated) draws[0].weight = -2.0; /* below all others */
    qsort(draws, n, sizeof *draws, dimension_compare);
    for (size_t i = 0; i < n; ++i) dimensions[draws[i].draw] = (uint32_t)i;
    return LEVY_OK;
}

/* ---- What the dimensions carry ---- */

/* [k]: sums of the clock's times and of their squares over the first k nodes. `average`: the caller
 * wants shares of the driver's average, not of its variance summed over dates. */
typedef struct dimension_sums {
    double *time, *square;
    bool average;
} dimension_sums;

/* Sum of (t_k - from) / span, or of its squares, over the nodes first + 1 .. last. */
static double dimension_slope(const dimension_sums *s, uint32_t first, uint32_t last, double from,
                              double span)
{
    const double n = (double)(last - first), time = s->time[last] - s->time[first],
                 square = s->square[last] - s->square[first];
    return s->average ? (time - n * from) / span
                      : (square - 2.0 * from * time + n * from * from) / (span * span);
}

/* The variance that one draw carries. The draw moves nothing at the node on its left and
 * `deviation` at its own node, and falls to nothing at the node on its right, linearly in the
 * clock. If nothing is built on its right, the move stays the same to the end. */
static double dimension_hat(const levy_plan *plan, const dimension_sums *s, uint32_t left,
                            uint32_t node, uint32_t right)
{
    const double l = left ? plan->clock[left - 1] : 0.0, m = plan->clock[node - 1],
                 r = right ? plan->clock[right - 1] : 0.0;
    const double up = dimension_slope(s, left, node, l, m - l);
    const double down =
        right ? dimension_slope(s, node, right, r, m - r) : (double)(plan->image->n_nodes - node);
    const double moved = up + down, variance = right ? (r - m) * (m - l) / (r - l) : m - l;
    return variance * (s->average ? moved * moved : moved);
}

/* Repeats the traversal to find the neighbours of each entry. An entry of the incremental
 * construction has none on its right. */
static void dimension_traverse(const levy_plan *plan, const dimension_sums *s, uint32_t *stack,
                               double *carried)
{
    const levy_image *const h = plan->image;
    const uint32_t *const nodes = LEVY_IMAGE_AT(uint32_t, h, bridge_time),
                          *const descents = LEVY_IMAGE_AT(uint32_t, h, descents);
    uint32_t depth = 0, entry = 0;
    for (uint32_t emitted = 0; emitted < h->n_nodes; ++emitted) {
        for (uint32_t d = descents[emitted]; d > 0; --d, ++entry) {
            carried[entry] =
                dimension_hat(plan, s, emitted, nodes[entry], depth ? stack[depth - 1] : 0);
            stack[depth++] = nodes[entry];
        }
        --depth;
    }
}

static void dimension_components(const levy_plan *plan, const dimension_sums *s, double *carried)
{
    const levy_image *const h = plan->image;
    for (uint32_t j = 0; j < h->n_nodes; ++j) {
        double sum = 0.0, squares = 0.0;
        for (uint32_t k = 0; k < h->n_nodes; ++k) {
            const uint64_t at = ((uint64_t)(k / 8) * h->n_nodes + j) * 8 + k % 8;
            const double a = h->precision ? (double)LEVY_IMAGE_AT(float, h, matrix)[at]
                                          : LEVY_IMAGE_AT(double, h, matrix)[at];
            sum += a;
            squares += a * a;
        }
        carried[j] = s->average ? sum * sum : squares;
    }
}

/* The turned draws of a bridge that draws functionals first. */
static void dimension_functionals(const levy_plan *plan, const dimension_sums *s, double *carried)
{
    const uint32_t n = plan->image->n_nodes;
    for (uint32_t i = 0; i < n; ++i) {
        const double moved = plan->turned[n + i], sum = carried[i] + plan->turned[i],
                     share = sum > 0.0 ? sum : 0.0;
        carried[i] = s->average ? moved * moved : share;
    }
}

static levy_status dimension_shares(const levy_plan *plan, bool average, levy_arena *scratch,
                                    double *shares)
{
    const levy_image *const h = plan->image;
    const uint32_t n = h->n_nodes;
    const dimension_sums s = {levy_arena_allocate(scratch, n + 1, sizeof(double)),
                              levy_arena_allocate(scratch, n + 1, sizeof(double)), average};
    double *const carried = levy_arena_allocate(scratch, n, sizeof *carried);
    double total = 0.0;
    uint32_t *const stack = levy_arena_allocate(scratch, n, sizeof *stack);
    if (!s.time || !s.square || !carried || !stack) return LEVY_MEMORY;
    for (uint32_t d = 0; d < h->n_draws; ++d) shares[d] = 0.0;
    for (uint32_t k = 0; k < n; ++k) {
        s.time[k + 1] = s.time[k] + plan->clock[k];
        s.square[k + 1] = s.square[k] + plan->clock[k] * plan->clock[k];
    }
    if (h->construction == LEVY_BUILD_COMPONENTS)
        dimension_components(plan, &s, carried);
    else
        dimension_traverse(plan, &s, stack, carried);
    if (h->n_functionals) dimension_functionals(plan, &s, carried);
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t f = 0; f < h->n_factors; ++f) total += carried[i] * plan->factor_variance[f];
    if (h->integrated) total -= carried[0] * plan->factor_variance[0];
    for (uint32_t i = h->integrated ? 1 : 0; i < n * h->n_factors && total > 0.0; ++i)
        shares[plan->dimensions[i]] =
            carried[i / h->n_factors] * plan->factor_variance[i % h->n_factors] / total;
    return LEVY_OK;
}

levy_status levy_dimension_shares(const levy_plan *plan, levy_arena *scratch, double *shares)
{
    return dimension_shares(plan, false, scratch, shares);
}

levy_status levy_dimension_average_shares(const levy_plan *plan, levy_arena *scratch,
                                          double *shares)
{
    return dimension_shares(plan, true, scratch, shares);
}

uint32_t levy_dimension_effective(const double *shares, uint32_t n)
{
    double sum = 0.0;
    for (uint32_t d = 0; d < n; ++d) {
        sum += shares[d];
        if (sum >= 0.99) return d + 1;
    }
    return n;
}
