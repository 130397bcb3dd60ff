/* text_out.c: see text_out.h. JSON: RFC 8259. */
#include "engine/base/text_out.h"

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

void levy_text_put_spaces(levy_text_out *out, size_t count)
{
    for (; count > 0; --count) levy_text_put_bytes(out, " ", 1);
}

void levy_text_put_json(levy_text_out *out, const char *text)
{
    if (!text) {
        levy_text_put(out, "null");
        return;
    }
    levy_text_put(out, "\"");
    for (const char *plain = text;; ++text) {
        const unsigned char byte = (unsigned char)*text;
        char escape[8];
        if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7f) continue;
        levy_text_put_bytes(out, plain, (size_t)(text - plain));
        plain = text + 1;
        if (!byte) break;
        if (byte == '"' || byte == '\\')
            snprintf(escape, sizeof escape, "\\%c", byte);
        else
            snprintf(escape, sizeof escape, "\\u%04x", byte);
        levy_text_put(out, escape);
    }
    levy_text_put(out, "\"");
}

int levy_text_finish(levy_text_out *out, int status)
{
    text_flush(out);
    return status == LEVY_STATUS_OK && out->failed ? LEVY_STATUS_IO : status;
}
