/* form.c: see form.h. Folds operations on the integrator's own constants 0 and 1. It never reads a
 * number of the script, so scripts that differ in numbers alone stay one program. */
#include "engine/script/sum.h"

#include <string.h>

uint32_t levy_form_emit(integrator *s, levy_script_op op, uint32_t a, uint32_t b, uint32_t c)
{
    return levy_emit_add(&s->e, op, EMIT_NOWHERE, a, b, c);
}

uint32_t levy_form_not(integrator *s, uint32_t condition)
{
    return levy_form_emit(s, LEVY_SCRIPT_NOT, condition, 0, 0);
}

static uint32_t form_add(integrator *s, uint32_t a, uint32_t b)
{
    if (a == s->zero) return b;
    return b == s->zero ? a : levy_form_emit(s, LEVY_SCRIPT_ADD, a, b, 0);
}

static uint32_t form_subtract(integrator *s, uint32_t a, uint32_t b)
{
    return b == s->zero ? a : levy_form_emit(s, LEVY_SCRIPT_SUBTRACT, a, b, 0);
}

uint32_t levy_form_multiply(integrator *s, uint32_t a, uint32_t b)
{
    if (a == s->zero || b == s->zero) return s->zero;
    if (a == s->one) return b;
    return b == s->one ? a : levy_form_emit(s, LEVY_SCRIPT_MULTIPLY, a, b, 0);
}

static uint32_t form_divide(integrator *s, uint32_t a, uint32_t b)
{
    return a == s->zero || b == s->one ? a : levy_form_emit(s, LEVY_SCRIPT_DIVIDE, a, b, 0);
}

static uint32_t form_choose(integrator *s, uint32_t when, uint32_t a, uint32_t b)
{
    return a == b ? a : levy_form_emit(s, LEVY_SCRIPT_SELECT, when, a, b);
}

uint32_t levy_form_term(integrator *s, levy_script_term_kind kind, size_t parameter)
{
    static const script_token nowhere = {.line = 1, .column = 1};
    return levy_emit_term(&s->e, kind, s->schedule, parameter, &nowhere);
}

/* ---- Loadings ---- */

/* 1 / x; of 0 a number whose product with any logarithm is finite. */
static uint32_t form_inverse_of(integrator *s, uint32_t x, uint32_t size)
{
    const uint32_t least = levy_emit_new_constant(&s->e, 1e-30),
                   small = levy_form_emit(s, LEVY_SCRIPT_LESS, size, least, 0),
                   safe = levy_form_emit(s, LEVY_SCRIPT_SELECT, small, least, x);
    return levy_form_emit(s, LEVY_SCRIPT_DIVIDE, s->one, safe, 0);
}

uint32_t levy_form_loading(integrator *s, uint32_t asset)
{
    return s->by_path ? EMIT_LEVEL | (2 * s->e.n_assets + asset)
                      : levy_form_term(s, LEVY_SCRIPT_LOADING, asset);
}

uint32_t levy_form_inverse(integrator *s, uint32_t asset)
{
    if (!s->by_path) return levy_form_term(s, LEVY_SCRIPT_INVERSE_LOADING, asset);
    const uint32_t loading = levy_form_loading(s, asset);
    if (!s->inverse[asset]) s->inverse[asset] = form_inverse_of(s, loading, loading);
    return s->inverse[asset];
}

uint32_t levy_form_growth(integrator *s, uint32_t asset)
{
    if (!s->by_path) return levy_form_term(s, LEVY_SCRIPT_GROWTH, asset);
    if (s->growth[asset]) return s->growth[asset];
    const uint32_t half = levy_emit_new_constant(&s->e, 0.5), b = levy_form_loading(s, asset),
                   square = levy_form_emit(s, LEVY_SCRIPT_MULTIPLY, b, b, 0),
                   exponent = levy_form_emit(s, LEVY_SCRIPT_MULTIPLY, square, half, 0);
    return s->growth[asset] = levy_form_emit(s, LEVY_SCRIPT_EXP, exponent, 0, 0);
}

