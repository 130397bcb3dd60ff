/* trade_black.h: a trade as an option that Black's formula prices: a European call or put on one
 * asset. Must not know: volatilities, results. */
#ifndef LEVY_PROBLEM_TRADE_BLACK_H
#define LEVY_PROBLEM_TRADE_BLACK_H

#include "engine/problem/problem.h"

typedef struct levy_black_option {
    double forward, strike, discount, years;
    bool is_call;
} levy_black_option;

/* Why a trade is none; NULL: it is one. The second also needs the dates, and fills `option` with
 * the terms of one unit on today's market. */
const char *levy_trade_black_objection(const levy_trade *trade);
const char *levy_trade_black_option(const levy_trade *trade, levy_black_option *option);

#endif
