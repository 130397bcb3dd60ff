/* models.c: see models.h. */
#include "engine/problem/models.h"

#include "engine/market/correlation_part.h"
#include "engine/market/parameter.h"

#include <string.h>

/* Finds the numbers of the assets that a model lists. Each may occur once. *known: the market has
 * all of them, though one may have a fault. */
static bool models_assets(levy_check *build, levy_market *market, const levy_model_terms *terms,
                          const char *path, size_t *assets, bool *known)
{
    const char *const *names = terms->assets.items;
    const levy_node *node = terms->assets.node->children;
    bool good = true;
    for (size_t i = 0; i < terms->assets.count; ++i, node = node->next) {
        const char *at = levy_check_text(build, "%s[%zu]", path, i);
        if (levy_market_use(build, &market->asset_map, names[i], node, at) == LEVY_NO_NAME)
            good = false;
        assets[i] = levy_names_find(&market->asset_map.names, names[i]);
        *known = *known && assets[i] != LEVY_NO_NAME;
        for (size_t j = 0; j < i; ++j)
            if (strcmp(names[i], names[j]) == 0)
                *known = good = LEVY_REFUSE(build, DUPLICATE_KEY, node, at, "Name each asset once.",
                                            "'%s' occurs twice", names[i]);
    }
    return good;
}

/* ---- What a model's own numbers need ---- */

static bool models_is_driven(const levy_model *model)
{
    return levy_model_features(model->kind, model->terms) & LEVY_MODEL_DRIVEN;
}

/* Whether a model reads the volatility of its asset number i. */
static bool models_reads_volatility(const levy_model *model, size_t i)
{
    const levy_model_kind *kind = levy_model_kinds[model->kind];
    return !(kind->volatility && kind->volatility(model->terms, i) > 0);
}

/* A list holds a number for each asset, or one for all. */
static bool models_check_lists(levy_check *build, const levy_variant_value *raw, const char *path,
                               size_t n)
{
    bool good = true;
    for (const levy_field *field = levy_model_kinds[raw->kind]->table->fields; field->name;
         field++) {
        const levy_list *list = (const levy_list *)((const char *)raw->value + field->offset);
        if (!levy_field_has_numbers(field) || list->count == 1 || list->count == n) continue;
        good = LEVY_REFUSE(build, INCONSISTENT, list->node,
                           levy_check_text(build, "%s.%s", path, field->name),
                           "Give one number for each asset, in the order of the assets, or one "
                           "for all.",
                           "has %zu numbers for %zu asset%s", list->count, n, n == 1 ? "" : "s");
    }
    return good;
}

static bool models_check_numbers(levy_check *build, const levy_variant_value *raw, const char *path,
                                 const levy_model *model)
{
    const levy_model_kind *kind = levy_model_kinds[raw->kind];
    bool good = kind->drivers == 0 || models_check_lists(build, raw, path, model->n_assets);
    for (size_t i = 0; good && kind->check && i < model->n_assets; ++i) {
        levy_model_fault fault;
        if (kind->check(model->terms, i, &fault)) continue;
        good = LEVY_REFUSE(build, INCONSISTENT, levy_check_at(raw->node, fault.key),
                           levy_check_text(build, "%s.%s", path, fault.key), fault.hint, "%s: %s",
                           model->assets[i]->name, fault.reason);
    }
    return good;
}

/* Keeps the market's correlations apart in models whose assets are independent, so that trades on
 * both assets of a pair can be refused. */
static bool models_uncorrelate(levy_check *build, const levy_correlation_part *part,
                               levy_model *model)
{
    const bool apart = !(levy_model_features(model->kind, model->terms) & LEVY_MODEL_SHARED);
    double *unplaced;
    if (!levy_correlation_none(build, part, &model->correlation, &unplaced)) return false;
    model->unplaced = apart ? unplaced : NULL;
    return true;
}

static bool models_moved_volatility(const levy_market *market, const levy_asset *asset)
{
    const levy_raw_asset *const raw = market->asset_map.items[asset - market->assets].raw;
    return raw && raw->moved_volatility;
}

/* How many of the models to come read an asset's volatility, and whether a model before has the
 * asset. */
typedef struct models_use {
    uint32_t readers;
    bool seen;
} models_use;

static size_t models_asset(const levy_market *market, const levy_model *model, size_t i)
{
    return (size_t)(model->assets[i] - market->assets);
}

