/* line_jumps.h: how far what a script pays jumps on the date that paths draw first, on paths whose
 * levels all go along with an underlying's there. That draw may decide by itself on which side of a
 * jump a path ends. Replicates of scrambled points then have equally many paths there but for one,
 * and their spread says nothing of it (estimate.c). Where other draws decide as well, replicates
 * differ more. Must not know: images, sums. */
#ifndef LEVY_PLAN_LINE_JUMPS_H
#define LEVY_PLAN_LINE_JUMPS_H

#include "engine/plan/rare_lines.h"

/* Where a script decides on the line of an underlying, in deviations. */
typedef struct levy_line_turn {
    size_t underlying;
    double z;
} levy_line_turn;

typedef struct levy_line_jumps {
    double time; /* of the date */
    size_t n, room;
    levy_line_turn *turns; /* by underlying */
} levy_line_jumps;

/* least: the chance from which on paths tell of a jump (rare.h has the others). */
levy_status levy_line_jumps_find(const levy_dynamics_plan *plan, const levy_trade *trade,
                                 double time, double least, levy_arena *arena,
                                 levy_line_jumps *found);

/* The root of the sum of squares of the jumps of what `view` counts (NULL: the price),
 * undiscounted, on the line on which that is largest. 0: it does not jump, as nothing does that is
 * counted before the date. */
levy_status levy_line_jump(const levy_dynamics_plan *plan, const levy_trade *trade,
                           const levy_script_view *view, const levy_line_jumps *found,
                           levy_arena *arena, double *jump);

#endif
