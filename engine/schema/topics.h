/* topics.h: what a topic of `levy describe` means: a table, or a field of one, by its path or by
 * its name alone. Private to this room. Must not know: the meaning of any key. */
#ifndef LEVY_SCHEMA_TOPICS_H
#define LEVY_SCHEMA_TOPICS_H

#include "engine/schema/schema.h"

enum { LEVY_TOPIC_PATH = 160, LEVY_TOPIC_OTHERS = 8 };

typedef struct levy_topic {
    const levy_table *table; /* with a field: the table that has it */
    const levy_field *field; /* NULL: the topic is the table */
    char path[LEVY_TOPIC_PATH];
    const char *written; /* of another word for a kind: the map to write; NULL: it is none */
    /* where else the name stands for something else */
    char others[LEVY_TOPIC_OTHERS][LEVY_TOPIC_PATH];
    size_t n_others;
} levy_topic;

/* "payoff.asian.averaging", "trades[0].payoff.strike", "european", "rebate", "vol", "put". False:
 * there is no such topic. `kinds`: those that files define, "payoff.my_note" or "my_note.coupon";
 * NULL: none. */
bool levy_topic_find(const char *name, const levy_more_kinds *kinds, levy_topic *topic);

#endif
