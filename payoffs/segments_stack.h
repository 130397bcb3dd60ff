/* segments_stack.h: the segments of a postponed program (engine/script/postpone.h) whose low
 * segments (engine/script/lower_tail.h) take the same steps at all dates: they wait with these
 * until they are read. So a block passes the segments below its conditions unread, and takes those
 * above from the end of a list, a stack. Nothing lies between two segments: where the script has
 * ended on one below others, it stays as an ended one, so that a segment begins where the one below
 * it ends. The first segments of a path stand in shared memory, where threads that read different
 * ones do not wait for each other. One path a thread of a GPU, in single. Must not know: steps,
 * programs, levels. */
#ifndef LEVY_PAYOFFS_SEGMENTS_STACK_H
#define LEVY_PAYOFFS_SEGMENTS_STACK_H

#include "payoffs/segments.h"

#if LANE_GPU

/* Lanes of a segment in the list behind its own states: how often low segments had taken their
 * steps when it was up to date, and its upper end. */
enum { STACK_TIMES, STACK_BELOW_HIGH, STACK_HIGH, STACK_MORE };
#define STACK_ENDED R(-1.0) /* the times of one on which the script has ended */

/* A segment without its lower end. */
typedef struct stack_segment {
    lane own[LEVY_SCRIPT_STATES], times, below_high, high;
} stack_segment;

typedef struct script_stack {
    lane *near, *far; /* the first ones, a row of all threads a segment, and the others */
    uint32_t n_near, n_threads;
    uint32_t n, at, n_to; /* in the list; the next to be read; before it, those that are done */
    uint32_t n_cut, holds;
    int over;            /* it had no room */
    real times;          /* how often low segments have taken their steps, or wait to */
    lane low, below;     /* where the first segment begins */
    lane end, below_end; /* where the next one begins */
    stack_segment found; /* as the block has found the segment that it runs on */
    stack_segment held;  /* if it holds one: the last that is done */
    lane cut_high[LEVY_SCRIPT_CUTS], cut_below[LEVY_SCRIPT_CUTS]; /* the ends of what was cut off */
} script_stack;

/* Of a segment's lanes, its own states. */
#define STACK_OWN(of) ((of).m - STACK_MORE)

/* ---- The list ---- */

LANE_FN lane *stack_near(const script_stack *s, segments_of of, uint32_t p)
{
    return s->near + p * s->n_threads * of.m;
}
LANE_FN lane *stack_far(const script_stack *s, segments_of of, uint32_t p)
{
    return s->far + (p - s->n_near) * of.m;
}

LANE_FN void stack_load(segments_of of, const lane *from, stack_segment *to)
{
    SEGMENTS_UNROLL
    for (uint32_t j = 0; j < STACK_OWN(of); ++j) to->own[j] = from[j];
    to->times = from[STACK_OWN(of) + STACK_TIMES];
    to->below_high = from[STACK_OWN(of) + STACK_BELOW_HIGH];
    to->high = from[STACK_OWN(of) + STACK_HIGH];
}

LANE_FN void stack_store(segments_of of, lane *to, const stack_segment *what)
{
    SEGMENTS_UNROLL
    for (uint32_t j = 0; j < STACK_OWN(of); ++j) to[j] = what->own[j];
    to[STACK_OWN(of) + STACK_TIMES] = what->times;
    to[STACK_OWN(of) + STACK_BELOW_HIGH] = what->below_high;
    to[STACK_OWN(of) + STACK_HIGH] = what->high;
}

/* A place that may be in either memory takes the slower instructions, so each has its own. */
LANE_FN void stack_read(const script_stack *s, segments_of of, uint32_t p, stack_segment *to)
{
    if (p < s->n_near)
        stack_load(of, stack_near(s, of, p), to);
    else
        stack_load(of, stack_far(s, of, p), to);
}

LANE_FN lane stack_read_high(const script_stack *s, segments_of of, uint32_t p)
{
    const uint32_t at = STACK_OWN(of) + STACK_HIGH;
    return p < s->n_near ? stack_near(s, of, p)[at] : stack_far(s, of, p)[at];
}

LANE_FN void stack_write(const script_stack *s, segments_of of, uint32_t p,
                         const stack_segment *what)
{
    if (p < s->n_near)
        stack_store(of, stack_near(s, of, p), what);
    else
        stack_store(of, stack_far(s, of, p), what);
}

/* Puts what it holds into the list. Segments that are not yet read move on, if it takes their
 * place. */
