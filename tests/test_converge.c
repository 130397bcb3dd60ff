/* test_converge.c: the arithmetic of studies on data whose answers are known, and closed forms
 * against the reference prices and against each other. */
#include "tests/cmocka_all.h"

#include "engine/book/handles.h"
#include "engine/study/closed_form.h"
#include "engine/statistics/convergence.h"
#include "kernels/lane/scalar.h"
#include "tests/reference_case.h"
#include "tests/near.h"
#include "tests/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lines ---- */

static void test_line_fit_finds_an_exact_line(void **state)
{
    (void)state;
    const double x[] = {8, 9, 10, 12},
                 y[] = {1.0 - 0.75 * 8, 1.0 - 0.75 * 9, 1.0 - 0.75 * 10, 1.0 - 0.75 * 12};
    const levy_line line = levy_line_fit(x, y, 4);
    assert_near(line.slope, -0.75, 1e-14);
    assert_near(line.intercept, 1.0, 1e-13);
}

/* Hand-made: x = 0, 1, 2, y = 0, 2, 1: slope 1/2, intercept 1/2. */
static void test_line_fit_is_least_squares(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2}, y[] = {0, 2, 1};
    const levy_line line = levy_line_fit(x, y, 3);
    assert_near(line.slope, 0.5, 1e-15);
    assert_near(line.intercept, 0.5, 1e-15);
}

static void test_line_fit_needs_two_different_x(void **state)
{
    (void)state;
    const double x[] = {3, 3}, y[] = {1, 2};
    assert_true(isnan(levy_line_fit(x, y, 0).slope));
    assert_true(isnan(levy_line_fit(x, y, 1).slope));
    assert_true(isnan(levy_line_fit(x, y, 2).slope));
}

/* ---- Errors, slopes and their bootstrap errors ---- */

enum { REPLICATES = 400, SIZES = 10 };

typedef struct sample {
    uint64_t sizes[SIZES];
    double estimates[REPLICATES * SIZES], rmse[SIZES], rmse_se[SIZES];
    levy_converge_input input;
    levy_converge_figures figures;
} sample;

static void sample_init(sample *s, size_t replicates, size_t sizes)
{
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < sizes; ++i) s->sizes[i] = (uint64_t)256 << i;
    s->input = (levy_converge_input){.n_replicates = replicates,
                                     .n_sizes = sizes,
                                     .sizes = s->sizes,
                                     .estimates = s->estimates,
                                     .reference = 5.0,
                                     .fit_first = 256,
                                     .fit_last = (uint64_t)256 << (sizes - 1),
                                     .resamples = 2000};
    s->figures = (levy_converge_figures){.rmse = s->rmse, .rmse_se = s->rmse_se};
}

/* Standard normals from a fixed stream of words. */
static double sample_normal(uint64_t i)
{
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return levy_normal_from_word((uint32_t)((x ^ (x >> 31)) >> 32));
}

/* Every replicate falls with the same power: the slope is that power, whichever replicates are
 * drawn. */
static void test_slope_of_a_common_power_is_exact_and_certain(void **state)
{
    static sample s;
    (void)state;
    sample_init(&s, 32, 8);
    for (size_t r = 0; r < 32; ++r)
        for (size_t i = 0; i < 8; ++i)
            s.estimates[r * 8 + i] = 5.0 + sample_normal(r) * pow((double)s.sizes[i], -0.75);
    assert_int_equal(levy_converge_measure(&levy_memory_default, &s.input, &s.figures), LEVY_OK);
    /* estimates around 5 keep 1e-15 of errors of 1e-4 */
    assert_near(s.figures.line.slope, -0.75, 1e-9);
    assert_near(s.figures.slope_se, 0.0, 1e-9);
    double squares = 0.0;
    for (size_t r = 0; r < 32; ++r) squares += sample_normal(r) * sample_normal(r);
    assert_near(s.rmse[0] / (sqrt(squares / 32) * pow(256.0, -0.75)), 1.0, 1e-12);
}

/* Independent normal errors of standard deviation n^-1/2: log2 RMSE has standard deviation 1 / (ln
 * 2 sqrt(2 R)) at every size, so the slope has that over the root of the sum of squared distances
 * of log2 n; the RMSE has RMSE / sqrt(2 R). The bootstrap estimates both, with its own error of a
 * few per cent at R = 400. */
