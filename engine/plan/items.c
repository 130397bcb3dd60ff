/* items.c: see items.h. */
#include "engine/plan/items.h"

#include "engine/base/hash.h"
#include "kernels/lane/scalar.h"
#include "engine/problem/trade_claim.h"
#include "engine/problem/today.h"
#include "engine/script/verify.h"
#include "engine/plan/bumped.h"
#include "engine/problem/today.h"
#include "engine/plan/build_order.h"
#include "engine/plan/item_terms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ITEM_FLAG_NONE = 30, ITEM_FLAG_CASH = 31, ITEM_SCRIPTS = 1 << 16 };

/* From so many paths on the replicates tell of what happens on these. */
static const double items_enough = 6.0;
static const double items_beyond = 1e30; /* a level that is never the worst */

/* ---- Programs ---- */

static bool items_same_program(const levy_script_program *a, const levy_script_program *b)
{
    return a == b || (a->bytes == b->bytes && memcmp(a, b, a->bytes) == 0);
}

static levy_status items_keep_program(levy_items_builder *b, const levy_script_program *program)
{
    levy_item_plan *const p = b->plan;
    if (p->n_scripts > ITEM_SCRIPTS - 1) {
        snprintf(b->why, LEVY_PLAN_WHY, "more than %d different scripts share one grid",
                 ITEM_SCRIPTS);
        return LEVY_UNSUPPORTED;
    }
    char fault[LEVY_SCRIPT_VERIFY_WHY];
    if (!levy_script_verify(program, fault)) {
        snprintf(b->why, LEVY_PLAN_WHY, "a script became a program that does not hold: %s", fault);
        return LEVY_INTERNAL;
    }
    if (!LEVY_ARENA_GROW(b->arena, p->scripts, p->n_scripts, b->script_room, 16))
        return LEVY_MEMORY;
    p->scripts[p->n_scripts++] = program;
    p->script_bytes += program->bytes;
    return LEVY_OK;
}

/* The slot of a program, or the empty one where it belongs. */
static uint32_t *items_slot(const levy_items_builder *b, const levy_script_program *program)
{
    size_t at = (size_t)XXH3_64bits(program, program->bytes) & (b->n_slots - 1);
    while (b->slots[at] && !items_same_program(b->plan->scripts[b->slots[at] - 1], program))
        at = (at + 1) & (b->n_slots - 1);
    return &b->slots[at];
}

/* Gives an item the number of its trade's program, if it has one. */
static levy_status items_find_program(levy_items_builder *b, uint32_t trade, const levy_trade *t,
                                      const levy_script_view *view, levy_image_item *item)
{
    const levy_script_program *const program = levy_item_program(t, view, item);
    const bool bounds = view && view->bounds;
    if (!program) return LEVY_OK;
    uint32_t number = bounds ? 0 : b->script[trade];
    if (number == 0) {
        uint32_t *const slot = items_slot(b, program);
        if (*slot == 0) LEVY_TRY(items_keep_program(b, program));
        if (*slot == 0) *slot = (uint32_t)b->plan->n_scripts;
        number = *slot;
    }
    if (!bounds) b->script[trade] = number;
    item->variant |= number - 1;
    return LEVY_OK;
}

/* ---- Items ---- */

/* A date before the set's own may find a level exactly where it decides. Spots then lean by this
 * much to the side on which the contract puts the level. */
static const double items_lean_double = 1e-11, items_lean_single = 1e-6;

static void items_lean(const levy_items_builder *b, const levy_trade *t, uint32_t set)
{
    const double elapsed = b->dynamics->sets[set].elapsed;
    const bool single = b->problem->simulation.precision == LEVY_PRECISION_SINGLE;
    double levels[LEVY_MAX_ASSETS];
    if (!(elapsed > 0.0) || t->state == LEVY_TRADE_KNOWN ||
        t->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC)
        return;
    levy_bumped_levels(b->dynamics, set, t, levels);
    const double lean =
        levy_today_lean(t, levels, elapsed, single ? items_lean_single : items_lean_double);
    for (size_t u = 0; u < t->n_underlyings; ++u) b->spots[u] *= 1.0 + lean;
}

