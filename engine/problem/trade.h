/* trade.h: one trade of the book with every name resolved and every rule across its keys checked.
 */
#ifndef LEVY_PROBLEM_TRADE_H
#define LEVY_PROBLEM_TRADE_H

#include "engine/problem/collect.h"

/* What a trade is resolved with. */
typedef struct levy_trade_frame {
    levy_check *build; /* takes its faults */
    levy_market *market;
    const levy_raw_trade *raw;
    const char *path;            /* "trades[3]" */
    const levy_problem *problem; /* the problem's simulation, models and scenarios are complete */
} levy_trade_frame;

/* cash_model.c: makes the model of payments that nothing moves and that name no underlying. NULL: a
 * fault was added. */
const levy_model *levy_trade_cash_model(const levy_trade_frame *frame);

/* cash_model.c: the curve on which payments in a currency are discounted: the one that is named,
 * that of the collateral, or the currency's. NULL: a fault was added, at `key` where none is
 * written. */
const levy_curve *levy_trade_curve(const levy_trade_frame *frame, const char *currency,
                                   const char *key);

/* whole.c: what a trade is whose legs, the trades after it, have been built; its state too. */
void levy_trade_join(levy_check *build, const levy_problem *problem, levy_trade *trade);

/* "trades[3].key" */
const char *levy_trade_path(const levy_trade_frame *frame, const char *key);
/* Whether its payoff is fixed payments. */
bool levy_trade_pays_fixed(const levy_trade_frame *frame);

/* trade_model.c: the first returns the model, or NULL with a fault; it adds none if the model
 * itself has one. The second fills the underlyings and needs the model. */
const levy_model *levy_trade_model(const levy_trade_frame *frame);
bool levy_trade_underlyings(const levy_trade_frame *frame, levy_trade *trade);

/* trade_checks.c: the first two check what regimes require: one needs expiry and payment, the other
 * the terms. The third checks measures and drivers; it needs model and underlyings. The last checks
 * that the model's calendars know all days up to expiry. */
bool levy_trade_check_regimes(const levy_trade_frame *frame, const levy_trade *trade);
bool levy_trade_check_discounts(const levy_trade_frame *frame, const levy_trade *trade);
bool levy_trade_check_measures(const levy_trade_frame *frame, const levy_trade *trade);
bool levy_trade_check_days(const levy_trade_frame *frame, const levy_trade *trade);

/* Fills `trade` and its state. A trade fails with a fault, but without one if its model was refused
 * before. */
void levy_trade_build(const levy_trade_frame *frame, levy_trade *trade);

/* trade_cash.c: refuses what affine dividends cannot have. It needs the terms. */
bool levy_trade_check_cash(const levy_trade_frame *frame, const levy_trade *trade);
/* trade_cash.c: whether cash by the spot rule takes its only underlying to 0 until expiry by more
 * than that chance, or may: a bound of it, if levels are lognormal but for cash. */
bool levy_trade_meets_floor(const levy_trade *trade, double chance);

/* trade_terms.c: the table that has filled a payoff's terms. It belongs to levy's kind or to a kind
 * that a file defines. */
const levy_table *levy_terms_table(const levy_raw_trade *raw);

/* trade_terms.c: fills aggregate, weights, initial fixings and observations, and applies the kind's
 * own rules. It needs model, underlyings and expiry. */
bool levy_terms_build(const levy_trade_frame *frame, levy_trade *trade);

/* trade_terms.c: describes a trade to its payoff's kind, with the weights once they are built. */
levy_payoff_frame levy_trade_seen(const levy_trade_frame *frame, const levy_trade *trade);

/* trade_checks.c: refuses a measure that the trade or its book asks for. Returns false. */
bool levy_trade_refuse_measure(const levy_trade_frame *frame, const levy_trade *trade,
                               const char *name, const char *why);

/* units.c: whether the strike of a trade with a notional is a share of the initial level, though it
 * does not say so: then its terms and a warning do. */
bool levy_trade_take_share(const levy_trade_frame *frame, const levy_trade *trade);

/* trade_exercise.c: says when it may be exercised before expiry, and refuses what has no price
 * then. */
bool levy_trade_exercise(const levy_trade_frame *frame, levy_trade *trade);
/* The trade as it is read: one that was exercised early has expired on that day, unless notice has
 * been given of it alone. NULL: a fault was added. */
const levy_raw_trade *levy_trade_exercised(const levy_trade_frame *frame);
/* Adds a fault to exercise before expiry. Returns false. */
bool levy_trade_refuse_early(const levy_trade_frame *frame, const char *hint, const char *why);

/* trade_policy.c: the paths and the policy of a stage that fits a rule, and their seed. False: no
 * rule can be fitted. */
bool levy_trade_rule(const levy_trade_frame *frame, const levy_trade *trade,
                     struct levy_stage *stage, uint64_t *seed);

/* trade_policy.c: prices exercise on the dates of `early`, the trade's, on paths; gives them to an
 * american one. */
bool levy_trade_simulate_exercise(const levy_trade_frame *frame, levy_trade *trade,
                                  levy_early *early);

/* units.c: warns of numbers that may be in another unit, and refuses those that are. */
bool levy_trade_check_units(const levy_trade_frame *frame, const levy_trade *trade);

/* settle.c, for known trades: the first fills the fixings at expiry; the second observes the end of
 * a continuous window that closes at `end`. */
bool levy_trade_settle(const levy_trade_frame *frame, levy_trade *trade);
bool levy_trade_observe_end(levy_check *build, levy_trade *trade, double end);

bool levy_time_is_now(double t);
/* observe.c: reads the fixing of underlying u at time t; false: there is none. */
bool levy_trade_fixing(const levy_trade_frame *frame, const levy_trade *trade, size_t u, double t,
                       double *level);
/* Whether some underlying has a fixing at time t. */
bool levy_trade_is_fixed(const levy_trade_frame *frame, const levy_trade *trade, double t);
/* Notes that underlying u has no fixing of today while others have theirs, so that its spot
 * replaces it. False: no memory. */
bool levy_trade_stand_in(levy_check *build, levy_trade *trade, size_t u);
/* Applies a past observation of these levels. */
void levy_trade_take_past(levy_trade *trade, const double *levels, bool today);

/* observe.c: fills the observations and what past ones have left. */
bool levy_trade_observe(const levy_trade_frame *frame, levy_trade *trade);

/* trade_script.c: does the same for a payoff that is written as text. */
bool levy_trade_script(const levy_trade_frame *frame, levy_trade *trade);

/* The level that a payoff sees when its underlyings stand at `levels`. */
double levy_trade_level(const levy_trade *trade, const double *levels);

#endif
