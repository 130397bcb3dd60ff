/* trade_claim.h: describes a trade to its payoff's kind (payoffs/claim.h), for callers that ask the
 * kind. Must not know: kinds, items, images. */
#ifndef LEVY_PROBLEM_TRADE_CLAIM_H
#define LEVY_PROBLEM_TRADE_CLAIM_H

#include "engine/problem/problem.h"

/* It points into the trade. */
levy_claim levy_claim_of(const levy_trade *trade);
/* The same for an item that counts `view` of a script instead of its price; NULL: the price. */
levy_claim levy_claim_viewed(const levy_trade *trade, const levy_script_view *view);
/* NULL: it has none. */
const levy_barrier_terms *levy_trade_barrier(const levy_trade *trade);
levy_edges levy_trade_edges(const levy_trade *trade);
/* The only edge of a payoff, if the payoff does not jump there; else LEVY_EDGE_OTHER. */
levy_edge levy_trade_bend(const levy_trade *trade);

#endif
