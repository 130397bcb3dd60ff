/* today.c: see today.h. */
#include "engine/problem/today.h"
#include "engine/problem/trade_claim.h"
#include "engine/problem/trade.h"

#include "kernels/lane/scalar.h"
#include "kernels/path/image.h"
#include "payoffs/item.h"
#include "payoffs/scripted.h"
#include "payoffs/settle_scalar.h"

#include <math.h>
#include <string.h>

enum { TODAY_HALVINGS = 24 };

/* A move, of the levels' size, that tells what moves from what does not. */
static const double today_least = 0x1p-40;

/* A move goes so much farther when it is tried: a level that is given as a round number may be just
 * there, and rounding would decide. */
static const double today_past = 1.0 + 1e-9;

/* Whether the level is that of one of several underlyings. */
static bool today_picks(const levy_trade *trade)
{
    return trade->n_underlyings > 1 && (trade->kind.aggregate == LEVY_AGGREGATE_WORST_OF ||
                                        trade->kind.aggregate == LEVY_AGGREGATE_BEST_OF);
}

static bool today_decides(const levy_trade *trade)
{
    const levy_payoff *const kind = levy_payoffs[trade->kind.payoff];
    if (trade->kind.scripted)
        return trade->claim.observes_now || trade->kind.scripted->script.crosses;
    if (trade->state == LEVY_TRADE_KNOWN && !trade->claim.fixings) return true;
    return trade->claim.observes_now && (kind->barrier || today_picks(trade) || kind->take);
}

/* Which of several levels counts. */
static size_t today_pick(const levy_trade *trade, const double *levels)
{
    const bool best = trade->kind.aggregate == LEVY_AGGREGATE_BEST_OF;
    size_t pick = 0;
    for (size_t u = 1; u < trade->n_underlyings; ++u)
        if (best ? levels[u] > levels[pick] : levels[u] < levels[pick]) pick = u;
    return pick;
}

/* What a built-in payoff watches. */
static double today_level(const levy_trade *trade, const double *levels)
{
    const bool geometric = trade->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC;
    double sum = 0.0;
    if (!geometric && trade->kind.aggregate != LEVY_AGGREGATE_BASKET)
        return levels[today_pick(trade, levels)];
    for (size_t u = 0; u < trade->n_underlyings; ++u)
        sum += geometric ? trade->claim.weights[u] * levy_log(levels[u]) : levels[u];
    return geometric ? levy_exp(sum) : sum;
}

/* A level a little higher. */
static double today_higher(const levy_trade *trade, const double *levels)
{
    double size = 0.0;
    for (size_t u = 0; u < trade->n_underlyings; ++u) size += fabs(levels[u]);
    return today_level(trade, levels) + today_least * size;
}

/* Adds what says on which side of its bends a number lies that a level gives: 1 where the number
 * moves with the level; where it does not, as at a bound, what it is. */
static uint64_t today_bend(uint64_t sides, double at, double moved)
{
    uint64_t bits = 1;
    if (moved == at) memcpy(&bits, &at, sizeof bits);
    return sides * 0x9e3779b97f4a7c15u + bits;
}

/* What an observation of today decides of a built-in payoff without a barrier: which level counts,
 * and where what is kept of it bends, such as a return at its floor, or an extremum. */
static uint64_t today_observed(const levy_trade *trade, const double *levels)
{
    const levy_payoff *const kind = levy_payoffs[trade->kind.payoff];
    const uint64_t pick = today_picks(trade) ? today_pick(trade, levels) : 0;
    const double level = today_level(trade, levels);
    levy_past at = trade->claim.past, moved = trade->claim.past;
    if (!kind->take) return pick;
    kind->take(trade->claim.terms, level, &at);
    kind->take(trade->claim.terms, today_higher(trade, levels), &moved);
    return today_bend(today_bend(pick, at.sum, moved.sum), at.extremum, moved.extremum);
}

/* What a built-in payoff pays that ends today at a level, which is its unit's. */
static double today_pays(const levy_trade *trade, double level)
{
    const levy_payoff *const kind = levy_payoffs[trade->kind.payoff];
    const levy_claim claim = levy_claim_of(trade);
    const levy_claim_unit unit = {1.0, 1.0, level};
    double terms[LEVY_ITEM_REALS] = {0.0};
    levy_claim_numbers numbers = {0, terms};
    terms[ITEM_SIGN] = levy_payoff_sign(trade->claim.terms);
    if (trade->claim.terms->strike == trade->claim.terms->strike)
        terms[ITEM_STRIKE] = trade->claim.terms->strike;
    if (kind->numbers) kind->numbers(&claim, &unit, &numbers);
    return levy_payoff_settle((uint32_t)kind->lanes, numbers.variant, terms, NULL, 0, level);
}

