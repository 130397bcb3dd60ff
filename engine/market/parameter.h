/* parameter.h: the numbers of models that quotes set, scenarios move and bumps shift as they do
 * numbers of the market: those of an asset that a kind names (levy_model_kind.factors), such as
 * SPX.v0, or SPX.theta[0.5] of one that is given by term. Must not know: which kinds there are,
 * trades, grids. */
#ifndef LEVY_MARKET_PARAMETER_H
#define LEVY_MARKET_PARAMETER_H

#include "engine/base/check.h"
#include "engine/market/factor.h"
#include "engine/market/moved.h"
#include "models/model.h"

/* Its name, as a kind has it; NULL: no kind has such a number. */
const char *levy_parameter_find(const char *name, size_t length);
/* Its key; NULL: it is no factor of the kind. */
const levy_field *levy_parameter_field(const levy_model_kind *kind, const char *name);
/* The times of an asset's numbers, by its place in the model's list. No times and 1: it is one
 * number; 0: the model has none by the name. */
levy_nodes levy_parameter_nodes(const levy_model_kind *kind, const levy_model_terms *terms,
                                const char *name, size_t asset);
/* One of them. What one number for all assets moves, moves for all. */
double *levy_parameter_of(const levy_model_kind *kind, const levy_model_terms *terms,
                          const char *name, size_t asset, size_t node);
/* The same as read, before its times are known. */
levy_written levy_parameter_written(const levy_model_kind *kind, const levy_model_terms *terms,
                                    const char *name, size_t asset);
/* Makes the numbers of n assets and their times from what was read, where each has its own. path:
 * of the model. False: a fault was added. */
bool levy_parameters_build(levy_check *build, const levy_model_kind *kind, levy_model_terms *terms,
                           size_t n, const char *path);
/* Gives each of n assets numbers of its own, also where the terms have one for all. */
levy_status levy_parameters_spread(const levy_model_kind *kind, levy_model_terms *terms, size_t n,
                                   levy_arena *arena);
/* The terms under shifts: as they are, if none moves them. */
levy_status levy_moved_terms(const levy_moved *moved, const levy_model_kind *kind,
                             const levy_model_terms *terms, const levy_asset *const *assets,
                             size_t n, levy_arena *arena, const levy_model_terms **out);
/* Why the terms are not valid for one of n assets; NULL: they are. */
const char *levy_parameters_objection(const levy_model_kind *kind, const levy_model_terms *terms,
                                      size_t n);

#endif
