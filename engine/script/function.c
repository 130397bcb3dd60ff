/* function.c: the functions of a script. Must not know: statements. */
#include "engine/script/compile.h"
#include "engine/script/foreign.h"
#include "engine/script/function.h"

#include "engine/base/error.h"

#include <string.h>

enum { FUNCTION_MOST_SORTED = 16 }; /* a network grows with the square */

static const function_kind *function_find(const script_token *name)
{
    const function_kind *kind = levy_script_functions;
    while (kind->name && !levy_script_token_is(name, kind->name)) ++kind;
    return kind->name ? kind : NULL;
}

bool levy_script_is_function(const script_token *name) { return function_find(name) != NULL; }

bool levy_script_takes_list(const script_token *name)
{
    const function_kind *const kind = function_find(name);
    return kind && kind->form >= FUNCTION_MERGE;
}

/* Version 1 of the language had none of these, so they may be names as well. */
bool levy_script_reserves(const script_token *name)
{
    const function_kind *const kind = function_find(name);
    return kind && (kind->form < FUNCTION_NORMAL || kind->form > FUNCTION_SPAN);
}

const char *levy_script_function_argument(const script_token *name)
{
    const function_kind *const kind = function_find(name);
    switch (kind ? kind->form : FUNCTION_MERGE) {
    case FUNCTION_FOLD:
        return "level - 1, 0";
    case FUNCTION_EACH:
    case FUNCTION_NORMAL:
        return "level";
    case FUNCTION_SPAN:
        return "now, expiry";
    case FUNCTION_COUNT:
    case FUNCTION_JOIN:
    case FUNCTION_FIRST:
        return "levels > 1";
    case FUNCTION_CROSSED:
        return "barrier";
    case FUNCTION_MERGE:
    case FUNCTION_MEAN:
    case FUNCTION_SORTED:
        break;
    }
    return "levels";
}

/* "Functions: abs all ..." NULL: no memory. */
static const char *function_names(compiler *c, const char **names)
{
    const char *text = "Functions:";
    size_t n = 0;
    for (; levy_script_functions[n].name && text; ++n) {
        names[n] = levy_script_functions[n].name;
        text = levy_arena_format(c->arena, "%s %s", text, names[n]);
    }
    names[n] = NULL;
    return text ? levy_arena_format(c->arena, "%s.", text) : NULL;
}

/* Its arguments show their faults. A time is none. */
static bool function_unknown(compiler *c, const script_expression *call, script_value *value)
{
    const script_token *const at = &call->at;
    const char *names[LEVY_SCRIPT_MOST_FUNCTIONS],
        *const all = function_names(c, names), *const name = levy_script_token_name(at, c->arena);
    char phrase[LEVY_MEANT_SIZE];
    if (!name || !all) return c->fault->out_of_memory = true, false;
    const char *const foreign = levy_script_foreign_function(c->frame, at);
    levy_script_refuse(c, at, foreign ? foreign : all, "there is no function '%s'%s", name,
                       foreign ? "" : levy_meant(levy_nearest(name, names), phrase));
    for (const script_expression *a = call->first; a; a = a->next) {
        if (levy_script_is_time(c, a)) continue;
        if (!levy_script_note(c->fault, c->arena)) return false;
        if (!levy_script_evaluate(c, a, value)) return false;
    }
    return levy_script_note(c->fault, c->arena) && levy_script_unknown(c, value);
}

/* Component k of a value, as one. */
static script_value function_item(const script_value *list, uint32_t k)
{
    script_value one = *list;
    one.is_list = false;
    one.n = 1;
    one.at = list->at + (list->n == 1 ? 0 : k);
    return one;
}

static bool function_merge(compiler *c, levy_script_op op, const script_value *list,
                           script_value *value)
{
    *value = function_item(list, 0);
    for (uint32_t k = 1; k < list->n; ++k) {
        const script_value so_far = *value, next = function_item(list, k);
        if (!levy_script_combine(c, op, &so_far, &next, value)) return false;
    }
    value->is_condition = list->is_condition;
    return true;
}

