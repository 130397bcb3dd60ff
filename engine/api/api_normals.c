/* api_normals.c: the stand-alone normals of levy.h: a checked specification becomes a generator's
 * tables, and a backend makes numbers from them. */
#include "engine/api/api_normals.h"
#include "engine/problem/problem.h"
#include "engine/run/curand_device.h"

#include <stdio.h>
#include <string.h>

struct levy_normals {
    levy_memory memory;
    levy_normals_tables tables;
    levy_api_device device;
    void *made; /* the backend's */
    levy_kernel_made made_info;
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
    const levy_status status = levy_normals_tables_create(&n->memory, &settings, &n->tables);
    return status == LEVY_OK ? LEVY_STATUS_OK : levy_api_refuse(context, "", status, "");
}

static int normals_open(levy_context *context, levy_normals *n, const levy_normals_spec *s)
{
    char why[LEVY_REASON_SIZE] = "";
    const levy_api_wish wish = {.memory = &n->memory,
                                .device = s->device,
                                .isa = s->isa,
                                .threads = s->threads,
                                .no_kernel_cache = s->no_kernel_cache != 0};
    const int status = levy_api_device_open(context, &wish, &n->device);
    if (status != LEVY_STATUS_OK) return status;
    if (!n->device.backend.normals_create)
        return levy_api_refuse(context, "device", LEVY_UNSUPPORTED,
                               "the chosen backend makes no normals");
    const levy_status made =
        n->device.backend.normals_create(n->device.state, &n->tables, &n->made, why);
    if (made == LEVY_OK) return LEVY_STATUS_OK;
    n->made = NULL;
    return levy_api_refuse(context, "device", made, why);
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
    const bool there = n->device.backend.memory_take != NULL;
    const levy_curand_calls *calls = NULL;
    levy_status status = levy_curand_load(&calls, why);
    if (status == LEVY_OK)
        status =
            there ? levy_curand_device_open(calls, &n->memory, &n->device.backend, n->device.state,
                                            kind, &n->tables, s->seed, s->replicate, &n->there, why)
                  : levy_curand_points_open(calls, &n->memory, kind, s->n_dimensions, s->seed,
                                            s->replicate, false, &n->curand, why);
    if (status != LEVY_OK) return levy_api_refuse(context, "generator", status, why);
    if (there) return LEVY_STATUS_OK;
    n->words = levy_memory_allocate(&n->memory, (size_t)s->n_dimensions * NORMALS_PIECE + 16,
                                    sizeof *n->words);
    return n->words ? LEVY_STATUS_OK : levy_api_refuse(context, "", LEVY_MEMORY, "");
}

levy_normals_facts levy_api_normals_facts(const levy_normals_tables *tables, int generator,
                                          const levy_api_device *device,
                                          const levy_kernel_made *made)
{
    return (levy_normals_facts){.generator = normals_generators[generator],
                                .backend = device->info.backend,
                                .device = device->info.device,
                                .device_reason = device->reason,
                                .isa = device->info.isa,
                                .kernel = made->kernel,
                                .key = tables->key,
                                .count = tables->count,
                                .number_bytes = levy_normals_number_bytes(tables),
                                .threads = device->info.threads,
                                .threads_per_block = made->threads_per_block,
                                .points_per_thread = made->paths_per_thread,
                                .registers = made->registers,
                                .spilled_bytes = made->spilled_bytes,
                                .blocks_per_processor = made->blocks_per_processor,
                                .most_points = tables->most_points};
}

static void normals_facts(levy_normals *n, const levy_normals_spec *s)
{
    n->device.backend.normals_describe(n->made, &n->made_info);
    n->facts = levy_api_normals_facts(&n->tables, s->generator, &n->device, &n->made_info);
}

