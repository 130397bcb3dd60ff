/* jump_rows.c: the order in which a word finds the rows of a joint table: along the principal
 * direction of the weighted log jumps, the one in which they vary most, so that a larger word is a
 * larger move of the market and quasi-random points keep their worth. The rows of one column are in
 * the order of its size. Own sums and eigen.h, so every machine has the same order. Must not know:
 * tables, lanes. */
#include "engine/base/eigen.h"
#include "engine/base/order.h"
#include "models/jump_plan.h"

typedef struct rows_frame {
    const levy_mark_terms *const *columns;
    size_t n, n_rows;
    const double *weights;
    double total;
} rows_frame;

static double rows_mean(const rows_frame *f, size_t column)
{
    double sum = 0.0;
    for (size_t i = 0; i < f->n_rows; ++i) sum += f->weights[i] * f->columns[column]->sizes[i];
    return sum / f->total;
}

/* The weighted covariances, [n][n]. */
static void rows_covariances(const rows_frame *f, const double *means, double *matrix)
{
    for (size_t a = 0; a < f->n; ++a)
        for (size_t b = 0; b <= a; ++b) {
            const double *const x = f->columns[a]->sizes, *const y = f->columns[b]->sizes;
            double sum = 0.0;
            for (size_t i = 0; i < f->n_rows; ++i)
                sum += f->weights[i] * ((x[i] - means[a]) * (y[i] - means[b]));
            matrix[a * f->n + b] = matrix[b * f->n + a] = sum / f->total;
        }
}

/* The direction of the largest eigenvalue. It points to where the assets rise together. */
static void rows_direction(size_t n, double *matrix, double *vectors, double *direction)
{
    size_t best = 0;
    double sum = 0.0;
    levy_eigen_symmetric(n, matrix, vectors);
    for (size_t k = 1; k < n; ++k)
        if (matrix[k * n + k] > matrix[best * n + best]) best = k;
    for (size_t a = 0; a < n; ++a) sum += vectors[a * n + best];
    for (size_t a = 0; a < n; ++a) direction[a] = (sum < 0.0 ? -1.0 : 1.0) * vectors[a * n + best];
}

levy_status levy_joint_order(const levy_mark_terms *const *columns, size_t n, levy_arena *arena,
                             const uint32_t **order)
{
    rows_frame f = {columns, n, columns[0]->n, columns[0]->weights, 0.0};
    *order = columns[0]->order;
    if (n == 1) return LEVY_OK;
    double *const work = levy_arena_allocate(arena, 2 * n * n + 2 * n, sizeof *work),
                  *const keys = levy_arena_allocate(arena, f.n_rows, sizeof *keys);
    uint32_t *const rows = levy_arena_allocate(arena, f.n_rows, sizeof *rows);
    if (!work || !keys || !rows) return LEVY_MEMORY;
    double *const means = work, *const direction = work + n, *const matrix = work + 2 * n;
    for (size_t i = 0; i < f.n_rows; ++i) f.total += f.weights[i];
    for (size_t a = 0; a < n; ++a) means[a] = rows_mean(&f, a);
    rows_covariances(&f, means, matrix);
    rows_direction(n, matrix, matrix + n * n, direction);
    for (size_t a = 0; a < n; ++a)
        for (size_t i = 0; i < f.n_rows; ++i) keys[i] += direction[a] * columns[a]->sizes[i];
    *order = rows;
    return levy_order(arena->memory, keys, f.n_rows, rows) ? LEVY_OK : LEVY_MEMORY;
}
