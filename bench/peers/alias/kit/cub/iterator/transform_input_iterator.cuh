/* transform_input_iterator.cuh: the iterators that CUB of CUDA 13 no longer has, by Thrust's, so
 * that KIT's alias-table-gpu of 2021 compiles as it is. */
#pragma once

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace cub
{

template <class Value, class Operator, class Iterator>
struct TransformInputIterator : thrust::transform_iterator<Operator, Iterator, Value> {
    TransformInputIterator(Iterator from, Operator by)
        : thrust::transform_iterator<Operator, Iterator, Value>(from, by)
    {
    }
};

template <class Value>
using CountingInputIterator = thrust::counting_iterator<Value>;

} // namespace cub
