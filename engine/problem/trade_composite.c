/* trade_composite.c: gives a trade whose assets are seen in its payment's currency a model of its
 * own, in which such an asset is the product of itself and the rate of exchange: lognormal, too,
 * since both are, with the variance of the sum of two logarithms. Jumps of the asset are
 * independent of the rate, and those of the product. The rates stand behind the
 * trade's assets, so that correlations are those of all of them. Trades on the same assets share
 * the model, so that they share groups. See trade_form.h. */
#include "engine/problem/trade_form.h"

#include "engine/market/rate.h"
#include "models/jump_plan.h"

#include <string.h>

typedef struct composite_job {
    const levy_trade_frame *frame;
    const levy_node *node;
    const char *path;
    levy_model *model;
    const levy_asset **assets;
    size_t *numbers; /* of them in the market */
    size_t n;
} composite_job;

/* Whether a model has the trade's assets in their order, so seen. */
static bool composite_serves(const levy_model *model, const levy_trade *trade)
{
    bool serves = model->composite && model->copies == trade->model &&
                  strcmp(model->paid_in, trade->header.currency) == 0 &&
                  model->n_seen == trade->n_underlyings;
    for (size_t i = 0; serves && i < trade->n_underlyings; ++i)
        serves = levy_asset_is(model->assets[i], levy_trade_asset(trade, i));
    return serves;
}

static bool composite_refuse(const composite_job *job, const levy_asset *asset, const char *hint,
                             const char *why)
{
    return LEVY_REFUSE(job->frame->build, UNSUPPORTED, job->node, job->path, hint, "%s %s",
                       asset->name, why);
}

/* Only a product of two lognormals is one, beside jumps of the asset. */
static bool composite_check(const composite_job *job, const levy_trade *trade,
                            const levy_asset *asset, const levy_asset *fx)
{
    const levy_model *const model = trade->model;
    const uint32_t others = levy_model_features(model->kind, model->terms) & ~LEVY_MODEL_JUMPS;
    if (others || levy_model_kinds[model->kind]->volatility)
        return LEVY_REFUSE(job->frame->build, UNSUPPORTED, job->node, job->path,
                           "Use a model of kind black_scholes, merton or kou.",
                           "the model '%s' is of kind %s, under which a level times a rate of "
                           "exchange is not priced yet",
                           trade->model->name, levy_model_kinds[trade->model->kind]->kind);
    if (levy_carry_cash_dates(&asset->carry).n > 0)
        return composite_refuse(job, asset, "Write its dividends as proportional ones or a yield.",
                                "pays cash dividends, which a level times a rate of exchange "
                                "cannot have yet");
    if (levy_trade_rate_jumps(model, fx, false))
        return composite_refuse(job, fx, "Name the assets that jump, without the rate of exchange.",
                                "jumps, which a rate that assets are seen by cannot yet");
    if (levy_asset_is(asset, fx))
        return composite_refuse(job, asset, "Write conversion: quanto, or another currency.",
                                "is the rate itself: times it, it is 1 always");
    const char *const who = levy_check_text(job->frame->build, "a trade that sees %s in %s",
                                            asset->name, trade->header.currency);
    return levy_trade_check_rate(job->frame, who, fx);
}

static bool composite_correlate(const composite_job *job, const levy_trade *trade,
                                const size_t *numbers, size_t n, levy_correlation *correlation)
{
    const levy_correlation_part part = levy_trade_part(job->frame, "conversion", trade, numbers, n);
    return levy_correlation_take(job->frame->build, &part, correlation);
}

/* The number of an asset of the market among the model's, behind which it is added if it is new. */
static size_t composite_add(composite_job *job, const levy_asset *asset)
{
    size_t i = 0;
    while (i < job->n && !levy_asset_is(job->assets[i], asset)) ++i;
    if (i < job->n) return i;
    job->numbers[job->n] = (size_t)(asset - job->frame->market->assets);
    job->assets[job->n++] = asset;
    return i;
}

