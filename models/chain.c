/* chain.c: see chain.h. The exponential is a sum of nonnegative terms, so nothing cancels: over a
 * time h in which at most one change is expected, exp(Q h) is in proportion to exp(B), B = Q h + l
 * h I >= 0, l being the largest rate, and its rows sum to 1, which fixes the factor exp(-l h); a
 * longer time is reached by squaring. Source: uniformisation, A. Jensen, Markoff chains as an aid
 * in the study of Markoff processes, Skandinavisk Aktuarietidskrift 36, 1953. */
#include "models/chain.h"

#include <string.h>

enum { CHAIN_TERMS = 20 }; /* the remainder of the series is below 1/20!, which is 4e-19 */

static void chain_multiply(size_t n, const double *a, const double *b, double *product)
{
    memset(product, 0, n * n * sizeof *product);
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k < n; ++k) {
            const double x = a[i * n + k];
            for (size_t j = 0; j < n; ++j) product[i * n + j] += x * b[k * n + j];
        }
}

static void chain_normalise(size_t n, double *p)
{
    for (size_t i = 0; i < n; ++i) {
        double sum = 0.0;
        for (size_t j = 0; j < n; ++j) sum += p[i * n + j];
        for (size_t j = 0; j < n; ++j) p[i * n + j] /= sum;
    }
}

double levy_chain_rate(size_t n, const double *generator, size_t from)
{
    double rate = 0.0;
    for (size_t j = 0; j < n; ++j) rate += j == from ? 0.0 : generator[from * n + j];
    return rate;
}

void levy_chain_jumps(size_t n, const double *generator, size_t from, double *p)
{
    const double rate = levy_chain_rate(n, generator, from);
    for (size_t j = 0; j < n; ++j) p[j] = rate > 0.0 ? generator[from * n + j] / rate : 0.0;
    p[from] = rate > 0.0 ? 0.0 : 1.0;
}

void levy_chain_transition(size_t n, const double *generator, double time, double *work, double *p)
{
    double *const b = work, *const product = work + n * n;
    double largest = 0.0, h = time;
    unsigned squarings = 0;
    for (size_t i = 0; i < n; ++i) {
        const double rate = levy_chain_rate(n, generator, i);
        if (rate > largest) largest = rate;
    }
    for (; largest * h > 1.0; ++squarings) h *= 0.5;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            b[i * n + j] = i == j ? (largest - levy_chain_rate(n, generator, i)) * h
                                  : generator[i * n + j] * h;
    memset(p, 0, n * n * sizeof *p);
    for (size_t i = 0; i < n; ++i) p[i * n + i] = 1.0;
    for (unsigned term = CHAIN_TERMS; term > 0; --term) { /* Horner: p = 1 + b p / term */
        chain_multiply(n, b, p, product);
        for (size_t i = 0; i < n * n; ++i) p[i] = product[i] / (double)term;
        for (size_t i = 0; i < n; ++i) p[i * n + i] += 1.0;
    }
    chain_normalise(n, p);
    for (; squarings > 0; --squarings) {
        chain_multiply(n, p, p, product);
        memcpy(p, product, n * n * sizeof *p);
        chain_normalise(n, p);
    }
}

uint32_t levy_chain_width(size_t n)
{
    uint32_t width = LEVY_CHAIN_NARROW;
    while (width < n) width *= 2;
    return width;
}

void levy_chain_row(size_t n, const double *p, uint32_t *row)
{
    /* There are 2^31 odd words. */
    const uint32_t width = levy_chain_width(n), all = (uint32_t)1 << 31;
    double sum = 0.0;
    for (uint32_t j = 0; j < width; ++j) {
        if (j < n) sum += p[j];
        const double words = sum * (double)all + 0.5;
        const uint32_t count = j + 1 >= n || words >= (double)all ? all : (uint32_t)words;
        /* If `count` is `all`, 2 * count wraps and the threshold is all ones. */
        row[j] = count ? 2 * count - 1 : 0;
    }
}
