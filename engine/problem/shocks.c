/* shocks.c: empirical marks of jumps, from the book itself or a CSV file beside it, into the order
 * of size. What a line of CSV may hold: size or size,weight, all lines alike; the words themselves
 * as a first line; blank space around numbers. Shocks of weight 0 are left out: they never come.
 * See collect.h. */
#include "engine/problem/collect.h"

#include "engine/base/number.h"

#include <stdlib.h>
#include <string.h>

static const size_t shocks_most = 10000000;
static const double shocks_largest = 20.0; /* a factor of 5e8 */

typedef struct shock {
    double size, weight;
} shock;

typedef struct shocks_frame {
    levy_check *build;
    const levy_node *node;
    const char *path, *name; /* name: of the file, or NULL */
    size_t n, room, columns;
    shock *items; /* of the caller's allocator */
} shocks_frame;

static int shocks_compare(const void *a, const void *b)
{
    const shock *const x = a, *const y = b;
    if (x->size != y->size) return x->size < y->size ? -1 : 1;
    return x->weight < y->weight ? -1 : x->weight > y->weight;
}

/* "shocks.csv:17" or, for shocks in the book, "row 17". */
static const char *shocks_place(const shocks_frame *f, size_t row)
{
    return f->name ? levy_check_text(f->build, "%s:%zu", f->name, row)
                   : levy_check_text(f->build, "row %zu", row);
}

static bool shocks_add(shocks_frame *f, size_t row, double size, double weight)
{
    if (!(size >= -shocks_largest && size <= shocks_largest))
        return LEVY_REFUSE(
            f->build, RANGE, f->node, f->path, "A log jump of 0.05 is a move of about 5 %.",
            "%s: a log jump must be in [%s, %s]; got %s", shocks_place(f, row),
            levy_check_number(f->build, -shocks_largest),
            levy_check_number(f->build, shocks_largest), levy_check_number(f->build, size));
    if (!(weight >= 0.0 && weight <= 1e300))
        return LEVY_REFUSE(f->build, RANGE, f->node, f->path, "Weights need not add up to 1.",
                           "%s: a weight must be in [0, 1e300]; got %s", shocks_place(f, row),
                           levy_check_number(f->build, weight));
    if (weight == 0.0) return true;
    shock *const items =
        levy_memory_extend(f->build->arena->memory, f->items, f->n, &f->room, 1024, sizeof *items);
    if (!items) {
        f->build->out_of_memory = true;
        return false;
    }
    f->items = items;
    f->items[f->n++] = (shock){size, weight};
    return true;
}

static const char *shocks_trim(const char *text, size_t *length)
{
    while (*length && (*text == ' ' || *text == '\t')) ++text, --*length;
    while (*length && strchr(" \t\r", text[*length - 1])) --*length;
    return text;
}

/* Reads one line of CSV. */
static bool shocks_line(shocks_frame *f, size_t row, const char *line, size_t length)
{
    double values[2] = {0.0, 1.0};
    size_t n = 0;
    for (const char *at = line, *end = line + length; at <= end; ++n) {
        const char *const comma = memchr(at, ',', (size_t)(end - at)), *const stop =
                                                                           comma ? comma : end;
        size_t size = (size_t)(stop - at);
        const char *const number = shocks_trim(at, &size);
        if (n < 2 && levy_number_read(number, size, &values[n]) != LEVY_NUMBER_OK)
            return LEVY_REFUSE(f->build, TYPE, f->node, f->path,
                               "Write size or size,weight on each line.",
                               "%s: not a number: '%.*s'", shocks_place(f, row),
                               (int)(size < 40 ? size : 40), number);
        at = stop + 1;
    }
    if (f->columns == 0) f->columns = n;
    if (n > 2 || n != f->columns)
        return LEVY_REFUSE(
            f->build, TYPE, f->node, f->path, "Write size or size,weight on each line.",
            "%s: %zu %s where %s expected", shocks_place(f, row), n, n == 1 ? "column" : "columns",
            n > 2
                ? "1 or 2 are"
                : levy_check_text(f->build, "%zu %s", f->columns, f->columns == 1 ? "is" : "are"));
    return shocks_add(f, row, values[0], values[1]);
}

