/* observe.h: what observe.c, which builds observations on dates, shares with observe_continuous.c,
 * which builds those at all times. */
#ifndef LEVY_PROBLEM_OBSERVE_H
#define LEVY_PROBLEM_OBSERVE_H

#include "engine/problem/trade.h"

/* Of the trade's payoff; NULL: it has none. */
const levy_watch_terms *levy_observe_watch(const levy_trade *trade);

/* "trades[0].payoff.barrier.window": a key of the block that holds the observations; the block. */
const char *levy_observe_path(const levy_trade_frame *frame, const levy_trade *trade,
                              const char *key);
const levy_node *levy_observe_block(const levy_trade_frame *frame, const levy_trade *trade);

/* observe_continuous.c: checks the window, and makes its nodes the observations. */
bool levy_observe_continuously(const levy_trade_frame *frame, levy_trade *trade);

#endif
