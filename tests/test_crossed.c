/* test_crossed.c: `crossed` of a script, the chance that a level was at a barrier between dates,
 * against built-in barriers that are watched at all times and closed forms; a barrier on one asset
 * and a payment on another; today; and what cannot be asked. */
#include "engine/levy.h"

#include "tests/cmocka_all.h"
#include "tests/context_fixture.h"
#include "tests/normal_law.h"
#include "tests/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct priced {
    double price, error;
    char message[1000];
    int status; /* of loading */
} priced;

static const char *rate = "0.04";

/* A book of one trade. more: keys of the book. */
static priced price(const char *market, const char *model, const char *trade, const char *more)
{
    char text[4000];
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    levy_book *book;
    levy_results *results;
    priced p = {.price = NAN};
    snprintf(text, sizeof text,
             "schema_version: 1\n%s\nmarket: {curves: {USD: %s}, assets: {%s}}\nmodels: {m: {%s}}\n"
             "trades:\n - {id: t, exercise: {expiry: 1.0}, %s}\n",
             more, rate, market, model, trade);
    p.status = levy_book_load_text(context, "t.yaml", text, strlen(text), NULL, 0, &book);
    if (p.status == LEVY_STATUS_OK) {
        assert_int_equal(levy_price(book, &options, &results), 0);
        const levy_trade_result *const t = levy_results_trade(results, 0);
        assert_string_equal(t->status, "ok");
        p.price = t->price;
        p.error = t->std_error;
        levy_results_destroy(results);
        levy_book_destroy(book);
    } else {
        const levy_diagnostic *d = levy_diagnostic_get(context, 0);
        for (size_t k = 1; d->severity > 0; ++k) d = levy_diagnostic_get(context, k);
        snprintf(p.message, sizeof p.message, "%s %s", d->text, d->hint ? d->hint : "");
    }
    return p;
}

#define ONE "A: {currency: USD, spot: 100, dividend_yield: 0.01, volatility: 0.25}"
#define TERM                                                                                       \
    "A: {currency: USD, spot: 100, dividend_yield: 0.04, volatility: {kind: term, nodes: "         \
    "[[0.25, 0.15], [0.5, 0.2], [1, 0.35]]}}"
#define DIFFUSION "kind: black_scholes, assets: [A]"
#define BUILT_IN(direction, level)                                                                 \
    "underlying: A, payoff: {kind: barrier, option_type: call, strike: 95, barrier: {direction: "  \
    "" direction ", knock: out, level: " level ", monitoring: continuous}}"
#define SCRIPT(text) "underlying: A, payoff: {kind: script, script: '" text "'}"
#define WATCHED(dates, text)                                                                       \
    "underlying: A, payoff: {kind: script, schedules: {watch: " dates "}, script: '" text "'}"
#define PATHS "simulation: {paths: 2^14, seed: 3}"

static void assert_agree(const priced *a, const priced *b)
{
    const double error = sqrt(a->error * a->error + b->error * b->error);
    if (!(fabs(a->price - b->price) <= 4.0 * error))
        print_error("%g +- %g, %g +- %g\n", a->price, a->error, b->price, b->error);
    assert_true(fabs(a->price - b->price) <= 4.0 * error);
}

static void test_one_interval_is_a_continuous_barrier(void **state)
{
    static const char *const markets[] = {ONE, TERM};
    (void)state;
    for (size_t i = 0; i < 2; ++i) {
        const priced down = price(markets[i], DIFFUSION, BUILT_IN("down", "85"), PATHS),
                     up = price(markets[i], DIFFUSION, BUILT_IN("up", "130"), PATHS),
                     own_down = price(markets[i], DIFFUSION,
                                      SCRIPT("at expiry { pay (1 - crossed(85)) * max(level - 95, "
                                             "0) }"),
                                      PATHS),
                     own_up = price(markets[i], DIFFUSION,
                                    SCRIPT("at expiry { pay (1 - crossed(130)) * max(level - 95, "
                                           "0) }"),
                                    PATHS);
        assert_agree(&own_down, &down);
        assert_agree(&own_up, &up);
        if (i > 0) continue; /* the built-in ones have a node wherever the volatility changes */
        assert_true(fabs(own_down.price - down.price) <= 1e-11 * down.price);
        assert_true(fabs(own_up.price - up.price) <= 1e-11 * up.price);
    }
}

