/* trade.c: see trade.h: on what a trade is, for how much, when and in which money. What it pays is
 * in trade_terms.c. */
#include "engine/problem/schedule.h"
#include "engine/problem/trade_twin.h"

#include "engine/problem/simulation.h"
#include "payoffs/defined.h"
#include "payoffs/scripted.h"

#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

static const char *trade_path(levy_check *build, const levy_trade_frame *frame, const char *key)
{
    return levy_check_text(build, "%s.%s", frame->path, key);
}

/* ---- Model and underlyings ---- */

/* "STOCK, OTHER": the assets of the market, or dots for those of a large one. */
static const char *trade_asset_names(levy_check *build, const levy_trade_frame *frame)
{
    enum { MOST_NAMED = 8 };
    const levy_names *const names = &frame->market->asset_map.names;
    const char *list = names->count > 0 ? names->items[0] : "...";
    for (size_t i = 1; i < names->count && i < MOST_NAMED; ++i)
        list = levy_check_text(build, "%s, %s", list, names->items[i]);
    return names->count > MOST_NAMED ? levy_check_text(build, "%s, ...", list) : list;
}

static bool trade_model_has(const levy_model *model, const char *asset)
{
    for (size_t i = 0; i < model->n_assets; ++i)
        if (strcmp(model->assets[i]->name, asset) == 0) return true;
    return false;
}

/* The first model with all of the trade's assets; NULL: there is none. */
static const char *trade_fitting_model(const levy_trade_frame *frame)
{
    const levy_market_map *const map = &frame->market->model_map;
    const levy_raw_underlying *const items = frame->raw->underlyings.items;
    const char *const one = frame->raw->underlying;
    for (size_t m = 0; m < map->names.count; ++m) {
        const levy_model *const model = &frame->models[m];
        bool fits = map->items[m].good && (!one || trade_model_has(model, one));
        for (size_t i = 0; fits && i < frame->raw->underlyings.count; ++i)
            fits = items[i].name && trade_model_has(model, items[i].name);
        if (fits) return map->names.items[m];
    }
    return NULL;
}

/* An underlying that is no asset of the market; NULL: all are. */
static const char *trade_stranger(const levy_trade_frame *frame)
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

static bool trade_refuse_no_model(levy_check *build, const levy_trade_frame *frame)
{
    const levy_market_map *const map = &frame->market->model_map;
    const char *const fits = trade_fitting_model(frame), *const stranger = trade_stranger(frame);
    bool good = true; /* a model that is at fault may have them */
    for (size_t m = 0; m < map->names.count; ++m) good = good && map->items[m].good;
    const char *hint = good ? "No model has all assets of the trade: add them to the assets of "
                              "one, and add model: NAME."
                            : "Add model: NAME.";
    if (stranger)
        hint = levy_check_text(build, "The market has no asset '%s', but: %s.", stranger,
                               trade_asset_names(build, frame));
    if (fits) hint = levy_check_text(build, "Add model: %s.", fits);
    return LEVY_REFUSE(build, MISSING_KEY, frame->raw->node, frame->path, hint,
                       "the key 'model' is required: the book has %zu models", map->names.count);
}

static bool trade_is_fixed(const levy_trade_frame *frame)
{
    return levy_payoffs[frame->raw->payoff.kind]->is_fixed;
}

static bool trade_is_alone(const levy_trade_frame *frame)
{
    return trade_is_fixed(frame) && !frame->raw->underlying && !frame->raw->underlyings.node;
}

/* Whether the only model serves for fixed payments: it has an asset in their currency. */
static bool trade_has_currency(const levy_trade_frame *frame, const levy_model *model)
{
    const char *const currency = frame->raw->currency;
    bool found = !currency;
    for (size_t a = 0; a < model->n_assets; ++a)
        found = found || strcmp(model->assets[a]->currency, currency) == 0;
    return found;
}

