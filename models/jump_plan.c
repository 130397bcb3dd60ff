/* jump_plan.c: see jump_plan.h. The drift that a source takes off an asset is intensity *
 * E[exp(mark) - 1] a year. */
#include "models/jump_plan.h"
#include "models/jumps.h"
#include "kernels/lane/scalar.h"

#include <string.h>

typedef struct jump_builder {
    const levy_model_grid *grid;
    levy_arena *arena;
    const jump_source *sources;
    size_t n_sources, n_targets;
    double *reals, *drift;
    uint32_t *words;
    size_t n_reals, n_words, real_room, word_room;
    uint32_t codes;
    bool has_alias, bridged, has_rows;
    const uint32_t *order; /* of the rows of the joint table at work; NULL: as they are */
} jump_builder;

/* Makes room for n more items. NULL: no memory. */
static void *jump_room(levy_arena *arena, void *items, size_t size, size_t used, size_t n,
                       size_t *room)
{
    if (used + n <= *room) return items;
    const size_t more = 2 * *room > used + n ? 2 * *room : used + n + 64;
    void *const fresh = levy_arena_allocate(arena, more, size);
    if (fresh && used) memcpy(fresh, items, used * size);
    if (fresh) *room = more;
    return fresh;
}

static levy_status jump_put_words(jump_builder *b, const uint32_t *words, size_t n, uint32_t *at)
{
    b->words = jump_room(b->arena, b->words, sizeof *b->words, b->n_words, n, &b->word_room);
    if (!b->words) return LEVY_MEMORY;
    memcpy(b->words + b->n_words, words, n * sizeof *words);
    *at = (uint32_t)b->n_words;
    b->n_words += n;
    return b->n_words <= UINT32_MAX / 2 ? LEVY_OK : LEVY_MEMORY;
}

static levy_status jump_put_ordered(jump_builder *b, const double *reals, const uint32_t *order,
                                    size_t n, double scale, uint32_t *at)
{
    b->reals = jump_room(b->arena, b->reals, sizeof *b->reals, b->n_reals, n, &b->real_room);
    if (!b->reals) return LEVY_MEMORY;
    for (size_t i = 0; i < n; ++i) b->reals[b->n_reals + i] = reals[order ? order[i] : i] * scale;
    *at = (uint32_t)b->n_reals;
    b->n_reals += n;
    return b->n_reals <= UINT32_MAX / 2 ? LEVY_OK : LEVY_MEMORY;
}

static levy_status jump_put_reals(jump_builder *b, const double *reals, size_t n, double scale,
                                  uint32_t *at)
{
    return jump_put_ordered(b, reals, NULL, n, scale, at);
}

static levy_status jump_law(jump_builder *b, double mean, bool alias, uint32_t *at)
{
    size_t n;
    const uint32_t *const law = levy_jump_law(mean, alias, b->arena, &n);
    return law ? jump_put_words(b, law, n, at) : LEVY_MEMORY;
}

/* Writes the law of source i's arrivals over `time` years to the place of its row `k`. */
static levy_status jump_arrival(jump_builder *b, size_t k, size_t i, double time)
{
    const bool alias = b->sources[i].counts_map == LEVY_JUMP_MAP_ALIAS;
    uint32_t at;
    LEVY_TRY(jump_law(b, b->sources[i].intensity * time, alias, &at));
    const uint32_t *const law = b->words + at, *const table = law + JUMPS_LAW_TABLE;
    const bool plain = !alias && law[JUMPS_LAW_FIRST] == 0;
    const uint32_t second = law[JUMPS_LAW_SIZE] > 1 ? 1 : 0;
    jumps_arrival arrival = {0, 0, at, 0};
    if (plain) arrival = (jumps_arrival){table[0], table[second], at, 0};
    memcpy(b->words + JUMPS_ARRIVAL_WORDS * (k * b->n_sources + i), &arrival, sizeof arrival);
    b->has_alias = b->has_alias || alias;
    return LEVY_OK;
}

