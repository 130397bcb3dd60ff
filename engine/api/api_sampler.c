/* api_sampler.c: the weighted sampler of levy.h: checked weights become a table, and a backend
 * draws from it. */
#include "engine/api/api_object.h"

#include "kernels/cpu/threads.h"

enum { SAMPLER_ALONE = 1 << 17 }; /* items below which threads cost more than they bring */

struct levy_sampler {
    levy_api_object object;
    levy_sampler_tables tables;
    levy_sampler_facts facts;
};

/* ---- Creation -------------------------------------------------------------------------------- */

static void sampler_pool_run(void *pool, void (*work)(void *user, uint32_t worker), void *user)
{
    levy_threads_run(pool, work, user);
}

static uint32_t sampler_workers(const levy_sampler_spec *spec)
{
    if (spec->count < SAMPLER_ALONE) return 1;
    return spec->threads ? spec->threads : levy_threads_available();
}

static int sampler_tables(levy_context *context, levy_sampler *s, const levy_sampler_spec *spec,
                          const double *from)
{
    char text[160] = "";
    levy_alias_fault fault = {LEVY_ALIAS_FINE, 0, 0.0};
    levy_threads *threads = NULL;
    const uint32_t workers = sampler_workers(spec);
    const levy_alias_weights weights = {from, NULL, spec->count};
    if (workers > 1 && levy_threads_create(&s->object.memory, workers, &threads) != LEVY_OK)
        return levy_api_refuse(context, "threads", LEVY_MEMORY, "");
    const levy_alias_crew crew = {workers, sampler_pool_run, threads};
    const levy_status status =
        levy_sampler_tables_create(&s->object.memory, &weights, &crew, &s->tables, &fault);
    levy_threads_destroy(threads);
    if (status == LEVY_OK) return LEVY_STATUS_OK;
    if (status != LEVY_INPUT) return levy_api_refuse(context, "", status, "");
    levy_alias_fault_text(&fault, text, sizeof text);
    return levy_api_refuse(context, "weights", LEVY_ARGUMENT, text);
}

/* The table of weights on the GPU, which must be open: as that of the same weights on the host. */
static int sampler_tables_of_device(levy_context *context, levy_sampler *s,
                                    const levy_sampler_spec *spec)
{
    char why[LEVY_REASON_SIZE] = "";
    if (!s->object.device.backend.read)
        return levy_api_refuse(context, "weights_on_device", LEVY_ARGUMENT,
                               "is set, but the sampler is not on a GPU");
    /* a count that is refused: nothing is read */
    if (spec->count < 1 || spec->count > UINT32_MAX)
        return sampler_tables(context, s, spec, spec->weights);
    double *const copy = levy_memory_allocate(&s->object.memory, spec->count, sizeof *copy);
    if (!copy) return levy_api_refuse(context, "weights", LEVY_MEMORY, "");
    const levy_status read =
        s->object.device.backend.read(s->object.device.state, copy, spec->weights,
                                      spec->count * sizeof *copy, spec->weights_stream, why);
    const int status = read == LEVY_OK ? sampler_tables(context, s, spec, copy)
                                       : levy_api_refuse(context, "weights", read, why);
    levy_memory_release(&s->object.memory, copy);
    return status;
}

static void sampler_facts(levy_sampler *s)
{
    s->facts = (levy_sampler_facts){LEVY_API_FACTS(&s->object), .count = s->tables.count,
                                    .table_bytes = levy_sampler_tables_bytes(&s->tables),
                                    .draws_per_thread = s->object.info.paths_per_thread};
    if (!s->object.device.backend.sampler_keeps)
        levy_sampler_tables_release(&s->object.memory, &s->tables);
}

static int sampler_check(levy_context *context, const levy_sampler_spec *spec)
{
    if (!spec->weights) return levy_api_refuse(context, "weights", LEVY_ARGUMENT, "is NULL");
    if (!levy_api_is_aligned(spec->weights, sizeof *spec->weights))
        return levy_api_refuse(context, "weights", LEVY_ARGUMENT,
                               "is not aligned for its numbers, which have 8 bytes");
    return LEVY_STATUS_OK;
}

static int sampler_make(levy_context *context, void *object, levy_api_spec *given)
{
    levy_sampler *const s = object;
    const levy_sampler_spec *const spec = &given->sampler;
    const levy_api_wish wish = LEVY_API_WISH(spec);
    const bool there = spec->weights_on_device != 0;
    int status = sampler_check(context, spec);
    if (status == LEVY_STATUS_OK && !there)
        status = sampler_tables(context, s, spec, spec->weights);
    if (status == LEVY_STATUS_OK) status = levy_api_object_open(context, &s->object, &wish);
    if (status == LEVY_STATUS_OK && there) status = sampler_tables_of_device(context, s, spec);
    if (status == LEVY_STATUS_OK) status = levy_api_object_fill(context, &s->object, &s->tables);
    if (status == LEVY_STATUS_OK) sampler_facts(s);
    return status;
}

static void sampler_release(void *object)
{
    levy_sampler *const s = object;
    levy_sampler_tables_release(&s->object.memory, &s->tables);
}

LEVY_API_OBJECT(sampler, SAMPLER, levy_sampler_facts, "draws no items")

/* ---- Draws ----------------------------------------------------------------------------------- */

/* Whether the pointers are there and aligned, and the numbers end before any memory does. */
static bool sampler_admits(const levy_sampler_call *call)
{
    const bool invert = call->work == LEVY_SAMPLER_INVERT;
    return call->output && levy_api_is_aligned(call->output, sizeof *call->output) &&
           (!invert || (call->u && levy_api_is_aligned(call->u, sizeof *call->u))) &&
           call->count <= SIZE_MAX / 2 / sizeof(double);
}

static int sampler_run(levy_sampler *sampler, const levy_sampler_call *call)
{
    if (!sampler) return LEVY_STATUS_ARGUMENT;
    if (call->count == 0) return LEVY_STATUS_OK;
    if (!sampler_admits(call)) return LEVY_STATUS_ARGUMENT;
    return levy_api_object_run(&sampler->object, call);
}

int levy_sampler_draw(levy_sampler *sampler, uint64_t seed, uint64_t first, size_t count,
                      uint32_t *items, void *stream)
{
    const levy_sampler_call call = {.work = LEVY_SAMPLER_DRAW,
                                    .seed = seed,
                                    .first = first,
                                    .count = count,
                                    .output = items,
                                    .stream = stream};
    return sampler_run(sampler, &call);
}

int levy_sampler_invert(levy_sampler *sampler, const double *u, size_t count, uint32_t *items,
                        void *stream)
{
    const levy_sampler_call call = {
        .work = LEVY_SAMPLER_INVERT, .count = count, .u = u, .output = items, .stream = stream};
    if (sampler && sampler->tables.rows && sampler_admits(&call))
        for (size_t k = 0; k < count; ++k)
            if (!(u[k] >= 0.0 && u[k] < 1.0)) return LEVY_STATUS_ARGUMENT;
    return sampler_run(sampler, &call);
}

int levy_sampler_counts(levy_sampler *sampler, uint64_t seed, uint64_t first, size_t count,
                        uint32_t *counts, void *stream)
{
    const levy_sampler_call call = {.work = LEVY_SAMPLER_COUNTS,
                                    .seed = seed,
                                    .first = first,
                                    .count = count,
                                    .output = counts,
                                    .stream = stream};
    return sampler_run(sampler, &call);
}
