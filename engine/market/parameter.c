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

static levy_list *parameter_list(const levy_field *field, levy_model_terms *terms)
{
    return (levy_list *)(void *)((char *)terms + field->offset);
}

double *levy_parameter_of(const levy_model_kind *kind, const levy_model_terms *terms,
                          const char *name, size_t asset)
{
    const levy_field *const field = levy_parameter_field(kind, name);
    if (!field) return NULL;
    const levy_list *const list =
        (const levy_list *)(const void *)((const char *)terms + field->offset);
    if (list->count == 0 || (list->count > 1 && asset >= list->count)) return NULL;
    return (double *)list->items + (list->count > 1 ? asset : 0);
}

levy_status levy_parameters_spread(const levy_model_kind *kind, levy_model_terms *terms, size_t n,
                                   levy_arena *arena)
{
    for (const char *const *name = kind->factors; name && *name; ++name) {
        levy_list *const list = parameter_list(levy_parameter_field(kind, *name), terms);
        if (list->count == 0 || (list->count > 1 && list->count != n)) continue;
        double *const own = levy_arena_allocate(arena, n, sizeof *own);
        if (!own) return LEVY_MEMORY;
        for (size_t a = 0; a < n; ++a) own[a] = levy_model_number(list, a);
        list->items = own;
        list->count = n;
    }
    return LEVY_OK;
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
            if (!levy_shift_hits(shift, LEVY_SHIFT_PARAMETER, assets[a]) ||
                !levy_parameter_of(kind, terms, shift->parameter, a))
                continue;
            if (!copy) {
                copy = levy_arena_allocate(arena, 1, kind->table->size);
                if (!copy) return LEVY_MEMORY;
                memcpy(copy, terms, kind->table->size);
                LEVY_TRY(levy_parameters_spread(kind, copy, n, arena));
                *out = copy;
            }
            double *const x = levy_parameter_of(kind, copy, shift->parameter, a);
            *x = levy_shift_moves(shift, SIZE_MAX, *x);
        }
    }
    return LEVY_OK;
}

const char *levy_parameters_objection(const levy_model_kind *kind, const levy_model_terms *terms,
                                      size_t n)
{
    levy_model_fault fault;
    for (const char *const *name = kind->factors; name && *name; ++name)
        for (size_t a = 0; a < n; ++a) {
            const levy_field *const field = levy_parameter_field(kind, *name);
            const double *const x = levy_parameter_of(kind, terms, *name, a);
            if (x && !levy_bounds_allow(field->low, field->high, field->flags & LEVY_LOW_OPEN, *x))
                return "a number of the model is beyond its bounds";
        }
    for (size_t a = 0; kind->check && a < n; ++a)
        if (!kind->check(terms, a, &fault)) return fault.reason;
    return NULL;
}
