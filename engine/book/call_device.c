/* call_device.c: which device computes, and what the user is told about it. */
#include "engine/book/handles.h"

#include "engine/run/backend_list.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool levy_call_price_options(const levy_price_options *given, levy_price_options *options)
{
    *options = (levy_price_options){0};
    if (!levy_call_copy_options(options, sizeof *options, given)) return false;
    options->struct_size = sizeof *options;
    if (!options->device) options->device = "auto";
    if (!options->isa) options->isa = "auto";
    return true;
}

static levy_backend_options device_options(const levy_context *context,
                                           const levy_price_options *options)
{
    return (levy_backend_options){.memory = &context->memory,
                                  .isa = options->isa,
                                  .threads = options->threads,
                                  .device = -1,
                                  .no_cache = options->no_kernel_cache != 0};
}

/* Reasons and warnings are lines; a fault has no place of its own here. */
static void device_fault(levy_context *context, levy_status status, const char *why)
{
    const levy_reason reason = status == LEVY_MEMORY     ? LEVY_REASON_MEMORY
                               : status == LEVY_ARGUMENT ? LEVY_REASON_RANGE
                                                         : LEVY_REASON_DEVICE;
    levy_fault_add(&context->faults, reason, NULL, "", "`levy devices` lists the available devices",
                   "%s", why[0] ? why : levy_status_text(status));
}

static void device_describe(levy_context *context, levy_call_device *device)
{
    device->backend.describe(device->state, &device->info);
    if (device->info.warning[0])
        levy_fault_warn(&context->faults, LEVY_REASON_DEVICE, NULL, "", NULL, "%s",
                        device->info.warning);
}

/* ---- Kept between calls: threads, a GPU's context and its loaded kernels are costly ---- */

void levy_call_device_drop(levy_context *context)
{
    levy_call_device *kept = &context->device;
    if (kept->state && kept->process == getpid()) kept->backend.close(kept->state);
    kept->state = NULL;
}

static void device_ask(levy_context *context, const levy_price_options *options,
                       levy_call_device *device)
{
    *device = (levy_call_device){.context = context,
                                 .threads = options->threads,
                                 .no_kernel_cache = options->no_kernel_cache,
                                 .process = getpid()};
    if (strlen(options->device) < sizeof device->name) strcpy(device->name, options->device);
    if (strlen(options->isa) < sizeof device->isa) strcpy(device->isa, options->isa);
}

static bool device_take_kept(levy_call_device *asked)
{
    levy_call_device *kept = &asked->context->device;
    const bool same =
        kept->state && asked->name[0] && asked->isa[0] && strcmp(kept->name, asked->name) == 0 &&
        strcmp(kept->isa, asked->isa) == 0 && kept->threads == asked->threads &&
        kept->no_kernel_cache == asked->no_kernel_cache && kept->process == asked->process;
    if (!same) {
        levy_call_device_drop(asked->context);
        return false;
    }
    *asked = *kept;
    asked->keep = false;
    kept->state = NULL;
    return true;
}

levy_status levy_call_device_open(levy_context *context, const levy_price_options *options,
                                  levy_call_device *device)
{
    char why[LEVY_REASON_SIZE] = "";
    const levy_backend_options own = device_options(context, options);
    device_ask(context, options, device);
    if (device_take_kept(device)) {
        device_describe(context, device);
        return LEVY_OK;
    }
    const levy_status status = levy_backend_choose(options->device, &own, context->module_dir,
                                                   &device->backend, &device->state, why);
    if (status != LEVY_OK) {
        device->state = NULL;
        device_fault(context, status, why);
        return status;
    }
    device_describe(context, device);
    if (strcmp(options->device, "auto") != 0)
        snprintf(device->reason, sizeof device->reason, "as asked");
    else
        snprintf(device->reason, sizeof device->reason, "auto: %s",
                 why[0] ? why : "a GPU is usable");
    return LEVY_OK;
}

/* ---- From a GPU to the CPU ---- */

atomic_uint levy_call_misuses;

/* The codes of an invalid value or handle, or of a tile that was not loaded. */
static bool device_misused(levy_status status)
{
    return status == LEVY_INTERNAL || status == LEVY_ARGUMENT;
}

bool levy_call_device_failed(levy_status status)
{
    return status == LEVY_DEVICE || status == LEVY_MEMORY || device_misused(status);
}

bool levy_call_device_may_move(const levy_price_options *options, const levy_call_device *device)
{
    return strcmp(options->device, "auto") == 0 && strcmp(device->info.backend, "cpu") != 0;
}

void levy_call_device_warn(levy_context *context, levy_status status, const char *path,
                           const char *why)
{
    if (device_misused(status)) {
        atomic_fetch_add(&levy_call_misuses, 1);
        levy_fault_warn(&context->faults, LEVY_REASON_INTERNAL, NULL, path, "Please report it.",
                        "levy misused the GPU, which is a defect in levy; the run "
                        "continued on the CPU: %s",
                        why);
        return;
    }
    const levy_reason reason = status == LEVY_MEMORY ? LEVY_REASON_MEMORY : LEVY_REASON_DEVICE;
    levy_fault_warn(&context->faults, reason, NULL, path, NULL,
                    "the GPU failed; the run continued on the CPU: %s", why);
}

bool levy_call_device_fall_back(levy_context *context, const levy_price_options *options,
                                levy_call_device *device, levy_status status, const char *why)
{
    char cpu_why[LEVY_REASON_SIZE] = "";
    if (!levy_call_device_may_move(options, device)) return false;
    const levy_backend_options own = device_options(context, options);
    levy_call_device_close(device);
    if (levy_backend_choose("cpu", &own, NULL, &device->backend, &device->state, cpu_why) !=
        LEVY_OK)
        return false;
    device_describe(context, device);
    device->fallen_back = true;
    snprintf(device->reason, sizeof device->reason, "auto, moved to the CPU: %s", why);
    levy_call_device_warn(context, status, "", why);
    return true;
}

void levy_call_device_close(levy_call_device *device)
{
    if (device->state && device->keep && !device->fallen_back) {
        levy_call_device_drop(device->context);
        device->context->device = *device;
    } else if (device->state) {
        device->backend.close(device->state);
    }
    device->state = NULL;
}
