/* outputs.c: see outputs.h. First the group's list of what any trade asks for is made, each with its parameter sets and
 * weights; then it is packed into parts of few sets; then each trade takes from each part what it asked for. */
#include "engine/plan/outputs.h"
#include "engine/plan/bumped.h"
#include "engine/base/number.h"
#include "kernels/lane/scalar.h"

#include <stdio.h>
#include <string.h>

enum { OUTPUTS_MOST = 1 << 23 }; /* of one group, with as many items: what a plan of a few GiB holds */

/* One measure, of every trade that asks for it and uses its curve. */
typedef struct outputs_wish {
    uint32_t measure, label, remarks, n_terms;
    uint32_t set[LEVY_OUTPUT_TERMS];
    double weight[LEVY_OUTPUT_TERMS];
    const levy_curve *curve; /* a node of rates: of this one; NULL: any */
    const levy_scenario *scenario; /* NULL: none */
    size_t node;
} outputs_wish;

/* Neighbouring wishes and the sets they need, those of the base market's growths first. */
typedef struct outputs_part {
    size_t first, n;
    uint32_t n_sets, n_markets;
    uint32_t set[LEVY_CLUSTER], market[LEVY_CLUSTER];
} outputs_part;

typedef struct outputs_builder {
    levy_items_builder items;
    levy_market_plan *markets;
    levy_arena *arena, *kept;
    const levy_group *group;
    outputs_wish *wishes;
    outputs_part *parts;
    size_t n_wishes, wish_room, n_parts, part_room, label_room;
} outputs_builder;

static const levy_simulation *outputs_simulation(const outputs_builder *b) { return &b->items.problem->simulation; }
static const levy_trade *outputs_trade(const outputs_builder *b, size_t t) { return &b->items.problem->trades[b->group->trades[t]]; }
static const levy_asset *outputs_asset(const outputs_builder *b, size_t u)
{
    return b->markets->trade->model->assets[b->markets->trade->underlyings[u]];
}

static uint32_t outputs_measures(const outputs_builder *b, const levy_trade *trade)
{
    const uint32_t scenarios = b->items.problem->n_scenarios ? LEVY_MEASURE_SCENARIO_PRICE | LEVY_MEASURE_SCENARIO_PNL : 0;
    return (trade->measures ? trade->measures : outputs_simulation(b)->measures) | LEVY_MEASURE_PRICE | scenarios;
}

/* Room for one more of `n` items in an array of the arena; NULL: no memory. */
static void *outputs_room(levy_arena *arena, void *items, size_t size, size_t n, size_t *room)
{
    if (n < *room) return items;
    const size_t more = *room ? 2 * *room : 16;
    void *const fresh = levy_arena_allocate(arena, more, size);
    if (fresh && n) memcpy(fresh, items, n * size);
    if (fresh) *room = more;
    return fresh;
}

/* ---- Wishes ---- */

/* `label` NULL: no memory for it. */
static levy_status outputs_label(outputs_builder *b, const char *label, uint32_t *number)
{
    levy_item_plan *const p = b->items.plan;
    const char **const labels = outputs_room(b->kept, p->labels, sizeof *labels, p->n_labels, &b->label_room);
    if (!label || !labels) return LEVY_MEMORY;
    p->labels = labels;
    *number = (uint32_t)p->n_labels;
    p->labels[p->n_labels++] = label;
    return LEVY_OK;
}

static levy_status outputs_add(outputs_builder *b, uint32_t measure, uint32_t label, outputs_wish wish)
{
    outputs_wish *const wishes = outputs_room(b->arena, b->wishes, sizeof *wishes, b->n_wishes, &b->wish_room);
    if (!wishes) return LEVY_MEMORY;
    b->wishes = wishes;
    wish.measure = measure;
    wish.label = label;
    b->wishes[b->n_wishes++] = wish;
    return LEVY_OK;
}

static levy_status outputs_wish_for(outputs_builder *b, uint32_t measure, const char *label, outputs_wish wish)
{
    uint32_t number;
    LEVY_TRY(outputs_label(b, label, &number));
    return outputs_add(b, measure, number, wish);
}

