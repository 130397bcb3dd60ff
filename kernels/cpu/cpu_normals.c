/* cpu_normals.c: stand-alone normals over the CPU's workers, which take tiles, runs of points by
 * runs of dimensions, from one counter; a number depends on its point and dimension alone. Must not
 * know: seeds, the public interface. */
#include "kernels/cpu/cpu_objects.h"

#include "kernels/points/points.h"

typedef struct normals_job {
    const levy_normals_isa *isa;
    const levy_normals_tables *tables;
    const levy_normals_call *call;
    uint32_t dimensions; /* of a tile */
    size_t across;       /* tiles of the same points */
    levy_cpu_pieces tiles;
} normals_job;

static void normals_work(void *user, uint32_t worker)
{
    normals_job *const job = user;
    const levy_normals_tables *const t = job->tables;
    const levy_normals_call *const c = job->call;
    const size_t number = t->output == LEVY_NORMALS_WORD || t->single ? 4 : 8;
    size_t i, end;
    (void)worker;
    while (levy_cpu_take(&job->tiles, &i, &end)) {
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
        job->isa->run(t, &tile);
    }
}

static levy_status normals_call(const levy_cpu_object *o, const void *given, char *why)
{
    const levy_normals_tables *const t = o->tables;
    const levy_normals_call *const call = given;
    normals_job job = {.isa = o->crew->build->normals[t->single],
                       .tables = t,
                       .call = call,
                       .dimensions = LEVY_NORMALS_DIMENSIONS,
                       .tiles = {.each = 1}};
    (void)why;
    if (t->generator == POINTS_MRG) job.dimensions = LEVY_NORMALS_MAX_DIMENSIONS;
    job.across = (t->count + job.dimensions - 1) / job.dimensions;
    job.tiles.count = (call->n_points + LEVY_NORMALS_TILE - 1) / LEVY_NORMALS_TILE * job.across;
    levy_threads_run(o->crew->threads, normals_work, &job);
    return LEVY_OK;
}

const levy_cpu_kind levy_cpu_normals = {"normals", "tiles of neighbouring points", NULL,
                                        normals_call};
