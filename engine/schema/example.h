/* example.h: the examples of tables (levy_table.example) as text: one value of one, and one with
 * another value in it. Private to this room. Must not know: the meaning of any key. */
#ifndef LEVY_SCHEMA_EXAMPLE_H
#define LEVY_SCHEMA_EXAMPLE_H

#include "engine/base/date.h"
#include "engine/base/number.h"
#include "engine/schema/reader.h"

/* The field of that name; NULL: there is none. */
const levy_field *levy_example_field(const levy_table *table, const char *key);

/* The length of the value at `text`: up to the comma or bracket that ends it. */
size_t levy_example_length(const char *text);

/* A pair "key: value" of a map, or of several without brackets. */
typedef struct levy_example_pair {
    const char *text, *key, *value; /* text: from the key's mark on, if it has one (marks.h) */
    size_t name, length;            /* of the key, of the value */
} levy_example_pair;
/* Takes the next pair from *at, which starts behind the map's bracket. False: there is none. */
bool levy_example_next(const char **at, levy_example_pair *pair);

/* The value that the example has for a key of its outer map: [*value, *value + *length). False: it
 * has none. */
bool levy_example_value(const char *example, const char *key, const char **value, size_t *length);

/* "0.35" for 35%. False: the node is no percentage. */
bool levy_example_percent(const levy_node *node, char text[LEVY_NUMBER_SIZE]);

/* Whether a scalar could stand for the field, as far as its looks tell. */
bool levy_example_fits(const levy_field *field, const levy_node *node);

/* A tenor as model time counts it, in years. */
double levy_example_tenor(const levy_tenor *tenor);
/* The date of a tenor from the valuation; NULL: none is known. */
const char *levy_example_due(const levy_reader *reader, const levy_tenor *tenor);

/* The text of a scalar as the field may have it: a share as a number, or a tenor in years. NULL: it
 * may not stand there. */
const char *levy_example_own(const levy_reader *reader, const levy_field *field,
                             const levy_node *node);

/* An example of the table with `node` at one of its `bare` keys. NULL: it fits none of them. */
const char *levy_example_bare(const levy_reader *reader, const levy_table *table,
                              const char *example, const levy_node *node);

/* The table's example in the arena, with marks; a scalar `node` that fits its `bare` key stands
 * there, and a word stands where it belongs. *said: it does. NULL: the table has no example, or
 * there is no memory. */
const char *levy_example_with(const levy_reader *reader, const levy_table *table,
                              const levy_node *node, bool *said);

/* "volatility: 0.2": the key of a field with the value of `node` where that fits, or else with that
 * of the table's example or the default. NULL: no such value. */
const char *levy_example_line(const levy_reader *reader, const levy_table *table,
                              const levy_field *field, const levy_node *node);

#endif
