/* segments.h: the segments of an integrated program (engine/script/integrate.h): intervals of the
 * normal z that is integrated, in rising order, each with states of its own. A block runs on one
 * segment after the other. Where a condition changes inside of one, SPLIT cuts off the upper part,
 * which runs the block by itself. After the block, neighbours with equal states become one again,
 * and segments on which the script has ended leave. Each path of a lane has its own segments in the
 * first places, so that no result depends on the width of a lane. Lanes only. Must not know: steps,
 * programs, levels. */
#ifndef LEVY_PAYOFFS_SEGMENTS_H
#define LEVY_PAYOFFS_SEGMENTS_H

#include "engine/script/program.h"
#include "payoffs/integral.h"

/* A GPU's text has what follows as constants, so that a segment's states are registers. */
#if LANE_GPU
#define SEGMENTS_UNROLL _Pragma("unroll")
typedef real segments_number; /* an item's constant */
#define SEGMENTS_LANE(number) lane_of(number)
#else
#define SEGMENTS_UNROLL
typedef lane segments_number;
#define SEGMENTS_LANE(number) (number)
#endif

/* What all segments of a program have in common. A segment is [m] lanes: the states that differ
 * from segment to segment, and its ends. */
typedef struct segments_of {
    uint32_t n, m;   /* its states are 1 to n of the path; lanes that it takes */
    uint32_t most;   /* segments of a path */
    uint32_t summed; /* the most dates of its sum of levels (sums.h) */
    uint32_t alive;  /* the state that is 0 where the script has ended; 0: none is */
    /* the state that counts in the end; of one that is no segment's it may be any */
    uint32_t settles;
    uint64_t own;   /* bit k: state 1 + k differs from segment to segment */
    uint64_t reset; /* it is as at the start of the path on all segments, until a block runs */
} segments_of;

/* The ends of a segment are its last lanes. */
enum { SEGMENTS_BELOW, SEGMENTS_BELOW_HIGH, SEGMENTS_LOW, SEGMENTS_HIGH, SEGMENTS_ENDS };

/* A sum of levels over dates (sums.h). */
typedef struct script_sum {
    lane *dates;           /* [n][LEVY_SCRIPT_SUM_LANES] */
    uint32_t n, n_before;  /* dates, and those before the block */
    uint32_t n_root;       /* dates that the root below knows */
    lane root, at, strict; /* the z that parts sums below `at` from others; 1: from greater ones */
    lane value, slope, curve; /* of these dates' sum at the root, with its derivatives */
} script_sum;

/* Of a lane of paths. */
typedef struct script_segments {
    script_sum sum;
    lane *from_list, *to_list; /* [most][m]: before the block, and after it so far */
    lane *cut;                 /* [n_splits][m]: cut off, the lowest last */
    lane *last;                /* [m]: after the block, not yet in to_list */
    const lane *here;          /* [m]: as the block has found the segment */
    lane count;                /* of each path in to_list */
    segments_of of;            /* for callers that have it from nowhere else */
    uint32_t n_from, n_to, n_cut, at;
    uint32_t as_found; /* 1: the block has changed no segment so far */
    /* what dates have left for segments that run after the path, on a GPU (script.h), and the list
     * of these (segments_later.h); holds: `last` holds a segment */
    lane *left, *list;
    uint32_t left_stride, holds; /* from a lane that they leave to the next */
} script_segments;

/* The states k of a segment, and the lanes j that hold them, without the ends. */
#define SEGMENTS_OWN(of, k, j)                                                                     \
    SEGMENTS_UNROLL                                                                                \
    for (uint32_t k = 0, j = 0; k + SEGMENTS_ENDS < (of).n; ++k)                                   \
        if ((of).own >> k & 1)

/* A copy of the lanes of a segment. */
LANE_FN void segments_copy(segments_of of, lane *to, const lane *from)
{
    SEGMENTS_UNROLL
    for (uint32_t j = 0; j < of.m; ++j) to[j] = from[j];
}

/* The path's states as lanes of a segment. */
LANE_FN void segments_gather(segments_of of, const lane *state, lane *to)
{
    SEGMENTS_OWN(of, k, j) to[j++] = state[1 + k];
    SEGMENTS_UNROLL
    for (uint32_t e = 0; e < SEGMENTS_ENDS; ++e)
        to[of.m - SEGMENTS_ENDS + e] = state[1 + of.n - SEGMENTS_ENDS + e];
}

LANE_FN lane *segments_ends(segments_of of, lane *segment)
{
    return segment + of.m - SEGMENTS_ENDS;
}
LANE_FN const lane *segments_ends_of(segments_of of, const lane *segment)
{
    return segment + of.m - SEGMENTS_ENDS;
}
/* The ends of the segment that the block runs on. */
LANE_FN lane *segments_state_ends(segments_of of, lane *state)
{
    return state + 1 + of.n - SEGMENTS_ENDS;
}

LANE_FN lane_mask segments_has(const lane *ends)
{
    return ends[SEGMENTS_LOW] < ends[SEGMENTS_HIGH];
}

