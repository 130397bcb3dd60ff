/* test_certainty.c: what an error says of a value, through the public interface: none where no path
 * shows one, rounding where that is all there is, and 0 only where it is 0. */
#include "tests/cmocka_all.h"

#include "tests/context_fixture.h"
#include "tests/kept_text.h"
#include "tests/normal_law.h"
#include "tests/words.h"
#include "tests/files.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MARKET(rho)                                                                                \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n"                               \
    "    A: {currency: USD, spot: 100, volatility: 0.2}\n    B: {currency: USD, spot: 100, "       \
    "volatility: 0.2}\n"                                                                           \
    "  correlations: {pairs: [[A.spot, B.spot, " rho "]]}\n"                                       \
    "models: {m: {kind: black_scholes, assets: [A, B]}}\n"

static levy_results *price(const char *text, const char *precision)
{
    const levy_setting settings[] = {{"simulation.paths", "2^14"},
                                     {"simulation.precision", precision}};
    return price_words(context, text, settings, 2, 1);
}

static bool says(const levy_results *results, int format, const char *part)
{
    static kept_text t;
    t.length = 0;
    assert_int_equal(levy_results_write(results, format, text_write, &t), LEVY_STATUS_OK);
    return strstr(t.bytes, part) != NULL;
}

static void test_no_path_in_the_money_is_no_certainty(void **state)
{
    (void)state;
    levy_results *const results =
        price(MARKET("0.5") "trades:\n  - {id: far, underlying: A, payoff: {kind: european, "
                            "option_type: call, strike: 10000}, exercise: {expiry: 1}}\n"
                            "measures: [price, delta]\n",
              "double");
    const levy_trade_result *const far = levy_results_trade(results, 0);
    assert_true(far->price == 0.0 && isnan(far->std_error) && isnan(far->ci_low) &&
                isnan(far->ci_high));
    assert_string_equal(far->interval, "unreliable");
    for (size_t i = 0; i < far->n_measures; ++i) assert_true(isnan(far->measures[i].std_error));
    assert_true(isnan(levy_results_netted(results, 0)->std_error));
    assert_true(
        says(results, LEVY_FORMAT_JSON, "\"price\": 0, \"std_error\": null, \"ci_low\": null"));
    assert_true(says(results, LEVY_FORMAT_JSON, "\"value\": 0, \"std_error\": null"));
    assert_true(says(results, LEVY_FORMAT_JSONL, "\"price\": 0, \"std_error\": null"));
    assert_true(says(results, LEVY_FORMAT_CSV, "far,european,0,,USD,0,"));
    assert_true(says(results, LEVY_FORMAT_TABLE, " 0           -  unreliable"));
    levy_results_destroy(results);
}

/* Two assets that are one: worth nothing, and what comes out is rounding. */
static void test_rounding_is_part_of_the_error(void **state)
{
    (void)state;
    static const char *const precisions[] = {"double", "single", "mixed"};
    for (size_t i = 0; i < 3; ++i) {
        levy_results *const results = price(
            MARKET("1") "trades:\n  - {id: same, underlyings: [A, B], payoff: {kind: exchange}, "
                        "exercise: {expiry: 1}}\n",
            precisions[i]);
        const levy_trade_result *const same = levy_results_trade(results, 0);
        print_message("%s: %.2g +- %.2g\n", precisions[i], same->price, same->std_error);
        if (same->price == 0.0 && isnan(same->std_error))
            fail_msg("no path pays, so this shows nothing");
        assert_true(same->ci_low <= 0.0 && same->ci_high >= 0.0);
        assert_true(same->std_error < (i == 1 ? 2e-5 : 1e-5));
        levy_results_destroy(results);
    }
}

/* An expectation that needs no path: a touch, watched at all times, that pays at the hit. And
 * positions that cancel. */
static void test_exact_values_are_known_to_their_rounding(void **state)
{
    (void)state;
    levy_results *const results =
        price(MARKET("0.5") "trades:\n"
                            "  - {id: touch, underlying: A, payoff: {kind: touch, pay: at_hit, "
                            "barrier: {direction: up, level: 120, "
                            "monitoring: continuous}}, exercise: {expiry: 1}}\n",
              "double");
    const levy_trade_result *const touch = levy_results_trade(results, 0);
    assert_true(touch->price > 0.3 && touch->std_error > 0.0 && touch->std_error < 1e-14);
    assert_true(touch->ci_low < touch->price && touch->price < touch->ci_high);
    assert_string_equal(touch->interval, "exact");
    const levy_netted *const netted = levy_results_netted(results, 0);
    assert_true(netted->std_error > 0.0 && netted->std_error < 1e-14);
    levy_results_destroy(results);
}

/* What observed dates decide, although it expires later. What also reads the level at expiry is not
 * decided. */
