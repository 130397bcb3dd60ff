/* test_calibrate.c: models fitted to quotes: parameters that made the quotes come back, errors
 * cover them, a fitted book prices what it was fitted to, and what the quotes leave open is said.
 * `test_calibrate sets COUNT` fits that many sets of each model; `test_calibrate noise COUNT` does
 * so to quotes with errors (tests/nightly.sh).
 *
 * Sets: sigma in [0.08, 0.3], lambda in [0.1, 3] (Kou: [0.2, 4]), mean jump in [-0.3, 0.05], jump
 * volatility in [0.03, 0.3]; p in [0.1, 0.6], rates in [10, 50] up and [5, 30] down; v0 and theta
 * in [0.01, 0.16], kappa in [0.3, 6], xi in [0.1, 1.5], rho in [-0.9, 0.1], Feller's ratio 0.1 or
 * more; alpha in [6, 40], beta in [-0.7 alpha, 0], delta in [0.1, 1]. 10 expiries from a week to 5
 * years, 15 strikes each within 1.8 standard deviations of 20 %. */
#include "tests/near.h"

#include "engine/calibrate/fit.h"
#include "engine/fourier/black.h"
#include "tests/command.h"
#include "tests/heap.h"
#include "tests/words.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* ---- Sets ---- */

enum { EXPIRIES = 10, STRIKES = 15, QUOTES = EXPIRIES * STRIKES };
static const double expiries[EXPIRIES] = {1 / 52.0, 2 / 52.0, 1 / 12.0, 2 / 12.0, 0.25,
                                          0.5,      1.0,      2.0,      3.0,      5.0};
