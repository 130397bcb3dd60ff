/* test_distributions.c: deviates on every build this machine can run. Their laws are tested with
 * stated power, on 2^20 draws each: 64 equally likely cells give a chi-square that is refused
 * beyond 135 (one test in 10^6 where the law is right); a law whose cells are off by 1.2 % in the
 * root mean square is found 999 times in 1000. Kolmogorov and Smirnov's distance over 1,024 cells
 * is refused beyond 2.8 / sqrt(n) (3 in 10^7); a distribution function off by 0.45 % anywhere is
 * found as surely. */
#include "tests/cmocka_all.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/levy.h"
#include "kernels/cpu/cpu_objects.h"
#include "kernels/samplers/discrete/deviate_table.h"
#include "tests/normal_law.h"

/* ---- Builds ---------------------------------------------------------------------------------- */

/* tests/CMakeLists.txt */
extern const levy_draw_isa levy_draw_scalar_double, levy_draw_scalar_single;
static const levy_draw_isa *builds[2][8];
static int n_builds;

static int find_builds(void **state)
{
    static const char *const names[] = {"baseline", "avx2", "avx512", "neon"};
    (void)state;
    builds[0][0] = &levy_draw_scalar_double;
    builds[1][0] = &levy_draw_scalar_single;
    n_builds = 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char why[LEVY_REASON_SIZE];
        const levy_cpu_build *const build = levy_cpu_choose(names[i], why);
        if (!build) continue;
        builds[0][n_builds] = build->draw[0];
        builds[1][n_builds++] = build->draw[1];
    }
    return n_builds < 2;
}
static const levy_draw_isa *fastest(bool single) { return builds[single][n_builds - 1]; }

/* Deviates as doubles, whatever a build makes. */
static void fill(const levy_draw_isa *isa, bool single, levy_draw_job job, size_t count,
                 double *values)
{
    static uint64_t memory[1 << 20];
    assert_true(count <= 1 << 20);
    job.output = memory;
    isa->fill(&job, 0, count);
    for (size_t i = 0; i < count; ++i)
        values[i] = job.law == LEVY_DRAW_POISSON ? (double)((const uint32_t *)memory)[i]
                    : single                     ? (double)((const float *)memory)[i]
                                                 : ((const double *)memory)[i];
}

typedef struct law_case {
    levy_draw_law law;
    double a, b;
} law_case;
static const law_case cases[] = {
    {LEVY_DRAW_EXPONENTIAL, 2.5, 0}, {LEVY_DRAW_NORMAL, -1, 3},    {LEVY_DRAW_GAMMA, 0.05, 1},
    {LEVY_DRAW_GAMMA, 0.7, 2},       {LEVY_DRAW_GAMMA, 1, 1},      {LEVY_DRAW_GAMMA, 1.2, 1},
    {LEVY_DRAW_GAMMA, 4.98, 1.001},  {LEVY_DRAW_GAMMA, 300, 1},    {LEVY_DRAW_POISSON, 0.3, 0},
    {LEVY_DRAW_POISSON, 6, 0},       {LEVY_DRAW_POISSON, 19.5, 0}, {LEVY_DRAW_POISSON, 63.5, 0},
    {LEVY_DRAW_POISSON, 64.5, 0},    {LEVY_DRAW_POISSON, 2000, 0}, {LEVY_DRAW_NONCENTRAL, 4, 10},
    {LEVY_DRAW_NONCENTRAL, 0.5, 3},  {LEVY_DRAW_NONCENTRAL, 1, 0}, {LEVY_DRAW_NONCENTRAL, 0.8, 160},
    {LEVY_DRAW_NONCENTRAL, 50, 100},
};
enum { CASES = sizeof cases / sizeof *cases, SAMPLE = 1 << 20 };
static double values[SAMPLE], others[SAMPLE];
static uint32_t words[1 << 16];

static levy_draw_job job_of(const law_case *c, uint64_t seed)
{
    return (levy_draw_job){.law = c->law, .seed = seed, .stream = 7, .parameters = {c->a, c->b}};
}

/* ---- Laws ------------------------------------------------------------------------------------ */

static void exact_moments(const law_case *c, double *mean, double *variance)
{
    switch (c->law) {
    case LEVY_DRAW_EXPONENTIAL:
        *mean = c->a, *variance = c->a * c->a;
        break;
    case LEVY_DRAW_NORMAL:
        *mean = c->a, *variance = c->b * c->b;
        break;
    case LEVY_DRAW_GAMMA:
        *mean = c->a * c->b, *variance = c->a * c->b * c->b;
        break;
    case LEVY_DRAW_POISSON:
        *mean = *variance = c->a;
        break;
    case LEVY_DRAW_NONCENTRAL:
        *mean = c->a + c->b, *variance = 2 * (c->a + 2 * c->b);
        break;
    case LEVY_DRAW_GAMMA_TABLE:
    case LEVY_DRAW_BETA:
    case LEVY_DRAW_INVERSE_GAUSSIAN:
    case LEVY_DRAW_LAWS:
        break;
    }
}

