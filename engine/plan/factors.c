/* factors.c: see factors.h. */
#include "engine/plan/factors.h"
#include "engine/base/eigen.h"
#include "kernels/lane/scalar.h"

#include <string.h>

/* Values that differ by less of the largest are equal: where weak couplings alone split them, those
 * of ROTATION_ALIKE times a hundredth squared, rounding turned their plane with the unit of levels.
 */
#define EIGEN_TIE 1e-9

/* How much the first rows' correlations count where nothing else orders the last rows' factors. */
#define ROTATION_ALIKE 1e-3

static double factors_abs(double x) { return x < 0.0 ? -x : x; }

static void eigen_swap_columns(size_t n, double *values, double *vectors, size_t a, size_t b)
{
    const double value = values[a];
    values[a] = values[b];
    values[b] = value;
    for (size_t i = 0; i < n; ++i) {
        const double x = vectors[i * n + a];
        vectors[i * n + a] = vectors[i * n + b];
        vectors[i * n + b] = x;
    }
}

/* The row of which columns k to end - 1 hold most; of equals the first. */
static size_t eigen_row(size_t n, const double *vectors, size_t k, size_t end)
{
    size_t best = 0;
    double most = 0.0;
    for (size_t i = 0; i < n; ++i) {
        double held = 0.0;
        for (size_t j = k; j < end; ++j) held += vectors[i * n + j] * vectors[i * n + j];
        if (held > most * (1.0 + 1e-9)) {
            most = held;
            best = i;
        }
    }
    return best;
}

/* Columns of equal values may be any of their plane, which rounding decides: turns them so that one
 * asset moves the first alone, another the first two. */
static void eigen_turn(size_t n, double *vectors, size_t first, size_t end)
{
    for (size_t k = first; k < end; ++k) {
        const size_t row = eigen_row(n, vectors, k, end);
        for (size_t j = k + 1; j < end; ++j) {
            const double a = vectors[row * n + k];
            const double b = vectors[row * n + j];
            const double r = levy_sqrt(a * a + b * b);
            for (size_t i = 0; i < n && r > 0.0; ++i) {
                const double x = vectors[i * n + k];
                const double y = vectors[i * n + j];
                vectors[i * n + k] = (a * x + b * y) / r;
                vectors[i * n + j] = (a * y - b * x) / r;
            }
        }
    }
}

/* Sorts by descending value and makes the largest component of each vector positive, so that
 * factors have one sign everywhere. */
static void eigen_order(size_t n, double *values, double *vectors)
{
    for (size_t k = 0; k < n; ++k) {
        size_t best = k;
        for (size_t j = k + 1; j < n; ++j)
            if (values[j] > values[best]) best = j;
        eigen_swap_columns(n, values, vectors, k, best);
    }
    for (size_t k = 0, end; k < n; k = end) {
        for (end = k + 1; end < n && values[k] - values[end] <= EIGEN_TIE * values[0];) ++end;
        eigen_turn(n, vectors, k, end);
    }
    for (size_t k = 0; k < n; ++k) {
        size_t top = 0;
        for (size_t i = 1; i < n; ++i)
            if (factors_abs(vectors[i * n + k]) > factors_abs(vectors[top * n + k]) * (1.0 + 1e-9))
                top = i;
        if (vectors[top * n + k] < 0.0)
            for (size_t i = 0; i < n; ++i) vectors[i * n + k] = -vectors[i * n + k];
    }
}

/* Cholesky with diagonal pivoting, which stops at the rank and returns it. factor: [n][n]; columns
 * beyond the rank are not written. */
static size_t cholesky_pivoted(size_t n, double *a, uint32_t *order, double *factor)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; ++i) {
        order[i] = (uint32_t)i;
        if (a[i * n + i] > largest) largest = a[i * n + i];
    }
    for (size_t k = 0; k < n; ++k) {
        size_t best = k;
        for (size_t j = k + 1; j < n; ++j)
            if (a[order[j] * n + order[j]] > a[order[best] * n + order[best]]) best = j;
        const uint32_t p = order[best];
        order[best] = order[k];
        order[k] = p;
        const double pivot = a[p * n + p];
        if (!(pivot > 1e-13 * largest)) return k;
        const double root = levy_sqrt(pivot);
        for (size_t i = 0; i < n; ++i) factor[i * n + k] = 0.0;
        for (size_t j = k; j < n; ++j) factor[order[j] * n + k] = a[order[j] * n + p] / root;
        for (size_t i = k; i < n; ++i)
            for (size_t j = k; j < n; ++j)
                a[order[i] * n + order[j]] -= factor[order[i] * n + k] * factor[order[j] * n + k];
    }
    return n;
}

