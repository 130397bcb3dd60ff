/* span.c: what a script asks of two times: the volatility of Black and Scholes between them, the
 * discount factor and the years. Each is a number by date, since the market in which the script
 * runs gives it and no path moves it. Must not know: markets, the dates of schedules. */
#include "engine/script/compile.h"

#include <string.h>

/* ---- A time ---- */

static bool span_refuse(compiler *c, const script_token *at)
{
    return levy_script_refuse(c, at,
                              "Write now, expiry, another schedule's name, its second date as "
                              "name[2], or years from the valuation date.",
                              "%s is no time that is known before the paths",
                              levy_script_token_shown(at, c->arena));
}

/* now, or a date of a schedule. *found: it is one, and not the name of a value. */
static bool span_date(compiler *c, const script_expression *e, levy_script_when *when, bool *found)
{
    const bool item = e->kind == SCRIPT_INDEX;
    uint32_t k = 0;
    *found = false;
    if ((e->kind != SCRIPT_NAME && !item) || levy_script_taken(c, &e->at)) return true;
    *found = !item && levy_script_token_is(&e->at, "now");
    *when = (levy_script_when){.kind = LEVY_SCRIPT_NOW};
    while (k < c->frame->n_schedules && !levy_script_token_is(&e->at, c->frame->schedules[k])) ++k;
    if (*found || k == c->frame->n_schedules) return true;
    *found = true;
    *when =
        (levy_script_when){.kind = LEVY_SCRIPT_ON_DATE, .number = k, .date = LEVY_SCRIPT_ONLY_DATE};
    if (!item) return true;
    const double date = e->first->at.value;
    if (e->first->kind != SCRIPT_LITERAL || !(date >= 1.0 && date <= 1e6))
        return span_refuse(c, &e->at);
    when->date = (uint32_t)date - 1;
    return when->date + 1 == date || span_refuse(c, &e->at);
}

bool levy_script_is_time(compiler *c, const script_expression *e)
{
    levy_script_when when;
    bool found;
    return e->kind == SCRIPT_NAME && span_date(c, e, &when, &found) && found;
}

static bool span_time(compiler *c, const script_expression *e, levy_script_when *when)
{
    script_value value = {0};
    bool found;
    if (!span_date(c, e, when, &found)) return false;
    if (found) return true;
    if (!levy_script_evaluate(c, e, &value)) return false;
    const uint32_t at = value.is_list || value.is_condition ? EMIT_NOWHERE : value.at[0],
                   number = at & ~(uint32_t)EMIT_KIND;
    *when = (levy_script_when){.kind = LEVY_SCRIPT_IN_YEARS, .number = number};
    if (at == EMIT_NOWHERE) return span_refuse(c, &e->at);
    if ((at & EMIT_KIND) == EMIT_CONSTANT) {
        when->years = levy_emit_constant_value(&c->e, at);
        return true;
    }
    when->kind = LEVY_SCRIPT_BY_TERM;
    return (at & EMIT_KIND) == EMIT_TERM || span_refuse(c, &e->at);
}

/* ---- Two times ---- */

static bool span_is(const levy_script_when *a, const levy_script_when *b)
{
    return a->kind == b->kind && a->number == b->number && a->date == b->date;
}

/* The number of the two times; it depends on the text alone, so that scripts that differ in
 * parameters alone stay one program. */
static bool span_number(compiler *c, const levy_script_span *span, size_t *number)
{
    for (*number = 0; *number < c->n_spans; ++*number)
        if (span_is(&c->spans[*number].from, &span->from) &&
            span_is(&c->spans[*number].to, &span->to))
            return true;
    if (!LEVY_ARENA_GROW(c->arena, c->spans, c->n_spans, c->span_room, 8))
        return c->fault->out_of_memory = true, false;
    c->spans[c->n_spans++] = *span;
    return true;
}

/* Takes an asset's name before two times. It is its number; n: there is none. */
static uint32_t span_asset(const compiler *c, const script_expression *first)
{
    uint32_t u = 0;
    if (!c->frame->names || first->kind != SCRIPT_NAME) return c->frame->n_assets;
    while (u < c->frame->n_assets && !levy_script_token_is(&first->at, c->frame->names[u])) ++u;
    return u;
}

bool levy_script_span_of(compiler *c, const script_expression *call, levy_script_term_kind kind,
                         script_value *value)
{
    const bool asks = kind == LEVY_SCRIPT_VOLATILITY;
    const script_expression *from = call->first;
    const uint32_t n = c->frame->n_assets, one = asks ? span_asset(c, from) : n;
    const uint32_t many = asks && one == n ? n : 1;
    levy_script_span span;
    size_t number;
    if (one < n) from = from->next;
    if (asks && one == n && from && from->kind == SCRIPT_NAME && from->next && from->next->next)
        return levy_script_refuse(c, &from->at, "Write volatility(now, expiry): a list of all.",
                                  "the trade has no underlying %s",
                                  levy_script_token_shown(&from->at, c->arena));
    if (!from || !from->next || from->next->next)
        return levy_script_refuse(
            c, &call->at,
            asks ? "Write volatility(now, expiry), or volatility(NAME, now, expiry) of one asset."
                 : "Write two times: now, expiry.",
            "%s takes two times", levy_script_token_shown(&call->at, c->arena));
    if (c->schedule == EMIT_NOWHERE)
        return levy_script_refuse(c, &call->at, "A var starts with numbers and parameters.",
                                  "%s is known at dates only",
                                  levy_script_token_shown(&call->at, c->arena));
    *value = (script_value){.is_list = many > 1};
    if (!span_time(c, from, &span.from) || !span_time(c, from->next, &span.to) ||
        !span_number(c, &span, &number) || !levy_script_value_room(c, value, many))
        return false;
    number *= LEVY_SCRIPT_SPAN;
    if (one < n) number += one;
    for (uint32_t u = 0; u < many; ++u)
        value->at[u] = levy_emit_term(&c->e, kind, c->schedule, number + u, &call->at);
    return !levy_script_failed(c->fault);
}

bool levy_script_keep_spans(compiler *c, levy_script *script)
{
    levy_script_span *const spans = levy_arena_allocate(c->kept, c->n_spans, sizeof *spans);
    if (!spans) return c->fault->out_of_memory = true, false;
    if (c->n_spans > 0) memcpy(spans, c->spans, c->n_spans * sizeof *spans);
    script->spans = spans;
    script->n_spans = c->n_spans;
    return true;
}
