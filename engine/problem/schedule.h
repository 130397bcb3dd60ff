/* schedule.h: makes observation times from their terms: a list, a count, or a frequency with
 * rolls. */
#ifndef LEVY_PROBLEM_SCHEDULE_H
#define LEVY_PROBLEM_SCHEDULE_H

#include "engine/market/market.h"

typedef struct levy_observations {
    size_t n;
    double *times;           /* ascending, the last at most expiry */
    const levy_node **nodes; /* of each time; the schedule's own if it was generated */
    const levy_date *dates;  /* NULL: not given as dates */
    double *paid;            /* when each date's payment is made; NULL: on the date */
} levy_observations;

typedef struct levy_schedule_frame {
    const levy_schedule_terms *terms;
    const char *path;
    const levy_time *expiry_as_written;
    double expiry;
    bool pays;      /* its dates pay, and payment_lag may delay them */
    double payment; /* the trade's payment date, after which nothing is paid */
} levy_schedule_frame;

/* False: a fault was added. */
bool levy_schedule_resolve(levy_check *build, levy_market *market, const levy_schedule_frame *frame,
                           levy_observations *observations);

/* t0 + k (t1 - t0) / n. Where rounding alone parts it from a decimal, it is that decimal, as a user
 * would write the time: an ulp decides on which side of an ex-date it falls. */
double levy_schedule_even_time(double t0, double t1, size_t k, size_t n);

/* Computes when a payment is made that is due a lag after a date. The lag counts business days if
 * calendars are given, otherwise calendar time. If times are years, a day is 1/365. */
typedef struct levy_lag {
    levy_tenor lag;
    const levy_list *calendars; /* of const char * */
    const levy_node *node;      /* of the lag */
    /* of what holds the keys payment_lag and calendars */
    const char *path;
} levy_lag;
/* date NULL: times are years. False: a fault was added. */
bool levy_lag_time(levy_check *build, levy_market *market, const levy_lag *lag,
                   const levy_date *date, double time, double *paid);

/* Whether two times of one trade are one date. Years such as 3 * 0.4 and 0.75 + 0.45 are an ulp
 * apart. */
bool levy_time_is_same(double a, double b);

/* Text of observation i, as the user would write it. */
const char *levy_observation_text(levy_check *build, const levy_observations *observations,
                                  size_t i);

#endif