static void test_what_the_past_decides_is_exact(void **state)
{
    (void)state;
#define PAST(id, payoff)                                                                           \
    "  - {id: " id ", underlying: S, payoff: {" payoff "}, exercise: {expiry: 2026-11-24}}\n"
#define PASSED "observations: {times: [2026-11-18, 2026-11-19]}"
    const levy_setting asked[] = {{"simulation.tolerance.absolute", "0.01"},
                                  {"simulation.tolerance.max_paths", "2^18"}};
    static const char book[] =
        "schema_version: 1\nvaluation_date: 2026-11-20\nmarket:\n  curves: {USD: 0}\n  assets:\n"
        "    S: {currency: USD, spot: 100, volatility: 0.2, fixings: [[2026-11-18, 110], "
        "[2026-11-19, 99]]}\nmodels: {m: {kind: black_scholes, assets: [S]}}\nmeasures: [price, "
        "delta, rho]\ntrades:\n" /* clang-format off */
        PAST("mean", "kind: asian, option_type: call, strike: 90, averaging: {" PASSED "}")
        PAST("nothing", "kind: asian, option_type: put, strike: 90, averaging: {" PASSED "}")
        PAST("lookback", "kind: lookback, option_type: call, strike: 90, lookback: {strike: fixed, "
             PASSED "}")
        PAST("untouched", "kind: touch, pays: if_untouched, cash: 10, barrier: {direction: up, "
             "level: 120, " PASSED "}")
        PAST("worthless", "kind: barrier, option_type: call, strike: 90, barrier: {direction: up, "
             "knock: in, level: 120, " PASSED "}")
        PAST("returns", "kind: cliquet, global_floor: -0.05, " PASSED)
        PAST("open", "kind: cliquet, local_floor: -0.2, local_cap: 0.1, global_floor: -0.05, "
             "observations: {times: [2026-11-18, 2026-11-19, 2026-11-23]}")
        PAST("at_cap", "kind: cliquet, local_floor: 0, global_cap: 0, "
             "observations: {times: [2026-11-18, 2026-11-19, 2026-11-23]}")
        PAST("one_date", "kind: cliquet, global_floor: 0.01, "
             "observations: {times: [2026-11-23]}")
        PAST("strike", "kind: asian, option_type: call, averaging: {of: strike, " PASSED "}")
        PAST("forward", "kind: forward_start, option_type: call, strike_fraction: 1, reset: "
             "2026-11-19"); /* clang-format on */
    static const double pays[] = {14.5, 0, 20, 10, 0, -0.05, NAN, 0, 0.01, NAN, NAN};
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .threads = 1};
    for (size_t n_settings = 0; n_settings <= 2; n_settings += 2) {
        levy_results *const results = price_words(context, book, asked, n_settings, 1);
        for (size_t i = 0; i < sizeof pays / sizeof *pays; ++i) {
            const levy_trade_result *const trade = levy_results_trade(results, i);
            print_message("%s: %.17g +- %.2g, %s\n", trade->id, trade->price, trade->std_error,
                          trade->interval);
            assert_true((strcmp(trade->interval, "exact") == 0) == !isnan(pays[i]));
            if (isnan(pays[i])) continue;
            assert_true(fabs(trade->price - pays[i]) <= 1e-14 * fabs(pays[i]));
            assert_true(trade->std_error <= 1e-14 * fabs(pays[i]));
            assert_true(fabs(trade->measures[1].value) <= 1e-9);
        }
        levy_results_destroy(results);
    }
}

/* A return does not know its spot: its delta is 0, and that is no want of paths. */
static void test_a_zero_by_construction_has_no_error(void **state)
{
    (void)state;
    levy_results *const results =
        price(MARKET("0.5") "trades:\n"
                            "  - {id: return, underlying: A, payoff: {kind: forward_start, form: "
                            "performance, option_type: call, strike_fraction: 1, "
                            "reset: 0.5}, exercise: {expiry: 1}}\nmeasures: [price, delta]\n",
              "double");
    const levy_trade_result *const trade = levy_results_trade(results, 0);
    assert_true(trade->std_error > 0.0);
    assert_true(trade->measures[1].value == 0.0 && trade->measures[1].std_error == 0.0);
    levy_results_destroy(results);
}

static void test_positions_that_cancel_have_no_error(void **state)
{
    (void)state;
#define CALL(id, position)                                                                         \
    "  - {id: " id ", underlying: A, position: " position                                          \
    ", payoff: {kind: european, option_type: call, "                                               \
    "strike: 100}, exercise: {expiry: 1}}\n"
    levy_results *const results =
        price(MARKET("0.5") "trades:\n" CALL("bought", "long") CALL("sold", "short"), "single");
    const levy_netted *const netted = levy_results_netted(results, 0);
    assert_true(netted->value == 0.0 && netted->std_error == 0.0);
    levy_results_destroy(results);
}

