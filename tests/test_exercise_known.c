/* test_exercise_known.c: early exercise without paths stays within what is known exactly: the
 * European option, the perpetual one, and the most that exercise pays. */
#include "tests/priced.h"

#include "tests/near.h"

#include "engine/fourier/black.h"

#include <math.h>
#include <stdio.h>

typedef struct flat_case {
    double sign, spot, strike, rate, yield, volatility, years;
} flat_case;

static double european(const flat_case *c)
{
    const double forward = c->spot * exp((c->rate - c->yield) * c->years),
                 put = forward *
                       levy_black_put(log(c->strike / forward), c->volatility * sqrt(c->years));
    return exp(-c->rate * c->years) * (c->sign < 0.0 ? put : put + forward - c->strike);
}

/* A flat American option; the caller releases. */
static priced price_flat(const flat_case *c, const char *measures, const char *dividends)
{
    char text[1024];
    snprintf(text, sizeof text,
             "schema_version: 1\nmarket:\n  curves: {USD: %.17g}\n  assets: {S: {currency: USD, "
             "spot: %.17g, volatility: %.17g, dividend_yield: %.17g%s}}\nmodels: {m: {kind: "
             "black_scholes, assets: [S]}}\nmeasures: [%s]\ntrades: [{id: t, underlying: S, "
             "payoff: {kind: european, option_type: %s, strike: %.17g}, exercise: {style: "
             "american, expiry: %.17g}}]\n",
             c->rate, c->spot, c->volatility, c->yield, dividends, measures,
             c->sign < 0.0 ? "put" : "call", c->strike, c->years);
    priced p = price_alone(text, NULL, 0, NULL);
    assert_priced(&p);
    return p;
}

/* A put without expiry (R. Merton, Bell J. Economics 4, 1973). */
static double perpetual_put(const flat_case *c)
{
    const double variance = c->volatility * c->volatility,
                 half = 0.5 - (c->rate - c->yield) / variance, twice = 2.0 * c->rate / variance,
                 root = sqrt(half * half + twice),
                 beta = half > 0.0 ? -twice / (half + root) : half - root,
                 boundary = beta / (beta - 1.0) * c->strike;
    return c->spot <= boundary ? c->strike - c->spot
                               : (c->strike - boundary) * pow(c->spot / boundary, beta);
}

/* Where the spot drifts away from the strike, or to exercise, in a small part of the time, both
 * resolutions of the spectral method missed the years that count, and agreed. The call is the put's
 * mirror image. */
static void test_low_volatility_is_perpetual(void **state)
{
    static const flat_case puts[] = {{-1.0, 100.0, 100.0, 0.05, 0.0, 0.01, 50.0},
                                     {-1.0, 100.0, 100.0, 0.1, 0.01, 0.02, 50.0},
                                     {-1.0, 100.0, 99.9, 0.05, 0.02, 0.006, 50.0},
                                     {-1.0, 100.0, 100.0, 0.05, 0.02, 0.001, 1.0},
                                     {-1.0, 95.0, 100.0, 0.02, 0.3, 0.01, 50.0}};
    (void)state;
    for (size_t i = 0; i < 5; ++i) {
        flat_case up = puts[i], down = puts[i];
        const flat_case call = {1.0,          puts[i].strike,     puts[i].spot, puts[i].yield,
                                puts[i].rate, puts[i].volatility, puts[i].years};
        up.volatility *= 1.0 + 1e-5;
        down.volatility *= 1.0 - 1e-5;
        flat_case higher = puts[i], lower = puts[i];
        higher.spot *= 1.0 + 1e-8;
        lower.spot *= 1.0 - 1e-8;
        priced p = price_flat(&puts[i], "price, delta, vega", ""),
               mirror = price_flat(&call, "price", "");
        const levy_trade_result *const put = find_trade(p.results, "t");
        const double exact = perpetual_put(&puts[i]),
                     vega = (perpetual_put(&up) - perpetual_put(&down)) / 2e-5 / puts[i].volatility;
        assert_near(put->price, exact, 1e-8 * exact);
        assert_near(find_trade(mirror.results, "t")->price, exact, 1e-8 * exact);
        assert_near(find_measure(put, "delta", NULL)->value,
                    (perpetual_put(&higher) - perpetual_put(&lower)) / 2e-8 / puts[i].spot, 1e-5);
        assert_near(find_measure(put, "vega", NULL)->value, vega, 1e-5 * vega);
        release(&p);
        release(&mirror);
    }
}

/* Without dividends, and with hardly one. Finite differences of a volatility of 2 over 50 years
 * lose the forward: a call was worth 102.5 of 164.87, its European. A put reaches the most that it
 * can pay; rounding made it more, and no result. */
static void test_values_stay_within_what_is_known(void **state)
{
    static const flat_case cases[] = {{1.0, 100.0, 100.0, -0.02, -0.01, 2.0, 50.0},
                                      {-1.0, 100.0, 80.0, -0.01, -0.05, 5.0, 10.0},
                                      {-1.0, 100.0, 80.0, -0.01, -0.05, 2.0, 50.0}};
    (void)state;
    for (size_t k = 0; k < 6; ++k) {
        const size_t i = k / 2;
        priced p = price_flat(&cases[i], "price, delta, vega",
                              k % 2 ? ", dividends: {cash: [[0.01, 1e-9]]}" : "");
        const levy_trade_result *const trade = find_trade(p.results, "t");
        const double exact = european(&cases[i]);
        assert_near(trade->price, exact, 1e-9 * exact);
        assert_true(trade->std_error <= 1e-9 * exact);
        assert_near(find_measure(trade, "delta", NULL)->value, i ? 0.0 : exp(0.5), 1e-7);
        assert_near(find_measure(trade, "vega", NULL)->value, 0.0, 1e-4);
        release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_low_volatility_is_perpetual),
        cmocka_unit_test(test_values_stay_within_what_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