/* Mean and variance within five standard errors, the latter's from the sample's fourth moment. */
static void check_moments(const law_case *c, bool single)
{
    double mean = 0, variance = 0, sum = 0, two = 0, four = 0;
    exact_moments(c, &mean, &variance);
    for (int i = 0; i < SAMPLE; ++i) {
        const double x = values[i] - mean;
        assert_true(isfinite(x));
        sum += x;
        two += x * x;
        four += x * x * x * x;
    }
    sum /= SAMPLE, two /= SAMPLE, four /= SAMPLE;
    const double z = sum / sqrt(variance / SAMPLE),
                 v = (two - variance) / sqrt((four - two * two) / SAMPLE);
    if (fabs(z) > 5 || fabs(v) > 5)
        fail_msg("law %d(%g, %g), %s: mean off by %g errors, variance by %g", (int)c->law, c->a,
                 c->b, single ? "single" : "double", z, v);
}

static void check_cells(const law_case *c, const char *what)
{
    enum { CELLS = 1024, COARSE = 64 };
    uint32_t edge_words[CELLS], counts[CELLS] = {0};
    double edges[CELLS], chi = 0, distance = 0, below = 0;
    /* the quantile just above k / CELLS */
    for (uint32_t k = 0; k < CELLS; ++k) edge_words[k] = k << 22;
    levy_draw_job job = job_of(c, 0);
    job.words = edge_words;
    fill(&levy_draw_scalar_double, false, job, CELLS, edges);
    for (int i = 0; i < SAMPLE; ++i) {
        int low = 0, high = CELLS; /* the last edge not above */
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (values[i] >= edges[middle])
                low = middle;
            else
                high = middle;
        }
        counts[low]++;
    }
    for (int k = 0; k < CELLS; k += CELLS / COARSE) {
        double cell = 0;
        for (int j = 0; j < CELLS / COARSE; ++j) {
            cell += counts[k + j], below += counts[k + j];
            const double gap = fabs(below / SAMPLE - (double)(k + j + 1) / CELLS);
            if (gap > distance) distance = gap;
        }
        const double expected = (double)SAMPLE / COARSE;
        chi += (cell - expected) * (cell - expected) / expected;
    }
    if (chi > 135 || distance * 1024 > 2.8)
        fail_msg("law %d(%g, %g), %s: chi-square %g of 63 degrees, distance %g / sqrt(n)",
                 (int)c->law, c->a, c->b, what, chi, distance * 1024);
}

/* Chi-square over counts that are expected 50 times and more, the rest together; refused beyond 5.5
 * deviations. */
static void check_counts(double lambda, const char *what)
{
    static uint32_t seen[8192];
    double chi = 0, rest = SAMPLE, rest_seen = SAMPLE, cells = 0;
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < SAMPLE; ++i) seen[values[i] < 8191 ? (int)values[i] : 8191]++;
    for (int k = 0; k < 8191; ++k) {
        const double expected = SAMPLE * exp(k * log(lambda) - lambda - lgamma(k + 1.0));
        if (expected < 50) continue;
        chi += (seen[k] - expected) * (seen[k] - expected) / expected;
        rest -= expected, rest_seen -= seen[k], cells++;
    }
    if (rest > 5) chi += (rest_seen - rest) * (rest_seen - rest) / rest, cells++;
    const double z = (chi - (cells - 1)) / sqrt(2 * (cells - 1));
    if (z > 5.5)
        fail_msg("Poisson(%g), %s: chi-square %g of %g degrees", lambda, what, chi, cells - 1);
}

static void check_law(bool single)
{
    for (int i = 0; i < CASES; ++i) {
        /* deviates below the least float */
        if (single && cases[i].law == LEVY_DRAW_GAMMA && cases[i].a < 0.3) continue;
        fill(fastest(single), single, job_of(&cases[i], 42 + (uint64_t)i), SAMPLE, values);
        check_moments(&cases[i], single);
        if (cases[i].law == LEVY_DRAW_POISSON)
            check_counts(cases[i].a, single ? "single" : "double");
        else
            check_cells(&cases[i], single ? "single" : "double");
    }
}
static void laws_double(void **state)
{
    (void)state;
    check_law(false);
}
static void laws_single(void **state)
{
    (void)state;
    check_law(true);
}

/* ---- Bits ------------------------------------------------------------------------------------ */

static uint64_t hash_values(uint64_t hash, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        /* upper bits alone would not reach lower ones */
        hash = (hash ^ bits ^ bits >> 31) * 1099511628211u;
    }
    return hash;
}

/* All cases, 4,096 draws and 256 words each. tests/distributions_host.cpp does the same. */
static uint64_t hash_of(const levy_draw_isa *isa, bool single)
{
    uint64_t hash = 14695981039346656037u;
    for (uint32_t i = 0; i < 256; ++i) words[i] = i * 0x01010101u ^ i << 13;
    for (int i = 0; i < CASES; ++i) {
        levy_draw_job job = job_of(&cases[i], 42);
        fill(isa, single, job, 4096, values);
        hash = hash_values(hash, 4096);
        job.words = words;
        fill(isa, single, job, 256, values);
        hash = hash_values(hash, 256);
    }
    return hash;
}