/* Cholesky of a positive semidefinite matrix in a given order, `rank` columns; a vanishing pivot
 * gives a zero column. */
static void cholesky_ordered(const levy_rotation *r, const double *covariance, double *factor)
{
    const size_t n = r->n, m = r->rank;
    memset(factor, 0, n * m * sizeof *factor);
    for (size_t k = 0; k < m; ++k) {
        const size_t p = r->order[k];
        double pivot = covariance[p * n + p];
        for (size_t j = 0; j < k; ++j) pivot -= factor[p * m + j] * factor[p * m + j];
        if (!(pivot > 1e-14 * covariance[p * n + p])) continue;
        const double root = levy_sqrt(pivot);
        for (size_t i = k; i < n; ++i) {
            const size_t q = r->order[i];
            double sum = covariance[q * n + p];
            for (size_t j = 0; j < k; ++j) sum -= factor[q * m + j] * factor[p * m + j];
            factor[q * m + k] = sum / root;
        }
    }
}

/* Computes matrix = L^-1 A on the pivot rows from the Cholesky factor L [n][n] and the eigen factor
 * A [n][n]. */
static void rotation_solve(levy_rotation *r, const double *lower, const double *target)
{
    const size_t n = r->n, m = r->rank;
    for (size_t c = 0; c < m; ++c)
        for (size_t k = 0; k < m; ++k) {
            const size_t p = r->order[k];
            double sum = target[p * n + c];
            for (size_t j = 0; j < k; ++j) sum -= lower[p * n + j] * r->matrix[j * m + c];
            r->matrix[k * m + c] = sum / lower[p * n + k];
        }
}

/* Computes target = D^-1 V sqrt(values): the eigen factor of the scaled covariance, scaled back. */
static void rotation_target(size_t n, const double *covariance, const double *scale, double *a,
                            double *values, double *target)
{
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) a[i * n + j] = scale[i] * covariance[i * n + j] * scale[j];
    levy_eigen_symmetric(n, a, target);
    for (size_t i = 0; i < n; ++i) values[i] = a[i * n + i];
    eigen_order(n, values, target);
    for (size_t k = 0; k < n; ++k)
        for (size_t i = 0; i < n; ++i)
            target[i * n + k] *= levy_sqrt(values[k] > 0.0 ? values[k] : 0.0) / scale[i];
}

static bool rotation_room(size_t n, levy_arena *arena, levy_rotation *r)
{
    *r = (levy_rotation){.n = n,
                         .order = levy_arena_allocate(arena, n, sizeof *r->order),
                         .matrix = levy_arena_allocate(arena, n * n, sizeof *r->matrix),
                         .variance = levy_arena_allocate(arena, n, sizeof *r->variance)};
    return r->order && r->matrix && r->variance;
}

levy_status levy_rotation_create(size_t n, const double *covariance, const double *scaling,
                                 bool eigen, levy_arena *arena, levy_rotation *r)
{
    double *const a = levy_arena_allocate(arena, n * n, sizeof *a);
    double *const lower = levy_arena_allocate(arena, n * n, sizeof *a);
    double *const target = levy_arena_allocate(arena, n * n, sizeof *a);
    double *const values = levy_arena_allocate(arena, n, sizeof *a);
    double *const scale = levy_arena_allocate(arena, n, sizeof *a);
    if (!rotation_room(n, arena, r) || !a || !lower || !target || !values || !scale)
        return LEVY_MEMORY;
    double largest = 0.0, total = 0.0;
    for (size_t i = 0; i < n; ++i)
        largest = factors_abs(scaling[i]) > largest ? factors_abs(scaling[i]) : largest;
    for (size_t i = 0; i < n; ++i) {
        scale[i] =
            factors_abs(scaling[i]) > 1e-6 * largest ? factors_abs(scaling[i]) / largest : 1e-6;
        total += scale[i] * covariance[i * n + i] * scale[i];
    }
    memcpy(a, covariance, n * n * sizeof *a);
    r->rank = cholesky_pivoted(n, a, r->order, lower);
    if (r->rank == 0) { /* nothing moves: one factor, whose weights are 0 */
        r->rank = 1;
        r->variance[0] = r->matrix[0] = 1.0;
        return LEVY_OK;
    }
    rotation_target(n, covariance, scale, a, values, target);
    for (size_t k = 0; k < r->rank; ++k) {
        r->variance[k] = values[k] / total;
        r->matrix[k * r->rank + k] = 1.0;
    }
    if (eigen && n > 1) rotation_solve(r, lower, target);
    return LEVY_OK;
}

