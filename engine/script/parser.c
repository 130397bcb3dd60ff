/* parser.c: see parser.h. Where the reading stands, how it refuses what stands there, and where it
 * goes on after a fault. Must not know: what an expression or a statement is. */
#include "engine/script/parser.h"

#include <string.h>

/* Of nested expressions and conditions, so of what recursion follows. */
enum { PARSE_MOST_DEPTH = 100 };

bool levy_parse_fail(parser *p, const char *hint, const char *what)
{
    if (p->token.kind == SCRIPT_T_STRANGE)
        return levy_script_fail(p->fault, p->arena, &p->token,
                                "A script has names, numbers, + - * / ^ and comparisons.",
                                "a character that has no meaning here");
    return levy_script_fail(p->fault, p->arena, &p->token, hint, "expected %s, but found %s", what,
                            levy_script_token_shown(&p->token, p->arena));
}

bool levy_parse_next(parser *p)
{
    p->last = p->token;
    return levy_script_scan(&p->scanner, &p->token);
}

bool levy_parse_take(parser *p, script_token_kind kind, const char *hint, const char *what)
{
    return p->token.kind == kind ? levy_parse_next(p) : levy_parse_fail(p, hint, what);
}

bool levy_parse_note(parser *p, const script_token *at, const char *hint, const char *what)
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

bool levy_parse_skip(parser *p, const script_token *from)
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
    return levy_parse_next(p);
}

bool levy_parse_lines(parser *p)
{
    while (p->token.kind == SCRIPT_T_LINE)
        if (!levy_parse_next(p)) return false;
    return true;
}

void *levy_parse_room(parser *p, size_t size)
{
    void *const room = levy_arena_allocate(p->arena, 1, size);
    if (!room) p->fault->out_of_memory = true;
    return room;
}

bool levy_parse_deeper(parser *p)
{
    if (++p->depth <= PARSE_MOST_DEPTH) return true;
    return levy_script_fail(p->fault, p->arena, &p->token,
                            "Give parts names with let, and write else if.",
                            "more than %d levels of parentheses and conditions", PARSE_MOST_DEPTH);
}