static void test_bootstrap_errors_of_normal_errors_are_those_of_theory(void **state)
{
    static sample s;
    (void)state;
    sample_init(&s, REPLICATES, SIZES);
    for (size_t r = 0; r < REPLICATES; ++r)
        for (size_t i = 0; i < SIZES; ++i)
            s.estimates[r * SIZES + i] =
                5.0 + sample_normal(r * SIZES + i) / sqrt((double)s.sizes[i]);
    assert_int_equal(levy_converge_measure(&levy_memory_default, &s.input, &s.figures), LEVY_OK);
    const double each = 1.0 / (log(2.0) * sqrt(2.0 * REPLICATES)),
                 spread = sqrt(SIZES * (SIZES * SIZES - 1.0) / 12.0);
    assert_near(s.figures.slope_se / (each / spread), 1.0, 0.15);
    assert_near(s.figures.line.slope, -0.5, 4.0 * each / spread);
    for (size_t i = 0; i < SIZES; ++i) {
        assert_near(s.rmse[i] * sqrt((double)s.sizes[i]), 1.0, 4.0 / sqrt(2.0 * REPLICATES));
        assert_near(s.rmse_se[i] / s.rmse[i] * sqrt(2.0 * REPLICATES), 1.0, 0.2);
    }
}

/* Sizes that share their points, so that a replicate is off by one factor at all of them: least
 * squares' own error would be nothing, or nonsense; and the slope really is certain while the
 * errors are not. */
static void test_bootstrap_keeps_a_replicate_whole(void **state)
{
    static sample s;
    (void)state;
    sample_init(&s, 64, 6);
    for (size_t r = 0; r < 64; ++r)
        for (size_t i = 0; i < 6; ++i)
            s.estimates[r * 6 + i] = 5.0 + sample_normal(r) / (double)(1 << i);
    assert_int_equal(levy_converge_measure(&levy_memory_default, &s.input, &s.figures), LEVY_OK);
    assert_near(s.figures.slope_se, 0.0, 1e-9);
    assert_near(s.rmse_se[0] / s.rmse[0] * sqrt(128.0), 1.0, 0.35);
    assert_near(s.rmse_se[0] / s.rmse[0], s.rmse_se[5] / s.rmse[5], 1e-9);
}

static void test_bootstrap_has_a_fixed_seed(void **state)
{
    static sample a, b;
    (void)state;
    sample_init(&a, 16, 5);
    for (size_t k = 0; k < 80; ++k) a.estimates[k] = 5.0 + sample_normal(k);
    b = a;
    b.input.sizes = b.sizes;
    b.input.estimates = b.estimates;
    b.figures = (levy_converge_figures){.rmse = b.rmse, .rmse_se = b.rmse_se};
    assert_int_equal(levy_converge_measure(&levy_memory_default, &a.input, &a.figures), LEVY_OK);
    assert_int_equal(levy_converge_measure(&levy_memory_default, &b.input, &b.figures), LEVY_OK);
    assert_memory_equal(&a.figures.slope_se, &b.figures.slope_se, sizeof(double));
    assert_memory_equal(a.rmse_se, b.rmse_se, sizeof a.rmse_se);
}

static void test_fit_window_leaves_other_sizes_out(void **state)
{
    static sample s;
    (void)state;
    sample_init(&s, 2, 6);
    for (size_t r = 0; r < 2; ++r)
        for (size_t i = 0; i < 6; ++i)
            s.estimates[r * 6 + i] = 5.0 + (i < 2 ? 1.0 : 1.0 / (double)(1 << i));
    s.input.fit_first = s.sizes[2];
    assert_int_equal(levy_converge_measure(&levy_memory_default, &s.input, &s.figures), LEVY_OK);
    assert_near(s.figures.line.slope, -1.0, 1e-12);
    s.input.fit_first = s.sizes[0];
    s.input.fit_last = s.sizes[1];
    assert_int_equal(levy_converge_measure(&levy_memory_default, &s.input, &s.figures), LEVY_OK);
    assert_near(s.figures.line.slope, 0.0, 1e-12);
}

