/* test_normals.c: levy_normals_* and levy_paths_*: words against generators written down again here
 * and against cuRAND, the same bits for any split, threads and instruction set, uniforms and
 * normals of these words, the price that levy_price gives, refusals. */
#include "tests/cmocka_all.h"

#include "tests/context_fixture.h"
#include "tests/normal_law.h"
#include "kernels/points/sobol_tables.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Generators once more, one word at a time ------------------------------------------------ */

static uint32_t sobol_oracle(bool scrambled, uint64_t seed, uint32_t replicate, uint32_t dimension,
                             uint64_t point)
{
    static uint32_t numbers[32 * 512];
    static bool filled;
    uint32_t column[32], word = 0, shift = 0;
    if (!filled) assert_true(levy_sobol_directions(512, numbers));
    filled = true;
    memcpy(column, numbers + 32 * (size_t)dimension, sizeof column);
    if (scrambled)
        levy_sobol_scramble(levy_points_key(seed, replicate, LEVY_PURPOSE_PRICE), dimension, column,
                            &shift);
    for (uint32_t bit = 0; bit < 32; ++bit)
        if ((point ^ point >> 1) >> bit & 1) word ^= column[bit];
    return word ^ shift;
}

static uint32_t philox_oracle(uint64_t key, uint32_t dimension, uint64_t point)
{
    uint32_t k[2] = {(uint32_t)key, (uint32_t)(key >> 32)},
             c[4] = {dimension / 4, 0, (uint32_t)point, (uint32_t)(point >> 32)};
    for (int round = 0; round < 10; ++round) {
        const uint64_t p = 0xD2511F53ull * c[0], q = 0xCD9E8D57ull * c[2];
        const uint32_t next[4] = {(uint32_t)(q >> 32) ^ c[1] ^ k[0], (uint32_t)q,
                                  (uint32_t)(p >> 32) ^ c[3] ^ k[1], (uint32_t)p};
        memcpy(c, next, sizeof c);
        k[0] += 0x9E3779B9u;
        k[1] += 0xBB67AE85u;
    }
    return c[dimension % 4];
}

/* L'Ecuyer's own program for seed 0, in exact integers: the first `n` draws of replicate 0. */
static void mrg_oracle(uint32_t *words, size_t n)
{
    const int64_t m1 = 4294967087, m2 = 4294944443;
    int64_t a[3] = {12345, 12345, 12345}, b[3] = {12345, 12345, 12345};
    for (size_t i = 0; i < n; ++i) {
        const int64_t p = ((1403580 * a[1] - 810728 * a[0]) % m1 + m1) % m1,
                      q = ((527612 * b[2] - 1370589 * b[0]) % m2 + m2) % m2,
                      z = ((p - q) % m1 + m1) % m1;
        a[0] = a[1], a[1] = a[2], a[2] = p;
        b[0] = b[1], b[1] = b[2], b[2] = q;
        words[i] = (uint32_t)((uint64_t)z + 209u * (uint64_t)z / (uint64_t)m1);
    }
}

/* ---- Calls ----------------------------------------------------------------------------------- */

static void generate(const levy_normals_spec *given, uint64_t first, size_t n, void *output,
                     size_t stride)
{
    levy_normals_spec spec = *given;
    levy_normals *normals;
    spec.struct_size = sizeof spec;
    assert_int_equal(levy_normals_create(context, &spec, &normals), LEVY_STATUS_OK);
    assert_int_equal(levy_normals_generate(normals, first, n, output, stride, NULL),
                     LEVY_STATUS_OK);
    levy_normals_destroy(normals);
}

