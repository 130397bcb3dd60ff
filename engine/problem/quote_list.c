/* quote_list.c: see quote_list.h. */
#include "engine/problem/quote_list.h"

#include "engine/market/correlation_build.h"
#include "engine/market/parameter.h"

#include <string.h>

static levy_quote_place *list_add(levy_quotes *q, const char *name, double value, double low,
                                  double high)
{
    const size_t n = q->names.count;
    if (!LEVY_CHECK_GROW(&q->build, q->quotes, n, q->quote_room, 64) ||
        !LEVY_CHECK_GROW(&q->build, q->places, n, q->place_room, 64) ||
        levy_names_add(&q->names, &q->arena, name) == LEVY_NO_NAME) {
        q->build.out_of_memory = true;
        return NULL;
    }
    q->quotes[n] = (levy_quote){
        .name = name, .value = value, .low = low, .high = high, .low_open = low == 0.0};
    q->places[n] = (levy_quote_place){.node = SIZE_MAX, .start = value};
    return &q->places[n];
}

/* ---- Term structures ---- */

static double list_years(const levy_quotes *q, const levy_time *time)
{
    if (!time->is_date) return time->years;
    return q->build.has_date ? levy_check_years(&q->build, time->date) : 0.0;
}

/* "SPX.volatility[2027-11-20]" */
static const char *list_node_name(levy_quotes *q, const char *name, const levy_time *time)
{
    char at[LEVY_NUMBER_SIZE];
    if (time->is_date)
        levy_date_write(time->date, at);
    else
        levy_number_write(time->years, at);
    return levy_check_text(&q->build, "%s[%s]", name, at);
}

static levy_quote_term *list_term(levy_quotes *q, levy_list *const *lists, size_t n_lists,
                                  levy_together together)
{
    levy_quote_term *const term = levy_check_allocate(&q->build, 1, sizeof *term);
    size_t n = 0;
    for (size_t l = 0; l < n_lists && lists[l]; ++l) n += lists[l]->count;
    if (!term) return NULL;
    term->together = together;
    term->each = n;
    term->nodes = levy_check_allocate(&q->build, n, sizeof *term->nodes);
    term->read = levy_check_allocate(&q->build, n, sizeof *term->read);
    term->base = levy_check_allocate(&q->build, n, sizeof *term->base);
    if (together == LEVY_TOGETHER_DISCOUNTED)
        term->years = levy_check_allocate(&q->build, n, sizeof *term->years);
    if (q->build.out_of_memory) return NULL;
    for (size_t l = 0; l < n_lists && lists[l]; ++l)
        for (size_t i = 0; i < lists[l]->count; ++i, ++term->n) {
            levy_time_value *const node = (levy_time_value *)lists[l]->items + i;
            term->nodes[term->n] = node;
            term->read[term->n] = term->base[term->n] = node->value;
            if (term->years) term->years[term->n] = list_years(q, &node->time);
        }
    return term;
}

/* A move of all is within 5, as rates and volatilities are; a share cannot take more than all away.
 */
static void list_add_term(levy_quotes *q, const char *name, const levy_factor *factor,
                          const levy_written *written)
{
    levy_quote_term *const term =
        list_term(q, written->nodes, LEVY_WRITTEN_LISTS, written->together);
    const double least = written->together == LEVY_TOGETHER_SCALED ? -1.0 : -5.0;
    levy_quote_place *const place = term ? list_add(q, name, 0.0, least, 5.0) : NULL;
    if (!place) return;
    term->low = factor->low;
    term->high = factor->high;
    term->low_open = factor->low == 0.0;
    place->term = term;
    place->moved = written->moved;
    q->quotes[place - q->places].is_shift = true;
}

/* Node i of a term structure. One of today has no effect, and one that is written twice is refused
 * when it is resolved. */
static void list_add_node(levy_quotes *q, const levy_quote_place *all, const char *name, size_t i)
{
    levy_quote_term *const term = all->term;
    bool *const moved = all->moved;
    if (list_years(q, &term->nodes[i]->time) <= 0.0) return;
    const char *const node = list_node_name(q, name, &term->nodes[i]->time);
    if (levy_names_find(&q->names, node) != LEVY_NO_NAME) return;
    levy_quote_place *const place = term->years
                                        ? list_add(q, node, 0.0, -5.0, 5.0)
                                        : list_add(q, node, term->read[i], term->low, term->high);
    if (!place) return;
    place->term = term;
    place->node = i;
    place->moved = moved;
    q->quotes[place - q->places].low_open = !term->years && term->low_open;
    q->quotes[place - q->places].is_shift = term->years != NULL;
}

