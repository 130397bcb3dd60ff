/* api_distribution.c: the distributions of levy.h: checked parameters, and a backend that fills
 * arrays with their deviates. */
#include "engine/api/api_object.h"

#include "engine/base/number.h"

#include <math.h>
#include <stdio.h>

struct levy_distribution {
    levy_api_object object;
    levy_distribution_law law;
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

static int distribution_make(levy_context *context, void *object, levy_api_spec *given)
{
    levy_distribution *const d = object;
    const levy_distribution_spec *const s = &given->distribution;
    const levy_api_wish wish = LEVY_API_WISH(s);
    int status = distribution_check(context, s);
    if (status != LEVY_STATUS_OK) return status;
    d->law = (levy_distribution_law){.law = (levy_draw_law)s->law,
                                     .single = s->precision == LEVY_DISTRIBUTION_SINGLE,
                                     .each = {distribution_each(s, 0), distribution_each(s, 1)},
                                     .parameters = {s->parameters[0], s->parameters[1]}};
    const levy_status tabulated = levy_draw_table_create(
        &d->object.memory, d->law.law, d->law.single, d->law.parameters, &d->law.table);
    if (tabulated != LEVY_OK) return levy_api_refuse(context, "", tabulated, "");
    status = levy_api_object_open(context, &d->object, &wish);
    if (status == LEVY_STATUS_OK) status = levy_api_object_fill(context, &d->object, &d->law);
    d->facts =
        (levy_distribution_facts){LEVY_API_FACTS(&d->object), .table_bytes = d->law.table.bytes};
    return status;
}

static void distribution_release(void *object)
{
    levy_distribution *const d = object;
    levy_draw_table_release(&d->object.memory, &d->law.table);
}

LEVY_API_OBJECT(distribution, DISTRIBUTION, levy_distribution_facts, "has no distributions")

/* ---- Deviates -------------------------------------------------------------------------------- */

static bool distribution_aligned(const void *pointer, size_t size)
{
    return pointer && levy_api_is_aligned(pointer, size);
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
    if (call->count == 0) return LEVY_STATUS_OK;
    if (!distribution_admits(d, call, parameters)) return LEVY_STATUS_ARGUMENT;
    for (int which = 0; which < 2; ++which)
        call->parameters[which] = d->law.each[which] ? parameters[which] : NULL;
    return levy_api_object_run(&d->object, call);
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