/* A model with a fault may have no assets. */
static void models_count_readers(const levy_market *market, const levy_model *models, size_t n,
                                 models_use *uses)
{
    for (size_t m = 0; m < n; ++m)
        for (size_t i = 0; market->model_map.items[m].good && i < models[m].n_assets; ++i)
            uses[models_asset(market, &models[m], i)].readers +=
                models_reads_volatility(&models[m], i);
}

/* Goes on to the next model. A model at fault does not count. */
static void models_pass(const levy_market *market, const levy_model *model, bool good,
                        models_use *uses)
{
    for (size_t i = 0; i < model->n_assets; ++i) {
        models_use *const use = &uses[models_asset(market, model, i)];
        use->readers -= models_reads_volatility(model, i);
        use->seen = use->seen || good;
    }
}

/* Whether no model reads an asset's volatility for a price. (Regimes with volatilities of their own
 * use it for shifts only; then a level that was set deserves the warning too.) True only for the
 * first model on the asset, so that there is one warning. */
static bool models_leave_volatility(const levy_market *market, const levy_model *model,
                                    const models_use *use, const levy_asset *asset)
{
    return !use->seen && use->readers == 0 &&
           (models_is_driven(model) || models_moved_volatility(market, asset));
}

/* A shared market file gets no warning: another book may use its volatility. */
static void models_warn_volatility(levy_check *build, const levy_market *market,
                                   const levy_model *model, const levy_asset *asset)
{
    if (levy_volatility_nodes(&asset->volatility).n == 0) return;
    if (models_moved_volatility(market, asset))
        LEVY_WARN(build, INCONSISTENT, levy_check_at(asset->node, "volatility"),
                  levy_check_text(build, "market.assets.%s.volatility", asset->name),
                  "Change the parameters of the model, which determine its volatility.",
                  "the level that was set has no effect: the model '%s' is of kind %s", model->name,
                  levy_model_kinds[model->kind]->kind);
    else if (!market->asset_map.items[asset - market->assets].shared)
        LEVY_WARN(build, INCONSISTENT, levy_check_at(asset->node, "volatility"),
                  levy_check_text(build, "market.assets.%s.volatility", asset->name),
                  "Remove it, or move the asset to a market file that books refer to. "
                  "The model's own parameters determine its volatility.",
                  "has no effect: the model '%s' is of kind %s", model->name,
                  levy_model_kinds[model->kind]->kind);
}

/* False if an asset of a model lacks the volatility that the model reads. */
static bool models_check_volatility(levy_check *build, const levy_market *market,
                                    const levy_model *model, const models_use *uses)
{
    bool good = true;
    for (size_t i = 0; good && i < model->n_assets; ++i) {
        const levy_asset *const asset = model->assets[i];
        if (models_leave_volatility(market, model, &uses[asset - market->assets], asset))
            models_warn_volatility(build, market, model, asset);
        if (models_reads_volatility(model, i) && levy_volatility_nodes(&asset->volatility).n == 0)
            good = LEVY_REFUSE(build, MISSING_KEY, asset->node,
                               levy_check_text(build, "market.assets.%s", asset->name),
                               "Black volatility, flat or by term.", "missing key 'volatility'");
    }
    return good;
}

bool levy_models_check_volatilities(levy_check *build, const levy_market *market,
                                    levy_model *models, size_t n)
{
    bool all = true;
    models_use *const uses =
        levy_check_allocate(build, market->asset_map.names.count, sizeof *uses);
    if (!uses) return false;
    models_count_readers(market, models, n, uses);
    for (size_t m = 0; m < n; ++m) {
        bool *const good = &market->model_map.items[m].good;
        if (*good) {
            *good = models_check_volatility(build, market, &models[m], uses);
            models_pass(market, &models[m], *good, uses);
        }
        all &= *good;
    }
    return all;
}

/* What the model says of each asset and its variance, if it has a driver for that beside the
 * asset's. */
