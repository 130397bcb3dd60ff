/* test_point_sets.c: lattices, Halton's points and points of files: a word depends on its place
 * alone, points fill their cells, a smooth integral converges fast, texts and arrays are refused in
 * words, and books price and study them. Words against NumPy: test_point_sets.sh. */
#include "tests/net_files.h"

#include "engine/run/supply_set.h"
#include "kernels/points/point_set.h"
#include "kernels/points/sobol_tables.h"

#include <math.h>

/* ---- Words ---- */

enum { DIMENSIONS = 8 };

static void words_of(const levy_point_set *set, uint64_t replicate, uint64_t first, size_t n,
                     uint32_t *words)
{
    const levy_set_call call = {.key = levy_points_key(5, replicate, LEVY_PURPOSE_PRICE),
                                .replicate = replicate,
                                .randomised = true,
                                .n_dimensions = DIMENSIONS,
                                .first = first,
                                .n = n,
                                .stride = n,
                                .words = words};
    assert_int_equal(levy_set_words(set, &levy_memory_default, &call), LEVY_OK);
}

static const levy_point_set *const sets[] = {&levy_set_lattice, &levy_set_halton};

static void test_blocks_begin_anywhere(void **state)
{
    static const struct {
        uint64_t first;
        size_t n;
    } blocks[] = {{0, 1},
                  {1, 4095},
                  {4000, 7000},
                  {9999, 1},
                  {(uint64_t)1 << 20, 300},
                  {((uint64_t)1 << 32) - 40, 40}};
    static uint32_t all[DIMENSIONS * 20000], some[DIMENSIONS * 20000];
    (void)state;
    for (size_t s = 0; s < 2; ++s)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; ++b) {
            const size_t n = blocks[b].n;
            words_of(sets[s], 3, blocks[b].first, n, some);
            for (size_t i = 0; i<n; i += n> 50 ? n / 50 : 1) {
                words_of(sets[s], 3, blocks[b].first + i, 1, all);
                for (size_t d = 0; d < DIMENSIONS; ++d) assert_int_equal(some[d * n + i], all[d]);
            }
        }
}

static void test_threads_make_the_same_words(void **state)
{
    enum { POINTS = 100003 };
    static uint32_t one[DIMENSIONS * POINTS], many[DIMENSIONS * POINTS];
    (void)state;
    for (size_t s = 0; s < 2; ++s) {
        const levy_set_call call = {.key = levy_points_key(5, 1, LEVY_PURPOSE_PRICE),
                                    .randomised = true,
                                    .n_dimensions = DIMENSIONS,
                                    .first = 77,
                                    .n = POINTS,
                                    .stride = POINTS,
                                    .words = many};
        words_of(sets[s], 1, 77, POINTS, one);
        for (uint32_t threads = 1; threads <= 7; threads += 2) {
            memset(many, 0, sizeof many);
            assert_int_equal(levy_supply_set_words(sets[s], &levy_memory_default, &call, threads),
                             LEVY_OK);
            assert_memory_equal(many, one, sizeof many);
        }
    }
}

/* Each of base^m intervals has one of the first base^m points of a dimension, in every replicate.
 */
static void test_points_fill_their_cells(void **state)
{
    static const uint32_t primes[DIMENSIONS] = {2, 3, 5, 7, 11, 13, 17, 19};
    static uint32_t words[DIMENSIONS * 8192];
    static bool taken[8192];
    (void)state;
    for (size_t s = 0; s < 2; ++s)
        for (uint64_t r = 0; r < 3; ++r)
            for (size_t d = 0; d < DIMENSIONS; ++d) {
                const size_t base = s ? primes[d] : 2;
                size_t n = base;
                while (n * base <= 8192) n *= base;
                words_of(sets[s], r, s ? 5 * n : 0, n, words);
                memset(taken, 0, sizeof taken);
                for (size_t i = 0; i < n; ++i) {
                    /* a lattice's cells begin at its shift, which its first point is */
                    const uint32_t word = words[d * n + i] - (s ? 0 : words[d * n]);
                    const size_t cell = (size_t)(((uint64_t)word * n + (s ? n : 0)) >> 32);
                    assert_false(taken[cell]);
                    taken[cell] = true;
                }
            }
}

/* The RMSE over replicates of the mean of a product of 8 factors. Sobol's and these are below
 * n^(-5/6) at least, where independent points have n^(-1/2). */
