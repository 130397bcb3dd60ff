/* api_kernels_build.c: levy_kernels_build and its parts: the kernels of all groups of a book,
 * several at a time, since a book of some thousand groups has some hundred shapes and one takes a
 * second. Threads take the groups in turn; what allocates or reports is done under one lock; what
 * was compiled is told by the caller's thread. See levy.h. */
#include "engine/book/cut.h"
#include "engine/book/handles.h"

#include "engine/plan/plan.h"
#include "engine/run/backend_list.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

enum { BUILD_REPORT = 4096, BUILD_THREADS = 64 };

typedef struct build_job {
    levy_context *context;
    const levy_problem *problem;
    levy_backend backend;
    levy_backend_options options;
    const char *architecture;
    levy_writer write;
    void *user;
    const levy_group *groups;
    size_t n_groups;
    pthread_mutex_t lock; /* guards what follows, the faults, and the memory for plans */
    pthread_cond_t news;
    size_t next, running; /* groups begun; threads at work */
    levy_status status;   /* a first failure stops all threads */
    char *text;           /* reports not yet given to the caller */
    size_t used, room;
} build_job;

static levy_status build_fail(build_job *job, levy_status status, const char *why)
{
    if (status == LEVY_OK) return status;
    levy_fault_add(&job->context->faults, levy_reason_of(status), NULL, "", NULL, "%s",
                   why[0] ? why : levy_status_text(status));
    return status;
}

/* ---- Under the lock ---- */

static bool build_tell_later(build_job *job, const char *report)
{
    const size_t length = strlen(report);
    if (job->used + length > job->room) {
        char *const grown =
            levy_memory_grow(&job->context->memory, job->text, 2 * (job->used + length), 1);
        if (!grown) return false;
        job->text = grown;
        job->room = 2 * (job->used + length);
    }
    if (length > 0) memcpy(job->text + job->used, report, length);
    job->used += length;
    return true;
}

typedef struct build_group {
    levy_plan *plan;
    levy_tile *tiles;
    size_t n_tiles;
} build_group;

static levy_status build_plan(build_job *job, const levy_group *group, build_group *made, char *why)
{
    levy_backend_info limits;
    LEVY_TRY(levy_plan_create(&job->context->planning, job->problem, group, &made->plan, why));
    made->tiles = levy_memory_allocate(&job->context->memory, made->plan->image->n_outputs,
                                       sizeof *made->tiles);
    if (!made->tiles) return LEVY_MEMORY;
    job->backend.describe(NULL, &limits);
    made->n_tiles = levy_plan_tiles(made->plan->image, &limits.tiles, made->tiles);
    return LEVY_OK;
}

static void build_end(build_job *job, build_group *made, levy_status status, const char *report,
                      const char *why)
{
    if (status == LEVY_OK && !build_tell_later(job, report)) status = LEVY_MEMORY;
    if (job->status == LEVY_OK) job->status = build_fail(job, status, why);
    levy_memory_release(&job->context->memory, made->tiles);
    levy_plan_destroy(made->plan);
    pthread_cond_signal(&job->news);
}

/* ---- Threads ---- */

