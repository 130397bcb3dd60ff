/* test_ties.c: a known level that equals a number of the file in decimals equals it when priced
 * (docs/contract.md, section 13), whatever rounding makes of fixing x (1 / initial), of an average,
 * a basket, a worst-of or a best-of. Books are made by seed. What is right is arithmetic on
 * decimals: "at or above" and "at or below" hold, "above" and "below" do not. */
#include "tests/cmocka_all.h"

#include "tests/ties_case.h"

/* ---- One fixing at a barrier ---- */

static const int barriers[] = {55, 60, 65, 70, 75, 80, 85, 90, 95, 105, 110};
enum { BARRIERS = sizeof barriers / sizeof *barriers, FIXINGS = 20 };

#define AT(payoff, ...)                                                                            \
    TRADE("  - {id: t%zu, model: m%d, " payoff                                                     \
          ", initial_fixing: %d.%02d}, exercise: 2026-12-18, "                                     \
          "payment_date: 2026-12-22}\n",                                                           \
          book.count, __VA_ARGS__, cents / 100, cents % 100)

/* Six kinds whose past fixing is `percent` of an initial fixing in cents, to the cent. */
static void add_fixing(int k, int percent, int cents)
{
    const int level = cents * percent / 100;
    ASSET("    A%d: {currency: USD, spot: %d.%02d, volatility: 0.2, fixings: [[2026-10-20, "
          "%d.%02d]]}\n",
          k, cents / 100, cents % 100, level / 100, level % 100);
    MODEL("  m%d: {kind: black_scholes, assets: [A%d]}\n", k, k);
    AT("underlying: A%d, notional: 1, payoff: {kind: touch, cash: 1, strike_type: "
       "percent_of_initial, barrier: {direction: %s, level: %d.%02d, observations: [2026-10-20]}",
       k, k, percent > 100 ? "up" : "down", percent / 100, percent % 100);
    ends_trade(1.0);
    AT("underlyings: [A%d], notional: 1, payoff: {kind: phoenix, observations: {times: "
       "[2026-10-20], payment_lag: 2M}, coupon: 1, coupon_barrier: %d.%02d, call_barrier: 9, "
       "knock_in: [2026-10-20], knock_in_barrier: 0",
       k, k, percent / 100, percent % 100);
    ends_trade(2.0);
    AT("underlyings: [A%d], notional: 1, payoff: {kind: reverse_convertible, coupon: 0, knock_in: "
       "[2026-10-20], barrier: %d.%02d, strike: 2",
       k, k, percent / 100, percent % 100);
    ends_trade(1.0);
    AT("underlyings: [A%d], notional: 1, payoff: {kind: range_accrual, observations: [2026-10-20], "
       "lower: %d.%02d, upper: 5, coupon: 1",
       k, k, percent / 100, percent % 100);
    ends_trade(1.0);
    AT("underlyings: [A%d], notional: 1, payoff: {kind: autocallable, calls: {times: [2026-10-20], "
       "payment_lag: 2M}, barrier: %d.%02d, coupon: 1, protection: 0",
       k, k, percent / 100, percent % 100);
    ends_trade(2.0);
    AT("underlyings: [A%d], notional: 1, payoff: {kind: altiplano, observations: [2026-10-20], "
       "barrier: %d.%02d, coupon: 1, participation: 0",
       k, k, percent / 100, percent % 100);
    ends_trade(0.0);
}

static void test_fixings_at_a_barrier(void **state)
{
    (void)state;
    int k = 0;
    open_book(7);
    for (int b = 0; b < BARRIERS; ++b)
        for (int i = 0; i < FIXINGS; ++k, ++i) {
            int cents = draw(1000, 29999);
            while (cents * barriers[b] % 100 != 0) ++cents;
            add_fixing(k, barriers[b], cents);
        }
    assert_int_equal(count_wrong("", NULL, 1e-9), 0);
}

/* ---- Averages, baskets, worst-ofs, best-ofs ---- */

#define CASE(right, payoff, ...)                                                                   \
    do {                                                                                           \
        TRADE("  - {id: t%zu, model: m%d, notional: 1, " payoff "}\n", book.count, k,              \
              __VA_ARGS__);                                                                        \
        ends_trade(right);                                                                         \
    } while (0)
#define LATER "exercise: 2026-12-18"
#define ALL3 "underlyings: [A%d, B%d, C%d]"

