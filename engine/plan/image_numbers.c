/* image_numbers.c: writes the numbers of each dynamics into an image: drift, factors, cash, and the
 * terms that items read by node. See builder.h. */
#include "engine/plan/builder.h"

#include "engine/plan/item_terms.h"
#include "engine/plan/loadings.h"
#include "engine/plan/tiles.h"
#include "kernels/lane/scalar.h"
#include "payoffs/scripted.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The loadings of the assets' logarithms under the dynamics just filled, and the terms that items
 * on one asset make of the last. loading: [asset][n_nodes]. */
static void numbers_loadings(const levy_plan_builder *b, uint32_t dynamics, const double *factor,
                             const double *elapsed_share, double *loading)
{
    const levy_image *const h = b->plan->image;
    for (size_t u = 0; u < h->n_assets; ++u)
        levy_loadings_asset(&b->dynamics, b->driver, factor, elapsed_share, u,
                            loading + u * h->n_nodes);
    for (uint32_t i = 0; i < h->n_items; ++i) {
        double *const terms = b->items.reals + (size_t)i * LEVY_ITEM_REALS;
        if (b->items.items[i].dynamics != dynamics) continue;
        levy_item_integral(loading[h->n_nodes - 1], levy_builder_log_scale(b->problem), terms);
        levy_builder_put(b->plan, h->item_reals, (uint64_t)i * LEVY_ITEM_REALS, terms,
                         LEVY_ITEM_REALS);
    }
}

