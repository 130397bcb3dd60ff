/* exercise.c: see exercise.h. */
#include "engine/exercise/exercise.h"

#include "engine/base/order.h"
#include "engine/exercise/known_range.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

/* Forward rates that differ by less, per year, are flat; and into how many spans what bends between
 * the nodes of a curve is cut. */
static const double exercise_flat = 1e-12;
enum { EXERCISE_BENDS = 32, EXERCISE_NODES = 9, EXERCISE_POINTS = 32 };

/* Rules of the spectral method: no market moves them. */
static levy_boundary_rule exercise_fine, exercise_coarse;
static once_flag exercise_once = ONCE_FLAG_INIT;

static void exercise_make_rules(void)
{
    levy_boundary_rule_make(EXERCISE_NODES, EXERCISE_NODES, EXERCISE_POINTS, &exercise_fine);
    levy_boundary_rule_make(EXERCISE_NODES / 2 + 1, EXERCISE_NODES / 2 + 2, EXERCISE_POINTS / 2,
                            &exercise_coarse);
}

/* ---- The market ---- */

/* Dates in (now, expiry], as they are gathered. */
typedef struct exercise_dates {
    double now, expiry, *times;
    size_t n;
} exercise_dates;

static void exercise_add(exercise_dates *dates, double time)
{
    if (time > dates->now && time < dates->expiry) dates->times[dates->n++] = time;
}

static void exercise_add_nodes(exercise_dates *dates, levy_nodes nodes)
{
    for (size_t i = 0; i < nodes.n; ++i) exercise_add(dates, nodes.times[i]);
}

/* Whether forward rates are no steps. */
static bool exercise_bends(const levy_asset *asset, const levy_curve *discount)
{
    return levy_curve_bends(asset->curve) || levy_curve_bends(discount) ||
           (asset->base_curve && levy_curve_bends(asset->base_curve)) ||
           (asset->quanto.composite && exercise_bends(asset->quanto.fx, discount));
}

/* All dates on which the market or the right has something. The first is now. */
static levy_status exercise_gather(const levy_exercise_right *right, const levy_asset *asset,
                                   const levy_curve *discount, double now, levy_arena *arena,
                                   exercise_dates *dates)
{
    levy_nodes nodes[LEVY_ASSET_LISTS + 3];
    size_t n = levy_asset_nodes(asset, nodes), room = 2 + EXERCISE_BENDS;
    nodes[n++] = levy_curve_kinks(discount);
    nodes[n++] = levy_carry_dates(&asset->carry);
    nodes[n++] = (levy_nodes){right->n_dates, (double *)right->dates};
    const bool bends = exercise_bends(asset, discount);
    for (size_t k = 0; k < n; ++k) room += nodes[k].n;
    *dates = (exercise_dates){now, right->expiry, NULL, 0};
    dates->times = levy_arena_allocate(arena, room, sizeof *dates->times);
    if (!dates->times) return LEVY_MEMORY;
    dates->times[dates->n++] = now;
    dates->times[dates->n++] = right->expiry;
    for (size_t k = 0; k < n; ++k) exercise_add_nodes(dates, nodes[k]);
    for (int k = 1; k < EXERCISE_BENDS && bends; ++k)
        exercise_add(dates, now + (right->expiry - now) * k / EXERCISE_BENDS);
    qsort(dates->times, dates->n, sizeof *dates->times, levy_order_compare);
    size_t kept = 1;
    for (size_t i = 1; i < dates->n; ++i)
        if (dates->times[i] > dates->times[kept - 1]) dates->times[kept++] = dates->times[i];
    dates->n = kept;
    return LEVY_OK;
}