/* A far call is the put plus the forward where its tail is heavy, so errors of the put are all that
 * it is: -0.0046 in [-0.0154, 0.0054] is not what a call is worth, nor is -0.00625 +- 0.00006. */
static void test_what_cannot_be_negative_is_not_said_to_be(void **state)
{
    (void)state;
    static const char note[] = "unreliable: the interval reaches below 0, which no path pays: far "
                               "out of the money, so take more paths";
    levy_results *const results =
        price(text_of_book("texts/certainty-what-cannot-be-negative-is-not-said-to-be"), "double");
    for (size_t i = 0; i < 5; ++i) {
        const levy_trade_result *const t = levy_results_trade(results, i);
        print_message("%s: %g +- %g %s\n", t->id, t->price, t->std_error, t->interval);
        assert_string_equal(t->interval, i < 3 ? "unreliable" : "student_t");
        assert_true(i >= 3 || (t->std_error > 0.0 && t->measures[0].flagged));
        if (i < 3) assert_string_equal(t->measures[0].note, note);
    }
    levy_results_destroy(results);
}

/* ---- What one draw decides ---- */

/* Whether a level of 100 at 20 % a year is at `strike` or above after so many years. */
static double ends_above(double strike, double years)
{
    const double deviation = 0.2 * sqrt(years);
    return normal_cdf((log(100.0 / strike) + 0.05 * years) / deviation - 0.5 * deviation);
}

/* Whether an asset's level over another's is at `ratio` or above after three years. */
static double beats(double ratio) { return normal_cdf(-log(ratio) / (0.2 * sqrt(3.0))); }

/* A jump, and what hides from replicates that they have equally many paths beyond it but for one:
 * on the last date of a bridge, on the first of increments, of two assets alike, of the last of
 * five. */
static const struct {
    const char *construction, *script, *underlyings;
    int dates;
    double years, notch; /* of the payment; of the strikes */
} decided[] = {
    {"bridge", "at expiry { if level >= %.6g { pay 100 }; pay max(90 - level, 0) }", "A", 5, 3.0,
     1.3},
    {"incremental",
     "var n = 0; at days { if n == 0 { if level >= %.6g { pay 100 }; pay max(90 - level, 0) }; n "
     "+= 1 }",
     "A", 5, 0.6, 0.6},
    {"bridge",
     "at expiry { if 100 * levels[1] / levels[2] >= %.6g { pay 100 }; pay max(90 - levels[1], 0) }",
     "A, B", 1, 3.0, 1.3},
    {"bridge", "at expiry { if levels[5] >= %.6g { pay 100 }; pay max(90 - levels[5], 0) }",
     "A, B, C, D, E", 1, 3.0, 1.3}};
enum { DECIDED_STRIKES = 40, DECIDED_SEEDS = 3 };

static const char decided_five[] =
    "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, "
    "volatility: 0.2}, B: {currency: USD, spot: 100, volatility: 0.2}, C: {currency: USD, spo"
    "t: 100, volatility: 0.2}, D: {currency: USD, spot: 100, volatility: 0.2}, E: {currency: "
    "USD, spot: 100, volatility: 0.2}}, correlations: {pairs: [[B.spot, A.spot, 0], [C.spot, "
    "A.spot, 0], [C.spot, B.spot, 0], [D.spot, A.spot, 0], [D.spot, B.spot, 0], [D.spot, C.sp"
    "ot, 0], [E.spot, A.spot, 0], [E.spot, B.spot, 0], [E.spot, C.spot, 0], [E.spot, D.spot, "
    "0]]}}\nmodels: {m: {kind: black_scholes, assets: [A, B, C, D, E]}}\n";

static double decided_exact(size_t of, double strike)
{
    const double years = decided[of].years, df = exp(-0.05 * years),
                 put = call_price(100.0, 90.0, 0.05, 0.0, 0.2, years) - 100.0 + 90.0 * df;
    return put + 100.0 * df * (of == 2 ? beats(0.01 * strike) : ends_above(strike, years));
}

