/* test_problem.c: what a trade means once it is read: underlyings, sizes, payments, schedules,
 * fixings, barriers. Expected numbers come from the formula beside them, never from the engine. */
#include "tests/payoff_term.h"
#include "tests/problem_case.h"
#include "tests/files.h"

/* ---- Trades ---- */

static const levy_trade *load_trade(const char *text) { return &load_good(text)->trades[0]; }

static void test_trade_defaults(void **state)
{
    (void)state;
    const levy_trade *trade = load_trade(TRADE(CALL_ON_A));
    assert_true(levy_trade_is_planned(trade));
    assert_string_equal(trade->from->raw->id, "t");
    assert_string_equal(trade->header.currency, "USD");
    assert_string_equal(trade->header.payoff, "european");
    assert_true(levy_trade_scale(trade) == 1 && trade->claim.expiry == 1 &&
                trade->claim.payment_time == 1);
    assert_true(trade->n_underlyings == 1 && trade->claim.weights[0] == 1 &&
                trade->claim.coefficients[0] == 1);
    assert_int_equal(trade->kind.aggregate, LEVY_AGGREGATE_NONE);
    assert_close(levy_trade_discount(trade), exp(-0.05), 1e-15);
}

static void test_trade_scale_is_signed(void **state)
{
    (void)state;
    assert_true(levy_trade_scale(load_trade(TRADE(CALL_ON_A ", position: short, quantity: 20"))) ==
                -20);
    release_book(NULL);
    assert_true(levy_trade_scale(load_trade(TRADE(
                    "underlying: A, position: Sell, notional: 1e6, payoff: {kind: european, "
                    "option_type: Put, strike: 0.9, strike_type: percent_of_initial}"))) == -1e6);
}

static void test_trade_notional_of_a_digital(void **state)
{
    (void)state;
    const levy_trade *trade =
        load_trade(TRADE("underlying: A, notional: 500, payoff: {kind: digital, option_type: call, "
                         "strike: 100, cash: 0.1}"));
    assert_true(levy_trade_scale(trade) == 500 && *(double *)payoff_term(trade, "cash") == 0.1);
}

static void test_trade_notional_with_absolute_strike_is_refused(void **state)
{
    (void)state;
    assert_refused(TRADE(CALL_ON_A ", notional: 1e6"),
                   "a notional needs a payoff that is a pure number");
}

static void test_trade_basket_weights(void **state)
{
    (void)state;
    const levy_trade *trade = load_trade(
        TRADE("underlyings: [B, A], payoff: {kind: basket, option_type: call, strike: 70}"));
    assert_true(trade->claim.weights[0] == 0.5 && trade->claim.weights[1] == 0.5);
    assert_true(trade->underlyings[0] == 1 && trade->underlyings[1] == 0);
    assert_int_equal(trade->kind.aggregate, LEVY_AGGREGATE_BASKET);
    release_book(NULL);
    trade = load_trade(
        TRADE("underlyings: [{name: A, weight: 1}, {name: B, weight: -2}], payoff: {kind: basket, "
              "option_type: call, strike: -5}"));
    assert_true(trade->claim.weights[1] == -2 && trade->claim.terms->strike == -5);
}

static void test_trade_percent_of_initial_divides_by_the_fixing(void **state)
{
    (void)state;
#define PERCENT(more)                                                                              \
    TRADE(                                                                                         \
        "underlyings: [A, B], payoff: {kind: worst_of, option_type: put, strike: 1, strike_type: " \
        "percent_of_initial" more "}")
    const levy_trade *trade = load_trade(PERCENT(""));
    assert_close(trade->claim.coefficients[0], 0.01, 1e-15);
    assert_close(trade->claim.coefficients[1], 0.02, 1e-15);
    release_book(NULL);
    trade = load_trade(PERCENT(", initial_fixing: [80, 40]"));
    assert_close(trade->claim.coefficients[0], 1.0 / 80, 1e-15);
    assert_close(trade->claim.coefficients[1], 1.0 / 40, 1e-15);
}