static void test_words_of_sobol_points(void **state)
{
    (void)state;
    enum { N = 1500, D = 7 };
    static uint32_t words[D * N];
    const uint64_t firsts[] = {0, 1, 1023, 4097, 4294967296 - N};
    for (int scrambled = 0; scrambled < 2; ++scrambled)
        for (size_t k = 0; k < sizeof firsts / sizeof *firsts; ++k) {
            const levy_normals_spec spec = {.generator = scrambled ? LEVY_NORMALS_SOBOL_SCRAMBLED
                                                                   : LEVY_NORMALS_SOBOL,
                                            .output = LEVY_NORMALS_WORD,
                                            .n_dimensions = 400,
                                            .first_dimension = 390,
                                            .count = D,
                                            .seed = 42,
                                            .replicate = 3};
            generate(&spec, firsts[k], N, words, 0);
            for (uint32_t d = 0; d < D; ++d)
                for (uint32_t i = 0; i < N; ++i)
                    assert_int_equal(words[d * N + i],
                                     sobol_oracle(scrambled, 42, 3, 390 + d, firsts[k] + i));
        }
}

static void test_words_of_philox(void **state)
{
    (void)state;
    enum { N = 1100, D = 9 };
    static uint32_t words[D * N];
    const uint64_t firsts[] = {0, 5, 4294967296 - 550, ((uint64_t)1 << 56) - N};
    const levy_normals_spec spec = {.struct_size = sizeof spec,
                                    .generator = LEVY_NORMALS_PHILOX,
                                    .output = LEVY_NORMALS_WORD,
                                    .n_dimensions = 20,
                                    .first_dimension = 6,
                                    .count = D,
                                    .seed = 9,
                                    .replicate = 2};
    levy_normals *normals;
    assert_int_equal(levy_normals_create(context, &spec, &normals), LEVY_STATUS_OK);
    const uint64_t key = levy_normals_info(normals)->key;
    assert_true(key == levy_points_key(9, 2, LEVY_PURPOSE_PRICE));
    for (size_t k = 0; k < sizeof firsts / sizeof *firsts; ++k) {
        assert_int_equal(levy_normals_generate(normals, firsts[k], N, words, 0, NULL),
                         LEVY_STATUS_OK);
        for (uint32_t d = 0; d < D; ++d)
            for (uint32_t i = 0; i < N; ++i)
                assert_int_equal(words[d * N + i], philox_oracle(key, 6 + d, firsts[k] + i));
    }
    levy_normals_destroy(normals);
}

static void test_words_of_mrg32k3a(void **state)
{
    (void)state;
    enum { N = 1100, D = 11, FIRST = 4, COUNT = 5, SKIP = 37 };
    static uint32_t words[COUNT * (N + 3)], draws[D * (N + SKIP)];
    mrg_oracle(draws, D * (N + SKIP));
    const levy_normals_spec spec = {.generator = LEVY_NORMALS_MRG32K3A,
                                    .output = LEVY_NORMALS_WORD,
                                    .n_dimensions = D,
                                    .first_dimension = FIRST,
                                    .count = COUNT};
    generate(&spec, SKIP, N, words, N + 3);
    for (uint32_t d = 0; d < COUNT; ++d)
        for (uint32_t i = 0; i < N; ++i)
            assert_int_equal(words[d * (N + 3) + i], draws[(SKIP + i) * D + FIRST + d]);
}

/* cuRAND's host generators of Sobol points run without a GPU. */
static void test_sobol_words_are_those_of_curand(void **state)
{
    (void)state;
    enum { N = 4096, D = 100, QUASI_SOBOL32 = 201 };
    static uint32_t wanted[D * N], words[D * N];
    void *library = dlopen("libcurand.so.10", RTLD_NOW | RTLD_NODELETE);
    if (!library)
        library = dlopen("/usr/local/cuda/lib64/libcurand.so.10", RTLD_NOW | RTLD_NODELETE);
    if (!library) {
        print_message("skipped: no libcurand\n");
        skip();
    }
    int (*create)(void **, int), (*dimensions)(void *, unsigned),
        (*run)(void *, unsigned *, size_t), (*destroy)(void *);
    *(void **)&create = dlsym(library, "curandCreateGeneratorHost");
    *(void **)&dimensions = dlsym(library, "curandSetQuasiRandomGeneratorDimensions");
    *(void **)&run = dlsym(library, "curandGenerate");
    *(void **)&destroy = dlsym(library, "curandDestroyGenerator");
    void *generator;
    assert_int_equal(create(&generator, QUASI_SOBOL32), 0);
    assert_int_equal(dimensions(generator, D), 0);
    assert_int_equal(run(generator, wanted, D * N), 0);
    assert_int_equal(destroy(generator), 0);
    const levy_normals_spec spec = {
        .generator = LEVY_NORMALS_SOBOL, .output = LEVY_NORMALS_WORD, .n_dimensions = D};
    generate(&spec, 0, N, words, 0);
    assert_memory_equal(words, wanted, sizeof words);
}

