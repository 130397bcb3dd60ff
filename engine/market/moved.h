/* moved.h: today's market under shifts and with time gone by: what bumps, scenarios and theta see.
 * Curves, yields, volatilities and correlations are made as they are asked for; the market itself
 * stays as it is. Must not know: trades, models, grids. */
#ifndef LEVY_MARKET_MOVED_H
#define LEVY_MARKET_MOVED_H

#include "engine/base/memory.h"
#include "engine/market/correlation.h"
#include "engine/market/shift.h"

typedef struct levy_moved {
    size_t n_shifts;
    const levy_shift *shifts;
    double elapsed; /* years */
    bool scenario;  /* its prices are those of a book with these quotes, bit for bit */
} levy_moved;

/* Whether it moves the spot, the forward or the volatility of an asset, or the date. */
bool levy_moved_is_asset(const levy_moved *moved, const levy_asset *asset);

/* `time`, but not before the date that has come. */
double levy_moved_time(const levy_moved *moved, double time);
double levy_moved_spot(const levy_moved *moved, const levy_asset *asset);
levy_status levy_moved_curve(const levy_moved *moved, const levy_curve *curve, levy_arena *arena,
                             const levy_curve **shifted);
/* The asset with its curve, its carry and its volatilities moved; its spot is as quoted. */
levy_status levy_moved_asset(const levy_moved *moved, const levy_asset *quoted, levy_arena *arena,
                             levy_asset *asset);
/* A number that stands for the asset's volatility, moved; `relative`: by relative shifts alone. */
double levy_moved_volatility(const levy_moved *moved, const levy_asset *asset, double volatility,
                             bool relative);
/* What absolute shifts add to the asset's volatility, in units of `unit`. */
double levy_moved_added(const levy_moved *moved, const levy_asset *asset, double unit);
/* An asset of a model, as today's market has it and moved, and its number there. */
typedef struct levy_modelled {
    const levy_asset *quoted, *asset;
    size_t number;
} levy_modelled;
/* The covariance of the logarithms of two over (from, to], in which nothing changes. */
double levy_moved_covariance(const levy_moved *moved, const levy_correlation *correlation,
                             levy_modelled a, levy_modelled b, double from, double to);

/* The correlation `rho` of two, moved. */
double levy_moved_correlation(const levy_moved *moved, levy_correlated a, levy_correlated b,
                              double rho);
/* The cash that the asset pays at `time`, over its spot. */
double levy_moved_cash(const levy_moved *moved, const levy_asset *asset, double time);
/* Affine dividends: D over the spot, of an asset that levy_moved_asset made. */
double levy_moved_to_come(const levy_moved *moved, const levy_asset *asset, double time);
/* As levy_asset_log_forward, of such an asset, until `time` of today's dates; under affine
 * dividends of F - D. A dividend that goes ex before the date that has come is paid on that date.
 */
double levy_moved_log_forward(const levy_moved *moved, const levy_asset *asset, double time);

#endif
