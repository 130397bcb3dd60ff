/* expand_csv.h: a list of maps of YAML's flow style as comma-separated values, a row for each map
 * and a column for the path of each key. Private to this room. Must not know: the meaning of any
 * key. */
#ifndef LEVY_SCHEMA_EXPAND_CSV_H
#define LEVY_SCHEMA_EXPAND_CSV_H

#include "engine/schema/writer.h"

/* The list has no quotes and no lists of maps. */
void levy_expand_csv(levy_text_out *out, const char *list);

#endif
