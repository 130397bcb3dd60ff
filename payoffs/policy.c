/* policy.c: see policy.h. A polynomial P of n variables and degree d is P(n - 1, d) + v_n P(n, d -
 * 1), down to single coefficients: in that order they are fitted, and in it the script has them. */
#define LANE_SCALAR
#include "payoffs/policy_bound.h"

#include "payoffs/policy_control.h"
#include "payoffs/policy_lanes.h"
#include "payoffs/scripted.h"

#include <math.h>

/* Of a regression: the most. */
enum { POLICY_COLUMNS = 32 };

/* ---- Levels ---- */

double levy_policy_level(const levy_policy *p, const double *levels)
{
    lane level[LEVY_SCRIPT_ASSETS] = {lane_of(levels[0])};
    for (size_t u = 0; u < p->n_assets; ++u) level[u] = lane_of(levels[u]);
    return lane_get(policy_level(p, level), 0);
}

/* ---- Polynomials ---- */

size_t levy_policy_terms(size_t n_variables, size_t degree)
{
    if (n_variables == 0 || degree == 0) return 1;
    return levy_policy_terms(n_variables - 1, degree) + levy_policy_terms(n_variables, degree - 1);
}

size_t levy_policy_all_terms(const levy_policy *p)
{
    return levy_policy_terms(p->n_levels, p->degree) +
           (p->n_regimes - 1) * levy_policy_terms(p->n_levels, p->apart);
}

double *levy_policy_monomials(size_t n, size_t degree, const double *v, double product, double *x)
{
    if (n == 0 || degree == 0) {
        *x = product;
        return x + 1;
    }
    x = levy_policy_monomials(n - 1, degree, v, product, x);
    return levy_policy_monomials(n, degree - 1, v, product * v[n - 1], x);
}

double levy_policy_moments(size_t n, size_t step, const double *v, double *mean)
{
    double sum = 0.0, square = 0.0;
    for (size_t k = 0; k < n; ++k) sum += v[k * step];
    *mean = sum / (double)n;
    for (size_t k = 0; k < n; ++k) square += (v[k * step] - *mean) * (v[k * step] - *mean);
    return square;
}

/* ---- In an item ---- */

static void policy_put(const levy_claim *claim, const levy_claim_unit *unit, const double *fitted,
                       double *node_terms)
{
    const levy_script *const script = &claim->scripted->script;
    (void)unit; /* a script's levels are in money */
    const levy_policy *const p = claim->scripted->policy;
    const bool bounds = claim->view.bounds;
    const size_t control = p->control && !bounds ? p->n_own - LEVY_CONTROL_NUMBERS : SIZE_MAX;
    for (uint32_t k = 0; k < script->program->n_terms; ++k) {
        const size_t number = script->terms[k].parameter - LEVY_POLICY_FIXED;
        if (script->terms[k].kind != LEVY_SCRIPT_ITEM) continue;
        node_terms[k] = number >= control
                            ? levy_control_number(p, claim->law, fitted, number - control)
                            : fitted[bounds ? p->n_own + number : number];
    }
}

/* Whether the numbers of a date exercise where they see the level alone. */
static bool policy_exercises(const levy_policy *p, const double *numbers, double level)
{
    const double *const c = numbers + LEVY_POLICY_NUMBERS;
    const double x = (level - numbers[LEVY_POLICY_MEAN]) * numbers[LEVY_POLICY_SHARE],
                 v = fmin(fmax(x, numbers[LEVY_POLICY_LEAST]), numbers[LEVY_POLICY_MOST]);
    double more = c[p->degree];
    for (size_t k = p->degree; k-- > 0;) more = c[k] + v * more;
    return more <= 0.0;
}

/* How many paths of the fit are at a level or beyond. */
static size_t policy_reach(const levy_policy *p, const levy_stage_levels *l, size_t date,
                           double level)
{
    double at[LEVY_SCRIPT_ASSETS];
    size_t n = 0;
    for (size_t k = 0; k < l->n_paths; ++k) {
        for (size_t u = 0; u < p->n_assets; ++u)
            at[u] = p->coefficients[u] * l->levels[(date * l->n_assets + u) * l->n_paths + k];
        n += p->sign * (levy_policy_level(p, at) - level) >= 0.0;
    }
    return n;
}

