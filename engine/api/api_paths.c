/* api_paths.c: the paths of levy.h: a bridge's program and a generator's tables, which a backend
 * carries out together. */
#include "engine/api/api_bridge.h"
#include "engine/api/api_normals.h"

#include <math.h>

struct levy_paths {
    levy_memory memory;
    levy_api_program plan;
    levy_normals_tables normals;
    levy_paths_tables tables;
    void *drift; /* of the bridge's precision */
    levy_api_device device;
    void *made; /* the backend's */
    levy_kernel_made made_info;
    levy_normals_facts facts;
};

/* What both halves of a specification say, with defaults for what is absent. */
typedef struct paths_given {
    levy_paths_spec spec;
    levy_bridge_spec bridge;
    levy_normals_spec normals;
    levy_api_net net;
} paths_given;

static int paths_check(levy_context *context, paths_given *g)
{
    const levy_bridge_spec *const b = &g->bridge;
    const bool increments = b->output == LEVY_BRIDGE_INCREMENTS;
    int status = levy_api_bridge_check(context, b);
    if (status != LEVY_STATUS_OK) return status;
    g->normals = (levy_normals_spec){.generator = g->spec.generator,
                                     .precision = b->precision,
                                     .seed = g->spec.seed,
                                     .replicate = g->spec.replicate};
    const uint64_t rows = (uint64_t)b->n_steps * b->n_dimensions;
    g->normals.n_dimensions = rows > UINT32_MAX ? UINT32_MAX : (uint32_t)rows;
    status = levy_api_normals_check(context, &g->normals);
    if (status == LEVY_STATUS_OK)
        status = levy_api_net_open(context, g->spec.generator, g->spec.net, &g->net);
    if (status == LEVY_STATUS_OK)
        status = levy_api_dimensions_check(context, &g->normals, g->net.net);
    if (status != LEVY_STATUS_OK) return status;
    if (g->spec.drift && increments)
        return levy_api_refuse(context, "drift", LEVY_ARGUMENT, "does not go with increments");
    if (g->spec.exponential && increments)
        return levy_api_refuse(context, "exponential", LEVY_ARGUMENT,
                               "does not go with increments");
    for (size_t i = 0; g->spec.drift && i < g->normals.n_dimensions; ++i)
        if (!isfinite(g->spec.drift[i]))
            return levy_api_refuse(context, "drift", LEVY_ARGUMENT,
                                   "holds a number that is not "
                                   "finite");
    return LEVY_STATUS_OK;
}

static levy_status paths_drift(levy_paths *p, const levy_paths_spec *s)
{
    const size_t n = p->normals.count;
    if (!s->drift) return LEVY_OK;
    p->drift = levy_memory_allocate(&p->memory, n, sizeof(double));
    if (!p->drift) return LEVY_MEMORY;
    for (size_t i = 0; i < n; ++i)
        if (p->normals.single)
            ((float *)p->drift)[i] = (float)s->drift[i];
        else
            ((double *)p->drift)[i] = s->drift[i];
    return LEVY_OK;
}

static int paths_tables(levy_context *context, levy_paths *p, const paths_given *g)
{
    if (g->spec.generator >= LEVY_NORMALS_CURAND_SOBOL)
        return levy_api_refuse(context, "generator", LEVY_UNSUPPORTED,
                               "paths are made from levy's own generators; levy_normals_* and "
                               "levy_bridge_* make them from cuRAND's");
    const bool registers = g->bridge.n_dimensions <= p->device.backend.bridge_registers;
    const levy_normals_settings settings = {g->spec.generator, g->spec.seed, g->spec.replicate,
                                            g->net.net, g->net.scrambling};
    const int status =
        levy_api_program_create(context, &p->memory, &g->bridge, registers, &p->plan);
    if (status != LEVY_STATUS_OK) return status;
    p->normals = (levy_normals_tables){.output = LEVY_NORMALS_NORMAL,
                                       .single = p->plan.tables.single,
                                       .n_dimensions = g->normals.n_dimensions,
                                       .count = g->normals.n_dimensions};
    levy_status made = levy_normals_tables_create(&p->memory, &settings, &p->normals);
    if (made == LEVY_OK) made = paths_drift(p, &g->spec);
    p->tables = (levy_paths_tables){.bridge = &p->plan.tables,
                                    .normals = &p->normals,
                                    .drift = p->drift,
                                    .exponential = g->spec.exponential != 0};
    return made == LEVY_OK ? LEVY_STATUS_OK : levy_api_refuse(context, "", made, "");
}

