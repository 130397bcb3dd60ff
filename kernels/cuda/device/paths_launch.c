/* paths_launch.c: see paths_launch.h. Paths are a loaded module with one kernel, and one piece of
 * the GPU's memory: normals' data, the bridge's program, the drift. */
#include "kernels/cuda/device/paths_launch.h"
#include "kernels/cuda/device/standalone.h"

#include "kernels/points/points.h"

#include <stdio.h>
#include <string.h>

enum {
    PATHS_WARP = 32,
    PATHS_SHARED_MOST = 72 << 10, /* dynamic shared memory, so that blocks share a processor */
    PATHS_THREADS_MOST = 512,
    PATHS_RESERVED = 1 << 10,    /* bytes that the driver takes of a block */
    PATHS_TABLE = 48 << 10,      /* bytes left to the table in double */
    PATHS_LOCAL_MOST = 64 << 10, /* bytes of mrg32k3a's words of a thread */
    /* words of 4 bytes of a run's normals, if it is code: they fill the instruction cache */
    PATHS_RUN_WORDS = 16
};

typedef struct cuda_paths {
    levy_cuda_object object;
    levy_paths_shape shape;
    void *function;
    uint32_t blocks; /* that the GPU holds at a time */
} cuda_paths;

/* ---- Shape ----------------------------------------------------------------------------------- */

static size_t paths_real(const levy_paths_tables *t) { return t->bridge->single ? 4 : 8; }

static size_t paths_line(size_t bytes) { return (bytes + 127) & ~(size_t)127; }

/* Shared memory of a block. In double a large block has a multiprocessor to itself, so that all
 * tables fit. A multiprocessor holds two smaller ones, and four of those with words in local
 * memory, because their cache is the rest of that memory. */
static uint32_t paths_room(const levy_paths_tables *t, uint32_t shared_limit,
                           const levy_paths_shape *s)
{
    const uint32_t few = s->bridge.threads == PATHS_THREADS_MOST ? 1 : 2;
    const uint32_t blocks = t->normals->generator == POINTS_MRG ? 4 : few;
    if (!t->bridge->single) return (shared_limit + PATHS_RESERVED) / blocks - PATHS_RESERVED;
    return shared_limit < PATHS_SHARED_MOST ? shared_limit : PATHS_SHARED_MOST;
}

/* Chooses which of Sobol's words, and how much of the table in double, are kept in shared memory.
 * True: all words that paths.cu can use. */
static bool paths_share(const levy_paths_tables *t, uint32_t shared_limit, levy_paths_shape *s)
{
    const uint32_t room = paths_room(t, shared_limit, s),
                   most = t->bridge->single || room < PATHS_TABLE ? room : room - PATHS_TABLE;
    const uint32_t own = levy_bridge_shape_shared(t->bridge, &s->bridge, s->bridge.paths),
                   rows = t->normals->count, warps = s->bridge.threads / PATHS_WARP,
                   base = warps * rows * s->bridge.paths * 4, low = rows * PATHS_WARP * 4;
    s->shared = 0;
    s->shared_bytes = own;
    if (t->normals->generator == POINTS_SOBOL && own + base <= most) {
        s->shared = 1;
        s->shared_bytes += base;
        if (s->shared_bytes + low <= most) {
            s->shared = 2;
            s->shared_bytes += low;
        }
    }
    s->shared_bytes += levy_normals_rows_choose(
        t->normals, room > s->shared_bytes ? room - s->shared_bytes : 0, &s->normals);
    return s->shared == 2;
}

/* Measured on an NVIDIA H200, 2026-11-23, 2^24 paths x 64 steps in single: 1.26 ms in blocks of 256
 * threads, of which a processor holds three, 1.22 ms in two of 512. In double a block of 512 has a
 * processor alone, 3.58 ms (2026-11-27); of several dimensions 512 threads have too few registers.
 * Other generators spend their time on words. */
void levy_paths_shape_choose(const levy_paths_tables *t, uint32_t shared_limit, levy_paths_shape *s)
{
    const size_t size = paths_real(t);
    levy_bridge_shape_choose_drawn(t->bridge, &s->bridge);
    if (t->normals->generator == POINTS_SOBOL) {
        levy_bridge_run_find(t->bridge->n_steps, t->bridge->instructions,
                             PATHS_RUN_WORDS * 4 / (uint32_t)size / t->bridge->n_dimensions,
                             &s->bridge.run);
        if (t->bridge->single || t->bridge->n_dimensions == 1)
            s->bridge.threads = PATHS_THREADS_MOST;
        if (!paths_share(t, shared_limit, s)) s->bridge.threads = 256;
    }
    paths_share(t, shared_limit, s);
    s->records_at = paths_line(levy_normals_data_bytes(t->normals));
    s->drift_at =
        paths_line(s->records_at + t->bridge->n_steps * levy_bridge_record_size(t->bridge));
    s->data_bytes = s->drift_at + (t->drift ? t->normals->count * size : 0);
}

