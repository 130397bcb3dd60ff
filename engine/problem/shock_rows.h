/* shock_rows.h: reads rows of shocks, each a log jump of every asset and a weight. Must not know:
 * what becomes of them. */
#ifndef LEVY_PROBLEM_SHOCK_ROWS_H
#define LEVY_PROBLEM_SHOCK_ROWS_H

#include "engine/base/check.h"

enum { LEVY_SHOCK_ASSETS = 100 }; /* a model has no more */

typedef struct levy_shock_rows {
    levy_check *build;
    const levy_node *node;
    const char *path, *name;  /* name: of the file, or NULL */
    const char *const *names; /* of the assets of a row; NULL: a row is of one asset */
    const char *noun;         /* what a size is: "log jump" */
    size_t n_sizes;           /* in a row, before its weight; at most LEVY_SHOCK_ASSETS */
    size_t n, room, columns;
    double
        *rows; /* of the caller's allocator, who releases it: [n][n_sizes + 1], the weight last */
} levy_shock_rows;

/* They add the rows of a text of CSV, or of a matrix in the book. False with a fault, or if there
 * is no memory. */
bool levy_shock_rows_csv(levy_shock_rows *f, const char *text, size_t length);
bool levy_shock_rows_matrix(levy_shock_rows *f, const levy_matrix *m);

#endif
