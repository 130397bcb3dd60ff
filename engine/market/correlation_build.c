/* correlation_build.c: see correlation_build.h; the part of one model is taken and checked in
 * correlation_part.c. */
#include "engine/market/correlation_build.h"

#include <string.h>

static double correlation_size(double x) { return x < 0 ? -x : x; }

/* Programs that divide a covariance by its deviations leave 1 + 2e-16. */
static const double correlation_rounding = 1e-12;

static double correlation_clamp(double x)
{
    if (x > 1) return 1;
    return x < -1 ? -1 : x;
}

/* "SPX.spot" to the number of SPX in the market, "SPX.variance" to that and the number of assets.
 */
static size_t correlation_factor(levy_check *build, levy_market *market, const levy_node *node,
                                 const char *name, const char *path)
{
    const char *dot = strrchr(name, '.');
    const bool is_variance = dot && strcmp(dot, ".variance") == 0;
    if (!dot || (strcmp(dot, ".spot") != 0 && !is_variance)) {
        const char *const before =
            levy_check_text(build, "%.*s", dot ? (int)(dot - name) : 0, name);
        const bool known = levy_names_find(&market->asset_map.names, before) != LEVY_NO_NAME;
        LEVY_REFUSE(build, UNKNOWN_NAME, node, path,
                    known ? levy_check_text(build, "Write %s.spot, or %s.variance.", before, before)
                          : levy_check_text(build, "Write %s.spot.", name),
                    "'%s' is not a correlation factor: correlations are between spots, and the "
                    "variances of models that have them",
                    name);
        return LEVY_NO_NAME;
    }
    const char *asset = levy_check_text(build, "%.*s", (int)(dot - name), name);
    const size_t number = levy_names_find(&market->asset_map.names, asset);
    if (number == LEVY_NO_NAME && !build->broken) {
        char meant[LEVY_MEANT_SIZE];
        const char *near = market->asset_map.names.count
                               ? levy_nearest(asset, market->asset_map.names.items)
                               : NULL;
        LEVY_REFUSE(build, UNKNOWN_NAME, node, path,
                    levy_check_text(build, "Define market.assets.%s, or correct the name.", asset),
                    "there is no asset '%s'%s", asset, levy_meant(near, meant));
    }
    return number == LEVY_NO_NAME || !is_variance ? number : number + market->asset_map.names.count;
}

/* Gives the factor a row. SIZE_MAX with a fault. */
static size_t correlation_row(levy_check *build, levy_market *market, levy_correlation_data *data,
                              const levy_node *node, const char *name, const char *path)
{
    const size_t factor = correlation_factor(build, market, node, name, path);
    if (factor == LEVY_NO_NAME) return SIZE_MAX;
    if (data->rows[factor] == 0) data->rows[factor] = (uint32_t)++data->n;
    return data->rows[factor] - 1;
}

static bool correlation_names(levy_check *build, levy_market *market,
                              const levy_raw_correlations *raw, levy_correlation_data *data)
{
    const char *const *names = raw->names.items;
    const levy_node *node = raw->names.node->children;
    bool good = true;
    for (size_t i = 0; i < raw->names.count; ++i, node = node->next) {
        const char *path = levy_check_text(build, "%s.names[%zu]", data->path, i);
        const size_t before = data->n,
                     row = correlation_row(build, market, data, node, names[i], path);
        if (row == SIZE_MAX)
            good = false;
        else if (row < before)
            good = LEVY_REFUSE(build, DUPLICATE_KEY, node, path, "Name each factor once.",
                               "'%s' occurs twice", names[i]);
    }
    return good;
}

static bool correlation_value(levy_check *build, const levy_node *node, const char *path,
                              double value)
{
    if (correlation_size(value) <= 1 + correlation_rounding) return true;
    return LEVY_REFUSE(build, RANGE, node, path, "Correlations are decimals: 0.6 is 60 %.",
                       "a correlation must lie in [-1, 1]; got %s",
                       levy_check_number(build, value));
}

static bool correlation_shape(levy_check *build, const levy_node *node, const char *path,
                              size_t rows, size_t columns, size_t n)
{
    if (rows == n && columns == n) return true;
    return LEVY_REFUSE(build, INCONSISTENT, node, path,
                       "Give one row and one column for each name, in their order.",
                       "the matrix is %zu by %zu, but %zu factors are named", rows, columns, n);
}

