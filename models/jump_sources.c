/* jump_sources.c: the sources of arrivals that move a grid's assets, the effect of their marks on
 * an asset's law, and the words that a node draws for them. A group draws only for sources that
 * move its assets: jumps of one asset each, and common arrivals with a mark for each asset or with
 * a row of a joint table. */
#include "models/jump_plan.h"
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

const levy_mark_terms *levy_jump_table_of(const levy_jump_terms *layer)
{
    const levy_mark_terms *const mark = layer->mark.value;
    return mark && layer->mark.kind == LEVY_MARK_EMPIRICAL && mark->joint ? mark : NULL;
}

/* The effect of a layer on asset u of the grid. Returns false if it does not move the asset. */
static bool jump_layer_target(const levy_model_terms *terms, const levy_jump_terms *layer,
                              const levy_model_grid *grid, size_t u, jump_target *target)
{
    const char *const *const names = terms->assets.items;
    const levy_variant_value *const marks = layer->marks.items;
    const levy_mark_terms *const table = levy_jump_table_of(layer);
    size_t at = grid->assets[u];
    if (table) {
        if (!jump_names(&table->assets, names[at], &at)) return false;
        *target = (jump_target){u, LEVY_MARK_EMPIRICAL, &table->joint->columns[at]};
        return true;
    }
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

static void jump_add(jump_list *list, jump_source source)
{
    if (source.n_targets > 0 && source.intensity > 0.0) list->items[list->n++] = source;
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
        jump_add(&list,
                 (jump_source){own->intensity, own->counts_map, 1, targets, SIZE_MAX, false});
    }
    for (size_t l = 0; l < terms->jumps.count; ++l) {
        const size_t count = jump_layer_targets(terms, &layers[l], grid, targets);
        const bool common = layers[l].arrivals == 1;
        const size_t each = common ? count : 1;
        for (size_t t = 0; t < count; t += each)
            jump_add(&list, (jump_source){layers[l].intensity, layers[l].counts_map, each,
                                          targets + t, l, common});
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
    if (room == 0 || levy_model_lanes(kind, terms, false) & LEVY_MODEL_LANES_MASK) return SIZE_MAX;
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

/* What jumps of one intensity and mark add, to x. */
typedef double jump_addend(double intensity, int32_t kind, const levy_mark_terms *mark, double x);

/* The sum over the model's own jumps and the layers that an asset has. */
static double jump_sum(int32_t kind, const levy_model_terms *terms, size_t asset,
                       jump_addend *addend, double x)
{
    if (!terms) return 0.0;
    const levy_jump_terms *const layers = terms->jumps.items;
    const levy_model_grid grid = {.n_assets = 1, .assets = &asset};
    const levy_own_jumps *const own = jump_own_of(levy_model_kinds[kind], terms);
    double sum =
        own ? addend(own->intensity, levy_model_kinds[kind]->own_mark, &own->mark, x) : 0.0;
    for (size_t l = 0; l < terms->jumps.count; ++l) {
        jump_target target;
        if (jump_layer_target(terms, &layers[l], &grid, 0, &target))
            sum += addend(layers[l].intensity, target.kind, target.mark, x);
    }
    return sum;
}

static double jump_intensity_of(double intensity, int32_t kind, const levy_mark_terms *mark,
                                double unused)
{
    (void)kind, (void)mark, (void)unused;
    return intensity;
}

double levy_jump_intensity(int32_t kind, const levy_model_terms *terms, size_t asset)
{
    return jump_sum(kind, terms, asset, jump_intensity_of, 0.0);
}

static double jump_rise_until(double intensity, int32_t kind, const levy_mark_terms *mark,
                              double time)
{
    const double arrivals = intensity * time;
    if (!(intensity > 0.0)) return 0.0;
    return (arrivals > 1.0 || kind == LEVY_MARK_DOUBLE_EXPONENTIAL ? arrivals : 1.0) *
           jump_rise_of(kind, mark);
}

double levy_jump_rise(int32_t kind, const levy_model_terms *terms, size_t asset, double time)
{
    return jump_sum(kind, terms, asset, jump_rise_until, time);
}

/* E[exp(s mark)] */
static double jump_transform(int32_t kind, const levy_mark_terms *m, double s)
{
    double sum = 0.0, total = 0.0;
    if (kind == LEVY_MARK_NORMAL)
        return levy_exp(s * m->mean + 0.5 * s * s * m->volatility * m->volatility);
    if (kind == LEVY_MARK_DOUBLE_EXPONENTIAL)
        return s < m->rate_up && s > -m->rate_down
                   ? m->probability_up * m->rate_up / (m->rate_up - s) +
                         (1.0 - m->probability_up) * m->rate_down / (m->rate_down + s)
                   : 1e300;
    for (size_t i = 0; i < m->n; ++i) {
        sum += m->weights[i] * levy_exp(s * m->sizes[i]);
        total += m->weights[i];
    }
    return total > 0.0 ? sum / total : 1.0;
}

static double jump_cumulant_of(double intensity, int32_t kind, const levy_mark_terms *mark,
                               double s)
{
    return intensity > 0.0 ? intensity * (jump_transform(kind, mark, s) - 1.0 -
                                          s * (jump_transform(kind, mark, 1.0) - 1.0))
                           : 0.0;
}

double levy_jump_cumulant(int32_t kind, const levy_model_terms *terms, size_t asset, double s)
{
    return jump_sum(kind, terms, asset, jump_cumulant_of, s);
}

/* The part of E[exp(mark) - 1] in marks that have a share of less than `least`, from the end on, in
 * the order of size. */
static double jump_unseen_marks(const levy_mark_terms *mark, double least, double side)
{
    double total = 0.0, share = 0.0, sum = 0.0;
    for (size_t i = 0; i < mark->n; ++i) total += mark->weights[i];
    for (size_t k = 0; k < mark->n; ++k) {
        const size_t at = side > 0.0 ? mark->n - 1 - k : k;
        const size_t i = mark->order ? mark->order[at] : at;
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

/* Days drawn from a table of rows, about 252 a year, as they are written. */
static double jump_unseen_days(const levy_model_kind *kind, const levy_model_terms *terms,
                               size_t asset, double time, double least, double side)
{
    enum { DAYS = 252 };
    if (!kind->rows) return 0.0;
    return jump_unseen_of(DAYS * time, LEVY_MARK_EMPIRICAL,
                          &kind->rows(terms)->joint->columns[asset], least, side);
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
    sum += jump_unseen_days(levy_model_kinds[kind], terms, asset, time, arrivals, side);
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

/* ---- Words ---- */

static double jump_longest(const levy_model_grid *grid)
{
    double longest = grid->times[0];
    for (size_t k = 1; k < grid->n_nodes; ++k)
        if (grid->times[k] - grid->times[k - 1] > longest)
            longest = grid->times[k] - grid->times[k - 1];
    return longest;
}

/* The figures that decide whether counts are bridged. */
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

bool levy_jump_is_bridged(const levy_model_kind *kind, const levy_model_terms *terms,
                          const levy_model_grid *grid)
{
    const jump_size size = jump_measure(kind, terms, grid);
    const double most = size.intensity * levy_jump_horizon(grid);
    return grid->bridged && levy_jump_bridge_fits(size.sources, size.targets, most);
}

uint32_t levy_jump_words(const levy_model_grid *grid, bool bridged, int32_t kind, double intensity)
{
    return bridged
               ? levy_jump_bridge_words(kind, intensity * levy_jump_horizon(grid), grid->n_nodes)
               : levy_mark_words(kind, intensity * jump_longest(grid));
}

uint32_t levy_jump_draws(const levy_model_kind *kind, const levy_model_terms *terms,
                         const levy_model_grid *grid)
{
    const levy_own_jumps *const own = jump_own_of(kind, terms);
    const levy_jump_terms *const layers = terms->jumps.items;
    const bool bridged = levy_jump_is_bridged(kind, terms, grid);
    uint32_t draws = 0;
    if (own && own->intensity > 0.0)
        draws += (uint32_t)grid->n_assets *
                 (1 + levy_jump_words(grid, bridged, kind->own_mark, own->intensity));
    for (size_t l = 0; l < terms->jumps.count; ++l) {
        const bool joint = levy_jump_table_of(&layers[l]) != NULL;
        size_t n = 0;
        for (size_t u = 0; u < grid->n_assets && layers[l].intensity > 0.0; ++u) {
            jump_target target;
            if (!jump_layer_target(terms, &layers[l], grid, u, &target)) continue;
            if (n == 0 || !joint)
                draws += levy_jump_words(grid, bridged, target.kind, layers[l].intensity);
            draws += n == 0 || layers[l].arrivals != 1;
            ++n;
        }
    }
    return draws;
}
