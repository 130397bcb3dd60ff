/* text_out.c: see text_out.h. JSON: RFC 8259. */
#include "engine/base/text_out.h"

#include "engine/base/number.h"

#include <inttypes.h>
#include <stdarg.h>
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

static void text_count(levy_text_out *out, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    levy_text_put(out, text);
}

/* Puts what a conversion, which begins behind its %, says. Returns where it ends. */
static const char *text_convert(levy_text_out *out, const char *at, va_list *arguments)
{
    char text[400] = "%";
    switch (*at++) {
    case 's':
        levy_text_put(out, va_arg(*arguments, const char *));
        return at;
    case 'u':
        text_count(out, va_arg(*arguments, unsigned));
        return at;
    case 'z': /* zu */
        text_count(out, va_arg(*arguments, size_t));
        return at + 1;
    case 'd':
        snprintf(text, sizeof text, "%d", va_arg(*arguments, int));
        break;
    case '.': /* .Nf */
        levy_number_write_fixed(va_arg(*arguments, double), *at - '0', text, sizeof text);
        at += 2;
        break;
    }
    levy_text_put(out, text);
    return at;
}

void levy_text_print(levy_text_out *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    while (*format) {
        const size_t plain = strcspn(format, "%");
        levy_text_put_bytes(out, format, plain);
        format += plain;
        if (*format) format = text_convert(out, format + 1, &arguments);
    }
    va_end(arguments);
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
