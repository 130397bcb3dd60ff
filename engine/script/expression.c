/* expression.c: expressions of a script become steps. Numbers that the text and its parameters give
 * are computed here. See compile.h. Must not know: statements. */
#include "engine/script/compile.h"
#include "engine/script/foreign.h"

#include "engine/base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool levy_script_refuse(compiler *c, const script_token *at, const char *hint, const char *format,
                        ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return levy_script_fail(c->fault, c->arena, at, hint, "%s", text);
}

static const char *expression_shown(compiler *c, const script_token *at)
{
    return levy_script_token_shown(at, c->arena);
}

/* ---- Values ---- */

bool levy_script_value_room(compiler *c, script_value *value, uint32_t n)
{
    value->n = n;
    value->at = levy_arena_allocate(c->arena, n, sizeof *value->at);
    if (!value->at) c->fault->out_of_memory = true;
    return value->at != NULL;
}

uint32_t levy_script_component(const script_value *value, uint32_t k)
{
    return value->at[value->n == 1 ? 0 : k];
}

bool levy_script_constant(compiler *c, double number, script_value *value)
{
    *value = (script_value){.is_constant = true};
    if (!levy_script_value_room(c, value, 1)) return false;
    value->at[0] = levy_emit_new_constant(&c->e, number);
    return value->at[0] != EMIT_NOWHERE;
}

bool levy_script_unknown(compiler *c, script_value *value)
{
    if (!levy_script_constant(c, 0.0, value)) return false;
    value->is_constant = false;
    return value->is_unknown = true;
}

bool levy_script_match(compiler *c, const script_token *at, const script_value *a,
                       const script_value *b)
{
    if (!a->is_list || !b->is_list || a->n == b->n) return true;
    return levy_script_refuse(
        c, at,
        "Write name[number] for the date's number, or best(list), sum(list), ... "
        "for one of a list.",
        "a list of %u and a list of %u do not go together", a->n, b->n);
}

bool levy_script_combine(compiler *c, levy_script_op op, const script_value *a,
                         const script_value *b, script_value *value)
{
    const bool both = a->is_constant && b->is_constant;
    *value = (script_value){.is_list = a->is_list || b->is_list, .is_constant = both};
    if (!levy_script_value_room(c, value, a->n > b->n ? a->n : b->n)) return false;
    for (uint32_t k = 0; k < value->n; ++k) {
        if (both) {
            const double x = levy_emit_constant_value(&c->e, levy_script_component(a, k)),
                         y = levy_emit_constant_value(&c->e, levy_script_component(b, k));
            value->at[k] = levy_emit_new_constant(&c->e, levy_script_apply(op, x, y, 0.0));
            if (value->at[k] == EMIT_NOWHERE) return false;
        } else {
            const uint32_t x = levy_script_component(a, k), y = levy_script_component(b, k);
            value->at[k] = levy_emit_add(&c->e, op, EMIT_NOWHERE, x, y, 0);
        }
    }
    return !levy_script_failed(c->fault);
}

/* ---- Names ---- */

