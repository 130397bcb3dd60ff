/* part.h: `levy price --part` and `levy converge --part`: one part of a book into a journal of its
 * own; by --part env with the report of all parts, which rank 0 makes. */
#ifndef LEVY_CLI_PART_H
#define LEVY_CLI_PART_H

#include "engine/cli/client.h"

int cli_part(const cli_options *options);

/* Merges the journals `paths` on the client's loaded book and prints the report. */
int cli_merge_paths(cli_client *client, const char *const *paths, size_t n, const char *by);

#endif