/* 1 / (b_i - b_j) */
static uint32_t form_inverse_gap(integrator *s, uint32_t i, uint32_t j)
{
    if (!s->by_path)
        return levy_form_term(s, LEVY_SCRIPT_INVERSE_GAP, (size_t)i * LEVY_SCRIPT_PAIR + j);
    const uint32_t gap = levy_form_emit(s, LEVY_SCRIPT_SUBTRACT, levy_form_loading(s, i),
                                        levy_form_loading(s, j), 0);
    return form_inverse_of(s, gap, levy_form_emit(s, LEVY_SCRIPT_MAGNITUDE, gap, 0, 0));
}

/* ---- Forms ---- */

script_form levy_form_number(const integrator *s, uint32_t operand)
{
    script_form f = {.alpha = operand, .dated = (operand & EMIT_KIND) == EMIT_TERM};
    for (uint32_t j = 0; j < FORM_COLUMNS; ++j) f.beta[j] = s->zero;
    if (operand < s->e.n_states) f.reads = (uint64_t)1 << operand;
    return f;
}

/* No value of this form. It refuses the script only when a step reads it. */
static script_form form_rough(integrator *s)
{
    script_form f = levy_form_number(s, s->zero);
    f.rough = true;
    return f;
}

static script_form form_refused(integrator *s, const char *why)
{
    if (!s->why) s->why = why;
    return form_rough(s);
}

/* The level's number; 0: there are too many. */
static uint32_t form_level_of(integrator *s, form_level level)
{
    const bool alone = (level.assets & (level.assets - 1)) == 0;
    if (alone) level.best = false;
    uint32_t k = 1;
    while (k <= s->n_levels &&
           (s->levels[k].best != level.best || s->levels[k].assets != level.assets))
        ++k;
    if (k == FORM_LEVELS) return 0;
    if (k > s->n_levels) s->levels[s->n_levels = k] = level;
    return k;
}

static script_form form_of_level(integrator *s, form_level level)
{
    script_form f = levy_form_number(s, s->zero);
    f.level = form_level_of(s, level);
    return f.level ? f : form_rough(s);
}

script_form levy_form_asset(integrator *s, uint32_t asset)
{
    if (asset >= FORM_ASSETS) return form_refused(s, "it has too many underlyings");
    return form_of_level(s, (form_level){false, (uint32_t)1 << asset});
}

bool levy_form_is_always(const integrator *s, uint32_t where)
{
    return where == s->one || (s->alive > 0 && where == s->alive);
}

bool levy_form_is_number(const integrator *s, const script_form *f)
{
    if (f->rough || f->paid || f->level) return false;
    for (uint32_t j = 0; j < s->n_columns; ++j)
        if (f->beta[j] != s->zero) return false;
    return true;
}

/* Gives a level its column. */
static script_form form_spread(integrator *s, const script_form *f)
{
    script_form own = *f;
    uint32_t j = 0;
    if (!f->level) return own;
    while (j < s->n_columns && s->columns[j] != f->level) ++j;
    if (j == FORM_COLUMNS) return form_rough(s);
    if (j == s->n_columns) s->columns[s->n_columns++] = f->level;
    own.level = 0;
    own.beta[j] = s->one;
    return own;
}

script_form levy_form_level(integrator *s, form_level level)
{
    const script_form f = form_of_level(s, level);
    return form_spread(s, &f);
}

static script_form form_joined(const integrator *s, const script_form *a, const script_form *b)
{
    script_form f = levy_form_number(s, s->zero);
    f.rough = a->rough || b->rough;
    f.paid = a->paid || b->paid;
    f.split = a->split || b->split;
    f.moves = a->moves || b->moves;
    f.dated = a->dated || b->dated;
    f.steep = a->steep || b->steep;
    f.reads = a->reads | b->reads;
    return f;
}

/* ---- Comparisons ---- */

