/* respell_node.h: a map that is made anew from another one, child by child. Private to respell.h.
 * Must not know: the meaning of any key. */
#ifndef LEVY_SCHEMA_RESPELL_NODE_H
#define LEVY_SCHEMA_RESPELL_NODE_H

#include "engine/schema/reader.h"

typedef struct respelling {
    const levy_reader *reader;
    const levy_table *table;
    const levy_node *map;
    const levy_trail *trail;
    levy_node *first, *last; /* children of the copy */
    uint32_t count;
    const levy_field *nest; /* the map below, if something belongs into it */
    levy_node *inner, *inner_last;
    uint32_t n_inner;
    bool lacks; /* a number under another name may be what is missing, and no count of dates */
    bool changed, failed;
} respelling;

/* Copies in the reader's arena. NULL: no memory, and the copy has failed. */
levy_node *levy_respell_node(respelling *r, const levy_node *like);
/* A scalar at the place of another one. */
levy_node *levy_respell_scalar(respelling *r, const levy_node *at, const char *text);
/* A map of these children at the place of another node. */
levy_node *levy_respell_map(respelling *r, const levy_node *at, levy_node *first, uint32_t count);
/* A value under a key, which stands where the child's is. */
levy_node *levy_respell_pair(respelling *r, const levy_node *child, const char *key,
                             const levy_node *value);
/* The next child of the copy; NULL: none. */
void levy_respell_put(respelling *r, levy_node *child);
/* The copy in place of the map, or the map itself, where nothing has changed. */
const levy_node *levy_respell_made(respelling *r);

/* ---- What a field takes (respell_value.c) ---- */

/* The value as the field takes it. NULL: it takes none such. */
const levy_node *levy_respell_value(respelling *r, const levy_field *field, const levy_node *value);
/* Whether a name is among a field's: ' ' as it is, '~' as it was, '^' its square is given, '%' a
 * share alone, '@' at the end alone, '+' amounts that grow by the first; or 0. */
char levy_respell_how(const levy_field *field, const char *name);
/* The field of a table that has this other name and takes the value, which *as becomes. */
const levy_field *levy_respell_named(respelling *r, const levy_table *table, const levy_node *child,
                                     const levy_node **as);

/* ---- What a table has, and takes (respell_check.c) ---- */

/* The map that a table's map must have in it; NULL: none. */
const levy_field *levy_respell_nest(const levy_table *table);
/* Whether a map is as its table has it, at a glance. */
bool levy_respell_is_plain(const levy_table *table, const levy_node *map, bool has_kind);
/* Whether a key is missing that the table must have; of dates nobody asks. */
bool levy_respell_lacks(const levy_table *table, const levy_node *map);
/* Whether a table takes the map, but for dates that are missing. Of one that it refuses the file's
 * own words are what a message is about. */
bool levy_respell_is_right(const levy_table *table, const levy_node *map, bool has_kind);
/* Refuses the first thing that two keys of r->map say in what was made of it: a reader takes one
 * alone. False: there is none. */
bool levy_respell_refuse_twice(const respelling *r, const levy_table *table, const levy_node *made);

#endif
