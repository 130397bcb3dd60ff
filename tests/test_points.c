/* test_points.c: the generators against known answers whose origin the file of answers names. */
#include "tests/cmocka_all.h"

#define LANE_SCALAR
#include "kernels/cpu/cpu_features.h"
#include "kernels/points/mrg_streams.h"
#include "kernels/points/points.h"
#include "kernels/points/sobol_tables.h"
#include "tests/points_probe.h"
#include "tests/sobol_word.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS = 320 };

static uint32_t philox_word(uint64_t key, uint64_t path, uint32_t draw)
{
    points_state p;
    memset(&p, 0, sizeof p);
    p.key = key;
    p.cached = UINT32_MAX;
    p.path_low = lane_word_of((uint32_t)path);
    p.path_high = lane_word_of((uint32_t)(path >> 32));
    return points_philox(&p, draw)[0];
}

static FILE *answers(void)
{
    FILE *const f = fopen(LEVY_SOURCE_DIR "/tests/known_answers/points.txt", "r");
    assert_non_null(f);
    return f;
}

static void test_sobol_known_answers_curand_host(void **state)
{
    (void)state;
    uint32_t *const table = malloc(32 * DIMENSIONS * sizeof *table);
    char line[256];
    unsigned dimension, index, word, n = 0;
    FILE *const f = answers();
    assert_true(levy_sobol_directions(DIMENSIONS, table));
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "sobol %u %u %x", &dimension, &index, &word) == 3) {
            assert_true(dimension < DIMENSIONS);
            assert_int_equal(sobol_word_of(table + 32 * dimension, 0, index), word);
            ++n;
        }
    fclose(f);
    free(table);
    assert_int_equal(n, 110);
}

static void test_philox_known_answers_curand_device(void **state)
{
    (void)state;
    char line[256];
    unsigned long long key, path;
    unsigned draw, word, n = 0;
    FILE *const f = answers();
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "philox %llx %llx %u %x", &key, &path, &draw, &word) == 4) {
            assert_int_equal(philox_word(key, path, draw), word);
            ++n;
        }
    fclose(f);
    assert_int_equal(n, 112);
}

static void test_philox_known_answers_random123(void **state)
{
    (void)state;
    char line[256];
    unsigned c[4], k[2], w[4], n = 0;
    FILE *const f = answers();
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "kat %x %x %x %x %x %x %x %x %x %x", c, c + 1, c + 2, c + 3, k, k + 1, w,
                   w + 1, w + 2, w + 3) == 10) {
            const philox_words got =
                philox_draw((uint64_t)k[1] << 32 | k[0], lane_word_of(c[0]), lane_word_of(c[1]),
                            lane_word_of(c[2]), lane_word_of(c[3]));
            for (int i = 0; i < 4; ++i) assert_int_equal(got.w[i][0], w[i]);
            ++n;
        }
    fclose(f);
    assert_int_equal(n, 3);
}

static void test_philox_order_of_draws_does_not_matter(void **state)
{
    (void)state;
    points_state p;
    memset(&p, 0, sizeof p);
    p.key = 7;
    p.cached = UINT32_MAX;
    p.path_low = lane_word_of(9);
    for (uint32_t draw = 100; draw-- > 0;)
        assert_int_equal(points_philox(&p, draw)[0], philox_word(7, 9, draw));
}

static void test_sobol_table_reads_all_dimensions(void **state)
{
    (void)state;
    uint32_t *const table = malloc(32 * (size_t)LEVY_SOBOL_DIMENSIONS * sizeof *table);
    assert_true(levy_sobol_directions(LEVY_SOBOL_DIMENSIONS, table));
    assert_false(levy_sobol_directions(LEVY_SOBOL_DIMENSIONS + 1, table));
    /* number i is an odd integer times 2^(31 - i): upper triangular */
    for (size_t d = 0; d < LEVY_SOBOL_DIMENSIONS; ++d)
        for (uint32_t i = 0; i < 32; ++i) {
            const uint32_t v = table[32 * d + i];
            assert_true(v >> (31 - i) & 1);
            assert_true(i == 31 || (v << (i + 1)) == 0);
        }
    free(table);
}

static uint64_t hash_words(const uint32_t *words, size_t n)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a, bytes from the low one */
    for (size_t i = 0; i < n; ++i)
        for (uint32_t byte = 0; byte < 4; ++byte)
            hash = (hash ^ (words[i] >> (8 * byte) & 255)) * 1099511628211u;
    return hash;
}

