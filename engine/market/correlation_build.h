/* correlation_build.h: the correlations of a book as one matrix over the factors named, constant or
 * by term. Factors of a market are its assets and, behind them, their variances. */
#ifndef LEVY_MARKET_CORRELATION_BUILD_H
#define LEVY_MARKET_CORRELATION_BUILD_H

#include "engine/market/correlation.h"
#include "engine/market/market.h"

typedef struct levy_correlation_data {
    bool good;
    size_t n;               /* factors named */
    size_t n_assets;        /* of the market */
    uint32_t *rows;         /* [2 n_assets]: of a factor its row + 1; 0: none */
    size_t n_pieces, first; /* the node of the first piece: 1 after a node of today, else 0 */
    double *times;          /* ends of the pieces */
    double *matrices;       /* [piece][row][column]; LEVY_NO_CORRELATION where no pair was given */
    const levy_node *node;
    const char *path;
} levy_correlation_data;

/* Of two factors of the market in a piece; LEVY_NO_CORRELATION: none was given. */
double levy_correlation_given(const levy_correlation_data *data, size_t piece, size_t a, size_t b);

/* Assets must be registered before. Without correlations in the book `data` has n = 0. */
void levy_correlation_build(levy_check *build, levy_market *market, levy_correlation_data *data);

#endif