static void test_sizes_without_an_error_are_left_out(void **state)
{
    static sample s;
    (void)state;
    sample_init(&s, 2, 4);
    const double errors[] = {1.0, 0.5, 0.0, 0.125};
    for (size_t r = 0; r < 2; ++r)
        for (size_t i = 0; i < 4; ++i) s.estimates[r * 4 + i] = 5.0 + errors[i];
    assert_int_equal(levy_converge_measure(&levy_memory_default, &s.input, &s.figures), LEVY_OK);
    assert_near(s.figures.line.slope, -1.0, 1e-12);
    assert_true(s.rmse[2] == 0.0);
}

static void test_one_replicate_has_a_slope_and_no_errors(void **state)
{
    static sample s;
    (void)state;
    sample_init(&s, 1, 3);
    for (size_t i = 0; i < 3; ++i) s.estimates[i] = 5.0 - 1.0 / (double)(1 << i);
    assert_int_equal(levy_converge_measure(&levy_memory_default, &s.input, &s.figures), LEVY_OK);
    assert_near(s.figures.line.slope, -1.0, 1e-12);
    assert_true(isnan(s.figures.slope_se) && isnan(s.rmse_se[0]));
}

/* ---- Steps ---- */

/* c / N^p beside what all steps of a replicate have in common: half steps change it by the half of
 * that or less, with noise of a hundredth of a percent. */
static void test_half_steps_of_a_power_have_its_order(void **state)
{
    (void)state;
    for (int p = 1; p <= 2; ++p) {
        static sample s;
        double mean[SIZES], mean_se[SIZES];
        sample_init(&s, 50, 5);
        for (size_t r = 0; r < 50; ++r)
            for (size_t i = 0; i < 5; ++i)
                s.estimates[r * 5 + i] =
                    5.0 + sample_normal(r) +
                    (3.0 + 1e-4 * sample_normal(100 + r * 5 + i)) / pow((double)s.sizes[i], p);
        s.figures.mean = mean;
        s.figures.mean_se = mean_se;
        assert_int_equal(levy_converge_halve(&levy_memory_default, &s.input, &s.figures), LEVY_OK);
        for (size_t i = 0; i + 1 < 5; ++i) {
            const double left = 3.0 / pow((double)s.sizes[i], p);
            assert_near(s.rmse[i], left * (1.0 - pow(0.5, p)), 1e-3 * left);
            assert_true(s.rmse_se[i] > 0.0 && s.rmse_se[i] < 1e-3 * left);
            assert_near(mean[i] - mean[4], left - 3.0 / pow((double)s.sizes[4], p), 1e-3 * left);
            assert_true(mean_se[i] > 0.1);
        }
        assert_true(isnan(s.rmse[4]) && isnan(s.rmse_se[4]));
        assert_near(s.figures.line.slope, -p, 1e-3);
        assert_true(s.figures.slope_se > 0.0 && s.figures.slope_se < 1e-3);
    }
}

/* One change alone, whatever its weight, is no line: no order is told. */
static void test_one_change_has_no_order(void **state)
{
    (void)state;
    for (size_t k = 0; k < 20; ++k) {
        static sample s;
        double mean[SIZES], mean_se[SIZES];
        sample_init(&s, 4, 7);
        s.figures.mean = mean;
        s.figures.mean_se = mean_se;
        for (size_t r = 0; r < 4; ++r)
            s.estimates[r * 7 + 6] = 1.0 + 0.1 * sample_normal(4 * k + r);
        assert_int_equal(levy_converge_halve(&levy_memory_default, &s.input, &s.figures), LEVY_OK);
        assert_true(s.rmse[5] > 2.0 * s.rmse_se[5]);
        assert_true(isnan(s.figures.line.slope) && isnan(s.figures.slope_se));
    }
}

