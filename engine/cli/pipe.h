/* pipe.h: pipes, whose readers may keep a program waiting without end. One that a signal has
 * stopped waits two seconds. */
#ifndef LEVY_CLI_PIPE_H
#define LEVY_CLI_PIPE_H

#include <stdbool.h>

bool cli_pipe_is(int descriptor);
/* Opens a named pipe when it has a reader; -1: errno says why, EINTR that it has waited for long
 * enough. */
int cli_pipe_open(const char *path);
/* Waits until a write of at most PIPE_BUF bytes returns at once. False: it has waited for long
 * enough. */
bool cli_pipe_is_ready(int descriptor);

#endif
