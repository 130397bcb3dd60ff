/* rare_bends.c: where what a payoff pays bends so far out that hardly a path is beyond. It is run
 * on paths that all go along a line, until it decides otherwise; how its slopes change there
 * says which sum of logarithms bends, and the paths that go to that sum how far out it is, in
 * deviations. See rare_parts.h. Source: A. Hasofer and N. Lind, J. Engineering Mechanics Division
 * ASCE 100, 1974 (the point of a surface nearest to the mean). Must not know: images, sums. */
#include "engine/plan/rare_lines.h"

#include "engine/problem/trade.h"
#include "engine/problem/trade_claim.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

/* Deviations from which on a bend is looked for, and until which. */
static const double bends_from = 3.0, bends_until = 12.0;
/* A share of where a bend is by its slope at which its own line may meet it. */
static const double bends_nearer = 0.85;
/* Paths that are made for a trade, and their levels: the most. */
static const double bends_paths = 2048.0, bends_levels = 0x1p18;
/* Turns on a side of a line. */
enum { BENDS_TRIES = 8 };

static double bends_effort(const levy_trade *t)
{
    return fmin(bends_paths * (double)levy_outcome_size(t), bends_levels);
}

/* ---- What bends ---- */

/* By how much more a path that is moved pays just beyond a bend than just before it. */
static double bends_step(levy_rare_line *line, const levy_rare_turn *bend, double nudge)
{
    const double off = levy_rare_turn_off * bend->side;
    uint64_t decided;
    line->nudge = nudge;
    const double before = levy_rare_line_pays(line, bend->z - off, &decided),
                 after = levy_rare_line_pays(line, bend->z + off, &decided);
    line->nudge = 0.0;
    return after - before;
}

/* So little that no path goes beyond the bend by it. */
static double bends_nudge(const levy_rare_line *line)
{
    double most = 1e-6;
    for (size_t i = levy_outcome_size(line->own.trade); i-- > 0;)
        most = fmax(most, fabs(line->moves[i]));
    return 1e-2 * levy_rare_turn_off * most;
}

/* Finds the sum of logarithms that bends, in money per unit of it: of each underlying, on a few
 * groups of the dates of each schedule; of too many, none. */
static levy_status bends_parts(levy_rare_line *line, const levy_rare_turn *bend,
                               levy_rare_part *parts, size_t *n)
{
    const levy_trade *const t = line->own.trade;
    const double nudge = bends_nudge(line);
    const size_t rows = t->n_underlyings * levy_rare_line_schedules(t),
                 each = LEVY_RARE_PARTS / rows,
                 room = each < LEVY_RARE_DATES ? each : LEVY_RARE_DATES;
    const double still = bends_step(line, bend, 0.0);
    double most = 0.0;
    size_t kept = 0;
    *n = 0;
    if (2.0 * (double)(rows * room * levy_outcome_size(t)) > bends_effort(t)) return LEVY_OK;
    for (size_t k = 0; k < levy_rare_line_schedules(t); ++k) {
        const levy_times dates = levy_rare_line_dates(line, k);
        const size_t steps = dates.n < room ? dates.n : room;
        for (size_t u = 0; u < t->n_underlyings && steps > 0; ++u, *n += steps) {
            levy_law law;
            LEVY_TRY(levy_rare_dates(line->x, dates, u, 1.0, steps, parts + *n, &law));
            for (size_t i = 0; i < steps; ++i) {
                line->schedule = k, line->underlying = u;
                line->first = i * dates.n / steps, line->end = (i + 1) * dates.n / steps;
                parts[*n + i].share = (bends_step(line, bend, nudge) - still) / nudge;
                most = fmax(most, fabs(parts[*n + i].share));
            }
        }
    }
    for (size_t i = 0; i < *n; ++i)
        if (fabs(parts[i].share) > 1e-3 * most) parts[kept++] = parts[i];
    *n = kept;
    return LEVY_OK;
}

/* ---- Lines ---- */

