/* policy_bound.c: see policy_bound.h. policy_bound_script.c has the script. */
#include "payoffs/policy_bound.h"

#include "kernels/lane/scalar.h"

#include <math.h>

#include <string.h>

enum { BOUND_SQUARED = 6 }; /* levels whose pairs have numbers: the most */

/* ---- Claims ---- */

static void bound_add(levy_policy_bound *b, levy_bound_kind kind, size_t first, size_t second)
{
    b->claims[b->n_claims].kind = kind;
    b->claims[b->n_claims].first = first;
    b->claims[b->n_claims++].second = second;
}

/* Whether each pair of levels has a deviation. */
static bool bound_is_paired(const levy_policy_bound *b)
{
    return b->normal && b->n_levels > 1 && b->n_levels <= BOUND_SQUARED;
}

static void bound_claims(levy_policy_bound *b)
{
    const bool options = b->normal && b->policy->strike > 0.0;
    const bool pairs = bound_is_paired(b);
    const bool sum = !b->ranked && b->n_levels > 1;
    for (size_t i = 0; i < b->n_places; ++i) bound_add(b, LEVY_BOUND_LEVEL, i, i);
    for (size_t i = 0; i < b->n_places && options && !sum; ++i)
        bound_add(b, LEVY_BOUND_OPTION, i, i);
    for (size_t j = 1; j < b->n_places && pairs && (b->ranked || b->n_levels == 2); ++j)
        for (size_t i = 0; i < j; ++i) bound_add(b, LEVY_BOUND_BEST, i, j);
    if (pairs && sum) bound_add(b, LEVY_BOUND_SQUARE, 0, 0);
}

size_t levy_bound_pair(const levy_policy_bound *b, size_t u, size_t v)
{
    return b->pairs + v * (v - 1) / 2 + u;
}

static void bound_lay_out(levy_policy_bound *b)
{
    for (size_t k = 0; k < b->n_claims; ++k)
        b->deviates = b->deviates || b->claims[k].kind != LEVY_BOUND_LEVEL;
    b->slopes = 1;
    b->own = b->slopes + b->n_levels;
    b->pairs = b->own + (b->deviates ? b->n_levels : 0);
    b->variables = b->pairs + (bound_is_paired(b) ? b->n_levels * (b->n_levels - 1) / 2 : 0);
    b->coefficients = b->variables + 2 * b->n_variables;
    b->n_terms = levy_policy_terms(b->n_read, LEVY_BOUND_DEGREE(b->n_read));
    b->n_numbers = b->coefficients + b->n_claims * b->n_terms;
}

bool levy_bound_reads_sum(const levy_policy_bound *b)
{
    return b->n_levels > 1 && b->n_variables == 1 && !b->ranked;
}

const char *levy_bound_begin(levy_policy_bound *b, const levy_policy *p, bool normal)
{
    const bool one = p->aggregate == LEVY_AGGREGATE_GEOMETRIC || p->n_assets == 1;
    const bool sum = p->aggregate == LEVY_AGGREGATE_BASKET;
    if (p->cash) return "its martingales need assets without cash dividends";
    if (one && p->n_assets > 1 && !normal)
        return "of a geometric basket it needs levels with normal logarithms";
    if (!one && !sum && p->n_assets > LEVY_POLICY_SORTED)
        return "of a best or worst of several it takes 16 assets at most";
    *b = (levy_policy_bound){.policy = p, .normal = normal, .n_levels = one ? 1 : p->n_assets};
    b->ranked = !one && !sum;
    b->n_places = b->n_levels;
    if (sum && b->n_levels > LEVY_BOUND_PLACES) b->n_places = 1;
    const size_t most = b->n_levels > LEVY_BOUND_RANKED ? 2 : 3;
    if (b->ranked && b->n_places > most) b->n_places = most;
    b->n_variables = b->ranked || (sum && b->n_levels == 2) ? b->n_places : 1;
    if (p->varies) b->n_variables = 2;
    b->n_read = b->n_variables < 2 ? b->n_variables : 2;
    b->degree = levy_policy_degree(b->n_variables);
    bound_claims(b);
    bound_lay_out(b);
    return NULL;
}

