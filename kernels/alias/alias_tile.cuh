/* alias_tile.cuh: PSA+ by tiles: a block classifies a tile's items, sums them up, matches its light and heavy items
 * with one another at once, writes the tile's rows in order, and lists only what is left, which is of one kind. A
 * tile's match is the splitting of PSA carried to the last item: light item r belongs to the first heavy item whose
 * running excess exceeds the lacks before r, a search in shared memory per item, and no thread packs for long. Running
 * sums are exact; for the search they are kept in 64 bits, those of light items rounded down and those of heavy items
 * up, which moves a row's boundary by 2^-52 of a share at most and never adds up. */
#ifndef LEVY_ALIAS_TILE_CUH
#define LEVY_ALIAS_TILE_CUH

#include "kernels/alias/alias_tile_sum.cuh"

/* What a front kernel reads and makes. Of listed light items alias_front_greedy makes rows that lack only the partner,
 * alias_front_tile none: who packs them makes them from the weights, for a row that is half written is read first. */
struct alias_front_job {
    alias_scale scale;
    fix_scale fix; /* of alias_front_tile only */
    uint64_t n;
    uint32_t tiles;
    uint32_t threshold; /* of alias_front_greedy only */
    levy_alias_row *rows;
    alias_entry *entries; /* n places: light items from the start, heavy ones from the end backwards */
    uint32_t *counts;     /* lights, heavies */
};

enum {
    TILE_OWN_FIRST = 0x8000,
    TILE_PLACE = 0x7FFF,
    TILE_GROUP = 32, /* neighbouring items of a list whose searches share a range */
    TILE_GROUPS = ALIAS_TILE / TILE_GROUP
};

/* Rows as they come about: thresholds (tile_slot), and partners by place in the tile, the top bit as in `place`. */
struct tile_memory {
    double threshold[ALIAS_TILE];
    uint64_t position[ALIAS_TILE]; /* light items from the start, heavy ones from the end backwards */
    uint16_t partner[ALIAS_TILE];
    uint16_t place[ALIAS_TILE]; /* beside `position`: where in the tile; top bit: the own item is below the threshold */
    uint16_t light_from[TILE_GROUPS + 1], heavy_from[TILE_GROUPS + 1]; /* what a group's first item finds */
    uint32_t warps[ALIAS_THREADS / 32][8];
    alias_tally before;
    unsigned bound; /* where the match ends: see tile_match */
    unsigned next;  /* the next group to be matched */
};

/* A threshold's slot, so that eight threads that store a run of eight use all banks: sixteen bytes stay together. */
ALIAS_DEV unsigned tile_slot(unsigned local) { return local ^ (local >> 3 & 6u); }

/* ---- The match --------------------------------------------------------------------------------------------------- */

/* A tile after its sums: how far its match goes. */
struct tile_match {
    unsigned lights, heavies;
    fix96 lack, excess;                /* totals */
    uint64_t lacks;                    /* all, as a position */
    bool ended;                        /* its heavy items all end inside the tile */
    unsigned first_light, first_heavy; /* that wait; a last heavy item that ended waits too, as the first light one */
};

/* Rows of the thread's items that are whole or lack only their partner. */
template <class W>
ALIAS_DEV tile_sum tile_begin(tile_memory *m, const alias_front_job &job, const W *weights, uint32_t first, fix96 *beyond)
{
    const unsigned run = threadIdx.x * ALIAS_PER_THREAD;
    double w[ALIAS_PER_THREAD];
    uint32_t partner[ALIAS_PER_THREAD];
    tile_sum own = {{0, 0, 0}, {0, 0, 0}, 0};
    weights_load(weights, job.n, (uint64_t)first + run, w);
#pragma unroll
    for (unsigned k = 0; k < ALIAS_PER_THREAD; ++k) {
        double lack;
        beyond[k] = fix_less_one(job.fix, w[k], &lack);
        if ((uint64_t)first + run + k >= job.n) beyond[k] = {0, 0, 0};
        const alias_split split = fix_split(job.fix, job.scale, w[k], beyond[k], lack);
        w[k] = fix_negative(beyond[k]) ? split.threshold : 0.0;
        partner[k] = (run + k) | (split.own_first ? TILE_OWN_FIRST : 0u);
        tile_count(&own, beyond[k]);
    }
#pragma unroll
    for (unsigned k = 0; k < ALIAS_PER_THREAD; k += 2)
        pair_store(&m->threshold[tile_slot(run + k)], w[k], w[k + 1]);
    uint4 all;
    all.x = partner[0] | partner[1] << 16, all.y = partner[2] | partner[3] << 16;
    all.z = partner[4] | partner[5] << 16, all.w = partner[6] | partner[7] << 16;
    *reinterpret_cast<uint4 *>(&m->partner[run]) = all;
    return own;
}

