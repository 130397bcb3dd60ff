/* test_stage.c: a stage between plan and run, by a toy that tests alone have (stage_case.h). What
 * it is fitted with is what NumPy finds on the levels that were recorded; the price follows from
 * it; and whoever repeats the fit gets its bits: other threads, instruction sets, batches and
 * precisions. test_stage_book.c has books.
 *
 *     test_stage cuda            a GPU fits and prices with the CPU's bits */
#include "tests/stage_book_case.h"

#include "engine/book/plan_cache.h"
#include "engine/plan/recording.h"
#include "kernels/cpu/cpu_objects.h"
#include "kernels/points/mrg_streams.h"
#include "kernels/points/sobol_tables.h"
#include "tests/files.h"
#include "tests/near.h"

#include <math.h>

/* ---- The fit ---- */

/* By centred sums, in long double. */
static void assert_least_squares(void)
{
    long double x = 0, y = 0, xx = 0, xy = 0;
    for (size_t k = 0; k < TOY_PATHS; ++k) {
        x += 0.01L * toy.levels[k] / TOY_PATHS;
        y += toy_pays(toy.levels[TOY_PATHS + k], toy.worth) / (long double)TOY_PATHS;
    }
    for (size_t k = 0; k < TOY_PATHS; ++k) {
        const long double d = 0.01L * toy.levels[k] - x;
        xx += d * d;
        xy += d * (toy_pays(toy.levels[TOY_PATHS + k], toy.worth) - y);
    }
    const double slope = (double)(xy / xx), base = (double)(y - xy / xx * x);
    assert_near(toy.fitted[TOY_SLOPE], slope, 1e-12 * fabs(slope));
    assert_near(toy.fitted[TOY_BASE], base, 1e-12 * fabs(base));
}

static void assert_numpys(void)
{
    static const char script[] =
        "import sys, numpy as np\n"
        "a, m = np.fromfile(sys.argv[1]), int(sys.argv[2])\n"
        "x, y, w, c = a[:m], a[m:2*m], a[2*m:2*m+2], a[2*m+2:]\n"
        "pays = np.where(y > 100, (y - 100) * w[1] / w[0], 0)\n"
        "own = np.linalg.lstsq(np.stack([np.ones(m), 0.01 * x], 1), pays, rcond=None)[0]\n"
        "sys.exit(not np.all(np.abs(c - own) <= 1e-12 * np.abs(own)))\n";
    char command[512];
    FILE *const levels = fopen(path_of("levels"), "wb");
    assert_non_null(levels);
    write_file(path_of("fit.py"), script);
    fwrite(toy.levels, sizeof *toy.levels, (size_t)2 * TOY_PATHS, levels);
    fwrite(toy.worth, sizeof toy.worth, 1, levels);
    fwrite(toy.fitted, sizeof toy.fitted, 1, levels);
    fclose(levels);
    if (system("python3 -c 'import numpy' 2> /dev/null") != 0) {
        print_message("skipped: no NumPy\n");
        return;
    }
    snprintf(command, sizeof command, "python3 '%s' '%s' %d", path_of("fit.py"), path_of("levels"),
             TOY_PATHS);
    assert_int_equal(system(command), 0);
}

/* What the lanes read of the toy. */
static void assert_written(levy_book *book)
{
    levy_plan *plan = NULL;
    const levy_group *groups;
    size_t n_groups;
    char why[LEVY_REASON_SIZE];
    assert_int_equal(levy_plan_cache_prepare(book, &groups, &n_groups), LEVY_OK);
    assert_true(groups[0].fits);
    assert_int_equal(levy_plan_cache_get(book, 0, &plan, why), LEVY_OK);
    assert_true(plan->fit != 0);
    const levy_image_item *const items = LEVY_IMAGE_AT(levy_image_item, plan->image, items);
    size_t seen = 0, n = 0;
    for (uint32_t i = 0; i < plan->image->n_items; ++i) {
        double terms[16] = {0};
        if (items[i].trade != 0) continue;
        ++n;
        assert_in_range(items[i].n_node_terms, 2, 16);
        levy_plan_get_node_terms(plan, i, 0, terms);
        for (size_t k = 0; k < items[i].n_node_terms; ++k)
            seen += terms[k] == toy.fitted[TOY_BASE] || terms[k] == 0.01 * toy.fitted[TOY_SLOPE];
    }
    assert_true(n >= 3); /* today, and the spot up and down */
    assert_int_equal(seen, 2 * n);
    levy_plan_cache_put(book, 0, plan);
}

