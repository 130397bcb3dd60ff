/* standalone.h: what the stand-alone objects on an open GPU (bridges, normals, paths, samplers,
 * draws) do alike with their kernel and their piece of memory. Must not know: what the kernel
 * computes. */
#ifndef LEVY_CUDA_DEVICE_STANDALONE_H
#define LEVY_CUDA_DEVICE_STANDALONE_H

#include "kernels/cuda/device/device.h"

/* A stand-alone object: kernels of one module and, if they read any, memory of the GPU. */
typedef struct levy_cuda_object {
    const struct levy_cuda_kind *kind;
    levy_device *device;
    const void *tables;
    void *module;
    levy_cuda_pointer data; /* 0: there is none */
    void *constants;        /* what a launch passes by value; NULL: nothing */
    levy_kernel_made made;
} levy_cuda_object;

/* What the kinds differ in. `object` is of the kind's own type, which begins with the above. */
typedef struct levy_cuda_kind {
    const char *name, *doing, *kernels; /* "a bridge", "making ...", "... kernel": in messages */
    size_t size;                        /* of the type */
    /* Fills in what `write` and `load` need. NULL: nothing. */
    levy_status (*prepare)(void *object, char *why);
    /* Sets the kernels' text, label and precision. */
    levy_status (*write)(void *object, levy_kernel *kernel, char *why);
    /* Loads them and what they read, in the device's context; keeps nothing of `kernel`. */
    levy_status (*load)(void *object, const levy_kernel *kernel, char *why);
    /* Queues the work on the call's stream and returns. */
    levy_status (*run)(void *object, const void *call, char *why);
} levy_cuda_kind;
extern const levy_cuda_kind levy_cuda_bridge, levy_cuda_normals, levy_cuda_paths, levy_cuda_sampler,
    levy_cuda_distribution, levy_cuda_draws;

/* The backend's functions of these names. The device stays open until the object is destroyed. */
levy_status levy_cuda_object_create(levy_device *device, levy_object_kind kind, const void *tables,
                                    void **object, char *why);
/* Of a kind that is none of the public ones. */
levy_status levy_cuda_object_make(levy_device *device, const levy_cuda_kind *kind,
                                  const void *tables, void **object, char *why);
levy_status levy_cuda_object_run(void *object, const void *call, char *why);
void levy_cuda_object_describe(void *object, levy_kernel_made *made);
void levy_cuda_object_destroy(void *object);

/* For `load`: the module, which is NULL after a failure, and its first `count` functions. */
levy_status levy_standalone_load(levy_cuda_object *object, const levy_kernel *kernel,
                                 const char *const *names, size_t count, void **functions,
                                 char *why);
/* Lets the function's blocks have so much dynamic shared memory. */
levy_status levy_standalone_share(levy_cuda_object *object, void *function, uint32_t shared_bytes,
                                  char *why);
/* Fills in what the driver says of a function; not knowing (-1) is no failure. Also the threads,
 * and whether the kernel was compiled. */
void levy_standalone_measure(levy_cuda_object *object, void *function, uint32_t threads,
                             uint32_t shared_bytes, const levy_kernel *kernel);
/* Makes the object's data of `size` bytes, which `write` fills in. `what` names them in messages.
 */
levy_status levy_standalone_fill(levy_cuda_object *object, size_t size, const char *what,
                                 void (*write)(const void *object, void *bytes), char *why);
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
/* Queues a launch on the stream. The context need not be current. */
levy_status levy_standalone_launch(levy_cuda_object *object, void *function,
                                   levy_standalone_grid grid, void *stream, void **arguments,
                                   char *why);
/* Memory of the GPU for another's use. `take`: LEVY_MEMORY with `why`. */
levy_status levy_standalone_take(levy_device *device, size_t size, void **memory, char *why);
/* Calls work(user) in the device's context. */
levy_status levy_standalone_within(levy_device *device, levy_status (*work)(void *user, char *why),
                                   void *user, char *why);
/* Gives memory and module back; 0 and NULL: there is none. */
void levy_standalone_drop(levy_device *device, levy_cuda_pointer data, void *module);

#endif
