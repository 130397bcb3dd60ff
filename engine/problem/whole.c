/* whole.c: builds a trade that is the sum of its legs, the trades after it. See trade.h. */
#include "engine/problem/report_currency.h"
#include "engine/problem/trade.h"

#include <string.h>

/* ---- Currency ---- */

/* Legs in several currencies add up in that of the report. */
static bool whole_currency(levy_check *build, const levy_problem *problem, const levy_trade *leg,
                           levy_trade *trade)
{
    if (!*trade->header.currency) trade->header.currency = leg->header.currency;
    if (strcmp(trade->header.currency, leg->header.currency) == 0) return true;
    if (problem->report) {
        trade->header.currency = problem->report->name;
        return true;
    }
    return LEVY_REFUSE(build, UNSUPPORTED, leg->from->node, trade->from->path,
                       "Add report_currency: EUR to the book: the sum of the legs is in that one.",
                       "the legs of the trade are paid in %s and %s, which do not add up",
                       trade->header.currency, leg->header.currency);
}

/* ---- The whole ---- */

/* The kind of the only leg that is not a premium, or "legs". */
static const char *whole_kind(const levy_trade *trade)
{
    return trade->from->raw->legs.node ? "legs" : trade[1].header.payoff;
}

void levy_trade_join(levy_check *build, const levy_problem *problem, levy_trade *trade)
{
    bool whole = true; /* no leg has a fault */
    trade->header.payoff = whole_kind(trade);
    for (size_t k = 1; k <= trade->from->n_legs; ++k) {
        const levy_trade *const leg = &trade[k];
        if (leg->state == LEVY_TRADE_SETTLED) continue;
        whole = whole && levy_trade_is_planned(leg);
        if (!levy_trade_is_planned(leg)) continue;
        if (!trade->model) trade->model = leg->model;
        if (leg->claim.expiry > trade->claim.expiry) trade->claim.expiry = leg->claim.expiry;
        whole = whole_currency(build, problem, leg, trade) && whole;
    }
    if (!*trade->header.currency)
        trade->header.currency = trade[1].header.currency; /* all have failed */
    if (whole) trade->state = trade->model ? LEVY_TRADE_SUM : LEVY_TRADE_SETTLED;
    if (trade->state != LEVY_TRADE_SETTLED) return;
    LEVY_WARN(build, RANGE, trade->from->node, trade->from->path,
              "Remove trades that have expired and are paid, or check the dates.",
              "all legs are before the valuation: the trade has been paid and is worth 0");
}
