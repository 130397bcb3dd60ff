/* sources.h: the operands of a command and the file of --market as sources of a book. */
#ifndef LEVY_CLI_SOURCES_H
#define LEVY_CLI_SOURCES_H

#include "engine/cli/options.h"

typedef struct cli_sources {
    levy_source *items;
    size_t count, room;
    char **texts;          /* [room]: of sources that are read once; NULL: the library reads it */
    char *market, *folder; /* a book that refers to the file of --market, and that file's folder */
} cli_sources;

/* The descriptor that an operand means, which is read once: standard input for "-", or a pipe that
 * the caller has opened ("/dev/fd/63", what a shell makes of <(command)). -1: it means a file. */
int cli_sources_descriptor(const char *path);

/* Returns 0, or an exit code after a message on stderr; close it in either case. */
int cli_sources_open(cli_sources *sources, const cli_options *options, char *const *files,
                     size_t n);
void cli_sources_close(cli_sources *sources);

#endif
