/* known_range.c: see known_range.h. */
#include "engine/exercise/known_range.h"

#include "engine/fourier/black.h"
#include "kernels/lane/scalar.h"

#include <math.h>

double levy_exercise_black(const levy_exercise *e, double spot)
{
    const levy_exercise_claim *const claim = &e->claim;
    const double discount = levy_exp(-e->rate * e->years),
                 forward = spot * levy_exp((e->rate - e->yield) * e->years),
                 deviation = e->deviation * levy_sqrt(e->years),
                 put = forward * levy_black_put(levy_log(claim->strike / forward), deviation);
    return discount * (claim->sign < 0 ? put : put + forward - claim->strike);
}

/* Without expiry, by v^2. A call is the put on the strike in units of the spot, with rate and yield
 * exchanged. With x = log(S / K), it is exercised below log(beta / (beta - 1)), beta < 0 being a
 * root of beta^2 / 2 + drift beta = rate. */
typedef struct range_endless {
    double rate, drift, beta;
} range_endless;

static range_endless range_without_expiry(const levy_exercise *e)
{
    const bool put = e->claim.sign < 0;
    const double variance = e->deviation * e->deviation,
                 rate = (put ? e->rate : e->yield) / variance,
                 yield = (put ? e->yield : e->rate) / variance, drift = rate - yield - 0.5,
                 root = levy_sqrt(drift * drift + 2.0 * rate);
    return (range_endless){rate, drift, drift < 0.0 ? -2.0 * rate / (root - drift) : -drift - root};
}

double levy_perpetual(const levy_exercise *e, double spot)
{
    const range_endless market = range_without_expiry(e);
    const double strike = e->claim.strike, boundary = market.beta / (market.beta - 1.0),
                 unit = e->claim.sign < 0 ? strike : spot,
                 at = e->claim.sign < 0 ? spot / strike : strike / spot;
    if (at <= boundary) return unit * (1.0 - at);
    return unit / (1.0 - market.beta) * levy_exp(market.beta * levy_log(at / boundary));
}

/* In the measure of what exercise is worth, the spot goes to the boundary at the speed of the root.
 * If it drifts away in its own, no spot makes exercise after the expiry worth more than the one on
 * the boundary does: what that pays, by e^(-speed^2 t / 2). */
double levy_perpetual_late(const levy_exercise *e)
{
    const range_endless market = range_without_expiry(e);
    const double variance = e->deviation * e->deviation * e->years,
                 square = market.drift * market.drift + 2.0 * market.rate;
    return market.drift < 0.0 ? 1.0 : levy_exp(-0.5 * square * variance) / (1.0 - market.beta);
}

/* The largest of what a payment of 1 on some date is worth: the strike of a put, the spot of a
 * call.
 */
static double range_largest(const levy_exercise_claim *claim)
{
    double log = 0.0, most = 0.0;
    for (size_t k = 0; k < claim->n; ++k) {
        const levy_exercise_span *const s = &claim->spans[k];
        log -= claim->sign < 0 ? s->rate : s->rate - s->growth;
        most = fmax(most, log);
    }
    return most > 0.0 ? levy_exp(most) : 1.0;
}

/* A call loses at most what its spot does, where that stays above 0, and a put nothing. */
static double range_european(const levy_exercise *e, double spot)
{
    const double kept = levy_exercise_black(e, e->kept * spot);
    return e->claim.sign < 0 ? kept : kept - e->lost;
}

levy_known_range levy_known_range_at(const levy_exercise *e, double spot, double european)
{
    const levy_exercise_claim *const claim = &e->claim;
    const bool shrinks = e->kept > 0.0 && e->kept <= 1.0 && e->lost >= 0.0;
    levy_known_range known = {0.0, 0.0, INFINITY};
    if (claim->american || claim->spans[0].exercise)
        known.now = fmax(claim->sign * (spot - claim->strike), 0.0);
    if (european == 0.0 && shrinks && e->deviation > 0.0) european = range_european(e, spot);
    known.least = fmax(known.now, european);
    if (claim->sign < 0 || shrinks)
        known.most = range_largest(claim) * (claim->sign < 0 ? claim->strike : spot);
    if (e->perpetual && e->deviation > 0.0) known.most = fmin(known.most, levy_perpetual(e, spot));
    return known;
}
