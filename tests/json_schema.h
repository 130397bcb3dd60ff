/* json_schema.h: is a JSON value what a JSON Schema (draft-07) says? Only the words that the
 * schemas of reports and of the input use; another word fails the test, so that no rule goes
 * unread. */
#ifndef LEVY_TESTS_JSON_SCHEMA_H
#define LEVY_TESTS_JSON_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns whether it is, or fills `why` with the first place where it is not. */
bool json_schema_valid(const json_t *schema, const json_t *value, char *why, size_t size);

#endif
