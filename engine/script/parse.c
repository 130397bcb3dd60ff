/* parse.c: see parse.h. One token ahead, one function for each level of precedence. */
#include "engine/script/parse.h"

#include "engine/script/foreign.h"

#include <string.h>

/* Of nested expressions and conditions, so of what recursion follows. */
enum { PARSE_MOST_DEPTH = 100 };

typedef struct parser {
    script_scanner scanner;
    script_token token; /* the next one */
    script_token last;  /* the one before it */
    levy_arena *arena;
    levy_script_fault *fault;
    unsigned depth;
    unsigned lines;           /* bodies that end with their line, as in `if a: pay 1 else: pay 2` */
    script_statement **loose; /* where the first statement outside of blocks goes */
    bool is_foreign;   /* the last body stood not in braces: it ended where a statement begins */
    bool has_returned; /* what stands behind a return may not run */
} parser;

static bool parse_fail(parser *p, const char *hint, const char *what)
{
    if (p->token.kind == SCRIPT_T_STRANGE)
        return levy_script_fail(p->fault, p->arena, &p->token,
                                "A script has names, numbers, + - * / ^ and comparisons.",
                                "a character that has no meaning here");
    return levy_script_fail(p->fault, p->arena, &p->token, hint, "expected %s, but found %s", what,
                            levy_script_token_shown(&p->token, p->arena));
}

static bool parse_next(parser *p)
{
    p->last = p->token;
    return levy_script_scan(&p->scanner, &p->token);
}

static bool parse_take(parser *p, script_token_kind kind, const char *hint, const char *what)
{
    return p->token.kind == kind ? parse_next(p) : parse_fail(p, hint, what);
}

/* Notes a fault after which the reading goes on as if it were none. */
static bool parse_note(parser *p, const script_token *at, const char *hint, const char *what)
{
    levy_script_fail(p->fault, p->arena, at, hint, "%s is not of this language",
                     what ? what : levy_script_token_shown(at, p->arena));
    return levy_script_note(p->fault, p->arena);
}

/* Whether the next line goes on with what stood on this one: else. */
static bool parse_goes_on(const parser *p, size_t at)
{
    const script_scanner *const s = &p->scanner;
    while (at < s->length && strchr(" \t\r\n", s->text[at])) ++at;
    return at + 4 <= s->length &&
           (memcmp(s->text + at, "else", 4) == 0 || memcmp(s->text + at, "elif", 4) == 0);
}

/* Goes on behind a statement that has a fault: at the end of its line, its braces closed. */
static bool parse_skip(parser *p, const script_token *from)
{
    script_scanner *const s = &p->scanner;
    const size_t least = (size_t)(p->token.text - s->text);
    uint32_t depth = 0;
    s->at = (size_t)(from->text - s->text);
    s->line = from->line;
    s->column = from->column;
    s->depth = 0;
    for (; s->at < s->length; ++s->at, ++s->column) {
        const char c = s->text[s->at];
        const bool ends = depth == 0 && s->at >= least;
        if (c == '#')
            while (s->at + 1 < s->length && s->text[s->at + 1] != '\n') ++s->at;
        if ((c == '\n' || c == ';') && ends && !parse_goes_on(p, s->at)) break;
        if (c == '}' && depth == 0) break;
        depth += c == '{';
        depth -= c == '}';
        if (c != '\n') continue;
        ++s->line;
        s->column = 0;
    }
    return parse_next(p);
}

static bool parse_lines(parser *p)
{
    while (p->token.kind == SCRIPT_T_LINE)
        if (!parse_next(p)) return false;
    return true;
}

static void *parse_room(parser *p, size_t size)
{
    void *const room = levy_arena_allocate(p->arena, 1, size);
    if (!room) p->fault->out_of_memory = true;
    return room;
}

static bool parse_deeper(parser *p)
{
    if (++p->depth <= PARSE_MOST_DEPTH) return true;
    return levy_script_fail(p->fault, p->arena, &p->token,
                            "Give parts names with let, and write else if.",
                            "more than %d levels of parentheses and conditions", PARSE_MOST_DEPTH);
}

