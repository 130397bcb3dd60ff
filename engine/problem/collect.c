/* collect.c: see collect.h. Trades and settings are read by hand from the book's table: each trade
 * with its own number on every fault, the settings once, after overrides are in. */
#include "engine/problem/collect.h"

#include "engine/base/hash.h"
#include "engine/problem/file_kinds.h"

#include "engine/schema/trades_csv.h"

#include <string.h>

/* What a document holds. Trades and settings are still nodes. */
typedef struct collect_raw {
    levy_raw_book book;
    levy_list trades; /* of const levy_node * */
    const levy_node *simulation, *measures;
} collect_raw;

void levy_collect_hash(levy_collection *collection, const char *text, size_t length)
{
    collection->fingerprint = XXH3_64bits_withSeed(text, length, collection->fingerprint);
}

/* Reads the documents of a text. False if there are none. */
static bool collect_parse(levy_collection *collection, const char *name, uint32_t order,
                          const char *text, size_t length, levy_document *document)
{
    levy_check *build = collection->build;
    const char *kept = levy_check_text(build, "%s", name);
    const size_t first = build->faults->count;
    const bool csv = levy_trades_csv_is(kept);
    const levy_status status =
        csv ? levy_trades_csv_read(kept, order, text, length, build->kinds, build->arena,
                                   build->faults, document)
            : levy_document_read(kept, order, text, length, &levy_limits_default, build->arena,
                                 build->faults, document);
    if (csv) collection->csv = kept;
    if (status == LEVY_MEMORY) build->out_of_memory = true;
    for (size_t i = first; i < build->faults->count; ++i)
        if (csv ? document->n_roots == 0
                : build->faults->items[i].reason != LEVY_REASON_DUPLICATE_KEY)
            build->broken = true; /* documents are missing */
    if (status == LEVY_OK && document->n_roots == 0) {
        const levy_node node = {
            .place = {.file = kept, .file_order = order, .line = 1, .column = 1}};
        LEVY_REFUSE(build, MISSING_KEY, &node, "",
                    csv ? "`levy new csv` prints a file to start from."
                        : "Start from an example in configs/.",
                    "the file is empty");
        build->broken = true;
    }
    return document->n_roots > 0;
}

bool levy_collect_documents(levy_collection *collection, const char *name, uint32_t order,
                            const char *text, size_t length, levy_document *document)
{
    levy_collect_hash(collection, text, length);
    return collect_parse(collection, name, order, text, length, document);
}

/* ---- The parts of a document ---- */

void levy_collect_date(levy_collection *collection, levy_date date, const levy_node *root)
{
    levy_check *build = collection->build;
    if (date == INT32_MIN) return;
    const levy_node *node = levy_check_at(root, "valuation_date");
    if (!build->has_date) {
        build->has_date = true;
        build->valuation = date;
        build->valuation_place = node->place;
    } else if (build->valuation != date) {
        const levy_place *first = &build->valuation_place;
        LEVY_REFUSE(build, INCONSISTENT, node, "valuation_date",
                    "Price books of different days in separate runs.",
                    "differs from the valuation date at %s:%u:%u", first->file,
                    (unsigned)first->line, (unsigned)first->column);
    }
}

/* Takes a block that may occur once in all files. */
static void collect_once(levy_check *build, const levy_node *node, const char *path,
                         const levy_node **kept)
{
    if (!node) return;
    if (!*kept) {
        *kept = node;
        return;
    }
    const levy_place *first = &(*kept)->key->place;
    LEVY_REFUSE(build, DUPLICATE_KEY, node->key, path,
                "Keep one of the two; it applies to the whole book.",
                "'%s' is already given at %s:%u:%u", path, first->file, (unsigned)first->line,
                (unsigned)first->column);
}

/* Those of a document without trades are for any book. */
static void collect_models(levy_collection *collection, const levy_list *models, const char *base,
                           bool shared)
{
    const levy_variant_value *items = models->items;
    for (size_t i = 0; i < models->count; ++i) {
        const char *name = levy_check_key(items[i].node);
        if (items[i].value)
            levy_collect_shocks(collection, levy_model_kinds[items[i].kind], items[i].value,
                                levy_check_text(collection->build, "models.%s", name), base);
        levy_market_define(collection->build, &collection->market.model_map, name, items[i].node,
                           levy_check_text(collection->build, "models.%s", name), &items[i],
                           shared);
    }
}

static bool collect_room(levy_collection *collection)
{
    return LEVY_CHECK_GROW(collection->build, collection->trades, collection->n_trades,
                           collection->capacity, 64);
}

static void collect_trades(levy_collection *collection, const levy_list *trades)
{
    levy_check *build = collection->build;
    const levy_node *const *nodes = trades->items;
    for (size_t i = 0; i < trades->count; ++i) {
        levy_raw_trade *raw = levy_check_allocate(build, 1, sizeof *raw);
        if (!raw || !collect_room(collection)) return;
        const char *path = levy_check_text(build, "trades[%zu]", i);
        const size_t errors = build->faults->errors;
        build->trade = (int64_t)collection->n_trades;
        const levy_reader reader = levy_build_reader(build);
        const bool good = levy_read_object(&reader, &levy_trade_table, nodes[i], path, raw);
        levy_collected_trade *legs = NULL;
        size_t n_legs = 0;
        const bool whole = good && levy_collect_legs(build, raw, path, &legs, &n_legs);
        build->trade = -1;
        collection->trade_errors += build->faults->errors - errors;
        collection->trades[collection->n_trades++] = (levy_collected_trade){
            .raw = raw, .node = nodes[i], .path = path, .good = whole, .n_legs = n_legs};
        for (size_t k = 0; k < n_legs; ++k) {
            if (!collect_room(collection)) return;
            collection->trades[collection->n_trades++] = legs[k];
        }
    }
}

