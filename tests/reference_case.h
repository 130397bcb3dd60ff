/* reference_case.h: from one case of tests/reference/ to a levy file, or to the reason why levy
 * cannot price it. Serves test_reference.c. Must not know: pricing, comparison. */
#ifndef LEVY_TESTS_REFERENCE_CASE_H
#define LEVY_TESTS_REFERENCE_CASE_H

#include "engine/document/document.h"

/* How the mapped trade is to be simulated. */
typedef struct reference_settings {
    const char *generator;  /* as levy names it */
    const char *paths;      /* as text: "2^18" */
    unsigned replicates;    /* of the scrambled points */
    double spot_bump;       /* relative */
    double volatility_bump; /* absolute */
    double gamma_bump;      /* in standard deviations at expiry; 0: levy's own, as the next */
    double rate_bump;       /* absolute */
    unsigned dates;         /* of American exercise on paths */
} reference_settings;

typedef struct reference_case {
    const char *id;
    /* NULL: levy prices it, and `text` holds the levy file. Freed by reference_case_release */
    char *refusal;
    char *text;
    size_t n_assets;
    bool has_greeks;         /* some are given, so the file asks for all */
    bool rho_of_discounting; /* by the rate of DISCOUNT alone */
    /* Exercised early by a fitted rule: on its dates, or (American) on as many as the settings say
     */
    bool by_rule, american;
    double price, tolerance, standard_error, greeks_tolerance;
    /* a number or one per asset; NULL: not given */
    const levy_node *delta, *delta_parallel, *vega, *vega_parallel, *gamma, *rho;
} reference_case;

/* `node` is one item of `cases`. False: the case itself cannot be read (a defect of the file), see
 * `refusal`. */
bool reference_case_read(const levy_node *node, const reference_settings *settings,
                         reference_case *result);
void reference_case_release(reference_case *item);

/* of a map; "": it has no such text */
const char *reference_text(const levy_node *map, const char *key);
double reference_number(const levy_node *node); /* NaN when absent or no number */

#endif
