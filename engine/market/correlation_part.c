/* correlation_part.c: see correlation_part.h. A matrix is checked over the assets of each model,
 * not as a whole: what no model needs may be missing. */
#include "engine/market/correlation_part.h"

#include "engine/base/eigen.h"

#include <string.h>

static double part_size(double x) { return x < 0 ? -x : x; }

static const char *part_name(const levy_correlation_part *part, size_t i)
{
    return part->market->asset_map.names.items[part->assets[i]];
}

/* The two or three assets that weigh most in eigenvector k. */
static const char *part_culprits(levy_check *build, const levy_correlation_part *part,
                                 const double *vectors, size_t k)
{
    const size_t n = part->n;
    size_t first[3] = {0, 0, 0}, found = 0;
    for (; found < 3 && found < n; ++found) {
        size_t best = n;
        for (size_t i = 0; i < n; ++i) {
            if ((found > 0 && i == first[0]) || (found > 1 && i == first[1])) continue;
            if (best == n ||
                part_size(vectors[i * n + k]) > (1 + 1e-9) * part_size(vectors[best * n + k]))
                best = i;
        }
        /* the third one's part is too small to name */
        if (found == 2 && part_size(vectors[best * n + k]) < 0.1) break;
        first[found] = best;
    }
    if (found < 3)
        return levy_check_text(build, "%s and %s", part_name(part, first[0]),
                               part_name(part, first[1]));
    return levy_check_text(build, "%s, %s and %s", part_name(part, first[0]),
                           part_name(part, first[1]), part_name(part, first[2]));
}

static bool part_check_definite(levy_check *build, const levy_correlation_part *part, size_t piece,
                                const double *matrix)
{
    const size_t n = part->n;
    const levy_correlation_data *data = part->data;
    double *values = levy_check_allocate(build, n * n, sizeof *values);
    double *vectors = levy_check_allocate(build, n * n, sizeof *vectors);
    if (!values || !vectors) return false;
    memcpy(values, matrix, n * n * sizeof *values);
    levy_eigen_symmetric(n, values, vectors);
    size_t k = 0;
    for (size_t i = 1; i < n; ++i)
        if (values[i * n + i] < values[k * n + k]) k = i;
    if (values[k * n + k] >= -1e-10 * (double)n) return true;
    return LEVY_REFUSE(
        build, INCONSISTENT, data->node,
        data->n_pieces > 1
            ? levy_check_text(build, "%s.nodes[%zu]", data->path, data->first + piece)
            : data->path,
        "levy does not repair matrices. Change the correlations of these "
        "assets so that they are consistent.",
        "the correlations of model '%s' are not positive semidefinite: the smallest eigenvalue is "
        "%s, through %s",
        part->name, levy_check_rounded(build, values[k * n + k]),
        part_culprits(build, part, vectors, k));
}

static bool part_copy(levy_check *build, const levy_correlation_part *part, size_t piece,
                      double *matrix)
{
    const size_t n = part->n;
    for (size_t i = 0; i < n * n; ++i) {
        const size_t a = i / n, b = i % n;
        matrix[i] =
            a == b ? 1
                   : levy_correlation_given(part->data, piece, part->assets[a], part->assets[b]);
        if (matrix[i] == LEVY_NO_CORRELATION)
            return LEVY_REFUSE(
                build, MISSING_DATA, part->node, part->path,
                levy_check_text(
                    build, "Add the pair to market.correlations, such as [%s.spot, %s.spot, 0.5].",
                    part_name(part, a), part_name(part, b)),
                "the correlation of %s and %s is missing", part_name(part, a), part_name(part, b));
    }
    return true;
}

static bool part_room(levy_check *build, size_t pieces, size_t n, levy_correlation *correlation)
{
    correlation->n = pieces;
    correlation->n_assets = n;
    correlation->times = levy_check_allocate(build, pieces, sizeof *correlation->times);
    correlation->matrices =
        levy_check_allocate(build, pieces * n * n, sizeof *correlation->matrices);
    return correlation->times && correlation->matrices;
}

bool levy_correlation_take(levy_check *build, const levy_correlation_part *part,
                           levy_correlation *correlation)
{
    const levy_correlation_data *data = part->data;
    const size_t n = part->n;
    if (!data->good) return false;
    if (!part_room(build, n > 1 && data->n_pieces > 0 ? data->n_pieces : 1, n, correlation))
        return false;
    for (size_t k = 0; k < correlation->n; ++k) {
        double *matrix = correlation->matrices + k * n * n;
        if (data->n_pieces > 0) correlation->times[k] = data->times[k];
        if (!part_copy(build, part, k, matrix) || !part_check_definite(build, part, k, matrix))
            return false;
    }
    return true;
}

bool levy_correlation_none(levy_check *build, const levy_correlation_part *part,
                           levy_correlation *correlation, double **unplaced)
{
    const levy_correlation_data *const data = part->data;
    const size_t n = part->n, pieces = data->n_pieces > 0 ? data->n_pieces : 1;
    if (!data->good) return false;
    *unplaced = levy_check_allocate(build, n * n, sizeof **unplaced);
    if (!part_room(build, 1, n, correlation) || !*unplaced) return false;
    for (size_t i = 0; i < n * n; ++i) {
        const size_t a = i / n, b = i % n;
        correlation->matrices[i] = a == b;
        for (size_t k = 0; a < b && k < pieces && (*unplaced)[i] == 0; ++k) {
            const double rho = levy_correlation_given(data, k, part->assets[a], part->assets[b]);
            if (rho != LEVY_NO_CORRELATION) (*unplaced)[i] = rho;
        }
    }
    return true;
}