static bool outputs_same_shift(const levy_shift *a, const levy_shift *b)
{
    return a->factor == b->factor && a->relative == b->relative && a->size == b->size && a->asset == b->asset &&
           a->other == b->other && a->curve == b->curve && a->node == b->node;
}

/* The set of these shifts; one of one shift is made once. */
static levy_status outputs_set(outputs_builder *b, const levy_shift *shifts, size_t n, uint32_t *set)
{
    levy_market_plan *const m = b->markets;
    for (uint32_t i = 0; n == 1 && i < m->n_sets && i < 64; ++i)
        if (m->sets[i].n_shifts == 1 && outputs_same_shift(m->sets[i].shifts, shifts)) {
            *set = i;
            return LEVY_OK;
        }
    levy_shift *const kept = levy_arena_allocate(b->arena, n, sizeof *kept);
    if (!kept) return LEVY_MEMORY;
    memcpy(kept, shifts, n * sizeof *kept);
    return levy_markets_add_set(m, b->arena, (levy_market_set){n, kept, 0.0}, set);
}

/* (up - down) / 2h, of a shift by `size`; h is what the value is per. */
static levy_status outputs_central(outputs_builder *b, uint32_t measure, const char *label, levy_shift shift, double size, double h)
{
    outputs_wish wish = {.n_terms = 2, .weight = {0.5 / h, -0.5 / h}, .curve = shift.curve, .node = shift.node};
    bool good[2];
    for (int i = 0; i < 2; ++i) {
        shift.size = i ? -size : size;
        LEVY_TRY(outputs_set(b, &shift, 1, &wish.set[i]));
        LEVY_TRY(levy_markets_check(b->markets, wish.set[i], b->arena, &good[i]));
    }
    for (int i = 0; i < 2 && !(good[0] && good[1]); ++i) {
        wish.weight[i] *= good[0] || good[1] ? 2.0 : 1.0;
        wish.remarks = good[0] || good[1] ? LEVY_OUTPUT_ONE_SIDED : LEVY_OUTPUT_NOT_BUMPED;
        if (!good[i]) wish.set[i] = 0;
    }
    return outputs_wish_for(b, measure, label, wish);
}

/* Relative, of second differences: their noise grows as the bump shrinks, their bias with the bump over the width of what is
 * paid on. A twentieth of the standard deviation at expiry keeps the bias of a European gamma near 0.05 %. In single
 * precision smaller ones than 0.005 would cancel. */
static double outputs_second_bump(const outputs_builder *b, const levy_asset *asset)
{
    const levy_simulation *const s = outputs_simulation(b);
    if (s->gamma_bump > 0.0) return s->gamma_bump;
    const double h = 0.05 * levy_markets_deviation(b->markets, asset, b->group->times[b->group->n_nodes - 1]);
    const double least = s->precision == LEVY_PRECISION_SINGLE ? 0.005 : 1e-4;
    return h < least ? least : h > 0.1 ? 0.1 : h;
}

static levy_status outputs_spot(outputs_builder *b, size_t u, uint32_t measures)
{
    const levy_asset *const asset = outputs_asset(b, u);
    const levy_simulation *const s = outputs_simulation(b);
    levy_shift shift = {.factor = LEVY_SHIFT_SPOT, .relative = true, .asset = asset, .node = SIZE_MAX};
    if (measures & LEVY_MEASURE_DELTA)
        LEVY_TRY(outputs_central(b, LEVY_MEASURE_DELTA, levy_arena_format(b->kept, "%s.spot", asset->name), shift, s->spot_bump,
                                 s->spot_bump * asset->spot));
    if (!(measures & LEVY_MEASURE_GAMMA)) return LEVY_OK;
    const double bump = outputs_second_bump(b, asset), h = bump * asset->spot, weight = 1.0 / (h * h);
    outputs_wish wish = {.n_terms = 3, .weight = {weight, -2.0 * weight, weight}};
    for (int i = 0; i < 3; i += 2) {
        shift.size = i ? -bump : bump;
        LEVY_TRY(outputs_set(b, &shift, 1, &wish.set[i]));
    }
    return outputs_wish_for(b, LEVY_MEASURE_GAMMA, levy_arena_format(b->kept, "%s.spot", asset->name), wish);
}

