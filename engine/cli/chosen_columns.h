/* chosen_columns.h: the names of --columns against what was priced. */
#ifndef LEVY_CLI_CHOSEN_COLUMNS_H
#define LEVY_CLI_CHOSEN_COLUMNS_H

#include "engine/cli/client.h"

/* Warns on stderr of each measure, factor, axis or tag of --columns that no result has: its column
 * is empty. The names are known to be good. */
void cli_columns_warn(const cli_client *client, const levy_results *results);

#endif
