/* counting_input_iterator.cuh: see transform_input_iterator.cuh. */
#pragma once

#include <cub/iterator/transform_input_iterator.cuh>
