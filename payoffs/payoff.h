/* payoff.h: what a payoff is on the host: its YAML fields (one table per kind, all into one struct), what it needs, and
 * how its terms become the numbers the path loop reads. The lanes' half is in <kind>.h. One line of payoffs.def each.
 * Must not know: documents, markets, backends. */
#ifndef LEVY_PAYOFFS_PAYOFF_H
#define LEVY_PAYOFFS_PAYOFF_H

#include "engine/base/field.h"

#include <stdbool.h>

/* Observation dates as written: a list of times, or start/end/frequency (dates), or start/end/count (evenly spaced). */
typedef struct levy_schedule_terms {
    const struct levy_node *node; /* NULL: absent */
    levy_list times;              /* of levy_time */
    levy_time start, end;
    levy_tenor frequency;         /* unit 0: absent */
    uint64_t count;               /* 0: absent */
    bool include_start;
    int32_t roll;                 /* levy_roll */
    int32_t generation;           /* 0 forward, 1 backward */
    bool end_of_month;
    levy_list calendars;          /* of const char * */
} levy_schedule_terms;
extern const levy_table levy_schedule_table; /* a bare list is short for {times: [...]} */

typedef enum levy_aggregate { /* many underlyings to one number */
    LEVY_AGGREGATE_NONE,      /* exactly one underlying */
    LEVY_AGGREGATE_BASKET,    /* sum of weight * level */
    LEVY_AGGREGATE_GEOMETRIC, /* product of level ^ weight */
    LEVY_AGGREGATE_BEST_OF,   /* largest weight * level */
    LEVY_AGGREGATE_WORST_OF   /* smallest weight * level */
} levy_aggregate;

/* The terms of every kind; a kind's table names the ones it has, the others keep their zero. */
typedef struct levy_payoff_terms {
    const struct levy_node *node;
    int32_t option_type;    /* 0 call, 1 put */
    double strike;          /* in the underlying's units, or a fraction of the initial level */
    int32_t strike_type;    /* 0 absolute, 1 percent_of_initial */
    const struct levy_node *initial_fixing; /* percent_of_initial: `spot`, a number, or a list of one number per underlying */
    int32_t aggregate;      /* levy_aggregate */
    int32_t basket_type;    /* kind basket: 0 arithmetic, 1 geometric */
    int32_t payout;         /* digital: 0 cash, 1 asset */
    double cash;            /* digital, cash: amount per unit */
    int32_t averaging_method; /* asian: 0 arithmetic, 1 geometric */
    int32_t barrier_direction; /* 0 up, 1 down */
    int32_t barrier_knock;     /* 0 out, 1 in */
    int32_t barrier_monitoring; /* 0 discrete, 1 continuous (refused) */
    double barrier_level;      /* same units as strike */
    levy_schedule_terms observations; /* asian: fixings; barrier: monitoring dates */
} levy_payoff_terms;

/* Order of payoffs.def: the number is in the plan image and in the kernels' shapes. */
enum {
#define LEVY_PAYOFF(name, NAME) LEVY_PAYOFF_##NAME,
#include "payoffs/payoffs.def"
#undef LEVY_PAYOFF
    LEVY_PAYOFF_COUNT
};

enum {
    LEVY_PAYOFF_OBSERVES = 1u << 0,     /* has an observation schedule beside expiry */
    LEVY_PAYOFF_AVERAGES = 1u << 1,     /* observations before the valuation are fixings that enter the payoff */
    LEVY_PAYOFF_KNOCKS = 1u << 2,       /* has a barrier */
    LEVY_PAYOFF_DISCONTINUOUS = 1u << 3 /* bumps are noisy */
};

typedef struct levy_payoff {
    const char *kind;
    const levy_table *table;   /* fills a levy_payoff_terms */
    unsigned features;
    int32_t aggregate;         /* fixed by the kind (basket, best_of, worst_of), or LEVY_AGGREGATE_NONE: terms.aggregate says */
    int32_t lanes;             /* the LEVY_PAYOFF_ number of the lane code that prices it (european for basket, ...) */
} levy_payoff;

#define LEVY_PAYOFF(name, NAME) \
    extern const levy_payoff levy_payoff_##name; \
    extern const levy_table levy_payoff_##name##_table;
#include "payoffs/payoffs.def"
#undef LEVY_PAYOFF

extern const levy_payoff *const levy_payoffs[LEVY_PAYOFF_COUNT];
extern const levy_table levy_payoff_table; /* variants by kind, over all payoffs */

#endif
