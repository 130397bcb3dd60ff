/* model.c: the list of model kinds, and their answers or the defaults. Must not know: any model. */
#include "models/model.h"
#include "models/jump_plan.h"

#include <math.h>

const levy_model_kind *const levy_model_kinds[LEVY_MODEL_COUNT] = {
#define LEVY_MODEL(name, NAME) &levy_model_##name,
#include "models/models.def"
};

static const bool model_has_lanes[LEVY_MODEL_COUNT] = {
#define LEVY_MODEL_LANES(name, NAME) [LEVY_MODEL_##NAME] = true,
#include "models/models.def"
};

bool levy_model_jumps(const levy_model_kind *kind, const levy_model_terms *terms)
{
    return kind->own_jumps || (terms && terms->jumps.count > 0);
}

const levy_model_kind *levy_model_drawn(int32_t kind, bool integrated)
{
    const levy_model_kind *const k = levy_model_kinds[kind];
    return integrated && k->linear ? k->linear : k;
}

uint32_t levy_model_drawn_features(const levy_model_kind *k, const levy_model_terms *terms)
{
    return k->features | (levy_model_jumps(k, terms) ? LEVY_MODEL_JUMPS : 0) |
           (terms && k->own_features ? k->own_features(terms) : 0);
}

uint32_t levy_model_features(int32_t kind, const levy_model_terms *terms)
{
    return levy_model_drawn_features(levy_model_kinds[kind], terms);
}

uint32_t levy_model_lanes(int32_t kind, const levy_model_terms *terms, bool integrated)
{
    const levy_model_kind *const drawn = levy_model_drawn(kind, integrated);
    const uint32_t own = model_has_lanes[kind] ? (uint32_t)kind : LEVY_MODEL_NO_LANES;
    return (drawn->lanes ? drawn->lanes : own) |
           (levy_model_jumps(drawn, terms) ? LEVY_MODEL_ARRIVALS : 0);
}

size_t levy_model_watches(int32_t kind, const levy_model_terms *terms)
{
    const levy_model_kind *const k = levy_model_kinds[kind];
    return k->watches ? k->watches(terms) : SIZE_MAX;
}

double levy_model_rise(int32_t kind, const levy_model_terms *terms, size_t asset, double own)
{
    const levy_model_kind *const k = levy_model_kinds[kind];
    return k->rise && terms ? k->rise(terms, asset, own) : 1.0;
}

double levy_model_peak(int32_t kind, const levy_model_terms *terms, size_t asset, double time)
{
    const levy_model_kind *const k = levy_model_kinds[kind];
    return k->peak ? k->peak(terms, asset, time) : 1.0;
}

double levy_model_calm(int32_t kind, const levy_model_terms *terms, size_t asset, double own,
                       double time)
{
    const levy_model_kind *const k = levy_model_kinds[kind];
    return k->calm ? k->calm(terms, asset, own, time) : 1.0;
}

double levy_model_middle(int32_t kind, const levy_model_terms *terms, size_t asset, double time)
{
    const levy_model_kind *const k = levy_model_kinds[kind];
    return k->middle ? k->middle(terms, asset, time) : 0.0;
}

double levy_model_cumulant(int32_t kind, const levy_model_terms *terms, size_t asset, double s)
{
    const levy_model_kind *const k = levy_model_kinds[kind];
    return (k->cumulant ? k->cumulant(terms, asset, s) : 0.0) +
           levy_jump_cumulant(kind, terms, asset, s);
}

bool levy_model_has_cumulant(int32_t kind, const levy_model_terms *terms)
{
    const levy_model_kind *const k = levy_model_kinds[kind];
    return k->cumulant || levy_model_jumps(k, terms);
}

double levy_model_moment(int32_t kind, const levy_model_terms *terms, size_t asset, double time,
                         double s)
{
    return levy_model_kinds[kind]->moment(terms, asset, time, s) +
           time * levy_jump_cumulant(kind, terms, asset, s);
}

bool levy_model_has_moment(int32_t kind) { return levy_model_kinds[kind]->moment; }

size_t levy_model_between(double step, double from, double to, double *dates)
{
    const double steps = (to - from) / step;
    const bool most = steps >= LEVY_MODEL_MOST_DATES;
    /* as a share of a step: what is longer by less is one step */
    const size_t pieces = most ? (size_t)LEVY_MODEL_MOST_DATES : (size_t)(steps + 1.0 - 1e-6);
    for (size_t k = 1; dates && k < pieces; ++k)
        dates[k - 1] = from + (to - from) * ((double)k / (double)pieces);
    return pieces > 1 ? pieces - 1 : 0;
}

size_t levy_model_steps(double step, const double *times, size_t n, double *dates)
{
    size_t count = 0;
    double before = 0.0;
    for (size_t i = 0; i < n; before = times[i++])
        count += levy_model_between(step, before, times[i], dates ? dates + count : NULL);
    return count;
}

/* The first time of a term after `time`, or `until` if that is before. */
static double model_term_break(const levy_term *term, double time, double until)
{
    for (size_t k = 0; term->times && k + 1 < term->n; ++k)
        if (term->times[k] > time) until = fmin(until, term->times[k]);
    return until;
}

double levy_model_break(const levy_model_kind *kind, const levy_model_terms *terms, size_t asset,
                        double time)
{
    double until = INFINITY;
    for (const levy_field *field = kind->table->fields; kind->factors && field->name; ++field) {
        const levy_list *const list = (const levy_list *)((const char *)terms + field->offset);
        if (field->type != LEVY_FIELD_LIST || field->element != LEVY_FIELD_TERM) continue;
        for (size_t i = 0; i < list->count; ++i)
            if (asset == SIZE_MAX || list->count == 1 || i == asset)
                until = model_term_break((const levy_term *)list->items + i, time, until);
    }
    return until;
}

bool levy_model_discounts(int32_t kind, const levy_model_terms *terms)
{
    const levy_model_kind *const k = levy_model_kinds[kind];
    return k->discounts && k->discounts(terms);
}

size_t levy_model_regimes(int32_t kind, const levy_model_terms *terms)
{
    const levy_model_kind *const k = levy_model_kinds[kind];
    return k->regimes ? k->regimes(terms) : 0;
}

bool levy_model_drifts(int32_t kind, const levy_model_terms *terms)
{
    const levy_model_kind *const k = levy_model_kinds[kind];
    return k->drifts && k->drifts(terms);
}

static const levy_variant model_kinds[] = {
#define LEVY_MODEL(name, NAME) {#name, &levy_model_##name##_table},
#include "models/models.def"
    {0}};
const levy_table levy_model_table = {
    .name = "model",
    .doc = "A model of the joint dynamics of a set of assets. `kind` selects the "
           "dynamics.",
    .size = sizeof(levy_variant_value),
    .example = "{kind: black_scholes, assets: [STOCK]}",
    .variants = model_kinds};