/* ---- Expressions ---- */

static script_expression *parse_expression(parser *p);

static script_expression *parse_new(parser *p, script_expression_kind kind, script_token at,
                                    script_expression *first)
{
    script_expression *const e = parse_room(p, sizeof *e);
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
        *last = parse_expression(p);
        if (!*last) return false;
        last = &(*last)->next;
        if (p->token.kind != SCRIPT_T_COMMA) break;
        if (parse_is_twofold(p)) twofold = p->last;
        if (!parse_next(p)) return false;
    }
    if (twofold.text && e->first->next->next) {
        p->fault->unsure = true;
        levy_script_fail(p->fault, p->arena, &twofold,
                         "Write 1000 or 95.5 for one number, and a blank after a comma between two "
                         "values: 1, 0.",
                         "a comma between digits");
        if (!levy_script_note(p->fault, p->arena)) return false;
    }
    return parse_take(p, close, NULL, what);
}

static script_expression *parse_named(parser *p)
{
    script_expression *const e = parse_new(p, SCRIPT_NAME, p->token, NULL);
    if (!e || !parse_next(p)) return NULL;
    if (p->token.kind == SCRIPT_T_OPEN) {
        e->kind = SCRIPT_CALL;
        return parse_next(p) && parse_arguments(p, e, SCRIPT_T_CLOSE, "',' or ')'") ? e : NULL;
    }
    if (p->token.kind != SCRIPT_T_OPEN_LIST) return e;
    e->kind = SCRIPT_INDEX;
    if (!parse_next(p)) return NULL;
    e->first = parse_expression(p);
    return e->first && parse_take(p, SCRIPT_T_CLOSE_LIST, NULL, "']'") ? e : NULL;
}

static script_expression *parse_primary(parser *p)
{
    script_expression *e = NULL;
    if (p->token.kind == SCRIPT_T_NAME) return parse_named(p);
    if (p->token.kind == SCRIPT_T_NUMBER) {
        e = parse_new(p, SCRIPT_LITERAL, p->token, NULL);
        return e && parse_next(p) ? e : NULL;
    }
    if (p->token.kind != SCRIPT_T_OPEN) {
        parse_fail(p, "Write a number, a name, or an expression in parentheses.", "a value");
        return NULL;
    }
    if (!parse_next(p)) return NULL;
    e = parse_expression(p);
    return e && parse_take(p, SCRIPT_T_CLOSE, NULL, "')'") ? e : NULL;
}

/* The operator that comes next and what follows it. goes_on: it may end a line. */
static script_expression *parse_link(parser *p, bool goes_on, script_expression *(*below)(parser *))
{
    script_expression *const link = parse_new(p, SCRIPT_LINK, p->token, NULL);
    if (!link || !parse_next(p) || (goes_on && !parse_lines(p))) return NULL;
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
    if (!e || !parse_deeper(p) || !parse_next(p)) return NULL;
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
    if (!e || !parse_deeper(p) || !parse_next(p)) return NULL;
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
    if (!e || !parse_note(p, &p->token, "Write: a if condition else b.", "condition ? a : b") ||
        !parse_next(p))
        return NULL;
    e->first = parse_expression(p);
    if (!e->first || !parse_take(p, SCRIPT_T_COLON, "Write: a if condition else b.", "':'"))
        return NULL;
    e->first->next = condition;
    condition->next = parse_expression(p);
    return condition->next ? e : NULL;
}

static script_expression *parse_expression(parser *p)
{
    if (!parse_deeper(p)) return NULL;
    script_expression *value = parse_or(p);
    if (value && p->token.kind == SCRIPT_T_ASK) value = parse_asked(p, value);
    if (value && p->token.kind == SCRIPT_T_IF) {
        script_expression *const e = parse_new(p, SCRIPT_CHOICE, p->token, value);
        if (!e || !parse_next(p)) return NULL;
        value->next = parse_or(p);
        if (!value->next ||
            !parse_take(p, SCRIPT_T_ELSE, "Write: a if condition else b.", "'else'"))
            return NULL;
        value->next->next = parse_expression(p);
        --p->depth;
        return value->next->next ? e : NULL;
    }
    --p->depth;
    return value;
}

