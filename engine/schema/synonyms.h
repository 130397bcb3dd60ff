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
/* Whether a list of words with blanks between them has the word. */
bool levy_word_among(const char *words, const char *word);

/* What to do about a key that no table has; NULL: the table has no word for it, or there is no
 * memory. */
const char *levy_synonym_stranger(const levy_reader *reader, const levy_table *table,
                                  const levy_node *map, const levy_node *child);

/* A hint where a key of the map at `trail` belongs that its table does not have. Only where a name
 * and the value fit: another field of the table, a table below it or above it, or a name that one
 * table of a book has; or the other kinds that have the key. `word` is the key without what stands
 * behind a colon. NULL: nowhere, or there is no memory. */
const char *levy_synonym_elsewhere(const levy_reader *reader, const levy_table *table,
                                   const levy_node *map, const levy_node *child, const char *word,
                                   const levy_trail *trail);
/* Whether a word is the kind in other letters: "Variance swap". */
bool levy_synonym_is_spelling(const char *kind, const char *word);
/* The variant of the table with that kind, or another word for it, and the map to write. */
const levy_variant *levy_synonym_variant(const levy_table *table, const char *word,
                                         const char **example);
/* The same of payoffs and models, by names that are read as they are, too: "straddle". */
const levy_variant *levy_synonym_of_kinds(const char *word, const char **example);
/* Keys under which people write a kind, the likeliest first; the last one is NULL. */
extern const char *const levy_kind_keys[];
/* The kind of the table that a map of another table names by `kind` or `type`, as people do who
 * leave out a level: its variant, and the map to write; NULL: none. */
const levy_variant *levy_synonym_named(const levy_table *table, const levy_node *map,
                                       const char **example);
/* Whether that hint for the key before has this key, too: both are of one item of a list. */
bool levy_synonym_is_told(const levy_reader *reader, const levy_table *table, const levy_node *map,
                          const levy_node *before, const levy_node *child);

#endif
