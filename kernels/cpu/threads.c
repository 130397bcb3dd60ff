/* threads.c: see threads.h. */
#include "kernels/cpu/threads.h"

#include "engine/base/machine.h"
#include "engine/base/thread.h"

#include <fenv.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

/* The path loop's frames take 1.1 MB with AVX-512. Unoptimised, or under a sanitizer, they take
 * more: no room is shared between variables of functions that are inlined. */
#if !defined(THREADS_STACK) && defined(__OPTIMIZE__)
#define THREADS_STACK (2 << 20)
#elif !defined(THREADS_STACK)
#define THREADS_STACK (8 << 20)
#endif

enum { THREADS_TICK_NS = 20000000 };

struct levy_threads {
    const levy_memory *memory;
    uint32_t count, started, busy;
    uint64_t round; /* counts calls of run */
    bool quit;
    void (*work)(void *user, uint32_t worker);
    void *user;
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    pthread_t *workers;
};

/* Processors that this process is bound to. */
static uint32_t threads_bound(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (uint32_t)CPU_COUNT(&set);
#endif
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (uint32_t)n : 1;
}

/* Read once: files of the kernel take some 10 us each. */
static uint32_t threads_quota(void)
{
    static atomic_uint known;
    uint32_t quota = atomic_load(&known);
    if (quota == 0) atomic_store(&known, quota = levy_machine_quota());
    return quota;
}

uint32_t levy_threads_available(void)
{
    const uint32_t bound = threads_bound(), quota = threads_quota();
    return quota < bound ? quota : bound;
}

uint32_t levy_threads_shared(uint32_t processes, uint32_t place)
{
    const uint32_t set = levy_machine_set(), quota = threads_quota(),
                   all = quota < set ? quota : set,
                   own = all / processes + (place < all % processes), bound = threads_bound();
    if (own < 1) return 1;
    return own < bound ? own : bound;
}

static uint32_t threads_enlist(levy_threads *t)
{
    pthread_mutex_lock(&t->lock);
    const uint32_t worker = t->started++;
    pthread_mutex_unlock(&t->lock);
    return worker;
}

static void *threads_main(void *argument)
{
    levy_threads *const t = argument;
    fesetenv(FE_DFL_ENV);
    const uint32_t worker = threads_enlist(t);
    uint64_t seen = 0;
    for (;;) {
        pthread_mutex_lock(&t->lock);
        while (!t->quit && t->round == seen) pthread_cond_wait(&t->wake, &t->lock);
        const bool quit = t->quit;
        seen = t->round;
        pthread_mutex_unlock(&t->lock);
        if (quit) return NULL;
        t->work(t->user, worker);
        pthread_mutex_lock(&t->lock);
        const bool last = --t->busy == 0;
        pthread_mutex_unlock(&t->lock); /* first, because who is woken takes it */
        if (last) pthread_cond_signal(&t->done);
    }
}

static uint32_t threads_start(levy_threads *t, uint32_t count)
{
    uint32_t n = 0;
    while (n < count && levy_thread_start(&t->workers[n], THREADS_STACK, threads_main, t)) ++n;
    return n;
}

static void threads_init(levy_threads *t)
{
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
    levy_thread_condition(&t->done);
}

levy_status levy_threads_create(const levy_memory *memory, uint32_t count, levy_threads **threads)
{
    levy_threads *const t = levy_memory_allocate(memory, 1, sizeof *t);
    if (!t) return LEVY_MEMORY;
    t->memory = memory;
    t->workers = levy_memory_allocate(memory, count, sizeof *t->workers);
    if (!t->workers) {
        levy_memory_release(memory, t);
        return LEVY_MEMORY;
    }
    threads_init(t);
    t->count = threads_start(t, count);
    if (t->count < count) {
        levy_threads_destroy(t);
        return LEVY_MEMORY;
    }
    *threads = t;
    return LEVY_OK;
}

void levy_threads_destroy(levy_threads *t)
{
    if (!t) return;
    pthread_mutex_lock(&t->lock);
    t->quit = true;
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->lock);
    for (uint32_t i = 0; i < t->count; ++i) pthread_join(t->workers[i], NULL);
    pthread_cond_destroy(&t->done);
    pthread_cond_destroy(&t->wake);
    pthread_mutex_destroy(&t->lock);
    levy_memory_release(t->memory, t->workers);
    levy_memory_release(t->memory, t);
}

void levy_threads_run_ticking(levy_threads *t, void (*work)(void *user, uint32_t worker),
                              void (*tick)(void *user), void *user)
{
    pthread_mutex_lock(&t->lock);
    t->work = work;
    t->user = user;
    t->busy = t->count;
    ++t->round;
    pthread_mutex_unlock(&t->lock); /* as above */
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_lock(&t->lock);
    while (t->busy > 0) {
        if (!tick) {
            pthread_cond_wait(&t->done, &t->lock);
        } else if (!levy_thread_wait(&t->done, &t->lock, THREADS_TICK_NS) && t->busy > 0) {
            pthread_mutex_unlock(&t->lock);
            tick(user);
            pthread_mutex_lock(&t->lock);
        }
    }
    pthread_mutex_unlock(&t->lock);
}

void levy_threads_run(levy_threads *t, void (*work)(void *user, uint32_t worker), void *user)
{
    levy_threads_run_ticking(t, work, NULL, user);
}
