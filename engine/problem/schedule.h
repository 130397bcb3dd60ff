/* schedule.h: observation times from their terms: a list, a count, or a frequency with rolls. */
#ifndef LEVY_PROBLEM_SCHEDULE_H
#define LEVY_PROBLEM_SCHEDULE_H

#include "engine/problem/market.h"

typedef struct levy_observations {
    size_t n;
    double *times;           /* ascending, the last at most expiry */
    const levy_node **nodes; /* of each time; the schedule's own if it was generated */
    const levy_date *dates;  /* NULL: not given as dates */
} levy_observations;

typedef struct levy_schedule_frame {
    const levy_schedule_terms *terms;
    const char *path;
    const levy_time *expiry_as_written;
    double expiry;
} levy_schedule_frame;

/* False with a fault. */
bool levy_schedule_resolve(levy_check *build, levy_market *market, const levy_schedule_frame *frame,
                           levy_observations *observations);

/* Text of observation i, as the user would write it. */
const char *levy_observation_text(levy_check *build, const levy_observations *observations,
                                  size_t i);

#endif