/* Fills what a trade sees under a set; the spots last until the next call. */
static levy_status items_market(levy_items_builder *b, const levy_trade *t, uint32_t set,
                                levy_item_market *market)
{
    const levy_payoff *const lanes = levy_payoffs[levy_payoffs[t->kind.payoff]->lanes];
    for (size_t u = 0; u < t->n_underlyings; ++u)
        b->spots[u] =
            t->claim.fixings ? t->claim.fixings[u] : levy_dynamics_spot(b->dynamics, set, u);
    items_lean(b, t, set);
    *market = (levy_item_market){.spots = b->spots};
    LEVY_TRY(levy_dynamics_discount(b->dynamics, set, t, b->arena, &market->discount));
    if (!levy_trade_is_integrated(t) || !lanes->n_kept) return LEVY_OK;
    return levy_dynamics_moved_deviation(b->dynamics, set, 0, t->claim.expiry, b->arena,
                                         &market->deviation);
}

/* The most that a path of the trade can pay under a set, discounted. At a hit, or exercised early,
 * it may be paid on any date, of which one with a factor above 1 is dearest. */
static levy_status items_most(levy_items_builder *b, const levy_trade *t, uint32_t set,
                              const levy_script_view *view, const levy_item_market *market,
                              double *most)
{
    levy_trade room;
    const levy_trade *const own = levy_trade_written(t, &room);
    const levy_claim claim = levy_claim_viewed(own, view);
    const levy_curve *curve;
    double factor = market->discount;
    *most = levy_payoff_most(levy_payoffs[own->kind.payoff], &claim);
    if ((levy_trade_pays_at_hit(t) || t->early) && *most < INFINITY) {
        LEVY_TRY(levy_dynamics_curve(b->dynamics, set, t->discount_curve, b->arena, &curve));
        factor = factor > 1.0 ? factor : 1.0;
        const levy_nodes nodes = levy_curve_kinks(curve);
        for (size_t k = 0; k < nodes.n && nodes.times[k] < t->claim.payment_time; ++k) {
            const double dearest = levy_exp(levy_curve_log_discount(curve, nodes.times[k]));
            factor = dearest > factor ? dearest : factor;
        }
    }
    *most *= factor;
    return LEVY_OK;
}

/* The trade as it goes on after a touch today, between dates. */
static void items_touch(const levy_items_builder *b, uint32_t set, levy_trade *touched)
{
    touched->claim.past.knocked = touched->claim.past.knocked_now = true;
    touched->claim.past.last = levy_bumped_level(b->dynamics, set, touched);
}

levy_status levy_items_jump(const levy_items_builder *b, uint32_t trade,
                            const levy_script_view *view, double *jump)
{
    const levy_trade *const t = &b->problem->trades[b->dynamics->group->trades[trade]];
    if (t->kind.scripted)
        return levy_line_jump(b->dynamics, t, view, &b->jumps[trade], b->arena, jump);
    *jump = levy_item_jump(t);
    return LEVY_OK;
}