/* All dimensions against numbers made from another's copy of the table, by another's recurrence. */
static void test_sobol_table_has_the_known_hashes(void **state)
{
    (void)state;
    uint32_t *const table = malloc(32 * (size_t)LEVY_SOBOL_DIMENSIONS * sizeof *table);
    FILE *const f = fopen(LEVY_SOURCE_DIR "/tests/known_answers/sobol_table.txt", "r");
    char line[256];
    unsigned first, count, next = 0;
    unsigned long long hash;
    assert_non_null(f);
    assert_true(table && levy_sobol_directions(LEVY_SOBOL_DIMENSIONS, table));
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "%u %u %llx", &first, &count, &hash) == 3) {
            assert_int_equal(first, next);
            next += count;
            assert_true(next <= LEVY_SOBOL_DIMENSIONS);
            assert_true(hash_words(table + 32 * (size_t)first, 32 * (size_t)count) == hash);
        }
    assert_int_equal(next, LEVY_SOBOL_DIMENSIONS);
    fclose(f);
    free(table);
}

/* Against the library itself where it is installed: all 20,000 dimensions bit for bit. */
static void test_sobol_table_equals_curand_direction_vectors(void **state)
{
    (void)state;
    void *library = dlopen("libcurand.so.10", RTLD_NOW | RTLD_NODELETE);
    if (!library)
        library = dlopen("/usr/local/cuda/lib64/libcurand.so.10", RTLD_NOW | RTLD_NODELETE);
    if (!library) {
        print_message("skipped: no cuRAND\n");
        skip();
    }
    typedef int (*get_vectors)(uint32_t(**)[32], int);
    get_vectors get;
    *(void **)&get = dlsym(library, "curandGetDirectionVectors32");
    assert_non_null(get);
    uint32_t(*vectors)[32] = NULL;
    assert_int_equal(get(&vectors, 101), 0); /* CURAND_DIRECTION_VECTORS_32_JOEKUO6 */
    uint32_t *const table = malloc(32 * 20000 * sizeof *table);
    assert_true(levy_sobol_directions(20000, table));
    assert_memory_equal(table, vectors, 32 * 20000 * sizeof *table);
    free(table);
    dlclose(library);
}

/* ---- mrg32k3a ---- */

static void draws_on(uint32_t state[LEVY_MRG_STATE], uint64_t draws)
{
    uint32_t one[LEVY_MRG_JUMP], jump[LEVY_MRG_JUMP];
    levy_mrg_one_draw(one);
    levy_mrg_repeat(one, draws, jump);
    levy_mrg_jump(jump, state);
}

/* z of the next draw by the lane function, and its word by division, held against mrg_word. */
static uint64_t mrg_z(const uint32_t start[LEVY_MRG_STATE])
{
    const uint32_t none[LEVY_MRG_JUMP] = {0};
    mrg_state s, again;
    mrg_start(&s, start, none, 0);
    again = s;
    const uint64_t z = mrg_next(s.one[0], s.two[0])[0];
    assert_true(z < 4294967087u);
    assert_int_equal(mrg_word(&again)[0], (uint32_t)(z + z * 209 / 4294967087u));
    assert_memory_equal(&s, &again, sizeof s);
    return z;
}

static void test_mrg_known_answers_curand_device(void **state)
{
    (void)state;
    char line[256];
    unsigned long long seed, subsequence, offset, z;
    unsigned n = 0;
    FILE *const f = answers();
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "mrg %llx %llx %llx %llu", &seed, &subsequence, &offset, &z) == 4) {
            uint32_t s[LEVY_MRG_STATE];
            levy_mrg_start(seed, subsequence, LEVY_PURPOSE_PRICE, s);
            draws_on(s, offset);
            assert_int_equal(mrg_z(s), z % 4294967087u);
            ++n;
        }
    fclose(f);
    assert_int_equal(n, 100);
}

static void test_mrg_known_answers_curand_host(void **state)
{
    (void)state;
    char line[256];
    unsigned long long seed, number;
    unsigned word, n = 0;
    FILE *const f = answers();
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "mrghost %llx %llu %x", &seed, &number, &word) == 3) {
            uint32_t s[LEVY_MRG_STATE];
            levy_mrg_start(seed, number % 4096, LEVY_PURPOSE_PRICE, s);
            draws_on(s, number / 4096);
            assert_int_equal((uint32_t)((double)mrg_z(s) * 1.000000048662), word);
            ++n;
        }
    fclose(f);
    assert_int_equal(n, 20);
}

static void test_mrg_first_uniforms_are_the_published_ones(void **state)
{
    (void)state;
    char line[256];
    double uniform;
    unsigned n = 0;
    FILE *const f = answers();
    uint32_t s[LEVY_MRG_STATE];
    levy_mrg_start(0, 0, LEVY_PURPOSE_PRICE, s);
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "mrgfirst %lf", &uniform) == 1) {
            const double got = (double)mrg_z(s) / 4294967088.0;
            assert_true(got > uniform - 3e-16 && got < uniform + 3e-16);
            draws_on(s, 1);
            ++n;
        }
    fclose(f);
    assert_int_equal(n, 5);
}

