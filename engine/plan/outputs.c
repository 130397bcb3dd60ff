/* outputs.c: see outputs.h. The group's list of what any trade asks for (wishes.h), each with its
 * parameter sets and weights, is packed into parts of few sets; then each trade takes from each
 * part what it asked for. */
#include "engine/plan/outputs.h"
#include "engine/plan/bumped.h"
#include "engine/plan/wishes.h"
#include "kernels/lane/scalar.h"

#include <stdio.h>
#include <string.h>

/* of one group, with as many items: what a plan of a few GiB holds */
enum { OUTPUTS_MOST = 1 << 23 };

/* Neighbouring wishes and the sets they need, those of the base market's growths first. */
typedef struct outputs_part {
    size_t first, n;
    uint32_t n_sets, n_markets;
    uint32_t set[LEVY_CLUSTER], market[LEVY_CLUSTER];
} outputs_part;

typedef struct outputs_builder {
    levy_items_builder items;
    levy_market_plan *markets;
    levy_arena *arena;
    const levy_group *group;
    levy_wishes wishes;
    outputs_part *parts;
    size_t n_parts, part_room;
} outputs_builder;

static const levy_trade *outputs_trade(const outputs_builder *b, size_t t)
{
    return &b->items.problem->trades[b->group->trades[t]];
}

/* ---- Parts ---- */

static uint32_t outputs_slot(const outputs_part *part, uint32_t set)
{
    uint32_t slot = 0;
    while (slot < part->n_sets && part->set[slot] != set) ++slot;
    return slot;
}

/* Whether the wish's sets have room beside the part's; they join it then. */
static bool outputs_join(outputs_part *part, const levy_wish *wish)
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

/* Sets that keep today's growths first, in their order otherwise; then a market for each that needs
 * one. A part whose markets are new gets a copy of today's beside them, where it needs it: tiles
 * hold markets that stand together. */
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
    const levy_wish *const wishes = b->wishes.wishes;
    for (size_t o = 0; o < b->wishes.n; ++o) {
        const bool parted = o && (wishes[o - 1].probe == 0) != (wishes[o].probe == 0);
        if (b->n_parts && !parted && outputs_join(&b->parts[b->n_parts - 1], &wishes[o])) continue;
        outputs_part *const parts =
            levy_arena_extend(b->arena, b->parts, b->n_parts, &b->part_room, 16, sizeof *parts);
        if (!parts) return LEVY_MEMORY;
        b->parts = parts;
        parts[b->n_parts] = (outputs_part){.first = o};
        outputs_join(&parts[b->n_parts++], &wishes[o]);
    }
    for (size_t i = 0; i < b->n_parts; ++i) LEVY_TRY(outputs_place(b, &b->parts[i]));
    return LEVY_OK;
}

/* ---- Trades ---- */

/* Bits of the slots of a part that a trade needs; *n_outputs grows by what it takes. */
static uint32_t outputs_needs(const outputs_builder *b, const outputs_part *part, size_t t,
                              size_t *n_outputs)
{
    uint32_t slots = 0;
    for (size_t o = part->first; o < part->first + part->n; ++o) {
        const levy_wish *const wish = &b->wishes.wishes[o];
        if (!levy_wishes_wanted(&b->wishes, t, wish)) continue;
        ++*n_outputs;
        for (uint32_t k = 0; k < wish->n_terms; ++k)
            slots |= 1u << outputs_slot(part, wish->set[k]);
    }
    return slots;
}

static levy_status outputs_reserve(outputs_builder *b)
{
    levy_item_plan *const p = b->items.plan;
    size_t n_items = 1, n_outputs = 1; /* the floor's */
    for (size_t i = 0; i < b->n_parts; ++i)
        for (size_t t = 0; t < b->group->n_trades; ++t)
            n_items += (size_t)__builtin_popcount(outputs_needs(b, &b->parts[i], t, &n_outputs));
    if (n_items > OUTPUTS_MOST || n_outputs > OUTPUTS_MOST) {
        snprintf(b->items.why, LEVY_PLAN_WHY, "%zu measures of the trades on one grid are too many",
                 n_outputs);
        return LEVY_UNSUPPORTED;
    }
    p->outputs = levy_arena_allocate(b->arena, n_outputs, sizeof *p->outputs);
    return p->outputs ? levy_items_reserve(&b->items, n_items) : LEVY_MEMORY;
}

static uint32_t outputs_model_remarks(const levy_trade *trade)
{
    const levy_model *const model = trade->model;
    return !trade->known && levy_model_features(model->kind, model->terms) & LEVY_MODEL_STEPPED
               ? LEVY_OUTPUT_STEPPED
               : 0;
}

