/* calibration.h: from the files as read to a fitted model: reads quotes on the market, fits, and
 * says what the quotes do not determine. */
#ifndef LEVY_CALIBRATE_CALIBRATION_H
#define LEVY_CALIBRATE_CALIBRATION_H

#include "engine/calibrate/fit.h"
#include "engine/levy.h"
#include "engine/problem/quotes.h"

struct levy_calibration {
    levy_arena arena;
    levy_quotes *quotes; /* owned: its nodes and date are what the market is written from */
    const levy_market *market;
    const levy_raw_calibration *raw;
    const levy_exponent *law; /* or by_term, if there are terms or several assets */
    levy_exponent by_term;
    levy_exponent_parameter of_terms[LEVY_EXPONENT_MOST];
    const char *names[LEVY_EXPONENT_MOST], *all_names; /* [n_assets]; "SPX, NDX" */
    size_t n_assets, *of;                              /* [facts.quotes]: the number of its asset */
    const levy_exponent *each;                         /* the law of one asset */
    size_t places[LEVY_EXPONENT_MOST][LEVY_EXPONENT_MOST]; /* as in levy_fit */
    double beside[LEVY_EXPONENT_BESIDE];
    const char *ends[LEVY_TERMS_MOST]; /* of terms, as text */
    levy_calibration_facts facts;
    levy_fitted_value *parameters;          /* [facts.parameters] */
    levy_fitted_quote *fitted;              /* [facts.quotes] */
    levy_fitted_start *starts;              /* [facts.starts] */
    double (*response)[LEVY_EXPONENT_MOST]; /* [facts.quotes]: of parameters to a volatility */
    double off; /* the most that a model's volatility may be off by what a series leaves out */
    double off_years; /* to the expiry where it is */
    levy_fit_result result;
    bool pays_cash;  /* before an expiry */
    size_t n_unseen; /* quotes whose volatility the model's price does not show */
};

/* Least of what a volatility moves a price by, by the forward: prices have fifteen digits. */
#define LEVY_QUOTE_LEAST_VEGA 1e-9

/* A quote as it is fitted, beside what is told of it. */
typedef struct levy_smile {
    levy_check *build;
    const levy_raw_calibration *raw;
    const levy_asset *assets[LEVY_EXPONENT_MOST];
    const size_t *of;          /* [n]: which of them a quote has */
    levy_fitted_quote *fitted; /* [n], of raw->quotes */
    double *raised;            /* [n]: what cash dividends add to strike and forward in the fit */
    bool has_errors, is_weighted; /* by bid and ask; or by these or weights */
} levy_smile;

/* quote_read.c: fills the fit's quotes and what is told of them. False: faults were added. */
bool levy_smile_read(levy_smile *smile, levy_fit *fit);
/* Of the asset of a quote that is one of `fitted`. */
static inline const levy_curve *levy_smile_curve(const levy_smile *s, const levy_fitted_quote *q)
{
    return s->assets[s->of[q - s->fitted]]->curve;
}
/* A quote of the same with another price: an undiscounted put by the forward. */
double levy_smile_price(const levy_smile *smile, const levy_fitted_quote *quote, double put);

/* term_read.c: puts the law by term in place of the law, if the calibration asks for it. False:
 * faults were added. */
bool levy_terms_read(levy_check *build, levy_calibration *calibration);

/* asset_read.c: the assets that are quoted, and if they are several the law of all. False: faults
 * were added. */
bool levy_assets_read(levy_check *build, levy_calibration *calibration);

/* parity.c: warns where calls and puts of one strike imply another forward than the market's, and
 * where an option is quoted twice. */
void levy_smile_check_pairs(const levy_smile *smile, const levy_fit *fit);

/* parameter_read.c: the bounds of the search, and whether there is enough to fit. False: faults. */
bool levy_bounds_read(levy_check *build, const levy_raw_calibration *raw, levy_fit *fit);
bool levy_fit_has_enough(levy_check *build, const levy_raw_calibration *raw, const levy_fit *fit);

/* Takes the quotes over, also when it fails. Faults say why. progress: as in levy_fit. */
levy_status levy_calibration_create(const levy_memory *memory, levy_quotes *quotes,
                                    levy_fault_list *faults, levy_progress *progress,
                                    levy_calibration **calibration);

/* calibration_say.c: warnings of what the quotes leave open. */
void levy_calibration_say(levy_check *build, const levy_calibration *calibration);

/* calibration_write.c, market_write.c */
int levy_calibration_put(const levy_calibration *calibration, int format, levy_text_out *out);
void levy_calibration_put_book(const levy_calibration *calibration, levy_text_out *out);

#endif
