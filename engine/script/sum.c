/* sum.c: see sum.h. */
#include "engine/script/sum.h"

static bool sum_is(const integrator *s, uint32_t column)
{
    return s->levels[s->columns[column]].assets == 0;
}

script_form levy_sum_read(integrator *s)
{
    script_form f = levy_form_level(s, (form_level){false, 0});
    f.alpha = s->summed;
    f.reads = (uint64_t)1 << s->summed;
    f.sum = 1;
    return f;
}

/* ---- What is added ---- */

static uint32_t sum_asset(uint32_t assets)
{
    uint32_t a = 0;
    while (!(assets >> a & 1)) ++a;
    return a;
}

/* times x level + plus of one asset, the same on all segments. */
static form_part sum_part(integrator *s, const script_form *f)
{
    const script_form x = f->level ? levy_form_level(s, s->levels[f->level]) : *f;
    form_part part = {.is = false};
    uint32_t n = 0;
    if (x.rough || x.paid || x.split || x.reads) return part;
    for (uint32_t j = 0; j < s->n_columns; ++j) {
        const uint32_t assets = s->levels[s->columns[j]].assets;
        if (x.beta[j] == s->zero) continue;
        if (assets == 0 || (assets & (assets - 1))) return part;
        ++n;
        part.asset = sum_asset(assets);
        part.times = x.beta[j];
    }
    part.is = n == 1;
    part.steep = x.steep;
    part.plus = x.alpha;
    part.other = s->zero;
    return part;
}

form_part levy_sum_greater(integrator *s, const form_turn *turn, const script_form *a,
                           const script_form *b)
{
    const bool swapped = levy_form_is_number(s, a);
    form_part part = sum_part(s, swapped ? b : a);
    part.is = part.is && turn->is && levy_form_is_number(s, swapped ? a : b);
    part.cut = true;
    part.other = swapped ? a->alpha : b->alpha;
    part.at = turn->at;
    return part;
}

void levy_sum_grows(integrator *s, const script_form *a, const script_form *b, script_form *sum)
{
    const uint32_t now = 1 + s->added;
    const script_form *const added = a->sum == now ? b : a;
    if ((a->sum == now) == (b->sum == now)) return;
    sum->part = added->part.is ? added->part : sum_part(s, added);
    sum->grown = sum->part.is ? now : 0;
}

/* Where what is added changes. Of a level with the multiplier 0 it is one number. */
static uint32_t sum_from(integrator *s, const form_part *part)
{
    const uint32_t falls = levy_form_emit(s, LEVY_SCRIPT_LESS, part->times, s->zero, 0);
    if (!part->cut) return levy_form_emit(s, LEVY_SCRIPT_SELECT, falls, s->far, s->minus_far);
    if (part->times == s->one) return part->at;
    const uint32_t less = levy_form_emit(s, LEVY_SCRIPT_LESS, part->plus, part->other, 0),
                   flat = levy_form_emit(s, LEVY_SCRIPT_SELECT, less, s->far, s->minus_far);
    return levy_form_emit(s, LEVY_SCRIPT_SELECT, part->times, part->at, flat);
}

bool levy_sum_add(integrator *s, const script_form *value)
{
    const form_part *const part = &value->part;
    if (value->rough || value->grown != 1 + s->added || part->steep) return false;
    s->scaled = s->scaled || part->times != s->one;
    if (s->adders++ > 0 && s->scaled) return false; /* one may rise, and the other fall */
    const uint32_t from = sum_from(s, part), loading = levy_form_loading(s, part->asset),
                   times = levy_form_multiply(s, part->times, EMIT_LEVEL | part->asset);
    levy_form_emit(s, LEVY_SCRIPT_SUM_AT, from, loading, levy_form_growth(s, part->asset));
    levy_form_emit(s, LEVY_SCRIPT_SUM_ADD, times, part->plus, part->other);
    ++s->added;
    return true;
}

/* ---- Comparisons ---- */

static bool sum_has(const integrator *s, const script_form *f)
{
    for (uint32_t j = 0; j < s->n_columns; ++j)
        if (sum_is(s, j) && f->beta[j] != s->zero) return true;
    return false;
}

static uint32_t sum_minus(integrator *s, uint32_t a, uint32_t b)
{
    return levy_form_emit(s, LEVY_SCRIPT_SUBTRACT, a, b, 0);
}

/* The multiplier of the sum as the block has found it, in a - b; EMIT_NOWHERE: there is more in it,
 * or the sum has grown since. */
static uint32_t sum_multiplier(integrator *s, const script_form *a, const script_form *b)
{
    uint32_t beta = EMIT_NOWHERE;
    if (s->added > 0) return EMIT_NOWHERE;
    for (uint32_t j = 0; j < s->n_columns; ++j) {
        if (a->beta[j] == b->beta[j]) continue;
        if (!sum_is(s, j)) return EMIT_NOWHERE;
        beta = b->beta[j] == s->zero ? a->beta[j] : sum_minus(s, a->beta[j], b->beta[j]);
    }
    return beta;
}

/* Whether the root is where the sum leaves a number: of beta x sum > number, and of the contrary of
 * beta x sum >= number where beta is negative. */
static uint32_t sum_leaves(integrator *s, uint32_t beta, bool strict)
{
    if (beta == s->one) return strict ? s->one : s->zero;
    const uint32_t falls = levy_form_emit(s, LEVY_SCRIPT_LESS, beta, s->zero, 0);
    return strict ? levy_form_not(s, falls) : falls;
}

bool levy_sum_compares(integrator *s, const script_form *a, const script_form *b, script_form *f,
                       bool strict)
{
    const uint64_t others = (a->reads | b->reads) & ~((uint64_t)1 << s->summed);
    const bool now = a->sum == 1 + s->added && levy_form_is_number(s, b);
    if (!sum_has(s, a) && !sum_has(s, b)) return false;
    const uint32_t beta = now ? s->one : sum_multiplier(s, a, b);
    if (beta == EMIT_NOWHERE || others || b->split || (a->split && !now)) {
        if (!s->why) s->why = "it compares a sum of levels with more than numbers";
        f->rough = true;
        return true;
    }
    const uint32_t gap = sum_minus(s, b->alpha, now ? s->summed : a->alpha),
                   safe = levy_form_emit(s, LEVY_SCRIPT_SELECT, beta, beta, s->one),
                   at = beta == s->one ? gap : levy_form_emit(s, LEVY_SCRIPT_DIVIDE, gap, safe, 0);
    f->turn = (form_turn){.is = s->always, .flat = levy_form_is_below(s, strict, gap)};
    f->turn.at = levy_form_emit(s, LEVY_SCRIPT_SUM_ROOT, at, sum_leaves(s, beta, strict), 0);
    f->turn.beta = levy_form_multiply(s, beta, levy_form_emit(s, LEVY_SCRIPT_SUM_SIGN, 0, 0, 0));
    f->split = true;
    return true;
}
