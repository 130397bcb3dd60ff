/* standalone.h: what the stand-alone objects on an open GPU (bridges, normals, paths, samplers,
 * draws) do alike with their kernel and their piece of memory. Must not know: what the kernel
 * computes. */
#ifndef LEVY_CUDA_DEVICE_STANDALONE_H
#define LEVY_CUDA_DEVICE_STANDALONE_H

#include "kernels/cuda/device/device.h"

/* Gets the code of a kernel of which text, label and precision are set. */
levy_status levy_standalone_compile(levy_device *device, levy_kernel *kernel, char *why);
/* Fills in what the driver says of a function; not knowing (-1) is no failure. Also the threads,
 * and whether the kernel was compiled. */
void levy_standalone_measure(levy_device *device, void *function, uint32_t threads,
                             uint32_t shared_bytes, const levy_kernel *kernel,
                             levy_kernel_made *made);
/* Copies bytes to memory of the GPU, which is the caller's also after a failure. `what` names them
 * in a message: "a bridge's program". */
levy_status levy_standalone_upload(levy_device *device, const void *bytes, size_t size,
                                   const char *what, levy_cuda_pointer *data, char *why);
/* Copies bytes of the GPU's memory to the host, piece by piece, after the work on the stream, and
 * waits for them. The context need not be current. */
levy_status levy_standalone_download(levy_device *device, void *to, levy_cuda_pointer from,
                                     size_t size, void *stream, char *why);
/* Gives memory and module back; 0 and NULL: there is none. */
void levy_standalone_drop(levy_device *device, levy_cuda_pointer data, void *module);

#endif
