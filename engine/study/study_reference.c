/* study_reference.c: what the errors of a study are taken from: the price as given, its closed
 * form, or a simulation that is larger than the study and states its own error. */
#include "engine/study/study.h"

#include "engine/plan/rounding.h"
#include "engine/study/closed_form.h"
#include "kernels/lane/scalar.h"

#include <inttypes.h>
#include <math.h>

/* A simulated reference has more points and replicates than the study, and a seed that no study is
 * likely to use. */
static const uint64_t study_reference_seed = 0x7961726473746963;
enum { STUDY_REFERENCE_MULTIPLE = 4, STUDY_REFERENCE_REPLICATES = 32 };

static const levy_study_method study_reference_method = {
    .name = "sobol_scrambled+bridge",
    .generator = LEVY_GENERATOR_SOBOL_SCRAMBLED,
    .construction = LEVY_CONSTRUCTION_BRIDGE,
    .randomised = true,
};

static uint64_t study_reference_replicates(const levy_study_job *job)
{
    const uint32_t asked = job->request.replicates;
    return asked > STUDY_REFERENCE_REPLICATES ? asked : STUDY_REFERENCE_REPLICATES;
}

static uint64_t study_reference_points(const levy_study_job *job)
{
    const uint64_t most = (uint64_t)1 << 32, points = job->request.last * STUDY_REFERENCE_MULTIPLE;
    const uint64_t least = (uint64_t)1 << 16;
    if (points > most) return most;
    return points < least ? least : points;
}

/* Before the targets are known: whether some measure may need a simulation. */
static bool study_is_simulated(const levy_study_job *job, size_t index)
{
    const uint32_t forms = LEVY_MEASURE_PRICE | LEVY_MEASURE_DELTA | LEVY_MEASURE_GAMMA |
                           LEVY_MEASURE_VEGA | LEVY_MEASURE_RHO;
    double price;
    bool others = false;
    if (job->request.last_step) return false;
    for (size_t i = 0; i < job->request.n_measures; ++i)
        others |= !(job->request.measures[i] & forms);
    return !job->request.has_reference &&
           (others || !levy_closed_form(&job->problem.trades[index], &price));
}

/* Greeks of methods that are all plain have the bumps of plain payoffs, and so has their
 * reference; of prices alone the integrated one is the better. */
static bool study_reference_is_plain(const levy_study_job *job)
{
    bool plain = true, greeks = false;
    for (size_t m = 0; m < job->request.n_methods; ++m)
        plain = plain && job->request.methods[m].plain;
    for (size_t i = 0; i < job->request.n_measures; ++i)
        greeks = greeks || job->request.measures[i] != LEVY_MEASURE_PRICE;
    return plain && greeks;
}

uint64_t levy_study_reference_blocks(const levy_study_job *job, size_t index)
{
    return study_is_simulated(job, index)
               ? levy_study_blocks(study_reference_replicates(job), study_reference_points(job))
               : 0;
}

static void study_reference_of_sums(const tree_sum *sums, uint64_t n, double scale,
                                    levy_study_reference *reference)
{
    double mean = 0.0, squares = 0.0;
    for (uint64_t r = 0; r < n; ++r) mean += sums[r].mean / (double)n;
    for (uint64_t r = 0; r < n; ++r) squares += (sums[r].mean - mean) * (sums[r].mean - mean);
    reference->value = mean * scale;
    reference->std_error = fabs(scale) * levy_sqrt(squares / (double)(n - 1) / (double)n);
}

