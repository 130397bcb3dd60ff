/* compile.h: shared by the parts of the compiler: what a name means, values and their types. Must
 * not know: YAML, trades. */
#ifndef LEVY_SCRIPT_COMPILE_H
#define LEVY_SCRIPT_COMPILE_H

#include "engine/script/emit.h"
#include "engine/script/parse.h"

/* A number or a condition, or a list of them: one for each asset, or for each number of a
 * parameter. at: [n] operands. */
typedef struct script_value {
    bool is_condition, is_list, is_constant;
    bool is_unknown; /* it has a fault, and so its readers have none on its account */
    uint32_t n;
    uint32_t *at;
} script_value;

typedef struct script_name {
    const script_token *at;
    script_value value;
    bool is_right; /* which is used, and not set */
} script_name;

typedef struct compiler {
    emitter e;
    const levy_script_frame *frame;
    levy_arena *arena, *kept; /* for the work, and for what the script has */
    levy_script_fault *fault;
    script_name *names; /* variables, then the lets that are in sight */
    size_t n_names, name_room, n_variables;
    uint32_t *starts;  /* [n_states]: constants */
    uint32_t **items;  /* [parameter][item]: constants */
    uint32_t schedule; /* of the block; EMIT_NOWHERE: outside of blocks */
    uint32_t where;    /* the register of the condition under which statements run */
    uint32_t alive;    /* the state; EMIT_NOWHERE: nothing stops */
    /* Of a block that asks what was crossed: for each asset a state, the logarithm of its gross
     * return at the date before; EMIT_NOWHERE: it does not ask. */
    uint32_t before[LEVY_SCRIPT_BLOCKS];
    uint32_t crosses; /* bits of schedules */
    levy_script_span *spans;
    size_t n_spans, span_room;
    levy_script_right *rights; /* those that blocks have had */
    size_t n_rights;
    bool supposes; /* it is in the block of a right whose use is supposed */
    script_tree tree;
} compiler;

enum {
    SCRIPT_PAID,
    SCRIPT_ALIVE,
    SCRIPT_ENDED,
    SCRIPT_LIFE
}; /* states; the last three where there is a stop */

/* expression.c */
bool levy_script_evaluate(compiler *c, const script_expression *expression, script_value *value);
uint32_t levy_script_component(const script_value *value, uint32_t k); /* an operand */
bool levy_script_constant(compiler *c, double number, script_value *value);
bool levy_script_value_room(compiler *c, script_value *value, uint32_t n);
/* Whether two values go together at all; false: they are lists of different length. */
bool levy_script_match(compiler *c, const script_token *at, const script_value *a,
                       const script_value *b);
/* op on all components of values that match; false: no memory */
bool levy_script_combine(compiler *c, levy_script_op op, const script_value *a,
                         const script_value *b, script_value *value);
/* Of something that has a fault: so that others are found. */
bool levy_script_unknown(compiler *c, script_value *value);
const script_name *levy_script_find(const compiler *c, const script_token *token);
/* What the token names: NULL, or why it cannot name a new value. */
const char *levy_script_taken(const compiler *c, const script_token *token);
bool levy_script_refuse(compiler *c, const script_token *at, const char *hint, const char *format,
                        ...) __attribute__((format(printf, 4, 5)));

/* compile.c */
bool levy_script_add_state(compiler *c, uint32_t constant, uint32_t *state);
bool levy_script_stops(const script_statement *body); /* a statement of it may stop */

/* compile_statement.c */
/* False, with a fault: the name is taken. */
bool levy_script_is_free(compiler *c, const script_token *at);
bool levy_script_add_name(compiler *c, const script_token *at, const script_value *value);
bool levy_script_add_unknown(compiler *c, const script_token *at);
/* A statement with a fault is left out, so that the others show theirs. *stops: becomes true
 * if one may end the trade. False: the reading ends. */
bool levy_script_compile_statement(compiler *c, const script_statement *s, bool *stops);
bool levy_script_compile_body(compiler *c, const script_statement *body, bool *stops);

/* Fills a register where the statement runs. */
void levy_script_set(compiler *c, uint32_t to, uint32_t from);
/* A branch: its steps may be left out where no path takes it, and its lets end with it. */
typedef struct compile_branch {
    size_t begun, names;
    uint32_t outside;
    struct compile_branch *around;
} compile_branch;
void levy_script_open(compiler *c, uint32_t condition, compile_branch *branch);
void levy_script_close(compiler *c, const compile_branch *branch);

/* compile_right.c */
/* Names the rights, as variables, and finds what each sees. */
bool levy_script_begin_rights(compiler *c, const script_tree *tree);
/* Adds the states of what they see, behind all variables. */
bool levy_script_keep_seen(compiler *c, const script_tree *tree);
bool levy_script_compile_right(compiler *c, const script_statement *s, bool *stops);
/* Of a script whose right is supposed: what paths have got so far joins the best so far, as a
 * register. */
uint32_t levy_script_suppose(compiler *c);

/* function.c */
bool levy_script_call(compiler *c, const script_expression *call, script_value *value);
bool levy_script_is_function(const script_token *name);
bool levy_script_takes_list(const script_token *name);
/* A function that can be no other name. */
bool levy_script_reserves(const script_token *name);
/* What an example gives the function: "levels". */
const char *levy_script_function_argument(const script_token *name);
/* A function that asks what was crossed: its value is a chance. */
bool levy_script_is_crossing(const script_token *name);
/* Whether an expression asks what was crossed. */
bool levy_script_crosses(const script_expression *expression);
/* At the end of a block that does: the date is the next one's date before. */
bool levy_script_remember(compiler *c, const script_token *at);

/* span.c */
/* Whether it is a time that a name says: now, or a schedule. */
bool levy_script_is_time(compiler *c, const script_expression *e);
/* volatility(t1, t2) and its like: `kind` of two times. */
bool levy_script_span_of(compiler *c, const script_expression *call, levy_script_term_kind kind,
                         script_value *value);
bool levy_script_keep_spans(compiler *c, levy_script *script);

#endif
