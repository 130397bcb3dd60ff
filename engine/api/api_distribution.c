/* api_distribution.c: the distributions of levy.h: checked parameters, and a backend that fills
 * arrays with their deviates. */
#include "engine/api/api_device.h"

#include "engine/base/number.h"

#include <math.h>
#include <stdio.h>

struct levy_distribution {
    levy_memory memory;
    levy_distribution_law law;
    levy_api_device device;
    void *made; /* the backend's */
    levy_kernel_made made_info;
    levy_distribution_facts facts;
};

_Static_assert((int)LEVY_DRAW_EXPONENTIAL == (int)LEVY_LAW_EXPONENTIAL &&
                   (int)LEVY_DRAW_NORMAL == (int)LEVY_LAW_NORMAL &&
                   (int)LEVY_DRAW_GAMMA == (int)LEVY_LAW_GAMMA &&
                   (int)LEVY_DRAW_POISSON == (int)LEVY_LAW_POISSON &&
                   (int)LEVY_DRAW_NONCENTRAL == (int)LEVY_LAW_NONCENTRAL_CHI_SQUARE,
               "levy.h spells the laws of parameters.h");
_Static_assert((int)LEVY_DRAW_GAMMA_TABLE == (int)LEVY_LAW_GAMMA_TABLE &&
                   (int)LEVY_DRAW_BETA == (int)LEVY_LAW_BETA &&
                   (int)LEVY_DRAW_INVERSE_GAUSSIAN == (int)LEVY_LAW_INVERSE_GAUSSIAN,
               "and those by table");

/* ---- Creation -------------------------------------------------------------------------------- */

static bool distribution_each(const levy_distribution_spec *s, int which)
{
    return (s->per_deviate >> which & 1) != 0;
}

static int distribution_check_parameter(levy_context *context, const levy_distribution_spec *s,
                                        int which)
{
    char why[192], value[LEVY_NUMBER_SIZE], least[LEVY_NUMBER_SIZE], most[LEVY_NUMBER_SIZE];
    const levy_draw_range range =
        levy_draw_range_of((levy_draw_law)s->law, s->precision == LEVY_DISTRIBUTION_SINGLE, which);
    const double x = s->parameters[which];
    const bool each = distribution_each(s, which);
    if (!range.name && each)
        return levy_api_refuse(context, "per_deviate", LEVY_ARGUMENT,
                               "names a parameter that the law does not have");
    if (!range.name || each || levy_draw_range_holds(&range, x)) return LEVY_STATUS_OK;
    levy_number_write(x, value);
    levy_number_write(range.least, least);
    levy_number_write(range.most, most);
    const char *const given = isnan(x) ? "not a number" : value;
    snprintf(why, sizeof why, "is %s; it must be %s %s and at most %s", given,
             range.open ? "above" : "at least", least, most);
    return levy_api_refuse(context, range.name, LEVY_ARGUMENT, why);
}

static int distribution_check(levy_context *context, const levy_distribution_spec *s)
{
    int status = LEVY_STATUS_OK;
    if (s->law < 0 || s->law >= (int)LEVY_DRAW_LAWS)
        return levy_api_refuse(context, "law", LEVY_ARGUMENT, "is none of LEVY_LAW_");
    if (s->precision != LEVY_DISTRIBUTION_DOUBLE && s->precision != LEVY_DISTRIBUTION_SINGLE)
        return levy_api_refuse(context, "precision", LEVY_ARGUMENT,
                               "is neither LEVY_DISTRIBUTION_DOUBLE nor LEVY_DISTRIBUTION_SINGLE");
    if (s->per_deviate > 3)
        return levy_api_refuse(context, "per_deviate", LEVY_ARGUMENT, "is none of 0 to 3");
    if (s->per_deviate && levy_draw_is_tabulated((levy_draw_law)s->law))
        return levy_api_refuse(context, "per_deviate", LEVY_ARGUMENT,
                               "must be 0: a table has one law's quantiles");
    for (int which = 0; which < 2 && status == LEVY_STATUS_OK; ++which)
        status = distribution_check_parameter(context, s, which);
    return status;
}

static int distribution_open(levy_context *context, levy_distribution *d,
                             const levy_distribution_spec *spec)
{
    char why[LEVY_REASON_SIZE] = "";
    const levy_api_wish wish = {.memory = &d->memory,
                                .device = spec->device,
                                .isa = spec->isa,
                                .threads = spec->threads,
                                .no_kernel_cache = spec->no_kernel_cache != 0};
    const int status = levy_api_device_open(context, &wish, &d->device);
    if (status != LEVY_STATUS_OK) return status;
    if (!d->device.backend.distribution_create)
        return levy_api_refuse(context, "device", LEVY_UNSUPPORTED,
                               "the chosen backend has no distributions");
    const levy_status made =
        d->device.backend.distribution_create(d->device.state, &d->law, &d->made, why);
    if (made == LEVY_OK) return LEVY_STATUS_OK;
    d->made = NULL;
    return levy_api_refuse(context, "device", made, why);
}

static void distribution_facts(levy_distribution *d)
{
    const levy_kernel_made *const made = &d->made_info;
    d->device.backend.distribution_describe(d->made, &d->made_info);
    d->facts = (levy_distribution_facts){
        .backend = d->device.info.backend,
        .device = d->device.info.device,
        .device_reason = d->device.reason,
        .isa = d->device.info.isa,
        .kernel = made->kernel,
        .table_bytes = d->law.table.bytes,
        .threads = d->device.info.threads,
        .threads_per_block = made->threads_per_block,
        .registers = made->registers,
        .spilled_bytes = made->spilled_bytes,
        .blocks_per_processor = made->blocks_per_processor,
    };
}

