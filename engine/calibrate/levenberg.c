/* levenberg.c: see levenberg.h. */
#include "engine/calibrate/levenberg.h"

#include "engine/base/least_squares.h"

#include <math.h>

/* A step may be no larger than this in any parameter: exp(1), or a unit. */
#define LEVENBERG_LARGEST 1.0

static double levenberg_slope(const levy_search *search, size_t j)
{
    const levy_residual_rows *const at = &search->here;
    double sum = 0.0;
    for (size_t i = 0; i < search->residuals.n_rows; ++i) sum += at->slopes[i][j] * at->values[i];
    return sum;
}

bool levy_search_is_held(const levy_search *search, const double *point, size_t j)
{
    if (!(search->low[j] < search->high[j])) return true;
    if (point[j] > search->low[j] && point[j] < search->high[j]) return false;
    const double slope = levenberg_slope(search, j);
    return point[j] <= search->low[j] ? slope > 0.0 : slope < 0.0;
}

/* The damped step of the parameters that are not held: least squares with a further row of each,
 * sqrt(damping) times its column's length. */
static void levenberg_step(const levy_search *search, const double *point, double damping,
                           double *step)
{
    const levy_residuals *const r = &search->residuals;
    const levy_residual_rows *const at = &search->here;
    levy_least_squares rows = {.n = 0};
    size_t free[LEVY_EXPONENT_MOST];
    double x[LEVY_EXPONENT_MOST], c[LEVY_EXPONENT_MOST], lengths[LEVY_EXPONENT_MOST] = {0.0};
    for (size_t j = 0; j < r->fit->law->n; ++j) {
        step[j] = 0.0;
        if (!levy_search_is_held(search, point, j)) free[rows.n++] = j;
    }
    if (rows.n == 0) return;
    for (size_t i = 0; i < r->n_rows; ++i) {
        for (size_t k = 0; k < rows.n; ++k) {
            x[k] = at->slopes[i][free[k]];
            lengths[k] += x[k] * x[k];
        }
        levy_least_squares_add(&rows, x, -at->values[i]);
    }
    for (size_t k = 0; k < rows.n; ++k) {
        for (size_t m = 0; m < rows.n; ++m) x[m] = 0.0;
        x[k] = levy_sqrt(damping * lengths[k]);
        levy_least_squares_add(&rows, x, 0.0);
    }
    (void)levy_least_squares_solve(&rows, c);
    for (size_t k = 0; k < rows.n; ++k) step[free[k]] = c[k];
}

/* Cuts the step to its largest and to the bounds; the largest part that is left. */
static double levenberg_cut(const levy_search *search, const double *point, double *step, size_t n)
{
    double largest = 0.0, left = 0.0;
    for (size_t j = 0; j < n; ++j) largest = fmax(largest, fabs(step[j]));
    const double scale = largest > LEVENBERG_LARGEST ? LEVENBERG_LARGEST / largest : 1.0;
    for (size_t j = 0; j < n; ++j) {
        const double to = fmin(fmax(point[j] + scale * step[j], search->low[j]), search->high[j]);
        step[j] = to - point[j];
        left = fmax(left, fabs(step[j]));
    }
    return left;
}

/* What the linear residuals promise of the step: the fall of their sum of squares. */
static double levenberg_promise(const levy_search *search, const double *step, double cost)
{
    const levy_residuals *const r = &search->residuals;
    const levy_residual_rows *const at = &search->here;
    double sum = 0.0;
    for (size_t i = 0; i < r->n_rows; ++i) {
        double value = at->values[i];
        for (size_t j = 0; j < r->fit->law->n; ++j) value += at->slopes[i][j] * step[j];
        sum += value * value;
    }
    return cost - sum;
}

double levy_search_run(levy_search *search, double *point, bool *converged)
{
    const size_t n = search->residuals.fit->law->n;
    double step[LEVY_EXPONENT_MOST], tried[LEVY_EXPONENT_MOST], damping = 1e-3, growth = 2.0;
    double cost = levy_residuals_at(&search->residuals, point, &search->here);
    *converged = false;
    for (size_t i = 0; i < search->most_steps && cost < HUGE_VAL; ++i) {
        levenberg_step(search, point, damping, step);
        const double size = levenberg_cut(search, point, step, n);
        *converged = size < search->least_step;
        if (*converged || damping > 1e12) break;
        for (size_t j = 0; j < n; ++j) tried[j] = point[j] + step[j];
        const double next = levy_residuals_at(&search->residuals, tried, &search->there);
        if (!(next < cost)) {
            damping *= growth;
            growth *= 2.0;
            continue;
        }
        const double ratio = (cost - next) / levenberg_promise(search, step, cost),
                     bent = 2.0 * ratio - 1.0;
        damping *= fmax(1.0 / 9.0, fmin(1.0 - bent * bent * bent, 2.0));
        growth = 2.0;
        for (size_t j = 0; j < n; ++j) point[j] = tried[j];
        cost = next;
        const levy_residual_rows kept = search->here;
        search->here = search->there;
        search->there = kept;
    }
    return cost;
}
