/* test_quantile.c: tables of quantile functions against 60-digit values, against the laws' own
 * inverses over all octaves, for monotony word by word, and bit for bit over every build that this
 * machine can run. */
#include "tests/cmocka_all.h"

#include "kernels/cpu/cpu_features.h"
#include "kernels/samplers/discrete/quantile_table.h"
#include "kernels/lane/scalar.h"
#include "tests/heap.h"
#include "tests/lane_quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The builds ---- */

typedef struct build {
    const char *name;
    bool single;
    lane_quantile_run *run;
} build;

#if defined(__x86_64__)
#define QUANTILE_PROBES(X) X(scalar) X(baseline) X(avx2) X(avx512)
#elif defined(__aarch64__)
#define QUANTILE_PROBES(X) X(scalar) X(baseline) X(neon)
#else
#define QUANTILE_PROBES(X) X(scalar) X(baseline)
#endif
#define DECLARE(isa)                                                                               \
    extern lane_quantile_run lane_quantile_run_##isa##_double, lane_quantile_run_##isa##_single;
QUANTILE_PROBES(DECLARE)
#define ROWS(isa)                                                                                  \
    {#isa, false, lane_quantile_run_##isa##_double}, {#isa, true, lane_quantile_run_##isa##_single},
static const build builds[] = {QUANTILE_PROBES(ROWS)};
enum { BUILDS = sizeof builds / sizeof builds[0] };

/* ---- Laws ---- */

static const levy_law *laws(size_t *n)
{
    static levy_law all[19];
    *n = 0;
    static const double gammas[] = {0.001, 0.02, 0.3, 1.0, 4.0, 70.0, 3000.0};
    static const double betas[][2] = {{0.004, 0.004}, {0.02, 0.02}, {0.5, 0.5},    {3.0, 0.25},
                                      {1.0, 1.0},     {20.0, 20.0}, {900.0, 300.0}};
    static const double means[] = {0.001, 0.04, 1.0, 30.0, 5000.0};
    for (size_t i = 0; i < 7; ++i) all[(*n)++] = levy_law_gamma(gammas[i]);
    for (size_t i = 0; i < 7; ++i) all[(*n)++] = levy_law_beta(betas[i][0], betas[i][1]);
    for (size_t i = 0; i < 5; ++i) all[(*n)++] = levy_law_inverse_gaussian(means[i]);
    return all;
}

static levy_arena arena;
static int open_arena(void **state)
{
    (void)state;
    levy_arena_init(&arena, &levy_memory_default);
    return 0;
}
static int close_arena(void **state)
{
    (void)state;
    levy_arena_release(&arena);
    return 0;
}

static double *table_of(const levy_law *law, bool single, size_t *n)
{
    const double error = single ? 1e-8 : 1e-10;
    const double unit = single ? LEVY_LOG2_E : 1.0;
    double *table;
    assert_int_equal(levy_quantile_build(law, error, unit, &arena, &table, n), LEVY_OK);
    assert_true(*n % 8 == 0);
    return table;
}

/* One part in 1e9; below 1/64 of the mean (or of the way), of that. */
static bool is_close(double got, double want, double relative)
{
    return fabs(got - want) <= relative * fmax(fabs(want), 0.015625);
}

static void complain(const levy_law *law, const build *b, uint32_t word, double got, double want)
{
    print_error("law %d (%g, %g), %s %s, word %u: got %.17g, want %.17g\n", (int)law->kind, law->a,
                law->b, b->name, b->single ? "single" : "double", (unsigned)word, got, want);
}

/* ---- Known answers ---- */

static levy_law law_named(const char *name, double a, double b)
{
    if (strcmp(name, "gamma") == 0) return levy_law_gamma(a);
    if (strcmp(name, "beta") == 0) return levy_law_beta(a, b);
    assert_string_equal(name, "inverse_gaussian");
    return levy_law_inverse_gaussian(a);
}

static void test_draws_are_the_known_quantiles(void **state)
{
    (void)state;
    char line[256], name[32], before[64] = "";
    FILE *const file = fopen(LEVY_SOURCE_DIR "/tests/known_answers/quantile.txt", "r");
    double *table[2] = {NULL, NULL}, a, b, want;
    size_t n[2] = {0, 0}, seen = 0;
    unsigned word;
    bool good = true;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char key[64];
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%31s %lf %lf %u %lf", name, &a, &b, &word, &want), 5);
        const levy_law law = law_named(name, a, b);
        snprintf(key, sizeof key, "%s %g %g", name, a, b);
        for (int single = 0; single < 2 && strcmp(key, before) != 0; ++single)
            table[single] = table_of(&law, single, &n[single]);
        strcpy(before, key);
        for (int i = 0; i < BUILDS; ++i) {
            double got;
            const uint32_t u = (uint32_t)word;
            if (!levy_cpu_supports(builds[i].name)) continue;
            builds[i].run(table[builds[i].single], n[builds[i].single],
                          law.kind == LEVY_QUANTILE_BETA, &u, &got, 1);
            if (is_close(got, want, builds[i].single ? 3e-5 : 1e-9)) continue;
            complain(&law, &builds[i], u, got, want);
            good = false;
        }
        ++seen;
    }
    fclose(file);
    assert_true(good && seen >= 300);
}

