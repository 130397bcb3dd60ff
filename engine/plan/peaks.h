/* peaks.h: where a payoff decides beside the peak of a law. The law of a short time, or that of a
 * variance which stays near 0 on most paths, may be far narrower in its middle than its deviation,
 * and its density may have a cusp or a pole there, so a value bends on the scale of its distance
 * from the middle. A path through the middles of all dates
 * shows how far that is: an average adds its dates up, and a barrier is asked for on each. Paths
 * that are integrated given a clock tell of the peak only if their clock is so little that they are
 * hardly moved, and of these there are few. Must not know: bumps, images. */
#ifndef LEVY_PLAN_PEAKS_H
#define LEVY_PLAN_PEAKS_H

#include "engine/plan/dynamics.h"
#include "engine/problem/today.h"

/* Finds what the next two ask of a model whose law tells it at some cost. */
void levy_peaks_find(levy_dynamics_plan *plan);

/* How wide the middle of the log return's law until a date is, as a share of its deviation: 1
 * unless it is peaked. */
double levy_peak_width(const levy_dynamics_plan *plan, double time);

/* The level of the trade's first underlying in the middle of its law at a date, over today's. */
double levy_peak_middle(const levy_dynamics_plan *plan, const levy_asset *asset, double time);

/* By how much the middle and its width move the logarithm while the volatility moves by itself, of
 * a law that levy_peaks_find found and that is peaked at a date; else 0. */
double levy_peak_by_volatility(const levy_dynamics_plan *plan, double time);

/* The date on which least of a move of a path through the middles decides otherwise, and that move,
 * if the law of the date is peaked. A reach of INFINITY: there is none, or there are several
 * underlyings. */
levy_decision levy_peak_decision(const levy_dynamics_plan *plan, const levy_trade *trade);

/* What lies there, of a script on paths whose clock may be little: per unit and undiscounted, by
 * how much more is paid beyond, and by how much the slope changes. */
typedef struct levy_peak_edge {
    double time, side, distance; /* in logarithms, 1: upward; a time of 0: there is none */
    double jump, bend;
} levy_peak_edge;

levy_peak_edge levy_peak_edge_of(const levy_dynamics_plan *plan, const levy_trade *trade);

/* What a path gives by the edge whose clock is so little that the `share` of paths has less, where
 * a market moves the logarithm of the level by `moved`. */
double levy_peak_little(const levy_dynamics_plan *plan, const levy_peak_edge *edge, double share,
                        double moved);

#endif