static double rmse_of(const levy_point_set *set, size_t n)
{
    enum { REPLICATES = 32 };
    static uint32_t words[DIMENSIONS << 14];
    double square = 0.0;
    for (uint64_t r = 0; r < REPLICATES; ++r) {
        double sum = 0.0;
        words_of(set, r, 0, n, words);
        for (size_t i = 0; i < n; ++i) {
            double f = 1.0;
            for (size_t d = 0; d < DIMENSIONS; ++d) {
                const double x = ((double)words[d * n + i] + 0.5) * 0x1p-32;
                f *= 1.0 + (exp(x) - (exp(1.0) - 1.0)) / (double)((d + 1) * (d + 1));
            }
            sum += f - 1.0;
        }
        square += sum / (double)n * (sum / (double)n) / REPLICATES;
    }
    return sqrt(square);
}

static void test_a_smooth_integral_converges_fast(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; ++s) {
        const double few = rmse_of(sets[s], 1 << 8), many = rmse_of(sets[s], 1 << 14);
        assert_true(few < 0.01 && many < few * 0x1p-5);
    }
}

/* ---- Texts and arrays ---- */

static const char *fault_of(bool points, const void *bytes, size_t length)
{
    static levy_net_fault fault;
    levy_arena own;
    levy_point_set set;
    levy_arena_init(&own, &levy_memory_default);
    fault = (levy_net_fault){.line = 0};
    const levy_status status = points ? levy_set_read_points(&own, bytes, length, &set, &fault)
                                      : levy_set_read_lattice(&own, bytes, length, &set, &fault);
    assert_int_equal(status, fault.message[0] ? LEVY_INPUT : LEVY_OK);
    if (!points && status == LEVY_INPUT) assert_true(fault.line >= 1);
    levy_arena_release(&own);
    return fault.message;
}

static void test_vectors_are_read_or_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {{"1\n3\n5\n", ""},
                 {"# a vector\n1 1\n2 182667\n\n3 469891", ""},
                 {"# lattice\n3 # dimensions\n1024 # points\n1\n3\n5\n", ""},
                 {"\xef\xbb\xbf# lattice\r\n2\r\n4294967296\r\n1\r\n3\r\n", ""},
                 {"# lattice\n4\n1024\n1\n3\n5\n", "3 components where the text announces 4"},
                 {"# lattice\n2\n1024\n1\n3\n5\n", "3 components where the text announces 2"},
                 {"# lattice\n0\n1024\n1\n", "1 components where the text announces 0"},
                 {"# lattice\n3\n1000\n1\n3\n5\n", "must be a power of two, 2 to 2^32; got 1000"},
                 {"# lattice\n3\n8589934592\n1\n3\n5\n", "2 to 2^32"},
                 {"# lattice\n3\n", "a line has the number of points"},
                 {"# lattice\n1 1\n2 3\n", "a line has the number of dimensions"},
                 {"1\n4\n", "a component must be odd and below 2^32; got 4"},
                 {"1\n4294967297\n", "a component must be odd"},
                 {"1 1\n3 5\n", "expected the component of dimension 2"},
                 {"1 3 5\n", "expected the component of dimension 1"},
                 {"1\nx\n", "not a whole number: 'x'"},
                 {"# none\n", "the text has no numbers"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const char *const message = fault_of(false, cases[i].text, strlen(cases[i].text));
        if (!strstr(message, cases[i].message) || !*message != !*cases[i].message)
            print_error("%s: %s\n", cases[i].text, message);
        assert_true(strstr(message, cases[i].message) && !*message == !*cases[i].message);
    }
}

/* A .npy of version 1.0 with this dictionary and n numbers; the bytes. */
static size_t npy(const char *dictionary, const double *numbers, size_t n, char *bytes)
{
    const size_t size = strlen(dictionary);
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (char)(size & 255);
    bytes[9] = (char)(size >> 8);
    memcpy(bytes + 10, dictionary, size);
    memcpy(bytes + 10 + size, numbers, n * sizeof *numbers);
    return 10 + size + n * sizeof *numbers;
}

#define HEADER(kind, order, shape)                                                                 \
    "{'descr': '" kind "', 'fortran_order': " order ", 'shape': (" shape "), }\n"

