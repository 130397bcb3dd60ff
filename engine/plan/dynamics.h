/* dynamics.h: the parameter sets of a group (today's market and its bumps) and the dynamics that
 * are simulated for them: drifts and factors on the group's grid. All use the same draws, clock and
 * rotation of the factors. A set that only moves spots shares the returns of another set, unless
 * there are cash dividends. Must not know: items, images.
 *
 * A set can move time by `elapsed` years. Everything to be observed or paid until then is observed
 * and paid now, at today's spots, and the model continues from there. Rates, volatilities and
 * correlations keep their dates. The change of a price is then the model's own time derivative, and
 * parameters that are constant between two nodes stay constant there. If the factors are constant,
 * the paths are those of today's grid without the part of the driver before the new date: the
 * driver at node k is W(k) - sum over j <= k of share(j) (W(j) - W(j - 1)). The elapsed share is 1
 * before the new date, and 1 - sqrt(remaining share of the interval) in the interval that contains
 * it.
 *
 * A model's own drivers are rows below the assets' in one covariance, so that one rotation gives
 * the factors of both, and all are bridged. Each is correlated with its asset's driver as the model
 * says; given all assets' drivers they are independent, so that the matrix stays positive
 * semidefinite whatever the market's correlations are. Where the book gives correlations of
 * variances, these stand in place of what follows from that. */
#ifndef LEVY_PLAN_DYNAMICS_H
#define LEVY_PLAN_DYNAMICS_H

#include "engine/fourier/middle.h"
#include "engine/plan/factors.h"
#include "engine/market/parameter.h"
#include "engine/plan/plan.h"

/* The middles of the first underlying's law at some dates up to expiry; n 0: none are known. */
enum { LEVY_MIDDLES = 9 };
typedef struct levy_middles {
    size_t n;
    double times[LEVY_MIDDLES];
    levy_middle of[LEVY_MIDDLES];
} levy_middles;

typedef struct levy_dynamics_plan {
    const levy_trade *trade; /* any trade of the group: all have its model and underlyings */
    const levy_group *group;
    size_t n_assets, n_factors;
    size_t n_own;      /* the model's drivers beside the assets': [asset][driver] */
    bool led;          /* given the assets', each own driver is independent of the others: */
                       /* levy_rotation_create_led */
    size_t n_numbers;  /* that the model makes of an interval for each asset, beside those */
    double *own_unit;  /* [n_own]: their deviation in a year, as rows of the covariance */
    bool per_interval; /* whether factors change over time */
    uint32_t has_cash; /* LEVY_CASH_: as in the image of a group that is not integrated */
    bool paid;         /* LEVY_MODEL_PAID: an underlying is paid in another currency */
    bool composite;    /* an underlying is an asset times a rate of exchange */
    size_t n_sets, n_dynamics, set_room, terms_room, dynamics_room;
    levy_moved *sets;               /* sets[0] is the market as quoted */
    const levy_model_terms **terms; /* [n_sets]: of the model */
    uint32_t
        *set_of; /* [n_dynamics]: the set whose returns each simulates; dynamics 0 are set 0's */
    levy_rotation rotation;
    double *first; /* [n_assets]: the first factor's share of a variance; NULL: it is not known */
    double *clock; /* [n_nodes] */
    levy_middles middles; /* peaks.h */
    double max_step;      /* of the simulation */
} levy_dynamics_plan;

/* Makes the clock, the factors' rotation, set 0 and dynamics 0. `eigen`: order factors by
 * variance. */
levy_status levy_dynamics_create(const levy_problem *problem, const levy_group *group, bool eigen,
                                 levy_arena *arena, levy_dynamics_plan *plan);

/* The first adds a set, whose shifts must live as long as the plan; the second adds dynamics that
 * simulate a set. */
levy_status levy_dynamics_add_set(levy_dynamics_plan *plan, levy_arena *arena, levy_moved set,
                                  uint32_t *number);
levy_status levy_dynamics_add(levy_dynamics_plan *plan, levy_arena *arena, uint32_t set,
                              uint32_t *dynamics);