/* variances: [asset][node] of the logarithms, by interval. */
static void numbers_variances(const levy_plan_builder *b, const double *factor,
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
static bool numbers_asks_volatility(const levy_plan_builder *b)
{
    for (size_t t = 0; t < b->group->n_trades; ++t) {
        const levy_scripted *const s = b->problem->trades[b->group->trades[t]].kind.scripted;
        if (s && s->script.n_spans > 0) return true;
    }
    return false;
}

/* The underlyings as a set sees them, with their volatilities, if a script asks for these. */
static levy_status numbers_assets(const levy_plan_builder *b, uint32_t set, levy_arena *scratch,
                                  const levy_asset **assets)
{
    const size_t n = b->plan->image->n_assets;
    *assets = NULL;
    if (!numbers_asks_volatility(b)) return LEVY_OK;
    levy_asset *const own = levy_arena_allocate(scratch, n, sizeof *own);
    if (!own) return LEVY_MEMORY;
    for (size_t u = 0; u < n; ++u)
        LEVY_TRY(levy_dynamics_black(&b->dynamics, set, u, scratch, &own[u]));
    *assets = own;
    return LEVY_OK;
}

/* The normal that is integrated must raise all underlyings. Rounding may show a little below 0. */
static levy_status numbers_check_loadings(const levy_plan_builder *b, double *loading)
{
    const levy_image *const h = b->plan->image;
    for (size_t k = 0; k < (size_t)h->n_nodes * h->n_assets; ++k) {
        if (loading[k] > -1e-12) loading[k] = loading[k] > 0.0 ? loading[k] : 0.0;
        if (loading[k] >= 0.0) continue;
        snprintf(b->why, LEVY_PLAN_WHY,
                 "a shift makes an underlying fall where the normal that is integrated rises: set "
                 "simulation.smoothing to none");
        return LEVY_UNSUPPORTED;
    }
    return LEVY_OK;
}

/* steps: [2][n_nodes], drift and variance of the only asset by interval; NaN of several. */
static void numbers_steps(const levy_plan_builder *b, const double *drift, const double *factor,
                          const double *elapsed_share, double *steps)
{
    const levy_image *const h = b->plan->image;
    const size_t n = h->n_nodes;
    for (size_t k = 0; k < n; ++k) {
        const double f = factor[h->covariance ? k * h->n_factors : 0] * (1.0 - elapsed_share[k]);
        const double clock = b->dynamics.clock[k] - (k ? b->dynamics.clock[k - 1] : 0.0);
        steps[k] = h->covariance || k == 0 ? drift[k * h->n_assets]
                                           : drift[k * h->n_assets] - drift[(k - 1) * h->n_assets];
        steps[n + k] = f * f * clock;
        if (h->n_assets > 1) steps[k] = steps[n + k] = NAN;
    }
}

/* The numbers of one dynamics, made anew for each. */
typedef struct numbers_room {
    double *drift, *factor, *cash, *elapsed_share, *stack, *drift_residual;
    double *first, *growth; /* the first dynamics' drift, and how the others grow from it */
    double *own;
    size_t row, factors, owns; /* lengths of drift and cash, of factor and of own */
} numbers_room;

/* Node terms of the items on one asset, under the dynamics just filled. */
static levy_status numbers_node_terms(const levy_plan_builder *b, uint32_t dynamics,
                                      const numbers_room *x, levy_arena *scratch)
{
    const levy_image *const h = b->plan->image;
    const size_t n = h->n_nodes;
    const uint32_t set = b->dynamics.set_of[dynamics];
    double *const steps = levy_arena_allocate(scratch, 2 * n, sizeof *steps);
    double *const loading = levy_arena_allocate(scratch, n * h->n_assets, sizeof *loading),
                  *const variances =
                      levy_arena_allocate(scratch, n * h->n_assets, sizeof *variances);
    const double *const factor = x->factor, *const elapsed_share = x->elapsed_share;
    const bool adds = b->dynamics.has_cash && !h->has_cash;
    const levy_trade *const any = b->dynamics.trade;
    const levy_asset *assets;
    levy_asset own; /* the first underlying, with the set's dividends */
    if (!steps || !loading || !variances) return LEVY_MEMORY;
    LEVY_TRY(levy_moved_asset(&b->dynamics.sets[set], levy_trade_asset(any, 0), scratch, &own));
    LEVY_TRY(numbers_assets(b, set, scratch, &assets));
    numbers_variances(b, factor, elapsed_share, variances);
    if (b->driver) {
        numbers_loadings(b, dynamics, factor, elapsed_share, loading);
        LEVY_TRY(numbers_check_loadings(b, loading));
    }
    numbers_steps(b, x->drift, factor, elapsed_share, steps);
    for (uint32_t i = 0; i < h->n_items; ++i) {
        const levy_image_item *const item = &b->items.items[i];
        if (item->dynamics != dynamics || item->n_node_terms + item->n_constants == 0) continue;
        const levy_trade *const trade = &b->problem->trades[b->group->trades[item->trade]];
        const levy_curve *curve, *forward = NULL;
        LEVY_TRY(levy_dynamics_curve(&b->dynamics, set, trade->discount_curve, scratch, &curve));
        if (trade->forward_curve)
            LEVY_TRY(
                levy_dynamics_curve(&b->dynamics, set, trade->forward_curve, scratch, &forward));
        const levy_asset_dynamics of_asset = {.n_nodes = n,
                                              .times = b->group->times,
                                              .drift = steps,
                                              .variance = steps + n,
                                              .variances = variances,
                                              .loading = b->driver ? loading : NULL,
                                              .added = adds ? x->cash : NULL,
                                              .asset = &own,
                                              .assets = assets,
                                              .discount_curve = curve,
                                              .forward_curve = forward,
                                              .elapsed = b->dynamics.sets[set].elapsed};
        const size_t reals = item->n_constants + n * item->n_node_terms;
        double *const numbers = levy_arena_allocate(scratch, reals, sizeof *numbers);
        if (!numbers) return LEVY_MEMORY;
        levy_item_numbers(trade, item, &b->items.views[i],
                          b->items.coefficients + (size_t)i * h->n_assets, &of_asset,
                          levy_builder_log_scale(b->problem), numbers);
        levy_item_count(trade, &b->items.views[i], n, numbers,
                        (levy_image_item *)levy_builder_at(b->plan, h->items) + i);
        levy_builder_put(b->plan, h->node_terms, item->node_terms - item->n_constants, numbers,
                         reals);
    }
    return LEVY_OK;
}

/* `stack`: room for the image's stack. The traversal is loop.h's: left is the last node emitted,
 * right the top of the stack. */
static void numbers_drift_residual(const levy_plan_builder *b, uint32_t dynamics,
                                   const double *drift, double *stack, double *drift_residual)
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
    levy_builder_put(b->plan, h->drift_residual, (uint64_t)dynamics * h->n_nodes, drift_residual,
                     h->n_nodes);
}

/* Writes the variances of the intervals for models that scale the driver's increments: squared
 * factors times the steps of the clock. */
static levy_status numbers_variance(const levy_plan_builder *b, uint32_t dynamics,
                                    const double *factor, levy_arena *scratch)
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
        variance[i] *= clock * levy_builder_log_scale(b->problem);
    }
    levy_builder_put(b->plan, h->variance, dynamics * row, variance, row);
    for (size_t u = 0; u < n; ++u) {
        const double added = levy_dynamics_added(&b->dynamics, b->dynamics.set_of[dynamics], u);
        levy_builder_put(b->plan, h->added, dynamics * n + u, &added, 1);
    }
    return LEVY_OK;
}

