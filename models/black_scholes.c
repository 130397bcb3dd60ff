/* black_scholes.c: host half of the lognormal model for 1 to 100 assets, dS/S = (r - q) dt +
 * sigma(t) dW with correlated W; volatilities and correlations may change over time. All numbers
 * belong to the market's assets; the model only names the assets. Source: F. Black and M. Scholes,
 * J. Political Economy 81, 1973; R. Merton, Bell J. Economics 4, 1973. Must not know: grids, random
 * numbers. */
#include "models/jump_fields.h"

static const levy_field black_scholes_fields[] = {JUMP_FIELD_ASSETS, JUMP_FIELD_LAYERS, {0}};
static const levy_synonym black_scholes_synonyms[] = {
    {"bs", "{kind: black_scholes, assets: [STOCK]}"},
    {"gbm", "{kind: black_scholes, assets: [STOCK]}"},
    {"lognormal", "{kind: black_scholes, assets: [STOCK]}"},
    {"black", "{kind: black_scholes, assets: [STOCK]}"},
    {"garman_kohlhagen", "{kind: black_scholes, assets: [STOCK]}"},
    {0}};
const levy_table levy_model_black_scholes_table = {
    .name = "model black_scholes",
    .example = "{kind: black_scholes, assets: [STOCK]}",
    .synonyms = black_scholes_synonyms,
    .doc = "Black-Scholes model: lognormal assets with deterministic rates, "
           "volatilities and correlations, constant or term structures. Jump "
           "layers can be added.",
    LEVY_FILLS_MODEL(levy_model_terms),
    .fields = black_scholes_fields};

const levy_model_kind levy_model_black_scholes = {
    .kind = "black_scholes",
    .table = &levy_model_black_scholes_table,
};
