/* eigen.c: see eigen.h. */
#include "engine/base/eigen.h"

#include "kernels/lane/scalar.h"

/* Zeroes a[p][q] by a rotation of rows and columns p and q (the symmetric Schur decomposition of
 * the 2 by 2 block). */
static void eigen_rotate(size_t n, double *a, double *vectors, size_t p, size_t q)
{
    const double apq = a[p * n + q];
    const double tau = (a[q * n + q] - a[p * n + p]) / (2 * apq);
    const double root = levy_sqrt(1 + tau * tau);
    const double t = tau >= 0 ? 1 / (tau + root) : -1 / (root - tau);
    const double c = 1 / levy_sqrt(1 + t * t), s = t * c;
    for (size_t k = 0; k < n; ++k) {
        const double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    for (size_t k = 0; k < n; ++k) {
        const double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
    }
    for (size_t k = 0; k < n; ++k) {
        const double x = vectors[k * n + p], y = vectors[k * n + q];
        vectors[k * n + p] = c * x - s * y;
        vectors[k * n + q] = s * x + c * y;
    }
    a[p * n + q] = a[q * n + p] = 0;
}

void levy_eigen_symmetric(size_t n, double *a, double *vectors)
{
    enum { MOST_SWEEPS = 64 };
    for (size_t i = 0; i < n * n; ++i) vectors[i] = i % (n + 1) == 0 ? 1 : 0;
    for (int sweep = 0; sweep < MOST_SWEEPS; ++sweep) {
        double off = 0, all = 0;
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n; ++j) {
                all += a[i * n + j] * a[i * n + j];
                if (i != j) off += a[i * n + j] * a[i * n + j];
            }
        if (off <= 1e-30 * all) return;
        for (size_t p = 0; p < n; ++p)
            for (size_t q = p + 1; q < n; ++q) {
                const double apq = a[p * n + q];
                if (apq * apq > 1e-34 * all / ((double)n * (double)n))
                    eigen_rotate(n, a, vectors, p, q);
            }
    }
}
