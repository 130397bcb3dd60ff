/* summary.h: a map of a file as one line for readers of a report: "call; barrier: up, out, level
 * 500". Must not know: the meaning of any key. */
#ifndef LEVY_SCHEMA_SUMMARY_H
#define LEVY_SCHEMA_SUMMARY_H

#include "engine/base/field.h"
#include "engine/base/node.h"

enum { LEVY_SUMMARY_SIZE = 512 };

/* Writes what `map` says, but for its keys that are words of `without`. A choice stands for its
 * key, a long list or text for its size. What has no room is left out, and an ellipsis says so.
 * `table`: of the map; NULL: not known. `map` NULL, or no map: the line is empty. */
void levy_schema_summary(const levy_table *table, const levy_node *map, const char *without,
                         char text[LEVY_SUMMARY_SIZE]);

#endif
