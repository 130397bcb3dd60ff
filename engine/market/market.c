/* market.c: see market.h. Assets are resolved in asset_build.c. */
#include "engine/market/market.h"

#include "engine/market/asset_build.h"
#include "engine/market/calendar_build.h"
#include "engine/market/curve_build.h"

#include <stdlib.h>
#include <string.h>

void levy_market_init(levy_market *market)
{
    *market = (levy_market){.curve_map = {.noun = "curve", .folder = "market.curves"},
                            .calendar_map = {.noun = "calendar",
                                             .folder = "market.calendars",
                                             .built_in = levy_calendar_names},
                            .asset_map = {.noun = "asset", .folder = "market.assets"},
                            .model_map = {.noun = "model", .folder = "models"}};
}

/* Whether the document has reported the name already, as a duplicate within one map. */
static bool market_is_reported(const levy_check *build, const levy_place *place)
{
    for (size_t i = build->first_fault; i < build->faults->count; ++i) {
        const levy_fault *fault = &build->faults->items[i];
        if (fault->reason == LEVY_REASON_DUPLICATE_KEY &&
            fault->place.file_order == place->file_order && fault->place.line == place->line &&
            fault->place.column == place->column)
            return true;
    }
    return false;
}

void levy_market_define(levy_check *build, levy_market_map *map, const char *name,
                        const levy_node *node, const char *path, const void *raw, bool shared)
{
    const size_t other = levy_names_find(&map->names, name);
    if (other != LEVY_NO_NAME && market_is_reported(build, &node->key->place)) return;
    if (other != LEVY_NO_NAME) {
        const levy_place *first = &map->items[other].node->key->place;
        LEVY_REFUSE(build, DUPLICATE_KEY, node->key, path,
                    strcmp(first->file, node->key->place.file) != 0 && !shared &&
                            !map->items[other].shared
                        ? "Give each definition its own name, or remove one of them. --each takes "
                          "every file as a book of its own."
                        : "Give each definition its own name, or remove one of them.",
                    "the %s '%s' is already defined at %s:%u:%u", map->noun, name, first->file,
                    (unsigned)first->line, (unsigned)first->column);
        return;
    }
    if (!LEVY_CHECK_GROW(build, map->items, map->names.count, map->capacity, 16)) return;
    const size_t number = levy_names_add(&map->names, build->arena, name);
    if (number == LEVY_NO_NAME) {
        build->out_of_memory = true;
        return;
    }
    map->items[number] =
        (levy_market_item){.node = node, .path = path, .raw = raw, .shared = shared};
}

static void market_add_correlations(levy_check *build, levy_market *market,
                                    const levy_raw_correlations *raw, const char *path, bool shared)
{
    if (!raw->node) return;
    if (market->raw_correlations) {
        const levy_place *first = &market->raw_correlations->node->key->place;
        LEVY_REFUSE(build, DUPLICATE_KEY, raw->node->key, path,
                    "Put all correlations in one place.",
                    "correlations are already given at %s:%u:%u", first->file,
                    (unsigned)first->line, (unsigned)first->column);
        return;
    }
    market->raw_correlations = raw;
    market->correlations_path = path;
    market->correlations_shared = shared;
}

/* An absent yield is 0, which quotes may set. */
static void market_default_yield(levy_variant_value *yield, levy_raw_curve *absent)
{
    if (yield->node) return;
    *absent = (levy_raw_curve){.rate = 0.0};
    yield->kind = LEVY_RAW_CURVE_FLAT;
    yield->value = absent;
}

