/* alias_tile_match.cuh: the match of a tile (alias_tile.cuh), once its items have positions: where
 * it ends, and the partners and rows of all items inside, by searches in shared memory. Must not
 * know: weights, lists. */
#ifndef LEVY_ALIAS_TILE_MATCH_CUH
#define LEVY_ALIAS_TILE_MATCH_CUH

#include "kernels/samplers/alias/alias_tile_sum.cuh"

/* What a front kernel reads and makes. Rows of listed light items lack only the partner. */
struct alias_front_job {
    alias_scale scale;
    fix_scale fix; /* of alias_front_tile only */
    uint64_t n;
    uint32_t tiles;
    uint32_t threshold; /* of alias_front_greedy only */
    levy_alias_row *rows;
    /* n places: light items from the start, heavy ones from the end backwards */
    alias_entry *entries;
    uint32_t *counts; /* lights, heavies */
};

enum {
    TILE_OWN_FIRST = 0x8000,
    TILE_PLACE = 0x7FFF,
    /* neighbouring items of a list whose searches share a range */
    TILE_GROUP = 32 * SEARCH_TOGETHER,
    TILE_GROUPS = ALIAS_TILE / TILE_GROUP
};

/* Rows as they come about: thresholds (tile_slot), and partners by place in the tile, the top bit
 * as in `place`. */
struct tile_memory {
    double threshold[ALIAS_TILE];
    /* light items from the start, heavy ones from the end backwards */
    uint64_t position[ALIAS_TILE];
    uint16_t partner[ALIAS_TILE];
    /* beside `position`: where in the tile; top bit: the own item is below the threshold */
    uint16_t place[ALIAS_TILE];
    /* what a group's first item finds */
    uint16_t light_from[TILE_GROUPS + 1], heavy_from[TILE_GROUPS + 1];
    uint32_t warps[ALIAS_THREADS / 32][8];
    alias_tally before;
    unsigned bound; /* where the match ends: see tile_match */
    unsigned next;  /* the next group to be matched */
};

/* A threshold's slot, so that eight threads that store a run of eight use all banks: sixteen bytes
 * stay together. */
ALIAS_DEV unsigned tile_slot(unsigned local) { return local ^ (local >> 3 & 6u); }

/* A tile after its sums: how far its match goes. */
struct tile_match {
    unsigned lights, heavies;
    fix96 lack, excess; /* totals */
    uint64_t lacks;     /* all, as a position */
    bool ended;         /* its heavy items all end inside the tile */
    /* that wait; a last heavy item that ended waits too, as the first light one */
    unsigned first_light, first_heavy;
};

/* Full searches by the first item of each group, so that the others' are short, and by one thread
 * more for where the match ends: the light item at which the last heavy one ends, or the first
 * heavy item that does not end. Ends in step.
 */
ALIAS_DEV tile_match tile_measure(tile_memory *m, const alias_front_job &job, const tile_sum &total)
{
    tile_match t;
    t.lights = tile_lights(total);
    t.heavies = tile_heavies(total);
    t.lack = total.lack;
    t.excess = tile_excess(total);
    t.lacks = tile_position(total.lack, (unsigned)job.scale.fraction - ALIAS_BITS);
    t.ended = t.heavies > 0 && m->position[ALIAS_TILE - t.heavies] <= t.lacks;
    const unsigned g = threadIdx.x % TILE_GROUPS, rank = g * TILE_GROUP;
    if (threadIdx.x < TILE_GROUPS && rank < t.lights)
        m->light_from[g] = (uint16_t)heavy_above(m->position, 0, t.heavies, m->position[rank]);
    if (threadIdx.x / TILE_GROUPS == 1 && rank < t.heavies)
        m->heavy_from[g] =
            (uint16_t)light_at(m->position, 0, t.lights, m->position[ALIAS_TILE - 1 - rank]);
    if (threadIdx.x == 2 * TILE_GROUPS)
        m->bound = t.ended ? light_at(m->position, 0, t.lights, m->position[ALIAS_TILE - t.heavies])
                           : heavy_above(m->position, 0, t.heavies, t.lacks);
    __syncthreads();
    t.first_heavy = t.heavies > 0 && !t.ended ? m->bound : t.heavies;
    t.first_light = t.ended ? m->bound : t.lights;
    if (t.heavies == 0) t.first_light = 0;
    return t;
}

