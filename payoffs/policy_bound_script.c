/* policy_bound_script.c: the script of a bound. See policy_bound.h. */
#include "payoffs/policy_bound.h"

#include <stdio.h>

#include <stdarg.h>

static void bound_line(levy_script_form *form, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void bound_line(levy_script_form *form, const char *format, ...)
{
    char line[192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    levy_script_form_write(form, line);
}

static void bound_name(levy_policy_bound *b)
{
    const unsigned own = (unsigned)b->own, pairs = (unsigned)b->pairs,
                   variables = (unsigned)b->variables, c = (unsigned)b->coefficients;
    snprintf(b->names[0], sizeof b->names[0], "worth");
    for (unsigned k = 1; k < own; ++k) snprintf(b->names[k], sizeof b->names[0], "slope%u", k);
    for (unsigned k = own; k < pairs; ++k)
        snprintf(b->names[k], sizeof b->names[0], "own%u", k - own + 1);
    for (unsigned k = pairs; k < variables; ++k)
        snprintf(b->names[k], sizeof b->names[0], "pair%u", k - pairs + 1);
    for (unsigned k = variables; k < c; ++k)
        snprintf(b->names[k], sizeof b->names[0], "%s%u", (k - variables) % 2 ? "share" : "mid",
                 (k - variables) / 2 + 1);
    for (unsigned k = c; k < b->n_numbers; ++k)
        snprintf(b->names[k], sizeof b->names[0], "c%u", k - c);
}

static void bound_states(const levy_policy_bound *b, levy_script_form *form)
{
    levy_script_form_write(form, "var gained = 0\nvar most = -1e30\n");
    for (size_t k = 0; k < b->n_claims; ++k) bound_line(form, "var held%zu = 0\n", k);
    for (size_t j = 1; j <= b->n_variables; ++j) bound_line(form, "var x%zu = 0\n", j);
    for (size_t i = 0; i < b->n_places && b->ranked; ++i)
        bound_line(form, "var rank%zu[] = 0\n", i);
}

/* The number of a level that has place i: `name` with the level's number. */
static void bound_of_place(const levy_policy_bound *b, size_t i, const char *name,
                           const char *index, levy_script_form *form)
{
    if (!b->ranked) {
        bound_line(form, "%s%zu%s", name, i + 1, index);
        for (size_t u = 2; u <= b->n_levels && b->n_places == 1; ++u)
            bound_line(form, " + %s%zu%s", name, u, index);
        return;
    }
    for (size_t u = 1; u <= b->n_levels; ++u)
        bound_line(form, "%srank%zu[%zu] * %s%zu%s", u > 1 ? " + " : "", i, u, name, u, index);
}

/* The deviation of the pair of levels that have places i and j. */
static void bound_of_pair(const levy_policy_bound *b, size_t i, size_t j, levy_script_form *form)
{
    if (!b->ranked) {
        bound_line(form, "%s[number]", b->names[levy_bound_pair(b, i, j)]);
        return;
    }
    for (size_t v = 1; v < b->n_levels; ++v)
        for (size_t u = 0; u < v; ++u)
            bound_line(form,
                       "%s(rank%zu[%zu] * rank%zu[%zu] + rank%zu[%zu] * rank%zu[%zu]) * %s[number]",
                       u + v > 1 ? " + " : "", i, u + 1, j, v + 1, i, v + 1, j, u + 1,
                       b->names[levy_bound_pair(b, u, v)]);
}

/* The sum's square, by levels. */
static void bound_write_square(const levy_policy_bound *b, levy_script_form *form)
{
    for (size_t v = 0; v < b->n_levels; ++v) {
        bound_line(form, "%smean%zu * mean%zu * exp(own%zu[number] ^ 2)", v ? " + " : "", v + 1,
                   v + 1, v + 1);
        for (size_t u = 0; u < v; ++u)
            bound_line(form,
                       " + 2 * mean%zu * mean%zu * exp((own%zu[number] ^ 2 + own%zu[number] ^ 2 - "
                       "%s[number] ^ 2) / 2)",
                       u + 1, v + 1, u + 1, v + 1, b->names[levy_bound_pair(b, u, v)]);
    }
}

/* The claims' values of now, as `value` with their numbers, by the ranks as they are. */
static void bound_write_values(const levy_policy_bound *b, const char *value,
                               levy_script_form *form)
{
    for (size_t i = 0; i < b->n_places; ++i) {
        bound_line(form, "  let %sat%zu = ", value, i);
        bound_of_place(b, i, "mean", "", form);
        levy_script_form_write(form, "\n");
    }
    for (size_t k = 0; k < b->n_claims; ++k) {
        const size_t i = b->claims[k].first, j = b->claims[k].second;
        const bool option = b->claims[k].kind == LEVY_BOUND_OPTION;
        char one[64], other[64];
        snprintf(one, sizeof one, option ? "%sat%zu" : "abs(%sat%zu)", value, i);
        snprintf(other, sizeof other, option ? "strike" : "abs(%sat%zu)", value, j);
        if (b->claims[k].kind == LEVY_BOUND_LEVEL) {
            bound_line(form, "  let %s%zu = %sat%zu\n", value, k, value, i);
            continue;
        }
        if (b->claims[k].kind == LEVY_BOUND_SQUARE) {
            bound_line(form, "  let %s%zu = ", value, k);
            bound_write_square(b, form);
            levy_script_form_write(form, "\n");
            continue;
        }
        bound_line(form, "  let %sapart%zu = ", value, k);
        if (option)
            bound_of_place(b, i, "own", "[number]", form);
        else
            bound_of_pair(b, i, j, form);
        bound_line(form, "\n  let %sto%zu = log(%s / %s) / %sapart%zu + %sapart%zu / 2\n", value, k,
                   one, other, value, k, value, k);
        bound_line(form, "  let %s%zu = %s * cdf(%sto%zu) + %s * cdf(%sapart%zu - %sto%zu)\n",
                   value, k, one, value, k, other, value, k, value, k);
    }
}

/* Ranks, variables and values of the next interval's beginning. */
static void bound_go_on(const levy_policy_bound *b, levy_script_form *form)
{
    const bool worst = b->policy->aggregate == LEVY_AGGREGATE_WORST_OF;
    char seen[64];
    if (b->ranked) levy_script_form_write(form, "  let seen = sorted(levels)\n");
    for (size_t i = 0; i < b->n_places && b->ranked; ++i)
        bound_line(form, "  rank%zu = 1 if first(levels == seen[%zu]) else 0\n", i,
                   worst ? b->n_levels - i : i + 1);
    for (size_t j = 0; j < b->n_variables; ++j) {
        const size_t place = worst ? b->n_levels - j : j + 1;
        snprintf(seen, sizeof seen, b->ranked ? "log(seen[%zu])" : "log(abs(levels[%zu]))", place);
        if (b->n_levels == 1)
            snprintf(seen, sizeof seen, "%s",
                     j ? levy_policy_written_second(b->policy) : "log(now)");
        if (levy_bound_reads_sum(b)) snprintf(seen, sizeof seen, "now");
        bound_line(form, "  x%zu = min(max((%s - mid%zu[number]) * share%zu[number], -%d), %d)\n",
                   j + 1, seen, j + 1, j + 1, LEVY_BOUND_FARTHEST, LEVY_BOUND_FARTHEST);
    }
    if (b->ranked) bound_write_values(b, "next", form);
    for (size_t k = 0; k < b->n_claims; ++k)
        bound_line(form, "  held%zu = %s%zu\n", k, b->ranked ? "next" : "then", k);
}

void levy_bound_write(levy_policy_bound *b, levy_script_form *form)
{
    const levy_policy_bound *const named = b;
    const bool call = b->policy->sign > 0.0, one = b->n_levels == 1;
    const char *const own = b->policy->discounts ? " * path_discount" : "";
    const size_t degree = LEVY_BOUND_DEGREE(b->n_read);
    size_t c = b->coefficients;
    char level[24];
    bound_name(b);
    form->level = levy_policy_written_level(b->policy);
    bound_states(b, form);
    levy_script_form_write(form, "at exercises, expiry {\n  let now = $\n");
    for (size_t u = 1; u <= b->n_levels; ++u) {
        snprintf(level, sizeof level, one ? "now" : "levels[%zu]", u);
        bound_line(form, "  let mean%zu = %s * slope%zu[number]%s\n", u, level, u, own);
    }
    bound_write_values(b, "then", form);
    for (size_t k = 0; k < b->n_claims; ++k) {
        bound_line(form, "  gained += (then%zu - held%zu) * (", k, k);
        levy_policy_polynomial(named->names, "x", b->n_read, degree, &c, form);
        levy_script_form_write(form, ")\n");
    }
    bound_line(form, "  most = max(most, max(%s, 0) * worth[number]%s - gained)\n",
               call ? "now - strike" : "strike - now", own);
    bound_go_on(b, form);
    levy_script_form_write(form, "}\nat expiry { pay most }\n");
}
