/* asset_words.h: what people write for a model's key `assets`: refused, with that key named. */
#ifndef LEVY_MODELS_ASSET_WORDS_H
#define LEVY_MODELS_ASSET_WORDS_H

#define LEVY_MODEL_ASSET_WORDS "underlyings underlying asset names stocks"

#endif
