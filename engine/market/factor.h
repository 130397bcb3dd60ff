/* factor.h: the numbers of a market by name, as factors.def lists them: what quotes, scenarios,
 * bumps and measures by node ask of each. Must not know: who asks. */
#ifndef LEVY_MARKET_FACTOR_H
#define LEVY_MARKET_FACTOR_H

#include "engine/market/shift.h"
#include "engine/schema/book.h"

typedef enum levy_factor_owner {
    LEVY_FACTOR_ASSET,
    LEVY_FACTOR_CURVE,
    LEVY_FACTOR_PAIR
} levy_factor_owner;

/* Where the files have a factor: a number, or the numbers of a term structure. */
typedef struct levy_written {
    double *value;    /* NULL: a term structure */
    levy_list *nodes; /* of levy_time_value; NULL with `value` NULL: it is not written */
    bool discounts;   /* the nodes are discount factors */
    bool *moved;      /* is told whether a quote has set another value; NULL: nobody asks */
} levy_written;

typedef struct levy_factor {
    const char *name;
    levy_factor_owner owner;
    double low, high;
    const char *bounds;                       /* "a spot must lie in (0, 1e12]" */
    levy_written (*written)(const void *raw); /* of levy_raw_asset, or a curve's variant */
    levy_nodes (*nodes)(const void *owner);   /* of levy_asset or levy_curve */
    double (*read)(const void *owner, size_t node);
} levy_factor;

extern const levy_factor levy_factors[LEVY_SHIFT_COUNT]; /* by LEVY_SHIFT_ */
extern const char *const levy_factor_list;               /* "NAME.spot, ..., CURVE.rate" */
/* LEVY_SHIFT_COUNT: there is no such name. */
size_t levy_factor_find(const char *name, size_t length);
/* The names of what belongs to assets, or to curves, then NULL. */
size_t levy_factor_names(levy_factor_owner owner, const char *names[LEVY_SHIFT_COUNT + 1]);
/* Whether a number may be one of the factor's. */
bool levy_factor_allows(const levy_factor *factor, double value);
/* Why an asset or a curve cannot be shifted like this; NULL: it can. */
const char *levy_shift_objection(const levy_shift *shift, const void *owner);

#endif