/* Laws of one source's counts in each interval. Neighbours with the same law share it. */
static levy_status jump_counts(jump_builder *b, size_t i)
{
    const size_t n = b->n_sources;
    double before = 0.0;
    for (size_t k = 0; k < b->grid->n_nodes; ++k) {
        const double dt = b->grid->times[k] - (k ? b->grid->times[k - 1] : 0.0), gap = dt - before;
        uint32_t *const row = b->words + JUMPS_ARRIVAL_WORDS * (k * n + i);
        if (k && (gap < 0.0 ? -gap : gap) < 1e-12 * dt) {
            memcpy(row, row - JUMPS_ARRIVAL_WORDS * n, sizeof(jumps_arrival));
            continue;
        }
        LEVY_TRY(jump_arrival(b, k, i, dt));
        before = dt;
    }
    return LEVY_OK;
}

/* The splits of the entries, stored behind the arrivals, and their tables. */
static levy_status jump_splits(jump_builder *b)
{
    static const uint32_t none[3];
    const size_t n = JUMPS_SPLIT_WORDS * b->grid->n_nodes;
    double most = 0.0;
    uint32_t *words, at;
    size_t n_words;
    for (size_t i = 0; i < b->n_sources; ++i)
        if (b->sources[i].intensity > most) most = b->sources[i].intensity;
    LEVY_TRY(
        levy_jump_splits(b->grid, most * levy_jump_horizon(b->grid), b->arena, &words, &n_words));
    LEVY_TRY(jump_put_words(b, none, (4 - b->n_words % 4) % 4, &at)); /* tables are aligned */
    LEVY_TRY(jump_put_words(b, words + n, n_words - n, &at));
    for (size_t k = 0; k < b->grid->n_nodes; ++k) /* the tables are elsewhere now */
        words[JUMPS_SPLIT_WORDS * k + 1] += at - (uint32_t)n;
    memcpy(b->words + JUMPS_ARRIVAL_WORDS * b->n_sources, words, n * sizeof *words);
    return LEVY_OK;
}

/* The numbers by which marks are shared out of their sum; they come before all other reals. */
static levy_status jump_put_weights(jump_builder *b)
{
    double weights[JUMPS_WEIGHT_REALS];
    uint32_t at;
    for (int later = 0; later <= JUMPS_MOST; ++later) {
        weights[2 * later] = 1.0 / (later + 1.0);
        weights[2 * later + 1] = levy_sqrt(later / (later + 1.0));
    }
    return jump_put_reals(b, weights, JUMPS_WEIGHT_REALS, 1.0, &at);
}

static levy_status jump_put_arrivals(jump_builder *b)
{
    for (size_t i = 0; i < b->n_sources; ++i)
        LEVY_TRY(b->bridged ? jump_arrival(b, 0, i, levy_jump_horizon(b->grid))
                            : jump_counts(b, i));
    return b->bridged ? jump_splits(b) : LEVY_OK;
}

/* The table that draws an item of a mark, or a row. */
static levy_status jump_table(jump_builder *b, const levy_mark_terms *items, jumps_target *to)
{
    uint32_t *table;
    size_t n;
    LEVY_TRY(to->code == JUMPS_ALIAS ? levy_mark_alias(items, b->arena, &table, &n)
                                     : levy_mark_monotone(items, b->arena, &table, &n, &to->shift));
    return jump_put_words(b, table, n, &to->table);
}

/* The table of a source that draws rows. Only monotone draws need an order. */
static levy_status jump_row_table(jump_builder *b, const jump_source *source, jumps_target *to)
{
    const levy_joint_shocks *const joint = source->targets->mark->joint;
    levy_mark_terms rows = {.n = joint->n_rows, .weights = joint->weights};
    b->order = NULL;
    if (to->code == JUMPS_MONOTONE) {
        const levy_mark_terms **const columns =
            levy_arena_allocate(b->arena, source->n_targets, sizeof *columns);
        double *const weights = levy_arena_allocate(b->arena, rows.n, sizeof *weights);
        if (!columns || !weights) return LEVY_MEMORY;
        for (size_t t = 0; t < source->n_targets; ++t) columns[t] = source->targets[t].mark;
        LEVY_TRY(levy_joint_order(columns, source->n_targets, b->arena, &b->order));
        for (size_t i = 0; i < rows.n; ++i) weights[i] = joint->weights[b->order[i]];
        rows.weights = weights;
    }
    return jump_table(b, &rows, to);
}

