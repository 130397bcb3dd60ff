/* csv_columns.c: see csv_columns.h. */
#include "engine/schema/csv_columns.h"

#include "engine/schema/book.h"
#include "engine/schema/respell.h"
#include "engine/schema/synonyms.h"

#include <string.h>

static const levy_field columns_kind = {.name = "kind", .type = LEVY_FIELD_NAME},
                        columns_word = {.name = "", .type = LEVY_FIELD_NAME};

/* ---- A path in the tables ---- */

static const levy_field *columns_find(const levy_more_kinds *kinds, const levy_table *table,
                                      const char *path);

/* The field behind the rest of a path, which begins with a dot; "": the field itself. */
static const levy_field *columns_below(const levy_more_kinds *kinds, const levy_field *field,
                                       const char *rest)
{
    if (*rest == '\0' || field->type == LEVY_FIELD_NODE) return field;
    ++rest;
    if (field->type == LEVY_FIELD_MAP) { /* a name stands between */
        rest += strcspn(rest, ".");
        return *rest ? columns_find(kinds, field->table, rest + 1) : field;
    }
    const bool map = field->type == LEVY_FIELD_OBJECT || field->type == LEVY_FIELD_VARIANT;
    return map ? columns_find(kinds, field->table, rest) : NULL;
}

/* The field of a path in a table, or in one of its kinds. */
static const levy_field *columns_find(const levy_more_kinds *kinds, const levy_table *table,
                                      const char *path)
{
    const bool more = kinds && kinds->of == table && kinds->variants;
    const size_t n = strcspn(path, ".");
    const levy_field *found = NULL;
    if (table->variants && strcmp(path, "kind") == 0) return &columns_kind;
    for (const levy_field *field = table->fields; field && field->name && !found; ++field)
        if ((strlen(field->name) == n && strncmp(field->name, path, n) == 0) ||
            levy_respell_names(field, path, n))
            found = columns_below(kinds, field, path + n);
    for (const levy_variant *v = table->variants; v && v->kind && !found; ++v)
        found = columns_find(kinds, v->table, path);
    for (const levy_variant *v = more ? kinds->variants : NULL; v && v->kind && !found; ++v)
        if (v->table) found = columns_find(kinds, v->table, path);
    return found;
}

/* ---- A path that was meant ---- */

enum { COLUMNS_MOST_PATHS = 4096, COLUMNS_MOST_MEANT = 16 };

/* The first path whose last key is the word or is known by it, and all keys beside what was
 * written. */
typedef struct columns_search {
    const char *word; /* the last key of what was written */
    const char *base; /* the path before it */
    size_t base_length;
    const char *meant;
    levy_arena *arena;
    const char *beside[COLUMNS_MOST_PATHS + 1];
    size_t n;
} columns_search;

static void columns_visit(columns_search *search, const levy_table *table, const char *base,
                          size_t depth)
{
    const levy_field *const known = levy_synonym_field(table, search->word);
    const bool here = strlen(base) == search->base_length &&
                      strncmp(base, search->base, search->base_length) == 0;
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        const char *const path =
            levy_arena_format(search->arena, "%s%s%s", base, *base ? "." : "", field->name);
        if (!path) return;
        const bool nested = field->type == LEVY_FIELD_OBJECT || field->type == LEVY_FIELD_VARIANT;
        const bool means = field == known || strcmp(field->name, search->word) == 0;
        if (!search->meant && !nested && means) search->meant = path;
        if (!search->meant && strcmp(field->name, search->word) == 0 && field->table &&
            field->table->bare)
            search->meant =
                levy_arena_format(search->arena, "%s.%.*s", path,
                                  (int)strcspn(field->table->bare, " "), field->table->bare);
        if (!search->meant && field->type == LEVY_FIELD_VARIANT &&
            strcmp(search->word, "kind") == 0)
            search->meant = levy_arena_format(search->arena, "%s.kind", path);
        if (here && search->n < COLUMNS_MOST_PATHS) search->beside[search->n++] = field->name;
        if (nested && depth < LEVY_COLUMN_DEPTH)
            columns_visit(search, field->table, path, depth + 1);
    }
    for (const levy_variant *v = table->variants; v && v->kind; ++v)
        columns_visit(search, v->table, base, depth);
}

