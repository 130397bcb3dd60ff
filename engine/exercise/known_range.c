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

/* The option without expiry is worth more, and exercised where that one is, until expiry alone, it
 * is worth less. A call is the put on the strike in units of the spot, with rate and yield
 * exchanged. By v^2 and with x = log(S / K), exercise begins at log(beta / (beta - 1)), beta < 0
 * being a root of beta^2 / 2 + drift beta = rate; in the measure of its worth the spot goes there
 * at the speed of the root, and is there in time with a chance of the normal one at least. */
static void range_perpetual(const levy_exercise *e, double spot, levy_known_range *known)
{
    const bool put = e->claim.sign < 0;
    const double variance = e->deviation * e->deviation,
                 rate = (put ? e->rate : e->yield) / variance,
                 yield = (put ? e->yield : e->rate) / variance, drift = rate - yield - 0.5,
                 speed = levy_sqrt(drift * drift + 2.0 * rate),
                 beta = drift < 0.0 ? -2.0 * rate / (speed - drift) : -drift - speed,
                 unit = put ? e->claim.strike : spot,
                 way = levy_log((put ? spot / unit : e->claim.strike / unit) * (1.0 - 1.0 / beta));
    if (way <= 0.0) return;
    const double worth = unit / (1.0 - beta) * levy_exp(beta * way), clock = variance * e->years;
    known->most = fmin(known->most, worth);
    known->least =
        fmax(known->least, worth * levy_normal_cdf((speed * clock - way) / levy_sqrt(clock)));
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
    if (e->perpetual && e->deviation > 0.0) range_perpetual(e, spot, &known);
    return known;
}
