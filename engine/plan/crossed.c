/* crossed.c: see crossed.h. */
#include "engine/plan/crossed.h"

#include "engine/plan/bumped.h"
#include "engine/plan/law.h"
#include "engine/plan/item_terms.h"
#include "engine/problem/trade_claim.h"
#include "engine/problem/today.h"
#include "kernels/lane/scalar.h"

#include <math.h>

/* Levels beyond which so few paths are, on any date, have their errors from rare.h. */
static const double crossed_least = 1e-4;
/* Beyond a kink that fewer paths reach, replicates must tell whether any did. */
static const double crossed_bent = 0.02;
/* Deviations within which what a script decides is looked for. */
static const double crossed_near = 4.0;

/* So many dates of a schedule are looked at, of jumps the last one; and so many levels of a side.
 */
enum { CROSSED_DATES = 4, CROSSED_TRIES = 2 };

/* ---- Levels ---- */

static levy_status crossed_keep(levy_crossings *found, levy_crossing c, levy_arena *arena)
{
    if (!LEVY_ARENA_GROW(arena, found->each, found->n, found->room, 8)) return LEVY_MEMORY;
    found->each[found->n++] = c;
    return LEVY_OK;
}

/* Adds an underlying's level on some dates. */
static levy_status crossed_add(const levy_dynamics_plan *m, size_t u, levy_times dates,
                               double level, levy_arena *arena, levy_crossings *found)
{
    const double spot = levy_dynamics_spot(m, 0, u);
    const size_t most = levy_law_has_tails(m) ? 1 : CROSSED_DATES,
                 step = (dates.n + most - 1) / most, looked = (dates.n + step - 1) / step;
    levy_law_view seen;
    if (found->n_levels == LEVY_CROSSED_LEVELS || !(level > 0.0)) return LEVY_OK;
    LEVY_TRY(levy_law_see(m, 0, u, arena, &seen));
    for (size_t k = 0; k < looked; ++k) {
        levy_crossing c = {.underlying = u,
                           .number = found->n_levels,
                           .time = dates.times[dates.n - 1 - k * step],
                           .level = level,
                           .side = level > spot ? 1.0 : -1.0,
                           .share = 1.0 / (double)looked};
        c.chance = levy_law_chance(m, &seen, c.time, c.level, c.side);
        if (c.chance > crossed_least) LEVY_TRY(crossed_keep(found, c, arena));
    }
    ++found->n_levels;
    return LEVY_OK;
}

/* ---- Scripts ---- */

/* How far from today's levels it is looked for what a script decides by a date, to one side: so
 * many deviations of the underlying that moves most, or the largest move, relative. */
static double crossed_reach(const levy_dynamics_plan *m, const levy_trade *t, double time,
                            double side)
{
    static const double least = 0.25, most = 4.0; /* of today's levels */
    double deviation = 0.0;
    for (size_t u = 0; u < t->n_underlyings; ++u)
        deviation = fmax(deviation, levy_dynamics_deviation(m, levy_trade_asset(t, u), time));
    const double move = crossed_near * deviation;
    return side > 0.0 ? fmin(levy_exp(fmin(move, 2.0)), most) - 1.0 : fmin(move, 1.0 - least);
}

/* Adds the nearest levels at which a schedule of a script decides otherwise as underlying `which`
 * (n: all of them) goes to one side from today's levels. */
static levy_status crossed_walk(const levy_dynamics_plan *m, const levy_trade *t,
                                const double *levels, uint32_t k, size_t which, double side,
                                levy_arena *arena, levy_crossings *found)
{
    const levy_times dates = levy_trade_schedule(t, k);
    const double most = crossed_reach(m, t, dates.times[dates.n - 1], side);
    const size_t n = t->n_underlyings, first = which < n ? which : 0,
                 end = which < n ? which + 1 : n;
    double at[LEVY_MAX_ASSETS], moved = 1.0;
    for (size_t u = 0; u < n; ++u) at[u] = levels[u];
    for (int tries = 0; tries < CROSSED_TRIES; ++tries) {
        const double reach = levy_today_next_reach(t, at, k, which, side, most);
        if (!(reach < most)) break;
        moved *= 1.0 + side * reach;
        for (size_t u = first; u < end; ++u) {
            at[u] = levels[u] * moved * (1.0 + side * (1e-3 * reach + 1e-6));
            LEVY_TRY(crossed_add(m, u, dates, moved * levy_dynamics_spot(m, 0, u), arena, found));
        }
    }
    return LEVY_OK;
}

/* Where it jumps, each underlying alone may do it, or all together if none does; a kink that all of
 * them make is enough. */
