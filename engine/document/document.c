/* document.c: libyaml events to a read-only tree. One pass, an explicit stack of open lists and
 * maps, so that depth is cut off before libyaml's own cost per level can grow (it looks through all
 * open brackets for each token). Nodes come from blocks of the caller's arena; libyaml's own
 * buffers are its own. Duplicate keys are found by sorting, which no choice of keys can make
 * quadratic. Must not know: what any key means. */
#include "engine/document/document.h"

#include "engine/base/text.h"
#include "engine/document/surrogates.h"
#include "engine/document/syntax.h"

#include <stdio.h>
#include <string.h>

enum {
    DOCUMENT_DEPTH_LIMIT = 1024, /* the most that a caller may set: libyaml's cost is quadratic */
    DOCUMENT_NODE_BLOCK = 64,
    DOCUMENT_TEXT_BLOCK = 4096,
    DOCUMENT_PATH_SIZE = 256
};

const levy_limits levy_limits_default = {.depth = 32,
                                         .scalar_bytes = 64 * 1024,
                                         .key_bytes = 128,
                                         .nodes = 50000000,
                                         .file_bytes = (size_t)1 << 30};

typedef struct document_frame {
    levy_node *node, *last; /* the open list or map, its last child */
    levy_node *key;         /* the key of a map that waits for its value */
} document_frame;

typedef struct document_reader {
    levy_syntax_source source;
    levy_limits limits;
    levy_arena *arena;
    levy_fault_list *faults;
    levy_surrogates surrogates;
    yaml_parser_t parser;
    document_frame *frames;
    size_t depth;
    levy_node *block;
    size_t block_left, n_nodes;
    char *texts; /* room for short texts, side by side */
    size_t texts_left;
    const levy_node *root;
    bool incomplete; /* the open document holds an alias, so it is left out */
    size_t root_capacity;
    levy_document *document;
} document_reader;

/* The path of the innermost open list or map: "trades[0].payoff". */
static void document_path(const document_reader *reader, char path[DOCUMENT_PATH_SIZE])
{
    size_t n = 0;
    path[0] = '\0';
    for (size_t i = 1; i < reader->depth && n < DOCUMENT_PATH_SIZE; ++i) {
        const levy_node *node = reader->frames[i].node;
        const size_t left = DOCUMENT_PATH_SIZE - n;
        const char *dot = n ? "." : "";
        int written;
        if (node->key)
            written = snprintf(path + n, left, "%s%s", dot, node->key->text);
        else
            written =
                snprintf(path + n, left, "[%zu]", (size_t)reader->frames[i - 1].node->count - 1);
        n += written > 0 ? (size_t)written : 0;
    }
}

static levy_status document_refuse_limit(document_reader *reader, yaml_mark_t mark,
                                         const char *what, size_t limit, const char *hint)
{
    char path[DOCUMENT_PATH_SIZE];
    const levy_place place = levy_syntax_place(&reader->source, mark);
    document_path(reader, path);
    levy_fault_add(reader->faults, LEVY_REASON_LIMIT, &place, path, hint, "%s; the limit is %zu",
                   what, limit);
    return LEVY_INPUT;
}

static void document_refuse_feature(document_reader *reader, const levy_place *place,
                                    const char *what, const char *hint)
{
    char path[DOCUMENT_PATH_SIZE];
    document_path(reader, path);
    levy_fault_add(reader->faults, LEVY_REASON_SYNTAX, place, path, hint, "%s", what);
}

/* ---- Nodes ---- */

static levy_status document_new_node(document_reader *reader, levy_node_kind kind, yaml_mark_t mark,
                                     levy_node **node)
{
    if (reader->n_nodes >= reader->limits.nodes)
        return document_refuse_limit(reader, mark, "the file holds too many values",
                                     reader->limits.nodes, "Split the book over several files.");
    if (reader->block_left == 0) {
        reader->block =
            levy_arena_allocate(reader->arena, DOCUMENT_NODE_BLOCK, sizeof *reader->block);
        if (!reader->block) return LEVY_MEMORY;
        reader->block_left = DOCUMENT_NODE_BLOCK;
    }
    reader->block_left--;
    reader->n_nodes++;
    *node = reader->block++;
    (*node)->kind = kind;
    (*node)->place = levy_syntax_place(&reader->source, mark);
    return LEVY_OK;
}