/* The nodes of the term structures that are listed, from number `first` on. */
static void list_add_nodes(levy_quotes *q, size_t first)
{
    const size_t n = q->names.count;
    for (size_t p = first; p < n; ++p)
        for (size_t i = 0; q->places[p].term && i < q->places[p].term->n; ++i)
            if (!q->build.out_of_memory) list_add_node(q, &q->places[p], q->quotes[p].name, i);
}

/* ---- Numbers by themselves ---- */

static levy_quote_place *list_add_number(levy_quotes *q, const char *name,
                                         const levy_factor *factor, double *value)
{
    levy_quote_place *const place = list_add(q, name, *value, factor->low, factor->high);
    if (place) place->value = value;
    return place;
}

/* name: "SPX.spot"; raw: the definition of its owner. */
typedef void list_adder(levy_quotes *q, const char *name, const levy_factor *factor,
                        const void *raw);

/* Adds the quotes of an asset or a curve. */
static void list_add_written(levy_quotes *q, const char *name, const levy_factor *factor,
                             const void *raw)
{
    const levy_written written = factor->written(raw);
    if (written.nodes[0]) list_add_term(q, name, factor, &written);
    levy_quote_place *const place =
        written.value ? list_add_number(q, name, factor, written.value) : NULL;
    if (place) place->moved = written.moved;
}

/* Adds a model's quotes: the key of that name, and the keys of its layers of jumps, numbered from
 * 0. */
static void list_add_keys(levy_quotes *q, const char *name, const levy_factor *factor,
                          const void *model)
{
    const levy_variant_value *const raw = model;
    levy_model_terms *const terms = raw->kind < 0 ? NULL : raw->value;
    if (!terms) return;
    for (const levy_field *f = levy_model_kinds[raw->kind]->table->fields; f->name; ++f)
        if (f->type == LEVY_FIELD_NUMBER && strcmp(f->name, factor->name) == 0)
            list_add_number(q, name, factor, (double *)(void *)((char *)terms + f->offset));
    levy_jump_terms *const layers = terms->jumps.items;
    for (size_t l = 0; factor == &levy_factors[LEVY_SHIFT_INTENSITY] && l < terms->jumps.count; ++l)
        list_add_number(q, levy_check_text(&q->build, "%s[%zu]", name, l), factor,
                        &layers[l].intensity);
}

static void list_add_all(levy_quotes *q, const levy_market_map *map, levy_factor_owner owner,
                         list_adder *add)
{
    for (size_t i = 0; i < map->names.count; ++i)
        for (size_t f = 0; f < LEVY_SHIFT_COUNT && !q->build.out_of_memory; ++f)
            if (levy_factors[f].owner == owner)
                add(q,
                    levy_check_text(&q->build, "%s.%s", map->names.items[i], levy_factors[f].name),
                    &levy_factors[f], map->items[i].raw);
}

/* ---- Numbers of models by asset ---- */

/* The number or the numbers of an asset in a model as read. */
static levy_written list_parameter(const levy_quotes *q, size_t model, const char *asset,
                                   const char *name)
{
    const levy_market_map *const models = &q->collection.market.model_map;
    const levy_variant_value *const raw = models->items[model].raw;
    const bool refused = raw->kind < 0 || levy_check_refused(&q->build, models->items[model].path);
    const levy_model_terms *const terms = refused ? NULL : raw->value;
    const char *const *const names = terms ? terms->assets.items : NULL;
    for (size_t a = 0; terms && a < terms->assets.count; ++a)
        if (strcmp(names[a], asset) == 0)
            return levy_parameter_written(levy_model_kinds[raw->kind], terms, name, a);
    return (levy_written){0};
}

static bool list_same_times(levy_quotes *q, const levy_list *a, const levy_list *b)
{
    const levy_time_value *const x = a->items, *const y = b->items;
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; ++i)
        same = x[i].value == y[i].value && list_years(q, &x[i].time) == list_years(q, &y[i].time);
    return same;
}

/* What all models that have an asset's number of a name have, if they agree. */
typedef struct list_common {
    double **values;   /* [n]; or */
    levy_list **nodes; /* [n] */
    size_t n;
} list_common;

