/* advice.h: what to write in place of a scalar that its field does not take, by the look of the
 * text. Texts are constant or live in the reader's arena. Private to this room. Must not know: any
 * key's meaning. */
#ifndef LEVY_SCHEMA_ADVICE_H
#define LEVY_SCHEMA_ADVICE_H

#include "engine/base/date.h"
#include "engine/schema/reader.h"

static inline bool levy_advice_is_digit(char c) { return c >= '0' && c <= '9'; }
/* Whether a name may have the character, and begin with it. */
bool levy_advice_in_name(char c, bool first);

extern const char levy_advice_any_date[]; /* of a text that is no date in another form */
/* Of 19/11/2027 and its like, of a time stamp and of 20271119; where day and month may be either,
 * both dates. */
const char *levy_advice_date(const levy_reader *reader, const levy_node *node);
/* For the style of an exercise in place of the exercise. */
const char *levy_advice_style(const levy_reader *reader, const levy_node *node);
/* field, trail NULL: nothing is known of the place. */
const char *levy_advice_number(const levy_reader *reader, const levy_field *field,
                               const levy_node *node, const levy_trail *trail);
const char *levy_advice_count(const levy_reader *reader, const levy_node *node);
/* With '_' for what a name must not have. */
const char *levy_advice_name(const levy_reader *reader, const levy_node *node);
/* A tenor counts from no date of its own, so it is written as years. */
const char *levy_advice_tenor(const levy_reader *reader, const levy_tenor *tenor);

#endif
