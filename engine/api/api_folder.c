/* api_folder.c: see api_file.h: folders of books. */
#include "engine/api/api_file.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Every .yaml and .yml file is a book, except hidden files and the market files that books refer
 * to. */
static bool folder_has(const char *name)
{
    const char *ending = strrchr(name, '.');
    if (name[0] == '.' || !ending || (strcmp(ending, ".yaml") != 0 && strcmp(ending, ".yml") != 0))
        return false;
    const size_t stem = (size_t)(ending - name);
    return !((stem == 6 || (stem > 7 && name[stem - 7] == '.')) &&
             strncmp(ending - 6, "market", 6) == 0);
}

/* Keeps the names sorted by bytes, whatever the locale. Insertion is fast enough: a folder holds
 * tens of files, or they come in order. */
static void folder_insert(levy_source *sources, size_t first, size_t n, levy_source source)
{
    while (n > first && strcmp(sources[n - 1].name, source.name) > 0) {
        sources[n] = sources[n - 1];
        n--;
    }
    sources[n] = source;
}

static bool folder_reserve(levy_context *context, levy_source_list *list)
{
    levy_source *grown = levy_memory_extend(&context->memory, list->items, list->count, &list->room,
                                            16, sizeof *grown);
    if (grown) list->items = grown;
    return grown;
}

static levy_status folder_list(levy_context *context, levy_arena *arena, const char *name,
                               bool kinds, size_t order, levy_source_list *list)
{
    const size_t first = list->count;
    DIR *folder = opendir(name);
    bool memory = true;
    if (!folder)
        return levy_file_fault(context, name, order, LEVY_REASON_IO, "cannot open the folder",
                               strerrordesc_np(errno));
    for (struct dirent *entry; memory && (entry = readdir(folder));) {
        if (!folder_has(entry->d_name)) continue;
        const bool slash = name[strlen(name) - 1] == '/';
        const char *full =
            levy_arena_format(arena, "%s%s%s", name, slash ? "" : "/", entry->d_name);
        memory = full && folder_reserve(context, list);
        if (memory)
            folder_insert(list->items, first, list->count++,
                          (levy_source){.name = full, .folder = name});
    }
    closedir(folder);
    if (!memory) return LEVY_MEMORY;
    if (list->count > first) return LEVY_OK;
    return levy_file_fault(context, name, order, LEVY_REASON_IO,
                           kinds ? "the folder contains no kinds" : "the folder contains no book",
                           "it has no *.yaml or *.yml files other than market files");
}

bool levy_sources_fit(const levy_source *sources, size_t n)
{
    if (!sources || n == 0 || n > UINT32_MAX) return false;
    for (size_t i = 0; i < n; ++i)
        if (!sources[i].name) return false;
    return true;
}

levy_status levy_sources_expand(levy_context *context, levy_arena *arena,
                                const levy_source *sources, size_t n, bool kinds,
                                levy_source_list *list)
{
    levy_status status = LEVY_OK;
    for (size_t i = 0; i < n; ++i) {
        struct stat state;
        const bool folder =
            !sources[i].text && stat(sources[i].name, &state) == 0 && S_ISDIR(state.st_mode);
        levy_status one = LEVY_OK;
        if (folder)
            one = folder_list(context, arena, sources[i].name, kinds, i, list);
        else if (!folder_reserve(context, list))
            one = LEVY_MEMORY;
        if (one == LEVY_MEMORY) return one;
        if (one != LEVY_OK) status = one;
        if (one != LEVY_OK || folder) continue;
        list->items[list->count] = sources[i];
        if (!sources[i].text) list->items[list->count].folder = NULL;
        list->count++;
    }
    return status;
}
