/* study.c: what levy_converge and levy_coverage share; see study.h. Neither touches the book's
 * problem: it copies its head, with the chosen trades alone and a simulation of its own. */
#include "engine/study/study_parts.h"

#include "engine/problem/smoothing.h"

#include "engine/base/clock.h"
#include "engine/book/tolerance.h"
#include "engine/run/stage.h"

#include <math.h>
#include <string.h>

static int study_progress(void *user, uint64_t done)
{
    levy_study_job *job = user;
    job->done += done;
    const levy_progress progress = {.done = job->done < job->total ? job->done : job->total,
                                    .total = job->total,
                                    .seconds = levy_clock_now() - job->start};
    if (job->how.progress && job->how.progress(job->how.user, &progress)) job->cancelled = true;
    return job->cancelled;
}

/* Planning calls it often; progress is reported every 20 ms. */
static int study_stop(void *user)
{
    levy_study_job *job = user;
    const double now = levy_clock_now();
    if (job->cancelled || now - job->told < 0.02) return job->cancelled;
    job->told = now;
    return study_progress(job, 0);
}

uint64_t levy_study_blocks(uint64_t replicates, uint64_t points)
{
    return replicates * ((points + LEVY_BLOCK_PATHS - 1) / LEVY_BLOCK_PATHS);
}

void levy_study_set(levy_study_job *job, const levy_study_method *method, uint64_t replicates,
                    uint64_t points, uint64_t seed)
{
    levy_simulation *simulation = &job->problem.simulation;
    const levy_simulation *const own = &job->book->problem->simulation;
    simulation->generator = method->generator;
    simulation->supply = method->supply;
    simulation->net = method->net ? own->net : NULL;
    simulation->points = method->points;
    simulation->shift_only = method->net && own->shift_only;
    simulation->construction = method->construction;
    simulation->smoothing = method->plain ? LEVY_SMOOTHING_NONE : own->smoothing;
    simulation->replicates = replicates;
    simulation->paths = replicates * points;
    simulation->seed = seed;
    for (size_t t = 0; t < job->problem.n_trades; ++t)
        levy_trade_integrate(simulation, &job->problem.trades[t]);
}

static levy_status study_run_plan(levy_study_job *job, uint32_t n_powers,
                                  const levy_run_slice *slice, levy_study_run *run, char *why)
{
    const levy_image *image = run->plan->image;
    const size_t rows = (size_t)image->n_outputs * (slice ? 1 : image->n_replicates);
    const levy_memory *memory = &job->context->memory;
    levy_run_times times = {0.0, 0.0};
    run->sums = levy_memory_allocate(memory, rows * (1 + n_powers), sizeof *run->sums);
    if (!run->sums) return LEVY_MEMORY;
    run->powers = n_powers ? run->sums + rows : NULL;
    const levy_run_options options = {.batch_blocks = job->how.batch_blocks,
                                      .progress = study_progress,
                                      .user = job,
                                      .powers = run->powers,
                                      .n_powers = n_powers,
                                      .slice = slice,
                                      .normals = {job->how.normals, job->how.normals_user}};
    const levy_backend *backend = &job->device.backend;
    void *const state = job->device.state;
    LEVY_TRY(levy_stage_prepare(backend, state, run->plan, &options, &times, why));
    const levy_status status =
        job->problem.simulation.tolerance.asked
            ? levy_tolerance_run(memory, backend, state, run->plan, &options, run->sums, &times,
                                 why)
            : levy_run_plan(memory, backend, state, run->plan, &options, run->sums, &times, why);
    run->seconds = times.device_seconds > 0.0 ? times.device_seconds : times.seconds;
    if (job->how.no_times) run->seconds = NAN;
    return status;
}

void levy_study_run_release_sums(const levy_study_job *job, levy_study_run *run)
{
    levy_memory_release(&job->context->memory, run->sums);
    run->sums = run->powers = NULL;
}

