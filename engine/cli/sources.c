/* sources.c: see sources.h. */
#include "engine/cli/sources.h"

#include "engine/cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- What is read once ---- */

/* The number of the descriptor whose name a path is; -1: it is no such name. */
static int sources_number(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdin") == 0) return STDIN_FILENO;
    for (size_t k = 0; k < sizeof folders / sizeof *folders; ++k) {
        const size_t n = strlen(folders[k]), digits = strlen(path) > n ? strlen(path + n) : 0;
        if (strncmp(path, folders[k], n) == 0 && digits > 0 && digits < 7 &&
            strspn(path + n, "0123456789") == digits)
            return atoi(path + n);
    }
    return -1;
}

int cli_sources_descriptor(const char *path)
{
    struct stat state;
    if (strcmp(path, "-") == 0) return STDIN_FILENO;
    const int number = sources_number(path);
    return number >= 0 && fstat(number, &state) == 0 && S_ISFIFO(state.st_mode) ? number : -1;
}

/* Reads all of a descriptor, up to 1 GiB as of a file. It stops after 64 KiB if there is a zero
 * byte in them: that is not text, and the loader will say so. */
static int sources_read(const char *name, int descriptor, char **text, size_t *length)
{
    const size_t limit = (size_t)1 << 30;
    size_t used = 0, room = 0;
    for (int idle = 0;; ++idle) {
        if (used == room) {
            room = room ? room * 2 : 65536;
            char *grown = room <= 2 * limit ? realloc(*text, room) : NULL;
            if (!grown) {
                cli_say("levy: %s is too long\n", name);
                return CLI_EXIT_INPUT;
            }
            *text = grown;
        }
        const ssize_t got = read(descriptor, *text + used, room - used);
        if (got == 0) break;
        if (got > 0) used += (size_t)got;
        if (got > 0) idle = 0;
        if (used == 65536 && memchr(*text, 0, used)) break;
        if (got < 0 && (errno != EINTR || idle == CLI_IDLE)) {
            cli_say("levy: cannot read %s: %s\n", name, strerror(errno));
            return CLI_EXIT_OUTPUT;
        }
    }
    *length = used;
    return 0;
}

static int sources_add(cli_sources *sources, const char *file)
{
    levy_source *const source = &sources->items[sources->count];
    char **const text = &sources->texts[sources->count];
    const int descriptor = cli_sources_descriptor(file);
    const bool input = strcmp(file, "-") == 0;
    *source = (levy_source){.name = input ? "<stdin>" : file};
    if (descriptor >= 0) {
        for (size_t i = 0; i < sources->count; ++i)
            if (sources->texts[i] && strcmp(sources->items[i].name, source->name) == 0)
                return cli_usage_error("%s can be read only once",
                                       input ? "standard input (-)" : file);
        const int code =
            sources_read(input ? "standard input" : file, descriptor, text, &source->length);
        if (code) return code;
        source->text = *text;
        source->folder = ".";
    }
    sources->count++;
    return 0;
}

/* ---- The market of --market ---- */

/* Whether a file has the words, in pieces that overlap. */
static bool sources_has(FILE *file, const char *words)
{
    enum { ROOM = 65536 };
    const size_t length = strlen(words);
    char *const text = malloc(ROOM);
    bool found = !text;
    size_t kept = 0;
    while (!found) {
        const size_t got = fread(text + kept, 1, ROOM - kept, file), n = kept + got;
        if (got == 0) break;
        found = memmem(text, n, words, length) != NULL;
        kept = n < length ? n : length - 1;
        memmove(text, text + n - kept, kept);
    }
    free(text);
    return found;
}

/* Whether a file says that it is a book, with models perhaps, and not the data of a market alone.
 * So does one that the library refuses, and says why: no regular file, or one that is too large. */
static bool sources_is_book(const char *path)
{
    struct stat state;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool readable = descriptor >= 0 && fstat(descriptor, &state) == 0 &&
                          S_ISREG(state.st_mode) && state.st_size <= (off_t)1 << 30;
    FILE *const file = readable ? fdopen(descriptor, "rb") : NULL;
    const bool book = !file || sources_has(file, "schema_version");
    if (file)
        fclose(file);
    else if (descriptor >= 0)
        close(descriptor);
    return book;
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
    if (cli_sources_descriptor(path) >= 0 || sources_is_book(path))
        return sources_add(sources, path);
    const char *const slash = strrchr(path, '/');
    const char *const name = slash ? slash + 1 : path;
    const size_t folder = slash && slash != path ? (size_t)(slash - path) : 1;
    const size_t size = 2 * strlen(path) + sizeof sources_head + 8;
    sources->market = malloc(size);
    sources->folder = slash ? strndup(path, folder) : strdup(".");
    if (!sources->market || !sources->folder) return cli_no_memory();
    const size_t length = sources_refer(sources->market, name);
    sources->items[sources->count++] = (levy_source){
        .name = "--market", .text = sources->market, .length = length, .folder = sources->folder};
    return 0;
}

int cli_sources_open(cli_sources *sources, const cli_options *options, char *const *files, size_t n)
{
    *sources = (cli_sources){.items = calloc(n + 1, sizeof *sources->items),
                             .texts = calloc(n + 1, sizeof *sources->texts)};
    int code = sources->items && sources->texts ? 0 : CLI_EXIT_MEMORY;
    sources->room = code ? 0 : n + 1;
    if (code) (void)cli_no_memory();
    for (size_t i = 0; !code && i < n; ++i) code = sources_add(sources, files[i]);
    if (!code && options->market) code = sources_add_market(sources, options->market);
    return code;
}

void cli_sources_close(cli_sources *sources)
{
    for (size_t i = 0; i < sources->room; ++i) free(sources->texts[i]);
    free(sources->items);
    free(sources->texts);
    free(sources->market);
    free(sources->folder);
    *sources = (cli_sources){0};
}
