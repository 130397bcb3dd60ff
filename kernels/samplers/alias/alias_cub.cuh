/* alias_cub.cuh: PSA's partition and prefix sums by CUB's device-wide functions: items are
 * classified as they are read, from the weights themselves, and amounts are formed as they are
 * summed. */
#ifndef LEVY_ALIAS_CUB_CUH
#define LEVY_ALIAS_CUB_CUH

#include "kernels/samplers/alias/alias_block.cuh"

#include <cub/device/device_partition.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

template <class W>
struct cub_is_light {
    const W *weights;
    alias_scale scale;
    __device__ bool operator()(uint32_t i) const
    {
        return alias_quantise(&scale, (double)weights[i]) < alias_one(&scale);
    }
};

template <class W>
struct cub_amount {
    const W *weights;
    alias_scale scale;
    bool heavy;
    __device__ alias_entry operator()(uint32_t i) const
    {
        const alias_wide q = alias_quantise(&scale, (double)weights[i]), one = alias_one(&scale);
        return alias_entry_make(heavy ? q - one : one - q, i);
    }
};

/* Running sums; the number is that of the later item. */
struct cub_add {
    __device__ alias_entry operator()(const alias_entry &a, const alias_entry &b) const
    {
        return alias_entry_make(alias_entry_amount(a) + alias_entry_amount(b), b.index);
    }
};

/* Light items first, in order; the others, items of exactly one share among them, behind, in
 * reverse order. */
template <class W>
static cudaError_t alias_cub_partition(void *temporary, size_t *bytes, const W *weights, uint64_t n,
                                       const alias_scale &scale, uint32_t *items,
                                       uint32_t *n_lights, cudaStream_t stream)
{
    const cub_is_light<W> light = {weights, scale};
    return cub::DevicePartition::If(temporary, *bytes, thrust::make_counting_iterator<uint32_t>(0),
                                    items, n_lights, (int64_t)n, light, stream);
}

template <class W>
static cudaError_t alias_cub_sums(void *temporary, size_t *bytes, const W *weights,
                                  const alias_scale &scale, bool heavy, const uint32_t *items,
                                  uint64_t n, alias_entry *entries, cudaStream_t stream)
{
    const cub_amount<W> amount = {weights, scale, heavy};
    const auto from = thrust::make_transform_iterator(items, amount);
    return cub::DeviceScan::InclusiveScan(temporary, *bytes, from, entries, cub_add(), (int64_t)n,
                                          stream);
}

#endif
