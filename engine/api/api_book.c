/* api_book.c: files and texts to a book. See levy.h. */
#include "engine/api/api_twice.h"

#include "engine/book/plan_cache.h"
#include "engine/base/beneath.h"

#include "engine/base/io.h"
#include "engine/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct book_loading {
    levy_context *context;
    levy_arena *arena; /* of the inputs' names */
    levy_input *inputs;
    char **texts; /* [input] of the files read, to be released */
    size_t n;
    levy_references references;
} book_loading;

static const char book_not_regular[] = "it is not a regular file",
                  book_leads_out[] = "a symbolic link leads out of the folder";

/* Looks for a file that the user may have meant: the same name with the ending .yaml or .yml, in
 * place of its own ending or after it. */
static bool book_is_nearly(const char *name, char *near, size_t room)
{
    static const char *const endings[] = {".yaml", ".yml"};
    const char *const ending = strrchr(name, '.'), *const slash = strrchr(name, '/');
    const size_t stem =
        ending && (!slash || ending > slash) ? (size_t)(ending - name) : strlen(name);
    const size_t stems[] = {stem, strlen(name)};
    for (size_t i = 0; i < 4; ++i) {
        struct stat state;
        const int length = snprintf(near, room, "%.*s%s", (int)stems[i / 2], name, endings[i % 2]);
        if (length > 0 && (size_t)length < room && stat(near, &state) == 0 &&
            S_ISREG(state.st_mode))
            return true;
    }
    return false;
}

static levy_status book_fault(levy_context *context, const char *name, size_t order,
                              levy_reason reason, const char *what, const char *why)
{
    const levy_place place = {.file = name, .file_order = (uint32_t)order};
    char near[1024], hint[1100] = "";
    if (strcmp(why, strerrordesc_np(ENOENT)) == 0 && book_is_nearly(name, near, sizeof near))
        snprintf(hint, sizeof hint, "Did you mean %s?", near);
    else if (strcmp(why, book_not_regular) == 0)
        snprintf(hint, sizeof hint, "Name a file or a folder; - reads standard input.");
    else if (strcmp(why, book_leads_out) == 0)
        snprintf(hint, sizeof hint,
                 "Name the file itself. If you trust the folder, --allow-links follows "
                 "its links.");
    levy_fault_add(&context->faults, reason, &place, "", hint[0] ? hint : NULL, "%s: %s", what,
                   why);
    return reason == LEVY_REASON_MEMORY ? LEVY_MEMORY : LEVY_INPUT;
}

enum { BOOK_HEAD = 65536 };

/* Whether the first bytes of a file may be text. If not, the rest is not read: the reader finds the
 * fault in the head. */
static bool book_head_is_text(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        const size_t n = levy_text_character(text + i, length - i, &code);
        /* the head may end within a character */
        if (n == 0 && length == BOOK_HEAD && length - i < 4) return true;
        if (n == 0 || code == 0) return false;
        i += n;
    }
    return true;
}

/* Refuses a file that is larger than reading and planning may take. */
static levy_status book_read_limit(levy_context *context, const char *name, size_t order,
                                   uint64_t size)
{
    char bytes[LEVY_MEMORY_TEXT], limit[LEVY_MEMORY_TEXT], why[160];
    if (size > levy_limits_default.file_bytes)
        return book_fault(context, name, order, LEVY_REASON_LIMIT, "cannot read the file",
                          "it is larger than 1 GiB");
    if (size <= levy_memory_room(&context->planning)) return LEVY_OK;
    snprintf(why, sizeof why,
             "its text alone needs %s, which exceeds the memory limit, %s "
             "(max_memory)",
             levy_memory_text(size, bytes), levy_memory_text(context->meter.limit, limit));
    return book_fault(context, name, order, LEVY_REASON_LIMIT, "cannot read the file", why);
}

