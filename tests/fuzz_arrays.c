/* fuzz_arrays.c: libFuzzer entry over the calls of levy.h that fill arrays: bridges, normals,
 * paths, samplers, draws from each of many distributions, and deviates, on small arrays of whatever
 * numbers the input has. What it checks beside the sanitizers: a call ends with OK or refuses its
 * arguments with a diagnostic, items are below their count, and nothing behind an array is written.
 * Must not know: anything behind levy.h. */
#include "engine/levy.h"
#include "tests/fuzz.h"

#include <string.h>

enum { FUZZ_STEPS = 12, FUZZ_DIMENSIONS = 3, FUZZ_POINTS = 9, FUZZ_ITEMS = 40, FUZZ_CALLS = 6 };

typedef struct fuzz_input {
    const uint8_t *at, *end;
    levy_context *context;
} fuzz_input;

/* Bytes of the input; zeros behind its end. */
static void fuzz_bytes(fuzz_input *in, void *to, size_t size)
{
    const size_t left = (size_t)(in->end - in->at), n = size < left ? size : left;
    memset(to, 0, size);
    memcpy(to, in->at, n);
    in->at += n;
}

static uint8_t fuzz_byte(fuzz_input *in)
{
    uint8_t byte;
    fuzz_bytes(in, &byte, 1);
    return byte;
}

/* Mostly numbers that make sense, else any bits. */
static double fuzz_number(fuzz_input *in)
{
    const uint8_t kind = fuzz_byte(in);
    double number;
    if (kind < 128) return kind / 8.0;
    if (kind < 224) return fuzz_byte(in) * (kind - 176) / 64.0;
    fuzz_bytes(in, &number, sizeof number);
    return number;
}

static bool fuzz_ended(fuzz_input *in, int status)
{
    fuzz_require(status == LEVY_STATUS_OK || status == LEVY_STATUS_ARGUMENT ||
                 status == LEVY_STATUS_UNSUPPORTED);
    fuzz_require(status == LEVY_STATUS_OK || levy_diagnostic_count(in->context) > 0);
    return status == LEVY_STATUS_OK;
}

/* Arrays of 8 bytes a number, the last one behind them untouched. */
static uint64_t fuzz_output[FUZZ_STEPS * FUZZ_DIMENSIONS * FUZZ_POINTS + 1];
static void fuzz_begin(void) { memset(fuzz_output, 0xA5, sizeof fuzz_output); }
static void fuzz_end(size_t n)
{
    for (size_t i = n; i < sizeof fuzz_output / sizeof *fuzz_output; ++i)
        fuzz_require(fuzz_output[i] == 0xA5A5A5A5A5A5A5A5u);
}

static levy_bridge_spec fuzz_bridge_spec(fuzz_input *in)
{
    static double times[FUZZ_STEPS + 1], factor[FUZZ_DIMENSIONS * FUZZ_DIMENSIONS];
    static uint32_t order[FUZZ_STEPS];
    const uint8_t flags = fuzz_byte(in);
    levy_bridge_spec spec = {.struct_size = sizeof spec,
                             .times = times,
                             .n_steps = fuzz_byte(in) % FUZZ_STEPS + 1u,
                             .n_dimensions = fuzz_byte(in) % FUZZ_DIMENSIONS + 1u,
                             .output = flags & 1,
                             .precision = flags >> 1 & 1,
                             .threads = 1};
    for (uint32_t i = 0; i <= spec.n_steps; ++i)
        times[i] = flags & 8 || i == 0 ? fuzz_number(in) : times[i - 1] + 0.01 + fuzz_byte(in);
    for (uint32_t i = 0; i < spec.n_steps; ++i)
        order[i] = flags & 16 ? fuzz_byte(in) : spec.n_steps - i;
    for (size_t i = 0; i < sizeof factor / sizeof *factor; ++i) factor[i] = fuzz_number(in);
    if (flags & 32) spec.order = order;
    if (flags & 64) spec.factor = factor;
    return spec;
}

