/* jump_plan.c: see jump_plan.h. A group draws for the sources that move its assets alone: jumps of
 * one asset each, and common arrivals with a mark of each asset. The drift that a source takes off
 * an asset is intensity * E[exp(mark) - 1] a year. */
#include "models/jump_plan.h"
#include "models/jumps.h"
#include "kernels/lane/scalar.h"

#include <string.h>

/* ---- Sources ---- */

static bool jump_names(const levy_list *names, const char *name, size_t *at)
{
    const char *const *const items = names->items;
    for (*at = 0; *at < names->count; ++*at)
        if (strcmp(items[*at], name) == 0) return true;
    return false;
}

/* What a layer does to asset u of the grid. Returns false if it does not move the asset. */
static bool jump_layer_target(const levy_model_terms *terms, const levy_jump_terms *layer,
                              const levy_model_grid *grid, size_t u, jump_target *target)
{
    const char *const *const names = terms->assets.items;
    const levy_variant_value *const marks = layer->marks.items;
    size_t at = grid->assets[u];
    if (layer->assets.node && !jump_names(&layer->assets, names[grid->assets[u]], &at))
        return false;
    const levy_variant_value *const mark = layer->marks.node ? &marks[at] : &layer->mark;
    *target = (jump_target){u, mark->kind, mark->value};
    return true;
}

static size_t jump_layer_targets(const levy_model_terms *terms, const levy_jump_terms *layer,
                                 const levy_model_grid *grid, jump_target *targets)
{
    size_t n = 0;
    for (size_t u = 0; u < grid->n_assets; ++u)
        n += jump_layer_target(terms, layer, grid, u, &targets[n]);
    return n;
}

typedef struct jump_list {
    jump_source *items;
    size_t n;
} jump_list;

static void jump_add(jump_list *list, double intensity, int32_t map, jump_target *targets, size_t n)
{
    if (n > 0 && intensity > 0.0)
        list->items[list->n++] = (jump_source){intensity, map, n, targets};
}

const levy_own_jumps *levy_jump_own(const levy_model_terms *terms)
{
    return &((const levy_jump_model_terms *)terms)->own;
}

static const levy_own_jumps *jump_own_of(const levy_model_kind *kind, const levy_model_terms *terms)
{
    return kind->own_jumps ? kind->own_jumps(terms) : NULL;
}

levy_status levy_jump_sources(const levy_model_kind *kind, const levy_model_terms *terms,
                              const levy_model_grid *grid, levy_arena *arena, jump_source **sources,
                              size_t *n)
{
    const levy_own_jumps *const own = jump_own_of(kind, terms);
    const levy_jump_terms *const layers = terms->jumps.items;
    const size_t room = (terms->jumps.count + 1) * grid->n_assets;
    jump_list list = {levy_arena_allocate(arena, room, sizeof *list.items), 0};
    jump_target *targets = levy_arena_allocate(arena, room, sizeof *targets);
    if (!list.items || !targets) return LEVY_MEMORY;
    for (size_t u = 0; own && u < grid->n_assets; ++u, ++targets) {
        *targets = (jump_target){u, kind->own_mark, &own->mark};
        jump_add(&list, own->intensity, own->counts_map, targets, 1);
    }
    for (size_t l = 0; l < terms->jumps.count; ++l) {
        const size_t count = jump_layer_targets(terms, &layers[l], grid, targets);
        if (layers[l].arrivals == 1)
            jump_add(&list, layers[l].intensity, layers[l].counts_map, targets, count);
        for (size_t t = 0; layers[l].arrivals != 1 && t < count; ++t)
            jump_add(&list, layers[l].intensity, layers[l].counts_map, targets + t, 1);
        targets += count;
    }
    *sources = list.items;
    *n = list.n;
    return LEVY_OK;
}

