/* defined.h: a kind of payoff that a file defines (engine/schema/kind_file.h): a script with keys
 * of its own, like the kinds that levy ships as scripts (written.h). In a problem it is a payoff of
 * kind script whose terms another table has filled. Must not know: how the file is read. */
#ifndef LEVY_PAYOFFS_DEFINED_H
#define LEVY_PAYOFFS_DEFINED_H

#include "payoffs/payoff.h"

typedef struct levy_defined_kind {
    levy_table table; /* first: what finds the kind again; it fills a levy_payoff_terms */
    const char *name;
    const char *text;               /* of the script */
    const struct levy_node *node;   /* the definition as written */
    const struct levy_node *script; /* where the text stands */
} levy_defined_kind;

/* The kind whose table has filled the terms of a payoff; NULL: levy's own table has. */
const levy_defined_kind *levy_defined_of(const levy_table *table);

/* Text, schedules and parameters of a payoff of the frame's kind; false: it has added faults. */
bool levy_defined_source(const levy_payoff_frame *frame, struct levy_script_source *source);

/* A field of the kind's table; its offset is where *size ends, which it moves on. */
void levy_defined_place(levy_field *field, size_t *size);

#endif
