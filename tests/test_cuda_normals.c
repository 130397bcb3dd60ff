/* test_cuda_normals.c: the GPU kernels' table of normals, looked up as they do, by rows and by
 * cells: error against the double function, antisymmetry, order, over every 61st word (997th under
 * a sanitizer) and the words at both ends. That cells may be held at all: Sobol's first dimension.
 */
#include "tests/cmocka_all.h"

#include "kernels/cuda/compile/normal_table.h"
#include "kernels/lane/scalar.h"
#include "kernels/points/sobol_tables.h"

#include <math.h>
#include <string.h>

enum { WORDS = LEVY_SANITIZED ? 997 : 61 };

static const float *table; /* [LEVY_NORMAL_FLOATS] */

static uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float looked_up(uint32_t word)
{
    const uint32_t folded = word << 1 ^ (word >> 31 ? 0xffffffffu : 0u), sign = folded & 1;
    const float f = (float)(folded | 1u);
    const uint32_t start = float_bits(f) & 0xfff80000u, row = (start >> 19) - (127u << 4);
    const float *const c = table + 4 * row;
    float from;
    memcpy(&from, &start, sizeof from);
    const float d = f - from;
    const float z = fmaf(fmaf(fmaf(c[0], d, c[1]), d, c[2]), d, c[3]);
    return sign ? -z : z;
}

/* Of the 16 cells at either end, rows. */
static float held(uint32_t word)
{
    const float *const c = table + 4 * LEVY_NORMAL_ROWS + 4 * (word >> 20);
    const float d = (float)(int32_t)(2 * (word & 0xfffffu) + 1) - 0x1p20f;
    if (word >> 24 == 0 || word >> 24 == 0xff) return looked_up(word);
    return fmaf(fmaf(fmaf(c[0], d, c[1]), d, c[2]), d, c[3]);
}

static void check_word(uint32_t word, float (*normal)(uint32_t))
{
    const double exact = levy_normal_from_word(word);
    const float z = normal(word), next = normal(word + 1);
    const double bound = fabs(exact) < 1.0                      ? 1.2e-7
                         : normal == held && fabs(exact) < 2.66 ? 2.5e-7
                                                                : 4.8e-7;
    /* two cells may overlap by a unit in the last place */
    const bool meeting = normal == held && (word & 0xfffffu) == 0xfffffu;
    if (!(fabs((double)z - exact) <= bound))
        fail_msg("%08x: %a, not %a", (unsigned)word, (double)z, exact);
    assert_true(float_bits(z) == (float_bits(normal(~word)) ^ 0x80000000u) || z == 0.0f);
    assert_true(next >= (meeting ? nextafterf(z, -7.0f) : z));
}

static void test_looked_up_normals_are_near(void **state)
{
    (void)state;
    table = levy_normal_table();
    for (uint32_t word = 0; word < 0x7fffff00u; word += WORDS) check_word(word, looked_up);
    for (uint32_t word = 0; word < 100000; ++word) check_word(word, looked_up);
    for (uint32_t word = 0x7fffffffu - 100000; word < 0x7fffffffu; ++word)
        check_word(word, looked_up);
    assert_true(looked_up(0) < -6.3379f && looked_up(0) > -6.3381f);
}

static void test_held_normals_are_near(void **state)
{
    (void)state;
    table = levy_normal_table();
    for (uint32_t word = 0; word < 0x7fffff00u; word += WORDS) check_word(word, held);
    for (uint32_t cell = 1; cell < LEVY_NORMAL_CELLS / 2; ++cell) /* where two meet */
        for (uint32_t k = 0; k < 64; ++k) check_word((cell << 20) - 32 + k, held);
}

/* What a path's index has from bit 12 on moves no word's upper 12 bits, scrambled or not; each of
 * the lower 12 has its digit. */
static void test_the_first_dimension_has_cells(void **state)
{
    (void)state;
    for (uint64_t key = 0; key < 50; ++key) {
        uint32_t numbers[32], shift = 0;
        assert_true(levy_sobol_directions(1, numbers));
        if (key > 0) levy_sobol_scramble(key * 0x9e3779b97f4a7c15u, 0, numbers, &shift);
        for (uint32_t b = 0; b < 12; ++b) assert_int_equal(numbers[b] >> (31 - b), 1);
        for (uint32_t b = 12; b < 32; ++b) assert_int_equal(numbers[b] >> 20, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_looked_up_normals_are_near),
                                       cmocka_unit_test(test_held_normals_are_near),
                                       cmocka_unit_test(test_the_first_dimension_has_cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
