/* segments.h: the segments of an integrated program (engine/script/integrate.h): intervals of the
 * normal z that is integrated, in rising order, each with states of its own. A block runs on one
 * segment after the other. Where a condition changes inside of one, SPLIT cuts off the upper part,
 * which runs the block by itself. After the block, neighbours with equal states become one again,
 * and segments on which the script has ended leave. Each path of a lane has its own segments in the
 * first places, so that no result depends on the width of a lane. Lanes only. Must not know: steps,
 * programs, levels. */
#ifndef LEVY_PAYOFFS_SEGMENTS_H
#define LEVY_PAYOFFS_SEGMENTS_H

#include "payoffs/integral.h"

#if LANE_GPU
#define SEGMENTS_STATES(k, from, end)                                                              \
    _Pragma("unroll") for (uint32_t k = (from); k < (end); ++k)
#else
#define SEGMENTS_STATES(k, from, end) for (uint32_t k = (from); k < (end); ++k)
#endif

/* What all segments of a program have in common. A GPU's text has these as constants, so that a
 * segment's states are registers. */
typedef struct segments_of {
    uint32_t n, most; /* lanes of a segment; segments of a path */
    uint32_t alive;   /* the state that is 0 where the script has ended; 0: none is */
    /* the state that counts in the end; of one that is no segment's it may be any */
    uint32_t settles;
} segments_of;

/* Of a lane of paths. A segment is [n] lanes: the path's states 1 to n, the last two of which are
 * its ends, and the two before them the chances that a normal is below these. */
typedef struct script_segments {
    lane *from_list, *to_list; /* [most][n]: before the block, and after it so far */
    lane *cut;                 /* [n_splits][n]: cut off, the lowest last */
    lane *last;                /* [n]: after the block, not yet in to_list */
    const lane *here;          /* [n]: as the block has found the segment */
    lane count;                /* of each path in to_list */
    segments_of of; /* for callers that have it from nowhere else */
    uint32_t n_from, n_to, n_cut, at;
    uint32_t as_found; /* 1: the block has changed no segment so far */
} script_segments;

/* Lanes that the lists of a program take. */
#define SEGMENTS_LANES(n, most, n_splits) ((2 * (most) + (n_splits) + 1) * (n))

/* memory: SEGMENTS_LANES. state: those that a path starts at. */
LANE_FN void segments_start(script_segments *s, segments_of of, uint32_t n_splits, lane *memory,
                            const lane *state)
{
    const uint32_t n = of.n;
    s->of = of;
    s->from_list = memory;
    s->to_list = memory + (size_t)of.most * n;
    s->cut = memory + 2 * (size_t)of.most * n;
    s->last = s->cut + (size_t)n_splits * n;
    s->n_from = 1;
    s->n_to = s->n_cut = s->at = 0;
    SEGMENTS_STATES(k, 0, n) s->from_list[k] = state[1 + k];
}

LANE_FN lane_mask segments_has(const lane *segment, uint32_t n)
{
    return segment[n - 2] < segment[n - 1];
}

LANE_FN lane segments_chance(const lane *segment, uint32_t n)
{
    return segment[n - 3] - segment[n - 4];
}

/* Where `which`, the segment is empty. */
LANE_FN void segments_empty(lane *segment, uint32_t n, lane_mask which)
{
    segment[n - 3] = lane_select(which, segment[n - 4], segment[n - 3]);
    segment[n - 1] = lane_select(which, segment[n - 2], segment[n - 1]);
}

/* ---- A block ---- */

LANE_FN void segments_begin(script_segments *s)
{
    s->n_cut = s->at = 0;
    s->as_found = 1;
}

/* The next segment's states become the path's; 0: there is none. */
LANE_FN int segments_next(script_segments *s, segments_of of, lane *state)
{
    const uint32_t n = of.n;
    if (s->n_cut > 0)
        s->here = s->cut + --s->n_cut * n;
    else if (s->at < s->n_from)
        s->here = s->from_list + s->at++ * n;
    else
        return 0;
    SEGMENTS_STATES(k, 0, n) state[1 + k] = s->here[k];
    return 1;
}

/* Is the segment above z? If z lies inside of it, its upper part is cut off. */
LANE_FN lane segments_split(script_segments *s, segments_of of, lane *state, lane z, lane where)
{
    const uint32_t n = of.n;
    lane *const low = state + n - 1, *const high = state + n;
    const lane_mask inside = (where != R(0.0)) & (*low < z) & (z < *high);
    if (lane_any(inside)) {
        lane *const to = s->cut + s->n_cut++ * n, *const below = high - 2;
        const lane chance = lane_select(inside, integral_below(z), *below);
        SEGMENTS_STATES(k, 0, n - 4) to[k] = s->here[k];
        to[n - 4] = chance;
        to[n - 3] = *below;
        to[n - 2] = lane_select(inside, z, *high);
        to[n - 1] = *high;
        *below = chance;
        *high = lane_select(inside, z, *high);
    }
    return lane_select(*low >= z, lane_of(R(1.0)), lane_of(R(0.0)));
}

