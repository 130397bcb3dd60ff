/* factor.h: the numbers of a market by name, as factors.def lists them: what quotes, scenarios,
 * bumps and measures by node ask of each. Must not know: who asks. */
#ifndef LEVY_MARKET_FACTOR_H
#define LEVY_MARKET_FACTOR_H

#include "engine/market/shift.h"
#include "engine/schema/book.h"

typedef enum levy_factor_owner {
    LEVY_FACTOR_ASSET,
    LEVY_FACTOR_CURVE,
    LEVY_FACTOR_MODEL,
    LEVY_FACTOR_PARAMETER,
    LEVY_FACTOR_PAIR,
    LEVY_FACTOR_TIME
} levy_factor_owner;

/* How a quote moves the numbers of a term structure together: it is added to each; it is the rate
 * of a further discount; each grows by this share. */
typedef enum levy_together {
    LEVY_TOGETHER_ADDED,
    LEVY_TOGETHER_DISCOUNTED,
    LEVY_TOGETHER_SCALED
} levy_together;

enum { LEVY_WRITTEN_LISTS = 2 };

/* Where the files have a factor: a number, or the numbers of a term structure. */
typedef struct levy_written {
    double *value;                        /* NULL: a term structure */
    levy_list *nodes[LEVY_WRITTEN_LISTS]; /* of levy_time_value; NULL: no more */
    levy_together together;
    bool *moved; /* is told whether a quote has set another value; NULL: nobody asks */
} levy_written;

typedef struct levy_factor {
    const char *name;
    levy_factor_owner owner;
    double low, high;
    const char *bounds;                       /* "a spot must lie in (0, 1e12]" */
    levy_written (*written)(const void *raw); /* of levy_raw_asset, or a curve's variant */
    const char *none;
    levy_nodes (*nodes)(const void *owner); /* of levy_asset or levy_curve */
    double (*read)(const void *owner, size_t node);
    const char *(*also)(const levy_shift *shift, const void *owner);
} levy_factor;

extern const levy_factor levy_factors[LEVY_SHIFT_COUNT]; /* by LEVY_SHIFT_ */
/* "NAME.spot, ... and days": of scenarios; and of quotes, with those of models */
extern const char *const levy_factor_list, *const levy_quote_list;
/* A definition, which is const for all who resolve it, for the quotes, which own it. */
void *levy_factor_own(const void *raw);
/* The names of what scenarios move, then NULL. */
void levy_factor_names(const char *names[LEVY_SHIFT_COUNT + 1]);
/* The times of an owner's numbers; NULL and 1: it is one for all times. */
levy_nodes levy_factor_nodes(const levy_factor *factor, const void *owner);
/* Whether bounds allow a number: low <= value <= high, or low < value where they are open. */
bool levy_bounds_allow(double low, double high, bool open, double value);
/* One number, in "SPX.volatility[2027-11-20]". */
typedef struct levy_factor_name {
    const char *owner, *node; /* node: NULL: none is named */
    int n, m;                 /* the lengths of their names */
    int32_t factor;           /* LEVY_SHIFT_ */
    const char *parameter;    /* of LEVY_SHIFT_PARAMETER, as a kind has it; else NULL */
} levy_factor_name;
/* False: it names no factor. */
bool levy_factor_read(const char *text, size_t length, levy_factor_name *name);
/* One of a pair: an asset, or its variance. */
typedef struct levy_pair_one {
    const char *name;
    int n; /* its length */
    bool is_variance;
} levy_pair_one;
/* Two, in "A,B.correlation" or, as the book and measures have it, in "A.spot,B.variance". */
typedef struct levy_pair_name {
    levy_pair_one a, b;
} levy_pair_name;
bool levy_pair_read(const char *factor, levy_pair_name *pair); /* false: it names no pair */
const char *levy_pair_end(bool is_variance);                   /* ".spot", ".variance" */

/* Why an asset or a curve cannot be shifted like this; NULL: it can. */
const char *levy_shift_objection(const levy_shift *shift, const void *owner);

#endif
