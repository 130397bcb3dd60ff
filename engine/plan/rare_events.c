/* rare_events.c: how likely a rare event is, how likely a path tells of it, and by how far a level
 * goes back after it. See rare_parts.h. Must not know: barriers, scripts, what an event is worth.
 */
#include "engine/plan/rare_parts.h"

#include "engine/plan/bumped.h"
#include "kernels/lane/scalar.h"

#include <math.h>

/* A chance beyond is no rare one; one below is never met. */
static const double events_most = 0.02, events_least = 1e-13;
/* The first bin's upper end, and how many times less the next one's is. */
static const double events_first = 0x1p-5, events_ratio = 2.0;
/* A market in which an event is so much less likely is not one of a small bump. */
static const double events_far = 0x1p-4;

/* ---- Chances ---- */

bool levy_rare_counts(double chance) { return chance > events_least && chance < events_most; }

/* The chance of an event under a set, which may be far from today's market: other paths tell of it
 * then. */
double levy_rare_chance(const levy_rare_market *x, const levy_law_view *seen, levy_rare_event *e)
{
    const bool passed = !(e->time > x->plan->sets[x->set].elapsed);
    const double chance = passed ? 0.0 : levy_law_chance(x->plan, seen, e->time, e->level, e->side);
    if (chance < events_far * e->chance ||
        (!levy_trade_is_integrated(x->own) && events_far * chance > e->chance))
        e->chance = chance;
    return chance;
}

/* The share of paths beyond a level that are so near to it that the integrated normal, which moves
 * them by `width`, sees it: these tell how the chance changes. */
static double events_share(const levy_law *law, const levy_rare_event *e, double x, double width)
{
    const double seen = levy_law_beyond(law, x - e->side * width, e->side) -
                        levy_law_beyond(law, x + e->side * width, e->side);
    return seen < 2.0 * e->chance ? 0.5 * seen / e->chance : 1.0;
}

/* Finds the bins of an event, which are alike in all markets. Where the integrated normal moves but
 * a part of the underlying, what is left of its law stands for the rest of the path too. */
static void events_place(levy_rare_event *e)
{
    const double left = levy_sqrt(fmax(e->all - e->variance, 0.0));
    for (size_t k = 0; k < levy_rare_steps(e); ++k)
        e->bins[k] =
            (unsigned char)levy_rare_bin(levy_rare_told_of(e, levy_rare_back(e, k) * left));
}

/* Adds an event to the last run, or as a run of its own. */
static levy_status events_keep(levy_rare_event e, levy_arena *arena, levy_rare_events *found)
{
    if (!LEVY_ARENA_GROW(arena, found->events, found->n, found->room, 16)) return LEVY_MEMORY;
    if (found->n_runs == 0 || found->runs[found->n_runs - 1].underlying != e.underlying) {
        if (!LEVY_ARENA_GROW(arena, found->runs, found->n_runs, found->run_room, 1))
            return LEVY_MEMORY;
        found->runs[found->n_runs++] =
            (levy_rare_run){.underlying = e.underlying, .first = found->n};
    }
    ++found->runs[found->n_runs - 1].n;
    found->events[found->n++] = e;
    return LEVY_OK;
}

levy_status levy_rare_add(const levy_rare_market *x, levy_rare_event e, bool *is_rare)
{
    const levy_dynamics_plan *const m = x->plan;
    const levy_trade *const t = x->trade;
    const levy_asset *const asset = levy_trade_asset(t, e.underlying);
    const double d = levy_dynamics_deviation(m, asset, e.time),
                 first = m->first ? fmax(m->first[e.underlying], 1e-12) : 1.0,
                 all = levy_dynamics_deviation(m, asset, levy_dynamics_expiry(m)) /
                       levy_sqrt(first); /* of which the integrated normal would be all */
    levy_law_view seen;
    double forward;
    if (!(e.time > m->sets[x->set].elapsed)) return LEVY_OK;
    LEVY_TRY(levy_law_see(m, x->set, e.underlying, x->arena, &seen));
    const levy_law law = levy_law_of(m, &seen, e.time, &forward);
    const double at = levy_log(e.level / seen.spot) - forward;
    e.chance = levy_law_beyond(&law, at, e.side);
    *is_rare = e.chance < events_most;
    if (!levy_rare_counts(e.chance)) return LEVY_OK;
    if (levy_trade_is_integrated(t) && !law.jumps)
        e.distance = e.side * at, e.variance = d * d, e.all = all * all;
    const double share =
        levy_trade_is_integrated(t) ? events_share(&law, &e, at, d * d / all) : 0.0;
    if (e.date == 0 || !levy_trade_is_integrated(t)) x->found->share = fmin(share, x->found->share);
    events_place(&e);
    return events_keep(e, x->arena, x->found);
}

