/* script_build.h: a script while its trade is built. trade_script.c calls script_dates.c,
 * script_floating.c, script_past.c and script_crossed.c in order. False means a fault, or no
 * memory. */
#ifndef LEVY_PROBLEM_SCRIPT_BUILD_H
#define LEVY_PROBLEM_SCRIPT_BUILD_H

#include "engine/problem/schedule.h"
#include "engine/problem/trade.h"
#include "payoffs/scripted.h"

/* The schedules in the order of the script's frame; the last one is expiry. */
typedef struct levy_script_build {
    levy_check *check;
    const levy_trade_frame *frame;
    levy_trade *trade;
    const levy_script_source *source;
    levy_scripted *scripted;
    levy_observations all[LEVY_PAYOFF_SCHEDULES];
    const char *names[LEVY_PAYOFF_SCHEDULES];
    size_t n;
    levy_time start; /* of the first period of an accrual */
    double from;     /* its time */
} levy_script_build;

/* "trades[0].payoff.key", and its place. */
const char *levy_script_path(levy_script_build *b, const char *key);
const levy_node *levy_script_node(const levy_script_build *b, const char *key);

/* ---- script_dates.c ---- */

bool levy_script_schedules(levy_script_build *b);
/* The path of a schedule's dates. */
const char *levy_script_dates_path(levy_script_build *b, size_t schedule);
/* Fills the parameter that holds the fractions, if there is one. */
bool levy_script_accrue(levy_script_build *b);
/* Variance that is made annual by a number that its dates do not have is wrong by their ratio. */
void levy_script_warn_returns(levy_script_build *b);
/* A coupon of a date that is more than the notional in a year, and over all dates, is one of a year
 * that was meant. */
bool levy_script_check_coupon(levy_script_build *b);

/* ---- script_floating.c ---- */

/* Makes floating coupons of the fractions, if the payoff has them. */
bool levy_script_float(levy_script_build *b);

/* ---- script_past.c ---- */

/* Counts the past dates of a schedule and lists the future ones. */
void levy_script_part(levy_script_build *b, size_t schedule);
/* Refuses past dates on which a variance is read, and today: fixings are of levels. */
bool levy_script_check_variances(levy_script_build *b);
/* Runs the past dates, which fills the states and what is owed. */
bool levy_script_run_past(levy_script_build *b);

/* ---- script_rights.c ---- */

/* Lets a stage fit the rules of its rights. */
bool levy_script_take_rights(levy_script_build *b);

/* ---- script_bound.c ---- */

struct levy_rights;
/* Lets it fit the other bound as well, if it is asked for, or says why not. */
bool levy_script_bound(levy_script_build *b, struct levy_rights *rights);

/* ---- script_crossed.c ---- */

/* Does a block of the schedule see a level? */
bool levy_script_sees(const levy_script_build *b, size_t schedule);
/* Whether logarithms of levels are Brownian between dates, and nobody needs to know what was
 * crossed in the past. */
bool levy_script_check_crossed(levy_script_build *b);

#endif
