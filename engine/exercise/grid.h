/* grid.h: puts and calls with early exercise by finite differences in the logarithm of the spot:
 * TR-BDF2 in time (R. Bank et al., IEEE Trans. Electron Devices 32, 1985), exercise by elimination
 * towards the region where it pays (M. Brennan, E. Schwartz, J. Finance 32, 1977) or, where that
 * may lie in the middle, by policy iteration (P. Forsyth, K. Vetzal, SIAM J. Sci. Comput. 23,
 * 2002), a dividend as a shift of the spot. Three grids, each with twice the nodes and steps of
 * the one before, are extrapolated by their order, 2. Must not know: curves, trades. */
#ifndef LEVY_EXERCISE_GRID_H
#define LEVY_EXERCISE_GRID_H

#include <stdbool.h>
#include <stddef.h>

/* From the date before to a date, and what happens on it. */
typedef struct levy_exercise_span {
    double time, years;            /* of the date; between */
    double rate, growth, variance; /* integrals: discounting, the forward's, the logarithm's */
    /* by how much rate and growth per span are less at its beginning than on average, and more at
     * its end: between, they are lines */
    double rate_bend, growth_bend;
    double cash, kept; /* on the date the spot becomes kept S - cash, at least 0 */
    bool pays;         /* it is a dividend's date */
    bool exercise;     /* it may be exercised on it, after a dividend */
    int steps;         /* until it, on the coarsest grid; 0: not planned yet */
} levy_exercise_span;

typedef struct levy_exercise_claim {
    double sign, strike;
    bool american; /* at all times, just before a dividend too */
    size_t n;
    levy_exercise_span *spans; /* by time; the last ends at expiry */
    double unit, gather;       /* of the grid: the logarithm is 2 unit sinh(gather x), |x| <= 1 */
} levy_exercise_claim;

enum { LEVY_GRID_NODES = 320, LEVY_GRID_LEVELS = 3 };

typedef struct levy_exercise_grid {
    double log[LEVY_GRID_NODES + 1]; /* of the spot by the strike, on the finest */
    double value[LEVY_GRID_LEVELS][LEVY_GRID_NODES + 1]; /* by the strike; 0: coarsest */
    double worthless[LEVY_GRID_LEVELS];                  /* at a spot of 0 */
} levy_exercise_grid;

/* Levels of the spot at which it is exercised, by time; beyond them, into the money, it is too. */
typedef struct levy_exercise_levels {
    size_t n;
    double *times, *levels;
} levy_exercise_levels;

/* Plans nodes, so that those about the way of this spot are among them, and steps. `like`: a claim
 * in a like market, whose plan is taken over, so that differences of prices are smooth; NULL: there
 * is none. */
void levy_exercise_grid_plan(double spot, const levy_exercise_claim *like,
                             levy_exercise_claim *claim);
/* Of a planned claim. levels: those of the finest grid, from the last on: on the dates of exercise
 * or, American, before each of the planned steps and dividends; NULL: nobody asks. */
void levy_exercise_grid_solve(const levy_exercise_claim *claim, levy_exercise_grid *grid,
                              levy_exercise_levels *levels);
/* As many as there can be. */
size_t levy_exercise_grid_levels(const levy_exercise_claim *claim);
/* The price at a spot, at half the resolution, and of the finest grid alone. */
void levy_exercise_grid_at(const levy_exercise_claim *claim, const levy_exercise_grid *grid,
                           double spot, double value[3]);

#endif
