/* shocks.c: reads empirical marks of jumps from the book or a CSV file beside it. It sorts the
 * marks of one asset by size, and puts those of several into a table whose columns know their
 * order. See collect.h. */
#include "engine/problem/collect.h"

#include "engine/base/order.h"
#include "engine/problem/shock_rows.h"
#include "kernels/lane/scalar.h"

#include <stdlib.h>
#include <string.h>

typedef struct shock {
    double size, weight;
} shock;

LEVY_ORDER_BY(shocks_compare, shock, size, weight)

/* Writes the shocks of one asset into the terms, sorted by size. */
static void shocks_keep(levy_shock_rows *f, levy_mark_terms *mark)
{
    double *const sizes = levy_check_allocate(f->build, f->n, sizeof *sizes),
                  *const weights = levy_check_allocate(f->build, f->n, sizeof *weights);
    shock *const items = (shock *)(void *)f->rows;
    if (!sizes || !weights) return;
    qsort(items, f->n, sizeof *items, shocks_compare);
    for (size_t i = 0; i < f->n; ++i) {
        sizes[i] = items[i].size;
        weights[i] = items[i].weight;
    }
    mark->sizes = sizes;
    mark->weights = weights;
    mark->n = f->n;
}

/* Column k of the rows, as an array. NULL: no memory. */
static double *shocks_column(levy_shock_rows *f, size_t k)
{
    double *const column = levy_check_allocate(f->build, f->n, sizeof *column);
    for (size_t i = 0; column && i < f->n; ++i) column[i] = f->rows[i * (f->n_sizes + 1) + k];
    return column;
}

static double shocks_mean(const double *sizes, const double *weights, size_t n)
{
    double sum = 0.0, total = 0.0;
    for (size_t i = 0; i < n; ++i) {
        sum += weights[i] * sizes[i];
        total += weights[i];
    }
    return sum / total;
}

static double shocks_deviation(const levy_mark_terms *column)
{
    double sum = 0.0, total = 0.0;
    for (size_t i = 0; i < column->n; ++i) {
        const double off = column->sizes[i] - column->mean;
        sum += column->weights[i] * off * off;
        total += column->weights[i];
    }
    return levy_sqrt(sum / total);
}

/* Writes the shocks of several assets into the terms, column by column. */
static void shocks_keep_rows(levy_shock_rows *f, levy_mark_terms *mark)
{
    levy_check *const build = f->build;
    levy_joint_shocks *const joint = levy_check_allocate(build, 1, sizeof *joint);
    levy_mark_terms *const columns = levy_check_allocate(build, f->n_sizes, sizeof *columns);
    double *const weights = shocks_column(f, f->n_sizes);
    if (!joint || !columns || !weights) return;
    for (size_t k = 0; k < f->n_sizes; ++k) {
        double *const sizes = shocks_column(f, k);
        uint32_t *const order = levy_check_allocate(build, f->n, sizeof *order);
        if (!sizes || !order) return;
        if (!levy_order(build->arena->memory, sizes, f->n, order)) {
            build->out_of_memory = true;
            return;
        }
        columns[k] = (levy_mark_terms){.mean = shocks_mean(sizes, weights, f->n),
                                       .map = mark->map,
                                       .n = f->n,
                                       .sizes = sizes,
                                       .weights = weights,
                                       .order = order,
                                       .joint = joint};
        columns[k].volatility = shocks_deviation(&columns[k]);
    }
    *joint = (levy_joint_shocks){f->n, f->n_sizes, weights, columns};
    mark->n = f->n;
    mark->joint = joint;
}

/* The power of two that takes x into [0.5, 1), or near it from next to 0. x: above 0. */
static double shocks_scale(double x)
{
    double scale = 1.0;
    for (; x >= 1.0; x *= 0.5) scale *= 0.5;
    for (; x < 0.5 && scale < 0x1p1000; x *= 2.0) scale *= 2.0;
    return scale;
}

/* Takes the largest weight into [0.5, 1), so that no sum or product of weights leaves the range of
 * doubles. A power of two changes no digit of any ratio. Weights that are next to 0 beside the
 * largest become 0, and their rows go. */
static void shocks_weigh(levy_shock_rows *f)
{
    const size_t width = f->n_sizes + 1;
    double largest = 0.0;
    size_t kept = 0;
    for (size_t i = 0; i < f->n; ++i) {
        const double weight = f->rows[i * width + f->n_sizes];
        if (weight > largest) largest = weight;
    }
    const double scale = shocks_scale(largest);
    for (size_t i = 0; i < f->n; ++i) {
        double *const row = f->rows + i * width;
        row[f->n_sizes] *= scale;
        if (row[f->n_sizes] > 0.0) memmove(f->rows + kept++ * width, row, width * sizeof *row);
    }
    f->n = kept;
}