static levy_status outputs_cross_gamma(outputs_builder *b, size_t u, size_t v)
{
    const levy_asset *const assets[2] = {outputs_asset(b, u), outputs_asset(b, v)};
    const double h[2] = {outputs_second_bump(b, assets[0]), outputs_second_bump(b, assets[1])};
    const double weight = 0.25 / (h[0] * assets[0]->spot * h[1] * assets[1]->spot);
    outputs_wish wish = {.n_terms = 4, .weight = {weight, -weight, -weight, weight}};
    for (int i = 0; i < 4; ++i) {
        const levy_shift shifts[2] = {
            {.factor = LEVY_SHIFT_SPOT, .relative = true, .size = i & 2 ? -h[0] : h[0], .asset = assets[0], .node = SIZE_MAX},
            {.factor = LEVY_SHIFT_SPOT, .relative = true, .size = i & 1 ? -h[1] : h[1], .asset = assets[1], .node = SIZE_MAX}};
        LEVY_TRY(outputs_set(b, shifts, 2, &wish.set[i]));
    }
    return outputs_wish_for(b, LEVY_MEASURE_CROSS_GAMMA, levy_arena_format(b->kept, "%s.spot,%s.spot", assets[0]->name, assets[1]->name), wish);
}

static levy_status outputs_correlation(outputs_builder *b, size_t u, size_t v)
{
    const levy_asset *const one = outputs_asset(b, u), *const other = outputs_asset(b, v);
    const double h = outputs_simulation(b)->correlation_bump;
    return outputs_central(b, LEVY_MEASURE_CORRELATION, levy_arena_format(b->kept, "%s.spot,%s.spot", one->name, other->name),
                           (levy_shift){.factor = LEVY_SHIFT_CORRELATION, .asset = one, .other = other, .node = SIZE_MAX}, h, h);
}

/* "SPX.volatility[2027-11-20]": a node by its date, or by its years where the book has no dates. */
static const char *outputs_node_label(outputs_builder *b, const char *name, const char *what, double time)
{
    char at[LEVY_NUMBER_SIZE];
    if (b->items.problem->has_date)
        levy_date_write(b->items.problem->valuation + (levy_date)(time * 365.0 + 0.5), at);
    else
        levy_number_write(time, at);
    return levy_arena_format(b->kept, "%s.%s[%s]", name, what, at);
}

static levy_status outputs_vega(outputs_builder *b, size_t u, bool by_node)
{
    const levy_asset *const asset = outputs_asset(b, u);
    const double h = outputs_simulation(b)->volatility_bump, expiry = b->group->times[b->group->n_nodes - 1];
    levy_shift shift = {.factor = LEVY_SHIFT_VOLATILITY, .asset = asset, .node = SIZE_MAX};
    if (!by_node || asset->n_volatility == 1)
        return outputs_central(b, by_node ? LEVY_MEASURE_VEGA_BY_NODE : LEVY_MEASURE_VEGA,
                               levy_arena_format(b->kept, "%s.volatility", asset->name), shift, h, h);
    for (shift.node = 0; shift.node < asset->n_volatility; ++shift.node) {
        if (shift.node > 0 && asset->volatility_times[shift.node - 1] >= expiry) break; /* later nodes matter to none */
        LEVY_TRY(outputs_central(b, LEVY_MEASURE_VEGA_BY_NODE,
                                 outputs_node_label(b, asset->name, "volatility", asset->volatility_times[shift.node]), shift, h, h));
    }
    return LEVY_OK;
}

/* Whether a trade discounts on a curve, or an underlying of it grows at it. */
static bool outputs_uses(const outputs_builder *b, const levy_trade *trade, const levy_curve *curve)
{
    bool uses = trade->discount_curve == curve;
    for (size_t u = 0; u < b->markets->n_assets; ++u) uses = uses || outputs_asset(b, u)->curve == curve;
    return uses;
}

