/* alias_greedy.cuh: PSA+ as H.-P. Lehmann, L. Huebschle-Schneider and P. Sanders have it (Weighted
 * random sampling on GPUs, 2021): while a block partitions its items in shared memory, every thread
 * gets the same numbers of light and heavy items and packs them until one kind runs out; what is
 * left goes to the lists, the last heavy item under its new weight, classified again. Tiles with
 * fewer than `threshold` light or heavy items per thread are not tried; with a threshold that no
 * tile reaches, this kernel is the plain partition of PSA. */
#ifndef LEVY_ALIAS_GREEDY_CUH
#define LEVY_ALIAS_GREEDY_CUH

#include "kernels/samplers/alias/alias_tile.cuh"

/* A slot of the tile's rows in shared memory, so that eight threads with a run of rows each use all
 * banks. */
ALIAS_DEV unsigned greedy_slot(unsigned local)
{
    return (local & ~7u) | ((local ^ (local >> 3)) & 7u);
}
ALIAS_DEV void greedy_row(levy_alias_row *rows, unsigned local, alias_split split, uint32_t own,
                          uint32_t other)
{
    row_store(&rows[greedy_slot(local)], split, own, other);
}

struct greedy_memory {
    levy_alias_row rows[ALIAS_TILE];
    alias_entry
        /* own amounts and places: light items from the start, heavy ones from the end backwards */
        items[ALIAS_TILE];
    alias_tally warps[ALIAS_THREADS / 32];
    alias_tally before;
};

/* A thread's items and how far it came. One light and one heavy item of the rest may be its own
 * too. */
struct greedy_part {
    unsigned light, light_end, heavy, heavy_end, more_light, more_heavy; /* more_*: none: ~0 */
    /* what is left of `heavy` */
    alias_wide excess;
    alias_wide lack; /* > 0: `heavy` has become light, and lacks this */
    bool tried;
};

ALIAS_DEV const alias_entry *greedy_heavy(const greedy_memory *m, unsigned j)
{
    return &m->items[ALIAS_TILE - 1 - j];
}

ALIAS_DEV greedy_part greedy_share(const alias_tally &total, uint32_t threshold)
{
    const unsigned lights = total.lights / ALIAS_THREADS, heavies = total.heavies / ALIAS_THREADS,
                   t = threadIdx.x;
    const bool tried = lights >= threshold && heavies >= threshold && lights > 0 && heavies > 0;
    greedy_part p = {t * lights,
                     (t + 1) * lights,
                     t * heavies,
                     (t + 1) * heavies,
                     ALIAS_THREADS * lights + t,
                     ALIAS_THREADS * heavies + t,
                     0,
                     0,
                     tried};
    if (p.more_light >= total.lights) p.more_light = ~0u;
    if (p.more_heavy >= total.heavies) p.more_heavy = ~0u;
    return p;
}

ALIAS_DEV void greedy_pack(greedy_memory *m, const alias_front_job &job, uint32_t first,
                           greedy_part *p)
{
    if (p->heavy == p->heavy_end) return;
    alias_entry heavy = *greedy_heavy(m, p->heavy);
    alias_signed excess = (alias_signed)alias_entry_amount(heavy);
    while (p->tried) {
        if (excess > 0) {
            if (p->light == p->light_end) break;
            const alias_entry light = m->items[p->light++];
            const alias_wide lack = alias_entry_amount(light);
            m->rows[greedy_slot(light.index)].item[alias_own_first(&job.scale, lack)] =
                first + heavy.index;
            excess -= (alias_signed)lack;
        } else {
            if (p->heavy + 1 == p->heavy_end) break;
            const alias_entry next = *greedy_heavy(m, ++p->heavy);
            greedy_row(m->rows, heavy.index, alias_split_heavy(&job.scale, (alias_wide)-excess),
                       first + heavy.index, first + next.index);
            excess += (alias_signed)alias_entry_amount(next);
            heavy = next;
        }
    }
    p->excess = excess > 0 ? (alias_wide)excess : 0;
    if (excess > 0) return;
    p->lack = (alias_wide)-excess; /* 0: it came out even, and its row is whole */
    if (p->lack > 0)
        greedy_row(m->rows, heavy.index, alias_split_heavy(&job.scale, p->lack),
                   first + heavy.index, first + heavy.index);
    p->heavy = p->heavy_end;
}