static bool models_shares(levy_check *build, const levy_market *market, const levy_model *model,
                          levy_correlation_part *part)
{
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    if (!levy_model_has_variances(kind)) return true;
    double *const shares = levy_check_allocate(build, model->n_assets, sizeof *shares);
    bool *const moved = levy_check_allocate(build, model->n_assets, sizeof *moved);
    if (!shares || !moved) return false;
    for (size_t i = 0; i < model->n_assets; ++i) {
        const levy_raw_asset *const raw =
            market->asset_map.items[models_asset(market, model, i)].raw;
        shares[i] = kind->correlation(model->terms, i, 0, 0.0);
        part->by_term =
            part->by_term ||
            (kind->share && levy_parameter_nodes(kind, model->terms, kind->share, i).n > 1);
        moved[i] = raw && raw->moved_share;
    }
    part->shares = shares;
    part->n_varied = model->n_assets;
    part->moved = moved;
    part->share = kind->share ? kind->share : "correlation";
    return true;
}

/* What the book says about the model's business days. */
static bool models_days(levy_check *build, levy_market *market, const levy_model_kind *kind,
                        levy_model_terms *terms, const char *path)
{
    static const char *const weekends[] = {"WEEKENDS"};
    levy_model_days *const days = kind->days ? kind->days(terms) : NULL;
    const levy_list fallback = {.items = (void *)(uintptr_t)weekends, .count = 1};
    if (!days) return true;
    const levy_list *const names = days->names.count ? &days->names : &fallback;
    days->is_dated = build->has_date;
    days->valuation = build->valuation;
    days->n_calendars = names->count;
    return levy_market_calendars(build, market, names, levy_check_text(build, "%s.calendars", path),
                                 &days->calendars);
}

/* Copies the terms, so that a quote that is set later changes no other problem. */
static levy_model_terms *models_terms(levy_check *build, const levy_variant_value *raw)
{
    const size_t size = levy_model_kinds[raw->kind]->table->size;
    levy_model_terms *const terms = levy_check_allocate(build, 1, size);
    if (!terms) return NULL;
    memcpy(terms, raw->value, size);
    const size_t n = terms->jumps.count;
    levy_jump_terms *const layers = levy_check_allocate(build, n, sizeof *layers);
    if (layers && n) memcpy(layers, terms->jumps.items, n * sizeof *layers);
    terms->jumps.items = n ? layers : NULL;
    return layers ? terms : NULL;
}

bool levy_model_build(levy_check *build, levy_market *market,
                      const levy_correlation_data *correlations, const levy_variant_value *raw,
                      const char *path, levy_model *model)
{
    *model = (levy_model){.name = levy_check_key(raw->node), .node = raw->node, .kind = raw->kind};
    if (raw->kind < 0 || !raw->value || levy_check_refused(build, path)) return false;
    levy_model_terms *const terms = models_terms(build, raw);
    model->terms = terms;
    if (!terms) return false;
    const levy_model_kind *const kind = levy_model_kinds[raw->kind];
    const size_t n = terms->assets.count;
    if (levy_parameters_spread(kind, terms, n, build->arena) != LEVY_OK)
        return build->out_of_memory = true, false;
    if (!levy_parameters_build(build, kind, terms, n, path)) return false;
    const char *at = levy_check_text(build, "%s.assets", path);
    model->n_assets = terms->assets.count;
    if (model->n_assets > LEVY_RAW_MAX_ASSETS)
        return LEVY_REFUSE(
            build, LIMIT, terms->assets.node, at, "Distribute the assets over several models.",
            "a model has at most %d assets; got %zu", LEVY_RAW_MAX_ASSETS, model->n_assets);
    if (kind->fits && !kind->fits(build, terms, path)) return false;
    size_t *assets = levy_check_allocate(build, model->n_assets, sizeof *assets);
    model->assets = levy_check_allocate(build, model->n_assets, sizeof *model->assets);
    if (!assets || !model->assets) return false;
    bool known = true, good = models_assets(build, market, terms, at, assets, &known);
    if (!known) return false;
    good = levy_jumps_check(build, terms, path) && good;
    good = models_days(build, market, kind, terms, path) && good;
    for (size_t i = 0; i < model->n_assets; ++i) model->assets[i] = &market->assets[assets[i]];
    levy_correlation_part part = {.market = market,
                                  .data = correlations,
                                  .node = terms->assets.node,
                                  .name = model->name,
                                  .path = at,
                                  .assets = assets,
                                  .n = model->n_assets};
    good = good && models_check_numbers(build, raw, path, model);
    if (models_is_driven(model)) return good && models_uncorrelate(build, &part, model);
    good = good && models_shares(build, market, model, &part);
    return levy_correlation_take(build, &part, &model->correlation) && good;
}
