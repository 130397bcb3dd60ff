/* market_file.c: files that a book names, and `market: FILE`. A name is relative to the file that holds it and stays below its
 * folder: books come from strangers, and must not make the engine open what they like. See collect.h. */
#include "engine/problem/collect.h"

#include "engine/base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is wrong with the name, or NULL. */
static const char *market_file_objection(const char *name)
{
    if (name[0] == '\0') return "is empty";
    if (strstr(name, "://")) return "is a URL";
    if (name[0] == '/' || name[0] == '~') return "is an absolute path";
    if (strchr(name, '\\')) return "holds a backslash";
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        const size_t length = strcspn(part, "/");
        if (length == 2 && strncmp(part, "..", 2) == 0) return "leaves the folder through '..'";
    }
    return NULL;
}

static bool market_file_refuse(levy_build *build, const levy_node *node, const char *path, const char *name, const char *large, int error)
{
    if (error == ENOENT)
        return LEVY_REFUSE(build, IO, node, path, "The name is relative to the file that it stands in.",
                           "there is no file '%s'", name);
    if (error == EFBIG)
        return LEVY_REFUSE(build, LIMIT, node, path, large,
                           "the file '%s' is larger than %zu bytes", name, levy_limits_default.file_bytes);
    return LEVY_REFUSE(build, IO, node, path, "Name a regular file that can be read.", "the file '%s' cannot be read",
                       name);
}

/* 0, or an errno. Regular files only: a pipe would block, a device never end. */
static int market_file_size(int file, size_t *size)
{
    struct stat state;
    if (fstat(file, &state) != 0) return errno;
    if (!S_ISREG(state.st_mode)) return EINVAL;
    if ((uint64_t)state.st_size > levy_limits_default.file_bytes) return EFBIG;
    *size = (size_t)state.st_size;
    return 0;
}

/* The whole file in memory of the caller's allocator; 0, or an errno. */
static int market_file_load(const levy_memory *memory, const char *name, char **text, size_t *length)
{
    const int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    size_t size = 0;
    *text = NULL;
    *length = 0;
    if (file < 0) return errno;
    int error = market_file_size(file, &size);
    if (error == 0 && !(*text = levy_memory_allocate(memory, size + 1, 1))) error = ENOMEM;
    if (error == 0) error = levy_io_read(file, *text, size, length);
    close(file);
    return error;
}

/* The keys of `market` at the top, or under `market`. */
static void market_file_document(levy_collection *collection, const levy_node *root)
{
    levy_build *build = collection->build;
    const levy_reader reader = levy_build_reader(build);
    if (levy_node_find(root, "market")) {
        levy_raw_book *raw = levy_build_allocate(build, 1, sizeof *raw);
        if (!raw) return;
        levy_read_object(&reader, &levy_market_book_table, root, "", raw);
        levy_collect_date(collection, raw->valuation_date, root);
        levy_market_add(build, &collection->market, &raw->market, "market.", true);
        return;
    }
    levy_raw_market *raw = levy_build_allocate(build, 1, sizeof *raw);
    if (!raw) return;
    levy_read_object(&reader, &levy_market_alone_table, root, "", raw);
    levy_market_add(build, &collection->market, raw, "", true);
}

const char *levy_collect_name(levy_collection *collection, const levy_node *node, const char *path, const char *name, const char *base,
                              const char *instead)
{
    levy_build *build = collection->build;
    const char *objection = market_file_objection(name);
    if (objection) {
        LEVY_REFUSE(build, UNSUPPORTED, node, path, "Name a file beside this one, or in a folder below.",
                    "the reference %s: '%s'", objection, name);
        return NULL;
    }
    if (!base) {
        LEVY_REFUSE(build, UNSUPPORTED, node, path, instead, "a text that is no file cannot refer to '%s'", name);
        return NULL;
    }
    const bool here = base[0] == '\0' || strcmp(base, ".") == 0;
    const bool slash = !here && base[strlen(base) - 1] == '/';
    return levy_build_text(build, "%s%s%s", here ? "" : base, here || slash ? "" : "/", name);
}

char *levy_collect_load(levy_collection *collection, const levy_node *node, const char *path, const char *full, const char *large,
                        size_t *length)
{
    levy_build *build = collection->build;
    char *text;
    const int error = market_file_load(build->arena->memory, full, &text, length);
    if (error == 0) return text;
    levy_memory_release(build->arena->memory, text);
    if (error == ENOMEM)
        build->out_of_memory = true;
    else
        market_file_refuse(build, node, path, full, large, error);
    return NULL;
}

static void market_file_read(levy_collection *collection, const char *full, const levy_node *node, const char *path)
{
    levy_build *build = collection->build;
    levy_document document = {0};
    size_t length = 0;
    char *const text = levy_collect_load(collection, node, path, full, "Split the market over several files.", &length);
    if (!text)
        build->broken = true;
    else if (levy_collect_documents(collection, full, (uint32_t)(collection->n_inputs + collection->files.count), text, length, &document))
        for (size_t i = 0; i < document.n_roots; i++) market_file_document(collection, document.roots[i]);
    levy_memory_release(build->arena->memory, text);
}

void levy_collect_market_file(levy_collection *collection, const levy_raw_market *raw, const char *base)
{
    levy_build *build = collection->build;
    const levy_node *node = levy_build_at(raw->node, "file");
    const char *path = raw->node->kind == LEVY_NODE_MAP ? "market.file" : "market";
    const char *full = levy_collect_name(collection, node, path, raw->file, base, "Write the market data into the text itself.");
    if (!full) {
        build->broken = true;
        return;
    }
    if (levy_names_find(&collection->files, full) != LEVY_NO_NAME) return; /* two books may share it */
    if (levy_names_add(&collection->files, build->arena, full) == LEVY_NO_NAME)
        build->out_of_memory = true;
    else
        market_file_read(collection, full, node, path);
}
