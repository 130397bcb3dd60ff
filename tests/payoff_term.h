/* payoff_term.h: a member of a trade's terms by the key that a book writes, such as
 * "barrier.level". A kind's own struct is known to the kind alone; its table says where a key goes.
 */
#ifndef LEVY_TESTS_PAYOFF_TERM_H
#define LEVY_TESTS_PAYOFF_TERM_H

#include "engine/problem/problem.h"

#include <stdlib.h>
#include <string.h>

static inline const levy_field *payoff_term_field(const levy_table *table, const char *key,
                                                  size_t length)
{
    const levy_field *field = table->fields;
    while (field->name && (strncmp(field->name, key, length) != 0 || field->name[length])) ++field;
    if (!field->name) abort(); /* the test names a key that the kind does not have */
    return field;
}

static inline void *payoff_term(const levy_trade *trade, const char *key)
{
    const levy_table *table = levy_payoffs[trade->kind.payoff]->table;
    char *at = (char *)(uintptr_t)trade->claim.terms;
    for (;;) {
        const size_t length = strcspn(key, ".");
        const levy_field *const field = payoff_term_field(table, key, length);
        at += field->offset;
        if (!key[length]) return at;
        table = field->table;
        key += length + 1;
    }
}

#endif