/* ---- Statements ---- */

/* Takes an `else`, which may stand on a later line than the brace before it. */
static bool parse_else(parser *p, uint32_t column, bool *found, bool *is_if)
{
    static const char *const words[] = {"elif", "elseif", "elsif"};
    const script_scanner scanner = p->scanner;
    const script_token token = p->token;
    if (!parse_lines(p)) return false;
    const bool outer = p->is_foreign && p->token.column < column;
    *found = p->token.kind == SCRIPT_T_ELSE && !outer;
    if (*found) return parse_next(p);
    for (size_t k = 0; k < sizeof words / sizeof *words && !outer; ++k)
        if (p->token.kind == SCRIPT_T_NAME && levy_script_token_is(&p->token, words[k]))
            return *found = *is_if = true, parse_note(p, &p->token, "Write else if.", NULL);
    p->scanner = scanner;
    p->token = token;
    return true;
}

static bool parse_body(parser *p, uint32_t column, script_statement **body);

static bool parse_ends(parser *p)
{
    if (p->token.kind == SCRIPT_T_LINE || p->token.kind == SCRIPT_T_CLOSE_BLOCK ||
        p->token.kind == SCRIPT_T_END || (p->lines > 0 && p->token.kind == SCRIPT_T_ELSE))
        return true;
    return parse_fail(p,
                      p->token.text && *p->token.text == '['
                          ? "Name a list before one of it is taken: let all = ...; all[1]."
                          : "Begin each statement on a line of its own, or separate them by ';'.",
                      "the end of the statement");
}

static bool parse_otherwise(parser *p, uint32_t column, script_statement *s)
{
    if (!parse_deeper(p) || !parse_body(p, column, &s->otherwise)) return false;
    --p->depth;
    return true;
}

/* With its else if: a statement that is what the one before it does otherwise. */
static bool parse_if(parser *p, script_statement *s)
{
    const uint32_t column = s->at.column;
    for (;;) {
        bool has_else = false, is_if = false;
        s->kind = SCRIPT_IF;
        if (!parse_deeper(p)) return false;
        s->value = parse_expression(p);
        if (!s->value || !parse_body(p, column, &s->body)) return false;
        if (!parse_else(p, column, &has_else, &is_if)) return false;
        --p->depth;
        if (!has_else) return true;
        if (p->token.kind != SCRIPT_T_IF && !is_if) return parse_otherwise(p, column, s);
        s->otherwise = parse_room(p, sizeof *s);
        if (!s->otherwise) return false;
        s = s->otherwise;
        s->at = p->token;
        if (!parse_next(p)) return false;
    }
}

static bool parse_pay(parser *p, script_statement *s)
{
    s->kind = SCRIPT_PAY;
    s->value = parse_expression(p);
    if (!s->value || p->token.kind != SCRIPT_T_AT) return s->value != NULL;
    if (!parse_next(p)) return false;
    s->at_expiry = p->token.kind == SCRIPT_T_NAME && levy_script_token_is(&p->token, "expiry");
    if (!s->at_expiry && levy_script_is_end(&p->token)) {
        s->at_expiry = true;
        if (!parse_note(p, &p->token, "Write: at expiry.", NULL)) return false;
    }
    if (!s->at_expiry)
        return parse_fail(p, "A payment is made at the date of its block, or at expiry.",
                          "'expiry'");
    return parse_next(p);
}

static bool parse_assignment(parser *p, script_statement *s)
{
    static const script_token_kind signs[][2] = {
        {SCRIPT_T_SET, SCRIPT_T_SET},
        {SCRIPT_T_ADD_TO, SCRIPT_T_PLUS},
        {SCRIPT_T_TAKE_FROM, SCRIPT_T_MINUS},
        {SCRIPT_T_TIMES_BY, SCRIPT_T_TIMES},
    };
    for (size_t k = 0; k < sizeof signs / sizeof *signs; ++k)
        if (p->token.kind == signs[k][0]) s->op = signs[k][1];
    if (s->op == SCRIPT_T_END)
        return parse_fail(p, "A statement is an assignment, let, if, pay or stop.", "'='");
    if (!parse_next(p) || !parse_lines(p)) return false;
    s->value = parse_expression(p);
    return s->value != NULL;
}