/* The logarithm of an asset's level where the normal is 0. */
static uint32_t form_log(integrator *s, uint32_t asset)
{
    return levy_form_emit(s, LEVY_SCRIPT_ADD, EMIT_LEVEL | (s->e.n_assets + asset),
                          levy_form_term(s, LEVY_SCRIPT_LOG_WEIGHT, asset), 0);
}

/* The logarithm of an operand; of a number of the script it is a number of its own. */
static uint32_t form_log_of(integrator *s, uint32_t at)
{
    const uint32_t kind = at & EMIT_KIND, number = at & ~(uint32_t)EMIT_KIND;
    if (kind == EMIT_CONSTANT) {
        const double value = levy_emit_constant_value(&s->e, at);
        return levy_emit_new_constant(&s->e, levy_script_apply(LEVY_SCRIPT_LOG, value, 0.0, 0.0));
    }
    if (kind == EMIT_TERM && s->e.terms[number].kind == LEVY_SCRIPT_ITEM)
        return levy_form_term(s, LEVY_SCRIPT_LOG_ITEM, s->e.terms[number].parameter);
    return levy_form_emit(s, LEVY_SCRIPT_LOG, at, 0, 0);
}

/* The normal at which an asset's logarithm has risen by the gap since 0. */
static uint32_t form_normal_at(integrator *s, uint32_t asset, uint32_t gap)
{
    if (!s->pays) return levy_form_multiply(s, gap, levy_form_inverse(s, asset));
    return levy_form_emit(s, LEVY_SCRIPT_CASH_ROOT, gap, levy_form_loading(s, asset), 0);
}

/* The normal at which a level is at the operand `at`. */
static uint32_t form_crossing(integrator *s, const form_level *level, uint32_t at)
{
    const levy_script_op op = level->best ? LEVY_SCRIPT_LEAST : LEVY_SCRIPT_GREATEST;
    const uint32_t log = form_log_of(s, at);
    uint32_t crossing = EMIT_NOWHERE;
    for (uint32_t a = 0; a < FORM_ASSETS; ++a) {
        if (!(level->assets >> a & 1)) continue;
        const uint32_t gap = levy_form_emit(s, LEVY_SCRIPT_SUBTRACT, log, form_log(s, a), 0),
                       own = form_normal_at(s, a, gap);
        crossing = crossing == EMIT_NOWHERE ? own : levy_form_emit(s, op, crossing, own, 0);
    }
    return crossing;
}

uint32_t levy_form_is_below(integrator *s, bool strict, uint32_t at)
{
    return levy_form_emit(s, strict ? LEVY_SCRIPT_LESS : LEVY_SCRIPT_NOT_ABOVE, at, s->zero, 0);
}

/* The turn of beta x level >= at. `flat` is its value if beta is 0: 0 >= at, or 0 > at if strict.
 */
static form_turn form_turn_at(integrator *s, bool strict, uint32_t column, uint32_t beta,
                              uint32_t at)
{
    const form_level *const level = &s->levels[s->columns[column]];
    form_turn turn = {.beta = beta, .flat = s->zero};
    if (beta == s->one) {
        turn.at = form_crossing(s, level, at);
        return turn;
    }
    const uint32_t safe = levy_form_emit(s, LEVY_SCRIPT_SELECT, beta, beta, s->one);
    turn.at = form_crossing(s, level, form_divide(s, at, safe));
    turn.flat = levy_form_is_below(s, strict, at);
    return turn;
}

/* Whether beta x level >= at on the segment. */
static uint32_t form_is_above(integrator *s, const form_turn *turn)
{
    const uint32_t above = levy_form_emit(s, LEVY_SCRIPT_SPLIT, turn->at, s->where, 0);
    if (turn->beta == s->one) return above;
    const uint32_t below = levy_form_not(s, above),
                   rises = levy_form_emit(s, LEVY_SCRIPT_LESS, s->zero, turn->beta, 0),
                   moves = form_choose(s, rises, above, below);
    return form_choose(s, turn->beta, moves, turn->flat);
}