static bool document_awaits_key(const document_reader *reader)
{
    if (reader->depth == 0) return false;
    const document_frame *frame = &reader->frames[reader->depth - 1];
    return frame->node->kind == LEVY_NODE_MAP && !frame->key;
}

static void document_attach(document_reader *reader, levy_node *node)
{
    if (reader->depth == 0) {
        reader->root = node;
        return;
    }
    document_frame *frame = &reader->frames[reader->depth - 1];
    node->key = frame->key;
    frame->key = NULL;
    if (frame->last)
        frame->last->next = node;
    else
        frame->node->children = node;
    frame->last = node;
    frame->node->count++;
}

/* Adds faults for tags and anchors. The node stays usable, so reading goes on. */
static void document_check_properties(document_reader *reader, yaml_mark_t mark,
                                      const yaml_char_t *tag, const yaml_char_t *anchor)
{
    const levy_place place = levy_syntax_place(&reader->source, mark);
    if (anchor)
        document_refuse_feature(
            reader, &place, "YAML anchors are not supported",
            "Delete the '&name', and write the value where it is used. Market data "
            "is shared by name.");
    if (tag) {
        char path[DOCUMENT_PATH_SIZE];
        document_path(reader, path);
        levy_syntax_refuse_tag(&place, path, (const char *)tag, reader->faults);
    }
}

/* ---- Scalars ---- */

/* Checks the text again, because escapes in double quotes can spell characters that a file may not
 * hold. False: a fault was added. */
static bool document_check_scalar(document_reader *reader, const levy_place *place,
                                  const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        const size_t n = levy_text_character(text + i, length - i, &code);
        if (n == 0 || (levy_text_is_hidden(code) && code != '\n' && code != '\t')) {
            char path[DOCUMENT_PATH_SIZE];
            document_path(reader, path);
            levy_fault *const fault =
                levy_fault_add(reader->faults, LEVY_REASON_SYNTAX, place, path,
                               "Delete the escape from the quoted text.",
                               "control character U+%04X is not allowed in text", (unsigned)code);
            if (fault) fault->covers = true;
            return false;
        }
        i += n;
    }
    return true;
}

/* Packs short texts into blocks: most have a few bytes, and an arena would align each to 16. */
static const char *document_keep_text(document_reader *reader, const char *text, size_t length)
{
    if (length >= DOCUMENT_TEXT_BLOCK / 8) return levy_arena_copy_text(reader->arena, text, length);
    if (reader->texts_left <= length) {
        reader->texts = levy_arena_allocate(reader->arena, DOCUMENT_TEXT_BLOCK, 1);
        if (!reader->texts) return NULL;
        reader->texts_left = DOCUMENT_TEXT_BLOCK;
    }
    char *const kept = reader->texts;
    memcpy(kept, text, length); /* the byte after it is zero already */
    reader->texts += length + 1;
    reader->texts_left -= length + 1;
    return kept;
}

static levy_status document_check_key(document_reader *reader, const yaml_event_t *event,
                                      const levy_node *key)
{
    if (key->length > reader->limits.key_bytes)
        return document_refuse_limit(
            reader, event->start_mark, "the key is too long", reader->limits.key_bytes,
            "Keys are short names. Is a ':' in a text that should be in quotes?");
    if (key->length == 0 && !key->quoted)
        document_refuse_feature(reader, &key->place, "a key is missing before ':'",
                                "Write 'key: value'.");
    if (!key->quoted && strcmp(key->text, "<<") == 0)
        document_refuse_feature(
            reader, &key->place, "YAML merge keys ('<<') are not supported",
            "Write the keys where they are used. Market data is shared by name.");
    return LEVY_OK;
}

