/* sampler_launch.h: the stand-alone weighted sampler on an open GPU. Must not know: weights, the
 * public interface. */
#ifndef LEVY_CUDA_DEVICE_SAMPLER_LAUNCH_H
#define LEVY_CUDA_DEVICE_SAMPLER_LAUNCH_H

#include "kernels/cuda/device/device.h"

/* What stands in front of sampler.cu for NVRTC. */
void levy_sampler_shape_write(char *text, size_t size);

/* What the kernels read, one after the other in one piece of memory: rows, thresholds, cumulative
 * probabilities, cut points. */
enum { LEVY_SAMPLER_PARTS = 4 };
typedef struct levy_sampler_part {
    const void *bytes;
    size_t size;
} levy_sampler_part;
void levy_sampler_parts(const levy_sampler_tables *tables,
                        levy_sampler_part parts[LEVY_SAMPLER_PARTS]);

/* A launch: its blocks, and its arguments as sampler.cu has them. `data`: where on the device the
 * parts are; `processors`: of the GPU. Returns the number of blocks. */
typedef struct levy_sampler_arguments {
    uint64_t rows, thresholds, cumulative, start, u, output, seed, first, n;
    double share;
    uint32_t items, cells, lead, own;
} levy_sampler_arguments;
enum { LEVY_SAMPLER_THREADS = 256, LEVY_SAMPLER_LANES = 4 };
uint32_t levy_sampler_launch_write(uint64_t items, uint32_t cells, double share,
                                   const levy_sampler_call *call, uint64_t data, int processors,
                                   levy_sampler_arguments *arguments);

#endif
