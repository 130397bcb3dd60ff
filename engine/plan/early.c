/* early.c: see early.h. Sets that move the spot alone share a solution; a bump's begins at that of
 * the market it bumps. A scenario's is its own, with the bits of a book with its quotes. */
#include "engine/plan/early.h"

/* Of a trade under a set, and those that share its market. */
typedef struct early_solution {
    levy_exercise exercise;
    bool is_own; /* it began at no other */
    struct early_solution *next;
} early_solution;

typedef struct early_work {
    const levy_dynamics_plan *dynamics;
    const levy_trade *trade;
    levy_arena arena; /* of the trade */
    early_solution *first, *today;
} early_work;

/* The right to the spot, kept today or not: a level is its coefficient times the spot. What may be
 * exercised at all times loses nothing where it is kept for no time. */
static levy_exercise_right early_right(const levy_trade *t, bool kept)
{
    size_t first = 0;
    while (kept && first < t->early->n && t->early->times[first] == 0.0) ++first;
    return (levy_exercise_right){.sign = levy_payoff_sign(t->claim.terms),
                                 .strike = t->claim.terms->strike / t->claim.coefficients[0],
                                 .expiry = t->claim.expiry,
                                 .american = t->early->american,
                                 .n_dates = t->early->n - first,
                                 .dates = first ? t->early->times + first : t->early->times};
}

/* The solution under a set; `like`: of the market that it bumps, or NULL. */
static levy_status early_find(early_work *w, uint32_t set, early_solution *like, bool kept,
                              early_solution **found)
{
    const levy_dynamics_plan *const m = w->dynamics;
    const levy_exercise_right right = early_right(w->trade, kept);
    early_solution *const made = levy_arena_allocate(&w->arena, 1, sizeof *made);
    levy_asset asset;
    const levy_curve *curve;
    if (!made) return LEVY_MEMORY;
    LEVY_TRY(levy_dynamics_asset(m, set, 0, &w->arena, &asset));
    LEVY_TRY(levy_dynamics_curve(m, set, w->trade->discount_curve, &w->arena, &curve));
    LEVY_TRY(levy_exercise_read(&right, &asset, curve, m->sets[set].elapsed, &w->arena,
                                &made->exercise));
    levy_exercise_plan(levy_dynamics_spot(m, set, 0), like ? &like->exercise : NULL,
                       &made->exercise);
    for (*found = w->first; *found; *found = (*found)->next)
        if ((like || (*found)->is_own) && levy_exercise_same(&(*found)->exercise, &made->exercise))
            return LEVY_OK;
    made->is_own = !like;
    made->next = w->first;
    *found = w->first = made;
    return levy_exercise_solve(like ? &like->exercise : NULL, &w->arena, &made->exercise);
}

static levy_status early_value(early_work *w, uint32_t set, levy_now now, double *terms)
{
    const levy_dynamics_plan *const m = w->dynamics;
    const double unit = w->trade->claim.coefficients[0], spot = levy_dynamics_spot(m, set, 0);
    early_solution *found = w->today;
    if (m->sets[set].scenario || now == LEVY_NOW_KEPT)
        LEVY_TRY(early_find(w, set, NULL, now == LEVY_NOW_KEPT, &found));
    else if (set != 0)
        LEVY_TRY(early_find(w, set, w->today, false, &found));
    levy_exercise_value v = levy_exercise_at(&found->exercise, spot);
    if (now == LEVY_NOW_EXERCISED) v = levy_exercise_now(&found->exercise, spot);
    terms[LEVY_EARLY_VALUE] = unit * v.value;
    terms[LEVY_EARLY_COARSE] = unit * v.coarse;
    terms[LEVY_EARLY_PLAIN] = unit * v.plain;
    terms[LEVY_EARLY_WRONG] = unit * v.wrong;
    terms[LEVY_EARLY_METHOD] = (double)found->exercise.method;
    return LEVY_OK;
}

/* All items of a trade: `first`, and what follows it. */
static levy_status early_trade(early_work *w, const levy_trade *trade, uint32_t first,
                               const uint32_t *next, levy_item_plan *p)
{
    w->trade = trade;
    w->first = NULL;
    levy_arena_clear(&w->arena);
    LEVY_TRY(early_find(w, 0, NULL, false, &w->today));
    for (uint32_t i = first; i != UINT32_MAX; i = next[i])
        LEVY_TRY(
            early_value(w, p->sets[i], p->views[i].now, p->reals + (size_t)i * LEVY_ITEM_REALS));
    return LEVY_OK;
}

levy_status levy_early_fill(const levy_problem *problem, const levy_dynamics_plan *m,
                            levy_arena *arena, levy_item_plan *p)
{
    const levy_group *const group = m->group;
    uint32_t *const first = levy_arena_allocate(arena, group->n_trades, sizeof *first),
                    *const next = levy_arena_allocate(arena, p->n_items, sizeof *next);
    early_work w = {.dynamics = m};
    levy_status status = LEVY_OK;
    if (!first || !next) return LEVY_MEMORY;
    for (size_t t = 0; t < group->n_trades; ++t) first[t] = UINT32_MAX;
    for (uint32_t i = (uint32_t)p->n_items; i-- > 0;) {
        if (p->items[i].trade >= group->n_trades) continue; /* a floor */
        next[i] = first[p->items[i].trade];
        first[p->items[i].trade] = i;
    }
    levy_arena_init(&w.arena, arena->memory);
    for (size_t t = 0; t < group->n_trades && status == LEVY_OK; ++t) {
        const levy_trade *const trade = &problem->trades[group->trades[t]];
        status = early_trade(&w, trade, first[t], next, p);
        if (levy_memory_stopped(arena->memory)) status = LEVY_CANCELLED;
    }
    levy_arena_release(&w.arena);
    return status;
}

levy_status levy_early_levels(const levy_trade *trade, levy_arena *arena,
                              levy_exercise_levels *levels)
{
    const levy_moved today = {.n_shifts = 0};
    const levy_exercise_right right = early_right(trade, false);
    levy_exercise *const e = levy_arena_allocate(arena, 1, sizeof *e);
    levy_asset asset;
    const levy_curve *curve;
    if (!e) return LEVY_MEMORY;
    LEVY_TRY(levy_moved_asset(&today, levy_trade_asset(trade, 0), arena, &asset));
    LEVY_TRY(levy_moved_curve(&today, trade->discount_curve, arena, &curve));
    LEVY_TRY(levy_exercise_read(&right, &asset, curve, 0.0, arena, e));
    levy_exercise_plan(asset.spot, NULL, e);
    LEVY_TRY(levy_exercise_solve(NULL, arena, e));
    LEVY_TRY(levy_exercise_find_levels(e, arena, levels));
    for (size_t k = 0; k < levels->n; ++k) levels->levels[k] *= trade->claim.coefficients[0];
    return LEVY_OK;
}

const char *levy_early_method(const double *terms)
{
    static const char *const names[] = {
        "deterministic: Black's formula, as exercise before expiry never pays",
        "deterministic: spectral; the error is what half the resolution changes",
        "deterministic: finite differences; the error is what half the resolution changes"};
    return names[(int)terms[LEVY_EARLY_METHOD]];
}