/* What steps change is lost in noise, or there is one replicate: no order is told. */
static void test_half_steps_that_change_nothing_have_no_order(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 50; n += 49) {
        static sample s;
        double mean[SIZES], mean_se[SIZES];
        sample_init(&s, n, 5);
        s.figures.mean = mean;
        s.figures.mean_se = mean_se;
        for (size_t k = 0; k < n * 5; ++k) s.estimates[k] = 5.0;
        assert_int_equal(levy_converge_halve(&levy_memory_default, &s.input, &s.figures), LEVY_OK);
        assert_true(isnan(s.figures.line.slope) && isnan(s.figures.slope_se));
        assert_near(mean[0], 5.0, 1e-12);
        assert_true(s.rmse[0] == 0.0 && isnan(mean_se[0]) == (n == 1));
    }
}

/* ---- Comparison ---- */

static void test_compare_gives_efficiency_and_seconds_to_target(void **state)
{
    (void)state;
    const uint64_t sizes[] = {256, 1024};
    const double slow[] = {0.1, 0.05}, fast[] = {0.02, 0.005};
    levy_convergence_method methods[2] = {{.method = "b",
                                           .replicates = 4,
                                           .n_sizes = 2,
                                           .sizes = sizes,
                                           .rmse = fast,
                                           .slope = -1.0,
                                           .intercept = log2(0.02 * 256),
                                           .seconds = 2.0},
                                          {.method = "a",
                                           .pseudo_random = 1,
                                           .replicates = 4,
                                           .n_sizes = 2,
                                           .sizes = sizes,
                                           .rmse = slow,
                                           .slope = -0.5,
                                           .intercept = log2(0.1 * 16),
                                           .seconds = 1.0}};
    levy_convergence study = {.n_methods = 2, .methods = methods};
    levy_converge_compare(&study, methods);
    assert_string_equal(study.baseline, "a");
    assert_near(study.target_rmse, 0.05, 0.0);
    assert_near(methods[1].efficiency, 1.0, 1e-15);
    /* a hundredth of the variance in twice the time */
    assert_near(methods[0].efficiency, 100.0 / 2.0, 1e-12);
    assert_near(methods[1].seconds_to_target, 1.0 / 4.0, 1e-12); /* a replicate of 1,024 points */
    assert_near(methods[0].seconds_to_target, 2.0 / 4.0 * (0.02 * 256 / 0.05) / 1024.0, 1e-12);
    methods[1].pseudo_random = 0;
    study.target_rmse = 0.001;
    levy_converge_compare(&study, methods);
    assert_null(study.baseline);
    assert_true(isnan(methods[0].efficiency));
    assert_near(study.target_rmse, 0.001, 0.0);
    /* one run of points that do not depend on a seed is neither ranked nor a target */
    methods[1].pseudo_random = 1;
    methods[0].replicates = 1;
    methods[0].slope = NAN;
    study.target_rmse = 0.0;
    levy_converge_compare(&study, methods);
    assert_true(isnan(methods[0].efficiency) && isnan(methods[0].seconds_to_target));
    assert_near(study.target_rmse, 0.05, 0.0);
    study.n_methods = 1;
    study.target_rmse = 0.0;
    levy_converge_compare(&study, methods);
    assert_true(isnan(study.target_rmse));
}

/* ---- Closed forms ---- */

typedef struct family_forms {
    const char *name;
    size_t forms; /* cases with a closed form here */
} family_forms;

static const family_forms families[] = {{"european-vanilla-gbm", 11},
                                        {"european-digital-gap-power", 3},
                                        {"asian-geometric", 2},
                                        {"basket-geometric", 5},
                                        {"exchange", 5},
                                        {"spread", 2},
                                        {"time-dependent-parameters", 2},
                                        {"forward-start-cliquet", 2}};

/* The price of the book's only trade by its closed form; NaN: it has none. */
static double form_price(const char *name, const char *text)
{
    levy_context *context;
    levy_book *book;
    double price = NAN;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    if (levy_book_load_text(context, name, text, strlen(text), NULL, 0, &book) == LEVY_STATUS_OK) {
        (void)levy_closed_form(&book->problem->trades[0], &price);
        price *= levy_trade_scale(&book->problem->trades[0]);
        levy_book_destroy(book);
    }
    levy_context_destroy(context);
    return price;
}

/* References are printed to 13 significant digits: half a unit of the last is up to 5e-13 of the
 * price, beside the case's own tolerance. */
