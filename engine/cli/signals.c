/* signals.c: see signals.h. The only global state of the program: a handler has nowhere else to
 * write. */
#include "engine/cli/signals.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t signals_caught;

static void signals_handle(int number)
{
    if (signals_caught) _exit(128 + number);
    signals_caught = number;
}

void cli_signals_catch(void)
{
    struct sigaction action = {.sa_handler = signals_handle, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool cli_signals_stop(void) { return signals_caught != 0; }

int cli_signals_exit_code(void) { return 128 + (signals_caught ? signals_caught : SIGINT); }