/* False: they do not agree, or none has the number. */
static bool list_find_common(levy_quotes *q, const char *asset, const char *name,
                             list_common *common)
{
    const size_t n = q->collection.market.model_map.names.count;
    *common = (list_common){.values = levy_check_allocate(&q->build, n, sizeof *common->values),
                            .nodes = levy_check_allocate(&q->build, n, sizeof *common->nodes)};
    if (!common->values || !common->nodes) return false;
    for (size_t m = 0; m < n; ++m) {
        const levy_written x = list_parameter(q, m, asset, name);
        if (!x.value && !x.nodes[0]) continue;
        common->values[common->n] = x.value;
        common->nodes[common->n++] = x.nodes[0];
        const double *const value = common->values[0];
        const levy_list *const nodes = common->nodes[0];
        if (!value != !x.value || (value && *x.value != *value) ||
            (nodes && !list_same_times(q, x.nodes[0], nodes)))
            return false;
    }
    return common->n > 0;
}

/* What learns that a quote has moved an asset's correlation with its variance, so that the book's
 * other word on it is void; NULL: there is no such asset. */
static bool *list_moved_share(const levy_quotes *q, const char *asset)
{
    const levy_market_map *const map = &q->collection.market.asset_map;
    const size_t number = levy_names_find(&map->names, asset);
    levy_raw_asset *const raw =
        number == LEVY_NO_NAME ? NULL : levy_factor_own(map->items[number].raw);
    return raw ? &raw->moved_share : NULL;
}

static void list_add_parameter(levy_quotes *q, const char *asset, const char *name,
                               const levy_field *field, bool is_share)
{
    list_common common;
    const char *const text = levy_check_text(&q->build, "%s.%s", asset, name);
    if (!list_find_common(q, asset, name, &common)) return;
    if (levy_names_find(&q->names, text) != LEVY_NO_NAME) return;
    const bool is_term = common.nodes[0] != NULL;
    levy_quote_term *const term =
        is_term ? list_term(q, common.nodes, common.n, LEVY_TOGETHER_ADDED) : NULL;
    levy_quote_place *const place =
        is_term ? list_add(q, text, 0.0, -field->high, field->high)
                : list_add(q, text, *common.values[0], field->low, field->high);
    if (!place || (is_term && !term)) return;
    const bool low_open = field->flags & LEVY_LOW_OPEN;
    q->quotes[place - q->places].low_open = !is_term && low_open;
    q->quotes[place - q->places].is_shift = is_term;
    if (is_share) place->moved = list_moved_share(q, asset);
    place->value = common.values[0];
    place->others = common.values + 1;
    place->n_others = is_term ? 0 : common.n - 1;
    place->term = term;
    if (!term) return;
    term->each = common.nodes[0]->count;
    term->low = field->low;
    term->high = field->high;
    term->low_open = low_open;
}

static void list_add_parameters(levy_quotes *q)
{
    const levy_market_map *const models = &q->collection.market.model_map;
    const size_t first = q->names.count;
    for (size_t m = 0; m < models->names.count; ++m) {
        const levy_variant_value *const raw = models->items[m].raw;
        if (raw->kind < 0 || levy_check_refused(&q->build, models->items[m].path)) continue;
        const levy_model_kind *const kind = levy_model_kinds[raw->kind];
        levy_model_terms *const terms = raw->value;
        if (terms && levy_parameters_spread(kind, terms, terms->assets.count, &q->arena) != LEVY_OK)
            q->build.out_of_memory = true;
    }
    for (size_t m = 0; m < models->names.count && !q->build.out_of_memory; ++m) {
        const levy_variant_value *const raw = models->items[m].raw;
        if (raw->kind < 0) continue;
        const levy_model_kind *const kind = levy_model_kinds[raw->kind];
        const levy_model_terms *const terms = raw->value;
        const char *const *const names = terms ? terms->assets.items : NULL;
        for (size_t a = 0; terms && a < terms->assets.count; ++a)
            for (const char *const *name = names[a] ? kind->factors : NULL; name && *name; ++name)
                list_add_parameter(q, names[a], *name, levy_parameter_field(kind, *name),
                                   kind->share && strcmp(*name, kind->share) == 0);
    }
    list_add_nodes(q, first);
}

/* ---- Correlations ---- */

/* "A,B.correlation" of two assets; with a variance "A.spot,B.variance". a < b */
static const char *list_pair_name(levy_quotes *q, size_t a, size_t b)
{
    const levy_names *const names = &q->collection.market.asset_map.names;
    const size_t n = names->count;
    if (b < n)
        return levy_check_text(&q->build, "%s,%s.%s", names->items[a], names->items[b],
                               levy_factors[LEVY_SHIFT_CORRELATION].name);
    return levy_check_text(&q->build, "%s%s,%s%s", names->items[a % n], levy_pair_end(a >= n),
                           names->items[b - n], levy_pair_end(true));
}

