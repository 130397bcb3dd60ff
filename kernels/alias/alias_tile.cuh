/* alias_tile.cuh: PSA+ by tiles: a block classifies a tile's items, sums them up, matches its light and heavy items
 * with one another at once, writes the tile's rows in order, and lists only what is left, which is of one kind. A
 * tile's match is the splitting of PSA carried to the last item: light item r belongs to the first heavy item whose
 * running excess exceeds the lacks before r, a search in shared memory per item, and no thread packs for long. Running
 * sums are exact; for the search they are kept in 64 bits, those of light items rounded down and those of heavy items
 * up, which moves a row's boundary by 2^-52 of a share at most and never adds up. */
#ifndef LEVY_ALIAS_TILE_CUH
#define LEVY_ALIAS_TILE_CUH

#include "kernels/alias/alias_tile_sum.cuh"

/* What a front kernel reads and makes. Rows of listed light items lack only the partner. */
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

struct tile_memory {
    levy_alias_row rows[ALIAS_TILE];
    uint64_t position[ALIAS_TILE]; /* light items from the start, heavy ones from the end backwards */
    uint16_t place[ALIAS_TILE];    /* beside it: where in the tile; top bit: the own item is below the threshold */
    uint16_t light_from[TILE_GROUPS + 1], heavy_from[TILE_GROUPS + 1]; /* what a group's first item finds */
    uint32_t warps[ALIAS_THREADS / 32][8];
    alias_tally before;
    alias_chain_storage chain;
    unsigned last_end; /* where the last heavy item ends: the light items before */
};

/* A slot of the tile's rows in shared memory, so that eight threads with a run of rows each use all banks. */
ALIAS_DEV unsigned tile_slot(unsigned local) { return (local & ~7u) | ((local ^ (local >> 3)) & 7u); }
ALIAS_DEV void tile_row(levy_alias_row *rows, unsigned local, alias_split split, uint32_t own, uint32_t other)
{
    row_store(&rows[tile_slot(local)], split, own, other);
}

/* ---- The match --------------------------------------------------------------------------------------------------- */

/* A tile after its sums: how far its match goes. */
struct tile_match {
    unsigned lights, heavies;
    fix96 lack, excess;                /* totals */
    uint64_t lacks;                    /* all, as a position */
    bool ended;                        /* its heavy items all end inside the tile */
    unsigned first_light, first_heavy; /* that wait; a last heavy item that ended waits too, as the first light one */
};

/* Positions and provisional rows of the thread's items, of which `before` are the sums over the threads before. */
ALIAS_DEV void tile_place(tile_memory *m, const alias_front_job &job, uint32_t first, const fix96 *beyond,
                          const double *threshold, tile_sum sum)
{
    const unsigned shift = (unsigned)job.scale.fraction - ALIAS_BITS;
    const fix96 up = {(1u << shift) - 1, 0, 0};
#pragma unroll
    for (unsigned k = 0; k < ALIAS_PER_THREAD; ++k) {
        const unsigned local = threadIdx.x * ALIAS_PER_THREAD + k;
        const bool light = fix_negative(beyond[k]), waits = !fix_zero(beyond[k]);
        const bool own_first =
            light && (int32_t)(beyond[k].w2 + (job.fix.one >> 1)) < 0; /* lacks more than half a share */
        const fix96 down = sum.lack;
        const unsigned at = light ? tile_lights(sum) : ALIAS_TILE - 1 - tile_heavies(sum);
        tile_count(&sum, beyond[k]);
        if (waits) {
            m->position[at] = tile_position(light ? down : fix_add(tile_excess(sum), up), shift);
            m->place[at] = (uint16_t)(local | (own_first ? TILE_OWN_FIRST : 0));
        }
        tile_row(m->rows, local, {light ? threshold[k] : 0.0, own_first}, first + local, first + local);
    }
}

/* Full searches by the first item of each group, so that the others' are short. Ends in step. */
ALIAS_DEV void tile_group(tile_memory *m, const tile_match &t)
{
    const unsigned g = threadIdx.x % (2 * TILE_GROUPS), rank = g % TILE_GROUPS * TILE_GROUP;
    if (threadIdx.x < TILE_GROUPS && rank < t.lights)
        m->light_from[g] = (uint16_t)heavy_above(m->position, 0, t.heavies, m->position[rank]);
    if (threadIdx.x >= TILE_GROUPS && threadIdx.x < 2 * TILE_GROUPS && rank < t.heavies)
        m->heavy_from[g - TILE_GROUPS] =
            (uint16_t)light_at(m->position, 0, t.lights, m->position[ALIAS_TILE - 1 - rank]);
    __syncthreads();
}

