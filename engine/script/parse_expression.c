/* parse_expression.c: a value or a condition as a tree, by one function for each level of
 * precedence. Must not know: statements, blocks. */
#include "engine/script/parser.h"

static script_expression *parse_new(parser *p, script_expression_kind kind, script_token at,
                                    script_expression *first)
{
    script_expression *const e = levy_parse_room(p, sizeof *e);
    if (e) *e = (script_expression){.kind = kind, .at = at, .first = first};
    return e;
}

/* Whether the next token is a comma between digits: 1,000 or 95,5. */
static bool parse_is_twofold(const parser *p)
{
    const script_scanner *const s = &p->scanner;
    const char *const end = p->last.text + p->last.length;
    return p->last.kind == SCRIPT_T_NUMBER && end == p->token.text && end[-1] != '%' &&
           s->at < s->length && s->text[s->at] >= '0' && s->text[s->at] <= '9';
}

/* Arguments up to the closing sign, of which there is at least one. Of three, two may be one
 * number; of two they may not: max has two at least. */
static bool parse_arguments(parser *p, script_expression *e, script_token_kind close,
                            const char *what)
{
    script_expression **last = &e->first;
    script_token twofold = {0};
    for (;;) {
        *last = levy_parse_expression(p);
        if (!*last) return false;
        last = &(*last)->next;
        if (p->token.kind != SCRIPT_T_COMMA) break;
        if (parse_is_twofold(p)) twofold = p->last;
        if (!levy_parse_next(p)) return false;
    }
    if (twofold.text && e->first->next->next) {
        p->fault->unsure = true;
        levy_script_fail(p->fault, p->arena, &twofold,
                         "Write 1000 or 95.5 for one number, and a blank after a comma between two "
                         "values: 1, 0.",
                         "a comma between digits");
        if (!levy_script_note(p->fault, p->arena)) return false;
    }
    return levy_parse_take(p, close, NULL, what);
}

static script_expression *parse_named(parser *p)
{
    script_expression *const e = parse_new(p, SCRIPT_NAME, p->token, NULL);
    if (!e || !levy_parse_next(p)) return NULL;
    if (p->token.kind == SCRIPT_T_OPEN) {
        e->kind = SCRIPT_CALL;
        return levy_parse_next(p) && parse_arguments(p, e, SCRIPT_T_CLOSE, "',' or ')'") ? e : NULL;
    }
    if (p->token.kind != SCRIPT_T_OPEN_LIST) return e;
    e->kind = SCRIPT_INDEX;
    if (!levy_parse_next(p)) return NULL;
    e->first = levy_parse_expression(p);
    return e->first && levy_parse_take(p, SCRIPT_T_CLOSE_LIST, NULL, "']'") ? e : NULL;
}

static script_expression *parse_primary(parser *p)
{
    script_expression *e = NULL;
    if (p->token.kind == SCRIPT_T_NAME) return parse_named(p);
    if (p->token.kind == SCRIPT_T_NUMBER) {
        e = parse_new(p, SCRIPT_LITERAL, p->token, NULL);
        return e && levy_parse_next(p) ? e : NULL;
    }
    if (p->token.kind != SCRIPT_T_OPEN) {
        levy_parse_fail(p, "Write a number, a name, or an expression in parentheses.", "a value");
        return NULL;
    }
    if (!levy_parse_next(p)) return NULL;
    e = levy_parse_expression(p);
    return e && levy_parse_take(p, SCRIPT_T_CLOSE, NULL, "')'") ? e : NULL;
}

/* The operator that comes next and what follows it. goes_on: it may end a line. */
static script_expression *parse_link(parser *p, bool goes_on, script_expression *(*below)(parser *))
{
    script_expression *const link = parse_new(p, SCRIPT_LINK, p->token, NULL);
    if (!link || !levy_parse_next(p) || (goes_on && !levy_parse_lines(p))) return NULL;
    link->first = below(p);
    return link->first ? link : NULL;
}

static script_expression *parse_power(parser *p)
{
    script_expression *const base = parse_primary(p);
    if (!base || p->token.kind != SCRIPT_T_POWER) return base;
    script_expression *const e = parse_new(p, SCRIPT_CHAIN, p->token, base);
    if (!e) return NULL;
    base->next = parse_link(p, false, parse_primary);
    return base->next ? e : NULL;
}