/* What happens on a date; on the first, all that was due before it too. */
static void exercise_happens(const levy_exercise_right *right, const levy_carry *carry, double now,
                             levy_exercise_span *span)
{
    const levy_nodes dates = levy_carry_dates(carry);
    span->kept = 1.0;
    span->exercise = span->time == right->expiry;
    for (size_t i = 0; i < right->n_dates; ++i)
        span->exercise = span->exercise || right->dates[i] == span->time ||
                         (span->time == now && right->dates[i] <= now);
    for (size_t i = 0; i < dates.n && dates.times[i] <= span->time; ++i) {
        bool proportional;
        const double amount = levy_carry_dividend(carry, i, &proportional);
        if ((dates.times[i] != span->time && span->time > now) || amount == 0.0) continue;
        span->pays = true;
        if (!proportional) span->cash += amount;
        if (!proportional) continue;
        span->kept *= 1.0 - amount;
        span->cash *= 1.0 - amount;
    }
}

static double exercise_rate(const levy_curve *discount, double from, double to)
{
    return levy_curve_log_discount(discount, from) - levy_curve_log_discount(discount, to);
}

static bool exercise_is_flat(const levy_exercise_claim *claim, double years, double rate,
                             double growth, double variance)
{
    bool flat = claim->american;
    for (size_t k = 0; k < claim->n; ++k) {
        const levy_exercise_span *const s = &claim->spans[k];
        const double share = s->years / years;
        flat = flat && !s->pays && fabs(s->rate - share * rate) <= exercise_flat &&
               fabs(s->growth - share * growth) <= exercise_flat &&
               fabs(s->variance - share * variance) <= exercise_flat;
    }
    return flat;
}

/* Whether waiting never costs: a put's strike earns nothing, nor does a call's spot. */
static bool exercise_is_never(const levy_exercise_claim *claim)
{
    bool never = true;
    for (size_t k = 0; k < claim->n; ++k) {
        const levy_exercise_span *const s = &claim->spans[k];
        const double yield = s->rate - s->growth;
        never = never && !s->pays &&
                (claim->sign < 0 ? s->rate <= 0.0 && yield >= s->rate
                                 : yield <= 0.0 && s->rate >= yield);
    }
    return never;
}

static void exercise_choose(levy_exercise *e)
{
    double rate = 0.0, growth = 0.0, variance = 0.0;
    e->years = e->lost = 0.0;
    e->kept = 1.0;
    for (size_t k = 0; k < e->claim.n; ++k) {
        const levy_exercise_span *const s = &e->claim.spans[k];
        e->years += s->years;
        rate += s->rate;
        growth += s->growth;
        variance += s->variance;
        e->kept *= s->kept;
        e->lost = s->kept * e->lost + s->cash * levy_exp(-growth);
    }
    e->lost *= levy_exp(growth - rate);
    e->method = LEVY_EXERCISE_NEVER;
    e->perpetual = false;
    if (e->years == 0.0) return; /* it expires now */
    e->rate = rate / e->years;
    e->yield = (rate - growth) / e->years;
    if (fabs(e->yield) < exercise_flat) e->yield = 0.0; /* what rounding leaves of it */
    if (fabs(e->rate) < exercise_flat) e->rate = 0.0;
    e->deviation = levy_sqrt(variance / e->years);
    const bool flat = exercise_is_flat(&e->claim, e->years, rate, growth, variance),
               pays = (e->claim.sign < 0 ? e->rate : e->yield) > 0.0;
    e->perpetual = flat && pays;
    e->method = LEVY_EXERCISE_DIFFERENCES;
    if (exercise_is_never(&e->claim))
        e->method = LEVY_EXERCISE_NEVER;
    else if (e->perpetual)
        e->method = LEVY_EXERCISE_SPECTRAL;
}