/* ---- Paths that tell ---- */

double levy_rare_told(size_t bin)
{
    double told = events_first / levy_sqrt(events_ratio);
    while (bin-- > 0) told /= events_ratio;
    return told;
}

size_t levy_rare_bin(double told)
{
    size_t bin = 0;
    for (double end = events_first / events_ratio; bin + 1 < LEVY_RARE_BINS && told < end; ++bin)
        end /= events_ratio;
    return bin;
}

/* The chance that a path tells of an event after which the logarithm goes back by `back`. Where the
 * normal is integrated that moves the end, a path tells if the rest of it is far enough out. */
double levy_rare_told_of(const levy_rare_event *e, double back)
{
    const double share = e->all > 0.0 ? e->variance / e->all : 0.0,
                 rest = e->variance * (1.0 - share);
    if (!(e->all > 0.0)) return e->chance;
    if (!(rest > 0.0)) return 1.0;
    return levy_normal_cdf((share * (e->distance - back) - e->distance) / levy_sqrt(rest));
}

/* The variance of an underlying's logarithm from an event to expiry. */
double levy_rare_left(const levy_rare_market *x, const levy_asset *asset, double time)
{
    const double all = levy_dynamics_deviation(x->plan, asset, x->own->claim.expiry),
                 before = levy_dynamics_deviation(x->plan, asset, time);
    return all > before ? all * all - before * before : 0.0;
}

size_t levy_rare_steps(const levy_rare_event *e)
{
    return e->later ? LEVY_RARE_STEPS / 2 : LEVY_RARE_STEPS;
}

/* By how many deviations the level goes back: it may go on too, unless it is to stay there. */
double levy_rare_back(const levy_rare_event *e, size_t step)
{
    return 0.25 * ((double)step + 0.5) - (e->later ? 0.0 : 0.125 * LEVY_RARE_STEPS);
}

/* How likely it does, by these steps, and the sum of that: by a normal law if it is free, by its
 * upper half if it stays on its side on one later date, by Rayleigh's if on many. */
double levy_rare_weights(const levy_rare_event *e, double *weights)
{
    const double power = e->later ? 1.0 - 1.0 / (double)e->later : 0.0;
    double all = 0.0;
    for (size_t k = 0; k < levy_rare_steps(e); ++k) {
        const double z = levy_rare_back(e, k);
        all += weights[k] = levy_exp(power * levy_log(fabs(z)) - 0.5 * z * z);
    }
    return all;
}

/* ---- Events of all underlyings together ---- */

/* The deviation of the sum of a trade's levels, and the logarithm of its forward, until a time,
 * relative to today's. */
static double events_sum(const levy_rare_market *x, double time, const double *shares,
                         double *forward)
{
    const levy_trade *const t = x->own;
    double deviations[LEVY_MAX_ASSETS], variance = 0.0;
    *forward = 0.0;
    for (size_t u = 0; u < t->n_underlyings; ++u) {
        const levy_asset *const asset = levy_trade_asset(t, u);
        deviations[u] = shares[u] * levy_dynamics_deviation(x->plan, asset, time);
        *forward += shares[u] * levy_dynamics_log_forward(x->plan, x->set, asset, time);
        for (size_t v = 0; v <= u; ++v)
            variance += (v < u ? 2.0 : 1.0) * deviations[u] * deviations[v] *
                        levy_dynamics_correlation(x->plan, x->set, time, u, v);
    }
    return levy_sqrt(fmax(variance, 0.0));
}

/* Makes an event the share of one underlying in what all do together, whose sum moves by `ratio`:
 * it is to be as far out as the sum is, in deviations, and varies by so much more. */
void levy_rare_share_of(const levy_rare_market *x, double ratio, levy_rare_event *e)
{
    const levy_trade *const t = x->own;
    const levy_asset *const asset = levy_trade_asset(t, e->underlying);
    const double d = levy_dynamics_deviation(x->plan, asset, e->time);
    double shares[LEVY_MAX_ASSETS], sum = 0.0, forward;
    levy_bumped_levels(x->plan, x->set, t, shares);
    for (size_t u = 0; u < t->n_underlyings; ++u) sum += fabs(shares[u]);
    for (size_t u = 0; u < t->n_underlyings; ++u) shares[u] = fabs(shares[u]) / sum;
    const double all = events_sum(x, e->time, shares, &forward);
    e->share = shares[e->underlying];
    e->narrow = d > 0.0 && all > 0.0 ? all / d : 1.0;
    e->level = levy_dynamics_spot(x->plan, x->set, e->underlying) *
               levy_exp(levy_dynamics_log_forward(x->plan, x->set, asset, e->time) - 0.5 * d * d +
                        (levy_log(ratio) - forward + 0.5 * all * all) / e->narrow);
}
