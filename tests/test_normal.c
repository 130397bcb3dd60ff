/* test_normal.c: the inverse normal over its whole domain, 2^32 words: error of the single function
 * against the double one (whose own error is a 2^-29th of a single's place), antisymmetry, order
 * and finiteness of both; error of the double function against normals of twice its precision.
 * Those grow as a Taylor series from points of 60 digits (known_answers/normal_runs.txt): z by the
 * word is z' = g, g' = z g^2. Every 61st run of words by default, and the runs around the points;
 * LEVY_TEST_FULL=1 takes them all (a minute on two cores of a server) and prints what it found. */
#include "tests/cmocka_all.h"

#include "kernels/cpu/cpu_features.h"
#include "tests/lane_probe.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A run of words; and the word after it, so that order is seen across runs. The upper half of the
 * words mirrors the lower. */
enum { RUN = 4096, MOST_THREADS = 64, STRIDE = 61 };
static const uint32_t half_runs = (1u << 31) / RUN;

#define DECLARE(isa) extern probe_run lane_probe_run_##isa##_double, lane_probe_run_##isa##_single;
DECLARE(baseline)
#if defined(__x86_64__)
DECLARE(avx2)
DECLARE(avx512)
#elif defined(__aarch64__)
DECLARE(neon)
#endif

static probe_run *fastest_probe(bool single)
{
#if defined(__x86_64__)
    if (levy_cpu_supports("avx512"))
        return single ? lane_probe_run_avx512_single : lane_probe_run_avx512_double;
    if (levy_cpu_supports("avx2"))
        return single ? lane_probe_run_avx2_single : lane_probe_run_avx2_double;
#elif defined(__aarch64__)
    return single ? lane_probe_run_neon_single : lane_probe_run_neon_double;
#endif
    return single ? lane_probe_run_baseline_single : lane_probe_run_baseline_double;
}

/* What one thread found. `back`: the largest step back from a word to the next, in ulp. */
typedef struct swept {
    double worst, total, back;
    uint32_t where, back_where;
    /* of either function; the last two: double only */
    uint64_t words, uneven, infinite, unordered, checksum;
    uint32_t first, stride;
    double in[RUN + 1], z[RUN + 1], mirror[RUN + 1], exact[RUN + 1];
} swept;

/* Units of the last place of a float near z; none of those met is subnormal. */
static double place(double z)
{
    uint64_t bits;
    memcpy(&bits, &z, sizeof bits);
    bits = (bits & 0x7ff0000000000000u) - (23ull << 52);
    memcpy(&z, &bits, sizeof z);
    return z;
}

/* Summed over words in any order; what a GPU finds is compared (normal_cuda.cu). */
static uint64_t weigh(uint32_t word, double z)
{
    uint64_t bits;
    memcpy(&bits, &z, sizeof bits);
    bits += word * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93u;
    return bits ^ bits >> 32;
}

static void sweep_words(swept *s, uint32_t start)
{
    probe_run *const single = fastest_probe(true), *const exact = fastest_probe(false);
    for (uint32_t i = 0; i <= RUN; ++i) s->in[i] = (double)(start + i);
    single(PROBE_NORMAL, s->in, s->z, RUN + 1);
    exact(PROBE_NORMAL, s->in, s->exact, RUN + 1);
    for (uint32_t i = 0; i < RUN; ++i) {
        const double error = fabs(s->z[i] - s->exact[i]) / place(s->exact[i]);
        const double back =
            s->z[i] > s->z[i + 1] ? (s->z[i] - s->z[i + 1]) / place(s->exact[i]) : 0.0;
        s->total += error;
        if (!(error <= s->worst)) s->worst = error, s->where = start + i;
        if (back > s->back) s->back = back, s->back_where = start + i;
        s->infinite += !(fabs(s->z[i]) < 6.3381) + !(fabs(s->exact[i]) < 6.3381);
        s->unordered += !(s->exact[i] < s->exact[i + 1]);
        s->checksum += weigh(start + i, s->exact[i]);
    }
    for (uint32_t i = 0; i < RUN; ++i) s->in[i] = (double)(uint32_t) ~(start + i);
    single(PROBE_NORMAL, s->in, s->mirror, RUN);
    for (uint32_t i = 0; i < RUN; ++i) s->uneven += s->mirror[i] != -s->z[i];
    exact(PROBE_NORMAL, s->in, s->mirror, RUN);
    for (uint32_t i = 0; i < RUN; ++i) {
        s->uneven += s->mirror[i] != -s->exact[i];
        s->checksum += weigh(~(start + i), s->mirror[i]);
    }
    s->words += 2 * RUN;
}

