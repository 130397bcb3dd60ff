/* pilot.c: see pilot.h. */
#include "engine/run/pilot.h"

#include "kernels/lane/scalar.h"

#include <math.h>

/* Of eight steps three replicates cost up to a fifth of the run. Two would cost a third less, but a
 * bias far above the error goes unmarked (test_heston.c); one grid alone covers 0 to 99 %. */
enum { PILOT_LEAST = 3, PILOT_SHARE = 16 };

typedef struct pilot_job {
    const levy_backend *backend;
    void *state;
    levy_plan *plan;
    const levy_run_options *how;
    levy_run_times *times;
    char *why;
    levy_arena arena;
    levy_problem problem; /* of the pilot: the plan's, but for its simulation */
    levy_group grids[LEVY_PILOT_GRIDS];
    uint32_t n_grids;
} pilot_job;

/* ---- Its grids and its size ---- */

static const levy_model *pilot_model(const levy_plan *plan)
{
    return plan->problem->trades[plan->group->trades[0]].model;
}

static double pilot_longest(const levy_group *group)
{
    double longest = group->times[0];
    for (size_t k = 1; k < group->n_nodes; ++k)
        longest = fmax(longest, group->times[k] - group->times[k - 1]);
    return longest;
}

/* What the error of an order goes with: the sum of the steps to the power of that and 1. */
static double pilot_sum(const levy_group *group, double order)
{
    double sum = 0.0, from = 0.0;
    for (size_t k = 0; k < group->n_nodes; from = group->times[k++])
        sum += levy_exp((order + 1.0) * levy_log(group->times[k] - from));
    return sum;
}

/* Adds a grid of steps up to so many times the run's longest, if half as much again is left on it
 * as on the one before. */
static levy_status pilot_grid(pilot_job *job, levy_pilot *pilot, double times)
{
    const levy_group *const own = job->plan->group;
    levy_group *const grid = &job->grids[job->n_grids];
    /* an interval that is the step but for rounding is one step */
    job->problem.simulation.max_step = times * pilot_longest(own) * (1.0 + 1e-9);
    LEVY_TRY(levy_group_step(&job->problem, own, &job->arena, grid));
    const levy_group *const before = job->n_grids ? grid - 1 : own;
    if (pilot_sum(grid, 1.0) <= 1.5 * pilot_sum(before, 1.0)) return LEVY_OK;
    for (uint32_t i = 0; i < LEVY_PILOT_ORDERS; ++i) {
        const double more = ((double)i - LEVY_PILOT_ORDER_1) / LEVY_PILOT_PER_ORDER,
                     order = 1.0 + more, sum = pilot_sum(own, order);
        pilot->share[job->n_grids][i] = sum / (pilot_sum(grid, order) - sum);
    }
    job->n_grids++;
    return LEVY_OK;
}

/* Steps eight and sixteen times as long, or of few steps so many that four and two, or two and one
 * are left. */
static levy_status pilot_grids(pilot_job *job, levy_pilot *pilot)
{
    const levy_group *const own = job->plan->group;
    const double steps = own->times[own->n_nodes - 1] / pilot_longest(own),
                 few = fmax(fmin(0.5 * steps, 4.0), 2.0),
                 times = fmin(fmax(0.25 * steps, few), 8.0);
    LEVY_TRY(pilot_grid(job, pilot, times));
    return job->n_grids ? pilot_grid(job, pilot, 2.0 * times) : LEVY_OK;
}

static void pilot_size(pilot_job *job)
{
    levy_simulation *const s = &job->problem.simulation;
    size_t nodes = 0;
    for (uint32_t g = 0; g < job->n_grids; ++g) nodes += job->grids[g].n_nodes;
    const uint64_t points = s->paths / s->replicates,
                   cheap = s->replicates * job->plan->group->n_nodes / (PILOT_SHARE * nodes),
                   least = cheap > PILOT_LEAST ? cheap : PILOT_LEAST;
    if (least < s->replicates) s->replicates = least;
    s->paths = s->replicates * points;
}

/* ---- Its run ---- */

static bool pilot_same(const levy_image_output *a, const levy_image_output *b)
{
    return a->trade == b->trade && a->measure == b->measure && a->factor == b->factor &&
           a->probe == b->probe && !((a->remarks | b->remarks) & LEVY_OUTPUT_NOT_BUMPED);
}

