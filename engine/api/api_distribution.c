/* api_distribution.c: the distributions of levy.h: checked parameters, an instruction set and
 * workers, kept for many fills. */
#include "engine/api/api_device.h"

#include "engine/base/number.h"
#include "kernels/cpu/cpu_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct levy_distribution {
    levy_memory memory;
    const levy_draw_isa *isa;
    levy_threads *threads; /* NULL: the caller's alone */
    levy_draw_law law;
    double parameters[2];
};

_Static_assert((int)LEVY_DRAW_EXPONENTIAL == (int)LEVY_LAW_EXPONENTIAL &&
                   (int)LEVY_DRAW_NORMAL == (int)LEVY_LAW_NORMAL &&
                   (int)LEVY_DRAW_GAMMA == (int)LEVY_LAW_GAMMA &&
                   (int)LEVY_DRAW_POISSON == (int)LEVY_LAW_POISSON &&
                   (int)LEVY_DRAW_NONCENTRAL == (int)LEVY_LAW_NONCENTRAL_CHI_SQUARE,
               "levy.h spells the laws of draw_isa.h");

/* The range of a parameter, up to and with `most`. */
typedef struct law_parameter {
    const char *name;
    double least, most;
    bool open; /* least itself is refused */
} law_parameter;

static const law_parameter law_parameters[LEVY_DRAW_LAWS][2] = {
    [LEVY_DRAW_EXPONENTIAL] = {{"mean", 0.0, 1e300, true}, {NULL, 0.0, 0.0, false}},
    [LEVY_DRAW_NORMAL] = {{"mean", -1e300, 1e300, false}, {"deviation", 0.0, 1e300, false}},
    [LEVY_DRAW_GAMMA] = {{"alpha", 1e-6, 1e12, false}, {"scale", 0.0, 1e300, true}},
    [LEVY_DRAW_POISSON] = {{"mean", 0.0, 1e9, false}, {NULL, 0.0, 0.0, false}},
    [LEVY_DRAW_NONCENTRAL] = {{"degrees", 1e-6, 1e9, false}, {"non-centrality", 0.0, 1e6, false}},
};
/* Single precision is exact for whole numbers up to 2^24 only, and overflows near 1e38. */
static const double law_most_single[LEVY_DRAW_LAWS] = {1e30, 1e30, 1e6, 1e6, 1e4};

static int distribution_check(levy_context *context, const levy_distribution_spec *s)
{
    char why[192], value[LEVY_NUMBER_SIZE], least[LEVY_NUMBER_SIZE], most[LEVY_NUMBER_SIZE];
    if (s->law < 0 || s->law >= (int)LEVY_DRAW_LAWS)
        return levy_api_refuse(context, "law", LEVY_ARGUMENT, "is none of LEVY_LAW_");
    if (s->precision != LEVY_DISTRIBUTION_DOUBLE && s->precision != LEVY_DISTRIBUTION_SINGLE)
        return levy_api_refuse(context, "precision", LEVY_ARGUMENT,
                               "is neither LEVY_DISTRIBUTION_DOUBLE nor LEVY_DISTRIBUTION_SINGLE");
    for (int k = 0; k < 2; ++k) {
        const law_parameter *const p = &law_parameters[s->law][k];
        const double x = s->parameters[k], cap = law_most_single[s->law];
        const double upper =
            s->precision == LEVY_DISTRIBUTION_SINGLE && p->most > cap ? cap : p->most;
        if (!p->name || (x <= upper && (p->open ? x > p->least : x >= p->least))) continue;
        levy_number_write(x, value);
        levy_number_write(p->least, least);
        levy_number_write(upper, most);
        const char *const given = isnan(x) ? "not a number" : value;
        snprintf(why, sizeof why, "is %s; it must be %s %s and at most %s", given,
                 p->open ? "above" : "at least", least, most);
        return levy_api_refuse(context, p->name, LEVY_ARGUMENT, why);
    }
    return LEVY_STATUS_OK;
}

static int distribution_make(levy_context *context, const levy_distribution_spec *s,
                             levy_distribution **distribution)
{
    bool known;
    const levy_draw_isa *const isa =
        levy_cpu_draw_choose(s->isa, s->precision == LEVY_DISTRIBUTION_SINGLE, &known);
    if (!isa)
        return levy_api_refuse(context, "isa", known ? LEVY_UNSUPPORTED : LEVY_ARGUMENT,
                               known ? "this processor does not support these instructions"
                                     : "is not an instruction set of this build");
    levy_distribution *const d = levy_memory_allocate(&context->memory, 1, sizeof *d);
    if (!d) return levy_api_refuse(context, "", LEVY_MEMORY, "");
    *d = (levy_distribution){.memory = context->memory,
                             .isa = isa,
                             .law = (levy_draw_law)s->law,
                             .parameters = {s->parameters[0], s->parameters[1]}};
    const uint32_t workers = s->threads ? s->threads : levy_threads_available();
    const levy_status status =
        workers > 1 ? levy_threads_create(&d->memory, workers, &d->threads) : LEVY_OK;
    if (status != LEVY_OK) {
        d->threads = NULL;
        levy_distribution_destroy(d);
        return levy_api_refuse(context, "threads", status, "");
    }
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
    levy_threads_destroy(distribution->threads);
    levy_memory_release(&memory, distribution);
}

static int distribution_fill(const levy_distribution *d, levy_draw_job *job, size_t count)
{
    job->law = d->law;
    job->parameters[0] = d->parameters[0];
    job->parameters[1] = d->parameters[1];
    const levy_call_mode mode = levy_call_mode_enter();
    levy_cpu_draw(d->isa, d->threads, job, count);
    levy_call_mode_leave(&mode);
    return LEVY_STATUS_OK;
}

int levy_distribution_draw(levy_distribution *distribution, uint64_t seed, uint32_t stream,
                           uint64_t first, size_t count, void *output)
{
    if (!distribution || (count > 0 && !output) || stream > UINT32_MAX / 3 ||
        first > UINT64_MAX - count)
        return LEVY_STATUS_ARGUMENT;
    levy_draw_job job = {.seed = seed, .stream = stream, .first = first, .output = output};
    return distribution_fill(distribution, &job, count);
}

int levy_distribution_invert(levy_distribution *distribution, const uint32_t *words, size_t count,
                             void *output)
{
    if (!distribution || (count > 0 && (!words || !output))) return LEVY_STATUS_ARGUMENT;
    if (count == 0) return LEVY_STATUS_OK;
    levy_draw_job job = {.words = words, .output = output};
    return distribution_fill(distribution, &job, count);
}