/* What the last rows' factors leave of the first rows' covariance. shared: [n][n - n_first] */
static void rotation_leave(size_t n, size_t n_first, const double *covariance, const double *shared,
                           double *left)
{
    const size_t m = n - n_first;
    for (size_t i = 0; i < n_first; ++i)
        for (size_t j = 0; j < n_first; ++j) {
            double sum = covariance[i * n + j];
            for (size_t k = 0; k < m; ++k) sum -= shared[i * m + k] * shared[j * m + k];
            left[i * n_first + j] = sum;
        }
}

/* Puts the rotation of the first rows before the factors of the last ones, whose pivots come behind
 * the `before` first ones of the first rows. */
static void rotation_join(const levy_rotation *first, size_t before, levy_rotation *r)
{
    const size_t own = r->n - first->n;
    r->rank = first->rank + own;
    for (size_t k = 0; k < first->n; ++k) r->order[k < before ? k : own + k] = first->order[k];
    for (size_t k = 0; k < own; ++k) {
        r->order[before + k] = (uint32_t)(first->n + k);
        r->matrix[(before + k) * r->rank + first->rank + k] = 1.0;
    }
    for (size_t k = 0; k < first->rank; ++k)
        memcpy(r->matrix + (k < before ? k : own + k) * r->rank, first->matrix + k * first->rank,
               first->rank * sizeof *r->matrix);
}

/* The factors' shares: those of the first rows' have what is left of these. Factors that are alike
 * have the same share, or rounding would order their draws. */
static void rotation_share(const levy_rotation *first, const double *covariance,
                           const double *scaling, const double *shared, levy_rotation *r)
{
    const size_t own = r->n - first->n;
    double total = 0.0, rest = 1.0;
    for (size_t i = 0; i < r->n; ++i) total += scaling[i] * scaling[i] * covariance[i * r->n + i];
    for (size_t k = 0; k < own; ++k) {
        double sum = 0.0;
        for (size_t i = 0; i < r->n; ++i)
            sum += scaling[i] * scaling[i] * shared[i * own + k] * shared[i * own + k];
        double *const share = &r->variance[first->rank + k];
        *share = total > 0.0 ? sum / total : 0.0;
        if (k > 0 && factors_abs(*share - share[-1]) <= 1e-9 * share[-1]) *share = share[-1];
        rest -= *share;
    }
    for (size_t k = 0; k < first->rank; ++k) r->variance[k] = first->variance[k] * rest;
}

levy_status levy_rotation_create_apart(size_t n, size_t n_first, const double *covariance,
                                       const double *scaling, bool eigen, levy_arena *arena,
                                       levy_rotation *r)
{
    const size_t own = n - n_first;
    double *const shared = levy_arena_allocate(arena, n * own, sizeof *shared),
                  *const left = levy_arena_allocate(arena, n_first * n_first, sizeof *left);
    levy_rotation first;
    if (!rotation_room(n, arena, r) || !shared || !left) return LEVY_MEMORY;
    r->rank = own;
    for (size_t i = 0; i < n; ++i) r->order[(i + own) % n] = (uint32_t)i;
    cholesky_ordered(r, covariance, shared);
    rotation_leave(n, n_first, covariance, shared, left);
    LEVY_TRY(levy_rotation_create(n_first, left, scaling, eigen, arena, &first));
    rotation_join(&first, 0, r);
    rotation_share(&first, covariance, scaling, shared, r);
    return LEVY_OK;
}

