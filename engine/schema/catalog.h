/* catalog.h: what the files of the catalog share. Each table says which keys an object has, their
 * types, ranges, defaults and meaning; reader, JSON Schema and `levy describe` all run on them.
 * Spellings of ORE, Strata and the ISDA CDM are accepted as aliases of our own where they name the
 * same thing. Must not know: any rule that spans two keys (engine/problem/). */
#ifndef LEVY_SCHEMA_CATALOG_H
#define LEVY_SCHEMA_CATALOG_H

#include "engine/schema/book.h"
#include "engine/schema/schema.h"
#include "engine/schema/synonyms.h"

#define CATALOG_CURRENCY "^[A-Z]{3}$"

#define OBJECT_TABLE(title, struct_type, field_array, text, ...)                                   \
    {                                                                                              \
        .name = title, .doc = text, LEVY_FILLS(struct_type), .fields = field_array,                \
        .example = __VA_ARGS__                                                                     \
    }

#define MEASURES_FIELD(struct_type, text)                                                          \
    {                                                                                              \
        .name = "measures", .type = LEVY_FIELD_LIST, .element = LEVY_FIELD_CHOICE,                 \
        .choices = levy_measure_names, .words = levy_measure_synonyms,                             \
        .example = "[price, delta, vega]", .flags = LEVY_NON_EMPTY | LEVY_UNIQUE,                  \
        .offset = offsetof(struct_type, measures), .doc = text                                     \
    }

extern const levy_table levy_calendar_table, levy_curve_table, levy_volatility_table,
    levy_yield_table, levy_dividends_table, levy_asset_table, levy_correlations_table,
    levy_underlying_table, levy_exercise_table, levy_exercise_fit_table, levy_leg_table,
    levy_premium_table, levy_bumps_table, levy_construction_table, levy_tolerance_table,
    levy_generator_table;
extern const levy_synonym levy_measure_synonyms[]; /* of measures */

#endif
