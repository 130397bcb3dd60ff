/* jump_bridge.c: the tables for jumps whose counts are built like a bridge (jump_bridge.h): by
 * entry, the share of the gap on its left, and the binomial law of how many of n arrivals fall
 * there, as thresholds for words. Entries with the same share have one table. Must not know: marks,
 * lanes. */
#include "kernels/bridge/strategy.h"
#include "models/jump_plan.h"
#include "models/jumps.h"

#include <string.h>

enum {
    BRIDGE_MEAN = 64, /* arrivals until the horizon; with more, intervals hardly differ */
    BRIDGE_MOST = 32  /* arrivals of a gap that have thresholds */
};

bool levy_jump_bridge_fits(size_t n_sources, size_t n_targets, double most)
{
    /* as LEVY_MAX_COUNTS of the image */
    return n_sources > 0 && n_sources <= 128 && n_targets <= 128 && most <= BRIDGE_MEAN;
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

static uint32_t bridge_word(double probability)
{
    const double x = probability * 0x1p32 + 0.5;
    return x >= 4294967295.0 ? UINT32_MAX : (uint32_t)x;
}

/* The thresholds of n arrivals. */
static void bridge_row(double share, uint32_t n, uint32_t *row)
{
    const double odds = share / (1.0 - share);
    double term = 1.0, sum = 0.0;
    for (uint32_t i = 0; i < n; ++i) term *= 1.0 - share;
    for (uint32_t k = 0; k < n; ++k) {
        sum += term;
        row[k] = bridge_word(sum);
        term = term * odds * (double)(n - k) / (double)(k + 1);
    }
}

static void bridge_table(double share, uint32_t most, uint32_t *table)
{
    table[JUMPS_SPLIT_SHARE] = bridge_word(share);
    table[JUMPS_SPLIT_MOST] = most;
    for (uint32_t n = 1; n <= most; ++n)
        bridge_row(share, n, table + JUMPS_SPLIT_TABLE + n * (n - 1) / 2);
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

levy_status levy_jump_splits(const levy_model_grid *grid, double mean, levy_arena *arena,
                             uint32_t **words, size_t *n_words)
{
    const size_t n = grid->n_nodes;
    const uint32_t wanted = bridge_quantile(mean, 1e-6),
                   most = wanted < BRIDGE_MOST ? wanted + 1 : BRIDGE_MOST;
    const size_t size = JUMPS_SPLIT_TABLE + (size_t)most * (most + 1) / 2;
    double *const shares = levy_arena_allocate(arena, n, sizeof *shares);
    jumps_split *const splits = levy_arena_allocate(arena, n, sizeof *splits);
    size_t n_tables = 0;
    if (!shares || !splits || !bridge_shares(grid, arena, shares) ||
        !bridge_events(grid, arena, splits))
        return LEVY_MEMORY;
    for (size_t i = 1; i < n; ++i) { /* tables count from 0 here */
        size_t same = 1;
        while (same < i && !(shares[same] - shares[i] < 1e-12 && shares[i] - shares[same] < 1e-12))
            ++same;
        splits[i].table = same < i ? splits[same].table : (uint32_t)n_tables++;
    }
    const size_t first = JUMPS_SPLIT_WORDS * n;
    uint32_t *const all = levy_arena_allocate(arena, first + size * n_tables, sizeof *all);
    if (!all) return LEVY_MEMORY;
    for (size_t i = 0; i < n; ++i) {
        splits[i].node = grid->strategy->entries[i].node - 1;
        if (i == 0) continue;
        uint32_t *const table = all + first + size * splits[i].table;
        bridge_table(shares[i], most, table);
        splits[i].one = table[JUMPS_SPLIT_TABLE];
        splits[i].table = (uint32_t)(table - all);
    }
    memcpy(all, splits, n * sizeof *splits);
    *words = all;
    *n_words = first + size * n_tables;
    return LEVY_OK;
}
