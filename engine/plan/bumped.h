/* bumped.h: what a parameter set means for one trade: whether its bumps say what they are asked,
 * and whether its lanes are still exact there. Trades that watch a barrier at all times rest on
 * closed forms between nodes, which today's market was checked for when the file was read; a bumped
 * one is checked here. Must not know: items, images' layout. */
#ifndef LEVY_PLAN_BUMPED_H
#define LEVY_PLAN_BUMPED_H

#include "engine/plan/markets.h"
#include "kernels/path/image.h"

/* LEVY_OUTPUT_ACROSS: its spot lies on the other side of a barrier than today's.
 * LEVY_OUTPUT_NOT_BUMPED: no closed form. */
levy_status levy_bumped_remarks(const levy_market_plan *plan, uint32_t set, const levy_trade *trade,
                                levy_arena *arena, uint32_t *remarks);

#endif
