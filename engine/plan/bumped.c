/* bumped.c: see bumped.h. */
#include "engine/plan/bumped.h"
#include "kernels/lane/scalar.h"

/* The deviation of an interval over the distance of two barriers up to which the images of
 * payoffs/barrier.h suffice. */
static const double bumped_most_deviations = 8.0;

/* Where a spot lies: 0 between two barriers or short of one, 1 touched. Of one that may be crossed:
 * its sides. */
static int bumped_side(const levy_trade *t, double spot)
{
    const levy_payoff_terms *const p = t->terms;
    const double level = t->coefficients[0] * spot;
    if (t->two_barriers) return level <= p->barrier_lower || level >= p->barrier_upper;
    return p->barrier_direction == LEVY_BARRIER_UP ? level >= p->barrier_level
                                                   : level <= p->barrier_level;
}

/* Of the (from, to] of a grid, as the set sees it. */
static bool bumped_has_rebate(const levy_market_plan *m, uint32_t set, const levy_trade *t,
                              const levy_asset *asset, const levy_curve *curve, double from,
                              double to)
{
    const double a = levy_markets_time(m, set, from), b = levy_markets_time(m, set, to);
    if (!(b > a)) return true;
    const double variance =
        levy_asset_total_variance(asset, b) - levy_asset_total_variance(asset, a);
    const double rate = levy_curve_log_discount(curve, a) - levy_curve_log_discount(curve, b);
    const double drift = levy_markets_log_growth(m, set, asset, to) - levy_asset_drop(asset, to) -
                         levy_markets_log_growth(m, set, asset, from) - 0.5 * variance;
    if (rate < 0.0 && drift * drift + 2.0 * rate * variance < 0.0) return false;
    const double width =
        t->two_barriers ? levy_log(t->terms->barrier_upper / t->terms->barrier_lower) : 0.0;
    return !t->two_barriers ||
           variance <= bumped_most_deviations * bumped_most_deviations * width * width;
}

levy_status levy_bumped_remarks(const levy_market_plan *m, uint32_t set, const levy_trade *t,
                                levy_arena *arena, uint32_t *remarks)
{
    const levy_curve *curve;
    levy_asset asset;
    double from = 0.0;
    *remarks = 0;
    if (set == 0 || !t->continuous || levy_payoffs[t->payoff]->lanes != LEVY_PAYOFF_BARRIER)
        return LEVY_OK;
    if (t->window_start == 0.0 &&
        bumped_side(t, levy_markets_spot(m, set, 0)) != bumped_side(t, levy_markets_spot(m, 0, 0)))
        *remarks |= LEVY_OUTPUT_ACROSS;
    if (!t->rebate_at_hit) return LEVY_OK;
    LEVY_TRY(levy_markets_asset(m, set, 0, arena, &asset));
    LEVY_TRY(levy_markets_curve(m, set, t->discount_curve, arena, &curve));
    for (size_t i = 0; i < t->n_observations; from = t->observations[i++])
        if (!bumped_has_rebate(m, set, t, &asset, curve, from, t->observations[i]))
            *remarks |= LEVY_OUTPUT_NOT_BUMPED;
    return LEVY_OK;
}
