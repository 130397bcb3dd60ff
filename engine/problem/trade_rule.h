/* trade_rule.h: what both ways of early exercise on paths share (trade_policy.c, trade_notice.c):
 * the trade becomes a script whose last schedules are those of exercise and expiry. Must not know:
 * how rules are fitted. */
#ifndef LEVY_PROBLEM_TRADE_RULE_H
#define LEVY_PROBLEM_TRADE_RULE_H

#include "engine/problem/trade.h"
#include "payoffs/policy.h"

/* Compiles the text of `of`, whose parameters and schedules are set; NULL of these: no memory. */
bool levy_rule_compile(const levy_trade_frame *frame, const levy_trade *trade,
                       const levy_policy *policy, levy_script_frame of, levy_scripted *scripted);

/* Whether exercise gains the strike at most. */
bool levy_rule_is_put(const levy_trade *trade);

/* Makes the trade that script. schedules: dates to come; today: it may end today. */
bool levy_rule_take(const levy_trade_frame *frame, const levy_times *schedules, size_t n,
                    bool today, levy_scripted *scripted, levy_trade *trade);

/* Keeps the dates of which notice can still be given, or the one of which it has been. */
bool levy_rule_notices(const levy_trade_frame *frame, levy_early *early);
/* Prices exercise on these, of which there are some. policy: what levy_policy_begin takes. */
bool levy_rule_notice(const levy_trade_frame *frame, const levy_policy *policy,
                      const levy_early *early, levy_trade *trade);

#endif