static bool form_agrees(const reference_case *item, double price)
{
    const double allowance = item->tolerance + 5e-13 * fabs(item->price);
    if (fabs(price - item->price) <= allowance) return true;
    print_error("%s: closed form %.16g, reference %.16g, off by %.3g\n", item->id, price,
                item->price, fabs(price - item->price));
    return false;
}

static char *form_read(const char *name, size_t *length)
{
    char path[512];
    static char text[1 << 18];
    snprintf(path, sizeof path, LEVY_SOURCE_DIR "/tests/reference/%s.yaml", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    *length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_true(*length > 0 && *length < sizeof text - 1);
    text[*length] = '\0';
    return text;
}

/* How many cases of a family have a form; each is compared. */
static size_t form_family(const char *name, bool *good)
{
    const reference_settings settings = {.generator = "sobol_scrambled",
                                         .paths = "2^10",
                                         .replicates = 16,
                                         .spot_bump = 1e-3,
                                         .volatility_bump = 1e-3};
    size_t length, forms = 0;
    levy_arena arena;
    levy_fault_list faults;
    levy_document document = {0};
    levy_arena_init(&arena, &levy_memory_default);
    levy_fault_list_init(&faults, &levy_memory_default);
    const char *text = form_read(name, &length);
    assert_int_equal(
        levy_document_read(name, 0, text, length, &levy_limits_default, &arena, &faults, &document),
        LEVY_OK);
    const levy_node *cases = levy_node_find(document.roots[0], "cases");
    assert_non_null(cases);
    for (const levy_node *node = cases->children; node; node = node->next) {
        reference_case item;
        assert_true(reference_case_read(node, &settings, &item));
        const double price = item.refusal ? NAN : form_price(item.id, item.text);
        if (!isnan(price)) {
            forms++;
            *good &= form_agrees(&item, price);
        }
        reference_case_release(&item);
    }
    levy_fault_list_release(&faults);
    levy_arena_release(&arena);
    return forms;
}

static void test_closed_forms_agree_with_the_references(void **state)
{
    (void)state;
    bool good = true;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; ++i) {
        const size_t forms = form_family(families[i].name, &good);
        if (forms != families[i].forms)
            print_error("%s: %zu cases have a form, not %zu\n", families[i].name, forms,
                        families[i].forms);
        good &= forms == families[i].forms;
    }
    assert_true(good);
}

static const char *market(void) { return text_of_book("texts/converge-market"); }

/* A book of the market() above, one trade per line, priced by form and by simulation. */
typedef struct formed {
    levy_context *context;
    levy_book *book;
} formed;

static formed formed_load(const char *trades)
{
    static char text[1 << 14];
    formed it = {0};
    const int length =
        snprintf(text, sizeof text, "%s%ssimulation: {paths: 2^16, seed: 7}\n", market(), trades);
    assert_true(length > 0 && (size_t)length < sizeof text);
    assert_int_equal(levy_context_create(NULL, &it.context), LEVY_STATUS_OK);
    const int status =
        levy_book_load_text(it.context, "trades", text, (size_t)length, NULL, 0, &it.book);
    for (size_t i = 0; i < levy_diagnostic_count(it.context); ++i)
        print_error("%s\n", levy_diagnostic_get(it.context, i)->text);
    assert_int_equal(status, LEVY_STATUS_OK);
    return it;
}

static void formed_release(formed *it)
{
    levy_book_destroy(it->book);
    levy_context_destroy(it->context);
}

static double formed_unit(const formed *it, size_t trade, bool required)
{
    double price;
    const char *name = levy_closed_form(&it->book->problem->trades[trade], &price);
    if (required) assert_non_null(name);
    return price;
}

#define CALL_ON(kind, id, more, rest)                                                              \
    "  - {id: " id ", " kind ", payoff: {" more "}, exercise: {style: european, expiry: 1.0}" rest \
    "}\n"
#define ON_A "underlying: A"
#define ON_B "underlying: B"
#define ON_BOTH "underlyings: [{name: A, weight: 0.6}, {name: B, weight: 0.4}]"
#define OBSERVED "observations: {times: [0.25, 0.5, 0.6, 1.0]}"
#define SEASONED "observations: {times: [-0.5, -0.25, 0, 0.4, 0.9]}"