LANE_FN lane segments_chance(const lane *ends)
{
    return ends[SEGMENTS_BELOW_HIGH] - ends[SEGMENTS_BELOW];
}

/* Where `which`, the segment is empty. */
LANE_FN void segments_empty(lane *ends, lane_mask which)
{
    ends[SEGMENTS_BELOW_HIGH] = lane_select(which, ends[SEGMENTS_BELOW], ends[SEGMENTS_BELOW_HIGH]);
    ends[SEGMENTS_HIGH] = lane_select(which, ends[SEGMENTS_LOW], ends[SEGMENTS_HIGH]);
}

/* memory: levy_script_segments_room. last: [m]. state: those that a path starts at. */
LANE_FN void segments_start(script_segments *s, segments_of of, lane *memory, lane *last,
                            const lane *state)
{
    s->of = of;
    s->sum.dates = memory;
    s->sum.n = s->sum.n_before = s->sum.n_root = 0;
    s->from_list = memory + (size_t)LEVY_SCRIPT_SUM_LANES * of.summed;
    s->to_list = s->from_list + (size_t)of.most * of.m;
    s->cut = s->to_list + (size_t)of.most * of.m;
    s->last = last;
    s->n_from = 1;
    s->n_to = s->n_cut = s->at = 0;
    segments_gather(of, state, s->from_list);
}

/* ---- A block ---- */

LANE_FN void segments_begin(script_segments *s)
{
    s->n_cut = s->at = 0;
    s->as_found = 1;
}

/* A segment's own states become the path's. start: [state]: what the path starts at. */
LANE_FN void segments_own(segments_of of, const segments_number *start, const lane *segment,
                          lane *state)
{
    SEGMENTS_OWN(of, k, j) state[1 + k] = segment[j++];
    SEGMENTS_UNROLL
    for (uint32_t k = 0; k < of.n; ++k)
        if (of.reset >> k & 1) state[1 + k] = SEGMENTS_LANE(start[1 + k]);
}

/* The next segment's states become the path's; 0: there is none. */
LANE_FN int segments_next(script_segments *s, segments_of of, const segments_number *start,
                          lane *state)
{
    if (s->n_cut > 0)
        s->here = s->cut + --s->n_cut * of.m;
    else if (s->at < s->n_from)
        s->here = s->from_list + s->at++ * of.m;
    else
        return 0;
    segments_own(of, start, s->here, state);
    SEGMENTS_UNROLL
    for (uint32_t e = 0; e < SEGMENTS_ENDS; ++e)
        segments_state_ends(of, state)[e] = segments_ends_of(of, s->here)[e];
    return 1;
}

/* Is the segment above z? If z lies inside of it, its upper part is cut off. */
LANE_FN lane segments_split(script_segments *s, segments_of of, lane *state, lane z, lane where)
{
    lane *const ends = segments_state_ends(of, state);
    const lane_mask inside =
        (where != R(0.0)) & (ends[SEGMENTS_LOW] < z) & (z < ends[SEGMENTS_HIGH]);
    if (lane_any(inside)) {
        lane *const to = s->cut + s->n_cut++ * of.m, *const upper = segments_ends(of, to);
        const lane chance = lane_select(inside, integral_below(z), ends[SEGMENTS_BELOW_HIGH]),
                   at = lane_select(inside, z, ends[SEGMENTS_HIGH]);
        segments_copy(of, to, s->here);
        upper[SEGMENTS_BELOW] = chance;
        upper[SEGMENTS_BELOW_HIGH] = ends[SEGMENTS_BELOW_HIGH];
        upper[SEGMENTS_LOW] = at;
        upper[SEGMENTS_HIGH] = ends[SEGMENTS_HIGH];
        ends[SEGMENTS_BELOW_HIGH] = chance;
        ends[SEGMENTS_HIGH] = at;
    }
    return lane_select(ends[SEGMENTS_LOW] >= z, lane_of(R(1.0)), lane_of(R(0.0)));
}

/* Puts the last segment of some paths into the list. A path that has no room left is worth no
 * number, which the result says. */
LANE_FN void segments_keep(script_segments *s, segments_of of, lane_mask which, lane *state)
{
    /* one path alone has filled all places before the end */
    for (uint32_t p = LANES == 1 ? s->n_to : 0; lane_any(which) && p <= s->n_to; ++p) {
        const lane_mask here = which & (s->count == lane_of((real)p));
        if (!lane_any(here)) continue;
        if (p == of.most) {
            state[0] = lane_select(here, lane_sqrt(lane_of(R(-1.0))), state[0]);
            return;
        }
        lane *const to = s->to_list + p * of.m;
        if (p == s->n_to) { /* of the other paths it holds nothing, in numbers as good as any */
            segments_copy(of, to, s->last);
            segments_empty(segments_ends(of, to), lane_not(here));
            ++s->n_to;
        } else {
            for (uint32_t j = 0; j < of.m; ++j) to[j] = lane_select(here, s->last[j], to[j]);
        }
        s->count = lane_select(here, s->count + R(1.0), s->count);
        which = which & lane_not(here);
    }
}

