/* synonyms.h: the words that people write for keys and kinds, and keys that stand in the wrong
 * object: never accepted, always named, with a line to paste. The tables have the words
 * (levy_field.also, levy_table.synonyms). Private to this room. Must not know: the meaning of any
 * key. */
#ifndef LEVY_SCHEMA_SYNONYMS_H
#define LEVY_SCHEMA_SYNONYMS_H

#include "engine/schema/reader.h"

/* The field of the table for which `word` is another word; NULL: none. */
const levy_field *levy_synonym_field(const levy_table *table, const char *word);

/* The kind of the table for which `word` is another word, and the map to write; NULL: none. */
const char *levy_synonym_kind(const levy_table *table, const char *word, const char **map);

/* What to write for another word for a value of the field; NULL: none. */
const char *levy_synonym_value(const levy_field *field, const char *word);

/* A hint where a key belongs that the table does not have: below it, or else anywhere in a book.
 * `value` is what stands at the key. NULL: nowhere, or there is no memory. */
const char *levy_synonym_elsewhere(const levy_reader *reader, const levy_table *table,
                                   const char *key, const levy_node *value);

#endif