/* Dates part the time into intervals, each of which starts at the date before: of the schedule
 * itself, whatever other schedules have. */
static void test_dates_change_nothing(void **state)
{
    (void)state;
    const priced whole = price(ONE, DIFFUSION, BUILT_IN("down", "90"), PATHS),
                 parts = price(ONE, DIFFUSION,
                               WATCHED("{count: 9}",
                                       "var alive = 1; at watch { alive *= 1 - crossed(90) }; at "
                                       "expiry { pay alive * max(level - 95, 0) }"),
                               PATHS),
                 uneven = price(ONE, DIFFUSION,
                                "underlying: A, payoff: {kind: script, schedules: {watch: {times: "
                                "[0.1, 0.15, 0.7]}, other: {times: [0.15, 0.7, 0.85]}}, levels: "
                                "percent_of_initial, script: 'var alive = 1; var total = 0; at "
                                "watch { if alive > 0 { alive *= 1 - crossed(0.9) } }; at other { "
                                "total += level }; at expiry { pay 100 * alive * max(level - "
                                "0.95, 0) }'}",
                                PATHS),
                 half = price(ONE, DIFFUSION,
                              "underlying: A, payoff: {kind: barrier, option_type: call, strike: "
                              "95, barrier: {direction: down, knock: out, level: 90, monitoring: "
                              "continuous, window: {end: 0.7}}}",
                              PATHS),
                 until = price(ONE, DIFFUSION,
                               WATCHED("{times: [0.3, 0.7]}",
                                       "var alive = 1; at watch { alive *= 1 - crossed(90) }; at "
                                       "expiry { pay alive * max(level - 95, 0) }"),
                               PATHS);
    assert_agree(&whole, &parts);
    assert_agree(&half, &until);
    assert_agree(&half, &uneven);
}

/* The chance that a Brownian level from 100 stays above 85 for a year. */
static double stays(double volatility, double drift)
{
    const double far = log(100.0 / 85.0), nu = drift - 0.5 * volatility * volatility;
    return normal_cdf((far + nu) / volatility) -
           exp(-2.0 * nu * far / (volatility * volatility)) * normal_cdf((nu - far) / volatility);
}

#define TWO(correlation)                                                                           \
    "A: {currency: USD, spot: 100, volatility: 0.3}, B: {currency: USD, spot: 50, volatility: "    \
    "0.2}}, correlations: {pairs: [[A.spot, B.spot, " correlation "]]"
#define BOTH "kind: black_scholes, assets: [A, B]"
#define OUTSIDE(dates)                                                                             \
    "underlyings: [A, B], payoff: {kind: script, schedules: {watch: " dates "}, script: 'var "     \
    "alive = 1; at watch { let hit = crossed(85); alive *= 1 - hit[1] }; at expiry { pay alive * " \
    "max(levels[2] - 50, 0) }'}"

static void test_one_asset_is_watched_another_paid(void **state)
{
    (void)state;
    const double d1 = (0.04 + 0.02) / 0.2,
                 call = 50.0 * normal_cdf(d1) - 50.0 * exp(-0.04) * normal_cdf(d1 - 0.2);
    const priced apart = price(TWO("0.0"), BOTH, OUTSIDE("{count: 1}"), PATHS),
                 exact = {.price = call * stays(0.3, 0.04), .error = 0.0},
                 once = price(TWO("0.6"), BOTH, OUTSIDE("{count: 1}"), PATHS),
                 often = price(TWO("0.6"), BOTH, OUTSIDE("{count: 16}"), PATHS);
    assert_agree(&apart, &exact);
    assert_agree(&once, &often);
    assert_true(once.price > 1.1 * apart.price);
}

