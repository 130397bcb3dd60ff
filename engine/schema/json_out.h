/* json_out.h: JSON as text, item by item, and the definitions of a JSON Schema: one per table, one
 * per kind of a variant. json_type.c writes types. Private to this room. Must not know: any key's
 * meaning. */
#ifndef LEVY_SCHEMA_JSON_OUT_H
#define LEVY_SCHEMA_JSON_OUT_H

#include "engine/schema/writer.h"

enum { LEVY_JSON_DEPTH = 32, LEVY_JSON_DEFINITIONS = 256, LEVY_JSON_NAME = 128 };

/* One definition: a table, or the object of one kind of a table with variants. */
typedef struct levy_json_definition {
    const levy_table *table;
    const levy_table *parent;
    const char *kind;
} levy_json_definition;

typedef struct levy_json_out {
    levy_text_out *text;
    size_t depth;
    bool comma[LEVY_JSON_DEPTH]; /* an item came before */
    bool after_key;
    levy_json_definition definitions[LEVY_JSON_DEFINITIONS];
    size_t n_definitions;
    const levy_more_kinds *kinds; /* that files define; NULL: none */
} levy_json_out;

void levy_json_open(levy_json_out *out, const char *bracket);
void levy_json_close(levy_json_out *out, const char *bracket);
void levy_json_key(levy_json_out *out, const char *key);
void levy_json_begin(levy_json_out *out, const char *key, const char *bracket); /* the two */
void levy_json_string(levy_json_out *out, const char *text);
void levy_json_raw(levy_json_out *out, const char *text); /* an item as it is */
void levy_json_pair(levy_json_out *out, const char *key, const char *text);
void levy_json_pair_raw(levy_json_out *out, const char *key, const char *text);

/* Lists the file's table and all that are reached from it. */
void levy_json_collect(levy_json_out *out, const levy_table *file);
/* The kinds that files define for a table; NULL: none. */
const levy_variant *levy_json_more(const levy_json_out *out, const levy_table *table);
/* "payoff" or "payoff.asian"; a number is added if two tables have the same name. */
void levy_json_definition_name(const levy_json_out *out, const levy_json_definition *definition,
                               char name[LEVY_JSON_NAME]);
/* {"$ref": ...} */
void levy_json_refer(levy_json_out *out, const levy_table *table, const levy_table *parent,
                     const char *kind);

/* The members of an open object that say what a field takes, as if it were of that type. */
void levy_json_type(levy_json_out *out, const levy_field *field, levy_field_type type);

#endif
