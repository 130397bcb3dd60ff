/* trade_quanto.c: finds what a payment in another currency makes of a trade's assets: each takes
 * the exchange rate of its currency and the payment's from the market, and its correlation with
 * that (E. Reiner, Quanto mechanics, Risk 5(3), 1992). Trades of a model that pay in one currency
 * share a copy of the model, so that they share groups. See trade_form.h. */
#include "engine/problem/trade_form.h"

#include "engine/market/correlation_part.h"
#include "engine/market/rate.h"

#include <string.h>

/* Only a diffusion by the market's volatilities drifts by a covariance that the market knows. Jumps
 * beside it are independent of the rate, and stay as they are. */
static bool quanto_check_model(const levy_trade_frame *frame, const levy_trade *trade,
                               const levy_asset *asset)
{
    const levy_model *const model = trade->model;
    const uint32_t others = levy_model_features(model->kind, model->terms) & ~LEVY_MODEL_JUMPS;
    if (!others && !levy_model_kinds[model->kind]->volatility) return true;
    return LEVY_REFUSE(frame->build, UNSUPPORTED, levy_check_at(frame->raw->node, "currency"),
                       levy_trade_path(frame, "currency"),
                       levy_check_text(frame->build,
                                       "Use a model of kind black_scholes, merton or kou, or write "
                                       "currency: %s, which is another contract.",
                                       asset->currency),
                       "the trade is paid in %s, but %s is quoted in %s: the model '%s' is of kind "
                       "%s, under which that is not priced yet",
                       trade->header.currency, asset->name, asset->currency, trade->model->name,
                       levy_model_kinds[trade->model->kind]->kind);
}

bool levy_trade_correlate(const levy_trade_frame *frame, const char *key, const levy_trade *trade,
                          const size_t *numbers, size_t n, levy_correlation *correlation)
{
    const levy_correlation_part part = {.market = frame->market,
                                        .data = frame->problem->correlations,
                                        .node = levy_check_at(frame->raw->node, key),
                                        .name = trade->model->name,
                                        .path = levy_trade_path(frame, key),
                                        .assets = numbers,
                                        .n = n};
    return levy_correlation_take(frame->build, &part, correlation);
}

bool levy_trade_check_rate(const levy_trade_frame *frame, const char *who, const levy_asset *fx)
{
    return levy_volatility_nodes(&fx->volatility).n > 0 ||
           LEVY_REFUSE(frame->build, MISSING_DATA, fx->node,
                       levy_check_text(frame->build, "market.assets.%s.volatility", fx->name),
                       "Add volatility: 0.1, or a term structure.", "%s needs the volatility of %s",
                       who, fx->name);
}

void levy_trade_take_copy(const levy_trade_frame *frame, levy_trade *trade, levy_model *copy)
{
    levy_model **const first = frame->problem->quanto_models;
    copy->copies = trade->model;
    copy->paid_in = trade->header.currency;
    copy->next = *first;
    trade->model = *first = copy;
}

/* Makes a copy of an asset of the trade's model drift as it does where `paid` is paid. */
static bool quanto_asset(const levy_trade_frame *frame, const levy_trade *trade,
                         const levy_asset *asset, levy_asset *copy)
{
    const levy_node *const node = levy_check_at(frame->raw->node, "currency");
    const char *const path = levy_trade_path(frame, "currency");
    levy_market *const market = frame->market;
    levy_correlation *const both = levy_check_allocate(frame->build, 1, sizeof *both);
    levy_rate rate;
    if (!both || !quanto_check_model(frame, trade, asset)) return false;
    const char *const why =
        levy_check_text(frame->build, "the trade is paid in %s, but %s is quoted in %s",
                        trade->header.currency, asset->name, asset->currency);
    const char *const beside =
        levy_check_text(frame->build, ", and its correlation with %s.spot", asset->name);
    if (!levy_market_use_rate(frame->build, market, asset->currency, trade->header.currency, node,
                              path, why, beside, &rate))
        return false;
    const levy_asset *const fx = &market->assets[rate.asset];
    const char *const who = levy_check_text(frame->build, "a trade that is paid in %s on %s",
                                            trade->header.currency, asset->name);
    const size_t pair[] = {(size_t)(asset - market->assets), rate.asset};
    if (!levy_trade_check_rate(frame, who, fx) ||
        !levy_trade_correlate(frame, "currency", trade, pair, 2, both))
        return false;
    *copy = *asset;
    copy->quanto =
        (levy_quanto){.of = asset, .fx = fx, .inverse = rate.inverse, .correlation = both};
    return true;
}

