/* book_reported.c: sums of a generated book in one currency against the plain ones: the trades'
 * own, or that of the assets, where the trades are paid in another one. Where no trade has the rate
 * as a factor, a sum is the plain one at the rate's spot, and its derivative by that the price.
 */
#include "tests/generated/book_pairs.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const levy_netted *sum_of(const levy_results *r, bool translated)
{
    const levy_netted *sum;
    for (size_t i = 0; (sum = levy_results_netted(r, i)) != NULL; ++i)
        if (!sum->key && (sum->translated != 0) == translated) return sum;
    return NULL;
}

static const levy_measure *measure_of(const levy_netted *sum, const char *measure,
                                      const char *factor)
{
    for (size_t m = 0; m < sum->n_measures; ++m)
        if (!strcmp(sum->measures[m].measure, measure) && !strcmp(sum->measures[m].factor, factor))
            return &sum->measures[m];
    return NULL;
}

/* The error may be that of rounding. */
static bool near(double a, double b, double value)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * (fabs(b) + fabs(value)) ||
           fmax(fabs(a), fabs(b)) < DBL_MIN; /* of which a product has no 53 bits */
}

static void check(comparison *c, const levy_measure *own, const levy_measure *in, double rate)
{
    ++c->compared;
    if (in && near(in->value, rate * own->value, 0.0) &&
        near(in->std_error, fabs(rate) * own->std_error, rate * own->value))
        return;
    ++c->differences;
    comparison_say(c, "  sum of %s %s: %.17g +- %.4g, at %.17g %.17g +- %.4g", own->measure,
                   own->factor, own->value, own->std_error, rate, in ? in->value : NAN,
                   in ? in->std_error : NAN);
}

/* Those by the rate's spot: of a composite book the product's rule, for delta alone. */
static void check_rate(comparison *c, const levy_netted *own, const levy_measure *in, double worth,
                       double slope)
{
    const levy_measure *const delta = measure_of(own, "delta", "FX.spot");
    const double part = slope * own->value, expected = part + (delta ? worth * delta->value : 0.0);
    ++c->compared;
    if (isnan(expected) || fabs(in->value - expected) <= 1e-12 * (fabs(part) + fabs(expected)))
        return;
    ++c->differences;
    comparison_say(c, "  delta of the sum by FX.spot: %.17g, not %.17g", in->value, expected);
}

static void check_sums(comparison *c, const levy_netted *own, const levy_netted *in, double worth,
                       double slope)
{
    const levy_measure *const delta = measure_of(in, "delta", "FX.spot");
    for (size_t m = 0; m < own->n_measures; ++m)
        if (slope == 0.0 || (strncmp(own->measures[m].measure, "scenario", 8) != 0 &&
                             !strstr(own->measures[m].factor, "FX.spot")))
            check(c, &own->measures[m],
                  measure_of(in, own->measures[m].measure, own->measures[m].factor), worth);
    if (delta && slope != 0.0) check_rate(c, own, delta, worth, slope);
}

void pair_reported(const generated_book *book, comparison *c)
{
    const char *const fx = strstr(book->text, "\"FX\": {");
    const bool straight = fx && strstr(fx, "\"base_currency\": \"USD\"");
    const double spot = fx ? strtod(strstr(fx, "\"spot\": ") + 8, NULL) : 1.0;
    const double worth = straight ? spot : 1.0 / spot;
    const double by_spot = straight ? 1.0 : -worth / spot;
    const double slope = fx ? by_spot : 0.0;
    const char *const settings[] = {fx ? "report_currency=JPY" : "report_currency=USD", NULL};
    levy_results *const r = comparison_price(c, book->text, settings, 0, NULL);
    if (c->refused && strstr(c->text, "the sum's ")) { /* a first derivative is not asked for */
        c->refused = false;
        c->skipped = true;
    }
    if (r && !c->refused && sum_of(r, false))
        check_sums(c, sum_of(r, false), sum_of(r, true), worth, slope);
    comparison_release(r);
}
