/* test_script_sums.c: scripts whose variable adds up levels over dates, integrated over the first
 * normal (payoffs/sums.h), through the public interface: closed forms, plain runs of sums that rise
 * and fall, target redemption forwards, and what is not integrated. */
#include "tests/cmocka_all.h"

#include "tests/smoothed_price.h"

#include <stdio.h>

#define MARKET                                                                                     \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.04}\n  assets:\n"                               \
    "    A: {currency: USD, spot: 100, volatility: 0.2, dividend_yield: 0.01}\n"                   \
    "    B: {currency: USD, spot: 50, volatility: 0.3}\n"                                          \
    "  correlations: {pairs: [[A.spot, B.spot, 0.5]]}\n"                                           \
    "models:\n  m: {kind: black_scholes, assets: [A, B]}\n"                                        \
    "  j: {kind: merton, assets: [A], intensity: 1, jump_mean: -0.1, jump_volatility: 0.15}\n"     \
    "trades:\n"
#define TRADE(id, model, assets, payoff)                                                           \
    "  - {id: " id ", model: " model ", underlyings: [" assets "], payoff: {" payoff               \
    "}, exercise: {expiry: 1}}\n"
#define SCRIPT(dates, text)                                                                        \
    "kind: script, levels: percent_of_initial, parameters: {zero: 0, s: -1, k: 1.05, list: [1, "   \
    "0.9, 1.1, 1, 1, 0.95]}, schedules: {days: {count: " dates "}}, script: \"" text "\""
#define MEASURES "measures: [price, delta, gamma, vega]\n"

/* ---- Closed forms ---- */

/* Of one date the sum is one level, and what is asked for its least is always so. */
static void test_one_date_is_exact(void **state)
{
    (void)state;
    levy_results *const r = smoothed_book("sums/one_date", "all", "2^10", "bridge");
    const double sd = 0.2, df = exp(-0.04), forward = exp(0.03), k = 1.05,
                 d = log(forward / k) / sd - 0.5 * sd,
                 call = df * (forward * normal_cdf(d + sd) - k * normal_cdf(d)),
                 exact[] = {call,
                            call - df * (forward - k),
                            df * normal_cdf(d),
                            df * normal_cdf(-d),
                            df * (1 + normal_cdf(-d)),
                            df * (3 + normal_cdf(d)),
                            df,
                            df};
    for (size_t t = 0; t < 8; ++t) {
        const levy_trade_result *const result = levy_results_trade(r, t);
        if (!(fabs(result->price - exact[t]) < 1e-12))
            fail_msg("%s: %.17g, not %.17g", result->id, result->price, exact[t]);
        assert_string_equal(result->interval, "exact");
    }
    levy_results_destroy(r);
}

/* ---- Plain runs ---- */

#define TARF(keys)                                                                                 \
    "kind: tarf, observations: {count: 12}, strike: 98, target: 20, gearing: 2, " keys
enum { SHAPES = 10, TARFS = 5 };

static void test_values_are_those_of_plain_paths(void **state)
{
    (void)state;
    static const char *const constructions[] = {"bridge", "pca"};
    levy_results *const plain =
        smoothed_book("sums/shapes", "none", LEVY_SANITIZED ? "2^12" : "2^15", "bridge");
    for (size_t c = 0; c < 2; ++c) {
        levy_results *const r =
            smoothed_book("sums/shapes", "all", LEVY_SANITIZED ? "2^10" : "2^12", constructions[c]);
        for (size_t t = 0; t < SHAPES; ++t) {
            const levy_trade_result *const a = levy_results_trade(r, t);
            const levy_trade_result *const b = levy_results_trade(plain, t);
            assert_int_equal(a->n_measures, b->n_measures);
            if (a->measures[0].note && strstr(a->measures[0].note, "not smoothed"))
                fail_msg("%s: %s", a->id, a->measures[0].note);
            for (size_t m = 0; m < a->n_measures; ++m) {
                const double error = hypot(a->measures[m].std_error, b->measures[m].std_error),
                             gap = fabs(a->measures[m].value - b->measures[m].value);
                const int second = strcmp(a->measures[m].measure, "gamma") == 0;
                if (!(gap <= 4.0 * error + (second ? 0.02 : 1e-3) * fabs(b->measures[m].value)))
                    fail_msg("%s, measure %zu: %g, plain %g +- %g", a->id, m, a->measures[m].value,
                             b->measures[m].value, error);
            }
        }
        levy_results_destroy(r);
    }
    levy_results_destroy(plain);
}

