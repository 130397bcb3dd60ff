/* test_stats.c: quantiles against printed tables and 40-digit values, estimates against hand
 * calculation, coverage of the intervals, and what is said when no error can be given. */
#include "tests/cmocka_all.h"

#include "engine/statistics/stats.h"

#include "kernels/lane/scalar.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

static void assert_relative(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected)))
        fail_msg("%.17g is not within %g of %.17g", value, tolerance, expected);
}

/* Printed table (E. S. Pearson and H. O. Hartley, Biometrika Tables for Statisticians, vol. 1,
 * table 12): upper points for two-sided 90 %, 95 %, 99 %, three decimals. */
static void test_student_quantile_matches_the_printed_table(void **state)
{
    (void)state;
    static const struct {
        double df, q90, q95, q99;
    } rows[] = {
        {1, 6.314, 12.706, 63.657}, {2, 2.920, 4.303, 9.925},   {3, 2.353, 3.182, 5.841},
        {4, 2.132, 2.776, 4.604},   {5, 2.015, 2.571, 4.032},   {10, 1.812, 2.228, 3.169},
        {15, 1.753, 2.131, 2.947},  {20, 1.725, 2.086, 2.845},  {30, 1.697, 2.042, 2.750},
        {60, 1.671, 2.000, 2.660},  {120, 1.658, 1.980, 2.617},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const double q90 = levy_student_t_two_sided(0.90, rows[i].df);
        const double q95 = levy_student_t_two_sided(0.95, rows[i].df);
        const double q99 = levy_student_t_two_sided(0.99, rows[i].df);
        assert_true(fabs(q90 - rows[i].q90) <= 0.00051);
        assert_true(fabs(q95 - rows[i].q95) <= 0.00051);
        assert_true(fabs(q99 - rows[i].q99) <= 0.00051);
    }
}

/* Made with mpmath 1.3 at 40 digits: root of the regularised incomplete beta function, confidences
 * as doubles. */
static const double answers_confidence[] = {0.5, 0.9, 0.95, 0.99, 0.999, 0.9999};
static const struct {
    double df, q[6];
} answers_student[] = {
    {1,
     {1.0, 6.3137515146750445, 12.706204736174693, 63.656741162871524, 636.61924876871905,
      6366.1976713166369}},
    {2,
     {0.81649658092772603, 2.9199855803537261, 4.3026527297494618, 9.9248432009182886,
      31.599054576443607, 99.992499843750038}},
    {3,
     {0.76489232840434528, 2.3533634348018241, 3.1824463052837084, 5.8409093097333554,
      12.923978636687479, 28.000130010950006}},
    {4,
     {0.74069708411268263, 2.1318467863266505, 2.7764451051977935, 4.604094871349992,
      8.6103015813792731, 15.544100581546113}},
    {7,
     {0.71114177808178631, 1.8945786050900075, 2.3646242515927847, 3.4994832973504933,
      5.4078825208617244, 7.8845842624167393}},
    {10,
     {0.69981206131243163, 1.8124611228116765, 2.2281388519862742, 3.1692726726169507,
      4.5868938587026353, 6.2110508912907474}},
    {15,
     {0.69119694895848982, 1.7530503556925736, 2.1314495455597752, 2.9467128834752385,
      4.0727651959037913, 5.2390882117541554}},
    {31,
     {0.68248630600257218, 1.6955187825458657, 2.0395134463964081, 2.744041919294269,
      3.6334563497583307, 4.4609891407839823}},
    {63,
     {0.67840396105785756, 1.6694022217068133, 1.9983405425207412, 2.6561450250998614,
      3.4517689449609978, 4.1545527272507088}},
    {127,
     {0.67642644701155238, 1.6569403435420648, 1.9788195347028538, 2.6150960084298668,
      3.3687852985743384, 4.0177471570080551}},
    {1023,
     {0.674729645234203, 1.6463444953385564, 1.9622856196472678, 2.5806437662520297,
      3.3000627305309606, 3.9059883441614939}},
    {10000,
     {0.67451428448359243, 1.6450060180692431, 1.9602012398906259, 2.5763210466685286,
      3.2914999659416044, 3.8921619835698624}},
    {1000000,
     {0.67448999553108738, 1.6448551507220406, 1.9599663568141067, 2.5758342201053338,
      3.2905364612486909, 3.8906075818030923}},
};
static const double answers_normal[6] = {0.67448975019608174, 1.6448536269514728,
                                         1.9599639845400539,  2.5758293035489005,
                                         3.2905267314918945,  3.8905918864131207};

static void test_student_quantile_matches_mpmath(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof answers_student / sizeof *answers_student; ++i)
        for (size_t j = 0; j < 6; ++j)
            assert_relative(levy_student_t_two_sided(answers_confidence[j], answers_student[i].df),
                            answers_student[i].q[j], 1e-10);
}

