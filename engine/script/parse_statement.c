/* parse_statement.c: a statement as a tree, and the body that stands under a head: in braces, or as
 * another language has it. Must not know: schedules, variables, reports. */
#include "engine/script/parser.h"

#include "engine/script/foreign.h"

#include <string.h>

/* Takes an `else`, which may stand on a later line than the brace before it. */
static bool parse_else(parser *p, uint32_t column, bool *found, bool *is_if)
{
    static const char *const words[] = {"elif", "elseif", "elsif"};
    const script_scanner scanner = p->scanner;
    const script_token token = p->token;
    if (!levy_parse_lines(p)) return false;
    const bool outer = p->is_foreign && p->token.column < column;
    *found = p->token.kind == SCRIPT_T_ELSE && !outer;
    if (*found) return levy_parse_next(p);
    for (size_t k = 0; k < sizeof words / sizeof *words && !outer; ++k)
        if (p->token.kind == SCRIPT_T_NAME && levy_script_token_is(&p->token, words[k]))
            return *found = *is_if = true, levy_parse_note(p, &p->token, "Write else if.", NULL);
    p->scanner = scanner;
    p->token = token;
    return true;
}

bool levy_parse_ends(parser *p)
{
    if (p->token.kind == SCRIPT_T_LINE || p->token.kind == SCRIPT_T_CLOSE_BLOCK ||
        p->token.kind == SCRIPT_T_END || (p->lines > 0 && p->token.kind == SCRIPT_T_ELSE))
        return true;
    return levy_parse_fail(
        p,
        p->token.text && *p->token.text == '['
            ? "Name a list before one of it is taken: let all = ...; all[1]."
            : "Begin each statement on a line of its own, or separate them by ';'.",
        "the end of the statement");
}

static bool parse_otherwise(parser *p, uint32_t column, script_statement *s)
{
    if (!levy_parse_deeper(p) || !levy_parse_body(p, column, &s->otherwise)) return false;
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
        if (!levy_parse_deeper(p)) return false;
        s->value = levy_parse_expression(p);
        if (!s->value || !levy_parse_body(p, column, &s->body)) return false;
        if (!parse_else(p, column, &has_else, &is_if)) return false;
        --p->depth;
        if (!has_else) return true;
        if (p->token.kind != SCRIPT_T_IF && !is_if) return parse_otherwise(p, column, s);
        s->otherwise = levy_parse_room(p, sizeof *s);
        if (!s->otherwise) return false;
        s = s->otherwise;
        s->at = p->token;
        if (!levy_parse_next(p)) return false;
    }
}

static bool parse_pay(parser *p, script_statement *s)
{
    s->kind = SCRIPT_PAY;
    s->value = levy_parse_expression(p);
    if (!s->value || p->token.kind != SCRIPT_T_AT) return s->value != NULL;
    if (!levy_parse_next(p)) return false;
    s->at_expiry = p->token.kind == SCRIPT_T_NAME && levy_script_token_is(&p->token, "expiry");
    if (!s->at_expiry && levy_script_is_end(&p->token)) {
        s->at_expiry = true;
        if (!levy_parse_note(p, &p->token, "Write: at expiry.", NULL)) return false;
    }
    if (!s->at_expiry)
        return levy_parse_fail(p, "A payment is made at the date of its block, or at expiry.",
                               "'expiry'");
    return levy_parse_next(p);
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
        return levy_parse_fail(p, "A statement is an assignment, let, if, pay or stop.", "'='");
    if (!levy_parse_next(p) || !levy_parse_lines(p)) return false;
    s->value = levy_parse_expression(p);
    return s->value != NULL;
}

/* A value alone, which some languages return. */
static bool parse_bare(parser *p, script_statement *s)
{
    const script_token at = p->token;
    s->kind = SCRIPT_BARE;
    s->value = levy_parse_expression(p);
    if (!s->value) return false;
    levy_script_fail(p->fault, p->arena, &at, "Write: pay amount, or let name = value.",
                     "a value alone is no statement");
    return levy_script_note(p->fault, p->arena);
}

