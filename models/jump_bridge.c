/* jump_bridge.c: the tables for jumps whose counts are built like a bridge (jump_bridge.h): by
 * entry, the share of the gap on its left, and the binomial law of how many of n arrivals fall
 * there, as thresholds for words. Entries with the same share have one table. Must not know: marks,
 * lanes. */
#include "kernels/bridge/strategy.h"
#include "models/jump_plan.h"
#include "models/jumps.h"

#include "engine/base/order.h"
#include <stdlib.h>
#include <string.h>

enum {
    BRIDGE_MEAN = 64, /* arrivals until the horizon; with more, intervals hardly differ */
    BRIDGE_MOST = 32  /* arrivals of a gap that have thresholds */
};

bool levy_jump_bridge_fits(size_t n_sources, size_t n_targets, double most)
{
    return n_sources > 0 && n_sources <= LEVY_MAX_COUNTS && n_targets <= LEVY_MAX_COUNTS &&
           most <= BRIDGE_MEAN;
}

/* The least n with at most that chance of more than n arrivals. */
static uint32_t bridge_quantile(double mean, double chance)
{
    double weight = 1.0, sum = 1.0, total = 0.0, k = 0.0;
    uint32_t n = 0;
    for (double w = 1.0; k <= mean || w > 1e-12 * total; w *= mean / ++k) total += w;
    while (total - sum > chance * total) sum += weight *= mean / (double)++n;
    return n;
}

uint32_t levy_jump_bridge_words(int32_t kind, double mean, size_t n_nodes)
{
    if (kind == LEVY_MARK_NORMAL) return 1;
    const uint32_t n = bridge_quantile(mean, 1e-3), words = (uint32_t)((n + n_nodes - 1) / n_nodes);
    return words > 0 ? words : 1;
}

/* The thresholds of n arrivals. */
static void bridge_row(double share, uint32_t n, uint32_t *row)
{
    const double odds = share / (1.0 - share);
    double term = 1.0, sum = 0.0;
    for (uint32_t i = 0; i < n; ++i) term *= 1.0 - share;
    for (uint32_t k = 0; k < n; ++k) {
        sum += term;
        row[k] = levy_jump_word(sum);
        term = term * odds * (double)(n - k) / (double)(k + 1);
    }
}

static void bridge_table(double share, uint32_t most, uint32_t *table)
{
    table[JUMPS_SPLIT_SHARE] = levy_jump_word(share);
    table[JUMPS_SPLIT_MOST] = most;
    for (uint32_t n = 1; n <= most; ++n) {
        uint32_t *const row = table + JUMPS_SPLIT_TABLE + n * (n - 1) / 2;
        bridge_row(share, n, row);
        if (n <= JUMPS_FEW)
            memcpy(table + JUMPS_SPLIT_FEW + JUMPS_FEW * (n - 1), row, n * sizeof *row);
    }
}

/* [entry]: the share of its gap on its left, where the last entry has none. The traversal finds the
 * neighbours. */
static bool bridge_shares(const levy_model_grid *grid, levy_arena *arena, double *shares)
{
    const levy_strategy *const s = grid->strategy;
    uint32_t *const stack = levy_arena_allocate(arena, grid->n_nodes + 1, sizeof *stack);
    uint32_t depth = 0, entry = 0;
    if (!stack) return false;
    for (uint32_t emitted = 0; emitted < grid->n_nodes; ++emitted) {
        const double left = emitted ? grid->times[emitted - 1] : 0.0;
        for (uint32_t d = s->descents[emitted]; d > 0; --d, ++entry) {
            const double here = grid->times[s->entries[entry].node - 1];
            shares[entry] =
                depth ? (here - left) / (grid->times[stack[depth - 1] - 1] - left) : 0.0;
            stack[depth++] = s->entries[entry].node;
        }
        --depth;
    }
    return true;
}

/* [i]: the node whose words belong to event i, the coarsest levels first; nodes of a level in the
 * order of time. */
