/* contract_rooms.c: a small case of each call of normals, bridge and paths. Must not know: what the
 * results are compared with. */
#include "tests/contract_rooms.h"

#include <stdio.h>

static char rooms_net[512];
static double rooms_normals[ARRAYS_STEPS * ARRAYS_DIMENSIONS * ARRAYS_ROW];

void contract_rooms_start(const char *configs)
{
    snprintf(rooms_net, sizeof rooms_net, "%s/nets/niederreiter.txt", configs);
    for (size_t i = 0; i < sizeof rooms_normals / sizeof *rooms_normals; ++i)
        rooms_normals[i] = 6.0 * contract_uniform() - 3.0;
    contract_samplers_start();
}

/* ---- Normals: kind is the generator, way the output ---- */

enum { NORMALS_MADE = 5 };
static const arrays_case normals_cases[] = {
    {"scrambled", LEVY_NORMALS_SOBOL_SCRAMBLED, LEVY_NORMALS_NORMAL, NORMALS_MADE, 8},
    {"scrambled, words", LEVY_NORMALS_SOBOL_SCRAMBLED, LEVY_NORMALS_WORD, NORMALS_MADE, 4},
    {"scrambled, uniforms", LEVY_NORMALS_SOBOL_SCRAMBLED, LEVY_NORMALS_UNIFORM, NORMALS_MADE, 8},
    {"sobol", LEVY_NORMALS_SOBOL, LEVY_NORMALS_NORMAL, NORMALS_MADE, 8},
    {"philox", LEVY_NORMALS_PHILOX, LEVY_NORMALS_NORMAL, NORMALS_MADE, 8},
    {"philox, words", LEVY_NORMALS_PHILOX, LEVY_NORMALS_WORD, NORMALS_MADE, 4},
    {"mrg32k3a", LEVY_NORMALS_MRG32K3A, LEVY_NORMALS_NORMAL, NORMALS_MADE, 8},
    {"net", LEVY_NORMALS_NET, LEVY_NORMALS_NORMAL, NORMALS_MADE, 8}};

static int normals_create(const arrays_place *place, const arrays_case *one, void **made)
{
    const levy_net_spec net = {.struct_size = sizeof net, .file = rooms_net};
    const levy_normals_spec spec = {.struct_size = sizeof spec,
                                    .generator = one->kind,
                                    .output = one->way,
                                    .n_dimensions = 11,
                                    .first_dimension = 2,
                                    .count = NORMALS_MADE,
                                    .replicate = 3,
                                    .seed = 7,
                                    .device = place->device,
                                    .isa = place->isa,
                                    .threads = place->threads,
                                    .net = one->kind == LEVY_NORMALS_NET ? &net : NULL};
    levy_normals *normals = NULL;
    const int status = levy_normals_create(place->context, &spec, &normals);
    *made = normals;
    return status;
}

static int normals_call(void *made, const arrays_place *place, const arrays_case *one,
                        const arrays_call *call)
{
    (void)place, (void)one;
    return levy_normals_generate(made, call->first, call->count, call->output, ARRAYS_ROW, NULL);
}

static void normals_destroy(void *made) { levy_normals_destroy(made); }

const arrays_room contract_normals = {ROOM_CASES(normals_cases), .create = normals_create,
                                      .call = normals_call, .destroy = normals_destroy};

/* ---- Bridge: way is the output, kind the order: 0 bisection, 1 forward ---- */

static const arrays_case bridge_cases[] = {
    {"paths", 0, LEVY_BRIDGE_PATHS, ARRAYS_STEPS *ARRAYS_DIMENSIONS, 8},
    {"paths, forward", 1, LEVY_BRIDGE_PATHS, ARRAYS_STEPS *ARRAYS_DIMENSIONS, 8},
    {"increments", 0, LEVY_BRIDGE_INCREMENTS, ARRAYS_STEPS *ARRAYS_DIMENSIONS, 8}};