static const levy_model *trade_model(levy_check *build, const levy_trade_frame *frame)
{
    levy_market_map *map = &frame->market->model_map;
    const bool cash = trade_is_alone(frame) && !frame->raw->model;
    if (cash && (map->names.count != 1 || !map->items[0].good ||
                 !trade_has_currency(frame, &frame->models[0])))
        return levy_trade_cash_model(build, frame);
    if (frame->raw->model) {
        const size_t number =
            levy_market_use(build, map, frame->raw->model, levy_check_at(frame->raw->node, "model"),
                            trade_path(build, frame, "model"));
        return number == LEVY_NO_NAME ? NULL : &frame->models[number];
    }
    if (map->names.count == 1) {
        map->items[0].used = true;
        return map->items[0].good ? &frame->models[0] : NULL;
    }
    if (build->broken) return NULL;
    if (map->names.count == 0)
        LEVY_REFUSE(build, MISSING_KEY, frame->raw->node, frame->path,
                    levy_check_text(build,
                                    "Add models: {equity: {kind: black_scholes, assets: [%s]}}.",
                                    trade_asset_names(build, frame)),
                    "the book defines no model");
    else
        (void)trade_refuse_no_model(build, frame);
    return NULL;
}

/* What to do for an asset that the trade's model does not have. */
static const char *trade_other_model(levy_check *build, const levy_trade_frame *frame,
                                     const levy_model *model, const char *name)
{
    const char *const fits = trade_fitting_model(frame);
    if (fits)
        return levy_check_text(build, "Write model: %s, or add %s to models.%s.assets.", fits, name,
                               model->name);
    return levy_check_text(build, "Add %s to models.%s.assets, or choose another model.", name,
                           model->name);
}

static bool trade_refuse_underlying(levy_check *build, const levy_trade_frame *frame,
                                    const levy_model *model, const char *name,
                                    const levy_node *node, const char *path)
{
    enum { MOST_NAMED = 8 };
    if (levy_names_find(&frame->market->asset_map.names, name) != LEVY_NO_NAME)
        return LEVY_REFUSE(build, UNKNOWN_NAME, node, path,
                           trade_other_model(build, frame, model, name),
                           "the model '%s' does not contain the asset '%s'", model->name, name);
    const char **names = levy_check_allocate(build, model->n_assets + 1, sizeof *names);
    for (size_t i = 0; names && i < model->n_assets; ++i) names[i] = model->assets[i]->name;
    const char *near = names ? levy_nearest(name, names) : NULL;
    const char *list = "";
    for (size_t i = 0; i < model->n_assets && i < MOST_NAMED; ++i)
        list = levy_check_text(build, "%s%s%s", list, i > 0 ? ", " : "", model->assets[i]->name);
    const char *hint = levy_check_text(build, "The model '%s' contains %s%s.", model->name, list,
                                       model->n_assets > MOST_NAMED ? ", ..." : "");
    if (near)
        return LEVY_REFUSE(build, UNKNOWN_NAME, node, path, hint,
                           "there is no asset '%s'; did you mean '%s'?", name, near);
    return LEVY_REFUSE(build, UNKNOWN_NAME, node, path, hint, "there is no asset '%s'", name);
}

/* Sets underlying number i to `name`. */
static bool trade_underlying(levy_check *build, const levy_trade_frame *frame, levy_trade *trade,
                             size_t i, const char *name, const levy_node *node, const char *path)
{
    const levy_model *model = trade->model;
    size_t asset = 0;
    while (asset < model->n_assets && strcmp(model->assets[asset]->name, name) != 0) ++asset;
    if (asset == model->n_assets)
        return trade_refuse_underlying(build, frame, model, name, node, path);
    trade->underlyings[i] = (uint32_t)asset;
    for (size_t j = 0; j < i; ++j)
        if (trade->underlyings[j] == asset)
            return LEVY_REFUSE(build, DUPLICATE_KEY, node, path,
                               "Write each underlying once, with its total weight.",
                               "the underlying '%s' occurs twice", name);
    return true;
}

/* Fixed payments that name no underlying still have a market: that of the model's first asset in
 * their currency. */
static bool trade_stand_in(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_model *const model = trade->model;
    const char *const currency = frame->raw->currency;
    trade->n_underlyings = 1;
    trade->underlyings = levy_check_allocate(build, 1, sizeof *trade->underlyings);
    if (!trade->underlyings) return false;
    for (uint32_t a = 0; a < model->n_assets; ++a) {
        if (currency && strcmp(model->assets[a]->currency, currency) != 0) continue;
        trade->underlyings[0] = a;
        return true;
    }
    return LEVY_REFUSE(build, UNSUPPORTED, levy_check_at(frame->raw->node, "currency"),
                       trade_path(build, frame, "currency"),
                       "Name a model with an asset of that currency.",
                       "the model '%s' has no asset in %s", model->name, currency);
}

