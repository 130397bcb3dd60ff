/* alias_pack.cuh: packing as PSA has it: a thread runs the sequential construction over its
 * section, from the state that the split gives. Three ways to the lists (Lehmann et al. 2021):
 * straight from device memory; a block's part copied to shared memory first; and chunks of it
 * copied as they are used up, for sections that need not fit. The lists hold running sums beside
 * the items' numbers, or the numbers alone, and then weights are looked up. Rows of listed light
 * items exist but for the partner (ROWS_LINK), or are written here (ROWS_WRITE). */
#ifndef LEVY_ALIAS_PACK_CUH
#define LEVY_ALIAS_PACK_CUH

#include "kernels/samplers/alias/alias_split.cuh"

template <class W>
struct alias_pack_job {
    alias_scale scale;
    const W *weights;
    levy_alias_row *rows;
    alias_device_lists lists;
    const uint32_t *light_items, *heavy_items; /* lists of numbers alone: both forwards */
    const uint32_t *splits;
    uint64_t steps; /* of a section */
};

enum alias_rows_kind { ROWS_LINK, ROWS_WRITE };

struct pack_item {
    uint32_t index;
    alias_wide amount;
}; /* what it lacks, or its excess */

/* Lists with running sums, from `light0` and `heavy0` on. */
struct pack_entries {
    const alias_entry *lights, *heavies;
    int64_t heavy_step;
    uint64_t light0, heavy0;
    __device__ pack_item light(uint64_t i, alias_wide before) const
    {
        const alias_entry e = entry_load(lights + (i - light0));
        return {e.index, alias_entry_amount(e) - before};
    }
    __device__ pack_item heavy(uint64_t j, alias_wide before) const
    {
        const alias_entry e = entry_load(heavies + (int64_t)(j - heavy0) * heavy_step);
        return {e.index, alias_entry_amount(e) - before};
    }
};

/* Lists of numbers; amounts from the weights. */
template <class W>
struct pack_numbers {
    const uint32_t *lights, *heavies;
    uint64_t light0, heavy0;
    const W *weights;
    alias_scale scale;
    __device__ pack_item light(uint64_t i, alias_wide) const
    {
        const uint32_t index = lights[i - light0];
        return {index, alias_one(&scale) - alias_quantise(&scale, (double)weights[index])};
    }
    __device__ pack_item heavy(uint64_t j, alias_wide) const
    {
        const uint32_t index = heavies[j - heavy0];
        return {index, alias_quantise(&scale, (double)weights[index]) - alias_one(&scale)};
    }
};

struct pack_state {
    uint64_t i, j;              /* light items served, heavy ones ended */
    alias_wide lacks, excesses; /* before light item i; up to and with heavy item j */
    uint32_t heavy;             /* its number */
};

ALIAS_DEV pack_state pack_begin(const alias_list_view &l, uint64_t i, uint64_t j)
{
    pack_state s = {i, j, view_before_light(l, i), 0, 0};
    if (j < l.n_heavies) {
        const alias_entry e = view_heavy(l, j);
        s.excesses = alias_entry_amount(e);
        s.heavy = e.index;
    }
    return s;
}

template <int ROWS, class W, class Reader>
ALIAS_DEV void pack_serve(const alias_pack_job<W> &job, const alias_list_view &l,
                          const Reader &reader, pack_state *s)
{
    const pack_item own = reader.light(s->i, s->lacks);
    const uint32_t number = own.index & ENTRY_NUMBER,
                   partner = s->j < l.n_heavies ? s->heavy : number;
    if (ROWS == ROWS_WRITE)
        row_store(&job.rows[number],
                  alias_split_light(&job.scale, (double)job.weights[number], own.amount), number,
                  partner);
    else
        job.rows[number].item[own.index != number] = partner;
    s->lacks += own.amount;
    ++s->i;
}

/* Ends heavy item j; also one for which rounding left no light item, whose row stays whole. */
template <class W, class Reader>
ALIAS_DEV void pack_end(const alias_pack_job<W> &job, const alias_list_view &l,
                        const Reader &reader, pack_state *s)
{
    const uint32_t own = s->heavy;
    const bool whole = s->lacks < s->excesses;
    const alias_wide lack = whole ? 0 : s->lacks - s->excesses;
    ++s->j;
    pack_item next = {own, 0};
    if (s->j < l.n_heavies) next = reader.heavy(s->j, s->excesses);
    row_store(&job.rows[own], alias_split_heavy(&job.scale, lack), own, whole ? own : next.index);
    s->excesses += next.amount;
    s->heavy = next.index;
}