/* The table and numbers of an empirical mark. Targets with the same mark share them. Those of a
 * joint table share the table and have a column each. */
static levy_status jump_empirical(jump_builder *b, const jump_source *source,
                                  const jump_target *from, jumps_target *to,
                                  const jumps_target *same)
{
    const levy_mark_terms *const mark = from->mark;
    const bool alias =
        mark->map == LEVY_JUMP_MAP_ALIAS || (mark->map == LEVY_JUMP_MAP_AUTO && !b->grid->quasi);
    to->code = alias ? JUMPS_ALIAS : JUMPS_MONOTONE;
    to->size = (uint32_t)mark->n;
    if (same) {
        to->table = same->table;
        to->shift = same->shift;
        to->first_real = same->first_real;
        if (!mark->joint) return LEVY_OK;
    } else if (mark->joint) {
        LEVY_TRY(jump_row_table(b, source, to));
    } else {
        b->order = NULL;
        LEVY_TRY(jump_table(b, mark, to));
    }
    return jump_put_ordered(b, mark->sizes, b->order, mark->n, b->grid->scale, &to->first_real);
}

/* Stores a mark's numbers in the order in which jumps.h reads them. */
static levy_status jump_mark(jump_builder *b, const jump_source *source, const jump_target *from,
                             jumps_target *to, const jumps_target *same)
{
    const levy_mark_terms *const m = from->mark;
    if (from->kind == LEVY_MARK_EMPIRICAL) return jump_empirical(b, source, from, to, same);
    if (from->kind == LEVY_MARK_NORMAL) {
        const double numbers[2] = {m->mean, m->volatility};
        to->code = JUMPS_NORMAL;
        return jump_put_reals(b, numbers, 2, b->grid->scale, &to->first_real);
    }
    const double up = m->probability_up, down = 1.0 - up;
    double numbers[5] = {2.0, 0.0, 0.0, 1.0 / m->rate_down, -1.0 / m->rate_up};
    if (up > 0.0) numbers[0] = down;
    if (down > 0.0) numbers[1] = 1.0 / down;
    if (up > 0.0) numbers[2] = 1.0 / up;
    to->code = JUMPS_DOUBLE_EXPONENTIAL;
    return jump_put_reals(b, numbers, 5, 1.0, &to->first_real);
}

/* Whether one target can use data of the other: all of them if the mark is the same, the draws if
 * the joint table is. */
static bool jump_is_same(const jump_target *a, const jump_target *b)
{
    return a->mark == b->mark || (a->mark->joint && a->mark->joint == b->mark->joint);
}

static void jump_compensate(jump_builder *b, double intensity, const jump_target *from)
{
    const double rate = intensity * levy_mark_mean_return(from->kind, from->mark);
    for (size_t k = 0; k < b->grid->n_nodes; ++k)
        b->drift[k * b->grid->n_assets + from->asset] -= rate * b->grid->times[k];
}

/* Target `at` of all, whose words start at *word unless it takes those of its row. */
static levy_status jump_put_target(jump_builder *b, const jump_source *source,
                                   const jump_target *const *marks, jumps_target *targets,
                                   uint32_t at, uint32_t *word)
{
    const jump_target *const from = marks[at];
    jumps_target *const to = &targets[at];
    const jumps_target *same = NULL;
    for (uint32_t o = 0; o < at && !same; ++o)
        if (jump_is_same(marks[o], from)) same = &targets[o];
    const bool of_row = same && from->mark->joint;
    *to = (jumps_target){.asset = (uint32_t)from->asset,
                         .first_word = of_row ? same->first_word : *word,
                         .n_words =
                             levy_jump_words(b->grid, b->bridged, from->kind, source->intensity)};
    if (!of_row) *word += to->n_words;
    b->has_rows = b->has_rows || of_row;
    LEVY_TRY(jump_mark(b, source, from, to, same));
    b->codes |= 1u << to->code;
    jump_compensate(b, source->intensity, from);
    return LEVY_OK;
}

