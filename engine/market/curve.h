/* curve.h: discount factors as a function of time. Its members are this room's own. Must not know:
 * how they were quoted. */
#ifndef LEVY_MARKET_CURVE_H
#define LEVY_MARKET_CURVE_H

#include "engine/base/node.h"
#include "engine/market/nodes.h"

enum levy_interpolation { LEVY_LOG_LINEAR_DISCOUNT, LEVY_LINEAR_ZERO, LEVY_MONOTONE_CONVEX };

/* Discount factors. Flat extrapolation of the last forward, or zero rate (linear). A
 * spread is times the factors of the curve that it is over. */
typedef struct levy_curve {
    const char *name;
    const levy_node *node;
    int32_t interpolation;
    size_t n; /* nodes, times > 0 ascending */
    double *times;
    double *log_discounts;         /* log DF at the nodes (log-linear) */
    double *zero_rates;            /* continuously compounded, at the nodes (linear zero) */
    const struct levy_curve *over; /* NULL: it is no spread */
    levy_nodes kinks;              /* of it and of what it is over */
} levy_curve;

double levy_curve_log_discount(const levy_curve *curve, double t); /* 0 at t <= 0 */
levy_nodes levy_curve_nodes(const levy_curve *curve);              /* its own */
levy_nodes levy_curve_kinks(const levy_curve *curve); /* the times at which forwards change */
/* Its own at one of its nodes, continuously compounded. */
double levy_curve_rate(const levy_curve *curve, size_t node);
/* Whether it is another one, or a spread over that. */
bool levy_curve_is_on(const levy_curve *curve, const levy_curve *other);
/* Whether forward rates change between two kinks. */
bool levy_curve_bends(const levy_curve *curve);

#endif