static bool function_mean(compiler *c, const script_value *list, script_value *value)
{
    script_value sum = {0}, n = {0};
    return function_merge(c, LEVY_SCRIPT_ADD, list, &sum) &&
           levy_script_constant(c, (double)list->n, &n) &&
           levy_script_combine(c, LEVY_SCRIPT_DIVIDE, &sum, &n, value);
}

/* Of the standard normal law: its distribution function, or its density
 * exp(-x^2 / 2) / sqrt(2 pi). */
static bool function_normal(compiler *c, const function_kind *kind, const script_value *x,
                            script_value *value)
{
    script_value half = {0}, scale = {0}, square = {0}, power = {0}, density = {0};
    if (kind->op == LEVY_SCRIPT_BELOW)
        return levy_script_combine(c, LEVY_SCRIPT_BELOW, x, x, value);
    return levy_script_constant(c, -0.5, &half) &&
           levy_script_constant(c, 0.3989422804014327, &scale) &&
           levy_script_combine(c, LEVY_SCRIPT_MULTIPLY, x, x, &square) &&
           levy_script_combine(c, LEVY_SCRIPT_MULTIPLY, &square, &half, &power) &&
           levy_script_combine(c, LEVY_SCRIPT_EXP, &power, &power, &density) &&
           levy_script_combine(c, LEVY_SCRIPT_MULTIPLY, &density, &scale, value);
}

/* The best first: a network of exchanges between neighbours. */
static bool function_sorted(compiler *c, const script_expression *call, const script_value *list,
                            script_value *value)
{
    *value = *list;
    if (list->n > FUNCTION_MOST_SORTED)
        return levy_script_refuse(c, &call->at, "Use best, worst or mean.",
                                  "sorted takes at most %d assets", FUNCTION_MOST_SORTED);
    if (!levy_script_value_room(c, value, list->n)) return false;
    memcpy(value->at, list->at, list->n * sizeof *value->at);
    for (uint32_t done = 0; done + 1 < list->n; ++done)
        for (uint32_t k = list->n - 1; k > done; --k) {
            const script_value x = function_item(value, k - 1), y = function_item(value, k);
            script_value high = {0}, low = {0};
            if (!levy_script_combine(c, LEVY_SCRIPT_GREATEST, &x, &y, &high) ||
                !levy_script_combine(c, LEVY_SCRIPT_LEAST, &x, &y, &low))
                return false;
            value->at[k - 1] = high.at[0];
            value->at[k] = low.at[0];
        }
    return true;
}

/* Conditions are 1 and 0. */
static bool function_count(compiler *c, const script_value *list, script_value *value)
{
    if (!function_merge(c, LEVY_SCRIPT_ADD, list, value)) return false;
    value->is_condition = false;
    return true;
}

static bool function_first(compiler *c, const script_value *list, script_value *value)
{
    script_value none = {0}, here = {0}, not_here = {0}, before = {0};
    *value = (script_value){.is_condition = true, .is_list = true};
    if (!levy_script_value_room(c, value, list->n) || !levy_script_constant(c, 1.0, &none))
        return false;
    for (uint32_t k = 0; k < list->n; ++k) {
        const script_value item = function_item(list, k);
        before = none;
        if (!levy_script_combine(c, LEVY_SCRIPT_AND, &before, &item, &here) ||
            !levy_script_combine(c, LEVY_SCRIPT_NOT, &item, &item, &not_here) ||
            !levy_script_combine(c, LEVY_SCRIPT_AND, &before, &not_here, &none))
            return false;
        value->at[k] = levy_script_component(&here, 0);
    }
    return !levy_script_failed(c->fault);
}

/* ---- Between dates ---- */

bool levy_script_is_crossing(const script_token *name)
{
    const function_kind *const kind = function_find(name);
    return kind && kind->form == FUNCTION_CROSSED;
}