/* Checks range, unit diagonal and symmetry to 1e-12. Makes the matrix exactly symmetric. */
static bool correlation_matrix(levy_check *build, const levy_node *matrix, const char *path,
                               size_t n, double *values)
{
    bool good = true;
    const levy_node *row = matrix->children;
    for (size_t i = 0; i < n; ++i, row = row->next) {
        const levy_node *cell = row->children;
        for (size_t j = 0; j < n; ++j, cell = cell->next) {
            const double value = values[i * n + j], mirror = values[j * n + i];
            if (correlation_size(value) > 1 + correlation_rounding)
                good = correlation_value(build, cell,
                                         levy_check_text(build, "%s[%zu][%zu]", path, i, j), value);
            else if (i == j && correlation_size(value - 1) > correlation_rounding)
                good = LEVY_REFUSE(
                    build, RANGE, cell, levy_check_text(build, "%s[%zu][%zu]", path, i, j),
                    "Write 1: a factor's correlation with itself.",
                    "the diagonal must be 1; got %s", levy_check_number(build, value));
            else if (j < i && correlation_size(mirror) <= 1 + correlation_rounding &&
                     correlation_size(value - mirror) > correlation_rounding)
                good = LEVY_REFUSE(
                    build, INCONSISTENT, cell, levy_check_text(build, "%s[%zu][%zu]", path, i, j),
                    "Make both entries equal.",
                    "the matrix is not symmetric: %s here, %s at [%zu][%zu]",
                    levy_check_number(build, value), levy_check_number(build, mirror), j, i);
        }
    }
    for (size_t i = 0; i < n && good; ++i)
        for (size_t j = 0; j <= i; ++j) values[i * n + j] = i == j ? 1 : values[j * n + i];
    for (size_t i = 0; i < n * n && good; ++i) values[i] = correlation_clamp(values[i]);
    return good;
}

/* Makes room for `pieces` matrices, with all pairs absent. */
static bool correlation_room(levy_check *build, levy_correlation_data *data, size_t n,
                             size_t pieces)
{
    size_t cells = 0;
    data->n_pieces = pieces;
    data->times = levy_check_allocate(build, pieces, sizeof *data->times);
    if (levy_size_multiply(n, n, &cells) && levy_size_multiply(cells, pieces, &cells))
        data->matrices = levy_check_allocate(build, cells, sizeof *data->matrices);
    if (!data->times || !data->matrices) {
        build->out_of_memory = true;
        return false;
    }
    for (size_t i = 0; i < cells; ++i) data->matrices[i] = LEVY_NO_CORRELATION;
    return true;
}

static bool correlation_from_matrix(levy_check *build, const levy_raw_correlations *raw,
                                    levy_correlation_data *data)
{
    const char *path = levy_check_text(build, "%s.matrix", data->path);
    const size_t n = data->n;
    if (!correlation_shape(build, raw->matrix.node, path, raw->matrix.rows, raw->matrix.columns, n))
        return false;
    if (!correlation_room(build, data, n, 1)) return false;
    memcpy(data->matrices, raw->matrix.values, n * n * sizeof *data->matrices);
    return correlation_matrix(build, raw->matrix.node, path, n, data->matrices);
}

/* ---- Pairs ---- */

static bool correlation_pair(levy_check *build, levy_market *market, levy_correlation_data *data,
                             const levy_node *pair, const char *path, size_t room)
{
    const levy_reader reader = levy_build_reader(build);
    const levy_node *cell[3] = {NULL, NULL, NULL};
    double value = 0;
    if (pair->kind == LEVY_NODE_LIST && pair->count == 3) {
        cell[0] = pair->children;
        cell[1] = cell[0]->next;
        cell[2] = cell[1]->next;
    }
    if (!cell[0] || cell[0]->kind != LEVY_NODE_SCALAR || cell[1]->kind != LEVY_NODE_SCALAR)
        return LEVY_REFUSE(build, TYPE, pair, path, "Write [SPX.spot, NDX.spot, 0.9].",
                           "a pair is a list of two factors and a number");
    const char *at = levy_check_text(build, "%s[2]", path);
    size_t row[2];
    for (size_t i = 0; i < 2; ++i)
        row[i] = correlation_row(build, market, data, cell[i], cell[i]->text,
                                 levy_check_text(build, "%s[%zu]", path, i));
    if (!levy_read_number(&reader, cell[2], at, &value) || row[0] == SIZE_MAX || row[1] == SIZE_MAX)
        return false;
    if (!correlation_value(build, cell[2], at, value)) return false;
    if (row[0] == row[1])
        return LEVY_REFUSE(build, INCONSISTENT, pair, path, "Name two different factors.",
                           "correlates '%s' with itself", cell[0]->text);
    double *upper = &data->matrices[row[0] * room + row[1]],
           *lower = &data->matrices[row[1] * room + row[0]];
    if (*upper != LEVY_NO_CORRELATION)
        return LEVY_REFUSE(
            build, DUPLICATE_KEY, pair, path, "Give each pair once, in either order.",
            "the correlation of '%s' and '%s' is given twice", cell[0]->text, cell[1]->text);
    *upper = *lower = correlation_clamp(value);
    return true;
}

