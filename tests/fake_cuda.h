/* fake_cuda.h: a CUDA driver and an NVRTC that need neither: a call table over host memory. Device
 * memory is host memory, a compiled kernel is its shape's text, a launch runs a function of the
 * test's. It counts what is held, checks every copy against the memory it was given, carries copies
 * out only when somebody waits for them, and fails the n-th call on request. One fake per process,
 * reset before each test. Must not know: how the module works. */
#ifndef LEVY_TESTS_FAKE_CUDA_H
#define LEVY_TESTS_FAKE_CUDA_H

#include "engine/run/backend.h"
#include "kernels/cuda/cuda_calls.h"

enum { FAKE_DEVICES = 8 };

typedef struct fake_cuda {
    /* the machine */
    int driver_version, devices, capability, compiler_major, compiler_minor, newest_arch;
    int shared_limit;   /* bytes of shared memory of a block */
    size_t free_memory; /* of the device; allocations take from it */
    /* of each device where there are several; 0: as above. `full`: bytes that others have taken */
    int capabilities[FAKE_DEVICES], processors[FAKE_DEVICES];
    size_t full[FAKE_DEVICES];
    bool monitor; /* NVML is there; cuda:0 and cuda:1 have NVLink between them */
    levy_status driver_status, compiler_status; /* of the loaders; not OK: not installed */
    int compile_code;                           /* nvrtcCompileProgram's answer */
    const char *compile_log;
    double compile_seconds; /* that a compile takes */
    float milliseconds;     /* of every kernel */
    /* the n-th call (from 1) answers fail_code; 0: none */
    long fail_at, fail_times; /* fail_times 0: once */
    int fail_code;
    const char *fail_member; /* only calls of this member count */
    int fail_device;         /* only calls on device fail_device - 1 count; 0: all */
    /* what a launch does; NULL: fake_cuda_simulate_number */
    levy_status (*simulate)(const levy_image *image, const levy_batch *batch, levy_block_sum *sums);
    /* what a launch of kernel number `kernel` of a fit does, whose shape the text is; NULL: there
     * is no memory for it */
    int (*fit)(const char *text, int kernel, unsigned x, unsigned y, unsigned threads,
               void **arguments);
    /* seen */
    size_t copied_to_host, copied_to_device; /* bytes */
    long calls, launches, compiles, largest_launch;
    long launches_on[FAKE_DEVICES];
    /* bytes of shared memory that every kernel has before its launch asks for any, and the most
     * that a launch was allowed to ask for beyond what needs no leave */
    uint32_t own_shared, allowed_shared;
    long columns; /* launches that make blocks of the values of paths; not among them either */
    long merges;  /* launches that turn blocks to branches; not among the others */
    long compiles_before; /* the first launch */
    unsigned long long bridge_paths,
        bridge_stride; /* of stand-alone bridges, normals, samplers, draws: the sum; the last */
    void *bridge_stream;
    const char *failed;     /* member that was made to fail, or NULL */
    long calls_after_fatal; /* must stay 0 */
    /* copies outside memory, unknown pointers, launches without a context: must stay 0 */
    long misuse;
    /* memory, streams, events, modules, contexts, programs not yet given back */
    long held;
    int depth; /* of the context stack */
} fake_cuda;

extern fake_cuda fake;

/* one good sm_90 device, driver and NVRTC 13.0; forgets what is held */
void fake_cuda_reset(void);
const levy_cuda_calls *fake_cuda_calls(void);

/* Numbers that follow from block and output alone. */
levy_status fake_cuda_simulate_number(const levy_image *image, const levy_batch *batch,
                                      levy_block_sum *sums);
/* The CPU backend's own sums. */
levy_status fake_cuda_simulate_cpu(const levy_image *image, const levy_batch *batch,
                                   levy_block_sum *sums);

/* Shared by fake_cuda.c and fake_nvrtc.c. */
/* counts a call; the code to answer with, 0: go on; on the device of the current context */
int fake_enter(const char *member);
int fake_enter_on(const char *member, int device);     /* on that one; -1: on none */
void *fake_object_make(size_t size, const char *text); /* zeroed, or a copy of the text */
void fake_object_drop(void *object);
void fake_count_compile(void);
#define FAKE_ENTER(member)                                                                         \
    do {                                                                                           \
        const int fake_code = fake_enter(member);                                                  \
        if (fake_code) return fake_code;                                                           \
    } while (0)
#define FAKE_DECLARE(member, symbol, required, arguments) int fake_##member arguments;
LEVY_CUDA_COMPILER_LIST(FAKE_DECLARE)
#undef FAKE_DECLARE

#endif
