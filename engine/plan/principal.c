/* principal.c: see principal.h. Vectors are kept as rows, so that a rotation runs through memory
 * in order. */
#include "engine/plan/principal.h"

#include "kernels/lane/scalar.h"

#include <string.h>

static double components_abs(double x) { return x < 0.0 ? -x : x; }

/* Rotates rows x and y. */
static void components_rotate(size_t n, double *x, double *y, double c, double s)
{
    for (size_t k = 0; k < n; ++k) {
        const double a = x[k], b = y[k];
        x[k] = c * a - s * b;
        y[k] = s * a + c * b;
    }
}

/* Makes one implicit QL sweep of the block l .. m, with Wilkinson's shift. */
static void components_sweep(size_t n, size_t l, size_t m, double *diagonal, double *off,
                             double *vectors)
{
    const double half = (diagonal[l + 1] - diagonal[l]) / (2.0 * off[l]);
    const double root = levy_sqrt(half * half + 1.0);
    double bulge = diagonal[m] - diagonal[l] + off[l] / (half < 0.0 ? half - root : half + root);
    double s = 1.0, c = 1.0, shift = 0.0;
    for (size_t i = m; i-- > l;) {
        const double f = s * off[i], b = c * off[i], r = levy_sqrt(f * f + bulge * bulge);
        off[i + 1] = r;
        if (r == 0.0) { /* the block splits here */
            diagonal[i + 1] -= shift;
            off[m] = 0.0;
            return;
        }
        s = f / r;
        c = bulge / r;
        const double g = diagonal[i + 1] - shift, t = (diagonal[i] - g) * s + 2.0 * c * b;
        shift = s * t;
        diagonal[i + 1] = g + shift;
        bulge = c * t - b;
        components_rotate(n, vectors + i * n, vectors + (i + 1) * n, c, s);
    }
    diagonal[l] -= shift;
    off[l] = bulge;
    off[m] = 0.0;
}

/* Eigenvectors, as rows, of a symmetric tridiagonal matrix; off[n - 1] is scratch. */
static levy_status components_vectors(size_t n, double *diagonal, double *off, double *vectors,
                                      const levy_memory *memory)
{
    enum { MOST_SWEEPS = 64 };
    memset(vectors, 0, n * n * sizeof *vectors);
    for (size_t i = 0; i < n; ++i) vectors[i * n + i] = 1.0;
    for (size_t l = 0; l < n; ++l)
        for (int sweeps = 0;; ++sweeps) {
            size_t m = l;
            while (m + 1 < n &&
                   components_abs(off[m]) >
                       0x1p-53 * (components_abs(diagonal[m]) + components_abs(diagonal[m + 1])))
                ++m;
            if (m == l) break;
            if (sweeps == MOST_SWEEPS) return LEVY_NUMERIC;
            if (levy_memory_stopped(memory)) return LEVY_CANCELLED;
            components_sweep(n, l, m, diagonal, off, vectors);
        }
    return LEVY_OK;
}

double levy_components_dot(size_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; ++k) sum += x[k] * y[k];
    return sum;
}

/* Steps of very different sizes leave columns that are not quite orthogonal. One-sided Jacobi
 * rotations make them orthogonal and keep A A^T. */
static levy_status components_part(size_t n, double *columns, const levy_memory *memory)
{
    enum { MOST_PASSES = 16 };
    double all = 0.0;
    for (size_t j = 0; j < n; ++j) all += levy_components_dot(n, columns + j * n, columns + j * n);
    bool turned = true;
    for (int pass = 0; turned && pass < MOST_PASSES; ++pass) {
        turned = false;
        for (size_t j = 1; j < n; ++j) {
            if (levy_memory_stopped(memory)) return LEVY_CANCELLED;
            for (size_t i = 0; i < j; ++i) {
                double *const x = columns + i * n, *const y = columns + j * n;
                const double dot = levy_components_dot(n, x, y);
                if (components_abs(dot) <= 1e-13 * all) continue;
                const double half =
                    (levy_components_dot(n, y, y) - levy_components_dot(n, x, x)) / (2.0 * dot);
                const double root = levy_sqrt(half * half + 1.0),
                             t = 1.0 / (half < 0.0 ? half - root : half + root);
                const double c = 1.0 / levy_sqrt(t * t + 1.0);
                components_rotate(n, x, y, c, c * t);
                turned = true;
            }
        }
    }
    return LEVY_OK;
}

/* Makes the largest entry positive. */
static void components_sign(size_t n, double *column)
{
    size_t top = 0;
    for (size_t k = 1; k < n; ++k)
        if (components_abs(column[k]) > components_abs(column[top]) * (1.0 + 1e-9)) top = k;
    if (column[top] < 0.0)
        for (size_t k = 0; k < n; ++k) column[k] = -column[k];
}

/* Writes the columns, which are kept as rows, in descending order of variance. */
static void components_order(size_t n, const double *columns, double *own, double *matrix,
                             double *variance)
{
    for (size_t j = 0; j < n; ++j) {
        size_t best = 0;
        for (size_t i = 1; i < n; ++i)
            if (own[i] > own[best]) best = i;
        variance[j] = own[best];
        for (size_t k = 0; k < n; ++k) matrix[k * n + j] = columns[best * n + k];
        own[best] = -1.0;
    }
}

levy_status levy_components_create(size_t n, const double *clock, levy_arena *scratch,
                                   double *matrix, double *variance)
{
    double *const vectors = levy_arena_allocate(scratch, n, n * sizeof *vectors),
                  *const columns = levy_arena_allocate(scratch, n, n * sizeof *columns);
    double *const root = levy_arena_allocate(scratch, n, sizeof *root);
    double *const diagonal = levy_arena_allocate(scratch, n, sizeof *diagonal);
    double *const off = levy_arena_allocate(scratch, n, sizeof *off);
    double *const own = levy_arena_allocate(scratch, n, sizeof *own);
    if (!vectors || !columns || !root || !diagonal || !off || !own) return LEVY_MEMORY;
    for (size_t i = 0; i < n; ++i) {
        const double step = clock[i] - (i ? clock[i - 1] : 0.0);
        root[i] = levy_sqrt(step);
        diagonal[i] = (i ? 2.0 : 1.0) / step;
        if (i) off[i - 1] = -1.0 / (root[i - 1] * root[i]);
    }
    off[n - 1] = 0.0;
    LEVY_TRY(components_vectors(n, diagonal, off, vectors, scratch->memory));
    for (size_t j = 0; j < n; ++j) {
        double sum = 0.0;
        for (size_t k = 0; k < n; ++k) columns[j * n + k] = sum += root[k] * vectors[j * n + k];
    }
    LEVY_TRY(components_part(n, columns, scratch->memory));
    for (size_t j = 0; j < n; ++j) {
        components_sign(n, columns + j * n);
        own[j] = levy_components_dot(n, columns + j * n, columns + j * n);
    }
    components_order(n, columns, own, matrix, variance);
    return LEVY_OK;
}
