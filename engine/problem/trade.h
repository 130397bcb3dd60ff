/* trade.h: one trade of the book with every name resolved and every rule across its keys checked.
 */
#ifndef LEVY_PROBLEM_TRADE_H
#define LEVY_PROBLEM_TRADE_H

#include "engine/problem/collect.h"

/* What a trade is resolved against. */
typedef struct levy_trade_frame {
    levy_market *market;
    const levy_model *models; /* [market->model_map] */
    const levy_raw_trade *raw;
    const char *path;            /* "trades[3]" */
    uint32_t measures;           /* of trades that name none */
    const levy_problem *problem; /* its simulation, models and scenarios are complete */
} levy_trade_frame;

/* Fills what the trade carries along: its texts, and its underlyings as one. */
void levy_trade_label(levy_check *build, const levy_raw_trade *raw, levy_trade *trade);

/* cash_model.c: the stand-in for a model of payments that nothing moves and that name no
 * underlying. NULL with a fault. */
const levy_model *levy_trade_cash_model(levy_check *build, const levy_trade_frame *frame);

/* Signed: position times notional or quantity. */
double levy_trade_size(const levy_raw_trade *raw);

/* whole.c: what a trade is whose legs, the trades after it, have been built; its state too. */
void levy_trade_join(levy_check *build, const levy_collected_trade *from, levy_trade *trade);

/* "trades[3].key" */
const char *levy_trade_path(levy_check *build, const levy_trade_frame *frame, const char *key);
/* Whether its payoff is fixed payments. */
bool levy_trade_pays_fixed(const levy_trade_frame *frame);

/* trade_model.c: the first gives the model; NULL: there is none, with a fault unless the model has
 * one. The second fills the underlyings; needs the model. */
const levy_model *levy_trade_model(levy_check *build, const levy_trade_frame *frame);
bool levy_trade_underlyings(levy_check *build, const levy_trade_frame *frame, levy_trade *trade);

/* trade_checks.c: what regimes ask of a trade: the first needs expiry and payment, the second the
 * terms. The third checks what is measured, and the drivers; needs model and underlyings. */
bool levy_trade_check_regimes(levy_check *build, const levy_trade_frame *frame,
                              const levy_trade *trade);
bool levy_trade_check_discounts(levy_check *build, const levy_trade_frame *frame,
                                const levy_trade *trade);
bool levy_trade_check_measures(levy_check *build, const levy_trade_frame *frame,
                               const levy_trade *trade);

/* Fills `trade` and its state. It fails with a fault, or without one if its model was refused
 * already. */
void levy_trade_build(levy_check *build, const levy_trade_frame *frame, levy_trade *trade);

/* trade_terms.c: the table that has filled a payoff's terms: its kind's own, or that of a kind that
 * a file defines. */
const levy_table *levy_terms_table(const levy_raw_trade *raw);

/* trade_terms.c: aggregate, weights, initial fixings, the kind's own rules, observations. Needs
 * model, underlyings and expiry. */
bool levy_terms_build(levy_check *build, const levy_trade_frame *frame, levy_trade *trade);

/* trade_terms.c: a trade as its payoff's kind sees it; the weights once they are built. */
levy_payoff_frame levy_trade_seen(const levy_trade_frame *frame, const levy_trade *trade);

/* units.c: warns of numbers that may be in another unit, and refuses those that are. */
bool levy_trade_check_units(levy_check *build, const levy_trade_frame *frame,
                            const levy_trade *trade);

/* settle.c, for known trades: the first fills the fixings at expiry, the second observes the end of
 * continuous monitoring until `end`. */
bool levy_trade_settle(levy_check *build, const levy_trade_frame *frame, levy_trade *trade);
bool levy_trade_observe_end(levy_check *build, levy_trade *trade, double end);

bool levy_time_is_now(double t);
/* observe.c: the fixing of underlying u at time t; false: there is none. */
bool levy_trade_fixing(const levy_trade_frame *frame, const levy_trade *trade, size_t u, double t,
                       double *level);
/* Whether some underlying has a fixing at time t. */
bool levy_trade_is_fixed(const levy_trade_frame *frame, const levy_trade *trade, double t);
/* Notes that the spot of underlying u stands for its fixing of today, where others have theirs.
 * False: no memory. */
bool levy_trade_stand_in(levy_check *build, levy_trade *trade, size_t u);
/* Applies a past observation of these levels. */
void levy_trade_take_past(levy_trade *trade, const double *levels, bool today);

/* observe.c: fills observations and what the past has done. */
bool levy_trade_observe(levy_check *build, const levy_trade_frame *frame, levy_trade *trade);

/* trade_script.c: the same for a payoff that is written as text. */
bool levy_trade_script(levy_check *build, const levy_trade_frame *frame, levy_trade *trade);

/* The level that a payoff sees when its underlyings stand at `levels`. */
double levy_trade_level(const levy_trade *trade, const double *levels);

#endif
