/* rare_parts.h: what the files that find rare events share. rare_events.c has the chance of one and
 * who tells of it; rare_touches.c barriers; rare_decisions.c scripts; rare_strikes.c
 * strikes; rare.c asks all of these under a market. Must not know: images, sums. */
#ifndef LEVY_PLAN_RARE_PARTS_H
#define LEVY_PLAN_RARE_PARTS_H

#include "engine/plan/law.h"
#include "engine/plan/rare.h"

/* A trade under a market, and the events that are looked for and counted there. */
typedef struct levy_rare_market {
    const levy_dynamics_plan *plan;
    const levy_trade *trade, *own; /* as it is simulated; as it is written */
    levy_arena *arena;
    levy_rare_events *found;
    double discount; /* of a payment; 1 where events are looked for */
    uint32_t set;
} levy_rare_market;

/* ---- rare_events.c ---- */

/* Whether a chance is that of a rare event, and of one that is ever met. */
bool levy_rare_counts(double chance);

/* The chance of an event under a set. If that is far from today's market, other paths tell of it:
 * e->chance is replaced. */
double levy_rare_chance(const levy_rare_market *market, const levy_law_view *seen,
                        levy_rare_event *e);

/* Adds an event if it is rare. */
levy_status levy_rare_add(const levy_rare_market *market, levy_rare_event e, bool *is_rare);

/* The bin of a chance to be told of, and that chance itself, after an event from which the
 * logarithm goes back by `back`. */
size_t levy_rare_bin(double told);
double levy_rare_told_of(const levy_rare_event *e, double back);

/* The variance of an underlying's logarithm from a time to expiry. */
double levy_rare_left(const levy_rare_market *market, const levy_asset *asset, double time);

/* The steps by which the level goes back after an event, how far each is in deviations, and how
 * likely. levy_rare_weights returns the sum of that. */
size_t levy_rare_steps(const levy_rare_event *e);
double levy_rare_back(const levy_rare_event *e, size_t step);
double levy_rare_weights(const levy_rare_event *e, double *weights);

/* Makes an event the share of one underlying in what all do together, whose sum moves by `ratio`.
 */
void levy_rare_share_of(const levy_rare_market *market, double ratio, levy_rare_event *e);

/* ---- rare_touches.c ---- */

levy_status levy_rare_touches(const levy_rare_market *market);

/* Adds what a touch, which has that chance, changes of the payment. */
void levy_rare_touch_misses(const levy_rare_market *market, const levy_law_view *seen,
                            const levy_rare_event *e, double chance, levy_rare_run *run);

/* ---- rare_strikes.c ---- */

levy_status levy_rare_strikes(const levy_rare_market *market);

/* What lies beyond such a strike under a set. */
levy_status levy_rare_beyond(const levy_rare_market *market, levy_rare *rare);

/* ---- rare_decisions.c ---- */

levy_status levy_rare_decisions(const levy_rare_market *market);

/* What a script's events are worth under a set. */
levy_status levy_rare_outcomes(const levy_rare_market *market, const levy_script_view *view,
                               levy_rare *rare);

#endif
