/* asset_words.h: a model's key `assets`, and other words for it, which are refused with that key
 * named. Must not know: what a model does with its assets. */
#ifndef LEVY_MODELS_ASSET_WORDS_H
#define LEVY_MODELS_ASSET_WORDS_H

#define LEVY_MODEL_ASSET_WORDS "underlyings underlying asset names stocks"
#define LEVY_MODEL_ASSETS_FIELD(text)                                                              \
    {                                                                                              \
        .name = "assets", .also = LEVY_MODEL_ASSET_WORDS, .type = LEVY_FIELD_LIST,                 \
        .element = LEVY_FIELD_NAME, .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_UNIQUE,         \
        .offset = offsetof(levy_model_terms, assets), .doc = text                                  \
    }

#endif
