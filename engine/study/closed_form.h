/* closed_form.h: exact prices under the Black-Scholes model or Merton's, for trades that have one:
 * options whose level at one date, or geometric average over dates, is lognormal, and exchanges of
 * two assets. They are references for studies; pricing never uses them. Must not know: simulation,
 * reports. */
#ifndef LEVY_STUDY_CLOSED_FORM_H
#define LEVY_STUDY_CLOSED_FORM_H

#include "engine/problem/problem.h"

/* Returns the name of the form ("Black-Scholes"), or NULL: none is known. *price is of one unit;
 * times trade->scale it is that of the position. */
const char *levy_closed_form(const levy_trade *trade, double *price);

#endif
