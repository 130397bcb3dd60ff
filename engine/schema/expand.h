/* expand.h: a map of YAML's flow style, such as an example, as a block: each key on a line of its
 * own with what it means, and the keys that may be added as comments. Private to this room. Must
 * not know: the meaning of any key. */
#ifndef LEVY_SCHEMA_EXPAND_H
#define LEVY_SCHEMA_EXPAND_H

#include "engine/schema/writer.h"

enum { LEVY_EXPAND_SIZE = 4096 }; /* of an example, its closing zero included */

/* The example has no quotes with brackets that do not match. */
void levy_expand_map(levy_text_out *out, const levy_table *table, const char *example,
                     const levy_more_kinds *kinds);

/* The text as comment lines, broken between words. */
void levy_expand_comment(levy_text_out *out, size_t indent, const char *text, size_t length);

#endif
