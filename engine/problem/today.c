/* today.c: see today.h. */
#include "engine/problem/today.h"

#include "kernels/path/image.h"
#include "payoffs/scripted.h"

#include <math.h>

enum { TODAY_HALVINGS = 24 };

static bool today_decides(const levy_trade *trade)
{
    if (trade->scripted) return trade->observes_now || trade->scripted->script.crosses;
    return trade->observes_now && levy_payoffs[trade->payoff]->barrier &&
           trade->aggregate != LEVY_AGGREGATE_GEOMETRIC;
}

/* What a built-in payoff watches. */
static double today_level(const levy_trade *trade, const double *levels)
{
    double level = levels[0];
    for (size_t u = 1; u < trade->n_underlyings; ++u) {
        if (trade->aggregate == LEVY_AGGREGATE_BASKET)
            level += levels[u];
        else if ((trade->aggregate == LEVY_AGGREGATE_BEST_OF) == (levels[u] > level))
            level = levels[u];
    }
    return level;
}

/* A number that says what levels decide, where `now` are those of today. */
static uint64_t today_decision(const levy_trade *trade, const double *levels, const double *now)
{
    if (trade->scripted) return levy_scripted_decides(trade->scripted, levels, now);
    const levy_barrier_terms *const barrier =
        levy_terms_barrier(levy_payoffs[trade->payoff], trade->terms);
    return barrier && levy_barrier_is_beyond(barrier, today_level(trade, levels));
}

bool levy_today_is_same(const levy_trade *trade, const double *levels, const double *moved)
{
    return !today_decides(trade) ||
           today_decision(trade, levels, levels) == today_decision(trade, moved, levels);
}

/* Whether a move of underlying `which`, n for all, decides as no move does, which is `decided`. */
static bool today_stays(const levy_trade *trade, const double *levels, uint64_t decided,
                        size_t which, double move)
{
    double moved[LEVY_MAX_ASSETS];
    for (int up = 0; up < 2; ++up) {
        for (size_t u = 0; u < trade->n_underlyings; ++u) {
            const bool moves = which == u || which == trade->n_underlyings;
            const double by = up ? move : -move;
            moved[u] = moves ? levels[u] * (1.0 + by) : levels[u];
        }
        if (today_decision(trade, moved, levels) != decided) return false;
    }
    return true;
}

double levy_today_reach(const levy_trade *trade, const double *levels, double most)
{
    double reach = 0.0;
    if (!today_decides(trade)) return INFINITY;
    const uint64_t decided = today_decision(trade, levels, levels);
    for (int k = TODAY_HALVINGS; k >= 0; --k) {
        const double move = ldexp(most, -k);
        for (size_t u = 0; u <= trade->n_underlyings; ++u)
            if (!today_stays(trade, levels, decided, u, move)) return reach;
        reach = move;
    }
    return INFINITY;
}