static void test_trade_geometric_basket_keeps_weights_as_exponents(void **state)
{
    (void)state;
    const levy_trade *trade = load_trade(TRADE(
        "underlyings: [A, B], payoff: {kind: basket, basket_type: geometric, option_type: put, "
        "strike: 1, strike_type: percent_of_initial}"));
    assert_int_equal(trade->kind.aggregate, LEVY_AGGREGATE_GEOMETRIC);
    assert_true(trade->claim.weights[0] == 0.5);
    assert_close(trade->claim.coefficients[1], 0.02, 1e-15);
}

static void test_trade_several_underlyings_need_an_aggregate(void **state)
{
    (void)state;
    assert_refused(TRADE("underlyings: [A, B], " CALL),
                   "the trade has 2 underlyings, but the payoff has no aggregate");
    release_book(NULL);
    levy_trade room;
    const levy_trade *const trade = levy_trade_written(
        load_trade(TRADE("underlyings: [A, B], payoff: {kind: digital, option_type: call, strike: "
                         "100, aggregate: best_of}")),
        &room);
    assert_int_equal(trade->kind.aggregate, LEVY_AGGREGATE_BEST_OF);
}

static void test_trade_payment_lag_in_years(void **state)
{
    (void)state;
    const levy_trade *trade = load_trade(TRADE(CALL_ON_A ", payment_lag: 2D"));
    assert_close(trade->claim.payment_time, 1 + 2.0 / 365, 1e-15);
    assert_close(levy_trade_discount(trade), exp(-0.05 * (1 + 2.0 / 365)), 1e-15);
}

/* 2027-11-20 is a Saturday; XX is closed on weekends and on Tuesday the 23rd. */
static void test_trade_payment_lag_in_business_days(void **state)
{
    (void)state;
    const levy_trade *trade = load_trade(DATED_TRADE(CALL ", payment_lag: 2D, calendars: [XX]"));
    assert_close(trade->claim.payment_time, 369.0 / 365, 1e-15); /* Monday 22, then Wednesday 24 */
    release_book(NULL);
    loaded = load_text(DATED_TRADE(CALL ", payment_lag: 2D")); /* calendar days: Monday 22 */
    assert_close(loaded.problem->trades[0].claim.payment_time, 367.0 / 365, 1e-15);
    release_book(NULL);
    loaded =
        /* Saturday 27 rolls to Monday 29 */
        load_text(DATED_TRADE(CALL ", payment_lag: 1W, calendars: [WEEKENDS]"));
    assert_close(loaded.problem->trades[0].claim.payment_time, 374.0 / 365, 1e-15);
}

static void test_trade_without_model_takes_the_only_one(void **state)
{
    (void)state;
    assert_refused(
        "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 1, "
        "volatility: 0.2}}}\n"
        "models: {m: {kind: black_scholes, assets: [A]}, n: {kind: black_scholes, assets: [A]}}\n"
        "trades: [{id: t, exercise: {expiry: 1.0}, " CALL_ON_A "}]\n",
        "the key 'model' is required: the book has 2 models");
}

static void test_trade_quanto_needs_a_rate(void **state)
{
    (void)state;
    assert_refused(TRADE(CALL_ON_A ", currency: EUR"),
                   "the trade is paid in EUR, but A is quoted in USD");
    assert_int_equal(loaded.faults.items[0].reason, LEVY_REASON_MISSING_DATA);
}

static void test_trade_american_is_unsupported(void **state)
{
    (void)state;
    assert_refused(MARKET "trades: [{id: t, exercise: {style: american, expiry: 1.0}, "
                          "payment_date: 1.5, " CALL_ON_A "}]\n",
                   "american exercise has no price here");
}

/* ---- Schedules and fixings ---- */

static void test_schedule_count(void **state)
{
    (void)state;
    const levy_trade *trade = load_trade(TRADE(ASIAN("{count: 4}")));
    assert_int_equal(trade->claim.observations.n, 4);
    for (size_t i = 0; i < 4; ++i)
        assert_true(trade->claim.observations.times[i] == 0.25 * (double)(i + 1));
    assert_false(trade->claim.observes_now);
}

static void test_schedule_count_with_start(void **state)
{
    (void)state;
    const levy_trade *trade = load_trade(TRADE(ASIAN("{count: 2, include_start: true}")));
    assert_true(trade->claim.observations.n == 2 && trade->claim.observes_now &&
                trade->claim.past.n == 0);
    release_book(NULL);
    trade = load_trade(TRADE(ASIAN("{start: 0.5, end: 0.9, count: 2, include_start: true}")));
    assert_true(trade->claim.observations.n == 3 && trade->claim.observations.times[0] == 0.5 &&
                trade->claim.observations.times[2] == 0.9);
}