static void check_hash(bool single)
{
    char path[512], name[16];
    unsigned long long golden = 0;
    snprintf(path, sizeof path, "%s/tests/known_answers/distributions_hash.txt", LEVY_SOURCE_DIR);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (char line[256]; fgets(line, sizeof line, file);)
        if (line[0] != '#' && sscanf(line, "%15s %llx", name, &golden) == 2 &&
            strcmp(name, single ? "single" : "double") == 0)
            break;
    fclose(file);
    for (int b = 0; b < n_builds; ++b) {
        const unsigned long long hash = hash_of(builds[single][b], single);
        if (hash != golden)
            fail_msg("%s, %s: %016llx, not %016llx", builds[single][b]->name,
                     single ? "single" : "double", hash, golden);
    }
}
static void hash_double(void **state)
{
    (void)state;
    check_hash(false);
}
static void hash_single(void **state)
{
    (void)state;
    check_hash(true);
}

/* A draw among draws of other parameters is the draw alone, in any split, at any place. */
static void lanes_are_alone(void **state)
{
    static const double mixes[LEVY_DRAW_GAMMA_TABLE][2][7] = {
        {{1, 2, 3, 4, 5, 6, 7}, {0}},
        {{0, 1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 7}},
        {{0.01, 0.9, 1, 1.0001, 30, 5, 0.5}, {1, 1, 2, 1, 3, 1, 1}},
        {{0, 0.5, 6, 63.9, 64.1, 50, 1e5}, {0}},
        {{0.1, 1, 1.1, 40, 3, 0.9, 2}, {0, 1, 20, 3, 1e3, 40, 0.1}},
    };
    enum { N = 2000 };
    static double a[N], b[N];
    (void)state;
    for (int law = 0; law < LEVY_DRAW_GAMMA_TABLE; ++law)
        for (int by_word = 0; by_word < 2; ++by_word) {
            for (int i = 0; i < N; ++i)
                a[i] = mixes[law][0][i * 5 % 7], b[i] = mixes[law][1][i * 5 % 7],
                words[i] = (uint32_t)i * 2654435769u;
            levy_draw_job mixed = {.law = (levy_draw_law)law,
                                   .seed = 9,
                                   .first = 0xffffff00u,
                                   .each = {a, b},
                                   .words = by_word ? words : NULL};
            fill(fastest(false), false, mixed, N, values);
            for (int k = 0; k < 7; ++k) {
                levy_draw_job plain = mixed;
                plain.each[0] = plain.each[1] = NULL;
                plain.parameters[0] = mixes[law][0][k], plain.parameters[1] = mixes[law][1][k];
                fill(&levy_draw_scalar_double, false, plain, N, others);
                for (int i = 0; i < N; ++i)
                    if (i * 5 % 7 == k && !(values[i] == others[i]))
                        fail_msg("law %d(%g, %g), draw %d: %a among others, %a alone", law,
                                 plain.parameters[0], plain.parameters[1], i, values[i], others[i]);
            }
            levy_draw_job part = mixed;
            part.first += 777, part.words = by_word ? words + 777 : NULL, part.each[0] = a + 777,
                               part.each[1] = b + 777;
            fill(fastest(false), false, part, 130, others);
            assert_memory_equal(others, values + 777, 130 * sizeof *others);
        }
}

/* ---- Inversion ------------------------------------------------------------------------------- */

static void check_answers(const char *name, levy_draw_law law, int columns, bool single,
                          double bound, double least)
{
    char path[512], line[256];
    int count = 0;
    snprintf(path, sizeof path, "%s/tests/known_answers/%s_inverse.txt", LEVY_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        double a, b = 1, x;
        uint32_t word;
        if (line[0] == '#') continue;
        assert_int_equal(columns == 2 ? sscanf(line, "%lf %lf %x %lf", &a, &b, &word, &x)
                                      : sscanf(line, "%lf %x %lf", &a, &word, &x),
                         columns + 2);
        if (x < least || (single && (a > 1e4 || b > 1e4))) continue; /* single's ranges */
        for (int i = 0; i < n_builds; ++i) {
            const levy_draw_job job = {.law = law, .parameters = {a, b}, .words = &word};
            fill(builds[single][i], single, job, 1, values);
            if (!(fabs(values[0] - x) <= bound * x))
                fail_msg("%s(%g, %g) at %08x, %s: %.17g, not %.17g", name, a, b, word,
                         builds[single][i]->name, values[0], x);
        }
        count++;
    }
    fclose(file);
    assert_true(count >= 40);
}
static void known_gamma(void **state)
{
    (void)state;
    check_answers("gamma", LEVY_DRAW_GAMMA, 1, false, 2e-13, 0);
    check_answers("gamma", LEVY_DRAW_GAMMA, 1, true, 5e-5, 1e-34);
}
static void known_poisson(void **state)
{
    (void)state;
    check_answers("poisson", LEVY_DRAW_POISSON, 1, false, 0, 0);
}
static void known_noncentral(void **state)
{
    (void)state;
    check_answers("noncentral", LEVY_DRAW_NONCENTRAL, 2, false, 1e-12, 0);
    check_answers("noncentral", LEVY_DRAW_NONCENTRAL, 2, true, 5e-5, 1e-30);
}