static const char *const kinds[] = {"heston", "merton", "kou", "normal_inverse_gaussian"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static uint64_t stream;
static double uniform(void)
{
    stream = stream * 6364136223846793005u + 1442695040888963407u;
    return (double)(stream >> 11) * 0x1p-53;
}
static double between(double low, double high) { return low + (high - low) * uniform(); }
static double by_ratio(double low, double high) { return low * pow(high / low, uniform()); }
static double normal(void)
{
    const double size = sqrt(-2.0 * log(1.0 - uniform()));
    return size * cos(2.0 * LEVY_PI * uniform());
}

static void draw_heston(double *p)
{
    do {
        p[0] = by_ratio(0.01, 0.16);
        p[1] = by_ratio(0.01, 0.16);
        p[2] = by_ratio(0.3, 6.0);
        p[3] = by_ratio(0.1, 1.5);
        p[4] = between(-0.9, 0.1);
    } while (2.0 * p[1] * p[2] / (p[3] * p[3]) < 0.1);
}

static void draw_set(const char *kind, double *p)
{
    if (strcmp(kind, "heston") == 0) {
        draw_heston(p);
    } else if (strcmp(kind, "merton") == 0) {
        p[0] = by_ratio(0.08, 0.3);
        p[1] = by_ratio(0.1, 3.0);
        p[2] = between(-0.3, 0.05);
        p[3] = by_ratio(0.03, 0.3);
    } else if (strcmp(kind, "kou") == 0) {
        p[0] = by_ratio(0.08, 0.3);
        p[1] = by_ratio(0.2, 4.0);
        p[2] = between(0.1, 0.6);
        p[3] = by_ratio(10.0, 50.0);
        p[4] = by_ratio(5.0, 30.0);
    } else {
        p[0] = by_ratio(6.0, 40.0);
        p[1] = -0.7 * p[0] * uniform();
        p[2] = by_ratio(0.1, 1.0);
    }
}

/* The set's quotes. error: half of the spread of a volatility, with a normal error of that size; 0:
 * exact. */
static void make_quotes(levy_fit *fit, const double *p, double error)
{
    levy_cos cos = {.room = LEVY_COS_MOST};
    cos.terms = malloc(cos.room * sizeof *cos.terms);
    assert_non_null(cos.terms);
    double sum = 0.0;
    for (size_t i = 0; i < QUOTES; ++i) {
        const double t = expiries[i / STRIKES], root = sqrt(t), far = 0.36 * sqrt(t + 0.02),
                     x = far * ((double)(i % STRIKES) / 7.0 - 1.0);
        if (i % STRIKES == 0)
            assert_true(levy_cos_begin(&cos, fit->law, p, t, -far, far, 1e-14, false));
        const double put = levy_cos_put(&cos, x, NULL), out = x > 0.0 ? put - expm1(x) : put;
        const double s = levy_black_implied(x, x > 0.0, out),
                     vega = fmax(levy_black_vega(x, s) * root, 0.01);
        sum += s / root;
        fit->quotes[i] = (levy_fit_quote){.years = t,
                                          .log_strike = x,
                                          .put = error > 0.0 ? put + error * vega * normal() : put,
                                          .per_unit = 1.0 / (vega * (error > 0.0 ? error : 1.0)),
                                          .source = i};
    }
    fit->n = QUOTES;
    fit->volatility = sum / QUOTES;
    levy_fit_order(fit);
    free(cos.terms);
}

typedef struct set_end {
    double worst;           /* relative error of any parameter */
    size_t covered, sought; /* by intervals of 95 % */
    double seconds;
} set_end;

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static set_end run_set(const char *kind, uint64_t number, double error)
{
    levy_fit_quote quotes[QUOTES];
    levy_fit fit = {.law = levy_exponent_find(kind), .quotes = quotes, .n_starts = 8, .seed = 1};
    levy_fit_result result;
    levy_arena arena;
    double p[LEVY_EXPONENT_MOST];
    set_end end = {.worst = 0.0};
    stream = 1000003u * (number + 1);
    for (int i = 0; i < 8; ++i) (void)uniform();
    draw_set(kind, p);
    for (size_t j = 0; j < fit.law->n; ++j)
        fit.bounds[j] = (levy_fit_bound){
            .start = NAN, .low = fit.law->parameters[j].low, .high = fit.law->parameters[j].high};
    make_quotes(&fit, p, error);
    if (error > 0.0 && number % 2) /* the first expiry has one */
        fit.quotes += STRIKES - 1, fit.n -= STRIKES - 1;
    levy_arena_init(&arena, &levy_memory_default);
    const double start = cpu_seconds();
    assert_int_equal(levy_fit_run(&fit, &arena, &result), LEVY_OK);
    end.seconds = cpu_seconds() - start;
    for (size_t j = 0; j < fit.law->n; ++j) {
        const double value = result.values[j], deviation = sqrt(result.covariance[j][j]);
        end.worst = fmax(end.worst, fabs(value / p[j] - 1.0));
        if (!result.free[j]) continue;
        ++end.sought;
        const bool ratio = fit.law->parameters[j].by_ratio;
        const double off =
            ratio ? log(p[j] / value) / (deviation / value) : (p[j] - value) / deviation;
        end.covered += fabs(off) < 1.959964;
    }
    levy_arena_release(&arena);
    return end;
}

/* How many of the sets come back to 1e-6. */
static size_t run_sets(const char *kind, size_t n, double *most_seconds)
{
    size_t good = 0;
    *most_seconds = 0.0;
    for (size_t i = 0; i < n; ++i) {
        const set_end end = run_set(kind, i, 0.0);
        good += end.worst < 1e-6;
        *most_seconds = fmax(*most_seconds, end.seconds);
    }
    return good;
}

static double run_noise(const char *kind, size_t n)
{
    size_t covered = 0, sought = 0;
    for (size_t i = 0; i < n; ++i) {
        const set_end end = run_set(kind, i, 0.0005);
        covered += end.covered;
        sought += end.sought;
    }
    return (double)covered / (double)sought;
}

static void test_sets(void **state)
{
    (void)state;
    double seconds;
    const size_t n = LEVY_SANITIZED ? 1 : 5;
    for (size_t k = 0; k < KINDS; ++k) assert_int_equal(run_sets(kinds[k], n, &seconds), n);
}

static void test_noise(void **state)
{
    (void)state;
    for (size_t k = 0; k < 3; ++k) {
        const double coverage = run_noise(kinds[k], LEVY_SANITIZED ? 3 : 20);
        assert_true(coverage > (LEVY_SANITIZED ? 0.5 : 0.87) && coverage <= 1.0);
    }
}

/* ---- Books ---- */

static const char market[] =
    "schema_version: 1\n"
    "market:\n"
    "  curves: {USD: 0.03}\n"
    "  assets:\n"
    "    ACME: {currency: USD, spot: 50, dividend_yield: 0.01}\n"
    "    PAYS: {currency: USD, spot: 50, dividends: {cash: [[0.5, 1]]}}\n"
    "    SINKS: {currency: USD, spot: 50, dividend_yield: 0.5, dividends: {cash: [[5, 40]]}}\n";

static levy_calibration *fit_text(levy_context *context, const char *text)
{
    levy_calibration *fit = NULL;
    const levy_source source = {.name = "book.yaml", .text = text, .length = strlen(text)};
    if (levy_calibrate(context, &source, 1, NULL, &fit) != LEVY_STATUS_OK)
        fail_msg("%s", first_words(context));
    return fit;
}

static int keep(void *user, const char *text, size_t length)
{
    char *const kept = user;
    const size_t before = strlen(kept);
    if (before + length >= 65536) return 1;
    memcpy(kept + before, text, length);
    kept[before + length] = '\0';
    return 0;
}

/* The fitted book with a call and a put: the engine's prices are the model's of the fit. */
static void check_prices(levy_context *context, const levy_calibration *fit, double step_bias)
{
    static char text[65536];
    text[0] = '\0';
    assert_int_equal(levy_calibration_write(fit, LEVY_FORMAT_YAML, keep, text), LEVY_STATUS_OK);
    const size_t n = levy_calibration_info(fit)->quotes;
    strcat(text, "trades:\n");
    for (size_t i = 0; i < n; ++i) {
        const levy_fitted_quote *const quote = levy_calibration_quote(fit, i);
        char trade[512];
        snprintf(trade, sizeof trade,
                 "  - {id: t%zu, underlying: %s, payoff: {kind: european, option_type: %s, "
                 "strike: %.17g}, exercise: {expiry: %.17g}}\n",
                 i, quote->asset, quote->is_call ? "call" : "put", quote->strike, quote->years);
        strcat(text, trade);
    }
    strcat(text, "simulation: {paths: 2^17}\n");
    levy_results *const results = price_words(context, text, NULL, 0, 1);
    for (size_t i = 0; i < n; ++i) {
        const levy_trade_result *const trade = levy_results_trade(results, i);
        assert_near(trade->price, levy_calibration_quote(fit, i)->model_price,
                    step_bias + 5.0 * trade->std_error);
        assert_true(trade->std_error < 1e-3 * 50.0);
    }
    levy_results_destroy(results);
}

static void test_priced(void **state)
{
    (void)state;
    static const char *const models[][2] = {
        {"merton", ""},
        {"kou", ""},
        {"variance_gamma", ""},
        {"normal_inverse_gaussian", ""},
        {"regime_switching", "rate_12: {value: 0, fixed: true}, rate_21: {value: 0, fixed: true}, "
                             "volatility_2: {high: 0.4}"},
        {"heston", "kappa: {value: 2, fixed: true}"},
        {"bates", "kappa: {value: 2, fixed: true}, jump_mean: {value: -0.1, fixed: true}, "
                  "jump_volatility: {value: 0.1, fixed: true}"},
    };
    levy_context *context;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    for (size_t i = 0; i < sizeof models / sizeof *models; ++i) {
        char text[4096];
        snprintf(text, sizeof text,
                 "%scalibration:\n  asset: ACME\n  model: %s\n  parameters: {%s}\n  quotes:\n"
                 "    - {expiry: 0.5, strike: 40, volatility: 0.30}\n"
                 "    - {expiry: 0.5, strike: 45, volatility: 0.27}\n"
                 "    - {expiry: 0.5, strike: 50, volatility: 0.25}\n"
                 "    - {expiry: 0.5, strike: 55, volatility: 0.24}\n"
                 "    - {expiry: 1.5, delta: -0.1, volatility: 0.28}\n"
                 "    - {expiry: 1.5, delta: 0.5, volatility: 0.255}\n"
                 "    - {expiry: 1.5, strike: 60, option_type: call, price: 3.15}\n",
                 market, models[i][0], models[i][1]);
        levy_calibration *const fit = fit_text(context, text);
        assert_string_equal(levy_calibration_info(fit)->model, models[i][0]);
        assert_true(levy_calibration_info(fit)->rms < 0.02);
        assert_near(levy_calibration_quote(fit, 6)->price, 3.15, 1e-12);
        /* the steps of heston are off by less than a hundredth of a percent of the spot */
        check_prices(context, fit, i < 5 ? 0.0 : 1e-4 * 50.0);
        levy_calibration_destroy(fit);
    }
    levy_context_destroy(context);
}

/* A dividend of 2 % of the spot, between the expiries: what the shift is off by is less than 0.02 %
 * of volatility, and without it the model would be off by 0.2 % and more. */
static void test_cash_dividends(void **state)
{
    (void)state;
    levy_context *context;
    char text[4096];
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    snprintf(text, sizeof text,
             "%scalibration:\n  asset: PAYS\n  model: merton\n  quotes:\n"
             "    - {expiry: 0.4, strike: 45, volatility: 0.27}\n"
             "    - {expiry: 0.4, strike: 50, volatility: 0.25}\n"
             "    - {expiry: 0.4, strike: 55, volatility: 0.24}\n"
             "    - {expiry: 1, strike: 45, volatility: 0.26}\n"
             "    - {expiry: 1, strike: 50, volatility: 0.25}\n"
             "    - {expiry: 1, strike: 55, option_type: call, price: 3.0}\n",
             market);
    levy_calibration *const fit = fit_text(context, text);
    assert_true(context_says(context, "a shift of spot and strike"));
    assert_near(levy_calibration_quote(fit, 3)->forward, 50.0 * exp(0.03) - 1.0 * exp(0.015),
                1e-12);
    assert_near(levy_calibration_quote(fit, 5)->price, 3.0, 1e-12);
    check_prices(context, fit, 2e-4 * 0.4 * 50.0);
    levy_calibration_destroy(fit);
    levy_context_destroy(context);
}

/* ---- A smile of an index ---- */

/* Years, strike in percent of the forward, volatility: the usual shape, skewed to the left, more so
 * the shorter the expiry. */
static const double index_smile[][3] = {
    {0.0833, 91.3, 0.188},   {0.0833, 94.5, 0.1748},  {0.0833, 97.3, 0.1652}, {0.0833, 100, 0.1579},
    {0.0833, 102.8, 0.1519}, {0.0833, 105.6, 0.1475}, {0.25, 85, 0.2086},     {0.25, 90.3, 0.1877},
    {0.25, 95.2, 0.1731},    {0.25, 100, 0.1628},     {0.25, 105, 0.1553},    {0.25, 110.3, 0.1508},
    {0.5, 78.8, 0.2258},     {0.5, 86.2, 0.1991},     {0.5, 93.1, 0.181},     {0.5, 100, 0.1685},
    {0.5, 107.4, 0.1601},    {0.5, 115.4, 0.1556},    {1, 70.3, 0.2448},      {1, 80.3, 0.2123},
    {1, 90, 0.1906},         {1, 100, 0.176},         {1, 111.1, 0.1664},     {1, 123.5, 0.1619},
    {2, 59.7, 0.2608},       {2, 72.5, 0.2236},       {2, 85.7, 0.1989},      {2, 100, 0.1823},
    {2, 116.7, 0.1717},      {2, 136.3, 0.1671}};

/* The table's head says both errors, to three digits. */
static void check_head(const levy_calibration *fit)
{
    static char text[65536];
    const levy_calibration_facts *const facts = levy_calibration_info(fit);
    double rms, worst;
    text[0] = '\0';
    assert_int_equal(levy_calibration_write(fit, LEVY_FORMAT_TABLE, keep, text), LEVY_STATUS_OK);
    const char *const errors = strstr(text, "rms error");
    assert_non_null(errors);
    assert_int_equal(sscanf(errors, "rms error %lf %% of volatility, worst %lf", &rms, &worst), 2);
    assert_near(rms, 100.0 * facts->rms, 0.005 * rms);
    assert_near(worst, 100.0 * facts->worst, 0.005 * worst);
}

static double smile_rms(levy_context *context, const char *model)
{
    char text[8192];
    size_t n =
        (size_t)snprintf(text, sizeof text,
                         "%scalibration:\n  asset: ACME\n  model: %s\n  quotes:\n", market, model);
    for (size_t i = 0; i < sizeof index_smile / sizeof *index_smile; ++i)
        n += (size_t)snprintf(
            text + n, sizeof text - n, "    - {expiry: %g, strike: %.17g, volatility: %g}\n",
            index_smile[i][0], 0.5 * index_smile[i][1] * exp(0.02 * index_smile[i][0]),
            index_smile[i][2]);
    levy_calibration *const fit = fit_text(context, text);
    const double rms = levy_calibration_info(fit)->rms;
    printf("%-24s rms %.3f %% of volatility\n", model, 100.0 * rms);
    check_head(fit);
    levy_calibration_destroy(fit);
    return rms;
}

/* What each model leaves of it; bates has all that heston and merton have. */
static void test_index_smile(void **state)
{
    (void)state;
    levy_context *context;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    const double heston = smile_rms(context, "heston"), merton = smile_rms(context, "merton"),
                 bates = smile_rms(context, "bates");
    assert_true(bates <= heston && bates <= merton && heston < 0.01);
    assert_true(smile_rms(context, "kou") < 0.02);
    assert_true(smile_rms(context, "variance_gamma") < 0.03);
    assert_true(smile_rms(context, "normal_inverse_gaussian") < 0.03);
    assert_true(smile_rms(context, "regime_switching") < 0.04);
    levy_context_destroy(context);
}

/* ---- What is refused, and what is said ---- */

static const struct {
    const char *calibration, *says;
} refusals[] = {
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, strike: 50, volatility: 0.2}]}",
     "1 quote cannot determine 4 parameters"},
    {"{asset: ACME, model: heston, quotes: [{expiry: 1, strike: 40, volatility: 0.2}, {expiry: 1, "
     "strike: 45, volatility: 0.2}, {expiry: 1, strike: 50, volatility: 0.2}, {expiry: 1, strike: "
     "55, volatility: 0.2}, {expiry: 1, strike: 60, volatility: 0.2}]}",
     "cannot tell how fast variances return"},
    {"{asset: ACME, model: variance_gamma, quotes: [{expiry: 1, strike: 40, volatility: 0.2}, "
     "{expiry: 2, strike: 45, volatility: 0.2}, {expiry: 3, strike: 50, volatility: 0.2}]}",
     "no expiry has three strikes"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, strike: 50, price: 4}]}",
     "calibration.quotes[0].price: a price needs an option_type"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, strike: 55, option_type: call, price: "
     "60}]}",
     "no volatility gives this price: it must lie between 0 and 49.5025"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, strike: 50, option_type: call, price: "
     "0.9}]}",
     "no volatility gives this price: it must lie between 0.980215 and 49.5025"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, strike: 50, volatility: 0.2, style: "
     "american}]}",
     "only European options are fitted"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, strike: 50, volatility: 0.2, bid: 0.3, "
     "ask: 0.4}]}",
     "lies outside of bid and ask"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, strike: 50, delta: 0.5, volatility: "
     "0.2}]}",
     "a quote has a strike or a delta"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, strike: 50, volatility: 0.2}], parameters: "
     "{intensty: {fixed: true, value: 1}}}",
     "merton has no parameter 'intensty'; did you mean 'intensity'?"},
    {"{asset: ACME, model: merton, quotes: [{expiry: -1, strike: 50, volatility: 0.2}]}",
     "must be after the valuation"},
    {"{asset: ACMY, model: merton, quotes: [{expiry: 1, strike: 50, volatility: 0.2}]}", "ACMY"},
    {"{asset: ACME, model: merton}", "missing key 'quotes'"},
    {"{asset: ACME, model: merton, file: quotes.csv, quotes: [{expiry: 1, strike: 50, volatility: "
     "0.2}]}",
     "'quotes' and 'file' are both given"},
    {"{asset: ACME, model: merton, file: quotes.csv}", "a text that is not a file cannot refer"},
    {"{asset: SINKS, model: merton, quotes: [{expiry: 6, strike: 50, volatility: 0.2}]}",
     "cash dividends before are worth more than the spot"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, strike: 50, volatility: 0.2}], parameters: "
     "{intensity: {low: 2, high: 1}}}",
     "low must be below high"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, strike: 50, volatility: 0.2}], parameters: "
     "{intensity: {toward: 2}}}",
     "toward needs a distance within"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, strike: 50, volatility: 0.2}], parameters: "
     "{volatility: {value: 7}}}",
     "calibration.parameters.volatility.value: must lie in [0.001, 3]; got 7"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, strike: 50, volatility: 0.2}], parameters: "
     "{intensity: {value: 3, high: 2}}}",
     "calibration.parameters.intensity.value: 3 lies outside low and high, [0.0001, 2]"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, strike: 50, volatility: 0.2, bid: 0.1, "
     "ask: 0.3}, {expiry: 1, strike: 55, volatility: 0.2}]}",
     "some quotes have bid and ask, and others have not"},
    {"{asset: ACME, model: merton, quotes: []}", "calibration.quotes: must not be empty"},
    {"{asset: ACME, model: merton, terms: [1], quotes: [{expiry: 1, strike: 50, volatility: 0.2}]}",
     "calibration.terms: the model has no parameters by term"},
    {"{asset: ACME, model: heston, terms: [1, 0.5], quotes: [{expiry: 1, strike: 50, volatility: "
     "0.2}]}",
     "ends of terms ascend, and the first is after the valuation"},
    {"{asset: ACME, model: heston, terms: [1, 2], parameters: {kappa: {value: 2, fixed: true}, xi: "
     "{value: 1, fixed: true}, rho: {value: 0, fixed: true}, v0: {value: 0.04, fixed: true}}, "
     "quotes: [{expiry: 1, strike: 50, volatility: 0.2}, {expiry: 1, strike: 55, volatility: "
     "0.2}]}",
     "no quote expires in the last term"},
    {"{asset: ACME, model: bates, terms: [1, 2, 3, 4, 5, 6], quotes: [{expiry: 1, strike: 50, "
     "volatility: 0.2}]}",
     "a fit has at most 5 terms"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, delta: 0.25, option_type: put, volatility: "
     "0.2}]}",
     "a call's delta is above 0, and a put's is below 0"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 0.01, strike: 500, volatility: 0.2}]}",
     "so far from the forward that no price shows a volatility"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, strike: 60, option_type: put, price: 1}]}",
     "it must lie between 8.7242"},
    {"{asset: ACME, model: merton, quotes: [{expiry: 1, strike: 60, option_type: c, price: 1}]}",
     "unknown value 'c'"},
    {"{asset: ACME, model: mixture, quotes: [{expiry: 1, strike: 60, volatility: 0.2}]}",
     "unknown value 'mixture'"},
};

