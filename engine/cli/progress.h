/* progress.h: progress on stderr: a bar on a terminal once the work has taken half a second, or
 * JSON lines. */
#ifndef LEVY_CLI_PROGRESS_H
#define LEVY_CLI_PROGRESS_H

#include "engine/cli/options.h"

typedef struct cli_progress_state {
    cli_progress how;
    double last_seconds; /* when the last line or bar was written; -1: none yet */
    bool drawn;
} cli_progress_state;

/* Has the run report to the state from here on, and end at a signal. */
void cli_progress_start(cli_progress_state *state, const cli_options *options,
                        levy_price_options *how);
void cli_progress_clear(cli_progress_state *state); /* removes the bar */

#endif
