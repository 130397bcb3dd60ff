/* test_cuda_normals.c: the GPU kernels' table of normals, looked up as they do: error against the double function, antisymmetry,
 * order, over every 61st word and the words at both ends. */
#include "tests/cmocka_all.h"

#include "kernels/cuda/normal_table.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

static float table[LEVY_NORMAL_FLOATS];

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float looked_up(uint32_t word)
{
    const uint32_t folded = word << 1 ^ (word >> 31 ? 0xffffffffu : 0u), sign = folded & 1;
    const float f = (float)(folded | 1u);
    const uint32_t start = bits_of(f) & 0xfff80000u, row = (start >> 19) - (127u << 4);
    const float *const c = table + 4 * (sign * LEVY_NORMAL_ROWS + row);
    float from;
    memcpy(&from, &start, sizeof from);
    const float d = f - from;
    return fmaf(fmaf(fmaf(c[0], d, c[1]), d, c[2]), d, c[3]);
}

static void check_word(uint32_t word)
{
    const double exact = levy_normal_from_word(word);
    const float z = looked_up(word), next = looked_up(word + 1);
    const double bound = fabs(exact) < 1.0 ? 1.2e-7 : 4.8e-7;
    if (!(fabs((double)z - exact) <= bound)) fail_msg("%08x: %a, not %a", (unsigned)word, (double)z, exact);
    assert_true(bits_of(z) == (bits_of(looked_up(~word)) ^ 0x80000000u) || z == 0.0f);
    assert_true(next >= z);
}

static void test_looked_up_normals_are_near(void **state)
{
    (void)state;
    levy_normal_table_fill(table);
    for (uint32_t word = 0; word < 0x7fffff00u; word += 61) check_word(word);
    for (uint32_t word = 0; word < 100000; ++word) check_word(word);
    for (uint32_t word = 0x7fffffffu - 100000; word < 0x7fffffffu; ++word) check_word(word);
    assert_true(looked_up(0) < -6.3379f && looked_up(0) > -6.3381f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_looked_up_normals_are_near)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