/* Correlations, which the book is written with. */
static const struct {
    const char *correlations, *model, *says;
} correlated[] = {
    {"[[ACME.spot, ACME.variance, -0.7]]", "heston",
     "ACME.spot with ACME.variance is rho, which is fitted"},
    {"[[PAYS.spot, ACME.variance, -0.7]]", "heston, terms: [0.5, 1]",
     "correlations of ACME.variance go with one rho, which is by term"},
    {"[[ACME.spot, PAYS.varance, -0.7]]", "merton", "'PAYS.varance' is not a correlation factor"},
};

static void refuse_correlations(levy_context *context)
{
    for (size_t i = 0; i < sizeof correlated / sizeof *correlated; ++i) {
        char text[4096];
        levy_calibration *fit = NULL;
        snprintf(text, sizeof text,
                 "%s  correlations: {pairs: %s}\ncalibration: {asset: ACME, model: %s, quotes: "
                 "[{expiry: 1, strike: 50, volatility: 0.2}]}\n",
                 market, correlated[i].correlations, correlated[i].model);
        const levy_source source = {.name = "book.yaml", .text = text, .length = strlen(text)};
        assert_int_equal(levy_calibrate(context, &source, 1, NULL, &fit), LEVY_STATUS_INPUT);
        assert_true(context_says(context, correlated[i].says));
    }
}

