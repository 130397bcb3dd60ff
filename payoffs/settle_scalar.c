/* settle_scalar.c: see settle_scalar.h. */
#include "payoffs/settle_scalar.h"

#include "engine/script/program.h"

#include <stdbool.h>

#define LANE_SCALAR
#include "payoffs/payoff_lanes.h"

double levy_payoff_settle(uint32_t kind, uint32_t variant, const double *terms,
                          const double *states, size_t n, double level)
{
    lane state[LEVY_SCRIPT_STATES] = {lane_of(terms[ITEM_START]), lane_of(terms[ITEM_SECOND])};
    for (size_t k = 0; k < n; ++k) state[k] = lane_of(states[k]);
    return payoff_settle(kind, variant, terms, state, NULL, lane_of(level))[0];
}