/* Calls list(heavy, amount, place) for everything the thread leaves, light items first. */
template <class List>
ALIAS_DEV void greedy_rest(const greedy_memory *m, const greedy_part &p, List list)
{
    if (p.lack > 0) list(false, p.lack, greedy_heavy(m, p.heavy_end - 1)->index);
    for (unsigned i = p.light; i < p.light_end; ++i)
        list(false, alias_entry_amount(m->items[i]), m->items[i].index);
    if (p.more_light != ~0u)
        list(false, alias_entry_amount(m->items[p.more_light]), m->items[p.more_light].index);
    for (unsigned j = p.heavy; j < p.heavy_end; ++j) {
        const alias_entry heavy = *greedy_heavy(m, j);
        list(true, j == p.heavy ? p.excess : alias_entry_amount(heavy), heavy.index);
    }
    if (p.more_heavy != ~0u)
        list(true, alias_entry_amount(*greedy_heavy(m, p.more_heavy)),
             greedy_heavy(m, p.more_heavy)->index);
}

template <class W>
ALIAS_DEV alias_tally greedy_classify(greedy_memory *m, const W *weights,
                                      const alias_front_job &job, uint32_t first)
{
    const alias_wide one = alias_one(&job.scale);
    double w[ALIAS_PER_THREAD];
    alias_wide q[ALIAS_PER_THREAD];
    uint32_t lights = 0, heavies = 0;
    alias_tally total;
    weights_load(weights, job.n, (uint64_t)first + threadIdx.x * ALIAS_PER_THREAD, w);
#pragma unroll
    for (unsigned k = 0; k < ALIAS_PER_THREAD; ++k) {
        q[k] = (uint64_t)first + threadIdx.x * ALIAS_PER_THREAD + k < job.n
                   ? alias_quantise(&job.scale, w[k])
                   : one;
        lights += q[k] < one;
        heavies += q[k] > one;
    }
    const alias_tally mine = tally_scan(tally_make(lights, 0, heavies, 0), m->warps, &total);
    unsigned light = mine.lights, heavy = mine.heavies;
#pragma unroll
    for (unsigned k = 0; k < ALIAS_PER_THREAD; ++k) {
        const unsigned local = threadIdx.x * ALIAS_PER_THREAD + k;
        alias_split split = {0.0, 0};
        if (q[k] < one) {
            split = alias_split_light(&job.scale, w[k], one - q[k]);
            entry_store(&m->items[light++], one - q[k], local);
        } else if (q[k] > one) {
            entry_store(&m->items[ALIAS_TILE - 1 - heavy++], q[k] - one, local);
        }
        greedy_row(m->rows, local, split, first + local, first + local);
    }
    __syncthreads();
    return total;
}

template <class W>
ALIAS_KERNEL(ALIAS_THREADS)
alias_front_greedy(const W *weights, alias_front_job job, alias_chain chain)
{
    ALIAS_SHARED(greedy_memory, m);
    const uint32_t tile = blockIdx.x, first = tile * ALIAS_TILE;
    greedy_part p = greedy_share(greedy_classify(m, weights, job, first), job.threshold);
    greedy_pack(m, job, first, &p);
    alias_wide lack = 0, excess = 0;
    uint32_t lights = 0, heavies = 0;
    greedy_rest(m, p, [&](bool heavy, alias_wide amount, unsigned) {
        (heavy ? excess : lack) += amount;
        ++(heavy ? heavies : lights);
    });
    alias_tally left;
    const alias_tally mine = tally_scan(tally_make(lights, lack, heavies, excess), m->warps, &left);
    if (threadIdx.x == 0) chain_publish(chain, tile, left);
    for (unsigned local = threadIdx.x; local < ALIAS_TILE && (uint64_t)first + local < job.n;
         local += ALIAS_THREADS)
        reinterpret_cast<uint4 *>(job.rows)[first + local] =
            reinterpret_cast<const uint4 *>(m->rows)[greedy_slot(local)];
    if (threadIdx.x < 32) {
        const alias_tally before = chain_before(chain, tile, left);
        if (threadIdx.x == 0) m->before = before;
        if (threadIdx.x == 0 && tile == job.tiles - 1) {
            job.counts[0] = before.lights + left.lights;
            job.counts[1] = before.heavies + left.heavies;
        }
    }
    __syncthreads();
    const alias_tally all = tally_add(m->before, mine);
    uint64_t light = all.lights, heavy = all.heavies;
    lack = tally_lack(all);
    excess = tally_excess(all);
    greedy_rest(m, p, [&](bool is_heavy, alias_wide amount, unsigned local) {
        (is_heavy ? excess : lack) += amount;
        const uint32_t mark =
            !is_heavy && alias_own_first(&job.scale, amount) ? ENTRY_OWN_FIRST : 0;
        entry_store(&job.entries[is_heavy ? job.n - 1 - heavy++ : light++],
                    is_heavy ? excess : lack, (first + local) | mark);
    });
}

#endif
