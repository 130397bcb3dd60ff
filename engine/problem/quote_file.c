/* quote_file.c: the calibration of a book, and its quotes from a file of comma-separated values,
 * whose rows become the nodes that YAML would give. See collect.h. */
#include "engine/problem/collect.h"

#include "engine/document/csv.h"
#include "engine/schema/csv_columns.h"

#include <string.h>

/* A file of quotes under way. */
typedef struct quote_file {
    levy_collection *collection;
    levy_csv csv;
    levy_columns columns; /* of the first row */
    levy_raw_smile_quote *quotes;
    size_t n, room;
} quote_file;

/* ---- Rows ---- */

/* The row as a map of its cells; an empty cell is a key that is left out. NULL: no memory. */
static const levy_node *quote_node(quote_file *f)
{
    levy_check *const build = f->collection->build;
    levy_node *const nodes = levy_check_allocate(build, 2 * f->csv.n + 1, sizeof *nodes);
    levy_node *last = NULL;
    if (!nodes) return NULL;
    nodes[0] = (levy_node){.place = f->csv.cells[0].place, .kind = LEVY_NODE_MAP, .text = ""};
    for (size_t i = 0; i < f->csv.n; ++i) {
        const levy_csv_cell *const cell = &f->csv.cells[i];
        const char *const key = f->columns.items[i].path;
        levy_node *const value = &nodes[2 * i + 1], *const name = value + 1;
        if (cell->length == 0) continue;
        *name = (levy_node){.place = cell->place, .text = key, .length = (uint32_t)strlen(key)};
        *value = (levy_node){
            .place = cell->place, .text = cell->text, .length = cell->length, .key = name};
        if (last)
            last->next = value;
        else
            nodes[0].children = value;
        last = value;
        nodes[0].count++;
    }
    return nodes;
}

static bool quote_row(quote_file *f)
{
    levy_check *const build = f->collection->build;
    const levy_node place = {.place = f->csv.cells[0].place};
    if (f->csv.n != f->columns.n)
        return LEVY_REFUSE(build, SYNTAX, &place, "calibration.file",
                           "Put a cell that holds a comma in quotes.",
                           "the row has %zu cells; the first row has %zu", f->csv.n, f->columns.n);
    for (size_t i = 0; i < f->csv.n; ++i)
        if (!f->columns.items[i].field && f->csv.cells[i].length > 0)
            return LEVY_REFUSE(build, SYNTAX, &place, "calibration.file",
                               "Name the column in the first row, or empty the cell.",
                               "the column of '%s' has no name", f->csv.cells[i].text);
    const levy_node *const node = quote_node(f);
    if (!node || !LEVY_CHECK_GROW(build, f->quotes, f->n, f->room, 64)) return false;
    const levy_reader reader = levy_build_reader(build);
    const char *const path = levy_check_text(build, "calibration.quotes[%zu]", f->n);
    return levy_read_object(&reader, &levy_smile_quote_table, node, path, &f->quotes[f->n++]);
}

/* False: there is no further row, or it cannot be read. */
static bool quote_next(quote_file *f)
{
    const levy_status status = levy_csv_next(&f->csv);
    if (status == LEVY_MEMORY) f->collection->build->out_of_memory = true;
    return status == LEVY_OK && f->csv.n > 0;
}

/* The first row. False: it has a column that is none, or there is no row. */
static bool quote_columns(quote_file *f)
{
    if (!quote_next(f)) return false;
    const size_t errors = f->csv.faults->errors;
    const levy_status status = levy_columns_read(&f->columns, &f->csv);
    if (status == LEVY_MEMORY) f->collection->build->out_of_memory = true;
    return status == LEVY_OK && f->csv.faults->errors == errors;
}

static void quote_rows(quote_file *f, const levy_node *node)
{
    levy_check *const build = f->collection->build;
    const size_t errors = build->faults->errors;
    if (quote_columns(f))
        while (quote_next(f)) (void)quote_row(f);
    if (f->n == 0 && build->faults->errors == errors)
        LEVY_REFUSE(build, MISSING_DATA, node, "calibration.file",
                    "A first row such as expiry,strike,volatility, then a row for each quote.",
                    "the file has no quotes");
}

/* ---- The file ---- */

static void quote_load(levy_collection *collection, levy_raw_calibration *raw, const char *base)
{
    levy_check *const build = collection->build;
    const levy_node *const node = levy_check_at(raw->node, "file");
    levy_named_file file;
    size_t length = 0;
    quote_file *const f = levy_check_allocate(build, 1, sizeof *f);
    if (!f || !levy_collect_name(collection, node, "calibration.file", raw->file, base,
                                 "Write the quotes into the text itself.", &file))
        return;
    char *const text = levy_collect_load(collection, node, "calibration.file", &file,
                                         "Leave quotes out.", &length);
    if (!text) return;
    levy_collect_hash(collection, text, length);
    const uint32_t order = (uint32_t)(collection->n_inputs + collection->files.count);
    f->collection = collection;
    levy_csv_begin(&f->csv, file.full, order, text, length, build->arena, build->faults);
    f->columns.table = &levy_smile_quote_table;
    f->columns.hint = "The first row names the columns, such as expiry,strike,volatility; `levy "
                      "describe quote` lists them.";
    quote_rows(f, node);
    levy_memory_release(build->arena->memory, text);
    raw->quotes = (levy_list){.node = node, .items = f->quotes, .count = f->n};
}

void levy_collect_calibration(levy_collection *collection, levy_raw_calibration *raw,
                              const char *base)
{
    levy_check *const build = collection->build;
    if (collection->calibration) {
        const levy_place *const first = &collection->calibration->node->place;
        LEVY_REFUSE(build, DUPLICATE_KEY, raw->node, "calibration", "Keep one of the two.",
                    "'calibration' is already given at %s:%u:%u", first->file,
                    (unsigned)first->line, (unsigned)first->column);
        return;
    }
    collection->calibration = raw;
    const bool listed = levy_node_find(raw->node, "quotes") != NULL;
    if (!raw->file == !listed) {
        LEVY_REFUSE(build, INCONSISTENT, raw->node, "calibration",
                    "Write quotes: [{expiry: 1.0, strike: 100, volatility: 0.2}], or file: "
                    "quotes.csv.",
                    raw->file ? "'quotes' and 'file' are both given" : "missing key 'quotes'");
        return;
    }
    if (raw->file) quote_load(collection, raw, base);
}