static void test_mrg_skips_ahead_by_every_power_of_two_to_190(void **state)
{
    (void)state;
    char line[256];
    unsigned power, want[LEVY_MRG_STATE], n = 0;
    FILE *const f = answers();
    uint32_t jump[LEVY_MRG_JUMP];
    levy_mrg_one_draw(jump);
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "mrgjump %u %u %u %u %u %u %u", &power, want, want + 1, want + 2, want + 3,
                   want + 4, want + 5) == 7) {
            uint32_t s[LEVY_MRG_STATE] = {12345, 12345, 12345, 12345, 12345, 12345};
            const uint32_t start[LEVY_MRG_STATE] = {12345, 12345, 12345, 12345, 12345, 12345};
            mrg_state lanes;
            assert_int_equal(power, n);
            levy_mrg_jump(jump, s);
            mrg_start(&lanes, start, jump, 1);
            for (int i = 0; i < 3; ++i) {
                assert_int_equal(s[i], want[i]);
                assert_int_equal(s[3 + i], want[3 + i]);
                assert_int_equal(lanes.one[0][i][0], want[i]);
                assert_int_equal(lanes.two[0][i][0], want[3 + i]);
            }
            levy_mrg_double(jump, 1);
            ++n;
        }
    fclose(f);
    assert_int_equal(n, 191);
}

/* The extremes of the folds: states and matrices of nothing but m - 1, and 0. */
static void test_mrg_arithmetic_is_exact_at_its_bounds(void **state)
{
    (void)state;
    const uint32_t m1 = 4294967087u, m2 = 4294944443u;
    for (uint32_t bits = 0; bits < 64; ++bits) {
        uint32_t s[LEVY_MRG_STATE], jump[LEVY_MRG_JUMP], host[LEVY_MRG_STATE];
        mrg_state lanes;
        for (int i = 0; i < LEVY_MRG_STATE; ++i)
            s[i] = host[i] = (bits >> i & 1) * ((i < 3 ? m1 : m2) - 1);
        for (int i = 0; i < LEVY_MRG_JUMP; ++i) jump[i] = (i < 9 ? m1 : m2) - 1;
        int64_t p1 = (1403580 * (int64_t)s[1] - 810728 * (int64_t)s[0]) % m1;
        int64_t p2 = (527612 * (int64_t)s[5] - 1370589 * (int64_t)s[3]) % m2;
        if (p1 < 0) p1 += m1;
        if (p2 < 0) p2 += m2;
        const int64_t z = (p1 - p2 + m1) % m1;
        assert_int_equal(mrg_z(s), z);
        mrg_start(&lanes, s, jump, 1);
        levy_mrg_jump(jump, host);
        for (int i = 0; i < 3; ++i) {
            assert_int_equal(lanes.one[0][i][0], host[i]);
            assert_int_equal(lanes.two[0][i][0], host[3 + i]);
        }
    }
    /* the quotient's steps among them */
    for (uint64_t z = 0; z < m1; z += z < 100 || z > m1 - 1000 ? 1 : 20550079)
        for (uint64_t near = 0; near < 3; ++near) {
            const uint64_t k = (z % 209 * m1 + 208) / 209 + near - 1, at = k < m1 ? k : z;
            assert_int_equal(mrg_spread(lane_long_of(at))[0], at + 209 * at / m1);
        }
}

static void test_mrg_replicates_and_purposes_have_streams_of_their_own(void **state)
{
    (void)state;
    uint32_t a[LEVY_MRG_STATE], b[LEVY_MRG_STATE], one[LEVY_MRG_JUMP];
    levy_mrg_start(42, 7, LEVY_PURPOSE_PRICE, a);
    levy_mrg_start(42, 8, LEVY_PURPOSE_PRICE, b);
    levy_mrg_one_draw(one);
    levy_mrg_double(one, 76);
    levy_mrg_jump(one, a);
    assert_memory_equal(a, b, sizeof a);
    levy_mrg_start(42, 8, LEVY_PURPOSE_PILOT, a);
    levy_mrg_double(one, 51);
    levy_mrg_jump(one, b);
    assert_memory_equal(a, b, sizeof a);
    levy_mrg_start(0xaaaaaaaa55555555u, 0, LEVY_PURPOSE_PRICE, a); /* would zero every word */
    for (int i = 0; i < LEVY_MRG_STATE; ++i) assert_int_equal(a[i], 12345);
}

/* ---- Every lane of every build against the same answers ---- */

