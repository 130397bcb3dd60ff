/* place.h: finds the other program of this tree. `levy` and `levy-bench` find each other relative
 * to their own place, so a tree can be moved as a whole. Must not know: PATH and the current
 * directory, where a stranger may have put a program. */
#ifndef LEVY_CLI_PLACE_H
#define LEVY_CLI_PLACE_H

#include <stddef.h>

/* The absolute path of `way`, such as "../libexec/levy/levy-bench", from the folder of this
 * program. Only leading ".." are resolved. The file need not exist. Returns 0, or an exit code
 * after a message on stderr. */
int cli_place(char *path, size_t size, const char *way);

#endif
