/* api_object.c: see api_object.h. */
#include "engine/api/api_object.h"

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

int levy_api_device_open(levy_context *context, const levy_memory *memory,
                         const levy_api_wish *wish, levy_api_device *device)
{
    char why[LEVY_REASON_SIZE] = "";
    const char *const name = wish->device ? wish->device : "cpu";
    const levy_backend_options options = {.memory = memory,
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

/* ---- Objects --------------------------------------------------------------------------------- */

static void *object_make(levy_context *context, const levy_api_kind *kind, levy_api_spec *given,
                         int *status)
{
    levy_api_object *const o = levy_memory_allocate(&context->memory, 1, kind->size);
    if (!o) {
        *status = levy_api_refuse(context, "", LEVY_MEMORY, "");
        return NULL;
    }
    o->memory = context->memory;
    o->kind = kind;
    *status = kind->make(context, o, given);
    return o;
}

void *levy_api_object_create(levy_context *context, const levy_api_kind *kind, const void *spec,
                             int *status)
{
    levy_api_spec given;
    char why[64];
    memset(&given, 0, sizeof given); /* an initialiser would clear one member's bytes alone */
    levy_call_begin(context);
    if (!spec || !levy_call_copy_options(&given, kind->spec_size, spec)) {
        snprintf(why, sizeof why, "is not that of a levy_%s_spec", kind->name);
        *status =
            levy_call_end(context, levy_api_refuse(context, "struct_size", LEVY_ARGUMENT, why));
        return NULL;
    }
    void *const object = object_make(context, kind, &given, status);
    *status = levy_call_end(context, *status);
    if (*status == LEVY_STATUS_OK) return object;
    levy_api_object_destroy(object);
    return NULL;
}

int levy_api_object_open(levy_context *context, levy_api_object *o, const levy_api_wish *wish)
{
    const int status = levy_api_device_open(context, &o->memory, wish, &o->device);
    if (status != LEVY_STATUS_OK || o->device.backend.objects >> o->kind->kind & 1) return status;
    return levy_api_refuse(context, "device", LEVY_UNSUPPORTED, o->kind->lacks);
}

int levy_api_object_fill(levy_context *context, levy_api_object *o, const void *tables)
{
    char why[LEVY_REASON_SIZE] = "";
    const levy_backend *const backend = &o->device.backend;
    const levy_status made =
        backend->object_create(o->device.state, o->kind->kind, tables, &o->made, why);
    if (made != LEVY_OK) return levy_api_refuse(context, "device", made, why);
    backend->object_describe(o->made, &o->info);
    return LEVY_STATUS_OK;
}

size_t levy_api_span(size_t rows, size_t stride, size_t n, size_t size)
{
    size_t numbers, bytes;
    if (!levy_size_multiply(rows - 1, stride, &numbers) || numbers > SIZE_MAX - n) return 0;
    return levy_size_multiply(numbers + n, size, &bytes) && bytes <= SIZE_MAX / 2 ? bytes : 0;
}

int levy_api_object_run(levy_api_object *o, const void *call)
{
    char why[LEVY_REASON_SIZE] = "";
    const levy_call_mode mode = levy_call_mode_enter();
    const levy_status status = o->device.backend.object_run(o->made, call, why);
    levy_call_mode_leave(&mode);
    return (int)status;
}

void levy_api_object_destroy(void *object)
{
    levy_api_object *const o = object;
    if (!o) return;
    const levy_memory memory = o->memory;
    if (o->made) o->device.backend.object_destroy(o->made);
    o->kind->release(o);
    levy_api_device_close(&o->device);
    levy_memory_release(&memory, o);
}
