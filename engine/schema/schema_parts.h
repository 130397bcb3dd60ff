/* schema_parts.h: what the files of the table-driven reader share: schema.c reads objects and their
 * fields, schema_lists.c what holds several values, schema_keys.c refuses keys, schema_kinds.c
 * objects and kinds. Private to them. Must not know: any key's meaning. */
#ifndef LEVY_SCHEMA_SCHEMA_PARTS_H
#define LEVY_SCHEMA_SCHEMA_PARTS_H

#include "engine/schema/reader.h"

enum { LEVY_SCHEMA_KEYS = 96, LEVY_SCHEMA_SUSPECTS = 8 };

/* Keys that unknown keys were taken to mean. They are not reported as missing as well. */
typedef struct levy_suspects {
    const char *keys[LEVY_SCHEMA_SUSPECTS];
    size_t n;
} levy_suspects;

/* Reads a value into its target: of any type, and of each type with a file of its own. */
typedef void levy_schema_read(const levy_spot *at, const levy_field *field, void *target);
levy_schema_read levy_schema_value, levy_schema_list, levy_schema_map, levy_schema_matrix,
    levy_schema_time_values, levy_schema_term;
/* Of the reader's arena; NULL: there is no memory, and a fault says so. */
void *levy_schema_allocate(const levy_reader *reader, size_t count, size_t size);
/* "expected a list; got ..." */
void levy_schema_refuse_shape(const levy_spot *at, const char *due, const char *hint);

/* A number that obeys the field's range. */
double levy_schema_number(const levy_spot *at, const levy_field *field);

/* ---- schema_keys.c ---- */

const char *levy_schema_early(const levy_node *node);
/* Refuses all keys of a map that the table has not. */
void levy_schema_check_keys(const levy_reader *reader, const levy_table *table, bool has_kind,
                            const levy_node *node, const levy_trail *trail,
                            levy_suspects *suspects);
/* Returns the key that was meant, or NULL. table: of `child`'s map; NULL: the kind alone is of
 * interest. */
const char *levy_schema_refuse_key(const levy_reader *reader, const levy_table *table,
                                   const char *const *keys, const levy_node *map,
                                   const levy_node *child, const levy_trail *parent);
bool levy_schema_is_suspect(const levy_suspects *suspects, const char *key);
void levy_schema_refuse_missing(const levy_reader *reader, const levy_node *node,
                                const levy_trail *trail, const char *key, const char *hint);

/* ---- schema_kinds.c ---- */

/* The field that a bare scalar or list at `node` stands for, or NULL. */
const levy_field *levy_schema_shorthand(const levy_table *table, const char *key,
                                        const levy_node *node);
/* Refuses what is no map. */
void levy_schema_refuse_object(const levy_reader *reader, const levy_table *table,
                               const levy_node *node, const levy_trail *trail);
/* The index of the variant that the node asks for; -1: a fault was added. */
int levy_schema_choose_variant(const levy_reader *reader, const levy_table *table,
                               const levy_node *node, const levy_trail *trail,
                               const levy_variant **chosen);

#endif
