/* model.h: what a model is on the host: its YAML fields and its number in the plan image. The lanes' half is <kind>.h. */
#ifndef LEVY_MODELS_MODEL_H
#define LEVY_MODELS_MODEL_H

#include "engine/base/field.h"

/* The terms of every model kind; a kind's table names the ones it has. */
typedef struct levy_model_terms {
    const struct levy_node *node;
    levy_list assets; /* of const char *: names in market.assets */
} levy_model_terms;

enum {
#define LEVY_MODEL(name, NAME) LEVY_MODEL_##NAME,
#include "models/models.def"
#undef LEVY_MODEL
    LEVY_MODEL_COUNT
};

typedef struct levy_model_kind {
    const char *kind;
    const levy_table *table; /* fills a levy_model_terms */
} levy_model_kind;

#define LEVY_MODEL(name, NAME) \
    extern const levy_model_kind levy_model_##name; \
    extern const levy_table levy_model_##name##_table;
#include "models/models.def"
#undef LEVY_MODEL

extern const levy_model_kind *const levy_model_kinds[LEVY_MODEL_COUNT];
extern const levy_table levy_model_table; /* variants by kind; items of the `models` map */

#endif
