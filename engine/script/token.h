/* token.h: the words of a script. Must not know: what they mean. */
#ifndef LEVY_SCRIPT_TOKEN_H
#define LEVY_SCRIPT_TOKEN_H

#include "engine/script/payoff_script.h"

typedef enum script_token_kind {
    SCRIPT_T_END,
    SCRIPT_T_LINE, /* the end of a line, or a semicolon */
    SCRIPT_T_NUMBER,
    SCRIPT_T_NAME,
    /* words of the language, in the order of script_words */
    SCRIPT_T_AND,
    SCRIPT_T_AT,
    SCRIPT_T_ELSE,
    SCRIPT_T_IF,
    SCRIPT_T_LET,
    SCRIPT_T_NOT,
    SCRIPT_T_OR,
    SCRIPT_T_PAY,
    SCRIPT_T_REPORT,
    SCRIPT_T_STOP,
    SCRIPT_T_VAR,
    /* signs, in the order of script_signs */
    SCRIPT_T_NOT_ABOVE,
    SCRIPT_T_NOT_BELOW,
    SCRIPT_T_EQUAL,
    SCRIPT_T_UNEQUAL,
    SCRIPT_T_ADD_TO,
    SCRIPT_T_TAKE_FROM,
    SCRIPT_T_TIMES_BY,
    SCRIPT_T_BELOW,
    SCRIPT_T_ABOVE,
    SCRIPT_T_SET,
    SCRIPT_T_PLUS,
    SCRIPT_T_MINUS,
    SCRIPT_T_TIMES,
    SCRIPT_T_OVER,
    SCRIPT_T_POWER,
    SCRIPT_T_OPEN,
    SCRIPT_T_CLOSE,
    SCRIPT_T_OPEN_LIST,
    SCRIPT_T_CLOSE_LIST,
    SCRIPT_T_OPEN_BLOCK,
    SCRIPT_T_CLOSE_BLOCK,
    SCRIPT_T_COMMA,
    SCRIPT_T_ASK, /* signs of other languages: ? and : */
    SCRIPT_T_COLON,
    SCRIPT_T_STRANGE, /* a character without a meaning */
    SCRIPT_T_KINDS
} script_token_kind;

typedef struct script_token {
    script_token_kind kind;
    uint32_t line, column;
    const char *text; /* in the script, not ended by NUL */
    uint32_t length;
    double value; /* of a number */
} script_token;

typedef struct script_scanner {
    const char *text;
    size_t length, at;
    uint32_t line, column;
    uint32_t depth; /* of parentheses and brackets, in which a line's end is a blank */
    levy_arena *arena;
    levy_script_fault *fault;
} script_scanner;

/* Reads the next token. A sign of another language is noted as a fault and read as what it means.
 * False: the reading ends. */
bool levy_script_scan(script_scanner *scanner, script_token *token);

/* Reads a name or word. False: there is none; no fault is filled. */
bool levy_script_scan_word(script_scanner *scanner, script_token *token);

/* What a message calls a token: "'barrier'", "the end of the line". */
const char *levy_script_token_shown(const script_token *token, levy_arena *arena);
/* The name's text as a string of its own. NULL: no memory. */
const char *levy_script_token_name(const script_token *token, levy_arena *arena);
bool levy_script_token_is(const script_token *token, const char *name);

static inline bool levy_script_failed(const levy_script_fault *fault)
{
    return fault->message || fault->out_of_memory;
}

/* Fills the fault, if it is not filled yet, and returns false. hint: NULL for the grammar's page.
 */
bool levy_script_fail(levy_script_fault *fault, levy_arena *arena, const script_token *at,
                      const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Puts the fault aside, if there is one, so that the next one can be found. False: the reading
 * ends. */
bool levy_script_note(levy_script_fault *fault, levy_arena *arena);

#endif
