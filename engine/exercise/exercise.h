/* exercise.h: what a put or call on one lognormal asset is worth that may be exercised early: on
 * dates (Bermudan) or at all times (American). American options under a flat rate, yield and
 * volatility have a spectral method (boundary.h), all others finite differences (grid.h), and
 * where it never pays to exercise early the price is Black's. Each value comes with the same at a
 * lower resolution, and their difference is its error; it is held within what is known exactly
 * (known_range.h). Must not know: trades, plans,
 * files. */
#ifndef LEVY_EXERCISE_H
#define LEVY_EXERCISE_H

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "engine/exercise/boundary.h"
#include "engine/exercise/grid.h"
#include "engine/market/asset.h"

typedef enum levy_exercise_method {
    LEVY_EXERCISE_NEVER, /* it never pays before expiry: Black's price */
    LEVY_EXERCISE_SPECTRAL,
    LEVY_EXERCISE_DIFFERENCES
} levy_exercise_method;

/* The right: the option pays sign (S - strike), and is paid at once. */
typedef struct levy_exercise_right {
    double sign, strike; /* sign: 1 a call, -1 a put; strike > 0 */
    double expiry;       /* > 0 */
    bool american;       /* at all times; else at expiry and on the dates */
    size_t n_dates;
    const double *dates; /* ascending, before expiry; one that is past is now */
} levy_exercise_right;

/* One market's solution, for any spot. */
typedef struct levy_exercise {
    levy_exercise_method method;
    bool perpetual; /* that of no expiry has a closed form */
    levy_exercise_claim claim;
    double kept, lost; /* of the spot at expiry, less the dividends in cash, discounted */
    double rate, yield, deviation, years; /* where flat */
    levy_boundary fine, coarse;
    levy_exercise_grid *grid;
    /* Where this market needs finite differences and a like one does not, this one's price is the
     * other's and the difference of both grids. NULL: it is its own. */
    const struct levy_exercise *like;
    const struct levy_exercise *last; /* of the markets like this one that were solved, or NULL */
} levy_exercise;

/* Reads the market as from `now` on, in years. `asset` and `discount` are as the market has them,
 * but for its spot; what is paid before now is paid now. */
levy_status levy_exercise_read(const levy_exercise_right *right, const levy_asset *asset,
                               const levy_curve *discount, double now, levy_arena *arena,
                               levy_exercise *exercise);
/* Whether two markets give the same solution, once both are planned. */
bool levy_exercise_same(const levy_exercise *a, const levy_exercise *b);
/* Plans what was read, for this spot and those near it. `like`: the solution of a like market of
 * the same right, from which this one differs smoothly, as by a bump; NULL: there is none. */
void levy_exercise_plan(double spot, const levy_exercise *like, levy_exercise *exercise);
/* Solves it; `like` as before, which may get a grid. */
levy_status levy_exercise_solve(levy_exercise *like, levy_arena *arena, levy_exercise *exercise);

typedef struct levy_exercise_value {
    double value, coarse; /* the latter at half the resolution */
    double plain;         /* of the finest grid alone, before extrapolation */
    double wrong;         /* an error beside these, if it was moved into what is known; >= 0 */
} levy_exercise_value;

levy_exercise_value levy_exercise_at(const levy_exercise *exercise, double spot);
/* Of a solution, the levels at which it is exercised, ascending in time. */
levy_status levy_exercise_find_levels(const levy_exercise *exercise, levy_arena *arena,
                                      levy_exercise_levels *levels);
/* What exercise at once would pay, which has no error. */
levy_exercise_value levy_exercise_now(const levy_exercise *exercise, double spot);

#endif
