/* cpu_bridge.c: the stand-alone bridge over the CPU's workers, which take tiles of paths from one
 * counter; a path's numbers depend on nothing else. Must not know: orders, the public interface. */
#include "kernels/cpu/cpu_objects.h"

/* Larger output goes past the caches: it would only push everything else out of them. */
static const size_t bridge_stream_bytes = (size_t)4 << 20;

static const levy_bridge_isa *bridge_isa(const levy_cpu_object *o)
{
    const levy_bridge_tables *const t = o->tables;
    return o->crew->build->bridge[t->single];
}

static size_t bridge_need(levy_cpu_object *o)
{
    size_t bytes;
    o->tile = bridge_isa(o)->tile(o->tables, &bytes);
    return bytes;
}

typedef struct bridge_job {
    const levy_cpu_object *object;
    const levy_bridge_call *call;
    bool stream;
    levy_cpu_pieces tiles;
} bridge_job;

static void bridge_work(void *user, uint32_t worker)
{
    bridge_job *const job = user;
    const levy_cpu_object *const o = job->object;
    const levy_bridge_isa *const isa = bridge_isa(o);
    const levy_bridge_call *const c = job->call;
    size_t from, to;
    while (levy_cpu_take(&job->tiles, &from, &to))
        isa->run(o->tables, c->normals, c->output, c->stride, from, to - from,
                 o->scratch + worker * o->scratch_size, job->stream);
    if (job->stream) isa->finish();
}

static levy_status bridge_call(const levy_cpu_object *o, const void *given, char *why)
{
    const levy_bridge_tables *const t = o->tables;
    const levy_bridge_call *const call = given;
    const double bytes =
        (double)t->n_steps * t->n_dimensions * (double)call->n_paths * (t->single ? 4.0 : 8.0);
    bridge_job job = {.object = o,
                      .call = call,
                      .stream = bytes > (double)bridge_stream_bytes,
                      .tiles = {.count = call->n_paths, .each = o->tile}};
    (void)why;
    levy_threads_run(o->crew->threads, bridge_work, &job);
    return LEVY_OK;
}

const levy_cpu_kind levy_cpu_bridge = {"a bridge", "tiles of neighbouring paths", bridge_need,
                                       bridge_call};
