/* pool.c: see pool.h: the table of a pool, and which members take part. Must not know: threads. */
#include "engine/run/pool_state.h"

#include <stdio.h>
#include <string.h>

size_t levy_pool_members(levy_pool *pool, size_t most, pool_member **members)
{
    size_t n = 0;
    for (size_t i = 0; i < pool->count && n < most; ++i)
        if (pool_is_in(pool_at(pool, i))) members[n++] = pool_at(pool, i);
    return n;
}

/* ---- Failures ---- */

static pool_member *pool_original(const pool_member *member)
{
    return &member->pool->first->members[member - member->pool->members];
}

/* Keeps the first failure for describe(). */
static void pool_keep_note(const pool_member *member)
{
    levy_pool *const first = member->pool->first;
    pool_member *const original = pool_original(member);
    pthread_mutex_lock(&first->lock);
    if (!original->note[0]) memcpy(original->note, member->why, sizeof original->note);
    pthread_mutex_unlock(&first->lock);
}

void levy_pool_leave_out(pool_member *member)
{
    member->failed = true;
    member->out = member->status == LEVY_DEVICE ? POOL_LOST : POOL_RESTS;
    if (member->out != POOL_LOST) return;
    pool_original(member)->out = POOL_LOST;
    pool_keep_note(member);
}

void levy_pool_note(levy_pool *pool)
{
    for (size_t i = 0; i < pool->count; ++i) {
        if (pool->members[i].failed) pool_keep_note(&pool->members[i]);
        pool->members[i].failed = false;
    }
}

levy_status levy_pool_fail(levy_pool *pool, char *why)
{
    const pool_member *first = NULL;
    for (size_t i = 0; i < pool->count; ++i) {
        const pool_member *const m = pool_at(pool, i);
        if (m->status != LEVY_OK && (!first || (m->failed && !first->failed))) first = m;
    }
    const levy_status status = first ? first->status : LEVY_DEVICE;
    snprintf(why, LEVY_REASON_SIZE, "%s", first ? first->why : "each of the GPUs is lost");
    for (size_t i = 0; i < pool->count; ++i) {
        pool->members[i].failed = false;
        if (pool->members[i].out == POOL_RESTS) pool->members[i].out = POOL_IN;
    }
    return status;
}

/* ---- Plans ---- */

/* A pool's second state on the same GPUs opens its members when it needs them. */
static levy_status pool_open_beside(pool_member *member)
{
    if (member->state) return LEVY_OK;
    return member->pool->gpu.beside(pool_original(member)->state, &member->state, member->why);
}

void levy_pool_load_member(pool_member *member)
{
    levy_pool *const pool = member->pool;
    const levy_cancel cancel = levy_pool_cancel(member);
    member->status = LEVY_OK;
    if (member->loaded) return;
    member->status = pool_open_beside(member);
    if (member->status != LEVY_OK) return;
    if (pool->gpu.watch) pool->gpu.watch(member->state, &cancel);
    member->status =
        pool->gpu.load(member->state, pool->image, pool->tiles, pool->n_tiles, member->why);
    if (pool->gpu.watch) pool->gpu.watch(member->state, NULL);
    if (member->status != LEVY_OK) return;
    levy_backend_info info;
    member->loaded = true;
    pool->gpu.describe(member->state, &info);
    member->wave = pool_wave(&info);
}

static void pool_unload(void *state)
{
    levy_pool *const pool = state;
    for (size_t i = 0; i < pool->count; ++i) {
        if (pool->members[i].loaded) pool->gpu.unload(pool->members[i].state);
        pool->members[i].loaded = false;
    }
    pool->image = NULL;
}

static levy_status pool_check_bits(const levy_pool *pool, const levy_image *image, char *why)
{
    if (!pool->first->mixed || (!image->precision && !image->mixed)) return LEVY_OK;
    levy_pool_mixture(pool->first, why);
    return LEVY_UNSUPPORTED;
}

