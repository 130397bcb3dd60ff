/* workers.c: see workers.h. What is ready waits in a ring, which bounds how far the workers run
 * ahead. A plan in the making counts on a meter of its place in the ring, and on the book's as soon
 * as it is taken: the book's meter belongs to the pricing thread. */
#include "engine/book/workers.h"

#include "engine/base/thread.h"
#include "engine/book/plan_cache.h"
#include "engine/run/pilot.h"

#include <fenv.h>
#include <sys/resource.h>

enum {
    WORKERS_GROUPS = 4,      /* per worker, at least: a thread takes as long to start as a group */
    WORKERS_RING = 8,        /* places per worker */
    WORKERS_STACK = 8 << 20, /* bytes, as of a program's first thread */
    /* of the address space, if it is limited: the stack and the arena that malloc gives a thread,
     * which stay after its end, and as much for all else */
    WORKERS_SPACE = 160 << 20,
    WORKERS_TICK = 20000000,  /* nanoseconds */
    WORKERS_LEAST = 64 << 10, /* bytes of a place */
    WORKERS_PLAN = 4 << 20,   /* bytes of a plan that is made ahead */
    WORKERS_WAVES = 8,        /* on a GPU, of a group that is simulated ahead */
    WORKERS_GPU = 16          /* workers of a GPU: more only wait for its driver */
};

typedef struct workers_place {
    levy_memory memory; /* of the plan, until it is taken */
    levy_meter meter;
    levy_arena scratch; /* of the sums and the results made from them */
    levy_ready ready;
    bool done; /* under the lock */
} workers_place;

typedef struct workers_one {
    levy_workers *all;
    pthread_t thread;
    uint32_t number;
} workers_one;

struct levy_workers {
    levy_workers_job job;
    workers_one *one;        /* [count] */
    uint32_t count, started; /* how many were wanted; how many there are */
    workers_place *ring;     /* [room] */
    size_t room;
    atomic_bool stop; /* asked from within long work */
    pthread_mutex_t lock;
    pthread_cond_t space, done; /* for workers; for the pricing thread */
    size_t next, taken; /* groups: the next to be made, the next to be given back; under the lock */
    bool held;          /* the pricing thread has the group `taken` */
    bool quit;          /* under the lock */
};

uint32_t levy_workers_most(const levy_price_options *options)
{
    levy_backend_info info;
    struct rlimit space;
    levy_backend_cpu.describe(NULL, &info);
    const uint32_t wanted = options->threads ? options->threads : info.threads;
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY) return wanted;
    const rlim_t most = space.rlim_cur / WORKERS_SPACE;
    return most < wanted ? (uint32_t)most : wanted;
}

/* ---- A worker ---- */

static int workers_stopped(void *user) { return atomic_load(&((levy_workers *)user)->stop); }

static int workers_progress(void *user, uint64_t done)
{
    (void)done;
    return workers_stopped(user);
}

/* Blocks of the largest group that a worker simulates on a GPU. Of several GPUs it has one: where
 * workers are too few to keep all at work, all share what fills one of them. */
static uint64_t workers_most_blocks(const levy_workers *w, const levy_backend_info *info)
{
    const uint32_t gpus = info->together > 0 ? info->together : 1,
                   waves = gpus > 1 && w->count < 2 * gpus ? 1 : WORKERS_WAVES;
    return waves * info->wave_blocks / gpus;
}

/* A large group fills a GPU by itself. On a CPU the threads share its blocks; a worker, which is
 * one thread, takes a group that would leave half of the threads idle. */
static bool workers_is_small(const levy_workers *w, const levy_plan *plan)
{
    const levy_backend_info *const info = &w->job.device->info;
    const levy_image *const image = plan->image;
    /* tiles follow each other, so that on a CPU those of one are all that threads can share */
    const uint64_t blocks =
        info->threads > 0 ? image->blocks * image->n_replicates : levy_run_blocks(plan, info);
    const double full = (double)image->paths / (double)(image->blocks * LEVY_BLOCK_PATHS);
    return info->threads > 0 ? 2.0 * full * (double)blocks <= w->count
                             : blocks <= workers_most_blocks(w, info);
}

/* Numbers that are given come from one supply, and large plans are few. */
static bool workers_suits(const levy_workers *w, const levy_plan *plan)
{
    return plan->image->bytes <= WORKERS_PLAN && levy_given_size(plan->image) == 0 &&
           workers_is_small(w, plan);
}

