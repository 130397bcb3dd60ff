/* trades_csv.c: see trades_csv.h. */
#include "engine/schema/trades_csv.h"

#include "engine/base/date.h"
#include "engine/base/number.h"
#include "engine/document/csv.h"
#include "engine/schema/book.h"
#include "engine/schema/csv_columns.h"

#include <string.h>
#include <strings.h>

bool levy_trades_csv_is(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcasecmp(name + length - 4, ".csv") == 0;
}

typedef struct csv_trades {
    levy_csv csv;
    levy_columns columns;
    uint32_t rows;
    levy_node *trades, *last;
} csv_trades;

/* ---- Nodes ---- */

static levy_node *csv_node(csv_trades *t, levy_node_kind kind, const levy_place *place)
{
    levy_node *const node = levy_arena_allocate(t->csv.arena, 1, sizeof *node);
    if (node) *node = (levy_node){.place = *place, .kind = kind, .text = ""};
    return node;
}

static levy_node *csv_scalar(csv_trades *t, const levy_place *place, const char *text,
                             size_t length)
{
    levy_node *const node = csv_node(t, LEVY_NODE_SCALAR, place);
    if (!node) return NULL;
    node->text = levy_arena_copy_text(t->csv.arena, text, length);
    node->length = (uint32_t)length;
    return node->text ? node : NULL;
}

/* The nodes are this file's own until they are handed out. */
static levy_node *csv_own(const levy_node *node)
{
    levy_node *own;
    memcpy(&own, &node, sizeof own);
    return own;
}

static void csv_append(levy_node *parent, levy_node *child)
{
    levy_node *last = csv_own(parent->children);
    while (last && last->next) last = csv_own(last->next);
    if (last)
        last->next = child;
    else
        parent->children = child;
    parent->count++;
}

/* The map under a key of another, made where it is not there. */
static levy_node *csv_map(csv_trades *t, levy_node *parent, const levy_place *place,
                          const char *key)
{
    const levy_node *const found = levy_node_find(parent, key);
    if (found) return csv_own(found);
    levy_node *const map = csv_node(t, LEVY_NODE_MAP, place);
    if (!map || !(map->key = csv_scalar(t, place, key, strlen(key)))) return NULL;
    csv_append(parent, map);
    return map;
}

/* ---- Cells ---- */

/* Moves what was read of a cell, as if it were a text of its own, to where the cell stands. */
static void csv_move(levy_place *place, const levy_csv_cell *cell)
{
    if (place->line == 1) place->column += cell->place.column - 1 + cell->quoted;
    place->line += cell->place.line - 1;
}

static void csv_move_nodes(levy_node *node, const levy_csv_cell *cell)
{
    csv_move(&node->place, cell);
    if (node->key) csv_move(&csv_own(node->key)->place, cell);
    for (const levy_node *child = node->children; child; child = child->next)
        csv_move_nodes(csv_own(child), cell);
}

/* A cell of YAML's flow style. */
static levy_status csv_flow(csv_trades *t, const levy_csv_cell *cell, levy_node **node)
{
    levy_document document = {0};
    levy_fault_list *const faults = t->csv.faults;
    const size_t first = faults->count;
    const levy_status status =
        levy_document_read(cell->place.file, cell->place.file_order, cell->text, cell->length,
                           &levy_limits_default, t->csv.arena, faults, &document);
    for (size_t i = first; i < faults->count; ++i) csv_move(&faults->items[i].place, cell);
    if (status != LEVY_OK || document.n_roots == 0) return status;
    if (document.n_roots > 1) {
        levy_fault_add(faults, LEVY_REASON_SYNTAX, &cell->place, "", "Write {a: b}, or [a, b].",
                       "a cell holds one value, and this one has a second document");
        return LEVY_OK;
    }
    *node = csv_own(document.roots[0]);
    csv_move_nodes(*node, cell);
    return LEVY_OK;
}

static levy_status csv_list(csv_trades *t, const levy_csv_cell *cell, levy_node **node)
{
    levy_node *const list = csv_node(t, LEVY_NODE_LIST, &cell->place);
    if (!list) return LEVY_MEMORY;
    for (const char *at = cell->text, *const end = at + cell->length; at < end;) {
        const char *mark = memchr(at, ';', (size_t)(end - at));
        if (!mark) mark = end;
        const char *from = at, *to = mark;
        while (from < to && *from == ' ') ++from;
        while (to > from && to[-1] == ' ') --to;
        levy_place place = cell->place;
        place.column += (uint32_t)(from - cell->text) + cell->quoted;
        levy_node *const item = csv_scalar(t, &place, from, (size_t)(to - from));
        if (!item) return LEVY_MEMORY;
        if (to > from || mark < end) csv_append(list, item);
        at = mark + 1;
    }
    *node = list;
    return LEVY_OK;
}

/* A date by itself among those of an exercise. A whole number may be a count of dates. */
static bool csv_is_date(const levy_column *column, const levy_csv_cell *cell)
{
    levy_date date;
    double years;
    if (column->field->table != &levy_schedule_table || strcmp(column->field->name, "dates") != 0)
        return false;
    return levy_date_read(cell->text, cell->length, &date) ||
           (memchr(cell->text, '.', cell->length) &&
            levy_number_read(cell->text, cell->length, &years) == LEVY_NUMBER_OK);
}

