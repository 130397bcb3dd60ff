/* black_scholes.c: host half of the lognormal model for 1 to 100 assets, dS/S = (r - q) dt + sigma(t) dW with
 * correlated W; volatilities and correlations may change over time. All numbers stand with the assets in the market:
 * the model only names them. Source: F. Black and M. Scholes, J. Political Economy 81, 1973; R. Merton, Bell J.
 * Economics 4, 1973. Must not know: grids, random numbers. */
#include "models/model.h"

static const levy_field black_scholes_fields[] = {
    {.name = "assets", .type = LEVY_FIELD_LIST, .element = LEVY_FIELD_NAME, .flags = LEVY_REQUIRED | LEVY_NON_EMPTY,
     .offset = offsetof(levy_model_terms, assets),
     .doc = "Names in market.assets, 1 to 100. Trades on the model may use any of them; every pair needs a correlation."},
    {0}};
const levy_table levy_model_black_scholes_table = {
    .name = "model black_scholes",
    .doc = "Lognormal assets with deterministic rates, volatilities and correlations, constant or by term.",
    .size = sizeof(levy_model_terms), .fields = black_scholes_fields,
    .node_offset = offsetof(levy_model_terms, node), .has_node = true};

const levy_model_kind levy_model_black_scholes = {.kind = "black_scholes", .table = &levy_model_black_scholes_table};