static void test_the_fit_is_that_of_least_squares(void **state)
{
    (void)state;
    levy_book *const book = toy_load(context, toy_text, NULL, NULL);
    const levy_price_options how = on_cpu(2);
    toy.fits = 0;
    const toy_priced p = toy_price_by(book, &how);
    assert_int_equal(p.status, LEVY_STATUS_OK);
    assert_int_equal(toy.fits, 1);
    assert_least_squares();
    assert_numpys();
    assert_written(book);
    /* Black and Scholes */
    assert_true(p.std_error < 0.02 && fabs(p.price - 10.450583572185565) < 0.05);
    /* the line's slope is that of the call, as the level moves */
    assert_true(fabs(p.delta - 0.6368306511756191) < 0.1);
    const toy_priced again = toy_price_by(book, &how);
    assert_same(&p, &again);
    assert_int_equal(toy.fits, 1); /* the plan was kept */
    levy_book_destroy(book);
}

static void test_squares_of_any_rows(void **state)
{
    (void)state;
    levy_least_squares fit = {.n = 3};
    double c[3];
    /* the third column is twice the second: one of the two has no coefficient */
    for (int k = 0; k < 200; ++k)
        levy_least_squares_add(&fit, (double[]){1.0, k, 2.0 * k}, 3.0 - 0.5 * k);
    assert_int_equal(levy_least_squares_solve(&fit, c), 2);
    assert_true(c[2] == 0.0 && fabs(c[0] - 3.0) < 1e-10 && fabs(c[1] + 0.5) < 1e-12);
    fit = (levy_least_squares){.n = 1};
    assert_int_equal(levy_least_squares_solve(&fit, c), 0); /* of no row */
    assert_true(c[0] == 0.0);
}

/* ---- The same bits ---- */

static void test_bits_are_those_of_one_thread(void **state)
{
    (void)state;
    static const char *const sets[] = {"baseline", "avx2", "avx512", "neon"};
    const toy_priced want = price_plainly();
    for (uint32_t threads = 2; threads <= 3; ++threads) {
        const levy_price_options how = on_cpu(threads);
        const toy_priced p = toy_price(context, NULL, NULL, &how);
        assert_same(&want, &p);
    }
    for (uint64_t blocks = 1; blocks <= 3; ++blocks) {
        levy_price_options how = on_cpu(2);
        how.batch_blocks = blocks;
        const toy_priced p = toy_price(context, NULL, NULL, &how);
        assert_same(&want, &p);
    }
    for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i) {
        char why[LEVY_REASON_SIZE];
        levy_price_options how = on_cpu(1);
        how.isa = sets[i];
        if (!levy_cpu_choose(sets[i], why)) continue;
        const toy_priced p = toy_price(context, NULL, NULL, &how);
        assert_same(&want, &p);
    }
}

/* The levels are in double, on points of their own, whatever prices the book. */
static void test_a_fit_does_not_depend_on_how_a_book_is_priced(void **state)
{
    (void)state;
    static const char *const settings[][2] = {
        {"simulation.precision", "single"}, {"simulation.precision", "mixed"},
        {"simulation.paths", "2^15"},       {"simulation.replicates", "4"},
        {"simulation.generator", "sobol"},  {"simulation.pipeline", "staged"},
        {"simulation.generator", "halton"}, {"measures", "[price]"}};
    const levy_price_options how = on_cpu(1);
    const toy_priced want = price_plainly();
    double fitted[TOY_FITTED];
    memcpy(fitted, toy.fitted, sizeof fitted);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i) {
        const toy_priced p = toy_price(context, settings[i][0], settings[i][1], &how);
        assert_int_equal(p.status, LEVY_STATUS_OK);
        assert_memory_equal(fitted, toy.fitted, sizeof fitted);
        assert_true(p.hash != want.hash && fabs(p.price - want.price) < 0.1);
    }
    const toy_priced seeded = toy_price(context, "simulation.seed", "43", &how);
    assert_true(seeded.status == LEVY_STATUS_OK);
    assert_true(memcmp(fitted, toy.fitted, sizeof fitted) != 0);
}