/* ---- A document ---- */

/* The book's table, in which the three keys that are read by hand are nodes. */
static void collect_fields(levy_field *fields, size_t room)
{
    size_t n = 0;
    for (const levy_field *from = levy_book_table.fields; from->name && n + 1 < room; ++from, ++n) {
        fields[n] = *from;
        if (strcmp(from->name, "trades") == 0) {
            fields[n].element = LEVY_FIELD_NODE;
            fields[n].offset = offsetof(collect_raw, trades);
        } else if (strcmp(from->name, "simulation") == 0 || strcmp(from->name, "measures") == 0) {
            fields[n].type = LEVY_FIELD_NODE;
            fields[n].offset = offsetof(collect_raw, measures);
            if (from->name[0] == 's') fields[n].offset = offsetof(collect_raw, simulation);
        }
    }
    fields[n] = (levy_field){0};
}

static void collect_document(levy_collection *collection, const levy_node *root, const char *base)
{
    enum { MOST_FIELDS = 32 };
    levy_check *build = collection->build;
    levy_field fields[MOST_FIELDS];
    collect_raw *raw = levy_check_allocate(build, 1, sizeof *raw);
    if (!raw) return;
    collect_fields(fields, MOST_FIELDS);
    levy_table table = levy_book_table;
    table.fields = fields;
    table.size = sizeof *raw;
    levy_reader reader = levy_build_reader(build);
    const levy_node *const date = levy_node_find(root, "valuation_date");
    reader.is_dated = build->has_date || date;
    if (!build->has_date && date && date->kind == LEVY_NODE_SCALAR)
        (void)levy_date_read(date->text, date->length, &reader.valuation);
    levy_read_object(&reader, &table, root, "", raw);
    if (root->kind != LEVY_NODE_MAP) return;
    const char *const name = root->place.file;
    const bool takes_date = !levy_trades_csv_is(name) && name[0] != '-'; /* a file's name */
    if (takes_date && !collection->book) collection->book = name;
    levy_collect_date(collection, raw->book.valuation_date, root);
    if (raw->book.market.file) levy_collect_market_file(collection, &raw->book.market, base);
    levy_market_add(build, &collection->market, &raw->book.market, "market.", false);
    collect_models(collection, &raw->book.models, base, !levy_node_find(root, "trades"));
    if (raw->simulation && !collection->simulation)
        levy_collect_net(collection, raw->simulation, base);
    collect_once(build, raw->simulation, "simulation", &collection->simulation);
    collect_once(build, raw->measures, "measures", &collection->measures);
    collect_once(build, raw->book.scenarios.node, "scenarios", &collection->scenarios.node);
    collect_once(build, levy_node_find(root, "report_currency"), "report_currency",
                 &collection->report_currency);
    if (raw->book.scenarios.node && collection->scenarios.node == raw->book.scenarios.node)
        collection->scenarios = raw->book.scenarios;
    if (raw->book.calibration.node)
        levy_collect_calibration(collection, &raw->book.calibration, base);
    collect_trades(collection, &raw->trades);
}

/* ---- All inputs ---- */

/* The kinds of an input, whose documents are kept for its turn. Trades of CSV are read then, when
 * their keys are known. */
static void collect_kinds(levy_collection *collection, const levy_input *input, uint32_t order,
                          levy_document *document)
{
    const bool alone = order >= collection->n_inputs - collection->references.n_kinds;
    collection->allow_links = input->allow_links;
    if (levy_trades_csv_is(input->name) ||
        !collect_parse(collection, input->name, order, input->text, input->length, document))
        return;
    for (size_t i = 0; i < document->n_roots; ++i) {
        if (alone || levy_kinds_is(document->roots[i]))
            levy_kinds_add(collection, document->roots[i]);
        else
            levy_kinds_add_files(collection, document->roots[i], input->base);
    }
}

static void collect_input(levy_collection *collection, const levy_input *input, uint32_t order,
                          levy_document *document)
{
    const bool alone = order >= collection->n_inputs - collection->references.n_kinds;
    collection->allow_links = input->allow_links;
    levy_collect_hash(collection, input->name, strlen(input->name));
    levy_collect_hash(collection, input->text, input->length);
    if (levy_trades_csv_is(input->name))
        collect_parse(collection, input->name, order, input->text, input->length, document);
    for (size_t i = 0; i < document->n_roots; ++i)
        if (!alone && !levy_kinds_is(document->roots[i]))
            collect_document(collection, document->roots[i], input->base);
}

bool levy_collect_inputs(levy_collection *collection, const levy_input *inputs, size_t n)
{
    levy_check *const build = collection->build;
    levy_document *const documents = levy_check_allocate(build, n, sizeof *documents);
    for (size_t i = 0; i < n && !build->out_of_memory; ++i)
        collect_kinds(collection, &inputs[i], (uint32_t)i, &documents[i]);
    for (size_t i = 0; i < n && !build->out_of_memory; ++i)
        collect_input(collection, &inputs[i], (uint32_t)i, &documents[i]);
    return !build->out_of_memory;
}
