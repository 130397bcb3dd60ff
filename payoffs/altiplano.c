/* altiplano.c: a coupon unless one of the underlyings falls to a barrier; then an option on all of
 * them. Must not know: how levels are made. */
#include "payoffs/written.h"

typedef struct altiplano_terms {
    levy_payoff_terms payoff;
    double barrier, coupon, strike, participation;
    levy_schedule_terms observations;
} altiplano_terms;

static const char altiplano_text[] =
    "var hit = 0\n"
    "at observations {\n"
    "  if worst(levels) <= barrier { hit = 1 }\n"
    "}\n"
    "at expiry {\n"
    "  pay participation * max(mean(levels) - strike, 0) if hit > 0 else coupon\n"
    "}\n";

static const levy_field altiplano_fields[] = {
    LEVY_WRITTEN_DATES(
        altiplano_terms, observations,
        "Dates on which the barrier is watched. Left out: the date of exercise alone."),
    LEVY_WRITTEN_REQUIRED(altiplano_terms, barrier, 0, 1e15,
                          "Level at which an underlying costs the coupon."),
    LEVY_WRITTEN_REQUIRED(altiplano_terms, coupon, 0, 1e15, "What is paid if none reaches it."),
    LEVY_WRITTEN_NUMBER(altiplano_terms, strike, 0, 1e15, "1", "Strike of the option on the mean."),
    LEVY_WRITTEN_NUMBER(altiplano_terms, participation, 0, 1000, "1",
                        "Share of the option that is paid."),
    LEVY_WRITTEN_FIELDS,
    {0}};
LEVY_WRITTEN_TABLE_ON(
    altiplano, altiplano_terms, altiplano_fields, 3, NULL,
    "{kind: altiplano, observations: {count: 12}, barrier: 0.7, coupon: 0.3}",
    "Altiplano option, per unit of notional. At expiry it pays coupon if no underlying was at "
    "barrier or below on any date of observations, else participation times the amount by which "
    "the mean of all levels is above strike.");
LEVY_WRITTEN_KIND(altiplano);