template <int ROWS, class W, class Reader>
ALIAS_DEV void pack_step(const alias_pack_job<W> &job, const alias_list_view &l,
                         const Reader &reader, pack_state *s)
{
    if (s->j < l.n_heavies && (s->lacks >= s->excesses || s->i == l.n_lights))
        pack_end(job, l, reader, s);
    else
        pack_serve<ROWS>(job, l, reader, s);
}

ALIAS_DEV uint64_t pack_sections(const alias_list_view &l, uint64_t steps)
{
    return (l.n_lights + l.n_heavies + steps - 1) / steps;
}

template <class W>
ALIAS_DEV pack_entries pack_reader(const alias_pack_job<W> &job, pack_entries *)
{
    return {job.lists.lights, job.lists.heavies, job.lists.heavy_step, 0, 0};
}
template <class W>
ALIAS_DEV pack_numbers<W> pack_reader(const alias_pack_job<W> &job, pack_numbers<W> *)
{
    return {job.light_items, job.heavy_items, 0, 0, job.weights, job.scale};
}

template <int ROWS, class Reader, class W>
ALIAS_KERNEL(ALIAS_THREADS)
alias_pack_baseline(alias_pack_job<W> job)
{
    const alias_list_view l = lists_view(job.lists);
    const Reader reader = pack_reader(job, (Reader *)0);
    const uint64_t sections = pack_sections(l, job.steps);
    for (uint64_t k = (uint64_t)blockIdx.x * ALIAS_THREADS + threadIdx.x; k < sections;
         k += (uint64_t)gridDim.x * ALIAS_THREADS) {
        const uint64_t begin = split_steps(l, k, job.steps), end = split_steps(l, k + 1, job.steps),
                       i = job.splits[k];
        pack_state s = pack_begin(l, i, begin - i);
        for (uint64_t step = begin; step < end; ++step) pack_step<ROWS>(job, l, reader, &s);
    }
}

/* ---- Shared memory --------------------------------------------------------------------------- */

enum {
    PACK_WORKERS = 64,
    PACK_SHARED_STEPS = 32,
    PACK_COPIED = PACK_WORKERS * PACK_SHARED_STEPS + 2
};

template <class Item>
struct pack_copied {
    Item items[PACK_COPIED];
};

ALIAS_DEV pack_entries pack_copy(const pack_entries &from, alias_entry *to, uint64_t i0,
                                 uint64_t i1, uint64_t j0, uint64_t j1)
{
    for (uint64_t i = i0 + threadIdx.x; i < i1; i += ALIAS_THREADS)
        to[i - i0] = entry_load(from.lights + i);
    for (uint64_t j = j0 + threadIdx.x; j < j1; j += ALIAS_THREADS)
        to[i1 - i0 + (j - j0)] = entry_load(from.heavies + (int64_t)j * from.heavy_step);
    return {to, to + (i1 - i0), 1, i0, j0};
}
template <class W>
ALIAS_DEV pack_numbers<W> pack_copy(const pack_numbers<W> &from, uint32_t *to, uint64_t i0,
                                    uint64_t i1, uint64_t j0, uint64_t j1)
{
    for (uint64_t i = i0 + threadIdx.x; i < i1; i += ALIAS_THREADS) to[i - i0] = from.lights[i];
    for (uint64_t j = j0 + threadIdx.x; j < j1; j += ALIAS_THREADS)
        to[i1 - i0 + (j - j0)] = from.heavies[j];
    return {to, to + (i1 - i0), i0, j0, from.weights, from.scale};
}

