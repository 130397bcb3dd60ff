/* script_state.h: reads the state that a trade gives in place of its script's past. Fixings cannot
 * tell it, as when a contract's life began elsewhere. Must not know: schedules, fixings, how a
 * script runs. */
#ifndef LEVY_PROBLEM_SCRIPT_STATE_H
#define LEVY_PROBLEM_SCRIPT_STATE_H

#include "engine/problem/trade.h"
#include "payoffs/scripted.h"

/* Whether the trade gives a state. Then no date before the valuation date is run. */
bool levy_script_has_state(const levy_trade *trade);

/* Fills the states of the trade's script, which are those of its start, from the trade's `state`
 * and `unpaid`. Without a state it changes nothing. False with faults. */
bool levy_script_take_state(const levy_trade_frame *frame, const levy_trade *trade, double *states);

/* Adds an amount that is to be paid at a time, per unit. False: no memory. */
bool levy_script_owes(levy_check *check, levy_scripted *scripted, double time, double amount);

#endif