/* A key beside the one that was written, or the same key in another place; NULL: none is near. */
static const char *columns_meant(levy_csv *csv, const levy_table *table, const char *path)
{
    const char *const dot = strrchr(path, '.');
    columns_search *const search = levy_arena_allocate(csv->arena, 1, sizeof *search);
    if (!search) return NULL;
    search->word = dot ? dot + 1 : path;
    search->base = path;
    search->base_length = dot ? (size_t)(dot - path) : 0;
    search->arena = csv->arena;
    columns_visit(search, table, "", 0);
    const char *const near = search->meant ? NULL : levy_nearest(search->word, search->beside);
    if (!near) return search->meant;
    return levy_arena_format(csv->arena, "%.*s%s%s", (int)search->base_length, path, dot ? "." : "",
                             near);
}

/* ---- The row ---- */

static void columns_refuse(levy_csv *csv, const levy_columns *columns, const levy_csv_cell *cell)
{
    char meant[LEVY_MEANT_SIZE];
    const bool few = columns->n <= COLUMNS_MOST_MEANT;
    const char *const near = few ? columns_meant(csv, columns->table, cell->text) : NULL;
    const char *const also = strcmp(cell->text, "type") == 0
                                 ? ", or payoff.kind for european, barrier and the like"
                                 : "";
    const char *const hint =
        !columns->hint
            ? levy_arena_format(csv->arena,
                                "Write the path of a trade's key, such as %s%s. `levy new csv` "
                                "prints a file to start from.",
                                near ? near : "payoff.strike", also)
            : columns->hint;
    levy_fault_add(csv->faults, LEVY_REASON_UNKNOWN_KEY, &cell->place, cell->text, hint,
                   "unknown column%s", levy_meant(near, meant));
}

static levy_status columns_split(levy_csv *csv, const levy_columns *columns,
                                 const levy_csv_cell *cell, levy_column *column)
{
    column->path = cell->text;
    for (const char *at = cell->text; column->n_keys < LEVY_COLUMN_DEPTH;) {
        const size_t n = strcspn(at, ".");
        const char *const key = levy_arena_copy_text(csv->arena, at, n);
        if (!key) return LEVY_MEMORY;
        column->keys[column->n_keys++] = key;
        at += n;
        if (*at++ == '\0') return LEVY_OK;
    }
    column->field = NULL;
    columns_refuse(csv, columns, cell);
    return LEVY_OK;
}

/* Whether one path is the other, or leads through it. */
static bool columns_overlap(const char *a, const char *b)
{
    const size_t n = strlen(a);
    return strncmp(a, b, n) == 0 && (b[n] == '\0' || b[n] == '.');
}

static void columns_check_others(levy_csv *csv, levy_columns *columns, size_t i)
{
    levy_column *const column = &columns->items[i];
    for (size_t k = 0; k < i && column->field; ++k) {
        const levy_column *const other = &columns->items[k];
        if (!other->field || (!columns_overlap(other->path, column->path) &&
                              !columns_overlap(column->path, other->path)))
            continue;
        levy_fault_add(csv->faults, LEVY_REASON_DUPLICATE_KEY, &csv->cells[i].place, column->path,
                       "Keep one of the two columns.", "is given by the column '%s' as well",
                       other->path);
        column->field = NULL;
    }
}

/* Other programs separate by ';' or tabs. */
static levy_status columns_check_commas(const levy_columns *columns, levy_csv *csv)
{
    if (csv->n > 1 || !strpbrk(csv->cells[0].text, ";\t")) return LEVY_OK;
    levy_fault_add(csv->faults, LEVY_REASON_SYNTAX, &csv->cells[0].place, "",
                   columns->hint ? "Save the file with commas between its columns, and points in "
                                   "its numbers."
                                 : "Save the file with commas between its columns. A ';' separates "
                                   "the items of a list within a cell.",
                   "the columns are not separated by commas");
    return LEVY_INPUT;
}

levy_status levy_columns_read(levy_columns *columns, levy_csv *csv)
{
    LEVY_TRY(columns_check_commas(columns, csv));
    for (size_t i = 0; i < csv->n; ++i) {
        levy_column *const column = &columns->items[columns->n++];
        const levy_csv_cell *const cell = &csv->cells[i];
        *column = (levy_column){.field = NULL};
        if (cell->length == 0) continue; /* without a name, such as a last comma leaves */
        column->field = columns_find(columns->kinds, columns->table, cell->text);
        if (!column->field && columns->table == &levy_trade_table && levy_respell_takes(cell->text))
            column->field = &columns_word;
        if (!column->field) {
            columns_refuse(csv, columns, cell);
            continue;
        }
        column->is_list =
            column->field->type == LEVY_FIELD_LIST && !levy_field_has_numbers(column->field);
        LEVY_TRY(columns_split(csv, columns, cell, column));
        columns_check_others(csv, columns, i);
    }
    return LEVY_OK;
}