static void test_schedule_past_fixings_enter_the_sum(void **state)
{
    (void)state;
    const levy_trade *trade = load_trade(TRADE(ASIAN("[-0.5, -0.25, 0.25, 1]")));
    assert_true(trade->claim.past.n == 2 && trade->claim.past.sum == 200 &&
                trade->claim.observations.n == 2);
    release_book(NULL);
    trade =
        load_trade(TRADE("underlyings: [A, B], payoff: {kind: asian, aggregate: best_of, "
                         "option_type: call, strike: 1, "
                         "strike_type: percent_of_initial, initial_fixing: [100, 50], averaging: "
                         "{observations: [-0.5, 1]}}"));
    assert_close(trade->claim.past.sum, 0.9, 1e-15); /* max(90/100, 40/50) */
    release_book(NULL);
    trade = load_trade(TRADE("underlyings: [A, B], payoff: {kind: asian, aggregate: "
                             "geometric_basket, option_type: call, strike: 60, "
                             "averaging: {method: geometric, observations: [-0.5, -0.25, 1]}}"));
    assert_close(trade->claim.past.log_sum, 0.5 * (log(90 * 40.0) + log(110 * 60.0)), 1e-14);
}

static void test_schedule_missing_fixings_are_listed(void **state)
{
    (void)state;
    assert_refused(TRADE(ASIAN("[-0.75, -0.5, -0.1, 1]")),
                   "past fixings are missing: A at -0.75, A at -0.1");
    assert_int_equal(loaded.faults.items[0].reason, LEVY_REASON_MISSING_DATA);
}

/* Today's observation is the fixing once there is one, else the spot. */
/* YAML 1.1 takes the key `on` for true: it has another name now, and books that have the old one
 * still mean the same. */
static void test_averaging_reads_its_former_key(void **state)
{
    static const char *const keys[] = {"of", "on"};
    char text[2048];
    (void)state;
    for (int k = 0; k < 2; ++k) {
        snprintf(text, sizeof text,
                 TRADE("underlying: A, payoff: {kind: asian, option_type: call, averaging: {%s: "
                       "strike, observations: {count: 4}}}"),
                 keys[k]);
        assert_int_equal(*(int32_t *)payoff_term(&load_good(text)->trades[0], "averaging.of"), 1);
        assert_int_equal(loaded.faults.count, 0);
        release_book(NULL);
    }
}

static void test_schedule_today(void **state)
{
    (void)state;
    const levy_trade *trade = load_trade(DATED_TRADE(
        "payoff: {kind: asian, option_type: call, strike: 99, averaging: {observations: "
        "[2026-10-20, 2026-11-20, 2027-01-01]}}, payment_lag: 1D, calendars: [XX]"));
    assert_true(trade->claim.past.n == 2 && trade->claim.past.sum == 191 &&
                !trade->claim.observes_now && trade->claim.observations.n == 1);
    release_book(NULL);
    trade = load_trade(TRADE(ASIAN("[0, 1]")));
    assert_true(trade->claim.past.n == 0 && trade->claim.observes_now &&
                trade->claim.observations.n == 1);
}

/* Monthly from Friday 2026-11-20: Sunday 2026-12-20 rolls to the 21st. */
static void test_schedule_frequency_rolls(void **state)
{
    (void)state;
    const levy_trade *trade = load_trade(DATED_TRADE(
        "payoff: {kind: asian, option_type: call, strike: 99, averaging: {observations: "
        "{frequency: 1M, end: 2027-02-19, roll: MF, calendars: [XX, WEEKENDS]}}}"));
    static const double days[] = {31, 61, 91};
    assert_int_equal(trade->claim.observations.n, 3); /* 21 December, 20 January, 19 February */
    for (size_t i = 0; i < 3; ++i)
        assert_close(trade->claim.observations.times[i], days[i] / 365, 1e-15);
}

