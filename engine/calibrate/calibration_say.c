/* calibration_say.c: warnings of what quotes leave open. See calibration.h. */
#include "engine/calibrate/calibration.h"

#include <math.h>

static void say(levy_check *build, const levy_calibration *c, const char *hint, const char *text)
{
    LEVY_WARN(build, NUMERIC_ERROR, c->raw->node, "calibration", hint, "%s", text);
}

static void say_bounds(levy_check *build, const levy_calibration *c)
{
    for (size_t j = 0; j < c->facts.parameters; ++j) {
        const levy_fitted_value *const p = &c->parameters[j];
        if (c->result.idle[j])
            say(build, c, "Fix it, or leave the bound that makes it so.",
                levy_check_text(build, "no price depends on %s", p->name));
        if (!p->at_bound) continue;
        say(build, c, "Its error is not known, and those of the others are as if it were fixed.",
            levy_check_text(build, "%s is at its bound %s: the quotes want it beyond", p->name,
                            levy_check_rounded(build, p->value)));
    }
}

/* "kappa and theta": those that the direction has most of */
static const char *say_names(levy_check *build, const levy_calibration *c)
{
    const char *names = "";
    double most = 0.0;
    for (size_t j = 0; j < c->facts.parameters; ++j)
        most = fmax(most, fabs(c->result.direction[j]));
    for (size_t j = 0; j < c->facts.parameters; ++j)
        if (fabs(c->result.direction[j]) > 0.3 * most)
            names = levy_check_text(build, "%s%s%s", names, *names ? " and " : "",
                                    c->parameters[j].name);
    return names;
}

static void say_flat(levy_check *build, const levy_calibration *c)
{
    bool wide = false;
    for (size_t j = 0; j < c->facts.parameters; ++j) {
        const levy_fitted_value *const p = &c->parameters[j];
        wide = wide || p->std_error > 0.5 * (fabs(p->value) + 0.1);
    }
    if (c->facts.sought == 0 || (!wide && c->result.weakest > 1e-8)) return;
    say(build, c, "Fix one of them, or pull it: {toward: 2, within: 0.5}.",
        levy_check_text(build, "the quotes hardly determine %s: other values fit as well",
                        say_names(build, c)));
}

/* With the errors of quotes: what the model misses them by, by these. */
static void say_misfit(levy_check *build, const levy_calibration *c)
{
    const double freedom = (double)c->facts.quotes - (double)c->facts.sought;
    const double ratio = freedom > 0.0 ? levy_sqrt(c->result.cost / freedom) : 0.0;
    if (!c->facts.has_errors || ratio < 2.0) return;
    say(build, c, "Another model may fit; the standard errors are those of a model that does.",
        levy_check_text(build, "the model misses the quotes by %s times half of their spread",
                        levy_check_rounded(build, ratio)));
}

/* Of the first parameter that is free. */
static double say_first_error(const levy_calibration *c)
{
    size_t j = 0;
    while (!c->result.free[j]) ++j;
    return c->parameters[j].std_error;
}

/* What is no fault. */
static void say_note(levy_check *build, const levy_calibration *c, const char *text)
{
    const levy_place *const place = levy_check_place(c->raw->node);
    levy_fault *const fault =
        levy_fault_warn(build->faults, LEVY_REASON_NONE, place, "calibration", NULL, "%s", text);
    if (fault) fault->severity = LEVY_SEVERITY_NOTE;
}

static void say_notes(levy_check *build, const levy_calibration *c)
{
    if (c->facts.feller < 1.0) /* smiles ask for it more often than not */
        say_note(build, c,
                 levy_check_text(build,
                                 "2 kappa theta / xi^2 is %s, below 1: the variance reaches 0",
                                 levy_check_rounded(build, c->facts.feller)));
    if (!c->facts.has_errors && c->facts.sought > 0 && isnan(say_first_error(c)))
        say_note(build, c,
                 "errors are not known: there are no more quotes than parameters, and none has bid "
                 "and ask");
    if (c->n_unseen > 0)
        say_note(
            build, c,
            levy_check_text(build,
                            "%zu of the quotes are so far out that no price of the model shows "
                            "a volatility: the error is that of the others",
                            c->n_unseen));
    if (c->pays_cash)
        say_note(
            build, c,
            "cash dividends are a shift of spot and strike: the fitted model's volatilities are "
            "off by 0.2 % where they are a tenth of the spot, and less where they are less");
}

/* What the series of a density with a pole leaves out, where a volatility shows it: at short
 * expiries, and of variances that stay at 0 at long ones. */
static void say_series(levy_check *build, const levy_calibration *c)
{
    if (!(c->off > 1e-5)) return;
    say(build, c, "The density has a pole there: leave these quotes out, or bound parameters.",
        levy_check_text(
            build, "volatilities of the model are off by up to %s %% at the expiry of %s years",
            levy_check_rounded(build, 100.0 * c->off), levy_check_rounded(build, c->off_years)));
}

void levy_calibration_say(levy_check *build, const levy_calibration *c)
{
    say_bounds(build, c);
    say_flat(build, c);
    say_misfit(build, c);
    if (c->facts.agreeing < c->facts.starts)
        say(build, c, "The report has the end of each start.",
            levy_check_text(build, "%zu of %zu starts ended elsewhere, with larger errors",
                            c->facts.starts - c->facts.agreeing, c->facts.starts));
    if (!c->facts.converged)
        say(build, c, "Fix a parameter that the quotes do not determine.",
            "the search ended before its steps became small");
    say_notes(build, c);
    say_series(build, c);
}
