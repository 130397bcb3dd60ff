/* standalone.h: what the stand-alone objects on an open GPU (bridges, normals, paths, samplers,
 * draws) do alike with their kernel and their piece of memory. Must not know: what the kernel
 * computes. */
#ifndef LEVY_CUDA_DEVICE_STANDALONE_H
#define LEVY_CUDA_DEVICE_STANDALONE_H

#include "kernels/cuda/device/device.h"

/* How the kernels of an object are made. */
typedef struct levy_standalone_maker {
    const char *what; /* "a bridge's kernel": in messages */
    void *object;     /* for the functions below */
    /* Sets the kernel's text, label and precision. */
    levy_status (*write)(void *object, levy_kernel *kernel, char *why);
    /* Loads them and what they read, in the device's context; keeps nothing of `kernel`. */
    levy_status (*load)(void *object, const levy_kernel *kernel, char *why);
} levy_standalone_maker;
/* Writes, compiles or finds, and loads. What was loaded is the object's also after a failure. */
levy_status levy_standalone_make(levy_device *device, const levy_standalone_maker *maker,
                                 char *why);
/* For `load`: the module, which is NULL after a failure, and its first `count` functions. */
levy_status levy_standalone_load(levy_device *device, const levy_kernel *kernel, const char *what,
                                 const char *const *names, size_t count, void **module,
                                 void **functions, char *why);
/* Lets the function's blocks have so much dynamic shared memory. */
levy_status levy_standalone_share(levy_device *device, void *function, uint32_t shared_bytes,
                                  const char *what, char *why);
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
typedef struct levy_standalone_grid {
    uint32_t x, y, threads, shared_bytes; /* blocks; of a block */
} levy_standalone_grid;
/* Queues a launch on the stream. `what`: "paths". The context need not be current. */
levy_status levy_standalone_launch(levy_device *device, void *function, levy_standalone_grid grid,
                                   void *stream, void **arguments, const char *what, char *why);
/* Memory of the GPU for another's use. `take`: LEVY_MEMORY with `why`. */
levy_status levy_standalone_take(levy_device *device, size_t size, void **memory, char *why);
/* Calls work(user) in the device's context. */
levy_status levy_standalone_within(levy_device *device, levy_status (*work)(void *user, char *why),
                                   void *user, char *why);
/* Gives memory and module back; 0 and NULL: there is none. */
void levy_standalone_drop(levy_device *device, levy_cuda_pointer data, void *module);

#endif
