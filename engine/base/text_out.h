/* text_out.h: text that leaves through a small buffer. A failed `write` is remembered, and
 * everything after it is dropped. Must not know: what the text says. */
#ifndef LEVY_BASE_TEXT_OUT_H
#define LEVY_BASE_TEXT_OUT_H

#include "engine/levy.h"

#include <stdbool.h>

typedef struct levy_text_out {
    levy_writer write;
    void *user;
    bool failed;
    size_t used;
    char buffer[4096];
} levy_text_out;

void levy_text_out_init(levy_text_out *out, levy_writer write, void *user);
void levy_text_put(levy_text_out *out, const char *text); /* NULL puts nothing */
void levy_text_put_all(levy_text_out *out, const char *const *texts, size_t n);
/* Several texts, one after the other. */
#define LEVY_TEXT_PUT(out, ...)                                                                    \
    levy_text_put_all(out, (const char *const[]){__VA_ARGS__},                                     \
                      sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
void levy_text_put_bytes(levy_text_out *out, const char *text, size_t length);
/* The text of a format with %s (NULL puts nothing), %d, %u, %zu, %%, and %.Nf whatever the host's
 * locale is; with nothing else. */
void levy_text_print(levy_text_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void levy_text_put_spaces(levy_text_out *out, size_t count);
/* quoted and escaped; NULL: null */
void levy_text_put_json(levy_text_out *out, const char *text);
/* Writes what is left in the buffer. Returns `status`, what the text has come to; where that is
 * LEVY_STATUS_OK, LEVY_STATUS_IO after a write that failed. */
int levy_text_finish(levy_text_out *out, int status);

#endif
