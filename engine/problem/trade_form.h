/* trade_form.h: the other form of a trade (payoffs/script_form.h). If the lanes of a built-in
 * payoff cannot integrate it, a script prices it where it is integrated. Must not know:
 * settings. */
#ifndef LEVY_PROBLEM_TRADE_FORM_H
#define LEVY_PROBLEM_TRADE_FORM_H

#include "engine/market/correlation_part.h"
#include "engine/problem/trade.h"

/* Fills the trade's other form, and adds expiry to its schedules. Returns a phrase that says why it
 * has none, or NULL; NULL without a form means no memory. */
const char *levy_trade_find_script(levy_check *build, levy_trade *trade);

/* Gives the trade a form. Of LEVY_FORM_SCRIPT it must have been found. */
void levy_trade_take_form(levy_trade *trade, levy_trade_form form);

/* trade_quanto.c: gives a trade whose currency is not that of all its assets a copy of its model
 * in which these drift as they do where it is paid. False with a fault. */
bool levy_trade_quanto(const levy_trade_frame *frame, levy_trade *trade);
/* What both take of the market, for a key of the trade that says so: the correlations of n assets,
 * by their numbers. */
levy_correlation_part levy_trade_part(const levy_trade_frame *frame, const char *key,
                                      const levy_trade *trade, const size_t *numbers, size_t n);
/* Refuses a rate of exchange without a volatility. `who`: needs it. */
bool levy_trade_check_rate(const levy_trade_frame *frame, const char *who, const levy_asset *fx);
/* Whether a model has the rate and lets it jump; `common`: together with others. */
bool levy_trade_rate_jumps(const levy_model *model, const levy_asset *fx, bool common);
/* Gives the trade a copy of its model, for others that are paid so to find it. */
void levy_trade_take_copy(const levy_trade_frame *frame, levy_trade *trade, levy_model *copy);
/* trade_composite.c: a model in which they are seen in that currency. False with a fault. */
bool levy_trade_composite(const levy_trade_frame *frame, levy_trade *trade);

#endif
