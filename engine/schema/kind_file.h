/* kind_file.h: a file that defines a kind of payoff, as written: its keys, its schedules and its
 * script. engine/problem/file_kinds.c makes a kind of it. Must not know: any rule that spans two
 * keys.
 */
#ifndef LEVY_SCHEMA_KIND_FILE_H
#define LEVY_SCHEMA_KIND_FILE_H

#include "engine/base/field.h"

enum {
    LEVY_RAW_PARAMETER_NUMBER,
    LEVY_RAW_PARAMETER_COUNT,
    LEVY_RAW_PARAMETER_FLAG,
    LEVY_RAW_PARAMETER_CHOICE,
    LEVY_RAW_PARAMETER_LIST,
    LEVY_RAW_PARAMETER_LIST_BY_DATE
};

typedef struct levy_raw_parameter {
    const char *name;
    const struct levy_node *node;
    int32_t type;                     /* LEVY_RAW_PARAMETER_ */
    levy_list range;                  /* of double: [low, high] */
    levy_list choices;                /* of const char * */
    const struct levy_node *fallback; /* NULL: none, and the key is required */
    const char *unit, *description;
} levy_raw_parameter;

typedef struct levy_raw_kind_schedule {
    const char *name;
    const struct levy_node *node;
    bool optional; /* left out it has one date, that of exercise */
    const char *description;
} levy_raw_kind_schedule;

typedef struct levy_raw_kind {
    const struct levy_node *node;
    const char *kind, *description, *script;
    levy_list parameters, schedules; /* of levy_raw_parameter, levy_raw_kind_schedule */
    int32_t levels;                  /* LEVY_STRIKE_ */
    const struct levy_node *example;
    uint64_t example_assets;
} levy_raw_kind;

enum { LEVY_MOST_EXAMPLE_ASSETS = 3 }; /* `levy new` writes a market of so many */

extern const levy_table levy_kind_file_table;

#endif
