/* group.c: which trades share draws. A group is trades of one model with equal underlyings, equal
 * scaling of the underlyings (it orders the factors), an equal grid (observations, expiry, the
 * ex-dates of cash dividends and what the model adds) and equal draws per node; trades that pay a
 * known amount, or need no path, are separate, those that integrate over the first normal, and
 * those with a floating rate off a curve of its own. Past the schedules that a node has bits for, a
 * further group begins. */
#include "engine/base/order.h"
#include "engine/base/hash.h"
#include "engine/base/tie.h"
#include "engine/plan/plan.h"

#include <stdlib.h>
#include <string.h>

typedef struct group_key { /* of one trade, before groups are formed */
    size_t n_nodes;
    double *times, *scaling;
    uint64_t hash;
    uint32_t n_schedules; /* of a group, at its first trade */
    uint32_t next;        /* 1 + the next trade that brought schedules; 0: none did */
    bool used;
} group_key;

static size_t group_ex_dates(const levy_trade *trade, double *times)
{
    size_t n = 0;
    for (size_t u = 0; u < trade->n_underlyings; ++u) {
        const levy_asset *const asset = levy_trade_asset(trade, u);
        const levy_nodes cash = levy_carry_falls(&asset->carry);
        for (size_t i = 0; i < cash.n && cash.times[i] <= trade->claim.expiry; ++i, ++n)
            if (times) times[n] = cash.times[i];
    }
    return n;
}

static levy_status group_grid(const levy_trade *trade, levy_arena *arena, group_key *key)
{
    size_t room = 1 + group_ex_dates(trade, NULL), n = 0;
    for (size_t k = 0; k <= trade->kind.n_further; ++k) room += levy_trade_schedule(trade, k).n;
    key->times = levy_arena_allocate(arena, room, sizeof *key->times);
    if (!key->times) return LEVY_MEMORY;
    if (trade->state == LEVY_TRADE_KNOWN) {
        key->times[key->n_nodes++] = 1.0;
        return LEVY_OK;
    }
    for (size_t k = 0; k <= trade->kind.n_further; ++k) {
        const levy_times times = levy_trade_schedule(trade, k);
        if (times.n) memcpy(key->times + n, times.times, times.n * sizeof *key->times);
        n += times.n;
    }
    key->times[n] = trade->claim.expiry;
    group_ex_dates(trade, key->times + n + 1);
    qsort(key->times, room, sizeof *key->times, levy_order_compare);
    for (size_t i = 0; i < room; ++i)
        if (key->n_nodes == 0 || key->times[i] > key->times[key->n_nodes - 1])
            key->times[key->n_nodes++] = key->times[i];
    return LEVY_OK;
}

/* Adds the model's own dates to the grid. */
static levy_status group_model_dates(const levy_trade *trade, double longest, levy_arena *arena,
                                     group_key *key)
{
    const levy_model_kind *const kind = levy_model_kinds[trade->model->kind];
    const size_t more =
        kind->dates && trade->state != LEVY_TRADE_KNOWN
            ? kind->dates(trade->model->terms, longest, key->times, key->n_nodes, NULL)
            : 0;
    if (more == 0) return LEVY_OK;
    double *const times = levy_arena_allocate(arena, key->n_nodes + more, sizeof *times);
    if (!times) return LEVY_MEMORY;
    memcpy(times, key->times, key->n_nodes * sizeof *times);
    kind->dates(trade->model->terms, longest, key->times, key->n_nodes, times + key->n_nodes);
    key->times = times;
    key->n_nodes += more;
    qsort(key->times, key->n_nodes, sizeof *key->times, levy_order_compare);
    return LEVY_OK;
}

/* Computes how much a unit move of each underlying's logarithm moves the level that the trade
 * pays on. Numbers that the rule of ties calls equal become equal, so that rounding orders no
 * factors. */
