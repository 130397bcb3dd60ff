/* start.h: the first steps of every program of the command line. */
#ifndef LEVY_CLI_START_H
#define LEVY_CLI_START_H

/* Standard streams that the caller closed are opened. A reader that went away (SIGPIPE) and a file
 * at its limit (SIGXFSZ) become error codes of write. */
void cli_start(void);

#endif