/* Puts the last segment of some paths into the list. A path that has no room left is worth no
 * number, which the result says. */
LANE_FN void segments_keep(script_segments *s, segments_of of, lane_mask which, lane *state)
{
    const uint32_t n = of.n;
    /* one path alone has filled all places before the end */
    for (uint32_t p = LANES == 1 ? s->n_to : 0; lane_any(which) && p <= s->n_to; ++p) {
        const lane_mask here = which & (s->count == lane_of((real)p));
        if (!lane_any(here)) continue;
        if (p == of.most) {
            state[0] = lane_select(here, lane_sqrt(lane_of(R(-1.0))), state[0]);
            return;
        }
        lane *const to = s->to_list + p * n;
        if (p == s->n_to) { /* of the other paths it holds nothing, in numbers as good as any */
            SEGMENTS_STATES(k, 0, n) to[k] = s->last[k];
            segments_empty(to, n, lane_not(here));
            ++s->n_to;
        } else {
            SEGMENTS_STATES(k, 0, n) to[k] = lane_select(here, s->last[k], to[k]);
        }
        s->count = lane_select(here, s->count + R(1.0), s->count);
        which = which & lane_not(here);
    }
}

/* The segments on which the script has ended leave what they settle on. */
LANE_FN void segments_leave(segments_of of, lane *state)
{
    const uint32_t n = of.n;
    const lane_mask over = (state[of.alive] == R(0.0)) & segments_has(state + 1, n);
    if (!lane_any(over)) return;
    if (of.settles > 0 && of.settles <= n) {
        const lane left = segments_chance(state + 1, n) * state[of.settles];
        state[n + 1] = lane_select(over, state[n + 1] + left, state[n + 1]);
    }
    segments_empty(state + 1, n, over);
}

/* A segment as the block leaves it: it goes on from the last one, or is the next. */
LANE_FN void segments_add(script_segments *s, segments_of of, const lane *segment, lane *state)
{
    const uint32_t n = of.n;
    const lane_mask has = segments_has(segment, n), held = segments_has(s->last, n);
    lane_mask same = has & held & (s->last[n - 1] == segment[n - 2]);
    SEGMENTS_STATES(k, 0, n - 4) same = same & (s->last[k] == segment[k]);
    const lane_mask other = has & lane_not(same);
    segments_keep(s, of, other & held, state);
    SEGMENTS_STATES(k, 0, n) s->last[k] = lane_select(other, segment[k], s->last[k]);
    s->last[n - 3] = lane_select(same, segment[n - 3], s->last[n - 3]);
    s->last[n - 1] = lane_select(same, segment[n - 1], s->last[n - 1]);
}

/* The first change: those before it are added as they were. */
LANE_FN void segments_change(script_segments *s, segments_of of, lane *state)
{
    const uint32_t n = of.n;
    s->as_found = 0;
    s->n_to = 0;
    s->count = lane_of(R(0.0));
    SEGMENTS_STATES(k, 0, n) s->last[k] = s->from_list[k];
    s->last[n - 1] = s->last[n - 2]; /* it is empty, and has no chance */
    s->last[n - 3] = s->last[n - 4];
    for (uint32_t p = 0; p + 1 < s->at; ++p) segments_add(s, of, s->from_list + p * n, state);
}

/* The block has run on the segment. */
LANE_FN void segments_done(script_segments *s, segments_of of, lane *state)
{
    const uint32_t n = of.n;
    if (of.alive) segments_leave(of, state);
    if (s->as_found) { /* most dates change nothing */
        lane_mask other = s->here[0] != state[1];
        SEGMENTS_STATES(k, 1, n) other = other | (s->here[k] != state[1 + k]);
        if (!lane_any(other)) return;
        segments_change(s, of, state);
    }
    segments_add(s, of, state + 1, state);
}

LANE_FN void segments_end(script_segments *s, segments_of of, lane *state)
{
    const uint32_t n = of.n;
    if (s->as_found) return;
    segments_keep(s, of, segments_has(s->last, n), state);
    lane *const list = s->from_list;
    s->from_list = s->to_list;
    s->to_list = list;
    s->n_from = s->n_to;
}

/* ---- The end of a path ---- */

LANE_FN lane segments_settle(const script_segments *s, segments_of of, const lane *state)
{
    const uint32_t n = of.n;
    lane sum = state[n + 1];
    if (of.settles == 0 || of.settles > n) return state[of.settles];
    for (uint32_t p = 0; p < s->n_from; ++p) {
        const lane *const at = s->from_list + p * n;
        sum = sum + segments_chance(at, n) * at[of.settles - 1];
    }
    return sum;
}

#endif
