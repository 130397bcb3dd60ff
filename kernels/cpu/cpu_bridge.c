/* cpu_bridge.c: see cpu_bridge.h. Workers take tiles of paths from one counter; a path's numbers
 * depend on nothing else. */
#include "kernels/cpu/cpu_bridge.h"

#include <stdatomic.h>
#include <stdio.h>

/* Larger output goes past the caches: it would only push everything else out of them. */
static const size_t bridge_stream_bytes = (size_t)4 << 20;

struct levy_cpu_bridge {
    levy_memory memory;
    levy_threads *threads;
    uint32_t n_threads;
    const levy_bridge_isa *isa;
    const levy_bridge_tables *tables;
    size_t tile, scratch_size; /* scratch of one worker, in whole cache lines */
    char *scratch;             /* as allocated */
};

levy_status levy_cpu_bridge_create(const levy_memory *memory, levy_threads *threads,
                                   uint32_t n_threads, const levy_bridge_isa *isa,
                                   const levy_bridge_tables *tables, levy_cpu_bridge **bridge,
                                   char *why)
{
    levy_cpu_bridge *const b = levy_memory_allocate(memory, 1, sizeof *b);
    if (!b) return snprintf(why, LEVY_REASON_SIZE, "no memory for a bridge"), LEVY_MEMORY;
    *b = (levy_cpu_bridge){.memory = *memory,
                           .threads = threads,
                           .n_threads = n_threads,
                           .isa = isa,
                           .tables = tables};
    b->tile = isa->tile(tables, &b->scratch_size);
    b->scratch_size = (b->scratch_size + 127) & ~(size_t)63;
    b->scratch = levy_memory_allocate(memory, (size_t)n_threads + 1, b->scratch_size);
    if (!b->scratch) {
        levy_cpu_bridge_destroy(b);
        return snprintf(why, LEVY_REASON_SIZE, "no working memory for a bridge on %u threads",
                        (unsigned)n_threads),
               LEVY_MEMORY;
    }
    *bridge = b;
    return LEVY_OK;
}

void levy_cpu_bridge_destroy(levy_cpu_bridge *bridge)
{
    if (!bridge) return;
    const levy_memory memory = bridge->memory;
    levy_memory_release(&memory, bridge->scratch);
    levy_memory_release(&memory, bridge);
}

typedef struct bridge_job {
    levy_cpu_bridge *bridge;
    const levy_bridge_call *call;
    bool stream;
    atomic_size_t next;
} bridge_job;

static void bridge_work(void *user, uint32_t worker)
{
    bridge_job *const job = user;
    levy_cpu_bridge *const b = job->bridge;
    const levy_bridge_call *const c = job->call;
    char *const start = (char *)(((uintptr_t)b->scratch + 63) & ~(uintptr_t)63);
    for (;;) {
        const size_t first = atomic_fetch_add(&job->next, b->tile);
        if (first >= c->n_paths) break;
        const size_t left = c->n_paths - first;
        b->isa->run(b->tables, c->normals, c->output, c->stride, first,
                    left < b->tile ? left : b->tile, start + worker * b->scratch_size, job->stream);
    }
    if (job->stream) b->isa->finish();
}

void levy_cpu_bridge_generate(levy_cpu_bridge *bridge, const levy_bridge_call *call)
{
    const levy_bridge_tables *const t = bridge->tables;
    const double bytes =
        (double)t->n_steps * t->n_dimensions * (double)call->n_paths * (t->single ? 4.0 : 8.0);
    bridge_job job = {
        .bridge = bridge, .call = call, .stream = bytes > (double)bridge_stream_bytes};
    atomic_init(&job.next, 0);
    levy_threads_run(bridge->threads, bridge_work, &job);
}
