/* trade_claim.h: describes a trade to its payoff's kind (payoffs/claim.h), for callers that ask the
 * kind. Must not know: kinds, items, images. */
#ifndef LEVY_PROBLEM_TRADE_CLAIM_H
#define LEVY_PROBLEM_TRADE_CLAIM_H

#include "engine/problem/problem.h"

/* It points into the trade. */
levy_claim levy_claim_of(const levy_trade *trade);
/* The same for an item that counts something else of a script than its price; NULL: the price. */
levy_claim levy_claim_viewed(const levy_trade *trade, const levy_script_view *view);
/* NULL: it has none. */
const levy_barrier_terms *levy_trade_barrier(const levy_trade *trade);
levy_edges levy_trade_edges(const levy_trade *trade);
/* The only edge of what does not jump; LEVY_EDGE_OTHER: there is no such edge. */
levy_edge levy_trade_bend(const levy_trade *trade);

#endif
