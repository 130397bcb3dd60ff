/* validate.h: what is said of files, as JSON. */
#ifndef LEVY_CLI_VALIDATE_H
#define LEVY_CLI_VALIDATE_H

#include "engine/cli/client.h"

#include <stdio.h>

/* One more object of a list; the first is at the beginning of `out`. */
void cli_validate_put(FILE *out, const levy_diagnostic *diagnostic);
/* The JSON Schema (draft-07) of `levy validate --format json`: LEVY_STATUS_OK or LEVY_STATUS_IO. */
int cli_validate_schema(levy_writer write, void *user);

/* The first character of a text as JSON has it between quotes, and how many bytes it takes of the
 * text. A byte that is no UTF-8, as names of files may have, is U+FFFD. */
enum { CLI_JSON_CHARACTER = 8 };
size_t cli_json_character(const char *c, char text[CLI_JSON_CHARACTER]);

#endif
