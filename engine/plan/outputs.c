/* outputs.c: see outputs.h. The group's list of what any trade requests (requests.h), each with its
 * parameter sets and weights, is packed into bundles of few sets; then each trade takes from each
 * bundle what it requested. */
#include "engine/plan/outputs.h"
#include "engine/plan/bumped.h"
#include "engine/plan/early.h"
#include "engine/plan/requests.h"
#include "engine/problem/trade_black.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The most outputs, and the most items, of one group: what a plan of a few GiB holds. */
enum { OUTPUTS_MOST = 1 << 23 };

/* Neighbouring requests and the sets they need. Sets with today's returns come first. */
typedef struct outputs_bundle {
    size_t first, n;
    bool views; /* it has one request, of a script (levy_request_views) */
    uint32_t n_sets, n_dynamics;
    uint32_t set[LEVY_CLUSTER], dynamics[LEVY_CLUSTER];
} outputs_bundle;

typedef struct outputs_builder {
    levy_items_builder items;
    levy_dynamics_plan *dynamics;
    levy_arena *arena;
    const levy_group *group;
    levy_requests requests;
    outputs_bundle *bundles;
    size_t n_bundles, bundle_room;
} outputs_builder;

static const levy_trade *outputs_trade(const outputs_builder *b, size_t t)
{
    return &b->items.problem->trades[b->group->trades[t]];
}

/* ---- Bundles ---- */

static uint32_t outputs_slot(const outputs_bundle *bundle, uint32_t set)
{
    uint32_t slot = 0;
    while (slot < bundle->n_sets && bundle->set[slot] != set) ++slot;
    return slot;
}

/* Adds the request and its sets to the bundle. False if they do not fit. */
static bool outputs_join(outputs_bundle *bundle, const levy_request *request)
{
    outputs_bundle joined = *bundle;
    if (bundle->views || (bundle->n && levy_request_views(request))) return false;
    joined.views = levy_request_views(request);
    for (uint32_t k = 0; k < request->n_terms; ++k) {
        if (outputs_slot(&joined, request->set[k]) < joined.n_sets) continue;
        if (joined.n_sets == LEVY_CLUSTER) return false;
        joined.set[joined.n_sets++] = request->set[k];
    }
    ++joined.n;
    *bundle = joined;
    return true;
}

/* Puts the sets that keep today's returns first, otherwise in their order, and adds dynamics for
 * each set that needs its own. A bundle of new dynamics that also needs today's gets a copy of
 * today's, because a tile holds neighbouring dynamics. */
static levy_status outputs_place(outputs_builder *b, outputs_bundle *bundle)
{
    levy_dynamics_plan *const m = b->dynamics;
    uint32_t sets[LEVY_CLUSTER], still = 0, base = 0, n = 0;
    for (int moved = 0; moved < 2; ++moved)
        for (uint32_t k = 0; k < bundle->n_sets; ++k)
            if (levy_dynamics_moves_returns(m, bundle->set[k]) == (moved == 1)) {
                sets[n++] = bundle->set[k];
                still += moved == 0;
            }
    memcpy(bundle->set, sets, bundle->n_sets * sizeof *sets);
    if (still && still < n && m->n_dynamics > 1) LEVY_TRY(levy_dynamics_add(m, b->arena, 0, &base));
    for (uint32_t k = 0; k < n; ++k) {
        bundle->dynamics[k] = base;
        if (k >= still)
            LEVY_TRY(levy_dynamics_add(m, b->arena, bundle->set[k], &bundle->dynamics[k]));
    }
    return LEVY_OK;
}

static levy_status outputs_pack(outputs_builder *b)
{
    const levy_request *const requests = b->requests.requests;
    for (size_t o = 0; o < b->requests.n; ++o) {
        const bool parted = o && (requests[o - 1].probe == 0) != (requests[o].probe == 0);
        if (b->n_bundles && !parted && outputs_join(&b->bundles[b->n_bundles - 1], &requests[o]))
            continue;
        if (!LEVY_ARENA_GROW(b->arena, b->bundles, b->n_bundles, b->bundle_room, 16))
            return LEVY_MEMORY;
        b->bundles[b->n_bundles] = (outputs_bundle){.first = o};
        outputs_join(&b->bundles[b->n_bundles++], &requests[o]);
    }
    for (size_t i = 0; i < b->n_bundles; ++i) LEVY_TRY(outputs_place(b, &b->bundles[i]));
    return LEVY_OK;
}

/* ---- Trades ---- */