static levy_status document_take_scalar(document_reader *reader, yaml_event_t *event)
{
    levy_node *node = NULL;
    const bool whole = levy_surrogates_join(&reader->surrogates, event);
    const char *text = (const char *)event->data.scalar.value;
    const size_t length = event->data.scalar.length;
    document_check_properties(reader, event->start_mark, event->data.scalar.tag,
                              event->data.scalar.anchor);
    if (length > reader->limits.scalar_bytes)
        return document_refuse_limit(reader, event->start_mark, "the text is too long",
                                     reader->limits.scalar_bytes,
                                     "No value needs so many bytes. Is a quote not closed?");
    LEVY_TRY(document_new_node(reader, LEVY_NODE_SCALAR, event->start_mark, &node));
    if (!whole)
        document_refuse_feature(reader, &node->place,
                                "a text has surrogate pairs beside private characters",
                                "Write characters as they are, in UTF-8, in place of escapes.");
    const bool clean = document_check_scalar(reader, &node->place, text, length);
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->literal = event->data.scalar.style == YAML_LITERAL_SCALAR_STYLE;
    node->length = clean ? (uint32_t)length : 0;
    node->text = document_keep_text(reader, text, node->length);
    if (!node->text) return LEVY_MEMORY;
    if (document_awaits_key(reader)) {
        if (!clean) return LEVY_INPUT;
        LEVY_TRY(document_check_key(reader, event, node));
        reader->frames[reader->depth - 1].key = node;
        return LEVY_OK;
    }
    document_attach(reader, node);
    return LEVY_OK;
}

/* ---- Duplicate keys ---- */

static int document_compare_keys(const levy_node *a, const levy_node *b)
{
    if (a->key->length != b->key->length) return a->key->length < b->key->length ? -1 : 1;
    return memcmp(a->key->text, b->key->text, a->key->length);
}

/* Bottom-up merge sort. It is stable: equal keys stay in the order of the file. Returns the array
 * that ends up sorted. */
static const levy_node **document_sort(const levy_node **from, const levy_node **to, size_t n)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t low = 0; low < n; low += 2 * width) {
            const size_t middle = low + width < n ? low + width : n;
            const size_t high = low + 2 * width < n ? low + 2 * width : n;
            size_t a = low, b = middle;
            for (size_t k = low; k < high; ++k) {
                const bool left =
                    a < middle && (b >= high || document_compare_keys(from[a], from[b]) <= 0);
                to[k] = left ? from[a++] : from[b++];
            }
        }
        const levy_node **swap = from;
        from = to;
        to = swap;
    }
    return from;
}

static void document_refuse_duplicate(document_reader *reader, const levy_node *first,
                                      const levy_node *again)
{
    char path[DOCUMENT_PATH_SIZE], full[DOCUMENT_PATH_SIZE + 160];
    document_path(reader, path);
    snprintf(full, sizeof full, "%s%s%.128s", path, path[0] ? "." : "", again->key->text);
    levy_fault_add(reader->faults, LEVY_REASON_DUPLICATE_KEY, &again->key->place, full,
                   "Keep one of the two.",
                   "duplicate key; its first occurrence is at line %u, column %u",
                   (unsigned)first->key->place.line, (unsigned)first->key->place.column);
}

static levy_status document_check_duplicates(document_reader *reader, const levy_node *map)
{
    const size_t n = map->count;
    if (n < 2) return LEVY_OK;
    const levy_node *few[2 * 32];
    const levy_node **nodes = few;
    if (n > 32) nodes = levy_memory_allocate(reader->arena->memory, 2 * n, sizeof *nodes);
    if (!nodes) return LEVY_MEMORY;
    size_t k = 0;
    for (const levy_node *child = map->children; child; child = child->next) nodes[k++] = child;
    const levy_node *const *sorted = document_sort(nodes, nodes + n, n);
    const levy_node *first = sorted[0];
    for (size_t i = 1; i < n; ++i) {
        if (document_compare_keys(first, sorted[i]) == 0 && first->key->length > 0)
            document_refuse_duplicate(reader, first, sorted[i]);
        else
            first = sorted[i];
    }
    if (nodes != few) levy_memory_release(reader->arena->memory, nodes);
    return LEVY_OK;
}