/* A trade's numbers are those that it has alone; one that is not fitted does not see the fit. */
static void test_other_trades_change_nothing(void **state)
{
    (void)state;
    static char text[sizeof toy_text];
    const levy_price_options how = on_cpu(1);
    const toy_priced want = price_plainly();
    strcpy(text, toy_text);
    char *const plain = strstr(text, "  - {id: plain"), *const rest = strstr(text, "measures:");
    memmove(plain, rest, strlen(rest) + 1);
    levy_book *const alone = toy_load(context, text, NULL, NULL);
    const toy_priced own = toy_price_by(alone, &how);
    levy_book_destroy(alone);
    assert_int_equal(own.status, LEVY_STATUS_OK);
    assert_true(own.price == want.price && own.delta == want.delta);
    levy_book *const unfitted = toy_load(context, toy_text, NULL, NULL);
    unfitted->problem->trades[0].stage = NULL;
    const toy_priced p = toy_price_by(unfitted, &how);
    levy_book_destroy(unfitted);
    assert_true(p.plain == want.plain && p.other == want.other);
    assert_true(p.hash != want.hash && p.price != want.price);
}

/* Keys, starts of streams, scrambles and padding are others than the price's. */
static void test_points_of_a_fit_are_its_own(void **state)
{
    (void)state;
    static const char *const generators[] = {"sobol_scrambled", "philox", "mrg32k3a"};
    for (size_t i = 0; i < 3; ++i) {
        levy_book *const book = toy_load(context, toy_text, "simulation.generator", generators[i]);
        const levy_group *groups;
        size_t n_groups;
        levy_plan *plan;
        levy_recording fit, price;
        char why[LEVY_REASON_SIZE];
        assert_int_equal(levy_plan_cache_prepare(book, &groups, &n_groups), LEVY_OK);
        assert_int_equal(levy_plan_cache_get(book, 0, &plan, why), LEVY_OK);
        levy_recorded what = {0, NULL, LEVY_PURPOSE_EXERCISE, TOY_PATHS, 42};
        assert_int_equal(levy_recording_create(plan, &what, &fit, why), LEVY_OK);
        what.purpose = LEVY_PURPOSE_PRICE;
        assert_int_equal(levy_recording_create(plan, &what, &price, why), LEVY_OK);
        const levy_image *const a = fit.plan->image, *const b = price.plan->image;
        assert_true(a->generator == b->generator && a->n_replicates == 1);
        assert_int_equal(*LEVY_IMAGE_AT(uint64_t, b, keys),
                         *LEVY_IMAGE_AT(uint64_t, plan->image, keys));
        assert_true(*LEVY_IMAGE_AT(uint64_t, a, keys) != *LEVY_IMAGE_AT(uint64_t, b, keys));
        const uint64_t points = i == 2 ? a->streams : a->directions;
        if (i != 1)
            assert_memory_not_equal((const char *)a + points, (const char *)b + points,
                                    LEVY_MRG_STATE * sizeof(uint32_t));
        levy_recording_destroy(&fit);
        levy_recording_destroy(&price);
        levy_plan_cache_put(book, 0, plan);
        levy_book_destroy(book);
    }
}

static void test_new_quotes_are_fitted_anew(void **state)
{
    (void)state;
    const levy_price_options how = on_cpu(2);
    levy_book *const book = toy_load(context, toy_text, NULL, NULL);
    const toy_priced first = toy_price_by(book, &how);
    assert_int_equal(levy_book_set(book, "A.spot", 110.0), LEVY_STATUS_OK);
    toy_attach(book);
    const toy_priced moved = toy_price_by(book, &how);
    assert_int_equal(levy_book_set(book, "A.spot", 100.0), LEVY_STATUS_OK);
    toy_attach(book);
    const toy_priced back = toy_price_by(book, &how);
    levy_book_destroy(book);
    assert_same(&first, &back);
    assert_true(moved.status == LEVY_STATUS_OK && moved.price > first.price + 3.0);
}

static double value_of(const levy_results *results, const char *name, const char *factor)
{
    const levy_measure *const m = find_measure(levy_results_trade(results, 0), name, factor);
    assert_non_null(m);
    return m->value;
}