/* In single up to the functions' own error, but for the exponential. */
static void inversions_are_monotone(void **state)
{
    enum { WINDOW = 2048, WINDOWS = 24 };
    (void)state;
    for (int i = 0; i < CASES; ++i)
        for (int single = 0; single < 2; ++single)
            for (uint32_t w = 0; w < WINDOWS; ++w) {
                const uint32_t start = w == 0   ? 0
                                       : w == 1 ? 0u - WINDOW
                                       : w == 2 ? 0x80000000u - WINDOW / 2
                                                : w * 2654435769u;
                for (uint32_t k = 0; k < WINDOW; ++k) words[k] = start + k;
                levy_draw_job job = job_of(&cases[i], 0);
                job.words = words;
                fill(fastest(single), single, job, WINDOW, values);
                const double slack =
                    !single ? 0
                    : cases[i].law == LEVY_DRAW_EXPONENTIAL || cases[i].law == LEVY_DRAW_POISSON
                        ? 3e-7
                        : 1e-4;
                for (uint32_t k = 1; k < WINDOW; ++k)
                    if (words[k] && !(values[k] >= values[k - 1] - slack * fabs(values[k - 1])))
                        fail_msg("law %d(%g, %g), %s, word %08x: %a after %a", (int)cases[i].law,
                                 cases[i].a, cases[i].b, single ? "single" : "double", words[k],
                                 values[k], values[k - 1]);
            }
}

static void edges(void **state)
{
    static const law_case ends[] = {
        {LEVY_DRAW_GAMMA, 1e-6, 1},       {LEVY_DRAW_GAMMA, 1e12, 1},
        {LEVY_DRAW_POISSON, 0, 0},        {LEVY_DRAW_POISSON, 1e6, 0},
        {LEVY_DRAW_POISSON, 1e9, 0},      {LEVY_DRAW_NONCENTRAL, 1e-6, 1e-9},
        {LEVY_DRAW_NONCENTRAL, 1e9, 1e6}, {LEVY_DRAW_NONCENTRAL, 0.5, 1e6},
    };
    (void)state;
    for (uint32_t i = 0; i < 64; ++i) words[i] = i < 32 ? i * 0x8421084u : ~((i - 32) * 0x8421084u);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
        double mean = 0, variance = 1;
        exact_moments(&ends[i], &mean, &variance);
        levy_draw_job job = job_of(&ends[i], 3);
        for (int by_word = 0; by_word < 2; ++by_word) {
            const size_t n = by_word ? 64 : 10000;
            job.words = by_word ? words : NULL;
            fill(fastest(false), false, job, n, values);
            for (size_t k = 0; k < n; ++k) {
                assert_true(isfinite(values[k]) && values[k] >= 0);
                if (mean > 1e5) assert_true(fabs(values[k] - mean) < 7 * sqrt(variance));
                if (ends[i].law == LEVY_DRAW_POISSON && mean == 0) assert_true(values[k] == 0);
            }
        }
    }
}

/* ---- The public interface -------------------------------------------------------------------- */

static void refuse(levy_context *context, int law, int precision, double a, double b,
                   const char *path, const char *message)
{
    levy_distribution *d;
    const levy_distribution_spec spec = {.struct_size = sizeof spec,
                                         .law = law,
                                         .precision = precision,
                                         .parameters = {a, b},
                                         .threads = 1};
    assert_int_equal(levy_distribution_create(context, &spec, &d), LEVY_STATUS_ARGUMENT);
    assert_null(d);
    assert_int_equal(levy_diagnostic_count(context), 1);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, path);
    assert_string_equal(levy_diagnostic_get(context, 0)->message, message);
}