static bool trade_underlyings(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_trade *raw = frame->raw;
    if (trade_is_alone(frame)) return trade_stand_in(build, frame, trade);
    const levy_raw_underlying *items = raw->underlyings.items;
    if (!raw->underlying == !raw->underlyings.node) {
        const levy_node *node =
            raw->underlying ? levy_check_at(raw->node, "underlying") : raw->node;
        if (raw->underlying)
            return LEVY_REFUSE(build, INCONSISTENT, node, trade_path(build, frame, "underlying"),
                               "Keep one of the two.", "cannot be combined with underlyings");
        return LEVY_REFUSE(build, MISSING_KEY, node, frame->path,
                           "Add underlying: NAME, or underlyings: [NAME, NAME].",
                           "needs underlying or underlyings");
    }
    trade->n_underlyings = raw->underlying ? 1 : raw->underlyings.count;
    trade->underlyings =
        levy_check_allocate(build, trade->n_underlyings, sizeof *trade->underlyings);
    if (!trade->underlyings) return false;
    if (raw->underlying)
        return trade_underlying(build, frame, trade, 0, raw->underlying,
                                levy_check_at(raw->node, "underlying"),
                                trade_path(build, frame, "underlying"));
    if (trade->n_underlyings > trade->model->n_assets && trade->n_underlyings > LEVY_RAW_MAX_ASSETS)
        return LEVY_REFUSE(build, LIMIT, raw->underlyings.node,
                           trade_path(build, frame, "underlyings"), "Use fewer underlyings.",
                           "a trade has at most %d underlyings; got %zu", LEVY_RAW_MAX_ASSETS,
                           trade->n_underlyings);
    bool good = true;
    for (size_t i = 0; i < trade->n_underlyings; ++i)
        good &= trade_underlying(build, frame, trade, i, items[i].name,
                                 levy_check_at(items[i].node, "name"),
                                 levy_check_text(build, "%s.underlyings[%zu]", frame->path, i));
    if (trade_is_fixed(frame)) trade->n_underlyings = 1; /* any of them will do */
    return good;
}

/* ---- Money ---- */

static bool trade_money(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_trade *raw = frame->raw;
    const levy_asset *first = trade->model->assets[trade->underlyings[0]];
    const levy_node *node = levy_check_at(raw->node, "currency");
    const char *path = trade_path(build, frame, "currency");
    trade->currency = raw->currency ? raw->currency : first->currency;
    if (raw->currency && !levy_market_currency(build, raw->currency, node, path)) return false;
    for (size_t i = 0; i < trade->n_underlyings; ++i) {
        const levy_asset *asset = trade->model->assets[trade->underlyings[i]];
        if (strcmp(asset->currency, trade->currency) == 0) continue;
        const char *const one = i == 0
                                    ? levy_check_text(build, "Write currency: %s.", asset->currency)
                                    : "Use assets of one currency.";
        return LEVY_REFUSE(
            build, UNSUPPORTED, node, path,
            levy_check_text(build, "%s Quanto and composite payoffs are not supported yet.", one),
            "the trade is paid in %s, but %s is quoted in %s", trade->currency, asset->name,
            asset->currency);
    }
    trade->discount_curve = levy_market_curve(
        build, frame->market, raw->discount_curve, trade->currency,
        levy_check_at(raw->node, "discount_curve"), trade_path(build, frame, "discount_curve"));
    return trade->discount_curve != NULL;
}

double levy_trade_size(const levy_raw_trade *raw)
{
    const double quantity = isnan(raw->quantity) ? 1.0 : raw->quantity;
    const double size = isnan(raw->notional) ? quantity : raw->notional;
    return raw->position == 1 ? -size : size;
}

