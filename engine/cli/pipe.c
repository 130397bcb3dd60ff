/* pipe.c: see pipe.h. */
#include "engine/cli/pipe.h"

#include "engine/cli/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PIPE_POLL = 100, PIPE_GRACE = 2000 }; /* milliseconds */

/* Whether a program that a signal has stopped has waited for long enough. */
static bool pipe_gives_up(int waited) { return waited >= PIPE_GRACE && cli_signals_stop(); }

bool cli_pipe_is_ready(int descriptor)
{
    struct pollfd wanted = {.fd = descriptor, .events = POLLOUT};
    for (int waited = 0; !pipe_gives_up(waited); waited += PIPE_POLL) {
        const int ready = poll(&wanted, 1, PIPE_POLL);
        if (ready > 0 || (ready < 0 && errno != EINTR)) return true; /* write tells an error */
    }
    return false;
}

int cli_pipe_open(const char *path)
{
    const struct timespec pause = {.tv_nsec = PIPE_POLL * 1000000L};
    for (int waited = 0;; waited += PIPE_POLL) {
        const int file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        if (file >= 0 && fcntl(file, F_SETFL, O_WRONLY) == 0) return file;
        if (file >= 0) close(file);
        if (file < 0 && errno != ENXIO) return -1;
        if (pipe_gives_up(waited)) return errno = EINTR, -1;
        (void)nanosleep(&pause, NULL);
    }
}

bool cli_pipe_is(int descriptor)
{
    struct stat state;
    return fstat(descriptor, &state) == 0 && S_ISFIFO(state.st_mode);
}
