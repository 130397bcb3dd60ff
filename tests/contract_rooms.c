/* contract_rooms.c: a small case of each call of the parts that stand alone: normals, bridge,
 * paths, sampler, draws and distributions. Must not know: what the results are compared with. */
#include "tests/contract_rooms.h"

#include <stdbool.h>
#include <stdio.h>

#define ROOM_CASES(list) .cases = list, .n_cases = sizeof(list) / sizeof *(list)

static char rooms_net[512];
static double rooms_normals[ARRAYS_STEPS * ARRAYS_DIMENSIONS * ARRAYS_ROW];
static double rooms_theta[ARRAYS_ROW * ARRAYS_ITEMS], rooms_phi[ARRAYS_STATES * ARRAYS_ITEMS];
static float rooms_theta_single[ARRAYS_ROW * ARRAYS_ITEMS],
    rooms_phi_single[ARRAYS_STATES * ARRAYS_ITEMS];
static double rooms_uniforms[ARRAYS_ROW], rooms_parameters[2][ARRAYS_ROW];
static double rooms_weights[ARRAYS_WEIGHTS];
static uint32_t rooms_words[ARRAYS_ROW * ARRAYS_DRAWS], rooms_states[ARRAYS_ROW];

/* L'Ecuyer's multiplier; the upper half is good enough for inputs. */
static uint32_t rooms_word(void)
{
    static uint64_t state = 1;
    return (uint32_t)((state = state * 2862933555777941757u + 3037000493u) >> 32);
}

static double rooms_uniform(void) { return rooms_word() * 0x1p-32; }