static void fuzz_bridge(fuzz_input *in)
{
    static double normals[FUZZ_STEPS * FUZZ_DIMENSIONS * FUZZ_POINTS];
    const levy_bridge_spec spec = fuzz_bridge_spec(in);
    const size_t n_paths = fuzz_byte(in) % (FUZZ_POINTS + 1u);
    levy_bridge *bridge = NULL;
    if (!fuzz_ended(in, levy_bridge_create(in->context, &spec, &bridge))) return;
    fuzz_bytes(in, normals, sizeof normals);
    fuzz_begin();
    (void)levy_bridge_generate(bridge, normals, fuzz_output, n_paths, 0, NULL);
    fuzz_end((size_t)spec.n_steps * spec.n_dimensions * n_paths);
    levy_bridge_destroy(bridge);
}

static void fuzz_normals(fuzz_input *in)
{
    uint32_t columns[FUZZ_DIMENSIONS * 8];
    fuzz_bytes(in, columns, sizeof columns);
    const levy_net_spec net = {.struct_size = sizeof net,
                               .columns = columns,
                               .n_dimensions = FUZZ_DIMENSIONS,
                               .n_columns = fuzz_byte(in) % 9u,
                               .scrambling = fuzz_byte(in) % 4};
    levy_normals_spec spec = {.struct_size = sizeof spec,
                              .generator = fuzz_byte(in) % 5,
                              .output = fuzz_byte(in) % 4,
                              .precision = fuzz_byte(in) % 3,
                              .n_dimensions = fuzz_byte(in) % (FUZZ_DIMENSIONS + 2u),
                              .first_dimension = fuzz_byte(in) % 3u,
                              .threads = 1};
    uint64_t first;
    levy_normals *normals = NULL;
    spec.count = fuzz_byte(in) % 3u;
    fuzz_bytes(in, &spec.seed, sizeof spec.seed);
    fuzz_bytes(in, &first, sizeof first);
    if (spec.generator == LEVY_NORMALS_NET) spec.net = &net;
    if (!fuzz_ended(in, levy_normals_create(in->context, &spec, &normals))) return;
    fuzz_begin();
    (void)levy_normals_generate(normals, first, FUZZ_POINTS, fuzz_output, 0, NULL);
    fuzz_end((FUZZ_DIMENSIONS + 1) * FUZZ_POINTS);
    levy_normals_destroy(normals);
}

static void fuzz_paths(fuzz_input *in)
{
    double drift[FUZZ_STEPS * FUZZ_DIMENSIONS];
    const levy_bridge_spec bridge = fuzz_bridge_spec(in);
    levy_paths_spec spec = {.struct_size = sizeof spec,
                            .bridge = &bridge,
                            .exponential = fuzz_byte(in) & 1,
                            .generator = fuzz_byte(in) % 4,
                            .seed = fuzz_byte(in)};
    levy_paths *paths = NULL;
    for (size_t i = 0; i < sizeof drift / sizeof *drift; ++i) drift[i] = fuzz_number(in);
    if (fuzz_byte(in) & 1) spec.drift = drift;
    if (!fuzz_ended(in, levy_paths_create(in->context, &spec, &paths))) return;
    fuzz_begin();
    (void)levy_paths_generate(paths, fuzz_byte(in), FUZZ_POINTS, fuzz_output, 0, NULL);
    fuzz_end((size_t)bridge.n_steps * bridge.n_dimensions * FUZZ_POINTS);
    levy_paths_destroy(paths);
}

