/* mend_value.h: what mend.h writes, and its names and values. Private to it. Must not know:
 * statements. */
#ifndef LEVY_SCRIPT_MEND_VALUE_H
#define LEVY_SCRIPT_MEND_VALUE_H

#include "engine/script/compile.h"

enum { MEND_ROOM = 1200 };

typedef struct mend_text {
    char text[MEND_ROOM];
    size_t n;
} mend_text;

typedef enum mend_over { MEND_AVERAGE, MEND_HIGHEST, MEND_LOWEST, MEND_OVERS } mend_over;

typedef struct mend {
    const compiler *c;
    const script_tree *tree;
    mend_text vars, blocks, *out;
    const script_token *loop; /* the name of a loop's date */
    bool at_expiry;           /* what is written runs then */
    bool over[MEND_OVERS];    /* what is kept of a schedule's levels */
    size_t levels, ratios;    /* of the level itself, and of it by the initial one */
    bool pays, fails;
} mend;

/* How strongly a value binds. */
enum {
    MEND_CHOICE,
    MEND_OR,
    MEND_AND,
    MEND_NOT,
    MEND_COMPARISON,
    MEND_SUM,
    MEND_PRODUCT,
    MEND_MINUS,
    MEND_POWER,
    MEND_PRIMARY
};

void levy_mend_put_n(mend *m, const char *text, size_t n);
void levy_mend_put(mend *m, const char *text);
/* Parts what comes from what is there. */
void levy_mend_begin(mend *m);

bool levy_mend_same(const script_token *a, const script_token *b);
/* In whichever letters. */
bool levy_mend_is_word(const script_token *token, const char *word);
/* true or false */
bool levy_mend_is_truth(const script_expression *e);
bool levy_mend_is_var(const mend *m, const script_token *name);
bool levy_mend_is_parameter(const mend *m, const script_token *name);
/* Whether the text itself, or its parameters, say what the name is. */
bool levy_mend_is_own(const mend *m, const script_token *name);
/* How often statements give the name a value. */
size_t levy_mend_given(const mend *m, const script_token *name);

/* A name of the text's own, which something must use. One of the language takes another. */
void levy_mend_own(mend *m, const script_token *name);
/* least: how strongly what stands around it binds. */
void levy_mend_value(mend *m, const script_expression *e, int least);
void levy_mend_condition(mend *m, const script_expression *e, int least);

/* The variables that keep what is made of a schedule's levels. */
extern const char *const levy_mend_over_names[];

#endif
