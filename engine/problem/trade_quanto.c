/* trade_quanto.c: finds what a payment in another currency makes of a trade's assets: each takes
 * the exchange rate of its currency and the payment's from the market, and its correlation with
 * that (E. Reiner, Quanto mechanics, Risk 5(3), 1992). Trades of a model that pay in one currency
 * share a copy of the model, so that they share groups. See trade_form.h. */
#include "engine/problem/trade_form.h"

#include "engine/market/parameter.h"
#include "engine/market/rate.h"
#include "models/jump_plan.h"

#include <string.h>

/* A diffusion by the market's volatilities drifts by a covariance that the market knows, and a
 * random variance by its own on each path. Jumps are independent of the rate, and stay as they
 * are. */
static bool quanto_check_model(const levy_trade_frame *frame, const levy_trade *trade,
                               const levy_asset *asset)
{
    const levy_model *const model = trade->model;
    const uint32_t others = levy_model_features(model->kind, model->terms) & ~LEVY_MODEL_JUMPS;
    if ((!others && !levy_model_kinds[model->kind]->volatility) ||
        levy_model_kinds[model->kind]->paid)
        return true;
    return LEVY_REFUSE(
        frame->build, UNSUPPORTED, levy_check_at(frame->raw->node, "currency"),
        levy_trade_path(frame, "currency"),
        levy_check_text(frame->build,
                        "Use a model of kind black_scholes, merton, kou, heston or bates, or "
                        "write currency: %s, which is another contract.",
                        asset->currency),
        "the trade is paid in %s, but %s is quoted in %s: the model '%s' is of kind "
        "%s, under which that is not priced yet",
        trade->header.currency, asset->name, asset->currency, trade->model->name,
        levy_model_kinds[trade->model->kind]->kind);
}