/* Greeks of a contract that ends where a sum is reached are as smooth as those of a barrier. */
static void test_errors_of_a_target_suit_a_hedger(void **state)
{
    (void)state;
    if (LEVY_SANITIZED) skip(); /* it is about errors */
    static const char text[] = MARKET TRADE("exact", "m", "A", TARF("last: exact"))
        TRADE("none", "m", "A", TARF("last: none")) MEASURES;
    levy_results *const r = smoothed(text, "auto", "2^16", "bridge");
    levy_results *const plain = smoothed(text, "none", "2^16", "bridge");
    for (size_t t = 0; t < 2; ++t) {
        assert_true(measure(r, t, 1)->std_error < 0.02 * fabs(measure(r, t, 1)->value));
        assert_true(measure(r, t, 2)->std_error < 0.05 * fabs(measure(r, t, 2)->value));
        for (size_t m = 1; m < 4; ++m)
            assert_true(5.0 * measure(r, t, m)->std_error < measure(plain, t, m)->std_error);
    }
    levy_results_destroy(r);
    levy_results_destroy(plain);
}

/* ---- What is not integrated ---- */

static void test_what_cannot_be_integrated_says_so(void **state)
{
    (void)state;
    static const char carries[] = "not smoothed: it carries a level from date to date";
    static const struct {
        const char *text, *why;
    } cases[] = {
        /* a sign by date, two signs, a sum of one date out of two, one that starts anew, two sums
         */
        {SCRIPT("6", "var t = 0; at days { t += max(list[number] * level - 1, 0) }; at expiry { "
                     "pay t }"),
         carries},
        {SCRIPT("6", "var t = 0; at days { if level > 1 { t += level } }; at expiry { pay t }"),
         carries},
        {SCRIPT("6", "var t = 0; at days { if level > 1 { t = 0 }; t += level }; at expiry { pay t "
                     "}"),
         carries},
        {SCRIPT("6",
                "var t = 0; at days { t += level; t += s * level }; at expiry { pay t + level }"),
         carries},
        {SCRIPT("6", "var t = 0; var u = 0; at days { t += level; u += level }; at expiry { pay t "
                     "+ u }"),
         carries},
        {SCRIPT("6", "var t = 0; at days { t += max(level, t) }; at expiry { pay t }"), carries},
        {SCRIPT("6", "var t = 0; at days { t += level }; at expiry { pay 1 if t > 6 * level else 0 "
                     "}"),
         "not smoothed: it compares a sum of levels with more than numbers"},
        {SCRIPT("6", "var t = 0; at days { let b = t; t += level; if b > 3 { pay 1 } }"),
         "not smoothed: it compares a sum of levels with more than numbers"},
        {SCRIPT("6", "var t = 0; at days { t += level }; report t; at expiry { pay t }"),
         "not smoothed: it reports a sum of levels"},
        {SCRIPT("129", "var t = 0; at days { t += level }; at expiry { pay t }"),
         "not smoothed: it adds up levels on too many dates (line 1, column 22)"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        char text[4096];
        snprintf(text, sizeof text,
                 MARKET "  - {id: t, model: m, underlyings: [A], payoff: {%s}, "
                        "exercise: {expiry: 1}}\n",
                 cases[k].text);
        levy_results *const r = smoothed(text, "all", "2^10", "bridge");
        levy_results *const plain = smoothed(text, "none", "2^10", "bridge");
        const levy_trade_result *const t = levy_results_trade(r, 0);
        const char *const note = t->measures[0].note;
        if (!note || !strstr(note, cases[k].why))
            fail_msg("%s: %s", cases[k].text, note ? note : "nothing");
        assert_true(t->price == levy_results_trade(plain, 0)->price);
        levy_results_destroy(r);
        levy_results_destroy(plain);
    }
}

/* The most dates that a sum may have are integrated. */
static void test_a_sum_of_the_most_dates_is_integrated(void **state)
{
    (void)state;
    levy_results *const r = smoothed(
        MARKET "  - {id: t, model: m, underlyings: [A], payoff: {" SCRIPT(
            "128", "var t = 0; at days { t += level }; at expiry { pay t }") "}, exercise: "
                                                                             "{expiry: 1}}\n",
        "all", "2^8", "bridge");
    const char *const note = levy_results_trade(r, 0)->measures[0].note;
    assert_true(!note || !strstr(note, "not smoothed"));
    levy_results_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_date_is_exact),
        cmocka_unit_test(test_values_are_those_of_plain_paths),
        cmocka_unit_test(test_errors_of_a_target_suit_a_hedger),
        cmocka_unit_test(test_what_cannot_be_integrated_says_so),
        cmocka_unit_test(test_a_sum_of_the_most_dates_is_integrated),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
