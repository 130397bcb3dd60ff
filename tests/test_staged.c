/* test_staged.c: a staged run prices from numbers that lie in memory. levy's own have the bits of a
 * fused run; cuRAND's are held against the library itself; a program's normals, given as levy
 * would draw them, give levy's price; what cannot be staged is refused in words. */
#include "tests/cmocka_all.h"

#include "engine/levy.h"
#include "engine/run/curand.h"
#include "kernels/points/sobol_tables.h"
#include "tests/context_fixture.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char book_text[] =
    "schema_version: 1\n"
    "market:\n"
    "  curves: {USD: 0.05}\n"
    "  assets:\n"
    "    A: {currency: USD, spot: 100, volatility: 0.2}\n"
    "    B: {currency: USD, spot: 50, volatility: 0.3}\n"
    "  correlations: {names: [A.spot, B.spot], matrix: [[1, 0.5], [0.5, 1]]}\n"
    "models:\n"
    "  bs: {kind: black_scholes, assets: [A, B]}\n"
    "  jumping: {kind: merton, assets: [A], intensity: 3, jump_mean: -0.1, "
    "jump_volatility: 0.15}\n"
    "trades:\n"
    "  - {id: t, model: %s, underlying%s, payoff: {kind: asian, option_type: call, strike: 100, "
    "averaging: {method: arithmetic, observations: {count: 8}}}, exercise: {style: european, "
    "expiry: 1}}\n"
    "measures: [%s]\n"
    "simulation: {%s}\n";

typedef struct priced {
    int status;
    double price, std_error, delta;
    uint64_t plan_hash;
    char generator[32], level[4], message[512];
} priced;

/* NULL: refused, and the diagnostics say why. */
static levy_book *load_staged(const char *model, const char *measures, const char *simulation)
{
    static char text[sizeof book_text + 256];
    levy_book *book = NULL;
    snprintf(text, sizeof text, book_text, model, strcmp(model, "both") ? ": A" : "s: [A, B]",
             measures, simulation);
    if (levy_book_load_text(context, "book.yaml", text, strlen(text), NULL, 0, &book))
        levy_book_destroy(book), book = NULL;
    return book;
}

static priced price_by(levy_book *book, const levy_price_options *how)
{
    levy_results *results = NULL;
    priced p = {.status = levy_price(book, how, &results)};
    if (levy_diagnostic_count(context) > 0)
        snprintf(p.message, sizeof p.message, "%s", levy_diagnostic_get(context, 0)->message);
    if (!results) return p;
    const levy_trade_result *const trade = levy_results_trade(results, 0);
    p.price = trade->price;
    p.std_error = trade->std_error;
    p.plan_hash = trade->plan_hash;
    for (size_t i = 0; i < trade->n_measures; ++i)
        if (strcmp(trade->measures[i].measure, "delta") == 0) p.delta = trade->measures[i].value;
    snprintf(p.generator, sizeof p.generator, "%s", trade->generator);
    snprintf(p.level, sizeof p.level, "%s", trade->reproducibility);
    levy_results_destroy(results);
    return p;
}

static priced price_model(const char *model, const char *simulation, uint64_t batch_blocks)
{
    const levy_price_options how = {
        .struct_size = sizeof how, .device = "cpu", .batch_blocks = batch_blocks};
    levy_book *const book = load_staged(model, "price, delta", simulation);
    assert_non_null(book);
    const priced p = price_by(book, &how);
    levy_book_destroy(book);
    return p;
}

static void assert_same_price(const priced *a, const priced *b)
{
    assert_int_equal(a->status, LEVY_STATUS_OK);
    assert_int_equal(b->status, LEVY_STATUS_OK);
    assert_memory_equal(&a->price, &b->price, sizeof a->price);
    assert_memory_equal(&a->delta, &b->delta, sizeof a->delta);
    assert_memory_equal(&a->std_error, &b->std_error, sizeof a->std_error);
}

