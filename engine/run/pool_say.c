/* pool_say.c: see pool.h: what a pool says of itself and its members. Must not know: threads. */
#include "engine/run/pool_state.h"

#include <stdio.h>
#include <string.h>

/* Adds to a text as much as has room. */
static void say_add(char *text, size_t size, const char *before, const char *more)
{
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", length > 0 ? before : "", more);
}

/* The bytes of a member's name without its ordinal. */
static size_t say_name(const pool_member *member)
{
    const char *const device = member->info.device, *const end = strstr(device, " (cuda:");
    return end ? (size_t)(end - device) : strlen(device);
}

static bool say_is_alike(const pool_member *a, const pool_member *b)
{
    const size_t length = say_name(a);
    return length == say_name(b) && memcmp(a->info.device, b->info.device, length) == 0;
}

/* "NVIDIA H200 (cuda:0, cuda:1)", or each with its own name where they differ. */
static void say_device(const levy_pool *pool, const pool_member *first, char *text, size_t size)
{
    bool alike = true;
    for (size_t i = 0; i < pool->count; ++i)
        if (pool->members[i].state) alike = alike && say_is_alike(first, &pool->members[i]);
    for (size_t i = 0; i < pool->count; ++i) {
        const pool_member *const m = &pool->members[i];
        char more[sizeof m->info.device];
        if (!m->state) continue;
        if (alike && m != first)
            snprintf(more, sizeof more, "cuda:%d", (int)m->ordinal);
        else
            snprintf(more, sizeof more, "%s", m->info.device);
        if (alike && m == first) more[strlen(more) - 1] = '\0'; /* the bracket is still open */
        say_add(text, size, ", ", more);
    }
    if (alike) say_add(text, size, "", ")");
}

/* "sm_90", or "sm_80, sm_90". */
static void say_isa(const levy_pool *pool, char *text, size_t size)
{
    for (size_t i = 0; i < pool->count; ++i) {
        const pool_member *const m = &pool->members[i];
        if (m->state && !strstr(text, m->info.isa)) say_add(text, size, ", ", m->info.isa);
    }
}

static void say_note(levy_pool *pool, char *text, size_t size)
{
    pthread_mutex_lock(&pool->lock);
    for (size_t i = 0; i < pool->count; ++i) {
        const pool_member *const m = &pool->members[i];
        char more[sizeof m->note + 16];
        const bool named = strncmp(m->note, "cuda:", 5) == 0;
        if (!m->note[0]) continue;
        snprintf(more, sizeof more, "cuda:%d: %s", (int)m->ordinal, m->note);
        say_add(text, size, "; ", named ? m->note : more);
    }
    pthread_mutex_unlock(&pool->lock);
}

void levy_pool_describe(levy_pool *pool, levy_backend_info *info)
{
    levy_pool *const first = pool->first;
    const pool_member *open = &first->members[0];
    uint64_t wave = 0;
    while (!open->state) ++open; /* one is, or the pool would not be open */
    *info = open->info;
    info->device[0] = info->isa[0] = '\0';
    info->together = 0;
    for (size_t i = 0; i < pool->count && info->together < pool->most; ++i) {
        if (!pool_is_in(pool_at(pool, i))) continue;
        wave += pool_at(pool, i)->wave;
        ++info->together;
    }
    if (wave > 0) info->wave_blocks = wave;
    say_device(first, open, info->device, sizeof info->device);
    say_isa(first, info->isa, sizeof info->isa);
    say_note(first, info->note, sizeof info->note);
    info->unlike = first->mixed;
}

void levy_pool_mixture(const levy_pool *pool, char *why)
{
    const pool_member *a = &pool->members[0];
    while (!a->state) ++a;
    const pool_member *b = a;
    for (size_t i = 0; i < pool->count; ++i)
        if (pool->members[i].state && strcmp(pool->members[i].info.isa, a->info.isa) != 0)
            b = &pool->members[i];
    snprintf(why, LEVY_REASON_SIZE,
             "%s is %s and %s is %s: GPUs of several architectures share double precision alone, "
             "because other bits may differ between them",
             a->info.device, a->info.isa, b->info.device, b->info.isa);
}
