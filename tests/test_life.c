/* test_life.c: a phoenix of three years, valued day by day from its fixings. The market is certain
 * (a volatility of 1e-8, and forwards equal to spots), so that every value is known: what is still
 * to come, discounted. On every day that is taken, the value and what has been paid, put by at the
 * rate, are what they were the day before, unless the spot moved. With a market that is not
 * certain: the fixing of a day, taken at its spot, changes nothing. What a day pays is part of the
 * value until the day is over.
 *
 * The days: each business day of three years under a plain build, every 21st under a sanitizer, and
 * always those around coupons, the knock-in, the call, the last ones and those of the payment lag.
 */
#include "engine/base/date.h"
#include "tests/priced.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIFE_DAYS = 757, LIFE_LAG = 2 };
enum { LIFE_SOME = 21, LIFE_TEXT = 1 << 18 };
enum { LIFE_EACH = LEVY_TEST_FULL ? 1 : 5 + 16 * LEVY_SANITIZED };

static const double life_rate = 0.03, life_coupon = 0.02, life_coupon_barrier = 0.7,
                    life_call_barrier = 1.0, life_knock_in = 0.6;

/* Business days from the first to expiry and on to the payment; a coupon each 63rd. */
typedef struct life {
    levy_date days[LIFE_DAYS + LIFE_LAG];
    double levels[LIFE_DAYS]; /* as fractions of the initial fixing, 100 */
    char text[LIFE_TEXT];
} life;

