/* hints.h: what to write in place of what was refused: a map, a list, a key that is missing. Texts
 * are in the reader's arena; NULL: there is nothing to say, or no memory. Private to this room.
 * Must not know: the meaning of any key. */
#ifndef LEVY_SCHEMA_HINTS_H
#define LEVY_SCHEMA_HINTS_H

#include "engine/schema/reader.h"

/* Whether a list or a map that stands under another word for a key may stand under the key as it
 * is. */
bool levy_hint_takes_shape(const levy_field *field, const levy_node *node);

/* For a key that is not in the table: an asset's pair, or a date or number of a table of values. */
const char *levy_hint_shape(const levy_reader *reader, const levy_table *table,
                            const levy_node *child, const levy_trail *parent);

/* "[[2026-10-20, 99], ...]" for keys that are dates or numbers, from this one on. NULL: they are no
 * table of values. */
const char *levy_hint_rows(const levy_reader *reader, const levy_node *child);

/* Whether the hint for the key before says what to write for this one, too. */
bool levy_hint_is_told(const levy_table *table, const levy_node *before, const levy_node *child);

/* For a scalar where a list is due. */
const char *levy_hint_brackets(const levy_reader *reader, const levy_field *field,
                               const levy_node *node);

/* For a key that is missing in a map. around: the map that has this one, where people may have
 * written what belongs here; or NULL. */
const char *levy_hint_missing(const levy_reader *reader, const levy_table *table,
                              const levy_field *field, const levy_node *map,
                              const levy_node *around);

/* A map in braces of the table, with the values that `map` has under its keys or other words for
 * them in place of the example's own. *whole: it has all of them; NULL: nobody asks. */
const char *levy_hint_filled(const levy_reader *reader, const levy_table *table,
                             const char *example, const levy_node *map, bool *whole);

/* The same in place of `map`, and which of its keys that leaves out. */
const char *levy_hint_whole(const levy_reader *reader, const levy_table *table, const char *example,
                            const levy_node *map, bool *whole);

/* Whether a field has a map whose values are told in other keys too: a barrier, for one. */
bool levy_hint_nests(const levy_field *field);

/* The same of the map under a key of the table, which `map` may have as a map, as a bare value, in
 * its own keys, or in a word for a kind. *whole becomes false where it is not all there. */
const char *levy_hint_nested(const levy_reader *reader, const levy_table *table,
                             const levy_field *field, const char *example, const levy_node *map,
                             bool *whole);

/* Whether the map below takes a word for its strike where `map` has a number: it is a fixed one. */
bool levy_hint_is_fixed(const levy_table *table, const levy_table *below, const levy_node *map);
/* The text of the map below with that. */
const char *levy_hint_fixed(const levy_reader *reader, const levy_table *table,
                            const levy_table *below, const char *text, const levy_node *map);

/* The text of the map with the two numbers of a list, [80, 130], as the lower and the upper level,
 * in place of a single one. NULL: the list or the table has not two. */
const char *levy_hint_levels(const levy_reader *reader, const levy_table *table, const char *text,
                             const levy_node *list);

/* The payoff in place of a kind's map that has the levels of another kind's, as `barrier` with a
 * lower and an upper one is a `double_barrier`. NULL: the key `child` is none of theirs. */
const char *levy_hint_other_kind(const levy_reader *reader, const levy_table *table,
                                 const levy_node *map, const levy_node *child);

/* The last of the times that a map has in lists, which are all numbers or all dates. NULL: none. */
const char *levy_hint_last_time(const levy_node *map);

/* A map in braces without an example of a key. */
const char *levy_hint_without(const levy_reader *reader, const char *text, const char *key);
/* The same of all keys that mean something where they are left out, as a barrier without dates is
 * watched at all times, and that neither map speaks of. around: may be NULL. */
const char *levy_hint_silent(const levy_reader *reader, const levy_table *table, const char *text,
                             const levy_node *map, const levy_node *around);

/* A map in braces that a word stands for: what is part of the word has the mark of its own, and the
 * rest that of an example (marks.h). */
const char *levy_hint_marked(const levy_reader *reader, const char *map, const char *word);

/* A list of scalars in brackets. */
const char *levy_hint_list(const levy_reader *reader, const levy_node *list);

/* For a map of a name to a number where a list of maps is due: "[{name: A, weight: 0.5}]". */
const char *levy_hint_items(const levy_reader *reader, const levy_field *field,
                            const levy_node *map);

/* For the end of a number with a comma, which YAML takes for a key of the map: "spot: 1,000". */
const char *levy_hint_digits(const levy_reader *reader, const levy_node *map,
                             const levy_node *child);

/* A hint about a word that is no call and no put, with what to write if it is a kind of payoff. */
const char *levy_hint_kind(const levy_reader *reader, const levy_field *field,
                           const levy_node *word, const char *hint);

/* For a list of one that may stand without its brackets. */
const char *levy_hint_alone(const levy_reader *reader, const levy_table *table,
                            const levy_node *node, const levy_trail *trail);

#endif
