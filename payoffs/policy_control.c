/* policy_control.c: see policy_control.h. */
#define LANE_SCALAR
#include "payoffs/policy_control.h"

#include "payoffs/policy_bound_lanes.h"
#include "payoffs/scripted.h"

#include <stdio.h>

enum { CONTROL_PARTS = 64 }; /* of the pilot, each of as many paths */

static const double *control_numbers(const levy_policy *p, const double *fitted)
{
    return fitted + p->n_own - LEVY_CONTROL_NUMBERS;
}

double levy_control_number(const levy_policy *p, const levy_stage_law *law, const double *fitted,
                           size_t k)
{
    const double share = control_numbers(p, fitted)[LEVY_CONTROL_HELD];
    if (k == LEVY_CONTROL_GROWTH) return law->growth;
    return k == LEVY_CONTROL_DEVIATION ? law->deviation : share * law->due;
}

double levy_control_start(const levy_policy *p, const levy_stage_law *law, const double *fitted,
                          double level)
{
    const lane mean = lane_of(level * law->growth);
    return control_numbers(p, fitted)[LEVY_CONTROL_HELD] *
           lane_get(control_european(p, mean, law->deviation), 0);
}

/* ---- The share ---- */

/* The means of a part. */
static void control_part(size_t n, size_t part, const double *paid, const double *control,
                         double *mean_paid, double *mean_control)
{
    *mean_paid = *mean_control = 0.0;
    for (size_t k = part * n; k < (part + 1) * n; ++k) {
        *mean_paid += paid[k];
        *mean_control += control[k];
    }
    *mean_paid /= (double)n;
    *mean_control /= (double)n;
}

void levy_control_fit(const levy_policy *p, size_t n_paths, size_t n_dates, const double *paid,
                      const double *control, double *fitted)
{
    const size_t parts = n_paths < CONTROL_PARTS ? n_paths : CONTROL_PARTS;
    double x[CONTROL_PARTS] = {0.0}, y[CONTROL_PARTS] = {0.0}, mean_x, mean_y, xy = 0.0;
    for (size_t i = 0; i < parts; ++i)
        control_part(n_paths / parts, i, paid, control, &y[i], &x[i]);
    const double xx = levy_policy_moments(parts, 1, x, &mean_x),
                 yy = levy_policy_moments(parts, 1, y, &mean_y);
    for (size_t i = 0; i < parts; ++i) xy += (x[i] - mean_x) * (y[i] - mean_y);
    const double share = xx > 0.0 ? xy / xx : 0.0, left = yy - share * xy;
    for (size_t date = 0; date <= n_dates; ++date)
        fitted[date * p->stage.n_fitted + p->n_own - LEVY_CONTROL_NUMBERS + LEVY_CONTROL_HELD] =
            share;
    /* one of their number's degrees of freedom is the share's */
    const double freedom = (double)(parts - 2) / (double)(parts - 1);
    fitted[n_dates * p->stage.n_fitted + p->n_own - LEVY_CONTROL_NUMBERS + LEVY_CONTROL_GAIN] =
        left > 0.0 ? freedom * yy / left : 1.0;
}

/* ---- The script ---- */

void levy_control_write(const levy_policy *p, levy_script_form *form)
{
    const bool call = p->sign > 0.0;
    levy_script_form_write(form, "\n    if more <= 0 {\n"
                                 "      let ahead = now * growth[number]\n"
                                 "      let away = log(ahead / strike) / left[number] + "
                                 "left[number] / 2\n"
                                 "      let better = ahead * cdf(away) + strike * "
                                 "cdf(left[number] - away)\n");
    levy_script_form_write(form, call ? "      pay gain - held[number] * (better - strike)\n"
                                      : "      pay gain - held[number] * (better - ahead)\n");
    levy_script_form_write(form, "      stop\n    }\n  }\n}\n");
    levy_script_form_write(form, call
                                     ? "at expiry { pay (1 - held[number]) * max($ - strike, 0) }\n"
                                     : "at expiry { pay (1 - held[number]) * max(strike - $, 0) "
                                       "}\n");
}

uint32_t levy_control_steps(const levy_script *script, uint32_t *all)
{
    const levy_script_block *const dates = LEVY_SCRIPT_PROGRAM_BLOCKS(script->program);
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(script->program) + dates->first;
    uint32_t own = 0;
    for (uint32_t k = 0; k < dates->n; ++k)
        if (steps[k].op == LEVY_SCRIPT_WHERE) own = steps[k].b;
    *all = dates->n;
    return own;
}

void levy_control_note(const levy_claim *claim, const double *fitted, char *text)
{
    const levy_policy *const p = claim->scripted->policy;
    const double *const numbers = control_numbers(p, fitted);
    uint32_t all;
    const uint32_t own = levy_control_steps(&claim->scripted->script, &all);
    snprintf(text, LEVY_STAGE_WHY,
             "control: %.2f of the European at exercise, variance / %.3g on the fit's paths, for "
             "%u of %u steps",
             numbers[LEVY_CONTROL_HELD], numbers[LEVY_CONTROL_GAIN], own, all);
}
