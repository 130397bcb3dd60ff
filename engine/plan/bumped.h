/* bumped.h: the meaning of a parameter set for one trade: whether its bumps give the requested
 * derivative, and whether its lanes are still exact there. Continuously monitored trades use closed
 * forms between nodes. Today's market was checked for them when the file was read; a bumped market
 * is checked here. Must not know: items, images' layout. */
#ifndef LEVY_PLAN_BUMPED_H
#define LEVY_PLAN_BUMPED_H

#include "engine/plan/dynamics.h"
#include "kernels/path/image.h"

/* The underlyings' levels today under a set, as the payoff sees them. */
void levy_bumped_levels(const levy_dynamics_plan *plan, uint32_t set, const levy_trade *trade,
                        double *levels);

/* The level of a trade of one underlying, as one is whose barrier is watched at all times. */
double levy_bumped_level(const levy_dynamics_plan *plan, uint32_t set, const levy_trade *trade);

/* Whether the set's spot is a touch today of a barrier that is watched at all times from today on:
 * the formulas between nodes hold on this side of it alone. A bump that ends just on
 * the other side than today's spot is as that is, so that its difference is that of one side. */
bool levy_bumped_is_touched(const levy_dynamics_plan *plan, uint32_t set, const levy_trade *trade);

/* A remark beside those of image.h: the user's bump is so wide that its bias is not known. */
enum { LEVY_OUTPUT_WIDE = 32 };

/* Whether the set is a bump that the user has given, of more than a part of what levels move until
 * expiry, or of the way to where the payment jumps. The bias of such a bump is no power of its
 * size, so that a probe may see none. */
bool levy_bumped_is_wide(const levy_dynamics_plan *plan, const levy_simulation *simulation,
                         uint32_t set, const levy_trade *trade);

/* Sets LEVY_OUTPUT_ACROSS if the set's spot lies on the other side of a barrier, or of what today
 * decides, than today's spot, and LEVY_OUTPUT_NOT_BUMPED if the set has no closed form, or
 * volatility that the trade's lanes do not reach, or moves a spot that stands for a fixing. */
levy_status levy_bumped_remarks(const levy_dynamics_plan *plan, uint32_t set,
                                const levy_trade *trade, levy_arena *arena, uint32_t *remarks);

#endif
