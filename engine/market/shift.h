/* shift.h: a move of one number of the market. */
#ifndef LEVY_MARKET_SHIFT_H
#define LEVY_MARKET_SHIFT_H

#include "engine/market/asset.h"

#include <stdbool.h>

/* A shift of one number of the market (factors.def). Rates are moved as continuously compounded
 * zero rates, volatilities as Black volatilities, a correlation in all its pieces. Of days that
 * pass the size is their number. */
#define FACTOR(symbol, ...) LEVY_SHIFT_##symbol,
enum {
#include "engine/market/factors.def"
    LEVY_SHIFT_COUNT
};
#undef FACTOR

typedef struct levy_shift {
    int32_t factor;      /* LEVY_SHIFT_ */
    bool relative;       /* times 1 + size, else plus size */
    bool of_variance[2]; /* correlation: of the variances of the two assets, not of their spots */
    double size;
    const char *parameter;   /* the model's name of its number, where that is shifted */
    bool of_jumps;           /* a parameter, which `node` numbers (levy_jump_parameters) */
    const levy_asset *asset; /* NULL: every asset */
    const levy_asset *other; /* correlation: with this one */
    const levy_curve *curve; /* rate; NULL: every curve */
    size_t node;             /* of the factor's nodes; SIZE_MAX: all, in parallel */
    double time;             /* of a parameter's node, which each model may number otherwise */
} levy_shift;

/* What a correlation is of: an asset, or its variance. */
typedef struct levy_correlated {
    const levy_asset *asset;
    bool is_variance;
} levy_correlated;

/* The first or the second of those whose correlation is shifted. */
static inline levy_correlated levy_shift_one(const levy_shift *shift, int which)
{
    return (levy_correlated){which ? shift->other : shift->asset, shift->of_variance[which]};
}

/* Whether a shift of a correlation is of these two, in this order. */
static inline bool levy_shift_is_of(const levy_shift *shift, levy_correlated a, levy_correlated b)
{
    return levy_asset_is(shift->asset, a.asset) && shift->of_variance[0] == a.is_variance &&
           levy_asset_is(shift->other, b.asset) && shift->of_variance[1] == b.is_variance;
}

/* Whether a shift is of a factor and meant for an asset. */
static inline bool levy_shift_hits(const levy_shift *shift, int32_t factor, const levy_asset *asset)
{
    return shift->factor == factor && (!shift->asset || levy_asset_is(shift->asset, asset));
}

/* Whether a shift is of the curve's own rates. Where all curves move by an amount, spreads over
 * them do not, for the sum moves by it; in proportion they do. */
static inline bool levy_shift_is_of_curve(const levy_shift *shift, const levy_curve *curve)
{
    return shift->factor == LEVY_SHIFT_RATE &&
           (shift->curve ? shift->curve == curve : !curve->over || shift->relative);
}

/* Whether a shift is of what an asset drifts by less where it is paid in another currency, or of
 * what a composite asset's rate has but the spot. */
static inline bool levy_shift_is_paid(const levy_shift *shift, const levy_asset *asset)
{
    const levy_correlated own = {asset, false}, fx = {asset->quanto.fx, false},
                          variance = {asset, true};
    if (!asset->quanto.of) return false;
    if (asset->quanto.composite && shift->factor == LEVY_SHIFT_RATE)
        return !shift->curve || levy_asset_grows(fx.asset, shift->curve);
    if (shift->factor == LEVY_SHIFT_CORRELATION)
        return levy_shift_is_of(shift, own, fx) || levy_shift_is_of(shift, fx, own) ||
               levy_shift_is_of(shift, variance, fx) || levy_shift_is_of(shift, fx, variance);
    if (asset->quanto.composite && shift->factor != LEVY_SHIFT_SPOT)
        return levy_shift_hits(shift, shift->factor, fx.asset);
    return levy_shift_hits(shift, LEVY_SHIFT_VOLATILITY, fx.asset);
}

/* What a shift makes of a number of its factor's node `node`. */
static inline double levy_shift_moves(const levy_shift *shift, size_t node, double x)
{
    if (shift->node != SIZE_MAX && shift->node != node) return x;
    return shift->relative ? x * (1.0 + shift->size) : x + shift->size;
}

#endif
