/* cub_counts.cuh: what one writes with CUB where draws are to be counted or put in ascending order:
 * a histogram of the draws; a radix sort of them and the lengths of equal runs; of counts, their
 * prefix sum and ranges filled with one item each. Must not know: weights, how draws are made. */
#ifndef LEVY_BENCH_CUB_COUNTS_CUH
#define LEVY_BENCH_CUB_COUNTS_CUH

#include "bench/must.cuh"

#include <cstdint>

#include <cub/device/device_copy.cuh>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

struct cub_again { /* an item as often as one likes */
    __device__ thrust::constant_iterator<uint32_t> operator()(uint32_t item) const
    {
        return thrust::constant_iterator<uint32_t>(item);
    }
};

struct cub_place { /* where its range begins */
    uint32_t *expanded;
    const uint32_t *begins;
    __device__ uint32_t *operator()(uint32_t item) const { return expanded + begins[item]; }
};

/* Arrays of the GPU. */
struct cub_counts {
    uint32_t items;
    int draws;
    uint32_t *counts;                                          /* [items], given */
    uint32_t *histogram, *occurring, *lengths, *begins, *runs; /* [items] each */
    uint32_t *drawn;                                           /* [draws], given */
    uint32_t *sorted, *expanded;                               /* [draws] each */
    void *scratch;
    size_t scratch_bytes, asked; /* asked: the most that a call took since it was set to 0 */

    cub_counts(uint32_t n_items, int n_draws)
        : items(n_items), draws(n_draws), scratch(NULL), scratch_bytes(0), asked(0)
    {
        const size_t n = (size_t)n_items, all = (6 * n + 3 * (size_t)n_draws) * sizeof *counts;
        MUST(cudaMalloc(&counts, all));
        histogram = counts + n, occurring = counts + 2 * n, lengths = counts + 3 * n;
        begins = counts + 4 * n, runs = counts + 5 * n, drawn = counts + 6 * n;
        sorted = drawn + n_draws, expanded = sorted + n_draws;
        MUST(cudaMemset(counts, 0xff, all)); /* no item, no count: what nothing writes is wrong */
    }
    ~cub_counts() { cudaFree(counts), cudaFree(scratch); }

    /* Every function of CUB is called twice: without scratch it says how much it needs. That takes
     * the host alone, while the GPU draws. The first call allocates, and nobody measures it. */
    template <class F>
    void call(F function)
    {
        size_t bytes = 0;
        MUST(function((void *)NULL, bytes));
        asked = bytes > asked ? bytes : asked;
        if (bytes > scratch_bytes) {
            MUST(cudaFree(scratch));
            MUST(cudaMalloc(&scratch, scratch_bytes = bytes));
        }
        MUST(function(scratch, bytes));
    }

    /* Level: of the bins' bounds. With integers CUB divides 64 bits for each draw. In single it
     * multiplies, which is exact for fewer than 2^24 items. */
    template <class Level>
    void count()
    {
        call([&](void *at, size_t &bytes) {
            return cub::DeviceHistogram::HistogramEven(at, bytes, drawn, histogram, (int)items + 1,
                                                       (Level)0, (Level)items, draws);
        });
    }

    /* By the bits that items have, and no others. */
    void sort()
    {
        int bits = 1;
        while (bits < 32 && (items - 1) >> bits) ++bits;
        call([&](void *at, size_t &bytes) {
            return cub::DeviceRadixSort::SortKeys(at, bytes, drawn, sorted, draws, 0, bits);
        });
    }

    /* The items that occur, how often each does, and how many they are. */
    void encode()
    {
        call([&](void *at, size_t &bytes) {
            return cub::DeviceRunLengthEncode::Encode(at, bytes, sorted, occurring, lengths, runs,
                                                      draws);
        });
    }

    /* Each item as often as counted, in ascending order. */
    void expand()
    {
        const thrust::counting_iterator<uint32_t> item(0);
        const auto from = thrust::make_transform_iterator(item, cub_again{});
        const auto to = thrust::make_transform_iterator(item, cub_place{expanded, begins});
        call([&](void *at, size_t &bytes) {
            return cub::DeviceScan::ExclusiveSum(at, bytes, counts, begins, (int)items);
        });
        call([&](void *at, size_t &bytes) {
            return cub::DeviceCopy::Batched(at, bytes, from, to, counts, (int64_t)items);
        });
    }
};

#endif
