/* cpu_paths.c: see cpu_paths.h. A worker takes a tile of paths: its normals go to the worker's own
 * memory, through the bridge, and from there to their places. A tile is small enough that both stay
 * in the caches. */
#include "kernels/cpu/cpu_paths.h"

#include <stdatomic.h>
#include <stdio.h>

enum { PATHS_LINE = 64, PATHS_TILE_BYTES = 256 << 10, PATHS_LEAST = 64 };

struct levy_cpu_paths {
    levy_memory memory;
    levy_threads *threads;
    const levy_bridge_isa *bridge;
    const levy_normals_isa *normals;
    const levy_paths_tables *tables;
    size_t rows, number;                     /* of a path; bytes of a number */
    size_t tile;                             /* paths */
    size_t bridge_size, plane, scratch_size; /* bytes of one worker, in whole lines */
    char *scratch;                           /* as allocated */
};

static size_t paths_line(size_t bytes)
{
    return (bytes + PATHS_LINE - 1) & ~(size_t)(PATHS_LINE - 1);
}

/* Paths of a tile: as many as the bridge takes, but few enough for the caches. */
static size_t paths_tile(const levy_cpu_paths *p, size_t most)
{
    size_t tile = most < LEVY_NORMALS_TILE ? most : LEVY_NORMALS_TILE;
    while (tile > PATHS_LEAST && tile * p->rows * p->number > PATHS_TILE_BYTES) tile /= 2;
    return tile;
}

levy_status levy_cpu_paths_create(const levy_memory *memory, levy_threads *threads,
                                  uint32_t n_threads, const levy_bridge_isa *bridge,
                                  const levy_normals_isa *normals, const levy_paths_tables *tables,
                                  levy_cpu_paths **paths, char *why)
{
    levy_cpu_paths *const p = levy_memory_allocate(memory, 1, sizeof *p);
    if (!p) return snprintf(why, LEVY_REASON_SIZE, "no memory for paths"), LEVY_MEMORY;
    *p = (levy_cpu_paths){.memory = *memory,
                          .threads = threads,
                          .bridge = bridge,
                          .normals = normals,
                          .tables = tables,
                          .rows = (size_t)tables->bridge->n_steps * tables->bridge->n_dimensions,
                          .number = tables->bridge->single ? sizeof(float) : sizeof(double)};
    p->tile = paths_tile(p, bridge->tile(tables->bridge, &p->bridge_size));
    p->bridge_size = paths_line(p->bridge_size + PATHS_LINE);
    p->plane = paths_line(p->tile * p->rows * p->number);
    p->scratch_size = p->bridge_size + 2 * p->plane + PATHS_LINE;
    p->scratch = levy_memory_allocate(memory, (size_t)n_threads + 1, p->scratch_size);
    if (!p->scratch) {
        levy_cpu_paths_destroy(p);
        return snprintf(why, LEVY_REASON_SIZE, "no working memory for paths on %u threads",
                        (unsigned)n_threads),
               LEVY_MEMORY;
    }
    *paths = p;
    return LEVY_OK;
}

void levy_cpu_paths_destroy(levy_cpu_paths *paths)
{
    if (!paths) return;
    const levy_memory memory = paths->memory;
    levy_memory_release(&memory, paths->scratch);
    levy_memory_release(&memory, paths);
}

typedef struct paths_job {
    const levy_cpu_paths *paths;
    const levy_normals_call *call;
    atomic_size_t next;
} paths_job;

static void paths_do(const paths_job *job, size_t first, char *scratch)
{
    const levy_cpu_paths *const p = job->paths;
    const levy_normals_call *const c = job->call;
    const size_t left = c->n_points - first, count = left < p->tile ? left : p->tile;
    char *const normals = scratch + p->bridge_size, *const made = normals + p->plane;
    const levy_normals_tile tile = {.output = normals,
                                    .stride = p->tile,
                                    .first = c->first + first,
                                    .count = (uint32_t)count,
                                    .to = (uint32_t)p->rows};
    p->normals->run(p->tables->normals, &tile);
    p->bridge->run(p->tables->bridge, normals, made, p->tile, 0, count, scratch, false);
    p->normals->place(made, p->tile, p->tables->drift, p->tables->exponential != 0, p->rows,
                      (char *)c->output + first * p->number, c->stride, count);
}

static void paths_work(void *user, uint32_t worker)
{
    paths_job *const job = user;
    const levy_cpu_paths *const p = job->paths;
    char *const start =
        (char *)(((uintptr_t)p->scratch + PATHS_LINE - 1) & ~(uintptr_t)(PATHS_LINE - 1));
    for (;;) {
        const size_t first = atomic_fetch_add(&job->next, p->tile);
        if (first >= job->call->n_points) break;
        paths_do(job, first, start + worker * p->scratch_size);
    }
}

void levy_cpu_paths_generate(levy_cpu_paths *paths, const levy_normals_call *call)
{
    paths_job job = {.paths = paths, .call = call};
    atomic_init(&job.next, 0);
    levy_threads_run(paths->threads, paths_work, &job);
}
