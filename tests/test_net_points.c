/* test_net_points.c: points of digital nets: the words of a small net by hand, the quality of
 * Niederreiter's sequence as the theory promises it, the resolution of one dimension. */
#include "tests/net_case.h"

/* The Hammersley net of 16 points: dimension 1 counts backwards in bits, dimension 2 forwards. */
static void test_net_has_the_words_of_a_net_by_hand(void **state)
{
    static const char text[] = "2\n4\n4\n8 4 2 1\n1 2 4 8\n";
    static const uint32_t gray[16] = {0, 1, 3, 2, 6, 7, 5, 4, 12, 13, 15, 14, 10, 11, 9, 8},
                          reversed[16] = {0, 8, 12, 4, 6, 14, 10, 2, 3, 11, 15, 7, 5, 13, 9, 1};
    levy_net net;
    levy_net_fault fault;
    (void)state;
    assert_int_equal(levy_net_read(&arena, text, strlen(text), &net, &fault), LEVY_OK);
    for (uint32_t i = 0; i < 16; ++i) {
        assert_int_equal(word_of(net.numbers, 0, i), reversed[i] << 28);
        assert_int_equal(word_of(net.numbers + 32, 0, i), gray[i] << 28);
    }
}

enum { MOST_LOG = 10, PARTS = 3 };

/* Whether every box of 2^-parts[0] by 2^-parts[1] ... has the same number of the 2^m points. */
static bool boxes_are_even(uint32_t words[PARTS][1 << MOST_LOG], uint32_t m, uint32_t n,
                           const uint32_t parts[PARTS])
{
    uint32_t hits[1 << MOST_LOG] = {0}, sum = 0;
    for (uint32_t d = 0; d < n; ++d) sum += parts[d];
    for (uint32_t i = 0; i < 1u << m; ++i) {
        uint32_t box = 0;
        for (uint32_t d = 0; d < n; ++d)
            if (parts[d]) box = box << parts[d] | words[d][i] >> (32 - parts[d]);
        hits[box]++;
    }
    for (uint32_t i = 0; i < 1u << sum; ++i)
        if (hits[i] != 1u << (m - sum)) return false;
    return true;
}

/* The t-value of the first 2^m points: all boxes of volume 2^(t - m) are even. */
static uint32_t t_value(uint32_t words[PARTS][1 << MOST_LOG], uint32_t m, uint32_t n)
{
    for (uint32_t t = 0; t < m; ++t) {
        bool even = true;
        for (uint32_t a = 0; even && a <= m - t; ++a)
            for (uint32_t b = 0; even && a + b <= m - t; ++b) {
                const uint32_t parts[PARTS] = {a, n > 2 ? b : m - t - a, m - t - a - b};
                even = boxes_are_even(words, m, n, parts);
            }
        if (even) return t;
    }
    return m;
}

static void read_niederreiter(levy_net *net)
{
    static char bytes[8192];
    FILE *const file = fopen(LEVY_SOURCE_DIR "/configs/nets/niederreiter.txt", "r");
    assert_non_null(file);
    const text_out text = {bytes, fread(bytes, 1, sizeof bytes, file)};
    fclose(file);
    assert_reads(&text, 16, 20, net);
}

/* Dimensions of the polynomials x, x + 1, x^2 + x + 1, x^3 + x + 1 have t = the sum of their
 * degrees less one each, at most; scrambles keep it. */
static void test_net_of_niederreiter_has_the_t_values_of_the_theory(void **state)
{
    static const uint32_t degrees[] = {1, 1, 2, 3};
    static uint32_t words[PARTS][1 << MOST_LOG];
    static const uint32_t sets[][PARTS] = {{0, 1, 4}, {0, 2, 4}, {1, 3, 4}, {0, 1, 2}, {1, 2, 3}};
    levy_net net;
    (void)state;
    read_niederreiter(&net);
    for (int32_t scrambling = LEVY_SCRAMBLING_NONE; scrambling <= LEVY_SCRAMBLING_MATRIX;
         ++scrambling)
        for (size_t s = 0; s < sizeof sets / sizeof *sets; ++s) {
            uint32_t n = 0, bound = 0;
            for (; n < PARTS && sets[s][n] < 4; ++n) {
                const uint32_t d = sets[s][n];
                uint32_t numbers[32], shift;
                memcpy(numbers, net.numbers + 32 * d, sizeof numbers);
                levy_sobol_randomise(scrambling, 77, d, numbers, &shift);
                assert_true((shift != 0) == (scrambling != LEVY_SCRAMBLING_NONE));
                for (uint32_t i = 0; i < 1 << MOST_LOG; ++i)
                    words[n][i] = word_of(numbers, shift, i);
                bound += degrees[d] - 1;
            }
            for (uint32_t m = 1; m <= MOST_LOG; ++m)
                assert_true(t_value(words, m, n) <= (bound < m ? bound : m));
        }
}

/* Against counting, on matrices of random digits. */
static void test_net_resolution_is_that_of_its_points(void **state)
{
    enum { M = 8 };
    uint64_t random = 12345;
    uint32_t seen[M + 1] = {0};
    (void)state;
    for (int trial = 0; trial < 400; ++trial) {
        static uint32_t words[PARTS][1 << MOST_LOG];
        uint32_t numbers[32] = {0}, q = 0;
        for (uint32_t j = 0; j < M; ++j) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            numbers[j] = (uint32_t)(random >> 32);
        }
        for (uint32_t i = 0; i < 1 << M; ++i) words[0][i] = word_of(numbers, 0, i);
        for (; q < M; ++q) {
            const uint32_t parts[PARTS] = {q + 1, 0, 0};
            if (!boxes_are_even(words, M, 1, parts)) break;
        }
        assert_int_equal(levy_net_resolution(numbers, M), q);
        seen[q]++;
    }
    assert_true(seen[M] > 50 && seen[M - 1] > 20 && seen[0] < 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_net_has_the_words_of_a_net_by_hand),
        cmocka_unit_test(test_net_of_niederreiter_has_the_t_values_of_the_theory),
        cmocka_unit_test(test_net_resolution_is_that_of_its_points),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
