/* kou.c: host half of the jump diffusion with asymmetric double exponential jumps: J is exponential
 * of rate_up with probability_up, else minus an exponential of rate_down; else as merton.c. Source:
 * S. Kou, A jump-diffusion model for option pricing, Management Science 48, 2002. Must not know:
 * random numbers. */
#include "models/jump_fields.h"

static const levy_field kou_fields[] = {
    JUMP_FIELD_ASSETS,
    JUMP_FIELD_INTENSITY,
    JUMP_FIELD(probability_up, mark.probability_up, 0, 0, 1,
               .doc = "Probability that a jump is upward."),
    JUMP_FIELD(rate_up, mark.rate_up, LEVY_LOW_OPEN, 1, 1e6,
               .doc = "Rate of upward log jumps. Their mean is 1/rate_up."),
    JUMP_FIELD(rate_down, mark.rate_down, LEVY_LOW_OPEN, 0, 1e6,
               .doc = "Rate of downward log jumps. Their mean size is 1/rate_down."),
    JUMP_FIELD_COUNTS,
    JUMP_FIELD_LAYERS,
    {0}};
static const levy_synonym kou_synonyms[] = {
    {"double_exponential", "{kind: kou, assets: [STOCK], intensity: 1.0, probability_up: 0.3, "
                           "rate_up: 25, rate_down: 15}"},
    {0}};
const levy_table levy_model_kou_table = {
    .name = "model kou",
    .example = "{kind: kou, assets: [STOCK], intensity: 1.0, probability_up: 0.3, rate_up: 25, "
               "rate_down: 15}",
    .synonyms = kou_synonyms,
    .doc = "Kou's jump diffusion (2002): lognormal assets with double exponential "
           "log jumps. Each asset has its own jump times. Forwards match the "
           "market. Vega refers to the diffusion's volatility.",
    LEVY_FILLS_MODEL(levy_jump_model_terms),
    .fields = kou_fields};

const levy_model_kind levy_model_kou = {.kind = "kou",
                                        .table = &levy_model_kou_table,
                                        .own_jumps = levy_jump_own,
                                        .own_mark = LEVY_MARK_DOUBLE_EXPONENTIAL};
