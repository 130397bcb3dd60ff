/* api_normals.c: the stand-alone normals of levy.h: a checked specification becomes a generator's
 * tables, and a backend makes numbers from them. */
#include "engine/api/api_normals.h"
#include "engine/problem/problem.h"
#include "engine/run/curand_device.h"

#include <stdio.h>
#include <string.h>

struct levy_normals {
    levy_api_object object;
    levy_normals_tables tables;
    levy_normals_facts facts;
    levy_curand_points curand; /* cuRAND's generators */
    uint32_t *words;           /* theirs: [dimension][NORMALS_PIECE] */
    levy_curand_device there;  /* the same on a GPU, instead */
};

static const char *const normals_generators[] = {
    "sobol_scrambled",        "sobol",          "philox", "mrg32k3a", "net", "curand_sobol",
    "curand_scrambled_sobol", "curand_mrg32k3a"};
enum { NORMALS_PIECE = 4096 }; /* points whose words of cuRAND are made at a time */
enum { NORMALS_GENERATORS = sizeof normals_generators / sizeof *normals_generators };

/* ---- Creation -------------------------------------------------------------------------------- */

int levy_api_normals_check(levy_context *context, const levy_normals_spec *s)
{
    if (s->generator < 0 || s->generator >= NORMALS_GENERATORS)
        return levy_api_refuse(context, "generator", LEVY_ARGUMENT,
                               "is none of LEVY_NORMALS_SOBOL_SCRAMBLED, LEVY_NORMALS_SOBOL, "
                               "LEVY_NORMALS_PHILOX, LEVY_NORMALS_MRG32K3A, LEVY_NORMALS_NET, "
                               "LEVY_NORMALS_CURAND_SOBOL, LEVY_NORMALS_CURAND_SCRAMBLED_SOBOL, "
                               "LEVY_NORMALS_CURAND_MRG32K3A");
    if (s->output < LEVY_NORMALS_NORMAL || s->output > LEVY_NORMALS_WORD)
        return levy_api_refuse(context, "output", LEVY_ARGUMENT,
                               "is none of LEVY_NORMALS_NORMAL, LEVY_NORMALS_UNIFORM, "
                               "LEVY_NORMALS_WORD");
    if (s->precision != LEVY_NORMALS_DOUBLE && s->precision != LEVY_NORMALS_SINGLE)
        return levy_api_refuse(context, "precision", LEVY_ARGUMENT,
                               "is neither LEVY_NORMALS_DOUBLE nor LEVY_NORMALS_SINGLE");
    if (s->replicate == UINT32_MAX)
        return levy_api_refuse(context, "replicate", LEVY_ARGUMENT, "is above 4,294,967,294");
    return LEVY_STATUS_OK;
}

int levy_api_dimensions_check(levy_context *context, const levy_normals_spec *s,
                              const levy_net *net)
{
    char why[160];
    const bool sobol = net || s->generator <= LEVY_NORMALS_SOBOL,
               curand = s->generator == LEVY_NORMALS_CURAND_SOBOL ||
                        s->generator == LEVY_NORMALS_CURAND_SCRAMBLED_SOBOL;
    const uint32_t most = sobol    ? levy_net_dimensions(net)
                          : curand ? LEVY_CURAND_DIMENSIONS
                                   : LEVY_NORMALS_MAX_DIMENSIONS;
    if (s->n_dimensions < 1 || s->n_dimensions > most) {
        snprintf(why, sizeof why, "is %u; a point of this generator has 1 to %u dimensions",
                 (unsigned)s->n_dimensions, (unsigned)most);
        return levy_api_refuse(context, "n_dimensions", LEVY_ARGUMENT, why);
    }
    if (s->first_dimension >= s->n_dimensions) {
        snprintf(why, sizeof why, "is %u, but a point has %u dimensions, counted from 0",
                 (unsigned)s->first_dimension, (unsigned)s->n_dimensions);
        return levy_api_refuse(context, "first_dimension", LEVY_ARGUMENT, why);
    }
    if (s->count > s->n_dimensions - s->first_dimension) {
        snprintf(why, sizeof why, "is %u, but only %u dimensions are left from first_dimension on",
                 (unsigned)s->count, (unsigned)(s->n_dimensions - s->first_dimension));
        return levy_api_refuse(context, "count", LEVY_ARGUMENT, why);
    }
    return LEVY_STATUS_OK;
}

static int normals_tables(levy_context *context, levy_normals *n, const levy_normals_spec *s,
                          const levy_api_net *net)
{
    const levy_normals_settings settings = {s->generator, s->seed, s->replicate, net->net,
                                            net->scrambling};
    n->tables = (levy_normals_tables){.output = s->output,
                                      .single = s->precision == LEVY_NORMALS_SINGLE,
                                      .n_dimensions = s->n_dimensions,
                                      .first = s->first_dimension,
                                      .count = s->count};
    const levy_status status = levy_normals_tables_create(&n->object.memory, &settings, &n->tables);
    return status == LEVY_OK ? LEVY_STATUS_OK : levy_api_refuse(context, "", status, "");
}

static bool normals_is_curand(int generator) { return generator >= LEVY_NORMALS_CURAND_SOBOL; }