levy_status levy_exercise_read(const levy_exercise_right *right, const levy_asset *asset,
                               const levy_curve *discount, double now, levy_arena *arena,
                               levy_exercise *e)
{
    exercise_dates dates;
    LEVY_TRY(exercise_gather(right, asset, discount, now, arena, &dates));
    memset(e, 0, sizeof *e);
    e->claim.sign = right->sign;
    e->claim.strike = right->strike;
    e->claim.american = right->american;
    e->claim.n = dates.n;
    e->claim.spans = levy_arena_allocate(arena, dates.n, sizeof *e->claim.spans);
    if (!e->claim.spans) return LEVY_MEMORY;
    for (size_t k = 0; k < dates.n; ++k) {
        levy_exercise_span *const s = &e->claim.spans[k];
        const double from = dates.times[k ? k - 1 : 0], to = dates.times[k];
        memset(s, 0, sizeof *s);
        s->time = to;
        s->years = to - from;
        s->rate = exercise_rate(discount, from, to);
        s->growth = levy_asset_log_growth(asset, from, to, -1.0);
        if (exercise_bends(asset, discount)) {
            const double middle = 0.5 * (from + to);
            s->rate_bend = 4.0 * exercise_rate(discount, middle, to) - 2.0 * s->rate;
            s->growth_bend = 4.0 * levy_asset_log_growth(asset, middle, to, -1.0) - 2.0 * s->growth;
        }
        s->variance = levy_asset_variance(asset, to) - levy_asset_variance(asset, from);
        exercise_happens(right, &asset->carry, now, s);
    }
    exercise_choose(e);
    return LEVY_OK;
}

bool levy_exercise_same(const levy_exercise *a, const levy_exercise *b)
{
    const levy_exercise_claim *const x = &a->claim, *const y = &b->claim;
    return x->sign == y->sign && x->strike == y->strike && x->american == y->american &&
           x->gather == y->gather && x->n == y->n &&
           memcmp(x->spans, y->spans, x->n * sizeof *x->spans) == 0;
}

/* ---- The value ---- */

/* How many times as far as the last market like this one the market lies from `like`, if it lies on
 * one line with both; 0: it does not. */
static double exercise_along(const levy_exercise *like, const levy_exercise *e)
{
    const levy_exercise *const last = like->last;
    if (!last) return 0.0;
    const double to[] = {e->rate - like->rate, e->yield - like->yield,
                         e->deviation - like->deviation, e->years - like->years},
                 way[] = {last->rate - like->rate, last->yield - like->yield,
                          last->deviation - like->deviation, last->years - like->years};
    double both = 0.0, own = 0.0, apart = 0.0;
    for (int i = 0; i < 4; ++i) both += to[i] * way[i], own += way[i] * way[i];
    const double times = own > 0.0 ? both / own : 0.0;
    for (int i = 0; i < 4; ++i) apart = fmax(apart, fabs(to[i] - times * way[i]));
    return apart * apart <= 1e-12 * own ? times : 0.0;
}

/* A boundary to begin at. */
static void exercise_start(const levy_boundary *like, const levy_boundary *last, double times,
                           levy_boundary *start)
{
    *start = *like;
    for (int i = 1; times != 0.0 && i <= like->rule->n; ++i)
        start->log[i] = fmax(like->log[i] + times * (last->log[i] - like->log[i]), 0.0);
}

static bool exercise_spectral(levy_exercise *like, levy_exercise *e)
{
    const bool put = e->claim.sign < 0;
    const double rate = put ? e->rate : e->yield;
    const double yield = put ? e->yield : e->rate;
    levy_boundary starts[2]; /* to begin at */
    const levy_boundary *coarse = NULL, *fine = &e->coarse;
    call_once(&exercise_once, exercise_make_rules);
    if (like && like->method == LEVY_EXERCISE_SPECTRAL) {
        const double times = exercise_along(like, e);
        exercise_start(&like->coarse, times != 0.0 ? &like->last->coarse : NULL, times, &starts[0]);
        exercise_start(&like->fine, times != 0.0 ? &like->last->fine : NULL, times, &starts[1]);
        coarse = &starts[0];
        fine = &starts[1];
        like->last = e;
    }
    return levy_boundary_find(&exercise_coarse, rate, yield, e->deviation, e->years, coarse,
                              &e->coarse) &&
           levy_boundary_find(&exercise_fine, rate, yield, e->deviation, e->years, fine, &e->fine);
}