size_t levy_jump_normals(int32_t kind, const levy_model_terms *terms, size_t asset,
                         levy_normal_jumps *jumps, size_t room)
{
    const levy_jump_terms *const layers = terms->jumps.items;
    const levy_model_grid grid = {.n_assets = 1, .assets = &asset};
    const levy_own_jumps *const own = jump_own_of(levy_model_kinds[kind], terms);
    size_t n = 0;
    if (room == 0 || levy_model_lanes(kind, terms) > LEVY_MODEL_MERTON) return SIZE_MAX;
    if (own && levy_model_kinds[kind]->own_mark != LEVY_MARK_NORMAL) return SIZE_MAX;
    if (own) jumps[n++] = (levy_normal_jumps){own->intensity, own->mark.mean, own->mark.volatility};
    for (size_t l = 0; l < terms->jumps.count; ++l) {
        jump_target target;
        if (!jump_layer_target(terms, &layers[l], &grid, 0, &target)) continue;
        if (target.kind != LEVY_MARK_NORMAL || n == room) return SIZE_MAX;
        jumps[n++] =
            (levy_normal_jumps){layers[l].intensity, target.mark->mean, target.mark->volatility};
    }
    return n;
}

/* The square of the upward part of one mark; see levy_jump_rise. */
static double jump_rise_of(int32_t kind, const levy_mark_terms *mark)
{
    double sum = 0.0, total = 0.0;
    if (kind == LEVY_MARK_NORMAL)
        return mark->volatility * mark->volatility +
               (mark->mean > 0.0 ? mark->mean * mark->mean : 0.0);
    if (kind == LEVY_MARK_DOUBLE_EXPONENTIAL)
        return 2.0 * mark->probability_up / (mark->rate_up * mark->rate_up);
    for (size_t i = 0; i < mark->n; ++i) {
        total += mark->weights[i];
        if (mark->sizes[i] > 0.0) sum += mark->weights[i] * mark->sizes[i] * mark->sizes[i];
    }
    return total > 0.0 ? sum / total : 0.0;
}

static double jump_rise_until(double intensity, double time, int32_t kind,
                              const levy_mark_terms *mark)
{
    const double arrivals = intensity * time;
    if (!(intensity > 0.0)) return 0.0;
    return (arrivals > 1.0 || kind == LEVY_MARK_DOUBLE_EXPONENTIAL ? arrivals : 1.0) *
           jump_rise_of(kind, mark);
}

double levy_jump_rise(int32_t kind, const levy_model_terms *terms, size_t asset, double time)
{
    if (!terms) return 0.0;
    const levy_jump_terms *const layers = terms->jumps.items;
    const levy_model_grid grid = {.n_assets = 1, .assets = &asset};
    const levy_own_jumps *const own = jump_own_of(levy_model_kinds[kind], terms);
    double square = 0.0;
    if (own)
        square =
            jump_rise_until(own->intensity, time, levy_model_kinds[kind]->own_mark, &own->mark);
    for (size_t l = 0; l < terms->jumps.count; ++l) {
        jump_target target;
        if (jump_layer_target(terms, &layers[l], &grid, 0, &target))
            square += jump_rise_until(layers[l].intensity, time, target.kind, target.mark);
    }
    return square;
}

/* The part of E[exp(mark) - 1] in marks that have a share of less than `least`, from the end on.
 * Marks lie in the order of size. */
static double jump_unseen_marks(const levy_mark_terms *mark, double least, double side)
{
    double total = 0.0, share = 0.0, sum = 0.0;
    for (size_t i = 0; i < mark->n; ++i) total += mark->weights[i];
    for (size_t k = 0; k < mark->n; ++k) {
        const size_t i = side > 0.0 ? mark->n - 1 - k : k;
        share += mark->weights[i];
        if (!(mark->sizes[i] * side > 0.0 && share < least * total)) break;
        sum += mark->weights[i] * (levy_exp(mark->sizes[i]) - 1.0);
    }
    return side * sum / total;
}

/* One source of `arrivals` expected; see levy_jump_unseen. */
static double jump_unseen_of(double arrivals, int32_t kind, const levy_mark_terms *mark,
                             double least, double side)
{
    if (!(arrivals > 0.0)) return 0.0;
    if (kind == LEVY_MARK_EMPIRICAL)
        return arrivals * jump_unseen_marks(mark, least / arrivals, side);
    const double mean = side * levy_mark_mean_return(kind, mark);
    return arrivals < least && mean > 0.0 ? arrivals * mean : 0.0;
}

