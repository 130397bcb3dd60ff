/* test_stage_book.c: books whose trades are fitted first (stage_case.h): parts and journals repeat
 * the fit, workers leave it to the pricing thread, studies make it for each of their runs, and
 * whatever ends a stage ends cleanly. */
#include "tests/stage_book_case.h"

#include "engine/problem/smoothing.h"

#include <math.h>

/* ---- Parts and journals ---- */

static toy_priced resume_by(const char *key, const char *value, int resume)
{
    levy_price_options how = on_cpu(2);
    how.journal = path_of("run.journal");
    how.resume = resume;
    return toy_price(context, key, value, &how);
}

static void test_a_journal_goes_on_if_the_fit_is_the_same(void **state)
{
    (void)state;
    const toy_priced want = price_plainly(), first = resume_by(NULL, NULL, 0);
    toy.fits = 0;
    const toy_priced again = resume_by(NULL, NULL, 1);
    assert_same(&want, &first);
    assert_same(&want, &again);
    assert_int_equal(toy.fits, 1);
    /* of a plan that is not fitted it is another */
    levy_price_options how = on_cpu(1);
    how.journal = path_of("run.journal");
    how.resume = 1;
    levy_book *const book = toy_load(context, toy_text, NULL, NULL);
    book->problem->trades[0].stage = NULL;
    const toy_priced refused = toy_price_by(book, &how);
    levy_book_destroy(book);
    assert_int_equal(refused.status, LEVY_STATUS_RESUME);
    unlink(path_of("run.journal"));
}

static const levy_stage endless_stage = {
    .paths = (uint64_t)1 << 40, .n_fitted = TOY_FITTED, .fit = toy_fit, .write = toy_write};

/* Two parts of three trades share the toy's group, whose fit each of them makes. */
static void test_parts_are_the_whole(void **state)
{
    (void)state;
    const toy_priced want = price_plainly();
    const char *paths[4];
    toy.fits = 0;
    for (uint32_t k = 0; k < 4; ++k) {
        char name[16];
        levy_price_options how = on_cpu(k % 2 + 1);
        snprintf(name, sizeof name, "part.%u", (unsigned)k);
        paths[k] = path_of(name);
        how.journal = paths[k];
        how.part = k + 1;
        how.parts = 4;
        const toy_priced p = toy_price(context, NULL, NULL, &how);
        assert_int_equal(p.status, LEVY_STATUS_OK);
    }
    assert_in_range(toy.fits, 2, 4);
    toy.fits = 0;
    levy_book *const book = toy_load(context, toy_text, NULL, NULL);
    const levy_merge_options merge = {.struct_size = sizeof merge, .paths = paths, .n_paths = 4};
    levy_results *results = NULL;
    const int status = levy_merge(book, &merge, &results);
    const toy_priced merged = toy_take(status, results);
    levy_book_destroy(book);
    assert_same(&want, &merged);
    assert_int_equal(toy.fits, 1); /* no part has all sums of the toy's group */
    levy_book *const other = toy_load(context, toy_text, NULL, NULL);
    other->problem->trades[0].stage = &endless_stage;
    assert_int_equal(levy_merge(other, &merge, &results), LEVY_STATUS_MEMORY);
    assert_string_equal(levy_diagnostic_get(context, 0)->reason, "memory");
    levy_book_destroy(other);
}

/* A study draws the price anew; its fit has the seed's paths, as a price has. */
static levy_study *study_of(levy_book *book, const levy_merge_options *merge,
                            const levy_price_options *how)
{
    const levy_study_options options = {.struct_size = sizeof options,
                                        .methods = "sobol_scrambled+bridge",
                                        .points = "2^8..2^12",
                                        .trade = "toy",
                                        .replicates = 4,
                                        .resamples = 10,
                                        .merge = merge};
    levy_study *study = NULL;
    const int status = levy_converge(book, &options, how, &study);
    if (status != LEVY_STATUS_OK && !toy.fails) fail_msg("%s", first_words(context));
    return study;
}

/* ---- What ends a stage ---- */

static int stop_at_once(void *user, const levy_progress *progress)
{
    size_t *const left = user;
    (void)progress;
    return *left == 0 || --*left == 0;
}

/* Wherever the caller stops, what comes back is cancelled, and the next call starts again. */
static void test_a_stage_can_be_stopped(void **state)
{
    (void)state;
    const toy_priced want = price_plainly();
    levy_book *const book = toy_load(context, toy_text, NULL, NULL);
    for (size_t after = 1; after < 12; ++after) {
        size_t left = after;
        levy_price_options how = on_cpu(2);
        how.batch_blocks = 1;
        how.progress = stop_at_once;
        how.user = &left;
        const toy_priced p = toy_price_by(book, &how);
        assert_int_equal(p.status, LEVY_STATUS_CANCELLED);
    }
    const levy_price_options how = on_cpu(2);
    const toy_priced p = toy_price_by(book, &how);
    levy_book_destroy(book);
    assert_same(&want, &p);
}

