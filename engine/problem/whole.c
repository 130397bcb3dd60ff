/* whole.c: a trade that is the sum of its legs, which are the trades after it. See trade.h. */
#include "engine/problem/trade.h"

#include <string.h>

/* ---- Currency ---- */

static bool whole_currency(levy_check *build, const levy_collected_trade *from,
                           const levy_trade *leg, levy_trade *trade)
{
    if (!*trade->header.currency) trade->header.currency = leg->header.currency;
    if (strcmp(trade->header.currency, leg->header.currency) == 0) return true;
    return LEVY_REFUSE(build, UNSUPPORTED, leg->header.node, from->path,
                       "Write trades of their own; --by adds up what belongs together.",
                       "the legs of a trade are paid in one currency, but these are in %s and %s",
                       trade->header.currency, leg->header.currency);
}

/* ---- The whole ---- */

/* The kind of the only leg that is not a premium, or "legs". */
static const char *whole_kind(const levy_collected_trade *from, const levy_trade *legs)
{
    return from->raw->legs.node ? "legs" : legs[0].header.payoff;
}

void levy_trade_join(levy_check *build, const levy_collected_trade *from, levy_trade *trade)
{
    levy_trade *const legs = trade + 1;
    bool whole = true; /* no leg has a fault */
    trade->scale = levy_trade_size(from->raw);
    trade->header.payoff = whole_kind(from, legs);
    for (size_t k = 0; k < trade->n_legs; ++k) {
        levy_trade *const leg = &legs[k];
        if (leg->state == LEVY_TRADE_SETTLED) continue;
        whole = whole && levy_trade_is_planned(leg);
        if (!levy_trade_is_planned(leg)) continue;
        if (!trade->first_live) trade->first_live = k + 1;
        if (!trade->model) trade->model = leg->model;
        if (leg->claim.expiry > trade->claim.expiry) trade->claim.expiry = leg->claim.expiry;
        whole = whole_currency(build, from, leg, trade) && whole;
    }
    if (!*trade->header.currency)
        trade->header.currency = legs[0].header.currency; /* all have failed */
    if (whole) trade->state = trade->first_live ? LEVY_TRADE_SUM : LEVY_TRADE_SETTLED;
    if (trade->state != LEVY_TRADE_SETTLED) return;
    LEVY_WARN(build, RANGE, from->node, from->path,
              "Remove trades that have expired and are paid, or check the dates.",
              "all legs are before the valuation: the trade has been paid and is worth 0");
}