static void test_refused(void **state)
{
    (void)state;
    levy_context *context;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    refuse_correlations(context);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i) {
        char text[4096];
        levy_calibration *fit = NULL;
        snprintf(text, sizeof text, "%scalibration: %s\n", market, refusals[i].calibration);
        const levy_source source = {.name = "book.yaml", .text = text, .length = strlen(text)};
        assert_int_equal(levy_calibrate(context, &source, 1, NULL, &fit), LEVY_STATUS_INPUT);
        assert_null(fit);
        if (!context_says(context, refusals[i].says))
            fail_msg("%s is not among: %s", refusals[i].says, first_words(context));
        assert_true(levy_diagnostic_get(context, 0)->line > 0);
    }
    const levy_source none = {.name = "book.yaml", .text = market, .length = strlen(market)};
    levy_calibration *fit = NULL;
    assert_int_equal(levy_calibrate(context, &none, 1, NULL, &fit), LEVY_STATUS_INPUT);
    assert_true(context_says(context, "there is nothing to fit"));
    assert_int_equal(levy_diagnostic_get(context, 0)->line, 1);
    assert_int_equal(levy_diagnostic_get(context, 0)->column, 1);
    levy_context_destroy(context);
}

/* Merton's model to four quotes of one expiry. */
static levy_calibration *fit_four(levy_context *context, const char *parameters)
{
    char text[4096];
    snprintf(text, sizeof text,
             "%scalibration:\n  asset: ACME\n  model: merton\n  parameters: {%s}\n  quotes:\n"
             "    - {expiry: 0.5, strike: 40, volatility: 0.30}\n"
             "    - {expiry: 0.5, strike: 45, volatility: 0.27}\n"
             "    - {expiry: 0.5, strike: 50, volatility: 0.25}\n"
             "    - {expiry: 0.5, strike: 55, volatility: 0.24}\n",
             market, parameters);
    return fit_text(context, text);
}

/* A narrow pull leaves a parameter where it pulls it, whatever quotes say, and the others free. */
static void test_pulled(void **state)
{
    (void)state;
    levy_context *context;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_calibration *const fit =
        fit_four(context, "intensity: {toward: 0.7, within: 1e-6}, jump_mean: {toward: -0.2, "
                          "within: 1e-6}");
    assert_near(levy_calibration_value(fit, 1)->value, 0.7, 1e-4);
    assert_near(levy_calibration_value(fit, 2)->value, -0.2, 1e-4);
    assert_true(levy_calibration_info(fit)->rms < 0.01);
    levy_calibration_destroy(fit);
    levy_context_destroy(context);
}

/* Above all of the quotes' volatilities, and below: the fit ends at the bound that is nearer. */
static void test_bounded(void **state)
{
    static const struct {
        const char *bounds;
        double end;
    } cases[] = {{"volatility: {low: 0.4, high: 0.6}", 0.4},
                 {"volatility: {low: 0.01, high: 0.02}, intensity: {value: 0.2, fixed: true}, "
                  "jump_volatility: {low: 0.01, high: 0.05}",
                  0.02}};
    (void)state;
    levy_context *context;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        levy_calibration *const fit = fit_four(context, cases[i].bounds);
        assert_true(levy_calibration_value(fit, 0)->at_bound);
        assert_near(levy_calibration_value(fit, 0)->value, cases[i].end, 1e-12);
        levy_calibration_destroy(fit);
    }
    levy_context_destroy(context);
}

