/* boundary.h: American puts under a flat rate, yield and volatility, by the spectral method of L.
 * Andersen, M. Lake, D. Offengenden, High-performance American option pricing, J. Computational
 * Finance 20, 2016: the boundary of exercise solves an integral equation, by a fixed point on
 * Chebyshev nodes of its transform, and the premium over the European put is an integral along it.
 * All is in units of the strike, so that one boundary serves all spots and strikes. Must not know:
 * markets, dates, calls. */
#ifndef LEVY_EXERCISE_BOUNDARY_H
#define LEVY_EXERCISE_BOUNDARY_H

#include <stdbool.h>

/* Nodes after the first one. */
enum { LEVY_BOUNDARY_NODES = 19, LEVY_BOUNDARY_POINTS = 64 };

/* Points of an integral over times from a date on. */
typedef struct levy_boundary_points {
    int n;
    double sine[LEVY_BOUNDARY_POINTS], cosine[LEVY_BOUNDARY_POINTS], weight[LEVY_BOUNDARY_POINTS];
} levy_boundary_points;

/* What no market moves. */
typedef struct levy_boundary_rule {
    int n;                                /* intervals between nodes */
    double root[LEVY_BOUNDARY_NODES + 1]; /* of a node's time by the expiry, ascending from 0 */
    levy_boundary_points own, premium;    /* of the equation, and of the put */
    /* [node][point][of node]: interpolates at the times that the integral sees */
    double own_at[LEVY_BOUNDARY_NODES + 1][LEVY_BOUNDARY_POINTS][LEVY_BOUNDARY_NODES + 1];
    double premium_at[LEVY_BOUNDARY_POINTS][LEVY_BOUNDARY_NODES + 1];
} levy_boundary_rule;

/* Of so many nodes and points, at most the room; more are more exact. */
void levy_boundary_rule_make(int n, int own, int premium, levy_boundary_rule *rule);

typedef struct levy_boundary {
    const levy_boundary_rule *rule;
    double rate, yield, deviation, time; /* per year; volatility, > 0; years to expiry, > 0 */
    double start, log_start;             /* the boundary just before expiry, by the strike */
    double log[LEVY_BOUNDARY_NODES + 1]; /* of `start` by the boundary, at the nodes, >= 0 */
    /* at the points of the premium's integral: the boundary in deviations, and what the strike and
     * the spot earn, discounted */
    double seen[LEVY_BOUNDARY_POINTS], paid[LEVY_BOUNDARY_POINTS], lost[LEVY_BOUNDARY_POINTS];
} levy_boundary;

/* rate > 0. False: the fixed point was not found. `near`: a boundary of like numbers to begin with,
 * or NULL. */
bool levy_boundary_find(const levy_boundary_rule *rule, double rate, double yield,
                        double volatility, double time, const levy_boundary *near,
                        levy_boundary *boundary);

/* The put by its strike, at a spot by the strike. *european: the same at expiry alone, or 0 where
 * it was not needed. */
double levy_boundary_put(const levy_boundary *boundary, double spot, double *european);

#endif
