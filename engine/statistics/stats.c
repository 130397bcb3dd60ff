/* stats.c: see stats.h. The quantiles come from Newton's method on the central probability P(|X| <
 * q). It is concave in q > 0, so Newton's steps from 0 rise to the root without passing it. The
 * probability itself is a series of positive terms, for the centre or for the tails, whichever
 * converges at least as fast as powers of one half. */
#include "engine/statistics/stats.h"

#include "kernels/lane/scalar.h"

#include <math.h>
#include <stdbool.h>

enum { SERIES_LIMIT = 2000, NEWTON_LIMIT = 200 };

static const double stats_pi = 3.14159265358979323846;

/* log(1 + x), x >= 0. The rounding of 1 + x is corrected to first order. */
static double stats_log1p(double x)
{
    const double sum = 1.0 + x;
    return levy_log(sum) + (x - (sum - 1.0)) / sum;
}

/* Gamma(a + 1/2) / Gamma(a): the asymptotic series at a + 16, brought down by Gamma(x + 1) = x
 * Gamma(x). */
static double stats_gamma_ratio(double a)
{
    double shift = 1.0;
    for (int k = 0; k < 16; ++k) {
        shift *= a / (a + 0.5);
        a += 1.0;
    }
    const double r = 1.0 / a;
    const double series =
        1.0 +
        r * (-1.0 / 8 +
             r * (1.0 / 128 +
                  r * (5.0 / 1024 + r * (-21.0 / 32768 +
                                         r * (-399.0 / 262144 +
                                              r * (869.0 / 4194304 + r * (39325.0 / 33554432)))))));
    return shift * levy_sqrt(a) * series;
}

/* 1 + (a+b)/(a+1) x + (a+b)(a+b+1)/((a+1)(a+2)) x^2 + ...: I_x(a, b) without its front factor
 * (A&S 26.5.4). */
static double stats_beta_series(double a, double b, double x)
{
    double term = 1.0, sum = 1.0;
    for (int n = 0; n < SERIES_LIMIT && term > 1e-18 * sum; ++n) {
        term *= (a + b + n) / (a + 1.0 + n) * x;
        sum += term;
    }
    return sum;
}

/* P(|T| < q) - confidence. It uses the series of the tails where x = q^2 / (df + q^2) is above one
 * half, else that of the centre. */
static double stats_student_excess(double q, double df, double density_at_0, double confidence)
{
    const double half = 0.5 * df;
    const double x = q * q / (df + q * q), rest = df / (df + q * q);
    const double front =
        density_at_0 * levy_sqrt(df) * levy_sqrt(x) * levy_exp(-half * stats_log1p(q * q / df));
    if (x <= 0.5) return 2.0 * front * stats_beta_series(0.5, half, x) - confidence;
    return (1.0 - confidence) - front / half * stats_beta_series(half, 0.5, rest);
}

static double stats_student_quantile(double confidence, double df)
{
    const double density_at_0 = stats_gamma_ratio(0.5 * df) / levy_sqrt(df * stats_pi);
    double q = 0.0;
    for (int i = 0; i < NEWTON_LIMIT; ++i) {
        const double excess = stats_student_excess(q, df, density_at_0, confidence);
        const double density = density_at_0 * levy_exp(-0.5 * (df + 1.0) * stats_log1p(q * q / df));
        const double step = -excess / (2.0 * density);
        if (!(step > 1e-15 * q)) break; /* steps rise to the root: a step back is rounding */
        q += step;
    }
    return q;
}

/* A book asks for the same quantile for each of its results, so that a thread keeps its last one.
 */
double levy_student_t_two_sided(double confidence, double df)
{
    static _Thread_local struct {
        double confidence, df, quantile;
    } last;
    if (!(confidence > 0.0 && confidence < 1.0 && df >= 1.0)) return NAN;
    if (last.confidence != confidence || last.df != df) {
        last.quantile = stats_student_quantile(confidence, df);
        last.confidence = confidence;
        last.df = df;
    }
    return last.quantile;
}

static double stats_normal_quantile(double confidence)
{
    const double density_at_0 = 1.0 / levy_sqrt(2.0 * stats_pi);
    double q = 0.0;
    for (int i = 0; i < NEWTON_LIMIT; ++i) {
        const double density = density_at_0 * levy_exp(-0.5 * q * q);
        double term = q, sum = q; /* q + q^3/3 + q^5/15 + ... (A&S 26.2.11) */
        for (int n = 1; n < SERIES_LIMIT && term > 1e-18 * sum; ++n) {
            term *= q * q / (2.0 * n + 1.0);
            sum += term;
        }
        const double step = (confidence - 2.0 * density * sum) / (2.0 * density);
        if (!(step > 1e-15 * q)) break;
        q += step;
    }
    return q;
}

