/* merton.c: host half of the jump diffusion with lognormal jumps: dS/S- = (r - q - lambda k) dt +
 * sigma dW + (exp(J) - 1) dN, J normal, k = E[exp(J) - 1]; each asset has arrivals of its own.
 * Further layers of jumps may be added. Source: R. Merton, Option pricing when underlying stock
 * returns are discontinuous, J. Financial Economics 3, 1976. Must not know: random numbers. */
#include "models/jump_fields.h"

static const levy_field merton_fields[] = {
    JUMP_FIELD_ASSETS, JUMP_FIELDS_NORMAL, JUMP_FIELD_LAYERS, {0}};
static const levy_synonym merton_synonyms[] = {
    {"jump_diffusion",
     "{kind: merton, assets: [STOCK], intensity: 0.5, jump_mean: -0.1, jump_volatility: 0.15}"},
    {"merton76",
     "{kind: merton, assets: [STOCK], intensity: 0.5, jump_mean: -0.1, jump_volatility: 0.15}"},
    {0}};
const levy_table levy_model_merton_table = {
    .name = "model merton",
    .example =
        "{kind: merton, assets: [STOCK], intensity: 0.5, jump_mean: -0.1, jump_volatility: 0.15}",
    .synonyms = merton_synonyms,
    .doc = "Merton's jump diffusion (1976): lognormal assets with lognormal jump "
           "factors. Each asset has its own jump times. Forwards match the "
           "market. Vega refers to the diffusion's volatility.",
    LEVY_FILLS_MODEL(levy_jump_model_terms),
    .fields = merton_fields};

const levy_model_kind levy_model_merton = {.kind = "merton",
                                           .table = &levy_model_merton_table,
                                           .own_jumps = levy_jump_own,
                                           .own_mark = LEVY_MARK_NORMAL};