/* A scenario has the price of a book with its quotes, whose fit is its own. */
static void test_a_scenario_is_fitted_in_its_own_market(void **state)
{
    (void)state;
    static char text[sizeof toy_text + 256];
    const levy_price_options how = on_cpu(2);
    levy_results *results = NULL;
    strcpy(text, toy_text);
    strcat(text, "scenarios:\n"
                 "  - {id: up, shifts: [{factor: A.spot, type: relative, size: 0.1}]}\n"
                 "  - {id: wild, shifts: [{factor: A.volatility, type: absolute, size: 0.05},\n"
                 "     {factor: USD.rate, type: absolute, size: 0.01}]}\n");
    levy_book *const book = toy_load(context, text, NULL, NULL);
    toy.fits = 0;
    assert_int_equal(levy_price(book, &how, &results), LEVY_STATUS_OK);
    assert_int_equal(toy.fits, 3);
    const double up = value_of(results, "scenario_price", "up"),
                 wild = value_of(results, "scenario_price", "wild"),
                 pnl = value_of(results, "scenario_pnl", "up");
    const toy_priced today = toy_take(LEVY_STATUS_OK, results);
    levy_book_destroy(book);
    const toy_priced plain = price_plainly();
    assert_true(plain.price == today.price && plain.delta == today.delta);
    assert_true(fabs(pnl - (up - today.price)) < 1e-9);
    levy_book *const moved = toy_load(context, toy_text, NULL, NULL);
    assert_int_equal(levy_book_set(moved, "A.spot", 100.0 * (1.0 + 0.1)), LEVY_STATUS_OK);
    toy_attach(moved);
    assert_true(toy_price_by(moved, &how).price == up);
    assert_int_equal(levy_book_set(moved, "A.spot", 100.0), LEVY_STATUS_OK);
    assert_int_equal(levy_book_set(moved, "A.volatility", 0.2 + 0.05), LEVY_STATUS_OK);
    assert_int_equal(levy_book_set(moved, "USD.rate", 0.05 + 0.01), LEVY_STATUS_OK);
    toy_attach(moved);
    assert_true(toy_price_by(moved, &how).price == wild);
    levy_book_destroy(moved);
}

static void test_a_tolerance_keeps_the_fit(void **state)
{
    (void)state;
    const levy_price_options how = on_cpu(2);
    toy.fits = 0;
    const toy_priced p =
        toy_price(context, "simulation.tolerance", "{absolute: 0.01, max_paths: 2^18}", &how);
    assert_int_equal(p.status, LEVY_STATUS_OK);
    assert_int_equal(toy.fits, 1);
}

/* ---- A GPU ---- */

static void test_a_gpu_has_the_bits_of_the_cpu(void **state)
{
    (void)state;
    const levy_price_options how = {.struct_size = sizeof how, .device = "cuda"};
    const toy_priced want = price_plainly();
    double *const levels = toy.levels, fitted[TOY_FITTED];
    memcpy(fitted, toy.fitted, sizeof fitted);
    toy.levels = NULL;
    const toy_priced p = toy_price(context, NULL, NULL, &how);
    assert_same(&want, &p);
    assert_memory_equal(fitted, toy.fitted, sizeof fitted);
    assert_memory_equal(levels, toy.levels, (size_t)2 * TOY_PATHS * sizeof *levels);
    free(levels);
    print_message("price %.17g, delta %.17g, base %.17g, slope %.17g, hash %016llx\n", p.price,
                  p.delta, fitted[TOY_BASE], fitted[TOY_SLOPE], (unsigned long long)p.hash);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest of_gpu[] = {cmocka_unit_test(test_a_gpu_has_the_bits_of_the_cpu)};
    if (argc == 2 && strcmp(argv[1], "cuda") == 0)
        return cmocka_run_group_tests(of_gpu, set_up, tear_down);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_fit_is_that_of_least_squares),
        cmocka_unit_test(test_squares_of_any_rows),
        cmocka_unit_test(test_bits_are_those_of_one_thread),
        cmocka_unit_test(test_a_fit_does_not_depend_on_how_a_book_is_priced),
        cmocka_unit_test(test_other_trades_change_nothing),
        cmocka_unit_test(test_points_of_a_fit_are_its_own),
        cmocka_unit_test(test_new_quotes_are_fitted_anew),
        cmocka_unit_test(test_a_scenario_is_fitted_in_its_own_market),
        cmocka_unit_test(test_a_tolerance_keeps_the_fit)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
