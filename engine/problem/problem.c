/* problem.c: see problem.h. The files are collected (quotes.c), then resolved in the order things
 * refer to each other: curves, calendars, assets, correlations, models, settings, trades. */
#include "engine/problem/problem.h"

#include "engine/market/triangle.h"
#include "engine/problem/quotes.h"
#include "engine/problem/models.h"
#include "engine/problem/report_currency.h"
#include "engine/problem/scenarios.h"
#include "engine/problem/simulation.h"
#include "engine/problem/trade.h"
#include "engine/problem/unread.h"

#include <string.h>

/* Whether a whole map of definitions could not be read, so that looking up names in it would blame
 * the wrong place. The fault's path then has one step, or one step below `market`. */
static bool problem_is_structural(const levy_fault *fault)
{
    static const char *const settings[] = {"schema_version", "valuation_date", "simulation",
                                           "measures",       "scenarios",      "report_currency",
                                           "trades"};
    if (fault->severity != LEVY_SEVERITY_ERROR || fault->trade >= 0) return false;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; ++i)
        if (strcmp(fault->path, settings[i]) == 0) return false;
    const char *rest = strncmp(fault->path, "market.", 7) == 0 ? fault->path + 7 : fault->path;
    return strpbrk(rest, ".[") == NULL;
}

static void problem_resolve_models(levy_collection *collection, levy_problem *problem)
{
    levy_check *build = collection->build;
    levy_market_map *map = &collection->market.model_map;
    levy_correlation_data *const correlations = levy_check_allocate(build, 1, sizeof *correlations);
    if (!correlations) return;
    levy_correlation_build(build, &collection->market, correlations);
    problem->correlations = correlations;
    problem->n_models = map->names.count;
    problem->models = levy_check_allocate(build, problem->n_models, sizeof *problem->models);
    problem->cash_models = levy_check_allocate(build, collection->market.curve_map.names.count,
                                               sizeof *problem->cash_models);
    problem->quanto_models = levy_check_allocate(build, 1, sizeof *problem->quanto_models);
    if (!problem->models || !problem->cash_models || !problem->quanto_models || !correlations->rows)
        return;
    for (size_t i = 0; i < problem->n_models; ++i)
        map->items[i].good =
            levy_model_build(build, &collection->market, correlations, map->items[i].raw,
                             map->items[i].path, &problem->models[i]);
    levy_models_check_volatilities(build, &collection->market, problem->models, problem->n_models);
    levy_warn_unread_correlations(build, &collection->market, problem->models, problem->n_models,
                                  correlations);
}

/* No two trades may have the same id; the first keeps it. */
static bool problem_check_id(levy_check *build, levy_names *ids, const levy_node **nodes,
                             const levy_collected_trade *trade)
{
    const levy_node *node = levy_check_at(trade->raw->node, "id");
    const size_t other = levy_names_find(ids, trade->raw->id);
    if (other != LEVY_NO_NAME)
        return LEVY_REFUSE(build, DUPLICATE_KEY, node, levy_check_text(build, "%s.id", trade->path),
                           "Give each trade its own id.", "the id '%s' is already used at %s:%u:%u",
                           trade->raw->id, nodes[other]->place.file,
                           (unsigned)nodes[other]->place.line,
                           (unsigned)nodes[other]->place.column);
    const size_t number = levy_names_add(ids, build->arena, trade->raw->id);
    if (number == LEVY_NO_NAME)
        build->out_of_memory = true;
    else
        nodes[number] = node;
    return number != LEVY_NO_NAME;
}

size_t levy_problem_trade(const levy_problem *problem, const char *id)
{
    size_t i = 0;
    while (i < problem->n_trades &&
           !(problem->trades[i].from->raw->id && strcmp(problem->trades[i].from->raw->id, id) == 0))
        ++i;
    return i;
}

const char *levy_problem_has_no(const levy_problem *problem, const char *id, levy_arena *arena)
{
    const char **const ids = levy_arena_allocate(arena, problem->n_trades + 1, sizeof *ids);
    char meant[LEVY_MEANT_SIZE];
    size_t n = 0;
    if (!ids) return NULL;
    for (size_t i = 0; i < problem->n_trades; ++i)
        if (problem->trades[i].from->raw->id) ids[n++] = problem->trades[i].from->raw->id;
    return levy_arena_format(arena, "the book has no trade '%s'%s", id,
                             levy_meant(levy_nearest(id, ids), meant));
}