double levy_normal_two_sided(double confidence)
{
    static _Thread_local struct {
        double confidence, quantile;
    } last;
    if (!(confidence > 0.0 && confidence < 1.0)) return NAN;
    if (last.confidence != confidence) {
        last.quantile = stats_normal_quantile(confidence);
        last.confidence = confidence;
    }
    return last.quantile;
}

/* How many replicates have the most common mean, if more than half have it; else some number up to
 * half. By R. Boyer and J. Moore's vote: a mean of the majority is left at the end. */
static size_t stats_count_alike(const levy_moments *replicates, size_t n)
{
    size_t votes = 0, alike = 0, candidate = 0;
    for (size_t i = 0; i < n; ++i) {
        if (votes == 0) candidate = i;
        if (replicates[i].mean == replicates[candidate].mean)
            votes++;
        else
            votes--;
    }
    for (size_t i = 0; i < n; ++i) alike += replicates[i].mean == replicates[candidate].mean;
    return alike;
}

/* If only a few replicates differ from the most common mean, they say little of the error. Six must
 * differ, or half if there are fewer than twelve. */
static bool stats_is_reliable(const levy_moments *replicates, size_t n)
{
    const size_t differ = n - stats_count_alike(replicates, n), needed = n / 2 < 6 ? n / 2 : 6;
    return differ >= needed;
}

/* Sums of powers of the distances from the mean. */
typedef struct stats_powers {
    double squares, cubes;
} stats_powers;

static stats_powers stats_powers_of(const levy_moments *replicates, size_t n, double mean)
{
    stats_powers sums = {0.0, 0.0};
    for (size_t i = 0; i < n; ++i) {
        const double distance = replicates[i].mean - mean;
        sums.squares += distance * distance;
        sums.cubes += distance * distance * distance;
    }
    return sums;
}

/* How far the end of the interval moves out on the side of the longer tail, in standard errors and
 * with the tail's sign: the terms of the first and the second order in the skewness g of P. Hall's
 * quantile of Student's statistic. The first is Johnson's shift, g (1 + 2 q^2) / (6 sqrt(n)); the
 * second is 5 z (4 z^2 - 1) g^2 / (72 n), z the `normal` quantile. The skewness is taken 1.5 times,
 * because n means show only a part of it. */
static double stats_skew_shift(stats_powers sums, double n, double quantile, double normal)
{
    if (!(n > 2.0 && sums.squares > 0.0)) return 0.0;
    const double variance = sums.squares / n, deviation = levy_sqrt(variance);
    const double skewness =
        1.5 * (sums.cubes / n / (variance * deviation)) * levy_sqrt(n * (n - 1.0)) / (n - 2.0);
    const double first = (1.0 + 2.0 * quantile * quantile) / (6.0 * levy_sqrt(n)),
                 second = 5.0 * normal * (4.0 * normal * normal - 1.0) / (72.0 * n);
    return skewness * (first + second * fabs(skewness));
}

/* Half the width of an interval: `quantiles` standard errors, and `quantile` resolutions. */
static double stats_half_width(double quantiles, double std_error, double quantile,
                               double resolution)
{
    return levy_sqrt(quantiles * std_error * quantiles * std_error +
                     quantile * resolution * quantile * resolution);
}

levy_estimate levy_estimate_replicates(const levy_moments *replicates, size_t n_replicates,
                                       double confidence, double resolution)
{
    uint64_t n = 0;
    double sum = 0.0;
    for (size_t i = 0; i < n_replicates; ++i) {
        n += replicates[i].n;
        sum += replicates[i].mean;
    }
    const double count = (double)n_replicates, value = sum / count;
    if (n_replicates < 2)
        return (levy_estimate){n, value, NAN, NAN, NAN, LEVY_INTERVAL_NONE, LEVY_DOUBT_NONE};
    const bool equal = stats_count_alike(replicates, n_replicates) == n_replicates;
    const stats_powers sums = stats_powers_of(replicates, n_replicates, value);
    const double spread = equal ? 0.0 : levy_sqrt(sums.squares / (count - 1.0) / count);
    const double std_error = levy_sqrt(spread * spread + resolution * resolution);
    const bool known = std_error > 0.0 && isfinite(std_error); /* squares of 1e200 are too large */
    if (!known || !(resolution > 0.0 || stats_is_reliable(replicates, n_replicates)))
        return (levy_estimate){
            n, value, known ? std_error : NAN, NAN, NAN, LEVY_INTERVAL_UNRELIABLE, LEVY_DOUBT_NONE};
    const double quantile = levy_student_t_two_sided(confidence, count - 1.0);
    const double shift =
        equal ? 0.0 : stats_skew_shift(sums, count, quantile, levy_normal_two_sided(confidence));
    const double below =
        stats_half_width(quantile - (shift < 0.0 ? shift : 0.0), spread, quantile, resolution);
    const double above =
        stats_half_width(quantile + (shift > 0.0 ? shift : 0.0), spread, quantile, resolution);
    return (levy_estimate){n,
                           value,
                           std_error,
                           value - below,
                           value + above,
                           LEVY_INTERVAL_STUDENT_T,
                           LEVY_DOUBT_NONE};
}