static levy_status csv_value(csv_trades *t, const levy_column *column, const levy_csv_cell *cell,
                             levy_node **node)
{
    *node = NULL;
    const bool text = column->field->type == LEVY_FIELD_TEXT;
    if (!text && (cell->text[0] == '{' || cell->text[0] == '[')) return csv_flow(t, cell, node);
    if (!text && (column->is_list || strchr(cell->text, ';') || csv_is_date(column, cell)))
        return csv_list(t, cell, node);
    *node = csv_scalar(t, &cell->place, cell->text, cell->length);
    return *node ? LEVY_OK : LEVY_MEMORY;
}

/* ---- Rows ---- */

static levy_status csv_cell_into(csv_trades *t, const levy_column *column,
                                 const levy_csv_cell *cell, levy_node *row)
{
    levy_node *parent = row, *value;
    LEVY_TRY(csv_value(t, column, cell, &value));
    if (!value) return LEVY_OK; /* refused */
    for (size_t i = 0; i + 1 < column->n_keys; ++i) {
        parent = csv_map(t, parent, &cell->place, column->keys[i]);
        if (!parent) return LEVY_MEMORY;
    }
    const char *const key = column->keys[column->n_keys - 1];
    value->key = csv_scalar(t, &cell->place, key, strlen(key));
    if (!value->key) return LEVY_MEMORY;
    csv_append(parent, value);
    return LEVY_OK;
}

static levy_status csv_row(csv_trades *t)
{
    levy_csv *const csv = &t->csv;
    if (csv->n != t->columns.n) {
        levy_fault_add(csv->faults, LEVY_REASON_SYNTAX, &csv->cells[0].place, "",
                       "Put a cell that holds a comma in quotes.",
                       "the row has %zu cells; the first row has %zu", csv->n, t->columns.n);
        return LEVY_OK;
    }
    for (size_t i = 0; i < csv->n; ++i)
        if (!t->columns.items[i].field && csv->cells[i].length > 0)
            levy_fault_add(csv->faults, LEVY_REASON_SYNTAX, &csv->cells[i].place, "",
                           "Name the column in the first row, or empty the cell.",
                           "the cell's column has no name");
    levy_node *const row = csv_node(t, LEVY_NODE_MAP, &csv->cells[0].place);
    if (!row) return LEVY_MEMORY;
    for (size_t i = 0; i < csv->n; ++i)
        if (t->columns.items[i].field && csv->cells[i].length > 0)
            LEVY_TRY(csv_cell_into(t, &t->columns.items[i], &csv->cells[i], row));
    if (t->last)
        t->last->next = row;
    else
        t->trades->children = row;
    t->last = row;
    t->trades->count++;
    return LEVY_OK;
}

/* The book: its version and the trades. */
static levy_status csv_book(csv_trades *t, const levy_place *place, levy_document *document)
{
    levy_node *const book = csv_node(t, LEVY_NODE_MAP, place);
    levy_node *const version = csv_scalar(t, place, "1", 1);
    t->trades = csv_node(t, LEVY_NODE_LIST, place);
    const levy_node **const roots = levy_arena_allocate(t->csv.arena, 1, sizeof *roots);
    if (!book || !version || !t->trades || !roots) return LEVY_MEMORY;
    version->key = csv_scalar(t, place, "schema_version", strlen("schema_version"));
    t->trades->key = csv_scalar(t, place, "trades", strlen("trades"));
    if (!version->key || !t->trades->key) return LEVY_MEMORY;
    csv_append(book, version);
    csv_append(book, t->trades);
    roots[0] = book;
    *document = (levy_document){roots, 1};
    return LEVY_OK;
}

static levy_status csv_read(csv_trades *t, levy_document *document)
{
    LEVY_TRY(levy_csv_next(&t->csv));
    if (t->csv.n == 0) return LEVY_OK;
    const levy_place place = t->csv.cells[0].place;
    const size_t errors = t->csv.faults->errors;
    LEVY_TRY(levy_columns_read(&t->columns, &t->csv));
    if (t->csv.faults->errors > errors) return LEVY_INPUT; /* rows would lack what was refused */
    LEVY_TRY(csv_book(t, &place, document));
    for (;;) {
        LEVY_TRY(levy_csv_next(&t->csv));
        if (t->csv.n == 0) break;
        LEVY_TRY(csv_row(t));
    }
    /* no row is right: that there are no trades is no fault of its own */
    if (t->trades->count == 0 && t->csv.faults->errors > errors) *document = (levy_document){0};
    return LEVY_OK;
}

levy_status levy_trades_csv_read(const char *file, uint32_t file_order, const char *text,
                                 size_t length, const levy_more_kinds *kinds, levy_arena *arena,
                                 levy_fault_list *faults, levy_document *document)
{
    const size_t errors = faults->errors;
    csv_trades *const t = levy_arena_allocate(arena, 1, sizeof *t);
    *document = (levy_document){0};
    if (!t) return LEVY_MEMORY;
    t->columns.table = &levy_trade_table;
    t->columns.kinds = kinds;
    levy_csv_begin(&t->csv, file, file_order, text, length, arena, faults);
    const levy_status status = csv_read(t, document);
    return status == LEVY_OK && faults->errors > errors ? LEVY_INPUT : status;
}
