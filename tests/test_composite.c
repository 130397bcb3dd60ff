/* test_composite.c: levels in another currency times its rate of exchange, through the public
 * interface: against assets whose numbers are worked out by hand, closed forms, scripts of both
 * factors, quotes and fixings. */
#include "tests/book_files.h"
#include "tests/normal_law.h"

#include <stdbool.h>

#define BOOKS LEVY_SOURCE_DIR "/tests/books/composite/"

static levy_book *load(const levy_source *sources, size_t n)
{
    levy_book *book;
    if (levy_book_load(context, sources, n, NULL, 0, &book) != LEVY_STATUS_OK)
        fail_msg("%s", levy_diagnostic_get(context, 0)->text);
    return book;
}

static levy_source text_of(const char *text)
{
    return (levy_source){.name = "trades", .text = text, .length = strlen(text)};
}

static void assert_near(double value, double other, double tolerance)
{
    if (!(fabs(value - other) <= tolerance)) fail_msg("%.17g, not %.17g", value, other);
}

/* ---- Assets by hand ---- */

/* The trades' text, in which no level is seen in another currency. */
static char *trades_by_hand(void)
{
    static const char word[] = "conversion: composite,";
    static char text[8192];
    FILE *const file = fopen(BOOKS "trades.yaml", "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    for (char *at = text; (at = strstr(at, word)) != NULL;) memset(at, ' ', sizeof word - 1);
    return text;
}

/* What a unit of an asset is in euros at today's rates. */
static double rate_of(const char *factor)
{
    if (factor[0] == 'A') return 0.8;
    return factor[0] == 'J' ? 0.00625 : 1.0;
}

static void test_products_are_assets(void **state)
{
    (void)state;
    const levy_source hand[] = {{.name = BOOKS "by_hand.yaml"}, text_of(trades_by_hand())};
    levy_results *const a = book_price_once(BOOKS "market.yaml", BOOKS "trades.yaml");
    levy_book *const book = load(hand, 2);
    levy_results *const b = book_price(book);
    size_t n = 0;
    for (size_t t = 0; t < levy_results_size(b); ++t) {
        const levy_trade_result *const x = levy_results_trade(b, t);
        assert_string_equal(x->status, "ok");
        for (size_t m = 0; m < x->n_measures; ++m, ++n) {
            const levy_measure *const it = &x->measures[m];
            double f = 1.0;
            if (!strcmp(it->measure, "delta")) f = rate_of(it->factor);
            if (!strcmp(it->measure, "gamma")) f = rate_of(it->factor) * rate_of(it->factor);
            const double other = book_value(a, t, it->measure, it->factor);
            if (!(fabs(f * it->value - other) <= 1e-8 * fabs(other) + 1e-15))
                fail_msg("%s %s %s: %.17g, not %.17g", x->id, it->measure, it->factor, other,
                         f * it->value);
        }
    }
    assert_true(n > 60);
    levy_results_destroy(a);
    levy_results_destroy(b);
    levy_book_destroy(book);
}

/* A product moves as far with either factor. */
static void test_rates_have_their_delta(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "market.yaml", BOOKS "trades.yaml");
    for (size_t t = 0; t < levy_results_size(r); ++t) {
        const levy_trade_result *const x = levy_results_trade(r, t);
        const bool dollars = strchr(x->underlying, 'A') != NULL,
                   yen = strchr(x->underlying, 'J') != NULL;
        if (dollars) {
            const double delta = book_value(r, t, "delta", "A.spot") * 100.0;
            const levy_measure *const m = book_measure(x, "delta", "EURUSD.spot");
            assert_near(m->value * 1.25, -delta, 0.1 * fabs(delta));
        }
        if (yen)
            assert_near(book_value(r, t, "delta", "JPYEUR.spot") * 0.00625,
                        book_value(r, t, "delta", "J.spot") * 16000.0,
                        1e-7 * fabs(book_value(r, t, "delta", "J.spot") * 16000.0));
    }
    levy_results_destroy(r);
}

static void test_products_jump_as_their_assets(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "jumps.yaml", NULL);
    for (size_t t = 0; t + 1 < levy_results_size(r); t += 2) {
        const double a = levy_results_trade(r, t)->price, b = levy_results_trade(r, t + 1)->price;
        assert_near(a, b, 1e-11 * b);
    }
    levy_results_destroy(r);
}

/* ---- Closed forms ---- */