static levy_status exercise_differ(levy_arena *arena, levy_exercise *e)
{
    if (e->grid) return LEVY_OK;
    e->grid = levy_arena_allocate(arena, 1, sizeof *e->grid);
    if (!e->grid) return LEVY_MEMORY;
    levy_exercise_grid_solve(&e->claim, e->grid, NULL);
    return LEVY_OK;
}

void levy_exercise_plan(double spot, const levy_exercise *like, levy_exercise *e)
{
    if (e->years == 0.0) return;
    levy_exercise_grid_plan(spot, like ? &like->claim : NULL, &e->claim);
    if (like && like->method == LEVY_EXERCISE_DIFFERENCES) e->method = LEVY_EXERCISE_DIFFERENCES;
}

levy_status levy_exercise_solve(levy_exercise *like, levy_arena *arena, levy_exercise *e)
{
    if (e->method == LEVY_EXERCISE_SPECTRAL && !exercise_spectral(like, e))
        e->method = LEVY_EXERCISE_DIFFERENCES;
    if (e->method != LEVY_EXERCISE_DIFFERENCES) return LEVY_OK;
    if (like && like->method != LEVY_EXERCISE_DIFFERENCES) {
        e->like = like;
        LEVY_TRY(exercise_differ(arena, like));
    }
    return exercise_differ(arena, e);
}

/* What is paid if the spot goes along its forward and is exercised at best. */
static double exercise_sure(const levy_exercise_claim *claim, double spot)
{
    double log_discount = 0.0, best = 0.0;
    for (size_t k = 0; k < claim->n; ++k) {
        const levy_exercise_span *const s = &claim->spans[k];
        log_discount -= s->rate;
        spot *= levy_exp(s->growth);
        if (claim->american) /* before a dividend too */
            best = fmax(best, levy_exp(log_discount) * claim->sign * (spot - claim->strike));
        spot = fmax(s->kept * spot - s->cash, 0.0);
        const double paid = levy_exp(log_discount) * claim->sign * (spot - claim->strike);
        if (claim->american || s->exercise) best = fmax(best, paid);
    }
    return best;
}

/* A value that has no error. */
static levy_exercise_value exercise_exact(double value)
{
    return (levy_exercise_value){value, value, value, 0.0};
}

levy_exercise_value levy_exercise_now(const levy_exercise *e, double spot)
{
    return exercise_exact(fmax(e->claim.sign * (spot - e->claim.strike), 0.0));
}

/* What no grid sees where the spot drifts away from the strike in less than a cell of it: a layer
 * as thick as the variance by twice the drift. */
static double exercise_unseen(const levy_exercise *e)
{
    double variance = 0.0, drift = 0.0;
    for (size_t k = 0; k < e->claim.n; ++k) {
        variance += e->claim.spans[k].variance;
        drift += fabs(e->claim.spans[k].growth);
    }
    const double cell = e->grid->log[LEVY_GRID_NODES / 2 + 1], layer = 0.5 * variance;
    return layer < drift * cell ? e->claim.strike * layer / drift : 0.0;
}

static levy_exercise_value exercise_differences(const levy_exercise *e, double spot)
{
    const double y = -e->claim.sign * levy_log(spot / e->claim.strike);
    double value[3];
    if (!(y > e->grid->log[0] && y < e->grid->log[LEVY_GRID_NODES]))
        return exercise_exact(exercise_sure(&e->claim, spot));
    levy_exercise_grid_at(&e->claim, e->grid, spot, value);
    return (levy_exercise_value){value[0], value[1] + exercise_unseen(e), value[2], 0.0};
}