static bool trade_size(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_trade *raw = frame->raw;
    const levy_payoff_terms *terms = raw->payoff.value;
    const levy_node *const node = levy_check_at(raw->node, "notional");
    const bool notional = !isnan(raw->notional);
    trade->scale = levy_trade_size(raw) * (raw->share > 0 ? raw->share : 1);
    if (notional && !isnan(raw->quantity))
        return LEVY_REFUSE(build, INCONSISTENT, node, trade_path(build, frame, "notional"),
                           "Keep one of the two.", "cannot be combined with quantity");
    const levy_payoff *payoff = levy_payoffs[raw->payoff.kind];
    const bool pure = terms->strike_type == LEVY_STRIKE_PERCENT ||
                      (payoff->is_return && payoff->is_return(terms)) ||
                      (payoff->pays_numbers && payoff->pays_numbers(terms));
    if (!notional || pure) return true;
    return LEVY_REFUSE(
        build, INCONSISTENT, node, trade_path(build, frame, "notional"),
        "Write quantity, or strike_type: percent_of_initial with the strike as a fraction.",
        "a notional needs a payoff that is a pure number, but this payoff is "
        "in units of its underlying");
}

/* ---- Time ---- */

static bool trade_expiry(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_exercise *exercise = &frame->raw->exercise;
    const char *path = trade_path(build, frame, "exercise.expiry");
    if (exercise->style != LEVY_RAW_EUROPEAN)
        LEVY_REFUSE(build, UNSUPPORTED, levy_check_at(exercise->node, "style"),
                    trade_path(build, frame, "exercise.style"), "Write style: european.",
                    "%s exercise is not supported yet",
                    exercise->style == LEVY_RAW_AMERICAN ? "american" : "bermudan");
    if (!levy_check_time(build, &exercise->expiry, path, &trade->expiry)) return false;
    trade->known = trade->expiry <= 0;
    if (trade->expiry > -1e-9 && trade->known) trade->expiry = 0; /* today */
    return exercise->style == LEVY_RAW_EUROPEAN;
}

static bool trade_lag(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_trade *const raw = frame->raw;
    const levy_date *const expiry = build->has_date ? &raw->exercise.expiry.date : NULL;
    const levy_lag lag = {.lag = raw->payment_lag,
                          .calendars = &raw->calendars,
                          .node = levy_check_at(raw->node, "payment_lag"),
                          .path = frame->path};
    return levy_lag_time(build, frame->market, &lag, expiry, trade->expiry, &trade->payment_time);
}

/* A payment today has not been made yet. What has been paid is worth nothing: it is no fault. */
static bool trade_paid(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_trade *raw = frame->raw;
    const levy_node *date =
        raw->payment_date.node ? raw->payment_date.node : raw->exercise.expiry.node;
    const char *key = raw->payment_date.node ? "payment_date" : "exercise.expiry";
    if (trade->payment_time >= 0) return true;
    trade->gone = true;
    if (!(raw->share > 0)) /* no leg */
        LEVY_WARN(build, RANGE, date, trade_path(build, frame, key),
                  "Remove trades that have expired and are paid, or check the date.",
                  "%s is before the valuation: the trade has been paid and is worth 0",
                  levy_check_shown(date));
    return false; /* without a fault */
}

static bool trade_payment(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_trade *raw = frame->raw;
    const bool lag = raw->payment_lag.unit != 0;
    const char *path = trade_path(build, frame, "payment_date");
    trade->payment_time = trade->expiry;
    if (raw->payment_date.node && lag)
        return LEVY_REFUSE(build, INCONSISTENT, raw->payment_date.node, path,
                           "Keep one of the two.", "cannot be combined with payment_lag");
    if (raw->calendars.node && !lag)
        return LEVY_REFUSE(
            build, INCONSISTENT, raw->calendars.node, trade_path(build, frame, "calendars"),
            "Remove it, or add payment_lag: 2D.", "is only allowed with payment_lag");
    if (lag) return trade_lag(build, frame, trade);
    if (!raw->payment_date.node) return true;
    if (!levy_check_time(build, &raw->payment_date, path, &trade->payment_time)) return false;
    if (trade->payment_time >= trade->expiry) return true;
    return LEVY_REFUSE(build, RANGE, raw->payment_date.node, path, "Pay at expiry or later.",
                       "%s is before expiry, %s", levy_check_shown(raw->payment_date.node),
                       levy_check_shown(raw->exercise.expiry.node));
}

/* Checks what regimes ask of a trade. Rates that differ by regime discount only up to expiry,
 * because later regimes are not simulated. */