levy_status levy_items_add(levy_items_builder *b, uint32_t trade, uint32_t set, uint32_t dynamics,
                           const levy_script_view *view, double jump)
{
    levy_item_plan *const p = b->plan;
    const levy_trade *const t = &b->problem->trades[b->dynamics->group->trades[trade]];
    levy_image_item *const item = &p->items[p->n_items];
    levy_item_market market;
    levy_trade seen = *t;
    if (t->kind.scripted && levy_memory_stopped(b->arena->memory)) return LEVY_CANCELLED;
    LEVY_TRY(items_market(b, t, set, &market));
    LEVY_TRY(items_most(b, t, set, view, &market, &p->most[p->n_items]));
    if (levy_bumped_is_touched(b->dynamics, set, t)) items_touch(b, set, &seen);
    p->units[p->n_items].log_unit = b->log_unit;
    p->sets[p->n_items] = set;
    p->markets[p->n_items] = b->dynamics->sets[set];
    levy_item_terms(&seen, view, market, &p->units[p->n_items], item,
                    p->reals + p->n_items * LEVY_ITEM_REALS,
                    p->coefficients + p->n_items * b->dynamics->n_assets);
    if (view && view->state != 0) item->scale = 1.0;                  /* no amount of money */
    for (size_t u = t->n_underlyings; u < b->dynamics->n_assets; ++u) /* no worst one */
        p->coefficients[p->n_items * b->dynamics->n_assets + u] =
            t->kind.aggregate == LEVY_AGGREGATE_WORST_OF ? items_beyond : 0.0;
    p->views[p->n_items] = levy_claim_viewed(t, view).view;
    p->jumps[p->n_items] = jump * market.discount;
    LEVY_TRY(levy_kink_of(b->dynamics, set, t, &b->events[trade].crossings, b->arena,
                          &p->kinks[p->n_items]));
    p->kinks[p->n_items].size *= market.discount;
    LEVY_TRY(levy_rare_of(b->dynamics, set, t, view, &b->events[trade], market.discount, b->arena,
                          &p->rare[p->n_items]));
    if (b->tail[trade].controlled) {
        LEVY_TRY(levy_tail_forward(b->dynamics, set, t, b->arena, &p->constants[p->n_items]));
        if (t->form != LEVY_FORM_SCRIPT)
            levy_item_become_put(t, p->reals + p->n_items * LEVY_ITEM_REALS);
    } else if (levy_payoffs[t->kind.payoff]->is_forward) {
        p->constants[p->n_items] = -t->claim.terms->strike;
    }
    p->constants[p->n_items] *= market.discount;
    if (!view) p->constants[p->n_items] += levy_today_due(&seen, b->spots);
    LEVY_TRY(items_find_program(b, trade, t, view, item));
    item->dynamics = dynamics;
    item->flag = b->flag[trade];
    item->n_flags = (uint32_t)levy_trade_schedules(t);
    item->trade = trade;
    item->node_terms = p->all_node_terms + item->n_constants;
    p->all_node_terms +=
        item->n_constants + (uint64_t)b->dynamics->group->n_nodes * item->n_node_terms;
    ++p->n_items;
    return LEVY_OK;
}

void levy_items_add_floor(levy_items_builder *b)
{
    levy_item_plan *const p = b->plan;
    double *const c = p->coefficients + p->n_items * b->dynamics->n_assets;
    for (size_t u = 0; u < b->dynamics->n_assets; ++u) c[u] = 1.0;
    p->items[p->n_items] = (levy_image_item){
        .kind = LEVY_FLOOR_KIND,
        .flag = ITEM_FLAG_NONE,
        .n_flags = 1,
        .trade = UINT32_MAX,
        .scale = 1.0,
        .aggregate = b->dynamics->n_assets > 1 ? LEVY_AGGREGATE_WORST_OF : LEVY_AGGREGATE_NONE};
    ++p->n_items;
}

levy_status levy_items_reserve(levy_items_builder *b, size_t n_items)
{
    levy_item_plan *const p = b->plan;
    p->items = levy_arena_allocate(b->arena, n_items, sizeof *p->items);
    p->reals = levy_arena_allocate(b->arena, n_items, LEVY_ITEM_REALS * sizeof *p->reals);
    p->coefficients =
        levy_arena_allocate(b->arena, n_items, b->dynamics->n_assets * sizeof *p->coefficients);
    p->constants = levy_arena_allocate(b->arena, n_items, sizeof *p->constants);
    p->jumps = levy_arena_allocate(b->arena, n_items, sizeof *p->jumps);
    p->most = levy_arena_allocate(b->arena, n_items, sizeof *p->most);
    p->rare = levy_arena_allocate(b->arena, n_items, sizeof *p->rare);
    p->units = levy_arena_allocate(b->arena, n_items, sizeof *p->units);
    p->markets = levy_arena_allocate(b->arena, n_items, sizeof *p->markets);
    p->sets = levy_arena_allocate(b->arena, n_items, sizeof *p->sets);
    p->kinks = levy_arena_allocate(b->arena, n_items, sizeof *p->kinks);
    p->views = levy_arena_allocate(b->arena, n_items, sizeof *p->views);
    return p->items && p->reals && p->coefficients && p->constants && p->jumps && p->most &&
                   p->rare && p->units && p->markets && p->sets && p->kinks && p->views
               ? LEVY_OK
               : LEVY_MEMORY;
}

/* Gives each trade the bits of its schedules, which trades on one grid mostly share. A group has no
 * more than there are bits (group.c). `first`: the trade that brought each bit. */