static double outputs_horizon(const levy_trade *trade)
{
    return trade->payment_time > trade->expiry ? trade->payment_time : trade->expiry;
}

/* Whether a trade's value depends on a node of a curve that it uses. */
static bool outputs_reaches(const levy_trade *trade, const levy_curve *curve, size_t node)
{
    return node == 0 || node == SIZE_MAX || curve->times[node - 1] < outputs_horizon(trade);
}

static levy_status outputs_rho_of(outputs_builder *b, const levy_curve *curve)
{
    const double h = outputs_simulation(b)->rate_bump;
    double horizon = 0.0;
    for (size_t t = 0; t < b->group->n_trades; ++t)
        if (outputs_horizon(outputs_trade(b, t)) > horizon) horizon = outputs_horizon(outputs_trade(b, t));
    levy_shift shift = {.factor = LEVY_SHIFT_RATE, .curve = curve, .node = SIZE_MAX};
    if (curve->n == 1)
        return outputs_central(b, LEVY_MEASURE_RHO_BY_NODE, levy_arena_format(b->kept, "%s.rate", curve->name), shift, h, h);
    for (shift.node = 0; shift.node < curve->n; ++shift.node) {
        if (shift.node > 0 && curve->times[shift.node - 1] >= horizon) break;
        LEVY_TRY(outputs_central(b, LEVY_MEASURE_RHO_BY_NODE, outputs_node_label(b, curve->name, "rate", curve->times[shift.node]), shift, h, h));
    }
    return LEVY_OK;
}

/* The nodes of every curve that some trade of the group uses, each once. */
static levy_status outputs_rho_by_node(outputs_builder *b)
{
    for (size_t u = 0; u < b->markets->n_assets; ++u) {
        bool seen = false;
        for (size_t v = 0; v < u; ++v) seen = seen || outputs_asset(b, v)->curve == outputs_asset(b, u)->curve;
        if (!seen) LEVY_TRY(outputs_rho_of(b, outputs_asset(b, u)->curve));
    }
    for (size_t t = 0; t < b->group->n_trades; ++t) {
        const levy_curve *const curve = outputs_trade(b, t)->discount_curve;
        bool seen = false;
        for (size_t u = 0; u < b->markets->n_assets; ++u) seen = seen || outputs_asset(b, u)->curve == curve;
        for (size_t o = 0; o < b->n_wishes; ++o)
            seen = seen || (b->wishes[o].measure == LEVY_MEASURE_RHO_BY_NODE && b->wishes[o].curve == curve);
        if (!seen) LEVY_TRY(outputs_rho_of(b, curve));
    }
    return LEVY_OK;
}

static levy_status outputs_theta(outputs_builder *b)
{
    const double days = outputs_simulation(b)->theta_days;
    outputs_wish wish = {.n_terms = 2, .weight = {1.0 / days, -1.0 / days}};
    LEVY_TRY(levy_markets_add_set(b->markets, b->arena, (levy_market_set){0, NULL, days / 365.0}, &wish.set[0]));
    return outputs_wish_for(b, LEVY_MEASURE_THETA, levy_arena_format(b->kept, "time"), wish);
}

/* The scenario's set, or today's where it is no market for the group. */
static levy_status outputs_scenario_set(outputs_builder *b, const levy_scenario *scenario, uint32_t *set, bool *good)
{
    *set = 0;
    *good = levy_scenario_objection(scenario, b->markets->trade) == NULL;
    if (!*good) return LEVY_OK;
    LEVY_TRY(levy_markets_add_set(b->markets, b->arena, (levy_market_set){scenario->n_shifts, scenario->shifts, 0.0}, set));
    return levy_markets_check(b->markets, *set, b->arena, good);
}