/* Tells the currency of a trade that fails before it has one, if the files show it: sums name the
 * trades that they lack. */
static const char *problem_currency(const levy_market *market, const levy_raw_trade *raw)
{
    const levy_raw_underlying *const several = raw->underlyings.items;
    const char *const first = raw->underlyings.count ? several[0].name : NULL;
    const char *const name = raw->underlying ? raw->underlying : first;
    const size_t asset = name ? levy_names_find(&market->asset_map.names, name) : LEVY_NO_NAME;
    if (raw->currency) return raw->currency;
    if (asset == LEVY_NO_NAME || !market->asset_map.items[asset].raw) return "";
    const char *const currency =
        ((const levy_raw_asset *)market->asset_map.items[asset].raw)->currency;
    return currency ? currency : "";
}

/* Returns the number of trades that can be priced. */
static size_t problem_resolve_trades(levy_collection *collection, levy_problem *problem,
                                     const levy_overrides *overrides)
{
    levy_check *build = collection->build;
    levy_names ids = {0};
    const size_t n = collection->n_trades;
    const levy_node **nodes = levy_check_allocate(build, n, sizeof *nodes);
    problem->n_trades = n;
    problem->trades = levy_check_allocate(build, n, sizeof *problem->trades);
    size_t good = 0;
    const levy_node *const reported = collection->report_currency;
    levy_report_currency *const report =
        levy_report_begin(build, reported, overrides->items, overrides->n, problem);
    for (size_t i = 0; problem->trades && nodes && i < n && !build->out_of_memory; ++i) {
        const levy_collected_trade *from = &collection->trades[i];
        levy_trade *trade = &problem->trades[i];
        const levy_trade_frame frame = {.build = build,
                                        .market = &collection->market,
                                        .raw = from->raw,
                                        .path = from->path,
                                        .problem = problem};
        const size_t errors = build->faults->errors;
        build->trade = (int64_t)i;
        const bool own = !from->raw->id || problem_check_id(build, &ids, nodes, from);
        *trade = (levy_trade){.from = from,
                              .header = {own && from->raw->id ? from->raw->id : from->path, "", ""},
                              .state = LEVY_TRADE_FAILED};
        if (own && from->good && !from->n_legs) levy_trade_build(&frame, trade);
        if (!levy_trade_is_planned(trade) && !from->n_legs && !*trade->header.currency)
            trade->header.currency = problem_currency(&collection->market, from->raw);
        good += levy_trade_is_planned(trade) || trade->state == LEVY_TRADE_SETTLED;
        if (from->leg > 0 && from->leg == from[-(ptrdiff_t)from->leg].n_legs) {
            build->trade = (int64_t)(i - from->leg);
            levy_trade_join(build, problem, trade - from->leg);
        }
        collection->trade_errors += build->faults->errors - errors;
    }
    build->trade = -1;
    levy_scenarios_warn(build, problem);
    levy_report_currency_build(build, &collection->market, report, problem);
    if (problem->correlations && !build->broken)
        levy_market_check_triangles(build, &collection->market, problem->correlations);
    return good;
}

static size_t problem_resolve(levy_collection *collection, levy_problem *problem,
                              const levy_overrides *overrides)
{
    levy_check *build = collection->build;
    for (size_t i = build->first_fault; i < build->faults->count; ++i)
        build->broken |= problem_is_structural(&build->faults->items[i]);
    const levy_simulation_source source = {.simulation = collection->simulation,
                                           .measures = collection->measures,
                                           .market = &collection->market,
                                           .overrides = overrides->items,
                                           .n_overrides = overrides->n,
                                           .net = collection->net,
                                           .points = collection->points,
                                           .net_file = collection->net_file,
                                           .net_kind = collection->net_kind};
    levy_simulation_build(build, &source, &problem->simulation);
    /* else each time would be refused as well */
    if (levy_check_refused(build, "valuation_date")) return 0;
    levy_market_resolve(build, &collection->market);
    if (!build->out_of_memory) problem_resolve_models(collection, problem);
    if (!build->out_of_memory)
        levy_scenarios_build(build, &collection->market, &collection->scenarios, problem);
    problem->has_date = build->has_date;
    problem->valuation = build->valuation;
    return build->out_of_memory ? 0 : problem_resolve_trades(collection, problem, overrides);
}

/* Resolving marks definitions as good and used. It does so on copies, so that it can be
 * repeated. */