static void test_arrays_are_read_or_refused(void **state)
{
    static const struct {
        const char *dictionary;
        double last;
        size_t n;
        const char *message;
    } cases[] = {{HEADER("<f8", "False", "3, 2"), 0.5, 6, ""},
                 {HEADER("<f8", "False", "1, 3, 2"), 0.0, 6, ""},
                 {HEADER("<f8", "False", "3, 2"), 1.0, 6, "number [2][1] is 1"},
                 {HEADER("<f8", "False", "3, 2"), -0.25, 6, "number [2][1] is -0.25"},
                 {HEADER("<f8", "False", "1, 3, 2"), NAN, 6, "number [0][2][1] is nan"},
                 {HEADER("<f4", "False", "3, 2"), 0.5, 6, "float64"},
                 {HEADER(">f8", "False", "3, 2"), 0.5, 6, "float64"},
                 {HEADER("<f8", "True", "3, 2"), 0.5, 6, "Fortran"},
                 {HEADER("<f8", "False", "6,"), 0.5, 6, "two or three dimensions"},
                 {HEADER("<f8", "False", "1, 1, 3, 2"), 0.5, 6, "two or three dimensions"},
                 {HEADER("<f8", "False", "4, 2"), 0.5, 6, "as many numbers as its shape says"},
                 {HEADER("<f8", "False", "3, 2"), 0.5, 5, "as many numbers as its shape says"},
                 {HEADER("<f8", "False", "1, 6"), 0.5, 6, "2 to 2^32 points"},
                 {HEADER("<f8", "False", "6, 0"), 0.5, 0, "1 to 65,536"},
                 {HEADER("<f8", "False", "4294967296, 4294967296"), 0.5, 6, "65,536"},
                 {HEADER("<f8", "False", "-18446744073709551613, 2"), 0.5, 6, "two or three"},
                 {HEADER("<f8", "False", "3, +2"), 0.5, 6, "two or three dimensions"},
                 {"{}", 0.5, 6, "damaged"}};
    char bytes[512];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const double numbers[6] = {0.1, 0.2, 0.3, 0.4, 0.5, cases[i].last};
        const size_t length = npy(cases[i].dictionary, numbers, cases[i].n, bytes);
        const char *const message = fault_of(true, bytes, length);
        if (!strstr(message, cases[i].message) || !*message != !*cases[i].message)
            print_error("%s: %s\n", cases[i].dictionary, message);
        assert_true(strstr(message, cases[i].message) && !*message == !*cases[i].message);
        for (size_t cut = 0; cut < length; ++cut) assert_true(*fault_of(true, bytes, cut));
    }
}

/* ---- Books ---- */

static const char book_text[] =
    "schema_version: 1\n"
    "market:\n"
    "  curves: {USD: 0.03}\n"
    "  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n"
    "models:\n"
    "  bs: {kind: black_scholes, assets: [A]}\n"
    "  jumping: {kind: merton, assets: [A], intensity: 3, jump_mean: -0.1, jump_volatility: 0.15}\n"
    "trades:\n"
    "  - id: t\n"
    "    model: %s\n"
    "    underlying: A\n"
    "    payoff: {kind: asian, option_type: call, strike: 100,\n"
    "             averaging: {method: arithmetic, observations: {count: 6}}}\n"
    "    exercise: {expiry: 1}\n"
    "simulation: {seed: 11, %s}\n";

/* NULL: refused, and the diagnostics say why. */
static levy_book *load_book(const char *model, const char *simulation)
{
    static char text[sizeof book_text + 256];
    levy_book *book = NULL;
    snprintf(text, sizeof text, book_text, model, simulation);
    const levy_source source = {"book.yaml", text, strlen(text), "."};
    if (levy_book_load(context, &source, 1, NULL, 0, &book)) levy_book_destroy(book), book = NULL;
    return book;
}

static char said[512]; /* of the trade that was priced last */

static levy_trade_result price_in(const char *model, const char *simulation, uint64_t batch)
{
    levy_results *results;
    const levy_price_options how = {
        .struct_size = sizeof how, .device = "cpu", .batch_blocks = batch};
    levy_book *const book = load_book(model, simulation);
    if (!book) print_error("%s\n", levy_diagnostic_get(context, 0)->message);
    assert_non_null(book);
    const int status = levy_price(book, &how, &results);
    assert_true(status == LEVY_STATUS_OK || status == LEVY_STATUS_TOLERANCE);
    snprintf(said, sizeof said, "%s", levy_results_trade(results, 0)->message);
    const levy_trade_result result = *levy_results_trade(results, 0);
    levy_results_destroy(results);
    levy_book_destroy(book);
    return result;
}

