/* api_twice.c: see api_twice.h. Without this every definition of the file would be refused as the
 * second of its name, and no message would say why. */
#include "engine/api/api_twice.h"

#include <stdlib.h>
#include <sys/stat.h>

typedef struct twice_file {
    dev_t device;
    ino_t inode;
    size_t source;
} twice_file;

/* The same files lie together, in the order of their sources. */
static int twice_compare(const void *left, const void *right)
{
    const twice_file *const a = left, *const b = right;
    if (a->device != b->device) return a->device < b->device ? -1 : 1;
    if (a->inode != b->inode) return a->inode < b->inode ? -1 : 1;
    return a->source < b->source ? -1 : 1;
}

static size_t twice_list(const levy_source *sources, size_t n, twice_file *files)
{
    size_t count = 0;
    for (size_t i = 0; i < n; ++i) {
        struct stat state;
        if (sources[i].text || stat(sources[i].name, &state) != 0 || !S_ISREG(state.st_mode))
            continue;
        files[count++] = (twice_file){state.st_dev, state.st_ino, i};
    }
    return count;
}

levy_status levy_sources_check_twice(levy_context *context, const levy_source *sources, size_t n)
{
    levy_status status = LEVY_OK;
    twice_file *const files = levy_memory_allocate(&context->memory, n, sizeof *files);
    if (!files) return LEVY_MEMORY;
    const size_t count = twice_list(sources, n, files);
    if (count > 1) qsort(files, count, sizeof *files, twice_compare);
    for (size_t i = 1, first = 0; i < count; ++i) {
        if (files[i].device != files[first].device || files[i].inode != files[first].inode) {
            first = i;
            continue;
        }
        const levy_place place = {.file = sources[files[i].source].name,
                                  .file_order = (uint32_t)files[i].source};
        levy_fault_add(&context->faults, LEVY_REASON_DUPLICATE_KEY, &place, "",
                       "Name each file once.", "this file is given twice, before as %s",
                       sources[files[first].source].name);
        status = LEVY_INPUT;
    }
    levy_memory_release(&context->memory, files);
    return status;
}
