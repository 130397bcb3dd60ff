/* items.c: see items.h. The layout of an item's terms is that of the payoffs' lane headers. */
#include "engine/plan/items.h"
#include "kernels/lane/scalar.h"
#include "kernels/path/image.h"

#include <stdio.h>
#include <string.h>

enum { TERM_SIGN, TERM_STRIKE, TERM_START, TERM_A, TERM_B, TERM_C, TERM_D, TERM_E };
enum { ITEM_FLAG_NONE = 30, ITEM_FLAG_CASH = 31 };

typedef struct items_builder {
    const levy_problem *problem;
    const levy_market_plan *markets;
    levy_item_plan *plan;
    double log_unit; /* logarithms are in units of 1 / log_unit: 1, or log2(e) in single precision */
    char *why;
} items_builder;

/* Which spot, if any, an item sees bumped. */
typedef struct items_bump { size_t underlying; double factor; } items_bump;

static double items_spot(const levy_trade *t, size_t u, items_bump bump)
{
    const double spot = t->model->assets[t->underlyings[u]]->spot;
    return u == bump.underlying ? spot * bump.factor : spot;
}

/* Coefficients of the growths, and the unit in which the item works. */
static double items_coefficients(const levy_trade *t, items_bump bump, double *c)
{
    double log_scale = 0.0;
    for (size_t u = 0; u < t->n_underlyings; ++u) {
        const double level = t->coefficients[u] * items_spot(t, u, bump);
        c[u] = t->aggregate == LEVY_AGGREGATE_GEOMETRIC ? t->weights[u] : level;
        if (t->aggregate == LEVY_AGGREGATE_GEOMETRIC) log_scale += t->weights[u] * levy_log(level);
    }
    if (t->aggregate == LEVY_AGGREGATE_GEOMETRIC) return levy_exp(log_scale);
    if (t->aggregate != LEVY_AGGREGATE_NONE) return 1.0;
    const double scale = c[0];
    c[0] = 1.0;
    return scale;
}

/* The aggregate at t = 0 in units of the scale. */
static double items_today(const levy_trade *t, const double *c)
{
    double x = c[0];
    if (t->aggregate == LEVY_AGGREGATE_NONE || t->aggregate == LEVY_AGGREGATE_GEOMETRIC) return 1.0;
    for (size_t u = 1; u < t->n_underlyings; ++u)
        x = t->aggregate == LEVY_AGGREGATE_BASKET ? x + c[u]
            : (t->aggregate == LEVY_AGGREGATE_BEST_OF) == (c[u] > x) ? c[u] : x;
    return x;
}

static void items_asian(const items_builder *b, const levy_trade *t, double scale, double today, double *r)
{
    const double n_past = (double)t->n_past;
    r[TERM_A] = 1.0 / (n_past + (t->observes_now ? 1.0 : 0.0) + (double)t->n_observations);
    if (t->terms->averaging_method == 0)
        r[TERM_START] = t->past_sum / scale + (t->observes_now ? today : 0.0);
    else
        r[TERM_START] = b->log_unit * (t->past_log_sum - n_past * levy_log(scale) + (t->observes_now ? levy_log(today) : 0.0));
}

static void items_barrier(const levy_trade *t, double scale, double today, double *r)
{
    const double side = t->terms->barrier_direction == 0 ? 1.0 : -1.0, level = t->terms->barrier_level / scale;
    const bool touched = t->knocked || (t->observes_now && today * side >= level * side);
    r[TERM_START] = touched ? 0.0 : 1.0;
    r[TERM_A] = level * side;
    r[TERM_B] = side;
    r[TERM_C] = t->terms->barrier_knock == 0 ? 1.0 : -1.0;
    r[TERM_D] = t->terms->barrier_knock == 0 ? 0.0 : 1.0;
}

static void items_terms(const items_builder *b, const levy_trade *t, uint32_t kind, double scale, const double *c, double *r)
{
    const double today = items_today(t, c);
    r[TERM_SIGN] = t->terms->option_type == 0 ? 1.0 : -1.0;
    r[TERM_STRIKE] = t->terms->strike / scale;
    if (kind == LEVY_PAYOFF_ASIAN) items_asian(b, t, scale, today, r);
    if (kind == LEVY_PAYOFF_BARRIER) items_barrier(t, scale, today, r);
    if (kind == LEVY_PAYOFF_DIGITAL) {
        r[TERM_A] = t->terms->payout == 0 ? t->terms->cash / scale : 0.0;
        r[TERM_B] = t->terms->payout == 0 ? 0.0 : 1.0;
    }
}

