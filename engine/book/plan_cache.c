/* plan_cache.c: see plan_cache.h. */
#include "engine/book/plan_cache.h"

#include <string.h>

/* Memory for the plans of a book. A book that is priced once gains nothing from kept plans, so
 * little is kept until it is priced again. */
static const size_t plans_first_bytes = (size_t)32 << 20, plans_most_bytes = (size_t)256 << 20;

typedef struct plans_slot {
    levy_plan *plan; /* NULL: none kept */
    size_t bytes;
    uint64_t generation;
    bool stale; /* the plan can only be destroyed: another has been made, or could not be */
} plans_slot;

struct levy_plan_cache {
    levy_point_tables *tables;
    levy_arena arena; /* the groups */
    levy_group *groups;
    size_t n_groups;
    uint64_t generation;            /* of the groups; 0: none */
    uint64_t uses;                  /* calls of levy_plan_cache_prepare */
    plans_slot *slots;              /* [n_groups] */
    size_t bytes;                   /* of the plans kept */
    uint64_t told, told_generation; /* the device that has noted all plans, and for which quotes */
};

static void plans_forget(levy_plan_cache *plans, const levy_memory *memory)
{
    for (size_t i = 0; plans->slots && i < plans->n_groups; ++i)
        levy_plan_destroy(plans->slots[i].plan);
    levy_memory_release(memory, plans->slots);
    plans->slots = NULL;
    plans->bytes = 0;
}

void levy_plan_cache_forget(levy_book *book)
{
    if (book->plans) plans_forget(book->plans, &book->context->planning);
}

void levy_plan_cache_destroy(levy_book *book)
{
    levy_plan_cache *plans = book->plans;
    const levy_memory *memory = &book->context->planning;
    if (!plans) return;
    plans_forget(plans, memory);
    levy_point_tables_destroy(plans->tables);
    levy_arena_release(&plans->arena);
    levy_memory_release(memory, plans);
    book->plans = NULL;
}

static levy_status plans_create(levy_book *book)
{
    const levy_memory *memory = &book->context->planning;
    levy_plan_cache *made = levy_memory_allocate(memory, 1, sizeof *made);
    if (!made) return LEVY_MEMORY;
    levy_arena_init(&made->arena, memory);
    book->plans = made;
    const levy_status status = levy_point_tables_create(memory, &made->tables);
    if (status != LEVY_OK) levy_plan_cache_destroy(book);
    return status;
}

static bool plans_same_groups(const levy_plan_cache *plans, const levy_group *groups,
                              size_t n_groups)
{
    if (!plans->slots || plans->n_groups != n_groups) return false;
    for (size_t i = 0; i < n_groups; ++i)
        if (groups[i].n_trades != plans->groups[i].n_trades ||
            memcmp(groups[i].trades, plans->groups[i].trades,
                   groups[i].n_trades * sizeof *groups[i].trades) != 0)
            return false;
    return true;
}

/* New quotes may have moved trades to other groups. Then no plan can be renewed, and all are
 * dropped. */
static levy_status plans_regroup(levy_book *book)
{
    levy_plan_cache *plans = book->plans;
    const levy_memory *memory = &book->context->planning;
    levy_arena arena;
    levy_group *groups = NULL;
    size_t n = 0;
    levy_arena_init(&arena, memory);
    levy_status status = levy_groups_create(book->problem, &arena, &groups, &n);
    if (status == LEVY_OK && !plans_same_groups(plans, groups, n)) {
        plans_slot *slots = levy_memory_allocate(memory, n, sizeof *slots);
        if (slots) {
            plans_forget(plans, memory);
            plans->slots = slots;
        } else {
            status = LEVY_MEMORY;
        }
    }
    if (status != LEVY_OK) {
        levy_arena_release(&arena);
        return status;
    }
    levy_arena_release(&plans->arena);
    plans->arena = arena;
    plans->groups = groups;
    plans->n_groups = n;
    plans->generation = book->generation;
    return LEVY_OK;
}

