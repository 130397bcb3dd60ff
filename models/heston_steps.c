/* heston_steps.c: the steps of heston and bates: their dates, and what each of them takes of the
 * terms (heston_numbers.h), for the lanes' heston_lanes.h, which has the sources. See
 * heston_terms.h. Must not know: curves, random numbers. */
#include "models/heston_numbers.h"
#include "models/heston_terms.h"

#include "kernels/lane/scalar.h"

#include <math.h>

/* ---- Dates ---- */

/* Of log E exp(A v'). */
static double heston_tilt(heston_numbers n, double dt)
{
    const double pull = 0.5 * dt * (n.kappa * n.rho / n.xi - 0.5) + n.rho / n.xi;
    return pull + 0.25 * dt * (1.0 - n.rho * n.rho);
}

/* A bound, over all v and both laws of v', of 2 A a and A / beta, below which E exp(A v') exists:
 * 2 a and 1 / beta are at most the largest s^2 / m while psi >= 1 in the latter. */
static double heston_reach(heston_numbers n, double dt)
{
    return heston_tilt(n, dt) * n.xi * n.xi * levy_heston_time(n.kappa, dt);
}

/* The longest of a step and its halves such that the correction exists on it and on all that are
 * shorter, in the terms that a time is in. */
static double heston_longest(const levy_model_terms *terms, double step, double time)
{
    const bool is_euler = levy_heston_terms(terms)->scheme == HESTON_BY_EULER;
    for (size_t a = 0; !is_euler && a < terms->assets.count; ++a) {
        const heston_numbers n = levy_heston_of(terms, a, time);
        double longest = 0x1p-20 * step;
        while (longest < step && heston_reach(n, 2.0 * longest) <= 0.5) longest *= 2.0;
        step = longest;
    }
    return step;
}

/* The terms' ends, and steps between these and the dates. */
size_t levy_heston_dates(const levy_model_terms *terms, double longest, const double *times,
                         size_t n, double *dates)
{
    const double usual = fmin(1.0 / 48.0, times[n - 1] / 8.0);
    size_t count = 0;
    double from = 0.0, until = 0.0, step = usual;
    for (size_t i = 0; i < n;) {
        if (from >= until) {
            until = levy_heston_end(terms, SIZE_MAX, from, INFINITY);
            step = heston_longest(terms, longest > 0.0 ? longest : usual, until);
        }
        const double end = fmin(until, times[i]);
        count += levy_model_between(step, from, end, dates ? dates + count : NULL);
        from = end;
        if (end == times[i]) {
            ++i;
            continue;
        }
        if (dates) dates[count] = end;
        ++count;
    }
    return count;
}

/* ---- Numbers ---- */

/* so that 1 - sqrt(1 - psi / 2) has a root in single precision, too, and psi is finite */
#define LEAST_SPREAD 1e-34
#define LEAST_MEAN 1e-15

/* How factors move the level, by `level` times what they move of the asset less `shared` times what
 * they move of the own driver, and v, by `unit` times the latter. */
static void heston_put_factors(const levy_model_interval *of, double level, double shared,
                               double unit, double *numbers)
{
    double both = 0.0, all = 0.0, alone = 0.0;
    for (size_t f = 0; f < of->n_factors && !of->shared; ++f) {
        of->factor[f] = of->factor[f] * level - shared * of->own[f];
        of->own[f] *= unit;
    }
    if (!of->shared) return;
    for (size_t f = 0; f < of->shared; ++f) {
        both += of->own[f] * of->factor[f];
        all += of->factor[f] * of->factor[f];
    }
    for (size_t f = of->shared; f < of->n_factors; ++f) alone += of->own[f] * of->own[f];
    const double share = all > 0.0 ? both / all : 0.0; /* in an interval that is past none moves */
    numbers[HESTON_SHARE] = unit * share / of->scale;
    numbers[HESTON_LEVEL] = level - shared * share;
    numbers[HESTON_OWN] = unit * levy_sqrt(alone);
    numbers[HESTON_ASIDE] = -shared * levy_sqrt(alone) * of->scale;
}

/* What a payment abroad adds: `level`, `shared` and `unit` as for factors. */
static void heston_put_paid(const levy_model_interval *of, double level, double shared, double unit,
                            double *numbers)
{
    if (!of->is_paid) return;
    numbers[HESTON_PAID_LEVEL] = (level * of->paid[0] - shared * of->paid[1]) * of->scale;
    numbers[HESTON_PAID_OWN] = unit * of->paid[1];
    numbers[HESTON_PAID_RATE] = (double)of->rate;
}

static void heston_euler(heston_numbers n, const levy_model_interval *of, double *numbers)
{
    numbers[HESTON_DECAY] = n.kappa * of->years;
    numbers[HESTON_LIFT] = n.kappa * n.theta * of->years;
    numbers[HESTON_SLOPE] = n.xi;
    numbers[HESTON_HALF] = 0.5 * of->years * of->scale;
    numbers[HESTON_FORWARD] = of->forward * of->scale;
    heston_put_paid(of, 1.0 / of->volatility, 0.0, 1.0, numbers);
    heston_put_factors(of, 1.0 / of->volatility, 0.0, 1.0, numbers);
}