/* ---- Events ---- */

static levy_status document_open(document_reader *reader, const yaml_event_t *event,
                                 levy_node_kind kind)
{
    levy_node *node = NULL;
    if (kind == LEVY_NODE_MAP)
        document_check_properties(reader, event->start_mark, event->data.mapping_start.tag,
                                  event->data.mapping_start.anchor);
    else
        document_check_properties(reader, event->start_mark, event->data.sequence_start.tag,
                                  event->data.sequence_start.anchor);
    if (document_awaits_key(reader)) {
        const levy_place place = levy_syntax_place(&reader->source, event->start_mark);
        document_refuse_feature(
            reader, &place, "a list or map cannot be a key",
            "Keys are plain words. Put text that begins with a bracket in quotes.");
        return LEVY_INPUT;
    }
    if (reader->depth >= reader->limits.depth)
        return document_refuse_limit(
            reader, event->start_mark, "lists and maps are nested too deeply", reader->limits.depth,
            "No input of levy needs such depth; check the brackets and the indentation.");
    LEVY_TRY(document_new_node(reader, kind, event->start_mark, &node));
    document_attach(reader, node);
    reader->frames[reader->depth++] = (document_frame){.node = node};
    return LEVY_OK;
}

static levy_status document_close(document_reader *reader)
{
    const levy_node *node = reader->frames[reader->depth - 1].node;
    if (node->kind == LEVY_NODE_MAP) LEVY_TRY(document_check_duplicates(reader, node));
    reader->depth--;
    return LEVY_OK;
}

/* The value of an alias is not known. The document is read on to find more faults, and then left
 * out. */
static levy_status document_take_alias(document_reader *reader, const yaml_event_t *event)
{
    const levy_place place = levy_syntax_place(&reader->source, event->start_mark);
    const levy_node *key = reader->depth > 0 ? reader->frames[reader->depth - 1].key : NULL;
    reader->incomplete = true;
    if (!key || strcmp(key->text, "<<") != 0)
        document_refuse_feature(reader, &place, "YAML aliases are not supported",
                                "Write the value here. Put text that begins with * in quotes.");
    if (document_awaits_key(reader)) return LEVY_INPUT;
    levy_node *node = NULL;
    LEVY_TRY(document_new_node(reader, LEVY_NODE_SCALAR, event->start_mark, &node));
    node->text = "";
    document_attach(reader, node);
    return LEVY_OK;
}

static levy_status document_start(document_reader *reader, const yaml_event_t *event)
{
    reader->root = NULL;
    reader->incomplete = false;
    if (event->data.document_start.version_directive ||
        event->data.document_start.tag_directives.start !=
            event->data.document_start.tag_directives.end) {
        const levy_place place = levy_syntax_place(&reader->source, event->start_mark);
        levy_syntax_refuse_directive(&place, reader->faults);
    }
    return LEVY_OK;
}

static levy_status document_end(document_reader *reader)
{
    levy_document *document = reader->document;
    const levy_node *root = reader->root;
    if (!root || reader->incomplete) return LEVY_OK;
    if (root->kind == LEVY_NODE_SCALAR && root->length == 0 && !root->quoted) {
        levy_fault_add(reader->faults, LEVY_REASON_SYNTAX, &root->place, NULL,
                       "Delete the '---' that begins it, or write the document.",
                       "the document is empty");
        return LEVY_OK;
    }
    if (!LEVY_ARENA_GROW(reader->arena, document->roots, document->n_roots, reader->root_capacity,
                         4))
        return LEVY_MEMORY;
    document->roots[document->n_roots++] = root;
    return LEVY_OK;
}

