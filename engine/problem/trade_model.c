/* trade_model.c: finds the model of a trade, by name or because no other serves, and the
 * underlyings among its assets. See trade.h. Must not know: payoffs' terms. */
#include "engine/problem/trade.h"

#include <string.h>

/* "STOCK, OTHER": lists the assets of the market; dots replace those of a large one. */
static const char *model_asset_names(const levy_trade_frame *frame)
{
    enum { MOST_NAMED = 8 };
    const levy_names *const names = &frame->market->asset_map.names;
    const char *list = names->count > 0 ? names->items[0] : "...";
    for (size_t i = 1; i < names->count && i < MOST_NAMED; ++i)
        list = levy_check_text(frame->build, "%s, %s", list, names->items[i]);
    return names->count > MOST_NAMED ? levy_check_text(frame->build, "%s, ...", list) : list;
}

static bool model_has(const levy_model *model, const char *asset)
{
    for (size_t i = 0; i < model->n_assets; ++i)
        if (strcmp(model->assets[i]->name, asset) == 0) return true;
    return false;
}

/* The first model with all of the trade's assets; NULL: there is none. */
static const char *model_that_fits(const levy_trade_frame *frame)
{
    const levy_market_map *const map = &frame->market->model_map;
    const levy_raw_underlying *const items = frame->raw->underlyings.items;
    const char *const one = frame->raw->underlying;
    for (size_t m = 0; m < map->names.count; ++m) {
        const levy_model *const model = &frame->problem->models[m];
        bool fits = map->items[m].good && (!one || model_has(model, one));
        for (size_t i = 0; fits && i < frame->raw->underlyings.count; ++i)
            fits = items[i].name && model_has(model, items[i].name);
        if (fits) return map->names.items[m];
    }
    return NULL;
}

/* An underlying that is no asset of the market; NULL: all are. */
static const char *model_stranger(const levy_trade_frame *frame)
{
    const levy_names *const assets = &frame->market->asset_map.names;
    const levy_raw_underlying *const items = frame->raw->underlyings.items;
    const char *const one = frame->raw->underlying;
    if (one && levy_names_find(assets, one) == LEVY_NO_NAME) return one;
    for (size_t i = 0; i < frame->raw->underlyings.count; ++i)
        if (items[i].name && levy_names_find(assets, items[i].name) == LEVY_NO_NAME)
            return items[i].name;
    return NULL;
}

static bool model_refuse_none(const levy_trade_frame *frame)
{
    const levy_market_map *const map = &frame->market->model_map;
    const char *const fits = model_that_fits(frame), *const stranger = model_stranger(frame);
    bool good = true; /* a model that is at fault may have them */
    for (size_t m = 0; m < map->names.count; ++m) good = good && map->items[m].good;
    const char *hint = good ? "No model has all assets of the trade: add them to the assets of "
                              "one, and add model: NAME."
                            : "Add model: NAME.";
    if (stranger)
        hint = levy_check_text(frame->build, "The market has no asset '%s', but: %s.", stranger,
                               model_asset_names(frame));
    if (fits) hint = levy_check_text(frame->build, "Add model: %s.", fits);
    return LEVY_REFUSE(frame->build, MISSING_KEY, frame->raw->node, frame->path, hint,
                       "the key 'model' is required: the book has %zu models", map->names.count);
}

static bool model_is_alone(const levy_trade_frame *frame)
{
    return levy_trade_pays_fixed(frame) && !frame->raw->underlying && !frame->raw->underlyings.node;
}

/* Whether the only model serves for fixed payments: it has an asset in their currency. */
static bool model_has_currency(const levy_trade_frame *frame, const levy_model *model)
{
    const char *const currency = frame->raw->currency;
    bool found = !currency;
    for (size_t a = 0; a < model->n_assets; ++a)
        found = found || strcmp(model->assets[a]->currency, currency) == 0;
    return found;
}

const levy_model *levy_trade_model(const levy_trade_frame *frame)
{
    levy_market_map *map = &frame->market->model_map;
    const bool cash = model_is_alone(frame) && !frame->raw->model;
    if (cash && (map->names.count != 1 || !map->items[0].good ||
                 !model_has_currency(frame, &frame->problem->models[0])))
        return levy_trade_cash_model(frame);
    if (frame->raw->model) {
        const size_t number = levy_market_use(frame->build, map, frame->raw->model,
                                              levy_check_at(frame->raw->node, "model"),
                                              levy_trade_path(frame, "model"));
        return number == LEVY_NO_NAME ? NULL : &frame->problem->models[number];
    }
    if (map->names.count == 1) {
        map->items[0].used = true;
        return map->items[0].good ? &frame->problem->models[0] : NULL;
    }
    if (frame->build->broken) return NULL;
    if (map->names.count == 0)
        LEVY_REFUSE(frame->build, MISSING_KEY, frame->raw->node, frame->path,
                    levy_check_text(frame->build,
                                    "Add models: {equity: {kind: black_scholes, assets: [%s]}}.",
                                    model_asset_names(frame)),
                    "the book defines no model");
    else
        (void)model_refuse_none(frame);
    return NULL;
}

/* Says what to do about an asset that the trade's model does not have. */
static const char *model_other(const levy_trade_frame *frame, const levy_model *model,
                               const char *name)
{
    const char *const fits = model_that_fits(frame);
    if (fits)
        return levy_check_text(frame->build, "Write model: %s, or add %s to models.%s.assets.",
                               fits, name, model->name);
    return levy_check_text(frame->build, "Add %s to models.%s.assets, or choose another model.",
                           name, model->name);
}

