/* regime_plan.c: the tables of a regime-switching model that the lanes see (regimes.h): regimes
 * from the calmest on, so that a larger word is a wilder market; thresholds for the chain, numbers
 * of each regime and node. Must not know: keys of a book, curves, random numbers. */
#include "models/chain.h"
#include "models/jump_plan.h"
#include "models/regime_terms.h"
#include "models/regimes.h"
#include "kernels/lane/scalar.h"

#include "engine/base/order.h"
#include <stdlib.h>
#include <string.h>

static const levy_variant_value *regime_mark_of(const levy_model_terms *terms, size_t r,
                                                size_t asset)
{
    const levy_jump_terms *const layer = levy_regime_at(terms, r)->jumps.items;
    return layer->marks.node ? (const levy_variant_value *)layer->marks.items + asset
                             : &layer->mark;
}

/* The log return per year that a regime adds. It compensates the mean of the regime's jumps. */
static double regime_log_return(const levy_model_terms *terms, size_t r, size_t asset)
{
    const levy_regime *const regime = levy_regime_at(terms, r);
    const double intensity = levy_regime_intensity(terms, r);
    double log_return =
        regime->rate + (regime->drifts.count ? levy_model_number(&regime->drifts, asset) : 0.0);
    if (intensity > 0.0) {
        const levy_variant_value *const mark = regime_mark_of(terms, r, asset);
        log_return -= intensity * levy_mark_mean_return(mark->kind, mark->value);
    }
    return log_return;
}

typedef struct regime_order {
    double weight;
    size_t regime;
} regime_order;

typedef struct regime_builder {
    const levy_model_terms *terms;
    const levy_model_grid *grid;
    size_t n; /* regimes */
    uint32_t width, shape;
    size_t order[LEVY_CHAIN_STATES]; /* regimes, calmest first */
    double *matrix, *work, *p;       /* [n][n] in that order; [2 n n]; [n][n] */
    double *reals;
    uint32_t *words, n_words;
    uint32_t leaves, buckets; /* for a chain that watches a return */
    double *chances;          /* [table][regime][leaf]; NULL before it is allocated */
} regime_builder;

LEVY_ORDER_BY(regime_compare, regime_order, weight, regime)

static void regime_sort(regime_builder *b)
{
    regime_order order[LEVY_CHAIN_STATES];
    for (size_t r = 0; r < b->n; ++r) {
        order[r] = (regime_order){0.0, r};
        for (size_t u = 0; u < b->grid->n_assets; ++u) {
            const double scale = levy_regime_scale(b->terms, r, b->grid->assets[u]);
            order[r].weight += scale * scale;
        }
    }
    qsort(order, b->n, sizeof *order, regime_compare);
    for (size_t r = 0; r < b->n; ++r) b->order[r] = order[r].regime;
}

static void regime_matrix(const regime_builder *b)
{
    const levy_matrix *const from = levy_regime_terms_of(b->terms)->transition.node
                                        ? &levy_regime_terms_of(b->terms)->transition
                                        : &levy_regime_terms_of(b->terms)->generator;
    for (size_t i = 0; i < b->n; ++i)
        for (size_t j = 0; j < b->n; ++j)
            b->matrix[i * b->n + j] =
                from->node ? from->values[b->order[i] * b->n + b->order[j]] : 0.0;
}

/* Do all assets' volatilities move in proportion? */
static bool regime_in_proportion(const regime_builder *b)
{
    bool same = true;
    for (size_t u = 1; u < b->grid->n_assets; ++u)
        for (size_t r = 1; r < b->n; ++r) {
            const double x = levy_regime_scale(b->terms, r, b->grid->assets[u]) *
                             levy_regime_scale(b->terms, 0, b->grid->assets[0]);
            const double y = levy_regime_scale(b->terms, r, b->grid->assets[0]) *
                             levy_regime_scale(b->terms, 0, b->grid->assets[u]);
            same = same && x - y <= 1e-12 * y && y - x <= 1e-12 * y;
        }
    return same;
}

