/* output.h: writes data to stdout, or to a file that is replaced completely or not at all: a
 * temporary file in the same folder, fsync, rename, fsync of the folder. It also removes temporary
 * files that killed programs left for the same name. If the target is not a regular file (a pipe,
 * /dev/null), it is written to directly. A program that a signal has stopped waits two seconds for
 * the reader of a pipe. If the reader is gone (EPIPE), the output ends quietly. */
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
    bool pipe;                /* a write may wait for its reader */
    bool closed_pipe;
} cli_output;

/* After so many calls in a row that moved nothing (0 or EINTR), a file system counts as broken. */
enum { CLI_IDLE = 1 << 18 };
/* All three return 0, or CLI_EXIT_OUTPUT after a message on stderr. path NULL or "-": stdout. Check
 * the output before long work and open it after: a killed program then leaves no temporary file. */
int cli_output_check(const char *path); /* can it be written, as far as is known now? */
int cli_output_open(cli_output *output, const char *path);
int cli_output_commit(cli_output *output);
/* called instead of commit: an old file stays as it was */
void cli_output_abandon(cli_output *output);
/* whether both name the same existing regular file; NULL names none */
bool cli_output_is(const char *path, const char *other);

/* The files that the options name to be written; path NULL: not given. The report is the first. */
typedef struct cli_written {
    const char *option, *path;
} cli_written;
enum { CLI_WRITTEN = 5 };
void cli_outputs_of(const cli_options *options, cli_written all[CLI_WRITTEN]);
/* Are no two of them one file? And can they all be written, as far as is known now? */
int cli_outputs_differ(const cli_options *options);
int cli_outputs_check(const cli_options *options);
/* The format that was asked for, or that of the ending of --output. A name without an ending, and
 * stdout, get the table. Returns 0, or a usage error for an unknown ending. */
int cli_output_format(const cli_options *options, int *format);
/* The endings that a command takes: ".csv, .json". */
enum { CLI_ENDINGS_SIZE = 64 };
void cli_endings_of(int command, char list[CLI_ENDINGS_SIZE]);
int cli_output_write(void *output, const char *text, size_t length); /* a levy_writer */
/* The characters of a line of the terminal on stdout; 0: it is none, or they are not known. */
uint32_t cli_output_width(void);

#endif
