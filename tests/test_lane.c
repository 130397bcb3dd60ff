/* test_lane.c: the lane functions against 50-digit values, their symmetries, and one hash per
 * precision over every build this machine can run. Bounds are in units of the last place; what a
 * bound says is what maths.h and normal.h promise. */
#include "tests/cmocka_all.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/cpu_features.h"
#include "kernels/lane/scalar.h"
#include "tests/lane_probe.h"
#include "tests/near.h"

/* ---- The builds ------------------------------------------------------------------------------ */

typedef struct build {
    const char *name;
    bool single;
    probe_run *run;
    probe_hash *hash;
} build;

/* The builds that tests/CMakeLists.txt makes for this processor; one path wide first, the widest
 * last. */
#if defined(__x86_64__)
#define LANE_PROBES(X) X(scalar) X(baseline) X(avx2) X(avx512)
#elif defined(__aarch64__)
#define LANE_PROBES(X) X(scalar) X(baseline) X(neon)
#else
#define LANE_PROBES(X) X(scalar) X(baseline)
#endif

#define DECLARE(isa)                                                                               \
    extern probe_run lane_probe_run_##isa##_double, lane_probe_run_##isa##_single;                 \
    extern probe_hash lane_probe_hash_##isa##_double, lane_probe_hash_##isa##_single;