/* A list has a barrier for each asset, and by date a number for each date. */
static void test_barriers_are_lists(void **state)
{
    (void)state;
    const priced number = price(TWO("0.6"), BOTH,
                                "underlyings: [A, B], payoff: {kind: script, script: 'at expiry { "
                                "let hit = crossed(85); pay hit[1] }'}",
                                PATHS),
                 list = price(TWO("0.6"), BOTH,
                              "underlyings: [A, B], payoff: {kind: script, parameters: {barriers: "
                              "[85, 30]}, script: 'at expiry { pay sum(crossed(barriers)) }'}",
                              PATHS),
                 other = price(TWO("0.6"), BOTH,
                               "underlyings: [A, B], payoff: {kind: script, script: 'at expiry { "
                               "let hit = crossed(30); pay hit[2] }'}",
                               PATHS),
                 by_date = price(ONE, DIFFUSION,
                                 "underlying: A, payoff: {kind: script, parameters: {b: [1e-3, "
                                 "85]}, schedules: {watch: {count: 2}}, script: 'at watch { pay "
                                 "crossed(b[number]) }'}",
                                 PATHS);
    assert_true(fabs(list.price - number.price - other.price) < 1e-12);
    assert_true(by_date.price > 0.05 && by_date.price < 0.5);
}

/* A barrier that steps over the level knocks it out; what was only crossed is another thing. The
 * price of the put is a Monte Carlo price of 4 x 2,000 steps a year with a bridge, by another
 * program: 0.01643 +- 0.00008. */
static void test_a_barrier_that_steps(void **state)
{
    (void)state;
#define STEPS(text)                                                                                \
    "underlying: A, payoff: {kind: script, parameters: {b: [80, 85, 90, 95]}, schedules: {watch: " \
    "{count: 4}}, script: 'var alive = 1; at watch { alive *= 1 - " text "(b[number]) }; at "      \
    "expiry { pay alive * max(100 - level, 0) }'}"
    rate = "0.03";
    const priced out = price(ONE, DIFFUSION, STEPS("fell_to"), PATHS),
                 crossed = price(ONE, DIFFUSION, STEPS("crossed"), PATHS),
                 other = {.price = 0.01643, .error = 0.00008};
    rate = "0.04";
    assert_agree(&out, &other);
    assert_true(crossed.price > 10.0 * out.price);
#undef STEPS
}

/* Beyond the barrier already, on one side of it and on the other. */
static void test_sides(void **state)
{
    (void)state;
    const priced below = price(ONE, DIFFUSION, SCRIPT("at expiry { pay fell_to(110) }"), PATHS),
                 above = price(ONE, DIFFUSION, SCRIPT("at expiry { pay rose_to(90) }"), PATHS),
                 down = price(ONE, DIFFUSION, SCRIPT("at expiry { pay fell_to(90) }"), PATHS),
                 up = price(ONE, DIFFUSION, SCRIPT("at expiry { pay rose_to(110) }"), PATHS),
                 down2 = price(ONE, DIFFUSION, SCRIPT("at expiry { pay crossed(90) }"), PATHS),
                 up2 = price(ONE, DIFFUSION, SCRIPT("at expiry { pay crossed(110) }"), PATHS);
    assert_true(fabs(below.price - exp(-0.04)) < 1e-12 && fabs(above.price - exp(-0.04)) < 1e-12);
    assert_true(fabs(down.price - down2.price) < 1e-12 && fabs(up.price - up2.price) < 1e-12);
    assert_true(down.price > 0.3 && up.price > 0.3);
}