/* The difference first: its sets are those of the price and one more. */
static levy_status outputs_scenario(outputs_builder *b, const levy_scenario *scenario)
{
    outputs_wish price = {.n_terms = 1, .weight = {1.0}, .scenario = scenario}, moved = {.n_terms = 2, .weight = {1.0, -1.0}, .scenario = scenario};
    uint32_t label;
    bool good;
    LEVY_TRY(outputs_scenario_set(b, scenario, &price.set[0], &good));
    if (!good) {
        price.set[0] = 0;
        price.remarks = moved.remarks = LEVY_OUTPUT_NOT_BUMPED;
    }
    moved.set[0] = price.set[0];
    LEVY_TRY(outputs_label(b, levy_arena_format(b->kept, "%s", scenario->id), &label));
    LEVY_TRY(outputs_add(b, LEVY_MEASURE_SCENARIO_PNL, label, moved));
    return outputs_add(b, LEVY_MEASURE_SCENARIO_PRICE, label, price);
}

/* What shares today's growths comes first. */
static levy_status outputs_wishes(outputs_builder *b)
{
    const size_t n = b->markets->n_assets;
    uint32_t measures = 0;
    for (size_t t = 0; t < b->group->n_trades; ++t) measures |= outputs_measures(b, outputs_trade(b, t));
    LEVY_TRY(outputs_wish_for(b, LEVY_MEASURE_PRICE, "", (outputs_wish){.n_terms = 1, .weight = {1.0}}));
    for (size_t u = 0; u < n; ++u) LEVY_TRY(outputs_spot(b, u, measures));
    for (size_t u = 0; u < n; ++u)
        for (size_t v = u + 1; v < n && measures & LEVY_MEASURE_CROSS_GAMMA; ++v) LEVY_TRY(outputs_cross_gamma(b, u, v));
    if (measures & LEVY_MEASURE_THETA) LEVY_TRY(outputs_theta(b));
    for (size_t u = 0; u < n && measures & LEVY_MEASURE_VEGA; ++u) LEVY_TRY(outputs_vega(b, u, false));
    if (measures & LEVY_MEASURE_RHO)
        LEVY_TRY(outputs_central(b, LEVY_MEASURE_RHO, levy_arena_format(b->kept, "%s.rate", b->markets->trade->currency),
                                 (levy_shift){.factor = LEVY_SHIFT_RATE, .node = SIZE_MAX}, outputs_simulation(b)->rate_bump,
                                 outputs_simulation(b)->rate_bump));
    for (size_t u = 0; u < n && measures & LEVY_MEASURE_VEGA_BY_NODE; ++u) LEVY_TRY(outputs_vega(b, u, true));
    if (measures & LEVY_MEASURE_RHO_BY_NODE) LEVY_TRY(outputs_rho_by_node(b));
    for (size_t u = 0; u < n; ++u)
        for (size_t v = u + 1; v < n && measures & LEVY_MEASURE_CORRELATION; ++v) LEVY_TRY(outputs_correlation(b, u, v));
    for (size_t i = 0; i < b->items.problem->n_scenarios; ++i) LEVY_TRY(outputs_scenario(b, &b->items.problem->scenarios[i]));
    return LEVY_OK;
}

/* ---- Parts ---- */

static uint32_t outputs_slot(const outputs_part *part, uint32_t set)
{
    uint32_t slot = 0;
    while (slot < part->n_sets && part->set[slot] != set) ++slot;
    return slot;
}

/* Whether the wish's sets have room beside the part's; they join it then. */
static bool outputs_join(outputs_part *part, const outputs_wish *wish)
{
    outputs_part joined = *part;
    for (uint32_t k = 0; k < wish->n_terms; ++k) {
        if (outputs_slot(&joined, wish->set[k]) < joined.n_sets) continue;
        if (joined.n_sets == LEVY_CLUSTER) return false;
        joined.set[joined.n_sets++] = wish->set[k];
    }
    ++joined.n;
    *part = joined;
    return true;
}

/* Sets that keep today's growths first, in their order otherwise; then a market for each that needs one. A part whose
 * markets are new gets a copy of today's beside them, where it needs it: tiles hold markets that stand together. */
