/* tolerance.c: see tolerance.h. */
#include "engine/book/tolerance.h"

#include "engine/plan/known.h"
#include "engine/statistics/estimate.h"

#include <math.h>
#include <string.h>

levy_status levy_accuracy_of(const levy_memory *memory, const levy_plan *plan, uint32_t output,
                             const tree_sum *sums, double scale, levy_accuracy *accuracy)
{
    const levy_tolerance *const t = &plan->problem->simulation.tolerance;
    levy_moments *const moments =
        levy_memory_allocate(memory, plan->image->n_replicates, sizeof *moments);
    if (!moments) return LEVY_MEMORY;
    const levy_spread price = levy_spread_of(sums, plan->image->n_replicates);
    const levy_estimate e =
        levy_estimate_bias(levy_output_estimate(plan, output, sums, price, t->confidence, moments),
                           levy_known_unresolved(plan, output), t->confidence);
    levy_memory_release(memory, moments);
    const double relative = t->relative * fabs(e.value * scale);
    accuracy->width = 0.5 * t->inflate * (e.ci_high - e.ci_low) * fabs(scale);
    accuracy->target = t->absolute > relative ? t->absolute : relative;
    accuracy->inside = accuracy->width <= accuracy->target; /* false for a NaN */
    accuracy->fixed = e.interval == LEVY_INTERVAL_EXACT;
    return LEVY_OK;
}

typedef struct tolerance_job {
    const levy_memory *memory;
    const levy_backend *backend;
    void *state;
    levy_plan *plan;
    const levy_run_options *options;
    tree_sum *sums;              /* the caller's: of each trade, at the size where it was done */
    tree_sum *now, *before;      /* at this size and the one before */
    bool *inside, *fixed, *done; /* [trade]: so at the size before; done for good */
    uint64_t paths, known_paths; /* per replicate: at this size; of the sums in `before` */
    levy_run_times *times;
    char *why;
} tolerance_job;

/* Runs one size. It reuses the sums of the last size if that was 2^k whole blocks. */
static levy_status tolerance_size(tolerance_job *job)
{
    levy_run_options options = *job->options;
    levy_run_times times = {0.0, 0.0};
    const uint64_t known = job->known_paths / LEVY_BLOCK_PATHS;
    if (known && job->known_paths % LEVY_BLOCK_PATHS == 0 && (known & (known - 1)) == 0) {
        options.known_blocks = known;
        options.known = job->before;
    }
    levy_plan_set_paths(job->plan, job->paths);
    LEVY_TRY(levy_run_plan(job->memory, job->backend, job->state, job->plan, &options, job->now,
                           &times, job->why));
    job->times->seconds += times.seconds;
    job->times->device_seconds += times.device_seconds;
    return LEVY_OK;
}

static void tolerance_keep(tolerance_job *job, uint32_t trade)
{
    const levy_image *const image = job->plan->image;
    const levy_image_output *const outputs = LEVY_IMAGE_AT(levy_image_output, image, outputs);
    const size_t n = image->n_replicates;
    for (size_t o = 0; o < image->n_outputs; ++o)
        if (outputs[o].trade == trade)
            memcpy(job->sums + o * n, job->now + o * n, n * sizeof *job->sums);
}

/* Sets *open to the number of trades that are not yet done. */
static levy_status tolerance_judge(tolerance_job *job, bool last, size_t *open)
{
    const levy_image *const image = job->plan->image;
    const levy_image_output *const outputs = LEVY_IMAGE_AT(levy_image_output, image, outputs);
    *open = 0;
    for (uint32_t o = 0; o < image->n_outputs; ++o) {
        const uint32_t trade = outputs[o].trade;
        levy_accuracy accuracy;
        if (outputs[o].measure != LEVY_MEASURE_PRICE || trade >= image->n_trades ||
            job->done[trade])
            continue;
        const double scale =
            levy_trade_scale(&job->plan->problem->trades[job->plan->group->trades[trade]]);
        LEVY_TRY(levy_accuracy_of(job->memory, job->plan, o,
                                  job->now + (size_t)o * image->n_replicates, scale, &accuracy));
        job->done[trade] = last || (job->inside[trade] && accuracy.inside) ||
                           (job->fixed[trade] && accuracy.fixed);
        job->inside[trade] = accuracy.inside;
        job->fixed[trade] = accuracy.fixed;
        if (job->done[trade]) tolerance_keep(job, trade);
        *open += !job->done[trade];
    }
    return LEVY_OK;
}

static levy_status tolerance_sizes(tolerance_job *job)
{
    const levy_simulation *const s = &job->plan->problem->simulation;
    const uint64_t most = s->tolerance.max_paths / s->replicates;
    size_t open = 1;
    job->paths = s->paths / s->replicates;
    for (bool first = true; open > 0; first = false) {
        LEVY_TRY(tolerance_size(job));
        if (first) tolerance_keep(job, UINT32_MAX);
        LEVY_TRY(tolerance_judge(job, job->paths > most / 2, &open));
        tree_sum *const kept = job->before;
        job->before = job->now;
        job->now = kept;
        job->known_paths = job->paths;
        job->paths *= 2;
    }
    return LEVY_OK;
}

levy_status levy_tolerance_run(const levy_memory *memory, const levy_backend *backend, void *state,
                               levy_plan *plan, const levy_run_options *options, tree_sum *sums,
                               levy_run_times *times, char *why)
{
    const size_t n = (size_t)plan->image->n_outputs * plan->image->n_replicates,
                 trades = plan->image->n_trades;
    const uint64_t first = plan->image->paths;
    tolerance_job job = {.memory = memory,
                         .backend = backend,
                         .state = state,
                         .plan = plan,
                         .options = options,
                         .sums = sums,
                         .times = times,
                         .why = why};
    tree_sum *const now = levy_memory_allocate(memory, n, sizeof *now);
    tree_sum *const before = levy_memory_allocate(memory, n, sizeof *now);
    bool *const flags = levy_memory_allocate(memory, trades, 3 * sizeof *flags);
    levy_status status = LEVY_MEMORY;
    *times = (levy_run_times){0.0, 0.0};
    job.now = now;
    job.before = before;
    job.inside = flags;
    job.fixed = flags + trades;
    job.done = flags + 2 * trades;
    if (now && before && flags) status = tolerance_sizes(&job);
    levy_plan_set_paths(plan, first);
    levy_memory_release(memory, now);
    levy_memory_release(memory, before);
    levy_memory_release(memory, flags);
    return status;
}
