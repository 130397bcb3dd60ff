/* bumped.c: see bumped.h. */
#include "engine/plan/bumped.h"

#include "engine/problem/today.h"
#include "engine/problem/trade_claim.h"
#include "kernels/lane/scalar.h"

#include <math.h>

static const double bumped_farther = 1.5; /* of what lanes reach, in a scenario */
static const double bumped_beyond = 0.01; /* of a level, how far a bump goes on beyond a barrier */
/* A bump is wide from these shares on: of a deviation, of a volatility if the payment jumps, and of
 * the way to a jump. No jump is searched for beyond the last. */
static const double bumped_wide = 0.3, bumped_wide_jump = 0.15, bumped_far = 0.5,
                    bumped_farthest = 0.75;

double levy_bumped_level(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t)
{
    return t->claim.coefficients[0] * levy_dynamics_spot(m, set, 0);
}

static bool bumped_is_beyond(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t)
{
    return levy_barrier_is_beyond(levy_trade_barrier(t), levy_bumped_level(m, set, t));
}

bool levy_bumped_is_touched(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t)
{
    const levy_barrier_terms *const barrier = levy_trade_barrier(t);
    if (t->claim.watches != LEVY_WATCHES_ALWAYS || t->claim.past.knocked ||
        t->state == LEVY_TRADE_KNOWN || !barrier)
        return false;
    const double level = levy_bumped_level(m, set, t);
    const double distance = levy_barrier_distance(barrier, level);
    const bool near = distance >= -bumped_beyond && distance <= bumped_beyond;
    if (set > 0 && !m->sets[set].scenario && near) return levy_bumped_is_touched(m, 0, t);
    return levy_barrier_touches(barrier, level);
}

/* Whether the closed form of the rebate at hit holds over (from, to], as the set sees it. */
static bool bumped_has_rebate(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                              const levy_asset *asset, const levy_curve *curve, double from,
                              double to)
{
    const double a = levy_dynamics_time(m, set, from), b = levy_dynamics_time(m, set, to);
    if (!(b > a)) return true;
    const double variance = levy_asset_variance(asset, b) - levy_asset_variance(asset, a);
    const double rate = levy_curve_log_discount(curve, a) - levy_curve_log_discount(curve, b);
    const double drift = levy_dynamics_log_forward(m, set, asset, to) -
                         levy_carry_drop(&asset->carry, to) -
                         levy_dynamics_log_forward(m, set, asset, from) - 0.5 * variance;
    return levy_barrier_has_hit(levy_trade_barrier(t), drift, variance, rate);
}

void levy_bumped_levels(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                        double *levels)
{
    for (size_t u = 0; u < t->n_underlyings; ++u)
        levels[u] = t->claim.coefficients[u] * levy_dynamics_spot(m, set, u);
}

/* Whether what is observed today decides otherwise under the set. */
static bool bumped_decides(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t)
{
    double levels[LEVY_MAX_ASSETS], moved[LEVY_MAX_ASSETS];
    levy_bumped_levels(m, 0, t, levels);
    levy_bumped_levels(m, set, t, moved);
    return !levy_today_is_same(t, levels, moved);
}

/* Whether the set moves a spot that replaced a fixing of today. The past has run on it once, for
 * all sets. */
static bool bumped_moves_past(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t)
{
    for (size_t u = 0; t->claim.stands_in && u < t->n_underlyings; ++u)
        if (t->claim.stands_in[u] && levy_dynamics_spot(m, set, u) != levy_dynamics_spot(m, 0, u))
            return true;
    return false;
}

/* Whether the set's volatility leaves what the lanes of an integrated trade can do. */
static levy_status bumped_reach(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                                levy_arena *arena, uint32_t *remarks)
{
    const levy_payoff *const kind = levy_payoffs[t->kind.payoff];
    double deviation;
    if (set == 0 || !levy_trade_is_integrated(t) || !kind->reach) return LEVY_OK;
    LEVY_TRY(levy_dynamics_moved_deviation(m, set, 0, t->claim.expiry, arena, &deviation));
    if (deviation > bumped_farther * kind->reach(t->claim.terms))
        *remarks |= LEVY_OUTPUT_NOT_BUMPED;
    return LEVY_OK;
}