LANE_FN void stack_put(script_stack *s, segments_of of)
{
    if (s->n_to == s->at && s->at < s->n) {
        stack_segment next;
        s->over |= s->n == of.most;
        for (uint32_t p = s->n; p > s->at && !s->over; --p) {
            stack_read(s, of, p - 1, &next);
            stack_write(s, of, p, &next);
        }
        ++s->n;
        ++s->at;
    }
    s->over |= s->n_to == of.most;
    if (!s->over) stack_write(s, of, s->n_to++, &s->held);
}

/* It has its places already: near: of the thread, with room for n_near segments, each a row of
 * n_threads; far: with room for the others. state: those that a path starts at. */
LANE_FN void stack_start(script_stack *s, segments_of of, lane *state)
{
    const lane *const ends = segments_state_ends(of, state);
    s->times = R(0.0);
    s->low = ends[SEGMENTS_LOW];
    s->below = ends[SEGMENTS_BELOW];
    SEGMENTS_OWN(of, k, j) s->held.own[j++] = state[1 + k];
    s->held.times = lane_of(R(0.0));
    s->held.below_high = ends[SEGMENTS_BELOW_HIGH];
    s->held.high = ends[SEGMENTS_HIGH];
    s->n = s->at = s->n_to = 0;
    s->over = 0;
    stack_put(s, of);
    s->n = 1;
}

/* ---- A block ---- */

/* The block runs on the segments from number `at` on. */
LANE_FN void stack_begin(script_stack *s, segments_of of, uint32_t at)
{
    s->at = s->n_to = at;
    s->n_cut = s->holds = 0;
    s->end = s->low;
    s->below_end = s->below;
    if (at == 0) return;
    stack_segment before;
    stack_read(s, of, at - 1, &before);
    s->end = before.high;
    s->below_end = before.below_high;
}

/* The block runs on what lies above z, with chance = Phi(z): of a segment that lies on both sides
 * the lower part stays in the list, and waits or is passed, too. */
LANE_FN void stack_begin_above(script_stack *s, segments_of of, lane z, lane chance)
{
    uint32_t at = s->n;
    for (; at > 0; --at)
        if (!lane_any(z < stack_read_high(s, of, at - 1))) break;
    stack_begin(s, of, at);
    if (at == s->n || !lane_any(s->end < z)) return;
    stack_read(s, of, at, &s->found);
    if (lane_any(s->found.times == STACK_ENDED)) return;
    s->cut_high[0] = s->found.high;
    s->cut_below[0] = s->found.below_high;
    s->n_cut = 1;
    s->found.high = s->end = z;
    s->found.below_high = s->below_end = chance;
    stack_write(s, of, at, &s->found);
    s->at = s->n_to = at + 1;
}

/* A segment is done; `held` goes on, if it has the same states. */
LANE_FN void stack_add(script_stack *s, segments_of of, const stack_segment *done)
{
    const int ended = lane_any(done->times == STACK_ENDED);
    int same = s->holds;
    if (same) same = lane_any(s->held.times == done->times);
    SEGMENTS_UNROLL
    for (uint32_t j = 0; j < STACK_OWN(of); ++j)
        if (same) same = ended | lane_any(s->held.own[j] == done->own[j]);
    if (!same) {
        if (s->holds) stack_put(s, of);
        s->held = *done;
        s->holds = 1;
    }
    s->held.below_high = done->below_high;
    s->held.high = done->high;
}

/* Finds the next segment, or what was cut off the last one; 0: there is none. cuts: the most. */
LANE_FN int stack_find(script_stack *s, segments_of of, uint32_t cuts)
{
    if (s->n_cut > 0) {
        --s->n_cut;
        SEGMENTS_UNROLL
        for (uint32_t j = 0; j < LEVY_SCRIPT_CUTS; ++j)
            if (j < cuts && j == s->n_cut) {
                s->found.high = s->cut_high[j];
                s->found.below_high = s->cut_below[j];
            }
        return 1;
    }
    while (s->at < s->n) {
        stack_read(s, of, s->at++, &s->found);
        if (!lane_any(s->found.times == STACK_ENDED)) return 1;
        stack_add(s, of, &s->found);
        s->end = s->found.high;
        s->below_end = s->found.below_high;
    }
    return 0;
}

/* The next segment's states become the path's; 0: there is none. start: [state]: what the path
 * starts at. */
LANE_FN int stack_next(script_stack *s, segments_of of, uint32_t cuts, const segments_number *start,
                       lane *state)
{
    if (!stack_find(s, of, cuts)) return 0;
    lane *const ends = segments_state_ends(of, state);
    segments_own(of, start, s->found.own, state);
    ends[SEGMENTS_BELOW] = s->below_end;
    ends[SEGMENTS_LOW] = s->end;
    ends[SEGMENTS_BELOW_HIGH] = s->found.below_high;
    ends[SEGMENTS_HIGH] = s->found.high;
    return 1;
}

