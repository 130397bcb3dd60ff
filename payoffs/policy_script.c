/* policy_script.c: the script of an option that is exercised by a rule. See policy.h. */
#include "payoffs/policy_control.h"

#include <stdio.h>

const char *levy_policy_written_level(const levy_policy *p)
{
    switch (p->aggregate) {
    case LEVY_AGGREGATE_BASKET:
        return "sum(levels)";
    case LEVY_AGGREGATE_GEOMETRIC:
        return "exp(sum(weight * log(levels)))";
    case LEVY_AGGREGATE_BEST_OF:
        return "best(levels)";
    case LEVY_AGGREGATE_WORST_OF:
        return "worst(levels)";
    default:
        return "level";
    }
}

const char *levy_policy_written_second(const levy_policy *p)
{
    return p->varies ? "level.variance" : "regime";
}

/* Lines that standardise the variables x1 and on. */
static void script_variables(const levy_policy *p, levy_script_form *form)
{
    const bool sum = p->aggregate == LEVY_AGGREGATE_BASKET, one = p->n_assets == 1;
    const bool last = p->aggregate == LEVY_AGGREGATE_WORST_OF;
    char value[32], line[128];
    if (p->n_levels > 1 && !one)
        levy_script_form_write(form,
                               sum ? "    let seen = levels\n" : "    let seen = sorted(levels)\n");
    for (unsigned j = 0; j < p->n_variables; ++j) {
        snprintf(value, sizeof value, "seen[%u]", last ? (unsigned)p->n_assets - j : j + 1);
        if (j == p->n_assets) snprintf(value, sizeof value, "levels[1]");
        if (one || p->n_levels == 1) snprintf(value, sizeof value, j ? "level.variance" : "now");
        if (j >= p->n_levels)
            snprintf(value, sizeof value, "(1 if regime >= %zu else 0)", j - p->n_levels + 1);
        const char(*const names)[16] = p->names + LEVY_POLICY_NUMBERS * j;
        snprintf(line, sizeof line, "    let at%u = (%s - %s[number]) * %s[number]\n", j + 1, value,
                 names[LEVY_POLICY_MEAN], names[LEVY_POLICY_SHARE]);
        levy_script_form_write(form, line);
        snprintf(line, sizeof line, "    let x%u = min(max(at%u, %s[number]), %s[number])\n", j + 1,
                 j + 1, names[LEVY_POLICY_LEAST], names[LEVY_POLICY_MOST]);
        levy_script_form_write(form, line);
    }
}

void levy_policy_polynomial(const char (*lists)[16], const char *name, size_t n, size_t degree,
                            size_t *k, levy_script_form *form)
{
    char text[32];
    if (n == 0 || degree == 0) {
        snprintf(text, sizeof text, "%s[number]", lists[(*k)++]);
        levy_script_form_write(form, text);
        return;
    }
    levy_policy_polynomial(lists, name, n - 1, degree, k, form);
    snprintf(text, sizeof text, " + %s%zu * (", name, n);
    levy_script_form_write(form, text);
    levy_policy_polynomial(lists, name, n, degree - 1, k, form);
    levy_script_form_write(form, ")");
}

/* Writes the polynomial of x1 with n coefficients from list k on: the lower ones and the upper ones
 * apart, so that their steps need not wait for each other as those of Horner's rule do. */
static void script_halves(const levy_policy *p, size_t k, size_t n, levy_script_form *form)
{
    char text[48];
    size_t half = 1;
    if (n == 1) {
        snprintf(text, sizeof text, "%s[number]", p->names[k]);
        levy_script_form_write(form, text);
        return;
    }
    while (2 * half < n) half *= 2;
    script_halves(p, k, half, form);
    snprintf(text, sizeof text, half > 1 ? " + power%zu * (" : " + x%zu * (", half);
    levy_script_form_write(form, text);
    script_halves(p, k + half, n - half, form);
    levy_script_form_write(form, ")");
}

/* A polynomial of the levels with the coefficients from list *k on. */
static void script_polynomial(const levy_policy *p, size_t degree, size_t *k,
                              levy_script_form *form)
{
    const char(*const names)[16] = p->names;
    if (p->n_levels > 1) {
        levy_policy_polynomial(names, "x", p->n_levels, degree, k, form);
        return;
    }
    script_halves(p, *k, degree + 1, form);
    *k += degree + 1;
}

/* The line of what going on is worth beyond exercise. */
static void script_more(const levy_policy *p, levy_script_form *form)
{
    char line[96];
    size_t k = LEVY_POLICY_NUMBERS * p->n_variables;
    for (size_t half = 2; p->n_levels == 1 && half <= p->degree; half *= 2) {
        const char *const name = half > 2 ? "power" : "x";
        snprintf(line, sizeof line, "    let power%zu = %s%zu * %s%zu\n", half, name, half / 2,
                 name, half / 2);
        levy_script_form_write(form, line);
    }
    levy_script_form_write(form, "    let more = ");
    script_polynomial(p, p->degree, &k, form);
    for (size_t v = p->n_levels + 1; v <= p->n_variables; ++v) {
        snprintf(line, sizeof line, " + x%zu * (", v);
        levy_script_form_write(form, line);
        script_polynomial(p, p->apart, &k, form);
        levy_script_form_write(form, ")");
    }
}

static void script_name(levy_policy *p)
{
    static const char *const numbers[LEVY_POLICY_NUMBERS] = {"mean", "share", "least", "most"};
    static const char *const control[LEVY_CONTROL_NUMBERS] = {"growth", "left", "held"};
    const unsigned first = LEVY_POLICY_NUMBERS * (unsigned)p->n_variables;
    for (unsigned k = 0; k < first; ++k)
        snprintf(p->names[k], sizeof p->names[0], "%s%u", numbers[k % LEVY_POLICY_NUMBERS],
                 k / LEVY_POLICY_NUMBERS + 1);
    for (unsigned k = first; k < p->n_own; ++k)
        snprintf(p->names[k], sizeof p->names[0], "more%u", k - first);
    for (size_t k = 0; k < LEVY_CONTROL_NUMBERS && p->control; ++k)
        snprintf(p->names[p->n_own - LEVY_CONTROL_NUMBERS + k], sizeof p->names[0], "%s",
                 control[k]);
}

void levy_policy_write(levy_policy *p, levy_script_form *form)
{
    const bool call = p->sign > 0.0;
    script_name(p);
    form->level = levy_policy_written_level(p);
    levy_script_form_write(form, "at exercises {\n  let now = $\n  let gain = ");
    levy_script_form_write(form, call ? "now - strike\n" : "strike - now\n");
    levy_script_form_write(form, "  if gain > 0 {\n");
    script_variables(p, form);
    script_more(p, form);
    if (p->control) {
        levy_control_write(p, form);
        return;
    }
    levy_script_form_write(
        form, p->discounts ? "\n    if more <= 0 { pay gain * path_discount; stop }\n  }\n}\n"
                           : "\n    if more <= 0 { pay gain; stop }\n  }\n}\n");
    levy_script_form_write(form, call ? "at expiry { pay max($ - strike, 0)"
                                      : "at expiry { pay max(strike - $, 0)");
    levy_script_form_write(form, p->discounts ? " * path_discount }\n" : " }\n");
}
