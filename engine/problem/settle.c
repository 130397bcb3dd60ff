/* settle.c: trades of which nothing is left to chance: they expire today, or have expired and are
 * yet to be paid. What they pay on is fixings and, today, where no fixing is given, spots. See
 * trade.h. */
#include "engine/problem/trade.h"

static bool settle_refuse(levy_check *build, const levy_trade_frame *frame, const char *asset)
{
    const levy_node *node = frame->raw->exercise.expiry.node;
    return LEVY_REFUSE(
        build, MISSING_DATA, node, levy_check_text(build, "%s.exercise.expiry", frame->path),
        "Add it as [time, level] to the asset's fixings in the market, or remove the trade.",
        "the fixing of %s at expiry, %s, is missing", asset, levy_check_shown(node));
}

bool levy_trade_settle(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const size_t n = trade->n_underlyings;
    const bool today = trade->expiry == 0;
    double *levels = levy_check_allocate(build, n, sizeof *levels);
    const bool reads = levy_payoff_reads_expiry(levy_payoffs[trade->payoff], trade->terms),
               is_fixed = levy_trade_is_fixed(frame, trade, trade->expiry);
    const levy_asset *missing = NULL;
    size_t found = 0;
    if (!levels) return false;
    for (size_t i = 0; i < n; ++i) {
        const levy_asset *asset = trade->model->assets[trade->underlyings[i]];
        levels[i] = asset->spot;
        const bool fixed = levy_fixing_at(&frame->market->fixings[asset - frame->market->assets],
                                          trade->expiry, &levels[i]);
        found += fixed;
        if (!fixed && !missing) missing = asset;
        if (!fixed && today && reads && is_fixed && !levy_trade_stand_in(build, trade, i))
            return false;
    }
    /* what the payoff observes may be all it needs */
    if (missing && !today && reads) return settle_refuse(build, frame, missing->name);
    if (!today || found > 0) trade->settled = levels;
    return true;
}

/* Continuous monitoring of a known trade. The path is not known. As for live trades, no touch is
 * assumed before today, or before the fixing at expiry: an option that has been knocked in or out
 * is another trade. */
bool levy_trade_observe_end(levy_check *build, levy_trade *trade, double end)
{
    trade->observations = levy_check_allocate(build, 1, sizeof *trade->observations);
    if (!trade->observations) return false;
    if (end < trade->expiry) return true;
    if (trade->settled)
        levy_trade_take_past(trade, trade->settled, trade->expiry == 0);
    else
        trade->observes_now = true;
    return true;
}