/* How many members a plan keeps busy, given the number of blocks that fills the first one. */
static size_t pool_wanted(levy_pool *pool, pool_member *const *members, size_t count)
{
    const levy_image *const image = pool->image;
    return count > 0 ? pool_busy(image->blocks * image->n_replicates, members[0]->wave, count) : 0;
}

/* Loads members until one has the plan or all have failed. */
static levy_status pool_load_some(levy_pool *pool, char *why)
{
    pool_member *members[LEVY_DEVICES_MOST];
    bool failed = false, loaded = false;
    while (!loaded) {
        const size_t count =
            pool_wanted(pool, members, levy_pool_members(pool, pool->most, members));
        if (count == 0) return levy_pool_fail(pool, why);
        levy_pool_round(pool, levy_pool_load_member, members, count);
        for (size_t i = 0; i < count; ++i) {
            if (members[i]->loaded) loaded = true;
            if (members[i]->loaded) continue;
            if (members[i]->status == LEVY_CANCELLED)
                return snprintf(why, LEVY_REASON_SIZE, "cancelled"), LEVY_CANCELLED;
            levy_pool_leave_out(members[i]);
            failed = true;
        }
    }
    if (failed) levy_pool_note(pool);
    return LEVY_OK;
}

static void pool_watch(void *state, const levy_cancel *cancel)
{
    levy_pool *const pool = state;
    pool->cancel = cancel;
    atomic_store(&pool->stop, 0);
}

static levy_status pool_load(void *state, const levy_image *image, const levy_tile *tiles,
                             size_t n_tiles, char *why)
{
    levy_pool *const pool = state;
    pool_unload(pool);
    LEVY_TRY(pool_check_bits(pool, image, why));
    pool->image = image;
    pool->tiles = tiles;
    pool->n_tiles = n_tiles;
    pool->home = NULL;
    /* a member that rests in a second state does so to the end, since such a state prices many
     * small plans in a row */
    for (size_t i = 0; i < pool->count && pool->first == pool; ++i) {
        pool->members[i].pace = 0.0;
        if (pool->members[i].out == POOL_RESTS && !pool->keep_out) pool->members[i].out = POOL_IN;
    }
    pool->keep_out = false;
    return pool_load_some(pool, why);
}

static levy_status pool_simulate(void *state, const levy_batch *batch, const levy_cancel *cancel,
                                 levy_block_sum *sums, double *seconds, char *why)
{
    return levy_pool_simulate(state, batch, cancel, sums, seconds, why);
}

/* ---- Kernels that are foreseen ---- */

static void pool_get_foreseen(pool_member *member)
{
    const levy_backend *const gpu = &member->pool->gpu;
    const levy_cancel cancel = levy_pool_cancel(member);
    if (gpu->watch) gpu->watch(member->state, &cancel);
    (void)gpu->foresee(member->state, NULL, NULL, 0);
    if (gpu->watch) gpu->watch(member->state, NULL);
}

static levy_status pool_foresee(void *state, const levy_image *image, const levy_tile *tiles,
                                size_t n_tiles)
{
    levy_pool *const pool = state;
    pool_member *members[LEVY_DEVICES_MOST];
    const size_t count = levy_pool_members(pool, pool->most, members);
    levy_status status = LEVY_OK;
    if (!image && count > 0) levy_pool_round(pool, pool_get_foreseen, members, count);
    for (size_t i = 0; image && i < count && status == LEVY_OK; ++i)
        status = pool->gpu.foresee(members[i]->state, image, tiles, n_tiles);
    return status;
}

/* Each architecture once. */
static size_t pool_missing(void *state)
{
    levy_pool *const pool = state;
    pool_member *members[LEVY_DEVICES_MOST];
    const size_t count = levy_pool_members(pool, pool->most, members);
    size_t sum = 0;
    for (size_t i = 0; i < count; ++i) {
        const size_t missing = pool->gpu.missing(members[i]->state);
        size_t before = 0;
        while (strcmp(members[before]->info.isa, members[i]->info.isa) != 0) ++before;
        if (before == i) sum += missing;
    }
    return sum;
}

/* ---- Data on one member: given numbers, and the object that makes them ---- */

