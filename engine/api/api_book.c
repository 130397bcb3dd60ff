/* api_book.c: files and texts to a book. See levy.h. */
#include "engine/api/api_file.h"
#include "engine/api/api_twice.h"

#include "engine/book/plan_cache.h"

#include <string.h>

typedef struct book_loading {
    levy_context *context;
    levy_arena *arena; /* of the inputs' names */
    levy_input *inputs;
    char **texts; /* [input] of the files read, to be released */
    size_t n;
    levy_references references;
} book_loading;

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
            levy_file_read(context, input, sources[i].folder, &loading->texts[i], i);
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
                   "Split the book into several runs, or raise the limit. Files that it names "
                   "count, too.",
                   "reading %s of text needs more than the memory limit, %s (max_memory)",
                   levy_memory_text(bytes, text), levy_memory_text(context->meter.limit, limit));
    return LEVY_INPUT;
}

static levy_status book_read(book_loading *loading, const levy_source *sources,
                             const levy_override *overrides, size_t n_overrides,
                             levy_quotes **quotes)
{
    levy_context *const context = loading->context;
    LEVY_TRY(book_prepare(loading, sources));
    const levy_status status =
        levy_quotes_read(&context->planning, loading->inputs, loading->n, overrides, n_overrides,
                         &loading->references, quotes);
    return status == LEVY_MEMORY && context->meter.over ? book_passes_limit(loading) : status;
}

static levy_status book_build(book_loading *loading, levy_book *book, const levy_source *sources,
                              const levy_setting *settings, size_t n_settings)
{
    levy_override *overrides = levy_arena_allocate(&book->arena, n_settings, sizeof *overrides);
    if (!overrides) return LEVY_MEMORY;
    for (size_t i = 0; i < n_settings; ++i)
        overrides[i] = (levy_override){settings[i].key, settings[i].value};
    LEVY_TRY(book_read(loading, sources, overrides, n_settings, &book->quotes));
    if (book->context->keep_texts) LEVY_TRY(levy_book_keep(book, loading->inputs, loading->n));
    return levy_book_refresh(book);
}

static bool book_arguments_fit(const levy_source *sources, size_t n_sources,
                               const levy_setting *settings, size_t n_settings)
{
    if (!levy_sources_fit(sources, n_sources) || (n_settings > 0 && !settings)) return false;
    for (size_t i = 0; i < n_settings; ++i)
        if (!settings[i].key || !settings[i].value) return false;
    return true;
}

/* ---- Kinds of payoffs ---- */

/* Adds the files that the context's kinds name, and those of the folders. */
static levy_status book_add_kinds(levy_context *context, levy_arena *arena, levy_source_list *list)
{
    levy_status status = LEVY_OK;
    for (const char *at = context->kinds; at && *at; at += *at == ':') {
        const size_t length = strcspn(at, ":");
        const levy_source source = {.name = levy_arena_copy_text(arena, at, length)};
        if (!source.name) return LEVY_MEMORY;
        const levy_status one =
            length == 0 ? LEVY_OK : levy_sources_expand(context, arena, &source, 1, true, list);
        if (one == LEVY_MEMORY) return one;
        if (one != LEVY_OK) status = one;
        at += length;
    }
    return status;
}

/* Lists the sources, those of folders too, and behind them, if wanted, the context's kinds. */
static levy_status book_list(levy_context *context, levy_arena *arena, const levy_source *sources,
                             size_t n, bool kinds, levy_source_list *list, size_t *n_books)
{
    LEVY_TRY(levy_sources_expand(context, arena, sources, n, false, list));
    *n_books = list->count;
    LEVY_TRY(levy_sources_check_twice(context, list->items, *n_books));
    return kinds ? book_add_kinds(context, arena, list) : LEVY_OK;
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

/* Reads the list, of which the first n_books are no kinds. */
static levy_status book_read_list(levy_context *context, const levy_source_list *list,
                                  size_t n_books, levy_quotes **quotes)
{
    /* the faults have the files' names */
    book_loading loading = {.context = context, .arena = &context->faults.arena, .n = list->count};
    loading.references.n_kinds = list->count - n_books;
    const levy_status status = book_loading_begin(&loading)
                                   ? book_read(&loading, list->items, NULL, 0, quotes)
                                   : LEVY_MEMORY;
    book_loading_end(&loading);
    return status;
}

levy_status levy_kinds_load(levy_context *context, levy_quotes **quotes)
{
    levy_source_list list = {.items = NULL};
    *quotes = NULL;
    levy_status status = book_add_kinds(context, &context->faults.arena, &list);
    if (status == LEVY_OK) status = book_read_list(context, &list, 0, quotes);
    levy_memory_release(&context->memory, list.items);
    return status == LEVY_OK ? levy_quotes_check(*quotes, &context->faults) : status;
}

levy_status levy_quotes_load(levy_context *context, const levy_source *sources, size_t n,
                             levy_quotes **quotes)
{
    levy_source_list list = {.items = NULL};
    size_t n_books = 0;
    *quotes = NULL;
    levy_status status =
        book_list(context, &context->faults.arena, sources, n, true, &list, &n_books);
    if (status == LEVY_OK) status = book_read_list(context, &list, n_books, quotes);
    levy_memory_release(&context->memory, list.items);
    return status;
}

/* ---- Books ---- */

/* The first n_books sources are the caller's own, the others the context's kinds. */
static levy_status book_load(levy_context *context, const levy_source_list *sources, size_t n_books,
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
    levy_arena arena;
    levy_source_list list = {.items = NULL};
    size_t n_books = 0;
    levy_arena_init(&arena, &context->memory);
    /* a book of kept texts has its kinds among its sources */
    int status = (int)book_list(context, &arena, sources, n_sources, !references->only_given, &list,
                                &n_books);
    if (status == LEVY_STATUS_OK)
        status = (int)book_load(context, &list, n_books, references, settings, n_settings, book);
    else
        status = levy_call_end(context, status);
    levy_memory_release(&context->memory, list.items);
    levy_arena_release(&arena);
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
