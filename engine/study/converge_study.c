/* converge_study.c: levy_converge. A method's replicates run once, to the largest size; sums at
 * powers of two come from the summation tree on the way. Sizes below a block (4,096 points) are
 * runs of their own over the same first points: together they cost less than one block per
 * replicate, and every estimate keeps the bits that levy_price gives for its size. */
#include "engine/study/study.h"

#include "engine/plan/dimensions.h"
#include "engine/statistics/convergence.h"
#include "engine/report/report.h"
#include "engine/statistics/stats.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

/* A reference is good enough if its own error is below this share of the smallest error measured
 * against it. */
static const double converge_reference_share = 0.1;

static uint32_t converge_log2(uint64_t size) { return (uint32_t)__builtin_ctzll(size); }

static uint64_t converge_replicates(const levy_study_job *job, const levy_study_method *method)
{
    return method->randomised ? job->request.replicates : 1;
}

static uint64_t converge_blocks(const levy_study_job *job)
{
    uint64_t total = levy_study_reference_blocks(job, 0);
    for (size_t m = 0; m < job->request.n_methods; ++m) {
        const uint64_t replicates = converge_replicates(job, &job->request.methods[m]);
        for (uint64_t n = job->request.first; n < LEVY_BLOCK_PATHS && n < job->request.last; n *= 2)
            total += replicates;
        total += levy_study_blocks(replicates, job->request.last);
    }
    return total;
}

/* ---- One method ---- */

static levy_status converge_allocate(levy_study_job *job, const levy_study_method *method,
                                     levy_convergence_method *result)
{
    levy_arena *arena = &job->study->arena;
    const size_t n =
        (size_t)(converge_log2(job->request.last) - converge_log2(job->request.first)) + 1;
    const uint64_t replicates = converge_replicates(job, method);
    uint64_t *sizes = levy_arena_allocate(arena, n, sizeof *sizes);
    result->method = levy_arena_copy_text(arena, method->name, strlen(method->name));
    result->generator = method->generator_name;
    result->construction = method->construction_name;
    result->pseudo_random = method->pseudo_random;
    result->replicates = (uint32_t)replicates;
    result->n_sizes = n;
    result->sizes = sizes;
    result->estimates = levy_arena_allocate(arena, replicates * n, sizeof *result->estimates);
    result->rmse = levy_arena_allocate(arena, n, sizeof *result->rmse);
    result->rmse_se = levy_arena_allocate(arena, n, sizeof *result->rmse_se);
    if (!sizes || !result->method || !result->estimates || !result->rmse || !result->rmse_se)
        return LEVY_MEMORY;
    for (size_t i = 0; i < n; ++i) sizes[i] = job->request.first << i;
    return LEVY_OK;
}

/* Takes the estimates of one run: at `points`, and at the powers of two blocks below it. */
static void converge_take(const levy_study_job *job, const levy_study_run *run, uint64_t points,
                          uint32_t n_powers, const levy_convergence_method *method,
                          double *estimates)
{
    const size_t row = levy_study_price_row(run->plan, 0) * method->replicates;
    const double scale = job->problem.trades[0].scale;
    for (size_t i = 0; i < method->n_sizes; ++i)
        for (size_t r = 0; r < method->replicates; ++r) {
            double *estimate = &estimates[r * method->n_sizes + i];
            if (method->sizes[i] == points)
                *estimate = scale * run->sums[row + r].mean;
            else if (n_powers && method->sizes[i] >= LEVY_BLOCK_PATHS)
                *estimate = scale * run->powers[(row + r) * n_powers +
                                                converge_log2(method->sizes[i] / LEVY_BLOCK_PATHS)]
                                        .mean;
        }
}