/* How often the segment has missed the steps of low ones. */
LANE_FN uint32_t stack_missed(const script_stack *s)
{
    return (uint32_t)(s->times - lane_get(s->found.times, 0));
}

/* It has made up for them. */
LANE_FN void stack_update(script_stack *s, segments_of of, const lane *state)
{
    SEGMENTS_OWN(of, k, j) s->found.own[j++] = state[1 + k];
    s->found.times = lane_of(s->times);
}

/* Is the segment above z? If z lies inside of it, its upper part is cut off. chance: Phi(z). */
LANE_FN lane stack_split(script_stack *s, segments_of of, uint32_t cuts, lane *state, lane z,
                         lane chance, lane where)
{
    lane *const ends = segments_state_ends(of, state);
    if (lane_any((where != R(0.0)) & (ends[SEGMENTS_LOW] < z) & (z < ends[SEGMENTS_HIGH]))) {
        SEGMENTS_UNROLL
        for (uint32_t j = 0; j < LEVY_SCRIPT_CUTS; ++j)
            if (j < cuts && j == s->n_cut) {
                s->cut_high[j] = ends[SEGMENTS_HIGH];
                s->cut_below[j] = ends[SEGMENTS_BELOW_HIGH];
            }
        ++s->n_cut;
        ends[SEGMENTS_BELOW_HIGH] = chance;
        ends[SEGMENTS_HIGH] = z;
    }
    return lane_select(ends[SEGMENTS_LOW] >= z, lane_of(R(1.0)), lane_of(R(0.0)));
}

/* The block has run on the segment. times: as its states say. */
LANE_FN void stack_done(script_stack *s, segments_of of, lane *state, real times)
{
    const lane *const ends = segments_state_ends(of, state);
    stack_segment done;
    SEGMENTS_OWN(of, k, j) done.own[j++] = state[1 + k];
    done.times = lane_of(times);
    done.below_high = s->below_end = ends[SEGMENTS_BELOW_HIGH];
    done.high = s->end = ends[SEGMENTS_HIGH];
    if (of.alive && lane_any(state[of.alive] == R(0.0))) {
        segments_leave(of, state);
        done.times = lane_of(STACK_ENDED);
    }
    stack_add(s, of, &done);
}

LANE_FN void stack_end(script_stack *s, segments_of of)
{
    if (s->holds && !lane_any(s->held.times == STACK_ENDED)) stack_put(s, of);
    s->n = s->n_to;
}

/* Does the script settle on a state that differs from segment to segment? */
LANE_FN int stack_settles_own(segments_of of)
{
    return of.settles > 0 && of.settles <= of.n && of.own >> (of.settles - 1) & 1;
}

/* Segments whose states nothing reads any more become one with their neighbours. */
LANE_FN void stack_flatten(script_stack *s, segments_of of)
{
    stack_segment next;
    stack_begin(s, of, 0);
    while (s->at < s->n) {
        stack_read(s, of, s->at++, &next);
        if (!lane_any(next.times == STACK_ENDED)) next.times = lane_of(s->times);
        SEGMENTS_UNROLL
        for (uint32_t j = 0; j < STACK_OWN(of); ++j) next.own[j] = lane_of(R(0.0));
        stack_add(s, of, &next);
    }
    stack_end(s, of);
}

/* Whether a block might leave more segments than there is room for. */
LANE_FN int stack_is_full(const script_stack *s, segments_of of)
{
    return s->n + 2 * LEVY_SCRIPT_CUTS >= of.most;
}

/* ---- The end of a path ---- */

/* All segments are up to date, if it settles on a state of theirs. start: as in stack_next. */
LANE_FN lane stack_settle(const script_stack *s, segments_of of, const segments_number *start,
                          const lane *state)
{
    lane sum = state[of.n + 1], below = s->below;
    if (s->over) return lane_sqrt(lane_of(R(-1.0))); /* no number, which the result says */
    if (of.settles == 0 || of.settles > of.n) return segments_settling(of, state);
    for (uint32_t p = 0; p < s->n; ++p) {
        stack_segment at;
        stack_read(s, of, p, &at);
        lane value = SEGMENTS_LANE(start[of.settles]);
        SEGMENTS_OWN(of, k, j)
        {
            if (1 + k == of.settles) value = at.own[j];
            ++j;
        }
        if (!lane_any(at.times == STACK_ENDED)) sum = sum + (at.below_high - below) * value;
        below = at.below_high;
    }
    return sum;
}

#endif
#endif