static levy_status workers_simulate(const workers_one *me, workers_place *place, char *why)
{
    levy_workers *const w = me->all;
    levy_ready *const ready = &place->ready;
    levy_call_device *const device = w->job.device;
    const levy_memory *const memory = &w->job.book->context->memory;
    const levy_run_options run = {
        .batch_blocks = w->job.batch_blocks, .progress = workers_progress, .user = w};
    const levy_image *const image = ready->plan->image;
    void **const state = &device->beside[me->number];
    if (!*state) LEVY_TRY(device->backend.beside(device->state, state, why));
    tree_sum *const sums = levy_arena_allocate(
        &place->scratch, (size_t)image->n_outputs * image->n_replicates, sizeof *sums);
    if (!sums) return LEVY_MEMORY;
    levy_run_times pilot = {0.0, 0.0};
    LEVY_TRY(levy_pilot_run(&device->backend, *state, ready->plan, &run, &pilot, why));
    LEVY_TRY(levy_run_plan(memory, &device->backend, *state, ready->plan, &run, sums, &ready->times,
                           why));
    ready->times.seconds += pilot.seconds;
    ready->times.device_seconds += pilot.device_seconds;
    ready->sums = sums;
    ready->made = w->job.finish(w->job.user, ready->plan, sums, &place->scratch);
    return LEVY_OK;
}

static void workers_tell(const levy_workers *w, levy_ready *ready)
{
    const levy_call_device *const device = w->job.device;
    ready->status = levy_run_foresee(ready->plan, &device->backend, device->state, &device->info);
}

static void workers_make(const workers_one *me, size_t group, workers_place *place)
{
    char why[LEVY_REASON_SIZE]; /* nobody reads it: who fails on the pricing thread says why */
    const levy_workers *const w = me->all;
    const levy_share share = w->job.share(w->job.user, group);
    place->ready = (levy_ready){.plan = NULL};
    place->meter.used = place->meter.most = place->meter.asked = 0;
    levy_arena_clear(&place->scratch);
    if (share == LEVY_SHARE_NONE) return;
    levy_plan **const plan = &place->ready.plan;
    if (levy_plan_cache_make(w->job.book, &place->memory, group, plan, why) != LEVY_OK) return;
    if (share == LEVY_SHARE_TOLD) workers_tell(w, &place->ready);
    if (share == LEVY_SHARE_SUMS && workers_suits(w, place->ready.plan))
        place->ready.status = workers_simulate(me, place, why);
}

static void *workers_main(void *argument)
{
    workers_one *const me = argument;
    levy_workers *const w = me->all;
    fesetenv(FE_DFL_ENV);
    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (!w->quit && w->next < w->job.end && w->next - w->taken >= w->room)
            pthread_cond_wait(&w->space, &w->lock);
        if (w->quit || w->next == w->job.end) break;
        const size_t group = w->next++;
        workers_place *const place = &w->ring[group % w->room];
        pthread_mutex_unlock(&w->lock);
        workers_make(me, group, place);
        pthread_mutex_lock(&w->lock);
        place->done = true;
        if (group == w->taken) pthread_cond_signal(&w->done);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* ---- Starting and ending ---- */

static uint32_t workers_hire(levy_workers *w, uint32_t count)
{
    uint32_t n = 0;
    for (; n < count; ++n) {
        w->one[n] = (workers_one){.all = w, .number = n};
        if (!levy_thread_start(&w->one[n].thread, WORKERS_STACK, workers_main, &w->one[n])) break;
    }
    return n;
}

static void workers_init(levy_workers *w)
{
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->space, NULL);
    levy_thread_condition(&w->done);
}

static void workers_free(levy_workers *w)
{
    const levy_memory *const memory = &w->job.book->context->memory;
    for (size_t i = 0; w->ring && i < w->room; ++i) levy_arena_release(&w->ring[i].scratch);
    levy_memory_release(memory, w->one);
    levy_memory_release(memory, w->ring);
    levy_memory_release(memory, w);
}

