/* api_paths.c: the paths of levy.h: a bridge's program and a generator's tables, which a backend
 * carries out together. */
#include "engine/api/api_bridge.h"
#include "engine/api/api_normals.h"

#include <math.h>

struct levy_paths {
    levy_api_object object;
    levy_api_program plan;
    levy_normals_tables normals;
    levy_paths_tables tables;
    void *drift; /* of the bridge's precision */
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
    p->drift = levy_memory_allocate(&p->object.memory, n, sizeof(double));
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
    const bool registers = g->bridge.n_dimensions <= p->object.device.backend.bridge_registers;
    const levy_normals_settings settings = {g->spec.generator, g->spec.seed, g->spec.replicate,
                                            g->net.net, g->net.scrambling};
    const int status =
        levy_api_program_create(context, &p->object.memory, &g->bridge, registers, &p->plan);
    if (status != LEVY_STATUS_OK) return status;
    p->normals = (levy_normals_tables){.output = LEVY_NORMALS_NORMAL,
                                       .single = p->plan.tables.single,
                                       .n_dimensions = g->normals.n_dimensions,
                                       .count = g->normals.n_dimensions};
    levy_status made = levy_normals_tables_create(&p->object.memory, &settings, &p->normals);
    if (made == LEVY_OK) made = paths_drift(p, &g->spec);
    p->tables = (levy_paths_tables){.bridge = &p->plan.tables,
                                    .normals = &p->normals,
                                    .drift = p->drift,
                                    .exponential = g->spec.exponential != 0};
    return made == LEVY_OK ? LEVY_STATUS_OK : levy_api_refuse(context, "", made, "");
}

/* The specification of the bridge within that of the paths. */
static int paths_take_bridge(levy_context *context, paths_given *g)
{
    if (!g->spec.bridge)
        return levy_api_refuse(context, "bridge", LEVY_ARGUMENT,
                               "is required: times, and how they are built");
    if (!levy_call_copy_options(&g->bridge, sizeof g->bridge, g->spec.bridge))
        return levy_api_refuse(context, "bridge.struct_size", LEVY_ARGUMENT,
                               "is not that of a levy_bridge_spec");
    if (g->bridge.n_dimensions == 0) g->bridge.n_dimensions = 1;
    return LEVY_STATUS_OK;
}

static int paths_make(levy_context *context, void *object, levy_api_spec *from)
{
    levy_paths *const p = object;
    paths_given g = {.spec = from->paths};
    int status = paths_take_bridge(context, &g);
    if (status == LEVY_STATUS_OK) status = paths_check(context, &g);
    const levy_api_wish wish = LEVY_API_WISH(&g.bridge);
    if (status == LEVY_STATUS_OK) status = levy_api_object_open(context, &p->object, &wish);
    if (status == LEVY_STATUS_OK) status = paths_tables(context, p, &g);
    if (status == LEVY_STATUS_OK) status = levy_api_object_fill(context, &p->object, &p->tables);
    if (status == LEVY_STATUS_OK)
        p->facts = levy_api_normals_facts(&p->normals, g.spec.generator, &p->object);
    levy_api_net_close(&g.net);
    return status;
}

static void paths_release(void *object)
{
    levy_paths *const p = object;
    levy_api_program_drop(&p->object.memory, &p->plan);
    levy_normals_tables_release(&p->object.memory, &p->normals);
    levy_memory_release(&p->object.memory, p->drift);
}

LEVY_API_OBJECT(paths, PATHS, levy_normals_facts, "makes no paths")

int levy_paths_generate(levy_paths *paths, uint64_t first, size_t n_paths, void *output,
                        size_t stride, void *stream)
{
    levy_normals_call call = {
        .output = output, .first = first, .n_points = n_paths, .stride = stride, .stream = stream};
    if (!paths) return LEVY_STATUS_ARGUMENT;
    if (n_paths == 0) return LEVY_STATUS_OK;
    if (!levy_api_normals_call(&paths->normals, &call)) return LEVY_STATUS_ARGUMENT;
    return levy_api_object_run(&paths->object, &call);
}