static script_expression *parse_unary(parser *p)
{
    const bool bang = p->token.kind == SCRIPT_T_NOT && *p->token.text == '!';
    if (p->token.kind != SCRIPT_T_MINUS && !bang) return parse_power(p);
    script_expression *const e = parse_new(p, SCRIPT_UNARY, p->token, NULL);
    if (!e || !levy_parse_deeper(p) || !levy_parse_next(p)) return NULL;
    e->first = parse_unary(p);
    --p->depth;
    return e->first ? e : NULL;
}

/* The signs of a level of precedence. An operator may end a line: the next one goes on. */
static script_expression *parse_chain(parser *p, script_token_kind a, script_token_kind b,
                                      script_expression *(*below)(parser *))
{
    script_expression *const first = below(p), *chain = NULL, *last = first;
    while (last && (p->token.kind == a || p->token.kind == b)) {
        if (!chain) chain = parse_new(p, SCRIPT_CHAIN, p->token, first);
        if (!chain) return NULL;
        chain->at = p->token;
        last = last->next = parse_link(p, true, below);
    }
    return last && chain ? chain : last;
}

static script_expression *parse_product(parser *p)
{
    return parse_chain(p, SCRIPT_T_TIMES, SCRIPT_T_OVER, parse_unary);
}

static script_expression *parse_sum(parser *p)
{
    return parse_chain(p, SCRIPT_T_PLUS, SCRIPT_T_MINUS, parse_product);
}

static bool parse_compares(script_token_kind kind)
{
    return kind == SCRIPT_T_BELOW || kind == SCRIPT_T_ABOVE || kind == SCRIPT_T_NOT_ABOVE ||
           kind == SCRIPT_T_NOT_BELOW || kind == SCRIPT_T_EQUAL || kind == SCRIPT_T_UNEQUAL;
}

static script_expression *parse_comparison(parser *p)
{
    script_expression *const left = parse_sum(p);
    if (!left || !parse_compares(p->token.kind)) return left;
    script_expression *const e = parse_new(p, SCRIPT_CHAIN, p->token, left);
    if (!e) return NULL;
    left->next = parse_link(p, true, parse_sum);
    if (!left->next) return NULL;
    if (!parse_compares(p->token.kind)) return e;
    levy_script_fail(p->fault, p->arena, &p->token, "Write a < x and x < b.",
                     "two comparisons in a row");
    return NULL;
}

static script_expression *parse_not(parser *p)
{
    if (p->token.kind != SCRIPT_T_NOT || *p->token.text == '!') return parse_comparison(p);
    script_expression *const e = parse_new(p, SCRIPT_UNARY, p->token, NULL);
    if (!e || !levy_parse_deeper(p) || !levy_parse_next(p)) return NULL;
    e->first = parse_not(p);
    --p->depth;
    return e->first ? e : NULL;
}

static script_expression *parse_and(parser *p)
{
    return parse_chain(p, SCRIPT_T_AND, SCRIPT_T_AND, parse_not);
}

static script_expression *parse_or(parser *p)
{
    return parse_chain(p, SCRIPT_T_OR, SCRIPT_T_OR, parse_and);
}

/* condition ? a : b as a if condition else b. */
static script_expression *parse_asked(parser *p, script_expression *condition)
{
    script_expression *const e = parse_new(p, SCRIPT_CHOICE, p->token, NULL);
    if (!e ||
        !levy_parse_note(p, &p->token, "Write: a if condition else b.", "condition ? a : b") ||
        !levy_parse_next(p))
        return NULL;
    e->first = levy_parse_expression(p);
    if (!e->first || !levy_parse_take(p, SCRIPT_T_COLON, "Write: a if condition else b.", "':'"))
        return NULL;
    e->first->next = condition;
    condition->next = levy_parse_expression(p);
    return condition->next ? e : NULL;
}

script_expression *levy_parse_expression(parser *p)
{
    if (!levy_parse_deeper(p)) return NULL;
    script_expression *value = parse_or(p);
    if (value && p->token.kind == SCRIPT_T_ASK) value = parse_asked(p, value);
    if (value && p->token.kind == SCRIPT_T_IF) {
        script_expression *const e = parse_new(p, SCRIPT_CHOICE, p->token, value);
        if (!e || !levy_parse_next(p)) return NULL;
        value->next = parse_or(p);
        if (!value->next ||
            !levy_parse_take(p, SCRIPT_T_ELSE, "Write: a if condition else b.", "'else'"))
            return NULL;
        value->next->next = levy_parse_expression(p);
        --p->depth;
        return value->next->next ? e : NULL;
    }
    --p->depth;
    return value;
}
