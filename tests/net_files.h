/* net_files.h: a folder with Joe and Kuo's numbers as sobol.txt, and a context, for the tests of
 * nets in books and in arrays. Included once per test program. */
#ifndef LEVY_TESTS_NET_FILES_H
#define LEVY_TESTS_NET_FILES_H

#include "tests/context_fixture.h"
#include "tests/net_case.h"

#include <unistd.h>

static char folder[] = "/tmp/levy-net-XXXXXX";

static inline int make_files(void **state)
{
    text_out text = {NULL, 0};
    if (open_context(state) != 0 || !mkdtemp(folder) || chdir(folder) != 0) return -1;
    put(&text, "d s a m_i\n");
    put_joe_kuo(&text, 64);
    FILE *const file = fopen("sobol.txt", "w");
    if (!file || fwrite(text.text, 1, text.length, file) != text.length) return -1;
    free(text.text);
    return fclose(file);
}

static inline int remove_files(void **state)
{
    (void)unlink("sobol.txt");
    (void)unlink("four.txt");
    if (chdir("/") != 0 || rmdir(folder) != 0) return -1;
    return close_context(state);
}

#endif
