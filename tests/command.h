/* command.h: the built `levy`, run in a folder of the test's own, for tests of the command line.
 * Included once per test program. */
#ifndef LEVY_TESTS_COMMAND_H
#define LEVY_TESTS_COMMAND_H

#include "tests/cmocka_all.h"
#include "tests/child_program.h"
#include "tests/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char levy_program[] = LEVY_BINARY_DIR "/levy";
static char folder[] = "/tmp/levy test XXXXXX"; /* with spaces, as folders may have */
static program run;

static inline int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0 ? 0 : -1;
}

/* Of a name in the folder; four at a time. */
static inline char *path_of(const char *name)
{
    static char paths[4][160];
    static size_t next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Until the next call; NULL: there is none. */
static inline char *read_file(const char *path)
{
    static char text[1 << 20];
    FILE *const file = fopen(path, "r");
    if (!file) return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static inline int clear_run(void **state)
{
    (void)state;
    memset(&run, 0, sizeof run);
    return 0;
}

/* Runs levy with the words, the last one NULL. */
static inline void levy(const char *word, ...)
{
    va_list words;
    va_start(words, word);
    program_run_words(&run, (const char *const[]){levy_program, NULL}, word, words);
    va_end(words);
}

/* The same, of a run that knows nothing of the last one. */
static inline void go(const char *word, ...)
{
    va_list words;
    clear_run(NULL);
    va_start(words, word);
    program_run_words(&run, (const char *const[]){levy_program, NULL}, word, words);
    va_end(words);
}

#endif
