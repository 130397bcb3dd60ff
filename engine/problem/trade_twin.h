/* trade_twin.h: the other form of a trade (payoffs/twin.h): a built-in payoff whose lanes cannot
 * integrate it is priced as a script where it is integrated. Must not know: settings. */
#ifndef LEVY_PROBLEM_TRADE_TWIN_H
#define LEVY_PROBLEM_TRADE_TWIN_H

#include "engine/problem/trade.h"

/* Fills the trade's other form and the date of expiry among its schedules. A phrase: it has none,
 * for that reason. NULL without a form: no memory. */
const char *levy_trade_find_twin(levy_check *build, levy_trade *trade);

/* Gives the trade the one form or the other. */
void levy_trade_take_form(levy_trade *trade, bool twin);

#endif