/* Priced by 2^16 paths: within 5 standard errors of the form, which is the yardstick of studies. */
static void assert_forms_agree(const char *trades, size_t count)
{
    formed it = formed_load(trades);
    levy_results *results;
    bool good = true;
    assert_int_equal(levy_price(it.book, NULL, &results), LEVY_STATUS_OK);
    assert_int_equal(levy_results_size(results), count);
    for (size_t i = 0; i < count; ++i) {
        const levy_trade_result *trade = levy_results_trade(results, i);
        const double form =
                         formed_unit(&it, i, true) * levy_trade_scale(&it.book->problem->trades[i]),
                     error = trade->std_error;
        const bool agrees =
            fabs(trade->price - form) <= 5.0 * error && error > 0.0 && error < 0.02 * fabs(form);
        if (!agrees)
            print_error("%s: simulated %.9g +- %.2g, closed form %.9g\n", trade->id, trade->price,
                        error, form);
        good &= agrees;
    }
    levy_results_destroy(results);
    formed_release(&it);
    assert_true(good);
}

/* Forms that no reference covers: seasoned averages, percent of initial, jumps of the spot, term
 * structures, payments later than expiry. */
static void test_closed_forms_agree_with_simulation(void **state)
{
    /* A macro between strings is no call. */
    /* clang-format off */
    static const char levels[] =
        CALL_ON( ON_A, "call", "kind: european, option_type: call, strike: 105", "")
        CALL_ON(ON_B, "put-late", "kind: european, option_type: put, strike: 1.1, strike_type: "
        "percent_of_initial, initial_fixing: 90", ", position: short, notional: 50")
        CALL_ON(ON_A, "cash", "kind: digital, option_type: put, strike: 90, payout: cash, cash: "
        "30", "")
        CALL_ON(ON_B, "asset", "kind: digital, option_type: call, strike: 99, payout: asset", "")
        CALL_ON(ON_BOTH, "geometric-basket", "kind: basket, basket_type: geometric, option_type: "
        "call, strike: 96", "")
        CALL_ON( ON_BOTH, "digital-basket", "kind: digital, aggregate: geometric_basket, "
        "option_type: call, strike: 96, payout: cash, cash: 10", "")
        CALL_ON("underlyings: [{name: A, weight: 1}, {name: B, weight: -1}]", "exchange", "kind: "
        "basket, option_type: put, strike: 0", "")
        CALL_ON("underlyings: [A, B]", "best", "kind: best_of, option_type: call, strike: 0", "")
        CALL_ON("underlyings: [A, B]", "worst", "kind: worst_of, option_type: call, strike: 0", "")
        CALL_ON(ON_A, "capped", "kind: barrier, option_type: call, strike: 95, barrier: "
        "{direction: up, knock: out, level: 120, observations: {times: [1.0]}}", "")
        CALL_ON(ON_A, "floored", "kind: barrier, option_type: put, strike: 105, barrier: "
        "{direction: down, knock: in, level: 85, observations: {times: [1.0]}}", "")
        CALL_ON(ON_A, "far-side", "kind: barrier, option_type: call, strike: 85, barrier: "
        "{direction: down, knock: out, level: 90, observations: {times: [1.0]}}", "")
        CALL_ON( ON_A, "far-side-put", "kind: barrier, option_type: put, strike: 105, barrier: "
        "{direction: up, knock: in, level: 101, observations: {times: [1.0]}}", "");
    /* clang-format on */
    /* A macro between strings is no call. */
    /* clang-format off */
    static const char averages[] =
        CALL_ON( ON_A, "geometric", "kind: asian, option_type: call, strike: 98, averaging: "
        "{method: geometric, " OBSERVED "}", "")
        CALL_ON(ON_B, "seasoned", "kind: asian, option_type: put, strike: 96, averaging: {method: "
        "geometric, " SEASONED "}", "")
        CALL_ON(ON_BOTH, "basket-average", "kind: asian, aggregate: geometric_basket, "
        "option_type: call, strike: 95, averaging: {method: geometric, " OBSERVED "}", "")
        CALL_ON(ON_A, "average-cash", "kind: asian, option_type: call, strike: 98, payout: cash, "
        "cash: 20, averaging: {method: geometric, " OBSERVED "}", "")
        CALL_ON(ON_A, "average-asset", "kind: asian, option_type: put, strike: 98, payout: asset, "
        "averaging: {method: geometric, " OBSERVED "}", "")
        CALL_ON(ON_B, "one-fixing", "kind: asian, option_type: call, strike: 95, averaging: "
        "{method: arithmetic, observations: {times: [-0.5, -0.25, 0, 0.7]}}", "")
        CALL_ON(ON_A, "forward", "kind: forward_start, option_type: call, strike_fraction: 1.05, "
        "reset: 0.4", "")
        CALL_ON(ON_B, "performance", "kind: forward_start, option_type: put, strike_fraction: 1, "
        "reset: 0.25, form: performance", "")
        CALL_ON(ON_B, "started", "kind: forward_start, option_type: put, strike_fraction: 1.1, "
        "reset: -0.25", "");
    /* clang-format on */
    (void)state;
    assert_forms_agree(levels, 13);
    assert_forms_agree(averages, 9);
}