static void refused_by_name(void **state)
{
    levy_context *context;
    levy_distribution *d;
    (void)state;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    refuse(context, LEVY_LAW_GAMMA, 0, -1, 1, "alpha",
           "is -1; it must be at least 1e-06 and at most 1000000000000");
    refuse(context, LEVY_LAW_GAMMA, 0, 1, NAN, "scale",
           "is not a number; it must be above 0 and at most 1e+300");
    refuse(context, LEVY_LAW_POISSON, 0, -0.5, 0, "mean",
           "is -0.5; it must be at least 0 and at most 1000000000");
    refuse(context, LEVY_LAW_POISSON, 1, 1e8, 0, "mean",
           "is 100000000; it must be at least 0 and at most 1000000");
    refuse(context, LEVY_LAW_EXPONENTIAL, 0, 0, 0, "mean",
           "is 0; it must be above 0 and at most 1e+300");
    refuse(context, LEVY_LAW_NORMAL, 0, 0, -1, "deviation",
           "is -1; it must be at least 0 and at most 1e+300");
    refuse(context, LEVY_LAW_NORMAL, 1, -1e31, 1, "mean",
           "is -1e+31; it must be at least -1e+30 and at most 1e+30");
    refuse(context, LEVY_LAW_NONCENTRAL_CHI_SQUARE, 0, 1, -3, "non-centrality",
           "is -3; it must be at least 0 and at most 1000000");
    refuse(context, LEVY_LAW_BETA, 0, 1, 0.001, "beta",
           "is 0.001; it must be at least 0.1 and at most 10000");
    refuse(context, 9, 0, 1, 1, "law", "is none of LEVY_LAW_");
    refuse(context, LEVY_LAW_GAMMA, 5, 1, 1, "precision",
           "is neither LEVY_DISTRIBUTION_DOUBLE nor LEVY_DISTRIBUTION_SINGLE");
    levy_distribution_spec spec = {
        .struct_size = sizeof spec, .law = LEVY_LAW_GAMMA, .parameters = {1, 1}, .isa = "z80"};
    assert_int_equal(levy_distribution_create(context, &spec, &d), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, "device");
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->message, "z80"));
    spec.isa = NULL, spec.device = "gpu";
    assert_int_equal(levy_distribution_create(context, &spec, &d), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, "device");
    spec.device = NULL, spec.per_deviate = 4;
    assert_int_equal(levy_distribution_create(context, &spec, &d), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->message, "is none of 0 to 3");
    spec.law = LEVY_LAW_POISSON, spec.per_deviate = 2;
    assert_int_equal(levy_distribution_create(context, &spec, &d), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->message,
                        "names a parameter that the law does not have");
    spec.law = LEVY_LAW_GAMMA_TABLE;
    assert_int_equal(levy_distribution_create(context, &spec, &d), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->message,
                        "must be 0: a table has one law's quantiles");
    spec.struct_size = 3;
    assert_int_equal(levy_distribution_create(context, &spec, &d), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_distribution_draw(NULL, 1, 0, 0, 1, NULL, &spec, NULL),
                     LEVY_STATUS_ARGUMENT);
    levy_context_destroy(context);
}

static void public_fills(void **state)
{
    levy_context *context;
    levy_distribution *one, *two;
    static double a[100000], b[100000];
    (void)state;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_distribution_spec spec = {
        .struct_size = sizeof spec, .law = LEVY_LAW_GAMMA, .parameters = {0.7, 2}, .threads = 3};
    assert_int_equal(levy_distribution_create(context, &spec, &one), LEVY_STATUS_OK);
    spec.threads = 1, spec.isa = LEVY_TEST_ISA;
    assert_int_equal(levy_distribution_create(context, &spec, &two), LEVY_STATUS_OK);
    levy_context_destroy(context);
    assert_int_equal(levy_distribution_draw(one, 42, 5, 1000, 100000, NULL, a, NULL),
                     LEVY_STATUS_OK);
    assert_int_equal(levy_distribution_draw(two, 42, 5, 1500, 20000, NULL, b, NULL),
                     LEVY_STATUS_OK);
    assert_memory_equal(a + 500, b, 20000 * sizeof *b);
    assert_int_equal(levy_distribution_draw(two, 42, 6, 1500, 1, NULL, b, NULL), LEVY_STATUS_OK);
    assert_true(a[500] != b[0]); /* another stream */
    const uint32_t ordered[] = {0, 1u << 30, 1u << 31, UINT32_MAX};
    assert_int_equal(levy_distribution_invert(one, ordered, 4, NULL, a, NULL), LEVY_STATUS_OK);
    assert_true(a[0] < a[1] && a[1] < a[2] && a[2] < a[3]);
    assert_int_equal(levy_distribution_draw(one, 42, UINT32_MAX, 0, 1, NULL, a, NULL),
                     LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_distribution_draw(one, 42, 0, UINT64_MAX, 1, NULL, a, NULL),
                     LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_distribution_draw(one, 42, 0, 0, 0, NULL, NULL, NULL), LEVY_STATUS_OK);
    levy_distribution_destroy(one);
    levy_distribution_destroy(two);
    levy_distribution_destroy(NULL);
}

static levy_distribution *made_of(levy_context *context, levy_distribution_spec spec)
{
    levy_distribution *d;
    spec.struct_size = sizeof spec;
    assert_int_equal(levy_distribution_create(context, &spec, &d), LEVY_STATUS_OK);
    return d;
}