static const double group_least_scaling = 0.01;
static levy_status group_scaling(const levy_trade *trade, levy_arena *arena, group_key *key)
{
    const size_t n = trade->n_underlyings;
    key->scaling = levy_arena_allocate(arena, n + trade->n_rates, sizeof *key->scaling);
    if (!key->scaling) return LEVY_MEMORY;
    for (size_t u = 0; u < trade->n_underlyings; ++u)
        key->scaling[u] =
            trade->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC || trade->n_underlyings == 1
                ? trade->claim.weights[u]
                : trade->claim.coefficients[u] * levy_trade_asset(trade, u)->spot;
    for (size_t u = 1; u < trade->n_underlyings; ++u)
        for (size_t v = 0; v < u; ++v)
            if (levy_is_tie(key->scaling[u], key->scaling[v])) key->scaling[u] = key->scaling[v];
    for (size_t u = n; u < n + trade->n_rates; ++u) /* it moves drifts alone */
        key->scaling[u] = group_least_scaling * fabs(key->scaling[0]);
    return LEVY_OK;
}

static levy_status group_key_of(const levy_problem *problem, const levy_trade *trade,
                                levy_arena *arena, group_key *key)
{
    XXH3_state_t state;
    LEVY_TRY(group_grid(trade, arena, key));
    LEVY_TRY(group_model_dates(trade, problem->simulation.max_step, arena, key));
    LEVY_TRY(group_scaling(trade, arena, key));
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, &trade->model, sizeof trade->model);
    XXH3_64bits_update(&state, trade->underlyings,
                       trade->n_underlyings * sizeof *trade->underlyings);
    XXH3_64bits_update(&state, key->scaling, trade->n_underlyings * sizeof *key->scaling);
    XXH3_64bits_update(&state, key->times, key->n_nodes * sizeof *key->times);
    XXH3_64bits_update(&state, &trade->state, sizeof trade->state);
    key->hash = XXH3_64bits_digest(&state);
    key->n_schedules = (uint32_t)levy_trade_schedules(trade);
    key->used = true;
    return LEVY_OK;
}

static bool group_same(const levy_trade *a, const group_key *ka, const levy_trade *b,
                       const group_key *kb)
{
    return ka->hash == kb->hash && a->model == b->model && a->n_underlyings == b->n_underlyings &&
           ka->n_nodes == kb->n_nodes && levy_trade_draws(a) == levy_trade_draws(b) &&
           a->state == b->state && levy_trade_is_solved(a) == levy_trade_is_solved(b) &&
           levy_trade_is_integrated(a) == levy_trade_is_integrated(b) &&
           levy_trade_forwards(a) == levy_trade_forwards(b) &&
           levy_trade_takes_discounts(a) == levy_trade_takes_discounts(b) &&
           memcmp(a->underlyings, b->underlyings, a->n_underlyings * sizeof *a->underlyings) == 0 &&
           memcmp(ka->scaling, kb->scaling, a->n_underlyings * sizeof *ka->scaling) == 0 &&
           memcmp(ka->times, kb->times, ka->n_nodes * sizeof *ka->times) == 0;
}

static bool group_same_times(levy_times a, levy_times b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.times, b.times, a.n * sizeof *a.times) == 0);
}

bool levy_same_schedules(const levy_trade *a, const levy_trade *b)
{
    if (a->kind.n_further != b->kind.n_further) return false;
    if (a->claim.watches != b->claim.watches && levy_model_kinds[a->model->kind]->varies)
        return false; /* a window has more nodes than its dates (levy_trade_observes) */
    for (size_t k = 0; k <= a->kind.n_further; ++k)
        if (!group_same_times(levy_trade_schedule(a, k), levy_trade_schedule(b, k))) return false;
    return true;
}

/* Whether the group of trade `first` has the schedules of trade t, or takes them. */
static bool group_takes(const levy_problem *problem, group_key *keys, uint32_t first, uint32_t t)
{
    const uint32_t more = (uint32_t)levy_trade_schedules(&problem->trades[t]);
    uint32_t last = first;
    while (!levy_same_schedules(&problem->trades[last], &problem->trades[t])) {
        if (keys[last].next == 0) {
            if (keys[first].n_schedules + more > LEVY_FLAG_BITS) return false;
            keys[first].n_schedules += more;
            keys[last].next = t + 1;
            return true;
        }
        last = keys[last].next - 1;
    }
    return true;
}

/* Fills group_of[trade] by means of a hash table of first trades (open addressing). Returns the
 * number of groups. */
