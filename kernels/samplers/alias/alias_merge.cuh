/* alias_merge.cuh: packing by a whole block at once: ALIAS_TILE steps of the construction, whose
 * items' positions lie in shared memory. Every light item searches its heavy item, and every heavy
 * item its end, as in alias_tile.cuh: no thread runs a section on its own, and loads are in order.
 */
#ifndef LEVY_ALIAS_MERGE_CUH
#define LEVY_ALIAS_MERGE_CUH

#include "kernels/samplers/alias/alias_pack.cuh"
#include "kernels/samplers/alias/alias_tile.cuh"

/* Light items from the start, heavy ones from the end backwards; one heavy item more, and one
 * position of a light one.
 */
struct merge_memory {
    uint64_t position[ALIAS_TILE + 1];
    uint32_t number[ALIAS_TILE + 1];
};

/* A section: light items from i0 on, heavy items that end in it from j0 on. */
struct merge_range {
    uint64_t i0, j0;
    unsigned lights, heavies;
    /* taken from all sums, one share before the first light item's: nothing is negative */
    fix96 base;
};

ALIAS_DEV fix96 entry_fix(alias_entry e)
{
    return {(uint32_t)e.low, (uint32_t)(e.low >> 32), e.high};
}

ALIAS_DEV merge_range merge_range_of(const alias_list_view &l, const alias_scale &scale,
                                     uint64_t i0, uint64_t i1, uint64_t j0, uint64_t j1)
{
    const fix96 before = i0 > 0 ? entry_fix(view_light(l, i0 - 1)) : fix96{0, 0, 0},
                one = {0, 0, 1u << (scale.fraction - 64)};
    return {i0, j0, (unsigned)(i1 - i0), (unsigned)(j1 - j0), fix_sub(before, one)};
}

ALIAS_DEV void merge_load(const alias_list_view &l, const alias_scale &scale, const merge_range &r,
                          merge_memory *m)
{
    const unsigned shift = (unsigned)scale.fraction - ALIAS_BITS;
    const fix96 up = {(1u << shift) - 1, 0, 0};
    if (threadIdx.x == 0) m->position[0] = (uint64_t)1 << ALIAS_BITS;
    for (unsigned k = threadIdx.x; k < r.lights; k += ALIAS_THREADS) {
        const alias_entry e = view_light(l, r.i0 + k);
        m->number[k] = e.index;
        m->position[k + 1] = tile_position(fix_sub(entry_fix(e), r.base), shift);
    }
    for (unsigned k = threadIdx.x; k <= r.heavies && r.j0 + k < l.n_heavies; k += ALIAS_THREADS) {
        const alias_entry e = view_heavy(l, r.j0 + k);
        m->number[ALIAS_TILE - k] = e.index;
        if (k < r.heavies)
            m->position[ALIAS_TILE - k] =
                tile_position(fix_add(fix_sub(entry_fix(e), r.base), up), shift);
    }
}

template <int ROWS, class W>
ALIAS_DEV void merge_serve(const alias_pack_job<W> &job, const alias_list_view &l,
                           const merge_range &r, const merge_memory *m)
{
    for (unsigned k = threadIdx.x; k < r.lights; k += ALIAS_THREADS) {
        const unsigned j = heavy_above(m->position + 1, 0, r.heavies, m->position[k]);
        const uint32_t entry = m->number[k], own = entry & ENTRY_NUMBER;
        const uint32_t partner = r.j0 + j < l.n_heavies ? m->number[ALIAS_TILE - j] : own;
        if (ROWS == ROWS_WRITE) {
            const alias_wide lack =
                alias_entry_amount(view_light(l, r.i0 + k)) - view_before_light(l, r.i0 + k);
            row_store(&job.rows[own], alias_split_light(&job.scale, (double)job.weights[own], lack),
                      own, partner);
        } else {
            job.rows[own].item[entry != own] = partner;
        }
    }
}

template <class W>
ALIAS_DEV void merge_end(const alias_pack_job<W> &job, const alias_list_view &l,
                         const merge_range &r, const merge_memory *m)
{
    for (unsigned k = threadIdx.x; k < r.heavies; k += ALIAS_THREADS) {
        const unsigned found = light_at(m->position, 0, r.lights + 1, m->position[ALIAS_TILE - k]);
        const uint64_t i = r.i0 + (found < r.lights ? found : r.lights);
        const alias_wide lacks = view_before_light(l, i), excesses = view_to_heavy(l, r.j0 + k);
        const bool whole = lacks < excesses; /* at the lists' end, by what rounding leaves */
        const bool next = r.j0 + k + 1 < l.n_heavies && !whole;
        const uint32_t own = m->number[ALIAS_TILE - k];
        row_store(&job.rows[own], alias_split_heavy(&job.scale, whole ? 0 : lacks - excesses), own,
                  next ? m->number[ALIAS_TILE - 1 - k] : own);
    }
}

/* Sections are of ALIAS_TILE steps. */
template <int ROWS, class W>
ALIAS_KERNEL(ALIAS_THREADS)
alias_pack_merge(alias_pack_job<W> job)
{
    ALIAS_SHARED(merge_memory, m);
    const alias_list_view l = lists_view(job.lists);
    const uint64_t sections = pack_sections(l, ALIAS_TILE);
    for (uint64_t k = blockIdx.x; k < sections; k += gridDim.x) {
        const uint64_t i0 = job.splits[k], i1 = job.splits[k + 1];
        const merge_range r =
            merge_range_of(l, job.scale, i0, i1, split_steps(l, k, ALIAS_TILE) - i0,
                           split_steps(l, k + 1, ALIAS_TILE) - i1);
        __syncthreads();
        merge_load(l, job.scale, r, m);
        __syncthreads();
        merge_serve<ROWS>(job, l, r, m);
        merge_end(job, l, r, m);
    }
}

#endif
