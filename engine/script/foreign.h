/* foreign.h: words of other languages, and what this one has in their place. Must not know: how a
 * program is made. */
#ifndef LEVY_SCRIPT_FOREIGN_H
#define LEVY_SCRIPT_FOREIGN_H

#include "engine/script/token.h"

#define FOREIGN_NO_LEVEL UINT32_MAX

/* What a word begins a statement for: SCRIPT_T_PAY for return, SCRIPT_T_STOP, SCRIPT_T_LET.
 * SCRIPT_T_END: nothing. */
script_token_kind levy_script_foreign_statement(const script_token *word);

/* Whether it is another word for expiry. */
bool levy_script_is_end(const script_token *word);

/* The number of the asset whose level the word means: its name, or `S` and the like, with or
 * without `.spot`. FOREIGN_NO_LEVEL: none. */
uint32_t levy_script_foreign_level(const levy_script_frame *frame, const script_token *word);
/* Whether the word is the name of an asset, with or without `.spot`. */
bool levy_script_foreign_names(const script_token *word, const char *name);
/* Whether it is a word for the level at the start of the trade. */
bool levy_script_is_initial(const script_token *word);

/* What to write where a word says that a party may or must do something; NULL: it says neither. */
const char *levy_script_foreign_right(const script_token *word);

/* What to write for a value or a function. NULL: nobody knows the word. */
const char *levy_script_foreign_value(const script_token *word);
const char *levy_script_foreign_function(const levy_script_frame *frame, const script_token *word);

#endif