/* The member, until the next plan: one that has this plan. NULL: none is left. */
static pool_member *pool_home(levy_pool *pool)
{
    pool_member *members[LEVY_DEVICES_MOST];
    const size_t count = levy_pool_members(pool, pool->count, members);
    for (size_t i = 0; i < count && !pool->home; ++i)
        if (members[i]->loaded) pool->home = members[i];
    return pool->home;
}

/* A plan whose numbers lay on one member may be run on another one. */
static bool pool_again(void *state, levy_status status, const char *why)
{
    levy_pool *const pool = state;
    pool_member *const home = pool->home, *other = NULL;
    if (!home || !why[0] || status == LEVY_CANCELLED || status == LEVY_UNSUPPORTED) return false;
    home->status = status;
    snprintf(home->why, sizeof home->why, "%s", why);
    levy_pool_leave_out(home);
    pool->keep_out = levy_pool_members(pool, 1, &other) == 1;
    if (pool->keep_out) levy_pool_note(pool);
    return pool->keep_out;
}

static levy_status pool_memory_take(void *state, size_t size, void **memory, char *why)
{
    levy_pool *const pool = state;
    *memory = NULL;
    if (!pool_home(pool)) return levy_pool_fail(pool, why);
    return pool->gpu.memory_take(pool->home->state, size, memory, why);
}

static void pool_memory_give(void *state, void *memory)
{
    levy_pool *const pool = state;
    if (pool->home) pool->gpu.memory_give(pool->home->state, memory);
}

static levy_status pool_within(void *state, levy_status (*work)(void *user, char *why), void *user,
                               char *why)
{
    levy_pool *const pool = state;
    if (!pool_home(pool)) return levy_pool_fail(pool, why);
    return pool->gpu.within(pool->home->state, work, user, why);
}

static void *pool_stream(void *state)
{
    levy_pool *const pool = state;
    return pool_home(pool) ? pool->gpu.stream(pool->home->state) : NULL;
}

static levy_status pool_object_create(void *state, levy_object_kind kind, const void *tables,
                                      void **object, char *why)
{
    levy_pool *const pool = state;
    *object = NULL;
    if (!pool_home(pool)) return levy_pool_fail(pool, why);
    return pool->gpu.object_create(pool->home->state, kind, tables, object, why);
}

/* ---- Opening and closing ---- */

static void pool_describe(void *state, levy_backend_info *info) { levy_pool_describe(state, info); }

static void pool_close(void *state)
{
    levy_pool *const pool = state;
    if (!pool) return;
    levy_pool_rounds_end(pool);
    for (size_t i = 0; i < pool->count; ++i)
        if (pool->members[i].state) pool->gpu.close(pool->members[i].state);
    const levy_memory memory = pool->memory;
    levy_memory_release(&memory, pool->members);
    levy_memory_release(&memory, pool);
}

static levy_pool *pool_create(const levy_memory *memory, const levy_backend *gpu, size_t count)
{
    levy_pool *const pool = levy_memory_allocate(memory, 1, sizeof *pool);
    if (!pool) return NULL;
    pool->memory = *memory;
    pool->gpu = *gpu;
    pool->first = pool;
    pool->count = pool->most = count;
    pool->members = levy_memory_allocate(memory, count, sizeof *pool->members);
    if (!pool->members) {
        levy_memory_release(memory, pool);
        return NULL;
    }
    for (size_t i = 0; i < count; ++i) pool->members[i].pool = pool;
    levy_pool_rounds_start(pool);
    return pool;
}

static levy_status pool_beside(void *state, void **other, char *why)
{
    levy_pool *const first = ((levy_pool *)state)->first;
    levy_pool *const pool = pool_create(&first->memory, &first->gpu, first->count);
    *other = pool;
    if (!pool) return snprintf(why, LEVY_REASON_SIZE, "no memory to share the GPUs"), LEVY_MEMORY;
    pool->first = first;
    pool->most = 1;
    pool->from = atomic_fetch_add(&first->next, 1) % first->most;
    for (size_t i = 0; i < pool->count; ++i) {
        pool->members[i].ordinal = first->members[i].ordinal;
        pool->members[i].wave = pool_wave(&first->members[i].info);
    }
    return LEVY_OK;
}