/* Finds on a line that is aimed at a bend, whose deviation is that, where it is. */
static bool bends_meet(levy_rare_line *line, double deviation, double from, double until,
                       levy_rare_turn *bend)
{
    levy_rare_turn next;
    for (; levy_rare_turn_next(line, from, until, 1.0, &next);
         from = next.z + 2.0 * levy_rare_turn_off) {
        const double change = fabs(next.after - next.before);
        if (!levy_rare_turn_bends(&next) || change < 0.5 * deviation || change > 2.0 * deviation)
            continue;
        *bend = next;
        return true;
    }
    return false;
}

static bool bends_are_alike(const levy_rare_bend *a, const levy_rare_bend *b)
{
    return a->side == b->side && a->parts[0].underlying == b->parts[0].underlying &&
           a->parts[0].time == b->parts[0].time && fabs(a->at - b->at) < 1e-3 * fabs(a->at) &&
           fabs(a->slope - b->slope) < 1e-2 * fabs(a->slope);
}

/* Puts the part first that counts most, and makes the sum a mean in which that rises. Returns the
 * mean's size in the sum. *side: to which of the mean's sides the sum rises. */
static double bends_order(levy_rare_part *parts, size_t n, double *side)
{
    double unit = 0.0;
    for (size_t i = 0; i < n; ++i) {
        const levy_rare_part part = parts[i];
        unit += fabs(part.share);
        if (fabs(part.share) <= fabs(parts[0].share)) continue;
        parts[i] = parts[0];
        parts[0] = part;
    }
    *side = parts[0].share > 0.0 ? 1.0 : -1.0;
    for (size_t i = 0; i < n; ++i) parts[i].share *= *side / unit;
    return unit;
}

/* ---- Under a set ---- */

static levy_status bends_beyond(const levy_rare_market *x, const levy_rare_bend *bend, size_t slot,
                                levy_rare *rare)
{
    levy_rare_part parts[LEVY_RARE_PARTS] = {{0}};
    levy_rare_level level = {.at = bend->at, .size = bend->size};
    levy_law_view seen = {.underlying = 0};
    for (size_t i = 0; i < bend->n; ++i) {
        levy_law law;
        if (i == 0 || bend->parts[i].underlying != seen.underlying)
            LEVY_TRY(levy_law_see(x->plan, x->set, bend->parts[i].underlying, x->arena, &seen));
        parts[i] = levy_rare_part_of(x, &seen, bend->parts[i].time, 1.0, &law);
        parts[i].share = bend->parts[i].share;
        if (i == 0) level.law = law;
    }
    levy_rare_product(x, parts, bend->n, 1.0, &level);
    levy_rare_beyond(x, &level, bend->side, bend->share, slot, rare);
    return LEVY_OK;
}

/* Finds where a bend is kept that few paths reach and that is not known from another line: where no
 * room is left, in place of the one that counts least; LEVY_RARE_BENDS: nowhere. */
static levy_status bends_slot(const levy_rare_market *x, levy_rare_bend *bend, size_t *slot)
{
    const levy_rare_events *const found = x->found;
    levy_rare rare = {.beyond_chance = {0.0}};
    size_t least = 0;
    LEVY_TRY(bends_beyond(x, bend, 0, &rare));
    bend->missed = fabs(rare.beyond_missed[0]);
    *slot = LEVY_RARE_BENDS;
    if (!levy_rare_counts(rare.beyond_chance[0])) return LEVY_OK;
    for (size_t i = 0; i < found->n_bends; ++i) {
        if (bends_are_alike(bend, &found->bends[i])) return LEVY_OK;
        if (found->bends[i].missed < found->bends[least].missed) least = i;
    }
    if (found->n_bends < LEVY_RARE_BENDS)
        *slot = found->n_bends;
    else if (found->bends[least].missed < bend->missed)
        *slot = least;
    return LEVY_OK;
}

