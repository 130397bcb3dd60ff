/* contract_samplers.c: a small case of each call of the sampler, of draws and of distributions.
 * Must not know: what the results are compared with. */
#include "tests/contract_rooms.h"

#include <stdbool.h>

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

double contract_uniform(void) { return rooms_word() * 0x1p-32; }

void contract_samplers_start(void)
{
    for (size_t i = 0; i < sizeof rooms_theta / sizeof *rooms_theta; ++i)
        rooms_theta[i] = rooms_theta_single[i] = (float)contract_uniform();
    for (size_t i = 0; i < sizeof rooms_phi / sizeof *rooms_phi; ++i)
        rooms_phi[i] = rooms_phi_single[i] = (float)contract_uniform();
    for (size_t i = 0; i < sizeof rooms_words / sizeof *rooms_words; ++i)
        rooms_words[i] = rooms_word();
    for (size_t i = 0; i < ARRAYS_ROW; ++i) {
        rooms_uniforms[i] = contract_uniform();
        rooms_states[i] = rooms_word() % ARRAYS_STATES;
        rooms_parameters[0][i] = 0.5 + 90.0 * contract_uniform(); /* both ways of Poisson counts */
        rooms_parameters[1][i] = 0.25 + 3.0 * contract_uniform();
    }
    for (size_t i = 0; i < ARRAYS_WEIGHTS; ++i) /* some are 0 */
        rooms_weights[i] = (double)(i * 7919 % 101);
}

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
