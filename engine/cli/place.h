/* place.h: finds the other program of this tree. `levy` and `levy-bench` find each other relative
 * to their own place, so a tree can be moved as a whole. Must not know: PATH and the current
 * directory, where a stranger may have put a program. */
#ifndef LEVY_CLI_PLACE_H
#define LEVY_CLI_PLACE_H

#include <stddef.h>

/* The absolute path that `way` leads to from the folder of this program, such as
 * "../libexec/levy/levy-bench". Only leading ".." are taken. The file itself need not be there.
 * Returns 0, or an exit code after a message on stderr. */
int cli_place(char *path, size_t size, const char *way);

#endif