/* Says why a group has no sums. */
static levy_status study_fail(levy_study_job *job, const levy_group *group, levy_status status,
                              const char *why)
{
    if (status == LEVY_OK || status == LEVY_CANCELLED) return status;
    levy_fault_add(&job->context->faults, levy_reason_of(status), NULL,
                   job->problem.trades[group->trades[0]].from->raw->id, NULL, "%s",
                   why[0] ? why : levy_status_text(status));
    return status;
}

levy_status levy_study_plan(levy_study_job *job, const levy_group *group, levy_study_run *run)
{
    char why[LEVY_REASON_SIZE] = "";
    const levy_status status =
        levy_plan_create(&job->context->planning, &job->problem, group, &run->plan, why);
    return study_fail(job, group, status, why);
}

levy_status levy_study_run_cells(levy_study_job *job, const levy_group *group, uint32_t n_powers,
                                 const levy_run_slice *slice, levy_study_run *run)
{
    char why[LEVY_REASON_SIZE] = "";
    const uint64_t before = job->done;
    levy_status status = study_run_plan(job, n_powers, slice, run, why);
    if (levy_call_device_failed(status) &&
        levy_call_device_fall_back(job->context, &job->how, &job->device, status, why)) {
        levy_study_run_release_sums(job, run);
        job->done = before;
        why[0] = '\0';
        status = study_run_plan(job, n_powers, slice, run, why);
    }
    return study_fail(job, group, status, why);
}

levy_status levy_study_simulate(levy_study_job *job, const levy_group *group, uint32_t n_powers,
                                levy_study_run *run)
{
    *run = (levy_study_run){.plan = NULL};
    if (job->parts) return levy_study_parts_simulate(job, group, n_powers, run);
    LEVY_TRY(levy_study_plan(job, group, run));
    return levy_study_run_cells(job, group, n_powers, NULL, run);
}

void levy_study_run_release(const levy_study_job *job, levy_study_run *run)
{
    levy_study_run_release_sums(job, run);
    if (run->plan) levy_plan_destroy(run->plan);
    run->plan = NULL;
}

/* ---- A study from its entry to its end ---- */

static levy_status study_problem(levy_study_job *job)
{
    const levy_problem *problem = job->book->problem;
    levy_trade *trades = levy_arena_allocate(&job->scratch, job->request.n_trades, sizeof *trades);
    if (!trades) return LEVY_MEMORY;
    for (size_t i = 0; i < job->request.n_trades; ++i) {
        trades[i] = problem->trades[job->request.trades[i]];
        trades[i].measures = 0; /* the simulation's measures apply */
    }
    job->problem = *problem;
    job->problem.trades = trades;
    job->problem.n_trades = job->request.n_trades;
    uint32_t measures = LEVY_MEASURE_PRICE;
    for (size_t i = 0; i < job->request.n_measures; ++i) measures |= job->request.measures[i];
    if (!(measures & (LEVY_MEASURE_SCENARIO_PRICE | LEVY_MEASURE_SCENARIO_PNL)))
        job->problem.n_scenarios = 0;
    job->problem.simulation.measures =
        measures & ~(uint32_t)(LEVY_MEASURE_SCENARIO_PRICE | LEVY_MEASURE_SCENARIO_PNL);
    /* the study sets the sizes */
    if (job->study->kind == LEVY_STUDY_CONVERGENCE) job->problem.simulation.tolerance.asked = false;
    return LEVY_OK;
}

static levy_status study_run_info(levy_study_job *job, levy_run_info *run)
{
    levy_arena *arena = &job->study->arena;
    const levy_backend_info *info = &job->device.info;
    *run = (levy_run_info){.version = levy_version(),
                           .contract = LEVY_CONTRACT,
                           .threads = info->threads,
                           .groups = 1,
                           .priced = job->request.n_trades,
                           .fingerprint = job->book->problem->fingerprint,
                           .seconds = job->how.no_times ? NAN : levy_clock_now() - job->start};
    run->backend = levy_arena_copy_text(arena, info->backend, strlen(info->backend));
    run->device = levy_arena_copy_text(arena, info->device, strlen(info->device));
    run->device_reason =
        levy_arena_copy_text(arena, job->device.reason, strlen(job->device.reason));
    run->isa = levy_arena_copy_text(arena, info->isa, strlen(info->isa));
    return run->backend && run->device && run->device_reason && run->isa ? LEVY_OK : LEVY_MEMORY;
}