/* Of a trade on a set. */
static levy_status outputs_remarks(outputs_builder *b, uint32_t set, const levy_trade *trade,
                                   uint32_t *remarks)
{
    bool grows = false;
    LEVY_TRY(levy_bumped_remarks(b->markets, set, trade, b->arena, remarks));
    LEVY_TRY(levy_tail_grows(b->markets, set, trade, b->arena, &grows));
    if (grows) *remarks |= LEVY_OUTPUT_HEAVY;
    return LEVY_OK;
}

/* What a term adds to the square of an output's jump: a payment that jumps, or in a difference one
 * that bends. */
static void outputs_step(levy_image_output *output, double weight, double jump,
                         const levy_kink *kink)
{
    const double bend = output->n_terms > 1 ? kink->size : 0.0;
    output->jump += weight * weight * (jump * jump + bend * bend);
    if (bend > 0.0 && kink->width > output->ramp) output->ramp = kink->width;
}

/* A cluster: the trade's items of the slots, and its outputs. */
static levy_status outputs_take(outputs_builder *b, const outputs_part *part, uint32_t t,
                                uint32_t slots)
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
    const levy_image_output cluster = {.first_item = first,
                                       .n_items = (uint32_t)p->n_items - first,
                                       .trade = t,
                                       .first_market = p->items[first].market,
                                       .n_markets = p->items[p->n_items - 1].market -
                                                    p->items[first].market + 1};
    for (size_t o = part->first; o < part->first + part->n; ++o) {
        const levy_wish *const wish = &b->wishes.wishes[o];
        if (!levy_wishes_wanted(&b->wishes, t, wish)) continue;
        levy_image_output *const output = &p->outputs[p->n_outputs++];
        *output = cluster;
        output->measure = wish->measure;
        output->factor = wish->label;
        output->remarks = wish->remarks | outputs_model_remarks(trade) | heavy;
        if (wish->scenario && levy_scenario_objection(wish->scenario, trade))
            output->remarks |= LEVY_OUTPUT_NOT_BUMPED;
        output->n_terms = wish->n_terms;
        output->probe = wish->probe;
        for (uint32_t k = 0; k < wish->n_terms; ++k) {
            const uint32_t slot = outputs_slot(part, wish->set[k]);
            output->remarks |= remarks[slot];
            output->term[k] = term[slot];
            output->weight[k] = wish->weight[k];
            output->constant += wish->weight[k] * p->constants[first + term[slot]];
            outputs_step(output, wish->weight[k], p->jumps[first + term[slot]],
                         &p->kinks[first + term[slot]]);
        }
        output->jump = levy_sqrt(output->jump);
    }
    return LEVY_OK;
}

static void outputs_floor(outputs_builder *b)
{
    levy_item_plan *const p = b->items.plan;
    p->outputs[p->n_outputs++] = (levy_image_output){.first_item = (uint32_t)p->n_items,
                                                     .n_items = 1,
                                                     .n_markets = 1,
                                                     .trade = UINT32_MAX,
                                                     .measure = LEVY_OUTPUT_FLOOR,
                                                     .n_terms = 1,
                                                     .weight = {1.0}};
    levy_items_add_floor(&b->items);
}

static levy_status outputs_trades(outputs_builder *b)
{
    for (size_t i = 0; i < b->n_parts; ++i) {
        for (uint32_t t = 0; t < b->group->n_trades; ++t) {
            size_t n = 0;
            const uint32_t slots = outputs_needs(b, &b->parts[i], t, &n);
            if (n) LEVY_TRY(outputs_take(b, &b->parts[i], t, slots));
        }
        if (i == 0 && b->markets->has_cash) outputs_floor(b);
    }
    return LEVY_OK;
}

levy_status levy_outputs_plan(const levy_problem *problem, levy_market_plan *markets,
                              levy_arena *arena, levy_arena *labels, levy_item_plan *plan,
                              char *why)
{
    outputs_builder b = {
        .items = {.problem = problem, .markets = markets, .plan = plan, .arena = arena, .why = why},
        .markets = markets,
        .arena = arena,
        .group = markets->group,
        .wishes = {.problem = problem,
                   .markets = markets,
                   .group = markets->group,
                   .arena = arena,
                   .kept = labels}};
    LEVY_TRY(levy_items_start(&b.items));
    LEVY_TRY(levy_wishes_make(&b.wishes));
    plan->labels = b.wishes.labels;
    plan->n_labels = b.wishes.n_labels;
    LEVY_TRY(outputs_pack(&b));
    LEVY_TRY(outputs_reserve(&b));
    return outputs_trades(&b);
}