/* Keeps a bend of a sum that the line is aimed at, of a share of the paths that are there. */
static levy_status bends_keep(const levy_rare_line *line, const levy_rare_turn *turn, double share,
                              levy_rare_part *parts, size_t n)
{
    const levy_rare_market *const x = line->x;
    const size_t n_rows = levy_outcome_size(line->own.trade);
    levy_rare_level level = {.mean = 0.0};
    double side;
    size_t slot;
    const double unit = bends_order(parts, n, &side);
    levy_rare_product(x, parts, n, 1.0, &level);
    levy_rare_bend bend = {.n = n,
                           .parts = parts,
                           .at = level.mean + side * fabs(turn->z) * level.deviation,
                           .side = side,
                           .share = share,
                           .size = turn->after > turn->before ? unit : -unit,
                           .z = turn->z,
                           .slope = turn->after - turn->before};
    LEVY_TRY(bends_slot(x, &bend, &slot));
    if (slot == LEVY_RARE_BENDS || fabs(turn->z) < bends_from) return LEVY_OK;
    levy_rare_part *const own = levy_arena_allocate(x->arena, n, sizeof *own);
    double *const moves = levy_arena_allocate(x->arena, n_rows, sizeof *moves);
    if (!own || !moves) return LEVY_MEMORY;
    memcpy(own, parts, n * sizeof *own);
    memcpy(moves, line->moves, n_rows * sizeof *moves);
    bend.parts = own;
    bend.moves = moves;
    x->found->bends[slot] = bend;
    x->found->n_bends += slot == x->found->n_bends;
    return LEVY_OK;
}

/* Aims at what bends on a line, which is that of the parts `own`. Where the path that goes there
 * does not decide otherwise, as of the least of several, the line itself must do: on a share of the
 * paths that are so far on it. */
static levy_status bends_follow(levy_rare_line *line, double *moves, const levy_rare_turn *bend,
                                const levy_rare_part *own, size_t n_own, double deviation)
{
    levy_rare_part parts[LEVY_RARE_PARTS] = {{0}};
    const double sign = bend->after > bend->before ? 1.0 : -1.0,
                 change = fabs(bend->after - bend->before);
    size_t n;
    levy_rare_line aimed = *line;
    levy_rare_turn met;
    aimed.moves = moves;
    LEVY_TRY(bends_parts(line, bend, parts, &n));
    for (size_t i = 0; i < n; ++i) parts[i].share *= sign;
    const double reached = n > 0 ? levy_rare_line_aim(&aimed, parts, n) : 0.0;
    if (reached > 0.0) {
        const double both = levy_rare_joint(line->x, parts, n, own, n_own) / (reached * deviation),
                     from = fmax(bends_nearer * both * bend->z, 0.0);
        if (bends_meet(&aimed, reached, from, fabs(bend->z) + 0.5, &met))
            return bends_keep(&aimed, &met, 1.0, parts, n);
    }
    if (!levy_rare_line_goes_on(line)) return LEVY_OK;
    double share = 1.0;
    memcpy(parts, own, n_own * sizeof *parts);
    for (size_t i = 1; i < n_own; ++i) share *= levy_rare_each;
    for (size_t i = 0; i < n_own; ++i) parts[i].share *= bend->side * change / deviation;
    return bends_keep(line, bend, share, parts, n_own);
}

/* Looks for bends on the line of a sum of parts. */
static levy_status bends_walk(levy_rare_line *line, double *moves, const levy_rare_part *parts,
                              size_t n)
{
    const double deviation = levy_rare_line_aim(line, parts, n);
    if (!(deviation > 0.0)) return LEVY_OK;
    for (double side = -1.0; side <= 1.0; side += 2.0) {
        double from = bends_from;
        for (int tries = 0; tries < BENDS_TRIES; ++tries) {
            levy_rare_turn bend;
            if (levy_memory_stopped(line->x->arena->memory)) return LEVY_CANCELLED;
            if (!levy_rare_turn_next(line, from, bends_until, side, &bend) ||
                levy_rare_turn_jumps(&bend))
                break;
            if (levy_rare_turn_bends(&bend))
                LEVY_TRY(bends_follow(line, moves, &bend, parts, n, deviation));
            from = fabs(bend.z) + 2.0 * levy_rare_turn_off;
        }
    }
    return LEVY_OK;
}