static size_t life_append(char *text, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static size_t life_append(char *text, size_t at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(text + at, LIFE_TEXT - at, format, arguments);
    va_end(arguments);
    assert_true(n >= 0 && at + (size_t)n < LIFE_TEXT);
    return at + (size_t)n;
}

static void life_days(life *l)
{
    static const levy_calendar weekends = {.name = "WEEKENDS", .weekend = 0x60};
    const levy_calendar *const all[] = {&weekends};
    assert_true(levy_date_from_civil(2024, 1, 5, &l->days[0]));
    for (size_t k = 1; k < LIFE_DAYS + LIFE_LAG; ++k)
        l->days[k] = levy_date_add_business_days(l->days[k - 1], 1, all, 1);
}

static bool life_is_coupon(size_t day) { return day > 0 && day % 63 == 0; }

static size_t life_dates(const life *l, size_t at, char *text, size_t step)
{
    for (size_t k = step; k < LIFE_DAYS; k += step) {
        char date[11];
        levy_date_write(l->days[k], date);
        at = life_append(text, at, "%s%s", k > step ? ", " : "[", date);
    }
    return life_append(text, at, "]");
}

/* The book on a day. The spot is the level of that day, or of the last one; `fixed`: that day has
 * its fixing. */
static void life_write(life *l, size_t day, bool fixed, const char *volatility, double yield)
{
    const size_t last = day < LIFE_DAYS ? day : LIFE_DAYS - 1;
    char date[11];
    size_t at = 0;
    levy_date_write(l->days[day], date);
    at = life_append(
        l->text, at,
        "schema_version: 1\nvaluation_date: %s\nmarket:\n  curves: {USD: %g}\n  assets:\n"
        "    A: {currency: USD, spot: %.17g, dividend_yield: %g, volatility: %s, fixings: [",
        date, life_rate, 100.0 * l->levels[last], yield, volatility);
    for (size_t k = 0; k < LIFE_DAYS && k < day + fixed; ++k) {
        levy_date_write(l->days[k], date);
        at = life_append(l->text, at, "%s[%s, %.17g]", k ? ", " : "", date, 100.0 * l->levels[k]);
    }
    at = life_append(
        l->text, at,
        "]}\nmodels: {equity: {kind: black_scholes, assets: [A]}}\ntrades:\n"
        "  - id: phoenix\n    underlying: A\n    notional: 1\n    payment_lag: %dD\n"
        "    calendars: [WEEKENDS]\n    payoff:\n      kind: phoenix\n      observations: ",
        LIFE_LAG);
    at = life_dates(l, at, l->text, 63);
    at = life_append(l->text, at, "\n      knock_in: ");
    at = life_dates(l, at, l->text, 1);
    levy_date_write(l->days[LIFE_DAYS - 1], date);
    life_append(l->text, at,
                "\n      initial_fixing: 100\n      coupon: %g\n      coupon_barrier: %g\n"
                "      call_barrier: %g\n      knock_in_barrier: %g\n"
                "    exercise: {style: european, expiry: %s}\n"
                "simulation: {paths: 2^6, replicates: 4, seed: 7}\n",
                life_coupon, life_coupon_barrier, life_call_barrier, life_knock_in, date);
}

static double life_value(life *l, size_t day, bool fixed, const char *volatility, double yield)
{
    levy_price_options options = {.struct_size = sizeof options, .device = "cpu", .threads = 1};
    life_write(l, day, fixed, volatility, yield);
    priced p = price_alone(l->text, NULL, 0, &options);
    assert_priced(&p);
    const levy_trade_result *const trade = levy_results_trade(p.results, 0);
    if (strcmp(trade->status, "ok") != 0) fail_msg("day %zu is %s", day, trade->status);
    const double price = trade->price;
    release(&p);
    return price;
}

/* ---- What the note pays, from its definition ---- */

typedef struct life_note {
    double missed;
    bool hit, ended;
} life_note;

/* What is paid on a day with this level; the redemption at expiry is not. */
static double life_pays(life_note *note, size_t day, double level)
{
    double paid = 0.0;
    if (note->ended) return 0.0;
    if (day > 0 && level < life_knock_in) note->hit = true;
    if (!life_is_coupon(day)) return 0.0;
    note->missed += life_coupon;
    if (level >= life_coupon_barrier) {
        paid = note->missed;
        note->missed = 0.0;
    }
    if (level >= life_call_barrier) {
        paid += 1.0;
        note->ended = true;
    }
    return paid;
}

static double life_years(const life *l, size_t from, size_t to)
{
    return (double)(l->days[to] - l->days[from]) / 365.0;
}

/* The value on a day if the level stays: all that is paid from `next` on. */
static double life_known(const life *l, life_note note, size_t day, size_t next)
{
    const double level = l->levels[day < LIFE_DAYS ? day : LIFE_DAYS - 1];
    double value = 0.0;
    for (size_t k = next; k < LIFE_DAYS; ++k)
        value += life_pays(&note, k, level) * exp(-life_rate * life_years(l, day, k));
    if (note.ended) return value;
    const double repaid = note.hit && level < 1.0 ? level : 1.0;
    return value + repaid * exp(-life_rate * life_years(l, day, LIFE_DAYS - 1 + LIFE_LAG));
}

/* ---- A certain market ---- */

/* Days that are always taken: the first and the last ones, and each beside a coupon or a move. */
static bool life_takes(const life *l, size_t day, size_t every)
{
    if (day % every == 0 || day + 4 > LIFE_DAYS) return true;
    return life_is_coupon(day) || life_is_coupon(day + 1) || life_is_coupon(day - 1) ||
           l->levels[day] != l->levels[day - 1] || l->levels[day + 1] != l->levels[day];
}

/* The volatility of 1e-8 leaves the price that much to say. */
static void life_holds(double got, double wanted, size_t day, const char *when)
{
    if (!(fabs(got - wanted) <= 2e-7))
        fail_msg("day %zu %s its fixing: %.12g, not %.12g", day, when, got, wanted);
}

/* Values on all days that are taken, before and after their fixing. */
static void life_runs(life *l, double last, size_t every)
{
    life_note note = {0};
    double cash = 0.0, sum = NAN; /* what has been paid, at the rate; with the value */
    for (size_t day = 0; day < LIFE_DAYS; ++day) {
        const bool moved = day > 0 && l->levels[day] != l->levels[day - 1];
        if (day > 0) cash *= exp(life_rate * life_years(l, day - 1, day));
        if (day > 0) sum *= exp(life_rate * life_years(l, day - 1, day));
        if (life_takes(l, day, every)) {
            const double value = life_value(l, day, false, "1e-8", life_rate);
            life_holds(value, life_known(l, note, day, day), day, "before");
            if (day > 0 && !moved) life_holds(value + cash, sum, day, "before");
        }
        const double paid = life_pays(&note, day, l->levels[day]);
        sum = life_known(l, note, day, day + 1) + paid + cash;
        if (life_takes(l, day, every))
            life_holds(life_value(l, day, true, "1e-8", life_rate) + cash, sum, day, "after");
        cash += paid;
    }
    for (size_t day = LIFE_DAYS; day < LIFE_DAYS + LIFE_LAG; ++day)
        life_holds(life_value(l, day, true, "1e-8", life_rate),
                   note.ended
                       ? 0.0
                       : last * exp(-life_rate * life_years(l, day, LIFE_DAYS - 1 + LIFE_LAG)),
                   day, "after");
}

static life *life_new(double level)
{
    life *const l = calloc(1, sizeof *l);
    assert_non_null(l);
    life_days(l);
    for (size_t k = 0; k < LIFE_DAYS; ++k) l->levels[k] = level;
    return l;
}

/* Every coupon is paid, and the notional. */
static void test_a_level_that_stays(void **state)
{
    (void)state;
    life *const l = life_new(0.8);
    life_runs(l, 1.0, LIFE_SOME);
    free(l);
}

/* Four coupons are missed and then paid at once; a day below the knock-in costs a fifth. */
static void test_missed_coupons_and_a_knock_in(void **state)
{
    (void)state;
    life *const l = life_new(0.8);
    for (size_t k = 100; k < 340; ++k) l->levels[k] = 0.65;
    l->levels[500] = 0.59;
    life_runs(l, 0.8, LIFE_EACH);
    free(l);
}

/* The eighth coupon comes with the notional, and the note is worth nothing from then on. */
static void test_a_call(void **state)
{
    (void)state;
    life *const l = life_new(0.8);
    for (size_t k = 503; k < LIFE_DAYS; ++k) l->levels[k] = 1.01;
    life_runs(l, 0.0, LIFE_SOME);
    free(l);
}

/* ---- A market that is not certain ---- */

/* A walk that is given, of about 1 % up or down a day: six coupons, one with two that were missed,
 * and later a knock-in. */
static void life_walk(life *l)
{
    uint64_t bits = 26;
    for (size_t k = 1; k < LIFE_DAYS; ++k) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        l->levels[k] = l->levels[k - 1] * (bits >> 63 ? 1.01 : 1.0 / 1.0115);
    }
}

static void test_a_fixing_at_the_spot_changes_nothing(void **state)
{
    (void)state;
    life *const l = life_new(0.9);
    life_note note = {0};
    size_t coupons = 0;
    life_walk(l);
    for (size_t day = 0; day < LIFE_DAYS; ++day) {
        const bool was_hit = note.hit;
        const double paid = life_pays(&note, day, l->levels[day]);
        if (!life_is_coupon(day) && day % 40 != 1 && note.hit == was_hit) continue;
        const double before = life_value(l, day, false, "0.25", 0.01),
                     after = life_value(l, day, true, "0.25", 0.01);
        if (!(fabs(before - after) <= 1e-12))
            fail_msg("day %zu: %.15g before, %.15g after its fixing", day, before, after);
        coupons += paid > 0.0;
        if (note.ended) break;
    }
    assert_int_equal(coupons, 6);
    assert_true(note.hit);
    free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_level_that_stays),
                                       cmocka_unit_test(test_missed_coupons_and_a_knock_in),
                                       cmocka_unit_test(test_a_call),
                                       cmocka_unit_test(test_a_fixing_at_the_spot_changes_nothing)};
    return cmocka_run_group_tests_name("life", tests, NULL, NULL);
}