static bool trade_regimes(levy_check *build, const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_model *const model = trade->model;
    const size_t watched = levy_model_watches(model->kind, model->terms);
    const levy_node *const several = frame->raw->underlyings.node;
    bool seen = watched == SIZE_MAX || trade_is_fixed(frame);
    for (size_t u = 0; u < trade->n_underlyings; ++u)
        seen = seen || trade->underlyings[u] == watched;
    if (!seen)
        return LEVY_REFUSE(build, UNSUPPORTED, several ? several : frame->raw->node,
                           trade_path(build, frame, "underlyings"),
                           "Add the asset to the underlyings, or use another model.",
                           "switching in the model '%s' depends on %s, which is not an underlying "
                           "of this trade",
                           model->name, model->assets[watched]->name);
    if (trade->payment_time == trade->expiry) return true;
    if (!levy_model_discounts(model->kind, model->terms)) return true;
    const levy_node *const date = frame->raw->payment_date.node; /* a leg's lag is the trade's */
    return LEVY_REFUSE(build, UNSUPPORTED,
                       date ? date : levy_check_at(frame->raw->node, "payment_lag"),
                       trade_path(build, frame, date ? "payment_date" : "payment_lag"),
                       "Pay at expiry, or remove the regimes' rates.",
                       "regime-dependent rates discount only up to expiry, but payment is "
                       "later");
}

/* A path under rates that differ by regime is discounted once, at expiry: what is paid before has
 * no discount of its own, and what a script reports must have none. */
static bool trade_regimes_at_once(levy_check *build, const levy_trade_frame *frame,
                                  const levy_trade *trade)
{
    if (!levy_model_discounts(trade->model->kind, trade->model->terms)) return true;
    if (levy_payoffs[trade->payoff]->is_forward)
        return LEVY_REFUSE(build, UNSUPPORTED, frame->raw->payoff.node,
                           trade_path(build, frame, "payoff"),
                           "Write legs: a call held and a put written, at the forward's strike.",
                           "the strike of a forward is discounted on the curve, but rates depend "
                           "on the regime");
    const bool scripted = trade->scripted && !trade->is_twin;
    if (!scripted && (!trade->rebate_at_hit || trade->known)) return true;
    return LEVY_REFUSE(
        build, UNSUPPORTED, frame->raw->payoff.node, trade_path(build, frame, "payoff"),
        scripted ? "Remove the regimes' rates." : "Pay at expiry, or remove the regimes' rates.",
        "regime-dependent rates discount at expiry alone, but %s",
        scripted ? "scripts pay on their dates" : "a payment at hit is earlier");
}

/* ---- The whole ---- */

static bool trade_tags_are_texts(const levy_node *tags)
{
    bool good = !tags || tags->kind == LEVY_NODE_MAP;
    for (const levy_node *tag = tags ? tags->children : NULL; good && tag; tag = tag->next)
        good = tag->kind == LEVY_NODE_SCALAR;
    return good;
}

static bool trade_tags(levy_check *build, const levy_trade_frame *frame)
{
    const levy_node *tags = frame->raw->tags;
    return trade_tags_are_texts(tags) ||
           LEVY_REFUSE(build, TYPE, tags, trade_path(build, frame, "tags"),
                       "Write tags: {desk: exotics, strategy: hedge}.", "must be a map of texts");
}

/* The bit of a measure. */
static uint32_t trade_measure(const char *name)
{
    size_t choice = 0;
    while (strcmp(levy_measure_names[choice], name) != 0) ++choice;
    return levy_measure_bit(choice);
}

/* Refuses measures that the model does not have. Theta lets time pass by subtracting what the
 * drivers moved (dynamics.h), but jumps would stay. */
static bool trade_model_measures(levy_check *build, const levy_trade_frame *frame,
                                 const levy_trade *trade)
{
    static const char *const jumping[] = {"theta", NULL};
    const levy_model_kind *const kind = levy_model_kinds[trade->model->kind];
    const bool jumps =
                   levy_model_features(trade->model->kind, trade->model->terms) & LEVY_MODEL_JUMPS,
               own = trade->measures != 0;
    const uint32_t measures = own ? trade->measures : frame->measures;
    const char *const *const refused =
        kind->refuses ? kind->refuses(trade->model->terms) : kind->without;
    for (const char *const *name = refused ? refused
                                   : jumps ? jumping
                                           : NULL;
         name && *name; ++name)
        if (measures & trade_measure(*name))
            return LEVY_REFUSE(
                build, UNSUPPORTED, own ? frame->raw->measures.node : frame->raw->node,
                trade_path(build, frame, "measures"),
                own ? levy_check_text(build, "Remove %s.", *name)
                    : levy_check_text(build, "Give the trade its own measures, without %s.", *name),
                "%s is not available under the model '%s' of kind %s", *name, trade->model->name,
                kind->kind);
    return true;
}

