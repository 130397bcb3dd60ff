/* claim.h: the description of one trade for its payoff's kind, and the kind's answer: the numbers
 * that its lanes read, once for an item and once for each node. Plain data. Must not know: trades,
 * markets, grids, images. */
#ifndef LEVY_PAYOFFS_CLAIM_H
#define LEVY_PAYOFFS_CLAIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct levy_payoff_terms;

enum { LEVY_PAYOFF_SCHEDULES = 9 }; /* the most schedules of dates that a payoff can observe */

/* What was observed before the valuation, in the units of the strike. */
typedef struct levy_past {
    bool given; /* the terms say it: dates before today are not observed */
    size_t n;
    double sum, log_sum; /* what the kind adds up of the levels */
    double last;         /* level */
    bool knocked;        /* a barrier was touched */
    bool knocked_now;    /* by today's fixing, which is the last level */
    bool has_extremum;
    double extremum;
} levy_past;

/* Is an option with early exercise exercised today: by its rule, or supposed to be, or not? */
typedef enum levy_now { LEVY_NOW_BY_RULE, LEVY_NOW_EXERCISED, LEVY_NOW_KEPT } levy_now;

/* What an item counts of a script: the state that it settles on, and the one time at which
 * payments and ends count; NaN: all times. `now` is also for options that are no scripts. */
typedef struct levy_script_view {
    uint32_t state;
    levy_now now;
    double time;
    bool bounds; /* it runs the script of the bound (policy_bound.h) */
} levy_script_view;

/* One trade: its terms, how its level is watched, and what was observed so far. */
typedef struct levy_claim {
    const struct levy_payoff_terms *terms;
    bool rebate_at_hit;
    bool continuous;     /* watched at all times from window_start on */
    bool varies;         /* then: the variance differs from path to path */
    double window_start; /* 0: the window is open today */
    bool sold;           /* the level has no lower bound, as in a spread */
    bool observes_now;   /* today's level is an observation */
    bool integrated;     /* its lanes integrate over the first normal (integral.h) */
    double deviation;    /* then, of the first level's logarithm at expiry, if lanes ask for it */
    bool softened;       /* its lanes compare over a width (engine/script/soften.h) */
    size_t n_future;     /* observations to come */
    levy_past past;
    const struct levy_scripted *scripted; /* of a payoff that is written as text; else NULL */
    levy_script_view view;                /* with `scripted` */
    const double *today; /* numbers of today's rules of rights; NULL: none is fitted */
    /* of the date whose numbers a stage writes, or of today; NULL: it asks for none */
    const struct levy_stage_law *law;
    double payment_time;
} levy_claim;

/* What lies at an edge's level. */
enum {
    LEVY_EDGE_OTHER, /* something that only the kind knows */
    LEVY_EDGE_END,   /* the level at expiry */
    LEVY_EDGE_MEAN,  /* the arithmetic mean of the observations */
    LEVY_EDGE_ROOT,  /* their geometric mean */
    LEVY_EDGE_TOUCH  /* the level whenever the barrier is watched */
};

/* Where what a path pays jumps or, if not, bends. */
typedef struct levy_edge {
    int32_t of; /* LEVY_EDGE_ */
    bool jumps; /* where one amount is paid once, at the first of its edges alone */
    double level;
    /* By how much a crossing changes what a path pays that ends at `end`, per unit and
     * undiscounted. NULL: by nothing, but the slope changes by 1. */
    double (*size)(const levy_claim *claim, double end);
} levy_edge;

/* Those of a claim: of one whose only edge bends, a call and a put differ by what lies there less
 * the level. */
enum { LEVY_EDGES = 2 };
typedef struct levy_edges {
    size_t n;
    levy_edge each[LEVY_EDGES];
} levy_edges;

/* The units of an item's numbers: a level of `scale` is 1, logarithms are in units of 1 / log_unit.
 */
typedef struct levy_claim_unit {
    double scale, log_unit;
    double today; /* the level now, in units of the scale */
} levy_claim_unit;

/* What the lanes read of an item. */
typedef struct levy_claim_numbers {
    uint32_t variant;
    double *terms; /* indexed by the ITEM_ of item.h; sign and strike are set already */
} levy_claim_numbers;

/* What a market says of a time, in years from the valuation date. */
typedef struct levy_claim_market {
    double (*discount)(const void *of, double time); /* the logarithm of the discount factor */
    /* of the underlying's logarithm until then, as Black and Scholes have it */
    double (*variance)(const void *of, size_t underlying, double time);
    /* as discount, on the curve of a floating rate */
    double (*forward)(const void *of, double time);
    const void *of;
    double now; /* the market's date */
} levy_claim_market;

/* A node, and the interval of the trade's first asset that ends there. */
typedef struct levy_claim_step {
    double time; /* of the node */
    /* bit k: the node is a date of schedule k; 0 is the observations, the others are `further` */
    uint32_t events;
    /* [schedule]: the node's index among its future dates; their count if it is none of them */
    size_t number[LEVY_PAYOFF_SCHEDULES];
    double log_unit;
    /* of the logarithm, over the interval; NaN where the trade has several assets */
    double drift, variance;
    double drop; /* fall of the logarithm at the node by proportional dividends */
    bool opens;  /* the window opens at the node */
    /* [underlying]: of the logarithm at the node on the normal that is integrated; NULL: none is */
    const double *loadings;
    double last_loading;   /* of the trade's first asset at the last node; 0: none is */
    const double *weights; /* [underlying]: a level is its weight times its gross return */
    const double *added;   /* [underlying]: cash, over the spot, as LEVY_SCRIPT_ADDED; NULL: none */
    /* [schedule][underlying] variance of the logarithm since the schedule's date before, or since
     * today */
    const double *since[LEVY_PAYOFF_SCHEDULES];
    /* Logarithms of the discount factors at the interval's two ends and at the payment. 1 paid at
     * the node is worth exp(to - paid) in money of the payment date. */
    double from, to, paid;
    levy_claim_market market; /* the item's */
} levy_claim_step;

#endif