/* A flat smile has no jumps: the intensity goes to its bound, and their law has no effect. */
static void test_said(void **state)
{
    (void)state;
    levy_context *context;
    char text[4096];
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    snprintf(text, sizeof text,
             "%scalibration:\n  asset: ACME\n  model: kou\n"
             "  parameters: {probability_up: {value: 0, fixed: true}}\n  quotes:\n"
             "    - {expiry: 0.5, strike: 40, volatility: 0.30, bid: 0.298, ask: 0.302}\n"
             "    - {expiry: 0.5, strike: 45, volatility: 0.27, bid: 0.268, ask: 0.272}\n"
             "    - {expiry: 0.5, strike: 50, volatility: 0.25, bid: 0.248, ask: 0.252}\n"
             "    - {expiry: 0.5, strike: 55, volatility: 0.24, bid: 0.238, ask: 0.242}\n",
             market);
    levy_calibration *const fit = fit_text(context, text);
    assert_true(context_says(context, "no price depends on rate_up"));
    assert_true(levy_calibration_value(fit, 2)->fixed &&
                levy_calibration_value(fit, 2)->value == 0);
    assert_true(isnan(levy_calibration_value(fit, 2)->std_error));
    assert_true(isnan(levy_calibration_value(fit, 3)->std_error));
    assert_true(levy_calibration_value(fit, 4)->std_error > 0.0);
    assert_near(levy_calibration_covariance(fit, 4, 4),
                pow(levy_calibration_value(fit, 4)->std_error, 2.0), 1e-9);
    assert_null(levy_calibration_value(fit, 5));
    assert_null(levy_calibration_quote(fit, 4));
    assert_null(levy_calibration_start(fit, 8));
    levy_calibration_destroy(fit);
    levy_context_destroy(context);
}

/* ---- How parameters follow quotes ---- */

/* Ten quotes of Heston's model, of which one is moved; `more`: keys of the calibration. */
static levy_calibration *fit_moved(levy_context *context, const char *more, size_t moved, double by)
{
    static const double p[] = {0.04, 0.05, 1.5, 0.6, -0.6}, steps[] = {-0.2, -0.1, 0.0, 0.1, 0.2};
    char text[8192];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "%scalibration:\n  asset: ACME\n  model: heston\n  starts: 1\n"
                                "%s  quotes:\n",
                                market, more);
    levy_cos cos = {.room = LEVY_COS_MOST};
    cos.terms = malloc(cos.room * sizeof *cos.terms);
    assert_non_null(cos.terms);
    for (size_t i = 0; i < 10; ++i) {
        const double t = i < 5 ? 0.5 : 2.0, x = steps[i % 5] * sqrt(t);
        assert_true(levy_cos_begin(&cos, &levy_exponent_heston, p, t, x, x, 1e-14, false));
        const double s = levy_black_implied(x, false, levy_cos_put(&cos, x, NULL));
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "    - {expiry: %g, strike: %.17g, volatility: %.17g}\n", t,
                              50.0 * exp(0.02 * t + x), s / sqrt(t) + (i == moved ? by : 0.0));
    }
    free(cos.terms);
    return fit_text(context, text);
}

/* ---- Several assets ---- */

static const char two_assets[] =
    "schema_version: 1\nmarket:\n  curves: {USD: 0.03}\n  assets:\n"
    "    ACME: {currency: USD, spot: 50, dividend_yield: 0.01}\n"
    "    NILE: {currency: USD, spot: 80, volatility: 0.9}\n"
    "  correlations: {pairs: [[ACME.spot, NILE.spot, 0.6]]}\n"
    "calibration:\n  asset: ACME\n  model: %s\n  parameters: {%s}\n%s  quotes:\n"
    "    - {expiry: 0.5, strike: 40, volatility: 0.30}\n"
    "    - {expiry: 0.5, strike: 45, volatility: 0.27}\n"
    "    - {expiry: 0.5, strike: 50, volatility: 0.25}\n"
    "    - {expiry: 0.5, strike: 55, volatility: 0.24}\n"
    "    - {expiry: 1.5, delta: -0.1, volatility: 0.29}\n"
    "    - {expiry: 1.5, strike: 50, volatility: 0.26}\n"
    "    - {expiry: 1.5, strike: 60, option_type: call, price: 3.15}\n%s";
static const char quotes_of_nile[] =
    "    - {asset: NILE, expiry: 0.5, strike: 60, volatility: 0.36}\n"
    "    - {asset: NILE, expiry: 0.5, strike: 72, volatility: 0.32}\n"
    "    - {asset: NILE, expiry: 0.5, strike: 80, volatility: 0.30}\n"
    "    - {asset: NILE, expiry: 1.5, strike: 60, volatility: 0.34}\n"
    "    - {asset: NILE, expiry: 1.5, strike: 80, volatility: 0.31}\n"
    "    - {asset: NILE, expiry: 1.5, strike: 95, volatility: 0.29}\n";

static double fitted(const levy_calibration *fit, const char *name)
{
    for (size_t j = 0; j < levy_calibration_info(fit)->parameters; ++j)
        if (strcmp(levy_calibration_value(fit, j)->name, name) == 0)
            return levy_calibration_value(fit, j)->value;
    return NAN;
}

static levy_calibration *fit_two(levy_context *context, const char *model, const char *parameters,
                                 const char *other)
{
    char text[4096];
    snprintf(text, sizeof text, two_assets, model, parameters, "", other);
    return fit_text(context, text);
}

/* Of two assets that share nothing each has what it has alone; what they share is one number, lies
 * between theirs, and the book that is written prices. */
static double feller_of(const levy_calibration *fit, const char *asset)
{
    char kappa[32], theta[32], xi[32];
    snprintf(kappa, sizeof kappa, "%skappa", asset);
    snprintf(theta, sizeof theta, "%stheta", asset);
    snprintf(xi, sizeof xi, "%sxi", asset);
    return 2.0 * fitted(fit, kappa) * fitted(fit, theta) / pow(fitted(fit, xi), 2.0);
}

