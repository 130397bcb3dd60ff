/* cash_model.c: makes a model for payments that nothing moves and that name no underlying. It has
 * one asset of their currency, which no payment and no report reads. All trades of a curve share
 * the model, so that they share a group. See trade.h. */
#include "engine/problem/trade.h"

#include <string.h>

static bool cash_fill(levy_check *build, const char *currency, const levy_curve *curve,
                      levy_model *model)
{
    levy_asset *const asset = levy_check_allocate(build, 1, sizeof *asset);
    levy_model_terms *const terms =
        levy_check_allocate(build, 1, levy_model_kinds[LEVY_MODEL_BLACK_SCHOLES]->table->size);
    const levy_asset **const assets = levy_check_allocate(build, 1, sizeof *assets);
    if (!asset || !terms || !assets) return false;
    *asset = levy_asset_of_currency(currency, curve);
    assets[0] = asset;
    *model = (levy_model){.name = "(none)",
                          .kind = LEVY_MODEL_BLACK_SCHOLES,
                          .terms = terms,
                          .n_assets = 1,
                          .assets = assets,
                          .stands_in = true,
                          .correlation = levy_correlation_of_one()};
    return true;
}

const levy_curve *levy_trade_curve(const levy_trade_frame *frame, const char *currency,
                                   const char *key)
{
    const levy_raw_trade *const raw = frame->raw;
    const char *name = raw->discount_curve;
    if (name && raw->collateral) {
        LEVY_REFUSE(frame->build, INCONSISTENT, levy_check_at(raw->node, "collateral"),
                    levy_trade_path(frame, "collateral"), "Remove one of them.",
                    "discount_curve says already where payments are discounted");
        return NULL;
    }
    if (name) key = "discount_curve";
    if (!name && raw->collateral) {
        key = "collateral";
        name = levy_check_text(frame->build, "%s.%s", currency, raw->collateral);
    }
    return levy_market_curve(frame->build, frame->market, name, currency,
                             levy_check_at(raw->node, key), levy_trade_path(frame, key));
}

const levy_model *levy_trade_cash_model(const levy_trade_frame *frame)
{
    const levy_raw_trade *const raw = frame->raw;
    if (!raw->currency) {
        (void)LEVY_REFUSE(frame->build, MISSING_KEY, raw->node, frame->path, "Write currency: USD.",
                          "payments without a model and an underlying need a currency");
        return NULL;
    }
    const levy_curve *const curve = levy_trade_curve(frame, raw->currency, "currency");
    if (!curve) return NULL;
    levy_model **const known = &frame->problem->cash_models[curve - frame->market->curves];
    for (levy_model *model = *known; model; model = model->next)
        if (strcmp(model->assets[0]->currency, raw->currency) == 0) return model;
    levy_model *const model = levy_check_allocate(frame->build, 1, sizeof *model);
    if (!model || !cash_fill(frame->build, raw->currency, curve, model)) return NULL;
    model->next = *known;
    return *known = model;
}