double levy_jump_unseen(int32_t kind, const levy_model_terms *terms, size_t asset, double time,
                        double arrivals, bool up)
{
    if (!terms) return 0.0;
    const levy_jump_terms *const layers = terms->jumps.items;
    const levy_model_grid grid = {.n_assets = 1, .assets = &asset};
    const levy_own_jumps *const own = jump_own_of(levy_model_kinds[kind], terms);
    const double side = up ? 1.0 : -1.0;
    double sum = 0.0;
    if (own)
        sum = jump_unseen_of(own->intensity * time, levy_model_kinds[kind]->own_mark, &own->mark,
                             arrivals, side);
    for (size_t l = 0; l < terms->jumps.count; ++l) {
        jump_target target;
        if (jump_layer_target(terms, &layers[l], &grid, 0, &target))
            sum += jump_unseen_of(layers[l].intensity * time, target.kind, target.mark, arrivals,
                                  side);
    }
    return sum;
}

double levy_jump_tail(int32_t kind, const levy_model_terms *terms, size_t asset)
{
    const levy_jump_terms *const layers = terms->jumps.items;
    const levy_model_grid grid = {.n_assets = 1, .assets = &asset};
    const levy_own_jumps *const own = jump_own_of(levy_model_kinds[kind], terms);
    double least = 1e30;
    if (own && levy_model_kinds[kind]->own_mark == LEVY_MARK_DOUBLE_EXPONENTIAL &&
        own->intensity > 0.0 && own->mark.probability_up > 0.0)
        least = own->mark.rate_up;
    for (size_t l = 0; l < terms->jumps.count; ++l) {
        jump_target target;
        if (!(layers[l].intensity > 0.0) ||
            !jump_layer_target(terms, &layers[l], &grid, 0, &target))
            continue;
        if (target.kind != LEVY_MARK_DOUBLE_EXPONENTIAL || !(target.mark->probability_up > 0.0))
            continue;
        if (target.mark->rate_up < least) least = target.mark->rate_up;
    }
    return least;
}

static double jump_longest(const levy_model_grid *grid)
{
    double longest = grid->times[0];
    for (size_t k = 1; k < grid->n_nodes; ++k)
        if (grid->times[k] - grid->times[k - 1] > longest)
            longest = grid->times[k] - grid->times[k - 1];
    return longest;
}

static double jump_horizon(const levy_model_grid *grid) { return grid->times[grid->n_nodes - 1]; }

/* What decides about a bridge of counts. */
typedef struct jump_size {
    size_t sources, targets;
    double intensity; /* the largest of a source */
} jump_size;

static jump_size jump_measure(const levy_model_kind *kind, const levy_model_terms *terms,
                              const levy_model_grid *grid)
{
    const levy_own_jumps *const own = jump_own_of(kind, terms);
    const levy_jump_terms *const layers = terms->jumps.items;
    jump_size size = {0, 0, 0.0};
    if (own && own->intensity > 0.0)
        size = (jump_size){grid->n_assets, grid->n_assets, own->intensity};
    for (size_t l = 0; l < terms->jumps.count; ++l) {
        jump_target target;
        size_t n = 0;
        if (!(layers[l].intensity > 0.0)) continue;
        for (size_t u = 0; u < grid->n_assets; ++u)
            n += jump_layer_target(terms, &layers[l], grid, u, &target);
        size.sources += layers[l].arrivals == 1 ? n > 0 : n;
        size.targets += n;
        if (n > 0 && layers[l].intensity > size.intensity) size.intensity = layers[l].intensity;
    }
    return size;
}

static bool jump_is_bridged(const levy_model_kind *kind, const levy_model_terms *terms,
                            const levy_model_grid *grid)
{
    const jump_size size = jump_measure(kind, terms, grid);
    return grid->bridged &&
           levy_jump_bridge_fits(size.sources, size.targets, size.intensity * jump_horizon(grid));
}

/* Words that a node draws for the marks of a target. */
static uint32_t jump_words(const levy_model_grid *grid, bool bridged, int32_t kind,
                           double intensity)
{
    return bridged ? levy_jump_bridge_words(kind, intensity * jump_horizon(grid), grid->n_nodes)
                   : levy_mark_words(kind, intensity * jump_longest(grid));
}

