/* api_device.c: see api_device.h. */
#include "engine/api/api_device.h"

#include "engine/run/backend_list.h"
#include "engine/run/device_names.h"

#include <stdio.h>
#include <string.h>

int levy_api_refuse(levy_context *context, const char *member, levy_status status, const char *why)
{
    const levy_reason others =
        status == LEVY_UNSUPPORTED ? LEVY_REASON_UNSUPPORTED : LEVY_REASON_RANGE;
    const levy_reason rest = status == LEVY_DEVICE ? LEVY_REASON_DEVICE : others;
    const levy_reason reason = status == LEVY_MEMORY ? LEVY_REASON_MEMORY : rest;
    levy_fault_add(&context->faults, reason, NULL, member, NULL, "%s",
                   why[0] ? why : levy_status_text(status));
    return (int)status;
}

/* The arrays of an object lie in the memory of one device. */
static levy_status device_check_one(const char *name, char *why)
{
    levy_device_names devices;
    LEVY_TRY(levy_device_names_read(name, &devices, why, LEVY_REASON_SIZE));
    if (!levy_device_names_are_many(&devices)) return LEVY_OK;
    snprintf(
        why, LEVY_REASON_SIZE,
        "'%.100s' is for prices and studies; arrays lie on one device: name it, such as cuda:0",
        name);
    return LEVY_ARGUMENT;
}

int levy_api_device_open(levy_context *context, const levy_api_wish *wish, levy_api_device *device)
{
    char why[LEVY_REASON_SIZE] = "";
    const char *const name = wish->device ? wish->device : "cpu";
    const levy_backend_options options = {.memory = wish->memory,
                                          .isa = wish->isa ? wish->isa : "auto",
                                          .threads = wish->threads,
                                          .device = -1,
                                          .no_cache = wish->no_kernel_cache};
    levy_status status = device_check_one(name, why);
    if (status == LEVY_OK)
        status = levy_backend_choose(name, &options, context->module_dir, &device->backend,
                                     &device->state, why);
    if (status != LEVY_OK) {
        device->state = NULL;
        return levy_api_refuse(context, "device", status, why);
    }
    if (strcmp(name, "auto") != 0)
        snprintf(device->reason, sizeof device->reason, "as asked");
    else
        snprintf(device->reason, sizeof device->reason, "auto: %s",
                 why[0] ? why : "a GPU is usable");
    device->backend.describe(device->state, &device->info);
    return LEVY_STATUS_OK;
}

void levy_api_device_close(levy_api_device *device)
{
    if (device->state) device->backend.close(device->state);
    device->state = NULL;
}