/* Independent points in 4 replicates, and one set; `last`: the last number of both. */
static void write_points(double last)
{
    enum { POINTS = 1000, DRAWS = 6, NUMBERS = 4 * POINTS * DRAWS };
    static double numbers[NUMBERS];
    static char bytes[NUMBERS * sizeof *numbers + 256];
    uint64_t x = 1;
    for (size_t i = 0; i < NUMBERS; ++i) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        numbers[i] = (double)(x >> 11) * 0x1p-53;
    }
    numbers[NUMBERS - 1] = last;
    FILE *file = fopen("own.npy", "wb");
    size_t length = npy(HEADER("<f8", "False", "4, 1000, 6"), numbers, NUMBERS, bytes);
    assert_true(file && fwrite(bytes, length, 1, file) == 1 && fclose(file) == 0);
    file = fopen("one.npy", "wb");
    length =
        npy(HEADER("<f8", "False", "1000, 6"), numbers + 3 * POINTS * DRAWS, POINTS * DRAWS, bytes);
    assert_true(file && fwrite(bytes, length, 1, file) == 1 && fclose(file) == 0);
}

static void test_sets_price_near_sobol(void **state)
{
    static const char *const models[] = {"bs", "jumping"};
    (void)state;
    for (size_t m = 0; m < 2; ++m) {
        const levy_trade_result sobol = price_in(models[m], "paths: 2^16", 0),
                                lattice = price_in(models[m], "paths: 2^16, generator: lattice", 0),
                                halton = price_in(models[m], "paths: 64000, generator: halton", 0);
        assert_true(fabs(lattice.price - sobol.price) <
                    5.0 * hypot(lattice.std_error, sobol.std_error));
        assert_true(fabs(halton.price - sobol.price) <
                    5.0 * hypot(halton.std_error, sobol.std_error));
        assert_true(lattice.plan_hash != sobol.plan_hash && lattice.plan_hash != halton.plan_hash);
        assert_string_equal(lattice.generator, "lattice");
        assert_string_equal(halton.reproducibility, "R3");
        const levy_trade_result cut = price_in(models[m], "paths: 64000, generator: halton", 1);
        assert_memory_equal(&cut.price, &halton.price, sizeof cut.price);
    }
    const char *const single = "paths: 2^16, generator: lattice, precision: single";
    assert_true(fabs(price_in("bs", single, 0).price -
                     price_in("bs", "paths: 2^16, generator: lattice", 0).price) < 1e-4);
}

static void test_points_of_a_file(void **state)
{
    (void)state;
    write_points(0.5);
    const char *const own = "generator: {kind: points, file: own.npy}",
                      *const one = "generator: {kind: points, file: one.npy}";
    const levy_trade_result four = price_in("bs", own, 0), shifted = price_in("bs", one, 0),
                            sobol = price_in("bs", "paths: 2^16", 0);
    assert_int_equal(four.replicates, 4); /* the file's, where the book does not say */
    assert_int_equal(four.paths, 4000);
    assert_int_equal(shifted.replicates, 16);
    assert_int_equal(shifted.paths, 16000);
    assert_string_equal(four.generator, "points");
    assert_true(fabs(four.price - sobol.price) < 5.0 * four.std_error);
    assert_true(fabs(shifted.price - sobol.price) < 5.0 * shifted.std_error);
    const levy_trade_result few =
        price_in("bs", "paths: 600, generator: {kind: points, file: one.npy, scrambling: none}", 0);
    assert_true(few.paths == 600 && isnan(few.std_error));
    /* a doubling that the file has no points for is not made */
    const levy_trade_result tolerated = price_in(
        "bs", "paths: 4000, tolerance: {absolute: 1e-9}, generator: {kind: points, file: one.npy}",
        0);
    assert_int_equal(tolerated.paths, 16000);
    write_points(0.75);
    assert_true(price_in("bs", own, 0).plan_hash != four.plan_hash);
    assert_true(price_in("bs", one, 0).plan_hash != shifted.plan_hash);
}

