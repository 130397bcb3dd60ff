/* models.h: a model of the book, with its assets and their correlations. */
#ifndef LEVY_PROBLEM_MODELS_H
#define LEVY_PROBLEM_MODELS_H

#include "engine/market/correlation_build.h"
#include "engine/problem/problem.h"

/* Assets and correlations must be resolved before. False with a fault (a missing pair, an
 * indefinite matrix, an unknown asset), or without one if something it needs was refused
 * already. */
bool levy_model_build(levy_check *build, levy_market *market,
                      const levy_correlation_data *correlations, const levy_variant_value *raw,
                      const char *path, levy_model *model);

/* Called when all models are built. An asset needs a volatility if a model reads it; one that no
 * model reads gets a warning. Models at fault are marked as not good. */
bool levy_models_check_volatilities(levy_check *build, const levy_market *market,
                                    levy_model *models, size_t n);

#endif
