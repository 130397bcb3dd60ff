/* trade_cash.c: what cash dividends mean for a trade: they fall off the spot on their dates, or, by
 * the affine rule, are added to what moves. Must not know: payoffs, paths. */
#include "engine/problem/trade.h"
#include "kernels/lane/scalar.h"
#include "models/model.h"

#include <stdint.h>

static const levy_carry *cash_carry(const levy_trade *trade, size_t u)
{
    return &levy_trade_asset(trade, u)->carry;
}

static bool cash_has(const levy_trade *trade, bool affine)
{
    bool has = false;
    for (size_t u = 0; u < trade->n_underlyings; ++u)
        has = has || (cash_carry(trade, u)->affine == affine &&
                      levy_carry_pays_cash(cash_carry(trade, u), trade->claim.expiry));
    return has;
}

bool levy_trade_adds_cash(const levy_trade *trade) { return cash_has(trade, true); }

bool levy_trade_pays_cash(const levy_trade *trade)
{
    return cash_has(trade, false) || levy_trade_adds_cash(trade);
}

levy_nodes levy_trade_ex_dates(const levy_trade *trade)
{
    levy_nodes dates = {0, NULL};
    if (trade->n_underlyings > 0) dates = levy_carry_falls(cash_carry(trade, 0));
    while (dates.n > 0 && dates.times[dates.n - 1] > trade->claim.expiry) --dates.n;
    return dates;
}

size_t levy_trade_schedules(const levy_trade *trade)
{
    const bool takes = levy_trade_is_integrated(trade) && levy_trade_ex_dates(trade).n > 0;
    return trade->kind.n_further + 1 + takes;
}

bool levy_trade_meets_floor(const levy_trade *trade, double chance)
{
    const levy_asset *const asset = levy_trade_asset(trade, 0);
    const levy_nodes dates = levy_trade_ex_dates(trade);
    double far = 6.0, shares = 0.0;
    while ((double)dates.n * levy_normal_cdf(-far) > chance) far += 0.125;
    for (size_t i = 0; i < dates.n; ++i) {
        const double t = dates.times[i], deviation = levy_trade_deviation(trade, 0, t);
        shares += levy_carry_cash(&asset->carry, t) / asset->spot *
                  levy_exp((0.5 * deviation + far) * deviation - levy_asset_log_forward(asset, t));
    }
    return shares >= 1.0;
}

/* It is the asset's market that does not fit, and the trade that says so. */
static bool cash_refuse(const levy_trade_frame *frame, const char *hint, const char *why)
{
    return LEVY_REFUSE(frame->build, UNSUPPORTED, frame->raw->payoff.node,
                       levy_trade_path(frame, "payoff"), hint, "%s", why);
}

bool levy_trade_check_cash(const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_model *const model = trade->model;
    if (!levy_trade_adds_cash(trade)) return true;
    if (cash_has(trade, false))
        return cash_refuse(frame, "Write the same rule under the dividends of all.",
                           "some underlyings pay cash dividends by rule affine, others by rule "
                           "spot");
    if (levy_model_discounts(model->kind, model->terms))
        return cash_refuse(frame, "Write rule: spot under the asset's dividends.",
                           "rates differ by regime, but rule affine discounts the cash to come at "
                           "one");
    if (levy_model_watches(model->kind, model->terms) != SIZE_MAX)
        return cash_refuse(frame, "Write rule: spot under the asset's dividends.",
                           "regimes are attracted by levels, of which rule affine moves a part");
    if (levy_trade_is_continuous(trade))
        return cash_refuse(frame,
                           "Write rule: spot under the asset's dividends, or watch on dates.",
                           "the level is watched at all times, but by rule affine it is not "
                           "lognormal between dates");
    return true;
}