static script_form form_not(integrator *s, const script_form *f)
{
    script_form no = *f;
    no.turn.inverted = !f->turn.inverted;
    if (!s->latched) no.alpha = levy_form_not(s, f->alpha);
    return no;
}

/* a >= b as a number, or a > b if strict. The two differ if a level's multiplier is 0. */
static script_form form_compare(integrator *s, bool strict, const script_form *a,
                                const script_form *b)
{
    const script_form x = form_spread(s, a), y = form_spread(s, b);
    script_form f = form_joined(s, &x, &y);
    uint32_t column = FORM_COLUMNS, beta = s->zero;
    if (f.rough || f.paid) return form_refused(s, "it compares more than levels with numbers");
    if (levy_form_is_number(s, &x)) {
        f = form_compare(s, !strict, &y, &x);
        return f.rough ? f : form_not(s, &f);
    }
    if (levy_sum_compares(s, &x, &y, &f, strict)) {
        if (!f.rough) f.alpha = s->latched ? s->somewhere : form_is_above(s, &f.turn);
        return f;
    }
    f.moves = f.split || f.reads & s->decided;
    for (uint32_t j = 0; j < s->n_columns; ++j) {
        if (x.beta[j] == y.beta[j]) continue;
        if (column < FORM_COLUMNS) return form_refused(s, "it compares levels with each other");
        column = j;
        beta = form_subtract(s, x.beta[j], y.beta[j]);
    }
    const uint32_t at = form_subtract(s, y.alpha, x.alpha);
    if (column == FORM_COLUMNS) {
        f.alpha = levy_form_is_below(s, strict, at);
        return f;
    }
    f.turn = form_turn_at(s, strict, column, beta, at);
    f.turn.is = s->always && !f.split && f.reads == 0;
    f.split = true;
    f.alpha = s->latched ? s->somewhere : form_is_above(s, &f.turn);
    return f;
}

static script_form form_at_least(integrator *s, const script_form *a, const script_form *b)
{
    return form_compare(s, false, a, b);
}

static script_form form_select(integrator *s, const script_form *when, const script_form *a,
                               const script_form *b)
{
    const script_form x = form_spread(s, a), y = form_spread(s, b);
    script_form f = form_joined(s, &x, &y);
    if (f.rough || x.paid != y.paid) return form_rough(s);
    f.split = f.split || when->split;
    f.moves = f.moves || when->moves;
    f.reads |= when->reads;
    f.dated = f.steep = f.dated || f.steep || when->dated;
    f.alpha = form_choose(s, when->alpha, x.alpha, y.alpha);
    for (uint32_t j = 0; j < s->n_columns; ++j)
        f.beta[j] = form_choose(s, when->alpha, x.beta[j], y.beta[j]);
    return f;
}

/* The lesser or the greater of two. */
static script_form form_extreme(integrator *s, bool best, const script_form *a,
                                const script_form *b)
{
    const form_level *const x = &s->levels[a->level], *const y = &s->levels[b->level];
    if (a->level && b->level) {
        const bool alone = (x->assets & (x->assets - 1)) == 0,
                   other = (y->assets & (y->assets - 1)) == 0;
        if ((alone || x->best == best) && (other || y->best == best))
            return form_of_level(s, (form_level){best, x->assets | y->assets});
    }
    if (a->rough || b->rough) return form_rough(s);
    const script_form first = best ? form_at_least(s, a, b) : form_at_least(s, b, a);
    if (first.rough) return first;
    script_form f = form_select(s, &first, a, b);
    if (best) f.part = levy_sum_greater(s, &first.turn, a, b);
    return f;
}

/* ---- Arithmetic ---- */

