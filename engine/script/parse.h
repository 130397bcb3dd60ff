/* parse.h: the text of a script as a tree. Must not know: types, programs. */
#ifndef LEVY_SCRIPT_PARSE_H
#define LEVY_SCRIPT_PARSE_H

#include "engine/script/payoff_script.h"
#include "engine/script/token.h"

typedef enum script_expression_kind {
    SCRIPT_LITERAL, /* value */
    SCRIPT_NAME,
    SCRIPT_INDEX, /* name[first] */
    SCRIPT_CALL,  /* name(first, ...) */
    SCRIPT_UNARY, /* op first */
    SCRIPT_CHAIN, /* first, then links, from the left: no longer chain is a deeper tree */
    SCRIPT_LINK,  /* op first */
    SCRIPT_CHOICE /* first if second else third */
} script_expression_kind;

typedef struct script_expression {
    script_expression_kind kind;
    script_token at;                        /* the name, the literal or the operator */
    struct script_expression *first, *next; /* operands, a list */
} script_expression;

typedef enum script_statement_kind {
    SCRIPT_LET,
    SCRIPT_ASSIGN,
    SCRIPT_IF,
    SCRIPT_PAY,
    SCRIPT_STOP,
    SCRIPT_RIGHT, /* its body runs where the party decides so */
    SCRIPT_BARE,  /* a value alone: a fault */
    SCRIPT_BROKEN /* a fault; at: the name that it was to set, if there is one */
} script_statement_kind;

/* may NAME at schedule by party seeing x, y: once at most. NAME is 1 from then on, else 0. */
typedef struct script_right {
    script_token at;                /* its name */
    bool issuer;                    /* the one who pays decides, else the one who is paid */
    script_expression *seen;        /* what the decision knows; NULL: what the compiler chooses */
    uint32_t n_seen, used, seen_at; /* states: whether it was used, and the first of what is seen */
    struct script_right *next;
} script_right;

typedef struct script_statement {
    script_statement_kind kind;
    script_token at;          /* its first token: the name of a let or an assignment */
    script_token_kind op;     /* of an assignment: '=', or the operator before it */
    bool at_expiry;           /* a payment */
    script_expression *value; /* or the condition */
    struct script_statement *body, *otherwise; /* of an if, or a right */
    script_right *right;
    struct script_statement *next;
} script_statement;

typedef struct script_block {
    script_token at; /* the schedule's name */
    script_statement *body;
    script_token loop; /* the name that a loop of another language gives its date */
    struct script_block *next;
} script_block;

typedef struct script_variable {
    script_token at;          /* its name */
    bool is_list;             /* one for each asset */
    script_expression *start; /* NULL: a fault */
    struct script_variable *next;
} script_variable;

typedef struct script_wanted { /* a report */
    script_token at;
    struct script_wanted *next;
} script_wanted;

typedef struct script_tree {
    script_variable *variables;
    script_block *blocks;
    script_wanted *reports;
    script_right *rights;
    script_statement *loose; /* outside of blocks: a fault */
} script_tree;

/* Notes all faults, and goes on behind each. False: the reading ended. */
bool levy_script_parse(const char *text, size_t length, levy_arena *arena, script_tree *tree,
                       levy_script_fault *fault);

#endif
