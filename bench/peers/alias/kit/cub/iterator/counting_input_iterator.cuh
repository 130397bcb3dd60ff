/* counting_input_iterator.cuh: see transform_input_iterator.cuh. */
#pragma once

#include "transform_input_iterator.cuh"
