/* recording.c: see recording.h. */
#include "engine/plan/recording.h"

/* Numbers that the path loop makes itself, one replicate of them. */
static void recording_simulate(levy_simulation *s, const levy_recorded *what)
{
    if (levy_simulation_is_quasi(s) || s->supply != LEVY_SUPPLY_NONE)
        s->generator = LEVY_GENERATOR_SOBOL_SCRAMBLED;
    s->supply = LEVY_SUPPLY_NONE;
    s->net = NULL;
    s->points = NULL;
    s->shift_only = false;
    s->paths = what->paths;
    s->seed = what->seed;
    s->replicates = 1;
    s->precision = LEVY_PRECISION_DOUBLE;
    s->measures = LEVY_MEASURE_PRICE;
    s->tolerance.asked = false;
    s->records = true;
    s->purpose = what->purpose;
    s->market = what->market;
}

levy_status levy_recording_create(const levy_plan *of, const levy_recorded *what,
                                  levy_recording *recording, char *why)
{
    *recording = (levy_recording){.plan = NULL};
    levy_arena_init(&recording->arena, of->arena.memory);
    levy_problem *const problem = levy_arena_allocate(&recording->arena, 1, sizeof *problem);
    levy_group *const group = levy_arena_allocate(&recording->arena, 1, sizeof *group);
    levy_trade *const own = levy_arena_allocate(&recording->arena, 1, sizeof *own);
    uint32_t *const number = levy_arena_allocate(&recording->arena, 1, sizeof *number);
    if (!problem || !group || !own || !number) return LEVY_MEMORY;
    *own = of->problem->trades[of->group->trades[what->trade]];
    own->measures = LEVY_MEASURE_PRICE;
    own->stage = NULL;
    own->early = NULL;
    *problem = *of->problem;
    problem->trades = own;
    problem->n_trades = 1;
    problem->n_scenarios = 0;
    recording_simulate(&problem->simulation, what);
    *group = *of->group;
    group->n_trades = 1;
    group->trades = number;
    group->fits = false;
    recording->problem = problem;
    recording->group = group;
    return levy_plan_create(of->arena.memory, problem, group, &recording->plan, why);
}

void levy_recording_destroy(levy_recording *recording)
{
    levy_plan_destroy(recording->plan);
    levy_arena_release(&recording->arena);
}
