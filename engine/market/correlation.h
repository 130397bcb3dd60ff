/* correlation.h: correlations of a model's assets, and of their variances where the book gives
 * these, as a function of time. Its members are this room's own. Must not know: the model. */
#ifndef LEVY_MARKET_CORRELATION_H
#define LEVY_MARKET_CORRELATION_H

#include "engine/market/asset.h"

/* Constant on (times[k-1], times[k]]; the last goes on for ever. */
typedef struct levy_correlation {
    size_t n; /* pieces, >= 1 */
    size_t n_assets;
    double *times;    /* ends of the pieces; times[n-1] is not used */
    double *matrices; /* [piece][row][column], full, unit diagonal, positive semidefinite */
    /* The same of all factors, spots and behind them variances, and which of its pairs the book
     * gives: all others are as the model's own numbers have them. NULL: it gives none. */
    double *whole;
    bool *given; /* [row][column] */
} levy_correlation;

#define LEVY_NO_CORRELATION 2.0

/* Of assets i and j in a piece. */
double levy_correlation_of(const levy_correlation *correlation, size_t piece, size_t i, size_t j);
/* Of two factors, asset i by i and its variance by n_assets + i; LEVY_NO_CORRELATION: the book does
 * not give it. */
double levy_correlation_own(const levy_correlation *correlation, size_t piece, size_t x, size_t y);
/* Whether the book gives any of a variance; and of such two factors, given or not. */
bool levy_correlation_has_variances(const levy_correlation *correlation);
double levy_correlation_whole(const levy_correlation *correlation, size_t piece, size_t x,
                              size_t y);
size_t levy_correlation_pieces(const levy_correlation *correlation);
double levy_correlation_end(const levy_correlation *correlation, size_t piece);
/* The piece that ends at `until` or later. */
size_t levy_correlation_piece(const levy_correlation *correlation, double until);
levy_correlation levy_correlation_of_one(void); /* asset */

/* The first time after t and before `until` at which a correlation changes, or a volatility of
 * assets[at[0]] to assets[at[n - 1]]; `until`: none does. In between, covariances grow evenly. */
double levy_correlation_break(const levy_correlation *correlation, const levy_asset *const *assets,
                              const uint32_t *at, size_t n, double t, double until);

#endif