/* Partners of the light items, one thread each. */
ALIAS_DEV void tile_serve(tile_memory *m, const tile_match &t, uint32_t first)
{
    for (unsigned r = threadIdx.x; r < t.lights; r += ALIAS_THREADS) {
        const unsigned g = r / TILE_GROUP, high = (g + 1) * TILE_GROUP < t.lights ? m->light_from[g + 1] : t.heavies;
        const unsigned j = heavy_above(m->position, m->light_from[g], high, m->position[r]);
        if (j == t.heavies) continue;
        const unsigned place = m->place[r];
        m->rows[tile_slot(place & TILE_PLACE)].item[(place & TILE_OWN_FIRST) ? 1 : 0] =
            first + (m->place[ALIAS_TILE - 1 - j] & TILE_PLACE);
    }
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

/* Rows of the heavy items that end here, but for the last one's if it is the tile's last. */
ALIAS_DEV void tile_end(tile_memory *m, const tile_match &t, const alias_front_job &job, uint32_t first)
{
    for (unsigned j = threadIdx.x; j < t.heavies; j += ALIAS_THREADS) {
        const uint64_t y = m->position[ALIAS_TILE - 1 - j];
        if (y > t.lacks) continue;
        const unsigned g = j / TILE_GROUP, high = (g + 1) * TILE_GROUP < t.heavies ? m->heavy_from[g + 1] : t.lights;
        const unsigned i = light_at(m->position, m->heavy_from[g], high, y), local = m->place[ALIAS_TILE - 1 - j];
        if (j + 1 == t.heavies) {
            m->last_end = i;
        } else {
            const uint64_t x = i < t.lights ? m->position[i] : t.lacks;
            tile_row(m->rows, local, tile_split(job.scale, x - y), first + local, first + m->place[ALIAS_TILE - 2 - j]);
        }
    }
}

/* Where the match of a summed-up and placed tile ends. */
ALIAS_DEV tile_match tile_measure(const tile_memory *m, const alias_front_job &job, const tile_sum &total)
{
    tile_match t;
    t.lights = tile_lights(total);
    t.heavies = tile_heavies(total);
    t.lack = total.lack;
    t.excess = tile_excess(total);
    t.lacks = tile_position(total.lack, (unsigned)job.scale.fraction - ALIAS_BITS);
    t.ended = t.heavies > 0 && m->position[ALIAS_TILE - t.heavies] <= t.lacks;
    t.first_heavy = t.heavies > 0 && !t.ended ? heavy_above(m->position, 0, t.heavies, t.lacks) : t.heavies;
    t.first_light = t.heavies == 0 ? 0 : t.lights;
    return t;
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
        entry_store(&entries[r - t.first_light + extra], base + sum,
                    (first + (place & TILE_PLACE)) | ((place & TILE_OWN_FIRST) ? ENTRY_OWN_FIRST : 0));
    }
    if (!t.ended || threadIdx.x > 0) return;
    const uint32_t own = first + m->place[ALIAS_TILE - t.heavies];
    const alias_wide sum =
        t.first_light < t.lights ? (alias_wide)m->position[t.first_light] << shift : fix_wide(t.lack);
    const alias_split split = alias_split_heavy(&job.scale, sum - fix_wide(t.excess));
    row_store(&job.rows[own], split, own, own);
    entry_store(&entries[0], base + sum, own | (split.own_first ? ENTRY_OWN_FIRST : 0));
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

/* BLOCKS: per multiprocessor, which bounds the registers of a thread: 3: 80, 4: 64. */
template <class W, int BLOCKS>
static __global__ void __launch_bounds__(ALIAS_THREADS, BLOCKS)
    alias_front_tile(const W *weights, alias_front_job job, alias_chain chain)
{
    ALIAS_SHARED(tile_memory, m);
    const uint32_t tile = blockIdx.x, first = tile * ALIAS_TILE;
    double w[ALIAS_PER_THREAD];
    fix96 beyond[ALIAS_PER_THREAD];
    tile_sum own = {{0, 0, 0}, {0, 0, 0}, 0}, total;
    weights_load(weights, job.n, (uint64_t)first + threadIdx.x * ALIAS_PER_THREAD, w);
#pragma unroll
    for (unsigned k = 0; k < ALIAS_PER_THREAD; ++k) {
        double lack;
        beyond[k] = fix_less_one(job.fix, w[k], &lack);
        if ((uint64_t)first + threadIdx.x * ALIAS_PER_THREAD + k >= job.n) beyond[k] = {0, 0, 0};
        w[k] = (int32_t)(beyond[k].w2 + (job.fix.one >> 1)) < 0 ? w[k] * job.scale.lift
                                                                : lack * job.scale.share; /* the threshold */
        tile_count(&own, beyond[k]);
    }
    const tile_sum mine = tile_scan(own, m->warps, &total);
    tile_place(m, job, first, beyond, w, mine);
    __syncthreads();
    tile_match t = tile_measure(m, job, total);
    tile_group(m, t);
    tile_serve(m, t, first);
    tile_end(m, t, job, first);
    __syncthreads();
    if (t.ended) t.first_light = m->last_end;
    const alias_tally left = tile_left(t);
    if (threadIdx.x == 0) chain_publish(chain, tile, left);
    for (unsigned local = threadIdx.x; local < ALIAS_TILE && (uint64_t)first + local < job.n; local += ALIAS_THREADS)
        reinterpret_cast<uint4 *>(job.rows)[first + local] = reinterpret_cast<const uint4 *>(m->rows)[tile_slot(local)];
    if (threadIdx.x < 32) {
        const alias_tally before = chain_before(chain, m->chain, tile, left);
        if (threadIdx.x == 0) m->before = before;
        if (threadIdx.x == 0 && tile == job.tiles - 1) {
            job.counts[0] = before.lights + left.lights;
            job.counts[1] = before.heavies + left.heavies;
        }
    }
    __syncthreads();
    tile_list_lights(m, job, first, t);
    tile_list_heavies(m->before, job, weights, first, t, own.counts, mine);
}

#endif
