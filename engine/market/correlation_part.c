/* correlation_part.c: see correlation_part.h. A matrix is checked over the assets of each model,
 * not as a whole: what no model needs may be missing. Of variances the book may give any pair.
 * Given the assets, those of the others are independent: with correlations c of assets and the
 * shares rho of variances in them, that of asset i and variance j is rho_j c_ij, and that of two
 * variances rho_i rho_j c_ij. */
#include "engine/market/correlation_part.h"

#include "engine/base/eigen.h"

#include <string.h>

static double part_size(double x) { return x < 0 ? -x : x; }

static const char *part_name(const levy_correlation_part *part, size_t i)
{
    return part->market->asset_map.names.items[part->assets[i]];
}

/* Of factor x, one of n: assets alone, or their spots and variances. */
static const char *part_factor(levy_check *build, const levy_correlation_part *part, size_t n,
                               size_t x)
{
    if (n == part->n) return part_name(part, x);
    return x < part->n ? levy_check_text(build, "%s.spot", part_name(part, x))
                       : levy_check_text(build, "%s.variance", part_name(part, x - part->n));
}

/* The two or three of n factors that weigh most in eigenvector k. */
static const char *part_culprits(levy_check *build, const levy_correlation_part *part, size_t n,
                                 const double *vectors, size_t k)
{
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
        return levy_check_text(build, "%s and %s", part_factor(build, part, n, first[0]),
                               part_factor(build, part, n, first[1]));
    return levy_check_text(build, "%s, %s and %s", part_factor(build, part, n, first[0]),
                           part_factor(build, part, n, first[1]),
                           part_factor(build, part, n, first[2]));
}

static bool part_check_definite(levy_check *build, const levy_correlation_part *part, size_t n,
                                size_t piece, const double *matrix)
{
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
        part_culprits(build, part, n, vectors, k));
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
                    build,
                    "Add the pair to market.correlations.pairs, such as [%s.spot, %s.spot, 0.5].",
                    part_name(part, a), part_name(part, b)),
                "the correlation of %s and %s is missing", part_name(part, a), part_name(part, b));
    }
    return true;
}

/* ---- Variances ---- */

/* The number of factor x in the market. */
static size_t part_place(const levy_correlation_part *part, size_t x)
{
    return x < part->n ? part->assets[x] : part->assets[x - part->n] + part->data->n_assets;
}

static bool part_gives_variances(const levy_correlation_part *part)
{
    bool gives = false;
    for (size_t i = 0; i < part->n_varied; ++i)
        gives = gives || part->data->rows[part_place(part, part->n + i)] != 0;
    return gives;
}

/* Whether what the book says of an asset and its variance is what the model says. */
static bool part_check_share(levy_check *build, const levy_correlation_part *part, size_t i,
                             double given)
{
    const double share = part->shares[i];
    if (part->moved[i] || part_size(given - share) <= 1e-12) return true;
    return LEVY_REFUSE(
        build, INCONSISTENT, part->data->node, part->data->path,
        levy_check_text(build, "Leave the pair out: the model's %s says it.", part->share),
        "the correlation of %s.spot and %s.variance is %s, and %s of model '%s' is "
        "%s",
        part_name(part, i), part_name(part, i), levy_check_number(build, given), part->share,
        part->name, levy_check_number(build, share));
}

/* The model's share of factor x in its asset. */
static double part_share(const levy_correlation_part *part, size_t x)
{
    if (x < part->n) return 1.0;
    return x - part->n < part->n_varied ? part->shares[x - part->n] : 0.0;
}

/* Of factors x and y, as the book gives it. */
static double part_given(const levy_correlation_part *part, size_t piece, size_t x, size_t y)
{
    if (x >= part->n + part->n_varied || y >= part->n + part->n_varied) return LEVY_NO_CORRELATION;
    return levy_correlation_given(part->data, piece, part_place(part, x), part_place(part, y));
}

/* Of factors x and y: as given, or as the shares and the spots' correlations have it. */
static bool part_whole_pair(levy_check *build, const levy_correlation_part *part, size_t piece,
                            size_t x, size_t y, const levy_correlation *c)
{
    const size_t n = part->n, rows = 2 * n;
    const double given = part_given(part, piece, x, y);
    double *const at = &c->whole[(piece * rows + x) * rows + y];
    *at = part_share(part, x) * part_share(part, y) * levy_correlation_of(c, piece, x % n, y % n);
    if (x == y) *at = 1.0;
    if (given == LEVY_NO_CORRELATION || x == y) return true;
    if (x % n == y % n) return part_check_share(build, part, x % n, given);
    c->given[x * rows + y] = true;
    *at = given;
    return true;
}

/* The matrix of all factors of a piece. */
static bool part_whole(levy_check *build, const levy_correlation_part *part, size_t piece,
                       levy_correlation *c)
{
    const size_t rows = 2 * part->n;
    for (size_t x = 0; x < rows; ++x)
        for (size_t y = 0; y < rows; ++y)
            if (!part_whole_pair(build, part, piece, x, y, c)) return false;
    return part_check_definite(build, part, rows, piece, c->whole + piece * rows * rows);
}

static bool part_variances(levy_check *build, const levy_correlation_part *part,
                           levy_correlation *c)
{
    const size_t rows = 2 * part->n;
    if (!part_gives_variances(part)) return true;
    if (part->by_term)
        return LEVY_REFUSE(
            build, UNSUPPORTED, part->data->node, part->data->path,
            levy_check_text(build, "Leave the variances out, or give one %s.", part->share),
            "gives correlations of variances, but %s of model '%s' is by term", part->share,
            part->name);
    c->whole = levy_check_allocate(build, c->n * rows * rows, sizeof *c->whole);
    c->given = levy_check_allocate(build, rows * rows, sizeof *c->given);
    if (!c->whole || !c->given) return false;
    for (size_t k = 0; k < c->n; ++k)
        if (!part_whole(build, part, k, c)) return false;
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
    const bool paired = n > 1 || part_gives_variances(part);
    if (!part_room(build, paired && data->n_pieces > 0 ? data->n_pieces : 1, n, correlation))
        return false;
    for (size_t k = 0; k < correlation->n; ++k) {
        double *matrix = correlation->matrices + k * n * n;
        if (data->n_pieces > 0) correlation->times[k] = data->times[k];
        if (!part_copy(build, part, k, matrix) || !part_check_definite(build, part, n, k, matrix))
            return false;
    }
    return part_variances(build, part, correlation);
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