/* Partial blocks, several replicates, all generators, constructions and precisions. */
static void test_staged_has_the_bits_of_fused(void **state)
{
    static const char *const simulations[] = {
        "paths: 2^15, replicates: 4",
        "paths: 2^12, replicates: 16",
        "paths: 2^13, generator: sobol, construction: pca",
        "paths: 9001, generator: philox",
        "paths: 9001, generator: mrg32k3a",
        "paths: 9001, generator: mrg32k3a, construction: incremental",
        "paths: 9001, generator: philox, precision: single",
        "paths: 2^13, replicates: 2, precision: mixed",
        "paths: 2^13, replicates: 2, precision: single",
        "tolerance: {absolute: 0.05}"};
    static const char *const models[] = {"bs", "jumping"};
    (void)state;
    for (size_t i = 0; i < sizeof simulations / sizeof *simulations; ++i)
        for (size_t m = 0; m < 2; ++m) {
            char staged[160];
            snprintf(staged, sizeof staged, "%s, pipeline: staged", simulations[i]);
            const priced fused = price_model(models[m], simulations[i], 0),
                         once = price_model(models[m], staged, 0),
                         parts = price_model(models[m], staged, 1);
            assert_same_price(&fused, &once);
            assert_same_price(&fused, &parts);
            assert_true(once.plan_hash == parts.plan_hash && once.plan_hash != fused.plan_hash);
            assert_string_equal(once.level, fused.level);
        }
}

/* ---- cuRAND ---------------------------------------------------------------------------------- */

static const levy_curand_calls *curand_or_skip(void)
{
    char why[512];
    const levy_curand_calls *calls;
    if (levy_curand_load(&calls, why) == LEVY_OK) return calls;
    assert_non_null(strstr(why, "cuRAND"));
    print_message("skipped: %s\n", why);
    skip();
    return NULL;
}

static void test_curand_sobol_prices_as_sobol(void **state)
{
    (void)state;
    curand_or_skip();
    const priced own = price_model("bs", "paths: 2^14, generator: sobol", 0),
                 its = price_model("bs", "paths: 2^14, generator: curand_sobol", 0),
                 jumps = price_model("jumping", "paths: 2^14, generator: sobol", 0),
                 its_jumps = price_model("jumping", "paths: 2^14, generator: curand_sobol", 3);
    assert_memory_equal(&own.price, &its.price, sizeof own.price);
    assert_memory_equal(&jumps.price, &its_jumps.price, sizeof jumps.price);
    assert_string_equal(its.generator, "curand_sobol");
    assert_string_equal(its.level, "R1");
    assert_true(own.plan_hash != its.plan_hash);
}

static void test_curand_prices_near_levy(void **state)
{
    static const char *const generators[] = {"curand_scrambled_sobol", "curand_mrg32k3a"};
    (void)state;
    curand_or_skip();
    const priced own = price_model("bs", "paths: 2^18", 0);
    for (size_t i = 0; i < (LEVY_SANITIZED ? 1 : 2); ++i) {
        char simulation[96];
        snprintf(simulation, sizeof simulation, "paths: 2^15, generator: %s", generators[i]);
        const priced its = price_model("bs", simulation, 0),
                     parts = price_model("bs", simulation, 3);
        assert_same_price(&its, &parts);
        assert_string_equal(its.generator, generators[i]);
        assert_true(its.std_error > 0.0);
        assert_true(fabs(its.price - own.price) < 4.5 * (its.std_error + own.std_error));
    }
    const priced its = price_model("bs", "paths: 2^15, generator: curand_scrambled_sobol", 0),
                 seven = price_model("bs",
                                     "paths: 2^15, generator: curand_scrambled_sobol, seed: 7", 0);
    assert_true(its.price != seven.price && its.plan_hash != seven.plan_hash);
}

/* ---- As arrays ---- */

enum { ROWS = 3, POINTS = 9000, FROM = 4000 };

static void made(int generator, int output, uint32_t first, uint64_t from, size_t n, void *to,
                 size_t stride)
{
    levy_normals *normals;
    const levy_normals_spec spec = {.struct_size = sizeof spec,
                                    .generator = generator,
                                    .output = output,
                                    .n_dimensions = ROWS,
                                    .first_dimension = first,
                                    .seed = 5,
                                    .replicate = 2,
                                    .device = "cpu"};
    assert_int_equal(levy_normals_create(context, &spec, &normals), LEVY_STATUS_OK);
    assert_int_equal(levy_normals_generate(normals, from, n, to, stride, NULL), LEVY_STATUS_OK);
    levy_normals_destroy(normals);
}

/* Words are the library's: unscrambled as they are, scrambled but for one shift a row, and of
 * mrg32k3a block by block. Any run of points and dimensions gives the same numbers. */