/* The share of the average's variance in the first 1, 2, 4, ... dimensions, and last in all. */
static levy_status converge_shares(levy_study_job *job, const levy_plan *plan,
                                   levy_convergence_method *result)
{
    const uint32_t n = plan->image->n_draws;
    double sum = 0.0;
    if (result->pseudo_random || result->n_shares) return LEVY_OK;
    double *const shares = levy_arena_allocate(&job->scratch, n, sizeof *shares);
    double *const sums = levy_arena_allocate(&job->study->arena, 33, sizeof *sums);
    if (!shares || !sums) return LEVY_MEMORY;
    LEVY_TRY(levy_dimension_average_shares(plan, &job->scratch, shares));
    for (uint32_t d = 0; d < n; ++d) {
        sum += shares[d];
        if (!(d & (d + 1)) || d + 1 == n) sums[result->n_shares++] = sum;
    }
    result->shares = sums;
    result->effective_dimension = levy_dimension_effective(shares, n);
    return LEVY_OK;
}

static levy_status converge_size(levy_study_job *job, const levy_group *group,
                                 const levy_study_method *method, uint64_t points,
                                 levy_convergence_method *result, double *estimates)
{
    levy_study_run run;
    const uint32_t n_powers =
        points > LEVY_BLOCK_PATHS ? converge_log2(points / LEVY_BLOCK_PATHS) : 0;
    levy_study_set(job, method, result->replicates, points, job->book->problem->simulation.seed);
    levy_status status = levy_study_simulate(job, group, n_powers, &run);
    if (status == LEVY_OK) status = converge_shares(job, run.plan, result);
    if (status == LEVY_OK) {
        converge_take(job, &run, points, n_powers, result, estimates);
        result->dimensions = run.plan->image->n_draws;
        result->outside_motion = run.plan->image->n_nodes * run.plan->image->auxiliary;
        result->seconds = run.seconds; /* of the last, largest run */
    }
    levy_study_run_release(job, &run);
    return status;
}

static levy_status converge_method(levy_study_job *job, const levy_group *group,
                                   const levy_study_method *method, levy_convergence_method *result)
{
    LEVY_TRY(converge_allocate(job, method, result));
    /* the array is the study's own; only its readers see it as const */
    double *estimates = (double *)(uintptr_t)result->estimates;
    for (uint64_t n = job->request.first; n < LEVY_BLOCK_PATHS && n < job->request.last; n *= 2)
        LEVY_TRY(converge_size(job, group, method, n, result, estimates));
    return converge_size(job, group, method, job->request.last, result, estimates);
}

static levy_status converge_figures(levy_study_job *job, levy_convergence_method *result)
{
    const levy_convergence *study = &job->study->convergence;
    const levy_converge_input input = {.n_replicates = result->replicates,
                                       .n_sizes = result->n_sizes,
                                       .sizes = result->sizes,
                                       .estimates = result->estimates,
                                       .reference = study->reference,
                                       .fit_first = study->fit_first,
                                       .fit_last = study->fit_last,
                                       .resamples = study->resamples};
    levy_converge_figures figures = {.rmse = (double *)(uintptr_t)result->rmse,
                                     .rmse_se = (double *)(uintptr_t)result->rmse_se};
    LEVY_TRY(levy_converge_measure(&job->context->memory, &input, &figures));
    result->slope = figures.line.slope;
    result->intercept = figures.line.intercept;
    result->slope_se = figures.slope_se;
    return LEVY_OK;
}

/* ---- Warnings ---- */

static void converge_warn_reference(levy_study_job *job)
{
    const levy_convergence *study = &job->study->convergence;
    double smallest = INFINITY;
    char error[LEVY_SCIENTIFIC_SIZE], rmse[LEVY_SCIENTIFIC_SIZE];
    for (size_t m = 0; m < study->n_methods; ++m)
        for (size_t i = 0; i < study->methods[m].n_sizes; ++i)
            if (study->methods[m].rmse[i] < smallest) smallest = study->methods[m].rmse[i];
    if (!(study->reference_se > converge_reference_share * smallest)) return;
    levy_scientific_write(study->reference_se, 3, error);
    levy_scientific_write(smallest, 3, rmse);
    levy_fault_warn(&job->context->faults, LEVY_REASON_RANGE, NULL, "reference",
                    "Give an exact price with --reference, or study fewer points.",
                    "its standard error, %s, is not far below the smallest measured error, "
                    "%s; slopes are too flat",
                    error, rmse);
}

