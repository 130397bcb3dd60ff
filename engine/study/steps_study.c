/* steps_study.c: the error that a model's steps leave, by studies of levy_converge: a trade at
 * growing numbers of steps to its expiry, on the same points, so that what half steps change has
 * far less noise than either price. The order at which that falls is the scheme's weak order (D.
 * Talay, L. Tubaro, Stochastic Analysis and Applications 8, 1990). See study.h. */
#include "engine/study/study.h"

#include "engine/statistics/convergence.h"

#include <math.h>

bool levy_trade_has_steps(const levy_trade *trade)
{
    return trade->state == LEVY_TRADE_PRICED &&
           levy_model_features(trade->model->kind, trade->model->terms) & LEVY_MODEL_STEPPED;
}

uint64_t levy_steps_blocks(const levy_study_job *job, uint64_t replicates)
{
    uint64_t total = 0;
    for (uint64_t n = job->request.first_step; n <= job->request.last_step; n *= 2)
        total += levy_study_blocks(replicates, job->request.last);
    return total;
}

/* Takes the estimates of one number of steps. */
static void steps_take(const levy_study_job *job, const levy_study_run *run, size_t at,
                       const levy_study_target *target, const levy_convergence_method *result)
{
    const size_t place = levy_study_target_row(run->plan, target), row = place * result->replicates;
    const double scale = levy_study_target_scale(&job->problem.trades[0], target);
    /* the array is the study's own; only its readers see it as const */
    double *const estimates = (double *)(uintptr_t)result->estimates;
    for (size_t r = 0; r < result->replicates; ++r)
        estimates[r * result->n_sizes + at] =
            place == SIZE_MAX ? NAN : scale * run->sums[row + r].mean;
}

static levy_status steps_of(levy_study_job *job, const levy_study_method *method, size_t at,
                            const levy_study_target *targets, size_t n,
                            levy_convergence_method *const *results)
{
    /* an interval that is the step but for rounding is one step */
    const double longest = (1.0 + 1e-9) * job->problem.trades[0].claim.expiry;
    levy_group *groups;
    size_t n_groups;
    levy_study_run run;
    levy_study_set(job, method, results[0]->replicates, job->request.last,
                   job->book->problem->simulation.seed);
    job->problem.simulation.max_step = longest / (double)results[0]->sizes[at];
    LEVY_TRY(levy_groups_create(&job->problem, &job->scratch, &groups, &n_groups));
    const levy_status status = levy_study_simulate(job, &groups[0], 0, &run);
    for (size_t t = 0; t < n && status == LEVY_OK && run.plan; ++t) {
        steps_take(job, &run, at, &targets[t], results[t]);
        results[t]->dimensions = run.plan->image->n_draws;
        results[t]->outside_motion = run.plan->image->n_nodes * run.plan->image->auxiliary;
        results[t]->seconds = run.seconds; /* of the last, longest run */
    }
    levy_study_run_release(job, &run);
    return status;
}

levy_status levy_steps_method(levy_study_job *job, const levy_study_method *method,
                              const levy_study_target *targets, size_t n,
                              levy_convergence_method *const *results)
{
    const double before = job->problem.simulation.max_step;
    levy_status status = LEVY_OK;
    for (size_t t = 0; t < n; ++t) results[t]->seconds_to_target = results[t]->efficiency = NAN;
    for (size_t i = 0; i < results[0]->n_sizes && status == LEVY_OK; ++i)
        status = steps_of(job, method, i, targets, n, results);
    job->problem.simulation.max_step = before;
    return status;
}

void levy_steps_refer(size_t n, levy_convergence *studies)
{
    for (size_t t = 0; t < n; ++t) {
        levy_convergence *const s = &studies[t];
        const levy_convergence_method *const m = &s->methods[0];
        s->target_rmse = NAN;
        if (s->reference_kind) continue;
        s->reference = m->mean[m->n_sizes - 1];
        s->reference_se = m->mean_se[m->n_sizes - 1];
        s->reference_kind = "simulated";
        s->reference_text = "the most steps";
    }
}
