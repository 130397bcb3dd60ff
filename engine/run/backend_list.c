/* backend_list.c: see backend_list.h. Must not know: plans, problems. */
#include "engine/run/backend_list.h"

#include "engine/run/module.h"

#include <stdio.h>
#include <string.h>

#ifndef LEVY_INSTALL_LIBDIR
#define LEVY_INSTALL_LIBDIR "/usr/local/lib"
#endif

bool levy_backend_name_valid(const char *device, int32_t *ordinal)
{
    *ordinal = -1;
    if (!device || !strcmp(device, "auto") || !strcmp(device, "cpu") || !strcmp(device, "cuda"))
        return true;
    if (strncmp(device, "cuda:", 5) != 0) return false;
    const char *const digits = device + 5;
    const size_t length = strlen(digits);
    if (length == 0 || length > 4 || strspn(digits, "0123456789") != length ||
        (length > 1 && digits[0] == '0'))
        return false;
    *ordinal = 0;
    for (size_t i = 0; i < length; ++i) *ordinal = 10 * *ordinal + (digits[i] - '0');
    return true;
}

levy_status levy_backend_cuda(const char *module_dir, levy_backend *backend, char *why)
{
    return levy_module_load(module_dir, backend, why);
}

static levy_status list_open_cuda(int32_t ordinal, const levy_backend_options *options,
                                  const char *module_dir, levy_backend *backend, void **state,
                                  char *why)
{
    levy_backend_options own = *options;
    own.device = ordinal;
    if (!own.install_dir) own.install_dir = LEVY_INSTALL_LIBDIR "/levy/kernels";
    LEVY_TRY(levy_module_load(module_dir, backend, why));
    return backend->open(&own, state, why);
}

levy_status levy_backend_choose(const char *device, const levy_backend_options *options,
                                const char *module_dir, levy_backend *backend, void **state,
                                char *why)
{
    int32_t ordinal = -1;
    *state = NULL;
    why[0] = 0;
    if (!levy_backend_name_valid(device, &ordinal)) {
        snprintf(why, LEVY_REASON_SIZE, "'%.100s' is not a device: use auto, cpu, cuda or cuda:N",
                 device);
        return LEVY_ARGUMENT;
    }
    const bool any = !device || !strcmp(device, "auto");
    if (any || strcmp(device, "cpu") != 0) {
        const levy_status status =
            list_open_cuda(ordinal, options, module_dir, backend, state, why);
        if (status == LEVY_OK || !any) return status;
    }
    char cpu_why[LEVY_REASON_SIZE] = "";
    *backend = levy_backend_cpu;
    const levy_status status = backend->open(options, state, cpu_why);
    if (status != LEVY_OK) memcpy(why, cpu_why, sizeof cpu_why);
    return status;
}