/* A call of one year on A in euros, whose rate is quoted as the price of the euro. */
static double form_call(const double n[6])
{
    const double spot = n[0], rate = n[1], own = n[2], of_rate = n[3], rho = n[4], euro = n[5],
                 strike = 84.0, yield = 0.01;
    const double v = sqrt(own * own + of_rate * of_rate - 2.0 * rho * own * of_rate),
                 forward = spot / rate * exp(euro - yield), d = log(forward / strike) / v + 0.5 * v;
    return exp(-euro) * (forward * normal_cdf(d) - strike * normal_cdf(d - v));
}

static void test_a_call_has_its_form(void **state)
{
    (void)state;
    static const double today[] = {100.0, 1.25, 0.25, 0.1, 0.3, 0.02};
    static const char *const names[][2] = {{"delta", "A.spot"},
                                           {"delta", "EURUSD.spot"},
                                           {"vega", "A.volatility"},
                                           {"vega", "EURUSD.volatility"},
                                           {"correlation", "A.spot,EURUSD.spot"},
                                           {"rho", "EUR.rate"}};
    const levy_source sources[] = {
        {.name = BOOKS "market.yaml"},
        text_of("{schema_version: 1, simulation: {paths: 2^16}, measures: [delta, gamma, vega, "
                "correlation, rho, cross_gamma, dividend_rho, borrow_rho], trades: [{id: call, "
                "underlying: A, currency: "
                "EUR, conversion: composite, payoff: {kind: european, option_type: call, strike: "
                "84}, exercise: 1}]}")};
    levy_book *const book = load(sources, 2);
    levy_results *const r = book_price(book);
    const levy_trade_result *const call = levy_results_trade(r, 0);
    assert_near(call->price, form_call(today), 5.0 * call->std_error);
    for (size_t i = 0; i < 6; ++i) {
        double up[6], down[6];
        memcpy(up, today, sizeof up);
        memcpy(down, today, sizeof down);
        const double h = 1e-5 * today[i];
        up[i] += h;
        down[i] -= h;
        const levy_measure *const m = book_measure(call, names[i][0], names[i][1]);
        assert_near(m->value, (form_call(up) - form_call(down)) / (2.0 * h), 5.0 * m->std_error);
    }
    /* d2/dS dX of a function of S / X */
    const double delta = book_value(r, 0, "delta", "A.spot"),
                 gamma = book_value(r, 0, "gamma", "A.spot");
    const levy_measure *const crossed = book_measure(call, "cross_gamma", "A.spot,EURUSD.spot");
    assert_near(crossed->value, -(delta + 100.0 * gamma) / 1.25, 6.0 * crossed->std_error);
    /* what the rate grows by less, the level grows by more */
    const levy_measure *const yield = book_measure(call, "dividend_rho", "EURUSD.dividend_yield");
    assert_near(yield->value, 100.0 * delta, 6.0 * yield->std_error);
    assert_near(book_measure(call, "borrow_rho", "EURUSD.borrow")->value, yield->value, 1e-9);
    levy_results_destroy(r);
    levy_book_destroy(book);
}

/* Margrabe's, of a share in dollars for one in yen. */
static void test_an_exchange_across_currencies_has_its_form(void **state)
{
    (void)state;
    const levy_source sources[] = {
        {.name = BOOKS "market.yaml"},
        text_of("{schema_version: 1, simulation: {paths: 2^16}, trades: [{id: exchange, "
                "underlyings: [J, A], currency: EUR, conversion: composite, payoff: {kind: "
                "exchange}, exercise: 1}]}")};
    levy_book *const book = load(sources, 2);
    levy_results *const r = book_price(book);
    const levy_trade_result *const t = levy_results_trade(r, 0);
    /* J + JPYEUR - A + EURUSD, as logarithms */
    const double sigma[] = {0.3, 0.12, -0.25, 0.1};
    const double rho[4][4] = {{1.0, -0.3, 0.4, 0.1},
                              {-0.3, 1.0, -0.2, -0.4},
                              {0.4, -0.2, 1.0, 0.3},
                              {0.1, -0.4, 0.3, 1.0}};
    double variance = 0.0;
    for (size_t i = 0; i < 4; ++i)
        for (size_t j = 0; j < 4; ++j) variance += rho[i][j] * sigma[i] * sigma[j];
    const double v = sqrt(variance), a = 100.0, b = 80.0 * exp(-0.01), d = log(a / b) / v + 0.5 * v;
    assert_near(t->price, a * normal_cdf(d) - b * normal_cdf(d - v), 5.0 * t->std_error);
    levy_results_destroy(r);
    levy_book_destroy(book);
}

