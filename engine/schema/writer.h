/* writer.h: words in lines, for the printers of this room. Private to this room. Must not know:
 * tables. */
#ifndef LEVY_SCHEMA_WRITER_H
#define LEVY_SCHEMA_WRITER_H

#include "engine/schema/schema.h"

/* Writes the words of `text`, going on from `column`, into lines of LEVY_SCHEMA_WIDTH that start at
 * `indent`. Returns the column it ends in. The others write whole lines: all of the text, or up to
 * and including its first full stop, for which the indent is there already. */
enum { LEVY_SCHEMA_WIDTH = 110 };
size_t levy_schema_put_words(levy_text_out *out, const char *text, size_t indent, size_t column);
void levy_schema_put_paragraph(levy_text_out *out, const char *text, size_t indent);
void levy_schema_put_sentence(levy_text_out *out, const char *text, size_t indent);

/* "  topic   first sentence of its meaning", with room for a topic of `width`. */
void levy_schema_put_topic(levy_text_out *out, const char *topic, size_t width, const char *doc);

/* The topic whose table this is, or NULL. */
const char *levy_schema_topic_of(const levy_table *table);

/* Bounds as text: "> 0", "[0, 1)", ">= 1"; "" without LEVY_RANGED. */
enum { LEVY_SCHEMA_RANGE_SIZE = 80 };
void levy_schema_range_text(const levy_field *field, char text[LEVY_SCHEMA_RANGE_SIZE]);

#endif