static levy_status crossed_script(const levy_dynamics_plan *m, const levy_trade *t,
                                  levy_arena *arena, levy_crossings *found)
{
    const size_t n = t->n_underlyings;
    double levels[LEVY_MAX_ASSETS];
    levy_bumped_levels(m, 0, t, levels);
    for (uint32_t k = 0; k <= t->kind.n_further; ++k) {
        if (levy_trade_schedule(t, k).n == 0) continue;
        for (double side = -1.0; side <= 1.0; side += 2.0) {
            const size_t before = found->n_levels;
            for (size_t u = 0; u < n && levy_trade_is_discontinuous(t); ++u)
                LEVY_TRY(crossed_walk(m, t, levels, k, u, side, arena, found));
            if (found->n_levels == before)
                LEVY_TRY(crossed_walk(m, t, levels, k, n, side, arena, found));
        }
    }
    return LEVY_OK;
}

/* Whether a kink has been found before, on another schedule. */
static bool crossed_is_known(const levy_crossings *found, size_t i)
{
    const double level = found->each[i].level;
    size_t k = 0;
    while (k < i && fabs(found->each[k].level - level) > 0.01 * level) ++k;
    return k < i;
}

static void crossed_bends(const levy_dynamics_plan *m, const levy_trade *t, levy_crossings *found)
{
    found->bent = found->bends && m->n_assets == 1 && m->group->n_nodes == 1;
    for (size_t i = 0; i < found->n && found->bent; ++i)
        if (found->each[i].chance > crossed_bent && !crossed_is_known(found, i))
            found->each[i].bend =
                levy_item_bend(t, t->claim.coefficients[0] * found->each[i].level);
}

/* ---- Other payoffs ---- */

/* How much a touch at a level changes the payment, whose end lies about there; three points of a
 * normal law tell. */
static double crossed_worth(const levy_dynamics_plan *m, const levy_trade *own, size_t u,
                            const levy_edge *touch)
{
    const levy_claim claim = levy_claim_of(own);
    const double far =
        levy_exp(1.7320508075688772 *
                 levy_dynamics_deviation(m, levy_trade_asset(own, u), own->claim.expiry));
    return (fabs(touch->size(&claim, touch->level * far)) +
            4.0 * fabs(touch->size(&claim, touch->level)) +
            fabs(touch->size(&claim, touch->level / far))) /
           6.0;
}

static levy_status crossed_touch(const levy_dynamics_plan *m, const levy_trade *own,
                                 const levy_edge *touch, levy_arena *arena, levy_crossings *found)
{
    const levy_times dates = own->claim.observations;
    for (size_t u = 0; u < own->n_underlyings; ++u) {
        if (!(own->claim.coefficients[u] > 0.0)) continue;
        found->worth = fmax(found->worth, crossed_worth(m, own, u, touch));
        LEVY_TRY(crossed_add(m, u, dates, touch->level / own->claim.coefficients[u], arena, found));
    }
    return LEVY_OK;
}

static levy_status crossed_barrier(const levy_dynamics_plan *m, const levy_trade *t,
                                   levy_arena *arena, levy_crossings *found)
{
    levy_trade room;
    const levy_trade *const own = levy_trade_written(t, &room);
    const levy_edges edges = levy_trade_edges(own);
    if (levy_trade_is_continuous(own) || own->claim.past.knocked ||
        own->claim.observations.n == 0 || own->kind.aggregate == LEVY_AGGREGATE_BASKET ||
        own->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC)
        return LEVY_OK;
    for (size_t i = 0; i < edges.n; ++i)
        if (edges.each[i].of == LEVY_EDGE_TOUCH)
            LEVY_TRY(crossed_touch(m, own, &edges.each[i], arena, found));
    return LEVY_OK;
}

levy_status levy_crossings_find(const levy_dynamics_plan *m, const levy_trade *t, levy_arena *arena,
                                levy_crossings *found)
{
    *found = (levy_crossings){.bends = !levy_trade_is_discontinuous(t)};
    if (t->state != LEVY_TRADE_PRICED || t->form != LEVY_FORM_WRITTEN) return LEVY_OK;
    if (!t->kind.scripted) return crossed_barrier(m, t, arena, found);
    LEVY_TRY(crossed_script(m, t, arena, found));
    crossed_bends(m, t, found);
    return LEVY_OK;
}

levy_status levy_crossed_of(const levy_dynamics_plan *m, uint32_t set, const levy_crossings *found,
                            double discount, levy_arena *arena, levy_crossed *crossed)
{
    levy_law_view seen;
    bool moves = false;
    *crossed = (levy_crossed){.worth = found->worth * discount, .bends = found->bends};
    for (size_t i = 0; i < found->n && set != 0; ++i) {
        const levy_crossing *const c = &found->each[i];
        const bool again = i > 0 && c->underlying == c[-1].underlying;
        moves = again ? moves : levy_dynamics_moves_asset(m, set, c->underlying);
        if (!moves) continue;
        if (!again) LEVY_TRY(levy_law_see(m, set, c->underlying, arena, &seen));
        if (c->time > m->sets[set].elapsed)
            crossed->more[c->number] +=
                c->share * c->side *
                (levy_law_chance(m, &seen, c->time, c->level, c->side) - c->chance);
    }
    return LEVY_OK;
}