uint32_t levy_jump_draws(const levy_model_kind *kind, const levy_model_terms *terms,
                         const levy_model_grid *grid)
{
    const levy_own_jumps *const own = jump_own_of(kind, terms);
    const levy_jump_terms *const layers = terms->jumps.items;
    const bool bridged = jump_is_bridged(kind, terms, grid);
    uint32_t draws = 0;
    if (own && own->intensity > 0.0)
        draws += (uint32_t)grid->n_assets *
                 (1 + jump_words(grid, bridged, kind->own_mark, own->intensity));
    for (size_t l = 0; l < terms->jumps.count; ++l) {
        size_t n = 0;
        for (size_t u = 0; u < grid->n_assets && layers[l].intensity > 0.0; ++u) {
            jump_target target;
            if (!jump_layer_target(terms, &layers[l], grid, u, &target)) continue;
            draws += jump_words(grid, bridged, target.kind, layers[l].intensity) +
                     (n == 0 || layers[l].arrivals != 1);
            ++n;
        }
    }
    return draws;
}

/* ---- What the lanes read ---- */

typedef struct jump_builder {
    const levy_model_grid *grid;
    levy_arena *arena;
    const jump_source *sources;
    size_t n_sources, n_targets;
    double *reals, *drift;
    uint32_t *words;
    size_t n_reals, n_words, real_room, word_room;
    uint32_t codes;
    bool has_alias, bridged;
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

static levy_status jump_put_reals(jump_builder *b, const double *reals, size_t n, double scale,
                                  uint32_t *at)
{
    b->reals = jump_room(b->arena, b->reals, sizeof *b->reals, b->n_reals, n, &b->real_room);
    if (!b->reals) return LEVY_MEMORY;
    for (size_t i = 0; i < n; ++i) b->reals[b->n_reals + i] = reals[i] * scale;
    *at = (uint32_t)b->n_reals;
    b->n_reals += n;
    return b->n_reals <= UINT32_MAX / 2 ? LEVY_OK : LEVY_MEMORY;
}

static levy_status jump_law(jump_builder *b, double mean, bool alias, uint32_t *at)
{
    size_t n;
    const uint32_t *const law = levy_jump_law(mean, alias, b->arena, &n);
    return law ? jump_put_words(b, law, n, at) : LEVY_MEMORY;
}

/* Puts the law of source i's arrivals over `time` years where the arrivals of its row `k` stand. */
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

/* The entries' splits, which stand behind the arrivals, and their tables. */
static levy_status jump_splits(jump_builder *b)
{
    const size_t n = JUMPS_SPLIT_WORDS * b->grid->n_nodes;
    double most = 0.0;
    uint32_t *words, at;
    size_t n_words;
    for (size_t i = 0; i < b->n_sources; ++i)
        if (b->sources[i].intensity > most) most = b->sources[i].intensity;
    LEVY_TRY(levy_jump_splits(b->grid, most * jump_horizon(b->grid), b->arena, &words, &n_words));
    LEVY_TRY(jump_put_words(b, words + n, n_words - n, &at));
    for (size_t k = 0; k < b->grid->n_nodes; ++k) /* the tables are elsewhere now */
        words[JUMPS_SPLIT_WORDS * k + 1] += at - (uint32_t)n;
    memcpy(b->words + JUMPS_ARRIVAL_WORDS * b->n_sources, words, n * sizeof *words);
    return LEVY_OK;
}

/* What the marks' shares of their sum read, in front of all other reals. */
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
        LEVY_TRY(b->bridged ? jump_arrival(b, 0, i, jump_horizon(b->grid)) : jump_counts(b, i));
    return b->bridged ? jump_splits(b) : LEVY_OK;
}

/* The table and numbers of an empirical mark. Targets with the same mark share them. */
static levy_status jump_empirical(jump_builder *b, const jump_target *from, jumps_target *to,
                                  const jumps_target *same)
{
    const bool alias = from->mark->map == LEVY_JUMP_MAP_ALIAS ||
                       (from->mark->map == LEVY_JUMP_MAP_AUTO && !b->grid->quasi);
    uint32_t *table;
    size_t n;
    to->code = alias ? JUMPS_ALIAS : JUMPS_MONOTONE;
    to->size = (uint32_t)from->mark->n;
    if (same) {
        to->table = same->table;
        to->shift = same->shift;
        to->first_real = same->first_real;
        return LEVY_OK;
    }
    LEVY_TRY(alias ? levy_mark_alias(from->mark, b->arena, &table, &n)
                   : levy_mark_monotone(from->mark, b->arena, &table, &n, &to->shift));
    LEVY_TRY(jump_put_words(b, table, n, &to->table));
    return jump_put_reals(b, from->mark->sizes, from->mark->n, b->grid->scale, &to->first_real);
}