/* ---- Against the inverse itself: all octaves of both halves ---- */

enum { EACH = 24 }; /* words of an octave */

static size_t words_of_all_octaves(uint32_t *words)
{
    uint64_t seed = 88172645463325252u;
    size_t n = 0;
    for (int octave = 0; octave < 31; ++octave)
        for (int i = 0; i < EACH; ++i) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            const uint32_t low = (uint32_t)1 << octave,
                           word = i == 0   ? low
                                  : i == 1 ? 2 * low - 1
                                           : low + (uint32_t)(seed >> 32) % low;
            words[n++] = word;
            words[n++] = ~word;
        }
    words[n++] = 0;
    words[n++] = UINT32_MAX;
    return n;
}

static double exact_draw(const levy_law *law, uint32_t word)
{
    const bool upper = word >> 31;
    double slope;
    const double y = levy_law_log_quantile(
        law, upper, levy_log(0x1p-32 * ((upper ? ~word : word) + 0.5)), -0.5, &slope);
    return upper && law->kind == LEVY_QUANTILE_BETA ? 1.0 - levy_exp(y) : levy_exp(y);
}

static void test_draws_are_the_inverse_everywhere(void **state)
{
    (void)state;
    static uint32_t words[2 * 31 * EACH + 2];
    static double got[2 * 31 * EACH + 2];
    const size_t count = words_of_all_octaves(words);
    size_t n_laws, n;
    bool good = true;
    const levy_law *const all = laws(&n_laws);
    for (size_t l = 0; l < n_laws; ++l) {
        const double *const table = table_of(&all[l], false, &n);
        builds[0].run(table, n, all[l].kind == LEVY_QUANTILE_BETA, words, got, count);
        for (size_t i = 0; i < count; ++i)
            if (!is_close(got[i], exact_draw(&all[l], words[i]), 1e-9)) {
                complain(&all[l], &builds[0], words[i], got[i], exact_draw(&all[l], words[i]));
                good = false;
            }
    }
    assert_true(good);
}

/* A law's mean, from its table: a sum over words at equal distances, and the last ones each. */
static void test_means_are_the_laws(void **state)
{
    (void)state;
    enum { WORDS = 1 << 20 };
    uint32_t *const words = malloc(WORDS * sizeof *words);
    double *const got = malloc(WORDS * sizeof *got);
    const build *fastest = &builds[0];
    size_t n_laws, n;
    const levy_law *const all = laws(&n_laws);
    assert_true(words && got);
    for (int b = 0; b < BUILDS; ++b)
        if (!builds[b].single && strcmp(builds[b].name, "baseline") != 0 &&
            levy_cpu_supports(builds[b].name))
            fastest = &builds[b];
    for (uint32_t i = 0; i < WORDS; ++i) words[i] = (i << 12) + (1u << 11);
    for (size_t l = 0; l < n_laws; ++l) {
        const double *const table = table_of(&all[l], false, &n);
        double sum = 0.0, squares = 0.0;
        fastest->run(table, n, all[l].kind == LEVY_QUANTILE_BETA, words, got, WORDS);
        for (size_t i = 0; i < WORDS; ++i) {
            sum += got[i];
            squares += got[i] * got[i];
        }
        const double want =
                         all[l].kind == LEVY_QUANTILE_BETA ? all[l].a / (all[l].a + all[l].b) : 1.0,
                     mean = sum / WORDS;
        const double deviation = sqrt(squares / WORDS - mean * mean);
        if (!(fabs(mean - want) <= 3e-5 * deviation))
            print_error("law %d (%g, %g): mean %.9g\n", (int)all[l].kind, all[l].a, all[l].b, mean);
        assert_true(fabs(mean - want) <= 3e-5 * deviation); /* the tail's share of a midpoint sum */
    }
    free(words);
    free(got);
}

