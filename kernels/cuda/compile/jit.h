/* jit.h: from a shape's text to a kernel, by NVRTC. The kernel's source and every header it
 * includes are built into the module. Must not know: devices, images, the disk cache. */
#ifndef LEVY_CUDA_COMPILE_JIT_H
#define LEVY_CUDA_COMPILE_JIT_H

#include "engine/run/backend.h"
#include "kernels/cuda/cuda_calls.h"

#include <stdatomic.h>

/* One embedded file, by its path from the root of the source tree. */
typedef struct levy_jit_file {
    const char *name, *text;
} levy_jit_file;
extern const levy_jit_file levy_jit_files[];
extern const size_t levy_jit_file_count;

enum { LEVY_JIT_ARCHITECTURE_SIZE = 24, LEVY_JIT_MAX_OPTIONS = 16 };

/* What the compiler is asked for. `ptx`: portable code for a device newer than the compiler. */
typedef struct levy_jit_target {
    char architecture[LEVY_JIT_ARCHITECTURE_SIZE]; /* "sm_90", or "compute_90" for PTX */
    bool ptx;
} levy_jit_target;

typedef struct levy_jit_kernel {
    void *data; /* CUBIN, or PTX with its NUL; of the caller's memory */
    size_t size;
    char *log; /* the compiler's own words, never NULL on success */
} levy_jit_kernel;

/* NVRTC's version: 1000 major + 10 minor. */
levy_status levy_jit_version(const levy_cuda_calls *calls, int *version, char *why);

/* The options, in order, for one target and precision: part of a kernel's identity. Returns their
 * count. */
int levy_jit_options(const levy_jit_target *target, bool single,
                     const char *options[LEVY_JIT_MAX_OPTIONS], char *buffer, size_t buffer_size);

/* Chooses by NVRTC's own list: CUBIN if it knows the device's architecture, else PTX of the newest
 * one it knows. PTX needs a driver that can read it: `driver_version` is 1000 major + 10 minor, 0:
 * not asked. */
levy_status levy_jit_choose(const levy_cuda_calls *calls, const levy_memory *memory, int capability,
                            int driver_version, levy_jit_target *target, char *why);

/* Whether compiling shall end; all threads that compile for a call share it. */
typedef struct levy_jit_stop {
    const levy_cancel *cancel; /* NULL: none */
    atomic_bool told;          /* once true it stays so */
} levy_jit_stop;
bool levy_jit_is_stopped(levy_jit_stop *stop);

/* Compiles `shape` in front of fused.cu, or of bridge.cu, normals.cu, paths.cu, sampler.cu,
 * draws.cu or distribution.cu where it defines BRIDGE_KERNELS, NORMALS_KERNELS, PATHS_KERNELS,
 * SAMPLER_KERNELS, DRAWS_KERNELS or DISTRIBUTION_KERNELS. Safe from several threads at once. On
 * LEVY_INTERNAL (the source does not compile) `why` takes the first error and kernel->log the whole
 * log (or NULL). LEVY_CANCELLED: `stop`, which may be NULL, is stopped. An NVRTC without
 * nvrtcSetFlowCallback ends what it has begun. */
levy_status levy_jit_compile(const levy_cuda_calls *calls, const levy_memory *memory,
                             const levy_jit_target *target, const char *shape, levy_jit_stop *stop,
                             levy_jit_kernel *kernel, char *why);

/* What a thread of a freshly compiled kernel takes, by the log: of the paths' kernel where there
 * are several. -1: the log does not say (PTX, or a kernel from a cache). */
typedef struct levy_jit_usage {
    int registers, stack, spilled;
    bool warned;
} levy_jit_usage;
levy_jit_usage levy_jit_usage_of(const levy_jit_kernel *kernel);

void levy_jit_release(const levy_memory *memory, levy_jit_kernel *kernel);

#endif
