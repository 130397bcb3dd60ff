/* black.h: Black's formula on a forward, and the volatility that a price implies. Source: F. Black,
 * J. Financial Economics 3, 1976. Must not know: curves, quotes. */
#ifndef LEVY_FOURIER_BLACK_H
#define LEVY_FOURIER_BLACK_H

#include <stdbool.h>

/* Out of the money and undiscounted, by the geometric mean of forward and strike: x = -|log(F/K)|,
 * s = volatility sqrt(t) > 0. Relative error 1e-13, where neither x nor s is tiny, also far out. */
double levy_black_out(double x, double s);
/* The undiscounted price by the forward; log_strike = log(K/F). */
double levy_black_put(double log_strike, double s);
/* Its slope in s, of puts and calls alike. */
double levy_black_vega(double log_strike, double s);

/* The s of an undiscounted put or call by the forward. 0: the price is its least one, max(+-(K/F -
 * 1), 0); HUGE_VAL: its most one; NaN: it is beyond these. */
double levy_black_implied(double log_strike, bool is_call, double price);
/* Delta of the forward: Phi(d1) of a call, -Phi(-d1) of a put. The log strike that has it. */
double levy_black_strike_of_delta(double delta, double s);

#endif