static void heston_qe(heston_numbers n, const levy_model_interval *of, double *numbers)
{
    const double dt = of->years, time = levy_heston_time(n.kappa, dt), left = 1.0 - n.kappa * time,
                 half = 0.25 * dt * (1.0 - n.rho * n.rho), root = levy_sqrt(0.5),
                 tilt = heston_tilt(n, dt);
    numbers[HESTON_DECAY] = 4.0 * left;
    numbers[HESTON_LIFT] = 4.0 * fmax(n.theta * n.kappa * time, LEAST_MEAN);
    numbers[HESTON_SLOPE] = 8.0 * n.xi * n.xi * left * time;
    numbers[HESTON_SPREAD] =
        16.0 * (0.25 * n.theta * n.xi * n.xi * n.kappa * time * time + LEAST_SPREAD);
    numbers[HESTON_TILT] = 0.5 * tilt;
    numbers[HESTON_PULL] = (tilt - half) * of->scale;
    numbers[HESTON_HALF] = half * of->scale;
    numbers[HESTON_LOST] = numbers[HESTON_HALF] * (1.0 + left);
    numbers[HESTON_FORWARD] =
        of->forward * of->scale - 0.25 * numbers[HESTON_HALF] * numbers[HESTON_LIFT];
    numbers[HESTON_FOLLOWS] = of->is_bump ? 1.0 : 0.0;
    numbers[HESTON_SMALL] = fabs(heston_reach(n, dt)) <= HESTON_SERIES ? 1.0 : 0.0;
    /* an increment by its deviation is a normal */
    const double unit = dt > 0.0 ? 0.5 / levy_sqrt(dt) : 0.0;
    heston_put_paid(of, 0.5 / of->volatility, 0.5 * n.rho, unit, numbers);
    heston_put_factors(of, root / of->volatility, n.rho * root, unit, numbers);
}

/* The roots of v0 and theta move like volatilities. */
void levy_heston_interval(const levy_model_terms *terms, size_t asset,
                          const levy_model_interval *of, double *numbers)
{
    heston_numbers n = levy_heston_of(terms, asset, of->end);
    const double ratio = of->volatility / levy_heston_volatility(terms, asset),
                 start = levy_sqrt(n.v0) * ratio + of->added,
                 end = levy_sqrt(n.theta) * ratio + of->added;
    n.v0 = start * start;
    n.theta = end * end;
    numbers[HESTON_START] = n.v0;
    if (levy_heston_terms(terms)->scheme == HESTON_BY_EULER)
        heston_euler(n, of, numbers);
    else
        heston_qe(n, of, numbers);
}

/* What the integrated normal moves of the first factor's driver in each interval. */
static levy_status heston_plan_moved(const levy_model_grid *grid, levy_arena *arena,
                                     levy_model_plan *plan)
{
    double *const moved = levy_arena_allocate(arena, grid->n_nodes, sizeof *moved);
    if (!moved) return LEVY_MEMORY;
    for (size_t k = 0; k < grid->n_nodes; ++k)
        moved[k] = grid->moved[k] - (k ? grid->moved[k - 1] : 0.0);
    plan->reals = moved;
    plan->n_reals = grid->n_nodes;
    plan->carried = 2;
    return LEVY_OK;
}

/* The turn of the last factors, in rows of whole fours. */
static levy_status heston_plan_led(const levy_model_grid *grid, levy_arena *arena,
                                   levy_model_plan *plan)
{
    const size_t n = grid->n_assets, row = (n + 3) / 4 * 4;
    double *const reals = levy_arena_allocate(arena, n * row, sizeof *reals);
    if (!reals) return LEVY_MEMORY;
    for (size_t i = 0; i < n * n; ++i) reals[i / n * row + i % n] = grid->turn[i];
    plan->reals = reals;
    plan->n_reals = n * row;
    return LEVY_OK;
}

levy_status levy_heston_plan(const levy_model_terms *terms, const levy_model_grid *grid,
                             levy_arena *arena, levy_model_plan *plan)
{
    *plan = (levy_model_plan){.carried = 1};
    if (levy_heston_terms(terms)->scheme == HESTON_BY_EULER) plan->constants[0] = HESTON_EULER;
    if (grid->turn) plan->constants[0] |= LEVY_MODEL_LED;
    if (grid->paid) plan->constants[0] |= LEVY_MODEL_PAID;
    if (grid->rated) plan->constants[1] = 1 + (uint32_t)(grid->n_seen % grid->n_assets);
    if (grid->moved) return heston_plan_moved(grid, arena, plan);
    return grid->turn ? heston_plan_led(grid, arena, plan) : LEVY_OK;
}
