/* sample.h: a value for a field, as YAML text that the reader takes: of the table's example, the
 * field's own, its default, or one that fits its type and range. Private to this room. Must not
 * know: the meaning of any key. */
#ifndef LEVY_SCHEMA_SAMPLE_H
#define LEVY_SCHEMA_SAMPLE_H

#include "engine/base/field.h"

enum { LEVY_SAMPLE_SIZE = 1024 };

/* `holder`: the table that has the field. */
void levy_sample_write(const levy_table *holder, const levy_field *field,
                       char text[LEVY_SAMPLE_SIZE]);

#endif
