/* latch.c: see latch.h. */
#include "engine/script/latch.h"

static uint64_t latch_bit(uint32_t state) { return (uint64_t)1 << state; }

static bool latch_is(const script_latches *latches, uint32_t state)
{
    return (latches->found & latch_bit(state)) != 0;
}

static uint32_t latch_states_below(const script_latches *latches, uint32_t end)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < end; ++k) n += latch_is(latches, k) ? 2 : 0;
    return n;
}

uint32_t levy_latch_states(const script_latches *latches)
{
    return latch_states_below(latches, LEVY_SCRIPT_STATES);
}

uint32_t levy_latch_start(const integrator *s, uint32_t k)
{
    return k % 2 == 0 ? s->far : s->minus_far;
}

/* The threshold above which the latch is set; the next state is the one below which it is. */
static uint32_t latch_threshold(const script_latch *latch)
{
    return latch->first + latch_states_below(latch->all, latch->state);
}

void levy_latch_note(script_latches *latches, const integrator *s, uint32_t state,
                     const script_form *when, const script_form *value)
{
    const uint64_t bit = latch_bit(state);
    const bool anew = !(latches->set & bit), falls = when->turn.inverted,
               same = anew || latches->value[state] == value->alpha,
               alone = levy_form_is_always(s, s->where) || s->where == when->alpha;
    latches->set |= bit;
    latches->value[state] = value->alpha;
    if (!when->turn.is || !alone || !same || (value->alpha & EMIT_KIND) != EMIT_CONSTANT ||
        value->split)
        latches->other |= bit;
    if (!falls || when->turn.beta != s->one) latches->rises |= bit;
    if (falls || when->turn.beta != s->one) latches->falls |= bit;
}

uint64_t levy_latch_found(const script_latches *latches, uint64_t never)
{
    return latches->set & ~latches->other & ~never;
}

static void latch_widen(integrator *s, levy_script_op op, uint32_t threshold, uint32_t by)
{
    levy_emit_add(&s->e, op, threshold, threshold, by, 0);
}

/* The sign of the multiplier `beta` says on which side the condition holds. If beta is 0, its value
 * is `flat`. */
static void latch_set_either(integrator *s, uint32_t threshold, const form_turn *turn)
{
    const uint32_t everywhere =
                       levy_form_emit(s, LEVY_SCRIPT_SELECT, turn->flat, s->minus_far, s->far),
                   at = levy_form_emit(s, LEVY_SCRIPT_SELECT, turn->beta, turn->at, everywhere),
                   positive = levy_form_emit(s, LEVY_SCRIPT_LESS, s->zero, turn->beta, 0),
                   rises = levy_form_emit(s, LEVY_SCRIPT_SELECT, turn->beta, positive, s->one),
                   up = turn->inverted ? levy_form_not(s, rises) : rises;
    latch_widen(s, LEVY_SCRIPT_LEAST, threshold,
                levy_form_emit(s, LEVY_SCRIPT_SELECT, up, at, s->far));
    latch_widen(s, LEVY_SCRIPT_GREATEST, threshold + 1,
                levy_form_emit(s, LEVY_SCRIPT_SELECT, up, s->minus_far, at));
}

void levy_latch_set(integrator *s, const script_latch *latch, const script_form *when)
{
    const uint32_t threshold = latch_threshold(latch);
    if (when->turn.beta != s->one)
        latch_set_either(s, threshold, &when->turn);
    else if (when->turn.inverted)
        latch_widen(s, LEVY_SCRIPT_GREATEST, threshold + 1, when->turn.at);
    else
        latch_widen(s, LEVY_SCRIPT_LEAST, threshold, when->turn.at);
}

/* Whether the segment lies above the threshold's current value, which a later step of the block may
 * move. */
static uint32_t latch_above(integrator *s, uint32_t threshold)
{
    const uint32_t now = levy_form_emit(s, LEVY_SCRIPT_MOVE, threshold, 0, 0);
    return levy_form_emit(s, LEVY_SCRIPT_SPLIT, now, s->where, 0);
}

uint32_t levy_latch_read(integrator *s, const script_latch *latch)
{
    const uint32_t threshold = latch_threshold(latch), state = latch->state;
    uint32_t is = EMIT_NOWHERE;
    if (latch->all->rises >> state & 1) is = latch_above(s, threshold);
    if (latch->all->falls >> state & 1) {
        const uint32_t above = latch_above(s, threshold + 1), below = levy_form_not(s, above);
        is = is == EMIT_NOWHERE ? below : levy_form_emit(s, LEVY_SCRIPT_OR, is, below, 0);
    }
    return levy_form_emit(s, LEVY_SCRIPT_SELECT, is, latch->all->value[state], state);
}