/* No more rows than factors, of which few books name variances. */
static size_t correlation_pairs_room(const levy_raw_correlations *raw, size_t n_assets)
{
    for (const levy_node *pair = raw->pairs->children; pair; pair = pair->next)
        for (const levy_node *cell = pair->children; cell; cell = cell->next)
            if (cell->kind == LEVY_NODE_SCALAR && strstr(cell->text, ".variance"))
                return 2 * n_assets;
    return n_assets;
}

static bool correlation_from_pairs(levy_check *build, levy_market *market,
                                   const levy_raw_correlations *raw, levy_correlation_data *data)
{
    const char *path = levy_check_text(build, "%s.pairs", data->path);
    if (raw->pairs->kind != LEVY_NODE_LIST)
        return LEVY_REFUSE(build, TYPE, raw->pairs, path,
                           "Write a list such as [[SPX.spot, NDX.spot, 0.9]].",
                           "must be a list of pairs; got %s",
                           raw->pairs->kind == LEVY_NODE_MAP ? "a map" : "a scalar");
    const size_t room = correlation_pairs_room(raw, data->n_assets);
    if (!correlation_room(build, data, room, 1)) return false;
    bool good = true;
    size_t i = 0;
    for (const levy_node *pair = raw->pairs->children; pair; pair = pair->next, ++i)
        good &= correlation_pair(build, market, data, pair,
                                 levy_check_text(build, "%s[%zu]", path, i), room);
    for (size_t row = 1; row < data->n; ++row) /* close up from room to n columns */
        memmove(data->matrices + row * data->n, data->matrices + row * room,
                data->n * sizeof *data->matrices);
    for (size_t row = 0; row < data->n; ++row) data->matrices[row * data->n + row] = 1;
    return good;
}

/* ---- Term structure ---- */

static bool correlation_term_matrix(levy_check *build, const levy_node *matrix, const char *path,
                                    size_t n, double *values)
{
    const levy_reader reader = levy_build_reader(build);
    if (matrix->kind != LEVY_NODE_LIST)
        return LEVY_REFUSE(build, TYPE, matrix, path, "Write [[1, 0.5], [0.5, 1]].",
                           "must be a matrix, a list of rows");
    bool good = true;
    size_t i = 0;
    if (!correlation_shape(build, matrix, path, matrix->count, n, n)) return false;
    for (const levy_node *row = matrix->children; row; row = row->next, ++i) {
        const char *at = levy_check_text(build, "%s[%zu]", path, i);
        if (row->kind != LEVY_NODE_LIST || row->count != n) {
            good = LEVY_REFUSE(build, INCONSISTENT, row, at,
                               "Give one row and one column for each name, in their order.",
                               "a row must be a list of %zu numbers; got %s of %zu", n,
                               row->kind == LEVY_NODE_LIST ? "a list" : "something else",
                               (size_t)row->count);
            continue;
        }
        size_t j = 0;
        for (const levy_node *cell = row->children; cell; cell = cell->next, ++j)
            good &= levy_read_number(&reader, cell, levy_check_text(build, "%s[%zu]", at, j),
                                     &values[i * n + j]);
    }
    return good && correlation_matrix(build, matrix, path, n, values);
}

static bool correlation_term_node(levy_check *build, const levy_node *node, const char *path,
                                  size_t k, size_t n, levy_correlation_data *data)
{
    const levy_reader reader = levy_build_reader(build);
    levy_time time = {0};
    if (node->kind != LEVY_NODE_LIST || node->count != 2)
        return LEVY_REFUSE(build, TYPE, node, path, "Write [1.0, [[1, 0.5], [0.5, 1]]].",
                           "a node is a list of a time and a matrix");
    const char *at = levy_check_text(build, "%s[0]", path);
    const bool timed = levy_read_time(&reader, node->children, at, &time) &&
                       levy_check_time(build, &time, at, &data->times[k]);
    const bool ok =
        correlation_term_matrix(build, node->children->next, levy_check_text(build, "%s[1]", path),
                                data->n, data->matrices + k * data->n * data->n);
    if (!timed) return false;
    if (k == 0 && levy_node_is_today(build, &time, data->times[k],
                                     levy_check_text(build, "%s.nodes", data->path), k, n))
        data->first = 1; /* it would apply up to today */
    else if (data->times[k] <= (k > 0 ? data->times[k - 1] : 0))
        return LEVY_REFUSE(build, RANGE, node->children, at,
                           "Sort the nodes by time. All of them must be after the valuation.",
                           "%s is not after the %s", levy_check_shown(node->children),
                           k > 0 ? "node before it" : "valuation");
    return ok;
}

