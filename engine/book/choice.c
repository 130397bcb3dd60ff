/* choice.c: see choice.h. */
#include "engine/book/choice.h"

#include "engine/book/plan_cache.h"

#include "engine/run/backend_list.h"
#include "engine/run/effort.h"
#include "engine/run/run.h"

#include <stdio.h>
#include <string.h>

/* Of an H200, against one thread of an AMD EPYC (docs/performance.md). Without the driver nobody
 * knows which GPU it is; a slower one only shifts when it is worth its start. */
static const levy_choice_costs choice_measured = {
    .start = 0.25, .group = 0.0001, .compile = 1.0, .threads = {400.0, 1350.0, 1230.0}};

/* NVRTC compiles so many kernels side by side, if there are threads. */
static const uint32_t choice_compilers = 16;

/* Plans are made to be weighed until their images take so many bytes; further groups count as the
 * mean of those. What is planned here is kept for the run, within the cache's limits. */
static const uint64_t choice_bytes = (uint64_t)16 << 20;

typedef struct choice_job {
    levy_book *book;
    const levy_price_options *options;
    const levy_group *groups;
    size_t n_groups;
    const levy_choice_costs *costs;
    levy_backend gpu; /* its table; nothing is open */
    levy_backend_info cpu;
} choice_job;

/* Seconds on both sides. */
typedef struct choice_work {
    double cpu, gpu;
} choice_work;

/* ---- The work ---- */

static uint64_t choice_paths(const levy_simulation *s)
{
    /* a run to a tolerance may stop at once or go on to its limit: a start in vain costs a quarter
     * of a second, a start that was missed costs minutes */
    return (s->tolerance.asked ? s->tolerance.max_paths : s->paths) / s->replicates;
}

/* Groups that the GPU cannot price are the CPU's in either case. */
static double choice_on_gpu(const choice_job *job, const levy_plan *plan, const levy_effort *effort)
{
    char why[LEVY_REASON_SIZE];
    const int32_t precision = job->book->problem->simulation.precision;
    if (job->gpu.accepts && job->gpu.accepts(plan->image, why) != LEVY_OK) return effort->cpu;
    return effort->thread / job->costs->threads[precision] + job->costs->group;
}

/* A group that cannot be planned costs nothing. LEVY_CANCELLED: the caller wants to stop. */
static levy_status choice_add_group(const choice_job *job, size_t number, uint64_t *bytes,
                                    choice_work *sum)
{
    char why[LEVY_REASON_SIZE]; /* LEVY_PLAN_WHY bytes fit too */
    levy_plan *plan = NULL;
    levy_effort effort;
    levy_status status = levy_plan_cache_get(job->book, number, &plan, why);
    if (status != LEVY_OK) return status == LEVY_CANCELLED ? status : LEVY_OK;
    *bytes += plan->image->bytes;
    status =
        levy_effort_of(plan, choice_paths(&job->book->problem->simulation), &job->cpu, &effort);
    if (status == LEVY_OK) {
        sum->cpu += effort.cpu;
        sum->gpu += choice_on_gpu(job, plan, &effort);
    }
    levy_plan_cache_put(job->book, number, plan);
    return status;
}

static levy_status choice_add_all(const choice_job *job, choice_work *sum)
{
    uint64_t bytes = 0;
    size_t seen = 0, all = 0;
    *sum = (choice_work){0.0, 0.0};
    for (size_t i = 0; i < job->n_groups; ++i) {
        if (levy_group_is_still(&job->groups[i])) continue;
        ++all;
        if (bytes > choice_bytes) continue;
        ++seen;
        LEVY_TRY(choice_add_group(job, i, &bytes, sum));
    }
    const double share = seen > 0 ? (double)all / (double)seen : 1.0;
    *sum = (choice_work){share * sum->cpu, share * sum->gpu};
    return LEVY_OK;
}

/* Kernels that an open GPU would have to compile. 0 where it cannot say. */
static size_t choice_missing(const choice_job *job, const levy_call_device *device)
{
    uint64_t bytes = 0;
    bool more = device->backend.foresee && device->backend.missing;
    if (!more) return 0;
    for (size_t i = 0; i < job->n_groups && more && bytes <= choice_bytes; ++i) {
        char why[LEVY_REASON_SIZE]; /* LEVY_PLAN_WHY bytes fit too */
        levy_plan *plan = NULL;
        if (levy_group_is_still(&job->groups[i])) continue;
        const levy_status status = levy_plan_cache_get(job->book, i, &plan, why);
        if (status == LEVY_OK)
            more =
                levy_run_foresee(plan, &device->backend, device->state, &device->info) == LEVY_OK;
        if (status == LEVY_OK) bytes += plan->image->bytes;
        more = more && status != LEVY_CANCELLED;
        levy_plan_cache_put(job->book, i, plan);
    }
    return device->backend.missing(device->state);
}

/* ---- In words ---- */

