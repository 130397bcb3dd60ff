/* unseen.c: see unseen.h. */
#include "engine/plan/unseen.h"
#include "engine/plan/claim.h"
#include "engine/plan/terms.h"
#include "kernels/lane/scalar.h"

/* Touches to be expected over all paths, at least. Intervals of 95 % of knock-ins and knock-outs
 * cover 95 to 99 % at 5 to 47 touches, 60 to 85 at 1, 0 to 60 below. */
static const double unseen_touches = 6.0;

/* The chance that a Brownian motion with drift reaches a level at a distance, drift and deviation
 * until the end. The drift is positive towards the level. */
static double unseen_reach(double distance, double drift, double deviation)
{
    if (!(distance > 0.0)) return 1.0;
    const double chance = levy_normal_cdf((drift - distance) / deviation) +
                          levy_exp(2.0 * drift * distance / (deviation * deviation)) *
                              levy_normal_cdf(-(drift + distance) / deviation);
    return chance < 1.0 ? chance : 1.0;
}

/* What the price owes to touches of one barrier, if too few paths touch it. Regimes count with
 * their largest volatility, a window as if it were open from today on: both only add touches. */
static double unseen_touch(const levy_trade *t, const levy_claim *claim, double level, double paths)
{
    const levy_model *const model = t->model;
    const levy_asset *const asset = model->assets[t->underlyings[0]];
    const double today = t->coefficients[0] * asset->spot,
                 base = levy_item_deviation(t, 0, t->expiry);
    const double deviation = base * levy_model_rise(model->kind, model->terms, t->underlyings[0],
                                                    base / levy_sqrt(t->expiry));
    const double drift = levy_asset_log_forward(asset, t->expiry) - 0.5 * deviation * deviation;
    const double distance = levy_log(level / today), side = distance > 0.0 ? 1.0 : -1.0;
    const double chance = unseen_reach(side * distance, side * drift, deviation);
    if (chance * paths >= unseen_touches) return 0.0;
    return chance * levy_payoffs[t->payoff]->stake(claim, level) * t->discount_factor;
}

static double unseen_all_touches(const levy_trade *t, double paths)
{
    const levy_claim claim = levy_claim_of(t);
    if (!t->continuous || t->knocked || !levy_payoffs[t->payoff]->stake) return 0.0;
    if (!t->two_barriers) return unseen_touch(t, &claim, t->terms->barrier_level, paths);
    return unseen_touch(t, &claim, t->terms->barrier_lower, paths) +
           unseen_touch(t, &claim, t->terms->barrier_upper, paths);
}

levy_unseen levy_plan_unseen(const levy_plan *plan, uint32_t number, double paths)
{
    const levy_image_output *const output =
        LEVY_IMAGE_AT(levy_image_output, plan->image, outputs) + number;
    if (output->measure != LEVY_MEASURE_PRICE || output->trade >= plan->group->n_trades ||
        plan->group->known)
        return (levy_unseen){0.0};
    const levy_trade *const t = &plan->problem->trades[plan->group->trades[output->trade]];
    return (levy_unseen){unseen_all_touches(t, paths)};
}