LANE_PROBES(DECLARE)
#define ROWS(isa)                                                                                  \
    {#isa, false, lane_probe_run_##isa##_double, lane_probe_hash_##isa##_double},                  \
        {#isa, true, lane_probe_run_##isa##_single, lane_probe_hash_##isa##_single},
static const build builds[] = {LANE_PROBES(ROWS)};
enum { BUILDS = sizeof builds / sizeof builds[0] };

/* The builds of one precision agree bit for bit (a test of its own), so the long sweeps take the
 * fastest. */
static probe_run *fastest(bool single)
{
    probe_run *run = NULL;
    for (int i = 0; i < BUILDS; ++i)
        if (builds[i].single == single && strcmp(builds[i].name, "scalar") != 0 &&
            levy_cpu_supports(builds[i].name))
            run = builds[i].run;
    assert_non_null(run);
    return run;
}

/* ---- Known answers --------------------------------------------------------------------------- */

enum { MAX_ANSWERS = 1024 };
typedef struct answers {
    size_t count;
    double x[MAX_ANSWERS], high[MAX_ANSWERS], low[MAX_ANSWERS], got[MAX_ANSWERS];
} answers;

static void answers_read(answers *a, const char *name, bool single, double from, double to)
{
    char path[512], line[256];
    snprintf(path, sizeof path, "%s/tests/known_answers/lane_%s.txt", LEVY_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    a->count = 0;
    while (fgets(line, sizeof line, file)) {
        const size_t i = a->count;
        if (line[0] == '#') continue;
        assert_true(i < MAX_ANSWERS);
        assert_int_equal(sscanf(line, "%la %la %la", &a->x[i], &a->high[i], &a->low[i]), 3);
        if (single && (double)(float)a->x[i] != a->x[i] && strcmp(name, "normal") != 0) continue;
        if (a->x[i] >= from && a->x[i] <= to) a->count++;
    }
    fclose(file);
}

static double ulps(double got, double high, double low, bool single)
{
    int exponent;
    (void)frexp(high, &exponent);
    return fabs((got - high) - low) / ldexp(1.0, exponent - (single ? 24 : 53));
}

/* Every build of a precision, against the answers with arguments in [from, to]. */
static void check_answers(const char *name, probe_function function, bool single, double from,
                          double to, double bound)
{
    static answers a;
    answers_read(&a, name, single, from, to);
    assert_true(a.count >= 100);
    for (int b = 0; b < BUILDS; ++b) {
        if (builds[b].single != single || !levy_cpu_supports(builds[b].name)) continue;
        double worst = 0.0, where = 0.0;
        builds[b].run(function, a.x, a.got, a.count);
        for (size_t i = 0; i < a.count; ++i) {
            const double error = ulps(a.got[i], a.high[i], a.low[i], single);
            if (!(error <= worst)) worst = error, where = a.x[i];
        }
        if (!(worst <= bound))
            fail_msg("%s, %s: %g ulp at %a, promised %g", name, builds[b].name, worst, where,
                     bound);
    }
}

#define ANSWERS(test, name, function, single, from, to, bound)                                     \
    static void test(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        check_answers(name, function, single, from, to, bound);                                    \
    }
ANSWERS(normal_double_known, "normal", PROBE_NORMAL, false, 0, 4294967295.0, 2.0)
ANSWERS(normal_single_known, "normal", PROBE_NORMAL, true, 0, 4294967295.0, 7.0)
ANSWERS(exp_double_known, "exp", PROBE_EXP, false, -708, 709, 1.0)
ANSWERS(exp_single_known, "exp", PROBE_EXP, true, -87, 88, 1.0)
ANSWERS(log_double_known, "log", PROBE_LOG, false, 0x1p-1022, 1.7e308, 1.0)
ANSWERS(log_single_known, "log", PROBE_LOG, true, 0x1p-126, 3e38, 1.0)
ANSWERS(cdf_double_known, "normal_cdf", PROBE_CDF, false, -37.5, 37.5, 6.0)
ANSWERS(cdf_single_known, "normal_cdf", PROBE_CDF, true, -13, 13, 6.0)
ANSWERS(path_exp_single_known, "exp2", PROBE_PATH_EXP, true, -125, 127, 2.0)
ANSWERS(path_log_single_known, "log2", PROBE_PATH_LOG, true, 0x1p-126, 3e38, 2.0)
ANSWERS(path_exp_double_is_exp, "exp", PROBE_PATH_EXP, false, -708, 709, 1.0)
ANSWERS(path_log_double_is_log, "log", PROBE_PATH_LOG, false, 0x1p-1022, 1.7e308, 1.0)

/* ---- Mixed precision: normals are those of single, whatever the width; exp is within its bound */

static void test_mixed_normals_are_those_of_single(void **state)
{
    (void)state;
    enum { WORDS = 1 << 14 };
    static double words[WORDS], want[WORDS], got[WORDS];
    for (uint32_t i = 0; i < WORDS; ++i)
        words[i] = i < 64    ? (double)i
                   : i < 128 ? 4294967295.0 - (i - 64)
                             : (double)(i * 2654435761u);
    fastest(true)(PROBE_NORMAL, words, want, WORDS);
    for (size_t b = 0; b < BUILDS; ++b) {
        if (builds[b].single || !levy_cpu_supports(builds[b].name)) continue;
        builds[b].run(PROBE_MIXED_NORMAL, words, got, WORDS);
        assert_memory_equal(got, want, sizeof want);
    }
}

static void test_mixed_exp_is_within_its_bound(void **state)
{
    (void)state;
    enum { POINTS = 1 << 16 };
    static double x[POINTS], want[POINTS], got[POINTS];
    for (uint32_t i = 0; i < POINTS; ++i)
        x[i] = ((double)i / POINTS - 0.5) * (i & 1 ? 1399.0 : 3.0);
    for (size_t b = 0; b < BUILDS; ++b) {
        if (builds[b].single || !levy_cpu_supports(builds[b].name)) continue;
        builds[b].run(PROBE_EXP, x, want, POINTS);
        builds[b].run(PROBE_MIXED_EXP, x, got, POINTS);
        for (uint32_t i = 0; i < POINTS; ++i)
            assert_true(fabs(got[i] - want[i]) <= 1.1e-12 * want[i]);
    }
}

/* ---- One hash over all builds ---------------------------------------------------------------- */

static void check_hash(bool single)
{
    char path[512], precision[16];
    unsigned long long golden = 0;
    int checked = 0;
    snprintf(path, sizeof path, "%s/tests/known_answers/lane_hash.txt", LEVY_SOURCE_DIR);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (char line[256]; fgets(line, sizeof line, file);)
        if (line[0] != '#' && sscanf(line, "%15s %llx", precision, &golden) == 2)
            if (strcmp(precision, single ? "single" : "double") == 0) break;
    fclose(file);
    for (int b = 0; b < BUILDS; ++b) {
        if (builds[b].single != single || !levy_cpu_supports(builds[b].name)) continue;
        const unsigned long long hash = builds[b].hash();
        if (hash != golden)
            fail_msg("%s, %s: %016llx, not %016llx", builds[b].name, precision, hash, golden);
        checked++;
    }
    assert_true(checked >= 2);
}
static void hash_double_is_golden(void **state)
{
    (void)state;
    check_hash(false);
}
static void hash_single_is_golden(void **state)
{
    (void)state;
    check_hash(true);
}

/* ---- The normal's shape ---------------------------------------------------------------------- */

enum { WINDOW = 16384 };
static double in[WINDOW], out[WINDOW], mirror[WINDOW];

/* Window w: both ends, the centre, the seam of the double design (2^32 times 0.0012207 / 2),
 * octaves, then anywhere. */
static uint32_t window_start(uint32_t w)
{
    const uint32_t fixed[] = {0, 0x80000000u - WINDOW / 2, 0u - WINDOW, 2622000u - WINDOW / 2,
                              0u - 2622000u - WINDOW / 2};
    if (w < 5) return fixed[w];
    if (w < 36) return (1u << (w - 5)) - (w < 20 ? 0 : WINDOW / 2);
    return w * 2654435769u;
}

static void check_antisymmetry(bool single)
{
    probe_run *run = fastest(single);
    for (uint32_t w = 0; w < 64; ++w) {
        for (uint32_t i = 0; i < WINDOW; ++i) in[i] = (double)(uint32_t)(window_start(w) + i);
        run(PROBE_NORMAL, in, out, WINDOW);
        for (uint32_t i = 0; i < WINDOW; ++i) in[i] = (double)(uint32_t) ~(window_start(w) + i);
        run(PROBE_NORMAL, in, mirror, WINDOW);
        for (uint32_t i = 0; i < WINDOW; ++i)
            if (!(out[i] == -mirror[i]))
                fail_msg("word %08x: %a, its mirror %a", window_start(w) + i, out[i], mirror[i]);
    }
}
static void normal_double_antisymmetric(void **state)
{
    (void)state;
    check_antisymmetry(false);
}
static void normal_single_antisymmetric(void **state)
{
    (void)state;
    check_antisymmetry(true);
}

/* In double strictly; in single up to the function's own error. */
static void check_monotone(bool single, double slack)
{
    probe_run *run = fastest(single);
    for (uint32_t w = 0; w < 64; ++w) {
        const uint32_t start = window_start(w);
        for (uint32_t i = 0; i < WINDOW; ++i) in[i] = (double)(uint32_t)(start + i);
        run(PROBE_NORMAL, in, out, WINDOW);
        for (uint32_t i = 1; i < WINDOW; ++i) {
            if (start + i == 0) continue; /* the window went round */
            const double least = out[i - 1] - slack * fabs(out[i - 1]);
            if (single ? out[i] < least : out[i] <= least)
                fail_msg("word %08x: %a after %a", start + i, out[i], out[i - 1]);
        }
    }
}
static void normal_double_monotone(void **state)
{
    (void)state;
    check_monotone(false, 0.0);
}
static void normal_single_monotone(void **state)
{
    (void)state;
    check_monotone(true, 8 * 0x1p-23);
}

static void normal_ends_are_finite(void **state)
{
    (void)state;
    const double ends[4] = {0.0, 4294967295.0, 2147483647.0, 2147483648.0};
    double z[4];
    for (int b = 0; b < BUILDS; ++b) {
        if (!levy_cpu_supports(builds[b].name)) continue;
        builds[b].run(PROBE_NORMAL, ends, z, 4);
        assert_true(z[0] < -6.3379 && z[0] > -6.3381);
        assert_true(z[1] == -z[0]);
        assert_true(z[3] > 2.918e-10 && z[3] < 2.919e-10 && z[2] == -z[3]); /* sqrt(2 pi) 2^-33 */
    }
}

/* 2^16 words at the middles of equal steps, each with its mirror: mean 0 by symmetry, variance 1,
 * fourth moment 3, but for the tails beyond the outermost step. */
static void normal_moments(void **state)
{
    (void)state;
    for (int single = 0; single < 2; ++single) {
        double mean = 0.0, second = 0.0, fourth = 0.0;
        for (uint32_t w = 0; w < 4; ++w) {
            for (uint32_t i = 0; i < WINDOW; ++i)
                in[i] = (double)((w * WINDOW + i) * 65536u + (w < 2 ? 32768u : 32767u));
            fastest(single)(PROBE_NORMAL, in, out, WINDOW);
            for (int i = 0; i < WINDOW; ++i) {
                mean += out[i];
                second += out[i] * out[i];
                fourth += out[i] * out[i] * out[i] * out[i];
            }
        }
        assert_true(fabs(mean / 65536.0) < 1e-14);
        assert_true(fabs(second / 65536.0 - 1.0) < 1e-4);
        assert_true(fabs(fourth / 65536.0 - 3.0) < 5e-3);
    }
}

static void cdf_undoes_normal(void **state)
{
    (void)state;
    probe_run *run = fastest(false);
    for (uint32_t w = 0; w < 64; ++w) {
        for (uint32_t i = 0; i < WINDOW; ++i) in[i] = (double)(uint32_t)(window_start(w) + i);
        run(PROBE_NORMAL, in, out, WINDOW);
        run(PROBE_CDF, out, mirror, WINDOW);
        run(PROBE_UNIFORM, in, out, WINDOW);
        for (int i = 0; i < WINDOW; ++i) {
            assert_true(out[i] == (in[i] + 0.5) * 0x1p-32); /* exact */
            const double p = out[i], error = fabs(mirror[i] - p);
            if (!(error <= 1e-14 * p)) fail_msg("word %.0f: %a, not %a", in[i], mirror[i], p);
        }
    }
}

/* ---- Ranges, and the host's functions -------------------------------------------------------- */

static void arguments_are_clamped(void **state)
{
    (void)state;
    const double wild[8] = {1e30, -1e30, (double)INFINITY, -(double)INFINITY, 0.0, -1.0, 2e9, -2e9};
    double got[8];
    for (int b = 0; b < BUILDS; ++b) {
        if (!levy_cpu_supports(builds[b].name)) continue;
        for (int f = PROBE_EXP; f < (int)PROBE_FUNCTIONS; ++f) {
            builds[b].run((probe_function)f, wild, got, 8);
            for (int i = 0; i < 8; ++i) assert_true(isfinite(got[i]));
        }
        builds[b].run(PROBE_EXP, wild, got, 8);
        assert_true(got[0] == got[2] && got[0] > 1e38 && got[1] == got[3] && got[1] > 0.0 &&
                    got[1] < 1.7e-38);
        assert_true(got[4] == 1.0);
        builds[b].run(PROBE_CDF, wild, got, 8);
        assert_true(got[0] == 1.0 && got[2] == 1.0 && got[1] == got[3] && got[1] > 0.0 &&
                    got[1] < 1e-37 && got[4] == 0.5);
    }
}

static void four_exponentials_are_each_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < WINDOW; ++i) in[i] = (i - WINDOW / 2) * (1500.0 / WINDOW);
    for (int b = 0; b < BUILDS; ++b) {
        if (!levy_cpu_supports(builds[b].name)) continue;
        builds[b].run(PROBE_EXP_FOUR, in, out, WINDOW);
        for (int i = 0; i < WINDOW; ++i) assert_true(out[i] == 0.0);
    }
}

/* Against the C library, from where normals are cut off to more than any draw. */
static void exponentials_have_the_normals_quantiles(void **state)
{
    (void)state;
    for (int i = 0; i < WINDOW; ++i) in[i] = -2.0 + i * (11.5 / WINDOW);
    for (int b = 0; b < BUILDS; ++b) {
        if (!levy_cpu_supports(builds[b].name)) continue;
        const double bound = builds[b].single ? 1e-6 : 1e-14;
        builds[b].run(PROBE_PATH_EXPONENTIAL, in, out, WINDOW);
        for (int i = 0; i < WINDOW; ++i) {
            const double x = builds[b].single ? (double)(float)in[i] : in[i],
                         z = fmax(x, -0x1.66667p+0), exact = -log(0.5 * erfc(z * sqrt(0.5))),
                         other = log((x * x + 3.0) / (0.125 * x + 1.5));
            assert_near(out[i], exact - other, bound * (1.0 + exact));
        }
    }
}

static void exp_undoes_log(void **state)
{
    (void)state;
    probe_run *run = fastest(false);
    for (int i = 0; i < WINDOW; ++i) in[i] = ldexp(1.0 + (double)i / WINDOW, i % 41 - 20);
    run(PROBE_LOG, in, out, WINDOW);
    run(PROBE_EXP, out, mirror, WINDOW);
    for (int i = 0; i < WINDOW; ++i) assert_true(fabs(mirror[i] / in[i] - 1.0) < 16 * 0x1p-52);
}

static void host_functions_have_the_same_bits(void **state)
{
    (void)state;
    probe_run *run = fastest(false);
    for (int i = 0; i < WINDOW; ++i) in[i] = (double)((uint32_t)i * 2654435769u);
    run(PROBE_NORMAL, in, out, WINDOW);
    for (int i = 0; i < WINDOW; ++i) assert_true(levy_normal_from_word((uint32_t)in[i]) == out[i]);
    run(PROBE_CDF, out, mirror, WINDOW);
    for (int i = 0; i < WINDOW; ++i) assert_true(levy_normal_cdf(out[i]) == mirror[i]);
    memcpy(in, out, sizeof *in * (WINDOW - 1)); /* no whole lanes */
    levy_normal_cdf_each(WINDOW - 1, in);
    assert_memory_equal(in, mirror, sizeof *in * (WINDOW - 1));
    run(PROBE_EXP, out, mirror, WINDOW);
    for (int i = 0; i < WINDOW; ++i) assert_true(levy_exp(out[i]) == mirror[i]);
    memcpy(in, out, sizeof *in * (WINDOW - 1));
    levy_exp_each(WINDOW - 1, in);
    assert_memory_equal(in, mirror, sizeof *in * (WINDOW - 1));
    run(PROBE_LOG, mirror, in, WINDOW);
    for (int i = 0; i < WINDOW; ++i) assert_true(levy_log(mirror[i]) == in[i]);
    assert_true(levy_sqrt(2.0) == 0x1.6a09e667f3bcdp+0);
}

/* ---- The GPU's steps (kernels/lane/exact.h), with the hardware's first guess replaced by worse
 * ones  */

/* 20 bits and what a GPU leaves empty, off by some of its last places */
static double guess(double exact, int off)
{
    uint64_t bits;
    memcpy(&bits, &exact, sizeof bits);
    bits = ((bits + (1u << 31)) & 0xffffffff00000000u) + (uint64_t)(int64_t)off * (1ull << 32);
    memcpy(&exact, &bits, sizeof bits);
    return exact;
}

static double device_quotient(double n, double d, double r)
{
    double e = fma(-d, r, 1.0);
    e = fma(e, e, e);
    r = fma(r, e, r);
    const double q = n * r;
    return fma(fma(-d, q, n), r, q);
}

static void device_quotients_are_rounded_once(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 200000; ++i) {
        const uint32_t word = i < 20000 ? 0x80000000u + i : i * 2654435769u;
        const double x = ((double)word + 0.5) * 0x1p-31 - 1.0, t = fma(-x, x, 1.0), c = sqrt(t);
        const double n = 1.0 + x * 0.7, d = 0.1 + c * 3.3;
        for (int off = -4; off <= 4; off += 2)
            assert_true(device_quotient(n, d, guess(1.0 / d, off)) == n / d);
    }
}