static script_form form_sum(integrator *s, bool minus, const script_form *a, const script_form *b)
{
    const script_form x = form_spread(s, a), y = form_spread(s, b);
    script_form f = form_joined(s, &x, &y);
    if (f.rough || (x.paid && y.paid) || (minus && y.paid)) return form_rough(s);
    f.alpha = minus ? form_subtract(s, x.alpha, y.alpha) : form_add(s, x.alpha, y.alpha);
    for (uint32_t j = 0; j < s->n_columns; ++j)
        f.beta[j] =
            minus ? form_subtract(s, x.beta[j], y.beta[j]) : form_add(s, x.beta[j], y.beta[j]);
    if (!minus) levy_sum_grows(s, &x, &y, &f);
    return f;
}

static script_form form_scaled(integrator *s, bool divides, const script_form *a,
                               const script_form *number)
{
    const script_form x = form_spread(s, a);
    script_form f = form_joined(s, &x, number);
    if (f.rough || f.paid) return form_rough(s);
    f.steep = f.steep || number->dated;
    f.alpha = divides ? form_divide(s, x.alpha, number->alpha)
                      : levy_form_multiply(s, x.alpha, number->alpha);
    for (uint32_t j = 0; j < s->n_columns; ++j)
        f.beta[j] = divides ? form_divide(s, x.beta[j], number->alpha)
                            : levy_form_multiply(s, x.beta[j], number->alpha);
    return f;
}

static script_form form_magnitude(integrator *s, const script_form *a)
{
    const script_form zero = levy_form_number(s, s->zero), up = form_at_least(s, a, &zero),
                      minus = form_sum(s, true, &zero, a);
    return up.rough ? up : form_select(s, &up, a, &minus);
}

/* ---- Steps ---- */

/* A step whose operands are numbers. */
static script_form form_plain(integrator *s, levy_script_op op, const script_form *const *of)
{
    const uint32_t n = levy_script_operands(op);
    uint32_t operands[3] = {0, 0, 0};
    script_form f = levy_form_number(s, s->zero);
    for (uint32_t i = 0; i < n; ++i) {
        f = form_joined(s, &f, of[i]);
        operands[i] = of[i]->alpha;
    }
    f.alpha = levy_form_emit(s, op, operands[0], operands[1], operands[2]);
    return f;
}

/* a and b. A condition that is true on all segments leaves the other's half-line as it is. */
static script_form form_both(integrator *s, const script_form *a, const script_form *b)
{
    const script_form *const of[] = {a, b};
    script_form f = form_plain(s, LEVY_SCRIPT_AND, of);
    if (levy_form_is_always(s, a->alpha)) f.turn = b->turn;
    if (levy_form_is_always(s, b->alpha)) f.turn = a->turn;
    return f;
}

static script_form form_compared(integrator *s, levy_script_op op, const script_form *a,
                                 const script_form *b)
{
    if (op == LEVY_SCRIPT_EQUAL)
        return form_refused(s, "it asks whether a level is equal to something");
    const bool less = op == LEVY_SCRIPT_LESS;
    const script_form above = less ? form_at_least(s, a, b) : form_at_least(s, b, a);
    return above.rough || !less ? above : form_not(s, &above);
}

