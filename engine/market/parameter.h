/* parameter.h: the numbers of models that quotes set, scenarios move and bumps shift as they do
 * numbers of the market: those of an asset that a kind names (levy_model_kind.factors), such as
 * SPX.v0. Must not know: which kinds there are, trades, grids. */
#ifndef LEVY_MARKET_PARAMETER_H
#define LEVY_MARKET_PARAMETER_H

#include "engine/market/moved.h"
#include "models/model.h"

/* Its name, as a kind has it; NULL: no kind has such a number. */
const char *levy_parameter_find(const char *name, size_t length);
/* Its key; NULL: it is no factor of the kind. */
const levy_field *levy_parameter_field(const levy_model_kind *kind, const char *name);
/* The number of an asset, by its place in the model's list; NULL: the model has none by the name.
 * What one number for all assets moves, moves for all. */
double *levy_parameter_of(const levy_model_kind *kind, const levy_model_terms *terms,
                          const char *name, size_t asset);
/* Gives each of n assets numbers of its own where the terms have one for all. */
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