/* ---- Splits, threads, instruction sets ------------------------------------------------------- */

static const size_t number_bytes[2][3] = {{8, 8, 4}, {4, 4, 4}};

/* Whole, and in pieces with another number of threads, into rows with a margin. */
static void check_split(const levy_normals_spec *given, const char *isa)
{
    enum { N = 2500, D = 70, STRIDE = N + 5, FIRST = 1021, MARK = 0x5a };
    static const size_t cuts[] = {0, 1, 3, 1027, 2051, N};
    static char whole[D * STRIDE * 8], pieces[D * STRIDE * 8];
    const size_t size = number_bytes[given->precision][given->output];
    levy_normals_spec spec = *given;
    spec.n_dimensions = D + 3;
    spec.first_dimension = 3;
    spec.threads = 1;
    memset(whole, MARK, sizeof whole);
    memset(pieces, MARK, sizeof pieces);
    generate(&spec, FIRST, N, whole, STRIDE);
    spec.threads = 3;
    spec.isa = isa;
    for (uint32_t d = 0; d < D; d += 35)
        for (size_t k = 0; cuts[k] < N; ++k) {
            spec.first_dimension = 3 + d;
            spec.count = 35;
            generate(&spec, FIRST + cuts[k], cuts[k + 1] - cuts[k],
                     pieces + (d * (size_t)STRIDE + cuts[k]) * size, STRIDE);
        }
    assert_memory_equal(whole, pieces, sizeof whole);
    for (size_t i = N * size; i < STRIDE * size; ++i) assert_int_equal(whole[i], MARK);
}

static void test_bits_do_not_depend_on_the_split(void **state)
{
    (void)state;
    for (int generator = 0; generator < 4; ++generator)
        for (int precision = 0; precision < 2; ++precision)
            for (int output = 0; output < 3; ++output)
                check_split(&(levy_normals_spec){.generator = generator,
                                                 .output = output,
                                                 .precision = precision,
                                                 .seed = 5,
                                                 .replicate = 1},
                            precision && output == LEVY_NORMALS_NORMAL ? "auto" : LEVY_TEST_ISA);
}

static void test_uniforms_and_normals_are_those_of_the_words(void **state)
{
    (void)state;
    enum { N = 3000 };
    static uint32_t words[N];
    static double values[N];
    static float singles[N];
    levy_normals_spec spec = {
        .generator = LEVY_NORMALS_PHILOX, .output = LEVY_NORMALS_WORD, .n_dimensions = 1};
    generate(&spec, 0, N, words, 0);
    spec.output = LEVY_NORMALS_UNIFORM;
    generate(&spec, 0, N, values, 0);
    for (int i = 0; i < N; ++i) assert_true(values[i] == ((double)words[i] + 0.5) * 0x1p-32);
    spec.precision = LEVY_NORMALS_SINGLE;
    generate(&spec, 0, N, singles, 0);
    for (int i = 0; i < N; ++i)
        assert_true(fabs((double)singles[i] - values[i]) <= 0x1p-24 * values[i] + 0x1p-33);
    spec.output = LEVY_NORMALS_NORMAL;
    generate(&spec, 0, N, singles, 0);
    for (int i = 0; i < N; ++i)
        assert_true(fabs(normal_cdf((double)singles[i]) - values[i]) < 1e-6);
    spec.precision = LEVY_NORMALS_DOUBLE;
    double z[N];
    generate(&spec, 0, N, z, 0);
    for (int i = 0; i < N; ++i) assert_true(fabs(normal_cdf(z[i]) - values[i]) < 1e-15);
}

/* ---- What levy_price draws ------------------------------------------------------------------- */

