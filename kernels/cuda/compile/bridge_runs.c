/* bridge_runs.c: see bridge_runs.h. A run is a window of instructions whose codes are equal to
 * those of another window: rows, slots and weights may differ. */
#include "kernels/cuda/compile/bridge_runs.h"
#include "kernels/bridge/instruction.h"

#include <stdbool.h>
#include <string.h>

/* Where windows are looked for, and how much of a program is tried on each. */
enum { RUN_PLACES = 64, RUN_TRIED = 512 };

/* Where point k of the window finds a neighbour: in the window, if its slot was written there. */
static uint32_t run_source(const uint64_t *window, uint32_t k, uint32_t from, uint32_t slot)
{
    for (uint32_t j = k; from == BRIDGE_SLOT && j-- > 0;)
        if (BRIDGE_OWN_SLOT(window[j]) == slot) return BRIDGE_RUN_OWN + j;
    return from;
}

static bool run_reads(uint64_t i, uint32_t slot)
{
    return (BRIDGE_LEFT_FROM(i) == BRIDGE_SLOT && BRIDGE_LEFT_SLOT(i) == slot) ||
           (BRIDGE_RIGHT_FROM(i) == BRIDGE_SLOT && BRIDGE_RIGHT_SLOT(i) == slot);
}

/* Is point k read behind the window? All points of a program together look at no more than every
 * instruction once a slot. */
static bool run_keeps(uint32_t n, const uint64_t *all, uint32_t k, uint32_t end)
{
    const uint32_t slot = BRIDGE_OWN_SLOT(all[k]);
    if (slot == BRIDGE_NOWHERE) return false;
    for (uint32_t j = k + 1; j < n; ++j) {
        if (j >= end && run_reads(all[j], slot)) return true;
        if (BRIDGE_OWN_SLOT(all[j]) == slot) return false;
    }
    return false;
}

static uint32_t run_code(uint32_t n, const uint64_t *all, uint32_t at, uint32_t k, uint32_t length)
{
    const uint64_t i = all[at + k];
    const uint32_t left = run_source(all + at, k, BRIDGE_LEFT_FROM(i), BRIDGE_LEFT_SLOT(i)),
                   right = run_source(all + at, k, BRIDGE_RIGHT_FROM(i), BRIDGE_RIGHT_SLOT(i));
    uint32_t code = k > 0 ? left | right << 4 : 0u;
    if (run_keeps(n, all, at + k, at + length)) code |= BRIDGE_RUN_KEEPS;
    if (BRIDGE_BEFORE(i)) code |= BRIDGE_RUN_BEFORE;
    if (BRIDGE_AFTER(i)) code |= BRIDGE_RUN_AFTER;
    return code;
}

int levy_bridge_run_starts(uint32_t n, const uint64_t *all, uint32_t at, const levy_bridge_run *run)
{
    if (run->length == 0 || at > n || n - at < run->length) return false;
    for (uint32_t k = 0; k < run->length; ++k)
        if (run_code(n, all, at, k, run->length) != run->codes[k]) return false;
    return true;
}

/* How many of the first instructions the run takes. */
static uint32_t run_covers(uint32_t n, const uint64_t *all, const levy_bridge_run *run)
{
    const uint32_t tried = n < RUN_TRIED ? n : RUN_TRIED;
    uint32_t covered = 0;
    for (uint32_t at = 0; at < tried;) {
        const bool here = levy_bridge_run_starts(n, all, at, run);
        covered += here ? run->length : 0;
        at += here ? run->length : 1;
    }
    return covered;
}

static uint32_t run_best(uint32_t n, const uint64_t *all, uint32_t length, levy_bridge_run *best)
{
    uint32_t most = 0;
    for (uint32_t at = 0; at < RUN_PLACES && at + length <= n; ++at) {
        levy_bridge_run run = {.length = length};
        for (uint32_t k = 0; k < length; ++k) run.codes[k] = run_code(n, all, at, k, length);
        const uint32_t covered = run_covers(n, all, &run);
        if (covered > most) {
            most = covered;
            *best = run;
        }
    }
    return most;
}

/* The longest that takes half of a program: seven points are the inside of eight dates, three of
 * four. */
void levy_bridge_run_find(uint32_t n, const uint64_t *all, uint32_t most, levy_bridge_run *run)
{
    const uint32_t tried = n < RUN_TRIED ? n : RUN_TRIED;
    for (uint32_t length = LEVY_BRIDGE_RUN_MOST; length >= 3; length /= 2)
        if (length <= most && 2 * run_best(n, all, length, run) >= tried) return;
    memset(run, 0, sizeof *run);
}
