/* closed_form.h: exact prices under the Black-Scholes model or Merton's, for trades that have one:
 * options whose level at one date, or geometric average over dates, is lognormal, and exchanges of
 * two assets. They are references for studies; pricing never uses them. Must not know: simulation,
 * reports. */
#ifndef LEVY_STUDY_CLOSED_FORM_H
#define LEVY_STUDY_CLOSED_FORM_H

#include "engine/problem/problem.h"

/* Returns the name of the form ("Black-Scholes"), or NULL: none is known. *price is of one unit;
 * times levy_trade_scale it is that of the position. */
const char *levy_closed_form(const levy_trade *trade, double *price);
/* The same of what a measure and its factor name: the price, or its derivative in quotes (not in
 * time, nodes or correlations), to about ten digits. The arena holds what it needs meanwhile. */
const char *levy_closed_greek(levy_arena *arena, const levy_trade *trade, uint32_t measure,
                              const char *factor, double *value);
/* Of calls and puts under heston and bates, which studies by steps alone ask for: in others the
 * steps' error would be taken for that of points. */
const char *levy_closed_law(levy_arena *arena, const levy_trade *trade, double *price);

#endif