levy_status levy_paths_shape_write(const levy_paths_tables *t, const levy_paths_shape *s,
                                   char *text, size_t size)
{
    const int length =
        snprintf(text, size,
                 "#define PATHS_KERNELS\n#define PATHS_THREADS %u\n#define PATHS_SHARED %u\n"
                 "#define PATHS_DRIFT %d\n#define PATHS_EXPONENTIAL %d\n#define PATHS_RUNS %d\n"
                 "#define NORMALS_COPIED %u\n#define NORMALS_ALONE %u\n"
                 "#define NORMALS_GENERATOR %d\n#define LEVY_LANES %u\n%s",
                 (unsigned)s->bridge.threads, (unsigned)s->shared, t->drift != NULL,
                 t->exponential != 0, s->bridge.run.length > 0, (unsigned)s->normals.copied,
                 (unsigned)s->normals.alone, (int)t->normals->generator, (unsigned)s->bridge.paths,
                 t->bridge->single ? "#define LANE_SINGLE\n" : "");
    if (length < 0 || (size_t)length >= size) return LEVY_ARGUMENT;
    return levy_bridge_shape_struct(t->bridge, &s->bridge, "bridge_shape", text + length,
                                    size - (size_t)length);
}

void levy_paths_data_write(const levy_paths_tables *t, const levy_paths_shape *s, void *data)
{
    levy_normals_data_write(t->normals, data);
    levy_bridge_records_write(t->bridge, &s->bridge.run, (char *)data + s->records_at);
    if (t->drift) memcpy((char *)data + s->drift_at, t->drift, t->normals->count * paths_real(t));
}

/* ---- Creation -------------------------------------------------------------------------------- */

static levy_status paths_accepts(const cuda_paths *p, char *why)
{
    const levy_paths_tables *const t = p->object.tables;
    if (t->bridge->n_dimensions > LEVY_BRIDGE_NARROW)
        return snprintf(why, LEVY_REASON_SIZE,
                        "a GPU makes paths of 1 to %d dimensions, these have %u; chain "
                        "levy_normals_* and levy_bridge_* for more",
                        LEVY_BRIDGE_NARROW, (unsigned)t->bridge->n_dimensions),
               LEVY_UNSUPPORTED;
    if (t->normals->generator == POINTS_MRG &&
        (uint64_t)t->normals->count * p->shape.bridge.paths * 4 > PATHS_LOCAL_MOST)
        return snprintf(why, LEVY_REASON_SIZE,
                        "a GPU makes paths of at most %u numbers from mrg32k3a, these have %u",
                        (unsigned)(PATHS_LOCAL_MOST / 4 / p->shape.bridge.paths),
                        (unsigned)t->normals->count),
               LEVY_UNSUPPORTED;
    if (p->shape.shared_bytes > (uint32_t)p->object.device->shared_limit)
        return snprintf(why, LEVY_REASON_SIZE,
                        "cuda:%d (%s) has %d KiB of shared memory, these paths take %u",
                        p->object.device->ordinal, p->object.device->name,
                        p->object.device->shared_limit >> 10,
                        (unsigned)p->shape.shared_bytes >> 10),
               LEVY_UNSUPPORTED;
    return LEVY_OK;
}

static levy_status paths_write(void *object, levy_kernel *kernel, char *why)
{
    const cuda_paths *const p = object;
    const levy_paths_tables *const t = p->object.tables;
    if (levy_paths_shape_write(t, &p->shape, kernel->text, sizeof kernel->text) != LEVY_OK)
        return snprintf(why, LEVY_REASON_SIZE, "the text of the paths' shape is too long"),
               LEVY_INTERNAL;
    kernel->single = t->bridge->single != 0;
    snprintf(kernel->id.label, sizeof kernel->id.label, "%s %s, paths, %u steps, %u dimensions",
             p->object.device->source.target.architecture, kernel->single ? "single" : "double",
             (unsigned)t->bridge->n_steps, (unsigned)t->bridge->n_dimensions);
    return LEVY_OK;
}

