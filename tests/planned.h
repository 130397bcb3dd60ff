/* planned.h: the plan of a problem's first group, such as a fixture's, and what came of planning
 * it. */
#ifndef LEVY_TESTS_PLANNED_H
#define LEVY_TESTS_PLANNED_H

#include "tests/cmocka_all.h"

#include "tests/fixture.h"
#include "tests/near.h"

typedef struct planned {
    levy_arena arena;
    levy_group *groups;
    size_t n_groups;
    levy_plan *plan;
    char why[LEVY_PLAN_WHY];
    levy_status status;
} planned;

static inline void plan_problem(planned *p, const levy_problem *problem)
{
    levy_arena_init(&p->arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(problem, &p->arena, &p->groups, &p->n_groups), LEVY_OK);
    p->plan = NULL;
    p->status = levy_plan_create(&levy_memory_default, problem, p->groups, &p->plan, p->why);
}

static inline void plan(planned *p, const fixture *f) { plan_problem(p, &f->problem); }

static inline void unplan(planned *p)
{
    levy_plan_destroy(p->plan);
    levy_arena_release(&p->arena);
}

/* That a map of normals to nodes, [draw][node], makes a Brownian motion at these times. */
static inline void assert_brownian(const double *matrix, const double *clock, uint32_t n,
                                   double tolerance)
{
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t k = 0; k <= i; ++k) {
            double covariance = 0.0;
            for (uint32_t j = 0; j < n; ++j) covariance += matrix[j * n + i] * matrix[j * n + k];
            assert_near(covariance, clock[k], tolerance * clock[n - 1]);
        }
}

#endif
