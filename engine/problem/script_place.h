/* script_place.h: finds where a line of a script stands in its file, and refuses it there. */
#ifndef LEVY_PROBLEM_SCRIPT_PLACE_H
#define LEVY_PROBLEM_SCRIPT_PLACE_H

#include "engine/base/check.h"
#include "engine/base/node.h"
#include "engine/script/payoff_script.h"

#include <string.h>

/* text: the node of the script. A block begins on the line after its key, mostly indented by two.
 * Of folded or quoted lines only the start is known. */
static inline levy_node levy_script_place(const levy_node *text, uint32_t line, uint32_t column)
{
    levy_node at = *text;
    if (text->literal) {
        at.place.line += line;
        at.place.column = (text->key ? text->key->place.column + 2 : 1) + column - 1;
    } else if (!strchr(text->text, '\n')) {
        at.place.column += column - !text->quoted;
    }
    return at;
}

/* Refuses a script at the place of each of its faults. False. */
bool levy_script_refuse_all(levy_check *check, const levy_node *text, const char *path,
                            const levy_script_fault *fault);

#endif
