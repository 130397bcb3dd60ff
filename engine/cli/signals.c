/* signals.c: see signals.h. The only global state of the program: a handler has nowhere else to
 * write. */
#include "engine/cli/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

/* timeout(1) and a closing terminal signal the program and its group, so that it gets the same
 * signal twice. Nobody types two within this time. */
static const int64_t signals_together = 250000000; /* nanoseconds */

static volatile sig_atomic_t signals_caught;
/* when the first came, on the monotonic clock; 0: none yet. Threads may take signals side by
 * side. */
static _Atomic int64_t signals_first;

static int64_t signals_now(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec + 1;
}

static void signals_handle(int number)
{
    const int64_t now = signals_now();
    int64_t first = 0;
    if (atomic_compare_exchange_strong(&signals_first, &first, now))
        signals_caught = number;
    else if (now - first > signals_together)
        _exit(128 + number);
}

/* nohup(1) has the program ignore SIGHUP, and it stays ignored. */
static bool signals_ignores_hangup(void)
{
    struct sigaction now;
    return sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

void cli_signals_catch(void)
{
    struct sigaction action = {.sa_handler = signals_handle, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!signals_ignores_hangup()) sigaction(SIGHUP, &action, NULL);
}

bool cli_signals_stop(void) { return signals_caught != 0; }

int cli_signals_exit_code(void) { return 128 + (signals_caught ? signals_caught : SIGINT); }