static uint32_t regime_shape(const regime_builder *b)
{
    uint32_t shape = (uint32_t)b->n | (b->buckets ? REGIMES_WATCHED : 0);
    if (!levy_regimes_are_stepped(b->terms))
        shape |= regime_in_proportion(b) ? REGIMES_EXACT : REGIMES_EXACT | REGIMES_SPLIT;
    if (levy_regimes_have_rates(b->terms)) shape |= REGIMES_RATES | REGIMES_DRIFTS;
    for (size_t r = 0; r < b->n; ++r)
        if (levy_regime_intensity(b->terms, r) > 0.0) shape |= REGIMES_JUMPS;
    for (size_t r = 0; r < b->n; ++r)
        for (size_t u = 0; u < b->grid->n_assets; ++u)
            if (regime_log_return(b->terms, r, b->grid->assets[u]) != 0.0) shape |= REGIMES_DRIFTS;
    return shape;
}

/* Writes today's distribution of regimes as a row of thresholds, and how many odd words each regime
 * has. */
static void regime_put_start(const regime_builder *b, uint32_t *row, double *counts)
{
    double start[LEVY_CHAIN_STATES] = {0.0};
    uint32_t below = 0;
    for (size_t r = 0; r < b->n; ++r) start[r] = levy_regime_start(b->terms, b->order[r]);
    levy_chain_row(b->n, start, row);
    for (size_t r = 0; r < b->n; ++r) {
        /* The number of odd words up to the threshold; 2^31 at the last one. */
        const uint32_t end = row[r] / 2 + (row[r] & 1);
        counts[r] = (double)(end - below);
        below = end;
    }
}

static void regime_put_mark(const levy_variant_value *law, double scale, double *at)
{
    const levy_mark_terms *const mark = law->value;
    const bool normal = law->kind == LEVY_MARK_NORMAL;
    const double falls = 1.0 - mark->probability_up;
    at[REGIMES_KIND] = normal ? 0.0 : 1.0;
    if (normal) {
        at[REGIMES_FALLS] = mark->mean * scale;
        at[REGIMES_FALLS + 1] = mark->volatility * scale;
        return;
    }
    at[REGIMES_FALLS] = mark->probability_up > 0.0 ? falls : 2.0;
    at[REGIMES_FALLS + 1] = falls > 0.0 ? 1.0 / falls : 0.0;
    at[REGIMES_FALLS + 2] = mark->probability_up > 0.0 ? 1.0 / mark->probability_up : 0.0;
    at[REGIMES_FALLS + 3] = 1.0 / mark->rate_down;
    at[REGIMES_FALLS + 4] = -1.0 / mark->rate_up;
}

/* Writes the levels, padded to a multiple of four, and the weights. The chain's probabilities are
 * already there. */
static void regime_put_level_switching(const regime_builder *b, double *at)
{
    const levy_level_switching *const a = &levy_regime_terms_of(b->terms)->level_switching;
    for (size_t j = 0; j < a->levels.count; ++j)
        at[j] = levy_log(((const double *)a->levels.items)[j]) * b->grid->scale;
    at += (b->buckets + 2) / 4 * 4;
    for (size_t j = 0; j < b->buckets; ++j)
        for (size_t r = 0; r < b->n; ++r)
            at[j * b->leaves + r] = a->weights.values[j * b->n + b->order[r]];
}

static void regime_put_reals(const regime_builder *b, const double *counts)
{
    const levy_model_grid *const g = b->grid;
    double *at = b->reals;
    for (size_t r = 0; r < b->n; ++r)
        for (size_t u = 0; u < g->n_assets; ++u, at += REGIMES_FOUR) {
            const double scale = levy_regime_scale(b->terms, b->order[r], g->assets[u]);
            at[REGIMES_SCALE] = scale;
            at[REGIMES_HALF] = -0.5 * (scale * scale - 1.0);
            at[REGIMES_LOG_RETURN] =
                regime_log_return(b->terms, b->order[r], g->assets[u]) * g->scale;
            at[REGIMES_DISCOUNT] = -levy_regime_at(b->terms, b->order[r])->rate * g->scale;
        }
    for (size_t r = 0; r < b->n; ++r, at += REGIMES_FOUR) {
        const double jumps = levy_regime_intensity(b->terms, b->order[r]);
        /* A stepped chain changes its state by rows of thresholds instead. */
        const double leaves = b->shape & REGIMES_EXACT ? levy_chain_rate(b->n, b->matrix, r) : 0.0;
        const double rate = (leaves + jumps) * g->scale;
        at[REGIMES_RATE] = rate;
        at[REGIMES_MEAN] = rate > 0.0 ? 1.0 / rate : 0.0;
        at[REGIMES_JUMP] = rate > 0.0 ? jumps * g->scale / rate : 0.0;
        at[REGIMES_SHARE] = counts[r] > 0.0 ? 1.0 / counts[r] : 0.0;
    }
    for (size_t i = 0; i < g->n_nodes; ++i, at += REGIMES_FOUR) {
        const double dt = g->times[i] - (i ? g->times[i - 1] : 0.0),
                     clock = g->clock[i] - (i ? g->clock[i - 1] : 0.0);
        at[REGIMES_DT] = dt;
        at[REGIMES_INVERSE] = 1.0 / dt;
        at[REGIMES_ROOT] = levy_sqrt(clock / dt);
        if (g->moved) at[REGIMES_MOVED] = g->moved[i] - (i ? g->moved[i - 1] : 0.0);
    }
    for (size_t i = 0; b->shape & REGIMES_JUMPS && i < b->n * g->n_assets; ++i, at += REGIMES_MARK)
        if (levy_regime_intensity(b->terms, b->order[i / g->n_assets]) > 0.0)
            regime_put_mark(
                regime_mark_of(b->terms, b->order[i / g->n_assets], g->assets[i % g->n_assets]),
                g->scale, at);
}