/* Positions of the thread's items, of which `sum` is over the threads before. */
ALIAS_DEV void tile_place(tile_memory *m, const alias_front_job &job, const fix96 *beyond, tile_sum sum)
{
    const unsigned shift = (unsigned)job.scale.fraction - ALIAS_BITS;
    const fix96 up = {(1u << shift) - 1, 0, 0};
    fix96 lack = sum.lack, excess = fix_add(tile_excess(sum), up);
    unsigned light_at = tile_lights(sum), heavy_at = ALIAS_TILE - 1 - tile_heavies(sum);
#pragma unroll
    for (unsigned k = 0; k < ALIAS_PER_THREAD; ++k) {
        const bool light = fix_negative(beyond[k]), waits = !fix_zero(beyond[k]);
        const bool own_first = fix_own_first(job.fix, beyond[k]);
        const fix96 down = lack;
        lack = fix_sub(lack, fix_mask(beyond[k], light ? ~0u : 0u));
        excess = fix_add(excess, fix_mask(beyond[k], light ? 0u : ~0u));
        const unsigned at = light ? light_at : heavy_at;
        light_at += light ? 1 : 0;
        heavy_at -= waits && !light ? 1 : 0;
        if (waits) {
            m->position[at] = tile_position(light ? down : excess, shift);
            m->place[at] =
                (uint16_t)((threadIdx.x * ALIAS_PER_THREAD + k) | (own_first ? (unsigned)TILE_OWN_FIRST : 0u));
        }
    }
}

/* Full searches by the first item of each group, so that the others' are short, and by one thread more for where the
 * match ends: the light item at which the last heavy one ends, or the first heavy item that does not end. Ends in step. */
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
        m->heavy_from[g] = (uint16_t)light_at(m->position, 0, t.lights, m->position[ALIAS_TILE - 1 - rank]);
    if (threadIdx.x == 2 * TILE_GROUPS)
        m->bound = t.ended ? light_at(m->position, 0, t.lights, m->position[ALIAS_TILE - t.heavies])
                           : heavy_above(m->position, 0, t.heavies, t.lacks);
    __syncthreads();
    t.first_heavy = t.heavies > 0 && !t.ended ? m->bound : t.heavies;
    t.first_light = t.heavies == 0 ? 0 : t.ended ? m->bound : t.lights;
    return t;
}

/* The partner of light item r, of group g. */
ALIAS_DEV void tile_serve(tile_memory *m, const tile_match &t, unsigned g, unsigned r)
{
    const unsigned high = (g + 1) * TILE_GROUP < t.lights ? m->light_from[g + 1] : t.heavies;
    const unsigned j = heavy_above(m->position, m->light_from[g], high, m->position[r]);
    if (j == t.heavies) return;
    const unsigned place = m->place[r];
    m->partner[place & TILE_PLACE] =
        (uint16_t)((m->place[ALIAS_TILE - 1 - j] & TILE_PLACE) | (place & TILE_OWN_FIRST));
}

/* The row of a heavy item whose lack is given in 2^-52 of a share. */
ALIAS_DEV alias_split tile_split(const alias_scale &s, uint64_t lack)
{
    const uint64_t one = (uint64_t)1 << ALIAS_BITS, kept = lack < one ? one - lack : 0;
    alias_split split;
    split.own_first = lack >= one / 2;
    split.threshold = (double)(int64_t)(split.own_first ? kept : lack) * (s.share * 2.220446049250313e-16);
    return split;
}

/* The row of heavy item j, of group g, if it ends here and is not the tile's last. */
ALIAS_DEV void tile_end(tile_memory *m, const tile_match &t, const alias_front_job &job, unsigned g, unsigned j)
{
    const uint64_t y = m->position[ALIAS_TILE - 1 - j];
    if (y > t.lacks || j + 1 == t.heavies) return;
    const unsigned high = (g + 1) * TILE_GROUP < t.heavies ? m->heavy_from[g + 1] : t.lights;
    const unsigned i = light_at(m->position, m->heavy_from[g], high, y), local = m->place[ALIAS_TILE - 1 - j];
    const alias_split split = tile_split(job.scale, (i < t.lights ? m->position[i] : t.lacks) - y);
    m->threshold[tile_slot(local)] = split.threshold;
    m->partner[local] = (uint16_t)(m->place[ALIAS_TILE - 2 - j] | (split.own_first ? (unsigned)TILE_OWN_FIRST : 0u));
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
        const unsigned rank = g * TILE_GROUP + lane;
        if (light && rank < t.lights) tile_serve(m, t, g, rank);
        if (!light && rank < t.heavies) tile_end(m, t, job, g, rank);
    }
}

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

/* What the tile leaves to the lists. */
ALIAS_DEV alias_tally tile_left(const tile_match &t)
{
    const alias_wide lack = fix_wide(t.lack), excess = fix_wide(t.excess);
    if (t.heavies == 0) return tally_make(t.lights, lack, 0, 0);
    if (t.ended)
        return tally_make(t.lights - t.first_light + 1, lack - excess, 0, 0); /* the last heavy item is light now */
    return tally_make(0, 0, t.heavies - t.first_heavy, excess > lack ? excess - lack : 0);
}

/* Entries of the light items that wait, in order. Sums inside the tile are positions, good to 2^-52; the last is exact.
 * The last heavy item, if it ended, is listed before them, as a light one. */
