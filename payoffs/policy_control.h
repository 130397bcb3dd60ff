/* policy_control.h: a control variate of an option that is exercised by a rule: the value, when a
 * path is exercised, of the European with the same strike and expiry (N. Rasmussen, J. of
 * Computational Finance 9, 2005). Discounted it is a martingale, so that its mean is the European's
 * value today whatever the rule is. A path pays its share of it back, and has that share of the
 * mean from its start. The share comes of the fit's paths, as pilot: consecutive parts of them
 * stand for replicates. Values are in money of the payment date. Must not know: how the levels'
 * paths are made. */
#ifndef LEVY_PAYOFFS_POLICY_CONTROL_H
#define LEVY_PAYOFFS_POLICY_CONTROL_H

#include "payoffs/policy.h"

/* Numbers of a date, behind the polynomial's: levy_stage_law of the item's market, the last times
 * the share. Of today's row the second is by what the control divided the pilot's variance. */
enum {
    LEVY_CONTROL_GROWTH,
    LEVY_CONTROL_DEVIATION,
    LEVY_CONTROL_HELD,
    LEVY_CONTROL_NUMBERS,
    LEVY_CONTROL_GAIN = LEVY_CONTROL_DEVIATION
};

/* Number k of a date, of a row of the fit. */
double levy_control_number(const levy_policy *policy, const levy_stage_law *law,
                           const double *fitted, size_t k);
/* The share of the European today: what a path has from its start. fitted: today's row. */
double levy_control_start(const levy_policy *policy, const levy_stage_law *law,
                          const double *fitted, double level);
/* Fits the share, and fills it into all rows: [n_dates], and today's. paid, control: [path]. */
void levy_control_fit(const levy_policy *policy, size_t n_paths, size_t n_dates, const double *paid,
                      const double *control, double *fitted);
/* Writes the lines from exercise on, and what is paid at expiry. */
void levy_control_write(const levy_policy *policy, levy_script_form *form);
/* Steps of a date that are its own, which only dates take on which a path is exercised; and all. */
uint32_t levy_control_steps(const levy_script *script, uint32_t *all);
/* See levy_stage.note. */
void levy_control_note(const levy_claim *claim, const double *fitted, char *text);

#endif
