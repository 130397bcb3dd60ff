/* quotes.c: see quotes.h and problem.h. */
#include "engine/problem/quotes.h"

#include "engine/market/factor.h"
#include "kernels/lane/scalar.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- Settings ---- */

static const char *overrides_text(levy_overrides *overrides, const char *text, bool *good)
{
    const char *const copy = levy_arena_copy_text(&overrides->arena, text, strlen(text));
    *good = *good && copy;
    return copy;
}

levy_status levy_overrides_create(const levy_memory *memory, const levy_override *items, size_t n,
                                  levy_overrides **overrides)
{
    levy_overrides *const made = levy_memory_allocate(memory, 1, sizeof *made);
    *overrides = NULL;
    if (!made) return LEVY_MEMORY;
    levy_arena_init(&made->arena, memory);
    made->items = levy_arena_allocate(&made->arena, n, sizeof *made->items);
    made->n = n;
    bool good = made->items;
    for (size_t i = 0; good && i < n; ++i)
        made->items[i] = (levy_override){overrides_text(made, items[i].key, &good),
                                         overrides_text(made, items[i].value, &good)};
    if (good)
        *overrides = made;
    else
        levy_overrides_destroy(made);
    return good ? LEVY_OK : LEVY_MEMORY;
}

void levy_overrides_destroy(levy_overrides *overrides)
{
    if (!overrides) return;
    const levy_memory *const memory = overrides->arena.memory;
    levy_arena_release(&overrides->arena);
    levy_memory_release(memory, overrides);
}

uint64_t levy_overrides_hash(const levy_overrides *overrides, uint64_t hash)
{
    for (size_t i = 0; i < overrides->n; ++i) {
        const levy_override *const set = &overrides->items[i];
        hash = XXH3_64bits_withSeed(set->key, strlen(set->key), hash);
        hash = XXH3_64bits_withSeed(set->value, strlen(set->value), hash);
    }
    return hash;
}

levy_overrides *levy_quotes_override(levy_quotes *quotes, levy_overrides *overrides)
{
    levy_overrides *const before = quotes->overrides;
    quotes->overrides = overrides;
    return before;
}

/* ---- Reading ---- */

static levy_quote_place *quotes_add(levy_quotes *q, const char *owner, const char *what,
                                    double value, double low, double high)
{
    const char *name = levy_check_text(&q->build, "%s.%s", owner, what);
    const size_t number = levy_names_add(&q->names, &q->arena, name);
    if (number == LEVY_NO_NAME) {
        q->build.out_of_memory = true;
        return NULL;
    }
    q->quotes[number] = (levy_quote){.name = name, .value = value, .low = low, .high = high};
    q->places[number].start = value;
    return &q->places[number];
}

static double quotes_years(levy_quotes *q, const levy_time *time)
{
    if (!time->is_date) return time->years;
    return q->build.has_date ? levy_check_years(&q->build, time->date) : 0.0;
}

/* Shifts are within 5, as rates and volatilities are. */
static void quotes_add_term(levy_quotes *q, levy_quote_place *place, const levy_written *written)
{
    const levy_list *const nodes = written->nodes;
    q->quotes[place - q->places].is_shift = true;
    place->nodes = nodes->items;
    place->n_nodes = nodes->count;
    place->read = levy_check_allocate(&q->build, nodes->count, sizeof *place->read);
    place->discount_times = written->discounts ? levy_check_allocate(&q->build, nodes->count,
                                                                     sizeof *place->discount_times)
                                               : NULL;
    if (!place->read || (written->discounts && !place->discount_times)) return;
    for (size_t i = 0; i < nodes->count; ++i) {
        place->read[i] = place->nodes[i].value;
        if (written->discounts) place->discount_times[i] = quotes_years(q, &place->nodes[i].time);
    }
}

static void quotes_add_factor(levy_quotes *q, const char *owner, const levy_factor *factor,
                              const void *raw)
{
    const levy_written written = factor->written(raw);
    if (!written.value && !written.nodes) return;
    levy_quote_place *const place =
        written.value
            ? quotes_add(q, owner, factor->name, *written.value, factor->low, factor->high)
            : quotes_add(q, owner, factor->name, 0.0, -5.0, 5.0);
    if (!place) return;
    place->value = written.value;
    place->moved = written.moved;
    if (written.nodes) quotes_add_term(q, place, &written);
}

static void quotes_add_all(levy_quotes *q, const levy_market_map *map, levy_factor_owner owner)
{
    for (size_t i = 0; i < map->names.count; ++i)
        for (size_t f = 0; f < LEVY_SHIFT_COUNT && !q->build.out_of_memory; ++f)
            if (levy_factors[f].owner == owner && levy_factors[f].written)
                quotes_add_factor(q, map->names.items[i], &levy_factors[f], map->items[i].raw);
}

/* Definitions are const for all who resolve them, but the quotes own the memory and may write. */
static void *quotes_own(const void *raw)
{
    void *own;
    memcpy(&own, &raw, sizeof own);
    return own;
}

