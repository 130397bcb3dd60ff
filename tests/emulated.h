/* emulated.h: a CUDA kernel's own code on the host: compiled as C++ behind a shape, in a folder of
 * its own, and run on files there. For the programs whose sources stand beside this
 * (fused_host.cpp, bridge_host.cpp). */
#ifndef LEVY_TESTS_EMULATED_H
#define LEVY_TESTS_EMULATED_H

#include <stdbool.h>
#include <stdio.h>

int emulated_set_up(void **state);    /* of a group of tests: makes the folder */
int emulated_tear_down(void **state); /* and removes it */

/* shape.h, input, output or emulated; good for the next three calls */
const char *emulated_file(const char *name);
FILE *emulated_open(const char *name, const char *mode);
void emulated_put(FILE *f, const void *bytes, size_t size);
void emulated_write_shape(const char *text); /* writes shape.h */
void *emulated_output(size_t size);          /* its first bytes; the caller frees */
void emulated_skip_without_compiler(void);   /* skips the test */

/* Compiles tests/<source> behind shape.h, unless the last run had the same, a short run with little
 * optimisation, and runs it on input and output; the test fails where either does. */
void emulated_run(const char *source, bool short_run);

/* Compiles it behind shape.h to a library, which is file "emulated". */
void emulated_library(const char *source);

#endif
