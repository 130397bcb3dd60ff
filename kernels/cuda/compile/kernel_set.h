/* kernel_set.h: the kernels of a set of tiles: shapes, each once, from the shipped directory, the
 * user's cache or NVRTC, several at a time. Must not know: devices' memory, launches. */
#ifndef LEVY_CUDA_COMPILE_KERNEL_SET_H
#define LEVY_CUDA_COMPILE_KERNEL_SET_H

#include "engine/run/backend.h"
#include "kernels/cuda/compile/jit.h"
#include "kernels/cuda/compile/kernel_cache.h"
#include "kernels/cuda/compile/kernel_store.h"
#include "kernels/cuda/compile/shape.h"

/* Where kernels come from. */
typedef struct levy_kernel_source {
    const levy_cuda_calls *calls;
    const levy_memory *memory;
    const levy_kernel_cache *cache, *installed; /* NULL: none */
    levy_kernel_store *store;                   /* shared with other GPUs; NULL: there is none */
    levy_jit_target target;
    /* NVRTC's version, 1000 major + 10 minor; 0: there is none, so kernels come from the caches
     * alone */
    int compiler;
    const char *compiler_why; /* why there is none */
    levy_jit_stop *stop;      /* of the call; NULL: nothing stops it */
} levy_kernel_source;

typedef enum levy_kernel_origin {
    LEVY_KERNEL_INSTALLED,
    LEVY_KERNEL_CACHED,
    LEVY_KERNEL_COMPILED
} levy_kernel_origin;

typedef struct levy_kernel {
    char text[LEVY_SHAPE_TEXT_SIZE];
    char *scripts; /* the text of programs (scripts.h), behind the former; NULL: there is none */
    levy_cache_key shape; /* hash of the texts */
    bool held;            /* the caller has it already, so no code is fetched */
    levy_cache_id id;
    levy_jit_kernel code;
    levy_kernel_origin origin;
    double seconds; /* time that it took to get the kernel */
    /* errno, if a compiled kernel was not kept by the user's cache; 0: it was, or there is no
     * cache */
    int unkept;
    bool single;
    uint32_t lanes, shared_bytes, split; /* split: levy_shape_split */
    levy_status status;
    char why[LEVY_REASON_SIZE];
} levy_kernel;

typedef struct levy_kernel_set {
    const levy_memory *memory;
    levy_kernel *kernels; /* distinct shapes, in order of first use */
    size_t count;
    size_t *of_tile; /* [tile]: index in kernels */
} levy_kernel_set;

/* Gets one kernel, whose text, label, compiler and precision are set: sets its code and origin, or
 * its status and why. */
void levy_kernel_make(const levy_kernel_source *source, levy_kernel *kernel);
/* Whether a cache has the kernel, as it is described: getting it would then compile nothing. */
bool levy_kernel_is_kept(const levy_kernel_source *source, const levy_kernel *kernel);
/* Finds the distinct shapes of the tiles, without code. */
levy_status levy_kernel_set_describe(const levy_kernel_source *source, const levy_image *image,
                                     const levy_tile *tiles, size_t n_tiles, levy_kernel_set *set,
                                     char *why);
/* Gets the code of all kernels that are not held, or of each its status and why. cancel: NULL, or
 * what the calling thread asks meanwhile; then those that are not there yet are LEVY_CANCELLED. */
void levy_kernel_set_make(const levy_kernel_source *source, levy_kernel_set *set,
                          const levy_cancel *cancel);
/* The same, and all or nothing. On a failure `why` has the first one, and the set
 * is released; kernels that were compiled are in the cache for the next time. */
levy_status levy_kernel_set_fetch(const levy_kernel_source *source, levy_kernel_set *set,
                                  const levy_cancel *cancel, char *why);
void levy_kernel_set_release(levy_kernel_set *set);

#endif