static void items_schedules(levy_items_builder *b, uint32_t *first)
{
    const levy_group *const g = b->dynamics->group;
    for (uint32_t t = 0; t < g->n_trades; ++t) {
        const levy_trade *const trade = &b->problem->trades[g->trades[t]];
        const size_t n = levy_trade_schedules(trade);
        uint32_t bit = 0;
        while (bit < b->plan->n_bits &&
               !levy_same_schedules(&b->problem->trades[g->trades[first[bit]]], trade))
            ++bit;
        b->flag[t] = bit;
        if (bit < b->plan->n_bits) continue;
        for (size_t k = 0; k < n; ++k, ++bit) {
            first[bit] = t;
            for (size_t node = 0; node < g->n_nodes; ++node)
                if (levy_trade_observes(trade, k, g->times[node]))
                    b->plan->flags[node] |= 1u << bit;
        }
        b->plan->n_bits = bit;
    }
}

/* Flags the nodes at which cash is paid. */
static void items_mark_nodes(levy_items_builder *b)
{
    const levy_dynamics_plan *const m = b->dynamics;
    for (size_t u = 0; u < m->n_assets; ++u) {
        const levy_asset *const asset = levy_trade_asset(m->trade, u);
        const levy_nodes cash = levy_carry_falls(&asset->carry);
        for (size_t i = 0; i < cash.n; ++i)
            for (size_t k = 0; k < m->group->n_nodes; ++k)
                if (cash.times[i] == m->group->times[k]) b->plan->flags[k] |= 1u << ITEM_FLAG_CASH;
    }
}

/* Finds what has to be known of each trade, whatever market its items see. */
static levy_status items_trades(levy_items_builder *b)
{
    const levy_simulation *const s = &b->problem->simulation;
    const levy_group *const group = b->dynamics->group;
    const bool stratified = s->generator == LEVY_GENERATOR_SOBOL_SCRAMBLED && s->replicates > 1;
    const double first = levy_build_order_first(s, group),
                 paths = (double)(s->tolerance.asked ? s->tolerance.max_paths : s->paths);
    for (size_t t = 0; t < group->n_trades; ++t) {
        const levy_trade *const trade = &b->problem->trades[group->trades[t]];
        b->tail[t] = levy_tail_of(b->dynamics, trade);
        LEVY_TRY(levy_rare_find(b->dynamics, trade, b->arena, &b->events[t]));
        if (stratified)
            LEVY_TRY(levy_line_jumps_find(b->dynamics, trade, first, items_enough / paths, b->arena,
                                          &b->jumps[t]));
    }
    return LEVY_OK;
}

levy_status levy_items_start(levy_items_builder *b)
{
    const size_t n_trades = b->dynamics->group->n_trades;
    memset(b->plan, 0, sizeof *b->plan);
    b->log_unit = b->problem->simulation.precision == LEVY_PRECISION_SINGLE ? LEVY_LOG2_E : 1.0;
    b->spots = levy_arena_allocate(b->arena, b->dynamics->n_assets, sizeof *b->spots);
    b->flag = levy_arena_allocate(b->arena, n_trades, sizeof *b->flag);
    b->plan->flags =
        levy_arena_allocate(b->arena, b->dynamics->group->n_nodes, sizeof *b->plan->flags);
    uint32_t *const first = levy_arena_allocate(b->arena, LEVY_FLAG_BITS + 1, sizeof *first);
    b->tail = levy_arena_allocate(b->arena, n_trades, sizeof *b->tail);
    b->script = levy_arena_allocate(b->arena, n_trades, sizeof *b->script);
    for (b->n_slots = 4; b->n_slots < 4 * n_trades; b->n_slots *= 2) continue; /* two of each */
    b->slots = levy_arena_allocate(b->arena, b->n_slots, sizeof *b->slots);
    b->events = levy_arena_allocate(b->arena, n_trades, sizeof *b->events);
    b->jumps = levy_arena_allocate(b->arena, n_trades, sizeof *b->jumps);
    if (!b->spots || !b->flag || !b->plan->flags || !first || !b->tail || !b->script || !b->slots ||
        !b->events || !b->jumps)
        return LEVY_MEMORY;
    LEVY_TRY(items_trades(b));
    items_schedules(b, first);
    items_mark_nodes(b);
    return LEVY_OK;
}