static void test_terms_add_up(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "terms.yaml", NULL);
    /* The rates of dollars go with the rate of exchange, those of the asset's own curve stay. */
    const double t = 1.5, dollars = 0.03 * 0.5 + (0.045 * 2.0 - 0.03 * 0.5) / 1.5 * 1.0,
                 growth = (0.05 - 0.01 + 0.02) * t - dollars, forward = 80.0 * exp(growth);
    assert_near(book_value(r, 0, "price", ""), exp(-0.02 * t) * (forward - 90.0), 1e-11);
    /* variances a year: the asset's from 0.5 on, the rate's from 1 on */
    const double own = (0.26 * 0.26 * 1.5 - 0.2 * 0.2 * 0.5) / 1.0, rate = 0.09 * 0.09 * 2.0 - 0.01;
    const double variance = 0.26 * 0.26 * 1.5 + 0.01 + 0.5 * rate -
                            2.0 * (0.4 * 0.2 * 0.1 * 0.5 + 0.4 * sqrt(own * 0.01) * 0.25 -
                                   0.2 * sqrt(own * 0.01) * 0.25 - 0.2 * sqrt(own * rate) * 0.5);
    const double v = sqrt(variance), d = log(forward / 85.0) / v + 0.5 * v;
    const levy_trade_result *const call = levy_results_trade(r, 1);
    assert_near(call->price, exp(-0.02 * t) * (forward * normal_cdf(d) - 85.0 * normal_cdf(d - v)),
                5.0 * call->std_error);
    levy_results_destroy(r);
}

/* ---- Scripts of both factors, quotes, fixings ---- */

static void test_scripts_of_both_agree(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "market.yaml", BOOKS "weighed.yaml");
    size_t n = 0;
    for (size_t t = 0; t + 1 < levy_results_size(r); t += 2) {
        const levy_trade_result *const a = levy_results_trade(r, t), *const b = levy_results_trade(
                                                                         r, t + 1);
        for (size_t m = 0; m < a->n_measures; ++m, ++n) {
            const levy_measure *const x = &a->measures[m], *const y = book_measure(b, x->measure,
                                                                                   x->factor);
            const double error = hypot(x->std_error, y->std_error);
            if (!(fabs(x->value - y->value) <= 5.0 * error && error <= 0.05 * fabs(x->value)))
                fail_msg("%s %s %s: %.10g, %s: %.10g, errors %.3g", a->id, x->measure, x->factor,
                         x->value, b->id, y->value, error);
        }
    }
    assert_int_equal(n, 6 + 10);
    levy_results_destroy(r);
}

/* What moves a factor's numbers moves the price as the quote does. */
static void test_scenarios_are_quotes(void **state)
{
    (void)state;
    static const book_move moves[] = {
        {"EURUSD.spot", 0.05},     {"EURUSD.volatility", 0.03}, {"A,EURUSD.correlation", 0.2},
        {"A.volatility", 0.05},    {"EUR.rate", 0.01},          {"A.spot", 7.0},
        {"A.dividend_yield", 0.02}};
    book_scenarios_are_quotes(BOOKS "market.yaml", BOOKS "scenarios.yaml", moves,
                              sizeof moves / sizeof *moves, 1e-13);
}

/* By the rate of its own currency an asset grows, and its price of exchange falls alike. */
static void test_rates_of_its_own_currency_cancel(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "market.yaml", BOOKS "scenarios.yaml");
    for (size_t t = 0; t < 2; ++t) assert_true(book_value(r, t, "scenario_pnl", "m7") == 0.0);
    levy_results_destroy(r);
}

/* The past is that of both. */
static void test_fixings_are_products(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "past.yaml", NULL);
    const double product = levy_results_trade(r, 0)->price, hand = levy_results_trade(r, 1)->price;
    assert_near(product, hand, 1e-12 * hand);
    levy_results_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products_are_assets),
        cmocka_unit_test(test_products_jump_as_their_assets),
        cmocka_unit_test(test_rates_have_their_delta),
        cmocka_unit_test(test_a_call_has_its_form),
        cmocka_unit_test(test_an_exchange_across_currencies_has_its_form),
        cmocka_unit_test(test_terms_add_up),
        cmocka_unit_test(test_scripts_of_both_agree),
        cmocka_unit_test(test_scenarios_are_quotes),
        cmocka_unit_test(test_rates_of_its_own_currency_cancel),
        cmocka_unit_test(test_fixings_are_products),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