static void problem_copy_map(levy_check *build, levy_market_map *map)
{
    levy_market_item *items = levy_check_allocate(build, map->names.count, sizeof *items);
    if (items && map->names.count > 0) memcpy(items, map->items, map->names.count * sizeof *items);
    map->items = items;
    map->capacity = map->names.count;
}

/* Trades alone say nothing of the market. */
static void problem_check_market(levy_check *build, const levy_collection *collection)
{
    if (!collection->csv || collection->market.asset_map.names.count > 0 || build->broken) return;
    const levy_node node = {.place = {.file = collection->csv, .line = 1, .column = 1}};
    const char *hint = "Give a market beside them. `levy new market` prints one.";
    if (*collection->csv != '<') /* a file's name */
        hint = levy_check_text(build,
                               "Write levy price %s --market market.yaml. `levy new market` "
                               "prints a market.",
                               collection->csv);
    LEVY_REFUSE(build, MISSING_KEY, &node, "", hint, "the trades have no market");
    build->broken = true; /* their assets and models are missing */
}

static levy_status problem_fill(levy_problem *problem, const levy_quotes *quotes,
                                levy_fault_list *faults)
{
    const size_t first_errors = faults->errors;
    levy_check build = quotes->build;
    levy_collection collection = quotes->collection;
    build.arena = &problem->arena;
    build.faults = faults;
    build.first_fault = faults->count;
    collection.build = &build;
    build.dated_file =
        collection.csv ? collection.book : NULL; /* rows of CSV have no place for a date */
    if (!levy_fault_list_add_all(faults, &quotes->faults)) return LEVY_MEMORY;
    problem_copy_map(&build, &collection.market.curve_map);
    problem_copy_map(&build, &collection.market.calendar_map);
    problem_copy_map(&build, &collection.market.asset_map);
    problem_copy_map(&build, &collection.market.model_map);
    problem->text_hash = collection.fingerprint;
    problem->setting_hash = levy_overrides_hash(quotes->overrides, 0);
    problem->fingerprint =
        levy_quotes_hash(quotes, levy_overrides_hash(quotes->overrides, problem->text_hash));
    problem->quote_hash = levy_quotes_hash(quotes, 0);
    if (collection.n_trades == 0 && !build.broken && !levy_check_refused(&build, "trades") &&
        !levy_check_refused(&build, "")) {
        const levy_node node = {
            .place = {.file = levy_quotes_file(quotes, 0), .line = 1, .column = 1}};
        LEVY_REFUSE(&build, MISSING_KEY, &node, "trades",
                    collection.calibration
                        ? "`levy calibrate` fits its model to quotes. To price, add trades: [{id, "
                          "underlying, payoff, exercise}]."
                        : "Add trades: [{id, underlying, payoff, exercise}].",
                    "there is nothing to price");
    }
    problem_check_market(&build, &collection);
    const size_t good =
        build.out_of_memory ? 0 : problem_resolve(&collection, problem, quotes->overrides);
    if (build.out_of_memory || faults->out_of_memory) return LEVY_MEMORY;
    if (faults->errors == first_errors) levy_market_warn_unused(&build, &collection.market);
    if (faults->errors - first_errors > collection.trade_errors || good == 0) return LEVY_INPUT;
    return LEVY_OK;
}

levy_status levy_quotes_resolve(const levy_quotes *quotes, levy_fault_list *faults,
                                levy_problem **problem)
{
    *problem = NULL;
    levy_problem *made = levy_memory_allocate(quotes->arena.memory, 1, sizeof *made);
    if (!made) return LEVY_MEMORY;
    const size_t first = faults->count;
    levy_arena_init(&made->arena, quotes->arena.memory);
    levy_status status = problem_fill(made, quotes, faults);
    levy_fault_list_keep_places(faults, first);
    if (faults->out_of_memory) status = LEVY_MEMORY;
    if (status == LEVY_OK)
        *problem = made;
    else
        levy_problem_destroy(made);
    return status;
}

levy_status levy_quotes_check(const levy_quotes *quotes, levy_fault_list *faults)
{
    const size_t first = faults->count;
    const bool added = levy_fault_list_add_all(faults, &quotes->faults);
    levy_fault_list_keep_places(faults, first);
    if (!added || faults->out_of_memory) return LEVY_MEMORY;
    return quotes->faults.errors > 0 ? LEVY_INPUT : LEVY_OK;
}

void levy_problem_destroy(levy_problem *problem)
{
    if (!problem) return;
    const levy_memory *memory = problem->arena.memory;
    levy_arena_release(&problem->arena);
    levy_memory_release(memory, problem);
}
