/* output.h: writes data to stdout, or to a file that is replaced completely or not at all: a
 * temporary file in the same folder, fsync, rename, fsync of the folder. It also removes temporary
 * files that killed programs left for the same name. If the target is not a regular file (a pipe,
 * /dev/null), it is written to directly. If the reader is gone (EPIPE), the output ends quietly. */
#ifndef LEVY_CLI_OUTPUT_H
#define LEVY_CLI_OUTPUT_H

#include "engine/cli/options.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_output {
    int descriptor;
    char *target, *temporary; /* NULL: written in place */
    const char *name;         /* for messages */
    int error;                /* errno of the first failure */
    bool closed_pipe;
} cli_output;

/* All three return 0, or CLI_EXIT_OUTPUT after a message on stderr. path NULL or "-": stdout. Long
 * work is checked before it begins and opened after it, so that a program killed on the way leaves
 * no temporary file. */
/* answers in a row that moved nothing, 0 or EINTR, after which a file system is broken */
enum { CLI_IDLE = 1 << 18 };
int cli_output_check(const char *path); /* could it be written, as far as can be seen now? */
int cli_output_open(cli_output *output, const char *path);
int cli_output_commit(cli_output *output);
/* after open, instead of commit: an old file stays as it was */
void cli_output_abandon(cli_output *output);
/* do both name one regular file that is there? NULL: no */
bool cli_output_is(const char *path, const char *other);
/* The format that was asked for, or that the ending of --output stands for: 0, or a usage error
 * where it stands for none. A name without an ending, and stdout, have the table. */
int cli_output_format(const cli_options *options, int *format);
int cli_output_write(void *output, const char *text, size_t length); /* a levy_writer */

#endif
