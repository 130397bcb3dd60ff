/* market_file.c: files that a book names, and `market: FILE`. A name is relative to the file that
 * holds it and stays below its folder, links or not: books come from strangers, and must not make
 * the engine open what they like. See collect.h. */
#include "engine/base/beneath.h"
#include "engine/problem/collect.h"

#include "engine/base/io.h"

#include <errno.h>
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
    if (strchr(name, '\\')) return "contains a backslash";
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        const size_t length = strcspn(part, "/");
        if (length == 2 && strncmp(part, "..", 2) == 0) return "leaves the folder with '..'";
    }
    return NULL;
}

static bool market_file_refuse(levy_check *build, const levy_node *node, const char *path,
                               const char *name, const char *large, int error)
{
    if (error == ENOENT)
        return LEVY_REFUSE(build, IO, node, path,
                           "The path is relative to the file that contains it.",
                           "there is no file '%s'", name);
    if (error == EXDEV)
        return LEVY_REFUSE(build, UNSUPPORTED, node, path,
                           "Replace the link by the file. If you trust the book, --allow-links "
                           "follows its links.",
                           "a symbolic link leads '%s' out of the folder", name);
    if (error == EFBIG)
        return LEVY_REFUSE(build, LIMIT, node, path, large,
                           "the file '%s' is larger than %zu bytes", name,
                           levy_limits_default.file_bytes);
    return LEVY_REFUSE(build, IO, node, path, "Name a regular file that can be read.",
                       "the file '%s' cannot be read", name);
}

/* Returns 0 or an errno. Only regular files are read: a pipe would block, and a device might never
 * end. */
static int market_file_size(int file, size_t *size)
{
    struct stat state;
    if (fstat(file, &state) != 0) return errno;
    if (!S_ISREG(state.st_mode)) return EINVAL;
    if ((uint64_t)state.st_size > levy_limits_default.file_bytes) return EFBIG;
    *size = (size_t)state.st_size;
    return 0;
}

/* Reads the whole file into memory of the caller's allocator. Returns 0 or an errno. */
static int market_file_load(const levy_memory *memory, const levy_named_file *named, bool links,
                            char **text, size_t *length)
{
    const int file = levy_open_beneath(named->base, named->name, links);
    size_t size = 0;
    *text = NULL;
    *length = 0;
    if (file < 0) return -file;
    int error = market_file_size(file, &size);
    if (error == 0 && !(*text = levy_memory_allocate(memory, size + 1, 1))) error = ENOMEM;
    if (error == 0) error = levy_io_read(file, *text, size, length);
    close(file);
    return error;
}

/* Reads a document of a market file, with the keys of `market` at the top or under `market`. */
static void market_file_document(levy_collection *collection, const levy_node *root)
{
    levy_check *build = collection->build;
    const levy_reader reader = levy_build_reader(build);
    if (levy_node_find(root, "market")) {
        levy_raw_book *raw = levy_check_allocate(build, 1, sizeof *raw);
        if (!raw) return;
        levy_read_object(&reader, &levy_market_book_table, root, "", raw);
        if (!collection->book) collection->book = root->place.file;
        levy_collect_date(collection, raw->valuation_date, root);
        levy_market_add(build, &collection->market, &raw->market, "market.", true);
        return;
    }
    levy_raw_market *raw = levy_check_allocate(build, 1, sizeof *raw);
    if (!raw) return;
    levy_read_object(&reader, &levy_market_alone_table, root, "", raw);
    levy_market_add(build, &collection->market, raw, "", true);
}

bool levy_collect_name(levy_collection *collection, const levy_node *node, const char *path,
                       const char *name, const char *base, const char *instead,
                       levy_named_file *file)
{
    levy_check *build = collection->build;
    const char *objection = market_file_objection(name);
    if (objection)
        return LEVY_REFUSE(build, UNSUPPORTED, node, path,
                           "Name a file in the folder of this file, or in a folder below it.",
                           "the reference %s: '%s'", objection, name);
    if (!base)
        return LEVY_REFUSE(build, UNSUPPORTED, node, path, instead,
                           "a text that is not a file cannot refer to the file '%s'", name);
    const bool here = base[0] == '\0' || strcmp(base, ".") == 0;
    const bool slash = !here && base[strlen(base) - 1] != '/';
    const char *const folder = here ? "" : base;
    *file =
        (levy_named_file){.base = here ? "." : base,
                          .name = name,
                          .full = levy_check_text(build, "%s%s%s", folder, slash ? "/" : "", name)};
    return true;
}

