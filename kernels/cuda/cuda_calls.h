/* cuda_calls.h: the one table through which the module calls the NVIDIA driver and NVRTC. Every
 * member returns a status int (CUresult or nvrtcResult; 0 is success). dlopen and dlsym fill the
 * real table on demand, so nothing here is linked and the module builds without a toolkit; tests
 * use a fake in its place. Types follow the C ABI of cuda.h and nvrtc.h 12 and 13. Must not know:
 * images, kernels, caches. */
#ifndef LEVY_CUDA_CUDA_CALLS_H
#define LEVY_CUDA_CUDA_CALLS_H

#include "engine/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned long long levy_cuda_pointer; /* CUdeviceptr */
typedef struct levy_cuda_uuid {
    unsigned char bytes[16];
} levy_cuda_uuid;

/* Of nvml.h: bytes, and percent of the time since the last sample. */
typedef struct levy_monitor_memory {
    unsigned long long total, free, used;
} levy_monitor_memory;
typedef struct levy_monitor_load {
    unsigned gpu, memory;
} levy_monitor_load;
enum { LEVY_MONITOR_LINK_NVLINK = 2 };

/* Numbers of cuda.h that the module uses. */
enum {
    LEVY_CUDA_ATTRIBUTE_SM_COUNT = 16,
    LEVY_CUDA_ATTRIBUTE_PCI_BUS = 33,
    LEVY_CUDA_ATTRIBUTE_PCI_DEVICE = 34,
    LEVY_CUDA_ATTRIBUTE_PCI_DOMAIN = 50,
    LEVY_CUDA_ATTRIBUTE_MAJOR = 75,
    LEVY_CUDA_ATTRIBUTE_MINOR = 76,
    LEVY_CUDA_ATTRIBUTE_SHARED_OPTIN = 97,
    LEVY_CUDA_FUNCTION_SHARED_BYTES = 1,
    LEVY_CUDA_FUNCTION_LOCAL_BYTES = 3,
    LEVY_CUDA_FUNCTION_REGISTERS = 4,
    LEVY_CUDA_FUNCTION_MAX_DYNAMIC_SHARED = 8,
    LEVY_CUDA_STREAM_NON_BLOCKING = 1
};

