/* api_plans.h: a book's groups and plans, kept from call to call. New quotes renew a plan's numbers
 * and leave its points alone; the columns of Sobol tables are shared by all groups. Whatever is
 * kept, a plan has the bits of a fresh one. */
#ifndef LEVY_API_PLANS_H
#define LEVY_API_PLANS_H

#include "engine/api.h"
#include "engine/plan/plan.h"

typedef struct levy_api_plans levy_api_plans;

/* After levy_api_book_refresh. The groups live until the book's next refresh. */
levy_status levy_api_plans_prepare(levy_book *book, const levy_group **groups, size_t *n_groups);

/* A group's plan, until it is put back. Errors as of levy_plan_create. */
levy_status levy_api_plans_get(levy_book *book, size_t group, levy_plan **plan, char *why);
void levy_api_plans_put(levy_book *book, size_t group, levy_plan *plan); /* NULL is fine */

void levy_api_plans_destroy(levy_book *book);

#endif
