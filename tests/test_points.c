/* test_points.c: the generators against known answers whose origin the file of answers names, and the properties that
 * scrambling must keep. */
#include "tests/cmocka_all.h"

#define LANE_SCALAR
#include "kernels/points/mrg_streams.h"
#include "kernels/points/points.h"
#include "kernels/points/sobol_tables.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS = 320 };

static uint32_t words_of(const uint32_t *numbers, uint32_t shift, uint64_t index)
{
    uint32_t word = shift;
    const uint64_t gray = sobol_gray(index);
    for (uint32_t b = 0; b < 32; ++b)
        if (gray >> b & 1) word ^= numbers[b];
    return word;
}

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
            assert_int_equal(words_of(table + 32 * dimension, 0, index), word);
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
        if (sscanf(line, "kat %x %x %x %x %x %x %x %x %x %x", c, c + 1, c + 2, c + 3, k, k + 1, w, w + 1, w + 2, w + 3) == 10) {
            const philox_words got = philox_draw((uint64_t)k[1] << 32 | k[0], lane_word_of(c[0]), lane_word_of(c[1]),
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
    for (uint32_t draw = 100; draw-- > 0;) assert_int_equal(points_philox(&p, draw)[0], philox_word(7, 9, draw));
}

static void test_sobol_table_reads_all_dimensions(void **state)
{
    (void)state;
    uint32_t *const table = malloc(32 * (size_t)LEVY_SOBOL_DIMENSIONS * sizeof *table);
    assert_true(levy_sobol_directions(LEVY_SOBOL_DIMENSIONS, table));
    assert_false(levy_sobol_directions(LEVY_SOBOL_DIMENSIONS + 1, table));
    for (size_t d = 0; d < LEVY_SOBOL_DIMENSIONS; ++d) /* number i is an odd integer times 2^(31 - i): upper triangular */
        for (uint32_t i = 0; i < 32; ++i) {
            const uint32_t v = table[32 * d + i];
            assert_true(v >> (31 - i) & 1);
            assert_true(i == 31 || (v << (i + 1)) == 0);
        }
    free(table);
}

/* Against the library itself where it is installed: all 20,000 dimensions bit for bit. */
static void test_sobol_table_equals_curand_direction_vectors(void **state)
{
    (void)state;
    void *library = dlopen("libcurand.so.10", RTLD_NOW | RTLD_NODELETE);
    if (!library) library = dlopen("/usr/local/cuda/lib64/libcurand.so.10", RTLD_NOW | RTLD_NODELETE);
    if (!library) {
        print_message("cuRAND's library is not installed: skipped\n");
        skip();
    }
    typedef int (*get_vectors)(uint32_t (**)[32], int);
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
        if (sscanf(line, "mrgjump %u %u %u %u %u %u %u", &power, want, want + 1, want + 2, want + 3, want + 4, want + 5) == 7) {
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
        for (int i = 0; i < LEVY_MRG_STATE; ++i) s[i] = host[i] = bits >> i & 1 ? (i < 3 ? m1 : m2) - 1 : 0;
        for (int i = 0; i < LEVY_MRG_JUMP; ++i) jump[i] = (i < 9 ? m1 : m2) - 1;
        const int64_t p1 = (1403580 * (int64_t)s[1] - 810728 * (int64_t)s[0]) % m1;
        const int64_t p2 = (527612 * (int64_t)s[5] - 1370589 * (int64_t)s[3]) % m2;
        const int64_t z = ((p1 < 0 ? p1 + m1 : p1) - (p2 < 0 ? p2 + m2 : p2) + m1) % m1;
        assert_int_equal(mrg_z(s), z);
        mrg_start(&lanes, s, jump, 1);
        levy_mrg_jump(jump, host);
        for (int i = 0; i < 3; ++i) {
            assert_int_equal(lanes.one[0][i][0], host[i]);
            assert_int_equal(lanes.two[0][i][0], host[3 + i]);
        }
    }
    for (uint64_t z = 0; z < m1; z += z < 100 || z > m1 - 1000 ? 1 : 20550079) /* the quotient's steps among them */
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

static void scrambled(uint64_t key, uint32_t dimension, uint32_t v[32], uint32_t *shift)
{
    uint32_t table[32 * 64];
    assert_true(dimension < 64 && levy_sobol_directions(dimension + 1, table));
    memcpy(v, table + 32 * dimension, 32 * sizeof *v);
    levy_sobol_scramble(key, dimension, v, shift);
}

static void test_scramble_keeps_every_elementary_interval_in_one_dimension(void **state)
{
    (void)state;
    for (uint32_t d = 0; d < 64; d += 7)
        for (uint64_t key = 1; key < 6; ++key) {
            uint32_t v[32], shift;
            scrambled(key, d, v, &shift);
            for (uint32_t k = 0; k <= 10; ++k) {
                uint8_t hit[1024] = {0};
                for (uint64_t i = 0; i < (1u << k); ++i) hit[k ? words_of(v, shift, i) >> (32 - k) : 0]++;
                for (uint32_t i = 0; i < (1u << k); ++i) assert_int_equal(hit[i], 1);
            }
        }
}

static void test_scramble_keeps_every_elementary_interval_in_dimensions_1_and_2(void **state)
{
    (void)state;
    for (uint64_t key = 1; key < 6; ++key) {
        uint32_t a[32], b[32], sa, sb;
        scrambled(key, 0, a, &sa);
        scrambled(key, 1, b, &sb);
        for (uint32_t k = 1; k <= 10; ++k)
            for (uint32_t j = 0; j <= k; ++j) { /* 2^j columns times 2^(k - j) rows */
                uint8_t hit[1024] = {0};
                for (uint64_t i = 0; i < (1u << k); ++i) {
                    const uint32_t x = j ? words_of(a, sa, i) >> (32 - j) : 0;
                    const uint32_t y = k - j ? words_of(b, sb, i) >> (32 - (k - j)) : 0;
                    hit[x << (k - j) | y]++;
                }
                for (uint32_t i = 0; i < (1u << k); ++i) assert_int_equal(hit[i], 1);
            }
    }
}

static void test_scramble_differs_by_replicate_dimension_and_seed(void **state)
{
    (void)state;
    uint32_t a[32], b[32], sa, sb;
    const uint64_t k0 = levy_points_key(42, 0, LEVY_PURPOSE_PRICE), k1 = levy_points_key(42, 1, LEVY_PURPOSE_PRICE);
    assert_true(k0 != k1);
    assert_true(k0 != levy_points_key(43, 0, LEVY_PURPOSE_PRICE));
    assert_true(k0 != levy_points_key(42, 0, LEVY_PURPOSE_PILOT));
    scrambled(k0, 5, a, &sa);
    scrambled(k1, 5, b, &sb);
    assert_true(sa != sb && memcmp(a, b, sizeof a) != 0);
    scrambled(k0, 5, b, &sb);
    assert_true(sa == sb && memcmp(a, b, sizeof a) == 0);
}

static void test_scramble_spreads_the_mean_of_replicates_like_uniforms(void **state)
{
    (void)state;
    double sum = 0.0, squares = 0.0; /* of one point's coordinate over 4,000 keys: mean 1/2, variance 1/12 */
    for (uint64_t r = 0; r < 4000; ++r) {
        uint32_t v[32], shift;
        scrambled(levy_points_key(1, r, LEVY_PURPOSE_PRICE), 3, v, &shift);
        const double u = (words_of(v, shift, 5) + 0.5) * 0x1p-32;
        sum += u;
        squares += u * u;
    }
    const double mean = sum / 4000.0, variance = squares / 4000.0 - mean * mean;
    assert_true(mean > 0.5 - 0.0183 && mean < 0.5 + 0.0183);           /* 4 standard errors */
    assert_true(variance > 1.0 / 12 - 0.0048 && variance < 1.0 / 12 + 0.0048);
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
        cmocka_unit_test(test_sobol_table_reads_all_dimensions),
        cmocka_unit_test(test_sobol_table_equals_curand_direction_vectors),
        cmocka_unit_test(test_scramble_keeps_every_elementary_interval_in_one_dimension),
        cmocka_unit_test(test_scramble_keeps_every_elementary_interval_in_dimensions_1_and_2),
        cmocka_unit_test(test_scramble_differs_by_replicate_dimension_and_seed),
        cmocka_unit_test(test_scramble_spreads_the_mean_of_replicates_like_uniforms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