/* Ten trades on levels whose average over dates, mean, least or largest is `mean` per cent. */
static void add_group(int k)
{
    const int mean = 60 + 5 * draw(0, 12), whole = mean / 100, part = mean % 100;
    int cents[PARTS], a[PARTS], b[PARTS], c[PARTS], at[PARTS];
    for (int i = 0; i < PARTS; ++i) cents[i] = draw(1000, 29999);
    draw_percents(mean, a); /* over dates, and over assets on the first one */
    draw_percents(mean, at);
    const int more = draw(1, 20);
    b[0] = a[1], c[0] = a[2];
    b[1] = mean + more, c[1] = mean + more, a[1] = mean, a[2] = 3 * mean - a[0] - mean;
    b[2] = c[2] = mean;
    add_asset("A", k, cents[0], a, at[0]);
    add_asset("B", k, cents[1], b, at[1]);
    add_asset("C", k, cents[2], c, at[2]);
    PAIR("%s[A%d.spot, B%d.spot, 0], [A%d.spot, C%d.spot, 0], [B%d.spot, C%d.spot, 0]",
         k ? ", " : "", k, k, k, k, k, k);
    MODEL("  m%d: {kind: black_scholes, assets: [A%d, B%d, C%d]}\n", k, k, k, k);
#define OF cents[0] / 100, cents[0] % 100
#define OF3                                                                                        \
    cents[0] / 100, cents[0] % 100, cents[1] / 100, cents[1] % 100, cents[2] / 100, cents[2] % 100
#define INITIAL "initial_fixing: %d.%02d"
#define INITIAL3 "initial_fixing: [%d.%02d, %d.%02d, %d.%02d]"
    for (int put = 0; put < 2; ++put) /* neither is above nor below */
        CASE(0.0,
             "underlying: A%d, payoff: {kind: asian, payout: cash, option_type: %s, strike: "
             "%d.%02d, strike_type: percent_of_initial, averaging: {observations: " DATES
             "}, " INITIAL "}, " LATER,
             k, put ? "put" : "call", whole, part, OF);
    CASE(5.0,
         "underlyings: [A%d], payoff: {kind: script, levels: percent_of_initial, schedules: "
         "{d: " DATES
         "}, parameters: {b: %d.%02d}, script: \"var total = 0; at d { total += level }; at "
         "expiry { let m = total / 3; pay (1 if m >= b else 0) + (2 if m > b else 0) + (4 if m <= "
         "b else 0) + (8 if m < b else 0) }\", " INITIAL "}, " LATER,
         k, whole, part, OF);
    CASE(1.0,
         ALL3 ", payoff: {kind: touch, aggregate: basket, strike_type: percent_of_initial, "
              "barrier: {direction: up, level: %d.%02d, observations: [2026-10-20, "
              "2026-12-18]}, " INITIAL3 "}, " LATER,
         k, k, k, whole, part, OF3);
    CASE(1.0,
         ALL3 ", payoff: {kind: touch, aggregate: worst_of, strike_type: percent_of_initial, "
              "barrier: {direction: down, level: %d.%02d, observations: [2026-10-21, "
              "2026-12-18]}, " INITIAL3 "}, " LATER,
         k, k, k, whole, part, OF3);
    CASE(5.0,
         ALL3
         ", payoff: {kind: script, levels: percent_of_initial, schedules: {d: "
         "[2026-10-20]}, parameters: {b: %d.%02d}, script: \"at d { let m = mean(levels) - b; pay "
         "(1 if m >= 0 else 0) + (2 if m > 0 else 0) + (4 if m <= 0 else 0) + (8 if m < 0 else 0) "
         "at expiry }\", " INITIAL3 "}, " LATER,
         k, k, k, whole, part, OF3);
    CASE(5.0,
         ALL3
         ", payoff: {kind: script, levels: percent_of_initial, schedules: {d: "
         "[2026-10-21, 2026-12-18]}, parameters: {b: %d.%02d}, script: \"var m = 9; at d { m = "
         "min(m, worst(levels)) if number < 2 else m }; at expiry { pay (1 if m >= b else 0) + (2 "
         "if m > b else 0) + (4 if m <= b else 0) + (8 if m < b and best(levels) > 0 else 0) "
         "}\", " INITIAL3 "}, " LATER,
         k, k, k, whole, part, OF3);
    for (int put = 0; put < 2; ++put) /* exercise today, at spots */
        CASE(0.0,
             ALL3 ", payoff: {kind: digital, aggregate: basket, option_type: %s, strike: "
                  "%d.%02d, strike_type: percent_of_initial, " INITIAL3 "}, exercise: 2026-11-20",
             k, k, k, put ? "put" : "call", whole, part, OF3);
    CASE(1.0,
         ALL3
         ", payoff: {kind: barrier, aggregate: basket, option_type: put, strike: 9, "
         "payout: cash, strike_type: percent_of_initial, barrier: {direction: down, knock: in, "
         "level: %d.%02d, observations: {count: 3, include_start: true}}, " INITIAL3 "}, " LATER,
         k, k, k, whole, part, OF3);
}