/* All underlyings on a date, and each alone. */
static levy_status bends_date(levy_rare_line *line, double *moves, double time)
{
    levy_rare_part parts[LEVY_RARE_PARTS] = {{0}};
    const size_t n = line->own.trade->n_underlyings;
    for (size_t u = 0; u < n; ++u) {
        levy_law_view seen;
        levy_law law;
        LEVY_TRY(levy_law_see(line->x->plan, line->x->set, u, line->x->arena, &seen));
        parts[u] = levy_rare_part_of(line->x, &seen, time, 1.0, &law);
    }
    LEVY_TRY(bends_walk(line, moves, parts, n));
    for (size_t u = 0; u < n && n > 1 && levy_rare_line_goes_on(line); ++u)
        LEVY_TRY(bends_walk(line, moves, &parts[u], 1));
    return LEVY_OK;
}

/* Whether one of the first n schedules begins or ends at a time: its lines are walked already. */
static bool bends_is_end(const levy_rare_line *line, size_t n, double time)
{
    for (size_t k = 0; k < n; ++k) {
        const levy_times dates = levy_rare_line_dates(line, k);
        if (dates.n > 0 && (dates.times[0] == time || dates.times[dates.n - 1] == time))
            return true;
    }
    return false;
}

levy_status levy_rare_bends(const levy_rare_market *x)
{
    const levy_trade *const t = x->trade;
    double effort = bends_effort(t);
    levy_outcome_view seen;
    levy_rare_line line;
    if (t->state != LEVY_TRADE_PRICED || levy_trade_is_integrated(t) ||
        t->n_underlyings > LEVY_RARE_PARTS || levy_rare_has_strike(t) ||
        (!t->kind.scripted && (levy_trade_barrier(t) || levy_trade_is_continuous(t))))
        return LEVY_OK;
    LEVY_TRY(levy_rare_line_begin(x, &seen, NULL, &effort, &line));
    double *const moves = levy_arena_allocate(x->arena, levy_outcome_size(t), sizeof *moves);
    if (!moves) return LEVY_MEMORY;
    for (size_t k = 0; k < levy_rare_line_schedules(t); ++k) {
        const levy_times dates = levy_rare_line_dates(&line, k);
        const double ends[2] = {dates.n > 0 ? dates.times[dates.n - 1] : 0.0,
                                dates.n > 0 ? dates.times[0] : 0.0};
        for (size_t i = 0; i < 2 && i < dates.n; ++i)
            if (!bends_is_end(&line, k, ends[i])) LEVY_TRY(bends_date(&line, moves, ends[i]));
    }
    return LEVY_OK;
}

/* ---- Items ---- */

/* A count of an item bends by its own measure. A report is no money. */
levy_status levy_rare_bent(const levy_rare_market *x, const levy_script_view *view, levy_rare *rare)
{
    levy_rare_market now = *x, there = *x;
    double effort = bends_effort(x->trade);
    levy_outcome_view seen;
    levy_rare_line line;
    now.set = 0;
    if (view && view->state != 0) there.discount = 1.0;
    if (view && x->found->n_bends > 0)
        LEVY_TRY(levy_rare_line_begin(&now, &seen, view, &effort, &line));
    for (size_t i = 0; i < x->found->n_bends; ++i) {
        levy_rare_bend bend = x->found->bends[i];
        if (view) {
            memcpy(line.moves, bend.moves, levy_outcome_size(x->trade) * sizeof *line.moves);
            const levy_rare_turn own = levy_rare_turn_at(&line, bend.z, bend.z > 0.0 ? 1.0 : -1.0);
            bend.size *= levy_rare_turn_bends(&own) ? (own.after - own.before) / bend.slope : 0.0;
        }
        LEVY_TRY(bends_beyond(&there, &bend, i, rare));
    }
    return LEVY_OK;
}