/* Deviate k of an array's parameters is that of element k alone, in draws and in quantiles. */
static void public_arrays(void **state)
{
    enum { N = 20011 };
    static double degrees[N], centre[N], draws[N], one[2];
    levy_context *context;
    (void)state;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    for (size_t k = 0; k < N; ++k)
        degrees[k] = 0.5 + (double)(k % 7), centre[k] = (double)(k % 5) * 3.0,
        words[k] = (uint32_t)k * 2654435769u;
    levy_distribution *const both = made_of(
        context, (levy_distribution_spec){
                     .law = LEVY_LAW_NONCENTRAL_CHI_SQUARE, .per_deviate = 3, .threads = 2});
    const void *const given[2] = {degrees, centre};
    for (int invert = 0; invert < 2; ++invert) {
        assert_int_equal(invert ? levy_distribution_invert(both, words, N, given, draws, NULL)
                                : levy_distribution_draw(both, 4, 2, 77, N, given, draws, NULL),
                         LEVY_STATUS_OK);
        for (size_t k = 0; k < N; k += 997) {
            levy_distribution *const alone =
                made_of(context, (levy_distribution_spec){.law = LEVY_LAW_NONCENTRAL_CHI_SQUARE,
                                                          .parameters = {degrees[k], NAN},
                                                          .per_deviate = 2,
                                                          .isa = LEVY_TEST_ISA,
                                                          .threads = 1});
            const void *const rest[2] = {NULL, centre + k};
            assert_int_equal(invert
                                 ? levy_distribution_invert(alone, words + k, 1, rest, one, NULL)
                                 : levy_distribution_draw(alone, 4, 2, 77 + k, 1, rest, one, NULL),
                             LEVY_STATUS_OK);
            assert_memory_equal(one, draws + k, sizeof *one);
            levy_distribution_destroy(alone);
        }
    }
    levy_distribution_destroy(both);
    levy_context_destroy(context);
}

static void public_arrays_refused(void **state)
{
    levy_context *context;
    float mean[4] = {1.0f, 0.0f, 1e6f, 3.0f};
    uint32_t counts[4] = {9, 9, 9, 9};
    char unaligned[24];
    (void)state;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_distribution *const d = made_of(
        context,
        (levy_distribution_spec){.law = LEVY_LAW_POISSON, .precision = 1, .per_deviate = 1});
    levy_distribution *const plain =
        made_of(context, (levy_distribution_spec){.law = LEVY_LAW_POISSON});
    const void *given[2] = {mean, NULL};
    const levy_distribution_facts *const facts = levy_distribution_info(d);
    assert_string_equal(facts->backend, "cpu");
    assert_string_equal(facts->device_reason, "as asked");
    assert_true(facts->threads >= 1 && facts->registers == -1);
    assert_null(levy_distribution_info(NULL));
    assert_int_equal(levy_distribution_draw(d, 1, 0, 0, 4, given, counts, NULL), LEVY_STATUS_OK);
    assert_int_equal(counts[1], 0);
    memset(counts, 0xff, sizeof counts);
    const float bad[] = {-1.0f, NAN, INFINITY, 1.01e6f};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        mean[3] = bad[i];
        assert_int_equal(levy_distribution_draw(d, 1, 0, 0, 4, given, counts, NULL),
                         LEVY_STATUS_ARGUMENT);
        assert_int_equal(levy_distribution_invert(d, words, 4, given, counts, NULL),
                         LEVY_STATUS_ARGUMENT);
        assert_int_equal(counts[0], UINT32_MAX);
        assert_int_equal(levy_distribution_draw(d, 1, 0, 0, 3, given, counts + 1, NULL),
                         LEVY_STATUS_OK); /* the element is past the end */
        memset(counts, 0xff, sizeof counts);
    }
    mean[3] = 1.0f;
    assert_int_equal(levy_distribution_draw(d, 1, 0, 0, 4, NULL, counts, NULL),
                     LEVY_STATUS_ARGUMENT); /* an array that is missing, one that is too many */
    assert_int_equal(levy_distribution_draw(plain, 1, 0, 0, 4, given, counts, NULL),
                     LEVY_STATUS_ARGUMENT);
    given[1] = mean;
    assert_int_equal(levy_distribution_draw(d, 1, 0, 0, 4, given, counts, NULL),
                     LEVY_STATUS_ARGUMENT);
    given[0] = unaligned + 1, given[1] = NULL;
    assert_int_equal(levy_distribution_draw(d, 1, 0, 0, 4, given, counts, NULL),
                     LEVY_STATUS_ARGUMENT);
    given[0] = mean;
    assert_int_equal(levy_distribution_draw(d, 1, 0, 0, 4, given, unaligned + 1, NULL),
                     LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_distribution_draw(d, 1, 0, 0, SIZE_MAX / 8, given, counts, NULL),
                     LEVY_STATUS_ARGUMENT);
    levy_distribution_destroy(d);
    levy_distribution_destroy(plain);
    levy_context_destroy(context);
}

/* ---- Laws by table --------------------------------------------------------------------------- */

/* P(X <= x) of a law with a closed form: an inverse Gaussian of mean 1; a beta of which one shape
 * is 1. */
static double closed_form(const levy_distribution_spec *s, double x)
{
    const double a = s->parameters[0], b = s->parameters[1];
    if (s->law == LEVY_LAW_BETA && x >= 1) return 1;
    if (s->law == LEVY_LAW_BETA) return b == 1.0 ? pow(x, a) : -expm1(b * log1p(-x));
    const double y = x / a, root = sqrt(b / y);
    return normal_cdf(root * (y - 1)) + exp(2 * b) * normal_cdf(-root * (y + 1));
}