static int distribution_make(levy_context *context, const levy_distribution_spec *s,
                             levy_distribution **distribution)
{
    levy_distribution *const d = levy_memory_allocate(&context->memory, 1, sizeof *d);
    if (!d) return levy_api_refuse(context, "", LEVY_MEMORY, "");
    d->memory = context->memory;
    d->law = (levy_distribution_law){.law = (levy_draw_law)s->law,
                                     .single = s->precision == LEVY_DISTRIBUTION_SINGLE,
                                     .each = {distribution_each(s, 0), distribution_each(s, 1)},
                                     .parameters = {s->parameters[0], s->parameters[1]}};
    const levy_status tabulated = levy_draw_table_create(&d->memory, d->law.law, d->law.single,
                                                         d->law.parameters, &d->law.table);
    const int status = tabulated == LEVY_OK ? distribution_open(context, d, s)
                                            : levy_api_refuse(context, "", tabulated, "");
    if (status != LEVY_STATUS_OK) {
        levy_distribution_destroy(d);
        return status;
    }
    distribution_facts(d);
    *distribution = d;
    return LEVY_STATUS_OK;
}

int levy_distribution_create(levy_context *context, const levy_distribution_spec *spec,
                             levy_distribution **distribution)
{
    levy_distribution_spec given = {0};
    if (!context || !distribution) return levy_call_refuse(context, "distribution", "is NULL");
    *distribution = NULL;
    levy_call_begin(context);
    if (!spec || !levy_call_copy_options(&given, sizeof given, spec)) {
        levy_api_refuse(context, "struct_size", LEVY_ARGUMENT,
                        "is not that of a levy_distribution_spec");
        return levy_call_end(context, LEVY_STATUS_ARGUMENT);
    }
    const levy_call_mode mode = levy_call_mode_enter();
    int status = distribution_check(context, &given);
    if (status == LEVY_STATUS_OK) status = distribution_make(context, &given, distribution);
    levy_call_mode_leave(&mode);
    status = levy_call_end(context, status);
    if (status != LEVY_STATUS_OK && *distribution) {
        levy_distribution_destroy(*distribution);
        *distribution = NULL;
    }
    return status;
}

void levy_distribution_destroy(levy_distribution *distribution)
{
    if (!distribution) return;
    const levy_memory memory = distribution->memory;
    if (distribution->made) distribution->device.backend.distribution_destroy(distribution->made);
    levy_api_device_close(&distribution->device);
    levy_draw_table_release(&memory, &distribution->law.table);
    levy_memory_release(&memory, distribution);
}

const levy_distribution_facts *levy_distribution_info(const levy_distribution *distribution)
{
    return distribution ? &distribution->facts : NULL;
}

/* ---- Deviates -------------------------------------------------------------------------------- */

static bool distribution_aligned(const void *pointer, size_t size)
{
    return pointer && (uintptr_t)pointer % size == 0;
}

/* Whether the pointers are there and aligned, arrays of parameters exactly where they were
 * announced, and the numbers end before any memory does. */
static bool distribution_admits(const levy_distribution *d, const levy_distribution_call *call,
                                const void *const parameters[2])
{
    const size_t width = d->law.single ? sizeof(float) : sizeof(double),
                 number = d->law.law == LEVY_DRAW_POISSON ? sizeof(uint32_t) : width;
    for (int which = 0; which < 2; ++which) {
        const void *const array = parameters ? parameters[which] : NULL;
        if (d->law.each[which] ? !distribution_aligned(array, width) : array != NULL) return false;
    }
    return distribution_aligned(call->output, number) &&
           (!call->words || distribution_aligned(call->words, sizeof *call->words)) &&
           call->count <= SIZE_MAX / 2 / sizeof(double);
}

static int distribution_run(levy_distribution *d, levy_distribution_call *call,
                            const void *const parameters[2])
{
    char why[LEVY_REASON_SIZE] = "";
    if (call->count == 0) return LEVY_STATUS_OK;
    if (!distribution_admits(d, call, parameters)) return LEVY_STATUS_ARGUMENT;
    for (int which = 0; which < 2; ++which)
        call->parameters[which] = d->law.each[which] ? parameters[which] : NULL;
    const levy_call_mode mode = levy_call_mode_enter();
    const levy_status status = d->device.backend.distribution_run(d->made, call, why);
    levy_call_mode_leave(&mode);
    return (int)status;
}

int levy_distribution_draw(levy_distribution *distribution, uint64_t seed, uint32_t substream,
                           uint64_t first, size_t count, const void *const parameters[2],
                           void *output, void *stream)
{
    if (!distribution || substream > UINT32_MAX / 3 || first > UINT64_MAX - count)
        return LEVY_STATUS_ARGUMENT;
    return distribution_run(distribution,
                            &(levy_distribution_call){
                                .seed = seed,
                                .first = first,
                                .substream = substream,
                                .count = count,
                                .output = output,
                                .stream = stream,
                            },
                            parameters);
}

int levy_distribution_invert(levy_distribution *distribution, const uint32_t *words, size_t count,
                             const void *const parameters[2], void *output, void *stream)
{
    if (!distribution || (count > 0 && !words)) return LEVY_STATUS_ARGUMENT;
    return distribution_run(distribution,
                            &(levy_distribution_call){
                                .words = words, .count = count, .output = output, .stream = stream},
                            parameters);
}