static void test_assets(void **state)
{
    (void)state;
    levy_context *context;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_calibration *const alone = fit_two(context, "heston", "", ""),
                            *const apart = fit_two(context, "heston", "", quotes_of_nile),
                            *const shared = fit_two(context, "heston",
                                                    "kappa: {shared: true}, NILE.rho: {low: -0.99}",
                                                    quotes_of_nile);
    assert_int_equal(levy_calibration_info(apart)->parameters, 10);
    assert_int_equal(levy_calibration_info(shared)->parameters, 9);
    assert_string_equal(levy_calibration_info(shared)->asset, "ACME, NILE");
    assert_relative(levy_calibration_info(alone)->feller, feller_of(alone, ""), 1e-12);
    assert_relative(levy_calibration_info(apart)->feller,
                    fmin(feller_of(apart, "ACME."), feller_of(apart, "NILE.")), 1e-12);
    assert_relative(fitted(apart, "ACME.kappa"), fitted(alone, "kappa"), 1e-5);
    assert_relative(fitted(apart, "ACME.xi"), fitted(alone, "xi"), 1e-5);
    const double one = fitted(apart, "ACME.kappa"), other = fitted(apart, "NILE.kappa"),
                 both = fitted(shared, "kappa");
    assert_true(both > fmin(one, other) && both < fmax(one, other));
    assert_string_equal(levy_calibration_quote(shared, 7)->asset, "NILE");
    assert_near(levy_calibration_quote(shared, 7)->forward, 80.0 * exp(0.015), 1e-12);
    check_prices(context, shared, 2e-4 * 80.0);
    levy_calibration_destroy(shared);
    levy_calibration_destroy(apart);
    levy_calibration_destroy(alone);
    /* jumps are of all assets, and volatilities of each */
    levy_calibration *const jumps =
        fit_two(context, "merton", "jump_mean: {value: -0.1, fixed: true}", quotes_of_nile);
    assert_int_equal(levy_calibration_info(jumps)->parameters, 5);
    assert_true(fitted(jumps, "NILE.volatility") > fitted(jumps, "ACME.volatility"));
    check_prices(context, jumps, 0.0);
    levy_calibration_destroy(jumps);
    levy_context_destroy(context);
}

static void test_assets_refused(void **state)
{
    (void)state;
    static const char *const wrong[][4] = {
        {"kappa: {shared: true}", "", "", "is shared by nobody: all quotes are of one asset"},
        {"NILE.kappa: {shared: true}", "", quotes_of_nile, "is of one asset, and is not shared"},
        {"", "  terms: [1.0]\n", quotes_of_nile, "terms are fitted to one asset"},
        {"", "", "    - {asset: OTHER, expiry: 1, strike: 50, volatility: 0.2}\n", "OTHER"},
        {"", "",
         "    - {asset: A, expiry: 1, strike: 50, volatility: 0.2}\n"
         "    - {asset: B, expiry: 1, strike: 50, volatility: 0.2}\n"
         "    - {asset: C, expiry: 1, strike: 50, volatility: 0.2}\n"
         "    - {asset: D, expiry: 1, strike: 50, volatility: 0.2}\n",
         "a fit has at most 20 parameters"},
        {"ACME.volume: {low: 1}", "", quotes_of_nile, "heston has no parameter 'ACME.volume'"},
        {"", "", "    - {asset: NILE, expiry: 1, strike: 80, volatility: 0.2}\n",
         "8 quotes cannot determine 10 parameters"},
    };
    levy_context *context;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        char text[4096];
        snprintf(text, sizeof text, two_assets, "heston", wrong[i][0], wrong[i][1], wrong[i][2]);
        const levy_source source = {.name = "book.yaml", .text = text, .length = strlen(text)};
        levy_calibration *fit = NULL;
        const int status = levy_calibrate(context, &source, 1, NULL, &fit);
        assert_int_equal(status, LEVY_STATUS_INPUT);
        if (!context_says(context, wrong[i][3])) fail_msg("%s", first_words(context));
        levy_calibration_destroy(fit);
    }
    levy_context_destroy(context);
}

/* By the implicit function theorem, and by a quote that is bumped and a fit that is made anew. */
static void test_response(void **state)
{
    (void)state;
    levy_context *context;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_calibration *const fit = fit_moved(context, "", 0, 0.0);
    assert_true(levy_calibration_info(fit)->worst < 1e-9);
    for (size_t i = 0; i < 10; ++i) {
        levy_calibration *const up = fit_moved(context, "", i, 1e-5), *const down = fit_moved(
                                                                          context, "", i, -1e-5);
        for (size_t j = 0; j < 5; ++j) {
            const double slope =
                (levy_calibration_value(up, j)->value - levy_calibration_value(down, j)->value) /
                2e-5;
            assert_near(levy_calibration_response(fit, j, i), slope, 0.01 * fabs(slope) + 1e-4);
        }
        levy_calibration_destroy(up);
        levy_calibration_destroy(down);
    }
    assert_true(levy_calibration_response(fit, 5, 0) == 0.0);
    levy_calibration_destroy(fit);
    levy_calibration *const held =
        fit_moved(context, "  parameters: {xi: {high: 0.599}}\n", 0, 0.0);
    assert_true(levy_calibration_value(held, 3)->at_bound);
    assert_true(context_says(context, "xi is at its bound 0.599: the quotes want it beyond"));
    levy_calibration_destroy(held);
    levy_context_destroy(context);
}

/* ---- Parameters by term ---- */

/* Quotes of a law by term: parameters come back, and the book that is written prices by them. */
static void test_terms(void **state)
{
    (void)state;
    static const double beside[] = {2, 0.5, 2.0}, years[] = {0.1, 0.25, 0.5, 1.0, 2.0};
    static const char *const names[] = {"v0",       "kappa",    "theta[0.5]", "xi[0.5]",
                                        "rho[0.5]", "theta[2]", "xi[2]",      "rho[2]"};
    double p[LEVY_EXPONENT_MOST + LEVY_EXPONENT_BESIDE] = {0.03, 2.0,  0.05, 0.8,
                                                           -0.8, 0.07, 0.4,  -0.3};
    levy_exponent_parameter parameters[LEVY_EXPONENT_MOST];
    levy_exponent law;
    char text[8192];
    assert_true(levy_exponent_by_term(&levy_exponent_heston, beside, parameters, &law));
    memcpy(p + LEVY_EXPONENT_MOST, beside, sizeof beside);
    size_t n = (size_t)snprintf(text, sizeof text,
                                "%scalibration:\n  asset: ACME\n  model: heston\n"
                                "  terms: [0.5, 2]\n  quotes:\n",
                                market);
    levy_cos cos = {.room = LEVY_COS_MOST};
    cos.terms = malloc(cos.room * sizeof *cos.terms);
    assert_non_null(cos.terms);
    for (size_t i = 0; i < 35; ++i) {
        const double t = years[i / 7], x = 0.12 * ((double)(i % 7) - 3.0) * sqrt(t);
        assert_true(levy_cos_begin(&cos, &law, p, t, x, x, 1e-14, false));
        const double put = levy_cos_put(&cos, x, NULL),
                     s = levy_black_implied(x, x > 0.0, x > 0.0 ? put - expm1(x) : put);
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "    - {expiry: %g, strike: %.17g, volatility: %.17g}\n", t,
                              50.0 * exp(0.02 * t + x), s / sqrt(t));
    }
    free(cos.terms);
    levy_context *context;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_calibration *const fit = fit_text(context, text);
    assert_int_equal(levy_calibration_info(fit)->parameters, law.n);
    for (size_t j = 0; j < law.n; ++j) {
        assert_string_equal(levy_calibration_value(fit, j)->name, names[j]);
        assert_near(levy_calibration_value(fit, j)->value, p[j], 1e-6 * fabs(p[j]));
    }
    assert_near(levy_calibration_info(fit)->feller, 2.0 * 2.0 * 0.05 / 0.64, 1e-5);
    static char book[65536];
    book[0] = '\0';
    assert_int_equal(levy_calibration_write(fit, LEVY_FORMAT_YAML, keep, book), LEVY_STATUS_OK);
    const levy_fitted_quote *const quote = levy_calibration_quote(fit, 31);
    n = strlen(book);
    snprintf(book + n, sizeof book - n,
             "trades: [{id: t, underlying: ACME, payoff: {kind: european, option_type: put, "
             "strike: %.17g}, exercise: {expiry: 2}}]\nsimulation: {paths: 2^15}\n",
             quote->strike);
    levy_results *const results = price_words(context, book, NULL, 0, 1);
    const levy_trade_result *const trade = levy_results_trade(results, 0);
    assert_near(trade->price, quote->model_price, 5.0 * trade->std_error + 0.005);
    levy_results_destroy(results);
    levy_calibration_destroy(fit);
    levy_context_destroy(context);
}