/* The arguments with which members are opened, during the opening. */
static void pool_open_member(pool_member *member)
{
    levy_pool *const pool = member->pool;
    levy_backend_options own = *pool->options;
    own.device = member->ordinal;
    member->status = pool->gpu.open(&own, &member->state, member->why);
    if (member->status != LEVY_OK)
        member->state = NULL;
    else
        pool->gpu.describe(member->state, &member->info);
    member->wave = pool_wave(&member->info);
}

/* Whoever could not be opened is lost; the others get each kernel once. */
static levy_status pool_join(levy_pool *pool, char *why)
{
    const pool_member *first = NULL;
    for (size_t i = 0; i < pool->count; ++i) {
        pool_member *const m = &pool->members[i];
        if (!m->state) {
            m->failed = true;
            m->out = POOL_LOST;
            continue;
        }
        if (!first)
            first = m;
        else if (pool->gpu.join)
            LEVY_TRY(pool->gpu.join(first->state, m->state, why));
        if (strcmp(first->info.isa, m->info.isa) != 0) pool->mixed = true;
    }
    if (!first) return levy_pool_fail(pool, why);
    levy_pool_note(pool);
    return LEVY_OK;
}

static levy_status pool_open_all(levy_pool *pool, const levy_pool_wish *wish, char *why)
{
    pool_member *members[LEVY_DEVICES_MOST];
    pool->options = wish->options;
    for (size_t i = 0; i < pool->count; ++i) {
        pool->members[i].ordinal = wish->ordinals[i];
        members[i] = &pool->members[i];
    }
    levy_pool_round(pool, pool_open_member, members, pool->count);
    pool->options = NULL;
    return pool_join(pool, why);
}

/* The table of the members' backend, with the pool's own functions. Objects that stand alone lie
 * on one GPU, so a pool has none but the normals that make a plan's numbers. */
static levy_backend pool_table(const levy_backend *gpu)
{
    const bool given = gpu->memory_take != NULL;
    return (levy_backend){.version = gpu->version,
                          .size = gpu->size,
                          .name = gpu->name,
                          .close = pool_close,
                          .beside = gpu->beside ? pool_beside : NULL,
                          .describe = pool_describe,
                          .watch = pool_watch,
                          .load = pool_load,
                          .simulate = pool_simulate,
                          .unload = pool_unload,
                          .foresee = gpu->foresee ? pool_foresee : NULL,
                          .missing = gpu->missing ? pool_missing : NULL,
                          .present = gpu->present,
                          .list_devices = gpu->list_devices,
                          .build = gpu->build,
                          .accepts = gpu->accepts,
                          .cache = gpu->cache,
                          .again = pool_again,
                          .objects = given ? gpu->objects & 1u << LEVY_OBJECT_NORMALS : 0,
                          .object_create = pool_object_create,
                          .object_run = gpu->object_run,
                          .object_describe = gpu->object_describe,
                          .object_destroy = gpu->object_destroy,
                          .memory_take = given ? pool_memory_take : NULL,
                          .memory_give = given ? pool_memory_give : NULL,
                          .within = given ? pool_within : NULL,
                          .stream = given ? pool_stream : NULL};
}

levy_status levy_pool_open(const levy_pool_wish *wish, levy_backend *backend, void **state,
                           char *why)
{
    const uint32_t threads = wish->options->threads;
    *state = NULL;
    levy_pool *const pool = pool_create(wish->options->memory, wish->gpu, wish->count);
    if (!pool) return snprintf(why, LEVY_REASON_SIZE, "no memory for the GPUs"), LEVY_MEMORY;
    if (threads > 0 && threads < pool->most) pool->most = threads;
    const levy_status status = pool_open_all(pool, wish, why);
    if (status != LEVY_OK) {
        pool_close(pool);
        return status;
    }
    *backend = pool_table(wish->gpu);
    *state = pool;
    return LEVY_OK;
}