/* The first level from the strike into the money that is exercised. */
static double policy_boundary(const levy_claim *claim, const levy_stage_levels *levels, size_t date,
                              const double *numbers)
{
    enum { STEPS = 256, HALVES = 50 };
    const levy_policy *const p = claim->scripted->policy;
    const double share = numbers[LEVY_POLICY_SHARE],
                 end = numbers[p->sign > 0.0 ? LEVY_POLICY_MOST : LEVY_POLICY_LEAST] / share +
                       numbers[LEVY_POLICY_MEAN],
                 step = (end - p->strike) / STEPS;
    int k = 1;
    if (!(share > 0.0) || numbers[LEVY_POLICY_NUMBERS] == LEVY_POLICY_NEVER) return NAN;
    while (k <= STEPS && !policy_exercises(p, numbers, p->strike + k * step)) ++k;
    if (k > STEPS) return NAN;
    double kept = p->strike + (k - 1) * step, paid = kept + step;
    for (int i = 0; i < HALVES; ++i) {
        const double middle = 0.5 * (kept + paid);
        if (policy_exercises(p, numbers, middle))
            paid = middle;
        else
            kept = middle;
    }
    const size_t least = LEVY_POLICY_PATHS * levy_policy_terms(1, p->degree);
    return policy_reach(p, levels, date, paid) < least ? NAN : paid;
}

/* An option that is exercised today has ended on all paths, and so has an item that counts today
 * alone. To suppose exercise needs no gain. */
static void policy_start(const levy_claim *claim, const double *levels,
                         const levy_claim_market *market, double discount, const double *fitted,
                         double *constants)
{
    const levy_policy *const p = claim->scripted->policy;
    const levy_script *const script = &claim->scripted->script;
    const levy_now now = claim->view.now;
    (void)market;
    if (claim->view.bounds) {
        const double paid = p->sign * (levy_policy_level(p, levels) - p->strike) / discount;
        levy_bound_start(p->bound, script, levels, fitted + p->n_own, p->today ? paid : 0.0,
                         constants);
        return;
    }
    const bool only = claim->view.time == 0.0, counts = only || isnan(claim->view.time),
               ends = now == LEVY_NOW_EXERCISED || (now == LEVY_NOW_BY_RULE && fitted[0] != 0.0);
    const double level = levy_policy_level(p, levels), gain = p->sign * (level - p->strike);
    if (only || ends) constants[script->alive] = 0.0;
    if (!only && !ends && p->control)
        constants[0] += levy_control_start(p, claim->law, fitted, level);
    if (!ends) return;
    if (counts && gain > 0.0) constants[0] += gain / discount;
    constants[script->ended] = counts;
    constants[script->life] = 0.0;
}

/* Of one variable, two and three. More of two gain nothing, more of three are too many. */
static const size_t policy_degrees[] = {8, 4, 3};
size_t levy_policy_degree(size_t n_variables) { return policy_degrees[n_variables - 1]; }

static const size_t policy_powers[] = {3, 2, 2}; /* of controls, by assets; of more assets 1 */

/* As high a degree of what regimes differ by as there is room for. */
static void policy_part_regimes(levy_policy *p)
{
    const size_t controls = p->n_assets * p->n_powers;
    if (p->n_regimes == 0) p->n_regimes = 1;
    if (p->n_regimes > LEVY_POLICY_REGIMES) p->n_regimes = LEVY_POLICY_REGIMES;
    p->apart = p->degree;
    while (p->apart > 0 && levy_policy_all_terms(p) + controls >= POLICY_COLUMNS) --p->apart;
    p->n_variables = p->n_levels + p->n_regimes - 1;
}

void levy_policy_begin(levy_policy *p)
{
    const bool sum = p->aggregate == LEVY_AGGREGATE_BASKET;
    size_t n = p->n_assets < LEVY_POLICY_LEVELS ? p->n_assets : LEVY_POLICY_LEVELS;
    if (p->aggregate == LEVY_AGGREGATE_GEOMETRIC || (sum && n > 2) ||
        p->n_assets > LEVY_POLICY_SORTED)
        n = 1;
    p->varies = p->varies && p->n_assets == 1;
    if (p->varies) n = 2;
    if (n == 2 && p->n_assets == 2 && !sum) n = 3;
    p->n_levels = n;
    p->degree = policy_degrees[n - 1];
    p->n_powers = p->n_assets <= 3 ? policy_powers[p->n_assets - 1] : 1;
    policy_part_regimes(p);
    const size_t terms = levy_policy_all_terms(p);
    p->n_controls = p->n_assets * p->n_powers <= POLICY_COLUMNS - terms ? p->n_assets : 0;
    p->n_own =
        LEVY_POLICY_NUMBERS * p->n_variables + terms + (p->control ? LEVY_CONTROL_NUMBERS : 0);
    p->stage = (levy_stage){.policy = p->stage.policy,
                            .paths = p->stage.paths,
                            .n_fitted = (uint32_t)p->n_own,
                            .fit = levy_policy_fit,
                            .write = policy_put,
                            .begin = policy_start,
                            .level = p->n_variables == 1 ? policy_boundary : NULL,
                            .note = p->control ? levy_control_note : NULL,
                            .seed = &p->seed,
                            .asks_left = p->control,
                            .there = !p->control && p->n_assets <= LEVY_POLICY_SORTED &&
                                     p->n_own < LEVY_POLICY_THERE &&
                                     terms + p->n_controls * p->n_powers < LEVY_RULE_COLUMNS};
}