static void test_today(void **state)
{
    (void)state;
    const priced above = price(ONE, DIFFUSION,
                               WATCHED("{times: [0, 1]}",
                                       "var alive = 1; at watch { alive *= 1 - crossed(85) }; at "
                                       "expiry { pay alive * max(level - 95, 0) }"),
                               PATHS),
                 whole = price(ONE, DIFFUSION, BUILT_IN("down", "85"), PATHS),
                 at = price(ONE, DIFFUSION,
                            WATCHED("{times: [0, 1]}", "at watch { pay crossed(100) }"), PATHS);
    assert_true(fabs(above.price - whole.price) <= 1e-11 * whole.price);
    assert_true(fabs(at.price - (1.0 + exp(-0.04))) < 1e-12); /* certainly, twice */
}

static void assert_refused(const char *market, const char *model, const char *trade,
                           const char *more, const char *words)
{
    const priced p = price(market, model, trade, more);
    if (p.status == LEVY_STATUS_OK || !strstr(p.message, words)) print_error("%s\n", p.message);
    assert_int_not_equal(p.status, LEVY_STATUS_OK);
    assert_non_null(strstr(p.message, words));
}

/* The price has a kink in the spot at the barrier, which no bump crosses. */
static void test_greeks_beside_the_barrier(void **state)
{
    (void)state;
    static const char *const trades[] = {
        BUILT_IN("down", "99.5"),
        SCRIPT("at expiry { pay (1 - crossed(99.5)) * max(level - 95, 0) }"),
        SCRIPT("at expiry { pay (1 - fell_to(99.5)) * max(level - 95, 0) }")};
    double delta[3], gamma[3];
    for (size_t k = 0; k < 3; ++k) {
        char text[2000];
        levy_book *book;
        levy_results *results;
        snprintf(text, sizeof text,
                 "schema_version: 1\nmarket: {curves: {USD: 0.04}, assets: {" ONE
                 "}}\nmodels: {m: {" DIFFUSION "}}\ntrades:\n - {id: t, exercise: {expiry: 1.0}, "
                 "%s}\nmeasures: [delta, gamma]\n" PATHS "\n",
                 trades[k]);
        book = read_book(context, text, NULL, 0);
        assert_int_equal(levy_price(book, NULL, &results), 0);
        const levy_trade_result *const t = levy_results_trade(results, 0);
        delta[k] = levy_trade_measure(t, 1)->value;
        gamma[k] = levy_trade_measure(t, 2)->value;
        assert_int_equal(levy_trade_measure(t, 1)->flagged, 0);
        levy_results_destroy(results);
        levy_book_destroy(book);
    }
    for (size_t k = 1; k < 3; ++k) {
        assert_true(fabs(delta[k] - delta[0]) < 1e-3);
        assert_true(fabs(gamma[k] - gamma[0]) < 1e-3);
    }
}

#define ASKS SCRIPT("at expiry { pay crossed(85) }")
#define PAST                                                                                       \
    "underlying: A, payoff: {kind: script, schedules: {watch: {times: [-0.5, 0.5]}}, script: "     \
    "'var "                                                                                        \
    "alive = 1; at watch { alive *= 1 - crossed(85) }; at expiry { pay alive }'"

