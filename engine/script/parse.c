/* parse.c: see parse.h. The parts of a script: var and report lines, blocks, and what stands
 * outside of them. Must not know: what a statement or an expression is made of. */
#include "engine/script/foreign.h"
#include "engine/script/parser.h"

static bool parse_variable(parser *p, script_variable *v)
{
    v->at = p->token;
    if (!levy_parse_take(p, SCRIPT_T_NAME, "Write: var name = value.", "a name")) return false;
    if (p->token.kind == SCRIPT_T_OPEN_LIST) {
        v->is_list = true;
        if (!levy_parse_next(p) ||
            !levy_parse_take(p, SCRIPT_T_CLOSE_LIST, "Write: var name[] = value, for one an asset.",
                             "']'"))
            return false;
    }
    if (!levy_parse_take(p, SCRIPT_T_SET, "Write: var name = value.", "'='")) return false;
    v->start = levy_parse_expression(p);
    return v->start && levy_parse_ends(p);
}

/* The same statements at several schedules are a block for each. */
static bool parse_block(parser *p, uint32_t column, const script_token *loop, script_block ***last)
{
    script_block *first = NULL;
    for (;;) {
        script_block *const b = levy_parse_room(p, sizeof *b);
        if (!b) return false;
        b->at = p->token;
        if (loop) b->loop = *loop;
        if (!levy_parse_take(p, SCRIPT_T_NAME,
                             "Write: at expiry { ... }, or the name of a schedule.",
                             "the name of a schedule"))
            return false;
        if (!first) first = b;
        **last = b;
        *last = &b->next;
        if (p->token.kind != SCRIPT_T_COMMA) break;
        if (!levy_parse_next(p)) return false;
    }
    script_statement *body = NULL;
    if (!levy_parse_body(p, column, &body)) return false;
    for (; first; first = first->next) first->body = body;
    return p->is_foreign || levy_parse_ends(p);
}

/* for t in dates: as at dates. False: it is none. */
static bool parse_is_loop(parser *p, script_token *loop)
{
    parser ahead = *p;
    const bool each =
        levy_script_token_is(&p->token, "for") || levy_script_token_is(&p->token, "foreach");
    if (p->token.kind != SCRIPT_T_NAME || !levy_parse_next(&ahead)) return false;
    if (levy_script_token_is(&p->token, "on")) {
        if (ahead.token.kind != SCRIPT_T_NAME) return false;
        *loop = p->token;
        *p = ahead;
        return true;
    }
    if (each && levy_script_token_is(&ahead.token, "each") && !levy_parse_next(&ahead))
        return false;
    *loop = ahead.token;
    if (!each || ahead.token.kind != SCRIPT_T_NAME || !levy_parse_next(&ahead)) return false;
    if (!levy_script_token_is(&ahead.token, "in") || !levy_parse_next(&ahead)) return false;
    if (ahead.token.kind != SCRIPT_T_NAME) return false;
    *p = ahead;
    return true;
}

/* may NAME. False: it is none. */
static bool parse_is_right(const parser *p)
{
    parser ahead = *p;
    return p->token.kind == SCRIPT_T_NAME && levy_script_token_is(&p->token, "may") &&
           levy_parse_next(&ahead) && ahead.token.kind == SCRIPT_T_NAME;
}

/* The hint of a line that says in other words what a party may or must do; NULL: it does not. */
static const char *parse_other_right(const parser *p)
{
    static const script_token may = {.text = "may", .length = 3};
    parser ahead = *p;
    const char *hint = NULL;
    bool names = true;
    while (ahead.token.kind != SCRIPT_T_OPEN_BLOCK && ahead.token.kind != SCRIPT_T_LINE &&
           ahead.token.kind != SCRIPT_T_END) {
        const script_token at = ahead.token;
        if (!levy_parse_next(&ahead)) return NULL;
        names = names && at.kind == SCRIPT_T_NAME && ahead.token.kind == SCRIPT_T_NAME;
        if (names && !hint) hint = levy_script_foreign_right(&at);
        const bool party = levy_script_token_is(&ahead.token, "issuer") ||
                           levy_script_token_is(&ahead.token, "holder");
        if (party && levy_script_token_is(&at, "by"))
            return hint ? hint : levy_script_foreign_right(&may);
    }
    return hint;
}

static bool parse_exactly(parser *p, const char *word, const char *hint)
{
    if (p->token.kind != SCRIPT_T_NAME || !levy_script_token_is(&p->token, word))
        return levy_parse_fail(p, hint, levy_arena_format(p->arena, "'%s'", word));
    return levy_parse_next(p);
}

/* What a decision sees may not end with a condition, which would choose what is seen. */
static bool parse_sees_no_condition(parser *p)
{
    parser ahead = *p, at = *p;
    size_t open = 0;
    while (ahead.token.kind != SCRIPT_T_OPEN_BLOCK && ahead.token.kind != SCRIPT_T_LINE &&
           ahead.token.kind != SCRIPT_T_END) {
        if (ahead.token.kind == SCRIPT_T_IF) at = ahead;
        open += ahead.token.kind == SCRIPT_T_IF;
        open -= ahead.token.kind == SCRIPT_T_ELSE && open > 0;
        if (!levy_parse_next(&ahead)) break;
    }
    if (open == 0) return true;
    *p = at;
    return levy_parse_fail(p,
                           "Write the condition first: may call at dates by issuer if level > 1 "
                           "seeing level { ... }.",
                           "'{' behind what is seen");
}