static void test_words_of_curand_as_arrays(void **state)
{
    static const int32_t kinds[] = {LEVY_CURAND_SOBOL, LEVY_CURAND_SCRAMBLED_SOBOL,
                                    LEVY_CURAND_MRG32K3A};
    static uint32_t all[ROWS][POINTS], part[ROWS][POINTS], its[ROWS * POINTS + 8192];
    const levy_curand_calls *const calls = curand_or_skip();
    char why[512];
    (void)state;
    /* to start mrg32k3a takes cuRAND seconds, in which a sanitizer sees nothing */
    for (int k = 0; k < (LEVY_SANITIZED ? 2 : 3); ++k) {
        const int generator = LEVY_NORMALS_CURAND_SOBOL + k;
        levy_curand curand;
        made(generator, LEVY_NORMALS_WORD, 0, 0, POINTS, all, 0);
        made(generator, LEVY_NORMALS_WORD, 1, FROM, 300, part, POINTS);
        for (uint32_t d = 1; d < ROWS; ++d)
            assert_memory_equal(part[d - 1], &all[d][FROM], 300 * sizeof part[0][0]);
        assert_int_equal(levy_curand_open(calls, kinds[k], ROWS,
                                          levy_points_key(5, 2, LEVY_PURPOSE_PRICE), false, &curand,
                                          why),
                         LEVY_OK);
        assert_int_equal(levy_curand_words(&curand, 0, k == 2 ? ROWS * 2 * 4096 : POINTS, its, why),
                         LEVY_OK);
        levy_curand_close(&curand);
        for (uint32_t d = 0; d < ROWS; ++d)
            for (size_t p = 0; p < (k == 2 ? 8192 : POINTS); ++p) {
                const size_t at =
                    k == 2 ? (p / 4096 * ROWS + d) * 4096 + p % 4096 : d * (size_t)POINTS + p;
                const uint32_t shift = k == 1 ? all[d][0] ^ its[d * POINTS] : 0;
                assert_int_equal(all[d][p], its[at] ^ shift);
            }
    }
    assert_true(all[0][0] != all[1][0]);
}

static void test_normals_of_curand_as_arrays(void **state)
{
    static double own[ROWS][POINTS], its[ROWS][POINTS];
    (void)state;
    curand_or_skip();
    made(LEVY_NORMALS_SOBOL, LEVY_NORMALS_NORMAL, 0, 77, POINTS, own, 0);
    made(LEVY_NORMALS_CURAND_SOBOL, LEVY_NORMALS_NORMAL, 0, 77, POINTS, its, 0);
    assert_memory_equal(own, its, sizeof own);
    levy_normals_spec spec = {.struct_size = sizeof spec,
                              .generator = LEVY_NORMALS_CURAND_SOBOL,
                              .n_dimensions = 20001,
                              .device = "cpu"};
    levy_normals *normals;
    assert_int_equal(levy_normals_create(context, &spec, &normals), LEVY_STATUS_ARGUMENT);
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->message, "1 to 20000"));
    spec = (levy_normals_spec){.struct_size = sizeof spec,
                               .generator = LEVY_NORMALS_CURAND_MRG32K3A,
                               .n_dimensions = 4096,
                               .device = "cpu"};
    assert_int_equal(levy_normals_create(context, &spec, &normals), LEVY_STATUS_OK);
    assert_true(levy_normals_info(normals)->most_points == (uint64_t)1 << 51);
    levy_normals_destroy(normals);
    const double times[] = {0.0, 1.0};
    const levy_bridge_spec bridge = {
        .struct_size = sizeof bridge, .times = times, .n_steps = 1, .device = "cpu"};
    const levy_paths_spec chain = {
        .struct_size = sizeof chain, .bridge = &bridge, .generator = LEVY_NORMALS_CURAND_SOBOL};
    levy_paths *paths;
    assert_int_not_equal(levy_paths_create(context, &chain, &paths), LEVY_STATUS_OK);
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->message, "levy's own generators"));
}

typedef struct fake_curand {
    int fails; /* the call that fails, counted from 1 */
    int calls, open;
} fake_curand;
static fake_curand fake;

static int fake_call(void) { return ++fake.calls == fake.fails ? 102 : 0; }
static int fake_create(void **generator, int kind)
{
    (void)kind;
    if (fake_call()) return 102;
    ++fake.open;
    *generator = &fake;
    return 0;
}
static int fake_destroy(void *generator)
{
    (void)generator;
    --fake.open;
    return 0;
}
static int fake_number(void *generator, unsigned n)
{
    return (void)generator, (void)n, fake_call();
}
static int fake_long(void *generator, unsigned long long n)
{
    return (void)generator, (void)n, fake_call();
}
static int fake_generate(void *generator, uint32_t *words, size_t n)
{
    (void)generator;
    memset(words, 0, n * sizeof *words);
    return fake_call();
}