static void test_normal_quantile_matches_mpmath(void **state)
{
    (void)state;
    for (size_t j = 0; j < 6; ++j)
        assert_relative(levy_normal_two_sided(answers_confidence[j]), answers_normal[j], 1e-12);
}

static void test_student_quantile_has_its_closed_forms(void **state)
{
    (void)state;
    for (double c = 0.5; c < 0.99995; c += 0.0123) { /* df 2: q = c sqrt(2 / (1 - c^2)) */
        assert_relative(levy_student_t_two_sided(c, 2), c * sqrt(2.0 / (1.0 - c * c)), 1e-12);
    }
    for (double c = 0.5; c < 0.9999; c += 0.0123) /* df 1: tan(pi c / 2) */
        assert_relative(levy_student_t_two_sided(c, 1), tan(1.5707963267948966 * c), 1e-11);
}

static void test_quantiles_refuse_what_has_no_answer(void **state)
{
    (void)state;
    assert_true(isnan(levy_student_t_two_sided(0.0, 5)));
    assert_true(isnan(levy_student_t_two_sided(1.0, 5)));
    assert_true(isnan(levy_student_t_two_sided(NAN, 5)));
    assert_true(isnan(levy_student_t_two_sided(0.95, 0.0)));
    assert_true(isnan(levy_normal_two_sided(1.0)));
    assert_true(isnan(levy_normal_two_sided(-0.1)));
}

/* Four replicate means 1, 2, 3, 6: mean 3, sum of squares 14, s.e. = sqrt(14/3/4); t(3) at 95 % is
 * q = 3.18244630528371. Sum of cubes 18, so skewness 18/4 / (14/4)^1.5 * sqrt(12)/2 = 1.19034
 * and, with g = 1.5 * 1.19034 and z = 1.95996398454005 (the normal quantile), g (1 + 2 q^2) / (6
 * sqrt(4)) and 5 z (4 z^2 - 1) g^2 / (72 * 4) more above. */
static void test_replicates_give_mean_error_and_student_interval(void **state)
{
    (void)state;
    const levy_moments replicates[] = {{100, 1, 7}, {100, 6, 7}, {100, 3, 9}, {100, 2, 1}};
    const levy_estimate estimate = levy_estimate_replicates(replicates, 4, 0.95, 0.0);
    assert_int_equal(estimate.n, 400);
    assert_true(estimate.value == 3.0);
    assert_relative(estimate.std_error, 1.0801234497346435, 1e-15);
    assert_int_equal(estimate.interval, LEVY_INTERVAL_STUDENT_T);
    const double q = 3.1824463052837084, z = 1.9599639845400545,
                 g = 1.5 * 4.5 / pow(3.5, 1.5) * sqrt(12.0) / 2.0;
    const double shift =
        g * (1.0 + 2.0 * q * q) / 12.0 + 5.0 * z * (4.0 * z * z - 1.0) * g * g / 288.0;
    assert_relative(estimate.ci_high, 3.0 + (q + shift) * 1.0801234497346435, 1e-12);
    assert_relative(estimate.ci_low, 3.0 - 3.1824463052837084 * 1.0801234497346435, 1e-12);
}

/* Paths 1, 2, 3, 4, 5: mean 3, M2 10, s.e. sqrt(10/4/5). */
static void test_paths_give_mean_error_and_normal_interval(void **state)
{
    (void)state;
    const levy_moments moments = {5, 3, 10};
    const levy_estimate estimate = levy_estimate_paths(&moments, 0.99);
    assert_true(estimate.value == 3.0);
    assert_relative(estimate.std_error, 0.70710678118654752, 1e-15);
    assert_int_equal(estimate.interval, LEVY_INTERVAL_NORMAL);
    assert_relative(estimate.ci_high - estimate.ci_low,
                    2 * 2.5758293035489005 * 0.70710678118654752, 1e-12);
}

static void test_one_observation_gives_no_error(void **state)
{
    (void)state;
    const levy_moments one = {65536, 10.5, 3.0}, single_path = {1, 2.0, 0.0};
    const levy_estimate sobol = levy_estimate_replicates(&one, 1, 0.95, 0.0);
    assert_true(sobol.value == 10.5);
    assert_true(isnan(sobol.std_error) && isnan(sobol.ci_low) && isnan(sobol.ci_high));
    assert_int_equal(sobol.interval, LEVY_INTERVAL_NONE);
    const levy_estimate path = levy_estimate_paths(&single_path, 0.95);
    assert_true(path.value == 2.0 && isnan(path.std_error));
    assert_int_equal(path.interval, LEVY_INTERVAL_NONE);
}