/* The bits of the bundle's slots that a trade needs. *n_outputs grows by the outputs it takes. */
static uint32_t outputs_needs(const outputs_builder *b, const outputs_bundle *bundle, size_t t,
                              size_t *n_outputs)
{
    uint32_t slots = 0;
    for (size_t o = bundle->first; o < bundle->first + bundle->n; ++o) {
        const levy_request *const request = &b->requests.requests[o];
        if (!levy_requests_wanted(&b->requests, t, request)) continue;
        ++*n_outputs;
        for (uint32_t k = 0; k < request->n_terms; ++k)
            slots |= 1u << outputs_slot(bundle, request->set[k]);
    }
    return slots;
}

static levy_status outputs_reserve(outputs_builder *b)
{
    levy_item_plan *const p = b->items.plan;
    size_t n_items = 1, n_outputs = 1; /* one of each for the floor */
    for (size_t i = 0; i < b->n_bundles; ++i)
        for (size_t t = 0; t < b->group->n_trades; ++t)
            n_items += (size_t)__builtin_popcount(outputs_needs(b, &b->bundles[i], t, &n_outputs));
    if (n_items > OUTPUTS_MOST || n_outputs > OUTPUTS_MOST) {
        snprintf(b->items.why, LEVY_PLAN_WHY, "%zu measures of the trades on one grid are too many",
                 n_outputs);
        return LEVY_UNSUPPORTED;
    }
    p->outputs = levy_arena_allocate(b->arena, n_outputs, sizeof *p->outputs);
    p->limits = levy_arena_allocate(b->arena, n_outputs, sizeof *p->limits);
    return p->outputs && p->limits ? levy_items_reserve(&b->items, n_items) : LEVY_MEMORY;
}

static uint32_t outputs_model_remarks(const levy_trade *trade)
{
    const levy_model *const model = trade->model;
    return trade->state != LEVY_TRADE_KNOWN &&
                   levy_model_features(model->kind, model->terms) & LEVY_MODEL_STEPPED
               ? LEVY_OUTPUT_STEPPED
               : 0;
}

/* The remarks on a trade under one set. */
static levy_status outputs_remarks(outputs_builder *b, uint32_t set, const levy_trade *trade,
                                   uint32_t *remarks)
{
    bool grows = false;
    LEVY_TRY(levy_bumped_remarks(b->dynamics, set, trade, b->arena, remarks));
    LEVY_TRY(levy_tail_grows(b->dynamics, set, trade, b->arena, &grows));
    if (grows) *remarks |= LEVY_OUTPUT_HEAVY;
    if (levy_bumped_is_wide(b->dynamics, &b->requests.problem->simulation, set, trade))
        *remarks |= LEVY_OUTPUT_WIDE;
    return LEVY_OK;
}

/* Adds a term to the square of an output's jump: its payment may jump or, in a difference, bend. */
static void outputs_step(levy_image_output *output, double weight, double jump,
                         const levy_kink *kink)
{
    const double bend = output->n_terms > 1 ? kink->size : 0.0;
    output->jump += weight * weight * (jump * jump + bend * bend);
    if (bend > 0.0 && kink->width > output->ramp) output->ramp = kink->width;
}

/* Whether a difference of what is known has but the rounding of constants that are equal. Where a
 * path is simulated, its error holds that. */
static bool outputs_cancel(const outputs_builder *b, const levy_image_output *output)
{
    const double *const constants = b->items.plan->constants + output->first_item;
    double sum = 0.0, size = 0.0;
    if (!b->dynamics->group->known || output->constant == 0.0) return false;
    for (uint32_t k = 0; k < output->n_terms; ++k) {
        if (constants[output->term[k]] != constants[output->term[0]]) return false;
        sum += output->weight[k];
        size += fabs(output->weight[k]);
    }
    return fabs(sum) <= 0x1p-40 * size;
}

