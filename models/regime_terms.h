/* regime_terms.h: the terms of a regime-switching model in a book. Shared by the two files of its
 * host half: regime_switching.c, which plans, and regime_check.c. Must not know: lanes. */
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

/* the asset that switching depends on, or SIZE_MAX */
size_t levy_regimes_watched(const levy_model_terms *terms);
bool levy_regimes_are_stepped(const levy_model_terms *terms);
bool levy_regimes_fit(levy_check *check, const levy_model_terms *terms, const char *path);

#endif
