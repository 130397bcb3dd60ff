/* trade_black.c: see trade_black.h. */
#include "engine/problem/trade_black.h"

const char *levy_trade_black_objection(const levy_trade *t)
{
    if (!levy_payoffs[t->kind.payoff]->is_vanilla || t->n_underlyings != 1)
        return "only a call or put of kind european on one asset has an implied volatility";
    if (t->early) return "an option that may be exercised early has no volatility by Black";
    if (levy_model_discounts(t->model->kind, t->model->terms))
        return "rates that differ by regime leave no forward to imply a volatility on";
    if (levy_trade_is_paid_by_path(t))
        return "a payment in another currency leaves no forward to imply a volatility on";
    return NULL;
}

const char *levy_trade_black_option(const levy_trade *trade, levy_black_option *option)
{
    levy_trade room;
    const levy_trade *const t = levy_trade_written(trade, &room);
    const char *const objection = levy_trade_black_objection(t);
    if (objection) return objection;
    if (t->state != LEVY_TRADE_PRICED) return "nothing is left to chance until expiry";
    double raised;
    const double forward = levy_asset_forward(levy_trade_asset(t, 0), t->claim.expiry, &raised);
    *option = (levy_black_option){.forward = t->claim.coefficients[0] * forward,
                                  .strike = t->claim.terms->strike,
                                  .discount = levy_trade_discount(t),
                                  .years = t->claim.expiry,
                                  .is_call = t->claim.terms->option_type == LEVY_CALL};
    if (!(option->forward > 0.0 && option->strike > 0.0))
        return "Black's formula needs a positive forward and a positive strike";
    return NULL;
}