/* Runs of the lower half; the last run's successor is the first word of the upper half. */
static void *sweep(void *argument)
{
    swept *const s = argument;
    for (uint32_t run = s->first; run < half_runs; run += s->stride) sweep_words(s, run * RUN);
    return NULL;
}

static void add(swept *sum, const swept *part)
{
    if (!(part->worst <= sum->worst)) sum->worst = part->worst, sum->where = part->where;
    if (part->back > sum->back) sum->back = part->back, sum->back_where = part->back_where;
    sum->total += part->total;
    sum->words += part->words;
    sum->uneven += part->uneven;
    sum->infinite += part->infinite;
    sum->unordered += part->unordered;
    sum->checksum += part->checksum;
}

static void check_checksum(uint64_t got)
{
    char name[16];
    unsigned long long golden = 0, value;
    FILE *const file = fopen(LEVY_SOURCE_DIR "/tests/known_answers/lane_hash.txt", "r");
    assert_non_null(file);
    for (char line[256]; fgets(line, sizeof line, file);)
        if (line[0] != '#' && sscanf(line, "%15s %llx", name, &value) == 2 &&
            strcmp(name, "normals") == 0)
            golden = value;
    fclose(file);
    if (got != golden)
        fail_msg("checksum of all normals in double: %016llx, not %016llx", (unsigned long long)got,
                 golden);
}

static bool takes_all(void)
{
    const char *const full = getenv("LEVY_TEST_FULL");
    return full && strcmp(full, "0") != 0;
}

static void test_every_word_has_its_normal(void **state)
{
    (void)state;
    const bool all = takes_all();
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const uint32_t n = cores < 1              ? 1
                       : cores > MOST_THREADS ? (uint32_t)MOST_THREADS
                                              : (uint32_t)cores;
    pthread_t threads[MOST_THREADS];
    swept *const parts = calloc(n + 1, sizeof *parts), *const sum = &parts[n];
    assert_non_null(parts);
    for (uint32_t i = 0; i < n; ++i) {
        parts[i].stride = n * (all ? 1 : (uint32_t)STRIDE);
        parts[i].first = i * (all ? 1 : (uint32_t)STRIDE);
        assert_int_equal(pthread_create(&threads[i], NULL, sweep, &parts[i]), 0);
    }
    for (uint32_t i = 0; i < n; ++i) {
        pthread_join(threads[i], NULL);
        add(sum, &parts[i]);
    }
    const uint64_t checksum = sum->checksum;
    sweep_words(sum, (half_runs - 1) * RUN); /* the centre, whatever the stride */
    print_message("%.0f words; single: largest error %.2f ulp at %08x, mean %.3f; largest step "
                  "back %.2f ulp at %08x\n",
                  (double)sum->words, sum->worst, (unsigned)sum->where,
                  2.0 * sum->total / (double)sum->words, sum->back, (unsigned)sum->back_where);
    assert_true(sum->worst <= 6.6);
    assert_true(2.0 * sum->total / (double)sum->words <= 0.85);
    assert_true(sum->back <= 5.5);
    assert_int_equal(sum->infinite, 0);
    assert_int_equal(sum->unordered, 0);
    assert_int_equal(sum->uneven, 0);
    if (all) assert_true(sum->words >= (uint64_t)1 << 32);
    if (all) check_checksum(checksum);
    free(parts);
}

/* ---- The double function --------------------------------------------------------------------- */

/* A number in two parts: 2^-104 of it is lost by a sum or a product. */
typedef struct pair {
    double high, low;
} pair;

static pair pair_of(double a, double b) /* |a| >= |b| */
{
    const double sum = a + b;
    return (pair){sum, b - (sum - a)};
}

static pair pair_add(pair a, pair b)
{
    const double sum = a.high + b.high, part = sum - a.high;
    const double rest = (a.high - (sum - part)) + (b.high - part);
    return pair_of(sum, rest + (a.low + b.low));
}

static pair pair_mul(pair a, pair b)
{
    const double product = a.high * b.high, rest = fma(a.high, b.high, -product);
    return pair_of(product, rest + (a.high * b.low + a.low * b.high));
}

/* z and dz/dword around a word as series in words from there. */
enum { TERMS = 11, LEAST_WORD = 1024 }; /* of words below that, some are in lane_normal.txt */
typedef struct series {
    double word;
    pair z[TERMS], g[TERMS];
} series;

