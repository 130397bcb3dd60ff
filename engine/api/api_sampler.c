/* api_sampler.c: the weighted sampler of levy.h: checked weights become a table, and a backend
 * draws from it. */
#include "engine/api/api_device.h"

#include "kernels/cpu/threads.h"

enum { SAMPLER_ALONE = 1 << 17 }; /* items below which threads cost more than they bring */

struct levy_sampler {
    levy_memory memory;
    levy_sampler_tables tables;
    levy_api_device device;
    void *made; /* the backend's */
    levy_kernel_made made_info;
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
    if (workers > 1 && levy_threads_create(&s->memory, workers, &threads) != LEVY_OK)
        return levy_api_refuse(context, "threads", LEVY_MEMORY, "");
    const levy_alias_crew crew = {workers, sampler_pool_run, threads};
    const levy_status status =
        levy_sampler_tables_create(&s->memory, &weights, &crew, &s->tables, &fault);
    levy_threads_destroy(threads);
    if (status == LEVY_OK) return LEVY_STATUS_OK;
    if (status != LEVY_INPUT) return levy_api_refuse(context, "", status, "");
    levy_alias_fault_text(&fault, text, sizeof text);
    return levy_api_refuse(context, "weights", LEVY_ARGUMENT, text);
}

static int sampler_open(levy_context *context, levy_sampler *s, const levy_sampler_spec *spec)
{
    const levy_api_wish wish = {.memory = &s->memory,
                                .device = spec->device,
                                .isa = spec->isa,
                                .threads = spec->threads,
                                .no_kernel_cache = spec->no_kernel_cache != 0};
    return levy_api_device_open(context, &wish, &s->device);
}

/* The table of weights on the GPU, which must be open: as that of the same weights on the host. */
static int sampler_tables_of_device(levy_context *context, levy_sampler *s,
                                    const levy_sampler_spec *spec)
{
    char why[LEVY_REASON_SIZE] = "";
    if (!s->device.backend.read)
        return levy_api_refuse(context, "weights_on_device", LEVY_ARGUMENT,
                               "is set, but the sampler is not on a GPU");
    /* a count that is refused: nothing is read */
    if (spec->count < 1 || spec->count > UINT32_MAX)
        return sampler_tables(context, s, spec, spec->weights);
    double *const copy = levy_memory_allocate(&s->memory, spec->count, sizeof *copy);
    if (!copy) return levy_api_refuse(context, "weights", LEVY_MEMORY, "");
    const levy_status read =
        s->device.backend.read(s->device.state, copy, spec->weights, spec->count * sizeof *copy,
                               spec->weights_stream, why);
    const int status = read == LEVY_OK ? sampler_tables(context, s, spec, copy)
                                       : levy_api_refuse(context, "weights", read, why);
    levy_memory_release(&s->memory, copy);
    return status;
}

static int sampler_give(levy_context *context, levy_sampler *s)
{
    char why[LEVY_REASON_SIZE] = "";
    if (!s->device.backend.sampler_create)
        return levy_api_refuse(context, "device", LEVY_UNSUPPORTED,
                               "the chosen backend draws no items");
    const levy_status made =
        s->device.backend.sampler_create(s->device.state, &s->tables, &s->made, why);
    if (made == LEVY_OK) return LEVY_STATUS_OK;
    s->made = NULL;
    return levy_api_refuse(context, "device", made, why);
}

static void sampler_facts(levy_sampler *s)
{
    const levy_sampler_tables *const t = &s->tables;
    const levy_kernel_made *const made = &s->made_info;
    s->device.backend.sampler_describe(s->made, &s->made_info);
    s->facts = (levy_sampler_facts){
        .backend = s->device.info.backend,
        .device = s->device.info.device,
        .device_reason = s->device.reason,
        .isa = s->device.info.isa,
        .kernel = made->kernel,
        .count = t->count,
        .table_bytes = levy_sampler_tables_bytes(t),
        .threads = s->device.info.threads,
        .threads_per_block = made->threads_per_block,
        .draws_per_thread = made->paths_per_thread,
        .registers = made->registers,
        .spilled_bytes = made->spilled_bytes,
        .blocks_per_processor = made->blocks_per_processor,
    };
}

