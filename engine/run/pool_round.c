/* pool_round.c: see pool_state.h: the members of a pool at work side by side. A thread is started
 * when its member first has work beside another's, and waits between rounds. Must not know: what
 * the work is. */
#include "engine/run/pool_state.h"

#include "engine/base/thread.h"

#include <fenv.h>

enum {
    ROUND_STACK = 8 << 20, /* bytes, as of a program's first thread */
    ROUND_TICK = 20000000  /* nanoseconds */
};

static void *round_main(void *argument)
{
    pool_member *const me = argument;
    levy_pool *const pool = me->pool;
    fesetenv(FE_DFL_ENV);
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->quit && !me->busy) pthread_cond_wait(&pool->go, &pool->lock);
        if (pool->quit) break;
        pthread_mutex_unlock(&pool->lock);
        pool->work(me);
        pthread_mutex_lock(&pool->lock);
        me->busy = false;
        pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static bool round_is_over(pool_member *const *members, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (members[i]->busy) return false;
    return true;
}

/* Waits for the threads, with the lock held. */
static void round_await(levy_pool *pool, pool_member *const *members, size_t count)
{
    const levy_cancel *const cancel = pool->cancel;
    while (!round_is_over(members, count)) {
        if (levy_thread_wait(&pool->done, &pool->lock, ROUND_TICK)) continue;
        pthread_mutex_unlock(&pool->lock);
        if (cancel && cancel->tick && cancel->tick(cancel->tick_user)) atomic_store(&pool->stop, 1);
        pthread_mutex_lock(&pool->lock);
    }
}

void levy_pool_round(levy_pool *pool, void (*work)(pool_member *member), pool_member **members,
                     size_t count)
{
    pthread_mutex_lock(&pool->lock);
    pool->work = work;
    for (size_t i = 0; i < count; ++i) {
        pool_member *const m = members[i];
        m->called = i == 0;
        if (m->called) continue;
        if (!m->started) m->started = levy_thread_start(&m->thread, ROUND_STACK, round_main, m);
        m->busy = m->started;
        m->called = !m->started;
    }
    if (count > 1) pthread_cond_broadcast(&pool->go);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < count; ++i)
        if (members[i]->called) work(members[i]);
    pthread_mutex_lock(&pool->lock);
    round_await(pool, members, count);
    pthread_mutex_unlock(&pool->lock);
}

void levy_pool_rounds_start(levy_pool *pool)
{
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->go, NULL);
    levy_thread_condition(&pool->done);
}

void levy_pool_rounds_end(levy_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->go);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->count; ++i)
        if (pool->members[i].started) pthread_join(pool->members[i].thread, NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->go);
    pthread_mutex_destroy(&pool->lock);
}