enum { PRICE_PATHS = 4096, PRICE_DATES = 8 };

static const char price_book[] =
    "schema_version: 1\n"
    "market:\n"
    "  curves: {USD: 0.03}\n"
    "  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n"
    "models: {bs: {kind: black_scholes, assets: [A]}}\n"
    "trades:\n"
    "  - id: t\n"
    "    model: bs\n"
    "    underlying: A\n"
    "    currency: USD\n"
    "    discount_curve: USD\n"
    "    payoff: {kind: asian, option_type: call, strike: 100,\n"
    "             averaging: {method: arithmetic, observations: {count: 8}}}\n"
    "    exercise: {style: european, expiry: 2}\n"
    "simulation: {paths: %u, replicates: %u, seed: 11, generator: %s, construction: %s}\n";

static double price_of_book(const char *generator, const char *construction, uint32_t replicates)
{
    char text[sizeof price_book + 64];
    snprintf(text, sizeof text, price_book, (unsigned)(replicates * PRICE_PATHS),
             (unsigned)replicates, generator, construction);
    levy_book *book;
    levy_results *results;
    const int loaded = levy_book_load_text(context, "book", text, strlen(text), NULL, 0, &book);
    for (size_t i = 0; loaded && i < levy_diagnostic_count(context); ++i)
        print_error("%s\n", levy_diagnostic_get(context, i)->message);
    assert_int_equal(loaded, LEVY_STATUS_OK);
    const levy_price_options how = {.struct_size = sizeof how};
    assert_int_equal(levy_price(book, &how, &results), LEVY_STATUS_OK);
    const double price = levy_results_trade(results, 0)->price;
    levy_results_destroy(results);
    levy_book_destroy(book);
    return price;
}

/* The Asian of the book from arrays: normals, the bridge (or sums), the payoff. */
static double price_of_arrays(int generator, bool bridged, uint32_t replicates)
{
    static double normals[PRICE_DATES * PRICE_PATHS], paths[PRICE_DATES * PRICE_PATHS];
    double times[PRICE_DATES + 1], sum = 0.0;
    uint32_t forward[PRICE_DATES];
    levy_bridge *bridge;
    for (int i = 0; i <= PRICE_DATES; ++i) times[i] = 0.25 * i;
    levy_bridge_order_forward(PRICE_DATES, forward);
    const levy_bridge_spec spec = {.struct_size = sizeof spec,
                                   .times = times,
                                   .order = bridged ? NULL : forward,
                                   .n_steps = PRICE_DATES};
    assert_int_equal(levy_bridge_create(context, &spec, &bridge), LEVY_STATUS_OK);
    for (uint32_t replicate = 0; replicate < replicates; ++replicate) {
        const levy_normals_spec from = {.generator = generator,
                                        .n_dimensions = PRICE_DATES,
                                        .seed = 11,
                                        .replicate = replicate};
        generate(&from, 0, PRICE_PATHS, normals, 0);
        assert_int_equal(levy_bridge_generate(bridge, normals, paths, PRICE_PATHS, 0, NULL),
                         LEVY_STATUS_OK);
        for (size_t p = 0; p < PRICE_PATHS; ++p) {
            double mean = 0.0;
            for (size_t i = 0; i < PRICE_DATES; ++i)
                mean += 100.0 *
                        exp((0.03 - 0.02) * times[i + 1] + 0.2 * paths[i * PRICE_PATHS + p]) /
                        PRICE_DATES;
            sum += mean > 100.0 ? mean - 100.0 : 0.0;
        }
    }
    levy_bridge_destroy(bridge);
    return exp(-0.06) * sum / (replicates * (double)PRICE_PATHS);
}