typedef struct points_build {
    const char *name;
    points_probe *probe;
    points_probe_lanes *lanes;
} points_build;
#if defined(__x86_64__)
#define POINTS_BUILDS(X) X(scalar) X(baseline) X(avx2) X(avx512)
#elif defined(__aarch64__)
#define POINTS_BUILDS(X) X(scalar) X(baseline) X(neon)
#else
#define POINTS_BUILDS(X) X(scalar) X(baseline)
#endif
#define DECLARE(isa)                                                                               \
    extern points_probe points_probe_##isa##_double, points_probe_##isa##_single;                  \
    extern points_probe_lanes points_probe_lanes_##isa##_double, points_probe_lanes_##isa##_single;
POINTS_BUILDS(DECLARE)
#define ROWS(isa)                                                                                  \
    {#isa, points_probe_##isa##_double, points_probe_lanes_##isa##_double},                        \
        {#isa, points_probe_##isa##_single, points_probe_lanes_##isa##_single},
static const points_build builds[] = {POINTS_BUILDS(ROWS)};
enum { BUILDS = sizeof builds / sizeof *builds };

/* The point in every place of a lane that the paths before it allow. */
static void assert_lanes(const probe_point *point, uint32_t want)
{
    uint32_t words[POINTS_PROBE_MOST];
    for (int b = 0; b < BUILDS; ++b)
        for (uint32_t slot = 0;
             levy_cpu_supports(builds[b].name) && slot < builds[b].lanes() && slot <= point->path;
             ++slot) {
            const uint32_t at = builds[b].probe(point, slot, words);
            if (words[at] != want)
                fail_msg("%s, lane %u of %u: %08x, not %08x", builds[b].name, (unsigned)at,
                         (unsigned)builds[b].lanes(), (unsigned)words[at], (unsigned)want);
        }
}

static void test_lanes_of_every_build_give_the_known_answers(void **state)
{
    (void)state;
    static uint32_t table[32 * DIMENSIONS], powers[64][LEVY_MRG_JUMP];
    char line[256];
    unsigned long long a, b, c, z;
    unsigned dimension, index, draw, word, n = 0;
    assert_true(levy_sobol_directions(DIMENSIONS, table));
    levy_mrg_one_draw(powers[0]);
    for (int i = 1; i < 64; ++i) {
        memcpy(powers[i], powers[i - 1], sizeof powers[i]);
        levy_mrg_double(powers[i], 1);
    }
    FILE *const f = answers();
    while (fgets(line, sizeof line, f)) {
        uint32_t start[LEVY_MRG_STATE];
        probe_point point = {.start = start, .powers = powers[0]};
        if (sscanf(line, "sobol %u %u %x", &dimension, &index, &word) == 3) {
            point.generator = POINTS_SOBOL;
            point.path = index;
            point.numbers = table + 32 * (size_t)dimension;
        } else if (sscanf(line, "philox %llx %llx %u %x", &a, &b, &draw, &word) == 4) {
            point.generator = POINTS_PHILOX;
            point.key = a;
            point.path = b;
            point.draw = draw;
        } else if (sscanf(line, "mrg %llx %llx %llx %llu", &a, &b, &c, &z) == 4) {
            z %= 4294967087u;
            point.generator = POINTS_MRG;
            point.path = c;
            word = (unsigned)(z + z * 209 / 4294967087u);
            levy_mrg_start(a, b, LEVY_PURPOSE_PRICE, start);
        } else {
            continue;
        }
        assert_lanes(&point, word);
        ++n;
    }
    fclose(f);
    assert_int_equal(n, 110 + 112 + 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sobol_known_answers_curand_host),
        cmocka_unit_test(test_philox_known_answers_curand_device),
        cmocka_unit_test(test_philox_known_answers_random123),
        cmocka_unit_test(test_philox_order_of_draws_does_not_matter),
        cmocka_unit_test(test_mrg_known_answers_curand_device),
        cmocka_unit_test(test_mrg_known_answers_curand_host),
        cmocka_unit_test(test_mrg_first_uniforms_are_the_published_ones),
        cmocka_unit_test(test_mrg_skips_ahead_by_every_power_of_two_to_190),
        cmocka_unit_test(test_mrg_arithmetic_is_exact_at_its_bounds),
        cmocka_unit_test(test_mrg_replicates_and_purposes_have_streams_of_their_own),
        cmocka_unit_test(test_lanes_of_every_build_give_the_known_answers),
        cmocka_unit_test(test_sobol_table_reads_all_dimensions),
        cmocka_unit_test(test_sobol_table_has_the_known_hashes),
        cmocka_unit_test(test_sobol_table_equals_curand_direction_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