void levy_market_add(levy_check *build, levy_market *market, const levy_raw_market *raw,
                     const char *prefix, bool shared)
{
    const levy_variant_value *curves = raw->curves.items;
    for (size_t i = 0; i < raw->curves.count; ++i) {
        const char *name = levy_check_key(curves[i].node);
        levy_market_define(build, &market->curve_map, name, curves[i].node,
                           levy_check_text(build, "%scurves.%s", prefix, name), &curves[i], shared);
    }
    levy_calendars_add(build, market, &raw->calendars, prefix, shared);
    levy_raw_asset *assets = raw->assets.items;
    const levy_node *node = raw->assets.node ? raw->assets.node->children : NULL;
    for (size_t i = 0; i < raw->assets.count; ++i, node = node->next) {
        const char *name = levy_check_key(node);
        assets[i].read_spot = assets[i].spot;
        market_default_yield(&assets[i].dividend_yield, &assets[i].absent[0]);
        market_default_yield(&assets[i].borrow, &assets[i].absent[1]);
        levy_market_define(build, &market->asset_map, name, node,
                           levy_check_text(build, "%sassets.%s", prefix, name), &assets[i], shared);
    }
    market_add_correlations(build, market, &raw->correlations,
                            levy_check_text(build, "%scorrelations", prefix), shared);
}

/* Puts spread number i over its curve, which is put over its own before. */
static void market_spread(levy_check *build, levy_market *market, size_t i, size_t depth)
{
    levy_market_item *const item = &market->curve_map.items[i];
    const levy_variant_value *const raw = item->raw;
    if (!item->good || raw->kind != LEVY_RAW_CURVE_SPREAD || market->curves[i].over) return;
    const levy_raw_curve *const terms = raw->value;
    const levy_node *const node = levy_check_at(terms->node, "over");
    const char *const path = levy_check_text(build, "%s.over", item->path);
    const size_t over = levy_market_use(build, &market->curve_map, terms->over, node, path);
    item->good = over != LEVY_NO_NAME;
    if (item->good && depth > market->curve_map.names.count)
        item->good = LEVY_REFUSE(build, INCONSISTENT, node, path,
                                 "Name a curve that is not a spread over this one.",
                                 "the curve is a spread over itself");
    if (item->good) market_spread(build, market, over, depth + 1);
    item->good = item->good && market->curve_map.items[over].good &&
                 levy_curve_put_over(build, &market->curves[i], &market->curves[over]);
}

void levy_market_resolve(levy_check *build, levy_market *market)
{
    market->curves =
        levy_check_allocate(build, market->curve_map.names.count, sizeof *market->curves);
    market->calendars =
        levy_check_allocate(build, market->calendar_map.names.count, sizeof *market->calendars);
    market->assets =
        levy_check_allocate(build, market->asset_map.names.count, sizeof *market->assets);
    market->fixings =
        levy_check_allocate(build, market->asset_map.names.count, sizeof *market->fixings);
    if (build->out_of_memory) return;
    for (size_t i = 0; i < market->curve_map.names.count; ++i) {
        levy_market_item *item = &market->curve_map.items[i];
        item->good = levy_curve_build(build, item->raw, item->path, &market->curves[i]);
    }
    for (size_t i = 0; i < market->curve_map.names.count; ++i) market_spread(build, market, i, 0);
    for (size_t i = 0; i < market->calendar_map.names.count; ++i) {
        levy_market_item *item = &market->calendar_map.items[i];
        item->good = levy_calendar_resolve(build, market, item, &market->calendars[i]);
    }
    for (size_t i = 0; i < market->asset_map.names.count; ++i) {
        levy_market_item *item = &market->asset_map.items[i];
        item->good = levy_asset_build(build, market, item->raw, item->path, &market->assets[i],
                                      &market->fixings[i]);
    }
}

/* The first few names of a map: "SPX, NDX, ..." */
static const char *market_list_names(levy_check *build, const levy_market_map *map)
{
    enum { MOST_NAMED = 8 };
    const char *list = "";
    for (size_t i = 0; i < map->names.count && i < MOST_NAMED; ++i)
        list = levy_check_text(build, "%s%s%s", list, i > 0 ? ", " : "", map->names.items[i]);
    return map->names.count > MOST_NAMED ? levy_check_text(build, "%s, ...", list) : list;
}