/* Appends a table of n rows to `words`, which has room for it. Returns the table's offset. */
static uint32_t regime_put_table(regime_builder *b, const double *p)
{
    const uint32_t at = b->n_words;
    for (size_t i = 0; i < b->n; ++i)
        levy_chain_row(b->n, p + i * b->n, b->words + at + i * b->width);
    b->n_words += (uint32_t)b->n * b->width;
    return at;
}

/* Probabilities of change from the start of one interval to the start of the next. The first
 * interval is `dt` long and ends at `time`. */
static void regime_change(const regime_builder *b, double time, double dt)
{
    if (!levy_regime_terms_of(b->terms)->transition.node) {
        levy_chain_transition(b->n, b->matrix, dt, b->work, b->p);
        return;
    }
    const bool changes = levy_regime_is_change(b->terms, time);
    for (size_t i = 0; i < b->n * b->n; ++i) {
        const double stays = i / b->n == i % b->n ? 1.0 : 0.0;
        b->p[i] = changes ? b->matrix[i] : stays;
    }
}

static bool regime_same_change(const regime_builder *b, double time, double dt, double other_time,
                               double other_dt)
{
    if (levy_regime_terms_of(b->terms)->transition.node)
        return levy_regime_is_change(b->terms, time) == levy_regime_is_change(b->terms, other_time);
    return dt - other_dt <= 1e-10 * dt && other_dt - dt <= 1e-10 * dt;
}

/* Makes the tables in which a stepped chain looks up its next state. Equal changes share a table.
 * Returns the number of tables; while b->words is NULL it only counts them. */
static size_t regime_put_steps(regime_builder *b, size_t *firsts)
{
    const double *const t = b->grid->times;
    size_t n_tables = 0;
    /* The change into interval i, from the one that ends at node i - 1. */
    for (size_t i = 1; i < b->grid->n_nodes; ++i) {
        const double dt = t[i - 1] - (i > 1 ? t[i - 2] : 0.0);
        size_t k = 0;
        while (k < n_tables &&
               !regime_same_change(b, t[i - 1], dt, t[firsts[k]],
                                   t[firsts[k]] - (firsts[k] ? t[firsts[k] - 1] : 0.0)))
            ++k;
        if (k == n_tables) {
            firsts[n_tables++] = i - 1;
            if (b->words) regime_change(b, t[i - 1], dt);
            for (size_t r = 0; b->chances && r < b->n; ++r)
                memcpy(b->chances + (k * b->n + r) * b->leaves, b->p + r * b->n,
                       b->n * sizeof *b->p);
            if (b->words && !b->buckets) regime_put_table(b, b->p);
        }
        if (b->words && b->buckets)
            b->words[REGIMES_NODES + i] = (uint32_t)(k * b->n) * b->leaves;
        else if (b->words)
            b->words[REGIMES_NODES + i] =
                b->words[REGIMES_START] + b->width + (uint32_t)(k * b->n) * b->width;
    }
    return n_tables;
}

static void regime_put_jumps(regime_builder *b)
{
    for (size_t i = 0; i < b->n; ++i) levy_chain_jumps(b->n, b->matrix, i, b->p + i * b->n);
    b->words[REGIMES_TARGETS] = regime_put_table(b, b->p);
}