static bool bridge_events(const levy_model_grid *grid, levy_arena *arena, jumps_split *splits)
{
    const levy_strategy *const s = grid->strategy;
    const size_t n = grid->n_nodes;
    uint32_t *const level_of = levy_arena_allocate(arena, n, sizeof *level_of),
                    *const starts = levy_arena_allocate(arena, n + 1, sizeof *starts);
    if (!level_of || !starts) return false;
    memset(starts, 0, (n + 1) * sizeof *starts);
    for (size_t i = 0; i < n; ++i) {
        level_of[s->entries[i].node - 1] = s->entries[i].level;
        ++starts[s->entries[i].level + 1];
    }
    for (size_t l = 0; l < n; ++l) starts[l + 1] += starts[l];
    for (uint32_t k = 0; k < n; ++k) splits[starts[level_of[k]]++].event = k;
    return true;
}

typedef struct bridge_share {
    double share;
    uint32_t entry;
} bridge_share;

LEVY_ORDER_BY(bridge_compare, bridge_share, share, entry)

/* Numbers the tables in the order of entries, one for each share, and counts them. Shares are equal
 * to a rounding of times. False: no memory. */
static bool bridge_number(const double *shares, size_t n, levy_arena *arena, jumps_split *splits,
                          size_t *n_tables)
{
    bridge_share *const sorted = levy_arena_allocate(arena, n, sizeof *sorted);
    uint32_t *const first = levy_arena_allocate(arena, n, sizeof *first);
    if (!sorted || !first) return false;
    for (uint32_t i = 0; i < n; ++i) sorted[i] = (bridge_share){shares[i], i};
    qsort(sorted + 1, n - 1, sizeof *sorted, bridge_compare);
    for (size_t k = 1, end; k < n; k = end) {
        uint32_t least = sorted[k].entry;
        for (end = k + 1; end < n && sorted[end].share - sorted[end - 1].share < 1e-12; ++end)
            if (sorted[end].entry < least) least = sorted[end].entry;
        for (size_t j = k; j < end; ++j) first[sorted[j].entry] = least;
    }
    for (uint32_t i = 1; i < n; ++i)
        splits[i].table = first[i] < i ? splits[first[i]].table : (uint32_t)(*n_tables)++;
    return true;
}

levy_status levy_jump_splits(const levy_model_grid *grid, double mean, levy_arena *arena,
                             uint32_t **words, size_t *n_words)
{
    const size_t n = grid->n_nodes;
    const uint32_t wanted = bridge_quantile(mean, 1e-6),
                   most = wanted < BRIDGE_MOST ? wanted + 1 : BRIDGE_MOST;
    const size_t size = (JUMPS_SPLIT_TABLE + (size_t)most * (most + 1) / 2 + 3) / 4 * 4;
    double *const shares = levy_arena_allocate(arena, n, sizeof *shares);
    jumps_split *const splits = levy_arena_allocate(arena, n, sizeof *splits);
    size_t n_tables = 0;
    if (!shares || !splits || !bridge_shares(grid, arena, shares) ||
        !bridge_events(grid, arena, splits) || !bridge_number(shares, n, arena, splits, &n_tables))
        return LEVY_MEMORY;
    const size_t first = JUMPS_SPLIT_WORDS * n;
    uint32_t *const all = levy_arena_allocate(arena, first + size * n_tables, sizeof *all);
    if (!all) return LEVY_MEMORY;
    for (size_t i = 0; i < n; ++i) {
        splits[i].node = grid->strategy->entries[i].node - 1;
        if (i == 0) continue;
        uint32_t *const table = all + first + size * splits[i].table;
        memset(table, 0xff, size * sizeof *table);
        bridge_table(shares[i], most, table);
        splits[i].one = table[JUMPS_SPLIT_TABLE];
        splits[i].table = (uint32_t)(table - all);
    }
    memcpy(all, splits, n * sizeof *splits);
    *words = all;
    *n_words = first + size * n_tables;
    return LEVY_OK;
}
