/* recording.c: see recording.h. */
#include "engine/plan/recording.h"

#include "engine/plan/dynamics_parts.h"
#include "kernels/lane/scalar.h"

#include <string.h>

/* Of a node's flags (image.h), the one by which levels fall. */
static const uint32_t recording_cash = 1u << 31;

/* Numbers that the path loop makes itself, one replicate of them: levy's own are the same in
 * memory.
 */
static void recording_simulate(levy_simulation *s, const levy_recorded *what)
{
    if (levy_simulation_is_quasi(s) || s->supply > LEVY_SUPPLY_NATIVE)
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
    LEVY_TRY(levy_plan_create(of->arena.memory, problem, group, &recording->plan, why));
    levy_image *const image = recording->plan->image;
    uint32_t *const flags = (uint32_t *)(void *)((char *)image + image->flags);
    for (uint32_t node = 0; node < image->n_nodes; ++node) flags[node] &= recording_cash;
    return LEVY_OK; /* the items see no node: nobody asks for what they pay */
}

/* Adds up, node by node, what the logarithms vary by. */
static levy_status recording_covariances(const levy_dynamics_plan *m, size_t n_dates,
                                         const uint32_t *nodes, levy_arena *arena, double *sums)
{
    const size_t n = m->n_assets;
    levy_covariances interval;
    size_t node = 0;
    LEVY_TRY(levy_covariances_begin(m, 0, arena, &interval));
    for (size_t date = 0; date < n_dates; ++date, sums += n * n) {
        if (date) memcpy(sums, sums - n * n, n * n * sizeof *sums);
        for (; node <= nodes[date]; ++node) {
            LEVY_TRY(levy_covariances_next(&interval, node));
            for (size_t i = 0; i < n * n; ++i) sums[i] += interval.covariance[i];
        }
    }
    return LEVY_OK;
}

levy_status levy_recording_law(const levy_plan *of, const levy_moved *market, size_t n_dates,
                               const uint32_t *nodes, levy_arena *arena, const double **means,
                               const double **covariances)
{
    levy_dynamics_plan m;
    levy_problem problem = *of->problem;
    problem.simulation.market = market;
    LEVY_TRY(levy_dynamics_create(&problem, of->group, false, arena, &m));
    const size_t n = m.n_assets;
    double *const forwards = levy_arena_allocate(arena, n_dates * n, sizeof *forwards),
                  *const sums = levy_arena_allocate(arena, n_dates * n * n, sizeof *sums);
    if (!forwards || !sums) return LEVY_MEMORY;
    for (size_t u = 0; u < n; ++u) {
        levy_asset asset;
        LEVY_TRY(levy_dynamics_asset(&m, 0, u, arena, &asset));
        for (size_t date = 0; date < n_dates; ++date)
            forwards[date * n + u] =
                levy_dynamics_spot(&m, 0, u) *
                levy_exp(levy_dynamics_log_forward(&m, 0, &asset, of->group->times[nodes[date]]));
    }
    *means = forwards;
    *covariances = NULL;
    if (!levy_trade_is_lognormal(m.trade)) return LEVY_OK;
    *covariances = sums;
    return recording_covariances(&m, n_dates, nodes, arena, sums);
}

void levy_recording_destroy(levy_recording *recording)
{
    levy_plan_destroy(recording->plan);
    levy_arena_release(&recording->arena);
}
