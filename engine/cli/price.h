/* price.h: what the commands that print prices share: `levy price`, its parts, and `levy merge`. */
#ifndef LEVY_CLI_PRICE_H
#define LEVY_CLI_PRICE_H

#include "engine/cli/client.h"
#include "engine/cli/each.h"

/* All return 0 or an exit code after a message on stderr. Before any work: files and formats that
 * do not go together; after cli_client_open: names of columns, before minutes of work. */
int cli_price_check_files(const cli_options *options);
int cli_price_check_columns(cli_client *client);
/* The report; `each` NULL: of one book, to --output. */
int cli_price_write(cli_client *client, const levy_results *results, cli_each *each);

/* The exit code of a run of that status, all of whose output is written. */
int cli_price_exit_code(int status, const levy_results *results);

#endif