static levy_status book_read_open(levy_context *context, int descriptor, levy_input *input,
                                  char **text, size_t order)
{
    struct stat status;
    size_t used = 0;
    if (fstat(descriptor, &status) != 0)
        return book_fault(context, input->name, order, LEVY_REASON_IO, "cannot read the file",
                          strerrordesc_np(errno));
    if (!S_ISREG(status.st_mode))
        return book_fault(context, input->name, order, LEVY_REASON_IO, "cannot read the file",
                          book_not_regular);
    const uint64_t whole = status.st_size < 0 ? UINT64_MAX : (uint64_t)status.st_size;
    size_t size = whole < BOOK_HEAD ? (size_t)whole : BOOK_HEAD;
    for (;;) { /* first the head, then the whole file */
        char *const grown = levy_memory_grow(&context->memory, *text, size + 1, 1);
        if (!grown)
            return book_fault(context, input->name, order, LEVY_REASON_MEMORY,
                              "cannot read the file", "out of memory");
        *text = grown;
        size_t more;
        /* fewer bytes than asked for: the file has shrunk meanwhile */
        const int error = levy_io_read(descriptor, *text + used, size - used, &more);
        if (error)
            return book_fault(context, input->name, order, LEVY_REASON_IO, "cannot read the file",
                              strerrordesc_np(error));
        used += more;
        if (size == whole || used < size || !book_head_is_text(*text, used)) break;
        LEVY_TRY(book_read_limit(context, input->name, order, whole));
        size = (size_t)whole;
    }
    (*text)[used] = '\0';
    input->text = *text;
    input->length = used;
    return LEVY_OK;
}

/* With a `folder`, the file was found in it and must not lead out of it. NULL: the caller has named
 * the file itself. */