static levy_estimate estimate_with_equal_means(size_t n_replicates, size_t n_equal)
{
    levy_moments replicates[64];
    for (size_t i = 0; i < n_replicates; ++i)
        replicates[i] = (levy_moments){4096, i < n_equal ? 0.1 : 0.1 + (double)i * 1e-3, 1.0};
    return levy_estimate_replicates(replicates, n_replicates, 0.95, 0.0);
}

static void test_few_distinct_means_are_unreliable(void **state)
{
    (void)state;
    static const struct {
        size_t n, equal;
        levy_interval_kind kind;
    } cases[] = {
        {2, 2, LEVY_INTERVAL_UNRELIABLE},   {2, 1, LEVY_INTERVAL_STUDENT_T},
        {16, 16, LEVY_INTERVAL_UNRELIABLE}, {16, 11, LEVY_INTERVAL_UNRELIABLE},
        {16, 10, LEVY_INTERVAL_STUDENT_T},  {16, 1, LEVY_INTERVAL_STUDENT_T},
        {5, 4, LEVY_INTERVAL_UNRELIABLE},   {5, 3, LEVY_INTERVAL_STUDENT_T},
        {64, 59, LEVY_INTERVAL_UNRELIABLE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const levy_estimate estimate = estimate_with_equal_means(cases[i].n, cases[i].equal);
        assert_int_equal(estimate.interval, cases[i].kind);
        const bool unreliable = cases[i].kind == LEVY_INTERVAL_UNRELIABLE;
        assert_int_equal(isnan(estimate.ci_low), unreliable);
        assert_int_equal(isnan(estimate.ci_high), unreliable);
        /* a 0 would be read as certainty */
        assert_int_equal(isnan(estimate.std_error), cases[i].equal == cases[i].n);
    }
    const levy_moments flat = {4096, 0.1, 0.0};
    assert_int_equal(levy_estimate_paths(&flat, 0.95).interval, LEVY_INTERVAL_UNRELIABLE);
    assert_true(isnan(levy_estimate_paths(&flat, 0.95).std_error));
}

/* ---- Errors of another kind ---- */

static void test_errors_combine_by_squares(void **state)
{
    (void)state;
    assert_relative(levy_error_combine(3.0, 4.0), 5.0, 1e-15);
    /* squares would underflow */
    assert_relative(levy_error_combine(4e-200, 3e-200), 5e-200, 1e-15);
    assert_relative(levy_error_combine(3e200, 4e200), 5e200, 1e-15);
    assert_true(levy_error_combine(0.0, 0.0) == 0.0 && levy_error_combine(0.25, 0.0) == 0.25);
    assert_true(levy_error_combine(1e-4, 1e-14) == 1e-4); /* the same bits */
}

static void test_an_interval_widens_with_its_error(void **state)
{
    (void)state;
    const levy_estimate given = {
        64, 10.0, 0.3, 9.0, 11.5, LEVY_INTERVAL_STUDENT_T, LEVY_DOUBT_NONE};
    const levy_estimate wide = levy_estimate_widen(given, 0.4, 0.95);
    assert_relative(wide.std_error, 0.5, 1e-15);
    assert_relative(wide.ci_low, 10.0 - 1.0 * 5.0 / 3.0, 1e-15);
    assert_relative(wide.ci_high, 10.0 + 1.5 * 5.0 / 3.0, 1e-15);
    assert_int_equal(wide.interval, LEVY_INTERVAL_STUDENT_T);
    const levy_estimate same = levy_estimate_widen(given, 1e-10, 0.95);
    assert_true(same.std_error == given.std_error && same.ci_low == given.ci_low &&
                same.ci_high == given.ci_high);
}

static void test_what_has_no_error_gets_none(void **state)
{
    (void)state;
    const levy_estimate none = {64, 10.0, NAN, NAN, NAN, LEVY_INTERVAL_UNRELIABLE, LEVY_DOUBT_NONE};
    assert_true(isnan(levy_estimate_widen(none, 0.4, 0.95).std_error));
    const levy_estimate few = {64, 10.0, 0.3, NAN, NAN, LEVY_INTERVAL_UNRELIABLE, LEVY_DOUBT_NONE};
    const levy_estimate wider = levy_estimate_widen(few, 0.4, 0.95);
    assert_true(isnan(wider.ci_low) && isnan(wider.ci_high));
    assert_relative(wider.std_error, 0.5, 1e-15);
}

static void test_an_exact_value_is_known_to_its_rounding(void **state)
{
    (void)state;
    const levy_estimate exact = levy_estimate_exact(64, 10.0);
    assert_true(exact.std_error == 0.0 && exact.ci_low == 10.0 && exact.ci_high == 10.0);
    const levy_estimate rounded = levy_estimate_widen(exact, 1e-3, 0.95);
    assert_true(rounded.std_error == 1e-3);
    assert_relative(rounded.ci_high - 10.0, 1.9599639845400539e-3, 1e-10);
    assert_relative(10.0 - rounded.ci_low, 1.9599639845400539e-3, 1e-10);
}

/* How many of 20,000 intervals of 16 means each hold the mean. `draw` has mean 0. */
enum { COVER_EXPERIMENTS = 20000, COVER_REPLICATES = 16 };

static int count_covered(double (*draw)(uint64_t *word), double sign)
{
    uint64_t word = 12345;
    int covered = 0;
    for (int i = 0; i < COVER_EXPERIMENTS; ++i) {
        levy_moments replicates[COVER_REPLICATES];
        for (int r = 0; r < COVER_REPLICATES; ++r)
            replicates[r] = (levy_moments){1, 5.0 + 2.0 * sign * draw(&word), 0};
        const levy_estimate estimate =
            levy_estimate_replicates(replicates, COVER_REPLICATES, 0.95, 0.0);
        covered += estimate.ci_low <= 5.0 && 5.0 <= estimate.ci_high;
    }
    return covered;
}

static uint32_t next_word(uint64_t *word)
{
    *word = *word * 6364136223846793005u + 1442695040888963407u; /* D. Knuth's MMIX generator */
    return (uint32_t)(*word >> 32);
}

static double draw_normal(uint64_t *word) { return levy_normal_from_word(next_word(word)); }
static double draw_exponential(uint64_t *word)
{
    return -log((next_word(word) + 0.5) / 4294967296.0) - 1.0;
}

/* 95 % and, for the shift can only add, a little more: 95.9 % of normal means. Of exponential ones
 * Student's t alone holds 91.3 %, the shift of first order 95.0 %, that of second order 96.0 %
 * (40,000 draws in NumPy). The binomial deviation of a share is 0.15 %; five of them. */
static void test_student_interval_covers_as_often_as_it_says(void **state)
{
    (void)state;
    assert_in_range(count_covered(draw_normal, 1.0), (int)(0.9510 * COVER_EXPERIMENTS),
                    (int)(0.9670 * COVER_EXPERIMENTS));
    assert_in_range(count_covered(draw_exponential, 1.0), (int)(0.9525 * COVER_EXPERIMENTS),
                    (int)(0.9680 * COVER_EXPERIMENTS));
    assert_in_range(count_covered(draw_exponential, -1.0), (int)(0.9525 * COVER_EXPERIMENTS),
                    (int)(0.9680 * COVER_EXPERIMENTS));
}

static void test_infinite_and_undefined_moments_stay_visible(void **state)
{
    (void)state;
    const levy_moments bad = {100, NAN, NAN};
    assert_true(isnan(levy_estimate_paths(&bad, 0.95).value));
    const levy_moments replicates[] = {{100, 1, 1}, {100, INFINITY, 1}, {100, 2, 1}};
    assert_true(!isfinite(levy_estimate_replicates(replicates, 3, 0.95, 0.0).value));
}

/* Squares that are no double leave no error, and no interval of Student. */
static void test_an_error_that_overflows_is_unreliable(void **state)
{
    const levy_moments wild[] = {
        {8, 1e200, 0.0}, {8, -1e200, 0.0}, {8, 3e200, 0.0}, {8, 5e199, 0.0}};
    const levy_estimate estimate = levy_estimate_replicates(wild, 4, 0.95, 0.0);
    (void)state;
    assert_true(isnan(estimate.std_error) && isnan(estimate.ci_low));
    assert_int_equal(estimate.interval, LEVY_INTERVAL_UNRELIABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_error_that_overflows_is_unreliable),
        cmocka_unit_test(test_student_quantile_matches_the_printed_table),
        cmocka_unit_test(test_student_quantile_matches_mpmath),
        cmocka_unit_test(test_normal_quantile_matches_mpmath),
        cmocka_unit_test(test_student_quantile_has_its_closed_forms),
        cmocka_unit_test(test_quantiles_refuse_what_has_no_answer),
        cmocka_unit_test(test_replicates_give_mean_error_and_student_interval),
        cmocka_unit_test(test_paths_give_mean_error_and_normal_interval),
        cmocka_unit_test(test_one_observation_gives_no_error),
        cmocka_unit_test(test_few_distinct_means_are_unreliable),
        cmocka_unit_test(test_errors_combine_by_squares),
        cmocka_unit_test(test_an_interval_widens_with_its_error),
        cmocka_unit_test(test_what_has_no_error_gets_none),
        cmocka_unit_test(test_an_exact_value_is_known_to_its_rounding),
        cmocka_unit_test(test_student_interval_covers_as_often_as_it_says),
        cmocka_unit_test(test_infinite_and_undefined_moments_stay_visible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