static levy_bridge_spec bridge_spec(const arrays_place *place, int order, int output)
{
    static const double times[ARRAYS_STEPS + 1] = {0.0, 0.1, 0.25, 0.3, 0.55, 0.8, 0.95, 1.0};
    static const double factor[] = {0.2, 0.0, 0.18, 0.24}, start[] = {4.5, 4.75};
    static const uint32_t forward[] = {1, 2, 3, 4, 5, 6, 7};
    return (levy_bridge_spec){.struct_size = sizeof(levy_bridge_spec),
                              .times = times,
                              .order = order ? forward : NULL,
                              .factor = factor,
                              .start = start,
                              .n_steps = ARRAYS_STEPS,
                              .n_dimensions = ARRAYS_DIMENSIONS,
                              .output = output,
                              .device = place->device,
                              .isa = place->isa,
                              .threads = place->threads};
}

static void bridge_inputs(const arrays_case *one, arrays_input inputs[ARRAYS_INPUTS])
{
    (void)one;
    inputs[0] = (arrays_input){rooms_normals, sizeof rooms_normals, sizeof *rooms_normals};
}

static int bridge_create(const arrays_place *place, const arrays_case *one, void **made)
{
    const levy_bridge_spec spec = bridge_spec(place, one->kind, one->way);
    levy_bridge *bridge = NULL;
    const int status = levy_bridge_create(place->context, &spec, &bridge);
    *made = bridge;
    return status;
}

static int bridge_call(void *made, const arrays_place *place, const arrays_case *one,
                       const arrays_call *call)
{
    (void)place, (void)one;
    return levy_bridge_generate(made, call->inputs[0], call->output, call->count, ARRAYS_ROW, NULL);
}

static void bridge_destroy(void *made) { levy_bridge_destroy(made); }

const arrays_room contract_bridge = {ROOM_CASES(bridge_cases), .inputs = bridge_inputs,
                                     .create = bridge_create, .call = bridge_call,
                                     .destroy = bridge_destroy};

/* ---- Paths: kind is the generator; way: 0 drivers, 1 exponentials, 2 increments ---- */

static const arrays_case paths_cases[] = {
    {"scrambled, spots", LEVY_NORMALS_SOBOL_SCRAMBLED, 1, ARRAYS_STEPS *ARRAYS_DIMENSIONS, 8},
    {"sobol, increments", LEVY_NORMALS_SOBOL, 2, ARRAYS_STEPS *ARRAYS_DIMENSIONS, 8},
    {"philox, drivers", LEVY_NORMALS_PHILOX, 0, ARRAYS_STEPS *ARRAYS_DIMENSIONS, 8},
    {"mrg32k3a, spots", LEVY_NORMALS_MRG32K3A, 1, ARRAYS_STEPS *ARRAYS_DIMENSIONS, 8},
    {"net, spots", LEVY_NORMALS_NET, 1, ARRAYS_STEPS *ARRAYS_DIMENSIONS, 8}};

static int paths_create(const arrays_place *place, const arrays_case *one, void **made)
{
    static const double drift[ARRAYS_STEPS * ARRAYS_DIMENSIONS] = {0.01, 0.02, 0.03, 0.04, 0.05};
    const levy_net_spec net = {.struct_size = sizeof net, .file = rooms_net};
    const levy_bridge_spec bridge =
        bridge_spec(place, 0, one->way == 2 ? LEVY_BRIDGE_INCREMENTS : LEVY_BRIDGE_PATHS);
    const levy_paths_spec spec = {.struct_size = sizeof spec,
                                  .bridge = &bridge,
                                  .drift = one->way == 1 ? drift : NULL,
                                  .exponential = one->way == 1,
                                  .generator = one->kind,
                                  .replicate = 2,
                                  .seed = 7,
                                  .net = one->kind == LEVY_NORMALS_NET ? &net : NULL};
    levy_paths *paths = NULL;
    const int status = levy_paths_create(place->context, &spec, &paths);
    *made = paths;
    return status;
}

static int paths_call(void *made, const arrays_place *place, const arrays_case *one,
                      const arrays_call *call)
{
    (void)place, (void)one;
    return levy_paths_generate(made, call->first, call->count, call->output, ARRAYS_ROW, NULL);
}

static void paths_destroy(void *made) { levy_paths_destroy(made); }

const arrays_room contract_paths = {ROOM_CASES(paths_cases), .create = paths_create,
                                    .call = paths_call, .destroy = paths_destroy};