/* Partners of the light items of group g, by a warp. */
ALIAS_DEV void tile_serve(tile_memory *m, const tile_match &t, unsigned g)
{
    const unsigned r = g * TILE_GROUP + (threadIdx.x & 31), low = m->light_from[g],
                   high = (g + 1) * TILE_GROUP < t.lights ? m->light_from[g + 1] : t.heavies;
    uint64_t x[SEARCH_TOGETHER];
    unsigned found[SEARCH_TOGETHER];
#pragma unroll
    for (unsigned k = 0; k < SEARCH_TOGETHER; ++k)
        x[k] = r + 32 * k < t.lights ? m->position[r + 32 * k] : 0;
    heavy_above_all(m->position, low, high, x, found);
#pragma unroll
    for (unsigned k = 0; k < SEARCH_TOGETHER; ++k) {
        if (r + 32 * k >= t.lights || found[k] == t.heavies) continue;
        const unsigned place = m->place[r + 32 * k];
        m->partner[place & TILE_PLACE] =
            (uint16_t)((m->place[ALIAS_TILE - 1 - found[k]] & TILE_PLACE) |
                       (place & TILE_OWN_FIRST));
    }
}

/* The row of a heavy item whose lack is given in 2^-52 of a share. */
ALIAS_DEV alias_split tile_split(const alias_scale &s, uint64_t lack)
{
    const uint64_t one = (uint64_t)1 << ALIAS_BITS, kept = lack < one ? one - lack : 0;
    alias_split split;
    split.own_first = lack >= one / 2;
    split.threshold =
        (double)(int64_t)(split.own_first ? kept : lack) * (s.share * 2.220446049250313e-16);
    return split;
}

/* Rows of the heavy items of group g that end here, but for the tile's last, by a warp. */
ALIAS_DEV void tile_end(tile_memory *m, const tile_match &t, const alias_front_job &job, unsigned g)
{
    const unsigned j = g * TILE_GROUP + (threadIdx.x & 31), low = m->heavy_from[g],
                   high = (g + 1) * TILE_GROUP < t.heavies ? m->heavy_from[g + 1] : t.lights;
    uint64_t y[SEARCH_TOGETHER];
    unsigned found[SEARCH_TOGETHER];
#pragma unroll
    for (unsigned k = 0; k < SEARCH_TOGETHER; ++k)
        y[k] = j + 32 * k < t.heavies ? m->position[ALIAS_TILE - 1 - j - 32 * k] : 0;
    light_at_all(m->position, low, high, y, found);
#pragma unroll
    for (unsigned k = 0; k < SEARCH_TOGETHER; ++k) {
        const unsigned own = ALIAS_TILE - 1 - j - 32 * k, i = found[k];
        if (j + 32 * k + 1 >= t.heavies || y[k] > t.lacks) continue;
        const alias_split split =
            tile_split(job.scale, (i < t.lights ? m->position[i] : t.lacks) - y[k]);
        m->threshold[tile_slot(m->place[own])] = split.threshold;
        m->partner[m->place[own]] =
            (uint16_t)(m->place[own - 1] | (split.own_first ? (unsigned)TILE_OWN_FIRST : 0u));
    }
}

/* All groups, a warp each, as warps come to them. */
ALIAS_DEV void tile_match_groups(tile_memory *m, const tile_match &t, const alias_front_job &job)
{
    const unsigned lane = threadIdx.x & 31, light_groups = (t.lights + TILE_GROUP - 1) / TILE_GROUP;
    const unsigned groups = light_groups + (t.heavies + TILE_GROUP - 1) / TILE_GROUP;
    for (;;) {
        unsigned g = 0;
        if (lane == 0) g = atomicAdd(&m->next, 1u);
        g = tile_shuffle(g, 0, false);
        if (g >= groups) return;
        const bool light = g < light_groups;
        if (!light) g -= light_groups;
        if (light)
            tile_serve(m, t, g);
        else
            tile_end(m, t, job, g);
    }
}

#endif
