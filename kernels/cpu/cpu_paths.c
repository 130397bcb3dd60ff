/* cpu_paths.c: paths from a generator over the CPU's workers. A worker takes a tile of paths: its
 * normals go to the worker's own memory, through the bridge, and from there to their places. A tile
 * is small enough that both stay in the caches. Must not know: seeds, orders, the public interface.
 */
#include "kernels/cpu/cpu_objects.h"

enum { PATHS_TILE_BYTES = 256 << 10, PATHS_LEAST = 64 };

/* A worker's memory: the bridge's own, normals, what the bridge makes of them. */
typedef struct paths_room {
    const levy_bridge_isa *bridge;
    const levy_normals_isa *normals;
    size_t rows, number;       /* of a path; bytes of a number */
    size_t tile;               /* paths */
    size_t bridge_size, plane; /* bytes, in whole lines */
} paths_room;

/* Paths of a tile: as many as the bridge takes, but few enough for the caches. */
static size_t paths_tile(const paths_room *r, size_t most)
{
    size_t tile = most < LEVY_NORMALS_TILE ? most : LEVY_NORMALS_TILE;
    while (tile > PATHS_LEAST && tile * r->rows * r->number > PATHS_TILE_BYTES) tile /= 2;
    return tile;
}

static paths_room paths_measure(const levy_cpu_object *o)
{
    const levy_bridge_tables *const t = ((const levy_paths_tables *)o->tables)->bridge;
    size_t own;
    paths_room r = {.bridge = o->crew->build->bridge[t->single],
                    .normals = o->crew->build->normals[t->single],
                    .rows = (size_t)t->n_steps * t->n_dimensions,
                    .number = t->single ? sizeof(float) : sizeof(double)};
    r.tile = paths_tile(&r, r.bridge->tile(t, &own));
    r.bridge_size = levy_cpu_lines(own + LEVY_CPU_LINE);
    r.plane = levy_cpu_lines(r.tile * r.rows * r.number);
    return r;
}

static size_t paths_need(levy_cpu_object *o)
{
    const paths_room r = paths_measure(o);
    return r.bridge_size + 2 * r.plane;
}

typedef struct paths_job {
    const levy_cpu_object *object;
    const levy_normals_call *call;
    paths_room room;
    levy_cpu_pieces tiles;
} paths_job;

static void paths_do(const paths_job *job, size_t first, size_t count, char *scratch)
{
    const paths_room *const r = &job->room;
    const levy_paths_tables *const t = job->object->tables;
    const levy_normals_call *const c = job->call;
    char *const normals = scratch + r->bridge_size, *const made = normals + r->plane;
    const levy_normals_tile tile = {.output = normals,
                                    .stride = r->tile,
                                    .first = c->first + first,
                                    .count = (uint32_t)count,
                                    .to = (uint32_t)r->rows};
    r->normals->run(t->normals, &tile);
    r->bridge->run(t->bridge, normals, made, r->tile, 0, count, scratch, false);
    r->normals->place(made, r->tile, t->drift, t->exponential != 0, r->rows,
                      (char *)c->output + first * r->number, c->stride, count);
}

static void paths_work(void *user, uint32_t worker)
{
    paths_job *const job = user;
    const levy_cpu_object *const o = job->object;
    size_t from, to;
    while (levy_cpu_take(&job->tiles, &from, &to))
        paths_do(job, from, to - from, o->scratch + worker * o->scratch_size);
}

static levy_status paths_call(const levy_cpu_object *o, const void *given, char *why)
{
    const levy_normals_call *const call = given;
    const paths_room room = paths_measure(o);
    paths_job job = {.object = o,
                     .call = call,
                     .room = room,
                     .tiles = {.count = call->n_points, .each = room.tile}};
    (void)why;
    levy_threads_run(o->crew->threads, paths_work, &job);
    return LEVY_OK;
}

const levy_cpu_kind levy_cpu_paths = {"paths", "tiles of neighbouring points", paths_need,
                                      paths_call};