static void shocks_keep_any(levy_shock_rows *f, levy_mark_terms *mark)
{
    if (f->n == 0) {
        LEVY_REFUSE(f->build, RANGE, f->node, f->path,
                    "Give a weight above 0 to at least one shock.", "all weights are 0");
        return;
    }
    shocks_weigh(f);
    if (f->names)
        shocks_keep_rows(f, mark);
    else
        shocks_keep(f, mark);
}

/* Reads the file that the mark names. */
static bool shocks_file(levy_collection *collection, levy_shock_rows *f, const char *name,
                        const char *base)
{
    levy_check *const build = collection->build;
    size_t length = 0;
    levy_named_file file = {.full = NULL};
    const bool named =
        levy_collect_name(collection, f->node, f->path, name, base,
                          "Write the shocks into the text itself: shocks: [[-0.05, 2]].", &file);
    f->name = file.full;
    char *text = NULL;
    if (named)
        text = levy_collect_load(collection, f->node, f->path, &file,
                                 "Merge shocks of nearly the same size.", &length);
    if (text) levy_collect_hash(collection, text, length);
    const bool good = text && levy_shock_rows_csv(f, text, length);
    levy_memory_release(build->arena->memory, text);
    return good;
}

/* Is there one table, of not too many assets? */
static bool shocks_given(const levy_shock_rows *f, const levy_mark_terms *mark, const char *path)
{
    levy_check *const build = f->build;
    if (mark->shocks.node && mark->file)
        return LEVY_REFUSE(build, INCONSISTENT, mark->shocks.node, f->path, "Keep one of the two.",
                           "cannot be combined with file");
    if (!mark->shocks.node && !mark->file)
        return LEVY_REFUSE(build, MISSING_KEY, mark->node, path,
                           f->names ? "Write shocks: [[-0.05, -0.02, 1]], or file: shocks.csv."
                                    : "Write shocks: [[-0.05, 2], [0.03, 1]], or file: shocks.csv.",
                           "missing key 'shocks'");
    if (f->n_sizes > LEVY_SHOCK_ASSETS)
        return LEVY_REFUSE(build, LIMIT, mark->assets.node,
                           levy_check_text(build, "%s.assets", path),
                           "Distribute the assets over several models.",
                           "a row has at most %d assets; got %zu", LEVY_SHOCK_ASSETS, f->n_sizes);
    return true;
}

/* `noun`: what a size is. */
static void shocks_mark(levy_collection *collection, levy_mark_terms *mark, const char *noun,
                        const char *path, const char *base)
{
    levy_check *const build = collection->build;
    levy_shock_rows f = {
        .build = build,
        .node = mark->shocks.node ? mark->shocks.node : levy_check_at(mark->node, "file"),
        .path = levy_check_text(build, "%s.%s", path, mark->shocks.node ? "shocks" : "file"),
        .names = mark->assets.items,
        .noun = noun,
        .n_sizes = mark->assets.node ? mark->assets.count : 1};
    if (levy_check_refused(build, path) || !shocks_given(&f, mark, path)) return;
    if (mark->file ? shocks_file(collection, &f, mark->file, base)
                   : levy_shock_rows_matrix(&f, &mark->shocks))
        shocks_keep_any(&f, mark);
    levy_memory_release(build->arena->memory, f.rows);
}

static void shocks_variant(levy_collection *collection, const levy_variant_value *mark,
                           const char *path, const char *base)
{
    if (mark->kind == LEVY_MARK_EMPIRICAL && mark->value)
        shocks_mark(collection, mark->value, "log jump", path, base);
}

void levy_collect_shocks(levy_collection *collection, const levy_model_kind *kind,
                         levy_model_terms *terms, const char *path, const char *base)
{
    levy_jump_terms *const layers = terms->jumps.items;
    levy_mark_terms *const rows =
        kind->rows ? (levy_mark_terms *)(uintptr_t)kind->rows(terms) : NULL;
    if (rows) {
        rows->node = terms->node;
        rows->assets = terms->assets;
        shocks_mark(collection, rows, "log return", path, base);
    }
    for (size_t i = 0; i < terms->jumps.count; ++i) {
        const levy_variant_value *const marks = layers[i].marks.items;
        const char *const at = levy_check_text(collection->build, "%s.jumps[%zu]", path, i);
        shocks_variant(collection, &layers[i].mark,
                       levy_check_text(collection->build, "%s.mark", at), base);
        for (size_t k = 0; k < layers[i].marks.count; ++k)
            shocks_variant(collection, &marks[k],
                           levy_check_text(collection->build, "%s.marks[%zu]", at, k), base);
    }
}
