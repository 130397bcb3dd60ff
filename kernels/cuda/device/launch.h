/* launch.h: the work of the CUDA backend: an image on a device, its kernels, and batches of blocks.
 * Batches run in pieces that fit the memory and are short enough for a cancel. The pieces never
 * affect a bit of a result: a block's sums depend on the image and the block's number alone. Must
 * not know: files, the environment. */
#ifndef LEVY_CUDA_DEVICE_LAUNCH_H
#define LEVY_CUDA_DEVICE_LAUNCH_H

#include "kernels/cuda/device/device.h"

typedef struct levy_cuda levy_cuda; /* a backend's state */

/* The functions of levy_backend, over whatever call table they are given. */
levy_status levy_cuda_open(const levy_cuda_calls *calls, const levy_backend_options *options,
                           levy_cuda **cuda, char *why);
/* As levy_backend.beside. */
levy_status levy_cuda_open_beside(levy_cuda *first, levy_cuda **cuda, char *why);
void levy_cuda_close(levy_cuda *cuda);
void levy_cuda_describe(const levy_cuda *cuda, levy_backend_info *info);
void levy_cuda_watch(levy_cuda *cuda, const levy_cancel *cancel); /* as levy_backend.watch */
levy_status levy_cuda_load(levy_cuda *cuda, const levy_image *image, const levy_tile *tiles,
                           size_t n_tiles, char *why);
/* As levy_backend.foresee. */
levy_status levy_cuda_foresee(levy_cuda *cuda, const levy_image *image, const levy_tile *tiles,
                              size_t n_tiles);
size_t levy_cuda_missing(levy_cuda *cuda); /* as levy_backend.missing */
levy_status levy_cuda_simulate(levy_cuda *cuda, const levy_batch *batch, const levy_cancel *cancel,
                               levy_block_sum *sums, double *seconds, char *why);
/* As levy_backend.fit. */
levy_status levy_cuda_fit(levy_cuda *cuda, const struct levy_rule_pass *pass, double *fitted,
                          char *why);
void levy_cuda_unload(levy_cuda *cuda);
levy_device *levy_cuda_device(levy_cuda *cuda); /* for other work on the device */
/* The stream on which it simulates. */
void *levy_cuda_stream(levy_cuda *cuda);
levy_status levy_cuda_build(const levy_cuda_calls *calls, const levy_backend_options *options,
                            const char *architecture, const levy_image *image,
                            const levy_tile *tiles, size_t n_tiles, char *report,
                            size_t report_size, char *why);
levy_status levy_cuda_cache(const levy_backend_options *options, int action,
                            int (*write)(void *, const char *, size_t), void *user);

#endif
