/* marks.h: what of a line to write is only an example. Hints have a mark before each key whose
 * value is one, or is not; when a fault is added the marks become words. Private to this room. Must
 * not know: the meaning of any key. */
#ifndef LEVY_SCHEMA_MARKS_H
#define LEVY_SCHEMA_MARKS_H

#include "engine/schema/reader.h"

#include <stdbool.h>

/* Before a key: its value is an example, or what the file says or means. Around a list of keys:
 * the line leaves them out. */
enum { LEVY_MARK_EXAMPLE = 1, LEVY_MARK_OWN = 2, LEVY_MARK_LEFT = 3 };

static inline bool levy_mark_is(char c) { return c == LEVY_MARK_EXAMPLE || c == LEVY_MARK_OWN; }

/* A text that is an example with times as the file has them: years, or dates. NULL: no memory. */
const char *levy_marks_timed(const levy_reader *reader, const char *text);

/* The hint without marks, and where times are years a count for a frequency that the file means;
 * behind the sentence that has them, "Examples: level, observations. Left
 * out: rebate.", or less. In the reader's arena; NULL: there is none, or no memory. */
const char *levy_marks_say(const levy_reader *reader, const levy_trail *trail, const char *hint);

#endif