/* Copies the text that stands for a file. Returns 0 or an errno. */
static int market_file_given(const levy_memory *memory, const levy_references *references,
                             const char *name, char **text, size_t *length)
{
    *text = NULL;
    *length = 0;
    for (size_t i = 0; i < references->n_given; ++i) {
        const levy_input *given = &references->given[i];
        if (strcmp(given->name, name) != 0) continue;
        *text = levy_memory_allocate(memory, given->length + 1, 1);
        if (!*text) return ENOMEM;
        memcpy(*text, given->text, given->length);
        *length = given->length;
        return 0;
    }
    return ENOENT;
}

static bool market_file_room(levy_collection *collection)
{
    return LEVY_CHECK_GROW(collection->build, collection->kept, collection->kept_names.count,
                           collection->kept_room, 4);
}

/* Keeps each file once, because several lists of shocks may read the same. */
static void market_file_keep(levy_collection *collection, const char *name, const char *text,
                             size_t length)
{
    levy_check *build = collection->build;
    if (levy_names_find(&collection->kept_names, name) != LEVY_NO_NAME ||
        !market_file_room(collection))
        return;
    const char *copy = levy_arena_copy_text(build->arena, text, length);
    const size_t place =
        copy ? levy_names_add(&collection->kept_names, build->arena, name) : LEVY_NO_NAME;
    if (place == LEVY_NO_NAME)
        build->out_of_memory = true;
    else
        collection->kept[place] =
            (levy_input){collection->kept_names.items[place], copy, length, NULL, false};
}

void levy_collect_read(levy_collection *collection, const char *name)
{
    levy_check *const build = collection->build;
    if (levy_names_find(&collection->read, name) == LEVY_NO_NAME &&
        levy_names_add(&collection->read, build->arena, name) == LEVY_NO_NAME)
        build->out_of_memory = true;
}

char *levy_collect_load(levy_collection *collection, const levy_node *node, const char *path,
                        const levy_named_file *file, const char *large, size_t *length)
{
    levy_check *build = collection->build;
    const levy_memory *memory = build->arena->memory;
    const levy_references *references = &collection->references;
    char *text;
    const int error = references->only_given
                          ? market_file_given(memory, references, file->full, &text, length)
                          : market_file_load(memory, file, collection->allow_links, &text, length);
    if (error == 0) levy_collect_read(collection, file->full);
    if (error == 0 && references->keep) market_file_keep(collection, file->full, text, *length);
    if (error == 0) return text;
    levy_memory_release(build->arena->memory, text);
    if (error == ENOMEM)
        build->out_of_memory = true;
    else
        market_file_refuse(build, node, path, file->full, large, error);
    return NULL;
}

static void market_file_read(levy_collection *collection, const levy_named_file *file,
                             const levy_node *node, const char *path, const levy_file_use *use)
{
    levy_check *build = collection->build;
    levy_document document = {0};
    size_t length = 0;
    char *const text = levy_collect_load(collection, node, path, file, use->large, &length);
    const uint32_t order = (uint32_t)(collection->n_inputs + collection->files.count);
    if (!text)
        build->broken = true;
    else if (levy_collect_documents(collection, file->full, order, text, length, &document))
        for (size_t i = 0; i < document.n_roots; ++i) use->take(collection, document.roots[i]);
    levy_memory_release(build->arena->memory, text);
}

void levy_collect_file(levy_collection *collection, const levy_node *node, const char *path,
                       const char *name, const char *base, const levy_file_use *use)
{
    levy_check *build = collection->build;
    levy_named_file file;
    if (!levy_collect_name(collection, node, path, name, base, use->instead, &file)) {
        build->broken = true;
        return;
    }
    /* two books may share it */
    if (levy_names_find(&collection->files, file.full) != LEVY_NO_NAME) return;
    if (levy_names_add(&collection->files, build->arena, file.full) == LEVY_NO_NAME)
        build->out_of_memory = true;
    else
        market_file_read(collection, &file, node, path, use);
}

void levy_collect_market_file(levy_collection *collection, const levy_raw_market *raw,
                              const char *base)
{
    static const levy_file_use use = {"Write the market data into the text itself.",
                                      "Split the market over several files.", market_file_document};
    const char *const path = raw->node->kind == LEVY_NODE_MAP ? "market.file" : "market";
    levy_collect_file(collection, levy_check_at(raw->node, "file"), path, raw->file, base, &use);
}