levy_status levy_plan_cache_prepare(levy_book *book, const levy_group **groups, size_t *n_groups)
{
    if (!book->plans) LEVY_TRY(plans_create(book));
    if (book->plans->generation != book->generation) LEVY_TRY(plans_regroup(book));
    book->plans->uses++;
    *groups = book->plans->groups;
    *n_groups = book->plans->n_groups;
    return LEVY_OK;
}

static void plans_drop(levy_plan_cache *plans, plans_slot *slot)
{
    plans->bytes -= slot->bytes;
    levy_plan_destroy(slot->plan);
    *slot = (plans_slot){.plan = NULL};
}

levy_status levy_plan_cache_make(levy_book *book, const levy_memory *memory, size_t group,
                                 levy_plan **plan, char *why)
{
    const levy_plan_cache *const plans = book->plans;
    plans_slot *const slot = &plans->slots[group];
    const levy_group *const of = &plans->groups[group];
    why[0] = '\0';
    *plan = NULL;
    if (!slot->plan || slot->stale)
        return levy_plan_create_with(memory, plans->n_groups > 1 ? plans->tables : NULL,
                                     book->problem, of, plan, why);
    if (slot->generation == book->generation) {
        *plan = slot->plan;
        return LEVY_OK;
    }
    const levy_status status =
        levy_plan_renew(slot->plan, memory, plans->tables, book->problem, of, plan, why);
    if (status != LEVY_OK) return status;
    slot->stale = *plan != slot->plan;
    slot->generation = book->generation;
    return LEVY_OK;
}

bool levy_plan_cache_adopt(levy_book *book, size_t group, levy_plan *plan)
{
    plans_slot *const slot = &book->plans->slots[group];
    if (plan == slot->plan) return true;
    const bool adopted = levy_arena_hand_over(&plan->arena, &book->context->planning);
    if (!adopted) levy_plan_destroy(plan);
    if (slot->stale) plans_drop(book->plans, slot); /* it was there while the other was made */
    return adopted;
}

void levy_plan_cache_tell(levy_book *book, uint64_t device)
{
    book->plans->told = device;
    book->plans->told_generation = book->generation;
}

bool levy_plan_cache_is_told(const levy_book *book, uint64_t device)
{
    const levy_plan_cache *const plans = book->plans;
    size_t kept = 0;
    if (plans->told != device || plans->told_generation != book->generation) return false;
    while (kept < plans->n_groups && plans->slots[kept].plan && !plans->slots[kept].stale &&
           plans->slots[kept].generation == book->generation)
        ++kept;
    return kept == plans->n_groups;
}

void levy_plan_cache_discard(levy_book *book, size_t group, levy_plan *plan)
{
    if (plan != book->plans->slots[group].plan) levy_plan_destroy(plan);
}

levy_status levy_plan_cache_get(levy_book *book, size_t group, levy_plan **plan, char *why)
{
    plans_slot *const slot = &book->plans->slots[group];
    const levy_status status =
        levy_plan_cache_make(book, &book->context->planning, group, plan, why);
    if (slot->plan && (slot->stale || status != LEVY_OK)) plans_drop(book->plans, slot);
    return status;
}

/* Keeps the plan if `most` bytes of plans have room for it. */
static bool plans_keep(levy_book *book, size_t group, levy_plan *plan, size_t most)
{
    levy_plan_cache *plans = book->plans;
    plans_slot *slot = &plans->slots[group];
    if (!plan || plan == slot->plan) return true;
    const size_t bytes = plan->arena.used;
    if (bytes > most || plans->bytes > most - bytes) {
        levy_plan_destroy(plan);
        return false;
    }
    *slot = (plans_slot){.plan = plan, .bytes = bytes, .generation = book->generation};
    plans->bytes += bytes;
    return true;
}

void levy_plan_cache_put(levy_book *book, size_t group, levy_plan *plan)
{
    plans_keep(book, group, plan, book->plans->uses > 1 ? plans_most_bytes : plans_first_bytes);
}

bool levy_plan_cache_keep(levy_book *book, size_t group, levy_plan *plan)
{
    return plans_keep(book, group, plan, plans_most_bytes);
}
