/* curve.c: see curve.h. */
#include "engine/market/curve.h"

static double curve_line(double x0, double y0, double x1, double y1, double x)
{
    return y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
}

static double curve_own(const levy_curve *curve, double t)
{
    const size_t n = curve->n;
    size_t i = 0;
    while (i < n && curve->times[i] < t) ++i;
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
        bends = bends || (curve->interpolation == LEVY_LINEAR_ZERO && curve->n > 1);
    return bends;
}
