/* parity.c: the forwards that calls and puts of one strike imply, beside those of the market: where
 * they differ, a smile would be fitted to the wrong forward. See calibration.h. */
#include "engine/calibrate/calibration.h"

#include <math.h>

/* What a forward may be off where quotes have no bid and ask. */
#define PARITY_ALLOWED 1e-3

/* A call and a put of one expiry and strike, both quoted by price. */
static bool parity_is_pair(const levy_smile *smile, const levy_fit *fit, size_t a, size_t b)
{
    const levy_raw_smile_quote *const raw = smile->raw->quotes.items;
    const levy_raw_smile_quote *const call = &raw[fit->quotes[a].source],
                                      *const put = &raw[fit->quotes[b].source];
    return call->option_type == 0 && put->option_type == 1 && !isnan(call->price) &&
           !isnan(put->price) && call->strike == put->strike;
}

/* By how much the pair's forward is off, by what may be. */
static double parity_off(const levy_smile *smile, const levy_fit *fit, size_t a, size_t b,
                         double *forward)
{
    const levy_raw_smile_quote *const raw = smile->raw->quotes.items;
    const levy_fitted_quote *const quote = &smile->fitted[fit->quotes[a].source];
    const levy_raw_smile_quote *const call = &raw[fit->quotes[a].source],
                                      *const put = &raw[fit->quotes[b].source];
    const double discount = levy_exp(levy_curve_log_discount(smile->asset->curve, quote->years));
    const double spread = 0.5 * (call->ask - call->bid + put->ask - put->bid) / discount;
    *forward = quote->strike + (call->price - put->price) / discount;
    return fabs(*forward - quote->forward) /
           (isnan(spread) ? PARITY_ALLOWED * quote->forward : spread);
}

void levy_smile_check_forwards(const levy_smile *smile, const levy_fit *fit)
{
    levy_check *const build = smile->build;
    double worst = 1.0, forward, found = 0.0;
    size_t at = fit->n;
    for (size_t a = 0; a < fit->n; ++a) {
        for (size_t b = 0; b < fit->n; ++b) {
            if (fit->quotes[a].years != fit->quotes[b].years || !parity_is_pair(smile, fit, a, b))
                continue;
            const double off = parity_off(smile, fit, a, b, &forward);
            if (!(off > worst)) continue;
            worst = off;
            found = forward;
            at = fit->quotes[a].source;
        }
    }
    if (at == fit->n) return;
    const levy_raw_smile_quote *const raw = smile->raw->quotes.items;
    LEVY_WARN(
        build, INCONSISTENT, raw[at].node, levy_check_text(build, "calibration.quotes[%zu]", at),
        "Change the dividend yield or the curve until both agree.",
        "call and put of this strike imply a forward of %s, and the market gives %s",
        levy_check_rounded(build, found), levy_check_rounded(build, smile->fitted[at].forward));
}