static void test_closed_forms_obey_parity(void **state)
{
    static const char trades[] = CALL_ON(ON_A, "call",
                                         "kind: european, option_type: call, strike: 105", "")
        CALL_ON(ON_A, "put", "kind: european, option_type: put, strike: 105", "") CALL_ON(
            ON_A, "asset-call", "kind: digital, option_type: call, strike: 105, payout: asset", "")
            CALL_ON(ON_A, "cash-call",
                    "kind: digital, option_type: call, strike: 105, payout: cash, cash: 105", "")
                CALL_ON(ON_A, "cash-put",
                        "kind: digital, option_type: put, strike: 105, payout: cash, cash: 105",
                        "") CALL_ON(ON_A, "out",
                                    "kind: barrier, option_type: call, strike: 105, barrier: "
                                    "{direction: up, knock: out, "
                                    "level: 130, observations: {times: [1.0]}}",
                                    "")
                    CALL_ON(
                        ON_A, "in",
                        "kind: barrier, option_type: call, strike: 105, barrier: {direction: up, "
                        "knock: in, level: 130, observations: {times: [1.0]}}",
                        "");
    (void)state;
    formed it = formed_load(trades);
    double v[7];
    for (size_t i = 0; i < 7; ++i) v[i] = formed_unit(&it, i, true);
    assert_near(v[0] - v[1], 100.0 * exp(-0.01) - 105.0 * exp(-0.04), 1e-12);
    assert_near(v[2] - v[3], v[0], 1e-12);
    assert_near(v[3] + v[4], 105.0 * exp(-0.04), 1e-12);
    assert_near(v[5] + v[6], v[0], 1e-12);
    assert_true(v[5] > 0.0 && v[6] > 0.0);
    formed_release(&it);
}

/* At expiry a barrier that no payment passes leaves nothing of a knock-out; one that all payments
 * pass leaves all of it. */
static void test_closed_forms_of_barriers_beyond_the_strike(void **state)
{
#define BEYOND(id, barrier)                                                                        \
    CALL_ON(ON_A, id,                                                                              \
            "kind: barrier, option_type: call, strike: 105, barrier: {" barrier                    \
            ", observations: {times: [1.0]}}",                                                     \
            "")
    static const char trades[] = BEYOND("out", "direction: up, knock: out, level: 104")
        BEYOND("in", "direction: up, knock: in, level: 104")
            BEYOND("free", "direction: down, knock: out, level: 90")
                BEYOND("never", "direction: down, knock: in, level: 90")
                    CALL_ON(ON_A, "call", "kind: european, option_type: call, strike: 105", "");
#undef BEYOND
    (void)state;
    formed it = formed_load(trades);
    const double call = formed_unit(&it, 4, true);
    assert_true(formed_unit(&it, 0, true) == 0.0);
    assert_near(formed_unit(&it, 1, true), call, 1e-14);
    assert_near(formed_unit(&it, 2, true), call, 1e-14);
    assert_near(formed_unit(&it, 3, true), 0.0, 1e-14);
    formed_release(&it);
}