/* If the reference lies far outside the error of the mean over replicates, it is wrong or the
 * method is biased. */
static void converge_warn_bias(levy_study_job *job, const levy_convergence_method *method)
{
    const size_t n = method->replicates, last = method->n_sizes - 1;
    const double reference = job->study->convergence.reference,
                 reference_se = job->study->convergence.reference_se;
    double mean = 0.0, squares = 0.0;
    char distance[LEVY_SCIENTIFIC_SIZE], error[LEVY_SCIENTIFIC_SIZE];
    if (n < 2) return;
    for (size_t r = 0; r < n; ++r)
        mean += method->estimates[r * method->n_sizes + last] / (double)n;
    for (size_t r = 0; r < n; ++r) {
        const double deviation = method->estimates[r * method->n_sizes + last] - mean;
        squares += deviation * deviation;
    }
    const double se =
        levy_sqrt(squares / (double)(n - 1) / (double)n + reference_se * reference_se);
    if (!(se > 0.0) ||
        fabs(mean - reference) <= levy_student_t_two_sided(1.0 - 1e-7, (double)(n - 1)) * se)
        return;
    levy_scientific_write(mean - reference, 3, distance);
    levy_scientific_write(se, 3, error);
    levy_fault_warn(&job->context->faults, LEVY_REASON_INCONSISTENT, NULL, "reference",
                    "Check --reference. In single precision or with few points, expect a "
                    "bias.",
                    "%s differs from the reference by %s, with a standard error of %s: one "
                    "of them is wrong",
                    method->method, distance, error);
}

/* ---- The study ---- */

static levy_status converge_head(levy_study_job *job, levy_convergence *study)
{
    levy_arena *arena = &job->study->arena;
    const levy_trade *trade = &job->problem.trades[0];
    levy_study_reference reference;
    LEVY_TRY(levy_study_reference_find(job, 0, &reference));
    study->trade = levy_arena_copy_text(arena, trade->id, strlen(trade->id));
    study->payoff =
        levy_arena_copy_text(arena, trade->payoff_kind_name, strlen(trade->payoff_kind_name));
    study->currency = levy_arena_copy_text(arena, trade->currency, strlen(trade->currency));
    study->model = levy_model_kinds[trade->model->kind]->kind;
    study->precision = levy_precision_text(job->problem.simulation.precision);
    study->reference = reference.value;
    study->reference_se = reference.std_error;
    study->reference_kind = reference.kind;
    study->reference_text = reference.text;
    study->seed = job->book->problem->simulation.seed;
    study->fit_first = job->request.fit_first;
    study->fit_last = job->request.fit_last;
    study->replicates = job->request.replicates;
    study->resamples = job->request.resamples;
    study->target_rmse = job->request.target_rmse;
    study->n_methods = job->request.n_methods;
    return study->trade && study->payoff && study->currency ? LEVY_OK : LEVY_MEMORY;
}

levy_status levy_converge_work(levy_study_job *job)
{
    levy_convergence *study = &job->study->convergence;
    levy_convergence_method *methods =
        levy_arena_allocate(&job->study->arena, job->request.n_methods, sizeof *methods);
    levy_group *groups;
    size_t n_groups;
    if (!methods) return LEVY_MEMORY;
    job->total = converge_blocks(job);
    LEVY_TRY(converge_head(job, study));
    study->methods = methods;
    for (size_t m = 0; m < study->n_methods; ++m) {
        const levy_study_method *method = &job->request.methods[m];
        levy_study_set(job, method, 1, job->request.last,
                       study->seed); /* groups may depend on the simulation */
        LEVY_TRY(levy_groups_create(&job->problem, &job->scratch, &groups, &n_groups));
        LEVY_TRY(converge_method(job, &groups[0], method, &methods[m]));
        LEVY_TRY(converge_figures(job, &methods[m]));
    }
    levy_converge_compare(study, methods);
    converge_warn_reference(job);
    for (size_t m = 0; m < study->n_methods; ++m) converge_warn_bias(job, &methods[m]);
    return LEVY_OK;
}
