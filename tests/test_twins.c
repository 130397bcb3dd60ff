/* test_twins.c: payoffs that are built in, and the same written as scripts, on plain paths: as
 * percentages of the initial levels they have the same bits in double precision, whatever the
 * generator and the construction. In absolute levels a built-in payoff works on returns and is
 * scaled at the end, so the last digits differ. */
#include "tests/cmocka_all.h"

#include "tests/context_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARKET                                                                                     \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.03}\n  assets:\n"                               \
    "    S: {currency: USD, spot: 100, volatility: 0.2, dividend_yield: 0.01}\n"                   \
    "    R: {currency: USD, spot: 50, volatility: 0.3}\n"                                          \
    "  correlations: {pairs: [[S.spot, R.spot, 0.5]]}\n"                                           \
    "models:\n  m: {kind: black_scholes, assets: [S, R]}\n"                                        \
    "  j: {kind: merton, assets: [S], intensity: 1, jump_mean: -0.1, jump_volatility: 0.15}\n"     \
    "trades:\n"
#define TRADE(assets, model, payoff)                                                               \
    "  - {model: " model ", underlyings: [" assets "], notional: 7, payoff: {" payoff              \
    "}, exercise: {expiry: 1}}\n"
#define PERCENT "strike_type: percent_of_initial, "
#define SCRIPT "kind: script, levels: percent_of_initial, "
#define DAYS "schedules: {days: {count: 12}}, "

/* A built-in payoff, then its script. */
static const char *const twins[] = {
    TRADE("S", "m", PERCENT "kind: european, option_type: call, strike: 1.01"),
    TRADE("S", "m", SCRIPT "script: \"at expiry { pay max(level - 1.01, 0) }\""),
    TRADE("S", "j", PERCENT "kind: european, option_type: put, strike: 1.01"),
    TRADE("S", "j", SCRIPT "script: \"at expiry { pay max(1.01 - level, 0) }\""),
    TRADE("S", "m",
          PERCENT "kind: asian, option_type: call, strike: 1.01, averaging: {observations: {count: "
                  "12}}"),
    TRADE("S", "m",
          SCRIPT DAYS "parameters: {share: 0.083333333333333329}, script: \"var t = 0; at days { t "
                      "+= level }; at expiry { pay max(t * share - 1.01, 0) }\""),
    TRADE("S", "j",
          PERCENT "kind: barrier, option_type: call, strike: 0.95, barrier: {direction: up, knock: "
                  "out, level: 1.3, observations: {count: 12}}"),
    TRADE("S", "j",
          SCRIPT DAYS "script: \"at days { if level >= 1.3 { stop } }; at expiry { pay max(level - "
                      "0.95, 0) }\""),
    TRADE("S", "m",
          "kind: cliquet, observations: {count: 4, include_start: true}, local_floor: 0, "
          "local_cap: 0.08"),
    TRADE("S", "m",
          SCRIPT
          "schedules: {days: {count: 4, include_start: true}}, script: \"var before = 1; var "
          "t = 0; at days { if number > 1 { t += min(max(level / before - 1, 0), 0.08) }; "
          "before = level }; at expiry { pay t }\""),
    TRADE("S, R", "m", PERCENT "kind: european, option_type: call, strike: 1, aggregate: worst_of"),
    TRADE("S, R", "m", SCRIPT "script: \"at expiry { pay max(worst(levels) - 1, 0) }\"")};
enum { TWINS = sizeof twins / sizeof *twins };

static void book_of_twins(const char *generator, const char *construction, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", MARKET);
    for (size_t k = 0; k < TWINS; ++k) {
        const char *const from = strstr(twins[k], "{") + 1;
        used += (size_t)snprintf(text + used, size - used, "  - {id: t%zu, %s", k, from);
    }
    snprintf(text + used, size - used,
             "simulation: {paths: 2^12, precision: double, smoothing: none, generator: %s, "
             "construction: %s}\n",
             generator, construction);
    assert_true(used < size);
}

static void test_twins_have_the_same_bits(void **state)
{
    (void)state;
    static const char *const generators[] = {"sobol_scrambled", "philox", "mrg32k3a"};
    static const char *const constructions[] = {"bridge", "pca", "incremental"};
    for (size_t i = 0; i < 3; ++i) {
        static char text[1 << 14];
        const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
        levy_book *book;
        levy_results *results;
        book_of_twins(generators[i], constructions[i], text, sizeof text);
        if (levy_book_load_text(context, "book.yaml", text, strlen(text), NULL, 0, &book) !=
            LEVY_STATUS_OK)
            fail_msg("%s", levy_diagnostic_get(context, 0)->text);
        assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
        for (size_t k = 0; k < TWINS; k += 2) {
            const levy_trade_result *const built = levy_results_trade(results, k),
                                           *const script = levy_results_trade(results, k + 1);
            assert_string_equal(built->status, "ok");
            if (!(built->price > 0 && built->price == script->price &&
                  built->std_error == script->std_error))
                fail_msg("%s, %s: %.17g +- %.17g, script %.17g +- %.17g", generators[i], built->id,
                         built->price, built->std_error, script->price, script->std_error);
        }
        levy_results_destroy(results);
        levy_book_destroy(book);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_twins_have_the_same_bits)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
