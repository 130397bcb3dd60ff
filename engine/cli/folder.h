/* folder.h: the files that the operands of a command name, where a folder stands for its books. */
#ifndef LEVY_CLI_FOLDER_H
#define LEVY_CLI_FOLDER_H

#include "engine/cli/options.h"

typedef struct cli_files {
    char **names;
    size_t count, room;
} cli_files;

/* A folder gives the files that the library reads of it (levy_source), in byte order of their
 * names. Returns 0, or an exit code after a message on stderr; release it in either case. */
int cli_files_list(cli_files *files, const cli_options *options);
void cli_files_release(cli_files *files);

#endif