/* Whichever call fails, the next ones are not made, and what was opened is closed. */
static void test_curand_fails_in_words(void **state)
{
    static const levy_curand_calls calls = {.create = fake_create,
                                            .destroy = fake_destroy,
                                            .set_dimensions = fake_number,
                                            .set_seed = fake_long,
                                            .set_offset = fake_long,
                                            .generate = fake_generate};
    static const int32_t kinds[] = {LEVY_CURAND_SOBOL, LEVY_CURAND_MRG32K3A};
    (void)state;
    for (size_t k = 0; k < 2; ++k)
        for (int fails = 1; fails <= 5; ++fails) {
            char why[512] = "";
            uint32_t words[64];
            levy_curand curand;
            fake = (fake_curand){.fails = fails};
            levy_status status = levy_curand_open(&calls, kinds[k], 4, 1, false, &curand, why);
            if (status == LEVY_OK) status = levy_curand_words(&curand, 8, 16, words, why);
            levy_curand_close(&curand);
            assert_int_equal(status, fails <= 4 ? LEVY_MEMORY : LEVY_OK);
            assert_int_equal(fake.calls, fails <= 4 ? fails : 4);
            assert_int_equal(fake.open, 0);
            if (fails <= 4) assert_non_null(strstr(why, "cuRAND failed at"));
        }
}

/* ---- A program's normals --------------------------------------------------------------------- */

typedef struct giver {
    levy_normals *normals;
    int calls, fails;
    bool spoils, idle;
    uint32_t dimensions;
} giver;

static int give(void *user, const levy_normals_request *request)
{
    giver *const g = user;
    ++g->calls;
    g->dimensions = request->n_dimensions;
    if (g->fails || g->idle) return g->fails;
    const int status = levy_normals_generate(g->normals, request->first_path, request->n_paths,
                                             request->output, request->stride, NULL);
    if (g->spoils) request->output[request->stride + 5] = NAN;
    return status;
}

static giver sobol_giver(uint32_t dimensions)
{
    const levy_normals_spec spec = {.struct_size = sizeof spec,
                                    .generator = LEVY_NORMALS_SOBOL,
                                    .n_dimensions = dimensions,
                                    .device = "cpu"};
    giver g = {0};
    assert_int_equal(levy_normals_create(context, &spec, &g.normals), LEVY_STATUS_OK);
    return g;
}

static priced price_given(giver *g, const char *model, const char *simulation)
{
    const levy_price_options how = {
        .struct_size = sizeof how, .device = "cpu", .normals = give, .normals_user = g};
    levy_book *const book = load_staged(model, "price, delta", simulation);
    assert_non_null(book);
    const priced p = price_by(book, &how);
    levy_book_destroy(book);
    return p;
}

static void test_given_normals_price_as_drawn_ones(void **state)
{
    static const char *const constructions[] = {"bridge", "incremental", "pca"};
    (void)state;
    giver g = sobol_giver(8);
    for (size_t i = 0; i < 3; ++i) {
        char given[96], drawn[96];
        snprintf(given, sizeof given, "paths: 2^14, generator: given, construction: %s",
                 constructions[i]);
        snprintf(drawn, sizeof drawn, "paths: 2^14, generator: sobol, construction: %s",
                 constructions[i]);
        const priced its = price_given(&g, "bs", given), own = price_model("bs", drawn, 0);
        assert_int_equal(g.dimensions, 8);
        assert_memory_equal(&its.price, &own.price, sizeof its.price);
        assert_string_equal(its.generator, "given");
        assert_string_equal(its.level, "R1");
        /* one sample of independent paths has an error */
        assert_true(its.std_error > 0.0);
    }
    const priced single = price_given(&g, "bs", "paths: 2^14, generator: given, precision: single"),
                 own = price_model("bs", "paths: 2^14, generator: sobol, precision: single", 0);
    assert_true(fabs(single.price - own.price) < 1e-5 * own.price);
    const priced four = price_given(&g, "bs", "paths: 2^14, generator: given, replicates: 4");
    /* the giver gives the same four times, so that nothing shows an error */
    assert_true(isnan(four.std_error));
    levy_normals_destroy(g.normals);
}

