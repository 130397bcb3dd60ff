/* test_cuda_fit.c: rules of exercise that a GPU fits, on a GPU that is none (fake_module.c in the
 * place of the CUDA module): fit.cu itself runs on the host's threads (fit_host.cpp), and the plans
 * have the hashes of the CPU's, which are those of its fitted numbers. What a GPU cannot do or has
 * no memory for the host does. */
#include "tests/emulated.h"
#include "tests/gpu_context.h"
#include "tests/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_MEMORY = 2, LAUNCH_FAILED = 719 }; /* codes of the driver */
enum { STRIDE = LEVY_TEST_FULL ? 1 : 5 };    /* the distance of calls of the driver that fail */

static long launches; /* of fit.cu */
static int (*launch)(int kernel, unsigned x, unsigned y, unsigned threads, void **arguments);
static char *compiled; /* the shape */

/* The text less its first word, as the fake has it. */
static int run(const char *text, int kernel, unsigned x, unsigned y, unsigned threads,
               void **arguments)
{
    static void *library;
    if (!compiled || strcmp(text, compiled) != 0) {
        char *const shape = malloc(strlen(text) + 16);
        sprintf(shape, "#define%s", text);
        emulated_write_shape(shape);
        free(shape);
        free(compiled);
        compiled = strdup(text);
        if (library) dlclose(library);
        emulated_library("fit_host.cpp");
        library = dlopen(emulated_file("emulated"), RTLD_NOW | RTLD_LOCAL);
        if (!library) fail_msg("%s", dlerror());
        fake_symbol(library, "fit_host_launch", &launch, sizeof launch);
    }
    ++launches;
    return launch(kernel, x, y, threads, arguments);
}

typedef struct rule_priced {
    int status;
    double price, std_error;
    uint64_t hash;
} rule_priced;

static rule_priced price_on(const char *text, const char *device)
{
    const levy_price_options how = {
        .struct_size = sizeof how, .device = device, .threads = 2, .no_kernel_cache = 1};
    levy_book *const book = read_book(context, text, NULL, 0);
    levy_results *results = NULL;
    rule_priced p = {.status = levy_price(book, &how, &results)};
    const levy_trade_result *const trade = results ? levy_results_trade(results, 0) : NULL;
    if (trade) {
        p.price = trade->price;
        p.hash = trade->plan_hash;
        p.std_error = trade->std_error;
    }
    levy_results_destroy(results);
    levy_book_destroy(book);
    return p;
}

static bool is_same(const rule_priced *a, const rule_priced *b)
{
    return a->status == b->status && a->price == b->price && a->std_error == b->std_error &&
           a->hash == b->hash;
}

static const char market[] =
    "schema_version: 1\n"
    "market:\n  curves: {USD: 0.05}\n  assets:\n"
    "    A: {currency: USD, spot: 100, volatility: 0.2, dividend_yield: 0.02}\n"
    "    B: {currency: USD, spot: 90, volatility: 0.35}\n"
    "    C: {currency: USD, spot: 110, volatility: 0.15, dividends: {cash: [[0.4, 3]]}}\n"
    "  correlations: {pairs: [[A.spot, B.spot, 0.3], [A.spot, C.spot, 0.5], [B.spot, C.spot, "
    "-0.2]]}\n";

static const char *book_of(const char *model, const char *assets, const char *payoff,
                           const char *exercise)
{
    static char text[2048];
    const int n = snprintf(
        text, sizeof text,
        "%smodels: {m: {kind: %s, assets: [%s]}}\nsimulation: {paths: 2^10}\n"
        "trades:\n  - {id: t, underlyings: [%s], payoff: {kind: %s},\n     exercise: {expiry: 1, "
        "method: simulation, fit: {paths: 2^13}, %s}}\n",
        market, model, assets, assets, payoff, exercise);
    assert_true(n > 0 && n < (int)sizeof text);
    return text;
}

static void renew(void)
{
    levy_call_device_drop(context);
    if (!gpu->failed) assert_int_equal(gpu->held, 0);
    gpu_renew();
    gpu->fit = run;
    launches = 0;
}

#define BERMUDAN "style: bermudan, dates: {count: 4}"
#define REGIMES(assets, calm, wild)                                                                \
    "regime_switching, regimes: {calm: {volatility_factors: [1" assets "]" calm "}, wild: "        \
    "{volatility_factors: [2" assets "]" wild                                                      \
    "}}, generator: [[-1, 1], [2, -2]], initial_regime: calm"