/* A value alone, which some languages return. */
static bool parse_bare(parser *p, script_statement *s)
{
    const script_token at = p->token;
    s->kind = SCRIPT_BARE;
    s->value = parse_expression(p);
    if (!s->value) return false;
    levy_script_fail(p->fault, p->arena, &at, "Write: pay amount, or let name = value.",
                     "a value alone is no statement");
    return levy_script_note(p->fault, p->arena);
}

static bool parse_let(parser *p, script_statement *s)
{
    s->kind = SCRIPT_LET;
    s->at = p->token;
    if (!parse_take(p, SCRIPT_T_NAME, "Write: let name = value.", "a name")) return false;
    if (p->token.kind != SCRIPT_T_SET) return parse_fail(p, "Write: let name = value.", "'='");
    return parse_assignment(p, s);
}

/* A word that begins a statement elsewhere, and then as if it were levy's. */
static bool parse_foreign(parser *p, script_token_kind means, script_statement *s)
{
    const char *hint = "Write: let name = value.";
    if (means == SCRIPT_T_PAY) hint = "Write: pay amount.";
    if (means == SCRIPT_T_STOP) hint = "Write stop.";
    if (!parse_note(p, &s->at, hint, NULL)) return false;
    if (means == SCRIPT_T_LET) return parse_let(p, s);
    if (means == SCRIPT_T_PAY) return p->has_returned = true, parse_pay(p, s);
    p->fault->unsure = true; /* or the end of a loop */
    s->kind = SCRIPT_STOP;
    return true;
}

/* A name, which begins an assignment; or a value; or another language's statement. */
static bool parse_word(parser *p, script_statement *s)
{
    const script_scanner scanner = p->scanner;
    const script_token_kind means = levy_script_foreign_statement(&p->token);
    if (!parse_next(p)) return false;
    const script_token_kind next = p->token.kind;
    s->kind = SCRIPT_ASSIGN;
    if (next == SCRIPT_T_SET || next == SCRIPT_T_ADD_TO || next == SCRIPT_T_TAKE_FROM ||
        next == SCRIPT_T_TIMES_BY)
        return parse_assignment(p, s);
    if (means != SCRIPT_T_END) return parse_foreign(p, means, s);
    if (next == SCRIPT_T_NUMBER || next == SCRIPT_T_NAME || next == SCRIPT_T_STRANGE)
        return parse_assignment(p, s);
    p->scanner = scanner;
    p->token = s->at;
    return parse_bare(p, s);
}

static bool parse_statement(parser *p, script_statement *s)
{
    s->at = p->token;
    switch ((int)p->token.kind) {
    case SCRIPT_T_LET:
        return parse_next(p) && parse_let(p, s) && parse_ends(p);
    case SCRIPT_T_IF:
        return parse_next(p) && parse_if(p, s);
    case SCRIPT_T_PAY:
        return parse_next(p) && parse_pay(p, s) && parse_ends(p);
    case SCRIPT_T_STOP:
        s->kind = SCRIPT_STOP;
        return parse_next(p) && parse_ends(p);
    case SCRIPT_T_NAME:
        return parse_word(p, s) && parse_ends(p);
    case SCRIPT_T_NUMBER:
    case SCRIPT_T_OPEN:
    case SCRIPT_T_MINUS:
        return parse_bare(p, s) && parse_ends(p);
    default:
        return parse_fail(p, "A statement is an assignment, let, if, pay or stop.", "a statement");
    }
}

/* A statement, or one that has a fault, behind which the reading goes on. */
static bool parse_mending(parser *p, script_statement *s)
{
    const script_token from = p->token;
    const unsigned depth = p->depth, lines = p->lines;
    p->fault->unsure = p->fault->unsure || p->has_returned;
    if (parse_statement(p, s)) return true;
    *s = (script_statement){.kind = SCRIPT_BROKEN, .at = s->at};
    p->depth = depth;
    p->lines = lines;
    p->is_foreign = false;
    return levy_script_note(p->fault, p->arena) && parse_skip(p, &from);
}

