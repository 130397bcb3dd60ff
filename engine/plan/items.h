/* items.h: what a group evaluates: one item per trade and bumped market, and the outputs (price, delta, vega) as fixed
 * linear combinations of items. Terms are scaled so that lanes work on growths since today. Must not know: images. */
#ifndef LEVY_PLAN_ITEMS_H
#define LEVY_PLAN_ITEMS_H

#include "engine/plan/markets.h"

enum { LEVY_OUTPUT_FLOOR = 1 << 30 }; /* measure of the group's floor probability; its trade is all ones */
enum { LEVY_FLAG_BITS = 30 };

typedef struct levy_item_plan {
    size_t n_items, n_outputs, n_patterns;
    levy_image_item *items;
    double *reals;        /* [n_items][LEVY_ITEM_REALS] */
    double *coefficients; /* [n_items][n_assets] */
    levy_image_output *outputs;
    uint32_t *flags;      /* [n_nodes] */
} levy_item_plan;

levy_status levy_items_plan(const levy_problem *problem, const levy_market_plan *markets, levy_arena *arena, levy_item_plan *plan,
                            char *why);

#endif