static int normals_make(levy_context *context, const levy_normals_spec *spec,
                        const levy_api_net *net, levy_normals **normals)
{
    levy_normals *const n = levy_memory_allocate(&context->memory, 1, sizeof *n);
    if (!n) return levy_api_refuse(context, "", LEVY_MEMORY, "");
    n->memory = context->memory;
    n->curand.memory = context->memory;
    int status = normals_tables(context, n, spec, net);
    if (status == LEVY_STATUS_OK) status = normals_open(context, n, spec);
    if (status == LEVY_STATUS_OK) status = normals_open_curand(context, n, spec);
    if (status != LEVY_STATUS_OK) {
        levy_normals_destroy(n);
        return status;
    }
    normals_facts(n, spec);
    *normals = n;
    return LEVY_STATUS_OK;
}

static int normals_create(levy_context *context, levy_normals_spec *given, levy_normals **normals)
{
    levy_api_net net;
    int status = levy_api_normals_check(context, given);
    if (status != LEVY_STATUS_OK) return status;
    status = levy_api_net_open(context, given->generator, given->net, &net);
    if (status == LEVY_STATUS_OK) status = levy_api_dimensions_check(context, given, net.net);
    if (given->count == 0) given->count = given->n_dimensions - given->first_dimension;
    if (status == LEVY_STATUS_OK) status = normals_make(context, given, &net, normals);
    levy_api_net_close(&net);
    return status;
}

int levy_normals_create(levy_context *context, const levy_normals_spec *spec,
                        levy_normals **normals)
{
    levy_normals_spec given = {0};
    if (!context || !normals) return levy_call_refuse(context, "normals", "is NULL");
    *normals = NULL;
    levy_call_begin(context);
    if (!spec || !levy_call_copy_options(&given, sizeof given, spec)) {
        levy_api_refuse(context, "struct_size", LEVY_ARGUMENT,
                        "is not that of a levy_normals_spec");
        return levy_call_end(context, LEVY_STATUS_ARGUMENT);
    }
    const levy_call_mode mode = levy_call_mode_enter();
    int status = normals_create(context, &given, normals);
    levy_call_mode_leave(&mode);
    status = levy_call_end(context, status);
    if (status != LEVY_STATUS_OK && *normals) {
        levy_normals_destroy(*normals);
        *normals = NULL;
    }
    return status;
}

void levy_normals_destroy(levy_normals *normals)
{
    if (!normals) return;
    const levy_memory memory = normals->memory;
    if (normals->made) normals->device.backend.normals_destroy(normals->made);
    levy_curand_device_close(&normals->there);
    levy_api_device_close(&normals->device);
    levy_curand_points_close(&normals->curand);
    levy_memory_release(&memory, normals->words);
    levy_normals_tables_release(&memory, &normals->tables);
    levy_memory_release(&memory, normals);
}

const levy_normals_facts *levy_normals_info(const levy_normals *normals)
{
    return normals ? &normals->facts : NULL;
}

/* ---- Generation ------------------------------------------------------------------------------ */

/* Do the rows end before the end of any memory? */
static bool normals_fit(size_t rows, size_t number, size_t n_points, size_t stride)
{
    size_t numbers, bytes;
    if (!levy_size_multiply(rows - 1, stride, &numbers) || numbers > SIZE_MAX - n_points)
        return false;
    return levy_size_multiply(numbers + n_points, number, &bytes) && bytes <= SIZE_MAX / 2;
}

bool levy_api_normals_call(const levy_normals_tables *t, levy_normals_call *call)
{
    const size_t number = levy_normals_number_bytes(t);
    if (call->stride == 0) call->stride = call->n_points;
    return call->output && call->stride >= call->n_points &&
           (uintptr_t)call->output % number == 0 &&
           normals_fit(t->count, number, call->n_points, call->stride) &&
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
        LEVY_TRY(n->device.backend.normals_generate(n->made, &piece, why));
    }
    return LEVY_OK;
}

static levy_status normals_generate(levy_normals *n, const levy_normals_call *call, char *why)
{
    if (n->words) return normals_generate_curand(n, call, why);
    if (n->there.backend) return levy_curand_device_generate(&n->there, call, why);
    return n->device.backend.normals_generate(n->made, call, why);
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
    const levy_call_mode mode = levy_call_mode_enter();
    const levy_status status = normals_generate(normals, &call, why);
    levy_call_mode_leave(&mode);
    return (int)status;
}