/* `scratch` is released after each dynamics, because there may be hundreds. */
static levy_status numbers_fill(const levy_plan_builder *b, uint32_t m, const numbers_room *x,
                                levy_arena *scratch)
{
    const levy_image *const h = b->plan->image;
    const double scale = levy_builder_log_scale(b->problem);
    LEVY_TRY(levy_dynamics_fill(&b->dynamics, m, scratch, x->drift, x->factor,
                                b->dynamics.has_cash ? x->cash : NULL, x->elapsed_share, x->own));
    if (b->items.all_node_terms || b->driver) LEVY_TRY(numbers_node_terms(b, m, x, scratch));
    for (int part = 0; part < LEVY_PARTS; ++part)
        levy_model_add_drift(&b->dynamics, m, &b->parts[part], x->drift);
    levy_model_put_factor(&b->dynamics, &b->parts[LEVY_PART_DIFFUSION], x->factor);
    if (h->model_features & LEVY_MODEL_SCALES) LEVY_TRY(numbers_variance(b, m, x->factor, scratch));
    LEVY_TRY(levy_model_put_numbers(&b->dynamics, m, scale, scratch, x->drift, x->factor, x->own));
    if (levy_image_grows(h)) {
        if (m == 0) memcpy(x->first, x->drift, x->row * sizeof *x->first);
        for (size_t i = 0; i < x->row; ++i)
            x->growth[i] = levy_exp(x->drift[i] - x->first[i]) - 1.0;
        levy_builder_put(b->plan, h->growth, m * x->row, x->growth, x->row);
    }
    for (size_t i = 0; i < x->row; ++i) x->drift[i] *= scale;
    for (size_t i = 0; i < x->factors; ++i) x->factor[i] *= scale;
    levy_builder_put(b->plan, h->own, m * x->owns, x->own, x->owns);
    levy_builder_put(b->plan, h->drift, m * x->row, x->drift, x->row);
    levy_builder_put(b->plan, h->factor, m * x->factors, x->factor, x->factors);
    if (levy_builder_has_residual(h))
        numbers_drift_residual(b, m, x->drift, x->stack, x->drift_residual);
    if (h->has_cash) levy_builder_put(b->plan, h->cash, m * x->row, x->cash, x->row);
    if (h->has_elapsed)
        levy_builder_put(b->plan, h->elapsed_share, (uint64_t)m * h->n_nodes, x->elapsed_share,
                         h->n_nodes);
    return levy_memory_stopped(scratch->memory) ? LEVY_CANCELLED : LEVY_OK;
}

/* A scenario has the bits of a book with its quotes, so its exponentials are its own. */
static void numbers_returns(const levy_plan_builder *b)
{
    const levy_dynamics_plan *const m = &b->dynamics;
    uint32_t *const returns = levy_builder_at(b->plan, b->plan->image->returns);
    levy_plan_put_returns(b->plan->image, returns);
    for (size_t k = 0; k < m->n_dynamics; ++k)
        if (m->sets[m->set_of[k]].scenario) returns[k] = LEVY_RETURNS_OWN;
}

levy_status levy_builder_put_dynamics(const levy_plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    const size_t row = (size_t)h->n_nodes * h->n_assets;
    const size_t factors = (size_t)(h->covariance ? h->n_nodes : 1) * h->n_assets * h->n_factors;
    const size_t owns = (size_t)h->n_nodes * h->own_row;
    const numbers_room x = {
        .drift = levy_arena_allocate(b->arena, row, sizeof *x.drift),
        .factor = levy_arena_allocate(b->arena, factors, sizeof *x.factor),
        .cash = levy_arena_allocate(b->arena, row, sizeof *x.cash),
        .elapsed_share = levy_arena_allocate(b->arena, h->n_nodes, sizeof *x.elapsed_share),
        .stack = levy_arena_allocate(b->arena, h->stack + 1, sizeof *x.stack),
        .drift_residual = levy_arena_allocate(b->arena, h->n_nodes, sizeof *x.drift_residual),
        .first = levy_arena_allocate(b->arena, row, sizeof *x.first),
        .growth = levy_arena_allocate(b->arena, row, sizeof *x.growth),
        .own = levy_arena_allocate(b->arena, owns, sizeof *x.own),
        .row = row,
        .factors = factors,
        .owns = owns};
    levy_status status = x.drift && x.factor && x.cash && x.elapsed_share && x.stack &&
                                 x.drift_residual && x.first && x.growth && x.own
                             ? LEVY_OK
                             : LEVY_MEMORY;
    for (uint32_t m = 0; m < h->n_dynamics && status == LEVY_OK; ++m) {
        levy_arena scratch;
        levy_arena_init(&scratch, b->arena->memory);
        status = numbers_fill(b, m, &x, &scratch);
        levy_arena_release(&scratch);
    }
    if (status == LEVY_OK) levy_plan_put_moved(h, levy_builder_at(b->plan, h->moved));
    if (status == LEVY_OK) numbers_returns(b);
    return status;
}