static levy_workers *workers_create(const levy_workers_job *job, uint32_t count)
{
    const levy_memory *const memory = &job->book->context->memory;
    levy_workers *const w = levy_memory_allocate(memory, 1, sizeof *w);
    if (!w) return NULL;
    w->job = *job;
    w->next = w->taken = job->first;
    w->count = count;
    w->room = (size_t)count * WORKERS_RING;
    w->one = levy_memory_allocate(memory, count, sizeof *w->one);
    w->ring = levy_memory_allocate(memory, w->room, sizeof *w->ring);
    for (size_t i = 0; w->ring && i < w->room; ++i) levy_arena_init(&w->ring[i].scratch, memory);
    if (w->one && w->ring) return w;
    workers_free(w);
    return NULL;
}

/* False: the book's meter has too little left to share it out. */
static bool workers_share_memory(levy_workers *w)
{
    const levy_memory *const planning = &w->job.book->context->planning;
    const size_t room = levy_memory_room(planning) / w->room;
    for (size_t i = 0; i < w->room; ++i) {
        workers_place *const place = &w->ring[i];
        place->meter = (levy_meter){
            .limit = room < WORKERS_PLAN ? room : WORKERS_PLAN, .stop = workers_stopped, .user = w};
        place->memory = *planning;
        place->memory.meter = &place->meter;
    }
    return room >= WORKERS_LEAST;
}

levy_workers *levy_workers_start(const levy_workers_job *job, uint32_t most)
{
    const size_t wanted = (job->end - job->first) / WORKERS_GROUPS;
    const levy_backend_info *const info = &job->device->info;
    const uint32_t gpus = info->together > 0 ? info->together : 1;
    if (info->threads == 0 && most > WORKERS_GPU * gpus) most = WORKERS_GPU * gpus;
    if (most > LEVY_BESIDE_MOST) most = LEVY_BESIDE_MOST;
    if (most > wanted) most = (uint32_t)wanted;
    if (most < 1) return NULL;
    levy_workers *const w = workers_create(job, most);
    if (!w) return NULL;
    workers_init(w);
    if (workers_share_memory(w)) w->started = workers_hire(w, most);
    if (w->started > 0) return w;
    levy_workers_end(w);
    return NULL;
}

static void workers_drop(levy_workers *w)
{
    for (size_t group = w->taken + w->held; group < w->next; ++group)
        levy_plan_cache_discard(w->job.book, group, w->ring[group % w->room].ready.plan);
}

void levy_workers_end(levy_workers *w)
{
    if (!w) return;
    atomic_store(&w->stop, true);
    pthread_mutex_lock(&w->lock);
    w->quit = true;
    pthread_cond_broadcast(&w->space);
    pthread_mutex_unlock(&w->lock);
    for (uint32_t i = 0; i < w->started; ++i) pthread_join(w->one[i].thread, NULL);
    workers_drop(w);
    pthread_cond_destroy(&w->done);
    pthread_cond_destroy(&w->space);
    pthread_mutex_destroy(&w->lock);
    workers_free(w);
}

/* ---- Taking ---- */

/* Waits until the place is done, with the lock held. */
static levy_status workers_await(levy_workers *w, const workers_place *place)
{
    while (!place->done) {
        if (levy_thread_wait(&w->done, &w->lock, WORKERS_TICK) || place->done) continue;
        pthread_mutex_unlock(&w->lock);
        const int stop = w->job.stop(w->job.user);
        pthread_mutex_lock(&w->lock);
        if (stop) return LEVY_CANCELLED;
    }
    return LEVY_OK;
}

/* The place of the group that the pricing thread is done with is free. */
static void workers_give_back(levy_workers *w)
{
    if (!w->held) return;
    w->held = false;
    w->ring[w->taken % w->room].done = false;
    /* not each time: a thread that is woken for one place soon sleeps again */
    if (++w->taken % w->count == 0) pthread_cond_broadcast(&w->space);
}

levy_status levy_workers_take(levy_workers *w, levy_ready *ready)
{
    pthread_mutex_lock(&w->lock);
    workers_give_back(w);
    workers_place *const place = &w->ring[w->taken % w->room];
    const levy_status status = workers_await(w, place);
    w->held = status == LEVY_OK;
    pthread_mutex_unlock(&w->lock);
    if (status != LEVY_OK) return status;
    *ready = place->ready;
    if (ready->plan && !levy_plan_cache_adopt(w->job.book, w->taken, ready->plan))
        *ready = (levy_ready){.plan = NULL};
    return LEVY_OK;
}
