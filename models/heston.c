/* heston.c: host half of Heston's model: dS/S = (rates - yields) dt + sqrt(v) dW, dv = kappa (theta
 * - v) dt + xi sqrt(v) dB, with rho the correlation of each asset's W and B. Given the assets'
 * drivers W, the B are independent, so corr(W_i, B_j) = rho_j c_ij and corr(B_i, B_j) = rho_i rho_j
 * c_ij with the market's correlations c, unless the book gives others. The step is in
 * heston_lanes.h, with the sources. With jumps of merton's kind it is the model of D. Bates, Jumps
 * and stochastic volatility, Review of Financial Studies 9, 1996. Must not know: curves, random
 * numbers. */
#include "models/heston_numbers.h"
#include "models/heston_terms.h"

#include "engine/fourier/middle.h"
#include "kernels/lane/scalar.h"

#include <math.h>

/* Terms between the nodes of four lists, and the parameters of a law by these and of its jumps. */
enum {
    HESTON_MOST_TERMS = 4 * LEVY_TERM_MOST,
    HESTON_MOST_PARAMETERS = 2 + HESTON_MOST_TERMS * LEVY_HESTON_TERM + 3
};

typedef struct heston_numbers {
    double v0, theta, kappa, xi, rho;
} heston_numbers;

static const heston_terms *heston_terms_of(const levy_model_terms *terms)
{
    return (const heston_terms *)terms;
}

/* Those of the term that a time is in. */
static heston_numbers heston_of(const levy_model_terms *terms, size_t asset, double time)
{
    const heston_terms *const t = heston_terms_of(terms);
    return (heston_numbers){
        levy_model_number(&t->v0, asset), levy_model_term(&t->theta, asset, time),
        levy_model_term(&t->kappa, asset, time), levy_model_term(&t->xi, asset, time),
        levy_model_term(&t->rho, asset, time)};
}

/* The end of the term that begins at a time, at most `until`. */
static double heston_end(const levy_model_terms *terms, size_t asset, double from, double until)
{
    return fmin(levy_model_break(&levy_model_heston, terms, asset, from), until);
}

/* (1 - exp(-kappa t)) / kappa */
static double heston_time(double kappa, double t)
{
    const double x = kappa * t;
    return x < 1e-3 ? t * (1.0 - x / 2.0 * (1.0 - x / 3.0 * (1.0 - x / 4.0 * (1.0 - x / 5.0))))
                    : (1.0 - levy_exp(-x)) / kappa;
}

/* Of the expected variance over a year. */
static double heston_volatility(const levy_model_terms *terms, size_t asset)
{
    double variance = levy_model_number(&heston_terms_of(terms)->v0, asset), sum = 0.0;
    for (double from = 0.0, end; from < 1.0; from = end) {
        end = heston_end(terms, asset, from, 1.0);
        const heston_numbers n = heston_of(terms, asset, end);
        const double time = heston_time(n.kappa, end - from), above = variance - n.theta;
        sum += n.theta * (end - from) + above * time;
        variance = n.theta + above * (1.0 - n.kappa * time);
    }
    return levy_sqrt(sum);
}

static bool heston_check(const levy_model_terms *terms, size_t asset, levy_model_fault *fault)
{
    if (heston_volatility(terms, asset) >= LEVY_LEAST_VOLATILITY) return true;
    *fault = (levy_model_fault){"v0", "v0 and what theta makes of it in a year are 0",
                                "A variance is a volatility squared, such as 0.04."};
    return false;
}

static double heston_correlation(const levy_model_terms *terms, size_t asset, size_t driver,
                                 double time)
{
    (void)driver;
    return heston_of(terms, asset, time).rho;
}

static double heston_variability(const levy_model_terms *terms, size_t asset, double time)
{
    double mean = levy_model_number(&heston_terms_of(terms)->v0, asset), variance = 0.0;
    for (double from = 0.0, end; from < time; from = end) {
        end = heston_end(terms, asset, from, time);
        const heston_numbers n = heston_of(terms, asset, end);
        const double span = heston_time(n.kappa, end - from), left = 1.0 - n.kappa * span,
                     added = left * mean + 0.5 * n.theta * n.kappa * span;
        variance = left * left * variance + n.xi * n.xi * span * added;
        mean = left * mean + n.theta * n.kappa * span;
    }
    return mean > 0.0 ? levy_sqrt(variance) / mean : INFINITY;
}

/* Below 1 the variance reaches 0. */
static double heston_feller(const levy_model_terms *terms, size_t asset, double time)
{
    const heston_numbers n = heston_of(terms, asset, time);
    return 2.0 * n.kappa * n.theta / (n.xi * n.xi);
}

/* ---- The law ---- */