#define RATES(assets) REGIMES(assets, ", rate: 0.03", ", rate: -0.04")
static const struct {
    const char *model, *assets, *payoff, *exercise;
} rows[] = {
    {"black_scholes", "A", "european, option_type: put, strike: 105", BERMUDAN},
    {"black_scholes", "A", "european, option_type: put, strike: 105",
     "style: american, steps: 6"}, /* exercised later */
    {"black_scholes", "A", "european, option_type: put, strike: 130", "style: american, steps: 6"},
    /* some dates have too few paths, and some have none */
    {"black_scholes", "A", "european, option_type: put, strike: 65", BERMUDAN},
    {"black_scholes", "C", "european, option_type: call, strike: 105", BERMUDAN},
    {"heston, v0: 0.04, theta: 0.04, kappa: 2, xi: 0.5, rho: -0.7", "A",
     "european, option_type: put, strike: 105", BERMUDAN},
    {REGIMES("", "", ""), "A", "european, option_type: put, strike: 105", BERMUDAN},
    {RATES(""), "A", "european, option_type: put, strike: 105", "style: american, steps: 6"},
    {RATES(""), "C", "european, option_type: call, strike: 105", BERMUDAN},
    {RATES(", 1.5"), "A, B", "best_of, option_type: call, strike: 100", BERMUDAN},
    {"black_scholes", "A, B", "best_of, option_type: call, strike: 100", BERMUDAN},
    {"black_scholes", "A, B, C", "worst_of, option_type: put, strike: 100", BERMUDAN},
    {"black_scholes", "A, B", "basket, option_type: put, strike: 95, weights: [0.5, 0.5]",
     BERMUDAN},
    {"black_scholes", "A, B, C",
     "basket, option_type: put, strike: 95, basket_type: geometric, weights: [0.3, 0.3, 0.4]",
     BERMUDAN},
};

static void test_a_gpu_fits_with_the_bits_of_the_cpu(void **state)
{
    (void)state;
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const char *const text =
            book_of(rows[i].model, rows[i].assets, rows[i].payoff, rows[i].exercise);
        renew();
        const rule_priced want = price_on(text, "cpu"), got = price_on(text, "cuda");
        assert_int_equal(want.status, LEVY_STATUS_OK);
        assert_true(launches >= 6);
        if (!is_same(&want, &got)) fail_msg("row %zu", i);
        assert_true(i != 2 || want.price == 30.0); /* exercised today */
    }
}

/* What is said of dates without paths is said of a GPU's fit, too. */
static const char *warned(const char *device)
{
    static char said[512];
    const char *const text = book_of(rows[3].model, rows[3].assets, rows[3].payoff, BERMUDAN);
    price_on(text, device);
    said[0] = '\0';
    for (size_t i = 0; i < levy_diagnostic_count(context); ++i)
        snprintf(said, sizeof said, "%s", levy_diagnostic_get(context, i)->message);
    return said;
}

static void test_dates_without_paths_are_told(void **state)
{
    (void)state;
    emulated_skip_without_compiler();
    char want[512];
    renew();
    snprintf(want, sizeof want, "%s", warned("cpu"));
    assert_non_null(strstr(want, "have no exercise"));
    assert_string_equal(warned("cuda"), want);
    assert_true(launches > 0);
}

/* The host fits what asks for more than numbers, or on few paths. */
static void test_the_host_fits_the_rest(void **state)
{
    (void)state;
    emulated_skip_without_compiler();
    static const char *const asks[][2] = {
        {"2^13}", "2^11}"},
        {"2^13}", "2^13, control: european}"},
        {"simulation: {", "measures: [price, boundary]\nsimulation: {"},
        {"simulation: {", "measures: [price, upper_bound]\nsimulation: {"},
        {"simulation: {", "measures: [price, boundary]\nsimulation: {"}};
    for (size_t i = 0; i < sizeof asks / sizeof *asks; ++i) {
        char text[2048];
        const size_t row = i == 4 ? 5 : 0; /* where more than one level decides none is told */
        const char *const from = book_of(rows[row].model, "A", rows[row].payoff, BERMUDAN),
                          *const at = strstr(from, asks[i][0]);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - from), from, asks[i][1],
                 at + strlen(asks[i][0]));
        renew();
        const rule_priced want = price_on(text, "cpu"), got = price_on(text, "cuda");
        assert_int_equal(want.status, LEVY_STATUS_OK);
        assert_true(is_same(&want, &got));
        assert_int_equal(launches > 0, i == 4);
    }
}

/* Whichever call of the driver fails, nothing is left behind: without memory the host fits. */
static void test_calls_that_fail(void **state)
{
    (void)state;
    emulated_skip_without_compiler();
    static const int codes[] = {NO_MEMORY, LAUNCH_FAILED};
    const char *const text = book_of(rows[0].model, "A", rows[0].payoff, BERMUDAN);
    renew();
    const rule_priced want = price_on(text, "cpu");
    for (size_t c = 0; c < sizeof codes / sizeof *codes; ++c)
        for (long at = 1;; at += STRIDE) {
            renew();
            gpu->fail_at = at;
            gpu->fail_code = codes[c];
            const rule_priced got = price_on(text, "auto");
            assert_true(is_same(&want, &got));
            assert_int_equal(gpu->misuse, 0);
            if (!gpu->failed) break;
        }
    renew();
    gpu->fit = NULL; /* no memory for the launch */
    const rule_priced got = price_on(text, "cuda");
    assert_true(is_same(&want, &got));
}

static int set_up(void **state) { return emulated_set_up(state) ? -1 : gpu_start(state); }

static int tear_down(void **state)
{
    gpu_finish(state);
    free(compiled);
    emulated_tear_down(state);
    return gpu->misuse == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_gpu_fits_with_the_bits_of_the_cpu),
                                       cmocka_unit_test(test_dates_without_paths_are_told),
                                       cmocka_unit_test(test_the_host_fits_the_rest),
                                       cmocka_unit_test(test_calls_that_fail)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