static void check_tabulated(levy_context *context, const levy_distribution_spec *spec)
{
    enum { N = 4096 };
    levy_distribution *const d = made_of(context, *spec);
    for (uint32_t k = 0; k < N; ++k) words[k] = k << 20;
    for (uint32_t k = 0; k < 64; ++k) words[k] = k, words[N - 1 - k] = UINT32_MAX - k;
    assert_int_equal(levy_distribution_invert(d, words, N, NULL, values, NULL), LEVY_STATUS_OK);
    assert_true(levy_distribution_info(d)->table_bytes > 1000);
    for (uint32_t k = 0; k < N; ++k) {
        const double p = (words[k] + 0.5) * 0x1p-32, x = values[k], mean = spec->parameters[0],
                     slack = 1e-10 * (x + (spec->law == LEVY_LAW_BETA ? 1.0 : mean) / 64);
        const double least = closed_form(spec, x > slack ? x - slack : 0.0),
                     most = closed_form(spec, x + slack);
        if (!(least <= p * (1 + 1e-11) && most >= p * (1 - 1e-11)))
            fail_msg("law %d(%g, %g) at %08x: %.17g, whose p is %.17g for %.17g", spec->law,
                     spec->parameters[0], spec->parameters[1], words[k], x, closed_form(spec, x),
                     p);
        if (k > 0 && !(x >= values[k - 1])) fail_msg("law %d falls at %08x", spec->law, words[k]);
    }
    levy_distribution_destroy(d);
}

static void tables_hold_closed_forms(void **state)
{
    static const levy_distribution_spec specs[] = {
        {.law = LEVY_LAW_BETA, .parameters = {0.1, 1}},
        {.law = LEVY_LAW_BETA, .parameters = {0.7, 1}},
        {.law = LEVY_LAW_BETA, .parameters = {1, 0.1}},
        {.law = LEVY_LAW_BETA, .parameters = {1, 1e4}},
        {.law = LEVY_LAW_BETA, .parameters = {1, 30}},
        {.law = LEVY_LAW_INVERSE_GAUSSIAN, .parameters = {1, 0.01}},
        {.law = LEVY_LAW_INVERSE_GAUSSIAN, .parameters = {3, 0.5}},
        {.law = LEVY_LAW_INVERSE_GAUSSIAN, .parameters = {1e-6, 7}},
        {.law = LEVY_LAW_INVERSE_GAUSSIAN, .parameters = {1, 100}},
    };
    levy_context *context;
    (void)state;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; ++i) check_tabulated(context, &specs[i]);
    levy_context_destroy(context);
}

/* The table's gamma is the inversion's, to the table's tolerance; its draws are quantiles of the
 * words that other laws of one word have. */
static void a_gamma_by_table_is_a_gamma(void **state)
{
    static const double alphas[] = {0.01, 0.3, 1, 5, 31.5, 33, 1e3, 1e4};
    enum { N = 3000 };
    static float floats[N];
    levy_context *context;
    (void)state;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    for (uint32_t k = 0; k < N; ++k) words[k] = k * 2654435769u;
    words[1] = UINT32_MAX;
    for (size_t i = 0; i < sizeof alphas / sizeof *alphas; ++i) {
        levy_distribution_spec spec = {.law = LEVY_LAW_GAMMA_TABLE, .parameters = {alphas[i], 2.5}};
        levy_distribution *const table = made_of(context, spec);
        spec.precision = LEVY_DISTRIBUTION_SINGLE;
        levy_distribution *const single = made_of(context, spec);
        spec.precision = LEVY_DISTRIBUTION_DOUBLE, spec.law = LEVY_LAW_GAMMA;
        levy_distribution *const inverse = made_of(context, spec);
        assert_int_equal(levy_distribution_invert(table, words, N, NULL, values, NULL), 0);
        assert_int_equal(levy_distribution_invert(single, words, N, NULL, floats, NULL), 0);
        assert_int_equal(levy_distribution_invert(inverse, words, N, NULL, others, NULL), 0);
        for (uint32_t k = 0; k < N; ++k) {
            const double unit = others[k] + alphas[i] * 2.5 / 64;
            if (!(fabs(values[k] - others[k]) <= 1e-10 * unit) ||
                !(fabs((double)floats[k] - others[k]) <= 2e-6 * unit))
                fail_msg("gamma(%g) at %08x: %.17g, in single %.9g, not %.17g", alphas[i], words[k],
                         values[k], (double)floats[k], others[k]);
        }
        levy_distribution_destroy(table);
        levy_distribution_destroy(single);
        levy_distribution_destroy(inverse);
    }
    levy_context_destroy(context);
}

