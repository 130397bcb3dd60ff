/* backend_list.h: selects the backend by the name that a user gives. Must not know: plans,
 * problems. */
#ifndef LEVY_RUN_BACKEND_LIST_H
#define LEVY_RUN_BACKEND_LIST_H

#include "engine/run/backend.h"

/* Is `device` one of auto, cpu, cuda, cuda:N (NULL: auto)? *ordinal: N, or -1. */
bool levy_backend_name_valid(const char *device, int32_t *ordinal);

/* Opens a backend. "auto" takes the first GPU that works, else the CPU; `why` (LEVY_REASON_SIZE)
 * then holds why no GPU was taken, or "". A GPU asked for by name and not to be had is LEVY_DEVICE
 * (or the status of what failed) with its `why`; another name is LEVY_ARGUMENT. `options->device`
 * is not read. Close with backend->close(state). */
levy_status levy_backend_choose(const char *device, const levy_backend_options *options,
                                const char *module_dir, levy_backend *backend, void **state,
                                char *why);

/* The CUDA backend's table, for what needs no open device: lists, builds, the kernel cache. */
levy_status levy_backend_cuda(const char *module_dir, levy_backend *backend, char *why);

#endif