/* Whether an asset of a model serves for the trade. What is fixed, or known, reads none, and takes
 * those of the market, so that what it is does not hang on other trades. */
static bool quanto_is_paid(const levy_trade_frame *frame, const levy_trade *trade,
                           const levy_asset *asset)
{
    return levy_trade_pays_fixed(frame) || trade->claim.expiry <= 0
               ? !asset->quanto.of
               : asset->quanto.of || strcmp(asset->currency, trade->header.currency) == 0;
}

/* Whether the correlations of assets that one rate pays are consistent with that rate's. */
static bool quanto_check(const levy_trade_frame *frame, const levy_trade *trade,
                         const levy_asset *const *assets, const levy_asset *fx)
{
    const levy_asset *const market = frame->market->assets;
    size_t *const numbers =
        levy_check_allocate(frame->build, trade->n_underlyings + 1, sizeof *numbers);
    levy_correlation whole;
    size_t n = 0;
    if (!numbers) return false;
    for (size_t i = 0; i < trade->n_underlyings; ++i) {
        const levy_asset *const asset = assets[trade->underlyings[i]];
        if (asset->quanto.fx == fx && asset->quanto.of != fx)
            numbers[n++] = (size_t)(asset->quanto.of - market);
    }
    numbers[n++] = (size_t)(fx - market);
    return n < 3 || levy_trade_correlate(frame, "currency", trade, numbers, n, &whole);
}

/* The assets that the trade does not read stay as they are. */
static bool quanto_assets(const levy_trade_frame *frame, const levy_trade *trade,
                          const levy_asset **assets)
{
    memcpy(assets, trade->model->assets, trade->model->n_assets * sizeof *assets);
    for (size_t i = 0; i < trade->n_underlyings; ++i) {
        const levy_asset **const at = &assets[trade->underlyings[i]];
        if (quanto_is_paid(frame, trade, *at)) continue;
        levy_asset *const copy = levy_check_allocate(frame->build, 1, sizeof *copy);
        if (!copy || !quanto_asset(frame, trade, *at, copy)) return false;
        *at = copy;
    }
    for (size_t i = 0; i < trade->n_underlyings; ++i) {
        const levy_asset *const fx = assets[trade->underlyings[i]]->quanto.fx;
        if (fx && !quanto_check(frame, trade, assets, fx)) return false;
    }
    return true;
}

/* Whether a copy of the trade's model serves for it: it has made all its assets. */
static bool quanto_serves(const levy_trade_frame *frame, const levy_model *copy,
                          const levy_trade *trade)
{
    bool serves = !copy->composite && copy->copies == trade->model &&
                  strcmp(copy->paid_in, trade->header.currency) == 0;
    for (size_t i = 0; i < trade->n_underlyings; ++i)
        serves = serves && quanto_is_paid(frame, trade, copy->assets[trade->underlyings[i]]);
    return serves;
}

bool levy_trade_quanto(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_model *const first = *frame->problem->quanto_models;
    if (frame->raw->conversion != 0 && !levy_trade_pays_fixed(frame))
        return levy_trade_composite(frame, trade);
    for (const levy_model *m = first; m; m = m->next)
        if (quanto_serves(frame, m, trade)) return trade->model = m, true;
    levy_model *const copy = levy_check_allocate(frame->build, 1, sizeof *copy);
    const levy_asset **const assets =
        levy_check_allocate(frame->build, trade->model->n_assets, sizeof *assets);
    if (!copy || !assets || !quanto_assets(frame, trade, assets)) return false;
    *copy = *trade->model;
    copy->assets = assets;
    levy_trade_take_copy(frame, trade, copy);
    return true;
}
