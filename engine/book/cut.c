/* cut.c: see cut.h. All of it is done in integers: every machine must find the same cut. */
#include "engine/book/cut.h"

#include "engine/market/parameter.h"

enum {
    CUT_FINE = 8,        /* units of a group that would be a part's whole work, at least */
    CUT_SHARE = 4,       /* a group is cut if it is more than a part's work divided by this */
    CUT_GROUP = 1000000, /* of a group in addition to its paths, in tenths of a nanosecond */
    CUT_DRAW = 24,       /* of a path, likewise: a draw and its place in the path */
    CUT_LEVEL = 3,       /* an asset's level at a date, in one market */
    CUT_DATE = 3,        /* a trade's look at a date, in one market */
    CUT_SEGMENTS = 4,    /* as much is a script's look that is integrated; */
    CUT_MANY = 16,       /* and one of more dates than these, whose segments are many */
    CUT_DATES = 32,
    CUT_OUTPUT = 23
};

__extension__ typedef unsigned __int128 cut_wide;

/* ---- The approximate cost of a group ---- */

static uint64_t cut_has(uint32_t measures, uint32_t bit, uint64_t markets)
{
    return measures & bit ? markets : 0;
}

/* Numbers of the trade's assets that its model has as factors, and three or so of each asset's
 * jumps. */
static uint64_t cut_parameters(const levy_trade *trade)
{
    const levy_model *const model = trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    uint64_t n = 3 * (model->terms->jumps.count + (kind->own_jumps != NULL)) * trade->n_underlyings;
    for (const char *const *name = kind->factors; name && *name; ++name)
        for (size_t u = 0; u < trade->n_underlyings; ++u)
            n += levy_parameter_nodes(kind, model->terms, *name, trade->underlyings[u]).n;
    return n;
}

/* Markets that a trade is priced in: today's, bumped ones, scenarios. */
static uint64_t cut_markets(const levy_problem *problem, const levy_trade *trade)
{
    const uint32_t measures = levy_trade_asks(problem, trade);
    const uint64_t n = trade->n_underlyings, pairs = n * (n - 1) / 2;
    return 1 + problem->n_scenarios +
           cut_has(measures, LEVY_MEASURE_DELTA | LEVY_MEASURE_GAMMA, 2 * n) +
           cut_has(measures, LEVY_MEASURE_VEGA, 2 * n) +
           cut_has(measures, LEVY_MEASURE_VEGA_BY_NODE, 8 * n) +
           cut_has(measures, LEVY_MEASURE_RHO, 2) + cut_has(measures, LEVY_MEASURE_RHO_BY_NODE, 8) +
           cut_has(measures, LEVY_MEASURE_VANNA, 4 * n) +
           cut_has(measures, LEVY_MEASURE_VOLGA, 2 * n) +
           cut_has(measures, LEVY_MEASURE_DIVIDEND_RHO, 2 * n) +
           cut_has(measures, LEVY_MEASURE_BORROW_RHO, 2 * n) +
           cut_has(measures, LEVY_MEASURE_DIVIDENDS, 8 * n) +
           cut_has(measures, LEVY_MEASURE_PARAMETERS, 2 * cut_parameters(trade)) +
           cut_has(measures, LEVY_MEASURE_DELTA_MINIMUM_VARIANCE, 6 * n) +
           cut_has(measures, LEVY_MEASURE_THETA, 1) +
           cut_has(measures, LEVY_MEASURE_CROSS_GAMMA, 4 * pairs) +
           cut_has(measures, LEVY_MEASURE_CORRELATION, 2 * pairs);
}

/* A trade's looks at its dates, in one market. */
static uint64_t cut_looks(const levy_trade *trade)
{
    uint64_t dates = 1;
    for (size_t k = 0; k <= trade->kind.n_further; ++k) dates += levy_trade_schedule(trade, k).n;
    if (!levy_trade_is_integrated(trade) || !trade->kind.scripted) return CUT_DATE * dates;
    return CUT_DATE * dates * (dates > CUT_DATES ? CUT_MANY : CUT_SEGMENTS);
}

/* With the path's share of what is done once. */
uint64_t levy_cut_weight(const levy_problem *problem, const levy_group *group)
{
    const uint64_t nodes = group->n_nodes,
                   levels = nodes * problem->trades[group->trades[0]].n_underlyings;
    uint64_t most = 0, path = 1 + CUT_GROUP / problem->simulation.paths;
    if (levy_group_is_still(group)) return path;
    path += 40 + levels * CUT_DRAW;
    for (size_t i = 0; i < group->n_trades; ++i) {
        const levy_trade *const trade = &problem->trades[group->trades[i]];
        const uint64_t markets = cut_markets(problem, trade);
        path += markets * (CUT_OUTPUT + cut_looks(trade));
        most = markets > most ? markets : most;
    }
    return path + most * levels * CUT_LEVEL;
}