/* Prices the strikes; the delta of the first is the slope of a density. */
static double decided_worst(size_t of, const char *seed, double *delta)
{
    static char text[20000];
    const levy_setting settings[] = {{"simulation.seed", seed},
                                     {"simulation.paths", "2^13"},
                                     {"simulation.smoothing", "none"},
                                     {"simulation.construction", decided[of].construction}};
    int n = snprintf(text, sizeof text, MARKET("0.5") "measures: [price, delta]\ntrades:\n");
    if (of == 3) n = snprintf(text, sizeof text, "%smeasures: [price]\ntrades:\n", decided_five);
    double worst = 0.0;
    for (int k = 0; k < DECIDED_STRIKES; ++k) {
        char script[200];
        snprintf(script, sizeof script, decided[of].script, 80.0 + decided[of].notch * k);
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  - {id: t%d, underlyings: [%s], exercise: {expiry: 3}, payoff: {kind: "
                      "script, schedules: {days: {count: %d}}, script: \"%s\"}}\n",
                      k, decided[of].underlyings, decided[of].dates, script);
    }
    levy_results *const r = price_words(context, text, settings, 4, 1);
    for (int k = 0; k < DECIDED_STRIKES; ++k) {
        const levy_trade_result *const t = levy_results_trade(r, (size_t)k);
        const double strike = 80.0 + decided[of].notch * k, years = decided[of].years,
                     deviation = 0.2 * sqrt(years), h = 1e-4 * strike,
                     z = (t->price - decided_exact(of, strike)) / t->std_error,
                     density = (ends_above(strike - h, years) - ends_above(strike + h, years)) /
                               (2.0 * h),
                     d1 = (log(100.0 / 90.0) + 0.05 * years) / deviation + 0.5 * deviation,
                     slope = strike * density * exp(-0.05 * years) - normal_cdf(-d1);
        worst = fmax(worst, fabs(z));
        if (of < 2)
            *delta = fmax(*delta, fabs(t->measures[1].value - slope) / t->measures[1].std_error);
    }
    levy_results_destroy(r);
    return worst;
}

static void test_what_one_draw_decides_has_an_error(void **state)
{
    static const char *const seeds[DECIDED_SEEDS] = {"1", "2", "3"};
    (void)state;
    for (size_t of = 0; of < sizeof decided / sizeof *decided; ++of) {
        double worst = 0.0, delta = 0.0;
        for (size_t i = 0; i < DECIDED_SEEDS; ++i)
            worst = fmax(worst, decided_worst(of, seeds[i], &delta));
        print_message("%zu: at most %.2f errors, the delta %.2f\n", of, worst, delta);
        assert_true(worst < 4.5 && delta < 4.5);
    }
}

/* Jumps of nearly one size, whose number one draw decides: by so many of them, whether a level is
 * at 90 or above in a year. */
static double jumps_exact(double intensity)
{
    const double volatility = 0.2, mark = -0.4, spread = 0.02,
                 compensates = intensity * (exp(mark + 0.5 * spread * spread) - 1.0);
    double chance = exp(-intensity), sum = 0.0;
    for (int n = 0; n < 16; ++n, chance *= intensity / n) {
        const double mean = 0.05 - compensates - 0.5 * volatility * volatility + n * mark,
                     deviation = sqrt(volatility * volatility + n * spread * spread);
        sum += chance * normal_cdf((mean - log(0.9)) / deviation);
    }
    return exp(-0.05) * sum;
}

static void test_what_the_number_of_jumps_decides_has_an_error(void **state)
{
    enum { SEEDS = 16 };
    double worst = 0.0;
    (void)state;
    for (int i = 0; i < SEEDS; ++i) {
        char text[1000], seed[8];
        const levy_setting settings[] = {{"simulation.seed", seed}, {"simulation.paths", "2^11"}};
        snprintf(seed, sizeof seed, "%d", i);
        /* of a replicate's 128 paths 120.1 have no jump */
        snprintf(text, sizeof text,
                 "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {A: {currency: USD, "
                 "spot: 100, volatility: 0.2}}}\nmodels: {m: {kind: merton, assets: [A], "
                 "intensity: %.17g, jump_mean: -0.4, jump_volatility: 0.02}}\ntrades:\n  - {id: "
                 "t, underlying: A, exercise: {expiry: 1}, payoff: {kind: digital, option_type: "
                 "call, strike: 90}}\n",
                 -log(120.1 / 128.0));
        levy_results *const r = price_words(context, text, settings, 2, 1);
        const levy_trade_result *const t = levy_results_trade(r, 0);
        const double off = fabs(t->price - jumps_exact(-log(120.1 / 128.0)));
        worst = fmax(worst, off / t->std_error);
        levy_results_destroy(r);
    }
    print_message("at most %.2f errors\n", worst);
    assert_true(worst < 4.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_path_in_the_money_is_no_certainty),
        cmocka_unit_test(test_rounding_is_part_of_the_error),
        cmocka_unit_test(test_exact_values_are_known_to_their_rounding),
        cmocka_unit_test(test_what_the_past_decides_is_exact),
        cmocka_unit_test(test_a_zero_by_construction_has_no_error),
        cmocka_unit_test(test_positions_that_cancel_have_no_error),
        cmocka_unit_test(test_what_cannot_be_negative_is_not_said_to_be),
        cmocka_unit_test(test_what_one_draw_decides_has_an_error),
        cmocka_unit_test(test_what_the_number_of_jumps_decides_has_an_error),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