/* X(member, symbol, required, arguments) */
#define LEVY_CUDA_DRIVER_LIST(X)                                                                   \
    X(init, "cuInit", true, (unsigned flags))                                                      \
    X(driver_version, "cuDriverGetVersion", true, (int *version))                                  \
    X(error_name, "cuGetErrorName", false, (int code, const char **text))                          \
    X(error_text, "cuGetErrorString", false, (int code, const char **text))                        \
    X(device_count, "cuDeviceGetCount", true, (int *count))                                        \
    X(device_get, "cuDeviceGet", true, (int *device, int ordinal))                                 \
    X(device_name, "cuDeviceGetName", true, (char *name, int size, int device))                    \
    X(device_attribute, "cuDeviceGetAttribute", true, (int *value, int attribute, int device))     \
    X(device_uuid, "cuDeviceGetUuid_v2", false, (levy_cuda_uuid * uuid, int device))               \
    X(device_memory, "cuDeviceTotalMem_v2", true, (size_t * bytes, int device))                    \
    X(context_retain, "cuDevicePrimaryCtxRetain", true, (void **context, int device))              \
    X(context_release, "cuDevicePrimaryCtxRelease_v2", true, (int device))                         \
    X(context_push, "cuCtxPushCurrent_v2", true, (void *context))                                  \
    X(context_pop, "cuCtxPopCurrent_v2", true, (void **context))                                   \
    X(memory_allocate, "cuMemAlloc_v2", true, (levy_cuda_pointer * pointer, size_t bytes))         \
    X(memory_free, "cuMemFree_v2", true, (levy_cuda_pointer pointer))                              \
    X(memory_info, "cuMemGetInfo_v2", true, (size_t * available, size_t * total))                  \
    X(host_allocate, "cuMemAllocHost_v2", true, (void **pointer, size_t bytes))                    \
    X(host_free, "cuMemFreeHost", true, (void *pointer))                                           \
    X(copy_to_device, "cuMemcpyHtoDAsync_v2", true,                                                \
      (levy_cuda_pointer to, const void *from, size_t bytes, void *stream))                        \
    X(copy_to_host, "cuMemcpyDtoHAsync_v2", true,                                                  \
      (void *to, levy_cuda_pointer from, size_t bytes, void *stream))                              \
    X(stream_create, "cuStreamCreate", true, (void **stream, unsigned flags))                      \
    X(stream_destroy, "cuStreamDestroy_v2", true, (void *stream))                                  \
    X(stream_synchronize, "cuStreamSynchronize", true, (void *stream))                             \
    X(stream_wait, "cuStreamWaitEvent", true, (void *stream, void *event, unsigned flags))         \
    X(event_create, "cuEventCreate", true, (void **event, unsigned flags))                         \
    X(event_destroy, "cuEventDestroy_v2", true, (void *event))                                     \
    X(event_record, "cuEventRecord", true, (void *event, void *stream))                            \
    X(event_synchronize, "cuEventSynchronize", true, (void *event))                                \
    X(event_elapsed, "cuEventElapsedTime", true, (float *milliseconds, void *start, void *stop))   \
    X(module_load, "cuModuleLoadData", true, (void **module, const void *data))                    \
    X(module_unload, "cuModuleUnload", true, (void *module))                                       \
    X(module_function, "cuModuleGetFunction", true,                                                \
      (void **function, void *module, const char *name))                                           \
    X(function_set, "cuFuncSetAttribute", true, (void *function, int attribute, int value))        \
    X(function_get, "cuFuncGetAttribute", true, (int *value, int attribute, void *function))       \
    X(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor", true,                              \
      (int *blocks, void *function, int threads, size_t shared))                                   \
    X(launch, "cuLaunchKernel", true,                                                              \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,        \
       unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **arguments,        \
       void **extra))

#define LEVY_CUDA_COMPILER_LIST(X)                                                                 \
    X(nvrtc_version, "nvrtcVersion", true, (int *major, int *minor))                               \
    X(nvrtc_arch_count, "nvrtcGetNumSupportedArchs", true, (int *count))                           \
    X(nvrtc_archs, "nvrtcGetSupportedArchs", true, (int *architectures))                           \
    X(nvrtc_create, "nvrtcCreateProgram", true,                                                    \
      (void **program, const char *source, const char *name, int n_headers,                        \
       const char *const *headers, const char *const *names))                                      \
    X(nvrtc_destroy, "nvrtcDestroyProgram", true, (void **program))                                \
    X(nvrtc_compile, "nvrtcCompileProgram", true,                                                  \
      (void *program, int n_options, const char *const *options))                                  \
    X(nvrtc_flow, "nvrtcSetFlowCallback", false,                                                   \
      (void *program, int (*callback)(void *, void *), void *user))                                \
    X(nvrtc_log_size, "nvrtcGetProgramLogSize", true, (void *program, size_t *size))               \
    X(nvrtc_log, "nvrtcGetProgramLog", true, (void *program, char *log))                           \
    X(nvrtc_cubin_size, "nvrtcGetCUBINSize", true, (void *program, size_t *size))                  \
    X(nvrtc_cubin, "nvrtcGetCUBIN", true, (void *program, char *cubin))                            \
    X(nvrtc_ptx_size, "nvrtcGetPTXSize", true, (void *program, size_t *size))                      \
    X(nvrtc_ptx, "nvrtcGetPTX", true, (void *program, char *ptx))

/* NVML comes with the driver. Only a list of devices asks it. */
#define LEVY_CUDA_MONITOR_LIST(X)                                                                  \
    X(monitor_init, "nvmlInit_v2", true, (void))                                                   \
    X(monitor_end, "nvmlShutdown", true, (void))                                                   \
    X(monitor_device, "nvmlDeviceGetHandleByPciBusId_v2", true, (const char *pci, void **device))  \
    X(monitor_memory, "nvmlDeviceGetMemoryInfo", true,                                             \
      (void *device, levy_monitor_memory *memory))                                                 \
    X(monitor_load, "nvmlDeviceGetUtilizationRates", true,                                         \
      (void *device, levy_monitor_load *load))                                                     \
    X(monitor_link, "nvmlDeviceGetP2PStatus", true,                                                \
      (void *device, void *other, int kind, int *status))

typedef struct levy_cuda_calls {
    /* Open the libraries and fill the members below; `why` takes a line when they fail. A fake does
     * nothing. load_compiler takes the newest NVRTC whose major version is at most `driver_major`
     * (0: any). */
    levy_status (*load_driver)(struct levy_cuda_calls *calls, char *why);
    levy_status (*load_compiler)(struct levy_cuda_calls *calls, int driver_major, char *why);
    /* Whether NVML is there, and its members are filled. NULL: it is not. */
    bool (*load_monitor)(struct levy_cuda_calls *calls);
    void (*unload)(struct levy_cuda_calls *calls);
    /* Whether this machine shows a GPU of NVIDIA's. It asks the files of the kernel's driver and
     * loads nothing. */
    bool (*present)(void);
    void *driver, *compiler, *monitor; /* dlopen handles */
#define LEVY_CUDA_MEMBER(member, symbol, required, arguments) int(*member) arguments;
    LEVY_CUDA_DRIVER_LIST(LEVY_CUDA_MEMBER)
    LEVY_CUDA_COMPILER_LIST(LEVY_CUDA_MEMBER)
    LEVY_CUDA_MONITOR_LIST(LEVY_CUDA_MEMBER)
#undef LEVY_CUDA_MEMBER
} levy_cuda_calls;

/* only the loaders and `present` are set: copy it, then load */
extern const levy_cuda_calls levy_cuda_calls_real;

/* What a driver code means for the caller, and whether it leaves the GPU unusable for this process.
 * After a fatal code nothing is called any more: the header says that the process must be
 * relaunched (of 214 and 220 it says nothing). */
levy_status levy_cuda_code_status(int code);
bool levy_cuda_code_is_fatal(int code);

/* "CUDA error 700 (an illegal memory access was encountered)"; `calls` may lack the text functions.
 */
void levy_cuda_code_write(const levy_cuda_calls *calls, int code, char *buffer, size_t size);

#endif