levy_estimate levy_estimate_paths(const levy_moments *moments, double confidence)
{
    if (moments->n < 2)
        return (levy_estimate){moments->n,         moments->mean,  NAN, NAN, NAN,
                               LEVY_INTERVAL_NONE, LEVY_DOUBT_NONE};
    const double n = (double)moments->n;
    const double std_error = levy_sqrt(moments->m2 / (n - 1.0) / n);
    if (!(std_error > 0.0))
        return (levy_estimate){
            moments->n, moments->mean, NAN, NAN, NAN, LEVY_INTERVAL_UNRELIABLE, LEVY_DOUBT_NONE};
    const double half_width = levy_normal_two_sided(confidence) * std_error;
    return (levy_estimate){moments->n,
                           moments->mean,
                           std_error,
                           moments->mean - half_width,
                           moments->mean + half_width,
                           LEVY_INTERVAL_NORMAL,
                           LEVY_DOUBT_NONE};
}

levy_estimate levy_estimate_exact(uint64_t n, double value)
{
    return (levy_estimate){n, value, 0.0, value, value, LEVY_INTERVAL_EXACT, LEVY_DOUBT_NONE};
}

levy_estimate levy_estimate_none(void)
{
    return (levy_estimate){0, NAN, NAN, NAN, NAN, LEVY_INTERVAL_NONE, LEVY_DOUBT_NONE};
}

double levy_error_combine(double one, double other)
{
    if (!(one >= 0.0 && other >= 0.0)) return NAN;
    const bool first = one > other;
    const double large = first ? one : other;
    const double small = first ? other : one;
    return small > 0.0 ? large * levy_sqrt(1.0 + small / large * (small / large)) : large;
}

levy_estimate levy_estimate_widen(levy_estimate estimate, double error, double confidence)
{
    if (!(error > 0.0) || !(estimate.std_error >= 0.0)) return estimate;
    const double combined = levy_error_combine(estimate.std_error, error),
                 before = estimate.std_error;
    if (combined == before) return estimate;
    estimate.std_error = combined;
    if (estimate.interval == LEVY_INTERVAL_UNRELIABLE) return estimate;
    const double half_width = before > 0.0 ? 0.0 : levy_normal_two_sided(confidence) * combined;
    const double ratio = before > 0.0 ? combined / before : 1.0;
    estimate.ci_low = estimate.value - (estimate.value - estimate.ci_low) * ratio - half_width;
    estimate.ci_high = estimate.value + (estimate.ci_high - estimate.value) * ratio + half_width;
    return estimate;
}

levy_estimate levy_estimate_bias(levy_estimate estimate, double bias, double confidence)
{
    levy_estimate whole = levy_estimate_widen(estimate, fabs(bias), confidence);
    if (whole.interval == LEVY_INTERVAL_EXACT && whole.std_error > 2.0 * estimate.std_error)
        whole.interval = LEVY_INTERVAL_NORMAL;
    return whole;
}

levy_estimate levy_estimate_unreliable(levy_estimate estimate)
{
    if (estimate.interval == LEVY_INTERVAL_NONE) return estimate;
    estimate.ci_low = estimate.ci_high = NAN;
    estimate.interval = LEVY_INTERVAL_UNRELIABLE;
    return estimate;
}

levy_estimate levy_estimate_doubtful(levy_estimate estimate, levy_doubt doubt)
{
    estimate = levy_estimate_unreliable(estimate);
    estimate.doubt = doubt;
    return estimate;
}

const char *levy_interval_text(levy_interval_kind kind)
{
    static const char *const texts[] = {"none", "student_t", "normal", "unreliable", "exact"};
    return texts[kind];
}