/* State `settles` of the segment. On a GPU states are registers, which no number finds. */
LANE_FN lane segments_settling(segments_of of, const lane *state)
{
#if LANE_GPU
    lane value = state[0];
    SEGMENTS_UNROLL
    for (uint32_t k = 1; k <= of.n; ++k)
        if (k == of.settles) value = state[k];
    return value;
#else
    return state[of.settles];
#endif
}

/* The segments on which the script has ended leave what they settle on. */
LANE_FN void segments_leave(segments_of of, lane *state)
{
    lane *const ends = segments_state_ends(of, state);
    const lane_mask over = (state[of.alive] == R(0.0)) & segments_has(ends);
    if (!lane_any(over)) return;
    if (of.settles > 0 && of.settles <= of.n) {
        const lane left = segments_chance(ends) * segments_settling(of, state);
        state[of.n + 1] = lane_select(over, state[of.n + 1] + left, state[of.n + 1]);
    }
    segments_empty(ends, over);
}

/* A segment as the block leaves it: it goes on from the last one, or is the next. */
LANE_FN void segments_add(script_segments *s, segments_of of, const lane *segment, lane *state)
{
    const lane *const ends = segments_ends_of(of, segment);
    lane *const last = s->last, *const last_ends = segments_ends(of, last);
    const lane_mask has = segments_has(ends), held = segments_has(last_ends);
    lane_mask same = has & held & (last_ends[SEGMENTS_HIGH] == ends[SEGMENTS_LOW]);
    SEGMENTS_UNROLL
    for (uint32_t j = 0; j + SEGMENTS_ENDS < of.m; ++j) same = same & (last[j] == segment[j]);
    const lane_mask other = has & lane_not(same);
    segments_keep(s, of, other & held, state);
    SEGMENTS_UNROLL
    for (uint32_t j = 0; j < of.m; ++j) last[j] = lane_select(other, segment[j], last[j]);
    last_ends[SEGMENTS_BELOW_HIGH] =
        lane_select(same, ends[SEGMENTS_BELOW_HIGH], last_ends[SEGMENTS_BELOW_HIGH]);
    last_ends[SEGMENTS_HIGH] = lane_select(same, ends[SEGMENTS_HIGH], last_ends[SEGMENTS_HIGH]);
}

/* The first change: those before it are added as they were. */
LANE_FN void segments_change(script_segments *s, segments_of of, lane *state)
{
    s->as_found = 0;
    s->n_to = 0;
    s->count = lane_of(R(0.0));
    segments_copy(of, s->last, s->from_list);
    lane *const ends = segments_ends(of, s->last); /* it is empty, and has no chance */
    ends[SEGMENTS_HIGH] = ends[SEGMENTS_LOW];
    ends[SEGMENTS_BELOW_HIGH] = ends[SEGMENTS_BELOW];
    for (uint32_t p = 0; p + 1 < s->at; ++p) segments_add(s, of, s->from_list + p * of.m, state);
}

/* Whether the block has left the segment as it has found it. now: its lanes. */
LANE_FN int segments_as_found(const script_segments *s, segments_of of, const lane *now)
{
    lane_mask other = s->here[0] != now[0];
    SEGMENTS_UNROLL
    for (uint32_t j = 1; j < of.m; ++j) other = other | (s->here[j] != now[j]);
    return !lane_any(other);
}

/* The block has run on the segment. */
LANE_FN void segments_done(script_segments *s, segments_of of, lane *state)
{
    lane now[LEVY_SCRIPT_STATES];
    if (of.alive) segments_leave(of, state);
    segments_gather(of, state, now);
    if (s->as_found) { /* most dates change nothing */
        if (segments_as_found(s, of, now)) return;
        segments_change(s, of, state);
    }
    segments_add(s, of, now, state);
}

LANE_FN void segments_end(script_segments *s, segments_of of, lane *state)
{
    if (s->as_found) return;
    segments_keep(s, of, segments_has(segments_ends(of, s->last)), state);
    lane *const list = s->from_list;
    s->from_list = s->to_list;
    s->to_list = list;
    s->n_from = s->n_to;
}

/* ---- The end of a path ---- */

/* start: as in segments_next. */
LANE_FN lane segments_settle(const script_segments *s, segments_of of, const segments_number *start,
                             const lane *state)
{
    lane sum = state[of.n + 1];
    if (of.settles == 0 || of.settles > of.n) return segments_settling(of, state);
    for (uint32_t p = 0; p < s->n_from; ++p) {
        const lane *const at = s->from_list + p * of.m;
        lane value = SEGMENTS_LANE(start[of.settles]);
        SEGMENTS_OWN(of, k, j)
        {
            if (1 + k == of.settles) value = at[j];
            ++j;
        }
        sum = sum + segments_chance(segments_ends_of(of, at)) * value;
    }
    return sum;
}

#endif
