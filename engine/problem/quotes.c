/* quotes.c: see quotes.h and problem.h. */
#include "engine/problem/quotes.h"

#include "engine/base/hash.h"
#include "engine/base/number.h"
#include "engine/problem/quote_list.h"
#include "kernels/lane/scalar.h"

#include <stdio.h>
#include <string.h>

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

static levy_status quotes_fill(levy_quotes *q, const levy_input *inputs, size_t n_inputs,
                               const levy_override *overrides, size_t n_overrides)
{
    q->build = (levy_check){.arena = &q->arena, .faults = &q->faults, .trade = -1};
    q->collection.build = &q->build;
    q->collection.n_inputs = n_inputs;
    levy_market_init(&q->collection.market);
    for (size_t i = 0; i < n_inputs; ++i)
        levy_collect_read(&q->collection, levy_check_text(&q->build, "%s", inputs[i].name));
    (void)levy_collect_inputs(&q->collection, inputs, n_inputs);
    q->collection.references.given = NULL; /* they belong to the caller */
    q->collection.references.n_given = 0;
    LEVY_TRY(levy_overrides_create(q->arena.memory, overrides, n_overrides, &q->overrides));
    if (!q->build.out_of_memory) levy_quotes_imply(q);
    if (!q->build.out_of_memory) levy_quotes_list(q);
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

const char *levy_quotes_file(const levy_quotes *quotes, size_t index)
{
    const levy_names *const read = &quotes->collection.read;
    return index < read->count ? read->items[index] : NULL;
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

/* "A,B.correlation" for two assets; with a variance "A.spot,B.variance". */
static size_t quotes_find_ordered(const levy_quotes *quotes, levy_pair_one a, levy_pair_one b)
{
    char name[256];
    if (a.is_variance || b.is_variance)
        snprintf(name, sizeof name, "%.*s%s,%.*s%s", a.n, a.name, levy_pair_end(a.is_variance), b.n,
                 b.name, levy_pair_end(b.is_variance));
    else
        snprintf(name, sizeof name, "%.*s,%.*s.correlation", a.n, a.name, b.n, b.name);
    return levy_names_find(&quotes->names, name);
}

/* Either may be first. */
static size_t quotes_find_pair(const levy_quotes *quotes, const levy_pair_name *pair)
{
    const size_t number = quotes_find_ordered(quotes, pair->a, pair->b);
    return number != LEVY_NO_NAME ? number : quotes_find_ordered(quotes, pair->b, pair->a);
}

/* "A.volatility[0.50]" for the node 0.5, as scenarios take it. */
static size_t quotes_find_node(const levy_quotes *quotes, const char *factor)
{
    char at[LEVY_NUMBER_SIZE], name[256];
    levy_factor_name read;
    double years;
    if (!levy_factor_read(factor, strlen(factor), &read) || !read.node ||
        levy_number_read(read.node, (size_t)read.m, &years) != LEVY_NUMBER_OK)
        return LEVY_NO_NAME;
    levy_number_write(years, at);
    snprintf(name, sizeof name, "%.*s[%s]", (int)(read.node - factor) - 1, factor, at);
    return levy_names_find(&quotes->names, name);
}

size_t levy_quotes_find(const levy_quotes *quotes, const char *name)
{
    size_t number = levy_names_find(&quotes->names, name);
    levy_pair_name pair;
    if (number == LEVY_NO_NAME) number = quotes_find_node(quotes, name);
    if (number == LEVY_NO_NAME && levy_pair_read(name, &pair))
        number = quotes_find_pair(quotes, &pair);
    return number == LEVY_NO_NAME ? SIZE_MAX : number;
}

const char *levy_quotes_nearest(const levy_quotes *quotes, const char *name)
{
    return quotes->names.count > 0 ? levy_nearest(name, quotes->names.items) : NULL;
}

static double quotes_moved(const levy_quote_term *term, size_t i)
{
    const double x = term->base[i], move = term->move;
    if (move == 0.0) return x;
    if (term->years) return x * levy_exp(-move * term->years[i]);
    return term->together == LEVY_TOGETHER_SCALED ? x * (1.0 + move) : x + move;
}

static void quotes_set_term(levy_quote_term *term, size_t node, double value)
{
    if (node == SIZE_MAX)
        term->move = value;
    else if (term->years)
        term->base[node] = value == 0.0 ? term->read[node]
                                        : term->read[node] * levy_exp(-value * term->years[node]);
    else
        for (size_t i = node; i < term->n; i += term->each) term->base[i] = value;
    for (size_t i = 0; i < term->n; ++i) term->nodes[i]->value = quotes_moved(term, i);
}

/* Whether the number, or one of those of its term structure, is another than was read. */
static bool quotes_is_moved(const levy_quote_place *place)
{
    const levy_quote_term *const term = place->term;
    if (!term) return *place->value != place->start;
    bool moved = term->move != 0.0;
    for (size_t i = 0; i < term->n; ++i) moved = moved || term->base[i] != term->read[i];
    return moved;
}

bool levy_quotes_set(levy_quotes *quotes, size_t index, double value)
{
    levy_quote *const quote = &quotes->quotes[index];
    const levy_quote_place *const place = &quotes->places[index];
    if (!levy_bounds_allow(quote->low, quote->high, quote->low_open, value)) return false;
    quote->value = value;
    for (size_t i = 0; i < place->n_others; ++i) *place->others[i] = value;
    if (place->value)
        *place->value = value;
    else
        quotes_set_term(place->term, place->node, value);
    if (place->moved) *place->moved = quotes_is_moved(place);
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