script_form levy_form_apply(integrator *s, levy_script_op op, const script_form *a,
                            const script_form *b, const script_form *c)
{
    const script_form *const of[] = {a, b, c};
    const uint32_t n = levy_script_operands(op);
    bool numbers = true;
    for (uint32_t i = 0; i < n; ++i) numbers = numbers && levy_form_is_number(s, of[i]);
    if (numbers && op == LEVY_SCRIPT_AND) return form_both(s, a, b);
    if (numbers) return form_plain(s, op, of);
    switch ((int)op) {
    case LEVY_SCRIPT_MOVE:
        return *a;
    case LEVY_SCRIPT_ADD:
    case LEVY_SCRIPT_SUBTRACT:
        return form_sum(s, op == LEVY_SCRIPT_SUBTRACT, a, b);
    case LEVY_SCRIPT_MULTIPLY:
        if (levy_form_is_number(s, b)) return form_scaled(s, false, a, b);
        return levy_form_is_number(s, a) ? form_scaled(s, false, b, a) : form_rough(s);
    case LEVY_SCRIPT_DIVIDE:
        return levy_form_is_number(s, b) ? form_scaled(s, true, a, b) : form_rough(s);
    case LEVY_SCRIPT_LEAST:
    case LEVY_SCRIPT_GREATEST:
        return form_extreme(s, op == LEVY_SCRIPT_GREATEST, a, b);
    case LEVY_SCRIPT_MAGNITUDE:
        return a->rough ? form_rough(s) : form_magnitude(s, a);
    case LEVY_SCRIPT_LESS:
    case LEVY_SCRIPT_NOT_ABOVE:
    case LEVY_SCRIPT_EQUAL:
        return form_compared(s, op, a, b);
    case LEVY_SCRIPT_SELECT:
        return levy_form_is_number(s, a) ? form_select(s, a, b, c) : form_rough(s);
    default:
        return form_rough(s);
    }
}

/* ---- What levels are worth ---- */

/* Narrows the normals [low, high] on which asset a is the level, against asset b. */
static void form_narrow(integrator *s, const form_level *level, uint32_t a, uint32_t b,
                        uint32_t *low, uint32_t *high)
{
    const uint32_t i = a < b ? a : b, j = a + b - i, log_i = form_log(s, i), log_j = form_log(s, j),
                   apart = form_inverse_gap(s, i, j);
    const uint32_t gap = levy_form_emit(s, LEVY_SCRIPT_SUBTRACT, log_j, log_i, 0),
                   at = levy_form_multiply(s, gap, apart),
                   steeper = levy_form_emit(s, LEVY_SCRIPT_LESS, s->zero, apart, 0);
    /* where i is steeper, it is the lesser one below the crossing */
    const bool ends = (a == i) != level->best;
    const uint32_t top = levy_form_emit(s, LEVY_SCRIPT_SELECT, steeper, ends ? at : s->far,
                                        ends ? s->far : at),
                   bottom = levy_form_emit(s, LEVY_SCRIPT_SELECT, steeper, ends ? s->minus_far : at,
                                           ends ? at : s->minus_far);
    *low = levy_form_emit(s, LEVY_SCRIPT_GREATEST, *low, bottom, 0);
    *high = levy_form_emit(s, LEVY_SCRIPT_LEAST, *high, top, 0);
}

static uint32_t form_asset_worth(integrator *s, const form_level *level, uint32_t a)
{
    const uint32_t loading = levy_form_loading(s, a);
    uint32_t low = s->low, high = s->high;
    if (s->pays)
        return levy_form_multiply(s, EMIT_LEVEL | a,
                                  levy_form_emit(s, LEVY_SCRIPT_CASH_WORTH, low, high, loading));
    for (uint32_t b = 0; b < FORM_ASSETS; ++b)
        if (b != a && level->assets >> b & 1) form_narrow(s, level, a, b, &low, &high);
    low = levy_form_emit(s, LEVY_SCRIPT_SUBTRACT, low, loading, 0);
    high = levy_form_emit(s, LEVY_SCRIPT_SUBTRACT, high, loading, 0);
    const uint32_t mass = levy_form_emit(s, LEVY_SCRIPT_MASS, low, high, 0),
                   grown = levy_form_multiply(s, EMIT_LEVEL | a, levy_form_growth(s, a));
    return levy_form_multiply(s, grown, mass);
}

uint32_t levy_form_worth(integrator *s, uint32_t column)
{
    const form_level *const level = &s->levels[s->columns[column]];
    uint32_t worth = s->zero;
    if (level->assets == 0) return levy_form_emit(s, LEVY_SCRIPT_SUM_WORTH, s->low, s->high, 0);
    for (uint32_t a = 0; a < FORM_ASSETS; ++a)
        if (level->assets >> a & 1) worth = form_add(s, worth, form_asset_worth(s, level, a));
    return worth;
}
