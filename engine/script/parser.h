/* parser.h: shared by the parts of the parser, which reads one token ahead. A function that returns
 * false or NULL has met a fault. Private to parse.h. Must not know: types, programs. */
#ifndef LEVY_SCRIPT_PARSER_H
#define LEVY_SCRIPT_PARSER_H

#include "engine/script/parse.h"

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

/* That `what` stands not here. */
bool levy_parse_fail(parser *p, const char *hint, const char *what);
bool levy_parse_next(parser *p);
bool levy_parse_take(parser *p, script_token_kind kind, const char *hint, const char *what);
/* Notes a fault after which the reading goes on as if it were none. */
bool levy_parse_note(parser *p, const script_token *at, const char *hint, const char *what);
/* Goes on behind a statement that has a fault: at the end of its line, its braces closed. */
bool levy_parse_skip(parser *p, const script_token *from);
bool levy_parse_lines(parser *p);
void *levy_parse_room(parser *p, size_t size);
bool levy_parse_deeper(parser *p);

/* parse_expression.c */
script_expression *levy_parse_expression(parser *p);

/* parse_statement.c */
/* Whether a statement ends here. */
bool levy_parse_ends(parser *p);
/* A statement, or one that has a fault, behind which the reading goes on. */
bool levy_parse_statement(parser *p, script_statement *s);
/* column: where the head of the body begins. */
bool levy_parse_body(parser *p, uint32_t column, script_statement **body);

#endif
