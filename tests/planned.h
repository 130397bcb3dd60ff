/* planned.h: the plan of a fixture's first group, and what came of planning it. */
#ifndef LEVY_TESTS_PLANNED_H
#define LEVY_TESTS_PLANNED_H

#include "tests/cmocka_all.h"

#include "tests/fixture.h"

typedef struct planned {
    levy_arena arena;
    levy_group *groups;
    size_t n_groups;
    levy_plan *plan;
    char why[LEVY_PLAN_WHY];
    levy_status status;
} planned;

static inline void plan(planned *p, const fixture *f)
{
    levy_arena_init(&p->arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(&f->problem, &p->arena, &p->groups, &p->n_groups), LEVY_OK);
    p->plan = NULL;
    p->status = levy_plan_create(&levy_memory_default, &f->problem, p->groups, &p->plan, p->why);
}

static inline void unplan(planned *p)
{
    levy_plan_destroy(p->plan);
    levy_arena_release(&p->arena);
}

#endif