static void test_given_normals_that_are_not_there(void **state)
{
    static const char given[] = "paths: 2^13, generator: given";
    const levy_price_options none = {.struct_size = sizeof none, .device = "cpu"};
    (void)state;
    giver g = sobol_giver(8);
    levy_book *book = load_staged("bs", "price", given);
    priced p = price_by(book, &none);
    assert_true(isnan(p.price));
    assert_non_null(strstr(p.message, "this one gives none"));
    const levy_price_options kept = {.struct_size = sizeof kept,
                                     .device = "cpu",
                                     .normals = give,
                                     .normals_user = &g,
                                     .journal = "/tmp/levy-given-journal"};
    p = price_by(book, &kept);
    assert_int_equal(p.status, LEVY_STATUS_ARGUMENT);
    assert_non_null(strstr(p.message, "journal"));
    levy_book_destroy(book);
    g.fails = 3;
    p = price_given(&g, "bs", given);
    assert_non_null(strstr(p.message, "returned 3"));
    g.fails = 0;
    g.spoils = true;
    p = price_given(&g, "bs", given);
    assert_non_null(strstr(p.message, "normal (1, 5) of replicate 0"));
    g.spoils = false;
    g.idle = true; /* what is not filled is no number */
    p = price_given(&g, "bs", given);
    assert_non_null(strstr(p.message, "normal (0, 0) of replicate 0"));
    g.idle = false;
    p = price_given(&g, "bs", "paths: 2^13");
    assert_int_equal(p.status, LEVY_STATUS_ARGUMENT);
    assert_non_null(strstr(p.message, "given alone"));
    const int calls = g.calls;
    p = price_given(&g, "jumping", given);
    assert_non_null(strstr(p.message, "draws more than normals"));
    assert_int_equal(g.calls, calls);
    levy_normals_destroy(g.normals);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void test_what_cannot_be_staged_is_refused(void **state)
{
    static const struct {
        const char *simulation, *message;
    } cases[] = {{"generator: curand_sobol, pipeline: fused", "cannot make the numbers"},
                 {"generator: given, pipeline: fused", "cannot make the numbers"},
                 {"generator: curand_mrg32k3a, replicates: 4", "has one replicate"},
                 {"generator: curand_scrambled_sobol, paths: 1000", "power of two"},
                 {"generator: curand_scrambld_sobol", "curand_scrambld_sobol"},
                 {"generator: given, paths: 8, replicates: 16", "multiple of replicates (16)"},
                 {"generator: given, paths: 1000, replicates: 16", "multiple of replicates (16)"},
                 {"pipeline: stage", "stage"},
                 {"generator: {kind: curand_sobol, scrambling: shift}", "scrambling"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_null(load_staged("bs", "price", cases[i].simulation));
        const levy_diagnostic *const d = levy_diagnostic_get(context, 0);
        if (!strstr(d->message, cases[i].message) && !strstr(d->path, cases[i].message))
            print_error("%s: %s\n", d->path, d->message);
        assert_true(strstr(d->message, cases[i].message) || strstr(d->path, cases[i].message));
    }
}

static void test_studies_take_cuRAND_but_no_given_normals(void **state)
{
    levy_study *study = NULL;
    levy_study_options options = {.struct_size = sizeof options,
                                  .methods = "given+bridge",
                                  .points = "2^6..2^10",
                                  .replicates = 8,
                                  .has_reference = 1};
    levy_price_options how = {.struct_size = sizeof how, .device = "cpu"};
    (void)state;
    levy_book *const book = load_staged("bs", "price", "paths: 2^12");
    assert_int_equal(levy_converge(book, &options, &how, &study), LEVY_STATUS_ARGUMENT);
    assert_non_null(
        strstr(levy_diagnostic_get(context, 0)->message, "takes its normals from a program"));
    curand_or_skip();
    options.reference = price_model("bs", "paths: 2^18", 0).price;
    options.methods = "curand_scrambled_sobol+bridge,curand_sobol+pca";
    assert_int_equal(levy_converge(book, &options, &how, &study), LEVY_STATUS_OK);
    const levy_convergence *const c = levy_study_convergence(study);
    assert_int_equal(c->methods[0].replicates, 8);
    assert_int_equal(c->methods[1].replicates, 1);
    assert_string_equal(c->methods[1].generator, "curand_sobol");
    assert_true(c->methods[0].slope < -0.6);
    levy_study_destroy(study);
    levy_book_destroy(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_staged_has_the_bits_of_fused),
        cmocka_unit_test(test_curand_sobol_prices_as_sobol),
        cmocka_unit_test(test_curand_prices_near_levy),
        cmocka_unit_test(test_words_of_curand_as_arrays),
        cmocka_unit_test(test_normals_of_curand_as_arrays),
        cmocka_unit_test(test_curand_fails_in_words),
        cmocka_unit_test(test_given_normals_price_as_drawn_ones),
        cmocka_unit_test(test_given_normals_that_are_not_there),
        cmocka_unit_test(test_what_cannot_be_staged_is_refused),
        cmocka_unit_test(test_studies_take_cuRAND_but_no_given_normals),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
