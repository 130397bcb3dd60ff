/* clocked.h: the plan of models whose log returns are a Brownian motion with drift on a random
 * clock that differs by asset: drift t + skew I(t) + volatility W(I(t)). Its lanes are those of
 * normal_inverse_gaussian.h, whatever the clock. Given the clock a return is normal, so payoffs can
 * be integrated over a normal (model_lanes.h: slopes). Host only. Must not know: any model. */
#ifndef LEVY_MODELS_CLOCKED_H
#define LEVY_MODELS_CLOCKED_H

#include "models/model.h"
#include "models/draw_tables.h"

/* What the clock adds in an interval: its law, as a share of the mean. */
typedef struct levy_clock_increment {
    levy_law law;
    double mean;
} levy_clock_increment;

typedef struct levy_clocked {
    double drift, skew, volatility;
    double numbers[2]; /* of the clock */
    levy_clock_increment (*increment)(const struct levy_clocked *asset, double interval);
} levy_clocked;

/* assets: [grid->n_assets] */
levy_status levy_clocked_plan(const levy_clocked *assets, const levy_model_grid *grid,
                              levy_arena *arena, levy_model_plan *plan);

/* for levy_model_kind.draws */
uint32_t levy_clocked_draws(const levy_model_terms *terms, const levy_model_grid *grid);

#endif
