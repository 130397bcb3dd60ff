/* black.c: see black.h. With h = x / s, t = s / 2 and R Mills' ratio (1 - Phi) / phi, the price out
 * of the money is v (R(h - t) - R(h + t)) and what it lacks to its largest v (R(t - h) + R(t + h)),
 * v being its slope in s. Both are solved for in their logarithms, which are concave: Newton's
 * steps then come from one side. */
#include "engine/fourier/black.h"

#include "kernels/lane/scalar.h"

#include <math.h>
#include <stdint.h>

#define BLACK_ROOT_TWO_PI 2.5066282746310002
#define BLACK_LOG_ROOT_TWO_PI 0.9189385332046727

/* Mills' ratio of z >= 0: by a series of odd double factorials, or by Laplace's fraction. */
static double black_mills_above(double z)
{
    if (z < 1.7) {
        double term = z, sum = z;
        for (int k = 3; term > 1e-18 * sum; k += 2) {
            term *= z * z / k;
            sum += term;
        }
        return 0.5 * BLACK_ROOT_TWO_PI * levy_exp(0.5 * z * z) - sum;
    }
    double under = z;
    for (int k = 16 + (int)(420.0 / (z * z)); k > 0; --k) under = z + k / under;
    return 1.0 / under;
}

static double black_mills(double z)
{
    if (z >= 0.0) return black_mills_above(z);
    return BLACK_ROOT_TWO_PI * levy_exp(0.5 * z * z) - black_mills_above(-z);
}

/* R(h - t) - R(h + t), of small t by Taylor: R' = h R - 1, and each further derivative is h times
 * the one before plus k - 1 times the one before that. */
static double black_difference(double h, double t)
{
    if (t > 0.1) return black_mills(h - t) - black_mills(h + t);
    double even = black_mills(h), odd = h * even - 1.0, power = t, sum = t * odd;
    for (int k = 2; k < 14; k += 2) {
        even = h * odd + (k - 1) * even;
        odd = h * even + k * odd;
        power *= t * t / (k * (k + 1));
        sum += power * odd;
    }
    return -2.0 * sum;
}

static double black_log_slope(double x, double s)
{
    return -0.5 * (x / s * (x / s) + 0.25 * s * s) - BLACK_LOG_ROOT_TWO_PI;
}

/* what the price lacks to its largest, by its slope */
static double black_lack(double x, double s)
{
    return black_mills(0.5 * s - x / s) + black_mills(0.5 * s + x / s);
}

double levy_black_out(double x, double s)
{
    const double h = x / s, t = 0.5 * s, slope = levy_exp(black_log_slope(x, s));
    if (t <= 0.1 || h - t > -3.0) return slope * black_difference(h, t);
    return levy_exp(-0.5 * x) - slope * black_lack(x, s);
}

double levy_black_put(double log_strike, double s)
{
    const double x = log_strike < 0.0 ? -log_strike : log_strike, root = levy_exp(0.5 * log_strike);
    return root * levy_black_out(x, s) + (log_strike > 0.0 ? root * root - 1.0 : 0.0);
}

double levy_black_vega(double log_strike, double s)
{
    return levy_exp(0.5 * log_strike + black_log_slope(log_strike, s));
}

/* ---- Implied volatility ---- */

/* The logarithm of the price out of the money, or of minus what it lacks, less its target, and the
 * slope of that. */
static double black_gap(double x, double s, bool is_lack, double log_target, double *slope)
{
    const double ratio = is_lack ? black_lack(x, s) : black_difference(x / s, 0.5 * s);
    const double gap = black_log_slope(x, s) + levy_log(ratio) - log_target;
    *slope = 1.0 / ratio;
    return is_lack ? -gap : gap;
}

static double black_solve(double x, bool is_lack, double log_target)
{
    double low = 0.0, high = HUGE_VAL, s = levy_sqrt(2.0 * x);
    if (s < 1e-3) s = is_lack ? 2.0 : 1e-3;
    for (int i = 0; i < 200; ++i) {
        double slope;
        const double gap = black_gap(x, s, is_lack, log_target, &slope);
        if (gap <= 0.0) low = s;
        if (gap >= 0.0) high = s;
        double next = s - gap / slope;
        if (!(next > low && next < high)) next = high < HUGE_VAL ? 0.5 * (low + high) : 2.0 * s;
        const double move = next - s;
        s = next;
        if (move < 1e-15 * s && move > -1e-15 * s) break;
    }
    return s;
}

double levy_black_implied(double log_strike, bool is_call, double price)
{
    const double x = log_strike < 0.0 ? -log_strike : log_strike, root = levy_exp(0.5 * log_strike),
                 in_money = root * root - 1.0;
    const double intrinsic = is_call ? -in_money : in_money;
    const double out = (price - (intrinsic > 0.0 ? intrinsic : 0.0)) / root,
                 most = levy_exp(-0.5 * x);
    if (!(out >= 0.0 && out <= most)) return NAN;
    if (out < 2.3e-308) return 0.0;
    const double lack = most - out;
    if (lack <= 0.0) return HUGE_VAL;
    const bool is_lack = lack < out;
    return black_solve(x, is_lack, levy_log(is_lack ? lack : out));
}

/* ---- Delta ---- */

/* The normal quantile of p in (0, 1): 32 bits of it, then Newton's steps. */
static double black_quantile(double p)
{
    double z = levy_normal_from_word((uint32_t)(p * 4294967295.0));
    for (int i = 0; i < 3; ++i)
        z -= (levy_normal_cdf(z) - p) * BLACK_ROOT_TWO_PI * levy_exp(0.5 * z * z);
    return z;
}

double levy_black_strike_of_delta(double delta, double s)
{
    const double d1 = delta > 0.0 ? black_quantile(delta) : -black_quantile(-delta);
    return s * (0.5 * s - d1);
}
