/* trade_black.c: see trade_black.h. */
#include "engine/problem/trade_black.h"

#include "kernels/lane/scalar.h"

const char *levy_trade_black_objection(const levy_trade *t)
{
    if (!levy_payoffs[t->kind.payoff]->is_vanilla || t->n_underlyings != 1)
        return "only a call or put of kind european on one asset has an implied volatility";
    if (levy_model_discounts(t->model->kind, t->model->terms))
        return "rates that differ by regime leave no forward to imply a volatility on";
    return NULL;
}

/* The mean at `time`; cash dividends fall off it, as if none met the floor at 0. */
static double black_forward(const levy_asset *asset, double time)
{
    const levy_nodes dates = levy_carry_cash_dates(&asset->carry);
    const double growth = levy_asset_log_forward(asset, time);
    double forward = asset->spot * levy_exp(growth);
    for (size_t k = 0; k < dates.n && dates.times[k] <= time; ++k)
        forward -= levy_carry_cash(&asset->carry, dates.times[k]) *
                   levy_exp(growth - levy_asset_log_forward(asset, dates.times[k]));
    return forward;
}

const char *levy_trade_black_option(const levy_trade *trade, levy_black_option *option)
{
    levy_trade room;
    const levy_trade *const t = levy_trade_written(trade, &room);
    const char *const objection = levy_trade_black_objection(t);
    if (objection) return objection;
    if (t->state != LEVY_TRADE_PRICED) return "nothing is left to chance until expiry";
    const double unit = t->claim.coefficients[0];
    *option = (levy_black_option){.forward =
                                      unit * black_forward(levy_trade_asset(t, 0), t->claim.expiry),
                                  .strike = t->claim.terms->strike,
                                  .discount = levy_trade_discount(t),
                                  .years = t->claim.expiry,
                                  .is_call = t->claim.terms->option_type == LEVY_CALL};
    if (!(option->forward > 0.0 && option->strike > 0.0))
        return "Black's formula needs a positive forward and a positive strike";
    return NULL;
}
