/* start.c: see start.h. */
#include "engine/cli/start.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* A caller may start us with standard streams closed. They are opened, so that no file of ours
 * becomes one of them. Reading and writing data then fail as they should, and messages are lost. */
static void start_open_streams(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
        if (fcntl(stream, F_GETFD) == -1) (void)open("/dev/null", modes[stream]);
}

void cli_start(void)
{
    start_open_streams();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}
