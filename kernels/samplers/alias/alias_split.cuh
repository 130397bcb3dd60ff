/* alias_split.cuh: where the sections of a parallel pack begin. After d steps of the construction i
 * light items are served and d - i heavy ones finished, where i is the largest number for which the
 * last light item still goes before the end of heavy item d - i. Either every thread bisects for
 * itself, or the threads of a block, whose splits lie close together, first narrow the range
 * together by looking at as many places as there are threads (partial p-ary search, Lehmann et al.
 * 2021). */
#ifndef LEVY_ALIAS_SPLIT_CUH
#define LEVY_ALIAS_SPLIT_CUH

#include "kernels/samplers/alias/alias_block.cuh"

/* Whether, of the first d steps, at least i serve light items. */
ALIAS_DEV bool split_serves(const alias_list_view &l, uint64_t i, uint64_t d)
{
    if (i == 0) return true;
    if (i > d || i > l.n_lights) return false;
    return d - i >= l.n_heavies || view_before_light(l, i - 1) < view_to_heavy(l, d - i);
}

ALIAS_DEV uint64_t split_bisect(const alias_list_view &l, uint64_t d, uint64_t low, uint64_t high)
{
    while (low < high) {
        const uint64_t middle = low + (high - low + 1) / 2;
        if (split_serves(l, middle, d))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

ALIAS_DEV uint64_t split_low(const alias_list_view &l, uint64_t d)
{
    return d > l.n_heavies ? d - l.n_heavies : 0;
}
ALIAS_DEV uint64_t split_high(const alias_list_view &l, uint64_t d)
{
    return d < l.n_lights ? d : l.n_lights;
}

ALIAS_DEV uint64_t split_steps(const alias_list_view &l, uint64_t section, uint64_t steps)
{
    const uint64_t all = l.n_lights + l.n_heavies, d = section * steps;
    return d < all ? d : all;
}

/* splits[s]: the light items served before section s; one more than there are sections. A block
 * does runs of ALIAS_THREADS. */
ALIAS_KERNEL(ALIAS_THREADS)
alias_split_binary(alias_device_lists lists, uint64_t steps, uint32_t *splits)
{
    const alias_list_view l = lists_view(lists);
    const uint64_t sections = (l.n_lights + l.n_heavies + steps - 1) / steps;
    for (uint64_t s = (uint64_t)blockIdx.x * ALIAS_THREADS + threadIdx.x; s <= sections;
         s += (uint64_t)gridDim.x * ALIAS_THREADS) {
        const uint64_t d = split_steps(l, s, steps);
        splits[s] = (uint32_t)split_bisect(l, d, split_low(l, d), split_high(l, d));
    }
}

struct split_range {
    unsigned long long low, high;
};

/* Narrows [low, high], which holds the splits after d0 and after d1 steps, until a round no longer
 * takes 7/8 of it. */
ALIAS_DEV void split_narrow(const alias_list_view &l, uint64_t d0, uint64_t d1, split_range *range)
{
    for (;;) {
        const uint64_t low = range->low, high = range->high, width = high - low;
        if (width < 2) return;
        const uint64_t pivot = low + 1 + (width - 1) * threadIdx.x / (ALIAS_THREADS - 1);
        const bool all = split_serves(l, pivot, d0), some = split_serves(l, pivot, d1);
        __syncthreads();
        if (all) atomicMax(&range->low, (unsigned long long)pivot);
        if (!some) atomicMin(&range->high, (unsigned long long)(pivot - 1));
        __syncthreads();
        if (range->high - range->low > width / 8) return;
    }
}

ALIAS_KERNEL(ALIAS_THREADS)
alias_split_partial(alias_device_lists lists, uint64_t steps, uint32_t *splits)
{
    __shared__ split_range range;
    const alias_list_view l = lists_view(lists);
    const uint64_t sections = (l.n_lights + l.n_heavies + steps - 1) / steps;
    for (uint64_t first = (uint64_t)blockIdx.x * ALIAS_THREADS; first <= sections;
         first += (uint64_t)gridDim.x * ALIAS_THREADS) {
        const uint64_t last =
            first + ALIAS_THREADS - 1 < sections ? first + ALIAS_THREADS - 1 : sections;
        const uint64_t d0 = split_steps(l, first, steps), d1 = split_steps(l, last, steps),
                       s = first + threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0) range = {split_low(l, d0), split_high(l, d1)};
        __syncthreads();
        split_narrow(l, d0, d1, &range);
        if (s > sections) continue;
        const uint64_t d = split_steps(l, s, steps), low = split_low(l, d), high = split_high(l, d);
        splits[s] = (uint32_t)split_bisect(l, d, low > range.low ? low : range.low,
                                           high < range.high ? high : range.high);
    }
}

#endif