static void test_a_fit_that_fails_fails_its_group(void **state)
{
    (void)state;
    const toy_priced want = price_plainly();
    levy_book *const book = toy_load(context, toy_text, NULL, NULL);
    const levy_price_options how = on_cpu(2);
    levy_results *results = NULL;
    toy.fails = true;
    assert_int_equal(levy_price(book, &how, &results), LEVY_STATUS_OK);
    toy.fails = false;
    const levy_trade_result *const failed = levy_results_trade(results, 0);
    assert_string_equal(failed->status, "failed");
    assert_string_equal(failed->reason, "numeric_error");
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->text,
                           "the fit of trade 'toy' has failed: the toy is told to fail"));
    assert_string_equal(levy_results_trade(results, 2)->status, "ok");
    levy_results_destroy(results);
    toy.fails = true;
    assert_null(study_of(book, NULL, &how));
    toy.fails = false;
    assert_string_equal(levy_diagnostic_get(context, 0)->reason, "numeric_error");
    const toy_priced p = toy_price_by(book, &how);
    levy_book_destroy(book);
    assert_same(&want, &p);
}

/* ---- Trades without plain paths ---- */

/* The toy's price, without the setting that its text ends with. */
static toy_priced price_smoothed(const char *smoothing)
{
    static char text[sizeof toy_text + 64];
    const levy_price_options how = on_cpu(2);
    strcpy(text, toy_text);
    sprintf(strstr(text, "smoothing: none"), "smoothing: %s}\n", smoothing);
    levy_book *const book = toy_load(context, text, NULL, NULL);
    for (size_t t = 0; t < book->problem->n_trades; ++t)
        if (book->problem->trades[t].stage)
            levy_trade_integrate(&book->problem->simulation, &book->problem->trades[t]);
    const toy_priced p = toy_price_by(book, &how);
    levy_book_destroy(book);
    return p;
}

static void test_a_fitted_trade_is_not_smoothed(void **state)
{
    (void)state;
    const toy_priced want = price_plainly(), all = price_smoothed("all"),
                     wide = price_smoothed("{kind: none, width: 0.01}");
    assert_true(all.status == LEVY_STATUS_OK && all.price == want.price && all.plain > 0.0);
    assert_same(&want, &wide);
}

/* It has expired, and is paid later: no level is to come. */
static void test_what_is_known_is_not_fitted(void **state)
{
    (void)state;
    static const char text[] =
        "schema_version: 1\n"
        "valuation_date: 2026-01-01\n"
        "market:\n"
        "  curves: {USD: 0.05}\n"
        "  assets: {A: {currency: USD, spot: 100, volatility: 0.2,\n"
        "    fixings: [[2025-12-01, 101], [2025-12-30, 104]]}}\n"
        "models: {bs: {kind: black_scholes, assets: [A]}}\n"
        "trades:\n"
        "  - {id: toy, underlying: A, exercise: {expiry: 2025-12-30}, payment_date: 2026-02-01,\n"
        "     payoff: {kind: script, schedules: {fit: [2025-12-01]}, parameters: {base: [1],\n"
        "     slope: [2]}, script: 'at fit { pay base[number] }\n\n"
        "      at expiry { pay max(level - 100, 0) }'}}\n";
    const levy_price_options how = on_cpu(1);
    levy_book *const book = toy_load(context, text, NULL, NULL);
    toy.fits = 0;
    const toy_priced p = toy_price_by(book, &how);
    levy_book_destroy(book);
    assert_int_equal(toy.fits, 0);
    assert_true(p.status == LEVY_STATUS_OK && fabs(p.price - 4.0) < 0.03);
}

/* ---- Memory, workers, studies ---- */

static const levy_stage large_stage = {
    .paths = (uint64_t)1 << 24, .n_fitted = TOY_FITTED, .fit = toy_fit, .write = toy_write};

static void test_levels_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    const levy_context_options options = {.struct_size = sizeof options, .max_memory = "64M"};
    const levy_price_options how = on_cpu(2);
    levy_context *small;
    levy_results *results = NULL;
    assert_int_equal(levy_context_create(&options, &small), LEVY_STATUS_OK);
    levy_book *const book = toy_load(small, toy_text, NULL, NULL);
    book->problem->trades[0].stage = &large_stage;
    assert_int_equal(levy_price(book, &how, &results), LEVY_STATUS_OK);
    assert_string_equal(levy_results_trade(results, 0)->status, "failed");
    assert_string_equal(levy_results_trade(results, 0)->reason, "memory");
    assert_non_null(strstr(levy_diagnostic_get(small, 0)->text,
                           "the levels of a fit would need about 256.0 MiB"));
    levy_results_destroy(results);
    levy_book_destroy(book);
    levy_context_destroy(small);
}