static levy_status outputs_place(outputs_builder *b, outputs_part *part)
{
    levy_market_plan *const m = b->markets;
    uint32_t sets[LEVY_CLUSTER], still = 0, base = 0, n = 0;
    for (int moved = 0; moved < 2; ++moved)
        for (uint32_t k = 0; k < part->n_sets; ++k)
            if (levy_markets_moves_growths(m, part->set[k]) == (moved == 1)) {
                sets[n++] = part->set[k];
                still += moved == 0;
            }
    memcpy(part->set, sets, part->n_sets * sizeof *sets);
    if (still && still < n && m->n_markets > 1) LEVY_TRY(levy_markets_add(m, b->arena, 0, &base));
    for (uint32_t k = 0; k < n; ++k) {
        part->market[k] = base;
        if (k >= still) LEVY_TRY(levy_markets_add(m, b->arena, part->set[k], &part->market[k]));
    }
    return LEVY_OK;
}

static levy_status outputs_pack(outputs_builder *b)
{
    for (size_t o = 0; o < b->n_wishes; ++o) {
        if (b->n_parts && outputs_join(&b->parts[b->n_parts - 1], &b->wishes[o])) continue;
        outputs_part *const parts = outputs_room(b->arena, b->parts, sizeof *parts, b->n_parts, &b->part_room);
        if (!parts) return LEVY_MEMORY;
        b->parts = parts;
        parts[b->n_parts] = (outputs_part){.first = o};
        outputs_join(&parts[b->n_parts++], &b->wishes[o]);
    }
    for (size_t i = 0; i < b->n_parts; ++i) LEVY_TRY(outputs_place(b, &b->parts[i]));
    return LEVY_OK;
}

/* ---- Trades ---- */

static bool outputs_wanted(const outputs_builder *b, const levy_trade *trade, const outputs_wish *wish)
{
    if (!(wish->measure & outputs_measures(b, trade))) return false;
    if (!wish->curve) return true;
    return outputs_uses(b, trade, wish->curve) && outputs_reaches(trade, wish->curve, wish->node);
}

/* Bits of the slots of a part that a trade needs; *n_outputs grows by what it takes. */
static uint32_t outputs_needs(const outputs_builder *b, const outputs_part *part, const levy_trade *trade, size_t *n_outputs)
{
    uint32_t slots = 0;
    for (size_t o = part->first; o < part->first + part->n; ++o) {
        const outputs_wish *const wish = &b->wishes[o];
        if (!outputs_wanted(b, trade, wish)) continue;
        ++*n_outputs;
        for (uint32_t k = 0; k < wish->n_terms; ++k) slots |= 1u << outputs_slot(part, wish->set[k]);
    }
    return slots;
}

static levy_status outputs_reserve(outputs_builder *b)
{
    levy_item_plan *const p = b->items.plan;
    size_t n_items = 1, n_outputs = 1; /* the floor's */
    for (size_t i = 0; i < b->n_parts; ++i)
        for (size_t t = 0; t < b->group->n_trades; ++t)
            n_items += (size_t)__builtin_popcount(outputs_needs(b, &b->parts[i], outputs_trade(b, t), &n_outputs));
    if (n_items > OUTPUTS_MOST || n_outputs > OUTPUTS_MOST) {
        snprintf(b->items.why, LEVY_PLAN_WHY, "%zu measures of the trades on one grid are too many", n_outputs);
        return LEVY_UNSUPPORTED;
    }
    p->outputs = levy_arena_allocate(b->arena, n_outputs, sizeof *p->outputs);
    return p->outputs ? levy_items_reserve(&b->items, n_items) : LEVY_MEMORY;
}

static uint32_t outputs_model_remarks(const levy_trade *trade)
{
    const levy_model *const model = trade->model;
    return !trade->known && levy_model_features(model->kind, model->terms) & LEVY_MODEL_STEPPED ? LEVY_OUTPUT_STEPPED : 0;
}

/* Of a trade on a set. */
static levy_status outputs_remarks(outputs_builder *b, uint32_t set, const levy_trade *trade, uint32_t *remarks)
{
    bool grows = false;
    LEVY_TRY(levy_bumped_remarks(b->markets, set, trade, b->arena, remarks));
    LEVY_TRY(levy_tail_grows(b->markets, set, trade, b->arena, &grows));
    if (grows) *remarks |= LEVY_OUTPUT_HEAVY;
    return LEVY_OK;
}

