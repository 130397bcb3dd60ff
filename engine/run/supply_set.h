/* supply_set.h: the words of a set of points by several threads. Must not know: supplies. */
#ifndef LEVY_RUN_SUPPLY_SET_H
#define LEVY_RUN_SUPPLY_SET_H

#include "engine/problem/problem.h"
#include "kernels/points/point_set.h"

/* What a simulation asks of its set of points: the key of a replicate, and whether it is
 * randomised. Which points, and where they go, is the caller's to add. */
levy_set_call levy_supply_set_call(const levy_simulation *simulation, uint64_t replicate);

/* levy_set_words by at most so many threads, the calling one among them. No word depends on their
 * number. */
levy_status levy_supply_set_words(const levy_point_set *set, const levy_memory *memory,
                                  const levy_set_call *call, uint32_t threads);

#endif