static int sampler_make(levy_context *context, const levy_sampler_spec *spec,
                        levy_sampler **sampler)
{
    levy_sampler *const s = levy_memory_allocate(&context->memory, 1, sizeof *s);
    if (!s) return levy_api_refuse(context, "", LEVY_MEMORY, "");
    s->memory = context->memory;
    const bool there = spec->weights_on_device != 0;
    int status = there ? LEVY_STATUS_OK : sampler_tables(context, s, spec, spec->weights);
    if (status == LEVY_STATUS_OK) status = sampler_open(context, s, spec);
    if (status == LEVY_STATUS_OK && there) status = sampler_tables_of_device(context, s, spec);
    if (status == LEVY_STATUS_OK) status = sampler_give(context, s);
    if (status != LEVY_STATUS_OK) {
        levy_sampler_destroy(s);
        return status;
    }
    sampler_facts(s);
    if (!s->device.backend.sampler_keeps) levy_sampler_tables_release(&s->memory, &s->tables);
    *sampler = s;
    return LEVY_STATUS_OK;
}

int levy_sampler_create(levy_context *context, const levy_sampler_spec *spec,
                        levy_sampler **sampler)
{
    levy_sampler_spec given = {0};
    if (!context || !sampler) return levy_call_refuse(context, "sampler", "is NULL");
    *sampler = NULL;
    levy_call_begin(context);
    if (!spec || !levy_call_copy_options(&given, sizeof given, spec)) {
        levy_api_refuse(context, "struct_size", LEVY_ARGUMENT,
                        "is not that of a levy_sampler_spec");
        return levy_call_end(context, LEVY_STATUS_ARGUMENT);
    }
    const levy_call_mode mode = levy_call_mode_enter();
    int status = LEVY_STATUS_OK;
    if (!given.weights)
        status = levy_api_refuse(context, "weights", LEVY_ARGUMENT, "is NULL");
    else if ((uintptr_t)given.weights % sizeof *given.weights != 0)
        status = levy_api_refuse(context, "weights", LEVY_ARGUMENT,
                                 "is not aligned for its numbers, which have 8 bytes");
    if (status == LEVY_STATUS_OK) status = sampler_make(context, &given, sampler);
    levy_call_mode_leave(&mode);
    status = levy_call_end(context, status);
    if (status != LEVY_STATUS_OK && *sampler) {
        levy_sampler_destroy(*sampler);
        *sampler = NULL;
    }
    return status;
}

void levy_sampler_destroy(levy_sampler *sampler)
{
    if (!sampler) return;
    const levy_memory memory = sampler->memory;
    if (sampler->made) sampler->device.backend.sampler_destroy(sampler->made);
    levy_api_device_close(&sampler->device);
    levy_sampler_tables_release(&memory, &sampler->tables);
    levy_memory_release(&memory, sampler);
}

const levy_sampler_facts *levy_sampler_info(const levy_sampler *sampler)
{
    return sampler ? &sampler->facts : NULL;
}

/* ---- Draws ----------------------------------------------------------------------------------- */

/* Whether the pointers are there and aligned, and the numbers end before any memory does. */
static bool sampler_admits(const levy_sampler_call *call)
{
    const bool invert = call->work == LEVY_SAMPLER_INVERT;
    return call->output && (uintptr_t)call->output % sizeof *call->output == 0 &&
           (!invert || (call->u && (uintptr_t)call->u % sizeof *call->u == 0)) &&
           call->count <= SIZE_MAX / 2 / sizeof(double);
}

static int sampler_run(levy_sampler *sampler, const levy_sampler_call *call)
{
    char why[LEVY_REASON_SIZE] = "";
    if (!sampler) return LEVY_STATUS_ARGUMENT;
    if (call->count == 0) return LEVY_STATUS_OK;
    if (!sampler_admits(call)) return LEVY_STATUS_ARGUMENT;
    const levy_call_mode mode = levy_call_mode_enter();
    const levy_status status = sampler->device.backend.sampler_run(sampler->made, call, why);
    levy_call_mode_leave(&mode);
    return (int)status;
}

int levy_sampler_draw(levy_sampler *sampler, uint64_t seed, uint64_t first, size_t count,
                      uint32_t *items, void *stream)
{
    return sampler_run(sampler, &(levy_sampler_call){
                                    .work = LEVY_SAMPLER_DRAW,
                                    .seed = seed,
                                    .first = first,
                                    .count = count,
                                    .output = items,
                                    .stream = stream,
                                });
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
    return sampler_run(sampler, &(levy_sampler_call){
                                    .work = LEVY_SAMPLER_COUNTS,
                                    .seed = seed,
                                    .first = first,
                                    .count = count,
                                    .output = counts,
                                    .stream = stream,
                                });
}
