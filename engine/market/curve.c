/* curve.c: see curve.h. Monotone convex: P. Hagan and G. West, "Interpolation methods for curve
 * construction", Applied Mathematical Finance 13, 2006, section 6. */
#include "engine/market/curve.h"

#include <math.h>

static double curve_line(double x0, double y0, double x1, double y1, double x)
{
    return y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
}

/* ---- Monotone convex ---- */

/* What the log discount loses a year from node i - 1 to node i; node 0 is today. */
static double convex_discrete(const levy_curve *c, size_t i)
{
    const double start = i > 1 ? c->times[i - 2] : 0.0,
                 value = i > 1 ? c->log_discounts[i - 2] : 0.0;
    return (value - c->log_discounts[i - 1]) / (c->times[i - 1] - start);
}

/* The forward rate at node i of 0 to n, as what is beside it makes it. */
static double convex_free(const levy_curve *c, size_t i)
{
    const size_t n = c->n;
    if (n == 1) return convex_discrete(c, 1);
    if (i == 0 || i == n) {
        const double own = convex_discrete(c, i == 0 ? 1 : n);
        return own - 0.5 * (convex_free(c, i == 0 ? 1 : n - 1) - own);
    }
    const double before = convex_discrete(c, i), after = convex_discrete(c, i + 1),
                 start = i > 1 ? c->times[i - 2] : 0.0,
                 share = (c->times[i - 1] - start) / (c->times[i] - start);
    return share * after + (1.0 - share) * before;
}

/* The same, of the sign of both sides and within twice the smaller, which keeps forwards between
 * nodes of that sign. Where the signs differ it is 0, so that no rate that passes 0 makes a jump.
 */
static double convex_forward(const levy_curve *c, size_t i)
{
    const double before = convex_discrete(c, i > 0 ? i : 1),
                 after = convex_discrete(c, i < c->n ? i + 1 : i), free = convex_free(c, i);
    if (before > 0.0 && after > 0.0) return fmin(fmax(free, 0.0), 2.0 * fmin(before, after));
    if (before < 0.0 && after < 0.0) return fmax(fmin(free, 0.0), 2.0 * fmax(before, after));
    return 0.0;
}

/* The integral until x of 1 of a quadratic that falls from 1 to 0 at `end`, and is 0 beyond. */
static double convex_fall(double x, double end)
{
    const double left = end - fmin(x, end);
    return end > 0.0 ? (end - left * left * left / (end * end)) / 3.0 : 0.0;
}

/* The same of one that rises from 0 at `start` to 1 at 1. */
static double convex_rise(double x, double start)
{
    const double gone = fmax(x - start, 0.0), whole = 1.0 - start;
    return whole > 0.0 ? gone * gone * gone / (3.0 * whole * whole) : 0.0;
}

/* The integral until x of 1 of what the forward is beyond the discrete one, which it is by `from`
 * at 0 and by `to` at 1. */
static double convex_excess(double from, double to, double x)
{
    if (from == 0.0 && to == 0.0) return 0.0;
    if (from * to >= 0.0) { /* both on one side: there and back */
        const double turn = to / (from + to), level = -from * to / (from + to);
        return level * x + (from - level) * convex_fall(x, turn) +
               (to - level) * convex_rise(x, turn);
    }
    if (fabs(to) > 2.0 * fabs(from)) /* flat at first */
        return from * x + (to - from) * convex_rise(x, (to + 2.0 * from) / (to - from));
    if (fabs(from) > 2.0 * fabs(to)) /* flat at last */
        return to * x + (from - to) * convex_fall(x, 3.0 * to / (to - from));
    return x * (from * (1.0 + x * (x - 2.0)) + to * x * (x - 1.0));
}

static double convex_own(const levy_curve *c, size_t i, double t)
{
    if (i == c->n) return c->log_discounts[i - 1] - convex_forward(c, i) * (t - c->times[i - 1]);
    const double start = i > 0 ? c->times[i - 1] : 0.0,
                 value = i > 0 ? c->log_discounts[i - 1] : 0.0, years = c->times[i] - start,
                 discrete = convex_discrete(c, i + 1);
    return value - discrete * (t - start) -
           years * convex_excess(convex_forward(c, i) - discrete,
                                 convex_forward(c, i + 1) - discrete, (t - start) / years);
}

/* ---- Curves ---- */

static double curve_own(const levy_curve *curve, double t)
{
    const size_t n = curve->n;
    size_t i = 0;
    for (size_t end = n; i < end;) { /* the first node that is not before t */
        const size_t middle = i + (end - i) / 2;
        if (curve->times[middle] < t)
            i = middle + 1;
        else
            end = middle;
    }
    if (curve->interpolation == LEVY_MONOTONE_CONVEX) return convex_own(curve, i, t);
    if (curve->interpolation == LEVY_LINEAR_ZERO) {
        const double *z = curve->zero_rates;
        if (i == 0) return -z[0] * t;
        if (i == n) return -z[n - 1] * t;
        return -curve_line(curve->times[i - 1], z[i - 1], curve->times[i], z[i], t) * t;
    }
    if (i == n) i = n - 1; /* the last forward goes on */
    const double start = i > 0 ? curve->times[i - 1] : 0,
                 value = i > 0 ? curve->log_discounts[i - 1] : 0;
    return curve_line(start, value, curve->times[i], curve->log_discounts[i], t);
}

double levy_curve_log_discount(const levy_curve *curve, double t)
{
    if (t <= 0) return 0;
    double sum = curve_own(curve, t);
    while ((curve = curve->over)) sum += curve_own(curve, t);
    return sum;
}

levy_nodes levy_curve_nodes(const levy_curve *curve)
{
    return (levy_nodes){curve->n, curve->times};
}

levy_nodes levy_curve_kinks(const levy_curve *curve) { return curve->kinks; }

double levy_curve_rate(const levy_curve *curve, size_t node) { return curve->zero_rates[node]; }

bool levy_curve_is_on(const levy_curve *curve, const levy_curve *other)
{
    while (curve && curve != other) curve = curve->over;
    return curve != NULL;
}

bool levy_curve_bends(const levy_curve *curve)
{
    bool bends = false;
    for (; curve; curve = curve->over)
        bends = bends || (curve->interpolation != LEVY_LOG_LINEAR_DISCOUNT && curve->n > 1);
    return bends;
}
