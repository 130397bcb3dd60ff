/* policy_bound.c: see policy_bound.h. policy_bound_script.c has the script. */
#define LANE_SCALAR
#include "payoffs/policy_bound_lanes.h"

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
    if (p->varies || (p->n_assets == 1 && p->n_regimes > 1)) b->n_variables = 2;
    b->n_read = b->n_variables < 2 ? b->n_variables : 2;
    b->degree = levy_policy_degree(b->n_variables);
    bound_claims(b);
    bound_lay_out(b);
    return NULL;
}

/* ---- In an item ---- */

void levy_bound_start(const levy_policy_bound *b, const levy_script *script, const double *levels,
                      const double *fitted, double gain, double *constants)
{
    lane level[LEVY_SCRIPT_ASSETS], mean[LEVY_SCRIPT_ASSETS], held[LEVY_BOUND_CLAIMS],
        place[LEVY_BOUND_PLACES];
    const levy_script_variable *const variables = script->variables;
    for (size_t u = 0; u < b->policy->n_assets; ++u) level[u] = lane_of(levels[u]);
    if (b->n_levels < b->policy->n_assets) level[0] = policy_level(b->policy, level);
    for (size_t u = 0; u < b->n_levels; ++u) mean[u] = level[u] * fitted[b->slopes + u];
    bound_places(b, level, place);
    bound_values(b, fitted, mean, place, held);
    if (gain > 0.0) constants[variables[LEVY_BOUND_MOST].state] = gain;
    for (size_t k = 0; k < b->n_claims; ++k)
        constants[variables[LEVY_BOUND_HELD + k].state] = lane_get(held[k], 0);
    const size_t ranks = LEVY_BOUND_HELD + b->n_claims + b->n_variables;
    for (size_t i = 0; i < b->n_places && b->ranked; ++i)
        constants[variables[ranks + i].state + (size_t)lane_get(place[i], 0)] = 1.0;
}