static bool correlation_from_term(levy_check *build, const levy_raw_correlations *raw,
                                  levy_correlation_data *data)
{
    const char *path = levy_check_text(build, "%s.nodes", data->path);
    if (raw->nodes->kind != LEVY_NODE_LIST || raw->nodes->count == 0)
        return LEVY_REFUSE(build, TYPE, raw->nodes, path, "Write [[1.0, [[1, 0.5], [0.5, 1]]]].",
                           "must be a list of [time, matrix] pairs");
    if (!correlation_room(build, data, data->n, raw->nodes->count)) return false;
    bool good = true;
    size_t k = 0;
    for (const levy_node *node = raw->nodes->children; node; node = node->next, ++k)
        good &= correlation_term_node(build, node, levy_check_text(build, "%s[%zu]", path, k), k,
                                      raw->nodes->count, data);
    data->times += data->first;
    data->matrices += data->first * data->n * data->n;
    data->n_pieces -= data->first;
    return good;
}

/* ---- The block as a whole ---- */

/* Checks that exactly one of matrix, pairs and nodes is given, with names if they are needed and
 * the kind that fits. */
static bool correlation_check_form(levy_check *build, const levy_raw_correlations *raw,
                                   const char *path)
{
    static const char *const forms =
        "Write {names, matrix}, {pairs}, or {kind: term, names, nodes}.";
    const int given = (raw->matrix.node != NULL) + (raw->pairs != NULL) + (raw->nodes != NULL);
    if (given != 1)
        return LEVY_REFUSE(build, INCONSISTENT, raw->node, path, forms,
                           "needs exactly one of matrix, pairs and nodes; got %d", given);
    if ((raw->kind == LEVY_RAW_CORRELATION_TERM) != (raw->nodes != NULL))
        return LEVY_REFUSE(build, INCONSISTENT, levy_check_at(raw->node, "kind"),
                           levy_check_text(build, "%s.kind", path), forms,
                           "kind term needs nodes; kind constant needs matrix or pairs");
    if (!raw->names.node && !raw->pairs)
        return LEVY_REFUSE(build, MISSING_KEY, raw->node, path, forms,
                           "the key 'names' is required with a matrix");
    if (raw->names.node && raw->pairs)
        return LEVY_REFUSE(build, INCONSISTENT, raw->names.node,
                           levy_check_text(build, "%s.names", path), forms,
                           "names cannot be combined with pairs");
    return true;
}

/* Puts what quotes have set in place of what was read. */
static bool correlation_set(levy_check *build, const levy_market *market,
                            levy_correlation_data *data)
{
    for (size_t i = 0; i < market->n_set_correlations; ++i) {
        const levy_set_correlation *const set = market->set_correlations[i];
        const uint32_t row = data->rows[set->a], column = data->rows[set->b];
        if (set->value == set->start || row == 0 || column == 0) continue;
        for (size_t k = 0; k < data->n_pieces; ++k) {
            double *const matrix = data->matrices + k * data->n * data->n,
                          *const upper = &matrix[(row - 1) * data->n + column - 1],
                          *const lower = &matrix[(column - 1) * data->n + row - 1];
            *upper = *lower = set->is_shift ? *upper + set->value : set->value;
            if (!correlation_value(build, data->node, data->path, *upper)) return false;
        }
    }
    return true;
}

void levy_correlation_build(levy_check *build, levy_market *market, levy_correlation_data *data)
{
    const levy_raw_correlations *raw = market->raw_correlations;
    *data = (levy_correlation_data){
        .good = true, .n_assets = market->asset_map.names.count, .path = market->correlations_path};
    data->rows = levy_check_allocate(build, 2 * data->n_assets, sizeof *data->rows);
    if (!data->rows) return;
    if (!raw) { /* none, or none that could be read */
        data->good = !levy_check_refused(build, "market.correlations") &&
                     !levy_check_refused(build, "correlations");
        return;
    }
    data->node = raw->node;
    data->good =
        !levy_check_refused(build, data->path) && correlation_check_form(build, raw, data->path);
    if (!data->good) return;
    if (raw->pairs)
        data->good = correlation_from_pairs(build, market, raw, data);
    else if (!correlation_names(build, market, raw, data))
        data->good = false;
    else if (raw->nodes)
        data->good = correlation_from_term(build, raw, data);
    else
        data->good = correlation_from_matrix(build, raw, data);
    data->good = data->good && correlation_set(build, market, data);
}

double levy_correlation_given(const levy_correlation_data *data, size_t piece, size_t a, size_t b)
{
    const uint32_t row = data->rows[a], column = data->rows[b];
    if (row == 0 || column == 0 || !data->matrices) return LEVY_NO_CORRELATION;
    return data->matrices[(piece * data->n + row - 1) * data->n + column - 1];
}
