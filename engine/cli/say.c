/* say.c: messages on stderr. They repeat words that others wrote: names of files, values of
 * options. What would move a terminal's cursor or turn text around comes out as \xNN: C0 but the
 * newline, DEL, C1 and bidirectional controls (RFC 3629; Unicode 15, chapter 23). Must not know:
 * commands. */
#include "engine/cli/options.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool say_between(char c, unsigned first, unsigned last)
{
    return (unsigned char)c >= first && (unsigned char)c <= last;
}

/* Bytes of the hidden character at the start of `text`; 0: none is there. */
static int say_hidden(const char *text)
{
    if ((say_between(*text, 0x01, 0x1f) && *text != '\n') || *text == 0x7f) return 1;
    if (*text == '\xc2' && say_between(text[1], 0x80, 0x9f)) return 2;
    if (strncmp(text, "\xd8\x9c", 2) == 0) return 2;
    if (strncmp(text, "\xe2\x80", 2) == 0 &&
        (say_between(text[2], 0x8e, 0x8f) || say_between(text[2], 0xa8, 0xae)))
        return 3;
    if (strncmp(text, "\xe2\x81", 2) == 0 && say_between(text[2], 0xa6, 0xa9)) return 3;
    return 0;
}

/* to: four times as long as text, and a byte. */
static void say_escape(const char *text, char *to)
{
    while (*text) {
        int hidden = say_hidden(text);
        if (hidden == 0) *to++ = *text++;
        while (hidden-- > 0) to += sprintf(to, "\\x%02x", (unsigned char)*text++);
    }
    *to = '\0';
}

int cli_no_memory(void)
{
    fputs("levy: out of memory\n", stderr);
    return CLI_EXIT_MEMORY;
}

/* In one piece, since stderr keeps none back. */
static void say(const char *before, const char *format, va_list arguments, const char *after)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    const size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *const text = malloc(5 * size);
    if (!text) {
        (void)cli_no_memory();
        return;
    }
    vsnprintf(text, size, format, arguments);
    say_escape(text, text + size);
    fprintf(stderr, "%s%s%s", before, text + size, after);
    free(text);
}

void cli_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments, "");
    va_end(arguments);
}

int cli_usage_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("levy: ", format, arguments, "\n");
    va_end(arguments);
    return CLI_EXIT_USAGE;
}