static double device_root(double x, double r)
{
    const double e = fma(-x * r, r, 1.0);
    r = fma(r * e, fma(e, 0.375, 0.5), r);
    const double q = x * r;
    return fma(fma(-q, q, x), 0.5 * r, q);
}

static void device_roots_are_rounded_once(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 200000; ++i) {
        const uint32_t word = i < 20000 ? 0xffffffffu - i : i * 2654435769u;
        const double x = ldexp(1.0 + ((double)word + 0.5) * 0x1p-32, (int)(i % 80) - 78);
        for (int off = -4; off <= 4; off += 2)
            assert_true(device_root(x, guess(1.0 / sqrt(x), off)) == sqrt(x));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_double_known),
        cmocka_unit_test(normal_single_known),
        cmocka_unit_test(exp_double_known),
        cmocka_unit_test(exp_single_known),
        cmocka_unit_test(log_double_known),
        cmocka_unit_test(log_single_known),
        cmocka_unit_test(cdf_double_known),
        cmocka_unit_test(cdf_single_known),
        cmocka_unit_test(path_exp_single_known),
        cmocka_unit_test(path_log_single_known),
        cmocka_unit_test(path_exp_double_is_exp),
        cmocka_unit_test(path_log_double_is_log),
        cmocka_unit_test(hash_double_is_golden),
        cmocka_unit_test(hash_single_is_golden),
        cmocka_unit_test(normal_double_antisymmetric),
        cmocka_unit_test(normal_single_antisymmetric),
        cmocka_unit_test(normal_double_monotone),
        cmocka_unit_test(normal_single_monotone),
        cmocka_unit_test(normal_ends_are_finite),
        cmocka_unit_test(normal_moments),
        cmocka_unit_test(cdf_undoes_normal),
        cmocka_unit_test(arguments_are_clamped),
        cmocka_unit_test(test_mixed_normals_are_those_of_single),
        cmocka_unit_test(test_mixed_exp_is_within_its_bound),
        cmocka_unit_test(four_exponentials_are_each_its_own),
        cmocka_unit_test(exp_undoes_log),
        cmocka_unit_test(host_functions_have_the_same_bits),
        cmocka_unit_test(device_quotients_are_rounded_once),
        cmocka_unit_test(device_roots_are_rounded_once),
        cmocka_unit_test(exponentials_have_the_normals_quantiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
