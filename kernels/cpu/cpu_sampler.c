/* cpu_sampler.c: a stand-alone weighted sampler over the CPU's workers, which take chunks from one
 * counter; an item depends on its own index alone. Counts of few items are kept by each worker and
 * added at its end, because workers that add to the same places wait for each other. Must not know:
 * weights, the public interface. */
#define LANE_SCALAR
#include "kernels/cpu/cpu_objects.h"

#include "kernels/samplers/alias/sampler_draw.h"

enum {
    SAMPLER_CHUNK = 1 << 14, /* draws per chunk; the calling thread makes up to so many by itself */
    SAMPLER_TOGETHER = 1024, /* draws that are counted together */
    SAMPLER_OWN = 8192       /* items of counts that a worker keeps, on its stack */
};

typedef struct sampler_job {
    const levy_sampler_isa *isa;
    const levy_sampler_tables *tables;
    const levy_sampler_call *call;
    bool shared; /* several workers are at it */
    levy_cpu_pieces chunks;
} sampler_job;

/* ---- Counts ---------------------------------------------------------------------------------- */

/* Adds one for each item of a run of draws. `shared`: others may add to the same counts. */
static void sampler_add(const sampler_job *job, size_t from, size_t to, uint32_t *counts,
                        bool shared)
{
    const levy_sampler_call *const c = job->call;
    uint32_t items[SAMPLER_TOGETHER];
    for (size_t at = from; at < to; at += SAMPLER_TOGETHER) {
        const size_t some = to - at < SAMPLER_TOGETHER ? to - at : SAMPLER_TOGETHER;
        job->isa->draw(job->tables, c->seed, c->first + at, some, items);
        if (shared)
            for (size_t k = 0; k < some; ++k)
                __atomic_fetch_add(&counts[items[k]], 1, __ATOMIC_RELAXED);
        else
            for (size_t k = 0; k < some; ++k) ++counts[items[k]];
    }
}

static void sampler_count_own(sampler_job *job)
{
    uint32_t own[SAMPLER_OWN] = {0}, *const counts = job->call->output;
    size_t from, to;
    while (levy_cpu_take(&job->chunks, &from, &to)) sampler_add(job, from, to, own, false);
    for (uint64_t i = 0; i < job->tables->count; ++i)
        if (own[i]) __atomic_fetch_add(&counts[i], own[i], __ATOMIC_RELAXED);
}

static void sampler_count(sampler_job *job)
{
    size_t from, to;
    if (job->shared && job->tables->count <= SAMPLER_OWN) {
        sampler_count_own(job);
        return;
    }
    while (levy_cpu_take(&job->chunks, &from, &to))
        sampler_add(job, from, to, job->call->output, job->shared);
}

/* ---- All work -------------------------------------------------------------------------------- */

/* Three loops over a tile; each prefetches the data that the next one reads. */
static void sampler_invert_tile(const levy_guide *g, const double *u, size_t count, uint32_t *items)
{
    uint32_t cell[SAMPLER_TOGETHER];
    double inside[SAMPLER_TOGETHER];
    for (size_t k = 0; k < count; ++k) {
        inside[k] = sampler_inside(u[k]);
        cell[k] = (uint32_t)(inside[k] * (double)g->cells);
        __builtin_prefetch(&g->start[cell[k]]);
    }
    for (size_t k = 0; k < count; ++k) __builtin_prefetch(&g->cumulative[g->start[cell[k]]]);
    for (size_t k = 0; k < count; ++k)
        items[k] =
            sampler_search(inside[k], g->cumulative, g->start[cell[k]], g->start[cell[k] + 1]);
}

static void sampler_invert(const sampler_job *job, size_t from, size_t to)
{
    const levy_sampler_call *const c = job->call;
    for (size_t at = from; at < to; at += SAMPLER_TOGETHER)
        sampler_invert_tile(job->tables->guide, c->u + at,
                            to - at < SAMPLER_TOGETHER ? to - at : SAMPLER_TOGETHER,
                            c->output + at);
}

static void sampler_work(void *user, uint32_t worker)
{
    sampler_job *const job = user;
    const levy_sampler_call *const c = job->call;
    size_t from, to;
    (void)worker;
    if (c->work == LEVY_SAMPLER_COUNTS) {
        sampler_count(job);
        return;
    }
    while (levy_cpu_take(&job->chunks, &from, &to)) {
        if (c->work == LEVY_SAMPLER_INVERT)
            sampler_invert(job, from, to);
        else
            job->isa->draw(job->tables, c->seed, c->first + from, to - from, c->output + from);
    }
}

static levy_status sampler_call(const levy_cpu_object *o, const void *given, char *why)
{
    const levy_sampler_call *const call = given;
    sampler_job job = {.isa = o->crew->build->sampler,
                       .tables = o->tables,
                       .call = call,
                       .shared = o->crew->n_threads > 1 && call->count > SAMPLER_CHUNK,
                       .chunks = {.count = call->count, .each = SAMPLER_CHUNK}};
    (void)why;
    if (job.shared)
        levy_threads_run(o->crew->threads, sampler_work, &job);
    else
        sampler_work(&job, 0);
    return LEVY_OK;
}

const levy_cpu_kind levy_cpu_sampler = {"a sampler", "tiles of neighbouring draws", NULL,
                                        sampler_call};
