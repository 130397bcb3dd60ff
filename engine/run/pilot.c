/* pilot.c: see pilot.h. */
#include "engine/run/pilot.h"

#include "kernels/lane/scalar.h"

#include <math.h>

enum { PILOT_LEAST = 4, PILOT_SHARE = 20 };

typedef struct pilot_job {
    const levy_backend *backend;
    void *state;
    levy_plan *plan;
    const levy_run_options *how;
    levy_run_times *times;
    char *why;
    levy_arena arena;
    levy_problem problem; /* of the pilot: the plan's, but for its simulation */
    levy_group group;
    double share; /* as of levy_pilot */
} pilot_job;

/* ---- Its grid and its size ---- */

static double pilot_longest(const levy_group *group)
{
    double longest = group->times[0];
    for (size_t k = 1; k < group->n_nodes; ++k)
        longest = fmax(longest, group->times[k] - group->times[k - 1]);
    return longest;
}

/* The sum of the steps' squares. */
static double pilot_squares(const levy_group *group)
{
    double sum = group->times[0] * group->times[0];
    for (size_t k = 1; k < group->n_nodes; ++k) {
        const double step = group->times[k] - group->times[k - 1];
        sum += step * step;
    }
    return sum;
}

/* *found: the grid has fewer steps. */
static levy_status pilot_grid(pilot_job *job, bool *found)
{
    const levy_group *const own = job->plan->group;
    levy_simulation *const s = &job->problem.simulation;
    const double squares = pilot_squares(own), longest = pilot_longest(own),
                 times = 0.5 * own->times[own->n_nodes - 1] / longest; /* two are left */
    /* an interval that is the step but for rounding is one step */
    s->max_step = fmin(fmax(times, 2.0), 8.0) * longest * (1.0 + 1e-9);
    LEVY_TRY(levy_group_step(&job->problem, own, &job->arena, &job->group));
    const double more = pilot_squares(&job->group) - squares;
    *found = more > 0.5 * squares;
    job->share = squares / more;
    return LEVY_OK;
}

static void pilot_size(pilot_job *job)
{
    levy_simulation *const s = &job->problem.simulation;
    const uint64_t points = s->paths / s->replicates,
                   cheap = s->replicates * job->plan->group->n_nodes /
                           (PILOT_SHARE * job->group.n_nodes),
                   least = cheap > PILOT_LEAST ? cheap : PILOT_LEAST;
    if (least < s->replicates) s->replicates = least;
    s->paths = s->replicates * points;
}

/* ---- Its run ---- */

/* Counts no blocks, but lets the caller say that the work shall stop. */
static int pilot_progress(void *user, uint64_t done)
{
    const levy_run_options *const how = user;
    (void)done;
    return how->progress ? how->progress(how->user, 0) : 0;
}

static int pilot_stop(void *user)
{
    const levy_run_options *const how = user;
    return how->stop ? how->stop(how->user) : 0;
}

static bool pilot_same(const levy_image_output *a, const levy_image_output *b)
{
    return a->trade == b->trade && a->measure == b->measure && a->factor == b->factor &&
           a->probe == b->probe && !((a->remarks | b->remarks) & LEVY_OUTPUT_NOT_BUMPED);
}

static levy_status pilot_simulate(pilot_job *job, const levy_plan *plan)
{
    const levy_image *const image = plan->image;
    const levy_image_output *const own =
                                       LEVY_IMAGE_AT(levy_image_output, job->plan->image, outputs),
                                   *const outputs =
                                       LEVY_IMAGE_AT(levy_image_output, image, outputs);
    const size_t n = image->n_replicates;
    const levy_run_options run = {.batch_blocks = job->how->batch_blocks,
                                  .progress = pilot_progress,
                                  .stop = job->how->stop ? pilot_stop : NULL,
                                  .user = (void *)(uintptr_t)job->how};
    levy_run_times times;
    levy_pilot *const pilot = &job->plan->pilot;
    if (!pilot->room)
        pilot->room = levy_arena_allocate(&job->plan->arena,
                                          (size_t)image->n_outputs * job->plan->image->n_replicates,
                                          sizeof *pilot->room);
    tree_sum *const sums = pilot->room;
    if (!sums) return LEVY_MEMORY;
    LEVY_TRY(levy_run_plan(job->arena.memory, job->backend, job->state, plan, &run, sums, &times,
                           job->why));
    for (uint32_t o = 0; o < image->n_outputs; ++o)
        if (!pilot_same(&own[o], &outputs[o])) sums[o * n].mean = NAN;
    job->times->seconds += times.seconds;
    job->times->device_seconds += times.device_seconds;
    *pilot = (levy_pilot){sums, sums, (uint32_t)n, job->share};
    return LEVY_OK;
}

static levy_status pilot_work(pilot_job *job)
{
    char why[LEVY_PLAN_WHY];
    levy_plan *plan = NULL;
    bool found = false;
    LEVY_TRY(pilot_grid(job, &found));
    if (!found) return LEVY_OK;
    pilot_size(job);
    levy_status status =
        levy_plan_create(job->arena.memory, &job->problem, &job->group, &plan, why);
    if (status == LEVY_CANCELLED) return status;
    if (status != LEVY_OK) return LEVY_OK; /* the run itself may be planned all the same */
    if (plan->image->n_outputs == job->plan->image->n_outputs) status = pilot_simulate(job, plan);
    levy_plan_destroy(plan);
    return status;
}

levy_status levy_pilot_run(const levy_backend *backend, void *state, levy_plan *plan,
                           const levy_run_options *how, levy_run_times *times, char *why)
{
    const levy_group *const group = plan->group;
    const levy_simulation *const s = &plan->problem->simulation;
    const levy_model *const model = plan->problem->trades[group->trades[0]].model;
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

/* ---- What the steps leave ---- */

levy_step_bias levy_pilot_bias(const levy_plan *plan, uint32_t o, const tree_sum *sums)
{
    const levy_pilot *const pilot = &plan->pilot;
    const size_t n = pilot->replicates;
    if (!pilot->sums) return (levy_step_bias){NAN, NAN, NAN};
    const tree_sum *const longer = pilot->sums + o * n;
    double mean = 0.0, squares = 0.0;
    for (size_t r = 0; r < n; ++r) mean += (longer[r].mean - sums[r].mean) / (double)n;
    for (size_t r = 0; r < n; ++r) {
        const double apart = longer[r].mean - sums[r].mean - mean;
        squares += apart * apart;
    }
    const double error = n > 1 ? levy_sqrt(squares / (double)(n - 1) / (double)n) : NAN;
    return (levy_step_bias){pilot->share * mean, pilot->share * error, NAN};
}