static void *build_worker(void *argument)
{
    build_job *const job = argument;
    pthread_mutex_lock(&job->lock);
    while (job->status == LEVY_OK && job->next < job->n_groups) {
        char report[BUILD_REPORT] = "", why[LEVY_REASON_SIZE] = "";
        build_group made = {.plan = NULL};
        levy_status status = build_plan(job, &job->groups[job->next++], &made, why);
        if (status == LEVY_OK) {
            pthread_mutex_unlock(&job->lock);
            status = job->backend.build(&job->options, job->architecture, made.plan->image,
                                        made.tiles, made.n_tiles, report, sizeof report, why);
            pthread_mutex_lock(&job->lock);
        }
        build_end(job, &made, status, report, why);
    }
    job->running--;
    pthread_cond_signal(&job->news);
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

/* Gives the reports to the caller's writer. Called with the lock held; gives it up while the writer
 * runs. */
static void build_tell(build_job *job)
{
    char *const text = job->text;
    const size_t used = job->used;
    job->text = NULL;
    job->used = job->room = 0;
    pthread_mutex_unlock(&job->lock);
    const bool failed = used > 0 && job->write(job->user, text, used) != 0;
    pthread_mutex_lock(&job->lock);
    levy_memory_release(&job->context->memory, text);
    if (failed && job->status == LEVY_OK) job->status = LEVY_IO;
}

static size_t build_threads(size_t n_groups)
{
    cpu_set_t mine;
    const int count = sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 1;
    const size_t most = count > BUILD_THREADS ? BUILD_THREADS : (size_t)count;
    return n_groups < most ? n_groups : most;
}

static levy_status build_run(build_job *job)
{
    pthread_t threads[BUILD_THREADS];
    const size_t wanted = build_threads(job->n_groups);
    size_t started = 0;
    pthread_mutex_lock(&job->lock);
    while (started < wanted && pthread_create(&threads[started], NULL, build_worker, job) == 0)
        started++;
    job->running = started; /* no worker has begun: they wait for the lock, which we hold */
    if (started == 0 && wanted > 0)
        job->status = build_fail(job, LEVY_DEVICE, "no thread can be started");
    while (job->running > 0 || job->used > 0) {
        if (job->used == 0) pthread_cond_wait(&job->news, &job->lock);
        if (job->used > 0) build_tell(job);
    }
    pthread_mutex_unlock(&job->lock);
    for (size_t i = 0; i < started; ++i) pthread_join(threads[i], NULL);
    levy_memory_release(&job->context->memory, job->text);
    return job->status;
}

/* Drops the groups whose amounts are known: they need no kernel. */
static void build_leave_known(levy_group *groups, size_t *n_groups)
{
    size_t n = 0;
    for (size_t i = 0; i < *n_groups; ++i)
        if (!levy_group_is_still(&groups[i])) groups[n++] = groups[i];
    *n_groups = n;
}

static levy_status build_book(build_job *job, levy_book *book)
{
    char why[LEVY_REASON_SIZE] = "";
    levy_arena arena;
    levy_group *groups = NULL;
    LEVY_TRY(levy_book_refresh(book));
    job->problem = book->problem;
    LEVY_TRY(build_fail(job, levy_backend_cuda(job->context->module_dir, &job->backend, why), why));
    if (!job->backend.build)
        return build_fail(job, LEVY_UNSUPPORTED, "this module cannot build kernels");
    levy_arena_init(&arena, &job->context->planning);
    levy_status status = levy_groups_create(job->problem, &arena, &groups, &job->n_groups);
    job->groups = groups;
    if (status == LEVY_OK) build_leave_known(groups, &job->n_groups);
    if (status == LEVY_OK) status = build_run(job);
    levy_arena_release(&arena);
    return status;
}

static int build_kernels(build_job *job, levy_book *book)
{
    levy_call_begin(job->context);
    if (pthread_mutex_init(&job->lock, NULL) != 0)
        return levy_call_end(job->context, LEVY_STATUS_MEMORY);
    if (pthread_cond_init(&job->news, NULL) != 0) {
        pthread_mutex_destroy(&job->lock);
        return levy_call_end(job->context, LEVY_STATUS_MEMORY);
    }
    const levy_status status = build_book(job, book);
    pthread_cond_destroy(&job->news);
    pthread_mutex_destroy(&job->lock);
    return levy_call_end(job->context, (int)status);
}

static int build_call(levy_book *book, const char *architecture, levy_backend_options options,
                      levy_writer write, void *user)
{
    if (!book || !architecture || !write)
        return levy_call_refuse(book ? book->context : NULL,
                                architecture ? "write" : "architecture", "is NULL");
    options.memory = &book->context->memory;
    options.device = -1;
    build_job job = {.context = book->context,
                     .architecture = architecture,
                     .options = options,
                     .write = write,
                     .user = user};
    return build_kernels(&job, book);
}

int levy_kernels_build(levy_book *book, const char *architecture, const char *directory,
                       levy_writer write, void *user)
{
    const levy_backend_options options = {.cache_dir = directory};
    return build_call(book, architecture, options, write, user);
}

int levy_kernels_build_part(levy_book *book, const char *architecture, const char *directory,
                            uint32_t part, uint32_t parts, levy_writer write, void *user)
{
    const levy_backend_options options = {.cache_dir = directory, .part = part, .parts = parts};
    if (book && (part < 1 || part > parts || parts > LEVY_CUT_MOST))
        return levy_call_refuse(book->context, "part", "is k of n, with 1 <= k <= n <= 65536");
    return build_call(book, architecture, options, write, user);
}