static levy_status study_on_device(levy_study_job *job, levy_study_work *work)
{
    LEVY_TRY(levy_call_device_open(job->context, &job->how, &job->device));
    levy_status status = levy_call_device_check(
        job->context, &job->device, job->problem.simulation.precision != LEVY_PRECISION_DOUBLE);
    if (status == LEVY_OK) status = work(job);
    levy_call_device_tell(job->context, &job->device);
    if (status == LEVY_OK) status = study_run_info(job, &job->study->run);
    levy_call_device_close(&job->device);
    return status;
}

static levy_status study_work(levy_study_job *job, const levy_study_options *options,
                              levy_study_work *work)
{
    levy_study *const study = job->study;
    LEVY_TRY(levy_book_refresh(job->book));
    LEVY_TRY(levy_study_request_read(
        job->context, job->book, &job->scratch, options, study->kind == LEVY_STUDY_COVERAGE,
        study->kind != LEVY_STUDY_COVERAGE && job->how.normals, &job->request));
    LEVY_TRY(study_problem(job));
    if (!options->merge && !job->how.part && !job->how.parts && !job->how.part_write)
        LEVY_TRY(study_on_device(job, work));
    else
        LEVY_TRY(levy_study_parts_run(job, options->merge, work, study_on_device));
    if (options->merge) LEVY_TRY(study_run_info(job, &study->run));
    study->coverage.run = &study->run;
    for (size_t i = 0; i < study->n_convergences; ++i) study->convergences[i].run = &study->run;
    return LEVY_OK;
}

levy_study *levy_study_create(const levy_memory *memory, int kind)
{
    levy_study *study = levy_memory_allocate(memory, 1, sizeof *study);
    if (!study) return NULL;
    study->memory = *memory;
    study->kind = kind;
    levy_arena_init(&study->arena, &study->memory);
    return study;
}

int levy_study_run_entry(levy_book *book, const levy_study_options *options,
                         const levy_price_options *how, int kind, levy_study_work *work,
                         levy_study **study)
{
    levy_study_options own = {0};
    levy_merge_options merge;
    levy_study_job job = {.book = book, .start = levy_clock_now()};
    if (study) *study = NULL;
    if (!book || !study) return levy_call_refuse(book ? book->context : NULL, "study", "is NULL");
    if (!levy_call_copy_options(&own, sizeof own, options) ||
        !levy_call_price_options(how, &job.how))
        return levy_call_refuse(book->context, "struct_size", "is not that of the options");
    if (own.merge && !levy_call_merge_options(own.merge, &merge))
        return levy_call_refuse(book->context, "merge", "needs at least one path, or a text");
    if (own.merge) own.merge = &merge;
    if (own.merge) job.how.no_times = 1;
    job.context = book->context;
    levy_call_begin(job.context);
    job.study = levy_study_create(&job.context->memory, kind);
    if (!job.study) return levy_call_end(job.context, LEVY_STATUS_MEMORY);
    levy_arena_init(&job.scratch, &job.context->memory);
    levy_call_watch(job.context, study_stop, &job);
    const levy_status status = study_work(&job, &own, work);
    levy_arena_release(&job.scratch);
    levy_call_watch(job.context, NULL, NULL);
    const int ended = levy_call_end(job.context, (int)status);
    if (ended != LEVY_STATUS_OK || job.how.parts > 0) { /* a part leaves its journal */
        levy_study_release(job.study);
        return ended;
    }
    *study = job.study;
    return LEVY_STATUS_OK;
}

void levy_study_release(levy_study *study)
{
    if (!study) return;
    const levy_memory memory = study->memory;
    levy_arena_release(&study->arena);
    levy_memory_release(&memory, study);
}
