/* backend_list.h: selects the backend by the name that a user gives. Must not know: plans,
 * problems. */
#ifndef LEVY_RUN_BACKEND_LIST_H
#define LEVY_RUN_BACKEND_LIST_H

#include "engine/run/backend.h"

/* Opens a backend. "auto" takes the first GPU that works, else the CPU; `why` (LEVY_REASON_SIZE)
 * then says why no GPU was taken, or is "". If a GPU is asked for by name and cannot be had, the
 * status is LEVY_DEVICE or that of what failed, with `why`. An unknown name is LEVY_ARGUMENT.
 * Several GPUs (device_names.h) are one backend (pool.h), which has no objects that stand alone.
 * `options->device` is not read. Close with backend->close(state). */
levy_status levy_backend_choose(const char *device, const levy_backend_options *options,
                                const char *module_dir, levy_backend *backend, void **state,
                                char *why);

/* The CUDA backend's table, for calls that need no open device: lists, builds, the kernel cache. */
levy_status levy_backend_cuda(const char *module_dir, levy_backend *backend, char *why);

#endif
