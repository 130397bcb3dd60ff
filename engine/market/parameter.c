/* parameter.c: see parameter.h. */
#include "engine/market/parameter.h"

#include "engine/market/factor.h"

#include <string.h>

const char *levy_parameter_find(const char *name, size_t length)
{
    for (size_t k = 0; k < LEVY_MODEL_COUNT; ++k) {
        const char *const *at = levy_model_kinds[k]->factors;
        for (; at && *at; ++at)
            if (strlen(*at) == length && memcmp(*at, name, length) == 0) return *at;
    }
    return NULL;
}

const levy_field *levy_parameter_field(const levy_model_kind *kind, const char *name)
{
    const char *const *at = kind->factors;
    const levy_field *field = kind->table->fields;
    while (at && *at && strcmp(*at, name) != 0) ++at;
    if (!at || !*at) return NULL;
    while (strcmp(field->name, name) != 0) ++field;
    return field;
}

static levy_list *parameter_list(const levy_field *field, const levy_model_terms *terms)
{
    return (levy_list *)(void *)((char *)levy_factor_own(terms) + field->offset);
}

/* The item of an asset: a double or a levy_term; NULL: there is none. */
static void *parameter_item(const levy_field *field, const levy_model_terms *terms, size_t asset)
{
    const levy_list *const list = field ? parameter_list(field, terms) : NULL;
    if (!list || list->count == 0 || (list->count > 1 && asset >= list->count)) return NULL;
    const size_t at = list->count > 1 ? asset : 0;
    if (field->element == LEVY_FIELD_TERM) return (levy_term *)list->items + at;
    return (double *)list->items + at;
}

levy_nodes levy_parameter_nodes(const levy_model_kind *kind, const levy_model_terms *terms,
                                const char *name, size_t asset)
{
    const levy_field *const field = levy_parameter_field(kind, name);
    void *const item = parameter_item(field, terms, asset);
    const levy_term *const term = item && field->element == LEVY_FIELD_TERM ? item : NULL;
    return term ? (levy_nodes){term->n, term->times} : (levy_nodes){item != NULL, NULL};
}

double *levy_parameter_of(const levy_model_kind *kind, const levy_model_terms *terms,
                          const char *name, size_t asset, size_t node)
{
    const levy_field *const field = levy_parameter_field(kind, name);
    void *const item = parameter_item(field, terms, asset);
    return item && field->element == LEVY_FIELD_TERM ? ((levy_term *)item)->values + node : item;
}

levy_written levy_parameter_written(const levy_model_kind *kind, const levy_model_terms *terms,
                                    const char *name, size_t asset)
{
    const levy_field *const field = levy_parameter_field(kind, name);
    void *const item = parameter_item(field, terms, asset);
    levy_term *const term = item && field->element == LEVY_FIELD_TERM ? item : NULL;
    if (term && term->nodes.count) return (levy_written){.nodes[0] = &term->nodes};
    return (levy_written){.value = term ? &term->value : item};
}

/* ---- Copies ---- */

static levy_status parameter_copy(levy_arena *arena, void *items, size_t n, size_t size, void *copy)
{
    void *const own = levy_arena_allocate(arena, n, size);
    if (!own) return LEVY_MEMORY;
    if (items && n) memcpy(own, items, n * size);
    memcpy(copy, &own, sizeof own);
    return LEVY_OK;
}

/* A term whose numbers are its own; times are never written. */
static levy_status parameter_copy_term(levy_arena *arena, levy_term *term)
{
    LEVY_TRY(parameter_copy(arena, term->nodes.items, term->nodes.count, sizeof(levy_time_value),
                            &term->nodes.items));
    return parameter_copy(arena, term->values, term->n, sizeof *term->values, &term->values);
}

levy_status levy_parameters_spread(const levy_model_kind *kind, levy_model_terms *terms, size_t n,
                                   levy_arena *arena)
{
    for (const char *const *name = kind->factors; name && *name; ++name) {
        const levy_field *const field = levy_parameter_field(kind, *name);
        const bool by_term = field->element == LEVY_FIELD_TERM;
        const size_t size = by_term ? sizeof(levy_term) : sizeof(double);
        levy_list *const list = parameter_list(field, terms);
        if (list->count == 0 || (list->count > 1 && list->count != n)) continue;
        char *const own = levy_arena_allocate(arena, n, size);
        if (!own) return LEVY_MEMORY;
        for (size_t a = 0; a < n; ++a) {
            memcpy(own + a * size, parameter_item(field, terms, a), size);
            if (by_term)
                LEVY_TRY(parameter_copy_term(arena, (levy_term *)(void *)(own + a * size)));
        }
        list->items = own;
        list->count = n;
    }
    return LEVY_OK;
}

/* Whether a shift moves a number of one of its nodes. */
static bool parameter_is_moved(const levy_shift *shift, levy_nodes nodes, size_t node)
{
    return shift->node == SIZE_MAX || (nodes.times && nodes.times[node] == shift->time);
}

static void parameter_move(const levy_shift *shift, const levy_model_kind *kind,
                           levy_model_terms *terms, size_t asset)
{
    const levy_nodes nodes = levy_parameter_nodes(kind, terms, shift->parameter, asset);
    for (size_t k = 0; k < nodes.n; ++k) {
        double *const x = levy_parameter_of(kind, terms, shift->parameter, asset, k);
        if (parameter_is_moved(shift, nodes, k)) *x = levy_shift_moves(shift, shift->node, *x);
    }
}

levy_status levy_moved_terms(const levy_moved *moved, const levy_model_kind *kind,
                             const levy_model_terms *terms, const levy_asset *const *assets,
                             size_t n, levy_arena *arena, const levy_model_terms **out)
{
    levy_model_terms *copy = NULL;
    *out = terms;
    for (size_t i = 0; i < moved->n_shifts; ++i) {
        const levy_shift *const shift = &moved->shifts[i];
        for (size_t a = 0; a < n; ++a) {
            if (!levy_shift_hits(shift, LEVY_SHIFT_PARAMETER, assets[a]) || shift->of_jumps ||
                levy_parameter_nodes(kind, terms, shift->parameter, a).n == 0)
                continue;
            if (!copy) {
                copy = levy_arena_allocate(arena, 1, kind->table->size);
                if (!copy) return LEVY_MEMORY;
                memcpy(copy, terms, kind->table->size);
                LEVY_TRY(levy_parameters_spread(kind, copy, n, arena));
                *out = copy;
            }
            parameter_move(shift, kind, copy, a);
        }
    }
    return LEVY_OK;
}

/* Whether all numbers of an asset are within their bounds. */
static bool parameter_is_within(const levy_model_kind *kind, const levy_model_terms *terms,
                                const char *name, size_t asset)
{
    const levy_field *const field = levy_parameter_field(kind, name);
    const size_t n = levy_parameter_nodes(kind, terms, name, asset).n;
    bool within = true;
    for (size_t k = 0; k < n; ++k)
        within = within && levy_bounds_allow(field->low, field->high, field->flags & LEVY_LOW_OPEN,
                                             *levy_parameter_of(kind, terms, name, asset, k));
    return within;
}

const char *levy_parameters_objection(const levy_model_kind *kind, const levy_model_terms *terms,
                                      size_t n)
{
    levy_model_fault fault;
    for (const char *const *name = kind->factors; name && *name; ++name)
        for (size_t a = 0; a < n; ++a)
            if (!parameter_is_within(kind, terms, *name, a))
                return "a number of the model is beyond its bounds";
    for (size_t a = 0; kind->check && a < n; ++a)
        if (!kind->check(terms, a, &fault)) return fault.reason;
    return NULL;
}
