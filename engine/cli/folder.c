/* folder.c: see folder.h. */
#include "engine/cli/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Takes the name over; NULL: there was no memory for it. */
static int files_add(cli_files *files, char *name)
{
    if (name && files->count == files->room) {
        const size_t room = files->room ? 2 * files->room : 32;
        char **const grown = realloc(files->names, room * sizeof *grown);
        if (grown) files->names = grown;
        if (grown) files->room = room;
    }
    if (!name || files->count == files->room) {
        free(name);
        return cli_no_memory();
    }
    files->names[files->count++] = name;
    return 0;
}

/* The rule of levy_source: *.yaml and *.yml, not hidden, not the market files that books refer to.
 */
static bool files_is_book(const char *name)
{
    const char *const ending = strrchr(name, '.');
    if (name[0] == '.' || !ending || (strcmp(ending, ".yaml") != 0 && strcmp(ending, ".yml") != 0))
        return false;
    const size_t stem = (size_t)(ending - name);
    return !((stem == 6 || (stem > 7 && name[stem - 7] == '.')) &&
             strncmp(ending - 6, "market", 6) == 0);
}

static int files_compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A link may lead anywhere, and the folder may be a stranger's. */
static int files_take(cli_files *files, const cli_options *options, const char *folder,
                      const char *name)
{
    struct stat state;
    const bool slash = folder[strlen(folder) - 1] == '/';
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *const full = malloc(size);
    if (!full) return cli_no_memory();
    snprintf(full, size, "%s%s%s", folder, slash ? "" : "/", name);
    const bool link = lstat(full, &state) == 0 && S_ISLNK(state.st_mode);
    if (!link || options->allow_links) return files_add(files, full);
    cli_say("levy: %s is a symbolic link\nhint: Name the file itself. If you trust the folder, "
            "--allow-links follows its links.\n",
            full);
    free(full);
    return CLI_EXIT_INPUT;
}

static int files_add_folder(cli_files *files, const cli_options *options, const char *folder)
{
    DIR *const walk = opendir(folder);
    const size_t first = files->count;
    int code = 0;
    if (!walk) {
        cli_say("levy: cannot open the folder %s: %s\n", folder, strerror(errno));
        return CLI_EXIT_INPUT;
    }
    for (const struct dirent *entry; !code && (entry = readdir(walk)) != NULL;)
        if (files_is_book(entry->d_name)) code = files_take(files, options, folder, entry->d_name);
    closedir(walk);
    if (code) return code;
    if (files->count > first) {
        qsort(files->names + first, files->count - first, sizeof *files->names, files_compare);
        return 0;
    }
    cli_say("levy: the folder %s contains no book: it has no *.yaml or *.yml files other than "
            "market files\n",
            folder);
    return CLI_EXIT_INPUT;
}

int cli_files_list(cli_files *files, const cli_options *options)
{
    struct stat state;
    *files = (cli_files){0};
    int code = 0;
    for (size_t i = 0; !code && i < options->n_operands; ++i) {
        const char *const name = options->operands[i];
        const bool folder = stat(name, &state) == 0 && S_ISDIR(state.st_mode);
        code = folder ? files_add_folder(files, options, name) : files_add(files, strdup(name));
    }
    return code;
}

void cli_files_release(cli_files *files)
{
    for (size_t i = 0; i < files->count; ++i) free(files->names[i]);
    free(files->names);
    *files = (cli_files){0};
}
