/* curand_device.c: see curand_device.h. */
#include "engine/run/curand_device.h"

#include "engine/levy.h"

#include <stdio.h>

static const size_t device_words = (size_t)64 << 20; /* bytes of them */

/* The task of a function that runs in the GPU's context. */
typedef struct device_opening {
    levy_curand_device *device;
    const levy_curand_calls *calls;
    int32_t kind;
    uint64_t seed, replicate;
} device_opening;

static levy_status device_start(void *user, char *why)
{
    const device_opening *const o = user;
    levy_curand_device *const d = o->device;
    const levy_memory memory = d->points.memory;
    return levy_curand_points_open(o->calls, &memory, o->kind, d->tables.n_dimensions, o->seed,
                                   o->replicate, true, &d->points, why);
}

/* Memory for as many whole blocks as fit, one at least. */
static levy_status device_reserve(levy_curand_device *d, char *why)
{
    const size_t block = (size_t)d->tables.n_dimensions * LEVY_CURAND_BLOCK * sizeof(uint32_t),
                 blocks = device_words / block > 0 ? device_words / block : 1;
    LEVY_TRY(d->backend->memory_take(d->state, blocks * block, &d->words, why));
    d->room = blocks * LEVY_CURAND_BLOCK;
    return LEVY_OK;
}

levy_status levy_curand_device_open(const levy_curand_calls *calls, const levy_memory *memory,
                                    const levy_backend *backend, void *state, int32_t kind,
                                    const levy_normals_tables *tables, uint64_t seed,
                                    uint64_t replicate, levy_curand_device *d, char *why)
{
    if (!backend->within || !(backend->objects & 1u << LEVY_OBJECT_NORMALS))
        return snprintf(why, LEVY_REASON_SIZE, "the backend has no memory of its own"),
               LEVY_UNSUPPORTED;
    device_opening opening = {d, calls, kind, seed, replicate};
    *d = (levy_curand_device){
        .backend = backend, .state = state, .points = {.memory = *memory}, .tables = *tables};
    LEVY_TRY(backend->within(state, device_start, &opening, why));
    if (d->points.shifts) d->tables.shifts = d->points.shifts + tables->first;
    LEVY_TRY(device_reserve(d, why));
    return backend->object_create(state, LEVY_OBJECT_NORMALS, &d->tables, &d->made, why);
}

/* ---- Words ----------------------------------------------------------------------------------- */

typedef struct device_words_wanted {
    levy_curand_device *device;
    uint64_t first;
    size_t n;
    uint32_t *to;
} device_words_wanted;

static levy_status device_make_words(void *user, char *why)
{
    const device_words_wanted *const w = user;
    levy_curand *const curand = &w->device->points.curand;
    LEVY_TRY(levy_curand_stream(curand, w->device->stream, why));
    return levy_curand_words(curand, w->first, w->n, w->to, why);
}

/* Points as cuRAND counts them: of mrg32k3a, numbers. */
static levy_status device_words_of(levy_curand_device *d, uint64_t first, size_t n, uint32_t *to,
                                   char *why)
{
    device_words_wanted wanted = {d, first, n, to};
    return d->backend->within(d->state, device_make_words, &wanted, why);
}

/* Words of points from `at` of the call on, as many as fit, and where they lie. */
static levy_status device_fill(levy_curand_device *d, const levy_normals_call *call, size_t at,
                               levy_normals_call *piece, char *why)
{
    const uint64_t first = call->first + at, left = call->n_points - at;
    const bool stream = d->points.curand.kind == LEVY_CURAND_MRG32K3A;
    const uint64_t skip = stream ? first % LEVY_CURAND_BLOCK : 0,
                   n = left < d->room - skip ? left : d->room - skip,
                   all = (uint64_t)d->tables.n_dimensions * LEVY_CURAND_BLOCK,
                   blocks = (skip + n + LEVY_CURAND_BLOCK - 1) / LEVY_CURAND_BLOCK;
    piece->first = first;
    piece->n_points = (size_t)n;
    piece->chunk = stream ? LEVY_CURAND_BLOCK : n;
    piece->skip = skip;
    piece->words = (uint32_t *)d->words + d->tables.first * piece->chunk;
    if (!stream) return device_words_of(d, first, (size_t)n, d->words, why);
    return device_words_of(d, first / LEVY_CURAND_BLOCK * all, (size_t)(blocks * all), d->words,
                           why);
}

/* Are the words wanted as cuRAND makes them? */
static bool device_is_plain(const levy_curand_device *d, const levy_normals_call *call)
{
    return d->points.curand.kind == LEVY_CURAND_SOBOL && d->tables.output == LEVY_NORMALS_WORD &&
           d->tables.count == d->tables.n_dimensions && call->stride == call->n_points;
}

levy_status levy_curand_device_generate(levy_curand_device *d, const levy_normals_call *call,
                                        char *why)
{
    uint32_t any;
    if (d->started && d->stream != call->stream) /* the words' memory is in use there */
        LEVY_TRY(d->backend->read(d->state, &any, d->words, sizeof any, d->stream, why));
    d->stream = call->stream;
    d->started = true;
    if (device_is_plain(d, call))
        return device_words_of(d, call->first, call->n_points, call->output, why);
    levy_normals_call piece = *call;
    for (size_t at = 0; at < call->n_points; at += piece.n_points) {
        piece.output = (char *)call->output + at * levy_normals_number_bytes(&d->tables);
        LEVY_TRY(device_fill(d, call, at, &piece, why));
        LEVY_TRY(d->backend->object_run(d->made, &piece, why));
    }
    return LEVY_OK;
}

/* ---- Closing --------------------------------------------------------------------------------- */

static levy_status device_stop(void *user, char *why)
{
    (void)why;
    levy_curand_points_close(user);
    return LEVY_OK;
}

void levy_curand_device_close(levy_curand_device *d)
{
    char why[LEVY_REASON_SIZE];
    if (!d->backend) return;
    if (d->made) d->backend->object_destroy(d->made);
    if (d->words) d->backend->memory_give(d->state, d->words);
    /* a GPU that cannot be entered takes its generator with it */
    if (d->backend->within(d->state, device_stop, &d->points, why) != LEVY_OK) {
        d->points.curand.generator = NULL;
        levy_curand_points_close(&d->points);
    }
    d->backend = NULL;
}
