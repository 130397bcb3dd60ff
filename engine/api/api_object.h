/* api_object.h: what the stand-alone objects of levy.h share: a specification that is checked, a
 * backend that was opened for the object, its calls, and its end. Must not know: what it computes.
 */
#ifndef LEVY_API_API_OBJECT_H
#define LEVY_API_API_OBJECT_H

#include "engine/book/handles.h"

typedef struct levy_api_device {
    levy_backend backend;
    levy_backend_info info;
    void *state; /* NULL: not open */
    char reason[LEVY_REASON_SIZE + 64];
} levy_api_device;

/* The members of a specification that choose a backend. */
typedef struct levy_api_wish {
    const char *device, *isa; /* NULL: "cpu", "auto" */
    uint32_t threads;
    bool no_kernel_cache;
} levy_api_wish;
#define LEVY_API_WISH(spec)                                                                        \
    {                                                                                              \
        .device = (spec)->device, .isa = (spec)->isa, .threads = (spec)->threads,                  \
        .no_kernel_cache = (spec)->no_kernel_cache != 0                                            \
    }

/* Adds a fault about a member; returns `status` as a public one. `why` "": the status in words. */
int levy_api_refuse(levy_context *context, const char *member, levy_status status, const char *why);
/* `memory` must stay where it is until the device is closed. */
int levy_api_device_open(levy_context *context, const levy_memory *memory,
                         const levy_api_wish *wish, levy_api_device *device);
void levy_api_device_close(levy_api_device *device);
/* Closes what levy_draw_each keeps in a context. */
void levy_api_draws_drop(levy_context *context);

/* A copy of a specification, with zeros for what its version did not have yet. */
typedef union levy_api_spec {
    levy_bridge_spec bridge;
    levy_normals_spec normals;
    levy_paths_spec paths;
    levy_sampler_spec sampler;
    levy_distribution_spec distribution;
} levy_api_spec;

/* An object of levy.h begins with this. */
typedef struct levy_api_object {
    levy_memory memory;
    const struct levy_api_kind *kind;
    levy_api_device device;
    void *made; /* the backend's; NULL: none yet */
    levy_kernel_made info;
} levy_api_object;

typedef struct levy_api_kind {
    const char *name;  /* "bridge", of levy_bridge_spec */
    const char *lacks; /* of a backend without such objects: "the chosen backend ..." */
    levy_object_kind kind;
    size_t size, spec_size;
    /* Checks what is given, and makes an object of it by levy_api_object_open and then _fill; a
     * fault names the first member that is invalid. */
    int (*make)(levy_context *context, void *object, levy_api_spec *given);
    /* Releases what the kind holds beside the above, also of an object that is not complete. */
    void (*release)(void *object);
} levy_api_kind;

/* NULL: it failed, and `status` says how. */
void *levy_api_object_create(levy_context *context, const levy_api_kind *kind, const void *spec,
                             int *status);
int levy_api_object_open(levy_context *context, levy_api_object *object, const levy_api_wish *wish);
/* Has the backend make the object from its tables, which stay as long as the object. */
int levy_api_object_fill(levy_context *context, levy_api_object *object, const void *tables);
/* Bytes from the first number of so many rows of n to the end of the last; 0: no memory is that
 * large. */
size_t levy_api_span(size_t rows, size_t stride, size_t n, size_t size);
static inline bool levy_api_is_aligned(const void *pointer, size_t size)
{
    return (uintptr_t)pointer % size == 0;
}
/* Calls the backend in the default floating-point mode. */
int levy_api_object_run(levy_api_object *object, const void *call);
void levy_api_object_destroy(void *object); /* NULL is fine */

/* The facts of levy.h that all objects have. */
#define LEVY_API_FACTS(object)                                                                     \
    .backend = (object)->device.info.backend, .device = (object)->device.info.device,              \
    .device_reason = (object)->device.reason, .isa = (object)->device.info.isa,                    \
    .kernel = (object)->info.kernel, .threads = (object)->device.info.threads,                     \
    .threads_per_block = (object)->info.threads_per_block, .registers = (object)->info.registers,  \
    .spilled_bytes = (object)->info.spilled_bytes,                                                 \
    .blocks_per_processor = (object)->info.blocks_per_processor

/* Defines levy_NAME_create, _destroy and _info of an object whose struct begins with `object` and
 * holds its `facts`, from the file's NAME_make and NAME_release. */
#define LEVY_API_OBJECT(name, NAME, facts_type, without)                                           \
    int levy_##name##_create(levy_context *context, const levy_##name##_spec *spec,                \
                             levy_##name **made)                                                   \
    {                                                                                              \
        static const levy_api_kind kind = {                                                        \
            #name,                                                                                 \
            "the chosen backend " without,                                                         \
            LEVY_OBJECT_##NAME,                                                                    \
            sizeof(levy_##name),                                                                   \
            sizeof(levy_##name##_spec),                                                            \
            name##_make,                                                                           \
            name##_release,                                                                        \
        };                                                                                         \
        int status;                                                                                \
        if (!context || !made) return levy_call_refuse(context, #name, "is NULL");                 \
        *made = levy_api_object_create(context, &kind, spec, &status);                             \
        return status;                                                                             \
    }                                                                                              \
    void levy_##name##_destroy(levy_##name *made) { levy_api_object_destroy(made); }               \
    const facts_type *levy_##name##_info(const levy_##name *made)                                  \
    {                                                                                              \
        return made ? &made->facts : NULL;                                                         \
    }

#endif
