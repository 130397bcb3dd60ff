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

bool levy_call_merge_options(const levy_merge_options *given, levy_merge_options *options)
{
    *options = (levy_merge_options){0};
    if (!given || !levy_call_copy_options(options, sizeof *options, given)) return false;
    const size_t n = options->n_paths + options->n_texts;
    bool whole = n > 0 && n >= options->n_texts && n <= UINT32_MAX &&
                 (options->paths || options->n_paths == 0) &&
                 (options->texts || options->n_texts == 0);
    for (size_t i = 0; whole && i < options->n_paths; ++i) whole = options->paths[i] != NULL;
    for (size_t i = 0; whole && i < options->n_texts; ++i)
        whole = options->texts[i].name && options->texts[i].text;
    return whole;
}

static levy_backend_options device_options(const levy_context *context,
                                           const levy_price_options *options)
{
    return (levy_backend_options){.memory = &context->memory,
                                  .isa = options->isa,
                                  .threads = options->threads,
                                  .device = -1,
                                  .place = options->host_place,
                                  .no_cache = options->no_kernel_cache != 0};
}

/* Reasons and warnings are lines; a fault has no place of its own here. */
static void device_fault(levy_context *context, levy_status status, const char *why)
{
    const levy_reason failed = status == LEVY_ARGUMENT ? LEVY_REASON_RANGE : LEVY_REASON_DEVICE;
    const levy_reason reason = status == LEVY_MEMORY ? LEVY_REASON_MEMORY : failed;
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

static bool device_is_cpu(const char *name) { return strcmp(name, "cpu") == 0; }

/* The CPU by name has a place of its own, so that a small job under auto leaves the GPU open. */
static levy_call_device *device_place(levy_context *context, const char *name)
{
    return device_is_cpu(name) ? &context->cpu : &context->device;
}

void levy_call_device_close_beside(levy_call_device *device)
{
    for (size_t i = 0; i < LEVY_BESIDE_MOST; ++i) {
        if (device->beside[i]) device->backend.close(device->beside[i]);
        device->beside[i] = NULL;
    }
}

static void device_shut(levy_call_device *device)
{
    levy_call_device_close_beside(device);
    device->backend.close(device->state);
    device->state = NULL;
}

static void device_drop(levy_call_device *kept)
{
    if (kept->state && kept->process == getpid()) device_shut(kept);
    kept->state = NULL;
}

void levy_call_device_drop(levy_context *context)
{
    device_drop(&context->device);
    device_drop(&context->cpu);
}

static void device_ask(levy_context *context, const levy_price_options *options, const char *name,
                       levy_call_device *device)
{
    *device = (levy_call_device){.context = context,
                                 .threads = options->threads,
                                 .no_kernel_cache = options->no_kernel_cache,
                                 .process = getpid()};
    if (strlen(name) < sizeof device->name) strcpy(device->name, name);
    if (strlen(options->isa) < sizeof device->isa) strcpy(device->isa, options->isa);
}

static bool device_serves(const levy_call_device *kept, const levy_call_device *asked)
{
    return kept->state && asked->name[0] && asked->isa[0] && strcmp(kept->name, asked->name) == 0 &&
           strcmp(kept->isa, asked->isa) == 0 && kept->threads == asked->threads &&
           kept->no_kernel_cache == asked->no_kernel_cache && kept->process == asked->process;
}

static atomic_uint_fast64_t device_count; /* of those that were opened */

static bool device_take_kept(levy_call_device *asked)
{
    levy_call_device *kept = device_place(asked->context, asked->name);
    if (!device_serves(kept, asked)) {
        device_drop(kept);
        return false;
    }
    *asked = *kept;
    asked->keep = false;
    kept->state = NULL;
    return true;
}

const char *levy_call_device_kept(levy_context *context, const levy_price_options *options)
{
    levy_call_device asked;
    device_ask(context, options, options->device, &asked);
    const levy_call_device *const kept = device_place(context, asked.name);
    return device_serves(kept, &asked) ? kept->info.backend : NULL;
}

/* `why` says why it failed, or under auto why it is not a GPU. */
static levy_status device_open(levy_context *context, const levy_price_options *options,
                               const char *name, levy_call_device *device, char *why)
{
    const levy_backend_options own = device_options(context, options);
    device_ask(context, options, name, device);
    why[0] = '\0';
    if (!device_take_kept(device)) {
        levy_status status;
        status = levy_backend_choose(name, &own, context->module_dir, &device->backend,
                                     &device->state, why);
        if (status != LEVY_OK) {
            device->state = NULL;
            return status;
        }
        device->number = ++device_count;
        /* `levy devices` says the rest */
        if (!why[0]) snprintf(why, LEVY_REASON_SIZE, "a GPU is usable");
        snprintf(device->reason, sizeof device->reason, "auto: %.*s", (int)strcspn(why, ":"), why);
    }
    device_describe(context, device);
    if (strcmp(name, "auto") != 0) snprintf(device->reason, sizeof device->reason, "as asked");
    return LEVY_OK;
}

levy_status levy_call_device_open(levy_context *context, const levy_price_options *options,
                                  levy_call_device *device)
{
    char why[LEVY_REASON_SIZE];
    const levy_status status = device_open(context, options, options->device, device, why);
    if (status != LEVY_OK) device_fault(context, status, why);
    /* whoever asked for the one has no use for the other; nor has auto where it finds no GPU */
    if (device_is_cpu(options->device))
        device_drop(&context->device);
    else if (strcmp(options->device, "auto") != 0 ||
             (status == LEVY_OK && device_is_cpu(device->info.backend)))
        device_drop(&context->cpu);
    return status;
}

bool levy_call_device_open_cpu(levy_context *context, const levy_price_options *options,
                               levy_call_device *device)
{
    char why[LEVY_REASON_SIZE];
    return device_open(context, options, "cpu", device, why) == LEVY_OK;
}

/* ---- Several GPUs ---- */

void levy_call_device_tell(levy_context *context, levy_call_device *device)
{
    if (!device->state) return; /* the CPU could not take a GPU's place */
    device->backend.describe(device->state, &device->info);
    if (!device->info.note[0]) return;
    const size_t length = strlen(device->reason);
    snprintf(device->reason + length, sizeof device->reason - length,
             "; other GPUs took over: %.440s", device->info.note);
    levy_fault_warn(&context->faults, LEVY_REASON_DEVICE, NULL, "", NULL,
                    "a GPU failed; the others did its work: %s", device->info.note);
    device->spoiled = true;
}

levy_status levy_call_device_check(levy_context *context, const levy_call_device *device,
                                   bool bits_differ)
{
    if (!bits_differ || !device->info.unlike) return LEVY_OK;
    levy_fault_add(&context->faults, LEVY_REASON_INCONSISTENT, NULL, "device",
                   "Name GPUs of one architecture, or set simulation.precision: double.",
                   "GPUs of several architectures (%s) share double precision alone: other bits "
                   "may differ between them: %s",
                   device->info.isa, device->info.device);
    return LEVY_ARGUMENT;
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
    levy_fault_warn(&context->faults, levy_reason_of(status), NULL, path, NULL,
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
    levy_call_device *const place =
        device->state ? device_place(device->context, device->name) : NULL;
    if (place && device->keep && !device->fallen_back && !device->spoiled) {
        device_drop(place);
        *place = *device;
    } else if (place) {
        device_shut(device);
    }
    device->state = NULL;
    memset(device->beside, 0, sizeof device->beside);
}
