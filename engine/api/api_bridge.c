/* api_bridge.c: the stand-alone Brownian bridge of levy.h: a checked specification becomes a
 * program and its tables, and a backend of the bridge's own carries it out. */
#include "engine/api/api_bridge.h"

#include "engine/base/number.h"
#include "kernels/lane/scalar.h"

#include <stdio.h>
#include <string.h>

struct levy_bridge {
    levy_api_object object;
    levy_api_program plan;
    uint32_t *points, *normals; /* [n_steps], of the program */
    levy_bridge_facts facts;
};

/* ---- Creation -------------------------------------------------------------------------------- */

int levy_api_bridge_check(levy_context *context, const levy_bridge_spec *s)
{
    char why[LEVY_BRIDGE_WHY];
    if (!s->times)
        return levy_api_refuse(context, "times", LEVY_ARGUMENT,
                               "is required: t0 and a time for each step");
    if (s->n_steps < 1 || s->n_steps > LEVY_BRIDGE_MAX_STEPS) {
        snprintf(why, sizeof why, "is %u; a bridge has 1 to %d steps", (unsigned)s->n_steps,
                 LEVY_BRIDGE_MAX_STEPS);
        return levy_api_refuse(context, "n_steps", LEVY_ARGUMENT, why);
    }
    if (s->n_dimensions > LEVY_BRIDGE_MAX_DIMENSIONS) {
        snprintf(why, sizeof why, "is %u; a bridge has 1 to %d dimensions",
                 (unsigned)s->n_dimensions, LEVY_BRIDGE_MAX_DIMENSIONS);
        return levy_api_refuse(context, "n_dimensions", LEVY_ARGUMENT, why);
    }
    if (s->output != LEVY_BRIDGE_PATHS && s->output != LEVY_BRIDGE_INCREMENTS)
        return levy_api_refuse(context, "output", LEVY_ARGUMENT,
                               "is neither LEVY_BRIDGE_PATHS nor LEVY_BRIDGE_INCREMENTS");
    if (s->precision != LEVY_BRIDGE_DOUBLE && s->precision != LEVY_BRIDGE_SINGLE)
        return levy_api_refuse(context, "precision", LEVY_ARGUMENT,
                               "is neither LEVY_BRIDGE_DOUBLE nor LEVY_BRIDGE_SINGLE");
    return LEVY_STATUS_OK;
}

int levy_api_program_create(levy_context *context, const levy_memory *memory,
                            const levy_bridge_spec *s, bool registers, levy_api_program *made)
{
    char why[LEVY_BRIDGE_WHY] = "";
    uint32_t *own = NULL;
    if (!s->order && (own = levy_memory_allocate(memory, s->n_steps, sizeof *own)))
        levy_bridge_first(s->n_steps, NULL, 0, own);
    const uint32_t *const order = s->order ? s->order : own;
    levy_status status = LEVY_MEMORY;
    if (order)
        status = levy_bridge_program_create(memory, s->n_steps, s->times, order, registers,
                                            levy_sqrt, &made->program, why);
    levy_memory_release(memory, own);
    const levy_bridge_settings settings = {.n_dimensions = s->n_dimensions,
                                           .single = s->precision == LEVY_BRIDGE_SINGLE,
                                           .increments = s->output == LEVY_BRIDGE_INCREMENTS,
                                           .factor = s->factor,
                                           .start = s->start};
    if (status == LEVY_OK)
        status = levy_bridge_tables_create(memory, &made->program, &settings, &made->tables, why);
    return status == LEVY_OK ? LEVY_STATUS_OK : levy_api_refuse(context, "", status, why);
}

void levy_api_program_drop(const levy_memory *memory, levy_api_program *made)
{
    levy_bridge_program_release(&made->program);
    levy_memory_release(memory, (void *)(uintptr_t)made->tables.instructions);
}

static int bridge_facts(levy_context *context, levy_bridge *b)
{
    const levy_bridge_program *const p = &b->plan.program;
    const uint32_t n = p->n_steps;
    b->points = levy_memory_allocate(&b->object.memory, n, 2 * sizeof *b->points);
    if (!b->points) return levy_api_refuse(context, "", LEVY_MEMORY, "");
    b->normals = b->points + n;
    for (uint32_t i = 0; i < n; ++i) {
        b->points[i] = BRIDGE_ROW(p->instructions[i]) + 1;
        b->normals[i] = BRIDGE_NORMAL(p->instructions[i]);
    }
    b->facts = (levy_bridge_facts){LEVY_API_FACTS(&b->object),
                                   .n_steps = n,
                                   .n_dimensions = b->plan.tables.n_dimensions,
                                   .slots = p->slots,
                                   .instruction_bytes = sizeof *p->instructions,
                                   .instructions = p->instructions,
                                   .points = b->points,
                                   .normals = b->normals,
                                   .weights = p->weights,
                                   .paths_per_thread = b->object.info.paths_per_thread};
    return LEVY_STATUS_OK;
}

static int bridge_make(levy_context *context, void *object, levy_api_spec *given)
{
    levy_bridge *const b = object;
    levy_bridge_spec *const s = &given->bridge;
    const levy_backend *const backend = &b->object.device.backend;
    const levy_api_wish wish = LEVY_API_WISH(s);
    if (s->n_dimensions == 0) s->n_dimensions = 1;
    int status = levy_api_bridge_check(context, s);
    if (status == LEVY_STATUS_OK) status = levy_api_object_open(context, &b->object, &wish);
    if (status == LEVY_STATUS_OK)
        status = levy_api_program_create(context, &b->object.memory, s,
                                         s->n_dimensions <= backend->bridge_registers, &b->plan);
    if (status == LEVY_STATUS_OK)
        status = levy_api_object_fill(context, &b->object, &b->plan.tables);
    return status == LEVY_STATUS_OK ? bridge_facts(context, b) : status;
}