static void test_prices_come_from_the_same_numbers(void **state)
{
    (void)state;
    const struct {
        int generator;
        const char *name, *construction;
    } cases[] = {{LEVY_NORMALS_SOBOL_SCRAMBLED, "sobol_scrambled", "bridge"},
                 {LEVY_NORMALS_SOBOL_SCRAMBLED, "sobol_scrambled", "incremental"},
                 {LEVY_NORMALS_PHILOX, "philox", "incremental"},
                 {LEVY_NORMALS_MRG32K3A, "mrg32k3a", "incremental"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        /* pseudo-random points have one replicate */
        const uint32_t replicates = cases[i].generator == LEVY_NORMALS_SOBOL_SCRAMBLED ? 2 : 1;
        const bool bridged = strcmp(cases[i].construction, "bridge") == 0;
        const double wanted = price_of_book(cases[i].name, cases[i].construction, replicates),
                     price = price_of_arrays(cases[i].generator, bridged, replicates);
        if (fabs(price - wanted) > 1e-12 * wanted)
            print_error("%s: %.17g, levy_price %.17g\n", cases[i].name, price, wanted);
        assert_true(fabs(price - wanted) <= 1e-12 * wanted);
    }
}

/* ---- Paths ----------------------------------------------------------------------------------- */

enum { STEPS = 20, ASSETS = 3, ROWS = STEPS * ASSETS, SOME = 1700, FROM = 33 };

typedef struct paths_setting {
    int generator, single, output, exponential;
    const double *drift;
} paths_setting;

static const double paths_factor[] = {0.25, 0.0, 0.0, 0.125, 0.5, 0.0, 0.0625, 0.25, 0.375};

static void paths_specs(const paths_setting *s, levy_bridge_spec *bridge, levy_paths_spec *spec)
{
    static double times[STEPS + 1];
    for (int i = 0; i <= STEPS; ++i) times[i] = 0.125 * i;
    *bridge = (levy_bridge_spec){.struct_size = sizeof *bridge,
                                 .times = times,
                                 .factor = paths_factor,
                                 .n_steps = STEPS,
                                 .n_dimensions = ASSETS,
                                 .output = s->output,
                                 .precision = s->single};
    *spec = (levy_paths_spec){.struct_size = sizeof *spec,
                              .bridge = bridge,
                              .drift = s->drift,
                              .exponential = s->exponential,
                              .generator = s->generator,
                              .replicate = 2,
                              .seed = 5};
}

static void make_paths(const paths_setting *s, uint32_t threads, uint64_t first, size_t n,
                       void *output, size_t stride)
{
    levy_bridge_spec bridge;
    levy_paths_spec spec;
    levy_paths *paths;
    paths_specs(s, &bridge, &spec);
    bridge.threads = threads;
    assert_int_equal(levy_paths_create(context, &spec, &paths), LEVY_STATUS_OK);
    assert_int_equal(levy_paths_info(paths)->count, ROWS);
    assert_int_equal(levy_paths_generate(paths, first, n, output, stride, NULL), LEVY_STATUS_OK);
    levy_paths_destroy(paths);
}

/* Normals, then the bridge. */
static void chain(const paths_setting *s, void *output)
{
    static double normals[ROWS * SOME];
    levy_bridge_spec spec;
    levy_paths_spec unused;
    levy_bridge *bridge;
    paths_specs(s, &spec, &unused);
    generate(&(levy_normals_spec){.generator = s->generator,
                                  .precision = s->single,
                                  .n_dimensions = ROWS,
                                  .replicate = 2,
                                  .seed = 5},
             FROM, SOME, normals, 0);
    assert_int_equal(levy_bridge_create(context, &spec, &bridge), LEVY_STATUS_OK);
    assert_int_equal(levy_bridge_generate(bridge, normals, output, SOME, 0, NULL), LEVY_STATUS_OK);
    levy_bridge_destroy(bridge);
}

static void test_paths_are_normals_through_the_bridge(void **state)
{
    (void)state;
    static char wanted[ROWS * SOME * 8], whole[ROWS * SOME * 8], pieces[ROWS * SOME * 8];
    static const size_t cuts[] = {0, 1, 700, SOME};
    for (int generator = 0; generator < 4; ++generator)
        for (int i = 0; i < 4; ++i) {
            const paths_setting s = {.generator = generator, .single = i & 1, .output = i >> 1};
            const size_t size = s.single ? 4 : 8;
            chain(&s, wanted);
            make_paths(&s, 1, FROM, SOME, whole, 0);
            assert_memory_equal(wanted, whole, ROWS * SOME * size);
            for (size_t k = 0; cuts[k] < SOME; ++k)
                make_paths(&s, 3, FROM + cuts[k], cuts[k + 1] - cuts[k], pieces + cuts[k] * size,
                           SOME);
            assert_memory_equal(wanted, pieces, ROWS * SOME * size);
        }
}

static void test_spots_are_exponentials_of_drifted_drivers(void **state)
{
    (void)state;
    static double drivers[ROWS * SOME], spots[ROWS * SOME], drift[ROWS];
    static float singles[ROWS * SOME];
    for (int i = 0; i < ROWS; ++i) drift[i] = 4.5 - 0.01 * i;
    paths_setting s = {.generator = LEVY_NORMALS_SOBOL_SCRAMBLED};
    make_paths(&s, 0, FROM, SOME, drivers, 0);
    s.drift = drift;
    s.exponential = 1;
    make_paths(&s, 0, FROM, SOME, spots, 0);
    s.single = 1;
    make_paths(&s, 0, FROM, SOME, singles, 0);
    for (size_t i = 0; i < ROWS * SOME; ++i) {
        const double wanted = exp(drivers[i] + drift[i / SOME]);
        assert_true(fabs(spots[i] - wanted) <= 1e-15 * wanted);
        assert_true(fabs((double)singles[i] - wanted) <= 2e-5 * wanted);
    }
}

static void paths_refused(const paths_setting *s, const char *member,
                          void (*spoil)(levy_bridge_spec *, levy_paths_spec *))
{
    levy_bridge_spec bridge;
    levy_paths_spec spec;
    levy_paths *paths = (levy_paths *)&spec;
    paths_specs(s, &bridge, &spec);
    if (spoil) spoil(&bridge, &spec);
    assert_int_equal(levy_paths_create(context, &spec, &paths), LEVY_STATUS_ARGUMENT);
    assert_null(paths);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, member);
}