/* By its own method. *european: the spectral method finds it. */
static levy_exercise_value exercise_own(const levy_exercise *e, double spot, double *european)
{
    const bool put = e->claim.sign < 0;
    const double strike = e->claim.strike, unit = put ? strike : spot;
    const double at = put ? spot / unit : strike / unit;
    if (e->method == LEVY_EXERCISE_SPECTRAL) {
        double at_expiry, unused;
        const double value = unit * levy_boundary_put(&e->fine, at, &at_expiry),
                     coarse = unit * levy_boundary_put(&e->coarse, at, &unused);
        *european = unit * at_expiry;
        return (levy_exercise_value){value, coarse, value, 0.0};
    }
    if (e->method == LEVY_EXERCISE_DIFFERENCES) return exercise_differences(e, spot);
    return exercise_exact(levy_exercise_black(e, spot));
}

/* Moves a value that lies outside what is known exactly to its end. It was wrong by as much as it
 * moves, but no error is more than the range leaves. */
static levy_exercise_value exercise_hold(levy_exercise_value v, const levy_known_range *known)
{
    const double held = fmin(fmax(v.value, known->least), known->most), moved = held - v.value,
                 range = fmax(known->most - known->least, 0.0),
                 least = fmax(held - range, known->now), most = held + range;
    return (levy_exercise_value){held, fmin(fmax(v.coarse + moved, least), most),
                                 fmin(fmax(v.plain + moved, least), most),
                                 fmin(fabs(moved), range)};
}

levy_exercise_value levy_exercise_at(const levy_exercise *e, double spot)
{
    if (e->years == 0.0) return exercise_exact(exercise_sure(&e->claim, spot));
    double european = 0.0, unused;
    levy_exercise_value v = exercise_own(e, spot, &european);
    if (e->like) {
        const levy_exercise_value other = exercise_own(e->like, spot, &unused),
                                  grid = exercise_differences(e->like, spot);
        v.value += other.value - grid.value;
        v.coarse += other.coarse - grid.coarse;
        v.plain += other.plain - grid.plain;
    }
    const levy_known_range known = levy_known_range_at(e, spot, european);
    return exercise_hold(v, &known);
}

/* ---- Levels ---- */

/* At the nodes of the boundary: of a call that of the put with spot and strike exchanged. */
static void exercise_boundary_levels(const levy_exercise *e, levy_exercise_levels *levels)
{
    const levy_boundary *const b = &e->fine;
    const double expiry = e->claim.spans[e->claim.n - 1].time;
    for (int i = b->rule->n; i >= 0; --i) {
        const double root = b->rule->root[i], at = b->start * levy_exp(-b->log[i]);
        levels->times[levels->n] = expiry - b->time * root * root;
        levels->levels[levels->n++] = e->claim.strike * (e->claim.sign < 0 ? at : 1.0 / at);
    }
}

/* Solves the grid again; it notes the last level first. */
static levy_status exercise_grid_levels(const levy_exercise *e, levy_arena *arena,
                                        levy_exercise_levels *levels)
{
    levy_exercise_grid *const grid = levy_arena_allocate(arena, 1, sizeof *grid);
    if (!grid) return LEVY_MEMORY;
    levy_exercise_grid_solve(&e->claim, grid, levels);
    for (size_t i = 0, j = levels->n; i + 1 < j; ++i) {
        const double time = levels->times[i], level = levels->levels[i];
        levels->times[i] = levels->times[--j];
        levels->levels[i] = levels->levels[j];
        levels->times[j] = time;
        levels->levels[j] = level;
    }
    return LEVY_OK;
}

levy_status levy_exercise_find_levels(const levy_exercise *e, levy_arena *arena,
                                      levy_exercise_levels *levels)
{
    const size_t most = levy_exercise_grid_levels(&e->claim) + LEVY_BOUNDARY_NODES + 1;
    levels->n = 0;
    levels->times = levy_arena_allocate(arena, most, sizeof *levels->times);
    levels->levels = levy_arena_allocate(arena, most, sizeof *levels->levels);
    if (!levels->times || !levels->levels) return LEVY_MEMORY;
    if (e->method == LEVY_EXERCISE_SPECTRAL) exercise_boundary_levels(e, levels);
    if (e->method != LEVY_EXERCISE_DIFFERENCES) return LEVY_OK;
    return exercise_grid_levels(e, arena, levels);
}