/* Refuses underlyings that the market correlates and the model cannot. */
static bool trade_unplaced(levy_check *build, const levy_trade_frame *frame,
                           const levy_trade *trade)
{
    const levy_model *model = trade->model;
    for (size_t i = 0; model->unplaced && i < trade->n_underlyings; ++i)
        for (size_t j = 0; j < i; ++j) {
            const size_t x = trade->underlyings[i], y = trade->underlyings[j], a = x < y ? x : y,
                         b = x < y ? y : x;
            if (model->unplaced[a * model->n_assets + b] == 0) continue;
            return LEVY_REFUSE(build, UNSUPPORTED, frame->raw->underlyings.node,
                               trade_path(build, frame, "underlyings"),
                               "Remove the pair from market.correlations, or use another kind of "
                               "model.",
                               "the model '%s' assumes independent assets; it cannot use the "
                               "correlation of %s and %s",
                               model->name, model->assets[a]->name, model->assets[b]->name);
        }
    return true;
}

/* Checks what the book asks of a model that has its own drivers. */
static bool trade_model_drivers(levy_check *build, const levy_trade_frame *frame,
                                const levy_trade *trade)
{
    const uint32_t features = levy_model_features(trade->model->kind, trade->model->terms);
    const levy_node *node = levy_check_at(frame->raw->node, "model");
    const char *path = trade_path(build, frame, "model"),
               *kind = levy_model_kinds[trade->model->kind]->kind;
    if (features & LEVY_MODEL_GAMMA &&
        frame->problem->simulation.construction == LEVY_CONSTRUCTION_PCA)
        return LEVY_REFUSE(build, UNSUPPORTED, node, path,
                           "Write construction: bridge, or incremental.",
                           "construction pca needs Brownian motions, but the model '%s' of kind "
                           "%s has none",
                           trade->model->name, kind);
    if (features & LEVY_MODEL_GAMMA &&
        (frame->problem->simulation.first_average || frame->problem->simulation.first_components))
        return LEVY_REFUSE(build, UNSUPPORTED, node, path,
                           "Write construction: bridge, or incremental.",
                           "functionals that come first need Brownian motions, but the model '%s' "
                           "of kind %s has none",
                           trade->model->name, kind);
    for (size_t i = 0; features & LEVY_MODEL_DRIVEN && i < frame->problem->n_scenarios; ++i) {
        const levy_scenario *scenario = &frame->problem->scenarios[i];
        if (!levy_scenario_moves_volatility(scenario, trade)) continue;
        LEVY_WARN(build, UNSUPPORTED, node, path,
                  "Shift only spots and curves for this trade, or price it in a book "
                  "without that scenario.",
                  "no value in the scenario '%s', which shifts volatilities: the model "
                  "'%s' of kind %s %s",
                  scenario->id, trade->model->name, kind,
                  levy_model_scales_once(trade->model)
                      ? "has one table, scaled to the quoted volatilities, for all scenarios"
                      : "does not use the market's volatilities");
        break;
    }
    return true;
}

static bool trade_measures(levy_check *build, const levy_trade_frame *frame,
                           const levy_trade *trade)
{
    if (!trade_model_measures(build, frame, trade) || !trade_model_drivers(build, frame, trade) ||
        !trade_unplaced(build, frame, trade))
        return false;
    const uint32_t pairs = LEVY_MEASURE_CROSS_GAMMA | LEVY_MEASURE_CORRELATION;
    if (!(trade->measures & pairs) || trade->n_underlyings > 1 || trade_is_fixed(frame))
        return true;
    return LEVY_REFUSE(build, INCONSISTENT, frame->raw->measures.node,
                       trade_path(build, frame, "measures"), "Remove cross_gamma and correlation.",
                       "cross_gamma and correlation need pairs of assets, but the trade has "
                       "one asset");
}