static void bridge_release(void *object)
{
    levy_bridge *const b = object;
    levy_api_program_drop(&b->object.memory, &b->plan);
    levy_memory_release(&b->object.memory, b->points);
}

LEVY_API_OBJECT(bridge, BRIDGE, levy_bridge_facts, "has no stand-alone bridge")

/* ---- Generation ------------------------------------------------------------------------------ */

static bool bridge_overlap(const void *a, const void *b, size_t bytes)
{
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return x < y ? y - x < bytes : x - y < bytes;
}

int levy_bridge_generate(levy_bridge *bridge, const void *normals, void *output, size_t n_paths,
                         size_t stride, void *stream)
{
    if (!bridge) return LEVY_STATUS_ARGUMENT;
    if (n_paths == 0) return LEVY_STATUS_OK;
    if (stride == 0) stride = n_paths;
    if (!normals || !output || stride < n_paths) return LEVY_STATUS_ARGUMENT;
    const levy_bridge_tables *const t = &bridge->plan.tables;
    const size_t size = t->single ? sizeof(float) : sizeof(double),
                 rows = (size_t)t->n_steps * t->n_dimensions,
                 bytes = levy_api_span(rows, stride, n_paths, size);
    if (bytes == 0 || bridge_overlap(normals, output, bytes) ||
        !levy_api_is_aligned(normals, size) || !levy_api_is_aligned(output, size))
        return LEVY_STATUS_ARGUMENT;
    const levy_bridge_call call = {.normals = normals,
                                   .output = output,
                                   .n_paths = n_paths,
                                   .stride = stride,
                                   .stream = stream};
    return levy_api_object_run(&bridge->object, &call);
}

/* ---- What was made --------------------------------------------------------------------------- */

static const char *bridge_source(uint32_t from, uint32_t slot, char text[16])
{
    static const char *const names[] = {"left", "right", "centre"};
    if (from != BRIDGE_SLOT) return names[from];
    snprintf(text, 16, "slot %u", (unsigned)slot);
    return text;
}

static int bridge_dump_line(const levy_bridge *b, uint32_t k, levy_writer write, void *user)
{
    const uint64_t i = b->plan.program.instructions[k];
    char line[512], left[16], right[16], own[16] = "", w[3][LEVY_NUMBER_SIZE];
    for (int j = 0; j < 3; ++j)
        levy_number_write(b->plan.program.weights[3 * (size_t)k + (size_t)j], w[j]);
    if (BRIDGE_OWN_SLOT(i) != BRIDGE_NOWHERE)
        snprintf(own, sizeof own, " -> slot %u", (unsigned)BRIDGE_OWN_SLOT(i));
    const char *const before = BRIDGE_BEFORE(i) ? ", increment before" : "",
                      *const after = BRIDGE_AFTER(i) ? ", increment after" : "";
    const int length = snprintf(
        line, sizeof line,
        "%u: point %u from normal %u: left %s * %s, right %s * %s, z * %s%s%s%s\n", (unsigned)k,
        (unsigned)BRIDGE_ROW(i) + 1, (unsigned)BRIDGE_NORMAL(i),
        bridge_source(BRIDGE_LEFT_FROM(i), BRIDGE_LEFT_SLOT(i), left), w[0],
        BRIDGE_ALONE(i) ? "none" : bridge_source(BRIDGE_RIGHT_FROM(i), BRIDGE_RIGHT_SLOT(i), right),
        w[1], w[2], own, before, after);
    return write(user, line, (size_t)length);
}

int levy_bridge_dump(const levy_bridge *bridge, levy_writer write, void *user)
{
    if (!bridge || !write) return LEVY_STATUS_ARGUMENT;
    for (uint32_t k = 0; k < bridge->plan.program.n_steps; ++k)
        if (bridge_dump_line(bridge, k, write, user) != 0) return LEVY_STATUS_IO;
    return LEVY_STATUS_OK;
}

/* ---- Orders ---------------------------------------------------------------------------------- */

int levy_bridge_order_bisection(uint32_t n_steps, uint32_t *order)
{
    return levy_bridge_order_first(n_steps, NULL, 0, order);
}

int levy_bridge_order_forward(uint32_t n_steps, uint32_t *order)
{
    if (!order || n_steps < 1 || n_steps > LEVY_BRIDGE_MAX_STEPS) return LEVY_STATUS_ARGUMENT;
    for (uint32_t i = 0; i < n_steps; ++i) order[i] = i + 1;
    return LEVY_STATUS_OK;
}

int levy_bridge_order_first(uint32_t n_steps, const uint32_t *points, uint32_t n_points,
                            uint32_t *order)
{
    if (!order || (!points && n_points) || n_steps < 1 || n_steps > LEVY_BRIDGE_MAX_STEPS ||
        n_points > n_steps)
        return LEVY_STATUS_ARGUMENT;
    const bool fits = levy_bridge_first(n_steps, points, n_points, order);
    return fits ? LEVY_STATUS_OK : LEVY_STATUS_ARGUMENT;
}