/* The index of the watched asset among the grid's. */
static size_t regime_watched_place(const regime_builder *b)
{
    size_t place = 0;
    while (place + 1 < b->grid->n_assets &&
           b->grid->assets[place] != levy_regimes_watched(b->terms))
        ++place;
    return place;
}

static levy_status regime_allocate(regime_builder *b, levy_arena *arena)
{
    const size_t square = b->n * b->n;
    b->matrix = levy_arena_allocate(arena, square, sizeof *b->matrix);
    b->work = levy_arena_allocate(arena, 2 * square, sizeof *b->work);
    b->p = levy_arena_allocate(arena, square, sizeof *b->p);
    return b->matrix && b->work && b->p ? LEVY_OK : LEVY_MEMORY;
}

/* Where the part after the nodes and the marks starts, and how long it is. */
static size_t regime_beyond(const regime_builder *b)
{
    const size_t marks = b->shape & REGIMES_JUMPS ? REGIMES_MARK * b->n * b->grid->n_assets : 0;
    return REGIMES_FOUR * (b->n * b->grid->n_assets + b->n + b->grid->n_nodes) + marks;
}
static size_t regime_beyond_reals(const regime_builder *b, size_t tables)
{
    return b->buckets ? (b->buckets + 2) / 4 * 4 + (b->buckets + tables * b->n) * b->leaves : 0;
}

static levy_status regime_build(regime_builder *b, levy_arena *arena, levy_model_plan *plan)
{
    const size_t nodes = b->grid->n_nodes,
                 front = (REGIMES_NODES + nodes + 3) / 4 * 4 + REGIMES_FOUR;
    size_t *const firsts = levy_arena_allocate(arena, nodes, sizeof *firsts);
    double counts[LEVY_CHAIN_STATES];
    if (!firsts) return LEVY_MEMORY;
    LEVY_TRY(regime_allocate(b, arena));
    for (b->leaves = 1; b->leaves < b->n;) b->leaves *= 2;
    b->buckets = levy_regime_terms_of(b->terms)->level_switching.node
                     ? (uint32_t)levy_regime_terms_of(b->terms)->level_switching.levels.count + 1
                     : 0;
    b->shape = regime_shape(b);
    regime_sort(b);
    regime_matrix(b);
    const size_t tables = b->shape & REGIMES_EXACT ? 1 : regime_put_steps(b, firsts);
    plan->n_reals = regime_beyond(b) + regime_beyond_reals(b, tables);
    plan->n_words = front + b->width + (b->buckets ? 0 : tables * b->n * b->width);
    if (plan->n_words > UINT32_MAX / 4 || plan->n_reals > UINT32_MAX / 8) return LEVY_UNSUPPORTED;
    b->reals = levy_arena_allocate(arena, plan->n_reals, sizeof *b->reals);
    b->words = levy_arena_allocate(arena, plan->n_words, sizeof *b->words);
    if (!b->reals || !b->words) return LEVY_MEMORY;
    if (b->buckets) b->chances = b->reals + plan->n_reals - tables * b->n * b->leaves;
    b->words[REGIMES_START] = b->words[REGIMES_NODES] = (uint32_t)front;
    b->n_words = (uint32_t)front + b->width;
    regime_put_start(b, b->words + front, counts);
    if (b->shape & REGIMES_EXACT)
        regime_put_jumps(b);
    else
        regime_put_steps(b, firsts);
    regime_put_reals(b, counts);
    if (b->buckets) regime_put_level_switching(b, b->reals + regime_beyond(b));
    plan->reals = b->reals;
    plan->words = b->words;
    plan->constants[0] = b->shape;
    plan->loops = b->shape & (REGIMES_EXACT | REGIMES_JUMPS);
    plan->constants[1] = b->buckets;
    plan->constants[2] = b->buckets ? (uint32_t)regime_watched_place(b) : 0;
    return LEVY_OK;
}

levy_status levy_regime_plan(const levy_model_terms *terms, const levy_model_grid *grid,
                             levy_arena *arena, levy_model_plan *plan)
{
    regime_builder b = {.terms = terms,
                        .grid = grid,
                        .n = levy_regime_terms_of(terms)->regimes.count,
                        .width = levy_chain_width(levy_regime_terms_of(terms)->regimes.count)};
    return regime_build(&b, arena, plan);
}