static bool model_refuse_underlying(const levy_trade_frame *frame, const levy_model *model,
                                    const char *name, const levy_node *node, const char *path)
{
    enum { MOST_NAMED = 8 };
    if (levy_names_find(&frame->market->asset_map.names, name) != LEVY_NO_NAME)
        return LEVY_REFUSE(frame->build, UNKNOWN_NAME, node, path, model_other(frame, model, name),
                           "the model '%s' does not contain the asset '%s'", model->name, name);
    const char **names = levy_check_allocate(frame->build, model->n_assets + 1, sizeof *names);
    for (size_t i = 0; names && i < model->n_assets; ++i) names[i] = model->assets[i]->name;
    const char *near = names ? levy_nearest(name, names) : NULL;
    const char *list = "";
    for (size_t i = 0; i < model->n_assets && i < MOST_NAMED; ++i)
        list = levy_check_text(frame->build, "%s%s%s", list, i > 0 ? ", " : "",
                               model->assets[i]->name);
    const char *hint = levy_check_text(frame->build, "The model '%s' contains %s%s.", model->name,
                                       list, model->n_assets > MOST_NAMED ? ", ..." : "");
    if (near)
        return LEVY_REFUSE(frame->build, UNKNOWN_NAME, node, path, hint,
                           "there is no asset '%s'; did you mean '%s'?", name, near);
    return LEVY_REFUSE(frame->build, UNKNOWN_NAME, node, path, hint, "there is no asset '%s'",
                       name);
}

/* Sets underlying number i to `name`. */
static bool model_underlying(const levy_trade_frame *frame, levy_trade *trade, size_t i,
                             const char *name, const levy_node *node, const char *path)
{
    const levy_model *model = trade->model;
    size_t asset = 0;
    while (asset < model->n_assets && strcmp(model->assets[asset]->name, name) != 0) ++asset;
    if (asset == model->n_assets) return model_refuse_underlying(frame, model, name, node, path);
    trade->underlyings[i] = (uint32_t)asset;
    for (size_t j = 0; j < i; ++j)
        if (trade->underlyings[j] == asset)
            return LEVY_REFUSE(frame->build, DUPLICATE_KEY, node, path,
                               "Write each underlying once, with its total weight.",
                               "the underlying '%s' occurs twice", name);
    return true;
}

/* Fixed payments that name no underlying take the market of the model's first asset in their
 * currency. */
static bool model_stand_in(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_model *const model = trade->model;
    const char *const currency = frame->raw->currency;
    trade->n_underlyings = 1;
    trade->underlyings = levy_check_allocate(frame->build, 1, sizeof *trade->underlyings);
    if (!trade->underlyings) return false;
    for (uint32_t a = 0; a < model->n_assets; ++a) {
        if (currency && strcmp(model->assets[a]->currency, currency) != 0) continue;
        trade->underlyings[0] = a;
        return true;
    }
    return LEVY_REFUSE(frame->build, UNSUPPORTED, levy_check_at(frame->raw->node, "currency"),
                       levy_trade_path(frame, "currency"),
                       "Name a model with an asset of that currency.",
                       "the model '%s' has no asset in %s", model->name, currency);
}

bool levy_trade_underlyings(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_trade *raw = frame->raw;
    if (model_is_alone(frame)) return model_stand_in(frame, trade);
    const levy_raw_underlying *items = raw->underlyings.items;
    if (!raw->underlying == !raw->underlyings.node) {
        const levy_node *node =
            raw->underlying ? levy_check_at(raw->node, "underlying") : raw->node;
        if (raw->underlying)
            return LEVY_REFUSE(frame->build, INCONSISTENT, node,
                               levy_trade_path(frame, "underlying"), "Keep one of the two.",
                               "cannot be combined with underlyings");
        return LEVY_REFUSE(frame->build, MISSING_KEY, node, frame->path,
                           "Add underlying: NAME, or underlyings: [NAME, NAME].",
                           "needs underlying or underlyings");
    }
    trade->n_underlyings = raw->underlying ? 1 : raw->underlyings.count;
    trade->underlyings =
        levy_check_allocate(frame->build, trade->n_underlyings, sizeof *trade->underlyings);
    if (!trade->underlyings) return false;
    if (raw->underlying)
        return model_underlying(frame, trade, 0, raw->underlying,
                                levy_check_at(raw->node, "underlying"),
                                levy_trade_path(frame, "underlying"));
    if (trade->n_underlyings > trade->model->n_assets && trade->n_underlyings > LEVY_RAW_MAX_ASSETS)
        return LEVY_REFUSE(frame->build, LIMIT, raw->underlyings.node,
                           levy_trade_path(frame, "underlyings"), "Use fewer underlyings.",
                           "a trade has at most %d underlyings; got %zu", LEVY_RAW_MAX_ASSETS,
                           trade->n_underlyings);
    bool good = true;
    for (size_t i = 0; i < trade->n_underlyings; ++i)
        good &=
            model_underlying(frame, trade, i, items[i].name, levy_check_at(items[i].node, "name"),
                             levy_check_text(frame->build, "%s.underlyings[%zu]", frame->path, i));
    if (levy_trade_pays_fixed(frame)) trade->n_underlyings = 1; /* any of them will do */
    return good;
}