/* cuRAND's generator, and room for the words of a piece. */
static int normals_open_curand(levy_context *context, levy_normals *n, const levy_normals_spec *s)
{
    static const int32_t kinds[] = {LEVY_CURAND_SOBOL, LEVY_CURAND_SCRAMBLED_SOBOL,
                                    LEVY_CURAND_MRG32K3A};
    char why[LEVY_REASON_SIZE] = "";
    if (!normals_is_curand(s->generator)) return LEVY_STATUS_OK;
    const int32_t kind = kinds[s->generator - LEVY_NORMALS_CURAND_SOBOL];
    n->curand.memory = n->object.memory;
    const bool there = n->object.device.backend.memory_take != NULL;
    const levy_curand_calls *calls = NULL;
    levy_status status = levy_curand_load(&calls, why);
    if (status == LEVY_OK)
        status = there
                     ? levy_curand_device_open(calls, &n->object.memory, &n->object.device.backend,
                                               n->object.device.state, kind, &n->tables, s->seed,
                                               s->replicate, &n->there, why)
                     : levy_curand_points_open(calls, &n->object.memory, kind, s->n_dimensions,
                                               s->seed, s->replicate, false, &n->curand, why);
    if (status != LEVY_OK) return levy_api_refuse(context, "generator", status, why);
    if (there) return LEVY_STATUS_OK;
    n->words = levy_memory_allocate(&n->object.memory, (size_t)s->n_dimensions * NORMALS_PIECE + 16,
                                    sizeof *n->words);
    return n->words ? LEVY_STATUS_OK : levy_api_refuse(context, "", LEVY_MEMORY, "");
}

levy_normals_facts levy_api_normals_facts(const levy_normals_tables *tables, int generator,
                                          const levy_api_object *object)
{
    return (levy_normals_facts){LEVY_API_FACTS(object),
                                .generator = normals_generators[generator],
                                .key = tables->key,
                                .count = tables->count,
                                .number_bytes = levy_normals_number_bytes(tables),
                                .points_per_thread = object->info.paths_per_thread,
                                .most_points = tables->most_points};
}

static int normals_open(levy_context *context, levy_normals *n, const levy_normals_spec *s,
                        const levy_api_net *net)
{
    const levy_api_wish wish = LEVY_API_WISH(s);
    int status = normals_tables(context, n, s, net);
    if (status == LEVY_STATUS_OK) status = levy_api_object_open(context, &n->object, &wish);
    if (status == LEVY_STATUS_OK) status = levy_api_object_fill(context, &n->object, &n->tables);
    if (status == LEVY_STATUS_OK) status = normals_open_curand(context, n, s);
    if (status == LEVY_STATUS_OK)
        n->facts = levy_api_normals_facts(&n->tables, s->generator, &n->object);
    return status;
}

static int normals_make(levy_context *context, void *object, levy_api_spec *given)
{
    levy_normals_spec *const s = &given->normals;
    levy_api_net net;
    int status = levy_api_normals_check(context, s);
    if (status != LEVY_STATUS_OK) return status;
    status = levy_api_net_open(context, s->generator, s->net, &net);
    if (status == LEVY_STATUS_OK) status = levy_api_dimensions_check(context, s, net.net);
    if (s->count == 0) s->count = s->n_dimensions - s->first_dimension;
    if (status == LEVY_STATUS_OK) status = normals_open(context, object, s, &net);
    levy_api_net_close(&net);
    return status;
}

static void normals_release(void *object)
{
    levy_normals *const n = object;
    levy_curand_device_close(&n->there);
    levy_curand_points_close(&n->curand);
    levy_memory_release(&n->object.memory, n->words);
    levy_normals_tables_release(&n->object.memory, &n->tables);
}

LEVY_API_OBJECT(normals, NORMALS, levy_normals_facts, "makes no normals")

/* ---- Generation ------------------------------------------------------------------------------ */

bool levy_api_normals_call(const levy_normals_tables *t, levy_normals_call *call)
{
    const size_t number = levy_normals_number_bytes(t);
    if (call->stride == 0) call->stride = call->n_points;
    return call->output && call->stride >= call->n_points &&
           levy_api_is_aligned(call->output, number) &&
           levy_api_span(t->count, call->stride, call->n_points, number) &&
           call->first <= t->most_points && call->n_points <= t->most_points - call->first;
}

/* Piece by piece: the words of all dimensions, then the numbers of those that are made. */
static levy_status normals_generate_curand(levy_normals *n, const levy_normals_call *call,
                                           char *why)
{
    for (size_t at = 0, some; at < call->n_points; at += some) {
        levy_normals_call piece = *call;
        some = call->n_points - at < NORMALS_PIECE ? call->n_points - at : NORMALS_PIECE;
        LEVY_TRY(levy_curand_points_words(&n->curand, call->first + at, some, n->words, why));
        piece.output = (char *)call->output + at * levy_normals_number_bytes(&n->tables);
        piece.first = call->first + at;
        piece.n_points = some;
        piece.words = n->words + n->tables.first * some;
        LEVY_TRY(n->object.device.backend.object_run(n->object.made, &piece, why));
    }
    return LEVY_OK;
}

int levy_normals_generate(levy_normals *normals, uint64_t first, size_t n_points, void *output,
                          size_t stride, void *stream)
{
    char why[LEVY_REASON_SIZE] = "";
    levy_normals_call call = {
        .output = output, .first = first, .n_points = n_points, .stride = stride, .stream = stream};
    if (!normals) return LEVY_STATUS_ARGUMENT;
    if (n_points == 0) return LEVY_STATUS_OK;
    if (!levy_api_normals_call(&normals->tables, &call)) return LEVY_STATUS_ARGUMENT;
    if (!normals->words && !normals->there.backend)
        return levy_api_object_run(&normals->object, &call);
    const levy_call_mode mode = levy_call_mode_enter();
    const levy_status status = normals->words
                                   ? normals_generate_curand(normals, &call, why)
                                   : levy_curand_device_generate(&normals->there, &call, why);
    levy_call_mode_leave(&mode);
    return (int)status;
}