static levy_status document_take(document_reader *reader, yaml_event_t *event)
{
    switch (event->type) {
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
        return LEVY_OK;
    case YAML_DOCUMENT_START_EVENT:
        return document_start(reader, event);
    case YAML_DOCUMENT_END_EVENT:
        return document_end(reader);
    case YAML_ALIAS_EVENT:
        return document_take_alias(reader, event);
    case YAML_SCALAR_EVENT:
        return document_take_scalar(reader, event);
    case YAML_SEQUENCE_START_EVENT:
        return document_open(reader, event, LEVY_NODE_LIST);
    case YAML_MAPPING_START_EVENT:
        return document_open(reader, event, LEVY_NODE_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return document_close(reader);
    }
    return LEVY_OK;
}

/* ---- The stream ---- */

static levy_status document_read_events(document_reader *reader)
{
    levy_status status = LEVY_OK;
    bool more = true, any = false;
    yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
    const char *const text =
        reader->surrogates.text ? reader->surrogates.text : reader->source.text;
    yaml_parser_set_input_string(&reader->parser, (const unsigned char *)text,
                                 reader->source.length);
    while (more && status == LEVY_OK) {
        yaml_event_t event;
        if (!yaml_parser_parse(&reader->parser, &event))
            return levy_syntax_report(&reader->source, &reader->parser, reader->faults)
                       ? LEVY_INPUT
                       : LEVY_MEMORY;
        more = event.type != YAML_STREAM_END_EVENT;
        any = any || event.type == YAML_DOCUMENT_START_EVENT;
        status = document_take(reader, &event);
        yaml_event_delete(&event);
        if (reader->faults->out_of_memory) status = LEVY_MEMORY;
    }
    if (status == LEVY_OK && !any) {
        const levy_place place = {reader->source.file, reader->source.file_order, 1, 1};
        levy_fault_add(reader->faults, LEVY_REASON_SYNTAX, &place, NULL,
                       "Write a book, or name another file. `levy describe` lists the "
                       "contents of a file.",
                       "the file is empty");
    }
    return status;
}

static levy_status document_read_stream(document_reader *reader)
{
    if (reader->source.length > reader->limits.file_bytes) {
        const levy_place place = {.file = reader->source.file,
                                  .file_order = reader->source.file_order};
        levy_fault_add(reader->faults, LEVY_REASON_LIMIT, &place, NULL,
                       "Split the book over several files.",
                       "the file is too large: %zu bytes; the limit is %zu", reader->source.length,
                       reader->limits.file_bytes);
        return LEVY_INPUT;
    }
    if (!levy_syntax_check_text(&reader->source, reader->faults)) return LEVY_INPUT;
    if (reader->limits.depth > DOCUMENT_DEPTH_LIMIT) reader->limits.depth = DOCUMENT_DEPTH_LIMIT;
    reader->frames =
        levy_memory_allocate(reader->arena->memory, reader->limits.depth, sizeof *reader->frames);
    if (!reader->frames) return LEVY_MEMORY;
    levy_status status = LEVY_MEMORY;
    if (levy_surrogates_find(&reader->surrogates, reader->arena->memory, &reader->source,
                             reader->limits.depth) &&
        yaml_parser_initialize(&reader->parser)) {
        status = document_read_events(reader);
        yaml_parser_delete(&reader->parser);
    }
    levy_surrogates_release(&reader->surrogates, reader->arena->memory);
    levy_memory_release(reader->arena->memory, reader->frames);
    return status;
}

levy_status levy_document_read(const char *file, uint32_t file_order, const char *text,
                               size_t length, const levy_limits *limits, levy_arena *arena,
                               levy_fault_list *faults, levy_document *document)
{
    const size_t errors = faults->errors;
    const bool marked = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
    const size_t mark = marked ? 3 : 0;
    document_reader reader = {
        .source = {file, file_order, text + mark, length - mark},
        .limits = limits ? *limits : levy_limits_default,
        .arena = arena,
        .faults = faults,
        .document = document,
    };
    *document = (levy_document){0};
    const levy_status status = document_read_stream(&reader);
    if (status == LEVY_MEMORY || faults->out_of_memory) return LEVY_MEMORY;
    return faults->errors > errors ? LEVY_INPUT : status;
}
