/* device.h: one open GPU: its choice, its context, the source of its kernels, and whether it may
 * still be called. It is dead after a code that ends the process's use of a GPU (cuda_calls.h):
 * nothing is called or freed on it any more. Must not know: images, launches. */
#ifndef LEVY_CUDA_DEVICE_DEVICE_H
#define LEVY_CUDA_DEVICE_DEVICE_H

#include "engine/run/backend.h"
#include "kernels/cuda/cuda_calls.h"
#include "kernels/cuda/compile/kernel_set.h"

#include <stdatomic.h>

enum { LEVY_CUDA_DEAD = -1, LEVY_CUDA_MIN_DRIVER = 12000 };

typedef struct levy_device {
    levy_cuda_calls calls;
    levy_memory own_memory; /* a copy of the caller's */
    const levy_memory *memory;
    levy_kernel_cache cache, installed;
    levy_kernel_source source; /* of this device's kernels */
    char compiler_why[LEVY_REASON_SIZE];
    char name[96];
    int ordinal, handle, driver_version, capability, sm_count, shared_limit;
    /* the primary context, retained; shared with the host program's own CUDA code */
    void *context;
    /* several threads may work on a device: who sees it die first says why, and then that it is so
     */
    atomic_bool dying, dead;
    char dead_why[LEVY_REASON_SIZE];
} levy_device;

/* Every call on an open device goes through this. A dead device is not called, and a code that
 * kills the device is noted. */
#define LEVY_DEVICE_CALL(device, member, ...)                                                      \
    ((device)->dead ? LEVY_CUDA_DEAD                                                               \
                    : levy_device_note((device), (device)->calls.member(__VA_ARGS__), #member))

/* `device->calls` becomes a loaded copy of `calls`. Of `options`, only a copy of its memory
 * functions is kept. The device points into itself: it must not be moved. */
levy_status levy_device_open(levy_device *device, const levy_cuda_calls *calls,
                             const levy_backend_options *options, char *why);
void levy_device_close(levy_device *device);

/* The two get each kernel once from now on. Neither has got any. */
levy_status levy_device_join(levy_device *device, levy_device *other, char *why);

/* Makes the device's context current, and undoes that. They enclose every piece of work, so that
 * the host program's own context stays what it was. LEVY_DEVICE on a dead device. */
levy_status levy_device_enter(levy_device *device, char *why);
void levy_device_leave(levy_device *device);

int levy_device_note(levy_device *device, int code, const char *member);
/* The status of a code that is not 0, with a line in `why` saying what failed. */
levy_status levy_device_fail(levy_device *device, int code, const char *what, char *why);

/* Opens a source of kernels for `architecture` without a device: NVRTC alone. */
levy_status levy_device_open_compiler(levy_device *device, const levy_cuda_calls *calls,
                                      const levy_backend_options *options, const char *architecture,
                                      char *why);

/* Loads the driver, checks its age, counts the devices (at least one, or it fails). */
levy_status levy_device_start(levy_cuda_calls *calls, int *driver_version, int *count, char *why);
/* The name and the numbers of a device whose calls and ordinal are set. */
levy_status levy_device_read(levy_device *device, char *why);

/* The GPUs of this machine, or why there are none. */
levy_status levy_device_count(const levy_cuda_calls *calls, int32_t *count, char *why);

/* device_list.c: writes one JSON object and a newline per GPU, or one that says why there is none.
 */
levy_status levy_device_list(const levy_cuda_calls *calls,
                             int (*write)(void *, const char *, size_t), void *user);

#endif