/* by holder, or by issuer, and what the decision sees. */
static bool parse_party(parser *p, script_right *right, script_expression **condition)
{
    static const char hint[] = "Write: may call at dates by issuer { pay 1; stop }, or by holder.";
    if (!parse_exactly(p, "by", hint)) return false;
    right->issuer = levy_script_token_is(&p->token, "issuer");
    if (!parse_exactly(p, right->issuer ? "issuer" : "holder", hint)) return false;
    if (p->token.kind == SCRIPT_T_IF &&
        !(levy_parse_next(p) && (*condition = levy_parse_expression(p))))
        return false;
    if (p->token.kind != SCRIPT_T_NAME || !levy_script_token_is(&p->token, "seeing")) return true;
    if (!parse_sees_no_condition(p)) return false;
    for (script_expression **last = &right->seen;; last = &(*last)->next) {
        if (!levy_parse_next(p) || !(*last = levy_parse_expression(p))) return false;
        if (p->token.kind != SCRIPT_T_COMMA) return true;
    }
}

/* A block of one statement, or of one under a condition. */
static bool parse_right(parser *p, uint32_t column, script_right ***rights, script_block ***last)
{
    script_right *const right = levy_parse_room(p, sizeof *right);
    script_block *const block = levy_parse_room(p, sizeof *block);
    script_statement *const s = levy_parse_room(p, sizeof *s), *const under = levy_parse_room(
                                                                   p, sizeof *under);
    script_expression *condition = NULL;
    if (!right || !block || !s || !under || !levy_parse_next(p)) return false;
    right->at = s->at = under->at = p->token;
    **rights = right; /* its name is known, whatever follows */
    *rights = &right->next;
    if (!levy_parse_next(p) ||
        !levy_parse_take(p, SCRIPT_T_AT, "Write: may call at dates by issuer { ... }.", "'at'"))
        return false;
    block->at = p->token;
    if (!levy_parse_take(p, SCRIPT_T_NAME, "Write: may call at dates by issuer { ... }.",
                         "the name of a schedule") ||
        !parse_party(p, right, &condition) || !levy_parse_body(p, column, &s->body))
        return false;
    s->kind = SCRIPT_RIGHT;
    s->right = right;
    *under = (script_statement){.kind = SCRIPT_IF, .at = right->at, .value = condition, .body = s};
    block->body = condition ? under : s;
    **last = block;
    *last = &block->next;
    return p->is_foreign || levy_parse_ends(p);
}

static bool parse_report(parser *p, script_wanted *r)
{
    r->at = p->token;
    return levy_parse_take(p, SCRIPT_T_NAME, "Write: report name, of a var.",
                           "the name of a var") &&
           levy_parse_ends(p);
}

/* A statement outside of blocks. The first one says so for all. */
static bool parse_loose(parser *p, script_statement ***loose)
{
    if (*loose == p->loose) {
        levy_parse_fail(
            p,
            "A script has var lines, report lines, and at blocks: var strike = 100, and "
            "at expiry { pay 1 }.",
            "'var', 'report' or 'at'");
        if (!levy_script_note(p->fault, p->arena)) return false;
    }
    if (p->token.kind == SCRIPT_T_CLOSE_BLOCK || p->token.kind == SCRIPT_T_ELSE)
        return p->fault->unsure = true, levy_parse_next(p);
    **loose = levy_parse_room(p, sizeof ***loose);
    if (!**loose || !levy_parse_statement(p, **loose)) return false;
    *loose = &(**loose)->next;
    return true;
}

static bool parse_part(parser *p, script_variable ***variables, script_block ***blocks,
                       script_wanted ***reports, script_right ***rights, script_statement ***loose)
{
    const script_token_kind kind = p->token.kind;
    const script_token head = p->token;
    script_token loop;
    if (parse_is_loop(p, &loop))
        return levy_parse_note(
                   p, &head, "There are no loops. Write: at dates { ... }, of a schedule.", NULL) &&
               parse_block(p, head.column, &loop, blocks);
    if (parse_is_right(p)) return parse_right(p, head.column, rights, blocks);
    const char *const right = kind == SCRIPT_T_NAME ? parse_other_right(p) : NULL;
    if (right) return levy_parse_fail(p, right, "'may'");
    if (kind != SCRIPT_T_VAR && kind != SCRIPT_T_AT && kind != SCRIPT_T_REPORT)
        return parse_loose(p, loose);
    if (!levy_parse_next(p)) return false;
    if (kind == SCRIPT_T_AT) return parse_block(p, head.column, NULL, blocks);
    if (kind == SCRIPT_T_VAR) {
        script_variable *const v = levy_parse_room(p, sizeof *v);
        **variables = v;
        if (v) *variables = &v->next;
        return v && parse_variable(p, v);
    }
    script_wanted *const r = levy_parse_room(p, sizeof *r);
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
    script_right **rights = &tree->rights;
    script_statement **loose = &tree->loose;
    p.loose = loose;
    *tree = (script_tree){0};
    if (!levy_parse_next(&p)) return false;
    for (;;) {
        if (!levy_parse_lines(&p)) return false;
        if (p.token.kind == SCRIPT_T_END) return true;
        const script_token from = p.token;
        p.depth = p.lines = 0;
        if (parse_part(&p, &variables, &blocks, &reports, &rights, &loose)) continue;
        if (!fault->message || !levy_script_note(fault, arena)) return false;
        fault->unsure = true; /* a part is lost */
        if (!levy_parse_skip(&p, &from)) return false;
    }
}