void levy_trade_label(levy_check *build, const levy_raw_trade *raw, levy_trade *trade)
{
    const levy_raw_underlying *const underlyings = raw->underlyings.items;
    trade->book = raw->book;
    trade->counterparty = raw->counterparty;
    trade->netting_set = raw->netting_set;
    trade->tags = trade_tags_are_texts(raw->tags) ? raw->tags : NULL;
    trade->underlying = raw->underlying;
    for (size_t i = 0; i < raw->underlyings.count && underlyings[i].name; ++i)
        trade->underlying =
            i ? levy_check_text(build, "%s,%s", trade->underlying, underlyings[i].name)
              : underlyings[i].name;
}

/* Whether all levels that the payment depends on are past. Today's spot is none: scenarios move it.
 */
static bool trade_is_decided(const levy_trade *trade)
{
    const levy_payoff *const kind = levy_payoffs[trade->payoff];
    if (trade->scripted) return trade->scripted->is_decided;
    return (trade->past.n > 0 || trade->past.given) && trade->n_observations == 0 &&
           !trade->observes_now && !trade->continuous && trade->n_further == 0 &&
           !levy_payoff_reads_expiry(kind, trade->terms);
}

/* Whether the value needs no path: nothing moves what is paid, or the mean of what moves it is
 * known. Rates that differ by regime discount each path by itself. */
static bool trade_is_exact(const levy_trade *trade)
{
    const levy_payoff *const kind = levy_payoffs[trade->payoff];
    const uint32_t features = levy_model_features(trade->model->kind, NULL);
    const bool adds =
        trade->aggregate == LEVY_AGGREGATE_NONE || trade->aggregate == LEVY_AGGREGATE_BASKET;
    bool mean = !(features & LEVY_MODEL_SCALES) && adds;
    for (size_t u = 0; u < trade->n_underlyings; ++u) {
        const levy_asset *const asset = trade->model->assets[trade->underlyings[u]];
        mean = mean && !(asset->n_cash > 0 && asset->cash_times[0] <= trade->expiry);
    }
    return !trade->known && !levy_model_discounts(trade->model->kind, trade->model->terms) &&
           (kind->is_fixed || (kind->is_forward && mean) || trade_is_decided(trade));
}

double levy_trade_deviation(const levy_trade *t, size_t u, double time)
{
    const levy_model_kind *const kind = levy_model_kinds[t->model->kind];
    const double own =
        kind->volatility ? kind->volatility(t->model->terms, t->underlyings[u]) : 0.0;
    if (own > 0.0) return own * levy_sqrt(time);
    return levy_sqrt(levy_asset_total_variance(t->model->assets[t->underlyings[u]], time));
}

bool levy_trade_build(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_trade *raw = frame->raw;
    trade->id = raw->id;
    trade->node = raw->node;
    trade->payoff = raw->payoff.kind;
    const levy_payoff *const kind = levy_payoffs[raw->payoff.kind];
    const bool defined = levy_terms_table(raw) != kind->table;
    trade->payoff_kind_name = defined ? levy_defined_of(raw->payoff.table)->name : kind->kind;
    trade->terms = raw->payoff.value;
    bool good = trade_tags(build, frame);
    if (raw->measures.count > 0)
        good &= levy_measures_build(build, &raw->measures, trade_path(build, frame, "measures"),
                                    &trade->measures);
    good &= trade_size(build, frame, trade);
    trade->model = trade_model(build, frame);
    const bool named = trade->model && trade_underlyings(build, frame, trade);
    if (named) good &= trade_measures(build, frame, trade);
    const bool timed = trade_expiry(build, frame, trade);
    good &= named && trade_money(build, frame, trade);
    const bool paid =
        timed && trade_payment(build, frame, trade) && trade_paid(build, frame, trade);
    good &= timed && paid;
    if (named && paid) good &= trade_regimes(build, frame, trade);
    good &= named && (trade->known ? paid : timed) && levy_terms_build(build, frame, trade);
    good = good && trade_regimes_at_once(build, frame, trade);
    if (!good) return false;
    trade->exact = trade_is_exact(trade);
    if (trade->exact) {
        trade->integrated = trade->integrable = trade->softened = trade->discontinuous = false;
        levy_trade_take_form(trade, false);
        trade->unsmoothed = NULL;
    }
    trade->discount_factor =
        levy_exp(levy_curve_log_discount(trade->discount_curve, trade->payment_time));
    return true;
}