static void test_averages_and_baskets_at_a_number(void **state)
{
    static const char *const settings[] = {"", ", smoothing: none", ", precision: single"};
    (void)state;
    for (size_t s = 0; s < sizeof settings / sizeof *settings; ++s) {
        open_book(11);
        for (int k = 0; k < GROUPS; ++k) add_group(k);
        assert_int_equal(book.count, 10 * GROUPS);
        assert_int_equal(count_wrong(settings[s], NULL, s == 2 ? 1e-6 : 1e-9), 0);
    }
}

/* ---- Struck today ---- */

static const char *const struck[] = {
    "underlying: %s, payoff: {kind: touch, strike_type: percent_of_initial, barrier: {direction: "
    "up, level: 1, observations: {count: 4, include_start: true}}}",
    "underlying: %s, payoff: {kind: touch, pay: at_hit, strike_type: percent_of_initial, barrier: "
    "{direction: down, level: 1, observations: {count: 4, include_start: true}}}",
    "underlying: %s, payoff: {kind: touch, pays: if_untouched, strike_type: percent_of_initial, "
    "barrier: {lower: 0.8, upper: 1.0, observations: {count: 4, include_start: true}}}",
    "underlying: %s, payoff: {kind: barrier, option_type: put, strike: 1, strike_type: "
    "percent_of_initial, barrier: {direction: down, knock: in, level: 1, observations: {count: 4, "
    "include_start: true}}}",
    "underlying: %s, payoff: {kind: barrier, option_type: call, strike: 0.9, rebate: 0.1, "
    "strike_type: percent_of_initial, barrier: {direction: up, knock: out, level: 1, monitoring: "
    "continuous}}",
    "underlying: %s, payoff: {kind: asian, payout: cash, option_type: put, strike: 1, strike_type: "
    "percent_of_initial, averaging: {observations: {count: 4, include_start: true}}}",
    "underlyings: [%s], payoff: {kind: digital_coupon_note, coupons: {count: 4, include_start: "
    "true, payment_lag: 1M}, coupon: 0.1, barrier: 1}",
    "underlyings: [%s], payoff: {kind: range_accrual, observations: {count: 4, include_start: "
    "true}, lower: 1, upper: 1.3, coupon: 0.1}",
    "underlyings: [%s], payoff: {kind: autocallable, calls: {count: 4, include_start: true}, "
    "barrier: 1, coupon: 0.02, protection: 0.6}",
    "underlyings: [%s], payoff: {kind: phoenix, observations: {count: 4, include_start: true}, "
    "coupon: 0.02, coupon_barrier: 1, call_barrier: 1.2, knock_in_barrier: 0.6}",
    "underlyings: [%s], payoff: {kind: reverse_convertible, knock_in: {count: 4, include_start: "
    "true}, barrier: 1, coupon: 0.05}",
    "underlyings: [%s], payoff: {kind: altiplano, observations: {count: 4, include_start: true}, "
    "barrier: 1, coupon: 0.3, participation: 1}",
    "underlyings: [%s], payoff: {kind: script, levels: percent_of_initial, schedules: {d: {count: "
    "4, include_start: true}}, script: \"at d { pay 1 if level - 1 >= 0 else 0 }\"}",
    "underlyings: [%s], payoff: {kind: script, levels: percent_of_initial, schedules: {d: {count: "
    "4, include_start: true}}, script: \"at d { if level > 1 { pay 1; stop } }\"}",
    "underlyings: [%s], payoff: {kind: script, levels: percent_of_initial, schedules: {d: {count: "
    "4, include_start: true}}, script: \"at d { pay 1 if log(level) < 0 else 0 }\"}",
};
enum { STRUCK = sizeof struck / sizeof *struck, STRUCK_TRADES = 1000, TENOR = 28 };

static void add_struck(int k, int kind)
{
    char asset[16], payoff[1024];
    snprintf(asset, sizeof asset, "A%d", k);
    snprintf(payoff, sizeof payoff, struck[kind], asset);
    TRADE("  - {id: s%d-%d, model: m%d, notional: 1, %s, exercise: 2027-11-19, payment_date: "
          "2027-12-20}\n",
          kind, k, k, payoff);
    ends_trade(NAN);
}

static void add_spot(int k, int cents)
{
    ASSET("    A%d: {currency: USD, spot: %d.%02d, volatility: 0.2}\n", k, cents / 100,
          cents % 100);
    MODEL("  m%d: {kind: black_scholes, assets: [A%d]}\n", k, k);
}

