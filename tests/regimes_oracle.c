/* regimes_oracle.c: see regimes_oracle.h. */
#include "tests/regimes_oracle.h"

#include <complex.h>
#include <math.h>
#include <string.h>

typedef double complex number;

static void oracle_multiply(size_t n, const number *a, const number *b, number *c)
{
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            c[i * n + j] = 0.0;
            for (size_t k = 0; k < n; ++k) c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
}

/* exp(a), by squaring a Taylor sum. a is used up. */
static void oracle_exponential(size_t n, number *a, number *result)
{
    number term[ORACLE_MOST * ORACLE_MOST], next[ORACLE_MOST * ORACLE_MOST];
    double largest = 0.0;
    int squarings = 0;
    for (size_t i = 0; i < n * n; ++i) largest = fmax(largest, cabs(a[i]));
    for (; largest * (double)n > 0.25; largest /= 2.0) ++squarings;
    for (size_t i = 0; i < n * n; ++i) a[i] *= ldexp(1.0, -squarings);
    for (size_t i = 0; i < n * n; ++i) result[i] = term[i] = i / n == i % n ? 1.0 : 0.0;
    for (int k = 1; k < 16; ++k) {
        oracle_multiply(n, term, a, next);
        for (size_t i = 0; i < n * n; ++i) result[i] += term[i] = next[i] / k;
    }
    for (; squarings > 0; --squarings) {
        oracle_multiply(n, result, result, next);
        memcpy(result, next, n * n * sizeof *next);
    }
}

/* E exp(s J), J the logarithm of a jump in regime i. */
static number oracle_mark(const oracle_market *m, size_t i, number s)
{
    if (m->rate_up[i] > 0.0)
        return m->up[i] * m->rate_up[i] / (m->rate_up[i] - s) +
               (1.0 - m->up[i]) * m->rate_down[i] / (m->rate_down[i] + s);
    return cexp(s * m->mean[i] + 0.5 * m->deviation[i] * m->deviation[i] * s * s);
}

/* E[discounting * exp(i z X)], X the log return. */
static number oracle_transform(const oracle_market *m, number z, double time)
{
    number a[ORACLE_MOST * ORACLE_MOST], p[ORACLE_MOST * ORACLE_MOST], sum = 0.0;
    for (size_t i = 0; i < m->n; ++i) {
        const double v = m->volatility[i] * m->volatility[i],
                     kappa = creal(oracle_mark(m, i, 1.0)) - 1.0;
        for (size_t j = 0; j < m->n; ++j) a[i * m->n + j] = m->generator[i][j] * time;
        a[i * m->n + i] +=
            time *
            (-m->rate[i] + I * z * (m->rate[i] - m->yield[i] - 0.5 * v - m->intensity[i] * kappa) -
             0.5 * v * z * z + m->intensity[i] * (oracle_mark(m, i, I * z) - 1.0));
    }
    oracle_exponential(m->n, a, p);
    for (size_t i = 0; i < m->n; ++i)
        for (size_t j = 0; j < m->n; ++j) sum += m->start[i] * p[i * m->n + j];
    return sum;
}

/* Simpson's weight, in thirds of a step. */
static double oracle_weight(int i, int last)
{
    if (i == 0 || i == last) return 1.0;
    return i % 2 ? 4.0 : 2.0;
}

double oracle_call(const oracle_market *m, double spot, double strike, double time)
{
    enum { PANELS = 4000 };
    double least = m->volatility[0], sum = 0.0;
    for (size_t i = 1; i < m->n; ++i) least = fmin(least, m->volatility[i]);
    const double end = sqrt(80.0 / time) / least, h = end / PANELS, k = log(spot / strike);
    for (int i = 0; i <= PANELS; ++i) {
        const double u = h * i, weight = oracle_weight(i, PANELS);
        sum += weight * creal(cexp(I * u * k) * oracle_transform(m, u - 0.5 * I, time)) /
               (u * u + 0.25);
    }
    return spot * creal(oracle_transform(m, -I, time)) - sqrt(spot * strike) / M_PI * sum * h / 3.0;
}