static void draws_by_table_are_quantiles(void **state)
{
    enum { N = 1500 };
    static uint32_t drawn[N];
    static double uniform[N];
    levy_context *context;
    (void)state;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_distribution *const flat =
        made_of(context, (levy_distribution_spec){.law = LEVY_LAW_EXPONENTIAL, .parameters = {1}});
    assert_int_equal(levy_distribution_draw(flat, 8, 3, 70, N, NULL, uniform, NULL), 0);
    for (int k = 0; k < N; ++k) /* the words of these draws */
        drawn[k] = (uint32_t)floor(-expm1(-uniform[k]) * 0x1p32);
    for (int law = LEVY_LAW_GAMMA_TABLE; law <= LEVY_LAW_INVERSE_GAUSSIAN; ++law) {
        levy_distribution *const d = made_of(
            context, (levy_distribution_spec){.law = law, .parameters = {2, 0.5}, .threads = 1});
        assert_int_equal(levy_distribution_draw(d, 8, 3, 70, N, NULL, values, NULL), 0);
        assert_int_equal(levy_distribution_invert(d, drawn, N, NULL, others, NULL), 0);
        assert_memory_equal(values, others, N * sizeof *values);
        assert_int_equal(levy_distribution_draw(d, 8, 3, 70 + 999, 400, NULL, others, NULL), 0);
        assert_memory_equal(values + 999, others, 400 * sizeof *values);
        levy_distribution_destroy(d);
    }
    levy_distribution_destroy(flat);
    levy_context_destroy(context);
}

/* Neighbouring words, at the ends, around the middle and wherever octaves and cells may meet. */
static void tables_are_monotone(void **state)
{
    static const double shapes[][2] = {{0.1, 0.1}, {0.1, 1e4}, {1e4, 0.1}, {1e4, 1e4}, {2, 7}};
    enum { WINDOW = 2048, WINDOWS = 40 };
    levy_context *context;
    (void)state;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    for (size_t i = 0; i < 3 * sizeof shapes / sizeof *shapes; ++i) {
        const int law = LEVY_LAW_GAMMA_TABLE + (int)i % 3;
        levy_distribution *const d =
            made_of(context, (levy_distribution_spec){
                                 .law = law, .parameters = {shapes[i / 3][0], shapes[i / 3][1]}});
        for (uint32_t w = 0; w < WINDOWS; ++w) {
            const uint32_t start = w == 0   ? 0
                                   : w < 32 ? (1u << w) - WINDOW / 2
                                   : w < 36 ? 0u - (1u << (w - 20)) - WINDOW / 2
                                   : w < 37 ? 0u - WINDOW
                                            : w * 2654435769u;
            for (uint32_t k = 0; k < WINDOW; ++k) words[k] = start + k;
            assert_int_equal(levy_distribution_invert(d, words, WINDOW, NULL, values, NULL), 0);
            for (uint32_t k = 1; k < WINDOW; ++k)
                if (words[k] && !(values[k] >= values[k - 1]))
                    fail_msg("law %d(%g, %g), word %08x: %a after %a", law, shapes[i / 3][0],
                             shapes[i / 3][1], words[k], values[k], values[k - 1]);
        }
        levy_distribution_destroy(d);
    }
    levy_context_destroy(context);
}

/* On every instruction set of this processor. */
static void tables_have_one_set_of_bits(void **state)
{
    enum { N = 2048 };
    static double want[N];
    (void)state;
    for (int law = LEVY_DRAW_GAMMA_TABLE; law < LEVY_DRAW_LAWS; ++law)
        for (int single = 0; single < 2; ++single) {
            levy_draw_table table;
            assert_int_equal(levy_draw_table_create(&levy_memory_default, (levy_draw_law)law,
                                                    single, (const double[]){0.7, 3}, &table),
                             LEVY_OK);
            const levy_draw_job job = {
                .law = (levy_draw_law)law, .seed = 3, .table = table.rows, .scale = table.scale};
            fill(builds[single][0], single, job, N, want);
            for (int b = 1; b < n_builds; ++b) {
                fill(builds[single][b], single, job, N, values);
                assert_memory_equal(values, want, sizeof want);
            }
            levy_draw_table_release(&levy_memory_default, &table);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hash_double),
                                       cmocka_unit_test(hash_single),
                                       cmocka_unit_test(laws_double),
                                       cmocka_unit_test(laws_single),
                                       cmocka_unit_test(lanes_are_alone),
                                       cmocka_unit_test(known_gamma),
                                       cmocka_unit_test(known_poisson),
                                       cmocka_unit_test(known_noncentral),
                                       cmocka_unit_test(inversions_are_monotone),
                                       cmocka_unit_test(edges),
                                       cmocka_unit_test(refused_by_name),
                                       cmocka_unit_test(public_fills),
                                       cmocka_unit_test(public_arrays),
                                       cmocka_unit_test(public_arrays_refused),
                                       cmocka_unit_test(tables_hold_closed_forms),
                                       cmocka_unit_test(a_gamma_by_table_is_a_gamma),
                                       cmocka_unit_test(draws_by_table_are_quantiles),
                                       cmocka_unit_test(tables_are_monotone),
                                       cmocka_unit_test(tables_have_one_set_of_bits)};
    return cmocka_run_group_tests(tests, find_builds, NULL);
}
