/* distribution_launch.h: a stand-alone distribution on an open GPU. Must not know: the public
 * interface. */
#ifndef LEVY_CUDA_DEVICE_DISTRIBUTION_LAUNCH_H
#define LEVY_CUDA_DEVICE_DISTRIBUTION_LAUNCH_H

#include "kernels/cuda/device/device.h"

/* What stands in front of distribution.cu for NVRTC. */
void levy_distribution_shape_write(const levy_distribution_law *law, char *text, size_t size);

/* A launch: its blocks, and its arguments as distribution.cu has them. `table`: where on the device
 * the law's table is. Returns the number of blocks. */
typedef struct levy_distribution_arguments {
    uint64_t output, words, each[2], seed, first, n, table;
    double parameters[2], least[2], most[2], scale;
    uint32_t open[2], substream, lead, aligned;
} levy_distribution_arguments;
enum { LEVY_DISTRIBUTION_THREADS = 256, LEVY_DISTRIBUTION_TILE = 4096 };
uint32_t levy_distribution_launch_write(const levy_distribution_law *law,
                                        const levy_distribution_call *call, uint64_t table,
                                        levy_distribution_arguments *arguments);

#endif
