/* payoff_lanes.h: the payoffs as the path loop calls them, made of payoffs.def: observe at a node
 * whose flag is set, settle at the end.
 *
 * A payoff with lanes of its own has them in payoffs/<kind>.h, as functions or as one of the
 * defaults below:
 *     <kind>_is_plain(variant)   1: it carries one lane and needs nothing but the level
 *     <kind>_observe_plain(variant, terms, state, level)   what a plain one then carries
 *     <kind>_observe(variant, terms, node_terms, seen, state)   node_terms: the item's own numbers
 *                                at the node
 *     <kind>_settle(variant, terms, state, kept, x)   what it pays on the level x at expiry, in
 *                                units of levy_claim_unit.scale; of 1, where it is a return
 *                                (payoff.h)
 *
 * `variant` and `terms` are what its `numbers` has filled (payoff.h), 0 unless filled. `state`: the
 * lanes that the item carries; they start at ITEM_START, ITEM_SECOND and 0. `kept`: as in seen.h. A
 * specialised kernel knows its own payoffs alone: PATH_PAYOFF_OWN are their lines, and its text has
 * included their headers. Lanes only. Must not know: models. */
#ifndef LEVY_PAYOFFS_LANES_H
#define LEVY_PAYOFFS_LANES_H

#include "payoffs/european.h"
#include "payoffs/seen.h"

#if defined(PATH_PAYOFF_OWN)
#define PATH_PAYOFF_LIST "payoffs/own.def"
#else /* the build makes a list of the headers of payoffs.def */
#define PATH_PAYOFF_LIST "payoffs/payoffs.def"
#include LEVY_PAYOFF_HEADERS
#endif

enum {
#define LEVY_PAYOFF(name, NAME) PAYOFF_##NAME,
#include "payoffs/payoffs.def"
    PAYOFF_FLOOR = 100 /* LEVY_FLOOR_KIND */
};

LANE_FN int payoff_always_plain(uint32_t variant)
{
    (void)variant;
    return 1;
}

LANE_FN int payoff_never_plain(uint32_t variant)
{
    (void)variant;
    return 0;
}

LANE_FN lane payoff_keeps_state(uint32_t variant, const real *terms, lane state, basket_level level)
{
    (void)variant, (void)terms, (void)level;
    return state;
}

LANE_FN void payoff_no_observe(uint32_t variant, const real *terms, const real *node_terms,
                               const payoff_seen *seen, lane *state)
{
    (void)variant, (void)terms, (void)node_terms, (void)seen, (void)state;
}

LANE_FN int payoff_is_plain(uint32_t kind, uint32_t variant)
{
#define LEVY_PAYOFF_LANES(name, NAME)                                                              \
    if (kind == PAYOFF_##NAME) return name##_is_plain(variant);
#include PATH_PAYOFF_LIST
    return 1;
}

LANE_FN lane payoff_observe_plain(uint32_t kind, uint32_t variant, const real *terms, lane state,
                                  basket_level level)
{
#define LEVY_PAYOFF_LANES(name, NAME)                                                              \
    if (kind == PAYOFF_##NAME) return name##_observe_plain(variant, terms, state, level);
#include PATH_PAYOFF_LIST
    return state;
}

LANE_FN void payoff_observe(uint32_t kind, uint32_t variant, const real *terms,
                            const real *node_terms, const payoff_seen *seen, lane *state)
{
#define LEVY_PAYOFF_LANES(name, NAME)                                                              \
    if (kind == PAYOFF_##NAME) name##_observe(variant, terms, node_terms, seen, state);
#include PATH_PAYOFF_LIST
}

LANE_FN lane payoff_settle(uint32_t kind, uint32_t variant, const real *terms, const lane *state,
                           const lane *kept, lane x)
{
#define LEVY_PAYOFF_LANES(name, NAME)                                                              \
    if (kind == PAYOFF_##NAME) return name##_settle(variant, terms, state, kept, x);
#include PATH_PAYOFF_LIST
    return lane_select(x <= R(0.0), lane_of(R(1.0)), lane_of(R(0.0))); /* PAYOFF_FLOOR */
}

#endif