/* PACK_WORKERS sections a block. */
template <int ROWS, class Reader, class Item, class W>
ALIAS_KERNEL(ALIAS_THREADS)
alias_pack_shared(alias_pack_job<W> job)
{
    ALIAS_SHARED(pack_copied<Item>, m);
    const alias_list_view l = lists_view(job.lists);
    const uint64_t sections = pack_sections(l, job.steps);
    for (uint64_t first = (uint64_t)blockIdx.x * PACK_WORKERS; first < sections;
         first += (uint64_t)gridDim.x * PACK_WORKERS) {
        const uint64_t last = first + PACK_WORKERS < sections ? first + PACK_WORKERS : sections;
        const uint64_t i0 = job.splits[first], i1 = job.splits[last],
                       d0 = split_steps(l, first, job.steps), d1 = split_steps(l, last, job.steps);
        const uint64_t beyond =
            /* the last section's next heavy item */
            d1 - i1 + 1 < l.n_heavies ? d1 - i1 + 1 : l.n_heavies;
        __syncthreads();
        const Reader reader =
            pack_copy(pack_reader(job, (Reader *)0), m->items, i0, i1, d0 - i0, beyond);
        __syncthreads();
        const uint64_t k = first + threadIdx.x;
        if (k >= last) continue;
        const uint64_t begin = split_steps(l, k, job.steps), end = split_steps(l, k + 1, job.steps),
                       i = job.splits[k];
        pack_state s = pack_begin(l, i, begin - i);
        for (uint64_t step = begin; step < end; ++step) pack_step<ROWS>(job, l, reader, &s);
    }
}

/* ---- Chunks ---------------------------------------------------------------------------------- */

enum { PACK_CHUNK = 16 };

struct pack_chunks {
    alias_entry lights[PACK_WORKERS][PACK_CHUNK], heavies[PACK_WORKERS][PACK_CHUNK];
    uint64_t i[PACK_WORKERS], j[PACK_WORKERS]; /* where the chunks start */
    unsigned load[PACK_WORKERS];               /* 1: light items, 2: heavy ones */
};

ALIAS_DEV void pack_load_chunks(const alias_list_view &l, pack_chunks *m)
{
    for (unsigned t = threadIdx.x; t < PACK_WORKERS * PACK_CHUNK; t += ALIAS_THREADS) {
        const unsigned w = t / PACK_CHUNK, k = t % PACK_CHUNK;
        if ((m->load[w] & 1) && m->i[w] + k < l.n_lights)
            m->lights[w][k] = view_light(l, m->i[w] + k);
        if ((m->load[w] & 2) && m->j[w] + k < l.n_heavies)
            m->heavies[w][k] = view_heavy(l, m->j[w] + k);
    }
}

/* A chunk is loaded anew when one of the worker's two is used up, and the other too if more than
 * half of it is. */
ALIAS_DEV unsigned pack_wants(const pack_state &s, const pack_chunks *m, unsigned w)
{
    const uint64_t lights = s.i - m->i[w], heavies = s.j + 1 - m->j[w];
    const unsigned light = lights > PACK_CHUNK / 2, heavy = heavies > PACK_CHUNK / 2;
    return light | heavy << 1;
}

template <int ROWS, class W>
ALIAS_KERNEL(ALIAS_THREADS)
alias_pack_chunked(alias_pack_job<W> job)
{
    ALIAS_SHARED(pack_chunks, m);
    const alias_list_view l = lists_view(job.lists);
    const uint64_t sections = pack_sections(l, job.steps);
    const unsigned w = threadIdx.x;
    for (uint64_t first = (uint64_t)blockIdx.x * PACK_WORKERS; first < sections;
         first += (uint64_t)gridDim.x * PACK_WORKERS) {
        const uint64_t k = first + w;
        const bool works = w < PACK_WORKERS && k < sections;
        uint64_t left = 0;
        pack_state s = {0, 0, 0, 0, 0};
        if (works) {
            const uint64_t begin = split_steps(l, k, job.steps), i = job.splits[k];
            left = split_steps(l, k + 1, job.steps) - begin;
            s = pack_begin(l, i, begin - i);
        }
        unsigned wants = works ? 3u : 0u;
        while (__syncthreads_or(left > 0)) {
            if (w < PACK_WORKERS) {
                m->load[w] = left > 0 ? wants : 0;
                if (wants & 1) m->i[w] = s.i;
                if (wants & 2) m->j[w] = s.j;
            }
            __syncthreads();
            pack_load_chunks(l, m);
            __syncthreads();
            if (left == 0) continue;
            const pack_entries reader = {m->lights[w], m->heavies[w], 1, m->i[w], m->j[w]};
            while (left > 0 && s.i < m->i[w] + PACK_CHUNK && s.j + 1 < m->j[w] + PACK_CHUNK) {
                pack_step<ROWS>(job, l, reader, &s);
                --left;
            }
            wants = pack_wants(s, m, w);
        }
    }
}

#endif
