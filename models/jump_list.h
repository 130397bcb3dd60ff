/* jump_list.h: the sums of marks that a GPU's thread has found ahead of its nodes, in the order of
 * the nodes where they are due. The sums of all paths of the thread lie in one list, so that a node
 * where no path jumps costs one comparison. Must not know: how arrivals are found. */
#ifndef LEVY_MODELS_JUMP_LIST_H
#define LEVY_MODELS_JUMP_LIST_H

#include "kernels/lane/lane.h"
#include "models/kinds.h"

#if LANE_GPU
/* The byte of a path, of which a thread has up to eight. */
LANE_FN uint32_t jumps_byte_of(uint64_t bytes, uint32_t path)
{
    return (uint32_t)(bytes >> 8 * path) & 255;
}

enum { JUMPS_ROOM = LEVY_LOOK_NEAR * LANES, JUMPS_SORTED = 16 }; /* the latter: in registers */

/* A sum. `at`: the bit of its path, whether the next sum is due at the same node, the number of the
 * next sum in bits 16 to 23, and the node's place among the list's nodes in the bits above. */
typedef struct LANE_ALIGNED(2 * sizeof(real)) jumps_due {
    real sum;
    uint32_t at;
} jumps_due;
enum { JUMPS_MORE = 1 << 8, JUMPS_NEXT = 16, JUMPS_PLACE = 24, JUMPS_NOWHERE = 255 };

/* An interval with arrivals: the node where it ends, and how many it has. */
typedef struct jumps_interval {
    uint32_t end, count;
} jumps_interval;

/* How far a thread's paths are, of which it has up to eight: bytes by path of the arrivals until
 * the horizon and of those found, the paths whose next interval is known, and the most arrivals
 * that have thresholds. */
typedef struct jumps_progress {
    uint64_t total, found;
    uint32_t known, most;
} jumps_progress;

typedef struct jumps_list {
    /* Number 0 is no sum. The first one follows it. */
    jumps_due due[(JUMPS_ROOM > JUMPS_SORTED ? JUMPS_ROOM : JUMPS_SORTED) + 1];
    uint8_t last[LEVY_LOOK_FAR + 1]; /* by place from 1 on, the last sum there; [0]: number 0 */
    jumps_progress progress;
    jumps_interval next[LANES]; /* of the paths whose next interval is known */
} jumps_list;

/* The places that have sums, and the number of these. The last one stands in the list, but not yet
 * in its order: it has to follow number `before`, whose `at` is known. Memory takes long to answer,
 * so it is linked when the next sum comes. */
typedef struct jumps_listed {
    uint64_t places;
    uint32_t n, before, at, place;
    real sum;
    uint32_t path;
} jumps_listed;

LANE_FN jumps_listed jumps_list_clear(jumps_list *list)
{
    const jumps_listed none = {0, 0, 0, 0, 0, R(0.0), 0};
    list->due[0].at = (uint32_t)JUMPS_NOWHERE << JUMPS_PLACE;
    list->last[0] = 0;
    return none;
}

/* Links the sum that was put last. */
LANE_FN void jumps_list_link(jumps_list *list, const jumps_listed *listed)
{
    const uint32_t at = listed->at, next = 255u << JUMPS_NEXT,
                   more = at >> JUMPS_PLACE == listed->place ? (uint32_t)JUMPS_MORE : 0;
    const jumps_due one = {listed->sum,
                           (at & next) | listed->place << JUMPS_PLACE | 1u << listed->path};
    if (listed->n == 0) return;
    list->due[listed->n] = one;
    list->due[listed->before].at = (at & ~next) | more | listed->n << JUMPS_NEXT;
}

/* The new sum follows the last one that is due no later. */
LANE_FN uint32_t jumps_list_before(const jumps_list *list, const jumps_listed *listed,
                                   uint32_t place)
{
    return list->last[64 - __clzll((long long)(listed->places & ~(uint64_t)0 >> (63 - place)))];
}

LANE_FN void jumps_list_put(jumps_list *list, jumps_listed *listed, uint32_t before, uint32_t place,
                            uint32_t path, real sum)
{
    list->last[place + 1] = (uint8_t)++listed->n;
    listed->places |= (uint64_t)1 << place;
    listed->before = before;
    listed->at = list->due[before].at;
    listed->place = place;
    listed->path = path;
    listed->sum = sum;
}
#endif

#endif
