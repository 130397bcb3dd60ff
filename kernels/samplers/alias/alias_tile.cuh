/* alias_tile.cuh: PSA+ by tiles: a block classifies a tile's items, sums them up, matches its light
 * and heavy items with one another at once, writes the tile's rows in order, and lists only what is
 * left, which is of one kind. A tile's match is the splitting of PSA carried to the last item:
 * light item r belongs to the first heavy item whose running excess exceeds the lacks before r, a
 * search in shared memory per item, and no thread packs for long. Running sums are exact; for the
 * search they are kept in 64 bits, those of light items rounded down and those of heavy items up,
 * which moves a row's boundary by 2^-52 of a share at most and never adds up. */
#ifndef LEVY_ALIAS_TILE_CUH
#define LEVY_ALIAS_TILE_CUH

#include "kernels/samplers/alias/alias_tile_match.cuh"

/* ---- Items ----------------------------------------------------------------------------------- */

/* Rows of the thread's items that are whole or lack only their partner. */
template <class W>
ALIAS_DEV tile_sum tile_begin(tile_memory *m, const alias_front_job &job, const W *weights,
                              uint32_t first, fix96 *beyond)
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
ALIAS_DEV void tile_place(tile_memory *m, const alias_front_job &job, const fix96 *beyond,
                          tile_sum sum)
{
    const unsigned shift = (unsigned)job.scale.fraction - ALIAS_BITS;
    const fix96 up = {(1u << shift) - 1, 0, 0};
    fix96 lack = sum.lack, excess = fix_add(tile_excess(sum), up);
    unsigned light_next = tile_lights(sum), heavy_next = ALIAS_TILE - 1 - tile_heavies(sum);
#pragma unroll
    for (unsigned k = 0; k < ALIAS_PER_THREAD; ++k) {
        const bool light = fix_negative(beyond[k]), waits = !fix_zero(beyond[k]);
        const bool own_first = fix_own_first(job.fix, beyond[k]);
        const fix96 down = lack;
        lack = fix_sub(lack, fix_mask(beyond[k], light ? ~0u : 0u));
        excess = fix_add(excess, fix_mask(beyond[k], light ? 0u : ~0u));
        const unsigned at = light ? light_next : heavy_next;
        light_next += light ? 1 : 0;
        heavy_next -= waits && !light ? 1 : 0;
        if (waits) {
            m->position[at] = tile_position(light ? down : excess, shift);
            m->place[at] = (uint16_t)((threadIdx.x * ALIAS_PER_THREAD + k) |
                                      (own_first ? (unsigned)TILE_OWN_FIRST : 0u));
        }
    }
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* What the tile leaves to the lists. */
ALIAS_DEV alias_tally tile_left(const tile_match &t)
{
    const alias_wide lack = fix_wide(t.lack), excess = fix_wide(t.excess);
    if (t.heavies == 0) return tally_make(t.lights, lack, 0, 0);
    if (t.ended) /* the last heavy item is light now */
        return tally_make(t.lights - t.first_light + 1, lack - excess, 0, 0);
    return tally_make(0, 0, t.heavies - t.first_heavy, excess > lack ? excess - lack : 0);
}

/* Entries of the light items that wait, in order. Sums inside the tile are positions, good to
 * 2^-52; the last is exact. The last heavy item, if it ended, is listed before them, as a light
 * one. */
ALIAS_DEV void tile_list_lights(tile_memory *m, const alias_front_job &job, uint32_t first,
                                const tile_match &t)
{
    const unsigned shift = (unsigned)job.scale.fraction - ALIAS_BITS, extra = t.ended ? 1 : 0;
    const alias_wide base = tally_lack(m->before) - (t.ended ? fix_wide(t.excess) : 0);
    alias_entry *const entries = job.entries + m->before.lights;
    for (unsigned r = t.first_light + threadIdx.x; r < t.lights; r += ALIAS_THREADS) {
        const unsigned place = m->place[r];
        const alias_wide sum =
            r + 1 < t.lights ? (alias_wide)m->position[r + 1] << shift : fix_wide(t.lack);
        entry_store(&entries[r - t.first_light + extra], base + sum,
                    (first + (place & TILE_PLACE)) |
                        ((place & TILE_OWN_FIRST) ? ENTRY_OWN_FIRST : 0));
    }
    if (!t.ended || threadIdx.x > 0) return;
    const uint32_t own = first + m->place[ALIAS_TILE - t.heavies];
    const alias_wide sum = t.first_light < t.lights
                               ? (alias_wide)m->position[t.first_light] << shift
                               : fix_wide(t.lack);
    const alias_split split = alias_split_heavy(&job.scale, sum - fix_wide(t.excess));
    row_store(&job.rows[own], split, own, own);
    entry_store(&entries[0], base + sum, own | (split.own_first ? ENTRY_OWN_FIRST : 0));
}

/* Entries of the thread's heavy items that wait: amounts again from the weights, for most threads
 * have none. */
template <class W>
ALIAS_DEV void tile_list_heavies(const alias_tally &before, const alias_front_job &job,
                                 const W *weights, uint32_t first, const tile_match &t,
                                 unsigned own, const tile_sum &mine)
{
    if (t.first_heavy >= tile_heavies(mine) + (own >> 16)) return;
    const alias_wide used = fix_wide(t.lack);
    tile_sum sum = mine;
    for (unsigned k = 0; k < ALIAS_PER_THREAD; ++k) {
        const uint64_t i = (uint64_t)first + threadIdx.x * ALIAS_PER_THREAD + k;
        double unused;
        const fix96 beyond =
            i < job.n ? fix_less_one(job.fix, (double)weights[i], &unused) : fix96{0, 0, 0};
        const unsigned heavy = tile_heavies(sum);
        tile_count(&sum, beyond);
        if (fix_negative(beyond) || fix_zero(beyond) || heavy < t.first_heavy) continue;
        const alias_wide excess = fix_wide(tile_excess(sum));
        entry_store(&job.entries[job.n - 1 - before.heavies - (heavy - t.first_heavy)],
                    tally_excess(before) + (excess > used ? excess - used : 0), (uint32_t)i);
    }
}

/* ---- The kernel ------------------------------------------------------------------------------ */

/* The tile's rows, in order. */
ALIAS_DEV void tile_write(const tile_memory *m, const alias_front_job &job, uint32_t first)
{
#pragma unroll
    for (unsigned k = 0; k < ALIAS_PER_THREAD; ++k) {
        const unsigned local = k * ALIAS_THREADS + threadIdx.x, partner = m->partner[local];
        const alias_split split = {m->threshold[tile_slot(local)], (partner & TILE_OWN_FIRST) != 0};
        if ((uint64_t)first + local < job.n)
            row_store(&job.rows[first + local], split, first + local,
                      first + (partner & TILE_PLACE));
    }
}

/* What the tile leaves is known long before its rows are: the first warp says it and asks for the
 * sums of the tiles before while the others match. BLOCKS: per multiprocessor, which bounds the
 * registers of a thread: 3: 80, 4: 64. */
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