void contract_rooms_start(const char *configs)
{
    snprintf(rooms_net, sizeof rooms_net, "%s/nets/niederreiter.txt", configs);
    for (size_t i = 0; i < sizeof rooms_normals / sizeof *rooms_normals; ++i)
        rooms_normals[i] = 6.0 * rooms_uniform() - 3.0;
    for (size_t i = 0; i < sizeof rooms_theta / sizeof *rooms_theta; ++i)
        rooms_theta[i] = rooms_theta_single[i] = (float)rooms_uniform();
    for (size_t i = 0; i < sizeof rooms_phi / sizeof *rooms_phi; ++i)
        rooms_phi[i] = rooms_phi_single[i] = (float)rooms_uniform();
    for (size_t i = 0; i < sizeof rooms_words / sizeof *rooms_words; ++i)
        rooms_words[i] = rooms_word();
    for (size_t i = 0; i < ARRAYS_ROW; ++i) {
        rooms_uniforms[i] = rooms_uniform();
        rooms_states[i] = rooms_word() % ARRAYS_STATES;
        rooms_parameters[0][i] = 0.5 + 90.0 * rooms_uniform(); /* both ways of Poisson counts */
        rooms_parameters[1][i] = 0.25 + 3.0 * rooms_uniform();
    }
    for (size_t i = 0; i < ARRAYS_WEIGHTS; ++i) /* some are 0 */
        rooms_weights[i] = (double)(i * 7919 % 101);
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

/* ---- Sampler: way is what is called ---- */

enum { SAMPLER_DRAW, SAMPLER_INVERT, SAMPLER_COUNTS };
static const arrays_case sampler_cases[] = {
    {"draw", 0, SAMPLER_DRAW, 1, 4},
    {"invert", 0, SAMPLER_INVERT, 1, 4},
    {"counts", 0, SAMPLER_COUNTS, 0, ARRAYS_WEIGHTS * sizeof(uint32_t)}};

static void sampler_inputs(const arrays_case *one, arrays_input inputs[ARRAYS_INPUTS])
{
    if (one->way == SAMPLER_INVERT)
        inputs[0] = (arrays_input){rooms_uniforms, sizeof rooms_uniforms, sizeof *rooms_uniforms};
}

static int sampler_create(const arrays_place *place, const arrays_case *one, void **made)
{
    const levy_sampler_spec spec = {.struct_size = sizeof spec,
                                    .weights = rooms_weights,
                                    .count = ARRAYS_WEIGHTS,
                                    .device = place->device,
                                    .isa = place->isa,
                                    .threads = place->threads};
    levy_sampler *sampler = NULL;
    const int status = levy_sampler_create(place->context, &spec, &sampler);
    (void)one;
    *made = sampler;
    return status;
}

static int sampler_call(void *made, const arrays_place *place, const arrays_case *one,
                        const arrays_call *call)
{
    (void)place;
    switch (one->way) {
    case SAMPLER_DRAW:
        return levy_sampler_draw(made, 7, call->first, call->count, call->output, NULL);
    case SAMPLER_INVERT:
        return levy_sampler_invert(made, call->inputs[0], call->count, call->output, NULL);
    default:
        return levy_sampler_counts(made, 7, call->first, call->count, call->output, NULL);
    }
}

static void sampler_destroy(void *made) { levy_sampler_destroy(made); }

const arrays_room contract_sampler = {ROOM_CASES(sampler_cases), .inputs = sampler_inputs,
                                      .create = sampler_create, .call = sampler_call,
                                      .destroy = sampler_destroy};

/* ---- Draws: kind is the precision of the weights; way: 1: words of the caller ---- */

static const arrays_case draws_cases[] = {
    {"double", LEVY_BRIDGE_DOUBLE, 0, 1, ARRAYS_DRAWS * sizeof(uint32_t)},
    {"double, own words", LEVY_BRIDGE_DOUBLE, 1, 1, ARRAYS_DRAWS * sizeof(uint32_t)},
    {"single", LEVY_BRIDGE_SINGLE, 0, 1, ARRAYS_DRAWS * sizeof(uint32_t)}};

static void draws_inputs(const arrays_case *one, arrays_input inputs[ARRAYS_INPUTS])
{
    const size_t step = ARRAYS_DRAWS * sizeof *rooms_words;
    if (one->kind == LEVY_BRIDGE_SINGLE) {
        inputs[0] = (arrays_input){rooms_theta_single, sizeof rooms_theta_single,
                                   ARRAYS_ITEMS * sizeof(float)};
        inputs[1] = (arrays_input){rooms_phi_single, sizeof rooms_phi_single, 0};
    } else {
        inputs[0] = (arrays_input){rooms_theta, sizeof rooms_theta, ARRAYS_ITEMS * sizeof(double)};
        inputs[1] = (arrays_input){rooms_phi, sizeof rooms_phi, 0};
    }
    inputs[2] = (arrays_input){rooms_states, sizeof rooms_states, sizeof *rooms_states};
    if (one->way) inputs[3] = (arrays_input){rooms_words, sizeof rooms_words, step};
}

static int draws_create(const arrays_place *place, const arrays_case *one, void **made)
{
    (void)place, (void)one;
    *made = NULL; /* a call needs nothing beside its context */
    return LEVY_STATUS_OK;
}

static int draws_call(void *made, const arrays_place *place, const arrays_case *one,
                      const arrays_call *call)
{
    const levy_draw_spec spec = {.struct_size = sizeof spec,
                                 .theta = call->inputs[0],
                                 .phi = call->inputs[1],
                                 .states = call->inputs[2],
                                 .words = call->inputs[3],
                                 .n_paths = call->count,
                                 .n_items = ARRAYS_ITEMS,
                                 .n_states = ARRAYS_STATES,
                                 .precision = one->kind,
                                 .threads = place->threads,
                                 .device = place->device,
                                 .seed = 7,
                                 .first_path = call->first,
                                 .first_draw = 5,
                                 .n_draws = ARRAYS_DRAWS};
    (void)made;
    return levy_draw_each(place->context, &spec, call->output, NULL);
}

static void draws_destroy(void *made) { (void)made; }

const arrays_room contract_draws = {ROOM_CASES(draws_cases), .inputs = draws_inputs,
                                    .create = draws_create, .call = draws_call,
                                    .destroy = draws_destroy};

/* ---- Distributions: kind is the law, way is what is called, with which arrays ---- */

enum { LAW_DRAW = 0, LAW_INVERT = 1, LAW_ARRAYS = 2, LAW_LARGE = 4 };
static const arrays_case distributions_cases[] = {
    {"exponential", LEVY_LAW_EXPONENTIAL, LAW_DRAW, 1, 8},
    {"exponential, inverted", LEVY_LAW_EXPONENTIAL, LAW_INVERT | LAW_ARRAYS, 1, 8},
    {"normal", LEVY_LAW_NORMAL, LAW_DRAW | LAW_ARRAYS, 1, 8},
    {"normal, inverted", LEVY_LAW_NORMAL, LAW_INVERT, 1, 8},
    {"gamma", LEVY_LAW_GAMMA, LAW_DRAW, 1, 8},
    {"gamma, arrays", LEVY_LAW_GAMMA, LAW_DRAW | LAW_ARRAYS, 1, 8},
    {"gamma, inverted", LEVY_LAW_GAMMA, LAW_INVERT, 1, 8},
    {"poisson", LEVY_LAW_POISSON, LAW_DRAW, 1, 4},
    {"poisson, large", LEVY_LAW_POISSON, LAW_DRAW | LAW_LARGE, 1, 4},
    {"poisson, arrays", LEVY_LAW_POISSON, LAW_DRAW | LAW_ARRAYS, 1, 4},
    {"poisson, inverted", LEVY_LAW_POISSON, LAW_INVERT | LAW_ARRAYS, 1, 4},
    {"chi-square", LEVY_LAW_NONCENTRAL_CHI_SQUARE, LAW_DRAW | LAW_ARRAYS, 1, 8},
    {"chi-square, inverted", LEVY_LAW_NONCENTRAL_CHI_SQUARE, LAW_INVERT, 1, 8},
    {"gamma by table", LEVY_LAW_GAMMA_TABLE, LAW_DRAW, 1, 8},
    {"gamma by table, inverted", LEVY_LAW_GAMMA_TABLE, LAW_INVERT, 1, 8},
    {"beta", LEVY_LAW_BETA, LAW_DRAW, 1, 8},
    {"inverse gaussian", LEVY_LAW_INVERSE_GAUSSIAN, LAW_DRAW, 1, 8}};

static bool law_has_one_parameter(int law)
{
    return law == LEVY_LAW_EXPONENTIAL || law == LEVY_LAW_POISSON;
}

static void distributions_inputs(const arrays_case *one, arrays_input inputs[ARRAYS_INPUTS])
{
    const size_t bytes = sizeof rooms_parameters[0], step = sizeof *rooms_parameters[0];
    if (one->way & LAW_INVERT)
        inputs[0] =
            (arrays_input){rooms_words, ARRAYS_ROW * sizeof *rooms_words, sizeof *rooms_words};
    if (!(one->way & LAW_ARRAYS)) return;
    inputs[1] = (arrays_input){rooms_parameters[0], bytes, step};
    if (!law_has_one_parameter(one->kind))
        inputs[2] = (arrays_input){rooms_parameters[1], bytes, step};
}

static int distributions_create(const arrays_place *place, const arrays_case *one, void **made)
{
    const uint32_t arrays = law_has_one_parameter(one->kind) ? 1 : 3;
    const levy_distribution_spec spec = {.struct_size = sizeof spec,
                                         .law = one->kind,
                                         .parameters = {one->way & LAW_LARGE ? 1e4 : 1.5, 2.5},
                                         .isa = place->isa,
                                         .threads = place->threads,
                                         .device = place->device,
                                         .per_deviate = one->way & LAW_ARRAYS ? arrays : 0};
    levy_distribution *distribution = NULL;
    const int status = levy_distribution_create(place->context, &spec, &distribution);
    *made = distribution;
    return status;
}

static int distributions_call(void *made, const arrays_place *place, const arrays_case *one,
                              const arrays_call *call)
{
    (void)place;
    if (one->way & LAW_INVERT)
        return levy_distribution_invert(made, call->inputs[0], call->count, call->inputs + 1,
                                        call->output, NULL);
    return levy_distribution_draw(made, 7, 3, call->first, call->count, call->inputs + 1,
                                  call->output, NULL);
}

static void distributions_destroy(void *made) { levy_distribution_destroy(made); }

const arrays_room contract_distributions = {
    ROOM_CASES(distributions_cases), .inputs = distributions_inputs, .create = distributions_create,
    .call = distributions_call, .destroy = distributions_destroy};