/* The parameters of the exponent of one term; returns their end. */
static double *heston_whole(heston_numbers n, double *p)
{
    p[0] = n.v0, p[1] = n.theta, p[2] = n.kappa, p[3] = n.xi, p[4] = n.rho;
    return p + 5;
}

/* Those by term; returns their end. */
static double *heston_by_term(const levy_model_terms *terms, size_t asset, double *p)
{
    double *at = p + 2;
    for (double from = 0.0; from < INFINITY; from = at[0], at += LEVY_HESTON_TERM) {
        at[0] = heston_end(terms, asset, from, INFINITY);
        const heston_numbers n = heston_of(terms, asset, at[0]);
        at[1] = n.theta, at[2] = n.kappa, at[3] = n.xi, at[4] = n.rho;
    }
    p[0] = heston_of(terms, asset, 0.0).v0;
    p[1] = (double)((at - p) / LEVY_HESTON_TERM);
    return at;
}

static bool heston_has_terms(const levy_model_terms *terms, size_t asset)
{
    return heston_end(terms, asset, 0.0, INFINITY) < INFINITY;
}

/* Jumps of normal marks add moments that are finite. */
static double heston_explodes(const levy_model_terms *terms, size_t asset, double order)
{
    double p[HESTON_MOST_PARAMETERS];
    if (heston_has_terms(terms, asset)) {
        heston_by_term(terms, asset, p);
        return levy_exponent_heston_terms_explode(p, order);
    }
    heston_whole(heston_of(terms, asset, 0.0), p);
    return levy_exponent_heston_explodes(p, order);
}

/* Further layers of jumps only lessen a peak. */
static levy_middle heston_law_middle(const levy_model_terms *terms, size_t asset, double time,
                                     const levy_exponent *whole, const levy_exponent *by_term,
                                     const levy_own_jumps *own)
{
    const bool has_terms = heston_has_terms(terms, asset);
    double p[HESTON_MOST_PARAMETERS], *end;
    if (has_terms)
        end = heston_by_term(terms, asset, p);
    else
        end = heston_whole(heston_of(terms, asset, 0.0), p);
    if (own) {
        end[0] = own->intensity;
        end[1] = own->mark.mean;
        end[2] = own->mark.volatility;
    }
    return levy_exponent_middle(has_terms ? by_term : whole, p, time,
                                heston_volatility(terms, asset) * levy_sqrt(time));
}

static levy_middle heston_middle(const levy_model_terms *terms, size_t asset, double time)
{
    return heston_law_middle(terms, asset, time, &levy_exponent_heston, &levy_exponent_heston_terms,
                             NULL);
}

static levy_middle bates_middle(const levy_model_terms *terms, size_t asset, double time)
{
    return heston_law_middle(terms, asset, time, &levy_exponent_bates, &levy_exponent_bates_terms,
                             levy_jump_own(terms));
}

/* dv is rho xi times the part of dS / S that the asset's driver moves. Given all drivers of assets,
 * those of variances are independent, so this holds for each asset among others, unless the book
 * correlates it with other variances (trade_checks.c refuses that). */
static double heston_leverage(const levy_model_terms *terms, size_t asset)
{
    const heston_numbers n = heston_of(terms, asset, 0.0);
    return n.rho * n.xi;
}

/* ---- Steps ---- */

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
    return heston_tilt(n, dt) * n.xi * n.xi * heston_time(n.kappa, dt);
}

/* The longest of a step and its halves such that the correction exists on it and on all that are
 * shorter, in the terms that a time is in. */
static double heston_longest(const levy_model_terms *terms, double step, double time)
{
    const bool is_euler = heston_terms_of(terms)->scheme == HESTON_BY_EULER;
    for (size_t a = 0; !is_euler && a < terms->assets.count; ++a) {
        const heston_numbers n = heston_of(terms, a, time);
        double longest = 0x1p-20 * step;
        while (longest < step && heston_reach(n, 2.0 * longest) <= 0.5) longest *= 2.0;
        step = longest;
    }
    return step;
}

