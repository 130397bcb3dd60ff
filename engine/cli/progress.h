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

void cli_progress_init(cli_progress_state *state, const cli_options *options);
/* the library's callback; returns nonzero after Ctrl-C */
int cli_progress_report(void *state, const levy_progress *progress);
void cli_progress_clear(cli_progress_state *state); /* removes the bar */

#endif