static levy_status pilot_simulate(pilot_job *job, const levy_plan *plan, tree_sum *sums)
{
    const levy_image *const image = plan->image;
    const levy_image_output *const own =
                                       LEVY_IMAGE_AT(levy_image_output, job->plan->image, outputs),
                                   *const outputs =
                                       LEVY_IMAGE_AT(levy_image_output, image, outputs);
    const size_t n = image->n_replicates;
    levy_run_options run = levy_run_within(job->how);
    levy_run_times times;
    run.no_probes = true;
    LEVY_TRY(levy_run_plan(job->arena.memory, job->backend, job->state, plan, &run, sums, &times,
                           job->why));
    for (uint32_t o = 0; o < image->n_outputs; ++o)
        if (!pilot_same(&own[o], &outputs[o])) sums[o * n].mean = NAN;
    job->times->seconds += times.seconds;
    job->times->device_seconds += times.device_seconds;
    return LEVY_OK;
}

/* *found: the grid could be planned, as the run is planned all the same if it cannot. */
static levy_status pilot_try(pilot_job *job, const levy_group *grid, tree_sum *sums, bool *found)
{
    const uint32_t n_outputs = job->plan->image->n_outputs;
    char why[LEVY_PLAN_WHY];
    levy_plan *plan = NULL;
    levy_status status = levy_plan_create(job->arena.memory, &job->problem, grid, &plan, why);
    if (status == LEVY_CANCELLED) return status;
    *found = status == LEVY_OK && plan->image->n_outputs == n_outputs;
    if (status != LEVY_OK) return LEVY_OK;
    if (*found) status = pilot_simulate(job, plan, sums);
    levy_plan_destroy(plan);
    return status;
}

static levy_status pilot_work(pilot_job *job)
{
    const levy_image *const image = job->plan->image;
    levy_pilot pilot = job->plan->pilot;
    const levy_model *const model = pilot_model(job->plan);
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    /* by a root a payment abroad drifts, which is not smooth where a variance reaches 0 */
    const bool paid = image->parts[LEVY_PART_DIFFUSION].constants[0] & LEVY_MODEL_PAID;
    const double shown =
                     kind->order ? kind->order(model->terms, pilot_longest(job->plan->group)) : 1.0,
                 least = paid ? fmin(shown, 1.0) : shown;
    pilot.least = (uint32_t)lround(LEVY_PILOT_ORDER_1 + (least - 1.0) * LEVY_PILOT_PER_ORDER);
    pilot.most = LEVY_PILOT_ORDERS - 1;
    LEVY_TRY(pilot_grids(job, &pilot));
    if (job->n_grids == 0) return LEVY_OK;
    pilot_size(job);
    const size_t n = job->problem.simulation.replicates;
    if (!pilot.room)
        pilot.room = levy_arena_allocate(
            &job->plan->arena, (size_t)LEVY_PILOT_GRIDS * image->n_outputs * image->n_replicates,
            sizeof *pilot.room);
    if (!pilot.room) return LEVY_MEMORY;
    job->plan->pilot.room = pilot.room;
    bool found = true;
    for (pilot.grids = 0; found && pilot.grids < job->n_grids; pilot.grids += found)
        LEVY_TRY(pilot_try(job, &job->grids[pilot.grids],
                           pilot.room + pilot.grids * image->n_outputs * n, &found));
    pilot.replicates = (uint32_t)n;
    pilot.sums = pilot.grids ? pilot.room : NULL;
    job->plan->pilot = pilot;
    return LEVY_OK;
}

levy_status levy_pilot_run(const levy_backend *backend, void *state, levy_plan *plan,
                           const levy_run_options *how, levy_run_times *times, char *why)
{
    const levy_group *const group = plan->group;
    const levy_simulation *const s = &plan->problem->simulation;
    const levy_model *const model = pilot_model(plan);
    pilot_job job = {.backend = backend,
                     .state = state,
                     .plan = plan,
                     .how = how,
                     .times = times,
                     .why = why,
                     .problem = *plan->problem};
    if (!s->step_bias || plan->pilot.sums || plan->still || group->fits || s->tolerance.asked ||
        s->supply == LEVY_SUPPLY_CALLER || levy_group_is_still(group) ||
        !(levy_model_features(model->kind, model->terms) & LEVY_MODEL_STEPPED))
        return LEVY_OK;
    why[0] = '\0';
    levy_arena_init(&job.arena, plan->arena.memory);
    const levy_status status = pilot_work(&job);
    levy_arena_release(&job.arena);
    return status;
}
