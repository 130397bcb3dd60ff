/* report_currency.h: what the amounts of a book are worth in the one currency in which it is
 * reported: today, and in each scenario, which moves the exchange rates as it moves all assets.
 * Must not know: sums. */
#ifndef LEVY_PROBLEM_REPORT_CURRENCY_H
#define LEVY_PROBLEM_REPORT_CURRENCY_H

#include "engine/market/rate.h"
#include "engine/problem/problem.h"

/* A currency in which trades are paid. */
typedef struct levy_translation {
    const levy_asset *fx; /* its rate and the report's; NULL: it is the report's currency */
    /* What one of it is worth, and the first and second derivative of that by the rate's spot. */
    double worth, slope, bend;
    double *in_scenario; /* [n_scenarios]: its worth there; NaN: the rate is none there */
} levy_translation;

struct levy_report_currency {
    const char *name;
    const levy_node *node; /* where it is written */
    levy_names currencies;
    levy_translation *of; /* [currency] */
    levy_names scenarios; /* their ids, by number */
};

/* Makes problem->report, from the files or from `--set`, which has its name alone. NULL: there is
 * none, or it has a fault. */
levy_report_currency *levy_report_begin(levy_check *build, const levy_node *node,
                                        const levy_override *overrides, size_t n_overrides,
                                        levy_problem *problem);
/* Fills it, once trades and scenarios are resolved; NULL: there is none. False with a fault. */
bool levy_report_currency_build(levy_check *build, levy_market *market,
                                levy_report_currency *report, const levy_problem *problem);

/* Of a trade's currency. NULL: no trade that has a price is paid in it. */
const levy_translation *levy_translation_of(const levy_report_currency *report,
                                            const char *currency);
/* Whether it reads the rate of that name. `report` NULL: nothing. */
bool levy_report_reads(const levy_report_currency *report, const char *rate);

#endif
