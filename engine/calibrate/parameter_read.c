/* parameter_read.c: within what bounds parameters are sought, and whether quotes are enough to fit
 * them. See calibration.h. */
#include "engine/calibrate/calibration.h"

#include <math.h>
#include <string.h>

/* Whether parameter j has that name, in whatever term or of whatever asset. */
static bool parameter_is(const levy_exponent *law, size_t j, const char *name)
{
    const size_t length = strlen(name);
    const char *const own = law->parameters[j].name;
    const char *const dot = strrchr(own, '.');
    return (strncmp(own, name, length) == 0 && (own[length] == '\0' || own[length] == '[')) ||
           (dot && strcmp(dot + 1, name) == 0);
}

static size_t parameter_find(const levy_exponent *law, const char *name)
{
    size_t j = 0;
    while (j < law->n && !parameter_is(law, j, name)) ++j;
    return j;
}

static bool parameter_unknown(levy_check *build, const levy_exponent *law,
                              const levy_raw_law_parameter *raw, const char *path)
{
    const char *names[LEVY_EXPONENT_MOST + 1] = {NULL};
    char meant[LEVY_MEANT_SIZE];
    const char *list = "";
    for (size_t j = 0; j < law->n; ++j) {
        names[j] = law->parameters[j].name;
        list = levy_check_text(build, "%s%s%s", list, j ? ", " : "", names[j]);
    }
    return LEVY_REFUSE(build, UNKNOWN_NAME, raw->node, path,
                       levy_check_text(build, "Its parameters are %s.", list),
                       "%s has no parameter '%s'%s", law->kind, raw->name,
                       levy_meant(levy_nearest(raw->name, names), meant));
}

static bool parameter_take(levy_check *build, const levy_exponent_parameter *parameter,
                           const levy_raw_law_parameter *raw, const char *path,
                           levy_fit_bound *bound)
{
    const double given[] = {raw->value, raw->low, raw->high};
    static const char *const keys[] = {"value", "low", "high"};
    for (size_t i = 0; i < 3; ++i)
        if (!isnan(given[i]) && !(given[i] >= parameter->low && given[i] <= parameter->high))
            return LEVY_REFUSE(
                build, RANGE, levy_check_at(raw->node, keys[i]),
                levy_check_text(build, "%s.%s", path, keys[i]),
                "Write a number in it, or leave the bound to the fit.",
                "must lie in [%s, %s]; got %s", levy_check_number(build, parameter->low),
                levy_check_number(build, parameter->high), levy_check_number(build, given[i]));
    if (!isnan(raw->low)) bound->low = raw->low;
    if (!isnan(raw->high)) bound->high = raw->high;
    bound->start = raw->value;
    bound->is_fixed = raw->fixed;
    if (!(bound->low < bound->high))
        return LEVY_REFUSE(build, INCONSISTENT, raw->node, path,
                           "Write {value: 2, fixed: true} for a parameter that is known.",
                           "low must be below high");
    if (raw->value < bound->low || raw->value > bound->high)
        return LEVY_REFUSE(
            build, INCONSISTENT, levy_check_at(raw->node, "value"),
            levy_check_text(build, "%s.value", path),
            "Write a value from low to high, or other bounds.",
            "%s lies outside low and high, [%s, %s]", levy_check_number(build, raw->value),
            levy_check_number(build, bound->low), levy_check_number(build, bound->high));
    if (raw->fixed && isnan(raw->value))
        return LEVY_REFUSE(build, MISSING_KEY, raw->node, path, "Write {value: 2, fixed: true}.",
                           "a fixed parameter needs its value");
    if (isnan(raw->toward) != isnan(raw->within) || !(isnan(raw->within) || raw->within > 0.0))
        return LEVY_REFUSE(build, INCONSISTENT, raw->node, path, "Write toward: 2, within: 0.5.",
                           "toward needs a distance within, above 0");
    if (isnan(raw->within)) return true;
    bound->toward = raw->toward;
    bound->within = raw->within;
    return true;
}