static void fuzz_sampler(fuzz_input *in)
{
    double weights[FUZZ_ITEMS], u[FUZZ_POINTS];
    uint32_t items[FUZZ_POINTS];
    const levy_sampler_spec spec = {.struct_size = sizeof spec,
                                    .weights = weights,
                                    .count = fuzz_byte(in) % (FUZZ_ITEMS + 1u),
                                    .threads = 1};
    levy_sampler *sampler = NULL;
    for (size_t i = 0; i < FUZZ_ITEMS; ++i) weights[i] = fuzz_number(in);
    for (size_t i = 0; i < FUZZ_POINTS; ++i) u[i] = fuzz_number(in) / 16.0;
    if (!fuzz_ended(in, levy_sampler_create(in->context, &spec, &sampler))) return;
    fuzz_require(levy_sampler_draw(sampler, fuzz_byte(in), fuzz_byte(in), FUZZ_POINTS, items,
                                   NULL) == LEVY_STATUS_OK);
    for (size_t i = 0; i < FUZZ_POINTS; ++i)
        fuzz_require(items[i] < spec.count && weights[items[i]] > 0.0);
    if (levy_sampler_invert(sampler, u, FUZZ_POINTS, items, NULL) == LEVY_STATUS_OK)
        for (size_t i = 0; i < FUZZ_POINTS; ++i) fuzz_require(items[i] < spec.count);
    levy_sampler_destroy(sampler);
}

static void fuzz_draws(fuzz_input *in)
{
    double theta[FUZZ_POINTS * FUZZ_ITEMS], phi[2 * FUZZ_ITEMS];
    uint32_t items[FUZZ_POINTS], states[FUZZ_POINTS];
    const levy_draw_spec spec = {.struct_size = sizeof spec,
                                 .theta = theta,
                                 .phi = phi,
                                 .states = states,
                                 .n_paths = FUZZ_POINTS,
                                 .n_items = fuzz_byte(in) % (FUZZ_ITEMS + 1u),
                                 .n_states = 2,
                                 .precision = fuzz_byte(in) % 3,
                                 .check = fuzz_byte(in) & 1,
                                 .seed = fuzz_byte(in),
                                 .threads = 1};
    for (size_t i = 0; i < sizeof theta / sizeof *theta; ++i) theta[i] = fuzz_number(in);
    for (size_t i = 0; i < sizeof phi / sizeof *phi; ++i) phi[i] = fuzz_number(in);
    fuzz_bytes(in, states, sizeof states);
    if (!fuzz_ended(in, levy_draw_each(in->context, &spec, items, NULL))) return;
    for (size_t p = 0; p < FUZZ_POINTS; ++p) fuzz_require(items[p] < spec.n_items);
}

static void fuzz_deviates(fuzz_input *in)
{
    double each[2][FUZZ_POINTS];
    uint32_t words[FUZZ_POINTS];
    levy_distribution_spec spec = {.struct_size = sizeof spec,
                                   .law = fuzz_byte(in) % 9,
                                   .precision = fuzz_byte(in) % 3,
                                   .per_deviate = fuzz_byte(in) % 5u,
                                   .threads = 1};
    levy_distribution *law = NULL;
    spec.parameters[0] = fuzz_number(in);
    spec.parameters[1] = fuzz_number(in);
    for (size_t i = 0; i < FUZZ_POINTS; ++i)
        each[0][i] = fuzz_number(in), each[1][i] = fuzz_number(in);
    fuzz_bytes(in, words, sizeof words);
    if (!fuzz_ended(in, levy_distribution_create(in->context, &spec, &law))) return;
    const void *const arrays[2] = {spec.per_deviate & 1 ? each[0] : NULL,
                                   spec.per_deviate & 2 ? each[1] : NULL};
    fuzz_begin();
    (void)levy_distribution_draw(law, fuzz_byte(in), fuzz_byte(in), fuzz_byte(in), FUZZ_POINTS,
                                 arrays, fuzz_output, NULL);
    (void)levy_distribution_invert(law, words, FUZZ_POINTS, arrays, fuzz_output, NULL);
    fuzz_end(FUZZ_POINTS);
    levy_distribution_destroy(law);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const calls[FUZZ_CALLS])(fuzz_input *) = {
        fuzz_bridge, fuzz_normals, fuzz_paths, fuzz_sampler, fuzz_draws, fuzz_deviates};
    static levy_context *context;
    if (size == 0) return 0;
    if (!context) fuzz_require(levy_context_create(NULL, &context) == LEVY_STATUS_OK);
    fuzz_input in = {data + 1, data + size, context};
    calls[data[0] % FUZZ_CALLS](&in);
    return 0;
}