static void test_schedule_of_one_date(void **state)
{
    (void)state;
    const levy_trade *trade = load_trade(DATED_TRADE(
        "payoff: {kind: asian, option_type: call, strike: 99, averaging: {observations: "
        "{start: 2026-11-23, end: 2026-11-23, include_start: true, frequency: 1D, "
        "roll: MF, calendars: [XX]}}}"));
    assert_int_equal(trade->claim.observations.n, 1);
    assert_close(trade->claim.observations.times[0], 3.0 / 365, 1e-15);
    release_book(NULL);
    trade = load_trade(DATED_TRADE(
        "payoff: {kind: barrier, option_type: call, strike: 9, barrier: {direction: up, knock: "
        "out, level: 1000, observations: {start: 2026-11-20, end: 2026-11-20, include_start: "
        "true, frequency: 1M, roll: MF, calendars: [XX]}}}"));
    assert_true(trade->claim.observations.n == 0 &&
                trade->claim.past.n + trade->claim.observes_now == 1);
    release_book(NULL);
    assert_refused(
        DATED_TRADE(
            "payoff: {kind: asian, option_type: call, strike: 99, averaging: {observations: "
            "{start: 2026-11-23, end: 2026-11-23, frequency: 1D}}}"),
        "the schedule starts and ends at 2026-11-23, and leaves out its start");
}

static void test_schedule_after_expiry_is_refused(void **state)
{
    (void)state;
    assert_refused(TRADE(ASIAN("[0.5, 1.5]")), "book.yaml:10:139: error: ");
    assert_true(loaded_book_says(
        &loaded, "trades[0].payoff.averaging.observations[1]: the observation 1.5 is "
                 "after expiry, 1.0"));
}

static void test_schedule_frequency_in_years_is_refused(void **state)
{
    (void)state;
    assert_refused(TRADE(ASIAN("{frequency: 1M}")),
                   "a frequency needs dates, but the times of this book are in years");
}

static void test_times_do_not_mix(void **state)
{
    (void)state;
    assert_refused(
        MARKET "trades: [{id: t, exercise: {expiry: 2027-01-01}, " CALL_ON_A "}]\n",
        "trades[0].exercise.expiry: is the date 2027-01-01, but the book has no valuation_date");
    release_book(NULL);
    assert_refused(
        DATED "trades: [{id: t, exercise: {expiry: 1.5}, " CALL_ON_A "}]\n",
        "trades[0].exercise.expiry: is a number of years, 1.5, but the book has a valuation_date");
}

/* ---- Barriers ---- */

#define BARRIER(direction, level, observations)                                                    \
    "underlying: A, payoff: {kind: barrier, option_type: call, strike: 100, barrier: "             \
    "{direction: " direction ", knock: out, level: " level ", observations: " observations "}}"

/* On dates, only levels of dates count. */
static void assert_beyond(const char *text, const char *part)
{
    loaded = load_text(text);
    assert_true(loaded_book_says(&loaded, part));
    assert_int_equal(loaded.status, LEVY_OK);
    assert_false(loaded.problem->trades[0].claim.past.knocked);
    release_book(NULL);
}

static void test_spot_beyond_a_barrier_on_dates_is_no_touch(void **state)
{
    (void)state;
    assert_beyond(TRADE(BARRIER("up", "95", "{count: 4}")),
                  "today's level is 100, above the up barrier 95: no touch");
    assert_beyond(TRADE(BARRIER("down", "100", "{count: 4}")),
                  "today's level is 100, at the down barrier 100: no touch");
    assert_false(load_trade(TRADE(BARRIER("down", "99.9", "{count: 4}")))->claim.past.knocked);
}

static void test_barrier_past_touch_knocks(void **state)
{
    (void)state;
    /* 110 at -0.25 */
    assert_true(load_trade(TRADE(BARRIER("up", "105", "[-0.5, -0.25, 1]")))->claim.past.knocked);
    release_book(NULL);
    assert_false(load_trade(TRADE(BARRIER("up", "115", "[-0.5, -0.25, 1]")))->claim.past.knocked);
}

static void test_barrier_observed_today_is_priced(void **state)
{
    (void)state;
    const levy_trade *trade = load_trade(TRADE(BARRIER("up", "95", "[0, 1]")));
    assert_true(trade->claim.observes_now && !trade->claim.past.knocked);
}