enum { TOYS = 12 };

/* Small groups, each of a toy on an asset of its own. */
static void write_many(char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size,
                                "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n");
    for (int i = 0; i < TOYS; ++i)
        n += (size_t)snprintf(text + n, size - n,
                              "    A%d: {currency: USD, spot: 100, volatility: 0.%d}\n", i, i + 10);
    n += (size_t)snprintf(text + n, size - n, "models:\n");
    for (int i = 0; i < TOYS; ++i)
        n += (size_t)snprintf(text + n, size - n, "  m%d: {kind: black_scholes, assets: [A%d]}\n",
                              i, i);
    n += (size_t)snprintf(text + n, size - n, "trades:\n");
    for (int i = 0; i < TOYS; ++i)
        n += (size_t)snprintf(
            text + n, size - n,
            "  - {id: toy%d, model: m%d, underlying: A%d, exercise: {expiry: 1}, payoff: {kind: "
            "script,\n     schedules: {fit: [0.5]}, parameters: {base: [1], slope: [2]}, script:\n"
            "     'at fit { pay base[number] + slope[number] * level }'}}\n",
            i, i, i);
    assert_true(n < size);
    snprintf(text + n, size - n, "simulation: {paths: 2^12, smoothing: none}\n");
}

static void price_many(uint32_t threads, double *prices)
{
    static char text[1 << 13];
    const levy_price_options how = on_cpu(threads);
    levy_results *results = NULL;
    write_many(text, sizeof text);
    levy_book *const book = toy_load(context, text, NULL, NULL);
    toy.fits = 0;
    assert_int_equal(levy_price(book, &how, &results), LEVY_STATUS_OK);
    assert_int_equal(toy.fits, TOYS);
    for (size_t i = 0; i < TOYS; ++i) {
        assert_string_equal(levy_results_trade(results, i)->status, "ok");
        prices[i] = levy_results_trade(results, i)->price;
    }
    levy_results_destroy(results);
    levy_book_destroy(book);
}

static void test_workers_leave_fits_to_the_pricing_thread(void **state)
{
    (void)state;
    double want[TOYS], got[TOYS];
    price_many(1, want);
    for (uint32_t threads = 2; threads <= 5; threads += 3) {
        price_many(threads, got);
        assert_memory_equal(want, got, sizeof want);
    }
    assert_true(want[11] > want[0] + 1.0);
}

static void test_studies_fit_too(void **state)
{
    (void)state;
    levy_price_options how = on_cpu(2);
    const char *const paths[] = {path_of("study.1"), path_of("study.2")};
    levy_book *const book = toy_load(context, toy_text, "simulation.seed", "7");
    levy_study *const whole = study_of(book, NULL, &how);
    for (uint32_t k = 0; k < 2; ++k) {
        how.journal = paths[k];
        how.part = k + 1;
        how.parts = 2;
        assert_null(study_of(book, NULL, &how));
    }
    how = on_cpu(1);
    const levy_merge_options merge = {.struct_size = sizeof merge, .paths = paths, .n_paths = 2};
    levy_study *const merged = study_of(book, &merge, &how);
    const levy_convergence_method *const a = levy_study_convergence(whole)->methods,
                                         *const b = levy_study_convergence(merged)->methods;
    assert_int_equal(a->n_sizes, 5);
    assert_memory_equal(a->estimates, b->estimates, 4 * 5 * sizeof *a->estimates);
    assert_true(fabs(a->estimates[4] - 10.45) < 0.2);
    levy_study_destroy(whole);
    levy_study_destroy(merged);
    levy_book_destroy(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_journal_goes_on_if_the_fit_is_the_same),
        cmocka_unit_test(test_parts_are_the_whole),
        cmocka_unit_test(test_a_stage_can_be_stopped),
        cmocka_unit_test(test_a_fit_that_fails_fails_its_group),
        cmocka_unit_test(test_a_fitted_trade_is_not_smoothed),
        cmocka_unit_test(test_what_is_known_is_not_fitted),
        cmocka_unit_test(test_levels_that_do_not_fit_are_refused),
        cmocka_unit_test(test_workers_leave_fits_to_the_pricing_thread),
        cmocka_unit_test(test_studies_fit_too)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