/* A cluster: the trade's items of the slots, and its outputs. */
static levy_status outputs_take(outputs_builder *b, const outputs_part *part, uint32_t t, uint32_t slots)
{
    levy_item_plan *const p = b->items.plan;
    const uint32_t first = (uint32_t)p->n_items;
    const levy_trade *const trade = outputs_trade(b, t);
    const uint32_t heavy = b->items.tail[t].heavy ? LEVY_OUTPUT_HEAVY : 0;
    uint32_t term[LEVY_CLUSTER], remarks[LEVY_CLUSTER] = {0};
    for (uint32_t k = 0; k < part->n_sets; ++k) {
        term[k] = (uint32_t)p->n_items - first;
        if (!(slots >> k & 1)) continue;
        LEVY_TRY(levy_items_add(&b->items, t, part->set[k], part->market[k]));
        LEVY_TRY(outputs_remarks(b, part->set[k], trade, &remarks[k]));
    }
    const levy_image_output cluster = {.first_item = first, .n_items = (uint32_t)p->n_items - first, .trade = t,
                                       .first_market = p->items[first].market,
                                       .n_markets = p->items[p->n_items - 1].market - p->items[first].market + 1};
    for (size_t o = part->first; o < part->first + part->n; ++o) {
        const outputs_wish *const wish = &b->wishes[o];
        if (!outputs_wanted(b, trade, wish)) continue;
        levy_image_output *const output = &p->outputs[p->n_outputs++];
        *output = cluster;
        output->measure = wish->measure;
        output->factor = wish->label;
        output->remarks = wish->remarks | outputs_model_remarks(trade) | heavy;
        if (wish->scenario && levy_scenario_objection(wish->scenario, trade)) output->remarks |= LEVY_OUTPUT_NOT_BUMPED;
        output->n_terms = wish->n_terms;
        for (uint32_t k = 0; k < wish->n_terms; ++k) {
            const uint32_t slot = outputs_slot(part, wish->set[k]);
            output->remarks |= remarks[slot];
            output->term[k] = term[slot];
            output->weight[k] = wish->weight[k];
            output->constant += wish->weight[k] * p->constants[first + term[slot]];
            const double jump = wish->weight[k] * p->jumps[first + term[slot]];
            output->jump += jump * jump;
        }
        output->jump = levy_sqrt(output->jump);
    }
    return LEVY_OK;
}

static void outputs_floor(outputs_builder *b)
{
    levy_item_plan *const p = b->items.plan;
    p->outputs[p->n_outputs++] = (levy_image_output){.first_item = (uint32_t)p->n_items, .n_items = 1, .n_markets = 1, .trade = UINT32_MAX,
                                                     .measure = LEVY_OUTPUT_FLOOR, .n_terms = 1, .weight = {1.0}};
    levy_items_add_floor(&b->items);
}

static levy_status outputs_trades(outputs_builder *b)
{
    for (size_t i = 0; i < b->n_parts; ++i) {
        for (uint32_t t = 0; t < b->group->n_trades; ++t) {
            size_t n = 0;
            const uint32_t slots = outputs_needs(b, &b->parts[i], outputs_trade(b, t), &n);
            if (n) LEVY_TRY(outputs_take(b, &b->parts[i], t, slots));
        }
        if (i == 0 && b->markets->has_cash) outputs_floor(b);
    }
    return LEVY_OK;
}

levy_status levy_outputs_plan(const levy_problem *problem, levy_market_plan *markets, levy_arena *arena, levy_arena *labels,
                              levy_item_plan *plan, char *why)
{
    outputs_builder b = {.items = {.problem = problem, .markets = markets, .plan = plan, .arena = arena, .why = why},
                         .markets = markets, .arena = arena, .kept = labels, .group = markets->group};
    LEVY_TRY(levy_items_start(&b.items));
    LEVY_TRY(outputs_wishes(&b));
    LEVY_TRY(outputs_pack(&b));
    LEVY_TRY(outputs_reserve(&b));
    return outputs_trades(&b);
}
