/* regime_terms.h: the terms of a regime-switching model in a book. Shared by the files of its
 * host half: regime_fields.c, regime_check.c, regime_switching.c and regime_plan.c. Must not know:
 * lanes. */
#ifndef LEVY_MODELS_REGIME_TERMS_H
#define LEVY_MODELS_REGIME_TERMS_H

#include "models/model.h"

/* A state of a regime-switching model. Lists are of double: one for each asset of the model, or one
 * for all. */
typedef struct levy_regime {
    const char *name;
    const struct levy_node *node;
    levy_list volatilities, factors, drifts;
    levy_list jumps; /* of levy_jump_terms: none or one */
    double rate;
} levy_regime;
/* Switching that depends on a gross return since today. In each bucket of the return, every regime
 * has a weight. */
typedef struct levy_level_switching {
    const struct levy_node *node; /* NULL: absent */
    const char *asset;
    levy_list levels;    /* of double, ascending */
    levy_matrix weights; /* [levels + 1][regimes] */
} levy_level_switching;
enum { LEVY_SWITCHING_EXACT, LEVY_SWITCHING_STEPPED };

typedef struct levy_regime_terms {
    levy_model_terms model;
    levy_list regimes;                 /* of levy_regime */
    levy_matrix generator, transition; /* one of the two, if there are two regimes or more */
    double period;                     /* of `transition` */
    const char *initial_regime;        /* this or the probabilities; neither with one regime */
    levy_list initial_probabilities;
    int32_t switching; /* LEVY_SWITCHING_; -1: not given */
    double step;       /* NaN: the default, 0.02 */
    levy_level_switching level_switching;
} levy_regime_terms;

static inline const levy_regime_terms *levy_regime_terms_of(const levy_model_terms *terms)
{
    return (const levy_regime_terms *)terms;
}

static inline const levy_regime *levy_regime_at(const levy_model_terms *terms, size_t r)
{
    return (const levy_regime *)levy_regime_terms_of(terms)->regimes.items + r;
}

/* the asset that switching depends on, or SIZE_MAX */
size_t levy_regimes_watched(const levy_model_terms *terms);
bool levy_regimes_are_stepped(const levy_model_terms *terms);
bool levy_regimes_have_rates(const levy_model_terms *terms);
/* The factor of an asset's volatility in regime r; the jumps a year; the chance that it is today's.
 */
double levy_regime_scale(const levy_model_terms *terms, size_t r, size_t asset);
double levy_regime_intensity(const levy_model_terms *terms, size_t r);
double levy_regime_start(const levy_model_terms *terms, size_t r);
/* Whether a chain with a period may change at a time. */
bool levy_regime_is_change(const levy_model_terms *terms, double time);
/* regime_check.c */
bool levy_regimes_fit(levy_check *check, const levy_model_terms *terms, const char *path);

/* regime_plan.c: model.h says what a plan has. */
levy_status levy_regime_plan(const levy_model_terms *terms, const levy_model_grid *grid,
                             levy_arena *arena, levy_model_plan *plan);

#endif
