/* start.h: the first steps of every program of the command line. */
#ifndef LEVY_CLI_START_H
#define LEVY_CLI_START_H

/* Opens standard streams that the caller closed. Lets write return an error, instead of a signal,
 * when the reader is gone (SIGPIPE) or a file reaches its limit (SIGXFSZ). */
void cli_start(void);

#endif