levy_correlation_part levy_trade_part(const levy_trade_frame *frame, const char *key,
                                      const levy_trade *trade, const size_t *numbers, size_t n)
{
    return (levy_correlation_part){.market = frame->market,
                                   .data = frame->problem->correlations,
                                   .node = levy_check_at(frame->raw->node, key),
                                   .name = trade->model->name,
                                   .path = levy_trade_path(frame, key),
                                   .assets = numbers,
                                   .n = n};
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

/* A rate that a trade sees has a variance of its own, of which the market's volatility knows
 * nothing. */
static bool quanto_check_seen(const levy_trade_frame *frame, const levy_trade *trade,
                              const levy_asset *fx)
{
    size_t i = 0;
    while (i < trade->n_underlyings && !levy_asset_is(levy_trade_asset(trade, i), fx)) ++i;
    if (i == trade->n_underlyings || !levy_model_kinds[trade->model->kind]->paid) return true;
    return LEVY_REFUSE(frame->build, UNSUPPORTED, levy_check_at(frame->raw->node, "currency"),
                       levy_trade_path(frame, "currency"), "Write quanto: simulated.",
                       "the trade is paid in %s by %s, which is one of its underlyings, with a "
                       "random variance under the model '%s': the market's volatility is not its",
                       trade->header.currency, fx->name, trade->model->name);
}

bool levy_trade_rate_jumps(const levy_model *model, const levy_asset *fx, bool common)
{
    const levy_jump_terms *const layers = model->terms->jumps.items;
    if (levy_model_asset(model, fx) == model->n_assets) return false;
    bool jumps = !common && levy_model_kinds[model->kind]->own_jumps;
    for (size_t i = 0; i < model->terms->jumps.count; ++i) {
        const levy_mark_terms *const table = levy_jump_table_of(&layers[i]);
        const levy_list *const names = table ? &table->assets : &layers[i].assets;
        bool has = !names->node;
        for (size_t k = 0; k < names->count; ++k)
            has = has || strcmp(((const char *const *)names->items)[k], fx->name) == 0;
        jumps = jumps || (has && (!common || layers[i].arrivals == 1));
    }
    return jumps;
}

/* A rate that jumps at its own times leaves the asset as it is, but not one that jumps with it. */
static bool quanto_check_jumps(const levy_trade_frame *frame, const levy_trade *trade,
                               const levy_asset *fx)
{
    return !levy_trade_rate_jumps(trade->model, fx, true) ||
           LEVY_REFUSE(frame->build, UNSUPPORTED, levy_check_at(frame->raw->node, "currency"),
                       levy_trade_path(frame, "currency"),
                       "Name the assets that jump together, without the rate of exchange.",
                       "the trade is paid in %s by %s, which jumps together with others under the "
                       "model '%s': that is not priced yet",
                       trade->header.currency, fx->name, trade->model->name);
}

/* Where all volatilities are the market's, the rate's own are those. */
static bool quanto_is_simulated(const levy_trade_frame *frame, const levy_trade *trade)
{
    return frame->raw->quanto == 1 && levy_model_kinds[trade->model->kind]->paid;
}

static bool quanto_check_has(const levy_trade_frame *frame, const levy_trade *trade,
                             const levy_asset *fx)
{
    const levy_model *const model = trade->model;
    if (levy_model_asset(model, fx) < model->n_assets) return true;
    return LEVY_REFUSE(frame->build, INCONSISTENT, levy_check_at(frame->raw->node, "quanto"),
                       levy_trade_path(frame, "quanto"),
                       levy_check_text(frame->build,
                                       "Add %s to the assets of the model, or write quanto: term.",
                                       fx->name),
                       "the model '%s' has no %s, by which the trade is paid: there is nothing to "
                       "simulate",
                       model->name, fx->name);
}

/* The correlations of n assets of the model, by their numbers there, and of a rate. Where the book
 * gives those of the rate and an asset's variance, they stand in place of the spots' times the
 * model's share. */
static bool quanto_correlate(const levy_trade_frame *frame, const levy_trade *trade,
                             const size_t *at, size_t n, const levy_asset *fx,
                             levy_correlation *correlation)
{
    const levy_model *const model = trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    const levy_asset *const market = frame->market->assets;
    size_t *const numbers = levy_check_allocate(frame->build, n + 1, sizeof *numbers);
    double *const shares = levy_check_allocate(frame->build, n, sizeof *shares);
    bool *const moved = levy_check_allocate(frame->build, n, sizeof *moved);
    if (!numbers || !shares || !moved) return false;
    levy_correlation_part part = levy_trade_part(frame, "currency", trade, numbers, n + 1);
    for (size_t i = 0; i < n; ++i) {
        numbers[i] = (size_t)(levy_asset_quoted(model->assets[at[i]]) - market);
        moved[i] = true; /* of its own spot the model's check has told */
        if (!kind->paid) continue;
        part.n_varied = n;
        shares[i] = kind->correlation(model->terms, at[i], 0, 0.0);
        part.by_term =
            part.by_term || levy_parameter_nodes(kind, model->terms, kind->share, at[i]).n > 1;
    }
    numbers[n] = (size_t)(fx - market);
    part.shares = shares;
    part.moved = moved;
    part.share = kind->share;
    return levy_correlation_take(frame->build, &part, correlation);
}

/* Makes a copy of an asset of the trade's model drift as it does where `paid` is paid. */
static bool quanto_asset(const levy_trade_frame *frame, const levy_trade *trade, size_t at,
                         levy_asset *copy)
{
    const levy_asset *const asset = trade->model->assets[at];
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
    if (quanto_is_simulated(frame, trade)
            ? !quanto_check_has(frame, trade, fx)
            : !levy_trade_check_rate(frame, who, fx) || !quanto_check_seen(frame, trade, fx))
        return false;
    if (!quanto_check_jumps(frame, trade, fx) || !quanto_correlate(frame, trade, &at, 1, fx, both))
        return false;
    *copy = *asset;
    copy->quanto =
        (levy_quanto){.of = asset, .fx = fx, .inverse = rate.inverse, .correlation = both};
    return true;
}

/* What is fixed, or known, reads no asset, and takes those of the market, so that what it is does
 * not hang on other trades. */
static bool quanto_reads_none(const levy_trade_frame *frame, const levy_trade *trade)
{
    return levy_trade_pays_fixed(frame) || trade->claim.expiry <= 0;
}

/* Whether an asset of a copy is as the trade's payment needs it. */
static bool quanto_is_paid(const levy_trade_frame *frame, const levy_trade *trade,
                           const levy_asset *asset)
{
    return quanto_reads_none(frame, trade) || asset->quanto.of ||
           strcmp(asset->currency, trade->header.currency) == 0;
}

/* Whether the correlations of assets that one rate pays are consistent with that rate's. */
static bool quanto_check(const levy_trade_frame *frame, const levy_trade *trade,
                         const levy_asset *const *assets, const levy_asset *fx)
{
    size_t *const at = levy_check_allocate(frame->build, trade->n_underlyings, sizeof *at);
    levy_correlation whole;
    size_t n = 0;
    if (!at) return false;
    for (size_t i = 0; i < trade->n_underlyings; ++i) {
        const levy_asset *const asset = assets[trade->underlyings[i]];
        if (asset->quanto.fx == fx && asset->quanto.of != fx) at[n++] = trade->underlyings[i];
    }
    return n < 2 || quanto_correlate(frame, trade, at, n, fx, &whole);
}

/* Pays for asset number `at` of the model, and for a rate that pays for it and is simulated. */
static bool quanto_pay(const levy_trade_frame *frame, const levy_trade *trade,
                       const levy_asset **assets, size_t at)
{
    if (quanto_is_paid(frame, trade, assets[at])) return true;
    levy_asset *const copy = levy_check_allocate(frame->build, 1, sizeof *copy);
    if (!copy || !quanto_asset(frame, trade, at, copy)) return false;
    assets[at] = copy;
    return !quanto_is_simulated(frame, trade) ||
           quanto_pay(frame, trade, assets, levy_model_asset(trade->model, copy->quanto.fx));
}

/* Makes those assets of a copy that no trade before has read; others stay as they are. */
static bool quanto_assets(const levy_trade_frame *frame, const levy_trade *trade,
                          const levy_asset **assets)
{
    const levy_asset *last = NULL;
    for (size_t i = 0; i < trade->n_underlyings; ++i)
        if (!quanto_pay(frame, trade, assets, trade->underlyings[i])) return false;
    for (size_t i = 0; i < trade->n_underlyings; ++i) {
        const levy_asset *const fx = assets[trade->underlyings[i]]->quanto.fx;
        if (fx && fx != last && !quanto_check(frame, trade, assets, fx)) return false;
        if (fx) last = fx;
    }
    return true;
}

/* The copy of the trade's model in which assets are paid so, as far as trades have read them. There
 * are few, whatever the trades' underlyings are. NULL: no memory. */
static levy_model *quanto_copy(const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_model *const model = trade->model;
    const bool fixed = quanto_reads_none(frame, trade),
               simulated = quanto_is_simulated(frame, trade);
    for (levy_model *m = *frame->problem->quanto_models; m; m = m->next)
        if (m->copies == model && !m->composite && m->fixed == fixed && m->simulated == simulated &&
            strcmp(m->paid_in, trade->header.currency) == 0)
            return m;
    levy_model *const copy = levy_check_allocate(frame->build, 1, sizeof *copy);
    const levy_asset **const assets =
        levy_check_allocate(frame->build, model->n_assets, sizeof *assets);
    if (!copy || !assets) return NULL;
    memcpy(assets, model->assets, model->n_assets * sizeof *assets);
    *copy = *model;
    copy->assets = assets;
    copy->fixed = fixed;
    copy->simulated = simulated;
    return copy;
}

/* Lets paths have the rates that pay, if they are simulated and no underlyings. */
static bool quanto_rates(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_model *const model = trade->model;
    const size_t n = trade->n_underlyings;
    if (!model->simulated || levy_trade_pays_fixed(frame) || trade->claim.expiry <= 0) return true;
    uint32_t *const all = levy_check_allocate(frame->build, 2 * n, sizeof *all);
    if (!all) return false;
    memcpy(all, trade->underlyings, n * sizeof *all);
    trade->underlyings = all;
    for (size_t i = 0; i < n; ++i) {
        const levy_asset *const fx = model->assets[all[i]]->quanto.fx;
        size_t k = 0;
        while (fx && k < n + trade->n_rates && !levy_asset_is(model->assets[all[k]], fx)) ++k;
        if (fx && k == n + trade->n_rates)
            all[n + trade->n_rates++] = (uint32_t)levy_model_asset(model, fx);
    }
    return true;
}

bool levy_trade_quanto(const levy_trade_frame *frame, levy_trade *trade)
{
    if (frame->raw->conversion != 0 && !levy_trade_pays_fixed(frame))
        return levy_trade_composite(frame, trade);
    levy_model *const copy = quanto_copy(frame, trade);
    if (!copy || !quanto_assets(frame, trade, copy->assets)) return false;
    if (copy->copies)
        trade->model = copy;
    else
        levy_trade_take_copy(frame, trade, copy);
    return quanto_rates(frame, trade);
}
