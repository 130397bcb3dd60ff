/* says.h: what a word says that stands where it cannot: weekly of observations, continuous of the
 * way to watch, down_in of direction and knock. A hint keeps it, in the keys that it belongs to.
 * Private to this room. Must not know: the meaning of any key. */
#ifndef LEVY_SCHEMA_SAYS_H
#define LEVY_SCHEMA_SAYS_H

#include "engine/schema/reader.h"

/* "observations: {frequency: 1W}": the keys of the table that a scalar speaks of, each with a mark
 * (marks.h). NULL: none, or no memory. */
const char *levy_says(const levy_reader *reader, const levy_table *table, const levy_node *node);

/* The map with what the word says in it, in place of its own values or beside them. The map itself
 * where the word says nothing; NULL: no memory. */
const char *levy_says_put(const levy_reader *reader, const levy_table *table, const char *map,
                          const levy_node *node);

/* The map with those pairs in it, in place of its own or beside them. NULL: no memory. */
const char *levy_says_put_pairs(const levy_reader *reader, const char *map, const char *pairs);

/* The map of the table in which each value without a mark is an example. NULL: no memory. */
const char *levy_says_examples(const levy_reader *reader, const levy_table *table, const char *map);

/* The text with the node's value as left out, if it is a word or a number that the text has in no
 * form. table: whose words it may be; NULL: of none. */
const char *levy_says_left(const levy_reader *reader, const levy_table *table, const char *text,
                           const levy_node *node);

#endif