static int paths_make(levy_context *context, levy_paths *p, const paths_given *g)
{
    char why[LEVY_REASON_SIZE] = "";
    const levy_api_wish wish = {.memory = &p->memory,
                                .device = g->bridge.device,
                                .isa = g->bridge.isa,
                                .threads = g->bridge.threads,
                                .no_kernel_cache = g->bridge.no_kernel_cache != 0};
    int status = levy_api_device_open(context, &wish, &p->device);
    if (status == LEVY_STATUS_OK && !p->device.backend.paths_create)
        return levy_api_refuse(context, "device", LEVY_UNSUPPORTED,
                               "the chosen backend makes no paths");
    if (status == LEVY_STATUS_OK) status = paths_tables(context, p, g);
    if (status != LEVY_STATUS_OK) return status;
    const levy_status made =
        p->device.backend.paths_create(p->device.state, &p->tables, &p->made, why);
    if (made != LEVY_OK) {
        p->made = NULL;
        return levy_api_refuse(context, "device", made, why);
    }
    p->device.backend.paths_describe(p->made, &p->made_info);
    p->facts = levy_api_normals_facts(&p->normals, g->spec.generator, &p->device, &p->made_info);
    return LEVY_STATUS_OK;
}

static int paths_create(levy_context *context, paths_given *g, levy_paths **paths)
{
    int status = paths_check(context, g);
    if (status != LEVY_STATUS_OK) return status;
    levy_paths *const p = levy_memory_allocate(&context->memory, 1, sizeof *p);
    if (!p) return levy_api_refuse(context, "", LEVY_MEMORY, "");
    p->memory = context->memory;
    status = paths_make(context, p, g);
    if (status == LEVY_STATUS_OK)
        *paths = p;
    else
        levy_paths_destroy(p);
    return status;
}

int levy_paths_create(levy_context *context, const levy_paths_spec *spec, levy_paths **paths)
{
    paths_given given = {.spec = {0}};
    if (!context || !paths) return levy_call_refuse(context, "paths", "is NULL");
    *paths = NULL;
    levy_call_begin(context);
    int status = LEVY_STATUS_OK;
    if (!spec || !levy_call_copy_options(&given.spec, sizeof given.spec, spec))
        status = levy_api_refuse(context, "struct_size", LEVY_ARGUMENT,
                                 "is not that of a levy_paths_spec");
    else if (!given.spec.bridge)
        status = levy_api_refuse(context, "bridge", LEVY_ARGUMENT,
                                 "is required: times, and how they are built");
    else if (!levy_call_copy_options(&given.bridge, sizeof given.bridge, given.spec.bridge))
        status = levy_api_refuse(context, "bridge.struct_size", LEVY_ARGUMENT,
                                 "is not that of a levy_bridge_spec");
    if (status != LEVY_STATUS_OK) return levy_call_end(context, status);
    if (given.bridge.n_dimensions == 0) given.bridge.n_dimensions = 1;
    const levy_call_mode mode = levy_call_mode_enter();
    status = paths_create(context, &given, paths);
    levy_api_net_close(&given.net);
    levy_call_mode_leave(&mode);
    status = levy_call_end(context, status);
    if (status != LEVY_STATUS_OK && *paths) {
        levy_paths_destroy(*paths);
        *paths = NULL;
    }
    return status;
}

void levy_paths_destroy(levy_paths *paths)
{
    if (!paths) return;
    const levy_memory memory = paths->memory;
    if (paths->made) paths->device.backend.paths_destroy(paths->made);
    levy_api_device_close(&paths->device);
    levy_api_program_drop(&memory, &paths->plan);
    levy_normals_tables_release(&memory, &paths->normals);
    levy_memory_release(&memory, paths->drift);
    levy_memory_release(&memory, paths);
}

const levy_normals_facts *levy_paths_info(const levy_paths *paths)
{
    return paths ? &paths->facts : NULL;
}

int levy_paths_generate(levy_paths *paths, uint64_t first, size_t n_paths, void *output,
                        size_t stride, void *stream)
{
    char why[LEVY_REASON_SIZE] = "";
    levy_normals_call call = {
        .output = output, .first = first, .n_points = n_paths, .stride = stride, .stream = stream};
    if (!paths) return LEVY_STATUS_ARGUMENT;
    if (n_paths == 0) return LEVY_STATUS_OK;
    if (!levy_api_normals_call(&paths->normals, &call)) return LEVY_STATUS_ARGUMENT;
    const levy_call_mode mode = levy_call_mode_enter();
    const levy_status status = paths->device.backend.paths_generate(paths->made, &call, why);
    levy_call_mode_leave(&mode);
    return (int)status;
}