/* Turns the last factors, so that the first of them moves most of the scaled last rows, where all
 * are alike as the first factor does the first rows. A scale's sign tells nothing: it would turn
 * the factors of a spread otherwise than those of a script for it. shared: as above, by factors
 * that move a row each. `a`, `values`: room. */
static void rotation_turn(const levy_rotation *first, const double *covariance,
                          const double *scaling, const double *shared, double *a, double *values,
                          levy_rotation *r)
{
    const size_t n = r->n, own = n - first->n;
    for (size_t i = 0; i < own; ++i)
        for (size_t j = 0; j < own; ++j) {
            const double both = levy_sqrt(covariance[i * n + i] * covariance[j * n + j]),
                         alike = both > 0.0 ? ROTATION_ALIKE * covariance[i * n + j] / both : 0.0;
            a[i * own + j] = factors_abs(scaling[first->n + i] * scaling[first->n + j]) *
                             shared[(first->n + i) * own + i] * shared[(first->n + j) * own + j] *
                             (alike + (i == j ? 1.0 : 0.0));
        }
    levy_eigen_symmetric(own, a, r->turn);
    for (size_t i = 0; i < own; ++i) values[i] = a[i * own + i];
    eigen_order(own, values, r->turn);
    for (size_t k = 0; k < own; ++k)
        memcpy(r->matrix + (first->rank + k) * r->rank + first->rank, r->turn + k * own,
               own * sizeof *r->matrix);
}

levy_status levy_rotation_create_led(size_t n, size_t n_first, const double *covariance,
                                     const double *scaling, bool eigen, levy_arena *arena,
                                     levy_rotation *r)
{
    const size_t own = n - n_first;
    double *const shared = levy_arena_allocate(arena, n * own, sizeof *shared),
                  *const work = levy_arena_allocate(arena, n * n, sizeof *work),
                  *const factor = levy_arena_allocate(arena, n * n, sizeof *factor);
    levy_rotation first;
    if (!rotation_room(n, arena, r) || !shared || !work || !factor) return LEVY_MEMORY;
    r->turn = levy_arena_allocate(arena, own * own, sizeof *r->turn);
    if (!r->turn) return LEVY_MEMORY;
    for (size_t k = 0; k < own; ++k) r->turn[k * own + k] = 1.0;
    for (size_t i = 0; i < n_first; ++i)
        memcpy(work + i * n_first, covariance + i * n, n_first * sizeof *work);
    LEVY_TRY(levy_rotation_create(n_first, work, scaling, eigen, arena, &first));
    rotation_join(&first, first.rank, r);
    for (int turned = 0; turned < 2; ++turned) {
        levy_rotation_factor(r, covariance, work, factor);
        for (size_t i = 0; i < n * own; ++i)
            shared[i] = factor[i / own * r->rank + first.rank + i % own];
        if (eigen && !turned) rotation_turn(&first, covariance, scaling, shared, work, factor, r);
    }
    rotation_share(&first, covariance, scaling, shared, r);
    return LEVY_OK;
}

void levy_rotation_factor(const levy_rotation *r, const double *covariance, double *work,
                          double *factor)
{
    const size_t n = r->n, m = r->rank;
    cholesky_ordered(r, covariance, work);
    for (size_t i = 0; i < n; ++i)
        for (size_t c = 0; c < m; ++c) {
            double sum = 0.0;
            for (size_t k = 0; k < m; ++k) sum += work[i * m + k] * r->matrix[k * m + c];
            factor[i * m + c] = sum;
        }
}

bool levy_rotation_scale(const levy_rotation *r, const double *base, const double *covariance,
                         double *scale, double *factor)
{
    const size_t n = r->n, m = r->rank;
    for (size_t i = 0; i < n; ++i) {
        const double before = base[i * n + i], after = covariance[i * n + i];
        if (!(before > 0.0) && after > 0.0) return false;
        scale[i] = before > 0.0 ? levy_sqrt(after / before) : 1.0;
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < i; ++j) {
            const double both = scale[i] * scale[j],
                         other = covariance[i * n + j] - base[i * n + j] * both,
                         rounding = 1e-14 * both * both * 1e-14 * base[i * n + i] * base[j * n + j];
            if (other * other > rounding) return false;
        }
    for (size_t i = 0; i < n; ++i)
        for (size_t c = 0; c < m; ++c) factor[i * m + c] *= scale[i];
    return true;
}