static void no_bridge(levy_bridge_spec *b, levy_paths_spec *s) { (void)b, s->bridge = NULL; }
static void no_size(levy_bridge_spec *b, levy_paths_spec *s) { (void)s, b->struct_size = 1; }
static void no_times(levy_bridge_spec *b, levy_paths_spec *s) { (void)s, b->times = NULL; }
static void no_generator(levy_bridge_spec *b, levy_paths_spec *s) { (void)b, s->generator = 9; }

static void test_invalid_paths_are_refused(void **state)
{
    (void)state;
    double drift[ROWS] = {0.0};
    const paths_setting plain = {0},
                        increments = {.output = LEVY_BRIDGE_INCREMENTS, .drift = drift},
                        exponential = {.output = LEVY_BRIDGE_INCREMENTS, .exponential = 1},
                        drifting = {.drift = drift};
    paths_refused(&plain, "bridge", no_bridge);
    paths_refused(&plain, "bridge.struct_size", no_size);
    paths_refused(&plain, "times", no_times);
    paths_refused(&plain, "generator", no_generator);
    paths_refused(&increments, "drift", NULL);
    paths_refused(&exponential, "exponential", NULL);
    drift[7] = NAN;
    paths_refused(&drifting, "drift", NULL);
    levy_paths_destroy(NULL);
    assert_null(levy_paths_info(NULL));
    assert_int_equal(levy_paths_generate(NULL, 0, 1, drift, 0, NULL), LEVY_STATUS_ARGUMENT);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void normals_refused(levy_normals_spec spec, const char *member)
{
    levy_normals *normals = (levy_normals *)&spec;
    if (spec.struct_size == 0) spec.struct_size = sizeof spec;
    assert_int_equal(levy_normals_create(context, &spec, &normals), LEVY_STATUS_ARGUMENT);
    assert_null(normals);
    assert_int_equal(levy_diagnostic_count(context), 1);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, member);
}

