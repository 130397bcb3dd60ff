/* each.h: --each: every file is a book of its own, and their reports are one output: tables under
 * the files' names, a JSON array of reports, CSV and JSON lines with the file in front. */
#ifndef LEVY_CLI_EACH_H
#define LEVY_CLI_EACH_H

#include "engine/cli/output.h"

typedef struct cli_each {
    cli_output output;
    int format;
    const char *file;
    size_t reports;
    bool inside;         /* of a line */
    bool quoted;         /* of a text in quotes, where a line's end ends no line */
    bool heading;        /* the line is the first of a report */
    char *header, *line; /* of CSV: as written, NULL: none yet; and this one */
    size_t length, room;
    bool full; /* there was no memory for a header: the report is not written on */
} cli_each;

/* Returns an exit code. */
typedef int cli_each_command(const cli_options *options, char *const *files, size_t n,
                             cli_each *each);
/* Runs a command on its operands together, `each` NULL; or with --each on every file, those of
 * folders included, until a signal comes. Returns the highest exit code; an error of usage ends the
 * run. */
int cli_each_run(const cli_options *options, cli_each_command *run);

/* The file's name as a terminal may have it. */
void cli_each_put_name(cli_each *each);
/* Begins the report of the file: 0, or an exit code after a message on stderr. */
int cli_each_begin(cli_each *each, int format);
int cli_each_write(void *each, const char *text, size_t length); /* a levy_writer */
/* After the report: 0, or an exit code after a message on stderr. */
int cli_each_end(const cli_each *each);

#endif
