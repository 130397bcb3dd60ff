/* jump_marks.c: laws of a jump's logarithm on the host: E[exp(mark) - 1] exactly, and the tables of
 * empirical marks. Marks lie in the order of size. A monotone inverse has the ends of the items'
 * shares in 2^-32, and for every cell of words where to start (kernels/samplers/alias/guide.h does
 * the same with reals); an item of less than 2^-33 of the weight may never be drawn. */
#include "kernels/samplers/alias/alias.h"
#include "kernels/lane/scalar.h"
#include "models/jump_plan.h"

static const double mark_words = 4294967296.0;

/* exp(x) - 1 without cancellation for small x. */
static double mark_return(double x)
{
    if (x < -1e-4 || x > 1e-4) return levy_exp(x) - 1.0;
    return x * (1.0 + x * (0.5 + x * (1.0 / 6.0 + x * (1.0 / 24.0))));
}

/* A compensated sum: `lost` collects the rounding errors. */
typedef struct mark_sum {
    double sum, lost;
} mark_sum;

static double mark_size(double x) { return x < 0 ? -x : x; }

static void mark_add(mark_sum *s, double x)
{
    const double t = s->sum + x;
    const bool sum_is_larger = mark_size(s->sum) >= mark_size(x);
    s->lost += sum_is_larger ? (s->sum - t) + x : (x - t) + s->sum;
    s->sum = t;
}

static double mark_total(const levy_mark_terms *mark)
{
    mark_sum total = {0};
    for (size_t i = 0; i < mark->n; ++i) mark_add(&total, mark->weights[i]);
    return total.sum + total.lost;
}

double levy_mark_mean_return(int32_t kind, const levy_mark_terms *mark)
{
    if (kind == LEVY_MARK_NORMAL)
        return mark_return(mark->mean + 0.5 * mark->volatility * mark->volatility);
    if (kind == LEVY_MARK_DOUBLE_EXPONENTIAL)
        return mark->probability_up / (mark->rate_up - 1.0) -
               (1.0 - mark->probability_up) / (mark->rate_down + 1.0);
    mark_sum sum = {0};
    for (size_t i = 0; i < mark->n; ++i)
        mark_add(&sum, mark->weights[i] * mark_return(mark->sizes[i]));
    return (sum.sum + sum.lost) / mark_total(mark);
}

levy_status levy_mark_monotone(const levy_mark_terms *mark, levy_arena *arena, uint32_t **words,
                               size_t *n_words, uint32_t *shift)
{
    uint32_t bits = 0;
    while (bits < 24 && (size_t)1 << bits < mark->n) ++bits;
    const size_t n = mark->n, cells = (size_t)1 << bits;
    uint32_t *const ends = levy_arena_allocate(arena, n + cells, sizeof *ends);
    uint32_t *const start = ends + (n - 1);
    const double unit = mark_words / mark_total(mark);
    mark_sum sum = {0};
    size_t item = 0;
    if (!ends) return LEVY_MEMORY;
    for (size_t i = 0; i + 1 < n; ++i) {
        mark_add(&sum, mark->weights[i]);
        const double end = (sum.sum + sum.lost) * unit + 0.5;
        ends[i] = end >= mark_words - 1.0 ? UINT32_MAX : (uint32_t)end;
    }
    *shift = 32 - bits;
    for (size_t cell = 0; cell < cells; ++cell) {
        while (item + 1 < n && ends[item] <= (uint64_t)cell << *shift) ++item;
        start[cell] = (uint32_t)item;
    }
    start[cells] = (uint32_t)(n - 1);
    *words = ends;
    *n_words = n + cells;
    return LEVY_OK;
}

levy_status levy_mark_alias(const levy_mark_terms *mark, levy_arena *arena, uint32_t **words,
                            size_t *n_words)
{
    const levy_alias_weights weights = {.doubles = mark->weights, .count = mark->n};
    levy_alias_short_row *const rows = levy_arena_allocate(arena, mark->n, sizeof *rows);
    levy_alias *alias;
    levy_alias_fault fault;
    if (!rows) return LEVY_MEMORY;
    LEVY_TRY(levy_alias_create(arena->memory, mark->n, &alias));
    const levy_status status = levy_alias_build(alias, &weights, LEVY_ALIAS_SWEEP, NULL, &fault);
    if (status == LEVY_OK) levy_alias_shorten(alias, rows);
    levy_alias_destroy(alias);
    *words = (uint32_t *)(void *)rows;
    *n_words = 2 * mark->n;
    return status;
}
