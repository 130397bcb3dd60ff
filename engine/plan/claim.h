/* claim.h: what a plan tells a payoff's kind of a trade (payoffs/claim.h), for whoever asks a kind
 * what it knows. Must not know: kinds, items, images. */
#ifndef LEVY_PLAN_CLAIM_H
#define LEVY_PLAN_CLAIM_H

#include "engine/problem/problem.h"

/* It points into the trade. */
levy_claim levy_claim_of(const levy_trade *trade);

#endif