/* Makes asset i of the model the product, if it is quoted in another currency. */
static bool composite_asset(composite_job *job, const levy_trade *trade, size_t i)
{
    const levy_trade_frame *const frame = job->frame;
    const levy_asset *const asset = job->assets[i];
    const char *const paid = trade->header.currency;
    levy_rate rate;
    if (strcmp(asset->currency, paid) == 0) return true;
    levy_asset *const copy = levy_check_allocate(frame->build, 1, sizeof *copy);
    levy_correlation *const both = levy_check_allocate(frame->build, 1, sizeof *both);
    const char *const why =
        levy_check_text(frame->build, "the trade sees %s in %s, but it is quoted in %s",
                        asset->name, paid, asset->currency);
    const char *const beside =
        levy_check_text(frame->build, ", and its correlation with %s.spot", asset->name);
    if (!copy || !both ||
        !levy_market_use_rate(frame->build, frame->market, asset->currency, paid, job->node,
                              job->path, why, beside, &rate))
        return false;
    const levy_asset *const fx = &frame->market->assets[rate.asset];
    const size_t pair[] = {job->numbers[i], rate.asset};
    if (!composite_check(job, trade, asset, fx) || !composite_correlate(job, trade, pair, 2, both))
        return false;
    *copy = *asset;
    copy->quanto = (levy_quanto){.of = asset,
                                 .fx = fx,
                                 .inverse = rate.inverse,
                                 .composite = true,
                                 .number = composite_add(job, fx),
                                 .correlation = both};
    copy->currency = paid;
    copy->spot = levy_asset_composite(copy, asset->spot, fx->spot);
    copy->read_spot = levy_asset_composite(copy, asset->read_spot, fx->read_spot);
    job->assets[i] = copy;
    return true;
}

/* The terms for the assets in their new order. Layers of jumps that count assets by their place in
 * the list name them. */
static const levy_model_terms *composite_terms(const composite_job *job)
{
    const levy_model_terms *const own = job->model->terms;
    const size_t size = levy_model_kinds[job->model->kind]->table->size, n = own->jumps.count;
    levy_model_terms *const terms = levy_check_allocate(job->frame->build, 1, size);
    levy_jump_terms *const layers = levy_check_allocate(job->frame->build, n, sizeof *layers);
    const char **const names = levy_check_allocate(job->frame->build, job->n, sizeof *names);
    if (!terms || !layers || !names) return NULL;
    memcpy(terms, own, size);
    for (size_t i = 0; i < job->n; ++i) names[i] = job->assets[i]->name;
    terms->assets = (levy_list){.node = own->assets.node, .items = names, .count = job->n};
    for (size_t i = 0; i < n; ++i) {
        layers[i] = ((const levy_jump_terms *)own->jumps.items)[i];
        if (!layers[i].assets.node && !levy_jump_table_of(&layers[i]))
            layers[i].assets = own->assets;
    }
    if (n) terms->jumps.items = layers;
    return terms;
}

/* The trade's assets first, by the trade's own order. */
static void composite_number(levy_trade *trade)
{
    for (size_t i = 0; i < trade->n_underlyings; ++i) trade->underlyings[i] = (uint32_t)i;
}

bool levy_trade_composite(const levy_trade_frame *frame, levy_trade *trade)
{
    const size_t n = trade->n_underlyings;
    composite_job job = {.frame = frame,
                         .node = levy_check_at(frame->raw->node, "conversion"),
                         .path = levy_trade_path(frame, "conversion")};
    for (levy_model *m = *frame->problem->quanto_models; m; m = m->next)
        if (composite_serves(m, trade)) {
            trade->model = m;
            composite_number(trade);
            return true;
        }
    job.model = levy_check_allocate(frame->build, 1, sizeof *job.model);
    job.assets = levy_check_allocate(frame->build, 2 * n, sizeof *job.assets);
    job.numbers = levy_check_allocate(frame->build, 2 * n, sizeof *job.numbers);
    if (!job.model || !job.assets || !job.numbers) return false;
    *job.model = *trade->model;
    for (size_t i = 0; i < n; ++i) composite_add(&job, levy_trade_asset(trade, i));
    for (size_t i = 0; i < n; ++i)
        if (!composite_asset(&job, trade, i)) return false;
    if (!composite_correlate(&job, trade, job.numbers, job.n, &job.model->correlation))
        return false;
    job.model->terms = composite_terms(&job);
    if (!job.model->terms) return false;
    job.model->assets = job.assets;
    job.model->n_assets = job.n;
    job.model->n_seen = n;
    job.model->composite = true;
    levy_trade_take_copy(frame, trade, job.model);
    composite_number(trade);
    return true;
}
