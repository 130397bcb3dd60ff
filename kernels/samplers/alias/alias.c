/* alias.c: see alias.h. Life of a table, and the words for weights that are refused. */
#include "kernels/samplers/alias/alias.h"

#include "engine/base/number.h"
#include "kernels/samplers/alias/alias_build.h"

#include <stdio.h>

levy_status levy_alias_create(const levy_memory *memory, uint64_t capacity, levy_alias **alias)
{
    *alias = NULL;
    if (capacity > LEVY_ALIAS_LIMIT) return LEVY_ARGUMENT;
    levy_alias *const a = levy_memory_allocate(memory, 1, sizeof *a);
    if (!a) return LEVY_MEMORY;
    a->memory = memory;
    a->capacity = capacity;
    a->rows = levy_memory_allocate(memory, capacity ? (size_t)capacity : 1, sizeof *a->rows);
    if (!a->rows) {
        levy_memory_release(memory, a);
        return LEVY_MEMORY;
    }
    *alias = a;
    return LEVY_OK;
}

void levy_alias_destroy(levy_alias *alias)
{
    if (!alias) return;
    levy_memory_release(alias->memory, alias->scratch);
    levy_memory_release(alias->memory, alias->rows);
    levy_memory_release(alias->memory, alias);
}

void *levy_alias_scratch(levy_alias *alias, size_t size)
{
    if (size <= alias->scratch_size) return alias->scratch;
    levy_memory_release(alias->memory, alias->scratch);
    alias->scratch = levy_memory_allocate(alias->memory, size, 1);
    alias->scratch_size = alias->scratch ? size : 0;
    return alias->scratch;
}

void levy_alias_crew_run(const levy_alias_crew *crew, void (*work)(void *user, uint32_t worker),
                         void *user)
{
    if (alias_crew_size(crew) == 1)
        work(user, 0);
    else
        crew->run(crew->pool, work, user);
}

levy_status levy_alias_build(levy_alias *alias, const levy_alias_weights *weights,
                             levy_alias_method method, const levy_alias_crew *crew,
                             levy_alias_fault *fault)
{
    *fault = (levy_alias_fault){LEVY_ALIAS_FINE, 0, 0.0};
    alias->count = 0;
    if (weights->count == 0 || weights->count > LEVY_ALIAS_LIMIT) {
        *fault = (levy_alias_fault){LEVY_ALIAS_COUNT, weights->count, 0.0};
        return LEVY_INPUT;
    }
    if (weights->count > alias->capacity) return LEVY_ARGUMENT;
    LEVY_TRY(levy_alias_sum(alias, weights, crew, fault));
    levy_alias_scale_set(&alias->scale, alias->total, alias->total_shift, weights->count);
    levy_status status = LEVY_ARGUMENT;
    switch (method) {
    case LEVY_ALIAS_VOSE:
        status = levy_alias_build_vose(alias, weights);
        break;
    case LEVY_ALIAS_SWEEP:
        status = levy_alias_build_sweep(alias, weights);
        break;
    case LEVY_ALIAS_PSA:
        status = levy_alias_build_psa(alias, weights, crew, false);
        break;
    case LEVY_ALIAS_PSA_PLUS:
        status = levy_alias_build_psa(alias, weights, crew, true);
        break;
    }
    if (status == LEVY_OK) alias->count = weights->count;
    return status;
}

void levy_alias_fault_text(const levy_alias_fault *fault, char *text, size_t size)
{
    char value[LEVY_NUMBER_SIZE];
    levy_number_write(fault->value, value);
    const unsigned long long index = fault->index;
    switch (fault->reason) {
    case LEVY_ALIAS_FINE:
        snprintf(text, size, "the weights are fine");
        return;
    case LEVY_ALIAS_COUNT:
        snprintf(text, size, "%llu weights: from 1 to %u can be drawn from", index,
                 LEVY_ALIAS_LIMIT);
        return;
    case LEVY_ALIAS_ALL_ZERO:
        snprintf(text, size, "all weights are 0: one at least must be more");
        return;
    case LEVY_ALIAS_NAN:
        snprintf(text, size,
                 "weights[%llu] is not a number: a weight must be a finite number, 0 or more",
                 index);
        return;
    case LEVY_ALIAS_INFINITE:
        snprintf(text, size,
                 "weights[%llu] is infinite: a weight must be a finite number, 0 or more", index);
        return;
    case LEVY_ALIAS_NEGATIVE:
        snprintf(text, size, "weights[%llu] is %s: a weight must be a finite number, 0 or more",
                 index, value);
        return;
    }
}
