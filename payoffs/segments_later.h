/* segments_later.h: the segments of a postponed program (engine/script/postpone.h), of one path a
 * thread: what segments.h does, with the same numbers, in one list. Segments that lie below all
 * conditions of a block change in their places (engine/script/lower_tail.h). Those above them are
 * few: they run from the list, and once one changes, from a copy, while the list takes what they
 * become. Lanes of a GPU only. Must not know: steps, programs, levels. */
#ifndef LEVY_PAYOFFS_SEGMENTS_LATER_H
#define LEVY_PAYOFFS_SEGMENTS_LATER_H

#include "payoffs/segments.h"

#if LANE_GPU

LANE_FN void later_start(script_segments *s, segments_of of, lane *room, lane *last,
                         const lane *state)
{
    segments_start(s, of, room, last, state);
    s->list = s->from_list;
}

/* ---- Low segments ---- */

/* Whether the next segment ends at z or below. */
LANE_FN int later_is_low(const script_segments *s, segments_of of, lane z)
{
    if (s->at == s->n_from) return 0;
    return !lane_any(z < segments_ends_of(of, s->list + s->at * of.m)[SEGMENTS_HIGH]);
}

LANE_FN void later_begin(script_segments *s)
{
    s->n_cut = s->at = s->n_to = 0;
    s->as_found = 1;
    s->from_list = s->list;
}

/* On low segments the block sets nothing: they are passed, the last one first. */
LANE_FN void later_low_skip(script_segments *s, segments_of of, lane z)
{
    for (s->at = s->n_from; s->at > 0; --s->at) {
        const lane *const ends = segments_ends_of(of, s->list + (s->at - 1) * of.m);
        if (!lane_any(z < ends[SEGMENTS_HIGH])) return;
    }
}

/* The next segment's own states become the path's, if it is low. */
LANE_FN int later_low(script_segments *s, segments_of of, const segments_number *start, lane z,
                      lane *state)
{
    if (!later_is_low(s, of, z)) return 0;
    segments_own(of, start, s->list + s->at * of.m, state);
    return 1;
}

/* The segment takes its new states, or joins the one below, if these are its. */
LANE_FN void later_low_done(script_segments *s, segments_of of, const lane *state)
{
    lane *const here = s->list + s->at++ * of.m, *const to = s->list + s->n_to * of.m;
    int same = s->n_to > 0;
    SEGMENTS_OWN(of, k, j)
    {
        if (same) same = lane_any(s->last[j] == state[1 + k]);
        s->last[j++] = state[1 + k];
    }
    lane *const ends = segments_ends(of, here), *const below = segments_ends(of, to - of.m);
    if (same) same = lane_any(below[SEGMENTS_HIGH] == ends[SEGMENTS_LOW]);
    if (same) {
        below[SEGMENTS_BELOW_HIGH] = ends[SEGMENTS_BELOW_HIGH];
        below[SEGMENTS_HIGH] = ends[SEGMENTS_HIGH];
        return;
    }
    SEGMENTS_OWN(of, k, j) to[j++] = state[1 + k];
    if (to != here)
        for (uint32_t e = 0; e < SEGMENTS_ENDS; ++e) segments_ends(of, to)[e] = ends[e];
    ++s->n_to;
}

/* ---- The others ---- */

/* Puts the last segment into the list. */
LANE_FN void later_keep(script_segments *s, segments_of of, lane *state)
{
    if (s->n_to == of.most) {
        state[0] = lane_sqrt(lane_of(R(-1.0)));
        return;
    }
    segments_copy(of, s->list + s->n_to++ * of.m, s->last);
}

/* From here on the list takes what becomes of the segments from number `at` on. */
LANE_FN void later_change(script_segments *s, segments_of of, uint32_t at)
{
    s->as_found = 0;
    for (uint32_t p = s->at; p < s->n_from; ++p)
        segments_copy(of, s->to_list + p * of.m, s->list + p * of.m);
    s->from_list = s->to_list;
    s->n_to = at;
    s->holds = at > 0;
    if (s->holds) segments_copy(of, s->last, s->list + --s->n_to * of.m);
}

/* Low segments are behind; `last` is the last of them, and n_to their number. */
LANE_FN void later_low_end(script_segments *s, segments_of of)
{
    if (s->n_to < s->at) later_change(s, of, s->n_to);
}

LANE_FN void later_add(script_segments *s, segments_of of, const lane *segment, lane *state)
{
    const lane *const ends = segments_ends_of(of, segment);
    lane *const last = s->last, *const last_ends = segments_ends(of, last);
    if (!lane_any(segments_has(ends))) return;
    int same = s->holds;
    if (same) same = lane_any(last_ends[SEGMENTS_HIGH] == ends[SEGMENTS_LOW]);
    SEGMENTS_UNROLL
    for (uint32_t j = 0; j + SEGMENTS_ENDS < of.m; ++j)
        if (same) same = lane_any(last[j] == segment[j]);
    if (same) {
        last_ends[SEGMENTS_BELOW_HIGH] = ends[SEGMENTS_BELOW_HIGH];
        last_ends[SEGMENTS_HIGH] = ends[SEGMENTS_HIGH];
        return;
    }
    if (s->holds) later_keep(s, of, state);
    segments_copy(of, last, segment);
    s->holds = 1;
}

/* The block has run on the segment. */
LANE_FN void later_done(script_segments *s, segments_of of, lane *state)
{
    lane now[LEVY_SCRIPT_STATES];
    if (of.alive) segments_leave(of, state);
    segments_gather(of, state, now);
    if (s->as_found) { /* most dates change nothing */
        if (segments_as_found(s, of, now)) return;
        later_change(s, of, s->at - 1);
    }
    later_add(s, of, now, state);
}

LANE_FN void later_end(script_segments *s, segments_of of, lane *state)
{
    if (s->as_found) return;
    if (s->holds) later_keep(s, of, state);
    s->n_from = s->n_to;
}

/* start: as in segments_next. */
LANE_FN lane later_settle(script_segments *s, segments_of of, const segments_number *start,
                          const lane *state)
{
    s->from_list = s->list;
    return segments_settle(s, of, start, state);
}

#endif
#endif
