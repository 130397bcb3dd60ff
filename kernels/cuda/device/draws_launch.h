/* draws_launch.h: draws from each of many distributions on an open GPU: two precisions, each a
 * module of kernels of its own. Must not know: weights, the public interface. */
#ifndef LEVY_CUDA_DEVICE_DRAWS_LAUNCH_H
#define LEVY_CUDA_DEVICE_DRAWS_LAUNCH_H

#include "kernels/cuda/device/device.h"

/* What stands in front of draws.cu for NVRTC. */
void levy_draws_shape_write(bool single, char *text, size_t size);

/* The kernels of draws.cu, in its order; double precision has none that loads four weights. */
typedef enum levy_draws_kernel {
    LEVY_DRAWS_EACH,
    LEVY_DRAWS_BLOCK,
    LEVY_DRAWS_ONE,
    LEVY_DRAWS_TWO,
    LEVY_DRAWS_FOUR,
    LEVY_DRAWS_KERNELS
} levy_draws_kernel;

/* A launch: its arguments as draws.cu has them, its kernel and its grid. */
typedef struct levy_draws_arguments {
    uint64_t theta, phi, states, words, items, fault, n_paths, seed, first_path, first_draw;
    uint32_t theta_bytes, phi_bytes, n_items, n_states, n_draws, together;
} levy_draws_arguments;
typedef struct levy_draws_launch {
    levy_draws_arguments arguments;
    levy_draws_kernel kernel;
    uint32_t blocks, rows, threads, shared_bytes;
} levy_draws_launch;
enum { LEVY_DRAWS_THREADS = 128, LEVY_DRAWS_SHARED = 64 << 10 };
/* `processors`: of the GPU. */
void levy_draws_launch_write(const levy_draws_call *call, int processors,
                             levy_draws_launch *launch);

#endif
