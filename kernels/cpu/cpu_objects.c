/* cpu_objects.c: see cpu_objects.h. */
#include "kernels/cpu/cpu_objects.h"

#include <stdio.h>

static const levy_cpu_kind *const objects_kinds[LEVY_OBJECT_KINDS] = {
    [LEVY_OBJECT_BRIDGE] = &levy_cpu_bridge,
    [LEVY_OBJECT_NORMALS] = &levy_cpu_normals,
    [LEVY_OBJECT_PATHS] = &levy_cpu_paths,
    [LEVY_OBJECT_SAMPLER] = &levy_cpu_sampler,
    [LEVY_OBJECT_DISTRIBUTION] = &levy_cpu_distribution,
    [LEVY_OBJECT_DRAWS] = &levy_cpu_draws,
};

/* Workers' memory is a line apart, so that they share none. */
static levy_status objects_reserve(levy_cpu_object *o, char *why)
{
    const levy_cpu_crew *const crew = o->crew;
    if (!o->kind->scratch) return LEVY_OK;
    o->scratch_size = levy_cpu_lines(o->kind->scratch(o) + LEVY_CPU_LINE);
    o->taken = levy_memory_allocate(&crew->memory, (size_t)crew->n_threads + 1, o->scratch_size);
    if (!o->taken)
        return snprintf(why, LEVY_REASON_SIZE, "no working memory for %s on %u threads",
                        o->kind->name, (unsigned)crew->n_threads),
               LEVY_MEMORY;
    o->scratch = (char *)levy_cpu_lines((uintptr_t)o->taken);
    return LEVY_OK;
}

levy_status levy_cpu_object_create(void *state, levy_object_kind kind, const void *tables,
                                   void **object, char *why)
{
    const levy_cpu_crew *const crew = state;
    levy_cpu_object *const o = levy_memory_allocate(&crew->memory, 1, sizeof *o);
    *object = NULL;
    if (!o)
        return snprintf(why, LEVY_REASON_SIZE, "no memory for %s", objects_kinds[kind]->name),
               LEVY_MEMORY;
    *o = (levy_cpu_object){.kind = objects_kinds[kind], .crew = crew, .tables = tables};
    const levy_status status = objects_reserve(o, why);
    if (status == LEVY_OK)
        *object = o;
    else
        levy_cpu_object_destroy(o);
    return status;
}

levy_status levy_cpu_object_run(void *object, const void *call, char *why)
{
    const levy_cpu_object *const o = object;
    return o->kind->run(o, call, why);
}

void levy_cpu_object_describe(void *object, levy_kernel_made *made)
{
    const levy_cpu_object *const o = object;
    *made = (levy_kernel_made){.registers = -1, .spilled_bytes = -1, .blocks_per_processor = -1};
    snprintf(made->kernel, sizeof made->kernel, "%s", o->kind->kernel);
}

void levy_cpu_object_destroy(void *object)
{
    levy_cpu_object *const o = object;
    if (!o) return;
    levy_memory_release(&o->crew->memory, o->taken);
    levy_memory_release(&o->crew->memory, o);
}
