/* terms.h: what a book writes of a payoff: the terms that all kinds begin with, and those that
 * several kinds share. What one kind alone has stands in its own file. Must not know: kinds,
 * documents, markets. */
#ifndef LEVY_PAYOFFS_TERMS_H
#define LEVY_PAYOFFS_TERMS_H

#include "engine/base/field.h"

#include <stdbool.h>

/* The values of a file's choices, in the order in which the tables name them. */
enum { LEVY_CALL, LEVY_PUT };
enum { LEVY_STRIKE_ABSOLUTE, LEVY_STRIKE_PERCENT };
enum { LEVY_MEAN_ARITHMETIC, LEVY_MEAN_GEOMETRIC }; /* over dates, and over a basket */
enum { LEVY_BARRIER_UP, LEVY_BARRIER_DOWN, LEVY_BARRIER_CROSS };
enum { LEVY_KNOCK_OUT, LEVY_KNOCK_IN };
enum { LEVY_MONITORED_DISCRETELY, LEVY_MONITORED_CONTINUOUSLY };
enum { LEVY_PAYOUT_OPTION, LEVY_PAYOUT_CASH, LEVY_PAYOUT_ASSET };
enum { LEVY_PAY_AT_EXPIRY, LEVY_PAY_AT_HIT };
enum { LEVY_GENERATED_FORWARD, LEVY_GENERATED_BACKWARD };
enum { LEVY_TIES_LEVY, LEVY_TIES_QUANTLIB };

typedef enum levy_aggregate {                           /* how several underlyings make one level */
                              LEVY_AGGREGATE_NONE,      /* exactly one underlying */
                              LEVY_AGGREGATE_BASKET,    /* sum of weight * level */
                              LEVY_AGGREGATE_GEOMETRIC, /* product of level ^ weight */
                              LEVY_AGGREGATE_BEST_OF,   /* largest weight * level */
                              LEVY_AGGREGATE_WORST_OF   /* smallest weight * level */
} levy_aggregate;

/* The terms of every payoff kind begin with these. A kind with more terms has a struct that starts
 * with this one, and its table knows the size. Members that a kind's
 * table does not name stay 0; numbers that it names and a book leaves out are NaN. */
typedef struct levy_payoff_terms {
    const struct levy_node *node;
    int32_t option_type; /* LEVY_CALL, LEVY_PUT */
    double strike;       /* in the underlying's units, or a fraction of the initial level */
    int32_t strike_type; /* LEVY_STRIKE_ */
    /* percent_of_initial: `spot`, a number, or a list of one number per underlying */
    const struct levy_node *initial_fixing;
    int32_t aggregate; /* levy_aggregate */
    /* of a script, in place of past dates: its variables, and what is still to be paid */
    const struct levy_node *state, *unpaid;
} levy_payoff_terms;

/* ---- Terms that several kinds share ---- */

/* Observation dates as written: a list of times, or start/end/frequency (dates), or start/end/count
 * (evenly spaced). */
typedef struct levy_schedule_terms {
    const struct levy_node *node; /* NULL: absent */
    levy_list times;              /* of levy_time */
    levy_time start, end;
    levy_tenor frequency; /* unit 0: absent */
    uint64_t count;       /* 0: absent */
    bool include_start;
    int32_t roll;       /* levy_roll */
    int32_t generation; /* LEVY_GENERATED_ */
    bool end_of_month;
    int32_t ties;           /* LEVY_TIES_ */
    levy_list calendars;    /* of const char * */
    levy_tenor payment_lag; /* of a script's payments; unit 0: absent */
} levy_schedule_terms;
extern const levy_table levy_schedule_table; /* a bare list is short for {times: [...]} */

/* One of a map of schedules. */
typedef struct levy_named_schedule {
    levy_schedule_terms terms;
    const char *name;
} levy_named_schedule;
extern const levy_table levy_named_schedule_table;

/* When a barrier or an extremum is watched continuously. The default is from the valuation to
 * expiry. */
typedef struct levy_window_terms {
    const struct levy_node *node;
    levy_time start, end;
} levy_window_terms;
extern const levy_table levy_window_table;

/* How a level is watched: on dates, or at all times. */
typedef struct levy_watch_terms {
    int32_t monitoring; /* LEVY_MONITORED_; -1: at all times, unless there are observations */
    levy_schedule_terms observations;
    levy_window_terms window; /* continuous monitoring */
} levy_watch_terms;
static inline bool levy_watch_is_continuous(const levy_watch_terms *watch)
{
    return watch->monitoring == LEVY_MONITORED_CONTINUOUSLY ||
           (watch->monitoring < 0 && !watch->observations.node);
}

/* One barrier, or two, in the units of the strike. */
typedef struct levy_barrier_terms {
    levy_watch_terms watch;
    int32_t direction;   /* LEVY_BARRIER_; -1: two barriers, or not given */
    int32_t knock;       /* LEVY_KNOCK_ */
    double level;        /* of one barrier; NaN: not given */
    double lower, upper; /* of two; NaN: not given */
} levy_barrier_terms;
static inline bool levy_barrier_is_double(const levy_barrier_terms *barrier)
{
    return barrier->lower > 0;
}

/* What an option pays if it ends in the money. */
typedef struct levy_payout_terms {
    int32_t payout; /* LEVY_PAYOUT_ */
    double cash;    /* per unit */
} levy_payout_terms;

#endif