/* A call and a put of one strike that imply another forward. */
static void test_forwards(void **state)
{
    (void)state;
    levy_context *context;
    char text[4096];
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    for (int off = 0; off < 2; ++off) {
        /* forward 50 exp(0.02): the call less the put is exp(-0.03) (51.01 - 50) */
        snprintf(text, sizeof text,
                 "%scalibration:\n  asset: ACME\n  model: variance_gamma\n  quotes:\n"
                 "    - {expiry: 1, strike: 45, volatility: 0.22}\n"
                 "    - {expiry: 1, strike: 50, option_type: call, price: 4.40}\n"
                 "    - {expiry: 1, strike: 50, option_type: put, price: %s}\n"
                 "    - {expiry: 1, strike: 55, volatility: 0.19}\n",
                 market, off ? "3.90" : "3.42");
        levy_calibration *const fit = fit_text(context, text);
        assert_true(context_says(context, "imply a forward of 50.51") == (off == 1));
        levy_calibration_destroy(fit);
    }
    levy_context_destroy(context);
}

/* ---- Files of quotes ---- */

static const struct {
    const char *text, *says;
} files_of_quotes[] = {
    {"", "calibration.file: the file has no quotes"},
    {"\n\n", "calibration.file: the file has no quotes"},
    {"expiry,strike,volatility\r\n", "calibration.file: the file has no quotes"},
    {"expiry;strike;volatility\n0,5;50;0,2\n", "q.csv:1:1: error: the columns are not separated"},
    {"expiry\tstrike\tvolatility\n", "q.csv:1:1: error: the columns are not separated"},
    {"0.5,50,0.2\n", "q.csv:1:1: error: 0.5: unknown column"},
    {"expiry,k,volatility\n1,50,0.2\n1,51,0.2\n", "unknown column; did you mean 'strike'?"},
    {"expiry,strike,strike,volatility\n1,50,50,0.2\n", "q.csv:1:15: error: strike: is given by"},
    {"expiry,strike,,volatility\n1,50,x,0.2\n", "the column of 'x' has no name"},
    {"expiry,strike,volatility\n1,50\n", "the row has 2 cells; the first row has 3"},
    {"expiry,strike,volatility\n1,50,nan\n", "expected a number; got 'nan'"},
    {"expiry,strike,volatility\n1,50,20\n", "Rates and volatilities are decimals"},
    {"expiry,strike,volatility\n1,50,\"0,2\"\n", "a decimal point: 1000, not 1,000"},
    {"expiry,strike,option_type,price\n1,50,C,4\n", "Write option_type: call"},
};

/* What is wrong with a column is said once, at the first row. */
static void test_files_of_quotes(void **state)
{
    (void)state;
    char text[1024];
    snprintf(text, sizeof text, "%scalibration: {asset: ACME, model: merton, file: q.csv}\n",
             market);
    write_file(path_of("files.yaml"), text);
    for (size_t i = 0; i < sizeof files_of_quotes / sizeof *files_of_quotes; ++i) {
        write_file(path_of("q.csv"), files_of_quotes[i].text);
        go("calibrate", path_of("files.yaml"), NULL);
        assert_int_equal(run.code, 3);
        assert_has(run.err, files_of_quotes[i].says);
        assert_null(strstr(run.err, "q.csv:3:"));
    }
    write_file(path_of("q.csv"), "\xef\xbb\xbf"
                                 "expiry,strike,volatility,\r\n1,45,0.21,\r\n1,50,0.2,\r\n"
                                 "1,50,0.2,\r\n1,55,0.19,\r\n");
    go("calibrate", path_of("files.yaml"), NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.err, "q.csv:4:1: warning: calibration.quotes[2]: is of the same option as");
}

/* ---- Memory ---- */

static const char small[] = "  asset: ACME\n  model: merton\n  quotes:\n"
                            "    - {expiry: 0.5, strike: 40, volatility: 0.30}\n"
                            "    - {expiry: 0.5, strike: 45, volatility: 0.27}\n"
                            "    - {expiry: 0.5, strike: 50, volatility: 0.25}\n"
                            "    - {expiry: 0.5, delta: 0.2, volatility: 0.24}\n";

/* Every request may fail: then nothing is made, and nothing is kept. */
static void check_memory(const char *starts, const char *calibration)
{
    char text[4096];
    snprintf(text, sizeof text, "%scalibration:\n%s%s", market, starts, calibration);
    const levy_source source = {
        .name = "book.yaml", .text = text, .length = strlen(text), .folder = path_of("")};
    int status = LEVY_STATUS_MEMORY;
    for (long n = 1; status != LEVY_STATUS_OK; ++n) {
        test_heap heap = {0};
        const levy_context_options own = heap_options(&heap);
        levy_context *context;
        levy_calibration *fit = NULL;
        assert_int_equal(levy_context_create(&own, &context), LEVY_STATUS_OK);
        heap_fail(&heap, n);
        status = levy_calibrate(context, &source, 1, NULL, &fit);
        heap_fail(&heap, 0);
        assert_true(status == LEVY_STATUS_OK || status == LEVY_STATUS_MEMORY);
        assert_true((status == LEVY_STATUS_OK) == (fit != NULL));
        if (fit) assert_non_null(levy_calibration_quote(fit, 3));
        levy_calibration_destroy(fit);
        levy_context_destroy(context);
        assert_int_equal(heap.live, 0);
        assert_true(n < 1000);
    }
}

/* A cell of a file may be so long that it wants memory of its own. */
static void test_memory(void **state)
{
    (void)state;
    static char quotes[70000];
    snprintf(quotes, sizeof quotes,
             "expiry,strike,delta,volatility\n0.5,40,,0.3\n0.5,45,,0.27\n0.5,50,,0.25\n"
             "0.5,,0.2,\"0.24%60000s\"\n",
             "");
    write_file(path_of("quotes.csv"), quotes);
    check_memory("  starts: 1\n", small);
    check_memory("  starts: 1\n", "  asset: ACME\n  model: merton\n  file: quotes.csv\n");
}

/* ---- Command line ---- */

