/* plan_cache.h: a book's groups and plans, kept from call to call. New quotes renew a plan's
 * numbers but not its points. All groups share the columns of Sobol tables. A plan has the bits of
 * a fresh one, whatever is kept. */
#ifndef LEVY_BOOK_PLAN_CACHE_H
#define LEVY_BOOK_PLAN_CACHE_H

#include "engine/book/handles.h"
#include "engine/plan/plan.h"

typedef struct levy_plan_cache levy_plan_cache;

/* Called after levy_book_refresh. The groups live until the book's next refresh. */
levy_status levy_plan_cache_prepare(levy_book *book, const levy_group **groups, size_t *n_groups);

/* Lends a group's plan until it is put back. Fails as levy_plan_create does. */
levy_status levy_plan_cache_get(levy_book *book, size_t group, levy_plan **plan, char *why);
/* The same in two steps: any thread may make the plan, if no other works on that group; the thread
 * of the book adopts it, or calls levy_plan_cache_get after a failure. `memory` has the functions
 * of the context's and a meter for this plan alone. False: the context's meter has no room for so
 * much, and the plan is gone. */
levy_status levy_plan_cache_make(levy_book *book, const levy_memory *memory, size_t group,
                                 levy_plan **plan, char *why);
bool levy_plan_cache_adopt(levy_book *book, size_t group, levy_plan *plan);
/* Notes that a device (levy_call_device.number) was told of all groups' plans; whether it was, and
 * all of them are still kept, on the quotes of now. */
void levy_plan_cache_tell(levy_book *book, uint64_t device);
bool levy_plan_cache_is_told(const levy_book *book, uint64_t device);
/* Instead of adopting it. NULL is fine. */
void levy_plan_cache_discard(levy_book *book, size_t group, levy_plan *plan);
void levy_plan_cache_put(levy_book *book, size_t group, levy_plan *plan); /* NULL is fine */
/* The same for a plan that this call will want again: true if it is kept until then. */
bool levy_plan_cache_keep(levy_book *book, size_t group, levy_plan *plan);

/* Drops all plans: other settings may draw other points, which renewing keeps. */
void levy_plan_cache_forget(levy_book *book);
void levy_plan_cache_destroy(levy_book *book);

#endif
