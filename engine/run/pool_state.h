/* pool_state.h: what a pool holds, and how its members work side by side. Part of pool.c,
 * pool_batch.c and pool_round.c, which alone include it. */
#ifndef LEVY_RUN_POOL_STATE_H
#define LEVY_RUN_POOL_STATE_H

#include "engine/run/pool.h"

#include <pthread.h>
#include <stdatomic.h>

/* Whether a member takes part. POOL_RESTS: not in this plan. */
enum { POOL_IN, POOL_RESTS, POOL_LOST };

typedef struct levy_pool levy_pool;

/* Blocks of a batch, from its first on. */
typedef struct pool_share {
    uint64_t first, count;
} pool_share;

typedef struct pool_member {
    levy_pool *pool;
    int32_t ordinal;
    void *state;            /* NULL: not open */
    levy_backend_info info; /* as it was opened */
    uint64_t wave;          /* blocks that fill it, of its plan or of any */
    atomic_int out;   /* POOL_IN, ...; of the first pool, POOL_LOST also counts for those beside */
    bool loaded;      /* it has the pool's plan */
    double pace;      /* blocks per second; 0: not known */
    pool_share share; /* of the batch under way */
    double seconds;   /* of the device, for the batch under way */
    levy_status status;
    char why[LEVY_REASON_SIZE]; /* of its failure, which is noted if others did the work */
    bool failed;                /* in the work under way */
    char
        note[LEVY_REASON_SIZE]; /* of the first pool, under its lock: the first failure; "": none */
    pthread_t thread;
    bool started, busy; /* busy: under the lock */
    bool called;        /* its work is done by the caller's thread */
} pool_member;

struct levy_pool {
    levy_pool *first; /* itself, or the pool of which this one is a second state */
    levy_backend gpu;
    levy_memory memory;
    pool_member *members; /* [count] */
    size_t count;
    size_t most;        /* members at work at a time */
    size_t from;        /* the member to take first */
    atomic_size_t next; /* the member of the next state on the same GPUs */
    bool mixed;         /* members are of several architectures */
    pool_member *home;  /* where a plan's given numbers lie; NULL: nowhere yet */
    bool keep_out;      /* the next plan is the last one, on other members */
    const levy_image *image;
    const levy_tile *tiles;
    size_t n_tiles;
    const levy_backend_options *options; /* while it is opened */
    /* the work under way */
    const levy_batch *batch;
    levy_block_sum *sums;
    const levy_cancel *cancel;
    atomic_bool stop;
    void (*work)(pool_member *member);
    pthread_mutex_t lock;
    pthread_cond_t go, done;
    bool quit; /* under the lock */
};

/* The member at a place of the pool's own order. */
static inline pool_member *pool_at(levy_pool *pool, size_t place)
{
    return &pool->members[(pool->from + place) % pool->count];
}

static inline bool pool_is_in(const pool_member *member)
{
    const size_t number = (size_t)(member - member->pool->members);
    return member->out == POOL_IN && member->pool->first->members[number].out != POOL_LOST;
}

static inline uint64_t pool_wave(const levy_backend_info *info)
{
    return info->wave_blocks > 0 ? info->wave_blocks : 1;
}

/* How many of `count` members have enough to do if none gets fewer blocks than fill it; one at
 * least, if there is one. */
static inline size_t pool_busy(uint64_t blocks, uint64_t wave, size_t count)
{
    const uint64_t wanted = blocks / wave > 1 ? blocks / wave : 1;
    return wanted < count ? (size_t)wanted : count;
}

/* Members that take part, in order, up to `most`; returns their number. */
size_t levy_pool_members(levy_pool *pool, size_t most, pool_member **members);

/* Has work(member) done for all, side by side: by the caller for the first, and by a thread for
 * each other one, or by the caller where there is none. Meanwhile the caller ticks. */
void levy_pool_round(levy_pool *pool, void (*work)(pool_member *member), pool_member **members,
                     size_t count);
void levy_pool_rounds_start(levy_pool *pool);
void levy_pool_rounds_end(levy_pool *pool);

/* The function that a member calls to ask whether the call shall stop. */
levy_cancel levy_pool_cancel(pool_member *member);
/* Opens and loads a member where that is not done. Sets its status and why. */
void levy_pool_load_member(pool_member *member);
/* Leaves out a member that has failed. */
void levy_pool_leave_out(pool_member *member);
/* Members have failed and others did the work: keeps that for describe(). */
void levy_pool_note(levy_pool *pool);
/* All have failed: as the first of them did. Those that are not lost take part in the next plan. */
levy_status levy_pool_fail(levy_pool *pool, char *why);

/* levy_backend.describe, and why members of several architectures do not share such an image. */
void levy_pool_describe(levy_pool *pool, levy_backend_info *info);
void levy_pool_mixture(const levy_pool *pool, char *why);

levy_status levy_pool_simulate(levy_pool *pool, const levy_batch *batch, const levy_cancel *cancel,
                               levy_block_sum *sums, double *seconds, char *why);

#endif
