/* coverage_study.c: levy_coverage: the same trades under many seeds, first seed the book's; how
 * often the interval that levy_price would give holds the exact price. Trades of one group share
 * their draws, as in a book. */
#include "engine/study/study.h"

#include "engine/statistics/estimate.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

typedef struct coverage_tally {
    levy_study_reference reference;
    uint32_t intervals, covered, covered_unmarked, within;
    double half_widths, squares, points;
} coverage_tally;

typedef struct coverage_work {
    levy_study_job *job;
    const levy_study_method *method;
    coverage_tally *tallies; /* [trade of the job] */
    levy_moments *moments;   /* [replicate] */
    uint64_t replicates, points;
    double quantile; /* of Student's t for the replicates */
} coverage_work;

/* The tolerance that the book asks for. NaN: none, and no error is within it. */
static double coverage_tolerance(const coverage_work *w, double price)
{
    const levy_tolerance *tolerance = &w->job->problem.simulation.tolerance;
    const double relative = tolerance->relative * fabs(price);
    if (!tolerance->asked) return NAN;
    return tolerance->absolute > relative ? tolerance->absolute : relative;
}

static void coverage_count(const coverage_work *w, size_t trade, const levy_study_run *run,
                           size_t row)
{
    const tree_sum *sums = &run->sums[row * w->replicates];
    coverage_tally *tally = &w->tallies[trade];
    const levy_estimate e = levy_output_estimate(run->plan, (uint32_t)row, sums,
                                                 levy_spread_of(sums, (size_t)w->replicates),
                                                 w->job->problem.simulation.confidence, w->moments);
    const double scale = w->job->problem.trades[trade].scale,
                 exact = tally->reference.value / scale;
    const double distance = fabs(e.value - exact);
    tally->squares += distance * distance * scale * scale;
    tally->points += sums[0].n;
    tally->within += distance * fabs(scale) <= coverage_tolerance(w, e.value * scale);
    const bool given = isfinite(e.ci_low) && isfinite(e.ci_high);
    const bool holds =
        given ? e.ci_low <= exact && exact <= e.ci_high : distance <= w->quantile * e.std_error;
    tally->covered_unmarked += holds;
    if (!given) return;
    tally->intervals++;
    tally->covered += holds;
    tally->half_widths += 0.5 * (e.ci_high - e.ci_low) * fabs(scale);
}

static levy_status coverage_seed(const coverage_work *w, const levy_group *group, uint64_t seed)
{
    levy_study_run run;
    levy_study_set(w->job, w->method, w->replicates, w->points, seed);
    const levy_status status = levy_study_simulate(w->job, group, 0, &run);
    for (uint32_t t = 0; status == LEVY_OK && run.plan && t < group->n_trades; ++t)
        coverage_count(w, group->trades[t], &run, levy_study_price_row(run.plan, t));
    levy_study_run_release(w->job, &run);
    return status;
}

static void coverage_row(const coverage_work *w, size_t trade, levy_coverage_row *row)
{
    const coverage_tally *tally = &w->tallies[trade];
    const double seeds = (double)row->seeds, given = (double)tally->intervals;
    row->reference = tally->reference.value;
    row->reference_se = tally->reference.std_error;
    row->reference_kind = tally->reference.kind;
    row->points = w->points;
    row->replicates = (uint32_t)w->replicates;
    row->intervals = tally->intervals;
    row->covered = tally->covered;
    row->coverage = tally->intervals ? tally->covered / given : NAN;
    row->coverage_se =
        tally->intervals ? levy_sqrt(row->coverage * (1.0 - row->coverage) / given) : NAN;
    row->coverage_unmarked = tally->covered_unmarked / seeds;
    row->mean_half_width = tally->intervals ? tally->half_widths / given : NAN;
    row->rmse = levy_sqrt(tally->squares / seeds);
    row->mean_points = tally->points / seeds;
    row->within_tolerance =
        w->job->problem.simulation.tolerance.asked ? tally->within / seeds : NAN;
}

