/* settle.c: settles trades that expire today, or have expired and are yet to be paid. They pay on
 * fixings; today's spots replace fixings of today that are not given. See trade.h. */
#include "engine/problem/trade.h"

static bool settle_refuse(const levy_trade_frame *frame, const char *asset)
{
    const levy_node *node = frame->raw->exercise.expiry.node;
    return LEVY_REFUSE(
        frame->build, MISSING_DATA, node,
        levy_check_text(frame->build, "%s.exercise.expiry", frame->path),
        "Add it as [time, level] to the asset's fixings in the market, or remove the trade.",
        "the fixing of %s at expiry, %s, is missing", asset, levy_check_shown(node));
}

bool levy_trade_settle(const levy_trade_frame *frame, levy_trade *trade)
{
    const size_t n = trade->n_underlyings;
    const bool today = trade->claim.expiry == 0;
    double *levels = levy_check_allocate(frame->build, n, sizeof *levels);
    const bool reads =
                   levy_payoff_reads_expiry(levy_payoffs[trade->kind.payoff], trade->claim.terms),
               is_fixed = levy_trade_is_fixed(frame, trade, trade->claim.expiry);
    const levy_asset *missing = NULL;
    size_t found = 0;
    if (!levels) return false;
    for (size_t i = 0; i < n; ++i) {
        const levy_asset *asset = levy_trade_asset(trade, i);
        levels[i] = asset->spot;
        const bool fixed = levy_trade_fixing(frame, trade, i, trade->claim.expiry, &levels[i]);
        found += fixed;
        if (!fixed && !missing) missing = asset;
        if (!fixed && today && reads && is_fixed && !levy_trade_stand_in(frame->build, trade, i))
            return false;
    }
    /* a payoff may need its observations alone */
    if (missing && !today && reads) return settle_refuse(frame, missing->name);
    if (!today || found > 0) trade->claim.fixings = levels;
    return true;
}

/* Observes the end of a known trade's continuous window. Nobody knows the path. As for live trades,
 * no touch is assumed before today or before the fixing at expiry: an option that has been knocked
 * in or out is another trade. */
bool levy_trade_observe_end(levy_check *build, levy_trade *trade, double end)
{
    trade->claim.observations.times =
        levy_check_allocate(build, 1, sizeof *trade->claim.observations.times);
    if (!trade->claim.observations.times) return false;
    if (end < trade->claim.expiry) return true;
    if (trade->claim.fixings)
        levy_trade_take_past(trade, trade->claim.fixings, trade->claim.expiry == 0);
    else
        trade->claim.observes_now = true;
    return true;
}
