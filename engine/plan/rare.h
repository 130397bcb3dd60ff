/* rare.h: what a path pays otherwise if something happens of which so few paths tell that
 * replicates may agree about it: a level at a barrier, or on the other side of what decides, on a
 * near date; or at a strike between two markets of a difference. Where no path tells, the mean
 * lacks the chance of it times what it is worth, and so does each market of a difference
 * (estimate.h). A path that is integrated over its first normal tells of a date without being
 * there, as that normal moves the date too. Only events of which few paths tell are kept. That a
 * level which starts at a barrier is never beyond it on n dates: E. Sparre Andersen, Math. Scand.
 * 1, 1953. Must not know: images, sums. */
#ifndef LEVY_PLAN_RARE_H
#define LEVY_PLAN_RARE_H

#include "engine/plan/crossed.h"
#include "engine/plan/peaks.h"

enum { LEVY_RARE_BINS = 20, LEVY_RARE_STEPS = 40, LEVY_RARE_BENDS = 6 };

/* An underlying at a level or beyond, and on no later date. */
typedef struct levy_rare_event {
    size_t underlying;
    double time, level, side; /* level: in spots; side: 1 upward, -1 downward */
    double (*size)(const levy_claim *claim, double end); /* of a touch (payoffs/claim.h) */
    size_t later;          /* dates on which the same barrier is watched again */
    size_t schedule, date; /* of a script's decision */
    double at, before;  /* in spots: a level where it decides otherwise, and one just before it */
    double share;       /* of an event that is one of all underlyings together */
    double end, narrow; /* of a touch: the payment's level, by how much less it varies */
    double worth;       /* today's, undiscounted */
    double chance;      /* today's */
    double stays;       /* the chance that it is beyond on no later date */
    /* of the logarithm: how far it is, its variance until then and until the end */
    double distance, variance, all;
    /* of a touch, where a path tells of it without being there: by how far the level goes back, the
     * bin of the chance that it does */
    unsigned char bins[LEVY_RARE_STEPS];
    bool together; /* a decision that all underlyings change, which move as far */
    bool known;    /* one that counts only by what the script is known to pay otherwise */
} levy_rare_event;

/* Neighbouring events of one underlying, and what they miss in markets that do not move it: most of
 * the bumps of a trade on many. */
typedef struct levy_rare_run {
    size_t underlying, first, n;
    bool counted; /* the rest is filled */
    double discount, missed[LEVY_RARE_BINS], share;
} levy_rare_run;

/* Where what a payoff pays bends by a mean of logarithms, of which few paths tell. */
typedef struct levy_rare_bend {
    size_t n;
    const struct levy_rare_part *parts; /* [n] */
    double at, side;                    /* the mean there, and to which side the bend is */
    double share;                       /* of the paths beyond it, those that pay more */
    double size;     /* what is paid more beyond, undiscounted, for a unit of the mean */
    double missed;   /* in all, today */
    double z, slope; /* paths that go there (rare_bends.c) */
    const double *moves;
} levy_rare_bend;

/* The events of a trade, found once for all markets. */
typedef struct levy_rare_events {
    size_t n, room, n_runs, run_room;
    levy_rare_event *events;
    levy_rare_run *runs;
    double share;
    /* > 0: what they are worth is not known: a deviation of what paths pay, and at least this share
     * of its size, as paths that are integrated may all agree: one date's of a schedule */
    double relative;
    double beyond; /* the side of a strike that few paths reach; 0: it is none */
    size_t n_bends;
    levy_rare_bend bends[LEVY_RARE_BENDS];
    levy_crossings crossings;
    levy_peak_edge edge;
} levy_rare_events;

/* What the paths of an item miss. */
typedef struct levy_rare {
    /* By the chance to be told of: chance times worth, discounted; of a script the chance where its
     * worth is not known, and of all its events their chance and worth (outcome.h), discounted. */
    double missed[LEVY_RARE_BINS];
    double chance[LEVY_RARE_BINS], worth[LEVY_RARE_BINS];
    double
        share; /* of the paths that tell of events in a market, those that tell of their change */
    double relative;
    bool settled;                        /* a touch that was, or is today's, leaves nothing open */
    double strike_chance, strike_missed; /* between the strikes of this market and today's */
    /* what is paid more beyond a strike that few reach */
    double beyond_chance[LEVY_RARE_BENDS], beyond_missed[LEVY_RARE_BENDS];
    levy_crossed crossed;
    /* what a path gives by an edge whose clock is as little as on this share, discounted */
    double little[LEVY_RARE_BINS];
} levy_rare;

/* Whether events can be told before the run: a rule of exercise is fitted later. */
bool levy_rare_is_told(const levy_trade *trade);

levy_status levy_rare_find(const levy_dynamics_plan *plan, const levy_trade *trade,
                           levy_arena *arena, levy_rare_events *found);

/* The chance that a path tells of the events of a bin. */
double levy_rare_told(size_t bin);

/* What an item may miss under a set; `discount`: of its payment; `view`: as levy_item_terms. */
levy_status levy_rare_of(const levy_dynamics_plan *plan, uint32_t set, const levy_trade *trade,
                         const levy_script_view *view, levy_rare_events *found, double discount,
                         levy_arena *arena, levy_rare *rare);

#endif
