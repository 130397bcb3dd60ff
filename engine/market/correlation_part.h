/* correlation_part.h: the correlations of a model's assets, taken from those of the book. Must not
 * know: what the model is. */
#ifndef LEVY_MARKET_CORRELATION_PART_H
#define LEVY_MARKET_CORRELATION_PART_H

#include "engine/market/correlation.h"
#include "engine/market/correlation_build.h"

typedef struct levy_correlation_part {
    const levy_market *market;
    const levy_correlation_data *data;
    const levy_node *node; /* of the list of assets */
    const char *name, *path;
    const size_t *assets; /* numbers in the market */
    size_t n;
    /* [n_varied]: the model's correlation of an asset with its variance, and whether the book may
     * say otherwise, since a quote has moved it; NULL: the model has no variances */
    const double *shares;
    size_t n_varied; /* the first assets, which have a variance under the model */
    const bool *moved;
    const char *share; /* its name */
    bool by_term;      /* it is another one at other times */
} levy_correlation_part;

/* False with a fault (a missing pair, an indefinite matrix, another share), or without one if the
 * book's correlations were refused already. */
bool levy_correlation_take(levy_check *build, const levy_correlation_part *part,
                           levy_correlation *correlation);
/* Of assets that are independent. `unplaced` [row][column], row < column: what the book says of a
 * pair; 0: nothing. */
bool levy_correlation_none(levy_check *build, const levy_correlation_part *part,
                           levy_correlation *correlation, double **unplaced);

#endif
