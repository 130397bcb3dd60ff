/* unread.h: warns of what the market says about a model's assets if the model does not read it.
 * Must not know: why a model does not. */
#ifndef LEVY_PROBLEM_UNREAD_H
#define LEVY_PROBLEM_UNREAD_H

#include "engine/market/correlation_build.h"
#include "engine/problem/problem.h"

/* Correlations of two assets whose models all know by other means how assets move together; one
 * warning for the book. Called when all models are built. */
void levy_warn_unread_correlations(levy_check *build, const levy_market *market,
                                   const levy_model *models, size_t n,
                                   const levy_correlation_data *data);

#endif
