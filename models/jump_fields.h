/* jump_fields.h: fields that models with jumps share. */
#ifndef LEVY_MODELS_JUMP_FIELDS_H
#define LEVY_MODELS_JUMP_FIELDS_H

#include "models/asset_words.h"
#include "models/jump_plan.h"

extern const char *const levy_jump_maps[];

/* A field of the model's own layer of jumps; `member` is its member in levy_own_jumps. */
#define JUMP_FIELD(key, member, needs, from, to, ...)                                              \
    {                                                                                              \
        LEVY_KEY(#key, NUMBER, levy_jump_model_terms, own.member),                                 \
            LEVY_WITHIN(from, to, LEVY_REQUIRED | (needs)), __VA_ARGS__                            \
    }
#define JUMP_FIELD_ASSETS                                                                          \
    LEVY_MODEL_ASSETS_FIELD("Names of 1 to 100 assets in market.assets. A trade on the model can " \
                            "use any of them. Every pair needs a correlation.")
#define JUMP_FIELD_INTENSITY                                                                       \
    JUMP_FIELD(intensity, intensity, 0, 0, 1000, .unit = "1/year",                                 \
               .also = "lambda jump_intensity jump_rate",                                          \
               .doc = "Jump intensity: expected number of jumps per year of each asset. "          \
                      "Assets jump independently.")
#define JUMP_FIELD_COUNTS                                                                          \
    {                                                                                              \
        LEVY_KEY("counts_map", CHOICE, levy_jump_model_terms, own.counts_map),                     \
            .choices = levy_jump_maps, .fallback = "auto",                                         \
            .doc = "How the number of jumps is sampled from a random number: by inverting "        \
                   "the distribution function (auto), or with an alias table."                     \
    }
/* a layer with lognormal jump factors */
#define JUMP_FIELDS_NORMAL                                                                         \
    JUMP_FIELD_INTENSITY,                                                                          \
        JUMP_FIELD(jump_mean, mark.mean, 0, -20, 20, .also = "mu_j mean_jump jump_log_mean",       \
                   .doc = "Mean of the log jump size. The mean jump factor is 1 if this is "       \
                          "-jump_volatility^2/2."),                                                \
        JUMP_FIELD(jump_volatility, mark.volatility, 0, 0, 5,                                      \
                   .also = "sigma_j jump_deviation jump_std jump_vol",                             \
                   .doc = "Standard deviation of the log jump size."),                             \
        JUMP_FIELD_COUNTS
#define JUMP_FIELD_LAYERS                                                                          \
    {                                                                                              \
        LEVY_KEY("jumps", LIST, levy_model_terms, jumps),                                          \
            .element = LEVY_FIELD_OBJECT, .flags = LEVY_NON_EMPTY, .table = &levy_jump_table,      \
            .doc = "Jump layers, added to the diffusion, such as [{intensity: 0.5, mark: "         \
                   "{kind: normal, mean: -0.1, volatility: 0.2}}]."                                \
    }

#endif