static void test_what_cannot_be_asked(void **state)
{
    (void)state;
    assert_refused(ONE,
                   "kind: merton, assets: [A], intensity: 1, jump_mean: 0, jump_volatility: 0.1",
                   ASKS, PATHS, "line 1, column 17: crossed needs a diffusion model");
    assert_refused(ONE, "kind: variance_gamma, assets: [A], sigma: 0.2, nu: 0.2, theta: -0.1", ASKS,
                   PATHS, "crossed needs a diffusion model");
    assert_refused("A: {currency: USD, spot: 100, volatility: 0.2, dividends: {cash: [[0.5, 2]]}}",
                   DIFFUSION, ASKS, PATHS, "pays dividends on dates");
    assert_refused(ONE, DIFFUSION, PAST "}", PATHS, "no fixing tells what was crossed");
    assert_refused(ONE, DIFFUSION, SCRIPT("at expiry { pay crossed(level > 85) }"), PATHS,
                   "crossed takes numbers");
    assert_refused(ONE, DIFFUSION, SCRIPT("at expiry { pay crossed(85, 90) }"), PATHS,
                   "crossed takes one argument");
    assert_refused(ONE, DIFFUSION, SCRIPT("at expiry { pay crossed }"), PATHS,
                   "Write crossed(barrier)");
    assert_refused(ONE, DIFFUSION, SCRIPT("var x = crossed(85); at expiry { pay x }"), PATHS,
                   "known at dates only");
    assert_refused(
        TWO("0.6"), BOTH,
        "underlyings: [A, B], payoff: {kind: script, parameters: {b: [1, 2, 3]}, script: "
        "'at expiry { pay sum(crossed(b)) }'}",
        PATHS, "crossed takes one barrier, or one for each underlying");
    assert_refused(ONE, DIFFUSION, SCRIPT("at expiry { if fell_to(85) { pay 1 } }"), PATHS,
                   "this is a chance Multiply by it");
    assert_refused(
        ONE, DIFFUSION,
        "underlying: A, payoff: {kind: script, schedules: {fix: {count: 4}}, script: 'var "
        "s = 0; at fix { s += level }; at expiry { pay (1 - fell_to(90)) * s }'}",
        PATHS, "'fix' sees a level at 0.25, between two dates of 'expiry'");
}

/* Version 1 of the language had no such function. */
static void test_it_may_still_be_a_name(void **state)
{
    (void)state;
    const priced var = price(
        ONE, DIFFUSION, SCRIPT("var crossed = 0; at expiry { crossed += 1; pay crossed }"), PATHS);
    const priced parameter =
        price(ONE, DIFFUSION,
              "underlying: A, payoff: {kind: script, parameters: {crossed: 2}, "
              "script: 'at expiry { pay crossed + 0 * level }'}",
              PATHS);
    assert_true(fabs(var.price - exp(-0.04)) < 1e-12);
    assert_true(fabs(parameter.price - 2.0 * exp(-0.04)) < 1e-12);
}

/* A built-in barrier on dates has the same today, by its fixing, where the spot stands beyond. */
static void test_a_fixing_of_today_counts(void **state)
{
    (void)state;
    static const char fixed[] =
        "A: {currency: USD, spot: 100, volatility: 0.25, fixings: [[0, 101]]}";
    const priced built = price(fixed, DIFFUSION,
                               "underlying: A, payoff: {kind: barrier, option_type: call, strike: "
                               "90, barrier: {direction: down, knock: out, level: 100.5, "
                               "observations: [0, 0.5, 1]}}",
                               PATHS),
                 script = price(fixed, DIFFUSION,
                                WATCHED("{times: [0, 0.5, 1]}",
                                        "at watch { if level <= 100.5 { stop } }; at expiry { pay "
                                        "max(level - 90, 0) }"),
                                PATHS);
    assert_true(built.price > 10.0 && fabs(built.price - script.price) < 1e-9);
}

/* With a state the first interval starts today. */
static void test_a_state_stands_for_the_past(void **state)
{
    (void)state;
    const priced later = price(ONE, DIFFUSION, PAST ", state: {alive: 1}}", PATHS),
                 now = price(ONE, DIFFUSION,
                             WATCHED("{times: [0.5]}",
                                     "var alive = 1; at watch { alive *= 1 - crossed(85) }; at "
                                     "expiry { pay alive }"),
                             PATHS);
    assert_true(later.status == LEVY_STATUS_OK && later.price == now.price);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_interval_is_a_continuous_barrier),
        cmocka_unit_test(test_dates_change_nothing),
        cmocka_unit_test(test_one_asset_is_watched_another_paid),
        cmocka_unit_test(test_barriers_are_lists),
        cmocka_unit_test(test_a_barrier_that_steps),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_greeks_beside_the_barrier),
        cmocka_unit_test(test_today),
        cmocka_unit_test(test_what_cannot_be_asked),
        cmocka_unit_test(test_a_fixing_of_today_counts),
        cmocka_unit_test(test_it_may_still_be_a_name),
        cmocka_unit_test(test_a_state_stands_for_the_past),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