static void items_add(items_builder *b, uint32_t trade, uint32_t market, uint32_t flag, items_bump bump)
{
    levy_item_plan *const p = b->plan;
    const levy_trade *const t = &b->problem->trades[b->markets->group->trades[trade]];
    levy_image_item *const item = &p->items[p->n_items];
    double *const c = p->coefficients + p->n_items * b->markets->n_assets;
    const double scale = items_coefficients(t, bump, c);
    item->kind = (uint32_t)levy_payoffs[t->payoff]->lanes;
    item->variant = item->kind == LEVY_PAYOFF_ASIAN ? (uint32_t)t->terms->averaging_method : 0;
    item->aggregate = (uint32_t)t->aggregate;
    item->market = market;
    item->flag = flag;
    item->trade = trade;
    item->scale = scale * t->discount_factor;
    items_terms(b, t, item->kind, scale, c, p->reals + p->n_items * LEVY_ITEM_REALS);
    ++p->n_items;
}

static void items_output(items_builder *b, uint32_t trade, uint32_t measure, uint32_t factor, uint32_t n, const double *weights)
{
    levy_image_output *const o = &b->plan->outputs[b->plan->n_outputs++];
    const levy_image_item *const items = b->plan->items + b->plan->n_items - n;
    o->first_item = (uint32_t)(b->plan->n_items - n);
    o->n_items = n;
    o->first_market = items[0].market;
    o->n_markets = items[n - 1].market - items[0].market + 1;
    o->trade = trade;
    o->measure = measure;
    o->factor = factor;
    memcpy(o->weight, weights, n * sizeof *weights);
}

/* (up - down) / (2 h): two items, on one market or on two neighbours. */
static void items_difference(items_builder *b, uint32_t trade, uint32_t flag, uint32_t measure, size_t u, uint32_t up, uint32_t down, double h,
                             double spot_bump)
{
    const levy_trade *const t = &b->problem->trades[b->markets->group->trades[trade]];
    const double size = measure == LEVY_MEASURE_DELTA ? h * t->model->assets[t->underlyings[u]]->spot : h;
    const double weights[2] = {0.5 / size, -0.5 / size};
    items_add(b, trade, up, flag, (items_bump){u, 1.0 + spot_bump});
    items_add(b, trade, down, flag, (items_bump){u, 1.0 - spot_bump});
    items_output(b, trade, measure, t->underlyings[u], 2, weights);
}

static void items_floor(items_builder *b)
{
    levy_item_plan *const p = b->plan;
    double *const c = p->coefficients + p->n_items * b->markets->n_assets;
    for (size_t u = 0; u < b->markets->n_assets; ++u) c[u] = 1.0;
    p->items[p->n_items] = (levy_image_item){.kind = LEVY_FLOOR_KIND, .flag = ITEM_FLAG_NONE, .trade = UINT32_MAX, .scale = 1.0,
                                             .aggregate = b->markets->n_assets > 1 ? LEVY_AGGREGATE_WORST_OF : LEVY_AGGREGATE_NONE};
    ++p->n_items;
    items_output(b, UINT32_MAX, LEVY_OUTPUT_FLOOR, 0, 1, (const double[]){1.0});
}

/* Neighbouring outputs share markets, so that a tile simulates few. */
static void items_outputs(items_builder *b, const uint32_t *flag)
{
    const levy_simulation *const s = &b->problem->simulation;
    const uint32_t n_trades = (uint32_t)b->markets->group->n_trades, n = (uint32_t)b->markets->n_assets;
    const bool cash = b->markets->has_cash, delta = s->measures & LEVY_MEASURE_DELTA;
    const uint32_t first_vega = 1 + (cash && delta ? 2 * n : 0);
    for (uint32_t t = 0; t < n_trades; ++t) {
        items_add(b, t, 0, flag[t], (items_bump){0, 1.0});
        items_output(b, t, LEVY_MEASURE_PRICE, 0, 1, (const double[]){1.0});
    }
    if (cash) items_floor(b);
    for (uint32_t u = 0; delta && u < n; ++u)
        for (uint32_t t = 0; t < n_trades; ++t)
            items_difference(b, t, flag[t], LEVY_MEASURE_DELTA, u, cash ? 1 + 2 * u : 0, cash ? 2 + 2 * u : 0, s->spot_bump, s->spot_bump);
    for (uint32_t u = 0; (s->measures & LEVY_MEASURE_VEGA) && u < n; ++u)
        for (uint32_t t = 0; t < n_trades; ++t)
            items_difference(b, t, flag[t], LEVY_MEASURE_VEGA, u, first_vega + 2 * u, first_vega + 2 * u + 1, s->volatility_bump, 0.0);
}

