/* today.h: what today's levels decide of a trade that observes today, or asks what is crossed from
 * today on, and how far they are from deciding otherwise. A price has a kink or a jump there,
 * whatever smooths it later. Where they would decide otherwise if it were one of the next dates, a
 * price bends on the scale of what the levels move until then. Must not know: bumps, plans. */
#ifndef LEVY_PROBLEM_TODAY_H
#define LEVY_PROBLEM_TODAY_H

#include "engine/market/market.h"
#include "engine/problem/problem.h"

/* Up to which relative move of one underlying's level, or of all, up or down, today decides the
 * same. INFINITY: it decides nothing, or nothing else up to `most`, in (0, 1). 0: the least move
 * counts. levels: of the underlyings today, as the payoff sees them. */
double levy_today_reach(const levy_trade *trade, const double *levels, double most);

/* The next date on which one of the trade's schedules decides. */
typedef struct levy_decision {
    double time;
    double reach; /* as levy_today_reach, if the levels of today were those of the date */
} levy_decision;

/* Finds these, of which there are LEVY_SCRIPT_BLOCKS at most, and returns their number. One that
 * decides the same wherever the levels may be is none. */
size_t levy_today_decisions(const levy_trade *trade, const double *levels, double most,
                            levy_decision *decisions);

/* By which of the relative moves `move`, -`move` and 0 of all levels the dates until `until` decide
 * as they do at `levels`, where these may lie on what they decide by: 0 if both do, or neither. On
 * a path a level is there but for rounding, and an integrated normal that moves it no more has it
 * on both sides. */
double levy_today_lean(const levy_trade *trade, const double *levels, double until, double move);

/* Up to which move to one side (1: up, -1: down) the next date of a schedule decides the same, up
 * to `most`, to 1e-3 of itself. INFINITY: up to there. Of all underlyings alike (`which`: n), or of
 * one alone, or of all (n + 1), where comparisons count, but not which of several levels is the
 * least. */
double levy_today_next_reach(const levy_trade *trade, const double *levels, uint32_t schedule,
                             size_t which, double side, double most);

/* What a built-in payoff without a barrier pays, per unit, that ends at levels after its past.
 * *decided: a number that says on which side of its bends that is. */
double levy_today_end(const levy_trade *trade, const double *levels, uint64_t *decided);

/* Whether today decides the same at two levels. */
bool levy_today_is_same(const levy_trade *trade, const double *levels, const double *moved);

/* Whether a barrier on dates was touched in the past, or is by today's levels. own: the trade as it
 * is written. */
bool levy_today_is_touched(const levy_trade *own, const double *levels);

/* What is due today of a payment at the hit, per unit, where today's spots are `spots`. */
double levy_today_due(const levy_trade *trade, const double *spots);

#endif
