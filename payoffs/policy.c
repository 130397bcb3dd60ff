/* policy.c: see policy.h. */
#include "payoffs/policy.h"

#include "engine/base/least_squares.h"
#include "kernels/lane/scalar.h"
#include "payoffs/scripted.h"

#include <stdio.h>

/* Dates on which fewer paths in the money stand for each coefficient have no exercise. */
enum { POLICY_LEAST = 10 };

/* ---- The fit ---- */

typedef struct policy_work {
    const levy_policy *policy;
    const levy_stage_levels *levels;
    levy_least_squares *fit;
    double *paid; /* [path] in money of the payment date */
    double *fitted;
} policy_work;

/* What exercise pays at a spot. */
static double policy_gain(const levy_policy *p, double spot)
{
    return p->sign * (p->coefficient * spot - p->strike);
}

/* Standardises the levels in the money. Returns how many there are. */
static size_t policy_scale(const policy_work *w, const double *spots, double *numbers)
{
    const double c = w->policy->coefficient;
    double sum = 0.0, square = 0.0;
    size_t n = 0;
    for (size_t k = 0; k < w->levels->n_paths; ++k) {
        if (!(policy_gain(w->policy, spots[k]) > 0.0)) continue;
        sum += c * spots[k];
        ++n;
    }
    const double middle = n ? sum / (double)n : 0.0;
    for (size_t k = 0; k < w->levels->n_paths; ++k) {
        const double away = c * spots[k] - middle;
        if (policy_gain(w->policy, spots[k]) > 0.0) square += away * away;
    }
    numbers[LEVY_POLICY_MIDDLE] = middle;
    numbers[LEVY_POLICY_SHARE] = square > 0.0 ? levy_sqrt((double)n / square) : 0.0;
    return n;
}

static double policy_argument(const policy_work *w, const double *numbers, double spot)
{
    return (w->policy->coefficient * spot - numbers[LEVY_POLICY_MIDDLE]) *
           numbers[LEVY_POLICY_SHARE];
}

static double policy_held(const policy_work *w, const double *numbers, double spot)
{
    const double x = policy_argument(w, numbers, spot);
    double sum = 0.0;
    for (size_t k = w->policy->degree + 1; k-- > 0;) sum = sum * x + numbers[LEVY_POLICY_HELD + k];
    return sum;
}

static void policy_regress(const policy_work *w, const double *spots, double worth, double *numbers)
{
    const size_t n = w->policy->degree + 1;
    double powers[LEVY_POLICY_DEGREE + 1] = {1.0};
    *w->fit = (levy_least_squares){.n = n};
    for (size_t k = 0; k < w->levels->n_paths; ++k) {
        if (!(policy_gain(w->policy, spots[k]) > 0.0)) continue;
        const double x = policy_argument(w, numbers, spots[k]);
        for (size_t i = 1; i < n; ++i) powers[i] = powers[i - 1] * x;
        levy_least_squares_add(w->fit, powers, w->paid[k] / worth);
    }
    levy_least_squares_solve(w->fit, numbers + LEVY_POLICY_HELD);
}

/* One date: the rule is fitted to what paths get later, and then they take what is more. */
static void policy_date(const policy_work *w, size_t date)
{
    const double *const spots = w->levels->levels + date * w->levels->n_paths;
    const double worth = w->levels->worth[date];
    double *const numbers = w->fitted + date * w->policy->stage.n_fitted;
    if (policy_scale(w, spots, numbers) < POLICY_LEAST * (w->policy->degree + 1)) {
        numbers[LEVY_POLICY_SHARE] = 0.0;
        numbers[LEVY_POLICY_HELD] = LEVY_POLICY_NEVER;
        return;
    }
    policy_regress(w, spots, worth, numbers);
    for (size_t k = 0; k < w->levels->n_paths; ++k) {
        const double gain = policy_gain(w->policy, spots[k]);
        if (gain > 0.0 && gain >= policy_held(w, numbers, spots[k])) w->paid[k] = gain * worth;
    }
}

/* Whether exercise today pays at least the mean of what paths get later. */
static bool policy_today(const policy_work *w)
{
    const double gain = policy_gain(w->policy, w->levels->spot[0]);
    double sum = 0.0;
    for (size_t k = 0; k < w->levels->n_paths; ++k) sum += w->paid[k];
    return gain > 0.0 && gain * w->levels->today >= sum / (double)w->levels->n_paths;
}