/* Factors a and b of the market, if the book gives their correlation. */
static void list_add_pair(levy_quotes *q, const levy_correlation_data *data, size_t a, size_t b)
{
    levy_market *const market = &q->collection.market;
    const levy_factor *const factor = &levy_factors[LEVY_SHIFT_CORRELATION];
    const double rho = levy_correlation_given(data, 0, a, b);
    if (rho == LEVY_NO_CORRELATION) return;
    const char *const name = a < b ? list_pair_name(q, a, b) : list_pair_name(q, b, a);
    if (levy_names_find(&q->names, name) != LEVY_NO_NAME) return;
    levy_set_correlation *const set = levy_check_allocate(&q->build, 1, sizeof *set);
    if (!set || !LEVY_CHECK_GROW(&q->build, market->set_correlations, market->n_set_correlations,
                                 market->set_room, 16))
        return;
    const bool shifts = data->n_pieces > 1;
    const double start = shifts ? 0.0 : rho;
    *set = (levy_set_correlation){a, b, shifts, start, start};
    market->set_correlations[market->n_set_correlations++] = set;
    levy_quote_place *const place =
        shifts ? list_add(q, name, 0.0, factor->low - factor->high, factor->high - factor->low)
               : list_add(q, name, rho, factor->low, factor->high);
    if (!place) return;
    place->value = &set->value;
    q->quotes[place - q->places].is_shift = shifts;
}

/* Of the spots of two assets, and of the variances that a model gives them. */
static void list_add_pairs(levy_quotes *q, const levy_correlation_data *data,
                           const levy_model_kind *kind, size_t a, size_t b)
{
    list_add_pair(q, data, a, b);
    for (size_t k = 1; k < 4 && levy_model_has_variances(kind); ++k)
        list_add_pair(q, data, a + (k & 1) * data->n_assets, b + (k >> 1) * data->n_assets);
}

/* Of rates of exchange, which payments in other currencies read beside their models. */
static void list_add_rates(levy_quotes *q, const levy_correlation_data *data)
{
    const levy_market_map *const assets = &q->collection.market.asset_map;
    for (size_t f = 0; f < assets->names.count; ++f)
        for (size_t a = 0; ((const levy_raw_asset *)assets->items[f].raw)->base_currency &&
                           a < assets->names.count && !q->build.out_of_memory;
             ++a)
            if (a != f) {
                list_add_pair(q, data, a, f);
                list_add_pair(q, data, a + data->n_assets, f);
            }
}

/* Adds the correlations that models may use. Resolving the block reports its faults. */
static void list_add_correlations(levy_quotes *q)
{
    levy_market *const market = &q->collection.market;
    const levy_market_map *const models = &market->model_map;
    levy_fault_list faults;
    levy_check quiet = q->build;
    levy_correlation_data data;
    if (levy_check_refused(&q->build, market->correlations_path)) return;
    levy_fault_list_init(&faults, q->arena.memory);
    quiet.faults = &faults;
    quiet.first_fault = 0;
    levy_correlation_build(&quiet, market, &data);
    for (size_t m = 0; data.good && m < models->names.count; ++m) {
        const levy_variant_value *const raw = models->items[m].raw;
        const bool refused = levy_check_refused(&q->build, models->items[m].path);
        const levy_model_terms *const terms = refused ? NULL : raw->value;
        const char *const *const names = terms ? terms->assets.items : NULL;
        const size_t n =
            terms && terms->assets.count <= LEVY_RAW_MAX_ASSETS ? terms->assets.count : 0;
        for (size_t i = 0; i < n; ++i)
            for (size_t k = 0; k < i && !q->build.out_of_memory; ++k) {
                const size_t a = levy_names_find(&market->asset_map.names, names[k]),
                             b = levy_names_find(&market->asset_map.names, names[i]);
                if (a != LEVY_NO_NAME && b != LEVY_NO_NAME && a != b)
                    list_add_pairs(q, &data, levy_model_kinds[raw->kind], a, b);
            }
    }
    if (data.good) list_add_rates(q, &data);
    q->build.out_of_memory = q->build.out_of_memory || quiet.out_of_memory;
    levy_fault_list_release(&faults);
}

void levy_quotes_list(levy_quotes *q)
{
    const levy_market *const market = &q->collection.market;
    list_add_all(q, &market->asset_map, LEVY_FACTOR_ASSET, list_add_written);
    list_add_all(q, &market->curve_map, LEVY_FACTOR_CURVE, list_add_written);
    list_add_nodes(q, 0);
    list_add_all(q, &market->model_map, LEVY_FACTOR_MODEL, list_add_keys);
    list_add_parameters(q);
    if (market->raw_correlations) list_add_correlations(q);
}