/* The prices at a spot of 100, which the first trades have; NaN ones are found by this. */
static void price_at_hundred(double *prices)
{
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    char *const text = malloc(1 << 16);
    levy_book *loaded;
    levy_results *results;
    assert_non_null(text);
    open_book(1);
    add_spot(0, 10000);
    for (int kind = 0; kind < STRUCK; ++kind) add_struck(0, kind);
    snprintf(text, 1 << 16,
             "schema_version: 1\nvaluation_date: 2026-11-20\nsimulation: {paths: 2^8}\n"
             "market:\n  curves: {USD: 0}\n  assets:\n%smodels:\n%strades:\n%s",
             book.assets, book.models, book.trades);
    if (levy_book_load_text(context, "at 100", text, strlen(text), NULL, 0, &loaded) !=
        LEVY_STATUS_OK)
        fail_msg("%s", levy_diagnostic_get(context, 0)->text);
    assert_int_equal(levy_price(loaded, &options, &results), LEVY_STATUS_OK);
    for (int kind = 0; kind < STRUCK; ++kind) {
        const levy_trade_result *const trade = levy_results_trade(results, (size_t)kind);
        assert_string_equal(trade->status, "ok");
        prices[kind] = trade->price;
    }
    levy_results_destroy(results);
    levy_book_destroy(loaded);
    free(text);
}

static void test_struck_today_at_any_spot(void **state)
{
    double prices[STRUCK];
    (void)state;
    price_at_hundred(prices);
    assert_true(fabs(prices[0] - 1.0) < 1e-12); /* touched today */
    assert_true(fabs(prices[1] - 1.0) < 1e-12);
    assert_true(prices[2] == 0.0);
    assert_true(prices[12] >= 1.0); /* and paid today, beside what later dates pay */
    open_book(3);
    for (int k = 0; k < STRUCK_TRADES; ++k) {
        add_spot(k, draw(100, 99999));
        add_struck(k, k % STRUCK);
        book.right[k] = prices[k % STRUCK];
    }
    assert_int_equal(count_wrong("", NULL, 1e-9), 0);
}

/* ---- Moved onto a number ---- */

/* Spots by seed, and a scenario that moves each by 10 per cent onto a number of its trades. */
static const char *const moved[] = {
    "underlying: %s, payoff: {kind: touch, pay: at_hit, strike_type: percent_of_initial, barrier: "
    "{direction: up, level: 1.1, observations: {count: 2, include_start: true}}}",
    "underlying: %s, payoff: {kind: touch, pay: at_hit, strike_type: percent_of_initial, barrier: "
    "{lower: 0.5, upper: 1.1, monitoring: continuous}}",
    "underlyings: [%s], payoff: {kind: autocallable, calls: {count: 2, include_start: true}, "
    "barrier: 1.1, coupon: 0, protection: 0}",
    "underlyings: [%s], payoff: {kind: script, levels: percent_of_initial, schedules: {d: {count: "
    "1, start: 2026-11-20, end: 2026-11-21, include_start: true}}, script: \"at d { if number < 2 "
    "{ "
    "pay 1 if level - 1.1 >= 0 and not (level > 1.1) else 0 } }\"}"};
enum { MOVED = sizeof moved / sizeof *moved, MOVED_SPOTS = 100 };

static void test_scenarios_onto_a_number(void **state)
{
    static const char *const settings[] = {"", ", smoothing: none"};
    (void)state;
    for (size_t s = 0; s < sizeof settings / sizeof *settings; ++s) {
        char payoff[1024], asset[16];
        open_book(13);
        for (int k = 0; k < MOVED_SPOTS; ++k) {
            add_spot(k, draw(100, 99999));
            snprintf(asset, sizeof asset, "A%d", k);
            for (int kind = 0; kind < MOVED; ++kind) {
                snprintf(payoff, sizeof payoff, moved[kind], asset);
                TRADE("  - {id: t%zu, model: m%d, notional: 1, %s, exercise: 2027-11-19}\n",
                      book.count, k, payoff);
                ends_trade(1.0);
            }
        }
        TRADE("scenarios: [{id: up, shifts: [");
        for (int k = 0; k < MOVED_SPOTS; ++k)
            TRADE("%s{factor: A%d.spot, type: relative, size: 0.1}", k ? ", " : "", k);
        TRADE("]}]\n");
        assert_int_equal(count_wrong(settings[s], "up", 1e-9), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixings_at_a_barrier),
        cmocka_unit_test(test_averages_and_baskets_at_a_number),
        cmocka_unit_test(test_struck_today_at_any_spot),
        cmocka_unit_test(test_scenarios_onto_a_number),
    };
    return cmocka_run_group_tests(tests, open_texts, close_texts);
}
