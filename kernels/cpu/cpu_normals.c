/* cpu_normals.c: see cpu_normals.h. Workers take tiles, runs of points by runs of dimensions, from
 * one counter; a number depends on its point and dimension alone. */
#include "kernels/cpu/cpu_normals.h"

#include "kernels/points/points.h"

#include <stdatomic.h>
#include <stdio.h>

struct levy_cpu_normals {
    levy_memory memory;
    levy_threads *threads;
    const levy_normals_isa *isa;
    const levy_normals_tables *tables;
};

levy_status levy_cpu_normals_create(const levy_memory *memory, levy_threads *threads,
                                    const levy_normals_isa *isa, const levy_normals_tables *tables,
                                    levy_cpu_normals **normals, char *why)
{
    levy_cpu_normals *const n = levy_memory_allocate(memory, 1, sizeof *n);
    if (!n) return snprintf(why, LEVY_REASON_SIZE, "no memory for normals"), LEVY_MEMORY;
    *n = (levy_cpu_normals){.memory = *memory, .threads = threads, .isa = isa, .tables = tables};
    *normals = n;
    return LEVY_OK;
}

void levy_cpu_normals_destroy(levy_cpu_normals *normals)
{
    if (!normals) return;
    const levy_memory memory = normals->memory;
    levy_memory_release(&memory, normals);
}

typedef struct normals_job {
    const levy_cpu_normals *normals;
    const levy_normals_call *call;
    uint32_t dimensions;    /* of a tile */
    size_t across, n_tiles; /* tiles of the same points */
    atomic_size_t next;
} normals_job;

static void normals_work(void *user, uint32_t worker)
{
    normals_job *const job = user;
    const levy_normals_tables *const t = job->normals->tables;
    const levy_normals_call *const c = job->call;
    const size_t number = t->output == LEVY_NORMALS_WORD || t->single ? 4 : 8;
    (void)worker;
    for (;;) {
        const size_t i = atomic_fetch_add(&job->next, 1);
        if (i >= job->n_tiles) break;
        const size_t first = i / job->across * LEVY_NORMALS_TILE, left = c->n_points - first;
        const uint32_t from = (uint32_t)(i % job->across) * job->dimensions;
        const levy_normals_tile tile = {
            .output = (char *)c->output + first * number,
            .stride = c->stride,
            .first = c->first + first,
            .count = left < LEVY_NORMALS_TILE ? (uint32_t)left : LEVY_NORMALS_TILE,
            .from = from,
            .to = t->count - from < job->dimensions ? t->count : from + job->dimensions,
            .words = c->words ? c->words + first : NULL,
            .words_stride = c->n_points};
        job->normals->isa->run(t, &tile);
    }
}

void levy_cpu_normals_generate(levy_cpu_normals *normals, const levy_normals_call *call)
{
    const levy_normals_tables *const t = normals->tables;
    normals_job job = {.normals = normals, .call = call, .dimensions = LEVY_NORMALS_DIMENSIONS};
    if (t->generator == POINTS_MRG) job.dimensions = LEVY_NORMALS_MAX_DIMENSIONS;
    job.across = (t->count + job.dimensions - 1) / job.dimensions;
    job.n_tiles = (call->n_points + LEVY_NORMALS_TILE - 1) / LEVY_NORMALS_TILE * job.across;
    atomic_init(&job.next, 0);
    levy_threads_run(normals->threads, normals_work, &job);
}