bool levy_bounds_read(levy_check *build, const levy_raw_calibration *raw, levy_fit *fit)
{
    const levy_raw_law_parameter *const items = raw->parameters.items;
    bool good = true;
    for (size_t j = 0; j < fit->law->n; ++j)
        fit->bounds[j] = (levy_fit_bound){
            .start = NAN, .low = fit->law->parameters[j].low, .high = fit->law->parameters[j].high};
    for (size_t i = 0; i < raw->parameters.count; ++i) {
        const char *const path = levy_check_text(build, "calibration.parameters.%s", items[i].name);
        const size_t first = parameter_find(fit->law, items[i].name);
        bool fits = first < fit->law->n || parameter_unknown(build, fit->law, &items[i], path);
        for (size_t j = first; fits && j < fit->law->n; ++j)
            if (parameter_is(fit->law, j, items[i].name))
                fits = parameter_take(build, &fit->law->parameters[j], &items[i], path,
                                      &fit->bounds[j]);
        good = good && fits;
    }
    return good;
}

/* ---- Is there enough? ---- */

/* The most expiries of an asset, and the most strikes that one of them has; the quotes are in
 * order. */
static size_t enough_expiries(const levy_fit *fit, size_t *strikes)
{
    size_t most = 0, expiries = 0, n = 0;
    *strikes = 0;
    for (size_t i = 0; i < fit->n; ++i) {
        const levy_fit_quote *const quote = &fit->quotes[i];
        const bool is_first = i == 0 || quote->asset != quote[-1].asset,
                   is_new = is_first || quote->years != quote[-1].years;
        expiries = is_first ? 1 : expiries + is_new;
        n = is_new ? 1 : n + 1;
        if (n > *strikes) *strikes = n;
        if (expiries > most) most = expiries;
    }
    return most;
}

static bool enough_sought(const levy_fit *fit, const char *name)
{
    const size_t j = parameter_find(fit->law, name);
    return j < fit->law->n && !fit->bounds[j].is_fixed && !(fit->bounds[j].within > 0.0);
}

bool levy_fit_has_enough(levy_check *build, const levy_raw_calibration *raw, const levy_fit *fit)
{
    size_t sought = 0, strikes;
    const size_t expiries = enough_expiries(fit, &strikes);
    for (size_t j = 0; j < fit->law->n; ++j)
        sought += !fit->bounds[j].is_fixed && !(fit->bounds[j].within > 0.0);
    static const char *const hint =
        "Add quotes, or fix parameters: parameters: {NAME: {value: 2, fixed: true}}.";
    if (fit->n < sought)
        return LEVY_REFUSE(build, MISSING_DATA, raw->quotes.node, "calibration.quotes", hint,
                           "%zu quote%s cannot determine %zu parameters", fit->n,
                           fit->n == 1 ? "" : "s", sought);
    const size_t terms = fit->law->n_beside ? fit->law->n_beside - 1 : 1;
    if (terms > 1 && !(fit->quotes[fit->n - 1].years > fit->law->beside[terms - 1]))
        return LEVY_REFUSE(build, MISSING_DATA, raw->terms.node, "calibration.terms",
                           "Leave out the last end: the last term goes on.",
                           "no quote expires in the last term");
    if (sought > 2 && strikes < 3)
        return LEVY_REFUSE(build, MISSING_DATA, raw->quotes.node, "calibration.quotes", hint,
                           "no expiry has three strikes: the quotes show no smile");
    if (expiries < 2 && enough_sought(fit, "kappa") &&
        (enough_sought(fit, "v0") || enough_sought(fit, "theta")))
        return LEVY_REFUSE(build, MISSING_DATA, raw->quotes.node, "calibration.quotes", hint,
                           "all quotes have one expiry, which cannot tell how fast variances "
                           "return");
    return true;
}