/* The terms' ends, and steps between these and the dates. */
static size_t heston_dates(const levy_model_terms *terms, double longest, const double *times,
                           size_t n, double *dates)
{
    const double usual = fmin(1.0 / 48.0, times[n - 1] / 8.0);
    size_t count = 0;
    double from = 0.0, until = 0.0, step = usual;
    for (size_t i = 0; i < n;) {
        if (from >= until) {
            until = heston_end(terms, SIZE_MAX, from, INFINITY);
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

static void heston_euler(heston_numbers n, const levy_model_interval *of, double *numbers)
{
    numbers[HESTON_DECAY] = n.kappa * of->years;
    numbers[HESTON_LIFT] = n.kappa * n.theta * of->years;
    numbers[HESTON_SLOPE] = n.xi;
    numbers[HESTON_HALF] = 0.5 * of->years * of->scale;
    numbers[HESTON_FORWARD] = of->forward * of->scale;
    heston_put_factors(of, 1.0 / of->volatility, 0.0, 1.0, numbers);
}

static void heston_qe(heston_numbers n, const levy_model_interval *of, double *numbers)
{
    const double dt = of->years, time = heston_time(n.kappa, dt), left = 1.0 - n.kappa * time,
                 half = 0.25 * dt * (1.0 - n.rho * n.rho), root = levy_sqrt(0.5),
                 tilt = heston_tilt(n, dt);
    numbers[HESTON_DECAY] = left;
    numbers[HESTON_LIFT] = fmax(n.theta * n.kappa * time, LEAST_MEAN);
    numbers[HESTON_SLOPE] = 8.0 * n.xi * n.xi * left * time;
    numbers[HESTON_SPREAD] =
        16.0 * (0.25 * n.theta * n.xi * n.xi * n.kappa * time * time + LEAST_SPREAD);
    numbers[HESTON_TILT] = 0.5 * tilt;
    numbers[HESTON_PULL] = (tilt - half) * of->scale;
    numbers[HESTON_HALF] = half * of->scale;
    numbers[HESTON_LOST] = numbers[HESTON_HALF] * (1.0 + left);
    numbers[HESTON_FORWARD] = of->forward * of->scale - numbers[HESTON_HALF] * numbers[HESTON_LIFT];
    numbers[HESTON_FOLLOWS] = of->is_bump ? 1.0 : 0.0;
    numbers[HESTON_SMALL] = fabs(heston_reach(n, dt)) <= HESTON_SERIES ? 1.0 : 0.0;
    /* an increment by its deviation is a normal */
    heston_put_factors(of, root / of->volatility, n.rho * root,
                       dt > 0.0 ? 0.5 / levy_sqrt(dt) : 0.0, numbers);
}

/* The roots of v0 and theta move like volatilities. */
static void heston_interval(const levy_model_terms *terms, size_t asset,
                            const levy_model_interval *of, double *numbers)
{
    heston_numbers n = heston_of(terms, asset, of->end);
    const double ratio = of->volatility / heston_volatility(terms, asset),
                 start = levy_sqrt(n.v0) * ratio + of->added,
                 end = levy_sqrt(n.theta) * ratio + of->added;
    n.v0 = start * start;
    n.theta = end * end;
    numbers[HESTON_START] = n.v0;
    if (heston_terms_of(terms)->scheme == HESTON_BY_EULER)
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

static levy_status heston_plan(const levy_model_terms *terms, const levy_model_grid *grid,
                               levy_arena *arena, levy_model_plan *plan)
{
    *plan = (levy_model_plan){.carried = 1};
    if (heston_terms_of(terms)->scheme == HESTON_BY_EULER) plan->constants[0] = HESTON_EULER;
    if (grid->turn) plan->constants[0] |= LEVY_MODEL_LED;
    if (grid->moved) return heston_plan_moved(grid, arena, plan);
    return grid->turn ? heston_plan_led(grid, arena, plan) : LEVY_OK;
}

/* Measured on steps from the default up to 8 times that: qe_m 1.4 to 2 (docs/theory.md). */
static double heston_order(const levy_model_terms *terms)
{
    return heston_terms_of(terms)->scheme == HESTON_BY_EULER ? 1.0 : 1.5;
}

static const char *const heston_without[] = {"vega_by_node", NULL};
static const char *const heston_factors[] = {
#define HESTON_PARAMETER(name) #name,
#include "models/parameters.def"
    NULL};

#define HESTON_KIND(name)                                                                          \
    .kind = #name, .table = &levy_model_##name##_table,                                            \
    .features = LEVY_MODEL_RANDOM | LEVY_MODEL_SCALES | LEVY_MODEL_STEPPED | LEVY_MODEL_SLOPES,    \
    .without = heston_without, .drivers = 1, .correlation = heston_correlation, .share = "rho",    \
    .numbers = HESTON_NUMBERS, .interval = heston_interval, .volatility = heston_volatility,       \
    .factors = heston_factors, .variance = "v0", .leverage = heston_leverage,                      \
    .check = heston_check, .ratio_name = "Feller's ratio 2 kappa theta / xi^2",                    \
    .ratio = heston_feller, .bump = 0.02, .order = heston_order, .explodes = heston_explodes,      \
    .varies = true, .variability = heston_variability, .dates = heston_dates, .plan = heston_plan

const levy_model_kind levy_model_heston = {HESTON_KIND(heston), .law_middle = heston_middle};
const levy_model_kind levy_model_bates = {
    HESTON_KIND(bates),         .law_middle = bates_middle,   .lanes = LEVY_MODEL_HESTON,
    .own_jumps = levy_jump_own, .own_mark = LEVY_MARK_NORMAL,
};