static bool items_observes(const levy_trade *t, double time)
{
    size_t low = 0, high = t->n_observations;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (t->observations[middle] < time) low = middle + 1;
        else high = middle;
    }
    return low < t->n_observations && t->observations[low] == time;
}

static bool items_same_pattern(const levy_trade *a, const levy_trade *b)
{
    return a->n_observations == b->n_observations &&
           (a->n_observations == 0 || memcmp(a->observations, b->observations, a->n_observations * sizeof *a->observations) == 0);
}

/* flag[trade]: the bit of its observation pattern. Trades whose grid is one mostly share one pattern. */
static levy_status items_patterns(items_builder *b, uint32_t *flag, uint32_t *first)
{
    const levy_group *const g = b->markets->group;
    for (uint32_t t = 0; t < g->n_trades; ++t) {
        const levy_trade *const trade = &b->problem->trades[g->trades[t]];
        uint32_t bit = 0;
        while (bit < b->plan->n_patterns && !items_same_pattern(&b->problem->trades[g->trades[first[bit]]], trade)) ++bit;
        flag[t] = bit;
        if (bit < b->plan->n_patterns) continue;
        if (bit == LEVY_FLAG_BITS) {
            snprintf(b->why, LEVY_PLAN_WHY, "more than %d different observation schedules share one grid", LEVY_FLAG_BITS);
            return LEVY_UNSUPPORTED;
        }
        first[b->plan->n_patterns++] = t;
        for (size_t k = 0; k < g->n_nodes; ++k)
            if (items_observes(trade, g->times[k])) b->plan->flags[k] |= 1u << bit;
    }
    return LEVY_OK;
}

/* Nodes at which cash is paid. */
static void items_mark_nodes(items_builder *b)
{
    const levy_market_plan *const m = b->markets;
    for (size_t u = 0; u < m->n_assets; ++u) {
        const levy_asset *const asset = m->trade->model->assets[m->trade->underlyings[u]];
        for (size_t i = 0; i < asset->n_cash; ++i)
            for (size_t k = 0; k < m->group->n_nodes; ++k)
                if (asset->cash_times[i] == m->group->times[k]) b->plan->flags[k] |= 1u << ITEM_FLAG_CASH;
    }
}

levy_status levy_items_plan(const levy_problem *problem, const levy_market_plan *markets, levy_arena *arena, levy_item_plan *plan, char *why)
{
    const size_t n_trades = markets->group->n_trades, n = markets->n_assets;
    const size_t outputs = n_trades * (1 + 2 * n) + 1, items = n_trades * (1 + 4 * n) + 1;
    const bool single = problem->simulation.precision == LEVY_PRECISION_SINGLE;
    items_builder b = {problem, markets, plan, single ? 1.4426950408889634 : 1.0, why};
    memset(plan, 0, sizeof *plan);
    plan->items = levy_arena_allocate(arena, items, sizeof *plan->items);
    plan->reals = levy_arena_allocate(arena, items, LEVY_ITEM_REALS * sizeof *plan->reals);
    plan->coefficients = levy_arena_allocate(arena, items, n * sizeof *plan->coefficients);
    plan->outputs = levy_arena_allocate(arena, outputs, sizeof *plan->outputs);
    plan->flags = levy_arena_allocate(arena, markets->group->n_nodes, sizeof *plan->flags);
    uint32_t *const flag = levy_arena_allocate(arena, n_trades, sizeof *flag);
    uint32_t *const first = levy_arena_allocate(arena, LEVY_FLAG_BITS + 1, sizeof *first);
    if (!plan->items || !plan->reals || !plan->coefficients || !plan->outputs || !plan->flags || !flag || !first) return LEVY_MEMORY;
    LEVY_TRY(items_patterns(&b, flag, first));
    items_mark_nodes(&b);
    items_outputs(&b, flag);
    return LEVY_OK;
}