/* What stands behind `:` or `then`: the rest of the line, or the lines that begin further right
 * than their head does. */
static bool parse_indented(parser *p, uint32_t column, script_statement **body)
{
    if (!parse_note(p, &p->token, "Statements stand in braces: { pay 1 }.", NULL) || !parse_next(p))
        return false;
    if (p->token.kind != SCRIPT_T_LINE) {
        *body = parse_room(p, sizeof **body);
        ++p->lines;
        if (!*body || !parse_mending(p, *body)) return false;
        --p->lines;
        return true;
    }
    for (;;) {
        if (!parse_lines(p)) return false;
        if (p->token.column <= column || p->token.kind == SCRIPT_T_END ||
            p->token.kind == SCRIPT_T_CLOSE_BLOCK)
            break;
        *body = parse_room(p, sizeof **body);
        if (!*body || !parse_mending(p, *body)) return false;
        body = &(*body)->next;
    }
    return p->is_foreign = true;
}

static bool parse_body(parser *p, uint32_t column, script_statement **body)
{
    static const script_token then = {.text = "then", .length = 4};
    const bool has_then = p->token.kind == SCRIPT_T_NAME && p->token.length == then.length &&
                          memcmp(p->token.text, then.text, then.length) == 0;
    p->is_foreign = false;
    if (p->token.kind == SCRIPT_T_COLON || has_then) return parse_indented(p, column, body);
    if (!parse_take(p, SCRIPT_T_OPEN_BLOCK, "Statements stand in braces: { pay 1 }.", "'{'"))
        return false;
    for (;;) {
        if (!parse_lines(p)) return false;
        p->is_foreign = false;
        if (p->token.kind == SCRIPT_T_CLOSE_BLOCK) return parse_next(p);
        if (p->token.kind == SCRIPT_T_END)
            return parse_fail(p, "Close the braces of the block: }.", "a statement");
        *body = parse_room(p, sizeof **body);
        if (!*body || !parse_mending(p, *body)) return false;
        body = &(*body)->next;
    }
}

/* ---- The whole ---- */

static bool parse_variable(parser *p, script_variable *v)
{
    v->at = p->token;
    if (!parse_take(p, SCRIPT_T_NAME, "Write: var name = value.", "a name")) return false;
    if (p->token.kind == SCRIPT_T_OPEN_LIST) {
        v->is_list = true;
        if (!parse_next(p) || !parse_take(p, SCRIPT_T_CLOSE_LIST,
                                          "Write: var name[] = value, for one an asset.", "']'"))
            return false;
    }
    if (!parse_take(p, SCRIPT_T_SET, "Write: var name = value.", "'='")) return false;
    v->start = parse_expression(p);
    return v->start && parse_ends(p);
}

/* The same statements at several schedules are a block for each. */
static bool parse_block(parser *p, uint32_t column, const script_token *loop, script_block ***last)
{
    script_block *first = NULL;
    for (;;) {
        script_block *const b = parse_room(p, sizeof *b);
        if (!b) return false;
        b->at = p->token;
        if (loop) b->loop = *loop;
        if (!parse_take(p, SCRIPT_T_NAME, "Write: at expiry { ... }, or the name of a schedule.",
                        "the name of a schedule"))
            return false;
        if (!first) first = b;
        **last = b;
        *last = &b->next;
        if (p->token.kind != SCRIPT_T_COMMA) break;
        if (!parse_next(p)) return false;
    }
    script_statement *body = NULL;
    if (!parse_body(p, column, &body)) return false;
    for (; first; first = first->next) first->body = body;
    return p->is_foreign || parse_ends(p);
}

