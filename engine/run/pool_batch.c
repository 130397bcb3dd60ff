/* pool_batch.c: see pool.h: one batch on the members of a pool. Must not know: threads. */
#include "engine/run/pool_state.h"

#include "engine/base/clock.h"

#include <stdio.h>

/* ---- Shares ---- */

static double batch_pace(const pool_member *member)
{
    return member->pace > 0.0 ? member->pace : (double)member->wave;
}

/* How many members have enough to do: none gets less than fills it. */
static size_t batch_crew(levy_pool *pool, uint64_t blocks, pool_member **crew)
{
    const size_t count = levy_pool_members(pool, pool->most, crew);
    uint64_t wave = 1;
    for (size_t i = 0; i < count; ++i)
        if (crew[i]->loaded && crew[i]->wave > wave) wave = crew[i]->wave;
    return pool_busy(blocks, wave, count);
}

/* The end of a whole branch at or before `at`, which counts from the batch's first block. */
static uint64_t batch_cut(const levy_pool *pool, uint64_t at)
{
    const levy_batch *const batch = pool->batch;
    const uint64_t whole = (uint64_t)1 << batch->height,
                   over = (batch->first_block + at) % pool->image->blocks % whole;
    return over < at ? at - over : 0;
}

/* Cuts a run of blocks into shares in proportion to the members' pace. */
static void batch_share(const levy_pool *pool, pool_share all, pool_member **crew, size_t count)
{
    double sum = 0.0, before = 0.0;
    uint64_t at = all.first;
    for (size_t i = 0; i < count; ++i) sum += batch_pace(crew[i]);
    for (size_t i = 0; i < count; ++i) {
        before += batch_pace(crew[i]);
        const double part = before / sum < 1.0 ? before / sum : 1.0;
        uint64_t end = batch_cut(pool, all.first + (uint64_t)(part * (double)all.count));
        if (i + 1 == count || end > all.first + all.count) end = all.first + all.count;
        if (end < at) end = at;
        crew[i]->share = (pool_share){at, end - at};
        at = end;
    }
}

/* ---- One member ---- */

static int batch_poll(void *user)
{
    const pool_member *const member = user;
    const levy_cancel *const cancel = member->pool->cancel;
    if (atomic_load(&member->pool->stop)) return 1;
    return cancel && cancel->poll ? cancel->poll(cancel->user) : 0;
}

/* Used only by the calling thread. */
static int batch_tick(void *user)
{
    pool_member *const member = user;
    const levy_cancel *const cancel = member->pool->cancel;
    if (cancel && cancel->tick && cancel->tick(cancel->tick_user))
        atomic_store(&member->pool->stop, 1);
    return batch_poll(user);
}

levy_cancel levy_pool_cancel(pool_member *member)
{
    return (levy_cancel){batch_poll, member, member->called ? batch_tick : NULL, member};
}

/* The part of the batch that is the member's share; *sums: where its sums belong. */
static levy_batch batch_part(const pool_member *member, levy_block_sum **sums)
{
    const levy_pool *const pool = member->pool;
    const levy_batch *const batch = pool->batch;
    const uint64_t at = member->share.first;
    levy_batch part = *batch;
    part.first_block += at;
    part.n_blocks = member->share.count;
    if (batch->record) part.record = (char *)batch->record + at * levy_record_bytes(pool->image);
    *sums = pool->sums + levy_branches(pool->image, batch->first_block, at, batch->height) *
                             batch->tile.n_outputs;
    return part;
}

static void batch_work(pool_member *member)
{
    const levy_backend *const gpu = &member->pool->gpu;
    if (member->share.count == 0) return;
    levy_pool_load_member(member);
    if (member->status != LEVY_OK) return;
    const levy_cancel cancel = levy_pool_cancel(member);
    levy_block_sum *sums = NULL;
    const levy_batch part = batch_part(member, &sums);
    const double start = levy_clock_now();
    double seconds = 0.0;
    member->status = gpu->simulate(member->state, &part, &cancel, sums, &seconds, member->why);
    const double spent = levy_clock_now() - start;
    member->seconds += seconds;
    if (member->status != LEVY_OK || spent <= 0.0 || part.n_blocks < member->wave) return;
    const double pace = (double)part.n_blocks / spent;
    member->pace = member->pace > 0.0 ? 0.5 * (member->pace + pace) : pace;
}

/* ---- All members ---- */

/* Adds the shares of members that failed to those to do; those members are left out. */
static levy_status batch_collect(pool_member **crew, size_t count, pool_share *left, size_t *n)
{
    levy_status status = LEVY_OK;
    for (size_t i = 0; i < count; ++i) {
        pool_member *const m = crew[i];
        if (m->share.count == 0 || m->status == LEVY_OK) continue;
        if (m->status == LEVY_CANCELLED)
            status = LEVY_CANCELLED;
        else
            levy_pool_leave_out(m);
        left[(*n)++] = m->share;
    }
    return status;
}

static levy_status batch_run(levy_pool *pool, char *why)
{
    pool_member *crew[LEVY_DEVICES_MOST];
    pool_share left[LEVY_DEVICES_MOST + 1] = {{0, pool->batch->n_blocks}};
    size_t n = 1;
    bool failed = false;
    while (n > 0) {
        const pool_share share = left[--n];
        const size_t count = batch_crew(pool, share.count, crew);
        if (count == 0) return levy_pool_fail(pool, why);
        batch_share(pool, share, crew, count);
        levy_pool_round(pool, batch_work, crew, count);
        if (batch_collect(crew, count, left, &n) == LEVY_CANCELLED)
            return snprintf(why, LEVY_REASON_SIZE, "cancelled"), LEVY_CANCELLED;
        failed = failed || n > 0;
    }
    if (failed) levy_pool_note(pool);
    return LEVY_OK;
}

/* Numbers in a member's memory: no other can read them. */
static levy_status batch_at_home(levy_pool *pool, char *why)
{
    pool_member *const home = pool->home;
    home->share = (pool_share){0, pool->batch->n_blocks};
    home->called = true;
    batch_work(home);
    if (home->status != LEVY_OK) snprintf(why, LEVY_REASON_SIZE, "%s", home->why);
    return home->status;
}

levy_status levy_pool_simulate(levy_pool *pool, const levy_batch *batch, const levy_cancel *cancel,
                               levy_block_sum *sums, double *seconds, char *why)
{
    const size_t most = pool->most;
    pool->batch = batch;
    pool->sums = sums;
    pool->cancel = cancel;
    atomic_store(&pool->stop, 0);
    for (size_t i = 0; i < pool->count; ++i) pool->members[i].seconds = 0.0;
    if (batch->given) pool->most = 1; /* rows of given numbers are not cut */
    const levy_status status =
        batch->given_here && pool->home ? batch_at_home(pool, why) : batch_run(pool, why);
    pool->most = most;
    *seconds = 0.0;
    for (size_t i = 0; i < pool->count; ++i)
        if (pool->members[i].seconds > *seconds) *seconds = pool->members[i].seconds;
    pool->batch = NULL;
    pool->cancel = NULL;
    return status;
}