static void series_grow(series *s)
{
    pair v[TERMS]; /* z g */
    for (int k = 0; k + 1 < TERMS; ++k) {
        pair sum = {0.0, 0.0};
        for (int i = 0; i <= k; ++i) sum = pair_add(sum, pair_mul(s->z[i], s->g[k - i]));
        v[k] = sum;
        sum = (pair){0.0, 0.0};
        for (int i = 0; i <= k; ++i) sum = pair_add(sum, pair_mul(v[i], s->g[k - i]));
        const double inverse = 1.0 / (k + 1);
        const pair weight = {inverse, fma(-inverse, k + 1, 1.0) * inverse};
        s->g[k + 1] = pair_mul(sum, weight);
        s->z[k + 1] = pair_mul(s->g[k], weight);
    }
}

static pair series_at(const pair a[TERMS], double h)
{
    pair sum = a[TERMS - 1];
    for (int k = TERMS - 2; k >= 0; --k) sum = pair_add(pair_mul(sum, (pair){h, 0.0}), a[k]);
    return sum;
}

/* Words on each side that a series serves: a 512th of the word at most, which leaves 2^-75 of z. */
static double series_reach(double word) { return word >= 0x1p20 ? 2048.0 : floor(word / 512.0); }

static void series_move(series *s, double word)
{
    const double h = word - s->word;
    const pair z = series_at(s->z, h), g = series_at(s->g, h);
    s->word = word;
    s->z[0] = z;
    s->g[0] = g;
    series_grow(s);
}

/* Errors in ulp of the answer. `reached`: the word after the last run, `gaps`: runs that began
 * beyond it. */
typedef struct measured {
    double worst, total, reached;
    uint32_t where;
    uint64_t words, above, gaps;
} measured;

static void measure_run(measured *m, const series *s, double first, size_t count)
{
    static double in[RUN], out[RUN];
    assert_true(count <= RUN);
    for (size_t i = 0; i < count; ++i) in[i] = first + (double)i;
    fastest_probe(false)(PROBE_NORMAL, in, out, count);
    for (size_t i = 0; i < count; ++i) {
        const double h = in[i] - s->word;
        double rest = 0.0;
        for (int k = 8; k >= 2; --k) rest = fma(rest, h, s->z[k].high);
        rest = fma(rest, h * h, fma(s->g[0].low, h, s->z[0].low));
        const double error =
            fabs(fma(-h, s->g[0].high, out[i] - s->z[0].high) - rest) / (place(out[i]) * 0x1p-29);
        m->total += error;
        m->above += error > 1.5;
        if (!(error <= m->worst)) m->worst = error, m->where = (uint32_t)in[i];
    }
    m->words += count;
    m->gaps += first > m->reached;
    m->reached = first + (double)count;
}

/* Runs side by side from a point on, until one holds `end`. */
static void measure_from(measured *m, series *s, double end)
{
    for (;;) {
        const double reach = series_reach(s->word), next = s->word + reach;
        measure_run(m, s, s->word - reach, (size_t)(2.0 * reach));
        if (next >= end) return;
        /* whose reach may be a word more, which leaves no gap */
        series_move(s, next + series_reach(next));
    }
}

static void test_double_is_within_two_places(void **state)
{
    (void)state;
    static series s, next;
    measured m = {.reached = LEAST_WORD};
    const bool all = takes_all();
    char line[256];
    FILE *const file = fopen(LEVY_SOURCE_DIR "/tests/known_answers/normal_runs.txt", "r");
    assert_non_null(file);
    int points = 0;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%la %la %la %la %la", &next.word, &next.z[0].high,
                                &next.z[0].low, &next.g[0].high, &next.g[0].low),
                         5);
        if (points++ > 0) measure_from(&m, &s, all ? next.word - series_reach(next.word) : 0.0);
        s = next;
        series_grow(&s);
    }
    fclose(file);
    assert_true(points >= 600);
    measure_from(&m, &s, all ? 0x1p31 - RUN / 2 : 0.0);
    /* The centre: z is 0 half a word beyond the lower half. */
    s = (series){.word = 0x1p31 - 0.5, .g[0] = {0x1.40d931ff62706p-31, -0x1.a6a0d6f814637p-85}};
    series_grow(&s);
    measure_run(&m, &s, 0x1p31 - RUN / 2, RUN / 2);
    print_message(
        "%.0f words; double: largest error %.4f ulp at %08x, mean %.4f; above 1.5: %.0f\n",
        (double)m.words, m.worst, (unsigned)m.where, m.total / (double)m.words, (double)m.above);
    assert_true(m.worst <= 2.0);
    assert_true(m.total / (double)m.words <= 0.31);
    if (all) assert_true(m.gaps == 0 && m.reached == 0x1p31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_word_has_its_normal),
                                       cmocka_unit_test(test_double_is_within_two_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
