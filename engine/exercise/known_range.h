/* known_range.h: what an option with early exercise is worth at least and at most, by closed forms:
 * exercised now or at expiry (F. Black, J. Financial Economics 3, 1976), without expiry (R. Merton,
 * Bell J. Economics 4, 1973), and the most that exercise can pay. Must not know: grids, trades. */
#ifndef LEVY_EXERCISE_KNOWN_RANGE_H
#define LEVY_EXERCISE_KNOWN_RANGE_H

#include "engine/exercise/exercise.h"

typedef struct levy_known_range {
    double now; /* what exercise now pays, or 0 */
    double least, most;
} levy_known_range;

/* `european`: what it is worth exercised at expiry alone, if that is known; else 0. */
levy_known_range levy_known_range_at(const levy_exercise *exercise, double spot, double european);

/* What it is worth exercised at expiry alone, if no dividend is paid. */
double levy_exercise_black(const levy_exercise *exercise, double spot);

#endif
