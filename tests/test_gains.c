/* test_gains.c: a known level that equals its strike in decimals gains nothing (docs/contract.md,
 * section 6), whatever rounding leaves of the difference: calls and puts, of per cent and as
 * quoted, to the bit. */
#include "tests/cmocka_all.h"

#include "tests/ties_case.h"

enum {
    NO_STRIKE,
    OF_AVERAGE,
    OF_LAST,
    OF_MOST,
    OF_LEVEL,
    OF_RETURN,
    OF_MEAN,
    OF_APART,
    OF_SUM,
    STRIKES
};

/* Options that expired on the last date. A has three levels, B one, and C began at its initial. */
static const struct gain {
    const char *assets, *payoff; /* with its strike, if it has one */
    int strike;
    int quoted; /* 1: its level is none of per cent */
} gains[] = {
    {"A", "kind: european, strike: %s", OF_LAST, 1},
    {"A", "kind: european, strike: %s", OF_LAST, 0},
    {"A", "kind: asian, strike: %s, averaging: {observations: " DATES "}", OF_AVERAGE, 1},
    {"A", "kind: asian, strike: %s, averaging: {observations: " DATES "}", OF_AVERAGE, 0},
    {"B", "kind: asian, strike: %s, averaging: {method: geometric, observations: " DATES "}",
     OF_LEVEL, 0},
    {"B", "kind: asian, averaging: {of: strike, observations: " DATES "}", NO_STRIKE, 1},
    {"A", "kind: lookback, strike: %s, lookback: {strike: fixed, observations: " DATES "}", OF_MOST,
     0},
    {"B", "kind: lookback, lookback: {strike: floating, observations: " DATES "}", NO_STRIKE, 1},
    {"C", "kind: forward_start, reset: 2026-10-20, strike_fraction: %s", OF_RETURN, 1},
    {"C", "kind: forward_start, reset: 2026-10-20, form: performance, strike_fraction: %s",
     OF_RETURN, 1},
    {"C", "kind: cliquet, global_floor: 0, observations: " DATES, OF_SUM, 1},
    {"BC", "kind: spread, strike: %s", OF_APART, 0},
    {"ABC", "kind: european, aggregate: basket, strike: %s", OF_MEAN, 0}};

/* A level that equals its strike gains nothing, neither for a call nor for a put. */
static void add_gain(int k, const struct gain *g, bool put, const int *percents, const int *cents)
{
    static const char *const types[] = {"option_type: call, ", "option_type: put, ", ""};
    const char *const a = g->assets;
    TRADE("  - {id: t%zu, model: m%d, exercise: 2026-10-22, payment_date: 2026-12-22, underlyings: "
          "[",
          book.count, k);
    for (int i = 0; a[i]; ++i) TRADE("%s%c%d", i ? ", " : "", a[i], k);
    TRADE("], payoff: {%s", types[g->strike == OF_SUM ? 2 : put]);
    TRADE(g->payoff, level_text(percents[g->strike], g->quoted && a[0] == 'A' ? cents[0] : 100));
    for (int i = 0; !g->quoted && a[i]; ++i)
        TRADE("%s%s", i ? ", " : ", strike_type: percent_of_initial, initial_fixing: [",
              level_text(100, cents[a[i] - 'A']));
    TRADE(g->quoted ? "}}\n" : "]}}\n");
    ends_trade(0.0);
}

static void add_gains(int k, bool put)
{
    const int mean = 95 + draw(0, 20), c[PARTS] = {100, 90, 99};
    int cents[PARTS], a[PARTS];
    for (int i = 0; i < PARTS; ++i) cents[i] = draw(1000, 29999);
    draw_percents(mean, a);
    const int b = 3 * mean - a[2] - c[2], every[PARTS] = {b, b, b};
    int most = put == (a[1] < a[0]) ? a[1] : a[0];
    most = put == (a[2] < most) ? a[2] : most;
    const int strikes[STRIKES] = {0, mean, a[2], most, b, c[2], mean, b - c[2], 0};
    add_asset("A", k, cents[0], a, 100);
    add_asset("B", k, cents[1], every, 100);
    add_asset("C", k, cents[2], c, 100);
    PAIR("%s[A%d.spot, B%d.spot, 0], [A%d.spot, C%d.spot, 0], [B%d.spot, C%d.spot, 0]",
         k ? ", " : "", k, k, k, k, k, k);
    MODEL("  m%d: {kind: black_scholes, assets: [A%d, B%d, C%d]}\n", k, k, k, k);
    for (size_t i = 0; i < sizeof gains / sizeof *gains; ++i)
        add_gain(k, &gains[i], put, strikes, cents);
}

static void test_gains_at_a_strike(void **state)
{
    (void)state;
    open_book(17);
    for (int k = 0; k < 2 * GROUPS; ++k) add_gains(k, k % 2);
    assert_int_equal(count_wrong("", NULL, 0.0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gains_at_a_strike)};
    return cmocka_run_group_tests(tests, open_texts, close_texts);
}
