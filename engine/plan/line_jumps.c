/* line_jumps.c: see line_jumps.h. */
#include "engine/plan/line_jumps.h"

#include "kernels/lane/scalar.h"

#include <math.h>

/* Deviations within which it is looked for where a script decides, and between two tries: of paths
 * of one level, and of those of many. */
static const double jumps_farthest = 6.0, jumps_finest = 0x1p-4, jumps_coarsest = 0x1p-2;
/* Levels that are made for a trade, and with the finest step. */
static const double jumps_effort = 0x1p15, jumps_fine = 4.0;
/* Places where a script decides that are kept. */
enum { JUMPS_MOST = 32 };

typedef struct jumps_lines {
    levy_rare_market market;
    levy_outcome_view seen;
    levy_rare_line line;
    levy_law_view law;   /* of the underlying that the line is aimed at, */
    levy_rare_part part; /* on the date */
    double effort;
} jumps_lines;

static levy_status jumps_begin(const levy_dynamics_plan *m, const levy_trade *t,
                               const levy_script_view *view, double time, levy_arena *arena,
                               jumps_lines *l)
{
    const double size = (double)levy_outcome_size(t) / jumps_fine;
    l->market = (levy_rare_market){m, t, t, arena, NULL, 1.0, 0};
    l->effort = jumps_effort;
    LEVY_TRY(levy_rare_line_begin(&l->market, &l->seen, view, &l->effort, &l->line));
    l->line.step = fmin(fmax(size, 1.0) * jumps_finest, jumps_coarsest);
    l->line.own.only = time;
    return LEVY_OK;
}

/* Aims a line at an underlying on the date. False: nothing moves it. */
static levy_status jumps_aim(jumps_lines *l, size_t u, bool *moves)
{
    levy_law law;
    LEVY_TRY(levy_law_see(l->market.plan, 0, u, l->market.arena, &l->law));
    l->part = levy_rare_part_of(&l->market, &l->law, l->line.own.only, 1.0, &law);
    *moves = levy_rare_line_aim(&l->line, &l->part, 1) > 0.0;
    return LEVY_OK;
}

/* The chance that the underlying is farther out. */
static double jumps_chance(const jumps_lines *l, double z)
{
    return levy_law_chance(l->market.plan, &l->law, l->part.time,
                           levy_exp(l->part.mean + z * l->part.deviation), z > 0.0 ? 1.0 : -1.0);
}

static levy_status jumps_walk(jumps_lines *l, size_t u, double least, levy_line_jumps *found)
{
    levy_arena *const arena = l->market.arena;
    bool moves;
    levy_rare_turn turn = {.z = -jumps_farthest};
    if (!(l->effort > 0.0)) return LEVY_OK;
    LEVY_TRY(jumps_aim(l, u, &moves));
    while (moves && found->n < JUMPS_MOST &&
           levy_rare_turn_next(&l->line, turn.z + 2.0 * levy_rare_turn_off, jumps_farthest, 1.0,
                               &turn)) {
        if (levy_memory_stopped(arena->memory)) return LEVY_CANCELLED;
        if (!(jumps_chance(l, turn.z) >= least)) continue;
        if (!LEVY_ARENA_GROW(arena, found->turns, found->n, found->room, 4)) return LEVY_MEMORY;
        found->turns[found->n++] = (levy_line_turn){u, turn.z};
    }
    return LEVY_OK;
}

levy_status levy_line_jumps_find(const levy_dynamics_plan *m, const levy_trade *t, double time,
                                 double least, levy_arena *arena, levy_line_jumps *found)
{
    jumps_lines lines;
    *found = (levy_line_jumps){.time = time};
    if (!t->kind.scripted || !levy_rare_is_told(t) || !levy_trade_is_discontinuous(t))
        return LEVY_OK;
    LEVY_TRY(jumps_begin(m, t, NULL, time, arena, &lines));
    for (size_t u = 0; u < t->n_underlyings; ++u) LEVY_TRY(jumps_walk(&lines, u, least, found));
    return LEVY_OK;
}

levy_status levy_line_jump(const levy_dynamics_plan *m, const levy_trade *t,
                           const levy_script_view *view, const levy_line_jumps *found,
                           levy_arena *arena, double *jump)
{
    jumps_lines lines;
    double sum = 0.0, most = 0.0;
    bool moves;
    *jump = 0.0;
    if (found->n == 0 || (view && view->time < found->time)) return LEVY_OK;
    LEVY_TRY(jumps_begin(m, t, view, found->time, arena, &lines));
    for (size_t i = 0; i < found->n; ++i) {
        const levy_line_turn *const at = &found->turns[i];
        if (i == 0 || at->underlying != at[-1].underlying) {
            LEVY_TRY(jumps_aim(&lines, at->underlying, &moves));
            sum = 0.0;
        }
        const levy_rare_turn turn = levy_rare_turn_at(&lines.line, at->z, 1.0);
        if (levy_rare_turn_jumps(&turn)) sum += turn.jump * turn.jump;
        most = fmax(most, sum);
    }
    *jump = levy_sqrt(most);
    return LEVY_OK;
}