/* A pseudo-random method has one replicate, with as many paths as the others have in all. */
static levy_status coverage_method(levy_study_job *job, const levy_study_method *method,
                                   coverage_work *w, levy_coverage_row *rows)
{
    const levy_study_request *q = &job->request;
    const double confidence = job->problem.simulation.confidence;
    levy_group *groups;
    size_t n_groups;
    w->method = method;
    w->replicates = method->pseudo_random ? 1 : q->replicates;
    w->points = method->pseudo_random ? q->first * q->replicates : q->first;
    w->quantile = method->pseudo_random
                      ? levy_normal_two_sided(confidence)
                      : levy_student_t_two_sided(confidence, (double)(q->replicates - 1));
    for (size_t i = 0; i < q->n_trades; ++i)
        w->tallies[i] = (coverage_tally){.reference = w->tallies[i].reference};
    levy_study_set(job, method, w->replicates, w->points, 0);
    LEVY_TRY(levy_groups_create(&job->problem, &job->scratch, &groups, &n_groups));
    for (size_t g = 0; g < n_groups; ++g)
        for (uint32_t s = 0; s < q->seeds; ++s)
            LEVY_TRY(coverage_seed(w, &groups[g], job->study->coverage.first_seed + s));
    for (size_t i = 0; i < q->n_trades; ++i) {
        const levy_trade *trade = &job->problem.trades[i];
        rows[i].trade = levy_arena_copy_text(&job->study->arena, trade->id, strlen(trade->id));
        rows[i].payoff = levy_arena_copy_text(&job->study->arena, trade->payoff_kind_name,
                                              strlen(trade->payoff_kind_name));
        rows[i].method =
            levy_arena_copy_text(&job->study->arena, method->name, strlen(method->name));
        rows[i].seeds = q->seeds;
        if (!rows[i].trade || !rows[i].payoff || !rows[i].method) return LEVY_MEMORY;
        coverage_row(w, i, &rows[i]);
    }
    return LEVY_OK;
}

/* The blocks of a study, counted as if each trade ran alone: the trades of a group share a run, but
 * the number of groups depends on the method. */
static uint64_t coverage_blocks(const levy_study_job *job)
{
    const levy_study_request *q = &job->request;
    uint64_t total = 0;
    for (size_t i = 0; i < q->n_trades; ++i) total += levy_study_reference_blocks(job, i);
    return total + (uint64_t)q->seeds * q->n_methods * q->n_trades *
                       levy_study_blocks(q->replicates, q->first);
}

levy_status levy_coverage_work(levy_study_job *job)
{
    const levy_study_request *q = &job->request;
    levy_coverage_table *table = &job->study->coverage;
    coverage_work w = {.job = job};
    levy_coverage_row *rows =
        levy_arena_allocate(&job->study->arena, q->n_methods * q->n_trades, sizeof *rows);
    w.tallies = levy_arena_allocate(&job->scratch, q->n_trades, sizeof *w.tallies);
    w.moments = levy_arena_allocate(&job->scratch, q->replicates, sizeof *w.moments);
    if (!rows || !w.tallies || !w.moments) return LEVY_MEMORY;
    table->confidence = job->problem.simulation.confidence;
    table->first_seed = job->book->problem->simulation.seed;
    table->precision = levy_precision_text(job->problem.simulation.precision);
    table->n_rows = q->n_methods * q->n_trades;
    table->rows = rows;
    if (!job->parts) job->total = coverage_blocks(job);
    for (size_t m = 0; m < q->n_methods; ++m)
        if (!q->methods[m].randomised) {
            levy_fault_add(&job->context->faults, LEVY_REASON_UNSUPPORTED, NULL, "methods",
                           "Use sobol_scrambled.",
                           "%s has no interval: its points do not depend on the seed",
                           q->methods[m].name);
            return LEVY_ARGUMENT;
        }
    for (size_t i = 0; i < q->n_trades; ++i)
        LEVY_TRY(levy_study_reference_find(job, i, &w.tallies[i].reference));
    for (size_t m = 0; m < q->n_methods; ++m)
        LEVY_TRY(coverage_method(job, &q->methods[m], &w, rows + m * q->n_trades));
    return LEVY_OK;
}