bool levy_script_crosses(const script_expression *e)
{
    for (; e; e = e->next)
        if ((e->kind == SCRIPT_CALL && levy_script_is_crossing(&e->at)) ||
            levy_script_crosses(e->first))
            return true;
    return false;
}

static uint32_t function_step(compiler *c, levy_script_op op, uint32_t a, uint32_t b)
{
    return levy_emit_add(&c->e, op, EMIT_NOWHERE, a, b, 0);
}

static uint32_t function_term(compiler *c, levy_script_term_kind kind, uint32_t asset,
                              const script_token *at)
{
    return levy_emit_term(&c->e, kind, c->schedule, asset, at);
}

/* The logarithm of an asset's level, as a step of the block. */
static uint32_t function_log_level(compiler *c, uint32_t asset)
{
    return function_step(c, LEVY_SCRIPT_LOG, levy_emit_level(&c->e, asset), 0);
}

/* By how much the logarithm of a level is on the side of the barrier's from which the function
 * looks; 0: it is beyond. */
static uint32_t function_apart(compiler *c, levy_script_op side, uint32_t level, uint32_t barrier)
{
    const bool rises = side == LEVY_SCRIPT_GREATEST;
    const uint32_t apart = rises ? function_step(c, LEVY_SCRIPT_SUBTRACT, barrier, level)
                                 : function_step(c, LEVY_SCRIPT_SUBTRACT, level, barrier);
    if (side == LEVY_SCRIPT_EXP) return apart;
    return function_step(c, LEVY_SCRIPT_GREATEST, apart, levy_emit_new_constant(&c->e, 0.0));
}

/* The chance that the asset's level was at the barrier between two dates, given its logarithms x
 * and y there, less that of the barrier: exp(-2 x y / variance), and 1 if they have not one sign
 * (I. Karatzas, S. E. Shreve, Brownian Motion and Stochastic Calculus, 1991, (4.3.40)). */
static uint32_t function_chance(compiler *c, const script_token *at, levy_script_op side,
                                uint32_t asset, uint32_t barrier)
{
    const uint32_t zero = levy_emit_new_constant(&c->e, 0.0),
                   minus_two = levy_emit_new_constant(&c->e, -2.0),
                   weight = function_term(c, LEVY_SCRIPT_LOG_WEIGHT, asset, at),
                   variance = function_term(c, LEVY_SCRIPT_VARIANCE, asset, at),
                   log = function_step(c, LEVY_SCRIPT_LOG, barrier, 0),
                   start =
                       function_step(c, LEVY_SCRIPT_ADD, weight, c->before[c->e.n_blocks] + asset),
                   x = function_apart(c, side, start, log),
                   y = function_apart(c, side, function_log_level(c, asset), log),
                   both = function_step(c, LEVY_SCRIPT_MULTIPLY, x, y),
                   part = function_step(c, LEVY_SCRIPT_DIVIDE, both, variance),
                   power = function_step(c, LEVY_SCRIPT_MULTIPLY, part, minus_two),
                   least = function_step(c, LEVY_SCRIPT_LEAST, power, zero);
    return function_step(c, LEVY_SCRIPT_EXP, least, 0);
}

static bool function_crossed(compiler *c, const script_expression *call, const function_kind *kind,
                             const script_value *barrier, script_value *value)
{
    const uint32_t n = c->frame->n_assets;
    if (c->schedule == EMIT_NOWHERE)
        return levy_script_refuse(c, &call->at, "A var starts with numbers and parameters.",
                                  "what was crossed is known at dates only");
    if (barrier->is_list && barrier->n != n)
        return levy_script_refuse(c, &call->first->at, "Write name[number] for the date's number.",
                                  "%s takes one barrier, or one for each underlying", kind->name);
    *value = (script_value){.is_list = n > 1};
    if (!levy_script_value_room(c, value, n)) return false;
    for (uint32_t u = 0; u < n; ++u)
        value->at[u] = function_chance(c, &call->at, (levy_script_op)kind->op, u,
                                       levy_script_component(barrier, u));
    c->crosses |= 1u << c->schedule;
    return !levy_script_failed(c->fault);
}

