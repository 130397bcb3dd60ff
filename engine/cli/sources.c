/* sources.c: see sources.h. */
#include "engine/cli/sources.h"

#include "engine/cli/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Standard input ---- */

/* Reads all of standard input, up to 1 GiB as for a file. It stops after 64 KiB if there is a zero
 * byte in them: that is not text, and the loader will say so. */
static int sources_read_input(cli_sources *sources, size_t *length)
{
    const size_t limit = (size_t)1 << 30;
    size_t used = 0, room = 0;
    for (int idle = 0;; ++idle) {
        if (used == room) {
            room = room ? room * 2 : 65536;
            char *grown = room <= 2 * limit ? realloc(sources->input, room) : NULL;
            if (!grown) {
                fputs("levy: standard input is too long\n", stderr);
                return CLI_EXIT_INPUT;
            }
            sources->input = grown;
        }
        const ssize_t got = read(STDIN_FILENO, sources->input + used, room - used);
        if (got == 0) break;
        if (got > 0) used += (size_t)got;
        if (got > 0) idle = 0;
        if (used == 65536 && memchr(sources->input, 0, used)) break;
        if (got < 0 && (errno != EINTR || idle == CLI_IDLE)) {
            cli_say("levy: cannot read standard input: %s\n", strerror(errno));
            return CLI_EXIT_OUTPUT;
        }
    }
    *length = used;
    return 0;
}

static int sources_add(cli_sources *sources, const char *file)
{
    levy_source *const source = &sources->items[sources->count];
    *source = (levy_source){.name = file};
    if (strcmp(file, "-") == 0) {
        if (sources->input) return cli_usage_error("standard input (-) can be read only once");
        const int code = sources_read_input(sources, &source->length);
        if (code) return code;
        source->name = "<stdin>";
        source->text = sources->input;
        source->folder = ".";
    }
    sources->count++;
    return 0;
}

/* ---- The market of --market ---- */

/* Whether a file says that it is a book, with models perhaps, and not the data of a market alone.
 */
static bool sources_is_book(const char *path)
{
    static const char mark[] = "schema_version";
    enum { ROOM = 65536 };
    char *const text = malloc(ROOM);
    FILE *const file = text ? fopen(path, "rb") : NULL;
    bool found = !file; /* the library says why a file cannot be read */
    size_t kept = 0;
    while (file && !found) {
        const size_t got = fread(text + kept, 1, ROOM - kept, file);
        if (got == 0) break;
        found = memmem(text, kept + got, mark, sizeof mark - 1) != NULL;
        kept = kept + got < sizeof mark ? kept + got : sizeof mark;
        memmove(text, text + (got < kept ? 0 : got - kept), kept);
    }
    if (file) fclose(file);
    free(text);
    return found;
}

static const char sources_head[] = "{schema_version: 1, market: {file: '";

/* Writes a book that refers to a file, whose quotes are doubled. Returns its length. */
static size_t sources_refer(char *text, const char *name)
{
    size_t used = sizeof sources_head - 1;
    memcpy(text, sources_head, used);
    for (const char *c = name; *c; ++c) {
        if (*c == '\'') text[used++] = '\'';
        text[used++] = *c;
    }
    memcpy(text + used, "'}}", 4);
    return used + 3;
}

/* Data of a market alone stand in a book that refers to them, a text made here. */
static int sources_add_market(cli_sources *sources, const char *path)
{
    if (strcmp(path, "-") == 0 || sources_is_book(path)) return sources_add(sources, path);
    const char *const slash = strrchr(path, '/');
    const char *const name = slash ? slash + 1 : path;
    const size_t folder = slash && slash != path ? (size_t)(slash - path) : 1;
    const size_t size = 2 * strlen(path) + sizeof sources_head + 8;
    sources->market = malloc(size);
    sources->folder = slash ? strndup(path, folder) : strdup(".");
    if (!sources->market || !sources->folder) {
        fputs("levy: out of memory\n", stderr);
        return CLI_EXIT_MEMORY;
    }
    const size_t length = sources_refer(sources->market, name);
    sources->items[sources->count++] = (levy_source){
        .name = "--market", .text = sources->market, .length = length, .folder = sources->folder};
    return 0;
}

int cli_sources_open(cli_sources *sources, const cli_options *options, char *const *files, size_t n)
{
    *sources = (cli_sources){.items = calloc(n + 1, sizeof *sources->items)};
    int code = sources->items ? 0 : CLI_EXIT_MEMORY;
    if (code) fputs("levy: out of memory\n", stderr);
    for (size_t i = 0; !code && i < n; ++i) code = sources_add(sources, files[i]);
    if (!code && options->market) code = sources_add_market(sources, options->market);
    return code;
}

void cli_sources_close(cli_sources *sources)
{
    free(sources->items);
    free(sources->input);
    free(sources->market);
    free(sources->folder);
    *sources = (cli_sources){0};
}
