/* function.h: the functions of a script by name: what they take, make and mean. Must not know: how
 * they are compiled. */
#ifndef LEVY_SCRIPT_FUNCTION_H
#define LEVY_SCRIPT_FUNCTION_H

/* What a function takes and makes. */
typedef enum function_form {
    FUNCTION_FOLD, /* numbers, two or more: one of them, component by component */
    FUNCTION_EACH, /* a number: of each component */
    /* those that version 1 of the language had not */
    FUNCTION_NORMAL,  /* a number. BELOW: the chance of a normal below it; EXP: its density there */
    FUNCTION_CROSSED, /* a barrier: LEAST: it fell to it; GREATEST: it rose to it; EXP: either */
    FUNCTION_SPAN,    /* two times: the term's kind */
    /* of lists */
    FUNCTION_MERGE, /* a list: one number */
    FUNCTION_MEAN,
    FUNCTION_SORTED,
    FUNCTION_COUNT, /* a list of conditions: how many hold */
    FUNCTION_JOIN,  /* a list of conditions: one */
    FUNCTION_FIRST  /* a list of conditions: the first that holds */
} function_form;

typedef struct function_kind {
    const char *name;
    function_form form;
    int op; /* levy_script_op, or levy_script_term_kind */
    const char *usage, *doc;
} function_kind;

enum { LEVY_SCRIPT_MOST_FUNCTIONS = 32 };           /* one more than there may be */
extern const function_kind levy_script_functions[]; /* by name; the last one has none */

#endif
