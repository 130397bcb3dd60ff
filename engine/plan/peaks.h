/* peaks.h: where a payoff decides beside the peak of a law. The law of a short time may be far
 * narrower in its middle than its deviation, and its density may have a cusp or a pole there, so a
 * value bends on the scale of its distance from the middle. A path through the middles of all dates
 * shows how far that is: an average adds its dates up, and a barrier is asked for on each. Must not
 * know: bumps, images. */
#ifndef LEVY_PLAN_PEAKS_H
#define LEVY_PLAN_PEAKS_H

#include "engine/plan/dynamics.h"
#include "engine/problem/today.h"

/* How wide the middle of the log return's law until a date is, as a share of its deviation: 1
 * unless it is peaked. */
double levy_peak_width(const levy_dynamics_plan *plan, double time);

/* The level of the trade's first underlying in the middle of its law at a date, over today's. */
double levy_peak_middle(const levy_dynamics_plan *plan, const levy_asset *asset, double time);

/* The date on which least of a move of a path through the middles decides otherwise, and that move,
 * if the law of the date is peaked. A reach of INFINITY: there is none, or there are several
 * underlyings. */
levy_decision levy_peak_decision(const levy_dynamics_plan *plan, const levy_trade *trade);

#endif