/* ---- The cut ---- */

/* The part in which the middle of unit `unit` of `units` lies. */
static uint32_t cut_owner(cut_wide before, cut_wide weight, uint64_t unit, uint64_t units,
                          cut_wide total, uint32_t parts)
{
    const cut_wide place = before * 2 * units + weight * (2 * unit + 1);
    const cut_wide part = place * parts / (total * 2 * units);
    return part < parts ? (uint32_t)part + 1 : parts;
}

/* The number of units that a group is cut into, and their height. 1: it stays whole. */
static uint64_t cut_units(const levy_problem *problem, const levy_group *group, levy_cut *cut,
                          uint32_t *height)
{
    const levy_simulation *const s = &problem->simulation;
    const uint64_t wanted = (uint64_t)CUT_FINE * cut->parts;
    *height = 0;
    while (cut->blocks > (uint64_t)1 << *height) ++*height;
    if (levy_group_is_still(group) || s->tolerance.asked || s->supply != LEVY_SUPPLY_NONE) return 1;
    uint64_t pieces = 1;
    while (*height > 0 && cut->replicates * pieces < wanted) {
        --*height;
        pieces = (cut->blocks + ((uint64_t)1 << *height) - 1) >> *height;
    }
    return cut->replicates * pieces;
}

static levy_status cut_fill(const levy_problem *problem, const levy_group *groups,
                            const uint64_t *weights, cut_wide total, levy_arena *arena,
                            levy_cut *cut)
{
    cut_wide before = 0;
    size_t room = 0;
    for (size_t g = 0; g < cut->n_groups; before += weights[g], ++g) {
        const cut_wide weight = weights[g];
        const bool large = weight * CUT_SHARE * cut->parts > total;
        uint64_t units = large ? cut_units(problem, &groups[g], cut, &cut->height[g]) : 1;
        if (cut_owner(before, weight, 0, units, total, cut->parts) ==
            cut_owner(before, weight, units - 1, units, total, cut->parts))
            units = 1;
        for (uint64_t u = 0; u < units; ++u) {
            if (!LEVY_ARENA_GROW(arena, cut->owner, cut->n_units, room, cut->n_groups))
                return LEVY_MEMORY;
            cut->owner[cut->n_units++] = cut_owner(before, weight, u, units, total, cut->parts);
        }
        cut->first[g + 1] = cut->n_units;
    }
    return LEVY_OK;
}

levy_status levy_cut_create(const levy_problem *problem, const levy_group *groups, size_t n_groups,
                            uint32_t parts, levy_arena *arena, levy_cut *cut)
{
    const levy_simulation *const s = &problem->simulation;
    const uint64_t paths = s->paths / s->replicates;
    cut_wide total = 0;
    *cut = (levy_cut){.parts = parts,
                      .n_groups = n_groups,
                      .replicates = s->replicates,
                      .blocks = (paths + LEVY_BLOCK_PATHS - 1) / LEVY_BLOCK_PATHS};
    uint64_t *const weights = levy_arena_allocate(arena, n_groups, sizeof *weights);
    cut->first = levy_arena_allocate(arena, n_groups + 1, sizeof *cut->first);
    cut->height = levy_arena_allocate(arena, n_groups, sizeof *cut->height);
    if (!weights || !cut->first || !cut->height) return LEVY_MEMORY;
    for (size_t g = 0; g < n_groups; ++g)
        total += weights[g] = levy_cut_weight(problem, &groups[g]);
    return cut_fill(problem, groups, weights, total, arena, cut);
}

size_t levy_cut_start(const levy_cut *cut, uint32_t part)
{
    size_t first = 0, end = cut->n_units;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (cut->owner[middle] < part)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

levy_cut_unit levy_cut_unit_of(const levy_cut *cut, size_t group, size_t unit)
{
    const size_t units = levy_cut_units(cut, group), pieces = units / cut->replicates;
    levy_cut_unit of = {.group = group, .whole = units == 1, .end_block = cut->blocks};
    if (of.whole) return of;
    of.height = cut->height[group];
    of.replicate = (uint32_t)(unit / pieces);
    of.first_block = (uint64_t)(unit % pieces) << of.height;
    of.end_block = of.first_block + ((uint64_t)1 << of.height);
    if (of.end_block > cut->blocks) of.end_block = cut->blocks;
    return of;
}
