/* quote_file.c: the calibration of a book, and its quotes from a file of comma-separated values,
 * whose rows become the nodes that YAML would give. See collect.h. */
#include "engine/problem/collect.h"

#include "engine/document/csv.h"

#include <string.h>

/* A file of quotes under way. */
typedef struct quote_file {
    levy_collection *collection;
    levy_csv csv;
    levy_csv_cell keys[LEVY_CSV_COLUMNS]; /* the first row */
    size_t n_keys;
    levy_raw_smile_quote *quotes;
    size_t n, room;
} quote_file;

/* ---- Rows ---- */

/* The row as a map of its cells; an empty cell is a key that is left out. NULL: no memory. */
static const levy_node *quote_node(quote_file *f)
{
    levy_check *const build = f->collection->build;
    levy_node *const nodes = levy_check_allocate(build, 2 * f->n_keys + 1, sizeof *nodes);
    levy_node *last = NULL;
    if (!nodes) return NULL;
    nodes[0] = (levy_node){.place = f->csv.cells[0].place, .kind = LEVY_NODE_MAP, .text = ""};
    for (size_t i = 0; i < f->n_keys; ++i) {
        const levy_csv_cell *const cell = &f->csv.cells[i], *const key = &f->keys[i];
        levy_node *const value = &nodes[2 * i + 1], *const name = value + 1;
        if (cell->length == 0) continue;
        *name = (levy_node){.place = cell->place, .text = key->text, .length = key->length};
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
    if (f->csv.n != f->n_keys)
        return LEVY_REFUSE(build, SYNTAX, &place, "calibration.file",
                           "Put a cell that holds a comma in quotes.",
                           "the row has %zu cells; the first row has %zu", f->csv.n, f->n_keys);
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

static void quote_rows(quote_file *f)
{
    if (!quote_next(f)) return;
    f->n_keys = f->csv.n;
    memcpy(f->keys, f->csv.cells, f->n_keys * sizeof *f->keys);
    while (quote_next(f)) (void)quote_row(f);
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
    quote_rows(f);
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
    if (!raw->file == !raw->quotes.node) {
        LEVY_REFUSE(build, INCONSISTENT, raw->node, "calibration",
                    "Write quotes: [{expiry: 1.0, strike: 100, volatility: 0.2}], or file: "
                    "quotes.csv.",
                    raw->file ? "'quotes' and 'file' are both given" : "missing key 'quotes'");
        return;
    }
    if (raw->file) quote_load(collection, raw, base);
}
