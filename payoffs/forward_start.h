/* forward_start.h: an option whose strike is a fraction of the level at a later time. State 0: that
 * level. Variant 0 pays max(sign (X - fraction X1), 0), variant 1 max(sign (X / X1 - fraction), 0).
 * Terms: [STRIKE] the fraction, [START] the level if it is known. Lanes only. */
#ifndef LEVY_PAYOFFS_FORWARD_START_H
#define LEVY_PAYOFFS_FORWARD_START_H

#include "payoffs/european.h"

LANE_FN lane forward_start_settle(uint32_t variant, const real *terms, lane start, lane x)
{
    if (variant) return european_settle(terms, x / start);
    return lane_max((x - start * terms[ITEM_STRIKE]) * terms[ITEM_SIGN], lane_of(R(0.0)));
}

#endif
