/* made.h: what a report says of the run that made it: its command line, and when it ended. */
#ifndef LEVY_CLI_MADE_H
#define LEVY_CLI_MADE_H

#include "engine/cli/options.h"

typedef struct cli_made {
    char command[4096]; /* as a shell takes it; the end of a long one is left out */
    char time[40];      /* UTC; "": the results have no times */
} cli_made;

void cli_made_fill(cli_made *made, const cli_options *options, const levy_results *results);

#endif