static bool parse_let(parser *p, script_statement *s)
{
    s->kind = SCRIPT_LET;
    s->at = p->token;
    if (!levy_parse_take(p, SCRIPT_T_NAME, "Write: let name = value.", "a name")) return false;
    if (p->token.kind != SCRIPT_T_SET) return levy_parse_fail(p, "Write: let name = value.", "'='");
    return parse_assignment(p, s);
}

/* A word that begins a statement elsewhere, and then as if it were levy's. */
static bool parse_foreign(parser *p, script_token_kind means, script_statement *s)
{
    const char *hint = "Write: let name = value.";
    if (means == SCRIPT_T_PAY) hint = "Write: pay amount.";
    if (means == SCRIPT_T_STOP) hint = "Write stop.";
    if (!levy_parse_note(p, &s->at, hint, NULL)) return false;
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
    if (!levy_parse_next(p)) return false;
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
        return levy_parse_next(p) && parse_let(p, s) && levy_parse_ends(p);
    case SCRIPT_T_IF:
        return levy_parse_next(p) && parse_if(p, s);
    case SCRIPT_T_PAY:
        return levy_parse_next(p) && parse_pay(p, s) && levy_parse_ends(p);
    case SCRIPT_T_STOP:
        s->kind = SCRIPT_STOP;
        return levy_parse_next(p) && levy_parse_ends(p);
    case SCRIPT_T_NAME:
        return parse_word(p, s) && levy_parse_ends(p);
    case SCRIPT_T_NUMBER:
    case SCRIPT_T_OPEN:
    case SCRIPT_T_MINUS:
        return parse_bare(p, s) && levy_parse_ends(p);
    default:
        return levy_parse_fail(p, "A statement is an assignment, let, if, pay or stop.",
                               "a statement");
    }
}

bool levy_parse_statement(parser *p, script_statement *s)
{
    const script_token from = p->token;
    const unsigned depth = p->depth, lines = p->lines;
    p->fault->unsure = p->fault->unsure || p->has_returned;
    if (parse_statement(p, s)) return true;
    *s = (script_statement){.kind = SCRIPT_BROKEN, .at = s->at};
    p->depth = depth;
    p->lines = lines;
    p->is_foreign = false;
    return levy_script_note(p->fault, p->arena) && levy_parse_skip(p, &from);
}

/* What stands behind `:` or `then`: the rest of the line, or the lines that begin further right
 * than their head does. */
static bool parse_indented(parser *p, uint32_t column, script_statement **body)
{
    if (!levy_parse_note(p, &p->token, "Statements stand in braces: { pay 1 }.", NULL) ||
        !levy_parse_next(p))
        return false;
    if (p->token.kind != SCRIPT_T_LINE) {
        *body = levy_parse_room(p, sizeof **body);
        ++p->lines;
        if (!*body || !levy_parse_statement(p, *body)) return false;
        --p->lines;
        return true;
    }
    for (;;) {
        if (!levy_parse_lines(p)) return false;
        if (p->token.column <= column || p->token.kind == SCRIPT_T_END ||
            p->token.kind == SCRIPT_T_CLOSE_BLOCK)
            break;
        *body = levy_parse_room(p, sizeof **body);
        if (!*body || !levy_parse_statement(p, *body)) return false;
        body = &(*body)->next;
    }
    return p->is_foreign = true;
}

bool levy_parse_body(parser *p, uint32_t column, script_statement **body)
{
    static const script_token then = {.text = "then", .length = 4};
    const bool has_then = p->token.kind == SCRIPT_T_NAME && p->token.length == then.length &&
                          memcmp(p->token.text, then.text, then.length) == 0;
    p->is_foreign = false;
    if (p->token.kind == SCRIPT_T_COLON || has_then) return parse_indented(p, column, body);
    if (!levy_parse_take(p, SCRIPT_T_OPEN_BLOCK, "Statements stand in braces: { pay 1 }.", "'{'"))
        return false;
    for (;;) {
        if (!levy_parse_lines(p)) return false;
        p->is_foreign = false;
        if (p->token.kind == SCRIPT_T_CLOSE_BLOCK) return levy_parse_next(p);
        if (p->token.kind == SCRIPT_T_END)
            return levy_parse_fail(p, "Close the braces of the block: }.", "a statement");
        *body = levy_parse_room(p, sizeof **body);
        if (!*body || !levy_parse_statement(p, *body)) return false;
        body = &(*body)->next;
    }
}
