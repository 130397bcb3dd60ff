/* test_normal.c: the inverse normal over its whole domain, 2^32 words: error of the single function against the double one (whose
 * own error, a 2^-29th of a single's place, is in test_lane.c), antisymmetry, order and finiteness of both. Every 61st run of
 * words by default; LEVY_TEST_FULL=1 takes them all (a minute on two cores of a server) and prints what it found. */
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

/* A run of words; and the word after it, so that order is seen across runs. The upper half of the words mirrors the lower. */
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

static probe_run *fastest(bool single)
{
#if defined(__x86_64__)
    if (levy_cpu_supports("avx512")) return single ? lane_probe_run_avx512_single : lane_probe_run_avx512_double;
    if (levy_cpu_supports("avx2")) return single ? lane_probe_run_avx2_single : lane_probe_run_avx2_double;
#elif defined(__aarch64__)
    return single ? lane_probe_run_neon_single : lane_probe_run_neon_double;
#endif
    return single ? lane_probe_run_baseline_single : lane_probe_run_baseline_double;
}

/* What one thread found. `back`: the largest step back from a word to the next, in ulp. */
typedef struct swept {
    double worst, total, back;
    uint32_t where, back_where;
    uint64_t words, uneven, infinite, unordered; /* of either function; unordered: double only */
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

static void sweep_words(swept *s, uint32_t start)
{
    probe_run *const single = fastest(true), *const exact = fastest(false);
    for (uint32_t i = 0; i <= RUN; ++i) s->in[i] = (double)(start + i);
    single(PROBE_NORMAL, s->in, s->z, RUN + 1);
    exact(PROBE_NORMAL, s->in, s->exact, RUN + 1);
    for (uint32_t i = 0; i < RUN; ++i) {
        const double error = fabs(s->z[i] - s->exact[i]) / place(s->exact[i]);
        const double back = s->z[i] > s->z[i + 1] ? (s->z[i] - s->z[i + 1]) / place(s->exact[i]) : 0.0;
        s->total += error;
        if (!(error <= s->worst)) s->worst = error, s->where = start + i;
        if (back > s->back) s->back = back, s->back_where = start + i;
        s->infinite += !(fabs(s->z[i]) < 6.3381) + !(fabs(s->exact[i]) < 6.3381);
        s->unordered += !(s->exact[i] < s->exact[i + 1]);
    }
    for (uint32_t i = 0; i < RUN; ++i) s->in[i] = (double)(uint32_t)~(start + i);
    single(PROBE_NORMAL, s->in, s->mirror, RUN);
    for (uint32_t i = 0; i < RUN; ++i) s->uneven += s->mirror[i] != -s->z[i];
    exact(PROBE_NORMAL, s->in, s->mirror, RUN);
    for (uint32_t i = 0; i < RUN; ++i) s->uneven += s->mirror[i] != -s->exact[i];
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
}

static void test_every_word_has_its_normal(void **state)
{
    (void)state;
    const char *const full = getenv("LEVY_TEST_FULL");
    const bool all = full && strcmp(full, "0") != 0;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const uint32_t n = cores < 1 ? 1 : cores > MOST_THREADS ? (uint32_t)MOST_THREADS : (uint32_t)cores;
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
    sweep_words(sum, (half_runs - 1) * RUN); /* the centre, whatever the stride */
    print_message("%.0f words; single: largest error %.2f ulp at %08x, mean %.3f; largest step back %.2f ulp at %08x\n", (double)sum->words,
                  sum->worst, (unsigned)sum->where, 2.0 * sum->total / (double)sum->words, sum->back, (unsigned)sum->back_where);
    assert_true(sum->worst <= 6.6);
    assert_true(2.0 * sum->total / (double)sum->words <= 0.85);
    assert_true(sum->back <= 5.5);
    assert_int_equal(sum->infinite, 0);
    assert_int_equal(sum->unordered, 0);
    assert_int_equal(sum->uneven, 0);
    if (all) assert_true(sum->words >= (uint64_t)1 << 32);
    free(parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_word_has_its_normal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