static int book_open(const levy_context *context, const char *name, const char *folder)
{
    const char *const slash = strrchr(name, '/');
    if (folder) return levy_open_beneath(folder, slash ? slash + 1 : name, context->allow_links);
    /* O_NONBLOCK: opening a pipe does not wait for a writer */
    const int descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

static levy_status book_read_file(levy_context *context, levy_input *input, const char *folder,
                                  char **text, size_t order)
{
    const int descriptor = book_open(context, input->name, folder);
    if (descriptor < 0)
        return book_fault(context, input->name, order, LEVY_REASON_IO, "cannot open the file",
                          descriptor == -EXDEV ? book_leads_out : strerrordesc_np(-descriptor));
    const levy_status status = book_read_open(context, descriptor, input, text, order);
    close(descriptor);
    return status;
}

/* The folder of a file's name: "." where it has none. */
static char *book_folder(levy_arena *arena, const char *name)
{
    const char *slash = strrchr(name, '/');
    if (!slash) return levy_arena_copy_text(arena, ".", 1);
    return levy_arena_copy_text(arena, name, slash == name ? 1 : (size_t)(slash - name));
}

static levy_status book_prepare(book_loading *loading, const levy_source *sources)
{
    levy_context *context = loading->context;
    levy_arena *arena = loading->arena;
    levy_status status = LEVY_OK;
    for (size_t i = 0; i < loading->n; ++i) {
        levy_input *input = &loading->inputs[i];
        input->name = levy_arena_copy_text(arena, sources[i].name, strlen(sources[i].name));
        input->allow_links = context->allow_links;
        if (!input->name) return LEVY_MEMORY;
        if (sources[i].text) {
            *input = (levy_input){input->name, sources[i].text, sources[i].length,
                                  sources[i].folder, context->allow_links};
            continue;
        }
        input->base = book_folder(arena, input->name);
        if (!input->base) return LEVY_MEMORY;
        const levy_status read =
            book_read_file(context, input, sources[i].folder, &loading->texts[i], i);
        if (read == LEVY_MEMORY) return read;
        if (read != LEVY_OK) status = read; /* the other files are tried all the same */
    }
    return status;
}

/* Nodes take more memory than their text. How much more is known only after reading has failed. */
static levy_status book_passes_limit(const book_loading *loading)
{
    levy_context *context = loading->context;
    const levy_place place = {.file = loading->n == 1 ? loading->inputs[0].name : NULL};
    char text[LEVY_MEMORY_TEXT], limit[LEVY_MEMORY_TEXT];
    size_t bytes = 0;
    for (size_t i = 0; i < loading->n; ++i) bytes += loading->inputs[i].length;
    levy_fault_add(&context->faults, LEVY_REASON_LIMIT, loading->n == 1 ? &place : NULL, "",
                   "Split the book into several runs, or raise the limit.",
                   "reading %s of text needs more than the memory limit, %s (max_memory)",
                   levy_memory_text(bytes, text), levy_memory_text(context->meter.limit, limit));
    return LEVY_INPUT;
}

static levy_status book_build(book_loading *loading, levy_book *book, const levy_source *sources,
                              const levy_setting *settings, size_t n_settings)
{
    levy_context *context = book->context;
    LEVY_TRY(book_prepare(loading, sources));
    levy_override *overrides = levy_arena_allocate(&book->arena, n_settings, sizeof *overrides);
    if (!overrides) return LEVY_MEMORY;
    for (size_t i = 0; i < n_settings; ++i)
        overrides[i] = (levy_override){settings[i].key, settings[i].value};
    const levy_status status =
        levy_quotes_read(&context->planning, loading->inputs, loading->n, overrides, n_settings,
                         &loading->references, &book->quotes);
    if (status != LEVY_OK)
        return status == LEVY_MEMORY && context->meter.over ? book_passes_limit(loading) : status;
    if (context->keep_texts) LEVY_TRY(levy_book_keep(book, loading->inputs, loading->n));
    return levy_book_refresh(book);
}

/* ---- Folders ---- */

/* Every .yaml and .yml file is a book, except hidden files and the market files that books refer
 * to. */
static bool book_is_in_folder(const char *name)
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
static void book_insert(levy_source *sources, size_t first, size_t n, levy_source source)
{
    while (n > first && strcmp(sources[n - 1].name, source.name) > 0) {
        sources[n] = sources[n - 1];
        n--;
    }
    sources[n] = source;
}

typedef struct book_sources {
    levy_source *items;
    size_t count, room;
} book_sources;

static bool book_reserve(levy_context *context, book_sources *list)
{
    levy_source *grown = levy_memory_extend(&context->memory, list->items, list->count, &list->room,
                                            16, sizeof *grown);
    if (grown) list->items = grown;
    return grown;
}

static levy_status book_list_folder(levy_context *context, levy_arena *arena, const char *name,
                                    bool kinds, size_t order, book_sources *list)
{
    const size_t first = list->count;
    DIR *folder = opendir(name);
    bool memory = true;
    if (!folder)
        return book_fault(context, name, order, LEVY_REASON_IO, "cannot open the folder",
                          strerrordesc_np(errno));
    for (struct dirent *entry; memory && (entry = readdir(folder));) {
        if (!book_is_in_folder(entry->d_name)) continue;
        const bool slash = name[strlen(name) - 1] == '/';
        const char *full =
            levy_arena_format(arena, "%s%s%s", name, slash ? "" : "/", entry->d_name);
        memory = full && book_reserve(context, list);
        if (memory)
            book_insert(list->items, first, list->count++,
                        (levy_source){.name = full, .folder = name});
    }
    closedir(folder);
    if (!memory) return LEVY_MEMORY;
    if (list->count > first) return LEVY_OK;
    return book_fault(context, name, order, LEVY_REASON_IO,
                      kinds ? "the folder contains no kinds" : "the folder contains no book",
                      "it has no *.yaml or *.yml files other than market files");
}

/* Copies the sources and replaces every folder by its books. Only these keep their `folder`, the
 * one they were found in; a file that the caller has named gets none. */
static levy_status book_expand(levy_context *context, levy_arena *arena, const levy_source *sources,
                               size_t n, bool kinds, book_sources *list)
{
    levy_status status = LEVY_OK;
    for (size_t i = 0; i < n; ++i) {
        struct stat state;
        const bool folder =
            !sources[i].text && stat(sources[i].name, &state) == 0 && S_ISDIR(state.st_mode);
        const levy_status one =
            folder ? book_list_folder(context, arena, sources[i].name, kinds, i, list)
            : book_reserve(context, list) ? LEVY_OK
                                          : LEVY_MEMORY;
        if (one == LEVY_MEMORY) return one;
        if (one != LEVY_OK) status = one;
        if (one != LEVY_OK || folder) continue;
        list->items[list->count] = sources[i];
        if (!sources[i].text) list->items[list->count].folder = NULL;
        list->count++;
    }
    return status;
}

static bool book_arguments_fit(const levy_source *sources, size_t n_sources,
                               const levy_setting *settings, size_t n_settings)
{
    if (!sources || n_sources == 0 || n_sources > UINT32_MAX || (n_settings > 0 && !settings))
        return false;
    for (size_t i = 0; i < n_sources; ++i)
        if (!sources[i].name) return false;
    for (size_t i = 0; i < n_settings; ++i)
        if (!settings[i].key || !settings[i].value) return false;
    return true;
}

/* ---- Kinds of payoffs ---- */

/* Adds the files that the context's kinds name, and those of the folders. */
static levy_status book_add_kinds(levy_context *context, levy_arena *arena, book_sources *list)
{
    levy_status status = LEVY_OK;
    for (const char *at = context->kinds; at && *at; at += *at == ':') {
        const size_t length = strcspn(at, ":");
        const levy_source source = {.name = levy_arena_copy_text(arena, at, length)};
        if (!source.name) return LEVY_MEMORY;
        const levy_status one =
            length == 0 ? LEVY_OK : book_expand(context, arena, &source, 1, true, list);
        if (one == LEVY_MEMORY) return one;
        if (one != LEVY_OK) status = one;
        at += length;
    }
    return status;
}

static bool book_loading_begin(book_loading *loading)
{
    const levy_memory *const memory = &loading->context->memory;
    const size_t n = loading->n ? loading->n : 1;
    loading->inputs = levy_memory_allocate(memory, n, sizeof *loading->inputs);
    loading->texts = levy_memory_allocate(memory, n, sizeof *loading->texts);
    return loading->inputs && loading->texts;
}

static void book_loading_end(book_loading *loading)
{
    const levy_memory *const memory = &loading->context->memory;
    for (size_t i = 0; loading->texts && i < loading->n; ++i)
        levy_memory_release(memory, loading->texts[i]);
    levy_memory_release(memory, loading->texts);
    levy_memory_release(memory, loading->inputs);
}

/* The files of the list, read for their kinds alone. */
static levy_status book_read_kinds(book_loading *loading, const levy_source *sources,
                                   levy_quotes **quotes)
{
    levy_context *const context = loading->context;
    LEVY_TRY(book_prepare(loading, sources));
    const levy_status status = levy_quotes_read(&context->planning, loading->inputs, loading->n,
                                                NULL, 0, &loading->references, quotes);
    if (status != LEVY_OK)
        return status == LEVY_MEMORY && context->meter.over ? book_passes_limit(loading) : status;
    return levy_quotes_check(*quotes, &context->faults);
}

levy_status levy_kinds_load(levy_context *context, levy_quotes **quotes)
{
    levy_arena *const arena = &context->faults.arena; /* the faults have the files' names */
    book_sources list = {.items = NULL};
    book_loading loading = {.context = context, .arena = arena};
    *quotes = NULL;
    levy_status status = book_add_kinds(context, arena, &list);
    loading.n = loading.references.n_kinds = list.count;
    if (status == LEVY_OK)
        status = book_loading_begin(&loading) ? book_read_kinds(&loading, list.items, quotes)
                                              : LEVY_MEMORY;
    book_loading_end(&loading);
    levy_memory_release(&context->memory, list.items);
    return status;
}

/* ---- Books ---- */

/* The first n_books sources are the caller's own, the others the context's kinds. */
static levy_status book_load(levy_context *context, const book_sources *sources, size_t n_books,
                             const levy_references *references, const levy_setting *settings,
                             size_t n_settings, levy_book **book)
{
    levy_book *const made = levy_memory_allocate(&context->memory, 1, sizeof *made);
    book_loading loading = {.context = context, .n = sources->count, .references = *references};
    loading.references.n_kinds = sources->count - n_books;
    levy_status status = LEVY_MEMORY;
    if (made) {
        made->context = context;
        levy_arena_init(&made->arena, &context->memory);
        levy_arena_init(&made->kept, &context->memory);
        loading.arena = &made->arena;
    }
    if (made && book_loading_begin(&loading))
        status = book_build(&loading, made, sources->items, settings, n_settings);
    const int ended = levy_call_end(context, (int)status);
    book_loading_end(&loading);
    if (ended == LEVY_STATUS_OK)
        *book = made;
    else if (made)
        levy_book_destroy(made);
    return (levy_status)ended;
}

static int book_load_all(levy_context *context, const levy_source *sources, size_t n_sources,
                         const levy_references *references, const levy_setting *settings,
                         size_t n_settings, levy_book **book)
{
    const levy_call_mode mode = levy_call_mode_enter();
    levy_arena arena;
    book_sources list = {.items = NULL};
    levy_arena_init(&arena, &context->memory);
    int status = (int)book_expand(context, &arena, sources, n_sources, false, &list);
    const size_t n_books = list.count;
    if (status == LEVY_STATUS_OK)
        status = (int)levy_sources_check_twice(context, list.items, n_books);
    /* a book of kept texts has them among its sources */
    if (status == LEVY_STATUS_OK && !references->only_given)
        status = (int)book_add_kinds(context, &arena, &list);
    if (status == LEVY_STATUS_OK)
        status = (int)book_load(context, &list, n_books, references, settings, n_settings, book);
    else
        status = levy_call_end(context, status);
    levy_memory_release(&context->memory, list.items);
    levy_arena_release(&arena);
    levy_call_mode_leave(&mode);
    return status;
}

int levy_book_load(levy_context *context, const levy_source *sources, size_t n_sources,
                   const levy_setting *settings, size_t n_settings, levy_book **book)
{
    if (book) *book = NULL;
    if (!context || !book) return levy_call_refuse(context, "book", "is NULL");
    if (!book_arguments_fit(sources, n_sources, settings, n_settings))
        return levy_call_refuse(
            context, "sources",
            "needs at least one source; each source needs a name, each setting a "
            "key and a value");
    levy_call_begin(context);
    const levy_references references = {.keep = context->keep_texts};
    return book_load_all(context, sources, n_sources, &references, settings, n_settings, book);
}

int levy_book_load_kept(levy_context *context, const levy_source *sources, size_t n_sources,
                        const levy_source *references, size_t n_references,
                        const levy_setting *settings, size_t n_settings, levy_book **book)
{
    if (book) *book = NULL;
    if (!context || !book) return levy_call_refuse(context, "book", "is NULL");
    bool whole = book_arguments_fit(sources, n_sources, settings, n_settings) &&
                 (n_references == 0 || references);
    for (size_t i = 0; whole && i < n_references; ++i)
        whole = references[i].name && references[i].text;
    if (!whole)
        return levy_call_refuse(
            context, "sources",
            "needs at least one source; each source needs a name, each reference a "
            "name and a text, each setting a key and a value");
    levy_call_begin(context);
    levy_input *given = levy_memory_allocate(&context->memory, n_references, sizeof *given);
    if (!given) return levy_call_end(context, LEVY_STATUS_MEMORY);
    for (size_t i = 0; i < n_references; ++i)
        given[i] = (levy_input){
            .name = references[i].name, .text = references[i].text, .length = references[i].length};
    const levy_references all = {given, n_references, .only_given = true,
                                 .keep = context->keep_texts};
    const int status = book_load_all(context, sources, n_sources, &all, settings, n_settings, book);
    levy_memory_release(&context->memory, given);
    return status;
}

int levy_book_load_files(levy_context *context, const char *const *paths, size_t n_paths,
                         const levy_setting *settings, size_t n_settings, levy_book **book)
{
    if (book) *book = NULL;
    if (!context || !book || !paths || n_paths == 0)
        return levy_call_refuse(context, "paths",
                                "needs at least one path, and a pointer for the book");
    levy_source *sources = levy_memory_allocate(&context->memory, n_paths, sizeof *sources);
    if (!sources) {
        levy_call_begin(context);
        return levy_call_end(context, LEVY_STATUS_MEMORY);
    }
    for (size_t i = 0; i < n_paths; ++i) sources[i].name = paths[i];
    const int status = levy_book_load(context, sources, n_paths, settings, n_settings, book);
    levy_memory_release(&context->memory, sources);
    return status;
}

int levy_book_load_text(levy_context *context, const char *name, const char *text, size_t length,
                        const levy_setting *settings, size_t n_settings, levy_book **book)
{
    if (book) *book = NULL;
    if (!text) return levy_call_refuse(context, "text", "is NULL");
    const levy_source source = {.name = name ? name : "<text>", .text = text, .length = length};
    return levy_book_load(context, &source, 1, settings, n_settings, book);
}

void levy_book_destroy(levy_book *book)
{
    if (!book) return;
    const levy_memory *memory = &book->context->memory;
    levy_plan_cache_destroy(book);
    levy_problem_destroy(book->problem);
    levy_quotes_destroy(book->quotes);
    levy_arena_release(&book->arena);
    levy_arena_release(&book->kept);
    levy_memory_release(memory, book);
}

size_t levy_book_size(const levy_book *book) { return book ? book->problem->n_trades : 0; }

const levy_source *levy_book_source(const levy_book *book, size_t index)
{
    return book && index < book->n_sources ? &book->sources[index] : NULL;
}

const levy_source *levy_book_reference(const levy_book *book, size_t index)
{
    return book && index < book->n_references ? &book->references[index] : NULL;
}
