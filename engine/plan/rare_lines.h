/* rare_lines.h: paths on which all levels of a payoff go along a line, and where they make it
 * decide otherwise. See rare_bends.c. Must not know: images, sums. */
#ifndef LEVY_PLAN_RARE_LINES_H
#define LEVY_PLAN_RARE_LINES_H

#include "engine/plan/outcome.h"
#include "engine/plan/rare_parts.h"

/* Paths that go along a line. */
typedef struct levy_rare_line {
    levy_outcome_path own;
    const levy_rare_market *x;
    const levy_rare_part *rows; /* [row][n_underlyings]: the logarithms on all dates */
    double *expiry;             /* a built-in payoff's last schedule */
    double *moves;              /* likewise: by one deviation along the line */
    double z;                   /* where on it the path is */
    double step;                /* between places that are tried for a turn */
    /* dates of a schedule on which an underlying is moved by that beside it */
    size_t schedule, first, end, underlying;
    double nudge;
    double *effort; /* that is left */
} levy_rare_line;

/* Whether finding out may take more effort. */
static inline bool levy_rare_line_goes_on(const levy_rare_line *line)
{
    return *line->effort > 0.0;
}

/* Where a path decides otherwise. */
typedef struct levy_rare_turn {
    double z, side;
    double pays, jump;    /* before it; by how much more just beyond */
    double before, after; /* by how much more a deviation farther out */
    bool alone;           /* nothing else is decided beside it */
} levy_rare_turn;

/* Slopes are measured so many deviations beside a turn. */
static const double levy_rare_turn_off = 1e-4;

/* `effort`: levels that may be made; when it is spent no turn is found. */
levy_status levy_rare_line_begin(const levy_rare_market *market, levy_outcome_view *seen,
                                 const levy_script_view *view, double *effort,
                                 levy_rare_line *line);

/* The schedules of the paths' dates. */
size_t levy_rare_line_schedules(const levy_trade *trade);
levy_times levy_rare_line_dates(const levy_rare_line *line, size_t schedule);

/* Aims the line at a sum of parts. Returns the sum's deviation; 0: no effort is left. */
double levy_rare_line_aim(levy_rare_line *line, const levy_rare_part *parts, size_t n);

/* What the path so many deviations along the line pays. */
double levy_rare_line_pays(levy_rare_line *line, double z, uint64_t *decided);

/* Finds the next turn outward of `from` deviations. */
bool levy_rare_turn_next(levy_rare_line *line, double from, double until, double side,
                         levy_rare_turn *turn);
/* What is paid at one that is there. */
levy_rare_turn levy_rare_turn_at(levy_rare_line *line, double z, double side);

/* Whether what is paid bends there, by more than rounding, and does not jump. */
bool levy_rare_turn_bends(const levy_rare_turn *turn);

/* Whether it jumps: farther out nothing counts beside that (rare_decisions.c). */
bool levy_rare_turn_jumps(const levy_rare_turn *turn);

#endif
