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

/* Of a lane of paths. A segment is [n] lanes: the path's states 1 to n, the last two of which are
 * its ends, and the two before them the chances that a normal is below these. */
typedef struct script_segments {
    lane *from_list, *to_list; /* [most][n]: before the block, and after it so far */
    lane *cut;                 /* [n_splits][n]: cut off, the lowest last */
    lane *last;                /* [n]: after the block, not yet in to_list */
    const lane *here;          /* [n]: as the block has found the segment */
    lane count;                /* of each path in to_list */
    uint32_t n, most, alive, settles;
    uint32_t n_from, n_to, n_cut, at;
    uint32_t as_found; /* 1: the block has changed no segment so far */
} script_segments;

/* Lanes that the lists of a program take. */
#define SEGMENTS_LANES(n, most, n_splits) ((2 * (most) + (n_splits) + 1) * (n))

/* memory: SEGMENTS_LANES. state: those that a path starts at. `settles`: the state that counts in
 * the end; of one that is no segment's it may be any. */
LANE_FN void segments_start(script_segments *s, uint32_t n, uint32_t most, uint32_t alive,
                            uint32_t settles, uint32_t n_splits, lane *memory, const lane *state)
{
    s->n = n;
    s->most = most;
    s->alive = alive;
    s->settles = settles;
    s->from_list = memory;
    s->to_list = memory + (size_t)most * n;
    s->cut = memory + 2 * (size_t)most * n;
    s->last = s->cut + (size_t)n_splits * n;
    s->n_from = 1;
    s->n_to = s->n_cut = s->at = 0;
    for (uint32_t k = 0; k < n; ++k) s->from_list[k] = state[1 + k];
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
LANE_FN int segments_next(script_segments *s, lane *state)
{
    if (s->n_cut > 0)
        s->here = s->cut + --s->n_cut * s->n;
    else if (s->at < s->n_from)
        s->here = s->from_list + s->at++ * s->n;
    else
        return 0;
    for (uint32_t k = 0; k < s->n; ++k) state[1 + k] = s->here[k];
    return 1;
}

/* Is the segment above z? If z lies inside of it, its upper part is cut off. */
LANE_FN lane segments_split(script_segments *s, lane *state, lane z, lane where)
{
    lane *const low = state + s->n - 1, *const high = state + s->n;
    const lane_mask inside = (where != R(0.0)) & (*low < z) & (z < *high);
    if (lane_any(inside)) {
        lane *const to = s->cut + s->n_cut++ * s->n, *const below = high - 2;
        const lane chance = lane_select(inside, lane_normal_cdf(z), *below);
        for (uint32_t k = 0; k + 4 < s->n; ++k) to[k] = s->here[k];
        to[s->n - 4] = chance;
        to[s->n - 3] = *below;
        to[s->n - 2] = lane_select(inside, z, *high);
        to[s->n - 1] = *high;
        *below = chance;
        *high = lane_select(inside, z, *high);
    }
    return lane_select(*low >= z, lane_of(R(1.0)), lane_of(R(0.0)));
}

/* Puts the last segment of some paths into the list. A path that has no room left is worth no
 * number, which the result says. */
LANE_FN void segments_keep(script_segments *s, lane_mask which, lane *state)
{
    for (uint32_t p = 0; lane_any(which) && p <= s->n_to; ++p) {
        const lane_mask here = which & (s->count == lane_of((real)p));
        if (!lane_any(here)) continue;
        if (p == s->most) {
            state[0] = lane_select(here, lane_sqrt(lane_of(R(-1.0))), state[0]);
            return;
        }
        lane *const to = s->to_list + p * s->n;
        if (p == s->n_to) { /* of the other paths it holds nothing, in numbers as good as any */
            for (uint32_t k = 0; k < s->n; ++k) to[k] = s->last[k];
            segments_empty(to, s->n, lane_not(here));
            ++s->n_to;
        } else {
            for (uint32_t k = 0; k < s->n; ++k) to[k] = lane_select(here, s->last[k], to[k]);
        }
        s->count = lane_select(here, s->count + R(1.0), s->count);
        which = which & lane_not(here);
    }
}

/* The segments on which the script has ended leave what they settle on. */
LANE_FN void segments_leave(script_segments *s, lane *state)
{
    const lane_mask over = (state[s->alive] == R(0.0)) & segments_has(state + 1, s->n);
    if (!lane_any(over)) return;
    if (s->settles > 0 && s->settles <= s->n) {
        const lane left = segments_chance(state + 1, s->n) * state[s->settles];
        state[s->n + 1] = lane_select(over, state[s->n + 1] + left, state[s->n + 1]);
    }
    segments_empty(state + 1, s->n, over);
}

/* A segment as the block leaves it: it goes on from the last one, or is the next. */
LANE_FN void segments_add(script_segments *s, const lane *segment, lane *state)
{
    const uint32_t n = s->n;
    const lane_mask has = segments_has(segment, n), held = segments_has(s->last, n);
    lane_mask same = has & held & (s->last[n - 1] == segment[n - 2]);
    for (uint32_t k = 0; k + 4 < n; ++k) same = same & (s->last[k] == segment[k]);
    const lane_mask other = has & lane_not(same);
    segments_keep(s, other & held, state);
    for (uint32_t k = 0; k < n; ++k) s->last[k] = lane_select(other, segment[k], s->last[k]);
    s->last[n - 3] = lane_select(same, segment[n - 3], s->last[n - 3]);
    s->last[n - 1] = lane_select(same, segment[n - 1], s->last[n - 1]);
}

/* The first change: those before it are added as they were. */
LANE_FN void segments_change(script_segments *s, lane *state)
{
    s->as_found = 0;
    s->n_to = 0;
    s->count = lane_of(R(0.0));
    for (uint32_t k = 0; k < s->n; ++k) s->last[k] = s->from_list[k];
    s->last[s->n - 1] = s->last[s->n - 2]; /* it is empty, and has no chance */
    s->last[s->n - 3] = s->last[s->n - 4];
    for (uint32_t p = 0; p + 1 < s->at; ++p) segments_add(s, s->from_list + p * s->n, state);
}

/* The block has run on the segment. */
LANE_FN void segments_done(script_segments *s, lane *state)
{
    if (s->alive) segments_leave(s, state);
    if (s->as_found) { /* most dates change nothing */
        lane_mask other = s->here[0] != state[1];
        for (uint32_t k = 1; k < s->n; ++k) other = other | (s->here[k] != state[1 + k]);
        if (!lane_any(other)) return;
        segments_change(s, state);
    }
    segments_add(s, state + 1, state);
}

LANE_FN void segments_end(script_segments *s, lane *state)
{
    if (s->as_found) return;
    segments_keep(s, segments_has(s->last, s->n), state);
    lane *const list = s->from_list;
    s->from_list = s->to_list;
    s->to_list = list;
    s->n_from = s->n_to;
}

/* ---- The end of a path ---- */

LANE_FN lane segments_settle(const script_segments *s, const lane *state)
{
    lane sum = state[s->n + 1];
    if (s->settles == 0 || s->settles > s->n) return state[s->settles];
    for (uint32_t p = 0; p < s->n_from; ++p) {
        const lane *const at = s->from_list + p * s->n;
        sum = sum + segments_chance(at, s->n) * at[s->settles - 1];
    }
    return sum;
}

#endif
