/* unread.c: see unread.h. */
#include "engine/problem/unread.h"

static bool unread_has(const levy_model *model, const levy_asset *asset)
{
    for (size_t i = 0; i < model->n_assets; ++i)
        if (model->assets[i] == asset) return true;
    return false;
}

/* The first model that has both assets, if none that has them reads their correlation. */
static const levy_model *unread_by(const levy_model *models, size_t n, const levy_asset *a,
                                   const levy_asset *b)
{
    const levy_model *found = NULL;
    for (size_t m = 0; m < n; ++m) {
        if (!unread_has(&models[m], a) || !unread_has(&models[m], b)) continue;
        if (!(levy_model_features(models[m].kind, models[m].terms) & LEVY_MODEL_SHARED))
            return NULL;
        if (!found) found = &models[m];
    }
    return found;
}

static bool unread_variance(const levy_model *models, size_t n, const levy_asset *asset)
{
    for (size_t m = 0; m < n; ++m)
        if (levy_model_has_variances(levy_model_kinds[models[m].kind]) &&
            unread_has(&models[m], asset))
            return false;
    return true;
}

/* Warns of the first variance that no model has. */
static void unread_variances(levy_check *build, const levy_market *market, const levy_model *models,
                             size_t n, const levy_correlation_data *data)
{
    for (size_t a = 0; a < data->n_assets; ++a) {
        if (data->rows[a + data->n_assets] == 0 || !unread_variance(models, n, &market->assets[a]))
            continue;
        LEVY_WARN(build, INCONSISTENT, data->node, data->path,
                  "Remove it, or move the correlations to a market file that books refer to.",
                  "%s.variance has no effect: no model gives %s a variance of its own",
                  market->assets[a].name, market->assets[a].name);
        return;
    }
}

void levy_warn_unread_correlations(levy_check *build, const levy_market *market,
                                   const levy_model *models, size_t n,
                                   const levy_correlation_data *data)
{
    const size_t n_assets = market->asset_map.names.count;
    if (!data->good || data->n == 0 || market->correlations_shared) return;
    for (size_t m = 0; m < n; ++m)
        if (!market->model_map.items[m].good) return; /* what it reads is not known */
    unread_variances(build, market, models, n, data);
    for (size_t a = 0; a < n_assets; ++a)
        for (size_t b = a + 1; b < n_assets; ++b) {
            if (levy_correlation_given(data, 0, a, b) == LEVY_NO_CORRELATION) continue;
            const levy_asset *const x = &market->assets[a], *const y = &market->assets[b];
            const levy_model *const model = unread_by(models, n, x, y);
            if (!model) continue;
            LEVY_WARN(build, INCONSISTENT, data->node, data->path,
                      "Remove it, or move the correlations to a market file that books refer to. "
                      "The model's own table determines how its assets move together.",
                      "the correlation of %s and %s has no effect: the model '%s' is of kind %s",
                      x->name, y->name, model->name, levy_model_kinds[model->kind]->kind);
            return;
        }
}