bool levy_script_remember(compiler *c, const script_token *at)
{
    for (uint32_t u = 0; u < c->frame->n_assets; ++u) {
        const uint32_t weight = function_term(c, LEVY_SCRIPT_LOG_WEIGHT, u, at),
                       log =
                           function_step(c, LEVY_SCRIPT_SUBTRACT, function_log_level(c, u), weight);
        levy_emit_add(&c->e, LEVY_SCRIPT_MOVE, c->before[c->e.n_blocks] + u, log, 0, 0);
    }
    return !levy_script_failed(c->fault);
}

/* ---- Arguments ---- */

static bool function_wants(compiler *c, const script_expression *call,
                           const script_expression *argument, const function_kind *kind,
                           const script_value *value)
{
    const bool lists = kind->form >= FUNCTION_MERGE, conditions = kind->form >= FUNCTION_COUNT;
    if (value->is_unknown) return true;
    if (value->is_condition != conditions)
        return levy_script_refuse(
            c, &argument->at, conditions ? "Compare: levels > 1." : "Write: 1 if condition else 0.",
            "%s takes %s", kind->name, conditions ? "conditions" : "numbers");
    if (lists && !value->is_list && c->frame->n_assets > 1)
        return levy_script_refuse(c, &argument->at, "Write levels for the levels of all assets.",
                                  "%s takes a list with one for each asset", kind->name);
    if (kind->form == FUNCTION_CROSSED && argument->next)
        return levy_script_refuse(c, &call->at, "Ask for one barrier at a time.",
                                  "%s takes one argument", kind->name);
    if (kind->form != FUNCTION_FOLD && argument->next)
        return levy_script_refuse(c, &call->at, "For the least of several numbers write min(a, b).",
                                  "%s takes one argument", kind->name);
    return true;
}

static bool function_fold(compiler *c, const script_expression *call, const function_kind *kind,
                          script_value *value)
{
    if (!call->first->next)
        return levy_script_refuse(
            c, &call->at, "For the least of a list write worst(list), for the greatest best(list).",
            "%s takes two numbers or more", kind->name);
    for (const script_expression *a = call->first->next; a; a = a->next) {
        const script_value so_far = *value;
        script_value next = {0};
        if (!levy_script_evaluate(c, a, &next) || !function_wants(c, call, a, kind, &next) ||
            !levy_script_match(c, &a->at, &so_far, &next) ||
            !levy_script_combine(c, (levy_script_op)kind->op, &so_far, &next, value))
            return false;
    }
    return true;
}

bool levy_script_call(compiler *c, const script_expression *call, script_value *value)
{
    const function_kind *const kind = function_find(&call->at);
    script_value a = {0};
    if (!kind) return function_unknown(c, call, value);
    if (kind->form == FUNCTION_SPAN)
        return levy_script_span_of(c, call, (levy_script_term_kind)kind->op, value);
    if (!levy_script_evaluate(c, call->first, &a) ||
        !function_wants(c, call, call->first, kind, &a))
        return false;
    *value = a;
    switch ((int)kind->form) {
    case FUNCTION_FOLD:
        return function_fold(c, call, kind, value);
    case FUNCTION_EACH:
        return levy_script_combine(c, (levy_script_op)kind->op, &a, &a, value);
    case FUNCTION_NORMAL:
        return function_normal(c, kind, &a, value);
    case FUNCTION_MEAN:
        return function_mean(c, &a, value);
    case FUNCTION_SORTED:
        return function_sorted(c, call, &a, value);
    case FUNCTION_COUNT:
        return function_count(c, &a, value);
    case FUNCTION_FIRST:
        return function_first(c, &a, value);
    case FUNCTION_CROSSED:
        return function_crossed(c, call, kind, &a, value);
    default:
        return function_merge(c, (levy_script_op)kind->op, &a, value);
    }
}