/* Whether the set's returns differ from those of set 0. */
bool levy_dynamics_moves_returns(const levy_dynamics_plan *plan, uint32_t set);

/* Whether a set moves an underlying's spot, its forward, its volatility or the date. */
bool levy_dynamics_moves_asset(const levy_dynamics_plan *plan, uint32_t set, size_t u);

/* *good becomes false if the set is not a valid market: a volatility is not positive, a total
 * variance falls, numbers of the model are out of bounds or want shorter steps than the grid's, or
 * correlations are not positive semidefinite or need a factor that today's do not have. */
levy_status levy_dynamics_check(const levy_dynamics_plan *plan, uint32_t set, levy_arena *arena,
                                bool *good);

/* The standard deviation of an underlying's logarithm at time t, as quoted or as the model has it.
 */
double levy_dynamics_deviation(const levy_dynamics_plan *plan, const levy_asset *asset, double t);

/* Does the same for underlying u under a set. */
levy_status levy_dynamics_moved_deviation(const levy_dynamics_plan *plan, uint32_t set, size_t u,
                                          double t, levy_arena *arena, double *deviation);

/* The correlation of the drivers of underlyings u and v at a time. */
double levy_dynamics_correlation(const levy_dynamics_plan *plan, uint32_t set, double time,
                                 size_t u, size_t v);

/* What items read of a set. `u`: index into the underlyings. */
double levy_dynamics_spot(const levy_dynamics_plan *plan, uint32_t set, size_t u);
/* Length of a node's row of the image's `own`; 0: the model has no drivers beside the assets'. */
size_t levy_dynamics_own_row(const levy_dynamics_plan *plan);
/* The last date of a group that is not known. */
double levy_dynamics_expiry(const levy_dynamics_plan *plan);
/* `time`, but not before the set's own date. */
double levy_dynamics_time(const levy_dynamics_plan *plan, uint32_t set, double time);
/* Makes the underlying as a set sees it: its curve, its Black volatilities and its yield. */
levy_status levy_dynamics_asset(const levy_dynamics_plan *plan, uint32_t set, size_t u,
                                levy_arena *arena, levy_asset *asset);
/* Does the same with the volatility that represents the underlying, also if the model has its own.
 * A script's volatility(t1, t2) is this one. */
levy_status levy_dynamics_black(const levy_dynamics_plan *plan, uint32_t set, size_t u,
                                levy_arena *arena, levy_asset *asset);
/* What a set adds to all of the model's own volatilities of the underlying, relative to the one
 * that stands for the asset's. 0 if the model has none of its own. */
double levy_dynamics_added(const levy_dynamics_plan *plan, uint32_t set, size_t u);
/* As levy_asset_log_forward, for an asset as the set sees it, until `time` of today's grid; under
 * affine dividends of the forward. A
 * dividend that goes ex before the set's date is paid on that date. */
double levy_dynamics_log_forward(const levy_dynamics_plan *plan, uint32_t set,
                                 const levy_asset *asset, double time);
levy_status levy_dynamics_curve(const levy_dynamics_plan *plan, uint32_t set,
                                const levy_curve *curve, levy_arena *arena,
                                const levy_curve **shifted);
levy_status levy_dynamics_discount(const levy_dynamics_plan *plan, uint32_t set,
                                   const levy_trade *trade, levy_arena *arena, double *factor);

/* The numbers of one dynamics: drift [n_nodes][n_assets] (levels, or increments per interval),
 * factor [per_interval ? n_nodes : 1][n_assets][n_factors], cash [n_nodes][n_assets] (as in the
 * image; NULL: none), elapsed_share [n_nodes] (NULL: not wanted), own [n_nodes][own row] as in the
 * image, without the model's numbers (not written if n_own is 0). With per_interval the elapsed
 * shares are 0, because the factors leave out the elapsed time themselves.
 */
levy_status levy_dynamics_fill(const levy_dynamics_plan *plan, size_t dynamics, levy_arena *arena,
                               double *drift, double *factor, double *cash, double *elapsed_share,
                               double *own);

#endif