/* for t in dates: as at dates. False: it is none. */
static bool parse_is_loop(parser *p, script_token *loop)
{
    parser ahead = *p;
    const bool each =
        levy_script_token_is(&p->token, "for") || levy_script_token_is(&p->token, "foreach");
    if (p->token.kind != SCRIPT_T_NAME || !parse_next(&ahead)) return false;
    if (levy_script_token_is(&p->token, "on")) {
        if (ahead.token.kind != SCRIPT_T_NAME) return false;
        *loop = p->token;
        *p = ahead;
        return true;
    }
    if (each && levy_script_token_is(&ahead.token, "each") && !parse_next(&ahead)) return false;
    *loop = ahead.token;
    if (!each || ahead.token.kind != SCRIPT_T_NAME || !parse_next(&ahead)) return false;
    if (!levy_script_token_is(&ahead.token, "in") || !parse_next(&ahead)) return false;
    if (ahead.token.kind != SCRIPT_T_NAME) return false;
    *p = ahead;
    return true;
}

static bool parse_report(parser *p, script_wanted *r)
{
    r->at = p->token;
    return parse_take(p, SCRIPT_T_NAME, "Write: report name, of a var.", "the name of a var") &&
           parse_ends(p);
}

/* A statement outside of blocks. The first one says so for all. */
static bool parse_loose(parser *p, script_statement ***loose)
{
    if (*loose == p->loose) {
        parse_fail(p,
                   "A script has var lines, report lines, and at blocks: var strike = 100, and "
                   "at expiry { pay 1 }.",
                   "'var', 'report' or 'at'");
        if (!levy_script_note(p->fault, p->arena)) return false;
    }
    if (p->token.kind == SCRIPT_T_CLOSE_BLOCK || p->token.kind == SCRIPT_T_ELSE)
        return p->fault->unsure = true, parse_next(p);
    **loose = parse_room(p, sizeof ***loose);
    if (!**loose || !parse_mending(p, **loose)) return false;
    *loose = &(**loose)->next;
    return true;
}

static bool parse_part(parser *p, script_variable ***variables, script_block ***blocks,
                       script_wanted ***reports, script_statement ***loose)
{
    const script_token_kind kind = p->token.kind;
    const script_token head = p->token;
    script_token loop;
    if (parse_is_loop(p, &loop))
        return parse_note(p, &head, "There are no loops. Write: at dates { ... }, of a schedule.",
                          NULL) &&
               parse_block(p, head.column, &loop, blocks);
    if (kind != SCRIPT_T_VAR && kind != SCRIPT_T_AT && kind != SCRIPT_T_REPORT)
        return parse_loose(p, loose);
    if (!parse_next(p)) return false;
    if (kind == SCRIPT_T_AT) return parse_block(p, head.column, NULL, blocks);
    if (kind == SCRIPT_T_VAR) {
        script_variable *const v = parse_room(p, sizeof *v);
        **variables = v;
        if (v) *variables = &v->next;
        return v && parse_variable(p, v);
    }
    script_wanted *const r = parse_room(p, sizeof *r);
    **reports = r;
    if (r) *reports = &r->next;
    return r && parse_report(p, r);
}

bool levy_script_parse(const char *text, size_t length, levy_arena *arena, script_tree *tree,
                       levy_script_fault *fault)
{
    parser p = {.scanner = {.text = text,
                            .length = length,
                            .line = 1,
                            .column = 1,
                            .arena = arena,
                            .fault = fault},
                .arena = arena,
                .fault = fault};
    script_variable **variables = &tree->variables;
    script_block **blocks = &tree->blocks;
    script_wanted **reports = &tree->reports;
    script_statement **loose = &tree->loose;
    p.loose = loose;
    *tree = (script_tree){0};
    if (!parse_next(&p)) return false;
    for (;;) {
        if (!parse_lines(&p)) return false;
        if (p.token.kind == SCRIPT_T_END) return true;
        const script_token from = p.token;
        p.depth = p.lines = 0;
        if (parse_part(&p, &variables, &blocks, &reports, &loose)) continue;
        if (!fault->message || !levy_script_note(fault, arena)) return false;
        fault->unsure = true; /* a part is lost */
        if (!parse_skip(&p, &from)) return false;
    }
}