static bool shocks_csv(shocks_frame *f, const char *text, size_t length)
{
    size_t row = 0;
    for (const char *at = text, *end = text + length; at < end;) {
        const char *const stop = memchr(at, '\n', (size_t)(end - at)), *const last =
                                                                           stop ? stop : end;
        size_t size = (size_t)(last - at);
        const char *const line = shocks_trim(at, &size);
        const bool head = ++row == 1 && ((size == 4 && memcmp(line, "size", 4) == 0) ||
                                         (size == 11 && memcmp(line, "size,weight", 11) == 0));
        if (row > shocks_most + 1)
            return LEVY_REFUSE(f->build, LIMIT, f->node, f->path,
                               "Merge shocks of nearly the same size.",
                               "'%s' has more than %zu lines", f->name, shocks_most);
        at = last + 1;
        if (head)
            f->columns = size == 4 ? 1 : 2;
        else if (!shocks_line(f, row, line, size))
            return false;
    }
    return true;
}

static bool shocks_matrix(shocks_frame *f, const levy_matrix *m)
{
    if (m->columns > 2)
        return LEVY_REFUSE(f->build, TYPE, f->node, f->path,
                           "Write shocks: [[-0.05, 2], [0.03, 1]].",
                           "a row has a log jump and its weight; got %zu numbers", m->columns);
    for (size_t i = 0; i < m->rows; ++i)
        if (!shocks_add(f, i + 1, m->values[i * m->columns],
                        m->columns > 1 ? m->values[i * m->columns + 1] : 1.0))
            return false;
    return true;
}

/* Writes the shocks into the terms, sorted by size. */
static void shocks_keep(shocks_frame *f, levy_mark_terms *mark)
{
    double *const sizes = levy_check_allocate(f->build, f->n, sizeof *sizes),
                  *const weights = levy_check_allocate(f->build, f->n, sizeof *weights);
    if (!sizes || !weights) return;
    if (f->n == 0) {
        LEVY_REFUSE(f->build, RANGE, f->node, f->path,
                    "Give a weight above 0 to at least one shock.", "all weights are 0");
        return;
    }
    qsort(f->items, f->n, sizeof *f->items, shocks_compare);
    for (size_t i = 0; i < f->n; ++i) {
        sizes[i] = f->items[i].size;
        weights[i] = f->items[i].weight;
    }
    mark->sizes = sizes;
    mark->weights = weights;
    mark->n = f->n;
}

static void shocks_mark(levy_collection *collection, levy_mark_terms *mark, const char *path,
                        const char *base)
{
    levy_check *const build = collection->build;
    shocks_frame f = {
        .build = build,
        .node = mark->shocks.node ? mark->shocks.node : levy_check_at(mark->node, "file"),
        .path = levy_check_text(build, "%s.%s", path, mark->shocks.node ? "shocks" : "file")};
    if (levy_check_refused(build, path)) return;
    if (mark->shocks.node && mark->file) {
        LEVY_REFUSE(build, INCONSISTENT, mark->shocks.node, f.path, "Keep one of the two.",
                    "cannot be combined with file");
        return;
    }
    if (!mark->shocks.node && !mark->file) {
        LEVY_REFUSE(build, MISSING_KEY, mark->node, path,
                    "Write shocks: [[-0.05, 2], [0.03, 1]], or file: shocks.csv.",
                    "missing key 'shocks'");
        return;
    }
    bool good = mark->shocks.node && shocks_matrix(&f, &mark->shocks);
    if (mark->file) {
        size_t length = 0;
        levy_named_file file = {.full = NULL};
        const bool named = levy_collect_name(
            collection, f.node, f.path, mark->file, base,
            "Write the shocks into the text itself: shocks: [[-0.05, 2]].", &file);
        f.name = file.full;
        char *const text = named
                               ? levy_collect_load(collection, f.node, f.path, &file,
                                                   "Merge shocks of nearly the same size.", &length)
                               : NULL;
        if (text) levy_collect_hash(collection, text, length);
        good = text && shocks_csv(&f, text, length);
        levy_memory_release(build->arena->memory, text);
    }
    if (good) shocks_keep(&f, mark);
    levy_memory_release(build->arena->memory, f.items);
}

static void shocks_variant(levy_collection *collection, const levy_variant_value *mark,
                           const char *path, const char *base)
{
    if (mark->kind == LEVY_MARK_EMPIRICAL && mark->value)
        shocks_mark(collection, mark->value, path, base);
}

void levy_collect_shocks(levy_collection *collection, levy_model_terms *terms, const char *path,
                         const char *base)
{
    levy_jump_terms *const layers = terms->jumps.items;
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