/* Stores a mark's numbers in the order in which jumps.h reads them. */
static levy_status jump_mark(jump_builder *b, const jump_target *from, jumps_target *to,
                             const jumps_target *same)
{
    const levy_mark_terms *const m = from->mark;
    if (from->kind == LEVY_MARK_EMPIRICAL) return jump_empirical(b, from, to, same);
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

static levy_status jump_targets(jump_builder *b, size_t first, jumps_target *targets)
{
    const jump_target **const marks = levy_arena_allocate(b->arena, b->n_targets, sizeof *marks);
    uint32_t word = (uint32_t)b->n_sources, at = 0;
    if (!marks) return LEVY_MEMORY;
    for (size_t i = 0; i < b->n_sources; ++i) {
        const uint32_t source[2] = {at, (uint32_t)b->sources[i].n_targets};
        memcpy(b->words + first + JUMPS_SOURCE_WORDS * i, source, sizeof source);
        for (size_t t = 0; t < b->sources[i].n_targets; ++t, ++at) {
            const jump_target *const from = &b->sources[i].targets[t];
            const jumps_target *same = NULL;
            for (uint32_t o = 0; o < at && !same; ++o)
                if (marks[o]->mark == from->mark) same = &targets[o];
            marks[at] = from;
            targets[at] = (jumps_target){
                .asset = (uint32_t)from->asset,
                .first_word = word,
                .n_words = jump_words(b->grid, b->bridged, from->kind, b->sources[i].intensity)};
            word += targets[at].n_words;
            LEVY_TRY(jump_mark(b, from, &targets[at], same));
            b->codes |= 1u << targets[at].code;
            const double rate =
                b->sources[i].intensity * levy_mark_mean_return(from->kind, from->mark);
            for (size_t k = 0; k < b->grid->n_nodes; ++k)
                b->drift[k * b->grid->n_assets + from->asset] -= rate * b->grid->times[k];
        }
    }
    return LEVY_OK;
}

levy_status levy_jump_plan(const levy_model_kind *kind, const levy_model_terms *terms,
                           const levy_model_grid *grid, levy_arena *arena, levy_model_plan *plan)
{
    jump_source *sources;
    jump_builder b = {.grid = grid, .arena = arena, .bridged = jump_is_bridged(kind, terms, grid)};
    LEVY_TRY(levy_jump_sources(kind, terms, grid, arena, &sources, &b.n_sources));
    b.sources = sources;
    for (size_t i = 0; i < b.n_sources; ++i) b.n_targets += sources[i].n_targets;
    const size_t first = b.bridged
                             ? JUMPS_ARRIVAL_WORDS * b.n_sources + JUMPS_SPLIT_WORDS * grid->n_nodes
                             : JUMPS_ARRIVAL_WORDS * grid->n_nodes * b.n_sources,
                 fixed =
                     first + JUMPS_SOURCE_WORDS * b.n_sources + JUMPS_TARGET_WORDS * b.n_targets;
    b.drift = levy_arena_allocate(arena, grid->n_nodes * grid->n_assets, sizeof *b.drift);
    b.words = levy_arena_allocate(arena, fixed, sizeof *b.words);
    jumps_target *const targets = levy_arena_allocate(arena, b.n_targets, sizeof *targets);
    if (!b.drift || !b.words || !targets) return LEVY_MEMORY;
    b.n_words = b.word_room = fixed;
    if (b.bridged) LEVY_TRY(jump_put_weights(&b));
    LEVY_TRY(jump_targets(&b, first, targets));
    memcpy(b.words + first + JUMPS_SOURCE_WORDS * b.n_sources, targets,
           b.n_targets * sizeof *targets);
    LEVY_TRY(jump_put_arrivals(&b));
    const uint32_t alias = b.has_alias ? JUMPS_ALIAS_COUNTS : 0u;
    const uint32_t bridged = b.bridged ? JUMPS_BRIDGED : 0u;
    *plan = (levy_model_plan){
        .drift = b.drift,
        .reals = b.reals,
        .n_reals = b.n_reals,
        .words = b.words,
        .n_words = b.n_words,
        .n_counts = b.bridged ? (uint32_t)b.n_sources : 0,
        .constants = {(uint32_t)b.n_sources, b.codes, (uint32_t)b.n_targets, alias | bridged}};
    return LEVY_OK;
}