/* Takes the targets that have no reference yet from a simulation of their trade. */
static levy_status study_take_references(levy_study_job *job, const levy_study_run *run,
                                         const levy_study_target *targets, size_t n,
                                         levy_study_reference *references)
{
    const uint64_t replicates = job->problem.simulation.replicates;
    const char *const first = levy_study_first(&job->problem.simulation, &job->scratch);
    const char *const text =
        levy_arena_format(&job->study->arena, "%s%s, %" PRIu64 " replicates of 2^%d points",
                          study_reference_method.name, first ? first : "", replicates,
                          __builtin_ctzll(job->problem.simulation.paths / replicates));
    if (!first || !text) return LEVY_MEMORY;
    for (size_t i = 0; i < n; ++i) {
        const size_t row = levy_study_target_row(run->plan, &targets[i]);
        if (references[i].kind) continue;
        references[i] = (levy_study_reference){NAN, NAN, "simulated", text};
        if (row == SIZE_MAX) continue;
        if (levy_plan_is_zero(run->plan, (uint32_t)row)) {
            references[i].value = references[i].std_error = 0.0; /* the sums are rounding */
            continue;
        }
        study_reference_of_sums(&run->sums[row * replicates], replicates,
                                levy_study_target_scale(job->problem.trades, &targets[i]),
                                &references[i]);
    }
    return LEVY_OK;
}

/* Simulates the trade in a group of its own, whatever the study's groups are. */
static levy_status study_simulate_references(levy_study_job *job, size_t index,
                                             const levy_study_target *targets, size_t n,
                                             levy_study_reference *references)
{
    const uint64_t replicates = study_reference_replicates(job),
                   points = study_reference_points(job);
    levy_problem all = job->problem;
    levy_group *groups;
    size_t n_groups;
    levy_study_run run = {0};
    job->problem.trades = &all.trades[index];
    job->problem.n_trades = 1;
    levy_study_method method = study_reference_method;
    method.plain = study_reference_is_plain(job);
    levy_study_set(job, &method, replicates, points, study_reference_seed);
    job->problem.simulation.tolerance.asked = false;
    job->problem.simulation.order = NULL; /* bisection, whatever order is under study */
    job->problem.simulation.first = NULL;
    job->problem.simulation.n_order = job->problem.simulation.n_first = 0;
    levy_status status = levy_groups_create(&job->problem, &job->scratch, &groups, &n_groups);
    if (status == LEVY_OK) status = levy_study_simulate(job, &groups[0], 0, &run);
    if (status == LEVY_OK && run.plan)
        status = study_take_references(job, &run, targets, n, references);
    levy_study_run_release(job, &run);
    job->problem = all;
    return status;
}

/* In a study by steps what has none takes that of the most steps. */
static void study_law_reference(levy_study_job *job, const levy_trade *trade, uint32_t measure,
                                levy_study_reference *reference)
{
    double price;
    const char *const law =
        measure == LEVY_MEASURE_PRICE ? levy_closed_law(&job->scratch, trade, &price) : NULL;
    if (law)
        *reference =
            (levy_study_reference){price * levy_trade_scale(trade), 0.0, "closed_form", law};
}

levy_status levy_study_references_find(levy_study_job *job, size_t index,
                                       const levy_study_target *targets, size_t n,
                                       levy_study_reference *references)
{
    const levy_trade *trade = &job->problem.trades[index];
    bool simulate = false;
    for (size_t i = 0; i < n; ++i) {
        double price;
        references[i] = (levy_study_reference){0};
        if (job->request.has_reference)
            references[i] =
                (levy_study_reference){job->request.reference, 0.0, "given", "as given"};
        const char *form = NULL;
        if (job->request.last_step) {
            if (!references[i].kind)
                study_law_reference(job, trade, targets[i].measure, &references[i]);
            continue;
        }
        if (!references[i].kind)
            form = levy_closed_greek(&job->scratch, trade, targets[i].measure, targets[i].factor,
                                     &price);
        if (form && targets[i].measure != LEVY_MEASURE_PRICE)
            form = levy_arena_format(&job->study->arena, "%s, differentiated", form);
        if (form)
            references[i] =
                (levy_study_reference){price * levy_trade_scale(trade), 0.0, "closed_form", form};
        simulate = simulate || !references[i].kind;
    }
    return simulate ? study_simulate_references(job, index, targets, n, references) : LEVY_OK;
}