/* The same sides as `sides`, and that of the payment's bends. */
static uint64_t today_ended(const levy_trade *trade, const double *levels, uint64_t sides)
{
    return today_bend(LEVY_MAX_ASSETS * sides +
                          (today_picks(trade) ? today_pick(trade, levels) : 0),
                      today_pays(trade, today_level(trade, levels)),
                      today_pays(trade, today_higher(trade, levels)));
}

double levy_today_end(const levy_trade *trade, const double *levels, uint64_t *decided)
{
    *decided = today_ended(trade, levels, 0);
    return today_pays(trade, today_level(trade, levels));
}

/* Whether today's level may be an extremum until the end, and is paid then. */
static bool today_keeps(const levy_trade *trade)
{
    const levy_payoff *const kind = levy_payoffs[trade->kind.payoff];
    levy_past past = trade->claim.past;
    if (kind->take && trade->claim.observes_now) kind->take(trade->claim.terms, 1.0, &past);
    return past.has_extremum;
}

/* What is asked: what today's levels `now` decide, or those of the next date of a block. */
typedef struct today_question {
    const levy_trade *trade;
    const double *now; /* NULL: of the next date */
    uint32_t block;
} today_question;

/* A number that says what levels decide. */
static uint64_t today_decision(today_question q, const double *levels)
{
    const levy_trade *const trade = q.trade;
    if (trade->kind.scripted && !q.now)
        return levy_scripted_will_decide(trade->kind.scripted, q.block, levels);
    if (trade->kind.scripted) return levy_scripted_decides(trade->kind.scripted, levels, q.now);
    const levy_barrier_terms *const barrier = levy_trade_barrier(trade);
    const uint64_t sides = barrier ? levy_barrier_is_beyond(barrier, today_level(trade, levels))
                           : q.now ? today_observed(trade, levels)
                                   : 0;
    if (q.now && (trade->state == LEVY_TRADE_KNOWN || today_keeps(trade)))
        return today_ended(trade, levels, sides);
    return sides;
}

/* Whether the dates to come decide alike after today at two levels, if all levels then are `share`
 * of those that are now. */
static bool today_later(const levy_trade *trade, const double *now, const double *levels,
                        const double *moved, double share)
{
    double later[LEVY_MAX_ASSETS];
    for (size_t u = 0; u < trade->n_underlyings; ++u) later[u] = share * now[u];
    return levy_scripted_decides_after(trade->kind.scripted, levels, later) ==
           levy_scripted_decides_after(trade->kind.scripted, moved, later);
}

/* Whether today decides the same at two levels. A script may also keep a level of today, such as
 * the highest, until a later date asks for it: it then does on all paths that stay below. */
static bool today_same(today_question q, const double *levels, const double *moved)
{
    static const double shares[2][2] = {{0.9, 0.5}, {1.1, 1.5}};
    if (today_decision(q, levels) != today_decision(q, moved)) return false;
    for (int side = 0; side < 2 && q.now && q.trade->kind.scripted && q.trade->claim.observes_now;
         ++side)
        if (!today_later(q.trade, q.now, levels, moved, shares[side][0]) &&
            !today_later(q.trade, q.now, levels, moved, shares[side][1]))
            return false;
    return true;
}

bool levy_today_is_same(const levy_trade *trade, const double *levels, const double *moved)
{
    return !today_decides(trade) || today_same((today_question){trade, levels, 0}, levels, moved);
}

/* Moves underlying `which`, n and more for all. */
static void today_move(const levy_trade *trade, const double *levels, size_t which, double move,
                       double *moved)
{
    const size_t n = trade->n_underlyings;
    for (size_t u = 0; u < n; ++u)
        moved[u] = which == u || which >= n ? levels[u] * (1.0 + move) : levels[u];
}

/* Whether a move of an underlying decides as no move does. */
static bool today_stays(today_question q, const double *levels, size_t which, double move)
{
    double moved[LEVY_MAX_ASSETS];
    today_move(q.trade, levels, which, move, moved);
    return today_same(q, levels, moved);
}

static double today_reach(today_question q, const double *levels, double most)
{
    double reach = 0.0;
    for (int k = TODAY_HALVINGS; k >= 0; --k) {
        const double move = ldexp(most, -k);
        for (size_t u = 0; u <= q.trade->n_underlyings; ++u)
            if (!today_stays(q, levels, u, today_past * move) ||
                !today_stays(q, levels, u, -today_past * move))
                return reach;
        reach = move;
    }
    return INFINITY;
}

