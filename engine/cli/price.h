/* price.h: what the commands that print prices share: `levy price`, its parts, and `levy merge`. */
#ifndef LEVY_CLI_PRICE_H
#define LEVY_CLI_PRICE_H

#include "engine/cli/client.h"
#include "engine/cli/each.h"

/* All return 0 or an exit code after a message on stderr. Before any work: files and formats that
 * do not go together; after cli_client_open: names of columns, before minutes of work. */
int cli_price_check_files(const cli_options *options);
int cli_price_check_columns(cli_client *client);
/* JSON lines of trades, written to --output as soon as they and those before them are done. */
typedef struct cli_lines {
    cli_output output;
    size_t count;
} cli_lines;
/* Reports a run of that status, and lets its results go. `each` NULL: of one book, to --output, of
 * which `lines`, if it is not NULL, has the beginning. */
int cli_price_end(cli_client *client, levy_results *results, int status, cli_each *each,
                  cli_lines *lines);

#endif