static levy_status jump_targets(jump_builder *b, size_t first, jumps_target *targets)
{
    const jump_target **const marks = levy_arena_allocate(b->arena, b->n_targets, sizeof *marks);
    uint32_t word = (uint32_t)b->n_sources, at = 0;
    if (!marks) return LEVY_MEMORY;
    for (size_t i = 0; i < b->n_sources; ++i) {
        const uint32_t source[2] = {at, (uint32_t)b->sources[i].n_targets};
        memcpy(b->words + first + JUMPS_SOURCE_WORDS * i, source, sizeof source);
        for (size_t t = 0; t < b->sources[i].n_targets; ++t, ++at) {
            marks[at] = &b->sources[i].targets[t];
            LEVY_TRY(jump_put_target(b, &b->sources[i], marks, targets, at, &word));
        }
    }
    return LEVY_OK;
}

/* The moves, whose words count their reals from the first of them. */
static levy_status jump_put_moves(jump_builder *b, const levy_jump_moves *moves, size_t at)
{
    uint32_t *const words = b->words + at, first;
    if (moves->n == 0) return LEVY_OK;
    LEVY_TRY(jump_put_reals(b, moves->reals, moves->n_reals, 1.0, &first));
    for (size_t k = 0; k < moves->n_words; ++k) words[k] = moves->words[k];
    for (size_t k = 0; k < moves->n; ++k) words[JUMPS_MOVE_WORDS * k + 2] += first;
    for (size_t k = JUMPS_MOVE_WORDS * moves->n + 1; k < moves->n_words; k += JUMPS_MOVED_WORDS)
        words[k] += first;
    return LEVY_OK;
}

levy_status levy_jump_plan(const levy_model_kind *kind, const levy_model_terms *terms,
                           const levy_model_grid *grid, levy_arena *arena, levy_model_plan *plan)
{
    jump_source *sources;
    levy_jump_moves moves;
    jump_builder b = {
        .grid = grid, .arena = arena, .bridged = levy_jump_is_bridged(kind, terms, grid)};
    LEVY_TRY(levy_jump_sources(kind, terms, grid, arena, &sources, &b.n_sources));
    b.sources = sources;
    for (size_t i = 0; i < b.n_sources; ++i) b.n_targets += sources[i].n_targets;
    const size_t first = b.bridged
                             ? JUMPS_ARRIVAL_WORDS * b.n_sources + JUMPS_SPLIT_WORDS * grid->n_nodes
                             : JUMPS_ARRIVAL_WORDS * grid->n_nodes * b.n_sources,
                 behind =
                     first + JUMPS_SOURCE_WORDS * b.n_sources + JUMPS_TARGET_WORDS * b.n_targets;
    LEVY_TRY(levy_jump_moves_plan(kind, terms, grid, sources, arena, &moves));
    const size_t fixed = behind + moves.n_words;
    b.drift = levy_arena_allocate(arena, grid->n_nodes * grid->n_assets, sizeof *b.drift);
    b.words = levy_arena_allocate(arena, fixed, sizeof *b.words);
    jumps_target *const targets = levy_arena_allocate(arena, b.n_targets, sizeof *targets);
    if (!b.drift || !b.words || !targets) return LEVY_MEMORY;
    b.n_words = b.word_room = fixed;
    if (b.bridged) LEVY_TRY(jump_put_weights(&b));
    LEVY_TRY(jump_targets(&b, first, targets));
    memcpy(b.words + first + JUMPS_SOURCE_WORDS * b.n_sources, targets,
           b.n_targets * sizeof *targets);
    LEVY_TRY(jump_put_moves(&b, &moves, behind));
    LEVY_TRY(jump_put_arrivals(&b));
    const uint32_t alias = b.has_alias ? JUMPS_ALIAS_COUNTS : 0u;
    const uint32_t bridged = b.bridged ? JUMPS_BRIDGED : 0u;
    const uint32_t rows = b.has_rows ? JUMPS_ROWS : 0u;
    const uint32_t moved = (uint32_t)moves.n << LEVY_ARRIVALS_MOVES;
    *plan = (levy_model_plan){.drift = b.drift,
                              .moved_drift = moves.drift,
                              .reals = b.reals,
                              .n_reals = b.n_reals,
                              .words = b.words,
                              .n_words = b.n_words,
                              .n_counts = b.bridged ? (uint32_t)b.n_sources : 0,
                              .constants = {(uint32_t)b.n_sources, b.codes, (uint32_t)b.n_targets,
                                            alias | bridged | rows | moved}};
    return LEVY_OK;
}
