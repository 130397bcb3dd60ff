/* outcome.h: by how much a script pays otherwise if a level is beyond what one of its dates decides
 * by. What paths pay that never are there says nothing of it: all may be paid the rebate of an
 * option that is knocked in by another underlying. So the script is run, on paths that stand for
 * all that are there: before the date and on it by their means, later on by three points of a
 * normal law. Must not know: chances, images, sums. */
#ifndef LEVY_PLAN_OUTCOME_H
#define LEVY_PLAN_OUTCOME_H

#include "engine/plan/dynamics.h"
#include "payoffs/scripted.h"

/* An underlying at a level on a date of a schedule. */
typedef struct levy_outcome {
    size_t underlying, schedule, date; /* of those to come */
    double level, before; /* in spots: where the script decides otherwise, and just before it */
    bool together;        /* with all others, which have moved as far */
} levy_outcome;

/* The dates to come of a trade as a set sees them. */
typedef struct levy_outcome_view {
    uint32_t set;
    const levy_asset *assets;         /* [n_underlyings] */
    size_t first[LEVY_SCRIPT_BLOCKS]; /* [schedule]: of the rows of its dates */
    double *median, *variance;        /* [row][n_underlyings] of the logarithm, from today on */
    double *worth;                    /* [row] of 1 that is paid, in money of the payment date */
} levy_outcome_view;

levy_status levy_outcome_see(const levy_dynamics_plan *plan, uint32_t set, const levy_trade *trade,
                             levy_arena *arena, levy_outcome_view *seen);

/* A path to run a payoff on, whose schedules are a script's, or a built-in payoff's observations
 * and its expiry. `levels` fills those of a date of a schedule, counted from the next
 * one. */
typedef struct levy_outcome_path {
    const levy_outcome_view *seen;
    const levy_trade *trade;
    const levy_script_view *view;  /* as below */
    double today[LEVY_MAX_ASSETS]; /* levels, as the payoff sees them */
    double only;                   /* the time of a script's date that decides; 0: all do */
    void (*levels)(const struct levy_outcome_path *path, size_t schedule, size_t date,
                   double *levels);
} levy_outcome_path;

/* What the path pays, or counts. *decided: a number that says what its dates decide. */
double levy_outcome_run(const levy_outcome_path *path, uint64_t *decided);

/* How many levels a path has. */
size_t levy_outcome_size(const levy_trade *trade);

/* How much more is paid, in money of the payment date, or counted of what `view` names; NULL: the
 * price. 0 where the payment only bends: what it is worth then grows with the way beyond, which
 * paths tell of as they tell of any payment. */
double levy_outcome_of(const levy_dynamics_plan *plan, const levy_outcome_view *seen,
                       const levy_trade *trade, const levy_script_view *view,
                       const levy_outcome *outcome);

/* What that takes, in levels that are made. */
double levy_outcome_effort(const levy_trade *trade);

#endif