static void test_what_a_book_cannot_ask_for(void **state)
{
    static const struct {
        const char *simulation, *message;
    } cases[] = {
        {"generator: points", "missing key 'file'"},
        {"generator: {kind: points, file: none.npy}", "none.npy"},
        {"generator: {kind: points, file: sobol.txt}", "sobol.txt: not a file of numpy.save"},
        {"generator: {kind: lattice, file: sobol.txt}", "sobol.txt:1:1: expected the component"},
        {"generator: {kind: halton, file: own.npy}", "generator halton does not have it"},
        {"generator: {kind: philox, scrambling: none}", "generator philox does not have it"},
        {"generator: {kind: lattice, scrambling: matrix}", "no scrambling matrix"},
        {"generator: {kind: halton, scrambling: shift}", "no scrambling shift"},
        {"generator: {kind: points, file: own.npy, scrambling: shift}", "no scrambling shift"},
        {"generator: {kind: halton, scrambling: none}, replicates: 4", "one replicate; got 4"},
        {"generator: lattice, paths: 1000", "times a power of two"},
        {"generator: halton, paths: 1000", "multiple of replicates (16)"},
        {"generator: lattice, pipeline: fused", "cannot make the numbers of generator lattice"},
        {"generator: {kind: points, file: own.npy}, replicates: 5", "has 4 replicates; got 5"},
        {"generator: {kind: lattice, file: few.txt}",
         "'few.txt' has 1024 points, which is less than 16384 per replicate"},
        {"generator: {kind: points, file: own.npy}, paths: 8000",
         "'own.npy' has 1000 points, which is less than 2000"}};
    FILE *const few = fopen("few.txt", "w");
    (void)state;
    assert_true(few && fputs("# lattice\n6\n1024\n1\n3\n5\n7\n9\n11\n", few) > 0);
    assert_true(fclose(few) == 0);
    write_points(0.5);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_null(load_book("bs", cases[i].simulation));
        const char *const message = levy_diagnostic_get(context, 0)->message;
        if (!strstr(message, cases[i].message)) print_error("%s\n", message);
        assert_non_null(strstr(message, cases[i].message));
    }
    const levy_trade_result jumps =
        price_in("jumping", "generator: {kind: points, file: own.npy}", 0);
    assert_string_equal(jumps.status, "failed");
    assert_non_null(strstr(said, "points: the generator has 6 dimensions, but a path draws"));
}

static void test_sets_can_be_studied(void **state)
{
    levy_study *study;
    (void)state;
    write_points(0.5);
    levy_book *const book = load_book("bs", "generator: {kind: points, file: own.npy}");
    levy_study_options options = {.struct_size = sizeof options,
                                  .methods = "lattice+bridge,halton+bridge,points+bridge",
                                  .points = "2^5..2^9",
                                  .replicates = 4};
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu"};
    assert_int_equal(levy_converge(book, &options, &how, &study), LEVY_STATUS_OK);
    const levy_convergence *const c = levy_study_convergence(study);
    assert_int_equal(c->n_methods, 3);
    assert_true(levy_convergence_at(c, 0)->slope < -0.6);
    assert_true(levy_convergence_at(c, 1)->slope < -0.6);
    assert_string_equal(levy_convergence_at(c, 2)->generator, "points");
    levy_study_destroy(study);
    options.points = "2^5..2^10"; /* the file has 1000 */
    assert_int_equal(levy_converge(book, &options, &how, &study), LEVY_STATUS_ARGUMENT);
    options.points = "2^9";
    options.replicates = 8;
    assert_int_equal(levy_converge(book, &options, &how, &study), LEVY_STATUS_ARGUMENT);
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->message, "4 replicates of 1000"));
    options.methods = "pseudo,quasi"; /* families: what is meant is told */
    assert_int_equal(levy_converge(book, &options, &how, &study), LEVY_STATUS_ARGUMENT);
    assert_non_null(
        strstr(levy_diagnostic_get(context, 0)->message, "did you mean 'mrg32k3a+incremental'"));
    options.methods = "points+bridge";
    options.replicates = 4;
    assert_int_equal(levy_coverage(book, &options, &how, &study), LEVY_STATUS_ARGUMENT);
    levy_book_destroy(book);
    (void)unlink("own.npy");
    (void)unlink("one.npy");
    (void)unlink("few.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_begin_anywhere),
        cmocka_unit_test(test_threads_make_the_same_words),
        cmocka_unit_test(test_points_fill_their_cells),
        cmocka_unit_test(test_a_smooth_integral_converges_fast),
        cmocka_unit_test(test_vectors_are_read_or_refused),
        cmocka_unit_test(test_arrays_are_read_or_refused),
        cmocka_unit_test(test_sets_price_near_sobol),
        cmocka_unit_test(test_points_of_a_file),
        cmocka_unit_test(test_what_a_book_cannot_ask_for),
        cmocka_unit_test(test_sets_can_be_studied),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