levy_status levy_bumped_remarks(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                                levy_arena *arena, uint32_t *remarks)
{
    const levy_curve *curve;
    levy_asset asset;
    double from = 0.0;
    *remarks = 0;
    if (set > 0 && bumped_decides(m, set, t)) *remarks |= LEVY_OUTPUT_ACROSS;
    if (bumped_moves_past(m, set, t)) *remarks |= LEVY_OUTPUT_NOT_BUMPED;
    LEVY_TRY(bumped_reach(m, set, t, arena, remarks));
    if (set == 0 || !levy_trade_is_continuous(t) || !levy_trade_barrier(t)) return LEVY_OK;
    if (t->claim.watches == LEVY_WATCHES_ALWAYS &&
        bumped_is_beyond(m, set, t) != bumped_is_beyond(m, 0, t))
        *remarks |= LEVY_OUTPUT_ACROSS;
    if (!levy_trade_pays_at_hit(t) || levy_trade_sees_variances(t) ||
        levy_bumped_is_touched(m, set, t))
        return LEVY_OK;
    LEVY_TRY(levy_dynamics_asset(m, set, 0, arena, &asset));
    LEVY_TRY(levy_dynamics_curve(m, set, t->discount_curve, arena, &curve));
    for (size_t i = 0; i < t->claim.observations.n; from = t->claim.observations.times[i++])
        if (!bumped_has_rebate(m, set, t, &asset, curve, from, t->claim.observations.times[i]))
            *remarks |= LEVY_OUTPUT_NOT_BUMPED;
    return LEVY_OK;
}

/* ---- Wide bumps ---- */

/* The least deviation of the underlyings at expiry, or that of one of them. */
static double bumped_deviation(const levy_dynamics_plan *m, const levy_asset *only)
{
    double least = INFINITY;
    for (size_t u = 0; u < m->trade->n_underlyings; ++u) {
        const levy_asset *const asset = levy_trade_asset(m->trade, u);
        if (!only || levy_asset_is(asset, only))
            least = fmin(least, levy_dynamics_deviation(m, asset, levy_dynamics_expiry(m)));
    }
    return least;
}

/* How far it is to where the payment jumps, or how far levels move until they are asked. */
static double bumped_way(const levy_dynamics_plan *m, const levy_trade *t, const levy_asset *asset)
{
    levy_decision next[LEVY_SCRIPT_BLOCKS];
    double levels[LEVY_MAX_ASSETS], way = INFINITY;
    levy_bumped_levels(m, 0, t, levels);
    if (t->claim.watches == LEVY_WATCHES_ALWAYS && levy_trade_barrier(t))
        way = fabs(levy_barrier_distance(levy_trade_barrier(t), levels[0]));
    const size_t n =
        levy_trade_jumps(t) ? levy_today_decisions(t, levels, bumped_farthest, next) : 0;
    for (size_t k = 0; k < n; ++k)
        way = fmin(way, fmax(next[k].reach, levy_dynamics_deviation(m, asset, next[k].time)));
    return way;
}

static bool bumped_shift_is_wide(const levy_dynamics_plan *m, const levy_simulation *s,
                                 const levy_shift *shift, const levy_trade *t)
{
    const double size = fabs(shift->size), expiry = levy_dynamics_expiry(m);
    if (shift->factor == LEVY_SHIFT_SPOT && (size == s->spot_bump || size == s->gamma_bump))
        return size > bumped_wide * bumped_deviation(m, shift->asset) ||
               size > bumped_far * bumped_way(m, t, shift->asset);
    if (shift->factor == LEVY_SHIFT_VOLATILITY && size == s->volatility_bump)
        return size * levy_sqrt(expiry) > (levy_trade_jumps(t) ? bumped_wide_jump : bumped_wide) *
                                              bumped_deviation(m, shift->asset);
    if ((shift->factor == LEVY_SHIFT_RATE || shift->factor == LEVY_SHIFT_YIELD) &&
        size == s->rate_bump)
        return size * expiry > bumped_wide * bumped_deviation(m, NULL);
    return false;
}

bool levy_bumped_is_wide(const levy_dynamics_plan *m, const levy_simulation *s, uint32_t set,
                         const levy_trade *t)
{
    const levy_moved *const p = &m->sets[set];
    bool wide = false;
    for (size_t i = 0; i < p->n_shifts && !p->scenario && t->state != LEVY_TRADE_KNOWN; ++i)
        wide = wide || bumped_shift_is_wide(m, s, &p->shifts[i], t);
    return wide;
}