static bool market_refuse_name(levy_check *build, const levy_market_map *map, const char *name,
                               const levy_node *node, const char *path)
{
    const char *near = map->names.count > 0 ? levy_nearest(name, map->names.items) : NULL;
    const char *hint = levy_check_text(build, "Define %s.%s, or name one of those defined: %s.",
                                       map->folder, name, market_list_names(build, map));
    if (map->names.count == 0) hint = levy_check_text(build, "Define %s.%s.", map->folder, name);
    if (map->built_in) {
        if (!near) near = levy_nearest(name, map->built_in);
        for (const char *const *each = map->built_in; *each; ++each)
            hint = levy_check_text(build, "%s%s%s", hint,
                                   each == map->built_in ? " Built in: " : ", ", *each);
        hint = levy_check_text(build, "%s.", hint);
    }
    char meant[LEVY_MEANT_SIZE];
    return LEVY_REFUSE(build, UNKNOWN_NAME, node, path, hint, "there is no %s '%s'%s", map->noun,
                       name, levy_meant(near, meant));
}

size_t levy_market_use(levy_check *build, levy_market_map *map, const char *name,
                       const levy_node *node, const char *path)
{
    const size_t number = levy_names_find(&map->names, name);
    if (number == LEVY_NO_NAME) {
        if (!build->broken) market_refuse_name(build, map, name, node, path);
        return LEVY_NO_NAME;
    }
    map->items[number].used = true;
    return map->items[number].good ? number : LEVY_NO_NAME;
}

const levy_curve *levy_market_curve(levy_check *build, levy_market *market, const char *name,
                                    const char *currency, const levy_node *node, const char *path)
{
    if (!name && levy_names_find(&market->curve_map.names, currency) == LEVY_NO_NAME) {
        const bool told =
            build->trade < 0 && levy_names_find(&market->missing_curves, currency) != LEVY_NO_NAME;
        if (build->broken || told) return NULL;
        if (levy_names_find(&market->missing_curves, currency) == LEVY_NO_NAME &&
            levy_names_add(&market->missing_curves, build->arena, currency) == LEVY_NO_NAME)
            build->out_of_memory = true;
        const levy_names *const known = &market->curve_map.names;
        char meant[LEVY_MEANT_SIZE];
        LEVY_REFUSE(build, UNKNOWN_NAME, node, path,
                    levy_check_text(build, "Define market.curves.%s, or name another curve here.",
                                    currency),
                    "is missing, and no curve has the currency's name, '%s'%s", currency,
                    levy_meant(known->count ? levy_nearest(currency, known->items) : NULL, meant));
        return NULL;
    }
    const size_t number =
        levy_market_use(build, &market->curve_map, name ? name : currency, node, path);
    return number == LEVY_NO_NAME ? NULL : &market->curves[number];
}

bool levy_market_currency(levy_check *build, const char *currency, const levy_node *node,
                          const char *path)
{
    bool good = strlen(currency) == 3;
    for (size_t i = 0; good && i < 3; ++i) good = currency[i] >= 'A' && currency[i] <= 'Z';
    if (good) return true;
    return LEVY_REFUSE(build, RANGE, node, path, "Write an ISO 4217 code such as USD.",
                       "a currency has three capital letters; got '%s'", currency);
}

static void market_warn_map(levy_check *build, const levy_market_map *map)
{
    for (size_t i = 0; i < map->names.count; ++i) {
        const levy_market_item *item = &map->items[i];
        if (item->used || item->shared) continue;
        LEVY_WARN(build, NONE, item->node->key, item->path,
                  "Remove it, or move it to a market file that books refer to.",
                  "no trade uses this %s", map->noun);
    }
}

void levy_market_warn_unused(levy_check *build, const levy_market *market)
{
    market_warn_map(build, &market->curve_map);
    market_warn_map(build, &market->calendar_map);
    market_warn_map(build, &market->asset_map);
    market_warn_map(build, &market->model_map);
}