static void test_barrier_continuous_takes_a_window_not_dates(void **state)
{
    (void)state;
    assert_refused(TRADE("underlying: A, payoff: {kind: barrier, option_type: call, strike: 100, "
                         "barrier: {direction: "
                         "up, knock: in, "
                         "level: 120, monitoring: continuous, observations: {count: 2}}}"),
                   "payoff.barrier.observations: is not allowed with continuous monitoring");
}

/* Where a stray key belongs is asked of the payoff's kind, which here is no text. */
static void test_stray_key_beside_a_kind_that_is_a_list_is_refused(void **state)
{
    (void)state;
    assert_refused(TRADE("underlying: A, strike: 100, payoff: {kind: [european]}"),
                   "trades[0].strike: unknown key");
}

#define CONTINUOUS(more)                                                                           \
    "underlying: A, currency: XYZ, payoff: {kind: barrier, option_type: call, strike: 100, "       \
    "barrier: {direction: up, knock: out, level: 120, monitoring: continuous}" more "}"

/* No curve discounts such a currency, and the barrier's nodes stand on that curve too. */
static void test_barrier_continuous_in_an_unknown_currency_is_refused(void **state)
{
    (void)state;
    assert_refused(TRADE(CONTINUOUS("")), "trades[0].currency: the trade is paid in XYZ");
    release_book(NULL);
    assert_refused(TRADE(CONTINUOUS(", rebate: {amount: 1, pay: at_hit}")),
                   "trades[0].currency: the trade is paid in XYZ");
}

/* Nodes stand where the window opens and ends, and between them where volatility, carry or spot
 * change their ways. */
static void test_barrier_continuous_has_nodes_where_things_change(void **state)
{
    (void)state;
    const char *const text = text_of_book("texts/problem");
    static const double nodes[] = {0.25, 0.3, 0.4, 0.5, 0.55, 0.75};
    const levy_trade *trade = &load_good(text)->trades[0];
    assert_true(trade->claim.watches == LEVY_WATCHES_LATER && !levy_trade_draws(trade) &&
                trade->claim.observations.times[0] == 0.25);
    assert_int_equal(trade->claim.observations.n, 6);
    for (size_t i = 0; i < 6; ++i) assert_true(trade->claim.observations.times[i] == nodes[i]);
}

#define BOOK_TEST(name) cmocka_unit_test_teardown(name, release_book)

/* ---- Returns in a year ---- */

#define VARIANCE(kind, rest)                                                                       \
    "schema_version: 1\n"                                                                          \
    "valuation_date: 2026-11-20\n"                                                                 \
    "market: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, volatility: 0.2}}}\n"    \
    "models: {m: {kind: black_scholes, assets: [A]}}\n"                                            \
    "trades: [{id: t, underlying: A, exercise: 2027-11-20, payoff: {kind: " kind                   \
    ", strike: 0.2, " rest "}}]\n"

/* A book of which there is one warning, with the part of a sentence. */
static void assert_warned(const char *text, const char *part)
{
    loaded = load_text(text);
    if (!loaded_book_says(&loaded, part)) fail_msg("%s: %s", part, loaded_book_text(&loaded));
    assert_int_equal(loaded.status, LEVY_OK);
    assert_int_equal(loaded.faults.warnings, 1);
    release_book(NULL);
}

/* A trade that has begun was struck before today. */
static void test_trade_that_has_begun_needs_its_initial_level(void **state)
{
    (void)state;
    static const char part[] =
        "the initial fixing is today's spot, but the trade has dates before today";
    assert_warned(TRADE("underlying: A, payoff: {kind: asian, option_type: call, strike: 1, "
                        "strike_type: percent_of_initial, averaging: {observations: [-0.5, 1]}}"),
                  part);
    assert_warned(TRADE("underlying: A, payoff: {kind: autocallable, initial_fixing: spot, calls: "
                        "[-0.5, 1], coupon: 0.02, barrier: 2, protection: 0.6}"),
                  part);
    release_book(NULL);
    load_good(TRADE("underlying: A, payoff: {kind: autocallable, initial_fixing: 95, calls: "
                    "[-0.5, 1], coupon: 0.02, barrier: 2, protection: 0.6}"));
}

