/* test_scramble.c: what scrambling must keep of Sobol's points (every elementary interval, in one
 * dimension and in the first two), what replicates and seeds must not share, and that scrambled
 * means are unbiased. */
#include "tests/cmocka_all.h"

#define LANE_SCALAR
#include "kernels/points/points.h"
#include "kernels/points/sobol_tables.h"
#include "tests/sobol_word.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void scrambled(uint64_t key, uint32_t dimension, uint32_t v[32], uint32_t *shift)
{
    uint32_t table[32 * 64];
    assert_true(dimension < 64 && levy_sobol_directions(dimension + 1, table));
    memcpy(v, table + 32 * dimension, 32 * sizeof *v);
    levy_sobol_scramble(key, dimension, v, shift);
}

enum { SCRAMBLE_SEEDS = 6, SCRAMBLE_REPLICATES = 8, FINEST = 12 };

/* Key number n, of one seed's replicates after another's. */
static uint64_t key_of(uint32_t n)
{
    static const uint64_t seeds[SCRAMBLE_SEEDS] = {0, 1, 42, 2026, (uint64_t)1 << 52, UINT64_MAX};
    return levy_points_key(seeds[n / SCRAMBLE_REPLICATES], n % SCRAMBLE_REPLICATES,
                           LEVY_PURPOSE_PRICE);
}

/* Points `first` on, as many as there are boxes of 2^j by 2^(k - j): each box holds one of them. */
static void assert_boxes(const uint32_t *a, uint32_t sa, const uint32_t *b, uint32_t sb,
                         uint64_t first, uint32_t k, uint32_t j)
{
    static uint8_t hit[1 << FINEST];
    memset(hit, 0, sizeof hit);
    for (uint64_t i = first; i < first + (1u << k); ++i) {
        const uint32_t x = j ? sobol_word_of(a, sa, i) >> (32 - j) : 0;
        const uint32_t y = k - j ? sobol_word_of(b, sb, i) >> (32 - (k - j)) : 0;
        hit[x << (k - j) | y]++;
    }
    for (uint32_t i = 0; i < 1u << k; ++i) assert_int_equal(hit[i], 1);
}

/* Runs of 2^k points that start at a multiple of 2^k, the first and one far on. */
static void test_scramble_keeps_every_elementary_interval_in_one_dimension(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < SCRAMBLE_SEEDS * SCRAMBLE_REPLICATES; ++n)
        for (uint32_t d = n % 7; d < 64; d += 19) {
            uint32_t v[32], shift;
            scrambled(key_of(n), d, v, &shift);
            for (uint32_t k = 0; k <= FINEST; ++k)
                for (uint64_t first = 0; first <= 0xabcdeull << k; first += 0xabcdeull << k)
                    assert_boxes(v, shift, v, shift, first, k, k);
        }
}

static void test_scramble_keeps_every_elementary_interval_in_dimensions_1_and_2(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < SCRAMBLE_SEEDS * SCRAMBLE_REPLICATES; ++n) {
        uint32_t a[32], b[32], sa, sb;
        scrambled(key_of(n), 0, a, &sa);
        scrambled(key_of(n), 1, b, &sb);
        for (uint32_t k = 1; k <= 10; ++k)
            for (uint32_t j = 0; j <= k; ++j)
                for (uint64_t first = 0; first <= 0x12345ull << k; first += 0x12345ull << k)
                    assert_boxes(a, sa, b, sb, first, k, j);
    }
}

/* Means over 16 scrambled points of a product and of a step, whose integrals are known: over the
 * replicates they scatter about them without bias, narrower than 16 free points would, and a
 * replicate says nothing of the next. */
static void test_scrambled_means_are_unbiased_and_replicates_uncorrelated(void **state)
{
    (void)state;
    enum { REPLICATES = 4000, POINTS = 16 };
    static double product[REPLICATES], step[REPLICATES];
    for (uint32_t r = 0; r < REPLICATES; ++r) {
        uint32_t v[2][32], shift[2];
        const uint64_t key = levy_points_key(7, r, LEVY_PURPOSE_PRICE);
        scrambled(key, 3, v[0], &shift[0]);
        scrambled(key, 10, v[1], &shift[1]);
        product[r] = step[r] = 0.0;
        for (uint64_t i = 0; i < POINTS; ++i) {
            const double x = (sobol_word_of(v[0], shift[0], i) + 0.5) * 0x1p-32,
                         y = (sobol_word_of(v[1], shift[1], i) + 0.5) * 0x1p-32;
            product[r] += x * y / POINTS;
            step[r] += (x + y < 0.7) / (double)POINTS;
        }
    }
    const double *const means[2] = {product, step}, want[2] = {0.25, 0.245},
                        free_variance[2] = {7.0 / 144 / POINTS, 0.245 * 0.755 / POINTS};
    for (int k = 0; k < 2; ++k) {
        double sum = 0.0, square = 0.0, adjacent = 0.0;
        for (uint32_t r = 0; r < REPLICATES; ++r) {
            const double off = means[k][r] - want[k];
            sum += off;
            square += off * off;
            if (r) adjacent += off * (means[k][r - 1] - want[k]);
        }
        const double variance = square / REPLICATES, error = sqrt(variance / REPLICATES);
        assert_true(fabs(sum / REPLICATES) < 4.0 * error);
        assert_true(variance < 0.6 * free_variance[k]);
        assert_true(fabs(adjacent / square) < 4.0 / sqrt((double)REPLICATES));
    }
}

static void test_scramble_differs_by_replicate_dimension_and_seed(void **state)
{
    (void)state;
    uint32_t a[32], b[32], sa, sb;
    const uint64_t k0 = levy_points_key(42, 0, LEVY_PURPOSE_PRICE),
                   k1 = levy_points_key(42, 1, LEVY_PURPOSE_PRICE);
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
    /* of one point's coordinate over 4,000 keys: mean 1/2, variance 1/12 */
    double sum = 0.0, squares = 0.0;
    for (uint64_t r = 0; r < 4000; ++r) {
        uint32_t v[32], shift;
        scrambled(levy_points_key(1, r, LEVY_PURPOSE_PRICE), 3, v, &shift);
        const double u = (sobol_word_of(v, shift, 5) + 0.5) * 0x1p-32;
        sum += u;
        squares += u * u;
    }
    const double mean = sum / 4000.0, variance = squares / 4000.0 - mean * mean;
    assert_true(mean > 0.5 - 0.0183 && mean < 0.5 + 0.0183); /* 4 standard errors */
    assert_true(variance > 1.0 / 12 - 0.0048 && variance < 1.0 / 12 + 0.0048);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scramble_keeps_every_elementary_interval_in_one_dimension),
        cmocka_unit_test(test_scramble_keeps_every_elementary_interval_in_dimensions_1_and_2),
        cmocka_unit_test(test_scramble_differs_by_replicate_dimension_and_seed),
        cmocka_unit_test(test_scrambled_means_are_unbiased_and_replicates_uncorrelated),
        cmocka_unit_test(test_scramble_spreads_the_mean_of_replicates_like_uniforms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
