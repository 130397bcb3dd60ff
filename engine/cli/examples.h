/* examples.h: the files of configs/ that the program carries; embed.cmake makes the table. */
#ifndef LEVY_CLI_EXAMPLES_H
#define LEVY_CLI_EXAMPLES_H

#include <stddef.h>

typedef struct cli_example_file {
    const char *name; /* below configs/, without .yaml */
    const char *text; /* ends with a zero, which `length` does not count */
    size_t length;
} cli_example_file;

extern const cli_example_file cli_examples[];
extern const size_t cli_example_count;

#endif