ALIAS_DEV void tile_list_lights(tile_memory *m, const alias_front_job &job, uint32_t first, const tile_match &t)
{
    const unsigned shift = (unsigned)job.scale.fraction - ALIAS_BITS, extra = t.ended ? 1 : 0;
    const alias_wide base = tally_lack(m->before) - (t.ended ? fix_wide(t.excess) : 0);
    alias_entry *const entries = job.entries + m->before.lights;
    for (unsigned r = t.first_light + threadIdx.x; r < t.lights; r += ALIAS_THREADS) {
        const unsigned place = m->place[r];
        const alias_wide sum = r + 1 < t.lights ? (alias_wide)m->position[r + 1] << shift : fix_wide(t.lack);
        entry_store(&entries[r - t.first_light + extra], base + sum, first + (place & TILE_PLACE));
    }
    if (!t.ended || threadIdx.x > 0) return;
    const uint32_t own = first + m->place[ALIAS_TILE - t.heavies];
    const alias_wide sum =
        t.first_light < t.lights ? (alias_wide)m->position[t.first_light] << shift : fix_wide(t.lack);
    const alias_split split = alias_split_heavy(&job.scale, sum - fix_wide(t.excess));
    row_store(&job.rows[own], split, own, own);
    entry_store(&entries[0], base + sum, own | ENTRY_ROW | (split.own_first ? ENTRY_OWN_FIRST : 0));
}

/* Entries of the thread's heavy items that wait: amounts again from the weights, for most threads have none. */
template <class W>
ALIAS_DEV void tile_list_heavies(const alias_tally &before, const alias_front_job &job, const W *weights,
                                 uint32_t first, const tile_match &t, unsigned own, const tile_sum &mine)
{
    if (t.first_heavy >= tile_heavies(mine) + (own >> 16)) return;
    const alias_wide used = fix_wide(t.lack);
    tile_sum sum = mine;
    for (unsigned k = 0; k < ALIAS_PER_THREAD; ++k) {
        const uint64_t i = (uint64_t)first + threadIdx.x * ALIAS_PER_THREAD + k;
        double unused;
        const fix96 beyond = i < job.n ? fix_less_one(job.fix, (double)weights[i], &unused) : fix96{0, 0, 0};
        const unsigned heavy = tile_heavies(sum);
        tile_count(&sum, beyond);
        if (fix_negative(beyond) || fix_zero(beyond) || heavy < t.first_heavy) continue;
        const alias_wide excess = fix_wide(tile_excess(sum));
        entry_store(&job.entries[job.n - 1 - before.heavies - (heavy - t.first_heavy)],
                    tally_excess(before) + (excess > used ? excess - used : 0), (uint32_t)i);
    }
}

/* ---- The kernel -------------------------------------------------------------------------------------------------- */

/* The tile's rows, in order, but for light items without a partner, whose own part is neither 0 nor the whole. */
ALIAS_DEV void tile_write(const tile_memory *m, const alias_front_job &job, uint32_t first)
{
#pragma unroll
    for (unsigned k = 0; k < ALIAS_PER_THREAD; ++k) {
        const unsigned local = k * ALIAS_THREADS + threadIdx.x, partner = m->partner[local];
        const alias_split split = {m->threshold[tile_slot(local)], (partner & TILE_OWN_FIRST) != 0};
        const bool whole = !split.own_first && split.threshold == 0.0;
        if ((uint64_t)first + local < job.n && (whole || (partner & TILE_PLACE) != local))
            row_store(&job.rows[first + local], split, first + local, first + (partner & TILE_PLACE));
    }
}

/* What the tile leaves is known long before its rows are: the first warp says it and asks for the sums of the tiles
 * before while the others match. BLOCKS: per multiprocessor, which bounds the registers of a thread: 3: 80, 4: 64. */
template <class W, int BLOCKS>
static __global__ void __launch_bounds__(ALIAS_THREADS, BLOCKS)
    alias_front_tile(const W *weights, alias_front_job job, alias_chain chain)
{
    ALIAS_SHARED(tile_memory, m);
    const uint32_t tile = blockIdx.x, first = tile * ALIAS_TILE;
    fix96 beyond[ALIAS_PER_THREAD];
    tile_sum total;
    if (threadIdx.x == 0) m->next = 0;
    const tile_sum own = tile_begin(m, job, weights, first, beyond);
    const tile_sum mine = tile_scan(own, m->warps, &total);
    tile_place(m, job, beyond, mine);
    __syncthreads();
    const tile_match t = tile_measure(m, job, total);
    if (threadIdx.x < 32) {
        const alias_tally left = tile_left(t);
        if (threadIdx.x == 0) chain_publish(chain, tile, left);
        const alias_tally before = chain_before(chain, tile, left);
        if (threadIdx.x == 0) m->before = before;
        if (threadIdx.x == 0 && tile == job.tiles - 1) {
            job.counts[0] = before.lights + left.lights;
            job.counts[1] = before.heavies + left.heavies;
        }
    }
    tile_match_groups(m, t, job);
    __syncthreads();
    tile_write(m, job, first);
    __syncthreads();
    tile_list_lights(m, job, first, t);
    tile_list_heavies(m->before, job, weights, first, t, own.counts, mine);
}

#endif
