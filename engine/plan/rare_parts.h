/* rare_parts.h: what the files that find rare events share. rare_events.c has the chance of one and
 * who tells of it; rare_touches.c barriers; rare_decisions.c scripts; rare_strikes.c and
 * rare_bends.c strikes; rare.c asks all of these under a market. Must not know: images, sums. */
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

/* ---- rare_levels.c ---- */

/* So many dates stand for all. */
enum { LEVY_RARE_DATES = 6, LEVY_RARE_PARTS = 96 };

/* An underlying on a date, as a share of a level. */
typedef struct levy_rare_part {
    size_t underlying;
    double time, share, mean, deviation; /* mean: of the logarithm */
} levy_rare_part;

/* A level of which something is paid beyond `at`. */
typedef struct levy_rare_level {
    levy_law law;           /* of the first underlying at the last date */
    double at;              /* a logarithm, less what is known */
    double mean, deviation; /* of the logarithm */
    double size;            /* what is paid more there for a unit of the logarithm */
} levy_rare_level;

/* Of `scale` times an underlying. *law: its law. */
levy_rare_part levy_rare_part_of(const levy_rare_market *market, const levy_law_view *seen,
                                 double time, double scale, levy_law *law);

/* Fills an underlying's parts on n of the dates, each with the share of those that it stands
 * for. */
levy_status levy_rare_dates(const levy_rare_market *market, levy_times dates, size_t u,
                            double scale, size_t n, levy_rare_part *parts, levy_law *last);

/* Of two logarithms. */
double levy_rare_covariance(const levy_rare_market *market, const levy_rare_part *a,
                            const levy_rare_part *b);

/* Of two sums of parts. */
double levy_rare_joint(const levy_rare_market *market, const levy_rare_part *a, size_t n_a,
                       const levy_rare_part *b, size_t n_b);

/* The level that parts make, each of which is its share by `all`: a power, or a summand. */
void levy_rare_product(const levy_rare_market *market, const levy_rare_part *parts, size_t n,
                       double all, levy_rare_level *level);
void levy_rare_sum(const levy_rare_market *market, const levy_rare_part *parts, size_t n,
                   double all, levy_rare_level *level);

/* Adds what is paid beyond to one side, on a share of the paths that are there. */
void levy_rare_beyond(const levy_rare_market *market, const levy_rare_level *level, double side,
                      double share, size_t slot, levy_rare *rare);

/* Of the paths whose product is beyond, those on which one more underlying is, too: of two at a
 * correlation of 0.4, four deviations out. */
static const double levy_rare_each = 0.25;

/* ---- rare_strikes.c, rare_bends.c ---- */

/* Whether a built-in payoff's strike is on a sum, a product or a pick of levels that none sells. Of
 * others, and of scripts, paths find where they bend. */
bool levy_rare_has_strike(const levy_trade *trade);

levy_status levy_rare_strikes(const levy_rare_market *market);
levy_status levy_rare_bends(const levy_rare_market *market);

/* Adds what lies beyond these under a set. */
levy_status levy_rare_strike(const levy_rare_market *market, levy_rare *rare);
levy_status levy_rare_bent(const levy_rare_market *market, const levy_script_view *view,
                           levy_rare *rare);

/* ---- rare_decisions.c ---- */

levy_status levy_rare_decisions(const levy_rare_market *market);

/* What a script's events are worth under a set. */
levy_status levy_rare_outcomes(const levy_rare_market *market, const levy_script_view *view,
                               levy_rare *rare);

#endif