static void quotes_list(levy_quotes *q)
{
    const levy_market_map *assets = &q->collection.market.asset_map,
                          *curves = &q->collection.market.curve_map;
    const size_t most = LEVY_SHIFT_COUNT * (assets->names.count + curves->names.count);
    q->quotes = levy_check_allocate(&q->build, most, sizeof *q->quotes);
    q->places = levy_check_allocate(&q->build, most, sizeof *q->places);
    if (!q->quotes || !q->places) return;
    for (size_t i = 0; i < assets->names.count; ++i) {
        levy_raw_asset *const asset = quotes_own(assets->items[i].raw);
        asset->read_spot = asset->spot;
    }
    quotes_add_all(q, assets, LEVY_FACTOR_ASSET);
    quotes_add_all(q, curves, LEVY_FACTOR_CURVE);
}

static levy_status quotes_fill(levy_quotes *q, const levy_input *inputs, size_t n_inputs,
                               const levy_override *overrides, size_t n_overrides)
{
    q->build = (levy_check){.arena = &q->arena, .faults = &q->faults, .trade = -1};
    q->collection.build = &q->build;
    q->collection.n_inputs = n_inputs;
    levy_market_init(&q->collection.market);
    if (n_inputs > 0) q->first_name = levy_check_text(&q->build, "%s", inputs[0].name);
    (void)levy_collect_inputs(&q->collection, inputs, n_inputs);
    q->collection.references.given = NULL; /* they belong to the caller */
    q->collection.references.n_given = 0;
    LEVY_TRY(levy_overrides_create(q->arena.memory, overrides, n_overrides, &q->overrides));
    if (!q->build.out_of_memory) quotes_list(q);
    return q->build.out_of_memory || q->faults.out_of_memory ? LEVY_MEMORY : LEVY_OK;
}

levy_status levy_quotes_read(const levy_memory *memory, const levy_input *inputs, size_t n_inputs,
                             const levy_override *overrides, size_t n_overrides,
                             const levy_references *references, levy_quotes **quotes)
{
    *quotes = NULL;
    levy_quotes *made = levy_memory_allocate(memory, 1, sizeof *made);
    if (!made) return LEVY_MEMORY;
    levy_arena_init(&made->arena, memory);
    levy_fault_list_init(&made->faults, memory);
    if (references) made->collection.references = *references;
    const levy_status status = quotes_fill(made, inputs, n_inputs, overrides, n_overrides);
    if (status == LEVY_OK)
        *quotes = made;
    else
        levy_quotes_destroy(made);
    return status;
}

void levy_quotes_destroy(levy_quotes *quotes)
{
    if (!quotes) return;
    const levy_memory *memory = quotes->arena.memory;
    levy_overrides_destroy(quotes->overrides);
    levy_fault_list_release(&quotes->faults);
    levy_arena_release(&quotes->arena);
    levy_memory_release(memory, quotes);
}

const levy_input *levy_quotes_reference(const levy_quotes *quotes, size_t index)
{
    return index < quotes->collection.kept_names.count ? &quotes->collection.kept[index] : NULL;
}

const levy_more_kinds *levy_quotes_kinds(const levy_quotes *quotes)
{
    return &quotes->collection.more;
}

/* ---- Setting ---- */

size_t levy_quotes_count(const levy_quotes *quotes) { return quotes->names.count; }

const levy_quote *levy_quotes_at(const levy_quotes *quotes, size_t index)
{
    return index < quotes->names.count ? &quotes->quotes[index] : NULL;
}

size_t levy_quotes_find(const levy_quotes *quotes, const char *name)
{
    const size_t number = levy_names_find(&quotes->names, name);
    return number == LEVY_NO_NAME ? SIZE_MAX : number;
}

const char *levy_quotes_nearest(const levy_quotes *quotes, const char *name)
{
    return quotes->names.count > 0 ? levy_nearest(name, quotes->names.items) : NULL;
}

bool levy_quotes_set(levy_quotes *quotes, size_t index, double value)
{
    levy_quote *quote = &quotes->quotes[index];
    const levy_quote_place *place = &quotes->places[index];
    if (!((value > quote->low || (value == quote->low && value != 0.0)) && value <= quote->high))
        return false;
    quote->value = value;
    if (place->value) *place->value = value;
    if (place->moved) *place->moved = value != place->start;
    for (size_t i = 0; i < place->n_nodes; ++i)
        place->nodes[i].value = value == 0.0 ? place->read[i]
                                : place->discount_times
                                    ? place->read[i] * levy_exp(-value * place->discount_times[i])
                                    : place->read[i] + value;
    return true;
}

uint64_t levy_quotes_hash(const levy_quotes *quotes, uint64_t hash)
{
    for (size_t i = 0; i < quotes->names.count; ++i) {
        const levy_quote *quote = &quotes->quotes[i];
        if (quote->value == quotes->places[i].start) continue;
        hash = XXH3_64bits_withSeed(quote->name, strlen(quote->name), hash);
        hash = XXH3_64bits_withSeed(&quote->value, sizeof quote->value, hash);
    }
    return hash;
}