/* What has no form is said to have none: a wrong yardstick is worse than a simulated one. */
static void test_trades_without_a_closed_form_have_none(void **state)
{
    static const char trades[] = CALL_ON(
        ON_A, "arithmetic",
        "kind: asian, option_type: call, strike: 98, averaging: {method: arithmetic, " OBSERVED "}",
        "") CALL_ON(ON_A, "average-strike",
                    "kind: asian, option_type: call, averaging: {of: strike, method: "
                    "geometric, " OBSERVED "}",
                    "") CALL_ON(ON_BOTH, "basket", "kind: basket, option_type: call, strike: 96",
                                "") CALL_ON("underlyings: [A, B]", "worst",
                                            "kind: worst_of, option_type: call, strike: 90", "")
        CALL_ON(
            ON_A, "watched",
            "kind: barrier, option_type: call, strike: 95, barrier: {direction: up, knock: out, "
            "level: 120, observations: {times: [0.5, 1.0]}}",
            "") CALL_ON(ON_A, "rebate",
                        "kind: barrier, option_type: call, strike: 95, rebate: 3, barrier: "
                        "{direction: up, knock: out, level: 120, observations: {times: [1.0]}}",
                        "")
            CALL_ON(
                ON_A, "digital-barrier",
                "kind: barrier, option_type: call, strike: 95, payout: cash, cash: 2, barrier: "
                "{direction: up, knock: out, level: 120, observations: {times: [1.0]}}",
                "") CALL_ON(ON_A, "continuous",
                            "kind: barrier, option_type: call, strike: 95, barrier: {direction: "
                            "up, knock: out, level: 120, monitoring: continuous}",
                            "")
                CALL_ON(ON_A, "early",
                        "kind: barrier, option_type: call, strike: 95, barrier: {direction: up, "
                        "knock: out, level: 120, observations: {times: [0.5]}}",
                        "")
                    CALL_ON(
                        ON_A, "today",
                        "kind: barrier, option_type: call, strike: 95, barrier: {direction: up, "
                        "knock: out, level: 120, observations: {times: [0, 1.0]}}",
                        "");
    (void)state;
    formed it = formed_load(trades);
    for (size_t i = 0; i < 10; ++i) {
        if (!isnan(formed_unit(&it, i, false)))
            fail_msg("%s has a closed form", it.book->problem->trades[i].from->raw->id);
    }
    formed_release(&it);
}

static void test_cash_dividends_have_no_closed_form(void **state)
{
    const char *const text = text_of_book("texts/converge");
    (void)state;
    assert_true(isnan(form_price("cash", text)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_fit_finds_an_exact_line),
        cmocka_unit_test(test_line_fit_is_least_squares),
        cmocka_unit_test(test_line_fit_needs_two_different_x),
        cmocka_unit_test(test_slope_of_a_common_power_is_exact_and_certain),
        cmocka_unit_test(test_bootstrap_errors_of_normal_errors_are_those_of_theory),
        cmocka_unit_test(test_bootstrap_keeps_a_replicate_whole),
        cmocka_unit_test(test_bootstrap_has_a_fixed_seed),
        cmocka_unit_test(test_fit_window_leaves_other_sizes_out),
        cmocka_unit_test(test_sizes_without_an_error_are_left_out),
        cmocka_unit_test(test_one_replicate_has_a_slope_and_no_errors),
        cmocka_unit_test(test_half_steps_of_a_power_have_its_order),
        cmocka_unit_test(test_one_change_has_no_order),
        cmocka_unit_test(test_half_steps_that_change_nothing_have_no_order),
        cmocka_unit_test(test_compare_gives_efficiency_and_seconds_to_target),
        cmocka_unit_test(test_closed_forms_agree_with_the_references),
        cmocka_unit_test(test_closed_forms_agree_with_simulation),
        cmocka_unit_test(test_closed_forms_obey_parity),
        cmocka_unit_test(test_closed_forms_of_barriers_beyond_the_strike),
        cmocka_unit_test(test_trades_without_a_closed_form_have_none),
        cmocka_unit_test(test_cash_dividends_have_no_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
