/* test_currency.c: payments of a script in another currency, whose rate is an underlying: against
 * closed forms. Under the measure of that currency the other asset's drift has the covariance of
 * both, so that cash on S > K in units of X is worth X exp(-q_x T) N(d2 + rho s_x sqrt(T)). */
#include "tests/cmocka_all.h"
#include "tests/greeks_case.h"
#include "tests/normal_law.h"

static const double spot = 4200, rate = 0.045, yield = 0.015, volatility = 0.18, x = 1.085,
                    x_yield = 0.025, x_volatility = 0.08, correlation = 0.4, strike = 4000;

/* What one unit of the currency on S(t) > K is worth. */
static double digital(double t)
{
    const double root = volatility * sqrt(t),
                 d2 = (log(spot / strike) + (rate - yield) * t) / root - 0.5 * root;
    return x * exp(-x_yield * t) * normal_cdf(d2 + correlation * x_volatility * sqrt(t));
}

static void test_coupons_in_another_currency(void **state)
{
    (void)state;
    static const char *const smoothing[] = {"none", "auto", "all"};
    double want = 0.0;
    for (int k = 1; k <= 4; ++k) want += 50 * digital(0.5 * k);
    want += 1000 * x * exp(-x_yield * 2.0);
    for (size_t s = 0; s < 3; ++s) {
        char text[2000];
        priced p;
        const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
        snprintf(
            text, sizeof text,
            "schema_version: 1\nmarket: {curves: {USD: %g}, assets: {INDEX: {currency: USD, "
            "spot: %g, dividend_yield: %g, volatility: %g}, EURUSD: {currency: USD, spot: %g, "
            "dividend_yield: %g, volatility: %g}}, correlations: {pairs: [[INDEX.spot, "
            "EURUSD.spot, %g]]}}\nmodels: {m: {kind: black_scholes, assets: [INDEX, "
            "EURUSD]}}\ntrades:\n - {id: t, underlyings: [INDEX, EURUSD], exercise: "
            "{expiry: 2.0}, payoff: {kind: script, schedules: {coupons: {count: 4}}, script: "
            "'at coupons { pay 50 * levels[2] if levels[1] > %g else 0 }; at expiry { pay 1000 "
            "* levels[2] }'}}\nmeasures: [price, delta]\nsimulation: {paths: 2^14, smoothing: "
            "%s}\n",
            rate, spot, yield, volatility, x, x_yield, x_volatility, correlation, strike,
            smoothing[s]);
        price_with(&p, text, NULL, 0, &options);
        const levy_trade_result *const t = levy_results_trade(p.results, 0);
        const levy_measure *const delta = measure_of(&p, 0, "delta", "EURUSD.spot");
        assert_true(fabs(t->price - want) <= 4 * t->std_error && t->std_error < 2e-4 * want);
        /* all is paid in euro: in proportion to its rate */
        assert_true(fabs(delta->value - want / x) <= 4 * delta->std_error + 1e-9 * want);
        assert_true(delta->std_error < 1e-3 * want);
        if (s > 0) assert_true(t->std_error < 3e-5 * want);
        release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_coupons_in_another_currency)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