/* The driver's figures of the kernel; if there are none, two blocks per multiprocessor are assumed.
 */
static void paths_measure(cuda_paths *p, const levy_kernel *source)
{
    p->object.made = (levy_kernel_made){.kernel = "normals made on the way through the bridge",
                                        .paths_per_thread = p->shape.bridge.paths};
    levy_standalone_measure(&p->object, p->function, p->shape.bridge.threads, p->shape.shared_bytes,
                            source);
    const int blocks = p->object.made.blocks_per_processor;
    p->blocks = (uint32_t)(blocks > 0 ? blocks : 2) * (uint32_t)p->object.device->sm_count;
}

static void paths_data(const void *object, void *bytes)
{
    const cuda_paths *const p = object;
    levy_paths_data_write(p->object.tables, &p->shape, bytes);
}

static levy_status paths_load(void *object, const levy_kernel *kernel, char *why)
{
    static const char *const names[] = {"levy_paths"};
    cuda_paths *const p = object;
    LEVY_TRY(levy_standalone_load(&p->object, kernel, names, 1, &p->function, why));
    LEVY_TRY(levy_standalone_share(&p->object, p->function, p->shape.shared_bytes, why));
    paths_measure(p, kernel);
    return levy_standalone_fill(&p->object, p->shape.data_bytes, "paths' data", paths_data, why);
}

static levy_status paths_prepare(void *object, char *why)
{
    cuda_paths *const p = object;
    const levy_paths_tables *const t = p->object.tables;
    const levy_device *const device = p->object.device;
    levy_paths_shape_choose(t, (uint32_t)device->shared_limit, &p->shape);
    LEVY_TRY(paths_accepts(p, why));
    p->object.constants = levy_memory_allocate(
        device->memory, levy_bridge_constants_size(t->bridge, &p->shape.bridge), 1);
    if (!p->object.constants)
        return snprintf(why, LEVY_REASON_SIZE, "no memory for the paths' kernel"), LEVY_MEMORY;
    levy_bridge_constants_write(t->bridge, &p->shape.bridge, p->object.constants);
    return LEVY_OK;
}

/* ---- Generation ------------------------------------------------------------------------------ */

uint32_t levy_paths_launch_write(const levy_paths_tables *t, const levy_paths_shape *s,
                                 const levy_normals_call *call, uint64_t data, uint32_t blocks,
                                 levy_paths_arguments *a)
{
    const uint64_t chunk = (uint64_t)s->bridge.threads * s->bridge.paths,
                   chunks = (call->first + call->n_points - 1) / chunk - call->first / chunk + 1,
                   each = (chunks - 1) / blocks + 1, pack = s->bridge.paths * paths_real(t),
                   table = levy_normals_table_bytes(t->normals);
    *a = (levy_paths_arguments){
        .normals = {.output = (uintptr_t)call->output,
                    .first = call->first,
                    .n = call->n_points,
                    .stride = call->stride,
                    .key = t->normals->key,
                    .table = data,
                    .numbers = data + table,
                    .count = t->normals->count,
                    .rounds = (uint32_t)each,
                    .aligned = ((uintptr_t)call->output | call->stride * paths_real(t) |
                                call->first * paths_real(t)) %
                                   pack ==
                               0},
        .program = data + s->records_at,
        .drift = t->drift ? data + s->drift_at : 0};
    memcpy(a->normals.start, t->normals->start, sizeof a->normals.start);
    return (uint32_t)((chunks - 1) / each + 1);
}

static levy_status paths_call(void *object, const void *given, char *why)
{
    cuda_paths *const p = object;
    const levy_normals_call *const call = given;
    levy_paths_arguments arguments;
    uint32_t grid;
    grid = levy_paths_launch_write(p->object.tables, &p->shape, call, p->object.data, p->blocks,
                                   &arguments);
    return levy_standalone_launch(
        &p->object, p->function,
        (levy_standalone_grid){grid, 1, p->shape.bridge.threads, p->shape.shared_bytes},
        call->stream, (void *[]){&arguments, p->object.constants}, why);
}

const levy_cuda_kind levy_cuda_paths = {
    .name = "paths",
    .doing = "making paths",
    .kernels = "the paths' kernel",
    .size = sizeof(cuda_paths),
    .prepare = paths_prepare,
    .write = paths_write,
    .load = paths_load,
    .run = paths_call,
};