/* Adds a cluster: the trade's items for the slots, and its outputs. */
static levy_status outputs_take(outputs_builder *b, const outputs_bundle *bundle, uint32_t t,
                                uint32_t slots)
{
    levy_item_plan *const p = b->items.plan;
    const uint32_t first = (uint32_t)p->n_items;
    const levy_trade *const trade = outputs_trade(b, t);
    uint32_t term[LEVY_CLUSTER], remarks[LEVY_CLUSTER] = {0};
    const levy_request *const of = &b->requests.requests[bundle->first];
    const levy_script_view counted =
        bundle->views ? levy_requests_view(&b->requests, t, of) : (levy_script_view){.time = NAN};
    const levy_script_view *const view = bundle->views ? &counted : NULL;
    const levy_tail tail = b->items.tail[t];
    const uint32_t heavy =
        tail.heavy || (counted.bounds && tail.wide) ? LEVY_OUTPUT_HEAVY : 0; /* by a martingale */
    double jump;
    LEVY_TRY(levy_items_jump(&b->items, t, view, &jump));
    for (uint32_t k = 0; k < bundle->n_sets; ++k) {
        term[k] = (uint32_t)p->n_items - first;
        if (!(slots >> k & 1)) continue;
        LEVY_TRY(levy_items_add(&b->items, t, bundle->set[k], bundle->dynamics[k], view, jump));
        LEVY_TRY(outputs_remarks(b, bundle->set[k], trade, &remarks[k]));
    }
    const levy_image_output cluster = {
        .first_item = first,
        .n_items = (uint32_t)p->n_items - first,
        .trade = t,
        .first_dynamics = p->items[first].dynamics,
        .n_dynamics = p->items[p->n_items - 1].dynamics - p->items[first].dynamics + 1,
    };
    for (size_t o = bundle->first; o < bundle->first + bundle->n; ++o) {
        const levy_request *const request = &b->requests.requests[o];
        if (!levy_requests_wanted(&b->requests, t, request)) continue;
        double *const limit = &p->limits[p->n_outputs];
        *limit = 0.0;
        levy_image_output *const output = &p->outputs[p->n_outputs++];
        *output = cluster;
        output->measure = request->measure;
        output->factor = request->label;
        output->remarks = request->remarks | outputs_model_remarks(trade) | heavy;
        if ((request->scenario && levy_scenario_objection(request->scenario, trade)) ||
            (request->measure == LEVY_MEASURE_IMPLIED_VOLATILITY &&
             levy_trade_black_option(trade, &(levy_black_option){0})))
            output->remarks |= LEVY_OUTPUT_NOT_BUMPED;
        output->n_terms = request->n_terms;
        output->probe = request->probe;
        for (uint32_t k = 0; k < request->n_terms; ++k) {
            const uint32_t slot = outputs_slot(bundle, request->set[k]);
            output->remarks |= remarks[slot];
            output->term[k] = term[slot];
            output->weight[k] = request->weight[k];
            *limit += fabs(request->weight[k]) * p->most[first + term[slot]];
            output->coefficient[k] = request->weight[k] * p->items[first + term[slot]].scale;
            output->constant += request->weight[k] * p->constants[first + term[slot]];
            outputs_step(output, request->weight[k], p->jumps[first + term[slot]],
                         &p->kinks[first + term[slot]]);
        }
        output->jump = levy_sqrt(output->jump);
        if (bundle->views) /* which count something else than payments */
            *limit = request->measure == LEVY_MEASURE_PROBABILITY ? 1.0 : INFINITY;
        if (outputs_cancel(b, output)) output->constant = 0.0;
    }
    return LEVY_OK;
}

static void outputs_floor(outputs_builder *b)
{
    levy_item_plan *const p = b->items.plan;
    p->limits[p->n_outputs] = INFINITY;
    levy_image_output *const output = &p->outputs[p->n_outputs++];
    *output = (levy_image_output){.first_item = (uint32_t)p->n_items,
                                  .n_items = 1,
                                  .n_dynamics = 1,
                                  .trade = UINT32_MAX,
                                  .measure = LEVY_OUTPUT_FLOOR,
                                  .n_terms = 1,
                                  .weight = {1.0}};
    levy_items_add_floor(&b->items);
    output->coefficient[0] = p->items[p->n_items - 1].scale;
}

static levy_status outputs_trades(outputs_builder *b)
{
    for (size_t i = 0; i < b->n_bundles; ++i) {
        for (uint32_t t = 0; t < b->group->n_trades; ++t) {
            size_t n = 0;
            const uint32_t slots = outputs_needs(b, &b->bundles[i], t, &n);
            if (n) LEVY_TRY(outputs_take(b, &b->bundles[i], t, slots));
        }
        if (i == 0 && b->dynamics->has_cash == LEVY_CASH_TAKEN && !b->group->integrated)
            outputs_floor(b); /* an integrated trade hardly meets it (smoothing.c) */
    }
    return LEVY_OK;
}

levy_status levy_outputs_plan(const levy_problem *problem, levy_dynamics_plan *dynamics,
                              levy_arena *arena, levy_arena *labels, levy_item_plan *plan,
                              char *why)
{
    outputs_builder b = {.items = {.problem = problem,
                                   .dynamics = dynamics,
                                   .plan = plan,
                                   .arena = arena,
                                   .why = why},
                         .dynamics = dynamics,
                         .arena = arena,
                         .group = dynamics->group,
                         .requests = {.problem = problem,
                                      .dynamics = dynamics,
                                      .group = dynamics->group,
                                      .arena = arena,
                                      .kept = labels}};
    LEVY_TRY(levy_items_start(&b.items));
    LEVY_TRY(levy_requests_make(&b.requests));
    plan->labels = b.requests.labels;
    plan->n_labels = b.requests.n_labels;
    LEVY_TRY(outputs_pack(&b));
    LEVY_TRY(outputs_reserve(&b));
    LEVY_TRY(outputs_trades(&b));
    return dynamics->group->early ? levy_early_fill(problem, dynamics, arena, plan) : LEVY_OK;
}
