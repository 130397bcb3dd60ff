/* fuzz_files.c: libFuzzer entry over what a desk exports: trades as comma-separated values, books
 * as JSON, market files, kinds that files define, nets, lattices and points. The first byte
 * chooses; the rest is the file's text. What it checks beside the sanitizers: a book comes exactly
 * with success, nothing is refused in silence, what can be priced is priced or says why, and a net
 * that is read has points. Must not know: the meaning of any key. */
#include "engine/levy.h"
#include "kernels/points/point_set.h"
#include "tests/fuzz.h"

#include <string.h>

enum {
    FUZZ_CSV,
    FUZZ_JSON,
    FUZZ_MARKET,
    FUZZ_KIND,
    FUZZ_NET,
    FUZZ_VECTOR,
    FUZZ_POINTS,
    FUZZ_FORMS
};

static const char fuzz_market[] =
    "{schema_version: 1, market: {curves: {USD: 0.05}, assets: {STOCK: {currency: USD, spot: 100, "
    "volatility: 0.2}, OTHER: {currency: USD, spot: 50, volatility: 0.3}}, correlations: {pairs: "
    "[[STOCK.spot, OTHER.spot, 0.5]]}}, models: {model: {kind: black_scholes, assets: [STOCK, "
    "OTHER]}}}";
static const char fuzz_trades[] = "id,underlying,payoff.kind,payoff.option_type,payoff.strike,"
                                  "exercise.expiry\na,STOCK,european,call,100,1\n";
static const char fuzz_kind_trade[] =
    "{schema_version: 1, kinds: [note.yaml], trades: [{id: a, underlyings: [STOCK, OTHER], payoff: "
    "{kind: note, calls: {count: 2}, barrier: 1.0, coupon: 0.02}, exercise: 1}]}";

static void fuzz_net(const char *text, size_t size)
{
    levy_arena arena;
    levy_net net = {0};
    levy_net_fault fault = {0};
    levy_arena_init(&arena, NULL);
    const levy_status status = levy_net_read(&arena, text, size, &net, &fault);
    if (status == LEVY_OK)
        fuzz_require(net.n_dimensions >= 1 && net.n_dimensions <= LEVY_NET_DIMENSIONS &&
                     net.n_columns >= 1 && net.n_columns <= 32 && net.numbers);
    else
        fuzz_require(status == LEVY_INPUT && fault.message[0] && fault.hint);
    levy_arena_release(&arena);
}

static void fuzz_set(const char *text, size_t size, bool points)
{
    levy_arena arena;
    levy_point_set set = {0};
    levy_net_fault fault = {0};
    levy_arena_init(&arena, NULL);
    const levy_status status = points ? levy_set_read_points(&arena, text, size, &set, &fault)
                                      : levy_set_read_lattice(&arena, text, size, &set, &fault);
    if (status == LEVY_OK)
        fuzz_require(set.n_dimensions >= 1 && set.n_points >= 2 && set.words);
    else
        fuzz_require(status == LEVY_INPUT && fault.message[0] && fault.hint);
    levy_arena_release(&arena);
}

static levy_source fuzz_source(const char *name, const char *text, size_t length)
{
    return (levy_source){.name = name, .text = text, .length = length};
}

static void fuzz_price(levy_book *book)
{
    levy_results *results = NULL;
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .threads = 1, .no_times = 1};
    fuzz_require(levy_price(book, &options, &results) != LEVY_STATUS_INTERNAL);
    for (size_t i = 0; results && i < levy_results_size(results); ++i) {
        const levy_trade_result *const t = levy_results_trade(results, i);
        fuzz_require(strcmp(t->status, "ok") == 0 || t->message);
    }
    levy_results_destroy(results);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const levy_setting small[] = {{"simulation.paths", "2^4"},
                                         {"simulation.replicates", "2"}};
    static levy_context *context;
    levy_source sources[3];
    levy_book *book = NULL;
    size_t n = 1;
    if (size == 0) return 0;
    if (!context) fuzz_require(levy_context_create(NULL, &context) == LEVY_STATUS_OK);
    const char *const text = (const char *)data + 1;
    const unsigned form = data[0] % FUZZ_FORMS;
    if (form >= FUZZ_NET) {
        if (form == FUZZ_NET)
            fuzz_net(text, size - 1);
        else
            fuzz_set(text, size - 1, form == FUZZ_POINTS);
        return 0;
    }
    sources[0] = fuzz_source("market.yaml", fuzz_market, sizeof fuzz_market - 1);
    if (form == FUZZ_CSV) sources[n++] = fuzz_source("trades.csv", text, size - 1);
    if (form == FUZZ_JSON) sources[0] = fuzz_source("book.json", text, size - 1);
    if (form == FUZZ_MARKET) {
        sources[0] = fuzz_source("market.yaml", text, size - 1);
        sources[n++] = fuzz_source("trades.csv", fuzz_trades, sizeof fuzz_trades - 1);
    }
    if (form == FUZZ_KIND) {
        sources[n] = fuzz_source("trades.yaml", fuzz_kind_trade, sizeof fuzz_kind_trade - 1);
        sources[n++].folder = ".";
    }
    const levy_source kind = fuzz_source("note.yaml", text, size - 1);
    const int status = form == FUZZ_KIND
                           ? levy_book_load_kept(context, sources, n, &kind, 1, small, 2, &book)
                           : levy_book_load(context, sources, n, small, 2, &book);
    fuzz_require((status == LEVY_STATUS_OK) == (book != NULL) && status != LEVY_STATUS_INTERNAL);
    fuzz_require(status == LEVY_STATUS_OK || levy_diagnostic_count(context) > 0);
    if (book) fuzz_price(book);
    levy_book_destroy(book);
    return 0;
}