static void test_returns_that_differ_from_annualisation_are_warned_of(void **state)
{
    static const char *const kinds[] = {"variance_swap", "volatility_swap", "gamma_swap"};
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        char text[2048];
        snprintf(text, sizeof text, VARIANCE("%s", "observations: {frequency: 1M}"), kinds[i]);
        assert_warned(text, "annualisation is 252, but 'observations' has about 12 returns a year");
    }
    assert_warned(VARIANCE("variance_swap", "observations: {frequency: 1W}"),
                  "Write annualisation: 52.");
    assert_warned(VARIANCE("variance_swap", "observations: {frequency: 1D}"),
                  "Write annualisation: 365.");
    assert_warned(VARIANCE("variance_swap", "observations: {count: 52}, annualisation: 12"),
                  "Write annualisation: 52.");
    assert_warned(VARIANCE("corridor_variance_swap", "observations: [2027-11-20], lower: 0.8, "
                                                     "upper: 1.2"),
                  "Write annualisation: 1.");
}

/* 365 days are 52.14 weeks, and a year of weekdays has 261 of them; a week of them has five
 * returns. */
static void test_returns_near_annualisation_are_not_warned_of(void **state)
{
    static const char *const observations[] = {
        "{frequency: 1W}, annualisation: 52",
        "{frequency: 1M}, annualisation: 12",
        "{frequency: 1D, end: 2027-11-19, calendars: [WEEKENDS], roll: following}",
        "[2026-11-23, 2026-11-24, 2026-11-25, 2026-11-26, 2026-11-27]",
        "{count: 252}",
        "[2027-11-20], initial_fixing: 99"};
    (void)state;
    for (size_t i = 0; i < sizeof observations / sizeof *observations; ++i) {
        char text[2048];
        snprintf(text, sizeof text, VARIANCE("variance_swap", "observations: %s"), observations[i]);
        (void)load_good(text);
        release_book(NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOOK_TEST(test_trade_defaults),
        BOOK_TEST(test_trade_scale_is_signed),
        BOOK_TEST(test_trade_notional_of_a_digital),
        BOOK_TEST(test_trade_notional_with_absolute_strike_is_refused),
        BOOK_TEST(test_trade_basket_weights),
        BOOK_TEST(test_trade_percent_of_initial_divides_by_the_fixing),
        BOOK_TEST(test_trade_geometric_basket_keeps_weights_as_exponents),
        BOOK_TEST(test_trade_several_underlyings_need_an_aggregate),
        BOOK_TEST(test_trade_payment_lag_in_years),
        BOOK_TEST(test_trade_payment_lag_in_business_days),
        BOOK_TEST(test_trade_without_model_takes_the_only_one),
        BOOK_TEST(test_trade_quanto_needs_a_rate),
        BOOK_TEST(test_trade_american_is_unsupported),
        BOOK_TEST(test_schedule_count),
        BOOK_TEST(test_schedule_count_with_start),
        BOOK_TEST(test_schedule_past_fixings_enter_the_sum),
        BOOK_TEST(test_schedule_missing_fixings_are_listed),
        BOOK_TEST(test_trade_that_has_begun_needs_its_initial_level),
        BOOK_TEST(test_averaging_reads_its_former_key),
        BOOK_TEST(test_schedule_today),
        BOOK_TEST(test_schedule_frequency_rolls),
        BOOK_TEST(test_schedule_of_one_date),
        BOOK_TEST(test_schedule_after_expiry_is_refused),
        BOOK_TEST(test_schedule_frequency_in_years_is_refused),
        BOOK_TEST(test_times_do_not_mix),
        BOOK_TEST(test_spot_beyond_a_barrier_on_dates_is_no_touch),
        BOOK_TEST(test_barrier_past_touch_knocks),
        BOOK_TEST(test_barrier_observed_today_is_priced),
        BOOK_TEST(test_barrier_continuous_takes_a_window_not_dates),
        BOOK_TEST(test_stray_key_beside_a_kind_that_is_a_list_is_refused),
        BOOK_TEST(test_barrier_continuous_in_an_unknown_currency_is_refused),
        BOOK_TEST(test_barrier_continuous_has_nodes_where_things_change),
        BOOK_TEST(test_returns_that_differ_from_annualisation_are_warned_of),
        BOOK_TEST(test_returns_near_annualisation_are_not_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
