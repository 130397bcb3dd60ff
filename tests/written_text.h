/* written_text.h: what a writer of reports has come to, whose text a write function of levy.h
 * takes: WRITTEN(write, user, writer, arguments before the text). Included once per test program.
 */
#ifndef LEVY_TESTS_WRITTEN_TEXT_H
#define LEVY_TESTS_WRITTEN_TEXT_H

#include "engine/base/text_out.h"

static levy_text_out written_text;

#define WRITTEN(write, user, writer, ...)                                                          \
    (levy_text_out_init(&written_text, (write), (user)), writer(__VA_ARGS__, &written_text),       \
     levy_text_finish(&written_text, LEVY_STATUS_OK))

/* The same of a writer that returns a status. */
#define WRITTEN_STATUS(write, user, writer, ...)                                                   \
    (levy_text_out_init(&written_text, (write), (user)),                                           \
     levy_text_finish(&written_text, writer(__VA_ARGS__, &written_text)))

#endif