static bool policy_fit(const levy_claim *claim, const levy_stage_levels *levels,
                       levy_arena *scratch, double *fitted, char *why)
{
    const levy_policy *const policy = claim->scripted->policy;
    const policy_work w = {policy, levels, levy_arena_allocate(scratch, 1, sizeof *w.fit),
                           levy_arena_allocate(scratch, levels->n_paths, sizeof *w.paid), fitted};
    (void)why;
    if (!w.fit || !w.paid) return false;
    size_t date = levels->n_dates - 1;
    for (size_t k = 0; k < levels->n_paths; ++k) {
        const double gain = policy_gain(policy, levels->levels[date * levels->n_paths + k]);
        w.paid[k] = gain > 0.0 ? gain * levels->worth[date] : 0.0;
    }
    while (date-- > 0) {
        if (levy_memory_stopped(scratch->memory)) return false;
        if (levels->events[date] & 1) policy_date(&w, date);
    }
    fitted[levels->n_dates * policy->stage.n_fitted] = policy->today && policy_today(&w);
    return true;
}

/* ---- In an item ---- */

/* The lists are the script's parameters behind the strike. */
static void policy_put(const levy_claim *claim, const levy_claim_unit *unit, const double *fitted,
                       double *node_terms)
{
    const levy_script *const script = &claim->scripted->script;
    (void)unit; /* a script's levels are in money */
    for (uint32_t k = 0; k < script->program->n_terms; ++k)
        if (script->terms[k].kind == LEVY_SCRIPT_ITEM)
            node_terms[k] = fitted[script->terms[k].parameter - 1];
}

/* An option that is exercised today has ended on all paths. */
static void policy_begin(const levy_claim *claim, const double *levels, double discount,
                         const double *fitted, double *constants)
{
    const levy_policy *const p = claim->scripted->policy;
    if (fitted[0] == 0.0) return;
    constants[0] += p->sign * (levels[0] - p->strike) / discount;
    constants[claim->scripted->script.alive] = 0.0;
}

void levy_policy_stage(uint64_t paths, levy_policy *policy)
{
    policy->stage = (levy_stage){.paths = paths,
                                 .n_fitted = LEVY_POLICY_HELD + 1 + (uint32_t)policy->degree,
                                 .fit = policy_fit,
                                 .write = policy_put,
                                 .begin = policy_begin,
                                 .seed = &policy->seed};
}

/* ---- The script ---- */

size_t levy_policy_write(const levy_policy *policy, levy_script_form *form,
                         const char *names[LEVY_POLICY_LISTS])
{
    static const char *const lists[] = {"middle", "share", "held0", "held1", "held2", "held3",
                                        "held4",  "held5", "held6", "held7", "held8"};
    const size_t n = LEVY_POLICY_HELD + 1 + policy->degree;
    const bool call = policy->sign > 0.0;
    char text[64];
    for (size_t k = 0; k < n; ++k) names[k] = lists[k];
    levy_script_form_number(form, "strike", policy->strike);
    levy_script_form_write(form, "at exercises {\n  if ");
    levy_script_form_write(form, call ? "$ > strike {\n    let gain = $ - strike\n"
                                      : "$ < strike {\n    let gain = strike - $\n");
    levy_script_form_write(form, "    let x = ($ - middle[number]) * share[number]\n"
                                 "    let held = ");
    for (size_t k = LEVY_POLICY_HELD; k + 1 < n; ++k) {
        snprintf(text, sizeof text, "%s[number] + x * (", lists[k]);
        levy_script_form_write(form, text);
    }
    snprintf(text, sizeof text, "%s[number]", lists[n - 1]);
    levy_script_form_write(form, text);
    for (size_t k = LEVY_POLICY_HELD; k + 1 < n; ++k) levy_script_form_write(form, ")");
    levy_script_form_write(form, "\n    if gain >= held { pay gain; stop }\n  }\n}\n");
    levy_script_form_write(form, call ? "at expiry { pay max($ - strike, 0) }\n"
                                      : "at expiry { pay max(strike - $, 0) }\n");
    return n;
}
