/* leading.c: see leading.h. A pivot is 1 plus a shoot. From the left, pivot i is slope i + 1 over
 * slope i; from the right, slope i - 1 over slope i. */
#include "engine/plan/leading.h"

#include "engine/plan/principal.h"
#include "kernels/lane/scalar.h"

typedef struct leading_work {
    size_t n;
    double *steps;        /* [n], in units of the last date */
    double *left, *right; /* [n]: shoots */
} leading_work;

/* An end that a slope of exactly 0 would make: a pivot far below every other. */
static double leading_pivot(double shoot)
{
    const double pivot = 1.0 + shoot;
    return pivot == 0.0 ? -0x1p-200 : pivot;
}

/* How many components have a smaller x. */
static size_t leading_below(const leading_work *w, double x)
{
    double shoot = 0.0, pivot = 1.0;
    size_t below = 0;
    for (size_t i = 0; i < w->n; ++i) {
        shoot = shoot / pivot - x * w->steps[i];
        pivot = leading_pivot(shoot);
        below += pivot < 0.0;
    }
    return below;
}

/* The x of component j, to the last digit. `low`: a number that is not larger. */
static double leading_value(const leading_work *w, size_t j, double low)
{
    double high = 2.0 * low;
    while (leading_below(w, high) <= j) {
        low = high;
        high = 2.0 * high;
    }
    for (;;) {
        const double middle = low + 0.5 * (high - low);
        if (!(low < middle && middle < high)) return low;
        if (leading_below(w, middle) <= j)
            low = middle;
        else
            high = middle;
    }
}

/* Shoots from both ends. Returns where they fit best. */
static size_t leading_meet(const leading_work *w, double x)
{
    const size_t n = w->n;
    size_t best = 0;
    double least = 0.0;
    w->left[0] = -x * w->steps[0];
    for (size_t i = 1; i < n; ++i)
        w->left[i] = w->left[i - 1] / leading_pivot(w->left[i - 1]) - x * w->steps[i];
    w->right[n - 1] = 1.0 - x * w->steps[n - 1]; /* beyond the last date, the slope is 0 */
    for (size_t i = n - 1; i-- > 0;)
        w->right[i] = w->right[i + 1] / leading_pivot(w->right[i + 1]) - x * w->steps[i];
    for (size_t i = 0; i < n; ++i) {
        const double gap = (w->left[i] + w->right[i] + x * w->steps[i]) / w->steps[i],
                     size = gap < 0.0 ? -gap : gap;
        if (i == 0 || size < least) {
            least = size;
            best = i;
        }
    }
    return best;
}

/* u: [n], the component's levels in some unit. */
static void leading_levels(const leading_work *w, double x, double *u)
{
    const size_t meet = leading_meet(w, x);
    u[meet] = 1.0;
    for (size_t i = meet; i-- > 0;) u[i] = u[i + 1] / leading_pivot(w->left[i]);
    for (size_t i = meet + 1; i < w->n; ++i) u[i] = u[i - 1] / leading_pivot(w->right[i]);
    double level = 0.0;
    for (size_t i = 0; i < w->n; ++i) u[i] = level += w->steps[i] * u[i];
}

static void leading_scale(size_t n, double *x, double by)
{
    for (size_t k = 0; k < n; ++k) x[k] *= by;
}

/* Takes the part along the columns before out of column j. Returns what is left of its square. */
static double leading_part(size_t n, size_t j, double *columns)
{
    double *const own = columns + j * n;
    leading_scale(n, own, 1.0 / levy_sqrt(levy_components_dot(n, own, own)));
    for (int turn = 0; turn < 2; ++turn)
        for (size_t l = 0; l < j; ++l) {
            const double *const before = columns + l * n;
            const double share =
                levy_components_dot(n, before, own) / levy_components_dot(n, before, before);
            for (size_t k = 0; k < n; ++k) own[k] -= share * before[k];
        }
    return levy_components_dot(n, own, own);
}

/* Two stretches of tiny steps that are alike give components of the same variance, 1e-10 of the
 * largest or less, and the recursions may find one of them twice. Which direction is second is
 * then of no weight: the date that the columns before move least, without what they move of it. */
static void leading_replace(const leading_work *w, size_t j, double *columns)
{
    const size_t n = w->n;
    size_t date = 0;
    double least = 2.0;
    for (size_t l = 0; l < j; ++l)
        w->left[l] = levy_components_dot(n, columns + l * n, columns + l * n);
    for (size_t k = 0; k < n; ++k) {
        double moved = 0.0;
        for (size_t l = 0; l < j; ++l) {
            const double *const before = columns + l * n;
            moved += before[k] * before[k] / w->left[l];
        }
        if (moved < least) {
            least = moved;
            date = k;
        }
    }
    for (size_t k = 0; k < n; ++k) columns[j * n + k] = k == date;
    (void)leading_part(n, j, columns);
}

/* Gives the column its length, the root of the variance, and makes its largest entry positive. */
static void leading_finish(size_t n, double variance, double *own)
{
    size_t top = 0;
    for (size_t k = 1; k < n; ++k)
        if (own[k] * own[k] > own[top] * own[top] * (1.0 + 1e-9)) top = k;
    const double length = levy_sqrt(variance / levy_components_dot(n, own, own));
    leading_scale(n, own, own[top] < 0.0 ? -length : length);
}

levy_status levy_leading_create(size_t n, const double *clock, size_t wanted, levy_arena *scratch,
                                double *columns)
{
    leading_work w = {n, levy_arena_allocate(scratch, n, sizeof *w.steps),
                      levy_arena_allocate(scratch, n, sizeof *w.left),
                      levy_arena_allocate(scratch, n, sizeof *w.right)};
    if (!w.steps || !w.left || !w.right) return LEVY_MEMORY;
    double all = 0.0;
    for (size_t i = 0; i < n; ++i) {
        w.steps[i] = (clock[i] - (i ? clock[i - 1] : 0.0)) / clock[n - 1];
        all += clock[i] / clock[n - 1];
    }
    double x = 0.5 / all; /* no variance is more than all of them together */
    for (size_t j = 0; j < wanted; ++j) {
        if (levy_memory_stopped(scratch->memory)) return LEVY_CANCELLED;
        x = leading_value(&w, j, x);
        leading_levels(&w, x, columns + j * n);
        if (!(leading_part(n, j, columns) > 0.5)) leading_replace(&w, j, columns);
        leading_finish(n, clock[n - 1] / x, columns + j * n);
    }
    return LEVY_OK;
}
