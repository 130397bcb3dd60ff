/* asset_words.h: a model's key `assets`, and other words for it, which are refused with that key
 * named. Must not know: what a model does with its assets. */
#ifndef LEVY_MODELS_ASSET_WORDS_H
#define LEVY_MODELS_ASSET_WORDS_H

#define LEVY_MODEL_ASSET_WORDS "underlyings underlying asset names stocks"
#define LEVY_MODEL_ASSETS_FIELD(text)                                                              \
    {                                                                                              \
        LEVY_KEY("assets", LIST, levy_model_terms, assets),                                        \
            .also = LEVY_MODEL_ASSET_WORDS, .element = LEVY_FIELD_NAME,                            \
            .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_UNIQUE, .doc = text                     \
    }

#endif