/* ---- Monotony ---- */

static void assert_rises(const levy_law *law, const double *table, size_t n, uint32_t from)
{
    enum { RUN = 64 };
    static uint32_t words[RUN];
    static double got[RUN];
    for (uint32_t i = 0; i < RUN; ++i) words[i] = from + i;
    builds[0].run(table, n, law->kind == LEVY_QUANTILE_BETA, words, got, RUN);
    for (uint32_t i = 1; i < RUN; ++i) {
        /* in the middle a beta draw goes over from left + part to right - part, which rounds at the
         * size of the right end */
        const double room =
            law->kind == LEVY_QUANTILE_BETA && words[i] == 0x80000000u ? 0x1p-52 : 0.0;
        if (got[i] < got[i - 1] - room) complain(law, &builds[0], words[i], got[i], got[i - 1]);
        assert_true(got[i] >= got[i - 1] - room);
    }
}

static void test_larger_words_give_larger_draws(void **state)
{
    (void)state;
    size_t n_laws, n;
    const levy_law *const all = laws(&n_laws);
    for (size_t l = 0; l < n_laws; ++l) {
        const double *const table = table_of(&all[l], false, &n);
        for (int octave = 6; octave < 31; ++octave)
            for (uint32_t cell = 0; cell < 16; ++cell) { /* over the borders of octaves and cells */
                const uint32_t edge =
                    ((uint32_t)1 << octave) + cell * (((uint32_t)1 << octave) / 16) - 32;
                assert_rises(&all[l], table, n, edge);
                assert_rises(&all[l], table, n, ~edge - 63);
            }
        assert_rises(&all[l], table, n, 0x7fffffe0u);
        assert_rises(&all[l], table, n, 0);
        assert_rises(&all[l], table, n, UINT32_MAX - 63);
    }
}

/* ---- Builds ---- */

static void test_all_builds_have_the_same_bits(void **state)
{
    (void)state;
    static uint32_t words[2 * 31 * EACH + 2];
    static double want[2 * 31 * EACH + 2], got[2 * 31 * EACH + 2];
    const size_t count = words_of_all_octaves(words);
    size_t n_laws, n;
    const levy_law *const all = laws(&n_laws);
    for (size_t l = 0; l < n_laws; ++l)
        for (int single = 0; single < 2; ++single) {
            const double *const table = table_of(&all[l], single, &n);
            builds[single].run(table, n, all[l].kind == LEVY_QUANTILE_BETA, words, want, count);
            for (int b = 2; b < BUILDS; ++b) {
                if (builds[b].single != single || !levy_cpu_supports(builds[b].name)) continue;
                builds[b].run(table, n, all[l].kind == LEVY_QUANTILE_BETA, words, got, count);
                assert_memory_equal(got, want, count * sizeof *got);
            }
        }
}

static void test_a_build_without_memory_says_so(void **state)
{
    (void)state;
    const levy_law law = levy_law_beta(0.004, 0.004); /* whose table outgrows its first room */
    test_heap heap = {0};
    const levy_memory memory = heap_memory(&heap);
    double *table;
    size_t n;
    levy_status status = LEVY_MEMORY;
    int failed = 0;
    for (int allowed = 0; status != LEVY_OK && allowed < 100; ++allowed) {
        levy_arena few;
        heap_grant(&heap, allowed);
        levy_arena_init(&few, &memory);
        status = levy_quantile_build(&law, 1e-10, 1.0, &few, &table, &n);
        assert_true(status == LEVY_OK || status == LEVY_MEMORY);
        failed += status != LEVY_OK;
        levy_arena_release(&few);
    }
    assert_int_equal(status, LEVY_OK);
    assert_true(failed > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_draws_are_the_known_quantiles, open_arena,
                                        close_arena),
        cmocka_unit_test_setup_teardown(test_draws_are_the_inverse_everywhere, open_arena,
                                        close_arena),
        cmocka_unit_test_setup_teardown(test_means_are_the_laws, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_larger_words_give_larger_draws, open_arena,
                                        close_arena),
        cmocka_unit_test_setup_teardown(test_all_builds_have_the_same_bits, open_arena,
                                        close_arena),
        cmocka_unit_test(test_a_build_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