double levy_today_reach(const levy_trade *trade, const double *levels, double most)
{
    const today_question q = {trade, levels, 0};
    return today_decides(trade) ? today_reach(q, levels, most) : INFINITY;
}

/* Whether levels that all move decide as they do. */
static bool today_holds(today_question q, const double *levels, double move)
{
    double moved[LEVY_MAX_ASSETS];
    today_move(q.trade, levels, q.trade->n_underlyings, move, moved);
    return today_decision(q, moved) == today_decision(q, levels);
}

double levy_today_lean(const levy_trade *trade, const double *levels, double until, double move)
{
    const levy_script_program *const p =
        trade->kind.scripted ? trade->kind.scripted->script.program : NULL;
    bool up = true, down = true;
    for (uint32_t k = 0; k < (p ? p->n_blocks : 1); ++k) {
        const today_question q = {trade, NULL, k};
        const uint32_t schedule = p ? LEVY_SCRIPT_PROGRAM_BLOCKS(p)[k].schedule : 0;
        const levy_times dates = levy_trade_schedule(trade, schedule);
        if (dates.n == 0 || dates.times[0] > until) continue;
        up = up && today_holds(q, levels, move);
        down = down && today_holds(q, levels, -move);
    }
    if (up == down) return 0.0;
    return up ? move : -move;
}

size_t levy_today_decisions(const levy_trade *trade, const double *levels, double most,
                            levy_decision *decisions)
{
    const levy_script_program *const p =
        trade->kind.scripted ? trade->kind.scripted->script.program : NULL;
    size_t n = 0;
    for (uint32_t k = 0; k < (p ? p->n_blocks : 1); ++k) {
        const today_question q = {trade, NULL, k};
        const uint32_t schedule = p ? LEVY_SCRIPT_PROGRAM_BLOCKS(p)[k].schedule : 0;
        const levy_times dates = levy_trade_schedule(trade, schedule);
        const levy_decision next = {dates.n > 0 ? dates.times[0] : INFINITY,
                                    today_reach(q, levels, most)};
        if (dates.n > 0 && next.reach < INFINITY) decisions[n++] = next;
    }
    return n;
}

bool levy_today_is_touched(const levy_trade *own, const double *levels)
{
    const levy_barrier_terms *const barrier = levy_trade_barrier(own);
    if (!barrier || levy_trade_is_continuous(own)) return false;
    return own->claim.past.knocked ||
           (own->claim.observes_now && levy_barrier_touches(barrier, today_level(own, levels)));
}

/* A touch of an earlier day has been paid. */
double levy_today_due(const levy_trade *trade, const double *spots)
{
    levy_trade room;
    const levy_trade *const own = levy_trade_written(trade, &room);
    const levy_payoff *const kind = levy_payoffs[own->kind.payoff];
    if (!levy_trade_pays_at_hit(own)) return 0.0;
    const levy_claim claim = levy_claim_of(own);
    if (own->claim.past.knocked)
        return own->claim.past.knocked_now ? kind->hit(&claim, own->claim.past.last) : 0.0;
    const double level = levy_trade_level(own, spots);
    const bool touches = levy_barrier_touches(levy_trade_barrier(own), level);
    return touches && own->claim.observes_now ? kind->hit(&claim, level) : 0.0;
}

/* Whether underlying `which` may move so far, as far as comparisons go; n: all, which leaves the
 * least the least. */
static bool today_may_move(today_question q, const double *levels, size_t which, double move)
{
    double moved[LEVY_MAX_ASSETS];
    today_move(q.trade, levels, which, move, moved);
    const uint64_t change = today_decision(q, moved) ^ today_decision(q, levels);
    return which != q.trade->n_underlyings ? levy_script_compared(change) == 0 : change == 0;
}

double levy_today_next_reach(const levy_trade *trade, const double *levels, uint32_t schedule,
                             size_t which, double side, double most)
{
    const levy_script_program *const p =
        trade->kind.scripted ? trade->kind.scripted->script.program : NULL;
    double reach = INFINITY;
    for (uint32_t k = 0; p && k < p->n_blocks; ++k) {
        if (LEVY_SCRIPT_PROGRAM_BLOCKS(p)[k].schedule != schedule) continue;
        const today_question q = {trade, NULL, k};
        double low = 0.0, high = reach < most ? reach : most;
        if (today_may_move(q, levels, which, side * high)) continue;
        while (high - low > 1e-3 * high && high > 1e-6) {
            const double middle = 0.5 * (low + high);
            if (today_may_move(q, levels, which, side * middle))
                low = middle;
            else
                high = middle;
        }
        reach = high;
    }
    return reach;
}
