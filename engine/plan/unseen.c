/* unseen.c: see unseen.h. */
#include "engine/plan/unseen.h"
#include "engine/problem/trade_claim.h"
#include "engine/plan/item_terms.h"
#include "kernels/lane/scalar.h"
#include "models/jump_plan.h"

#define LANE_SCALAR
#include "payoffs/european.h"

/* Events to be expected over all paths, at least. Intervals of 95 % of knock-ins and knock-outs
 * cover 95 to 99 % at 5 to 47 touches, 60 to 85 at 1, 0 to 60 below; those of calls and puts with
 * rare shocks 92 to 98 % at 8 to 52 shocks, 70 to 74 at 1, 13 to 80 below. */
static const double unseen_events = 6.0;

/* ---- Touches ---- */

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

/* What the price owes to touches of one barrier, if too few paths touch it. A window counts as open
 * from today on, which only adds touches. */
static double unseen_touch(const levy_trade *t, const levy_edge *touch, double paths)
{
    const levy_claim claim = levy_claim_of(t);
    const levy_asset *const asset = levy_trade_asset(t, 0);
    const double today = t->claim.coefficients[0] * asset->spot,
                 deviation = levy_trade_deviation(t, 0, t->claim.expiry);
    const double drift =
        levy_asset_log_forward(asset, t->claim.expiry) - 0.5 * deviation * deviation;
    const double distance = levy_log(touch->level / today), side = distance > 0.0 ? 1.0 : -1.0;
    const double chance = unseen_reach(side * distance, side * drift, deviation);
    if (chance * paths >= unseen_events) return 0.0;
    return chance * touch->size(&claim, touch->level) * levy_trade_discount(t);
}

static double unseen_all_touches(const levy_trade *t, double paths)
{
    const levy_edges edges = levy_trade_edges(t);
    double sum = 0.0;
    for (size_t i = 0; i < edges.n && levy_trade_is_continuous(t) && !t->claim.past.knocked; ++i)
        if (edges.each[i].of == LEVY_EDGE_TOUCH) sum += unseen_touch(t, &edges.each[i], paths);
    return sum;
}

/* ---- Jumps ---- */

static double unseen_sign(const levy_plan *plan, uint32_t item)
{
    const uint64_t at = (uint64_t)item * LEVY_ITEM_REALS + ITEM_SIGN;
    return levy_image_real(plan->image, plan->image->item_reals, at);
}

/* Whether paths that jump in that direction may pay far more than others: upward if nothing bounds
 * the payment, downward if it is a put. Calls may be simulated as puts. */
static bool unseen_pays(const levy_plan *plan, const levy_trade *t, uint32_t item, bool up)
{
    const levy_payoff *const kind = levy_payoffs[t->kind.payoff];
    const levy_claim claim = levy_claim_of(t);
    const bool put = unseen_sign(plan, item) < 0.0;
    if (!up) return put && !(kind->pays_amount && kind->pays_amount(t->claim.terms));
    if (levy_payoff_most(kind, &claim) < INFINITY) return false;
    return !put || t->claim.terms->option_type == LEVY_PUT;
}

/* What an asset is expected to add to the level at expiry; downward at most a strike. A return
 * starts at 1. */
static double unseen_level(const levy_trade *t, size_t u, bool up)
{
    const levy_asset *const asset = levy_trade_asset(t, u);
    const double level = t->claim.coefficients[u] * asset->spot *
                         levy_exp(levy_asset_log_forward(asset, t->claim.expiry));
    const double size = level > 0.0 ? level : -level, strike = t->claim.terms->strike;
    if (levy_item_is_return(t)) return 1.0;
    return !up && strike > 0.0 ? fmin(strike, size) : size;
}

static double unseen_jumps(const levy_plan *plan, const levy_trade *t, uint32_t item, double paths,
                           bool up)
{
    const levy_model *const model = t->model;
    double sum = 0.0;
    for (size_t u = 0; u < t->n_underlyings; ++u) {
        const double gain = levy_jump_unseen(model->kind, model->terms, t->underlyings[u],
                                             t->claim.expiry, unseen_events / paths, up);
        if (gain > 0.0) sum += gain * unseen_level(t, u, up);
    }
    return sum > 0.0 && unseen_pays(plan, t, item, up) ? sum * levy_trade_discount(t) : 0.0;
}

levy_unseen levy_plan_unseen(const levy_plan *plan, uint32_t number, double paths)
{
    const levy_image_output *const output =
        LEVY_IMAGE_AT(levy_image_output, plan->image, outputs) + number;
    if (output->measure != LEVY_MEASURE_PRICE || output->trade >= plan->group->n_trades ||
        levy_group_is_still(plan->group))
        return (levy_unseen){0.0, 0.0};
    const levy_trade *const t = &plan->problem->trades[plan->group->trades[output->trade]];
    const uint32_t item = output->first_item + output->term[0];
    return (levy_unseen){unseen_all_touches(t, paths),
                         unseen_jumps(plan, t, item, paths, true) +
                             unseen_jumps(plan, t, item, paths, false)};
}
