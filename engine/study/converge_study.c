/* converge_study.c: levy_converge. A method's replicates run once, to the largest size; sums at
 * powers of two come from the summation tree on the way. Sizes below a block (4,096 points) are
 * runs of their own over the same first points: together they cost less than one block per
 * replicate, and every estimate keeps the bits that levy_price gives for its size. The measures of
 * a trade come from the same runs. */
#include "engine/study/study_parts.h"

#include "engine/book/results.h"
#include "engine/plan/dimensions.h"
#include "engine/statistics/convergence.h"
#include <math.h>
#include <string.h>

static uint32_t converge_log2(uint64_t size) { return (uint32_t)__builtin_ctzll(size); }

static uint64_t converge_replicates(const levy_study_job *job, const levy_study_method *method)
{
    return method->randomised ? job->request.replicates : 1;
}

static uint64_t converge_blocks(const levy_study_job *job)
{
    uint64_t total = 0, each = 0;
    for (size_t i = 0; i < job->request.n_trades; ++i) total += levy_study_reference_blocks(job, i);
    for (size_t m = 0; m < job->request.n_methods; ++m) {
        const uint64_t replicates = converge_replicates(job, &job->request.methods[m]);
        if (job->request.last_step) {
            each += levy_steps_blocks(job, replicates);
            continue;
        }
        for (uint64_t n = job->request.first; n < LEVY_BLOCK_PATHS && n < job->request.last; n *= 2)
            each += replicates;
        each += levy_study_blocks(replicates, job->request.last);
    }
    return total + job->request.n_trades * each;
}

/* The studies of one trade: a target each, all from the same runs. */
typedef struct converge_case {
    levy_study_job *job;
    levy_group *groups;
    size_t n_targets;
    const levy_study_target *targets;
    levy_convergence *studies;         /* [target] */
    levy_convergence_method **methods; /* [target][method]: theirs */
} converge_case;

/* ---- One method ---- */

static levy_status converge_allocate(levy_study_job *job, const levy_study_method *method,
                                     levy_convergence_method *result)
{
    levy_arena *arena = &job->study->arena;
    const levy_study_request *const q = &job->request;
    const uint64_t first = q->last_step ? q->first_step : q->first,
                   last = q->last_step ? q->last_step : q->last;
    const size_t n = (size_t)(converge_log2(last) - converge_log2(first)) + 1;
    const uint64_t replicates = converge_replicates(job, method);
    const levy_trade *const trade = &job->problem.trades[0];
    uint64_t *sizes = levy_arena_allocate(arena, n, sizeof *sizes);
    result->smoothing = trade->form == LEVY_FORM_SOFTENED ? "softened" : "plain";
    if (levy_trade_is_integrated(trade)) result->smoothing = "integrated";
    result->method = trade->integrates_as != LEVY_FORM_WRITTEN && !method->named
                         ? levy_arena_format(arena, "%s+%s", method->name, result->smoothing)
                         : levy_arena_copy_text(arena, method->name, strlen(method->name));
    result->generator = method->generator_name;
    result->construction = method->construction_name;
    result->pseudo_random = method->pseudo_random;
    result->replicates = (uint32_t)replicates;
    result->n_sizes = n;
    result->sizes = sizes;
    result->estimates = levy_arena_allocate(arena, replicates * n, sizeof *result->estimates);
    result->rmse = levy_arena_allocate(arena, n, sizeof *result->rmse);
    result->rmse_se = levy_arena_allocate(arena, n, sizeof *result->rmse_se);
    if (q->last_step) {
        result->mean = levy_arena_allocate(arena, n, sizeof *result->mean);
        result->mean_se = levy_arena_allocate(arena, n, sizeof *result->mean_se);
        if (!result->mean || !result->mean_se) return LEVY_MEMORY;
    }
    if (!sizes || !result->method || !result->estimates || !result->rmse || !result->rmse_se)
        return LEVY_MEMORY;
    for (size_t i = 0; i < n; ++i) sizes[i] = first << i;
    return LEVY_OK;
}