/* Quotes of a file, as they stand in its text, beside a market file; every format. */
static void test_command(void **state)
{
    (void)state;
    write_file(path_of("market.yaml"), market);
    write_file(path_of("quotes.csv"), "expiry,strike,delta,volatility\n0.5,40,,0.3\n0.5,45,,0.27\n"
                                      "0.5,50,,0.25\n0.5,,0.2,0.24\n");
    write_file(path_of("fit.yaml"), "schema_version: 1\ncalibration: {asset: ACME, model: merton, "
                                    "starts: 1, name: smile, file: quotes.csv}\n");
    go("calibrate", path_of("fit.yaml"), "--market", path_of("market.yaml"), NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "merton fitted to 4 quotes of ACME");
    go("price", path_of("fit.yaml"), "--market", path_of("market.yaml"), NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "hint: `levy calibrate` fits its model to quotes.");
    static const char *const outputs[][2] = {
        {"fitted.yaml", "  smile: {kind: merton, assets: [ACME]"},
        {"fitted.json", "\"covariance\": ["},
        {"fitted.csv", "years,strike,forward,option_type"},
        {"fitted.svg", "line: merton fitted to ACME"},
        {"fitted.txt", "jump_volatility"}};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; ++i) {
        go("calibrate", path_of("fit.yaml"), "--market", path_of("market.yaml"), "-o",
           path_of(outputs[i][0]), NULL);
        assert_int_equal(run.code, 0);
        assert_has(read_file(path_of(outputs[i][0])), outputs[i][1]);
    }
    write_file(path_of("quotes.csv"), "expiry,strike,volatility\n0.5,40,0.3\n0.5,45,x\n");
    go("calibrate", path_of("fit.yaml"), "--market", path_of("market.yaml"), NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "quotes.csv:3:8: error: calibration.quotes[1].volatility");
}

/* No file that a fit is read from is written over: operands, and what they refer to. */
static void test_spares(void **state)
{
    (void)state;
    static const char quotes[] = "expiry,strike,volatility\n0.5,40,0.3\n0.5,45,0.27\n0.5,50,0.25\n",
                      book[] =
                          "schema_version: 1\nmarket: spared-market.yaml\ncalibration: {asset: "
                          "ACME, model: variance_gamma, starts: 1, file: spared.csv}\n";
    static const char *const files[] = {"spared.csv", "spared-market.yaml", "spared.yaml"};
    static const char *const options[] = {"--output", "--csv"};
    const char *const texts[] = {quotes, market, book};
    for (size_t i = 0; i < 3; ++i) write_file(path_of(files[i]), texts[i]);
    for (size_t i = 0; i < 6; ++i) {
        char says[64];
        snprintf(says, sizeof says, "%s would replace the input", options[i % 2]);
        go("calibrate", path_of("spared.yaml"), options[i % 2], path_of(files[i / 2]), NULL);
        assert_usage_error(&run, says);
        assert_string_equal(read_file(path_of(files[i / 2])), texts[i / 2]);
    }
    go("calibrate", path_of("spared.yaml"), "-o", path_of("spare.csv"), NULL);
    assert_int_equal(run.code, 0);
}

/* ---- Progress, and its end ---- */

typedef struct asked {
    size_t times, until; /* the caller stops then; 0: never */
    uint64_t done, total;
} asked;

static int ask(void *user, const levy_progress *progress)
{
    asked *const all = user;
    assert_true(progress->done >= all->done && progress->done <= progress->total);
    all->done = progress->done;
    all->total = progress->total;
    return ++all->times == all->until;
}

/* Counts searches, and ends where the caller says so, with nothing made. */
static void test_cancelled(void **state)
{
    (void)state;
    levy_context *context;
    char text[4096];
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    snprintf(text, sizeof text, "%scalibration:\n  starts: 1000\n%s", market, small);
    const levy_source source = {.name = "book.yaml", .text = text, .length = strlen(text)};
    for (size_t until = 0; until < 3; ++until) {
        levy_calibration *fit = NULL;
        asked all = {.until = until};
        const levy_price_options how = {.struct_size = sizeof how, .progress = ask, .user = &all};
        assert_int_equal(levy_calibrate(context, &source, 1, &how, &fit),
                         until ? LEVY_STATUS_CANCELLED : LEVY_STATUS_OK);
        assert_true((fit != NULL) == (until == 0));
        assert_int_equal(all.total, 1001);
        assert_true(until ? all.times == until : all.times > 2);
        levy_calibration_destroy(fit);
    }
    levy_context_destroy(context);
    write_file(path_of("long.yaml"), text);
    clear_run(NULL);
    run.signal = SIGINT;
    levy("calibrate", path_of("long.yaml"), "--progress", "json", NULL);
    assert_int_equal(run.code, 130);
    assert_has(run.err, "levy: interrupted\n");
}

/* ---- The example ---- */

/* Its models are what fits give, and its autocall is worth what the local volatility says, where a
 * model meets the smile. */
static void test_example(void **state)
{
    (void)state;
    static const char example[] = LEVY_SOURCE_DIR "/configs/smile/autocall.yaml";
    static const double values[] = {97.31, 96.41, 96.41, 97.81};
    go("calibrate", example, "-o", path_of("smile.yaml"), NULL);
    assert_int_equal(run.code, 0);
    assert_has(read_file(path_of("smile.yaml")), "v0: 0.039896");
    assert_has(read_file(path_of("smile.yaml")), "rho: -0.61162");
    go("price", example, "--paths", "2^8", "-f", "csv", "--columns", "price,std_error", NULL);
    assert_int_equal(run.code, 0);
    const char *at = strchr(run.out, '\n');
    for (size_t i = 0; i < 4; ++i) {
        double price = 0.0, error = 0.0;
        assert_int_equal(sscanf(at + 1, "%lf,%lf", &price, &error), 2);
        assert_near(price, values[i], 0.1 + 5.0 * error);
        at = strchr(at + 1, '\n');
    }
}

/* ---- Nightly ---- */

static int nightly(const char *what, size_t n)
{
    int code = 0;
    for (size_t k = 0; k < KINDS; ++k) {
        double seconds = 0.0;
        if (strcmp(what, "sets") == 0) {
            const size_t good = run_sets(kinds[k], n, &seconds);
            printf("%s: %zu of %zu sets back to 1e-6, at most %.3f s\n", kinds[k], good, n,
                   seconds);
            code |= 100 * good < 99 * n;
        } else {
            const double coverage = run_noise(kinds[k], n);
            printf("%s: %.4f covered\n", kinds[k], coverage);
            code |= !(coverage >= 0.93 && coverage <= 0.97);
        }
    }
    return code;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_priced),
        cmocka_unit_test(test_cash_dividends),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_said),
        cmocka_unit_test(test_pulled),
        cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_command),
        cmocka_unit_test(test_assets),
        cmocka_unit_test(test_assets_refused),
        cmocka_unit_test(test_response),
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_forwards),
        cmocka_unit_test(test_index_smile),
        cmocka_unit_test(test_files_of_quotes),
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_spares),
        cmocka_unit_test(test_cancelled),
    };
    if (argc == 3) return nightly(argv[1], (size_t)strtoul(argv[2], NULL, 10));
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
