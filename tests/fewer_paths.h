/* fewer_paths.h: a book's text made cheaper for a sanitizer, to which a path is like another: of
 * "2^15" paths and more an eighth. For tests that hold estimates to their own errors. */
#ifndef LEVY_TESTS_FEWER_PATHS_H
#define LEVY_TESTS_FEWER_PATHS_H

#include <string.h>

/* Changes "paths: 2^15" to "paths: 2^12" and so on, up to 2^22. */
static inline void fewer_paths(char *text)
{
    static const char *const sizes[][2] = {{"15", "12"}, {"16", "13"}, {"17", "14"}, {"18", "15"},
                                           {"19", "16"}, {"20", "17"}, {"21", "18"}, {"22", "19"}};
    static const char before[] = "paths: 2^";
    for (char *at = text; LEVY_SANITIZED && (at = strstr(at, before)) != NULL;) {
        at += sizeof before - 1;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
            if (memcmp(at, sizes[i][0], 2) == 0) {
                memcpy(at, sizes[i][1], 2);
                break;
            }
    }
}

#endif