/* Takes the estimates of one run: at `points`, and at the powers of two blocks below it. */
static void converge_take(const levy_study_job *job, const levy_study_run *run, uint64_t points,
                          uint32_t n_powers, const levy_study_target *target,
                          const levy_convergence_method *method)
{
    const size_t place = levy_study_target_row(run->plan, target), row = place * method->replicates;
    const double scale = levy_study_target_scale(&job->problem.trades[0], target);
    /* the array is the study's own; only its readers see it as const */
    double *estimates = (double *)(uintptr_t)method->estimates;
    for (size_t i = 0; i < method->n_sizes; ++i)
        for (size_t r = 0; r < method->replicates; ++r) {
            double *estimate = &estimates[r * method->n_sizes + i];
            if (place == SIZE_MAX)
                *estimate = NAN;
            else if (method->sizes[i] == points)
                *estimate = scale * run->sums[row + r].mean;
            else if (n_powers && method->sizes[i] >= LEVY_BLOCK_PATHS) {
                const size_t power = converge_log2(method->sizes[i] / LEVY_BLOCK_PATHS);
                *estimate = scale * run->powers[(row + r) * n_powers + power].mean;
            }
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

static levy_status converge_size(const converge_case *c, size_t m, uint64_t points)
{
    levy_study_run run;
    levy_study_job *const job = c->job;
    const levy_study_method *const method = &job->request.methods[m];
    const uint32_t n_powers =
        points > LEVY_BLOCK_PATHS ? converge_log2(points / LEVY_BLOCK_PATHS) : 0;
    levy_study_set(job, method, c->methods[0][m].replicates, points,
                   job->book->problem->simulation.seed);
    levy_status status = levy_study_simulate(job, &c->groups[0], n_powers, &run);
    for (size_t t = 0; t < c->n_targets && status == LEVY_OK && run.plan; ++t) {
        levy_convergence_method *const result = &c->methods[t][m];
        status = converge_shares(job, run.plan, result);
        converge_take(job, &run, points, n_powers, &c->targets[t], result);
        result->dimensions = run.plan->image->n_draws;
        result->outside_motion = run.plan->image->n_nodes * run.plan->image->auxiliary;
        result->seconds = run.seconds; /* of the last, largest run */
    }
    levy_study_run_release(job, &run);
    return status;
}

static levy_status converge_steps(const converge_case *c, size_t m)
{
    levy_convergence_method **const results =
        levy_arena_allocate(&c->job->scratch, c->n_targets, sizeof *results);
    if (!results) return LEVY_MEMORY;
    for (size_t t = 0; t < c->n_targets; ++t) results[t] = &c->methods[t][m];
    return levy_steps_method(c->job, &c->job->request.methods[m], c->targets, c->n_targets,
                             results);
}

static levy_status converge_method(const converge_case *c, size_t m)
{
    const levy_study_request *const q = &c->job->request;
    for (size_t t = 0; t < c->n_targets; ++t)
        LEVY_TRY(converge_allocate(c->job, &q->methods[m], &c->methods[t][m]));
    if (q->last_step) return converge_steps(c, m);
    for (uint64_t n = q->first; n < LEVY_BLOCK_PATHS && n < q->last; n *= 2)
        LEVY_TRY(converge_size(c, m, n));
    return converge_size(c, m, q->last);
}

static levy_status converge_figures(levy_study_job *job, const levy_convergence *study,
                                    levy_convergence_method *result)
{
    const levy_converge_input input = {.n_replicates = result->replicates,
                                       .n_sizes = result->n_sizes,
                                       .sizes = result->sizes,
                                       .estimates = result->estimates,
                                       .reference = study->reference,
                                       .fit_first = study->fit_first,
                                       .fit_last = study->fit_last,
                                       .resamples = study->resamples};
    levy_converge_figures figures = {.rmse = (double *)(uintptr_t)result->rmse,
                                     .rmse_se = (double *)(uintptr_t)result->rmse_se,
                                     .mean = (double *)(uintptr_t)result->mean,
                                     .mean_se = (double *)(uintptr_t)result->mean_se};
    LEVY_TRY(study->points ? levy_converge_halve(&job->context->memory, &input, &figures)
                           : levy_converge_measure(&job->context->memory, &input, &figures));
    /* the error of one run may be small by chance: no line is fitted to it */
    const bool alone = result->replicates == 1 && !result->pseudo_random;
    result->slope = alone ? NAN : figures.line.slope;
    result->intercept = alone ? NAN : figures.line.intercept;
    result->slope_se = figures.slope_se;
    return LEVY_OK;
}

/* ---- The study ---- */

static levy_status converge_head(levy_study_job *job, const levy_study_target *target,
                                 const levy_study_reference *reference, levy_convergence *study)
{
    levy_arena *arena = &job->study->arena;
    const levy_trade *trade = &job->problem.trades[0];
    study->trade = levy_arena_copy_text(arena, trade->from->raw->id, strlen(trade->from->raw->id));
    study->payoff = levy_arena_copy_text(arena, trade->header.payoff, strlen(trade->header.payoff));
    study->currency =
        levy_arena_copy_text(arena, trade->header.currency, strlen(trade->header.currency));
    study->model = levy_model_kinds[trade->model->kind]->kind;
    study->precision = levy_precision_text(job->problem.simulation.precision);
    study->measure = levy_results_measure_name(target->measure);
    study->factor = target->factor;
    study->reference = reference->value;
    study->reference_se = reference->std_error;
    study->reference_kind = reference->kind;
    study->reference_text = reference->text;
    study->seed = job->book->problem->simulation.seed;
    study->fit_first = job->request.fit_first;
    study->fit_last = job->request.fit_last;
    study->replicates = job->request.replicates;
    study->resamples = job->request.resamples;
    study->target_rmse = job->request.target_rmse;
    study->n_methods = job->request.n_methods;
    study->points = job->request.last_step ? job->request.last : 0;
    return study->trade && study->payoff && study->currency ? LEVY_OK : LEVY_MEMORY;
}

/* A study per target, empty but for its head. */
static levy_status converge_begin(converge_case *c, const levy_study_reference *references)
{
    levy_study *const study = c->job->study;
    const size_t n = c->job->request.n_methods;
    c->methods = levy_arena_allocate(&c->job->scratch, c->n_targets, sizeof *c->methods);
    if (!c->methods) return LEVY_MEMORY;
    for (size_t t = 0; t < c->n_targets; ++t) {
        c->methods[t] = levy_arena_allocate(&study->arena, n, sizeof *c->methods[t]);
        if (!c->methods[t] || !LEVY_ARENA_GROW(&study->arena, study->convergences,
                                               study->n_convergences, study->convergence_room, 8))
            return LEVY_MEMORY;
        levy_convergence *const more = &study->convergences[study->n_convergences++];
        *more = (levy_convergence){.methods = c->methods[t]};
        LEVY_TRY(converge_head(c->job, &c->targets[t], &references[t], more));
    }
    c->studies = study->convergences + study->n_convergences - c->n_targets;
    return LEVY_OK;
}

static levy_status converge_run(converge_case *c)
{
    levy_study_job *const job = c->job;
    size_t n_groups;
    for (size_t m = 0; m < job->request.n_methods; ++m) {
        /* groups may depend on the simulation */
        levy_study_set(job, &job->request.methods[m], 1, job->request.last,
                       job->book->problem->simulation.seed);
        LEVY_TRY(levy_groups_create(&job->problem, &job->scratch, &c->groups, &n_groups));
        LEVY_TRY(converge_method(c, m));
        for (size_t t = 0; t < c->n_targets && !levy_study_has_no_sums(job); ++t)
            LEVY_TRY(converge_figures(job, &c->studies[t], &c->methods[t][m]));
    }
    if (job->request.last_step) {
        if (!levy_study_has_no_sums(job)) levy_steps_refer(c->n_targets, c->studies);
        return LEVY_OK;
    }
    for (size_t t = 0; t < c->n_targets && !levy_study_has_no_sums(job); ++t) {
        levy_converge_compare(&c->studies[t], c->methods[t]);
        levy_converge_warn(job, &c->studies[t]);
    }
    return LEVY_OK;
}

/* A method that is called integrated is. */
static levy_status converge_check_forms(levy_study_job *job)
{
    const levy_trade *const trade = &job->problem.trades[0];
    for (size_t m = 0; m < job->request.n_methods; ++m) {
        if (!job->request.methods[m].integrated || trade->integrates_as != LEVY_FORM_WRITTEN)
            continue;
        levy_fault_add(&job->context->faults, LEVY_REASON_INCONSISTENT, NULL, "methods",
                       "Name the method without +integrated, or another trade.",
                       "'%s': trade '%s' is not integrated over a normal",
                       job->request.methods[m].name, trade->from->raw->id);
        return LEVY_ARGUMENT;
    }
    return LEVY_OK;
}

/* The studies of the job's only trade. */
static levy_status converge_trade(levy_study_job *job)
{
    converge_case c = {.job = job};
    levy_study_target *targets = NULL;
    levy_study_set(job, &job->request.methods[0], 1, job->request.last,
                   job->book->problem->simulation.seed);
    LEVY_TRY(converge_check_forms(job));
    LEVY_TRY(levy_study_targets_find(job, &targets, &c.n_targets));
    if (job->request.has_reference && c.n_targets > 1) {
        levy_fault_add(&job->context->faults, LEVY_REASON_INCONSISTENT, NULL, "reference",
                       "It is one number of one position.",
                       "needs a single measure of one factor; the trade has %zu", c.n_targets);
        return LEVY_ARGUMENT;
    }
    levy_study_reference *const references =
        levy_arena_allocate(&job->scratch, c.n_targets, sizeof *references);
    if (!references) return LEVY_MEMORY;
    LEVY_TRY(levy_study_references_find(job, 0, targets, c.n_targets, references));
    c.targets = targets;
    LEVY_TRY(converge_begin(&c, references));
    return converge_run(&c);
}

levy_status levy_converge_work(levy_study_job *job)
{
    const levy_problem all = job->problem;
    levy_status status = LEVY_OK;
    if (!job->parts) job->total = converge_blocks(job); /* a part knows its own */
    for (size_t i = 0; status == LEVY_OK && i < all.n_trades; ++i) {
        job->problem = all;
        job->problem.trades = &all.trades[i];
        job->problem.n_trades = 1;
        status = converge_trade(job);
    }
    job->problem = all;
    return status;
}
