/* kernel_store.h: kernels that several GPUs of a process share: each is got once, whoever wants it
 * first, and others wait for it. What the cache on disk keeps is not kept here beside it. Must not
 * know: NVRTC, devices, what a kernel computes. */
#ifndef LEVY_CUDA_COMPILE_KERNEL_STORE_H
#define LEVY_CUDA_COMPILE_KERNEL_STORE_H

#include "kernels/cuda/compile/kernel_cache.h"

#include <stdbool.h>

typedef struct levy_kernel_store levy_kernel_store;

/* Has one owner. NULL: no memory. */
levy_kernel_store *levy_kernel_store_create(const levy_memory *memory);
/* One more owner; and one less: the last one destroys it. NULL is fine. */
levy_kernel_store *levy_kernel_store_share(levy_kernel_store *store);
void levy_kernel_store_release(levy_kernel_store *store);

/* True: *data is a copy in the caller's memory. False: the caller is to get the kernel and to call
 * levy_kernel_store_end, whatever comes of it; until then others wait. */
bool levy_kernel_store_begin(levy_kernel_store *store, const levy_memory *memory,
                             const levy_cache_id *id, void **data, size_t *size);
/* `data` NULL: nothing is kept, and whoever waits gets the kernel next. */
void levy_kernel_store_end(levy_kernel_store *store, const levy_cache_id *id, const void *data,
                           size_t size);

#endif