static void test_invalid_specifications_are_refused(void **state)
{
    (void)state;
    normals_refused((levy_normals_spec){.n_dimensions = 0}, "n_dimensions");
    normals_refused((levy_normals_spec){.n_dimensions = 21202}, "n_dimensions");
    normals_refused((levy_normals_spec){.generator = LEVY_NORMALS_PHILOX, .n_dimensions = 1048577},
                    "n_dimensions");
    normals_refused((levy_normals_spec){.n_dimensions = 3, .first_dimension = 3},
                    "first_dimension");
    normals_refused((levy_normals_spec){.n_dimensions = 3, .first_dimension = 1, .count = 3},
                    "count");
    normals_refused((levy_normals_spec){.n_dimensions = 3, .generator = 8}, "generator");
    normals_refused((levy_normals_spec){.n_dimensions = 3, .generator = -1}, "generator");
    normals_refused((levy_normals_spec){.n_dimensions = 3, .output = 3}, "output");
    normals_refused((levy_normals_spec){.n_dimensions = 3, .precision = 2}, "precision");
    normals_refused((levy_normals_spec){.n_dimensions = 3, .replicate = UINT32_MAX}, "replicate");
    normals_refused((levy_normals_spec){.n_dimensions = 3, .device = "gpu"}, "device");
    normals_refused((levy_normals_spec){.n_dimensions = 3, .isa = "mmx"}, "device");
    normals_refused((levy_normals_spec){.n_dimensions = 3, .struct_size = 3}, "struct_size");
}

/* What lies behind the end of its struct is not the caller's: it counts as absent. */
static void test_a_caller_may_have_an_older_header(void **state)
{
    levy_normals *normals;
    const levy_normals_spec spec = {.struct_size = offsetof(levy_normals_spec, net),
                                    .n_dimensions = 2,
                                    .net = (const levy_net_spec *)&normals};
    (void)state;
    assert_int_equal(levy_normals_create(context, &spec, &normals), LEVY_STATUS_OK);
    assert_int_equal(levy_normals_info(normals)->count, 2);
    levy_normals_destroy(normals);
}

static void test_invalid_calls_are_refused(void **state)
{
    (void)state;
    double output[8] = {0.0};
    const levy_normals_spec spec = {.struct_size = sizeof spec, .n_dimensions = 2};
    levy_normals *n;
    assert_int_equal(levy_normals_create(context, &spec, &n), LEVY_STATUS_OK);
    assert_int_equal(levy_normals_info(n)->number_bytes, 8);
    assert_int_equal(levy_normals_generate(n, 0, 4, NULL, 0, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_normals_generate(n, 0, 4, output, 3, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_normals_generate(n, 0, 4, (char *)output + 4, 0, NULL),
                     LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_normals_generate(n, 4294967295, 2, output, 0, NULL),
                     LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_normals_generate(n, UINT64_MAX, 2, output, 0, NULL),
                     LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_normals_generate(n, 0, 4, output, SIZE_MAX / 4, NULL),
                     LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_normals_generate(NULL, 0, 4, output, 0, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_normals_generate(n, 4294967295, 1, output, 0, NULL), LEVY_STATUS_OK);
    assert_int_equal(levy_normals_generate(n, UINT64_MAX, 0, output, 0, NULL), LEVY_STATUS_OK);
    levy_normals_destroy(n);
    levy_normals_destroy(NULL);
    assert_null(levy_normals_info(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_of_sobol_points),
        cmocka_unit_test(test_words_of_philox),
        cmocka_unit_test(test_words_of_mrg32k3a),
        cmocka_unit_test(test_sobol_words_are_those_of_curand),
        cmocka_unit_test(test_bits_do_not_depend_on_the_split),
        cmocka_unit_test(test_uniforms_and_normals_are_those_of_the_words),
        cmocka_unit_test(test_prices_come_from_the_same_numbers),
        cmocka_unit_test(test_invalid_specifications_are_refused),
        cmocka_unit_test(test_a_caller_may_have_an_older_header),
        cmocka_unit_test(test_invalid_calls_are_refused),
        cmocka_unit_test(test_paths_are_normals_through_the_bridge),
        cmocka_unit_test(test_spots_are_exponentials_of_drifted_drivers),
        cmocka_unit_test(test_invalid_paths_are_refused),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
