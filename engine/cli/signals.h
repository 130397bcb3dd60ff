/* signals.h: Ctrl-C, SIGTERM and SIGHUP. The first asks the work to stop at its next poll; one that
 * comes more than a quarter of a second after it ends the process at once. */
#ifndef LEVY_CLI_SIGNALS_H
#define LEVY_CLI_SIGNALS_H

#include <stdbool.h>

void cli_signals_catch(void);
bool cli_signals_stop(void);     /* whether a signal has come */
int cli_signals_exit_code(void); /* 129, 130 or 143 */

#endif