/* ---- Values ---- */

/* The mean of the greater one, where the logarithm of their ratio has the deviation. */
static double bound_best(double a, double b, double deviation)
{
    const double at = levy_log(a / b) / deviation + 0.5 * deviation;
    return a * levy_normal_cdf(at) + b * levy_normal_cdf(deviation - at);
}

static double bound_square(const levy_policy_bound *b, const double *numbers, const double *means)
{
    double sum = 0.0;
    for (size_t v = 0; v < b->n_levels; ++v) {
        const double own = numbers[b->own + v] * numbers[b->own + v];
        sum += means[v] * means[v] * levy_exp(own);
        for (size_t u = 0; u < v; ++u) {
            const double other = numbers[b->own + u], pair = numbers[levy_bound_pair(b, u, v)];
            sum += 2.0 * means[u] * means[v] * levy_exp(0.5 * (own + other * other - pair * pair));
        }
    }
    return sum;
}

static size_t bound_pair_of(const levy_policy_bound *b, size_t u, size_t v)
{
    return u < v ? levy_bound_pair(b, u, v) : levy_bound_pair(b, v, u);
}

void levy_bound_values(const levy_policy_bound *b, const double *numbers, const double *means,
                       const size_t *at, double *values)
{
    for (size_t k = 0; k < b->n_claims; ++k) {
        const size_t u = at[b->claims[k].first], v = at[b->claims[k].second];
        const double strike = b->policy->strike;
        switch (b->claims[k].kind) {
        case LEVY_BOUND_LEVEL:
            values[k] = means[u];
            for (size_t i = 1; i < b->n_levels && b->n_places == 1; ++i) values[k] += means[i];
            break;
        case LEVY_BOUND_OPTION:
            values[k] = bound_best(means[u], strike, numbers[b->own + u]);
            break;
        case LEVY_BOUND_BEST:
            values[k] = bound_best(fabs(means[u]), fabs(means[v]), numbers[bound_pair_of(b, u, v)]);
            break;
        case LEVY_BOUND_SQUARE:
            values[k] = bound_square(b, numbers, means);
            break;
        }
    }
}

void levy_bound_places(const levy_policy_bound *b, const double *levels, size_t *at)
{
    const double sign = b->policy->aggregate == LEVY_AGGREGATE_WORST_OF ? -1.0 : 1.0;
    for (size_t i = 0; i < b->n_places; ++i) at[i] = i;
    for (size_t i = 0; i < b->n_places && b->ranked; ++i) {
        at[i] = SIZE_MAX;
        for (size_t u = 0; u < b->n_levels; ++u) {
            bool taken = false;
            for (size_t j = 0; j < i; ++j) taken = taken || at[j] == u;
            if (!taken && (at[i] == SIZE_MAX || sign * levels[u] > sign * levels[at[i]])) at[i] = u;
        }
    }
}

/* ---- In an item ---- */

void levy_bound_start(const levy_policy_bound *b, const levy_script *script, const double *levels,
                      const double *fitted, double gain, double *constants)
{
    double level[LEVY_BOUND_LISTS], mean[LEVY_BOUND_LISTS], held[LEVY_BOUND_CLAIMS];
    size_t at[LEVY_BOUND_PLACES];
    const levy_script_variable *const variables = script->variables;
    for (size_t u = 0; u < b->policy->n_assets; ++u) level[u] = levels[u];
    if (b->n_levels < b->policy->n_assets) level[0] = levy_policy_level(b->policy, level);
    for (size_t u = 0; u < b->n_levels; ++u) mean[u] = level[u] * fitted[b->slopes + u];
    levy_bound_places(b, level, at);
    levy_bound_values(b, fitted, mean, at, held);
    if (gain > 0.0) constants[variables[LEVY_BOUND_MOST].state] = gain;
    for (size_t k = 0; k < b->n_claims; ++k)
        constants[variables[LEVY_BOUND_HELD + k].state] = held[k];
    const size_t ranks = LEVY_BOUND_HELD + b->n_claims + b->n_variables;
    for (size_t i = 0; i < b->n_places && b->ranked; ++i)
        constants[variables[ranks + i].state + at[i]] = 1.0;
}