static size_t group_assign(const levy_problem *problem, group_key *keys, uint32_t *group_of,
                           uint32_t *slots, size_t n_slots)
{
    size_t n = 0;
    memset(slots, 0, n_slots * sizeof *slots);
    for (size_t t = 0; t < problem->n_trades; ++t) {
        if (!keys[t].used) continue;
        size_t at = keys[t].hash & (n_slots - 1);
        while (slots[at] && !(group_same(&problem->trades[slots[at] - 1], &keys[slots[at] - 1],
                                         &problem->trades[t], &keys[t]) &&
                              group_takes(problem, keys, slots[at] - 1, (uint32_t)t)))
            at = (at + 1) & (n_slots - 1);
        if (slots[at] == 0) {
            slots[at] = (uint32_t)t + 1;
            group_of[t] = (uint32_t)n++;
        } else {
            group_of[t] = group_of[slots[at] - 1];
        }
    }
    return n;
}

static levy_status group_fill(const levy_problem *problem, const group_key *keys,
                              const uint32_t *group_of, levy_arena *arena, levy_group *groups,
                              size_t n_groups)
{
    for (size_t t = 0; t < problem->n_trades; ++t)
        if (keys[t].used) ++groups[group_of[t]].n_trades;
    for (size_t g = 0; g < n_groups; ++g) {
        groups[g].trades = levy_arena_allocate(arena, groups[g].n_trades, sizeof *groups[g].trades);
        if (!groups[g].trades) return LEVY_MEMORY;
        groups[g].n_trades = 0;
    }
    for (size_t t = 0; t < problem->n_trades; ++t) {
        if (!keys[t].used) continue;
        levy_group *const group = &groups[group_of[t]];
        if (group->n_trades == 0) {
            group->n_nodes = keys[t].n_nodes;
            group->times = keys[t].times;
            group->scaling = keys[t].scaling;
            group->auxiliary_draw = levy_trade_draws(&problem->trades[t]);
            group->known = problem->trades[t].state == LEVY_TRADE_KNOWN;
            group->integrated = levy_trade_is_integrated(&problem->trades[t]);
            group->exact = problem->trades[t].state == LEVY_TRADE_EXACT;
            group->early = levy_trade_is_solved(&problem->trades[t]);
        }
        group->fits = group->fits || (problem->trades[t].stage && !levy_group_is_still(group));
        group->varies = group->varies || levy_trade_sees_variances(&problem->trades[t]);
        group->trades[group->n_trades++] = (uint32_t)t;
    }
    return LEVY_OK;
}

levy_status levy_groups_create(const levy_problem *problem, levy_arena *arena, levy_group **groups,
                               size_t *n_groups)
{
    size_t n_slots = 16;
    while (n_slots < 2 * problem->n_trades) n_slots *= 2;
    group_key *const keys = levy_arena_allocate(arena, problem->n_trades, sizeof *keys);
    uint32_t *const group_of = levy_arena_allocate(arena, problem->n_trades, sizeof *group_of);
    uint32_t *const slots = levy_arena_allocate(arena, n_slots, sizeof *slots);
    if (!keys || !group_of || !slots) return LEVY_MEMORY;
    for (size_t t = 0; t < problem->n_trades; ++t)
        if (levy_trade_is_planned(&problem->trades[t]))
            LEVY_TRY(group_key_of(problem, &problem->trades[t], arena, &keys[t]));
    *n_groups = group_assign(problem, keys, group_of, slots, n_slots);
    *groups = levy_arena_allocate(arena, *n_groups, sizeof **groups);
    if (!*groups) return LEVY_MEMORY;
    return group_fill(problem, keys, group_of, arena, *groups, *n_groups);
}

levy_status levy_group_step(const levy_problem *problem, const levy_group *group, levy_arena *arena,
                            levy_group *stepped)
{
    const levy_trade *const trade = &problem->trades[group->trades[0]];
    group_key key = {.n_nodes = 0};
    LEVY_TRY(group_grid(trade, arena, &key));
    LEVY_TRY(group_model_dates(trade, problem->simulation.max_step, arena, &key));
    *stepped = *group;
    stepped->n_nodes = key.n_nodes;
    stepped->times = key.times;
    return LEVY_OK;
}
