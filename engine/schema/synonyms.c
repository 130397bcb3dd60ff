/* synonyms.c: see synonyms.h. Must not know: the meaning of any key. */
#include "engine/schema/synonyms.h"

#include "engine/schema/example.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Whether a list of words with blanks between them has the word. */
static bool synonym_has(const char *words, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = words; at && *at && n > 0; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (length == n && strncmp(at, word, n) == 0) return true;
        at += length;
    }
    return false;
}

const levy_field *levy_synonym_field(const levy_table *table, const char *word)
{
    for (const levy_field *field = table->fields; field && field->name; ++field)
        if (synonym_has(field->also, word)) return field;
    return NULL;
}

const char *levy_synonym_kind(const levy_table *table, const char *word, const char **map)
{
    for (const levy_variant *variant = table->variants; variant && variant->kind; ++variant)
        for (const levy_synonym *s = variant->table->synonyms; s && s->word; ++s)
            if (strcmp(s->word, word) == 0) {
                *map = s->map;
                return variant->kind;
            }
    return NULL;
}

const char *levy_synonym_value(const levy_field *field, const char *word)
{
    for (const levy_synonym *s = field->words; s && s->word; ++s)
        if (strcasecmp(s->word, word) == 0) return s->map;
    return NULL;
}

/* ---- Elsewhere ---- */

enum { SYNONYM_DEPTH = 6, SYNONYM_PATH = 160 };

/* A search through the tables, among the fields that people know by several words: others have
 * names such as `file` or `nodes`, which tell nothing where they belong. */
typedef struct synonym_search {
    const char *key;
    bool words; /* look for the words of fields, not for their names */
    const levy_table *table;
    const levy_field *field; /* NULL: not found yet */
    const char *kind;        /* of the variant where it was found; NULL: none */
    char path[SYNONYM_PATH]; /* of the table where it was found */
} synonym_search;

static void synonym_look(synonym_search *search, const levy_table *table, const char *path,
                         int depth);

/* Looks into the tables below. */
static void synonym_descend(synonym_search *search, const levy_table *table, const char *path,
                            int depth)
{
    for (const levy_field *field = table->fields; field && field->name && !search->field; ++field) {
        char below[SYNONYM_PATH];
        if (!field->table) continue;
        const int n = snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", field->name);
        if (n > 0 && (size_t)n < sizeof below) synonym_look(search, field->table, below, depth + 1);
    }
    for (const levy_variant *v = table->variants; v && v->kind && !search->field; ++v) {
        synonym_look(search, v->table, path, depth + 1);
        if (search->table == v->table) search->kind = v->kind;
    }
}

static void synonym_look(synonym_search *search, const levy_table *table, const char *path,
                         int depth)
{
    if (depth > SYNONYM_DEPTH) return;
    for (const levy_field *field = table->fields; field && field->name && *path; ++field) {
        const bool found = search->words ? synonym_has(field->also, search->key)
                                         : strcmp(field->name, search->key) == 0;
        if (!found || !field->also) continue;
        search->table = table;
        search->field = field;
        snprintf(search->path, sizeof search->path, "%s", path);
        return;
    }
    synonym_descend(search, table, path, depth);
}

const char *levy_synonym_elsewhere(const levy_reader *reader, const levy_table *table,
                                   const char *key, const levy_node *value)
{
    synonym_search search = {.key = key};
    for (int pass = 0; pass < 4 && !search.field; ++pass) {
        search.words = pass % 2 != 0;
        synonym_look(&search, pass < 2 ? table : &levy_book_table, "", 0);
    }
    if (!search.field) return NULL;
    const char *const line = levy_example_line(reader, search.table, search.field, value);
    const char *const of = search.kind ? " of kind " : "";
    const char *const write = line ? ": write " : "";
    const char *const kind = search.kind ? search.kind : "";
    const char *const hint = levy_arena_format(reader->arena, "It belongs under %s%s%s%s%s.",
                                               search.path, of, kind, write, line ? line : "");
    if (!hint) levy_reader_no_memory(reader);
    return hint;
}
