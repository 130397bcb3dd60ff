/* report_text.c: the writers' buffer; see report.h. */
#include "engine/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void levy_text_out_init(levy_text_out *out, levy_writer write, void *user)
{
    out->write = write;
    out->user = user;
    out->failed = false;
    out->used = 0;
}

static void text_flush(levy_text_out *out)
{
    if (out->used > 0 && !out->failed)
        out->failed = out->write(out->user, out->buffer, out->used) != 0;
    out->used = 0;
}

void levy_text_put_bytes(levy_text_out *out, const char *text, size_t length)
{
    while (length > 0) {
        const size_t room = sizeof out->buffer - out->used, part = length < room ? length : room;
        memcpy(out->buffer + out->used, text, part);
        out->used += part;
        text += part;
        length -= part;
        if (out->used == sizeof out->buffer) text_flush(out);
    }
}

void levy_text_put(levy_text_out *out, const char *text)
{
    if (text) levy_text_put_bytes(out, text, strlen(text));
}

void levy_text_put_all(levy_text_out *out, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; ++i) levy_text_put(out, texts[i]);
}

void levy_text_put_count(levy_text_out *out, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    levy_text_put(out, text);
}

int levy_text_finish(levy_text_out *out)
{
    text_flush(out);
    return out->failed ? LEVY_STATUS_IO : LEVY_STATUS_OK;
}
