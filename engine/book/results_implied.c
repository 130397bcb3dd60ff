/* results_implied.c: the volatility that a price implies. It rises with the price, so the ends of
 * the price's interval become the ends of its own; the error is that of the price by Black's vega.
 * Must not know: how a price is estimated. */
#include "engine/book/results.h"

#include "engine/fourier/black.h"
#include "engine/problem/trade_black.h"
#include "kernels/lane/scalar.h"

#include <math.h>

/* NaN: no volatility gives that price. */
static double implied_by(const levy_black_option *o, double price)
{
    const double log_strike = levy_log(o->strike / o->forward), unit = o->discount * o->forward;
    const double deviation = levy_black_implied(log_strike, o->is_call, price / unit);
    return deviation > 0.0 && deviation < HUGE_VAL ? deviation / levy_sqrt(o->years) : NAN;
}

levy_estimate levy_results_implied(const levy_trade *trade, levy_estimate price)
{
    levy_black_option o;
    levy_estimate e = price;
    if (levy_trade_black_option(trade, &o)) return levy_estimate_none();
    e.value = implied_by(&o, price.value);
    if (isnan(e.value)) {
        e = levy_estimate_none();
        e.doubt = LEVY_DOUBT_UNIMPLIED;
        return e;
    }
    const double root = levy_sqrt(o.years),
                 vega = o.discount * o.forward * root *
                        levy_black_vega(levy_log(o.strike / o.forward), e.value * root);
    e.std_error = price.std_error / vega;
    if (isnan(price.ci_low)) return e;
    e.ci_low = implied_by(&o, price.ci_low);
    e.ci_high = implied_by(&o, price.ci_high);
    return isnan(e.ci_low) || isnan(e.ci_high) || !isfinite(e.std_error)
               ? levy_estimate_doubtful(e, LEVY_DOUBT_UNIMPLIED)
               : e;
}