static void choice_say(const levy_choice *choice, bool cpu, levy_call_device *device)
{
    const double first = choice->compile > 0.0 ? choice->compile : choice->start;
    const levy_effort_text own = levy_effort_say(choice->cpu);
    const levy_effort_text start = levy_effort_say(first);
    const levy_effort_text all = levy_effort_say(choice->gpu + choice->compile + choice->start);
    if (cpu && choice->compile > 0.0)
        snprintf(device->reason, sizeof device->reason,
                 "auto: the CPU needs %s; a GPU would compile for %s first", own.text, start.text);
    else if (cpu && choice->start > 0.0)
        snprintf(device->reason, sizeof device->reason,
                 "auto: the CPU needs %s; a GPU takes %s to start", own.text, start.text);
    else if (cpu)
        snprintf(device->reason, sizeof device->reason,
                 "auto: the CPU needs %s; the GPU would need %s", own.text, all.text);
    else
        snprintf(device->reason, sizeof device->reason,
                 "auto: a GPU needs %s; the CPU would need %s", all.text, own.text);
}

static void choice_estimate(levy_choice *choice)
{
    snprintf(choice->estimate, sizeof choice->estimate,
             "%s on the CPU; %s on a GPU, %s to start it", levy_effort_say(choice->cpu).text,
             levy_effort_say(choice->gpu).text,
             choice->start > 0.0 ? levy_effort_say(choice->start).text : "nothing");
}

/* ---- The choice ---- */

/* Whether there is a choice: a GPU may be here, and the CPU is one whose speed is known. */
static bool choice_is_open(choice_job *job)
{
    levy_context *const context = job->book->context;
    char why[LEVY_REASON_SIZE] = "";
    if (strcmp(job->options->device, "auto") != 0) return false;
    const char *const kept = levy_call_device_kept(context, job->options);
    if (kept && strcmp(kept, "cpu") == 0) return false; /* this process has found no GPU */
    if (levy_backend_cuda(context->module_dir, &job->gpu, why) != LEVY_OK) return false;
    if (job->gpu.present && !job->gpu.present()) return false;
    return levy_effort_cpu(job->options->isa, job->options->threads, &job->cpu);
}

static levy_status choice_weigh(choice_job *job, bool alone, levy_choice *choice)
{
    choice_work work;
    LEVY_TRY(choice_add_all(job, &work));
    const bool started = !alone && levy_call_device_kept(job->book->context, job->options);
    choice->weighed = true;
    choice->cpu = work.cpu;
    choice->gpu = work.gpu;
    choice->start = started ? 0.0 : job->costs->start;
    choice_estimate(choice);
    return LEVY_OK;
}

static double choice_compile(const choice_job *job, const levy_call_device *device)
{
    const size_t missing = choice_missing(job, device);
    const size_t together =
        job->cpu.threads < choice_compilers ? job->cpu.threads : choice_compilers;
    return job->costs->compile * (double)((missing + together - 1) / together);
}

static bool choice_open_cpu(const choice_job *job, const levy_choice *choice,
                            levy_call_device *device)
{
    if (!levy_call_device_open_cpu(job->book->context, job->options, device)) return false;
    if (choice->weighed)
        choice_say(choice, true, device);
    else
        snprintf(device->reason, sizeof device->reason, "auto: stopped before a GPU was started");
    return true;
}

/* The GPU is open, so its start counts no more; what it must compile does. */
static void choice_reconsider(const choice_job *job, levy_choice *choice, levy_call_device *device)
{
    levy_call_device cpu;
    choice->compile = choice_compile(job, device);
    if (choice->compile <= 0.0 || choice->cpu > choice->compile + choice->gpu) return;
    if (!choice_open_cpu(job, choice, &cpu)) return;
    device->keep = true;
    levy_call_device_close(device);
    *device = cpu;
}

levy_status levy_choice_open(levy_book *book, const levy_price_options *options,
                             const levy_group *groups, size_t n_groups, bool alone,
                             levy_choice *choice, levy_call_device *device)
{
    choice_job job = {.book = book,
                      .options = options,
                      .groups = groups,
                      .n_groups = n_groups,
                      .costs = book->context->costs ? book->context->costs : &choice_measured};
    *choice = (levy_choice){.weighed = false};
    const levy_status status = choice_is_open(&job) ? choice_weigh(&job, alone, choice) : LEVY_OK;
    /* who is told to stop starts no GPU; where the work is not known, a GPU is taken as it comes */
    const bool small =
        choice->weighed ? choice->cpu <= choice->start + choice->gpu : status == LEVY_CANCELLED;
    if (small && choice_open_cpu(&job, choice, device)) return LEVY_OK;
    LEVY_TRY(levy_call_device_open(book->context, options, device));
    if (!choice->weighed || strcmp(device->info.backend, "cpu") == 0) return LEVY_OK;
    choice_say(choice, false, device);
    if (!alone) choice_reconsider(&job, choice, device);
    return LEVY_OK;
}
