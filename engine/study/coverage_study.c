/* coverage_study.c: levy_coverage: the same trades under many seeds, first seed the book's; how
 * often the interval that levy_price would give holds the exact value, of prices and of other
 * measures. Trades of one group share their draws, as in a book. */
#include "engine/study/study.h"

#include "engine/book/results.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

typedef struct coverage_tally {
    levy_study_target target;
    levy_study_reference reference;
    uint32_t intervals, covered, covered_unmarked, within, marked;
    double half_widths, squares, points;
} coverage_tally;

/* The targets of one trade. */
typedef struct coverage_trade {
    coverage_tally *tallies;
    size_t n;
} coverage_trade;

typedef struct coverage_work {
    levy_study_job *job;
    const levy_study_method *method;
    coverage_trade *trades; /* [trade of the job] */
    size_t n_targets;       /* of all trades */
    levy_results blank;     /* what results of a seed start from */
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

static const levy_measure *coverage_find(const levy_trade_result *result,
                                         const levy_study_target *target)
{
    const char *const name = levy_results_measure_name(target->measure);
    for (size_t i = 0; i < result->n_measures; ++i)
        if (strcmp(result->measures[i].measure, name) == 0 &&
            strcmp(result->measures[i].factor, target->factor) == 0)
            return &result->measures[i];
    return NULL;
}

static void coverage_count(const coverage_work *w, const levy_trade_result *result,
                           coverage_tally *tally)
{
    const levy_measure *const m = coverage_find(result, &tally->target);
    const double exact = tally->reference.value;
    tally->points += (double)result->paths / (double)w->replicates;
    tally->marked += !m || m->flagged || !isfinite(m->ci_low);
    if (!m) return;
    const double distance = fabs(m->value - exact);
    tally->squares += distance * distance;
    tally->within += distance <= coverage_tolerance(w, m->value);
    const bool given = isfinite(m->ci_low) && isfinite(m->ci_high);
    const bool holds =
        given ? m->ci_low <= exact && exact <= m->ci_high : distance <= w->quantile * m->std_error;
    tally->covered_unmarked += holds;
    if (!given) return;
    tally->intervals++;
    tally->covered += holds;
    tally->half_widths += 0.5 * (m->ci_high - m->ci_low);
}

/* Counts a seed: its sums become results as those of a book do. */
static levy_status coverage_take(const coverage_work *w, const levy_study_run *run)
{
    levy_arena scratch;
    levy_arena_init(&scratch, &w->job->context->memory);
    const levy_results_made *const made =
        levy_results_make(&w->blank, run->plan, run->sums, &scratch);
    for (uint32_t t = 0; made && t < run->plan->group->n_trades; ++t) {
        const coverage_trade *const trade = &w->trades[run->plan->group->trades[t]];
        for (size_t k = 0; k < trade->n; ++k)
            coverage_count(w, levy_results_made_trade(made, t), &trade->tallies[k]);
    }
    levy_arena_release(&scratch);
    return made ? LEVY_OK : LEVY_MEMORY;
}

static levy_status coverage_seed(const coverage_work *w, const levy_group *group, uint64_t seed)
{
    levy_study_run run;
    levy_study_set(w->job, w->method, w->replicates, w->points, seed);
    levy_status status = levy_study_simulate(w->job, group, 0, &run);
    if (status == LEVY_OK && run.plan) status = coverage_take(w, &run);
    levy_study_run_release(w->job, &run);
    return status;
}

static void coverage_row(const coverage_work *w, const coverage_tally *tally,
                         levy_coverage_row *row)
{
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
    row->measure = levy_results_measure_name(tally->target.measure);
    row->factor = tally->target.factor;
    row->marked = tally->marked / seeds;
    row->within_tolerance =
        w->job->problem.simulation.tolerance.asked ? tally->within / seeds : NAN;
}

static levy_status coverage_name(const coverage_work *w, size_t i, levy_coverage_row *row)
{
    levy_arena *const arena = &w->job->study->arena;
    const levy_trade *const trade = &w->job->problem.trades[i];
    const char *const payoff = trade->header.payoff, *const method = w->method->name;
    row->trade = levy_arena_copy_text(arena, trade->from->raw->id, strlen(trade->from->raw->id));
    row->payoff = levy_arena_copy_text(arena, payoff, strlen(payoff));
    row->method = levy_arena_copy_text(arena, method, strlen(method));
    row->seeds = w->job->request.seeds;
    return row->trade && row->payoff && row->method ? LEVY_OK : LEVY_MEMORY;
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
        for (size_t k = 0; k < w->trades[i].n; ++k) {
            coverage_tally *const tally = &w->trades[i].tallies[k];
            *tally = (coverage_tally){.target = tally->target, .reference = tally->reference};
        }
    levy_study_set(job, method, w->replicates, w->points, 0);
    LEVY_TRY(levy_groups_create(&job->problem, &job->scratch, &groups, &n_groups));
    for (size_t g = 0; g < n_groups; ++g)
        for (uint32_t s = 0; s < q->seeds; ++s)
            LEVY_TRY(coverage_seed(w, &groups[g], job->study->coverage.first_seed + s));
    for (size_t i = 0; i < q->n_trades; ++i)
        for (size_t k = 0; k < w->trades[i].n; ++k, ++rows) {
            LEVY_TRY(coverage_name(w, i, rows));
            coverage_row(w, &w->trades[i].tallies[k], rows);
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

/* What is studied of a trade, with references. */
static levy_status coverage_targets(coverage_work *w, size_t index)
{
    levy_study_job *const job = w->job;
    const levy_problem all = job->problem;
    coverage_trade *const trade = &w->trades[index];
    levy_study_target *targets = NULL;
    job->problem.trades = &all.trades[index];
    job->problem.n_trades = 1;
    levy_study_set(job, &job->request.methods[0], job->request.replicates, job->request.first,
                   job->study->coverage.first_seed);
    const levy_status status = levy_study_targets_find(job, &targets, &trade->n);
    job->problem.trades = all.trades;
    job->problem.n_trades = all.n_trades;
    LEVY_TRY(status);
    if (job->request.has_reference && trade->n > 1) {
        levy_fault_add(&job->context->faults, LEVY_REASON_INCONSISTENT, NULL, "reference",
                       "It is one number of one position.",
                       "needs a single measure of one factor; the trade has %zu", trade->n);
        return LEVY_ARGUMENT;
    }
    levy_study_reference *const references =
        levy_arena_allocate(&job->scratch, trade->n, sizeof *references);
    trade->tallies = levy_arena_allocate(&job->scratch, trade->n, sizeof *trade->tallies);
    if (!references || !trade->tallies) return LEVY_MEMORY;
    LEVY_TRY(levy_study_references_find(job, index, targets, trade->n, references));
    for (size_t k = 0; k < trade->n; ++k)
        trade->tallies[k] = (coverage_tally){.target = targets[k], .reference = references[k]};
    w->n_targets += trade->n;
    return LEVY_OK;
}

levy_status levy_coverage_work(levy_study_job *job)
{
    const levy_study_request *q = &job->request;
    levy_coverage_table *table = &job->study->coverage;
    coverage_work w = {.job = job};
    w.trades = levy_arena_allocate(&job->scratch, q->n_trades, sizeof *w.trades);
    w.blank.trades = levy_arena_allocate(&job->scratch, q->n_trades, sizeof *w.blank.trades);
    if (!w.trades || !w.blank.trades) return LEVY_MEMORY;
    table->confidence = job->problem.simulation.confidence;
    table->first_seed = job->book->problem->simulation.seed;
    table->precision = levy_precision_text(job->problem.simulation.precision);
    if (!job->parts) job->total = coverage_blocks(job);
    for (size_t m = 0; m < q->n_methods; ++m)
        if (!q->methods[m].randomised) {
            levy_fault_add(&job->context->faults, LEVY_REASON_UNSUPPORTED, NULL, "methods",
                           "Use sobol_scrambled.",
                           "%s has no interval: its points do not depend on the seed",
                           q->methods[m].name);
            return LEVY_ARGUMENT;
        }
    for (size_t i = 0; i < q->n_trades; ++i) LEVY_TRY(coverage_targets(&w, i));
    levy_coverage_row *const rows =
        levy_arena_allocate(&job->study->arena, q->n_methods * w.n_targets, sizeof *rows);
    if (!rows) return LEVY_MEMORY;
    table->n_rows = q->n_methods * w.n_targets;
    table->rows = rows;
    for (size_t m = 0; m < q->n_methods; ++m)
        LEVY_TRY(coverage_method(job, &q->methods[m], &w, rows + m * w.n_targets));
    return LEVY_OK;
}
