/* item_terms.h: the data that the lanes read of one item: its kind, its terms, its node terms. A
 * level is in units of the item's scale: its value today if there is one asset. Must not know:
 * which items exist, images' layout. */
#ifndef LEVY_PLAN_ITEM_TERMS_H
#define LEVY_PLAN_ITEM_TERMS_H

#include "engine/problem/problem.h"
#include "kernels/path/image.h"

/* What an item sees of its parameter set. */
typedef struct levy_item_market {
    const double *spots; /* [n_underlyings] */
    double deviation;    /* of the first logarithm at expiry; 0: no lanes ask for it */
    double discount;     /* until the payment */
} levy_item_market;

/* Fills kind, variant, aggregate, scale, the counts of the item's own numbers, the terms
 * [LEVY_ITEM_REALS], the coefficients [n_underlyings] and the unit of its levels. The caller gives
 * the unit's log_unit: logarithms are in units of 1 / log_unit. `view`: what the item counts of a
 * script, or NULL. */
void levy_item_terms(const levy_trade *trade, const levy_script_view *view, levy_item_market market,
                     levy_claim_unit *unit, levy_image_item *item, double *terms,
                     double *coefficients);

/* Adds the terms that the loading at expiry makes (payoffs/integral.h). */
void levy_item_integral(double loading, double log_unit, double *terms);

/* Makes the call of such terms a put; of a forward, one that pays nothing. */
void levy_item_become_put(const levy_trade *t, double *terms);

/* How far the payment of a built-in payoff jumps where a level crosses the strike or barrier, per
 * unit and undiscounted; 0: it does not jump. */
double levy_item_jump(const levy_trade *trade);

/* How much the slope of a script's payment changes about a level, if its dates to come are all at
 * expiry. */
double levy_item_bend(const levy_trade *trade, double level);

/* Whether the trade pays a return, which is not in units of the level. */
bool levy_item_is_return(const levy_trade *trade);

/* The level at t = 0 in units of the item's scale. */
double levy_item_today(const levy_trade *trade, const double *coefficients);

/* What dynamics do to one asset on the grid. */
typedef struct levy_asset_dynamics {
    size_t n_nodes;
    const double *times;
    const double *drift, *variance; /* [n_nodes] of the logarithm, by interval */
    const double *variances;        /* [underlying][n_nodes] of the logarithms, by interval */
    /* [underlying][n_nodes] of the logarithms on the integrated normal; NULL: none is */
    const double *loading;
    /* [n_nodes][underlying] to the gross return of integrated levels; NULL: nothing */
    const double *added;
    const levy_asset *asset;
    const levy_asset *assets; /* [underlying] with the volatilities of the set; NULL: none asks */
    const levy_curve *discount_curve;
    const levy_curve *forward_curve; /* of a floating rate; NULL: it has none */
    double elapsed;                  /* the set's date; nothing is paid before it */
} levy_asset_dynamics;

/* The payoff whose lanes an item runs through; NULL if the item is a floor. */
const levy_payoff *levy_item_lanes(const levy_image_item *item);

/* The program that an item's lanes run; NULL: none. */
const levy_script_program *levy_item_program(const levy_trade *trade, const levy_script_view *view,
                                             const levy_image_item *item);

/* Finds the nodes at which an item counts what it does, of its own numbers. Of one that counts at
 * all times it does nothing. */
void levy_item_count(const levy_trade *trade, const levy_script_view *view, size_t n_nodes,
                     const double *numbers, levy_image_item *item);

/* An item's own numbers: [n_constants], then its node terms, [n_nodes][n_node_terms]. */
void levy_item_numbers(const levy_trade *trade, const levy_image_item *item,
                       const levy_script_view *view, const double *coefficients,
                       const levy_asset_dynamics *dynamics, double log_unit, double *numbers);

#endif
