/* child_program.h: runs a program and keeps what it printed, for tests of the command line. */
#ifndef LEVY_TESTS_CHILD_PROGRAM_H
#define LEVY_TESTS_CHILD_PROGRAM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

enum { PROGRAM_OUTPUT = 1 << 22, PROGRAM_ARGUMENTS = 24 };

typedef struct program {
    /* what to do; zero members are the usual: no input, both streams kept, the caller's environment
     */
    const char *input;          /* for standard input; NULL: none */
    const char *output_file;    /* standard output goes there */
    const char *environment[4]; /* "NO_COLOR=1", ..., NULL */
    /* 1: standard output is a pseudo-terminal; -1: it is closed; -2: a pipe nobody reads */
    int terminal;
    unsigned long file_limit; /* bytes a file may grow to, 0: any */
    int signal;               /* sent after the first byte on stderr */
    /* what came of it */
    int code; /* exit code, or 1000 + the signal that ended it */
    char out[PROGRAM_OUTPUT], err[PROGRAM_OUTPUT];
} program;

/* can this machine open a pseudo-terminal? Some containers cannot. */
bool program_has_terminal(void);

/* arguments end with NULL; arguments[0] is the program. */
void program_run(program *run, const char *const *arguments);
/* The same of `first` (ending with NULL), then `word` and the words after it, the last one NULL. */
void program_run_words(program *run, const char *const *first, const char *word, va_list words);

/* The test fails unless `part` stands in `text`; unless the run ended as a usage error whose
 * message holds `part`. */
void assert_has(const char *text, const char *part);
void assert_usage_error(const program *run, const char *part);

#endif