static bool expression_same(const script_token *a, const script_token *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

const script_name *levy_script_find(const compiler *c, const script_token *token)
{
    for (size_t k = c->n_names; k-- > 0;)
        if (expression_same(c->names[k].at, token)) return &c->names[k];
    return NULL;
}

static size_t expression_parameter(const compiler *c, const script_token *token)
{
    size_t k = 0;
    while (k < c->frame->n_parameters && !levy_script_token_is(token, c->frame->parameters[k].name))
        ++k;
    return k;
}

static const char *const expression_builtins[] = {"assets", "dates", "level", "levels", "number"};
enum { EXPRESSION_BUILTINS = sizeof expression_builtins / sizeof *expression_builtins };

/* Of S.variance the number of what stands behind the dot, from 1 on; 0: none stands there. *bare:
 * the word before it. */
static uint32_t expression_state(const script_token *at, script_token *bare)
{
    static const char *const states[] = {"variance", "integrated_variance"};
    const char *const dot = memchr(at->text, '.', at->length);
    script_token state = *at;
    *bare = *at;
    if (!dot) return 0;
    bare->length = (uint32_t)(dot - at->text);
    state.text = dot + 1;
    state.length = at->length - bare->length - 1;
    for (uint32_t k = 0; k < sizeof states / sizeof *states; ++k)
        if (levy_script_token_is(&state, states[k])) return k + 1;
    return 0;
}

const char *levy_script_taken(const compiler *c, const script_token *token)
{
    script_token bare;
    if (levy_script_find(c, token)) return "is defined already";
    if (expression_state(token, &bare)) return "is what an asset is at a date";
    if (expression_parameter(c, token) < c->frame->n_parameters) return "is a parameter";
    for (size_t k = 0; k < EXPRESSION_BUILTINS; ++k)
        if (levy_script_token_is(token, expression_builtins[k])) return "is a name of the language";
    return levy_script_reserves(token) ? "is a function" : NULL;
}

const char *levy_script_refuses_name(const char *name)
{
    levy_script_fault fault = {0};
    script_scanner scanner = {.text = name, .length = strlen(name), .fault = &fault};
    script_token token;
    if (!levy_script_scan_word(&scanner, &token) || token.length != scanner.length)
        return "is no name: a name has letters, digits and _";
    if (token.kind != SCRIPT_T_NAME) return "is a word of the language";
    if (strcasecmp(name, "spot") == 0)
        return "would hide the level, which a script reads as `level` or `levels[1]`";
    for (size_t k = 0; k < EXPRESSION_BUILTINS; ++k)
        if (levy_script_token_is(&token, expression_builtins[k]))
            return "is a name of the language";
    return levy_script_reserves(&token) ? "is a function" : NULL;
}

/* What reads the level of asset k. */
static const char *expression_level(compiler *c, uint32_t k)
{
    return c->frame->n_assets == 1 ? "level" : levy_arena_format(c->arena, "levels[%u]", k + 1);
}

/* For the name of an asset, or a word for what is observed: a parameter of that name would be a
 * number in place of the level. NULL: it is neither. */
static const char *expression_level_hint(compiler *c, const script_token *at)
{
    const char *const *const names = c->frame->names;
    const uint32_t k = levy_script_foreign_level(c->frame, at);
    if (k == FOREIGN_NO_LEVEL) return NULL;
    if (names && levy_script_foreign_names(at, names[k]))
        return levy_arena_format(c->arena, "Write %s: it is the level of %s at the date.",
                                 expression_level(c, k), names[k]);
    return levy_arena_format(c->arena, "Write %s: it is %s at the date.", expression_level(c, 0),
                             c->frame->n_assets == 1 ? "the level" : "the first level");
}

/* index: in brackets; NULL: none. S[0] is the level at the start. */
static bool expression_unknown(compiler *c, const script_token *at, const script_expression *index,
                               script_value *value)
{
    static const script_token start = {.text = "initial", .length = sizeof "initial" - 1};
    const bool is_start = index && index->kind == SCRIPT_LITERAL && index->at.value == 0.0 &&
                          levy_script_foreign_level(c->frame, at) != FOREIGN_NO_LEVEL;
    const size_t n = c->n_names + c->frame->n_parameters + EXPRESSION_BUILTINS;
    const char **const all = levy_arena_allocate(c->arena, n + 1, sizeof *all);
    const char *const name = levy_script_token_name(at, c->arena);
    char phrase[LEVY_MEANT_SIZE];
    size_t m = 0;
    if (!all || !name) return c->fault->out_of_memory = true, false;
    for (size_t k = 0; k < c->n_names; ++k)
        if (!(all[m++] = levy_script_token_name(c->names[k].at, c->arena)))
            return c->fault->out_of_memory = true, false;
    for (size_t k = 0; k < c->frame->n_parameters; ++k) all[m++] = c->frame->parameters[k].name;
    for (size_t k = 0; k < EXPRESSION_BUILTINS; ++k) all[m++] = expression_builtins[k];
    const char *hint = is_start ? levy_script_foreign_value(&start) : expression_level_hint(c, at);
    if (!hint) hint = levy_script_foreign_value(at);
    if (hint)
        levy_script_refuse(c, at, hint, "there is no value %s", expression_shown(c, at));
    else
        levy_script_refuse(c, at, "Define it by var or let, or give it under parameters.",
                           "there is no value %s%s", expression_shown(c, at),
                           levy_meant(levy_nearest(name, all), phrase));
    return levy_script_note(c->fault, c->arena) && levy_script_unknown(c, value);
}

/* The constants of a parameter's numbers, made when first asked for. */
static uint32_t *expression_items(compiler *c, size_t parameter)
{
    levy_script_parameter *const p = &c->frame->parameters[parameter];
    uint32_t **const items = &c->items[parameter];
    p->used = true;
    if (*items) return *items;
    *items = levy_arena_allocate(c->arena, p->n, sizeof **items);
    if (!*items) return c->fault->out_of_memory = true, NULL;
    for (size_t k = 0; k < p->n; ++k) (*items)[k] = levy_emit_new_constant(&c->e, p->values[k]);
    return levy_script_failed(c->fault) ? NULL : *items;
}

static bool expression_whole_parameter(compiler *c, size_t parameter, script_value *value)
{
    const levy_script_parameter *const p = &c->frame->parameters[parameter];
    *value = (script_value){.is_constant = true, .is_list = p->is_list, .n = (uint32_t)p->n};
    value->at = expression_items(c, parameter);
    return value->at != NULL;
}

/* A number that is another at each date. */
static bool expression_by_date(compiler *c, const script_token *at, levy_script_term_kind kind,
                               size_t parameter, script_value *value)
{
    *value = (script_value){0};
    if (c->schedule == EMIT_NOWHERE)
        return levy_script_refuse(c, at, "A var starts with numbers and parameters.",
                                  "%s is known at dates only", expression_shown(c, at));
    if (!levy_script_value_room(c, value, 1)) return false;
    value->at[0] = levy_emit_term(&c->e, kind, c->schedule, parameter, at);
    return !levy_script_failed(c->fault);
}

static bool expression_levels(compiler *c, const script_token *at, script_value *value)
{
    *value = (script_value){.is_list = levy_script_token_is(at, "levels")};
    if (c->schedule == EMIT_NOWHERE)
        return levy_script_refuse(c, at, "A var starts with numbers and parameters.",
                                  "levels are known at dates only");
    if (!value->is_list && c->frame->n_assets > 1)
        return levy_script_refuse(c, at, "Write worst(levels), mean(levels), levels[1], ...",
                                  "the trade has %u assets, not one level", c->frame->n_assets);
    if (!levy_script_value_room(c, value, c->frame->n_assets)) return false;
    for (uint32_t k = 0; k < value->n; ++k) value->at[k] = levy_emit_level(&c->e, k);
    return !levy_script_failed(c->fault);
}

/* The first asset whose states a word names, and how many: `level`, `levels` or an asset's name.
 * 0: it names none. */
static uint32_t expression_assets(const compiler *c, const script_token *bare, uint32_t *first)
{
    const levy_script_frame *const frame = c->frame;
    *first = 0;
    if (levy_script_token_is(bare, "level") || levy_script_token_is(bare, "levels"))
        return frame->n_assets;
    for (; frame->names && *first < frame->n_assets; ++*first)
        if (levy_script_token_is(bare, frame->names[*first])) return 1;
    return 0;
}

static bool expression_variances(compiler *c, const script_expression *e, script_value *value)
{
    script_token bare;
    uint32_t first;
    const uint32_t state = expression_state(&e->at, &bare), n = expression_assets(c, &bare, &first);
    *value = (script_value){.is_list = levy_script_token_is(&bare, "levels")};
    if (n == 0 || c->frame->without_variance) c->fault->unsure = true; /* a level is none */
    if (n == 0)
        return levy_script_refuse(
            c, &e->at, "Write level, levels or the name of an underlying before the dot.",
            "there is no value %s", expression_shown(c, &e->at));
    if (c->schedule == EMIT_NOWHERE)
        return levy_script_refuse(c, &e->at, "A var starts with numbers and parameters.",
                                  "%s is known at dates only", expression_shown(c, &e->at));
    if (!value->is_list && n > 1)
        return levy_script_refuse(c, &e->at, "Write levels.variance[1], mean(levels.variance), ...",
                                  "the trade has %u assets, not one level", n);
    if (c->frame->without_variance)
        return levy_script_refuse(c, &e->at,
                                  "Models of kind heston and bates have one. volatility(0, now) is "
                                  "that of Black and Scholes until the date.",
                                  "there is no value %s: %s", expression_shown(c, &e->at),
                                  c->frame->without_variance);
    if (!levy_script_value_room(c, value, n)) return false;
    for (uint32_t k = 0; k < n; ++k)
        value->at[k] = levy_emit_variance(&c->e, c->frame->n_assets, state, first + k);
    return !levy_script_failed(c->fault);
}

/* What a path has beside its levels, the same of all assets. */
static bool expression_of_path(compiler *c, uint32_t kind, script_value *value)
{
    *value = (script_value){0};
    if (!levy_script_value_room(c, value, 1)) return false;
    value->at[0] = levy_emit_variance(&c->e, c->frame->n_assets, kind, 0);
    return !levy_script_failed(c->fault);
}

/* A function's name without its arguments. */
static bool expression_function(compiler *c, const script_token *at)
{
    const char *const name = levy_script_token_name(at, c->arena);
    const char *const hint =
        name ? levy_arena_format(c->arena, "Write %s(%s).", name, levy_script_function_argument(at))
             : NULL;
    if (!name || !hint) return c->fault->out_of_memory = true, false;
    return levy_script_refuse(c, at, hint, "%s is a function; it needs its arguments", name);
}

static bool expression_name(compiler *c, const script_expression *e, script_value *value)
{
    const script_name *const name = levy_script_find(c, &e->at);
    const size_t parameter = expression_parameter(c, &e->at);
    script_token bare;
    if (name) {
        *value = name->value;
        return c->schedule != EMIT_NOWHERE ||
               levy_script_refuse(c, &e->at, "A var starts with numbers and parameters.",
                                  "%s has no value before the first date",
                                  expression_shown(c, &e->at));
    }
    if (parameter < c->frame->n_parameters) return expression_whole_parameter(c, parameter, value);
    if (c->frame->supposed && levy_script_token_is(&e->at, "dual_paid"))
        return levy_script_value_room(c, value, 1) && (value->at[0] = SCRIPT_PAID, true);
    if (c->frame->by_regime && levy_script_token_is(&e->at, "regime"))
        return expression_of_path(c, 1, value);
    if (c->frame->by_regime && levy_script_token_is(&e->at, "path_discount"))
        return expression_of_path(c, 2, value);
    if (levy_script_token_is(&e->at, "level") || levy_script_token_is(&e->at, "levels"))
        return expression_levels(c, &e->at, value);
    if (expression_state(&e->at, &bare)) return expression_variances(c, e, value);
    if (levy_script_token_is(&e->at, "number"))
        return expression_by_date(c, &e->at, LEVY_SCRIPT_NUMBER, 0, value);
    if (levy_script_token_is(&e->at, "dates"))
        return expression_by_date(c, &e->at, LEVY_SCRIPT_DATES, 0, value);
    if (levy_script_token_is(&e->at, "assets"))
        return levy_script_constant(c, (double)c->frame->n_assets, value);
    if (levy_script_is_function(&e->at)) return expression_function(c, &e->at);
    return expression_unknown(c, &e->at, e->first, value);
}

/* ---- Index ---- */

/* A whole number that the text writes. 0: it is none. */
static uint32_t expression_count(const script_expression *e)
{
    const double v = e->at.value;
    const bool whole = e->kind == SCRIPT_LITERAL && v >= 1.0 && v <= 1e6 && v == floor(v);
    return whole ? (uint32_t)v : 0;
}

static bool expression_item(compiler *c, const script_expression *e, const script_value *list,
                            script_value *value)
{
    const uint32_t k = expression_count(e->first);
    *value = *list;
    if (list->is_unknown) return true;
    if (!list->is_list)
        return levy_script_refuse(c, &e->at, "Remove the brackets.", "%s is one number, not a list",
                                  expression_shown(c, &e->at));
    if (k == 0 || k > list->n)
        return levy_script_refuse(c, &e->first->at, "The first item is number 1.",
                                  "%s has items 1 to %u", expression_shown(c, &e->at), list->n);
    value->is_list = false;
    value->n = 1;
    value->at = list->at + (k - 1);
    return true;
}

static bool expression_index(compiler *c, const script_expression *e, script_value *value)
{
    const size_t parameter = expression_parameter(c, &e->at);
    script_value list = {0};
    if (levy_script_find(c, &e->at) || parameter == c->frame->n_parameters)
        return expression_name(c, e, &list) && expression_item(c, e, &list, value);
    levy_script_parameter *const p = &c->frame->parameters[parameter];
    if (e->first->kind == SCRIPT_NAME && levy_script_token_is(&e->first->at, "number")) {
        p->used = true;
        if (!p->is_list) return expression_whole_parameter(c, parameter, value);
        if (p->rule) return expression_by_date(c, &e->at, LEVY_SCRIPT_RULE, p->rule - 1, value);
        return expression_by_date(c, &e->at, LEVY_SCRIPT_ITEM, parameter, value);
    }
    if (expression_count(e->first) == 0)
        return levy_script_refuse(
            c, &e->first->at, "Write name[number], or name[2].",
            "an item is that of the date, [number], or has a number of its own");
    list = (script_value){.is_constant = true,
                          .is_list = p->is_list,
                          .n = (uint32_t)p->n,
                          .at = expression_items(c, parameter)};
    return list.at && expression_item(c, e, &list, value);
}

/* ---- Operators ---- */

static bool expression_wants(compiler *c, const script_expression *e, const script_value *value,
                             bool condition, const char *for_what)
{
    static const char *const types[] = {"number", "condition"};
    if (value->is_condition == condition || value->is_unknown) return true;
    return levy_script_refuse(
        c, &e->at, condition ? "Compare it: x > 0." : "Write: 1 if condition else 0.",
        "%s needs a %s, and this is a %s", for_what, types[condition], types[!condition]);
}

static bool expression_power(compiler *c, const script_expression *exponent,
                             const script_value *base, script_value *value)
{
    const uint32_t n = expression_count(exponent);
    *value = *base;
    if (exponent->kind == SCRIPT_LITERAL && exponent->at.value == 0.5)
        return levy_script_combine(c, LEVY_SCRIPT_ROOT, base, base, value);
    if (n == 0 || n > 16)
        return levy_script_refuse(c, &exponent->at, "Write exp(y * log(x)) for other powers.",
                                  "an exponent is a whole number from 1 to 16, or 0.5");
    for (uint32_t k = 1; k < n; ++k) {
        const script_value so_far = *value;
        if (!levy_script_combine(c, LEVY_SCRIPT_MULTIPLY, &so_far, base, value)) return false;
    }
    return true;
}

static bool expression_negated(compiler *c, const script_value *a, script_value *value)
{
    script_value zero = {0};
    if (!levy_script_constant(c, 0.0, &zero)) return false;
    return levy_script_combine(c, LEVY_SCRIPT_SUBTRACT, &zero, a, value);
}

/* A one-operand step on every component; an operation whose second operand counts for nothing. */
static bool expression_not(compiler *c, const script_value *a, script_value *value)
{
    if (!levy_script_combine(c, LEVY_SCRIPT_NOT, a, a, value)) return false;
    value->is_condition = true;
    return true;
}

static bool expression_unary(compiler *c, const script_expression *e, script_value *value)
{
    script_value a = {0};
    const bool logical = e->at.kind == SCRIPT_T_NOT;
    if (!levy_script_evaluate(c, e->first, &a) ||
        !expression_wants(c, e, &a, logical, logical ? "not" : "a sign"))
        return false;
    return logical ? expression_not(c, &a, value) : expression_negated(c, &a, value);
}

static bool expression_compared(compiler *c, script_token_kind kind, const script_value *a,
                                const script_value *b, script_value *value)
{
    const bool swapped = kind == SCRIPT_T_ABOVE || kind == SCRIPT_T_NOT_BELOW;
    const script_value *const less = swapped ? b : a;
    const script_value *const more = swapped ? a : b;
    levy_script_op op = LEVY_SCRIPT_NOT_ABOVE;
    script_value equal = {0};
    if (kind == SCRIPT_T_BELOW || kind == SCRIPT_T_ABOVE) op = LEVY_SCRIPT_LESS;
    if (kind == SCRIPT_T_EQUAL) op = LEVY_SCRIPT_EQUAL;
    if (kind == SCRIPT_T_UNEQUAL)
        return levy_script_combine(c, LEVY_SCRIPT_EQUAL, a, b, &equal) &&
               expression_not(c, &equal, value);
    if (!levy_script_combine(c, op, less, more, value)) return false;
    value->is_condition = true;
    return true;
}

static bool expression_logical(const script_expression *link)
{
    return link->at.kind == SCRIPT_T_AND || link->at.kind == SCRIPT_T_OR;
}

/* a op b, where `link` is op b. */
static bool expression_linked(compiler *c, const script_expression *link, const script_value *a,
                              script_value *value)
{
    static const struct {
        script_token_kind sign;
        levy_script_op op;
    } combines[] = {{SCRIPT_T_PLUS, LEVY_SCRIPT_ADD},       {SCRIPT_T_MINUS, LEVY_SCRIPT_SUBTRACT},
                    {SCRIPT_T_TIMES, LEVY_SCRIPT_MULTIPLY}, {SCRIPT_T_OVER, LEVY_SCRIPT_DIVIDE},
                    {SCRIPT_T_AND, LEVY_SCRIPT_AND},        {SCRIPT_T_OR, LEVY_SCRIPT_OR}};
    const bool logical = expression_logical(link);
    script_value b = {0};
    if (link->at.kind == SCRIPT_T_POWER) return expression_power(c, link->first, a, value);
    if (!levy_script_evaluate(c, link->first, &b) ||
        !expression_wants(c, link->first, &b, logical, expression_shown(c, &link->at)) ||
        !levy_script_match(c, &link->at, a, &b))
        return false;
    for (size_t i = 0; i < sizeof combines / sizeof *combines; ++i)
        if (combines[i].sign == link->at.kind)
            return levy_script_combine(c, combines[i].op, a, &b, value);
    return expression_compared(c, link->at.kind, a, &b, value);
}

static bool expression_chain(compiler *c, const script_expression *chain, script_value *value)
{
    const script_expression *left = chain->first;
    if (!levy_script_evaluate(c, left, value)) return false;
    for (const script_expression *link = left->next; link; left = link, link = link->next) {
        const script_value a = *value;
        if (!expression_wants(c, left, &a, expression_logical(link),
                              expression_shown(c, &link->at)) ||
            !expression_linked(c, link, &a, value))
            return false;
        value->is_condition = value->is_condition || expression_logical(link);
    }
    return true;
}

static bool expression_choice(compiler *c, const script_expression *e, script_value *value)
{
    script_value yes = {0}, no = {0}, when = {0};
    const script_expression *const condition = e->first->next;
    if (!levy_script_evaluate(c, e->first, &yes) || !levy_script_evaluate(c, condition, &when) ||
        !levy_script_evaluate(c, condition->next, &no) ||
        !expression_wants(c, condition, &when, true, "if") ||
        !expression_wants(c, condition->next, &no, yes.is_condition, "a choice between two") ||
        !levy_script_match(c, &e->at, &yes, &no) || !levy_script_match(c, &e->at, &yes, &when) ||
        !levy_script_match(c, &e->at, &no, &when))
        return false;
    *value = (script_value){.is_condition = yes.is_condition,
                            .is_list = yes.is_list || no.is_list || when.is_list};
    const uint32_t n = yes.n > no.n ? yes.n : no.n;
    if (!levy_script_value_room(c, value, n > when.n ? n : when.n)) return false;
    for (uint32_t k = 0; k < value->n; ++k) {
        const uint32_t x = levy_script_component(&when, k), y = levy_script_component(&yes, k),
                       z = levy_script_component(&no, k);
        value->at[k] = levy_emit_add(&c->e, LEVY_SCRIPT_SELECT, EMIT_NOWHERE, x, y, z);
    }
    return !levy_script_failed(c->fault);
}

bool levy_script_evaluate(compiler *c, const script_expression *e, script_value *value)
{
    switch ((int)e->kind) {
    case SCRIPT_LITERAL:
        return levy_script_constant(c, e->at.value, value);
    case SCRIPT_NAME:
        return expression_name(c, e, value);
    case SCRIPT_INDEX:
        return expression_index(c, e, value);
    case SCRIPT_CALL:
        return levy_script_call(c, e, value);
    case SCRIPT_UNARY:
        return expression_unary(c, e, value);
    case SCRIPT_CHAIN:
        return expression_chain(c, e, value);
    default:
        return expression_choice(c, e, value);
    }
}
